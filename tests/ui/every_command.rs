//! Every command in every situation, and commands in pairs, without a screen: with 1, 4 and 9 panels; with pins,
//! profile line, region and all overlays; during comparisons, drags and dialogs.
//!
//! Results of one frame are drawn in the next, so a command may close or move their panels. After every frame panel ids
//! and widget ids are unique, and the focus, the areas and the compared pair refer to open panels.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use egui::{Event, Key, Modifiers, PointerButton, Popup, Pos2, Rect, Vec2, vec2};
use egui_kittest::Harness;
use lerpscope::app::{
    AppPaths, COMMANDS, Command, Compare, DrawerTool, InspectCommand, InspectState, Lerpscope, LessonCommand,
    PanelState, Session, SessionState,
};
use lerpscope::backend::{CpuBackend, Display};
use lerpscope::filter::Filters;
use lerpscope::image::{self, Channels, Raster, Region, Samples, Size};
use lerpscope::lab::field::Lens;
use lerpscope::sampling::{METHODS, Sampler};

use crate::harness::consistency::assert_consistent;
use crate::harness::dropped::Dropped;
use crate::harness::{Window, app, window_of};

/// Situation of the window when a command is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Situation {
    Plain,
    Inspected,
    Wipe,
    Difference,
    Flicker,
    Flipped,
    Maximized,
    Filtered,
    Lesson,
    HandHeld,
    WindowHeld,
    RegionHeld,
    LineHeld,
    ZoomHeld,
    HeaderCarried,
    LoupeHeld,
    FileOnItsWay,
    Palette,
    SaveDialog,
    SettingsDialog,
    KeysOverlay,
}

const SITUATIONS: [Situation; 21] = [
    Situation::Plain,
    Situation::Inspected,
    Situation::Wipe,
    Situation::Difference,
    Situation::Flicker,
    Situation::Flipped,
    Situation::Maximized,
    Situation::Filtered,
    Situation::Lesson,
    Situation::HandHeld,
    Situation::WindowHeld,
    Situation::RegionHeld,
    Situation::LineHeld,
    Situation::ZoomHeld,
    Situation::HeaderCarried,
    Situation::LoupeHeld,
    Situation::FileOnItsWay,
    Situation::Palette,
    Situation::SaveDialog,
    Situation::SettingsDialog,
    Situation::KeysOverlay,
];

impl Situation {
    /// Whether a dialog is open, which takes all keys.
    fn has_dialog(self) -> bool {
        matches!(self, Self::Palette | Self::SaveDialog | Self::SettingsDialog | Self::KeysOverlay)
    }
}

/// Sizes of the window in points, without the side bar and with it.
const SIZES: [Vec2; 2] = [vec2(760.0, 520.0), vec2(940.0, 560.0)];
/// Numbers of panels.
const COUNTS: [usize; 3] = [1, 4, 9];
/// Commands after which a situation is set up again.
const COMMANDS_A_SITUATION: usize = 6;

/// Commands that open a dialog of the desktop or replace its clipboard.
fn needs_desktop(command: Command) -> bool {
    matches!(
        command,
        Command::Open
            | Command::Paste
            | Command::CopyPicture
            | Command::CopyCommands
            | Command::Lesson(LessonCommand::CopyStep)
    )
}

/// Whether `command` changes the shown panels or images, or their places.
fn changes_panels(command: Command) -> bool {
    match command {
        Command::AddPanel
        | Command::DuplicatePanel
        | Command::ClosePanel
        | Command::ShareSettings
        | Command::SwapNext
        | Command::SwapPrevious
        | Command::NextPanel
        | Command::PreviousPanel
        | Command::Maximize
        | Command::Undo
        | Command::Redo
        | Command::Arrange(_)
        | Command::NextImage
        | Command::NextPage
        | Command::NextTime
        | Command::PreviousTime
        | Command::NextFile
        | Command::Reload
        | Command::PagesAsVolume
        | Command::SideBySide
        | Command::Wipe
        | Command::Difference
        | Command::ExchangePair
        | Command::Flip
        | Command::Flicker
        | Command::NextLayout
        | Command::NextLink
        | Command::Leave
        | Command::Lesson(LessonCommand::Lessons | LessonCommand::Continue | LessonCommand::Next) => true,
        Command::Inspect(ask) => matches!(
            ask,
            InspectCommand::Pin
                | InspectCommand::ClearPins
                | InspectCommand::Profile
                | InspectCommand::Inpaint
                | InspectCommand::Clipping
        ),
        _ => false,
    }
}

/// A window in which each command has one chord of its own: function keys and a few others with modifiers.
struct Driver {
    window: Window,
    chords: Vec<(Command, Modifiers, Key)>,
    files: Vec<PathBuf>,
    trail: Vec<String>,
    /// Number of situations set up so far.
    set_ups: usize,
}

