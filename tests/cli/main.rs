//! The program as called by a person or script: files, pipes, exit codes, one line for every error.

mod bench;
mod block_sweep;
mod closed;
mod echo;
mod extremes;
mod figure;
mod footprint;
mod identify;
mod instructions;
mod lab1d;
mod lens;
mod lesson;
mod limits;
mod long;
mod measure;
#[path = "../outcome/mod.rs"]
mod outcome;
mod overshoot;
mod pairs;
mod plot;
mod refusals;
mod rotations;
mod samples;
#[cfg(unix)]
#[path = "../signals/mod.rs"]
mod signals;
mod texture_error;
mod unusable;

use std::path::Path;
use std::process::Output;

use lerpscope::backend::{COLOUR_MAPS, RenderRequest};
use lerpscope::image::synth::SYNTHS;
use lerpscope::image::{self, Channels, Formula, Samples, Size};
use lerpscope::sampling::{ADDRESS_MODES, METHOD_FORMS, METHODS, SAMPLING_PATHS};
use lerpscope::view::View;

use self::outcome::{line_of, output_of};

const BASILICA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/basilica.pgm");

/// Runs the program in `folder` without a display, with `stdin` to read.
fn run_with(folder: &Path, arguments: &[&str], stdin: &[u8]) -> Output {
    assert_cmd::Command::new(env!("CARGO_BIN_EXE_lerpscope"))
        .current_dir(folder)
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .args(arguments)
        .write_stdin(stdin)
        .output()
        .expect("the program starts")
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    run_with(folder, arguments, b"")
}

/// Runs a command that must succeed with an empty standard error; returns its output.
fn succeed(folder: &Path, arguments: &[&str]) -> Vec<u8> {
    output_of(run(folder, arguments), arguments)
}

/// Runs a command that must fail with `code` and one line; returns the line.
fn fail(folder: &Path, arguments: &[&str], code: i32) -> String {
    line_of(run(folder, arguments), arguments, code)
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// P5 file of random numbers up to `maxval`.
fn random_pgm(width: usize, height: usize, maxval: u16) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(u64::from(maxval));
    let mut bytes = format!("P5\n{width} {height}\n{maxval}\n").into_bytes();
    for _ in 0..width * height {
        let number = random.u16(..=maxval).to_be_bytes();
        bytes.extend(if maxval > 255 { &number[..] } else { &number[1..] });
    }
    bytes
}

/// Grey numbers of a file written by the program.
fn numbers(path: &Path) -> Vec<f32> {
    let opened = image::open(path).expect("a picture");
    let samples = opened.image.pages()[0].raster().samples();
    (0..samples.len()).map(|index| samples.number(index)).collect()
}

#[test]
fn identity_render_keeps_every_depth_bit_for_bit() {
    let folder = folder();
    for maxval in [1, 15, 254, 255, 256, 1023, 4095, 65535] {
        let input = random_pgm(13, 7, maxval);
        std::fs::write(folder.path().join("in.pgm"), &input).expect("a file");
        for method in ["nearest", "linear", "catmull-rom", "lanczos3"] {
            succeed(folder.path(), &["render", "in.pgm", "-o", "out.pgm", "--method", method]);
            let output = std::fs::read(folder.path().join("out.pgm")).expect("the output");
            assert!(output == input, "maxval {maxval}, {method}");
        }
    }
}

#[test]
fn render_to_its_own_input_file_succeeds() {
    let folder = folder();
    let input = random_pgm(9, 9, 255);
    std::fs::write(folder.path().join("a.pgm"), &input).expect("a file");
    succeed(folder.path(), &["render", "a.pgm", "-o", "a.pgm"]);
    assert_eq!(std::fs::read(folder.path().join("a.pgm")).expect("the output"), input);
    assert_eq!(std::fs::read_dir(folder.path()).expect("the folder").count(), 1);
}

