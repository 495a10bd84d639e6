//! Gaussian filter: two passes of symmetric weights, in strips.
//!
//! One task filters a band of rows, in strips of columns so narrow that the rows needed for one output row stay in a
//! core's caches: each row is filtered horizontally once, kept, and used for every output row that needs it. Opposite
//! samples are added before the multiplication, from the outermost weights, the smallest, inwards.

use multiversion::multiversion;
use multiversion::target::target_cfg_f;

use super::power::multiply_add;
use super::{Edges, ExecOptions, Plane};

/// Values per group of lanes.
const LANES: usize = 64;
/// Number of buffered values that fit a core's first-level cache, in runs long enough for prefetching.
const HELD_VALUES: usize = 5 << 10;
/// Weights per partial sum: partial sums keep single precision accurate at any radius.
const PART: usize = 32;

/// Radius of the weights: ⌈4σ⌉ samples.
pub fn gaussian_radius(sigma: f64) -> u32 {
    (4.0 * sigma).ceil() as u32
}

/// A Gaussian blur with a standard deviation and a radius of each axis, in samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GaussianBlur {
    /// Standard deviation along x and along y; 0 leaves the samples of an axis.
    pub sigmas: [f64; 2],
    /// Distance to which the samples along x and along y are weighted.
    pub radii: [u32; 2],
}

impl GaussianBlur {
    /// The blur of the parameters of the filter `gaussian`: sigma along x, sigma along y (without it that along x), and the
    /// radius of both axes; without one, or with 0, it is ⌈4σ⌉ of each axis. An axis with σ = 0 has the radius 0.
    ///
    /// ```
    /// use lerpscope::filter::GaussianBlur;
    /// assert_eq!(GaussianBlur::new(&[1.5]), GaussianBlur { sigmas: [1.5, 1.5], radii: [6, 6] });
    /// assert_eq!(GaussianBlur::new(&[2.0, 0.0, 3.0]).radii, [3, 0]);
    /// ```
    ///
    /// # Panics
    /// Without a parameter.
    pub fn new(parameters: &[f64]) -> Self {
        let sigmas = [parameters[0], parameters.get(1).copied().unwrap_or(parameters[0])];
        let radius = parameters.get(2).map_or(0, |radius| *radius as u32);
        let radii = sigmas.map(|sigma| match radius {
            _ if sigma == 0.0 => 0,
            0 => gaussian_radius(sigma),
            radius => radius,
        });
        Self { sigmas, radii }
    }

    /// The larger radius.
    pub fn reach(&self) -> u32 {
        self.radii[0].max(self.radii[1])
    }

    /// Whether both axes have the same weights.
    pub fn is_equal_along_both_axes(&self) -> bool {
        self.sigmas[0] == self.sigmas[1] && self.radii[0] == self.radii[1]
    }

    /// The weights along x and along y, from the centre outwards.
    pub fn weights(&self) -> [Vec<f64>; 2] {
        [0, 1].map(|axis| gaussian_weights(self.sigmas[axis], self.radii[axis]))
    }
}

/// Weights from the centre outwards, w(0) … w(radius), with w(d) = exp(−d²/2σ²), scaled so that w(0) + 2·(w(1) + …) = 1. A
/// radius below ⌈4σ⌉ truncates them visibly. With σ = 0 the centre alone has a weight.
pub fn gaussian_weights(sigma: f64, radius: u32) -> Vec<f64> {
    let weight = |d: u32| if d == 0 { 1.0 } else { (-f64::from(d).powi(2) / (2.0 * sigma * sigma)).exp() };
    let weights: Vec<f64> = (0..=radius).map(weight).collect();
    let sum = weights[0] + 2.0 * weights[1..].iter().rev().sum::<f64>();
    weights.into_iter().map(|weight| weight / sum).collect()
}

