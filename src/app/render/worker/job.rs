//! Jobs of the worker: who submits them, what they render, what they return.

use std::sync::Arc;
use std::time::Duration;

use crate::app::render::page_request::PageRequest;
use crate::app::session::PanelId;
use crate::backend::{BackendError, PixelFormat, RenderRequest};
use crate::filter::{CancelToken, WorkProgress};
use crate::image::{Image, Raster};

/// The client of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum Client {
    /// The picture of a panel. Pictures precede all other jobs; a client has one picture, so a newer request replaces the
    /// older one.
    Picture(PanelId),
    /// The picture of the difference of two panels.
    Difference,
    /// The value under the cursor in a panel. A newer request replaces the older one.
    Probe(PanelId),
    /// An overlay, an export or another client of any number of jobs.
    Tool,
}

impl Client {
    /// Whether its jobs precede all others, and their results are handed out once.
    pub(super) fn is_picture(self) -> bool {
        match self {
            Self::Picture(_) | Self::Difference => true,
            Self::Probe(_) | Self::Tool => false,
        }
    }

    /// Whether a newer job of this client replaces its older one.
    pub(super) fn has_one_job(self) -> bool {
        match self {
            Self::Picture(_) | Self::Difference | Self::Probe(_) => true,
            Self::Tool => false,
        }
    }
}

/// What a client submits, every frame until the result has arrived.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct Submission<'a> {
    /// The client.
    pub(in crate::app) client: Client,
    /// The image.
    pub(in crate::app) image: &'a Image,
    /// The request.
    pub(in crate::app) request: &'a RenderRequest,
    /// The layout of the result.
    pub(in crate::app) format: PixelFormat,
}

/// The identity of a job.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct JobKey {
    pub(super) client: Client,
    pub(super) source: PageRequest,
    pub(super) format: PixelFormat,
}

impl JobKey {
    pub(super) fn new(submission: &Submission<'_>) -> Self {
        let Submission { client, image, request, format } = *submission;
        Self { client, source: PageRequest::new(image, request), format }
    }

    /// Whether this is the job of `submission`.
    pub(super) fn is(&self, submission: &Submission<'_>) -> bool {
        self.client == submission.client
            && self.format == submission.format
            && self.source.is(submission.image, submission.request)
    }
}

/// What the thread needs of a job.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) key: JobKey,
    pub(super) image: Image,
    pub(super) stop: CancelToken,
    pub(super) progress: Arc<WorkProgress>,
}

/// The result of a job.
#[derive(Clone, Debug)]
pub(in crate::app) struct Rendered {
    /// What was rendered. For a picture it may precede the request that was submitted last.
    pub(in crate::app) source: PageRequest,
    /// The pixels.
    pub(in crate::app) result: Result<Raster, BackendError>,
    /// How long it took.
    pub(in crate::app) took: Duration,
}
