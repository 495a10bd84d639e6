//! Filters on CUDA against the CPU and against the reference. Whatever pixels are written to is poisoned before.

use lerpscope::backend::cuda::testing;
use lerpscope::backend::{
    BLOCK_SHAPES, Backend, ColourMap, CpuBackend, CudaBackend, Display, PixelFormat, RenderRequest, Shape, reference,
    render,
};
use lerpscope::filter::{Chain, FILTERS, Filter, Filters, Stage, Step};
use lerpscope::image::{Channels, Depth, Image, Samples};
use lerpscope::sampling::{ADDRESS_MODES, AddressMode, Method, Sampler, SamplingPath};
use lerpscope::view::View;

use super::{cuda, largest_step};
use crate::cases::{TOLERANCE, error_against, error_against_reference, float_values, image, random_image, size};
use crate::filters::{STEPS, after, before, chain, steps_after, tolerance, whole};

/// `image` with every alpha at least one half: a filter of straight colours divides by it.
fn covered(image: &Image) -> Image {
    let raster = image.pages()[0].raster();
    let count = raster.channels().count();
    let is_alpha = |k: usize| raster.channels().has_alpha() && k % count == count - 1;
    let samples = match raster.samples().clone() {
        Samples::U8 { mut values, maxval } => {
            raise(&mut values, is_alpha, |v| v.midpoint(maxval));
            Samples::U8 { values, maxval }
        }
        Samples::U16 { mut values, maxval } => {
            raise(&mut values, is_alpha, |v| v.midpoint(maxval));
            Samples::U16 { values, maxval }
        }
        Samples::F32(mut values) => {
            raise(&mut values, is_alpha, |v| v.midpoint(1.0));
            Samples::F32(values)
        }
    };
    crate::cases::image(raster.size(), raster.channels(), samples)
}

fn raise<T: Copy>(values: &mut [T], is_alpha: impl Fn(usize) -> bool, raised: impl Fn(T) -> T) {
    values.iter_mut().enumerate().filter(|(k, _)| is_alpha(*k)).for_each(|(_, value)| *value = raised(*value));
}

const KINDS: [Channels; 4] = [Channels::Grey, Channels::Rgb, Channels::GreyAlpha, Channels::Rgba];

/// Renders once, so that there is something to poison, then again, and compares with the CPU.
fn error(backend: &mut CudaBackend, image: &Image, request: &RenderRequest) -> f64 {
    testing::poison(backend).expect("a device that works");
    error_against(&mut CpuBackend::new(), backend, image, request)
}

/// The largest difference of one filter's steps from the CPU: every pair of address modes, sizes from one sample up, every
/// kind of channels and depth.
fn conform(filter: Filter) {
    let Some(mut backend) = cuda() else { return };
    let sizes = [(1, 1), (1, 7), (5, 3), (67, 35), (131, 9), (33, 70), (2, 1), (97, 129)];
    let mut seed = filter as usize;
    for text in STEPS.iter().filter(|text| chain(text).0[0].filter() == filter) {
        for x in &ADDRESS_MODES {
            for y in &ADDRESS_MODES {
                // The first two tell every pair of a kind of channels and a size; the seed tells the depth.
                for channels in KINDS {
                    seed += 1;
                    let (width, height) = sizes[seed % sizes.len()];
                    let image = random_image(seed as u64 * 3, size(width, height), channels);
                    let sampler = Sampler { address: [x.address, y.address], border: 0.375, ..Sampler::default() };
                    let request = RenderRequest { sampler, ..whole(&image, before(text)) };
                    let error = error(&mut backend, &image, &request);
                    let bound = tolerance(&chain(text).0[0]);
                    assert!(
                        error <= bound,
                        "{text} {} {}: {error:e} on {width}×{height} {channels:?} {:?}",
                        x.name,
                        y.name,
                        image.pages()[0].raster().depth()
                    );
                }
            }
        }
    }
}

/// One test for each row.
macro_rules! suite {
    ($($name:ident $filter:ident),*) => { $(
        #[test]
        fn $name() {
            conform(Filter::$filter);
        }
    )* };
}

