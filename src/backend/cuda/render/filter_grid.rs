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
