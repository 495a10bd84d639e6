//! The smoothness of a field: its values as isolines, its slopes as relief and as magnitude, its second derivative.
//!
//! A view is rendered with a margin, and derivatives are central differences of its values over h samples on both sides:
//!
//! ```text
//! f_x ≈ (f(x + h) − f(x − h)) / 2h        f_xx ≈ (f(x + h) − 2 f(x) + f(x − h)) / h²
//! ```
//! along the axes of the output, per sample. h is the smallest whole number of pixels that covers 1/32 of a sample, so that
//! rounding errors of the values stay small at any magnification; differences of polynomials up to degree 2 are exact. Colours
//! count by their luma, weighted by alpha.

use crate::backend::{BackendError, CpuBackend, Display, PixelFormat, RenderRequest, RequestError, render};
use crate::filter::{Chain, Filters};
use crate::image::{Depth, Image, Page, Raster, Size};
use crate::rows::rows;

/// Least distance of the values that a difference is of, in samples.
const LEAST_STEP: f64 = 1.0 / 32.0;
/// Rec. 601 luma.
const LUMA: [f32; 3] = [0.299, 0.587, 0.114];
/// Part of the samples' steps that [`slope_range`] covers.
const COVERED: f64 = 0.99;
/// Largest number of steps that are looked at.
const STEPS: usize = 1 << 16;
/// Least change of the value from pixel to pixel that places an isoline.
const LEAST_CHANGE: f32 = 1e-12;
/// Least range of slopes: a step of an 8-bit image.
const LEAST_SLOPE: f32 = 1.0 / 255.0;

/// Description of a lens.
#[derive(Debug)]
pub struct LensRow {
    /// The lens.
    pub lens: Lens,
    /// Its name in session files.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// One sentence: what it shows.
    pub help: &'static str,
}

rows! {
    /// What is shown of a field.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Lens {
        /// Lines of equal value.
        Isolines => {
            name: "isolines",
            title: "Isolines",
            help: "Lines of equal value at equal steps: corners in them are jumps of the slope, stairs are jumps of the value",
        },
        /// Values as heights, lit from the upper left.
        Relief => {
            name: "relief",
            title: "Relief",
            help: "Values as heights, lit from the upper left: terraces, creases and ripples that grey values hide",
        },
        /// |∇f|.
        Gradient => {
            name: "gradient",
            title: "Gradient",
            help: "Magnitude of the slope, per sample: it jumps at the samples of a method with a discontinuous derivative",
        },
        /// f_xx + f_yy.
        Curvature => {
            name: "curvature",
            title: "Second derivative",
            help: "Laplacian, the sum of both second derivatives, per sample²: continuous for a cubic spline, steps for other cubics",
        },
    }

    /// The lenses, in menu order.
    pub static LENSES: [LensRow { lens, .. }];

    impl by_name, Display;
}

/// Values of a view with a margin for differences.
#[derive(Clone, Debug)]
pub struct Field {
    size: Size,
    /// Pixels of the margin on each side, over which differences are taken.
    margin: u32,
    /// Output pixels per sample along x and along y of the image.
    pixels_per_sample: [f64; 2],
    /// cos θ and sin θ of the view.
    direction: [f64; 2],
    values: Vec<f32>,
}

impl Field {
    /// Renders the values of `shown`, without filters after the interpolation, subtraction and display mapping.
    ///
    /// # Errors
    /// Errors of the render, and cancelled work.
    pub fn new(image: &Image, shown: &RenderRequest, backend: &mut CpuBackend) -> Result<Self, BackendError> {
        let [x, y] = shown.view.scales();
        let margin = (LEAST_STEP / x.min(y)).ceil().max(1.0) as u32;
        let steps = shown.view.image_from_output(shown.size, shown.size).steps();
        let direction = [steps[0][0] / x, steps[1][0] / y];
        let larger = |side: u32| side.saturating_add(2 * margin);
        let size = Size::new(larger(shown.size.width()), larger(shown.size.height()));
        let size = size.map_err(|_| RequestError::Reach)?;
        let filters = Filters { after: Chain::default(), ..shown.filters.clone() };
        let request = RenderRequest { size, filters, subtract: None, display: Display::default(), ..shown.clone() };
        let raster = render(backend, image, &request, PixelFormat::file(Depth::Float))?;
        let values = luma(&raster);
        Ok(Self { size: shown.size, margin, pixels_per_sample: [1.0 / x, 1.0 / y], direction, values })
    }

