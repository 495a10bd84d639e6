//! The legend of a chart: the line and the name of each entry, and its values at a place of the horizontal axis.

use egui::{
    Align, Align2, FontId, Layout, Painter, Rect, RichText, Role, ScrollArea, Sense, Stroke, Ui, WidgetInfo, vec2,
};

use super::chart_view::{DOT_RADIUS, EntryStyle, RING_RADIUS};
use crate::app::inspect::chart::stroked;
use crate::app::widgets::fade::fade;
use crate::app::widgets::fit::text_width;
use crate::app::widgets::panel_mark::{DOT_WIDTH, paint_dot};
use crate::app::widgets::theme::{Palette, SPACE, text_size, with_scroll_bar};
use crate::plots::{Chart, ChartSeries, SeriesShape};
use crate::text::short;

/// Width of a legend, in points.
pub(super) const WIDTH: f32 = 256.0;
/// Least width of one that has what its entries need, in points, and the room for a scroll bar and gaps in it.
const LEAST_WIDTH: f32 = 172.0;
const BESIDE_ENTRIES: f32 = 9.0 * SPACE;
/// Widest text of a value.
const WIDEST_VALUE: &str = "−0.0000";
/// Significant digits of values.
const DIGITS: i32 = 4;
/// Largest number of values of an entry that are listed; a kernel that antialiasing widens has more.
const MOST_VALUES: usize = 8;
/// Size of the sample of a line, in points.
const LINE: egui::Vec2 = vec2(24.0, 14.0);
/// Size of the key of an entry: the dot of a panel, and the sample of its line.
const KEY: egui::Vec2 = vec2(DOT_WIDTH + SPACE + LINE.x, LINE.y);

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

/// Width that a legend of `chart` takes, in points: the whole one where it has sentences, else what its entries need, so that the
/// chart has the rest.
pub(super) fn width(ui: &Ui, chart: &Chart, entries: &[EntryStyle], notes: &[Note]) -> f32 {
    if chart.conclusion.is_some() || !notes.is_empty() {
        return WIDTH;
    }
    let text = |text: &str| text_width(ui, text, text_size::VALUE);
    let values = |entry: usize| lines_of(chart, entry).count().min(2) as f32 * (text(WIDEST_VALUE) + 2.0 * SPACE);
    let entry = |(entry, style): (usize, &EntryStyle)| key_size(style).x + text(&style.label) + values(entry);
    let widest = entries.iter().enumerate().map(entry).fold(0.0, f32::max);
    (widest + BESIDE_ENTRIES).clamp(LEAST_WIDTH, WIDTH)
}

/// Draws the legend.
pub(super) fn show(ui: &mut Ui, input: &LegendInput<'_>) {
    with_scroll_bar(ui, Palette::of_ui(ui));
    let shown = ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        ui.spacing_mut().item_spacing = vec2(SPACE, 0.5 * SPACE);
        ui.spacing_mut().interact_size.y = LINE.y;
        let at = input.pointed.or(input.marks.map(|[x, _]| x));
        for (entry, style) in input.entries.iter().enumerate() {
            row(ui, input.chart, (entry, style), at);
        }
        ui.add_space(0.5 * SPACE);
        place(ui, input);
        notes(ui, input);
    });
    fade(ui, &shown, shown.inner_rect.x_range());
}

/// The place that the values are of, and what they are.
fn place(ui: &mut Ui, input: &LegendInput<'_>) {
    let palette = Palette::of_ui(ui);
    let symbol = input.chart.x.symbol;
    let (text, colour) = match (input.pointed, input.marks) {
        (Some(x), _) => (format!("{symbol} = {}", value_text(x)), palette.weak),
        (None, Some([x, y])) => (format!("{symbol}: x {}, y {}", short(x, 3), short(y, 3)), palette.weak),
        (None, None) => ("Point at the plot for values".to_owned(), palette.faint),
    };
    let label = |text: String| egui::Label::new(RichText::new(text).size(text_size::UNIT).color(colour));
    ui.horizontal(|ui| {
        let response = ui.add(label(text));
        if input.pointed.is_none() && input.marks.is_some() {
            response.on_hover_text("At the pointer over a picture: along x the unbroken line, along y the broken one");
        }
        // Without values the curves have their names beside them.
        if input.pointed.is_some() || input.marks.is_some() {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.add(label(parts(input.chart)).truncate()));
        }
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
        let (rect, _) = ui.allocate_exact_size(key_size(style), Sense::hover());
        paint_key_of(ui.painter(), rect, (chart, entry, style));
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

/// Size of the key of an entry: the dot of a panel and the sample of its line.
fn key_size(style: &EntryStyle) -> egui::Vec2 {
    if style.is_panel { KEY } else { LINE }
}

/// Paints the key of an entry into `rect`.
fn paint_key(painter: &Painter, rect: Rect, style: &EntryStyle) {
    if style.is_panel {
        paint_dot(painter, rect.left_center() + vec2(0.5 * DOT_WIDTH, 0.0), style.style.color);
    }
    let line = rect.with_min_x(rect.right() - LINE.x);
    painter.extend(stroked(&[line.left_center(), line.right_center()], style.style));
}

/// Paints the key of an entry of `chart` into `rect`: a dot or a ring if it has no lines.
fn paint_key_of(painter: &Painter, rect: Rect, (chart, entry, style): (&Chart, usize, &EntryStyle)) {
    let colour = style.style.color;
    match chart.key_of(entry) {
        Some(SeriesShape::Rings) => drop(painter.circle_stroke(rect.center(), RING_RADIUS, Stroke::new(1.5, colour))),
        Some(SeriesShape::Dots | SeriesShape::Stems) => drop(painter.circle_filled(rect.center(), DOT_RADIUS, colour)),
        Some(SeriesShape::Line) | None => paint_key(painter, rect, style),
    }
}

/// Draws the keys and the names of the first entries of `chart` in rows, without values.
pub(super) fn names(ui: &mut Ui, chart: &Chart, styles: &[EntryStyle]) {
    let palette = Palette::of_ui(ui);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().interact_size.y = LINE.y;
        ui.spacing_mut().item_spacing.y = 1.0;
        for (entry, style) in styles.iter().enumerate() {
            let key = key_size(style);
            let width = key.x + SPACE + text_width(ui, &style.label, text_size::UNIT) + SPACE;
            let (rect, response) = ui.allocate_exact_size(vec2(width, key.y), Sense::hover());
            let place = rect.with_max_x(rect.left() + key.x);
            paint_key_of(ui.painter(), place, (chart, entry, style));
            let at = rect.left_center() + vec2(key.x + SPACE, 0.0);
            let font = FontId::proportional(text_size::UNIT);
            ui.painter().text(at, Align2::LEFT_CENTER, &style.label, font, palette.text);
            response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &style.label));
        }
    });
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
