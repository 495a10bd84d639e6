//! The axis tables on the device, for views that take two passes: kernels/passes.cu. They are made by `sampling` and kept
//! for the views that were shown last.

use cudarc::driver::{CudaSlice, sys};

use crate::backend::cuda::driver::device::Device;
use crate::backend::cuda::driver::fault::Fault;
use crate::image::{PageId, Size};
use crate::sampling::{Axis, AxisTable, Sampler, Taps};
use crate::view::{ImageFromOutput, View};

/// One axis's table: where its parts lie on the device.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DeviceTable {
    pub(crate) starts: sys::CUdeviceptr,
    pub(crate) indices: sys::CUdeviceptr,
    pub(crate) weights: sys::CUdeviceptr,
}

/// Both tables of a view. The second counts rows of what the first pass makes: one for each stored row that any output
/// row reads.
#[derive(Debug)]
pub(crate) struct Passes {
    pub(crate) across: DeviceTable,
    pub(crate) down: DeviceTable,
    pub(crate) rows: sys::CUdeviceptr,
    /// How many rows the first pass makes.
    pub(crate) row_count: u32,
    /// All of it, one part after the other.
    memory: CudaSlice<u32>,
}

/// All that the tables follow from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PassesKey {
    pub(crate) page: PageId,
    pub(crate) size: Size,
    pub(crate) view: View,
    pub(crate) sampler: Sampler,
}

/// Numbers of 32 bits on their way to the device, in one piece.
#[derive(Debug)]
struct Pack {
    numbers: Vec<u32>,
}

impl Pack {
    /// Adds a part; where it begins.
    fn add(&mut self, part: impl IntoIterator<Item = u32>) -> usize {
        let start = self.numbers.len();
        self.numbers.extend(part);
        start
    }

    /// Adds a table that reads `indices`; where its parts begin.
    fn add_table(&mut self, table: &AxisTable, indices: impl IntoIterator<Item = u32>) -> [usize; 3] {
        let starts = self.add(table.starts.iter().copied());
        [starts, self.add(indices), self.add(table.weights.iter().map(|weight| weight.to_bits()))]
    }
}

impl Passes {
    /// The tables of `key`, in the memory of others that are no longer needed where it is large enough.
    fn new(
        device: &mut Device,
        memory: Option<CudaSlice<u32>>,
        key: &PassesKey,
        axes: [Axis; 2],
        map: &ImageFromOutput,
    ) -> Result<Self, Fault> {
        let taps = Taps::new(&key.sampler, key.view.scale());
        let across = AxisTable::new(&taps, axes[0], map, 0, key.size.width());
        let down = AxisTable::new(&taps, axes[1], map, 1, key.size.height());
        let mut rows: Vec<u32> = down.indices.clone();
        rows.sort_unstable();
        rows.dedup();
        let place = |row: &u32| rows.binary_search(row).unwrap_or(0) as u32;
        let count = |table: &AxisTable| table.starts.len() + table.indices.len() + table.weights.len();
        let mut pack = Pack { numbers: Vec::with_capacity(count(&across) + count(&down) + rows.len()) };
        let across = pack.add_table(&across, across.indices.iter().copied());
        let down = pack.add_table(&down, down.indices.iter().map(place));
        let stored_rows = pack.add(rows.iter().copied());
        let mut memory = match memory.filter(|memory| memory.len() >= pack.numbers.len()) {
            Some(memory) => memory,
            // A little more, so that a view that moves on finds room.
            None => device.allocate(pack.numbers.len().next_power_of_two())?,
        };
        device.fill(&mut memory, pack.numbers)?;
        let at = |place: usize| device.address(&memory) + 4 * place as u64;
        let table = |[starts, indices, weights]: [usize; 3]| DeviceTable {
            starts: at(starts),
            indices: at(indices),
            weights: at(weights),
        };
        Ok(Self {
            across: table(across),
            down: table(down),
            rows: at(stored_rows),
            row_count: rows.len() as u32,
            memory,
        })
    }
}

/// The tables used last.
#[derive(Debug, Default)]
pub(crate) struct PassesCache {
    /// Most recently used last.
    kept: Vec<(PassesKey, Passes)>,
}

impl PassesCache {
    /// As many as a window of nine panels asks for in a frame, twice over: a difference reads two.
    const ENTRIES: usize = 18;

    /// The tables of `key`, made now if they are not kept.
    pub(crate) fn get(
        &mut self,
        device: &mut Device,
        key: PassesKey,
        axes: [Axis; 2],
        map: &ImageFromOutput,
    ) -> Result<&Passes, Fault> {
        match self.kept.iter().position(|(kept, _)| *kept == key) {
            Some(place) => self.kept[place..].rotate_left(1),
            None => {
                // The stream does one work after the other: what still reads the memory is done before it is filled anew.
                let oldest = (self.kept.len() == Self::ENTRIES).then(|| self.kept.remove(0).1.memory);
                let passes = Passes::new(device, oldest, &key, axes, map)?;
                self.kept.push((key, passes));
            }
        }
        Ok(&self.kept[self.kept.len() - 1].1)
    }

    /// Frees everything.
    pub(crate) fn clear(&mut self) {
        self.kept.clear();
    }
}
