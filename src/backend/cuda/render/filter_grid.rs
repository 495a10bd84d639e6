//! Blocks of the filters' launches.

use cudarc::driver::{DeviceRepr, LaunchConfig};

use crate::backend::BackendError;
use crate::backend::cuda::abi::arguments::GaussianArguments;
use crate::backend::cuda::abi::sample_kind::SampleKind;
use crate::backend::cuda::kernels::entry::TypedEntry;
use crate::backend::cuda::kernels::launch::{Launch, Launcher};
use crate::backend::cuda::plan::MAX_GRID_ROWS;
use crate::filter::GaussianBlur;

/// Twin: kernels/gaussian_tile.cuh. Both passes of a blur of integers in one launch: those bear weights of 0 beyond the
/// blur's own.
#[derive(Clone, Copy, Debug)]
pub(super) struct TileOfGaussian {
    kind: SampleKind,
    colour: bool,
    reach: u32,
}

impl TileOfGaussian {
    /// How far kernels reach (REACH).
    const REACHES: [u32; 2] = [8, 16];
    const THREADS: u32 = 128;

    /// Every tile for such samples.
    pub(super) fn all(kind: SampleKind, colour: bool) -> impl Iterator<Item = Self> {
        let reaches = if kind == SampleKind::F32 { &[][..] } else { &Self::REACHES[..] };
        reaches.iter().map(move |&reach| Self { kind, colour, reach })
    }

    /// The tile for this blur, beyond whose edges there may be a border; `None` if it takes two launches. A tile has one set of
    /// weights for both axes.
    pub(super) fn of_blur((kind, colour): (SampleKind, bool), blur: GaussianBlur, has_border: bool) -> Option<Self> {
        let is_served = !has_border && blur.is_equal_along_both_axes();
        Self::all(kind, colour).find(|tile| is_served && blur.reach() <= tile.reach)
    }

    pub(super) fn entry(self) -> TypedEntry<GaussianArguments> {
        TypedEntry::gaussian_tile(self.kind, self.colour, self.reach)
    }

    /// The blocks of its launch (Form in gaussian_tile.cuh).
    pub(super) fn launch(self, count: [i32; 2]) -> FilterGrid {
        let (columns, rows, row_pieces) =
            if self.colour { (Self::THREADS, 8, 148) } else { (2 * Self::THREADS, 16, 74) };
        let pixel_bytes = self.kind.bytes() as u32 * if self.colour { 4 } else { 1 };
        FilterGrid {
            block: [Self::THREADS, 1],
            results: [columns - 2 * self.reach, rows],
            count: count.map(i32::unsigned_abs),
            shared_bytes: (16 * rows * row_pieces).max((rows + 2 * self.reach) * columns * pixel_bytes),
        }
    }
}

/// Twin: kernels/gaussian.cu. A blur in two passes.
#[derive(Clone, Copy, Debug)]
pub(super) struct GaussianPasses {
    pub(super) colour: bool,
}

impl GaussianPasses {
    /// Threads of a block across (ACROSS).
    const ACROSS: u32 = 32;
    /// Rows of a block of the first pass (LINES).
    const LINES: u32 = 4;
    /// What weights, chunks and rows between the passes end at a multiple of (STRIDE).
    const STRIDE: u32 = 16;
    /// The most taps of a chunk (MOST_CHUNK).
    const MOST_CHUNK: u32 = 144;

    /// Values of a row of so many results between the passes.
    pub(super) fn pitch(columns: u32) -> u32 {
        columns.next_multiple_of(Self::STRIDE)
    }

    /// Taps of a chunk of a blur of this radius, and bytes of all its weights.
    fn chunk_and_weights(radius: u32) -> (u32, u32) {
        let taps = 2 * radius + 1;
        let chunk = taps.div_ceil(taps.div_ceil(Self::MOST_CHUNK)).next_multiple_of(Self::STRIDE);
        (chunk, 4 * taps.next_multiple_of(Self::STRIDE))
    }

    /// Blocks of the pass across (Line in gaussian.cu).
    pub(super) fn across(self, radius: u32, count: [u32; 2]) -> FilterGrid {
        let (run, values) = if self.colour { (4, 1) } else { (8, 4) };
        let arrays = run / values;
        let line = arrays * ((Self::ACROSS + Self::MOST_CHUNK / run).next_multiple_of(8) + 8 / arrays);
        FilterGrid {
            block: [Self::ACROSS, Self::LINES],
            results: [Self::ACROSS * run, Self::LINES],
            count,
            shared_bytes: Self::chunk_and_weights(radius).1 + 16 * line * Self::LINES,
        }
    }

    /// Blocks of the pass down.
    pub(super) fn down(self, radius: u32, count: [u32; 2]) -> FilterGrid {
        let (run, threads, channels) = if self.colour { (4, 8, 4) } else { (16, 4, 1) };
        let (chunk, weight_bytes) = Self::chunk_and_weights(radius);
        let tall = threads * run;
        FilterGrid {
            block: [Self::ACROSS, threads],
            results: [Self::ACROSS, tall],
            count,
            // Results wait in shared memory as words before they are written.
            shared_bytes: (weight_bytes + 4 * (tall + chunk) * Self::ACROSS * channels).max(4 * Self::ACROSS * tall),
        }
    }
}

/// The block of a blur of integers of grey, whose launches have shapes of their own.
pub(crate) fn block_of_gaussian(blur: GaussianBlur) -> [u32; 2] {
    match TileOfGaussian::of_blur((SampleKind::U8, false), blur, false) {
        Some(_) => [TileOfGaussian::THREADS, 1],
        None => [GaussianPasses::ACROSS, GaussianPasses::LINES],
    }
}

/// Blocks of a filter's launch.
#[derive(Clone, Copy, Debug)]
pub(super) struct FilterGrid {
    /// Threads of a block.
    pub(super) block: [u32; 2],
    /// Results of a block.
    pub(super) results: [u32; 2],
    /// Results in all.
    pub(super) count: [u32; 2],
    /// Dynamic shared memory of a block.
    pub(super) shared_bytes: u32,
}

impl FilterGrid {
    /// # Errors
    /// Where the device has not so many blocks or so much shared memory, or fails.
    ///
    /// # Safety
    /// As of [`Launcher::launch`], for blocks of this shape that make `count` results.
    #[expect(unsafe_code, reason = "a kernel reads and writes by the addresses of its arguments")]
    pub(super) unsafe fn run<T: DeviceRepr + Copy>(
        self,
        launcher: &mut Launcher,
        entry: TypedEntry<T>,
        arguments: &T,
    ) -> Result<(), BackendError> {
        let grid = [0, 1].map(|axis| self.count[axis].div_ceil(self.results[axis]));
        if grid[1] > MAX_GRID_ROWS {
            return Err(BackendError::Limit { what: format!("a filter over {} rows", self.count[1]) });
        }
        if self.shared_bytes > launcher.device.limits.shared_bytes {
            return Err(BackendError::Limit {
                what: format!("a filter's block of {} × {}", self.block[0], self.block[1]),
            });
        }
        let config = LaunchConfig {
            grid_dim: (grid[0], grid[1], 1),
            block_dim: (self.block[0], self.block[1], 1),
            shared_mem_bytes: self.shared_bytes,
        };
        // SAFETY: the caller's promise, for the blocks that cover `count`.
        Ok(unsafe { launcher.launch(&Launch { entry, arguments: *arguments, config }) }?)
    }
}
