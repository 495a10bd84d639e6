//! Antiringing against its definition, which is written out here: value + strength·(clamp(value, least, greatest) − value),
//! over the samples whose distance from the position is below the kernel's first zero along both axes.

use lerpscope::backend::{CpuBackend, RenderRequest, reference};
use lerpscope::image::{Channels, Image, Samples, Size};
use lerpscope::sampling::{ADDRESS_MODES, AddressMode, METHODS, Method, Sampler, SamplingPath};
use lerpscope::view::View;

use crate::cases::{SIZES, TOLERANCE, error_against_reference, float_values, image, random_image, size, views};

/// First zeros of kernels, by hand: interpolating ones have 1, B-splines the end of their support, Mitchell's kernel on 1 … 2,
/// (−7d³ + 36d² − 60d + 32)/18, has 8/7.
const FIRST_ZEROS: [(&str, f64); 14] = [
    ("linear", 1.0),
    ("hermite", 1.0),
    ("catmull-rom", 1.0),
    ("keys=-0.75", 1.0),
    ("mitchell", 8.0 / 7.0),
    ("lanczos2", 1.0),
    ("lanczos3", 1.0),
    ("lanczos4", 1.0),
    ("lanczos=2.5", 1.0),
    ("bspline=2", 1.5),
    ("bspline", 2.0),
    ("bspline=4", 2.5),
    ("bspline=5", 3.0),
    ("o-moms", 2.0),
];

/// The sample that index `k` means on an axis of `n`; `None` is the border.
fn sample_of(address: AddressMode, k: i64, n: i64) -> Option<i64> {
    match address {
        AddressMode::Clamp => Some(k.clamp(0, n - 1)),
        AddressMode::Border => (0..n).contains(&k).then_some(k),
        AddressMode::Wrap => Some(k.rem_euclid(n)),
        AddressMode::Mirror => {
            let within = k.rem_euclid(2 * n);
            Some(if within < n { within } else { 2 * n - 1 - within })
        }
    }
}

/// Least and greatest sample nearer than `zero` to (x, y), of one channel.
fn range(image: &Image, request: &RenderRequest, [x, y]: [f64; 2], zero: f64, channel: usize) -> [f64; 2] {
    let page = &image.pages()[0];
    let (width, height) = (i64::from(page.size().width()), i64::from(page.size().height()));
    let maxval = f64::from(page.raster().samples().maxval());
    let near = |x: f64| {
        let all = (x - zero).floor() as i64..=(x + zero).ceil() as i64;
        let near: Vec<i64> = all.filter(|&k| (x - k as f64).abs() < zero).collect();
        if near.is_empty() { vec![(x + 0.5).floor() as i64] } else { near }
    };
    let mut found = [f64::INFINITY, f64::NEG_INFINITY];
    for n in near(y) {
        for m in near(x) {
            let column = sample_of(request.sampler.address[0], m, width);
            let row = sample_of(request.sampler.address[1], n, height);
            let value = match (column, row) {
                (Some(column), Some(row)) => {
                    f64::from(page.raster().number(column as u32, row as u32, channel)) / maxval
                }
                _ => f64::from(request.sampler.border),
            };
            found = [found[0].min(value), found[1].max(value)];
        }
    }
    found
}

/// The position of pixel (i, j), as the conventions have it.
fn position(request: &RenderRequest, page: Size, i: u32, j: u32) -> [f64; 2] {
    let (view, out) = (&request.view, request.size);
    let (sin, cos) = if view.angle_deg() == 0.0 { (0.0, 1.0) } else { view.angle_deg().to_radians().sin_cos() };
    let u = f64::from(i) - f64::from(out.width()) / 2.0;
    let v = f64::from(j) - f64::from(out.height()) / 2.0;
    let ([tx, ty], [across, down]) = (view.translation(), view.scales());
    [
        across * (u * cos - v * sin) + (f64::from(page.width()) / 2.0 + tx),
        down * (u * sin + v * cos) + (f64::from(page.height()) / 2.0 + ty),
    ]
}

/// The request with a strength.
fn with(request: &RenderRequest, antiringing: f64) -> RenderRequest {
    RenderRequest { sampler: Sampler { antiringing, ..request.sampler }, ..request.clone() }
}