#[test]
fn render_from_standard_input_to_standard_output_succeeds() {
    let folder = folder();
    let input = random_pgm(5, 4, 999);
    let output = run_with(folder.path(), &["render", "-", "-o", "-"], &input);
    assert_eq!((output.status.code(), output.stdout), (Some(0), input));
    let colour = b"P6\n1 1\n255\nabc";
    assert_eq!(run_with(folder.path(), &["render", "-", "-o", "-"], colour).stdout, colour);
    let opaque = run_with(folder.path(), &["render", "-", "-o", "-", "--depth", "16"], colour).stdout;
    assert_eq!(opaque, b"P6\n1 1\n65535\naabbcc");
}

/// Document 004, figure 2: stretched in height and turned by 90°.
#[test]
fn render_of_two_scales_stretches_the_image_before_it_turns_it() {
    let folder = folder();
    std::fs::write(folder.path().join("in.pgm"), "P2 3 2 9 1 2 3 4 5 6\n").expect("a file");
    let view = ["--scale", "1,1/2", "--rotate", "90", "--translate", "-1,-0.25", "--size", "4x3"];
    succeed(folder.path(), &[&["render", "in.pgm", "-o", "out.pgm", "--method", "nearest"], &view[..]].concat());
    assert_eq!(numbers(&folder.path().join("out.pgm")), [3.0, 3.0, 6.0, 6.0, 2.0, 2.0, 5.0, 5.0, 1.0, 1.0, 4.0, 4.0]);
}

/// Figure 22 of the source document: the cubic B-spline at translation (100, 100) and scale 1/8, against its formula.
#[test]
fn render_of_figure_22_equals_the_formula() {
    let folder = folder();
    let view = ["--method", "bspline", "--translate", "100,100", "--scale", "0.125", "--path", "lookup"];
    succeed(folder.path(), &[&["render", BASILICA, "-o", "out.pgm"][..], &view].concat());
    let input = numbers(Path::new(BASILICA));
    let sample = |m: i64, n: i64| f64::from(input[(n.clamp(0, 511) * 512 + m.clamp(0, 511)) as usize]);
    let weights = |a: f64| {
        let b = 1.0 - a;
        [b.powi(3) / 6.0, 2.0 / 3.0 - a * a * (2.0 - a) / 2.0, 2.0 / 3.0 - b * b * (2.0 - b) / 2.0, a.powi(3) / 6.0]
    };
    for (index, &written) in numbers(&folder.path().join("out.pgm")).iter().enumerate() {
        let [x, y] = [index % 512, index / 512].map(|i| (i as f64 - 256.0) * 0.125 + 356.0);
        let mut value = 0.0;
        for (n, wy) in weights(y.fract()).iter().enumerate() {
            for (m, wx) in weights(x.fract()).iter().enumerate() {
                value += wx * wy * sample(x as i64 - 1 + m as i64, y as i64 - 1 + n as i64);
            }
        }
        assert!((f64::from(written) - value).abs() < 0.501, "pixel {index}: {written}, not {value}");
    }
}

#[test]
fn float_output_is_a_numpy_array() {
    let folder = folder();
    succeed(folder.path(), &["render", BASILICA, "-o", "grey.npy", "--depth", "float", "--size", "6x4"]);
    let bytes = std::fs::read(folder.path().join("grey.npy")).expect("the output");
    let array = npyz::NpyFile::new(&bytes[..]).expect("an array");
    assert_eq!((array.shape(), array.order()), (&[4, 6][..], npyz::Order::C));
    assert_eq!(array.dtype().descr(), "'<f4'");
    assert_eq!(array.into_vec::<f32>().expect("floats").len(), 24);
    std::fs::write(folder.path().join("in.ppm"), b"P6 1 2 255\nabcdef").expect("a file");
    let bytes = succeed(folder.path(), &["render", "in.ppm", "-o", "-", "--depth", "float"]);
    let array = npyz::NpyFile::new(&bytes[..]).expect("an array");
    assert_eq!(array.shape(), [2, 1, 3]);
    assert!((array.into_vec::<f32>().expect("floats")[0] - f32::from(b'a') / 255.0).abs() < 1e-7);
}

