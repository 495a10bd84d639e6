//! Pairs of kernels: an image is made smaller by one and enlarged back by another. What is lost belongs to the pair.
//!
//! The reduction is antialiased, by n along both axes; sample k of the smaller image is the centre of samples nk … nk + n − 1.
//! The enlargement has a pixel on each original sample. Errors are those of [`compare`], over the pixels between the
//! samples of the smaller image, as [`measure`](crate::measure) has them for a decimated image.

use std::fmt::Write as _;

use serde::Serialize;

use crate::backend::{Backend as _, BackendError, CpuBackend, PixelFormat, RenderRequest, render};
use crate::filter::ExecOptions;
use crate::image::{Depth, Image, Page, Size, Truth};
use crate::memory::{Demand, Memory};
use crate::plots::{Chart, ChartEntry, ChartSeries, PlotAxis, Reconstruction, SeriesShape};
use crate::quality::{CompareError, Counted, DecimateError, Decimated, Metrics, compare};
use crate::rows::rows;
use crate::sampling::{Method, Sampler};

/// A kernel that enlarges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UpKernel {
    /// The method.
    pub method: Method,
    /// Whether samples become coefficients first.
    pub prefilter: bool,
}

impl UpKernel {
    /// Each of `methods`; those with a prefilter without and with it.
    pub fn all(methods: &[Method]) -> Vec<Self> {
        let switches = |method: Method| if method.kernel().prefilter.is_some() { &[false, true][..] } else { &[false] };
        let of = |&method: &Method| switches(method).iter().map(move |&prefilter| Self { method, prefilter });
        methods.iter().flat_map(of).collect()
    }

    /// Its name: `bspline, prefilter`.
    pub fn label(self) -> String {
        Reconstruction::of(self.method, self.prefilter).label()
    }

    /// The sampler of an enlargement.
    pub fn sampler(self) -> Sampler {
        Sampler { prefilter: self.prefilter, ..Sampler::default().with_method(self.method) }
    }
}

/// What is done with an image.
#[derive(Clone, Debug, PartialEq)]
pub struct PairRequest {
    /// Number n of samples for each sample of the smaller image, along each axis.
    pub factor: u32,
    /// The kernels that reduce, widened by n.
    pub downs: Vec<Method>,
    /// The kernels that enlarge.
    pub ups: Vec<UpKernel>,
}

/// The errors of all pairs.
#[derive(Clone, Debug, PartialEq)]
pub struct PairMatrix {
    /// What was asked for.
    pub request: PairRequest,
    /// Size of the original, a multiple of n.
    pub original: Size,
    /// The errors, row by row: one row for each kernel that reduces, one column for each that enlarges.
    pub cells: Vec<Metrics>,
}

/// Reason why pairs are not measured.
#[derive(Clone, thiserror::Error)]
pub enum PairError {
    /// The factor does not fit the image.
    #[error(transparent)]
    Decimate(#[from] DecimateError),
    /// A render failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// There is nothing to compare.
    #[error(transparent)]
    Compare(#[from] CompareError),
}

/// The properties of a measure of pairs.
#[derive(Debug)]
pub struct PairMeasureRow {
    /// The measure.
    pub measure: PairMeasure,
    /// Name on the command line and in session files.
    pub name: &'static str,
    /// Name in the window.
    pub title: &'static str,
    /// One line on it.
    pub help: &'static str,
}

rows! {
    /// What a matrix shows of a pair.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum PairMeasure {
        /// In decibels.
        #[default]
        Psnr => { name: "psnr", title: "PSNR", help: "peak signal-to-noise ratio in dB: every error counts by its square" },
        /// 1 for equal pictures.
        Ssim => { name: "ssim", title: "SSIM", help: "structural similarity: whether patterns of 7 × 7 pixels are kept" },
    }

    /// The measures.
    pub static PAIR_MEASURES: [PairMeasureRow { measure, .. }];

    impl by_name, Display;
}

impl PairMeasure {
    /// Its value; `None` for a similarity without a window.
    pub fn of(self, metrics: &Metrics) -> Option<f64> {
        match self {
            Self::Psnr => Some(metrics.psnr_db),
            Self::Ssim => metrics.ssim,
        }
    }

