//! Filters: the reference and the CPU against SciPy's and NumPy's numbers (tests/golden/filters.txt, made by
//! make_filters.py beside it), the CPU against the reference, and what must hold with no oracle.

use lerpscope::backend::{CpuBackend, PixelFormat, RenderRequest, RequestError, reference, render};
use lerpscope::filter::{Chain, FILTERS, Filter, Filters, Stage, Step};
use lerpscope::image::{Channels, Image, Samples};
use lerpscope::sampling::{ADDRESS_MODES, AddressMode, Method, Sampler};
use lerpscope::view::View;

use crate::cases::{TOLERANCE, error_against_reference, float_values, image, random_image, size};

/// How far a backend may be from the reference, and from another backend.
///
/// | filter | bound | why |
/// |---|---|---|
/// | all but two | [`TOLERANCE`] | weights rounded once, sums of sums in single precision |
/// | `bilateral` | 1·10⁻⁵ | each weight is a power in single precision, and thousands are added |
/// | `unsharp` | [`TOLERANCE`]·(1 + amount) | what it adds, times the amount |
pub(crate) fn tolerance(step: &Step) -> f64 {
    match step.filter().row().name {
        "bilateral" => 1e-5,
        "unsharp" => TOLERANCE * (1.0 + step.parameters()[1]),
        _ => TOLERANCE,
    }
}

pub(crate) fn chain(text: &str) -> Chain {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

pub(crate) fn before(text: &str) -> Filters {
    Filters { before: chain(text), ..Filters::default() }
}

pub(crate) fn after(text: &str) -> Filters {
    Filters { after: chain(text), ..Filters::default() }
}

/// The identity view of `image` with these filters.
pub(crate) fn whole(image: &Image, filters: Filters) -> RenderRequest {
    RenderRequest { filters, ..RenderRequest::new(image.pages()[0].size()) }
}

struct Golden {
    image: Image,
    request: RenderRequest,
    step: Step,
    values: Vec<f64>,
}

fn goldens() -> Vec<Golden> {
    let text = include_str!("../golden/filters.txt");
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let mut goldens = Vec::new();
    while let Some(head) = lines.next() {
        let words: Vec<&str> = head.split(' ').collect();
        let whole_number = |index: usize| words[index].parse::<u32>().expect("a whole number");
        let [channels, width, height] = [5, 6, 7].map(whole_number);
        let number = |x: u32, y: u32, c: u32| ((x * 73 + y * 151 + x * y * 37 + 11 + c * 89) % 256) as u8;
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let values = places.flat_map(|(x, y)| (0..channels).map(move |c| number(x, y, c))).collect();
        let kind = if channels == 1 { Channels::Grey } else { Channels::Rgb };
        let image = image(size(width, height), kind, Samples::U8 { values, maxval: 255 });
        let sampler = Sampler {
            address: [words[2], words[3]].map(|name| AddressMode::by_name(name).expect("an address mode")),
            border: words[4].parse().expect("a number"),
            ..Sampler::default()
        };
        let step: Step = words[1].parse().expect("a step");
        let request = RenderRequest { sampler, ..whole(&image, before(words[1])) };
        let values = lines.next().expect("numbers").split(' ').map(|v| v.parse().expect("a number")).collect();
        goldens.push(Golden { image, request, step, values });
    }
    goldens
}

#[test]
fn golden_file_holds_every_filter_and_every_pair_of_address_modes() {
    let goldens = goldens();
    for row in &FILTERS {
        let of_row: Vec<_> = goldens.iter().filter(|golden| golden.step.filter() == row.filter).collect();
        assert!(!of_row.is_empty(), "{}", row.name);
        for address in ADDRESS_MODES.iter().filter(|_| !row.filter.is_point()) {
            assert!(of_row.iter().any(|golden| golden.request.sampler.address == [address.address; 2]), "{}", row.name);
        }
    }
    for x in &ADDRESS_MODES {
        for y in &ADDRESS_MODES {
            let pair = [x.address, y.address];
            assert!(goldens.iter().any(|golden| golden.request.sampler.address == pair), "{} {}", x.name, y.name);
        }
    }
}

#[test]
fn reference_equals_scipy() {
    for Golden { image, request, values, .. } in goldens() {
        let ours = reference::values(&image, &request).expect("served");
        for (a, b) in ours.iter().zip(&values) {
            assert!((a - b).abs() < 2e-9, "{a} is not SciPy's {b}: {request:#?}");
        }
    }
}

#[test]
fn cpu_equals_scipy() {
    for Golden { image, request, step, values } in goldens() {
        let ours = float_values(&mut CpuBackend::new(), &image, &request);
        assert_eq!(ours.len(), values.len());
        for (&a, b) in ours.iter().zip(&values) {
            assert!((f64::from(a) - b).abs() < tolerance(&step), "{a} is not SciPy's {b}: {request:#?}");
        }
    }
}

/// Every filter at the ends of its ranges and between, as a person would set it.
pub(crate) const STEPS: [&str; 40] = [
    "gamma=2.2",
    "gamma=0.45",
    "negative",
    "brightness=0.3",
    "brightness=1.2,0",
    "brightness=0.7,0.4",
    "gaussian=0.01",
    "gaussian=0.8",
    "gaussian=2",
    "gaussian=9.7",
    "gaussian=2,0.7",
    "gaussian=0.4,3",
    "gaussian=3,0",
    "gaussian=5,5,3",
    "gaussian=1.5,6,9",
    "bilateral=3,0.1",
    "bilateral=1.5,0.3,1",
    "bilateral=2,0.2,4,0.3",
    "bilateral=20,0.05,7,1",
    "bilateral=2,0.2,3,0.3,share",
    "bilateral=1.5,0.3,2,0,share",
    "unsharp=1.5,0.5",
    "unsharp=3,2,0.1",
    "median",
    "median=2",
    "median=7",
    "sobel",
    "noise",
    "noise=white,1,7",
    "noise=uniform,0.2,65535",
    "noise=salt-and-pepper,0.3,3",
    "inpaint=alpha,membrane",
    "inpaint=[3,2,9,8]",
    "inpaint=[2,0,20,4],membrane",
    "inpaint=[0,3,4,5],membrane,tint=0.5",
    "convolve",
    "convolve=box",
    "convolve=emboss,x=1,y=-2",
    "convolve=[0.5,-0.25;0.125,0.75;-0.5,0.25;0.25,-0.125]",
    "convolve=[1,2,3,4,5,6,7,8,9,8,7,6,5,4,3,2,1;1,0,2,0,3,0,4,0,-5,0,6,0,7,0,8,0,9],1",
];

/// Those that may be in the chain after the interpolation.
pub(crate) fn steps_after() -> impl Iterator<Item = &'static str> {
    STEPS.into_iter().filter(|text| chain(text).0[0].filter().serves(Stage::After))
}

