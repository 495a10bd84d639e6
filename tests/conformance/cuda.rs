//! The CUDA backend against the reference and against the CPU backend. Without a GPU each test says that it is skipped;
//! with `LERPSCOPE_REQUIRE_CUDA=1` it fails instead.

mod bench;
mod filters;
mod large;
mod slices;
mod values;
mod variants;
mod warps;

use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use lerpscope::backend::cuda::testing;
use lerpscope::backend::{
    Backend, BackendError, BackendKind, ColourMap, CpuBackend, CudaBackend, Display, FallbackBackend, PixelFormat,
    RenderRequest, render,
};
use lerpscope::filter::{Chain, Filters};
use lerpscope::image::{Channels, Depth, Image, Raster, Samples, Size};
use lerpscope::sampling::{ADDRESS_MODES, AddressMode, Edges, METHODS, Method, SAMPLING_PATHS, Sampler, SamplingPath};
use lerpscope::view::View;

use crate::cases::{
    self, SIZES, TOLERANCE, error_against_reference, float_values, image, random_image, size, suite, views,
};
use crate::skip::skip;

/// The one backend that all tests share, one test at a time.
fn cuda() -> Option<MutexGuard<'static, CudaBackend>> {
    static BACKEND: LazyLock<Result<Mutex<CudaBackend>, BackendError>> =
        LazyLock::new(|| CudaBackend::open().map(Mutex::new));
    match &*BACKEND {
        // A test that failed leaves a backend that works.
        Ok(backend) => Some(backend.lock().unwrap_or_else(PoisonError::into_inner)),
        Err(error) => {
            skip(Some("LERPSCOPE_REQUIRE_CUDA"), &error.to_string());
            None
        }
    }
}

#[expect(clippy::print_stderr, reason = "what was counted is part of the result")]
fn report(line: &str) {
    eprintln!("{line}");
}

fn conform(text: &str, address_x: AddressMode) {
    let Some(mut backend) = cuda() else { return };
    let paths = [SamplingPath::Auto, SamplingPath::Lookup, SamplingPath::Tiled];
    let poison = |backend: &mut CudaBackend| testing::poison(backend).expect("a device that works");
    cases::conform(&mut *backend, text, address_x, &paths, poison);
}

with_methods!(suite!(conform;));

#[test]
fn large_odd_pictures_agree() {
    let Some(mut backend) = cuda() else { return };
    let mut random = fastrand::Rng::with_seed(11);
    for (seed, (width, height)) in [(0, (4097, 3001)), (3, (1025, 769)), (4, (3001, 257)), (7, (515, 2049))] {
        let image = random_image(seed, size(width, height), Channels::Grey);
        for row in &METHODS {
            for path in [SamplingPath::Auto, SamplingPath::Lookup, SamplingPath::Tiled] {
                let scale = (random.f64() * 6.0 - 4.5).exp2();
                let reach = |side: u32| f64::from(side) * 0.5;
                let translation = [(random.f64() - 0.5) * reach(width), (random.f64() - 0.5) * reach(height)];
                let address = [0, 1].map(|_| ADDRESS_MODES[random.usize(..ADDRESS_MODES.len())].address);
                let turned = if path != SamplingPath::Tiled && random.bool() { random.f64() * 360.0 } else { 0.0 };
                let view = View::new(translation, scale).and_then(|view| view.rotated(turned)).expect("a view");
                let prefilter = row.method == Method::BSPLINE && path != SamplingPath::Lookup;
                let sampler =
                    Sampler { address, path, prefilter, border: -0.7, ..Sampler::default().with_method(row.method) };
                let request = RenderRequest { view, sampler, ..RenderRequest::new(size(641, 479)) };
                testing::poison(&mut backend).expect("a device that works");
                let error = error_against_reference(&mut *backend, &image, &request);
                assert!(error <= TOLERANCE, "{width}×{height}, off by {error:e}: {request:#?}");
            }
        }
    }
}

