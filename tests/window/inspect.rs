//! Overlays and display on the real screen: overlays leave no trace, and the display mapping equals `lerpscope render`
//! with the same options.

use super::live_window::{LiveWindow, has_programs, turn};

#[test]
fn overlays_keep_panel_pixels_and_the_display_is_in_the_request() {
    if !has_programs() {
        return;
    }
    let _turn = turn();
    let live = LiveWindow::open("", "1");
    live.act(&["mousemove", "200", "300", "key", "9"]);
    live.act(&["key", "plus", "key", "plus", "key", "plus", "key", "plus", "key", "plus"]);
    live.compare("before all overlays");
    let shown = live.shown()[&0].clone();
    let plain = live.screenshot();
    live.xdotool(&["key", "v", "key", "g", "key", "b"]);
    live.settle();
    assert_ne!(live.screenshot().pages()[0].raster(), plain.pages()[0].raster(), "values and grid are seen");
    assert_eq!(live.shown()[&0], shown, "no picture was rendered for them");
    // Esc removes the message that no pixel is clipped.
    live.xdotool(&["key", "v", "key", "g", "key", "b", "key", "Escape"]);
    live.compare("after all overlays");

    let brighter = live.act(&["mousemove", "200", "300", "key", "e", "key", "e"]);
    assert_eq!(brighter.option("--exposure", "0"), "0.5");
    live.compare("with more exposure");
    live.xdotool(&["mousemove", "200", "250", "mousedown", "3"]);
    live.settle();
    live.xdotool(&["mousemove", "230", "240"]);
    let windowed = live.act(&["mousemove", "260", "230", "mouseup", "3"]);
    assert_ne!(windowed.option("--window", ""), "");
    live.compare("with a window dragged by the right button");
    let normal = live.act(&["mousemove", "200", "300", "key", "n"]);
    assert_ne!(normal.option("--window", ""), windowed.option("--window", ""));
    live.compare("normalized");
    let reset = live.act(&["mousemove", "200", "300", "key", "r"]);
    assert_eq!(reset, shown);
    live.compare("reset");
}

#[test]
fn footprint_of_a_clicked_pixel_is_drawn_over_the_picture_without_rendering_it() {
    if !has_programs() {
        return;
    }
    let _turn = turn();
    let live = LiveWindow::open("", "1");
    live.act(&["mousemove", "200", "300", "key", "9"]);
    live.act(&["key", "plus", "key", "plus", "key", "plus", "key", "plus", "key", "plus"]);
    live.act(&["key", "F4"]);
    let shown = live.shown()[&0].clone();
    let ([left, top], [width, height]) = (shown.corner, shown.size());
    let middle = [left + width / 2, top + height / 2];
    let click = |[x, y]: [u32; 2]| {
        live.xdotool(&["mousemove", &x.to_string(), &y.to_string(), "click", "1"]);
        live.settle();
        // The pointer leaves the picture.
        live.xdotool(&["mousemove", "5", "5"]);
        live.settle();
        live.screenshot()
    };
    // Pixels of the picture that differ, by their columns.
    let [first, second] = [[middle[0] - 60, middle[1]], [middle[0] + 60, middle[1]]].map(click);
    let [first, second] = [&first, &second].map(|shot| shot.pages()[0].raster());
    let differing = |columns: std::ops::Range<u32>| {
        let rows = top..top + height;
        let pixels = columns.flat_map(|x| rows.clone().map(move |y| (x, y)));
        pixels.filter(|&(x, y)| (0..3).any(|c| first.number(x, y, c) != second.number(x, y, c))).count()
    };
    assert!(differing(left..middle[0]) > 100, "the first pixel's disc is gone");
    assert!(differing(middle[0]..left + width) > 100, "the second pixel has one");
    assert_eq!(live.shown()[&0], shown, "no picture was rendered for them");
    live.xdotool(&["mousemove", "200", "300", "key", "F4"]);
    live.settle();
    live.compare("after the footprint");
}
