//! Warps: the reference and the CPU against SciPy's map_coordinates (tests/golden/warps.txt, made by make_warps.py beside it), the CPU
//! against the reference, and what must hold with no oracle.

use lerpscope::backend::{CpuBackend, RenderRequest, RequestError, reference};
use lerpscope::filter::Filters;
use lerpscope::image::{Channels, Image, Samples};
use lerpscope::sampling::{ADDRESS_MODES, AddressMode, Method, Sampler, SamplingPath};
use lerpscope::view::View;
use lerpscope::warp::{WARPS, Warp};

use crate::cases::{TOLERANCE, error_against_reference, float_values, image, pattern, random_image, size};

/// Every kind of warps, weak and strong.
pub(crate) const WARP_TEXTS: [&str; 9] = [
    "lens=0.6,0.9",
    "lens=-1,2.5",
    "swirl=400,1.3",
    "swirl=-35,0.7",
    "perspective=0.1,0.05,0.8,0.2,1,0.9,-0.1,1.1",
    // The horizon goes through the pictures of the far views.
    "perspective=0.35,0.4,0.65,0.4,1,1,0,1",
    "grid",
    "grid=[0,0,0.125,0.0625;-0.0625,0.25,0,0]",
    "grid=[0,0,0.3,-0.1,0,0,0.05,0;0,0.1,0,0.1,0,0.1,0,0.1;-0.1,0,0,0,0,0.5,0,0]",
];

/// Methods of every form of weights.
pub(crate) const METHOD_TEXTS: [&str; 10] = [
    "nearest",
    "linear",
    "bspline",
    "catmull-rom",
    "mitchell",
    "lanczos3",
    "lanczos=7.3",
    "gaussian=0.8",
    "bspline=5",
    "hermite",
];

pub(crate) fn warp(text: &str) -> Warp {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Requests of `image` through every warp: method, address modes, prefilter, antialias and view go by `seed`.
pub(crate) fn requests(seed: usize) -> impl Iterator<Item = RenderRequest> {
    let views = [(2.3, [0.3, -0.45], 0.0), (0.37, [-1.3, 0.7], 25.0), (6.7, [11.0, -9.0], -50.0)];
    WARP_TEXTS.iter().enumerate().flat_map(move |(number, text)| {
        METHOD_TEXTS.iter().enumerate().map(move |(place, method)| {
            let turn = seed + 7 * number + 3 * place;
            let (scale, translation, angle) = views[turn % views.len()];
            let view = View::new(translation, scale).and_then(|view| view.rotated(angle)).expect("a view");
            let address = [ADDRESS_MODES[turn % 4].address, ADDRESS_MODES[(turn / 4) % 4].address];
            let sampler = Sampler {
                address,
                border: 0.375,
                prefilter: turn.is_multiple_of(2),
                antialias: turn.is_multiple_of(3),
                // The weights of a Lanczos kernel of a fraction of a sample cancel below 1.02.
                blur: if turn.is_multiple_of(5) || *method == "lanczos=7.3" { 1.4 } else { 1.0 },
                path: if turn.is_multiple_of(7) { SamplingPath::Lookup } else { SamplingPath::Auto },
                ..Sampler::default().with_method(method.parse::<Method>().expect(method))
            };
            RenderRequest { view, sampler, warp: warp(text), ..RenderRequest::new(size(31, 23)) }
        })
    })
}

struct Golden {
    request: RenderRequest,
    values: Vec<f64>,
}

fn goldens() -> Vec<Golden> {
    let text = include_str!("../golden/warps.txt");
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let mut goldens = Vec::new();
    while let Some(head) = lines.next() {
        let words: Vec<&str> = head.split(' ').collect();
        let number = |index: usize| words[index].parse::<f64>().expect("a number");
        let sampler = Sampler {
            address: [AddressMode::by_name(words[4]).expect("an address mode"); 2],
            border: number(5) as f32,
            prefilter: words[3] == "1",
            ..Sampler::default().with_method(words[2].parse().expect("a method"))
        };
        let view = View::new([number(7), number(8)], number(6)).and_then(|view| view.rotated(number(9)));
        let request = RenderRequest {
            view: view.expect("a view"),
            sampler,
            warp: warp(words[1]),
            ..RenderRequest::new(size(9, 8))
        };
        let values = lines.next().expect("numbers").split(' ').map(|v| v.parse().expect("a number")).collect();
        goldens.push(Golden { request, values });
    }
    goldens
}

#[test]
fn golden_file_has_every_kind_and_every_address_mode() {
    let goldens = goldens();
    for row in WARPS.iter().skip(1) {
        assert!(goldens.iter().any(|golden| golden.request.warp.kind() == row.kind), "{}", row.name);
    }
    for row in &ADDRESS_MODES {
        assert!(goldens.iter().any(|golden| golden.request.sampler.address == [row.address; 2]), "{}", row.name);
    }
    assert!(goldens.len() > 80, "{}", goldens.len());
}

#[test]
fn reference_equals_scipy_at_the_same_positions() {
    let image = pattern(19, 13);
    for Golden { request, values } in goldens() {
        let ours = reference::values(&image, &request).expect("served");
        // SciPy's own start of the prefilter has an error of 1e-8 here.
        let bound = if request.sampler.prefilter { 1e-7 } else { 2e-9 };
        for (a, b) in ours.iter().zip(&values) {
            assert!((a - b).abs() < bound, "{a} is not SciPy's {b}: {request:#?}");
        }
    }
}

#[test]
fn cpu_equals_scipy_at_the_same_positions() {
    let image = pattern(19, 13);
    for Golden { request, values } in goldens() {
        let ours = float_values(&mut CpuBackend::new(), &image, &request);
        assert_eq!(ours.len(), values.len());
        for (&a, b) in ours.iter().zip(&values) {
            assert!((f64::from(a) - b).abs() < TOLERANCE, "{a} is not SciPy's {b}: {request:#?}");
        }
    }
}

#[test]
fn cpu_agrees_with_the_reference_through_every_warp() {
    let mut backend = CpuBackend::new();
    for (seed, channels) in [Channels::Grey, Channels::Rgb, Channels::Rgba, Channels::GreyAlpha].into_iter().enumerate()
    {
        let image = random_image(seed as u64, size(29, 21), channels);
        for request in requests(seed) {
            let error = error_against_reference(&mut backend, &image, &request);
            assert!(error <= TOLERANCE, "{error:e}: {request:#?}");
        }
    }
}

#[test]
fn antiringed_and_filtered_warps_agree_with_the_reference() {
    let mut backend = CpuBackend::new();
    let image = random_image(4, size(29, 21), Channels::Rgb);
    for request in requests(5).step_by(3) {
        let filters = Filters {
            before: "gaussian=0.8".parse().expect("a chain"),
            after: "median;negative".parse().expect("a chain"),
        };
        let sampler = Sampler { antiringing: 0.7, ..request.sampler };
        for request in [RenderRequest { sampler, ..request.clone() }, RenderRequest { filters, ..request }] {
            let error = error_against_reference(&mut backend, &image, &request);
            assert!(error <= 4.0 * TOLERANCE, "{error:e}: {request:#?}");
        }
    }
}

/// A warp that moves the picture by whole samples shows the bytes of the view that is moved so.
#[test]
fn equal_displacements_are_a_translation() {
    let image = random_image(2, size(32, 16), Channels::Grey);
    let mut backend = CpuBackend::new();
    let view = |translation| View::new(translation, 0.5).expect("a view");
    let plain = RenderRequest { view: view([-8.0, 4.0]), ..RenderRequest::new(size(40, 30)) };
    let warped = RenderRequest {
        view: view([0.0, 0.0]),
        warp: warp("grid=[0.25,-0.25,0.25,-0.25;0.25,-0.25,0.25,-0.25]"),
        ..RenderRequest::new(size(40, 30))
    };
    let [a, b] = [plain, warped].map(|request| float_values(&mut backend, &image, &request));
    assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-6));
}

