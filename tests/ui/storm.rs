//! Random seeded events on the window without a screen: motion, wheel, buttons, keys, text, touch, pinch, modifiers,
//! window sizes, scale factors, lost focus and dropped files, several per frame, while sessions are exchanged.
//!
//! No panic may occur, and after every frame the window is consistent. A failure prints the seed and the last events;
//! `LERPSCOPE_STORM_SEED` and `LERPSCOPE_STORM_EVENTS` select others.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::{
    Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, PointerButton, Pos2, TouchDeviceId, TouchId, TouchPhase,
    Vec2, pos2, vec2,
};
use egui_kittest::Harness;
use lerpscope::app::{AppPaths, Lerpscope, SessionState};
use lerpscope::backend::CpuBackend;
use lerpscope::image::{self, Channels, Raster, Samples, Size};

use crate::harness::consistency::assert_consistent;
use crate::harness::dropped::Dropped;
use crate::harness::{Window, app, window_of};

const EVENTS: u64 = 100_000;
const SEED: u64 = 1;
/// Events printed on a failure.
const TOLD: usize = 40;
/// Frames between restorations of an earlier session.
const FRAMES_A_SESSION: u64 = 150;
/// Number of sessions kept for restoration.
const SESSIONS: usize = 8;

/// Input state of the event generator.
struct Storm {
    random: fastrand::Rng,
    pos: Pos2,
    size: Vec2,
    modifiers: Modifiers,
    buttons: Vec<PointerButton>,
    fingers: Vec<u64>,
}

impl Storm {
    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.random.usize(..of.len())]
    }

    fn signed(&mut self) -> f32 {
        self.random.f32() - 0.5
    }

    /// Usually a short distance, sometimes anywhere.
    fn motion(&mut self) -> Event {
        let step = vec2(self.signed(), self.signed()) * 80.0;
        self.pos = if self.random.u8(..8) == 0 {
            pos2(self.random.f32() * self.size.x, self.random.f32() * self.size.y)
        } else {
            (self.pos + step).clamp(Pos2::ZERO, self.size.to_pos2())
        };
        Event::PointerMoved(self.pos)
    }

    fn button(&mut self) -> Event {
        let button = self.pick(&[
            PointerButton::Primary,
            PointerButton::Primary,
            PointerButton::Primary,
            PointerButton::Secondary,
            PointerButton::Middle,
        ]);
        let held = self.buttons.iter().position(|held| *held == button);
        match held {
            Some(place) => drop(self.buttons.remove(place)),
            None => self.buttons.push(button),
        }
        Event::PointerButton { pos: self.pos, button, pressed: held.is_none(), modifiers: self.modifiers }
    }

    fn wheel(&mut self) -> Event {
        let unit = self.pick(&[MouseWheelUnit::Line, MouseWheelUnit::Point, MouseWheelUnit::Page]);
        let source = self.pick(&[
            MouseWheelSource::Unknown,
            MouseWheelSource::Wheel,
            MouseWheelSource::Trackpad,
            MouseWheelSource::Momentum,
        ]);
        let size = if unit == MouseWheelUnit::Point { 90.0 } else { 4.0 };
        let delta = vec2(self.signed() * self.random.u8(..2) as f32, self.signed()) * size;
        Event::MouseWheel { unit, delta, phase: TouchPhase::Move, source, modifiers: self.modifiers }
    }

    /// A touch starts, moves or ends; at most three at a time.
    fn touch(&mut self) -> Event {
        let pos = pos2(self.random.f32() * self.size.x, self.random.f32() * self.size.y);
        let id = self.random.u64(..3);
        let down = self.fingers.iter().position(|finger| *finger == id);
        let phase = match down {
            None => {
                self.fingers.push(id);
                TouchPhase::Start
            }
            Some(_) if self.random.u8(..4) > 0 => TouchPhase::Move,
            Some(place) => {
                self.fingers.remove(place);
                self.pick(&[TouchPhase::End, TouchPhase::Cancel])
            }
        };
        Event::Touch { device_id: TouchDeviceId(1), id: TouchId(id), phase, pos, force: None }
    }

    fn hold(&mut self) -> Event {
        self.modifiers = match self.random.u8(..6) {
            0 => Modifiers::COMMAND,
            1 => Modifiers::SHIFT,
            2 => Modifiers::COMMAND | Modifiers::SHIFT,
            3 => Modifiers::ALT,
            _ => Modifiers::NONE,
        };
        Event::ModifiersChanged(self.modifiers)
    }

    /// Any key, except chords that open a dialog of the desktop or change its clipboard.
    fn key(&mut self) -> Event {
        let mut key = self.pick(Key::ALL);
        if self.modifiers.command && matches!(key, Key::O | Key::C | Key::V | Key::X) {
            key = Key::W;
        }
        let (pressed, repeat) = (self.random.u8(..4) > 0, self.random.u8(..6) == 0);
        Event::Key { key, physical_key: None, pressed, repeat, modifiers: self.modifiers }
    }

    fn text(&mut self) -> Event {
        let count = self.random.usize(1..5);
        Event::Text((0..count).map(|_| self.pick(b"0123456789.-e ") as char).collect())
    }

    fn event(&mut self) -> Event {
        match self.random.u8(..100) {
            0..40 => self.motion(),
            40..54 => self.button(),
            54..62 => self.wheel(),
            62..66 => self.hold(),
            66..90 => self.key(),
            90..92 => self.text(),
            92..96 => self.touch(),
            96 => Event::Zoom(0.5 + self.random.f32()),
            97 => Event::PointerGone,
            _ => Event::WindowFocused(self.random.bool()),
        }
    }
}

