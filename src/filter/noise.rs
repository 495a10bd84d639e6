//! Noise: random numbers by the place of each value.
//!
//! The random words of a value follow from the seed, its place and its channel by the counter-based generator
//! Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011): no state passes
//! from value to value, so that every backend has the same words in any order of work. Twin: `philox` in
//! kernels/filters.cu.
//!
//! | kind | value | noise |
//! |---|---|---|
//! | `white` | I + σ·g, g by Box and Muller (1958) from 24-bit numbers, abs(g) ≤ 5.77 | mean 0, variance σ², kurtosis 3 |
//! | `uniform` | I + σ·√3·u, −1 < u < 1 | mean 0, variance σ², kurtosis 9/5 |
//! | `salt-and-pepper` | 0 or 1, as often, for a share σ of the values; I else | |
//!
//! The place of a sample is its index in the image. The place of a pixel is its index in the endless lattice of pixels of
//! its view ([`RenderRequest::first_pixel`](crate::backend::RenderRequest::first_pixel)): noise stays in place while the
//! view is panned by whole pixels.

use std::f64::consts::TAU;

use super::{ExecOptions, ParameterChoice, Plane};

/// Rows of one task.
const BAND_ROWS: usize = 16;

/// A kind of noise, by the number that is its parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoiseKind {
    /// Gaussian.
    White = 0,
    /// Of equal density between two ends.
    Uniform = 1,
    /// Black and white specks.
    SaltAndPepper = 2,
}

/// The names of the kinds.
pub(crate) const NOISE_KINDS: &[ParameterChoice] = &[
    ParameterChoice { name: "white", title: "Gaussian" },
    ParameterChoice { name: "uniform", title: "Uniform" },
    ParameterChoice { name: "salt-and-pepper", title: "Salt and pepper" },
];

/// Noise with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Noise {
    /// The kind.
    pub(crate) kind: NoiseKind,
    /// White: σ. Uniform: half the width, σ·√3.
    pub(crate) amplitude: f64,
    /// Salt and pepper: of 2²⁴ values, the number that are replaced.
    pub(crate) replaced: u32,
    /// The seed.
    pub(crate) seed: u32,
}

impl Noise {
    /// The noise of a step's parameters.
    pub(crate) fn new(parameters: &[f64]) -> Self {
        let [kind, sigma, seed] = [parameters[0], parameters[1], parameters[2]];
        let kind = match kind as u8 {
            0 => NoiseKind::White,
            1 => NoiseKind::Uniform,
            _ => NoiseKind::SaltAndPepper,
        };
        let amplitude = if kind == NoiseKind::Uniform { sigma * 3.0_f64.sqrt() } else { sigma };
        let replaced = (sigma.clamp(0.0, 1.0) * f64::from(1 << 24)).round() as u32;
        Self { kind, amplitude, replaced, seed: seed as u32 }
    }

    /// `value` of the channel at `place` with its noise. NaN stays NaN, but for specks.
    pub(crate) fn on(&self, value: f64, place: [u32; 2], channel: u32) -> f64 {
        let words = philox([place[0], place[1], channel, 0], [self.seed, 0]);
        match self.kind {
            NoiseKind::White => value + self.amplitude * gaussian(words),
            NoiseKind::Uniform => value + self.amplitude * uniform(words[0]),
            NoiseKind::SaltAndPepper if words[0] >> 8 < self.replaced => f64::from(words[1] >> 31),
            NoiseKind::SaltAndPepper => value,
        }
    }
}

/// A standard normal number from two words.
fn gaussian(words: [u32; 4]) -> f64 {
    let fraction = |word: u32| f64::from(word >> 8) / f64::from(1 << 24);
    let above_zero = fraction(words[0]) + 1.0 / f64::from(1 << 24);
    (-2.0 * above_zero.ln()).sqrt() * (TAU * fraction(words[1])).cos()
}

/// A number within −1 … 1 from a word, with its sign as likely as the other; exact in single precision.
fn uniform(word: u32) -> f64 {
    f64::from(2 * (word >> 9) + 1) / f64::from(1 << 23) - 1.0
}

