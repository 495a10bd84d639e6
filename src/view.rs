//! The view: the map from output pixels to image positions. Double-precision arithmetic; independent of any toolkit.
//!
//! ```text
//!   output pixel (i, j) of W_o × H_o                      image position (x, y), in samples
//!   ┌───────────────┐    p = (i − W_o/2)·s                x = p·cos θ − q·sin θ + W/2 + t_x
//!   │      ·(i, j)  │    q = (j − H_o/2)·s       ──►      y = p·sin θ + q·cos θ + H/2 + t_y
//!   └───────────────┘
//! ```
//! The scale s is in samples per output pixel: below 1 zooms in, above 1 zooms out. With θ = 0, t = 0, s = 1 and an
//! output of the image's size, x = i and y = j: the identity.

use crate::image::Size;
use crate::text::number_text;

/// Translation in samples, scale in samples per output pixel, angle in degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    translation: [f64; 2],
    scale: f64,
    angle_deg: f64,
}

/// Error of the constructors of [`View`].
#[derive(Clone, Copy, PartialEq, thiserror::Error)]
pub enum ViewError {
    /// The scale is NaN or outside [`View::SCALES`].
    #[error("scale {} is not between {min} and {max} samples per pixel", number_text(*.0), min = View::SCALES.0, max = View::SCALES.1)]
    Scale(f64),
    /// The translation is not finite, or beyond [`View::REACH`].
    #[error("translation {} is not within ±{reach} samples", number_text(*.0), reach = View::REACH)]
    Translation(f64),
    /// The angle is not finite, or beyond 36000 degrees.
    #[error("angle {} is not a number of degrees within ±36000", number_text(*.0))]
    Angle(f64),
}

impl Default for View {
    /// The identity: no translation, one sample per pixel, no rotation.
    fn default() -> Self {
        Self { translation: [0.0; 2], scale: 1.0, angle_deg: 0.0 }
    }
}

impl View {
    /// Smallest and largest valid scale, in samples per output pixel.
    pub const SCALES: (f64, f64) = (1.0 / 1_048_576.0, 1_048_576.0);
    /// Scales reachable by zooming: from 4096× magnification to 1/1024.
    pub const ZOOM_SCALES: (f64, f64) = (1.0 / 4096.0, 1024.0);
    /// Largest distance of a visible position from sample 0, in samples. An index always fits 32 bits.
    pub const REACH: f64 = 1_073_741_824.0;

    /// View without rotation.
    ///
    /// # Errors
    /// [`ViewError`] for a number that is not finite or out of range.
    pub fn new(translation: [f64; 2], scale: f64) -> Result<Self, ViewError> {
        if !(Self::SCALES.0..=Self::SCALES.1).contains(&scale) {
            return Err(ViewError::Scale(scale));
        }
        for t in translation {
            if t.is_nan() || t.abs() > Self::REACH {
                return Err(ViewError::Translation(t));
            }
        }
        Ok(Self { translation, scale, angle_deg: 0.0 })
    }

    /// Same view with the angle `angle_deg`, counter-clockwise as seen.
    ///
    /// # Errors
    /// [`ViewError::Angle`] for an angle that is not finite or beyond a hundred turns.
    pub fn rotated(self, angle_deg: f64) -> Result<Self, ViewError> {
        if angle_deg.is_nan() || angle_deg.abs() > 36_000.0 {
            return Err(ViewError::Angle(angle_deg));
        }
        Ok(Self { angle_deg: angle_deg % 360.0, ..self })
    }

    /// Largest view that shows the whole image, centred. x(−½) and x(W_o − ½) are at the same distance outside the two
    /// edges: t = (s − 1)/2.
    pub fn fit(output: Size, image: Size) -> Self {
        let scale = (f64::from(image.width()) / f64::from(output.width()))
            .max(f64::from(image.height()) / f64::from(output.height()))
            .clamp(Self::SCALES.0, Self::SCALES.1);
        Self::centred(scale)
    }

