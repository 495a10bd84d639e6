//! `bench`: how long each method takes by each path, held against a plain store of the same bytes. One report for any
//! backend; what is measured where is the backend's matter.

use std::fmt::Write as _;
use std::time::Instant;

use crate::backend::cuda::CudaBackend;
use crate::backend::{Backend, BackendError, CpuBackend, PixelFormat, RenderRequest};
use crate::image::{Channels, Image, Page, Raster, Samples, Size};
use crate::sampling::{METHODS, Method, Path, Sampler};
use crate::view::View;

/// What to measure.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchOptions {
    /// The output's size in pixels.
    pub size: Size,
    /// The image's size in samples.
    pub image: Size,
    /// The scales, in samples per output pixel.
    pub scales: Vec<f64>,
    /// How often each is measured after warm-up; the median counts.
    pub repeats: usize,
}

impl Default for BenchOptions {
    /// 3840 × 2160 pixels of 4096 × 4096 samples at 1/8, 1/2 and 1.
    fn default() -> Self {
        let size = |width, height| Size::new(width, height).unwrap_or_else(|| unreachable!("sides that are not zero"));
        Self { size: size(3840, 2160), image: size(4096, 4096), scales: vec![0.125, 0.5, 1.0], repeats: 101 }
    }
}

/// One measured thing.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchRow {
    /// What was measured: `catmull-rom`, or a name of its own (`plain store`).
    pub what: String,
    /// By which path or form: `tiled`, `gather`, ….
    pub how: String,
    /// From what to what: `grey 8-bit to RGBA8`.
    pub pixels: String,
    /// Samples per output pixel; 0 where there is no view.
    pub scale: f64,
    /// Median time in microseconds.
    pub median_us: f64,
    /// Output pixels a second.
    pub pixels_a_second: f64,
    /// Time over that of a plain store of the same bytes, measured in the same run; 0 where nothing is stored.
    pub ratio_to_store: f64,
    /// Time over that of sixteen point fetches at the same scale; 0 where there is no such measurement.
    pub ratio_to_points: f64,
    /// Time over that of a plain copy of the samples from memory to memory, measured in the same run; 0 where there is no
    /// such measurement.
    pub ratio_to_copy: f64,
}

/// One form's error against double precision.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchError {
    /// The method.
    pub what: String,
    /// By which form.
    pub how: String,
    /// Root of the mean square of the differences, samples in [0, 1].
    pub rms: f64,
    /// Median time in microseconds.
    pub median_us: f64,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchReport {
    /// The backend's one line on what it runs on.
    pub description: String,
    /// What was asked.
    pub options: BenchOptions,
    /// In the order of measuring.
    pub rows: Vec<BenchRow>,
    /// Errors of the forms of one method, at 512 × 512 pixels.
    pub errors: Vec<BenchError>,
}

/// Measures on the backend of this name; `auto` is CUDA where there is a device.
///
/// # Errors
/// Where the backend is missing or fails.
pub fn run(backend: &str, options: &BenchOptions) -> Result<BenchReport, BackendError> {
    match backend {
        "cpu" => run_cpu(options),
        "cuda" => CudaBackend::open()?.bench(options),
        "auto" => match CudaBackend::open() {
            Ok(mut cuda) => cuda.bench(options),
            Err(error) => {
                log::info!("{error}");
                run_cpu(options)
            }
        },
        name => Err(BackendError::Missing { name: "bench", reason: format!("there is no backend '{name}'") }),
    }
}

/// An image of grey noise, the same each time: nothing about it is smooth enough to be quick by chance.
pub(crate) fn noise(size: Size) -> Option<Image> {
    noise_of(size, Channels::Grey)
}

/// The same of any channels.
pub(crate) fn noise_of(size: Size, channels: Channels) -> Option<Image> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    let values = (0..size.area() * channels.count()).map(|_| next()).collect();
    let raster = Raster::new(size, channels, Samples::U8 { values, maxval: 255 })?;
    Image::new("noise", vec![Page::new(raster)])
}

/// The request of one measurement: a view off the middle, so that no position is whole.
pub(crate) fn request(options: &BenchOptions, method: Method, path: Path, scale: f64) -> Option<RenderRequest> {
    let sampler = Sampler { path, ..Sampler::default().with_method(method) };
    let view = View::new([0.31, -0.27], scale).ok()?;
    Some(RenderRequest { view, sampler, ..RenderRequest::new(options.size) })
}

