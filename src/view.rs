//! The view: the map from output pixels to image positions. Double-precision arithmetic; independent of any toolkit.
//!
//! ```text
//!   output pixel (i, j) of W_o × H_o                image position (x, y), in samples
//!   ┌───────────────┐    u = i − W_o/2              x = s_x·(u·cos θ − v·sin θ) + W/2 + t_x
//!   │      ·(i, j)  │    v = j − H_o/2      ──►     y = s_y·(u·sin θ + v·cos θ) + H/2 + t_y
//!   └───────────────┘
//! ```
//! The scales s_x and s_y are in samples per output pixel, along x and y of the image: below 1 zooms in, above 1 zooms out. Pixels
//! are square where they are equal. In the order of what is seen, the image is stretched along its own axes and then turned
//! by θ: a turn never shears it. With θ = 0, t = 0, both scales 1 and an output of the image's size, x = i and y = j: the
//! identity.

mod animation;

use crate::image::Size;
use crate::text::number_text;

/// Translation in samples, scale of each axis in samples per output pixel, angle in degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    translation: [f64; 2],
    scales: [f64; 2],
    angle_deg: f64,
}

/// Error of the constructors of [`View`].
#[derive(Clone, Copy, PartialEq, thiserror::Error)]
pub enum ViewError {
    /// The scale is NaN or outside [`View::SCALES`].
    #[error("scale {} is not between {min} and {max} samples per pixel", number_text(*.0), min = View::SCALES.0, max = View::SCALES.1)]
    Scale(f64),
    /// One scale is more than [`View::MAX_RATIO`] times the other.
    #[error("scales {} and {} differ by more than a factor of {most}", number_text(.0[0]), number_text(.0[1]), most = View::MAX_RATIO)]
    Ratio([f64; 2]),
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
        Self { translation: [0.0; 2], scales: [1.0; 2], angle_deg: 0.0 }
    }
}

impl View {
    /// Smallest and largest valid scale, in samples per output pixel.
    pub const SCALES: (f64, f64) = (1.0 / 1_048_576.0, 1_048_576.0);
    /// Scales reachable by zooming: from 4096× magnification to 1/1024.
    pub const ZOOM_SCALES: (f64, f64) = (1.0 / 4096.0, 1024.0);
    /// Largest ratio of the two scales. It leaves a range of scales to zoom in.
    pub const MAX_RATIO: f64 = 1024.0;
    /// Largest angle of either sign, in degrees: a hundred turns.
    pub const MAX_ANGLE_DEG: f64 = 36_000.0;
    /// Largest distance of a visible position from sample 0, in samples. An index always fits 32 bits.
    pub const REACH: f64 = 1_073_741_824.0;

    /// View without rotation, of square pixels.
    ///
    /// # Errors
    /// [`ViewError`] for a number that is not finite or out of range.
    pub fn new(translation: [f64; 2], scale: f64) -> Result<Self, ViewError> {
        Self::default().scaled([scale; 2])?.translated(translation)
    }

    /// Same view with these scales along x and y of the image.
    ///
    /// # Errors
    /// [`ViewError::Scale`] for a scale outside [`View::SCALES`], [`ViewError::Ratio`] for two that differ by more than
    /// [`View::MAX_RATIO`].
    pub fn scaled(self, scales: [f64; 2]) -> Result<Self, ViewError> {
        if let Some(scale) = scales.into_iter().find(|scale| !(Self::SCALES.0..=Self::SCALES.1).contains(scale)) {
            return Err(ViewError::Scale(scale));
        }
        // Of the larger to the smaller, so that a ratio and its reciprocal are refused alike.
        if scales[0].max(scales[1]) > Self::MAX_RATIO * scales[0].min(scales[1]) {
            return Err(ViewError::Ratio(scales));
        }
        Ok(Self { scales, ..self })
    }

    /// Same view with the translation `translation`.
    ///
    /// # Errors
    /// [`ViewError::Translation`] for a number that is not finite or beyond [`View::REACH`].
    pub fn translated(self, translation: [f64; 2]) -> Result<Self, ViewError> {
        if let Some(t) = translation.into_iter().find(|t| t.is_nan() || t.abs() > Self::REACH) {
            return Err(ViewError::Translation(t));
        }
        Ok(Self { translation, ..self })
    }

    /// Same view with the angle `angle_deg`, counter-clockwise as seen.
    ///
    /// # Errors
    /// [`ViewError::Angle`] for an angle that is not finite or beyond a hundred turns.
    pub fn rotated(self, angle_deg: f64) -> Result<Self, ViewError> {
        if angle_deg.is_nan() || angle_deg.abs() > Self::MAX_ANGLE_DEG {
            return Err(ViewError::Angle(angle_deg));
        }
        Ok(Self { angle_deg: angle_deg % 360.0, ..self })
    }