const FUNCTION_KEYS: std::ops::RangeInclusive<u8> = 2..=35;
const OTHER_KEYS: [&str; 10] = [
    "Backslash",
    "Insert",
    "BrowserBack",
    "Pipe",
    "OpenCurlyBracket",
    "CloseCurlyBracket",
    "Colon",
    "Semicolon",
    "Quote",
    "Slash",
];

fn chords() -> Vec<(Command, &'static str, String)> {
    let held = ["", "Ctrl+", "Shift+", "Ctrl+Shift+"];
    let keys = || FUNCTION_KEYS.map(|key| format!("F{key}")).chain(OTHER_KEYS.map(str::to_owned));
    let chords = held.iter().flat_map(|held| keys().map(move |key| format!("{held}{key}")));
    let rows: Vec<_> = COMMANDS.iter().zip(chords).map(|(row, chord)| (row.command, row.id, chord)).collect();
    assert_eq!(rows.len(), COMMANDS.len(), "each command has a chord");
    rows
}

fn write_pages(file: &Path, sides: &[[u32; 2]]) {
    let page = |[width, height]: [u32; 2]| {
        let size = Size::new(width, height).expect("a size");
        let values = (0..size.area()).map(|place| (place % 251) as u8).collect();
        let samples = Samples::U8 { values, maxval: 255 };
        let one = file.with_extension("one.pgm");
        image::save(&one, &Raster::new(size, Channels::Grey, samples).expect("a raster")).expect("a file");
        std::fs::read(one).expect("the file")
    };
    std::fs::write(file, sides.iter().map(|side| page(*side)).collect::<Vec<_>>().concat()).expect("a file");
}

impl Driver {
    fn new(folder: &Path) -> Self {
        let keys: String = chords().iter().map(|(_, id, chord)| format!("{id} = [\"{chord}\"]\n")).collect();
        let config = folder.join("config");
        std::fs::create_dir_all(&config).expect("a folder");
        std::fs::write(config.join("settings.toml"), format!("lesson = '01-interpolation'\n[keys]\n{keys}"))
            .expect("settings");
        let files: Vec<PathBuf> = ["a.pgm", "b.pgm"].iter().map(|name| folder.join(name)).collect();
        write_pages(&files[0], &[[48, 40]]);
        write_pages(&files[1], &[[31, 57], [3, 2]]);
        let places = AppPaths {
            settings: config.join("settings.toml"),
            session: folder.join("session.toml"),
            pasted: folder.join("pasted"),
        };
        let builder = Harness::builder().with_size(SIZES[0]).with_step_dt(0.05);
        let sources = files.clone();
        let window = window_of(builder, move |ctx| {
            let images = sources.iter().map(|file| image::open(file).expect("an image").image).collect();
            let mut app = Lerpscope::new(ctx, images, Box::new(CpuBackend::new())).expect("an image");
            app.remember_at(ctx, places);
            app.name_sources(&sources);
            app
        });
        let chord = |(command, _, text): (Command, &str, String)| {
            let held = [("Ctrl+", Modifiers::COMMAND), ("Shift+", Modifiers::SHIFT)];
            let held = held.iter().filter(|(name, _)| text.contains(name));
            let modifiers = held.fold(Modifiers::NONE, |all, (_, modifier)| all.plus(*modifier));
            let key = text.rsplit('+').next().and_then(Key::from_name).expect("a key");
            (command, modifiers, key)
        };
        let chords = chords().into_iter().map(chord).collect();
        let mut driver = Self { window, chords, files, trail: Vec::new(), set_ups: 0 };
        driver.step("the first frame");
        driver
    }

    /// One frame with all pending events, and the invariants after it.
    fn step(&mut self, what: impl std::fmt::Display) {
        self.trail.push(what.to_string());
        let window = &mut self.window;
        let is_done = catch_unwind(AssertUnwindSafe(|| {
            window.step();
            assert_consistent(window);
        }));
        assert!(is_done.is_ok(), "after {:#?}", &self.trail[self.trail.len().saturating_sub(16)..]);
    }

    /// Adds an event to the next frame.
    fn event(&mut self, event: Event) {
        self.window.input_mut().events.push(event);
    }

    fn key(&mut self, key: Key, modifiers: Modifiers, pressed: bool) {
        self.event(Event::Key { key, physical_key: None, pressed, repeat: false, modifiers });
    }

    fn button(&mut self, pos: Pos2, button: PointerButton, pressed: bool, modifiers: Modifiers) {
        self.event(Event::PointerMoved(pos));
        self.event(Event::PointerButton { pos, button, pressed, modifiers });
    }