#[test]
fn output_depth_defaults_to_the_inputs() {
    let folder = folder();
    std::fs::write(folder.path().join("in.pgm"), random_pgm(8, 8, 15)).expect("a file");
    let input = numbers(&folder.path().join("in.pgm"));
    for (depth, factor) in [("8", 17.0), ("16", 4369.0)] {
        succeed(folder.path(), &["render", "in.pgm", "-o", "out.pgm", "--depth", depth]);
        let expected: Vec<_> = input.iter().map(|number| number * factor).collect();
        assert_eq!(numbers(&folder.path().join("out.pgm")), expected);
    }
    succeed(folder.path(), &["render", "in.pgm", "-o", "out.png"]);
    let png = image::open(&folder.path().join("out.png")).expect("a picture");
    assert!(matches!(png.image.pages()[0].raster().samples(), Samples::U8 { maxval: 255, .. }));
    let line = fail(folder.path(), &["render", "synth:lines:8x8", "-o", "out.pgm"], 2);
    assert!(line.contains("--depth"), "{line}");
    succeed(folder.path(), &["render", "synth:lines:8x8", "-o", "out.pgm", "--depth", "8"]);
}

#[test]
fn negative_numbers_and_fractions_are_accepted() {
    let folder = folder();
    let common = ["render", BASILICA, "-o", "-", "--size", "9x9", "--address", "wrap:border"];
    let apart = succeed(folder.path(), &[&common[..], &["--translate", "-0.5,-1/4", "--border", "-1"]].concat());
    let joined = succeed(folder.path(), &[&common[..], &["--translate=-0.5,-0.25", "--border=-1"]].concat());
    assert_eq!(apart, joined);
    let eighth = succeed(folder.path(), &[&common[..], &["--scale", "1/8", "--rotate", "-30"]].concat());
    let decimal = succeed(folder.path(), &[&common[..], &["--scale", "0.125", "--rotate", "330"]].concat());
    assert_eq!(eighth, decimal);
}

#[test]
fn address_pair_has_x_first() {
    let folder = folder();
    std::fs::write(folder.path().join("in.pgm"), b"P2 2 2 9 1 2 3 4").expect("a file");
    let view = ["render", "in.pgm", "-o", "out.pgm", "--size", "4x4", "--method", "nearest", "--border", "1"];
    succeed(folder.path(), &[&view[..], &["--address", "wrap:border"]].concat());
    let expected = [[9.0; 4], [2.0, 1.0, 2.0, 1.0], [4.0, 3.0, 4.0, 3.0], [9.0; 4]].concat();
    assert_eq!(numbers(&folder.path().join("out.pgm")), expected);
}

#[test]
fn page_numbers_start_at_one() {
    let folder = folder();
    std::fs::write(folder.path().join("in.pgm"), b"P5 1 1 255\naP5 1 1 255\nb").expect("a file");
    let second = succeed(folder.path(), &["render", "in.pgm", "-o", "-", "--page", "2"]);
    assert_eq!(second.last(), Some(&b'b'));
    let line = fail(folder.path(), &["render", "in.pgm", "-o", "-", "--page", "3"], 2);
    assert!(line.contains("page 3"), "{line}");
    fail(folder.path(), &["render", "in.pgm", "-o", "-", "--page", "0"], 2);
}

