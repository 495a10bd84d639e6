//! What `bench` measures on a GPU: kernel times by CUDA events, of the very launches that the window makes.
//!
//! Every measurement is queued behind work that keeps the device busy, so that no time between two launches counts, and
//! the median of many is kept. A plain store of 16 bytes a thread to the same surface is measured in the same run: it is
//! what no kernel that fills the surface can be quicker than.

mod filters;

use std::sync::Arc;
use std::time::Instant;

use cudarc::driver::{CudaEvent, sys};

use super::arguments::{Map, Output, PixelArguments, PrefilterArguments, Target};
use super::device::{Device, Fault, because};
use super::direct::Direct;
use super::kernels::{Entry, SampleKind};
use super::renderer::{Canvas, Renderer, pixel_config, target_of};
use super::route::{Route, direct, route};
use super::texture::{Array, ArrayUse, Reads, Surface, Texture, TextureUse};
use super::tiled::Tile;
use crate::backend::bench::{median, noise, request};
use crate::backend::{BackendError, BenchError, BenchOptions, BenchRow, Measurements, RenderRequest, reference};
use crate::image::{Image, Page, Size};
use crate::sampling::{Address, METHODS, Method, Path};

/// How often each is measured where nobody says.
const REPEATS: usize = 101;
/// Launches timed at once, behind one stretch of work.
const BATCH: usize = 20;
/// Stores that keep the device busy while a batch is queued.
const BUSY_STORES: usize = 120;

/// A surface with its array.
pub(super) struct Screen {
    pub(super) surface: Surface,
    array: Array,
    rgba: bool,
}

impl Screen {
    pub(super) fn new(device: &Device, size: Size, rgba: bool) -> Result<Self, BackendError> {
        let channels = if rgba { 4 } else { 1 };
        let array = Array::new(device, size, SampleKind::U8, channels, ArrayUse::Surface)?;
        let surface = Surface::new(array.handle()).map_err(because("a surface is refused"))?;
        Ok(Self { surface, array, rgba })
    }

    fn canvas(&self) -> Canvas {
        Canvas { surface: self.surface.handle(), rgba: self.rgba }
    }

    /// The whole surface in pieces of 16 bytes.
    pub(super) fn pieces(&self) -> Target {
        let pixels = if self.rgba { 4 } else { 16 };
        let size_px = [self.array.size().width().div_ceil(pixels) as i32, self.array.size().height() as i32];
        Target { surface: self.surface.handle(), size_px, ..Target::default() }
    }

    fn pixels(&self) -> &'static str {
        if self.rgba { "grey 8-bit to RGBA8" } else { "grey 8-bit to R8" }
    }
}

/// A pair of events for each launch of a batch.
pub(super) struct Clock {
    events: Vec<(CudaEvent, CudaEvent)>,
}

impl Clock {
    pub(super) fn new(device: &Device) -> Result<Self, Fault> {
        let event = || {
            let event = device.context.new_event(Some(sys::CUevent_flags::CU_EVENT_DEFAULT));
            event.map_err(because("no event"))
        };
        let events = (0..BATCH).map(|_| Ok((event()?, event()?))).collect::<Result<_, Fault>>()?;
        Ok(Self { events })
    }

    /// The median of `repeats` times of `work` in microseconds.
    pub(super) fn measure(
        &self,
        renderer: &mut Renderer,
        (busy, repeats): (&Target, usize),
        mut work: impl FnMut(&mut Renderer) -> Result<(), BackendError>,
    ) -> Result<f64, BackendError> {
        for _ in 0..3 {
            work(renderer)?;
        }
        renderer.device.finish()?;
        let mut times = Vec::with_capacity(repeats);
        while times.len() < repeats {
            for _ in 0..BUSY_STORES {
                renderer.device.store_plain(busy, 1)?;
            }
            let batch = &self.events[..BATCH.min(repeats - times.len())];
            for (start, end) in batch {
                start.record(&renderer.device.stream).map_err(because("an event fails"))?;
                work(renderer)?;
                end.record(&renderer.device.stream).map_err(because("an event fails"))?;
            }
            renderer.device.finish()?;
            for (start, end) in batch {
                times.push(f64::from(start.elapsed_ms(end).map_err(because("an event fails"))?) * 1e3);
            }
        }
        Ok(median(times))
    }
}

