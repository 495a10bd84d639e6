//! Planes of volumes: agreement with SciPy, with the interpolation of the grid and with the double-precision reference; refusals;
//! files.

mod npy;
mod skip;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lerpscope::arguments::parse_orientation;
use lerpscope::backend::{Content, CpuBackend, PixelFormat, RenderRequest, RequestError, reference, render};
use lerpscope::filter::Filters;
use lerpscope::grid::{Components, Grid, GridSampler, VolumeFormula};
use lerpscope::image::{Channels, Depth, Image, OpenError, Page, Size};
use lerpscope::sampling::{ADDRESS_MODES, AddressMode, METHODS, Method, Sampler, SamplingPath};
use lerpscope::view::View;
use lerpscope::volume::{MAIN_PLANES, MainPlane, NoVolume, Orientation, Plane, Volume, open_source, resolved};

use self::npy::npy;

/// Number of samples along x, y and z, as in tests/golden/make_volumes.py.
const SIZE: [usize; 3] = [7, 8, 9];
const SPACING: [f64; 3] = [1.0, 1.0, 2.0];
const BORDER: f32 = 0.375;

fn samples() -> Vec<f32> {
    numbers(SIZE.iter().product())
}

fn numbers(count: usize) -> Vec<f32> {
    (0..count as u64).map(|k| (((k * 73 + (k * k) % 151 * 37 + 11) % 256) as f64 / 255.0) as f32).collect()
}

fn grid() -> Grid<f32> {
    let [width, height, depth] = SIZE;
    Grid::new(&[depth, height, width], Components::Real, samples()).expect("a grid")
}

fn volume(spacing: [f64; 3], is_y_up: bool) -> Image {
    Image::of_page("volume", Volume::new(grid(), spacing, is_y_up).expect("a volume").into_page())
}

/// A volume of four times, as in tests/golden/make_volumes.py.
fn series() -> Image {
    let [width, height, depth] = SIZE;
    let numbers = numbers(4 * width * height * depth);
    let times = numbers.chunks_exact(width * height * depth);
    let grid = |values: &[f32]| Grid::new(&[depth, height, width], Components::Real, values.to_vec()).expect("a grid");
    let volume = Volume::series(times.map(grid).collect(), SPACING, false).expect("a volume");
    Image::of_page("series", volume.into_page())
}

fn oblique(tilt_deg: f64, turn_deg: f64) -> Orientation {
    Orientation::Oblique { tilt_deg, turn_deg }
}

/// The request of every sample of a plane.
fn request(image: &Image, plane: Plane, sampler: Sampler) -> RenderRequest {
    let page = resolved(&image.pages()[0], &plane, &sampler);
    RenderRequest { plane, sampler, ..RenderRequest::new(page.size()) }
}

/// The sampler that the words of a case name.
fn sampler_of([method, address, prefilter]: [&str; 3]) -> Sampler {
    Sampler {
        address: [AddressMode::by_name(address).expect("a mode"); 2],
        border: BORDER,
        prefilter: prefilter == "on",
        ..Sampler::default().with_method(method.parse().expect("a method"))
    }
}

fn values(image: &Image, request: &RenderRequest) -> Vec<f32> {
    let raster = render(&mut CpuBackend::new(), image, request, PixelFormat::file(Depth::Float)).expect("a picture");
    (0..raster.samples().len()).map(|index| raster.samples().number(index)).collect()
}

#[test]
fn planes_agree_with_scipy() {
    let golden = include_str!("golden/volumes.txt");
    let image = volume(SPACING, false);
    let mut lines = golden.lines().skip(1);
    let mut count = 0;
    while let (Some(case), Some(expected)) = (lines.next(), lines.next()) {
        let words: Vec<&str> = case.split(' ').collect();
        let [_, plane, slice, method, address, prefilter, columns, rows] = words[..] else { panic!("{case}") };
        let plane = Plane {
            orientation: parse_orientation(plane, ',').expect("a plane"),
            slice: Some(slice.parse().expect("a number")),
            time: 0.0,
        };
        let request = request(&image, plane, sampler_of([method, address, prefilter]));
        assert_eq!(request.size.to_string(), format!("{columns}×{rows}"), "{case}");
        let found = values(&image, &request);
        let expected: Vec<f64> = expected.split(' ').map(|number| number.parse().expect("a number")).collect();
        assert_eq!(found.len().div_ceil(5), expected.len(), "{case}");
        for (found, expected) in found.iter().step_by(5).zip(expected) {
            assert!((f64::from(*found) - expected).abs() < 2e-6, "{case}: {found} {expected}");
        }
        count += 1;
    }
    assert_eq!(count, 32);
}

