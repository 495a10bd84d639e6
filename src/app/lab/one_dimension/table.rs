//! The column beside the curves: their names, the table at the points, the samples as numbers.

use egui::{Align, Grid, Layout, RichText, ScrollArea, Ui, vec2};

use super::made::Made;
use crate::app::lab::chart_legend;
use crate::app::lab::chart_view::EntryStyle;
use crate::app::session::Session;
use crate::app::session::one_dimension::LineState;
use crate::app::widgets::limits::Limits;
use crate::app::widgets::number::{NumberField, add_number};
use crate::app::widgets::symbol::{Symbol, SymbolButton};
use crate::app::widgets::theme::{Palette, SPACE, text_size, with_scroll_bar};
use crate::app::widgets::toggle::Toggle;
use crate::lab::one_dimension::{Signal, ValueRow};
use crate::sampling::AddressMode;

/// Head of the column of a program without a texture.
const MANUAL: &str = "manual";
/// Height of a value, in points.
const ROW: f32 = 14.0;
/// Size of a number field, in points.
const FIELD: egui::Vec2 = vec2(58.0, 19.0);
/// Width of a column of values, in points.
const CELL: f32 = 58.0;
/// Change of a number for each point of dragging its field.
const SPEED: f64 = 0.01;
/// Values of samples.
const VALUES: Limits = Limits::real(-Signal::MAX_VALUE, Signal::MAX_VALUE);

/// Draws the column.
pub(super) fn show(ui: &mut Ui, session: &mut Session, made: &Made, styles: &[EntryStyle]) {
    // The bar says that the table has more rows than the drawer shows; the fields keep their style.
    let style = ui.style().clone();
    with_scroll_bar(ui, Palette::of_ui(ui));
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        ui.set_style(style);
        ui.spacing_mut().item_spacing = vec2(SPACE, 0.5 * SPACE);
        ui.spacing_mut().interact_size.y = FIELD.y;
        // The last entry has the samples, which are the handles.
        chart_legend::names(ui, &made.chart, styles.split_last().map_or(&[], |(_, curves)| curves));
        let is_of_lesson = session.is_of_lesson();
        if !is_of_lesson {
            note(ui, made.chart.conclusion.as_deref());
        }
        let state = &mut session.inspect.state.one_dimension;
        // A lesson compares address modes: a program that always clamps has other values.
        let has_manual = !is_of_lesson || state.signal.address == AddressMode::Clamp;
        if !is_of_lesson || !state.points.is_empty() {
            points(ui, state, made, has_manual);
        }
        ui.add_space(SPACE);
        samples(ui, state, made);
    });
}

fn weak(ui: &Ui, text: impl Into<String>) -> RichText {
    RichText::new(text).size(text_size::UNIT).color(Palette::of_ui(ui).weak)
}

fn note(ui: &mut Ui, text: Option<&str>) {
    let Some(text) = text else { return };
    let text = RichText::new(text).size(text_size::UNIT).color(Palette::of_ui(ui).text);
    ui.add(egui::Label::new(text).wrap());
}

