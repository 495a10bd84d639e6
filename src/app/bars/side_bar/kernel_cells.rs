//! Kernels of panels: a small plot for each with the number of the panel and the name of the method below it, in the order of the panels,
//! all with the same ranges.
//!
//! ```text
//! ╭──────────╮ ╭──────────╮ ╭──────────╮
//! │   ┌──┐   │ │    ╱╲    │ │    ╱╲    │
//! │───┘  └───│ │───╱  ╲───│ │───╱  ╲───│
//! ╰──────────╯ ╰──────────╯ ╰──────────╯
//!   1 Nearest     2 Linear   3 B-spline
//! ```

use egui::emath::GuiRounding as _;
use egui::{Align2, FontId, Pos2, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2, vec2};
use egui_plot::{LineStyle, PlotBounds, PlotItem as _, PlotPoint, PlotTransform};

use super::kernels_section::{open_plots, text_at};
use crate::app::commands::Command;
use crate::app::files::SideSection;
use crate::app::inspect::chart::StrokedCurve;
use crate::app::session::{PanelTrait, Session};
use crate::app::widgets::fit::{first_that_fits, text_width};
use crate::app::widgets::number::round_step;
use crate::app::widgets::panel_mark::{self, DOT_WIDTH};
use crate::app::widgets::theme::{Palette, PanelStyle, SMALL_RADIUS, SPACE, text_size};
use crate::plots::Chart;
use crate::text::short;

/// Greatest number of panels whose plots are in two columns. Those of more are in three.
const MOST_OF_TWO: usize = 4;
/// Least distance of the lines at round distances, in points.
const LEAST_STEP: f64 = 14.0;
/// Opacity of these lines over that of other lines.
const GRID_OPACITY: f32 = 0.55;
/// Height of a name below a plot, and least height of a plot that has one, in points.
const NAME_HEIGHT: f32 = 18.0;
const LEAST_NAMED: f32 = 40.0;
/// Part of the height of a plot that is free below its curves for numbers.
const NUMBERS_SHARE: f64 = 0.06;
/// Distance of a number from its line, in points.
const NUMBER_GAP: f32 = 2.0;
/// Least width of a plot that has the panel's dot below it, and not in its corner, in points. It has numbers at its lines, too, from a least
/// height on.
const LEAST_WITH_DOT: f32 = 96.0;
const LEAST_NUMBERED: f32 = 64.0;
/// Distance of a panel's number from the left and the top of its plot, in points.
const NUMBER_MARGIN: [f32; 2] = [6.0, 4.0];

/// Draws the plots of `panels`, the entries of `chart`, in `place`. Appends the command of a click on it to `asked`.
pub(super) fn show(
    ui: &Ui,
    (session, panels): (&mut Session, &[usize]),
    (chart, widening): (&Chart, Option<f64>),
    (place, response): (Rect, Response),
    asked: &mut Vec<Command>,
) {
    let [columns, rows] = columns_and_rows(panels.len());
    let [width, height] = [(place.width(), columns), (place.height(), rows)]
        .map(|(side, count)| (side - SPACE * (count as f32 - 1.0)) / count as f32);
    let mut tip = None;
    for (entry, &index) in panels.iter().enumerate() {
        let [column, row] = [entry % columns, entry / columns].map(|count| count as f32);
        let corner = place.min + vec2(column * (width + SPACE), row * (height + SPACE));
        let whole = Rect::from_min_size(corner, vec2(width, height));
        let named = height - NAME_HEIGHT;
        let cell = whole.with_max_y(corner.y + if named >= LEAST_NAMED { named } else { height });
        let name = session.panel_name(index);
        ui.interact(cell, response.id.with(("kernel of", entry)), Sense::hover())
            .widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("Kernel of {}", name.numbered())));
        // The plots are not pointed at through a menu in front of them.
        let pointer = response.hover_pos().filter(|pointer| cell.contains(*pointer));
        let x = show_cell(ui, session, chart, (entry, index), (cell, pointer));
        if cell == whole {
            show_number(ui, session, index, cell);
        } else {
            show_method(ui, session, index, (cell, whole.with_min_y(cell.bottom())));
        }
        tip = tip.or(x.map(|x| format!("{}\n{}", name.whole(), text_at(session, (chart, widening), panels, x))));
    }
    // Between two plots it says what they are.
    let tip = tip.unwrap_or_else(|| SideSection::Kernels.row().help.to_owned());
    open_plots(ui, session, response, &tip, asked);
}

