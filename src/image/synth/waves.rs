//! Waves: the zone plate, the chirp and the noise, of known frequencies.

use std::array;
use std::f64::consts::{PI, SQRT_2, TAU};
use std::sync::LazyLock;

use super::fresnel::fresnel;
use super::{Parallelogram, Size, from_centre, middle};

/// ½ + ½·cos(π((x − W/2)² + (y − H/2)²)/W). The frequency along x is |x − W/2|/W cycles per sample: ½ (Nyquist) at the
/// middle of the left and right edges, and of the top and bottom edges for H = W.
pub(super) fn zone_plate(size: Size, x: f64, y: f64) -> f64 {
    let (dx, dy) = from_centre(size, x, y);
    0.5 + 0.5 * (PI * (dx * dx + dy * dy) / f64::from(size.width())).cos()
}

/// Mean of [`zone_plate`] over a rectangle: it has circular symmetry, and e^(i(a + b)) is a product of sweeps along the sides.
pub(super) fn zone_plate_mean(size: Size, area: &Parallelogram) -> f64 {
    let rate = 1.0 / f64::from(size.width());
    let (centre, lengths) = (area.centre_from(middle(size)), area.lengths());
    let [first, second] = [0, 1].map(|side: usize| sweep(rate, centre[side], lengths[side]));
    0.5 + 0.5 * (first[0] * second[0] - first[1] * second[1])
}

/// Factor of the zone plate along `axis`: the mean of e^(iπt²/W) over t within half of `side` of `centre`, from the middle;
/// the value at `centre` for a side of 0. Rectangles along the axes have the mean ½ + ½·Re(a·b) of the factors a and b.
pub(super) fn zone_plate_factor(size: Size, axis: usize, centre: f64, side: f64) -> [f64; 2] {
    sweep(1.0 / f64::from(size.width()), centre - middle(size)[axis], side)
}

/// ½ + ½·cos(πx²/2W): x/2W cycles per sample, 0 at the left edge and ½ (Nyquist) at the right edge.
pub(super) fn chirp(size: Size, x: f64, _y: f64) -> f64 {
    0.5 + 0.5 * (PI * x * x / (2.0 * f64::from(size.width()))).cos()
}

/// Mean of [`chirp`] over a rectangle along the axes.
pub(super) fn chirp_mean(size: Size, area: &Parallelogram) -> f64 {
    0.5 + 0.5 * sweep(0.5 / f64::from(size.width()), area.centre()[0], area.length_along(0))[0]
}

/// Mean of e^(iπ·`rate`·t²) over t within half of `side` of `centre`: real and imaginary part, by Fresnel integrals. The value at
/// `centre` for a side of 0.
fn sweep(rate: f64, centre: f64, side: f64) -> [f64; 2] {
    if side == 0.0 {
        let (sin, cos) = (PI * rate * centre * centre).sin_cos();
        return [cos, sin];
    }
    let unit = SQRT_2 * rate.sqrt();
    let [from, to] = [centre - side / 2.0, centre + side / 2.0].map(|t| t * unit);
    let (from, to, length) = (fresnel(from), fresnel(to), side * unit);
    array::from_fn(|part| (to[part] - from[part]) / length)
}

/// Number of waves of the noise.
const WAVES: usize = 32;
/// Highest frequency of the noise, in cycles per sample.
const BAND: f64 = 1.0 / 3.0;
/// Seed of the waves' frequencies and phases.
const SEED: u64 = 12;

/// One wave of the noise: cos(2π·(frequency · position) + phase).
struct Wave {
    /// Along x and y, in cycles per sample.
    frequency: [f64; 2],
    phase: f64,
}

static NOISE: LazyLock<[Wave; WAVES]> = LazyLock::new(|| {
    let mut random = SplitMix(SEED);
    array::from_fn(|index| {
        // One wave in each of WAVES rings of equal width: structure of every size, of random directions.
        let (radius, angle) = (BAND * (index as f64 + random.share()) / WAVES as f64, TAU * random.share());
        Wave { frequency: [radius * angle.cos(), radius * angle.sin()], phase: TAU * random.share() }
    })
});

/// Noise without frequencies above ⅓ cycle per sample: the mean of 32 waves, around ½, with a standard deviation of 0.06.
/// Frequencies and phases follow from a fixed seed, the same at every size and run.
pub(super) fn noise(_size: Size, x: f64, y: f64) -> f64 {
    let sum: f64 = NOISE.iter().map(|wave| wave.phase_at(x, y).cos()).sum();
    0.5 + 0.5 * sum / WAVES as f64
}

/// Mean of [`noise`]: a parallelogram attenuates a wave by the sinc of its cycles along each side.
pub(super) fn noise_mean(_size: Size, area: &Parallelogram) -> f64 {
    let [x, y] = area.centre();
    let sum: f64 = NOISE
        .iter()
        .map(|wave| {
            let [fx, fy] = wave.frequency;
            let kept: f64 = area.sides().iter().map(|[x, y]| sinc(fx * x + fy * y)).product();
            wave.phase_at(x, y).cos() * kept
        })
        .sum();
    0.5 + 0.5 * sum / WAVES as f64
}

impl Wave {
    fn phase_at(&self, x: f64, y: f64) -> f64 {
        TAU * (self.frequency[0] * x + self.frequency[1] * y) + self.phase
    }
}

/// sin(πt)/(πt), 1 at 0.
fn sinc(t: f64) -> f64 {
    let t = PI * t;
    if t == 0.0 { 1.0 } else { t.sin() / t }
}

/// Steele, Lea and Flood's generator (“Fast Splittable Pseudorandom Number Generators”, 2014).
struct SplitMix(u64);

impl SplitMix {
    /// The next number, uniform in [0, 1).
    fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        (bits >> 11) as f64 * (-53.0_f64).exp2()
    }
}
