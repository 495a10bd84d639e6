//! Places of insets: beside the fitted image where the panel has room there, over a corner of the picture elsewhere.

use egui::{Pos2, Rect};

use super::OUTLINE;
use crate::app::inspect::panel_transform::PanelTransform;
use crate::app::session::Session;
use crate::app::widgets::pixel_rect::PixelRect;
use crate::app::widgets::theme::SPACE;
use crate::image::{Page, Size, contrast_within};

/// Least number of samples along a side of an inset. A picture without room for it has no inset.
const LEAST_SAMPLES: u32 = 10;
/// Greatest number of samples along a side of an inset over a corner, of one beside an image along the axis on which it stands there, and of
/// the latter along the other axis.
const MOST_SAMPLES: u32 = 40;
const MOST_BESIDE: u32 = 72;
const LONGEST: u32 = 96;
/// Greatest side of an inset over a picture, as a share of the shorter side of the picture.
const SHARE: f64 = 0.4;
/// Side of a sample in an inset, in points: the detail is recognized by its surroundings.
const SAMPLE: f32 = 4.0;
/// Least length of an inset along either axis, in points: beside an image and over a corner. A smaller one shows nothing that is recognized.
const LEAST_BESIDE: f32 = 100.0;
const LEAST_OVER: f32 = 80.0;
/// Distance of an inset over a corner from the edges of the image, in points, with its outline.
const MARGIN: f32 = 2.0 * SPACE + OUTLINE;
/// Width of the line around an image, in points.
const HAIR_LINE: f32 = 1.0;
/// Distance of the outline of an inset from the image that it stands beside, and of both from the edges of the panel, in points.
const GAP: f32 = 2.0 * SPACE;

/// The size of an inset, and its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placement {
    /// Size of the inset, in pixels.
    pub(super) size: Size,
    /// Pixels of a sample.
    pub(super) times: u32,
    /// Where it stands beside the image; `None` for an inset over a corner.
    pub(super) beside: Option<Beside>,
}

/// The place of an inset beside a fitted image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Beside {
    /// Corner of the inset in the picture, in pixels.
    corner_px: [i32; 2],
    /// How far the fitted image stands off the middle of the picture, in pixels.
    pub(super) offset_px: [i32; 2],
}

impl Placement {
    /// The placement for panel `index`, whose image is fitted: beside the image where it covers only what is dimmed. `None` without room for an
    /// inset.
    pub(super) fn of(session: &Session, index: usize, pixels_per_point: f32) -> Option<Self> {
        let page = session.page_of(index).size();
        let available = across_and_down(session.view_of(index).angle_deg(), page.sides());
        let room = Room { picture: session.output().sides(), available, pixels_per_point };
        let beside = session.dims_outside().then(|| room.beside(session.fitted_box_px(index))).flatten();
        beside.or_else(|| room.over())
    }

    /// Whole samples along each side of the inset.
    pub(super) fn samples(&self) -> [u32; 2] {
        self.size.sides().map(|side| side / self.times)
    }

    /// Place of the inset in the window: over a corner of the image of `page` where it does not cover `source`, the outline of what it shows.
    /// `None` if it would cover that in each corner.
    pub(super) fn place(&self, transform: &PanelTransform, page: &Page, source: &[Pos2; 4]) -> Option<PixelRect> {
        let (PixelRect { left, top, .. }, size) = (transform.place, self.size);
        match self.beside {
            Some(Beside { corner_px: [x, y], .. }) => Some(PixelRect { left: left + x, top: top + y, size }),
            None => over_corner(source, transform, page, size),
        }
    }
}

/// The numbers of samples across and down that a picture of an image of these sides has at most, turned by `angle_deg`.
fn across_and_down(angle_deg: f64, sides: [u32; 2]) -> [u32; 2] {
    let [width, height] = sides;
    match angle_deg.abs() {
        0.0 | 180.0 => sides,
        90.0 | 270.0 => [height, width],
        _ => [width.min(height); 2],
    }
}

