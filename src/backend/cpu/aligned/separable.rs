//! Two passes by the weights of columns and rows, the one along rows by blocks of columns.
//!
//! Kernels of at most eight samples an axis filter along rows first: rows of the image are filtered once, kept while rows of the
//! output read them, and added up straight into numbers of the output.
//!
//! Stretched kernels of a view that is zoomed out go down the columns first: every row of the output reads many rows of the image,
//! and every sample is read by a few rows of the output. Adding up whole rows is the quickest of all sums; afterwards only one row
//! for each row of the output is left to be filtered along.

use std::cell::RefCell;
use std::sync::Arc;

use super::super::finish::{Number, Pixels};
use super::super::instructions::Instructions;
use super::axes::{Axes, AxisPass};
use super::columns::Columns;
use super::vertical::{self, Target};
use crate::backend::RenderRequest;
use crate::backend::prepared::{Numbers, Prepared};
use crate::view::ImageFromOutput;

/// Both passes of one request.
pub(super) struct Separable {
    order: Order,
    prepared: Arc<Prepared>,
    /// Columns and rows.
    passes: [Arc<AxisPass>; 2],
    /// The border's constant, in the image's numbers.
    border: f32,
    instructions: Instructions,
}

/// The pass that comes first.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Order {
    Horizontal,
    Vertical,
}

/// How floats are added up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::backend::cpu) struct SumsOfFloats {
    order: Order,
    taps: [usize; 2],
    /// Whether the samples of a column are added up in lanes.
    has_lanes: bool,
}

/// Buffers of a thread.
#[derive(Default)]
struct Buffers {
    line: Vec<f32>,
    /// A row of the image's width: sums of samples.
    sums: Vec<f32>,
    /// Filtered rows of the output's width.
    rows: Vec<f32>,
}

thread_local! {
    static BUFFERS: RefCell<Buffers> = RefCell::default();
}

impl Separable {
    /// The passes of `request`; `None` if its kernel has more samples than a pass serves, or its columns are too far apart.
    /// `border` is the border's constant in the image's numbers.
    pub(super) fn new(
        prepared: &Arc<Prepared>,
        request: &RenderRequest,
        map: &ImageFromOutput,
        border: f32,
        axes: &mut Axes,
        instructions: Instructions,
    ) -> Option<Self> {
        let (order, passes) = match axes.narrow(prepared, request, map) {
            Some(passes) => (Order::Horizontal, passes),
            None => (Order::Vertical, axes.stretched(prepared, request, map)?),
        };
        let separable = Self { order, prepared: Arc::clone(prepared), passes, border, instructions };
        let is_served = order == Order::Horizontal || separable.columns(false).reads_lines();
        is_served.then_some(separable)
    }

    /// Stored indices of the samples of the columns and of the rows, if each pixel is one sample.
    pub(super) fn selection(&self) -> Option<[Vec<u32>; 2]> {
        let [x, y] = self.prepared.axes();
        let [columns, rows] = self.passes.each_ref().map(|pass| &pass.weights);
        (columns.is_selection() && rows.is_selection()).then(|| {
            [(x, columns), (y, rows)]
                .map(|(axis, weights)| weights.first.iter().map(|&sample| axis.stored(sample)).collect())
        })
    }

    /// Fills `out` with the rows from `from`, as numbers up to `maxval`.
    pub(super) fn fill<T: Number>(&self, pixels: Pixels, from: usize, maxval: f32, out: &mut [T]) {
        let columns = self.columns(pixels == Pixels::Opaque);
        let target = Target { maxval, is_premultiplied: pixels == Pixels::Straight, out };
        match (self.order, self.passes[1].weights.taps) {
            (Order::Horizontal, 1) => self.fill_narrow::<T, 1>(columns, from, target),
            (Order::Horizontal, 2) => self.fill_narrow::<T, 2>(columns, from, target),
            (Order::Horizontal, 4) => self.fill_narrow::<T, 4>(columns, from, target),
            (Order::Horizontal, 6) => self.fill_narrow::<T, 6>(columns, from, target),
            (Order::Horizontal, _) => self.fill_narrow::<T, 8>(columns, from, target),
            (Order::Vertical, _) => match self.prepared.numbers() {
                Numbers::U8(numbers) => self.fill_reduced(columns, numbers, from, target),
                Numbers::U16(numbers) => self.fill_reduced(columns, numbers, from, target),
                Numbers::F32(numbers) => self.fill_reduced(columns, numbers, from, target),
            },
        }
    }

