//! CUDA rendering into OpenGL textures, on a context without a window. Without a GPU or EGL the tests report that they
//! are skipped; with
//! `LERPSCOPE_REQUIRE_CUDA=1` they fail.

mod skip;

use std::sync::Arc;

use glow::HasContext as _;
use glutin::api::egl::context::PossiblyCurrentContext;
use glutin::api::egl::device::Device;
use glutin::api::egl::display::Display;
use glutin::config::{ConfigSurfaceTypes, ConfigTemplateBuilder};
use glutin::context::ContextAttributesBuilder;
use glutin::display::GlDisplay as _;
use lerpscope::app::measure_frame_with;
use lerpscope::backend::cuda::testing;
use lerpscope::backend::{
    Backend, BackendError, BenchOptions, ColourMap, CudaBackend, GlPanel, GlTarget, GlTexture, GlWriter, PixelFormat,
    RenderRequest, RenderTimer as _, render,
};
use lerpscope::image::{Channels, Image, Page, Raster, Samples, Size};
use lerpscope::sampling::{METHODS, Sampler};
use lerpscope::view::View;

use self::skip::skip;

/// OpenGL context, current on this thread for its lifetime.
struct Context {
    gl: glow::Context,
    _current: PossiblyCurrentContext,
}

#[expect(clippy::print_stderr, reason = "what was measured is part of the result")]
fn report(line: &str) {
    eprintln!("{line}");
}

/// Contexts of all devices known to EGL.
fn contexts() -> Vec<Context> {
    let Ok(devices) = Device::query_devices() else { return Vec::new() };
    devices.filter_map(|device| context_of(&device)).collect()
}

#[expect(unsafe_code, reason = "EGL and OpenGL calls")]
fn context_of(device: &Device) -> Option<Context> {
    // SAFETY: the display outlives what is made from it, the context is made current on the thread that uses it, and
    // OpenGL's functions are loaded from the same display.
    unsafe {
        let display = Display::with_device(device, None).ok()?;
        let template = ConfigTemplateBuilder::new().with_surface_type(ConfigSurfaceTypes::empty()).build();
        let config = display.find_configs(template).ok()?.next()?;
        let context = display.create_context(&config, &ContextAttributesBuilder::new().build(None)).ok()?;
        let current = context.make_current_surfaceless().ok()?;
        let gl = glow::Context::from_loader_function_cstr(|name| display.get_proc_address(name));
        Some(Context { gl, _current: current })
    }
}

/// A CUDA backend and a context of the same device, or the reason for their absence.
fn both() -> Result<(CudaBackend, Context), String> {
    let mut backend = CudaBackend::open().map_err(|error| error.to_string())?;
    let size = Size::new(16, 16).expect("a size");
    let mut why = "EGL has no device".to_owned();
    for context in contexts() {
        let name = texture(&context.gl, size, Channels::Rgba);
        let writer = backend.gl().expect("a device that works");
        match register(writer, GlTexture { name, size, channels: Channels::Rgba }) {
            Ok(target) => {
                writer.unregister(target);
                return Ok((backend, context));
            }
            Err(error) => why = error.to_string(),
        }
    }
    Err(why)
}

fn both_or_skip() -> Option<(CudaBackend, Context)> {
    match both() {
        Ok(both) => Some(both),
        Err(why) => {
            skip(Some("LERPSCOPE_REQUIRE_CUDA"), &why);
            None
        }
    }
}

fn formats(channels: Channels) -> (u32, u32) {
    if channels == Channels::Grey { (glow::R8, glow::RED) } else { (glow::RGBA8, glow::RGBA) }
}

#[expect(unsafe_code, reason = "OpenGL calls")]
fn texture(gl: &glow::Context, size: Size, channels: Channels) -> u32 {
    let (internal, layout) = formats(channels);
    // SAFETY: the context is current, and no memory of ours is read.
    unsafe {
        let texture = gl.create_texture().expect("a texture");
        gl.bind_texture(glow::TEXTURE_2D, Some(texture));
        gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_MAX_LEVEL, 0);
        let (width, height) = (size.width() as i32, size.height() as i32);
        let nothing = glow::PixelUnpackData::Slice(None);
        gl.tex_image_2d(glow::TEXTURE_2D, 0, internal as i32, width, height, 0, layout, glow::UNSIGNED_BYTE, nothing);
        texture.0.get()
    }
}

