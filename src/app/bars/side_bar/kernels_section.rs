//! Section *Kernels*: the weight of a sample by its distance, for every visible panel, with the panel's number on its curve; of more than four
//! panels in a plot each. A click opens the plot.

use egui::text::{LayoutJob, TextFormat};
use egui::{Align2, CursorIcon, FontId, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};
use egui_plot::{LineStyle, PlotBounds, PlotItem as _, PlotPoint, PlotTransform};

use super::kernel_cells;
use crate::app::commands::{Command, InspectCommand, Keymap};
use crate::app::inspect::Overlays;
use crate::app::inspect::chart::StrokedCurve;
use crate::app::inspect::inset::Insets;
use crate::app::inspect::kernel_curves::KernelCurves;
use crate::app::session::Session;
use crate::app::session::inspect::DrawerTool;
use crate::app::widgets::fit::text_width;
use crate::app::widgets::number::round_step;
use crate::app::widgets::theme::{Palette, PanelStyle, SMALL_RADIUS, medium, text_size};
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
/// Half the width of the last distance, which is in the middle below its line, in points.
const HALF_NUMBER: f32 = 4.0;
/// Width of the weights 0 and 1 beside the plot, with the gap to it, in points.
const WEIGHTS: f32 = 12.0;
const WEIGHT_GAP: f32 = 4.0;
/// Distance of the outline of a plot that is pointed at from it, in points.
const OUTLINE_GAP: f32 = 3.0;
/// Opacity of the lines of the grid over that of other lines.
const GRID_OPACITY: f32 = 0.55;
/// Length of a dash, in points.
const DASH: f32 = 8.0;
/// Distance of the panel's number from what is beside it on its curve, and from that of another panel whose curve is alike, in points.
const LABEL_PADDING: f32 = 2.5;
const NUMBER_GAP: f32 = 4.0;
/// Greatest number of lines on each side of the position.
const MOST_LINES: f64 = 6.0;

