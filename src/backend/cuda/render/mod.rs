//! From a request and its route to launches: what each kernel is told.

pub(crate) mod axis_tables;
pub(crate) mod filters;
pub(crate) mod input;
pub(crate) mod needs;
pub(crate) mod planes;
mod weight_memory;

use std::collections::HashMap;
use std::sync::Arc;

use cudarc::driver::{CudaSlice, LaunchConfig, sys};

use self::axis_tables::{PassesCache, PassesKey};
use self::filters::{Extent, FilterMemory, check_filters};
use self::input::Input;
use self::planes::{DevicePlane, PlaneCache};
use self::weight_memory::WeightMemory;
use super::abi::arguments::{
    DisplayArguments, Map, MemoryArguments, PassArguments, PixelArguments, Plane, TiledArguments,
};
use super::abi::sample_kind::floats_of;
use super::driver::destination::{Destination, DeviceBuffer};
use super::driver::device::Device;
use super::driver::fault::{Fault, check, missing};
use super::driver::scratch::Scratch;
use super::driver::surface::Canvas;
use super::kernels::entry::TypedEntry;
use super::kernels::grid::{pixel_config, rows_config};
use super::kernels::launch::Launcher;
use super::plan::tiled::{Tile, WARPS};
use super::plan::{Fetches, Route, route};
use crate::backend::{BackendError, COLOUR_STEPS, ColourMap, PreparedCache, RenderRequest, page_of, page_to_subtract};
use crate::filter::Chain;
use crate::image::{Channels, Image, Page};
use crate::sampling::Axis;

