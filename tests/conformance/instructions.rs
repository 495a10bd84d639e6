//! The loops of every instruction set: the same bytes from each, and values of the reference.

use lerpscope::backend::{ColourMap, CpuBackend, Display, Instructions, PixelFormat, RenderRequest, render};
use lerpscope::image::{Channels, Depth, Image};
use lerpscope::sampling::{ADDRESS_MODES, Method, Sampler};
use lerpscope::view::View;
use lerpscope::warp::Warp;

use crate::cases::{TOLERANCE, error_against_reference, random_image, size};
use crate::kernels::METHOD_TEXTS;

const CHANNELS: [Channels; 4] = [Channels::Grey, Channels::Rgb, Channels::GreyAlpha, Channels::Rgba];

/// Any view of an image that is long enough for several blocks of columns, by any method.
fn case(random: &mut fastrand::Rng, seed: u64) -> (Image, RenderRequest) {
    let channels = CHANNELS[random.usize(..CHANNELS.len())];
    let image = random_image(seed, size(random.u32(1..300), random.u32(1..40)), channels);
    let mut scale = || (f64::from(random.i32(-60..36)) * 0.1).exp2();
    let scales = [scale(), scale()];
    let scales = if random.bool() { [scales[0]; 2] } else { scales };
    let translation = [f64::from(random.i32(-4000..4000)) * 0.1, f64::from(random.i32(-400..400)) * 0.1];
    let angle = [0.0, 0.0, 0.0, 90.0, 30.0, -117.3][random.usize(..6)];
    let view = View::new(translation, 1.0).and_then(|view| view.scaled(scales)?.rotated(angle)).expect("a view");
    let method: Method = METHOD_TEXTS[random.usize(..METHOD_TEXTS.len())].parse().expect("a method");
    let address = [(); 2].map(|()| ADDRESS_MODES[random.usize(..ADDRESS_MODES.len())].address);
    let sampler = Sampler {
        address,
        border: 0.375,
        prefilter: random.bool(),
        antialias: random.u8(..4) == 0,
        ..Sampler::default().with_method(method)
    };
    let warp = if random.u8(..8) == 0 { "swirl=40".parse().expect("a warp") } else { Warp::default() };
    let output = size(random.u32(1..260), random.u32(1..50));
    let request = RenderRequest { view, sampler, warp, ..RenderRequest::new(output) };
    // Kernels whose weights cancel at a stretch are refused.
    if request.check(&image.pages()[0]).is_ok() { (image, request) } else { case(random, seed) }
}

#[test]
fn instruction_sets_agree_with_the_reference() {
    let mut random = fastrand::Rng::with_seed(21);
    for seed in 0..150 {
        let (image, request) = case(&mut random, seed);
        for set in Instructions::available() {
            let mut backend = CpuBackend::new().with_instructions(set);
            let error = error_against_reference(&mut backend, &image, &request);
            assert!(error <= TOLERANCE, "{} of {seed}, {request:?}: {error:e}", set.name());
        }
    }
}

#[test]
fn instruction_sets_write_the_same_bytes() {
    let mut random = fastrand::Rng::with_seed(22);
    for seed in 0..300 {
        let (image, mut request) = case(&mut random, seed);
        if random.u8(..3) == 0 {
            request.display = Display { exposure: 0.7, offset: -0.05, ..Display::default() };
        }
        if random.u8(..4) == 0 {
            request.display.colour_map = ColourMap::Viridis;
        }
        if random.u8(..4) == 0 {
            let linear = Sampler { method: Method::Linear, ..request.sampler };
            request.subtract = Some(Box::new(RenderRequest { sampler: linear, ..request.clone() }));
        }
        let formats = [PixelFormat::TEXTURE, PixelFormat::file(Depth::SIXTEEN), PixelFormat::file(Depth::Float)];
        for format in formats {
            let shown = Instructions::available().into_iter().map(|set| {
                let mut backend = CpuBackend::new().with_instructions(set);
                (set.name(), render(&mut backend, &image, &request, format).expect("a request that is served"))
            });
            let shown: Vec<_> = shown.collect();
            for pair in shown.windows(2) {
                assert!(pair[0].1 == pair[1].1, "{} and {} of {seed}, {request:?}", pair[0].0, pair[1].0);
            }
        }
    }
}

#[test]
fn names_select_sets_and_every_machine_has_the_baseline() {
    let names: Vec<&str> = Instructions::available().iter().map(|set| set.variable()).collect();
    assert_eq!(names.last(), Some(&"baseline"));
    assert!(names.contains(&Instructions::best().variable()));
}

/// What a backend keeps of earlier requests changes no byte: the weights of an axis that is the same, of another view, image,
/// border or display.
#[test]
fn requests_after_others_have_the_bytes_of_a_new_backend() {
    let mut random = fastrand::Rng::with_seed(23);
    let mut kept = CpuBackend::new();
    for seed in 0..60 {
        let (image, first) = case(&mut random, seed);
        let mut request = first.clone();
        for step in 0..6 {
            match random.u8(..6) {
                0 => request.view = first.view.panned([f64::from(random.i32(-9..9)), 0.0]),
                1 => request.sampler.border = random.f32(),
                2 => request.sampler.address = first.sampler.address.map(|_| ADDRESS_MODES[step % 4].address),
                3 => request.display = Display { exposure: random.f32(), ..Display::default() },
                4 => request.size = size(first.size.width(), random.u32(1..50)),
                _ => request = RenderRequest { sampler: request.sampler, ..first.clone() },
            }
            if request.check(&image.pages()[0]).is_err() {
                continue;
            }
            let bytes = |backend: &mut CpuBackend| render(backend, &image, &request, PixelFormat::TEXTURE);
            let (found, expected) = (bytes(&mut kept).expect("pixels"), bytes(&mut CpuBackend::new()).expect("pixels"));
            assert_eq!(found.samples(), expected.samples(), "step {step} of {seed}: {request:?}");
        }
    }
}