    /// Largest view of square pixels that shows the whole image, centred. x(−½) and x(W_o − ½) are at the same distance
    /// outside the two edges: t = (s − 1)/2.
    pub fn fit(output: Size, image: Size) -> Self {
        Self::default().fitted(output, image)
    }

    /// Largest view at this view's angle and ratio of scales that shows the whole image, centred.
    #[must_use]
    pub fn fitted(&self, output: Size, image: Size) -> Self {
        let [across, down] = self.turned_sides(image);
        let scale = (across / f64::from(output.width())).max(down / f64::from(output.height()));
        self.centred_at(scale)
    }

    /// Sides of the box around the turned image at s_x = 1, in output pixels.
    fn turned_sides(&self, image: Size) -> [f64; 2] {
        let (cos, sin) = self.cos_sin();
        let (width, height) = (f64::from(image.width()), f64::from(image.height()) / self.ratio());
        [width * cos.abs() + height * sin.abs(), width * sin.abs() + height * cos.abs()]
    }

    /// Sides of the box around the image in this view, in output pixels.
    #[cfg(feature = "window")]
    pub(crate) fn box_px(&self, image: Size) -> [f64; 2] {
        self.turned_sides(image).map(|side| side / self.scale())
    }

    /// View at this view's angle and ratio of scales with the scale `scale` along x, as near as both scales are valid, that
    /// maps the output's centre to the image's centre.
    #[must_use]
    pub(crate) fn centred_at(&self, scale: f64) -> Self {
        let view = Self { scales: self.scales_at(scale, Self::SCALES), ..*self };
        let half = view.in_image([0.5; 2]);
        Self { translation: half.map(|half| half - 0.5), ..view }
    }

    /// Translation in samples, x and y.
    pub fn translation(&self) -> [f64; 2] {
        self.translation
    }

    /// Scale along x of the image, in samples per output pixel; with square pixels that of both axes.
    pub fn scale(&self) -> f64 {
        self.scales[0]
    }

    /// Scales along x and y of the image, in samples per output pixel.
    pub fn scales(&self) -> [f64; 2] {
        self.scales
    }

    /// The scale along y over the scale along x: 1 for square pixels, below 1 for an image that is stretched in height.
    pub fn ratio(&self) -> f64 {
        self.scales[1] / self.scales[0]
    }

    /// Whether both scales are equal.
    pub fn has_square_pixels(&self) -> bool {
        self.scales[0] == self.scales[1]
    }