/// Compares the reference and the CPU with the definition; `zero` is the first zero in samples.
fn check(image: &Image, request: &RenderRequest, zero: f64) {
    let page = image.pages()[0].size();
    let channels = image.pages()[0].channels().count();
    let plain = reference::values(image, &with(request, 0.0)).expect("a request that is served");
    let reference = reference::values(image, request).expect("a request that is served");
    let cpu = float_values(&mut CpuBackend::new(), image, request);
    let strength = request.sampler.antiringing;
    for (place, &value) in plain.iter().enumerate() {
        let (channel, pixel) = (place % channels, (place / channels) as u32);
        let [i, j] = [pixel % request.size.width(), pixel / request.size.width()];
        let [least, greatest] = range(image, request, position(request, page, i, j), zero, channel);
        let expected = value + strength * (value.clamp(least, greatest) - value);
        assert!(
            (expected - reference[place]).abs() < 1e-11,
            "{i},{j}: {}, not {expected}: {request:#?}",
            reference[place]
        );
        assert!(
            (expected - f64::from(cpu[place])).abs() <= TOLERANCE,
            "{i},{j}: {}, not {expected}: {request:#?}",
            cpu[place]
        );
    }
}

/// Random views of random samples under every address mode, with and without prefilter and antialiasing.
#[test]
fn random_views_agree_with_the_definition_for_kernels_with_known_zeros() {
    let mut random = fastrand::Rng::with_seed(5);
    for (text, zero) in FIRST_ZEROS {
        let method: Method = text.parse().expect(text);
        let has_prefilter = method.kernel().prefilter.is_some();
        for round in 0..24 {
            let channels = [Channels::Grey, Channels::Rgb][round % 2];
            let image = random_image(round as u64, size(random.u32(1..24), random.u32(1..20)), channels);
            let antialias = round % 3 == 0;
            let prefilter = has_prefilter && !antialias && round % 4 != 1;
            let scale = if antialias { 1.0 + 3.0 * random.f64() } else { (random.f64() * 5.0 - 4.0).exp2() };
            let angle_deg = if round % 5 == 0 { 360.0 * random.f64() } else { 0.0 };
            let translation = [(); 2].map(|()| (random.f64() - 0.5) * 20.0);
            let view = View::new(translation, scale).and_then(|view| view.rotated(angle_deg)).expect("a view");
            let sampler = Sampler {
                method,
                address: [(); 2].map(|()| ADDRESS_MODES[random.usize(..ADDRESS_MODES.len())].address),
                border: random.f32(),
                prefilter,
                antialias,
                antiringing: [1.0, 0.5, 0.125][round % 3],
                ..Sampler::default()
            };
            let request = RenderRequest { view, sampler, ..RenderRequest::new(size(17, 13)) };
            if request.check(&image.pages()[0]).is_err() {
                continue;
            }
            let zero = if prefilter { 1.0 } else { zero * sampler.stretch(scale).unwrap_or(1.0) };
            check(&image, &request, zero);
        }
    }
}