    /// Largest view at this view's angle that shows the whole image, centred. At 0° it is [`View::fit`].
    #[must_use]
    pub fn fitted(&self, output: Size, image: Size) -> Self {
        if self.is_axis_aligned() {
            return Self::fit(output, image);
        }
        let (cos, sin) = self.cos_sin();
        let (width, height) = (f64::from(image.width()), f64::from(image.height()));
        // Sides of the box around the turned image.
        let across = width * cos.abs() + height * sin.abs();
        let down = width * sin.abs() + height * cos.abs();
        let scale = (across / f64::from(output.width())).max(down / f64::from(output.height()));
        self.centred_at(scale.clamp(Self::SCALES.0, Self::SCALES.1))
    }

    /// View that maps the output's centre to the image's centre, at `scale`.
    fn centred(scale: f64) -> Self {
        Self { translation: [(scale - 1.0) / 2.0; 2], scale, angle_deg: 0.0 }
    }

    /// The same with the angle of this view.
    #[must_use]
    pub(crate) fn centred_at(&self, scale: f64) -> Self {
        let (cos, sin) = self.cos_sin();
        let translation = [(scale * (cos - sin) - 1.0) / 2.0, (scale * (sin + cos) - 1.0) / 2.0];
        Self { translation, scale, ..*self }
    }

    /// Translation in samples, x and y.
    pub fn translation(&self) -> [f64; 2] {
        self.translation
    }

    /// Scale in samples per output pixel.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// Angle in degrees, counter-clockwise as seen.
    pub fn angle_deg(&self) -> f64 {
        self.angle_deg
    }

    /// Whether θ = 0, so that one table for each axis describes the view.
    pub fn is_axis_aligned(&self) -> bool {
        self.angle_deg == 0.0
    }

    /// cos θ and sin θ, exact at multiples of 90°.
    fn cos_sin(&self) -> (f64, f64) {
        match self.angle_deg {
            0.0 => (1.0, 0.0),
            90.0 | -270.0 => (0.0, 1.0),
            180.0 | -180.0 => (-1.0, 0.0),
            270.0 | -90.0 => (0.0, -1.0),
            degrees => {
                let (sin, cos) = degrees.to_radians().sin_cos();
                (cos, sin)
            }
        }
    }

    /// Affine map from output pixels to image positions, for the given output and image sizes.
    pub fn image_from_output(&self, output: Size, image: Size) -> ImageFromOutput {
        let (cos, sin) = self.cos_sin();
        ImageFromOutput {
            middle_px: [f64::from(output.width()) / 2.0, f64::from(output.height()) / 2.0],
            origin: [
                f64::from(image.width()) / 2.0 + self.translation[0],
                f64::from(image.height()) / 2.0 + self.translation[1],
            ],
            scale: self.scale,
            cos,
            sin,
        }
    }

    /// View at `scale` with a fixed point: `pos_in_output` shows the same image position as before. This is the only
    /// place that clamps the scale to [`View::ZOOM_SCALES`].
    #[must_use]
    pub fn zoomed_about(&self, pos_in_output: [f64; 2], scale: f64, output: Size) -> Self {
        let scale = scale.clamp(Self::ZOOM_SCALES.0, Self::ZOOM_SCALES.1);
        let (cos, sin) = self.cos_sin();
        let shrink = self.scale - scale;
        let p = (pos_in_output[0] - f64::from(output.width()) / 2.0) * shrink;
        let q = (pos_in_output[1] - f64::from(output.height()) / 2.0) * shrink;
        let translation =
            [self.translation[0] + p * cos - q * sin, self.translation[1] + p * sin + q * cos].map(within_reach);
        Self { translation, scale, ..*self }
    }

