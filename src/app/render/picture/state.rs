//! What a picture shows, as one value: a panel cannot be refused and shown, or queued without a target.

use std::sync::Arc;
use std::time::Instant;

use crate::app::render::gl::GlError;
use crate::app::render::page_request::PageRequest;
use crate::backend::{Backend as _, BackendError, BackendKind, FallbackBackend, GlTarget, RenderRequest, RequestError};
use crate::image::Image;

/// What a picture shows.
#[derive(Debug, Default)]
pub(super) enum PictureState {
    /// Nothing has been rendered.
    #[default]
    Empty,
    /// The pixels of a request.
    Shown(Shown),
    /// The pixels of a request that is rendered again at the next update.
    Outdated(Shown),
    /// The backend renders into the texture at the end of the frame ([`draw_queued`](super::draw_queued)).
    Queued { source: PageRequest, image: Arc<Image>, target: GlTarget },
    /// The worker renders a request. The last pixels are shown meanwhile.
    Rendering { last: Option<Shown>, since: Instant },
    /// The request cannot be rendered.
    Refused { source: PageRequest, error: PictureError },
}

/// The pixels of a request.
#[derive(Debug)]
pub(super) struct Shown {
    pub(super) source: PageRequest,
    pub(super) origin: Origin,
}

/// The backend that rendered pixels, and why.
#[derive(Clone, Debug)]
pub(super) enum Origin {
    /// The window's backend.
    Backend(BackendKind),
    /// The CPU, while a device starts or loads kernels.
    StandIn,
    /// The CPU, since a device cannot render the request.
    Fallback(BackendError),
}

impl Origin {
    /// The origin of pixels of `request` that the CPU rendered apart from `backend`.
    pub(super) fn of_cpu(backend: &mut FallbackBackend, image: &Image, request: &RenderRequest) -> Self {
        match backend.known_lack(request) {
            Some(error) => Self::Fallback(error),
            None if backend.is_ready(image, request) => Self::Backend(BackendKind::Cpu),
            None => Self::StandIn,
        }
    }

    /// The origin of the last pixels of `request` that `backend` rendered into host memory.
    pub(super) fn of_last(backend: &mut FallbackBackend, image: &Image, request: &RenderRequest) -> Self {
        if let Some(error) = backend.failure() {
            return Self::Fallback(error.clone());
        }
        if backend.is_ready(image, request) { Self::Backend(backend.rendered_by()) } else { Self::StandIn }
    }

    /// The backend.
    pub(super) fn kind(&self) -> BackendKind {
        match self {
            Self::Backend(kind) => *kind,
            Self::StandIn | Self::Fallback(_) => BackendKind::Cpu,
        }
    }
}

/// Reason why a panel has no picture.
#[derive(Clone, thiserror::Error)]
pub enum PictureError {
    /// The request cannot be served, or the device failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// There is no texture for the pixels.
    #[error(transparent)]
    Texture(#[from] GlError),
}

impl From<RequestError> for PictureError {
    fn from(error: RequestError) -> Self {
        Self::Backend(error.into())
    }
}

impl PictureState {
    /// The pixels on screen, as far as they are complete.
    pub(super) fn shown(&self) -> Option<&Shown> {
        match self {
            Self::Shown(shown) | Self::Outdated(shown) => Some(shown),
            Self::Rendering { last, .. } => last.as_ref(),
            Self::Empty | Self::Queued { .. } | Self::Refused { .. } => None,
        }
    }

    /// The same, taken out.
    pub(super) fn into_shown(self) -> Option<Shown> {
        match self {
            Self::Shown(shown) | Self::Outdated(shown) => Some(shown),
            Self::Rendering { last, .. } => last,
            Self::Empty | Self::Queued { .. } | Self::Refused { .. } => None,
        }
    }

    /// Ends a wait for the worker whose last pixels are those of `request` after all. Returns whether the state is that of
    /// `request`.
    pub(super) fn settle(&mut self, image: &Image, request: &RenderRequest) -> bool {
        if let Self::Rendering { last: last @ Some(_), .. } = self
            && last.as_ref().is_some_and(|shown| shown.source.is(image, request))
        {
            *self = last.take().map_or(Self::Empty, Self::Shown);
        }
        match self {
            Self::Shown(Shown { source, .. }) | Self::Queued { source, .. } | Self::Refused { source, .. } => {
                source.is(image, request)
            }
            Self::Empty | Self::Outdated(_) | Self::Rendering { .. } => false,
        }
    }
}
