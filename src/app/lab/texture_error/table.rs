//! Table 1: the rows of the pictures, and the document's.

use egui::{Align, Grid, Label, Layout, Response, RichText, ScrollArea, Ui, vec2};

use crate::app::widgets::theme::{Palette, SPACE, text_size};
use crate::lab::texture_error::{DOCUMENT_TABLE, TableOne, scientific};
use crate::text::shortened;

/// Width of the table, and the least width of the chart beside it, in points.
pub(super) const WIDTH: f32 = 540.0;
pub(super) const LEAST_CHART: f32 = 240.0;
/// Widths of the columns and height of a row, in points.
const NAME: f32 = 110.0;
const PATH: f32 = 80.0;
const NUMBER: f32 = 70.0;
const ROW: f32 = 14.0;

/// Draws the table and what follows from it.
pub(super) fn show(ui: &mut Ui, table: &TableOne) {
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        ui.spacing_mut().item_spacing = vec2(SPACE, 0.5 * SPACE);
        let palette = Palette::of_ui(ui);
        let weak = |text: &str| RichText::new(text).size(text_size::UNIT).color(palette.weak);
        let strong = |text: String| RichText::new(text).size(text_size::VALUE).color(palette.text);
        Grid::new("table 1").num_columns(6).min_row_height(ROW).spacing(vec2(SPACE, 0.0)).show(ui, |ui| {
            let heads = [
                (
                    "picture",
                    "A view of 512 × 512 pixels about the middle of the picture, enlarged by the cubic B-spline",
                ),
                ("weights", "From the look-up table of 128 entries (filtered-table), or on the fly (filtered)"),
                ("RMS", "Root of the mean squared error against double precision, samples from 0 to 1"),
                ("largest", "Largest error"),
                ("contrast", "Root of the mean squared difference of neighbouring samples"),
                (
                    "RMS/contrast",
                    "The error of a picture whose neighbouring samples differ by 1: it does not depend on the picture",
                ),
            ];
            for ((text, tip), width) in heads.into_iter().zip([NAME, PATH, NUMBER, NUMBER, NUMBER, NUMBER]) {
                cell(ui, weak(text), width).on_hover_text(tip);
            }
            ui.end_row();
            for row in &table.rows {
                let quotient = row.rms_by_contrast().map_or_else(|| "–".to_owned(), scientific);
                let numbers = [scientific(row.rms), scientific(row.max), format!("{:.4}", row.contrast), quotient];
                cell(ui, weak(&shortened(&row.picture)), NAME).on_hover_text(&row.picture);
                cell(ui, strong(row.path.to_string()), PATH);
                for number in numbers {
                    cell(ui, strong(number), NUMBER);
                }
                ui.end_row();
            }
            for (path, rms) in DOCUMENT_TABLE {
                cell(ui, weak("document 002"), NAME).on_hover_text("Its table 1, of a picture that it does not show");
                cell(ui, weak(&path.to_string()), PATH);
                cell(ui, weak(&scientific(rms)), NUMBER);
                for _ in 0..3 {
                    cell(ui, weak("–"), NUMBER);
                }
                ui.end_row();
            }
        });
        for (text, colour) in [(table.origin.sentence().to_owned(), palette.weak), (table.conclusion(), palette.text)] {
            ui.add(Label::new(RichText::new(text).size(text_size::UNIT).color(colour)).wrap());
        }
    });
}

/// A cell: names at the left, numbers at the right.
fn cell(ui: &mut Ui, text: RichText, width: f32) -> Response {
    let layout =
        if width == NUMBER { Layout::right_to_left(Align::Center) } else { Layout::left_to_right(Align::Center) };
    ui.allocate_ui_with_layout(vec2(width, ROW), layout, |ui| {
        ui.set_min_width(width);
        ui.add(Label::new(text).truncate())
    })
    .inner
}
