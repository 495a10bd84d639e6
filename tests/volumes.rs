//! Planes of volumes: agreement with SciPy, with the interpolation of the grid and with the double-precision reference; refusals;
//! files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lerpscope::arguments::parse_orientation;
use lerpscope::backend::{CpuBackend, PixelFormat, RenderRequest, RequestError, reference, render};
use lerpscope::filter::Filters;
use lerpscope::grid::{Components, Grid, GridSampler};
use lerpscope::image::{Channels, Depth, Image, OpenError, Page, Size};
use lerpscope::sampling::{ADDRESS_MODES, AddressMode, METHODS, Method, Sampler, SamplingPath};
use lerpscope::view::View;
use lerpscope::volume::{MAIN_PLANES, MainPlane, NoVolume, Orientation, Plane, Volume, open_source, resolved};

/// Number of samples along x, y and z, as in tests/golden/make_volumes.py.
const SIZE: [usize; 3] = [7, 8, 9];
const SPACING: [f64; 3] = [1.0, 1.0, 2.0];
const BORDER: f32 = 0.375;

fn samples() -> Vec<f32> {
    let count = SIZE.iter().product::<usize>() as u64;
    (0..count).map(|k| (((k * 73 + (k * k) % 151 * 37 + 11) % 256) as f64 / 255.0) as f32).collect()
}

fn grid() -> Grid<f32> {
    let [width, height, depth] = SIZE;
    Grid::new(&[depth, height, width], Components::Real, samples()).expect("a grid")
}

fn volume(spacing: [f64; 3], is_y_up: bool) -> Image {
    Image::of_page("volume", Volume::new(grid(), spacing, is_y_up).expect("a volume").into_page())
}

fn oblique(tilt_deg: f64, turn_deg: f64) -> Orientation {
    Orientation::Oblique { tilt_deg, turn_deg }
}

/// The request of every sample of a plane.
fn request(image: &Image, plane: Plane, sampler: Sampler) -> RenderRequest {
    let page = resolved(&image.pages()[0], &plane, &sampler);
    RenderRequest { plane, sampler, ..RenderRequest::new(page.size()) }
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
        };
        let sampler = Sampler {
            address: [AddressMode::by_name(address).expect("a mode"); 2],
            border: BORDER,
            prefilter: prefilter == "on",
            ..Sampler::default().with_method(method.parse().expect("a method"))
        };
        let request = request(&image, plane, sampler);
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
                    let plane = Plane { orientation: Orientation::Main(row.plane), slice: Some(slice) };
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
            let slanted = request(&image, Plane { orientation, slice: Some(0.25) }, sampler);
            let straight = Plane { orientation: Orientation::Main(main), slice: Some(middle + 0.25) };
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
    let plane = Plane { orientation: oblique(40.0, 15.0), slice: Some(-0.6) };
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

#[test]
fn slice_at_a_sample_has_the_samples_of_the_file() {
    let image = volume(SPACING, false);
    let samples = samples();
    let page = |plane, slice| {
        let plane = Plane { orientation: Orientation::Main(plane), slice };
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
    let plane = Plane { orientation: oblique(20.0, 70.0), slice: None };
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
        let plane = Plane { orientation, slice: Some(0.5) };
        drop(values(&image, &request(&image, plane, sampler)));
    }
    drop(image);
    assert!(weak.upgrade().is_none());
}

#[test]
fn oblique_planes_refuse_what_acts_on_samples() {
    let image = volume(SPACING, false);
    let plane = Plane { orientation: oblique(40.0, 15.0), slice: None };
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
    for (index, value) in volume.grid().values().iter().enumerate() {
        let [i, j, k] = [index % 3, index / 3 % 4, index / 12];
        assert_eq!(*value, 0.5 * (100 * i + 10 * j + k) as f32 - 2.0);
    }
    // Row 0 is the one of the largest j.
    assert_eq!(opened.image.pages()[0].raster().number(1, 0, 0), 0.5 * (100.0 + 30.0 + 1.0) - 2.0);
    assert_eq!(volume.shape().steps(Orientation::Main(MainPlane::Coronal)), [1.0, 3.5]);
    let series = open_source(&data("series.nii.gz")).expect("a series").image;
    assert_eq!(series.pages().len(), 2);
    for (time, page) in series.pages().iter().enumerate() {
        let volume = Volume::of(page).expect("a volume");
        assert_eq!(volume.shape().size, [3, 2, 4]);
        for (index, value) in volume.grid().values().iter().enumerate() {
            let [i, j, k] = [index % 3, index / 3 % 2, index / 6];
            assert_eq!(*value, (1000 * time + 100 * i + 10 * j + k) as f32);
        }
    }
}

/// An NPY file of version 1.0.
fn npy(kind: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let mut header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
    while (header.len() + 11) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let len = u16::try_from(header.len()).expect("short").to_le_bytes();
    [b"\x93NUMPY\x01\x00", &len[..], header.as_bytes(), data].concat()
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
    let stack = open("stack.npy", npy("|u1", "(2, 3, 5)", &bytes(30))).expect("a volume").image;
    let volume = Volume::of(&stack.pages()[0]).expect("a volume");
    assert_eq!((volume.shape().size, volume.shape().is_y_up), ([5, 3, 2], false));
    assert_eq!(volume.grid().values()[29], 29.0 / 255.0);
    let times = open("times.npy", npy("|u1", "(2, 3, 1, 5)", &bytes(30))).expect("volumes").image;
    let second = Volume::of(&times.pages()[1]).expect("a volume");
    assert_eq!((times.pages().len(), second.shape().size), (2, [5, 1, 3]));
    assert_eq!(second.grid().values()[0], 15.0 / 255.0);
    let grey = open("grey.npy", npy("|u1", "(2, 3)", &bytes(6))).expect("a picture").image;
    assert_eq!((grey.pages()[0].size().sides(), grey.pages()[0].channels()), ([3, 2], Channels::Grey));
    let colour = open("colour.npy", npy("<f4", "(2, 1, 3)", &[0; 24])).expect("a picture").image;
    assert_eq!((colour.pages()[0].size().sides(), colour.pages()[0].channels()), ([1, 2], Channels::Rgb));
    for (name, file, cause) in [
        (
            "line.npy",
            npy("|u1", "(4,)", &bytes(4)),
            "has 1 axis; pictures have two and volumes three, or four with time",
        ),
        ("complex.npy", npy("<c8", "(1, 2, 2)", &[0; 32]), "has complex numbers, which no picture shows"),
        ("short.npy", npy("|u1", "(2, 3, 5)", &bytes(7)), ""),
        ("empty.nii", Vec::new(), "is empty"),
        ("wrong.nii.gz", b"no volume".to_vec(), ""),
    ] {
        let error = open(name, file).expect_err(name).to_string();
        assert!(error.contains(name) && error.contains(cause) && error.lines().count() == 1, "{error}");
    }
    assert!(matches!(open_source("synth:marschner-lobb:4x4".as_ref()), Err(OpenError::VolumeFormula(_))));
    assert!(matches!(open_source(folder.path().join("none.nii").as_ref()), Err(OpenError::Grid { .. })));
    std::fs::create_dir(folder.path().join("folder.npy")).expect("a folder");
    assert!(matches!(open_source(&folder.path().join("folder.npy")), Err(OpenError::Directory { .. })));
}
