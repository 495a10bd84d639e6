//! Reasons why the window closes without being asked to.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use thiserror::Error;

use crate::app::files::RecoveryError;
use crate::backend::BackendError;
use crate::image::SaveError;
use crate::panics::Panicked;

/// The reason of a failure, shared with [`run`](crate::app::run), which outlives the window.
pub(in crate::app) type SharedFailure = Arc<Mutex<Option<WindowFailure>>>;

/// Why the window closed without being asked to.
#[derive(Clone, Debug, Error)]
pub(in crate::app) enum WindowFailure {
    /// The screenshot cannot be written.
    #[error(transparent)]
    Screenshot(Arc<SaveError>),
    /// The screenshot has no pixels.
    #[error("the window has no pixels")]
    EmptyScreenshot,
    /// The device that was asked for by name does not open.
    #[error(transparent)]
    Device(BackendError),
    /// Frames kept failing.
    #[error(transparent)]
    Frame(#[from] FrameFailure),
    /// The display ended the window.
    #[error("the connection to the display is lost; {0}")]
    DisplayLost(SessionRescue),
}

/// A frame panicked.
#[derive(Clone, Debug, Error)]
#[error("a frame failed: {panicked}; {session}")]
pub(in crate::app) struct FrameFailure {
    /// The panic.
    pub(in crate::app) panicked: Panicked,
    /// Whether the session was saved.
    pub(in crate::app) session: SessionRescue,
}

/// Result of saving the session after a failure.
#[derive(Clone, Debug)]
pub(in crate::app) enum SessionRescue {
    /// The session was saved to this file.
    Saved(PathBuf),
    /// The session was never changed.
    Unchanged,
    /// The session was not saved.
    Failed(Arc<RecoveryError>),
    /// The window keeps no files.
    NoFolder,
}

impl SessionRescue {
    /// From the result of a save; `None` if the window keeps no files.
    pub(super) fn of(saved: Option<Result<Option<PathBuf>, Arc<RecoveryError>>>) -> Self {
        match saved {
            Some(Ok(Some(file))) => Self::Saved(file),
            Some(Ok(None)) => Self::Unchanged,
            Some(Err(error)) => Self::Failed(error),
            None => Self::NoFolder,
        }
    }
}

impl fmt::Display for SessionRescue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Saved(file) => write!(f, "the session is saved as {}", file.display()),
            Self::Unchanged => f.write_str("there is no session to save yet"),
            Self::Failed(error) => write!(f, "the session is not saved: {error}"),
            Self::NoFolder => f.write_str("the session is not saved: there is no place for it"),
        }
    }
}
