//! Which route serves a request: a pure function of the request, the page and the device's limits.

pub(crate) mod curves_cache;
pub(crate) mod direct;
pub(crate) mod tiled;
pub(crate) mod weight_polynomials;
pub(crate) mod weight_table;

use self::direct::Direct;
use self::tiled::Tile;
use super::driver::limits::Limits;
use crate::backend::{BackendError, BackendKind, Feature, Form, RenderRequest};
use crate::image::{Channels, Page, Samples};
use crate::sampling::{Method, Path};

/// The most blocks that a grid has downwards.
pub(crate) const GRID_DOWN: u32 = 65_535;

/// Threads of a block of a kernel that makes one pixel a thread, where no measurement asks for another shape: a warp is 16
/// pixels wide and 2 rows tall, so that it fills what a surface keeps together.
pub(crate) const PIXEL_BLOCK: [u32; 2] = [16, 16];

/// How a request is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Route {
    /// One launch, a footprint a block.
    Tiled(Tile),
    /// One launch, samples straight to registers.
    Direct(Direct),
    /// Two launches by tables: what no footprint holds.
    Passes,
    /// 2 × 2 gathers.
    Gather,
    /// Single point fetches.
    Points,
    /// The texture unit interpolates.
    Filtered,
    /// As `Filtered`, with the B-spline's weights from a table: for comparison, no request asks for it.
    FilteredTable,
    /// Plain memory, pixel by pixel: rotated views of what no texture holds, and rotated stretched kernels.
    Memory,
}

/// The route of `request` for `page`.
pub(crate) fn route(limits: &Limits, page: &Page, request: &RenderRequest) -> Result<Route, BackendError> {
    let sampler = &request.sampler;
    check_method(sampler.method)?;
    let kernel = sampler.method.kernel();
    let colour = page.channels() != Channels::Grey;
    let stored = [0, 1].map(|axis| page.size().sides()[axis] + 2 * sampler.halo(axis));
    let within = |most: [u32; 2]| stored[0] <= most[0] && stored[1] <= most[1];
    let aligned = request.view.is_axis_aligned();
    let textures = within(limits.texture);
    // Blocks of the two passes and of what maps values go down a tall output in steps; those of other kernels do not.
    let by_pixels = request.size.height().div_ceil(PIXEL_BLOCK[1]) <= GRID_DOWN;
    let lookup = if !colour && kernel.taps > 1 && within(limits.gather) { Route::Gather } else { Route::Points };
    let tile = aligned
        .then(|| Tile::new(limits, colour, kernel.taps as u32, request.view.scale(), request.size))
        .flatten()
        .filter(|tile| tile.grid(request.size).1 <= GRID_DOWN);
    let route = match sampler.path {
        Path::Filtered if textures => Route::Filtered,
        Path::Filtered => return Err(BackendError::Limit { what: format!("a texture of {}", page.size()) }),
        _ if sampler.stretch(request.view.scale()).is_some() => {
            if aligned {
                Route::Passes
            } else {
                Route::Memory
            }
        }
        Path::Tiled => tile.map_or(Route::Passes, Route::Tiled),
        Path::Lookup if textures => lookup,
        Path::Lookup => Route::Memory,
        Path::Auto => match tile {
            Some(tile) => direct(limits, page, request).map_or(Route::Tiled(tile), Route::Direct),
            None if textures && (by_pixels || !aligned) => lookup,
            None if aligned => Route::Passes,
            None => Route::Memory,
        },
    };
    match route {
        Route::Tiled(_) | Route::Direct(_) | Route::Passes => Ok(route),
        _ if by_pixels => Ok(route),
        _ => Err(BackendError::Limit { what: format!("an output of {}", request.size) }),
    }
}

/// Refuses a method without a row: the kernels are made for those of [`METHODS`](crate::sampling::METHODS).
fn check_method(method: Method) -> Result<(), BackendError> {
    let unserved = BackendError::Lacks { backend: BackendKind::Cuda, what: Feature::Method(method) };
    method.row().map(drop).ok_or(unserved)
}

