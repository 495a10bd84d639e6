//! Section *Kernels*: the weight of a sample by its distance, for every visible panel, with the panel's number on its curve; of more than four
//! panels in a plot each. A click opens the plot.

use egui::{Align2, CursorIcon, FontId, Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};
use egui_plot::{LineStyle, PlotBounds, PlotItem as _, PlotPoint, PlotTransform};

use super::kernel_cells;
use crate::app::commands::{Command, InspectCommand, Keymap};
use crate::app::inspect::Overlays;
use crate::app::inspect::chart::StrokedCurve;
use crate::app::inspect::kernel_curves::KernelCurves;
use crate::app::session::Session;
use crate::app::session::inspect::DrawerTool;
use crate::app::widgets::fit::text_width;
use crate::app::widgets::number::round_step;
use crate::app::widgets::theme::{Palette, SMALL_RADIUS, medium, text_size};
use crate::plots::{Chart, PlotKind};
use crate::text::short;

/// Least and greatest height of the plot, in points.
const HEIGHT: [f32; 2] = [48.0, 256.0];
/// The greatest height beside open sections: that of the values, that of a plane or of a component.
const MOST_BESIDE_VALUES: f32 = 172.0;
const MOST_BESIDE: f32 = 144.0;
/// Height of a window from which on the plot grows with the window, without and with open values, and by how much, in points.
const LOW_WINDOW: f32 = 690.0;
const LOW_WINDOW_WITH_VALUES: f32 = 767.0;
const GROWTH: f32 = 4.0 / 3.0;
/// Height of the distances below the plot, in points.
const NUMBERS: f32 = 14.0;
/// Greatest number of curves in one plot. More have a plot each, with at least this height in total, in points.
const MOST_CURVES: usize = 4;
const LEAST_OF_MANY: f32 = 96.0;
/// Width of the weights 0 and 1 beside the plot, with the gap to it, in points.
const WEIGHTS: f32 = 12.0;
const WEIGHT_GAP: f32 = 4.0;
/// Distance of the panel's number from what is beside it on its curve, in points.
const LABEL_PADDING: f32 = 2.0;
/// Greatest number of lines on each side of the position.
const MOST_LINES: f64 = 6.0;

/// What the curves are of, and how many times as wide as without antialiasing the focused panel's is.
pub(super) fn facts(session: &Session) -> String {
    match KernelCurves::widening(session) {
        Some(widening) => format!("antialiased: {}× as wide", short(widening, 3)),
        None => "weight by distance".to_owned(),
    }
}

