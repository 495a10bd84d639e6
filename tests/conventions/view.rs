//! The view: x = s_x·(u·cos θ − v·sin θ) + W/2 + t_x and y = s_y·(u·sin θ + v·cos θ) + H/2 + t_y, with u = i − W_o/2 and
//! v = j − H_o/2.

use lerpscope::backend::{PixelFormat, RenderRequest};
use lerpscope::image::{Channels, Depth, Samples, Size};
use lerpscope::sampling::{Method, Sampler};
use lerpscope::view::View;

use super::{image, numbers, rendered, size};

const QUARTERS: [f64; 11] = [-36_000.0, -720.0, -270.0, -180.0, -90.0, 0.0, 90.0, 180.0, 270.0, 450.0, 36_000.0];

fn view(translation: [f64; 2], scale: f64, angle_deg: f64) -> View {
    View::new(translation, scale).and_then(|view| view.rotated(angle_deg)).expect("a view")
}

/// `view` with another scale along y, every second time.
fn stretched(view: View, random: &mut fastrand::Rng) -> View {
    let ratio = if random.bool() { (random.f64() * 8.0 - 4.0).exp2() } else { 1.0 };
    view.scaled([view.scale(), view.scale() * ratio]).expect("a view")
}

/// The definition.
fn position(view: &View, angle_deg: f64, [output, image]: [Size; 2], [i, j]: [f64; 2]) -> [f64; 2] {
    let u = i - f64::from(output.width()) / 2.0;
    let v = j - f64::from(output.height()) / 2.0;
    let [across, down] = view.scales();
    let (sin, cos) = (angle_deg * std::f64::consts::PI / 180.0).sin_cos();
    let [t_x, t_y] = view.translation();
    let x = across * (u * cos - v * sin) + f64::from(image.width()) / 2.0 + t_x;
    let y = down * (u * sin + v * cos) + f64::from(image.height()) / 2.0 + t_y;
    [x, y]
}

/// Compares two positions, relative to their magnitude.
fn assert_near(a: [f64; 2], b: [f64; 2], what: &str) {
    for (a, b) in a.into_iter().zip(b) {
        assert!((a - b).abs() <= 1e-9 * (1.0 + a.abs().max(b.abs())), "{what}: {a} is not {b}");
    }
}

fn random_sizes(random: &mut fastrand::Rng) -> [Size; 2] {
    [(); 2].map(|()| size(random.u32(1..3000), random.u32(1..3000)))
}

#[test]
fn positions_of_random_views_equal_the_definition() {
    let mut random = fastrand::Rng::with_seed(31);
    for round in 0..4000 {
        let sizes = random_sizes(&mut random);
        let angle =
            if round % 3 == 0 { QUARTERS[random.usize(..QUARTERS.len())] } else { random.f64() * 1440.0 - 720.0 };
        let translation = [(); 2].map(|()| (random.f64() - 0.5) * 5000.0);
        let view = stretched(view(translation, (random.f64() * 20.0 - 12.0).exp2(), angle), &mut random);
        let map = view.image_from_output(sizes[0], sizes[1]);
        let place = [random.f64() * 3000.0, random.f64() * 3000.0];
        let expected = position(&view, angle, sizes, place);
        assert_near(map.at(place), expected, &format!("{view:?}"));
        let back = map.inverse_at(expected);
        assert!((0..2).all(|axis| (back[axis] - place[axis]).abs() < 1e-5), "{view:?}: {back:?} is not {place:?}");
        let [[dx_di, dx_dj], [dy_di, dy_dj]] = map.steps();
        let beside = |by: [f64; 2]| position(&view, angle, sizes, [place[0] + by[0], place[1] + by[1]]);
        assert_near([expected[0] + dx_di, expected[1] + dy_di], beside([1.0, 0.0]), "one column on");
        assert_near([expected[0] + dx_dj, expected[1] + dy_dj], beside([0.0, 1.0]), "one row on");
        if angle == 0.0 {
            assert_near([map.along(0, place[0]), map.along(1, place[1])], expected, "along an axis");
            assert!(view.is_axis_aligned());
        }
    }
}

