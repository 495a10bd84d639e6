//! Comparisons on the real screen: every pixel of a wipe, a difference and a flickering panel is the backend's.

use super::live_window::{LiveWindow, has_programs, turn};

/// Height of the names beside the line of a wipe, and radius of its handle, in pixels at most.
const PLATE: u32 = 60;
/// Position in the status line where nothing has a tooltip, which would cover the panels.
const AWAY: [&str; 3] = ["mousemove", "850", "845"];

#[test]
fn wipe_on_the_screen_is_exact_on_both_sides_of_its_line() {
    if !has_programs() {
        return;
    }
    let _turn = turn();
    for scale_factor in ["1", "1.5"] {
        let live = LiveWindow::open("", scale_factor);
        live.xdotool(&["mousemove", "200", "300", "key", "4", "key", "ctrl+Tab"]);
        live.settle();
        live.xdotool(&["key", "w"]);
        live.wait_for(|live| live.last("panel 1").map(|shown| shown.corner) == live.last("panel 2").map(|s| s.corner));
        live.settle();
        let first = live.last("panel 1").expect("it is seen");
        let size: Vec<u32> = first.option("--size", "").split('x').map(|side| side.parse().expect("a side")).collect();
        // The line is dragged from the middle to a third.
        let row = (first.corner[1] + size[1] / 2).to_string();
        let from = (first.corner[0] + size[0] / 2).to_string();
        let to = (first.corner[0] + size[0] / 3).to_string();
        let steps: [&[&str]; 4] =
            [&["mousemove", &from, &row], &["mousedown", "1"], &["mousemove", &to, &row], &["mouseup", "1"]];
        for step in steps {
            live.xdotool(step);
            live.settle();
        }
        live.xdotool(&AWAY);
        live.settle();
        assert_eq!(live.last("panel 1").as_ref(), Some(&first), "the picture stays where it is");
        let second = live.last("panel 2").expect("it is seen");
        let (screen, line) = (live.screenshot(), size[0] / 3);
        let [left, right] = [line - 2, line + 3];
        // The names stand at the top of the line, and the handle in its middle.
        let middle = size[1] / 2;
        let is_bare = |y: u32| (PLATE..middle - PLATE).contains(&y) || y > middle + PLATE;
        live.compare_part(&screen, &first, &|x, y| x < left && is_bare(y), "left of the line");
        live.compare_part(&screen, &second, &|x, y| x >= right && is_bare(y), "right of the line");
        // Up to the line itself there are only the two panels.
        let at = line_of(&live, &screen, &first, [left, right], true);
        live.compare_part(&screen, &first, &|x, y| x < at && is_bare(y), "left up to the line");
        live.compare_part(&screen, &second, &|x, y| x > at && is_bare(y), "right from the line on");

        live.xdotool(&["key", "shift+w"]);
        live.settle();
        let screen = live.screenshot();
        let at = line_of(&live, &screen, &first, [size[1] / 3 - 4, size[1] / 3 + 5], false);
        let middle = size[0] / 2;
        let is_bare = |x: u32, y: u32| (x > 8 * PLATE && x.abs_diff(middle) > PLATE) || y.abs_diff(at) > 2 * PLATE;
        live.compare_part(&screen, &first, &|x, y| y < at && is_bare(x, y), "above the line");
        live.compare_part(&screen, &second, &|x, y| y > at && is_bare(x, y), "below the line");
    }
}

/// The column, or row, between two panels that is white along its length.
fn line_of(
    live: &LiveWindow,
    screen: &lerpscope::image::Image,
    shown: &super::live_window::Shown,
    [from, to]: [u32; 2],
    is_upright: bool,
) -> u32 {
    let raster = screen.pages()[0].raster();
    let last = raster.channels().count() - 1;
    let is_white = |at: u32| {
        // Before the handle, which is in the middle.
        (PLATE..200).all(|along| {
            let (x, y) = if is_upright { (at, along) } else { (along, at) };
            (0..3).all(|c: usize| raster.number(shown.corner[0] + x, shown.corner[1] + y, c.min(last)) == 255.0)
        })
    };
    let lines: Vec<u32> = (from..to).filter(|&at| is_white(at)).collect();
    assert_eq!(lines.len(), 1, "one line of one pixel; {}", live.shown().len());
    lines[0]
}

#[test]
fn difference_on_the_screen_equals_render() {
    if !has_programs() {
        return;
    }
    let _turn = turn();
    let live = LiveWindow::open("", "1");
    live.xdotool(&["mousemove", "200", "300", "key", "8", "key", "ctrl+Tab", "key", "t", "key", "d"]);
    let exposure = |live: &LiveWindow| live.last("difference").map(|shown| shown.option("--exposure", "0").to_owned());
    let wait_while = |exposures: &[&str]| {
        live.wait_for(|live| exposure(live).is_some_and(|exposure| !exposures.contains(&&*exposure)));
    };
    // From the automatic gain, which is more than 1, to gain 1, which has no option.
    wait_while(&["0"]);
    while let Some(before) = exposure(&live).filter(|exposure| exposure != "0") {
        live.xdotool(&["key", "bracketleft"]);
        wait_while(&[&before]);
    }
    for (keys, option, value) in [
        ("bracketright", "--exposure", "1"),
        ("bracketright", "--exposure", "2"),
        ("shift+d", "--colour-map", "inferno"),
        ("bracketleft", "--exposure", "1"),
    ] {
        live.xdotool(&["key", keys]);
        live.wait_for(|live| live.last("difference").is_some_and(|shown| shown.option(option, "") == value));
        live.xdotool(&AWAY);
        live.settle();
        let shown = live.last("difference").expect("it is seen");
        live.compare_part(&live.screenshot(), &shown, &|_, _| true, &format!("the difference after {keys}"));
    }
}

#[test]
fn space_bar_tap_shows_the_next_panels_pixels_at_the_same_position() {
    if !has_programs() {
        return;
    }
    let _turn = turn();
    let live = LiveWindow::open("", "1");
    let zoomed = live.act(&["mousemove", "200", "300", "key", "4"]);
    live.xdotool(&["mousemove", "850", "3", "key", "space"]);
    live.settle();
    let mut flipped = live.last("panel 1").expect("it is seen");
    flipped.corner = zoomed.corner;
    // The name of the shown panel stands in the corner.
    let is_bare = |x: u32, y: u32| x > 4 * PLATE || y > PLATE;
    live.compare_part(&live.screenshot(), &flipped, &is_bare, "panel 2 in panel 1's place");
    live.xdotool(&["key", "space"]);
    live.settle();
    live.compare_part(&live.screenshot(), &zoomed, &|_, _| true, "panel 1 again");
}
