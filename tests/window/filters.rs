//! Filters on the real screen: every pixel equals `lerpscope render`, and the window idles afterwards.

use std::time::Duration;

use super::desk::{Desk, ONE_AT_A_TIME, has_programs};

/// Adds the filter that the palette finds by these letters.
fn add(desk: &Desk, letters: &str, option: &str, value: &str) {
    desk.xdotool(&["mousemove", "200", "300", "key", "ctrl+f"]);
    desk.settle();
    desk.xdotool(&["type", letters]);
    desk.settle();
    desk.xdotool(&["key", "Return"]);
    desk.wait_for(|desk| desk.shown()[&0].option(option, "") == value);
    desk.settle();
}

#[test]
fn filter_chain_on_the_screen_equals_render_and_the_window_idles() {
    if !has_programs() {
        return;
    }
    let _turn = ONE_AT_A_TIME.lock();
    let desk = Desk::open("", "1");
    add(&desk, "bilateral", "--filter", "bilateral");
    desk.compare("with a filter on the samples");
    add(&desk, "sobel after", "--filter-after", "sobel");
    desk.compare("with another on the pixels");
    let zoomed = desk.act(&["mousemove", "200", "300", "key", "4"]);
    assert_eq!((zoomed.option("--filter", ""), zoomed.option("--filter-after", "")), ("bilateral", "sobel"));
    desk.compare("zoomed in");
    desk.act(&["key", "shift+f"]);
    assert_eq!(desk.shown()[&0].option("--filter", ""), "bilateral,off");
    desk.compare("with all filters off");
    desk.act(&["key", "shift+f"]);
    desk.xdotool(&["mousemove", "300", "300"]);
    desk.settle();
    let used: Vec<u64> = (0..6)
        .map(|_| {
            let before = desk.ticks();
            std::thread::sleep(Duration::from_secs(1));
            desk.ticks() - before
        })
        .collect();
    assert!(used.iter().rev().take(3).sum::<u64>() <= 2, "ticks each second: {used:?}");
}
