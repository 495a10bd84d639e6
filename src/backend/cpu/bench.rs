//! Measurements of `bench` on the CPU by the clock: every method, and the cases of all backends. Views at a whole scale come once
//! between the samples and once on them.

use std::time::Instant;

use super::CpuBackend;
use crate::backend::bench::{median, noise, noise_of, request};
use crate::backend::bench_cases::{CASE_METHODS, CASES};
use crate::backend::prepared::edges;
use crate::backend::{Backend as _, BackendError, BenchOptions, BenchRow, Measurements, PixelFormat, RenderRequest};
use crate::image::{Channels, Depth, Image, Raster, Samples};
use crate::sampling::{METHODS, Method, Sampler, SamplingPath};
use crate::view::View;

/// Default number of repeats.
const REPEATS: usize = 11;
/// Renders before the first measured one.
const WARM_UP: usize = 2;

/// Measures every method at every scale, and the cases that are unlike the usual view.
pub(super) fn run(backend: &mut CpuBackend, options: &BenchOptions) -> Result<Measurements, BackendError> {
    let mut measured = Measurements::default();
    let repeats = options.repeats_or(REPEATS);
    let keep = |what: &str, how: &str, pixels: &str, scale: f64, median_us: f64| BenchRow {
        what: what.to_owned(),
        how: how.to_owned(),
        pixels: pixels.to_owned(),
        scale,
        repeats,
        median_us,
        pixels_a_second: options.size.area() as f64 / median_us * 1e6,
        ..BenchRow::default()
    };
    let Some(image) = noise(options.image) else { return Ok(measured) };
    let views = options.scales.iter().flat_map(|&scale| {
        let on_samples = (scale.fract() == 0.0).then_some((scale, true));
        [(scale, false)].into_iter().chain(on_samples)
    });
    for (scale, is_on_samples) in views {
        for row in METHODS.iter().filter(|row| !is_on_samples || row.method.kernel().interpolates) {
            let Some(mut request) = request(options, row.method, SamplingPath::Auto, scale) else { continue };
            if is_on_samples {
                request.view = View::new([3.0, -5.0], scale).unwrap_or(request.view);
            }
            let median_us = time(backend, &image, &request, Channels::Grey, repeats)?;
            let how = if is_on_samples { "on samples" } else { "auto" };
            measured.rows.push(keep(row.name, how, "grey 8-bit to R8", scale, median_us));
        }
    }
    if let Some(median_us) = prefilter(options, repeats) {
        measured.rows.push(keep("prefilter", "both axes", "grey float", 0.0, median_us));
    }
    let plain = RenderRequest::new(options.size);
    for case in &CASES {
        let Some(image) = noise_of(options.image, case.channels, case.depth) else { continue };
        let page = &image.pages()[0];
        let (channels, to) =
            if case.channels.has_colour() { (Channels::Rgba, "RGBA8") } else { (Channels::Grey, "R8") };
        for view in case.views(&plain, page) {
            for method in [Method::Linear].into_iter().chain(CASE_METHODS) {
                let sampler = case.sampler(method, SamplingPath::Auto);
                let request = RenderRequest { view, sampler, ..plain.clone() };
                if (case.prefilter && !sampler.uses_coefficients()) || request.check(page).is_err() {
                    continue;
                }
                let median_us = time(backend, &image, &request, channels, repeats)?;
                measured.rows.push(keep(&case.what(method), "auto", &case.pixels(to), view.scale(), median_us));
            }
        }
    }
    Ok(measured)
}

/// The median time of the cubic B-spline's prefilter over a float image.
fn prefilter(options: &BenchOptions, repeats: usize) -> Option<f64> {
    let sampler = Sampler { prefilter: true, ..Sampler::default().with_method(Method::BSPLINE) };
    let prefilter = sampler.coefficients()?;
    let image = noise_of(options.image, Channels::Grey, Depth::Float)?;
    let Samples::F32(values) = image.pages()[0].raster().samples() else { return None };
    let run = |_| {
        let start = Instant::now();
        std::hint::black_box(prefilter.coefficients(values, options.image.sides(), 1, &edges(&sampler)));
        start.elapsed().as_secs_f64() * 1e6
    };
    Some(median((0..repeats).map(run).collect()))
}

/// The median time of `repeats` renders in microseconds.
fn time(
    backend: &mut CpuBackend,
    image: &Image,
    request: &RenderRequest,
    channels: Channels,
    repeats: usize,
) -> Result<f64, BackendError> {
    let mut out = Raster::zeros(request.size, channels, PixelFormat::TEXTURE.depth);
    let mut times = Vec::with_capacity(repeats);
    for run in 0..WARM_UP + repeats {
        let start = Instant::now();
        backend.render(image, request, PixelFormat::TEXTURE, &mut out)?;
        if run >= WARM_UP {
            times.push(start.elapsed().as_secs_f64() * 1e6);
        }
    }
    Ok(median(times))
}
