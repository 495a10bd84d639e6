//! Grids of kernels that compute one pixel a thread.

use cudarc::driver::LaunchConfig;

use crate::backend::cuda::plan::MAX_GRID_ROWS;
use crate::backend::cuda::plan::tiled::WARPS;
use crate::image::Size;

/// Threads of a block of [`rows_config`].
const ROW_BLOCK: u32 = 128;

/// One thread a pixel, in blocks of `block` threads along x and y.
pub(crate) fn pixel_config(block: [u32; 2], size: Size) -> LaunchConfig {
    let [horizontal, vertical] = block;
    LaunchConfig {
        grid_dim: (size.width().div_ceil(horizontal), size.height().div_ceil(vertical), 1),
        block_dim: (horizontal, vertical, 1),
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
