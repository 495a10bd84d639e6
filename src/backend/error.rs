//! Errors of backends.

use super::{AUTO, BACKENDS, BackendKind, Feature, RequestError, Unusable};
use crate::grid::GridError;
use crate::memory::MemoryError;
use crate::text::shortened;

/// Reason why a backend returned no pixels.
#[derive(Clone, thiserror::Error)]
pub enum BackendError {
    /// No backend can serve the request.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The grid, its sampler or its points are wrong.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// No backend has this name.
    #[error("there is no backend '{}'; there are {}", shortened(.name), names())]
    Name {
        /// The name.
        name: String,
    },
    /// The backend is unavailable on this machine.
    #[error("backend '{backend}' is missing: {reason}")]
    Unavailable {
        /// The backend.
        backend: BackendKind,
        /// Why.
        reason: String,
    },
    /// The backend's device is present and cannot be used.
    #[error("backend '{backend}' cannot be used: {cause}")]
    Unusable {
        /// The backend.
        backend: BackendKind,
        /// Why.
        cause: Unusable,
    },
    /// The request exceeds a limit of the device; another backend may serve it.
    #[error("{what} is more than the device can hold")]
    Limit {
        /// What is too large.
        what: String,
    },
    /// The backend lacks a feature that another backend has.
    #[error("backend '{backend}' has no {what}")]
    Unsupported {
        /// The backend.
        backend: BackendKind,
        /// The feature.
        what: Feature,
    },
    /// The host has too little memory left for the request; nothing was allocated.
    #[error(transparent)]
    HostMemory(#[from] MemoryError),
    /// The device is out of memory; a later request may succeed.
    #[error("the device is out of memory: {what}")]
    Memory {
        /// The operation that failed.
        what: String,
    },
    /// The caller cancelled the work ([`Backend::set_exec_options`](super::Backend::set_exec_options)).
    #[error("the work was given up")]
    Cancelled,
    /// The device failed.
    #[error("the device failed: {what}")]
    Device {
        /// The operation that failed, and the driver's message.
        what: String,
        /// Whether the device is lost to this process, as after an illegal address or a failed launch.
        lost: bool,
    },
}

impl BackendError {
    /// Whether the device is lost to this process.
    pub fn is_lost(&self) -> bool {
        matches!(self, Self::Device { lost: true, .. })
    }

    /// The error in a few words, for a status line.
    pub fn short(&self) -> &'static str {
        match self {
            Self::Request(_) | Self::Grid(_) => "request refused",
            Self::Name { .. } => "unknown",
            Self::Unavailable { .. } => "missing",
            Self::Unusable { cause, .. } => cause.short(),
            Self::Limit { .. } => "more than the GPU holds",
            Self::Unsupported { .. } => "not supported",
            Self::Memory { .. } => "GPU memory taken",
            Self::HostMemory(_) => "not enough memory",
            Self::Cancelled => "cancelled",
            Self::Device { lost: true, .. } => "GPU lost",
            Self::Device { lost: false, .. } => "GPU fails",
        }
    }
}

/// All names that open a backend.
fn names() -> String {
    let names: Vec<&str> = std::iter::once(AUTO).chain(BACKENDS.iter().map(|row| row.name)).collect();
    names.join(", ")
}
