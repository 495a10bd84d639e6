//! Backend that renders as the CPU backend and is controlled by a test.

use lerpscope::backend::{
    Backend, BackendError, BackendKind, Benchmark, CpuBackend, GlWriter, PixelFormat, RenderRequest, RenderTimer, Waker,
};
use lerpscope::filter::ExecOptions;
use lerpscope::image::{Image, Raster};

/// Pretends to be CUDA.
pub(crate) struct FakeBackend {
    pub(crate) cpu: CpuBackend,
    pub(crate) before_render: Box<dyn FnMut(&RenderRequest) + Send>,
    pub(crate) timer: Option<Box<dyn RenderTimer + Send>>,
    /// Whether the kernels of a request are loaded.
    pub(crate) has_kernels: Box<dyn FnMut(&RenderRequest) -> bool + Send>,
}

impl FakeBackend {
    /// Backend that calls `before_render` with each request and has the times of `timer`.
    pub(crate) fn new(
        before_render: impl FnMut(&RenderRequest) + Send + 'static,
        timer: Option<Box<dyn RenderTimer + Send>>,
    ) -> Self {
        Self { cpu: CpuBackend::new(), before_render: Box::new(before_render), timer, has_kernels: Box::new(|_| true) }
    }
}

impl Backend for FakeBackend {
    fn kind(&self) -> BackendKind {
        BackendKind::Cuda
    }

    fn description(&self) -> String {
        "a fake".to_owned()
    }

    fn render(
        &mut self,
        image: &Image,
        request: &RenderRequest,
        format: PixelFormat,
        out: &mut Raster,
    ) -> Result<(), BackendError> {
        (self.before_render)(request);
        self.cpu.render(image, request, format, out)
    }

    fn is_slow(&mut self, _image: &Image, _request: &RenderRequest) -> bool {
        false
    }

    fn set_exec_options(&mut self, work: ExecOptions) {
        self.cpu.set_exec_options(work);
    }

    fn is_ready(&mut self, _image: &Image, request: &RenderRequest) -> bool {
        (self.has_kernels)(request)
    }

    fn set_waker(&mut self, _waker: Waker) {}

    fn timer(&mut self) -> Option<&mut dyn RenderTimer> {
        match &mut self.timer {
            Some(timer) => Some(&mut **timer),
            None => None,
        }
    }

    fn gl(&mut self) -> Option<&mut dyn GlWriter> {
        None
    }

    fn benchmark(&mut self) -> Option<&mut dyn Benchmark> {
        None
    }
}
