//! What an output differs by from the best prediction, where no kernel fits.

use std::fmt;

use rayon::prelude::*;

use super::fit::Normal;
use super::hypothesis::Hypothesis;
use super::inside::Inside;
use super::shape::signed;

/// Share of the residual's energy from which a cause is named.
const NAMED: f64 = 0.3;
/// Distance of the two predictions of a derivative, in samples.
const DERIVATIVE: f64 = 0.125;

/// The kernel with the least residual after something else was done to the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Explained {
    /// The kernel.
    pub hypothesis: Hypothesis,
    /// What else was done.
    pub difference: Difference,
}

/// The hypothesis and the difference that leave the least residual.
pub(super) fn explain(inside: &Inside<'_>, hypotheses: &[Hypothesis]) -> Option<Explained> {
    let all: Vec<(f64, Explained)> = hypotheses
        .par_iter()
        .map(|&hypothesis| {
            let (left, difference) = Difference::new(inside, hypothesis);
            (left, Explained { hypothesis, difference })
        })
        .collect();
    all.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, explained)| explained)
}

/// What explains most of a residual.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Difference {
    /// output ≈ gain·prediction + offset.
    Contrast {
        /// The gain.
        gain: f64,
        /// The offset as a value, 1 is white.
        offset: f64,
        /// Share of the residual's energy that it explains.
        share: f64,
    },
    /// The output is moved.
    Shift {
        /// By this many samples along x and y.
        samples: [f64; 2],
        /// Share of the residual's energy that it explains.
        share: f64,
    },
    /// The output is sharper (positive) or softer than the prediction.
    Sharpness {
        /// Factor of the negative Laplacian, in samples².
        amount: f64,
        /// Share of the residual's energy that it explains.
        share: f64,
    },
    /// None of these.
    Unknown,
}

impl Difference {
    /// The best explanation of what `hypothesis` leaves, after the energy that it leaves itself.
    fn new(inside: &Inside<'_>, hypothesis: Hypothesis) -> (f64, Self) {
        let at = |shifts: [f64; 2]| inside.predicted(hypothesis, shifts);
        let (middle, d) = (at([0.0; 2]), DERIVATIVE);
        let [left, right, up, down] = [[-d, 0.0], [d, 0.0], [0.0, -d], [0.0, d]].map(at);
        let residuals = inside.grid.residuals(inside.pair, &middle);
        let slope = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (b - a) / (2.0 * d)).collect::<Vec<f64>>();
        let laplacian: Vec<f64> =
            (0..middle.len()).map(|k| (left[k] + right[k] + up[k] + down[k] - 4.0 * middle[k]) / (d * d)).collect();
        let contrast = explained(&residuals, &[middle.clone(), vec![1.0; middle.len()]]);
        let shift = explained(&residuals, &[slope(&left, &right), slope(&up, &down)]);
        let sharpness = explained(&residuals, &[laplacian]);
        let shares = [&contrast, &shift, &sharpness].map(|found| found.as_ref().map_or(0.0, |(share, _)| *share));
        let best = (0..3).max_by(|&a, &b| shares[a].total_cmp(&shares[b])).unwrap_or(0);
        let energy: f64 = residuals.iter().map(|residual| residual * residual).sum();
        let left = energy * (1.0 - shares[best]);
        let difference = match (best, contrast, shift, sharpness) {
            _ if shares[best] < NAMED => return (energy, Self::Unknown),
            (0, Some((share, x)), ..) => Self::Contrast { gain: 1.0 + x[0], offset: x[1], share },
            (1, _, Some((share, x)), _) => Self::Shift { samples: [-x[0], -x[1]], share },
            (2, .., Some((share, x))) => Self::Sharpness { amount: -x[0], share },
            _ => Self::Unknown,
        };
        (left, difference)
    }
}

/// The factors of `causes` that explain most of `residuals`, and the share of their energy.
fn explained(residuals: &[f64], causes: &[Vec<f64>]) -> Option<(f64, Vec<f64>)> {
    let normal = Normal::new(causes, residuals);
    let factors = normal.factor()?.solve(&normal.right);
    let energy: f64 = residuals.iter().map(|residual| residual * residual).sum();
    let gained: f64 = factors.iter().zip(&normal.right).map(|(factor, right)| factor * right).sum();
    Some((gained / energy.max(f64::MIN_POSITIVE), factors))
}

/// One sentence.
impl fmt::Display for Explained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.difference {
            Difference::Unknown => self.difference.fmt(f),
            difference => write!(f, "with {}, {difference}", self.hypothesis),
        }
    }
}

/// A clause.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |share: f64| (share * 100.0).round();
        match *self {
            Self::Contrast { gain, offset, share } => write!(
                f,
                "the output is {} times the prediction plus {} (1 is white), which explains {} % of the residual",
                signed(gain),
                signed(offset),
                percent(share)
            ),
            Self::Shift { samples: [x, y], share } => write!(
                f,
                "the output is moved by {}, {} samples, which explains {} % of the residual",
                signed(x),
                signed(y),
                percent(share)
            ),
            Self::Sharpness { amount, share } => {
                let how = if amount > 0.0 { "sharper" } else { "softer" };
                write!(f, "the output is {how} than the prediction, which explains {} % of the residual", percent(share))
            }
            Self::Unknown => f.write_str(
                "no change of contrast, no shift and no sharpening explains the residual: the pictures differ in content, \
                 or the resampling is not separable",
            ),
        }
    }
}
