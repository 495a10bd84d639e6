//! Commands and dialogs: actions that need more than the session.

use std::path::{Path, PathBuf};

use egui::{Ui, ViewportCommand};

use super::Lerpscope;
use super::picture_task::PictureTask;
use super::regions::Region;
use crate::app::commands::choice::Choice;
use crate::app::commands::notice::CommandNotice;
use crate::app::commands::perform::perform;
use crate::app::commands::window_action::{DialogAction, FileAction, WindowAction};
use crate::app::commands::{Command, InspectCommand, Keymap};
use crate::app::dialogs::{DialogRequest, PanelRects, PathPurpose};
use crate::app::files::{DocumentError, Notice, OpenTarget, SideSection, SideTab, ThemeChoice};
use crate::app::inspect::cells::needed_zoom;
use crate::app::inspect::clipping;
use crate::app::learn::LessonId;
use crate::app::render::picture::Picture;
use crate::app::session::inspect::Tool;
use crate::app::session::{Compare, PanelArea, Session};
use crate::arguments::address_titles;
use crate::backend::Backend as _;

/// Says that the outside of the images is no longer covered, since an address mode was chosen in the focused panel. The key text
/// of *Undo* is `undo`.
fn shows_outside(session: &Session, undo: &str) -> CommandNotice {
    let focused = session.focused();
    CommandNotice::ShowsOutside {
        panel: (focused + 1).to_string(),
        modes: address_titles(session.panels()[focused].sampler.address).to_lowercase(),
        undo: if undo.is_empty() { String::new() } else { format!("; {undo} covers it again") },
    }
}

impl Lerpscope {
    /// Runs a command.
    pub(super) fn run(&mut self, ui: &Ui, command: Command) {
        if matches!(command, Command::Undo | Command::Redo) {
            self.overlays.drag.cancel();
        }
        let had_histogram = self.session.inspect.state.has_histogram;
        let dimmed_outside = self.session.dims_outside();
        if command == Command::Inspect(InspectCommand::Histogram) && had_histogram && self.has_hidden_histogram(ui) {
            self.reveal(SideSection::Values);
            return;
        }
        let chooses_address = matches!(
            command,
            Command::NextAddress | Command::NextAddressX | Command::NextAddressY | Command::Choose(Choice::Address(_))
        );
        if chooses_address {
            // What was said of the last one holds no longer.
            self.dialogs.toasts.end_change();
        }
        if let Some(action) = perform(&mut self.session, &mut self.settings.current.preferences, command) {
            self.run_action(ui, action);
        }
        if self.session.inspect.state.has_histogram && !had_histogram {
            self.reveal(SideSection::Values);
        }
        if chooses_address && dimmed_outside && !self.session.dims_outside() {
            let keys = Keymap::in_force(ui).key_text(Command::Undo);
            self.dialogs.toasts.note_change(shows_outside(&self.session, &keys));
        }
        if let Command::Inspect(ask) = command
            && let Some(notice) = self.unseen(ask, ui.pixels_per_point())
        {
            self.dialogs.toasts.note_change(notice);
        }
    }

    /// Why what `command` turned on is not seen in the focused panel; `None` if it is seen, or was turned off.
    fn unseen(&mut self, command: InspectCommand, pixels_per_point: f32) -> Option<CommandNotice> {
        if let Some(zoom) = needed_zoom(&self.session, command, pixels_per_point) {
            return Some(CommandNotice::SamplesTooSmall { overlay: Command::Inspect(command).row()?.title, zoom });
        }
        let (session, state) = (&self.session, &self.session.inspect.state);
        let name = || session.panel_name(session.focused()).numbered();
        match command {
            InspectCommand::Outside if state.shows_outside => {
                (!session.has_outside_in_view(session.focused())).then(|| CommandNotice::NothingOutside(name()))
            }
            InspectCommand::Clipping if state.marks_clipping => {
                let clips = clipping::clips(session, self.backend.as_mut(), session.focused());
                (!clips).then(|| CommandNotice::NothingClipped(name()))
            }
            _ => None,
        }
    }

    /// Whether another tab or a folded section of the side bar hides the histogram. The tab *Inspect* has its switch.
    fn has_hidden_histogram(&self, ui: &Ui) -> bool {
        let side_bar = &self.settings.current.side_bar;
        let is_open = match side_bar.tab {
            SideTab::View => !side_bar.is_folded(SideSection::Values),
            SideTab::Inspect => true,
            SideTab::Panel | SideTab::Learn => false,
        };
        self.has_side_bar(ui) && !is_open
    }

