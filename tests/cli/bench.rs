//! `bench`: table and file agree, and the options are respected.

use super::{fail, folder, succeed};

#[test]
fn bench_row_reports_its_number_of_measurements() {
    for (asked, measured) in [(&["--repeats", "13"][..], 13), (&[], 11)] {
        let folder = folder();
        let small = ["bench", "--backend", "cpu", "--size", "48x32", "--image", "50x40", "--json", "bench.json"];
        let table = String::from_utf8(succeed(folder.path(), &[&small[..], asked].concat())).expect("text");
        let json = std::fs::read_to_string(folder.path().join("bench.json")).expect("a file");
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!((&json["output"], &json["image"]), (&serde_json::json!([48, 32]), &serde_json::json!([50, 40])));
        let rows = json["rows"].as_array().expect("rows");
        assert!(rows.len() >= 3 * lerpscope::sampling::METHODS.len(), "{table}");
        for row in rows {
            assert_eq!(row["repeats"], measured, "{row}");
            let (what, time) = (row["what"].as_str().expect("a name"), row["median_us"].as_f64().expect("a time"));
            let is_its = |line: &&str| {
                let mut numbers = line.split_whitespace().filter_map(|word| word.parse::<f64>().ok());
                line.starts_with(what) && numbers.any(|number| (number - time).abs() < 0.006)
            };
            let words: Vec<&str> = table.lines().find(is_its).expect("the row's line").split_whitespace().collect();
            assert!(words.contains(&measured.to_string().as_str()), "{words:?}");
        }
    }
}

/// A measurement that the machine does not support is named; the others are unaffected.
#[test]
fn bench_without_a_display_leaves_out_the_frame_by_name() {
    let folder = folder();
    let small = ["bench", "--backend", "cpu", "--size", "48x32", "--image", "50x40", "--repeats=1", "--scale=1/3"];
    let table = String::from_utf8(succeed(folder.path(), &[&small[..], &["--json", "b.json"]].concat())).expect("text");
    let json = std::fs::read_to_string(folder.path().join("b.json")).expect("a file");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let left_out = json["left_out"].as_array().expect("an array");
    assert_eq!(left_out.len(), 6, "three times of two formats: {table}");
    for row in left_out {
        assert_eq!((&row["what"], &row["why"]), (&"frame".into(), &"there is no display".into()));
    }
    let lines =
        table.lines().filter(|line| line.starts_with("frame ") && line.ends_with("left out: there is no display"));
    assert_eq!(lines.count(), 6, "{table}");
    let rows = json["rows"].as_array().expect("an array");
    let usual = rows.iter().filter(|row| row["scale"] == 1.0 / 3.0);
    assert_eq!(usual.count(), lerpscope::sampling::METHODS.len(), "{table}");
    for case in ["fitted", "fitted, antialiased", "antialiased", "at a corner", "turned 30°"] {
        let what = format!("catmull-rom, {case}");
        assert!(rows.iter().any(|row| row["what"] == what.as_str()), "{what}: {table}");
    }
    assert!(rows.iter().any(|row| row["what"] == "prefilter"), "{table}");
}

/// Options of a measurement that would take minutes.
const LONG: [&str; 4] = ["bench", "--backend", "cpu", "--repeats=100000"];

#[test]
fn bench_with_an_unwritable_file_fails_before_measuring() {
    let folder = folder();
    std::fs::create_dir(folder.path().join("taken")).expect("a folder");
    for file in ["none/x.json", "taken"] {
        for more in [&["--json", file][..], &["--blocks", "--json", file], &["--blocks", "--csv", file]] {
            let line = fail(folder.path(), &[&LONG[..], more].concat(), 1);
            assert!(line.starts_with(&format!("lerpscope: {file}: ")), "{line}");
        }
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("the folder").count(), 1);
}

/// The file is a FIFO that is read after the table: the program would wait for its reader if it wrote the file first.
#[cfg(unix)]
#[test]
fn bench_table_is_printed_before_files_are_written() {
    use std::io::{BufRead, BufReader};
    use std::os::unix::fs::FileTypeExt;
    use std::process::{Command, Stdio};
    use std::sync::mpsc::channel;
    use std::time::Duration;
    let folder = folder();
    let fifo = folder.path().join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().expect("mkfifo").success());
    let mut command = Command::new(env!("CARGO_BIN_EXE_lerpscope"));
    command.args([
        "bench",
        "--backend",
        "cpu",
        "--size",
        "8x8",
        "--image",
        "8x8",
        "--repeats=1",
        "--scale=1",
        "--json",
    ]);
    command.arg(&fifo).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").stdout(Stdio::piped());
    let mut child = command.spawn().expect("the program");
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let (sender, rows) = channel();
    std::thread::spawn(move || {
        // The last row of the table, as every other.
        let rows = lines.map_while(Result::ok).filter(|line| line.starts_with("frame "));
        rows.take(6).for_each(|row| drop(sender.send(row)));
    });
    for row in 0..6 {
        if rows.recv_timeout(Duration::from_secs(60)).is_err() {
            child.kill().expect("it runs");
            panic!("row {row} of the frames never came");
        }
    }
    assert!(std::fs::symlink_metadata(&fifo).expect("the FIFO").file_type().is_fifo());
    let json = std::fs::read_to_string(&fifo).expect("the file");
    assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok(), "{json}");
    assert!(child.wait().expect("its end").success());
}

/// A closed pipe on standard output does not affect the file.
#[cfg(unix)]
#[test]
fn bench_with_a_closed_pipe_still_writes_its_file() {
    let folder = folder();
    let script = "\"$0\" bench --backend cpu --size 8x8 --image 8x8 --repeats 1 --scale 1 --json b.json | true";
    let shell = std::process::Command::new("sh")
        .current_dir(folder.path())
        .args(["-c", script, env!("CARGO_BIN_EXE_lerpscope")])
        .output()
        .expect("sh");
    assert_eq!(String::from_utf8_lossy(&shell.stderr), "");
    let json = std::fs::read_to_string(folder.path().join("b.json")).expect("the file");
    assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok(), "{json}");
}