    /// Number of pixels.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The value of a pixel, or of one up to the margin beyond an edge.
    fn at(&self, column: i64, row: i64) -> f64 {
        let margin = i64::from(self.margin);
        let width = i64::from(self.size.width()) + 2 * margin;
        f64::from(self.values[((row + margin) * width + column + margin) as usize])
    }

    /// The values at a pixel and at the ends of the differences: itself, left, right, above, below.
    fn around(&self, column: u32, row: u32) -> [f64; 5] {
        let (column, row, step) = (i64::from(column), i64::from(row), i64::from(self.margin));
        [
            self.at(column, row),
            self.at(column - step, row),
            self.at(column + step, row),
            self.at(column, row - step),
            self.at(column, row + step),
        ]
    }

    /// The value at a pixel.
    pub fn value(&self, column: u32, row: u32) -> f32 {
        self.at(i64::from(column), i64::from(row)) as f32
    }

    /// Derivatives along the axes of the output, per pixel.
    fn change(&self, column: u32, row: u32) -> [f64; 2] {
        let [_, left, right, above, below] = self.around(column, row);
        let span = 2.0 * f64::from(self.margin);
        [(right - left) / span, (below - above) / span]
    }

    /// Derivatives along the directions of the output's axes, per sample. With unequal scales they are those of the image in
    /// samples, turned as the view is.
    pub fn gradient(&self, column: u32, row: u32) -> [f32; 2] {
        let ([u, v], [cos, sin], [x, y]) = (self.change(column, row), self.direction, self.pixels_per_sample);
        // Along the image's axes, then along the output's.
        let [x, y] = [x * (u * cos - v * sin), y * (u * sin + v * cos)];
        [x * cos + y * sin, y * cos - x * sin].map(|slope| slope as f32)
    }

    /// f_xx + f_yy along the image's axes, per sample².
    pub fn laplacian(&self, column: u32, row: u32) -> f32 {
        let [middle, left, right, above, below] = self.around(column, row);
        let ([cos, sin], [x, y]) = (self.direction, self.pixels_per_sample.map(|pixels| pixels * pixels));
        // The second derivatives along the output's axes, per (margin · pixel)².
        let (uu, vv) = (left + right - 2.0 * middle, above + below - 2.0 * middle);
        let mut sum = (x * cos * cos + y * sin * sin) * uu + (x * sin * sin + y * cos * cos) * vv;
        let mixed = 2.0 * cos * sin * (y - x);
        if mixed != 0.0 {
            let (column, row, step) = (i64::from(column), i64::from(row), i64::from(self.margin));
            let corner = |across: i64, down: i64| self.at(column + across * step, row + down * step);
            sum += mixed * (corner(1, 1) + corner(-1, -1) - corner(1, -1) - corner(-1, 1)) / 4.0;
        }
        let margin = f64::from(self.margin);
        (sum / (margin * margin)) as f32
    }

    /// Change of the value from pixel to pixel, for the width of lines.
    pub fn change_a_pixel(&self, column: u32, row: u32) -> f32 {
        let [x, y] = self.change(column, row);
        x.hypot(y) as f32
    }

    /// Distance of a pixel from the nearest isoline of multiples of `step`, in pixels.
    pub fn isoline_distance(&self, [column, row]: [u32; 2], step: f32) -> f32 {
        let value = self.value(column, row);
        let beside = (value / step - (value / step).round()).abs() * step;
        let change = self.change_a_pixel(column, row);
        if change > LEAST_CHANGE { beside / change } else { f32::INFINITY }
    }

