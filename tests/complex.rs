//! Complex images: agreement with SciPy and with the double-precision reference, files, formulas, and the difference to the
//! interpolation of angles.

mod npy;

use std::f32::consts::PI;
use std::sync::Arc;

use lerpscope::arguments::{parse_subtract, render_arguments};
use lerpscope::backend::{CpuBackend, PixelFormat, RenderRequest, reference, render};
use lerpscope::complex::{COMPONENTS, ComplexFormula, ComplexImage, Component, resolved};
use lerpscope::filter::Filters;
use lerpscope::image::{Channels, Depth, Image, OpenError, Page, Raster, Samples, Size};
use lerpscope::sampling::{AddressMode, Method, Sampler, SamplingPath};
use lerpscope::view::View;
use lerpscope::volume::open_source;

use self::npy::npy;

/// Columns and rows of the image and of the view, as in tests/golden/make_complex.py.
const SIZE: [u32; 2] = [9, 7];
const OUTPUT: [u32; 2] = [6, 5];
const BORDER: f32 = 0.375;

fn size([width, height]: [u32; 2]) -> Size {
    Size::new(width, height).expect("a size")
}

/// Real and imaginary parts of the samples.
fn numbers() -> Vec<f32> {
    let number = |k: u64| (2.0 * (((k * 73 + (k * k) % 151 * 37 + 11) % 256) as f64 / 255.0) - 1.0) as f32;
    (0..u64::from(2 * SIZE[0] * SIZE[1])).map(number).collect()
}

fn image() -> Image {
    Image::of_page("complex", ComplexImage::new(size(SIZE), &numbers()).into_page())
}

fn turned() -> View {
    View::new([0.3, -0.4], 1.9).and_then(|view| view.rotated(20.0)).expect("a view")
}

fn raster(image: &Image, request: &RenderRequest) -> Raster {
    render(&mut CpuBackend::new(), image, request, PixelFormat::file(Depth::Float)).expect("a picture")
}

fn values(image: &Image, request: &RenderRequest) -> Vec<f32> {
    let raster = raster(image, request);
    (0..raster.samples().len()).map(|index| raster.samples().number(index)).collect()
}

#[test]
fn components_of_interpolated_numbers_agree_with_scipy() {
    let image = image();
    let mut lines = include_str!("golden/complex.txt").lines().skip(1);
    let mut count = 0;
    while let Some(case) = lines.next() {
        let words: Vec<&str> = case.split(' ').collect();
        let [_, method, address, prefilter] = words[..] else { panic!("{case}") };
        let sampler = Sampler {
            address: [AddressMode::by_name(address).expect("a mode"); 2],
            border: BORDER,
            prefilter: prefilter == "on",
            ..Sampler::default().with_method(method.parse().expect("a method"))
        };
        for row in &COMPONENTS {
            let component = row.component;
            let request = RenderRequest { view: turned(), sampler, component, ..RenderRequest::new(size(OUTPUT)) };
            let expected = lines.next().expect("values").split(' ').map(|number| number.parse().expect("a number"));
            let expected: Vec<f64> = expected.collect();
            let exact = reference::values(&image, &request).expect("a picture");
            let found = values(&image, &request);
            assert_eq!((found.len(), exact.len()), (expected.len(), expected.len()), "{case} {component}");
            // A phase is as much less exact as the number is nearer to 0; colours have the slope of a sixth of the circle.
            let magnitudes = reference::values(&image, &RenderRequest { component: Component::Magnitude, ..request });
            let magnitudes = magnitudes.expect("a picture");
            for (index, expected) in expected.iter().enumerate() {
                let tolerance = match component {
                    Component::Phase => 3e-6 / magnitudes[index],
                    Component::Real | Component::Imaginary | Component::Magnitude | Component::Domain => 3e-6,
                };
                for found in [f64::from(found[index]), exact[index]] {
                    assert!((found - expected).abs() < tolerance, "{case} {component} {index}: {found} {expected}");
                }
            }
        }
        count += 1;
    }
    assert_eq!(count, 8);
}

