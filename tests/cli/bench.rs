//! `bench`: the table and the file say the same, and what was asked for is what was measured.

use super::{folder, succeed};

#[test]
fn every_row_says_how_often_it_was_measured() {
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

/// What no machine of this kind can measure is named, and costs nothing else.
#[test]
fn a_frame_without_a_display_is_left_out_by_name() {
    let folder = folder();
    let small = ["bench", "--backend", "cpu", "--size", "48x32", "--image", "50x40", "--repeats=1", "--scale=1/2"];
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
    assert_eq!(json["rows"].as_array().map(Vec::len), Some(lerpscope::sampling::METHODS.len()), "{table}");
}
