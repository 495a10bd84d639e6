//! Truth and error metrics: against scikit-image's numbers (tests/golden/metrics.txt, made by make_metrics.py beside it),
//! closed forms, and the definitions of positions.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::f64::consts::PI;
use std::sync::Arc;
use std::time::Duration;

use lerpscope::backend::{Backend as _, Content, CpuBackend, PixelFormat, ReferenceBackend, RenderRequest, render};
use lerpscope::filter::{ExecOptions, Filters, WorkProgress};
use lerpscope::image::synth::SYNTHS;
use lerpscope::image::{Channels, Depth, Formula, Image, Page, Parallelogram, Raster, Samples, Size, Truth};
use lerpscope::quality::{
    CompareError, Counted, DECIMATIONS, DecimateError, Decimated, Decimation, Metrics, compare, truth,
};
use lerpscope::sampling::{Method, Sampler};
use lerpscope::view::View;

fn size(width: u32, height: u32) -> Size {
    Size::new(width, height).unwrap()
}

/// Floats of `value(x, y, channel)`.
fn raster(size: Size, channels: Channels, value: impl Fn(u32, u32, u32) -> f64) -> Raster {
    let count = channels.count() as u32;
    let pixels = (0..size.height()).flat_map(|y| (0..size.width()).map(move |x| (x, y)));
    let values = pixels.flat_map(|(x, y)| (0..count).map(move |c| (x, y, c)));
    let values = values.map(|(x, y, c)| value(x, y, c) as f32).collect();
    Raster::new(size, channels, Samples::F32(values)).unwrap()
}

fn grey(size: Size, value: impl Fn(f64, f64) -> f64) -> Raster {
    raster(size, Channels::Grey, |x, y, _| value(f64::from(x), f64::from(y)))
}

/// The same numbers as `numbers` in make_metrics.py.
fn number(x: u32, y: u32, c: u32) -> f64 {
    f64::from((x * 73 + y * 151 + x * y * 37 + c * 59 + 11) % 256)
}

/// The same pictures as `pictures` in make_metrics.py.
fn pictures(kind: &str, size: Size, channels: Channels) -> [Raster; 2] {
    let noise = |x, y, c| (number(x, y, c) - 40.0) / 128.0;
    let ramp = |x, y, c| f64::from((3 * x + 5 * y + 7 * c) % 192) / 128.0;
    match kind {
        "noise" => [raster(size, channels, noise), raster(size, channels, ramp)],
        "close" => {
            let close = |x, y, c| ramp(x, y, c) + (number(x, y, c) % 8.0 - 4.0) / 128.0;
            [raster(size, channels, close), raster(size, channels, ramp)]
        }
        "flat" => [raster(size, channels, |_, _, _| 0.5), raster(size, channels, noise)],
        other => panic!("{other}"),
    }
}

/// The pixels of a rectangle: the identity view of an image that covers it.
fn rectangle(of: Size, [left, top]: [u32; 2], counted: Size) -> Counted {
    let sides = of.sides().into_iter().zip(counted.sides()).zip([left, top]);
    let translation: Vec<f64> =
        sides.map(|((whole, part), from)| (f64::from(whole) - f64::from(part)) / 2.0 - f64::from(from)).collect();
    let view = View::new([translation[0], translation[1]], 1.0).unwrap();
    Counted::between_samples(&RenderRequest { view, ..RenderRequest::new(of) }, counted)
}

#[test]
fn metrics_equal_scikit_images_to_a_millionth() {
    let mut count = 0;
    for line in include_str!("golden/metrics.txt").lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        let whole = |index: usize| words[index].parse::<u32>().unwrap();
        let (all, channels) = (size(whole(2), whole(3)), if whole(4) == 1 { Channels::Grey } else { Channels::Rgb });
        let [picture, exact] = pictures(words[1], all, channels);
        let counted = rectangle(all, [whole(5), whole(6)], size(whole(7), whole(8)));
        assert_eq!(counted.count() as u32, whole(7) * whole(8), "{line}");
        let Metrics { psnr_db, rms, max, ssim } = compare(&picture, &exact, &counted).unwrap();
        let ours = [psnr_db, rms, max, ssim.unwrap()];
        for (ours, theirs) in ours.into_iter().zip(&words[9..]) {
            assert!((ours - theirs.parse::<f64>().unwrap()).abs() < 1e-9, "{ours} is not {theirs}: {line}");
        }
        count += 1;
    }
    assert_eq!(count, 36);
}