    /// The same view turned to `angle_deg`, reduced to (−180°, 180°], with the sample at `pos_in_output` fixed. A view
    /// without a valid result is unchanged.
    #[must_use]
    pub fn rotated_about(&self, pos_in_output: [f64; 2], angle_deg: f64, output: Size) -> Self {
        let angle_deg = reduced_deg(angle_deg);
        let Ok(turned) = self.rotated(angle_deg) else { return *self };
        // The size of the image cancels out.
        let [before, after] = [self, &turned].map(|view| view.image_from_output(output, output).at(pos_in_output));
        let [x, y] = turned.translation();
        let moved = Self::new([x + (before[0] - after[0]), y + (before[1] - after[1])], self.scale());
        moved.and_then(|moved| moved.rotated(angle_deg)).unwrap_or(*self)
    }

    /// View after a drag of the image by `by_px` output pixels (x right, y down).
    #[must_use]
    pub fn panned(&self, by_px: [f64; 2]) -> Self {
        let (cos, sin) = self.cos_sin();
        let [p, q] = by_px.map(|px| px * self.scale);
        let translation =
            [self.translation[0] - (p * cos - q * sin), self.translation[1] - (p * sin + q * cos)].map(within_reach);
        Self { translation, ..*self }
    }

    /// Interpolated view between `self` (share 0) and `to` (share 1); both ends are exact to the bit. The scale changes
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
        if turn_deg != 0.0 {
            return self.on_spiral(to.scale / self.scale, turn_deg, share, by);
        }
        if self.scale == to.scale {
            let pixels = by.map(|samples| samples / self.scale);
            let is_whole = pixels.iter().all(|px| (px - px.round()).abs() < 1e-6);
            let step = |px: f64| if is_whole { (px * share).round() } else { px * share };
            let translation = [0, 1].map(|axis| self.translation[axis] + step(pixels[axis]) * self.scale);
            return Self { translation: translation.map(within_reach), ..*self };
        }
        let ratio = to.scale / self.scale;
        // With a fixed point, the translation is linear in the scale.
        let done = (ratio.powf(share) - 1.0) / (ratio - 1.0);
        let done = if done.is_finite() { done } else { share };
        let translation = [0, 1].map(|axis| self.translation[axis] + by[axis] * done);
        Self { translation: translation.map(within_reach), scale: self.scale * ratio.powf(share), ..*self }
    }

    /// View after the part `share` of the way to a view of `ratio` times the scale, turned by `turn_deg` and translated by `by`
    /// samples. Both views are similarities: as complex numbers their factors have the quotient r = ratio·exp(i·turn), and
    /// the translation covers the part (rˢ − 1) / (r − 1) of the way, which keeps their common fixed point.
    fn on_spiral(&self, ratio: f64, turn_deg: f64, share: f64, by: [f64; 2]) -> Self {
        let power_less_one = |share: f64| {
            let (sin, cos) = (turn_deg * share).to_radians().sin_cos();
            [ratio.powf(share) * cos - 1.0, ratio.powf(share) * sin]
        };
        let ([a, b], [c, d]) = (power_less_one(share), power_less_one(1.0));
        let norm = c * c + d * d;
        let done = [(a * c + b * d) / norm, (b * c - a * d) / norm];
        let [re, im] = if done.iter().all(|part| part.is_finite()) { done } else { [share, 0.0] };
        let [x, y] = self.translation;
        Self {
            translation: [x + by[0] * re - by[1] * im, y + by[0] * im + by[1] * re].map(within_reach),
            scale: self.scale * ratio.powf(share),
            angle_deg: reduced_deg(self.angle_deg + turn_deg * share),
        }
    }

    /// View with its translation rounded so that x(0) and y(0) are whole multiples of the scale. At 100 % each pixel
    /// then shows exactly one sample.
    #[must_use]
    pub fn snapped(&self, output: Size, image: Size) -> Self {
        self.snapped_to(0.0, output, image)
    }

    /// View with its translation rounded so that x(0) and y(0) are (k + `phase`)·s for whole numbers k.
    #[must_use]
    pub(crate) fn snapped_to(&self, phase: f64, output: Size, image: Size) -> Self {
        let first = self.image_from_output(output, image).at([0.0, 0.0]);
        let whole = |x: f64| ((x / self.scale - phase).round() + phase) * self.scale;
        let snap = |axis: usize| self.translation[axis] + whole(first[axis]) - first[axis];
        Self { translation: [snap(0), snap(1)].map(within_reach), ..*self }
    }

    /// Snapped view at `scale`, centred on the image: the 100 % and n× of keys and menus.
    pub fn actual_size(scale: f64, output: Size, image: Size) -> Self {
        Self::centred(scale.clamp(Self::SCALES.0, Self::SCALES.1)).snapped(output, image)
    }
}

