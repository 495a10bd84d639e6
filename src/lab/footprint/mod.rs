//! Footprint of an output pixel: the samples that it reads, their weights, and the arithmetic from its position to what is
//! shown, step by step with numbers.
//!
//! ```text
//!   pixel (i, j) → position (x, y) → whole sample and fraction → weights → indices after the address mode
//!     → fetches (path `filtered`) → sum along each row → sum of the rows → display mapping
//! ```
//! All sums are in double precision. The total equals the backends' value: within 2·10⁻⁶ on exact paths, for samples in
//! [0, 1].
//!
//! ```
//! use lerpscope::backend::{PreparedCache, RenderRequest};
//! use lerpscope::image::{Formula, Image};
//! use lerpscope::lab::footprint::Footprint;
//! use lerpscope::view::View;
//!
//! let formula: Formula = "synth:lines:8x8".parse()?;
//! let image = Image::of_page("lines", formula.page());
//! let page = &image.pages()[0];
//! let request = RenderRequest { view: View::new([0.25, 0.0], 1.0)?, ..RenderRequest::new(formula.size()) };
//! let prepared = PreparedCache::default().get(page, &request);
//! let footprint = Footprint::new(&prepared, page, &request, [3, 5])?;
//! let weights: Vec<f64> = footprint.axes[0].taps.iter().map(|tap| tap.weight).collect();
//! assert_eq!((footprint.position, weights), ([3.25, 5.0], vec![0.75, 0.25]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod axis;
mod chart;
mod file;
mod formulas;
mod notation;
mod shown;
mod source;
mod step;

#[cfg(test)]
mod tests;

pub use axis::{AxisFootprint, Fetch, Tap};
pub use file::FootprintJson;
pub use formulas::{Explained, Step};
pub use notation::Notation;
pub use shown::Shown;
pub use source::{Excerpt, SOURCE_FILES, SourceFile, SourceFileRow};
pub use step::{STEPS, StepKind, StepRow};

use crate::backend::{Content, Numbers, Prepared, RenderRequest};
use crate::image::{Channels, Page};
use crate::sampling::Sampler;

/// Reason why a pixel has no footprint.
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum NoFootprint {
    /// The values are the truth, which reads no samples.
    #[error("the truth is evaluated at the position and reads no samples")]
    Truth,
    /// Of a warped view the steps would be others.
    #[error("the view is warped: its steps from a pixel to a position are not those of a footprint")]
    Warped,
    /// The kernel is too wide to be listed.
    #[error("the kernel is {samples} samples wide at this scale; the footprint lists {} at most", Footprint::MAX_TAPS)]
    TooWide {
        /// Its width along an axis.
        samples: usize,
    },
}

/// The samples and weights of one output pixel, and the sums of their products.
#[derive(Clone, Debug, PartialEq)]
pub struct Footprint {
    /// The output pixel (i, j); it may lie outside the output.
    pub pixel: [i64; 2],
    /// Its position (x, y) in the image.
    pub position: [f64; 2],
    /// Taps along x and along y.
    pub axes: [AxisFootprint; 2],
    /// The sampler.
    pub sampler: Sampler,
    /// Channels of a value; colours are premultiplied by alpha.
    pub channels: Channels,
    /// Whether the values are coefficients rather than samples.
    pub has_coefficients: bool,
    /// Whether each fetch is rounded to a multiple of 1/65535, which [`Footprint::rows`] leave out.
    pub is_rounded: bool,
    /// Σ w_x·f of each row of taps, one value per channel.
    pub rows: Vec<Vec<f64>>,
    /// Σ w_y·row, one value per channel; of rounded fetches if [`Footprint::is_rounded`].
    pub total: Vec<f64>,
    /// Values row by row, channels interleaved; 1 is maxval.
    values: Vec<f64>,
}

impl Footprint {
    /// Largest number of taps along an axis.
    pub const MAX_TAPS: usize = 256;

    /// The footprint of `pixel` of `request`, whose sampler reads `prepared`. Antiringing, filters after the interpolation and
    /// subtracted requests do not take part.
    ///
    /// # Errors
    /// [`NoFootprint`] for the truth, for a warped view, and for kernels of more than [`Footprint::MAX_TAPS`] samples.
    pub fn new(
        prepared: &Prepared,
        page: &Page,
        request: &RenderRequest,
        pixel: [i64; 2],
    ) -> Result<Self, NoFootprint> {
        let map = request.view.image_from_output(request.size, page.size());
        Self::at(prepared, page, request, map.at(pixel.map(|index| index as f64)))
    }

