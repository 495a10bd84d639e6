//! Kernels of programs: the methods of this crate, and a few that it does not interpolate with.

use std::f64::consts::PI;
use std::fmt;

use super::pair::AxisPair;
use crate::sampling::{Method, Prefilter};

/// A kernel w(d).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A method, with or without its prefilter.
    Method {
        /// The method.
        method: Method,
        /// Whether samples become coefficients first.
        prefilter: bool,
    },
    /// The area that a pixel of s samples has in common with a sample, divided by s: exact box averages.
    Area,
    /// sinc(d)·(0.54 + 0.46·cos πd) within radius 1.
    Hamming,
}

impl Shape {
    /// A method without a prefilter.
    pub fn plain(method: Method) -> Self {
        Self::Method { method, prefilter: false }
    }

    /// A method with its prefilter.
    pub fn prefiltered(method: Method) -> Self {
        Self::Method { method, prefilter: true }
    }

    /// The recursive filter of the samples.
    pub(super) fn coefficients(self) -> Option<Prefilter> {
        match self {
            Self::Method { method, prefilter: true } => method.kernel().prefilter,
            Self::Method { prefilter: false, .. } | Self::Area | Self::Hamming => None,
        }
    }

    /// w(d) = 0 beyond it, on `axis`.
    pub(super) fn radius(self, axis: &AxisPair) -> f64 {
        match self {
            Self::Method { method, .. } => method.kernel().radius,
            Self::Area => (axis.scale + 1.0) / 2.0,
            Self::Hamming => 1.0,
        }
    }

    /// w(d) on `axis`, before any division by the sum.
    pub fn weight(self, axis: &AxisPair, d: f64) -> f64 {
        match self {
            Self::Method { method, .. } => method.kernel().weight(d),
            Self::Area => ((axis.scale + 1.0) / 2.0 - d.abs()).clamp(0.0, axis.scale.min(1.0)),
            Self::Hamming if d == 0.0 => 1.0,
            Self::Hamming if d.abs() >= 1.0 => 0.0,
            Self::Hamming => (PI * d).sin() / (PI * d) * (0.54 + 0.46 * (PI * d).cos()),
        }
    }
}

/// Its name for people: `Catmull-Rom`, `Keys' cubic, a = −0.75`, `cubic B-spline, prefiltered`.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Area => f.write_str("exact area"),
            Self::Hamming => f.write_str("Hamming-windowed sinc"),
            Self::Method { method: Method::Nearest, .. } => f.write_str("Nearest (box)"),
            Self::Method { method: Method::Linear, .. } => f.write_str("Linear (triangle)"),
            Self::Method { method: Method::CATMULL_ROM, .. } => f.write_str("Catmull-Rom (Keys' cubic, a = −0.5)"),
            Self::Method { method: Method::Hermite, .. } => f.write_str("Hermite (cubic, B = C = 0)"),
            Self::Method { method: Method::Cubic { b, c }, .. } if b.get() == 0.0 => {
                write!(f, "Keys' cubic, a = {}", signed(-c.get()))
            }
            Self::Method { method: Method::MITCHELL, .. } => f.write_str("Mitchell-Netravali (cubic, B = C = 1/3)"),
            Self::Method { method: Method::Cubic { b, c }, .. } => {
                write!(f, "cubic, B = {}, C = {}", signed(b.get()), signed(c.get()))
            }
            Self::Method { method: Method::BSpline(degree), prefilter } => {
                let name = match degree as u8 {
                    2 => "quadratic B-spline",
                    3 => "cubic B-spline",
                    4 => "quartic B-spline",
                    _ => "quintic B-spline",
                };
                write!(f, "{name}{}", if prefilter { ", prefiltered" } else { "" })
            }
            Self::Method { method: Method::OMoms, prefilter } => {
                write!(f, "cubic O-MOMS{}", if prefilter { ", prefiltered" } else { "" })
            }
            Self::Method { method: Method::Lanczos { a }, .. } => write!(f, "Lanczos {}", signed(a.get())),
            Self::Method { method: Method::Gaussian { sigma }, .. } => {
                write!(f, "Gaussian, σ = {} samples", signed(sigma.get()))
            }
            Self::Method { method: method @ Method::Custom(_), .. } => f.write_str(&method.title()),
        }
    }
}

/// A number to three decimals, with a true minus sign.
pub(super) fn signed(number: f64) -> String {
    // −0 is 0.
    let rounded = (number * 1e3).round() / 1e3 + 0.0;
    rounded.to_string().replace('-', "−")
}
