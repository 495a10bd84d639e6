//! Transform between image positions and window positions of a picture.

use egui::{Pos2, Rect};

use crate::app::session::Session;
use crate::app::widgets::pixel_rect::PixelRect;
use crate::view::ImageFromOutput;

/// Transform of one panel's picture.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct PanelTransform {
    /// Index of the panel.
    pub(in crate::app) panel: usize,
    /// Rectangle of the picture, in physical pixels.
    pub(in crate::app) place: PixelRect,
    /// Physical pixels per point.
    pub(in crate::app) pixels_per_point: f32,
    map: ImageFromOutput,
    /// Source samples per physical pixel along the axis of the shorter side of a sample.
    scale: f64,
}

impl PanelTransform {
    pub(in crate::app) fn new(session: &Session, panel: usize, place: PixelRect, pixels_per_point: f32) -> Self {
        let view = session.shown_view_of(panel);
        let map = view.image_from_output(place.size, session.page_of(panel).size());
        let [across, down] = view.scales();
        Self { panel, place, pixels_per_point, map, scale: across.max(down) }
    }

    /// Rectangle of the picture, in points.
    pub(in crate::app) fn rect(&self) -> Rect {
        self.place.in_points(self.pixels_per_point)
    }

    /// Side of a source sample, in points: the shorter one.
    pub(in crate::app) fn sample_side(&self) -> f32 {
        (1.0 / self.scale) as f32 / self.pixels_per_point
    }

    /// Window position of an image position.
    pub(in crate::app) fn pos(&self, pos_in_image: [f64; 2]) -> Pos2 {
        let [x, y] = self.map.inverse_at(pos_in_image);
        let points = |position: f64, start: i32| ((position + 0.5 + f64::from(start)) as f32) / self.pixels_per_point;
        Pos2::new(points(x, self.place.left), points(y, self.place.top))
    }

    /// Image position of a window position.
    pub(in crate::app) fn pos_in_image(&self, pos: Pos2) -> [f64; 2] {
        self.map.at(self.place.output_from_points(pos, self.pixels_per_point))
    }

    /// Image position of the centre of the pixel that contains a window position: what the status line reads there.
    pub(in crate::app) fn pixel_in_image(&self, pos: Pos2) -> [f64; 2] {
        self.map.at(self.place.pixel_from_points(pos, self.pixels_per_point))
    }

    /// Bounding box of the visible part of the image: its smallest and largest corner.
    pub(in crate::app) fn shown(&self) -> [[f64; 2]; 2] {
        self.box_in_image(self.rect())
    }

    /// Bounding box of what `rect` covers, in the image: its smallest and largest corner.
    pub(in crate::app) fn box_in_image(&self, rect: Rect) -> [[f64; 2]; 2] {
        let corners = [rect.left_top(), rect.right_top(), rect.left_bottom(), rect.right_bottom()];
        let corners = corners.map(|corner| self.pos_in_image(corner));
        let far = |axis: usize, pick: fn(f64, f64) -> f64, start: f64| {
            corners.iter().map(|corner| corner[axis]).fold(start, pick)
        };
        let least = [0, 1].map(|axis| far(axis, f64::min, f64::INFINITY));
        let greatest = [0, 1].map(|axis| far(axis, f64::max, f64::NEG_INFINITY));
        [least, greatest]
    }

    /// Window positions of the corners of an image rectangle, in order around it.
    pub(in crate::app) fn quad(&self, [left, top]: [f64; 2], [right, bottom]: [f64; 2]) -> [Pos2; 4] {
        [[left, top], [right, top], [right, bottom], [left, bottom]].map(|corner| self.pos(corner))
    }
}