#[test]
fn metrics_of_known_errors_equal_their_closed_forms() {
    let all = size(64, 32);
    let exact = grey(all, |x, y| (x + y) / 128.0);
    let counted = Counted::all(all);
    let same = compare(&exact, &exact, &counted).unwrap();
    assert_eq!(same, Metrics { psnr_db: f64::INFINITY, rms: 0.0, max: 0.0, ssim: Some(1.0) });
    let shifted = compare(&grey(all, |x, y| (x + y + 16.0) / 128.0), &exact, &counted).unwrap();
    assert_eq!((shifted.rms, shifted.max), (0.125, 0.125));
    assert!((shifted.psnr_db - 20.0 * 8.0_f64.log10()).abs() < 1e-12, "{shifted:?}");
    // Eight whole periods of a wave of amplitude ¼.
    let wave = grey(all, |x, y| (x + y) / 128.0 + 0.25 * (PI * x / 4.0).sin());
    let of_wave = compare(&wave, &exact, &counted).unwrap();
    assert!((of_wave.rms - 0.25 / 2.0_f64.sqrt()).abs() < 1e-7 && (of_wave.max - 0.25).abs() < 1e-7, "{of_wave:?}");
}

#[test]
fn metrics_of_integer_pictures_divide_by_maxval_and_leave_alpha_out() {
    let all = size(8, 8);
    let of = |values: Vec<u8>, maxval| Raster::new(all, Channels::GreyAlpha, Samples::U8 { values, maxval }).unwrap();
    let a = of([10, 7].repeat(64), 100);
    let b = of([60, 1].repeat(64), 200);
    let metrics = compare(&a, &b, &Counted::all(all)).unwrap();
    assert!((metrics.rms - 0.2).abs() < 1e-15 && (metrics.max - 0.2).abs() < 1e-15, "{metrics:?}");
}

#[test]
fn pictures_without_a_common_pixel_are_not_compared() {
    let (all, other) = (size(8, 8), size(8, 9));
    let flat = |size| grey(size, |_, _| 0.5);
    let shape = compare(&flat(all), &flat(other), &Counted::all(other)).unwrap_err();
    assert!(matches!(shape, CompareError::Shape(..)), "{shape}");
    let view = View::new([100.0, 0.0], 1.0).unwrap();
    let outside = Counted::between_samples(&RenderRequest { view, ..RenderRequest::new(all) }, all);
    assert_eq!(compare(&flat(all), &flat(all), &outside), Err(CompareError::NothingCounted));
    // Seven columns count, six rows: no window of 7 × 7.
    let narrow = rectangle(all, [0, 0], size(7, 6));
    assert_eq!(compare(&flat(all), &flat(all), &narrow).unwrap().ssim, None);
}

/// With θ = 0 a whole number of samples from the first to the last counts; the outermost samples count themselves.
#[test]
fn counted_pixels_are_those_between_the_outermost_samples() {
    for (scale, expected) in [(1.0, 20 * 10), (0.5, 39 * 19), (1.0 / 3.0, 58 * 28), (2.0, 10 * 5)] {
        let view = View::new([0.0; 2], scale).unwrap();
        let output = size((20.0 / scale) as u32, (10.0 / scale) as u32);
        let counted = Counted::between_samples(&RenderRequest { view, ..RenderRequest::new(output) }, size(20, 10));
        assert_eq!(counted.count(), expected, "{scale}");
    }
    // Turned by 45° about the centre, an image of 101 × 101 samples fills a square of diagonal 100·√2 in the output.
    let view = View::new([-0.5; 2], 1.0).and_then(|view| view.rotated(45.0)).unwrap();
    let counted =
        Counted::between_samples(&RenderRequest { view, ..RenderRequest::new(size(200, 200)) }, size(101, 101));
    assert!((counted.count() as f64 - 100.0 * 100.0).abs() < 150.0, "{}", counted.count());
}

fn formula(text: &str) -> Formula {
    text.parse().unwrap()
}

