//! Axis tables on the device, for views that are rendered in two passes: kernels/passes.cu. `sampling` makes them; they are
//! kept for the most recent views.

use cudarc::driver::{CudaSlice, sys};

use crate::backend::cuda::abi::arguments::PassTable;
use crate::backend::cuda::driver::device::Device;
use crate::backend::cuda::driver::error::{DriverError, missing};
use crate::image::{PageId, Size};
use crate::lru::{Lru, LruLimits, Weigh};
use crate::sampling::{Axis, AxisTable, Sampler, Taps};
use crate::view::{ImageFromOutput, View};

/// Entries of an axis table that are together in a band, and values that are stored together between the passes.
const BAND: usize = 4;

/// Bands whose entries are side by side in the table of columns: half a warp reads them together.
const LANES: usize = 16;

/// Both tables of a view. The second pass reads values of columns that the first pass makes, in fours of neighbouring stored
/// columns: those that any output column reads.
#[derive(Debug)]
pub(crate) struct TwoPassTables {
    pub(crate) horizontal: PassTable,
    pub(crate) vertical: PassTable,
    /// The first column of each four.
    pub(crate) columns: sys::CUdeviceptr,
    /// The first of the bands of rows that are the same, for each band of rows.
    pub(crate) bands: sys::CUdeviceptr,
    /// How many fours there are.
    pub(crate) fours: u32,
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
    columns: usize,
    bands: usize,
    fours: u32,
}

/// An axis table whose entries are joined, four neighbours a band: an index is there once, with its weights in all four.
#[derive(Debug, Default, PartialEq)]
struct Bands {
    /// Where the indices of each band start, and their number.
    starts: Vec<u32>,
    indices: Vec<u32>,
    weights: Vec<f32>,
}

impl Bands {
    /// The bands of `table`. `place` gives for a stored index the index that stands for it and which of its `slots` it is; weights are
    /// slot by slot those of the band's entries.
    fn new(table: &AxisTable, slots: usize, place: impl Fn(u32) -> (u32, usize)) -> Self {
        let mut bands = Self { starts: vec![0], ..Self::default() };
        let mut samples: Vec<(u32, usize, f32)> = Vec::new();
        for first in (0..table.len()).step_by(BAND) {
            samples.clear();
            for entry in first..(first + BAND).min(table.len()) {
                let (indices, weights) = table.entry(entry);
                samples.extend(indices.iter().zip(weights).map(|(&index, &weight)| {
                    let (index, slot) = place(index);
                    (index, slot * BAND + entry - first, weight)
                }));
            }
            samples.sort_by_key(|&(index, ..)| index);
            for &(index, at, weight) in &samples {
                if bands.indices.len() == bands.starts[bands.starts.len() - 1] as usize
                    || bands.indices.last() != Some(&index)
                {
                    bands.indices.push(index);
                    bands.weights.resize(bands.indices.len() * slots * BAND, 0.0);
                }
                let of_index = (bands.indices.len() - 1) * slots * BAND;
                bands.weights[of_index + at] += weight;
            }
            bands.starts.push(bands.indices.len() as u32);
        }
        bands
    }

    /// For each band the first of those up to it that have the same indices and weights. Rows beyond an edge are such bands.
    fn repeated(&self) -> Vec<u32> {
        let of = |band: usize| {
            let [start, end] = [band, band + 1].map(|at| self.starts[at] as usize);
            (&self.indices[start..end], &self.weights[BAND * start..BAND * end])
        };
        let mut first: Vec<u32> = Vec::with_capacity(self.starts.len());
        for band in 0..self.starts.len() - 1 {
            let is_repeated = band > 0 && of(band) == of(band - 1);
            first.push(if is_repeated { first[band - 1] } else { band as u32 });
        }
        first
    }

