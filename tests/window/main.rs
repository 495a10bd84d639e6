//! The real window on an X server of its own (Xvfb), driven by pointer and key events (xdotool): the screen is
//! compared, byte for byte, with `lerpscope render` on the options that the window logs.
//!
//! Without Xvfb, xdotool, xclip or ImageMagick's `import` the tests report that they are skipped; with
//! `LERPSCOPE_REQUIRE_WINDOW=1` they fail.

mod alpha;
mod clipboard;
mod events;
mod filters;
mod inspect;
mod lesson;
mod live_window;
mod panels;
#[cfg(unix)]
mod recovery;
#[path = "../skip/mod.rs"]
mod skip;
mod texture_error;

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use self::live_window::{LiveWindow, PROGRAM, SCREEN, Shown, has_programs, turn};

/// Of three files one cannot be read: the window opens the others, says why, and both are in the list of recent files.
#[test]
fn window_opens_the_readable_files_of_its_arguments_and_remembers_them() {
    if !has_programs() {
        return;
    }
    let _turn = turn();
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a name").to_owned();
    std::fs::write(path("a.pgm"), "P2 4 3 255\n10 20 90 240 50 160 70 80 190 210 32 5\n").expect("a file");
    std::fs::write(path("c.pgm"), "P2 12 1 255\n10 20 90 240 50 160 70 80 190 210 32 5\n").expect("a file");
    std::fs::write(path("b.gif"), "no picture").expect("a file");
    let live = LiveWindow::open_files(&[&path("a.pgm"), &path("b.gif"), &path("c.pgm")]);
    assert!(live.lines().iter().any(|line| line.contains("b.gif: ")), "{:?}", live.lines());
    let recent = |text: &str| -> Option<Vec<String>> {
        let table: toml::Table = text.parse().ok()?;
        table.get("recent")?.as_array()?.iter().map(|path| path.as_str().map(str::to_owned)).collect()
    };
    let expected = vec![path("a.pgm"), path("c.pgm")];
    live.wait_for(|live| live.settings().as_deref().and_then(recent).as_ref() == Some(&expected));
    // Fitted, images of other sides have other scales.
    let first = live.shown()[&0].clone();
    for (name, is_first) in [("c.pgm", false), ("a.pgm", true)] {
        live.xdotool(&["key", "ctrl+shift+o"]);
        live.settle();
        live.xdotool(&["type", name]);
        live.settle();
        live.xdotool(&["key", "Return"]);
        live.wait_for(|live| (live.shown()[&0] == first) == is_first);
        live.settle();
    }
    live.compare("the first file, from the list");
}

/// Of two images of a session one is missing: the window shows the other, and says in its log and over a panel what is missing.
#[test]
fn window_opens_a_session_without_its_missing_image_and_says_so() {
    if !has_programs() {
        return;
    }
    let _turn = turn();
    let folder = tempfile::tempdir().expect("a folder");
    let (there, session) = (folder.path().join("there.pgm"), folder.path().join("s.toml"));
    std::fs::write(&there, "P2 4 3 255\n10 20 90 240 50 160 70 80 190 210 32 5\n").expect("a file");
    let panels = [("nearest", 1), ("linear", 1), ("bspline", 2), ("catmull-rom", 1)]
        .map(|(method, image)| format!("[[panel]]\nsampler = 'method={method}'\nimage = {image}\nscale = 0.01\n"));
    std::fs::write(&session, format!("images = ['there.pgm', 'gone.pgm']\n{}", panels.concat())).expect("a file");
    let live = LiveWindow::open_session(&session, there.to_str().expect("a name"));
    let mut warnings = live.lines();
    warnings.retain(|line| line.starts_with("lerpscope: warning: ") && line.ends_with("gone.pgm: does not exist"));
    assert_eq!(warnings.len(), 1, "{:?}", live.lines());
    // In the status line nothing has a tooltip, which would cover a panel.
    live.xdotool(&["mousemove", "850", "845"]);
    live.settle();
    let (screen, shown) = (live.screenshot(), live.shown());
    let raster = screen.pages()[0].raster();
    // The image is grey, and the frames of errors are red.
    let red = |shown: &Shown| {
        let ([left, top], [width, height]) = (shown.corner, shown.size());
        let pixels = (top..top + height).flat_map(|y| (left..left + width).map(move |x| (x, y)));
        pixels.filter(|&(x, y)| raster.number(x, y, 0) - raster.number(x, y, 2) > 60.0).count()
    };
    assert_eq!(shown.len(), 4);
    for (panel, shown) in &shown {
        if *panel == 2 {
            assert!(red(shown) > 500, "{} red pixels over the panel of the missing image", red(shown));
        } else {
            live.compare_part(&screen, shown, &|_, _| true, &format!("panel {panel} beside a missing image"));
        }
    }
}