/// What the curves are of, and how many times as wide as without antialiasing the focused panel's is.
pub(super) fn facts(session: &Session, insets: &Insets) -> String {
    let is_of_inset = insets.scale_of(session.panels()[session.focused()].id()).is_some();
    match KernelCurves::widening(session, insets) {
        Some(widening) => format!("antialiased: {}× as wide", short(widening, 3)),
        None if is_of_inset => "of the insets".to_owned(),
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
    let panels = overlays.kernels.update(session, &overlays.insets);
    let widening = KernelCurves::widening(session, &overlays.insets);
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
    let [left, right] = [place.left() + WEIGHTS + WEIGHT_GAP, place.right() - HALF_NUMBER];
    let rect = Rect::from_x_y_ranges(left..=right, place.top()..=place.top() + height);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Kernels of the panels"));
    if are_many {
        kernel_cells::show(ui, (session, &panels), (overlays.kernels.chart(), widening), (place, response), asked);
        return;
    }
    if response.hovered() || response.has_focus() {
        let around = place.expand(OUTLINE_GAP);
        ui.painter().rect_stroke(around, SMALL_RADIUS, Stroke::new(1.0, palette.line), StrokeKind::Inside);
    }
    let painter = ui.painter().with_clip_rect(rect.expand(1.0));
    let font = FontId::proportional(text_size::UNIT);
    if panels.is_empty() {
        painter.text(rect.center(), Align2::CENTER_CENTER, "The truth has no kernel", font, palette.weak);
        return;
    }
    // The focused panel's curve is over the others.
    let mut order: Vec<usize> = (0..panels.len()).collect();
    order.sort_by_key(|entry| panels[*entry] == focused);
    let groups = overlays.kernels.groups(&order);
    let labels = overlays.kernels.label_places([rect.width(), rect.height()].map(f64::from)).to_vec();
    let chart = overlays.kernels.chart();
    let [[left, right], [bottom, top]] = [chart.x_range, chart.y_range];
    let bounds = PlotBounds::from_min_max([left, bottom], [right, top]);
    let transform = PlotTransform::new(rect, bounds, [false; 2]);
    let pos = |x: f64, y: f64| transform.position_from_point(&PlotPoint::new(x, y));
    // Lines at round distances, and at the weights 0 and 1.
    let step = line_distance(right);
    let line = Stroke::new(1.0, palette.line.gamma_multiply(GRID_OPACITY));
    for count in (left / step).ceil() as i64..=(right / step).floor() as i64 {
        let d = count as f64 * step;
        let x = pos(d, 0.0).x;
        // The outermost are wholly within the plot.
        painter.vline(x.clamp(rect.left() + 0.5, rect.right() - 0.5), rect.y_range(), line);
        let text = short(d, 3).replace('-', "−");
        // A minus sign is beside the number that is below the line.
        let width = text_width(ui, text.trim_start_matches('−'), text_size::UNIT);
        let right = (x + 0.5 * width).min(place.right());
        ui.painter().text(pos2(right, rect.bottom() + 1.0), Align2::RIGHT_TOP, text, font.clone(), palette.weak);
    }
    for (weight, stroke) in [(0.0, Stroke::new(1.0, palette.outline)), (1.0, line)] {
        let y = pos(0.0, weight).y;
        painter.hline(rect.x_range(), y, stroke);
        let at = pos2(rect.left() - WEIGHT_GAP, y);
        ui.painter().text(at, Align2::RIGHT_CENTER, short(weight, 1), font.clone(), palette.weak);
    }
    let mut numbers = Vec::new();
    for &entry in &order {
        let group = groups.iter().find(|group| group.contains(&entry)).map_or(&[][..], Vec::as_slice);
        // A curve over one that is alike has dashes: the lower one is seen between them.
        let is_lowest = group.first() == Some(&entry);
        let line = if is_lowest { LineStyle::Solid } else { LineStyle::Dashed { length: DASH } };
        let style = PanelStyle { line, ..palette.panel(panels[entry]) };
        let mut shapes = Vec::new();
        for series in chart.series.iter().filter(|series| series.entry == entry) {
            let curve = StrokedCurve::new("", series.points.clone(), style);
            let is_strong = panels[entry] == session.focused() && panels.len() > 1;
            curve.strong(is_strong).shapes(ui, &transform, &mut shapes);
        }
        painter.extend(shapes);
        let place = group.iter().find_map(|entry| labels[*entry]);
        let Some([x, y]) = place.filter(|_| is_lowest) else { continue };
        let galley = painter.layout_job(numbers_of(&palette, &panels, group));
        // One number covers a part of its curve. The numbers of curves that are alike stand below the curves.
        let corner = if let [_] = group {
            let place = Align2::CENTER_CENTER.anchor_size(pos(x, y), galley.size());
            let covered = place.expand2(vec2(LABEL_PADDING, -LABEL_PADDING));
            painter.rect_filled(covered, SMALL_RADIUS, palette.surface);
            place.min
        } else {
            Align2::CENTER_TOP.anchor_size(pos(x, y) + vec2(0.0, LABEL_PADDING), galley.size()).min
        };
        numbers.push((corner, galley));
    }
    // The numbers are painted last: no curve covers them.
    for (corner, galley) in numbers {
        painter.galley(corner, galley, palette.text);
    }
    let tip = response
        .hover_pos()
        .map(|pos| text_at(session, (chart, widening), &panels, transform.value_from_position(pos).x));
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

/// The numbers of the panels of a group, in their colours.
fn numbers_of(palette: &Palette, panels: &[usize], group: &[usize]) -> LayoutJob {
    let mut indices: Vec<usize> = group.iter().map(|entry| panels[*entry]).collect();
    indices.sort_unstable();
    let mut numbers = LayoutJob::default();
    for (place, index) in indices.into_iter().enumerate() {
        let format = TextFormat::simple(medium(text_size::UNIT), palette.panel(index).color);
        numbers.append(&(index + 1).to_string(), if place > 0 { NUMBER_GAP } else { 0.0 }, format);
    }
    numbers
}

/// Distance of the lines of a plot that reaches `reach` samples to each side: a round number of samples.
fn line_distance(reach: f64) -> f64 {
    round_step((reach / MOST_LINES).max(1.0))
}

/// The weights at the distance `d`, one panel a line, and the `widening` of the focused panel's kernel.
pub(super) fn text_at(session: &Session, (chart, widening): (&Chart, Option<f64>), panels: &[usize], d: f64) -> String {
    let mut text = format!("Weight of a sample at distance {}", short(d, 3).replace('-', "−"));
    for (entry, index) in panels.iter().enumerate() {
        let series = chart.series.iter().find(|series| series.entry == entry);
        // Beyond its kernel a sample has no weight.
        let weight = series.and_then(|series| Chart::value(&series.points, d)).unwrap_or(0.0);
        let weight = format!("{weight:.4}").replace('-', "−");
        text.push_str(&format!("\n{}: {weight}", session.panel_name(*index).numbered()));
    }
    if let Some(widening) = widening {
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
