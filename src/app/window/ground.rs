//! The colour of the surroundings between the pictures.
//!
//! The window's background has the colour of the bars, so that neither they nor the ground behind pictures are painted: where the processor
//! runs OpenGL, a painted area takes as long as a picture of its size.

use egui::{Rect, Ui, pos2};

use crate::app::session::layout::PanelPlacement;
use crate::app::widgets::theme::{Palette, SPACE};

/// Least side of a rectangle that is painted, in points: less is rounding.
const LEAST: f32 = 0.01;

/// Width of the widest gap between two panels, in points. What else is left is wider.
const WIDEST_GAP: f32 = 2.0 * SPACE;

/// Paints what `places` leave of `within`.
pub(super) fn paint(ui: &Ui, within: Rect, places: &[PanelPlacement]) {
    let ppp = ui.pixels_per_point();
    let taken = places.iter().map(|place| {
        let picture = place.picture.in_points(ppp);
        let right = place.bar.map_or(picture.right(), |bar| bar.in_points(ppp).right());
        Rect::from_min_max(pos2(place.header[0] as f32, place.header[1] as f32) / ppp, pos2(right, picture.bottom()))
    });
    let palette = Palette::of_ui(ui);
    let width = ppp.round().max(1.0) / ppp;
    let tops = || places.iter().map(|place| place.header[1] as f32 / ppp);
    // Over the ground, which has other parts below the panels of a row.
    let mut lines = Vec::new();
    for rect in rest_of(within, taken) {
        ui.painter().rect_filled(rect, 0.0, palette.ground);
        if rect.width() <= WIDEST_GAP && rect.width() < rect.height() {
            // The surroundings of two pictures have one colour: the gap is a line, up to the one over the headers of the row below, which
            // goes on across it.
            let below = tops().filter(|top| *top > rect.bottom() - LEAST).min_by(f32::total_cmp);
            let bottom = below.map_or(rect.bottom(), |top| top + width);
            lines.push(rect.with_max_y(bottom));
        }
    }
    for line in lines {
        ui.painter().rect_filled(line, 0.0, palette.line);
    }
}

/// Rectangles that cover `within` but for `taken`.
fn rest_of(within: Rect, taken: impl Iterator<Item = Rect>) -> Vec<Rect> {
    taken.fold(vec![within], |rest, taken| rest.into_iter().flat_map(|rect| without(rect, taken)).collect())
}

/// The parts of `rect` above, below and beside `taken`.
fn without(rect: Rect, taken: Rect) -> Vec<Rect> {
    let common = rect.intersect(taken);
    if !common.is_positive() {
        return vec![rect];
    }
    let parts = [
        rect.with_max_y(common.top()),
        rect.with_min_y(common.bottom()),
        Rect::from_min_max(pos2(rect.left(), common.top()), pos2(common.left(), common.bottom())),
        Rect::from_min_max(pos2(common.right(), common.top()), pos2(rect.right(), common.bottom())),
    ];
    parts.into_iter().filter(|part| part.size().min_elem() > LEAST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rest_and_what_is_taken_cover_the_area_once() {
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..200 {
            let within = Rect::from_min_max(pos2(3.0, 5.0), pos2(23.0, 19.0));
            let mut corner = || pos2(random.u32(0..26) as f32, random.u32(0..22) as f32);
            let taken: Vec<Rect> = (0..4).map(|_| Rect::from_two_pos(corner(), corner())).collect();
            let rest = rest_of(within, taken.iter().copied());
            for x in 3..23 {
                for y in 5..19 {
                    let at = pos2(x as f32 + 0.5, y as f32 + 0.5);
                    let count = rest.iter().filter(|rect| rect.contains(at)).count();
                    let is_taken = taken.iter().any(|rect| rect.contains(at));
                    assert_eq!(count, usize::from(!is_taken), "{at} of {taken:?}: {rest:?}");
                }
            }
            assert!(rest.iter().all(|rect| within.contains_rect(*rect)), "{rest:?}");
        }
    }
}