    /// Least and greatest value of the pixels, of those that are numbers.
    pub fn range(&self) -> [f32; 2] {
        let mut range = [f32::INFINITY, f32::NEG_INFINITY];
        for row in 0..self.size.height() {
            for column in 0..self.size.width() {
                let value = self.value(column, row);
                if value.is_finite() {
                    range = [range[0].min(value), range[1].max(value)];
                }
            }
        }
        range
    }
}

/// One value a pixel: grey, or the luma of colours, weighted by alpha.
fn luma(raster: &Raster) -> Vec<f32> {
    let (channels, colours) = (raster.channels().count(), raster.channels().opaque().count());
    let number = |place: usize, channel: usize| raster.samples().number(place * channels + channel);
    let value = |place: usize| {
        let grey = if colours == 1 {
            number(place, 0)
        } else {
            LUMA.iter().enumerate().map(|(channel, weight)| weight * number(place, channel)).sum()
        };
        if raster.channels().has_alpha() { grey * number(place, colours) } else { grey }
    };
    (0..raster.size().area()).map(value).collect()
}

/// Slope that nearly all steps from sample to sample of a page stay below: the range of its lenses, equal for all methods.
pub fn slope_range(page: &Page) -> f32 {
    let raster = page.raster();
    let maxval = f32::from(raster.samples().maxval());
    let (width, height) = (page.size().width(), page.size().height());
    let colours = page.channels().opaque().count();
    let grey = |column: u32, row: u32| {
        let number = |channel: usize| raster.number(column, row, channel) / maxval;
        if colours == 1 { number(0) } else { (0..3).map(|channel| LUMA[channel] * number(channel)).sum() }
    };
    // Rows at equal distances, so that a large page takes no longer.
    let every = (page.size().area() / STEPS).max(1) as u32;
    let mut steps: Vec<f32> = Vec::new();
    for row in (0..height).step_by(every.min(height) as usize) {
        for column in 0..width {
            let value = grey(column, row);
            if column + 1 < width {
                steps.push((grey(column + 1, row) - value).abs());
            }
            if row + 1 < height {
                steps.push((grey(column, row + 1) - value).abs());
            }
        }
    }
    steps.retain(|step| step.is_finite());
    let place = (COVERED * steps.len() as f64) as usize;
    if place >= steps.len() {
        return LEAST_SLOPE;
    }
    steps.select_nth_unstable_by(place, f32::total_cmp).1.max(LEAST_SLOPE)
}

