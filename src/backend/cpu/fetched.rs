//! Twin: kernels/filtered.cu. Views by the texture unit's paths from integer textures, fetch by fetch: the unit rounds each
//! fetch, so that weights alone do not give its value.

use std::sync::Arc;

use crate::backend::RenderRequest;
use crate::backend::prepared::{Numbers, Prepared};
use crate::sampling::{Axis, AxisFetches, Taps};
use crate::view::ImageFromOutput;

/// Largest number of taps along an axis.
const MAX_TAPS: usize = 4;

/// Fetches and values of one request.
pub(super) struct Fetched {
    prepared: Arc<Prepared>,
    map: ImageFromOutput,
    taps: Taps,
    width: usize,
    /// The places of the columns, where the view is not rotated.
    columns: Option<Vec<Place>>,
    /// Steps of a number to which a fetch is rounded.
    steps: f64,
    border: f64,
}

/// A position along an axis: its fetches, and the stored indices of its taps.
struct Place {
    fetches: AxisFetches,
    stored: [u32; MAX_TAPS],
}

impl Fetched {
    /// `None` for an exact path, and for textures whose fetches are not rounded.
    pub(super) fn new(prepared: &Arc<Prepared>, request: &RenderRequest, map: &ImageFromOutput) -> Option<Self> {
        let steps = prepared.numbers().format().fetch_steps()?;
        // The texture unit's paths have no stretched kernels: the taps of both axes are the same.
        let [taps, _] = request.taps();
        let width = request.size.width() as usize;
        let axis = prepared.axes()[0];
        // An exact path has no fetches at any place.
        taps.fetches_at(0.0)?;
        let columns = (0..width).map(|column| Place::new(&taps, axis, map.along(0, column as f64)));
        let columns = if request.view.is_axis_aligned() { Some(columns.collect::<Option<_>>()?) } else { None };
        let border = f64::from(request.sampler.border) * f64::from(prepared.maxval());
        Some(Self { prepared: Arc::clone(prepared), map: *map, taps, width, columns, steps, border })
    }

    /// Fills `out` with the rows from `from`.
    pub(super) fn render(&self, from: usize, out: &mut [f32]) {
        match self.prepared.numbers() {
            Numbers::U8(numbers) => self.render_numbers(numbers, from, out),
            Numbers::U16(numbers) => self.render_numbers(numbers, from, out),
            Numbers::F32(numbers) => self.render_numbers(numbers, from, out),
        }
    }

    fn render_numbers<T: Copy + Into<f64>>(&self, numbers: &[T], from: usize, out: &mut [f32]) {
        let channels = self.prepared.channels().count();
        let [x_axis, y_axis] = self.prepared.axes();
        for (row, out) in out.chunks_exact_mut(self.width * channels).enumerate() {
            let row = (from + row) as f64;
            match &self.columns {
                Some(columns) => {
                    let Some(vertical) = Place::new(&self.taps, y_axis, self.map.along(1, row)) else { continue };
                    for (horizontal, pixel) in columns.iter().zip(out.chunks_exact_mut(channels)) {
                        self.pixel(numbers, [horizontal, &vertical], pixel);
                    }
                }
                None => {
                    for (column, pixel) in out.chunks_exact_mut(channels).enumerate() {
                        let [x, y] = self.map.at([column as f64, row]);
                        let places = (Place::new(&self.taps, x_axis, x), Place::new(&self.taps, y_axis, y));
                        let (Some(horizontal), Some(vertical)) = places else { continue };
                        self.pixel(numbers, [&horizontal, &vertical], pixel);
                    }
                }
            }
        }
    }

    fn pixel<T: Copy + Into<f64>>(&self, numbers: &[T], [x, y]: [&Place; 2], pixel: &mut [f32]) {
        let (width, height) = (self.prepared.width(), self.prepared.height());
        let (channels, maxval) = (pixel.len(), f64::from(self.prepared.maxval()));
        for (channel, value) in pixel.iter_mut().enumerate() {
            let sample = |column: usize, row: usize| {
                let (column, row) = (x.stored[column], y.stored[row]);
                let place = (row as usize * width as usize + column as usize) * channels + channel;
                (column < width && row < height).then(|| numbers[place].into())
            };
            let number = x.fetches.rounded_value(&y.fetches, [self.steps, self.border], sample);
            *value = (number / maxval) as f32;
        }
    }
}

impl Place {
    /// `None` for an exact path.
    fn new(taps: &Taps, axis: Axis, x: f64) -> Option<Self> {
        let first = taps.first_sample(x);
        let mut stored = [0; MAX_TAPS];
        stored.iter_mut().zip(first..).for_each(|(stored, index)| *stored = axis.stored(index));
        Some(Self { fetches: taps.fetches_at(x)?, stored })
    }
}
