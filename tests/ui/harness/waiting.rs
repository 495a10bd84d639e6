//! Frames until a condition holds, for tests without a screen that depend on another thread.

use std::time::{Duration, Instant};

use egui::{Key, Modifiers};

use crate::harness::{Window, app};

/// How long another thread may take. It is below the priority of the window and of a build beside the tests.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs frames until `is_so` holds; panics with `what` after 60 seconds.
pub(crate) fn wait(window: &mut Window, what: &str, is_so: impl Fn(&Window) -> bool) {
    let start = Instant::now();
    while !is_so(window) {
        assert!(start.elapsed() < PATIENCE, "{what} did not come within {PATIENCE:?}");
        std::thread::sleep(Duration::from_millis(10));
        window.run_ok();
    }
}

/// Runs frames until all that was asked for has come and is shown, at most for two minutes.
pub(crate) fn settle(window: &mut Window) {
    let start = Instant::now();
    // What comes after a frame asked for it and before `has_settled` is shown by the next frame.
    let mut had_settled = false;
    loop {
        window.run_ok();
        let has_settled = app(window).has_settled();
        if has_settled && had_settled {
            return;
        }
        had_settled = has_settled;
        assert!(start.elapsed() < 2 * PATIENCE, "something never comes");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Presses a key and runs frames until all that was asked for has come.
pub(crate) fn press_and_settle(window: &mut Window, modifiers: Modifiers, key: Key) {
    window.key_press_modifiers(modifiers, key);
    settle(window);
}

/// Presses a key and runs frames until none is asked for; panics where that takes too many.
pub(crate) fn press_and_rest(window: &mut Window, modifiers: Modifiers, key: Key) {
    window.key_press_modifiers(modifiers, key);
    window.run();
}