/// The same direction as an angle within (−180°, 180°].
pub fn reduced_deg(angle_deg: f64) -> f64 {
    let angle_deg = angle_deg % 360.0;
    if angle_deg > 180.0 {
        angle_deg - 360.0
    } else if angle_deg <= -180.0 {
        angle_deg + 360.0
    } else {
        angle_deg
    }
}

fn within_reach(translation: f64) -> f64 {
    translation.clamp(-View::REACH / 2.0, View::REACH / 2.0)
}

/// Affine map of one view, output size and image size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImageFromOutput {
    pub(crate) middle_px: [f64; 2],
    pub(crate) origin: [f64; 2],
    pub(crate) scale: f64,
    pub(crate) cos: f64,
    pub(crate) sin: f64,
}

impl ImageFromOutput {
    /// Image position at output position (i, j).
    pub fn at(&self, pos_in_output: [f64; 2]) -> [f64; 2] {
        let p = (pos_in_output[0] - self.middle_px[0]) * self.scale;
        let q = (pos_in_output[1] - self.middle_px[1]) * self.scale;
        [p * self.cos - q * self.sin + self.origin[0], p * self.sin + q * self.cos + self.origin[1]]
    }

    /// Output position at image position (x, y).
    pub fn inverse_at(&self, pos_in_image: [f64; 2]) -> [f64; 2] {
        let x = (pos_in_image[0] - self.origin[0]) / self.scale;
        let y = (pos_in_image[1] - self.origin[1]) / self.scale;
        [x * self.cos + y * self.sin + self.middle_px[0], y * self.cos - x * self.sin + self.middle_px[1]]
    }

    /// Image position along `axis` (0: x, 1: y) of output column or row `index`, for θ = 0.
    pub fn along(&self, axis: usize, index: f64) -> f64 {
        (index - self.middle_px[axis]) * self.scale + self.origin[axis]
    }

