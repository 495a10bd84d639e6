//! The backend that finishes a single render first, by an estimate of both times.
//!
//! A process that renders once pays for the start of CUDA: a small render takes 6 ms on the CPU and 320 ms with a CUDA
//! context. Large renders and wide filters are the other way round. The constants below are measurements from
//! benches/README.md, as nanoseconds of one core; they decide between backends and promise no time.

use super::{BackendKind, RenderRequest};
use crate::filter::{Chain, Filter, Step};
use crate::image::{Channels, Page};
use crate::sampling::Sampler;
use crate::volume::ObliquePlane;

/// Start of CUDA until the first launch: driver library, `cuInit`, context (345 ms) and the cubins of a few kernels. Source:
/// an H200 with driver 580.
const CUDA_START_MS: f64 = 360.0;
/// Bytes a nanosecond between the host's memory and the device, pageable. Source: 7.5 MiB of four R8 frames of 1920 × 1080
/// through pinned memory in 3.2 ms.
const TRANSFER_BYTES_PER_NS: f64 = 2.5;
/// How much faster the device is than one core. Source: `gaussian=2`, 1.8 ns a pixel of one core over 0.0027 ns, is the
/// best ratio, nearest at s = 1, 1.2 ns over 0.0018 ns, about the same; a lower one is assumed of smaller devices.
const DEVICE_SPEEDUP: f64 = 200.0;
/// An output pixel of one channel: conversion and store. Source: `cargo bench --bench frame`, nearest at s = 1.
const PIXEL_NS: f64 = 1.2;
/// A tap of an output pixel of one channel, by each sample that is read. Source: the same, lanczos4 over nearest.
const TAP_NS: f64 = 0.6;
/// A sample of the B-spline prefilter, both axes. Source: 206 ms of processor time for 4096² samples.
const PREFILTER_NS: f64 = 12.3;

/// The estimated times of a single render, in milliseconds, start-up of the backend included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// On the CPU.
    pub cpu_ms: f64,
    /// On a CUDA device that is not open yet.
    pub cuda_ms: f64,
}

impl Estimate {
    /// The times of rendering `request` of `page` by a processor with this many cores.
    pub fn new(page: &Page, request: &RenderRequest, cores: usize) -> Self {
        Self::of_all([(page, request)], cores)
    }

    /// The times of rendering all of these requests one after the other.
    pub fn of_all<'a>(requests: impl IntoIterator<Item = (&'a Page, &'a RenderRequest)>, cores: usize) -> Self {
        let mut estimate = Self { cpu_ms: 0.0, cuda_ms: CUDA_START_MS };
        for (page, request) in requests {
            let core_ns = core_nanoseconds(page, request);
            let bytes = source_bytes(page) + channel_count(page) as f64 * request.size.area() as f64 * 4.0;
            estimate.cpu_ms += core_ns / cores.max(1) as f64 * 1e-6;
            // The CPU alone computes formulas, antiringing and derived components.
            let device_ms = (core_ns / DEVICE_SPEEDUP + bytes / TRANSFER_BYTES_PER_NS) * 1e-6;
            let is_of_cpu = request.has_truth() || request.is_antiringed() || request.is_derived();
            estimate.cuda_ms += if is_of_cpu { f64::INFINITY } else { device_ms };
        }
        estimate
    }

    /// The backend with the smaller time.
    pub fn faster(self) -> BackendKind {
        if self.cpu_ms <= self.cuda_ms { BackendKind::Cpu } else { BackendKind::Cuda }
    }
}

impl std::fmt::Display for Estimate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "about {:.0} ms on the CPU, {:.0} ms on CUDA with its start", self.cpu_ms, self.cuda_ms)
    }
}

/// Time of an antialiased reduction on the CPU, in milliseconds: one pass along the rows of samples that are read, one along
/// the columns of its result. 0 without antialiasing.
pub(super) fn shrink_ms(page: &Page, request: &RenderRequest, cores: usize) -> f64 {
    if !request.is_stretched() {
        return 0.0;
    }
    let taps = request.stretches().map(|stretch| request.sampler.method.kernel().taps as f64 * stretch.unwrap_or(1.0));
    let [width, height] = [request.size.width(), request.size.height()].map(f64::from);
    let work = if request.is_separable() {
        let rows = (height * request.view.scales()[1]).min(f64::from(page.size().height()));
        width * (rows * taps[0] + height * taps[1])
    } else {
        width * height * taps[0] * taps[1]
    };
    work * TAP_NS * channel_count(page) as f64 / cores.max(1) as f64 * 1e-6
}

/// Floats a pixel: one of grey, four of colour.
fn channel_count(page: &Page) -> usize {
    if page.channels() == Channels::Grey { 1 } else { 4 }
}