/// Writes the filtered plane.
pub(super) fn gaussian(parameters: &[f64], plane: &Plane, edges: &Edges, work: &ExecOptions, out: &mut [f32]) {
    let weights = GaussianBlur::new(parameters)
        .weights()
        .map(|weights| weights.into_iter().map(|weight| weight as f32).collect());
    let pass = Pass { plane, edges, weights, work };
    let stride = plane.stride();
    let rows = plane.size[1] as usize;
    let threads = rayon::current_num_threads();
    let band = rows.div_ceil(4 * threads).max(4 * pass.weights[1].len()).min(rows.div_ceil(threads));
    work.for_bands((out, stride), band, Scratch::default, |scratch, from, out| scratch.blur_band(&pass, from, out));
}

/// Input and weights of one filter.
struct Pass<'a> {
    plane: &'a Plane,
    edges: &'a Edges,
    /// Along x and along y.
    weights: [Vec<f32>; 2],
    work: &'a ExecOptions,
}

/// Buffers of a task, reused for all its bands.
#[derive(Default)]
struct Scratch {
    /// Part of one row with its surroundings, where these are not all in the plane.
    line: Vec<f32>,
    /// Ring of horizontally filtered rows, as many as one output row needs.
    held: Vec<f32>,
    /// Last part of a vertically filtered row, of which not all lanes are output.
    rest: Vec<f32>,
}

impl Scratch {
    /// Fills `out` with the rows from `from`.
    fn blur_band(&mut self, pass: &Pass<'_>, from: usize, out: &mut [f32]) {
        let channels = pass.plane.channels.count();
        let rows = 2 * pass.weights[1].len() - 1;
        let columns = ((HELD_VALUES / rows).max(4 * LANES) / (LANES * channels)).max(1) * LANES;
        for left in (0..pass.plane.size[0] as usize).step_by(columns) {
            if pass.work.stop.is_set() {
                return;
            }
            self.blur_strip(pass, [left, from], columns * channels, out);
        }
    }

    /// Fills the columns of `out` covered by `strip` values from column `left`, with the rows from `top`.
    fn blur_strip(&mut self, pass: &Pass<'_>, [left, top]: [usize; 2], strip: usize, out: &mut [f32]) {
        let stride = pass.plane.stride();
        let first = left * pass.plane.channels.count();
        let used = strip.min(stride - first);
        let down = &pass.weights[1];
        let count = 2 * down.len() - 1;
        self.held.resize(count * strip, 0.0);
        self.rest.resize(strip, 0.0);
        let reach = down.len() - 1;
        for row in 0..2 * reach {
            pass.weigh_horizontal(
                [left as i64, (top + row) as i64 - reach as i64],
                &mut self.line,
                &mut self.held[row * strip..][..strip],
            );
        }
        let mut newest = 2 * reach;
        for (row, out) in out.chunks_exact_mut(stride).enumerate() {
            let held = &mut self.held[newest * strip..][..strip];
            pass.weigh_horizontal([left as i64, (top + row + reach) as i64], &mut self.line, held);
            newest = (newest + 1) % count;
            let out = &mut out[first..first + used];
            if used == strip {
                vertical(&self.held, newest * strip, down, out);
            } else {
                vertical(&self.held, newest * strip, down, &mut self.rest);
                out.copy_from_slice(&self.rest[..used]);
            }
        }
    }
}

impl Pass<'_> {
    /// Filters row `row` horizontally, from column `left` for the length of `out`. Values beyond the plane's last
    /// column are unspecified.
    fn weigh_horizontal(&self, [left, row]: [i64; 2], line: &mut Vec<f32>, out: &mut [f32]) {
        let Self { plane, edges, weights: [weights, _], .. } = self;
        let channels = plane.channels.count();
        let reach = weights.len() - 1;
        let needed = out.len() + 2 * reach * channels;
        let from = left - reach as i64;
        let inside =
            plane.row(edges, row).and_then(|row| row.get(usize::try_from(from).ok()? * channels..)?.get(..needed));
        if let Some(inside) = inside {
            horizontal(inside, weights, channels, out);
        } else {
            line.resize(needed, 0.0);
            let wanted = (plane.stride() - left as usize * channels).min(out.len()) + 2 * reach * channels;
            plane.copy_row(edges, row, from, &mut line[..wanted]);
            horizontal(line, weights, channels, out);
        }
    }
}

