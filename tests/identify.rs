//! Kernels of other programs: pictures that Pillow, OpenCV, scikit-image, SciPy and ImageMagick resized (tests/golden/resized,
//! made by make_resized.py beside it), and pictures of this program's own methods.

use std::path::Path;

use lerpscope::backend::{CpuBackend, PixelFormat, RenderRequest, render};
use lerpscope::filter::ExecOptions;
use lerpscope::image::{self, Depth, Image, Page, Size};
use lerpscope::lab::identify::{
    Between, Candidate, Certainty, Compared, Convention, Difference, EdgeRule, Explained, Identification,
    IdentifyError, Rounding, Scale, Shape, Widening, identify,
};
use lerpscope::sampling::{AddressMode, METHODS, Method, Sampler, SamplingPath};
use lerpscope::view::View;

fn golden(name: &str) -> Image {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/resized/{name}.png"));
    image::open(&path).unwrap_or_else(|error| panic!("{name}: {error}")).image
}

fn of_golden(name: &str) -> Identification {
    let source = golden(if name.contains("rgb") { "source-rgb-96x80" } else { "source-96x80" });
    let output = golden(name);
    let work = ExecOptions::default();
    identify(&source.pages()[0], &output.pages()[0], Scale::FromSizes, &work).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn keys(a: f64) -> Shape {
    Shape::plain(Method::keys(a).expect("in range"))
}

fn spline(degree: u32) -> Shape {
    Shape::prefiltered(Method::bspline(degree).expect("a degree"))
}

/// What a file must be named as.
struct Expected {
    shape: Shape,
    convention: Convention,
    widening: Widening,
    edge: EdgeRule,
    /// A part of the label of a program.
    program: &'static str,
}

#[track_caller]
fn check(name: &str, expected: &Expected) {
    let found = of_golden(name);
    let report = found.to_text();
    assert!(found.fits, "{name}:\n{report}");
    let best = found.best.hypothesis;
    let is_smaller = found.pair.scale.iter().any(|scale| *scale > 1.0);
    let widening = if is_smaller { expected.widening } else { Widening::Off };
    assert_eq!(
        (best.shape, best.convention, best.widening),
        (expected.shape, expected.convention, widening),
        "{name}:\n{report}"
    );
    assert!(found.edges.is_empty() || found.edges.contains(&expected.edge), "{name}:\n{report}");
    let labels: Vec<String> = found.programs.iter().map(|program| program.label()).collect();
    assert!(labels.iter().any(|label| label.contains(expected.program)), "{name}: {labels:?}");
    // Fixed-point weights of 11 bits, as OpenCV has them, are wrong by a number here and there.
    assert!(found.agreement.max <= 1.0 && found.agreement.equal > 0.75, "{name}:\n{report}");
}

#[test]
fn cubics_and_lanczos_of_other_programs_are_named_at_every_scale() {
    let sizes = ["131x117", "53x37", "192x160", "48x40"];
    for size in sizes {
        let pillow = |kernel: &str, shape: Shape, program: &'static str| {
            let edge = EdgeRule::Inside;
            let expected =
                Expected { shape, convention: Convention::Centres, widening: Widening::Kernel, edge, program };
            check(&format!("pillow-{kernel}-{size}"), &expected);
        };
        pillow("bicubic", keys(-0.5), "Pillow, Image.resize(…, BICUBIC)");
        pillow("lanczos", Shape::plain(Method::LANCZOS3), "Pillow, Image.resize(…, LANCZOS)");
        let opencv = |kernel: &str, shape: Shape, program: &'static str| {
            let edge = EdgeRule::Clamp;
            let expected = Expected { shape, convention: Convention::Centres, widening: Widening::Off, edge, program };
            check(&format!("opencv-{kernel}-{size}"), &expected);
        };
        opencv("cubic", keys(-0.75), "OpenCV, resize(…, INTER_CUBIC)");
        opencv("lanczos4", Shape::plain(Method::LANCZOS4), "OpenCV, resize(…, INTER_LANCZOS4)");
    }
}

