//! Screenshot of the window for a script: the window opens, draws, saves its picture and closes.

use std::path::PathBuf;
use std::sync::Arc;

use egui::{ScreenshotCallback, ViewportCommand};

use super::failure::{SharedFailure, WindowFailure};
use crate::app::files::raster_of;
use crate::image;

/// Number of frames after which the window's size and texts no longer change.
const SETTLED: u32 = 8;

/// A screenshot to take.
#[derive(Debug)]
pub(super) struct Screenshot {
    file: PathBuf,
    failure: SharedFailure,
    frames: u32,
}

impl Screenshot {
    /// A screenshot for `file`. `failure` receives the error if it is not saved.
    pub(super) fn new(file: PathBuf, failure: SharedFailure) -> Self {
        Self { file, failure, frames: 0 }
    }

    /// To be called after each frame. Takes the screenshot when the window has settled, then closes the window.
    pub(super) fn follow(&mut self, ctx: &egui::Context) {
        self.frames += 1;
        if self.frames < SETTLED {
            ctx.request_repaint();
        } else if self.frames == SETTLED {
            let (file, failure, window) = (self.file.clone(), Arc::clone(&self.failure), ctx.clone());
            let callback = ScreenshotCallback::new(move |picture| {
                let saved = match raster_of(&picture) {
                    Some(raster) => {
                        image::save(&file, &raster).map_err(|error| WindowFailure::Screenshot(Arc::new(error)))
                    }
                    None => Err(WindowFailure::EmptyScreenshot),
                };
                if let (Err(error), Ok(mut failure)) = (saved, failure.lock()) {
                    *failure = Some(error);
                }
                window.send_viewport_cmd(ViewportCommand::Close);
                window.request_repaint();
            });
            ctx.send_viewport_cmd(ViewportCommand::Screenshot(callback));
            ctx.request_repaint();
        }
    }
}