    /// Its value as text: two decimals of decibels, four of a similarity.
    pub fn text(self, metrics: &Metrics) -> String {
        match self {
            Self::Psnr => format!("{:.2}", metrics.psnr_db),
            Self::Ssim => metrics.ssim.map_or_else(|| "-".to_owned(), |ssim| format!("{ssim:.4}")),
        }
    }
}

/// Measures all pairs of `request` on `page`, on the CPU.
///
/// # Errors
/// [`PairError`] for a factor that does not fit, short memory, and cancelled work.
pub fn measure(page: &Page, request: &PairRequest, work: &ExecOptions) -> Result<PairMatrix, PairError> {
    let PairRequest { factor, downs, ups } = request;
    let samples = (page.size().area() * page.channels().count()) as u64;
    let mut demand = Demand::default();
    let threads = rayon::current_num_threads().min(downs.len().max(1)) as u64;
    // The original, a picture, the smaller image with its coefficients, for each row under way.
    demand.hold(|| format!("{threads} rows of pictures of {} take", page.size()), threads * 3 * 4 * samples);
    Memory::Machine.check(&demand).map_err(BackendError::from)?;
    let quiet = ExecOptions { progress: None, ..work.clone() };
    let mut rows: Vec<Option<Result<Vec<Metrics>, PairError>>> = vec![None; downs.len()];
    work.stage("pairs").row_by_row().for_bands(
        (&mut rows, 1),
        1,
        || (),
        |(), first, out| {
            for (place, out) in out.iter_mut().enumerate() {
                *out = Some(row(page, *factor, downs[first + place], ups, &quiet));
            }
        },
    );
    if work.stop.is_set() {
        return Err(BackendError::Cancelled.into());
    }
    let mut cells = Vec::with_capacity(downs.len() * ups.len());
    for row in rows.into_iter().flatten() {
        cells.extend(row?);
    }
    let [width, height] = page.size().sides().map(|side| side / factor * factor);
    let original = Size::new(width, height).unwrap_or(page.size());
    Ok(PairMatrix { request: request.clone(), original, cells })
}

/// The errors of `down` with each of `ups`.
fn row(
    page: &Page,
    factor: u32,
    down: Method,
    ups: &[UpKernel],
    work: &ExecOptions,
) -> Result<Vec<Metrics>, PairError> {
    let Decimated { page: small, original, view } = Decimated::by_method(page, factor, down, work)?;
    let Some(Truth::Original(truth)) = small.truth().cloned() else {
        unreachable!("a decimated page has its original");
    };
    let request = RenderRequest { view, ..RenderRequest::new(original) };
    let counted = Counted::between_samples(&request, small.size());
    let image = Image::of_page("reduced", small);
    let mut backend = CpuBackend::new();
    backend.set_exec_options(work.clone());
    let mut metrics = Vec::with_capacity(ups.len());
    for up in ups {
        let request = RenderRequest { sampler: up.sampler(), ..request.clone() };
        let picture = render(&mut backend, &image, &request, PixelFormat::file(Depth::Float))?;
        metrics.push(compare(&picture, truth.raster(), &counted)?);
    }
    Ok(metrics)
}

const ENLARGING: PlotAxis = PlotAxis { name: "up", symbol: "k", label: "Kernel that enlarges, by its place" };
const SSIM: PlotAxis = PlotAxis { name: "ssim", symbol: "SSIM", label: "SSIM" };

/// The places 0 … `count` − 1, those with the largest values first; equal ones in their order.
fn descending(count: usize, value: impl Fn(usize) -> f64) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|&a, &b| value(b).total_cmp(&value(a)));
    places
}

