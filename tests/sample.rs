//! `lerpscope sample` as called by a person or a script: files in and out, exit codes, one line for every error.

mod outcome;
#[cfg(unix)]
mod signals;

use std::path::Path;
use std::process::Output;

use lerpscope::grid::{self, AnyGrid, Components, GridSampler, ValueFormat, Values, write_values};
use lerpscope::image::{self, Samples};
use lerpscope::sampling::{AddressMode, Method};

use self::outcome::{line_of, output_of};

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut program = assert_cmd::Command::new(env!("CARGO_BIN_EXE_lerpscope"));
    program.current_dir(folder).arg("sample").args(arguments).output().expect("the program starts")
}

/// Runs a command that must succeed with an empty standard error; returns its output.
fn succeed(folder: &Path, arguments: &[&str]) -> String {
    String::from_utf8(output_of(run(folder, arguments), arguments)).expect("text")
}

/// Runs a command that must fail with `code` and one line; returns the line.
fn fail(folder: &Path, arguments: &[&str], code: i32) -> String {
    line_of(run(folder, arguments), arguments, code)
}

/// A folder with `a.npy` (4 × 5 floats), `c.npy` (the same, complex) and `p.csv` (points of two coordinates).
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let values: Vec<f32> = (0..20).map(|k| (k * 7 % 20) as f32 / 20.0).collect();
    let path = |name: &str| folder.path().join(name);
    let write = |name: &str, values: Values, components, shape: &[usize]| {
        write_values(&path(name), ValueFormat::Npy, (&values, components), shape).expect("written");
    };
    write("a.npy", Values::Single(values.clone()), Components::Real, &[4, 5]);
    let twice = values.iter().flat_map(|value| [*value, -value]).collect();
    write("c.npy", Values::Single(twice), Components::Complex, &[4, 5]);
    write("d.npy", Values::Double(values.iter().map(|&value| f64::from(value)).collect()), Components::Real, &[4, 5]);
    std::fs::write(path("p.csv"), "row,column\n0,0\n1.5,2.25\n-3,7.5\n3,4\n").expect("a file");
    folder
}

const POINTS: [f64; 8] = [0.0, 0.0, 1.5, 2.25, -3.0, 7.5, 3.0, 4.0];

/// What the library makes of `name` at [`POINTS`].
fn expected(folder: &Path, name: &str, sampler: &GridSampler) -> Vec<f64> {
    let points = &POINTS;
    match grid::open(&folder.join(name)).expect("a grid").grid {
        AnyGrid::Single(grid) => {
            let values = grid.interpolator(sampler).expect("served").sample(points).expect("points");
            values.into_iter().map(f64::from).collect()
        }
        AnyGrid::Double(grid) => grid.interpolator(sampler).expect("served").sample(points).expect("points"),
    }
}

fn numbers(text: &str) -> Vec<f64> {
    text.split([',', '\n']).filter(|part| !part.is_empty()).map(|part| part.parse().expect("a number")).collect()
}

#[test]
fn values_are_the_librarys_in_the_order_of_the_points() {
    let folder = folder();
    let cases: [(&[&str], GridSampler); 4] = [
        (&[], GridSampler::default()),
        (&["--method", "bspline", "--prefilter"], GridSampler::of_method(Method::BSPLINE).prefiltered()),
        (
            &["--method", "lanczos3", "--address", "mirror:wrap"],
            GridSampler {
                address: vec![AddressMode::Mirror, AddressMode::Wrap],
                ..GridSampler::of_method(Method::LANCZOS3)
            },
        ),
        (
            &["--method", "catmull-rom", "--address", "border", "--border", "0.5,-0.25", "--backend", "cpu"],
            GridSampler {
                border: [0.5, -0.25],
                ..GridSampler::of_method(Method::CATMULL_ROM).with_address(AddressMode::Border)
            },
        ),
    ];
    for (name, (options, sampler)) in
        ["a.npy", "c.npy", "d.npy"].into_iter().flat_map(|name| cases.iter().map(move |c| (name, c)))
    {
        let arguments = [&[name, "--points", "p.csv", "-o", "-"][..], options].concat();
        let found = numbers(&succeed(folder.path(), &arguments));
        let expected = expected(folder.path(), name, sampler);
        assert_eq!(found.len(), expected.len(), "{name} {options:?}");
        // Single precision in its shortest digits.
        assert!(
            found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-7),
            "{name} {options:?}: {found:?} {expected:?}"
        );
    }
}