#[test]
fn display_options_map_values_as_documented() {
    let folder = folder();
    std::fs::write(folder.path().join("in.pgm"), b"P2 4 1 100 0 20 40 60").expect("a file");
    let view = ["render", "in.pgm", "-o", "out.pgm"];
    let shown = |options: &[&str]| {
        succeed(folder.path(), &[&view[..], options].concat());
        numbers(&folder.path().join("out.pgm"))
    };
    assert_eq!(shown(&["--exposure", "1"]), [0.0, 40.0, 80.0, 100.0]);
    assert_eq!(shown(&["--offset", "-0.2"]), [0.0, 0.0, 20.0, 40.0]);
    assert_eq!(shown(&["--window", "0.2,0.6"]), [0.0, 0.0, 50.0, 100.0]);
    assert_eq!(shown(&["--gamma", "0.5"]), [0.0, 4.0, 16.0, 36.0]);
    assert_eq!(shown(&["--subtract", "method=nearest", "--offset", "0.5"]), [50.0; 4]);
    let line = fail(folder.path(), &[&view[..], &["--colour-map", "viridis"]].concat(), 2);
    assert!(line.contains("out.pgm") && line.contains(".ppm"), "{line}");
    succeed(folder.path(), &["render", "in.pgm", "-o", "out.ppm", "--colour-map", "viridis"]);
}

#[test]
fn difference_of_exact_and_filtered_path_is_the_texture_unit_error() {
    let folder = folder();
    let view = ["render", BASILICA, "-o", "out.npy", "--translate", "100,100", "--scale", "0.13", "--size", "64x64"];
    let floats = |options: &[&str]| {
        succeed(folder.path(), &[&view[..], options].concat());
        let bytes = std::fs::read(folder.path().join("out.npy")).expect("the output");
        npyz::NpyFile::new(&bytes[..]).and_then(npyz::NpyFile::into_vec::<f32>).expect("floats")
    };
    let [filtered, exact] = ["filtered", "auto"].map(|path| floats(&["--path", path]));
    let difference = floats(&["--path", "filtered", "--subtract", "path=auto"]);
    assert!(difference.iter().any(|value| *value != 0.0));
    for ((a, b), difference) in filtered.iter().zip(&exact).zip(&difference) {
        assert!((a - b - difference).abs() < 1e-7);
    }
}

#[test]
fn synthetic_images_are_written_and_read_back() {
    let folder = folder();
    for row in &SYNTHS {
        let source = format!("synth:{}:24x16", row.name);
        let channels = source.parse::<Formula>().expect("a formula").channels();
        let [out, again] = ["out", "again"].map(|name| match channels {
            Channels::Grey => format!("{name}.pgm"),
            _ => format!("{name}.ppm"),
        });
        succeed(folder.path(), &["synth", row.name, "--size", "24x16", "-o", &out]);
        let written = numbers(&folder.path().join(&out));
        assert_eq!(written.len(), channels.count() * 24 * 16);
        succeed(folder.path(), &["render", &source, "-o", &again, "--depth", "8"]);
        assert_eq!(numbers(&folder.path().join(&again)), written, "{}", row.name);
        succeed(folder.path(), &["synth", row.name, "--size", "24x16", "-o", "out.npy"]);
    }
    fail(folder.path(), &["synth", "fractal", "--size", "24x16", "-o", "out.pgm"], 2);
    fail(folder.path(), &["synth", "lines", "--size", "0x16", "-o", "out.pgm"], 2);
}

#[test]
fn info_prints_backends_and_image_properties() {
    let folder = folder();
    let text = String::from_utf8(succeed(folder.path(), &["info"])).expect("UTF-8");
    assert!(text.lines().any(|line| line.starts_with("cpu: ")), "{text}");
    std::fs::write(folder.path().join("in.pgm"), b"P2 2 2 9 1 2 3 4").expect("a file");
    let text = String::from_utf8(succeed(folder.path(), &["info", "in.pgm"])).expect("UTF-8");
    assert!(
        text.contains("in.pgm: PNM, 1 page\npage 1: 2×2, grey, 8 bit, maxval 9, values 1 to 4, mean 2.5"),
        "{text}"
    );
    fail(folder.path(), &["info", "none.pgm"], 1);
}

