//! The legend of a chart: the line and the name of each entry, and its values at a place of the horizontal axis.

use egui::{Align, Layout, RichText, ScrollArea, Sense, Ui, vec2};

use super::chart_view::EntryStyle;
use crate::app::inspect::chart::stroked;
use crate::app::widgets::number::short;
use crate::app::widgets::theme::{Palette, SPACE, text_size};
use crate::plots::{Chart, ChartSeries, SeriesShape};

/// Width of a legend, in points.
pub(super) const WIDTH: f32 = 256.0;
/// Significant digits of values.
const DIGITS: i32 = 4;
/// Largest number of values of an entry that are listed; a kernel that antialiasing widens has more.
const MOST_VALUES: usize = 8;
/// Size of the sample of a line, in points.
const LINE: egui::Vec2 = vec2(24.0, 14.0);

/// What the legend shows.
#[derive(Clone, Copy)]
pub(super) struct LegendInput<'a> {
    /// The chart.
    pub(super) chart: &'a Chart,
    /// Styles of its entries.
    pub(super) entries: &'a [EntryStyle],
    /// Where the pointer is in the chart.
    pub(super) pointed: Option<f64>,
    /// What the pointer over a picture marks, along x and y of the image.
    pub(super) marks: Option<[f64; 2]>,
    /// Sentences below the entries, after the chart's conclusion.
    pub(super) notes: &'a [Note],
}

/// A sentence of a legend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Note {
    /// A hint.
    Weak(String),
    /// What failed.
    Error(String),
}

/// Draws the legend.
pub(super) fn show(ui: &mut Ui, input: &LegendInput<'_>) {
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        ui.spacing_mut().item_spacing = vec2(SPACE, 0.5 * SPACE);
        ui.spacing_mut().interact_size.y = LINE.y;
        place(ui, input);
        let at = input.pointed.or(input.marks.map(|[x, _]| x));
        for (entry, style) in input.entries.iter().enumerate() {
            row(ui, input.chart, (entry, style), at);
        }
        notes(ui, input);
    });
}

/// The place that the values are of, and above them what they are.
fn place(ui: &mut Ui, input: &LegendInput<'_>) {
    let palette = Palette::of_ui(ui);
    let symbol = input.chart.x.symbol;
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
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.add(label(parts(input.chart)).truncate()));
    });
}

/// The lines of an entry.
fn lines_of(chart: &Chart, entry: usize) -> impl Iterator<Item = &ChartSeries> {
    chart.series.iter().filter(move |series| series.entry == entry && series.shape == SeriesShape::Line)
}

/// What the values beside a name are, where an entry has two lines: `w1/(w0+w1)   w3/(w2+w3)`.
fn parts(chart: &Chart) -> String {
    let of_entry = |entry: usize| lines_of(chart, entry).map(|series| series.part.as_str()).collect::<Vec<_>>();
    let most = (0..chart.entries.len()).map(of_entry).filter(|parts| parts.len() <= 2).max_by_key(Vec::len);
    most.unwrap_or_default().join("   ").trim().to_owned()
}

/// The line of an entry, its name, and its values: of one or two lines beside the name, of more below it.
fn row(ui: &mut Ui, chart: &Chart, (entry, style): (usize, &EntryStyle), at: Option<f64>) {
    let palette = Palette::of_ui(ui);
    let value = |series: &ChartSeries| Chart::value(&series.points, at?).map(value_text);
    let own = lines_of(chart, entry);
    let values: Vec<(&str, String)> = own.filter_map(|series| Some((series.part.as_str(), value(series)?))).collect();
    let has_room = values.len() <= 2;
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(LINE, Sense::hover());
        ui.painter().extend(stroked(&[rect.left_center(), rect.right_center()], style.style));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if has_room {
                let texts: Vec<&str> = values.iter().map(|(_, text)| text.as_str()).collect();
                ui.label(RichText::new(texts.join("   ")).size(text_size::VALUE).color(palette.text));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let text = RichText::new(&style.label).size(text_size::VALUE).color(palette.text);
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

/// What follows from the series, and what the tool adds.
fn notes(ui: &mut Ui, input: &LegendInput<'_>) {
    let palette = Palette::of_ui(ui);
    let note = |ui: &mut Ui, text: &str, colour| {
        ui.add_space(SPACE);
        ui.add(egui::Label::new(RichText::new(text).size(text_size::UNIT).color(colour)).wrap());
    };
    if let Some(conclusion) = &input.chart.conclusion {
        note(ui, conclusion, palette.text);
    }
    for text in input.notes {
        match text {
            Note::Weak(text) => note(ui, text, palette.weak),
            Note::Error(text) => note(ui, text, palette.error),
        }
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
