//! The legend of a plot: the line and the name of each panel, and the values of its curves at a place of the horizontal axis.

use egui::{Align, Layout, RichText, ScrollArea, Sense, Ui, vec2};

use super::plot_marks::Marks;
use crate::app::inspect::chart::stroked;
use crate::app::session::PanelName;
use crate::app::widgets::number::short;
use crate::app::widgets::theme::{Palette, SPACE, text_size};
use crate::plots::{Plot, PlotKind};

/// Significant digits of values.
const DIGITS: i32 = 4;
/// Largest number of values of a filter that are listed; a kernel that antialiasing widens has more.
const MOST_VALUES: usize = 8;
/// Size of the sample of a line, in points.
const LINE: egui::Vec2 = vec2(24.0, 14.0);

/// What the legend shows.
#[derive(Clone, Copy)]
pub(super) struct LegendInput<'a> {
    /// The plot.
    pub(super) plot: &'a Plot,
    /// Names of its filters.
    pub(super) names: &'a [PanelName],
    /// Where the pointer is in the plot.
    pub(super) pointed: Option<f64>,
    /// What the pointer over a picture marks.
    pub(super) marks: Option<Marks>,
    /// Why there are no measured dots.
    pub(super) failure: Option<&'a str>,
    /// Whether curves are being made.
    pub(super) is_pending: bool,
}

/// Draws the legend.
pub(super) fn show(ui: &mut Ui, input: &LegendInput<'_>) {
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        ui.spacing_mut().item_spacing = vec2(SPACE, 0.5 * SPACE);
        ui.spacing_mut().interact_size.y = LINE.y;
        place(ui, input);
        let at = input.pointed.or(input.marks.map(|[x, _]| x));
        for (filter, name) in input.names.iter().enumerate() {
            row(ui, input, (filter, name), at);
        }
        notes(ui, input);
    });
}

/// The place that the values are of, and above them what they are.
fn place(ui: &mut Ui, input: &LegendInput<'_>) {
    let palette = Palette::of_ui(ui);
    let symbol = input.plot.kind.row().x.symbol;
    let text = match (input.pointed, input.marks) {
        (Some(x), _) => format!("{symbol} = {}", short(x, DIGITS)),
        (None, Some([x, y])) => format!("{symbol}: x {}, y {}", short(x, 3), short(y, 3)),
        (None, None) => "Point at the plot for values".to_owned(),
    };
    let label = |text: String| egui::Label::new(RichText::new(text).size(text_size::UNIT).color(palette.weak));
    ui.horizontal(|ui| {
        let response = ui.add(label(text));
        if input.pointed.is_none() && input.marks.is_some() {
            response.on_hover_text("At the pointer over a picture: along x the unbroken line, along y the broken one");
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.add(label(parts(input.plot)).truncate()));
    });
}

/// What the values beside a name are, where a filter has two curves: `w1/(w0+w1)   w3/(w2+w3)`.
fn parts(plot: &Plot) -> String {
    let of_filter = |filter: usize| {
        let own = plot.curves.iter().filter(move |curve| curve.filter == filter && !curve.is_measured);
        own.map(|curve| curve.part.as_str()).collect::<Vec<_>>()
    };
    let most = (0..plot.filters.len()).map(of_filter).filter(|parts| parts.len() <= 2).max_by_key(Vec::len);
    most.unwrap_or_default().join("   ").trim().to_owned()
}

/// The line of a filter, the name of its panel, and its values: of one or two curves beside the name, of more below it.
fn row(ui: &mut Ui, input: &LegendInput<'_>, (filter, name): (usize, &PanelName), at: Option<f64>) {
    let palette = Palette::of_ui(ui);
    let own = input.plot.curves.iter().filter(|curve| curve.filter == filter && !curve.is_measured);
    let values: Vec<(&str, String)> =
        own.filter_map(|curve| Some((curve.part.as_str(), value_text(Plot::value(curve, at?)?)))).collect();
    let has_room = values.len() <= 2;
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(LINE, Sense::hover());
        ui.painter().extend(stroked(&[rect.left_center(), rect.right_center()], palette.panel(name.index)));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if has_room {
                let texts: Vec<&str> = values.iter().map(|(_, text)| text.as_str()).collect();
                ui.label(RichText::new(texts.join("   ")).size(text_size::VALUE).color(palette.text));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let text = RichText::new(name.numbered()).size(text_size::VALUE).color(palette.text);
                ui.add(egui::Label::new(text).truncate());
            });
        });
    });
    if values.len() > MOST_VALUES {
        let text = format!("{} values", values.len());
        ui.label(RichText::new(text).size(text_size::UNIT).color(palette.weak));
    } else if !has_room {
        let texts: Vec<String> = values.iter().map(|(part, text)| format!("{part} {text}")).collect();
        ui.label(RichText::new(texts.join("  ")).size(text_size::UNIT).color(palette.weak));
    }
}

/// Four digits, none of them below 10⁻⁴.
fn value_text(value: f64) -> String {
    short((value * 1e4).round() / 1e4, DIGITS).replace('-', "−")
}

/// What follows from the curves, and what is missing.
fn notes(ui: &mut Ui, input: &LegendInput<'_>) {
    let palette = Palette::of_ui(ui);
    let note = |ui: &mut Ui, text: &str, colour| {
        ui.add_space(SPACE);
        ui.add(egui::Label::new(RichText::new(text).size(text_size::UNIT).color(colour)).wrap());
    };
    if let Some(conclusion) = &input.plot.conclusion {
        note(ui, conclusion, palette.text);
    }
    if input.is_pending {
        note(ui, "Computing…", palette.weak);
    }
    if let Some(failure) = input.failure {
        note(ui, &format!("Not measured: {failure}"), palette.error);
    } else if input.plot.curves.iter().any(|curve| curve.is_measured) {
        note(ui, "Dots: measured, by an impulse through the backend", palette.weak);
    }
    let is_response = matches!(input.plot.kind, PlotKind::Response | PlotKind::ResponseDb);
    if is_response && input.marks.is_none() {
        note(ui, "Point at a picture for the frequency there", palette.weak);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_four_digits_and_none_below_a_ten_thousandth() {
        let texts = [0.070_312_5, 2.79e-10, -0.062_5, -47.1234, 1.0].map(value_text);
        assert_eq!(texts, ["0.0703", "0", "−0.0625", "−47.12", "1"]);
    }
}
