//! The name of a chart's vertical axis, in the corner of the chart where the fewest curves are.

use egui::{Align2, FontId, Rect, Ui, pos2, vec2};

use crate::app::widgets::theme::{Palette, SPACE, text_size};
use crate::plots::{Chart, Guide, SeriesShape};

/// Places of a line between two points that are looked at.
const STEPS: u32 = 8;
/// Distance of the name from curves and dots, in points.
const MARGIN: f32 = 2.0 * SPACE;
/// Weight of a guide's name in a corner, in places of a series.
const NAME: usize = 1000;

/// Corners in the order in which equal ones are chosen.
const CORNERS: [Align2; 4] = [Align2::LEFT_TOP, Align2::RIGHT_TOP, Align2::RIGHT_BOTTOM, Align2::LEFT_BOTTOM];

/// Draws the name of the vertical axis of `chart` into its `frame`. Zoom and pan do not move it.
pub(super) fn show(ui: &Ui, chart: &Chart, frame: Rect) {
    let palette = Palette::of_ui(ui);
    let font = FontId::proportional(text_size::UNIT);
    let text = ui.painter().layout_no_wrap(chart.y.label.to_owned(), font, palette.weak);
    let inside = frame.shrink2(vec2(SPACE, 0.5 * SPACE));
    if text.size().x > inside.width() || text.size().y > inside.height() {
        return;
    }
    let place = |corner: Align2| corner.align_size_within_rect(text.size(), inside);
    let crowd = |corner: &Align2| crowd(chart, shares(place(*corner).expand(MARGIN), frame));
    let Some(corner) = CORNERS.into_iter().min_by_key(crowd) else { return };
    let place = place(corner);
    // Readable over a curve that has no other place.
    ui.painter().rect_filled(place.expand2(vec2(0.5 * SPACE, 0.0)), 2.0, palette.field.gamma_multiply(0.8));
    ui.painter().galley(place.min, text, palette.weak);
}

/// `place` in shares of `frame`: 0 is its left or lower edge, 1 the right or upper one.
fn shares(place: Rect, frame: Rect) -> Rect {
    let share = |x: f32, y: f32| pos2((x - frame.left()) / frame.width(), (frame.bottom() - y) / frame.height());
    Rect::from_two_pos(share(place.left(), place.bottom()), share(place.right(), place.top()))
}

/// How much of `chart` lies in `part`, which is in shares of its ranges.
fn crowd(chart: &Chart, part: Rect) -> usize {
    let share = |value: f64, [low, high]: [f64; 2]| ((value - low) / (high - low)) as f32;
    let at = |[x, y]: [f64; 2]| pos2(share(x, chart.x_range), share(y, chart.y_range));
    let mut count = 0;
    for series in &chart.series {
        count += series.points.iter().filter(|point| part.contains(at(**point))).count();
        if series.shape != SeriesShape::Line {
            continue;
        }
        for pair in series.points.windows(2) {
            let (from, to) = (at(pair[0]), at(pair[1]));
            let between = (1..STEPS).map(|step| from + (to - from) * (step as f32 / STEPS as f32));
            count += between.filter(|pos| part.contains(*pos)).count();
        }
    }
    let has_name = |guide: &&Guide| match **guide {
        // The name is right of the line, at the upper edge.
        Guide::Line { x, .. } => {
            let x = share(x, chart.x_range);
            part.bottom() > 0.99 - part.height() && part.left() < x + part.width() && x < part.right()
        }
        // The name is at the left, below the upper end of the band.
        Guide::Band { y: [_, to], .. } => {
            let y = share(to, chart.y_range);
            part.left() < 0.1 && part.top() < y && y - part.height() < part.bottom()
        }
    };
    count + NAME * chart.guides.iter().filter(has_name).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plots::{Plot, PlotKind, Reconstruction};
    use crate::sampling::Method;

    /// The corner of a name of a third by a tenth.
    fn corner(chart: &Chart) -> Align2 {
        let place = |corner: &Align2| {
            let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(300.0, 100.0));
            crowd(chart, shares(corner.align_size_within_rect(vec2(100.0, 12.0), whole), whole))
        };
        CORNERS.into_iter().min_by_key(place).expect("a corner")
    }

    #[test]
    fn name_of_the_axis_is_in_a_corner_without_curves_and_without_names_of_guides() {
        let filters = [Method::Linear, Method::CATMULL_ROM].map(|method| Reconstruction::of(method, false));
        let chart = |kind| Plot::new(kind, &filters, &[]).chart();
        // A kernel is high in the middle, a response is high at the left, in decibels too.
        assert_eq!(corner(&chart(PlotKind::Kernel)), Align2::LEFT_TOP);
        assert_eq!(corner(&chart(PlotKind::Response)), Align2::RIGHT_TOP);
        assert_eq!(corner(&chart(PlotKind::ResponseDb)), Align2::RIGHT_TOP);
        let mut named = chart(PlotKind::Kernel);
        named.guides.push(Guide::Line { x: -1.9, label: "a name at the upper left" });
        assert_eq!(corner(&named), Align2::RIGHT_TOP);
    }
}
