//! Grids and points in files: NPY, NIfTI-1, pictures, formulas; what is cut off or wrong.

use std::path::{Path, PathBuf};

use lerpscope::grid::{
    self, AnyGrid, Components, Coordinates, Grid, GridFileCause, ValueFormat, Values, read_knots, read_points,
    write_values,
};

use lerpscope::image;
use lerpscope::volume::{self, Volume};

use super::npy::npy;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/grids").join(name)
}

fn single(grid: &AnyGrid) -> &Grid<f32> {
    match grid {
        AnyGrid::Single(grid) => grid,
        AnyGrid::Double(_) => panic!("a grid in single precision"),
    }
}

/// The indices of each sample, the last axis fastest.
fn indices(shape: &[usize]) -> Vec<Vec<usize>> {
    let count: usize = shape.iter().product();
    let place = |mut index: usize| {
        let mut places = vec![0; shape.len()];
        for (place, side) in places.iter_mut().zip(shape).rev() {
            *place = index % side;
            index /= side;
        }
        places
    };
    (0..count).map(place).collect()
}

#[test]
fn nifti_has_the_axes_scale_and_spacing_that_nibabel_wrote() {
    let opened = grid::open(&data("scaled.nii")).expect("a NIfTI file");
    let scaled = single(&opened.grid);
    assert_eq!((scaled.shape(), opened.spacing.as_deref()), (&[3, 4, 2][..], Some(&[1.0, 2.0, 3.5][..])));
    for (value, place) in scaled.values().iter().zip(indices(scaled.shape())) {
        assert_eq!(*value, 0.5 * (100 * place[0] + 10 * place[1] + place[2]) as f32 - 2.0);
    }
    let opened = grid::open(&data("series.nii.gz")).expect("a compressed NIfTI file");
    let series = single(&opened.grid);
    assert_eq!(series.shape(), [3, 2, 4, 2]);
    let spacing = opened.spacing.expect("a spacing");
    assert!(spacing.iter().zip([1.5, 1.0, 2.0, 0.8]).all(|(a, b)| (a - b).abs() < 1e-6), "{spacing:?}");
    for (value, place) in series.values().iter().zip(indices(series.shape())) {
        assert_eq!(*value, (1000 * place[3] + 100 * place[0] + 10 * place[1] + place[2]) as f32);
    }
}

/// A PGM file with an image of each of these sizes and numbers.
fn pages(folder: &Path, name: &str, images: &[([usize; 2], &[u8])]) -> PathBuf {
    let path = folder.join(name);
    let image = |([width, height], numbers): &([usize; 2], &[u8])| {
        [format!("P5 {width} {height} 50\n").as_bytes(), numbers].concat()
    };
    std::fs::write(&path, images.iter().flat_map(image).collect::<Vec<u8>>()).expect("a file");
    path
}

#[test]
fn pages_of_a_picture_are_slices_of_a_grid_and_by_name_of_a_volume() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let numbers: Vec<u8> = (0..24).map(|k| 2 * k).collect();
    let slices: Vec<_> = numbers.chunks_exact(6).map(|slice| ([3, 2], slice)).collect();
    let stack = pages(folder, "stack.pgm", &slices);
    let values: Vec<f32> = numbers.iter().map(|&number| f32::from(number) / 50.0).collect();
    let expected = Grid::new(&[4, 2, 3], Components::Real, values).expect("a grid");
    let by_name = image::volume_of(&stack);
    for source in [&stack, &by_name] {
        assert_eq!(single(&grid::open(source).expect("a grid").grid), &expected);
    }
    // A picture of four pages, or a volume of four slices.
    let picture = volume::open_source(&stack).expect("a picture").image;
    assert!(picture.pages().len() == 4 && Volume::of(&picture.pages()[0]).is_none());
    let opened = volume::open_source(&by_name).expect("a volume").image;
    let volume = Volume::of(&opened.pages()[0]).expect("a volume");
    assert_eq!((opened.name(), volume.shape().size), ("stack.pgm as a volume", [3, 2, 4]));
    assert_eq!(volume.times(), [expected]);
    let one = pages(folder, "one.pgm", &slices[..1]);
    let unlike = pages(folder, "unlike.pgm", &[slices[0], ([2, 3], slices[1].1)]);
    let array = folder.join("a.npy");
    std::fs::write(&array, npy("|u1", false, "(2, 2, 2)", &[0; 8])).expect("a file");
    for (original, cause) in [
        (one, "has one page; a volume has two or more"),
        (unlike, "image 2 has 2×3 samples, the first has 3×2"),
        (array, "has axes of its own; pages of pictures become a volume"),
        (PathBuf::from("synth:gaussian-mixture:4x4x4"), "has axes of its own"),
        (folder.join("none.pgm"), "none.pgm"),
    ] {
        let text = volume::open_source(&image::volume_of(&original)).expect_err("refused").to_string();
        let name = original.file_name().expect("a name").to_string_lossy();
        assert!(text.contains(&*name) && text.contains(cause) && text.lines().count() == 1, "{text}");
    }
}