suite!(
    gamma Gamma,
    negative Negative,
    brightness Brightness,
    gaussian Gaussian,
    bilateral Bilateral,
    unsharp Unsharp,
    median Median,
    sobel Sobel,
    convolve Convolve,
    noise Noise,
    inpaint Inpaint
);

#[test]
fn suite_names_every_row() {
    let named = [
        "gamma",
        "negative",
        "brightness",
        "gaussian",
        "bilateral",
        "unsharp",
        "median",
        "sobel",
        "convolve",
        "noise",
        "inpaint",
    ];
    assert_eq!(FILTERS.iter().map(|row| row.name).collect::<Vec<_>>(), named);
}

#[test]
fn filters_agree_with_the_reference() {
    let Some(mut backend) = cuda() else { return };
    for (index, text) in STEPS.iter().enumerate() {
        for (number, channels) in KINDS.into_iter().enumerate() {
            let image = random_image((index * 4 + number) as u64, size(45, 38), channels);
            let address =
                [ADDRESS_MODES[(index + number) % 4].address, ADDRESS_MODES[(index / 4 + number) % 4].address];
            let sampler = Sampler { address, border: -0.4, ..Sampler::default() };
            let request = RenderRequest { sampler, ..whole(&image, before(text)) };
            let error = error_against_reference(&mut *backend, &image, &request);
            assert!(error <= tolerance(&chain(text).0[0]), "{text} {channels:?}: {error:e}");
        }
    }
}

#[test]
fn widest_windows_agree() {
    let Some(mut backend) = cuda() else { return };
    for text in [
        "gaussian=4",
        "gaussian=8.1",
        "gaussian=40",
        "gaussian=64",
        "bilateral=64,0.5,32",
        "bilateral=12,0.1,32,0.2",
        "bilateral=5,0.2,17",
        "median=3",
        "median=16",
        "unsharp=30,1",
    ] {
        for (number, channels) in KINDS.into_iter().enumerate() {
            for (width, height) in [(41, 23), (3, 200), (301, 190)] {
                let image = random_image(number as u64 + u64::from(width), size(width, height), channels);
                let address = [ADDRESS_MODES[number].address, ADDRESS_MODES[(number + 1) % 4].address];
                let sampler = Sampler { address, border: 0.8, ..Sampler::default() };
                let request = RenderRequest { sampler, ..whole(&image, before(text)) };
                let error = error(&mut backend, &image, &request);
                assert!(error <= tolerance(&chain(text).0[0]), "{text} {channels:?} {width}×{height}: {error:e}");
            }
        }
    }
}

/// Several blocks along both axes, the last of them cut short.
#[test]
fn large_odd_pictures_agree() {
    let Some(mut backend) = cuda() else { return };
    for (seed, channels) in [(0, Channels::Grey), (2, Channels::Grey), (4, Channels::Rgb), (3, Channels::Rgba)] {
        let image = random_image(seed, size(1031, 517), channels);
        for text in [
            "gaussian=0.8",
            "gaussian=2",
            "gaussian=11",
            "bilateral=2,0.2",
            "median",
            "median=4",
            "sobel",
            "convolve=emboss",
        ] {
            let sampler = Sampler { address: [AddressMode::Wrap, AddressMode::Mirror], ..Sampler::default() };
            let request = RenderRequest { sampler, ..whole(&image, before(text)) };
            let error = error(&mut backend, &image, &request);
            assert!(error <= tolerance(&chain(text).0[0]), "{text} {channels:?}: {error:e}");
        }
    }
}

const CHAINS: [&str; 8] = [
    "gaussian=1.2;gamma=2.2",
    "gamma=2.2;gaussian=1.2",
    "median;sobel=2;negative",
    "brightness=1.5;unsharp=1",
    "negative;brightness=0.8,0.3;gamma=0.7;negative;gamma=1;brightness=1.1;negative;negative;gamma=1.3;negative",
    "unsharp=1,0.5;gaussian=0.7;gaussian=2,off;median",
    "sobel;gaussian=1.1;brightness=0.5;median=2",
    "noise=white,0.1;gaussian=0.8;noise=uniform,0.1,2;convolve=box",
];