/// Four random words by a counter and a key: Philox4x32 of ten rounds.
///
/// ```text
///   round   (c0, c1, c2, c3), (k0, k1) ↦ (hi(M1·c2)⊕c1⊕k0, lo(M1·c2), hi(M0·c0)⊕c3⊕k1, lo(M0·c0))
///   key     (k0, k1) += (W0, W1) between rounds
/// ```
fn philox(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    const MULTIPLIERS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
    const WEYL: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];
    let halves = |a: u32, b: u32| {
        let product = u64::from(a) * u64::from(b);
        ((product >> 32) as u32, product as u32)
    };
    let (mut c, mut k) = (counter, key);
    for _ in 0..10 {
        let (high_0, low_0) = halves(MULTIPLIERS[0], c[0]);
        let (high_1, low_1) = halves(MULTIPLIERS[1], c[2]);
        c = [high_1 ^ c[1] ^ k[0], low_1, high_0 ^ c[3] ^ k[1], low_0];
        k = [k[0].wrapping_add(WEYL[0]), k[1].wrapping_add(WEYL[1])];
    }
    c
}

/// Adds noise to the straight colours of `plane`, in place. Alpha is kept; colours at alpha 0 are 0.
pub(super) fn noise(parameters: &[f64], plane: &mut Plane, work: &ExecOptions) {
    let noise = Noise::new(parameters);
    let (stride, first) = (plane.stride(), plane.first);
    let (count, colours) = (plane.channels.count(), plane.channels.opaque().count());
    let has_alpha = plane.channels.has_alpha();
    work.for_bands(
        (&mut plane.values, stride),
        BAND_ROWS,
        || (),
        |(), from, band| {
            for (row, line) in band.chunks_exact_mut(stride).enumerate() {
                let y = first[1].wrapping_add((from + row) as u32);
                for (column, pixel) in line.chunks_exact_mut(count).enumerate() {
                    let place = [first[0].wrapping_add(column as u32), y];
                    let alpha = if has_alpha { pixel[colours] } else { 1.0 };
                    for (channel, value) in pixel[..colours].iter_mut().enumerate() {
                        let straight = if has_alpha { *value / alpha } else { *value };
                        let noisy = noise.on(f64::from(straight), place, channel as u32) as f32;
                        *value = if alpha == 0.0 { 0.0 } else { noisy * alpha };
                    }
                }
            }
        },
    );
}

