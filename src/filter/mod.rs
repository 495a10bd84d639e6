//! Image filters as rows: a name, parameters with their ranges, and the function that computes the values. Menus,
//! command line, CUDA entry names, tests and benches use [`FILTERS`]; a [`Step`] is a filter with parameters, a
//! [`Chain`] an ordered list of steps.
//!
//! A filter maps a [`Plane`] to a plane of the same shape. There are two kinds ([`Action`]):
//! - a point filter maps each pixel separately, noise by the pixel's place as well. It gets straight colours without alpha, so that the negative of
//!   half-transparent grey is that of opaque grey;
//! - a neighbourhood filter combines the samples around each. It gets premultiplied values, so that the colour of transparent
//!   pixels does not bleed; alpha is a further channel, unless the row says that alpha is kept. A convolution is one whose
//!   weights are a [`Matrix`] of the step.
//!
//! Inpainting is a third kind: it fills the samples of a [`Mask`] from all others, so that it is for whole images, before the
//! interpolation ([`Filter::serves`]).
//!
//! Samples beyond the plane's edges follow the address modes of each axis ([`Edges`]), as in the interpolation. The
//! border's constant is the same for every step of a chain. A chain is applied before the interpolation, on samples, or
//! after it, on the view's values ([`Filters`]); the order changes the result.
//!
//! Memory, in planes of 4 bytes a value: a point filter works in place, any other reads one plane and
//! writes a second, and a chain holds at most these two ([`Chain::planes`]). The solver of inpainting holds more
//! ([`Chain::solver_bytes`]).
//!
//! Values are not clamped between steps. Values that are not finite propagate by the arithmetic over the whole window
//! of a weighted sum, except where a filter's documentation says otherwise (`bilateral`, `median`).

mod bilateral;
mod chain;
mod convolve;
mod exec_options;
mod gaussian;
mod inpaint;
mod mask;
mod matrices;
mod matrix;
mod median;
mod noise;
mod noise_level;
mod plane;
mod point;
mod power;
pub mod reference;
mod rows;
mod sobel;
mod step;
mod text;
mod transposed;
mod unsharp;

pub use crate::sampling::Edges;
pub(crate) use bilateral::shows_share;
pub use bilateral::{automatic_radius, bilateral_radius};
pub use chain::{Chain, Filters, STAGES, Stage, StageRow};
pub use convolve::Convolution;
pub use exec_options::{CancelToken, ExecOptions, StageProgress, WorkProgress};
pub use gaussian::{GaussianBlur, gaussian_radius, gaussian_weights};
pub use inpaint::Inpainting;
pub use mask::{Mask, MaskError, MaskPicture, MaskRectangle};
pub use matrices::{MATRICES, MatrixRow, NamedMatrix};
pub use matrix::{Matrix, MatrixError};
#[cfg(test)]
pub(crate) use noise::NOISE_KINDS;
#[cfg(feature = "cuda")]
pub(crate) use noise::Noise;
pub use noise_level::{estimated_noise, noise_after, noise_of_page};
pub use plane::Plane;
pub use point::LUMINANCE;
pub use rows::{FILTERS, Filter};
pub use step::{FilterError, MAX_PARAMETERS, Step};
pub(crate) use transposed::gaussian_transposed;

use self::reference::{Around, ExactPlane, Pixel};

/// The properties of a filter.
#[derive(Debug)]
pub struct FilterRow {
    /// The filter.
    pub filter: Filter,
    /// Name on the command line and in files.
    pub name: &'static str,
    /// Name in the window.
    pub title: &'static str,
    /// One-line description of the effect.
    pub help: &'static str,
    /// Parameters, in command-line order; at most [`MAX_PARAMETERS`].
    pub parameters: &'static [ParameterRow],
    /// Radius of the neighbourhood that one result depends on, in samples along each axis.
    pub reach: fn(&Step) -> u32,
    /// The implementation.
    pub action: Action,
}

/// The properties of a filter parameter.
#[derive(Debug)]
pub struct ParameterRow {
    /// Name on the command line and in messages.
    pub name: &'static str,
    /// Name in the window.
    pub title: &'static str,
    /// One-line description.
    pub help: &'static str,
    /// Unit; empty for a dimensionless number.
    pub unit: &'static str,
    /// Minimum and maximum, both allowed.
    pub range: (f64, f64),
    /// Default value.
    pub default: f64,
    /// Whether only integers are allowed.
    pub whole: bool,
    /// Names of the values 0, 1 …, which then stand for the numbers in texts; empty for a number.
    pub choices: &'static [ParameterChoice],
    /// The value for white noise of a standard deviation, where there is one.
    pub for_noise: Option<fn(f64) -> f64>,
    /// Index of the parameter whose value it has unless it is given; it changes with that parameter while both are equal.
    pub follows: Option<usize>,
}

