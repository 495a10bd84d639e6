//! A hypothesis on how a picture was resampled, and how well it predicts the picture.

use std::fmt;

use super::geometry::{Convention, Widening};
use super::shape::{Shape, signed};

/// How a picture may have been resampled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hypothesis {
    /// The kernel.
    pub shape: Shape,
    /// Where the pixels lie.
    pub convention: Convention,
    /// The antialiasing.
    pub widening: Widening,
}

impl fmt::Display for Hypothesis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widening = match self.widening {
            Widening::Off => "",
            Widening::Kernel => ", widened by the scale",
            Widening::Gaussian => ", after a Gaussian",
        };
        write!(f, "{}{widening}, {}", self.shape, self.convention)
    }
}

/// Residuals of a prediction that is not rounded, in the output's numbers (0 … maxval; of floats values).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// Root of their mean square, about their mean where that is at most 0.6 numbers: what rounding downwards does.
    pub rms: f64,
    /// Largest magnitude.
    pub max: f64,
    /// Number of pixels.
    pub count: usize,
}

impl Score {
    /// Largest mean residual that rounding explains, in numbers.
    const MOST_MEAN: f64 = 0.6;

    /// Of `residuals` in values; `step` is a number as a value, 0 of floats.
    pub(super) fn new(residuals: &[f64], step: f64) -> Self {
        let (unit, most_mean) = if step > 0.0 { (step, Self::MOST_MEAN * step) } else { (1.0, 0.0) };
        let count = residuals.len();
        let mean = residuals.iter().sum::<f64>() / count.max(1) as f64;
        let mean = if mean.abs() <= most_mean { mean } else { 0.0 };
        let squares: f64 = residuals.iter().map(|residual| (residual - mean).powi(2)).sum();
        let max = residuals.iter().fold(0.0_f64, |max, residual| max.max(residual.abs()));
        Self { rms: (squares / count.max(1) as f64).sqrt() / unit, max: max / unit, count }
    }
}

/// A parameter that was fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fitted {
    /// Its name: B, C, a, sigma.
    pub name: &'static str,
    /// The value of the least residual.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
}

impl fmt::Display for Fitted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {} ± {}", self.name, signed(self.value), signed(self.error.max(1e-3)))
    }
}

/// A hypothesis with its residual.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The hypothesis.
    pub hypothesis: Hypothesis,
    /// Its fitted parameters, before they were taken for those of a named kernel.
    pub fitted: Vec<Fitted>,
    /// Its residual over the pixels that no edge reaches.
    pub score: Score,
}
