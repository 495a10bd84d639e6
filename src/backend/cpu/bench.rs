//! Measurements of `bench` on the CPU: every method, into one byte per pixel, by the clock. Views at a whole scale come once between
//! the samples and once on them.

use std::time::Instant;

use super::CpuBackend;
use crate::backend::bench::{median, noise, request};
use crate::backend::{Backend as _, BackendError, BenchOptions, BenchRow, Measurements, PixelFormat};
use crate::image::{Channels, Raster};
use crate::sampling::{METHODS, SamplingPath};
use crate::view::View;

/// Default number of repeats.
const REPEATS: usize = 11;
/// Renders before the first measured one.
const WARM_UP: usize = 2;

/// Measures every method at every scale.
pub(super) fn run(backend: &mut CpuBackend, options: &BenchOptions) -> Result<Measurements, BackendError> {
    let mut measured = Measurements::default();
    let Some(image) = noise(options.image) else { return Ok(measured) };
    let mut out = Raster::zeros(options.size, Channels::Grey, PixelFormat::TEXTURE.depth);
    let repeats = options.repeats_or(REPEATS);
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
            let mut times = Vec::with_capacity(repeats);
            for run in 0..WARM_UP + repeats {
                let start = Instant::now();
                backend.render(&image, &request, PixelFormat::TEXTURE, &mut out)?;
                if run >= WARM_UP {
                    times.push(start.elapsed().as_secs_f64() * 1e6);
                }
            }
            let median_us = median(times);
            measured.rows.push(BenchRow {
                what: row.name.to_owned(),
                how: if is_on_samples { "on samples" } else { "auto" }.to_owned(),
                pixels: "grey 8-bit to R8".to_owned(),
                scale,
                repeats,
                median_us,
                pixels_a_second: options.size.area() as f64 / median_us * 1e6,
                ..BenchRow::default()
            });
        }
    }
    Ok(measured)
}
