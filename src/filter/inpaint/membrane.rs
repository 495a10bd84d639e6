//! The membrane: Laplace's equation on the holes, by conjugate gradients with a multigrid cycle as preconditioner.
//!
//! ```text
//!     n·u(x, y) − Σ u(neighbouring holes) = Σ I(known neighbours),   n neighbours of the four
//! ```
//!
//! Along an axis of clamp or mirror the edge sample's neighbour beyond the edge is itself and does not count: the membrane
//! ends level there. The equations are symmetric and, where every hole is connected with a known sample, positive definite.
//! The solver ends at a residual of 10⁻¹² of the right-hand side (Euclidean norm).
//!
//! Levels of the multigrid: a cell of the next level is 2 × 2 cells with one common correction (plain aggregation), so that
//! its equations are sums of theirs, whatever the outline of the holes. A cycle relaxes forwards, corrects twice by the next
//! level, and relaxes backwards, which is symmetric (Notay, "An aggregation-based algebraic multigrid method", ETNA 37,
//! 2010).

use super::{Holes, Sample};
use crate::filter::ExecOptions;

/// Residual at which the solver ends, relative to the right-hand side.
const RESIDUAL: f64 = 1e-12;
/// Steps of the conjugate gradients at most.
const MAX_STEPS: usize = 400;
/// Steps that are usual.
#[cfg(test)]
const USUAL_STEPS: usize = 40;

/// The values of the cells of the holes' rectangle, channels interleaved; those that are no holes are 0.
pub(super) fn filled(holes: &Holes<'_>, work: &ExecOptions) -> Vec<f64> {
    let count = holes.plane.channels.count();
    let equations = Equations::new(holes);
    let mut levels = levels_of(equations.level);
    let cells = levels[0].diagonal.len();
    let mut values = vec![0.0; cells * count];
    for channel in 0..count {
        let mut right = vec![0.0; cells];
        for (cell, known) in &equations.known {
            right[*cell] += match known {
                Some(place) => holes.value(*place, channel),
                None => f64::from(holes.edges.border),
            };
        }
        let (solution, _) = solve(&mut levels, &right, work);
        for (value, solved) in values.iter_mut().skip(channel).step_by(count).zip(solution) {
            *value = solved;
        }
    }
    values
}

/// The equations of the holes' rectangle.
struct Equations {
    level: Level,
    /// Known neighbours: the cell, and the sample, or `None` for the border's constant.
    known: Vec<(usize, Option<usize>)>,
}

impl Equations {
    fn new(holes: &Holes<'_>) -> Self {
        let [left, top, columns, rows] = holes.bounds;
        let width = holes.plane.size[0] as usize;
        let cell_of = |place: usize| (place / width - top) * columns + place % width - left;
        let mut level = Level::empty([columns, rows]);
        let mut known = Vec::new();
        for (cell, place) in holes.places() {
            let [x, y] = [place % width, place / width].map(|k| k as i64);
            for (axis, side) in [(0, 1), (1, 1), (0, -1), (1, -1)] {
                let neighbour = if axis == 0 { holes.sample(x + side, y) } else { holes.sample(x, y + side) };
                match neighbour {
                    Sample::Hole(other) if other == place => {}
                    // Once for each pair, from the one before.
                    Sample::Hole(other) if side == 1 => {
                        level.edges[axis][cell] += 1.0;
                        level.diagonal[cell] += 1.0;
                        level.diagonal[cell_of(other)] += 1.0;
                    }
                    Sample::Hole(_) | Sample::Unknown => {}
                    Sample::Known(other) => known.push((cell, Some(other))),
                    Sample::Border => known.push((cell, None)),
                }
            }
        }
        known.iter().for_each(|(cell, _)| level.diagonal[*cell] += 1.0);
        level.drop_unbounded(known.iter().map(|(cell, _)| *cell));
        Self { level, known }
    }
}

/// One level of the multigrid: a cell has four neighbours, those of the last column and row in the first (wrap).
struct Level {
    /// Numbers of columns and rows.
    size: [usize; 2],
    /// Weights between a cell and the next along x and along y.
    edges: [Vec<f32>; 2],
    /// Sums of the weights of a cell; 0 for one without an equation.
    diagonal: Vec<f32>,
    /// Unknowns and right-hand sides of a cycle.
    unknowns: Vec<f32>,
    right: Vec<f32>,
}

impl Level {
    fn empty(size: [usize; 2]) -> Self {
        let zeros = || vec![0.0; size[0] * size[1]];
        Self { size, edges: [zeros(), zeros()], diagonal: zeros(), unknowns: zeros(), right: zeros() }
    }

    /// The cells before and after `cell` along x, then along y.
    fn neighbours(&self, cell: usize) -> [usize; 4] {
        let [columns, rows] = self.size;
        let (x, y) = (cell % columns, cell / columns);
        let start = cell - x;
        let before = if x == 0 { start + columns - 1 } else { cell - 1 };
        let after = if x + 1 == columns { start } else { cell + 1 };
        let above = if y == 0 { cell + (rows - 1) * columns } else { cell - columns };
        let below = if y + 1 == rows { x } else { cell + columns };
        [before, after, above, below]
    }