#[test]
fn chains_before_and_after_any_view_agree() {
    let Some(mut backend) = cuda() else { return };
    for (index, text) in CHAINS.into_iter().enumerate() {
        for (number, method) in [Method::Nearest, Method::BSPLINE, Method::LANCZOS3].into_iter().enumerate() {
            for path in [SamplingPath::Auto, SamplingPath::Lookup] {
                let channels = KINDS[(index + number) % 4];
                let image = covered(&random_image((index * 3 + number) as u64, size(43, 27), channels));
                for (scale, angle) in [(1.0, 0.0), (0.31, 0.0), (2.6, 0.0), (0.8, 30.0)] {
                    let view = View::new([1.3, -2.7], scale).and_then(|view| view.rotated(angle)).expect("a view");
                    let address = [ADDRESS_MODES[index % 4].address, ADDRESS_MODES[(index + number) % 4].address];
                    let sampler = Sampler {
                        address,
                        path,
                        border: 0.25,
                        prefilter: true,
                        ..Sampler::default().with_method(method)
                    };
                    for filters in [
                        before(text),
                        after(text),
                        Filters { before: chain("gaussian=0.6"), after: chain(text) },
                        Filters { before: chain(text), after: chain("sobel") },
                    ] {
                        let request = RenderRequest { view, sampler, filters, ..RenderRequest::new(size(61, 39)) };
                        let error = error(&mut backend, &image, &request);
                        // What the steps before get wrong, the later ones may double.
                        assert!(error <= 4.0 * TOLERANCE, "{error:e}: {request:#?}");
                    }
                }
            }
        }
    }
}

#[test]
fn differences_of_filtered_pictures_agree() {
    let Some(mut backend) = cuda() else { return };
    let output = size(70, 51);
    let filtered = |filters| RenderRequest { filters, ..RenderRequest::new(output) };
    for channels in KINDS {
        let image = covered(&random_image(3, size(64, 40), channels));
        for (first, second) in [
            (before("gaussian=2"), Filters::default()),
            (after("median"), before("median")),
            (after("gaussian=1.5"), after("gaussian=1.5;gamma=1.1")),
            (Filters::default(), after("bilateral=2,0.2")),
        ] {
            let subtract = Some(Box::new(filtered(second)));
            let display = Display { absolute: true, ..Display::default() };
            let request = RenderRequest { subtract, display, ..filtered(first) };
            let error = error(&mut backend, &image, &request);
            // Two errors, each divided by an alpha.
            assert!(error <= 1e-5, "{channels:?}: {error:e}: {request:#?}");
        }
    }
}

/// What the window and 8-bit files are given: at most one step from the CPU's, with and without a display mapping.
#[test]
fn filtered_bytes_differ_from_the_cpu_by_at_most_one_step() {
    let Some(mut backend) = cuda() else { return };
    let displays = [
        Display::default(),
        Display { exposure: 0.5, gamma: 1.8, ..Display::default() },
        Display { colour_map: ColourMap::Viridis, ..Display::default() },
    ];
    for (seed, channels) in KINDS.into_iter().enumerate() {
        let image = covered(&random_image(5 * seed as u64, size(57, 43), channels));
        let chains = STEPS.into_iter().map(before).chain(steps_after().map(after));
        for filters in chains {
            for display in displays {
                for format in [PixelFormat::TEXTURE, PixelFormat::file(Depth::EIGHT), PixelFormat::file(Depth::SIXTEEN)]
                {
                    let view = View::new([0.3, -0.7], 0.6).expect("a view");
                    let request =
                        RenderRequest { view, filters: filters.clone(), display, ..RenderRequest::new(size(83, 62)) };
                    render(&mut *backend, &image, &request, format).expect("served");
                    testing::poison(&mut backend).expect("a device that works");
                    let got = render(&mut *backend, &image, &request, format).expect("served");
                    let expected = render(&mut CpuBackend::new(), &image, &request, format).expect("served");
                    let worst = largest_step(&got, &expected);
                    // Near black a gamma is steep, and a colour map's own steps are coarser than sixteen bits.
                    let most = if format.depth == Depth::SIXTEEN { 400.0 } else { 1.0 };
                    assert!(worst <= most, "{channels:?} {format:?}: {worst} steps apart: {request:#?}");
                }
            }
        }
    }
}

