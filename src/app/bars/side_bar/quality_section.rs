//! Section *Quality against cost*: the panels by falling PSNR, each with a bar and the median time of its last renders.

use egui::{Align, Label, Layout, Rect, RichText, Role, Sense, Ui, WidgetInfo, vec2};

use super::caption;
use crate::app::inspect::quality::{QualityRow, psnr_text};
use crate::app::session::Session;
use crate::app::widgets::panel_mark;
use crate::app::widgets::theme::{Palette, SPACE, text_size};
use crate::text::short;

/// Height of a bar, in points.
const BAR_HEIGHT: f32 = 5.0;
/// Width of a time, in points.
const TIME_WIDTH: f32 = 58.0;

/// Draws `rows`, the best first.
pub(super) fn show(ui: &mut Ui, session: &Session, rows: &[QualityRow]) {
    if !session.inspect.state.has_metrics {
        caption(ui, "M measures each panel against the formula of the image, or against a decimated image's original");
        return;
    }
    if rows.is_empty() {
        let has_truth = session.visible().into_iter().any(|index| session.no_truth(index).is_none());
        let none = "No panel has a truth: open a test picture, or decimate the image (File)";
        caption(ui, if has_truth { "The panels are being measured" } else { none });
        return;
    }
    let finite = rows.iter().map(|row| row.metrics.psnr_db).filter(|psnr_db| psnr_db.is_finite());
    let best = finite.fold(1.0, f64::max);
    for row in rows {
        if let Some(index) = session.index_of(row.panel) {
            show_row(ui, session, (index, row), best);
        }
    }
    caption(ui, "PSNR against the truth, and the median time of the last renders");
}

/// Draws name, PSNR and time of panel `index`, and below them its bar, which is full for a PSNR of `best`.
fn show_row(ui: &mut Ui, session: &Session, (index, row): (usize, &QualityRow), best: f64) {
    let palette = Palette::of_ui(ui);
    let name = session.panel_name(index).numbered();
    let psnr = format!("{} dB", psnr_text(row.metrics.psnr_db));
    let time = format!("{} ms", short(row.took.as_secs_f64() * 1e3, 3));
    let response = ui.horizontal(|ui| {
        panel_mark::dot(ui, index);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let weak = RichText::new(&time).size(text_size::VALUE).color(palette.weak);
            ui.allocate_ui_with_layout(
                vec2(TIME_WIDTH, ui.available_height()),
                Layout::right_to_left(Align::Center),
                |ui| ui.add(Label::new(weak).selectable(false)),
            );
            ui.add(Label::new(RichText::new(&psnr).size(text_size::VALUE).color(palette.text)).selectable(false));
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let name = RichText::new(&name).size(text_size::VALUE).color(palette.text);
                ui.add(Label::new(name).selectable(false).truncate());
            });
        });
    });
    let (rect, bar) = ui.allocate_exact_size(vec2(ui.available_width(), BAR_HEIGHT), Sense::hover());
    ui.painter().rect_filled(rect, 2.0, palette.control);
    let share = (row.metrics.psnr_db / best).clamp(0.0, 1.0) as f32;
    let filled = Rect::from_min_size(rect.min, vec2(share * rect.width(), rect.height()));
    ui.painter().rect_filled(filled, 2.0, palette.panel(index).color);
    bar.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{name}: {psnr}, {time}")));
    response.response.union(bar).on_hover_text(format!("{name}\n{psnr} in {time}"));
    ui.add_space(SPACE);
}