    /// Σ w·u over the neighbours of `cell`.
    #[inline(always)]
    fn pull<T: Copy + Into<f64>>(&self, values: &[T], cell: usize) -> f64 {
        let [before, after, above, below] = self.neighbours(cell);
        let [x, y] = &self.edges;
        f64::from(x[before]) * values[before].into()
            + f64::from(x[cell]) * values[after].into()
            + f64::from(y[above]) * values[above].into()
            + f64::from(y[cell]) * values[below].into()
    }

    /// Takes the equations of cells away that are not connected with one of `bounded`.
    fn drop_unbounded(&mut self, bounded: impl Iterator<Item = usize>) {
        let mut is_bounded = vec![false; self.diagonal.len()];
        let mut open: Vec<usize> = bounded.collect();
        while let Some(cell) = open.pop() {
            if std::mem::replace(&mut is_bounded[cell], true) {
                continue;
            }
            let [before, after, above, below] = self.neighbours(cell);
            let [x, y] = &self.edges;
            for (weight, next) in [(x[before], before), (x[cell], after), (y[above], above), (y[cell], below)] {
                if weight > 0.0 && !is_bounded[next] {
                    open.push(next);
                }
            }
        }
        for cell in (0..is_bounded.len()).filter(|&cell| !is_bounded[cell]) {
            self.diagonal[cell] = 0.0;
            self.edges.iter_mut().for_each(|edges| edges[cell] = 0.0);
        }
    }

    /// The level of 2 × 2 cells.
    fn coarser(&self) -> Self {
        let mut level = Self::empty(self.size.map(|side| side.div_ceil(2)));
        for cell in 0..self.diagonal.len() {
            let whole = self.coarse_cell(cell, level.size[0]);
            level.diagonal[whole] += self.diagonal[cell];
            let [_, after, _, below] = self.neighbours(cell);
            for (axis, next) in [(0, after), (1, below)] {
                let weight = self.edges[axis][cell];
                if self.coarse_cell(next, level.size[0]) == whole {
                    level.diagonal[whole] -= 2.0 * weight;
                } else {
                    level.edges[axis][whole] += weight;
                }
            }
        }
        level
    }

    fn coarse_cell(&self, cell: usize, coarse_columns: usize) -> usize {
        let columns = self.size[0];
        cell / columns / 2 * coarse_columns + cell % columns / 2
    }

    /// Sets the unknown of one cell by its neighbours.
    #[inline(always)]
    fn relax(&mut self, cell: usize) {
        let diagonal = self.diagonal[cell];
        if diagonal > 0.0 {
            let pull = self.pull(&self.unknowns, cell);
            self.unknowns[cell] = ((f64::from(self.right[cell]) + pull) / f64::from(diagonal)) as f32;
        }
    }
}

/// The finest level and all coarser ones, down to one cell.
fn levels_of(finest: Level) -> Vec<Level> {
    let mut levels = vec![finest];
    while let Some(last) = levels.last().filter(|level| level.diagonal.len() > 1) {
        let coarser = last.coarser();
        levels.push(coarser);
    }
    levels
}

/// Sets the unknowns of the first level to an approximate solution.
fn cycle(levels: &mut [Level]) {
    let Some((fine, coarser)) = levels.split_first_mut() else { return };
    let cells = fine.diagonal.len();
    fine.unknowns.fill(0.0);
    (0..cells).for_each(|cell| fine.relax(cell));
    for _ in 0..2 {
        let Some(coarse) = coarser.first_mut() else { break };
        coarse.right.fill(0.0);
        for cell in (0..cells).filter(|&cell| fine.diagonal[cell] > 0.0) {
            let residual = f64::from(fine.right[cell])
                - f64::from(fine.diagonal[cell]) * f64::from(fine.unknowns[cell])
                + fine.pull(&fine.unknowns, cell);
            coarse.right[fine.coarse_cell(cell, coarse.size[0])] += residual as f32;
        }
        cycle(coarser);
        let Some(coarse) = coarser.first() else { break };
        for cell in (0..cells).filter(|&cell| fine.diagonal[cell] > 0.0) {
            let correction = coarse.unknowns[fine.coarse_cell(cell, coarse.size[0])];
            fine.unknowns[cell] += correction;
        }
    }
    (0..cells).rev().for_each(|cell| fine.relax(cell));
}