/// A backend that has rendered something else before gives the same: nothing kept is mistaken for another.
#[test]
fn kept_planes_follow_parameters_and_edges() {
    let Some(mut backend) = cuda() else { return };
    let image = random_image(3, size(30, 20), Channels::Grey);
    let samplers = [(0.0, false), (0.5, false), (0.5, true)].map(|(border, prefilter)| Sampler {
        address: [AddressMode::Border; 2],
        border,
        prefilter,
        ..Sampler::default().with_method(Method::BSPLINE)
    });
    for _ in 0..2 {
        for text in ["gaussian=2", "gaussian=3", "gamma=2", "gamma=2;gaussian=2", "none", "gaussian=2,off"] {
            for sampler in samplers {
                let request = RenderRequest { sampler, ..whole(&image, before(text)) };
                let error = error(&mut backend, &image, &request);
                assert!(error <= 2.0 * TOLERANCE, "{text} {sampler:?}: {error:e}");
            }
        }
    }
}

/// NaN and infinities are where the CPU has them.
#[test]
fn not_finite_samples_spread_as_on_the_cpu() {
    let Some(mut backend) = cuda() else { return };
    let side = 41;
    for channels in KINDS {
        for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let count = channels.count() as u32;
            let mut values: Vec<f32> = (0..side * side * count).map(|k| (1 + k % 7) as f32 / 7.0).collect();
            values[(side * side / 2 * count) as usize] = odd;
            let image = image(size(side, side), channels, Samples::F32(values));
            for text in STEPS {
                // Nearest: any other method adds what is not finite to its neighbours, if with a weight of 0.
                let sampler = Sampler::default().with_method(Method::Nearest);
                let request = RenderRequest { sampler, ..whole(&image, before(text)) };
                let [expected, got] = [&mut CpuBackend::new() as &mut dyn Backend, &mut *backend]
                    .map(|backend| float_values(backend, &image, &request));
                for (k, (a, b)) in expected.iter().zip(&got).enumerate() {
                    let same = a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan() || (a - b).abs() < 1e-4;
                    assert!(same, "{text} {channels:?} {odd} at {k}: {b} is not {a}");
                }
            }
        }
    }
}

/// Every filter, and the sampling kernels that take any shape, in every shape of blocks that a sweep has.
#[test]
fn shapes_of_blocks_change_no_value() {
    let Some(mut backend) = cuda() else { return };
    for (seed, channels) in [(0, Channels::Grey), (7, Channels::Rgba)] {
        let image = random_image(seed, size(131, 77), channels);
        let filtered = STEPS.iter().map(|text| whole(&image, before(text)));
        let looked_up = [SamplingPath::Lookup, SamplingPath::Filtered].map(|path| {
            let sampler = Sampler { path, ..Sampler::default().with_method(Method::CATMULL_ROM) };
            let view = View::new([1.0, 2.0], 0.7).expect("a view");
            RenderRequest { view, sampler, ..whole(&image, Filters::default()) }
        });
        for request in filtered.chain(looked_up) {
            let expected = float_values(&mut *backend, &image, &request);
            for shape in BLOCK_SHAPES {
                let Shape::Block { width, height } = shape else { continue };
                // Another page of the same samples, so that nothing kept is shown instead.
                let raster = image.pages()[0].raster();
                let again = crate::cases::image(raster.size(), channels, raster.samples().clone());
                testing::set_block_shape(&mut backend, Some([width, height]));
                let got = float_values(&mut *backend, &again, &request);
                testing::set_block_shape(&mut backend, None);
                for (a, b) in expected.iter().zip(&got) {
                    assert!((a - b).abs() <= 1e-6, "{shape}: {b} is not {a}: {request:#?}");
                }
            }
        }
    }
}