impl PairMatrix {
    /// The errors of the pair of the kernels at `down` and `up`.
    ///
    /// # Panics
    /// For a place outside the matrix.
    pub fn cell(&self, down: usize, up: usize) -> &Metrics {
        &self.cells[down * self.request.ups.len() + up]
    }

    /// Places of the pair with the largest value of `measure`; `None` where no pair has one.
    pub fn best(&self, measure: PairMeasure) -> Option<[usize; 2]> {
        let values = self.cells.iter().enumerate().filter_map(|(place, metrics)| Some((measure.of(metrics)?, place)));
        let (_, place) = values.max_by(|a, b| a.0.total_cmp(&b.0))?;
        Some([place / self.request.ups.len(), place % self.request.ups.len()])
    }

    /// Least and largest value of `measure` that is finite.
    pub fn range(&self, measure: PairMeasure) -> Option<[f64; 2]> {
        let values = self.cells.iter().filter_map(|metrics| measure.of(metrics)).filter(|value| value.is_finite());
        values.fold(None, |range: Option<[f64; 2]>, value| {
            let [least, most] = range.unwrap_or([value; 2]);
            Some([least.min(value), most.max(value)])
        })
    }

    /// The same pairs with the best first: kernels are in the order of the largest value of `measure` that one of their
    /// pairs has.
    #[must_use]
    pub fn sorted(&self, measure: PairMeasure) -> Self {
        let count = self.request.ups.len();
        let value = |down: usize, up: usize| measure.of(self.cell(down, up)).unwrap_or(f64::NEG_INFINITY);
        let best_down = |down: usize| (0..count).map(|up| value(down, up)).fold(f64::NEG_INFINITY, f64::max);
        let best_up =
            |up: usize| (0..self.request.downs.len()).map(|down| value(down, up)).fold(f64::NEG_INFINITY, f64::max);
        let downs = descending(self.request.downs.len(), best_down);
        let ups = descending(count, best_up);
        let cells = downs.iter().flat_map(|&down| ups.iter().map(move |&up| *self.cell(down, up))).collect();
        let request = PairRequest {
            factor: self.request.factor,
            downs: downs.iter().map(|&down| self.request.downs[down]).collect(),
            ups: ups.iter().map(|&up| self.request.ups[up]).collect(),
        };
        Self { request, original: self.original, cells }
    }

    /// A sentence: which pair loses least.
    pub fn conclusion(&self, measure: PairMeasure) -> String {
        let Some([down, up]) = self.best(measure) else { return "No pair has this measure.".to_owned() };
        let unit = match measure {
            PairMeasure::Psnr => " dB",
            PairMeasure::Ssim => "",
        };
        format!(
            "Reduced by {} with {} and enlarged with {}, the least is lost: {} {}{unit}.",
            self.request.factor,
            self.request.downs[down].label(),
            self.request.ups[up].label(),
            measure.row().title,
            measure.text(self.cell(down, up))
        )
    }

    /// The matrix of `measure` as a text table.
    pub fn to_table(&self, measure: PairMeasure) -> String {
        let ups: Vec<String> = self.request.ups.iter().map(|up| up.label()).collect();
        let downs: Vec<String> = self.request.downs.iter().map(|down| down.label().into_owned()).collect();
        let first = downs.iter().map(|name| name.chars().count()).fold(9, usize::max);
        let width = |name: &str| name.chars().count().max(7);
        let (title, factor) = (measure.row().title, self.request.factor);
        let mut table =
            format!("{title}, {} pixels reduced by {factor}: rows reduce, columns enlarge\n", self.original);
        let _ = write!(table, "{:<first$}", "");
        for name in &ups {
            let _ = write!(table, "  {name:>width$}", width = width(name));
        }
        table.push('\n');
        for (down, name) in downs.iter().enumerate() {
            let _ = write!(table, "{name:<first$}");
            for (up, column) in ups.iter().enumerate() {
                let _ = write!(table, "  {:>width$}", measure.text(self.cell(down, up)), width = width(column));
            }
            table.push('\n');
        }
        table + &self.conclusion(measure) + "\n"
    }