/// Everything of one run.
struct Run<'a> {
    renderer: &'a mut Renderer,
    options: &'a BenchOptions,
    image: Image,
    clock: Clock,
    rgba: Screen,
    grey: Screen,
    /// Times of a plain store to each, in microseconds.
    stores: [f64; 2],
    measured: Measurements,
}

/// Measures everything.
pub(super) fn run(renderer: &mut Renderer, options: &BenchOptions) -> Result<Measurements, BackendError> {
    let measured = Measurements::default();
    let Some(image) = noise(options.image) else { return Ok(measured) };
    let clock = Clock::new(&renderer.device)?;
    let rgba = Screen::new(&renderer.device, options.size, true)?;
    let grey = Screen::new(&renderer.device, options.size, false)?;
    let mut run = Run { renderer, options, image, clock, rgba, grey, stores: [0.0; 2], measured };
    run.stores()?;
    for &scale in &options.scales {
        run.paths(scale)?;
        run.memories(scale)?;
    }
    run.table_one()?;
    run.prefilter()?;
    run.filters()?;
    run.frame()?;
    Ok(run.measured)
}

impl Run<'_> {
    fn page(&self) -> Arc<Page> {
        Arc::clone(&self.image.pages()[0])
    }

    fn push(&mut self, names: (&str, &str, &str), scale: f64, median_us: f64, ratios: (f64, f64)) {
        let (what, how, pixels) = names;
        self.measured.rows.push(BenchRow {
            what: what.to_owned(),
            how: how.to_owned(),
            pixels: pixels.to_owned(),
            scale,
            repeats: self.options.repeats_or(REPEATS),
            median_us,
            pixels_a_second: self.options.size.area() as f64 / median_us * 1e6,
            ratio_to_store: ratios.0,
            ratio_to_points: ratios.1,
            ..BenchRow::default()
        });
    }

    /// Plain stores to both surfaces.
    fn stores(&mut self) -> Result<(), BackendError> {
        for rgba in [false, true] {
            let screen = if rgba { &self.rgba } else { &self.grey };
            let (target, pixels) = (screen.pieces(), screen.pixels());
            let busy = self.rgba.pieces();
            let time = self.clock.measure(self.renderer, (&busy, self.options.repeats_or(REPEATS)), |renderer| {
                Ok(renderer.device.store_plain(&target, 7)?)
            })?;
            self.stores[usize::from(rgba)] = time;
            self.push(("plain store", "16 bytes", pixels), 0.0, time, (1.0, 0.0));
        }
        Ok(())
    }

    /// The time of `request` by `route` into the surface of this kind.
    fn time(&mut self, request: &RenderRequest, route: Route, rgba: bool) -> Result<f64, BackendError> {
        let page = self.page();
        let screen = if rgba { &self.rgba } else { &self.grey };
        let output = if rgba { Output::Rgba8 } else { Output::Grey8 };
        let target = Target { surface: screen.surface.handle(), output: output as i32, ..target_of(request.size) };
        let busy = self.rgba.pieces();
        self.clock.measure(self.renderer, (&busy, self.options.repeats_or(REPEATS)), |renderer| {
            renderer.interpolate(&page, request, route, output, target)
        })
    }

    /// Every method by every path, and the forms that the documents compare.
    fn paths(&mut self, scale: f64) -> Result<(), BackendError> {
        let limits = self.renderer.device.limits;
        let page = self.page();
        let store = self.stores[1];
        let mut points_time = 0.0;
        if let Some(request) = request(self.options, Method::CatmullRom, Path::Lookup, scale) {
            points_time = self.time(&request, Route::Points, true)?;
        }
        for row in &METHODS {
            for rgba in [true, false] {
                let Some(request) = request(self.options, row.method, Path::Auto, scale) else { continue };
                let chosen = route(&limits, &page, &request)?;
                let time = self.time(&request, chosen, rgba)?;
                let names = (row.name, "auto", if rgba { self.rgba.pixels() } else { self.grey.pixels() });
                let against = if row.taps == 4 && rgba { time / points_time } else { 0.0 };
                self.push(names, scale, time, (time / self.stores[usize::from(rgba)], against));
            }
            let mut forms = vec![("points", Route::Points, Path::Lookup)];
            if row.taps > 1 {
                forms.push(("gather", Route::Gather, Path::Lookup));
            }
            if row.paths.contains(&Path::Filtered) {
                forms.push(("filtered", Route::Filtered, Path::Filtered));
            }
            if row.method == Method::BSpline {
                forms.push(("filtered, table", Route::FilteredTable, Path::Filtered));
            }
            for (how, form, path) in forms {
                let Some(request) = request(self.options, row.method, path, scale) else { continue };
                let time = self.time(&request, form, true)?;
                let against = if row.taps == 4 { time / points_time } else { 0.0 };
                self.push((row.name, how, self.rgba.pixels()), scale, time, (time / store, against));
            }
        }
        Ok(())
    }

    /// Catmull-Rom from sixteen reads of other memories: plain global memory, a texture over plain rows, and a texture over
    /// one line (documents 001 and 004).
    fn memories(&mut self, scale: f64) -> Result<(), BackendError> {
        let Some(request) = request(self.options, Method::CatmullRom, Path::Lookup, scale) else { return Ok(()) };
        let page = self.page();
        let sampler = request.sampler;
        let (plane, device) = self.renderer.plane(&page, &request)?;
        let in_memory = plane.arguments(device, &sampler);
        let how = TextureUse { address: [Address::Clamp; 2], linear: false };
        let numbers = plane.values().len();
        let rows = Reads::Rows(in_memory.values, plane.kind, plane.stored(), plane.pitch_bytes());
        let rows = Texture::new(device, rows, how)?;
        let line = Texture::new(device, Reads::Line(in_memory.values, plane.kind, numbers), how)?;
        let through_rows = plane.behind(rows.handle(), how, in_memory, &sampler);
        let through_line = plane.behind(line.handle(), how, in_memory, &sampler);
        let forms = [
            ("plain global loads", Entry::bench("global_points_catmull_rom_grey"), in_memory),
            ("pitch-linear 2-D texture", Entry::points(Method::CatmullRom, false), through_rows),
            ("tex1Dfetch", Entry::bench("fetch1d_points_catmull_rom_grey"), through_line),
        ];
        let map = request.view.image_from_output(request.size, page.size());
        let target =
            Target { surface: self.rgba.surface.handle(), output: Output::Rgba8 as i32, ..target_of(request.size) };
        let busy = self.rgba.pieces();
        for (name, entry, plane) in forms {
            let arguments = PixelArguments { map: Map::from(&map), plane, target, ..PixelArguments::default() };
            let time = self.clock.measure(self.renderer, (&busy, self.options.repeats_or(REPEATS)), |renderer| {
                let config = pixel_config(&renderer.device, request.size);
                Ok(renderer.device.launch(&entry, &arguments, config)?)
            })?;
            let names = ("catmull-rom", name, self.rgba.pixels());
            self.push(names, scale, time, (time / self.stores[1], 0.0));
        }
        Ok(())
    }

    /// Document 002's table 1: the B-spline at 512 × 512 pixels, its error against double precision and its time, by each
    /// form.
    fn table_one(&mut self) -> Result<(), BackendError> {
        let Some(size) = Size::new(512, 512) else { return Ok(()) };
        let options = BenchOptions { size, ..self.options.clone() };
        let page = self.page();
        let limits = self.renderer.device.limits;
        let busy = self.rgba.pieces();
        let Some(exact) = request(&options, Method::BSpline, Path::Auto, 0.125) else { return Ok(()) };
        let expected = reference::values(&self.image, &exact)?;
        let forms = [
            ("look-up table", Route::FilteredTable, Path::Filtered),
            ("on the fly", Route::Filtered, Path::Filtered),
            ("gather", Route::Gather, Path::Lookup),
            ("tiled", route(&limits, &page, &exact)?, Path::Auto),
        ];
        let values = self.renderer.device.allocate::<f32>(size.area())?;
        for (how, form, path) in forms {
            let Some(request) = request(&options, Method::BSpline, path, 0.125) else { continue };
            let target = Target {
                values: self.renderer.device.address(&values),
                output: Output::Values as i32,
                ..target_of(size)
            };
            let time = self.clock.measure(self.renderer, (&busy, self.options.repeats_or(REPEATS)), |renderer| {
                renderer.interpolate(&page, &request, form, Output::Values, target)
            })?;
            let mut got = vec![0.0_f32; size.area()];
            self.renderer.device.stream.memcpy_dtoh(&values, &mut got).map_err(because("a copy fails"))?;
            self.renderer.device.finish()?;
            let squares: f64 = got.iter().zip(&expected).map(|(&a, &b)| (f64::from(a) - b).powi(2)).sum();
            self.measured.errors.push(BenchError {
                what: "bspline".to_owned(),
                how: how.to_owned(),
                rms: (squares / size.area() as f64).sqrt(),
                repeats: self.options.repeats_or(REPEATS),
                median_us: time,
            });
        }
        Ok(())
    }

    /// The prefilter of a single-precision plane as large as the image, and a copy of it.
    fn prefilter(&mut self) -> Result<(), BackendError> {
        let size = self.options.image;
        let pitch = size.width().next_multiple_of(16) as usize;
        let samples = self.renderer.device.allocate::<f32>(pitch * size.height() as usize)?;
        let mut coefficients = self.renderer.device.allocate::<f32>(pitch * size.height() as usize)?;
        let mut samples = samples;
        let values: Vec<f32> = (0..samples.len()).map(|k| (k * 7919 % 1021) as f32 / 1021.0).collect();
        self.renderer.device.stream.memcpy_htod(&values, &mut samples).map_err(because("a copy fails"))?;
        let side = [size.width() as i32, size.height() as i32];
        let busy = self.rgba.pieces();
        let repeats = self.options.repeats_or(REPEATS);
        let copy = self.clock.measure(self.renderer, (&busy, repeats), |renderer| {
            let copied = renderer.device.stream.memcpy_dtod(&samples, &mut coefficients);
            Ok(copied.map_err(because("a copy fails"))?)
        })?;
        let arguments = PrefilterArguments {
            plane: super::arguments::Plane {
                values: self.renderer.device.address(&samples),
                pitch: pitch as i32,
                stored: side,
                address: [Address::Wrap as i32; 2],
                unit: 1.0,
                ..Default::default()
            },
            coefficients: self.renderer.device.address(&coefficients),
            pitch: pitch as i32,
            stored: side,
            halo: [0; 2],
        };
        let entry = Entry::prefilter(SampleKind::F32, false);
        let config = super::plane::prefilter_config(size, false);
        let time = self.clock.measure(self.renderer, (&busy, repeats), |renderer| {
            Ok(renderer.device.launch(&entry, &arguments, config)?)
        })?;
        self.push(("plain copy", "device to device", "float"), 0.0, copy, (0.0, 0.0));
        self.push(("prefilter", "both axes", "float"), 0.0, time, (time / copy, 0.0));
        Ok(())
    }

    /// A frame of four panels of 1920 × 1080: what the CPU spends on its launches, what the GPU spends on them, and what
    /// the copies to pinned memory cost where OpenGL does not share its textures.
    fn frame(&mut self) -> Result<(), BackendError> {
        let Some(size) = Size::new(1920, 1080) else { return Ok(()) };
        let options = BenchOptions { size, ..self.options.clone() };
        let methods = [Method::Nearest, Method::Linear, Method::CatmullRom, Method::Lanczos3];
        let panels: Vec<RenderRequest> =
            methods.iter().filter_map(|&method| request(&options, method, Path::Auto, 0.125)).collect();
        let screens =
            panels.iter().map(|_| Screen::new(&self.renderer.device, size, true)).collect::<Result<Vec<_>, _>>()?;
        let image = self.image.clone();
        let mut draw = |renderer: &mut Renderer| {
            panels
                .iter()
                .zip(&screens)
                .try_for_each(|(request, screen)| renderer.draw(&image, request, screen.canvas()))
        };
        let busy = self.rgba.pieces();
        let gpu = self.clock.measure(self.renderer, (&busy, self.options.repeats_or(REPEATS)), &mut draw)?;
        let mut cpu = Vec::new();
        let mut waited = Vec::new();
        let bytes = size.area() * 4;
        #[expect(unsafe_code, reason = "pinned memory comes unset")]
        // SAFETY: it is only ever written here.
        let pinned = unsafe { self.renderer.device.context.alloc_pinned_with_flags::<u8>(4 * bytes, 0) };
        let mut pinned = pinned.map_err(because("no pinned memory"))?;
        let to = pinned.as_mut_slice().map_err(because("no pinned memory"))?;
        for _ in 0..self.options.repeats_or(REPEATS) {
            self.renderer.device.finish()?;
            let start = Instant::now();
            draw(self.renderer)?;
            cpu.push(start.elapsed().as_secs_f64() * 1e6);
            for (screen, to) in screens.iter().zip(to.chunks_exact_mut(bytes)) {
                screen.array.copy_to(&self.renderer.device, to, size)?;
            }
            self.renderer.device.finish()?;
            waited.push(start.elapsed().as_secs_f64() * 1e6);
        }
        let pixels = "four panels of 1920×1080";
        for (how, time) in [("launches, CPU", median(cpu)), ("launches, GPU", gpu), ("pinned memory", median(waited))] {
            self.push(("frame", how, pixels), 0.125, time, (0.0, 0.0));
        }
        Ok(())
    }
}