    /// The scales at `scale` along x in this view's ratio, moved into `range` together.
    fn scales_at(&self, scale: f64, (least, most): (f64, f64)) -> [f64; 2] {
        if self.has_square_pixels() {
            return [scale.clamp(least, most); 2];
        }
        let ratio = self.ratio();
        let x = scale.clamp(least.max(least / ratio), most.min(most / ratio));
        // The product may round across an end of the range.
        [x, (x * ratio).clamp(least, most)]
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

    /// Distance in the image, along x and y, of two output positions that are `by_px` output pixels apart.
    fn in_image(&self, by_px: [f64; 2]) -> [f64; 2] {
        steps(self.scales, self.cos_sin()).map(|[across, down]| across * by_px[0] + down * by_px[1])
    }

    /// Affine map from output pixels to image positions, for the given output and image sizes.
    pub fn image_from_output(&self, output: Size, image: Size) -> ImageFromOutput {
        ImageFromOutput {
            middle_px: output.sides().map(|side| f64::from(side) / 2.0),
            origin: [0, 1].map(|axis: usize| f64::from(image.sides()[axis]) / 2.0 + self.translation[axis]),
            steps: steps(self.scales, self.cos_sin()),
        }
    }

    /// View at `scale` along x, in this view's ratio of scales, with a fixed point: `pos_in_output` shows the same image
    /// position as before. This is the only place that clamps scales to [`View::ZOOM_SCALES`].
    #[must_use]
    pub fn zoomed_about(&self, pos_in_output: [f64; 2], scale: f64, output: Size) -> Self {
        self.rescaled_about(pos_in_output, self.scales_at(scale, Self::ZOOM_SCALES), output)
    }

    /// View at these scales, which are valid, with the image position at `pos_in_output` fixed.
    #[must_use]
    pub(crate) fn rescaled_about(&self, pos_in_output: [f64; 2], scales: [f64; 2], output: Size) -> Self {
        let from_middle = [0, 1].map(|axis: usize| pos_in_output[axis] - f64::from(output.sides()[axis]) / 2.0);
        let shrink = [0, 1].map(|axis| self.scales[axis] - scales[axis]);
        let translation = [0, 1].map(|axis: usize| {
            let [across, down] = steps(shrink, self.cos_sin())[axis];
            within_reach(self.translation[axis] + across * from_middle[0] + down * from_middle[1])
        });
        Self { translation, scales, ..*self }
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
        turned.translated([x + (before[0] - after[0]), y + (before[1] - after[1])]).unwrap_or(*self)
    }

    /// View after a drag of the image by `by_px` output pixels (x right, y down).
    #[must_use]
    pub fn panned(&self, by_px: [f64; 2]) -> Self {
        let by = self.in_image(by_px);
        let translation = [0, 1].map(|axis| within_reach(self.translation[axis] - by[axis]));
        Self { translation, ..*self }
    }

    /// View with its translation rounded so that x(0) and y(0) are whole multiples of their scales. At 100 % each pixel
    /// then shows exactly one sample.
    #[must_use]
    pub fn snapped(&self, output: Size, image: Size) -> Self {
        self.snapped_to(0.0, output, image)
    }

    /// View with its translation rounded so that x(0) and y(0) are (k + `phase`)·s for whole numbers k and the
    /// scale s of the axis.
    #[must_use]
    pub(crate) fn snapped_to(&self, phase: f64, output: Size, image: Size) -> Self {
        let first = self.image_from_output(output, image).at([0.0, 0.0]);
        let snap = |axis: usize| {
            let (x, scale) = (first[axis], self.scales[axis]);
            self.translation[axis] + ((x / scale - phase).round() + phase) * scale - x
        };
        Self { translation: [snap(0), snap(1)].map(within_reach), ..*self }
    }

    /// Snapped view of square pixels at `scale`, centred on the image: the 100 % and n× of keys and menus.
    pub fn actual_size(scale: f64, output: Size, image: Size) -> Self {
        Self::default().centred_at(scale).snapped(output, image)
    }
}

/// Change of the image position, along x and along y, with one output column and one output row.
fn steps([x, y]: [f64; 2], (cos, sin): (f64, f64)) -> [[f64; 2]; 2] {
    [[x * cos, -(x * sin)], [y * sin, y * cos]]
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
    pub(crate) steps: [[f64; 2]; 2],
}

impl ImageFromOutput {
    /// Image position at output position (i, j).
    #[inline]
    pub fn at(&self, pos_in_output: [f64; 2]) -> [f64; 2] {
        let [u, v] = [pos_in_output[0] - self.middle_px[0], pos_in_output[1] - self.middle_px[1]];
        let [x, y] = self.steps;
        [x[0] * u + x[1] * v + self.origin[0], y[0] * u + y[1] * v + self.origin[1]]
    }

    /// Output position at image position (x, y).
    pub fn inverse_at(&self, pos_in_image: [f64; 2]) -> [f64; 2] {
        let [x, y] = [0, 1].map(|axis: usize| pos_in_image[axis] - self.origin[axis]);
        let [[a, b], [c, d]] = self.steps;
        let determinant = a * d - b * c;
        [(d * x - b * y) / determinant + self.middle_px[0], (a * y - c * x) / determinant + self.middle_px[1]]
    }

    /// Image position along `axis` (0: x, 1: y) of output column or row `index`, for θ = 0.
    pub fn along(&self, axis: usize, index: f64) -> f64 {
        (index - self.middle_px[axis]) * self.steps[axis][axis] + self.origin[axis]
    }

    /// The same map of an output that begins at `pixel` of this one. Positions have equal bits.
    #[must_use]
    pub(crate) fn beginning_at(&self, pixel: [u32; 2]) -> Self {
        Self { middle_px: [0, 1].map(|axis: usize| self.middle_px[axis] - f64::from(pixel[axis])), ..*self }
    }

