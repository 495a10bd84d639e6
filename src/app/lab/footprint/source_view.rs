//! The source of the step on show, with its lines marked. Long lines are broken, so that all of a line is in sight.

use std::ops::RangeInclusive;

use egui::{Align2, FontId, Label, Rect, RichText, Role, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2};

use super::broken_lines::{Row, broken};
use crate::app::widgets::theme::{Palette, SPACE, text_size};
use crate::backend::DeviceKernel;
use crate::lab::footprint::Excerpt;

/// Height of a line, in points.
const LINE: f32 = 15.0;
/// Width of the column of line numbers, in points.
const NUMBERS: f32 = 30.0;
/// Least number of letters of a row.
const LEAST_LETTERS: usize = 16;

/// The source as it was drawn last, and the letters of a row: it scrolls to other lines once.
#[derive(Debug, Default)]
pub(super) struct SourceView {
    drawn: Option<(Excerpt, usize)>,
}

impl SourceView {
    /// Draws the file of `excerpt` into what is left of `ui`. Without a CUDA `kernel` it is the source of the CPU backend.
    pub(super) fn show(&mut self, ui: &mut Ui, excerpt: Excerpt, kernel: Option<DeviceKernel>) {
        let palette = Palette::of_ui(ui);
        let Some(marked) = excerpt.lines() else { return };
        let lines = excerpt.file.lines();
        let title = format!("{}:{}–{}", excerpt.file.row().path, marked.start() + 1, marked.end() + 1);
        let text = RichText::new(title).size(text_size::UNIT).color(palette.weak);
        let tip = match kernel {
            Some(_) if excerpt.file.row().path.ends_with(".rs") => "Made on the host for the CUDA kernel of this view",
            Some(_) => "The CUDA kernel of this view; the CPU computes the same sum",
            None => "The CPU computes this view",
        };
        ui.add(Label::new(text).truncate()).on_hover_text(tip);
        ui.spacing_mut().item_spacing.y = 0.0;
        // All lines in sight are whole.
        ui.spacing_mut().scroll.fade.strength = 0.0;
        let font = FontId::monospace(text_size::UNIT);
        let letter = ui.fonts_mut(|fonts| fonts.glyph_width(&font, '0'));
        // No line is cut at the lower edge.
        let height = (ui.available_height() / LINE).floor() * LINE;
        let room = ((ui.available_width() - NUMBERS - 3.0 * SPACE) / letter) as usize;
        let rows = broken(&lines, room.max(LEAST_LETTERS));
        let mut area = ScrollArea::vertical().id_salt("source").auto_shrink([false, false]).max_height(height);
        if self.drawn.replace((excerpt, room)) != Some((excerpt, room)) {
            // An area springs back to the limits of its last frame, which are those of another file.
            ui.spacing_mut().scroll.kinetic.rubber_band = false;
            let first = rows.iter().position(|row| row.line == *marked.start()).unwrap_or(0);
            area = area.vertical_scroll_offset(first as f32 * LINE);
        }
        area.show_rows(ui, LINE, rows.len(), |ui, shown| {
            let size = vec2(ui.available_width(), LINE * shown.len() as f32);
            let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
            let line = |row: usize| rows[row].line + 1;
            let label = format!("Lines {} to {}", line(shown.start), line(shown.end - 1));
            response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &label));
            for (place, row) in rows[shown].iter().enumerate() {
                let top = rect.top() + place as f32 * LINE;
                paint(ui, (row, &marked), Rect::from_x_y_ranges(rect.x_range(), top..=top + LINE), &font);
            }
        });
    }
}

/// Paints a row of the source into `place`: marked lines on a ground of their own, with their number where they begin.
fn paint(ui: &Ui, (row, marked): (&Row, &RangeInclusive<usize>), place: Rect, font: &FontId) {
    let palette = Palette::of_ui(ui);
    let is_marked = marked.contains(&row.line);
    if is_marked {
        ui.painter().rect_filled(place, 0.0, palette.accent.gamma_multiply(0.16));
        ui.painter().rect_filled(place.with_max_x(place.left() + 2.0), 0.0, palette.accent);
    }
    let (middle, left) = (place.center().y, place.left() + NUMBERS);
    let colour = if is_marked { palette.text } else { palette.weak };
    if row.is_first {
        let number = (row.line + 1).to_string();
        ui.painter().text(pos2(left - SPACE, middle), Align2::RIGHT_CENTER, number, font.clone(), palette.weak);
    }
    ui.painter().text(pos2(left + SPACE, middle), Align2::LEFT_CENTER, &row.text, font.clone(), colour);
}
