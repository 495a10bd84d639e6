//! Kernels of at most eight samples an axis: rows of the image are filtered once, kept while rows of the output read them, and
//! added up straight into numbers of the output.

use super::super::finish::Number;
use super::super::instructions::Instructions;
use super::columns::{Columns, MAX_TAPS};
use super::vertical;
use crate::backend::prepared::{Numbers, Prepared};
use crate::sampling::{Axis, AxisWeights};

/// Both passes of one request.
pub(super) struct Narrow {
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
    /// Filtered rows, one for each tap.
    rows: Vec<f32>,
}

thread_local! {
    static BUFFERS: std::cell::RefCell<Buffers> = std::cell::RefCell::default();
}

impl Narrow {
    /// For the weights of columns and rows over `prepared`, into `channels` of the output; `None` for kernels of more samples.
    pub(super) fn new(
        [columns, rows]: [&AxisWeights; 2],
        prepared: &Prepared,
        channels: usize,
        border: f32,
        instructions: Instructions,
    ) -> Option<Self> {
        // The loops are compiled for as many taps as kernels have: one, or an even number.
        let is_narrow = |weights: &AxisWeights| weights.taps <= MAX_TAPS;
        if !is_narrow(columns) || !is_narrow(rows) {
            return None;
        }
        let [x, y] = prepared.axes();
        let channels = [prepared.channels().count(), channels];
        let opaque = f32::from(prepared.maxval());
        Some(Self {
            columns: Columns::new(columns, x, channels, opaque, instructions),
            rows: rows.clone(),
            axis: y,
            border,
            instructions,
        })
    }

    /// Fills `out` with the rows from `from`, as numbers up to `maxval`.
    pub(super) fn fill<T: Number>(&self, prepared: &Prepared, from: usize, maxval: f32, out: &mut [T]) {
        match self.rows.taps {
            1 => self.fill_taps::<T, 1>(prepared, from, maxval, out),
            2 => self.fill_taps::<T, 2>(prepared, from, maxval, out),
            4 => self.fill_taps::<T, 4>(prepared, from, maxval, out),
            6 => self.fill_taps::<T, 6>(prepared, from, maxval, out),
            _ => self.fill_taps::<T, 8>(prepared, from, maxval, out),
        }
    }

    fn fill_taps<T: Number, const TAPS: usize>(&self, prepared: &Prepared, from: usize, maxval: f32, out: &mut [T]) {
        BUFFERS.with_borrow_mut(|buffers| {
            let stride = self.columns.len();
            let image_maxval = f64::from(prepared.maxval());
            let padded = self.columns.padded_len();
            buffers.rows.resize(TAPS * padded, 0.0);
            let mut held: [Option<u32>; TAPS] = [None; TAPS];
            let mut out = out;
            let mut row = from;
            while !out.is_empty() {
                let first = self.rows.first[row];
                let stored: [u32; TAPS] = std::array::from_fn(|tap| self.axis.stored(first + tap as i64));
                let places = self.hold(prepared, &stored, &mut held, buffers);
                let rows = places.map(|place| &buffers.rows[place * padded..][..padded]);
                let most = vertical::GROUP.min(out.len() / stride);
                let count =
                    1 + self.rows.first[row + 1..row + most].iter().take_while(|other| **other == first).count();
                let (group, rest) = out.split_at_mut(count * stride);
                let mut weights = [[0.0; TAPS]; vertical::GROUP];
                for (weights, row) in weights[..count].iter_mut().zip(row..) {
                    let (_, exact) = self.rows.entry(row);
                    weights.iter_mut().zip(exact).for_each(|(to, &from)| *to = (f64::from(from) / image_maxval) as f32);
                }
                vertical::write(self.instructions, rows, &weights[..count], maxval, group);
                out = rest;
                row += count;
            }
        });
    }

    /// Filters those of the rows `stored` that are not in `held`, and returns the place of each.
    fn hold<const TAPS: usize>(
        &self,
        prepared: &Prepared,
        stored: &[u32; TAPS],
        held: &mut [Option<u32>; TAPS],
        buffers: &mut Buffers,
    ) -> [usize; TAPS] {
        let mut places = [0; TAPS];
        for (place, &row) in places.iter_mut().zip(stored) {
            *place = if let Some(place) = held.iter().position(|held| *held == Some(row)) {
                place
            } else {
                let is_free = |held: &Option<u32>| held.is_none_or(|row| !stored.contains(&row));
                // There are as many places as rows that are needed.
                let free = held.iter().position(is_free).unwrap_or(0);
                held[free] = Some(row);
                self.filter(prepared, row, free, buffers);
                free
            };
        }
        places
    }

    /// Filters the stored row `row` into a place of the buffer.
    fn filter(&self, prepared: &Prepared, row: u32, place: usize, Buffers { line, rows }: &mut Buffers) {
        let padded = self.columns.padded_len();
        let out = &mut rows[place * padded..][..padded];
        let len = prepared.width() as usize * prepared.channels().count();
        let range = row as usize * len..(row as usize + 1) * len;
        let is_inside = row != prepared.height();
        let (instructions, border) = (self.instructions, self.border);
        match prepared.numbers() {
            Numbers::U8(numbers) => {
                let row = is_inside.then(|| &numbers[range]);
                self.columns.filter(instructions, (row, border), line, out);
            }
            Numbers::U16(numbers) => {
                let row = is_inside.then(|| &numbers[range]);
                self.columns.filter(instructions, (row, border), line, out);
            }
            Numbers::F32(numbers) => {
                let row = is_inside.then(|| &numbers[range]);
                self.columns.filter(instructions, (row, border), line, out);
            }
        }
    }
}
