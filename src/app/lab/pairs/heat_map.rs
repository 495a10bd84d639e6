//! The matrix of pairs as coloured cells with numbers.

use egui::{
    Align2, Color32, CursorIcon, FontId, Rect, Role, ScrollArea, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2,
};

use crate::app::widgets::line_text::LineText;
use crate::app::widgets::theme::{Palette, SPACE, text_size};
use crate::lab::pairs::{PairMatrix, PairMeasure, UpKernel};
use crate::quality::Metrics;
use crate::sampling::Method;

/// Width of the names of rows, in points.
const NAMES: f32 = 124.0;
/// Least height and largest size of a cell, in points.
const LEAST_CELL: f32 = 14.0;
const MOST_CELL: egui::Vec2 = vec2(96.0, 26.0);

/// A pair: the kernel that reduces, and the one that enlarges.
pub(super) type Pair = (Method, UpKernel);

/// Draws the matrix of `measure`, with a ring about the pair `shown`. Returns the pair that was clicked.
pub(super) fn show(ui: &mut Ui, matrix: &PairMatrix, measure: PairMeasure, shown: Option<Pair>) -> Option<Pair> {
    let scroll = ScrollArea::vertical().auto_shrink([false, false]);
    scroll.show(ui, |ui| draw(ui, matrix, measure, shown)).inner
}

fn draw(ui: &mut Ui, matrix: &PairMatrix, measure: PairMeasure, shown: Option<Pair>) -> Option<Pair> {
    let palette = Palette::of_ui(ui);
    let (downs, ups) = (&matrix.request.downs, &matrix.request.ups);
    let font = FontId::proportional(text_size::UNIT);
    // A line of names above, and one with the conclusion below.
    let rows = downs.len() as f32 + 2.0;
    let size = vec2(ui.available_width(), ui.available_height().max(LEAST_CELL * rows));
    let (area, _) = ui.allocate_exact_size(size, Sense::hover());
    let cell = vec2((area.width() - NAMES) / ups.len() as f32, area.height() / rows).min(MOST_CELL);
    let painter = ui.painter().with_clip_rect(area);
    let corner = area.min + vec2(NAMES, cell.y);
    painter.text(
        pos2(corner.x - SPACE, corner.y - 0.5 * cell.y),
        Align2::RIGHT_CENTER,
        "reduced ↓  enlarged →",
        font.clone(),
        palette.faint,
    );
    for (place, up) in ups.iter().enumerate() {
        let middle = corner + vec2((place as f32 + 0.5) * cell.x, -0.5 * cell.y);
        let name = if up.prefilter { format!("{} +pre", up.method.label()) } else { up.method.label().into_owned() };
        // Names of neighbours are apart.
        let name = LineText::regular(&name, text_size::UNIT).within(&painter, cell.x - SPACE);
        name.paint(&painter, middle - vec2(0.5 * name.width(), 0.0), palette.weak);
    }
    let range = matrix.range(measure);
    let best = matrix.best(measure);
    let mut clicked = None;
    for (row, down) in downs.iter().enumerate() {
        let middle = pos2(corner.x - SPACE, corner.y + (row as f32 + 0.5) * cell.y);
        painter.text(middle, Align2::RIGHT_CENTER, down.label(), font.clone(), palette.weak);
        for (column, up) in ups.iter().enumerate() {
            let min = corner + vec2(column as f32 * cell.x, row as f32 * cell.y);
            let rect = Rect::from_min_size(min, cell).shrink(0.5);
            let metrics = matrix.cell(row, column);
            let fill = fill(&palette, measure.of(metrics), range);
            painter.rect_filled(rect, 2.0, fill);
            painter.text(rect.center(), Align2::CENTER_CENTER, measure.text(metrics), font.clone(), palette.text);
            let is_best = best == Some([row, column]);
            if is_best {
                painter.rect_stroke(rect, 2.0, Stroke::new(1.5, palette.text), StrokeKind::Inside);
            }
            if shown == Some((*down, *up)) {
                painter.rect_stroke(rect, 2.0, Stroke::new(1.5, palette.accent), StrokeKind::Inside);
            }
            let response = ui.interact(rect, ui.scope_id().with(("pair", row, column)), Sense::click());
            let name = format!("Reduced with {}, enlarged with {}", down.label(), up.label());
            response
                .widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{name}: {}", measure.text(metrics))));
            if response.clicked() {
                clicked = Some((*down, *up));
            }
            response.on_hover_cursor(CursorIcon::PointingHand).on_hover_text(tip(&name, metrics));
        }
    }
    let below = corner + vec2(-NAMES, (downs.len() as f32 + 0.5) * cell.y);
    painter.text(below, Align2::LEFT_CENTER, matrix.conclusion(measure), font, palette.text);
    clicked
}

/// The colour of a value: the larger, the stronger.
fn fill(palette: &Palette, value: Option<f64>, range: Option<[f64; 2]>) -> Color32 {
    let (Some(value), Some([least, most])) = (value, range) else { return palette.field };
    let share = if most > least { ((value - least) / (most - least)).clamp(0.0, 1.0) } else { 1.0 };
    palette.accent.gamma_multiply(0.04 + 0.46 * share as f32)
}

/// All numbers of a pair.
fn tip(name: &str, metrics: &Metrics) -> String {
    let [psnr, ssim] = [PairMeasure::Psnr, PairMeasure::Ssim].map(|measure| measure.text(metrics));
    format!(
        "{name}\nPSNR {psnr} dB · RMS {:.6} · max {:.6} · SSIM {ssim}\nClick opens the reduced image, enlarged so",
        metrics.rms, metrics.max
    )
}