/// A device and all that is kept on it.
#[derive(Debug)]
pub(crate) struct Renderer {
    prepared: PreparedCache,
    planes: PlaneCache,
    passes: PassesCache,
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
            passes: PassesCache::default(),
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
        self.passes.clear();
        self.weights.clear();
        self.filters = FilterMemory::default();
        for scratch in [&mut self.around, &mut self.between, &mut self.mapped].into_iter().chain(&mut self.values) {
            scratch.clear();
        }
    }

    /// Makes the buffer of mapped values hold `len` of them, no more and no less.
    pub(crate) fn hold(&mut self, len: usize) -> Result<(), Fault> {
        self.mapped.clear();
        self.launcher.device.finish()?;
        self.mapped.reserve(&self.launcher.device, len).map(drop)
    }

    /// Fills the buffers of values with what is no number.
    pub(crate) fn poison(&mut self) -> Result<(), Fault> {
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
        let page = page_of(image, request)?;
        request.check(page)?;
        check_request_filters(request)?;
        if request.channels(page.channels()) != Channels::Grey && !canvas.is_rgba() {
            return Err(BackendError::Limit { what: "a colour in a grey texture".to_owned() });
        }
        let destination = Destination::surface(canvas, request.size)?;
        let display = &request.display;
        let plain = display.tone().is_identity() && request.subtract.is_none();
        if plain && (display.colour_map.is_grey() || page.channels().has_colour()) {
            let route = route(&self.launcher.device.limits, page, request)?;
            return self.interpolate(page, request, route, &destination);
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
        let page = page_of(image, request)?;
        request.check(page)?;
        check_request_filters(request)?;
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
            Some(other) => Some((page_to_subtract(image, first, other)?, other.as_ref())),
            None => None,
        };
        for (place, what) in [Some((first, request)), second].into_iter().enumerate() {
            let Some((page, request)) = what else { continue };
            let channels = floats_of(page.channels());
            let values = self.values[place].reserve(&self.launcher.device, request.size.area() * channels)?;
            let destination = Destination::values(DeviceBuffer::Floats(values), request.size.sides(), channels)?;
            let route = route(&self.launcher.device.limits, page, request)?;
            self.interpolate(page, request, route, &destination)?;
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
        let colours = if grey && !display.colour_map.is_grey() { self.colour_map(display.colour_map)? } else { 0 };
        let channels = floats_of(page.channels());
        let out_channels = request.channels(page.channels()).count();
        destination.check(request.size.sides(), out_channels)?;
        check(destination.size_px() == request.size.sides(), "a picture has another size than where it goes")?;
        let subtracts = request.subtract.is_some();
        let value_count = request.size.area() * channels;
        let buffer = |scratch: &Scratch| {
            let values = scratch.get().ok_or_else(|| missing("values are lost"))?;
            check(values.len() >= value_count, "a display mapping reads beyond its values")?;
            Ok::<_, Fault>(self.launcher.device.address(values))
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
            Ok(self.launcher.launch(TypedEntry::display(), &arguments, config)?)
        }
    }

    /// Where a colour map's table is on the device.
    fn colour_map(&mut self, colour_map: ColourMap) -> Result<sys::CUdeviceptr, Fault> {
        if !self.colours.contains_key(&colour_map) {
            let table = self.launcher.device.upload(colour_map.table().as_flattened().to_vec())?;
            self.colours.insert(colour_map, table);
        }
        Ok(self.colours.get(&colour_map).map_or(0, |table| self.launcher.device.address(table)))
    }

    /// Launches what `route`, the request's own, takes; the pixels go to `destination`, which has the request's size.
    ///
    /// What the launches below rely on: the plane is borrowed from the cache and its arguments describe its own memory or
    /// texture; kernels bring every index within what is stored by the address modes, but the `direct` ones, whose route says
    /// that all samples of a view of this size lie inside; the destination has room, as checked here. Memory is freed in the
    /// order of the stream, and textures wait for it.
    pub(crate) fn interpolate(
        &mut self,
        page: &Arc<Page>,
        request: &RenderRequest,
        route: Route,
        destination: &Destination<'_>,
    ) -> Result<(), BackendError> {
        destination.check(request.size.sides(), floats_of(page.channels()))?;
        check(destination.size_px() == request.size.sides(), "a picture has another size than where it goes")?;
        if request.filters.after.is_active() {
            return self.filter_view(page, request, destination);
        }
        let (target, output) = (destination.target(&self.launcher.device), destination.output());
        let sampler = &request.sampler;
        let plane = self.planes.get(&mut self.launcher, &mut self.filters, &mut self.prepared, page, request)?;
        let map = request.view.image_from_output(request.size, page.size());
        let (method, taps) = (sampler.method, sampler.method.kernel().taps);
        let (kind, colour) = (plane.kind, plane.colour);
        match route {
            Route::Tiled(tile) => {
                let plane = plane.arguments(&self.launcher.device, sampler);
                let curves = self.weights.polynomials(&mut self.launcher.device, method)?;
                let start_and_step = [0, 1].map(|axis| {
                    let before = f64::from(curves.before - plane.halo[axis]) - if taps == 1 { 0.5 } else { 0.0 };
                    Tile::start_and_step(&map, axis, before)
                });
                let arguments = TiledArguments {
                    map: Map::from(&map),
                    plane,
                    target,
                    curves,
                    start: start_and_step.map(|(start, _)| start),
                    step: start_and_step[0].1,
                    rows_a_warp: tile.rows_a_warp as i32,
                    rows: tile.rows as i32,
                    groups: tile.groups as i32,
                    groups_inverse: tile.groups_inverse(),
                    rows_at_once: tile.rows_at_once() as i32,
                    row_floats: tile.row_floats as i32,
                };
                let config = LaunchConfig {
                    grid_dim: tile.grid(request.size),
                    block_dim: (32 * WARPS, 1, 1),
                    shared_mem_bytes: tile.shared_bytes,
                };
                let entry = TypedEntry::tiled(kind, colour, taps, output);
                #[expect(unsafe_code, reason = "a kernel is launched")]
                // SAFETY: as above; the tile's shared memory holds the footprint of its blocks at this scale, and the weights
                // are of a method with as many taps. Their memory is kept by `self` and freed in the order of the stream.
                unsafe {
                    Ok(self.launcher.launch(entry, &arguments, config)?)
                }
            }
            Route::Direct(direct) => {
                let arguments = TiledArguments {
                    map: Map::from(&map),
                    plane: plane.arguments(&self.launcher.device, sampler),
                    target,
                    curves: self.weights.polynomials(&mut self.launcher.device, method)?,
                    rows_a_warp: direct.rows_a_warp as i32,
                    ..TiledArguments::default()
                };
                let config = LaunchConfig {
                    grid_dim: direct.grid(request.size),
                    block_dim: (32 * WARPS, 1, 1),
                    shared_mem_bytes: 0,
                };
                let entry = TypedEntry::direct(kind, direct, taps, output);
                let entry = entry.ok_or_else(|| BackendError::Limit { what: "a plane of floats".to_owned() })?;
                #[expect(unsafe_code, reason = "a kernel is launched")]
                // SAFETY: as above; `Direct::new` served this map in an output of this size, so that all that a thread reads is
                // stored. The weights are numbers in the arguments.
                unsafe {
                    Ok(self.launcher.launch(entry, &arguments, config)?)
                }
            }
            Route::Gather(_) | Route::Points(_) | Route::Filtered(_) | Route::FilteredTable => {
                let linear = match route {
                    Route::Filtered(fetches) => fetches != Fetches::Point,
                    _ => route == Route::FilteredTable,
                };
                let plane = plane.texture_arguments(&self.launcher.device, sampler, linear)?;
                let entry = match route {
                    Route::Gather(weights) => TypedEntry::gather(weights, taps),
                    Route::Points(weights) => TypedEntry::points(weights, taps, colour),
                    Route::Filtered(fetches) => TypedEntry::filtered(fetches, colour),
                    _ => TypedEntry::filtered_table(),
                };
                let lookup_table =
                    if route == Route::FilteredTable { self.weights.table(&mut self.launcher.device)? } else { 0 };
                let curves = self.weights.polynomials(&mut self.launcher.device, method)?;
                let arguments = PixelArguments { map: Map::from(&map), plane, target, curves, lookup_table };
                let config = pixel_config(self.launcher.pixel_block(), request.size);
                #[expect(unsafe_code, reason = "a kernel is launched")]
                // SAFETY: as above; textures answer every coordinate by their address modes, and the plane and the renderer
                // keep them, as they do the memory of the weights, which are of a method with as many taps.
                unsafe {
                    Ok(self.launcher.launch(entry, &arguments, config)?)
                }
            }
            Route::Memory => {
                let arguments = MemoryArguments {
                    map: Map::from(&map),
                    plane: plane.arguments(&self.launcher.device, sampler),
                    target,
                    kernel: self.weights.curve(&mut self.launcher.device, method)?,
                    stretch: sampler.stretch(request.view.scale()).unwrap_or(0.0),
                };
                let entry = TypedEntry::memory(kind, colour);
                let config = pixel_config(self.launcher.pixel_block(), request.size);
                #[expect(unsafe_code, reason = "a kernel is launched")]
                // SAFETY: as above; every index of a sample goes through the address mode, the request's support is at most
                // MAX_ROTATED_SUPPORT, and the curve's bins bound every read of its memory.
                unsafe {
                    Ok(self.launcher.launch(entry, &arguments, config)?)
                }
            }
            Route::Passes => {
                let plane = plane.arguments(&self.launcher.device, sampler);
                let key = PassesKey { page: page.id(), size: request.size, view: request.view, sampler: *sampler };
                let axes = [0, 1].map(|axis| Axis {
                    len: page.size().sides()[axis],
                    halo: sampler.halo(axis),
                    address: sampler.address[axis],
                });
                let passes = self.passes.get(&mut self.launcher.device, key, axes, &map)?;
                let row_values = request.size.width() as usize * floats_of(page.channels());
                let between = self.between.reserve(&self.launcher.device, row_values * passes.row_count as usize)?;
                let first = PassArguments {
                    plane,
                    target,
                    starts: passes.across.starts,
                    indices: passes.across.indices,
                    weights: passes.across.weights,
                    rows: passes.rows,
                    count: [request.size.width() as i32, passes.row_count as i32],
                    between: self.launcher.device.address(&between),
                };
                let second = PassArguments {
                    starts: passes.down.starts,
                    indices: passes.down.indices,
                    weights: passes.down.weights,
                    count: [request.size.width() as i32, request.size.height() as i32],
                    ..first
                };
                let across = rows_config(request.size.width(), passes.row_count);
                let down = rows_config(request.size.width(), request.size.height());
                #[expect(unsafe_code, reason = "kernels are launched")]
                // SAFETY: as above; the tables are of these axes and this size, their indices within the stored samples and the
                // rows between, and the cache keeps them. `between` has a row of values for each row that the first pass
                // makes, and is kept until after both launches; the second reads it in the order of the stream.
                unsafe {
                    self.launcher.launch(TypedEntry::pass_across(kind, colour), &first, across)?;
                    Ok(self.launcher.launch(TypedEntry::pass_down(colour), &second, down)?)
                }
            }
        }
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
        let route = route(&self.launcher.device.limits, page, &around)?;
        self.interpolate(page, &around, route, &view)?;
        let like = Plane {
            address: request.sampler.address.map(|address| address as i32),
            border: request.sampler.border,
            has_alpha: i32::from(page.channels().has_alpha()),
            ..Plane::default()
        };
        let input = Input::of_values(&self.launcher.device, values, size_px, page.channels(), like)?;
        self.filters.run(&mut self.launcher, (&request.filters.after, Extent::Middle), input, destination)
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
        let input = plane.filter_input(&self.launcher.device, (page.channels(), &request.sampler), chain)?;
        self.filters.run(&mut self.launcher, (chain, Extent::Whole), input, destination)
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

/// Checks that CUDA implements the filters of `request` and of the request that it subtracts.
fn check_request_filters(request: &RenderRequest) -> Result<(), BackendError> {
    for filters in std::iter::once(&request.filters).chain(request.subtract.as_ref().map(|other| &other.filters)) {
        check_filters(&filters.before)?;
        check_filters(&filters.after)?;
    }
    Ok(())
}
