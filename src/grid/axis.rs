//! Relations between the coordinates of points and the samples of an axis.

use super::error::GridError;

/// How coordinates along an axis refer to its samples.
#[derive(Clone, Debug, PartialEq)]
pub enum GridAxis {
    /// Sample k is at coordinate k.
    Samples,
    /// Sample k is at origin + k·step.
    Scaled {
        /// Coordinate of sample 0.
        origin: f64,
        /// Distance from a sample to the next; negative if coordinates fall.
        step: f64,
    },
    /// Sample k is at knot k; knots rise. `nearest` and `linear` serve such an axis, and `bspline` with the prefilter,
    /// which is then the cubic spline through the samples with not-a-knot ends (the third derivative is continuous at the
    /// second knot and at the last but one; de Boor 1978, chapter IV). Beyond the first and the last knot the address mode
    /// is `clamp`.
    Unequal(Vec<f64>),
}

impl GridAxis {
    /// Checks the numbers for `axis` of `len` samples.
    pub(super) fn check(&self, axis: usize, len: usize) -> Result<(), GridError> {
        match self {
            Self::Samples => Ok(()),
            &Self::Scaled { origin, step } => {
                let is_good = origin.is_finite() && step.is_finite() && step != 0.0 && (1.0 / step).is_finite();
                if is_good { Ok(()) } else { Err(GridError::Scale { axis, origin, step }) }
            }
            Self::Unequal(knots) => {
                if knots.len() != len {
                    return Err(GridError::KnotCount { axis, len, found: knots.len() });
                }
                let is_good = |k: usize| knots[k].is_finite() && (k == 0 || knots[k] > knots[k - 1]);
                match (0..len).find(|&k| !is_good(k)) {
                    Some(knot) => Err(GridError::KnotOrder { axis, knot, value: knots[knot] }),
                    None => Ok(()),
                }
            }
        }
    }

    /// Samples per unit of the coordinate, where it is the same everywhere.
    pub(super) fn density(&self) -> f64 {
        match self {
            Self::Scaled { step, .. } => 1.0 / step,
            Self::Samples | Self::Unequal(_) => 1.0,
        }
    }

    /// Turns coordinates into positions in samples. Between unequal knots a position is that of the straight line; beyond
    /// them it is that of the outermost knot.
    pub(super) fn to_samples(&self, coordinates: &mut [f64]) {
        match self {
            Self::Samples => {}
            Self::Scaled { origin, step } => coordinates.iter_mut().for_each(|x| *x = (*x - origin) / step),
            Self::Unequal(knots) => coordinates.iter_mut().for_each(|x| *x = place_among(knots, *x)),
        }
    }
}

/// Position in samples of coordinate `x`; NaN stays NaN.
fn place_among(knots: &[f64], x: f64) -> f64 {
    let last = knots.len() - 1;
    if x.is_nan() {
        return x;
    }
    if x <= knots[0] {
        return 0.0;
    }
    if x >= knots[last] {
        return last as f64;
    }
    let k = knots.partition_point(|&knot| knot <= x) - 1;
    let part = (x - knots[k]) / (knots[k + 1] - knots[k]);
    // Rounding may reach the next knot, never pass it.
    k as f64 + part.min(1.0)
}