/// The time of a kernel whose warps make so many rows.
#[derive(Clone, Copy, Debug)]
pub struct TileTime {
    /// What it interpolates by.
    pub method: Method,
    /// Samples a pixel.
    pub scale: f64,
    /// Which kernel: `tiled` or `direct`.
    pub form: &'static str,
    /// Output rows of a warp.
    pub rows_a_warp: u32,
    /// Median time in microseconds.
    pub median_us: f64,
}

/// Times of `tiled` and `direct` by rows a warp, in microseconds: how the heights in `tiled.rs` and `direct.rs` were chosen.
pub(super) fn tile_heights(renderer: &mut Renderer, options: &BenchOptions) -> Result<Vec<TileTime>, BackendError> {
    let Some(image) = noise(options.image) else { return Ok(Vec::new()) };
    let clock = Clock::new(&renderer.device)?;
    let screen = Screen::new(&renderer.device, options.size, true)?;
    let limits = renderer.device.limits;
    let busy = screen.pieces();
    let mut times = Vec::new();
    for &scale in &options.scales {
        for method in
            [Method::Nearest, Method::Linear, Method::CatmullRom, Method::Lanczos2, Method::Lanczos3, Method::Lanczos4]
        {
            let Some(request) = request(options, method, Path::Auto, scale) else { continue };
            let page = &image.pages()[0];
            let target =
                Target { surface: screen.surface.handle(), output: Output::Rgba8 as i32, ..target_of(request.size) };
            for rows_a_warp in [4, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32] {
                let tile = Tile::of_rows(false, method.row().taps as u32, scale, rows_a_warp);
                let tiled = (tile.shared_bytes <= limits.shared_bytes).then_some(Route::Tiled(tile));
                let direct = direct(&limits, page, &request);
                let direct = direct.map(|direct| Route::Direct(Direct { rows_a_warp, ..direct }));
                for (form, route) in [("tiled", tiled), ("direct", direct)] {
                    let Some(route) = route else { continue };
                    let median_us = clock.measure(renderer, (&busy, options.repeats_or(REPEATS)), |renderer| {
                        renderer.interpolate(page, &request, route, Output::Rgba8, target)
                    })?;
                    times.push(TileTime { method, scale, form, rows_a_warp, median_us });
                }
            }
        }
    }
    Ok(times)
}
