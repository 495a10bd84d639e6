//! Stretched kernels of a view that is zoomed out: down the columns first.
//!
//! Every row of the output reads many rows of the image, and every sample is read by a few rows of the output. Adding up whole rows
//! is the quickest of all sums; afterwards only one row for each row of the output is left to be filtered along.

use super::super::finish::Number;
use super::super::instructions::Instructions;
use super::columns::Columns;
use crate::backend::prepared::{Numbers, Prepared};
use crate::sampling::{Axis, AxisWeights};

/// Rows that are added up at once.
const ROWS: usize = 8;
/// The largest number of samples of a position along an axis: sums of as many stay accurate in single precision.
pub(super) const MAX_TAPS: usize = 32;

/// Both passes of one request.
pub(super) struct Reduced {
    columns: Columns,
    rows: AxisWeights,
    axis: Axis,
    /// The border's constant, in the image's numbers.
    border: f32,
    instructions: Instructions,
}

/// Buffers of a thread.
#[derive(Default)]
struct Buffers {
    line: Vec<f32>,
    /// A row of the image's width: sums of samples.
    sums: Vec<f32>,
    /// A row of the output's width.
    row: Vec<f32>,
}

thread_local! {
    static BUFFERS: std::cell::RefCell<Buffers> = std::cell::RefCell::default();
}

impl Reduced {
    /// For the weights of columns and rows over `prepared`, into `channels` of the output; `None` if the columns are too far apart
    /// for blocks.
    pub(super) fn new(
        [columns, rows]: [&AxisWeights; 2],
        prepared: &Prepared,
        channels: usize,
        border: f32,
        instructions: Instructions,
    ) -> Option<Self> {
        let [x, y] = prepared.axes();
        let channels = [prepared.channels().count(), channels];
        let columns = Columns::new(columns, x, channels, f32::from(prepared.maxval()), instructions);
        columns.are_in_blocks().then(|| Self { columns, rows: rows.clone(), axis: y, border, instructions })
    }

    /// Fills `out` with the rows from `from`, as numbers up to `maxval`.
    pub(super) fn fill<T: Number>(&self, prepared: &Prepared, from: usize, maxval: f32, out: &mut [T]) {
        match prepared.numbers() {
            Numbers::U8(numbers) => self.fill_from(numbers, prepared, from, maxval, out),
            Numbers::U16(numbers) => self.fill_from(numbers, prepared, from, maxval, out),
            Numbers::F32(numbers) => self.fill_from(numbers, prepared, from, maxval, out),
        }
    }

    fn fill_from<S: Copy + Into<f32>, T: Number>(
        &self,
        numbers: &[S],
        prepared: &Prepared,
        from: usize,
        maxval: f32,
        out: &mut [T],
    ) {
        let len = prepared.width() as usize * prepared.channels().count();
        let read = self.columns.reads(len);
        BUFFERS.with_borrow_mut(|Buffers { line, sums, row }| {
            sums.resize(len, 0.0);
            row.resize(self.columns.padded_len(), 0.0);
            let mut rows: Vec<(f32, &[S])> = Vec::with_capacity(self.rows.taps);
            for (index, out) in out.chunks_exact_mut(self.columns.len()).enumerate() {
                let border = self.rows_of(from + index, numbers, len, &mut rows);
                let constant = border * self.border;
                let total: f32 = border + rows.iter().map(|(weight, _)| weight).sum::<f32>();
                for (_, row) in &mut rows {
                    *row = &row[read.clone()];
                }
                self.instructions.run(
                    #[inline(always)]
                    || add_up(&rows, constant, &mut sums[read.clone()]),
                );
                self.columns.filter(self.instructions, (Some(&sums[..]), total * self.border), line, row);
                let unit = 1.0 / f32::from(prepared.maxval());
                self.instructions.run(
                    #[inline(always)]
                    || {
                        let row = &row[..out.len()];
                        for x in 0..out.len() {
                            out[x] = T::from_value(row[x] * unit, maxval);
                        }
                    },
                );
            }
        });
    }

    /// Puts the weights and rows of the image that row `index` of the output reads into `rows`, equal rows once. Returns the
    /// weight of the border.
    fn rows_of<'a, S>(&self, index: usize, numbers: &'a [S], len: usize, rows: &mut Vec<(f32, &'a [S])>) -> f32 {
        rows.clear();
        let (first, weights) = self.rows.entry(index);
        let mut border = 0.0;
        let mut last = None;
        for (sample, &weight) in (first..).zip(weights) {
            let stored = self.axis.stored(sample);
            if weight == 0.0 {
                continue;
            }
            if stored == self.axis.stored_len() {
                border += weight;
            } else if last == Some(stored)
                && let Some((sum, _)) = rows.last_mut()
            {
                *sum += weight;
            } else {
                rows.push((weight, &numbers[stored as usize * len..][..len]));
                last = Some(stored);
            }
        }
        border
    }
}

/// Sets `sums` to `constant` and the weighted sum of `rows`.
#[inline(always)]
fn add_up<S: Copy + Into<f32>>(rows: &[(f32, &[S])], constant: f32, sums: &mut [f32]) {
    let (groups, rest) = rows.as_chunks::<ROWS>();
    let mut is_first = true;
    for group in groups {
        add_rows(group, is_first.then_some(constant), sums);
        is_first = false;
    }
    let first = is_first.then_some(constant);
    match *rest {
        [] if is_first => sums.fill(constant),
        [] => {}
        [a] => add_rows(&[a], first, sums),
        [a, b] => add_rows(&[a, b], first, sums),
        [a, b, c] => add_rows(&[a, b, c], first, sums),
        [a, b, c, d] => add_rows(&[a, b, c, d], first, sums),
        [a, b, c, d, e] => add_rows(&[a, b, c, d, e], first, sums),
        [a, b, c, d, e, f] => add_rows(&[a, b, c, d, e, f], first, sums),
        _ => {
            if let Some(rest) = rest.first_chunk::<7>() {
                add_rows(rest, first, sums);
            }
        }
    }
}

/// Adds the weighted sum of as many rows to `sums`, or to `first` instead.
#[inline(always)]
fn add_rows<S: Copy + Into<f32>, const COUNT: usize>(
    group: &[(f32, &[S]); COUNT],
    first: Option<f32>,
    sums: &mut [f32],
) {
    let mut weights = [0.0; COUNT];
    let mut rows: [&[S]; COUNT] = [&[]; COUNT];
    for (place, (weight, row)) in group.iter().enumerate() {
        weights[place] = *weight;
        rows[place] = &row[..sums.len()];
    }
    if let Some(first) = first {
        sums.fill(first);
    }
    for x in 0..sums.len() {
        let mut sum = weights[0] * rows[0][x].into();
        for place in 1..COUNT {
            sum += weights[place] * rows[place][x].into();
        }
        sums[x] += sum;
    }
}
