//! The overshoot of a panel as a picture: orange with plus signs above the range of the samples, blue with minus signs below.

use std::cmp::Ordering;

use egui::{Color32, ColorImage};

use super::caption::Caption;
use super::sample_check::magnitude_text;
use crate::image::Raster;
use crate::lab::field::{Overshoot, SIDES, Side, distance};

/// Distance from the range at which a mark is opaque.
const FULL: f32 = 0.05;
/// Opacity of the smallest overshoot.
const LEAST_OPACITY: f32 = 0.55;
/// Distance of two signs, in points.
const SIGN_PERIOD: f32 = 9.0;
/// Half the length of a sign's strokes and half their width, in points.
const SIGN_REACH: f32 = 2.6;
const SIGN_HALF_WIDTH: f32 = 0.7;

fn colour(side: Side) -> Color32 {
    match side {
        Side::Over => Color32::from_rgb(238, 119, 0),
        Side::Under => Color32::from_rgb(0, 96, 190),
    }
}

/// The picture of the distances from the ranges; `None` if every value is within its range. A sign is drawn where all of it is
/// on one side.
pub(super) fn picture(difference: &Raster, pixels_per_point: f32) -> Option<ColorImage> {
    let (width, height) = (difference.size().width(), difference.size().height());
    let side_at = |x: f32, y: f32| {
        let is_inside = (0.0..width as f32).contains(&x) && (0.0..height as f32).contains(&y);
        is_inside.then(|| distance(difference, x as u32, y as u32)).and_then(side_of)
    };
    let reach = (SIGN_REACH + 1.0) * pixels_per_point;
    let is_whole = |side: Side, [x, y]: [f32; 2]| {
        let ends = [[0.0, 0.0], [reach, 0.0], [-reach, 0.0], [0.0, reach], [0.0, -reach]];
        ends.iter().all(|[right, down]| side_at(x + right, y + down) == Some(side))
    };
    let mut is_any = false;
    let mut pixels = Vec::with_capacity(difference.size().area());
    for row in 0..height {
        for column in 0..width {
            let distance = distance(difference, column, row);
            let Some(side) = side_of(distance) else {
                pixels.push(Color32::TRANSPARENT);
                continue;
            };
            is_any = true;
            let share = (distance.abs() / FULL).min(1.0);
            let tint = colour(side).gamma_multiply(LEAST_OPACITY + (1.0 - LEAST_OPACITY) * share);
            let sign = sign_at(side, [column, row], pixels_per_point);
            pixels.push(if sign.is_some_and(|middle| is_whole(side, middle)) { Color32::WHITE } else { tint });
        }
    }
    is_any.then(|| ColorImage::new([width as usize, height as usize], pixels))
}

fn side_of(distance: f32) -> Option<Side> {
    match distance.partial_cmp(&0.0) {
        Some(Ordering::Greater) => Some(Side::Over),
        Some(Ordering::Less) => Some(Side::Under),
        Some(Ordering::Equal) | None => None,
    }
}

/// Middle of the sign of the pattern that a pixel belongs to, in pixels.
fn sign_at(side: Side, pixel: [u32; 2], pixels_per_point: f32) -> Option<[f32; 2]> {
    let [column, row] = pixel.map(|place| (place as f32 + 0.5) / pixels_per_point / SIGN_PERIOD);
    // Every second row of signs is shifted by half a period.
    let shift = if (row as u32).is_multiple_of(2) { 0.0 } else { 0.5 };
    let middle = [(column + shift).floor() + 0.5 - shift, row.floor() + 0.5];
    let [x, y] = [column - middle[0], row - middle[1]].map(|distance| (distance * SIGN_PERIOD).abs());
    let is_on = |along: f32, across: f32| along <= SIGN_REACH && across <= SIGN_HALF_WIDTH;
    let is_of_sign = match side {
        Side::Over => is_on(x, y) || is_on(y, x),
        Side::Under => is_on(x, y),
    };
    is_of_sign.then(|| middle.map(|place| place * SIGN_PERIOD * pixels_per_point))
}

/// What the overlay counts.
pub(super) fn caption(overshoot: &Overshoot) -> Caption {
    let Overshoot { pixels, sides: [over, under], request } = overshoot;
    let beyond = over.pixels + under.pixels;
    let share = 100.0 * beyond as f64 / (*pixels).max(1) as f64;
    let [most, least] = [over, under].map(|side| magnitude_text(side.largest));
    let texts = if beyond == 0 {
        vec!["none".to_owned()]
    } else {
        let largest = format!("+{most} −{least}");
        vec![
            format!("{share:.1} % of the pixels, orange above by up to {most}, blue below by up to {least}"),
            format!("{share:.1} % of the pixels, up to {largest}"),
            format!("{share:.1} %, {largest}"),
            largest,
        ]
    };
    let antiringing = request.sampler.antiringing;
    let of = |side: Side| match SIDES.iter().position(|known| *known == side) {
        Some(place) => overshoot.sides[place].pixels,
        None => 0,
    };
    Caption {
        title: "Overshoot",
        texts,
        help: format!(
            "{} pixels are above the range of their samples, {} below, by at most {most} and {least}; 1 is maxval\nThe range is that of the samples in the kernel's main lobe, 2 × 2 of interpolating kernels: the one that antiringing draws values into (now {antiringing})\nNegative weights of samples farther away make values leave it",
            of(Side::Over),
            of(Side::Under),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::{Channels, Samples};
    use crate::test_support::{row, size};

    #[test]
    fn values_within_the_range_are_not_marked() {
        assert!(picture(&row(&[0.0, 5e-6, -5e-6]), 1.0).is_none());
        let marked = picture(&row(&[0.0, 0.2, -0.2]), 1.0).expect("a picture");
        assert_eq!(marked.pixels[0], Color32::TRANSPARENT);
        assert!(marked.pixels[1..].iter().all(|pixel| pixel.a() > 0));
    }

    #[test]
    fn signs_tell_over_from_under_without_colour() {
        let signs = |value: f32, pixels_per_point: f32| {
            let size = size(40, 40);
            let raster = Raster::new(size, Channels::Grey, Samples::F32(vec![value; 1600])).expect("a raster");
            let picture = picture(&raster, pixels_per_point).expect("a picture");
            picture.pixels.iter().map(|pixel| *pixel == Color32::WHITE).collect::<Vec<_>>()
        };
        for pixels_per_point in [1.0, 2.0] {
            let [plus, minus] = [0.1, -0.1].map(|value| signs(value, pixels_per_point));
            // A plus has all of the minus, and a stroke across it.
            assert!(plus.iter().zip(&minus).all(|(plus, minus)| *plus || !*minus));
            let count = |signs: &[bool]| signs.iter().filter(|is_on| **is_on).count();
            assert!(count(&minus) > 20 && count(&plus) > count(&minus) * 3 / 2, "{} {}", count(&plus), count(&minus));
        }
    }

    #[test]
    fn larger_overshoot_is_more_opaque() {
        let picture = picture(&row(&[0.001, 0.02, 0.2]), 1.0).expect("a picture");
        let alpha: Vec<u8> = picture.pixels.iter().map(|pixel| pixel.a()).collect();
        assert!(alpha.is_sorted_by(|a, b| a < b) && alpha[2] == 255, "{alpha:?}");
    }
}