/// What limits an inset.
#[derive(Clone, Copy, Debug)]
struct Room {
    /// Sides of the picture, in pixels.
    picture: [u32; 2],
    /// Greatest numbers of samples across and down.
    available: [u32; 2],
    pixels_per_point: f32,
}

impl Room {
    fn px(&self, points: f32) -> u32 {
        (points * self.pixels_per_point).round() as u32
    }

    /// The placement beside an image that fills a box of `image` pixels in the middle of the picture. The inset with its outline is as
    /// long as the image with its hair line, and at most as wide as long. Both together stand in the middle. `None` without room.
    fn beside(&self, image: [f64; 2]) -> Option<Placement> {
        let [across, down] = [0, 1].map(|axis: usize| f64::from(self.picture[axis]) - image[axis]);
        let along = usize::from(down > across);
        let image = image.map(|side| side.ceil() as u32);
        let free = [0, 1].map(|axis: usize| self.picture[axis].saturating_sub(image[axis]));
        let (gap, outline) = (self.px(GAP), self.px(OUTLINE));
        let times = self.px(SAMPLE).max(1);
        let most = |axis: usize, samples: u32| samples.min(self.available[axis]) * times;
        let mut inset = [0; 2];
        let free_across = self.picture[1 - along].saturating_sub(2 * gap);
        let length = (image[1 - along] + 2 * self.px(HAIR_LINE)).min(free_across).saturating_sub(2 * outline);
        inset[1 - along] = length.min(most(1 - along, LONGEST));
        let room = free[along].saturating_sub(3 * gap + 2 * outline).min(most(along, MOST_BESIDE));
        inset[along] = room.min(inset[1 - along]);
        if inset.iter().any(|side| *side < (LEAST_SAMPLES * times).max(self.px(LEAST_BESIDE))) {
            return None;
        }
        let group = image[along] + gap + inset[along] + 2 * outline;
        let start = ((self.picture[along] - group) / 2) as i32;
        let (mut corner_px, mut offset_px) = ([0; 2], [0; 2]);
        corner_px[along] = start + (image[along] + gap + outline) as i32;
        corner_px[1 - along] = ((self.picture[1 - along] - inset[1 - along]) / 2) as i32;
        offset_px[along] = start - (free[along] / 2) as i32;
        let size = Size::new(inset[0], inset[1]).ok()?;
        Some(Placement { size, times, beside: Some(Beside { corner_px, offset_px }) })
    }

    /// The placement of a square inset over a corner. `None` without room.
    fn over(&self) -> Option<Placement> {
        let [width, height] = self.picture;
        let times = self.px(SAMPLE).max(1);
        let room = (SHARE * f64::from(width.min(height)) / f64::from(times)) as u32;
        let samples = room.min(MOST_SAMPLES).min(self.available[0]).min(self.available[1]);
        let size = Size::new(samples * times, samples * times).ok()?;
        let is_seen = samples >= LEAST_SAMPLES && samples * times >= self.px(LEAST_OVER);
        is_seen.then_some(Placement { size, times, beside: None })
    }
}

