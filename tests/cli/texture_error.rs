//! `texture-error`: numbers, formats, errors in one line; `render --path filtered-table`.

use std::path::Path;

use super::{BASILICA, fail, folder, succeed};

fn text(folder: &Path, options: &[&str]) -> String {
    let all = [&["texture-error"], options, &["--backend", "cpu"]].concat();
    String::from_utf8(succeed(folder, &all)).expect("text")
}

#[test]
fn staircase_is_printed_drawn_and_has_256_steps_as_csv() {
    let folder = folder();
    let table = text(folder.path(), &["staircase"]);
    assert!(table.starts_with("linear between a texel of 0 and one of 1, 4096 places, emulated\n"), "{table}");
    assert!(table.lines().any(|line| line.split_whitespace().take(2).eq(["filtered", "257"])), "{table}");
    let csv = text(folder.path(), &["staircase", "--csv"]);
    assert_eq!(csv, text(folder.path(), &["staircase", "-o", "-"]));
    let filtered = csv.lines().filter_map(|line| line.strip_prefix("filtered,,emulated,"));
    let values: Vec<f64> = filtered.filter_map(|point| point.split_once(',')?.1.parse().ok()).collect();
    assert_eq!(values.len(), 2 * 257);
    for (place, value) in values.iter().enumerate() {
        assert!((value - (place / 2) as f64 / 256.0).abs() < 1e-9, "{place}: {value}");
    }
    for file in ["steps.svg", "steps.png"] {
        text(folder.path(), &["staircase", "--steps", "64", "-o", file]);
        assert!(std::fs::metadata(folder.path().join(file)).is_ok_and(|file| file.len() > 1000), "{file}");
    }
}

#[test]
fn error_is_multiplied_by_the_gain() {
    let folder = folder();
    let errors = |gain: &str| -> Vec<f64> {
        let csv = text(folder.path(), &["error", "--method", "bspline", "--prefilter", "--gain", gain, "--csv"]);
        let own = csv.lines().filter(|line| line.starts_with("filtered-table,"));
        own.filter_map(|line| line.rsplit(',').next()?.parse().ok()).collect()
    };
    let (one, many) = (errors("1"), errors("1000"));
    assert_eq!(one.len(), many.len());
    let largest = many.iter().fold(0.0_f64, |most, error| most.max(error.abs()));
    assert!(largest > 2.0 && largest < 8.0, "{largest}");
    assert!(one.iter().zip(&many).all(|(a, b)| (1000.0 * a - b).abs() < 1e-6));
}

#[test]
fn formats_say_which_textures_are_rounded() {
    let folder = folder();
    let document = text(folder.path(), &["formats"]);
    assert!(document.contains("8-bit: 0 twice, since 1/65535 is below its last bit"), "{document}");
    let last = text(folder.path(), &["formats", "--texels", "last-bit"]);
    assert!(last.contains("8-bit: 257 values, rounded to 1/65535"), "{last}");
    assert!(last.contains("16-bit: 2 values, rounded to 1/65535"), "{last}");
    assert!(last.contains("float: 257 values, not rounded"), "{last}");
}

#[test]
fn table_has_a_picture_and_noise_beside_the_documents_numbers() {
    let folder = folder();
    let table = text(folder.path(), &["table", BASILICA]);
    for part in ["filtered-table", "noise", "document 002", "9.390e-5", "8.580e-5"] {
        assert!(table.contains(part), "{part}: {table}");
    }
    let csv = text(folder.path(), &["table", BASILICA, "--csv"]);
    let rows: Vec<Vec<&str>> = csv.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 6, "{csv}");
    // One constant for both pictures: the error of a picture whose neighbouring samples differ by 1.
    for row in &rows[..4] {
        let [rms, max, contrast] = [3, 4, 5].map(|cell| row[cell].parse::<f64>().expect("a number"));
        assert!((rms / contrast - 1.1e-3).abs() < 0.05e-3 && max > rms, "{row:?}");
    }
    assert_eq!(text(folder.path(), &["table", "--csv"]), text(folder.path(), &["table", "builtin:basilica", "--csv"]));
}

#[test]
fn wrong_options_are_refused_in_one_line() {
    let folder = folder();
    let wrong = |options: &[&str], code| fail(folder.path(), &[&["texture-error"], options].concat(), code);
    assert_eq!(wrong(&["staircase", BASILICA], 2), "lerpscope: 'staircase' takes no picture: its texels are fixed\n");
    assert!(wrong(&["error", "--gain", "5000"], 2).contains("'5000' is no gain: a whole number from 1 to 4096"));
    assert!(wrong(&["error", "--steps", "7"], 2).contains("'7' is no number of steps: 8, 16, 32, 64, 128, 256"));
    assert!(wrong(&["error", "--method", "mitchell"], 2).contains("invalid value 'mitchell'"));
    assert!(wrong(&["formats", "-o", "f.gif"], 2).contains("f.gif: unknown extension"));
    assert!(wrong(&["table", "none.png"], 1).contains("none.png"));
    assert!(wrong(&["table", BASILICA, "--page", "2"], 2).contains("page 2 is not among the image's 1"));
}

#[test]
fn render_by_the_look_up_table_is_near_that_on_the_fly_and_refused_for_other_methods() {
    let folder = folder();
    let rendered = |path: &str| {
        let options = ["--method", "bspline", "--scale", "1/7", "--size", "90x70", "--depth", "float"];
        let all = [&["render", BASILICA, "-o", "out.npy", "--backend", "cpu", "--path", path], &options[..]].concat();
        succeed(folder.path(), &all);
        let bytes = std::fs::read(folder.path().join("out.npy")).expect("the output");
        npyz::NpyFile::new(&bytes[..]).and_then(npyz::NpyFile::into_vec::<f32>).expect("floats")
    };
    let [table, filtered, exact] = ["filtered-table", "filtered", "auto"].map(rendered);
    let distance = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!((1e-5..3e-3).contains(&distance(&table, &exact)), "{}", distance(&table, &exact));
    assert!((1e-7..3e-3).contains(&distance(&table, &filtered)), "{}", distance(&table, &filtered));
    let refused = ["render", BASILICA, "-o", "out.npy", "--method", "catmull-rom", "--path", "filtered-table"];
    assert_eq!(
        fail(folder.path(), &refused, 2),
        "lerpscope: path 'filtered-table' does not serve method 'catmull-rom'\n"
    );
}