/// Views whose samples all lie inside a grey image of integers, at one sample a pixel and zoomed in: they have kernels of
/// their own.
#[test]
fn views_inside_the_image_agree() {
    let Some(mut backend) = cuda() else { return };
    let mut random = fastrand::Rng::with_seed(23);
    for (seed, side) in [(0, (531, 402)), (1, (640, 333)), (2, (515, 390)), (3, (530, 401))] {
        let image = random_image(seed, size(side.0, side.1), Channels::Grey);
        for row in &METHODS {
            for (number, scale) in [1.0, 1.0, 1.0, 1.0, 0.99, 0.5, 0.37, 0.125, 1.0 / 64.0].into_iter().enumerate() {
                let output = [(389, 258), (128, 65), (3, 1), (130, 72), (131, 7)][random.usize(..5)];
                // Between whole samples, on them, halfway, and just before a whole one.
                let part = [random.f64(), 0.0, 0.5, 1.0 - 1e-16][number % 4];
                let translation = [0, 1].map(|_| (random.f64() * 60.0 - 30.0).floor() + part);
                let view = View::new(translation, scale).expect("a view");
                let sampler = Sampler::default().with_method(row.method);
                let request = RenderRequest { view, sampler, ..RenderRequest::new(size(output.0, output.1)) };
                testing::poison(&mut backend).expect("a device that works");
                let error = error_against_reference(&mut *backend, &image, &request);
                assert!(error <= TOLERANCE, "off by {error:e}: {request:#?}");
                let format = PixelFormat::TEXTURE;
                let got = render(&mut *backend, &image, &request, format).expect("a request that is served");
                let expected =
                    render(&mut CpuBackend::new(), &image, &request, format).expect("a request that is served");
                assert!(largest_step(&got, &expected) <= 1.0, "{request:#?}");
            }
        }
    }
}

#[test]
fn kernels_wider_than_the_image_agree() {
    let Some(mut backend) = cuda() else { return };
    let image = random_image(2, size(401, 300), Channels::Grey);
    for row in &ADDRESS_MODES {
        for method in [Method::Linear, Method::LANCZOS4] {
            for (scale, angle) in [(150.0, 0.0), (1024.0, 0.0), (30.0, 17.0)] {
                let sampler = Sampler {
                    address: [row.address; 2],
                    antialias: true,
                    border: 0.25,
                    ..Sampler::default().with_method(method)
                };
                let view = View::new([10.0, 3.0], scale).and_then(|view| view.rotated(angle)).expect("a view");
                let request = RenderRequest { view, sampler, ..RenderRequest::new(size(5, 4)) };
                let error = error_against_reference(&mut *backend, &image, &request);
                assert!(error <= TOLERANCE, "{method} {} {scale}: {error:e}", row.name);
            }
        }
    }
}

/// Outputs of more rows than a grid has blocks downwards, and than a surface has, by every route that can be.
#[test]
fn outputs_taller_than_a_grid_agree() {
    let Some(mut backend) = cuda() else { return };
    for (channels, scale) in [(Channels::Grey, 0.5), (Channels::Rgb, 1.0), (Channels::Grey, 30.0)] {
        let image = random_image(0, size(9, 300), channels);
        let mut request = RenderRequest::new(size(2, 70_001));
        request.view = View::new([0.25, -0.5], scale).expect("a view");
        request.sampler.address = [AddressMode::Wrap; 2];
        for antialias in [false, scale > 1.0] {
            request.sampler.antialias = antialias;
            let error = error_against_reference(&mut *backend, &image, &request);
            assert!(error <= TOLERANCE, "{channels:?} {scale}: {error:e}");
        }
        request.display = Display { exposure: 0.5, gamma: 1.5, ..Display::default() };
        for format in [PixelFormat::TEXTURE, PixelFormat::file(Depth::EIGHT)] {
            let got = render(&mut *backend, &image, &request, format).expect("a request that is served");
            let expected = render(&mut CpuBackend::new(), &image, &request, format).expect("the CPU serves it");
            assert!(largest_step(&got, &expected) <= 1.0, "{channels:?} {scale}");
        }
    }
}

