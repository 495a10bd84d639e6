//! Display mapping: ((v·2^exposure + offset − black) / (white − black))^(1/gamma), its sign kept, of |v| for an
//! absolute display; clamped and rounded to nearest for integers. Alpha is unchanged.

use lerpscope::backend::{Display, PixelFormat, RenderRequest};
use lerpscope::image::{Channels, Depth, Raster, Samples};
use lerpscope::view::View;

use super::{image, numbers, rendered, size};

/// The definition.
fn mapped(display: &Display, value: f64) -> f64 {
    let value = if display.absolute { value.abs() } else { value };
    let [black, white] = display.window.map(f64::from);
    let exposed = value * 2.0_f64.powf(f64::from(display.exposure)) + f64::from(display.offset);
    let linear = (exposed - black) / (white - black);
    linear.signum() * linear.abs().powf(1.0 / f64::from(display.gamma))
}

/// Displays with one field changed each, and with all changed.
fn displays(random: &mut fastrand::Rng) -> Vec<Display> {
    let mut displays = vec![
        Display::default(),
        Display { exposure: 1.5, ..Display::default() },
        Display { offset: 0.25, ..Display::default() },
        Display { gamma: 2.0, ..Display::default() },
        Display { gamma: 0.45, ..Display::default() },
        Display { window: [0.25, 0.75], ..Display::default() },
        Display { window: [0.9, 0.1], ..Display::default() },
        Display { absolute: true, ..Display::default() },
    ];
    displays.extend((0..40).map(|_| Display {
        exposure: random.f32() * 6.0 - 3.0,
        offset: random.f32() * 2.0 - 1.0,
        gamma: 0.3 + random.f32() * 3.0,
        window: [random.f32() - 0.5, 0.6 + random.f32()],
        absolute: random.bool(),
        ..Display::default()
    }));
    displays
}

/// Values below 0, within 0 … 1 and above 1.
fn values(count: usize, random: &mut fastrand::Rng) -> Vec<f32> {
    (0..count).map(|_| random.f32() * 4.0 - 1.5).collect()
}

#[test]
fn display_mapping_equals_its_formula() {
    let mut random = fastrand::Rng::with_seed(41);
    for display in displays(&mut random) {
        for channels in [Channels::Grey, Channels::Rgb] {
            let side = size(16, 8);
            let values = values(side.area() * channels.count(), &mut random);
            let image = image(side, channels, Samples::F32(values.clone()));
            let request = RenderRequest { display, ..RenderRequest::new(side) };
            let found = numbers(&rendered(&image, &request, PixelFormat::file(Depth::Float)));
            assert_eq!(found.len(), values.len());
            for (value, found) in values.into_iter().zip(found) {
                let expected = mapped(&display, f64::from(value));
                // Near 0 a root is steep: the rounding error of its argument is amplified.
                let root = (1.0 / f64::from(display.gamma)).min(1.0);
                let tolerance = 1e-4 * (1.0 + expected.abs()) + 1e-5_f64.powf(root);
                let off = (f64::from(found) - expected).abs();
                assert!(off < tolerance, "{display:?}: {value} is {found}, by the formula {expected}");
            }
        }
    }
}

#[test]
fn gamma_of_negative_values_keeps_the_sign() {
    let image = image(size(4, 1), Channels::Grey, Samples::F32(vec![-0.25, -4.0, 0.25, 0.0]));
    let display = Display { gamma: 2.0, ..Display::default() };
    let request = RenderRequest { display, ..RenderRequest::new(size(4, 1)) };
    assert_eq!(numbers(&rendered(&image, &request, PixelFormat::file(Depth::Float))), [-0.5, -2.0, 0.5, 0.0]);
}

/// Integers: the formula times maxval, rounded to nearest and clamped to 0 … maxval, in every code path of the writer
/// (identity, grey, colour, colour with opaque alpha, mapped).
#[test]
fn integer_output_is_rounded_to_nearest_and_clamped() {
    let mut random = fastrand::Rng::with_seed(42);
    let (mut between, side) = (0, size(64, 4));
    for display in displays(&mut random) {
        for (channels, depth, maxval) in [
            (Channels::Grey, Depth::EIGHT, 255.0),
            (Channels::Rgb, Depth::EIGHT, 255.0),
            (Channels::Grey, Depth::SIXTEEN, 65535.0),
            (Channels::Rgb, Depth::SIXTEEN, 65535.0),
        ] {
            let values = values(side.area() * channels.count(), &mut random);
            let image = image(side, channels, Samples::F32(values.clone()));
            let request = RenderRequest { display, ..RenderRequest::new(side) };
            for for_texture in [false, true] {
                let out = rendered(&image, &request, PixelFormat { depth, for_texture });
                let stride = out.channels().count();
                let is_rgba = for_texture && channels == Channels::Rgb;
                assert_eq!(stride, if is_rgba { 4 } else { channels.count() });
                for (pixel, found) in numbers(&out).chunks_exact(stride).enumerate() {
                    for (channel, found) in found.iter().enumerate() {
                        if channel == 3 {
                            assert_eq!(f64::from(*found), maxval, "opaque");
                            continue;
                        }
                        let value = values[pixel * channels.count() + channel];
                        let exact = (mapped(&display, f64::from(value)) * maxval).clamp(0.0, maxval);
                        // Single precision may round to the other side of a half.
                        let slack = 2e-6 * maxval * (1.0 + f64::from(display.exposure).exp2());
                        if ((exact - exact.floor()) - 0.5).abs() > slack.min(0.45) {
                            assert_eq!(f64::from(*found), exact.round(), "{display:?} {depth:?}: {value}");
                            between += 1;
                        } else {
                            assert!((f64::from(*found) - exact).abs() < 1.5 + slack, "{display:?} {depth:?}: {value}");
                        }
                    }
                }
            }
        }
    }
    assert!(between > 40_000, "{between} values were clear of a half");
}

