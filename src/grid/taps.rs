//! Positions along one axis as runs of stored values with their weights.
//!
//! Each position reads `taps` values that lie side by side in memory, wherever it is. A position whose samples are all
//! stored reads them; others read a run at the edge, with the weights of the samples outside added to those of the stored
//! values that they stand for. So the sum over the taps of all axes knows no edges.

use multiversion::multiversion;

use super::axis::GridAxis;
use super::knots::{KnotSpline, ORDER};
use super::number::Number;
#[cfg(feature = "cuda")]
use super::tail::MAX_TAIL;
use super::tail::Tail;
use super::weights::{Fractions, Weights};
use crate::sampling::{AddressMode, MAX_TAPS};

/// Stored values of one axis: the samples or coefficients, those kept beyond the edges, and repeated ones behind them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layout {
    /// Number of samples.
    pub(super) len: usize,
    /// Values kept beyond each edge.
    pub(super) halo: usize,
    /// Number of stored values: `len` + 2·`halo`, and under wrap as many of the first ones again as a run may pass the end
    /// by; at least as many as a run has.
    pub(super) stored: usize,
    /// Distance of neighbours in memory, in numbers.
    pub(super) stride: usize,
}

impl Layout {
    /// Number of values that are samples, coefficients or the border.
    pub(super) fn core(&self) -> usize {
        self.len + 2 * self.halo
    }
}

/// What decides the weights of an axis.
#[derive(Clone, Debug, PartialEq)]
enum Basis {
    /// A method's kernel.
    Kernel(Fractions),
    /// The spline through unequal knots.
    Knots(KnotSpline),
}

/// Runs and weights of positions along one axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AxisTaps {
    pub(super) layout: Layout,
    relation: GridAxis,
    address: AddressMode,
    tail: Tail,
    basis: Basis,
    /// Samples per unit of the coordinate.
    density: f64,
}

/// An axis between equal steps in plain numbers, for a device that weighs positions itself.
#[cfg(feature = "cuda")]
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AxisNumbers {
    /// Number of samples.
    pub(crate) len: usize,
    /// Values stored beyond each edge.
    pub(crate) halo: usize,
    /// Number of stored values.
    pub(crate) stored: usize,
    /// Distance of neighbours in memory, in numbers.
    pub(crate) stride: usize,
    /// Address mode.
    pub(crate) address: AddressMode,
    /// Coordinate of sample 0 and distance of two samples; `None` where coordinates count samples.
    pub(crate) scale: Option<[f64; 2]>,
    /// The least and the largest ⌊x + shift⌋ whose run is stored as it is; the least is above the largest if there is none.
    pub(crate) inside: [i32; 2],
}

/// Where the runs and weights of one axis go.
pub(super) struct Sinks<'a, T> {
    /// Index of the first stored value of each point, to which the axis adds its part.
    pub(super) bases: &'a mut [usize],
    /// Weights of the points, `step` numbers each.
    pub(super) weights: &'a mut [T],
    /// Numbers of a point.
    pub(super) step: usize,
    /// Place of this axis among them.
    pub(super) at: usize,
}

impl AxisTaps {
    /// Of a kernel.
    pub(super) fn of_kernel(
        fractions: Fractions,
        relation: GridAxis,
        address: AddressMode,
        tail: Tail,
        layout: Layout,
    ) -> Self {
        let density = relation.density();
        Self { layout, relation, address, tail, basis: Basis::Kernel(fractions), density }
    }

    /// Of the spline through unequal knots.
    pub(super) fn of_knots(spline: KnotSpline, layout: Layout) -> Self {
        let (relation, basis) = (GridAxis::Samples, Basis::Knots(spline));
        Self { layout, relation, address: AddressMode::Clamp, tail: Tail::CONSTANT, basis, density: 1.0 }
    }

    /// The axis in plain numbers; `None` if its knots are unequal.
    #[cfg(feature = "cuda")]
    pub(super) fn numbers(&self) -> Option<AxisNumbers> {
        let scale = match (&self.basis, &self.relation) {
            (Basis::Kernel(_), GridAxis::Samples) => None,
            (Basis::Kernel(_), &GridAxis::Scaled { origin, step }) => Some([origin, step]),
            (Basis::Kernel(_), GridAxis::Unequal(_)) | (Basis::Knots(_), _) => return None,
        };
        let runs = self.runs(self.fractions()?);
        let inside = if runs.least > runs.last {
            [1, 0]
        } else {
            [runs.least, runs.last].map(|start| (start - runs.offset) as i32)
        };
        let Layout { len, halo, stored, stride } = self.layout;
        Some(AxisNumbers { len, halo, stored, stride, address: self.address, scale, inside })
    }

    /// The kernel's weights; `None` of a spline through unequal knots.
    #[cfg(feature = "cuda")]
    pub(super) fn fractions(&self) -> Option<&Fractions> {
        match &self.basis {
            Basis::Kernel(fractions) => Some(fractions),
            Basis::Knots(_) => None,
        }
    }