/// Planes of a volume that changes have the values of an interpolation in four dimensions, outside the times as well.
#[test]
fn planes_between_times_agree_with_scipy() {
    let golden = include_str!("golden/volume_times.txt");
    let image = series();
    let mut lines = golden.lines().skip(1);
    let mut count = 0;
    while let (Some(case), Some(expected)) = (lines.next(), lines.next()) {
        let words: Vec<&str> = case.split(' ').collect();
        let [_, plane, slice, time, method, address, prefilter, ..] = words[..] else { panic!("{case}") };
        let number = |text: &str| text.parse::<f64>().expect("a number");
        let orientation = parse_orientation(plane, ',').expect("a plane");
        let plane = Plane { orientation, slice: Some(number(slice)), time: number(time) };
        let request = request(&image, plane, sampler_of([method, address, prefilter]));
        let found = values(&image, &request);
        let exact = reference::values(&image, &request).expect("a picture");
        let expected: Vec<f64> = expected.split(' ').map(number).collect();
        assert_eq!(found.len().div_ceil(15), expected.len(), "{case}");
        for ((found, exact), expected) in found.iter().zip(exact).step_by(15).zip(expected) {
            assert!((f64::from(*found) - expected).abs() < 2e-6, "{case}: {found} {expected}");
            assert!((exact - expected).abs() < 2e-6, "{case}: reference {exact} {expected}");
        }
        count += 1;
    }
    assert_eq!(count, 72);
}

#[test]
fn whole_time_has_the_samples_of_that_time_and_a_volume_of_one_ignores_it() {
    let [width, height, depth] = SIZE;
    let all = numbers(4 * width * height * depth);
    let image = series();
    for orientation in [Orientation::default(), oblique(0.0, 0.0)] {
        let middle = if orientation.is_oblique() { 0.0 } else { 4.0 };
        let plane = Plane { orientation, slice: Some(middle), time: 3.0 };
        let found = values(&image, &request(&image, plane, Sampler::default()));
        let slice = (3 * depth + 4) * width * height;
        for (found, expected) in found.iter().zip(&all[slice..slice + width * height]) {
            assert!((found - expected).abs() < 1e-6, "{orientation}: {found} {expected}");
        }
    }
    let one = volume(SPACING, false);
    let plane = |time| Plane { slice: Some(2.5), time, ..Plane::default() };
    let border = Sampler { address: [AddressMode::Border; 2], ..Sampler::default() };
    let page = |time| resolved(&one.pages()[0], &plane(time), &border);
    assert_eq!(page(0.0).id(), page(7.5).id());
    for wrong in [f64::NAN, 2e6] {
        let request = RenderRequest { plane: plane(wrong), ..RenderRequest::new(page(0.0).size()) };
        assert!(matches!(request.check(&page(0.0)), Err(RequestError::Number(_))), "{wrong}");
    }
}

/// The interpolation along the normal of a main plane and then in it is that at points of the grid.
#[test]
fn main_planes_have_the_values_of_the_grid_between_samples_for_every_method_and_mode() {
    let image = volume(SPACING, true);
    let grid = grid();
    for method in
        METHODS.iter().map(|row| row.method).chain(["gaussian=0.6", "o-moms"].map(|name| name.parse().expect(name)))
    {
        for address in ADDRESS_MODES.iter().map(|row| row.address) {
            for prefilter in [false, true] {
                let sampler = Sampler {
                    address: [address; 2],
                    border: BORDER,
                    prefilter,
                    ..Sampler::default().with_method(method)
                };
                let exact = GridSampler { method, address: vec![address], border: [f64::from(BORDER), 0.0], prefilter };
                let exact = grid.interpolator(&exact).expect("a sampler");
                for (row, slice) in MAIN_PLANES.iter().zip([2.375, -1.25, 7.5]) {
                    let plane = Plane { orientation: Orientation::Main(row.plane), slice: Some(slice), time: 0.0 };
                    // Off the middle between samples, where a reversed axis rounds to the other one.
                    let view = View::new([0.31, -0.43], 0.8).expect("a view");
                    let request = RenderRequest { view, ..request(&image, plane, sampler) };
                    let found = values(&image, &request);
                    let shape = *Volume::of(&image.pages()[0]).expect("a volume").shape();
                    let frame = shape.frame(&plane);
                    let map = request.map(frame.size());
                    for (index, found) in found.iter().enumerate() {
                        let width = request.size.width() as usize;
                        let [x, y, z] = frame.at(map.at([(index % width) as f64, (index / width) as f64]));
                        let expected = exact.sample(&[z, y, x]).expect("a point")[0];
                        assert!((found - expected).abs() < 4e-6, "{method} {address} {}: {found} {expected}", row.name);
                    }
                }
            }
        }
    }
}