#[test]
fn cpu_agrees_with_the_reference_on_every_path_size_and_number_of_channels() {
    let mut compared = 0;
    for (index, row) in METHODS.iter().enumerate() {
        for (place, &(width, height)) in SIZES.iter().enumerate() {
            let channels = [Channels::Grey, Channels::Rgb, Channels::GreyAlpha, Channels::Rgba][place % 4];
            let image = random_image((place * 7 + index) as u64, size(width, height), channels);
            for (number, (output, view)) in views().into_iter().enumerate() {
                for (turn, &path) in row.method.kernel().paths.iter().enumerate() {
                    let address = [0, 1].map(|axis| ADDRESS_MODES[(place + number + turn + axis) % 4].address);
                    let sampler = Sampler {
                        method: row.method,
                        address,
                        border: 0.375,
                        path,
                        prefilter: number % 2 == 0,
                        antialias: path != SamplingPath::Filtered && place % 2 == 0,
                        antiringing: [1.0, 0.3][turn % 2],
                        ..Sampler::default()
                    };
                    let request = RenderRequest { view, sampler, ..RenderRequest::new(output) };
                    if request.check(&image.pages()[0]).is_err() {
                        continue;
                    }
                    let error = error_against_reference(&mut CpuBackend::new(), &image, &request);
                    assert!(error <= TOLERANCE, "{width}×{height} {channels:?}, off by {error:e}: {request:#?}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}

/// A step from 0 to 1 between columns 7 and 8 of 16.
fn step() -> Image {
    let values = (0..16 * 4).map(|place| if place % 16 < 8 { 0.0 } else { 1.0 }).collect();
    image(size(16, 4), Channels::Grey, Samples::F32(values))
}

/// The values across the step, 60 to a sample.
fn across(method: Method, prefilter: bool, antiringing: f64) -> Vec<f32> {
    let sampler = Sampler { prefilter, antiringing, ..Sampler::default().with_method(method) };
    // Row 0 of the output is at y = 0.
    let view = View::new([0.0, -2.0 + 0.5 / 60.0], 1.0 / 60.0).expect("a view");
    let request = RenderRequest { view, sampler, ..RenderRequest::new(size(600, 1)) };
    float_values(&mut CpuBackend::new(), &step(), &request)
}

/// w₀ = −½α(1−α)² has its least value −2/27 at α = 1/3; Keys' −¾ has −1/9.
#[test]
fn step_through_catmull_rom_overshoots_to_29_27_and_stays_at_1_with_antiringing() {
    let greatest = |values: &[f32]| values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let least = |values: &[f32]| values.iter().copied().fold(f32::INFINITY, f32::min);
    let keys: Method = "keys=-0.75".parse().expect("a method");
    for (method, beyond) in [(Method::CATMULL_ROM, 2.0 / 27.0), (keys, 1.0 / 9.0)] {
        let values = across(method, false, 0.0);
        assert!((greatest(&values) - (1.0 + beyond)).abs() < 1e-6, "{method}: {}", greatest(&values));
        assert!((least(&values) + beyond).abs() < 1e-6, "{method}: {}", least(&values));
        let half = across(method, false, 0.5);
        assert!((greatest(&half) - (1.0 + 0.5 * beyond)).abs() < 1e-6, "{method}: {}", greatest(&half));
        let none = across(method, false, 1.0);
        assert_eq!([least(&none), greatest(&none)], [0.0, 1.0], "{method}");
        // Within the range nothing changes.
        let inside = values.iter().zip(&none).filter(|(value, _)| (0.0..=1.0).contains(*value));
        assert!(inside.into_iter().all(|(a, b)| (a - b).abs() < 1e-6), "{method}");
    }
    // A B-spline does not overshoot without its prefilter, and does with it.
    let [smooth, sharp] = [false, true].map(|prefilter| greatest(&across(Method::BSPLINE, prefilter, 0.0)));
    assert!(smooth <= 1.0 + 1e-6 && sharp > 1.05, "{smooth} {sharp}");
    assert_eq!(greatest(&across(Method::BSPLINE, true, 1.0)), 1.0);
}

#[test]
fn strength_0_changes_no_bit_and_strength_1_leaves_no_value_outside_the_samples() {
    for (index, row) in METHODS.iter().enumerate() {
        let image = random_image(4 + 5 * index as u64, size(23, 17), Channels::Rgb);
        let samples = image.pages()[0].raster().samples();
        let all = (0..samples.len()).map(|place| samples.number(place));
        let [least, greatest] =
            all.fold([f32::INFINITY, f32::NEG_INFINITY], |[a, b], value| [a.min(value), b.max(value)]);
        for (output, view) in views() {
            for (prefilter, antialias) in [(false, false), (true, false), (true, true)] {
                let sampler = Sampler { prefilter, antialias, ..Sampler::default().with_method(row.method) };
                let plain = RenderRequest { view, sampler, ..RenderRequest::new(output) };
                if plain.check(&image.pages()[0]).is_err() {
                    continue;
                }
                let mut backend = CpuBackend::new();
                let before: Vec<u32> = float_values(&mut backend, &image, &plain).iter().map(|v| v.to_bits()).collect();
                let after: Vec<u32> =
                    float_values(&mut backend, &image, &with(&plain, 0.0)).iter().map(|v| v.to_bits()).collect();
                assert!(before == after, "{} {view:?}", row.name);
                let clamped = float_values(&mut backend, &image, &with(&plain, 1.0));
                assert!(clamped.iter().all(|value| (least..=greatest).contains(value)), "{} {view:?}", row.name);
            }
        }
    }
}
