//! Measurements of backends: times on noise that is equal in every run. `bench` requests them and formats tables.

use super::RenderRequest;
use crate::image::{Channels, Depth, Image, Page, Raster, Samples, Size};
use crate::sampling::{Method, Sampler, SamplingPath};
use crate::view::View;

/// Options of a measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchOptions {
    /// Size of the output in pixels.
    pub size: Size,
    /// Size of the image in samples.
    pub image: Size,
    /// Scales in samples per output pixel.
    pub scales: Vec<f64>,
    /// Number of measurements after warm-up, of which the median counts; `None` for the backend's default.
    pub repeats: Option<usize>,
}

impl BenchOptions {
    /// Number of measurements, with the default `usual`.
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

/// One measurement.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "cli", derive(serde::Serialize))]
pub struct BenchRow {
    /// Subject: `catmull-rom`, or a name of its own (`plain store`).
    pub what: String,
    /// Path or variant: `tiled`, `gather`, ….
    pub how: String,
    /// Source and destination: `grey 8-bit to RGBA8`.
    pub pixels: String,
    /// Samples per output pixel; 0 without a view.
    pub scale: f64,
    /// Number of measurements after warm-up.
    pub repeats: usize,
    /// Median time in microseconds.
    pub median_us: f64,
    /// Output pixels per second.
    pub pixels_a_second: f64,
    /// Ratio to the time of a plain store of the same bytes in the same run; 0 if nothing is stored.
    pub ratio_to_store: f64,
    /// Ratio to the time of sixteen point fetches at the same scale; 0 if there is no such measurement.
    pub ratio_to_points: f64,
    /// Ratio to the time of a plain copy of the samples in memory in the same run; 0 if there is no such measurement.
    pub ratio_to_copy: f64,
}

/// Error of one variant against double precision.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "cli", derive(serde::Serialize))]
pub struct BenchError {
    /// The method.
    pub what: String,
    /// The variant.
    pub how: String,
    /// Root of the mean squared difference, samples in [0, 1].
    pub rms: f64,
    /// Number of measurements after warm-up.
    pub repeats: usize,
    /// Median time in microseconds.
    pub median_us: f64,
}

/// A measurement that is not possible.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "cli", derive(serde::Serialize))]
pub struct LeftOut {
    /// As in a row.
    pub what: String,
    /// As in a row.
    pub how: String,
    /// As in a row.
    pub pixels: String,
    /// As in a row.
    pub scale: f64,
    /// The reason.
    pub why: String,
}

/// All measurements of a backend.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "cli", derive(serde::Serialize))]
pub struct Measurements {
    /// The rows, in the order of measuring.
    pub rows: Vec<BenchRow>,
    /// Errors of the variants of one method, at 512 × 512 pixels.
    pub errors: Vec<BenchError>,
    /// Measurements that this machine does not support; the others are unaffected.
    pub left_out: Vec<LeftOut>,
}

/// Image of 8-bit grey noise, equal in every run: no kernel is fast by chance because of smooth data.
pub(super) fn noise(size: Size) -> Option<Image> {
    noise_of(size, Channels::Grey, Depth::EIGHT)
}

/// The same, of any channels and depth.
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

/// Request of one measurement: a view off the centre, so that no position is an integer.
pub(super) fn request(options: &BenchOptions, method: Method, path: SamplingPath, scale: f64) -> Option<RenderRequest> {
    let sampler = Sampler { path, ..Sampler::default().with_method(method) };
    let view = View::new([0.31, -0.27], scale).ok()?;
    Some(RenderRequest { view, sampler, ..RenderRequest::new(options.size) })
}

/// Median of `times`.
pub(crate) fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}
