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
    live.xdotool(&["key", "v", "key", "g", "key", "b"]);
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
