//! Filters on the real screen: every pixel equals `lerpscope render`, and the window idles afterwards.

use std::time::Duration;

use super::live_window::{LiveWindow, has_programs, turn};

/// Adds the filter that the palette finds by these letters.
fn add(live: &LiveWindow, letters: &str, option: &str, value: &str) {
    live.xdotool(&["mousemove", "200", "300", "key", "ctrl+f"]);
    live.settle();
    live.xdotool(&["type", letters]);
    live.settle();
    live.xdotool(&["key", "Return"]);
    live.wait_for(|live| live.shown()[&0].option(option, "") == value);
    live.settle();
}

#[test]
fn filter_chain_on_the_screen_equals_render_and_the_window_idles() {
    if !has_programs() {
        return;
    }
    let _turn = turn();
    let live = LiveWindow::open("", "1");
    add(&live, "bilateral", "--filter", "bilateral");
    live.compare("with a filter on the samples");
    add(&live, "sobel after", "--filter-after", "sobel");
    live.compare("with another on the pixels");
    let zoomed = live.act(&["mousemove", "200", "300", "key", "4"]);
    assert_eq!((zoomed.option("--filter", ""), zoomed.option("--filter-after", "")), ("bilateral", "sobel"));
    live.compare("zoomed in");
    live.act(&["key", "shift+f"]);
    assert_eq!(live.shown()[&0].option("--filter", ""), "bilateral,off");
    live.compare("with all filters off");
    live.act(&["key", "shift+f"]);
    live.xdotool(&["mousemove", "300", "300"]);
    live.settle();
    let used: Vec<u64> = (0..6)
        .map(|_| {
            let before = live.ticks();
            std::thread::sleep(Duration::from_secs(1));
            live.ticks() - before
        })
        .collect();
    assert!(used.iter().rev().take(3).sum::<u64>() <= 2, "ticks each second: {used:?}");
}
