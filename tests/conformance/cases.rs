//! What is compared, and how exactly.

use lerpscope::backend::{Backend, PixelFormat, RenderRequest, reference, render};
use lerpscope::image::{Channels, Depth, Image, Page, Raster, Samples, Size};
use lerpscope::sampling::{ADDRESS_MODES, AddressMode, Method, Sampler, SamplingPath};
use lerpscope::view::View;

use crate::kernels::{METHOD_TEXTS, NAMED};

/// How far a backend's single precision may be from the reference, samples in [0, 1].
///
/// | path | bound | why |
/// |---|---|---|
/// | exact paths | 2·10⁻⁶ | weights rounded once, 64 products summed in single precision; coefficients reach ±9 at worst |
/// | `filtered` | 2·10⁻⁶ | against the reference with the same fixed-point weights: the same sums |
pub(crate) const TOLERANCE: f64 = 2e-6;

pub(crate) fn size(width: u32, height: u32) -> Size {
    Size::new(width, height).expect("a size that is not zero")
}

/// Image sizes from one sample up, odd and even, longer and shorter than a support, a halo and a band.
pub(crate) const SIZES: [(u32, u32); 8] = [(1, 1), (2, 1), (1, 3), (4, 5), (7, 2), (16, 33), (67, 41), (150, 9)];

/// Output size, scale, translation, angle: identity, inside, outside, far zooms, zoom-out, turned; then unequal scales along x
/// and y: both zoomed in, one zoomed out, turned.
pub(crate) fn views() -> Vec<(Size, View)> {
    let view = |width, height, scale, translation, angle: f64| {
        let view = View::new(translation, scale).and_then(|view| view.rotated(angle));
        (size(width, height), view.expect("a view in range"))
    };
    let stretched = |width, height, scales, translation, angle: f64| {
        let view = View::new(translation, 1.0).and_then(|view| view.scaled(scales)?.rotated(angle));
        (size(width, height), view.expect("a view in range"))
    };
    vec![
        view(16, 33, 1.0, [0.0, 0.0], 0.0),
        view(37, 23, 0.21, [-1.37, 2.61], 0.0),
        view(19, 40, 1.0 / 57.0, [0.4, -0.3], 0.0),
        view(31, 17, 2.37, [5.1, -3.7], 0.0),
        view(9, 7, 11.9, [0.25, 0.75], 0.0),
        view(21, 18, 0.4, [-30.2, 44.9], 0.0),
        view(25, 19, 0.63, [1.5, -0.8], 33.0),
        view(12, 11, 1.9, [0.0, 0.0], -104.5),
        stretched(33, 21, [0.27, 0.81], [1.3, -0.6], 0.0),
        stretched(17, 29, [2.7, 0.45], [-0.4, 0.9], 0.0),
        stretched(18, 22, [0.5, 1.0], [0.2, -1.1], 90.0),
        stretched(13, 15, [0.6, 2.3], [0.8, 0.3], 33.0),
    ]
}

/// The image that tests/golden/make_scipy.py uses.
pub(crate) fn pattern(width: u32, height: u32) -> Image {
    let number = |x: u32, y: u32| ((x * 73 + y * 151 + x * y * 37 + 11) % 256) as u8;
    let values = (0..height).flat_map(|y| (0..width).map(move |x| number(x, y))).collect();
    image(size(width, height), Channels::Grey, Samples::U8 { values, maxval: 255 })
}

pub(crate) fn image(size: Size, channels: Channels, samples: Samples) -> Image {
    let raster = Raster::new(size, channels, samples).expect("as many numbers as the size says");
    Image::new("test", vec![Page::new(raster)]).expect("one page")
}

/// Random numbers of one of the kinds that files hold; the kind goes by `seed`.
pub(crate) fn random_image(seed: u64, size: Size, channels: Channels) -> Image {
    let mut random = fastrand::Rng::with_seed(seed);
    let count = size.area() * channels.count();
    let samples = match seed % 5 {
        0 => Samples::U8 { values: (0..count).map(|_| random.u8(..)).collect(), maxval: 255 },
        1 => Samples::U8 { values: (0..count).map(|_| random.u8(..=15)).collect(), maxval: 15 },
        2 => Samples::U16 { values: (0..count).map(|_| random.u16(..)).collect(), maxval: 65535 },
        3 => Samples::U16 { values: (0..count).map(|_| random.u16(..=1023)).collect(), maxval: 1023 },
        _ => Samples::F32((0..count).map(|_| random.f32()).collect()),
    };
    image(size, channels, samples)
}

/// Every sampler of a method and an x address mode on the exact path: the y address modes, prefilter, antialias, blur.
pub(crate) fn samplers(method: Method, address_x: AddressMode) -> Vec<Sampler> {
    let mut samplers = Vec::new();
    for row in &ADDRESS_MODES {
        for (prefilter, antialias, blur) in
            [(false, false, 1.0), (true, false, 1.0), (false, true, 1.0), (true, true, 1.4), (false, true, 0.3)]
        {
            samplers.push(Sampler {
                method,
                address: [address_x, row.address],
                border: 0.375,
                path: SamplingPath::Auto,
                prefilter,
                antialias,
                blur,
                ..Sampler::default()
            });
        }
    }
    samplers
}

