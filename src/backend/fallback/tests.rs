//! Tests of the fallback.

use super::*;
use crate::backend::fake::FakeBackend;
use crate::backend::render;
use crate::filter::Filter;
use crate::image::{Channels, Depth, Page, Samples};
use crate::test_support::size;

fn picture() -> (Image, RenderRequest) {
    let size = size(3, 2);
    let samples = Samples::U8 { values: vec![9, 8, 7, 6, 5, 4], maxval: 255 };
    let raster = Raster::new(size, Channels::Grey, samples).expect("a raster");
    (Image::new("six", vec![Page::new(raster)]).expect("an image"), RenderRequest::new(size))
}

#[test]
fn memory_is_forgiven_and_a_lost_device_is_given_up() {
    let (image, request) = picture();
    let memory = |mib| BackendError::Memory { what: format!("a texture of {mib} MiB") };
    let lost = BackendError::Device { what: "a kernel trapped".to_owned(), lost: true };
    let mut backend = FallbackBackend::new(Box::new(FakeBackend::failing(vec![lost, memory(7), memory(12)])));
    let mut reasons = Vec::new();
    let (cuda, cpu) = (BackendKind::Cuda, BackendKind::Cpu);
    for (kind, notices) in [(cuda, 1), (cuda, 0), (cpu, 1), (cpu, 0)] {
        let format = PixelFormat::file(Depth::EIGHT);
        let out = render(&mut backend, &image, &request, format).expect("the CPU goes on");
        assert_eq!(&out, image.pages()[0].raster());
        assert_eq!((backend.kind(), backend.take_notices().len()), (kind, notices));
        assert_eq!(backend.rendered_by(), cpu, "the CPU renders whichever backend is preferred");
        reasons.push(backend.reason(true).map(BackendError::short));
        let last_kernel_time = backend.timer().and_then(|timer| timer.last_kernel_time());
        assert!(last_kernel_time.is_some(), "the CPU measures its renders");
    }
    assert_eq!(reasons, ["GPU memory taken", "GPU memory taken", "GPU lost", "GPU lost"].map(Some));
}

#[test]
fn failure_reason_is_cleared_by_the_next_successful_render() {
    let (image, request) = picture();
    let memory = BackendError::Memory { what: "a texture".to_owned() };
    let mut backend = FallbackBackend::new(Box::new(FakeBackend::failing(vec![memory])));
    assert!(backend.reason(true).is_none());
    let mut reason = || {
        render(&mut backend, &image, &request, PixelFormat::file(Depth::EIGHT)).expect("a picture");
        backend.reason(true).map(BackendError::short)
    };
    assert_eq!([reason(), reason()], [Some("GPU memory taken"), None]);
    backend.handle_failure(BackendError::Memory { what: "a texture".to_owned() });
    assert!(backend.reason(false).is_none(), "the device made all that is shown");
    let cause = crate::backend::Unusable::DriverFails { what: "no answer".to_owned() };
    backend.note_unusable(BackendError::Unusable { backend: BackendKind::Cuda, cause });
    assert_eq!(backend.reason(false).map(BackendError::short), Some("driver fails"));
}

#[test]
fn a_filter_that_the_device_lacks_is_rendered_by_the_cpu_with_its_reason() {
    let (image, mut request) = picture();
    request.filters.before = "sobel".parse().expect("a chain");
    let format = PixelFormat::file(Depth::EIGHT);
    let expected = render(&mut CpuBackend::new(), &image, &request, format).expect("the CPU has every filter");
    let lacks = || BackendError::Unsupported { backend: BackendKind::Cuda, what: Feature::Filter(Filter::Sobel) };
    let mut backend = FallbackBackend::new(Box::new(FakeBackend::failing(vec![lacks(), lacks()])));
    for notices in [1, 0] {
        let out = render(&mut backend, &image, &request, format).expect("the CPU renders it");
        assert_eq!(out, expected);
        assert_eq!((backend.kind(), backend.rendered_by()), (BackendKind::Cuda, BackendKind::Cpu));
        let reason = backend.reason(true).map(ToString::to_string).unwrap_or_default();
        assert!(reason.contains("filter 'sobel'"), "the status line names the filter: {reason}");
        let told = backend.take_notices();
        assert_eq!(told.len(), notices, "one notice for all pictures");
        assert!(told.iter().all(|notice| notice.contains("filter 'sobel'")), "{told:?}");
    }
}

#[test]
fn antiringing_that_the_device_lacks_is_rendered_by_the_cpu_with_its_reason() {
    let (image, mut request) = picture();
    request.view = crate::view::View::new([0.0; 2], 0.3).expect("a view");
    request.sampler.method = crate::sampling::Method::LANCZOS3;
    let plain = request.clone();
    request.sampler.antiringing = 1.0;
    let format = PixelFormat::file(Depth::Float);
    let expected = render(&mut CpuBackend::new(), &image, &request, format).expect("the CPU has antiringing");
    let lacks = BackendError::Unsupported { backend: BackendKind::Cuda, what: Feature::Antiringing };
    let mut backend = FallbackBackend::new(Box::new(FakeBackend::failing(vec![lacks])));
    for notices in [1, 0] {
        let out = render(&mut backend, &image, &request, format).expect("the CPU renders it");
        assert_eq!((out, backend.rendered_by()), (expected.clone(), BackendKind::Cpu));
        let reason = backend.reason(true).map(ToString::to_string).unwrap_or_default();
        assert_eq!((reason.as_str(), backend.take_notices().len()), ("backend 'cuda' has no antiringing", notices));
    }
    // A difference from an antiringed picture lacks it as well; a plain picture is the device's.
    let difference = RenderRequest { subtract: Some(Box::new(request)), ..plain.clone() };
    assert!(backend.known_lack(&difference).is_some() && backend.known_lack(&plain).is_none());
    render(&mut backend, &image, &plain, format).expect("the device renders it");
    assert_eq!(backend.rendered_by(), BackendKind::Cuda);
}

#[test]
fn request_without_a_backend_is_refused() {
    let (image, mut request) = picture();
    request.sampler.border = f32::NAN;
    let mut backend = FallbackBackend::new(Box::new(CpuBackend::new()));
    assert!(render(&mut backend, &image, &request, PixelFormat::TEXTURE).is_err());
    assert!(backend.take_notices().is_empty());
}
