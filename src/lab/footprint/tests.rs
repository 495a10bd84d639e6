//! Footprints against the CPU backend, and against sums by hand.

use super::source::testing::{kernels, requests};
use super::*;
use crate::backend::{CpuBackend, Display, PixelFormat, PreparedCache, device_kernel, render};
use crate::image::{Depth, Image, Raster, Samples, Size};
use crate::sampling::{ADDRESS_MODES, Method, SAMPLING_PATHS, SamplingPath, samples_of_methods};
use crate::test_support::size;
use crate::view::View;

/// Noise of any channels and depth.
fn noise(random: &mut fastrand::Rng, side: Size, channels: Channels) -> Image {
    let len = side.area() * channels.count();
    let samples = match random.u8(..3) {
        0 => Samples::U8 { values: (0..len).map(|_| random.u8(..)).collect(), maxval: 255 },
        1 => Samples::U16 { values: (0..len).map(|_| random.u16(..1024)).collect(), maxval: 1023 },
        _ => Samples::F32((0..len).map(|_| random.f32()).collect()),
    };
    Image::new("noise", vec![Page::new(Raster::new(side, channels, samples).expect("a raster"))]).expect("an image")
}

fn footprint(image: &Image, request: &RenderRequest, pixel: [i64; 2]) -> Footprint {
    let page = &image.pages()[request.page];
    let prepared = PreparedCache::default().get(page, request);
    Footprint::new(&prepared, page, request, pixel).unwrap_or_else(|error| panic!("{request:?}: {error}"))
}

fn random_view(random: &mut fastrand::Rng, zooms_out: bool, angle_deg: f64) -> View {
    let scale = if zooms_out { 1.0 + 3.0 * random.f64() } else { 0.05 + random.f64() };
    let translation = [random.f64() * 16.0 - 8.0, random.f64() * 16.0 - 8.0];
    View::new(translation, scale).and_then(|view| view.rotated(angle_deg)).expect("a view")
}

/// All requests of every method, path, address mode and switch, on random views of a page of `channels`.
fn all_requests(random: &mut fastrand::Rng, method: Method) -> Vec<RenderRequest> {
    let mut requests = Vec::new();
    for path in SAMPLING_PATHS.iter().map(|row| row.path) {
        for address in ADDRESS_MODES.iter().map(|row| row.address) {
            for switches in 0..8 {
                let [prefilter, antialias, is_turned] = [1, 2, 4].map(|bit| switches & bit != 0);
                let angle_deg = if is_turned { random.f64() * 360.0 } else { 0.0 };
                let view = random_view(random, antialias, angle_deg);
                let sampler = Sampler {
                    method,
                    address: [address; 2],
                    border: 0.25,
                    path,
                    prefilter,
                    antialias,
                    ..Sampler::default()
                };
                requests.push(RenderRequest { view, sampler, ..RenderRequest::new(size(24, 19)) });
            }
        }
    }
    requests
}

#[test]
fn total_of_a_footprint_equals_the_pixel_of_the_cpu_backend() {
    let mut random = fastrand::Rng::with_seed(41);
    let mut backend = CpuBackend::new();
    let (mut count, mut filtered) = (0, 0);
    for method in samples_of_methods() {
        for request in all_requests(&mut random, method) {
            let channels = [Channels::Grey, Channels::GreyAlpha, Channels::Rgb, Channels::Rgba][random.usize(..4)];
            let image = noise(&mut random, size(21, 17), channels);
            if request.check(&image.pages()[0]).is_err() {
                continue;
            }
            let picture = render(&mut backend, &image, &request, PixelFormat::file(Depth::Float)).expect("a picture");
            for _ in 0..3 {
                let pixel = [random.u32(..24), random.u32(..19)];
                let footprint = footprint(&image, &request, pixel.map(i64::from));
                let shown = Shown::new((&footprint.total, None), channels, &request.display, 255);
                // A colour is a quotient of premultiplied values: its error grows as alpha falls.
                let alpha = if channels.has_alpha() { footprint.total[channels.count() - 1].abs() } else { 1.0 };
                for (channel, &value) in shown.straight.iter().enumerate() {
                    let rendered = f64::from(picture.number(pixel[0], pixel[1], channel));
                    let is_colour = channels.has_alpha() && channel + 1 < channels.count();
                    let most = if is_colour { 2e-6 * (1.0 + value.abs()) / alpha } else { 2e-6 };
                    let error = (value - rendered).abs();
                    assert!(error <= most, "{request:?} {channels:?} at {pixel:?}: {value} {rendered}");
                }
                count += 1;
                filtered += usize::from(!footprint.axes[0].fetches.is_empty());
            }
        }
    }
    assert!(count > 8000 && filtered > 300, "{count} pixels, {filtered} of them by the texture unit's weights");
}