    /// The footprint of the position (x, y), in samples, as a pixel of `request` would have it there: the sum is not rounded to the
    /// position of a pixel. Its pixel is the nearest one.
    ///
    /// # Errors
    /// Those of [`Footprint::new`].
    pub fn at(
        prepared: &Prepared,
        page: &Page,
        request: &RenderRequest,
        position: [f64; 2],
    ) -> Result<Self, NoFootprint> {
        if request.content == Content::Truth {
            return Err(NoFootprint::Truth);
        }
        if !request.warp.is_none() {
            return Err(NoFootprint::Warped);
        }
        let map = request.view.image_from_output(request.size, page.size());
        let pixel = map.inverse_at(position).map(|index| index.round() as i64);
        let scales = request.view.scales();
        let stored = prepared.axes();
        let taps = request.taps();
        let samples = taps[0].most().max(taps[1].most());
        if samples > Self::MAX_TAPS {
            return Err(NoFootprint::TooWide { samples });
        }
        let axes = [0, 1].map(|axis| AxisFootprint::new(&request.sampler, scales[axis], stored[axis], position[axis]));
        let values = values(prepared, &axes, request.sampler.border);
        let channels = prepared.channels();
        let count = channels.count();
        let rows: Vec<Vec<f64>> = values
            .chunks_exact(axes[0].taps.len() * count)
            .map(|row| weighted(&axes[0].taps, row.chunks_exact(count), count))
            .collect();
        let mut total = weighted(&axes[1].taps, rows.iter().map(Vec::as_slice), count);
        let fetches = taps[0].fetches_at(position[0]).zip(taps[1].fetches_at(position[1]));
        let steps = prepared.numbers().format().fetch_steps();
        let is_rounded = steps.is_some() && fetches.is_some();
        if let (Some(steps), Some((horizontal, vertical))) = (steps, fetches) {
            let one = f64::from(prepared.maxval());
            for (channel, total) in total.iter_mut().enumerate() {
                let sample = |column: usize, row: usize| {
                    let is_inside = axes[0].taps[column].resolved.is_some() && axes[1].taps[row].resolved.is_some();
                    let number = values[(row * axes[0].taps.len() + column) * count + channel] * one;
                    is_inside.then(|| number.round())
                };
                let border = f64::from(request.sampler.border) * one;
                *total = horizontal.rounded_value(&vertical, [steps, border], sample) / one;
            }
        }
        let has_coefficients = request.sampler.uses_coefficients();
        let sampler = request.sampler;
        Ok(Self { pixel, position, axes, sampler, channels, has_coefficients, is_rounded, rows, total, values })
    }

    /// The value that tap `column` of row `row` reads in `channel`; 1 is maxval.
    ///
    /// # Panics
    /// If there is no such tap or channel.
    pub fn value(&self, [column, row]: [usize; 2], channel: usize) -> f64 {
        assert!(column < self.axes[0].taps.len() && channel < self.channels.count(), "a tap of the footprint");
        self.values[(row * self.axes[0].taps.len() + column) * self.channels.count() + channel]
    }

    /// The product of the weights of tap `column` along x and of tap `row` along y.
    pub fn weight(&self, [column, row]: [usize; 2]) -> f64 {
        self.axes[0].taps[column].weight * self.axes[1].taps[row].weight
    }
}

/// Σ weight·value of each channel.
fn weighted<'a>(taps: &[Tap], values: impl Iterator<Item = &'a [f64]>, channels: usize) -> Vec<f64> {
    let mut sums = vec![0.0; channels];
    for (tap, value) in taps.iter().zip(values) {
        sums.iter_mut().zip(value).for_each(|(sum, value)| *sum += tap.weight * value);
    }
    sums
}

/// The values of all taps, row by row, channels interleaved.
fn values(prepared: &Prepared, axes: &[AxisFootprint; 2], border: f32) -> Vec<f64> {
    let count = prepared.channels().count();
    let one = f64::from(prepared.maxval());
    let [x, y] = prepared.axes();
    let number = |at: usize| match prepared.numbers() {
        Numbers::U8(numbers) => f64::from(numbers[at]),
        Numbers::U16(numbers) => f64::from(numbers[at]),
        Numbers::F32(numbers) => f64::from(numbers[at]),
    };
    let mut values = Vec::with_capacity(axes[0].taps.len() * axes[1].taps.len() * count);
    for row in &axes[1].taps {
        for column in &axes[0].taps {
            let at = (x.stored(column.index), y.stored(row.index));
            let is_inside = at.0 < x.stored_len() && at.1 < y.stored_len();
            let place = (at.1 as usize * prepared.width() as usize + at.0 as usize) * count;
            values.extend((0..count).map(
                |channel| {
                    if is_inside { number(place + channel) / one } else { f64::from(border) }
                },
            ));
        }
    }
    values
}
