//! Weights of samples along one axis of a volume at a position: slices along the normal of a plane, and times.

use rayon::prelude::*;

use crate::grid::{Components, Grid, GridSampler};
use crate::sampling::AddressMode;

/// Samples on each side over which coefficients fall below 10⁻¹²: the largest pole in magnitude, that of degree 5, is −0.431.
const REACH: i64 = 36;
/// Weights below this magnitude are left out.
pub(super) const NEGLIGIBLE: f64 = 1e-12;

/// Weights of samples along an axis at a position.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AxisWeights {
    /// Samples, by rising index, with their weights.
    pub(super) samples: Vec<(usize, f64)>,
    /// Weight of the border.
    pub(super) border: f64,
}

impl AxisWeights {
    /// The weights of a sample alone.
    pub(super) fn of_sample(index: usize) -> Self {
        Self { samples: vec![(index, 1.0)], border: 0.0 }
    }

    /// The sample that alone has a weight, which is 1; `None` if there are others.
    pub(super) fn only(&self) -> Option<usize> {
        match self.samples[..] {
            [(index, weight)] if (weight - 1.0).abs() < NEGLIGIBLE && self.border.abs() < NEGLIGIBLE => Some(index),
            _ => None,
        }
    }

    /// Sum of the weights of samples.
    pub(super) fn sum(&self) -> f64 {
        self.samples.iter().map(|(_, weight)| weight).sum()
    }

    /// Weights at `position` on an axis of `len` samples. Of a sampler with a prefilter they are those of the coefficients
    /// multiplied by the prefilter's impulse responses: the value is a sum of samples in either case.
    pub(super) fn new(len: u32, position: f64, sampler: &GridSampler) -> Self {
        let address = sampler.address[0];
        let centre = match address {
            // Outside, the taps and coefficients of the edge decide.
            AddressMode::Clamp | AddressMode::Border => position.clamp(0.0, f64::from(len - 1)),
            AddressMode::Wrap | AddressMode::Mirror => position,
        };
        let reach = sampler.method.kernel().taps as i64 + if sampler.coefficients().is_some() { REACH } else { 0 };
        let first = centre.floor() as i64 - reach;
        let mut near: Vec<u32> =
            (first..=first + 2 * reach + 1).filter_map(|index| address.resolve(index, len)).collect();
        near.sort_unstable();
        near.dedup();
        let weight = |index: u32| (index as usize, response(len, position, sampler, Some(index)));
        let weights: Vec<(usize, f64)> = near.into_par_iter().map(weight).collect();
        let samples = weights.into_iter().filter(|(_, weight)| weight.abs() > NEGLIGIBLE).collect();
        let border = if address == AddressMode::Border { response(len, position, sampler, None) } else { 0.0 };
        Self { samples, border }
    }
}

/// Value at `position` of a line that is 1 at sample `one` and 0 elsewhere; of one that is 1 beyond its edges alone for `None`.
fn response(len: u32, position: f64, sampler: &GridSampler, one: Option<u32>) -> f64 {
    let mut values = vec![0.0; len as usize];
    let border = match one {
        Some(one) => {
            values[one as usize] = 1.0;
            0.0
        }
        None => 1.0,
    };
    let line = Grid::<f64>::new(&[len as usize], Components::Real, values).expect("a line of samples");
    let sampler = GridSampler { border: [border, 0.0], ..sampler.clone() };
    let interpolator = line.interpolator(&sampler).expect("one address mode for one axis");
    interpolator.sample(&[position]).expect("one coordinate")[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::{ADDRESS_MODES, samples_of_methods};

    /// The sum over the weights is the value of the interpolator of a line of any samples.
    #[test]
    fn weights_give_the_value_of_the_line() {
        let mut random = fastrand::Rng::with_seed(5);
        for len in [1_u32, 2, 5, 90] {
            let values: Vec<f64> = (0..len).map(|_| random.f64()).collect();
            let line = Grid::<f64>::new(&[len as usize], Components::Real, values.clone()).expect("a line");
            for method in samples_of_methods() {
                for row in &ADDRESS_MODES {
                    let prefilter = random.bool();
                    let address = vec![row.address];
                    let sampler = GridSampler { method, address, border: [0.75, 0.0], prefilter };
                    let exact = line.interpolator(&sampler).expect("a sampler");
                    for position in [-3.25, 0.0, 0.5, f64::from(len) * random.f64(), f64::from(len) + 1.75] {
                        let AxisWeights { samples, border } = AxisWeights::new(len, position, &sampler);
                        let sum: f64 = samples.iter().map(|&(index, weight)| weight * values[index]).sum();
                        let expected = exact.sample(&[position]).expect("a point")[0];
                        let error = (sum + 0.75 * border - expected).abs();
                        assert!(error < 1e-9, "{method} {} {position} of {len}: {error:e}", row.name);
                    }
                }
            }
        }
    }
}
