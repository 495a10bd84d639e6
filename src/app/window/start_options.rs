//! Start of the window: its options, and how they are applied.

use std::path::PathBuf;
use std::sync::Arc;

use super::pan_bench::{PanBench, PanRun};
use super::screenshot::Screenshot;
use super::start_times::StartTimes;
use super::{Lerpscope, OpeningReport, SharedFailure};
use crate::app::files::{AppPaths, Restored};
use crate::app::session::layout::PanelLayout;
use crate::arguments::PanelSpec;
use crate::backend::{self, AUTO, Backend as _, BackendKind, Content, Estimate, RenderRequest, Waker};
use crate::image::{Page, Size};
use crate::sampling::Sampler;

/// Pixels of a new window, for the estimate of what a screenshot costs.
const WINDOW_PX: [u32; 2] = [1280, 860];

/// Points of a window whose frames are timed.
pub const BENCH_SIZE: [f32; 2] = [1920.0, 1080.0];

/// Options of a window.
#[derive(Clone, Debug, Default)]
pub struct StartOptions {
    /// Images: files, or `synth:NAME:WxH`. Empty opens the built-in sailboat.
    pub inputs: Vec<PathBuf>,
    /// Name of the backend, or `auto`.
    pub backend: String,
    /// Session file to open, with its images.
    pub session: Option<PathBuf>,
    /// Lesson to start: the name of a lesson of the program, a lesson's file or a folder of lessons, and its step, from 0.
    pub lesson: Option<(PathBuf, Option<usize>)>,
    /// Panels with their filters. Empty opens the default four.
    pub panels: Vec<PanelSpec>,
    /// Layout of the panels.
    pub layout: Option<PanelLayout>,
    /// File for a screenshot. The window closes after it.
    pub screenshot: Option<PathBuf>,
    /// Whether the times of the start and of the end are printed.
    pub times: bool,
    /// Frames to time in a window of [`BENCH_SIZE`] points. The window closes after them.
    pub pan_bench: Option<PanBench>,
}

/// What the window shows first.
pub(in crate::app) enum StartContent {
    /// The embedded image, or the session of the previous window if the settings say so.
    Default,
    /// The images of the command line.
    Images,
    /// A session of the command line.
    Session(Box<Restored>),
}

impl Lerpscope {
    /// Starts the device of `--backend auto`. The CPU renders until it is ready, and whatever it cannot render.
    fn start_device(&mut self, ctx: &egui::Context) {
        match backend::start(AUTO) {
            Ok(mut started) => {
                let ctx = ctx.clone();
                started.set_waker(Waker::new(move || ctx.request_repaint()));
                *self.backend = started;
            }
            Err(error) => log::info!("{error}"),
        }
    }

    /// Whether a device is estimated to finish a screenshot before the CPU, with its start.
    fn screenshot_gains_by_device(&self) -> bool {
        let count = self.session.areas().len().max(1);
        let Ok(size) = Size::new(WINDOW_PX[0], WINDOW_PX[1].div_ceil(count as u32)) else { return false };
        let indices = self.session.areas().into_iter().flat_map(|area| area.pictures());
        let request = |index: usize| RenderRequest { size, ..self.session.request(index) };
        let requests: Vec<(Arc<Page>, RenderRequest)> =
            indices.map(|index| (self.session.page_of(index), request(index))).collect();
        let pages = requests.iter().map(|(page, request)| (page.as_ref(), request));
        let estimate = Estimate::of_all(pages, rayon::current_num_threads());
        log::info!("--backend auto: {}: {estimate}", estimate.faster());
        estimate.faster() == BackendKind::Cuda
    }

    /// Applies the options of the command line, whose inputs are the opened ones; `report` is about them and the others. `failure` receives the reason if the window fails later.
    pub(in crate::app) fn start(
        &mut self,
        ctx: &egui::Context,
        options: StartOptions,
        content: StartContent,
        report: OpeningReport,
        failure: SharedFailure,
    ) {
        let mut is_first_screen = matches!(content, StartContent::Default);
        let StartOptions { inputs, backend, session: _, lesson, panels, layout, screenshot, times, pan_bench } =
            options;
        // Neither a screenshot nor a measurement depends on the user's settings.
        let paths = AppPaths::of_system().filter(|_| screenshot.is_none() && pan_bench.is_none());
        if let Some(paths) = paths.clone() {
            self.remember_at(ctx, paths);
        }
        // The settings are read, so that the inputs become recent files.
        self.name_sources(&inputs);
        // Nothing covers the panels of a screenshot.
        if screenshot.is_none() {
            self.report_opening(report);
        }
        if let Some(previous) = paths.map(|paths| paths.session)
            && matches!(content, StartContent::Default)
            && self.settings.current.restore_session
            && previous.exists()
        {
            match Restored::open(&previous) {
                Ok(restored) => {
                    self.restore(restored);
                    is_first_screen = false;
                }
                Err(error) => self.dialogs.toasts.error(error),
            }
        }
        if let StartContent::Session(restored) = content {
            self.restore(*restored);
        }
        let contents: Vec<(Content, Sampler)> = panels.iter().map(|panel| (panel.content, panel.sampler)).collect();
        self.session.arrange_contents(&contents);
        for (index, PanelSpec { filters, .. }) in panels.into_iter().enumerate() {
            if let Some(panel) = self.session.panel_mut(index) {
                panel.filters = filters;
            }
        }
        if let Some(layout) = layout {
            self.set_layout(layout);
        }
        if is_first_screen {
            self.show_opening();
        }
        if let Some((path, step)) = lesson
            && let Err(error) = self.open_lesson(ctx, &path, step)
        {
            self.dialogs.toasts.error(error);
        }
        if screenshot.is_some() {
            self.session.finish_animation();
        }
        if backend == AUTO && (screenshot.is_none() || self.screenshot_gains_by_device()) {
            self.start_device(ctx);
        }
        self.requires_device = backend != AUTO;
        self.start_times = times.then(StartTimes::new);
        self.failure = Arc::clone(&failure);
        self.pan_run = pan_bench.map(PanRun::new);
        self.screenshot = screenshot.map(|file| Screenshot::new(file, failure));
    }
}
