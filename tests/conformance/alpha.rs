//! The bound on premultiplied values, and what follows from it for straight colours: c = p/a with p and a off by ε each is
//! off by ε·(1 + |c|)/|a'| at most, a' being the alpha found, and by the rounding of the quotient.

use lerpscope::backend::{CpuBackend, Instructions, PixelFormat, RenderRequest, reference, render};
use lerpscope::image::{Channels, Depth, Image, Samples};
use lerpscope::sampling::{ADDRESS_MODES, METHODS, Sampler};
use lerpscope::view::View;

use crate::cases::{TOLERANCE, float_values, image, size};

/// Colours of any value beside alphas of which most are a few steps of 65535, or nothing.
fn faint_image(random: &mut fastrand::Rng, channels: Channels) -> Image {
    let size = size(random.u32(1..24), random.u32(1..24));
    let pixel = |random: &mut fastrand::Rng| -> Vec<u16> {
        let alpha = if random.u8(..4) == 0 { random.u16(..) } else { random.u16(..4) };
        (1..channels.count()).map(|_| random.u16(..)).chain([alpha]).collect()
    };
    let values = (0..size.area()).flat_map(|_| pixel(random)).collect();
    image(size, channels, Samples::U16 { values, maxval: u16::MAX })
}

fn random_request(random: &mut fastrand::Rng) -> RenderRequest {
    let row = &METHODS[random.usize(..METHODS.len())];
    let address = [(); 2].map(|()| ADDRESS_MODES[random.usize(..ADDRESS_MODES.len())].address);
    let sampler = Sampler { address, antialias: random.bool(), ..Sampler::default().with_method(row.method) };
    let translation = [(); 2].map(|()| (random.f64() - 0.5) * 20.0);
    let view = View::new(translation, (random.f64() * 5.0 - 3.0).exp2());
    let view = view.and_then(|view| view.rotated(if random.bool() { 0.0 } else { random.f64() * 90.0 }));
    RenderRequest { view: view.expect("a view"), sampler, ..RenderRequest::new(size(20, 15)) }
}

/// For each straight colour its exact value, the one found, and how far that may be off by the bound.
fn straight(image: &Image, request: &RenderRequest) -> Vec<[f64; 3]> {
    let count = image.pages()[0].channels().count();
    let exact = reference::values(image, request).expect("a request that is served");
    let found = float_values(&mut CpuBackend::new(), image, request);
    let pixels = exact.chunks_exact(count).zip(found.chunks_exact(count));
    let colours = pixels.flat_map(|(exact, found)| {
        let (alpha, found_alpha) = (exact[count - 1], f64::from(found[count - 1]));
        assert!((alpha - found_alpha).abs() <= TOLERANCE, "alpha {found_alpha} is not {alpha}: {request:#?}");
        exact[..count - 1].iter().zip(&found[..count - 1]).map(move |(&exact, &found)| {
            let found = f64::from(found);
            // Where the alpha found is 0 there is no colour, and the bound is infinite.
            let bound = TOLERANCE * (1.0 + exact.abs()) / found_alpha.abs() + f64::from(f32::EPSILON) * found.abs();
            [exact, found, bound]
        })
    });
    colours.collect()
}

#[test]
fn straight_colours_are_within_the_premultiplied_bound_over_alpha() {
    let mut random = fastrand::Rng::with_seed(17);
    let (mut beyond, mut bounded) = (0, 0);
    for case in 0..300 {
        let channels = [Channels::GreyAlpha, Channels::Rgba][case % 2];
        let (image, request) = (faint_image(&mut random, channels), random_request(&mut random));
        for [exact, found, bound] in straight(&image, &request) {
            let error = (found - exact).abs();
            assert!(error <= bound, "{found} is {error:e} off {exact}, more than {bound:e}: {request:#?}");
            beyond += usize::from(error > TOLERANCE);
            bounded += usize::from(bound < 1.0);
        }
    }
    assert!(beyond > 1000, "straight colours are not within the bound itself near alpha 0, but {beyond} beyond it");
    assert!(bounded > 10_000, "{bounded} bounds say something");
}

#[test]
fn differences_of_straight_colours_are_within_the_sum_of_both_bounds() {
    let mut random = fastrand::Rng::with_seed(18);
    for case in 0..150 {
        let channels = [Channels::GreyAlpha, Channels::Rgba][case % 2];
        let (image, first) = (faint_image(&mut random, channels), random_request(&mut random));
        let second = random_request(&mut random);
        let difference = RenderRequest { subtract: Some(Box::new(second.clone())), ..first.clone() };
        let exact = reference::values(&image, &difference).expect("a request that is served");
        let found = float_values(&mut CpuBackend::new(), &image, &difference);
        let parts = straight(&image, &first).into_iter().zip(straight(&image, &second));
        for (([_, a, bound_a], [_, b, bound_b]), (exact, found)) in parts.zip(exact.iter().zip(found)) {
            let error = (f64::from(found) - exact).abs();
            let bound = bound_a + bound_b + f64::from(f32::EPSILON) * (a - b).abs();
            assert!(error <= bound, "{found} is {error:e} off {exact}, more than {bound:e}: {difference:#?}");
        }
    }
}

/// Pictures with alpha are written without a buffer of values; a display mapping has one, and so have differences.
#[test]
fn levels_of_straight_colours_are_the_rounded_values_by_every_instruction_set() {
    let mut random = fastrand::Rng::with_seed(19);
    for case in 0..200 {
        let channels = [Channels::Rgba, Channels::GreyAlpha][usize::from(case % 4 == 0)];
        let image = faint_image(&mut random, channels);
        let mut request = random_request(&mut random);
        request.size = size(random.u32(1..90), random.u32(1..30));
        let float = PixelFormat::file(Depth::Float);
        let values = render(&mut CpuBackend::new(), &image, &request, float).expect("values");
        for set in Instructions::available() {
            let mut backend = CpuBackend::new().with_instructions(set);
            for depth in [Depth::EIGHT, Depth::SIXTEEN] {
                let levels = render(&mut backend, &image, &request, PixelFormat::file(depth)).expect("levels");
                let maxval = f32::from(levels.samples().maxval());
                for index in 0..levels.samples().len() {
                    let level = (values.samples().number(index) * maxval).clamp(0.0, maxval).round_ties_even();
                    assert_eq!(levels.samples().number(index), level, "{} at {index} of {request:?}", set.name());
                }
            }
        }
    }
}
