//! Views between two views, for animated jumps.

use super::{View, reduced_deg, steps, within_reach};

impl View {
    /// Interpolated view between `self` (share 0) and `to` (share 1); both ends are exact to the bit. The scales change
    /// exponentially in `share`. The image position that both views show at the same output position keeps that
    /// position. At equal scales, a distance of whole pixels is covered in whole pixels, so that snapped views stay
    /// snapped. An angle changes evenly, the shorter way round.
    #[must_use]
    pub fn towards(&self, to: &Self, share: f64) -> Self {
        if share <= 0.0 {
            return *self;
        }
        if share >= 1.0 {
            return *to;
        }
        let by = [0, 1].map(|axis| to.translation[axis] - self.translation[axis]);
        let turn_deg = reduced_deg(to.angle_deg - self.angle_deg);
        let ratios = [0, 1].map(|axis| to.scales[axis] / self.scales[axis]);
        let scales = [0, 1].map(|axis: usize| self.scales[axis] * ratios[axis].powf(share));
        if turn_deg != 0.0 {
            let angle_deg = reduced_deg(self.angle_deg + turn_deg * share);
            let is_similar = (ratios[0] / ratios[1] - 1.0).abs() < 1e-9;
            return if is_similar {
                self.on_spiral(Self { scales, angle_deg, ..*self }, (ratios[0], turn_deg), share, by)
            } else {
                self.about_fixed_point(Self { scales, angle_deg, ..*self }, to, share)
            };
        }
        if self.scales == to.scales {
            let pixels = [0, 1].map(|axis| by[axis] / self.scales[axis]);
            let is_whole = pixels.iter().all(|px| (px - px.round()).abs() < 1e-6);
            let step = |px: f64| if is_whole { (px * share).round() } else { px * share };
            let translation = [0, 1].map(|axis| self.translation[axis] + step(pixels[axis]) * self.scales[axis]);
            return Self { translation: translation.map(within_reach), ..*self };
        }
        // With a fixed point, the translation along an axis is linear in its scale.
        let translation = [0, 1].map(|axis: usize| {
            let done = (ratios[axis].powf(share) - 1.0) / (ratios[axis] - 1.0);
            let done = if done.is_finite() { done } else { share };
            within_reach(self.translation[axis] + by[axis] * done)
        });
        Self { translation, scales, ..*self }
    }

    /// `between` with the translation of the part `share` of the way to a view of `ratio` times the scales, turned by `turn_deg`
    /// and translated by `by` samples. In units of the scales both views are similarities: as complex numbers their factors
    /// have the quotient r = ratio·exp(i·turn), and the translation covers the part (rˢ − 1) / (r − 1) of the way, which keeps
    /// their common fixed point.
    fn on_spiral(&self, between: Self, (ratio, turn_deg): (f64, f64), share: f64, by: [f64; 2]) -> Self {
        let power_less_one = |share: f64| {
            let (sin, cos) = (turn_deg * share).to_radians().sin_cos();
            [ratio.powf(share) * cos - 1.0, ratio.powf(share) * sin]
        };
        let ([a, b], [c, d]) = (power_less_one(share), power_less_one(1.0));
        let norm = c * c + d * d;
        let done = [(a * c + b * d) / norm, (b * c - a * d) / norm];
        let [re, im] = if done.iter().all(|part| part.is_finite()) { done } else { [share, 0.0] };
        let ([x, y], ratio) = (self.translation, self.ratio());
        let by = [by[0], by[1] / ratio];
        let moved = [x + by[0] * re - by[1] * im, y + (by[0] * im + by[1] * re) * ratio];
        Self { translation: moved.map(within_reach), ..between }
    }

