//! The sum of a footprint as text: the step's formulas, the rows with their weights, the total and what is shown.

use egui::{Color32, Grid, Label, RichText, ScrollArea, Stroke, Ui, UiBuilder, vec2};

use crate::app::widgets::theme::{Palette, SPACE, text_size};
use crate::lab::footprint::{Explained, Notation, StepKind};

/// Largest number of rows of the sum that are listed; of more the middle is left out.
const MOST_ROWS: usize = 16;

/// Width from which on the weights of the rows have a column, in points.
const LEAST_WITH_WEIGHTS: f32 = 600.0;
/// Height of the line of the sum, in points.
const SUM: f32 = 20.0;

/// Draws the formulas of `step` and the sum of `channel`, or of all channels. The total is always in sight. Returns the width of all
/// of them, in points.
pub(super) fn show(ui: &mut Ui, explained: &Explained<'_>, step: StepKind, channel: Option<usize>) -> f32 {
    let names = explained.footprint.channels.names();
    let channels = match channel {
        Some(channel) => vec![channel.min(names.len() - 1)],
        None => (0..names.len()).collect(),
    };
    let palette = Palette::of_ui(ui);
    let area = ui.available_rect_before_wrap();
    let edge = area.bottom() - SUM;
    ui.painter().hline(area.x_range(), edge, Stroke::new(1.0, palette.line));
    let mut below = ui.new_child(UiBuilder::new().max_rect(area.with_min_y(edge + 0.5 * SPACE)));
    let totals = sums(&mut below, explained, (&channels, step));
    let mut above = ui.new_child(UiBuilder::new().max_rect(area.with_max_y(edge)));
    let area = ScrollArea::both().id_salt("arithmetic").auto_shrink([false, false]);
    let shown = area.show(&mut above, |ui| {
        ui.spacing_mut().item_spacing = vec2(2.0 * SPACE, 0.5 * SPACE);
        let lines = ui.scope(|ui| {
            if !matches!(step, StepKind::Rows | StepKind::Sum) {
                for line in explained.lines(step, channel) {
                    text(ui, mono(&line, palette.text));
                }
                ui.add_space(0.5 * SPACE);
            }
            let is_alone = channels.len() == 1;
            for channel in channels {
                if !is_alone {
                    text(ui, RichText::new(names[channel]).size(text_size::VALUE).color(palette.weak).strong());
                }
                table(ui, explained, (channel, step));
            }
        });
        lines.response.rect.width()
    });
    shown.inner.max(totals).ceil()
}

fn text(ui: &mut Ui, text: RichText) {
    ui.add(Label::new(text).extend());
}

fn mono(text: &str, colour: Color32) -> RichText {
    RichText::new(text).monospace().size(text_size::VALUE).color(colour)
}

/// The rows of the sum with their weights, and below them the total.
fn table(ui: &mut Ui, explained: &Explained<'_>, (channel, step): (usize, StepKind)) {
    let palette = Palette::of_ui(ui);
    let footprint = explained.footprint;
    let rows = &footprint.axes[1].taps;
    let has_weights = ui.available_width() >= LEAST_WITH_WEIGHTS;
    let emphasis = |is_now: bool| if is_now { palette.accent } else { palette.text };
    Grid::new(("sum", channel)).num_columns(4).spacing(vec2(2.0 * SPACE, 0.25 * SPACE)).min_row_height(14.0).show(
        ui,
        |ui| {
            let half = MOST_ROWS / 2;
            for (row, tap) in rows.iter().enumerate() {
                if rows.len() > MOST_ROWS && (half..rows.len() - half).contains(&row) {
                    if row == half {
                        text(ui, mono(&format!("{} more rows", rows.len() - MOST_ROWS), palette.weak));
                        ui.end_row();
                    }
                    continue;
                }
                text(ui, mono(&format!("row {}", Notation::plain(tap.index as f64)), palette.weak));
                if has_weights {
                    text(ui, mono(&format!("w_y = {}", Notation::weight(tap.weight)), palette.weak));
                }
                let terms = format!("{} × ({})", Notation::short_weight(tap.weight), explained.row_terms(row, channel));
                text(ui, mono(&terms, emphasis(step == StepKind::Rows)));
                let part = tap.weight * footprint.rows[row][channel];
                let part = format!("= {}", explained.notation.signed_sum(part));
                text(ui, mono(&part, emphasis(step == StepKind::Sum)).strong());
                ui.end_row();
            }
        },
    );
}

/// The totals, and what is shown of them. Returns the width of both, in points.
fn sums(ui: &mut Ui, explained: &Explained<'_>, (channels, step): (&[usize], StepKind)) -> f32 {
    let palette = Palette::of_ui(ui);
    let footprint = explained.footprint;
    let names = footprint.channels.names();
    let colour = |is_now: bool, usual: Color32| if is_now { palette.accent } else { usual };
    ui.horizontal(|ui| {
        ui.shrink_clip_rect(ui.max_rect());
        for &channel in channels {
            let name =
                if names.len() == 1 { "sum".to_owned() } else { format!("sum of {}", names[channel].to_lowercase()) };
            let total = explained.notation.sum(footprint.total[channel]);
            let now = colour(step == StepKind::Sum, palette.text);
            text(ui, mono(&format!("{name} {total}"), now).strong());
            let display = explained.lines(StepKind::Display, Some(channel));
            if let Some(last) = display.last().filter(|_| explained.shown.is_some()) {
                let shown = last.strip_prefix(&total).unwrap_or(last).trim_start();
                let shown = if channels.len() > 1 { shown.replace("→ rounded ", "→ ") } else { shown.to_owned() };
                text(ui, mono(&shown, colour(step == StepKind::Display, palette.weak)));
            }
            ui.add_space(2.0 * SPACE);
        }
        let width = ui.min_rect().width();
        if let [_] = channels {
            let [columns, rows] = footprint.axes.each_ref().map(|axis| axis.taps.len());
            let what = if footprint.has_coefficients { "coefficients" } else { "taps" };
            text(ui, mono(&format!("· {what} {columns} × {rows}"), palette.weak));
        }
        width
    })
    .inner
}