#[test]
fn suite_covers_every_row() {
    for row in &FILTERS {
        assert!(
            STEPS.iter().any(|text| chain(text).0[0].filter() == row.filter),
            "a step of '{}' is missing",
            row.name
        );
    }
}

/// Random pictures of every kind and odd sizes, larger and smaller than bands, tiles, strips and reaches, every pair of
/// address modes.
#[test]
fn cpu_equals_the_reference_on_samples() {
    let sizes = [(1, 1), (1, 7), (5, 3), (67, 35), (131, 9), (33, 70)];
    let kinds = [Channels::Grey, Channels::Rgb, Channels::GreyAlpha, Channels::Rgba];
    let mut backend = CpuBackend::new();
    let mut seed = 0;
    for text in STEPS {
        for x in &ADDRESS_MODES {
            for y in &ADDRESS_MODES {
                seed += 1;
                let (width, height) = sizes[seed % sizes.len()];
                let image = random_image(seed as u64, size(width, height), kinds[(seed / 5) % 4]);
                let sampler = Sampler { address: [x.address, y.address], border: 0.375, ..Sampler::default() };
                let request = RenderRequest { sampler, ..whole(&image, before(text)) };
                let error = error_against_reference(&mut backend, &image, &request);
                let bound = tolerance(&chain(text).0[0]);
                assert!(error <= bound, "{text} {} {}: {error:e} on {width}×{height}", x.name, y.name);
            }
        }
    }
}