/// Files to drop: of different sizes, of two pages, broken, missing.
fn files(folder: &Path) -> Vec<PathBuf> {
    let sizes = [[64, 48], [1, 1], [7, 211], [90, 90]];
    let mut files: Vec<PathBuf> = (0..sizes.len()).map(|number| folder.join(format!("{number}.pgm"))).collect();
    for (file, [width, height]) in files.iter().zip(sizes) {
        let size = Size::new(width, height).expect("a size");
        let values = (0..size.area()).map(|place| (place * 7 % 256) as u8).collect();
        let samples = Samples::U8 { values, maxval: 255 };
        image::save(file, &Raster::new(size, Channels::Grey, samples).expect("a raster")).expect("a file");
    }
    let pages = folder.join("pages.pgm");
    std::fs::write(&pages, "P2 3 2 15\n1 2 3 4 5 6\nP2 5 1 9\n9 8 7 6 5\n").expect("a file");
    let broken = folder.join("broken.pgm");
    std::fs::write(&broken, "P5 4 4 255\nab").expect("a file");
    files.extend([pages, broken, folder.join("nowhere.pgm"), folder.to_owned()]);
    files
}

fn open(folder: &Path, sources: Vec<PathBuf>) -> Window {
    let places = AppPaths {
        settings: folder.join("settings.toml"),
        session: folder.join("session.toml"),
        pasted: folder.join("pasted"),
    };
    let builder = Harness::builder().with_size([900.0, 600.0]).with_step_dt(1.0 / 60.0);
    window_of(builder, move |ctx| {
        let images = sources.iter().map(|file| image::open(file).expect("an image").image).collect();
        let mut app = Lerpscope::new(ctx, images, Box::new(CpuBackend::new())).expect("an image");
        app.remember_at(ctx, places);
        app.name_sources(&sources);
        app
    })
}

fn from_environment(name: &str, or: u64) -> u64 {
    std::env::var(name).ok().map_or(or, |text| text.parse().unwrap_or_else(|_| panic!("{name} is a whole number")))
}

#[test]
fn random_events_leave_a_consistent_window() {
    let folder = tempfile::tempdir().expect("a folder");
    // Text typed into a dialog may be a relative name.
    std::env::set_current_dir(folder.path()).expect("the folder");
    let (seed, events) =
        (from_environment("LERPSCOPE_STORM_SEED", SEED), from_environment("LERPSCOPE_STORM_EVENTS", EVENTS));
    let files = files(folder.path());
    let mut window = open(folder.path(), vec![files[0].clone(), files[4].clone()]);
    window.step();
    let mut storm = Storm {
        random: fastrand::Rng::with_seed(seed),
        pos: pos2(300.0, 300.0),
        size: vec2(900.0, 600.0),
        modifiers: Modifiers::NONE,
        buttons: Vec::new(),
        fingers: Vec::new(),
    };
    let (mut sent, mut frame, mut told) = (0, 0_u64, VecDeque::new());
    let mut sessions: Vec<SessionState> = vec![app(&window).session().state()];
    while sent < events {
        frame += 1;
        for _ in 0..storm.random.u64(8..40) {
            let event = storm.event();
            told.push_back(format!("frame {frame}: {event:?}"));
            window.input_mut().events.push(event);
            sent += 1;
        }
        if storm.random.u8(..40) == 0 {
            let file = files[storm.random.usize(..files.len())].clone();
            told.push_back(format!("frame {frame}: dropped {}", file.display()));
            window.input_mut().dropped_files.push(Arc::new(Dropped(file)));
        }
        if storm.random.u8(..60) == 0 {
            storm.size = vec2(storm.random.f32() * 500.0 + 500.0, storm.random.f32() * 300.0 + 340.0).round();
            let scale = storm.pick(&[1.0, 1.0, 1.25, 2.0]);
            told.push_back(format!("frame {frame}: {} at {scale}", storm.size));
            window.set_size(storm.size).set_pixels_per_point(scale);
        }
        told.drain(..told.len().saturating_sub(TOLD));
        let show_session = frame.is_multiple_of(FRAMES_A_SESSION);
        let is_done = catch_unwind(AssertUnwindSafe(|| {
            window.step();
            assert_consistent(&window);
            if show_session {
                exchange_session(&mut window, &mut sessions, &mut storm.random);
            }
        }));
        assert!(is_done.is_ok(), "seed {seed}, frame {frame}, {sent} events; the last: {told:#?}");
    }
}

/// Records the current session and restores a recorded one whose images still have their pages.
fn exchange_session(window: &mut Window, sessions: &mut Vec<SessionState>, random: &mut fastrand::Rng) {
    if sessions.len() == SESSIONS {
        sessions.remove(random.usize(..SESSIONS));
    }
    sessions.push(app(window).session().state());
    let state = sessions[random.usize(..sessions.len())].clone();
    window.state_mut().as_mut().expect("the app").restore_state(&state);
}
