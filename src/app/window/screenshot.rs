//! A picture of the window for a script: it opens, draws, is saved, closes.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use egui::{ScreenshotCallback, ViewportCommand};

use crate::app::dialogs::raster_of;
use crate::image;

/// Where what goes wrong is left for the one who opened the window.
pub(in crate::app) type Problem = Arc<Mutex<Option<String>>>;

/// Frames after which the window's size and its texts have settled.
const SETTLED: u32 = 8;

/// A picture that is still to be taken.
#[derive(Debug)]
pub(in crate::app) struct Screenshot {
    file: PathBuf,
    problem: Problem,
    frames: u32,
}

impl Screenshot {
    /// A picture of the window as `file`.
    pub(in crate::app) fn new(file: PathBuf, problem: Problem) -> Self {
        Self { file, problem, frames: 0 }
    }

    /// To be called after each frame; takes the picture when the window has settled, and closes it.
    pub(in crate::app) fn follow(&mut self, ctx: &egui::Context) {
        self.frames += 1;
        if self.frames < SETTLED {
            ctx.request_repaint();
        } else if self.frames == SETTLED {
            let (file, problem, window) = (self.file.clone(), Arc::clone(&self.problem), ctx.clone());
            let callback = ScreenshotCallback::new(move |picture| {
                let saved = match raster_of(&picture) {
                    Some(raster) => image::save(&file, &raster).map_err(|error| error.to_string()),
                    None => Err("the window has no pixels".to_owned()),
                };
                if let (Err(cause), Ok(mut problem)) = (saved, problem.lock()) {
                    *problem = Some(cause);
                }
                window.send_viewport_cmd(ViewportCommand::Close);
                window.request_repaint();
            });
            ctx.send_viewport_cmd(ViewportCommand::Screenshot(callback));
            ctx.request_repaint();
        }
    }
}
