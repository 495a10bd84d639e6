//! Textures of OpenGL's as surfaces of CUDA's: registered once, mapped for a frame, written by kernels, unmapped.

use cudarc::driver::{CudaEvent, DriverError as DriverCode, sys};

use super::driver::device::Device;
use super::driver::error::{Context as _, DriverError};
use super::driver::events::Clock;
use super::driver::mapping::{Graphics, MappedArray, while_mapped};
use super::driver::surface::{Canvas, RawSurface};
use super::render::Renderer;
use crate::backend::{BackendError, GlPanel, GlTarget, GlTexture};
use crate::image::Channels;

/// `GL_TEXTURE_2D`.
const TEXTURE_2D: u32 = 0x0DE1;
/// A registration flag (cuda.h: `CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD`): what a texture held is not read.
const WRITE_DISCARD: u32 = 0x02;
/// A registration flag (cuda.h: `CU_GRAPHICS_REGISTER_FLAGS_SURFACE_LDST`): kernels write through surfaces.
const SURFACE_WRITES: u32 = 0x04;

/// `cuGraphicsGLRegisterImage`, the one call that cudarc lacks.
type RegisterImage = unsafe extern "C" fn(*mut sys::CUgraphicsResource, u32, u32, u32) -> sys::CUresult;

/// What became of each panel of a frame.
pub(crate) type Drawn = Vec<Result<(), BackendError>>;

/// The textures that are registered. Where it is dropped with some of them, their registrations end with the device's context:
/// nobody knows then whether OpenGL's is current.
#[derive(Debug, Default)]
pub(crate) struct Interop {
    registered: Vec<Registered>,
    next: u64,
    /// Of the frame at hand; its memory is kept from frame to frame.
    resources: Vec<Resource>,
    frames: Frames,
    /// How long the device works on each panel.
    pub(crate) clock: Clock<GlTarget>,
}

/// A texture as the driver knows it.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
struct Resource(sys::CUgraphicsResource);

#[expect(unsafe_code, reason = "the handle is a raw pointer, which is not Send by itself")]
// SAFETY: the driver's functions take a resource from any thread on which the device's context is current, which
// `CudaBackend::run` makes it; that OpenGL's context is current on that thread is a promise of `GlWriter::register`'s caller.
unsafe impl Send for Resource {}

#[derive(Debug)]
struct Registered {
    target: GlTarget,
    texture: GlTexture,
    resource: Resource,
    /// The surface over the array that the texture was last mapped to; the driver hands out the same array each time.
    surface: Option<KeptSurface>,
    /// The last frame that it was drawn in.
    last_frame: Option<u64>,
}

/// A surface and the array that it is over, which is there while the texture is mapped. The address is only compared.
#[derive(Debug)]
struct KeptSurface {
    array: usize,
    raw: RawSurface,
}

/// The frames drawn so far, with an event behind each of the last two: who lets go of a texture waits for the frames that it
/// was in, and not for the one that was just begun.
#[derive(Debug, Default)]
struct Frames {
    count: u64,
    ends: [Option<CudaEvent>; 2],
}

impl Frames {
    /// The number of the frame that is being drawn.
    fn current(&self) -> u64 {
        self.count + 1
    }

    /// Notes that all of a frame has been asked for.
    fn end(&mut self, device: &Device) -> Result<(), DriverError> {
        self.count += 1;
        let place = &mut self.ends[(self.count % 2) as usize];
        let event = match place.take() {
            Some(event) => event,
            None => device.context.new_event(None).context("no event")?,
        };
        event.record(&device.stream).context("an event fails")?;
        *place = Some(event);
        Ok(())
    }

    /// Waits until `frame` is done, where there is one: as a rule it is.
    fn wait(&self, device: &Device, frame: Option<u64>) -> Result<(), DriverError> {
        let Some(frame) = frame else { return Ok(()) };
        let before = self.count.saturating_sub(1);
        match &self.ends[(before % 2) as usize] {
            Some(event) if frame <= before => event.synchronize().context("the device fails"),
            _ => device.finish(),
        }
    }
}

impl Interop {
    /// Registers `texture` with the device.
    ///
    /// # Errors
    /// Where the driver refuses it. Drivers answer for OpenGL of another make with an error that elsewhere means the end, so
    /// the device counts as lost only where it fails when it is asked after that.
    ///
    /// # Safety
    /// As of [`GlWriter::register`](crate::backend::GlWriter::register).
    #[expect(unsafe_code, reason = "the texture is a name, whose life is the caller's")]
    pub(crate) unsafe fn register(&mut self, device: &Device, texture: GlTexture) -> Result<GlTarget, BackendError> {
        if !matches!(texture.channels, Channels::Grey | Channels::Rgba) {
            return Err(BackendError::Limit { what: format!("a texture of {:?}", texture.channels) });
        }
        let refused = |error| {
            let error =
                DriverError::new(format_args!("OpenGL's texture of {} is not shared with CUDA", texture.size), error);
            match BackendError::from(error) {
                BackendError::Device { what, lost: true } => match device.finish() {
                    Err(error) if error.is_fatal() => error.into(),
                    _ => BackendError::Device { what, lost: false },
                },
                error => error,
            }
        };
        // SAFETY: the caller's promise.
        let resource = unsafe { register_image(texture.name) }.map_err(refused)?;
        self.next += 1;
        let target = GlTarget(self.next);
        self.registered.push(Registered { target, texture, resource, surface: None, last_frame: None });
        Ok(target)
    }