    /// The stored values that stand for one beyond them: their number, and their factors by distance from 1 on, of which the last
    /// hold for all distances beyond.
    #[cfg(feature = "cuda")]
    pub(super) fn tail_factors(&self) -> (usize, Vec<[f64; MAX_TAIL]>) {
        let rows = if self.tail.halo() == 0 { 1 } else { FAR as i32 };
        (self.tail.halo() + 1, (1..=rows).map(|beyond| self.tail.factors(beyond)).collect())
    }

    /// Number of values of a run.
    pub(super) fn taps(&self) -> usize {
        match &self.basis {
            Basis::Kernel(fractions) => fractions.taps,
            Basis::Knots(_) => ORDER,
        }
    }

    /// Place of the stored value around which a point's run lies, for sorting; approximate at the edges.
    pub(super) fn place(&self, coordinate: f64) -> f64 {
        let mut x = [coordinate];
        match &self.basis {
            Basis::Kernel(_) => self.relation.to_samples(&mut x),
            Basis::Knots(spline) => x[0] = spline.weights_at(coordinate, 0, &mut [0.0; ORDER]) as f64,
        }
        let len = self.layout.len as f64;
        if self.address == AddressMode::Wrap { x[0] - len * (x[0] / len).floor() } else { x[0].clamp(0.0, len - 1.0) }
    }

    /// Adds the first stored value of each point's run to `sinks.bases` and writes the derivatives of `order` of its
    /// weights. `coordinates` are replaced by positions.
    pub(super) fn weigh<T: Number>(&self, order: usize, coordinates: &mut [f64], sinks: &mut Sinks<'_, T>) {
        let fractions = match &self.basis {
            Basis::Kernel(fractions) => fractions,
            Basis::Knots(_) => return self.weigh_each(order, coordinates, sinks),
        };
        self.relation.to_samples(coordinates);
        let Weights::Cubic(rows) = &fractions.weights[order] else {
            return self.weigh_each(order, coordinates, sinks);
        };
        let scale = self.density.powi(order as i32);
        let rows = rows.map(|row| row.map(|c| T::from_f64(c * scale)));
        let runs = self.runs(fractions);
        let are_inside = match fractions.taps {
            1 => weigh_cubic::<T, 1>(&runs, &rows, coordinates, sinks),
            2 => weigh_cubic::<T, 2>(&runs, &rows, coordinates, sinks),
            3 => weigh_cubic::<T, 3>(&runs, &rows, coordinates, sinks),
            _ => weigh_cubic::<T, 4>(&runs, &rows, coordinates, sinks),
        };
        if are_inside {
            return;
        }
        let mut run = [0.0; MAX_TAPS];
        for (k, &x) in coordinates.iter().enumerate() {
            let start = runs.start(x);
            if !runs.holds(start) {
                let found = self.run_at(x, order, &mut run);
                sinks.bases[k] = sinks.bases[k] - runs.clamped(start) * runs.stride + found * runs.stride;
                write_run(&run[..fractions.taps], scale, sinks.of_point(k));
            }
        }
    }

    /// The same, point by point.
    fn weigh_each<T: Number>(&self, order: usize, positions: &[f64], sinks: &mut Sinks<'_, T>) {
        let scale = self.density.powi(order as i32);
        let taps = self.taps();
        let mut run = [0.0; MAX_TAPS];
        for (k, &x) in positions.iter().enumerate() {
            let start = self.inside_at(x, order, &mut run).unwrap_or_else(|| self.run_at(x, order, &mut run));
            sinks.bases[k] += start * self.layout.stride;
            write_run(&run[..taps], scale, sinks.of_point(k));
        }
    }

    /// As [`AxisTaps::run_at`] where a kernel's samples are all stored, else `None`.
    fn inside_at(&self, x: f64, order: usize, run: &mut [f64; MAX_TAPS]) -> Option<usize> {
        let Basis::Kernel(fractions) = &self.basis else { return None };
        let runs = self.runs(fractions);
        let start = runs.start(x);
        runs.holds(start).then(|| {
            fractions.at(x, order, run);
            runs.clamped(start)
        })
    }

    fn runs(&self, fractions: &Fractions) -> Runs {
        let last = match self.address {
            AddressMode::Wrap => self.layout.len - 1,
            _ => self.layout.core().saturating_sub(fractions.taps),
        };
        // An axis shorter than a run has no run of samples alone.
        let is_short = self.address != AddressMode::Wrap && self.layout.core() < fractions.taps;
        Runs {
            shift: fractions.shift,
            offset: self.layout.halo as f64 - fractions.before as f64,
            last: last as f64,
            least: if is_short { f64::INFINITY } else { 0.0 },
            stride: self.layout.stride,
        }
    }

