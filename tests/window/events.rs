//! A short sequence of random events on the real screen. tests/gpu/storm.py sends a longer one.

use std::time::Duration;

use super::live_window::{LiveWindow, has_programs, turn};

const EVENTS: usize = 6000;
const SEED: u64 = 5;
/// Events sent at once, and the pause after them.
const BATCH: usize = 40;
const PAUSE: Duration = Duration::from_millis(200);
/// Largest growth of resident memory within the last third, in KiB: the least values of its two halves are compared. Memory that is never
/// released raises them as it raises all others; what more panels or a larger picture need for a while does not.
const MAX_GROWTH_KIB: u64 = 24 << 10;
/// Clock ticks in four idle seconds: half a percent of one CPU.
const MAX_TICKS_AT_REST: u64 = 2;
/// Message of the window about a caught panic.
const FAILED_FRAME: &str = "a frame failed: ";

const KEYS: [&str; 52] = [
    "a",
    "b",
    "c",
    "d",
    "e",
    "f",
    "g",
    "h",
    "i",
    "j",
    "k",
    "l",
    "m",
    "n",
    "p",
    "r",
    "s",
    "t",
    "u",
    "v",
    "w",
    "x",
    "y",
    "z",
    "1",
    "2",
    "3",
    "4",
    "6",
    "8",
    "0",
    "plus",
    "minus",
    "comma",
    "period",
    "bracketleft",
    "bracketright",
    "space",
    "Tab",
    "Return",
    "BackSpace",
    "Delete",
    "Escape",
    "F1",
    "Page_Up",
    "Page_Down",
    "Home",
    "End",
    "Left",
    "Right",
    "Up",
    "Down",
];

/// The next event, a line for xdotool.
fn event(random: &mut fastrand::Rng, held: &mut Vec<u8>) -> String {
    match random.u8(..100) {
        0..50 => format!("mousemove {} {}", random.u32(..1280), random.u32(..860)),
        50..64 => {
            let button = *[1, 1, 2, 3].get(random.usize(..4)).expect("a button");
            match held.iter().position(|known| *known == button) {
                Some(place) => {
                    held.remove(place);
                    format!("mouseup {button}")
                }
                None => {
                    held.push(button);
                    format!("mousedown {button}")
                }
            }
        }
        64..74 => format!("click --delay 0 {}", random.u8(4..8)),
        _ => {
            let held = ["", "", "", "shift+", "ctrl+", "ctrl+shift+"][random.usize(..6)];
            let key = KEYS[random.usize(..KEYS.len())];
            // A pasted picture is one more open image, which memory keeps.
            let held = if key == "v" { held.trim_start_matches("ctrl+") } else { held };
            format!("key --delay 0 {held}{key}")
        }
    }
}

#[test]
fn window_after_random_events_responds_idles_and_keeps_its_memory() {
    if !has_programs() {
        return;
    }
    let _turn = turn();
    let live = LiveWindow::open("", "1");
    let (mut random, mut held, mut last) = (fastrand::Rng::with_seed(SEED), Vec::new(), Vec::new());
    let mut memory = Vec::new();
    for _ in 0..EVENTS / BATCH {
        let batch: Vec<String> = (0..BATCH).map(|_| event(&mut random, &mut held)).collect();
        live.xdotool_lines(&batch);
        std::thread::sleep(PAUSE);
        let resident = live.resident_kib();
        let lines = live.lines();
        assert!(resident.is_some(), "seed {SEED}: after {last:#?} and {batch:#?} the window said {:#?}", lines.last());
        memory.extend(resident);
        let failed = lines.iter().find(|line| line.contains(FAILED_FRAME));
        assert_eq!(failed, None, "seed {SEED}: after {last:#?} and {batch:#?}");
        last = batch;
    }
    let third = &memory[memory.len() * 2 / 3..];
    let [before, after] = [&third[..third.len() / 2], &third[third.len() / 2..]].map(|half| half.iter().min());
    assert!(after <= before.map(|least| least + MAX_GROWTH_KIB).as_ref(), "resident memory in KiB: {memory:?}");

    // All buttons and keys are released and dialogs closed; starting a comparison ends the flicker. The plots replace a tool of
    // the laboratory that measures, which may take a minute.
    live.xdotool(&["mouseup", "1", "mouseup", "2", "mouseup", "3", "mousemove", "850", "3"]);
    live.xdotool(&[
        "key", "--delay", "60", "Escape", "Escape", "Escape", "Escape", "Escape", "Escape", "w", "s", "F3", "F3",
    ]);
    live.settle();
    let said = live.lines().len();
    live.xdotool(&["key", "--delay", "400", "2", "3"]);
    live.wait_for(|live| live.lines().len() > said);
    live.settle();
    // A notice is shown for ten seconds at most.
    std::thread::sleep(Duration::from_secs(11));
    let before = live.ticks();
    std::thread::sleep(Duration::from_secs(4));
    let used = live.ticks() - before;
    assert!(used <= MAX_TICKS_AT_REST, "{used} ticks in four seconds at rest: {:#?}", live.threads());
}