#[expect(unsafe_code, reason = "OpenGL calls")]
fn read_back(gl: &glow::Context, name: u32, size: Size, channels: Channels) -> Vec<u8> {
    let (_, layout) = formats(channels);
    let mut bytes = vec![0; size.area() * if channels == Channels::Grey { 1 } else { 4 }];
    // SAFETY: the context is current, the name is a texture of this size, and rows are read without padding.
    unsafe {
        let texture = glow::NativeTexture(std::num::NonZeroU32::new(name).expect("a name"));
        gl.bind_texture(glow::TEXTURE_2D, Some(texture));
        gl.pixel_store_i32(glow::PACK_ALIGNMENT, 1);
        let into = glow::PixelPackData::Slice(Some(&mut bytes));
        gl.get_tex_image(glow::TEXTURE_2D, 0, layout, glow::UNSIGNED_BYTE, into);
    }
    bytes
}

/// Registers a texture of [`texture`], or an unused name.
#[expect(unsafe_code, reason = "the writer knows the texture by its name")]
fn register(writer: &mut dyn GlWriter, texture: GlTexture) -> Result<GlTarget, BackendError> {
    // SAFETY: the textures of these tests have the size and format that they are registered with, are never deleted,
    // and their context stays current on the test's thread for as long as the writer's calls.
    unsafe { writer.register(texture) }
}

/// Renders a frame of several panels; returns the first error.
fn drawn(panels: Vec<Result<(), BackendError>>) -> Result<(), BackendError> {
    panels.into_iter().collect()
}

fn noise(size: Size, channels: Channels) -> Image {
    let mut random = fastrand::Rng::with_seed(9);
    let values = (0..size.area() * channels.count()).map(|_| random.u8(..)).collect();
    let raster = Raster::new(size, channels, Samples::U8 { values, maxval: 255 }).expect("a raster");
    Image::new("noise", vec![Page::new(raster)]).expect("an image")
}

/// Textures equal `render` byte for byte: every method, grey and colour, with and without a display mapping, panels of
/// odd sizes in one frame.
#[test]
fn gl_textures_hold_the_bytes_of_render() {
    let Some((mut backend, context)) = both_or_skip() else { return };
    let size = Size::new(333, 217).expect("a size");
    for channels in [Channels::Grey, Channels::Rgb, Channels::Rgba] {
        let image = noise(Size::new(67, 41).expect("a size"), channels);
        let mut requests = Vec::new();
        for row in &METHODS {
            for scale in [0.21, 1.0, 2.3] {
                let sampler = Sampler::default().with_method(row.method);
                let view = View::new([0.4, -0.9], scale).expect("a view");
                requests.push(RenderRequest { view, sampler, ..RenderRequest::new(size) });
            }
        }
        let mut mapped = requests[3].clone();
        mapped.display.colour_map = ColourMap::Turbo;
        mapped.display.exposure = 0.3;
        requests.push(mapped);
        let registered: Vec<_> = requests
            .iter()
            .map(|request| {
                let natural = request.channels(channels);
                let channels = if natural == Channels::Grey { Channels::Grey } else { Channels::Rgba };
                let name = texture(&context.gl, size, channels);
                let writer = backend.gl().expect("a device that works");
                let target = register(writer, GlTexture { name, size, channels }).expect("a texture of ours");
                (name, channels, target)
            })
            .collect();
        let panels: Vec<GlPanel<'_>> = requests
            .iter()
            .zip(&registered)
            .map(|(request, &(_, _, target))| GlPanel { target, image: &image, request })
            .collect();
        // Nothing is timed unless timing is enabled.
        backend.set_timing(false);
        drawn(backend.gl().expect("a device that works").draw(&panels)).expect("a frame");
        assert!(!backend.gl().expect("a device that works").is_timing());
        render(&mut backend, &image, &requests[0], PixelFormat::TEXTURE).expect("served");
        assert_eq!(backend.last_kernel_time(), None);
        backend.set_timing(true);
        drawn(backend.gl().expect("a device that works").draw(&panels)).expect("a frame");
        testing::wait(&mut backend).expect("a device that works");
        let writer = backend.gl().expect("a device that works");
        let timed: Vec<_> =
            writer.times().expect("a device that works").into_iter().map(|(target, _)| target).collect();
        assert_eq!(timed, panels.iter().map(|panel| panel.target).collect::<Vec<_>>(), "a time for each panel");
        assert!(!writer.is_timing() && writer.times().is_ok_and(|times| times.is_empty()), "each once");
        assert!(writer.is_done().is_ok_and(|is_done| is_done), "what was waited for is done");
        for (request, &(name, channels, target)) in requests.iter().zip(&registered) {
            let shown = read_back(&context.gl, name, size, channels);
            let made = render(&mut backend, &image, request, PixelFormat::TEXTURE).expect("served");
            assert!(backend.last_kernel_time().is_some(), "the device says how long it worked");
            let Samples::U8 { values, .. } = made.samples() else { panic!("8 bits") };
            assert!(*values == shown, "{channels:?} {}", request.sampler.method);
            backend.gl().expect("a device that works").unregister(target);
        }
    }
}

