//! The lenses as pictures: isolines over the values, relief in grey, slope and second derivative by colour maps.

use super::lens::{Field, Lens, isoline_step};
use crate::backend::ColourMap;
use crate::image::{Channels, Raster, Samples, Size};

/// Largest number of isolines between the least and the greatest value.
const ISOLINES: u32 = 12;
/// Width of an isoline and of its light rim on each side, in units of `line_scale`.
const LINE: [f32; 2] = [0.55, 1.3];
/// Opacity of the rim.
const RIM_OPACITY: f32 = 190.0 / 255.0;
/// Colour of an isoline.
const LINE_COLOUR: [f32; 3] = [16.0 / 255.0, 16.0 / 255.0, 20.0 / 255.0];
/// Height of a relief in samples for a step of the page's slope range.
const HEIGHT: f32 = 1.2;
/// Second derivative at the end of its colours, in slope ranges per sample.
const CURVATURE: f32 = 1.5;

/// A lens as a picture.
#[derive(Clone, Debug)]
pub struct LensPicture {
    /// The lens.
    pub lens: Lens,
    /// Number of pixels.
    pub size: Size,
    /// Colours row by row: red, green, blue and alpha, premultiplied. Isolines are transparent between the lines.
    pub pixels: Vec<[u8; 4]>,
    /// Step of the isolines, or the value at the end of the colours.
    pub scale: f32,
    /// The range of the values of isolines, otherwise 0 and the largest magnitude of what is shown.
    pub range: [f32; 2],
}

impl LensPicture {
    /// Draws `lens`. `slope` is the page's [`slope_range`](super::slope_range): all views of a page have the same colours.
    /// Isolines are 1.1 · `line_scale` pixels wide.
    pub fn new(lens: Lens, field: &Field, slope: f32, line_scale: f32) -> Self {
        let number = |[column, row]: [u32; 2]| lens.number(field, [column, row], slope);
        match lens {
            Lens::Isolines => isolines(field, line_scale),
            Lens::Relief => {
                let pixel = |place| {
                    let light = byte(number(place));
                    [light, light, light, u8::MAX]
                };
                Self::of(lens, field, slope, pixel, [0.0; 2])
            }
            Lens::Gradient => {
                let pixel = |place| mapped(ColourMap::Viridis, number(place) / slope);
                Self::of(lens, field, slope, pixel, [0.0, greatest(field, number)])
            }
            Lens::Curvature => {
                let end = CURVATURE * slope;
                let pixel = |place| mapped(ColourMap::BlueRed, 0.5 + 0.5 * number(place) / end);
                Self::of(lens, field, end, pixel, [0.0, greatest(field, |place| number(place).abs())])
            }
        }
    }

    /// A picture of `pixel`.
    fn of(lens: Lens, field: &Field, scale: f32, pixel: impl Fn([u32; 2]) -> [u8; 4], range: [f32; 2]) -> Self {
        Self { lens, size: field.size(), pixels: places(field.size()).map(pixel).collect(), scale, range }
    }

    /// The picture over the values of `field` as grey, without alpha.
    pub fn over_values(&self, field: &Field) -> Raster {
        let grey = places(self.size).map(|[column, row]| field.value(column, row).clamp(0.0, 1.0) * 255.0);
        let over = |([red, green, blue, alpha], grey): (&[u8; 4], f32)| {
            let below = grey * (1.0 - f32::from(*alpha) / 255.0);
            [red, green, blue].map(|part| (f32::from(*part) + below).round() as u8)
        };
        let bytes = self.pixels.iter().zip(grey).flat_map(over).collect();
        Raster::new(self.size, Channels::Rgb, Samples::U8 { values: bytes, maxval: u8::MAX })
            .expect("three bytes a pixel")
    }
}

impl Lens {
    /// What the lens shows of a pixel: the value for isolines, the brightness of a relief from 0 to 1, |∇f| per sample, or
    /// f_xx + f_yy per sample². The height of a relief is in proportion to 1/`slope`.
    pub fn number(self, field: &Field, [column, row]: [u32; 2], slope: f32) -> f32 {
        match self {
            Self::Isolines => field.value(column, row),
            Self::Relief => lit(field.gradient(column, row), HEIGHT / slope),
            Self::Gradient => {
                let [x, y] = field.gradient(column, row);
                x.hypot(y)
            }
            Self::Curvature => field.laplacian(column, row),
        }
    }

    /// [`Lens::number`] of every pixel, as float grey.
    pub fn numbers(self, field: &Field, slope: f32) -> Raster {
        let numbers = places(field.size()).map(|place| self.number(field, place, slope)).collect();
        Raster::new(field.size(), Channels::Grey, Samples::F32(numbers)).expect("one number a pixel")
    }
}