#[test]
fn splines_of_scikit_image_and_scipy_are_named_with_their_filters() {
    for size in ["131x117", "53x37"] {
        let skimage = |name: &str, shape: Shape, widening: Widening, program: &'static str| {
            let expected =
                Expected { shape, convention: Convention::Centres, widening, edge: EdgeRule::Reflect, program };
            check(&format!("skimage-{name}-{size}"), &expected);
        };
        skimage("1-plain", Shape::plain(Method::Linear), Widening::Off, "scikit-image, resize(…, order=1");
        skimage("2-plain", spline(2), Widening::Off, "scikit-image, resize(…, order=2");
        skimage("3-plain", spline(3), Widening::Off, "scikit-image, resize(…, order=3");
        skimage("5-plain", spline(5), Widening::Off, "scikit-image, resize(…, order=5");
        if size == "53x37" {
            let gaussian = Widening::Gaussian;
            skimage("1-gaussian", Shape::plain(Method::Linear), gaussian, "resize(…, order=1, anti_aliasing=True)");
            skimage("3-gaussian", spline(3), gaussian, "resize(…, order=3, anti_aliasing=True)");
        }
        let (convention, edge) = (Convention::Corners, EdgeRule::Reflect);
        let program = "SciPy, ndimage.zoom(…, order=3)";
        let expected = Expected { shape: spline(3), convention, widening: Widening::Off, edge, program };
        check(&format!("scipy-3-mirror-{size}"), &expected);
    }
}

#[test]
fn other_kernels_of_pillow_opencv_and_imagemagick_are_named() {
    let robidoux = Method::cubic(0.378_215_755_093_998_7, 0.310_892_122_453_000_7).expect("in range");
    let shapes = [
        ("pillow-box", Shape::plain(Method::Nearest), Widening::Kernel, "Pillow, Image.resize(…, BOX)"),
        ("pillow-bilinear", Shape::plain(Method::Linear), Widening::Kernel, "Pillow, Image.resize(…, BILINEAR)"),
        ("pillow-hamming", Shape::Hamming, Widening::Kernel, "Pillow, Image.resize(…, HAMMING)"),
        ("imagemagick-catrom", keys(-0.5), Widening::Kernel, "ImageMagick, -filter Catrom -resize"),
        (
            "imagemagick-mitchell",
            Shape::plain(Method::MITCHELL),
            Widening::Kernel,
            "ImageMagick, -filter Mitchell -resize",
        ),
        ("imagemagick-robidoux", Shape::plain(robidoux), Widening::Kernel, "ImageMagick, -filter Robidoux -resize"),
        (
            "imagemagick-lanczos",
            Shape::plain(Method::LANCZOS3),
            Widening::Kernel,
            "ImageMagick, -filter Lanczos -resize",
        ),
        ("opencv-linear", Shape::plain(Method::Linear), Widening::Off, "OpenCV, resize(…, INTER_LINEAR)"),
        ("opencv-area", Shape::Area, Widening::Off, "OpenCV, resize(…, INTER_AREA)"),
    ];
    for (name, shape, widening, program) in shapes {
        let edge = if widening == Widening::Kernel { EdgeRule::Inside } else { EdgeRule::Clamp };
        for size in ["131x117", "53x37"] {
            let expected = Expected { shape, convention: Convention::Centres, widening, edge, program };
            check(&format!("{name}-{size}"), &expected);
        }
    }
    for (name, convention, program) in [
        ("pillow-nearest", Convention::Centres, "Pillow, Image.resize(…, NEAREST)"),
        ("opencv-nearest", Convention::Floor, "OpenCV, resize(…, INTER_NEAREST)"),
    ] {
        for size in ["131x117", "53x37"] {
            let found = of_golden(&format!("{name}-{size}"));
            let best = found.best.hypothesis;
            assert_eq!((best.shape, best.convention), (Shape::plain(Method::Nearest), convention), "{name} {size}");
            assert_eq!((found.fits, found.best.score.rms), (true, 0.0), "{name} {size}:\n{}", found.to_text());
            assert!(found.programs.iter().any(|row| row.label() == program), "{name} {size}: {:?}", found.programs);
        }
    }
}

