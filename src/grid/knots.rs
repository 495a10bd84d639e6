//! The cubic spline through samples at unequal knots, as a sum of B-splines (de Boor 1978, chapters IX, X and XIII).
//!
//! Its knot vector leaves out the second sample's knot and that of the last but one, which makes the spline one polynomial
//! across them (“not-a-knot”). So there are as many B-splines as samples. Fewer than four samples have the polynomial
//! through all of them.

/// Most B-splines that are not 0 at a position.
pub(super) const ORDER: usize = 4;

/// B-splines on a knot vector whose ends are repeated.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct KnotSpline {
    /// The knot vector: each end `degree` + 1 times.
    knots: Vec<f64>,
    degree: usize,
}

impl KnotSpline {
    /// For samples at these rising coordinates.
    pub(super) fn new(coordinates: &[f64]) -> Self {
        let count = coordinates.len();
        let degree = (count - 1).min(ORDER - 1);
        let (first, last) = (coordinates[0], coordinates[count - 1]);
        // `count` − `degree` − 1 inner knots: none of the lower degrees, all but four of the cubic.
        let inner = if count > ORDER { &coordinates[2..count - 2] } else { &[] };
        let ends = |end| std::iter::repeat_n(end, degree + 1);
        let knots = ends(first).chain(inner.iter().copied()).chain(ends(last)).collect();
        Self { knots, degree }
    }

    /// Number of B-splines.
    fn count(&self) -> usize {
        self.knots.len() - self.degree - 1
    }

    /// Writes the derivatives of `order` (0 to 2) of the B-splines that are not 0 at `x` and returns the index of the
    /// first; those beyond the degree are 0. Beyond the ends the value is that of the end, and derivatives are 0.
    pub(super) fn weights_at(&self, x: f64, order: usize, weights: &mut [f64]) -> usize {
        let (first, last) = (self.knots[0], self.knots[self.knots.len() - 1]);
        weights[..ORDER].fill(0.0);
        if x.is_nan() {
            weights[..ORDER].fill(x);
            return 0;
        }
        let is_outside = x < first || x > last;
        let x = x.clamp(first, last);
        let span = self.span(x);
        if order > self.degree || (order > 0 && is_outside) {
            return span - self.degree;
        }
        // B-splines of the lower degree, then differences of them for each derivative.
        let lower = self.degree - order;
        let mut basis = [0.0; ORDER];
        self.basis(span, lower, x, &mut basis);
        for degree in lower + 1..=self.degree {
            let mut raised = [0.0; ORDER];
            // Of degree `degree` − 1 those from span − degree + 1 on are not 0: basis[k] is number span − degree + 1 + k.
            for (k, out) in raised[..=degree].iter_mut().enumerate() {
                let number = span + k - degree;
                let part = |basis: f64, from: usize| {
                    let width = self.knots[from + degree] - self.knots[from];
                    if width > 0.0 { basis / width } else { 0.0 }
                };
                let before = if k == 0 { 0.0 } else { part(basis[k - 1], number) };
                let after = if k == degree { 0.0 } else { part(basis[k], number + 1) };
                *out = degree as f64 * (before - after);
            }
            basis = raised;
        }
        weights[..=self.degree].copy_from_slice(&basis[..=self.degree]);
        span - self.degree
    }

    /// The knot interval of `x`: knots\[span\] ≤ x < knots\[span + 1\], the last one closed.
    fn span(&self, x: f64) -> usize {
        let inner = &self.knots[self.degree + 1..self.count()];
        self.degree + inner.partition_point(|&knot| knot <= x)
    }

    /// The `degree` + 1 B-splines of `degree` that are not 0 on `span`, from number span − degree on.
    fn basis(&self, span: usize, degree: usize, x: f64, basis: &mut [f64; ORDER]) {
        basis[0] = 1.0;
        for d in 1..=degree {
            let mut saved = 0.0;
            for (k, value) in basis[..d].iter_mut().enumerate() {
                let (right, left) = (self.knots[span + k + 1], self.knots[span + k + 1 - d]);
                let part = *value / (right - left);
                *value = saved + (right - x) * part;
                saved = (x - left) * part;
            }
            basis[d] = saved;
        }
    }

    /// The solver for the coefficients of the spline through samples at these coordinates.
    pub(super) fn collocation(&self, coordinates: &[f64]) -> Collocation {
        let count = self.count();
        let mut rows = vec![[0.0; BAND]; count];
        let mut weights = [0.0; ORDER];
        for (row, &x) in coordinates.iter().enumerate() {
            let first = self.weights_at(x, 0, &mut weights);
            for (k, &weight) in weights[..=self.degree].iter().enumerate() {
                // The last coordinate belongs to the last interval, so that no weight other than 0 leaves the band.
                if let Some(place) = (first + k + REACH).checked_sub(row).filter(|&place| place < BAND) {
                    rows[row][place] = weight;
                }
            }
        }
        Collocation::factored(rows)
    }
}

/// Entries on each side of the diagonal.
const REACH: usize = ORDER - 1;
/// Entries of a row of the band.
const BAND: usize = 2 * REACH + 1;

