//! Responses that are measured: an impulse and a step go through a backend, and its values are what it makes of them.

use std::f64::consts::TAU;

use super::reconstruction::Reconstruction;
use super::response::Complex;
use crate::backend::{self, Backend, BackendError, PixelFormat, RenderRequest};
use crate::image::{Channels, Depth, Image, Page, Raster, Samples, Size};
use crate::sampling::{AddressMode, Sampler};
use crate::view::View;

/// Pixels for each sample; for each width of a sample where antialiasing widens the kernel. Their centres lie between the
/// places where a kernel of its own width jumps, so that jumps cost no accuracy: the spectrum of the box is exact to
/// (πf/128)²/6.
const PIXELS: u32 = 128;

/// Responses as a backend makes them.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Distance from a sample of 1 among zeros, and value.
    pub impulse: Vec<[f64; 2]>,
    /// Distance from the first sample of 1, with zeros before it, and value.
    pub step: Vec<[f64; 2]>,
    /// Distance of two points.
    spacing: f64,
}

impl Measured {
    /// Sends an impulse and a step through `backend`, in rows of samples that are long enough for the kernel and its
    /// prefilter.
    ///
    /// A kernel of its own width is measured in one view of 128 pixels to a sample. A backend widens a kernel only in views
    /// that zoom out; these are shifted by fractions of a pixel, and their pixels interleaved.
    ///
    /// # Errors
    /// Errors of the backend.
    pub fn new(filter: &Reconstruction, backend: &mut dyn Backend) -> Result<Self, BackendError> {
        let halo = filter.coefficients().map_or(0, |prefilter| prefilter.halo(AddressMode::Border));
        let reach = filter.radius().ceil() as u32 + halo + 1;
        let spacing = filter.widening() / f64::from(PIXELS);
        let mut row = Row { filter, reach, spacing, backend };
        let impulse = row.response(AddressMode::Border, |sample| f32::from(u8::from(sample == 0)))?;
        let step = row.response(AddressMode::Clamp, |sample| f32::from(u8::from(sample >= 0)))?;
        Ok(Self { impulse, step, spacing })
    }

    /// H(f) of the measured impulse response at `frequencies`, in cycles per sample: its sum over the pixels.
    pub fn spectrum(&self, frequencies: &[f64]) -> Vec<Complex> {
        let at = |&frequency: &f64| {
            let sum = self.impulse.iter().fold([0.0; 2], |[re, im], [d, value]| {
                let (sin, cos) = (TAU * frequency * d).sin_cos();
                [re + value * cos, im - value * sin]
            });
            sum.map(|part| part * self.spacing)
        };
        frequencies.iter().map(at).collect()
    }
}

/// A row of samples from −reach to reach, and the backend that interpolates it.
struct Row<'a> {
    filter: &'a Reconstruction,
    reach: u32,
    /// Distance of two points.
    spacing: f64,
    backend: &'a mut dyn Backend,
}

impl Row<'_> {
    /// The values between the samples `sample`, which `address` continues.
    fn response(&mut self, address: AddressMode, sample: impl Fn(i64) -> f32) -> Result<Vec<[f64; 2]>, BackendError> {
        let reach = i64::from(self.reach);
        let samples: Vec<f32> = (-reach..=reach).map(sample).collect();
        let width = samples.len() as u32;
        let raster = Raster::new(row_of(width), Channels::Grey, Samples::F32(samples)).expect("one value a sample");
        let image = Image::of_page("response", Page::new(raster));
        let Reconstruction { method, prefilter, path, stretch } = *self.filter;
        // Without widening all pixels are in one view; with it, as many views as there are points to a pixel.
        let scale = stretch.map_or(self.spacing, |stretch| stretch.max(2.0));
        let views = (scale / self.spacing).round().max(1.0);
        let scale = views * self.spacing;
        let pixels = (f64::from(width) / scale).ceil() as u32;
        let mut sampler =
            Sampler { method, prefilter, path, address: [address, AddressMode::Clamp], ..Sampler::default() };
        if let Some(stretch) = stretch {
            (sampler.antialias, sampler.blur) = (true, stretch / scale);
        }
        // The weights across the row sum to 1, unless those of a table do not.
        let mut weights = Vec::new();
        self.filter.taps().weights_at(0.0, &mut weights);
        let across: f64 = weights.iter().sum();
        let mut points = Vec::with_capacity(pixels as usize * views as usize);
        for view in 0..views as u32 {
            // Pixel i is at x = i·scale + first and at y = 0, in a row whose samples repeat up and down.
            let first = (f64::from(view) + 0.5) * self.spacing;
            let translation = [0.5 * f64::from(pixels) * scale - 0.5 * f64::from(width) + first, 0.5 * scale - 0.5];
            let view = View::new(translation, scale).expect("a scale in range");
            let request = RenderRequest { view, sampler, ..RenderRequest::new(row_of(pixels)) };
            let values = backend::render(self.backend, &image, &request, PixelFormat::file(Depth::Float))?;
            points.extend((0..pixels).map(|column| {
                let distance = f64::from(column) * scale + first - f64::from(self.reach);
                [distance, f64::from(values.number(column, 0, 0)) / across]
            }));
        }
        points.sort_by(|a, b| a[0].total_cmp(&b[0]));
        Ok(points)
    }
}