    /// Forgets a texture, once the frames that it was in are done.
    pub(crate) fn unregister(&mut self, device: &Device, target: GlTarget) -> Result<(), DriverError> {
        let Some(place) = self.registered.iter().position(|kept| kept.target == target) else { return Ok(()) };
        self.frames.wait(device, self.registered[place].last_frame)?;
        device.context.bind_to_thread().context("the context is lost")?;
        let registered = self.registered.swap_remove(place);
        drop(registered.surface);
        #[expect(unsafe_code, reason = "cudarc has no safe graphics resources")]
        // SAFETY: the resource was registered and is forgotten here, so that this is done once. It is not mapped:
        // `while_mapped` unmaps what it maps before it returns, also where it panics. Nothing works on it any more.
        let done = unsafe { sys::cuGraphicsUnregisterResource(registered.resource.0) }.result();
        done.context("a texture is not released")
    }

    /// Maps the panels' textures, draws, unmaps; what became of each panel.
    ///
    /// # Errors
    /// Where none of them can be drawn.
    pub(crate) fn draw(&mut self, renderer: &mut Renderer, panels: &[GlPanel<'_>]) -> Result<Drawn, BackendError> {
        if panels.is_empty() {
            return Ok(Vec::new());
        }
        let mut resources = std::mem::take(&mut self.resources);
        resources.clear();
        for (index, panel) in panels.iter().enumerate() {
            if panels[..index].iter().any(|other| other.target == panel.target) {
                let what = "a texture has two pictures in one frame".to_owned();
                return Err(BackendError::Device { what, lost: false });
            }
            resources.push(self.find(panel.target)?.resource);
        }
        let graphics = InStream { stream: renderer.launcher.device.stream.cu_stream() };
        let drawn = while_mapped(&graphics, &mut resources, |mapped| {
            let draw = |(index, panel)| {
                let array = mapped.array(index).unwrap_or(Err(DriverCode(sys::CUresult::CUDA_ERROR_NOT_MAPPED)));
                self.draw_panel(renderer, panel, array)
            };
            panels.iter().enumerate().map(draw).collect()
        });
        self.resources = resources;
        let last_kernel_time = drawn.context("OpenGL's textures are not to be had")?;
        let (drawn, unmapped) = (last_kernel_time.result, last_kernel_time.unmapped);
        let unmapped = unmapped.context("textures do not go back to OpenGL");
        let ended = self.frames.end(&renderer.launcher.device);
        judge(drawn, unmapped.and(ended).map_err(BackendError::from))
    }

    /// Draws one panel to `array`, which its texture is mapped to.
    fn draw_panel(
        &mut self,
        renderer: &mut Renderer,
        panel: &GlPanel<'_>,
        array: Result<MappedArray<'_, sys::CUarray>, DriverCode>,
    ) -> Result<(), BackendError> {
        let frame = self.frames.current();
        let found = self.registered.iter_mut().find(|kept| kept.target == panel.target);
        let registered = found.ok_or_else(unregistered)?;
        if panel.request.size != registered.texture.size {
            let what = format!("a picture of {} in a texture of {}", panel.request.size, registered.texture.size);
            return Err(BackendError::Limit { what });
        }
        let array = array.context("a texture has no array")?;
        registered.last_frame = Some(frame);
        let canvas = registered.canvas(&renderer.launcher.device, &array)?;
        let span = self.clock.begin(&renderer.launcher.device)?;
        renderer.draw(panel.image, panel.request, canvas)?;
        Ok(self.clock.end(&renderer.launcher.device, panel.target, span)?)
    }

    fn find(&mut self, target: GlTarget) -> Result<&mut Registered, BackendError> {
        let found = self.registered.iter_mut().find(|kept| kept.target == target);
        found.ok_or_else(unregistered)
    }
}

fn unregistered() -> BackendError {
    BackendError::Device { what: "a texture is not registered".to_owned(), lost: false }
}

/// What became of panels that were drawn, after their textures were given back. An error of a panel's own is nearer to the
/// cause than one that giving back met later, which may only repeat it.
///
/// # Errors
/// Where the device is lost with one of them.
fn judge(mut drawn: Drawn, unmapped: Result<(), BackendError>) -> Result<Drawn, BackendError> {
    if let Some(place) = drawn.iter().position(|panel| panel.as_ref().is_err_and(BackendError::is_lost)) {
        drawn.swap_remove(place)?;
    }
    if let Err(error) = unmapped {
        if error.is_lost() {
            return Err(error);
        }
        drawn.iter_mut().filter(|panel| panel.is_ok()).for_each(|panel| *panel = Err(error.clone()));
    }
    Ok(drawn)
}

impl Registered {
    /// The texture as a surface, for as long as it is mapped to `array`.
    fn canvas<'m>(
        &'m mut self,
        device: &Device,
        array: &MappedArray<'m, sys::CUarray>,
    ) -> Result<Canvas<'m>, DriverError> {
        let address = array.handle() as usize;
        let kept = match self.surface.take() {
            Some(kept) if kept.array == address => kept,
            other => {
                if other.is_some() {
                    // Another array than in the frames before, which wrote through the surface that goes now.
                    device.finish()?;
                }
                drop(other);
                #[expect(unsafe_code, reason = "a surface is made over a handle")]
                // SAFETY: the device's context is current and the array is the mapped texture's, registered for surface
                // writes. The surface is lent as a `Canvas` for the life of the mapping only, and it is dropped after a wait
                // for the frames that it was in, here and in `unregister`, or with the stream's work done.
                let raw = unsafe { RawSurface::new(array.handle()) }.context("a texture is no surface")?;
                KeptSurface { array: address, raw }
            }
        };
        let is_rgba = self.texture.channels == Channels::Rgba;
        Ok(Canvas::new(&self.surface.insert(kept).raw, self.texture.size, is_rgba))
    }
}