#[test]
fn shown_numbers_of_a_footprint_equal_the_bytes_of_the_cpu_backend() {
    let mut random = fastrand::Rng::with_seed(42);
    let mut backend = CpuBackend::new();
    for case in 0..400 {
        let channels = [Channels::Grey, Channels::GreyAlpha, Channels::Rgb, Channels::Rgba][case % 4];
        let image = noise(&mut random, size(21, 17), channels);
        let maps = &crate::backend::COLOUR_MAPS;
        let display = Display {
            exposure: random.f32() * 2.0 - 1.0,
            offset: random.f32() * 0.2 - 0.1,
            gamma: 0.5 + random.f32(),
            window: [random.f32() * 0.2, 0.7 + random.f32()],
            colour_map: maps[random.usize(..maps.len())].colour_map,
            absolute: random.bool(),
        };
        let method = [Method::CATMULL_ROM, Method::Linear, Method::LANCZOS3][random.usize(..3)];
        let view = random_view(&mut random, false, 0.0);
        let sampler = Sampler::default().with_method(method);
        let mut request = RenderRequest { view, sampler, display, ..RenderRequest::new(size(24, 19)) };
        let other = RenderRequest { sampler: Sampler::default(), display: Display::default(), ..request.clone() };
        request.subtract = random.bool().then(|| Box::new(other));
        let picture = render(&mut backend, &image, &request, PixelFormat::file(Depth::EIGHT)).expect("a picture");
        let pixel = [random.u32(..24), random.u32(..19)];
        let footprint = footprint(&image, &request, pixel.map(i64::from));
        let subtracted = request.subtract.as_ref().map(|other| self::footprint(&image, other, pixel.map(i64::from)));
        let subtracted = subtracted.as_ref().map(|other| other.total.as_slice());
        let shown = Shown::new((&footprint.total, subtracted), channels, &display, 255);
        let mut numbers = shown.numbers.iter();
        for channel in 0..picture.channels().count() {
            let number = f64::from(*numbers.next().expect("a number for each channel"));
            let rendered = f64::from(picture.number(pixel[0], pixel[1], channel));
            // Single precision may round to the neighbour of a number halfway between two.
            assert!((number - rendered).abs() <= 1.0, "{request:?} {channels:?}: {number} {rendered}");
        }
    }
}