/// Quarter turns are exact: integer positions stay integers. Other angles follow the same formula on both sides of 0.
#[test]
fn quarter_turns_are_exact_and_positive_is_counter_clockwise() {
    let even = size(8, 8);
    for (angle, right_of_middle) in [
        (90.0, [4.0, 6.0]),
        (-270.0, [4.0, 6.0]),
        (180.0, [2.0, 4.0]),
        (-180.0, [2.0, 4.0]),
        (270.0, [4.0, 2.0]),
        (-90.0, [4.0, 2.0]),
        (360.0, [6.0, 4.0]),
        (-36_000.0, [6.0, 4.0]),
    ] {
        let map = view([0.0; 2], 1.0, angle).image_from_output(even, even);
        assert_eq!(map.at([6.0, 4.0]), right_of_middle, "{angle}°");
    }
}

/// Quarter turn of an image of 4 × 4 samples against its transpose.
#[test]
fn image_rotated_by_quarter_turns_has_its_samples_in_rotated_positions() {
    let side = size(4, 4);
    let samples: Vec<u8> = (0..16).map(|place| place * 10).collect();
    let image = image(side, Channels::Grey, Samples::U8 { values: samples.clone(), maxval: 255 });
    let sample = |column: i32, row: i32| samples[(row.clamp(0, 3) * 4 + column.clamp(0, 3)) as usize];
    for (angle, turned) in [
        (90.0, (|i, j| [4 - j, i]) as fn(i32, i32) -> [i32; 2]),
        (180.0, |i, j| [4 - i, 4 - j]),
        (-90.0, |i, j| [j, 4 - i]),
        (270.0, |i, j| [j, 4 - i]),
        (-270.0, |i, j| [4 - j, i]),
    ] {
        let sampler = Sampler::default().with_method(Method::Nearest);
        let request = RenderRequest { view: view([0.0; 2], 1.0, angle), sampler, ..RenderRequest::new(side) };
        let out = rendered(&image, &request, PixelFormat::file(Depth::EIGHT));
        for (j, i) in (0..4).flat_map(|j| (0..4).map(move |i| (j, i))) {
            let [column, row] = turned(i, j);
            assert_eq!(out.number(i as u32, j as u32, 0), f32::from(sample(column, row)), "{angle}°: ({i}, {j})");
        }
    }
}

/// Fit: the largest scale that shows the whole image, with x(−½) as far outside as x(W_o − ½); clamped to the valid
/// scales, not to the zoom limits.
#[test]
fn fit_shows_the_whole_image_centred_within_scale_limits() {
    let mut random = fastrand::Rng::with_seed(32);
    for _ in 0..500 {
        let [output, image] = random_sizes(&mut random);
        let fit = View::fit(output, image);
        let [across, down] = [
            f64::from(image.width()) / f64::from(output.width()),
            f64::from(image.height()) / f64::from(output.height()),
        ];
        assert_eq!((fit.scale(), fit.angle_deg()), (if across > down { across } else { down }, 0.0));
        let map = fit.image_from_output(output, image);
        let [first, last] = [[-0.5, -0.5], [f64::from(output.width()) - 0.5, f64::from(output.height()) - 0.5]]
            .map(|place| map.at(place));
        for (axis, length) in [image.width(), image.height()].into_iter().enumerate() {
            let (before, behind) = (-0.5 - first[axis], last[axis] - (f64::from(length) - 0.5));
            assert!((before - behind).abs() < 1e-9 && before > -1e-9, "{fit:?}: {before} before, {behind} behind");
        }
    }
    assert_eq!(View::fit(size(5000, 5000), size(1, 1)).scale(), 1.0 / 5000.0);
    assert_eq!(View::fit(size(1, 1), size(5000, 3)).scale(), 5000.0);
    assert_eq!(View::fit(size(1, 1), size(3_000_000, 3)).scale(), 1_048_576.0);
}