#[test]
fn truth_is_the_formulas_value_at_each_position_or_its_mean_under_antialiasing() {
    let output = size(30, 20);
    for row in &SYNTHS {
        let formula = Formula::new(row.synth, size(64, 48)).unwrap();
        for (scales, angle_deg, antialias) in [
            ([0.25; 2], 0.0, true),
            ([2.5; 2], 0.0, false),
            ([2.5; 2], 0.0, true),
            ([1.5; 2], 30.0, true),
            ([1.5, 3.0], 0.0, true),
            ([1.5, 3.0], 90.0, true),
            ([0.5, 2.0], 0.0, true),
            ([1.5, 3.0], 30.0, true),
            ([0.5, 2.0], 30.0, true),
        ] {
            let view = View::new([3.25, -7.5], 1.0).and_then(|view| view.scaled(scales)?.rotated(angle_deg)).unwrap();
            let sampler = Sampler { antialias, ..Sampler::default() };
            let request = RenderRequest { view, sampler, ..RenderRequest::new(output) };
            let counted = Counted::all(output);
            let picture = truth(&formula.page(), &request, &counted, &ExecOptions::default()).unwrap();
            for (i, j) in [(0, 0), (29, 0), (13, 7), (4, 19)] {
                let [u, v] = [f64::from(i) - 15.0, f64::from(j) - 10.0];
                let (sin, cos): (f64, f64) =
                    if angle_deg == 90.0 { (1.0, 0.0) } else { angle_deg.to_radians().sin_cos() };
                let [across, down] = scales;
                let x = across * (u * cos - v * sin) + 32.0 + 3.25;
                let y = down * (u * sin + v * cos) + 24.0 - 7.5;
                // The mean along the axes of the image that zoom out.
                let [wide, tall] = scales.map(|scale| if antialias && scale > 1.0 { scale } else { 0.0 });
                let sides = [[wide * cos, tall * sin], [-wide * sin, tall * cos]];
                for channel in 0..formula.channels().count() {
                    let value = formula.mean_of(channel, &Parallelogram::new([x, y], sides));
                    let drawn = f64::from(picture.number(i, j, channel));
                    assert!((drawn - value).abs() < 1e-6, "{}: {drawn} at {x}, {y}, not {value}", row.name);
                }
            }
        }
    }
}

fn floats(image: &Image, request: &RenderRequest) -> Raster {
    render(&mut CpuBackend::new(), image, request, PixelFormat::file(Depth::Float)).unwrap()
}

/// At every second pixel linear interpolation is exact; between samples it replaces cos(ωx) by cos(ω/2)·cos(ωx).
#[test]
fn error_of_linear_interpolation_of_a_wave_equals_its_closed_form() {
    let (samples, output) = (size(33, 9), size(64, 16));
    let omega = PI / 4.0;
    let image = Image::of_page("wave", Page::new(grey(samples, |x, _| 0.5 + 0.5 * (omega * x).cos())));
    let view = View::new([-0.5; 2], 0.5).unwrap();
    let request = RenderRequest { view, ..RenderRequest::new(output) };
    let map = view.image_from_output(output, samples);
    let exact = grey(output, |i, j| 0.5 + 0.5 * (omega * map.at([i, j])[0]).cos());
    let metrics = compare(&floats(&image, &request), &exact, &Counted::between_samples(&request, samples)).unwrap();
    // cos² of eight midpoints a period has the mean ½; half of the pixels are midpoints.
    let expected = 0.5 * (1.0 - (omega / 2.0).cos()) / 2.0;
    assert!((metrics.rms - expected).abs() < 1e-6, "{metrics:?}, not {expected}");
}

/// The order that approximation theory gives, at low and at high frequencies of the plate.
#[test]
fn zone_plate_ranks_prefiltered_bspline_catmull_rom_linear_nearest() {
    let formula = formula("synth:zone-plate:256x256");
    let image = Image::of_page("plate", formula.page());
    for translation in [[0.0; 2], [100.0; 2]] {
        let view = View::new(translation, 0.125).unwrap();
        let methods = [Method::BSPLINE, Method::CATMULL_ROM, Method::Linear, Method::Nearest];
        let psnr = methods.map(|method| {
            let sampler = Sampler { method, prefilter: true, ..Sampler::default() };
            let request = RenderRequest { view, sampler, ..RenderRequest::new(formula.size()) };
            let counted = Counted::between_samples(&request, formula.size());
            let exact = truth(&image.pages()[0], &request, &counted, &ExecOptions::default()).unwrap();
            compare(&floats(&image, &request), &exact, &counted).unwrap().psnr_db
        });
        assert!(psnr.windows(2).all(|pair| pair[0] > pair[1] + 1.0), "{translation:?}: {psnr:?}");
    }
}