    fn chord(&self, command: Command) -> (Modifiers, Key) {
        let found = self.chords.iter().find(|(known, ..)| *known == command);
        found.map(|(_, modifiers, key)| (*modifiers, *key)).expect("a command")
    }

    fn give(&mut self, command: Command) {
        let (modifiers, key) = self.chord(command);
        self.key(key, modifiers, true);
        self.key(key, modifiers, false);
        self.step(format_args!("{command:?}"));
    }

    /// Closes what the command before has opened over the panels, which would take the next one's keys.
    fn close_modals(&mut self) {
        let is_open = |window: &Window| {
            Popup::is_any_open(&window.ctx) || window.ctx.memory(|memory| memory.top_modal_layer()).is_some()
        };
        for _ in 0..3 {
            if !is_open(&self.window) {
                return;
            }
            self.key(Key::Escape, Modifiers::NONE, true);
            self.key(Key::Escape, Modifiers::NONE, false);
            self.step("Escape");
        }
        assert!(!is_open(&self.window), "after {:#?}", self.trail.last());
    }

    /// Rectangle of the first panel's image.
    fn picture(&self) -> Rect {
        let app = app(&self.window);
        let seen = app.session().areas()[0];
        let place = app.picture(seen.seen()).or(app.picture(0)).and_then(|picture| picture.place());
        place.map_or(Rect::from_min_size(Pos2::ZERO, vec2(100.0, 100.0)), |place| place.in_points(1.0))
    }

    /// Presses a button on the first panel and drags, without releasing.
    fn hold(&mut self, from: Pos2, button: PointerButton, modifiers: Modifiers) {
        self.event(Event::ModifiersChanged(modifiers));
        self.button(from, button, true, modifiers);
        self.step("a press");
        self.event(Event::PointerMoved(from + vec2(17.0, 9.0)));
        self.event(Event::PointerMoved(from + vec2(31.0, 23.0)));
        self.step("a held drag");
        self.event(Event::ModifiersChanged(Modifiers::NONE));
    }

    /// Ends the current situation and sets up this one with `count` panels.
    fn set_up(&mut self, situation: Situation, count: usize) {
        self.set_ups += 1;
        self.window.set_size(SIZES[self.set_ups % SIZES.len()]);
        let pos = self.picture().center();
        for button in [PointerButton::Primary, PointerButton::Secondary] {
            self.button(pos, button, false, Modifiers::NONE);
        }
        let (modifiers, loupe) = self.chord(Command::Inspect(InspectCommand::Loupe));
        self.key(loupe, modifiers, false);
        self.event(Event::ModifiersChanged(Modifiers::NONE));
        self.key(Key::Escape, Modifiers::NONE, true);
        self.key(Key::Escape, Modifiers::NONE, false);
        self.step("all let go");
        // Each closes one open thing: a tool, notices, the presentation, hidden bars.
        let (modifiers, leave) = self.chord(Command::Leave);
        (0..5).for_each(|_| self.key(leave, modifiers, true));
        self.step("all left");
        let pages: Vec<usize> = app(&self.window).session().images().iter().map(|image| image.pages().len()).collect();
        let state = state(situation, count, &pages);
        let app = self.window.state_mut().as_mut().expect("the app");
        assert!(app.restore_state(&state), "{situation:?} with {count} panels");
        self.event(Event::PointerMoved(pos));
        self.step(format_args!("{situation:?} with {count} panels"));
        let pos = self.picture().center();
        match situation {
            Situation::Plain
            | Situation::Inspected
            | Situation::Wipe
            | Situation::Difference
            | Situation::Maximized
            | Situation::Filtered => {}
            Situation::Lesson => self.give(Command::Lesson(LessonCommand::Continue)),
            Situation::Flicker => self.give(Command::Flicker),
            Situation::Flipped => self.give(Command::Flip),
            Situation::HandHeld => self.hold(pos, PointerButton::Primary, Modifiers::NONE),
            Situation::WindowHeld => self.hold(pos, PointerButton::Secondary, Modifiers::NONE),
            Situation::RegionHeld => self.hold(pos, PointerButton::Primary, Modifiers::SHIFT),
            Situation::ZoomHeld => self.hold(pos, PointerButton::Primary, Modifiers::COMMAND),
            Situation::LineHeld => {
                self.give(Command::Inspect(InspectCommand::Profile));
                self.hold(pos, PointerButton::Primary, Modifiers::NONE);
            }
            Situation::HeaderCarried => {
                let header = self.picture().center_top() - vec2(0.0, 12.0);
                self.hold(header, PointerButton::Primary, Modifiers::NONE);
            }
            Situation::LoupeHeld => {
                self.key(loupe, modifiers, true);
                self.step("the loupe's key");
            }
            Situation::FileOnItsWay => {
                let file = std::sync::Arc::new(Dropped(self.files[1].clone()));
                self.window.input_mut().dropped_files.push(file);
                self.step("a file dropped");
            }
            Situation::Palette => self.give(Command::Palette),
            Situation::SaveDialog => self.give(Command::SaveFigure),
            Situation::SettingsDialog => self.give(Command::Settings),
            Situation::KeysOverlay => self.give(Command::Help),
        }
    }
}

