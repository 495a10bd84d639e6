//! Counts of the values of a difference by sign and magnitude, of which the bins of the scale at each automatic gain are sums.
//!
//! An automatic gain is m·2^k, where m is 1, 1.25, 1.5 or 1.75. With m·|v| on the axis, the scale at k ends at 2^-k, and a scale has
//! twice as many steps as an octave. A step of a scale is then a cell, or a sum of cells of lower octaves:
//!
//! ```text
//! 0         1/4       1/2                 1
//! |..cells..|..cells..|..octave of cells..|   m·|v|
//! |              scale at 2^0             |
//! |   scale at 2^1    |
//! ```

use crate::app::session::Gain;

/// Steps of an octave; below the last octave, down to 0, there are as many.
const OCTAVE: usize = 32;
/// Steps of a scale between 0 and its end.
const SCALE: i32 = 2 * OCTAVE as i32;
/// Number of octaves.
const OCTAVES: usize = Gain::MAX_LOG2 as usize + 1;
/// Cells of a sign. The last one has the values beyond 1.
const CELLS: usize = OCTAVE * (OCTAVES + 1) + 1;
/// Values m of the gains.
const FACTORS: [f32; 4] = [1.0, 1.25, 1.5, 1.75];

/// Parts of the scale by which a value exceeds it because of rounding: the tolerance of exact paths.
pub(super) const ROUNDING: f32 = 2e-6;

/// Index of the cell of a magnitude, of which 1 is the end of the widest scale. There are no branches: a processor
/// cannot predict those of noise.
#[inline]
fn cell(magnitude: f32) -> usize {
    // In steps of the lowest octave, which has as many of them as the part below it. The conversion ends at the greatest integer.
    const END: u32 = (OCTAVE as u32) << OCTAVES;
    let steps = ((magnitude * END as f32) as u32).min(END);
    let octave = (steps | OCTAVE as u32).ilog2() - OCTAVE.ilog2();
    octave as usize * OCTAVE + (steps >> octave) as usize
}

/// A bin of the values of a difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::app) struct DifferenceBin {
    /// Its ends, where 1 is maxval. One of them is infinite if the bin is beyond the scale.
    pub(in crate::app) range: [f64; 2],
    /// Number of values.
    pub(in crate::app) count: u32,
}

impl DifferenceBin {
    /// Whether the bin has the values beyond an end of the scale.
    pub(in crate::app) fn is_beyond(&self) -> bool {
        self.range.iter().any(|end| end.is_infinite())
    }
}

/// Counts of values by the m of a gain, sign and magnitude. Zeros are among the negative ones.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DifferenceCounts {
    cells: Box<[[[u32; CELLS]; 2]; FACTORS.len()]>,
    total: u32,
}

impl DifferenceCounts {
    pub(super) fn new() -> Self {
        Self { cells: Box::new([[[0; CELLS]; 2]; FACTORS.len()]), total: 0 }
    }

    /// Counts `value`, which is finite.
    #[inline]
    pub(super) fn add(&mut self, value: f32) {
        self.total += 1;
        for (signs, factor) in self.cells.iter_mut().zip(FACTORS) {
            // A value at the end of a step belongs to that step.
            signs[usize::from(value > 0.0)][cell(value.abs() * (factor / (1.0 + ROUNDING)))] += 1;
        }
    }

    /// Number of values.
    pub(super) fn total(&self) -> u32 {
        self.total
    }

    /// Numbers of values beyond the scale at each of [`Gain::automatic`]: below its lower end, and above its upper one.
    pub(super) fn beyond(&self) -> [[u32; 2]; Gain::AUTOMATIC] {
        std::array::from_fn(|index| [0, 1].map(|sign| self.between(index, sign, [SCALE, i32::MAX])))
    }

