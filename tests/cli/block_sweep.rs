//! `bench --blocks`: the table, both files, and refusals.

use lerpscope::filter::Filter;

use super::{fail, folder, run, succeed};

const SMALL: [&str; 9] =
    ["bench", "--blocks", "--backend", "cpu", "--size", "96x64", "--image", "50x40", "--repeats=3"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&SMALL, more].concat()
}

#[test]
fn blocks_on_the_cpu_times_every_kernel_in_every_height_and_files_agree() {
    let folder = folder();
    let table = succeed(folder.path(), &with(&["--csv", "sweep.csv", "--json", "sweep.json"]));
    let table = String::from_utf8(table).expect("text");
    assert!(table.contains("There is no GPU in this sweep: shapes are CPU tile heights"), "{table}");
    assert!(table.lines().last().is_some_and(|line| line.starts_with("Fastest: ") && line.contains("; slowest: ")));
    let json = std::fs::read_to_string(folder.path().join("sweep.json")).expect("a file");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let rows = json["rows"].as_array().expect("rows");
    let shapes = json["shapes"].as_array().expect("shapes").len();
    assert_eq!((shapes, json["scale"].as_f64(), json["repeats"].as_u64()), (8, Some(0.5), Some(3)));
    let mut csv = csv::Reader::from_path(folder.path().join("sweep.csv")).expect("a file");
    let records: Vec<csv::StringRecord> = csv.records().collect::<Result<_, _>>().expect("CSV");
    assert_eq!(records.len(), rows.len() * shapes);
    let timings = rows.iter().flat_map(|row| {
        let timings = row["timings"].as_array().expect("timings");
        timings.iter().map(move |timing| (row, timing))
    });
    for (record, (row, timing)) in records.iter().zip(timings) {
        let text = |value: &serde_json::Value| value.as_str().expect("a text").to_owned();
        assert_eq!((&record[0], &record[1]), (&text(&row["kernel"])[..], &text(&timing["shape"])[..]));
        assert_eq!((&record[2], timing["state"].as_str()), ("timed", Some("timed")));
        let time = timing["median_us"].as_f64().expect("a time");
        assert!(time > 0.0 && record[3].parse::<f64>().is_ok_and(|other| (other - time).abs() < 1e-6), "{record:?}");
        assert_eq!(&record[5] == "true", row["best"] == timing["shape"]);
    }
    for row in rows {
        let kernel = row["kernel"].as_str().expect("a name");
        assert!(row["bound"].as_str().is_some_and(|bound| bound.starts_with("bound by ")), "{kernel}");
        assert!(table.lines().any(|line| line.split(' ').next() == Some(kernel)), "{kernel}\n{table}");
    }
    for row in lerpscope::filter::FILTERS.iter().filter(|row| row.filter != Filter::Inpaint) {
        assert!(rows.iter().any(|found| found["kernel"] == row.name), "{}", row.name);
    }
    for row in &lerpscope::sampling::METHODS {
        assert!(rows.iter().any(|found| found["kernel"] == format!("{}:auto", row.name)), "{}", row.name);
    }
}

#[test]
fn blocks_with_chosen_kernels_keeps_their_order() {
    let folder = folder();
    let chosen = ["--kernel", "gaussian=3", "--kernel", "lerp:filtered", "--kernel", "sobel"];
    let table = String::from_utf8(succeed(folder.path(), &with(&chosen))).expect("text");
    let names: Vec<&str> = table.lines().skip(3).filter_map(|line| line.split(' ').next()).collect();
    let rows = ["gaussian=3", "linear:filtered", "sobel"];
    assert_eq!(names, [&rows[..], &rows[..], &["Fastest:"][..]].concat(), "a row, and what bounds it, of each");
    for line in table.lines().skip(6).take(3) {
        let (_, bound) = line.split_once(": bound by ").expect(line);
        assert!(bound.contains(" on ") && bound.contains("; at least ") && bound.ends_with("/s"), "{line}");
    }
}

/// Variants exist on CUDA only: elsewhere each is refused in its row, and the others run.
#[test]
fn blocks_with_an_unsupported_variant_is_refused_by_name() {
    let folder = folder();
    let chosen = ["--kernel", "catmull-rom:points", "--kernel", "catmull-rom:gather", "--kernel", "negative"];
    let table = String::from_utf8(succeed(folder.path(), &with(&chosen))).expect("text");
    for form in ["points", "gather"] {
        let refused =
            format!("catmull-rom:{form} in 8 rows: backend 'cpu' has no kernel variant '{form}' of this view");
        assert!(table.contains(&refused), "{table}");
    }
    assert!(table.contains("Fastest: negative"), "{table}");
}

#[test]
fn blocks_with_an_invalid_kernel_is_refused_and_keeps_old_files() {
    let folder = folder();
    std::fs::write(folder.path().join("old.json"), "kept").expect("a file");
    for (more, named) in [
        (&["--kernel", "blur"][..], "there is no kernel 'blur'; there are METHOD:PATH with the methods nearest, "),
        (&["--kernel", "mitchell:filtered"], "method 'mitchell' has no path 'filtered'; it has "),
        (&["--kernel", "nearest:gather"], "method 'nearest' has no path 'gather'; it has "),
        (&["--kernel", "gaussian=0"], "sigma must be between 0.01 and 64 samples, not 0"),
        (&["--kernel", "bilateral=3,0.1,33"], "radius must be a whole number between 0 and 32 samples, not 33"),
        (&["--repeats", "0"], "1..=100000"),
        (&["--scale", "0"], "scale 0"),
        (&["--scale", "nan"], "'nan' is no number"),
        (&["--scale", "1", "--scale", "2"], "--blocks takes one --scale, not 2"),
        (&["--scale", "-1"], "scale -1"),
    ] {
        let mut words = SMALL[..8].to_vec();
        words.extend(more);
        words.extend(["--json", "old.json"]);
        let line = fail(folder.path(), &words, 2);
        assert!(line.contains(named), "{more:?}: {line}");
    }
    assert_eq!(std::fs::read_to_string(folder.path().join("old.json")).expect("a file"), "kept");
    let line = fail(folder.path(), &["bench", "--kernel", "sobel"], 2);
    assert!(line.contains("--blocks"), "{line}");
    let line = fail(folder.path(), &["bench", "--csv", "x.csv"], 2);
    assert!(line.contains("--blocks"), "{line}");
    fail(folder.path(), &["bench", "--scale", "0", "--backend", "cpu"], 2);
    let output = run(folder.path(), &with(&["--kernel", "negative", "--csv", "none/x.csv"]));
    let said = String::from_utf8(output.stderr).expect("text");
    assert!(output.status.code() == Some(1) && said.contains("none/x.csv") && said.lines().count() == 1, "{said}");
}