    /// All pairs with their errors as CSV. An infinite PSNR is `inf`, a similarity without a window is empty.
    ///
    /// # Errors
    /// None in practice: the table is in memory.
    pub fn to_csv(&self) -> Result<Vec<u8>, csv::Error> {
        let mut csv = csv::Writer::from_writer(Vec::new());
        csv.write_record(["down", "up", "prefilter", "psnr", "rms", "max", "ssim"])?;
        for (place, metrics) in self.cells.iter().enumerate() {
            let (down, up) = self.pair(place);
            let Metrics { psnr_db, rms, max, ssim } = metrics;
            let [psnr, rms, max] = [psnr_db, rms, max].map(ToString::to_string);
            let ssim = ssim.map(|ssim| ssim.to_string()).unwrap_or_default();
            let (down, method) = (down.to_string(), up.method.to_string());
            csv.write_record([&down, &method, &up.prefilter.to_string(), &psnr, &rms, &max, &ssim])?;
        }
        csv.into_inner().map_err(|error| csv::Error::from(error.into_error()))
    }

    /// All pairs as JSON: an array of objects. A PSNR that is infinite and a similarity without a window are null.
    ///
    /// # Errors
    /// None in practice: every value is a number, a text or a Boolean.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        #[derive(Serialize)]
        struct Json {
            down: String,
            up: String,
            prefilter: bool,
            psnr: f64,
            rms: f64,
            max: f64,
            ssim: Option<f64>,
        }
        let json = |(place, metrics): (usize, &Metrics)| {
            let (down, up) = self.pair(place);
            let Metrics { psnr_db: psnr, rms, max, ssim } = *metrics;
            Json { down: down.to_string(), up: up.method.to_string(), prefilter: up.prefilter, psnr, rms, max, ssim }
        };
        Ok(serde_json::to_string_pretty(&self.cells.iter().enumerate().map(json).collect::<Vec<_>>())? + "\n")
    }

    /// The kernels of the cell at `place`.
    fn pair(&self, place: usize) -> (Method, UpKernel) {
        let count = self.request.ups.len();
        (self.request.downs[place / count], self.request.ups[place % count])
    }

    /// The matrix as a chart: a line for each kernel that reduces, a point of it for each that enlarges.
    pub fn chart(&self, measure: PairMeasure) -> Chart {
        let [least, most] = self.range(measure).unwrap_or([0.0, 1.0]);
        let margin = 0.05 * (most - least).max(1e-3);
        let count = self.request.ups.len();
        let entry = |down: &Method| ChartEntry { label: down.label().into_owned(), cells: vec![down.to_string()] };
        let series = |down: usize| {
            let value = |up: usize| measure.of(self.cell(down, up)).filter(|value| value.is_finite());
            let points = (0..count).filter_map(|up| Some([up as f64 + 1.0, value(up)?])).collect();
            ChartSeries { entry: down, part: String::new(), source: "measured", shape: SeriesShape::Line, points }
        };
        let ups = self.request.ups.iter().enumerate();
        let names: Vec<String> = ups.map(|(place, up)| format!("{} {}", place + 1, up.label())).collect();
        Chart {
            title: format!("{} of pairs, reduced by {}", measure.row().title, self.request.factor),
            x: ENLARGING,
            y: match measure {
                PairMeasure::Psnr => PlotAxis::PSNR,
                PairMeasure::Ssim => SSIM,
            },
            x_range: [0.5, count as f64 + 0.5],
            y_range: [least - margin, most + margin],
            guides: Vec::new(),
            keys: vec!["down"],
            entries: self.request.downs.iter().map(entry).collect(),
            series: (0..self.request.downs.len()).map(series).collect(),
            conclusion: Some(format!("{} Enlarging: {}.", self.conclusion(measure), names.join(", "))),
        }
    }
}