    /// The pass along rows.
    fn columns(&self, adds_opacity: bool) -> &Columns {
        self.passes[0].columns(adds_opacity, self.instructions)
    }

    /// Along rows first, by a kernel of `TAPS` samples down the columns.
    fn fill_narrow<T: Number, const TAPS: usize>(&self, columns: &Columns, from: usize, target: Target<'_, T>) {
        BUFFERS.with_borrow_mut(|buffers| {
            let (stride, padded) = (columns.len(), columns.padded_len());
            let weights_down = &self.passes[1].weights;
            let image_maxval = f64::from(self.prepared.maxval());
            buffers.rows.resize(TAPS * padded, 0.0);
            let mut held: [Option<u32>; TAPS] = [None; TAPS];
            let Target { maxval, is_premultiplied, mut out } = target;
            let mut row = from;
            while !out.is_empty() {
                let (stored, count) = self.rows_of_group(row, vertical::GROUP.min(out.len() / stride));
                let places = self.hold(columns, &stored, &mut held, buffers);
                let rows = places.map(|place| &buffers.rows[place * padded..][..padded]);
                let (group, rest) = out.split_at_mut(count * stride);
                let mut weights = [[0.0; TAPS]; vertical::GROUP];
                for (weights, row) in weights[..count].iter_mut().zip(row..) {
                    let (_, exact) = weights_down.entry(row);
                    weights.iter_mut().zip(exact).for_each(|(to, &from)| *to = (f64::from(from) / image_maxval) as f32);
                }
                let group = Target { maxval, is_premultiplied, out: group };
                vertical::write(self.instructions, rows, &weights[..count], group);
                out = rest;
                row += count;
            }
        });
    }

    /// The stored rows that the output's row `row` reads, and how many rows from it on, at most `most`, read the same.
    pub(super) fn rows_of_group<const TAPS: usize>(&self, row: usize, most: usize) -> ([u32; TAPS], usize) {
        let [_, axis] = self.prepared.axes();
        let first = &self.passes[1].weights.first;
        let others = first[row + 1..row + most].iter();
        let count = 1 + others.take_while(|other| **other == first[row]).count();
        (std::array::from_fn(|tap| axis.stored(first[row] + tap as i64)), count)
    }

    /// How floats are added up, with an opaque channel more than the image has or without.
    pub(super) fn sums_of_floats(&self, adds_opacity: bool) -> SumsOfFloats {
        let taps = self.passes.each_ref().map(|pass| pass.weights.taps);
        SumsOfFloats { order: self.order, taps, has_lanes: self.columns(adds_opacity).has_lanes() }
    }

    /// The passes of columns and rows, shared with those of later requests.
    pub(super) fn shared_passes(&self) -> [Arc<AxisPass>; 2] {
        self.passes.each_ref().map(Arc::clone)
    }

    /// The passes of columns and rows.
    pub(super) fn passes(&self) -> [&AxisPass; 2] {
        self.passes.each_ref().map(|pass| &**pass)
    }

    /// Whether the kernel is stretched.
    pub(super) fn is_stretched(&self) -> bool {
        self.order == Order::Vertical
    }

    /// The instruction set of the loops.
    pub(super) fn instructions(&self) -> Instructions {
        self.instructions
    }

    /// Filters those of the rows `stored` that are not in `held`, and returns the place of each.
    fn hold<const TAPS: usize>(
        &self,
        columns: &Columns,
        stored: &[u32; TAPS],
        held: &mut [Option<u32>; TAPS],
        buffers: &mut Buffers,
    ) -> [usize; TAPS] {
        let padded = columns.padded_len();
        hold(stored, held, |row, place| {
            self.filter(columns, row, &mut buffers.line, &mut buffers.rows[place * padded..][..padded]);
        })
    }

    /// Filters the stored row `row` into `out`, which is padded. `line` is a buffer.
    fn filter(&self, columns: &Columns, row: u32, line: &mut Vec<f32>, out: &mut [f32]) {
        let (instructions, border) = (self.instructions, self.border);
        match self.prepared.numbers() {
            Numbers::U8(numbers) => columns.filter(instructions, (self.row(numbers, row), border), line, out),
            Numbers::U16(numbers) => columns.filter(instructions, (self.row(numbers, row), border), line, out),
            Numbers::F32(numbers) => columns.filter(instructions, (self.row(numbers, row), border), line, out),
        }
    }

