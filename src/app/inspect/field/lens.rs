//! The lenses of a panel as pictures of whole pixels.

use egui::{Align2, Color32, ColorImage, FontId, Painter};

use super::super::panel_transform::PanelTransform;
use super::caption::Caption;
use super::sample_check::magnitude_text;
use crate::app::widgets::number::short;
use crate::app::widgets::theme::text_size;
use crate::backend::ColourMap;
use crate::lab::field::{Field, Lens, isoline_step};

/// Largest number of isolines between the least and the greatest value.
const ISOLINES: u32 = 12;
/// Width of an isoline and of its light rim on each side, in points.
const LINE: [f32; 2] = [0.55, 1.3];
/// Distance between two labels, and from the edges, in points.
const BETWEEN_LABELS: f32 = 120.0;
const LABEL_MARGIN: [f32; 2] = [22.0, 30.0];
/// Height of a relief in samples for a step of the page's slope range.
const HEIGHT: f32 = 1.2;
/// Second derivative at the end of its colours, in slope ranges per sample.
const CURVATURE: f32 = 1.5;

/// A lens as a picture.
#[derive(Clone, Debug)]
pub(super) struct LensPicture {
    pub(super) lens: Lens,
    /// Its pixels, until they are uploaded.
    pub(super) image: Option<ColorImage>,
    /// Step of the isolines, or the value at the end of the colours.
    scale: f32,
    /// Largest magnitude of what is shown, or the range of the values.
    range: [f32; 2],
    labels: Vec<IsolineLabel>,
}

/// The value of an isoline at a pixel of it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct IsolineLabel {
    pixel: [u32; 2],
    value: f32,
}

impl LensPicture {
    /// Draws `lens`; `slope` is the page's range of slopes.
    pub(super) fn new(lens: Lens, field: &Field, slope: f32, pixels_per_point: f32) -> Self {
        match lens {
            Lens::Isolines => isolines(field, pixels_per_point),
            Lens::Relief => {
                let light = |column, row| lit(field.gradient(column, row), HEIGHT / slope);
                let pixel = |column, row| Color32::from_gray((light(column, row) * 255.0).round() as u8);
                Self::of(lens, field, slope, pixel, [0.0; 2])
            }
            Lens::Gradient => {
                let magnitude = |column, row| {
                    let [x, y] = field.gradient(column, row);
                    x.hypot(y)
                };
                let pixel = |column, row| mapped(ColourMap::Viridis, magnitude(column, row) / slope);
                let most = greatest(field, magnitude);
                Self::of(lens, field, slope, pixel, [0.0, most])
            }
            Lens::Curvature => {
                let end = CURVATURE * slope;
                let laplacian = |column, row| field.laplacian(column, row);
                let pixel = |column, row| mapped(ColourMap::BlueRed, 0.5 + 0.5 * laplacian(column, row) / end);
                let most = greatest(field, |column, row| laplacian(column, row).abs());
                Self::of(lens, field, end, pixel, [0.0, most])
            }
        }
    }