/// Columns black and white in turn, in a part that a lens makes half as large: aliased a pixel shows one column of two, antialiased
/// the mean of both.
#[test]
fn antialiasing_follows_the_local_scale() {
    let side = 97;
    let values = (0..side * side).map(|k| if k % side % 2 == 0 { 0 } else { 255 }).collect();
    let image: Image = image(size(side, side), Channels::Grey, Samples::U8 { values, maxval: 255 });
    let deviation = |antialias: bool| {
        let sampler = Sampler { antialias, ..Sampler::default().with_method(Method::CATMULL_ROM) };
        // At the middle, sample 48, two samples a pixel; at the rim one.
        let request = RenderRequest { sampler, warp: warp("lens=-1,1"), ..RenderRequest::new(size(side, side)) };
        let values = float_values(&mut CpuBackend::new(), &image, &request);
        let inside = (45..52).flat_map(|y| (45..52).map(move |x| (x, y)));
        inside.map(|(x, y)| (values[y * side as usize + x] - 0.5).abs()).fold(0.0, f32::max)
    };
    assert!(deviation(false) > 0.4, "{}", deviation(false));
    assert!(deviation(true) < 0.1, "{}", deviation(true));
}

#[test]
fn paths_without_a_warp_and_the_truth_are_refused_by_name() {
    let image = random_image(0, size(8, 8), Channels::Grey);
    let refusal = |path: SamplingPath| {
        let sampler = Sampler { path, ..Sampler::default() };
        let request = RenderRequest { sampler, warp: warp("lens"), ..RenderRequest::new(size(8, 8)) };
        request.check(&image.pages()[0]).err().map(|error| error.to_string())
    };
    assert_eq!(refusal(SamplingPath::Auto), None);
    assert_eq!(refusal(SamplingPath::Lookup), None);
    for path in [SamplingPath::Filtered, SamplingPath::Tiled] {
        assert_eq!(refusal(path), Some(format!("path '{path}' does not serve a warped view")));
    }
    // Where the view is not warped, a widest support is a matter of the scale; a warp has any.
    let sampler = Sampler { antialias: true, blur: 90.0, ..Sampler::default() };
    let request = RenderRequest { sampler, warp: warp("lens"), ..RenderRequest::new(size(8, 8)) };
    assert!(request.check(&image.pages()[0]).is_ok());
    let sampler = Sampler { blur: 90.0, ..sampler.with_method(Method::LANCZOS3) };
    let request = RenderRequest { sampler, ..request };
    let error = request.check(&image.pages()[0]).expect_err("too wide");
    assert_eq!(error, RequestError::Support { samples: 542, most: 256 });
}