#[test]
fn zoom_keeps_its_anchor_and_stops_at_the_zoom_limits() {
    let mut random = fastrand::Rng::with_seed(33);
    for _ in 0..2000 {
        let sizes = random_sizes(&mut random);
        let angle = random.f64() * 720.0 - 360.0;
        let before = view([random.f64() * 90.0, random.f64() * -90.0], (random.f64() * 8.0 - 6.0).exp2(), angle);
        let before = stretched(before, &mut random);
        let about = [random.f64() * 900.0, random.f64() * 700.0];
        let after = before.zoomed_about(about, before.scale() * (random.f64() * 2.0 - 1.0).exp2(), sizes[0]);
        assert_near(position(&after, angle, sizes, about), position(&before, angle, sizes, about), "the anchor");
        assert_eq!(after.angle_deg(), before.angle_deg());
    }
    let any = view([0.0; 2], 1.0, 0.0);
    assert_eq!(any.zoomed_about([0.0; 2], 1e-9, size(9, 9)).scale(), 1.0 / 4096.0);
    assert_eq!(any.zoomed_about([0.0; 2], 1e9, size(9, 9)).scale(), 1024.0);
}

/// The sample under the pointer moves by `by` pixels in a drag of `by` pixels.
#[test]
fn pan_moves_the_image_with_the_pointer_at_every_angle() {
    let mut random = fastrand::Rng::with_seed(34);
    for _ in 0..2000 {
        let sizes = random_sizes(&mut random);
        let angle = random.f64() * 720.0 - 360.0;
        let before = view([random.f64() * 90.0, random.f64() * -90.0], (random.f64() * 8.0 - 6.0).exp2(), angle);
        let before = stretched(before, &mut random);
        let (from, by) = ([random.f64() * 900.0, 70.0], [random.f64() * 99.0 - 50.0, random.f64() * 99.0 - 50.0]);
        let after = before.panned(by);
        let to = [from[0] + by[0], from[1] + by[1]];
        assert_near(position(&after, angle, sizes, to), position(&before, angle, sizes, from), "the grabbed sample");
        assert_eq!((after.scales(), after.angle_deg()), (before.scales(), before.angle_deg()));
    }
}

/// 100 % and n×: x(0) and y(0) are whole multiples of the scale, at most half a pixel off the centre.
#[test]
fn actual_size_is_centred_within_half_a_pixel_and_snapped() {
    let mut random = fastrand::Rng::with_seed(35);
    for _ in 0..500 {
        let [output, image] = random_sizes(&mut random);
        for scale in [1.0, 0.5, 0.125, 2.0, 3.0] {
            let shown = View::actual_size(scale, output, image);
            let first = position(&shown, 0.0, [output, image], [0.0, 0.0]);
            let centred = View::new([(scale - 1.0) / 2.0; 2], scale).expect("a view");
            for axis in 0..2 {
                let steps = first[axis] / scale;
                assert!((steps - steps.round()).abs() < 1e-6, "{first:?} at {scale}");
                let moved = (shown.translation()[axis] - centred.translation()[axis]).abs() / scale;
                assert!(moved <= 0.5 + 1e-9, "{moved} pixels off the middle");
            }
            assert_eq!((shown.scale(), shown.angle_deg()), (scale, 0.0));
        }
    }
    assert_eq!(View::actual_size(1e9, size(5, 5), size(5, 5)).scale(), 1_048_576.0);
}

