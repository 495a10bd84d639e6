//! Warps on CUDA against the reference and against the CPU.

use lerpscope::backend::cuda::testing;
use lerpscope::backend::{CpuBackend, PixelFormat, RenderRequest, render};
use lerpscope::filter::Filters;
use lerpscope::image::{Channels, Depth};
use lerpscope::sampling::{Method, Sampler};

use super::{cuda, largest_step};
use crate::cases::{TOLERANCE, error_against, error_against_reference, random_image, size};
use crate::warps::{requests, warp};

const KINDS: [Channels; 4] = [Channels::Grey, Channels::Rgb, Channels::Rgba, Channels::GreyAlpha];

/// Five seeds are five kinds of numbers: bytes, short bytes, words, short words, floats.
#[test]
fn warps_agree_with_the_reference() {
    let Some(mut backend) = cuda() else { return };
    for seed in 0..5 {
        let image = random_image(seed, size(29, 21), KINDS[seed as usize % KINDS.len()]);
        for request in requests(seed as usize) {
            testing::poison(&mut backend).expect("a device that works");
            let error = error_against_reference(&mut *backend, &image, &request);
            assert!(error <= TOLERANCE, "{error:e}: {request:#?}");
        }
    }
}

#[test]
fn large_warped_pictures_agree_with_the_cpu() {
    let Some(mut backend) = cuda() else { return };
    for (seed, text) in [(0, "swirl=720,2"), (2, "lens=0.9,1.5"), (3, "perspective=0.3,0.2,0.7,0.25,1.2,1,-0.2,1.1")] {
        let image = random_image(seed, size(3001, 1999), KINDS[seed as usize]);
        for method in [Method::CATMULL_ROM, Method::LANCZOS3] {
            let sampler = Sampler { antialias: seed == 0, ..Sampler::default().with_method(method) };
            let request = RenderRequest { sampler, warp: warp(text), ..RenderRequest::new(size(1501, 1013)) };
            let error = error_against(&mut CpuBackend::new(), &mut *backend, &image, &request);
            assert!(error <= 2.0 * TOLERANCE, "{text} {method}: {error:e}");
        }
    }
}

/// What is shown and what is written: filters around the warp, a difference, bytes.
#[test]
fn warped_requests_are_served_whole() {
    let Some(mut backend) = cuda() else { return };
    for (seed, request) in requests(2).step_by(7).enumerate() {
        let image = random_image(5 * seed as u64, size(29, 21), KINDS[seed % 2]);
        let chain = |text: &str| text.parse().expect("a chain");
        let filters = Filters { before: chain("gaussian=1"), after: chain("median;negative") };
        let other = RenderRequest { warp: warp("swirl=77"), ..request.clone() };
        let difference = RenderRequest { subtract: Some(Box::new(other)), ..request.clone() };
        for request in [RenderRequest { filters, ..request }, difference] {
            for format in [PixelFormat::TEXTURE, PixelFormat::file(Depth::EIGHT)] {
                let got = render(&mut *backend, &image, &request, format).expect("served");
                let expected = render(&mut CpuBackend::new(), &image, &request, format).expect("served");
                assert!(largest_step(&got, &expected) <= 1.0, "{format:?}: {request:#?}");
            }
        }
    }
}
