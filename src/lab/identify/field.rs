//! The source with what lies beyond its edges, filtered as a hypothesis asks for.

use rayon::prelude::*;

use super::edges::EdgeRule;
use super::geometry::Widening;
use super::pair::{AxisPair, Plane};
use super::shape::Shape;
use crate::sampling::Prefilter;

/// Samples beyond which a recursive filter forgets its start, to 10⁻⁹.
const MEMORY: usize = 26;
/// Radius of the Gaussian in standard deviations, as in SciPy.
const TRUNCATE: f64 = 4.0;

/// A rectangle of the source's samples, continued beyond them.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) width: usize,
    pub(super) values: Vec<f32>,
    /// Index of the first stored sample along x and y.
    pub(super) first: [i64; 2],
}

/// What a field is made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Content {
    /// The kernel, for its prefilter.
    pub(super) shape: Shape,
    /// The filter before it.
    pub(super) widening: Widening,
    /// What lies beyond the edges.
    pub(super) edge: EdgeRule,
}

/// First and last sample, along x and y, that predictions read.
pub(super) type Reach = [[i64; 2]; 2];

impl Field {
    /// The samples of `reach`, and as many more as the filters need.
    pub(super) fn new(source: &Plane, axes: &[AxisPair; 2], content: Content, reach: Reach) -> Self {
        let Content { shape, widening, edge } = content;
        let sigmas = [0, 1].map(|axis| widening.sigma(&axes[axis]));
        let recursive = if shape.coefficients().is_some() { MEMORY } else { 0 };
        let margins = sigmas.map(|sigma| (recursive + gaussian_radius(sigma)) as i64);
        let first = [0, 1].map(|axis| reach[axis][0] - margins[axis]);
        let [width, height] = [0, 1].map(|axis| (reach[axis][1] + margins[axis] + 1 - first[axis]).max(1) as usize);
        let columns: Vec<Option<i64>> =
            (0..width as i64).map(|x| edge.resolve(first[0] + x, source.width as u32)).collect();
        let mut values = vec![0.0_f32; width * height];
        values.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            if let Some(y) = edge.resolve(first[1] + y as i64, source.height as u32) {
                let samples = &source.values[y as usize * source.width..][..source.width];
                row.iter_mut().zip(&columns).for_each(|(to, x)| *to = x.map_or(0.0, |x| samples[x as usize]));
            }
        });
        let mut field = Self { width, values, first };
        for (axis, sigma) in sigmas.into_iter().enumerate() {
            if sigma > 0.0 {
                let weights = gaussian(sigma);
                field.for_lines(axis, |line| convolve(line, &weights));
            }
        }
        if let Some(prefilter) = shape.coefficients() {
            (0..2).for_each(|axis| field.for_lines(axis, |line| filter(line, prefilter)));
        }
        field
    }

    /// Replaces each row (axis 0) or column (axis 1) by what `change` makes of it.
    fn for_lines(&mut self, axis: usize, change: impl Fn(&mut [f64]) + Sync) {
        let width = self.width;
        if axis == 0 {
            self.values.par_chunks_mut(width).for_each(|row| {
                let mut line: Vec<f64> = row.iter().map(|&value| f64::from(value)).collect();
                change(&mut line);
                row.iter_mut().zip(line).for_each(|(to, value)| *to = value as f32);
            });
            return;
        }
        let lines: Vec<Vec<f64>> = (0..width)
            .into_par_iter()
            .map(|x| {
                let mut line: Vec<f64> =
                    self.values.iter().skip(x).step_by(width).map(|&value| f64::from(value)).collect();
                change(&mut line);
                line
            })
            .collect();
        self.values.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            row.iter_mut().zip(&lines).for_each(|(to, line)| *to = line[y] as f32);
        });
    }
}

fn gaussian_radius(sigma: f64) -> usize {
    (TRUNCATE * sigma + 0.5) as usize
}

/// Weights of a Gaussian, as `scipy.ndimage.gaussian_filter` has them.
pub(super) fn gaussian(sigma: f64) -> Vec<f64> {
    let radius = gaussian_radius(sigma) as i64;
    let weights: Vec<f64> = (-radius..=radius).map(|k| (-0.5 * (k as f64 / sigma).powi(2)).exp()).collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

/// Convolves `line`; its ends, where the weights leave it, are clamped.
fn convolve(line: &mut [f64], weights: &[f64]) {
    let (radius, last) = (weights.len() as i64 / 2, line.len() as i64 - 1);
    let samples = line.to_vec();
    for (x, to) in line.iter_mut().enumerate() {
        let at = |k: usize| samples[(x as i64 + k as i64 - radius).clamp(0, last) as usize];
        *to = weights.iter().enumerate().map(|(k, weight)| weight * at(k)).sum();
    }
}

/// Filters `line` by each pole, from the starts of a constant line, which the margin forgets.
fn filter(line: &mut [f64], prefilter: Prefilter) {
    for &pole in prefilter.poles() {
        let gain = (1.0 - pole) * (1.0 - 1.0 / pole);
        // Of a constant line c⁺ = s/(1 − z), and c = −z·c⁺/(1 − z).
        let mut before = line.first().map_or(0.0, |first| first / (1.0 - pole));
        for value in line.iter_mut() {
            before = *value + pole * before;
            *value = before;
        }
        let mut after = line.last().map_or(0.0, |last| -pole * last / (1.0 - pole));
        for value in line.iter_mut().rev() {
            after = pole * (after - *value);
            *value = after * gain;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::{AddressMode, Edges, Method};

    #[test]
    fn coefficients_of_a_field_are_those_of_the_samplers_prefilter() {
        let mut random = fastrand::Rng::with_seed(3);
        let values: Vec<f32> = (0..40 * 30).map(|_| random.f32()).collect();
        let source = Plane { width: 40, height: 30, values };
        let axes = [AxisPair { samples: 40, pixels: 80, scale: 0.5 }; 2];
        for method in
            [Method::bspline(2), Method::bspline(3), Method::bspline(5)].map(|method| method.expect("a degree"))
        {
            let shape = Shape::prefiltered(method);
            let content = Content { shape, widening: Widening::Off, edge: EdgeRule::Mirror };
            let field = Field::new(&source, &axes, content, [[0, 39], [0, 29]]);
            let edges = Edges { address: [AddressMode::Mirror; 2], border: 0.0 };
            let prefilter = method.kernel().prefilter.expect("a prefilter");
            let expected = prefilter.coefficients(&source.values, [40, 30], 1, &edges);
            for y in 0..30 {
                for x in 0..40 {
                    let place = (y - field.first[1]) as usize * field.width + (x - field.first[0]) as usize;
                    let expected = expected.values[y as usize * 40 + x as usize];
                    assert!((field.values[place] - expected).abs() < 2e-5, "{method} at {x},{y}");
                }
            }
        }
    }
}