/// The middle one of `times`.
pub(crate) fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The CPU backend, into one byte a pixel, by the clock.
fn run_cpu(options: &BenchOptions) -> Result<BenchReport, BackendError> {
    let mut backend = CpuBackend::new();
    let mut report = BenchReport {
        description: backend.description(),
        options: options.clone(),
        rows: Vec::new(),
        errors: Vec::new(),
    };
    let Some(image) = noise(options.image) else { return Ok(report) };
    let mut out = Raster::zeros(options.size, Channels::Grey, PixelFormat::TEXTURE.depth);
    let repeats = options.repeats.min(11);
    for &scale in &options.scales {
        for row in &METHODS {
            let Some(request) = request(options, row.method, Path::Auto, scale) else { continue };
            let mut times = Vec::with_capacity(repeats);
            for warm in [true, false] {
                for _ in 0..if warm { 2 } else { repeats } {
                    let start = Instant::now();
                    backend.render(&image, &request, PixelFormat::TEXTURE, &mut out)?;
                    if !warm {
                        times.push(start.elapsed().as_secs_f64() * 1e6);
                    }
                }
            }
            let median_us = median(times);
            report.rows.push(BenchRow {
                what: row.name.to_owned(),
                how: "auto".to_owned(),
                pixels: "grey 8-bit to R8".to_owned(),
                scale,
                median_us,
                pixels_a_second: options.size.area() as f64 / median_us * 1e6,
                ratio_to_store: 0.0,
                ratio_to_points: 0.0,
                ratio_to_copy: 0.0,
            });
        }
    }
    Ok(report)
}

impl BenchReport {
    /// The report as JSON: one object, its `rows` an array.
    pub fn to_json(&self) -> String {
        let text = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        let number = |number: f64| if number.is_finite() { format!("{number}") } else { "null".to_owned() };
        let mut json = format!(
            "{{\n  \"device\": {},\n  \"output\": [{}, {}],\n  \"image\": [{}, {}],\n  \"repeats\": {},\n  \"rows\": [",
            text(&self.description),
            self.options.size.width(),
            self.options.size.height(),
            self.options.image.width(),
            self.options.image.height(),
            self.options.repeats
        );
        for (index, row) in self.rows.iter().enumerate() {
            let _ = write!(
                json,
                "{}\n    {{\"what\": {}, \"how\": {}, \"pixels\": {}, \"scale\": {}, \"median_us\": {}, \
                 \"pixels_a_second\": {}, \"ratio_to_store\": {}, \"ratio_to_points\": {}, \"ratio_to_copy\": {}}}",
                if index == 0 { "" } else { "," },
                text(&row.what),
                text(&row.how),
                text(&row.pixels),
                number(row.scale),
                number(row.median_us),
                number(row.pixels_a_second),
                number(row.ratio_to_store),
                number(row.ratio_to_points),
                number(row.ratio_to_copy)
            );
        }
        json.push_str("\n  ],\n  \"errors\": [");
        for (index, error) in self.errors.iter().enumerate() {
            let _ = write!(
                json,
                "{}\n    {{\"what\": {}, \"how\": {}, \"rms\": {}, \"median_us\": {}}}",
                if index == 0 { "" } else { "," },
                text(&error.what),
                text(&error.how),
                number(error.rms),
                number(error.median_us)
            );
        }
        json.push_str("\n  ]\n}\n");
        json
    }

    /// The report as a table for people.
    pub fn to_table(&self) -> String {
        let mut table = format!(
            "{}; {} pixels from {} samples, median of {}\n",
            self.description, self.options.size, self.options.image, self.options.repeats
        );
        let _ = writeln!(
            table,
            "{:<28} {:<14} {:<24} {:>7} {:>11} {:>9} {:>7} {:>8} {:>7}",
            "what", "how", "pixels", "scale", "µs", "Gpixel/s", "/store", "/points", "/copy"
        );
        for row in &self.rows {
            let ratio = |ratio: f64| if ratio > 0.0 { format!("{ratio:.2}") } else { "-".to_owned() };
            let scale = if row.scale > 0.0 { format!("{}", row.scale) } else { "-".to_owned() };
            let _ = writeln!(
                table,
                "{:<28} {:<14} {:<24} {:>7} {:>11.2} {:>9.2} {:>7} {:>8} {:>7}",
                row.what,
                row.how,
                row.pixels,
                scale,
                row.median_us,
                row.pixels_a_second * 1e-9,
                ratio(row.ratio_to_store),
                ratio(row.ratio_to_points),
                ratio(row.ratio_to_copy)
            );
        }
        for BenchError { what, how, rms, median_us } in &self.errors {
            let _ = writeln!(table, "{what:<28} {how:<14} 512×512, RMS error {rms:.2e}, {median_us:.2} µs");
        }
        table
    }
}