#[test]
fn oblique_planes_at_right_angles_show_the_main_planes() {
    let image = volume([1.0; 3], false);
    for prefilter in [false, true] {
        let address = [AddressMode::Mirror, AddressMode::Wrap];
        let sampler = Sampler { prefilter, address, ..Sampler::default().with_method(Method::BSPLINE) };
        for (orientation, main, middle) in
            [(oblique(0.0, 0.0), MainPlane::Axial, 4.0), (oblique(90.0, 0.0), MainPlane::Coronal, 3.5)]
        {
            let slanted = request(&image, Plane { orientation, slice: Some(0.25), time: 0.0 }, sampler);
            let straight = Plane { orientation: Orientation::Main(main), slice: Some(middle + 0.25), time: 0.0 };
            let straight = request(&image, straight, sampler);
            assert_eq!(slanted.size, straight.size);
            for (a, b) in values(&image, &slanted).iter().zip(values(&image, &straight)) {
                assert!((a - b).abs() < 3e-6, "{main}: {a} {b}");
            }
        }
    }
}

#[test]
fn oblique_planes_agree_with_the_reference_under_views_warps_and_filters_of_pixels() {
    let image = volume(SPACING, false);
    let plane = Plane { orientation: oblique(40.0, 15.0), slice: Some(-0.6), time: 0.0 };
    let sampler = Sampler { prefilter: true, ..Sampler::default().with_method(Method::BSPLINE) };
    let base = request(&image, plane, sampler);
    let turned = base.view.scaled([0.4, 0.5]).and_then(|view| view.rotated(25.0)).expect("a view");
    let after = Filters { after: "gaussian=1".parse().expect("a chain"), ..Filters::default() };
    for request in [
        RenderRequest { view: turned, ..base.clone() },
        RenderRequest { warp: "swirl=40".parse().expect("a warp"), ..base.clone() },
        RenderRequest { filters: after, ..base.clone() },
        RenderRequest {
            subtract: Some(Box::new(RenderRequest { sampler: Sampler::default(), ..base.clone() })),
            ..base.clone()
        },
        RenderRequest {
            subtract: Some(Box::new(RenderRequest { plane: Plane { slice: Some(2.0), ..plane }, ..base.clone() })),
            ..base.clone()
        },
    ] {
        let expected = reference::values(&image, &request).expect("a picture");
        let found = values(&image, &request);
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(&expected) {
            assert!((f64::from(*found) - expected).abs() < 2e-6, "{found} {expected}");
        }
    }
}