/// Numbers of columns and of rows of `count` plots.
pub(super) fn columns_and_rows(count: usize) -> [usize; 2] {
    let columns = if count <= MOST_OF_TWO { count.clamp(1, 2) } else { 3 };
    [columns, count.div_ceil(columns)]
}

/// Draws the number and the method of panel `index` below its plot, `cell`: the name in the longer of two forms that fits in `place`. The
/// panel's dot is before it, in a narrow plot in the corner of that. Where prefilters tell panels apart, the name says whether the prefilter
/// is on.
fn show_method(ui: &Ui, session: &Session, index: usize, (cell, place): (Rect, Rect)) {
    let [_, title, short] = session.shown_method(index).0.names();
    let is_prefiltered = session.panels()[index].sampler.prefilter;
    let names = match session.tells(index, PanelTrait::Prefilter) {
        true if is_prefiltered => [format!("{short}, prefiltered"), "Prefiltered".to_owned()],
        true => [format!("{short}, no prefilter"), short],
        false => [title, short],
    };
    let names = names.map(|name| format!("{} {name}", index + 1));
    let widths = names.each_ref().map(|name| text_width(ui, name, text_size::UNIT));
    let has_dot = place.width() >= LEAST_WITH_DOT;
    let dot = if has_dot { DOT_WIDTH + SPACE } else { 0.0 };
    // A name may reach into half of the gaps beside its plot.
    let form = first_that_fits(place.width() + SPACE - dot, &widths);
    let left = (place.center().x - 0.5 * (dot + widths[form])).round_to_pixels(ui.pixels_per_point());
    show_text(ui, session, index, (pos2(left, place.top() + 1.0), &names[form], has_dot));
    if !has_dot {
        show_text(ui, session, index, (cell.min + Vec2::from(NUMBER_MARGIN), "", true));
    }
}

/// Draws the number of panel `index` with its dot in the corner of its plot, `cell`, which has no name.
fn show_number(ui: &Ui, session: &Session, index: usize, cell: Rect) {
    show_text(ui, session, index, (cell.min + Vec2::from(NUMBER_MARGIN), &(index + 1).to_string(), true));
}

/// Draws a text of panel `index` from its left upper `corner`, behind the panel's dot if it `has_dot`.
fn show_text(ui: &Ui, session: &Session, index: usize, (corner, text, has_dot): (Pos2, &str, bool)) {
    let palette = Palette::of_ui(ui);
    let is_marked = session.focused() == index || session.pointed() == Some(index);
    let colour = if is_marked { palette.text } else { palette.weak };
    let galley = ui.painter().layout_no_wrap(text.to_owned(), FontId::proportional(text_size::UNIT), colour);
    let mut left = corner.x;
    if has_dot {
        let dot = corner + vec2(0.5 * DOT_WIDTH, 0.5 * galley.size().y);
        panel_mark::paint_dot(ui.painter(), dot, palette.panel(index).color);
        left += DOT_WIDTH + SPACE;
    }
    ui.painter().galley(pos2(left, corner.y), galley, colour);
}