#[test]
fn widest_windows_agree() {
    let mut backend = CpuBackend::new();
    for (text, channels) in [
        ("gaussian=64", Channels::Grey),
        ("gaussian=40", Channels::Rgb),
        ("bilateral=64,0.5,32", Channels::Grey),
        ("bilateral=12,0.1,32,0.2", Channels::Rgba),
        ("median=16", Channels::Rgb),
        ("unsharp=30,1", Channels::Grey),
    ] {
        let image = random_image(4, size(41, 23), channels);
        let sampler = Sampler { address: [AddressMode::Mirror, AddressMode::Clamp], ..Sampler::default() };
        let request = RenderRequest { sampler, ..whole(&image, before(text)) };
        let error = error_against_reference(&mut backend, &image, &request);
        assert!(error <= tolerance(&chain(text).0[0]), "{text}: {error:e}");
    }
}

/// Several strips, bands and tiles, the last of each cut short.
#[test]
fn pictures_larger_than_a_strip_agree() {
    let mut backend = CpuBackend::new();
    for (seed, channels) in [(0, Channels::Grey), (2, Channels::Rgb), (3, Channels::Rgba)] {
        let image = random_image(seed, size(2117, 61), channels);
        for text in ["gaussian=0.8", "gaussian=2", "bilateral=1,0.2", "median", "sobel", "convolve=pair"] {
            let sampler = Sampler { address: [AddressMode::Wrap, AddressMode::Mirror], ..Sampler::default() };
            let request = RenderRequest { sampler, ..whole(&image, before(text)) };
            let error = error_against_reference(&mut backend, &image, &request);
            assert!(error <= tolerance(&chain(text).0[0]), "{text} {channels:?}: {error:e}");
        }
    }
}

#[test]
fn chains_before_and_after_any_view_agree() {
    let mut backend = CpuBackend::new();
    let chains =
        ["gaussian=1.2;gamma=2.2", "gamma=2.2;gaussian=1.2", "median;sobel=2;negative", "brightness=1.5;unsharp=1"];
    for (index, text) in chains.into_iter().enumerate() {
        for (number, method) in [Method::Nearest, Method::BSPLINE, Method::LANCZOS3].into_iter().enumerate() {
            let channels = [Channels::Grey, Channels::Rgba, Channels::Rgb][(index + number) % 3];
            let image = random_image((index * 3 + number) as u64, size(23, 17), channels);
            for (scale, angle) in [(0.31, 0.0), (2.6, 0.0), (0.8, 30.0)] {
                let view = View::new([1.3, -2.7], scale).and_then(|view| view.rotated(angle)).expect("a view");
                let address = [
                    ADDRESS_MODES[index % ADDRESS_MODES.len()].address,
                    ADDRESS_MODES[(index + number) % ADDRESS_MODES.len()].address,
                ];
                let sampler =
                    Sampler { address, border: 0.25, prefilter: true, ..Sampler::default().with_method(method) };
                for filters in
                    [before(text), after(text), Filters { before: chain("gaussian=0.6"), after: chain(text) }]
                {
                    let request = RenderRequest { view, sampler, filters, ..RenderRequest::new(size(31, 19)) };
                    let error = error_against_reference(&mut backend, &image, &request);
                    // What the steps before get wrong, the later ones may double.
                    assert!(error <= 4.0 * TOLERANCE, "{error:e}: {request:#?}");
                }
            }
        }
    }
}

/// A view shows the same wherever its edges lie.
#[test]
fn panning_changes_nothing_that_stays_in_sight() {
    let image = random_image(2, size(60, 44), Channels::Rgb);
    // Alone, and behind another: what two steps read beyond the view is more than the larger of what each reads.
    let chains = FILTERS.iter().filter(|row| row.filter.serves(Stage::After)).flat_map(|row| {
        let step = Step::default_of(row.filter);
        [Chain(vec![step]), Chain(vec![chain("gaussian=1.5").0[0], step])]
    });
    for after in chains {
        let name = after.to_string();
        let filters = Filters { after, ..Filters::default() };
        let shown = |translation: [f64; 2]| {
            let view = View::new(translation, 0.5).expect("a view");
            let request = RenderRequest { view, filters: filters.clone(), ..RenderRequest::new(size(40, 30)) };
            float_values(&mut CpuBackend::new(), &image, &request)
        };
        // Four samples are eight pixels.
        let (here, there) = (shown([0.0, 0.0]), shown([4.0, 0.0]));
        for (a, b) in here.chunks_exact(120).zip(there.chunks_exact(120)) {
            assert_eq!(a[24..], b[..96], "{name}");
        }
    }
}

