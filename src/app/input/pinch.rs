//! Pinches of a trackpad: from the steps that a window system reports to the events that egui has for them.

use egui::Event;

/// A step of a pinch, as the X Input Extension 2.4 and `zwp_pointer_gestures_v1` report it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PinchStep {
    /// Two fingers are down.
    Begin,
    /// The fingers moved.
    Update {
        /// Distance of the fingers, 1 at the beginning.
        scale: f64,
        /// Rotation since the last step, in degrees, clockwise.
        angle_deg: f64,
    },
    /// The fingers are up, or the gesture was cancelled.
    End,
}

/// The pinch in progress.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pinch {
    /// Scale of the last step; `None` between two pinches.
    scale: Option<f64>,
}

impl Pinch {
    /// The zoom and the rotation of `step`. A scale that is not a positive number is ignored.
    pub(super) fn follow(&mut self, step: PinchStep) -> Vec<Event> {
        match step {
            PinchStep::Begin => {
                self.scale = Some(1.0);
                Vec::new()
            }
            PinchStep::End => {
                self.scale = None;
                Vec::new()
            }
            PinchStep::Update { scale, angle_deg } => {
                let before = self.scale.unwrap_or(1.0);
                let scale = if scale.is_finite() && scale > 0.0 { scale } else { before };
                self.scale = Some(scale);
                let zoom = (scale != before).then(|| Event::Zoom((scale / before) as f32));
                let is_turned = angle_deg.is_finite() && angle_deg != 0.0;
                // egui's angles are clockwise, too.
                let turn = is_turned.then(|| Event::Rotate(angle_deg.to_radians() as f32));
                zoom.into_iter().chain(turn).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn update(scale: f64, angle_deg: f64) -> PinchStep {
        PinchStep::Update { scale, angle_deg }
    }

    #[test]
    fn zooms_of_a_pinch_multiply_to_its_scale() {
        let mut pinch = Pinch::default();
        let steps = [PinchStep::Begin, update(1.25, 0.0), update(1.25, 0.0), update(2.0, 0.0), update(0.5, 0.0)];
        let events: Vec<Event> = steps.into_iter().flat_map(|step| pinch.follow(step)).collect();
        assert_eq!(events, [Event::Zoom(1.25), Event::Zoom(1.6), Event::Zoom(0.25)]);
        // The next pinch begins at 1 again.
        assert_eq!(pinch.follow(PinchStep::End), []);
        assert_eq!(pinch.follow(PinchStep::Begin), []);
        assert_eq!(pinch.follow(update(1.5, 0.0)), [Event::Zoom(1.5)]);
    }

    #[test]
    fn rotation_of_a_pinch_is_in_radians_clockwise() {
        let mut pinch = Pinch::default();
        pinch.follow(PinchStep::Begin);
        assert_eq!(pinch.follow(update(1.0, 90.0)), [Event::Rotate(std::f32::consts::FRAC_PI_2)]);
        assert_eq!(pinch.follow(update(2.0, -180.0)), [Event::Zoom(2.0), Event::Rotate(-std::f32::consts::PI)]);
    }

    #[test]
    fn impossible_scales_are_ignored() {
        let mut pinch = Pinch::default();
        pinch.follow(PinchStep::Begin);
        for scale in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(pinch.follow(update(scale, f64::NAN)), [], "{scale}");
        }
        assert_eq!(pinch.follow(update(2.0, 0.0)), [Event::Zoom(2.0)]);
    }
}