    fn run_action(&mut self, ui: &Ui, action: WindowAction) {
        match action {
            WindowAction::ChooseImage => self.documents.loader.choose_image(ui),
            WindowAction::Quit => ui.send_viewport_cmd(ViewportCommand::Close),
            WindowAction::TogglePresentation => self.present(ui, !self.chrome.is_presentation),
            WindowAction::ToggleChrome => self.toggle_chrome(ui),
            WindowAction::ToggleSideBar => self.toggle_side_bar(ui),
            WindowAction::FocusRegion(forwards) => self.step_region(ui, forwards),
            WindowAction::NextTheme => {
                let is_dark = ui.visuals().dark_mode;
                self.settings.current.theme = if is_dark { ThemeChoice::Light } else { ThemeChoice::Dark };
                ui.request_repaint();
            }
            WindowAction::Leave => self.leave(ui),
            WindowAction::ToggleTiming => self.toggle_timing(),
            WindowAction::OpenBlockSweep => self.dialogs.block_sweep.open(),
            WindowAction::Normalize => self.begin_task(ui, PictureTask::Normalize),
            WindowAction::File(action) => {
                // Exports show the final view, not a frame of its animation.
                self.session.finish_animation();
                let result = self.run_file_action(ui, action);
                self.report(result);
            }
            WindowAction::Dialog(dialog) => {
                self.session.finish_animation();
                self.open_dialog(ui, dialog);
            }
            WindowAction::Lesson(command) => self.run_lesson(ui, command),
            WindowAction::StartLesson(index) => self.start_lesson(ui, LessonId::Embedded(index), None),
            WindowAction::Notice(notice) => self.dialogs.toasts.note_change(notice),
        }
    }

    /// Enters or leaves the full-screen presentation.
    fn present(&mut self, ui: &Ui, on: bool) {
        ui.send_viewport_cmd(ViewportCommand::Fullscreen(on));
        self.chrome.is_presentation = on;
        if on {
            self.dialogs.toasts.note("Esc leaves the presentation");
        }
    }

    fn step_region(&mut self, ui: &Ui, forwards: bool) {
        let (has_bars, has_side_bar) = (self.chrome.has_bars(), self.has_side_bar(ui));
        let has_drawer = self.session.inspect.state.drawer.is_some();
        let has_lesson = self.has_lesson_column();
        self.regions.step(forwards, |region| match region {
            Region::Panels => true,
            Region::Lesson => has_lesson,
            Region::MenuBar | Region::Status => has_bars,
            Region::SideBar => (has_bars || has_lesson) && has_side_bar,
            Region::Drawer => (has_bars || has_lesson) && has_drawer,
        });
    }

    fn toggle_chrome(&mut self, ui: &Ui) {
        self.chrome.is_hidden = !self.chrome.is_hidden;
        if self.chrome.is_hidden {
            let keys = Keymap::in_force(ui);
            let key = [Command::ToggleChrome, Command::Leave].map(|command| keys.key_text(command));
            let key = key.into_iter().find(|key| !key.is_empty()).unwrap_or_default();
            self.dialogs.toasts.note(format!("{key} shows the bars again"));
        }
    }

    /// Removes the toasts. Ends the focus of a control that keeps it, or closes the first of these that is open: the block sweep,
    /// a drag, the presentation and the view without bars, which end together, a tool, the recovery offer, the lesson, the
    /// comparison of two panels.
    fn leave(&mut self, ui: &Ui) {
        self.dialogs.toasts.clear();
        let focused = ui.memory(egui::Memory::focused).filter(|_| !self.picture_has_focus);
        if let Some(control) = focused {
            return ui.memory_mut(|memory| memory.surrender_focus(control));
        }
        if self.dialogs.block_sweep.close() || self.overlays.drag.cancel() {
            return;
        }
        if !self.chrome.has_bars() {
            if self.chrome.is_presentation {
                self.present(ui, false);
            }
            self.chrome.is_hidden = false;
            return;
        }
        if self.leave_tool() || self.postpone_offer() {
            return;
        }
        if self.has_lesson_column() {
            self.close_lessons();
        } else {
            self.session.set_compare(Compare::SideBySide);
        }
    }

    /// Leaves the profile tool. Returns false if it was not in use. The profile line of a lesson's step stays.
    fn leave_tool(&mut self) -> bool {
        let has_line = self.session.is_of_lesson() && self.session.inspect.tool == Tool::Hand;
        !has_line && self.session.inspect.leave()
    }

