//! Twin: kernels/tiled.cuh. How large a block's tile is, and what it takes of shared memory.

use crate::backend::cuda::driver::limits::Limits;
use crate::image::Size;
use crate::view::ImageFromOutput;

/// Warps of a block, one above the other.
pub(crate) const WARPS: u32 = 4;
/// Columns of a grey footprint that are loaded at once.
const GROUP_COLUMNS: u32 = 4;
/// Rows that a block's tables have beyond those that it makes.
const SPARE_ROWS: u32 = 4;
/// Blocks that every multiprocessor is given at least, where there are so many.
const BLOCKS_EACH: u32 = 3;
/// The scale beyond which a block's samples lie so far apart that it loads more of them than it weighs; up to it a grey
/// row takes no more loads than a block has threads.
const MAX_SCALE: f64 = 3.5;

/// The tile of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tile {
    /// Output columns of a block.
    pub(crate) columns: u32,
    /// Output rows that each warp walks down, two at once.
    pub(crate) rows_a_warp: u32,
    /// Rows of the footprint.
    pub(crate) rows: u32,
    /// Loads of one row of the footprint: four columns each, of colour one.
    pub(crate) groups: u32,
    /// Shared floats of one row, of samples and then of values.
    pub(crate) row_floats: u32,
    /// Shared memory of a block.
    pub(crate) shared_bytes: u32,
}

/// The most rows a warp of blocks of `columns` for an output of `size` of which every multiprocessor has several: even, and
/// at least 2.
pub(crate) fn rows_for_all(limits: &Limits, columns: u32, size: Size) -> u32 {
    let warps = size.width().div_ceil(columns) * size.height().div_ceil(WARPS);
    (warps / (BLOCKS_EACH * limits.multiprocessors.max(1)) / 2 * 2).max(2)
}

impl Tile {
    /// The tile for a method that reads `taps` samples along an axis, at these scales along x and y, of an output of `size`; `None`
    /// where no block can hold its footprint.
    pub(crate) fn new(limits: &Limits, colour: bool, taps: u32, scales: [f64; 2], size: Size) -> Option<Self> {
        if scales.iter().any(|scale| *scale > MAX_SCALE) {
            return None;
        }
        // The heights that measured quickest on an H200: wide kernels want their rows of values used by many output rows,
        // and the more samples a block loads the sooner the next block should follow.
        let quickest = match (taps, scales[1] > 0.75) {
            (1, _) | (2, true) => 6,
            (..=4, true) => 10,
            (..=4, false) => 14,
            (_, true) => 16,
            (_, false) => 32,
        };
        // Yet every multiprocessor wants room for several blocks in its shared memory.
        let tallest = quickest.min(rows_for_all(limits, if colour { 64 } else { 128 }, size));
        let tiles = (1..=tallest / 2).rev().map(|pairs| Self::of_rows(colour, taps, scales, 2 * pairs));
        let roomy = |tile: &Self| tile.shared_bytes <= (limits.shared_bytes_in_all / 4).min(limits.shared_bytes);
        let fits = |tile: &Self| tile.shared_bytes <= limits.shared_bytes;
        tiles.clone().find(roomy).or_else(|| tiles.clone().find(fits))
    }

    /// The tile of this height.
    fn of_rows(colour: bool, taps: u32, scales: [f64; 2], rows_a_warp: u32) -> Self {
        let columns = if colour { 64 } else { 128 };
        let tall = WARPS * rows_a_warp;
        // One more than the distance of the first and the last position, for where they fall between samples, and one for
        // a footprint that starts a sample early.
        let span = |axis: usize, count: u32| (f64::from(count - 1) * scales[axis]) as u32 + 2 + taps;
        let rows = span(1, tall);
        // Loads of a grey row start at a multiple of their columns.
        let across = span(0, columns);
        let groups = if colour { across } else { (across + GROUP_COLUMNS - 1).div_ceil(GROUP_COLUMNS) };
        let row_floats =
            if colour { 4 * groups.max(columns) } else { GROUP_COLUMNS * groups.max(columns / GROUP_COLUMNS) };
        let kept = if taps == 6 { 8 } else { taps };
        let tables = (tall + SPARE_ROWS + columns) * (kept + 1);
        let shared_bytes = 4 * (tables + rows * row_floats);
        Self { columns, rows_a_warp, rows, groups, row_floats, shared_bytes }
    }

    /// Rows of a grey footprint that a block's threads load at once.
    pub(crate) fn rows_at_once(&self) -> u32 {
        (32 * WARPS / self.groups).max(1)
    }

    /// The first stored index that column or row 0 reads along `axis`, for kernels that read `before` samples before a
    /// position, and the distance to the next one's, in 1/2³². A little less than it is: no index that follows from it is too
    /// high, and none too low by more than one.
    pub(crate) fn start_and_step(map: &ImageFromOutput, axis: usize, before: f64) -> (i64, i64) {
        const ONE: f64 = 4_294_967_296.0;
        /// A 65,536th of a sample: far more than positions in double precision are off.
        const LESS: f64 = 65_536.0;
        ((((map.along(axis, 0.0) - before) * ONE) - LESS) as i64, (map.steps[axis][axis] * ONE) as i64)
    }

    /// What a multiplication's upper half divides by `groups` with.
    pub(crate) fn groups_inverse(&self) -> u32 {
        u32::try_from((1_u64 << 32).div_ceil(u64::from(self.groups.max(2)))).unwrap_or(u32::MAX)
    }

    /// Blocks for an output of `size`.
    pub(crate) fn grid(&self, size: Size) -> (u32, u32, u32) {
        (size.width().div_ceil(self.columns), size.height().div_ceil(WARPS * self.rows_a_warp), 1)
    }
}
