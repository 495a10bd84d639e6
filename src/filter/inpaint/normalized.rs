//! Normalized convolution: two passes of Gaussian weights over values times certainties and over certainties.

use super::{Holes, Sample};
use crate::filter::{ExecOptions, gaussian_radius};

/// Rows of one task.
const BAND_ROWS: usize = 8;

/// The values of the cells of the holes' rectangle, channels interleaved; those that are no holes are unspecified.
pub(super) fn filled(holes: &Holes<'_>, sigma: f64, work: &ExecOptions) -> Vec<f64> {
    let count = holes.plane.channels.count();
    let [_, _, columns, rows] = holes.bounds;
    let mut values = vec![0.0; columns * rows * count];
    let mut missing: Vec<bool> = vec![false; columns * rows];
    holes.places().for_each(|(cell, _)| missing[cell] = true);
    let has_known = {
        let [width, height] = holes.plane.size.map(i64::from);
        // A sample beyond an edge is the border's constant, or one of the samples.
        (-1..height).any(|y| (-1..width).any(|x| matches!(holes.sample(x, y), Sample::Known(_) | Sample::Border)))
    };
    let mut sigma = sigma;
    while has_known && missing.contains(&true) && !work.stop.is_set() {
        Pass::new(holes, sigma, &missing).run(work, &mut missing, &mut values);
        sigma *= 2.0;
    }
    values
}

/// One Gaussian over the cells that no narrower one has reached.
struct Pass<'a> {
    holes: &'a Holes<'a>,
    /// Weights from the centre outwards.
    weights: Vec<f64>,
    /// Smallest part of the holes' rectangle with all these cells: first column and row, numbers of columns and rows.
    part: [usize; 4],
}

impl<'a> Pass<'a> {
    fn new(holes: &'a Holes<'a>, sigma: f64, missing: &[bool]) -> Self {
        let columns = holes.bounds[2];
        let (mut least, mut greatest) = ([usize::MAX; 2], [0; 2]);
        for cell in (0..missing.len()).filter(|&cell| missing[cell]) {
            let at = [cell % columns, cell / columns];
            least = [0, 1].map(|axis| least[axis].min(at[axis]));
            greatest = [0, 1].map(|axis| greatest[axis].max(at[axis]));
        }
        let weights = (0..=gaussian_radius(sigma)).map(|d| (-f64::from(d).powi(2) / (2.0 * sigma * sigma)).exp());
        let part = [least[0], least[1], greatest[0] - least[0] + 1, greatest[1] - least[1] + 1];
        Self { holes, weights: weights.collect(), part }
    }

    /// Fills the cells that are reached, and marks them.
    fn run(&self, work: &ExecOptions, missing: &mut [bool], values: &mut [f64]) {
        let count = self.holes.plane.channels.count();
        let sums = count + 1;
        let reach = self.weights.len() - 1;
        let [left, top, columns, rows] = self.part;
        // Along the rows: for each cell of the part, and the rows within reach, Σ w·c·I for each channel and Σ w·c.
        let mut between = vec![0.0; (rows + 2 * reach) * columns * sums];
        let first = [self.holes.bounds[0] + left, self.holes.bounds[1] + top].map(|place| place as i64 - reach as i64);
        work.for_bands((&mut between, columns * sums), BAND_ROWS, Vec::new, |line: &mut Vec<f64>, from, out| {
            for (row, out) in out.chunks_exact_mut(columns * sums).enumerate() {
                line.clear();
                for column in 0..columns + 2 * reach {
                    self.push([first[0] + column as i64, first[1] + (from + row) as i64], line);
                }
                for (column, out) in out.chunks_exact_mut(sums).enumerate() {
                    self.weigh(|k| &line[(column + k) * sums..][..sums], out);
                }
            }
        });
        let mut whole = vec![0.0; rows * columns * sums];
        work.for_bands(
            (&mut whole, columns * sums),
            BAND_ROWS,
            || (),
            |(), from, out| {
                for (row, out) in out.chunks_exact_mut(columns * sums).enumerate() {
                    for (column, out) in out.chunks_exact_mut(sums).enumerate() {
                        self.weigh(|k| &between[((from + row + k) * columns + column) * sums..][..sums], out);
                    }
                }
            },
        );
        if work.stop.is_set() {
            return;
        }
        for (place, sum) in whole.chunks_exact(sums).enumerate() {
            let cell = (top + place / columns) * self.holes.bounds[2] + left + place % columns;
            let certainty = sum[count];
            if missing[cell] && certainty > 0.0 {
                missing[cell] = false;
                let filled = &mut values[cell * count..][..count];
                filled.iter_mut().zip(sum).for_each(|(value, sum)| *value = sum / certainty);
            }
        }
    }

    /// Appends c·I of each channel and c of one sample.
    fn push(&self, [x, y]: [i64; 2], line: &mut Vec<f64>) {
        let count = self.holes.plane.channels.count();
        match self.holes.sample(x, y) {
            Sample::Known(place) => {
                line.extend((0..count).map(|channel| self.holes.value(place, channel)).chain([1.0]));
            }
            Sample::Border => {
                line.extend(std::iter::repeat_n(f64::from(self.holes.edges.border), count).chain([1.0]));
            }
            Sample::Hole(_) | Sample::Unknown => line.extend(std::iter::repeat_n(0.0, count + 1)),
        }
    }

    /// Writes the weighted sums of `taps`, of which there are 2·reach + 1.
    fn weigh<'b>(&self, taps: impl Fn(usize) -> &'b [f64], out: &mut [f64]) {
        let reach = self.weights.len() - 1;
        out.fill(0.0);
        for k in 0..=2 * reach {
            let weight = self.weights[k.abs_diff(reach)];
            out.iter_mut().zip(taps(k)).for_each(|(sum, tap)| *sum += weight * tap);
        }
    }
}