#[test]
fn output_files_have_the_type_of_the_grid_and_the_shape_of_the_points() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    for (name, components) in [("a.npy", Components::Real), ("c.npy", Components::Complex)] {
        succeed(folder.path(), &[name, "--points", "p.csv", "-o", "out.npy", "--method", "bspline", "--prefilter"]);
        let AnyGrid::Single(out) = grid::open(&path("out.npy")).expect("an array").grid else { panic!("float32") };
        assert_eq!((out.shape(), out.components()), (&[4][..], components));
    }
    succeed(folder.path(), &["d.npy", "--points", "p.csv", "-o", "out.npy"]);
    assert!(matches!(grid::open(&path("out.npy")).expect("an array").grid, AnyGrid::Double(_)));
    succeed(folder.path(), &["d.npy", "--points", "p.csv", "-o", "out.csv"]);
    let lines = std::fs::read_to_string(path("out.csv")).expect("a table");
    assert_eq!(numbers(&lines), expected(folder.path(), "d.npy", &GridSampler::default()));
}

/// Document 000's warping: an array of positions, here those of the picture turned by a quarter.
#[test]
fn raster_of_points_over_a_picture_makes_a_picture_of_its_depth() {
    let folder = folder();
    std::fs::write(folder.path().join("in.pgm"), "P2 3 2 10 0 1 2 3 4 5").expect("a file");
    let positions = (0..3).flat_map(|row| (0..2).flat_map(move |column| [f64::from(1 - column), f64::from(row)]));
    let positions = Values::Double(positions.collect());
    let path = folder.path().join("p.npy");
    write_values(&path, ValueFormat::Npy, (&positions, Components::Real), &[3, 2, 2]).expect("written");
    succeed(folder.path(), &["in.pgm", "--points", "p.npy", "-o", "out.pgm", "--method", "nearest"]);
    let raster = image::open(&folder.path().join("out.pgm")).expect("a picture").image.pages()[0].raster().clone();
    assert_eq!(raster.samples(), &Samples::U8 { values: vec![3, 0, 4, 1, 5, 2], maxval: 10 });
    succeed(folder.path(), &["in.pgm", "--points", "p.npy", "-o", "out.pgm", "--depth", "16"]);
    let raster = image::open(&folder.path().join("out.pgm")).expect("a picture").image.pages()[0].raster().clone();
    assert_eq!((raster.samples().maxval(), raster.number(0, 0, 0)), (65535, 19661.0));
    succeed(folder.path(), &["in.pgm", "--points", "p.npy", "-o", "out.npy"]);
    assert_eq!(grid::open(&folder.path().join("out.npy")).expect("an array").grid.shape(), [3, 2]);
    let line = fail(folder.path(), &["in.pgm", "--points", "p.csv", "-o", "out.pgm"], 2);
    assert!(line.contains("a picture needs points of H × W"), "{line}");
    let line = fail(folder.path(), &["c.npy", "--points", "p.npy", "-o", "out.pgm"], 2);
    assert!(line.contains("complex values make no picture"), "{line}");
}

