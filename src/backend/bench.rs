//! What backends measure of themselves: rows of times on noise that is the same each time. `bench` asks for them and makes
//! tables of them.

use super::RenderRequest;
use crate::image::{Channels, Depth, Image, Page, Raster, Samples, Size};
use crate::sampling::{Method, Path, Sampler};
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
    /// How often each is measured after warm-up; the median counts. Where nobody says, the backend knows what it takes.
    pub repeats: Option<usize>,
}

impl BenchOptions {
    /// How often a thing is measured that is measured `usual` times where nobody says.
    pub fn repeats_or(&self, usual: usize) -> usize {
        self.repeats.unwrap_or(usual)
    }
}

impl Default for BenchOptions {
    /// 3840 × 2160 pixels of 4096 × 4096 samples at 1/64, 1/16, 1/8, 1/2 and 1.
    fn default() -> Self {
        let size = |width, height| Size::new(width, height).unwrap_or_else(|_| unreachable!("sides that are not zero"));
        Self {
            size: size(3840, 2160),
            image: size(4096, 4096),
            scales: vec![1.0 / 64.0, 0.0625, 0.125, 0.5, 1.0],
            repeats: None,
        }
    }
}

/// One measured thing.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "cli", derive(serde::Serialize))]
pub struct BenchRow {
    /// What was measured: `catmull-rom`, or a name of its own (`plain store`).
    pub what: String,
    /// By which path or form: `tiled`, `gather`, ….
    pub how: String,
    /// From what to what: `grey 8-bit to RGBA8`.
    pub pixels: String,
    /// Samples per output pixel; 0 where there is no view.
    pub scale: f64,
    /// How often it was measured, warm-up aside.
    pub repeats: usize,
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
#[cfg_attr(feature = "cli", derive(serde::Serialize))]
pub struct BenchError {
    /// The method.
    pub what: String,
    /// By which form.
    pub how: String,
    /// Root of the mean square of the differences, samples in [0, 1].
    pub rms: f64,
    /// How often it was measured, warm-up aside.
    pub repeats: usize,
    /// Median time in microseconds.
    pub median_us: f64,
}

/// What could not be measured.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "cli", derive(serde::Serialize))]
pub struct LeftOut {
    /// As the row's would be.
    pub what: String,
    /// As the row's would be.
    pub how: String,
    /// As the row's would be.
    pub pixels: String,
    /// As the row's would be.
    pub scale: f64,
    /// Why not.
    pub why: String,
}

/// All that a backend measured.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "cli", derive(serde::Serialize))]
pub struct Measurements {
    /// In the order of measuring.
    pub rows: Vec<BenchRow>,
    /// Errors of the forms of one method, at 512 × 512 pixels.
    pub errors: Vec<BenchError>,
    /// What this machine cannot measure; the rest does not suffer from it.
    pub left_out: Vec<LeftOut>,
}

/// An image of grey noise of 8 bits, the same each time: nothing about it is smooth enough to be quick by chance.
pub(super) fn noise(size: Size) -> Option<Image> {
    noise_of(size, Channels::Grey, Depth::EIGHT)
}

/// The same of any channels and any depth.
pub(crate) fn noise_of(size: Size, channels: Channels, depth: Depth) -> Option<Image> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state >> 32
    };
    let mut raster = Raster::zeros(size, channels, depth);
    match raster.samples_mut() {
        Samples::U8 { values, maxval } => {
            values.iter_mut().for_each(|value| *value = (next() % (u64::from(*maxval) + 1)) as u8);
        }
        Samples::U16 { values, maxval } => {
            values.iter_mut().for_each(|value| *value = (next() % (u64::from(*maxval) + 1)) as u16);
        }
        Samples::F32(values) => values.iter_mut().for_each(|value| *value = next() as f32 / 4_294_967_296.0),
    }
    Some(Image::of_page("noise", Page::new(raster)))
}

/// The request of one measurement: a view off the middle, so that no position is whole.
pub(super) fn request(options: &BenchOptions, method: Method, path: Path, scale: f64) -> Option<RenderRequest> {
    let sampler = Sampler { path, ..Sampler::default().with_method(method) };
    let view = View::new([0.31, -0.27], scale).ok()?;
    Some(RenderRequest { view, sampler, ..RenderRequest::new(options.size) })
}

/// The middle one of `times`.
pub(crate) fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}
