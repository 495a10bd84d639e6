//! Start of the window: its options, and how they are applied.

use std::path::PathBuf;
use std::sync::Arc;

use super::screenshot::Screenshot;
use super::{Lerpscope, SharedFailure};
use crate::app::files::{AppPaths, Restored};
use crate::app::session::layout::Layout;
use crate::filter::Filters;
use crate::sampling::Sampler;

/// Options of a window.
#[derive(Clone, Debug, Default)]
pub struct StartOptions {
    /// Images: files, or `synth:NAME:WxH`. Empty opens the embedded Basilica.
    pub inputs: Vec<PathBuf>,
    /// Name of the backend, or `auto`.
    pub backend: String,
    /// Session file to open, with its images.
    pub session: Option<PathBuf>,
    /// Panels with their filters. Empty opens the default four.
    pub panels: Vec<(Sampler, Filters)>,
    /// Layout of the panels.
    pub layout: Option<Layout>,
    /// File for a screenshot. The window closes after it.
    pub screenshot: Option<PathBuf>,
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
    /// Applies the options of the command line. `failure` receives the reason if the window fails later.
    pub(in crate::app) fn start(
        &mut self,
        ctx: &egui::Context,
        options: StartOptions,
        content: StartContent,
        failure: SharedFailure,
    ) {
        let StartOptions { inputs, backend: _, session: _, panels, layout, screenshot } = options;
        self.name_sources(&inputs);
        // A screenshot does not depend on the user's settings.
        if screenshot.is_none()
            && let Some(paths) = AppPaths::of_system()
        {
            let previous = paths.session.clone();
            self.remember_at(ctx, paths);
            if matches!(content, StartContent::Default) && self.settings.current.restore_session && previous.exists() {
                match Restored::open(&previous) {
                    Ok(restored) => self.restore(restored),
                    Err(error) => self.dialogs.toasts.error(error),
                }
            }
        }
        if let StartContent::Session(restored) = content {
            self.restore(*restored);
        }
        let samplers: Vec<Sampler> = panels.iter().map(|(sampler, _)| *sampler).collect();
        self.arrange(&samplers);
        for (index, (_, filters)) in panels.into_iter().enumerate() {
            if let Some(panel) = self.session.panel_mut(index) {
                panel.filters = filters;
            }
        }
        if let Some(layout) = layout {
            self.set_layout(layout);
        }
        self.failure = Arc::clone(&failure);
        self.screenshot = screenshot.map(|file| Screenshot::new(file, failure));
    }
}
