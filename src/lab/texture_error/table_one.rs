//! Document 002's table 1: the error of the cubic B-spline with weights from a look-up table and on the fly.

use std::sync::Arc;

use super::Origin;
use crate::backend::{self, Backend, BackendError, PixelFormat, RenderRequest, reference};
use crate::filter::ExecOptions;
use crate::image::{Depth, Formula, Image, Page, Raster, Samples, Size, Synth};
use crate::sampling::{Method, Sampler, SamplingPath};
use crate::view::View;

/// Pixels of a side of the rendered view, as in the document.
pub const TABLE_PIXELS: u32 = 512;
/// Samples of a side of the picture of noise.
const NOISE_SIDE: u32 = 512;
/// Part of the picture's shorter side that the view shows: pixels then have all fractions, none twice in a row.
const SHOWN_PART: f64 = 0.618_034;

/// The RMS errors that the document prints, on a GeForce 9800 GTX.
pub const DOCUMENT_TABLE: [(SamplingPath, f64); 2] =
    [(SamplingPath::FilteredTable, 9.39e-5), (SamplingPath::Filtered, 8.58e-5)];

/// A picture whose errors are measured.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Its name.
    pub name: String,
    /// Its samples.
    pub page: Arc<Page>,
}

impl Picture {
    /// Band-limited noise.
    pub fn noise() -> Option<Self> {
        let side = Size::new(NOISE_SIDE, NOISE_SIDE).ok()?;
        let page = Formula::new(Synth::Noise, side).ok()?.page();
        Some(Self { name: "noise".to_owned(), page: Arc::new(page) })
    }
}

/// The errors of one path on one picture.
#[derive(Clone, Debug, PartialEq)]
pub struct TableRow {
    /// The picture's name.
    pub picture: String,
    /// Root of the mean squared difference of neighbouring samples in the view: what the error is proportional to.
    pub contrast: f64,
    /// The path.
    pub path: SamplingPath,
    /// Root of the mean squared error against double precision, samples in [0, 1].
    pub rms: f64,
    /// Largest error.
    pub max: f64,
}

/// The table.
#[derive(Clone, Debug, PartialEq)]
pub struct TableOne {
    /// Where the values come from.
    pub origin: Origin,
    /// The rows, picture by picture.
    pub rows: Vec<TableRow>,
}

impl TableRow {
    /// The RMS error for a contrast of 1; `None` for a picture of one value.
    pub fn rms_by_contrast(&self) -> Option<f64> {
        (self.contrast > 0.0).then(|| self.rms / self.contrast)
    }
}

impl TableOne {
    /// The errors of `backend` on `pictures`, without their alpha.
    ///
    /// # Errors
    /// Errors of the backend, and a cancellation.
    pub fn measure(pictures: &[Picture], backend: &mut dyn Backend, work: &ExecOptions) -> Result<Self, BackendError> {
        backend.set_exec_options(work.stage("table 1"));
        let mut rows = Vec::new();
        for Picture { name, page } in pictures {
            let image = Image::of_page(name.clone(), opaque(page));
            let exact = request(page.size(), SamplingPath::Auto);
            let expected = reference::values(&image, &exact)?;
            let contrast = contrast(&image.pages()[0], &exact);
            for (path, _) in DOCUMENT_TABLE {
                if work.stop.is_set() {
                    return Err(BackendError::Cancelled);
                }
                let request = request(page.size(), path);
                let found = backend::render(backend, &image, &request, PixelFormat::file(Depth::Float))?;
                let errors =
                    (0..found.samples().len()).map(|place| f64::from(found.samples().number(place)) - expected[place]);
                let (sum, max) =
                    errors.fold((0.0, 0.0), |(sum, max): (f64, f64), e| (e.mul_add(e, sum), max.max(e.abs())));
                let rms = (sum / expected.len() as f64).sqrt();
                rows.push(TableRow { picture: name.clone(), contrast, path, rms, max });
            }
        }
        Ok(Self { origin: Origin::of(backend.kind()), rows })
    }
}

/// The view of 512 × 512 pixels about the middle of a picture of `size`, by the B-spline.
fn request(size: Size, path: SamplingPath) -> RenderRequest {
    let pixels = Size::new(TABLE_PIXELS, TABLE_PIXELS).expect("sides in range");
    let side = size.width().min(size.height());
    let scale = SHOWN_PART * f64::from(side) / f64::from(TABLE_PIXELS);
    // A scale below the least is that of a picture of some samples.
    let view = View::new([0.0; 2], scale).unwrap_or_default();
    let sampler = Sampler { path, ..Sampler::default().with_method(Method::BSPLINE) };
    RenderRequest { view, sampler, ..RenderRequest::new(pixels) }
}

/// The page without alpha; colours are not multiplied by it.
fn opaque(page: &Arc<Page>) -> Page {
    let (raster, channels) = (page.raster(), page.channels().opaque());
    if channels == page.channels() {
        return Page::new(raster.clone());
    }
    let kept = |index: &usize| index % page.channels().count() < channels.count();
    let places = (0..raster.samples().len()).filter(kept);
    let samples = match raster.samples() {
        Samples::U8 { values, maxval } => Samples::U8 { values: places.map(|k| values[k]).collect(), maxval: *maxval },
        Samples::U16 { values, maxval } => {
            Samples::U16 { values: places.map(|k| values[k]).collect(), maxval: *maxval }
        }
        Samples::F32(values) => Samples::F32(places.map(|k| values[k]).collect()),
    };
    Page::new(Raster::new(raster.size(), channels, samples).unwrap_or_else(|_| raster.clone()))
}

/// Root of the mean squared difference of neighbouring samples within the view of `request`.
fn contrast(page: &Page, request: &RenderRequest) -> f64 {
    let raster = page.raster();
    let map = request.view.image_from_output(request.size, page.size());
    let [first, last] = [0.0, f64::from(TABLE_PIXELS - 1)].map(|pixel| map.at([pixel; 2]));
    let range = |axis: usize| {
        let most = page.size().sides()[axis] - 1;
        (first[axis].floor().max(0.0) as u32).min(most)..=(last[axis].ceil().max(0.0) as u32).min(most)
    };
    let maxval = f64::from(raster.samples().maxval());
    let (mut sum, mut count) = (0.0, 0_usize);
    let (columns, rows) = (range(0), range(1));
    for row in rows.clone() {
        for column in columns.clone() {
            for channel in 0..raster.channels().count() {
                let value = |column: u32, row: u32| f64::from(raster.number(column, row, channel)) / maxval;
                let here = value(column, row);
                let neighbours = [(column + 1, row), (column, row + 1)];
                for (column, row) in neighbours.into_iter().filter(|(i, j)| columns.contains(i) && rows.contains(j)) {
                    sum += (value(column, row) - here).powi(2);
                    count += 1;
                }
            }
        }
    }
    (sum / count.max(1) as f64).sqrt()
}
