//! Times of frames while the view is panned, for `bench --window`: of the panels alone, with filters, then with each tool, overlay
//! and lens; and the processor's time while nothing happens.
//!
//! The time of a frame is the time from its begin to that of the next one, with the exchange of buffers between them. The
//! window does not wait for the display's refresh.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use egui::{Ui, ViewportCommand};

use super::Lerpscope;
use crate::app::commands::{COMMANDS, Command, InspectCommand};
use crate::app::render::picture::Picture;
use crate::app::session::history::Change;
use crate::app::session::inspect::DRAWER_TOOLS;
use crate::bench::{FrameTimes, WindowTimes, processor_time};
use crate::filter::{FILTERS, Stage, Step};
use crate::lab::field::LENSES;

/// Frames before the first that counts.
const WARM_UP: usize = 10;
/// Frames in one direction. An odd number of them would leave the view at another place for each scene.
const ONE_WAY: usize = 30;
/// Pixels by which a frame pans: no whole numbers, so that the weights of both axes are new in every frame.
const STEP_PX: [f64; 2] = [3.7, 1.3];
/// Longest time that a scene waits for its first results.
const PATIENCE: Duration = Duration::from_secs(120);
/// Filters of the scene with filters: the first rows, each with its default parameters.
const FILTER_COUNT: usize = 8;
/// How long the window does nothing before its time at rest is measured, and how long that takes.
const QUIET: Duration = Duration::from_secs(1);
const REST: Duration = Duration::from_secs(5);

/// A measurement of a window. Its copies share their results.
#[derive(Clone, Debug)]
pub struct PanBench {
    frames: usize,
    scale: f64,
    results: Arc<Mutex<WindowTimes>>,
}

impl PanBench {
    /// A measurement of `frames` frames of each scene at `scale` samples per pixel.
    pub fn new(frames: usize, scale: f64) -> Self {
        Self { frames: frames.max(1), scale, results: Arc::default() }
    }

    /// What was measured so far.
    pub fn results(&self) -> WindowTimes {
        self.results.lock().map(|results| results.clone()).unwrap_or_default()
    }
}

/// What is open while frames are timed.
#[derive(Debug)]
struct Scene {
    title: String,
    content: SceneContent,
}

/// What a scene opens, and closes again.
#[derive(Clone, Copy, Debug)]
enum SceneContent {
    /// Nothing but the panels.
    Panels,
    /// A chain of filters in the focused panel, on the values of its view.
    Filters,
    /// What a command toggles.
    Toggled(Command),
}

/// The panels alone, filters, each tool of the drawer, each overlay, each lens.
fn scenes() -> Vec<Scene> {
    let overlays = [
        InspectCommand::Metrics,
        InspectCommand::Histogram,
        InspectCommand::Clipping,
        InspectCommand::SampleCheck,
        InspectCommand::Overshoot,
    ];
    let commands = DRAWER_TOOLS.iter().map(|row| InspectCommand::Drawer(row.tool)).chain(overlays);
    let commands = commands.chain(LENSES.iter().map(|row| InspectCommand::Lens(row.lens))).map(Command::Inspect);
    let scene = |command: Command| {
        let title = COMMANDS.iter().find(|row| row.command == command).map_or("", |row| row.title);
        Scene { title: title.to_owned(), content: SceneContent::Toggled(command) }
    };
    let alone = Scene { title: "panels alone".to_owned(), content: SceneContent::Panels };
    let filtered = Scene { title: format!("{FILTER_COUNT} filters"), content: SceneContent::Filters };
    [alone, filtered].into_iter().chain(commands.map(scene)).collect()
}

/// What the next frame does.
#[derive(Clone, Copy, Debug)]
enum Phase {
    /// Opens the scene.
    Open,
    /// Waits for its first results.
    Settle(Instant),
    /// Pans; so many frames are over.
    Pan(usize),
    /// Does nothing since then.
    Quiet(Instant),
    /// Measures the processor's time since then, when it was so much.
    Rest(Instant, Duration),
}

/// A measurement under way.
#[derive(Debug)]
pub(super) struct PanRun {
    bench: PanBench,
    scenes: std::vec::IntoIter<Scene>,
    scene: Option<Scene>,
    phase: Phase,
    begun: Option<Instant>,
    times: Vec<Duration>,
    late: usize,
}