/// What a header promises is compared with the file before memory is taken.
#[test]
fn volumes_whose_headers_exceed_their_files_end_early_without_memory() {
    for name in ["scaled.nii", "series.nii.gz"] {
        let mut bytes = std::fs::read(data(name)).expect("a file");
        if name.ends_with(".gz") {
            bytes = include_bytes!("../fuzz/corpus/nifti/large-compressed").to_vec();
        } else {
            // Seven axes of 32767 and one: as many numbers as no machine holds, in six axes.
            for (axis, len) in [6_i16, 32767, 32767, 32767, 32767, 32767, 1, 1].into_iter().enumerate() {
                bytes[40 + 2 * axis..][..2].copy_from_slice(&len.to_le_bytes());
            }
        }
        let text = grid::read(name, &bytes).expect_err("too short").to_string();
        assert!(text.starts_with(name) && !text.contains("memory") && text.lines().count() == 1, "{text}");
    }
    let text = grid::read("scaled.txt", b"a").expect_err("no array").to_string();
    assert_eq!(text, "scaled.txt: unknown extension; an array is .npy, a volume .nii or .nii.gz");
    assert_eq!(grid::read("a.npy", b"").expect_err("nothing").to_string(), "a.npy: is empty");
}

/// The message of opening `bytes` under `name`.
fn refused(name: &str, bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).expect("a file");
    let text = grid::open(&path).expect_err("a wrong file").to_string();
    assert!(text.contains(name) && text.lines().count() == 1, "{text}");
    text
}

#[test]
fn files_cut_off_anywhere_are_refused_in_one_line() {
    for name in ["scaled.nii", "series.nii.gz"] {
        let whole = std::fs::read(data(name)).expect("a file");
        for len in (0..whole.len()).step_by(7).chain([whole.len() - 1]) {
            // Of a compressed file the last bytes are its checksum.
            if name.ends_with("gz") && len + 8 >= whole.len() {
                continue;
            }
            refused(name, &whole[..len]);
        }
    }
    let whole = npy("<f4", false, "(2, 3)", &[0; 24]);
    for len in 0..whole.len() {
        refused("a.npy", &whole[..len]);
    }
    assert!(
        refused("a.npy", &whole[..whole.len() - 1])
            .ends_with("ends early: 24 bytes of numbers are needed, 23 are there")
    );
    let whole = b"P5 4 4 255\n0123456789abcdef";
    let text = refused("a.pgm", &whole[..20]);
    assert_eq!(text.matches("a.pgm").count(), 1, "{text}");
}

#[test]
fn arrays_of_every_type_and_order_have_their_numbers() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.npy");
    let of = |kind: &str, is_fortran: bool, data: &[u8]| {
        std::fs::write(&path, npy(kind, is_fortran, "(2, 3)", data)).expect("a file");
        grid::open(&path).expect("an array")
    };
    let numbers = [0_u8, 1, 2, 3, 4, 250];
    let expected = [0.0, 1.0, 2.0, 3.0, 4.0, 250.0];
    let bytes = |width: usize, big: bool| -> Vec<u8> {
        numbers
            .iter()
            .flat_map(|&n| {
                let mut bytes = vec![0; width];
                bytes[if big { width - 1 } else { 0 }] = n;
                bytes
            })
            .collect()
    };
    let opened = of("|u1", false, &numbers);
    assert_eq!((single(&opened.grid).values(), opened.white), (&expected[..], 255.0));
    let opened = of("<u2", false, &bytes(2, false));
    assert_eq!((single(&opened.grid).values(), opened.white), (&expected[..], 65535.0));
    assert_eq!(single(&of(">i2", false, &bytes(2, true)).grid).values(), expected);
    let floats: Vec<u8> = expected.iter().flat_map(|value| value.to_be_bytes()).collect();
    let opened = of(">f4", true, &floats);
    assert_eq!((single(&opened.grid).values(), opened.white), (&[0.0, 2.0, 4.0, 1.0, 3.0, 250.0][..], 1.0));
    let AnyGrid::Double(grid) = of("<i4", false, &bytes(4, false)).grid else { panic!("double precision") };
    assert_eq!(grid.values(), expected.map(f64::from));
    let complex: Vec<u8> = (0..12).flat_map(|k| (k as f32).to_le_bytes()).collect();
    let opened = of("<c8", true, &complex);
    let grid = single(&opened.grid);
    assert_eq!((grid.components(), grid.shape()), (Components::Complex, &[2, 3][..]));
    assert_eq!(grid.values(), [0.0, 1.0, 4.0, 5.0, 8.0, 9.0, 2.0, 3.0, 6.0, 7.0, 10.0, 11.0]);
}

