//! The CPU's fixed-point arithmetic of 8-bit pictures against the double-precision reference, and where it is not used.
//!
//! A level is right if no level is nearer to the exact value: where two are as near, both are. At most 0.5 % of a method's pixels are
//! off, and none by more than one level.

use lerpscope::backend::{CpuBackend, Instructions, PixelFormat, RenderRequest, reference, render};
use lerpscope::image::{Channels, Depth, Image, Samples};
use lerpscope::sampling::{ADDRESS_MODES, Method, Sampler, SamplingPath};
use lerpscope::view::View;

use crate::cases::{TOLERANCE, image, size};
use crate::kernels::METHOD_TEXTS;

/// Share of the pixels that may be off.
const MOST_OFF: f64 = 0.005;
/// Error of a value of single precision, in levels: views that fixed-point arithmetic does not serve have it.
const ROUNDING: f64 = TOLERANCE * 255.0;

/// An 8-bit image: noise, or a ramp with noise of a few levels.
fn eight_bit(random: &mut fastrand::Rng, channels: Channels, is_noise: bool) -> Image {
    let sides = size(random.u32(90..200), random.u32(60..120));
    let count = channels.count();
    let ramp = |index: usize| (index / count % sides.width() as usize) as u8;
    let values = (0..sides.area() * count)
        .map(|index| if is_noise { random.u8(..) } else { ramp(index).saturating_add(random.u8(..12)) })
        .collect();
    image(sides, channels, Samples::U8 { values, maxval: 255 })
}

/// A view between the samples, or one at an eighth of a sample.
fn view(random: &mut fastrand::Rng, round: usize) -> View {
    let scale = [0.0371, 0.125, 0.37, 0.5, 1.0, 1.31, 2.0, 3.7][round % 8];
    let translation = [random.f64() * 9.0 - 4.0, random.f64() * 9.0 - 4.0];
    let translation =
        if round.is_multiple_of(3) { translation.map(|along| (along * 8.0).round() / 8.0) } else { translation };
    View::new(translation, scale).expect("a view")
}

/// A view that is zoomed out.
fn reduced(random: &mut fastrand::Rng) -> View {
    let scale = 1.2 + 7.0 * random.f64();
    View::new([random.f64() * 40.0 - 20.0, random.f64() * 40.0 - 20.0], scale).expect("a view")
}

fn levels(image: &Image, request: &RenderRequest, channels: Channels) -> Vec<u8> {
    let shown = render(&mut CpuBackend::new(), image, request, PixelFormat::file(Depth::EIGHT)).expect("a picture");
    assert_eq!(shown.channels(), channels);
    match shown.samples() {
        Samples::U8 { values, .. } => values.clone(),
        _ => panic!("not bytes"),
    }
}

#[test]
fn levels_of_every_method_are_the_nearest_but_for_half_a_percent() {
    let mut random = fastrand::Rng::with_seed(31);
    for text in METHOD_TEXTS {
        let [mut off, mut count] = [0_usize; 2];
        for round in 0..24 {
            let channels = [Channels::Grey, Channels::Rgb][round / 2 % 2];
            let image = eight_bit(&mut random, channels, round % 2 == 0);
            let address = [(); 2].map(|()| ADDRESS_MODES[random.usize(..ADDRESS_MODES.len())].address);
            let antialias = round / 8 == 1;
            let sampler = Sampler {
                address,
                antialias,
                border: [0.0, 1.0, 0.35][round % 3],
                ..Sampler::default().with_method(text.parse().expect(text))
            };
            let view = if antialias { reduced(&mut random) } else { view(&mut random, round) };
            let request = RenderRequest { view, sampler, ..RenderRequest::new(size(random.u32(50..150), 24)) };
            // Kernels whose weights cancel at a stretch are refused.
            if request.check(&image.pages()[0]).is_err() {
                continue;
            }
            let exact = reference::values(&image, &request).expect("values");
            for (&level, exact) in levels(&image, &request, channels).iter().zip(exact) {
                let difference = (f64::from(level) - (exact * 255.0).clamp(0.0, 255.0)).abs();
                assert!(difference <= 1.5, "{text}, round {round}: {level} instead of {}", exact * 255.0);
                off += usize::from(difference > 0.5 + ROUNDING);
                count += 1;
            }
        }
        let share = off as f64 / count as f64;
        assert!(share <= MOST_OFF, "{text}: {:.3} % of {count} values are off", share * 100.0);
    }
}

/// `lookup` and `tiled` round the exact values.
#[test]
fn other_paths_round_the_values_of_single_precision() {
    let mut random = fastrand::Rng::with_seed(32);
    let mut differ = 0;
    for round in 0..60 {
        let channels = [Channels::Grey, Channels::Rgb][round % 2];
        let image = eight_bit(&mut random, channels, true);
        let method: Method = METHOD_TEXTS[random.usize(..METHOD_TEXTS.len())].parse().expect("a method");
        let of = |path: SamplingPath| Sampler { path, ..Sampler::default().with_method(method) };
        let view = view(&mut random, round);
        let request = |path| RenderRequest { view, sampler: of(path), ..RenderRequest::new(size(70, 50)) };
        let float = PixelFormat::file(Depth::Float);
        let values = render(&mut CpuBackend::new(), &image, &request(SamplingPath::Lookup), float).expect("values");
        let expected: Vec<u8> = (0..values.samples().len())
            .map(|index| (values.samples().number(index) * 255.0).clamp(0.0, 255.0).round_ties_even() as u8)
            .collect();
        for path in [SamplingPath::Lookup, SamplingPath::Tiled] {
            let request = request(path);
            if request.check(&image.pages()[0]).is_ok() {
                assert_eq!(levels(&image, &request, channels), expected, "{request:?}");
            }
        }
        differ += usize::from(levels(&image, &request(SamplingPath::Auto), channels) != expected);
    }
    assert!(differ > 20, "fixed-point arithmetic is used in {differ} of 60 views");
}

