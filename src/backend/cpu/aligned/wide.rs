//! Kernels of any number of samples, by the axis tables.
//!
//! For each row of the image that a band reads, the x table's weights give one row of values (`horizontal`); the y table's
//! weights then combine those rows (`vertical`).

use std::sync::Arc;

use super::super::instructions::Instructions;
use super::axes::Axes;
use crate::backend::RenderRequest;
use crate::backend::prepared::{Numbers, Prepared};
use crate::sampling::{AxisTable, SCATTERED};
use crate::view::ImageFromOutput;

/// Rows of the image buffered at once for a stretched kernel. Sums are partial over as many rows, which keeps single
/// precision accurate for kernels of any width.
const ROWS_AT_ONCE: usize = 64;

/// Largest number of taps for which all source rows of a band are in memory at once: that of the named methods.
const MAX_TAPS_AT_ONCE: usize = 8;

/// Tables of one request.
pub(super) struct Wide {
    horizontal: Arc<AxisTable>,
    /// The y table; its weights are divided by maxval.
    vertical: Arc<AxisTable>,
    /// Whether each pixel is one sample.
    is_selection: bool,
    /// The border's constant, in the image's numbers.
    border: f32,
    /// The sum of the x weights of each column, if it is not 1.
    border_sums: Option<Vec<f32>>,
    instructions: Instructions,
}

impl Wide {
    /// `border` is the border's constant in the image's numbers.
    pub(super) fn new(
        prepared: &Prepared,
        request: &RenderRequest,
        map: &ImageFromOutput,
        border: f32,
        axes: &mut Axes,
        instructions: Instructions,
    ) -> Self {
        let [across, _] = request.taps();
        let [horizontal, vertical] = axes.tables(prepared, request, map);
        let is_selection = horizontal.is_selection() && vertical.is_selection();
        let sums = |horizontal: &AxisTable| {
            (0..horizontal.len()).map(|column| horizontal.entry(column).1.iter().sum()).collect()
        };
        let border_sums = (!across.sum_to_one()).then(|| sums(&horizontal));
        Self { horizontal, vertical, is_selection, border, border_sums, instructions }
    }

    /// Stored indices of the samples of the columns and of the rows, if each pixel is one sample.
    pub(super) fn selection(&self) -> Option<[Vec<u32>; 2]> {
        self.is_selection.then(|| [self.horizontal.indices.clone(), self.vertical.indices.clone()])
    }

    /// Fills `out` with the rows from `from`.
    pub(super) fn render(&self, prepared: &Prepared, from: usize, out: &mut [f32], scratch: &mut Vec<f32>) {
        let stride = self.horizontal.len() * prepared.channels().count();
        let rows = from..from + out.len() / stride;
        let mut needed: Vec<u32> = rows.clone().flat_map(|row| self.vertical.entry(row).0).copied().collect();
        needed.sort_unstable();
        needed.dedup();
        if self.vertical.uniform.is_some_and(|taps| taps <= MAX_TAPS_AT_ONCE) {
            self.filter_horizontal(prepared, &needed, scratch);
            for (row, out) in rows.zip(out.chunks_exact_mut(stride)) {
                self.add_up(row, &needed, scratch, out);
            }
        } else {
            out.fill(0.0);
            let mut part = vec![0.0; stride];
            for held in needed.chunks(ROWS_AT_ONCE) {
                self.filter_horizontal(prepared, held, scratch);
                for (row, out) in rows.clone().zip(out.chunks_exact_mut(stride)) {
                    self.add_up(row, held, scratch, &mut part);
                    self.instructions.run(
                        #[inline(always)]
                        || add(out, &part),
                    );
                }
            }
        }
    }

    /// The filtered values of a row of the border.
    fn fill_with_border(&self, channels: usize, out: &mut [f32]) {
        out.fill(self.border);
        if let Some(sums) = &self.border_sums {
            for (pixel, sum) in out.chunks_exact_mut(channels).zip(sums) {
                pixel.iter_mut().for_each(|value| *value *= sum);
            }
        }
    }

