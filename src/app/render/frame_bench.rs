//! Benchmark of a frame of four panels: rendered into OpenGL textures by the backend, and uploaded from host memory.

use std::sync::Arc;
use std::time::{Duration, Instant};

use eframe::glow;

use super::gl::{Canvas, PanelTexture, TextureFormat};
use super::hidden_window::{HiddenWindowError, in_hidden_window};
use crate::backend::{
    Backend, BackendError, BenchOptions, BenchRow, GlPanel, GlTarget, GlTexture, GlWriter, LeftOut, Measurements,
    PixelFormat, RenderRequest, median, noise_of,
};
use crate::image::{Channels, Depth, Image, Raster, Size};
use crate::sampling::{Method, Sampler};
use crate::view::View;

/// Methods of the panels.
const METHODS: [Method; 4] = [Method::Nearest, Method::Linear, Method::CATMULL_ROM, Method::LANCZOS3];
/// Samples per pixel.
const SCALE: f64 = 0.125;
/// Default number of measured frames.
const REPEATS: usize = 61;
/// Number of frames before the measurement.
const WARM_UP: usize = 3;
/// Maximum wait for a frame.
const PATIENCE: Duration = Duration::from_secs(10);
/// Names of the measurements in the rows.
const HOWS: [&str; 3] = ["map, launch, unmap", "until all is done", "by host memory"];

/// Measures in a hidden window, which is closed before this returns. Without a window the rows are left out, with the reason.
pub fn measure_frame(mut backend: Box<dyn Backend>, options: &BenchOptions) -> Measurements {
    let measured = in_hidden_window(move |creation| {
        let gl = creation.gl.as_ref().ok_or(HiddenWindowError::NoOpenGl)?;
        #[expect(unsafe_code, reason = "eframe makes the context current")]
        // SAFETY: eframe makes the context of a window current before it calls `create`, which ends after this call.
        unsafe {
            measure_frame_with(Arc::clone(gl), &mut *backend, options)
        }
    });
    measured.and_then(|measured| measured).unwrap_or_else(|why| {
        let mut measured = Measurements::default();
        for format in [TextureFormat::Grey, TextureFormat::Rgba] {
            for how in HOWS {
                measured.left_out.push(left_out(format, how, why.to_string()));
            }
        }
        measured
    })
}

/// Measures with the textures of `gl`.
///
/// # Safety
/// `gl` is the library of the context that is current on this thread, and `backend` makes no other one current.
///
/// # Errors
/// Where OpenGL is too old or has no memory, or the backend cannot render at all.
#[expect(unsafe_code, reason = "which context is current is the caller's to know")]
pub unsafe fn measure_frame_with(
    gl: Arc<glow::Context>,
    backend: &mut dyn Backend,
    options: &BenchOptions,
) -> Result<Measurements, HiddenWindowError> {
    let size = Size::new(1920, 1080)?;
    // SAFETY: the canvas lives as long as this call, during which the context stays current.
    let canvas = unsafe { Canvas::new(gl) }?;
    let mut measured = Measurements::default();
    // Each format with a source that the window shows in it.
    for (format, channels) in [(TextureFormat::Grey, Channels::Grey), (TextureFormat::Rgba, Channels::Rgb)] {
        let Some(image) = noise_of(options.image, channels, Depth::EIGHT) else {
            let why = || format!("there is no noise image of {}", options.image);
            measured.left_out.extend(HOWS.map(|how| left_out(format, how, why())));
            continue;
        };
        let textures = METHODS.map(|_| canvas.texture(size, format)).into_iter().collect::<Result<Vec<_>, _>>()?;
        let frames = Frames { canvas: &canvas, textures, image: &image, repeats: options.repeats_or(REPEATS) };
        let mut keep = |how: &str, time: Result<f64, String>| match time {
            Ok(median_us) => measured.rows.push(BenchRow {
                what: "frame".to_owned(),
                how: how.to_owned(),
                pixels: pixels(format),
                scale: SCALE,
                repeats: frames.repeats,
                median_us,
                pixels_a_second: (METHODS.len() * size.area()) as f64 / median_us * 1e6,
                ..BenchRow::default()
            }),
            Err(why) => measured.left_out.push(left_out(format, how, why)),
        };
        let shared = match backend.gl() {
            Some(writer) => frames.shared(writer).map_err(|error| error.to_string()),
            None => Err("this backend writes no textures of OpenGL's".to_owned()),
        };
        keep(HOWS[0], shared.clone().map(|[launched, _]| launched));
        keep(HOWS[1], shared.map(|[_, done]| done));
        keep(HOWS[2], frames.uploaded(backend).map_err(|error| error.to_string()));
    }
    Ok(measured)
}