    /// The first row, before the address mode, that the output's row `row` reads.
    pub(super) fn first_row(&self, row: usize) -> i64 {
        self.passes[1].weights.first[row]
    }

    /// The stored row of a row of the image before the address mode.
    pub(super) fn stored_row(&self, row: i64) -> u32 {
        let [_, axis] = self.prepared.axes();
        axis.stored(row)
    }

    /// Number of values of a row of the image.
    pub(super) fn row_len(&self) -> usize {
        self.prepared.width() as usize * self.prepared.channels().count()
    }

    /// The first value of the stored row `row` among the image's values; `None` for the border's.
    pub(super) fn place_of_row(&self, row: u32) -> Option<usize> {
        (row != self.prepared.height()).then_some(row as usize * self.row_len())
    }

    /// The stored row `row` of the image; `None` for the border's.
    pub(super) fn row<'a, S>(&self, numbers: &'a [S], row: u32) -> Option<&'a [S]> {
        self.place_of_row(row).map(|begin| &numbers[begin..][..self.row_len()])
    }

    /// Down the columns first, from the image's `numbers`.
    fn fill_reduced<S: Copy + Into<f32>, T: Number>(
        &self,
        columns: &Columns,
        numbers: &[S],
        from: usize,
        target: Target<'_, T>,
    ) {
        let Target { maxval, is_premultiplied, out } = target;
        let len = self.row_len();
        let read = columns.reads(len);
        BUFFERS.with_borrow_mut(|Buffers { line, sums, rows: filtered }| {
            sums.resize(len, 0.0);
            filtered.resize(columns.padded_len(), 0.0);
            let mut rows: Vec<(f32, &[S])> = Vec::with_capacity(self.passes[1].weights.taps);
            for (index, out) in out.chunks_exact_mut(columns.len()).enumerate() {
                let border = self.rows_of(from + index, numbers, &mut rows);
                let constant = border * self.border;
                let total: f32 = border + rows.iter().map(|(weight, _)| weight).sum::<f32>();
                for (_, row) in &mut rows {
                    *row = &row[read.clone()];
                }
                self.instructions.run(
                    #[inline(always)]
                    || vertical::add_up(&rows, constant, &mut sums[read.clone()]),
                );
                columns.filter(self.instructions, (Some(&sums[..]), total * self.border), line, filtered);
                let unit = 1.0 / f32::from(self.prepared.maxval());
                let target = Target { maxval, is_premultiplied, out };
                vertical::write(self.instructions, [&filtered[..]], &[[unit]], target);
            }
        });
    }

    /// Puts the weights and rows of the image that row `index` of the output reads into `rows`, equal rows once. Returns the
    /// weight of the border.
    fn rows_of<'a, S>(&self, index: usize, numbers: &'a [S], rows: &mut Vec<(f32, &'a [S])>) -> f32 {
        rows.clear();
        let [_, axis] = self.prepared.axes();
        let (first, weights) = self.passes[1].weights.entry(index);
        let mut border = 0.0;
        let mut last = None;
        for (sample, &weight) in (first..).zip(weights) {
            let stored = axis.stored(sample);
            if weight == 0.0 {
                continue;
            }
            let Some(row) = self.row(numbers, stored) else {
                border += weight;
                continue;
            };
            if last == Some(stored)
                && let Some((sum, _)) = rows.last_mut()
            {
                *sum += weight;
            } else {
                rows.push((weight, row));
                last = Some(stored);
            }
        }
        border
    }
}

/// Calls `filter(row, place)` for those of the rows `stored` that are not in `held`, and returns the place of each. A place whose row
/// is not needed is taken.
pub(super) fn hold<const TAPS: usize>(
    stored: &[u32; TAPS],
    held: &mut [Option<u32>; TAPS],
    mut filter: impl FnMut(u32, usize),
) -> [usize; TAPS] {
    stored.map(|row| {
        held.iter().position(|held| *held == Some(row)).unwrap_or_else(|| {
            let is_free = |held: &Option<u32>| held.is_none_or(|row| !stored.contains(&row));
            // There are as many places as rows that are needed.
            let free = held.iter().position(is_free).unwrap_or(0);
            held[free] = Some(row);
            filter(row, free);
            free
        })
    })
}