/// A linear view whose pixels are a whole number of samples apart adds up the four samples of a pixel at once.
#[test]
fn linear_levels_at_whole_scales_are_the_nearest_by_every_instruction_set() {
    let mut random = fastrand::Rng::with_seed(35);
    let [mut off, mut count] = [0_usize; 2];
    for round in 0..160 {
        let channels = [Channels::Grey, Channels::Rgb][round % 2];
        let image = eight_bit(&mut random, channels, round % 3 == 0);
        let scales = [(); 2].map(|()| f64::from(random.i32(1..6)));
        let scales = if random.bool() { [scales[0]; 2] } else { scales };
        let translation = [random.f64() * 90.0 - 45.0, random.f64() * 9.0 - 4.0];
        let view = View::new(translation, 1.0).and_then(|view| view.scaled(scales)).expect("a view");
        let method: Method = ["linear", "hermite"][round / 2 % 2].parse().expect("a method");
        let address = [(); 2].map(|()| ADDRESS_MODES[random.usize(..ADDRESS_MODES.len())].address);
        let sampler = Sampler { address, border: [0.0, 1.0][round % 2], ..Sampler::default().with_method(method) };
        let output = size(random.u32(1..150), random.u32(1..40));
        let request = RenderRequest { view, sampler, ..RenderRequest::new(output) };
        let exact = reference::values(&image, &request).expect("values");
        for format in [PixelFormat::TEXTURE, PixelFormat::file(Depth::EIGHT)] {
            let mut first = None;
            for set in Instructions::available() {
                let mut backend = CpuBackend::new().with_instructions(set);
                let shown = render(&mut backend, &image, &request, format).expect("a picture");
                let Samples::U8 { values, .. } = shown.samples() else { panic!("not bytes") };
                let first: &Vec<u8> = first.get_or_insert_with(|| values.clone());
                assert!(values == first, "{} writes other bytes: {request:?}", set.name());
                let [from, to] = [channels, shown.channels()].map(Channels::count);
                for (levels, exact) in values.chunks_exact(to).zip(exact.chunks_exact(from)) {
                    for (&level, exact) in levels.iter().zip(exact) {
                        let difference = (f64::from(level) - exact * 255.0).abs();
                        assert!(difference <= 1.5, "{}, {request:?}: {level} instead of {}", set.name(), exact * 255.0);
                        off += usize::from(difference > 0.5 + ROUNDING);
                        count += 1;
                    }
                    assert!(levels[from..].iter().all(|&alpha| alpha == u8::MAX), "{}, {request:?}", set.name());
                }
            }
        }
    }
    let share = off as f64 / count as f64;
    assert!(share <= MOST_OFF, "{:.3} % of {count} values are off", share * 100.0);
}

/// Rounded weights sum to one, as exact ones do.
#[test]
fn constant_pictures_keep_every_level() {
    let mut random = fastrand::Rng::with_seed(33);
    let mut kept = 0;
    for level in 0..=255 {
        let picture = image(size(40, 30), Channels::Grey, Samples::U8 { values: vec![level; 1200], maxval: 255 });
        let method: Method = METHOD_TEXTS[usize::from(level) % METHOD_TEXTS.len()].parse().expect("a method");
        let sampler = Sampler::default().with_method(method);
        let view = view(&mut random, usize::from(level));
        let request = RenderRequest { view, sampler, ..RenderRequest::new(size(75, 40)) };
        let exact = reference::values(&picture, &request).expect("values");
        if exact.iter().any(|value| (value * 255.0 - f64::from(level)).abs() > ROUNDING) {
            continue;
        }
        kept += 1;
        let shown = levels(&picture, &request, Channels::Grey);
        assert!(shown.iter().all(|&shown| shown == level), "{level} by {method}: {shown:?}");
    }
    assert!(kept > 200, "{kept} of 256 are constant");
}

/// The window's pixels of a colour picture, four channels, are those of a file, three.
#[test]
fn window_and_file_have_the_same_levels_by_every_instruction_set() {
    let mut random = fastrand::Rng::with_seed(34);
    for round in 0..120 {
        let image = eight_bit(&mut random, Channels::Rgb, true);
        let method: Method = METHOD_TEXTS[random.usize(..METHOD_TEXTS.len())].parse().expect("a method");
        let address = [(); 2].map(|()| ADDRESS_MODES[random.usize(..ADDRESS_MODES.len())].address);
        let sampler = Sampler { address, antialias: round % 4 == 0, ..Sampler::default().with_method(method) };
        let view = view(&mut random, round);
        let request = RenderRequest { view, sampler, ..RenderRequest::new(size(random.u32(1..150), 40)) };
        if request.check(&image.pages()[0]).is_err() {
            continue;
        }
        let file = levels(&image, &request, Channels::Rgb);
        for set in Instructions::available() {
            let mut backend = CpuBackend::new().with_instructions(set);
            let shown = render(&mut backend, &image, &request, PixelFormat::TEXTURE).expect("a picture");
            let Samples::U8 { values, .. } = shown.samples() else { panic!("not bytes") };
            for (pixel, expected) in values.as_chunks::<4>().0.iter().zip(file.as_chunks::<3>().0) {
                assert_eq!((&pixel[..3], pixel[3]), (&expected[..], 255), "{} of {request:?}", set.name());
            }
        }
    }
}
