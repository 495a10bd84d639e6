//! A file to write or to open, by its name: typed, or chosen in the desktop's dialog where there is one.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};

use egui::{Frame, Key, Margin, Modal, Role, Ui, WidgetInfo};

use crate::app::widgets::theme::{Palette, SPACE};
use crate::image::Size;

/// What a file is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum Purpose {
    /// The focused panel.
    SavePanel,
    /// All visible panels as one figure.
    SaveFigure,
    /// The session.
    SaveSession,
    /// A session.
    OpenSession,
}

impl Purpose {
    fn title(self) -> &'static str {
        match self {
            Self::SavePanel => "Save panel",
            Self::SaveFigure => "Save figure",
            Self::SaveSession => "Save session",
            Self::OpenSession => "Open session",
        }
    }

    fn is_picture(self) -> bool {
        matches!(self, Self::SavePanel | Self::SaveFigure)
    }

    fn hint(self) -> &'static str {
        if self.is_picture() { "Ends in .png, or in .pgm where it is grey" } else { "Ends in .toml" }
    }
}

/// What came of the dialog in a frame.
#[derive(Debug, PartialEq)]
pub(super) enum Answer {
    /// Nothing yet.
    NotYet,
    /// It is to be closed.
    Left,
    /// This file, at so many times its size.
    File(PathBuf, u32),
}

/// The dialog.
#[derive(Debug)]
pub(super) struct PathDialog {
    /// What the file is wanted for.
    pub(super) purpose: Purpose,
    name: String,
    times: u32,
    /// One panel's size.
    size: Size,
    chosen: Option<Receiver<Option<PathBuf>>>,
    is_new: bool,
}

/// The sizes that are offered.
const TIMES: [u32; 5] = [1, 2, 3, 4, 8];

impl PathDialog {
    /// A dialog that begins with the file `path`; a panel has `size` pixels.
    pub(super) fn new(purpose: Purpose, path: &Path, size: Size) -> Self {
        Self { purpose, name: path.display().to_string(), times: 1, size, chosen: None, is_new: true }
    }

    /// Draws it.
    pub(super) fn show(&mut self, ui: &Ui) -> Answer {
        self.take_chosen();
        let frame = Frame::popup(ui.style()).inner_margin(Margin::same(20));
        let modal = Modal::new(egui::Id::unique("path dialog")).frame(frame).show(ui, |ui| {
            ui.set_width(520.0_f32.min(ui.content_rect().width() - 64.0));
            self.contents(ui)
        });
        if modal.inner == Answer::NotYet && modal.should_close() { Answer::Left } else { modal.inner }
    }

    fn take_chosen(&mut self) {
        let Some(answer) = self.chosen.as_ref().and_then(|chosen| chosen.try_recv().ok()) else {
            return;
        };
        self.chosen = None;
        if let Some(path) = answer {
            self.name = path.display().to_string();
        }
    }

    fn contents(&mut self, ui: &mut Ui) -> Answer {
        let palette = Palette::of_ui(ui);
        ui.heading(self.purpose.title());
        ui.add_space(2.0 * SPACE);
        let mut answer = Answer::NotYet;
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
            if std::mem::take(&mut self.is_new) {
                response.request_focus();
            }
            if response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
                answer = self.file();
            }
            let browse = egui::Button::new("Browse…").min_size(egui::vec2(76.0, 0.0));
            let tip = "Choose the file in the desktop's dialog";
            if ui.add_enabled(self.chosen.is_none(), browse).on_hover_text(tip).clicked() {
                self.browse(ui);
            }
        });
        ui.label(egui::RichText::new(self.purpose.hint()).size(11.5).color(palette.weak));
        if self.purpose.is_picture() {
            ui.add_space(SPACE);
            self.sizes(ui);
        }
        ui.add_space(3.0 * SPACE);
        let exists = self.purpose != Purpose::OpenSession && Path::new(&self.name).exists();
        let act = match (self.purpose, exists) {
            (Purpose::OpenSession, _) => "Open",
            (_, true) => "Replace",
            (_, false) => "Save",
        };
        ui.horizontal(|ui| {
            let can = !self.name.trim().is_empty();
            if ui.add_enabled(can, egui::Button::new(act)).on_hover_text(self.purpose.title()).clicked() {
                answer = self.file();
            }
            if ui.button("Cancel").on_hover_text("Leaves everything as it is  (Esc)").clicked() {
                answer = Answer::Left;
            }
            if exists {
                ui.label(egui::RichText::new("The file exists already").color(palette.weak));
            }
        });
        answer
    }

    /// How many times larger than on the screen.
    fn sizes(&mut self, ui: &mut Ui) {
        ui.horizontal(|ui| {
            ui.label("Size");
            for times in TIMES {
                let name = if times == 1 { "As seen".to_owned() } else { format!("{times}×") };
                let choice = ui.selectable_label(self.times == times, &name);
                let is_chosen = self.times == times;
                choice.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, is_chosen, &name));
                if choice.on_hover_text("Interpolates anew at this many times the panel's size").clicked() {
                    self.times = times;
                }
            }
            let [width, height] =
                [self.size.width(), self.size.height()].map(|side| u64::from(side) * u64::from(self.times));
            let each = if self.purpose == Purpose::SaveFigure { " each" } else { "" };
            let text = format!("{width} × {height} pixels{each}");
            ui.label(egui::RichText::new(text).color(Palette::of_ui(ui).weak));
        });
    }

    fn file(&self) -> Answer {
        let name = self.name.trim();
        if name.is_empty() { Answer::NotYet } else { Answer::File(PathBuf::from(name), self.times) }
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
        let opens = self.purpose == Purpose::OpenSession;
        let answer: std::pin::Pin<Box<dyn Future<Output = Option<rfd::FileHandle>> + Send>> =
            if opens { Box::pin(dialog.pick_file()) } else { Box::pin(dialog.save_file()) };
        let ctx = ctx.clone();
        std::thread::spawn(move || {
            let path = pollster::block_on(answer).map(|file| file.path().to_owned());
            // The dialog may be closed by now.
            drop(sender.send(path));
            ctx.request_repaint();
        });
        self.chosen = Some(chosen);
    }
}