/// The screen has 1280 × 860 pixels, and a new window wants as many points.
#[test]
fn window_opens_within_its_screen_at_every_scale_factor() {
    if !has_programs() {
        return;
    }
    let _turn = turn();
    let screen = SCREEN.map(f64::from);
    for (scale_factor, pixels_per_point) in [("1", 1.0), ("1.5", 1.5), ("2", 2.0)] {
        let live = LiveWindow::open_as_it_is(scale_factor);
        // The desktop's frame and bars need room, too.
        let is_within = |live: &LiveWindow| {
            let [[left, top], [width, height]] = live.place().map(|pair| pair.map(f64::from));
            let is_placed = left >= 0.0 && top >= 0.0;
            is_placed && left + width < screen[0] && top + height < screen[1] - 60.0 * pixels_per_point
        };
        live.wait_for(is_within);
        live.settle();
        let [[left, top], [width, height]] = live.place();
        assert!(is_within(&live) && height > 430, "{width} × {height} at {left},{top}, scale factor {scale_factor}");
        for (panel, shown) in live.shown() {
            let [right, bottom] = [0, 1].map(|axis| shown.corner[axis] + shown.size()[axis]);
            let is_seen = i64::from(right) <= i64::from(width) && i64::from(bottom) < i64::from(height);
            assert!(is_seen, "panel {panel} ends at {right},{bottom}, scale factor {scale_factor}");
        }
    }
}

#[test]
fn open_command_without_a_file_dialog_opens_a_typed_path() {
    if !has_programs() {
        return;
    }
    let _turn = turn();
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a name").to_owned();
    for name in ["first.pgm", "second.pgm"] {
        std::fs::write(path(name), "P2 4 3 9\n1 2 3 4 5 6 7 8 9 1 2 3\n").expect("a file");
    }
    let live = LiveWindow::open_files(&[&path("first.pgm")]);
    let is_recent = |live: &LiveWindow| live.settings().is_some_and(|text| text.contains(&path("second.pgm")));
    assert!(!is_recent(&live));
    live.xdotool(&["key", "ctrl+o"]);
    // The request for a dialog fails on another thread.
    std::thread::sleep(Duration::from_secs(2));
    live.xdotool(&["key", "ctrl+a", "type", &path("second.pgm")]);
    live.settle();
    live.xdotool(&["key", "Return"]);
    live.wait_for(is_recent);
}

#[test]
fn screen_after_drag_wheel_and_keys_equals_render() {
    if !has_programs() {
        return;
    }
    let _turn = turn();
    let live = LiveWindow::open("", "1");
    live.compare("at the start");

    let before = live.shown()[&0].clone();
    // A slow machine would see the button go down and up within one frame.
    live.xdotool(&["mousemove", "200", "300", "mousedown", "1"]);
    live.settle();
    live.xdotool(&["mousemove", "230", "280", "mousemove", "263", "251"]);
    let dragged = live.act(&["mousemove", "291", "243", "mouseup", "1"]);
    for (axis, moved_px) in [91.0, -57.0].into_iter().enumerate() {
        let expected = before.translation()[axis] - moved_px * before.scale();
        assert!((dragged.translation()[axis] - expected).abs() < 1e-9, "{dragged:?} after {before:?}");
    }
    live.compare("after a drag");

    let turned = live.act(&["mousemove", "350", "200", "click", "4"]);
    // The X test extension's wheel turns on both press and release of its button.
    let notches = (dragged.scale() / turned.scale()).ln() / 1.2_f64.ln();
    assert!((notches - 1.0).abs() < 1e-9, "{notches} notches");
    live.compare("after the wheel");

    let at_eight = live.act(&["mousemove", "350", "200", "key", "8"]);
    assert_eq!(at_eight.scale(), 0.125);
    live.compare("at 8×");
    let other = live.act(&["key", "k", "key", "shift+a", "key", "ctrl+shift+a", "key", "t"]);
    assert_eq!(other.option("--method", "linear"), "linear");
    assert_eq!((other.option("--address", ""), other.option("--path", "")), ("border", "filtered"));
    live.compare("with another method, address mode and path");
    live.act(&["key", "f"]);
    live.xdotool(&["key", "h"]);
    live.wait_for(|live| live.shown()[&0].corner == [0, 0]);
    // The notice about leaving this mode covers a corner for four seconds.
    std::thread::sleep(Duration::from_secs(5));
    live.compare("with pictures only");
}

