//! The lenses of a panel: their pictures of whole pixels, the values of isolines, what is measured.

use egui::{Align2, Color32, ColorImage, FontId, Painter};

use super::super::panel_transform::PanelTransform;
use super::caption::Caption;
use super::sample_check::magnitude_text;
use crate::app::widgets::theme::text_size;
use crate::lab::field::{Field, Lens, LensPicture};
use crate::text::short;

/// Distance between two labels, and from the edges, in points.
const BETWEEN_LABELS: f32 = 120.0;
const LABEL_MARGIN: [f32; 2] = [22.0, 30.0];

/// A lens of a panel.
#[derive(Clone, Debug)]
pub(super) struct PanelLens {
    /// Its picture; the pixels are empty once they are uploaded.
    picture: LensPicture,
    labels: Vec<IsolineLabel>,
}

/// The value of an isoline at a pixel of it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct IsolineLabel {
    pixel: [u32; 2],
    value: f32,
}

impl PanelLens {
    /// Draws `lens`; `slope` is the page's range of slopes.
    pub(super) fn new(lens: Lens, field: &Field, slope: f32, pixels_per_point: f32) -> Self {
        let picture = LensPicture::new(lens, field, slope, pixels_per_point);
        let labels = match lens {
            Lens::Isolines => labels(field, picture.scale, pixels_per_point),
            Lens::Relief | Lens::Gradient | Lens::Curvature => Vec::new(),
        };
        Self { picture, labels }
    }

    /// Takes the pixels, which are uploaded once.
    pub(super) fn take_pixels(&mut self) -> Option<ColorImage> {
        let pixels = std::mem::take(&mut self.picture.pixels);
        let colour = |[red, green, blue, alpha]: [u8; 4]| Color32::from_rgba_premultiplied(red, green, blue, alpha);
        let size = self.picture.size.sides().map(|side| side as usize);
        (!pixels.is_empty()).then(|| ColorImage::new(size, pixels.into_iter().map(colour).collect()))
    }

    /// Writes the values of isolines beside them.
    pub(super) fn paint_labels(&self, painter: &Painter, transform: &PanelTransform) {
        let corner = transform.rect().min;
        for IsolineLabel { pixel, value } in &self.labels {
            let pos = corner + egui::Vec2::from(pixel.map(|place| (place as f32 + 0.5) / transform.pixels_per_point));
            let font = FontId::proportional(text_size::UNIT - 1.0);
            let galley = painter.layout_no_wrap(short(f64::from(*value), 4), font, Color32::BLACK);
            let place = Align2::CENTER_CENTER.anchor_size(pos, galley.size());
            painter.rect_filled(place.expand2(egui::vec2(2.0, -1.0)), 3.0, Color32::from_white_alpha(225));
            painter.galley(place.min, galley, Color32::BLACK);
        }
    }

    /// What the lens measures.
    pub(super) fn caption(&self) -> Caption {
        let scale = magnitude_text(self.picture.scale);
        let [least, most] = self.picture.range;
        let texts = match self.picture.lens {
            Lens::Isolines => {
                // To a tenth of a step.
                let tenth = f64::from(self.picture.scale) / 10.0;
                let [least, most] =
                    [least, most].map(|value| short((f64::from(value) / tenth).round() * tenth, 5).replace('-', "−"));
                vec![format!("every {scale}, values {least} to {most}"), format!("every {scale}")]
            }
            Lens::Relief => vec!["light from the upper left".to_owned(), String::new()],
            Lens::Gradient => {
                let most = magnitude_text(most);
                vec![format!("0 to {scale} per sample, up to {most}"), format!("up to {most} per sample")]
            }
            Lens::Curvature => {
                let most = magnitude_text(most);
                vec![format!("±{scale} per sample², up to {most}"), format!("up to {most} per sample²")]
            }
        };
        let row = self.picture.lens.row();
        let texts = texts.into_iter().filter(|text| !text.is_empty()).collect();
        let how = match self.picture.lens {
            Lens::Isolines => "1 is maxval",
            Lens::Relief => {
                "Slopes are central differences of the picture's values; all panels of an image are as steep"
            }
            Lens::Gradient | Lens::Curvature => {
                "Central differences of the picture's values; 1 is maxval. All panels of an image have the same colours"
            }
        };
        Caption { title: row.title, texts, help: format!("{}\n{how}", row.help) }
    }
}

/// Places of labels: pixels on isolines, apart from each other and from the edges.
fn labels(field: &Field, step: f32, pixels_per_point: f32) -> Vec<IsolineLabel> {
    let apart = BETWEEN_LABELS * pixels_per_point;
    let [across, down] = LABEL_MARGIN.map(|points| (points * pixels_per_point) as u32);
    let (width, height) = (field.size().width(), field.size().height());
    let mut labels: Vec<IsolineLabel> = Vec::new();
    for row in (down..height.saturating_sub(down)).step_by(3) {
        for column in (across..width.saturating_sub(across)).step_by(3) {
            // A steep place has several lines under one label.
            let is_gentle = field.change_a_pixel(column, row) * 16.0 * pixels_per_point < step;
            if !is_gentle || field.isoline_distance([column, row], step) > 1.0 {
                continue;
            }
            let is_free = labels.iter().all(|label| {
                let [x, y] = [0, 1].map(|axis| label.pixel[axis] as f32 - [column, row][axis] as f32);
                x.hypot(y) >= apart
            });
            if is_free {
                let value = (field.value(column, row) / step).round() * step;
                labels.push(IsolineLabel { pixel: [column, row], value });
            }
        }
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::{CpuBackend, RenderRequest};
    use crate::image::{Channels, Image, Page, Raster, Samples};
    use crate::test_support::size;
    use crate::view::View;

    #[test]
    fn labels_have_the_values_of_their_isolines_and_pixels_are_taken_once() {
        let values = (0..33 * 33).map(|place| (place % 33) as f32 / 32.0).collect();
        let raster = Raster::new(size(33, 33), Channels::Grey, Samples::F32(values)).expect("a raster");
        let image = Image::of_page("ramp", Page::new(raster));
        let view = View::new([0.0; 2], 1.0 / 16.0).expect("a view");
        let request = RenderRequest { view, ..RenderRequest::new(size(320, 160)) };
        let field = Field::new(&image, &request, &mut CpuBackend::new()).expect("a field");
        let mut lens = PanelLens::new(Lens::Isolines, &field, 1.0 / 32.0, 1.0);
        assert!(!lens.labels.is_empty());
        for label in &lens.labels {
            let shown = field.value(label.pixel[0], label.pixel[1]);
            assert!((shown - label.value).abs() < 0.004, "{label:?} at {shown}");
        }
        assert_eq!(lens.take_pixels().map(|pixels| pixels.size), Some([320, 160]));
        assert!(lens.take_pixels().is_none());
    }
}
