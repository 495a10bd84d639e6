//! Optional features: what one backend implements and another lacks.

use std::fmt;

use super::Form;
use crate::sampling::Method;

/// A feature that a backend may lack ([`BackendError::Lacks`](super::BackendError::Lacks)).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Feature {
    /// Measurements of its own kernels ([`Benchmark`](super::Benchmark)).
    Benchmark,
    /// Blocks of threads as the shape of a launch.
    ThreadBlocks,
    /// Bands of rows as the shape of a task.
    RowBands,
    /// A kernel variant, for the view at hand.
    Form(Form),
    /// Kernels for an interpolation method.
    Method(Method),
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Benchmark => f.write_str("benchmark"),
            Self::ThreadBlocks => f.write_str("blocks of threads"),
            Self::RowBands => f.write_str("bands of rows"),
            Self::Method(method) => write!(f, "kernels for method '{method}'"),
            Self::Form(form) => write!(f, "form '{form}' of this view"),
        }
    }
}
