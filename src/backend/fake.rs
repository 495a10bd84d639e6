//! A backend for tests that fails on demand.

use std::time::Duration;

use super::{
    Backend, BackendError, BackendKind, Benchmark, CpuBackend, GlPanel, GlTarget, GlTexture, GlWriter, PixelFormat,
    RenderRequest, RenderTimer, Waker,
};
use crate::filter::ExecOptions;
use crate::image::{Image, Raster};

/// Poses as CUDA, renders as the CPU does, and returns the given errors.
#[derive(Default)]
pub(crate) struct FakeBackend {
    /// Errors of the next renders, the last element first. Renders succeed once it is empty.
    pub(crate) failures: Vec<BackendError>,
    /// Calls of [`Backend::render`] so far.
    pub(crate) renders: usize,
    /// The textures, where the backend writes into any.
    pub(crate) gl: Option<FakeGl>,
    cpu: CpuBackend,
}

/// A writer of textures that do not exist. It is lost once no answer is left.
pub(crate) struct FakeGl {
    /// Answers of the next calls of [`GlWriter::draw`] and [`GlWriter::is_done`]; for the latter, any answer but the
    /// last one means that the work goes on.
    pub(crate) answers: Vec<Vec<Result<(), BackendError>>>,
}

impl FakeBackend {
    /// A backend whose renders fail with `failures`, the last element first.
    pub(crate) fn failing(failures: Vec<BackendError>) -> Self {
        Self { failures, ..Self::default() }
    }

    /// A backend that writes into textures, with these answers.
    pub(crate) fn writing(answers: Vec<Vec<Result<(), BackendError>>>) -> Self {
        Self { gl: Some(FakeGl { answers }), ..Self::default() }
    }
}

impl Backend for FakeBackend {
    fn kind(&self) -> BackendKind {
        BackendKind::Cuda
    }

    fn description(&self) -> String {
        "fake".to_owned()
    }

    fn render(
        &mut self,
        image: &Image,
        request: &RenderRequest,
        format: PixelFormat,
        out: &mut Raster,
    ) -> Result<(), BackendError> {
        self.renders += 1;
        match self.failures.pop() {
            Some(error) => Err(error),
            None => self.cpu.render(image, request, format, out),
        }
    }

    fn is_slow(&mut self, _image: &Image, _request: &RenderRequest) -> bool {
        false
    }

    fn set_exec_options(&mut self, work: ExecOptions) {
        self.cpu.set_exec_options(work);
    }

    fn is_ready(&mut self, _image: &Image, _request: &RenderRequest) -> bool {
        true
    }

    fn set_waker(&mut self, _waker: Waker) {}

    fn timer(&mut self) -> Option<&mut dyn RenderTimer> {
        None
    }

    fn gl(&mut self) -> Option<&mut dyn GlWriter> {
        let gl = self.gl.as_mut().filter(|gl| !gl.answers.is_empty())?;
        Some(gl)
    }

    fn benchmark(&mut self) -> Option<&mut dyn Benchmark> {
        None
    }
}

impl GlWriter for FakeGl {
    #[expect(unsafe_code, reason = "the trait has it so")]
    unsafe fn register(&mut self, _: GlTexture) -> Result<GlTarget, BackendError> {
        Ok(GlTarget(1))
    }

    fn unregister(&mut self, _: GlTarget) {}

    fn draw(&mut self, _: &[GlPanel<'_>]) -> Vec<Result<(), BackendError>> {
        self.answers.remove(0)
    }

    fn is_done(&mut self) -> Result<bool, BackendError> {
        let mut answers = self.answers.remove(0);
        if self.answers.is_empty() { answers.remove(0).map(|()| true) } else { Ok(false) }
    }

    fn times(&mut self) -> Result<Vec<(GlTarget, Duration)>, BackendError> {
        Ok(Vec::new())
    }

    fn is_timing(&self) -> bool {
        false
    }
}