/// The table: position, argument, and the values of the focused panel's method at each point, by a program that clamps if
/// `has_manual`.
fn points(ui: &mut Ui, state: &mut LineState, made: &Made, has_manual: bool) {
    let title = weak(ui, format!("Values of {}", made.focused_label()));
    let tip = "The method of the focused panel. Texture: fractions in steps of 1/256, as the texture unit has them. Manual: a \
               program without a texture, in single precision, with the edge sample beyond both edges";
    ui.label(title).on_hover_text(tip);
    let rows: Vec<ValueRow> = made.table.methods.iter().flat_map(|(_, rows)| rows.iter().copied()).collect();
    Grid::new("values at points").num_columns(5).min_row_height(ROW).spacing(vec2(SPACE, 1.0)).show(ui, |ui| {
        let heads = [
            ("x", "The position in samples"),
            ("x + ½", "What the texture unit is asked for: it counts from the edge of the first texel"),
            ("texture", "What it returns, from fractions in steps of 1/256"),
            (MANUAL, "What a program without a texture computes: single precision, clamped"),
            ("exact", "The value in double precision"),
        ];
        for (head, tip) in heads.into_iter().filter(|(head, _)| has_manual || *head != MANUAL) {
            let text = weak(ui, head);
            cell(ui, text).on_hover_text(tip);
        }
        ui.end_row();
        for (index, row) in rows.iter().enumerate() {
            let name = format!("Position of point {}", index + 1);
            let [from, to] = state.range();
            if let Some(x) = number(ui, &name, Limits::real(from, to), row.x) {
                state.set_point(index, x);
            }
            let palette = Palette::of_ui(ui);
            let text = |value: String| RichText::new(value).size(text_size::VALUE).color(palette.text);
            let argument = weak(ui, decimals(row.argument, 3)).size(text_size::VALUE);
            cell(ui, argument);
            match row.texture {
                Some(texture) if decimals(texture, 6) != decimals(row.exact, 6) => {
                    let tip = format!("Off by {:+.7}", texture - row.exact).replace('-', "−");
                    cell(ui, text(decimals(texture, 6)).color(palette.accent)).on_hover_text(tip);
                }
                Some(texture) => {
                    cell(ui, text(decimals(texture, 6)));
                }
                None => {
                    cell(ui, text("–".to_owned())).on_hover_text("The texture unit does not serve this method");
                }
            }
            if has_manual {
                cell(ui, text(decimals(row.manual, 6)));
            }
            cell(ui, text(decimals(row.exact, 6)));
            ui.end_row();
        }
    });
    ui.horizontal(|ui| {
        let less = SymbolButton { symbol: Symbol::Minus, name: "Remove a point", tip: "Removes the last point" };
        if less.show(ui, false).clicked() {
            state.remove_point();
        }
        let more = SymbolButton { symbol: Symbol::Plus, name: "Add a point", tip: "Adds a point in the widest gap" };
        if more.show(ui, false).clicked() {
            state.add_point();
        }
        let slopes = Toggle {
            text: "Slopes",
            name: "Slopes at the points",
            tip: "The slope of each curve at each point, and the straight line between the samples beside it",
        };
        if slopes.show(ui, state.has_slopes).clicked() {
            state.has_slopes = !state.has_slopes;
        }
    });
}

/// The samples as numbers, and the constant beyond the edges where there is one.
fn samples(ui: &mut Ui, state: &mut LineState, made: &Made) {
    let title = weak(ui, "Samples");
    ui.label(title);
    // As many fields in a row as fit.
    let in_row = (((ui.available_width() + SPACE) / (FIELD.x + SPACE)) as usize).max(1);
    let fields: Vec<(usize, f64)> = made.state().signal.samples().iter().copied().enumerate().collect();
    for row in fields.chunks(in_row) {
        ui.horizontal(|ui| {
            for &(k, sample) in row {
                let name = format!("Value of sample {k}");
                if let Some(value) = number(ui, &name, VALUES, sample) {
                    state.set_sample(k, value);
                }
            }
        });
    }
    if state.signal.address == AddressMode::Border {
        ui.horizontal(|ui| {
            let text = weak(ui, "Beyond the edges");
            ui.label(text);
            if let Some(value) = number(ui, "Value beyond the edges", VALUES, state.signal.border) {
                state.set_border(value);
            }
        });
    }
}

/// A narrow number field. Returns the new value if it was changed.
fn number(ui: &mut Ui, name: &str, limits: Limits, value: f64) -> Option<f64> {
    let mut edited = value;
    let wanted = NumberField { name, help: "", unit: "", speed: SPEED, limits };
    let response = add_number(ui, &mut edited, &wanted, |drag| drag.min_size(FIELD).clip_text(true));
    response.on_hover_text(format!("{name}: drag, or click to type"));
    (edited != value).then_some(edited)
}

fn cell(ui: &mut Ui, text: RichText) -> egui::Response {
    let size = vec2(CELL, ROW);
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        ui.set_min_width(CELL);
        ui.label(text)
    })
    .inner
}

/// At most `count` decimals, with a true minus sign.
fn decimals(value: f64, count: usize) -> String {
    let text = format!("{value:.count$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.replace('-', "−") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_at_most_six_decimals_and_no_zeros_behind() {
        let texts = [0.120_312_502, 0.3, -0.0, -1e-9, -0.25, 12.0].map(|value| decimals(value, 6));
        assert_eq!(texts, ["0.120313", "0.3", "0", "0", "−0.25", "12"]);
    }
}
