//! Every form by name: also those that no path takes on a device of today.

use lerpscope::backend::cuda::testing;
use lerpscope::backend::{BackendError, BackendKind, KERNEL_VARIANTS, KernelVariant, RenderRequest, reference};
use lerpscope::image::Channels;
use lerpscope::sampling::{ADDRESS_MODES, METHODS, Method, Sampler};
use lerpscope::view::View;

use super::cuda;
use crate::cases::{TOLERANCE, random_image, size};

/// Scales along x and y, translation, angle, antialias: inside, one sample a pixel, over an edge, zoomed out, antialiased, turned;
/// then unequal scales inside, with one axis zoomed out, antialiased along one axis, turned, and both.
const VIEWS: [([f64; 2], [f64; 2], f64, bool); 11] = [
    ([0.37; 2], [3.3, -2.6], 0.0, false),
    ([1.0; 2], [2.25, -1.5], 0.0, false),
    ([0.61; 2], [-80.4, 57.9], 0.0, false),
    ([2.9; 2], [0.4, 0.3], 0.0, false),
    ([2.3; 2], [0.4, 0.3], 0.0, true),
    ([0.45; 2], [5.5, 2.5], 28.0, false),
    ([0.31, 0.83], [3.3, -2.6], 0.0, false),
    ([0.7, 2.6], [0.4, 0.3], 0.0, false),
    ([2.3, 0.6], [0.4, 0.3], 0.0, true),
    ([0.45, 1.2], [5.5, 2.5], 28.0, false),
    ([0.8, 2.4], [1.5, 2.5], -62.0, true),
];

#[test]
fn kernel_variants_agree_with_the_reference() {
    let Some(mut backend) = cuda() else { return };
    let output = size(141, 43);
    let mut served = Vec::new();
    for (kind, channels) in (0..5).flat_map(|kind| [(kind, Channels::Grey), (kind, Channels::Rgb)]) {
        let image = random_image(kind, size(203, 161), channels);
        for (index, row) in METHODS.iter().enumerate() {
            for (number, &(scales, translation, degrees, antialias)) in VIEWS.iter().enumerate() {
                let view = View::new(translation, 1.0).and_then(|view| view.scaled(scales)?.rotated(degrees));
                let view = view.expect("a view");
                let address =
                    [index + number, index + kind as usize].map(|k| ADDRESS_MODES[k % ADDRESS_MODES.len()].address);
                let prefilter = row.method == Method::BSPLINE && (kind + number as u64) % 2 == 1;
                let sampler = Sampler {
                    address,
                    prefilter,
                    antialias,
                    border: 0.375,
                    ..Sampler::default().with_method(row.method)
                };
                let request = RenderRequest { view, sampler, ..RenderRequest::new(output) };
                let expected = reference::values(&image, &request).expect("a request that is served");
                for variant in KERNEL_VARIANTS.iter().map(|variant| variant.variant) {
                    let got = match testing::values_by(&mut backend, variant, &image, &request) {
                        Err(BackendError::Unsupported { .. }) => continue,
                        got => got.expect("a device that works"),
                    };
                    let (stride, count) = (if channels == Channels::Grey { 1 } else { 4 }, channels.count());
                    assert_eq!(got.len(), output.area() * stride);
                    for (place, (got, expected)) in got.chunks(stride).zip(expected.chunks(count)).enumerate() {
                        let is_near = |(&a, &b): (&f32, &f64)| (f64::from(a) - b).abs() <= TOLERANCE;
                        assert!(
                            got.iter().zip(expected).all(is_near),
                            "{variant}, {place}: {got:?} is not {expected:?}: {request:#?}"
                        );
                    }
                    served.push((variant, row.method, channels));
                }
            }
        }
    }
    for variant in KERNEL_VARIANTS.iter().map(|row| row.variant) {
        for row in METHODS.iter().filter(|row| variant.serves(row.method)) {
            // Eight taps are more than four columns of grey have registers for.
            let is_colour_only = variant == KernelVariant::Columns && row.method.kernel().taps > 6;
            assert_eq!(
                served.contains(&(variant, row.method, Channels::Grey)),
                !is_colour_only,
                "{} by {variant}",
                row.name
            );
            let is_grey_only = matches!(variant, KernelVariant::Direct | KernelVariant::Gather);
            assert_eq!(served.contains(&(variant, row.method, Channels::Rgb)), !is_grey_only, "{} {variant}", row.name);
        }
    }
}

/// A form that does not serve a request says so and draws nothing.
#[test]
fn unsupported_kernel_variant_is_refused() {
    let Some(mut backend) = cuda() else { return };
    let (grey, colour) = (random_image(0, size(40, 30), Channels::Grey), random_image(0, size(40, 30), Channels::Rgb));
    let of =
        |method| RenderRequest { sampler: Sampler::default().with_method(method), ..RenderRequest::new(size(9, 7)) };
    let mut turned = of(Method::Linear);
    turned.view = turned.view.rotated(10.0).expect("a view");
    let mut stretched = of(Method::Linear);
    stretched.sampler.antialias = true;
    stretched.view = View::new([0.0; 2], 3.0).expect("a view");
    for (variant, image, request) in [
        (KernelVariant::Direct, &grey, &turned),
        (KernelVariant::Direct, &colour, &of(Method::Linear)),
        (KernelVariant::Passes, &grey, &turned),
        (KernelVariant::Gather, &colour, &of(Method::Linear)),
        (KernelVariant::Gather, &grey, &of(Method::Nearest)),
        (KernelVariant::Points, &grey, &stretched),
    ] {
        let refused = testing::values_by(&mut backend, variant, image, request);
        assert!(
            matches!(refused, Err(BackendError::Unsupported { backend: BackendKind::Cuda, .. })),
            "{variant}: {refused:?}"
        );
    }
}
