//! Dialogs, toasts and the timing overlay: everything drawn over the panels.

mod block_sweep;
mod block_sweep_map;
mod fuzzy_list;
mod fuzzy_match;
mod key_columns;
mod key_groups;
mod key_list;
mod keys;
mod list_foot;
mod list_panel;
mod list_place;
mod list_row;
mod lists;
mod missing_images;
mod modal;
mod palette;
mod path_completion;
mod path_dialog;
mod recovery_offer;
mod settings_dialog;
mod test_pictures;
mod timing;
mod toast;
mod tooltip_guard;
mod waiting;

use std::path::{Path, PathBuf};

use egui::{Context, PointerState, Ui};

pub(super) use self::block_sweep::BlockSweepWindow;
pub(super) use self::missing_images::{MissingImage, show as show_missing_image};
pub(super) use self::path_dialog::PathPurpose;
pub(super) use self::recovery_offer::show as show_recovery_offer;
pub(super) use self::timing::{PictureTime, Timing, TimingFacts};
pub(super) use self::toast::Toasts;

use self::fuzzy_list::{FuzzyList, ListAnswer};
use self::keys::{KeysAnswer, KeysDialog};
pub(in crate::app) use self::list_place::PanelRects;
use self::palette::Palette;
use self::path_dialog::{PathAnswer, PathDialog};
use self::test_pictures::{TestPictureAnswer, TestPictures};
use self::tooltip_guard::TooltipGuard;
use self::waiting::WaitingDialog;
use super::commands::Command;
use super::files::{ExportTarget, SettingsStore};
use super::session::preferences::Preferences;
use super::session::{ImageId, Session};
use crate::filter::{Filter, Stage, StageProgress};
use crate::sampling::Sampler;

/// The open modal dialog.
#[derive(Debug)]
enum Dialog {
    /// Every command and every value.
    Palette(Palette),
    /// Recent files.
    Recent(FuzzyList<PathBuf>),
    /// Every filter at every stage.
    Filters(FuzzyList<(Stage, Filter)>),
    /// The open images.
    Images(FuzzyList<ImageId>),
    /// The synthetic images.
    TestPictures(TestPictures),
    /// A file to write or to open.
    Path(PathDialog),
    /// The settings.
    Settings,
    /// The key bindings.
    Keys(KeysDialog),
    /// What waits for pictures.
    Waiting(WaitingDialog),
}

/// What the user asks of the window in a dialog.
#[derive(Debug, PartialEq)]
pub(super) enum DialogRequest {
    /// Run this command.
    Run(Command),
    /// Add this filter to the focused panel.
    AddFilter(Stage, Filter),
    /// Open this image.
    OpenImage(PathBuf),
    /// Show this open image.
    ShowImage(ImageId),
    /// Open this file in the place of a missing image.
    LocateImage(ImageId, PathBuf),
    /// Open this session.
    OpenSession(PathBuf),
    /// Open this lesson, or the lessons of this folder.
    OpenLesson(PathBuf),
    /// Save the focused panel.
    SavePanel(ExportTarget),
    /// Save the figure of all panels.
    SaveFigure(ExportTarget),
    /// Copy the commands that make this figure.
    CopyFigure(ExportTarget),
    /// Save the plot of the drawer to this file.
    SavePlot(PathBuf),
    /// Save the session to this file.
    SaveSession(PathBuf),
}

/// The open dialog, the toasts, the timing overlay and the window of the block sweep.
#[derive(Debug, Default)]
pub(super) struct Dialogs {
    /// Short messages.
    pub(super) toasts: Toasts,
    /// Frame times; `None` while they are hidden.
    pub(super) timing: Option<Timing>,
    /// Window of the block sweep.
    pub(super) block_sweep: BlockSweepWindow,
    open: Option<Dialog>,
    tooltip_guard: TooltipGuard,
    /// The commands that were chosen last in the palette, the newest first.
    recent: Vec<Command>,
    /// Whether the system has no dialog for files.
    lacks_system_dialog: bool,
}

/// Maximum number of commands that the palette lists as recent.
const MOST_RECENT: usize = 5;

impl Dialogs {
    /// Whether a modal dialog is open. It takes the keyboard.
    pub(super) fn has_keyboard(&self) -> bool {
        self.open.is_some()
    }

