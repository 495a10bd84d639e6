//! The backends as values, so that decisions about them are exhaustive matches.

use std::fmt;

use super::{BACKENDS, BackendRow};

/// A backend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BackendKind {
    /// An NVIDIA GPU.
    Cuda,
    /// All cores of the processor.
    Cpu,
    /// Double precision, for tests and comparisons.
    Reference,
}

impl BackendKind {
    /// This backend's row.
    pub fn row(self) -> &'static BackendRow {
        &BACKENDS[self as usize]
    }
}

impl fmt::Display for BackendKind {
    /// The name on the command line: `cuda`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row().name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backend_rows_follow_the_order_of_the_enum() {
        for (index, row) in BACKENDS.iter().enumerate() {
            assert_eq!(row.kind as usize, index, "{}", row.name);
        }
    }
}
