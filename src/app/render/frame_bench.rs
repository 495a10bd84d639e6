//! How long a frame of four panels takes to reach OpenGL's textures: written by the backend, and by the host's memory.

use std::sync::Arc;
use std::time::{Duration, Instant};

use eframe::glow;

use super::gl::{Canvas, PanelTexture, TextureFormat};
use super::hidden_window::in_hidden_window;
use crate::backend::{
    Backend, BackendError, BenchOptions, BenchRow, GlPanel, GlTarget, GlTexture, GlWriter, LeftOut, Measurements,
    PixelFormat, RenderRequest, median, noise_of,
};
use crate::image::{Channels, Depth, Image, Raster, Size};
use crate::sampling::{Method, Sampler};
use crate::view::View;

/// What the panels show.
const METHODS: [Method; 4] = [Method::Nearest, Method::Linear, Method::CATMULL_ROM, Method::LANCZOS3];
/// Samples a pixel.
const SCALE: f64 = 0.125;
/// Frames that are measured where nobody says.
const REPEATS: usize = 61;
/// Frames before any counts.
const WARM_UP: usize = 3;
/// How long a frame is waited for, at most.
const PATIENCE: Duration = Duration::from_secs(10);
/// What is measured, as rows name it.
const HOWS: [&str; 3] = ["map, launch, unmap", "until all is done", "by host memory"];

/// Measures in a window that stays hidden and is gone when this returns; where there is none the rows are left out, with the
/// reason.
pub fn measure_frame(mut backend: Box<dyn Backend>, options: &BenchOptions) -> Measurements {
    let measured = in_hidden_window(move |creation| {
        let gl = creation.gl.as_ref().ok_or("there is no OpenGL")?;
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
                measured.left_out.push(left_out(format, how, why.clone()));
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
) -> Result<Measurements, String> {
    let size = Size::new(1920, 1080).map_err(|error| error.to_string())?;
    // SAFETY: the canvas lives as long as this call, during which the context stays current.
    let canvas = unsafe { Canvas::new(gl) }.map_err(|error| error.to_string())?;
    let mut measured = Measurements::default();
    // Each format has the source that a window shows in it.
    for (format, channels) in [(TextureFormat::Grey, Channels::Grey), (TextureFormat::Rgba, Channels::Rgb)] {
        let image = noise_of(options.image, channels, Depth::EIGHT).ok_or("there is no noise of this size")?;
        let textures = METHODS.map(|_| canvas.texture(size, format)).into_iter().collect::<Result<Vec<_>, _>>();
        let textures = textures.map_err(|error| error.to_string())?;
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

/// A picture that fits `texture`.
fn picture_of(texture: &PanelTexture) -> Raster {
    Raster::zeros(texture.size(), texture.format().channels(), Depth::EIGHT)
}

/// Textures and what is drawn into them, frame after frame.
struct Frames<'a> {
    canvas: &'a Canvas,
    textures: Vec<PanelTexture>,
    image: &'a Image,
    repeats: usize,
}

impl Frames<'_> {
    /// The panels of one frame: the view moves a little with each.
    fn requests(&self, frame: usize) -> Vec<RenderRequest> {
        let view = View::new([0.31 + 0.01 * frame as f64, -0.27], SCALE).unwrap_or_default();
        let of = |(texture, method): (&PanelTexture, Method)| RenderRequest {
            view,
            sampler: Sampler::default().with_method(method),
            ..RenderRequest::new(texture.size())
        };
        self.textures.iter().zip(METHODS).map(of).collect()
    }

    /// Medians, in microseconds, of a frame that the backend writes into the textures itself: what it takes of this thread,
    /// and how long it is until all is done.
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

    /// The median, in microseconds, of a frame that is rendered into the host's memory and uploaded.
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