/// As the window does.
#[test]
fn info_counts_the_pages_of_a_file_and_warns_of_an_animation() {
    let formats = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/formats");
    for (name, first, count) in
        [("pages-8.tif", "pages-8.tif: TIFF, 4 pages", 4), ("frames.gif", "frames.gif: GIF, 3 pages", 3)]
    {
        let text = String::from_utf8(succeed(&formats, &["info", name])).expect("UTF-8");
        assert!(text.lines().any(|line| line == first), "{text}");
        let pages: Vec<&str> = text.lines().filter(|line| line.contains(": 7×5, ")).collect();
        assert_eq!(pages.len(), count, "{text}");
        for (index, line) in pages.iter().enumerate() {
            assert!(line.starts_with(&format!("page {}: ", index + 1)), "{text}");
        }
    }
    for name in ["animation.png", "animation.webp"] {
        let output = run(&formats, &["info", name]);
        let (text, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert_eq!(said, format!("lerpscope: warning: {name}: is an animation; its first frame is shown\n"));
        assert!(text.lines().any(|line| line.starts_with(name) && line.ends_with(", 1 page")), "{text}");
    }
}

#[test]
fn file_names_like_options_or_commands_are_accepted() {
    let folder = folder();
    let input = random_pgm(3, 3, 255);
    std::fs::write(folder.path().join("--scale"), &input).expect("a file");
    succeed(folder.path(), &["render", "-o", "./-x.pgm", "--", "--scale"]);
    succeed(folder.path(), &["render", "./--scale", "-o=--depth.pgm"]);
    for name in ["-x.pgm", "--depth.pgm"] {
        assert_eq!(std::fs::read(folder.path().join(name)).expect("the output"), input);
    }
}

#[cfg(unix)]
#[test]
fn file_names_that_are_not_unicode_are_accepted() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = folder();
    let [input, output] = [&b"caf\xe9.pgm"[..], b"\xff.pgm"].map(|name| folder.path().join(OsStr::from_bytes(name)));
    std::fs::write(&input, random_pgm(3, 3, 255)).expect("a file");
    let request = RenderRequest::new(Size::new(5, 3).expect("a size"));
    let request = RenderRequest { view: View::new([-0.5, 0.0], 0.25).expect("a view"), ..request };
    let line = lerpscope::arguments::command_line((&input, None), &output, &request, None);
    let program = Path::new(env!("CARGO_BIN_EXE_lerpscope")).parent().expect("its folder");
    let shell = std::process::Command::new("sh").arg("-c").arg(&line).env("PATH", with_path(program)).output();
    let shell = shell.expect("a shell");
    assert!(shell.status.success(), "{line}: {}", String::from_utf8_lossy(&shell.stderr));
    assert_eq!(numbers(&output).len(), 15);
}

/// `PATH` with `folder` first.
#[cfg(unix)]
fn with_path(folder: &Path) -> std::ffi::OsString {
    let rest = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths(std::iter::once(folder.to_owned()).chain(std::env::split_paths(&rest))).expect("a search path")
}

#[test]
fn help_names_every_row() {
    let folder = folder();
    let help = |arguments: &[&str]| String::from_utf8(succeed(folder.path(), arguments)).expect("UTF-8");
    let render = help(&["render", "--help"]);
    let methods = METHODS.iter().map(|row| row.name);
    let rows = methods.chain(SAMPLING_PATHS.iter().map(|row| row.name)).chain(ADDRESS_MODES.iter().map(|row| row.name));
    let rows = rows.chain(METHOD_FORMS.iter().map(|form| form.usage));
    for name in rows.chain(COLOUR_MAPS.iter().map(|row| row.name)).chain(["auto", "cpu", "float"]) {
        assert!(render.contains(name), "{name}");
    }
    let synth = help(&["synth", "--help"]);
    assert!(SYNTHS.iter().all(|row| synth.contains(row.name)));
    let all = help(&["--help"]);
    assert!(["render", "synth", "info", "FILE"].iter().all(|name| all.contains(name)), "{all}");
    assert!(help(&["--version"]).starts_with("lerpscope "));
}

