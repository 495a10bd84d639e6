//! A chart as the drawer draws it: axes, guides, series in the colours and dashes of the panels, marks.

use egui::{Color32, Response, RichText, Role, Ui, WidgetInfo, vec2};
use egui_plot::{
    Axis, AxisHints, GridInput, GridMark, LineStyle, PlotPoint, PlotPoints, PlotTransform, Points, Span, Text, VLine,
};

use super::axis_caption;
use crate::app::inspect::chart::StrokedCurve;
use crate::app::widgets::number::round_step;
use crate::app::widgets::theme::{Palette, PanelStyle, text_size};
use crate::plots::{Chart, ChartSeries, Guide, SeriesShape};
use crate::text::short;

/// Least distance of the lines of the grid, in steps of the chart's own grid, which are 8 points.
const X_STEP: f64 = 8.0;
const Y_STEP: f64 = 3.0;
/// Distances of two numbers between which egui fades them, in points.
const NUMBERS_FADE: egui::Rangef = egui::Rangef { min: 8.0, max: 20.0 };
/// Radius of a dot, in points.
pub(super) const DOT_RADIUS: f32 = 2.2;

/// Radius of a ring, in points.
pub(super) const RING_RADIUS: f32 = 3.5;

/// How an entry of a chart is drawn.
#[derive(Clone, Debug)]
pub(super) struct EntryStyle {
    /// Its name in the legend.
    pub(super) label: String,
    /// Its colour and dash.
    pub(super) style: PanelStyle,
    /// Whether it is a panel, which has a dot.
    pub(super) is_panel: bool,
}

/// A vertical line at a place of the horizontal axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChartMark {
    /// What it marks.
    pub(super) name: &'static str,
    /// Its place.
    pub(super) at: f64,
    /// Whether it is the second of two, which is broken.
    pub(super) is_second: bool,
}

/// What is drawn.
#[derive(Clone, Copy)]
pub(super) struct ChartInput<'a> {
    /// The chart.
    pub(super) chart: &'a Chart,
    /// Styles of its entries.
    pub(super) entries: &'a [EntryStyle],
    /// Places that are marked.
    pub(super) marks: &'a [ChartMark],
    /// Its name for assistive technology.
    pub(super) summary: &'a str,
    /// Whether a drag moves the axes. A tool whose points can be dragged says no.
    pub(super) can_move: bool,
    /// Whether the vertical axis is named inside the chart. A tool that paints names of its own there says no.
    pub(super) names_y: bool,
}

/// A chart that was drawn.
pub(super) struct ShownChart {
    /// Its area.
    pub(super) response: Response,
    /// Its axes.
    pub(super) transform: PlotTransform,
    /// Where the pointer is, on both axes.
    pub(super) pointed: Option<[f64; 2]>,
}

/// A place for charts. It keeps zoom and pan as long as title and ranges stay.
#[derive(Debug, Default)]
pub(super) struct ChartView {
    drawn: Option<(String, [f64; 2], [f64; 2])>,
}

impl ChartView {
    /// Forgets zoom and pan.
    pub(super) fn reset(&mut self) {
        self.drawn = None;
    }

    /// Draws a chart into what is left of `ui`.
    pub(super) fn show(&mut self, ui: &mut Ui, input: ChartInput<'_>) -> ShownChart {
        let ChartInput { chart, .. } = input;
        let palette = Palette::of_ui(ui);
        let font = egui::FontId::proportional(text_size::UNIT);
        ui.style_mut().text_styles.insert(egui::TextStyle::Body, font);
        ui.visuals_mut().override_text_color = Some(palette.weak);
        let mut plot = egui_plot::Plot::new(("chart", &chart.title))
            .set_margin_fraction(vec2(0.0, 0.0))
            .default_x_bounds(chart.x_range[0], chart.x_range[1])
            .default_y_bounds(chart.y_range[0], chart.y_range[1])
            .allow_boxed_zoom(false)
            .allow_drag(input.can_move)
            .show_y(false)
            .grid_color(palette.weak.gamma_multiply(0.45))
            .cursor_color(palette.weak)
            .custom_x_axes(vec![axis(AxisHints::new_x()).label(chart.x.label)])
            .custom_y_axes(vec![axis(AxisHints::new_y())])
            .x_grid_spacer(|input| grid(&input, X_STEP))
            .y_grid_spacer(|input| grid(&input, Y_STEP))
            .label_formatter(|_| None);
        let is_same =
            |(title, x, y): &(String, _, _)| *title == chart.title && (*x, *y) == (chart.x_range, chart.y_range);
        if !self.drawn.as_ref().is_some_and(is_same) {
            self.drawn = Some((chart.title.clone(), chart.x_range, chart.y_range));
            plot = plot.reset();
            // A plot knows the size of its numbers after its first frame: until then the name of the axis may lie over them. A
            // range without an end never equals itself.
            if chart.x_range.iter().chain(&chart.y_range).all(|end| end.is_finite()) {
                ui.request_repaint();
            }
        }
        let shown = plot.show(ui, |ui| {
            guides(ui, &chart.guides, &palette, chart.y_range[1]);
            for mark in input.marks {
                let (colour, style) = match mark.is_second {
                    false => (palette.accent, LineStyle::Solid),
                    true => (palette.accent.gamma_multiply(0.7), LineStyle::dashed_loose()),
                };
                let line = VLine::new(mark.name, mark.at);
                ui.vline(line.color(colour).style(style).width(1.5).allow_hover(false));
            }
            for series in &chart.series {
                let Some(entry) = input.entries.get(series.entry) else { continue };
                draw_series(ui, series, entry);
            }
            parts(ui, chart, input.entries);
            ui.response().hovered().then(|| ui.pointer_coordinate()).flatten().map(|point| [point.x, point.y])
        });
        shown.response.widget_info(|| WidgetInfo::labeled(Role::Image, true, input.summary));
        if input.names_y {
            axis_caption::show(ui, chart, *shown.transform.frame());
        }
        ShownChart { response: shown.response, transform: shown.transform, pointed: shown.inner }
    }
}