#[test]
fn arrays_that_are_no_grid_are_refused_by_their_fault() {
    let says = |bytes: &[u8], part: &str| {
        let text = refused("a.npy", bytes);
        assert!(text.contains(part), "{text}");
    };
    says(&npy("<M8[s]", false, "(2,)", &[0; 16]), "has numbers of type");
    says(&npy("|O", false, "(2,)", &[0; 16]), "a.npy");
    says(&npy("<f4", false, "()", &[0; 4]), "a grid has 1 to 6 dimensions, not 0");
    says(&npy("<f4", false, "(1,1,1,1,1,1,1)", &[0; 4]), "a grid has 1 to 6 dimensions, not 7");
    says(&npy("<f4", false, "(0, 3)", &[]), "axis 0 has 0 samples");
    says(&npy("<f4", false, "(99999999, 99999999)", &[0; 4]), "ends early");
    says(&npy("<f4", false, "(9999999999999999999, 9999999999)", &[0; 4]), "a.npy");
    says(b"\x93NUMPY\x02\x00\xff\xff\xff\xff{}", "the header ends early");
    says(b"hello", "does not begin with NumPy's magic string");
    let text = refused("a.txt", b"hello");
    assert!(
        text.ends_with("unknown extension; a grid is .npy, .nii, .nii.gz, a picture, or synth:NAME:WxHxD"),
        "{text}"
    );
    let mut two_parts = std::fs::read(data("scaled.nii")).expect("a file");
    two_parts[344..348].copy_from_slice(b"ni1\0");
    assert!(refused("a.nii", &two_parts).contains("its data lie in another file"));
    let mut bits = std::fs::read(data("scaled.nii")).expect("a file");
    bits[72] = 8;
    assert!(refused("a.nii", &bits).contains("the bits of its numbers are not those of their type"));
    let mut large = std::fs::read(data("scaled.nii")).expect("a file");
    large[42..48].copy_from_slice(&[0xff, 0x7f, 0xff, 0x7f, 0xff, 0x7f]);
    refused("a.nii", &large);
}

/// The reader of Python's literals takes a time that is exponential in the levels of brackets, most of all of sets.
#[test]
fn headers_of_nested_brackets_are_refused_at_once() {
    let header = |text: &str, version: u8| {
        let length = &(text.len() as u32).to_le_bytes()[..if version == 1 { 2 } else { 4 }];
        [b"\x93NUMPY", &[version, 0][..], length, text.as_bytes()].concat()
    };
    for (version, repeated) in
        [1, 2, 3].into_iter().flat_map(|v| ["(", "[", "{", "{1:", "((1,", "({[1,"].map(|r| (v, r)))
    {
        for text in [repeated.repeat(60), format!("{{'descr': {}", repeated.repeat(60))] {
            let text = refused("a.npy", &header(&text, version));
            assert!(text.contains("nested more than four levels deep"), "{text}");
        }
    }
    let fields = "{'descr': [('a', '<f4', (2, 3))], 'fortran_order': False, 'shape': (1,)}";
    assert!(refused("a.npy", &header(fields, 1)).contains("has numbers of type"));
}

