//! The axis tables on the device, for views that take two passes: kernels/passes.cu. They are made by `sampling` and kept
//! for the views that were shown last.

use cudarc::driver::CudaSlice;

use super::device::{Device, Fault};
use crate::image::{PageId, Size};
use crate::sampling::{Axis, AxisTable, Sampler, Taps};
use crate::view::{ImageFromOutput, View};

/// One axis's table.
#[derive(Debug)]
pub(super) struct DeviceTable {
    pub(super) starts: CudaSlice<i32>,
    pub(super) indices: CudaSlice<i32>,
    pub(super) weights: CudaSlice<f32>,
}

impl DeviceTable {
    fn new(device: &Device, table: &AxisTable, indices: &[i32]) -> Result<Self, Fault> {
        let starts: Vec<i32> = table.starts.iter().map(|&start| start as i32).collect();
        Ok(Self {
            starts: device.upload(&starts)?,
            indices: device.upload(indices)?,
            weights: device.upload(&table.weights)?,
        })
    }
}

/// Both tables of a view. The second counts rows of what the first pass makes: one for each stored row that any output
/// row reads.
#[derive(Debug)]
pub(super) struct Passes {
    pub(super) across: DeviceTable,
    pub(super) down: DeviceTable,
    pub(super) rows: CudaSlice<i32>,
    /// How many rows the first pass makes.
    pub(super) row_count: u32,
}

/// All that the tables follow from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PassesKey {
    pub(super) page: PageId,
    pub(super) size: Size,
    pub(super) view: View,
    pub(super) sampler: Sampler,
}

impl Passes {
    fn new(device: &Device, key: &PassesKey, axes: [Axis; 2], map: &ImageFromOutput) -> Result<Self, Fault> {
        let taps = Taps::new(&key.sampler, key.view.scale());
        let across = AxisTable::new(&taps, axes[0], map, 0, key.size.width());
        let down = AxisTable::new(&taps, axes[1], map, 1, key.size.height());
        let mut rows: Vec<u32> = down.indices.clone();
        rows.sort_unstable();
        rows.dedup();
        let place = |row: &u32| rows.binary_search(row).unwrap_or(0) as i32;
        let down_indices: Vec<i32> = down.indices.iter().map(place).collect();
        let across_indices: Vec<i32> = across.indices.iter().map(|&index| index as i32).collect();
        let stored_rows: Vec<i32> = rows.iter().map(|&row| row as i32).collect();
        Ok(Self {
            across: DeviceTable::new(device, &across, &across_indices)?,
            down: DeviceTable::new(device, &down, &down_indices)?,
            rows: device.upload(&stored_rows)?,
            row_count: rows.len() as u32,
        })
    }
}

/// The tables used last.
#[derive(Debug, Default)]
pub(super) struct PassesCache {
    /// Most recently used last.
    kept: Vec<(PassesKey, Passes)>,
}

impl PassesCache {
    /// As many as a window has panels, twice over.
    const ENTRIES: usize = 16;

    /// The tables of `key`, made now if they are not kept.
    pub(super) fn get(
        &mut self,
        device: &Device,
        key: PassesKey,
        axes: [Axis; 2],
        map: &ImageFromOutput,
    ) -> Result<&Passes, Fault> {
        match self.kept.iter().position(|(kept, _)| *kept == key) {
            Some(place) => self.kept[place..].rotate_left(1),
            None => {
                if self.kept.len() == Self::ENTRIES {
                    self.kept.remove(0);
                }
                let passes = Passes::new(device, &key, axes, map)?;
                self.kept.push((key, passes));
            }
        }
        Ok(&self.kept[self.kept.len() - 1].1)
    }

    /// Frees everything.
    pub(super) fn clear(&mut self) {
        self.kept.clear();
    }
}