/// x = 1.25 between 10, 20, 30 and 40: Catmull-Rom's weights at ¼ are −9/128, 111/128, 29/128 and −3/128.
#[test]
fn catmull_rom_of_four_samples_is_the_sum_by_hand() {
    let raster = Raster::new(size(4, 1), Channels::Grey, Samples::U8 { values: vec![10, 20, 30, 80], maxval: 255 });
    let image = Image::new("row", vec![Page::new(raster.expect("a raster"))]).expect("an image");
    let view = View::new([0.25, 0.0], 1.0).expect("a view");
    let sampler = Sampler::default().with_method(Method::CATMULL_ROM);
    let request = RenderRequest { view, sampler, ..RenderRequest::new(size(4, 1)) };
    let found = footprint(&image, &request, [1, 0]);
    let weights: Vec<f64> = found.axes[0].taps.iter().map(|tap| tap.weight * 128.0).collect();
    assert_eq!(weights, [-9.0, 111.0, 29.0, -3.0]);
    let by_hand = (-9.0 * 10.0 + 111.0 * 20.0 + 29.0 * 30.0 - 3.0 * 80.0) / 128.0;
    assert!((found.total[0] * 255.0 - by_hand).abs() < 1e-12, "{} {by_hand}", found.total[0] * 255.0);
    let shown = Shown::new((&found.total, None), Channels::Grey, &request.display, 255);
    assert_eq!(shown.numbers, [22]);
    let notation = Notation::new(255.0);
    let explained = Explained { footprint: &found, request: &request, page: size(4, 1), shown: Some(&shown), notation };
    assert_eq!(found.header(), "x = 1.2500, m = 1, α = 0.2500 · y = 0.0000, n = 0, β = 0.0000");
    let lines = |step| explained.lines(step, None);
    assert_eq!(lines(StepKind::Position)[0], "x = (1 − 4/2)·1 + 4/2 + 0.25 = 1.25");
    assert_eq!(lines(StepKind::Fraction)[0], "m = ⌊x⌋ = 1, α = x − m = 0.25");
    assert_eq!(lines(StepKind::Weights)[0], "w(x − k), k = 0 … 3: −0.0703, +0.8672, +0.2266, −0.0234; sum +1.0000");
    assert_eq!(lines(StepKind::Indices)[0], "k_x = 0, 1, 2, 3: all within 0 … 3");
    assert_eq!(lines(StepKind::Indices)[1], "k_y = −1, 0, 1, 2 → 0, 0, 0, 0 (clamp)");
    assert_eq!(lines(StepKind::Rows)[1], "row 0: −0.070·10 +0.867·20 +0.227·30 −0.023·80 = 21.56");
    assert_eq!(lines(StepKind::Sum)[0], "+0.000·21.56 +1.000·21.56 +0.000·21.56 +0.000·21.56 = 21.56");
    assert_eq!(lines(StepKind::Display), ["21.56 → rounded 22"]);
}

#[test]
fn address_modes_give_the_indices_of_their_definition() {
    let raster = Raster::new(size(3, 1), Channels::Grey, Samples::U8 { values: vec![1, 2, 4], maxval: 4 });
    let image = Image::new("row", vec![Page::new(raster.expect("a raster"))]).expect("an image");
    let expected: [[Option<i64>; 4]; 4] = [
        [Some(0), Some(0), Some(0), Some(1)],
        [None, None, Some(0), Some(1)],
        [Some(1), Some(2), Some(0), Some(1)],
        [Some(1), Some(0), Some(0), Some(1)],
    ];
    for (row, expected) in ADDRESS_MODES.iter().zip(expected) {
        let sampler = Sampler { address: [row.address; 2], ..Sampler::default() }.with_method(Method::BSPLINE);
        let view = View::new([-0.5, 0.0], 1.0).expect("a view");
        let request = RenderRequest { sampler, view, ..RenderRequest::new(size(3, 1)) };
        let taps = footprint(&image, &request, [0, 0]).axes[0].taps.clone();
        assert_eq!(taps.iter().map(|tap| tap.index).collect::<Vec<_>>(), [-2, -1, 0, 1]);
        assert_eq!(taps.iter().map(|tap| tap.resolved).collect::<Vec<_>>(), expected, "{}", row.name);
    }
}

#[test]
fn fetches_blend_the_taps_by_fractions_of_a_256th() {
    let mut random = fastrand::Rng::with_seed(43);
    let image = noise(&mut random, size(21, 17), Channels::Grey);
    let filtered = [(Method::Nearest, 1), (Method::Linear, 1), (Method::BSPLINE, 2), (Method::CATMULL_ROM, 3)]
        .map(|(method, fetches)| (method, SamplingPath::Filtered, fetches));
    for (method, path, fetches) in filtered.into_iter().chain([(Method::BSPLINE, SamplingPath::FilteredTable, 2)]) {
        for _ in 0..100 {
            let sampler = Sampler { method, path, ..Sampler::default() };
            let view = random_view(&mut random, false, 0.0);
            let request = RenderRequest { sampler, view, ..RenderRequest::new(size(24, 19)) };
            let found = footprint(&image, &request, [random.i64(0..24), 3]);
            for axis in &found.axes {
                assert_eq!(axis.fetches.len(), fetches, "{method}");
                // g·(1 − α) and g·α of every fetch are the weights of its taps, and no tap is left out.
                let mut weights = Vec::new();
                for fetch in &axis.fetches {
                    assert!((fetch.fixed_fraction * 256.0).fract() == 0.0);
                    assert!((fetch.fixed_fraction - fetch.fraction).abs() <= 0.5 / 256.0);
                    assert_eq!(fetch.position, axis.taps[fetch.first].index as f64 + fetch.fraction);
                    weights.push(fetch.weight * (1.0 - fetch.fixed_fraction));
                    if fetch.count == 2 {
                        weights.push(fetch.weight * fetch.fixed_fraction);
                    }
                }
                assert_eq!(weights.len(), axis.taps.len(), "{method}");
                for (weight, tap) in weights.iter().zip(&axis.taps) {
                    assert!((weight - tap.weight).abs() < 1e-12, "{method}: {weight} {}", tap.weight);
                }
            }
        }
    }
}