    /// Jacobian of the map: `[[dx/di, dx/dj], [dy/di, dy/dj]]`, in samples per pixel.
    pub fn steps(&self) -> [[f64; 2]; 2] {
        let (c, s) = (self.cos * self.scale, self.sin * self.scale);
        [[c, -s], [s, c]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::size;

    #[test]
    fn identity_view_maps_each_pixel_to_its_sample() {
        let map = View::default().image_from_output(size(513, 7), size(513, 7));
        for i in [0.0, 1.0, 255.0, 512.0] {
            assert_eq!(map.at([i, 3.0]), [i, 3.0]);
        }
    }

    #[test]
    fn inverse_map_undoes_the_map() {
        let view = View::new([-3.25, 100.5], 0.37).and_then(|v| v.rotated(33.0)).expect("a view");
        let map = view.image_from_output(size(640, 480), size(100, 300));
        let back = map.inverse_at(map.at([12.5, -7.0]));
        assert!((back[0] - 12.5).abs() < 1e-9 && (back[1] + 7.0).abs() < 1e-9, "{back:?}");
    }

    #[test]
    fn quarter_turn_is_exact_and_counter_clockwise() {
        let view = View::default().rotated(90.0).expect("a view");
        let map = view.image_from_output(size(8, 8), size(8, 8));
        // The right of the output shows the bottom of the image: a turn to the left.
        assert_eq!(map.at([6.0, 4.0]), [4.0, 6.0]);
    }

    #[test]
    fn anchor_after_ten_thousand_zooms_is_fixed() {
        let mut random = fastrand::Rng::with_seed(7);
        let (output, image) = (size(1913, 1007), size(4096, 3001));
        let mut view = View::fit(output, image).rotated(12.0).expect("a view");
        let anchor_px = [377.25, 801.5];
        let anchor = view.image_from_output(output, image).at(anchor_px);
        for _ in 0..10_000 {
            view = view.zoomed_about(anchor_px, view.scale() * (random.f64() * 2.0 - 1.0).exp2(), output);
            let seen = view.image_from_output(output, image).inverse_at(anchor);
            let drift = (seen[0] - anchor_px[0]).hypot(seen[1] - anchor_px[1]);
            assert!(drift < 0.01, "{drift} px at scale {}", view.scale());
        }
    }

    #[test]
    fn pan_keeps_the_sample_under_the_pointer() {
        let (output, image) = (size(900, 700), size(64, 64));
        let view = View::new([3.0, -8.0], 0.21).and_then(|v| v.rotated(-50.0)).expect("a view");
        let grabbed = view.image_from_output(output, image).at([100.0, 200.0]);
        let dragged = view.panned([31.0, -17.0]).image_from_output(output, image).at([131.0, 183.0]);
        assert!((grabbed[0] - dragged[0]).abs() < 1e-9 && (grabbed[1] - dragged[1]).abs() < 1e-9);
    }

    #[test]
    fn actual_size_of_odd_outputs_puts_samples_on_pixels() {
        for (output, image) in [(size(511, 300), size(64, 33)), (size(10, 11), size(7, 6))] {
            for n in [1.0, 2.0, 3.0, 8.0] {
                let view = View::actual_size(1.0 / n, output, image);
                let first = view.image_from_output(output, image).at([0.0, 0.0]);
                for x in first {
                    assert!((x * n - (x * n).round()).abs() < 1e-9, "{x} at {n}×");
                }
            }
        }
    }

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
    fn fitted_view_of_a_turned_image_touches_the_output_and_shows_all_corners() {
        for degrees in [0.0, 10.0, 45.0, 90.0, -135.0, 180.0] {
            let (output, image) = (size(640, 480), size(300, 512));
            let view = View::default().rotated(degrees).expect("a view").fitted(output, image);
            let map = view.image_from_output(output, image);
            let corners = [[-0.5, -0.5], [299.5, -0.5], [-0.5, 511.5], [299.5, 511.5]].map(|at| map.inverse_at(at));
            let far = |axis: usize| corners.iter().map(|at| at[axis]).fold(f64::NEG_INFINITY, f64::max);
            let near = |axis: usize| corners.iter().map(|at| at[axis]).fold(f64::INFINITY, f64::min);
            let margins = [near(0) + 0.5, 639.5 - far(0), near(1) + 0.5, 479.5 - far(1)];
            assert!(margins.iter().all(|margin| *margin > -1e-9), "{degrees}°: {margins:?}");
            assert!((margins[0] - margins[1]).abs() < 1e-9 && (margins[2] - margins[3]).abs() < 1e-9, "centred");
            assert!(margins[0].min(margins[2]).abs() < 1e-9, "{degrees}°: {margins:?}");
        }
    }

    #[test]
    fn reduced_angles_are_the_same_directions_within_half_a_turn() {
        for (degrees, reduced) in
            [(0.0, 0.0), (180.0, 180.0), (-180.0, 180.0), (270.0, -90.0), (-270.0, 90.0), (725.0, 5.0), (185.0, -175.0)]
        {
            assert_eq!(reduced_deg(degrees), reduced, "{degrees}");
        }
    }

    #[test]
    fn view_with_invalid_numbers_is_refused() {
        assert!(View::new([0.0, 0.0], 0.0).is_err());
        assert!(View::new([0.0, 0.0], f64::NAN).is_err());
        assert!(View::new([f64::INFINITY, 0.0], 1.0).is_err());
        assert!(View::default().rotated(f64::NAN).is_err());
    }
}
