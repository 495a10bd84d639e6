//! Axis tables on the device, for views that are rendered in two passes: kernels/passes.cu. `sampling` makes them; they are
//! kept for the most recent views.

use cudarc::driver::{CudaSlice, sys};

use crate::backend::cuda::driver::device::Device;
use crate::backend::cuda::driver::error::{DriverError, missing};
use crate::image::{PageId, Size};
use crate::lru::{Lru, LruLimits, Weigh};
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
pub(crate) struct TwoPassTables {
    pub(crate) horizontal: DeviceTable,
    pub(crate) vertical: DeviceTable,
    pub(crate) rows: sys::CUdeviceptr,
    /// How many rows the first pass makes.
    pub(crate) row_count: u32,
    /// All of it, one part after the other.
    memory: CudaSlice<u32>,
}

/// All that the tables follow from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TwoPassTablesKey {
    pub(crate) page: PageId,
    pub(crate) size: Size,
    pub(crate) view: View,
    pub(crate) sampler: Sampler,
}

/// Both tables of a view as 32-bit numbers, and where their parts begin.
#[derive(Debug)]
struct PackedTables {
    numbers: Vec<u32>,
    horizontal: [usize; 3],
    vertical: [usize; 3],
    rows: usize,
    row_count: u32,
}

/// 32-bit numbers for one upload.
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

impl TwoPassTables {
    /// The tables of `view`, packed for one upload.
    fn pack(key: &TwoPassTablesKey, axes: [Axis; 2], map: &ImageFromOutput) -> PackedTables {
        let [across, down] = key.view.scales().map(|scale| Taps::new(&key.sampler, scale));
        let horizontal = AxisTable::new(&across, axes[0], map, 0, key.size.width());
        let vertical = AxisTable::new(&down, axes[1], map, 1, key.size.height());
        let mut rows: Vec<u32> = vertical.indices.clone();
        rows.sort_unstable();
        rows.dedup();
        let place = |row: &u32| rows.binary_search(row).unwrap_or(0) as u32;
        let count = |table: &AxisTable| table.starts.len() + table.indices.len() + table.weights.len();
        let mut pack = Pack { numbers: Vec::with_capacity(count(&horizontal) + count(&vertical) + rows.len()) };
        let horizontal = pack.add_table(&horizontal, horizontal.indices.iter().copied());
        let vertical = pack.add_table(&vertical, vertical.indices.iter().map(place));
        let row_count = rows.len() as u32;
        let rows = pack.add(rows);
        PackedTables { numbers: pack.numbers, horizontal, vertical, rows, row_count }
    }

    /// Uploads `tables`, into `recycled` if that is large enough.
    fn upload(
        device: &mut Device,
        recycled: Option<CudaSlice<u32>>,
        tables: PackedTables,
    ) -> Result<Self, DriverError> {
        let mut memory = match recycled {
            Some(memory) => memory,
            // Rounded up, so that the tables of the next view of a moving panel fit as well.
            None => device.allocate(tables.numbers.len().next_power_of_two())?,
        };
        device.fill(&mut memory, tables.numbers)?;
        let at = |place: usize| device.address(&memory) + 4 * place as u64;
        let table = |[starts, indices, weights]: [usize; 3]| DeviceTable {
            starts: at(starts),
            indices: at(indices),
            weights: at(weights),
        };
        Ok(Self {
            horizontal: table(tables.horizontal),
            vertical: table(tables.vertical),
            rows: at(tables.rows),
            row_count: tables.row_count,
            memory,
        })
    }
}

impl Weigh for TwoPassTables {
    fn bytes(&self) -> usize {
        size_of::<u32>() * self.memory.len()
    }
}

/// Axis tables on the device, evicted by the rule of [`Lru`].
#[derive(Debug)]
pub(crate) struct TwoPassTablesCache {
    kept: Lru<TwoPassTablesKey, TwoPassTables>,
}

impl Default for TwoPassTablesCache {
    fn default() -> Self {
        Self { kept: Lru::new(LruLimits { bytes: 256 << 20, idle_bytes: 32 << 20 }) }
    }
}

impl TwoPassTablesCache {
    /// The tables of `key`, made now if they are not kept.
    ///
    /// # Errors
    /// If the device has too little memory, or fails.
    pub(crate) fn get(
        &mut self,
        device: &mut Device,
        key: TwoPassTablesKey,
        axes: [Axis; 2],
        map: &ImageFromOutput,
    ) -> Result<&TwoPassTables, DriverError> {
        self.kept.next_turn();
        if !self.kept.contains(&key) {
            let tables = TwoPassTables::pack(&key, axes, map);
            let len = tables.numbers.len();
            let evicted = self.kept.make_room(size_of::<u32>() * len.next_power_of_two());
            // The stream runs in order: launches that read the evicted tables are done before the upload overwrites them.
            let recycled = evicted.into_iter().map(|passes| passes.memory).find(|memory| memory.len() >= len);
            let passes = TwoPassTables::upload(device, recycled, tables)?;
            self.kept.insert(key, passes);
        }
        self.kept.get(&key).map(|passes| &*passes).ok_or_else(|| missing("axis tables are lost"))
    }

    /// Frees all tables.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
}
