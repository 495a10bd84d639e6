//! Oblique planes of volumes against the reference, by random requests.

use fastrand::Rng;
use lerpscope::backend::{CpuBackend, RenderRequest};
use lerpscope::grid::{Components, Grid};
use lerpscope::image::{Image, Page};
use lerpscope::sampling::{ADDRESS_MODES, Sampler, SamplingPath};
use lerpscope::view::View;
use lerpscope::volume::{Orientation, Plane, Volume, resolved};

use crate::cases::{TOLERANCE, error_against_reference, size};
use crate::kernels::METHOD_TEXTS;
use crate::warps::{WARP_TEXTS, warp};

/// Number of samples along z, y and x, and of times: shorter and longer than a support and a halo.
const SHAPES: [([usize; 3], usize); 6] =
    [([1, 1, 1], 1), ([2, 3, 1], 1), ([9, 8, 7], 1), ([21, 30, 41], 1), ([5, 6, 4], 3), ([11, 9, 12], 5)];

/// Volumes of random samples, with unequal spacing and rows in either direction.
pub(crate) fn volumes() -> Vec<Image> {
    let mut random = Rng::with_seed(71);
    SHAPES
        .iter()
        .enumerate()
        .map(|(number, &(shape, times))| volume(&mut random, shape, times, number % 2 == 1))
        .collect()
}

fn volume(random: &mut Rng, shape: [usize; 3], times: usize, is_y_up: bool) -> Image {
    let grids = (0..times).map(|_| {
        let values = (0..shape.iter().product()).map(|_| random.f32()).collect();
        Grid::new(&shape, Components::Real, values).expect("a grid")
    });
    let volume = Volume::series(grids.collect(), [1.0, 1.25, 0.8], is_y_up).expect("a volume");
    Image::of_page("volume", volume.into_page())
}

/// The page of a request's plane.
pub(crate) fn page(image: &Image, request: &RenderRequest) -> std::sync::Arc<Page> {
    resolved(&image.pages()[0], &request.plane, &request.sampler)
}

/// A request of an oblique plane by the method `text`: angles, position, time, view, address modes and prefilter at random, every
/// third of them through a warp.
pub(crate) fn request(random: &mut Rng, image: &Image, text: &str) -> RenderRequest {
    let times = Volume::of(&image.pages()[0]).expect("a volume").times().len();
    // Right angles put many positions on samples.
    let mut angle_deg = || if random.u8(..5) == 0 { 90.0 * f64::from(random.u8(..4)) } else { 360.0 * random.f64() };
    let orientation = Orientation::Oblique { tilt_deg: angle_deg(), turn_deg: angle_deg() };
    let slice = if random.bool() { Some((random.f64() - 0.5) * 14.0) } else { None };
    let time = if random.bool() { random.f64() * (times as f64 + 1.0) - 1.0 } else { f64::from(random.u8(..2)) };
    let mut address = || ADDRESS_MODES[random.usize(..ADDRESS_MODES.len())].address;
    let sampler = Sampler {
        address: [address(), address()],
        border: 0.375,
        prefilter: random.bool(),
        path: if random.bool() { SamplingPath::Auto } else { SamplingPath::Lookup },
        ..Sampler::default().with_method(text.parse().expect(text))
    };
    let scale = (random.f64() * 5.0 - 3.5).exp2();
    let translation = [0, 1].map(|_| (random.f64() - 0.5) * 8.0);
    let view = View::new(translation, scale).and_then(|view| view.scaled([scale, scale * (0.5 + random.f64())]));
    let view = view.and_then(|view| view.rotated(if random.bool() { 360.0 * random.f64() } else { 0.0 }));
    let request = RenderRequest {
        view: view.expect("a view"),
        sampler,
        plane: Plane { orientation, slice, time },
        ..RenderRequest::new(size(1 + random.u32(..23), 1 + random.u32(..17)))
    };
    match random.usize(..3) {
        0 => RenderRequest { warp: warp(WARP_TEXTS[random.usize(..WARP_TEXTS.len())]), ..request },
        _ => request,
    }
}

#[test]
fn oblique_planes_agree_with_the_reference() {
    let (images, mut random) = (volumes(), Rng::with_seed(72));
    let mut backend = CpuBackend::new();
    for text in METHOD_TEXTS {
        for image in &images {
            let request = request(&mut random, image, text);
            request.check(&page(image, &request)).expect("a request that is served");
            let error = error_against_reference(&mut backend, image, &request);
            assert!(error <= TOLERANCE, "{text}, off by {error:e}: {request:#?}");
        }
    }
}