#[test]
fn axes_are_scaled_unequal_or_have_the_spacing_of_the_file() {
    let folder = folder();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/grids");
    let nifti = data.join("scaled.nii");
    let nifti = nifti.to_str().expect("UTF-8");
    std::fs::write(folder.path().join("q.csv"), "1,2,1\n").expect("a file");
    // 0.5·(100·i + 10·j + k) − 2
    assert_eq!(succeed(folder.path(), &[nifti, "--points", "q.csv", "-o", "-"]), "58.5\n");
    std::fs::write(folder.path().join("q.csv"), "1 4 3.5\n").expect("a file");
    assert_eq!(succeed(folder.path(), &[nifti, "--points", "q.csv", "-o", "-", "--spacing"]), "58.5\n");
    let scaled = ["--axis", "1=0:2", "--axis", "2=0:7/2"];
    assert_eq!(succeed(folder.path(), &[&[nifti, "--points", "q.csv", "-o", "-"][..], &scaled].concat()), "58.5\n");
    std::fs::write(folder.path().join("k.csv"), "0\n1\n4\n9\n").expect("a file");
    std::fs::write(folder.path().join("q.csv"), "2.5,1\n").expect("a file");
    // Halfway between rows 1 and 2 of column 1: (6·7 mod 20 + 11·7 mod 20)/40.
    let found = succeed(folder.path(), &["d.npy", "--points", "q.csv", "-o", "-", "--axis", "0=k.csv"]);
    assert!((numbers(&found)[0] - (2.0 + 17.0) / 40.0).abs() < 1e-6, "{found}");
    let spline = ["--method", "bspline", "--prefilter"];
    succeed(folder.path(), &[&["d.npy", "--points", "q.csv", "-o", "-", "--axis", "0=k.csv"][..], &spline].concat());
    let refused = |options: &[&str], part: &str| {
        let line = fail(folder.path(), &[&["d.npy", "--points", "q.csv", "-o", "-"][..], options].concat(), 2);
        assert!(line.contains(part), "{line}");
    };
    refused(&["--axis", "0=k.csv", "--method", "lanczos3"], "axis 0 is unequal");
    refused(&["--axis", "1=k.csv"], "axis 1 has 5 samples and needs as many knots, not 4");
    refused(&["--axis", "2=0:1"], "there is no axis 2");
    refused(&["--axis", "0=0:0"], "the step not 0");
    refused(&["--axis", "x"], "'x' is no axis");
    refused(&["--spacing"], "d.npy: says no spacing");
    refused(&["--address", "wrap:wrap:wrap"], "3 address modes for 2 axes");
    refused(&["--address", "repeat"], "there is no address mode 'repeat'");
    refused(&["--method", "truth"], "truth");
    refused(&["--backend", "cuda"], "cuda");
}

#[test]
fn formulas_of_volumes_are_grids() {
    let folder = folder();
    std::fs::write(folder.path().join("q.csv"), "20,20,20\n0,20,20\n").expect("a file");
    let found = succeed(folder.path(), &["synth:marschner-lobb:41x41x41", "--points", "q.csv", "-o", "-"]);
    assert_eq!(found, "0.6\n1\n");
    let line = fail(folder.path(), &["synth:torus:4x4x4", "--points", "q.csv", "-o", "-"], 2);
    assert!(
        line.contains("there is no synthetic volume “torus”; there are marschner-lobb, gaussian-mixture"),
        "{line}"
    );
    let line = fail(folder.path(), &["synth:gaussian-mixture:4x4", "--points", "q.csv", "-o", "-"], 2);
    assert!(line.contains("is not the size of a volume"), "{line}");
}