/// The pixels row by row.
fn places(size: Size) -> impl Iterator<Item = [u32; 2]> {
    (0..size.height()).flat_map(move |row| (0..size.width()).map(move |column| [column, row]))
}

/// The greatest finite value of `value`.
fn greatest(field: &Field, value: impl Fn([u32; 2]) -> f32) -> f32 {
    places(field.size()).map(value).filter(|value| value.is_finite()).fold(0.0, f32::max)
}

fn byte(part: f32) -> u8 {
    (part.clamp(0.0, 1.0) * 255.0).round() as u8
}

fn mapped(map: ColourMap, value: f32) -> [u8; 4] {
    let [red, green, blue] = map.colour(value).map(byte);
    [red, green, blue, u8::MAX]
}

/// Brightness, 0 to 1, of a surface of this slope, `height` times as steep, under light from the upper left at 45°.
fn lit([x, y]: [f32; 2], height: f32) -> f32 {
    let (x, y) = (-x * height, -y * height);
    // The light comes from (−½, −½, 1/√2); the normal is (x, y, 1).
    let cosine = (-0.5 * x - 0.5 * y + std::f32::consts::FRAC_1_SQRT_2) / (x * x + y * y + 1.0).sqrt();
    if cosine.is_finite() { cosine.clamp(0.0, 1.0) } else { 0.0 }
}

/// The isolines: dark lines with light rims.
fn isolines(field: &Field, line_scale: f32) -> LensPicture {
    let range = field.range();
    let step = isoline_step(range, ISOLINES);
    let [line, rim] = LINE.map(|width| width * line_scale);
    let pixel = |place| {
        let distance = field.isoline_distance(place, step);
        let covered = |width: f32| (0.5 + width - distance).clamp(0.0, 1.0);
        let dark = covered(line);
        let light = RIM_OPACITY * covered(rim) * (1.0 - dark);
        let [red, green, blue] = LINE_COLOUR.map(|part| byte(part * dark + light));
        [red, green, blue, byte(dark + light)]
    };
    LensPicture::of(Lens::Isolines, field, step, pixel, range)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::{CpuBackend, RenderRequest};
    use crate::image::{Image, Page};
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
    fn isolines_of_a_ramp_are_columns_at_equal_distances() {
        let field = ramp();
        let picture = LensPicture::new(Lens::Isolines, &field, 1.0 / 32.0, 1.0);
        let is_dark = |column: &u32| {
            let [red, .., alpha] = picture.pixels[80 * 320 + *column as usize];
            alpha > 200 && red < 100
        };
        let dark: Vec<u32> = (0..320).filter(is_dark).collect();
        // The view shows 6.5/32 to 26.4/32: lines every 0.1, which is 3.2 samples or 51.2 pixels.
        assert_eq!(picture.scale, 0.1);
        let expected: Vec<f32> = (3..=8).map(|tenth| (tenth as f32 * 3.2 - 6.5) * 16.0).collect();
        for place in &expected {
            assert!(dark.iter().any(|column| (*column as f32 - place).abs() <= 1.0), "{place} of {dark:?}");
        }
        assert!(dark.len() <= 3 * expected.len(), "{dark:?}");
        // Between the lines the values are seen.
        let over = picture.over_values(&field);
        let between = 10_u32;
        assert_eq!(picture.pixels[80 * 320 + between as usize][3], 0);
        let value = (field.value(between, 80) * 255.0).round();
        assert_eq!([0, 1, 2].map(|channel| over.number(between, 80, channel)), [value; 3]);
        assert!(dark.iter().any(|column| over.number(*column, 80, 0) < 60.0), "a dark line over the values");
    }

    #[test]
    fn relief_is_light_where_it_faces_the_light_and_gradient_has_the_slope() {
        assert!(lit([1.0, 1.0], 1.0) > lit([0.0; 2], 1.0) && lit([0.0; 2], 1.0) > lit([-1.0, -1.0], 1.0));
        assert!((lit([0.0; 2], 5.0) - std::f32::consts::FRAC_1_SQRT_2).abs() < 1e-6);
        let field = ramp();
        let gradient = LensPicture::new(Lens::Gradient, &field, 1.0 / 32.0, 1.0);
        assert!((gradient.range[1] - 1.0 / 32.0).abs() < 1e-5, "{:?}", gradient.range);
        // The colours end at the slope of the ramp.
        assert_eq!(gradient.pixels[1000], mapped(ColourMap::Viridis, 1.0));
        let curvature = LensPicture::new(Lens::Curvature, &field, 1.0 / 32.0, 1.0);
        assert!(curvature.range[1] < 1e-3, "{:?}", curvature.range);
        let numbers = Lens::Gradient.numbers(&field, 1.0);
        assert!((numbers.number(100, 100, 0) - 1.0 / 32.0).abs() < 1e-5);
    }
}