    /// Filters the image's rows `held` horizontally, one after the other, into `scratch`.
    fn filter_horizontal(&self, prepared: &Prepared, held: &[u32], scratch: &mut Vec<f32>) {
        let channels = prepared.channels().count();
        let stride = self.horizontal.len() * channels;
        let row_len = prepared.width() as usize * channels;
        scratch.resize(held.len() * stride, 0.0);
        for (&row, out) in held.iter().zip(scratch.chunks_exact_mut(stride)) {
            if row == prepared.height() {
                self.fill_with_border(channels, out);
                continue;
            }
            let from = row as usize * row_len;
            match prepared.numbers() {
                Numbers::U8(numbers) => {
                    self.filter_row(&numbers[from..][..row_len], channels, out);
                }
                Numbers::U16(numbers) => {
                    self.filter_row(&numbers[from..][..row_len], channels, out);
                }
                Numbers::F32(numbers) => {
                    self.filter_row(&numbers[from..][..row_len], channels, out);
                }
            }
        }
    }

    /// Filters one row of the image horizontally, to the output's width.
    fn filter_row<T: Copy + Into<f32>>(&self, row: &[T], channels: usize, out: &mut [f32]) {
        self.instructions.run(
            #[inline(always)]
            || horizontal(row, channels, &self.horizontal, self.border, out),
        );
    }

    /// Weighted sum of the samples of row `row` that are in `held`.
    fn add_up(&self, row: usize, held: &[u32], filtered: &[f32], out: &mut [f32]) {
        let (indices, weights) = self.vertical.entry(row);
        let stride = out.len();
        let place = |index: u32| held.binary_search(&index).ok().map(|place| &filtered[place * stride..][..stride]);
        let mut pairs = indices.iter().zip(weights).filter_map(|(&index, &weight)| Some((weight, place(index)?)));
        let mut first = true;
        loop {
            let mut group = [(0.0_f32, &filtered[..stride]); 8];
            let mut count = 0;
            for (slot, pair) in group.iter_mut().zip(pairs.by_ref()) {
                *slot = pair;
                count += 1;
            }
            match (count, first) {
                (0, true) => out.fill(0.0),
                (0, false) => break,
                _ => self.instructions.run(
                    #[inline(always)]
                    || match (count, first) {
                        (1, true) => vertical::<1, true>(&group, out),
                        (2, true) => vertical::<2, true>(&group, out),
                        (3 | 4, true) => vertical::<4, true>(&group, out),
                        (5 | 6, true) => vertical::<6, true>(&group, out),
                        (_, true) => vertical::<8, true>(&group, out),
                        (_, false) => vertical::<8, false>(&group, out),
                    },
                ),
            }
            if count < group.len() {
                break;
            }
            first = false;
        }
    }
}

/// Filters one row of the image horizontally, by the number of its taps and channels.
#[inline(always)]
fn horizontal<T: Copy + Into<f32>>(row: &[T], channels: usize, table: &AxisTable, border: f32, out: &mut [f32]) {
    match (table.uniform, channels) {
        (Some(1), 1) => horizontal_narrow::<T, 1, 1>(row, table, border, out),
        (Some(2), 1) => horizontal_narrow::<T, 2, 1>(row, table, border, out),
        (Some(4), 1) => horizontal_narrow::<T, 4, 1>(row, table, border, out),
        (Some(6), 1) => horizontal_narrow::<T, 6, 1>(row, table, border, out),
        (Some(8), 1) => horizontal_narrow::<T, 8, 1>(row, table, border, out),
        (Some(1), 3) => horizontal_narrow::<T, 1, 3>(row, table, border, out),
        (Some(2), 3) => horizontal_narrow::<T, 2, 3>(row, table, border, out),
        (Some(4), 3) => horizontal_narrow::<T, 4, 3>(row, table, border, out),
        (Some(6), 3) => horizontal_narrow::<T, 6, 3>(row, table, border, out),
        (Some(8), 3) => horizontal_narrow::<T, 8, 3>(row, table, border, out),
        (Some(taps @ ..=MAX_TAPS_AT_ONCE), 2) => horizontal_few::<T, 2>(row, taps, table, border, out),
        (Some(taps @ ..=MAX_TAPS_AT_ONCE), 4) => horizontal_few::<T, 4>(row, taps, table, border, out),
        (_, 1) => horizontal_wide::<T, 1>(row, table, border, out),
        (_, 2) => horizontal_wide::<T, 2>(row, table, border, out),
        (_, 3) => horizontal_wide::<T, 3>(row, table, border, out),
        _ => horizontal_wide::<T, 4>(row, table, border, out),
    }
}