/// Zoomed out without antialiasing the plate aliases, with it the means are approximated.
#[test]
fn antialiased_views_are_closer_to_the_means_than_aliased_ones() {
    for name in ["zone-plate", "text", "slanted-edge"] {
        let formula = formula(&format!("synth:{name}:256x256"));
        let image = Image::of_page(name, formula.page());
        let view = View::new([0.0; 2], 4.0).unwrap();
        let sampler = Sampler { antialias: true, ..Sampler::default() };
        let request = RenderRequest { view, sampler, ..RenderRequest::new(size(64, 64)) };
        let counted = Counted::between_samples(&request, formula.size());
        let means = truth(&image.pages()[0], &request, &counted, &ExecOptions::default()).unwrap();
        let rms = |antialias| {
            let request = RenderRequest { sampler: Sampler { antialias, ..sampler }, ..request.clone() };
            compare(&floats(&image, &request), &means, &counted).unwrap().rms
        };
        assert!(rms(true) < 0.5 * rms(false), "{name}: {} and {}", rms(true), rms(false));
    }
}

#[test]
fn box_decimation_takes_the_mean_of_each_block_and_cuts_the_rest_off() {
    for (factor, width, height) in [(2, 9, 6), (3, 10, 11), (4, 17, 8)] {
        let values = |x: u32, y: u32, c: u32| number(x, y, c) / 256.0;
        let page = Page::new(raster(size(width, height), Channels::Rgb, values));
        let decimated = Decimated::new(&page, factor, Decimation::Box, &ExecOptions::default()).unwrap();
        let small = decimated.page.raster();
        assert_eq!(small.size(), size(width / factor, height / factor));
        assert_eq!(decimated.original, size(width / factor * factor, height / factor * factor));
        for k in 0..small.size().area() as u32 {
            let (column, row) = (k % small.size().width(), k / small.size().width());
            for c in 0..3 {
                let block =
                    (0..factor * factor).map(|i| values(column * factor + i % factor, row * factor + i / factor, c));
                let mean = block.sum::<f64>() / f64::from(factor * factor);
                assert!((f64::from(small.number(column, row, c as usize)) - mean).abs() < 2e-6, "{column}, {row}");
            }
        }
        let Some(Truth::Original(original)) = decimated.page.truth() else { panic!("no original") };
        assert_eq!((original.factor().get(), original.raster().number(1, 1, 2)), (factor, values(1, 1, 2) as f32));
    }
}

/// A ramp is kept by a symmetric filter and by linear interpolation: any error of the phase would shift it.
#[test]
fn decimated_ramp_interpolated_back_is_the_original() {
    for row in &DECIMATIONS {
        for factor in [2, 3, 5, 8] {
            let page = Page::new(grey(size(121, 97), |x, y| (2.0 * x + 3.0 * y) / 512.0));
            let Decimated { page, original: size, view } =
                Decimated::new(&page, factor, row.decimation, &ExecOptions::default()).unwrap();
            let (small, request) = (page.size(), RenderRequest { view, ..RenderRequest::new(size) });
            let original = truth(&page, &request, &Counted::all(size), &ExecOptions::default()).unwrap();
            let image = Image::of_page("decimated", page);
            let picture = floats(&image, &request);
            // Near the edges Lanczos reads repeated samples.
            let margin = if row.decimation == Decimation::Box { 0 } else { 4 };
            let is_far = |k: u32, len: u32| {
                let x = (f64::from(k) - (f64::from(factor) - 1.0) / 2.0) / f64::from(factor);
                x >= f64::from(margin) && x <= f64::from(len - 1 - margin)
            };
            let mut count = 0;
            for j in (0..original.size().height()).filter(|j| is_far(*j, small.height())) {
                for i in (0..original.size().width()).filter(|i| is_far(*i, small.width())) {
                    let error = picture.number(i, j, 0) - original.number(i, j, 0);
                    assert!(error.abs() < 4e-6, "{} by {factor} at {i}, {j}: {error}", row.name);
                    count += 1;
                }
            }
            assert!(count > 100, "{} by {factor}: {count}", row.name);
            if row.decimation == Decimation::Box {
                assert_eq!(Counted::between_samples(&request, small).count(), count);
            }
        }
    }
}

