//! The impulse response of a whole chain: filters of the samples, interpolation, filters of the pixels.
//!
//! A sample of 1 stands in a plane of zeros. Its response is what a chain makes of it, less what the chain makes of zeros alone,
//! along the row and along the column through the sample. Of a linear chain it is the kernel that the chain convolves with; of
//! another one it belongs to this impulse only.

use super::{PlotCurve, Reconstruction, computed, dotted};
use crate::backend::{self, Backend, BackendError, CpuBackend, PixelFormat, RenderRequest};
use crate::filter::Filters;
use crate::image::{Channels, Depth, Image, Page, Raster, Samples, Size};
use crate::sampling::{AddressMode, Sampler, SamplingPath};
use crate::view::View;

/// Distance of two points where nothing depends on the scale of the view, in samples; no points are closer.
const SPACING: f64 = 1.0 / 16.0;
/// Largest number of views whose pixels are interleaved.
const MOST_VIEWS: f64 = 8.0;
/// Largest distance from the impulse, in samples.
const MOST_REACH: u32 = 256;
/// Difference of the two responses below which they are one.
const SAME: f64 = 1e-6;

/// Filters and interpolation of a view.
#[derive(Clone, Debug, PartialEq)]
pub struct FilterChain {
    /// The filters of the samples and of the pixels.
    pub filters: Filters,
    /// The interpolation.
    pub sampler: Sampler,
    /// Samples per pixel. Filters of pixels reach as far as their pixels, and an antialiased kernel is as wide.
    pub scale: f64,
}

impl FilterChain {
    /// The chain of `request`. A scale that has no effect is replaced by a fine one.
    pub fn of(request: &RenderRequest) -> Self {
        let (filters, sampler) = (request.filters.clone(), request.sampler);
        let scale = request.view.scale();
        let has_effect = filters.after.is_active() || sampler.stretch(scale).is_some();
        Self { filters, sampler, scale: if has_effect { scale } else { SPACING } }
    }

    /// The response by the exact path in single precision, and as dots that of `backend`, by the chain's own path. A response
    /// along y that differs from the one along x has a curve of its own.
    ///
    /// # Errors
    /// Errors of the backends.
    pub fn curves(&self, measured: Option<&mut dyn Backend>) -> Result<Vec<PlotCurve>, BackendError> {
        let exact = Self { sampler: Sampler { path: SamplingPath::Auto, ..self.sampler }, ..self.clone() };
        let mut curves = named(exact.responses(&mut CpuBackend::new())?, computed);
        if let Some(backend) = measured {
            let dots = |part: &str, points| PlotCurve { part: part.to_owned(), ..dotted(points) };
            curves.extend(named(self.responses(backend)?, dots));
        }
        Ok(curves)
    }

    /// Distance from the impulse along x and along y, and value.
    fn responses(&self, backend: &mut dyn Backend) -> Result<[Vec<[f64; 2]>; 2], BackendError> {
        Ok([self.response(0, backend)?, self.response(1, backend)?])
    }

    /// The response along `axis`.
    fn response(&self, axis: usize, backend: &mut dyn Backend) -> Result<Vec<[f64; 2]>, BackendError> {
        let (scale, reach) = (self.scale, self.reach());
        let images = [1.0, 0.0].map(|impulse| impulse_image(reach, impulse));
        // The pixels of some views, each shifted by a part of a pixel, are interleaved.
        let views = (scale / SPACING).round().clamp(1.0, MOST_VIEWS);
        let pixels = (2.0 * f64::from(reach) / scale).ceil() as u32;
        let mut size = [1, 1];
        size[axis] = pixels;
        let size = Size::new(size[0], size[1]).expect("a row of some thousand pixels");
        let side = f64::from(2 * reach + 1);
        let mut points = Vec::with_capacity(pixels as usize * views as usize);
        for view in 0..views as u32 {
            let mut first = [f64::from(reach); 2];
            first[axis] = f64::from(view) * scale / views;
            let half = size.sides().map(|side| 0.5 * f64::from(side) * scale);
            let translation = [0, 1].map(|axis| first[axis] - 0.5 * side + half[axis]);
            let view = View::new(translation, scale).expect("a scale in range");
            let sampler = Sampler { address: [AddressMode::Border; 2], border: 0.0, ..self.sampler };
            let filters = self.filters.clone();
            let request = RenderRequest { view, sampler, filters, ..RenderRequest::new(size) };
            let mut render = |image: &Image| backend::render(backend, image, &request, PixelFormat::file(Depth::Float));
            let (with, without) = (render(&images[0])?, render(&images[1])?);
            points.extend((0..pixels).map(|pixel| {
                let mut at = [0, 0];
                at[axis] = pixel;
                let [with, without] = [&with, &without].map(|values| f64::from(values.number(at[0], at[1], 0)));
                [first[axis] + f64::from(pixel) * scale - f64::from(reach), with - without]
            }));
        }
        points.sort_by(|a, b| a[0].total_cmp(&b[0]));
        Ok(points)
    }

