//! The dialog for a file to write or to open: the path is typed, or chosen in the system's file dialog.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};

use egui::{Frame, Key, Margin, Modal, Role, Ui, WidgetInfo};

use crate::app::files::ExportTarget;
use crate::app::session::ImageId;
use crate::app::widgets::theme::{Palette, SPACE};
use crate::image::{FORMATS, FileFormat, FormatRow, Size};

/// What the file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum PathPurpose {
    /// Save the picture of the focused panel.
    SavePanel,
    /// Save a figure of the visible panels.
    SaveFigure,
    /// Save the session.
    SaveSession,
    /// Open a session.
    OpenSession,
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
            Self::SaveSession => "Save session",
            Self::OpenSession => "Open session",
            Self::LocateImage(_) => "Locate image",
            Self::OpenImage => "Open image",
        }
    }

    /// Whether the file is read, not written.
    fn opens(self) -> bool {
        matches!(self, Self::OpenSession | Self::LocateImage(_) | Self::OpenImage)
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
            Self::SaveSession | Self::OpenSession => "A text file in TOML, of any name".to_owned(),
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
}

/// The dialog.
#[derive(Debug)]
pub(super) struct PathDialog {
    /// What the file is for.
    pub(super) purpose: PathPurpose,
    name: String,
    times: u32,
    /// Size of one panel, in pixels.
    size: Size,
    chosen: Option<Receiver<Option<PathBuf>>>,
    takes_focus: bool,
    /// Why the last file was not written or opened.
    error: Option<String>,
    /// The file that the window was asked to open.
    pub(super) asked: Option<PathBuf>,
}

/// The enlargements that the dialog offers.
const TIMES: [u32; 5] = [1, 2, 3, 4, 8];

impl PathDialog {
    /// A dialog with the default `path`. A panel has `size` pixels.
    pub(super) fn new(purpose: PathPurpose, path: &Path, size: Size) -> Self {
        Self {
            purpose,
            name: path.display().to_string(),
            times: 1,
            size,
            chosen: None,
            takes_focus: true,
            error: None,
            asked: None,
        }
    }

    /// Draws the dialog.
    pub(super) fn show(&mut self, ui: &Ui) -> PathAnswer {
        self.take_chosen();
        let frame = Frame::popup(ui.style()).inner_margin(Margin::same(20));
        let modal = Modal::new(egui::Id::unique("path dialog")).frame(frame).show(ui, |ui| {
            ui.set_width(520.0_f32.min(ui.content_rect().width() - 64.0));
            self.contents(ui)
        });
        if modal.inner == PathAnswer::Pending && modal.should_close() { PathAnswer::Cancelled } else { modal.inner }
    }

    fn take_chosen(&mut self) {
        let Some(answer) = self.chosen.as_ref().and_then(|chosen| chosen.try_recv().ok()) else {
            return;
        };
        self.chosen = None;
        if let Some(path) = answer {
            self.name = path.display().to_string();
            self.error = None;
        }
    }

    fn contents(&mut self, ui: &mut Ui) -> PathAnswer {
        let palette = Palette::of_ui(ui);
        ui.heading(self.purpose.title());
        ui.add_space(2.0 * SPACE);
        let mut answer = PathAnswer::Pending;
        ui.horizontal(|ui| {
            let width = ui.available_width() - 88.0;
            let response = ui
                .add(egui::TextEdit::singleline(&mut self.name).desired_width(width).align(egui::Align2::LEFT_CENTER));
            let name = &self.name;
            response.widget_info(|| {
                let mut info = WidgetInfo::text_edit(true, name, name, "");
                info.label = Some("File".to_owned());
                info
            });
            if response.changed() {
                self.error = None;
            }
            if std::mem::take(&mut self.takes_focus) {
                response.request_focus();
            }
            if response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
                answer = self.file();
            }
            let browse = egui::Button::new("Browse…").min_size(egui::vec2(76.0, 0.0));
            let tip = "Choose the file in the system's dialog";
            if ui.add_enabled(self.chosen.is_none(), browse).on_hover_text(tip).clicked() {
                self.browse(ui);
            }
        });
        ui.label(egui::RichText::new(self.purpose.hint()).size(11.5).color(palette.weak));
        if let Some(error) = &self.error {
            ui.label(egui::RichText::new(error).color(palette.error));
        }
        if self.purpose.is_picture() {
            ui.add_space(SPACE);
            self.sizes(ui);
        }
        ui.add_space(3.0 * SPACE);
        let exists = !self.purpose.opens() && Path::new(&self.name).exists();
        let act = match (self.purpose.opens(), exists) {
            (true, _) => "Open",
            (false, true) => "Replace",
            (false, false) => "Save",
        };
        ui.horizontal(|ui| {
            let can = !self.name.trim().is_empty();
            if ui.add_enabled(can, egui::Button::new(act)).on_hover_text(self.purpose.title()).clicked() {
                answer = self.file();
            }
            if ui.button("Cancel").on_hover_text("Closes the dialog  (Esc)").clicked() {
                answer = PathAnswer::Cancelled;
            }
            if exists {
                ui.label(egui::RichText::new("The file exists").color(palette.weak));
            }
        });
        answer
    }

    /// Draws the choice of the enlargement.
    fn sizes(&mut self, ui: &mut Ui) {
        ui.horizontal(|ui| {
            ui.label("Size");
            for times in TIMES {
                let name = if times == 1 { "As seen".to_owned() } else { format!("{times}×") };
                let choice = ui.selectable_label(self.times == times, &name);
                let is_chosen = self.times == times;
                choice.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, is_chosen, &name));
                if choice.on_hover_text("Interpolates anew at this multiple of the panel's size").clicked() {
                    self.times = times;
                }
            }
            let [width, height] =
                [self.size.width(), self.size.height()].map(|side| u64::from(side) * u64::from(self.times));
            let each = if self.purpose == PathPurpose::SaveFigure { " each" } else { "" };
            let text = format!("{width} × {height} pixels{each}");
            ui.label(egui::RichText::new(text).color(Palette::of_ui(ui).weak));
        });
    }

    /// Shows why the file was not written or opened. The field takes the focus again.
    pub(super) fn refuse(&mut self, reason: impl std::fmt::Display) {
        (self.error, self.takes_focus) = (Some(reason.to_string()), true);
    }

    /// The answer with the typed file. A picture's file has an ending that the hint names.
    fn file(&mut self) -> PathAnswer {
        let file = PathBuf::from(self.name.trim());
        if file.as_os_str().is_empty() {
            return PathAnswer::Pending;
        }
        let format = FileFormat::from_path(&file);
        if self.purpose.is_picture() && !picture_formats().any(|row| Some(row.format) == format) {
            self.refuse(format!("{}: the name must end otherwise", file.display()));
            return PathAnswer::Pending;
        }
        self.asked = self.purpose.opens().then(|| file.clone());
        PathAnswer::Chosen(ExportTarget { file, times: self.times })
    }

    fn browse(&mut self, ctx: &egui::Context) {
        let (sender, chosen) = channel();
        let path = Path::new(&self.name);
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