/// The corner of the image, within the picture, with the least contrast of those in which an inset of this size does not cover `source`.
fn over_corner(source: &[Pos2; 4], transform: &PanelTransform, page: &Page, own: Size) -> Option<PixelRect> {
    let ppp = transform.pixels_per_point;
    let image = transform.quad([-0.5; 2], page.size().sides().map(|side| f64::from(side) - 0.5));
    let shown = Rect::from_points(&image).intersect(transform.rect());
    let margin = (MARGIN * ppp).round();
    let [left, top] = [shown.left(), shown.top()].map(|edge| ((edge * ppp).round() + margin) as i32);
    let far = |edge: f32, own: u32| ((edge * ppp).round() - margin) as i32 - own as i32;
    let (right, bottom) = (far(shown.right(), own.width()), far(shown.bottom(), own.height()));
    let source = Rect::from_points(source).expand(MARGIN);
    let contrast = |place: &PixelRect| contrast_within(page.raster(), transform.box_in_image(place.in_points(ppp)));
    let places = [[right, bottom], [left, bottom], [right, top], [left, top]];
    let places = places.map(|[left, top]| PixelRect { left, top, size: own }).into_iter();
    let free = places.filter(|place| !place.in_points(ppp).intersects(source));
    free.map(|place| (contrast(&place), place)).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, place)| place)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of every room: the inset and the image are inside the picture and apart, with equal distances from its edges.
    #[test]
    fn image_and_inset_beside_it_are_apart_and_in_the_middle_of_the_picture() {
        let mut count = 0;
        for pixels_per_point in [1.0, 1.5, 2.0] {
            for (width, height) in [(508, 368), (508, 770), (900, 300), (637, 401), (320, 700)] {
                for image in [[354.0, 354.0], [200.5, 352.0], [480.0, 200.0], [300.0, 690.2], [120.0, 287.9]] {
                    let scaled = |length: f64| (length * f64::from(pixels_per_point)).round();
                    let picture = [f64::from(width), f64::from(height)].map(|side| scaled(side) as u32);
                    let image = image.map(scaled);
                    let room = Room { picture, available: [500, 60], pixels_per_point };
                    let is_inside = (0..2).all(|axis| image[axis] <= f64::from(picture[axis]));
                    let Some(placement) = is_inside.then(|| room.beside(image)).flatten() else { continue };
                    let beside = placement.beside.expect("a place beside the image");
                    let samples = placement.samples();
                    count += 1;
                    let along = usize::from(beside.offset_px[1] != 0);
                    assert_eq!(beside.offset_px[1 - along], 0);
                    let start = (f64::from(picture[along]) - image[along]) / 2.0 + f64::from(beside.offset_px[along]);
                    let inset = placement.size.sides().map(f64::from);
                    let [gap, outline] = [GAP, OUTLINE].map(|points| f64::from((points * pixels_per_point).round()));
                    let first = f64::from(beside.corner_px[along]);
                    assert!((first - outline - (start + image[along]) - gap).abs() <= 1.0, "{first} {start} {image:?}");
                    let end = f64::from(picture[along]) - first - inset[along] - outline;
                    assert!((end - start).abs() <= 2.0 && end >= gap - 1.0, "{start} and {end} of {picture:?}");
                    // With its outline it is as long as the image with its hair line, within the margins of the picture, unless that is
                    // longer than the inset's limits.
                    let across = f64::from(beside.corner_px[1 - along]);
                    let with_line = image[1 - along].ceil() + 2.0 * f64::from(room.px(HAIR_LINE));
                    let most = with_line.min(f64::from(picture[1 - along]) - 2.0 * gap);
                    let missing = most - 2.0 * outline - inset[1 - along];
                    let is_limited = samples[1 - along] == [LONGEST, 60][1 - along];
                    assert!(missing == 0.0 || (missing > 0.0 && is_limited), "{missing} of {image:?}");
                    assert!((2.0 * across + inset[1 - along] - f64::from(picture[1 - along])).abs() <= 1.0);
                    assert!(samples.iter().all(|samples| (LEAST_SAMPLES..=LONGEST).contains(samples)), "{samples:?}");
                    assert!(samples[along] <= MOST_BESIDE && samples[1] <= 60, "{samples:?}");
                    assert!(inset[along] <= inset[1 - along], "{inset:?}");
                }
            }
        }
        assert!(count > 20, "{count}");
    }

    #[test]
    fn inset_without_room_beside_the_image_is_over_a_corner() {
        let room = Room { picture: [508, 368], available: [512; 2], pixels_per_point: 1.0 };
        let sides = |image: [f64; 2]| room.beside(image).map(|placement| placement.size.sides());
        assert_eq!(sides([354.0, 354.0]), Some([126, 348]));
        assert_eq!(sides([380.0, 352.0]), Some([100, 348]));
        assert_eq!(sides([381.0, 352.0]), None, "127 pixels have no room for 100, the outline and the gaps");
        assert_eq!(sides([492.0, 200.0]), Some([384, 140]));
        let over = room.over().expect("a corner");
        assert_eq!((over.samples(), over.beside), ([36; 2], None));
        let narrow = Room { available: [9, 512], ..room };
        assert!(narrow.over().is_none() && narrow.beside([354.0, 354.0]).is_none());
    }
}
