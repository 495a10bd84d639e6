//! Numbers at and beyond the limits of their ranges, in every numeric option of every command: a result, or an error in
//! one line. Debug builds panic on overflow, so that unchecked conversions are detected.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use clap::{Args, Command};
use lerpscope::cli::{self, BenchCommandOptions, RenderOptions, SynthOptions};
use lerpscope::filter::FILTERS;

use super::{folder, run};

/// Extreme numbers, including some beyond single precision and 64 bits.
const EXTREMES: [&str; 20] = [
    "1e308",
    "-1e308",
    "1e309",
    "1e39",
    "-1e39",
    "1e18",
    "-1e18",
    "5e-324",
    "-5e-324",
    "1e-45",
    "NaN",
    "-NaN",
    "inf",
    "-inf",
    "0",
    "-0",
    "9223372036854775808",
    "-9223372036854775809",
    "1/5e-324",
    "0/0",
];

/// Options of `render` with numbers, `{}` in place of each.
const RENDER: [(&str, &[&str]); 19] = [
    ("translate", &["{},0", "0,{}", "{},{}"]),
    ("scale", &["{}"]),
    ("rotate", &["{}"]),
    ("warp", &["lens={},{}", "swirl={},{}", "perspective={},0,1,{},1,1,0,1", "grid=[0,{},0,0;0,0,{},0]"]),
    ("size", &["{}x{}", "{}x1", "1x{}"]),
    ("page", &["{}"]),
    ("plane", &["{},0", "0,{}", "{},{}"]),
    ("slice", &["{}"]),
    ("time", &["{}"]),
    ("border", &["{}"]),
    ("blur", &["{}"]),
    ("antiring", &["{}"]),
    ("exposure", &["{}"]),
    ("offset", &["{}"]),
    ("gamma", &["{}"]),
    ("window", &["{},1", "0,{}", "{},{}"]),
    ("filter", &["gamma={}", "unsharp={},{},{}"]),
    ("filter-after", &["gaussian={}", "bilateral={},{},{}"]),
    (
        "subtract",
        &[
            "blur={}",
            "antiring={}",
            "border={}",
            "translate={}:{}",
            "scale={}",
            "rotate={}",
            "warp=lens={}:{}",
            "page={}",
            "filter=gaussian={}",
            "filter-after=unsharp={}:{}",
        ],
    ),
];

/// Options of `render` with names or files.
const RENDER_NAMES: [&str; 10] =
    ["behind", "output", "depth", "backend", "method", "address", "path", "colour-map", "component", "fit"];

/// Further options, so that the numbers are used in every code path.
const CONTEXTS: [&[&str]; 5] = [
    &[],
    &["--method", "lanczos4", "--address", "mirror:border", "--antialias", "--scale", "1.5"],
    &["--method", "bspline", "--prefilter", "--address", "border", "--rotate", "30", "--antialias", "--scale", "2"],
    &["--method", "catmull-rom", "--path", "filtered", "--address", "wrap"],
    &["--backend", "reference", "--address", "mirror", "--antialias", "--scale", "3", "--rotate", "-20"],
];

/// Long names of a command's options with a value.
fn valued<T: Args>() -> BTreeSet<String> {
    let command = T::augment_args(Command::new("test"));
    let arguments = command.get_arguments().filter(|argument| argument.get_action().takes_values());
    arguments.filter_map(|argument| argument.get_long()).map(str::to_owned).collect()
}

fn names<'a>(names: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
    names.into_iter().map(str::to_owned).collect()
}

/// Runs the program's code on these arguments; a panic fails the test.
fn run_inside(arguments: &[&str]) -> Result<(), String> {
    let words = ["lerpscope"].iter().chain(arguments).map(OsString::from);
    let run = || cli::parse(words).and_then(cli::run).map_err(|error| format!("{error:#}"));
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| panic!("{arguments:?} panics"))
}

/// Renders with `option` set to `value` in each context that does not set it; returns the numbers of refused and
/// rendered requests.
fn render_in_every_context(folder: &Path, (option, value): (&str, &str)) -> [usize; 2] {
    let [input, output] = ["in.pgm", "out.npy"].map(|name| folder.join(name).display().to_string());
    let named = format!("--{option}={value}");
    let mut counts = [0; 2];
    for context in CONTEXTS {
        let own = format!("--{option}");
        if context.contains(&own.as_str()) {
            continue;
        }
        let size: &[&str] = if option == "size" { &[] } else { &["--size", "5x4"] };
        let arguments = [&["render", &input, "-o", &output, &named], size, context].concat();
        counts[usize::from(run_inside(&arguments).is_ok())] += 1;
    }
    counts
}