    /// Whether the palette is open.
    pub(super) fn has_palette(&self) -> bool {
        matches!(self.open, Some(Dialog::Palette(_)))
    }

    /// Takes the pointer away from this frame's controls while the open dialog has not met it, so that no tooltip is shown. The
    /// caller restores it at the end of the frame.
    pub(super) fn take_pointer(&mut self, ctx: &Context) -> Option<PointerState> {
        self.tooltip_guard.take_pointer(ctx, self.open.as_ref())
    }

    /// Shows an error in the dialog for a file if it is open, else in a toast.
    pub(super) fn report(&mut self, error: impl std::fmt::Display) {
        match &mut self.open {
            Some(Dialog::Path(dialog)) => dialog.refuse(error),
            _ => self.toasts.error(error),
        }
    }

    /// Opens the dialog for an image's path, unless a dialog is open: the system has none, which all dialogs for files say from
    /// then on.
    pub(super) fn open_image_path(&mut self, path: &Path, session: &Session) {
        self.lacks_system_dialog = true;
        if self.open.is_none() {
            self.open_path(PathPurpose::OpenImage, path, session);
        }
    }

    /// Whether the dialog for a file waits for `file` to open.
    pub(super) fn waits_for(&self, file: &Path) -> bool {
        matches!(&self.open, Some(Dialog::Path(dialog)) if dialog.asked.as_deref() == Some(file))
    }

    /// Opens the dialog that waits for pictures, in the place of the dialog for a file if that is open, and shows the `progress` of the one
    /// that is rendered.
    pub(super) fn wait_for_pictures(&mut self, ctx: &Context, title: &'static str, progress: Option<StageProgress>) {
        let mut dialog = match self.open.take() {
            Some(Dialog::Waiting(dialog)) => dialog,
            Some(Dialog::Path(dialog)) => WaitingDialog::new(ctx, title, Some(Box::new(dialog))),
            _ => WaitingDialog::new(ctx, title, None),
        };
        dialog.progress = progress;
        self.open = Some(Dialog::Waiting(dialog));
    }

    /// Whether the dialog that waits for pictures is open.
    pub(super) fn waits_for_pictures(&self) -> bool {
        matches!(self.open, Some(Dialog::Waiting(_)))
    }

    /// Closes the dialog that waits for pictures. That for a file behind it is open again.
    pub(super) fn end_waiting(&mut self) {
        if let Some(Dialog::Waiting(dialog)) = &mut self.open {
            self.open = dialog.behind.take().map(|dialog| Dialog::Path(*dialog));
        }
    }

    /// Closes the modal dialog.
    pub(super) fn close(&mut self) {
        self.open = None;
    }

    /// Shows or hides the timing overlay.
    pub(super) fn toggle_timing(&mut self) {
        self.timing = if self.timing.is_some() { None } else { Some(Timing::default()) };
    }

    /// Opens the list of commands and values.
    pub(super) fn open_palette(&mut self, ctx: &Context, session: &Session, preferences: &Preferences) {
        self.open = Some(Dialog::Palette(Palette::new(ctx, session, preferences, &self.recent)));
    }

    /// Opens the list of recent files.
    pub(super) fn open_recent(&mut self, files: &[PathBuf]) {
        self.open = Some(Dialog::Recent(lists::files(files)));
    }

    /// Opens the list of filters.
    pub(super) fn open_filters(&mut self, session: &Session) {
        self.open = Some(Dialog::Filters(lists::filters(session)));
    }

    /// Opens the list of open images.
    pub(super) fn open_images(&mut self, session: &Session) {
        self.open = Some(Dialog::Images(lists::images(session)));
    }

    /// Opens the dialog of the synthetic images.
    pub(super) fn open_test_pictures(&mut self, ctx: &Context) {
        self.open = Some(Dialog::TestPictures(TestPictures::new(ctx)));
    }

    /// Opens the settings.
    pub(super) fn open_settings(&mut self) {
        self.open = Some(Dialog::Settings);
    }

    /// Opens the key bindings.
    pub(super) fn open_keys(&mut self) {
        self.open = Some(Dialog::Keys(KeysDialog::default()));
    }