#[test]
fn rounding_of_pillow_is_after_each_pass_and_of_opencv_at_the_end() {
    for size in ["131x117", "53x37"] {
        let pillow = of_golden(&format!("pillow-lanczos-{size}")).agreement;
        assert_eq!((pillow.rounding, pillow.between), (Rounding::Nearest, Between::RowsRounded), "{size}");
        assert!(pillow.equal > 0.999 && pillow.max <= 1.0, "{size}: {pillow:?}");
        let opencv = of_golden(&format!("opencv-cubic-{size}")).agreement;
        assert_eq!((opencv.rounding, opencv.between), (Rounding::Nearest, Between::Exact), "{size}");
        assert!(opencv.equal > 0.999 && opencv.max <= 1.0, "{size}: {opencv:?}");
    }
}

#[test]
fn colour_is_identified_by_its_channel_of_most_contrast() {
    let found = of_golden("opencv-cubic-rgb-131x117");
    assert_eq!(found.best.hypothesis.shape, keys(-0.75), "{}", found.to_text());
    assert!(matches!(found.pair.compared, Compared::Channel("Red" | "Green" | "Blue")), "{:?}", found.pair.compared);
}

#[test]
fn recovered_kernel_lies_on_the_named_one() {
    for (name, method, least) in [
        ("pillow-bicubic-131x117", Method::CATMULL_ROM, 25),
        ("opencv-cubic-131x117", Method::keys(-0.75).expect("in range"), 25),
        ("opencv-lanczos4-192x160", Method::LANCZOS4, 8),
        ("pillow-bicubic-53x37", Method::CATMULL_ROM, 12),
    ] {
        let found = of_golden(name);
        // Where few phases exist the dots are at these distances only; others are at most a sixteenth apart.
        assert!(found.dots.len() >= least, "{name}: {} dots", found.dots.len());
        let kernel = method.kernel();
        for dot in &found.dots {
            let nearby = (-8..=8).map(|k| dot.distance + f64::from(k) / 256.0);
            let [low, high] = nearby.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], d| {
                [low.min(kernel.weight(d)), high.max(kernel.weight(d))]
            });
            let margin = 0.012 + 4.0 * dot.error;
            assert!((low - margin..=high + margin).contains(&dot.weight), "{name}: {dot:?}, not {low} … {high}");
        }
    }
}

/// A picture without a formula's symmetry, with pixels of all values.
fn noise(size: Size) -> Image {
    let mut random = fastrand::Rng::with_seed(5);
    let values = (0..size.area()).map(|_| random.u8(60..200)).collect();
    let samples = image::Samples::U8 { values, maxval: 255 };
    let raster = image::Raster::new(size, image::Channels::Grey, samples).expect("a raster");
    Image::of_page("noise", Page::new(raster))
}

fn size(width: u32, height: u32) -> Size {
    Size::new(width, height).expect("a size")
}

/// A picture of `source` by this program, fitted to its window: pixel areas coincide.
fn resized(source: &Image, output: Size, sampler: Sampler, depth: Depth) -> Page {
    let [w, _] = source.pages()[0].size().sides();
    let scale = f64::from(w) / f64::from(output.width());
    let view = View::new([(scale - 1.0) / 2.0; 2], scale).expect("a view");
    let request = RenderRequest { view, sampler, ..RenderRequest::new(output) };
    Page::new(render(&mut CpuBackend::new(), source, &request, PixelFormat::file(depth)).expect("a picture"))
}

