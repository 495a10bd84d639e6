//! The CPU backend against the reference.

use lerpscope::backend::{CpuBackend, RenderRequest};
use lerpscope::image::Channels;
use lerpscope::sampling::{ADDRESSES, Address, METHODS, Method, Sampler};
use lerpscope::view::View;

use crate::cases::{TOLERANCE, conform, error_against_reference, random_image, size};

/// One test for each method and address mode, named after both.
macro_rules! suite {
    ($($method:ident),* ; $addresses:tt) => { $(suite!(@ $method $addresses);)* };
    (@ $method:ident ($($address:ident),*)) => {
        #[expect(non_snake_case, reason = "tests carry the rows' own names")]
        mod $method {
            use super::*;
            $(#[test]
            fn $address() {
                conform(&mut CpuBackend::new(), Method::$method, Address::$address);
            })*
        }
    };
}

suite!(Nearest, Linear, BSPLINE, CATMULL_ROM, MITCHELL, LANCZOS2, LANCZOS3, LANCZOS4; (Clamp, Border, Wrap, Mirror));

#[test]
fn suite_covers_every_row() {
    assert_eq!((METHODS.len(), ADDRESSES.len()), (8, 4), "a new row wants its name in the suite above");
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
    for row in &ADDRESSES {
        for method in [Method::Linear, Method::LANCZOS4] {
            for scale in [150.0, 1024.0] {
                let sampler = Sampler {
                    address: [row.address; 2],
                    antialias: true,
                    border: 0.25,
                    ..Sampler::default().with_method(method)
                };
                let view = View::new([10.0, 3.0], scale).expect("a view");
                let request = RenderRequest { view, sampler, ..RenderRequest::new(size(5, 4)) };
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