#[test]
fn filters_before_and_after_act_in_order() {
    let folder = folder();
    let shown = |options: &[&str]| {
        succeed(folder.path(), &[&["render", "synth:siemens-star:9x9", "-o", "out.npy"], options].concat());
        let bytes = std::fs::read(folder.path().join("out.npy")).expect("the output");
        npyz::NpyFile::new(&bytes[..]).and_then(npyz::NpyFile::into_vec::<f32>).expect("floats")
    };
    let original = shown(&[]);
    let negative: Vec<f32> = original.iter().map(|value| 1.0 - value).collect();
    assert_eq!(shown(&["--filter", "negative"]), negative);
    assert_eq!(shown(&["--filter-after", "negative"]), negative);
    assert_eq!(shown(&["--filter", "negative,off", "--filter-after", "gaussian=3,off"]), original);
    let both = shown(&["--filter", "gaussian=1", "--filter", "gamma=2"]);
    assert_ne!(both, shown(&["--filter", "gamma=2", "--filter", "gaussian=1"]));
    let difference = shown(&["--filter", "gaussian=1", "--filter", "gamma=2", "--subtract", "filter=none"]);
    for ((a, b), difference) in both.iter().zip(&original).zip(difference) {
        assert_eq!(a - b, difference);
    }
}

#[test]
fn matrix_of_a_file_by_name_or_inline_gives_the_same_values() {
    let folder = folder();
    std::fs::write(folder.path().join("k.csv"), "normalized\n1,1,1\n1,1,1\n1,1,1\n").expect("written");
    let shown = |options: &[&str]| {
        let view = ["render", "synth:siemens-star:17x9", "-o", "out.npy", "--scale", "0.7", "--address", "mirror:wrap"];
        succeed(folder.path(), &[&view[..], options].concat());
        std::fs::read(folder.path().join("out.npy")).expect("the output")
    };
    for stage in ["filter", "filter-after"] {
        let option = format!("--{stage}");
        let inline = shown(&[&option, "convolve=[1,1,1;1,1,1;1,1,1],normalized=1"]);
        assert_ne!(inline, shown(&[]));
        assert_eq!(inline, shown(&[&option, "convolve=k.csv"]));
        assert_eq!(inline, shown(&[&option, "convolve=box"]));
        // In lists of keys colons replace commas.
        let none = shown(&[&option, "convolve=box", "--subtract", &format!("{stage}=convolve=[1:1:1;1:1:1;1:1:1]:1")]);
        let plain = shown(&["--subtract", "method=linear"]);
        assert_eq!(none, plain, "a difference of equal filters is 0");
        assert_eq!(none, shown(&[&option, "convolve=box", "--subtract", &format!("{stage}=convolve=k.csv")]));
    }
    let message =
        fail(folder.path(), &["render", "synth:lines:8x8", "-o", "o.pgm", "--filter", "convolve=none.csv"], 2);
    assert!(message.contains("filter 'convolve': none.csv: ") && message.contains("sharpen, box, "), "{message}");
}

#[test]
fn filters_command_lists_every_row_with_parameters() {
    let text = String::from_utf8(succeed(folder().path(), &["filters"])).expect("UTF-8");
    for row in &lerpscope::filter::FILTERS {
        assert!(text.contains(row.name) && text.contains(row.help), "{}", row.name);
        for parameter in row.parameters {
            assert!(text.contains(&parameter.range_text()), "{} {}", row.name, parameter.name);
        }
    }
    for row in &lerpscope::filter::MATRICES {
        assert!(text.contains(&format!("{:<10}{}", row.name, row.help)), "{}", row.name);
    }
}

#[test]
fn notices_name_every_crate_and_font() {
    let notices = String::from_utf8(succeed(folder().path(), &["notices"])).expect("text");
    for name in [
        "option-ext",
        "Mozilla Public License",
        "egui",
        "NotoEmoji-Regular.ttf",
        "STIXTwoMath-Regular.otf",
        "SIL OPEN FONT LICENSE",
    ] {
        assert!(notices.contains(name), "{name}");
    }
    assert!(notices.contains("UBUNTU FONT LICENCE") && notices.contains("libdevice"));
}
