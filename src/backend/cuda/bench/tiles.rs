//! `tiled` and `direct` by the rows that their warps make.

use super::{Clock, REPEATS, Screen};
use crate::backend::bench::{noise, request};
use crate::backend::cuda::arguments::{Output, Target};
use crate::backend::cuda::direct::Direct;
use crate::backend::cuda::renderer::{Renderer, target_of};
use crate::backend::cuda::route::{Route, direct};
use crate::backend::cuda::tiled::Tile;
use crate::backend::{BackendError, BenchOptions};
use crate::sampling::{Method, Path};

/// The time of a kernel whose warps make so many rows.
#[derive(Clone, Copy, Debug)]
pub struct TileTime {
    /// What it interpolates by.
    pub method: Method,
    /// Samples a pixel.
    pub scale: f64,
    /// Which kernel: `tiled` or `direct`.
    pub form: &'static str,
    /// Output rows of a warp.
    pub rows_a_warp: u32,
    /// Median time in microseconds.
    pub median_us: f64,
}

/// Times of `tiled` and `direct` by rows a warp, in microseconds: how the heights in `tiled.rs` and `direct.rs` were chosen.
pub(in crate::backend::cuda) fn tile_heights(
    renderer: &mut Renderer,
    options: &BenchOptions,
) -> Result<Vec<TileTime>, BackendError> {
    let Some(image) = noise(options.image) else { return Ok(Vec::new()) };
    let clock = Clock::new(&renderer.device)?;
    let screen = Screen::new(&renderer.device, options.size, true)?;
    let limits = renderer.device.limits;
    let busy = screen.pieces();
    let mut times = Vec::new();
    for &scale in &options.scales {
        for method in
            [Method::Nearest, Method::Linear, Method::CatmullRom, Method::Lanczos2, Method::Lanczos3, Method::Lanczos4]
        {
            let Some(request) = request(options, method, Path::Auto, scale) else { continue };
            let page = &image.pages()[0];
            let target =
                Target { surface: screen.surface.handle(), output: Output::Rgba8 as i32, ..target_of(request.size) };
            for rows_a_warp in [4, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32] {
                let tile = Tile::of_rows(false, method.row().taps as u32, scale, rows_a_warp);
                let tiled = (tile.shared_bytes <= limits.shared_bytes).then_some(Route::Tiled(tile));
                let direct = direct(&limits, page, &request);
                let direct = direct.map(|direct| Route::Direct(Direct { rows_a_warp, ..direct }));
                for (form, route) in [("tiled", tiled), ("direct", direct)] {
                    let Some(route) = route else { continue };
                    let median_us = clock.measure(renderer, (&busy, options.repeats_or(REPEATS)), |renderer| {
                        renderer.interpolate(page, &request, route, Output::Rgba8, target)
                    })?;
                    times.push(TileTime { method, scale, form, rows_a_warp, median_us });
                }
            }
        }
    }
    Ok(times)
}
