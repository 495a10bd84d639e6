//! Optional features: what one backend implements and another lacks.

use std::fmt;

use super::{KernelVariant, RenderRequest};
use crate::filter::Filter;
use crate::sampling::Method;

/// A feature that a backend may lack ([`BackendError::Unsupported`](super::BackendError::Unsupported)).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Feature {
    /// Measurements of its own kernels ([`Benchmark`](super::Benchmark)).
    Benchmark,
    /// Blocks of threads as the shape of a launch.
    ThreadBlocks,
    /// Bands of rows as the shape of a task.
    RowBands,
    /// A kernel variant, for the view at hand.
    KernelVariant(KernelVariant),
    /// An interpolation method, for the view at hand.
    Method(Method),
    /// An image filter.
    Filter(Filter),
    /// Antiringing.
    Antiringing,
    /// The true values of a formula or of an original.
    Truth,
    /// Components that are computed from interpolated complex numbers.
    Component,
}

impl Feature {
    /// Whether `request` cannot be rendered without the feature, whatever its view.
    pub(super) fn is_required_by(self, request: &RenderRequest) -> bool {
        match self {
            Self::Filter(filter) => request.all_filters().any(|step| step.filter() == filter),
            Self::Truth => request.has_truth(),
            Self::Antiringing => request.is_antiringed(),
            Self::Component => request.is_derived(),
            Self::Benchmark | Self::ThreadBlocks | Self::RowBands | Self::KernelVariant(_) | Self::Method(_) => false,
        }
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Benchmark => f.write_str("benchmark"),
            Self::ThreadBlocks => f.write_str("blocks of threads"),
            Self::RowBands => f.write_str("bands of rows"),
            Self::KernelVariant(variant) => write!(f, "kernel variant '{variant}' of this view"),
            Self::Method(method) => write!(f, "method '{method}' in this view"),
            Self::Filter(filter) => write!(f, "filter '{filter}'"),
            Self::Antiringing => f.write_str("antiringing"),
            Self::Truth => f.write_str("values of formulas"),
            Self::Component => f.write_str("magnitudes and phases"),
        }
    }
}
