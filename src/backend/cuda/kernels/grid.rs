//! Grids of kernels that compute one pixel a thread.

use cudarc::driver::LaunchConfig;

use crate::backend::cuda::plan::MAX_GRID_ROWS;
use crate::backend::cuda::plan::tiled::WARPS;
use crate::image::Size;

/// Threads of a block of [`rows_config`].
const ROW_BLOCK: u32 = 128;
/// Warps of a block of [`pixel_warps_config`]: `WARPS_A_BLOCK` in kernels/grid_any.cuh.
const PIXEL_WARPS: u32 = 4;

/// One thread a pixel, in blocks of `block` threads along x and y.
pub(crate) fn pixel_config(block: [u32; 2], size: Size) -> LaunchConfig {
    let [horizontal, vertical] = block;
    LaunchConfig {
        grid_dim: (size.width().div_ceil(horizontal), size.height().div_ceil(vertical), 1),
        block_dim: (horizontal, vertical, 1),
        shared_mem_bytes: 0,
    }
}

/// A warp a pixel, row by row.
pub(crate) fn pixel_warps_config(size: Size) -> LaunchConfig {
    let blocks = size.area().div_ceil(PIXEL_WARPS as usize);
    LaunchConfig {
        grid_dim: (u32::try_from(blocks).unwrap_or(u32::MAX), 1, 1),
        block_dim: (32 * PIXEL_WARPS, 1, 1),
        shared_mem_bytes: 0,
    }
}

/// One thread a pixel, in blocks of one row each. If there are more rows than a grid has blocks along y, a block computes
/// several rows.
pub(crate) fn rows_config(width: u32, rows: u32) -> LaunchConfig {
    LaunchConfig {
        grid_dim: (width.div_ceil(ROW_BLOCK), rows.min(MAX_GRID_ROWS), 1),
        block_dim: (ROW_BLOCK, 1, 1),
        shared_mem_bytes: 0,
    }
}

/// Blocks of warps one above the other. A thread makes four columns of `rows_a_thread` rows, half a warp every second row. If there are
/// more rows than a grid has blocks along y, a block computes several times as many.
pub(crate) fn bands_config(size: Size, rows_a_thread: u32) -> LaunchConfig {
    LaunchConfig {
        grid_dim: (size.width().div_ceil(64), size.height().div_ceil(2 * rows_a_thread * WARPS).min(MAX_GRID_ROWS), 1),
        block_dim: (32 * WARPS, 1, 1),
        shared_mem_bytes: 0,
    }
}