/// The truth of a volume's formula on a plane: its values at the positions of the pixels, and its mean over them.
#[test]
fn truth_of_a_plane_is_the_formula_at_its_positions() {
    let formula: VolumeFormula = "synth:gaussian-mixture:14x12x10x4".parse().expect("a formula");
    let image = open_source(formula.to_string().as_ref()).expect("a volume").image;
    let shape = *Volume::of(&image.pages()[0]).expect("a volume").shape();
    for orientation in [Orientation::default(), Orientation::Main(MainPlane::Sagittal), oblique(30.0, -20.0)] {
        let plane = Plane { orientation, slice: Some(1.3), time: 2.5 };
        let view = View::new([0.4, -0.2], 0.7).and_then(|view| view.rotated(10.0)).expect("a view");
        let request = RenderRequest { content: Content::Truth, view, ..request(&image, plane, Sampler::default()) };
        let frame = shape.frame(&plane);
        let map = request.map(frame.size());
        let width = request.size.width() as usize;
        let exact = reference::values(&image, &request).expect("a picture");
        for (index, found) in values(&image, &request).iter().enumerate() {
            let place = frame.at(map.at([(index % width) as f64, (index / width) as f64]));
            let expected = formula.value(place, 2.5);
            assert!((f64::from(*found) - expected).abs() < 1e-6, "{orientation} {index}: {found} {expected}");
            assert!((exact[index] - expected).abs() < 1e-12, "{orientation} {index}");
        }
        // The interpolation of fine samples comes near to it.
        let interpolated = RenderRequest {
            content: Content::Interpolation,
            sampler: Sampler { prefilter: true, ..Sampler::default().with_method(Method::BSPLINE) },
            ..request.clone()
        };
        let middle = exact.len() / 2 + width / 2;
        assert!((f64::from(values(&image, &interpolated)[middle]) - exact[middle]).abs() < 0.1, "{orientation}");
    }
    let wide = View::new([0.0; 2], 3.0).expect("a view");
    let antialias = Sampler { antialias: true, ..Sampler::default() };
    let request = request(&image, Plane::default(), antialias);
    let mean = RenderRequest { content: Content::Truth, view: wide, ..request };
    let pixel = 5 * 14 + 7;
    let map = mean.map(mean.size);
    let centre = map.at([7.0, 5.0]);
    const STEPS: usize = 60;
    let offset = |k: usize| ((k as f64 + 0.5) / STEPS as f64 - 0.5) * 3.0;
    let sum: f64 = (0..STEPS * STEPS)
        .map(|k| formula.value([centre[0] + offset(k % STEPS), centre[1] + offset(k / STEPS), 5.0], 0.0))
        .sum();
    let found = f64::from(values(&image, &mean)[pixel]);
    assert!((found - sum / (STEPS * STEPS) as f64).abs() < 1e-4, "{found}");
    let file = volume(SPACING, false);
    assert!(resolved(&file.pages()[0], &Plane::default(), &Sampler::default()).truth().is_none());
}

#[test]
fn slice_at_a_sample_has_the_samples_of_the_file() {
    let image = volume(SPACING, false);
    let samples = samples();
    let page = |plane, slice| {
        let plane = Plane { orientation: Orientation::Main(plane), slice, time: 0.0 };
        resolved(&image.pages()[0], &plane, &Sampler::default())
    };
    let [width, height, depth] = SIZE;
    let sample = |x: usize, y: usize, z: usize| samples[(z * height + y) * width + x];
    assert_eq!(page(MainPlane::Axial, Some(3.0)).raster().number(2, 5, 0), sample(2, 5, 3));
    assert_eq!(page(MainPlane::Coronal, Some(1.0)).raster().number(2, 5, 0), sample(2, 1, depth - 1 - 5));
    assert_eq!(page(MainPlane::Sagittal, Some(6.0)).raster().number(3, 0, 0), sample(6, 3, depth - 1));
    let middle = page(MainPlane::Axial, None);
    assert_eq!(middle.raster(), image.pages()[0].raster(), "the page of a volume is its middle axial slice");
    assert_eq!(middle.id(), page(MainPlane::Axial, Some(4.0)).id(), "planes are kept");
}

/// The page of an oblique plane has its size without samples; they are computed once.
#[test]
fn page_of_an_oblique_plane_has_the_values_at_its_whole_positions() {
    let image = volume(SPACING, false);
    let plane = Plane { orientation: oblique(20.0, 70.0), slice: None, time: 0.0 };
    let sampler = Sampler::default().with_method(Method::CATMULL_ROM);
    let page = resolved(&image.pages()[0], &plane, &sampler);
    assert_eq!((page.channels(), page.depth(), page.maxval()), (Channels::Grey, Depth::Float, 1));
    let shown = values(&image, &request(&image, plane, sampler));
    assert_eq!(page.size().area(), shown.len());
    assert!((0..shown.len()).all(|index| page.raster().samples().number(index) == shown[index]));
    assert_eq!(page.id(), resolved(&image.pages()[0], &plane, &sampler).id(), "while it is held");
}

