//! Oblique planes of volumes on CUDA against the reference and against the CPU.

use fastrand::Rng;
use lerpscope::backend::cuda::testing;
use lerpscope::backend::{
    Backend as _, BackendKind, ColourMap, CpuBackend, CudaBackend, Display, FallbackBackend, PixelFormat,
    RenderRequest, render,
};
use lerpscope::filter::Filters;
use lerpscope::image::{Depth, Image};
use lerpscope::sampling::{AddressMode, Method, Sampler};
use lerpscope::view::View;
use lerpscope::volume::{Orientation, Plane, Volume};

use super::{cuda, largest_step, report, wait_for_kernels};
use crate::cases::{TOLERANCE, error_against, error_against_reference, size};
use crate::kernels::METHOD_TEXTS;
use crate::slices::{request, volumes};

#[test]
fn oblique_planes_agree_with_the_reference() {
    let Some(mut backend) = cuda() else { return };
    let (images, mut random) = (volumes(), Rng::with_seed(73));
    let (mut worst, mut count) = (0.0_f64, 0);
    for text in METHOD_TEXTS {
        let rounds = if text == "gaussian=8" { 1 } else { 5 };
        for image in images.iter().cycle().take(rounds * images.len()) {
            let request = request(&mut random, image, text);
            testing::poison(&mut backend).expect("a device that works");
            let error = error_against_reference(&mut *backend, image, &request);
            assert!(error <= TOLERANCE, "{text}, off by {error:e}: {request:#?}");
            (worst, count) = (worst.max(error), count + 1);
        }
    }
    report(&format!("{count} oblique planes, off by {worst:e} at most"));
}

/// A volume as large as those of files, and the size of a panel.
#[test]
fn large_oblique_planes_agree_with_the_cpu() {
    let Some(mut backend) = cuda() else { return };
    let image = marschner_lobb("synth:marschner-lobb:96x128x80");
    for (number, method) in [Method::Nearest, Method::Linear, Method::CATMULL_ROM, Method::BSPLINE, Method::LANCZOS3]
        .into_iter()
        .enumerate()
    {
        let sampler = Sampler { prefilter: true, ..Sampler::default().with_method(method) };
        let plane = oblique(12.0 + 31.0 * number as f64, 20.0, Some(3.25));
        let view = View::new([0.3, 0.7], 0.13).and_then(|view| view.rotated(17.0)).expect("a view");
        let request = RenderRequest { plane, sampler, view, ..RenderRequest::new(size(1021, 773)) };
        let error = error_against(&mut CpuBackend::new(), &mut *backend, &image, &request);
        assert!(error <= 2.0 * TOLERANCE, "{method}: {error:e}");
    }
}

/// What is shown and what is written: filters after the interpolation, differences of planes and methods, colour maps, bytes, and
/// the marks of the window.
#[test]
fn oblique_planes_are_served_whole() {
    let Some(mut backend) = cuda() else { return };
    let image = marschner_lobb("synth:marschner-lobb:31x27x40");
    let plain = RenderRequest {
        plane: oblique(35.0, 20.0, None),
        view: View::new([0.3, 0.7], 0.23).expect("a view"),
        ..RenderRequest::new(size(151, 90))
    };
    let tricubic = Sampler { prefilter: true, ..Sampler::default().with_method(Method::BSPLINE) };
    let after = Filters { after: "median;negative".parse().expect("a chain"), ..Filters::default() };
    let subtract = |other: RenderRequest| Some(Box::new(other));
    let requests = [
        plain.clone(),
        RenderRequest { sampler: tricubic, ..plain.clone() },
        RenderRequest {
            display: Display { exposure: 0.5, colour_map: ColourMap::Viridis, ..Display::default() },
            ..plain.clone()
        },
        RenderRequest { filters: after, sampler: tricubic, ..plain.clone() },
        RenderRequest { subtract: subtract(RenderRequest { sampler: tricubic, ..plain.clone() }), ..plain.clone() },
        RenderRequest {
            subtract: subtract(RenderRequest { plane: oblique(36.0, 20.0, Some(1.5)), ..plain.clone() }),
            ..plain.clone()
        },
        // A main plane less an oblique one.
        RenderRequest { subtract: subtract(plain.clone()), plane: Plane::default(), ..plain.clone() },
        RenderRequest { warp: "swirl=77".parse().expect("a warp"), sampler: tricubic, ..plain.clone() },
    ];
    for request in requests {
        for format in [PixelFormat::TEXTURE, PixelFormat::file(Depth::EIGHT), PixelFormat::file(Depth::SIXTEEN)] {
            // Once for the buffers, so that there is something to poison.
            render(&mut *backend, &image, &request, format).expect("served");
            testing::poison(&mut backend).expect("a device that works");
            let got = render(&mut *backend, &image, &request, format).expect("served");
            let expected = render(&mut CpuBackend::new(), &image, &request, format).expect("served");
            let most = if format.depth == Depth::EIGHT { 1.0 } else { 40.0 };
            let worst = largest_step(&got, &expected);
            assert!(worst <= most, "{worst} steps, {format:?}: {request:#?}");
        }
    }
}