/// A value of a parameter that has a name.
#[derive(Debug)]
pub struct ParameterChoice {
    /// Name on the command line and in files.
    pub name: &'static str,
    /// Name in the window.
    pub title: &'static str,
}

/// The implementation of a filter. The parameters are the first argument, as many as the row has, each in its range.
#[derive(Clone, Copy, Debug)]
pub enum Action {
    /// Each result depends on its own pixel alone.
    Point {
        /// Maps pixels of the given number of straight colour values, in place.
        cpu: fn(&[f64], usize, &mut [f32]),
        /// The same for one pixel, in double precision.
        reference: fn(&[f64], &mut [f64]),
    },
    /// Each result depends on its own pixel and its place.
    Placed {
        /// Maps the straight colours of a plane in place, in the tasks of the work.
        cpu: fn(&[f64], &mut Plane, &ExecOptions),
        /// The same for one pixel of straight colours at a place ([`Plane::first`]), in double precision.
        reference: fn(&[f64], [u32; 2], &mut [f64]),
    },
    /// Combines the samples around each.
    Neighbourhood {
        /// Writes the filtered plane, in the tasks of the work.
        cpu: fn(&[f64], &Plane, &Edges, &ExecOptions, &mut [f32]),
        /// One pixel in double precision, from the pixels around it.
        reference: fn(&[f64], &Around<'_>) -> Pixel,
        /// Whether alpha is kept.
        keeps_alpha: bool,
    },
    /// Weighs the samples around each by the step's matrix; alpha is kept.
    Convolution {
        /// The matrix of a step without one.
        default: NamedMatrix,
        /// Writes the filtered plane, in the tasks of the work.
        cpu: fn(&Convolution, &Plane, &Edges, &ExecOptions, &mut [f32]),
        /// One pixel in double precision, from the pixels around it.
        reference: fn(&Convolution, &Around<'_>) -> Pixel,
    },
    /// Fills the samples of the step's mask from all others.
    Inpainting {
        /// The mask of a step without one.
        default: Mask,
        /// Writes the filled plane, in the tasks of the work.
        cpu: fn(&Inpainting, &Plane, &Edges, &ExecOptions, &mut [f32]),
        /// The values of the filled plane, in double precision.
        reference: fn(&Inpainting, &ExactPlane, &Edges) -> Vec<f64>,
    },
}

impl Filter {
    /// Whether it maps every pixel by itself.
    pub fn is_point(self) -> bool {
        matches!(self.row().action, Action::Point { .. } | Action::Placed { .. })
    }

    /// Whether it can be part of a chain at `stage`: inpainting is for samples.
    pub fn serves(self, stage: Stage) -> bool {
        stage == Stage::Before || !matches!(self.row().action, Action::Inpainting { .. })
    }
}

impl FilterRow {
    /// The default of the parameter at `index` as text: its value, or the name of the parameter that it follows.
    ///
    /// # Panics
    /// If there is no such parameter.
    pub fn default_text(&self, index: usize) -> String {
        let row = &self.parameters[index];
        row.follows.map_or_else(|| row.value_text(row.default), |leader| self.parameters[leader].name.to_owned())
    }
}

impl ParameterRow {
    /// Allowed values, as text: `between 0.01 and 64 samples`.
    pub fn range_text(&self) -> String {
        self.range_in(self.unit)
    }

    /// Allowed values at a stage, whose distances may be in pixels.
    pub fn range_text_at(&self, stage: Stage) -> String {
        self.range_in(if self.unit == Stage::Before.row().unit { stage.row().unit } else { self.unit })
    }

    fn range_in(&self, unit: &str) -> String {
        if self.is_switch() {
            return "0 or 1".to_owned();
        }
        if let [others @ .., last] = self.choices {
            let others: Vec<&str> = others.iter().map(|choice| choice.name).collect();
            return format!("{} or {}", others.join(", "), last.name);
        }
        let kind = if self.whole { "a whole number " } else { "" };
        let space = if unit.is_empty() { "" } else { " " };
        format!("{kind}between {} and {}{space}{unit}", self.range.0, self.range.1)
    }

    /// `value` as text: its name where it has one.
    pub fn value_text(&self, value: f64) -> String {
        self.choices.get(value as usize).map_or_else(|| value.to_string(), |choice| choice.name.to_owned())
    }

    /// Whether its values are 0, off, and 1, on.
    pub fn is_switch(&self) -> bool {
        self.whole && self.range == (0.0, 1.0) && self.choices.is_empty()
    }

    /// Whether `value` is allowed; NaN is not.
    pub fn allows(&self, value: f64) -> bool {
        (self.range.0..=self.range.1).contains(&value) && !(self.whole && value.fract() != 0.0)
    }
}
