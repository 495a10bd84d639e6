//! The desktop's clipboard after a copy, as read by another program (xclip).

use std::path::Path;
use std::process::Command;

use lerpscope::image::{self, BUILT_IN};

use super::live_window::{LiveWindow, PROGRAM, has_programs, turn};

#[test]
fn clipboard_has_the_pixels_of_render_and_their_commands() {
    if !has_programs() {
        return;
    }
    let _turn = turn();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("colour's.ppm");
    let mut random = fastrand::Rng::with_seed(13);
    let samples: Vec<u8> = (0..40 * 30 * 3).map(|_| random.u8(..)).collect();
    std::fs::write(&file, [b"P6 40 30 255\n".as_slice(), &samples].concat()).expect("a file");
    for input in ["", file.to_str().expect("a name")] {
        let live = LiveWindow::open(input, "1");
        // The third panel of four, smoothed, eight times in.
        live.act(&["mousemove", "300", "300", "key", "ctrl+Tab", "key", "ctrl+Tab", "key", "8"]);
        live.xdotool(&["key", "ctrl+c"]);
        let picture = live.clipboard("image/png");
        let picture = image::read("clipboard.png", &picture).expect("a PNG").image;
        let shown = live.last("panel 2").expect("it is seen");
        live.compare_picture(&picture, &shown, "the clipboard's picture");

        live.xdotool(&["key", "ctrl+shift+c"]);
        let text = String::from_utf8(live.clipboard("UTF8_STRING")).expect("text");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 5, "{text}");
        let place = tempfile::tempdir().expect("a folder");
        let programs = Path::new(PROGRAM).parent().expect("a folder").display().to_string();
        for (index, line) in lines.into_iter().enumerate() {
            let mut shell = Command::new("sh");
            shell.args(["-c", line]).current_dir(place.path()).env("PATH", format!("{programs}:/usr/bin:/bin"));
            assert!(shell.status().expect("a shell").success(), "{line}");
            if index == 4 {
                let figure = image::open(&place.path().join("figure.png")).expect("a picture").image;
                let [width, height] = figure.pages()[0].size().sides();
                let [panel_width, panel_height] = shown.size();
                assert!(width > 2 * panel_width && height > 2 * panel_height, "{line}: {width} × {height}");
                continue;
            }
            let picture = image::open(&place.path().join(format!("panel-{}.png", index + 1))).expect("a picture").image;
            let shown = live.last(&format!("panel {index}")).expect("it is seen");
            live.compare_picture(&picture, &shown, line);
        }
    }
}

/// Panels with different angles: the clipboard has the shown pixels of one, of a wipe, and of a difference.
#[test]
fn clipboard_has_rotated_views_wipes_and_differences_as_shown() {
    if !has_programs() {
        return;
    }
    let _turn = turn();
    let folder = tempfile::tempdir().expect("a folder");
    let session = folder.path().join("turned.toml");
    let panels = [-90.0, 33.0, 180.0, -120.5]
        .map(|angle| format!("[[panel]]\nscale = 0.25\ntranslate = [31.0, -20.5]\nrotate = {angle:?}\n"));
    let text = format!("images = ['builtin:basilica']\nlink = 'off'\nline = 0.25\n{}", panels.concat());
    std::fs::write(&session, text).expect("a file");
    let live = LiveWindow::open_session(&session, BUILT_IN);
    let mut last = Vec::new();
    let mut copy = || {
        live.xdotool(&["key", "ctrl+c"]);
        last = live.clipboard_after("image/png", &last);
        image::read("clipboard.png", &last).expect("a PNG").image
    };
    live.xdotool(&["mousemove", "300", "300"]);
    for (panel, angle) in ["-90", "33", "180"].into_iter().enumerate() {
        let shown = live.last(&format!("panel {panel}")).expect("it is seen");
        assert_eq!(shown.option("--rotate", "0"), angle);
        live.compare_picture(&copy(), &shown, &format!("the picture turned by {angle}°"));
        live.xdotool(&["key", "ctrl+Tab"]);
        live.settle();
    }
    live.xdotool(&["key", "ctrl+Tab", "key", "w"]);
    live.wait_for(|live| {
        live.last("panel 0").map(|shown| shown.corner) == live.last("panel 1").map(|shown| shown.corner)
    });
    live.settle();
    let [first, second] = ["panel 0", "panel 1"].map(|name| live.last(name).expect("it is seen"));
    let border = (f64::from(first.size()[0]) * 0.25).round() as u32;
    let picture = copy();
    live.compare_part(&picture, &first.alone(), &|x, _| x < border, "the clipboard left of the line");
    live.compare_part(&picture, &second.alone(), &|x, _| x >= border, "the clipboard right of the line");
    live.xdotool(&["key", "d"]);
    live.wait_for(|live| live.last("difference").is_some());
    live.settle();
    let difference = live.last("difference").expect("it is seen");
    live.compare_picture(&copy(), &difference, "the clipboard's difference");
}