    /// The same with the entries of [`LANES`] neighbouring bands side by side: all first ones, slot by slot, then all second ones. A
    /// band that has fewer than another repeats its last one without weight.
    fn side_by_side(&self, slots: usize) -> Self {
        let mut all = Self { starts: vec![0], ..Self::default() };
        let bands: Vec<&[u32]> = self.starts.windows(2).collect();
        for lanes in bands.chunks(LANES) {
            let most = lanes.iter().map(|ends| ends[1] - ends[0]).max().unwrap_or(0);
            for k in 0..most {
                // The entry of each lane that has one; lanes beyond the last band have none.
                let entries = (0..LANES).map(|lane| lanes.get(lane).filter(|ends| ends[1] > ends[0]));
                let entries = entries
                    .map(|ends| ends.map(|ends| ((ends[0] + k).min(ends[1] - 1) as usize, ends[0] + k < ends[1])));
                let entries: Vec<Option<(usize, bool)>> = entries.collect();
                all.indices.extend(entries.iter().map(|entry| entry.map_or(0, |(entry, _)| self.indices[entry])));
                for slot in 0..slots {
                    for entry in &entries {
                        match *entry {
                            Some((entry, true)) => {
                                let at = (entry * slots + slot) * BAND;
                                all.weights.extend_from_slice(&self.weights[at..at + BAND]);
                            }
                            Some((_, false)) | None => all.weights.extend([0.0; BAND]),
                        }
                    }
                }
            }
            all.starts.push(all.starts[all.starts.len() - 1] + most);
        }
        all
    }
}

/// 32-bit numbers for one upload.
#[derive(Debug, Default)]
struct Pack {
    numbers: Vec<u32>,
}

impl Pack {
    /// Adds a part; where it begins, a multiple of four.
    fn add(&mut self, part: impl IntoIterator<Item = u32>) -> usize {
        self.numbers.resize(self.numbers.len().next_multiple_of(4), 0);
        let start = self.numbers.len();
        self.numbers.extend(part);
        start
    }

    /// Adds bands; where their parts begin.
    fn add_bands(&mut self, bands: Bands) -> [usize; 3] {
        let Bands { starts, indices, weights } = bands;
        [self.add(starts), self.add(indices), self.add(weights.iter().map(|weight| weight.to_bits()))]
    }
}

impl TwoPassTables {
    /// Values of one channel between the passes, for each row of the output.
    pub(crate) fn values_a_row(&self) -> usize {
        BAND * self.fours as usize
    }

