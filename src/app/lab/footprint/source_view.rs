//! The source of the step on show, with its lines marked.

use egui::{Align2, FontId, Label, Rect, RichText, Role, ScrollArea, Sense, TextStyle, Ui, WidgetInfo, pos2, vec2};

use crate::app::widgets::theme::{Palette, SPACE, text_size};
use crate::backend::DeviceKernel;
use crate::lab::footprint::Excerpt;

/// Height of a line, in points.
const LINE: f32 = 15.0;
/// Width of the column of line numbers, in points.
const NUMBERS: f32 = 30.0;
/// Lines above the marked ones.
const LINES_BEFORE: usize = 2;

/// The source as it was drawn last: it scrolls to other lines once.
#[derive(Debug, Default)]
pub(super) struct SourceView {
    drawn: Option<Excerpt>,
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
        ui.style_mut().override_text_style = Some(TextStyle::Monospace);
        ui.spacing_mut().item_spacing.y = 0.0;
        let font = FontId::monospace(text_size::UNIT);
        let letter = ui.fonts_mut(|fonts| fonts.glyph_width(&font, '0'));
        let mut area = ScrollArea::both().id_salt("source").auto_shrink([false, false]);
        if self.drawn.replace(excerpt) != Some(excerpt) {
            let indent = |line: &&&str| !line.trim().is_empty();
            let least = lines[marked.clone()].iter().filter(indent).map(|line| line.len() - line.trim_start().len());
            let left = least.min().unwrap_or(0) as f32 * letter;
            // An area springs back to the limits of its last frame, which are those of another file.
            ui.spacing_mut().scroll.kinetic.rubber_band = false;
            area = area
                .vertical_scroll_offset(marked.start().saturating_sub(LINES_BEFORE) as f32 * LINE)
                .horizontal_scroll_offset(left);
        }
        let widest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0) as f32;
        let width = NUMBERS + widest * letter + 2.0 * SPACE;
        area.show_rows(ui, LINE, lines.len(), |ui, rows| {
            let (rect, response) = ui.allocate_exact_size(vec2(width, LINE * rows.len() as f32), Sense::hover());
            let label = format!("Lines {} to {}", rows.start + 1, rows.end);
            response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &label));
            // The line numbers stay in sight.
            let left = ui.clip_rect().left();
            for (place, row) in rows.enumerate() {
                let top = rect.top() + place as f32 * LINE;
                let middle = top + 0.5 * LINE;
                let is_marked = marked.contains(&row);
                let whole = Rect::from_min_max(pos2(left, top), pos2(rect.right(), top + LINE));
                if is_marked {
                    ui.painter().rect_filled(whole, 0.0, palette.accent.gamma_multiply(0.16));
                }
                let colour = if is_marked { palette.text } else { palette.weak };
                let start = pos2(rect.left() + NUMBERS + SPACE, middle);
                ui.painter().text(start, Align2::LEFT_CENTER, lines[row], font.clone(), colour);
                ui.painter().rect_filled(whole.with_max_x(left + NUMBERS), 0.0, palette.surface);
                if is_marked {
                    ui.painter().rect_filled(whole.with_max_x(left + 2.0), 0.0, palette.accent);
                }
                let number = pos2(left + NUMBERS - SPACE, middle);
                let text = (row + 1).to_string();
                ui.painter().text(number, Align2::RIGHT_CENTER, text, font.clone(), palette.faint);
            }
        });
    }
}