/// At half the time the logarithm of the scale is half way; the zoom's anchor is fixed.
#[test]
fn view_interpolation_is_exponential_in_scale_and_linear_in_translation() {
    let from = view([4.0, -7.0], 4.0, 15.0);
    let output = size(300, 200);
    let to = from.zoomed_about([10.0, 190.0], 0.25, output);
    assert!((from.towards(&to, 0.5).scale() - 1.0).abs() < 1e-12);
    assert!((from.towards(&to, 0.25).scale() - 2.0).abs() < 1e-12);
    let moved = from.panned([11.5, -30.25]);
    let quarter = from.towards(&moved, 0.25).translation();
    for (axis, quarter) in quarter.into_iter().enumerate() {
        let expected = from.translation()[axis] * 0.75 + moved.translation()[axis] * 0.25;
        assert!((quarter - expected).abs() < 1e-9);
    }
    assert_eq!([-1.0, 0.0].map(|share| from.towards(&to, share)), [from; 2]);
    assert_eq!([1.0, 2.0].map(|share| from.towards(&to, share)), [to; 2]);
}

#[test]
fn views_at_their_limits_are_valid_and_beyond_are_refused() {
    let (least, most, reach) = (1.0 / 1_048_576.0, 1_048_576.0, 1_073_741_824.0);
    for (translation, scale, is_view) in [
        ([reach, -reach], least, true),
        ([0.0, reach * 1.000_001], 1.0, false),
        ([-reach * 1.000_001, 0.0], 1.0, false),
        ([f64::NAN, 0.0], 1.0, false),
        ([0.0, 0.0], most, true),
        ([0.0, 0.0], most * 1.000_001, false),
        ([0.0, 0.0], least * 0.999_999, false),
        ([0.0, 0.0], -1.0, false),
    ] {
        assert_eq!(View::new(translation, scale).is_ok(), is_view, "{translation:?} {scale}");
    }
    for (angle, is_view) in [(36_000.0, true), (-36_000.0, true), (36_000.5, false), (-36_001.0, false)] {
        assert_eq!(View::default().rotated(angle).is_ok(), is_view, "{angle}°");
    }
    assert_eq!(view([0.0; 2], 1.0, 725.0).angle_deg(), 5.0);
    // Panning is limited to the valid translations.
    let far = view([reach / 2.0, 0.0], 1000.0, 0.0).panned([-1e9, 1e12]).translation();
    assert_eq!(far, [reach / 2.0, -reach / 2.0]);
}

/// Pixels of a rotated view equal the formula, sample by sample, through the whole renderer.
#[test]
fn rotated_nearest_render_reads_the_samples_of_the_definition() {
    let side = size(23, 17);
    let samples: Vec<u8> = (0..side.area()).map(|place| (place * 37 % 251) as u8).collect();
    let image = image(side, Channels::Grey, Samples::U8 { values: samples.clone(), maxval: 255 });
    let output = size(31, 29);
    for angle in [-170.0, -90.0, -33.3, 12.5, 90.0, 135.0, 201.0] {
        let view = view([1.37, -2.11], 0.713, angle);
        let sampler = Sampler::default().with_method(Method::Nearest);
        let request = RenderRequest { view, sampler, ..RenderRequest::new(output) };
        let out = numbers(&rendered(&image, &request, PixelFormat::file(Depth::EIGHT)));
        let mut compared = 0;
        for (place, found) in out.into_iter().enumerate() {
            let (i, j) = ((place % 31) as f64, (place / 31) as f64);
            let [x, y] = position(&view, angle, [output, side], [i, j]);
            // Between two samples the last bit decides.
            if [x, y].iter().any(|at| ((at + 0.5) - (at + 0.5).round()).abs() < 1e-6) {
                continue;
            }
            let [m, n] = [(x + 0.5).floor().clamp(0.0, 22.0), (y + 0.5).floor().clamp(0.0, 16.0)];
            assert_eq!(found, f32::from(samples[n as usize * 23 + m as usize]), "{angle}° at ({i}, {j})");
            compared += 1;
        }
        assert!(compared > 800, "{compared} pixels");
    }
}
