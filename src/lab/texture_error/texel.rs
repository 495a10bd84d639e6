//! One texel: the values between two samples by the texture unit's paths, beside the exact ones.

use super::Origin;
use super::row::{Row, corners_by, levels};
use crate::backend::{Backend, BackendError, reference};
use crate::image::Samples;
use crate::sampling::{Method, SAMPLING_PATHS, Sampler, SamplingPath};

/// Number of places between two samples: 16 in each step of the fraction.
pub const PLACES: u32 = 4096;
/// Number of samples of the row; those that are left out have no effect on the middle in single precision.
pub(super) const SAMPLES: u32 = 64;

/// A method whose values between two samples are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TexelRequest {
    method: Method,
    prefilter: bool,
}

impl TexelRequest {
    /// Of `sampler`. A method that the texture unit does not serve is replaced by [`Method::Linear`].
    pub fn of(sampler: &Sampler) -> Self {
        let is_served = sampler.method.kernel().paths.contains(&SamplingPath::Filtered);
        let sampler = if is_served { *sampler } else { sampler.with_method(Method::Linear) };
        Self { method: sampler.method, prefilter: sampler.uses_coefficients() }
    }

    /// The method.
    pub fn method(self) -> Method {
        self.method
    }

    /// Whether samples become coefficients first.
    pub fn prefilter(self) -> bool {
        self.prefilter
    }

    /// `bspline, prefilter`.
    pub fn label(self) -> String {
        let prefilter = if self.prefilter { ", prefilter" } else { "" };
        format!("{}{prefilter}", self.method.label())
    }

    fn sampler(self, path: SamplingPath) -> Sampler {
        Sampler { method: self.method, prefilter: self.prefilter, path, ..Sampler::default() }
    }
}

/// Values of a method between a sample of 0 and one of 1, in a row that alternates.
#[derive(Clone, Debug, PartialEq)]
pub struct Texel {
    /// The method.
    pub request: TexelRequest,
    /// Where the values of [`Texel::curves`] come from.
    pub origin: Origin,
    /// Fractions and values in double precision.
    pub exact: Vec<[f64; 2]>,
    /// The paths of the texture unit that serve the method, at the same fractions.
    pub curves: Vec<TexelCurve>,
}

/// Values by one path.
#[derive(Clone, Debug, PartialEq)]
pub struct TexelCurve {
    /// The path.
    pub path: SamplingPath,
    /// Fraction and value.
    pub points: Vec<[f64; 2]>,
}

impl Texel {
    /// The values by `backend`.
    ///
    /// # Errors
    /// Errors of the backend.
    pub fn measure(request: TexelRequest, backend: &mut dyn Backend) -> Result<Self, BackendError> {
        let samples = (0..SAMPLES).map(|sample| f32::from(u8::from(sample % 2 == 1))).collect();
        let row = Row::new(Samples::F32(samples), SAMPLES / 2, PLACES);
        let exact = reference::values(&row.image, &row.request(request.sampler(SamplingPath::Auto)))?;
        let served = request.method.kernel().paths;
        let paths = SAMPLING_PATHS.iter().map(|row| row.path).filter(|path| !path.is_exact() && served.contains(path));
        let curve = |path| Ok(TexelCurve { path, points: row.values(request.sampler(path), backend)? });
        let curves = paths.map(curve).collect::<Result<_, BackendError>>()?;
        let exact = row.fractions().zip(exact).map(|(x, value)| [x, value]).collect();
        Ok(Self { request, origin: Origin::of(backend.kind()), exact, curves })
    }

    /// Fraction and error of `curve`: its value minus the exact one.
    pub fn errors(&self, curve: &TexelCurve) -> Vec<[f64; 2]> {
        curve.points.iter().zip(&self.exact).map(|([x, value], [_, exact])| [*x, value - exact]).collect()
    }

    /// The errors of `curve` at the corners of its steps; at every place where it has none.
    pub fn error_corners(&self, curve: &TexelCurve) -> Vec<[f64; 2]> {
        corners_by(&self.errors(curve), &curve.points)
    }

    /// Root of the mean squared error over the places, and the largest error's magnitude.
    pub fn rms_and_max(&self, curve: &TexelCurve) -> [f64; 2] {
        let errors = self.errors(curve);
        let squares: f64 = errors.iter().map(|[_, error]| error * error).sum();
        let max = self.error_corners(curve).iter().map(|[_, error]| error.abs()).fold(0.0, f64::max);
        [(squares / errors.len() as f64).sqrt(), max]
    }
}

impl TexelCurve {
    /// The different values, rising.
    pub fn levels(&self) -> Vec<f64> {
        levels(&self.points)
    }
}