/// Draws the curve of an entry, that of panel `index`, in `cell`. Returns the distance under the `pointer`, if that is in the cell.
fn show_cell(
    ui: &Ui,
    session: &Session,
    chart: &Chart,
    (entry, index): (usize, usize),
    (cell, pointer): (Rect, Option<Pos2>),
) -> Option<f64> {
    let palette = Palette::of_ui(ui);
    let is_focused = session.focused() == index;
    let is_marked = is_focused || session.pointed() == Some(index);
    let outline = match () {
        () if is_focused => palette.panel(index).color,
        () if is_marked || pointer.is_some() => palette.weak,
        () => palette.line,
    };
    ui.painter().rect(cell, SMALL_RADIUS, palette.field, Stroke::new(1.0, outline), StrokeKind::Inside);
    let painter = ui.painter().with_clip_rect(cell.shrink(1.0));
    let [[left, right], [bottom, top]] = [chart.x_range, chart.y_range];
    let has_numbers = cell.width() >= LEAST_WITH_DOT && cell.height() >= LEAST_NUMBERED;
    let bottom = if has_numbers { bottom - NUMBERS_SHARE * (top - bottom) } else { bottom };
    let bounds = PlotBounds::from_min_max([left, bottom], [right, top]);
    let transform = PlotTransform::new(cell.shrink2(vec2(SPACE, 1.0)), bounds, [false; 2]);
    let pos = |x: f64| transform.position_from_point(&PlotPoint::new(x, 0.0));
    let grid = Stroke::new(1.0, palette.line.gamma_multiply(GRID_OPACITY));
    let step = line_distance(right, f64::from(0.5 * cell.width()));
    // Without those at the edges of the plot, which has an outline there.
    for count in (left / step).floor() as i64 + 1..(right / step).ceil() as i64 {
        painter.vline(pos(count as f64 * step).x, cell.y_range(), grid);
    }
    let zero = pos(0.0).y;
    painter.hline(cell.x_range(), zero, Stroke::new(1.0, palette.outline));
    if has_numbers {
        let one = transform.position_from_point(&PlotPoint::new(0.0, 1.0)).y;
        painter.hline(cell.x_range(), one, grid);
        let write = |at: Pos2, anchor: Align2, text: String| {
            painter.text(at, anchor, text, FontId::proportional(text_size::UNIT), palette.weak);
        };
        write(pos2(cell.left() + SPACE, one), Align2::LEFT_TOP, "1".to_owned());
        // Between the line and the middle, where no kernel is below 0.
        let distance = short(step, 3);
        write(pos2(pos(step).x - NUMBER_GAP, zero), Align2::RIGHT_TOP, distance.clone());
        write(pos2(pos(-step).x + NUMBER_GAP, zero), Align2::LEFT_TOP, format!("−{distance}"));
    }
    let style = PanelStyle { line: LineStyle::Solid, ..palette.panel(index) };
    let mut shapes = Vec::new();
    for series in chart.series.iter().filter(|series| series.entry == entry) {
        StrokedCurve::new("", series.points.clone(), style).shapes(ui, &transform, &mut shapes);
    }
    painter.extend(shapes);
    pointer.map(|pointer| transform.value_from_position(pointer).x)
}

/// Distance of the lines of a plot that reaches `reach` samples in each `width` of points: a round number of samples.
fn line_distance(reach: f64, width: f64) -> f64 {
    round_step((reach * LEAST_STEP / width).max(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::View;

    #[test]
    fn lines_are_at_round_distances_and_apart_at_any_reach() {
        for (reach, distance) in [(2.0, 1.0), (4.0, 1.0), (6.0, 2.0), (13.0, 5.0), (40.0, 10.0)] {
            assert_eq!(line_distance(reach, 58.0), distance, "{reach}");
        }
        let most = 8.0 * View::SCALES.1;
        assert!(58.0 * line_distance(most, 58.0) / most >= LEAST_STEP, "{}", line_distance(most, 58.0));
    }

    #[test]
    fn plots_are_in_at_most_three_rows_and_columns() {
        for (count, columns, rows) in [(1, 1, 1), (2, 2, 1), (3, 2, 2), (4, 2, 2), (5, 3, 2), (6, 3, 2), (9, 3, 3)] {
            assert_eq!(columns_and_rows(count), [columns, rows], "{count}");
        }
    }
}