#[test]
fn decimation_by_less_than_2_or_more_than_the_shorter_side_is_refused() {
    let page = Page::new(grey(size(12, 5), |_, _| 0.0));
    for factor in [0, 1, 6, 12, u32::MAX] {
        let error = Decimated::new(&page, factor, Decimation::Box, &ExecOptions::default()).unwrap_err();
        assert!(matches!(error, DecimateError::Factor { .. }), "{error}");
        assert_eq!(error.to_string(), format!("an image of 12×5 is decimated by 2 to 5, not by {factor}"));
    }
    assert!(Decimated::new(&page, 5, Decimation::Lanczos, &ExecOptions::default()).is_ok());
}

#[test]
fn cancelled_truth_is_no_picture() {
    let work = ExecOptions::default();
    work.stop.cancel();
    let formula = formula("synth:basilica:64x64");
    let counted = Counted::all(formula.size());
    let error = truth(&formula.page(), &RenderRequest::new(formula.size()), &counted, &work).unwrap_err();
    assert_eq!(error.to_string(), "the work was given up");
}

#[test]
fn truth_of_pixels_that_do_not_count_is_left_out() {
    let (formula, output) = (formula("synth:slanted-edge:32x32"), size(60, 40));
    let (page, view) = (formula.page(), View::new([9.0, -4.0], 0.75).unwrap());
    let request = RenderRequest { view, ..RenderRequest::new(output) };
    let counted = Counted::between_samples(&request, formula.size());
    let work = ExecOptions::default();
    let whole = truth(&page, &request, &Counted::all(output), &work).unwrap();
    let part = truth(&page, &request, &counted, &work).unwrap();
    let mut left_out = 0;
    for (column, row) in (0..40).flat_map(|row| (0..60).map(move |column| (column, row))) {
        let is_counted = counted.row(row as usize)[column as usize];
        let expected = if is_counted { whole.number(column, row, 0) } else { 0.0 };
        assert_eq!(part.number(column, row, 0), expected, "{column}, {row}");
        assert!(whole.number(column, row, 0) > 0.0);
        left_out += usize::from(!is_counted);
    }
    assert!(left_out > 500 && counted.count() > 500, "{left_out}");
}

/// The means of a basilica over pixels of 4 × 4 samples take minutes. Half of the rows are far more than those that two
/// threads begin before they see the cancellation.
#[test]
fn truth_that_is_cancelled_on_its_way_leaves_out_the_rows_that_follow() {
    let formula = formula("synth:basilica:2048x2048");
    let sampler = Sampler { antialias: true, ..Sampler::default() };
    let request =
        RenderRequest { view: View::new([0.0; 2], 4.0).unwrap(), sampler, ..RenderRequest::new(size(512, 512)) };
    let image = Image::of_page("basilica", formula.page());
    let counted = Counted::all(request.size);
    let cancelled = |evaluate: &(dyn Fn(&ExecOptions) -> String + Sync)| {
        let progress = Arc::new(WorkProgress::default());
        let work = ExecOptions { progress: Some(Arc::clone(&progress)), ..ExecOptions::default() };
        let share = || progress.now().map_or(0.0, |stage| stage.share);
        std::thread::scope(|scope| {
            let evaluation = scope.spawn(|| evaluate(&work));
            while share() == 0.0 && !evaluation.is_finished() {
                std::thread::sleep(Duration::from_millis(1));
            }
            work.stop.cancel();
            assert_eq!(evaluation.join().unwrap(), "the work was given up");
        });
        assert!((0.0..0.5).contains(&share()), "{} of the rows", share());
    };
    cancelled(&|work| truth(&image.pages()[0], &request, &counted, work).unwrap_err().to_string());
    // The panel of the truth.
    let request = RenderRequest { content: Content::Truth, ..request.clone() };
    cancelled(&|work| {
        let mut backend = CpuBackend::new();
        backend.set_exec_options(work.clone());
        render(&mut backend, &image, &request, PixelFormat::TEXTURE).unwrap_err().to_string()
    });
}