/// The parts go through the whole path of a picture: warps, antialiasing, filters before and after, antiringing, subtraction.
#[test]
fn components_agree_with_the_reference_under_everything_that_a_picture_has() {
    let image = image();
    let bspline = Sampler { prefilter: true, ..Sampler::default().with_method(Method::BSPLINE) };
    let base = RenderRequest { sampler: bspline, ..RenderRequest::new(size(OUTPUT)) };
    let wide = View::new([0.0; 2], 2.6).expect("a view");
    let lanczos = Sampler { antiringing: 1.0, ..Sampler::default().with_method(Method::CATMULL_ROM) };
    let filters = |before: &str, after: &str| Filters {
        before: before.parse().expect("a chain"),
        after: after.parse().expect("a chain"),
    };
    let near = View::new([0.2, 0.1], 0.7).expect("a view");
    for request in [
        RenderRequest { view: wide, sampler: Sampler { antialias: true, ..bspline }, ..base.clone() },
        RenderRequest { warp: "swirl=40".parse().expect("a warp"), ..base.clone() },
        RenderRequest { view: near, sampler: lanczos, ..base.clone() },
        RenderRequest { view: near, filters: filters("gaussian=0.8", "none"), ..base.clone() },
        RenderRequest { view: near, filters: filters("none", "gaussian=1"), ..base.clone() },
    ] {
        for component in [Component::Magnitude, Component::Domain] {
            let request = RenderRequest { component, ..request.clone() };
            let expected = reference::values(&image, &request).expect("a picture");
            for (found, expected) in values(&image, &request).iter().zip(&expected) {
                assert!((f64::from(*found) - expected).abs() < 4e-6, "{component}: {found} {expected}");
            }
        }
    }
    let magnitude = RenderRequest { component: Component::Magnitude, view: near, ..base };
    let subtract = RenderRequest { component: Component::Real, ..magnitude.clone() };
    let difference = RenderRequest { subtract: Some(Box::new(subtract.clone())), ..magnitude.clone() };
    let (a, b) = (values(&image, &magnitude), values(&image, &subtract));
    for (index, found) in values(&image, &difference).iter().enumerate() {
        assert!((found - (a[index] - b[index])).abs() < 1e-6);
    }
    let domain = RenderRequest { component: Component::Domain, ..magnitude.clone() };
    let refused = RenderRequest { subtract: Some(Box::new(domain)), ..magnitude };
    assert!(render(&mut CpuBackend::new(), &image, &refused, PixelFormat::file(Depth::Float)).is_err(), "channels");
}

/// Half way between the phases 3.1 and −3.1 lies π; their mean is 0.
#[test]
fn phase_of_interpolated_numbers_is_not_the_interpolated_phase() {
    let at = |angle: f32| [angle.cos(), angle.sin()];
    let numbers = [at(3.1), at(-3.1)].concat();
    let complex = Arc::new(ComplexImage::new(size([2, 1]), &numbers).into_page());
    let phases = resolved(&complex, Component::Phase);
    assert!(
        (phases.raster().number(0, 0, 0) - 3.1).abs() < 1e-6 && (phases.raster().number(1, 0, 0) + 3.1).abs() < 1e-6
    );
    let samples = Samples::F32(vec![phases.raster().number(0, 0, 0), phases.raster().number(1, 0, 0)]);
    let angles = Page::new(Raster::new(size([2, 1]), Channels::Grey, samples).expect("a raster"));
    let complex = Image::of_page("complex", ComplexImage::new(size([2, 1]), &numbers).into_page());
    let angles = Image::of_page("angles", angles);
    let view = View::new([0.0; 2], 1.0).and_then(|view| view.translated([0.0, -0.5])).expect("a view");
    // The pixel half way.
    let request = RenderRequest { view, component: Component::Phase, ..RenderRequest::new(size([1, 1])) };
    assert_eq!(request.map(size([2, 1])).at([0.0; 2]), [0.5, -0.5]);
    let [exact, mean] = [&complex, &angles].map(|image| values(image, &request)[0]);
    assert!((exact.abs() - PI).abs() < 1e-5, "{exact}");
    assert!(mean.abs() < 1e-5, "{mean}");
}