/// The size of a row.
fn row_of(width: u32) -> Size {
    Size::new(width, 1).expect("a row of some thousand pixels")
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;
    use crate::backend::CpuBackend;
    use crate::sampling::{Method, SamplingPath, samples_of_methods};

    fn frequencies() -> Vec<f64> {
        (0..=80).map(|step| f64::from(step) / 40.0).collect()
    }

    fn measured(filter: &Reconstruction) -> Measured {
        Measured::new(filter, &mut CpuBackend::new()).expect("a render")
    }

    fn assert_near(filter: &Reconstruction, expected: &[f64]) {
        let found = measured(filter).spectrum(&frequencies());
        for ((frequency, [re, im]), expected) in frequencies().iter().zip(found).zip(expected) {
            let found = format!("{} at {frequency}: {re} + {im}i, not {expected}", filter.label());
            assert!((re - expected).abs() < 1e-3 && im.abs() < 1e-3, "{found}");
        }
    }

    #[test]
    fn measured_spectra_of_bsplines_are_powers_of_the_sinc() {
        let sinc = |x: f64| if x == 0.0 { 1.0 } else { (PI * x).sin() / (PI * x) };
        for degree in 0..=5 {
            let method = format!("bspline={degree}").parse().expect("a B-spline");
            let expected: Vec<f64> = frequencies().iter().map(|&f| sinc(f).powi(degree + 1)).collect();
            assert_near(&Reconstruction::of(method, false), &expected);
        }
    }

    #[test]
    fn measured_spectra_are_the_computed_ones() {
        for method in samples_of_methods() {
            for prefilter in [false, true] {
                let filter = Reconstruction::of(method, prefilter);
                let (found, expected) = (measured(&filter).spectrum(&frequencies()), filter.spectrum(&frequencies()));
                for ((frequency, found), expected) in frequencies().iter().zip(found).zip(expected) {
                    let error = (found[0] - expected[0]).hypot(found[1] - expected[1]);
                    assert!(error < 1e-3, "{} at {frequency}: {found:?}, not {expected:?}", filter.label());
                }
            }
        }
    }

    #[test]
    fn measured_impulse_and_step_have_the_computed_values_at_the_pixels() {
        for method in [Method::Nearest, Method::CATMULL_ROM, Method::BSPLINE, Method::LANCZOS3] {
            let filter = Reconstruction::of(method, true);
            let Measured { impulse, step, .. } = measured(&filter);
            let exact = filter.impulse();
            for (found, exact) in [(&impulse, exact.clone()), (&step, exact.accumulated())] {
                // The nodes of both grids are 1/256 apart, and the slope is below 2.
                for [d, value] in found.iter().filter(|[d, _]| d.abs() < 3.0 && d.rem_euclid(0.5) > 0.02) {
                    assert!((value - exact.at(*d)).abs() < 0.04, "{method} at {d}: {value}, {}", exact.at(*d));
                }
            }
        }
    }

    #[test]
    fn impulse_through_the_texture_unit_differs_from_the_exact_one_by_steps_of_a_256th() {
        let exact = Reconstruction::of(Method::Linear, false);
        let filtered = Reconstruction { path: SamplingPath::Filtered, ..exact };
        let (exact, filtered) = (measured(&exact).impulse, measured(&filtered).impulse);
        let largest = exact.iter().zip(&filtered).map(|(a, b)| (a[1] - b[1]).abs()).fold(0.0, f64::max);
        // Pixels are at odd multiples of 1/256: between two steps of the fraction there is none to round.
        assert!(largest < 1e-6, "{largest}");
        let spline = Reconstruction::of(Method::BSPLINE, false);
        let filtered = Reconstruction { path: SamplingPath::Filtered, ..spline };
        let (exact, filtered) = (measured(&spline).impulse, measured(&filtered).impulse);
        let largest = exact.iter().zip(&filtered).map(|(a, b)| (a[1] - b[1]).abs()).fold(0.0, f64::max);
        assert!((1e-4..=1.125 / 512.0 + 1e-6).contains(&largest), "{largest}");
    }

    #[test]
    fn measured_spectra_of_widened_kernels_are_the_computed_ones() {
        for method in [Method::Linear, Method::BSPLINE, Method::CATMULL_ROM, Method::LANCZOS3] {
            for (stretch, prefilter) in [(1.4, false), (3.7, true), (0.8, false), (20.0, false)] {
                let filter = Reconstruction { stretch: Some(stretch), ..Reconstruction::of(method, prefilter) };
                let (found, expected) = (measured(&filter).spectrum(&frequencies()), filter.spectrum(&frequencies()));
                for ((frequency, found), expected) in frequencies().iter().zip(found).zip(expected) {
                    let error = (found[0] - expected[0]).hypot(found[1] - expected[1]);
                    assert!(error < 1e-3, "{} at {frequency}: {found:?}, not {expected:?}", filter.label());
                }
            }
        }
    }

    #[test]
    fn points_are_equally_far_apart_across_the_row() {
        for stretch in [None, Some(1.4), Some(9.0)] {
            let filter = Reconstruction { stretch, ..Reconstruction::of(Method::CATMULL_ROM, false) };
            let Measured { impulse, spacing, .. } = measured(&filter);
            assert!(impulse.windows(2).all(|pair| (pair[1][0] - pair[0][0] - spacing).abs() < 1e-9), "{stretch:?}");
            assert!(impulse[0][0] < -filter.radius() && impulse[impulse.len() - 1][0] > filter.radius());
        }
    }
}
