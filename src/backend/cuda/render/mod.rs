//! From a request and its plan to launches: what each kernel is told.

pub(crate) mod axis_tables;
pub(crate) mod filter_grid;
pub(crate) mod filter_kernels;
pub(crate) mod filters;
pub(crate) mod input;
pub(crate) mod interpolation;
pub(crate) mod needs;
pub(crate) mod planes;
mod slices;
mod weight_memory;

use std::collections::HashMap;
use std::sync::Arc;

use cudarc::driver::{CudaSlice, sys};

use self::axis_tables::TwoPassTablesCache;
use self::filter_kernels::{check_filters, reads_texture};
use self::filters::{Extent, FilterMemory};
use self::input::Input;
use self::interpolation::Interpolation;
use self::planes::{DevicePlane, PlaneCache};
use self::slices::SliceMemory;
use self::weight_memory::WeightMemory;
use super::abi::arguments::{DisplayArguments, Plane, WeightCurves};
use super::abi::sample_kind::floats_of;
use super::driver::destination::{Destination, DeviceBuffer};
use super::driver::device::Device;
use super::driver::error::{DriverError, check, missing};
use super::driver::scratch::Scratch;
use super::driver::surface::Canvas;
use super::kernels::entry::TypedEntry;
use super::kernels::grid::rows_config;
use super::kernels::launch::{Launch, Launcher};
use super::plan::slices::SliceWeights;
use super::plan::{Fetches, LaunchPlan, MAX_GRID_ROWS, PIXEL_BLOCK, launch_plan};
use crate::backend::{
    BackendError, BackendKind, COLOUR_STEPS, ColourMap, Feature, PreparedCache, RenderRequest, page_of,
    page_to_subtract,
};
use crate::filter::{Chain, GaussianBlur};
use crate::image::{Channels, Image, Page};
use crate::volume::ObliquePlane;

/// A device and all that is kept on it.
#[derive(Debug)]
pub(crate) struct Renderer {
    prepared: PreparedCache,
    planes: PlaneCache,
    slices: SliceMemory,
    passes: TwoPassTablesCache,
    weights: WeightMemory,
    colours: HashMap<ColourMap, CudaSlice<f32>>,
    filters: FilterMemory,
    /// The view and what is around it, before the filters after the interpolation.
    around: Scratch,
    /// Values between two passes.
    between: Scratch,
    /// Values before the display mapping: the request's, and those that are subtracted.
    values: [Scratch; 2],
    /// Mapped values for a file.
    mapped: Scratch,
    pub(crate) launcher: Launcher,
}

impl Drop for Renderer {
    fn drop(&mut self) {
        // What is freed after this wants its context current, and nothing at work on it; where the context is lost there is
        // nothing left to free.
        let _ = self.launcher.device.finish();
    }
}

impl Renderer {
    pub(crate) fn new(device: Device) -> Self {
        Self {
            prepared: PreparedCache::default(),
            planes: PlaneCache::default(),
            slices: SliceMemory::default(),
            passes: TwoPassTablesCache::default(),
            weights: WeightMemory::default(),
            colours: HashMap::new(),
            filters: FilterMemory::default(),
            around: Scratch::default(),
            between: Scratch::default(),
            values: <[Scratch; 2]>::default(),
            mapped: Scratch::default(),
            launcher: Launcher::new(device),
        }
    }

    /// Frees what can be made again.
    pub(crate) fn free(&mut self) {
        self.planes.clear();
        self.slices.clear();
        self.passes.clear();
        self.weights.clear();
        self.filters = FilterMemory::default();
        for scratch in [&mut self.around, &mut self.between, &mut self.mapped].into_iter().chain(&mut self.values) {
            scratch.clear();
        }
    }

    /// Makes the buffer of mapped values hold `len` of them, no more and no less.
    pub(crate) fn hold(&mut self, len: usize) -> Result<(), DriverError> {
        self.mapped.clear();
        self.launcher.device.finish()?;
        self.mapped.reserve(&self.launcher.device, len).map(drop)
    }

