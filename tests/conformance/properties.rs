//! What must hold of any backend, with no oracle.

use lerpscope::backend::reference::ReferenceBackend;
use lerpscope::backend::{ColourMap, CpuBackend, Display, PixelFormat, RenderRequest, RequestError, render};
use lerpscope::image::{Channels, Depth, Image, Page, Raster, Samples};
use lerpscope::sampling::{ADDRESS_MODES, METHODS, Method, Sampler, SamplingPath};
use lerpscope::view::View;

use crate::cases::{TOLERANCE, error_against_reference, float_values, image, random_image, size};

fn rendered(image: &Image, request: &RenderRequest, depth: Depth) -> Raster {
    render(&mut CpuBackend::new(), image, request, PixelFormat::file(depth)).expect("served")
}

#[test]
fn identity_view_returns_the_image_bit_for_bit() {
    for seed in 0..5 {
        for channels in [Channels::Grey, Channels::Rgb] {
            for (width, height) in [(1, 1), (5, 3), (64, 31)] {
                let image = random_image(seed, size(width, height), channels);
                let page = &image.pages()[0];
                for row in METHODS.iter().filter(|row| row.method.kernel().interpolates) {
                    for address in &ADDRESS_MODES {
                        for &path in row.method.kernel().paths {
                            let sampler = Sampler {
                                address: [address.address; 2],
                                path,
                                antialias: path.is_exact(),
                                ..Sampler::default().with_method(row.method)
                            };
                            let request = RenderRequest { sampler, ..RenderRequest::new(page.size()) };
                            let out = rendered(&image, &request, page.raster().depth());
                            assert_eq!(&out, page.raster(), "{} {} {path}", row.name, address.name);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn prefiltered_spline_passes_through_the_samples_under_each_address_mode() {
    for (width, height) in [(1, 1), (2, 5), (40, 23)] {
        let image = random_image(4, size(width, height), Channels::Grey);
        let Samples::F32(samples) = image.pages()[0].raster().samples() else { panic!("seed 4 makes floats") };
        for x in &ADDRESS_MODES {
            for y in &ADDRESS_MODES {
                let sampler = Sampler {
                    address: [x.address, y.address],
                    border: 0.8,
                    prefilter: true,
                    ..Sampler::default().with_method(Method::BSPLINE)
                };
                let request = RenderRequest { sampler, ..RenderRequest::new(size(width, height)) };
                let values = float_values(&mut CpuBackend::new(), &image, &request);
                for (a, b) in values.iter().zip(samples) {
                    assert!((f64::from(*a) - f64::from(*b)).abs() < TOLERANCE, "{} {}: {a} {b}", x.name, y.name);
                }
            }
        }
    }
}

#[test]
fn flat_image_renders_flat() {
    let flat = image(size(9, 6), Channels::Grey, Samples::F32(vec![0.6; 54]));
    for row in &METHODS {
        for address in &ADDRESS_MODES {
            for (prefilter, antialias) in [(false, false), (true, true)] {
                for (scale, angle) in [(0.3, 0.0), (7.7, 0.0), (1.3, 25.0)] {
                    let sampler = Sampler {
                        address: [address.address; 2],
                        border: 0.6,
                        prefilter,
                        antialias,
                        ..Sampler::default().with_method(row.method)
                    };
                    let view = View::new([0.2, 9.0], scale).and_then(|view| view.rotated(angle)).expect("a view");
                    let request = RenderRequest { view, sampler, ..RenderRequest::new(size(15, 11)) };
                    for value in float_values(&mut CpuBackend::new(), &flat, &request) {
                        assert!((value - 0.6).abs() < 1e-6, "{} {}: {value}", row.name, address.name);
                    }
                }
            }
        }
    }
}

#[test]
fn mirrored_image_renders_mirrored() {
    let (width, height) = (24, 15);
    let original = random_image(4, size(width, height), Channels::Grey);
    let Samples::F32(samples) = original.pages()[0].raster().samples() else { panic!("seed 4 makes floats") };
    let flipped: Vec<f32> = samples.chunks_exact(width as usize).flat_map(|row| row.iter().rev()).copied().collect();
    let flipped = image(size(width, height), Channels::Grey, Samples::F32(flipped));
    let scale = 0.37;
    for row in METHODS.iter().filter(|row| row.method != Method::Nearest) {
        for address in &ADDRESS_MODES {
            for prefilter in [false, true] {
                let sampler =
                    Sampler { address: [address.address; 2], prefilter, ..Sampler::default().with_method(row.method) };
                // Centred, so that x(i) and x(W_o − 1 − i) mirror each other.
                let view = View::new([(scale - 1.0) / 2.0; 2], scale).expect("a view");
                let request = RenderRequest { view, sampler, ..RenderRequest::new(size(101, 20)) };
                let a = float_values(&mut CpuBackend::new(), &original, &request);
                let b = float_values(&mut CpuBackend::new(), &flipped, &request);
                for (a, b) in a.chunks_exact(101).zip(b.chunks_exact(101)) {
                    for (a, b) in a.iter().zip(b.iter().rev()) {
                        assert!((f64::from(*a) - f64::from(*b)).abs() < TOLERANCE, "{} {}", row.name, address.name);
                    }
                }
            }
        }
    }
}

#[test]
fn quarter_turn_moves_samples_exactly() {
    let image = random_image(0, size(8, 8), Channels::Grey);
    let page = &image.pages()[0];
    for row in METHODS.iter().filter(|row| row.method.kernel().interpolates) {
        // Turned about sample (3.5, 3.5): the middle of the samples stays.
        let view = View::new([-1.0, 0.0], 1.0).and_then(|view| view.rotated(90.0)).expect("a view");
        let sampler = Sampler::default().with_method(row.method);
        let request = RenderRequest { view, sampler, ..RenderRequest::new(page.size()) };
        let out = rendered(&image, &request, Depth::EIGHT);
        for j in 0..8 {
            for i in 0..8 {
                assert_eq!(out.number(i, j, 0), page.raster().number(7 - j, i, 0), "{} at {i}, {j}", row.name);
            }
        }
    }
}

#[test]
fn transparent_colours_do_not_bleed() {
    // Opaque red beside fully transparent green: between them there is red alone, thinning out.
    let values = vec![255, 0, 0, 255, 0, 255, 0, 0];
    let image = image(size(2, 1), Channels::Rgba, Samples::U8 { values, maxval: 255 });
    let view = View::new([0.0, 0.0], 0.25).expect("a view");
    let request = RenderRequest { view, ..RenderRequest::new(size(9, 1)) };
    let out = rendered(&image, &request, Depth::EIGHT);
    for i in 0..9 {
        assert_eq!(out.number(i, 0, 1), 0.0, "green at {i}");
        if out.number(i, 0, 3) > 0.0 {
            assert_eq!(out.number(i, 0, 0), 255.0, "red at {i}");
        }
    }
}

#[test]
fn difference_equals_the_difference_of_its_parts() {
    let image = random_image(2, size(31, 22), Channels::Rgb);
    let view = View::new([1.0, 2.0], 0.4).expect("a view");
    let exact = RenderRequest {
        view,
        sampler: Sampler::default().with_method(Method::CATMULL_ROM),
        ..RenderRequest::new(size(40, 30))
    };
    let filtered =
        RenderRequest { sampler: Sampler { path: SamplingPath::Filtered, ..exact.sampler }, ..exact.clone() };
    let difference = RenderRequest { subtract: Some(Box::new(exact.clone())), ..filtered.clone() };
    let mut backend = CpuBackend::new();
    let parts = [&filtered, &exact].map(|request| float_values(&mut backend, &image, request));
    let whole = float_values(&mut backend, &image, &difference);
    assert!(whole.iter().any(|&v| v.abs() > 1e-4), "filtering by 1/256 steps shows");
    for (i, &value) in whole.iter().enumerate() {
        assert_eq!(value, parts[0][i] - parts[1][i]);
    }
    assert!(error_against_reference(&mut backend, &image, &difference) <= TOLERANCE);
}

#[test]
fn display_is_applied_to_the_float_result() {
    let image = random_image(4, size(12, 9), Channels::Grey);
    let plain = RenderRequest::new(size(12, 9));
    let display = Display { exposure: -1.0, offset: 0.25, gamma: 2.2, window: [0.1, 0.9], ..Display::default() };
    let shown = RenderRequest { display, ..plain.clone() };
    let mut backend = CpuBackend::new();
    let values = float_values(&mut backend, &image, &plain);
    for (value, shown) in values.iter().zip(float_values(&mut backend, &image, &shown)) {
        let linear = (value * 0.5 + 0.25 - 0.1) / 0.8;
        assert!((linear.powf(1.0 / 2.2) - shown).abs() < 1e-6);
    }
    let mapped = Display { colour_map: ColourMap::Viridis, ..Display::default() };
    let coloured = rendered(&image, &RenderRequest { display: mapped, ..plain }, Depth::EIGHT);
    assert_eq!(coloured.channels(), Channels::Rgb);
    let expected = ColourMap::Viridis.colour(values[0]).map(|v| (v * 255.0).round());
    for (channel, expected) in expected.into_iter().enumerate() {
        assert_eq!(coloured.number(0, 0, channel), expected);
    }
}

/// The value that a colour map maps is the luminance of colours by the weights of document 004; alpha stays.
#[test]
fn colour_map_of_colours_maps_their_luminance() {
    let mut backend = CpuBackend::new();
    for (seed, channels) in [(31, Channels::Rgb), (32, Channels::Rgba)] {
        for depth in [Depth::EIGHT, Depth::Float] {
            let image = random_image(seed, size(23, 17), channels);
            let mut plain = RenderRequest::new(size(40, 30));
            plain.view = View::new([0.2, -0.4], 0.6).expect("a view");
            let linear = plain.sampler.with_method(Method::Linear);
            let other = RenderRequest { sampler: plain.sampler.with_method(Method::CATMULL_ROM), ..plain.clone() };
            let difference = RenderRequest { sampler: linear, subtract: Some(Box::new(other)), ..plain.clone() };
            let signed = Display { exposure: 1.5, window: [-1.0, 1.0], ..Display::default() };
            for (request, display) in [
                (&plain, Display::default()),
                (&plain, Display { gamma: 1.7, window: [0.1, 0.8], ..Display::default() }),
                (&difference, signed),
                (&difference, Display { window: [0.0, 1.0], absolute: true, ..signed }),
            ] {
                let shown = |colour_map| {
                    let request = RenderRequest { display: Display { colour_map, ..display }, ..request.clone() };
                    let format = PixelFormat::file(depth);
                    render(&mut backend, &image, &request, format).expect("served")
                };
                let [channels, mapped] = [ColourMap::Grey, ColourMap::Viridis].map(shown);
                assert_eq!(mapped.channels(), channels.channels());
                let mut unlike_red = 0;
                for (x, y) in (0..30).flat_map(|y| (0..40).map(move |x| (x, y))) {
                    let one = f32::from(channels.samples().maxval());
                    let [red, green, blue] = [0, 1, 2].map(|channel| f64::from(channels.number(x, y, channel) / one));
                    let luminance = 0.3 * red + 0.59 * green + 0.11 * blue;
                    // Values beyond black and white are cut off in integers before the luminance is taken here.
                    if depth != Depth::Float && [red, green, blue].iter().any(|&value| value <= 0.0 || value >= 1.0) {
                        continue;
                    }
                    // Channels that are rounded to bytes, and the map's steps.
                    let most = if depth == Depth::Float { 0.005 } else { 0.015 };
                    let is_near = |value: f64| {
                        let colour = ColourMap::Viridis.colour(value as f32);
                        (0..3).all(|channel| (mapped.number(x, y, channel) / one - colour[channel]).abs() <= most)
                    };
                    let found = [0, 1, 2].map(|channel| mapped.number(x, y, channel) / one);
                    assert!(
                        is_near(luminance),
                        "{depth:?} {display:?}: {luminance} of {red}, {green}, {blue} at {x}, {y}: {found:?}"
                    );
                    unlike_red += usize::from(!is_near(red));
                    if channels.channels().has_alpha() {
                        assert_eq!(mapped.number(x, y, 3), channels.number(x, y, 3));
                    }
                }
                assert!(unlike_red > 100, "{depth:?} {display:?}: {unlike_red}");
            }
        }
    }
}

#[test]
fn absolute_difference_is_the_signed_one_without_sign() {
    for channels in [Channels::Grey, Channels::Rgba] {
        let image = random_image(5, size(14, 9), channels);
        let mut signed = RenderRequest::new(size(40, 31));
        signed.view = View::new([0.3, -0.2], 0.4).expect("a view");
        let other = RenderRequest { sampler: signed.sampler.with_method(Method::CATMULL_ROM), ..signed.clone() };
        signed.subtract = Some(Box::new(other));
        let mut absolute = signed.clone();
        absolute.display.absolute = true;
        let mut backend = CpuBackend::new();
        let values = float_values(&mut backend, &image, &signed);
        assert!(values.iter().any(|&v| v < -1e-3));
        let without_sign: Vec<f32> = values.iter().map(|v| v.abs()).collect();
        assert_eq!(float_values(&mut backend, &image, &absolute), without_sign);
    }
}

/// Images of two sizes and depths: each view says which samples of its own image a pixel shows.
fn of_two_sizes() -> (Image, RenderRequest) {
    let image =
        random_image(6, size(31, 20), Channels::Grey).followed_by(&random_image(7, size(17, 44), Channels::Grey));
    let mut request = RenderRequest::new(size(60, 50));
    request.view = View::new([2.5, -1.0], 0.7).expect("a view");
    let view = View::new([-4.0, 3.25], 0.3).expect("a view");
    let sampler = request.sampler.with_method(Method::CATMULL_ROM);
    request.subtract = Some(Box::new(RenderRequest { page: 1, view, sampler, ..request.clone() }));
    (image, request)
}

#[test]
fn images_of_two_sizes_are_subtracted_in_view_space() {
    let (image, request) = of_two_sizes();
    let mut other = *request.subtract.clone().expect("a second");
    let first = RenderRequest { subtract: None, ..request.clone() };
    let difference = float_values(&mut CpuBackend::new(), &image, &request);
    let minuend = float_values(&mut CpuBackend::new(), &image, &first);
    let alone = Image::new("second", vec![Page::new(image.pages()[1].raster().clone())]).expect("an image");
    other.page = 0;
    let subtrahend = float_values(&mut CpuBackend::new(), &alone, &other);
    assert!(minuend.iter().zip(&subtrahend).zip(&difference).all(|((a, b), difference)| a - b == *difference));
    let exact = float_values(&mut ReferenceBackend::default(), &image, &request);
    assert!(difference.iter().zip(&exact).all(|(a, b)| (a - b).abs() < 4e-6));
}

#[test]
fn pages_of_different_channels_are_not_subtracted() {
    let pages = [Channels::Grey, Channels::Rgb].map(|channels| {
        let raster = random_image(6, size(8, 8), channels).pages()[0].raster().clone();
        Page::new(raster)
    });
    let image = Image::new("two", pages.into()).expect("an image");
    let mut request = RenderRequest::new(size(8, 8));
    request.subtract = Some(Box::new(RenderRequest { page: 1, ..request.clone() }));
    let error = render(&mut CpuBackend::new(), &image, &request, PixelFormat::TEXTURE).expect_err("refused");
    assert!(error.to_string().contains("same channels"), "{error}");
}

#[test]
fn texture_of_a_colour_image_is_rgba_with_the_same_numbers() {
    let image = random_image(0, size(33, 7), Channels::Rgb);
    let request = RenderRequest::new(size(33, 7));
    let texture = render(&mut CpuBackend::new(), &image, &request, PixelFormat::TEXTURE).expect("served");
    assert_eq!(texture.channels(), Channels::Rgba);
    for y in 0..7 {
        for x in 0..33 {
            for c in 0..3 {
                assert_eq!(texture.number(x, y, c), image.pages()[0].raster().number(x, y, c));
            }
            assert_eq!(texture.number(x, y, 3), 255.0);
        }
    }
}

#[test]
fn values_that_are_no_numbers_become_black_and_nothing_panics() {
    let values = vec![f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.5, 1e30, -1e30];
    let image = image(size(3, 2), Channels::Grey, Samples::F32(values));
    for row in &METHODS {
        for scale in [0.3, 1.0, 5.0] {
            let view = View::new([0.0, 0.0], scale).expect("a view");
            let sampler = Sampler { prefilter: true, antialias: true, ..Sampler::default().with_method(row.method) };
            let request = RenderRequest { view, sampler, ..RenderRequest::new(size(6, 5)) };
            rendered(&image, &request, Depth::EIGHT);
        }
    }
    let out = rendered(&image, &RenderRequest::new(size(3, 2)).with_nearest(), Depth::EIGHT);
    let Samples::U8 { values, .. } = out.samples() else { panic!("eight bits") };
    assert_eq!(values, &[0, 255, 0, 128, 255, 0]);
}

trait WithNearest {
    fn with_nearest(self) -> Self;
}

impl WithNearest for RenderRequest {
    fn with_nearest(self) -> Self {
        Self { sampler: self.sampler.with_method(Method::Nearest), ..self }
    }
}

#[test]
fn kernels_too_wide_to_end_soon_are_refused() {
    let image = random_image(0, size(50, 40), Channels::Grey);
    let request = |scale: f64, angle: f64, blur: f64| {
        let view = View::new([0.0, 0.0], scale).and_then(|view| view.rotated(angle)).expect("a view");
        let sampler = Sampler { antialias: true, blur, ..Sampler::default().with_method(Method::LANCZOS4) };
        RenderRequest { view, sampler, ..RenderRequest::new(size(8, 8)) }.check(&image.pages()[0])
    };
    assert_eq!(request(1024.0, 0.0, 1.0), Ok(()));
    assert!(matches!(request(1_048_576.0, 0.0, 100.0), Err(RequestError::Support { .. })));
    assert_eq!(request(16.0, 30.0, 1.0), Ok(()));
    assert!(matches!(request(1000.0, 30.0, 1.0), Err(RequestError::Support { .. })));
}