#[test]
fn deep_zoom_far_from_the_origin_agrees() {
    let Some(mut backend) = cuda() else { return };
    let image = random_image(4, size(100_003, 3), Channels::Grey);
    for scale in [1e-3, 1e-4] {
        for method in [Method::Linear, Method::CATMULL_ROM, Method::LANCZOS3] {
            for path in [SamplingPath::Lookup, SamplingPath::Tiled] {
                let view = View::new([49_990.123, 0.3], scale).expect("a view");
                let sampler = Sampler { path, ..Sampler::default().with_method(method) };
                let request = RenderRequest { view, sampler, ..RenderRequest::new(size(64, 3)) };
                let error = error_against_reference(&mut *backend, &image, &request);
                assert!(error <= TOLERANCE, "{method} {path} {scale}: {error:e}");
            }
        }
    }
}

/// Stored values of one channel on the endless lattice, for the bound below.
struct Lattice {
    values: Vec<f32>,
    side: [u32; 2],
    halo: [u32; 2],
    address: [AddressMode; 2],
    border: f32,
}

impl Lattice {
    fn new(image: &Image, sampler: &Sampler) -> Self {
        let raster = image.pages()[0].raster();
        let samples = raster.samples();
        let maxval = f32::from(samples.maxval());
        let values: Vec<f32> = (0..samples.len()).map(|k| samples.number(k) / maxval).collect();
        let side = [raster.size().width(), raster.size().height()];
        let Some(prefilter) = sampler.coefficients() else {
            return Self { values, side, halo: [0; 2], address: sampler.address, border: sampler.border };
        };
        let edges = Edges { address: sampler.address, border: sampler.border };
        let made = prefilter.coefficients(&values, side, 1, &edges);
        let address = sampler.address.map(|a| if prefilter.halo(a) > 0 { AddressMode::Clamp } else { a });
        let side = [made.width, made.height];
        Self { values: made.values, side, halo: sampler.address.map(|a| prefilter.halo(a)), address, border: 0.0 }
    }

    fn at(&self, m: i64, n: i64) -> f64 {
        let place = |axis: usize, k: i64| self.address[axis].resolve(k + i64::from(self.halo[axis]), self.side[axis]);
        match (place(0, m), place(1, n)) {
            (Some(x), Some(y)) => f64::from(self.values[y as usize * self.side[0] as usize + x as usize]),
            _ => f64::from(self.border),
        }
    }

    /// Σ|Δf|/256 along each axis over the 6 × 6 samples around a position: what one step of α on either axis can change.
    fn one_step(&self, [x, y]: [f64; 2]) -> f64 {
        let (m, n) = (x.floor() as i64 - 2, y.floor() as i64 - 2);
        let mut worst = [0.0_f64; 2];
        for line in 0..6 {
            let along = |k: i64| (self.at(m + k + 1, n + line) - self.at(m + k, n + line)).abs();
            let vertical = |k: i64| (self.at(m + line, n + k + 1) - self.at(m + line, n + k)).abs();
            worst[0] = worst[0].max((0..5).map(along).sum());
            worst[1] = worst[1].max((0..5).map(vertical).sum());
        }
        (worst[0] + worst[1]) / 256.0
    }
}