/// The window has no mark of a fallback on an oblique plane, and no launch waits for a kernel.
#[test]
fn oblique_planes_need_no_other_backend_and_no_late_kernel() {
    let Some(_alone) = cuda() else { return };
    let image = marschner_lobb("synth:marschner-lobb:19x17x23");
    let mut backend = CudaBackend::open().expect("the device that all tests share");
    let of = |method: &str, address: AddressMode| RenderRequest {
        plane: oblique(35.0, 20.0, None),
        sampler: Sampler {
            prefilter: true,
            address: [address; 2],
            ..Sampler::default().with_method(method.parse().expect("a method"))
        },
        ..RenderRequest::new(size(61, 47))
    };
    let methods = ["nearest", "linear", "bspline=2", "bspline", "lanczos3"];
    for method in methods {
        for address in [AddressMode::Clamp, AddressMode::Wrap] {
            let request = of(method, address);
            wait_for_kernels(&mut backend, &image, &request);
            render(&mut backend, &image, &request, PixelFormat::TEXTURE).expect("served");
            assert_eq!(testing::late_loads(&backend), 0, "a launch loaded a kernel: {request:#?}");
        }
    }
    let mut backend = FallbackBackend::new(Box::new(backend));
    for method in methods {
        let request = of(method, AddressMode::Border);
        render(&mut backend, &image, &request, PixelFormat::TEXTURE).expect("served");
        assert_eq!(backend.kind(), BackendKind::Cuda, "{method}");
        assert!(backend.failure().is_none(), "{method}");
        assert!(backend.take_notices().is_empty(), "{method}");
    }
}

/// A volume stays on the device while its plane moves: no frame takes as long as an upload, and the memory does not grow.
#[test]
fn volume_stays_on_the_device_while_its_plane_moves() {
    let Some(mut backend) = cuda() else { return };
    let image = marschner_lobb("synth:marschner-lobb:160x160x160");
    let show = |backend: &mut CudaBackend, tilt_deg: f64, method| {
        let sampler = Sampler::default().with_method(method);
        let plane = oblique(tilt_deg, 20.0, Some(0.1 * tilt_deg));
        let request = RenderRequest { plane, sampler, ..RenderRequest::new(size(100, 100)) };
        render(backend, &image, &request, PixelFormat::TEXTURE).expect("served");
    };
    show(&mut backend, 1.0, Method::Linear);
    let left = testing::free_memory(&mut backend).expect("a device that works");
    for step in 0..40 {
        // Samples that are stored as they are serve every method without a prefilter.
        show(&mut backend, 1.5 * f64::from(step), [Method::Linear, Method::CATMULL_ROM][step as usize % 2]);
    }
    let after = testing::free_memory(&mut backend).expect("a device that works");
    assert!(left < after + (8 << 20), "{} bytes more are taken", left - after);
}

fn marschner_lobb(formula: &str) -> Image {
    let volume = Volume::of_formula(&formula.parse().expect("a formula")).expect("a volume");
    Image::of_page("volume", volume.into_page())
}

fn oblique(tilt_deg: f64, turn_deg: f64, slice: Option<f64>) -> Plane {
    Plane { orientation: Orientation::Oblique { tilt_deg, turn_deg }, slice, time: 0.0 }
}