/// The same for `TAPS` samples of `CHANNELS` values per output column.
#[inline(always)]
fn horizontal_narrow<T: Copy + Into<f32>, const TAPS: usize, const CHANNELS: usize>(
    row: &[T],
    table: &AxisTable,
    border: f32,
    out: &mut [f32],
) {
    let weights = table.weights.as_chunks::<TAPS>().0;
    let indices = table.indices.as_chunks::<TAPS>().0;
    let out = out.as_chunks_mut::<CHANNELS>().0;
    for (((out, &first), weights), indices) in out.iter_mut().zip(&table.first).zip(weights).zip(indices) {
        let mut sums = [0.0_f32; CHANNELS];
        if first == SCATTERED {
            for (&weight, &index) in weights.iter().zip(indices) {
                let at = index as usize * CHANNELS;
                for (c, sum) in sums.iter_mut().enumerate() {
                    *sum += weight * row.get(at + c).map_or(border, |&value| value.into());
                }
            }
        } else {
            let samples = &row[first as usize * CHANNELS..][..TAPS * CHANNELS];
            for (k, &weight) in weights.iter().enumerate() {
                for (c, sum) in sums.iter_mut().enumerate() {
                    *sum += weight * samples[k * CHANNELS + c].into();
                }
            }
        }
        *out = sums;
    }
}

/// The same for `taps` samples of `CHANNELS` values per output column: the channels of a pixel fill the vector
/// registers.
#[inline(always)]
fn horizontal_few<T: Copy + Into<f32>, const CHANNELS: usize>(
    row: &[T],
    taps: usize,
    table: &AxisTable,
    border: f32,
    out: &mut [f32],
) {
    let row = row.as_chunks::<CHANNELS>().0;
    let entries = table.weights.chunks_exact(taps).zip(table.indices.chunks_exact(taps));
    for (out, (weights, indices)) in out.as_chunks_mut::<CHANNELS>().0.iter_mut().zip(entries) {
        let mut sums = [0.0_f32; CHANNELS];
        for (&weight, &index) in weights.iter().zip(indices) {
            let sample = row.get(index as usize).map_or([border; CHANNELS], |sample| sample.map(Into::into));
            sums.iter_mut().zip(sample).for_each(|(sum, value)| *sum += weight * value);
        }
        *out = sums;
    }
}

/// The same for any number of samples per output column.
#[inline(always)]
fn horizontal_wide<T: Copy + Into<f32>, const CHANNELS: usize>(
    row: &[T],
    table: &AxisTable,
    border: f32,
    out: &mut [f32],
) {
    const LANES: usize = 16;
    for (entry, out) in out.as_chunks_mut::<CHANNELS>().0.iter_mut().enumerate() {
        let (indices, weights) = table.entry(entry);
        let first = table.first[entry];
        // As many sums as lanes: short dependency chains, and small rounding errors.
        let mut sums = [[0.0_f32; CHANNELS]; LANES];
        if first == SCATTERED {
            for (k, (&weight, &index)) in weights.iter().zip(indices).enumerate() {
                let at = index as usize * CHANNELS;
                for (c, sum) in sums[k % LANES].iter_mut().enumerate() {
                    *sum += weight * row.get(at + c).map_or(border, |&value| value.into());
                }
            }
        } else {
            let samples = row[first as usize * CHANNELS..].as_chunks::<CHANNELS>().0;
            for (weights, samples) in weights.chunks(LANES).zip(samples.chunks(LANES)) {
                for ((sum, &weight), sample) in sums.iter_mut().zip(weights).zip(samples) {
                    for (sum, &value) in sum.iter_mut().zip(sample) {
                        *sum += weight * value.into();
                    }
                }
            }
        }
        let mut width = LANES / 2;
        while width > 0 {
            for lane in 0..width {
                let upper = sums[lane + width];
                sums[lane].iter_mut().zip(upper).for_each(|(sum, other)| *sum += other);
            }
            width /= 2;
        }
        *out = sums[0];
    }
}

/// Sets (`SET`) or adds to `out` the weighted sum of the first `ROWS` rows of `group`.
#[inline(always)]
fn vertical<const ROWS: usize, const SET: bool>(group: &[(f32, &[f32]); 8], out: &mut [f32]) {
    let len = out.len();
    let weights: [f32; ROWS] = std::array::from_fn(|k| group[k].0);
    let rows: [&[f32]; ROWS] = std::array::from_fn(|k| &group[k].1[..len]);
    for (x, out) in out.iter_mut().enumerate() {
        let mut sum = weights[0] * rows[0][x];
        for k in 1..ROWS {
            sum += weights[k] * rows[k][x];
        }
        *out = if SET { sum } else { *out + sum };
    }
}

#[inline(always)]
fn add(out: &mut [f32], part: &[f32]) {
    out.iter_mut().zip(part).for_each(|(out, part)| *out += part);
}
