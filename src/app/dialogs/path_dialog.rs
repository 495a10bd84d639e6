//! The dialog for a file to write or to open: the path is typed, or chosen in the system's file dialog.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};

use egui::{
    Align2, Checkbox, FontId, Frame, Id, Key, Margin, Modifiers, RichText, Role, Sense, Stroke, Ui, WidgetInfo, vec2,
};

use super::modal;
use super::path_completion::{
    EntryKind, PathCompletion, PathEntry, absolute_part, expanded, names_folder, parent_of, with_entry,
};
use crate::app::files::{ExportTarget, names_picture};
use crate::app::session::history::Framing;
use crate::app::session::{ImageId, Session};
use crate::app::widgets::main_button::{Effect, main_button};
use crate::app::widgets::symbol::Symbol;
use crate::app::widgets::theme::{Palette, RADIUS, SPACE, text_size, with_scroll_bar};
use crate::app::widgets::toggle::choice;
use crate::image::{FORMATS, FileFormat, FormatRow, Size};
use crate::plots::{PLOT_FORMATS, PlotFormatRow};

/// What the file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum PathPurpose {
    /// Save the picture of the focused panel.
    SavePanel,
    /// Save a figure of the visible panels.
    SaveFigure,
    /// Save the plot of the drawer.
    SavePlot,
    /// Save the session.
    SaveSession,
    /// Open a session.
    OpenSession,
    /// Open a lesson, or the lessons of a folder.
    OpenLesson,
    /// Locate the file of a missing image.
    LocateImage(ImageId),
    /// Open an image.
    OpenImage,
}

impl PathPurpose {
    fn title(self) -> &'static str {
        match self {
            Self::SavePanel => "Save panel",
            Self::SaveFigure => "Save figure",
            Self::SavePlot => "Save plot",
            Self::SaveSession => "Save session",
            Self::OpenSession => "Open session",
            Self::OpenLesson => "Open lesson",
            Self::LocateImage(_) => "Locate image",
            Self::OpenImage => "Open image",
        }
    }

    /// Whether the file is read, not written.
    fn opens(self) -> bool {
        matches!(self, Self::OpenSession | Self::OpenLesson | Self::LocateImage(_) | Self::OpenImage)
    }

    /// Whether a file of this name is listed first: one that the dialog opens, or would replace.
    fn takes(self) -> fn(&Path) -> bool {
        match self {
            Self::SavePanel | Self::SaveFigure => |name| {
                let format = FileFormat::from_path(name);
                picture_formats().any(|row| Some(row.format) == format)
            },
            Self::SavePlot => |name| {
                let end = name.extension().and_then(|end| end.to_str());
                PLOT_FORMATS.iter().any(|row| Some(row.name) == end)
            },
            Self::SaveSession | Self::OpenSession | Self::OpenLesson => {
                |name| name.extension().is_some_and(|end| end == "toml")
            }
            Self::LocateImage(_) | Self::OpenImage => names_picture,
        }
    }

    fn is_picture(self) -> bool {
        matches!(self, Self::SavePanel | Self::SaveFigure)
    }

    /// The names that the dialog takes.
    fn hint(self) -> String {
        match self {
            Self::SavePanel | Self::SaveFigure => {
                let ending = |row: &FormatRow| match (row.colour, row.alpha) {
                    (true, true) => format!(".{}", row.extension),
                    (true, false) => format!(".{} (no alpha)", row.extension),
                    (false, _) => format!(".{} (grey)", row.extension),
                };
                let endings: Vec<String> = picture_formats().map(ending).collect();
                format!("Ends in {}", endings.join(", "))
            }
            Self::SavePlot => {
                let ending = |row: &PlotFormatRow| format!(".{} ({})", row.name, row.help);
                format!("Ends in {}", PLOT_FORMATS.iter().map(ending).collect::<Vec<_>>().join(", "))
            }
            Self::SaveSession | Self::OpenSession => "A text file in TOML, of any name".to_owned(),
            Self::OpenLesson => "A lesson's file, which ends in .toml, or a folder of lessons".to_owned(),
            Self::LocateImage(_) => {
                "The file of the image; others that are missing are looked for beside it".to_owned()
            }
            Self::OpenImage => "An image file, or a test picture such as synth:zone-plate:512x512".to_owned(),
        }
    }
}