#[test]
fn wrong_files_are_failures_in_one_line_and_leave_the_output_as_it_was() {
    let folder = folder();
    std::fs::write(folder.path().join("out.npy"), "old").expect("a file");
    let whole = std::fs::read(folder.path().join("a.npy")).expect("a file");
    std::fs::write(folder.path().join("cut.npy"), &whole[..whole.len() - 3]).expect("a file");
    let line = fail(folder.path(), &["cut.npy", "--points", "p.csv", "-o", "out.npy"], 1);
    assert!(line.starts_with("lerpscope: cut.npy: ends early: 80 bytes"), "{line}");
    let line = fail(folder.path(), &["none.npy", "--points", "p.csv", "-o", "out.npy"], 1);
    assert!(line.starts_with("lerpscope: none.npy: "), "{line}");
    std::fs::write(folder.path().join("word.csv"), "1,2\n1,two\n").expect("a file");
    let line = fail(folder.path(), &["a.npy", "--points", "word.csv", "-o", "out.npy"], 1);
    assert!(line.contains("word.csv: line 2: '1,two' is no row of 2 numbers"), "{line}");
    let line = fail(folder.path(), &["a.npy", "--points", "p.csv", "-o", "missing/out.npy"], 1);
    assert!(line.contains("missing/out.npy"), "{line}");
    let line = fail(folder.path(), &["a.npy", "--points", "p.csv", "-o", "out.docx"], 2);
    assert!(line.contains("values are written as .npy, .csv, .pgm or .png"), "{line}");
    assert_eq!(std::fs::read(folder.path().join("out.npy")).expect("a file"), b"old");
}

/// Ctrl+C in work of seconds: exit code 130, and the output file stays as it was.
#[cfg(unix)]
#[test]
fn interrupted_work_leaves_the_output_file_as_it_was() {
    let folder = folder();
    std::fs::write(folder.path().join("out.npy"), "old").expect("a file");
    let points: Vec<f32> = (0..3_u64 << 20).map(|k| (k * 7919 % 1000) as f32 / 20.0).collect();
    let path = folder.path().join("many.npy");
    write_values(&path, ValueFormat::Npy, (&Values::Single(points), Components::Real), &[1 << 20, 3]).expect("written");
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_lerpscope"));
    // One thread of any machine is at work when the signal comes.
    program.current_dir(folder.path()).env("RAYON_NUM_THREADS", "1").stderr(std::process::Stdio::piped());
    program.args(["sample", "synth:gaussian-mixture:50x50x50", "--points", "many.npy", "-o", "out.npy"]);
    let program = signals::with_default_signals(program.args(["--method", "lanczos=7.9", "--backend", "cpu"])).spawn();
    let program = program.expect("the program starts");
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let id = rustix::process::Pid::from_raw(program.id().cast_signed()).expect("a process");
    rustix::process::kill_process(id, rustix::process::Signal::INT).expect("a signal");
    let output = program.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(std::fs::read(folder.path().join("out.npy")).expect("a file"), b"old");
}