#[test]
fn idle_window_uses_no_cpu_time() {
    if !has_programs() {
        return;
    }
    let _turn = turn();
    let live = LiveWindow::open("", "1");
    live.xdotool(&["mousemove", "300", "300"]);
    live.settle();
    let used = (0..8).map(|_| {
        let before = live.ticks();
        std::thread::sleep(Duration::from_secs(1));
        live.ticks() - before
    });
    let used: Vec<u64> = used.collect();
    // A window that draws all the time uses tens of ticks in every one of these seconds.
    assert!(used.iter().rev().take(4).sum::<u64>() <= 2, "ticks each second: {used:?}");
}

#[test]
fn screen_at_every_scale_factor_equals_render_in_colour() {
    if !has_programs() {
        return;
    }
    let _turn = turn();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("colours.ppm");
    let mut random = fastrand::Rng::with_seed(11);
    let samples: Vec<u8> = (0..40 * 30 * 3).map(|_| random.u8(..)).collect();
    std::fs::write(&file, [b"P6 40 30 255\n".as_slice(), &samples].concat()).expect("a file");
    for scale_factor in ["1.25", "1.5", "2"] {
        let live = LiveWindow::open(file.to_str().expect("a name"), scale_factor);
        live.compare(&format!("at {scale_factor}"));
        let whole = live.act(&["mousemove", "300", "300", "key", "1"]);
        assert_eq!(whole.scale(), 1.0, "100 % is one sample on one physical pixel");
        live.compare(&format!("at {scale_factor} and 100 %"));
    }
}

/// Interpolating methods show the file's own numbers, each on one physical pixel; the smoothing B-spline does not.
#[test]
fn screen_at_100_percent_has_the_images_samples_at_every_scale_factor() {
    if !has_programs() {
        return;
    }
    let _turn = turn();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("own.ppm");
    let mut random = fastrand::Rng::with_seed(12);
    let (width, height) = (241_u32, 187_u32);
    let samples: Vec<u8> = (0..width * height * 3).map(|_| random.u8(..)).collect();
    std::fs::write(&file, [format!("P6 {width} {height} 255\n").as_bytes(), &samples].concat()).expect("a file");
    for scale_factor in ["1", "1.25", "1.5", "2"] {
        let live = LiveWindow::open(file.to_str().expect("a name"), scale_factor);
        live.act(&["mousemove", "300", "300", "key", "1"]);
        // The corner of the toolbar has no tooltip, whose shadow would darken the pictures.
        live.xdotool(&["mousemove", "2", "2"]);
        live.settle();
        let screen = live.screenshot();
        let screen = screen.pages()[0].raster();
        for (panel, shown) in live.shown().into_iter().filter(|(panel, _)| *panel != 2) {
            let [t_x, t_y] = shown.translation();
            let output = shown.size();
            // x(0) of a view at scale 1, in samples.
            let left = -f64::from(output[0]) / 2.0 + f64::from(width) / 2.0 + t_x;
            let top = -f64::from(output[1]) / 2.0 + f64::from(height) / 2.0 + t_y;
            assert_eq!((shown.scale(), left.fract(), top.fract()), (1.0, 0.0, 0.0), "at {scale_factor}");
            let mut seen = 0;
            for row in 0..height {
                for column in 0..width {
                    let (x, y) = (f64::from(column) - left, f64::from(row) - top);
                    if !(0.0..f64::from(output[0])).contains(&x) || !(0.0..f64::from(output[1])).contains(&y) {
                        continue;
                    }
                    seen += 1;
                    for channel in 0..3 {
                        let own = samples[((row * width + column) * 3) as usize + channel];
                        let found = screen.number(shown.corner[0] + x as u32, shown.corner[1] + y as u32, channel);
                        assert_eq!(found, f32::from(own), "panel {panel} at {scale_factor}: sample ({column}, {row})");
                    }
                }
            }
            assert!(seen > width * height / 2, "{seen} samples are seen at {scale_factor}");
        }
    }
}

#[test]
fn missing_display_prints_one_line_that_names_render() {
    let output = Command::new(PROGRAM)
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        .output()
        .expect("the program starts");
    let said = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.contains("no display") && said.contains("lerpscope render"), "{said}");
}
