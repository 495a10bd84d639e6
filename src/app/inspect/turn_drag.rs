//! Rotation by a drag: a lever from the point of the press to the pointer turns the view about that point.
//!
//! ```text
//!   press ·────────────· pointer      the image turns with the lever
//! ```
//! The angle counts from the direction in which the lever first is [`LEVER`] long. It rests at whole quarter turns; in steps
//! it is a multiple of [`STEP_DEG`].

use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Stroke, Vec2, vec2};

use crate::app::widgets::theme::{SMALL_RADIUS, text_size};
use crate::image::Size;
use crate::text::short;
use crate::view::{View, reduced_deg};

/// Minimum length of the lever, in points. The direction of a shorter one is uncertain.
const LEVER: f32 = 16.0;
/// Distance from a quarter turn within which the view rests at it, in degrees.
const REST_DEG: f64 = 2.0;
/// Angle of a step, in degrees.
const STEP_DEG: f64 = 15.0;

/// The rotation in progress.
#[derive(Clone, Copy, Debug)]
pub(super) struct TurnDrag {
    /// The view that angles count from.
    start: View,
    /// The view that the drag led to last.
    last: View,
    /// Direction of the lever that leaves `start` as it is, in degrees, counter-clockwise; `None` until it is long enough.
    from_deg: Option<f64>,
}

/// The lever of one frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lever {
    /// From the point of the press to the pointer, in points.
    pub(super) arm: Vec2,
    /// The point of the press, in output pixels.
    pub(super) about_px: [f64; 2],
    /// Size of the picture.
    pub(super) output: Size,
    /// Whether the angle is a multiple of [`STEP_DEG`].
    pub(super) in_steps: bool,
}

impl TurnDrag {
    /// A rotation of `view` that has not begun to turn it.
    pub(super) fn new(view: View) -> Self {
        Self { start: view, last: view, from_deg: None }
    }

    /// The view that the lever turns `view` to; `None` if it stays.
    pub(super) fn follow(&mut self, lever: Lever, view: View) -> Option<View> {
        if self.last != view {
            // Something else moved the view, such as the wheel or a key: the rotation continues from there.
            *self = Self::new(view);
        }
        if lever.arm.length() < LEVER {
            return None;
        }
        let direction_deg = f64::from(-lever.arm.y).atan2(f64::from(lever.arm.x)).to_degrees();
        let turned_deg = reduced_deg(direction_deg - *self.from_deg.get_or_insert(direction_deg));
        if turned_deg == 0.0 && self.last == self.start {
            return None;
        }
        let free_deg = self.start.angle_deg() + turned_deg;
        let quarter_deg = (free_deg / 90.0).round() * 90.0;
        let to_deg = if lever.in_steps {
            (free_deg / STEP_DEG).round() * STEP_DEG
        } else if (free_deg - quarter_deg).abs() < REST_DEG {
            quarter_deg
        } else {
            free_deg
        };
        let to = self.start.rotated_about(lever.about_px, to_deg, lever.output);
        self.last = to;
        (to != view).then_some(to)
    }

    /// Draws the lever from `start` to `end` with the angle of the view beside its end, within `room`.
    pub(super) fn paint(&self, painter: &Painter, [start, end]: [Pos2; 2], room: Rect) {
        let dark = Color32::from_black_alpha(170);
        painter.circle_stroke(start, 5.0, Stroke::new(3.0, dark));
        painter.circle_stroke(start, 5.0, Stroke::new(1.0, Color32::WHITE));
        if (end - start).length() < LEVER {
            return;
        }
        let from = start + 5.0 * (end - start).normalized();
        painter.line_segment([from, end], Stroke::new(3.0, dark));
        painter.line_segment([from, end], Stroke::new(1.0, Color32::WHITE));
        let font = FontId::proportional(text_size::VALUE);
        let galley = painter.layout_no_wrap(angle_text(self.last.angle_deg()), font, Color32::WHITE);
        let far = room.max - galley.size() - vec2(7.0, 4.0);
        let near = room.min + vec2(7.0, 4.0);
        let corner = Align2::LEFT_TOP.anchor_size(end + vec2(14.0, 14.0), galley.size()).min.min(far).max(near);
        painter.rect_filled(Rect::from_min_size(corner, galley.size()).expand2(vec2(5.0, 2.0)), SMALL_RADIUS, dark);
        painter.galley(corner, galley, Color32::WHITE);
    }
}

/// An angle as shown: `−22.5°`.
pub(in crate::app) fn angle_text(angle_deg: f64) -> String {
    format!("{}°", short(angle_deg, 5)).replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::size;

    /// Angles of a view from `start_deg` while the lever goes through these directions, in degrees.
    fn angles(start_deg: f64, directions: &[f32], in_steps: bool) -> Vec<f64> {
        let mut view = View::new([3.0, 4.0], 0.5).and_then(|view| view.rotated(start_deg)).expect("a view");
        let mut drag = TurnDrag::new(view);
        let mut follow = |degrees: &f32| {
            let arm = 50.0 * vec2(degrees.to_radians().cos(), -degrees.to_radians().sin());
            let lever = Lever { arm, about_px: [30.0, 40.0], output: size(200, 100), in_steps };
            view = drag.follow(lever, view).unwrap_or(view);
            (view.angle_deg() * 1e3).round() / 1e3
        };
        directions.iter().map(&mut follow).collect()
    }

    #[test]
    fn lever_turns_the_view_by_its_own_rotation_and_rests_at_quarter_turns() {
        assert_eq!(angles(0.0, &[20.0, 21.0, 30.0, 60.0, 109.5, 113.0], false), [0.0, 0.0, 10.0, 40.0, 90.0, 93.0]);
        assert_eq!(angles(30.0, &[-170.0, 170.0, -170.0], false), [30.0, 10.0, 30.0]);
    }

    #[test]
    fn steps_are_multiples_of_15_degrees_of_the_view() {
        assert_eq!(angles(4.0, &[0.0, 3.0, 4.0, 20.0, -30.0], true), [4.0, 0.0, 15.0, 30.0, -30.0]);
    }

    #[test]
    fn short_lever_turns_nothing() {
        let view = View::default();
        let mut drag = TurnDrag::new(view);
        let lever = |x: f32, y: f32| Lever { arm: vec2(x, y), about_px: [0.0; 2], output: size(9, 9), in_steps: false };
        assert_eq!(drag.follow(lever(4.0, 0.0), view), None);
        assert_eq!(drag.follow(lever(0.0, 15.0), view), None);
        assert_eq!(drag.follow(lever(20.0, 0.0), view), None);
        let turned = drag.follow(lever(0.0, 20.0), view).expect("a turn");
        assert!((turned.angle_deg() + 90.0).abs() < 1e-9, "{turned:?}");
    }

    #[test]
    fn view_that_something_else_moved_is_turned_from_where_it_is() {
        let view = View::default();
        let mut drag = TurnDrag::new(view);
        let lever = |x: f32, y: f32| Lever { arm: vec2(x, y), about_px: [4.0; 2], output: size(9, 9), in_steps: false };
        assert_eq!(drag.follow(lever(20.0, 0.0), view), None);
        let turned = drag.follow(lever(20.0, -20.0), view).expect("a turn");
        let zoomed = turned.zoomed_about([1.0, 2.0], 0.25, size(9, 9));
        assert_eq!(drag.follow(lever(20.0, -20.0), zoomed), None);
        let on = drag.follow(lever(0.0, -20.0), zoomed).expect("a turn");
        assert_eq!(on.scale(), 0.25);
        assert!((on.angle_deg() - 90.0).abs() < 1e-5, "{on:?}");
    }
}
