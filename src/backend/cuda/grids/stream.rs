//! Streams of points: parts of them are copied to the device, sampled, and copied back, in three streams in turn. So the copies of
//! one part overlap the kernel of another, and points and values may exceed the memory of the device.

use std::ops::Range;
use std::sync::Arc;

use cudarc::driver::{CudaSlice, CudaStream, PinnedHostSlice};
use rayon::prelude::*;

use super::CudaGrids;
use super::forms::launch;
use super::resident::ResidentGrid;
use crate::backend::BackendError;
use crate::backend::cuda::abi::grid_arguments::GridArguments;
use crate::backend::cuda::driver::array::settle;
use crate::backend::cuda::driver::device::Device;
use crate::backend::cuda::driver::error::{Context as _, DriverError};
use crate::backend::cuda::kernels::launch::Launcher;
use crate::filter::ExecOptions;
use crate::grid::PointSlice;

/// Parts under way at once.
const SLOTS: usize = 3;
/// Points of a part at least, where there are so many: shorter ones cost more in calls and waits than their copies overlap.
const LEAST_PART: usize = 1 << 18;
/// Single-precision numbers of a part's coordinates at most: 16 MiB.
const MOST_NUMBERS: usize = 1 << 22;
/// Parts of all points, where they are not too long: the first copy and the last overlap nothing.
const PARTS: usize = 8;
/// Numbers that one thread copies at once: 256 KiB.
const COPIED: usize = 1 << 16;

/// A stream with the memory of one part.
#[derive(Debug)]
pub(super) struct Slot {
    points: Staged,
    results: Staged,
    /// The part that is under way.
    pending: Option<Range<usize>>,
    /// Last: what the memory is used by.
    stream: Arc<CudaStream>,
}

/// Single-precision numbers on the device, and pinned memory of the host for as many. A number in double precision takes two.
#[derive(Debug)]
struct Staged {
    device: CudaSlice<f32>,
    host: PinnedHostSlice<f32>,
}

impl Staged {
    fn new(device: &Device, len: usize) -> Result<Self, DriverError> {
        let len = len.max(1);
        #[expect(unsafe_code, reason = "pinned memory comes unset")]
        // SAFETY: every number is set below before the memory is a slice. `as_mut_ptr` gives the start of `len` numbers that this
        // value alone owns.
        let host = unsafe {
            let mut host = device.context.alloc_pinned_with_flags::<f32>(len, 0).context("no pinned memory")?;
            host.as_mut_ptr().context("pinned memory is lost")?.write_bytes(0, len);
            host
        };
        Ok(Self { device: device.allocate(len)?, host })
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        settle(&self.stream);
    }
}

impl Slot {
    fn new(device: &Device, points: usize, results: usize) -> Result<Self, DriverError> {
        let stream = device.context.new_stream().context("no stream")?;
        let slot = Self {
            points: Staged::new(device, points)?,
            results: Staged::new(device, results)?,
            pending: None,
            stream,
        };
        // The memory is the first stream's.
        device.finish()?;
        Ok(slot)
    }

    fn holds(&self, points: usize, results: usize) -> bool {
        self.points.host.len() >= points && self.results.host.len() >= results
    }

    /// Queues the part `range` of the points, whose coordinates are `numbers` in single precision or pairs of them.
    fn submit(
        &mut self,
        launcher: &mut Launcher,
        grid: &ResidentGrid,
        points: PointSlice<'_>,
        range: Range<usize>,
    ) -> Result<(), DriverError> {
        let dimensions = grid.dimensions();
        let coordinates = range.start * dimensions..range.end * dimensions;
        let (numbers, is_double): (&[f32], bool) = match points {
            PointSlice::Single(points) => (&points[coordinates], false),
            PointSlice::Double(points) => (bytemuck::cast_slice(&points[coordinates]), true),
        };
        let staged = self.points.host.as_mut_slice().context("pinned memory is lost")?;
        copy(numbers, &mut staged[..numbers.len()]);
        let mut to = self.points.device.slice_mut(..numbers.len());
        let from = &staged[..numbers.len()];
        // The memory is pinned and this slot's own; it is not used again before the stream was waited for.
        self.stream.memcpy_htod(from, &mut to).context("a copy to the device fails")?;
        let arguments = GridArguments {
            points: launcher.device.address(&self.points.device),
            results: launcher.device.address(&self.results.device),
            count: range.len() as i64,
            is_double: i32::from(is_double),
            ..grid.arguments
        };
        #[expect(unsafe_code, reason = "a kernel is launched")]
        // SAFETY: the slot holds the part's points and results, and the grid is borrowed until the stream was waited for
        // (`CudaGrids::stream`). A part has 1 to 2^22 points.
        unsafe {
            launch(launcher, &self.stream, grid, arguments)?;
        }
        let len = range.len() * grid.components().count();
        let staged = self.results.host.as_mut_slice().context("pinned memory is lost")?;
        let copied = self.stream.memcpy_dtoh(&self.results.device.slice(..len), &mut staged[..len]);
        copied.context("a copy to the host fails")?;
        self.pending = Some(range);
        Ok(())
    }

    /// Waits for the part under way and hands its values over.
    fn collect(&mut self, components: usize, out: &mut [f32]) -> Result<(), DriverError> {
        let Some(range) = self.pending.take() else { return Ok(()) };
        self.stream.synchronize().context("the device fails")?;
        let staged = self.results.host.as_mut_slice().context("pinned memory is lost")?;
        copy(&staged[..range.len() * components], &mut out[range.start * components..range.end * components]);
        Ok(())
    }
}

/// Copies on all threads: one alone is slower than the bus.
fn copy(from: &[f32], to: &mut [f32]) {
    if from.len() <= COPIED {
        to.copy_from_slice(from);
    } else {
        to.par_chunks_mut(COPIED).zip(from.par_chunks(COPIED)).for_each(|(to, from)| to.copy_from_slice(from));
    }
}

impl CudaGrids {
    /// Samples `points` into `out`. Nothing is under way when it returns.
    pub(super) fn stream(
        &mut self,
        grid: &ResidentGrid,
        points: PointSlice<'_>,
        out: &mut [f32],
        work: &ExecOptions,
    ) -> Result<(), BackendError> {
        let (dimensions, components) = (grid.dimensions(), grid.components().count());
        let count = points.len() / dimensions;
        if count == 0 {
            return Ok(());
        }
        let width = match points {
            PointSlice::Single(_) => 1,
            PointSlice::Double(_) => 2,
        };
        let most = (MOST_NUMBERS / (dimensions * width)).max(LEAST_PART);
        let part = (count / PARTS).clamp(LEAST_PART, most).min(count);
        let (numbers, results) = (part * dimensions * width, part * components);
        let slots = count.div_ceil(part).min(SLOTS);
        // Slots grow and are kept: pinned memory takes long to get.
        self.slots.retain(|slot| slot.holds(numbers, results));
        while self.slots.len() < slots {
            self.slots.push(Slot::new(&self.launcher.device, numbers, results)?);
        }
        let (used, launcher) = (&mut self.slots[..slots], &mut self.launcher);
        let mut turn = 0;
        let submitted = work.for_parts(count, part, |range| {
            let slot = &mut used[turn % slots];
            turn += 1;
            slot.collect(components, out)?;
            slot.submit(launcher, grid, points, range)
        });
        let collected = used.iter_mut().try_for_each(|slot| slot.collect(components, out));
        // Also where a part failed: its copies and kernels use the grid and the slots.
        used.iter_mut().for_each(|slot| {
            settle(&slot.stream);
            slot.pending = None;
        });
        Ok(submitted.and(collected)?)
    }
}