#[test]
fn pages_of_components_are_kept_and_a_picture_is_its_own_real_part() {
    let image = image();
    let page = &image.pages()[0];
    assert_eq!((page.channels(), page.depth()), (Channels::Grey, Depth::Float));
    for row in &COMPONENTS {
        let shown = resolved(page, row.component);
        assert_eq!((shown.id(), shown.channels()), (resolved(page, row.component).id(), row.component.channels()));
        let found = shown.raster();
        let [re, im] = [numbers()[2 * 11], numbers()[2 * 11 + 1]].map(f64::from);
        let greatest = ComplexImage::of(page).expect("a complex image").greatest();
        let expected = row.component.values([re, im], greatest);
        for (channel, expected) in expected.iter().take(shown.channels().count()).enumerate() {
            assert_eq!(found.number(11 % SIZE[0], 11 / SIZE[0], channel), *expected as f32, "{}", row.name);
        }
    }
    assert_eq!(page.raster(), resolved(page, Component::Real).raster());
    let picture = Arc::new(Page::new(Raster::zeros(size([2, 2]), Channels::Rgb, Depth::EIGHT)));
    assert_eq!(resolved(&picture, Component::Phase).id(), picture.id());
    let weak = Arc::downgrade(&ComplexImage::of(page).expect("a complex image"));
    drop(image);
    assert!(weak.upgrade().is_none(), "a closed image is not kept alive by its pages");
}

#[test]
fn component_is_written_and_parsed() {
    let request = RenderRequest { component: Component::Phase, ..RenderRequest::new(size(OUTPUT)) };
    assert!(render_arguments(&request).windows(2).any(|pair| pair == ["--component", "phase"]));
    let other = parse_subtract("component=domain", &request).expect("a request");
    assert_eq!(other.component, Component::Domain);
    assert!(parse_subtract("component=angle", &request).expect_err("unknown").to_string().contains("magnitude"));
    let path = Sampler { path: SamplingPath::Filtered, ..request.sampler };
    let request = RenderRequest { sampler: path, view: turned(), ..request };
    let expected = reference::values(&image(), &request).expect("a picture");
    for (found, expected) in values(&image(), &request).iter().zip(expected) {
        assert!((f64::from(*found) - expected).abs() < 1e-5, "the texture unit's weights: {found} {expected}");
    }
}

#[test]
fn arrays_of_complex_numbers_and_formulas_open_as_complex_images() {
    let folder = tempfile::tempdir().expect("a folder");
    let open = |name: &str, bytes: Vec<u8>| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("a file");
        open_source(&path)
    };
    let single: Vec<u8> = (0..12).flat_map(|k| (k as f32).to_le_bytes()).collect();
    let double: Vec<u8> = (0..12).flat_map(|k| f64::from(k).to_le_bytes()).collect();
    for (kind, data) in [("<c8", single), ("<c16", double)] {
        let opened = open("numbers.npy", npy(kind, false, "(2, 3)", &data)).expect("a complex image");
        let complex = ComplexImage::of(&opened.image.pages()[0]).expect("a complex image");
        assert_eq!((complex.size().sides(), opened.format), ([3, 2], "NPY"));
        let number = |component| complex.page(component).raster().number(1, 1, 0);
        assert_eq!([number(Component::Real), number(Component::Imaginary)], [8.0, 9.0]);
        assert_eq!(complex.greatest(), 10.0_f64.hypot(11.0));
    }
    let error = open("volume.npy", npy("<c8", false, "(1, 2, 2)", &[0; 32])).expect_err("three axes").to_string();
    assert!(error.contains("has complex numbers and 3 axes; complex pictures have two axes"), "{error}");
    assert!(open("short.npy", npy("<c8", false, "(4, 4)", &[0; 9])).is_err());
    let image = open_source("synth:vortex:33x21".as_ref()).expect("a formula").image;
    assert_eq!((image.name(), image.pages()[0].size().sides()), ("synth:vortex:33x21", [33, 21]));
    let formula: ComplexFormula = image.name().parse().expect("a formula");
    let complex = ComplexImage::of(&image.pages()[0]).expect("a complex image");
    let found = [Component::Real, Component::Imaginary].map(|part| complex.page(part).raster().number(7, 4, 0));
    assert_eq!(found, formula.value([7.0, 4.0]).map(|part| part as f32));
    let phases = open_source("synth:vortex:33x21:phase".as_ref()).expect("a picture").image;
    assert_eq!(phases.name(), "synth:vortex:33x21:phase");
    assert_eq!(phases.pages()[0].raster(), complex.page(Component::Phase).raster());
    assert!(ComplexImage::of(&phases.pages()[0]).is_none(), "a picture of numbers");
    assert!(open_source("synth:vortex:33x21:angle".as_ref()).is_err());
    assert!(matches!(open_source("synth:vortex:0x4".as_ref()), Err(OpenError::GridFormula(_))));
}