/// Colour is interpolated premultiplied and written straight: half way from opaque white to transparent is white.
#[test]
fn alpha_is_unchanged_by_the_display_and_colours_are_straight() {
    let display = Display { exposure: -1.0, ..Display::default() };
    let image = image(size(2, 1), Channels::GreyAlpha, Samples::F32(vec![1.0, 1.0, 0.2, 0.0]));
    let view = View::new([0.5, 0.0], 1.0).expect("a view");
    let request = RenderRequest { view, display, ..RenderRequest::new(size(2, 1)) };
    let out = numbers(&rendered(&image, &request, PixelFormat::file(Depth::Float)));
    assert_eq!(out[..2], [0.5, 0.5], "the exposure halves the colour and leaves alpha");
    assert_eq!(out[2..], [0.0, 0.0], "without alpha there is no colour");
}

/// Difference of images with alpha: the difference of their straight colours, opaque.
#[test]
fn difference_of_images_with_alpha_is_of_straight_colours_and_opaque() {
    let mut random = fastrand::Rng::with_seed(43);
    let side = size(9, 7);
    for (channels, opaque, for_texture) in
        [(Channels::Rgba, Channels::Rgb, Channels::Rgba), (Channels::GreyAlpha, Channels::Grey, Channels::Grey)]
    {
        let count = channels.count();
        let straight: Vec<f32> = (0..side.area() * count).map(|_| 0.1 + 0.8 * random.f32()).collect();
        let image = image(side, channels, Samples::F32(straight.clone()));
        // The second is one sample further right.
        let second = RenderRequest { view: View::new([1.0, 0.0], 1.0).expect("a view"), ..RenderRequest::new(side) };
        let request = RenderRequest { subtract: Some(Box::new(second)), ..RenderRequest::new(side) };
        let out = rendered(&image, &request, PixelFormat::file(Depth::Float));
        assert_eq!(out.channels(), opaque);
        let colour =
            |column: u32, row: u32, channel: usize| straight[((row * 9 + column.min(8)) as usize) * count + channel];
        for (row, column) in (0..7).flat_map(|row| (0..9).map(move |column| (row, column))) {
            for channel in 0..opaque.count() {
                let expected = colour(column, row, channel) - colour(column + 1, row, channel);
                assert!((out.number(column, row, channel) - expected).abs() < 1e-5, "({column}, {row})");
            }
        }
        let shown: Raster = rendered(&image, &request, PixelFormat::TEXTURE);
        assert_eq!(shown.channels(), for_texture);
        if for_texture.has_alpha() {
            let alphas = numbers(&shown).into_iter().skip(3).step_by(4);
            assert!(alphas.into_iter().all(|alpha| alpha == 255.0), "a difference is opaque");
        }
    }
}

#[test]
fn display_with_invalid_numbers_is_refused() {
    let side = size(2, 2);
    let image = image(side, Channels::Grey, Samples::F32(vec![0.5; 4]));
    let serves =
        |display: Display| RenderRequest { display, ..RenderRequest::new(side) }.check(&image.pages()[0]).is_ok();
    let with = |change: fn(&mut Display)| {
        let mut display = Display::default();
        change(&mut display);
        serves(display)
    };
    assert!(with(|display| display.window = [1.0, 0.0]) && with(|display| display.exposure = -100.0));
    assert!(with(|display| display.gamma = 0.01) && with(|display| display.gamma = 100.0));
    for change in [
        (|display| display.window = [0.5, 0.5]) as fn(&mut Display),
        |display| display.window = [0.0, f32::INFINITY],
        |display| display.window = [f32::NAN, 1.0],
        |display| display.exposure = 100.5,
        |display| display.exposure = f32::NAN,
        |display| display.offset = f32::INFINITY,
        |display| display.gamma = 0.0,
        |display| display.gamma = 101.0,
    ] {
        assert!(!with(change));
    }
}
