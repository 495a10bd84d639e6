//! Kernels as values on every path: none has a line of CUDA of its own, each is numbers that the kernels read.

use lerpscope::backend::cuda::testing;
use lerpscope::backend::{BackendError, KERNEL_VARIANTS, KernelVariant, RenderRequest, reference};
use lerpscope::image::{Channels, Image};
use lerpscope::sampling::{ADDRESS_MODES, CustomKernel, Method, Sampler, SamplingPath};
use lerpscope::view::View;

use super::cuda;
use crate::cases::{TOLERANCE, error_against_reference, error_against_values, random_image, size};

/// Values of every form that takes parameters: taps from 1 to 66, kinks and jumps at fractions of every kind.
const VALUES: [&str; 22] = [
    "cubic=0.2,0.4",
    "cubic=-1,2",
    "cubic=1.5,-0.25",
    "keys=-0.75",
    "hermite",
    "bspline=0",
    "bspline=1",
    "bspline=2",
    "bspline=4",
    "bspline=5",
    "o-moms",
    "lanczos=1",
    "lanczos=1.3",
    "lanczos=2.5",
    "lanczos=3.7",
    "lanczos=5",
    "lanczos=8",
    "gaussian=0.3",
    "gaussian=0.5",
    "gaussian=1",
    "gaussian=2.37",
    "gaussian=8",
];

/// Tables: a tent, one that ends at different distances on both sides, weights at its ends, many rows, far apart.
fn custom_kernels() -> Vec<Method> {
    let mut many = "normalized\n".to_owned();
    for row in 0..65_536 {
        let d = f64::from(row) / 65_535.0 * 2.5;
        many += &format!("{d},{}\n", (1.0 - d / 2.5) * (1.0 + 0.1 * (9.0 * d).sin()));
    }
    let texts = [
        ("tent", "0,1\n1,0\n"),
        ("one-sided", "normalized\n-1.25,0.25\n0,1\n0.5,0.5\n"),
        ("step", "normalized\n0,1\n1.5,1\n"),
        ("uneven", "normalized\n0,1\n0.001,0.99\n0.3,0.98\n2.7,0\n"),
        ("many", many.as_str()),
    ];
    texts.map(|(name, text)| Method::Custom(CustomKernel::parse(text, name).expect("a kernel"))).into()
}

fn methods() -> Vec<Method> {
    let values = VALUES.map(|text| text.parse().unwrap_or_else(|error| panic!("{text}: {error}")));
    values.into_iter().chain(custom_kernels()).collect()
}

/// Scale, translation, angle, antialias, blur: inside, one sample a pixel, on whole samples, over an edge, zoomed out, stretched,
/// narrowed, rotated, rotated and stretched.
const VIEWS: [(f64, [f64; 2], f64, bool, f64); 10] = [
    (0.37, [3.3, -2.6], 0.0, false, 1.0),
    (1.0, [2.25, -1.5], 0.0, false, 1.0),
    (0.5, [2.0, -1.0], 0.0, false, 1.0),
    (0.2, [0.2, 0.4], 0.0, false, 1.0),
    (0.61, [-80.4, 57.9], 0.0, false, 1.0),
    (2.9, [0.4, 0.3], 0.0, false, 1.0),
    (2.3, [0.4, 0.3], 0.0, true, 1.0),
    (1.5, [0.0, 0.0], 20.0, true, 0.7),
    (0.45, [5.5, 2.5], 28.0, false, 1.0),
    (2.3, [5.5, 2.5], 28.0, true, 1.0),
];

fn request(method: Method, which: usize, turn: usize) -> RenderRequest {
    let (scale, translation, degrees, antialias, blur) = VIEWS[which];
    let view = View::new(translation, scale).and_then(|view| view.rotated(degrees)).expect("a view");
    let address = [turn + which, turn / 2 + which / 2].map(|k| ADDRESS_MODES[k % ADDRESS_MODES.len()].address);
    let sampler = Sampler {
        address,
        prefilter: turn % 2 == 1,
        border: 0.375,
        antialias,
        blur,
        ..Sampler::default().with_method(method)
    };
    RenderRequest { view, sampler, ..RenderRequest::new(size(141, 43)) }
}