#[test]
fn closed_volume_is_not_kept_alive_by_its_planes() {
    let image = volume(SPACING, false);
    let weak = Arc::downgrade(&Volume::of(&image.pages()[0]).expect("a volume"));
    let sampler = Sampler { prefilter: true, ..Sampler::default().with_method(Method::BSPLINE) };
    for orientation in [Orientation::default(), oblique(10.0, 20.0)] {
        let plane = Plane { orientation, slice: Some(0.5), time: 0.0 };
        drop(values(&image, &request(&image, plane, sampler)));
    }
    drop(image);
    assert!(weak.upgrade().is_none());
}

#[test]
fn oblique_planes_refuse_what_acts_on_samples() {
    let image = volume(SPACING, false);
    let plane = Plane { orientation: oblique(40.0, 15.0), slice: None, time: 0.0 };
    let base = request(&image, plane, Sampler::default());
    let page = resolved(&image.pages()[0], &plane, &Sampler::default());
    let refused = |request: RenderRequest| request.check(&page).expect_err("refused").to_string();
    let before = Filters { before: "median".parse().expect("a chain"), ..Filters::default() };
    assert_eq!(
        refused(RenderRequest { filters: before, ..base.clone() }),
        "an oblique plane has no filters before the interpolation: it has no samples of its own"
    );
    let antiringing = Sampler { antiringing: 1.0, ..base.sampler.with_method(Method::CATMULL_ROM) };
    assert!(refused(RenderRequest { sampler: antiringing, ..base.clone() }).contains("antiringing"));
    let (antialias, view) = (Sampler { antialias: true, ..base.sampler }, View::new([0.0; 2], 2.0).expect("a view"));
    assert!(refused(RenderRequest { sampler: antialias, view, ..base.clone() }).contains("antialiasing"));
    assert!(RenderRequest { sampler: antialias, ..base.clone() }.check(&page).is_ok(), "it has no effect at 1:1");
    let filtered = Sampler { path: SamplingPath::Filtered, ..base.sampler };
    assert!(refused(RenderRequest { sampler: filtered, ..base.clone() }).contains("an oblique plane"));
    for wrong in [f64::NAN, 2e6] {
        let plane = Plane { slice: Some(wrong), ..plane };
        assert!(
            matches!(RenderRequest { plane, ..base.clone() }.check(&page), Err(RequestError::Number(_))),
            "{wrong}"
        );
    }
}

#[test]
fn grids_that_are_no_volumes_are_refused() {
    let flat = Grid::new(&[2, 3], Components::Real, vec![0.0; 6]).expect("a grid");
    assert_eq!(Volume::new(flat, [1.0; 3], false).err(), Some(NoVolume::Dimensions(2)));
    let complex = Grid::new(&[1, 2, 3], Components::Complex, vec![0.0; 12]).expect("a grid");
    assert_eq!(Volume::new(complex, [1.0; 3], false).err(), Some(NoVolume::Complex));
    assert_eq!(Volume::series(Vec::new(), [1.0; 3], false).err(), Some(NoVolume::Times(0)));
    let small = Grid::new(&[1, 2, 3], Components::Real, vec![0.0; 6]).expect("a grid");
    assert_eq!(Volume::series(vec![grid(), small], [1.0; 3], false).err(), Some(NoVolume::Unlike));
    let page =
        Page::new(lerpscope::image::Raster::zeros(Size::new(2, 2).expect("a size"), Channels::Grey, Depth::EIGHT));
    assert!(Volume::of(&page).is_none());
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/grids").join(name)
}

#[test]
fn nifti_file_opens_with_its_axes_values_and_spacing() {
    let opened = open_source(&data("scaled.nii")).expect("a NIfTI file");
    assert_eq!((opened.image.name(), opened.format), ("scaled.nii", "NIfTI-1"));
    let volume = Volume::of(&opened.image.pages()[0]).expect("a volume");
    assert_eq!((volume.shape().size, volume.shape().spacing), ([3, 4, 2], [1.0, 2.0, 3.5]));
    assert!(volume.shape().is_y_up);
    for (index, value) in volume.times()[0].values().iter().enumerate() {
        let [i, j, k] = [index % 3, index / 3 % 4, index / 12];
        assert_eq!(*value, 0.5 * (100 * i + 10 * j + k) as f32 - 2.0);
    }
    // Row 0 is the one of the largest j.
    assert_eq!(opened.image.pages()[0].raster().number(1, 0, 0), 0.5 * (100.0 + 30.0 + 1.0) - 2.0);
    assert_eq!(volume.shape().steps(Orientation::Main(MainPlane::Coronal)), [1.0, 3.5]);
    let series = open_source(&data("series.nii.gz")).expect("a series").image;
    assert_eq!(series.pages().len(), 1);
    let volume = Volume::of(&series.pages()[0]).expect("a volume");
    assert_eq!((volume.shape().size, volume.shape().times), ([3, 2, 4], 2));
    for (time, grid) in volume.times().iter().enumerate() {
        for (index, value) in grid.values().iter().enumerate() {
            let [i, j, k] = [index % 3, index / 3 % 2, index / 6];
            assert_eq!(*value, (1000 * time + 100 * i + 10 * j + k) as f32);
        }
    }
}

