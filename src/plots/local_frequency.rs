//! The frequency of an image about a position.

use std::f64::consts::TAU;

use crate::image::Page;

/// Side of the square of samples that is transformed.
const SIDE: u32 = 24;
/// Frequencies between 0 and 1 cycle per sample.
const BINS: usize = 64;
/// Part of the variance that the strongest frequency has in a place with one frequency alone.
const LEAST_SHARE: f64 = 0.3;
/// Variance of a place without detail, for values of 1.
const LEAST_VARIANCE: f64 = 1e-5;

/// The strongest frequency of the 24 × 24 samples of `page` about `position`, along x and along y, each from 0 to ½ cycle per
/// sample in steps of 1/64; the colours are averaged. `None` outside the image, in an image smaller than that, and where no
/// frequency stands out.
///
/// ```
/// use lerpscope::image::{Formula, Size, Synth};
/// use lerpscope::plots::local_frequency;
/// // The zone plate's frequency along x is |x − W/2|/W.
/// let page = Formula::new(Synth::ZonePlate, Size::new(256, 256).unwrap())?.page();
/// let [x, y] = local_frequency(&page, [192.0, 128.0]).expect("a frequency");
/// assert!((x - 0.25).abs() < 0.02 && y < 0.02);
/// # Ok::<(), lerpscope::image::synth::SynthError>(())
/// ```
pub fn local_frequency(page: &Page, position: [f64; 2]) -> Option<[f64; 2]> {
    let values = windowed(page, position)?;
    // The transform of a row, then of its columns: e^(−2πikn/64) repeats after 64.
    let waves: Vec<[f64; 2]> = (0..BINS)
        .map(|turn| {
            let (sin, cos) = (TAU * turn as f64 / BINS as f64).sin_cos();
            [cos, -sin]
        })
        .collect();
    let side = SIDE as usize;
    let of_row = |row: usize, bin: usize| {
        (0..side).fold([0.0; 2], |sum, column| {
            let ([re, im], value) = (waves[bin * column % BINS], values[row * side + column]);
            [sum[0] + value * re, sum[1] + value * im]
        })
    };
    let (mut most, mut at) = (0.0, [0; 2]);
    for x in 0..=BINS / 2 {
        let column: Vec<[f64; 2]> = (0..side).map(|row| of_row(row, x)).collect();
        for y in 0..BINS {
            let [re, im] = column.iter().enumerate().fold([0.0; 2], |sum, (row, [a, b])| {
                let [re, im] = waves[y * row % BINS];
                [sum[0] + a * re - b * im, sum[1] + a * im + b * re]
            });
            let power = re * re + im * im;
            if power > most {
                (most, at) = (power, [x, y.min(BINS - y)]);
            }
        }
    }
    let (sum, squares) = (hann().sum::<f64>().powi(2), hann().map(|w| w * w).sum::<f64>().powi(2));
    let variance = values.iter().map(|value| value * value).sum::<f64>() / squares;
    let share = 2.0 * most / (sum * sum) / variance;
    (variance > LEAST_VARIANCE && share > LEAST_SHARE).then(|| at.map(|bin| bin as f64 / BINS as f64))
}

/// Hann's window over the samples of a side.
fn hann() -> impl Iterator<Item = f64> {
    (0..SIDE).map(|place| 0.5 - 0.5 * (TAU * (f64::from(place) + 0.5) / f64::from(SIDE)).cos())
}

/// The samples about `position` without their mean, times Hann's window along both axes.
fn windowed(page: &Page, position: [f64; 2]) -> Option<Vec<f64>> {
    let sides = page.size().sides();
    let mut first = [0_u32; 2];
    for axis in 0..2 {
        let nearest = (position[axis] + 0.5).floor();
        if !(0.0..f64::from(sides[axis])).contains(&nearest) || sides[axis] < SIDE {
            return None;
        }
        first[axis] = (nearest as u32).saturating_sub(SIDE / 2).min(sides[axis] - SIDE);
    }
    let (raster, colours) = (page.raster(), page.channels().opaque().count());
    let scale = f64::from(raster.samples().maxval()) * colours as f64;
    let value = |place: u32| {
        let [x, y] = [first[0] + place % SIDE, first[1] + place / SIDE];
        (0..colours).map(|channel| f64::from(raster.number(x, y, channel))).sum::<f64>() / scale
    };
    let values: Vec<f64> = (0..SIDE * SIDE).map(value).collect();
    let weights: Vec<f64> = hann().flat_map(|y| hann().map(move |x| x * y)).collect();
    let sum: f64 = weights.iter().sum();
    let mean = values.iter().zip(&weights).map(|(value, weight)| value * weight).sum::<f64>() / sum;
    Some(values.iter().zip(&weights).map(|(value, weight)| (value - mean) * weight).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::{Channels, Formula, Raster, Samples, Synth};
    use crate::test_support::size;

    #[test]
    fn frequency_of_the_zone_plate_grows_with_the_distance_from_its_centre() {
        let page = Formula::new(Synth::ZonePlate, size(256, 256)).expect("a formula").page();
        for [x, y] in [[160.0, 128.0], [200.0, 60.0], [90.0, 40.0], [128.0, 20.0], [230.0, 230.0]] {
            let found = local_frequency(&page, [x, y]).expect("a frequency");
            let expected = [x, y].map(|along: f64| (along - 128.0).abs() / 256.0);
            let is_near = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 0.025);
            assert!(is_near, "at {x}, {y}: {found:?}, not {expected:?}");
        }
    }

    #[test]
    fn flat_noisy_small_and_outer_places_have_no_frequency() {
        let mut random = fastrand::Rng::with_seed(5);
        let mut page = |side: u32, noise: f32| {
            let values = (0..side * side).map(|_| 0.5 + noise * (random.f32() - 0.5)).collect();
            Page::new(Raster::new(size(side, side), Channels::Grey, Samples::F32(values)).expect("a raster"))
        };
        assert_eq!(local_frequency(&page(64, 0.0), [32.0, 32.0]), None);
        assert_eq!(local_frequency(&page(64, 1.0), [32.0, 32.0]), None);
        assert_eq!(local_frequency(&page(8, 1.0), [4.0, 4.0]), None);
        let plate = Formula::new(Synth::ZonePlate, size(256, 256)).expect("a formula").page();
        assert_eq!(local_frequency(&plate, [-1.0, 128.0]), None);
        assert_eq!(local_frequency(&plate, [128.0, 256.0]), None);
        assert!(local_frequency(&plate, [255.0, 128.0]).is_some(), "the square is moved into the image");
    }
}
