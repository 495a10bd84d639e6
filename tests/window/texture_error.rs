//! The texture unit of the window's OpenGL, measured in the drawer.

use super::live_window::{LiveWindow, has_programs, turn};

#[test]
fn staircase_has_a_curve_of_the_windows_opengl() {
    if !has_programs() {
        return;
    }
    let _turn = turn();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("staircase.csv");
    let live = LiveWindow::open("", "1");
    // The next method: linear.
    live.act(&["mousemove", "200", "300", "key", "k"]);
    live.act(&["key", "F5"]);
    live.settle();
    live.compare("beside the measurement by OpenGL");
    live.xdotool(&["key", "shift+F3"]);
    live.settle();
    live.xdotool(&["key", "ctrl+a", "type", file.to_str().expect("a name")]);
    live.settle();
    live.xdotool(&["key", "Return"]);
    live.wait_for(|_| file.exists());
    let mut csv = csv::Reader::from_path(&file).expect("a file");
    let column = |name: &str, head: &csv::StringRecord| head.iter().position(|other| other == name).expect("a column");
    let head = csv.headers().expect("names").clone();
    let (source, fraction, value) = (column("source", &head), column("fraction", &head), column("value", &head));
    let records: Vec<csv::StringRecord> = csv.records().collect::<Result<_, _>>().expect("CSV");
    let of_shader: Vec<_> = records.iter().filter(|record| &record[source] == "shader").collect();
    assert!(of_shader.len() > 100, "{} places", of_shader.len());
    for record in of_shader {
        let [fraction, value] = [fraction, value].map(|column| record[column].parse::<f64>().expect("a number"));
        assert!((fraction - value).abs() <= 1.0 / 128.0, "{fraction}: {value}");
    }
}