    /// Index of the first stored value of the run of position `x`, and the derivatives of `order` of its weights by the
    /// position in samples (of a spline through knots: by the coordinate). NaN where `x` is NaN, and where it is infinite
    /// under wrap and mirror.
    fn run_at(&self, x: f64, order: usize, run: &mut [f64; MAX_TAPS]) -> usize {
        let fractions = match &self.basis {
            Basis::Kernel(fractions) => fractions,
            Basis::Knots(spline) => return spline.weights_at(x, order, run),
        };
        let len = self.layout.len as f64;
        let reach = (fractions.taps + FAR) as f64;
        let x = match self.address {
            AddressMode::Clamp | AddressMode::Border => x.clamp(-reach, len + reach),
            AddressMode::Wrap => x - len * (x / len).floor(),
            AddressMode::Mirror => x - 2.0 * len * (x / (2.0 * len)).floor(),
        };
        if x.is_nan() {
            run[..fractions.taps].fill(x);
            return 0;
        }
        let mut weights = [0.0; MAX_TAPS];
        let first = fractions.at(x, order, &mut weights) as i64;
        self.fold(first, &weights[..fractions.taps], &mut run[..fractions.taps])
    }

    /// Weights of the samples from `first` on as weights of a run of stored values; returns the run's start.
    fn fold(&self, first: i64, weights: &[f64], run: &mut [f64]) -> usize {
        let Layout { len, halo, stored, .. } = self.layout;
        let last_start = stored - weights.len();
        run.fill(0.0);
        match self.address {
            AddressMode::Wrap => {
                run.copy_from_slice(weights);
                first.rem_euclid(len as i64) as usize
            }
            AddressMode::Mirror => {
                let index = |k: usize| self.address.resolve(first + k as i64, len as u32).unwrap_or(0) as usize;
                let start = (0..weights.len()).map(index).min().unwrap_or(0).min(last_start);
                weights.iter().enumerate().for_each(|(k, weight)| run[index(k) - start] += weight);
                start
            }
            AddressMode::Clamp | AddressMode::Border => {
                let core = self.layout.core() as i64;
                let first = first + halo as i64;
                let start = first.clamp(0, last_start as i64);
                for (k, &weight) in weights.iter().enumerate() {
                    let place = first + k as i64;
                    if (0..core).contains(&place) {
                        run[(place - start) as usize] += weight;
                        continue;
                    }
                    // e_j is the j-th stored value from the edge.
                    let (beyond, edge, inwards) =
                        if place < 0 { (-place, 0, 1) } else { (place - core + 1, core - 1, -1) };
                    let factors = self.tail.factors(beyond as i32);
                    for (j, factor) in (0_i64..).zip(&factors[..=self.tail.halo()]) {
                        run[(edge + inwards * j - start) as usize] += weight * factor;
                    }
                }
                start as usize
            }
        }
    }
}

/// Distance beyond the edges, in samples and after a run's length, from which on a clamped position changes nothing: the
/// slowest pole has faded to 10⁻²³.
const FAR: usize = 64;

impl<T> Sinks<'_, T> {
    /// The weights of point `k` from this axis on.
    fn of_point(&mut self, k: usize) -> &mut [T] {
        &mut self.weights[k * self.step + self.at..]
    }
}

fn write_run<T: Number>(run: &[f64], scale: f64, out: &mut [T]) {
    out.iter_mut().zip(run).for_each(|(out, weight)| *out = T::from_f64(weight * scale));
}

/// Where runs of samples start.
struct Runs {
    shift: f64,
    /// Start of the run of a position whose floor is 0.
    offset: f64,
    /// The first and the last start of a run of stored values.
    least: f64,
    last: f64,
    stride: usize,
}

impl Runs {
    #[inline(always)]
    fn start(&self, x: f64) -> f64 {
        (x + self.shift).floor() + self.offset
    }

    #[inline(always)]
    fn holds(&self, start: f64) -> bool {
        start >= self.least && start <= self.last
    }

    #[inline(always)]
    #[expect(unsafe_code, reason = "the saturating conversion takes several instructions more")]
    fn clamped(&self, start: f64) -> usize {
        // NaN becomes 0: `max` returns the operand that is a number.
        let inside = start.max(0.0).min(self.last);
        // SAFETY: `inside` is a number from 0 to the last start, which is below the 2^30 samples of an axis and its halo.
        unsafe { inside.to_int_unchecked::<i32>() as usize }
    }
}

/// Starts and cubic weights of points. False if a point's run is not stored as it is: its weights are then those of another
/// place.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl", "x86_64+avx2+fma", "aarch64+neon"))]
fn weigh_cubic<T: Number, const TAPS: usize>(
    runs: &Runs,
    rows: &[[T; 4]; 4],
    positions: &[f64],
    sinks: &mut Sinks<'_, T>,
) -> bool {
    let mut are_inside = true;
    for (&x, base) in positions.iter().zip(sinks.bases.iter_mut()) {
        let start = runs.start(x);
        are_inside &= runs.holds(start);
        *base += runs.clamped(start) * runs.stride;
    }
    let at = sinks.at;
    for (&x, weights) in positions.iter().zip(sinks.weights.chunks_exact_mut(sinks.step)) {
        let shifted = x + runs.shift;
        let alpha = T::from_f64(shifted - shifted.floor());
        let weights = &mut weights[at..at + TAPS];
        for k in 0..TAPS {
            weights[k] = rows[0][k] + alpha * (rows[1][k] + alpha * (rows[2][k] + alpha * rows[3][k]));
        }
    }
    are_inside
}