    /// Shows or hides the timing overlay. Pictures are rendered again for their kernel times.
    fn toggle_timing(&mut self) {
        self.dialogs.toggle_timing();
        if self.dialogs.timing.is_some() {
            self.pictures.iter_mut().chain([&mut self.difference]).for_each(Picture::time_again);
        }
    }

    /// Shows the open image of `source`, or opens it for all panels.
    fn show_or_open(&mut self, ui: &Ui, source: PathBuf) {
        match self.documents.place_of_source(&self.session, &source) {
            Some(place) => self.session.show_image(place),
            None => self.documents.loader.open(ui, source, OpenTarget::Everywhere),
        }
    }

    /// Runs an action on files or the clipboard. `None` if its result is visible without a notice.
    fn run_file_action(&mut self, ui: &Ui, action: FileAction) -> Result<Option<Notice>, DocumentError> {
        match action {
            FileAction::Reload => {
                let file = self.documents.file_of(&self.session)?.to_owned();
                self.documents.loader.open(ui, file, OpenTarget::Reload);
                Ok(None)
            }
            FileAction::NextFile => self.open_neighbour(ui, 1).map(|()| None),
            FileAction::PreviousFile => self.open_neighbour(ui, -1).map(|()| None),
            FileAction::OpenFormula(formula) => {
                self.documents.loader.open(ui, PathBuf::from(formula.to_string()), OpenTarget::Everywhere);
                Ok(None)
            }
            FileAction::OpenVolume(formula) => {
                self.documents.loader.open(ui, PathBuf::from(formula.to_string()), OpenTarget::Everywhere);
                Ok(None)
            }
            FileAction::OpenComplex(formula) => {
                self.documents.loader.open(ui, PathBuf::from(formula.to_string()), OpenTarget::Everywhere);
                Ok(None)
            }
            FileAction::Decimate(decimate) => {
                let source = self.documents.decimated_source(&self.session, decimate)?;
                self.show_or_open(ui, source);
                Ok(None)
            }
            FileAction::PagesAsVolume => {
                let source = self.documents.volume_source(&self.session)?;
                self.show_or_open(ui, source);
                Ok(None)
            }
            FileAction::Paste => {
                let file = self.documents.paste()?;
                self.documents.loader.open(ui, file, OpenTarget::Everywhere);
                Ok(None)
            }
            FileAction::CopyPicture => {
                self.begin_task(ui, PictureTask::Copy);
                Ok(None)
            }
            FileAction::CopyCommands => {
                let commands = self.command_lines();
                self.documents.copy_commands(commands).map(Some)
            }
        }
    }

    fn open_neighbour(&self, ui: &Ui, step: isize) -> Result<(), DocumentError> {
        let file = self.documents.neighbour(&self.session, step)?;
        self.documents.loader.open(ui, file, OpenTarget::InPlace(self.session.shown_id()));
        Ok(())
    }

    fn open_dialog(&mut self, ui: &Ui, dialog: DialogAction) {
        match dialog {
            DialogAction::Palette => self.dialogs.open_palette(ui, &self.session, &self.settings.current.preferences),
            DialogAction::RecentFiles if self.settings.current.recent.is_empty() => {
                self.dialogs.toasts.error(DocumentError::NoRecentFile);
            }
            DialogAction::RecentFiles => self.dialogs.open_recent(&self.settings.current.recent),
            DialogAction::Filters => self.dialogs.open_filters(&self.session),
            DialogAction::Settings => self.dialogs.open_settings(),
            DialogAction::Keys => self.dialogs.open_keys(),
            DialogAction::SavePanel => self.open_path(PathPurpose::SavePanel),
            DialogAction::SaveFigure => self.open_path(PathPurpose::SaveFigure),
            DialogAction::SavePlot => self.open_path(PathPurpose::SavePlot),
            DialogAction::SaveSession => self.open_path(PathPurpose::SaveSession),
            DialogAction::OpenSession => self.open_path(PathPurpose::OpenSession),
            DialogAction::Images => self.dialogs.open_images(&self.session),
            DialogAction::TestPictures => self.dialogs.open_test_pictures(ui),
            DialogAction::LocateImage(id) => self.open_path(PathPurpose::LocateImage(id)),
        }
    }