/// The host fills holes; the device applies what comes after, and keeps the planes apart.
#[test]
fn chains_around_inpainting_agree_and_are_kept_apart() {
    let Some(mut backend) = cuda() else { return };
    for (seed, channels) in KINDS.into_iter().enumerate() {
        let image = covered(&random_image(seed as u64, size(61, 45), channels));
        for _ in 0..2 {
            for text in [
                "inpaint=[9,8,30,20],membrane",
                "inpaint=[9,8,30,20]",
                "inpaint=[9,8,31,20]",
                "gaussian=1;inpaint=[9,8,30,20],membrane;gaussian=2;gamma=2",
                "inpaint=[0,0,4,4];negative;inpaint=[20,20,9,9],membrane",
                "gaussian=2;gamma=2",
            ] {
                for border in [0.0, 0.75] {
                    let address = [AddressMode::Border, AddressMode::Mirror];
                    let sampler = Sampler { address, border, ..Sampler::default().with_method(Method::CATMULL_ROM) };
                    let view = View::new([0.3, -0.7], 0.6).expect("a view");
                    let request = RenderRequest { view, sampler, ..whole(&image, before(text)) };
                    let error = error(&mut backend, &image, &request);
                    assert!(error <= 4.0 * TOLERANCE, "{text} {channels:?}: {error:e}");
                }
            }
        }
    }
}

/// Document 004's passes, which the block sweep times: the same values in every block shape.
#[test]
fn transposing_passes_agree_with_the_reference() {
    let Some(mut backend) = cuda() else { return };
    for (kind, [width, height]) in [(0, [61, 40]), (1, [33, 80]), (2, [5, 3]), (3, [150, 9])] {
        let image = random_image(kind, size(width, height), Channels::Grey);
        for text in ["gaussian=0.8", "gaussian=2.5,0.6", "gaussian=2,0", "gaussian=9,9,5", "gaussian=12"] {
            let request = RenderRequest { filters: before(text), ..RenderRequest::new(size(width, height)) };
            let expected = reference::values(&image, &request).expect("a request that is served");
            let parameters = chain(text).0[0].parameters().to_vec();
            for block in [None, Some([128, 1]), Some([8, 8])] {
                testing::set_block_shape(&mut backend, block);
                let got = testing::transposed_values(&mut backend, &image, &parameters).expect("a device that works");
                assert_eq!(got.len(), expected.len());
                for (got, expected) in got.iter().zip(&expected) {
                    assert!(
                        (f64::from(*got) - expected).abs() <= TOLERANCE,
                        "{text} {block:?}: {got} is not {expected}"
                    );
                }
            }
        }
    }
    testing::set_block_shape(&mut backend, None);
}

/// The window's four panels have chains of their own; each keeps its own.
#[test]
fn order_matters_and_panning_changes_nothing_that_stays_in_sight() {
    let Some(mut backend) = cuda() else { return };
    let image = random_image(2, size(60, 44), Channels::Rgb);
    let shown = |backend: &mut CudaBackend, filters: &Filters, translation: [f64; 2]| {
        let view = View::new(translation, 0.5).expect("a view");
        let request = RenderRequest { view, filters: filters.clone(), ..RenderRequest::new(size(40, 30)) };
        float_values(backend, &image, &request)
    };
    assert_ne!(
        shown(&mut backend, &before("gaussian;gamma"), [0.0; 2]),
        shown(&mut backend, &before("gamma;gaussian"), [0.0; 2])
    );
    for row in FILTERS.iter().filter(|row| row.filter.serves(Stage::After)) {
        let filters = Filters { after: Chain(vec![Step::default_of(row.filter)]), ..Filters::default() };
        // Four samples are eight pixels.
        let (here, there) = (shown(&mut backend, &filters, [0.0, 0.0]), shown(&mut backend, &filters, [4.0, 0.0]));
        for (a, b) in here.chunks_exact(120).zip(there.chunks_exact(120)) {
            assert!(a[24..].iter().zip(&b[..96]).all(|(a, b)| (a - b).abs() <= 1e-6), "{}", row.name);
        }
    }
}