/// The formats that hold pictures of 8 bits.
fn picture_formats() -> impl Iterator<Item = &'static FormatRow> {
    FORMATS.iter().filter(|row| !row.float)
}

/// Result of a frame.
#[derive(Debug, PartialEq)]
pub(super) enum PathAnswer {
    /// The user has not answered yet.
    Pending,
    /// The user closed the dialog.
    Cancelled,
    /// The user chose this file.
    Chosen(ExportTarget),
    /// The user copies the commands that make this figure.
    Copied(ExportTarget),
}

/// The dialog.
#[derive(Debug)]
pub(super) struct PathDialog {
    /// What the file is for.
    pub(super) purpose: PathPurpose,
    name: String,
    /// The text that the entries below the field begin with. A click on an entry writes its name, and the list stays.
    filter: String,
    completion: PathCompletion,
    /// The entry below the field that a click or the arrow keys chose.
    selected: Option<usize>,
    /// The selection changed: the list scrolls to it.
    has_moved: bool,
    /// The text was completed: the cursor moves behind it.
    is_completed: bool,
    times: u32,
    /// Whether a figure has the whole image.
    has_whole: bool,
    /// Whether the focused panel shows the whole image, so that a figure has nothing to add.
    shows_whole: bool,
    /// Size of one panel, in pixels.
    size: Size,
    chosen: Option<Receiver<Option<PathBuf>>>,
    takes_focus: bool,
    /// The name of a file to write is selected at first, so that what is typed takes its place.
    selects_name: bool,
    /// Why the last file was not written or opened.
    error: Option<String>,
    /// The path of an existing file for which Enter was pressed once: the next Enter replaces the file.
    replaced_next: Option<String>,
    /// What is said in place of the names that the dialog takes.
    notice: Option<&'static str>,
    /// The file that the window was asked to open.
    pub(super) asked: Option<PathBuf>,
}

/// Height of an entry below the field, in points.
const ENTRY_HEIGHT: f32 = 24.0;
/// Maximum number of visible entries.
const MOST_ROWS: f32 = 7.0;
/// Height of the dialog without the entries, with the window's margins, in points.
const AROUND_ENTRIES: f32 = 328.0;
/// What stands below the field where the desktop has no dialog for files.
const NO_SYSTEM_DIALOG: &str = "This desktop has no file dialog of its own: type a path, or choose from the list";
/// The enlargements that the dialog offers.
const TIMES: [u32; 5] = [1, 2, 3, 4, 8];

impl PathDialog {
    /// A dialog with the default `path`, for the pictures of `session`.
    pub(super) fn new(purpose: PathPurpose, path: &Path, session: &Session) -> Self {
        Self {
            purpose,
            name: path.display().to_string(),
            filter: path.display().to_string(),
            completion: PathCompletion::new(purpose.takes()),
            selected: None,
            has_moved: false,
            is_completed: false,
            times: 1,
            has_whole: false,
            shows_whole: session.framing() == Framing::Fit,
            size: session.output(),
            chosen: None,
            takes_focus: true,
            selects_name: !purpose.opens(),
            error: None,
            replaced_next: None,
            notice: None,
            asked: None,
        }
    }

    /// Draws the dialog.
    pub(super) fn show(&mut self, ui: &Ui) -> PathAnswer {
        self.take_chosen();
        let modal = modal::modal(ui, Id::unique("path dialog")).show(ui, |ui| {
            ui.set_width(560.0_f32.min(ui.content_rect().width() - 64.0));
            let is_closed = modal::title(ui, self.purpose.title());
            let answer = self.contents(ui);
            if is_closed { PathAnswer::Cancelled } else { answer }
        });
        if modal.inner == PathAnswer::Pending && modal.should_close() { PathAnswer::Cancelled } else { modal.inner }
    }

    fn take_chosen(&mut self) {
        let Some(answer) = self.chosen.as_ref().and_then(|chosen| chosen.try_recv().ok()) else {
            return;
        };
        self.chosen = None;
        if let Some(path) = answer {
            self.set_name(path.display().to_string());
        }
    }