/// Refused textures do not affect the backend.
#[test]
fn gl_textures_of_another_size_are_refused() {
    let Some((mut backend, context)) = both_or_skip() else { return };
    let size = Size::new(64, 32).expect("a size");
    let image = noise(size, Channels::Rgb);
    let name = texture(&context.gl, size, Channels::Grey);
    let writer = backend.gl().expect("a device that works");
    let nothing = register(writer, GlTexture { name: 987_654, size, channels: Channels::Grey });
    assert!(nothing.is_err_and(|error| !error.is_lost()));
    let target = register(writer, GlTexture { name, size, channels: Channels::Grey }).expect("a texture of ours");
    let request = RenderRequest::new(size);
    let grey = noise(size, Channels::Grey);
    let other = RenderRequest::new(Size::new(64, 33).expect("a size"));
    let second = texture(&context.gl, size, Channels::Grey);
    let writer = backend.gl().expect("a device that works");
    let target_of_second =
        register(writer, GlTexture { name: second, size, channels: Channels::Grey }).expect("a texture of ours");
    let whole = request.clone();
    let panel = |target, image, request| GlPanel { target, image, request };
    let refused = |result: &Result<(), BackendError>| matches!(result, Err(BackendError::Limit { .. }));
    // One texture is written by one panel of a frame.
    let twice = writer.draw(&[panel(target, &grey, &request), panel(target, &grey, &request)]);
    assert!(twice.iter().all(|panel| panel.as_ref().is_err_and(|error| !error.is_lost())), "{twice:?}");
    // A refused panel, colour in grey or another size, does not affect the others.
    for (image, request) in [(&image, &request), (&grey, &other)] {
        let results = writer.draw(&[panel(target, image, request), panel(target_of_second, &grey, &whole)]);
        assert!(refused(&results[0]) && results[1].is_ok(), "{results:?}");
    }
    drawn(writer.draw(&[panel(target, &grey, &request)])).expect("a frame");
    testing::wait(&mut backend).expect("a device that works");
    assert_eq!(
        read_back(&context.gl, second, size, Channels::Grey),
        read_back(&context.gl, name, size, Channels::Grey)
    );
}

/// Four panels of 1920 × 1080, R8 and RGBA8, as measured by `bench`: CPU time of a frame by interop, time to
/// completion, and time through pinned memory. Reported without bounds, since machines differ.
#[test]
fn frames_are_measured() {
    let Some((mut backend, Context { gl, _current })) = both_or_skip() else { return };
    #[expect(unsafe_code, reason = "the test makes the context current")]
    // SAFETY: the context is current on this thread for as long as `_current` lives, and CUDA makes none current.
    let measured = unsafe { measure_frame_with(Arc::new(gl), &mut backend, &BenchOptions::default()) };
    let measured = measured.expect("a frame");
    for row in &measured.rows {
        report(&format!("{}, {}: {:.0} µs, median of {}", row.pixels, row.how, row.median_us, row.repeats));
    }
    assert!(measured.rows.len() == 6 && measured.left_out.is_empty(), "{measured:#?}");
}

/// A resized window releases textures in the frame in which others are drawn, and textures of that frame.
#[test]
fn gl_textures_are_released_between_frames_and_right_after_their_own() {
    let Some((mut backend, context)) = both_or_skip() else { return };
    let image = noise(Size::new(64, 64).expect("a size"), Channels::Grey);
    let mut before = None;
    for step in 0..40 {
        let size = Size::new(300 + step, 200 + 2 * step).expect("a size");
        let request = RenderRequest::new(size);
        let name = texture(&context.gl, size, Channels::Grey);
        let writer = backend.gl().expect("a device that works");
        let target = register(writer, GlTexture { name, size, channels: Channels::Grey }).expect("a texture of ours");
        drawn(writer.draw(&[GlPanel { target, image: &image, request: &request }])).expect("a frame");
        if let Some(gone) = before.replace(target) {
            writer.unregister(gone);
        }
        if step % 3 == 0
            && let Some(gone) = before.take()
        {
            writer.unregister(gone);
            let made = render(&mut backend, &image, &request, PixelFormat::TEXTURE).expect("served");
            let Samples::U8 { values, .. } = made.samples() else { panic!("8 bits") };
            assert!(*values == read_back(&context.gl, name, size, Channels::Grey), "step {step}");
        }
    }
    testing::wait(&mut backend).expect("a device that works");
}
