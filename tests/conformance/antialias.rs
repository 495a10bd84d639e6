//! Antialiased and plain views against the definitions, evaluated here in double precision: kernels, address modes and
//! positions are written out again and share nothing with the crate.

use lerpscope::backend::{CpuBackend, RenderRequest, RequestError, reference};
use lerpscope::image::{Channels, Image, Samples, Size};
use lerpscope::sampling::{ADDRESS_MODES, AddressMode, Method, Sampler};
use lerpscope::view::View;

use crate::cases::{TOLERANCE, float_values, image, size};
use crate::kernels::{Definition, METHOD_TEXTS, NAMED};

/// The sample that index `k` means on an axis of `n`; `None` is the border.
fn sample_of(address: AddressMode, k: i64, n: i64) -> Option<usize> {
    let place = match address {
        AddressMode::Clamp => k.max(0).min(n - 1),
        AddressMode::Border if k < 0 || k >= n => return None,
        AddressMode::Border => k,
        AddressMode::Wrap => ((k % n) + n) % n,
        AddressMode::Mirror => {
            let within = ((k % (2 * n)) + 2 * n) % (2 * n);
            if within < n { within } else { 2 * n - 1 - within }
        }
    };
    usize::try_from(place).ok()
}

/// Samples and weights at `x`.
fn weights(kernel: &Definition, x: f64, stretch: Option<f64>) -> Vec<(i64, f64)> {
    stretch.map_or_else(|| kernel.taps(x), |stretch| kernel.stretched_taps(x, stretch))
}

/// The grey values of `request`, whose method has this text, straight from the definitions.
fn values(text: &str, samples: &[f32], page: Size, request: &RenderRequest) -> Vec<f64> {
    let (sampler, view, out) = (&request.sampler, &request.view, request.size);
    // Along x and along y of the image.
    let stretches = view.scales().map(|scale| (sampler.antialias && scale > 1.0).then_some(scale * sampler.blur));
    let kernel = Definition::of(text);
    let (sin, cos) = if view.angle_deg() == 0.0 { (0.0, 1.0) } else { view.angle_deg().to_radians().sin_cos() };
    let [tx, ty] = view.translation();
    let (width, height) = (f64::from(page.width()), f64::from(page.height()));
    let mut values = Vec::new();
    for j in 0..out.height() {
        for i in 0..out.width() {
            let u = f64::from(i) - f64::from(out.width()) / 2.0;
            let v = f64::from(j) - f64::from(out.height()) / 2.0;
            let x = view.scales()[0] * (u * cos - v * sin) + (width / 2.0 + tx);
            let y = view.scales()[1] * (u * sin + v * cos) + (height / 2.0 + ty);
            let (horizontal, vertical) = (weights(&kernel, x, stretches[0]), weights(&kernel, y, stretches[1]));
            let mut value = 0.0;
            for &(n, wy) in &vertical {
                for &(m, wx) in &horizontal {
                    let column = sample_of(sampler.address[0], m, i64::from(page.width()));
                    let row = sample_of(sampler.address[1], n, i64::from(page.height()));
                    let sample = match (column, row) {
                        (Some(column), Some(row)) => samples[row * page.width() as usize + column],
                        _ => sampler.border,
                    };
                    value += wx * wy * f64::from(sample);
                }
            }
            values.push(value);
        }
    }
    values
}

/// Random samples; half of the images are black and white alone, which lets rounding errors add up the most.
fn random_samples(random: &mut fastrand::Rng) -> (Image, Vec<f32>) {
    let size = size(random.u32(1..70), random.u32(1..50));
    let is_binary = random.bool();
    let sample = |random: &mut fastrand::Rng| if is_binary { f32::from(u8::from(random.bool())) } else { random.f32() };
    let samples: Vec<f32> = (0..size.area()).map(|_| sample(random)).collect();
    (image(size, Channels::Grey, Samples::F32(samples.clone())), samples)
}

fn random_request(random: &mut fastrand::Rng, method: Method) -> RenderRequest {
    let address = [(); 2].map(|()| ADDRESS_MODES[random.usize(..ADDRESS_MODES.len())].address);
    // Most scales are a little above 1, where a small blur narrows the kernel.
    let scale = if random.u8(..4) == 0 { (random.f64() * 6.0 - 2.0).exp2() } else { 1.0 + random.f64() };
    let angle_deg = if random.u8(..4) == 0 { random.f64() * 360.0 } else { 0.0 };
    let translation = [(); 2].map(|()| (random.f64() - 0.5) * 40.0);
    let view = View::new(translation, scale).and_then(|view| view.rotated(angle_deg)).expect("a view");
    let blur = 1.0 - random.f64() * 0.99;
    let sampler =
        Sampler { method, address, border: random.f32(), antialias: random.u8(..8) > 0, blur, ..Sampler::default() };
    RenderRequest { view, sampler, ..RenderRequest::new(size(random.u32(1..24), random.u32(1..16))) }
}

