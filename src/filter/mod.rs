//! Image filters as rows: a name, parameters with their ranges, and what makes the values. Menus, command line, CUDA entry
//! names, tests and benches walk [`FILTERS`]; a [`Step`] is a row with numbers, a [`Chain`] is steps in their order.
//!
//! A filter takes a [`Plane`] and gives one of the same shape. There are two kinds ([`Action`]):
//! - a point filter maps every pixel by itself. It sees straight colours and never alpha, so that half-transparent grey has
//!   the negative that opaque grey has;
//! - a neighbourhood filter weighs the samples around each. It sees premultiplied values, so that the colour behind nothing
//!   does not bleed, and alpha is one channel more, unless the row says that alpha stays.
//!
//! What lies beyond the plane's edges is the address modes' matter, one for each axis, read sample by sample as in the
//! interpolation ([`Edges`]). The border's constant is the same for every step of a chain. A chain stands before the
//! interpolation, on samples, or after it, on the view's values ([`Filters`]): the order changes the picture.
//!
//! Memory, in planes of 4 bytes a value: a point filter works in place, a neighbourhood filter reads one plane and writes a
//! second, and a chain never holds more than these two ([`Chain::planes`]).
//!
//! Values are in [0, 1] where the picture's are and are not clamped between steps. What is not finite passes by the
//! arithmetic, over the whole window of a weighed sum; where a filter says otherwise (`bilateral`, `median`), it says so.

mod bilateral;
mod chain;
mod gaussian;
mod median;
mod plane;
mod point;
mod power;
pub mod reference;
mod rows;
mod sobel;
mod step;
mod text;
mod unsharp;
mod work;

pub use bilateral::{automatic_radius, bilateral_radius};
pub use chain::{Chain, Filters, STAGES, Stage, StageRow};
pub use gaussian::{gaussian_radius, gaussian_weights};
pub use plane::{Edges, Plane};
pub use point::LUMINANCE;
pub use rows::{FILTERS, Filter};
pub use step::{FilterError, MAX_PARAMETERS, Step};
pub use work::{StageProgress, Stop, Work, WorkProgress};

use self::reference::{Around, Pixel};

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
    pub reach: fn(&[f64]) -> u32,
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
    /// Whether only whole numbers are allowed.
    pub whole: bool,
}

/// The implementation of a filter. The parameters are the first argument, as many as the row has, each in its range.
#[derive(Clone, Copy, Debug)]
pub enum Action {
    /// Each result depends on its own pixel alone.
    Point {
        /// Maps pixels of that many straight colour values each, in place.
        cpu: fn(&[f64], usize, &mut [f32]),
        /// The same for one pixel in double precision.
        reference: fn(&[f64], &mut [f64]),
    },
    /// Every sample from those around it.
    Neighbourhood {
        /// Writes the filtered plane; the work says in which tasks.
        cpu: fn(&[f64], &Plane, &Edges, &Work, &mut [f32]),
        /// One pixel in double precision, from a function of the offset to it.
        reference: fn(&[f64], &Around<'_>) -> Pixel,
        /// Whether alpha stays as it is.
        keeps_alpha: bool,
    },
}

impl Filter {
    /// Whether it maps every pixel by itself.
    pub fn is_point(self) -> bool {
        matches!(self.row().action, Action::Point { .. })
    }
}

impl ParameterRow {
    /// What the parameter may be, for people: `between 0.01 and 64 samples`.
    pub fn range_text(&self) -> String {
        self.range_in(self.unit)
    }

    /// The same at a stage, where distances may be pixels.
    pub fn range_text_at(&self, stage: Stage) -> String {
        self.range_in(if self.unit == Stage::Before.row().unit { stage.row().unit } else { self.unit })
    }

    fn range_in(&self, unit: &str) -> String {
        let kind = if self.whole { "a whole number " } else { "" };
        let space = if unit.is_empty() { "" } else { " " };
        format!("{kind}between {} and {}{space}{unit}", self.range.0, self.range.1)
    }

    /// Whether `value` is allowed; what is no number is not.
    pub fn allows(&self, value: f64) -> bool {
        (self.range.0..=self.range.1).contains(&value) && !(self.whole && value.fract() != 0.0)
    }
}