#[test]
fn stems_of_the_chart_are_the_weights_and_lie_on_the_kernel() {
    let mut random = fastrand::Rng::with_seed(47);
    let image = noise(&mut random, size(21, 17), Channels::Grey);
    for method in samples_of_methods().into_iter().filter(|method| *method != Method::Nearest) {
        let sampler = Sampler::default().with_method(method);
        let view = random_view(&mut random, false, 0.0);
        let request = RenderRequest { sampler, view, ..RenderRequest::new(size(24, 19)) };
        let found = footprint(&image, &request, [3, 4]);
        let chart = found.chart();
        let [curve, x, y] = &chart.series[..] else { panic!("{:?}", chart.series) };
        for (stems, axis) in [x, y].into_iter().zip(&found.axes) {
            let mut expected: Vec<[f64; 2]> =
                axis.taps.iter().map(|tap| [axis.position - tap.index as f64, tap.weight]).collect();
            expected.reverse();
            assert_eq!(stems.points, expected, "{method}");
        }
        for [d, weight] in &x.points {
            let on_curve = crate::plots::Chart::value(&curve.points, *d).unwrap_or(0.0);
            // Straight lines between the points of the curve; a custom kernel may have steep ones.
            let slack = if matches!(method, Method::Custom(_)) { 0.05 } else { 2e-3 };
            assert!((on_curve - weight).abs() < slack, "{method} at {d}: {on_curve} {weight}");
        }
    }
}

#[test]
fn truth_and_kernels_beyond_the_limit_have_no_footprint() {
    let image = noise(&mut fastrand::Rng::with_seed(44), size(21, 17), Channels::Grey);
    let page = &image.pages()[0];
    let request = RenderRequest { content: Content::Truth, ..RenderRequest::new(size(8, 8)) };
    let prepared = PreparedCache::default().get(page, &request);
    assert_eq!(Footprint::new(&prepared, page, &request, [0, 0]), Err(NoFootprint::Truth));
    let sampler = Sampler { antialias: true, ..Sampler::default().with_method(Method::LANCZOS4) };
    let view = View::new([0.0; 2], 40.0).expect("a view");
    let wide = RenderRequest { sampler, view, ..RenderRequest::new(size(8, 8)) };
    assert_eq!(Footprint::new(&prepared, page, &wide, [0, 0]), Err(NoFootprint::TooWide { samples: 322 }));
}