/// The solution for the right-hand side `right`, by preconditioned conjugate gradients, and the number of steps. As the cycle
/// runs in single precision, a direction is orthogonal to the last by Polak and Ribière's formula.
fn solve(levels: &mut [Level], right: &[f64], work: &ExecOptions) -> (Vec<f64>, usize) {
    let cells = right.len();
    let mut solution = vec![0.0; cells];
    let mut residual = right.to_vec();
    let bound = RESIDUAL * norm(right);
    let mut direction = vec![0.0; cells];
    let mut image = vec![0.0; cells];
    let mut before = vec![0.0; cells];
    let mut slope = 1.0;
    for step in 0..MAX_STEPS {
        let size = norm(&residual);
        let Some(finest) = levels.first_mut().filter(|_| size > bound && !work.stop.is_set()) else {
            return (solution, step);
        };
        // Of unit size, whatever the range of single precision.
        finest.right.iter_mut().zip(&residual).for_each(|(to, value)| *to = (value / size) as f32);
        cycle(levels);
        let finest = &levels[0];
        let (mut new_slope, mut old_slope) = (0.0, 0.0);
        for cell in 0..cells {
            let correction = f64::from(finest.unknowns[cell]) * size;
            new_slope += correction * residual[cell];
            old_slope += correction * before[cell];
        }
        let turn = if step == 0 { 0.0 } else { (new_slope - old_slope) / slope };
        slope = new_slope;
        for (along, unknown) in direction.iter_mut().zip(&finest.unknowns) {
            *along = f64::from(*unknown) * size + turn * *along;
        }
        let mut curvature = 0.0;
        for cell in 0..cells {
            image[cell] = f64::from(finest.diagonal[cell]) * direction[cell] - finest.pull(&direction, cell);
            curvature += direction[cell] * image[cell];
        }
        let along: f64 = direction.iter().zip(&residual).map(|(d, r)| d * r).sum();
        let length = along / curvature;
        if !length.is_finite() {
            return (solution, step);
        }
        before.copy_from_slice(&residual);
        for cell in 0..cells {
            solution[cell] += length * direction[cell];
            residual[cell] -= length * image[cell];
        }
    }
    (solution, MAX_STEPS)
}

fn norm(values: &[f64]) -> f64 {
    values.iter().map(|value| value * value).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Equations on the cells of a rectangle, whose neighbours that are no cells are known.
    fn equations(size: [usize; 2], is_cell: impl Fn(usize, usize) -> bool) -> (Vec<Level>, Vec<f64>) {
        let mut level = Level::empty(size);
        let [columns, rows] = size;
        let mut right = vec![0.0; columns * rows];
        let has = |x: usize, y: usize| x < columns && y < rows && is_cell(x, y);
        for cell in (0..columns * rows).filter(|cell| is_cell(cell % columns, cell / columns)) {
            let (x, y) = (cell % columns, cell / columns);
            level.diagonal[cell] = 4.0;
            level.edges[0][cell] = f32::from(u8::from(has(x + 1, y)));
            level.edges[1][cell] = f32::from(u8::from(has(x, y + 1)));
            let around = [has(x.wrapping_sub(1), y), has(x + 1, y), has(x, y.wrapping_sub(1)), has(x, y + 1)];
            let known = around.iter().filter(|is_cell| !*is_cell).count();
            right[cell] = known as f64 * (1 + (x * 7 + y * 3) % 11) as f64;
        }
        (levels_of(level), right)
    }

    fn residual(level: &Level, (solution, right): (&[f64], &[f64])) -> f64 {
        let of_cell =
            |cell: usize| right[cell] - f64::from(level.diagonal[cell]) * solution[cell] + level.pull(solution, cell);
        norm(&(0..right.len()).map(of_cell).collect::<Vec<_>>()) / norm(right)
    }

    #[test]
    fn residual_is_as_stated_for_any_outline_within_few_steps() {
        let disc = |x: usize, y: usize| x.abs_diff(150).pow(2) + y.abs_diff(150).pow(2) < 140 * 140;
        let letters = |x: usize, y: usize| x % 9 < 4 || (y % 13 < 3 && x.is_multiple_of(2));
        let line = |x: usize, y: usize| x.abs_diff(y) < 2;
        type Outline<'a> = &'a dyn Fn(usize, usize) -> bool;
        let cases: [([usize; 2], Outline<'_>); 6] = [
            ([300, 300], &disc),
            ([301, 127], &|_, _| true),
            ([200, 200], &letters),
            ([257, 257], &line),
            ([1, 1], &|_, _| true),
            ([2, 700], &|_, _| true),
        ];
        for (size, is_cell) in cases {
            let (mut levels, right) = equations(size, is_cell);
            let (solution, steps) = solve(&mut levels, &right, &ExecOptions::default());
            let reached = residual(&levels[0], (&solution, &right));
            assert!(reached <= 2.0 * RESIDUAL, "{size:?}: {reached:e}");
            assert!(steps <= USUAL_STEPS, "{size:?}: {steps} steps");
        }
    }

    #[test]
    fn coarser_levels_keep_the_weights_to_what_is_known() {
        let (levels, _) = equations([37, 22], |x, y| (x + y) % 5 != 0);
        let boundary = |level: &Level| {
            let pulls: f64 =
                (0..level.diagonal.len()).map(|cell| level.pull(&vec![1.0; level.diagonal.len()], cell)).sum();
            level.diagonal.iter().map(|&d| f64::from(d)).sum::<f64>() - pulls
        };
        let finest = boundary(&levels[0]);
        assert!(finest > 0.0);
        assert!(levels.iter().all(|level| boundary(level) == finest), "sums of integers are exact");
        assert_eq!(levels.last().map(|level| level.size), Some([1, 1]));
    }
}