/// The same for one pixel of straight colours, in double precision.
pub(super) fn reference(parameters: &[f64], place: [u32; 2], colours: &mut [f64]) {
    let noise = Noise::new(parameters);
    colours.iter_mut().zip(0..).for_each(|(value, channel)| *value = noise.on(*value, place, channel));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::Channels;

    /// The known answers of the generator's authors (Random123, kat_vectors).
    #[test]
    fn random_words_are_those_of_the_published_test_vectors() {
        assert_eq!(philox([0; 4], [0; 2]), [0x6627_E8D5, 0xE169_C58D, 0xBC57_AC4C, 0x9B00_DBD8]);
        assert_eq!(philox([u32::MAX; 4], [u32::MAX; 2]), [0x408F_276D, 0x41C8_3B0E, 0xA20B_C7C6, 0x6D54_51FD]);
        let (counter, key) = ([0x243F_6A88, 0x85A3_08D3, 0x1319_8A2E, 0x0370_7344], [0xA409_3822, 0x299F_31D0]);
        assert_eq!(philox(counter, key), [0xD16C_FE09, 0x94FD_CCEB, 0x5001_E420, 0x2412_6EA1]);
    }

    fn noisy(text: &str, (side, value): (u32, f32), first: [u32; 2]) -> Vec<f32> {
        let values = vec![value; (side * side) as usize];
        let mut plane = Plane { size: [side; 2], first, channels: Channels::Grey, values };
        let step: super::super::Step = text.parse().expect(text);
        noise(step.parameters(), &mut plane, &ExecOptions::default());
        plane.values
    }

    /// Mean, standard deviation and kurtosis (the fourth moment over the squared variance).
    fn moments(values: &[f32]) -> [f64; 3] {
        let count = values.len() as f64;
        let mean = values.iter().map(|&v| f64::from(v)).sum::<f64>() / count;
        let moment = |power: i32| values.iter().map(|&v| (f64::from(v) - mean).powi(power)).sum::<f64>() / count;
        [mean, moment(2).sqrt(), moment(4) / moment(2).powi(2)]
    }

    /// Bounds of five standard errors of each moment over 2²⁰ values.
    #[test]
    fn mean_deviation_and_kurtosis_are_those_of_the_kind() {
        for seed in [0, 1, 65535] {
            for (kind, kurtosis, spread) in [("white", 3.0, 24.0_f64), ("uniform", 1.8, 1.0)] {
                let [mean, deviation, found] =
                    moments(&noisy(&format!("noise={kind},0.1,{seed}"), (1024, 0.5), [7, 9]));
                assert!((mean - 0.5).abs() < 5.0 * 0.1 / 1024.0, "{kind} {seed}: mean {mean}");
                assert!((deviation - 0.1).abs() < 5.0 * 0.1 / 1024.0, "{kind} {seed}: deviation {deviation}");
                assert!((found - kurtosis).abs() < 5.0 * spread.sqrt() / 1024.0, "{kind} {seed}: kurtosis {found}");
            }
            let specks = noisy(&format!("noise=salt-and-pepper,0.2,{seed}"), (1024, 0.5), [0, 0]);
            let share = |value: f32| specks.iter().filter(|&&v| v == value).count() as f64 / specks.len() as f64;
            for (value, expected) in [(0.0, 0.1), (1.0, 0.1), (0.5, 0.8)] {
                assert!((share(value) - expected).abs() < 5.0 * 0.4 / 1024.0, "{value}: {}", share(value));
            }
        }
        assert!(noisy("noise=salt-and-pepper,1", (64, 0.5), [0, 0]).iter().all(|&v| v != 0.5));
        assert!(noisy("noise=white,0", (64, 0.5), [0, 0]).iter().all(|&v| v == 0.5));
    }

    /// No correlation with the neighbour along x, along y, with another seed or with another channel.
    #[test]
    fn numbers_of_neighbours_seeds_and_channels_are_uncorrelated() {
        let side = 512;
        let one = noisy("noise=white,1", (side, 0.0), [0, 0]);
        let correlation = |other: &[f32]| {
            let sum: f64 = one.iter().zip(other).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum();
            sum / f64::from(side * side)
        };
        let bound = 5.0 / f64::from(side);
        for (what, other) in [
            ("x", noisy("noise=white,1", (side, 0.0), [1, 0])),
            ("y", noisy("noise=white,1", (side, 0.0), [0, 1])),
            ("seed", noisy("noise=white,1,1", (side, 0.0), [0, 0])),
        ] {
            assert!(correlation(&other).abs() < bound, "{what}: {}", correlation(&other));
        }
        let values = vec![0.0; (side * side * 3) as usize];
        let mut plane = Plane { size: [side; 2], first: [0, 0], channels: Channels::Rgb, values };
        noise(&[0.0, 1.0, 0.0], &mut plane, &ExecOptions::default());
        let channel = |c: usize| plane.values.iter().skip(c).step_by(3).copied().collect::<Vec<_>>();
        assert_eq!(channel(0), one);
        assert!(correlation(&channel(1)).abs() < bound && correlation(&channel(2)).abs() < bound);
    }

    #[test]
    fn noise_belongs_to_the_place_and_not_to_the_plane() {
        let (whole, part) = (noisy("noise", (64, 0.5), [0, 0]), noisy("noise", (16, 0.5), [40, 8]));
        for y in 0..16 {
            assert_eq!(part[y * 16..][..16], whole[(y + 8) * 64 + 40..][..16], "row {y}");
        }
        // Places wrap around at 2³².
        let across = noisy("noise", (4, 0.5), [u32::MAX - 1, 0]);
        assert_eq!(across[2], whole[0]);
    }

    #[test]
    fn alpha_is_kept_and_transparent_pixels_have_no_noise() {
        let values = vec![0.25, 0.5, 0.0, 0.0];
        let mut plane = Plane { size: [2, 1], first: [0, 0], channels: Channels::GreyAlpha, values };
        noise(&[0.0, 0.1, 3.0], &mut plane, &ExecOptions::default());
        let straight = Noise::new(&[0.0, 0.1, 3.0]).on(0.5, [0, 0], 0) as f32;
        assert_eq!(plane.values, [straight * 0.5, 0.5, 0.0, 0.0]);
        assert_ne!(straight, 0.5);
    }
}
