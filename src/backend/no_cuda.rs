//! The row of the CUDA backend in a build without the feature `cuda`.

use super::{Backend, BackendError, BackendKind};

/// Reports that the backend is not built in.
pub(super) fn open() -> Result<Box<dyn Backend>, BackendError> {
    Err(BackendError::Unavailable {
        backend: BackendKind::Cuda,
        reason: "this build lacks the feature 'cuda'".to_owned(),
    })
}