    /// Fills the buffers of values with what is no number.
    pub(crate) fn poison(&mut self) -> Result<(), DriverError> {
        let [first, second] = &mut self.values;
        let buffers = [first, second, &mut self.mapped, &mut self.between, &mut self.around];
        let device = &mut self.launcher.device;
        for values in buffers.into_iter().chain(self.filters.buffers()).filter_map(Scratch::get_mut) {
            // Between frames no destination shares the memory.
            let values = Arc::get_mut(values).ok_or_else(|| missing("values are in use"))?;
            device.fill(values, vec![f32::NAN; values.len()])?;
        }
        device.finish()
    }

    /// Draws `request` to `canvas`, whose pixels are bytes.
    pub(crate) fn draw(
        &mut self,
        image: &Image,
        request: &RenderRequest,
        canvas: Canvas<'_>,
    ) -> Result<(), BackendError> {
        let page = &page_of(image, request)?;
        request.check(page)?;
        check_features(request)?;
        if request.channels(page.channels()) != Channels::Grey && !canvas.is_rgba() {
            return Err(BackendError::Limit { what: "a colour in a grey texture".to_owned() });
        }
        let destination = Destination::surface(canvas, request.size)?;
        let display = &request.display;
        let plain = display.tone().is_identity() && request.subtract.is_none();
        if plain && display.colour_map.is_grey() {
            return self.view(page, request, &destination);
        }
        self.fill_values(image, request)?;
        self.show(page, request, &destination)
    }

    /// The mapped values of `request`, as many channels as a file has.
    pub(crate) fn mapped(
        &mut self,
        image: &Image,
        request: &RenderRequest,
        to: &mut [f32],
    ) -> Result<(), BackendError> {
        let page = &page_of(image, request)?;
        request.check(page)?;
        check_features(request)?;
        self.fill_values(image, request)?;
        let channels = request.channels(page.channels()).count();
        let mapped = self.mapped.reserve(&self.launcher.device, request.size.area() * channels)?;
        let memory = DeviceBuffer::Floats(Arc::clone(&mapped));
        self.show(page, request, &Destination::values(memory, request.size.sides(), channels)?)?;
        Ok(self.launcher.device.download(&mapped, to)?)
    }

    /// Fills the buffers with the values of `request`, and of the one that it subtracts.
    fn fill_values(&mut self, image: &Image, request: &RenderRequest) -> Result<(), BackendError> {
        let first = page_of(image, request)?;
        let second = match &request.subtract {
            Some(other) => Some((page_to_subtract(image, &first, other)?, other.as_ref())),
            None => None,
        };
        for (place, what) in [Some((first, request)), second].into_iter().enumerate() {
            let Some((page, request)) = &what else { continue };
            let channels = floats_of(page.channels());
            let values = self.values[place].reserve(&self.launcher.device, request.size.area() * channels)?;
            let destination = Destination::values(DeviceBuffer::Floats(values), request.size.sides(), channels)?;
            self.view(page, request, &destination)?;
        }
        Ok(())
    }