    pub(super) fn open_path(&mut self, purpose: PathPurpose) {
        let path = match purpose {
            PathPurpose::OpenImage | PathPurpose::OpenLesson => self.documents.export_path(&self.session, ""),
            PathPurpose::SavePanel => self.documents.picture_path(&self.session),
            PathPurpose::SaveFigure => self.documents.export_path(&self.session, "figure.png"),
            PathPurpose::SavePlot => {
                let stem = self.drawer.file_stem(&self.session);
                self.documents.export_path(&self.session, &format!("{stem}.svg"))
            }
            PathPurpose::SaveSession | PathPurpose::OpenSession => {
                self.documents.export_path(&self.session, "session.toml")
            }
            PathPurpose::LocateImage(id) => {
                self.documents.source_of(&self.session, id).map(Path::to_owned).unwrap_or_default()
            }
        };
        self.dialogs.open_path(purpose, &path, &self.session);
    }

    /// Draws the open dialog and does what the user asks for in it.
    pub(super) fn show_dialog(&mut self, ui: &Ui, panels: PanelRects) {
        let asked = self.dialogs.show(ui, panels, &self.session, &mut self.settings);
        if self.session.set_preview(self.dialogs.preview(&self.session)) {
            ui.request_repaint();
        }
        match asked {
            None => {}
            Some(DialogRequest::Run(command)) => self.run(ui, command),
            Some(DialogRequest::AddFilter(stage, filter)) => {
                self.session.add_filter(stage, filter);
                self.reveal(SideSection::Filters);
            }
            Some(DialogRequest::OpenImage(path)) => self.documents.loader.open(ui, path, OpenTarget::Everywhere),
            Some(DialogRequest::ShowImage(id)) => {
                let place = self.session.place_of_image(id);
                place.into_iter().for_each(|place| self.session.show_image(place));
            }
            Some(DialogRequest::LocateImage(id, path)) => {
                self.documents.loader.open(ui, path, OpenTarget::InPlace(id));
            }
            Some(DialogRequest::OpenLesson(path)) => match self.open_lesson(ui, &path, None) {
                Ok(()) => self.dialogs.close(),
                Err(error) => self.dialogs.report(error),
            },
            Some(DialogRequest::OpenSession(path)) => self.documents.loader.open_session(ui, path),
            Some(DialogRequest::SavePanel(target)) => self.begin_task(ui, PictureTask::SavePanel(target)),
            Some(DialogRequest::SaveFigure(target)) => self.begin_task(ui, PictureTask::SaveFigure(target)),
            Some(DialogRequest::CopyFigure(target)) => {
                let commands = self.figure_command_lines(&target.file, target.times);
                match self.documents.copy_commands(commands) {
                    Ok(notice) => self.dialogs.toasts.note(notice),
                    Err(error) => self.dialogs.report(error),
                }
            }
            Some(DialogRequest::SavePlot(path)) => self.save_plot(ui, &path),
            Some(DialogRequest::SaveSession(path)) => self.save_session(&path),
        }
    }

    fn save_plot(&mut self, ui: &Ui, path: &Path) {
        let unit = self.settings.current.preferences.unit;
        let of_profile = || super::Drawer::profile_chart(&self.session, &self.overlays.profile, unit).map(Ok);
        let chart = self.drawer.chart(ui, &self.session, self.backend.kind()).or_else(of_profile);
        if let Some(chart) = chart {
            let result = chart.map_err(DocumentError::NoPlot);
            let result = result.and_then(|chart| self.documents.save_plot(&chart, path));
            self.end_saving(result);
        }
    }

    fn save_session(&mut self, path: &Path) {
        let result = self.documents.save_session(&self.session, self.settings.current.preferences.unit, path);
        self.end_saving(result);
    }

    /// Reports the result of a save. The dialog closes after success.
    pub(super) fn end_saving(&mut self, result: Result<Notice, DocumentError>) {
        if result.is_ok() {
            self.dialogs.close();
        }
        match result {
            Ok(notice) => self.dialogs.toasts.note(notice),
            Err(error) => self.dialogs.report(error),
        }
    }

    /// Shows the result of a file action.
    pub(super) fn report(&mut self, result: Result<Option<Notice>, DocumentError>) {
        match result {
            Ok(None) => {}
            Ok(Some(notice)) => self.dialogs.toasts.note(notice),
            Err(error) => self.dialogs.toasts.error(error),
        }
    }

    /// Number of panels side by side in the first row.
    pub(super) fn columns(&self) -> usize {
        let top = |area: &PanelArea| {
            self.pictures.at(&self.session, area.panel()).and_then(Picture::place).map(|place| place.top)
        };
        let areas = self.session.areas();
        let first = areas.first().and_then(top);
        areas.iter().filter(|area| top(area) == first).count().max(1)
    }
}
