//! What is painted over a chart besides its series: the texture's axis, what lies beyond the edges, areas.

use egui::{Align2, Color32, FontId, Mesh, Pos2, Rect, Shape, Stroke, Ui, pos2, vec2};
use egui_plot::{PlotPoint, PlotTransform};

use super::UPPER_AXIS;
use super::made::Made;
use crate::app::lab::chart_view::RING_RADIUS;
use crate::app::session::one_dimension::LineTab;
use crate::app::widgets::theme::{Palette, RADIUS, text_size};
use crate::plots::SeriesShape;

/// Least distance of two numbers of the upper axis, in points.
const LEAST_DISTANCE: f32 = 26.0;
/// Length of a tick, in points.
const TICK: f32 = 3.0;
/// Every so many points of a curve an area has an edge.
const COARSER: usize = 4;

/// Paints the layers of the open tab, the texture's axis over values if `has_upper`.
pub(super) fn show(ui: &Ui, made: &Made, transform: &PlotTransform, has_upper: bool) {
    let palette = Palette::of_ui(ui);
    match made.tab {
        LineTab::Values => {
            beyond(ui, made, transform, &palette);
            if has_upper {
                upper_axis(ui, transform, &palette);
            }
        }
        LineTab::Impulses => {
            beyond(ui, made, transform, &palette);
            upper_axis(ui, transform, &palette);
        }
        LineTab::Prefilter => {
            beyond(ui, made, transform, &palette);
            upper_axis(ui, transform, &palette);
        }
        LineTab::Basis => {
            bands(ui, made, transform, &palette);
            beyond(ui, made, transform, &palette);
            upper_axis(ui, transform, &palette);
        }
        LineTab::Splines => interval(ui, made, transform, &palette),
    }
}

fn place(transform: &PlotTransform, x: f64, y: f64) -> Pos2 {
    transform.position_from_point(&PlotPoint::new(x, y))
}

/// Dims what lies beyond the outermost texels, and names the address mode there.
fn beyond(ui: &Ui, made: &Made, transform: &PlotTransform, palette: &Palette) {
    let (frame, signal) = (*transform.frame(), &made.state().signal);
    let painter = ui.painter_at(frame);
    let [left, right] = [-0.5, signal.last() + 0.5].map(|x| place(transform, x, 0.0).x);
    let name = signal.address.row().title;
    for side in [frame.with_max_x(left), frame.with_min_x(right)] {
        if !side.is_positive() {
            continue;
        }
        painter.rect_filled(side, 0.0, palette.ground.gamma_multiply(0.45));
        let at = pos2(side.center().x, side.top() + 2.0);
        let text = painter.layout_no_wrap(name.to_owned(), FontId::proportional(text_size::UNIT), palette.weak);
        let rect = Align2::CENTER_TOP.anchor_size(at, text.size());
        // Over a curve the name has a ground.
        painter.rect_filled(rect.expand2(vec2(4.0, 0.0)), RADIUS, palette.surface);
        painter.galley(rect.min, text, palette.weak);
    }
}

/// The axis of the texture's argument x + ½ above the chart: its whole numbers are the edges of texels.
fn upper_axis(ui: &Ui, transform: &PlotTransform, palette: &Palette) {
    let frame = *transform.frame();
    let font = FontId::proportional(text_size::UNIT);
    let strip = Rect::from_min_max(pos2(frame.left(), frame.top() - UPPER_AXIS), frame.right_top());
    let painter = ui.painter_at(strip.expand2(vec2(12.0, 1.0)));
    let [from, to] = [transform.bounds().min()[0], transform.bounds().max()[0]];
    let distance = place(transform, 1.0, 0.0).x - place(transform, 0.0, 0.0).x;
    let every = [1, 2, 5, 10, 20, 50].into_iter().find(|every| distance * *every as f32 >= LEAST_DISTANCE);
    let every = f64::from(every.unwrap_or(100));
    let caption = painter.layout_no_wrap("Texture: t = x + ½".to_owned(), font.clone(), palette.weak);
    let free = frame.right() - caption.size().x - 8.0;
    painter.galley(pos2(frame.right() - caption.size().x, strip.top()), caption, palette.weak);
    let mut argument = ((from + 0.5) / every).ceil() * every;
    while argument <= to + 0.5 {
        let x = place(transform, argument - 0.5, 0.0).x;
        if x + 6.0 < free && x > frame.left() {
            painter.vline(x, frame.top() - TICK..=frame.top(), Stroke::new(1.0, palette.weak));
            let text = argument.to_string().replace('-', "−");
            painter.text(pos2(x, strip.top()), Align2::CENTER_TOP, text, font.clone(), palette.weak);
        }
        argument += every;
    }
}

