//! Pixels whose weights come from the definition: the fixed-point weights of filtering, which are discontinuous, stretched kernels,
//! and kernels that are not smooth between samples.

use super::Place;
use crate::sampling::{AddressMode, Axis, Taps};
use crate::warp::WarpedMap;

/// Adjacent stored samples and their weights.
#[derive(Default)]
struct Run {
    first: usize,
    weights: Vec<f32>,
}

/// Stored samples that a position reads along one axis. Weights of equal samples are added up, so that a run is never longer than
/// the axis.
#[derive(Default)]
struct AxisRuns {
    /// Two if the samples are on both ends of an axis that wraps, else one; the others are empty.
    runs: [Run; 2],
    /// Weight of the border constant.
    outside: f32,
    /// Weights before the address mode.
    exact: Vec<f64>,
    /// A sum for each stored sample, 0 between two positions.
    sums: Vec<f64>,
}

impl AxisRuns {
    /// Sets the runs for position `x`.
    fn set(&mut self, taps: &Taps, axis: Axis, x: f64) {
        let first = taps.weights_at(x, &mut self.exact);
        let stored = axis.stored_len() as usize;
        let [run, other] = &mut self.runs;
        run.weights.clear();
        other.weights.clear();
        self.outside = 0.0;
        let inside = usize::try_from(first.saturating_add(i64::from(axis.halo))).ok();
        if let Some(from) = inside.filter(|from| from.saturating_add(self.exact.len()) <= stored) {
            run.first = from;
            run.weights.extend(self.exact.iter().map(|&weight| weight as f32));
            return;
        }
        self.sums.resize(stored, 0.0);
        let (mut least, mut greatest, mut outside) = (stored, 0, 0.0);
        for (k, &weight) in self.exact.iter().enumerate() {
            let index = axis.stored(first.saturating_add(k as i64)) as usize;
            match self.sums.get_mut(index) {
                Some(sum) => {
                    *sum += weight;
                    (least, greatest) = (least.min(index), greatest.max(index));
                }
                None => outside += weight,
            }
        }
        self.outside = outside as f32;
        let ends = [0, self.exact.len() as i64 - 1].map(|k| axis.stored(first.saturating_add(k)) as usize);
        let take = |run: &mut Run, from: usize, to: usize| {
            run.first = from;
            run.weights.extend(self.sums.get(from..=to).unwrap_or_default().iter().map(|&weight| weight as f32));
        };
        if axis.halo == 0 && axis.address == AddressMode::Wrap && self.exact.len() < stored && ends[1] < ends[0] {
            take(run, ends[0], greatest);
            take(other, least, ends[1]);
        } else if least <= greatest {
            take(run, least, greatest);
        }
        if let Some(sums) = self.sums.get_mut(least..=greatest) {
            sums.fill(0.0);
        }
    }

    /// The runs that have samples. One empty run if only the border is read.
    fn used(&self) -> &[Run] {
        let [first, second] = &self.runs;
        if second.weights.is_empty() { std::slice::from_ref(first) } else { &self.runs }
    }

    fn total(&self) -> f32 {
        self.runs.iter().flat_map(|run| &run.weights).sum::<f32>() + self.outside
    }
}

impl<T: Copy + Into<f32>, const CHANNELS: usize> Place<'_, T, CHANNELS> {
    /// Weighted sum of the samples of both axes.
    fn sum_runs(&self, [x, y]: &[AxisRuns; 2]) -> [f32; CHANNELS] {
        let width = self.prepared.width() as usize;
        let (across_runs, down_runs) = (x.used(), y.used());
        let mut sums = [0.0_f32; CHANNELS];
        for down in down_runs {
            for (n, &wy) in down.weights.iter().enumerate() {
                let row = &self.numbers[(down.first + n) * width..][..width];
                let mut line = [0.0_f32; CHANNELS];
                for across in across_runs {
                    let samples = &row[across.first..][..across.weights.len()];
                    for (sample, &wx) in samples.iter().zip(&across.weights) {
                        line.iter_mut().zip(sample).for_each(|(sum, &value)| *sum += wx * value.into());
                    }
                }
                sums.iter_mut().zip(line).for_each(|(sum, line)| *sum += wy * line);
            }
        }
        if x.outside != 0.0 || y.outside != 0.0 {
            let (across, down) = (x.total(), y.total());
            let border = self.border * (x.outside * down + y.outside * (across - x.outside));
            sums.iter_mut().for_each(|sum| *sum += border);
        }
        sums
    }
}

/// Pixels of a row at the positions of `map`, whose weights are those of `taps_at`.
pub(super) fn direct_row<T: Copy + Into<f32>, const CHANNELS: usize>(
    place: &Place<'_, T, CHANNELS>,
    taps_at: impl Fn([f64; 2]) -> [Taps; 2],
    map: &WarpedMap,
    row: f64,
    out: &mut [[f32; CHANNELS]],
) {
    let axes = place.prepared.axes();
    let mut runs = [AxisRuns::default(), AxisRuns::default()];
    for (column, out) in out.iter_mut().enumerate() {
        let at = [column as f64, row];
        let (position, taps) = (map.at(at), taps_at(at));
        for axis in 0..2 {
            runs[axis].set(&taps[axis], axes[axis], position[axis]);
        }
        *out = place.sum_runs(&runs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::{ADDRESS_MODES, METHODS, Sampler};

    /// The weight of a stored sample, and of the border, is the sum over the taps that the address mode maps to it. Axes are shorter and
    /// longer than the kernel.
    #[test]
    fn runs_have_the_weight_of_each_stored_sample_under_every_address_mode() {
        let mut runs = AxisRuns::default();
        let (mut two, mut exact) = (0, Vec::new());
        for row in &METHODS {
            let sampler = Sampler { antialias: true, ..Sampler::default().with_method(row.method) };
            for mode in &ADDRESS_MODES {
                for (len, halo) in [(1, 0), (2, 0), (3, 0), (40, 0), (5, 12)] {
                    let axis = Axis { len, halo, address: mode.address };
                    let places = (0..120).map(|step| f64::from(step) * 0.73 - 30.0);
                    for (x, scale) in places.flat_map(|x| [1.0, 2.5, 30.0].map(|scale| (x, scale))) {
                        let taps = Taps::new(&sampler, scale);
                        runs.set(&taps, axis, x);
                        let mut expected = vec![0.0; axis.stored_len() as usize + 1];
                        let first = taps.weights_at(x, &mut exact);
                        for (k, &weight) in exact.iter().enumerate() {
                            expected[axis.stored(first + k as i64) as usize] += weight;
                        }
                        let mut found = vec![0.0; expected.len()];
                        for run in &runs.runs {
                            for (k, &weight) in run.weights.iter().enumerate() {
                                found[run.first + k] += weight;
                            }
                        }
                        found[axis.stored_len() as usize] += runs.outside;
                        two += usize::from(runs.runs.iter().all(|run| !run.weights.is_empty()));
                        for (index, (&found, &expected)) in found.iter().zip(&expected).enumerate() {
                            let error = (f64::from(found) - expected).abs();
                            assert!(error < 1e-6, "{} {} {axis:?} {scale} {x}: {index}", row.name, mode.name);
                        }
                        let read: usize = runs.runs.iter().map(|run| run.weights.len()).sum();
                        assert!(read <= exact.len().min(axis.stored_len() as usize), "{read} samples of {axis:?}");
                        assert!(runs.sums.iter().all(|&sum| sum == 0.0));
                    }
                }
            }
        }
        assert!(two > 100, "{two} positions with samples on both ends");
    }
}