#[test]
fn every_value_agrees_with_the_reference_on_every_path_of_every_view() {
    if cuda().is_none() {
        return;
    }
    let images: Vec<Image> = [Channels::Grey, Channels::Rgb]
        .into_iter()
        .zip(0..)
        .map(|(c, seed)| random_image(seed, size(203, 161), c))
        .collect();
    for (turn, method) in methods().into_iter().enumerate() {
        let mut compared = 0;
        for which in 0..VIEWS.len() {
            let image = &images[(turn + which) % images.len()];
            let request = request(method, which, turn + which);
            if request.check(&image.pages()[0]).is_err() {
                continue;
            }
            let expected = reference::values(image, &request).expect("a request that is served");
            let Some(mut backend) = cuda() else { return };
            for path in [SamplingPath::Auto, SamplingPath::Lookup, SamplingPath::Tiled] {
                let request = RenderRequest { sampler: Sampler { path, ..request.sampler }, ..request.clone() };
                if request.check(&image.pages()[0]).is_err() {
                    continue;
                }
                testing::poison(&mut backend).expect("a device that works");
                let error = error_against_values(&expected, &mut *backend, image, &request);
                assert!(error <= TOLERANCE, "{method}, off by {error:e}: {request:#?}");
                compared += 1;
            }
        }
        assert!(compared >= 15, "{method}: only {compared} requests were compared");
    }
}

/// Each kernel variant by name: the values of the reference, or a refusal. Two variants serve every kernel.
#[test]
fn every_value_by_every_form_agrees_with_the_reference_or_is_refused() {
    if cuda().is_none() {
        return;
    }
    let image = random_image(0, size(203, 161), Channels::Grey);
    for (turn, method) in methods().into_iter().enumerate() {
        let mut served = Vec::new();
        for which in 0..VIEWS.len() {
            let request = request(method, which, turn + which);
            if request.check(&image.pages()[0]).is_err() {
                continue;
            }
            let expected = reference::values(&image, &request).expect("a request that is served");
            let Some(mut backend) = cuda() else { return };
            for variant in KERNEL_VARIANTS.iter().map(|row| row.variant) {
                let got = match testing::values_by(&mut backend, variant, &image, &request) {
                    Err(BackendError::Unsupported { .. }) => continue,
                    got => got.expect("a device that works"),
                };
                for (place, (&got, expected)) in got.iter().zip(&expected).enumerate() {
                    let error = (f64::from(got) - expected).abs();
                    assert!(
                        error <= TOLERANCE,
                        "{method} by {variant}, {place}: {got} is not {expected}: {request:#?}"
                    );
                }
                served.push(variant);
            }
        }
        for variant in [KernelVariant::Passes, KernelVariant::Memory] {
            assert!(served.contains(&variant), "{method} is served by {variant}");
        }
    }
}

/// Positions at 50,000 samples, where single precision has 1/256 of a sample left.
#[test]
fn every_value_far_from_the_origin_agrees() {
    let Some(mut backend) = cuda() else { return };
    let image = random_image(4, size(100_003, 3), Channels::Grey);
    for method in methods() {
        for (scale, degrees) in [(1e-3, 0.0), (1e-3, 30.0), (0.9, 0.001)] {
            let view = View::new([49_970.123, 0.3], scale).and_then(|view| view.rotated(degrees)).expect("a view");
            let sampler = Sampler::default().with_method(method);
            let request = RenderRequest { view, sampler, ..RenderRequest::new(size(64, 3)) };
            let error = error_against_reference(&mut *backend, &image, &request);
            assert!(error <= TOLERANCE, "{method}, off by {error:e}: {request:#?}");
        }
    }
}
