//! The backend of the window, with slow requests rendered by the worker.

use super::{Client, RenderWorker, Submission};
use crate::backend::{
    Backend, BackendError, BackendKind, Benchmark, FallbackBackend, GlWriter, PixelFormat, RenderRequest, RenderTimer,
    Waker,
};
use crate::filter::ExecOptions;
use crate::image::{Image, Raster};

/// Renders quick requests itself and submits slow ones ([`Backend::is_slow`]) to the worker.
pub(in crate::app) struct WorkerBackend<'a> {
    backend: &'a mut FallbackBackend,
    worker: &'a mut RenderWorker,
    client: Client,
    is_pending: bool,
}

impl<'a> WorkerBackend<'a> {
    /// A backend whose slow requests fail with [`BackendError::Cancelled`] until the worker has rendered them.
    pub(in crate::app) fn new(backend: &'a mut FallbackBackend, worker: &'a mut RenderWorker, client: Client) -> Self {
        Self { backend, worker, client, is_pending: false }
    }

    /// Whether a result is pending: the request is to be submitted again in the next frame.
    pub(in crate::app) fn is_pending(&self) -> bool {
        self.is_pending
    }
}

impl Backend for WorkerBackend<'_> {
    fn kind(&self) -> BackendKind {
        self.backend.kind()
    }

    fn description(&self) -> String {
        self.backend.description()
    }

    fn render(
        &mut self,
        image: &Image,
        request: &RenderRequest,
        format: PixelFormat,
        out: &mut Raster,
    ) -> Result<(), BackendError> {
        if !self.backend.is_slow(image, request) {
            return self.backend.render(image, request, format, out);
        }
        let submission = Submission { client: self.client, image, request, format };
        let Some(rendered) = self.worker.poll(&submission) else {
            self.is_pending = true;
            return Err(BackendError::Cancelled);
        };
        *out = rendered.result?;
        Ok(())
    }

    fn is_slow(&mut self, image: &Image, request: &RenderRequest) -> bool {
        self.backend.is_slow(image, request)
    }

    fn set_exec_options(&mut self, work: ExecOptions) {
        self.backend.set_exec_options(work);
    }

    fn is_ready(&mut self, image: &Image, request: &RenderRequest) -> bool {
        self.backend.is_ready(image, request)
    }

    fn set_waker(&mut self, waker: Waker) {
        self.backend.set_waker(waker);
    }

    fn timer(&mut self) -> Option<&mut dyn RenderTimer> {
        self.backend.timer()
    }

    fn gl(&mut self) -> Option<&mut dyn GlWriter> {
        self.backend.gl()
    }

    fn benchmark(&mut self) -> Option<&mut dyn Benchmark> {
        self.backend.benchmark()
    }
}