    /// `between` with the translation that keeps the output position at which this view and `to` show the same image position;
    /// the part `share` of the way where there is no such position within reach.
    fn about_fixed_point(&self, between: Self, to: &Self, share: f64) -> Self {
        let by = [0, 1].map(|axis| to.translation[axis] - self.translation[axis]);
        let (from, end) = (steps(self.scales, self.cos_sin()), steps(to.scales, to.cos_sin()));
        let [[a, b], [c, d]] = [0, 1].map(|x: usize| [0, 1].map(|i: usize| from[x][i] - end[x][i]));
        let determinant = a * d - b * c;
        let fixed_px = [(by[0] * d - b * by[1]) / determinant, (a * by[1] - c * by[0]) / determinant];
        let (held, shown) = (self.in_image(fixed_px), between.in_image(fixed_px));
        let moved = [0, 1].map(|axis| self.translation[axis] + held[axis] - shown[axis]);
        let is_near = fixed_px.iter().all(|px| px.abs() < 1e9);
        let translation = if is_near { moved } else { [0, 1].map(|axis| self.translation[axis] + by[axis] * share) };
        Self { translation: translation.map(within_reach), ..between }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::size;

    #[test]
    fn view_interpolation_keeps_the_fixed_point_and_exact_ends() {
        let (output, image) = (size(640, 480), size(512, 512));
        let from = View::new([3.0, -8.5], 1.7).and_then(|v| v.rotated(20.0)).expect("a view");
        let about = [123.0, 45.5];
        let to = from.zoomed_about(about, 1.0 / 9.0, output);
        assert_eq!((from.towards(&to, 0.0), from.towards(&to, 1.0)), (from, to));
        let seen = from.image_from_output(output, image).at(about);
        let mut last = from.scale();
        for step in 1..20 {
            let between = from.towards(&to, f64::from(step) / 20.0);
            let now = between.image_from_output(output, image).at(about);
            assert!((now[0] - seen[0]).abs() < 1e-9 && (now[1] - seen[1]).abs() < 1e-9, "{now:?} {seen:?}");
            assert!(between.scale() < last && between.scale() > to.scale());
            last = between.scale();
        }
    }

    #[test]
    fn view_interpolation_of_whole_pixels_stays_on_whole_pixels() {
        let from = View::new([0.25, 0.0], 0.125).expect("a view");
        let to = from.panned([-64.0, 31.0]);
        for step in 1..10 {
            let moved = from.towards(&to, f64::from(step) / 10.0).translation()[0] - 0.25;
            assert_eq!((moved / 0.125).fract(), 0.0, "{moved}");
        }
        let half = View::new([0.25 + 0.3 * 0.125, 0.0], 0.125).expect("a view");
        assert!((from.towards(&half, 0.5).translation()[0] - (0.25 + 0.15 * 0.125)).abs() < 1e-12);
    }

    #[test]
    fn view_interpolation_turns_evenly_the_shorter_way_about_the_common_fixed_point() {
        let (output, image) = (size(640, 480), size(512, 300));
        let from = View::new([3.0, -8.5], 1.7).and_then(|v| v.rotated(170.0)).expect("a view");
        let about = [123.0, 45.5];
        let to = from.zoomed_about(about, 0.4, output).rotated_about(about, -150.0, output);
        assert_eq!((from.towards(&to, 0.0), from.towards(&to, 1.0)), (from, to));
        let seen = from.image_from_output(output, image).at(about);
        for step in 1..20 {
            let share = f64::from(step) / 20.0;
            let between = from.towards(&to, share);
            let now = between.image_from_output(output, image).at(about);
            assert!((now[0] - seen[0]).abs() < 1e-9 && (now[1] - seen[1]).abs() < 1e-9, "{now:?} {seen:?}");
            assert!((reduced_deg(between.angle_deg() - 170.0) - 40.0 * share).abs() < 1e-9, "{between:?}");
        }
    }

    #[test]
    fn view_interpolation_between_unequal_scales_keeps_the_common_fixed_point() {
        let (output, image) = (size(640, 480), size(512, 300));
        let about = [123.0, 45.5];
        for (start_deg, end_deg, scales) in [
            (0.0, 0.0, [0.4, 0.9]),
            (0.0, 0.0, [1.7, 0.2]),
            (25.0, 25.0, [0.4, 0.9]),
            (170.0, -150.0, [0.4, 0.9]),
            // The ratio of the first view.
            (170.0, -150.0, [0.85, 0.25]),
        ] {
            let from = View::new([3.0, -8.5], 1.7).and_then(|view| view.scaled([1.7, 0.5])).expect("a view");
            let from = from.rotated(start_deg).expect("a view");
            let to = from.rescaled_about(about, scales, output).rotated_about(about, end_deg, output);
            assert_eq!((from.towards(&to, 0.0), from.towards(&to, 1.0)), (from, to));
            let seen = from.image_from_output(output, image).at(about);
            for step in 1..20 {
                let share = f64::from(step) / 20.0;
                let between = from.towards(&to, share);
                let now = between.image_from_output(output, image).at(about);
                assert!((now[0] - seen[0]).abs() < 1e-9 && (now[1] - seen[1]).abs() < 1e-9, "{now:?} {seen:?}");
                let ends = from.scales().into_iter().zip(scales);
                for (between, (from, to)) in between.scales().into_iter().zip(ends) {
                    assert!((between / (from * (to / from).powf(share)) - 1.0).abs() < 1e-12, "{between}");
                }
            }
        }
    }
}