#[test]
fn steps_switched_off_do_nothing_and_order_matters() {
    let image = random_image(0, size(20, 10), Channels::Grey);
    let mut backend = CpuBackend::new();
    let mut shown = |filters| float_values(&mut backend, &image, &whole(&image, filters));
    let plain = shown(Filters::default());
    for off in ["gaussian=3,off", "gaussian=3,off;gamma=2,off"] {
        assert_eq!(shown(before(off)), plain);
        assert_eq!(shown(after(off)), plain);
    }
    assert_ne!(shown(before("gaussian;gamma")), shown(before("gamma;gaussian")));
    let step = chain("gaussian").0[0];
    assert_eq!(shown(before("gaussian")), shown(Filters { before: Chain(vec![step]), ..Filters::default() }));
}

/// A backend that has rendered something else before gives the same: nothing kept is mistaken for another.
#[test]
fn kept_values_follow_parameters_and_edges() {
    let image = random_image(3, size(30, 20), Channels::Grey);
    let mut warm = CpuBackend::new();
    let samplers = [0.0, 0.5].map(|border| Sampler { address: [AddressMode::Border; 2], border, ..Sampler::default() });
    for _ in 0..2 {
        for text in ["gaussian=2", "gaussian=3", "gamma=2", "gamma=2;gaussian=2", "none"] {
            for sampler in samplers {
                let request = RenderRequest { sampler, ..whole(&image, before(text)) };
                let fresh = float_values(&mut CpuBackend::new(), &image, &request);
                assert_eq!(float_values(&mut warm, &image, &request), fresh, "{text} {sampler:?}");
            }
        }
    }
}

#[test]
fn bilateral_threshold_has_the_documents_two_limits() {
    let image = random_image(4, size(25, 19), Channels::Rgb);
    let mut backend = CpuBackend::new();
    let mut shown = |text: &str| float_values(&mut backend, &image, &whole(&image, before(text)));
    let original = shown("none");
    assert_eq!(shown("bilateral=3,0.1,4,1"), original);
    let (smooth, half) = (shown("bilateral=3,0.1,4,0"), shown("bilateral=3,0.1,4,0.3"));
    assert_ne!(smooth, original);
    for ((&a, &b), &between) in smooth.iter().zip(&original).zip(&half) {
        assert!((a.min(b) - 1e-6..=a.max(b) + 1e-6).contains(&between));
    }
}

/// The picture of the share by the definition: of a column of steps, whose neighbours across the step are too unlike.
#[test]
fn bilateral_shows_the_share_of_neighbours_that_reach_the_threshold() {
    let values = (0..9 * 9).map(|k| if k % 9 < 4 { 0.0 } else { 1.0 }).collect();
    let image = image(size(9, 9), Channels::Grey, Samples::F32(values));
    let sampler = Sampler { address: [AddressMode::Clamp; 2], ..Sampler::default().with_method(Method::Nearest) };
    let request = RenderRequest { sampler, ..whole(&image, before("bilateral=64,0.1,1,0.5,share")) };
    let shown = float_values(&mut CpuBackend::new(), &image, &request);
    // Beside the step three of the eight neighbours lie on the other side.
    let expected = [1.0, 1.0, 1.0, 0.625, 0.625, 1.0, 1.0, 1.0, 1.0];
    for row in shown.chunks_exact(9) {
        assert_eq!(row, expected);
    }
}

