//! Inpainting from its definition: every sum directly, the membrane by relaxation until no value changes.

use super::{Inpainting, Kind};
use crate::filter::reference::ExactPlane;
use crate::filter::{Edges, Mask, gaussian_radius};

/// Change of the relaxation at which it ends, relative to the largest value.
const CHANGE: f64 = 1e-15;

/// The plane with the holes filled.
pub(in crate::filter) fn inpaint(inpainting: &Inpainting, plane: &ExactPlane, edges: &Edges) -> Vec<f64> {
    let Inpainting { mask, kind, .. } = *inpainting;
    let (channels, [width, height]) = (plane.channels, plane.size.map(|side| side as usize));
    let (count, colours) = (channels.count(), channels.opaque().count());
    let alpha = |place: usize| if channels.has_alpha() { plane.values[place * count + colours] } else { 1.0 };
    let is_hole: Vec<bool> = (0..width * height)
        .map(|place| {
            let at = [place % width, place / width];
            mask.fills([0, 1].map(|axis| plane.first[axis].wrapping_add(at[axis] as u32)), alpha(place))
        })
        .collect();
    let is_straight = mask == Mask::Alpha && channels.has_alpha();
    let mut values = plane.values.clone();
    for (place, pixel) in values.chunks_exact_mut(count).enumerate() {
        let alpha = alpha(place);
        let divisor = if is_straight && alpha != 0.0 { alpha } else { 1.0 };
        pixel[..colours].iter_mut().for_each(|value| *value /= divisor);
    }
    let scene = Scene { size: [width, height], count, edges, is_hole: &is_hole };
    let known: Vec<bool> =
        values.chunks_exact(count).map(|pixel| pixel.iter().all(|value| value.is_finite())).collect();
    let known: Vec<bool> = known.iter().zip(&is_hole).map(|(finite, hole)| *finite && !hole).collect();
    let filled = match kind {
        Kind::NormalizedConvolution { sigma } => scene.convolved(&values, &known, sigma),
        Kind::Membrane => scene.relaxed(&values, &known),
    };
    let mut result = plane.values.clone();
    for place in (0..width * height).filter(|&place| is_hole[place]) {
        let pixel = &mut result[place * count..][..count];
        pixel.copy_from_slice(&filled[place * count..][..count]);
        inpainting.finished(channels, pixel);
    }
    result
}

struct Scene<'a> {
    size: [usize; 2],
    count: usize,
    edges: &'a Edges,
    is_hole: &'a [bool],
}

impl Scene<'_> {
    /// The index of the sample at any position; `None` for the border's constant.
    fn place(&self, x: i64, y: i64) -> Option<usize> {
        let [width, height] = self.size;
        let x = self.edges.address[0].resolve(x, width as u32)?;
        let y = self.edges.address[1].resolve(y, height as u32)?;
        Some(y as usize * width + x as usize)
    }

    fn at(&self, place: usize) -> [i64; 2] {
        [(place % self.size[0]) as i64, (place / self.size[0]) as i64]
    }

    /// Σ w·c·I / Σ w·c, with σ doubled until Σ w·c is not 0.
    fn convolved(&self, values: &[f64], known: &[bool], sigma: f64) -> Vec<f64> {
        let border = f64::from(self.edges.border);
        let mut filled = vec![0.0; values.len()];
        let beyond = self.place(-1, 0).is_none() || self.place(0, -1).is_none();
        let has_known = known.contains(&true) || (beyond && border.is_finite());
        for place in (0..known.len()).filter(|&place| self.is_hole[place] && has_known) {
            let [x, y] = self.at(place);
            let mut sigma = sigma;
            let mut total = 0.0;
            while total == 0.0 {
                let reach = i64::from(gaussian_radius(sigma));
                let pixel = &mut filled[place * self.count..][..self.count];
                pixel.fill(0.0);
                for (m, n) in (-reach..=reach).flat_map(|n| (-reach..=reach).map(move |m| (m, n))) {
                    let weight = (-((m * m + n * n) as f64) / (2.0 * sigma * sigma)).exp();
                    match self.place(x + m, y + n) {
                        Some(other) if known[other] => {
                            total += weight;
                            let other = &values[other * self.count..][..self.count];
                            pixel.iter_mut().zip(other).for_each(|(sum, value)| *sum += weight * value);
                        }
                        None if border.is_finite() => {
                            total += weight;
                            pixel.iter_mut().for_each(|sum| *sum += weight * border);
                        }
                        Some(_) | None => {}
                    }
                }
                pixel.iter_mut().for_each(|sum| *sum /= total);
                sigma *= 2.0;
            }
        }
        filled
    }

    /// Each hole the mean of its neighbours: Gauss and Seidel's relaxation, from 0.
    fn relaxed(&self, values: &[f64], known: &[bool]) -> Vec<f64> {
        let border = f64::from(self.edges.border);
        let mut filled = values.to_vec();
        let holes: Vec<usize> = (0..known.len()).filter(|&place| self.is_hole[place]).collect();
        holes.iter().for_each(|place| filled[place * self.count..][..self.count].fill(0.0));
        let mut change = f64::INFINITY;
        let largest = values.iter().filter(|value| value.is_finite()).fold(border.abs(), |most, v| most.max(v.abs()));
        while change > CHANGE * largest {
            change = 0.0;
            for &place in &holes {
                let [x, y] = self.at(place);
                for channel in 0..self.count {
                    let (mut sum, mut total) = (0.0, 0.0);
                    for [m, n] in [[-1, 0], [1, 0], [0, -1], [0, 1]] {
                        let neighbour = match self.place(x + m, y + n) {
                            Some(other) if other == place => None,
                            Some(other) if known[other] || self.is_hole[other] => {
                                Some(filled[other * self.count + channel])
                            }
                            None if border.is_finite() => Some(border),
                            Some(_) | None => None,
                        };
                        sum += neighbour.unwrap_or(0.0);
                        total += if neighbour.is_some() { 1.0 } else { 0.0 };
                    }
                    let value = &mut filled[place * self.count + channel];
                    let mean = if total == 0.0 { 0.0 } else { sum / total };
                    change = change.max((mean - *value).abs());
                    *value = mean;
                }
            }
        }
        filled
    }
}
