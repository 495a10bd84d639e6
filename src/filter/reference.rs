//! Reference filters: every value in double precision, directly from the definition, one sample after the other,
//! without separable passes or tables. The fast filters are tested against them.

use rayon::prelude::*;

use super::{Action, Chain, Convolution, Edges, Filter, GaussianBlur, Step, bilateral_radius, point, shows_share};
use crate::image::Channels;

/// Channels of a pixel; unused ones are 0.
pub type Pixel = [f64; 4];

/// The pixel at an offset (x, y) from the filtered one, after the address modes.
pub type Around<'a> = dyn Fn(i64, i64) -> Pixel + 'a;

/// A plane in double precision, premultiplied as [`super::Plane`].
#[derive(Clone, Debug)]
pub struct ExactPlane {
    /// Numbers of columns and rows.
    pub size: [u32; 2],
    /// Place of the first value, as [`super::Plane::first`].
    pub first: [u32; 2],
    /// Channels of a pixel.
    pub channels: Channels,
    /// Values row by row, channels interleaved.
    pub values: Vec<f64>,
}

impl ExactPlane {
    /// The pixel at any integer position.
    fn at(&self, edges: &Edges, [x, y]: [i64; 2]) -> Pixel {
        let count = self.channels.count();
        let mut pixel = [0.0; 4];
        match (edges.address[0].resolve(x, self.size[0]), edges.address[1].resolve(y, self.size[1])) {
            (Some(x), Some(y)) => {
                let place = y as usize * self.size[0] as usize + x as usize;
                pixel[..count].copy_from_slice(&self.values[place * count..][..count]);
            }
            _ => pixel[..count].fill(f64::from(edges.border)),
        }
        pixel
    }

    /// The plane after every enabled step of `chain`.
    #[must_use]
    pub fn filtered(self, chain: &Chain, edges: &Edges) -> Self {
        chain.active().fold(self, |plane, step| plane.after(step, edges))
    }

    fn after(&self, step: &Step, edges: &Edges) -> Self {
        let (count, colours) = (self.channels.count(), self.channels.opaque().count());
        if let (Action::Inpainting { reference, .. }, Some(inpainting)) =
            (step.filter().row().action, step.inpainting())
        {
            return Self { values: reference(&inpainting, self, edges), ..*self };
        }
        let mut values = self.values.clone();
        let width = self.size[0] as usize;
        values.par_chunks_exact_mut(count).enumerate().for_each(|(place, pixel)| match step.filter().row().action {
            Action::Point { .. } | Action::Placed { .. } => {
                let alpha = if self.channels.has_alpha() { pixel[colours] } else { 1.0 };
                let divided = |value: f64| if alpha == 0.0 { 0.0 } else { value / alpha };
                pixel[..colours].iter_mut().for_each(|value| *value = divided(*value));
                match step.filter().row().action {
                    Action::Point { reference, .. } => reference(step.parameters(), &mut pixel[..colours]),
                    Action::Placed { reference, .. } => {
                        let [x, y] = [place % width, place / width].map(|k| k as u32);
                        let place = [self.first[0].wrapping_add(x), self.first[1].wrapping_add(y)];
                        reference(step.parameters(), place, &mut pixel[..colours]);
                    }
                    Action::Neighbourhood { .. } | Action::Convolution { .. } | Action::Inpainting { .. } => {}
                }
                pixel[..colours].iter_mut().for_each(|value| *value = if alpha == 0.0 { 0.0 } else { *value * alpha });
            }
            Action::Neighbourhood { reference, keeps_alpha, .. } => {
                let [x, y] = [place % width, place / width].map(|k| k as i64);
                let filtered = reference(step.parameters(), &|m, n| self.at(edges, [x + m, y + n]));
                let shows_share = step.filter() == Filter::Bilateral && shows_share(step.parameters());
                let kept = if keeps_alpha || shows_share { colours } else { count };
                pixel[..kept].copy_from_slice(&filtered[..kept]);
                if shows_share && count > colours {
                    let alpha = pixel[colours];
                    pixel[..colours].iter_mut().for_each(|value| *value *= alpha);
                }
            }
            Action::Convolution { reference, .. } => {
                let [x, y] = [place % width, place / width].map(|k| k as i64);
                if let Some(convolution) = step.convolution() {
                    let filtered = reference(&convolution, &|m, n| self.at(edges, [x + m, y + n]));
                    pixel[..colours].copy_from_slice(&filtered[..colours]);
                }
            }
            // Not pixel by pixel: above.
            Action::Inpainting { .. } => {}
        });
        Self { values, ..*self }
    }
}

/// |I|^γ with the sign of I.
pub(super) fn gamma(parameters: &[f64], colours: &mut [f64]) {
    colours.iter_mut().for_each(|value| *value = value.abs().powf(parameters[0]).copysign(*value));
}

/// 1 − I.
pub(super) fn negative(_parameters: &[f64], colours: &mut [f64]) {
    colours.iter_mut().for_each(|value| *value = 1.0 - *value);
}

/// factor·(colour·I + (1 − colour)·luminance); the luminance of grey is grey.
pub(super) fn brightness(parameters: &[f64], colours: &mut [f64]) {
    let [factor, colour] = [parameters[0], parameters[1]];
    if colours.len() == 3 && colour != 1.0 {
        let luminance: f64 = colours.iter().zip(point::LUMINANCE).map(|(value, weight)| value * weight).sum();
        colours.iter_mut().for_each(|value| *value = factor * (colour * *value + (1.0 - colour) * luminance));
    } else {
        colours.iter_mut().for_each(|value| *value *= factor);
    }
}

