//! A backend that does not fail because a device does: what the preferred one cannot do, the CPU does, and says so.

use std::time::Duration;

use super::{
    Backend, BackendError, BackendKind, Benchmark, CpuBackend, GlWriter, PixelFormat, RenderRequest, RenderTimer,
};
use crate::filter::Work;
use crate::image::{Image, Raster};

/// The preferred backend with the CPU behind it. A device that is out of memory, or too small for a picture, is asked again
/// next time; one that is lost is given up for good. Each reason is logged and kept for people once
/// ([`FallbackBackend::take_notices`]).
pub struct FallbackBackend {
    preferred: Box<dyn Backend>,
    cpu: CpuBackend,
    work: Work,
    /// Whether the CPU made the last picture in the preferred one's place.
    is_instead: bool,
    /// The reasons so far, without their numbers.
    said: Vec<String>,
    notices: Vec<String>,
    /// Why the device is not used at all, and never will be.
    unusable: Option<BackendError>,
    /// Why the CPU made the last picture in the preferred one's place.
    last_failure: Option<BackendError>,
}

impl std::fmt::Debug for FallbackBackend {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FallbackBackend").field("preferred", &self.preferred.kind()).finish_non_exhaustive()
    }
}

impl FallbackBackend {
    /// `preferred`, and the CPU where it fails.
    pub fn new(preferred: Box<dyn Backend>) -> Self {
        Self {
            preferred,
            cpu: CpuBackend::new(),
            work: Work::default(),
            is_instead: false,
            said: Vec::new(),
            notices: Vec::new(),
            unusable: None,
            last_failure: None,
        }
    }

    /// Notes why the backend is not the one that was preferred.
    pub fn note_unusable(&mut self, error: BackendError) {
        self.unusable = Some(error);
    }

    /// Why a device does not make the pictures: it cannot be used, was lost, or, where the CPU made one of those shown
    /// (`has_fallback`), failed at the last one. `None` where it makes them, and where there is no device.
    pub fn reason(&self, has_fallback: bool) -> Option<&BackendError> {
        self.unusable.as_ref().or(self.last_failure.as_ref().filter(|_| has_fallback))
    }

    /// Draws conclusions from what the preferred backend answered: `None` where the CPU may do the work instead.
    pub fn forgive(&mut self, error: BackendError) -> Option<BackendError> {
        let lost = match &error {
            BackendError::Request(_)
            | BackendError::Name { .. }
            | BackendError::Missing { .. }
            | BackendError::HostMemory(_)
            | BackendError::Unusable { .. }
            | BackendError::Stopped => return Some(error),
            BackendError::Limit { .. } | BackendError::Lacks { .. } | BackendError::Memory { .. } => false,
            BackendError::Device { lost, .. } => *lost,
        };
        if lost {
            self.preferred = Box::new(CpuBackend::new());
            self.preferred.work_by(self.work.clone());
            self.unusable = Some(error.clone());
        }
        self.last_failure = Some(error.clone());
        let notice = format!("{error}; the CPU goes on");
        // A window that is resized asks for another size in each frame: that is the same reason.
        let reason = notice.replace(|c: char| c.is_ascii_digit(), "");
        if !self.said.contains(&reason) {
            log::warn!("{notice}");
            self.said.push(reason);
            self.notices.push(notice);
        }
        None
    }

    /// Asks something of the preferred backend as the writer of textures that it is, and draws conclusions from a failure;
    /// `None` where it is none, or fails.
    pub fn ask_writer<T>(&mut self, ask: impl FnOnce(&mut dyn GlWriter) -> Result<T, BackendError>) -> Option<T> {
        match ask(self.preferred.gl()?) {
            Ok(answer) => Some(answer),
            Err(error) => {
                self.forgive(error);
                None
            }
        }
    }

    /// The backend that made the last picture that was rendered.
    pub fn maker(&self) -> BackendKind {
        if self.is_instead { self.cpu.kind() } else { self.preferred.kind() }
    }

    /// Whether there is something to take.
    pub fn has_notices(&self) -> bool {
        !self.notices.is_empty()
    }

    /// What went wrong since the last call, in words for people.
    pub fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }
}

impl Backend for FallbackBackend {
    fn kind(&self) -> BackendKind {
        self.preferred.kind()
    }

    fn description(&self) -> String {
        self.preferred.description()
    }

    fn render(
        &mut self,
        image: &Image,
        request: &RenderRequest,
        format: PixelFormat,
        out: &mut Raster,
    ) -> Result<(), BackendError> {
        self.is_instead = false;
        match self.preferred.render(image, request, format, out) {
            Ok(()) => {
                self.last_failure = None;
                Ok(())
            }
            Err(error) => match self.forgive(error) {
                Some(error) => Err(error),
                None => {
                    self.is_instead = true;
                    self.cpu.render(image, request, format, out)
                }
            },
        }
    }