/// A panel of the truth has the values that errors are measured against, on every backend.
#[test]
fn rendered_truth_equals_the_truth_of_metrics() {
    let output = size(40, 30);
    for synth in &SYNTHS {
        let formula = Formula::new(synth.synth, size(64, 48)).unwrap();
        let image = Image::of_page(synth.name, formula.page());
        for (scale, angle_deg, antialias) in [(0.25, 0.0, true), (2.5, 0.0, true), (1.25, 30.0, false)] {
            let view = View::new([3.25, -7.5], scale).and_then(|view| view.rotated(angle_deg)).unwrap();
            let sampler = Sampler { antialias, ..Sampler::default() };
            let request = RenderRequest { view, sampler, content: Content::Truth, ..RenderRequest::new(output) };
            let expected = truth(&image.pages()[0], &request, &Counted::all(output), &ExecOptions::default()).unwrap();
            assert_eq!(floats(&image, &request), expected, "{} at {scale}", synth.name);
            let format = PixelFormat::file(Depth::Float);
            // The reference evaluates pixel by pixel, without factors of columns and rows.
            let reference = render(&mut ReferenceBackend::default(), &image, &request, format).unwrap();
            for (column, row) in (0..30).flat_map(|row| (0..40).map(move |column| (column, row))) {
                for channel in 0..formula.channels().count() {
                    let error = reference.number(column, row, channel) - expected.number(column, row, channel);
                    assert!(error.abs() <= 2e-7, "{} at {column}, {row}: {error}", synth.name);
                }
            }
            // Filters of pixels act on it, filters of samples do not.
            let filters = Filters { before: "negative".parse().unwrap(), after: "negative".parse().unwrap() };
            let negative = floats(&image, &RenderRequest { filters, ..request.clone() });
            for (column, row) in [(0, 0), (39, 29), (20, 11)] {
                let sum = negative.number(column, row, 0) + expected.number(column, row, 0);
                assert!((sum - 1.0).abs() < 1e-6, "{sum}");
            }
        }
    }
}

#[test]
fn original_of_a_decimated_page_is_its_truth_where_pixels_are_on_its_samples() {
    let page = Page::new(grey(size(40, 24), |x, y| (x + 64.0 * y) / 4096.0));
    let Decimated { page, original, view } =
        Decimated::new(&page, 4, Decimation::Box, &ExecOptions::default()).unwrap();
    let image = Image::of_page("decimated", page);
    let shown = |view: View, angle_deg: f64| {
        let view = view.rotated(angle_deg).unwrap();
        let request = RenderRequest { view, content: Content::Truth, ..RenderRequest::new(original) };
        render(&mut CpuBackend::new(), &image, &request, PixelFormat::file(Depth::Float))
    };
    let value = |x: u32, y: u32| (f64::from(x) + 64.0 * f64::from(y)) as f32 / 4096.0;
    let whole = shown(view, 0.0).unwrap();
    assert!((0..24).all(|y| (0..40).all(|x| whole.number(x, y, 0) == value(x, y))));
    // Seven pixels to the right and three down; beyond the edges the values at them.
    let moved = shown(view.panned([-7.0, -3.0]), 0.0).unwrap();
    assert_eq!((moved.number(0, 0, 0), moved.number(39, 23, 0)), (value(7, 3), value(39, 23)));
    let [x, y] = view.translation();
    for (view, angle_deg) in [
        (View::new([x + 0.01, y], 0.25).unwrap(), 0.0),
        (View::new([x, y], 0.2).unwrap(), 0.0),
        (View::new([x, y], 0.25).unwrap(), 1.0),
    ] {
        let error = shown(view, angle_deg).unwrap_err();
        assert!(error.to_string().starts_with("no truth: the original has values at its own samples only"), "{error}");
    }
    let samples = Page::new(grey(size(4, 4), |_, _| 0.0));
    let request = RenderRequest { content: Content::Truth, ..RenderRequest::new(size(4, 4)) };
    let error = request.check(&samples).unwrap_err().to_string();
    assert_eq!(error, "no truth: the image has no formula and is not decimated from a larger one");
}