fn identified(source: &Image, output: &Page, scale: Scale) -> Identification {
    identify(&source.pages()[0], output, scale, &ExecOptions::default()).expect("a kernel")
}

#[test]
fn own_renders_of_every_method_are_named_larger_and_smaller() {
    let source = noise(size(80, 72));
    let forms =
        ["hermite", "bspline=2", "bspline=4", "bspline=5", "o-moms", "gaussian=0.6", "keys=-0.6", "cubic=0.2,0.4"];
    let forms = forms.map(|text| text.parse::<Method>().expect(text));
    for method in METHODS.iter().map(|row| row.method).chain(forms) {
        let prefilters = if method.kernel().prefilter.is_some() { &[false, true][..] } else { &[false] };
        for &prefilter in prefilters {
            for (output, antialias, widening) in [
                (size(210, 189), false, Widening::Off),
                (size(70, 63), true, Widening::Kernel),
                (size(70, 63), false, Widening::Off),
            ] {
                let address = [AddressMode::Clamp; 2];
                let sampler = Sampler { method, prefilter, antialias, address, ..Sampler::default() };
                for depth in [Depth::EIGHT, Depth::SIXTEEN, Depth::Float] {
                    let found = identified(&source, &resized(&source, output, sampler, depth), Scale::FromSizes);
                    // A widened Gaussian is a Gaussian: both names are right, and both are listed.
                    let is_widened = |one: &&Candidate| one.hypothesis.widening == widening;
                    let other =
                        found.equals.iter().find(is_widened).filter(|_| matches!(method, Method::Gaussian { .. }));
                    let best = other.unwrap_or(&found.best).hypothesis;
                    let what = format!(
                        "{method}, prefilter {prefilter}, {output}, {antialias}, {depth:?}:\n{}",
                        found.to_text()
                    );
                    assert!(found.fits, "{what}");
                    assert_eq!((best.convention, best.widening), (Convention::Centres, widening), "{what}");
                    let Shape::Method { method: named, prefilter: filtered } = best.shape else { panic!("{what}") };
                    assert_eq!(filtered, prefilter, "{what}");
                    let numbers = method.numbers().into_iter().zip(named.numbers());
                    assert!(std::ptr::eq(method.form(), named.form()), "{what}");
                    assert!(numbers.into_iter().all(|(a, b)| (a - b).abs() <= 0.005), "{what}");
                    assert_eq!(found.agreement.rounding == Rounding::Off, depth == Depth::Float, "{what}");
                    if depth != Depth::Float {
                        // Between two samples, and of means between two numbers, rounding errors choose.
                        let least = match (method, widening) {
                            (Method::Nearest, Widening::Kernel) => 0.9,
                            (Method::Nearest, _) => 0.8,
                            _ => 0.99,
                        };
                        assert!(found.agreement.equal > least, "{what}");
                        assert!(found.agreement.max <= 1.0 || method == Method::Nearest, "{what}");
                    }
                }
            }
        }
    }
}

#[test]
fn given_scale_names_a_part_of_a_picture_about_its_middle() {
    let source = noise(size(96, 80));
    let request = RenderRequest {
        view: View::new([0.0; 2], 0.3).expect("a view"),
        // Rounded once.
        sampler: Sampler { path: SamplingPath::Lookup, ..Sampler::default().with_method(Method::CATMULL_ROM) },
        ..RenderRequest::new(size(120, 110))
    };
    let format = PixelFormat::file(Depth::EIGHT);
    let output = Page::new(render(&mut CpuBackend::new(), &source, &request, format).expect("a picture"));
    let found = identified(&source, &output, Scale::Given(0.3));
    let best = found.best.hypothesis;
    assert_eq!((best.shape, best.convention), (keys(-0.5), Convention::Middle), "{}", found.to_text());
    assert!(found.fits && found.agreement.equal > 0.999, "{}", found.to_text());
}

