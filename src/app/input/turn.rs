//! Rotation by two fingers on a trackpad or a screen. A pinch always turns a little, so that a view turns only after
//! [`FREE_DEG`], and it rests at whole quarter turns.

/// Rotation of a gesture that does not turn the view, in degrees.
const FREE_DEG: f64 = 12.0;
/// Distance from a quarter turn within which the view rests at it, in degrees.
const REST_DEG: f64 = 3.0;
/// Maximum time between events of one gesture, in seconds.
const BURST_S: f64 = 0.25;

/// The gesture in progress.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Turn {
    gesture: Option<Gesture>,
}

#[derive(Clone, Copy, Debug)]
struct Gesture {
    /// Angle of the view when the gesture began, in degrees, counter-clockwise.
    start_deg: f64,
    /// Rotation of the fingers since, in degrees, counter-clockwise.
    sum_deg: f64,
    last_s: f64,
}

impl Turn {
    /// The angle of a view of `angle_deg` after the fingers turned by `by_deg` at time `now_s`; `None` while it does not
    /// turn. All angles are counter-clockwise.
    pub(super) fn follow(&mut self, by_deg: f64, angle_deg: f64, now_s: f64) -> Option<f64> {
        let going_on = self.gesture.filter(|gesture| now_s - gesture.last_s < BURST_S);
        let before = going_on.unwrap_or(Gesture { start_deg: angle_deg, sum_deg: 0.0, last_s: now_s });
        let gesture = Gesture { sum_deg: before.sum_deg + by_deg, last_s: now_s, ..before };
        self.gesture = Some(gesture);
        let turned_deg = gesture.sum_deg - gesture.sum_deg.clamp(-FREE_DEG, FREE_DEG);
        let to_deg = gesture.start_deg + turned_deg;
        let quarter_deg = (to_deg / 90.0).round() * 90.0;
        // A view that stands beside a quarter turn stays there until the fingers turn it.
        let rests = turned_deg != 0.0 && (to_deg - quarter_deg).abs() < REST_DEG;
        let to_deg = if rests { quarter_deg } else { to_deg };
        (to_deg != angle_deg).then_some(to_deg)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Angles of a view from 0° while the fingers turn by these steps, 10 ms apart.
    fn angles(steps: &[f64]) -> Vec<f64> {
        let (mut turn, mut angle_deg, mut now_s) = (Turn::default(), 0.0, 1.0);
        let mut follow = |by_deg: &f64| {
            now_s += 0.01;
            angle_deg = turn.follow(*by_deg, angle_deg, now_s).unwrap_or(angle_deg);
            angle_deg
        };
        steps.iter().map(&mut follow).collect()
    }

    #[test]
    fn small_rotation_of_a_pinch_does_not_turn_the_view() {
        assert_eq!(angles(&[4.0, 4.0, 3.0, -9.0, -9.0]), [0.0; 5]);
    }

    #[test]
    fn larger_rotation_turns_the_view_without_a_jump_and_rests_at_quarter_turns() {
        assert_eq!(angles(&[12.0, 2.0, 3.0, 10.0]), [0.0, 0.0, 5.0, 15.0]);
        assert_eq!(angles(&[-12.0, -80.0, -8.0, -1.0, -2.0]), [0.0, -80.0, -90.0, -90.0, -90.0]);
        assert_eq!(angles(&[52.0, -20.0, -19.0]), [40.0, 20.0, 0.0]);
    }

    #[test]
    fn later_gesture_starts_anew() {
        let mut turn = Turn::default();
        assert_eq!(turn.follow(30.0, 0.0, 1.0), Some(18.0));
        assert_eq!(turn.follow(10.0, 18.0, 2.0), None);
        assert_eq!(turn.follow(10.0, 18.0, 2.1), Some(26.0));
    }
}
