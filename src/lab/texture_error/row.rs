//! Values along a row of samples, by a backend.

use crate::backend::{self, Backend, BackendError, PixelFormat, RenderRequest};
use crate::image::{Channels, Depth, Image, Page, Raster, Samples, Size};
use crate::sampling::Sampler;
use crate::view::View;

/// A row of samples, and equally spaced places on it.
pub(super) struct Row {
    pub(super) image: Image,
    /// Size of the view: one row.
    size: Size,
    view: View,
    first: f64,
    spacing: f64,
}

impl Row {
    /// `count` places from sample `from` up to the next one, in the middles of equal parts. No place is on a step of the
    /// texture unit's fraction if `count` is a multiple of 512.
    pub(super) fn new(samples: Samples, from: u32, count: u32) -> Self {
        let row = |width: usize| Size::new(width as u32, 1).expect("a row of some thousand samples");
        let (width, size) = (samples.len(), row(count as usize));
        let raster = Raster::new(row(width), Channels::Grey, samples).expect("one number a sample");
        let spacing = 1.0 / f64::from(count);
        let first = f64::from(from) + 0.5 * spacing;
        // Pixel i is at x = first + i·spacing and at y = 0.
        let translation = [first + 0.5 - 0.5 * width as f64, 0.5 * spacing - 0.5];
        let view = View::new(translation, spacing).expect("a scale in range");
        Self { image: Image::of_page("texels", Page::new(raster)), size, view, first, spacing }
    }

    /// The request of its values with `sampler`.
    pub(super) fn request(&self, sampler: Sampler) -> RenderRequest {
        RenderRequest { view: self.view, sampler, ..RenderRequest::new(self.size) }
    }

    /// The places as fractions between the two samples.
    pub(super) fn fractions(&self) -> impl Iterator<Item = f64> {
        let first = self.first.fract();
        (0..self.size.width()).map(move |index| first + f64::from(index) * self.spacing)
    }

    /// Fractions and values with `sampler`.
    pub(super) fn values(&self, sampler: Sampler, backend: &mut dyn Backend) -> Result<Vec<[f64; 2]>, BackendError> {
        let request = self.request(sampler);
        let values = backend::render(backend, &self.image, &request, PixelFormat::file(Depth::Float))?;
        Ok(self.fractions().zip(0..).map(|(x, column)| [x, f64::from(values.number(column, 0, 0))]).collect())
    }
}

/// The different values of a curve, rising.
pub(super) fn levels(points: &[[f64; 2]]) -> Vec<f64> {
    let mut values: Vec<f64> = points.iter().map(|[_, value]| *value).collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    values
}

/// The points of a curve, of a step its two ends alone. Two steps meet at the middle between their places.
pub(super) fn corners(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    corners_by(points, points)
}

/// The same of a curve whose steps are those of `steps`, at the same places. It is continued from its last two places to the
/// end of a step.
pub(super) fn corners_by(points: &[[f64; 2]], steps: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut kept = Vec::new();
    let mut start = 0;
    let runs: Vec<usize> = steps.chunk_by(|a, b| a[1] == b[1]).map(<[_]>::len).collect();
    let is_step = |place: Option<usize>| place.and_then(|place| runs.get(place)).is_some_and(|&len| len > 1);
    for (place, &len) in runs.iter().enumerate() {
        let run = &points[start..start + len];
        start += len;
        let [first, .., last] = run else {
            kept.extend(run);
            continue;
        };
        let (second, before) = (run[1], run[len - 2]);
        // Half a place further from `from` beyond `to`.
        let continued = |from: [f64; 2], to: [f64; 2]| [0, 1].map(|axis| to[axis] + 0.5 * (to[axis] - from[axis]));
        let (meets_before, meets_next) = (is_step(place.checked_sub(1)), is_step(Some(place + 1)));
        kept.push(if meets_before { continued(second, *first) } else { *first });
        kept.push(if meets_next { continued(before, *last) } else { *last });
    }
    kept
}