/// The values that a backend gives in single precision.
pub(crate) fn float_values(backend: &mut dyn Backend, image: &Image, request: &RenderRequest) -> Vec<f32> {
    let raster = render(backend, image, request, PixelFormat::file(Depth::Float)).expect("a request that is served");
    match raster.samples() {
        Samples::F32(values) => values.clone(),
        other => panic!("asked for floats, got {other:?}"),
    }
}

/// The largest difference between a backend and the reference; colours are compared premultiplied, since a division by
/// an alpha near 0 says nothing.
pub(crate) fn error_against_reference(backend: &mut dyn Backend, image: &Image, request: &RenderRequest) -> f64 {
    let expected = reference::values(image, request).expect("a request that is served");
    error_against_values(&expected, backend, image, request)
}

/// The same where the reference's values are there.
pub(crate) fn error_against_values(
    expected: &[f64],
    backend: &mut dyn Backend,
    image: &Image,
    request: &RenderRequest,
) -> f64 {
    let got: Vec<f64> = float_values(backend, image, request).into_iter().map(f64::from).collect();
    largest_difference(image.pages()[request.page].channels(), expected, &got)
}

/// The same between a backend and another.
#[cfg(feature = "cuda")]
pub(crate) fn error_against(
    other: &mut dyn Backend,
    backend: &mut dyn Backend,
    image: &Image,
    request: &RenderRequest,
) -> f64 {
    let values = |backend: &mut dyn Backend| -> Vec<f64> {
        float_values(backend, image, request).into_iter().map(f64::from).collect()
    };
    let (expected, got) = (values(other), values(backend));
    largest_difference(request.channels(image.pages()[request.page].channels()), &expected, &got)
}

/// The largest difference of premultiplied values; infinite where one alone is no number.
fn largest_difference(channels: Channels, expected: &[f64], got: &[f64]) -> f64 {
    assert_eq!(expected.len(), got.len());
    let premultiplied = |pixel: &[f64]| -> Vec<f64> {
        match pixel.split_last() {
            Some((&alpha, colours)) if channels.has_alpha() => {
                colours.iter().map(|colour| colour * alpha).chain([alpha]).collect()
            }
            _ => pixel.to_vec(),
        }
    };
    let count = channels.count();
    expected
        .chunks_exact(count)
        .zip(got.chunks_exact(count))
        .flat_map(|(a, b)| {
            premultiplied(a).into_iter().zip(premultiplied(b)).map(|(a, b)| (a - b).abs()).collect::<Vec<_>>()
        })
        .fold(0.0, |worst, error| if error.is_nan() { f64::INFINITY } else { f64::max(worst, error) })
}

/// Compares a backend with the reference for one method and x address mode: over sizes, channels, views, prefilter,
/// antialias and `paths`. `prepare` is called before each picture.
///
/// Each sampler meets each view and each size, but not all three at once. Kernels with parameters meet fewer of them than
/// the named methods.
pub(crate) fn conform<B: Backend>(
    backend: &mut B,
    text: &str,
    address_x: AddressMode,
    paths: &[SamplingPath],
    prepare: impl Fn(&mut B),
) {
    let method: Method = text.parse().expect(text);
    let index = METHOD_TEXTS.iter().position(|known| *known == text).expect("a method of the list");
    let stride = match method.kernel().taps {
        _ if index < NAMED => 3,
        ..=16 => 10,
        _ => 19,
    };
    let (mut compared, mut served) = (0, 0);
    for (place, &(width, height)) in SIZES.iter().enumerate() {
        let channels = [Channels::Grey, Channels::Rgb, Channels::GreyAlpha, Channels::Rgba, Channels::Grey][place % 5];
        let image = random_image((place * 7 + index) as u64, size(width, height), channels);
        for (number, (output, view)) in views().into_iter().enumerate() {
            for (which, sampler) in samplers(method, address_x).into_iter().enumerate() {
                for (turn, &path) in paths.iter().enumerate() {
                    let request =
                        RenderRequest { view, sampler: Sampler { path, ..sampler }, ..RenderRequest::new(output) };
                    if request.check(&image.pages()[0]).is_err() {
                        continue;
                    }
                    served += 1;
                    if (which + number + place + turn) % stride != 0 {
                        continue;
                    }
                    prepare(backend);
                    let error = error_against_reference(backend, &image, &request);
                    assert!(error <= TOLERANCE, "{width}×{height} {channels:?}, off by {error:e}: {request:#?}");
                    compared += 1;
                }
            }
        }
    }
    let least = if index < NAMED { 400 } else { served / (2 * stride) };
    assert!(compared > least && served > 800, "only {compared} of {served} requests were compared");
}

/// The tests of a backend: one for each method and address mode, named after both. `$conform` takes the method's text and
/// the address mode.
macro_rules! suite {
    ($conform:ident; $($name:ident = $text:literal,)*) => {
        $(mod $name {
            use lerpscope::sampling::AddressMode;

            #[test]
            fn clamp() {
                super::$conform($text, AddressMode::Clamp);
            }

            #[test]
            fn border() {
                super::$conform($text, AddressMode::Border);
            }

            #[test]
            fn wrap() {
                super::$conform($text, AddressMode::Wrap);
            }

            #[test]
            fn mirror() {
                super::$conform($text, AddressMode::Mirror);
            }
        })*
    };
}
pub(crate) use suite;
