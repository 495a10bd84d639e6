//! Identification of the kernel that another program resampled a picture with.
//!
//! The model is separable. Output pixel i along an axis lies at position x(i) of the source ([`Convention`]); its value is
//! Σ f\[k\]·w((x − k)/t) over the samples k, where t widens the kernel of a smaller picture ([`Widening`]); beyond its edges
//! the source goes on as an [`EdgeRule`] says; the sum is rounded ([`Rounding`]) and clamped.
//!
//! ```text
//!   source   96 samples   ──┬── x(i) = (i + ½)·s − ½ ──┬── w, widened or not ──┬── rounding ──▶  output 53 pixels
//!                           ├── x(i) = i·(n−1)/(N−1)   │   named, or fitted     │
//!                           └── x(i) = i·s              │   by least squares    │
//! ```
//!
//! 1. Every [`Hypothesis`] predicts the pixels that no edge reaches. Its parameters, B and C of a cubic, a of Lanczos, σ of
//!    a Gaussian, are fitted by Gauss and Newton's method. The least residual wins. A pixel that was clamped counts only
//!    where the prediction is inside the range.
//! 2. The winner's edges and rounding are those that predict the other pixels best.
//! 3. The kernel is recovered without a name as well: its values at distances between 0 and 4½, by least squares over the
//!    phases of the pixels ([`Dot`]). Its residual is the least that a separable symmetric kernel has.

mod chart;
mod difference;
mod edges;
mod field;
mod fit;
mod geometry;
mod hypothesis;
mod inside;
mod pair;
mod passes;
mod predict;
mod programs;
mod recovered;
mod report;
mod rounding;
mod search;
mod shape;

use crate::filter::ExecOptions;
use crate::image::Page;

pub use difference::{Difference, Explained};
pub use edges::{EDGE_RULES, EdgeRule, EdgeRuleRow};
pub use geometry::{CONVENTIONS, Convention, ConventionRow, WIDENINGS, Widening, WideningRow};
pub use hypothesis::{Candidate, Fitted, Hypothesis, Score};
use pair::Pair;
pub use pair::{AxisPair, Compared, IdentifyError, Scale};
pub use passes::{BETWEENS, Between, BetweenRow};
pub use programs::Program;
pub use recovered::Dot;
pub use report::Certainty;
pub use rounding::{Agreement, ROUNDINGS, Rounding, RoundingRow};
pub use shape::Shape;

/// What a picture was resampled with.
#[derive(Clone, Debug, PartialEq)]
pub struct Identification {
    /// The two pictures and the scale between them.
    pub pair: PairFacts,
    /// The best hypothesis.
    pub best: Candidate,
    /// Other hypotheses whose residual differs by less than 2 %.
    pub equals: Vec<Candidate>,
    /// The best of the others.
    pub runner_up: Option<Candidate>,
    /// Whether the residual of the best is explained by rounding.
    pub fits: bool,
    /// What lies beyond the edges. Empty if no pixel reads it; several that predict the same.
    pub edges: Vec<EdgeRule>,
    /// The rounding, and how far the prediction with it is from the output, over all pixels.
    pub agreement: Agreement,
    /// The kernel's values, recovered by least squares.
    pub dots: Vec<Dot>,
    /// Residual of the recovered kernel.
    pub least: Score,
    /// The programs whose resampling this is.
    pub programs: Vec<Program>,
    /// What the output differs by from the best prediction, where it does not fit.
    pub difference: Option<Explained>,
}

/// Facts of the two pictures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairFacts {
    /// Samples of the source.
    pub source: crate::image::Size,
    /// Pixels of the output.
    pub output: crate::image::Size,
    /// Samples per pixel along x and y.
    pub scale: [f64; 2],
    /// The compared values.
    pub compared: Compared,
    /// Largest number of the output; 1 of floats.
    pub maxval: u16,
    /// Whether the output's numbers are floats.
    pub is_float: bool,
}

/// Identifies what `output` was made from `source` with.
///
/// # Errors
/// [`IdentifyError`] for pictures that are too small or too flat, for sizes that do not fit, and where memory is short or
/// the work is cancelled.
///
/// ```
/// use lerpscope::backend::{CpuBackend, PixelFormat, RenderRequest, render};
/// use lerpscope::filter::ExecOptions;
/// use lerpscope::image::{Depth, Image, Page, Size};
/// use lerpscope::lab::identify::{Scale, Shape, identify};
/// use lerpscope::sampling::{Method, Sampler};
/// use lerpscope::view::View;
///
/// let source = lerpscope::image::open_source("synth:noise:128x128".as_ref())?.image;
/// let request = RenderRequest {
///     view: View::new([0.0; 2], 2.0 / 3.0)?,
///     sampler: Sampler::default().with_method(Method::keys(-0.6)?),
///     ..RenderRequest::new(Size::new(192, 192)?)
/// };
/// let output = Page::new(render(&mut CpuBackend::new(), &source, &request, PixelFormat::file(Depth::EIGHT))?);
/// let found = identify(&source.pages()[0], &output, Scale::FromSizes, &ExecOptions::default())?;
/// let Shape::Method { method: Method::Cubic { b, c }, .. } = found.best.hypothesis.shape else { panic!("{found:?}") };
/// assert!(b.get() == 0.0 && (c.get() - 0.6).abs() < 0.005);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn identify(
    source: &Page,
    output: &Page,
    scale: Scale,
    work: &ExecOptions,
) -> Result<Identification, IdentifyError> {
    let pair = Pair::new(source, output, scale)?;
    search::search(&pair, work)
}