/// `filtered` and `filtered-table` against the CPU backend's emulation: within one step of α along each axis; what lies outside
/// is counted.
#[test]
fn paths_of_the_texture_unit_agree_with_their_emulation() {
    let Some(mut backend) = cuda() else { return };
    let served = |path| METHODS.iter().filter(move |row| row.method.kernel().paths.contains(&path));
    let rows = SAMPLING_PATHS.iter().map(|row| row.path).filter(|path| !path.is_exact());
    for (path, row) in rows.flat_map(|path| served(path).map(move |row| (path, row))) {
        let (mut pixels, mut outside, mut worst, mut worst_exact) = (0, 0, 0.0_f64, 0.0_f64);
        for (index, &(width, height)) in SIZES.iter().chain(&[(257, 129)]).enumerate() {
            for seed in [0, 2, 4] {
                let image = random_image(seed + 5 * index as u64, size(width, height), Channels::Grey);
                for (output, view) in views() {
                    for address in ADDRESS_MODES.iter().map(|row| row.address) {
                        let prefilter = row.method == Method::BSPLINE && index % 2 == 0;
                        let sampler = Sampler {
                            address: [address, AddressMode::Clamp],
                            path,
                            border: 0.375,
                            prefilter,
                            ..Sampler::default().with_method(row.method)
                        };
                        let request = RenderRequest { view, sampler, ..RenderRequest::new(output) };
                        testing::poison(&mut backend).expect("a device that works");
                        let got = float_values(&mut *backend, &image, &request);
                        let emulated = float_values(&mut CpuBackend::new(), &image, &request);
                        let exact_request = RenderRequest {
                            sampler: Sampler { path: SamplingPath::Auto, ..sampler },
                            ..request.clone()
                        };
                        let exact = float_values(&mut CpuBackend::new(), &image, &exact_request);
                        let lattice = Lattice::new(&image, &sampler);
                        let map = view.image_from_output(output, size(width, height));
                        for (k, ((&a, &b), &c)) in got.iter().zip(&emulated).zip(&exact).enumerate() {
                            let (error, error_exact) = (f64::from((a - b).abs()), f64::from((a - c).abs()));
                            let place = [k % output.width() as usize, k / output.width() as usize].map(|i| i as f64);
                            let step = lattice.one_step(map.at(place));
                            pixels += 1;
                            outside += usize::from(error.is_nan() || error > step + TOLERANCE);
                            worst = worst.max(if error.is_nan() { f64::INFINITY } else { error });
                            worst_exact = worst_exact.max(error_exact);
                            // One step of the fraction along each axis, and the table's own steps.
                            let is_near = path != SamplingPath::FilteredTable || error_exact <= step + 1e-4;
                            assert!(is_near, "{path} {}, {k}: {a} is not {c}: {request:#?}", row.name);
                        }
                    }
                }
            }
        }
        report(&format!(
            "{path} {}: {outside} of {pixels} pixels outside one step; worst {worst:.2e} from the emulation, {worst_exact:.2e} from exact",
            row.name
        ));
        // Where a position falls between two steps the texture unit may round it the other way; nothing else may differ.
        assert!(outside * 1000 <= pixels, "{path} {}: {outside} of {pixels} outside, worst {worst:e}", row.name);
    }
}

/// Requests that differ in the subtraction and the display mapping alone.
fn mapped_requests(output: Size) -> Vec<RenderRequest> {
    let plain = |display| RenderRequest { display, ..RenderRequest::new(output) };
    let difference = |method, display| {
        let sampler = Sampler::default().with_method(method);
        let other = RenderRequest { sampler, ..RenderRequest::new(output) };
        RenderRequest { subtract: Some(Box::new(other)), ..plain(display) }
    };
    let identity = Display::default();
    vec![
        plain(identity),
        plain(Display { exposure: 0.7, offset: -0.1, ..identity }),
        plain(Display { gamma: 2.2, window: [0.1, 0.8], ..identity }),
        plain(Display { colour_map: ColourMap::Viridis, ..identity }),
        difference(Method::Nearest, Display { window: [-0.5, 0.5], colour_map: ColourMap::BlueRed, ..identity }),
        difference(Method::Linear, Display { exposure: 2.0, absolute: true, ..identity }),
    ]
}

/// A random picture in single precision whose alpha, where it has one, is 0.6 and more: a division by one near 0, to which a
/// kernel's lobes may bring less, says nothing.
fn random_opaque_image(seed: u64, size: Size, channels: Channels) -> Image {
    let mut random = fastrand::Rng::with_seed(seed);
    let is_alpha = |place: usize| channels.has_alpha() && place % channels.count() == channels.count() - 1;
    let value = |place| if is_alpha(place) { 0.6 + 0.4 * random.f32() } else { random.f32() };
    image(size, channels, Samples::F32((0..size.area() * channels.count()).map(value).collect()))
}