/// Lines and bands to read the series by, with their names at the upper edge.
fn guides(ui: &mut egui_plot::PlotUi<'_>, guides: &[Guide], palette: &Palette, top: f64) {
    for guide in guides {
        match *guide {
            Guide::Line { x, label } => {
                let line = VLine::new(label, x).color(palette.weak).style(LineStyle::dashed_dense()).width(1.0);
                ui.vline(line.allow_hover(false));
                let text = RichText::new(format!(" {label}")).size(text_size::UNIT).color(palette.weak);
                let text = Text::new(label, PlotPoint::new(x, top), text).anchor(egui::Align2::LEFT_TOP);
                ui.text(text.allow_hover(false));
            }
            Guide::Band { y: [from, to], label } => {
                let fill = palette.accent.gamma_multiply(0.10);
                ui.span(Span::new("", from..=to).axis(Axis::Y).fill(fill));
                let bounds = ui.plot_bounds();
                let text = RichText::new(format!(" {label}")).size(text_size::UNIT).color(palette.weak);
                let at = PlotPoint::new(bounds.min()[0], to);
                ui.text(Text::new(label, at, text).anchor(egui::Align2::LEFT_TOP).allow_hover(false));
            }
        }
    }
}

/// The names of an entry's lines beside them, as in a drawing on a file, where an entry has two.
fn parts(ui: &mut egui_plot::PlotUi<'_>, chart: &Chart, entries: &[EntryStyle]) {
    let is_named = |series: &&ChartSeries| series.shape == SeriesShape::Line && !series.part.is_empty();
    let [left, right] = chart.x_range;
    for (index, entry) in entries.iter().enumerate() {
        let own: Vec<&ChartSeries> =
            chart.series.iter().filter(is_named).filter(|series| series.entry == index).collect();
        if own.len() > 2 {
            continue;
        }
        // Curves of several entries lie near each other: each has its names at a place of its own.
        let x = left + (right - left) * (0.1 + 0.8 * (index as f64 + 0.5) / entries.len() as f64);
        for series in own {
            let Some(y) = Chart::value(&series.points, x) else { continue };
            let text = RichText::new(&series.part).size(text_size::VALUE).color(entry.style.color);
            let text = Text::new(series.part.clone(), PlotPoint::new(x, y), text);
            ui.text(text.anchor(egui::Align2::CENTER_BOTTOM).allow_hover(false));
        }
    }
}

fn draw_series(ui: &mut egui_plot::PlotUi<'_>, series: &ChartSeries, entry: &EntryStyle) {
    let colour = entry.style.color;
    match series.shape {
        SeriesShape::Line => ui.add(StrokedCurve::new(&entry.label, series.points.clone(), entry.style)),
        SeriesShape::Dots => ui.points(dots(series, entry, colour)),
        SeriesShape::Stems => ui.points(dots(series, entry, colour).stems(0.0)),
        SeriesShape::Rings => ui.points(dots(series, entry, colour).radius(RING_RADIUS).filled(false)),
    }
}

fn dots<'a>(series: &ChartSeries, entry: &EntryStyle, colour: Color32) -> Points<'a> {
    let points = PlotPoints::from(series.points.clone());
    Points::new(entry.label.clone(), points).radius(DOT_RADIUS).color(colour).allow_hover(false)
}

/// An axis whose numbers are never faint: lines of the grid are as far apart as numbers need.
fn axis(hints: AxisHints<'_>) -> AxisHints<'_> {
    hints.label_spacing(NUMBERS_FADE).formatter(|mark, _| short(mark.value, 5).replace('-', "−"))
}

/// Lines of the grid at multiples of 1, 2 or 5 times a power of ten, at least `step` of the grid's own steps apart.
fn grid(input: &GridInput, step: f64) -> Vec<GridMark> {
    let step_size = round_step(input.base_step_size * step);
    let (first, last) = ((input.bounds.0 / step_size).ceil() as i64, (input.bounds.1 / step_size).floor() as i64);
    (first..=last).map(|index| GridMark { value: index as f64 * step_size, step_size }).collect()
}