    /// Jacobian of the map: `[[dx/di, dx/dj], [dy/di, dy/dj]]`, in samples per pixel.
    pub fn steps(&self) -> [[f64; 2]; 2] {
        self.steps
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
        let view = View::new([-3.25, 100.5], 0.37).and_then(|v| v.scaled([0.37, 1.9])?.rotated(33.0)).expect("a view");
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
        let view = View::fit(output, image).scaled([1.5, 4.0]).and_then(|view| view.rotated(12.0));
        let mut view = view.expect("a view");
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
        let view = View::new([3.0, -8.0], 0.21).and_then(|v| v.scaled([0.21, 0.5])?.rotated(-50.0)).expect("a view");
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
    fn fitted_view_of_a_turned_image_touches_the_output_and_shows_all_corners() {
        for (degrees, ratio) in
            [0.0, 10.0, 45.0, 90.0, -135.0, 180.0].into_iter().flat_map(|d| [(d, 1.0), (d, 2.5), (d, 0.3)])
        {
            let (output, image) = (size(640, 480), size(300, 512));
            let view = View::default().scaled([1.0, ratio]).and_then(|view| view.rotated(degrees)).expect("a view");
            let view = view.fitted(output, image);
            assert!((view.ratio() / ratio - 1.0).abs() < 1e-12);
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
    fn image_is_stretched_first_and_then_turned() {
        // Document 004, figure 2: stretched in height and turned by 90°.
        let view = View::default().scaled([1.0, 0.5]).and_then(|view| view.rotated(90.0)).expect("a view");
        let map = view.image_from_output(size(16, 8), size(8, 8));
        assert_eq!(map.at([8.0, 4.0]), [4.0, 4.0]);
        // The height of the image, 8 samples, takes 16 columns; its width 8 rows.
        assert_eq!((map.at([16.0, 4.0]), map.at([8.0, 0.0])), ([4.0, 8.0], [8.0, 4.0]));
        assert_eq!(map.steps(), [[0.0, -1.0], [0.5, 0.0]]);
    }

    #[test]
    fn turned_view_of_unequal_scales_shows_a_right_angle_of_the_stretched_image() {
        let view = View::default().scaled([0.5, 2.0]).expect("a view");
        for degrees in [0.0, 17.0, 90.0, -135.0] {
            let map = view.rotated(degrees).expect("a view").image_from_output(size(64, 48), size(100, 100));
            let [x, y] = [[1.0, 0.0], [0.0, 1.0]].map(|[dx, dy]: [f64; 2]| {
                let [from, to] = [[10.0, 20.0], [10.0 + dx, 20.0 + dy]].map(|at| map.inverse_at(at));
                [to[0] - from[0], to[1] - from[1]]
            });
            assert!((x[0] * y[0] + x[1] * y[1]).abs() < 1e-12, "{degrees}°: {x:?} {y:?}");
            assert!((x[0].hypot(x[1]) - 2.0).abs() < 1e-12 && (y[0].hypot(y[1]) - 0.5).abs() < 1e-12, "{degrees}°");
        }
    }

    #[test]
    fn zoom_keeps_the_ratio_of_the_scales_and_both_within_the_range() {
        let output = size(640, 480);
        for scales in [[0.3, 0.7], [0.7, 0.3], [1.0, 1024.0], [2.0, 2.0]] {
            let view = View::default().scaled(scales).and_then(|view| view.rotated(12.0)).expect("a view");
            for scale in [1e-9, 0.001, 0.37, 1.0, 50.0, 1e9] {
                let zoomed = view.zoomed_about([17.0, 99.5], scale, output);
                assert!((zoomed.ratio() / view.ratio() - 1.0).abs() < 1e-12, "{zoomed:?}");
                assert_eq!(zoomed.has_square_pixels(), view.has_square_pixels());
                let (least, most) = View::ZOOM_SCALES;
                assert!(zoomed.scales().iter().all(|scale| (least..=most).contains(scale)), "{zoomed:?}");
                assert!(View::default().scaled(zoomed.scales()).is_ok(), "{zoomed:?}");
            }
        }
        let view = View::default().scaled([0.3, 0.7]).expect("a view");
        let squared = view.rescaled_about([17.0, 99.5], [0.3; 2], output);
        let seen = |view: View| view.image_from_output(output, size(9, 9)).at([17.0, 99.5]);
        assert_eq!(squared.scales(), [0.3, 0.3]);
        assert!((seen(view)[1] - seen(squared)[1]).abs() < 1e-9);
    }

    #[test]
    fn view_with_invalid_numbers_is_refused() {
        assert!(View::new([0.0, 0.0], 0.0).is_err());
        assert!(View::new([0.0, 0.0], f64::NAN).is_err());
        assert!(View::default().scaled([1.0, 0.0]).is_err());
        assert!(View::default().scaled([1.0, f64::NAN]).is_err());
        assert_eq!(View::default().scaled([1.0, 1025.0]), Err(ViewError::Ratio([1.0, 1025.0])));
        assert_eq!(View::default().scaled([2.5, 0.002]), Err(ViewError::Ratio([2.5, 0.002])));
        assert!(View::new([f64::INFINITY, 0.0], 1.0).is_err());
        assert!(View::default().rotated(f64::NAN).is_err());
    }
}