    fn contents(&mut self, ui: &mut Ui) -> PathAnswer {
        let palette = Palette::of_ui(ui);
        self.completion.follow(ui, &self.name);
        let mut answer = self.take_keys(ui);
        ui.horizontal(|ui| {
            let width = ui.available_width() - 84.0;
            let can_complete = self.completion.completed(&self.name).is_some();
            let edit = egui::TextEdit::singleline(&mut self.name)
                .id(field_id())
                .desired_width(width)
                // Tab completes as long as there is something to complete, and then moves the focus.
                .lock_focus(can_complete)
                .align(Align2::LEFT_CENTER);
            let response = ui.add(edit);
            let name = &self.name;
            response.widget_info(|| {
                let mut info = WidgetInfo::text_edit(true, name, name, "");
                info.label = Some("File".to_owned());
                info
            });
            if std::mem::take(&mut self.is_completed) {
                move_cursor_to_end(ui, response.id, &self.name);
            }
            if response.changed() {
                (self.error, self.selected) = (None, None);
                if let Some(path) = absolute_part(&self.name) {
                    (self.name, self.is_completed) = (path.to_owned(), true);
                }
                self.filter.clone_from(&self.name);
            }
            if std::mem::take(&mut self.takes_focus) {
                response.request_focus();
            }
            if std::mem::take(&mut self.selects_name) {
                select_file_name(ui, response.id, &self.name);
            }
            if response.lost_focus() && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter)) {
                answer = self.entered();
            }
            let browse = egui::Button::new("Browse…").min_size(vec2(76.0, 0.0));
            let has_dialog = self.notice.is_none();
            let browse = ui.add_enabled(has_dialog && self.chosen.is_none(), browse);
            let browse = browse.on_hover_text("Choose the file in the system's dialog");
            if browse
                .on_disabled_hover_text(if has_dialog { "The system's dialog is open" } else { NO_SYSTEM_DIALOG })
                .clicked()
            {
                self.browse(ui);
            }
        });
        // The endings of a file to write matter more than what the button says of itself.
        let notice = self.notice.filter(|_| self.purpose.opens());
        let hint = notice.map_or_else(|| self.purpose.hint(), str::to_owned);
        ui.label(RichText::new(hint).size(text_size::VALUE).color(palette.weak));
        if let Some(error) = &self.error {
            ui.label(RichText::new(error).color(palette.error));
        }
        match self.entries(ui) {
            Some((place, entry, false)) => self.select(place, &entry),
            Some((_, entry, true)) => {
                self.take_entry(&entry);
                if !entry.kind.is_folder() && self.purpose.opens() {
                    answer = self.file();
                }
            }
            None => {}
        }
        if self.purpose.is_picture() {
            ui.add_space(SPACE);
            self.sizes(ui);
        }
        if self.purpose == PathPurpose::SaveFigure {
            let tip = "Adds the focused panel's whole image, with a frame around what the panels show of it";
            let whole = Checkbox::new(&mut self.has_whole, "Whole image with a frame around the detail");
            let whole = ui.add_enabled(!self.shows_whole, whole).on_hover_text(tip);
            whole.on_disabled_hover_text("The panels show the whole image");
        }
        // A click on a size takes the focus from the field.
        let has_focus = ui.memory(|memory| memory.focused().is_some());
        if !has_focus && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter)) {
            answer = self.entered();
        }
        ui.add_space(3.0 * SPACE);
        let exists = self.replaces();
        let act = match (self.purpose.opens(), exists) {
            (true, _) => "Open",
            (false, true) => "Replace",
            (false, false) => "Save",
        };
        ui.horizontal(|ui| {
            let can = !self.name.trim().is_empty();
            let effect = if exists { Effect::Replaces } else { Effect::Adds };
            let least = vec2(18.0 * SPACE, 0.0);
            let answers = ui.add_enabled_ui(can, |ui| main_button(ui, act, effect, least)).inner;
            if answers.on_hover_text(self.purpose.title()).clicked() {
                let folder = self.selected_entry().filter(|entry| entry.kind.is_folder()).cloned();
                match folder {
                    Some(folder) => self.take_entry(&folder),
                    None => answer = self.file(),
                }
            }
            if self.purpose == PathPurpose::SaveFigure {
                let copy = ui.add_enabled(can && !self.has_whole, egui::Button::new("Copy commands"));
                let copy = copy.on_hover_text("Copies the commands that make this figure, in this size");
                if copy.on_disabled_hover_text("No command adds the whole image").clicked()
                    && let PathAnswer::Chosen(target) = self.file()
                {
                    answer = PathAnswer::Copied(target);
                }
            }
            if ui.button("Cancel").on_hover_text("Closes the dialog  (Esc)").clicked() {
                answer = PathAnswer::Cancelled;
            }
            if exists {
                let is_asked = self.replaced_next.as_ref() == Some(&self.name);
                let text = if is_asked { "The file exists: Enter replaces it" } else { "The file exists" };
                ui.label(RichText::new(text).color(palette.error));
            }
        });
        answer
    }

    /// The answer of Enter. The first one says that a file would be replaced.
    fn entered(&mut self) -> PathAnswer {
        if self.replaces() && self.replaced_next.as_ref() != Some(&self.name) {
            (self.replaced_next, self.takes_focus) = (Some(self.name.clone()), true);
            return PathAnswer::Pending;
        }
        self.file()
    }

    /// Whether the path is that of an existing file, which is written.
    fn replaces(&self) -> bool {
        !self.purpose.opens() && expanded(self.name.trim()).is_file()
    }

    /// Takes Tab, the arrow keys and Enter for the entries below the field.
    fn take_keys(&mut self, ui: &Ui) -> PathAnswer {
        if !ui.memory(|memory| memory.has_focus(field_id())) {
            return PathAnswer::Pending;
        }
        let count = self.listed().len();
        if let Some(completed) = self.completion.completed(&self.name)
            && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Tab))
        {
            self.set_name(completed);
        }
        // Behind a folder the key removes the folder's name, not its separator alone.
        if let Some(parent) = parent_of(&self.name)
            && is_cursor_at_end(ui, &self.name)
            && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Backspace))
        {
            self.set_name(parent);
        }
        let steps = ui.input_mut(|input| {
            let mut count = |key: Key| input.count_and_consume_key(Modifiers::NONE, key) as isize;
            count(Key::ArrowDown) - count(Key::ArrowUp)
        });
        if steps != 0 && count > 0 {
            // Above the first entry is the field.
            let place = self.selected.map_or(-1, |place| place as isize) + steps;
            self.selected = usize::try_from(place.min(count as isize - 1)).ok();
            self.has_moved = true;
        }
        // The disk is asked for the typed path when the key is pressed, not in each frame.
        let is_asked = ui.input(|input| input.key_pressed(Key::Enter));
        let only = || is_asked.then(|| self.only_entry()).flatten();
        let Some(entry) = self.selected_entry().or_else(only).cloned() else { return PathAnswer::Pending };
        if !ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter)) {
            return PathAnswer::Pending;
        }
        let is_named = self.name == with_entry(&self.filter, &entry);
        self.take_entry(&entry);
        // A file to write is named first and written by the next Enter.
        if !entry.kind.is_folder() && (self.purpose.opens() || is_named) { self.file() } else { PathAnswer::Pending }
    }

    /// The entries below the field: those that the typed path begins. A file to write has a new name as a rule, so that the
    /// whole folder is listed then.
    fn listed(&self) -> Vec<&PathEntry> {
        let found = self.completion.found(&self.filter);
        if found.is_empty() && !self.purpose.opens() { self.completion.all() } else { found }
    }

    /// The only entry that begins with what is typed, of a file to open; `None` where the typed text is a path of its own.
    fn only_entry(&self) -> Option<&PathEntry> {
        let is_part = self.purpose.opens() && !self.name.ends_with(std::path::is_separator);
        match self.listed()[..] {
            [entry] if is_part && !expanded(self.name.trim()).exists() => Some(entry),
            _ => None,
        }
    }

    /// The entry that a click or the arrow keys chose.
    fn selected_entry(&self) -> Option<&PathEntry> {
        self.selected.and_then(|place| self.listed().get(place).copied())
    }

    /// Selects the entry at `place`. The name of a file is written into the field; the list stays as it is.
    fn select(&mut self, place: usize, entry: &PathEntry) {
        (self.selected, self.error, self.takes_focus) = (Some(place), None, true);
        if !entry.kind.is_folder() {
            (self.name, self.is_completed) = (with_entry(&self.filter, entry), true);
        }
    }

    /// Writes the path of `entry` into the field. The entries of a folder are listed then.
    fn take_entry(&mut self, entry: &PathEntry) {
        self.set_name(with_entry(&self.filter, entry));
        self.takes_focus = true;
    }

    fn set_name(&mut self, name: String) {
        self.filter.clone_from(&name);
        (self.name, self.is_completed) = (name, true);
        (self.selected, self.error) = (None, None);
    }

    /// Draws the entries that the typed path begins. Returns the one that was clicked with its place, and whether it was clicked
    /// twice. The list has the same height for any number of entries, so that the dialog stays where it is.
    fn entries(&mut self, ui: &mut Ui) -> Option<(usize, PathEntry, bool)> {
        let palette = Palette::of_ui(ui);
        ui.add_space(SPACE);
        let window = ui.content_rect().height();
        let rows = ((window - AROUND_ENTRIES) / ENTRY_HEIGHT).floor().clamp(2.0, MOST_ROWS);
        let height = rows * ENTRY_HEIGHT;
        let mut clicked = None;
        let has_moved = std::mem::take(&mut self.has_moved);
        let area = egui::ScrollArea::vertical().max_height(height).min_scrolled_height(height);
        let frame = Frame::new().fill(palette.field).stroke(Stroke::new(1.0, palette.line)).corner_radius(RADIUS);
        frame.inner_margin(Margin::same(1)).show(ui, |ui| {
            with_scroll_bar(ui, palette);
            area.auto_shrink([false, false]).show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                let found = self.listed();
                let has_none = found.is_empty() && self.purpose.opens() && names_folder(&self.filter);
                if has_none && !self.completion.is_reading() {
                    ui.add_space(0.5 * SPACE);
                    ui.horizontal(|ui| {
                        ui.add_space(2.0 * SPACE);
                        let text = RichText::new("Nothing in this folder has a name that begins like this")
                            .size(text_size::VALUE);
                        ui.label(text.color(palette.weak));
                    });
                }
                for (place, entry) in found.into_iter().enumerate() {
                    let is_selected = self.selected == Some(place);
                    let response = show_entry(ui, entry, is_selected);
                    if is_selected && has_moved {
                        response.scroll_to_me(None);
                    }
                    if response.clicked() {
                        clicked = Some((place, entry.clone(), response.double_clicked()));
                    }
                }
            })
        });
        ui.add_space(SPACE);
        clicked
    }

    /// Draws the choice of the enlargement.
    fn sizes(&mut self, ui: &mut Ui) {
        ui.horizontal(|ui| {
            ui.label("Size");
            for times in TIMES {
                let name = if times == 1 { "As seen".to_owned() } else { format!("{times}×") };
                let choice = choice(ui, (&name, true), self.times == times);
                if choice.on_hover_text("Interpolates anew at this multiple of the panel's size").clicked() {
                    self.times = times;
                }
            }
            let [width, height] =
                [self.size.width(), self.size.height()].map(|side| u64::from(side) * u64::from(self.times));
            let each = if self.purpose == PathPurpose::SaveFigure { " each" } else { "" };
            let text = format!("{width} × {height} pixels{each}");
            ui.label(RichText::new(text).color(Palette::of_ui(ui).weak));
        });
    }

    /// Says that there is no dialog of the system.
    pub(super) fn has_no_system_dialog(&mut self) {
        self.notice = Some(NO_SYSTEM_DIALOG);
    }

    /// Shows why the file was not written or opened. The field takes the focus again.
    pub(super) fn refuse(&mut self, reason: impl std::fmt::Display) {
        (self.error, self.takes_focus) = (Some(reason.to_string()), true);
    }

    /// The answer with the typed file. A picture's file has an ending that the hint names.
    fn file(&mut self) -> PathAnswer {
        let file = expanded(self.name.trim());
        if file.as_os_str().is_empty() {
            return PathAnswer::Pending;
        }
        // A folder is listed. One of lessons can be opened as well.
        if file.is_dir() && self.purpose != PathPurpose::OpenLesson {
            self.set_name(file.join("").display().to_string());
            self.takes_focus = true;
            return PathAnswer::Pending;
        }
        let format = FileFormat::from_path(&file);
        if self.purpose.is_picture() && !picture_formats().any(|row| Some(row.format) == format) {
            let name = file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
            let endings: Vec<String> = picture_formats().map(|row| format!(".{}", row.extension)).collect();
            self.refuse(format!("{name}: the name of a picture ends in {}", endings.join(", ")));
            return PathAnswer::Pending;
        }
        self.asked = self.purpose.opens().then(|| file.clone());
        PathAnswer::Chosen(ExportTarget { file, times: self.times, has_whole: self.has_whole })
    }

    fn browse(&mut self, ctx: &egui::Context) {
        let (sender, chosen) = channel();
        let path = expanded(&self.name);
        let mut dialog = rfd::AsyncFileDialog::new().set_title(self.purpose.title());
        if let Some(folder) = path.parent().filter(|folder| folder.is_dir()) {
            dialog = dialog.set_directory(folder);
        }
        if let Some(name) = path.file_name() {
            dialog = dialog.set_file_name(name.to_string_lossy());
        }
        let opens = self.purpose.opens();
        let answer: std::pin::Pin<Box<dyn Future<Output = Option<rfd::FileHandle>> + Send>> =
            if opens { Box::pin(dialog.pick_file()) } else { Box::pin(dialog.save_file()) };
        let ctx = ctx.clone();
        std::thread::spawn(move || {
            let path = pollster::block_on(answer).map(|file| file.path().to_owned());
            // The receiver is gone if the dialog was closed.
            drop(sender.send(path));
            ctx.request_repaint();
        });
        self.chosen = Some(chosen);
    }
}

