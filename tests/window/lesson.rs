//! A lesson on the real screen: the column stands beside the panels, keys walk, and Escape shows the user's own panels again.

use super::live_window::{LiveWindow, has_programs, turn};

#[test]
fn panels_after_a_lesson_are_those_before_it_pixel_by_pixel() {
    if !has_programs() {
        return;
    }
    let _turn = turn();
    let live = LiveWindow::open("", "1");
    live.act(&["mousemove", "200", "300", "key", "8"]);
    live.xdotool(&["mousemove", "850", "3"]);
    live.settle();
    let before = live.shown();
    live.xdotool(&["key", "ctrl+shift+p"]);
    live.settle();
    live.xdotool(&["type", "the interpolation problem"]);
    live.settle();
    live.xdotool(&["key", "Return"]);
    // The column is 356 points wide.
    live.wait_for(|live| live.last("panel 0").is_some_and(|shown| shown.corner[0] >= 356));
    live.settle();
    let first = live.last("panel 0");
    live.xdotool(&["key", "Next"]);
    live.wait_for(|live| live.last("panel 0") != first);
    live.xdotool(&["key", "Prior"]);
    live.wait_for(|live| live.last("panel 0") == first);
    live.xdotool(&["key", "Escape"]);
    live.wait_for(|live| live.shown() == before);
    // A message would cover a corner.
    live.settle();
    live.compare("after a lesson");
}