    /// Opens the dialog for a file, with `path` as its default.
    pub(super) fn open_path(&mut self, purpose: PathPurpose, path: &Path, session: &Session) {
        let mut dialog = PathDialog::new(purpose, path, session);
        if self.lacks_system_dialog {
            dialog.has_no_system_dialog();
        }
        self.open = Some(Dialog::Path(dialog));
    }

    /// The focused panel's sampler with the marked row of the palette; `None` without one.
    pub(super) fn preview(&self, session: &Session) -> Option<Sampler> {
        let Some(Dialog::Palette(palette)) = &self.open else { return None };
        palette.preview(session)
    }

    /// Draws the modal dialog, lists over the `panels`. Returns what the user asks for.
    pub(super) fn show(
        &mut self,
        ui: &Ui,
        panels: PanelRects,
        session: &Session,
        settings: &mut SettingsStore,
    ) -> Option<DialogRequest> {
        let (request, is_done) = match self.open.as_mut()? {
            Dialog::Palette(palette) => {
                let answered = palette.show(ui, panels, session, &settings.current.preferences);
                if let ListAnswer::Chosen(command) = answered {
                    self.recent.retain(|earlier| *earlier != command);
                    self.recent.insert(0, command);
                    self.recent.truncate(MOST_RECENT);
                }
                answer(answered, DialogRequest::Run)
            }
            Dialog::Recent(list) => answer(list.show(ui, panels, |_| Vec::new()), DialogRequest::OpenImage),
            Dialog::Filters(list) => {
                answer(list.show(ui, panels, |_| Vec::new()), |(stage, filter)| DialogRequest::AddFilter(stage, filter))
            }
            Dialog::Images(list) => answer(list.show(ui, panels, |_| Vec::new()), DialogRequest::ShowImage),
            Dialog::TestPictures(dialog) => match dialog.show(ui) {
                TestPictureAnswer::Pending => (None, false),
                TestPictureAnswer::Cancelled => (None, true),
                TestPictureAnswer::Chosen(source) => (Some(DialogRequest::OpenImage(source)), true),
            },
            Dialog::Settings => (None, settings_dialog::show(ui, settings)),
            Dialog::Keys(keys) => match keys.show(ui) {
                KeysAnswer::Pending => (None, false),
                KeysAnswer::Cancelled => (None, true),
                KeysAnswer::Chosen(command) => (Some(DialogRequest::Run(command)), true),
            },
            Dialog::Waiting(dialog) => {
                if dialog.show(ui) {
                    self.end_waiting();
                }
                (None, false)
            }
            Dialog::Path(dialog) => match dialog.show(ui) {
                PathAnswer::Pending => (None, false),
                PathAnswer::Cancelled => (None, true),
                PathAnswer::Copied(target) => (Some(DialogRequest::CopyFigure(target)), false),
                PathAnswer::Chosen(target) => {
                    let request = match dialog.purpose {
                        PathPurpose::SavePanel => DialogRequest::SavePanel(target),
                        PathPurpose::SaveFigure => DialogRequest::SaveFigure(target),
                        PathPurpose::SavePlot => DialogRequest::SavePlot(target.file),
                        PathPurpose::SaveSession => DialogRequest::SaveSession(target.file),
                        PathPurpose::OpenSession => DialogRequest::OpenSession(target.file),
                        PathPurpose::OpenLesson => DialogRequest::OpenLesson(target.file),
                        PathPurpose::LocateImage(id) => DialogRequest::LocateImage(id, target.file),
                        PathPurpose::OpenImage => DialogRequest::OpenImage(target.file),
                    };
                    // The window closes the dialog after success. After an error the user can change the file.
                    (Some(request), false)
                }
            },
        };
        if is_done {
            self.open = None;
        }
        request
    }
}

/// The request of a list's answer, and whether the list closes.
fn answer<T>(answer: ListAnswer<T>, request: impl FnOnce(T) -> DialogRequest) -> (Option<DialogRequest>, bool) {
    match answer {
        ListAnswer::Pending => (None, false),
        ListAnswer::Cancelled => (None, true),
        ListAnswer::Chosen(value) => (Some(request(value)), true),
    }
}