/// The driver's calls in a stream, whose context is current.
struct InStream {
    stream: sys::CUstream,
}

impl Graphics for InStream {
    type Resource = Resource;
    type Array = sys::CUarray;
    type Error = DriverCode;

    fn map(&self, resources: &mut [Resource]) -> Result<(), DriverCode> {
        #[expect(unsafe_code, reason = "cudarc has no safe graphics resources")]
        // SAFETY: a `Resource` is its handle and nothing else; there are as many as the slice is long, each once, registered
        // and not mapped. OpenGL's context is current, as `GlWriter::register` has its caller promise.
        unsafe {
            sys::cuGraphicsMapResources(resources.len() as u32, resources.as_mut_ptr().cast(), self.stream).result()
        }
    }

    fn unmap(&self, resources: &mut [Resource]) -> Result<(), DriverCode> {
        #[expect(unsafe_code, reason = "cudarc has no safe graphics resources")]
        // SAFETY: as in `map`; `while_mapped` calls this once, for the resources that it mapped. The driver has OpenGL wait
        // for what this stream was asked for before.
        unsafe {
            sys::cuGraphicsUnmapResources(resources.len() as u32, resources.as_mut_ptr().cast(), self.stream).result()
        }
    }

    fn array(&self, resource: &Resource) -> Result<sys::CUarray, DriverCode> {
        let mut array = std::ptr::null_mut();
        #[expect(unsafe_code, reason = "cudarc has no safe graphics resources")]
        // SAFETY: `while_mapped` asks for arrays of resources that are mapped; a two-dimensional texture of one level has
        // element 0 of level 0. `array` is a local that outlives the call.
        unsafe { sys::cuGraphicsSubResourceGetMappedArray(&raw mut array, resource.0, 0, 0) }.result()?;
        Ok(array)
    }
}

/// Registers the texture called `name` in the current OpenGL context.
///
/// # Safety
/// As of [`GlWriter::register`](crate::backend::GlWriter::register).
#[expect(unsafe_code, reason = "cudarc lacks the one call that takes a texture of OpenGL's")]
unsafe fn register_image(name: u32) -> Result<Resource, DriverCode> {
    let missing = DriverCode(sys::CUresult::CUDA_ERROR_NOT_SUPPORTED);
    // SAFETY: the driver's library stays open for as long as the process lives, and the symbol has this signature in
    // cudaGL.h. `resource` is a local that outlives the call; the name is the caller's promise.
    unsafe {
        let register = sys::culib().get::<RegisterImage>(b"cuGraphicsGLRegisterImage\0").map_err(|_| missing)?;
        let mut resource = std::ptr::null_mut();
        register(&raw mut resource, name, TEXTURE_2D, WRITE_DISCARD | SURFACE_WRITES).result()?;
        Ok(Resource(resource))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(what: &str, lost: bool) -> Result<(), BackendError> {
        Err(BackendError::Device { what: what.to_owned(), lost })
    }

    fn told(drawn: Result<Drawn, BackendError>) -> String {
        let word = |result: Result<(), BackendError>| match result {
            Ok(()) => "drawn".to_owned(),
            Err(BackendError::Device { what, .. }) => what,
            Err(error) => error.to_string(),
        };
        match drawn {
            Ok(drawn) => drawn.into_iter().map(word).collect::<Vec<_>>().join(", "),
            Err(error) => format!("all: {}", word(Err(error))),
        }
    }

    #[test]
    fn each_panel_has_the_error_that_is_nearest_to_its_cause() {
        let one_fails = || vec![Ok(()), failed("refused", false), Ok(())];
        assert_eq!(told(judge(one_fails(), Ok(()))), "drawn, refused, drawn");
        assert_eq!(told(judge(one_fails(), failed("kept", false))), "kept, refused, kept");
        assert_eq!(told(judge(one_fails(), failed("kept", true))), "all: kept");
        let one_traps = vec![Ok(()), failed("trapped", true), failed("refused", true)];
        assert_eq!(told(judge(one_traps, failed("kept", true))), "all: trapped");
    }
}
