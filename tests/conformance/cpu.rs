//! The CPU backend against the reference.

use lerpscope::backend::{CpuBackend, RenderRequest};
use lerpscope::image::Channels;
use lerpscope::sampling::{ADDRESS_MODES, AddressMode, METHOD_FORMS, METHODS, Method, Sampler, SamplingPath};
use lerpscope::view::View;

use crate::cases::{self, TOLERANCE, error_against_reference, float_values, random_image, size, suite};
use crate::kernels::{METHOD_TEXTS, NAMED};

fn conform(text: &str, address_x: AddressMode) {
    let paths = [SamplingPath::Auto, SamplingPath::Filtered, SamplingPath::FilteredTable];
    cases::conform(&mut CpuBackend::new(), text, address_x, &paths, |_| ());
}

/// On the CPU the exact paths are one loop.
#[test]
fn exact_paths_give_the_same_bits_for_every_method() {
    let image = random_image(4, size(37, 29), Channels::Rgb);
    for text in METHOD_TEXTS {
        let sampler = Sampler { prefilter: true, ..Sampler::default().with_method(text.parse().expect(text)) };
        let values = |path: SamplingPath| {
            let view = View::new([0.3, -4.7], 0.37).expect("a view");
            let request =
                RenderRequest { view, sampler: Sampler { path, ..sampler }, ..RenderRequest::new(size(40, 30)) };
            float_values(&mut CpuBackend::new(), &image, &request)
        };
        assert!(
            values(SamplingPath::Auto) == values(SamplingPath::Lookup)
                && values(SamplingPath::Auto) == values(SamplingPath::Tiled),
            "{text}"
        );
    }
}

with_methods!(suite!(conform;));

#[test]
fn suite_covers_every_row_and_form() {
    let methods = METHOD_TEXTS.map(|text| text.parse::<Method>().expect(text));
    assert_eq!(methods[..NAMED], METHODS.each_ref().map(|row| row.method));
    for form in &METHOD_FORMS {
        assert!(METHOD_TEXTS.iter().any(|text| text.split('=').next() == Some(form.name)), "{}", form.name);
    }
    assert_eq!(ADDRESS_MODES.len(), 4, "a new address mode wants its test in the suite");
}

/// Bands, odd widths, and pictures larger than a band of either pass.
#[test]
fn large_odd_pictures_agree() {
    let image = random_image(5, size(1025, 769), Channels::Grey);
    for (method, scale, angle) in
        [(Method::LANCZOS3, 0.7, 0.0), (Method::CATMULL_ROM, 3.3, 0.0), (Method::BSPLINE, 1.1, 20.0)]
    {
        for antialias in [false, true] {
            let view = View::new([3.3, -9.1], scale).and_then(|view| view.rotated(angle)).expect("a view");
            let sampler = Sampler { antialias, ..Sampler::default().with_method(method) };
            let request = RenderRequest { view, sampler, ..RenderRequest::new(size(433, 317)) };
            let error = error_against_reference(&mut CpuBackend::new(), &image, &request);
            assert!(error <= TOLERANCE, "{method} {scale} {angle}: {error:e}");
        }
    }
}

/// Kernels a thousand samples wide: sums of thousands of products still agree, and end.
#[test]
fn kernels_wider_than_the_image_agree() {
    let image = random_image(2, size(401, 300), Channels::Grey);
    for row in &ADDRESS_MODES {
        for method in [Method::Linear, Method::LANCZOS4] {
            for scale in [150.0, 1024.0] {
                let sampler = Sampler {
                    address: [row.address; 2],
                    antialias: true,
                    border: 0.25,
                    ..Sampler::default().with_method(method)
                };
                let view = View::new([10.0, 3.0], scale).expect("a view");
                let request = RenderRequest { view, sampler, ..RenderRequest::new(size(3, 2)) };
                let error = error_against_reference(&mut CpuBackend::new(), &image, &request);
                assert!(error <= TOLERANCE, "{method} {} {scale}: {error:e}", row.name);
            }
        }
    }
}

/// A million samples out, the fraction is still there: neighbouring pixels at 1000× differ smoothly.
#[test]
fn deep_zoom_far_from_the_origin_agrees() {
    let image = random_image(4, size(100_003, 3), Channels::Grey);
    for scale in [1e-3, 1e-4] {
        for method in [Method::Linear, Method::CATMULL_ROM, Method::LANCZOS3] {
            let view = View::new([49_990.123, 0.3], scale).expect("a view");
            let sampler = Sampler::default().with_method(method);
            let request = RenderRequest { view, sampler, ..RenderRequest::new(size(64, 3)) };
            let error = error_against_reference(&mut CpuBackend::new(), &image, &request);
            assert!(error <= TOLERANCE, "{method} {scale}: {error:e}");
        }
    }
}