#[test]
fn pictures_are_grids_of_rows_and_columns_and_pages_are_slices() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.pgm");
    std::fs::write(&path, "P2 3 2 10 0 1 2 3 4 5").expect("a file");
    let opened = grid::open(&path).expect("a picture");
    assert_eq!(single(&opened.grid).shape(), [2, 3]);
    assert_eq!(single(&opened.grid).values(), [0.0, 0.1, 0.2, 0.3, 0.4, 0.5]);
    std::fs::write(&path, "P2 3 1 10 0 1 2\nP2 3 1 5 3 4 5\n").expect("a file");
    let opened = grid::open(&path).expect("two pictures");
    assert_eq!(single(&opened.grid).shape(), [2, 1, 3]);
    assert_eq!(single(&opened.grid).values(), [0.0, 0.1, 0.2, 0.6, 0.8, 1.0]);
    std::fs::write(&path, "P2 3 1 10 0 1 2\nP2 2 1 5 3 4\n").expect("a file");
    let error = grid::open(&path).expect_err("unequal slices");
    assert!(matches!(error.cause, GridFileCause::Slices { page: 2, .. }), "{error}");
    std::fs::write(&path, "P3 1 1 10 0 1 2\n").expect("a file");
    assert!(matches!(grid::open(&path).expect_err("colour").cause, GridFileCause::Channels(3)));
    let opened = grid::open(Path::new("synth:gaussian-mixture:5x4x3")).expect("a formula");
    assert_eq!(opened.grid.shape(), [3, 4, 5]);
    let error = grid::open(Path::new("synth:zone-plate:5x4x3")).expect_err("no volume");
    assert!(matches!(error.cause, GridFileCause::Formula(_)), "{error}");
    assert_eq!(grid::open(Path::new("synth:zone-plate:5x4")).expect("a picture").grid.shape(), [4, 5]);
}

#[test]
fn points_are_read_from_arrays_and_tables_and_wrong_lines_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("a file");
        path
    };
    let path = file("p.csv", b"x, y\n# a comment\n1, 2.5\n-3e2,4\n\n5,6\n");
    let points = read_points(&path, 2).expect("points");
    assert_eq!(points.coordinates, Coordinates::Double(vec![1.0, 2.5, -300.0, 4.0, 5.0, 6.0]));
    assert_eq!((points.shape.as_slice(), points.count()), (&[3][..], 3));
    let error = read_points(&file("q.csv", b"1,2\n3,four\n"), 2).expect_err("a word").to_string();
    assert!(error.ends_with("q.csv: line 2: '3,four' is no row of 2 numbers"), "{error}");
    let error = read_points(&path, 3).expect_err("two columns").to_string();
    assert!(error.ends_with("line 3: '1, 2.5' is no row of 3 numbers"), "{error}");
    let doubles: Vec<u8> = (0..12).flat_map(|k| f64::from(k).to_le_bytes()).collect();
    let path = file("p.npy", &npy("<f8", false, "(2, 3, 2)", &doubles));
    assert_eq!(read_points(&path, 2).expect("points").shape, [2, 3]);
    let error = read_points(&path, 3).expect_err("pairs").to_string();
    assert!(error.ends_with("has shape 2×3×2; points are n × 3 or H × W × 3 numbers"), "{error}");
    let knots = file("k.csv", b"0\n1.5\n4\n");
    assert_eq!(read_knots(&knots).expect("knots"), [0.0, 1.5, 4.0]);
    read_points(&folder.path().join("none.npy"), 2).expect_err("no file");
    read_points(folder.path(), 2).expect_err("a folder");
}

#[test]
fn written_values_are_read_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("v.npy");
    let values = Values::Single(vec![0.25, -1.5, 3.0, 1e-20, 5.0, 6.0]);
    write_values(&path, ValueFormat::Npy, (&values, Components::Real), &[2, 3]).expect("written");
    let opened = grid::open(&path).expect("an array");
    assert_eq!(
        (single(&opened.grid).shape(), single(&opened.grid).values()),
        (&[2, 3][..], &[0.25, -1.5, 3.0, 1e-20, 5.0, 6.0][..])
    );
    write_values(&path, ValueFormat::Npy, (&values, Components::Complex), &[3]).expect("written");
    let opened = grid::open(&path).expect("an array");
    assert_eq!((opened.grid.shape(), single(&opened.grid).components()), (&[3][..], Components::Complex));
    let path = folder.path().join("v.csv");
    let values = Values::Double(vec![0.1, -1.5, 3.0, 1e-300]);
    write_values(&path, ValueFormat::Csv, (&values, Components::Complex), &[2]).expect("written");
    assert_eq!(std::fs::read_to_string(&path).expect("a table"), "0.1,-1.5\n3,1e-300\n");
    let error = write_values(folder.path(), ValueFormat::Csv, (&values, Components::Real), &[4]).expect_err("a folder");
    assert!(matches!(error.cause, GridFileCause::Write(_)), "{error}");
}