/// How `request` is served from registers, where it is: a grey page of integers, read as they are.
pub(crate) fn direct(limits: &Limits, page: &Page, request: &RenderRequest) -> Option<Direct> {
    let as_it_is = !request.sampler.uses_coefficients() && !request.filters.before.is_active();
    let integers = page.channels() == Channels::Grey && !matches!(page.raster().samples(), Samples::F32(_));
    let stored = [page.size().width(), page.size().height()];
    let map = request.view.image_from_output(request.size, page.size());
    (as_it_is && integers)
        .then(|| Direct::new(limits, &request.sampler.method.kernel(), &map, stored, request.size))
        .flatten()
        .filter(|direct| direct.grid(request.size).1 <= GRID_DOWN)
}

/// The route that `form` is, where it serves `request`.
pub(crate) fn route_by(
    form: Form,
    limits: &Limits,
    page: &Page,
    request: &RenderRequest,
) -> Result<Route, BackendError> {
    let sampler = &request.sampler;
    check_method(sampler.method)?;
    let stored = [0, 1].map(|axis| page.size().sides()[axis] + 2 * sampler.halo(axis));
    let within = |most: [u32; 2]| stored[0] <= most[0] && stored[1] <= most[1];
    let grey = page.channels() == Channels::Grey;
    let stretched = sampler.stretch(request.view.scale()).is_some();
    let textured = !stretched && within(limits.texture);
    let served = form.serves(sampler.method) && request.size.sides()[1] <= GRID_DOWN;
    let route = match form {
        Form::Direct if !stretched => direct(limits, page, request).map(Route::Direct),
        Form::Passes => request.view.is_axis_aligned().then_some(Route::Passes),
        Form::Gather => (textured && grey && within(limits.gather)).then_some(Route::Gather),
        Form::Points => textured.then_some(Route::Points),
        Form::Table => (textured && grey).then_some(Route::FilteredTable),
        Form::Memory => Some(Route::Memory),
        Form::Direct => None,
    };
    route.filter(|_| served).ok_or(BackendError::Lacks { backend: BackendKind::Cuda, what: Feature::Form(form) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::{Depth, Raster, Size};
    use crate::sampling::{METHODS, Sampler};
    use crate::view::View;

    #[test]
    fn a_tall_output_goes_by_kernels_that_step_down() {
        let limits = Limits {
            texture: [131_072, 65_536],
            gather: [32_768, 32_768],
            surface: [131_072, 65_536],
            shared_bytes: 232_448,
            shared_bytes_in_all: 233_472,
            multiprocessors: 132,
        };
        let page = Page::new(Raster::zeros(Size::new(10, 10).expect("a size"), Channels::Grey, Depth::EIGHT));
        for (height, angle) in [(70_000, 0.0), (70_000, 10.0), (16_000_000, 0.0), (16_000_000, 10.0)] {
            for row in &METHODS {
                for scale in [0.01, 1.0, 50.0] {
                    let sampler = Sampler::default().with_method(row.method);
                    let view = View::new([0.0; 2], scale).and_then(|view| view.rotated(angle)).expect("a view");
                    let size = Size::new(10, height).expect("a size");
                    let request = RenderRequest { sampler, view, ..RenderRequest::new(size) };
                    let blocks_down = match route(&limits, &page, &request) {
                        Ok(Route::Tiled(tile)) => tile.grid(size).1,
                        Ok(Route::Direct(direct)) => direct.grid(size).1,
                        Ok(Route::Passes) => 1,
                        Ok(_) => height.div_ceil(PIXEL_BLOCK[1]),
                        Err(error) => {
                            assert!(height > 70_000 && angle > 0.0, "{height} {angle}: {error}");
                            1
                        }
                    };
                    assert!(blocks_down <= GRID_DOWN, "{height} {angle} {scale} {}", row.name);
                }
            }
        }
    }
}