/// A difference of images of two sizes, as the CPU has it.
#[test]
fn images_of_two_sizes_are_subtracted_as_by_the_cpu() {
    let Some(mut backend) = cuda() else { return };
    for channels in [Channels::Grey, Channels::GreyAlpha, Channels::Rgb, Channels::Rgba] {
        let image = random_opaque_image(6, size(31, 20), channels);
        let image = image.followed_by(&random_opaque_image(7, size(17, 44), channels));
        let mut request = RenderRequest::new(size(60, 50));
        request.view = View::new([2.5, -1.0], 0.7).expect("a view");
        let view = View::new([-4.0, 3.25], 0.3).expect("a view");
        let sampler = request.sampler.with_method(Method::CATMULL_ROM);
        request.subtract = Some(Box::new(RenderRequest { page: 1, view, sampler, ..request.clone() }));
        let format = PixelFormat::file(Depth::Float);
        let got = render(&mut *backend, &image, &request, format).expect("a request that is served");
        let expected = render(&mut CpuBackend::new(), &image, &request, format).expect("a request that is served");
        for place in 0..expected.samples().len() {
            let (a, b) = (got.samples().number(place), expected.samples().number(place));
            assert!((a - b).abs() < 4e-6, "{channels:?}, {place}: {a} is not {b}");
        }
    }
}

/// 8-bit pictures, for textures and files, differ from the CPU backend's by at most one step; other depths as floats do.
#[test]
fn integer_pictures_differ_from_the_cpu_by_at_most_one_step() {
    let Some(mut backend) = cuda() else { return };
    let output = size(150, 90);
    let maxval = |maxval| Depth::Integer { maxval: std::num::NonZeroU16::new(maxval).expect("not zero") };
    let formats = [
        PixelFormat::TEXTURE,
        PixelFormat::file(Depth::EIGHT),
        PixelFormat::file(maxval(15)),
        PixelFormat::file(maxval(1023)),
    ];
    for channels in [Channels::Grey, Channels::GreyAlpha, Channels::Rgb, Channels::Rgba] {
        let image = random_image(3, size(67, 41), channels);
        for (view, path) in [
            (0.3, SamplingPath::Auto),
            (1.0, SamplingPath::Auto),
            (2.5, SamplingPath::Lookup),
            (0.4, SamplingPath::Lookup),
        ] {
            for mapped in mapped_requests(output) {
                for format in formats {
                    let sampler = Sampler { path, ..Sampler::default().with_method(Method::CATMULL_ROM) };
                    let view = View::new([0.3, -0.7], view).expect("a view");
                    let request = RenderRequest { view, sampler, ..mapped.clone() };
                    // Once for the buffers, so that there is something to poison.
                    render(&mut *backend, &image, &request, format).expect("a request that is served");
                    testing::poison(&mut backend).expect("a device that works");
                    let got = render(&mut *backend, &image, &request, format).expect("a request that is served");
                    let expected =
                        render(&mut CpuBackend::new(), &image, &request, format).expect("a request that is served");
                    let worst = largest_step(&got, &expected);
                    // A colour map's own steps, and a gamma near black, are coarser than ten bits.
                    let most = if format.depth == maxval(1023) { 8.0 } else { 1.0 };
                    assert!(worst <= most, "{channels:?} {format:?}: {worst} steps apart: {request:#?}");
                }
            }
        }
    }
}

fn largest_step(got: &Raster, expected: &Raster) -> f32 {
    assert_eq!((got.size(), got.channels(), got.depth()), (expected.size(), expected.channels(), expected.depth()));
    let count = got.samples().len();
    (0..count).map(|k| (got.samples().number(k) - expected.samples().number(k)).abs()).fold(0.0, f32::max)
}

/// The identity gives back an image's own bytes, by every path.
#[test]
fn identity_gives_back_the_image() {
    let Some(mut backend) = cuda() else { return };
    for (seed, channels) in [(0, Channels::Grey), (5, Channels::Rgb)] {
        let image = random_image(seed, size(211, 130), channels);
        for row in METHODS.iter().filter(|row| row.method.kernel().interpolates) {
            for &path in row.method.kernel().paths {
                let sampler = Sampler { path, ..Sampler::default().with_method(row.method) };
                let request = RenderRequest { sampler, ..RenderRequest::new(size(211, 130)) };
                let got = render(&mut *backend, &image, &request, PixelFormat::file(Depth::EIGHT)).expect("served");
                assert_eq!(got.samples(), image.pages()[0].raster().samples(), "{} {path}", row.name);
            }
        }
    }
}

