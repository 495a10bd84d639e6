//! Grid and values of source samples, drawn over large pixels.

use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Stroke};

use super::panel_transform::PanelTransform;
use crate::app::commands::InspectCommand;
use crate::app::session::Session;
use crate::app::session::unit::Unit;
use crate::backend::{Display, mapped_value};
use crate::image::Page;
use crate::sampling::Sampler;

/// Minimum side of a sample, in points, for the grid.
pub(super) const GRID_SIDE: f32 = 6.0;
/// Minimum side of a sample, in points, for its value. Several channels need more.
pub(super) const VALUE_SIDE: f32 = 36.0;

/// Magnification from which `command` shows something in the focused panel, at `pixels_per_point`, if it is not reached and
/// the command's overlay is on.
pub(in crate::app) fn needed_zoom(session: &Session, command: InspectCommand, pixels_per_point: f32) -> Option<f64> {
    let state = &session.inspect.state;
    let side = match command {
        InspectCommand::Values if state.has_values => value_side(&session.page()),
        InspectCommand::Grid if state.has_grid => GRID_SIDE,
        _ => return None,
    };
    let view = session.view();
    // The larger scale gives the shorter side of a sample.
    let zoom = f64::from(side * pixels_per_point) * view.ratio().max(1.0);
    (1.0 / view.scale() < zoom).then_some(zoom)
}

/// Minimum side of a sample of `page`, in points, for its values.
fn value_side(page: &Page) -> f32 {
    VALUE_SIDE.max(13.0 * page.channels().count() as f32)
}

/// The smallest and the largest corner of the visible samples of a panel; of those of the image alone where the rest `is_covered`.
pub(super) fn seen(session: &Session, transform: &PanelTransform, is_covered: bool) -> [[f64; 2]; 2] {
    let corners = transform.shown();
    if !is_covered {
        return corners;
    }
    let sides = session.page_of(transform.panel).size().sides();
    corners.map(|corner| [0, 1].map(|axis: usize| corner[axis].clamp(-0.5, f64::from(sides[axis]) - 0.5)))
}

/// Draws lines between the samples within the corners `seen` if these are large enough.
pub(super) fn grid(painter: &Painter, transform: &PanelTransform, [least, greatest]: [[f64; 2]; 2]) {
    if transform.sample_side() < GRID_SIDE {
        return;
    }
    let strength = ((transform.sample_side() - GRID_SIDE) / 10.0).clamp(0.35, 1.0);
    // A dark line beside a light one is visible on any grey.
    let dark = Stroke::new(1.0, Color32::from_black_alpha((110.0 * strength) as u8));
    let light = Stroke::new(1.0 / transform.pixels_per_point, Color32::from_white_alpha((130.0 * strength) as u8));
    for stroke in [dark, light] {
        for axis in [0, 1] {
            let first = (least[axis] + 0.5).floor() as i64;
            let last = (greatest[axis] + 0.5).ceil() as i64;
            for line in first..=last {
                let at = |other: f64| {
                    let mut place = [other; 2];
                    place[axis] = line as f64 - 0.5;
                    transform.pos(place)
                };
                painter.line_segment([at(least[1 - axis]), at(greatest[1 - axis])], stroke);
            }
        }
    }
}

/// Draws the value of each sample within the corners `seen` if these are large enough. Outside the image the address modes determine the
/// values.
pub(super) fn values(
    painter: &Painter,
    session: &Session,
    (transform, [least, greatest]): (&PanelTransform, [[f64; 2]; 2]),
    unit: Unit,
) {
    let page = session.page_of(transform.panel);
    if transform.sample_side() < value_side(&page) {
        return;
    }
    let panel = &session.panels()[transform.panel];
    let maxval = page.maxval();
    let span = |axis: usize| (least[axis] + 0.5).floor() as i64..=(greatest[axis] - 0.5).ceil() as i64;
    for row in span(1) {
        for column in span(0) {
            let found = sample_at(&page, &panel.sampler, [column, row]);
            let text: Vec<String> = found.iter().map(|value| unit.sample_text(*value, maxval)).collect();
            let text = fitted(&text, transform);
            let pos = within_sight(painter, transform, [column, row], &text);
            write(painter, pos, &text, is_bright(&panel.display, &found));
        }
    }
}