/// The axes of a file lie along those of the body that they are closest to, as nibabel's `as_closest_canonical` has them.
#[test]
fn nifti_files_of_every_affine_open_in_canonical_orientation() {
    let golden = include_str!("golden/orientation.txt");
    let mut lines = golden.lines().skip(1);
    let mut count = 0;
    while let (Some(case), Some(expected)) = (lines.next(), lines.next()) {
        let words: Vec<&str> = case.split(' ').collect();
        let [_, name, letters, ref numbers @ ..] = words[..] else { panic!("{case}") };
        let numbers: Vec<f64> = numbers.iter().map(|number| number.parse().expect("a number")).collect();
        let path = data(&format!("oriented-{name}.nii"));
        let axes = lerpscope::grid::open(&path).expect("a grid").body.expect("axes").axes;
        assert_eq!(axes.map(lerpscope::grid::BodyAxis::letter).iter().collect::<String>(), letters, "{name}");
        let image = open_source(&path).expect("a volume").image;
        let volume = Volume::of(&image.pages()[0]).expect("a volume");
        assert_eq!(volume.shape().size.map(f64::from)[..], numbers[..3], "{name}");
        for (found, expected) in volume.shape().spacing.iter().zip(&numbers[3..]) {
            assert!((found - expected).abs() < 1e-4, "{name}: {found} {expected}");
        }
        let expected: Vec<f32> = expected.split(' ').map(|number| number.parse().expect("a number")).collect();
        assert_eq!(volume.times()[0].values(), expected, "{name}");
        count += 1;
    }
    assert_eq!(count, 7);
}

/// The files of nibabel's own tests, in the folder named by the environment variable; they are not part of this repository. With
/// `LERPSCOPE_REQUIRE_NIBABEL=1` the test fails instead of being skipped.
#[test]
fn files_of_nibabel_open_as_nibabel_reads_them() {
    const FOLDER: &str = "LERPSCOPE_NIBABEL_DATA";
    let Some(folder) = std::env::var_os(FOLDER) else {
        skip::skip(Some("LERPSCOPE_REQUIRE_NIBABEL"), &format!("{FOLDER} names no folder nibabel/tests/data"));
        return;
    };
    for line in include_str!("golden/nibabel.txt").lines().skip(1) {
        let words: Vec<&str> = line.split(' ').collect();
        let [name, letters, ref numbers @ ..] = words[..] else { panic!("{line}") };
        let path = Path::new(&folder).join(name);
        let axes = lerpscope::grid::open(&path).expect(name).body.expect("axes").axes;
        assert_eq!(axes.map(lerpscope::grid::BodyAxis::letter).iter().collect::<String>(), letters, "{name}");
        let image = open_source(&path).expect(name).image;
        let volume = Volume::of(&image.pages()[0]).expect("a volume");
        let sizes: Vec<usize> = numbers[..4].iter().map(|number| number.parse().expect("a number")).collect();
        let [width, height, depth] = volume.shape().size.map(|side| side as usize);
        assert_eq!(sizes, [width, height, depth, volume.shape().times as usize], "{name}");
        for (part, expected) in [1, 2, 3].into_iter().zip(&numbers[4..]) {
            let [x, y, z, time] = [0, 1, 2, 3].map(|axis| sizes[axis] * part / 4);
            let expected: f64 = expected.parse().expect("a number");
            let found = f64::from(volume.times()[time].values()[(z * height + y) * width + x]);
            assert!((found - expected).abs() <= 1e-6 * expected.abs(), "{name}: {found} {expected}");
            // The same sample in every main plane at its whole position.
            for (row, pixel) in MAIN_PLANES.iter().zip([[x, height - 1 - y], [x, depth - 1 - z], [y, depth - 1 - z]]) {
                let slice = Some([x, y, z][row.normal] as f64);
                let plane = Plane { orientation: Orientation::Main(row.plane), slice, time: time as f64 };
                let page = resolved(&image.pages()[0], &plane, &Sampler::default().with_method(Method::Nearest));
                let shown = f64::from(page.raster().number(pixel[0] as u32, pixel[1] as u32, 0));
                assert!((shown - expected).abs() <= 1e-6 * expected.abs(), "{name} {}: {shown}", row.name);
            }
        }
        let whole = values(&image, &request(&image, Plane::default(), Sampler::default()));
        assert!(whole.iter().all(|value| value.is_finite()), "{name}");
        let mut bytes = std::fs::read(&path).expect(name);
        bytes.truncate(bytes.len() * 2 / 3);
        let short = tempfile::tempdir().expect("a folder");
        let short = short.path().join(name);
        std::fs::write(&short, bytes).expect("a file");
        let error = open_source(&short).expect_err("it ends early").to_string();
        assert!(error.contains(name) && error.lines().count() == 1, "{error}");
    }
}