    /// The bins at the automatic gain `index`, from the lowest to the highest: those of the scale, and one beyond each end. 0 is in the
    /// middle of a signed scale's bin. Its first and its last bin within the ends are half as wide as the others.
    pub(super) fn bins(&self, index: usize, is_absolute: bool) -> impl Iterator<Item = DifferenceBin> + '_ {
        let step = 1.0 / (Gain::automatic()[index] * f64::from(SCALE));
        // Bins begin and end at these steps.
        let edge = move |edge: i32| match is_absolute {
            true => edge,
            false => (2 * edge - SCALE - 1).clamp(-SCALE, SCALE),
        };
        let within = (0..if is_absolute { SCALE } else { SCALE + 1 }).map(move |bin| {
            let ends = [edge(bin), edge(bin + 1)];
            // Zeros are in the first bin of an absolute scale.
            let [low, high] = ends;
            let negative = if is_absolute && low == 0 { [0, high] } else { [(-high).max(0), (-low).max(0)] };
            let count = self.between(index, 0, negative) + self.between(index, 1, [low.max(0), high.max(0)]);
            DifferenceBin { range: ends.map(|end| f64::from(end) * step), count }
        });
        let end = f64::from(SCALE) * step;
        let beyond = move |sign: usize| {
            let range = if sign == 0 { [f64::NEG_INFINITY, -end] } else { [end, f64::INFINITY] };
            DifferenceBin { range, count: self.between(index, sign, [SCALE, i32::MAX]) }
        };
        let below = (!is_absolute).then(|| beyond(0));
        below.into_iter().chain(within).chain([beyond(1)])
    }

    /// Number of values of a sign between two steps of the scale at the automatic gain `index`; without an upper step from
    /// [`SCALE`] on.
    fn between(&self, index: usize, sign: usize, [low, high]: [i32; 2]) -> u32 {
        let (octave, cells) = (index / FACTORS.len(), &self.cells[index % FACTORS.len()][sign]);
        let cell_of = |step: i32| cell(step as f32 / SCALE as f32 / (1_u32 << octave) as f32);
        let last = if high > SCALE { CELLS } else { cell_of(high) };
        cells[cell_of(low).min(last)..last].iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(values: &[f32]) -> DifferenceCounts {
        let mut counts = DifferenceCounts::new();
        values.iter().for_each(|value| counts.add(*value));
        counts
    }

    /// Bins with values: their ends, in steps of the scale, and their counts.
    fn filled(counts: &DifferenceCounts, index: usize, is_absolute: bool) -> Vec<([f64; 2], u32)> {
        let step = 1.0 / (Gain::automatic()[index] * f64::from(SCALE));
        let bins = counts.bins(index, is_absolute).filter(|bin| bin.count > 0);
        bins.map(|bin| (bin.range.map(|end| (end / step).round()), bin.count)).collect()
    }

    #[test]
    fn cells_rise_with_the_magnitude_and_begin_at_the_steps_of_each_scale() {
        for octave in 0..OCTAVES {
            let mut last = None;
            for step in 0..=SCALE {
                let start = step as f32 / SCALE as f32 / (1_u32 << octave) as f32;
                let found = cell(start);
                assert!(last < Some(found), "{octave} {step}");
                assert!(step == 0 || cell(start * (1.0 - f32::EPSILON)) + 1 == found, "{octave} {step}");
                last = Some(found);
            }
        }
        assert_eq!([cell(0.0), cell(1.0), cell(f32::MAX)], [0, CELLS - 1, CELLS - 1]);
    }

    #[test]
    fn bins_of_every_gain_join_and_have_all_values() {
        let values: Vec<f32> = (0..4000).map(|at| ((at as f32 * 0.37).sin() * 1.3).powi(7)).collect();
        let (found, absolute) = (counts(&values), counts(&values.iter().map(|value| value.abs()).collect::<Vec<_>>()));
        for (index, gain) in Gain::automatic().into_iter().enumerate() {
            for (found, is_absolute) in [(&found, false), (&absolute, true)] {
                let bins: Vec<DifferenceBin> = found.bins(index, is_absolute).collect();
                assert_eq!(bins.len(), if is_absolute { 65 } else { 67 });
                assert_eq!(bins.iter().map(|bin| bin.count).sum::<u32>(), found.total());
                assert!(bins.windows(2).all(|pair| pair[0].range[1] == pair[1].range[0]), "{gain}");
                assert_eq!(bins[0].range[0], if is_absolute { 0.0 } else { f64::NEG_INFINITY });
                // Counted from the values themselves.
                let is_in = |bin: &DifferenceBin, value: f32| {
                    let scaled = f64::from((if is_absolute { value.abs() } else { value }) / (1.0 + ROUNDING));
                    (bin.range[0]..bin.range[1]).contains(&scaled)
                };
                for bin in &bins {
                    let expected = values.iter().filter(|value| is_in(bin, **value)).count() as u32;
                    assert_eq!(bin.count, expected, "{bin:?} at {gain}");
                }
            }
            assert_eq!(absolute.beyond()[index][1], found.beyond()[index].iter().sum::<u32>(), "{gain}");
        }
    }

    #[test]
    fn bins_have_the_sign_of_their_values_and_zero_in_the_middle() {
        let found = counts(&[0.0, -0.0, 1e-7, -1e-7, 0.5, 0.5, -0.25, 1.0, -1.0]);
        assert_eq!(
            filled(&found, 0, false),
            [([-64.0, -63.0], 1), ([-17.0, -15.0], 1), ([-1.0, 1.0], 4), ([31.0, 33.0], 2), ([63.0, 64.0], 1)]
        );
        let beyond = f64::INFINITY;
        assert_eq!(
            filled(&found, 4, false),
            [([-beyond, -64.0], 1), ([-33.0, -31.0], 1), ([-1.0, 1.0], 4), ([63.0, 64.0], 2), ([64.0, beyond], 1)]
        );
        let absolute = counts(&[0.0, 1e-7, 0.5, 2.0]);
        assert_eq!(filled(&absolute, 0, true), [([0.0, 1.0], 2), ([31.0, 32.0], 1), ([64.0, beyond], 1)]);
    }
}