    /// The display mapping, from the buffers, which hold the values of `request`, to `destination`.
    fn show(
        &mut self,
        page: &Page,
        request: &RenderRequest,
        destination: &Destination<'_>,
    ) -> Result<(), BackendError> {
        let display = &request.display;
        let tone = display.tone();
        let grey = !page.channels().has_colour();
        let colours = if !display.colour_map.is_grey() { self.colour_map(display.colour_map)? } else { 0 };
        let channels = floats_of(page.channels());
        let out_channels = request.channels(page.channels()).count();
        destination.check(request.size.sides(), out_channels)?;
        check(destination.size_px() == request.size.sides(), "a picture has another size than where it goes")?;
        let subtracts = request.subtract.is_some();
        let value_count = request.size.area() * channels;
        let buffer = |scratch: &Scratch| {
            let values = scratch.get().ok_or_else(|| missing("values are lost"))?;
            check(values.len() >= value_count, "a display mapping reads beyond its values")?;
            Ok::<_, DriverError>(self.launcher.device.address(values))
        };
        let arguments = DisplayArguments {
            target: destination.target(&self.launcher.device),
            first: buffer(&self.values[0])?,
            second: if subtracts { buffer(&self.values[1])? } else { 0 },
            colours,
            channels: channels as i32,
            has_alpha: i32::from(page.channels().has_alpha()),
            is_grey: i32::from(grey),
            colour_steps: COLOUR_STEPS as i32,
            out_channels: out_channels as i32,
            absolute: i32::from(tone.absolute),
            gain: tone.gain,
            bias: tone.bias,
            power: tone.power,
        };
        let config = rows_config(request.size.width(), request.size.height());
        #[expect(unsafe_code, reason = "a kernel is launched")]
        // SAFETY: the buffers hold a value for each pixel and channel, as checked, and are kept by `self`; the destination has
        // the request's size and room for its channels. A colour map's table has COLOUR_STEPS colours and is kept for good.
        unsafe {
            Ok(self.launcher.launch(&Launch { entry: TypedEntry::display(), arguments, config })?)
        }
    }

    /// Where a colour map's table is on the device.
    fn colour_map(&mut self, colour_map: ColourMap) -> Result<sys::CUdeviceptr, DriverError> {
        if !self.colours.contains_key(&colour_map) {
            let table = self.launcher.device.upload(colour_map.table().as_flattened().to_vec())?;
            self.colours.insert(colour_map, table);
        }
        Ok(self.colours.get(&colour_map).map_or(0, |table| self.launcher.device.address(table)))
    }

    /// The values of `request`, before its display mapping, to `destination`, which has the request's size.
    pub(crate) fn view(
        &mut self,
        page: &Arc<Page>,
        request: &RenderRequest,
        destination: &Destination<'_>,
    ) -> Result<(), BackendError> {
        if request.filters.after.is_active() {
            self.filter_view(page, request, destination)
        } else if let Some(oblique) = ObliquePlane::of(page) {
            self.slice(page, &oblique, request, destination)
        } else {
            let plan = launch_plan(&self.launcher.device.limits, page, request)?;
            self.interpolate(page, request, plan, destination)
        }
    }