/// `four of 1920×1080, R8` or, of a colour source, `…, RGBA8`.
fn pixels(format: TextureFormat) -> String {
    format!("four of 1920×1080, {}", if format == TextureFormat::Grey { "R8" } else { "RGBA8" })
}

fn left_out(format: TextureFormat, how: &str, why: String) -> LeftOut {
    LeftOut { what: "frame".to_owned(), how: how.to_owned(), pixels: pixels(format), scale: SCALE, why }
}

/// A raster of the size and channels of `texture`.
fn picture_of(texture: &PanelTexture) -> Raster {
    Raster::zeros(texture.size(), texture.format().channels(), Depth::EIGHT)
}

/// Textures and the frames that are rendered into them.
struct Frames<'a> {
    canvas: &'a Canvas,
    textures: Vec<PanelTexture>,
    image: &'a Image,
    repeats: usize,
}

impl Frames<'_> {
    /// The requests of one frame. The view moves a little from frame to frame.
    fn requests(&self, frame: usize) -> Vec<RenderRequest> {
        let view = View::new([0.31 + 0.01 * frame as f64, -0.27], SCALE).unwrap_or_default();
        let of = |(texture, method): (&PanelTexture, Method)| RenderRequest {
            view,
            sampler: Sampler::default().with_method(method),
            ..RenderRequest::new(texture.size())
        };
        self.textures.iter().zip(METHODS).map(of).collect()
    }

    /// Medians, in microseconds, of a frame that the backend renders into the textures: time of this thread, and time until
    /// the device has finished.
    fn shared(&self, writer: &mut dyn GlWriter) -> Result<[f64; 2], BackendError> {
        let mut targets = Vec::new();
        let registered = self.textures.iter().try_for_each(|texture| {
            let channels = texture.format().channels();
            let texture = GlTexture { name: texture.name(), size: texture.size(), channels };
            #[expect(unsafe_code, reason = "the writer knows the texture by its name")]
            // SAFETY: the textures are of the canvas's context, which stays current on this thread while this measures; they
            // keep their size and format and are borrowed until they are unregistered below. A panic before that deletes none
            // (`PanelTexture`).
            targets.push(unsafe { writer.register(texture) }?);
            Ok(())
        });
        let times = registered.and_then(|()| self.draw(writer, &targets));
        targets.into_iter().for_each(|target| writer.unregister(target));
        times
    }

    fn draw(&self, writer: &mut dyn GlWriter, targets: &[GlTarget]) -> Result<[f64; 2], BackendError> {
        let (mut launched, mut done) = (Vec::new(), Vec::new());
        for frame in 0..WARM_UP + self.repeats {
            let requests = self.requests(frame);
            let of = |(request, &target)| GlPanel { target, image: self.image, request };
            let panels: Vec<GlPanel<'_>> = requests.iter().zip(targets).map(of).collect();
            self.canvas.finish();
            let start = Instant::now();
            writer.draw(&panels).into_iter().collect::<Result<(), _>>()?;
            let on_this_thread = start.elapsed();
            while !writer.is_done()? && start.elapsed() < PATIENCE {}
            self.canvas.finish();
            if frame >= WARM_UP {
                launched.push(on_this_thread.as_secs_f64() * 1e6);
                done.push(start.elapsed().as_secs_f64() * 1e6);
            }
        }
        Ok([median(launched), median(done)])
    }

    /// Median, in microseconds, of a frame that is rendered into host memory and uploaded.
    fn uploaded(&self, backend: &mut dyn Backend) -> Result<f64, BackendError> {
        let mut times = Vec::new();
        let mut pictures: Vec<Raster> = self.textures.iter().map(picture_of).collect();
        for frame in 0..WARM_UP + self.repeats {
            let requests = self.requests(frame);
            self.canvas.finish();
            let start = Instant::now();
            for ((request, texture), picture) in requests.iter().zip(&self.textures).zip(&mut pictures) {
                backend.render(self.image, request, PixelFormat::TEXTURE, picture)?;
                texture.write(picture);
            }
            self.canvas.finish();
            if frame >= WARM_UP {
                times.push(start.elapsed().as_secs_f64() * 1e6);
            }
        }
        Ok(median(times))
    }
}
