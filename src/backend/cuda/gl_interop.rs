//! Textures of OpenGL's as surfaces of CUDA's: registered once, mapped for a frame, written by kernels, unmapped.

use cudarc::driver::{DriverError, sys};

use super::clock::Clock;
use super::device::{Device, Fault, because};
use super::renderer::{Canvas, Renderer};
use super::texture::Surface;
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
pub(super) type Drawn = Vec<Result<(), BackendError>>;

/// The textures that are registered.
#[derive(Debug, Default)]
pub(super) struct Interop {
    registered: Vec<Registered>,
    next: u64,
    /// Of the frame at hand; its memory is kept from frame to frame.
    resources: Vec<sys::CUgraphicsResource>,
    /// How long the device works on each panel.
    pub(super) clock: Clock<GlTarget>,
}

#[expect(unsafe_code, reason = "handles may be used from any thread whose context is current")]
// SAFETY: the driver's calls take handles from any thread; the trait asks for the OpenGL context on the calling one.
unsafe impl Send for Interop {}

#[derive(Debug)]
struct Registered {
    target: GlTarget,
    texture: GlTexture,
    resource: sys::CUgraphicsResource,
    /// The surface over the array that the texture was last mapped to; the driver hands out the same array each time.
    surface: Option<(sys::CUarray, Surface)>,
}

impl Interop {
    /// Registers `texture` with the device.
    ///
    /// # Errors
    /// Where the driver refuses it. Drivers answer for OpenGL of another make with an error that elsewhere means the end, so
    /// the device counts as lost only where it fails when it is asked after that.
    pub(super) fn register(&mut self, device: &Device, texture: GlTexture) -> Result<GlTarget, BackendError> {
        if !matches!(texture.channels, Channels::Grey | Channels::Rgba) {
            return Err(BackendError::Limit { what: format!("a texture of {:?}", texture.channels) });
        }
        let refused = |error| {
            let fault = because(format_args!("OpenGL's texture of {} is not shared with CUDA", texture.size))(error);
            match BackendError::from(fault) {
                BackendError::Device { what, lost: true } => match device.finish() {
                    Err(fault) if fault.is_fatal() => fault.into(),
                    _ => BackendError::Device { what, lost: false },
                },
                error => error,
            }
        };
        let resource = register_image(texture.name).map_err(refused)?;
        self.next += 1;
        let target = GlTarget(self.next);
        self.registered.push(Registered { target, texture, resource, surface: None });
        Ok(target)
    }

    /// Forgets a texture.
    pub(super) fn unregister(&mut self, device: &Device, target: GlTarget) -> Result<(), Fault> {
        let Some(place) = self.registered.iter().position(|kept| kept.target == target) else { return Ok(()) };
        let registered = self.registered.swap_remove(place);
        drop(registered.surface);
        device.context.bind_to_thread().map_err(because("the context is lost"))?;
        #[expect(unsafe_code, reason = "cudarc has no safe graphics resources")]
        // SAFETY: the resource was registered, is not mapped between frames, and is forgotten here.
        let done = unsafe { sys::cuGraphicsUnregisterResource(registered.resource) }.result();
        done.map_err(because("a texture is not released"))
    }

    /// Maps the panels' textures, draws, unmaps; what became of each panel.
    ///
    /// # Errors
    /// Where none of them can be drawn.
    pub(super) fn draw(&mut self, renderer: &mut Renderer, panels: &[GlPanel<'_>]) -> Result<Drawn, BackendError> {
        if panels.is_empty() {
            return Ok(Vec::new());
        }
        let mut resources = std::mem::take(&mut self.resources);
        resources.clear();
        for panel in panels {
            resources.push(self.find(panel.target)?.resource);
        }
        let stream = renderer.device.stream.cu_stream();
        let count = resources.len() as u32;
        #[expect(unsafe_code, reason = "cudarc has no safe graphics resources")]
        // SAFETY: `count` registered resources, none of them mapped; the context that they belong to is current, as the
        // trait asks.
        let mapped = unsafe { sys::cuGraphicsMapResources(count, resources.as_mut_ptr(), stream) }.result();
        let drawn = match mapped {
            Ok(()) => {
                let drawn = panels.iter().map(|panel| self.draw_panel(renderer, panel)).collect();
                #[expect(unsafe_code, reason = "cudarc has no safe graphics resources")]
                // SAFETY: the resources that were just mapped.
                let unmapped = unsafe { sys::cuGraphicsUnmapResources(count, resources.as_mut_ptr(), stream) }.result();
                let unmapped = unmapped.map_err(because("textures do not go back to OpenGL"));
                judge(drawn, unmapped.map_err(BackendError::from))
            }
            Err(error) => Err(because("OpenGL's textures are not to be had")(error).into()),
        };
        self.resources = resources;
        drawn
    }

    fn draw_panel(&mut self, renderer: &mut Renderer, panel: &GlPanel<'_>) -> Result<(), BackendError> {
        let registered = self.find(panel.target)?;
        if panel.request.size != registered.texture.size {
            let what = format!("a picture of {} in a texture of {}", panel.request.size, registered.texture.size);
            return Err(BackendError::Limit { what });
        }
        let surface = registered.mapped_surface().map_err(because("a texture is no surface"))?;
        let canvas = Canvas { surface, rgba: registered.texture.channels == Channels::Rgba };
        let span = self.clock.begin(&renderer.device)?;
        renderer.draw(panel.image, panel.request, canvas)?;
        Ok(self.clock.end(&renderer.device, panel.target, span)?)
    }

    fn find(&mut self, target: GlTarget) -> Result<&mut Registered, BackendError> {
        let found = self.registered.iter_mut().find(|kept| kept.target == target);
        found.ok_or_else(|| BackendError::Device { what: "a texture is not registered".to_owned(), lost: false })
    }
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
    /// The surface of a texture that is mapped.
    fn mapped_surface(&mut self) -> Result<sys::CUsurfObject, DriverError> {
        let mut array = std::ptr::null_mut();
        #[expect(unsafe_code, reason = "cudarc has no safe graphics resources")]
        // SAFETY: the resource is mapped, and `array` outlives the call.
        unsafe { sys::cuGraphicsSubResourceGetMappedArray(&raw mut array, self.resource, 0, 0) }.result()?;
        if let Some((kept, surface)) = &self.surface
            && *kept == array
        {
            return Ok(surface.handle());
        }
        let surface = Surface::new(array)?;
        let handle = surface.handle();
        self.surface = Some((array, surface));
        Ok(handle)
    }
}

/// Registers the texture called `name` in the current OpenGL context.
fn register_image(name: u32) -> Result<sys::CUgraphicsResource, DriverError> {
    let missing = DriverError(sys::CUresult::CUDA_ERROR_NOT_SUPPORTED);
    #[expect(unsafe_code, reason = "cudarc lacks the one call that takes a texture of OpenGL's")]
    // SAFETY: the driver's library is open for as long as the process lives, the symbol has this signature in cudaGL.h,
    // and `resource` outlives the call. A name that is no texture of the current context is refused with an error.
    unsafe {
        let register = sys::culib().get::<RegisterImage>(b"cuGraphicsGLRegisterImage\0").map_err(|_| missing)?;
        let mut resource = std::ptr::null_mut();
        register(&raw mut resource, name, TEXTURE_2D, WRITE_DISCARD | SURFACE_WRITES).result()?;
        Ok(resource)
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