/// Compares the CPU and the reference with the definition.
fn assert_agrees(backend: &mut CpuBackend, text: &str, (image, samples): (&Image, &[f32]), request: &RenderRequest) {
    let expected = values(text, samples, image.pages()[0].size(), request);
    let reference = reference::values(image, request).expect("a request that is served");
    let got = float_values(backend, image, request);
    for ((expected, reference), got) in expected.iter().zip(reference).zip(got) {
        let error = (expected - f64::from(got)).abs();
        assert!(error <= TOLERANCE, "{got} is off by {error:e}: {request:#?}");
        assert!((expected - reference).abs() <= 1e-11, "{text}: the reference is {reference}: {request:#?}");
    }
}

/// Each axis is antialiased by its own scale, or not at all.
#[test]
fn random_views_of_unequal_scales_agree_with_the_definition() {
    let mut random = fastrand::Rng::with_seed(12);
    let mut backend = CpuBackend::new();
    let (mut both, mut one) = (0, 0);
    for text in METHOD_TEXTS {
        let method: Method = text.parse().expect(text);
        let mut compared = 0;
        for _ in 0..40 {
            let (image, samples) = random_samples(&mut random);
            let mut request = random_request(&mut random, method);
            let ratio = (random.f64() * 5.0 - 2.5).exp2();
            request.view = request.view.scaled([request.view.scale(), request.view.scale() * ratio]).expect("a view");
            request.sampler.blur = request.sampler.blur.sqrt();
            if request.check(&image.pages()[0]).is_err() {
                continue;
            }
            compared += 1;
            match request.stretches().iter().flatten().count() {
                2 => both += 1,
                1 => one += 1,
                _ => {}
            }
            assert_agrees(&mut backend, text, (&image, &samples), &request);
        }
        assert!(compared >= 10, "{text}: {compared} compared");
    }
    assert!(both > 100 && one > 100, "{both} antialiased along both axes, {one} along one");
}

#[test]
fn random_views_with_blur_down_to_a_hundredth_agree_with_the_definition_or_are_refused_by_name() {
    let mut random = fastrand::Rng::with_seed(11);
    let mut backend = CpuBackend::new();
    for (index, text) in METHOD_TEXTS.into_iter().enumerate() {
        let method: Method = text.parse().expect(text);
        let least = method.kernel().min_stretch();
        let rounds = if index < NAMED { 400 } else { 100 };
        let (mut compared, mut refused) = (0, 0);
        for _ in 0..rounds {
            let (image, samples) = random_samples(&mut random);
            let request = random_request(&mut random, method);
            let page = &image.pages()[0];
            match request.check(page) {
                Ok(()) => compared += 1,
                Err(RequestError::Stretch { method: refused_method, stretch }) => {
                    assert!(refused_method == method && stretch < least && least <= 1.1, "{text}: {least}");
                    refused += 1;
                    continue;
                }
                Err(RequestError::Support { .. }) if method.kernel().taps > 8 => continue,
                Err(error) => panic!("{error}: {request:#?}"),
            }
            assert_agrees(&mut backend, text, (&image, &samples), &request);
        }
        assert!(2 * compared >= rounds, "{text}: {compared} compared, {refused} refused");
        assert_eq!(refused > 0, least > 0.0, "{text}: {refused}");
    }
}

/// The view that was found to be 3.6·10⁻⁵ off: its kernel is stretched by 0.431, where Lanczos 4 has weights that cancel.
#[test]
fn weights_that_cancel_are_refused_by_the_methods_name() {
    let image = image(size(64, 64), Channels::Grey, Samples::F32(vec![0.5; 64 * 64]));
    let view = View::new([0.1226, 0.0036], 1.082_136).expect("a view");
    let sampler = Sampler {
        address: [AddressMode::Mirror; 2],
        antialias: true,
        blur: 0.398,
        ..Sampler::default().with_method(Method::LANCZOS4)
    };
    let request = RenderRequest { view, sampler, ..RenderRequest::new(size(60, 60)) };
    let error = request.check(&image.pages()[0]).expect_err("weights cancel").to_string();
    assert_eq!(
        error,
        "antialiasing stretches 'lanczos4' by 0.4307 (scale times blur), where its weights cancel; 0.53 is the least"
    );
    let without = RenderRequest { sampler: Sampler { antialias: false, ..sampler }, ..request.clone() };
    assert_eq!(without.check(&image.pages()[0]), Ok(()));
    let smooth = RenderRequest { sampler: sampler.with_method(Method::BSPLINE), ..request };
    assert_eq!(smooth.check(&image.pages()[0]), Ok(()));
}
