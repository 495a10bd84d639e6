//! Kernels of panels: a small plot for each with the name of the method below it, in the order of the panels, all with the same ranges.
//!
//! ```text
//! ╭──────────╮ ╭──────────╮ ╭──────────╮
//! │● 1 ┌──┐  │ │● 2  ╱╲   │ │● 3  ╱╲   │
//! │────┘  └──│ │────╱  ╲──│ │───╱    ╲─│
//! ╰──────────╯ ╰──────────╯ ╰──────────╯
//!  Nearest      Linear       B-spline
//! ```

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

/// Greatest number of panels whose plots are one below the other, and in two columns. Those of more are in three.
const MOST_OF_ONE: usize = 2;
const MOST_OF_TWO: usize = 4;
/// Least distance of the lines at round distances, in points.
const LEAST_STEP: f64 = 14.0;
/// Opacity of these lines over that of other lines.
const GRID_OPACITY: f32 = 0.55;
/// Height of a name below a plot, and least height of a plot that has one, in points.
const NAME_HEIGHT: f32 = 18.0;
const LEAST_NAMED: f32 = 40.0;
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
    let columns = columns_of(panels.len());
    let rows = panels.len().div_ceil(columns);
    let [width, height] = [(place.width(), columns), (place.height(), rows)]
        .map(|(side, count)| (side - SPACE * (count as f32 - 1.0)) / count as f32);
    let mut tip = None;
    for (entry, &index) in panels.iter().enumerate() {
        let [column, row] = [entry % columns, entry / columns].map(|count| count as f32);
        let corner = place.min + vec2(column * (width + SPACE), row * (height + SPACE));
        let whole = Rect::from_min_size(corner, vec2(width, height));
        let named = height - NAME_HEIGHT;
        let cell = whole.with_max_y(corner.y + if named >= LEAST_NAMED { named } else { height });
        if cell != whole {
            show_method(ui, session, index, whole.with_min_y(cell.bottom()));
        }
        let name = session.panel_name(index);
        ui.interact(cell, response.id.with(("kernel of", entry)), Sense::hover())
            .widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("Kernel of {}", name.numbered())));
        // The plots are not pointed at through a menu in front of them.
        let pointer = response.hover_pos().filter(|pointer| cell.contains(*pointer));
        let x = show_cell(ui, session, chart, (entry, index), (cell, pointer));
        tip = tip.or(x.map(|x| format!("{}\n{}", name.whole(), text_at(session, (chart, widening), panels, x))));
    }
    // Between two plots it says what they are.
    let tip = tip.unwrap_or_else(|| SideSection::Kernels.row().help.to_owned());
    open_plots(ui, session, response, &tip, asked);
}

/// Number of columns of `count` plots.
fn columns_of(count: usize) -> usize {
    if count <= MOST_OF_ONE {
        1
    } else if count <= MOST_OF_TWO {
        2
    } else {
        3
    }
}

/// Draws the name of the method of panel `index` below its plot, in the longer of two forms that fits in `place`. Where prefilters tell
/// panels apart, the name says whether the prefilter is on.
fn show_method(ui: &Ui, session: &Session, index: usize, place: Rect) {
    let [_, title, short] = session.shown_method(index).0.names();
    let is_prefiltered = session.panels()[index].sampler.prefilter;
    let names = match session.tells(index, PanelTrait::Prefilter) {
        true if is_prefiltered => [format!("{short}, prefiltered"), "Prefiltered".to_owned()],
        true => [format!("{short}, no prefilter"), short],
        false => [title, short],
    };
    let widths = names.each_ref().map(|name| text_width(ui, name, text_size::UNIT));
    let name = &names[first_that_fits(place.width(), &widths)];
    let is_marked = session.focused() == index;
    let colour = if is_marked { Palette::of_ui(ui).text } else { Palette::of_ui(ui).weak };
    let font = FontId::proportional(text_size::UNIT);
    ui.painter().text(place.center_top() + vec2(0.0, 1.0), Align2::CENTER_TOP, name, font, colour);
}

/// Draws the curve of an entry in `cell`, with the number of panel `index`. Returns the distance under the `pointer`, if that is in the cell.
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
    let style = PanelStyle { line: LineStyle::Solid, ..palette.panel(index) };
    let mut shapes = Vec::new();
    for series in chart.series.iter().filter(|series| series.entry == entry) {
        StrokedCurve::new("", series.points.clone(), style).shapes(ui, &transform, &mut shapes);
    }
    painter.extend(shapes);
    let colour = if is_marked { palette.text } else { palette.weak };
    let number = painter.layout_no_wrap((index + 1).to_string(), FontId::proportional(text_size::UNIT), colour);
    let corner = cell.min + Vec2::from(NUMBER_MARGIN);
    panel_mark::paint_dot(&painter, corner + vec2(0.5 * DOT_WIDTH, 0.5 * number.size().y), palette.panel(index).color);
    painter.galley(pos2(corner.x + DOT_WIDTH + SPACE, corner.y), number, colour);
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
        for (count, columns, rows) in [(1, 1, 1), (2, 1, 2), (3, 2, 2), (4, 2, 2), (5, 3, 2), (6, 3, 2), (9, 3, 3)] {
            assert_eq!((columns_of(count), count.div_ceil(columns_of(count))), (columns, rows), "{count}");
        }
    }
}
