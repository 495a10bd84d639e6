//! The backends as rows, so that decisions about them are exhaustive matches.

use super::{BackendRow, CpuBackend, ReferenceBackend, cuda};
use crate::rows::rows;

rows! {
    /// A backend.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum BackendKind {
        /// An NVIDIA GPU.
        Cuda => { name: "cuda", title: "CUDA", is_interactive: true, open: cuda::open },
        /// All cores of the processor.
        Cpu => { name: "cpu", title: "CPU", is_interactive: true, open: || Ok(Box::new(CpuBackend::new())) },
        /// Double precision, for tests and comparisons.
        Reference => {
            name: "reference",
            title: "double precision, straight from the definitions; slow",
            is_interactive: false,
            open: || Ok(Box::new(ReferenceBackend::default())),
        },
    }

    /// The backends, the preferred one first.
    pub static BACKENDS: [BackendRow { kind, .. }];

    impl Display;
}