/// Bytes that a device is given: of an oblique plane the volume, of any other page its samples.
fn source_bytes(page: &Page) -> f64 {
    if let Some(oblique) = ObliquePlane::of(page) {
        return oblique.bytes() as f64;
    }
    let of_number = match page.raster().samples() {
        crate::image::Samples::U8 { .. } => 1.0,
        crate::image::Samples::U16 { .. } => 2.0,
        crate::image::Samples::F32(_) => 4.0,
    };
    (channel_count(page) * page.size().area()) as f64 * of_number
}

/// Time of one core for all work of `request`.
fn core_nanoseconds(page: &Page, request: &RenderRequest) -> f64 {
    let pixels = request.size.area() as f64;
    let sampler = &request.sampler;
    if let Some(oblique) = ObliquePlane::of(page) {
        return oblique_nanoseconds(&oblique, request);
    }
    let samples = page.size().area() as f64;
    let taps = request.stretches().map(|stretch| sampler.method.kernel().taps as f64 * stretch.unwrap_or(1.0).max(1.0));
    // Views that are not rotated go axis by axis.
    let taps_read = if request.is_separable() { f64::midpoint(taps[0], taps[1]) } else { taps[0] * taps[1] };
    let prefilter = if sampler.uses_coefficients() { samples * PREFILTER_NS } else { 0.0 };
    let interpolation = pixels * (PIXEL_NS + TAP_NS * taps_read);
    let filters = samples * chain_ns(&request.filters.before) + pixels * chain_ns(&request.filters.after);
    let own = (prefilter + interpolation + filters) * channel_count(page) as f64;
    // A difference renders twice.
    match &request.subtract {
        Some(other) => own + pixels * (PIXEL_NS + TAP_NS * other.sampler.method.kernel().taps as f64),
        None => own,
    }
}

/// The same of an oblique plane, which reads the taps of all three axes of its volume: 33 ns for 64 of them by
/// `python3 benches/peers_grid.py`.
fn oblique_nanoseconds(oblique: &ObliquePlane, request: &RenderRequest) -> f64 {
    let pixels = request.size.area() as f64;
    let volume = oblique.bytes() as f64 / size_of::<f32>() as f64;
    let of = |sampler: &Sampler| {
        let prefilter = if sampler.uses_coefficients() { volume * PREFILTER_NS } else { 0.0 };
        prefilter + pixels * (PIXEL_NS + TAP_NS * (sampler.method.kernel().taps as f64).powi(3))
    };
    let other = request.subtract.as_ref().map_or(0.0, |other| of(&other.sampler));
    of(&request.sampler) + other + pixels * chain_ns(&request.filters.after)
}

/// Time of one core for a sample of one channel through `chain`.
fn chain_ns(chain: &Chain) -> f64 {
    chain.active().map(step_ns).sum()
}