    /// A picture of `pixel`.
    fn of(lens: Lens, field: &Field, scale: f32, pixel: impl Fn(u32, u32) -> Color32, range: [f32; 2]) -> Self {
        let (width, height) = (field.size().width(), field.size().height());
        let places = (0..height).flat_map(|row| (0..width).map(move |column| (column, row)));
        let pixels = places.map(|(column, row)| pixel(column, row)).collect();
        let image = ColorImage::new([width as usize, height as usize], pixels);
        Self { lens, image: Some(image), scale, range, labels: Vec::new() }
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
        let scale = magnitude_text(self.scale);
        let [least, most] = self.range;
        let texts = match self.lens {
            Lens::Isolines => {
                // To a tenth of a step.
                let tenth = f64::from(self.scale) / 10.0;
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
        let row = self.lens.row();
        let texts = texts.into_iter().filter(|text| !text.is_empty()).collect();
        let how = match self.lens {
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

/// The greatest finite value of `value`.
fn greatest(field: &Field, value: impl Fn(u32, u32) -> f32) -> f32 {
    let (width, height) = (field.size().width(), field.size().height());
    let places = (0..height).flat_map(|row| (0..width).map(move |column| (column, row)));
    let values = places.map(|(column, row)| value(column, row)).filter(|value| value.is_finite());
    values.fold(0.0, f32::max)
}

fn mapped(map: ColourMap, value: f32) -> Color32 {
    let [red, green, blue] = map.colour(value).map(|part| (part.clamp(0.0, 1.0) * 255.0).round() as u8);
    Color32::from_rgb(red, green, blue)
}

/// Brightness, 0 to 1, of a surface of this slope, `height` times as steep, under light from the upper left at 45°.
fn lit([x, y]: [f32; 2], height: f32) -> f32 {
    let (x, y) = (-x * height, -y * height);
    // The light comes from (−½, −½, 1/√2); the normal is (x, y, 1).
    let cosine = (-0.5 * x - 0.5 * y + std::f32::consts::FRAC_1_SQRT_2) / (x * x + y * y + 1.0).sqrt();
    if cosine.is_finite() { cosine.clamp(0.0, 1.0) } else { 0.0 }
}

/// The isolines: dark lines with light rims on a transparent picture.
fn isolines(field: &Field, pixels_per_point: f32) -> LensPicture {
    let range = field.range();
    let step = isoline_step(range, ISOLINES);
    let [line, rim] = LINE.map(|width| width * pixels_per_point);
    // Distance from the nearest isoline in pixels.
    let distance = |column: u32, row: u32| {
        let value = field.value(column, row);
        let beside = (value / step - (value / step).round()).abs() * step;
        let change = field.change_a_pixel(column, row);
        if change > 1e-12 { beside / change } else { f32::INFINITY }
    };
    let pixel = |column: u32, row: u32| {
        let distance = distance(column, row);
        let covered = |width: f32| (0.5 + width - distance).clamp(0.0, 1.0);
        let light = Color32::from_white_alpha(190).gamma_multiply(covered(rim));
        light.blend(Color32::from_rgb(16, 16, 20).gamma_multiply(covered(line)))
    };
    let picture = LensPicture::of(Lens::Isolines, field, step, pixel, range);
    LensPicture { labels: labels(field, step, pixels_per_point, distance), ..picture }
}

/// Places of labels: pixels on isolines, apart from each other and from the edges.
fn labels(field: &Field, step: f32, pixels_per_point: f32, distance: impl Fn(u32, u32) -> f32) -> Vec<IsolineLabel> {
    let apart = BETWEEN_LABELS * pixels_per_point;
    let [across, down] = LABEL_MARGIN.map(|points| (points * pixels_per_point) as u32);
    let (width, height) = (field.size().width(), field.size().height());
    let mut labels: Vec<IsolineLabel> = Vec::new();
    for row in (down..height.saturating_sub(down)).step_by(3) {
        for column in (across..width.saturating_sub(across)).step_by(3) {
            // A steep place has several lines under one label.
            let is_gentle = field.change_a_pixel(column, row) * 16.0 * pixels_per_point < step;
            if !is_gentle || distance(column, row) > 1.0 {
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

    /// x/32 from 0 to 1, 16 pixels to a sample.
    fn ramp() -> Field {
        let values = (0..33 * 33).map(|place| (place % 33) as f32 / 32.0).collect();
        let raster = Raster::new(size(33, 33), Channels::Grey, Samples::F32(values)).expect("a raster");
        let image = Image::of_page("ramp", Page::new(raster));
        let view = View::new([0.0; 2], 1.0 / 16.0).expect("a view");
        let request = RenderRequest { view, ..RenderRequest::new(size(320, 160)) };
        Field::new(&image, &request, &mut CpuBackend::new()).expect("a field")
    }

    #[test]
    fn isolines_of_a_ramp_are_columns_at_equal_distances_with_their_values() {
        let field = ramp();
        let picture = LensPicture::new(Lens::Isolines, &field, 1.0 / 32.0, 1.0);
        let pixels = picture.image.as_ref().expect("a picture").pixels.clone();
        let dark: Vec<u32> = (0..320)
            .filter(|&column| {
                let pixel = pixels[80 * 320 + column as usize];
                pixel.a() > 200 && pixel.r() < 100
            })
            .collect();
        // The view shows 6.5/32 to 26.4/32: lines every 0.1, which is 3.2 samples or 51.2 pixels.
        assert_eq!(picture.scale, 0.1);
        let expected: Vec<f32> = (3..=8).map(|tenth| (tenth as f32 * 3.2 - 6.5) * 16.0).collect();
        for place in &expected {
            assert!(dark.iter().any(|column| (*column as f32 - place).abs() <= 1.0), "{place} of {dark:?}");
        }
        assert!(dark.len() <= 3 * expected.len(), "{dark:?}");
        assert!(!picture.labels.is_empty());
        for label in &picture.labels {
            let shown = field.value(label.pixel[0], label.pixel[1]);
            assert!((shown - label.value).abs() < 0.004, "{label:?} at {shown}");
        }
    }

    #[test]
    fn relief_is_light_where_it_faces_the_light_and_gradient_has_the_slope() {
        assert!(lit([1.0, 1.0], 1.0) > lit([0.0; 2], 1.0) && lit([0.0; 2], 1.0) > lit([-1.0, -1.0], 1.0));
        assert!((lit([0.0; 2], 5.0) - std::f32::consts::FRAC_1_SQRT_2).abs() < 1e-6);
        let field = ramp();
        let gradient = LensPicture::new(Lens::Gradient, &field, 1.0 / 32.0, 1.0);
        assert!((gradient.range[1] - 1.0 / 32.0).abs() < 1e-5, "{:?}", gradient.range);
        // The colours end at the slope of the ramp.
        assert_eq!(gradient.image.as_ref().expect("a picture").pixels[1000], mapped(ColourMap::Viridis, 1.0));
        let curvature = LensPicture::new(Lens::Curvature, &field, 1.0 / 32.0, 1.0);
        assert!(curvature.range[1] < 1e-3, "{:?}", curvature.range);
    }
}
