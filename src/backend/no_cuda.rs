//! What stands for the CUDA backend in a build without the feature `cuda`: its row stays and names the reason.

use super::{Backend, BackendError};

/// Reports that the backend is not part of this build.
pub(super) fn open() -> Result<Box<dyn Backend>, BackendError> {
    Err(BackendError::Missing { name: "cuda", reason: "this build lacks the feature 'cuda'".to_owned() })
}