/// A step between isolines of the form 1, 2 or 5 · 10ⁿ, by which a range has at most `most` of them.
pub fn isoline_step([least, greatest]: [f32; 2], most: u32) -> f32 {
    let span = f64::from(greatest - least).max(1e-9);
    let raw = span / f64::from(most.max(1));
    let power = 10.0_f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().find(|step| step * power >= raw * (1.0 - 1e-6)).unwrap_or(10.0);
    (step * power) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::{Channels, Samples};
    use crate::sampling::{Method, Sampler};
    use crate::test_support::size;
    use crate::view::View;

    /// 0.1 + 0.02·x + 0.004·x² − 0.003·y² + 0.001·x·y about the middle of 33 × 33 samples.
    fn polynomial(x: f64, y: f64) -> f64 {
        let (x, y) = (x - 16.0, y - 16.0);
        0.1 + 0.02 * x + 0.004 * x * x - 0.003 * y * y + 0.001 * x * y
    }

    fn image(channels: Channels) -> Image {
        let places = (0..33 * 33).map(|place| [place % 33, place / 33].map(f64::from));
        let values = places.flat_map(|[x, y]| vec![polynomial(x, y) as f32; channels.count()]).collect();
        let raster = Raster::new(size(33, 33), channels, Samples::F32(values)).expect("a raster");
        Image::of_page("polynomial", Page::new(raster))
    }

    /// Catmull-Rom reproduces polynomials of degree 2.
    #[test]
    fn derivatives_of_a_polynomial_of_degree_2_are_those_by_hand_at_any_magnification_and_angle() {
        for channels in [Channels::Grey, Channels::Rgb] {
            for (scale, angle_deg) in [(0.25, 0.0), (1.0 / 100.0, 0.0), (0.125, 30.0), (0.5, -90.0)] {
                let view = View::new([1.0, -0.75], scale).and_then(|view| view.rotated(angle_deg)).expect("a view");
                let sampler = Sampler::default().with_method(Method::CATMULL_ROM);
                let request = RenderRequest { view, sampler, ..RenderRequest::new(size(24, 20)) };
                let image = image(channels);
                let field = Field::new(&image, &request, &mut CpuBackend::new()).expect("a field");
                let map = view.image_from_output(request.size, image.pages()[0].size());
                let (sin, cos) = angle_deg.to_radians().sin_cos();
                for [column, row] in [[0, 0], [23, 19], [11, 7]] {
                    let [x, y] = map.at([f64::from(column), f64::from(row)]);
                    assert!((f64::from(field.value(column, row)) - polynomial(x, y)).abs() < 1e-5);
                    let (x, y) = (x - 16.0, y - 16.0);
                    let [fx, fy] = [0.02 + 0.008 * x + 0.001 * y, -0.006 * y + 0.001 * x];
                    // Along the output's axes.
                    let expected = [fx * cos + fy * sin, -fx * sin + fy * cos];
                    let found = field.gradient(column, row);
                    for (found, expected) in found.iter().zip(expected) {
                        assert!(
                            (f64::from(*found) - expected).abs() < 1e-4,
                            "{found} {expected} at {scale}, {angle_deg}°"
                        );
                    }
                    let laplacian = f64::from(field.laplacian(column, row));
                    assert!((laplacian - 0.002).abs() < 4e-3, "{laplacian} at {scale}, {angle_deg}°");
                }
            }
        }
    }

    /// Within a cell a bilinear value has no second derivative, a nearest one no slope.
    #[test]
    fn linear_and_nearest_are_flat_between_their_samples() {
        let image = image(Channels::Grey);
        let view = View::new([0.0; 2], 1.0 / 16.0).expect("a view");
        let field = |method: Method| {
            let sampler = Sampler::default().with_method(method);
            let request = RenderRequest { view, sampler, ..RenderRequest::new(size(16, 16)) };
            Field::new(&image, &request, &mut CpuBackend::new()).expect("a field")
        };
        // Pixel (0, 0) is at x = 16: within the cell from 2 to 14.
        let (linear, nearest) = (field(Method::Linear), field(Method::Nearest));
        for pixel in 2..7 {
            assert!(linear.laplacian(pixel, pixel).abs() < 2e-3, "{}", linear.laplacian(pixel, pixel));
            assert_eq!(nearest.gradient(pixel, pixel), [0.0; 2]);
        }
        assert!(nearest.gradient(8, 3)[0] != 0.0, "the step between two samples");
    }

    #[test]
    fn isolines_have_round_steps_and_slopes_a_range_of_their_page() {
        let steps = [[0.0, 1.0], [0.2, 0.45], [0.0, 0.012], [-3.0, 5.0]].map(|range| isoline_step(range, 12));
        for (step, expected) in steps.into_iter().zip([0.1, 0.05, 0.001, 1.0]) {
            assert!((step - expected).abs() < 1e-6 * expected, "{step} {expected}");
        }
        let slope = slope_range(&image(Channels::Grey).pages()[0]);
        // The largest steps along x are 0.02 + 0.004·(31) + 0.001·16.
        assert!((0.12..0.165).contains(&slope), "{slope}");
        let flat = Page::new(Raster::zeros(size(1, 1), Channels::Grey, Depth::EIGHT));
        assert_eq!(slope_range(&flat), LEAST_SLOPE);
    }
}