    /// Launches what `plan`, that of a request without filters after the interpolation, takes; the pixels go to `destination`, which
    /// has the request's size.
    ///
    /// What the launches below rely on: the plane is borrowed from the cache and its arguments describe its own memory or
    /// texture; kernels bring every index within what is stored by the address modes, but the `direct` ones, whose plan says
    /// that all samples of a view of this size lie inside; the destination has room, as checked here. Memory is freed in the
    /// order of the stream, and textures wait for it.
    pub(crate) fn interpolate(
        &mut self,
        page: &Arc<Page>,
        request: &RenderRequest,
        plan: LaunchPlan,
        destination: &Destination<'_>,
    ) -> Result<(), BackendError> {
        destination.check(request.size.sides(), floats_of(page.channels()))?;
        check(destination.size_px() == request.size.sides(), "a picture has another size than where it goes")?;
        let Self { launcher, planes, passes, weights, between, filters, prepared, .. } = self;
        let plane = planes.get(launcher, filters, prepared, page, request)?;
        let view = Interpolation::new(page, request, destination, &launcher.device);
        let (sampler, block, device) = (&request.sampler, launcher.pixel_block(), &mut launcher.device);
        let method = sampler.method;
        #[expect(unsafe_code, reason = "kernels are launched")]
        // SAFETY: see above. Each launch is made by `Interpolation` for this plane and destination and the plan of the request,
        // with weights and tables of its method, whose memory the caches free in stream order. `between` is kept until both
        // passes are queued.
        unsafe {
            match plan {
                LaunchPlan::Tiled(tile) => {
                    let curves = weights.polynomials(device, method)?;
                    let launch = view.tiled(plane, curves, device, tile);
                    launcher.launch(&launch)?;
                }
                LaunchPlan::Direct(direct) => {
                    let curves = weights.polynomials(device, method)?;
                    let launch = view.direct(plane, curves, device, direct)?;
                    launcher.launch(&launch)?;
                }
                LaunchPlan::Columns(columns) => {
                    let curves = weights.polynomials(device, method)?;
                    let launch = view.columns(plane, curves, device, columns)?;
                    launcher.launch(&launch)?;
                }
                LaunchPlan::Gather(form) => {
                    let texture = plane.texture_arguments(device, sampler, false)?;
                    let curves = weights.polynomials(device, method)?;
                    launcher.launch(&view.pixels(TypedEntry::gather(form, view.taps), texture, curves, block))?;
                }
                LaunchPlan::Points(form) => {
                    let texture = plane.texture_arguments(device, sampler, false)?;
                    let curves = weights.polynomials(device, method)?;
                    let entry = TypedEntry::points(form, view.taps, plane.colour);
                    launcher.launch(&view.pixels(entry, texture, curves, block))?;
                }
                LaunchPlan::Filtered(fetches) => {
                    let texture = plane.texture_arguments(device, sampler, fetches != Fetches::Point)?;
                    let curves = weights.polynomials(device, method)?;
                    let entry = TypedEntry::filtered(fetches, plane.colour);
                    launcher.launch(&view.pixels(entry, texture, curves, block))?;
                }
                LaunchPlan::FilteredTable => {
                    let texture = plane.texture_arguments(device, sampler, true)?;
                    let curves = weights.polynomials(device, method)?;
                    let mut launch = view.pixels(TypedEntry::filtered_table(plane.colour), texture, curves, block);
                    launch.arguments.lookup_table = weights.table(device)?;
                    launcher.launch(&launch)?;
                }
                LaunchPlan::Memory => {
                    let kernel = weights.curve(device, method)?;
                    let launch = view.memory(plane, kernel, device, block);
                    launcher.launch(&launch)?;
                }
                LaunchPlan::Warped => {
                    let kernel = weights.curve(device, method)?;
                    let launch = view.warped(plane, kernel, device, (page.size(), block));
                    launcher.launch(&launch)?;
                }
                LaunchPlan::Passes => {
                    let tables = passes.get(device, view.tables_key(page), view.axes(page), &view.map)?;
                    let row_values = tables.values_a_row() * floats_of(page.channels());
                    let between = between.reserve(device, row_values * request.size.height() as usize)?;
                    let [vertical, horizontal] = view.passes(plane, tables, device, device.address(&between));
                    launcher.launch(&vertical)?;
                    launcher.launch(&horizontal)?;
                }
            }
        }
        Ok(())
    }

    /// Launches the kernel of an oblique plane; the pixels go to `destination`, which has the request's size.
    fn slice(
        &mut self,
        page: &Page,
        oblique: &ObliquePlane,
        request: &RenderRequest,
        destination: &Destination<'_>,
    ) -> Result<(), BackendError> {
        destination.check(request.size.sides(), floats_of(page.channels()))?;
        check(destination.size_px() == request.size.sides(), "a picture has another size than where it goes")?;
        if request.size.height().div_ceil(PIXEL_BLOCK[1]) > MAX_GRID_ROWS {
            return Err(BackendError::Limit { what: format!("an output of {}", request.size) });
        }
        let Self { launcher, slices, weights, .. } = self;
        let view = Interpolation::new(page, request, destination, &launcher.device);
        let grid = slices.get(launcher, oblique, &request.sampler)?;
        let method = request.sampler.method;
        let curves = match SliceWeights::of(method) {
            SliceWeights::Curves(_) => weights.polynomials(&mut launcher.device, method)?,
            SliceWeights::Cubics(_) | SliceWeights::Any => WeightCurves::default(),
        };
        #[expect(unsafe_code, reason = "a kernel is launched")]
        // SAFETY: the arguments are those of a volume and of weights that `slices` and `weights` keep and free in stream order; a
        // position reads a run of stored values, wherever it is. The destination has room, as checked.
        unsafe {
            if request.warp.is_none() {
                launcher.launch(&view.slice(oblique.frame(), grid, curves, launcher.pixel_block()))?;
            } else {
                launcher.launch(&view.warped_slice(oblique.frame(), grid))?;
            }
        }
        Ok(())
    }