/// Draws the passes of the prefilter as circles over the dots of the samples: hollow forwards, filled backwards.
pub(super) fn passes(ui: &Ui, made: &Made, transform: &PlotTransform) {
    if made.tab != LineTab::Prefilter {
        return;
    }
    let palette = &Palette::of_ui(ui);
    let painter = ui.painter_at(*transform.frame());
    let styles = made.styles(palette);
    for series in &made.chart.series {
        let Some(colour) = styles.get(series.entry).map(|entry| entry.style.color) else { continue };
        let fill = match series.shape {
            SeriesShape::Rings => Color32::TRANSPARENT,
            SeriesShape::Stems => colour,
            SeriesShape::Line | SeriesShape::Dots => continue,
        };
        for [x, y] in &series.points {
            painter.circle(place(transform, *x, *y), RING_RADIUS, fill, Stroke::new(1.5, colour));
        }
    }
}

/// Tints the basis functions, neighbours unlike each other.
fn bands(ui: &Ui, made: &Made, transform: &PlotTransform, palette: &Palette) {
    for band in &made.bands {
        let strength = if band.index.rem_euclid(2) == 0 { 0.30 } else { 0.14 };
        let last = band.edges.len().saturating_sub(1);
        let coarse = band.edges.iter().enumerate().filter(|(place, _)| place % COARSER == 0 || *place == last);
        let edges = coarse.map(|(_, [x, low, high])| [place(transform, *x, *low), place(transform, *x, *high)]);
        area(ui, &edges.collect::<Vec<_>>(), *transform.frame(), palette.accent.gamma_multiply(strength));
    }
}

/// Tints the interval of the tab *B-splines* under the spline of the degree before, and marks its ends.
fn interval(ui: &Ui, made: &Made, transform: &PlotTransform, palette: &Palette) {
    const STEPS: u32 = 48;
    let (Some(before), _) = made.splines() else { return };
    let middle = made.state().place;
    let edge = |step: u32| {
        // Inside of the ends: the box jumps there.
        let x = middle - 0.5 + 1e-9 + (1.0 - 2e-9) * f64::from(step) / f64::from(STEPS);
        [place(transform, x, 0.0), place(transform, x, before.at(x))]
    };
    area(ui, &(0..=STEPS).map(edge).collect::<Vec<_>>(), *transform.frame(), palette.accent.gamma_multiply(0.30));
    let painter = ui.painter_at(*transform.frame());
    for x in [middle - 0.5, middle + 0.5].map(|x| place(transform, x, 0.0).x) {
        painter.vline(x, transform.frame().y_range(), Stroke::new(1.0, palette.accent.gamma_multiply(0.6)));
    }
}

/// Fills the area between two edges of points.
fn area(ui: &Ui, edges: &[[Pos2; 2]], frame: Rect, colour: Color32) {
    let mut mesh = Mesh::default();
    for [low, high] in edges {
        mesh.colored_vertex(*low, colour);
        mesh.colored_vertex(*high, colour);
    }
    for pair in 0..(edges.len() as u32).saturating_sub(1) {
        let first = 2 * pair;
        mesh.add_triangle(first, first + 1, first + 2);
        mesh.add_triangle(first + 1, first + 2, first + 3);
    }
    ui.painter_at(frame).add(Shape::mesh(mesh));
}