/// Time of one core for a sample of one channel through `step`. Source: `python3 benches/peers_cpu.py`.
fn step_ns(step: &Step) -> f64 {
    let side = f64::from(2 * step.reach() + 1);
    match step.filter() {
        Filter::Negative | Filter::Brightness => 0.4,
        Filter::Gamma => 0.9,
        Filter::Noise => 40.0,
        // The CPU fills holes for every backend.
        Filter::Inpaint => 0.0,
        Filter::Sobel => 0.6,
        Filter::Gaussian => 1.0 + 0.085 * side,
        Filter::Unsharp => 1.4 + 0.085 * side,
        Filter::Median => 0.5 + 0.33 * side,
        Filter::Bilateral => 0.24 * side * side,
        Filter::Convolve => 0.4 + 0.04 * step.matrix().map_or(0.0, |matrix| matrix.weights().len() as f64),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::filter::Filters;
    use crate::image::{Depth, Raster};
    use crate::sampling::Method;
    use crate::test_support::size;
    use crate::view::View;
    use crate::volume::{Orientation, Plane, Volume};

    fn page(side: u32, channels: Channels) -> Page {
        Page::new(Raster::zeros(size(side, side), channels, Depth::EIGHT))
    }

    fn request(side: u32) -> RenderRequest {
        let sampler = Sampler::default().with_method(Method::CATMULL_ROM);
        RenderRequest { sampler, ..RenderRequest::new(size(side, side)) }
    }

    fn filtered(side: u32, chain: &str) -> RenderRequest {
        let filters = Filters { before: chain.parse().expect("a chain"), ..Filters::default() };
        RenderRequest { filters, ..request(side) }
    }

    #[test]
    fn small_renders_are_faster_on_the_cpu_and_wide_filters_of_large_images_on_cuda() {
        for (request, kind) in [
            (request(512), BackendKind::Cpu),
            (request(4096), BackendKind::Cpu),
            (filtered(512, "bilateral=12,0.1,32"), BackendKind::Cpu),
            (filtered(512, "gaussian=64"), BackendKind::Cpu),
        ] {
            assert_eq!(Estimate::new(&page(512, Channels::Grey), &request, 2).faster(), kind, "{request:?}");
        }
        for (request, kind) in [
            (filtered(4096, "negative"), BackendKind::Cpu),
            (filtered(4096, "bilateral=3,0.1,5"), BackendKind::Cpu),
            (filtered(4096, "bilateral=12,0.1,32"), BackendKind::Cuda),
        ] {
            assert_eq!(Estimate::new(&page(4096, Channels::Grey), &request, 16).faster(), kind, "{request:?}");
        }
    }

    /// The estimate of an oblique plane counts the taps of all three axes.
    #[test]
    fn oblique_planes_of_many_taps_are_faster_on_cuda() {
        let formula = "synth:marschner-lobb:64x64x64".parse().expect("a formula");
        let volume = Arc::new(Volume::of_formula(&formula).expect("a volume"));
        let orientation = Orientation::Oblique { tilt_deg: 20.0, turn_deg: 10.0 };
        let plane = Plane { orientation, ..Plane::default() };
        let estimate = |method, side| {
            let sampler = Sampler::default().with_method(method);
            let request = RenderRequest { plane, sampler, ..RenderRequest::new(size(side, side)) };
            Estimate::new(&volume.page(&plane, &sampler), &request, 2)
        };
        assert_eq!(estimate(Method::Linear, 512).faster(), BackendKind::Cpu);
        assert_eq!(estimate(Method::LANCZOS4, 4096).faster(), BackendKind::Cuda);
        assert!(estimate(Method::LANCZOS4, 512).cpu_ms > 5.0 * estimate(Method::CATMULL_ROM, 512).cpu_ms);
    }

    #[test]
    fn estimate_grows_with_pixels_taps_angle_and_channels_and_falls_with_cores() {
        let grey = page(512, Channels::Grey);
        let cpu = |page: &Page, request: &RenderRequest, cores| Estimate::new(page, request, cores).cpu_ms;
        let base = cpu(&grey, &request(512), 2);
        let wider = Sampler::default().with_method(Method::LANCZOS4);
        let turned = View::default().rotated(10.0).expect("a view");
        let prefiltered = Sampler { prefilter: true, ..Sampler::default().with_method(Method::BSPLINE) };
        let difference = RenderRequest { subtract: Some(Box::new(request(512))), ..request(512) };
        let stretched = Sampler { antialias: true, ..request(512).sampler };
        let zoomed_out = View::new([0.0; 2], 5.0).expect("a view");
        for (what, ms) in [
            ("pixels", cpu(&grey, &request(1024), 2)),
            ("taps", cpu(&grey, &RenderRequest { sampler: wider, ..request(512) }, 2)),
            ("angle", cpu(&grey, &RenderRequest { view: turned, ..request(512) }, 2)),
            ("antialias", cpu(&grey, &RenderRequest { view: zoomed_out, sampler: stretched, ..request(512) }, 2)),
            ("channels", cpu(&page(512, Channels::Rgb), &request(512), 2)),
            ("filters", cpu(&grey, &filtered(512, "sobel"), 2)),
            // As many taps as Catmull-Rom has.
            ("prefilter", cpu(&grey, &RenderRequest { sampler: prefiltered, ..request(512) }, 2)),
            ("difference", cpu(&grey, &difference, 2)),
        ] {
            assert!(ms > base, "{what}: {ms} ms, {base} without");
        }
        assert!(cpu(&grey, &request(512), 16) < base);
    }

    #[test]
    fn shrink_time_is_that_of_a_frame_for_a_photo_and_far_longer_for_a_huge_image() {
        let fitted = |side: u32| {
            let (output, page) = (size(500, 360), page(side, Channels::Grey));
            let sampler = Sampler { antialias: true, ..Sampler::default().with_method(Method::CATMULL_ROM) };
            let request = RenderRequest { view: View::fit(output, page.size()), sampler, ..RenderRequest::new(output) };
            shrink_ms(&page, &request, 2)
        };
        assert_eq!(fitted(300), 0.0);
        assert!(fitted(512) < 2.0, "{}", fitted(512));
        assert!((4.0..40.0).contains(&fitted(3000)), "{}", fitted(3000));
        assert!(fitted(9000) > 100.0, "{}", fitted(9000));
    }

    #[test]
    fn estimate_of_the_benchmarks_frame_is_within_a_factor_of_two() {
        let page = page(4096, Channels::Grey);
        // benches/README.md, 960 × 540 pixels at s = 1 on 2 cores.
        for (method, measured_ms) in [(Method::Linear, 0.37), (Method::CATMULL_ROM, 0.63), (Method::LANCZOS4, 1.59)] {
            let size = size(960, 540);
            let request = RenderRequest { sampler: Sampler::default().with_method(method), ..RenderRequest::new(size) };
            let ratio = Estimate::new(&page, &request, 2).cpu_ms / measured_ms;
            assert!((0.5..2.0).contains(&ratio), "{method:?}: {ratio}");
        }
    }
}