/// A banded system, factored into a lower and an upper triangle. Matrices of B-splines are totally positive: elimination
/// needs no pivots (de Boor, Pinkus 1977).
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Collocation {
    /// Row by row, the diagonal at [`REACH`]: left of it the factors of the elimination, from it on the upper triangle.
    rows: Vec<[f64; BAND]>,
}

impl Collocation {
    fn factored(mut rows: Vec<[f64; BAND]>) -> Self {
        let count = rows.len();
        for column in 0..count {
            let pivot = rows[column];
            let end = count.min(column + REACH + 1);
            for (below, row) in (1..).zip(&mut rows[column + 1..end]) {
                let at = REACH - below;
                let factor = row[at] / pivot[REACH];
                row[at] = factor;
                for k in 1..=REACH {
                    row[at + k] -= factor * pivot[REACH + k];
                }
            }
        }
        Self { rows }
    }

    /// Number of samples.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Replaces samples by coefficients, in `lanes` lines at once.
    pub(super) fn solve(&self, line: &mut [f64], lanes: usize) {
        let count = self.len();
        for row in 0..count {
            for before in row.saturating_sub(REACH)..row {
                let factor = self.rows[row][REACH + before - row];
                subtract(line, lanes, row, before, factor);
            }
        }
        for row in (0..count).rev() {
            for after in row + 1..count.min(row + REACH + 1) {
                let factor = self.rows[row][REACH + after - row];
                subtract(line, lanes, row, after, factor);
            }
            let scale = 1.0 / self.rows[row][REACH];
            line[row * lanes..][..lanes].iter_mut().for_each(|value| *value *= scale);
        }
    }
}

/// Subtracts `factor` times the values at place `other` from those at place `here`.
fn subtract(line: &mut [f64], lanes: usize, here: usize, other: usize, factor: f64) {
    let middle = here.max(other) * lanes;
    let (low, high) = line.split_at_mut(middle);
    let (low, high) = (&mut low[here.min(other) * lanes..][..lanes], &mut high[..lanes]);
    let (to, from) = if here > other { (high, low) } else { (low, high) };
    to.iter_mut().zip(from.iter()).for_each(|(to, from)| *to -= factor * from);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coordinates(count: usize) -> Vec<f64> {
        (0..count).map(|k| k as f64 + 0.4 * (k as f64 * 2.3).sin()).collect()
    }

    fn spline(coordinates: &[f64], samples: &[f64]) -> impl Fn(f64, usize) -> f64 {
        let spline = KnotSpline::new(coordinates);
        let mut coefficients = samples.to_vec();
        spline.collocation(coordinates).solve(&mut coefficients, 1);
        move |x, order| {
            let mut weights = [0.0; ORDER];
            let first = spline.weights_at(x, order, &mut weights);
            weights.iter().zip(coefficients.iter().skip(first)).map(|(w, c)| w * c).sum()
        }
    }

    #[test]
    fn spline_passes_through_its_samples_and_is_exact_for_polynomials_of_its_degree() {
        for count in 1..=12 {
            let x = coordinates(count);
            let cubic = |x: f64| match count {
                1 => 0.7,
                2 => 0.7 - 0.3 * x,
                3 => 0.7 + x * (0.2 * x - 0.3),
                _ => 0.7 + x * (x * (0.2 - 0.03 * x) - 0.3),
            };
            let samples: Vec<f64> = x.iter().map(|&x| cubic(x)).collect();
            let value = spline(&x, &samples);
            for step in 0..=100 {
                let at = x[0] + (x[count - 1] - x[0]) * f64::from(step) / 100.0;
                assert!((value(at, 0) - cubic(at)).abs() < 1e-12, "{count} samples at {at}");
            }
            let rough: Vec<f64> = (0..count).map(|k| ((k * 37 % 11) as f64) / 11.0).collect();
            let value = spline(&x, &rough);
            for (x, sample) in x.iter().zip(&rough) {
                assert!((value(*x, 0) - sample).abs() < 1e-12, "{count} samples at {x}");
            }
            assert!((value(x[0] - 5.0, 0) - rough[0]).abs() < 1e-12);
        }
    }

    #[test]
    fn derivatives_are_those_of_differences_and_vanish_outside() {
        let x = coordinates(9);
        let rough: Vec<f64> = (0..9).map(|k| f64::from(k * 37 % 11) / 11.0).collect();
        let value = spline(&x, &rough);
        let h = 1e-4;
        for step in 1..100 {
            let at = x[0] + (x[8] - x[0]) * f64::from(step) / 100.0;
            let first = (value(at + h, 0) - value(at - h, 0)) / (2.0 * h);
            let second = (value(at + h, 1) - value(at - h, 1)) / (2.0 * h);
            assert!((value(at, 1) - first).abs() < 1e-6, "{at}: {} {first}", value(at, 1));
            assert!((value(at, 2) - second).abs() < 2e-3, "{at}: {} {second}", value(at, 2));
        }
        assert_eq!([value(x[0] - 1.0, 1), value(x[8] + 1.0, 2)], [0.0; 2]);
    }
}
