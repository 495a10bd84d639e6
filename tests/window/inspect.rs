//! Overlays and display on the real screen: overlays leave no trace, and the display mapping equals `lerpscope render`
//! with the same options.

use super::desk::{Desk, ONE_AT_A_TIME, has_programs};

#[test]
fn overlays_keep_panel_pixels_and_the_display_is_in_the_request() {
    if !has_programs() {
        return;
    }
    let _turn = ONE_AT_A_TIME.lock();
    let desk = Desk::open("", "1");
    desk.act(&["mousemove", "200", "300", "key", "9"]);
    desk.act(&["key", "plus", "key", "plus", "key", "plus", "key", "plus", "key", "plus"]);
    desk.compare("before all overlays");
    let shown = desk.shown()[&0].clone();
    let plain = desk.screenshot();
    desk.xdotool(&["key", "v", "key", "g", "key", "b"]);
    desk.settle();
    assert_ne!(desk.screenshot().pages()[0].raster(), plain.pages()[0].raster(), "values and grid are seen");
    assert_eq!(desk.shown()[&0], shown, "no picture was rendered for them");
    desk.xdotool(&["key", "v", "key", "g", "key", "b"]);
    desk.compare("after all overlays");

    let brighter = desk.act(&["mousemove", "200", "300", "key", "e", "key", "e"]);
    assert_eq!(brighter.option("--exposure", "0"), "0.5");
    desk.compare("with more exposure");
    desk.xdotool(&["mousemove", "200", "250", "mousedown", "3"]);
    desk.settle();
    desk.xdotool(&["mousemove", "230", "240"]);
    let windowed = desk.act(&["mousemove", "260", "230", "mouseup", "3"]);
    assert_ne!(windowed.option("--window", ""), "");
    desk.compare("with a window dragged by the right button");
    let normal = desk.act(&["mousemove", "200", "300", "key", "n"]);
    assert_ne!(normal.option("--window", ""), windowed.option("--window", ""));
    desk.compare("normalized");
    let reset = desk.act(&["mousemove", "200", "300", "key", "r"]);
    assert_eq!(reset, shown);
    desk.compare("reset");
}
