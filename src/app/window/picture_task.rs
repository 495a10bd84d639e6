//! Tasks that need pictures of the size on the screen or larger: copies, files, and the range of the values. A picture that takes longer
//! than a frame is rendered by the worker, and the task begins again in each frame until all its pictures have arrived. The window goes on
//! meanwhile: a dialog says what is rendered, and cancels it.

use egui::Ui;

use super::Lerpscope;
use crate::app::files::{DocumentError, ExportTarget, Notice};
use crate::app::inspect::normalize::{NormalizeError, normalize};
use crate::app::render::worker::{Client, WorkerBackend};

/// A task that needs pictures.
#[derive(Clone, Debug)]
pub(super) enum PictureTask {
    /// Copies the picture of the focused panel.
    Copy,
    /// Saves the picture of the focused panel.
    SavePanel(ExportTarget),
    /// Saves the figure of all panels.
    SaveFigure(ExportTarget),
    /// Sets black and white to the range of the visible values.
    Normalize,
}

impl PictureTask {
    /// What its dialog says.
    fn title(&self) -> &'static str {
        match self {
            Self::Copy => "Copying the picture",
            Self::SavePanel(_) => "Saving the picture",
            Self::SaveFigure(_) => "Saving the figure",
            Self::Normalize => "Measuring the range of the values",
        }
    }
}

/// How a task ended.
enum End {
    Copied(Result<Notice, DocumentError>),
    Saved(Result<Notice, DocumentError>),
    Normalized(Result<(), NormalizeError>),
}

impl Lerpscope {
    /// Begins `task`, and ends it where its pictures arrive in this frame.
    pub(super) fn begin_task(&mut self, ui: &Ui, task: PictureTask) {
        let columns = self.columns();
        let mut backend = WorkerBackend::new(&mut self.backend, &mut self.worker, Client::Tool);
        let (session, documents) = (&mut self.session, &mut self.documents);
        let end = match &task {
            PictureTask::Copy => End::Copied(documents.copy_picture(session, &mut backend)),
            PictureTask::SavePanel(target) => End::Saved(documents.save_panel(session, &mut backend, target)),
            PictureTask::SaveFigure(target) => {
                End::Saved(documents.save_figure(session, columns, &mut backend, target))
            }
            PictureTask::Normalize => End::Normalized(normalize(session, &mut backend)),
        };
        if backend.is_pending() {
            self.dialogs.wait_for_pictures(ui, task.title(), self.worker.progress());
            self.waiting_task = Some(task);
            return;
        }
        self.dialogs.end_waiting();
        match end {
            End::Copied(result) => self.report(result.map(Some)),
            End::Saved(result) => self.end_saving(result),
            End::Normalized(Ok(())) => {}
            End::Normalized(Err(error)) => self.dialogs.toasts.note(error),
        }
    }

    /// Begins the task that waits for pictures again, unless its dialog was cancelled: the worker then drops its pictures.
    pub(super) fn follow_task(&mut self, ui: &Ui) {
        if let Some(task) = self.waiting_task.take()
            && self.dialogs.waits_for_pictures()
        {
            self.begin_task(ui, task);
        }
    }
}