#[test]
fn what_no_kernel_explains_is_said() {
    let source = golden("source-96x80");
    let bicubic = golden("opencv-cubic-131x117");
    let raster = bicubic.pages()[0].raster();
    let changed = |change: &dyn Fn(u32, u32) -> f32| {
        let [w, h] = raster.size().sides();
        let values =
            (0..h).flat_map(|y| (0..w).map(move |x| (x, y))).map(|(x, y)| change(x, y).clamp(0.0, 255.0).round() as u8);
        let samples = image::Samples::U8 { values: values.collect(), maxval: 255 };
        Page::new(image::Raster::new(raster.size(), raster.channels(), samples).expect("a raster"))
    };
    let at = |x: u32, y: u32| raster.number(x.min(130), y.min(116), 0);
    let dimmed = identified(&source, &changed(&|x, y| 0.8 * at(x, y) + 20.0), Scale::FromSizes);
    let Some(Explained { hypothesis, difference }) = dimmed.difference else { panic!("{}", dimmed.to_text()) };
    let Difference::Contrast { gain, offset, share } = difference else { panic!("{}", dimmed.to_text()) };
    assert_eq!(hypothesis.shape, keys(-0.75), "{}", dimmed.to_text());
    assert!((gain - 0.8).abs() < 0.01 && (offset - 20.0 / 255.0).abs() < 0.01 && share > 0.98, "{}", dimmed.to_text());
    assert_eq!(dimmed.certainty(), Certainty::Unknown);
    // One pixel of the output is 96/131 samples along x and 80/117 along y.
    let moved = identified(&source, &changed(&|x, y| at(x + 1, y + 1)), Scale::FromSizes);
    let difference = moved.difference.map(|explained| explained.difference);
    let Some(Difference::Shift { samples: [x, y], .. }) = difference else { panic!("{}", moved.to_text()) };
    assert!(x < -0.1 && y < -0.1, "{}", moved.to_text());
    let mut random = fastrand::Rng::with_seed(8);
    let noise: Vec<f32> = (0..raster.size().area()).map(|_| 60.0 * random.f32()).collect();
    let noisy =
        identified(&source, &changed(&|x, y| at(x, y) + noise[(y * 131 + x) as usize] - 30.0), Scale::FromSizes);
    assert!(!noisy.fits && noisy.programs.is_empty(), "{}", noisy.to_text());
    assert!(noisy.to_text().contains("none fits; the closest is"), "{}", noisy.to_text());
}

#[test]
fn pictures_that_show_no_kernel_are_refused_with_the_reason() {
    let wrong = |source: &Image, output: &Image| {
        let error = identify(&source.pages()[0], &output.pages()[0], Scale::FromSizes, &ExecOptions::default());
        error.expect_err("no kernel").to_string()
    };
    let source = golden("source-96x80");
    let small = noise(size(7, 9));
    assert!(wrong(&source, &small).starts_with("the output of 7×9 pixels is too small"), "{}", wrong(&source, &small));
    assert!(wrong(&source, &noise(size(9, 8))).contains("are away from the edges"));
    assert!(wrong(&source, &source).starts_with("source and output are equal, 96×80 pixels"));
    assert!(
        wrong(&noise(size(8, 8)), &noise(size(600, 600))).starts_with("the sizes do not fit: 8×8 samples and 600×600")
    );
    let flat = image::Samples::U8 { values: vec![7; 96 * 80], maxval: 255 };
    let flat = image::Raster::new(size(96, 80), image::Channels::Grey, flat).expect("a raster");
    let flat = Image::of_page("flat", Page::new(flat));
    assert_eq!(
        wrong(&flat, &source),
        "the source is flat: its values differ by 0 of 255, and a kernel shows only where they differ"
    );
    let work = ExecOptions::default();
    work.stop.cancel();
    let cancelled = identify(&source.pages()[0], &golden("pillow-bicubic-53x37").pages()[0], Scale::FromSizes, &work);
    assert!(matches!(cancelled, Err(IdentifyError::Cancelled)));
}