/// Mean over a square window, with `weight(m² + n², pixel)` as the weight of the pixel at offset (m, n).
fn weighted_mean(radius: u32, around: &Around<'_>, weight: impl Fn(f64, &Pixel) -> f64) -> (Pixel, f64) {
    let radius = i64::from(radius);
    let (mut sums, mut total) = ([0.0; 4], 0.0);
    for n in -radius..=radius {
        for m in -radius..=radius {
            let pixel = around(m, n);
            let weight = weight((m * m + n * n) as f64, &pixel);
            total += weight;
            sums.iter_mut().zip(pixel).filter(|_| weight > 0.0).for_each(|(sum, value)| *sum += weight * value);
        }
    }
    (sums.map(|sum| sum / total), total)
}

/// Σ w·I / Σ w with w = exp(−m²/2σ_x² − n²/2σ_y²) within the radius of each axis.
pub(super) fn gaussian(parameters: &[f64], around: &Around<'_>) -> Pixel {
    let GaussianBlur { sigmas, radii } = GaussianBlur::new(parameters);
    let weight = |d: i64, sigma: f64| if d == 0 { 1.0 } else { (-((d * d) as f64) / (2.0 * sigma * sigma)).exp() };
    let [across, down] = radii.map(i64::from);
    let (mut sums, mut total) = ([0.0; 4], 0.0);
    for n in -down..=down {
        for m in -across..=across {
            let weight = weight(m, sigmas[0]) * weight(n, sigmas[1]);
            total += weight;
            sums.iter_mut().zip(around(m, n)).filter(|_| weight > 0.0).for_each(|(sum, value)| *sum += weight * value);
        }
    }
    sums.map(|sum| sum / total)
}

/// Σ w·I / Σ w with w = exp(−d²/2σ_s²)·exp(−Δ²/2σ_r²), blended with I by the share of neighbours whose w reaches the
/// threshold.
pub(super) fn bilateral(parameters: &[f64], around: &Around<'_>) -> Pixel {
    let [sigma, range, threshold] = [parameters[0], parameters[1], parameters[3]];
    let centre = around(0, 0);
    let reaching = std::cell::Cell::new(0.0);
    let radius = bilateral_radius(parameters);
    let (mean, total) = weighted_mean(radius, around, |square, pixel| {
        let unlike: f64 = pixel.iter().zip(centre).map(|(a, b)| (a - b).powi(2)).sum();
        let weight = (-square / (2.0 * sigma * sigma)).exp() * (-unlike / (2.0 * range * range)).exp();
        if weight >= threshold && square > 0.0 {
            reaching.set(reaching.get() + 1.0);
        }
        if weight.is_nan() { 0.0 } else { weight }
    });
    let share = reaching.get() / (f64::from(2 * radius + 1).powi(2) - 1.0);
    if shows_share(parameters) {
        return [share; 4];
    }
    if total == 0.0 {
        return centre;
    }
    std::array::from_fn(|c| if threshold == 0.0 { mean[c] } else { share * mean[c] + (1.0 - share) * centre[c] })
}

/// I + amount·(I − G) where |I − G| reaches the threshold.
pub(super) fn unsharp(parameters: &[f64], around: &Around<'_>) -> Pixel {
    let [amount, threshold] = [parameters[1], parameters[2]];
    let (centre, blurred) = (around(0, 0), gaussian(&parameters[..1], around));
    std::array::from_fn(|c| {
        let difference = centre[c] - blurred[c];
        if difference.abs() >= threshold { centre[c] + amount * difference } else { centre[c] }
    })
}

/// Middle of the window's sorted values; NaN is last.
pub(super) fn median(parameters: &[f64], around: &Around<'_>) -> Pixel {
    let radius = parameters[0] as i64;
    let pixels: Vec<Pixel> =
        (-radius..=radius).flat_map(|n| (-radius..=radius).map(move |m| (m, n))).map(|(m, n)| around(m, n)).collect();
    std::array::from_fn(|c| {
        let mut values: Vec<f64> = pixels.iter().map(|pixel| pixel[c]).collect();
        values.sort_by(|a, b| a.partial_cmp(b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan())));
        values[values.len() / 2]
    })
}

/// scale·√(g_x² + g_y²), with Sobel's weights divided by 4.
pub(super) fn sobel(parameters: &[f64], around: &Around<'_>) -> Pixel {
    std::array::from_fn(|c| {
        let (mut x, mut y) = (0.0, 0.0);
        for k in -1..=1_i64 {
            let smooth = f64::from(2 - k.abs() as i32);
            x += smooth * (around(1, k)[c] - around(-1, k)[c]);
            y += smooth * (around(k, 1)[c] - around(k, -1)[c]);
        }
        parameters[0] / 4.0 * x.hypot(y)
    })
}

/// Σ w·I over the offsets of the weights.
pub(super) fn convolve(convolution: &Convolution, around: &Around<'_>) -> Pixel {
    let width = convolution.size[0] as usize;
    let [left, top] = convolution.first.map(i64::from);
    let mut sums = [0.0; 4];
    for (place, weight) in convolution.weights.iter().enumerate() {
        let pixel = around(left + (place % width) as i64, top + (place / width) as i64);
        sums.iter_mut().zip(pixel).for_each(|(sum, value)| *sum += weight * value);
    }
    sums
}
