//! The dialog of the synthetic images: one thumbnail for each formula, and the size of the image.

use std::path::PathBuf;

use egui::{
    Align2, Color32, ColorImage, Grid, Pos2, Rect, RichText, Role, Sense, Stroke, StrokeKind, TextStyle, TextureHandle,
    TextureOptions, Ui, WidgetInfo, pos2, vec2,
};

use super::modal;
use crate::app::widgets::limits::Limits;
use crate::app::widgets::number::{NumberField, add_number};
use crate::app::widgets::theme::{Palette, SPACE, with_scroll_bar};
use crate::app::widgets::toggle::choice;
use crate::complex::{COMPLEX_SOURCES, ComplexFormula, ComplexSource, Component};
use crate::grid::{VOLUMES, Volume, VolumeFormula};
use crate::image::synth::SYNTHS;
use crate::image::{Formula, Size, Synth};
use crate::text::capitalized;

/// Side of a thumbnail, in samples and in points.
const SIDE: u32 = 112;
/// Thumbnails of a row.
const COLUMNS: usize = 4;
/// Width of the scroll bar with its distance from the pictures, in points.
const SCROLL_BAR: f32 = 4.0 * SPACE;
/// Sides of the square images that the dialog offers, in samples.
const SIDES: [u32; 6] = [64, 128, 256, 512, 1024, 4096];
/// Widths and heights.
const SIDE_LIMITS: Limits = Limits::whole(1.0, 65_536.0);
/// Side of a volume, in samples: few enough that methods differ plainly.
const VOLUME_SIDE: u32 = 64;

/// Result of a frame.
#[derive(Debug, PartialEq)]
pub(super) enum TestPictureAnswer {
    /// The user has not answered yet.
    Pending,
    /// The user closed the dialog.
    Cancelled,
    /// The user chose the formula of this name.
    Chosen(PathBuf),
}

/// The dialog.
pub(super) struct TestPictures {
    width: u32,
    height: u32,
    /// One for each of [`SYNTHS`].
    thumbnails: Vec<(Synth, TextureHandle)>,
    /// One for each of [`VOLUMES`]: its middle axial slice.
    volumes: Vec<(Volume, TextureHandle)>,
    /// One for each of [`COMPLEX_SOURCES`]: its domain colouring.
    complex: Vec<(ComplexSource, TextureHandle)>,
}

impl std::fmt::Debug for TestPictures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TestPictures").field("width", &self.width).field("height", &self.height).finish_non_exhaustive()
    }
}

impl TestPictures {
    /// A dialog with the size 512 × 512.
    pub(super) fn new(ctx: &egui::Context) -> Self {
        let thumbnail = |synth: Synth| {
            let formula = Size::new(SIDE, SIDE).ok().and_then(|size| Formula::new(synth, size).ok())?;
            let colour = |place: u32| {
                let [r, g, b] = formula
                    .colour(f64::from(place % SIDE), f64::from(place / SIDE))
                    .map(|value| (value.clamp(0.0, 1.0) * 255.0).round() as u8);
                Color32::from_rgb(r, g, b)
            };
            let image = ColorImage::new([SIDE as usize; 2], (0..SIDE * SIDE).map(colour).collect());
            Some((synth, ctx.load_texture(synth.name(), image, TextureOptions::LINEAR)))
        };
        let thumbnails = SYNTHS.iter().filter_map(|row| thumbnail(row.synth)).collect();
        let slice = |volume: Volume| {
            let formula = VolumeFormula::new(volume, [SIDE; 3]).ok()?;
            let middle = f64::from(SIDE - 1) / 2.0;
            let grey = |place: u32| {
                let value = formula.value([f64::from(place % SIDE), f64::from(place / SIDE), middle], 0.0);
                Color32::from_gray((value.clamp(0.0, 1.0) * 255.0).round() as u8)
            };
            let image = ColorImage::new([SIDE as usize; 2], (0..SIDE * SIDE).map(grey).collect());
            Some((volume, ctx.load_texture(volume.row().name, image, TextureOptions::LINEAR)))
        };
        let volumes = VOLUMES.iter().filter_map(|row| slice(row.volume)).collect();
        let colours = |source: ComplexSource| {
            let formula = ComplexFormula::new(source, Size::new(SIDE, SIDE).ok()?).ok()?;
            let colour = |place: u32| {
                let number = formula.value([f64::from(place % SIDE), f64::from(place / SIDE)]);
                let [r, g, b] = Component::Domain.values(number, 1.0).map(|value| (value * 255.0).round() as u8);
                Color32::from_rgb(r, g, b)
            };
            let image = ColorImage::new([SIDE as usize; 2], (0..SIDE * SIDE).map(colour).collect());
            Some((source, ctx.load_texture(source.row().name, image, TextureOptions::LINEAR)))
        };
        let complex = COMPLEX_SOURCES.iter().filter_map(|row| colours(row.source)).collect();
        Self { width: 512, height: 512, thumbnails, volumes, complex }
    }

    /// Draws the dialog.
    pub(super) fn show(&mut self, ui: &Ui) -> TestPictureAnswer {
        let modal = modal::modal(ui, egui::Id::unique("test pictures")).show(ui, |ui| {
            ui.set_width((SIDE as f32 + 3.0 * SPACE) * COLUMNS as f32 + SCROLL_BAR);
            let is_closed = modal::title(ui, "Test pictures");
            let answer = self.contents(ui);
            if is_closed { TestPictureAnswer::Cancelled } else { answer }
        });
        if modal.inner == TestPictureAnswer::Pending && modal.should_close() {
            TestPictureAnswer::Cancelled
        } else {
            modal.inner
        }
    }