/// The place of the text of a sample: its middle; where that is out of sight and the visible part of the sample has room for the text, a
/// place there.
fn within_sight(painter: &Painter, transform: &PanelTransform, sample: [i64; 2], text: &SampleText) -> Pos2 {
    let [x, y] = sample.map(|index| index as f64);
    let middle = transform.pos([x, y]);
    let sight = painter.clip_rect().intersect(transform.rect());
    let corners = transform.quad([x - 0.5, y - 0.5], [x + 0.5, y + 0.5]);
    // The corners of an upright sample are those of a rectangle.
    let is_upright = (corners[0].y - corners[1].y).abs() < 0.5 || (corners[0].x - corners[1].x).abs() < 0.5;
    let room = sight.intersect(Rect::from_points(&corners)).shrink2(0.5 * text.size());
    if is_upright && room.is_positive() { room.clamp(middle) } else { middle }
}

/// Text of a sample, one line per channel.
struct SampleText {
    text: String,
    font_size: f32,
}

impl SampleText {
    /// A size that it does not exceed, in points.
    fn size(&self) -> egui::Vec2 {
        let longest = self.text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        let lines = self.text.lines().count();
        self.font_size * egui::vec2(0.62 * longest as f32 + 0.5, 1.2 * lines as f32 + 0.5)
    }
}

/// The text of one sample, a line per channel, and the font size that fits into the sample.
fn fitted(lines: &[String], transform: &PanelTransform) -> SampleText {
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(1).max(3) as f32;
    let across = transform.sample_side() * 0.88 / (longest * 0.62);
    let down = transform.sample_side() * 0.88 / (lines.len().max(1) as f32 * 1.2);
    SampleText { text: lines.join("\n"), font_size: across.min(down).clamp(7.0, 15.0) }
}

/// The values of the sample that `index` resolves to, 1 is maxval; the border value if it resolves to none.
pub(super) fn sample_at(page: &Page, sampler: &Sampler, index: [i64; 2]) -> Vec<f32> {
    let (size, raster) = (page.size(), page.raster());
    let [x, y] = sampler.address;
    let inside = (x.resolve(index[0], size.width()), y.resolve(index[1], size.height()));
    let maxval = f32::from(raster.samples().maxval());
    let value = |channel: usize| match inside {
        (Some(column), Some(row)) => raster.number(column, row, channel) / maxval,
        _ => sampler.border,
    };
    (0..page.channels().count()).map(value).collect()
}

/// Whether a sample of these values is displayed brighter than middle grey.
fn is_bright(display: &Display, values: &[f32]) -> bool {
    let tone = display.tone();
    let toned: Vec<f32> = values.iter().map(|&value| tone.apply(value)).collect();
    let colour = match toned[..] {
        [red, green, blue, ..] if display.colour_map.is_grey() => [red, green, blue].map(|value| value.clamp(0.0, 1.0)),
        _ => display.colour_map.colour(mapped_value(&toned)),
    };
    0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2] > 0.5
}

/// Draws text with an outline of the opposite brightness.
fn write(painter: &Painter, pos: Pos2, sample: &SampleText, on_bright: bool) {
    let (ink, rim) = if on_bright { (Color32::BLACK, Color32::WHITE) } else { (Color32::WHITE, Color32::BLACK) };
    let galley = painter.layout_no_wrap(sample.text.clone(), FontId::monospace(sample.font_size), Color32::PLACEHOLDER);
    let corner = Align2::CENTER_CENTER.anchor_size(pos, galley.size()).min;
    for shift in [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]] {
        painter.galley(corner + egui::Vec2::from(shift), std::sync::Arc::clone(&galley), rim.gamma_multiply(0.6));
    }
    painter.galley(corner, galley, ink);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::{Channels, Raster, Samples};
    use crate::sampling::AddressMode;
    use crate::test_support::size;

    #[test]
    fn sample_outside_has_the_value_of_the_address_mode() {
        let samples = Samples::U8 { values: vec![0, 5, 10], maxval: 10 };
        let size = size(3, 1);
        let page = Page::new(Raster::new(size, Channels::Grey, samples).expect("a raster"));
        let mut sampler = Sampler { border: 0.25, ..Sampler::default() };
        for (address, expected) in [
            (AddressMode::Clamp, 0.0),
            (AddressMode::Border, 0.25),
            (AddressMode::Wrap, 0.5),
            (AddressMode::Mirror, 0.5),
        ] {
            sampler.address = [address; 2];
            assert_eq!(sample_at(&page, &sampler, [-2, 0]), [expected], "{address}");
        }
    }

    #[test]
    fn brightness_is_that_of_the_displayed_value() {
        let mut display = Display::default();
        assert!(is_bright(&display, &[0.9]) && !is_bright(&display, &[0.1, 1.0]));
        display.exposure = -4.0;
        assert!(!is_bright(&display, &[0.9]));
    }
}