/// Identifier of the field with the path.
fn field_id() -> Id {
    Id::unique("path field")
}

/// Draws an entry of a folder.
fn show_entry(ui: &mut Ui, entry: &PathEntry, is_selected: bool) -> egui::Response {
    let palette = Palette::of_ui(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ENTRY_HEIGHT), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_selected, &entry.name));
    if !ui.is_rect_visible(rect) {
        return response;
    }
    if is_selected || response.hovered() {
        let fill = if is_selected { palette.active } else { palette.hovered };
        ui.painter().rect_filled(rect, 5.0, fill);
    }
    let (color, symbol) = match entry.kind {
        EntryKind::Taken => (palette.text, Symbol::Picture),
        EntryKind::Parent => (palette.text, Symbol::Up),
        EntryKind::Folder => (palette.text, Symbol::Folder),
        EntryKind::Other => (palette.weak, Symbol::Document),
    };
    let font = FontId::proportional(text_size::BODY);
    symbol.paint(ui, rect.left_center() + vec2(4.0 * SPACE, 0.0), palette.weak);
    let at = rect.left_center() + vec2(7.5 * SPACE, 0.0);
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.text(at, Align2::LEFT_CENTER, &entry.name, font, color);
    response
}

/// Whether the cursor of the field is behind `text`, and nothing is selected.
fn is_cursor_at_end(ui: &Ui, text: &str) -> bool {
    let range = egui::TextEdit::load_state(ui, field_id()).and_then(|state| state.cursor.char_range());
    range.is_some_and(|range| range.is_empty() && range.primary == egui::text::CCursor::new(text.chars().count()))
}

/// Moves the cursor of the text field `id` behind `text`.
fn move_cursor_to_end(ui: &Ui, id: Id, text: &str) {
    if let Some(mut state) = egui::TextEdit::load_state(ui, id) {
        let end = egui::text::CCursor::new(text.chars().count());
        state.cursor.set_char_range(Some(egui::text::CCursorRange::one(end)));
        state.store(ui, id);
    }
}

/// Selects the name of a file in the text field `id`, without its folder.
fn select_file_name(ui: &Ui, id: Id, text: &str) {
    if let Some(mut state) = egui::TextEdit::load_state(ui, id) {
        let letters: Vec<char> = text.chars().collect();
        let start = letters.iter().rposition(|letter| std::path::is_separator(*letter)).map_or(0, |at| at + 1);
        let [start, end] = [start, letters.len()].map(egui::text::CCursor::new);
        state.cursor.set_char_range(Some(egui::text::CCursorRange::two(start, end)));
        state.store(ui, id);
    }
}