#[test]
fn bench_of_grids_has_a_row_for_each_size_with_the_documents_times() {
    let folder = folder();
    let mut program = assert_cmd::Command::new(env!("CARGO_BIN_EXE_lerpscope"));
    let arguments = ["bench", "--grids", "--longest", "16", "--repeats", "1", "--json", "b.json", "--backend"];
    let assert = program.current_dir(folder.path()).args(arguments).arg("cpu").assert().success().stderr("");
    let table = String::from_utf8(assert.get_output().stdout.clone()).expect("text");
    let json = std::fs::read_to_string(folder.path().join("b.json")).expect("a file");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let rows = json["rows"].as_array().expect("rows");
    assert_eq!(rows[0]["document_ms"], serde_json::json!([13.4187, 6.84025]));
    assert!(rows.iter().all(|row| row["sample_ms"].as_f64().is_some_and(|ms| ms > 0.0) && row["repeats"] == 1));
    assert!(rows.iter().all(|row| row["grid"] != "64^4") && rows.len() == 8, "{table}");
    assert!(["16^5", "8^6"].iter().all(|grid| rows.iter().any(|row| row["grid"] == **grid)), "{table}");
    // The document's times over ours stand in the row that has them.
    let ratio = format!("{:.2}", 13.4187 / rows[0]["sample_ms"].as_f64().expect("a number"));
    assert!(table.lines().nth(2).is_some_and(|line| line.contains(&ratio)), "{table}");
    assert_eq!(table.lines().count(), 2 + rows.len(), "{table}");
    // The same by the GPU.
    let mut program = assert_cmd::Command::new(env!("CARGO_BIN_EXE_lerpscope"));
    let output = program.current_dir(folder.path()).args(arguments).arg("cuda").output().expect("the program starts");
    if lerpscope::backend::CudaGrids::open().is_err() {
        let line = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(line.starts_with("lerpscope: backend 'cuda' ") && line.lines().count() == 1, "{line}");
        assert_eq!(output.status.code(), Some(1));
        return;
    }
    assert_eq!(output.status.code(), Some(0));
    let json = std::fs::read_to_string(folder.path().join("b.json")).expect("a file");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let rows = json["rows"].as_array().expect("rows");
    let number = |row: &serde_json::Value, name: &str| row[name].as_f64().expect("a number");
    for row in rows {
        assert!(
            ["load_ms", "kernel_ms", "total_ms", "cpu_ms"].into_iter().all(|name| number(row, name) > 0.0),
            "{row}"
        );
        let is_filtered = ["filtered", "filtered, pitched", "look-up table"].iter().any(|form| row["form"] == *form);
        assert!(number(row, "largest_difference") < if is_filtered { 0.1 } else { 2e-6 }, "{row}");
    }
    assert!(rows.iter().any(|row| row["form"] == "64 lookups") && rows.len() == 39, "{}", rows.len());
    // Each goal is printed with its figure; the row of 16⁴ has one, slices and random points one each.
    let goals = json["goals"].as_array().expect("goals");
    let table = String::from_utf8(output.stdout).expect("text");
    assert!(goals.iter().all(|goal| number(goal, "found") > 0.0) && goals.len() == 3, "{table}");
    assert_eq!(table.lines().filter(|line| line.ends_with(" met") || line.ends_with(" missed")).count(), 3, "{table}");
}

#[test]
fn gpu_has_the_values_of_the_cpu_or_is_refused_in_one_line() {
    let folder = folder();
    let options = ["a.npy", "--points", "p.csv", "-o", "-", "--method", "bspline", "--prefilter"];
    let on_gpu = [&options[..], &["--backend", "cuda"]].concat();
    match lerpscope::backend::CudaGrids::open() {
        Ok(_) => {
            let cpu = numbers(&succeed(folder.path(), &[&options[..], &["--backend", "cpu"]].concat()));
            for path in ["auto", "global", "fetch"] {
                let found = numbers(&succeed(folder.path(), &[&on_gpu[..], &["--path", path]].concat()));
                assert_eq!(found.len(), cpu.len());
                assert!(found.iter().zip(&cpu).all(|(a, b)| (a - b).abs() < 2e-6), "{path}: {found:?} {cpu:?}");
            }
            let line = fail(
                folder.path(),
                &["a.npy", "--points", "p.csv", "-o", "-", "--method", "lanczos3", "--path", "filtered"],
                2,
            );
            assert!(line.contains("path 'filtered' does not serve 'lanczos3' in 2 dimensions"), "{line}");
        }
        Err(_) => {
            let line = fail(folder.path(), &on_gpu, 1);
            assert!(line.starts_with("lerpscope: backend 'cuda' "), "{line}");
            let line = fail(folder.path(), &[&options[..], &["--path", "filtered"]].concat(), 1);
            assert!(line.starts_with("lerpscope: backend 'cuda' "), "{line}");
        }
    }
    let line = fail(folder.path(), &[&options[..], &["--backend", "cpu", "--path", "fetch"]].concat(), 2);
    assert_eq!(line, "lerpscope: path 'fetch' is of backend 'cuda'\n");
    let doubles = ["d.npy", "--points", "p.csv", "-o", "-", "--backend", "cuda"];
    let line = fail(folder.path(), &doubles, 2);
    assert_eq!(line, "lerpscope: d.npy: a grid of float64; backend 'cuda' samples float32\n");
}