    fn contents(&mut self, ui: &mut Ui) -> TestPictureAnswer {
        self.sizes(ui);
        ui.add_space(3.0 * SPACE);
        let formula = |synth| Size::new(self.width, self.height).ok().and_then(|size| Formula::new(synth, size).ok());
        let mut answer = TestPictureAnswer::Pending;
        let height = (ui.content_rect().height() - 240.0).max(120.0);
        // Without the least height the dialog would grow by a few points in each frame after it opens.
        with_scroll_bar(ui, Palette::of_ui(ui));
        egui::ScrollArea::vertical().max_height(height).min_scrolled_height(height).show(ui, |ui| {
            Grid::new("pictures").spacing([3.0 * SPACE, 3.0 * SPACE]).show(ui, |ui| {
                for (place, (synth, texture)) in self.thumbnails.iter().enumerate() {
                    let formula = formula(*synth);
                    let row = synth.row();
                    if picture(ui, (row.title, row.help), texture, formula.is_some())
                        && let Some(formula) = formula
                    {
                        answer = TestPictureAnswer::Chosen(formula.to_string().into());
                    }
                    if place % COLUMNS == COLUMNS - 1 {
                        ui.end_row();
                    }
                }
                for (place, (volume, texture)) in self.volumes.iter().enumerate() {
                    let row = volume.row();
                    let help = format!("{}; a volume of {VOLUME_SIDE}³ samples", row.help);
                    if picture(ui, (row.title, &help), texture, true)
                        && let Ok(formula) = VolumeFormula::new(*volume, [VOLUME_SIDE; 3])
                    {
                        answer = TestPictureAnswer::Chosen(formula.to_string().into());
                    }
                    if (self.thumbnails.len() + place) % COLUMNS == COLUMNS - 1 {
                        ui.end_row();
                    }
                }
                for (place, (source, texture)) in self.complex.iter().enumerate() {
                    let row = source.row();
                    let help = format!("Complex numbers: {}", row.help);
                    let size = Size::new(self.width, self.height).ok();
                    let formula = size.and_then(|size| ComplexFormula::new(*source, size).ok());
                    if picture(ui, (row.title, &help), texture, formula.is_some())
                        && let Some(formula) = formula
                    {
                        answer = TestPictureAnswer::Chosen(formula.to_string().into());
                    }
                    if (self.thumbnails.len() + self.volumes.len() + place) % COLUMNS == COLUMNS - 1 {
                        ui.end_row();
                    }
                }
            });
        });
        answer
    }

    /// Draws the choice of the size.
    fn sizes(&mut self, ui: &mut Ui) {
        ui.horizontal(|ui| {
            for side in SIDES {
                let is_chosen = [self.width, self.height] == [side; 2];
                let name = format!("{side}²");
                let choice = choice(ui, (&name, true), is_chosen);
                if choice.on_hover_text(format!("{side} × {side} samples")).clicked() {
                    [self.width, self.height] = [side; 2];
                }
            }
            ui.add_space(SPACE);
            ui.label("Size");
            let sides = [(&mut self.width, "Width"), (&mut self.height, "Height")];
            for (place, (side, name)) in sides.into_iter().enumerate() {
                if place > 0 {
                    ui.label("×");
                }
                let help = format!("{name} of the image, in samples");
                let wanted = NumberField { name, help: &help, unit: "samples", speed: 1.0, limits: SIDE_LIMITS };
                let mut number = f64::from(*side);
                add_number(ui, &mut number, &wanted, |drag| drag).on_hover_text(&help);
                *side = number as u32;
            }
        });
        let size = Size::new(self.width, self.height);
        if size.is_ok_and(|size| Formula::new(Synth::ZonePlate, size).is_err()) {
            let text = format!("More than {} samples", Formula::MAX_SAMPLES);
            ui.label(RichText::new(text).color(Palette::of_ui(ui).error));
        }
    }
}

/// Draws a thumbnail with its name. Returns whether it was clicked.
fn picture(ui: &mut Ui, (title, help): (&str, &str), texture: &TextureHandle, is_possible: bool) -> bool {
    let palette = Palette::of_ui(ui);
    let side = SIDE as f32;
    let sense = if is_possible { Sense::click() } else { Sense::hover() };
    let (rect, response) = ui.allocate_exact_size(vec2(side, side + 22.0), sense);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, is_possible, title));
    let picture = Rect::from_min_size(rect.min, vec2(side, side));
    let tint = if is_possible { Color32::WHITE } else { Color32::from_gray(90) };
    ui.painter().image(texture.id(), picture, Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0)), tint);
    let is_marked = is_possible && (response.hovered() || response.has_focus());
    let stroke = if is_marked { Stroke::new(2.0, palette.accent) } else { Stroke::new(1.0, palette.line) };
    ui.painter().rect_stroke(picture, 0.0, stroke, StrokeKind::Outside);
    let font = TextStyle::Body.resolve(ui.style());
    let at = pos2(picture.center().x, picture.bottom() + 0.5 * (rect.bottom() - picture.bottom()) + 1.0);
    ui.painter().text(at, Align2::CENTER_CENTER, title, font, palette.text);
    response.on_hover_text(capitalized(help)).clicked()
}
