//! Twin: kernels/prefilter.cu. The poles of a prefilter, and which of its kernels runs them.

use cudarc::driver::LaunchConfig;

use crate::backend::cuda::abi::arguments::{MAX_POLES, PrefilterArguments};
use crate::image::Size;
use crate::sampling::Method;

/// Values of a line in a block: one thread each.
const SPAN: u32 = 96;
/// Samples around a tile for one short pole: |z|¹⁶ < 10⁻⁹.
const SHORT_WARM_UP: u32 = 16;
/// Samples around a tile for a cascade: |z|²⁴ < 2·10⁻⁹.
const CASCADE_WARM_UP: u32 = 24;
/// The longest pole of the kernel for one: that of the cubic B-spline, √3 − 2.
const MAX_SHORT_POLE: f64 = 0.272;
/// The longest pole of the cascade: that of the quintic B-spline.
const MAX_POLE: f64 = 0.434;

/// The poles of a prefilter that CUDA runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PrefilterPoles {
    poles: [f64; MAX_POLES],
    count: usize,
}

impl PrefilterPoles {
    /// The poles of the prefilter of `method`; `None` if it has no prefilter, or one that CUDA does not run.
    pub(crate) fn of(method: Method) -> Option<Self> {
        method.kernel().prefilter.and_then(|prefilter| Self::new(prefilter.poles()))
    }

    /// These poles; `None` if there are more than [`MAX_POLES`] or one is longer than the kernels' warm-up allows.
    fn new(all: &[f64]) -> Option<Self> {
        let mut poles = [0.0; MAX_POLES];
        poles.get_mut(..all.len())?.copy_from_slice(all);
        poles.iter().all(|pole| (-MAX_POLE..=0.0).contains(pole)).then_some(Self { poles, count: all.len() })
    }

    /// Whether the kernel for a cascade runs them: more than one, or a long one.
    pub(crate) fn is_cascade(&self) -> bool {
        self.count != 1 || self.poles[0] < -MAX_SHORT_POLE
    }

    /// Arguments with the poles alone.
    pub(crate) fn arguments(&self) -> PrefilterArguments {
        PrefilterArguments {
            pole_count: self.count as i32,
            poles: self.poles.map(|z| z as f32),
            gains: self.poles.map(|z| ((1.0 - z) * (1.0 - z)) as f32),
            starts: self.poles.map(|z| (1.0 / (1.0 - z)) as f32),
            ends: self.poles.map(|z| (1.0 - z) as f32),
            ..PrefilterArguments::default()
        }
    }

    /// A block for each tile of `stored` coefficients and channel.
    pub(crate) fn config(&self, stored: Size, colour: bool) -> LaunchConfig {
        let tile = SPAN - 2 * if self.is_cascade() { CASCADE_WARM_UP } else { SHORT_WARM_UP };
        let tiles = [stored.width(), stored.height()].map(|side| side.div_ceil(tile));
        LaunchConfig {
            grid_dim: (tiles[0], tiles[1], if colour { 4 } else { 1 }),
            block_dim: (SPAN, 1, 1),
            shared_mem_bytes: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::samples_of_methods;

    /// kernels/prefilter.cu for one line, in single precision: warm-up on both sides of a tile, then the recursions of each pole.
    fn filtered_tile(poles: &PrefilterPoles, line: &[f32]) -> Vec<f32> {
        let arguments = poles.arguments();
        let mut line = line.to_vec();
        let last = line.len() - 1;
        for which in 0..poles.count {
            let (z, gain) = (arguments.poles[which], arguments.gains[which]);
            line[0] *= arguments.starts[which];
            for k in 1..=last {
                line[k] = z.mul_add(line[k - 1], line[k]);
            }
            line[last] *= arguments.ends[which];
            for k in (0..last).rev() {
                line[k] = z.mul_add(line[k + 1], gain * line[k]);
            }
        }
        line
    }

    #[test]
    fn poles_of_every_method_make_coefficients_that_pass_through_the_samples() {
        let mut random = fastrand::Rng::with_seed(41);
        let mut tried = 0;
        for method in samples_of_methods() {
            let kernel = method.kernel();
            if kernel.prefilter.is_none() {
                continue;
            }
            let poles = PrefilterPoles::of(method).expect("poles that CUDA runs");
            let warm_up = if poles.is_cascade() { CASCADE_WARM_UP } else { SHORT_WARM_UP } as usize;
            for _ in 0..200 {
                let samples: Vec<f32> = (0..SPAN).map(|_| random.f32()).collect();
                let coefficients = filtered_tile(&poles, &samples);
                let reach = kernel.radius.floor() as usize;
                for (k, sample) in
                    samples.iter().enumerate().take(SPAN as usize - warm_up - reach).skip(warm_up + reach)
                {
                    let weight = |n: usize| kernel.weight(k as f64 - n as f64) * f64::from(coefficients[n]);
                    let value: f64 = (k - reach..=k + reach).map(weight).sum();
                    assert!((value - f64::from(*sample)).abs() < 1e-6, "{method}, {k}: {value} {sample}");
                }
            }
            tried += 1;
        }
        assert!(tried >= 5, "only {tried} methods have a prefilter");
    }

    #[test]
    fn poles_that_the_warm_up_does_not_cover_are_refused() {
        assert_eq!(PrefilterPoles::new(&[-0.9]), None);
        assert_eq!(PrefilterPoles::new(&[0.2]), None);
        assert_eq!(PrefilterPoles::new(&[-0.1, -0.1, -0.1]), None);
        for (pole, is_cascade) in [(-0.1716, false), (-0.2680, false), (-0.3442, true)] {
            assert_eq!(PrefilterPoles::new(&[pole]).map(|poles| poles.is_cascade()), Some(is_cascade));
        }
        assert_eq!(PrefilterPoles::new(&[-0.1, -0.1]).map(|poles| poles.is_cascade()), Some(true));
    }
}