/// One NaN and one infinity in a float picture: where they spread, and where not.
#[test]
fn not_finite_samples_spread_as_documented() {
    let side = 21;
    for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut values: Vec<f32> = (0..side * side).map(|k| (k % 7) as f32 / 7.0).collect();
        values[(side * side / 2) as usize] = odd;
        let image = image(size(side, side), Channels::Grey, Samples::F32(values));
        let count = |text: &str| {
            // Nearest: any other method adds what is not finite to its neighbours, if with a weight of 0.
            let sampler = Sampler::default().with_method(Method::Nearest);
            let request = RenderRequest { sampler, ..whole(&image, before(text)) };
            let values = float_values(&mut CpuBackend::new(), &image, &request);
            values.iter().filter(|value| !value.is_finite()).count()
        };
        assert_eq!(["gamma=2", "negative", "brightness=2", "noise"].map(count), [1; 4]);
        assert_eq!(count("gaussian=1"), 81);
        assert_eq!(count("bilateral=2,0.1"), 1);
        assert_eq!(count("median=1"), 0);
        assert_eq!(count("sobel"), 8);
        assert_eq!([count("convolve"), count("convolve=binomial")], [9, 25]);
        assert_eq!(["inpaint=[9,9,3,3],membrane", "inpaint=[11,9,3,3]"].map(count), [0, 1]);
        for text in steps_after() {
            let request = whole(&image, after(text));
            render(&mut CpuBackend::new(), &image, &request, PixelFormat::TEXTURE).expect("served");
        }
    }
}

#[test]
fn transparent_colours_do_not_bleed_and_opaque_pictures_stay_opaque() {
    // Opaque red beside fully transparent green.
    let values = [[255, 0, 0, 255], [0, 255, 0, 0]].concat();
    let image = image(size(2, 1), Channels::Rgba, Samples::U8 { values, maxval: 255 });
    for text in STEPS {
        let out = float_values(&mut CpuBackend::new(), &image, &whole(&image, before(text)));
        let negative =
            ["negative", "brightness=1.2", "brightness=0.7", "noise"].iter().any(|name| text.starts_with(name))
                || text.ends_with("share");
        assert!(out.chunks_exact(4).all(|pixel| pixel[1] == 0.0 || negative && pixel[3] == 1.0), "{text}: {out:?}");
    }
    let opaque = random_image(0, size(9, 9), Channels::Rgb);
    let Samples::U8 { values, .. } = opaque.pages()[0].raster().samples() else { panic!("seed 0 makes bytes") };
    let values = values.chunks_exact(3).flat_map(|pixel| [pixel[0], pixel[1], pixel[2], 255]).collect();
    let with_alpha = crate::cases::image(size(9, 9), Channels::Rgba, Samples::U8 { values, maxval: 255 });
    for text in STEPS {
        let plain = float_values(&mut CpuBackend::new(), &opaque, &whole(&opaque, before(text)));
        let out = float_values(&mut CpuBackend::new(), &with_alpha, &whole(&with_alpha, before(text)));
        for (a, b) in plain.chunks_exact(3).zip(out.chunks_exact(4)) {
            assert!((b[3] - 1.0).abs() < 1e-6, "{text}");
            assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5), "{text}: {a:?} {b:?}");
        }
    }
}

#[test]
fn inpainting_after_the_interpolation_and_a_mask_of_another_size_are_refused() {
    let image = random_image(0, size(8, 8), Channels::Grey);
    let refusal = |request: &RenderRequest| request.check(&image.pages()[0]).expect_err("refused");
    let error = refusal(&whole(&image, after("negative;inpaint=[1,1,2,2]")));
    assert_eq!(error, RequestError::FilterStage { filter: Filter::Inpaint });
    assert_eq!(error.to_string(), "filter 'inpaint' fills samples: it is for the chain before the interpolation");
    assert!(whole(&image, after("inpaint,off")).check(&image.pages()[0]).is_ok());
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("m.pgm"), "P2 3 1 1 0 1 1\n").expect("written");
    let filters =
        Filters { before: Chain::read("inpaint=m.pgm", folder.path()).expect("a mask"), ..Filters::default() };
    let error = refusal(&whole(&image, filters));
    assert_eq!(error.to_string(), "the mask has 3×1 samples, the image 8×8");
}

#[test]
fn filters_that_reach_too_far_are_refused() {
    let image = random_image(0, size(8, 8), Channels::Grey);
    let five = ["gaussian=64"; 5].join(";");
    let request = whole(&image, after(&five));
    let error = request.check(&image.pages()[0]).expect_err("too far");
    assert_eq!(error, RequestError::FilterReach { reach: 1280 });
    assert_eq!(error.to_string(), "the filters after the interpolation reach 1280 pixels; they may reach 1024 in all");
    assert!(whole(&image, before(&five)).check(&image.pages()[0]).is_ok());
}
