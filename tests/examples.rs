//! The programs in `examples/`, run as by a user.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lerpscope::image;

/// The program of an example, relative to this test's program. `cargo test` builds both.
fn example(name: &str) -> assert_cmd::Command {
    let this = std::env::current_exe().expect("this test's program");
    let folder = this.parent().and_then(Path::parent).expect("the folder of the build").join("examples");
    let program = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(program.exists(), "{} is missing: cargo build --examples builds it", program.display());
    assert_cmd::Command::new(program)
}

/// Catmull-Rom interpolates: an output pixel on a sample has the sample's number.
#[test]
fn zoom_example_output_equals_the_samples_at_every_eighth_pixel() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let input = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/basilica.pgm");
    let output = folder.path().join("zoom.pgm");
    example("zoom").args([&input, &output]).assert().success().stdout("").stderr("");
    let [input, output] = [input, output].map(|file| image::open(&file).expect("a picture").image);
    let (samples, pixels) = (input.pages()[0].raster(), output.pages()[0].raster());
    let (width, height) = (samples.size().width(), samples.size().height());
    assert_eq!((pixels.size(), pixels.depth()), (samples.size(), samples.depth()));
    for row in (0..height).step_by(8) {
        for column in (0..width).step_by(8) {
            // x = (i − W/2)/8 + W/2
            let sample = [column / 8 + width * 7 / 16, row / 8 + height * 7 / 16];
            assert_eq!(pixels.number(column, row, 0), samples.number(sample[0], sample[1], 0), "{column}, {row}");
        }
    }
}

#[test]
fn zoom_example_without_its_input_prints_a_sentence() {
    let assert = example("zoom").args(["missing.pgm", "out.pgm"]).assert().code(1).stdout("");
    let said = String::from_utf8(assert.get_output().stderr.clone()).expect("text");
    assert!(said.starts_with("Error: missing.pgm: does not exist"), "{said}");
}

/// Names of the library's public error types, from the lines `#[derive(…, Error)]` of its source. Errors of the window
/// and the command line are internal.
fn public_errors() -> BTreeSet<String> {
    fn files(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("a folder of the source") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                if path.ends_with("src/app") || path.ends_with("src/cli") {
                    continue;
                }
                files(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    let mut names = BTreeSet::new();
    for file in found {
        let text = std::fs::read_to_string(&file).expect("a source file");
        for item in text.split("Error)]\n").skip(1) {
            let is_item = |line: &&str| ["pub", "enum", "struct"].iter().any(|word| line.starts_with(word));
            let words: Vec<_> = item.lines().find(is_item).unwrap_or("").split(' ').collect();
            if let ["pub", "enum" | "struct", name, ..] = words[..] {
                names.insert(name.trim_end_matches(['{', ';', '(']).to_owned());
            }
        }
    }
    names
}

#[test]
fn public_error_returned_from_main_prints_its_sentence() {
    let custom = std::env::current_dir().expect("the folder").join("missing.csv");
    let custom = format!("{}: does not exist", custom.display());
    let sentences = [
        ("ArgumentError", "'eight' is no number"),
        ("BackendError", "there is no backend 'abacus'; there are auto, "),
        ("Cause", "the raster of 4×4 ends early: it needs at least 16 bytes, 0 are left"),
        ("CompareError", "no pixel of the view lies between the samples of the image"),
        ("CustomCause", "does not exist"),
        ("CustomError", &custom),
        ("DecimateError", "an image of 5×5 is decimated by 2 to 5, not by 6"),
        ("FilterError", "there is no filter 'blur'"),
        ("FormulaError", "formula '\\nosuch': "),
        ("GridError", "a grid of 2×3 has 6 values, not 5"),
        ("GridFileCause", "does not exist"),
        ("GridFileError", "missing.npy: does not exist"),
        ("HandoutError", "step 1: missing.pgm: does not exist"),
        ("HeaderError", "the width is zero"),
        ("IdentifyError", "the scale must be between 1/64 and 64 samples per pixel, not 0"),
        ("KernelError", "there is no kernel 'blur:auto'; there are METHOD:PATH with "),
        ("LessonError", "one.toml:2: summry: unknown field `summry`, expected one of `format`, `title`, "),
        ("MeasureError", "no pixel of the view lies between the samples of the image"),
        ("MemoryError", "not enough memory: 300.0 KiB needed, 1.0 KiB available; 640×480 pixels take 300.0 KiB"),
        ("LatticeError", "row 1 of the lattice has 3 numbers; every row has the same even number"),
        ("WarpError", "there is no warp 'fish'; there are none, lens, swirl, perspective, grid"),
        ("MaskError", "'holes' is no mask: alpha, a rectangle such as [10,20,64,32], or a picture's file"),
        ("MatrixError", "row 2 of the matrix has 1 weights, the first row 2"),
        ("MethodError", "there is no method 'sharp'; there are nearest, "),
        ("NoFootprint", "the truth is evaluated at the position and reads no samples"),
        ("NoPagesError", "empty.pgm: an image has at least one page"),
        ("NoTruth", "the image has no formula and is not decimated from a larger one"),
        ("NoVolume", "a volume has three axes, not 2"),
        ("OpenError", "missing.pgm: does not exist"),
        ("OutOfRange", "gamma must be between 0.01 and 100, not 0"),
        ("PairError", "an image of 1×1 is decimated by 2 to 1, not by 1"),
        ("PlotFileError", "plot.gif: unknown extension; plots are written as svg, png"),
        ("PnmError", "there is no magic number P1 to P7 followed by white space"),
        ("RasterError", "a raster of 1×1 pixels with 3 channels has 3 samples, not 2"),
        ("ReadError", "there is no magic number P1 to P7 followed by white space"),
        ("ReadTextError", "does not exist"),
        ("RequestError", "path 'filtered' does not serve method 'lanczos3'"),
        ("RotationError", "1 turns: from 2 to 360 are possible"),
        ("SaveError", "missing/out.pgm: "),
        ("SignalError", "0 samples: a line has 1 to 64 of them"),
        ("SizeError", "a size of 640×0 is impossible: width and height are each from 1 to 16777216"),
        ("SynthError", "there is no synthetic source “rainbow”; there are "),
        ("Unusable", "the NVIDIA driver is too old: it supports CUDA 11.8, CUDA 12.0 is needed"),
        ("ComplexError", "there is no complex source “whirl”; there are vortex, vortex-pair, plane-wave"),
        ("VolumeError", "there is no synthetic volume “torus”; there are marschner-lobb, gaussian-mixture"),
        ("ViewError", "scale 0 is not between "),
        ("WriteError", "PGM stores no colour; choose .ppm, .pnm, .pam or .png"),
    ];
    let named: BTreeSet<_> = sentences.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(
        named,
        public_errors(),
        "each public error has a line here, in examples/errors.rs and in src/sentence.rs"
    );
    // Formulas are laid out for the window alone.
    let has_example = |name: &str| cfg!(feature = "window") || name != "FormulaError";
    for (name, sentence) in sentences.into_iter().filter(|(name, _)| has_example(name)) {
        let assert = example("errors").arg(name).assert().code(1).stdout("");
        let said = String::from_utf8(assert.get_output().stderr.clone()).expect("text");
        assert!(said.starts_with(&format!("Error: {sentence}")), "{name}: {said}");
        assert_eq!(said.lines().count(), 1, "{name}: {said}");
        assert!(!said.contains('{') && !said.contains(name), "{name}: {said}");
    }
}
