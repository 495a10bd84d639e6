//! Rectangles of physical pixels, and their conversion from and to points.

use crate::image::Size;

/// A rectangle of physical pixels of the window. The origin is the window's top left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PixelRect {
    /// Left edge.
    pub left: i32,
    /// Top edge.
    pub top: i32,
    /// Width and height.
    pub size: Size,
}

impl PixelRect {
    /// This rectangle in points.
    pub fn in_points(&self, pixels_per_point: f32) -> egui::Rect {
        let corner = egui::pos2(self.left as f32, self.top as f32);
        let side = egui::vec2(self.size.width() as f32, self.size.height() as f32);
        egui::Rect::from_min_size(corner / pixels_per_point, side / pixels_per_point)
    }

    /// The output position at `pos_in_window`, in points. Pixel centres have integer output positions.
    pub fn output_from_points(&self, pos_in_window: egui::Pos2, pixels_per_point: f32) -> [f64; 2] {
        let at = |points: f32, start: i32| f64::from(points) * f64::from(pixels_per_point) - f64::from(start) - 0.5;
        [at(pos_in_window.x, self.left), at(pos_in_window.y, self.top)]
    }

    /// The output position of the centre of the pixel that contains `pos_in_window`, in points.
    pub fn pixel_from_points(&self, pos_in_window: egui::Pos2, pixels_per_point: f32) -> [f64; 2] {
        self.output_from_points(pos_in_window, pixels_per_point).map(|along| (along + 0.5).floor())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::size;

    #[test]
    fn pixel_centres_have_integer_output_positions() {
        let rect = PixelRect { left: 100, top: 40, size: size(8, 8) };
        assert_eq!(rect.output_from_points(egui::pos2(51.75, 21.25), 2.0), [3.0, 2.0]);
        assert_eq!(rect.in_points(2.0).min, egui::pos2(50.0, 20.0));
    }
}