/// Horizontal pass: filters a line of values with 2·reach pixels around them, `channels` interleaved, into `out`.
#[multiversion(targets = "simd")]
fn horizontal(line: &[f32], weights: &[f32], channels: usize, out: &mut [f32]) {
    weights_at(target_cfg_f!(target_feature = "fma"), line, weights, [0, channels], out);
}

/// Vertical pass: filters a ring of 2·reach + 1 rows of the length of `out`, starting at row `oldest`, into `out`.
#[multiversion(targets = "simd")]
fn vertical(held: &[f32], oldest: usize, weights: &[f32], out: &mut [f32]) {
    let strip = out.len();
    weights_at(target_cfg_f!(target_feature = "fma"), held, weights, [oldest, strip], out);
}

/// out[i] = Σ w(k)·(values[i + (reach − k)·step] + values[i + (reach + k)·step]), for whole groups of lanes. The first
/// values start at `from`; positions wrap around at the last whole step.
#[inline(always)]
fn weights_at(fused: bool, values: &[f32], weights: &[f32], [from, step]: [usize; 2], out: &mut [f32]) {
    let Some((&middle_weight, weights)) = weights.split_first() else { return };
    let around = (2 * weights.len() + 1) * step;
    let last = if from == 0 { around - step } else { from - step };
    for (place, out) in out.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
        let values = &values[place * LANES..];
        let (mut near, mut far) = (from, last);
        let mut sums = [0.0_f32; LANES];
        for weights in weights.rchunks(PART) {
            let mut part = [0.0_f32; LANES];
            for weight in weights.iter().rev() {
                let (a, b) = (&values[near..near + LANES], &values[far..far + LANES]);
                for lane in 0..LANES {
                    part[lane] = multiply_add(fused, *weight, a[lane] + b[lane], part[lane]);
                }
                near = if near + step == around { 0 } else { near + step };
                far = if far == 0 { around - step } else { far - step };
            }
            for lane in 0..LANES {
                sums[lane] += part[lane];
            }
        }
        let middle = &values[near..near + LANES];
        for lane in 0..LANES {
            out[lane] = multiply_add(fused, middle_weight, middle[lane], sums[lane]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn radius_of_a_blur_is_four_sigma_of_each_axis_unless_it_is_given() {
        let radii = |parameters: &[f64]| GaussianBlur::new(parameters).radii;
        assert_eq!((radii(&[1.3]), radii(&[1.3, 0.4]), radii(&[1.3, 0.4, 2.0])), ([6, 6], [6, 2], [2, 2]));
        assert_eq!((radii(&[2.0, 0.0]), radii(&[2.0, 0.0, 5.0])), ([8, 0], [5, 0]));
        assert_eq!(GaussianBlur::new(&[2.0, 0.0]).weights()[1], [1.0]);
        let truncated = gaussian_weights(5.0, 2);
        assert!(truncated.len() == 3 && (truncated[0] + 2.0 * (truncated[1] + truncated[2]) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn gaussian_weights_decrease_outwards_and_sum_to_one() {
        for sigma in [0.01, 0.3, 1.0, 2.5, 64.0] {
            let weights = gaussian_weights(sigma, gaussian_radius(sigma));
            assert_eq!(weights.len(), (4.0 * sigma).ceil() as usize + 1);
            let sum = weights[0] + 2.0 * weights[1..].iter().sum::<f64>();
            assert!((sum - 1.0).abs() < 1e-12, "{sigma}: {sum}");
            assert!(weights.is_sorted_by(|a, b| a >= b), "{sigma}");
        }
    }
}
