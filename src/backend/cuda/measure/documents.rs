//! The comparisons of the source documents: sample storage (documents 001 and 004), and forms of the cubic B-spline with their
//! errors (document 002, table 1).

use std::sync::Arc;

use super::{Against, REPEATS, Run, Subject, pixels, values};
use crate::backend::bench::request;
use crate::backend::cuda::abi::arguments::{Map, PixelArguments};
use crate::backend::cuda::driver::destination::{Destination, DeviceBuffer};
use crate::backend::cuda::driver::error::DriverError;
use crate::backend::cuda::driver::texture::{Texture, TextureUse};
use crate::backend::cuda::kernels::entry::TypedEntry;
use crate::backend::cuda::kernels::grid::pixel_config;
use crate::backend::cuda::kernels::launch::Launch;
use crate::backend::cuda::plan::weight_polynomials::{WeightForm, taps_before};
use crate::backend::cuda::plan::{launch_plan, launch_plan_by, weights};
use crate::backend::{BackendError, BenchError, BenchOptions, KernelVariant, reference};
use crate::image::Size;
use crate::sampling::{AddressMode, Method, SamplingPath};

/// Samples a pixel of table 1.
const SCALE: f64 = 0.125;
/// The pixel formats of table 1.
const TABLE_PIXELS: &str = "grey 8-bit to float";

impl Run<'_> {
    /// Catmull-Rom from sixteen reads a pixel of plain global memory, of a texture over plain rows, and of a one-dimensional
    /// texture (documents 001 and 004).
    pub(super) fn memories(&mut self, scale: f64) -> Result<(), BackendError> {
        let Some(request) = request(self.options, Method::CATMULL_ROM, SamplingPath::Lookup, scale) else {
            return Ok(());
        };
        let page = self.page();
        let sampler = request.sampler;
        let (plane, device) = self.renderer.plane(&page, &request)?;
        let in_memory = plane.arguments(device, &sampler);
        let how = TextureUse { address: [AddressMode::Clamp; 2], linear: false };
        let sources = [plane.rows(), plane.line()];
        // A device may refuse a pitch or a length: that row alone is left out.
        let [rows, line] = sources.map(|source| Texture::new(device, source, how));
        let through = |texture: &Result<Texture, DriverError>| match texture {
            Ok(texture) => Ok(plane.behind(texture.handle(), how, in_memory, &sampler)),
            Err(error) => Err(error.clone()),
        };
        let variants = [
            ("plain global loads", TypedEntry::bench_loads(), Ok(in_memory)),
            ("pitch-linear 2-D texture", TypedEntry::points(WeightForm::SymmetricCubic, 4, false), through(&rows)),
            ("tex1Dfetch", TypedEntry::bench_line(), through(&line)),
        ];
        let kernel = sampler.method.kernel();
        let Some(curves) = weights::polynomials(sampler.method).map(|weights| weights.arguments(taps_before(&kernel)))
        else {
            return Ok(());
        };
        let map = request.view.image_from_output(request.size, page.size());
        let screen = self.screen(true);
        let target = Destination::surface(screen.canvas(), request.size)?.target(&self.renderer.launcher.device);
        let against = Against { store: self.stores[1], ..Against::default() };
        for (name, entry, plane) in variants {
            let time = plane.map_err(BackendError::from).and_then(|plane| {
                let map = Map::from(&map);
                let arguments = PixelArguments { map, plane, target, curves, ..PixelArguments::default() };
                self.time(REPEATS, |renderer| {
                    let config = pixel_config(renderer.launcher.pixel_block(), request.size);
                    #[expect(unsafe_code, reason = "a kernel is launched")]
                    // SAFETY: the plane is the cache's, which no launch in between changes, and the textures keep its memory;
                    // both live until the measurement has waited for the stream. Indices go through the address mode, and the
                    // surface is as large as the request.
                    unsafe {
                        Ok(renderer.launcher.launch(&Launch { entry, arguments, config })?)
                    }
                })
            });
            self.keep(self.subject(["catmull-rom", name, pixels(true)], scale), against, time)?;
        }
        Ok(())
    }

    /// Document 002, table 1: the cubic B-spline at 512 × 512 pixels by each form, its error against double precision and its
    /// time.
    pub(super) fn table_one(&mut self) -> Result<(), BackendError> {
        let Ok(size) = Size::new(512, 512) else { return Ok(()) };
        let options = BenchOptions { size, ..self.options.clone() };
        let page = self.page();
        let limits = self.renderer.launcher.device.limits;
        let by_path = |path| {
            let request = request(&options, Method::BSPLINE, path, SCALE)?;
            Some((launch_plan(&limits, &page, &request), request))
        };
        let by_variant = |variant| {
            let request = request(&options, Method::BSPLINE, SamplingPath::Auto, SCALE)?;
            Some((launch_plan_by(variant, &limits, &page, &request), request))
        };
        let variants = [
            ("look-up table", by_path(SamplingPath::FilteredTable)),
            ("on the fly", by_path(SamplingPath::Filtered)),
            ("gather", by_variant(KernelVariant::Gather)),
            ("tiled", by_path(SamplingPath::Tiled)),
            ("auto", by_path(SamplingPath::Auto)),
        ];
        let Some(exact) = request(&options, Method::BSPLINE, SamplingPath::Auto, SCALE) else { return Ok(()) };
        let expected = reference::values(&self.image, &exact)?;
        let memory = Arc::new(self.renderer.launcher.device.allocate::<f32>(size.area())?);
        let destination = Destination::values(DeviceBuffer::Floats(memory), size.sides(), 1)?;
        for (how, variant) in variants {
            let Some((plan, request)) = variant else { continue };
            let plan = match plan {
                Ok(plan) => plan,
                Err(error) => {
                    let subject = Subject { area: size.area(), ..self.subject(["bspline", how, TABLE_PIXELS], SCALE) };
                    self.keep(subject, Against::default(), Err(error))?;
                    continue;
                }
            };
            let median_us = self.time(REPEATS, |renderer| renderer.interpolate(&page, &request, plan, &destination))?;
            let got = values(self.renderer, &page, &request, plan)?;
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