/// `count` panels of images with several pages, with all overlays on except in a plain situation.
fn state(situation: Situation, count: usize, pages: &[usize]) -> SessionState {
    let kept = InspectState {
        has_values: true,
        has_grid: true,
        shows_outside: true,
        marks_clipping: true,
        checks_samples: true,
        marks_overshoot: true,
        lens: Some(Lens::Relief),
        has_histogram: true,
        has_metrics: true,
        drawer: Some(DrawerTool::Plots),
        line: Some([[2.0, 3.0], [40.0, 30.5]]),
        pins: vec![[4.0, 5.0], [20.25, 11.5]],
        joins_pins: true,
        region: Some(Region { left: 2, top: 3, right: 30, bottom: 20 }),
        ..InspectState::default()
    };
    let mut filters = Filters::default();
    if situation == Situation::Filtered {
        filters.before = "gaussian=1;negative".parse().expect("filters");
        filters.after = "gamma=2".parse().expect("filters");
    }
    let panel = |index: usize| PanelState {
        image: index / 2 % pages.len(),
        page: index % pages[index / 2 % pages.len()],
        plane: lerpscope::volume::Plane::default(),
        component: lerpscope::complex::Component::Magnitude,
        view: lerpscope::view::View::new([0.5, -1.0], 0.25).expect("a view"),
        framing: lerpscope::app::Framing::Free,
        warp: lerpscope::warp::Warp::None,
        content: lerpscope::backend::Content::Interpolation,
        sampler: Sampler::default().with_method(METHODS[index % METHODS.len()].method),
        filters: filters.clone(),
        filters_off: false,
        display: Display { exposure: 0.5, ..Display::default() },
    };
    let compare = match situation {
        Situation::Wipe => Compare::Wipe,
        Situation::Difference => Compare::Difference,
        _ => Compare::SideBySide,
    };
    let session = Session::new(std::sync::Arc::new(image::embedded().expect("an image").image));
    SessionState {
        panels: (0..count).map(panel).collect(),
        focused: count / 2,
        maximized: situation == Situation::Maximized,
        compare,
        inspect: if situation == Situation::Plain { InspectState::default() } else { kept },
        ..session.state()
    }
}

#[test]
fn commands_in_every_situation_leave_a_consistent_window() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut driver = Driver::new(folder.path());
    let all: Vec<Command> = COMMANDS.iter().map(|row| row.command).filter(|command| !needs_desktop(*command)).collect();
    let movers: Vec<Command> = all.iter().copied().filter(|command| changes_panels(*command)).collect();
    for (row, situation) in SITUATIONS.into_iter().enumerate() {
        for (place, commands) in all.chunks(COMMANDS_A_SITUATION).enumerate() {
            driver.set_up(situation, COUNTS[(row + place) % COUNTS.len()]);
            for command in commands {
                driver.give(*command);
                if !situation.has_dialog() {
                    driver.close_modals();
                }
            }
            driver.give(movers[(7 * row + place) % movers.len()]);
        }
    }
}

#[test]
fn pairs_of_panel_commands_leave_a_consistent_window() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut driver = Driver::new(folder.path());
    let movers: Vec<Command> = COMMANDS.iter().map(|row| row.command).filter(|c| changes_panels(*c)).collect();
    // A de Bruijn sequence has each ordered pair once: the Lyndon words of one and two letters, in their order.
    let sequence =
        (0..movers.len()).flat_map(|a| std::iter::once(a).chain((a + 1..movers.len()).flat_map(move |b| [a, b])));
    let sequence: Vec<usize> = sequence.chain([0]).collect();
    assert_eq!(sequence.len(), movers.len().pow(2) + 1);
    let mut situations = SITUATIONS.iter().cycle();
    for (place, pairs) in sequence.chunks(2 * COMMANDS_A_SITUATION).enumerate() {
        let situation = situations.next().expect("they go round");
        driver.set_up(*situation, COUNTS[place % COUNTS.len()]);
        // The pair that the set-up would separate.
        let before = (2 * COMMANDS_A_SITUATION * place).checked_sub(1).map(|before| sequence[before]);
        for mover in before.into_iter().chain(pairs.iter().copied()) {
            driver.give(movers[mover]);
            if !situation.has_dialog() {
                driver.close_modals();
            }
        }
    }
}