    /// The tables of `view`, packed for one upload.
    fn pack(key: &TwoPassTablesKey, axes: [Axis; 2], map: &ImageFromOutput) -> PackedTables {
        let [across, down] = key.view.scales().map(|scale| Taps::new(&key.sampler, scale));
        let horizontal = AxisTable::new(&across, axes[0], map, 0, key.size.width());
        let vertical = AxisTable::new(&down, axes[1], map, 1, key.size.height());
        let four_of = |index: u32| index as usize / BAND;
        // The border's constant is read as a column beyond the last one.
        let mut places = vec![u32::MAX; four_of(axes[0].stored_len()) + 1];
        horizontal.indices.iter().for_each(|&index| places[four_of(index)] = 0);
        let mut columns = Vec::new();
        for (four, place) in places.iter_mut().enumerate().filter(|(_, place)| **place == 0) {
            *place = columns.len() as u32;
            columns.push((BAND * four) as u32);
        }
        let horizontal = Bands::new(&horizontal, BAND, |index| (places[four_of(index)], index as usize % BAND));
        let vertical = Bands::new(&vertical, 1, |index| (index, 0));
        let repeated = vertical.repeated();
        let mut pack = Pack::default();
        let (horizontal, vertical) = (pack.add_bands(horizontal.side_by_side(BAND)), pack.add_bands(vertical));
        let fours = columns.len() as u32;
        let (columns, bands) = (pack.add(columns), pack.add(repeated));
        PackedTables { numbers: pack.numbers, horizontal, vertical, columns, bands, fours }
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
        let table = |[starts, indices, weights]: [usize; 3]| PassTable {
            starts: at(starts),
            indices: at(indices),
            weights: at(weights),
        };
        Ok(Self {
            horizontal: table(tables.horizontal),
            vertical: table(tables.vertical),
            columns: at(tables.columns),
            bands: at(tables.bands),
            fours: tables.fours,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::{Channels, Depth, Page, Raster};
    use crate::sampling::{AddressMode, Method};
    use crate::test_support::size;

    /// The bands of a view of 97 columns, and the table that they join.
    fn tables(address: AddressMode) -> (AxisTable, PackedTables) {
        let sampler =
            Sampler { antialias: true, address: [address; 2], ..Sampler::default().with_method(Method::LANCZOS3) };
        let view = View::new([-9.3, 4.1], 2.3).expect("a view");
        let axes = [30, 41].map(|len| Axis { len, halo: 0, address });
        let (image, size) = (size(30, 41), size(97, 10));
        let page = Page::new(Raster::zeros(image, Channels::Grey, Depth::EIGHT));
        let map = view.image_from_output(size, image);
        let key = TwoPassTablesKey { page: page.id(), size, view, sampler };
        let across = AxisTable::new(&Taps::new(&sampler, view.scale()), axes[0], &map, 0, size.width());
        (across, TwoPassTables::pack(&key, axes, &map))
    }

    #[test]
    fn bands_hold_every_weight_of_every_entry() {
        for address in [AddressMode::Clamp, AddressMode::Border, AddressMode::Wrap, AddressMode::Mirror] {
            let (table, packed) = tables(address);
            let [starts, indices, weights] = packed.horizontal;
            let numbers = &packed.numbers;
            for entry in 0..table.len() {
                let mut expected = vec![0.0_f32; 40];
                let (of, by) = table.entry(entry);
                of.iter().zip(by).for_each(|(&index, &weight)| expected[index as usize] += weight);
                let mut got = vec![0.0_f32; 40];
                let (lanes, lane) = (entry / BAND / LANES, entry / BAND % LANES);
                for k in numbers[starts + lanes]..numbers[starts + lanes + 1] {
                    let k = k as usize;
                    let four = numbers[packed.columns + numbers[indices + k * LANES + lane] as usize] as usize;
                    for slot in 0..BAND {
                        let at = weights + ((k * BAND + slot) * LANES + lane) * BAND + entry % BAND;
                        let weight = f32::from_bits(numbers[at]);
                        if weight != 0.0 {
                            got[four + slot] += weight;
                        }
                    }
                }
                let is_near = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-6;
                assert!(got.iter().zip(&expected).all(is_near), "{address:?} {entry}: {got:?}, not {expected:?}");
            }
        }
    }

    #[test]
    fn bands_beyond_an_edge_are_those_before_them() {
        let rows = |starts: &[u32], indices: &[u32], weights: &[f32]| Bands {
            starts: starts.to_vec(),
            indices: indices.to_vec(),
            weights: weights.iter().flat_map(|&weight| [weight; BAND]).collect(),
        };
        // The first sample alone, twice; several samples; the last one alone, of another weight, alone again twice.
        let bands = rows(&[0, 1, 2, 4, 5, 6, 7], &[0, 0, 0, 1, 7, 7, 7], &[1.0, 1.0, 0.5, 0.5, 0.9, 1.0, 1.0]);
        assert_eq!(bands.repeated(), [0, 0, 2, 3, 4, 4]);
        assert_eq!(rows(&[0, 0, 0], &[], &[]).repeated(), [0, 0], "bands without samples");
        assert!(rows(&[0], &[], &[]).repeated().is_empty(), "no rows");
    }

    #[test]
    fn parts_start_where_four_numbers_are_one_load() {
        let (_, packed) = tables(AddressMode::Wrap);
        let places = packed.horizontal.into_iter().chain(packed.vertical).chain([packed.columns, packed.bands]);
        assert!(places.into_iter().all(|place| place % 4 == 0), "{packed:?}");
    }
}