/// Polls until the kernels of `request` are loaded.
fn wait_for_kernels(backend: &mut CudaBackend, image: &Image, request: &RenderRequest) {
    let start = Instant::now();
    while !backend.is_ready(image, request) {
        assert!(start.elapsed() < Duration::from_secs(60), "kernels do not load: {request:#?}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// A request whose kernels are loaded in the background launches no other, renders exactly while others are loaded, and the
/// backend may be dropped while they are.
#[test]
fn kernels_loaded_in_the_background_are_all_that_a_request_launches() {
    let Some(_alone) = cuda() else { return };
    let filters = ["", "gaussian=2", "gaussian=9", "sobel;median=1", "unsharp;negative", "bilateral;median=12"];
    for (seed, channels) in [(0, Channels::Grey), (2, Channels::Rgba), (4, Channels::GreyAlpha)] {
        let image = random_image(seed, size(61, 40), channels);
        let mut backend = CudaBackend::open().expect("the device that all tests share");
        for (number, row) in METHODS.iter().enumerate() {
            for (place, &path) in row.method.kernel().paths.iter().enumerate() {
                for prefilter in [false, true] {
                    let chain = |index: usize| match filters[index % filters.len()] {
                        "" => Chain::default(),
                        text => text.parse().expect("a chain"),
                    };
                    let sampler = Sampler { path, prefilter, ..Sampler::default().with_method(row.method) };
                    let filters = Filters { before: chain(number + place), after: chain(number * 3) };
                    let request = RenderRequest { sampler, filters, ..RenderRequest::new(size(97, 53)) };
                    if request.check(&image.pages()[0]).is_err() {
                        continue;
                    }
                    wait_for_kernels(&mut backend, &image, &request);
                    render(&mut backend, &image, &request, PixelFormat::TEXTURE).expect("served");
                    assert_eq!(testing::late_loads(&backend), 0, "a launch loaded a kernel: {request:#?}");
                }
            }
        }
    }
}

/// More than the device has is refused and costs nothing else.
#[test]
fn more_memory_than_there_is_is_refused() {
    let Some(mut backend) = cuda() else { return };
    let image = random_image(1, size(7, 5), Channels::Rgb);
    let request = RenderRequest::new(size(20, 20));
    let format = PixelFormat::file(Depth::Float);
    let refused = testing::hold_memory(&mut backend, 1 << 44);
    assert!(matches!(refused, Err(BackendError::Memory { .. })), "{refused:?}");
    render(&mut *backend, &image, &request, format).expect("a device that works");
}

/// What is kept from picture to picture makes way for a picture that finds the device full: the surface that pixels are
/// written to and the texture that they are read from are arrays, which do not come out of the pool that buffers go back to.
#[test]
fn memory_that_runs_out_is_had_again() {
    let Some(mut backend) = cuda() else { return };
    let image = random_image(1, size(7, 5), Channels::Grey);
    let sampler = Sampler { path: SamplingPath::Lookup, ..Sampler::default() };
    let wide = |height| RenderRequest { sampler, ..RenderRequest::new(size(16_384, height)) };
    render(&mut *backend, &image, &wide(1), PixelFormat::TEXTURE).expect("a device that works");
    let before = testing::free_memory(&mut backend).expect("a device that works");
    let fills = |spare: &usize| testing::hold_memory(&mut backend, before.saturating_sub(*spare)).is_ok();
    let filled = [16 << 20, 64 << 20, 256 << 20].iter().any(fills);
    assert!(filled, "{before} bytes are left, and cannot be had");
    // As many rows as there is no room for.
    let left = testing::free_memory(&mut backend).expect("a device that works");
    let request = wide((left >> 14) as u32 + 64);
    let got = render(&mut *backend, &image, &request, PixelFormat::TEXTURE).expect("memory is had again");
    let after = testing::free_memory(&mut backend).expect("a device that works");
    assert!(after > left, "nothing was freed: {left} bytes were left, {after} are");
    let expected = render(&mut CpuBackend::new(), &image, &request, PixelFormat::TEXTURE).expect("the CPU serves it");
    assert!(largest_step(&got, &expected) <= 1.0);
}

/// Run by the test below in a process of its own, whose device it breaks.
#[test]
#[ignore = "breaks the device for its process"]
fn child_whose_device_is_lost() {
    let Some(mut backend) = cuda() else { return };
    let image = random_image(0, size(9, 9), Channels::Grey);
    let request = RenderRequest::new(size(30, 30));
    render(&mut *backend, &image, &request, PixelFormat::TEXTURE).expect("a device that works");
    let lost = |result: Result<(), BackendError>| matches!(result, Err(BackendError::Device { lost: true, .. }));
    testing::trap(&mut backend).expect("a kernel that starts");
    assert!(lost(testing::wait(&mut backend)));
    for _ in 0..3 {
        assert!(lost(render(&mut *backend, &image, &request, PixelFormat::TEXTURE).map(|_| ())));
    }
    assert!(backend.gl().is_none());
    assert!(backend.description().contains("lost"));
    render(&mut CpuBackend::new(), &image, &request, PixelFormat::TEXTURE).expect("the CPU goes on");
}

/// Run by the test below in a process of its own, whose device it breaks.
#[test]
#[ignore = "breaks the device for its process"]
fn child_whose_device_is_replaced() {
    let image = random_image(0, size(9, 9), Channels::Grey);
    let request = RenderRequest::new(size(30, 30));
    let mut backend = CudaBackend::open().expect("the device that the other process has");
    render(&mut backend, &image, &request, PixelFormat::TEXTURE).expect("a device that works");
    // Nobody waits: the next frame meets what has become of it.
    testing::trap(&mut backend).expect("a kernel that starts");
    let mut backend = FallbackBackend::new(Box::new(backend));
    let expected = render(&mut CpuBackend::new(), &image, &request, PixelFormat::TEXTURE).expect("served");
    for notices in [1, 0, 0] {
        let got = render(&mut backend, &image, &request, PixelFormat::TEXTURE).expect("the CPU goes on");
        assert_eq!(got, expected);
        assert_eq!((backend.kind(), backend.take_notices().len()), (BackendKind::Cpu, notices));
    }
}

/// Runs a test of this program in a process of its own.
fn run_child(name: &str) {
    let program = std::env::current_exe().expect("this test's own program");
    let arguments = ["--exact", &format!("cuda::{name}"), "--ignored"];
    let child = std::process::Command::new(program).args(arguments).output().expect("a child that runs");
    assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stdout));
    assert!(String::from_utf8_lossy(&child.stdout).contains("1 passed"));
}

#[test]
fn device_that_is_lost_is_given_up() {
    if cuda().is_some() {
        run_child("child_whose_device_is_lost");
    }
}

#[test]
fn device_that_is_lost_is_replaced_in_the_same_frame() {
    if cuda().is_some() {
        run_child("child_whose_device_is_replaced");
    }
}

/// Where there is no GPU the error says what is missing.
#[test]
fn missing_device_is_named() {
    if let Err(error) = CudaBackend::open() {
        let is_named = matches!(
            error,
            BackendError::Unavailable { backend: BackendKind::Cuda, .. }
                | BackendError::Unusable { backend: BackendKind::Cuda, .. }
        );
        assert!(is_named, "{error:?}");
        assert!(error.to_string().contains("driver") || error.to_string().contains("device"), "{error}");
    }
}

/// An image that no test would have as floats: 16-bit samples keep their own plane.
#[test]
fn page_kinds_keep_their_numbers() {
    let Some(mut backend) = cuda() else { return };
    let values: Vec<u16> = (0..64 * 64).map(|k| (k * 16) as u16).collect();
    let image = image(size(64, 64), Channels::Grey, Samples::U16 { values, maxval: 65535 });
    let request = RenderRequest { sampler: Sampler::default(), ..RenderRequest::new(size(64, 64)) };
    let got = render(&mut *backend, &image, &request, PixelFormat::file(Depth::SIXTEEN)).expect("served");
    assert_eq!(got.samples(), image.pages()[0].raster().samples());
}