    /// The view with as much around it as the filters after the interpolation reach, then those filters.
    fn filter_view(
        &mut self,
        page: &Arc<Page>,
        request: &RenderRequest,
        destination: &Destination<'_>,
    ) -> Result<(), BackendError> {
        let around = request.around_view()?;
        let size_px = around.size.sides();
        let values = self.around.reserve(&self.launcher.device, around.size.area() * floats_of(page.channels()))?;
        let view = Destination::values(DeviceBuffer::Floats(Arc::clone(&values)), size_px, floats_of(page.channels()))?;
        self.view(page, &around, &view)?;
        let like = Plane {
            address: request.sampler.address.map(|address| address as i32),
            border: request.sampler.border,
            has_alpha: i32::from(page.channels().has_alpha()),
            ..Plane::default()
        };
        let input = Input::of_values(&self.launcher.device, values, size_px, page.channels(), like)?;
        let extent = Extent::Middle { first: around.first_pixel(page.size()) };
        self.filters.run(&mut self.launcher, (&request.filters.after, extent), input, destination)
    }

    /// `chain` over all samples of `page` into `destination`, for measurements of its own: nothing of it is kept.
    pub(crate) fn filter_page(
        &mut self,
        page: &Arc<Page>,
        chain: &Chain,
        destination: &Destination<'_>,
    ) -> Result<(), BackendError> {
        let request = RenderRequest::new(page.size());
        let plane = self.planes.get(&mut self.launcher, &mut self.filters, &mut self.prepared, page, &request)?;
        let input =
            plane.filter_input(&self.launcher.device, (page.channels(), &request.sampler), reads_texture(chain))?;
        self.filters.run(&mut self.launcher, (chain, Extent::Whole), input, destination)
    }

    /// A Gaussian over all samples of a grey `page` into `destination`, by two passes that transpose, for measurements and tests.
    pub(crate) fn blur_transposed(
        &mut self,
        page: &Arc<Page>,
        blur: &GaussianBlur,
        destination: &Destination<'_>,
    ) -> Result<(), BackendError> {
        let request = RenderRequest::new(page.size());
        let plane = self.planes.get(&mut self.launcher, &mut self.filters, &mut self.prepared, page, &request)?;
        let input = plane.filter_input(&self.launcher.device, (page.channels(), &request.sampler), true)?;
        self.filters.run_transposed(&mut self.launcher, blur, &input, destination)
    }

    /// The plane that `request` reads, for measurements of its own.
    pub(crate) fn plane(
        &mut self,
        page: &Arc<Page>,
        request: &RenderRequest,
    ) -> Result<(&mut DevicePlane, &mut Device), BackendError> {
        let plane = self.planes.get(&mut self.launcher, &mut self.filters, &mut self.prepared, page, request)?;
        Ok((plane, &mut self.launcher.device))
    }
}

/// Checks that CUDA implements the components and the filters of `request` and of the request that it subtracts, but the filters that
/// the host applies before the upload.
fn check_features(request: &RenderRequest) -> Result<(), BackendError> {
    if request.is_derived() {
        return Err(BackendError::Unsupported { backend: BackendKind::Cuda, what: Feature::Component });
    }
    for filters in std::iter::once(&request.filters).chain(request.subtract.as_ref().map(|other| &other.filters)) {
        check_filters(&filters.before.split_behind_inpainting().1)?;
        check_filters(&filters.after)?;
    }
    Ok(())
}