    fn is_slow(&self, request: &RenderRequest) -> bool {
        self.preferred.is_slow(request)
    }

    fn work_by(&mut self, work: Work) {
        self.preferred.work_by(work.clone());
        self.cpu.work_by(work.clone());
        self.work = work;
    }

    fn foresee(&mut self, image: &Image) {
        self.preferred.foresee(image);
    }

    fn timer(&mut self) -> Option<&mut dyn RenderTimer> {
        Some(self)
    }

    fn gl(&mut self) -> Option<&mut dyn GlWriter> {
        self.preferred.gl()
    }

    fn benchmark(&mut self) -> Option<&mut dyn Benchmark> {
        self.preferred.benchmark()
    }
}

impl RenderTimer for FallbackBackend {
    fn keep_time(&mut self, on: bool) {
        if let Some(timer) = self.preferred.timer() {
            timer.keep_time(on);
        }
    }

    /// The time of whichever backend rendered last.
    fn worked(&mut self) -> Option<Duration> {
        if self.is_instead { self.cpu.worked() } else { self.preferred.timer()?.worked() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::fake::FakeBackend;
    use crate::backend::render;
    use crate::image::{Channels, Depth, Page, Samples, Size};

    fn picture() -> (Image, RenderRequest) {
        let size = Size::new(3, 2).expect("a size");
        let samples = Samples::U8 { values: vec![9, 8, 7, 6, 5, 4], maxval: 255 };
        let raster = Raster::new(size, Channels::Grey, samples).expect("a raster");
        (Image::new("six", vec![Page::new(raster)]).expect("an image"), RenderRequest::new(size))
    }

    #[test]
    fn memory_is_forgiven_and_a_lost_device_is_given_up() {
        let (image, request) = picture();
        let memory = |mib| BackendError::Memory { what: format!("a texture of {mib} MiB") };
        let lost = BackendError::Device { what: "a kernel trapped".to_owned(), lost: true };
        let mut backend = FallbackBackend::new(Box::new(FakeBackend::failing(vec![lost, memory(7), memory(12)])));
        let mut reasons = Vec::new();
        let (cuda, cpu) = (BackendKind::Cuda, BackendKind::Cpu);
        for (kind, notices) in [(cuda, 1), (cuda, 0), (cpu, 1), (cpu, 0)] {
            let format = PixelFormat::file(Depth::EIGHT);
            let out = render(&mut backend, &image, &request, format).expect("the CPU goes on");
            assert_eq!(&out, image.pages()[0].raster());
            assert_eq!((backend.kind(), backend.take_notices().len()), (kind, notices));
            assert_eq!(backend.maker(), cpu, "the CPU renders whichever backend is preferred");
            reasons.push(backend.reason(true).map(BackendError::short));
            let worked = backend.timer().and_then(|timer| timer.worked());
            assert!(worked.is_some(), "the CPU measures its renders");
        }
        assert_eq!(reasons, ["GPU memory taken", "GPU memory taken", "GPU lost", "GPU lost"].map(Some));
    }

    #[test]
    fn the_reason_of_a_failure_is_gone_with_the_next_picture_that_succeeds() {
        let (image, request) = picture();
        let memory = BackendError::Memory { what: "a texture".to_owned() };
        let mut backend = FallbackBackend::new(Box::new(FakeBackend::failing(vec![memory])));
        assert!(backend.reason(true).is_none());
        let mut reason = || {
            render(&mut backend, &image, &request, PixelFormat::file(Depth::EIGHT)).expect("a picture");
            backend.reason(true).map(BackendError::short)
        };
        assert_eq!([reason(), reason()], [Some("GPU memory taken"), None]);
        backend.forgive(BackendError::Memory { what: "a texture".to_owned() });
        assert!(backend.reason(false).is_none(), "the device made all that is shown");
        let cause = crate::backend::Unusable::DriverFails { what: "no answer".to_owned() };
        backend.note_unusable(BackendError::Unusable { backend: BackendKind::Cuda, cause });
        assert_eq!(backend.reason(false).map(BackendError::short), Some("driver fails"));
    }

    #[test]
    fn a_request_that_nobody_serves_is_still_refused() {
        let (image, mut request) = picture();
        request.sampler.border = f32::NAN;
        let mut backend = FallbackBackend::new(Box::new(CpuBackend::new()));
        assert!(render(&mut backend, &image, &request, PixelFormat::TEXTURE).is_err());
        assert!(backend.take_notices().is_empty());
    }
}
