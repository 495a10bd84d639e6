//! What the documents compare: memories that samples may lie in (documents 001 and 004), and the B-spline's forms with their
//! errors (document 002, table 1).

use super::{Against, REPEATS, Run, Subject, values};
use crate::backend::bench::request;
use crate::backend::cuda::arguments::{Map, Output, PixelArguments, Target};
use crate::backend::cuda::device::Fault;
use crate::backend::cuda::kernels::Entry;
use crate::backend::cuda::renderer::{pixel_config, target_of};
use crate::backend::cuda::route::{route, route_by};
use crate::backend::cuda::texture::{Reads, Texture, TextureUse};
use crate::backend::{BackendError, BenchError, BenchOptions, Form, reference};
use crate::image::Size;
use crate::sampling::{Address, Method, Path};

/// Samples a pixel of table 1.
const SCALE: f64 = 0.125;
/// What table 1's rows make of what.
const TABLE_PIXELS: &str = "grey 8-bit to float";

impl Run<'_> {
    /// Catmull-Rom from sixteen reads of other memories: plain global memory, a texture over plain rows, and a texture over
    /// one line (documents 001 and 004).
    pub(super) fn memories(&mut self, scale: f64) -> Result<(), BackendError> {
        let Some(request) = request(self.options, Method::CatmullRom, Path::Lookup, scale) else { return Ok(()) };
        let page = self.page();
        let sampler = request.sampler;
        let (plane, device) = self.renderer.plane(&page, &request)?;
        let in_memory = plane.arguments(device, &sampler);
        let how = TextureUse { address: [Address::Clamp; 2], linear: false };
        let numbers = plane.values().len();
        let rows = Reads::Rows(in_memory.values, plane.kind, plane.stored(), plane.pitch_bytes());
        let line = Reads::Line(in_memory.values, plane.kind, numbers);
        // A device may refuse either: a pitch or a length that it does not take costs that row alone.
        let [rows, line] = [rows, line].map(|reads| Texture::new(device, reads, how));
        let through = |texture: &Result<Texture, Fault>| match texture {
            Ok(texture) => Ok(plane.behind(texture.handle(), how, in_memory, &sampler)),
            Err(fault) => Err(fault.clone()),
        };
        let forms = [
            ("plain global loads", Entry::bench("global_points_catmull_rom_grey"), Ok(in_memory)),
            ("pitch-linear 2-D texture", Entry::points(Method::CatmullRom, false), through(&rows)),
            ("tex1Dfetch", Entry::bench("fetch1d_points_catmull_rom_grey"), through(&line)),
        ];
        let map = request.view.image_from_output(request.size, page.size());
        let target =
            Target { surface: self.rgba.surface.handle(), output: Output::Rgba8 as i32, ..target_of(request.size) };
        let against = Against { store: self.stores[1], ..Against::default() };
        for (name, entry, plane) in forms {
            let time = plane.map_err(BackendError::from).and_then(|plane| {
                let arguments = PixelArguments { map: Map::from(&map), plane, target, ..PixelArguments::default() };
                self.time(REPEATS, |renderer| {
                    let config = pixel_config(&renderer.device, request.size);
                    Ok(renderer.device.launch(&entry, &arguments, config)?)
                })
            });
            self.keep(self.subject(["catmull-rom", name, self.rgba.pixels()], scale), against, time)?;
        }
        Ok(())
    }

    /// Document 002's table 1: the B-spline at 512 × 512 pixels, its error against double precision and its time, by each
    /// form.
    pub(super) fn table_one(&mut self) -> Result<(), BackendError> {
        let Ok(size) = Size::new(512, 512) else { return Ok(()) };
        let options = BenchOptions { size, ..self.options.clone() };
        let page = self.page();
        let limits = self.renderer.device.limits;
        let by_path = |path| {
            let request = request(&options, Method::BSpline, path, SCALE)?;
            Some((route(&limits, &page, &request), request))
        };
        let by_form = |form| {
            let request = request(&options, Method::BSpline, Path::Auto, SCALE)?;
            Some((route_by(form, &limits, &page, &request), request))
        };
        let forms = [
            ("look-up table", by_form(Form::Table)),
            ("on the fly", by_path(Path::Filtered)),
            ("gather", by_form(Form::Gather)),
            ("tiled", by_path(Path::Tiled)),
            ("auto", by_path(Path::Auto)),
        ];
        let Some(exact) = request(&options, Method::BSpline, Path::Auto, SCALE) else { return Ok(()) };
        let expected = reference::values(&self.image, &exact)?;
        let memory = self.renderer.device.allocate::<f32>(size.area())?;
        let address = self.renderer.device.address(&memory);
        let target = Target { values: address, output: Output::Values as i32, ..target_of(size) };
        for (how, form) in forms {
            let Some((route, request)) = form else { continue };
            let route = match route {
                Ok(route) => route,
                Err(error) => {
                    let subject = Subject { area: size.area(), ..self.subject(["bspline", how, TABLE_PIXELS], SCALE) };
                    self.keep(subject, Against::default(), Err(error))?;
                    continue;
                }
            };
            let median_us =
                self.time(REPEATS, |renderer| renderer.interpolate(&page, &request, route, Output::Values, target))?;
            let got = values(self.renderer, &page, &request, route)?;
            let squares: f64 = got.iter().zip(&expected).map(|(&a, &b)| (f64::from(a) - b).powi(2)).sum();
            self.measured.errors.push(BenchError {
                what: "bspline".to_owned(),
                how: how.to_owned(),
                rms: (squares / size.area() as f64).sqrt(),
                repeats: self.options.repeats_or(REPEATS),
                median_us,
            });
        }
        Ok(())
    }
}
