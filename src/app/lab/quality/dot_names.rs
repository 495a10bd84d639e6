//! Names beside the dots of a chart, none over another.

use egui::{Align2, FontId, Pos2, Rect, Stroke, Ui, Vec2, vec2};

use crate::app::widgets::theme::{Palette, text_size};

/// Distance of a name from its dot along both axes, and the radius of a dot with its margin, in points.
const NEAR: Vec2 = vec2(4.0, 1.0);
const DOT: f32 = 2.5;
/// How much farther from its dot a name may be, in points.
const FARTHER: [f32; 3] = [0.0, 9.0, 18.0];

/// Corners of a name at its dot, in the order in which they are tried.
const CORNERS: [Align2; 4] = [Align2::LEFT_BOTTOM, Align2::RIGHT_BOTTOM, Align2::LEFT_TOP, Align2::RIGHT_TOP];

/// Draws `names` beside `dots` into `frame`.
pub(super) fn show(ui: &Ui, frame: Rect, dots: &[Pos2], names: &[&str]) {
    let palette = Palette::of_ui(ui);
    let painter = ui.painter().with_clip_rect(frame);
    let font = FontId::proportional(text_size::UNIT);
    let galleys = names.iter().map(|name| painter.layout_no_wrap((*name).to_owned(), font.clone(), palette.text));
    let galleys: Vec<_> = galleys.collect();
    let sizes: Vec<Vec2> = galleys.iter().map(|galley| galley.size()).collect();
    for ((galley, place), dot) in galleys.into_iter().zip(places(frame, dots, &sizes)).zip(dots) {
        // A name that is farther away is led to its dot.
        if place.distance_to_pos(*dot) > 2.0 * NEAR.x {
            painter.line_segment([*dot, place.clamp(*dot)], Stroke::new(1.0, palette.weak.gamma_multiply(0.6)));
        }
        painter.galley(place.min, galley, palette.text);
    }
}

/// Where names of `sizes` are beside `dots`: inside `frame`, over no dot and no other name, where that is possible.
fn places(frame: Rect, dots: &[Pos2], sizes: &[Vec2]) -> Vec<Rect> {
    let mut taken: Vec<Rect> = Vec::new();
    for (dot, size) in dots.iter().zip(sizes) {
        let candidates = FARTHER.into_iter().flat_map(|farther| {
            CORNERS.map(|corner| {
                let [x, y] = [-corner.x().to_sign(), -corner.y().to_sign()];
                corner.anchor_size(*dot + vec2(x * (NEAR.x + farther), y * (NEAR.y + 0.5 * farther)), *size)
            })
        });
        let is_free = |place: &Rect| {
            frame.contains_rect(*place)
                && !taken.iter().any(|other| other.intersects(*place))
                && !dots.iter().any(|dot| place.intersects(Rect::from_center_size(*dot, Vec2::splat(2.0 * DOT))))
        };
        let usual = CORNERS[0].anchor_size(*dot + vec2(NEAR.x, -NEAR.y), *size);
        taken.push(candidates.into_iter().find(is_free).unwrap_or(usual));
    }
    taken
}

#[cfg(test)]
mod tests {
    use egui::pos2;

    use super::*;

    #[test]
    fn names_of_dots_that_crowd_at_the_upper_edge_are_apart_and_inside() {
        let frame = Rect::from_min_max(pos2(0.0, 0.0), pos2(400.0, 110.0));
        let dots = [[150.0, 14.0], [152.0, 14.0], [155.0, 15.0], [153.0, 20.0], [396.0, 60.0], [40.0, 3.0]];
        let dots = dots.map(|[x, y]| pos2(x, y));
        let sizes = [vec2(7.0, 13.0); 6];
        let found = places(frame, &dots, &sizes);
        for (index, place) in found.iter().enumerate() {
            assert!(frame.contains_rect(*place), "{index}: {place:?}");
            assert!(found[..index].iter().all(|other| !other.intersects(*place)), "{index}: {found:?}");
            assert!(dots.iter().all(|dot| !place.contains(*dot)), "{index}: {place:?}");
            assert!(place.distance_to_pos(dots[index]) < 24.0, "{index}: {place:?}");
        }
        // Names that are farther away have lines to their dots.
        egui::__run_test_ui(|ui| show(ui, frame, &dots, &["1", "2", "3", "4", "5", "6"]));
        // A dot alone has its name to the upper right.
        assert_eq!(places(frame, &[pos2(200.0, 60.0)], &sizes[..1])[0].left_bottom(), pos2(204.0, 59.0));
    }
}
