//! The truth of a page: values between its samples that are known, and not interpolated.

use std::fmt::Debug;
use std::num::NonZeroU32;
use std::sync::Arc;

use super::synth::quadrature::{self, MeanAccuracy};
use super::{Channels, Formula, Parallelogram, Raster};

/// Where the values between the samples of a page are known from.
#[derive(Clone, Debug)]
pub enum Truth {
    /// The formula that the samples were taken of: it has a value at every position, and a mean over every square.
    Formula(Formula),
    /// A function with a value at every position: that of a volume's formula on a plane.
    Function(Arc<dyn TrueFunction>),
    /// The image that the page was decimated from: it has values at its own samples.
    Original(Arc<Original>),
}

impl Truth {
    /// Channels of its values; none of them is alpha.
    pub fn channels(&self) -> Channels {
        match self {
            Self::Formula(formula) => formula.channels(),
            Self::Function(_) => Channels::Grey,
            Self::Original(original) => original.raster.channels(),
        }
    }
}

/// A grey function of the positions of a page.
pub trait TrueFunction: Debug + Send + Sync {
    /// Value at (x, y).
    fn value(&self, position: [f64; 2]) -> f64;
}

/// Mean of a function over `area`, by quadrature as that of formulas; of any value once `is_cancelled`.
pub(crate) fn mean_over(
    function: &dyn TrueFunction,
    area: &Parallelogram,
    accuracy: MeanAccuracy,
    is_cancelled: impl Fn() -> bool,
) -> f64 {
    if area.lengths() == [0.0; 2] {
        return function.value(area.centre());
    }
    let [mean] = quadrature::means(|at| [if is_cancelled() { 0.0 } else { function.value(at) }], area, accuracy);
    mean
}

/// An image that was decimated.
///
/// ```text
///   original   0   1   2   3   4   5   6   7     n = 4: sample k of the page is the centre of the samples 4k … 4k + 3 of
///              └──── 0 ────┘   └──── 1 ────┘     the original, at 4k + 1½
/// ```
#[derive(Debug)]
pub struct Original {
    raster: Raster,
    factor: NonZeroU32,
}

impl Original {
    /// The original `raster`, floats without alpha, of a page that is smaller by `factor` along both axes.
    pub(crate) fn new(raster: Raster, factor: NonZeroU32) -> Self {
        Self { raster, factor }
    }

    /// Its values; rows and columns beyond a multiple of the factor at the right and at the bottom are cut off.
    pub fn raster(&self) -> &Raster {
        &self.raster
    }

    /// Number n of its samples for each sample of the page, along each axis.
    pub fn factor(&self) -> NonZeroU32 {
        self.factor
    }

    /// Position in the original of a position `x` of the page, along an axis: n·x + (n − 1)/2.
    pub fn position(&self, x: f64) -> f64 {
        let n = f64::from(self.factor.get());
        n * x + (n - 1.0) / 2.0
    }
}