impl PanRun {
    pub(super) fn new(bench: PanBench) -> Self {
        let mut scenes = scenes().into_iter();
        let scene = scenes.next();
        Self { bench, scenes, scene, phase: Phase::Open, begun: None, times: Vec::new(), late: 0 }
    }

    /// To be called after each frame, which began at `begun`. Closes the window after the last scene.
    pub(super) fn follow(&mut self, window: &mut Lerpscope, ui: &Ui, begun: Instant) {
        let last = self.begun.replace(begun);
        self.phase = match self.phase {
            Phase::Open => {
                self.open_scene(window, ui);
                Phase::Settle(begun)
            }
            Phase::Settle(since) if window.has_settled() || since.elapsed() > PATIENCE => Phase::Pan(0),
            Phase::Settle(since) => Phase::Settle(since),
            Phase::Pan(done) => {
                if done > WARM_UP {
                    self.times.extend(last.map(|last| begun - last));
                    let is_late = |picture: &Picture| picture.late_since().is_some() || picture.is_stand_in();
                    self.late += usize::from(window.visible_pictures().into_iter().any(is_late));
                }
                if self.times.len() == self.bench.frames {
                    self.end_scene(window, ui)
                } else {
                    let sign = if (done / ONE_WAY).is_multiple_of(2) { 1.0 } else { -1.0 };
                    window.session.pan(STEP_PX.map(|px| sign * px));
                    Phase::Pan(done + 1)
                }
            }
            Phase::Quiet(since) if since.elapsed() < QUIET => Phase::Quiet(since),
            Phase::Quiet(_) => processor_time().map_or_else(|| self.end(None, ui), |used| Phase::Rest(begun, used)),
            Phase::Rest(since, used) if since.elapsed() < REST => Phase::Rest(since, used),
            Phase::Rest(since, used) => {
                let share = processor_time().map(|now| (now - used).as_secs_f64() / since.elapsed().as_secs_f64());
                self.end(share, ui)
            }
        };
        match self.phase {
            Phase::Quiet(since) => ui.request_repaint_after(QUIET.saturating_sub(since.elapsed())),
            Phase::Rest(since, _) => ui.request_repaint_after(REST.saturating_sub(since.elapsed())),
            Phase::Open | Phase::Settle(_) | Phase::Pan(_) => ui.request_repaint(),
        }
    }

    /// Opens the scene.
    fn open_scene(&mut self, window: &mut Lerpscope, ui: &Ui) {
        let Some(scene) = &mut self.scene else { return };
        match scene.content {
            SceneContent::Panels => {
                let middle = window.session.middle();
                window.session.show_at(self.bench.scale, middle, Change::Jump);
            }
            SceneContent::Filters => {
                for row in FILTERS.iter().take(FILTER_COUNT) {
                    window.session.add_step(Stage::After, Step::default_of(row.filter));
                }
                let size = window.session.request(window.session.focused()).size;
                scene.title = format!("{}, {size}", scene.title);
            }
            SceneContent::Toggled(command) => window.run(ui, command),
        }
    }

    /// Keeps the times of the scene and closes its tool.
    fn end_scene(&mut self, window: &mut Lerpscope, ui: &Ui) -> Phase {
        if let Some(Scene { title, content }) = self.scene.take() {
            if let Ok(mut results) = self.bench.results.lock() {
                let times = (std::mem::take(&mut self.times), std::mem::take(&mut self.late));
                results.scenes.push(FrameTimes::of(title, times.0, times.1));
            }
            match content {
                SceneContent::Panels => {}
                SceneContent::Filters => window.session.reset_filters(),
                SceneContent::Toggled(command) => window.run(ui, command),
            }
        }
        self.scene = self.scenes.next();
        if self.scene.is_some() { Phase::Open } else { Phase::Quiet(Instant::now()) }
    }

    /// Keeps the processor's time at rest, as a share of one core, and closes the window.
    fn end(&self, share: Option<f64>, ui: &Ui) -> Phase {
        if let Ok(mut results) = self.bench.results.lock() {
            results.at_rest = share;
        }
        ui.send_viewport_cmd(ViewportCommand::Close);
        Phase::Open
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenes_have_the_titles_of_their_commands() {
        let scenes = scenes();
        assert!(scenes.len() > DRAWER_TOOLS.len() + LENSES.len() + 2);
        assert!(scenes.iter().all(|scene| !scene.title.is_empty()), "{scenes:?}");
        assert!(FILTERS.iter().take(FILTER_COUNT).all(|row| row.filter.serves(Stage::After)));
    }
}
