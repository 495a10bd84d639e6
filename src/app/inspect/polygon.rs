//! Convex polygons on the screen, cut by rectangles.

use egui::{Pos2, Rect, Vec2};

/// The part of the convex polygon `corners` within `rect`, with its corners in order; empty if they are disjoint.
pub(super) fn clipped(corners: &[Pos2], rect: Rect) -> Vec<Pos2> {
    let sides: [fn(Pos2, Rect) -> f32; 4] = [
        |pos, rect| pos.x - rect.left(),
        |pos, rect| rect.right() - pos.x,
        |pos, rect| pos.y - rect.top(),
        |pos, rect| rect.bottom() - pos.y,
    ];
    let mut polygon = corners.to_vec();
    for inside in sides {
        let whole = std::mem::take(&mut polygon);
        for (index, &to) in whole.iter().enumerate() {
            let from = whole[(index + whole.len() - 1) % whole.len()];
            let (before, after) = (inside(from, rect), inside(to, rect));
            if (before > 0.0) != (after > 0.0) {
                polygon.push(from + (to - from) * (before / (before - after)));
            }
            if after > 0.0 {
                polygon.push(to);
            }
        }
    }
    polygon
}

/// Mean of the corners; `None` without corners.
pub(super) fn middle(corners: &[Pos2]) -> Option<Pos2> {
    let sum = corners.iter().fold(Vec2::ZERO, |sum, corner| sum + corner.to_vec2());
    (!corners.is_empty()).then(|| (sum / corners.len() as f32).to_pos2())
}

/// Whether the convex polygon `corners` contains `pos`, with its border.
pub(super) fn contains(corners: &[Pos2], pos: Pos2) -> bool {
    let turns = (0..corners.len()).map(|index| {
        let (from, to) = (corners[index], corners[(index + 1) % corners.len()]);
        let (side, way) = (to - from, pos - from);
        side.x * way.y - side.y * way.x
    });
    // All corners turn the same way about a position within.
    let [least, most] = turns.fold([f32::INFINITY, f32::NEG_INFINITY], |[a, b], turn| [a.min(turn), b.max(turn)]);
    least <= most && least * most >= 0.0
}

#[cfg(test)]
mod tests {
    use egui::pos2;

    use super::*;

    #[test]
    fn square_on_its_tip_is_cut_to_an_octagon() {
        let rect = Rect::from_min_max(pos2(-2.0, -2.0), pos2(2.0, 2.0));
        let tip = [pos2(3.0, 0.0), pos2(0.0, 3.0), pos2(-3.0, 0.0), pos2(0.0, -3.0)];
        let cut = clipped(&tip, rect);
        assert_eq!(cut.len(), 8, "{cut:?}");
        assert!(cut.iter().all(|at| (at.x.abs().max(at.y.abs()) - 2.0).abs() < 1e-6));
        assert!(middle(&cut).is_some_and(|middle| middle.to_vec2().length() < 1e-6));
        assert!(contains(&cut, pos2(1.0, 1.9)) && !contains(&cut, pos2(1.9, 1.9)));
    }

    /// The bounding boxes of both overlap.
    #[test]
    fn square_on_its_tip_beside_a_corner_is_disjoint() {
        let rect = Rect::from_min_max(pos2(2.0, 2.0), pos2(9.0, 9.0));
        let tip = [pos2(3.0, 0.0), pos2(0.0, 3.0), pos2(-3.0, 0.0), pos2(0.0, -3.0)];
        assert!(clipped(&tip, rect).is_empty());
        assert_eq!(middle(&[]), None);
        assert!(!contains(&[], Pos2::ZERO));
    }
}