#[test]
fn render_with_extreme_numbers_succeeds_or_prints_an_error() {
    let listed = names(RENDER.iter().map(|(name, _)| *name).chain(RENDER_NAMES));
    assert_eq!(valued::<RenderOptions>(), listed, "an option is in none of the lists above");
    let folder = folder();
    std::fs::write(folder.path().join("in.pgm"), super::random_pgm(9, 7, 255)).expect("a file");
    let mut totals = [0; 2];
    let mut count = |option: &str, template: &str| {
        for number in EXTREMES {
            let counts = render_in_every_context(folder.path(), (option, &template.replace("{}", number)));
            totals.iter_mut().zip(counts).for_each(|(total, count)| *total += count);
        }
    };
    for (option, templates) in RENDER {
        templates.iter().for_each(|template| count(option, template));
    }
    for row in &FILTERS {
        for parameter in row.parameters {
            for stage in ["filter", "filter-after"] {
                count(stage, &format!("{}={}={{}}", row.name, parameter.name));
            }
        }
    }
    let output = folder.path().join("out.npy").display().to_string();
    for number in EXTREMES {
        for template in ["--plane={},0", "--plane=0,{}", "--plane={},{}", "--slice={}"] {
            let option = template.replace("{}", number);
            for plane in
                ["--plane=coronal", "--plane=30,20"].into_iter().filter(|_| option.starts_with("--slice")).chain([""])
            {
                let words = ["render", "synth:marschner-lobb:5x4x3", "-o", &output, "--size", "5x4", &option, plane];
                let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
                totals[usize::from(run_inside(&words).is_ok())] += 1;
            }
        }
    }
    let [refused, rendered] = totals;
    assert!(refused > 2000 && rendered > 300, "{refused} refused, {rendered} rendered");
}

#[test]
fn synth_bench_and_panels_with_extreme_numbers_succeed_or_print_one_line() {
    assert_eq!(valued::<SynthOptions>(), names(["size", "output", "depth"]));
    assert_eq!(
        valued::<BenchCommandOptions>(),
        names(["backend", "size", "image", "scale", "repeats", "kernel", "longest", "source", "json", "csv"])
    );
    let folder = folder();
    let sizes = ["1e308x1", "16777216x16777216", "16777217x1", "4294967296x4294967296", "-1x-1", "NaNxNaN", "0x0"];
    let mut commands: Vec<Vec<String>> = Vec::new();
    let mut command = |words: &[&str]| commands.push(words.iter().map(|&word| word.to_owned()).collect());
    for size in sizes {
        command(&["synth", "lines", "-o", "out.pgm", "--size", size]);
        command(&["render", &format!("synth:lines:{size}"), "-o", "out.pgm"]);
        command(&["info", &format!("synth:lines:{size}")]);
        let small = ["--backend", "cpu", "--repeats", "1", "--scale", "1"];
        command(&[&["bench", "--size", size, "--image", "9x9"][..], &small].concat());
        command(&[&["bench", "--size", "9x9", "--image", size][..], &small].concat());
        command(&[&["bench", "--blocks", "--kernel", "gaussian=1", "--size", size][..], &small].concat());
        command(
            &[&["bench", "--blocks", "--kernel", "linear:auto", "--size", "9x9", "--image", size][..], &small].concat(),
        );
    }
    for number in EXTREMES.into_iter().filter(|number| !["0", "-0"].contains(number)) {
        for (option, context) in [("scale", &["--repeats=1"][..]), ("repeats", &["--scale=1"])] {
            let small =
                ["bench", "--backend", "cpu", "--size", "9x9", "--image", "9x9", &format!("--{option}={number}")];
            command(&[&small[..], context].concat());
        }
        command(&["bench", "--grids", &format!("--longest={number}"), "--repeats=1"]);
        command(&["bench", "--blocks", &format!("--kernel=gaussian={number}"), "--size", "9x9", "--image", "9x9"]);
        for key in ["border", "blur", "antiring", "filter=gaussian"] {
            command(&["--panel", &format!("{key}={number}")]);
        }
    }
    for words in commands {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let output = run(folder.path(), &words);
        let line = String::from_utf8_lossy(&output.stderr);
        let code = output.status.code();
        let is_refused = matches!(code, Some(1 | 2)) && line.lines().count() == 1 && line.starts_with("lerpscope: ");
        assert!(code == Some(0) || is_refused, "{words:?}: {code:?} {line}");
    }
}