    /// Distance beyond which there is no response, in samples; at most [`MOST_REACH`].
    fn reach(&self) -> u32 {
        let filter = Reconstruction::new(&self.sampler, self.scale);
        let halo = filter.coefficients().map_or(0, |prefilter| prefilter.halo(AddressMode::Border));
        let of_pixels = f64::from(self.filters.after.reach()) * self.scale;
        let reach = f64::from(self.filters.before.reach().saturating_add(halo)) + filter.radius() + of_pixels;
        reach.ceil().min(f64::from(MOST_REACH)) as u32 + 1
    }
}

/// A square of zeros from −reach to reach with `impulse` in its middle.
fn impulse_image(reach: u32, impulse: f32) -> Image {
    let size = Size::new(2 * reach + 1, 2 * reach + 1).expect("some hundred samples");
    let mut values = vec![0.0; size.area()];
    values[size.area() / 2] = impulse;
    let raster = Raster::new(size, Channels::Grey, Samples::F32(values)).expect("one value a sample");
    Image::of_page("impulse", Page::new(raster))
}

/// The two responses as curves; one where they are the same.
fn named([x, y]: [Vec<[f64; 2]>; 2], curve: impl Fn(&str, Vec<[f64; 2]>) -> PlotCurve) -> Vec<PlotCurve> {
    let is_same = x.iter().zip(&y).all(|(x, y)| (x[1] - y[1]).abs() < SAME);
    if is_same { vec![curve("", x)] } else { vec![curve("along x", x), curve("along y", y)] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plots::Chart;
    use crate::sampling::Method;

    fn chain(before: &str, after: &str, method: Method) -> FilterChain {
        let filters = Filters { before: before.parse().expect(before), after: after.parse().expect(after) };
        FilterChain { filters, sampler: Sampler::default().with_method(method), scale: 0.25 }
    }

    fn values(curve: &PlotCurve, distances: &[f64]) -> Vec<f64> {
        distances.iter().map(|d| Chart::value(&curve.points, *d).expect("within the curve")).collect()
    }

    fn assert_near(found: &[f64], expected: &[f64]) {
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-5, "{found} is not {expected}");
        }
    }

    #[test]
    fn chain_without_filters_has_the_interpolations_response() {
        let curves = chain("none", "none", Method::Linear).curves(Some(&mut CpuBackend::new())).expect("curves");
        assert_eq!(curves.iter().map(|curve| curve.is_measured).collect::<Vec<_>>(), [false, true]);
        for curve in &curves {
            assert_near(&values(curve, &[-1.0, -0.25, 0.0, 0.5, 1.5]), &[0.0, 0.75, 1.0, 0.5, 0.0]);
        }
    }

    #[test]
    fn filter_of_samples_responds_with_its_kernel() {
        let curves = chain("gaussian=1", "none", Method::Nearest).curves(None).expect("curves");
        let weights: Vec<f64> = (-4_i32..=4).map(|k| (-0.5 * f64::from(k * k)).exp()).collect();
        let sum: f64 = weights.iter().sum();
        let expected: Vec<f64> = weights.iter().map(|weight| weight * weights[4] / (sum * sum)).collect();
        let distances: Vec<f64> = (-4..=4).map(f64::from).collect();
        assert_eq!(curves.len(), 1, "the same along both axes");
        assert_near(&values(&curves[0], &distances), &expected);
    }

    #[test]
    fn matrix_responds_turned_by_half_a_turn_along_each_axis() {
        let curves = chain("convolve=[1,2,3]", "none", Method::Nearest).curves(None).expect("curves");
        assert_eq!(curves.iter().map(|curve| curve.part.as_str()).collect::<Vec<_>>(), ["along x", "along y"]);
        let mut along_x = values(&curves[0], &[-1.0, 0.0, 1.0]);
        // Whether a matrix is turned is the convention of the filter, which SciPy's test decides.
        along_x.sort_by(f64::total_cmp);
        assert_near(&along_x, &[1.0, 2.0, 3.0]);
        assert_near(&values(&curves[1], &[-1.0, 0.0, 1.0]), &[0.0, 2.0, 0.0]);
    }

    #[test]
    fn filter_of_pixels_responds_at_the_scale_of_the_view() {
        // A mean of three pixels, each a quarter of a sample: ±1/4 about the triangle's top.
        let after = "convolve=[1,1,1;1,1,1;1,1,1],1";
        let curves = chain("none", after, Method::Linear).curves(None).expect("curves");
        let triangle = |d: f64| (1.0 - d.abs()).max(0.0);
        let mean = |d: f64| (triangle(d - 0.25) + triangle(d) + triangle(d + 0.25)) / 3.0;
        let across = mean(0.0);
        for d in [-1.0, -0.5, 0.0, 0.25, 1.0] {
            assert_near(&values(&curves[0], &[d]), &[mean(d) * across]);
        }
    }

    #[test]
    fn response_of_a_point_filter_has_no_offset() {
        let curves = chain("negative", "none", Method::Nearest).curves(None).expect("curves");
        assert_near(&values(&curves[0], &[-1.0, 0.0, 1.0]), &[0.0, -1.0, 0.0]);
    }
}
