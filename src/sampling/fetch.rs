//! Fetches of the texture unit: how the samples of a position along an axis are read on the paths `filtered` and
//! `filtered-table`. See [`weigh_filtered`](super::weigh_filtered) for the weights that they make.

use super::{Method, MethodKernel, PairedFetches, SamplingPath, fixed_point_fraction};

/// Largest number of fetches of a position along an axis.
const MOST: usize = 3;
/// Largest number of taps of a method that the texture unit serves.
const MAX_TAPS: usize = 4;

/// A fetch of one sample, or of the weighted mean of two neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AxisFetch {
    /// The first tap that it reads.
    pub first: usize,
    /// Number of taps: 1 or 2.
    pub count: usize,
    /// The fraction of its position between two taps, before it is rounded.
    pub fraction: f64,
    /// Its weight.
    pub weight: f64,
}

impl AxisFetch {
    fn point(first: usize, weight: f64) -> Self {
        Self { first, count: 1, fraction: 0.0, weight }
    }

    fn pair(first: usize, [fraction, weight]: [f64; 2]) -> Self {
        Self { first, count: 2, fraction, weight }
    }

    /// One fetch for two taps of these weights.
    fn merged(first: usize, [a, b]: [f64; 2]) -> Self {
        Self::pair(first, [b / (a + b), a + b])
    }

    /// Weights of its taps, whose sum is 1; the second is 0 for a single tap.
    pub fn tap_weights(&self) -> [f64; 2] {
        let alpha = fixed_point_fraction(self.fraction);
        [1.0 - alpha, alpha]
    }
}

/// The fetches of a position along an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisFetches {
    fetches: [AxisFetch; MOST],
    count: usize,
}

impl AxisFetches {
    /// The fetches of `kernel` at `x` by `path`; `None` for an exact path.
    pub(super) fn new(kernel: &MethodKernel, path: SamplingPath, x: f64) -> Option<Self> {
        match path {
            SamplingPath::Auto | SamplingPath::Lookup | SamplingPath::Tiled => None,
            SamplingPath::FilteredTable => {
                let PairedFetches { first_weight, fractions: [h0, h1] } = PairedFetches::looked_up(x - x.floor());
                Some(Self::of(&[AxisFetch::pair(0, [h0, first_weight]), AxisFetch::pair(2, [h1, 1.0 - first_weight])]))
            }
            SamplingPath::Filtered => {
                let mut w = [0.0; MAX_TAPS];
                kernel.weights_at(x, &mut w);
                Some(match kernel.method {
                    Method::Linear => Self::of(&[AxisFetch::merged(0, [w[0], w[1]])]),
                    Method::BSPLINE => {
                        Self::of(&[AxisFetch::merged(0, [w[0], w[1]]), AxisFetch::merged(2, [w[2], w[3]])])
                    }
                    Method::CATMULL_ROM => Self::of(&[
                        AxisFetch::point(0, w[0]),
                        AxisFetch::merged(1, [w[1], w[2]]),
                        AxisFetch::point(3, w[3]),
                    ]),
                    _ => Self::of(&[AxisFetch::point(0, w[0])]),
                })
            }
        }
    }

    fn of(fetches: &[AxisFetch]) -> Self {
        let mut own = [AxisFetch::default(); MOST];
        own[..fetches.len()].copy_from_slice(fetches);
        Self { fetches: own, count: fetches.len() }
    }

    /// The fetches, by rising taps.
    pub fn as_slice(&self) -> &[AxisFetch] {
        &self.fetches[..self.count]
    }

    /// The value of these fetches along x and of `vertical` along y: each bilinear fetch is rounded to a multiple of
    /// 1/`steps`, then weighted. `sample` gives the number at a tap along x and one along y; `None` is the border's, which
    /// the texture returns as 0 and which is added as `border` behind the rounding.
    pub fn rounded_value(
        &self,
        vertical: &Self,
        [steps, border]: [f64; 2],
        sample: impl Fn(usize, usize) -> Option<f64>,
    ) -> f64 {
        let mut sum = 0.0;
        for y in vertical.as_slice() {
            for x in self.as_slice() {
                let (mut mean, mut outside) = (0.0, 0.0);
                for (row, wy) in y.tap_weights().into_iter().enumerate().take(y.count) {
                    for (column, wx) in x.tap_weights().into_iter().enumerate().take(x.count) {
                        match sample(x.first + column, y.first + row) {
                            Some(number) => mean += wx * wy * number,
                            None => outside += wx * wy,
                        }
                    }
                }
                sum += x.weight * y.weight * ((mean * steps).round() / steps + border * outside);
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Sampler, Taps};
    use super::*;

    #[test]
    fn fetches_make_the_weights_of_their_path() {
        let served = [
            (Method::Nearest, SamplingPath::Filtered),
            (Method::Linear, SamplingPath::Filtered),
            (Method::BSPLINE, SamplingPath::Filtered),
            (Method::CATMULL_ROM, SamplingPath::Filtered),
            (Method::BSPLINE, SamplingPath::FilteredTable),
        ];
        for (method, path) in served {
            let taps = Taps::new(&Sampler { method, path, ..Sampler::default() }, 1.0);
            for step in 0..1000 {
                let x = f64::from(step) * 0.0137 - 3.0;
                let mut expected = Vec::new();
                taps.weights_at(x, &mut expected);
                let fetches = taps.fetches_at(x).expect("a path of the texture unit");
                let mut made = vec![0.0; expected.len()];
                for fetch in fetches.as_slice() {
                    for (tap, weight) in fetch.tap_weights().into_iter().enumerate().take(fetch.count) {
                        made[fetch.first + tap] += fetch.weight * weight;
                    }
                }
                assert!(made.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-12), "{method} {path} at {x}");
            }
        }
        assert_eq!(Taps::new(&Sampler::default(), 1.0).fetches_at(0.3), None);
    }

    /// What an H200 returns between the texels 0 1 / 1 0 of 1/65535, a quarter of a sample apart.
    #[test]
    fn sixteen_bit_fetch_is_rounded_once_after_both_axes() {
        let taps = Taps::new(&Sampler { path: SamplingPath::Filtered, ..Sampler::default() }, 1.0);
        let at = |x: f64| taps.fetches_at(x).expect("fetches");
        let value = |x: f64, y: f64| {
            at(x).rounded_value(&at(y), [1.0, 0.0], |column, row| Some(f64::from(u8::from(column != row))))
        };
        let rows = [0.0, 0.25, 0.5, 0.75].map(|y| [0.0, 0.25, 0.5, 0.75].map(|x| value(x, y)));
        assert_eq!(rows, [[0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0], [1.0; 4], [1.0, 1.0, 1.0, 0.0]]);
    }

    #[test]
    fn border_is_added_behind_the_rounding() {
        let taps = Taps::new(&Sampler { path: SamplingPath::Filtered, ..Sampler::default() }, 1.0);
        let [x, y] = [0.25, 0.0].map(|x| taps.fetches_at(x).expect("fetches"));
        let value = x.rounded_value(&y, [1.0, 0.4], |column, _| (column == 0).then_some(3.0));
        // ¾ of 3 is rounded to 2, and a quarter of 0.4 is not.
        assert!((value - 2.1).abs() < 1e-12, "{value}");
    }
}