#[test]
fn arrays_open_as_volumes_or_pictures_by_their_shape() {
    let folder = tempfile::tempdir().expect("a folder");
    let open = |name: &str, bytes: Vec<u8>| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("a file");
        open_source(&path)
    };
    let bytes = |count: u8| (0..count).collect::<Vec<u8>>();
    let stack = open("stack.npy", npy("|u1", false, "(2, 3, 5)", &bytes(30))).expect("a volume").image;
    let volume = Volume::of(&stack.pages()[0]).expect("a volume");
    assert_eq!((volume.shape().size, volume.shape().is_y_up), ([5, 3, 2], false));
    assert_eq!(volume.times()[0].values()[29], 29.0 / 255.0);
    let times = open("times.npy", npy("|u1", false, "(2, 3, 1, 5)", &bytes(30))).expect("volumes").image;
    let series = Volume::of(&times.pages()[0]).expect("a volume");
    assert_eq!((times.pages().len(), series.shape().size, series.shape().times), (1, [5, 1, 3], 2));
    assert_eq!(series.times()[1].values()[0], 15.0 / 255.0);
    let grey = open("grey.npy", npy("|u1", false, "(2, 3)", &bytes(6))).expect("a picture").image;
    assert_eq!((grey.pages()[0].size().sides(), grey.pages()[0].channels()), ([3, 2], Channels::Grey));
    let colour = open("colour.npy", npy("<f4", false, "(2, 1, 3)", &[0; 24])).expect("a picture").image;
    assert_eq!((colour.pages()[0].size().sides(), colour.pages()[0].channels()), ([1, 2], Channels::Rgb));
    for (name, file, cause) in [
        (
            "line.npy",
            npy("|u1", false, "(4,)", &bytes(4)),
            "has 1 axis; pictures have two and volumes three, or four with time",
        ),
        (
            "complex.npy",
            npy("<c8", false, "(1, 2, 2)", &[0; 32]),
            "has complex numbers and 3 axes; complex pictures have two axes",
        ),
        ("short.npy", npy("|u1", false, "(2, 3, 5)", &bytes(7)), ""),
        ("empty.nii", Vec::new(), "is empty"),
        ("wrong.nii.gz", b"no volume".to_vec(), ""),
    ] {
        let error = open(name, file).expect_err(name).to_string();
        assert!(error.contains(name) && error.contains(cause) && error.lines().count() == 1, "{error}");
    }
    let turning = open_source("synth:gaussian-mixture:6x5x4x3".as_ref()).expect("a formula").image;
    let shape = *Volume::of(&turning.pages()[0]).expect("a volume").shape();
    assert_eq!((shape.size, shape.times), ([6, 5, 4], 3));
    assert!(matches!(open_source("synth:marschner-lobb:4x4".as_ref()), Err(OpenError::GridFormula(_))));
    assert!(matches!(open_source(folder.path().join("none.nii").as_ref()), Err(OpenError::Grid { .. })));
    std::fs::create_dir(folder.path().join("folder.npy")).expect("a folder");
    assert!(matches!(open_source(&folder.path().join("folder.npy")), Err(OpenError::Directory { .. })));
}
