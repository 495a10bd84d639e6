//! The texture unit of a window's OpenGL: its values between two texels, and the precision of its weights.

use super::row::levels;
use super::texel::{PLACES, SAMPLES, Texel, TexelRequest};
use crate::sampling::Method;

/// Places between two texels over which the precision is measured: steps of up to 13 bits have two places each.
pub const PRECISION_PLACES: u32 = 16_384;
/// Largest error of a place that is no step, in single precision.
const NO_STEP: f64 = 1e-6;

/// Precision of the weights of a linear fetch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Precision {
    /// The fraction is a multiple of 2^−bits.
    Steps {
        /// Number of bits of the fraction.
        bits: u32,
        /// Whether it is the nearest multiple; else the next one below.
        is_rounded: bool,
    },
    /// There are steps, but not of a power of two: the number of different values.
    Uneven(usize),
    /// There are no steps between so many places.
    NoSteps,
}

impl Precision {
    /// The precision of a fetch between a texel of 0 and one of 1: fraction and value at [`PRECISION_PLACES`] places, in the
    /// middles of equal parts.
    pub fn of(points: &[[f64; 2]]) -> Self {
        let largest = points.iter().map(|[fraction, value]| (value - fraction).abs()).fold(0.0, f64::max);
        if largest < NO_STEP {
            return Self::NoSteps;
        }
        let count = levels(points).len();
        for bits in 1..=13_u32 {
            let steps = f64::from(1_u32 << bits);
            let is = |at: fn(f64) -> f64| {
                points.iter().all(|[fraction, value]| (value - at(fraction * steps) / steps).abs() < NO_STEP)
            };
            if is(|place| (place + 0.5).floor()) {
                return Self::Steps { bits, is_rounded: true };
            }
            if is(f64::floor) {
                return Self::Steps { bits, is_rounded: false };
            }
        }
        Self::Uneven(count)
    }

    /// Largest error of a weight.
    pub fn bound(self) -> f64 {
        match self {
            Self::Steps { bits, is_rounded } => 0.5_f64.powi(bits as i32) * if is_rounded { 0.5 } else { 1.0 },
            Self::Uneven(count) => 1.0 / count.max(2) as f64,
            Self::NoSteps => NO_STEP,
        }
    }

    /// `8 bits of fraction, rounded to nearest`.
    pub fn sentence(self) -> String {
        match self {
            Self::Steps { bits, is_rounded } => {
                format!("{bits} bits of fraction, {}", if is_rounded { "rounded to nearest" } else { "cut off" })
            }
            Self::Uneven(count) => format!("{count} values, not a power of two"),
            Self::NoSteps => format!("a fraction in single precision, without steps at {PRECISION_PLACES} places"),
        }
    }
}

/// What the texture unit of OpenGL makes of the row of a [`Texel`].
#[derive(Clone, Debug, PartialEq)]
pub struct ShaderTexel {
    /// OpenGL's name of the unit.
    pub renderer: String,
    /// Precision of its weights.
    pub precision: Precision,
    /// Fraction and value, at the places of the texel.
    pub points: Vec<[f64; 2]>,
}

/// A row of texels that a shader interpolates: values at equally spaced places between two of them.
#[derive(Clone, Debug, PartialEq)]
pub struct ShaderRow {
    /// The samples; of a prefiltered method its coefficients.
    pub samples: Vec<f32>,
    /// The method.
    pub method: Method,
    /// Position of the first place, in samples.
    pub first: f32,
    /// Number of places of a sample.
    pub places: u32,
}

impl ShaderRow {
    /// The row of a texel; `None` for a prefiltered method, whose coefficients the shader does not make.
    pub fn of(request: TexelRequest) -> Option<Self> {
        (!request.prefilter()).then(|| Self {
            samples: (0..SAMPLES).map(|sample| f32::from(u8::from(sample % 2 == 1))).collect(),
            method: request.method(),
            first: (SAMPLES / 2) as f32 + 0.5 / PLACES as f32,
            places: PLACES,
        })
    }

    /// Two texels, 0 and 1.
    pub fn ramp() -> Self {
        let first = 0.5 / PRECISION_PLACES as f32;
        Self { samples: vec![0.0, 1.0], method: Method::Linear, first, places: PRECISION_PLACES }
    }

    /// Fractions of the places with their `values`.
    pub fn points(&self, values: &[f32]) -> Vec<[f64; 2]> {
        let fraction = |place: usize| (place as f64 + 0.5) / f64::from(self.places);
        values.iter().enumerate().map(|(place, value)| [fraction(place), f64::from(*value)]).collect()
    }
}

impl Texel {
    /// Fraction and error of `shader`: its value minus the exact one.
    pub fn shader_errors(&self, shader: &ShaderTexel) -> Vec<[f64; 2]> {
        shader.points.iter().zip(&self.exact).map(|([x, value], [_, exact])| [*x, value - exact]).collect()
    }
}

impl ShaderTexel {
    /// Its unit, its precision, and how far it is from exact, in a sentence.
    pub fn sentence(&self, texel: &Texel) -> String {
        let errors = texel.shader_errors(self);
        let max = errors.iter().map(|[_, error]| error.abs()).fold(0.0, f64::max);
        format!(
            "OpenGL ({}): {}, at most {} from exact",
            self.renderer,
            self.precision.sentence(),
            super::scientific(max)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ramp(at: impl Fn(f64) -> f64) -> Vec<[f64; 2]> {
        let places = f64::from(PRECISION_PLACES);
        (0..PRECISION_PLACES).map(|k| (f64::from(k) + 0.5) / places).map(|x| [x, at(x)]).collect()
    }

    #[test]
    fn precision_is_the_number_of_bits_of_the_steps() {
        for bits in 1..=13 {
            let steps = f64::from(1_u32 << bits);
            let rounded = ramp(|x| (x * steps).round() / steps);
            let cut = ramp(|x| (x * steps).floor() / steps);
            assert_eq!(Precision::of(&rounded), Precision::Steps { bits, is_rounded: true });
            assert_eq!(Precision::of(&cut), Precision::Steps { bits, is_rounded: false });
        }
        assert_eq!(Precision::of(&ramp(|x| x)), Precision::NoSteps);
        assert_eq!(Precision::of(&ramp(|x| (x * 100.0).round() / 100.0)), Precision::Uneven(101));
    }

    #[test]
    fn bound_of_a_precision_is_that_of_its_ramp() {
        for points in [ramp(|x| (x * 256.0).round() / 256.0), ramp(|x| (x * 256.0).floor() / 256.0), ramp(|x| x)] {
            let precision = Precision::of(&points);
            let largest = points.iter().map(|[x, value]| (value - x).abs()).fold(0.0, f64::max);
            assert!(largest <= precision.bound(), "{precision:?}: {largest}");
        }
        assert_eq!(Precision::Steps { bits: 8, is_rounded: true }.sentence(), "8 bits of fraction, rounded to nearest");
    }
}