#[test]
fn anchors_of_every_step_of_every_kernel_occur_once_and_enclose_lines() {
    let mut random = fastrand::Rng::with_seed(45);
    for channels in [Channels::Grey, Channels::Rgba] {
        let image = noise(&mut random, size(21, 17), channels);
        for (method, path) in [
            (Method::Nearest, SamplingPath::Filtered),
            (Method::Linear, SamplingPath::Filtered),
            (Method::BSPLINE, SamplingPath::Filtered),
            (Method::BSPLINE, SamplingPath::FilteredTable),
            (Method::LANCZOS3, SamplingPath::Auto),
        ] {
            let sampler = Sampler { method, path, ..Sampler::default() };
            let mut bases = vec![RenderRequest { sampler, ..RenderRequest::new(size(24, 19)) }];
            if path == SamplingPath::Auto {
                let sampler = Sampler { antialias: true, ..sampler };
                let view = View::new([0.0; 2], 2.0).expect("a view");
                bases.push(RenderRequest { sampler, view, ..RenderRequest::new(size(24, 19)) });
            }
            for base in bases {
                for request in requests(&base) {
                    let footprint = footprint(&image, &request, [3, 4]);
                    for kernel in kernels() {
                        for row in &STEPS {
                            let excerpt = Excerpt::of_step(row.step, kernel, &footprint, &request);
                            assert_eq!(excerpt.is_some(), row.step.is_of(&footprint), "{}", row.name);
                            let Some(excerpt) = excerpt else { continue };
                            assert_eq!(excerpt.count(), 1, "{} of {kernel:?}: {excerpt:?}", row.name);
                            let lines = excerpt.lines().unwrap_or_else(|| panic!("{excerpt:?} does not end"));
                            assert!(lines.end() - lines.start() < 60, "{excerpt:?}: {lines:?}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn sums_of_a_stretched_kernel_are_those_of_the_loops_that_serve_its_scale() {
    let mut random = fastrand::Rng::with_seed(46);
    let sampler = Sampler { antialias: true, ..Sampler::default().with_method(Method::LANCZOS3) };
    for (channels, scale, rows, sum) in [
        (Channels::Grey, 2.0, "columns.rs", "vertical.rs"),
        (Channels::Grey, 6.0, "dots.rs", "vertical.rs"),
        (Channels::Rgb, 6.0, "dots.rs", "vertical.rs"),
        (Channels::Grey, 20.0, "wide.rs", "wide.rs"),
        (Channels::Grey, 0.5, "columns.rs", "vertical.rs"),
    ] {
        let image = noise(&mut random, size(200, 160), channels);
        let view = View::new([0.0; 2], scale).expect("a view");
        let request = RenderRequest { sampler, view, ..RenderRequest::new(size(24, 19)) };
        let footprint = footprint(&image, &request, [3, 4]);
        let file = |step| Excerpt::of_step(step, None, &footprint, &request).map(|excerpt| excerpt.file.name());
        assert_eq!([file(StepKind::Rows), file(StepKind::Sum)], [Some(rows), Some(sum)], "{channels:?} at {scale}");
    }
}

#[test]
fn embedded_sources_are_the_files_of_their_paths() {
    for row in &SOURCE_FILES {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(row.path);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", row.path));
        assert!(text.starts_with(&row.file.lines().join("\n")), "{}", row.path);
    }
}

#[test]
fn known_kernels_are_those_of_the_plan() {
    use crate::backend::{DeviceKernelKind as Kind, DeviceWeights as Weights};
    let image = noise(&mut fastrand::Rng::with_seed(46), size(64, 64), Channels::Rgb);
    let page = &image.pages()[0];
    let kernel = |method, path, (scale, angle_deg): (f64, f64), antialias| {
        let view = View::new([0.0; 2], scale).and_then(|view| view.rotated(angle_deg)).expect("a view");
        let sampler = Sampler { method, path, antialias, ..Sampler::default() };
        let request = RenderRequest { view, sampler, ..RenderRequest::new(size(64, 64)) };
        device_kernel(page, &request).map(|kernel| (kernel.kind, kernel.weights))
    };
    let filtered = kernel(Method::CATMULL_ROM, SamplingPath::Filtered, (0.5, 0.0), false);
    assert_eq!(filtered, Some((Kind::Filtered, Weights::Symmetric)));
    let table = kernel(Method::BSPLINE, SamplingPath::FilteredTable, (0.5, 0.0), false);
    assert_eq!(table, Some((Kind::Filtered, Weights::LookUpTable)));
    let passes = kernel(Method::LANCZOS3, SamplingPath::Auto, (3.0, 0.0), true);
    assert_eq!(passes, Some((Kind::Passes, Weights::Curve)));
    let columns = kernel(Method::LANCZOS3, SamplingPath::Auto, (1.0, 0.0), false);
    let tiled = kernel(Method::LANCZOS3, SamplingPath::Tiled, (0.5, 0.0), false);
    let points = kernel(Method::BSPLINE, SamplingPath::Auto, (0.5, 20.0), false);
    if cfg!(feature = "cuda") {
        assert_eq!(columns, Some((Kind::Columns, Weights::Lanczos)));
        assert_eq!(tiled, Some((Kind::Tiled, Weights::Lanczos)));
        assert_eq!(points, Some((Kind::Points, Weights::Symmetric)));
    } else {
        assert_eq!((columns, tiled, points), (None, None, None), "the plan is not built in");
    }
}