/// Draws the curves, higher where the section of the values is folded. Appends the command of a click to `asked`.
pub(super) fn show(
    ui: &mut Ui,
    session: &mut Session,
    overlays: &mut Overlays,
    has_values: bool,
    asked: &mut Vec<Command>,
) {
    let palette = Palette::of_ui(ui);
    let panels = overlays.kernels.update(session);
    let focused = session.focused();
    let is_beside = session.volume_of(focused).is_some() || session.complex_of(focused).is_some();
    let [most, low] = match has_values {
        _ if is_beside => [MOST_BESIDE, LOW_WINDOW_WITH_VALUES],
        true => [MOST_BESIDE_VALUES, LOW_WINDOW_WITH_VALUES],
        false => [HEIGHT[1], LOW_WINDOW],
    };
    let height = (HEIGHT[0] + GROWTH * (ui.content_rect().height() - low)).clamp(HEIGHT[0], most).floor();
    let are_many = panels.len() > MOST_CURVES;
    let least = if are_many { LEAST_OF_MANY } else { 0.0 };
    let size = vec2(ui.available_width(), (height + NUMBERS).max(least));
    let (place, response) = ui.allocate_exact_size(size, Sense::click());
    let rect = place.with_max_y(place.top() + height).with_min_x(place.left() + WEIGHTS);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Kernels of the panels"));
    if are_many {
        kernel_cells::show(ui, (session, &panels), overlays.kernels.chart(), (place, response), asked);
        return;
    }
    let outline = if response.hovered() || response.has_focus() { palette.weak } else { palette.line };
    ui.painter().rect(rect, SMALL_RADIUS, palette.field, Stroke::new(1.0, outline), StrokeKind::Inside);
    let painter = ui.painter().with_clip_rect(rect.shrink(1.0));
    let font = FontId::proportional(text_size::UNIT);
    if panels.is_empty() {
        painter.text(rect.center(), Align2::CENTER_CENTER, "The truth has no kernel", font, palette.weak);
        return;
    }
    let labels = overlays.kernels.label_places([rect.width(), rect.height()].map(f64::from)).to_vec();
    let chart = overlays.kernels.chart();
    let [[left, right], [bottom, top]] = [chart.x_range, chart.y_range];
    let bounds = PlotBounds::from_min_max([left, bottom], [right, top]);
    let transform = PlotTransform::new(rect.shrink(1.0), bounds, [false; 2]);
    let pos = |x: f64, y: f64| transform.position_from_point(&PlotPoint::new(x, y));
    // Lines at round distances, and at the weights 0 and 1.
    let step = line_distance(right);
    let line = Stroke::new(1.0, palette.line);
    for count in (left / step).ceil() as i64..=(right / step).floor() as i64 {
        let d = count as f64 * step;
        let x = pos(d, 0.0).x;
        painter.vline(x, rect.y_range(), line);
        let text = short(d, 3).replace('-', "−");
        // A minus sign is beside the number that is below the line.
        let width = text_width(ui, text.trim_start_matches('−'), text_size::UNIT);
        let right = (x + 0.5 * width).min(place.right() + WEIGHT_GAP);
        ui.painter().text(pos2(right, rect.bottom() + 1.0), Align2::RIGHT_TOP, text, font.clone(), palette.weak);
    }
    for (weight, colour) in [(0.0, palette.outline), (1.0, palette.line)] {
        let y = pos(0.0, weight).y;
        painter.hline(rect.x_range(), y, Stroke::new(1.0, colour));
        let at = pos2(rect.left() - WEIGHT_GAP, y);
        ui.painter().text(at, Align2::RIGHT_CENTER, short(weight, 1), font.clone(), palette.weak);
    }
    // The focused panel's curve is over the others. A solid one is below them: it is seen between the dashes of one that it is alike.
    let mut order: Vec<usize> = (0..panels.len()).collect();
    order.sort_by_key(|entry| {
        (palette.panel(panels[*entry]).line != LineStyle::Solid, panels[*entry] == session.focused())
    });
    let mut shapes = Vec::new();
    for entry in order {
        let style = palette.panel(panels[entry]);
        for series in chart.series.iter().filter(|series| series.entry == entry) {
            let curve = StrokedCurve::new("", series.points.clone(), style);
            let is_strong = panels[entry] == session.focused() && panels.len() > 1;
            curve.strong(is_strong).shapes(ui, &transform, &mut shapes);
        }
    }
    painter.extend(shapes);
    for (&index, [x, y]) in panels.iter().zip(labels).filter_map(|(index, place)| Some((index, place?))) {
        let galley =
            painter.layout_no_wrap((index + 1).to_string(), medium(text_size::UNIT), palette.panel(index).color);
        let place = Align2::CENTER_CENTER.anchor_size(pos(x, y), galley.size());
        painter.rect_filled(place.expand2(vec2(LABEL_PADDING, -LABEL_PADDING)), SMALL_RADIUS, palette.field);
        painter.galley(place.min, galley, palette.text);
    }
    let tip = response.hover_pos().map(|pos| text_at(session, chart, &panels, transform.value_from_position(pos).x));
    open_plots(ui, session, response, tip, asked);
}

/// Opens the plot of the kernels by a click on `response`, whose tooltip has the lines of `tip`.
pub(super) fn open_plots(
    ui: &Ui,
    session: &mut Session,
    response: Response,
    tip: Option<String>,
    asked: &mut Vec<Command>,
) {
    let plots = Command::Inspect(InspectCommand::Drawer(DrawerTool::Plots));
    let response = response.on_hover_cursor(CursorIcon::PointingHand);
    let is_clicked = response.clicked();
    if let Some(tip) = tip {
        response.on_hover_text_at_pointer(format!("{tip}\n{}", Keymap::in_force(ui).tooltip(plots)));
    }
    if is_clicked {
        session.inspect.state.plot = PlotKind::Kernel;
        if session.inspect.state.drawer != Some(DrawerTool::Plots) {
            asked.push(plots);
        }
    }
}

/// Distance of the lines of a plot that reaches `reach` samples to each side: a round number of samples.
fn line_distance(reach: f64) -> f64 {
    round_step((reach / MOST_LINES).max(1.0))
}

/// The weights at the distance `d`, one panel a line.
pub(super) fn text_at(session: &Session, chart: &Chart, panels: &[usize], d: f64) -> String {
    let mut text = format!("Weight of a sample at distance {}", short(d, 3).replace('-', "−"));
    for (entry, index) in panels.iter().enumerate() {
        let series = chart.series.iter().find(|series| series.entry == entry);
        // Beyond its kernel a sample has no weight.
        let weight = series.and_then(|series| Chart::value(&series.points, d)).unwrap_or(0.0);
        let weight = format!("{weight:.4}").replace('-', "−");
        text.push_str(&format!("\n{}: {weight}", session.panel_name(*index).numbered()));
    }
    if let Some(widening) = KernelCurves::widening(session) {
        text.push_str(&format!("\nAntialiasing makes kernels {}× as wide", short(widening, 3)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::View;

    #[test]
    fn lines_are_at_round_distances_and_few_at_any_reach() {
        for (reach, distance) in [(2.0, 1.0), (4.0, 1.0), (6.0, 1.0), (8.0, 2.0), (13.0, 5.0), (40.0, 10.0)] {
            assert_eq!(line_distance(reach), distance, "{reach}");
        }
        let most = 8.0 * View::SCALES.1;
        assert!(most / line_distance(most) <= MOST_LINES, "{}", line_distance(most));
    }
}
