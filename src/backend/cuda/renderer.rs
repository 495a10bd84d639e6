//! From a request and its route to launches: what each kernel is told.

use std::collections::HashMap;
use std::sync::Arc;

use cudarc::driver::{CudaSlice, LaunchConfig, sys};

use super::arguments::{
    DisplayArguments, Map, Output, PassArguments, PixelArguments, Plane, Target, TiledArguments, WeightCurves,
};
use super::curves::Curves;
use super::device::{Device, Fault, because};
use super::filters::{Extent, FilterMemory, Input};
use super::kernels::{Entry, SampleKind};
use super::passes::{PassesCache, PassesKey};
use super::plane::{DevicePlane, PlaneCache};
use super::route::{GRID_DOWN, PIXEL_BLOCK, Route, route, side};
use super::texture::{Array, ArrayUse, Reads, Texture, TextureUse};
use super::tiled::{Tile, WARPS};
use super::weight_table::weight_table;
use crate::backend::{BackendError, COLOUR_STEPS, ColourMap, PreparedCache, RenderRequest, page_of, page_to_subtract};
use crate::filter::Chain;
use crate::image::{Channels, Image, Page, Size};
use crate::sampling::{Address, Axis, Method};

/// Threads of a block of a kernel that goes along rows.
const ROW_BLOCK: u32 = 128;

/// A surface that pixels are written to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Canvas {
    pub(super) surface: sys::CUsurfObject,
    /// Four bytes a pixel, not one.
    pub(super) rgba: bool,
}

/// A device and all that is kept on it.
#[derive(Debug)]
pub(super) struct Renderer {
    prepared: PreparedCache,
    planes: PlaneCache,
    passes: PassesCache,
    curves: HashMap<Method, (WeightCurves, Option<CudaSlice<f32>>)>,
    colours: HashMap<ColourMap, CudaSlice<f32>>,
    /// The B-spline's weights as a table, once that form was asked for; the texture before what it reads.
    weight_table: Option<(Texture, Array)>,
    filters: FilterMemory,
    /// The view and what is around it, before the filters after the interpolation.
    around: Option<CudaSlice<f32>>,
    /// Values between two passes.
    between: Option<CudaSlice<f32>>,
    /// Values before the display mapping: the request's, and those that are subtracted.
    values: [Option<CudaSlice<f32>>; 2],
    /// Mapped values for a file.
    mapped: Option<CudaSlice<f32>>,
    pub(super) device: Device,
}

impl Drop for Renderer {
    fn drop(&mut self) {
        // What is freed after this wants its context current; where it is lost there is nothing left to free.
        let _ = self.device.context.bind_to_thread();
    }
}

impl Renderer {
    pub(super) fn new(device: Device) -> Self {
        Self {
            prepared: PreparedCache::default(),
            planes: PlaneCache::default(),
            passes: PassesCache::default(),
            curves: HashMap::new(),
            colours: HashMap::new(),
            weight_table: None,
            filters: FilterMemory::default(),
            around: None,
            between: None,
            values: [None, None],
            mapped: None,
            device,
        }
    }

    /// Frees what can be made again.
    pub(super) fn free(&mut self) {
        self.planes.clear();
        self.passes.clear();
        self.filters = FilterMemory::default();
        self.around = None;
        self.between = None;
        self.values = [None, None];
        self.mapped = None;
    }

    /// Makes the buffer of mapped values hold `len` of them, no more and no less.
    pub(super) fn hold(&mut self, len: usize) -> Result<(), Fault> {
        self.mapped = None;
        self.device.finish()?;
        room(&self.device, &mut self.mapped, len).map(drop)
    }

    /// Fills the buffers of values with what is no number.
    pub(super) fn poison(&mut self) -> Result<(), Fault> {
        let [first, second] = &mut self.values;
        let views = [first, second, &mut self.mapped, &mut self.between, &mut self.around];
        for values in views.into_iter().flatten().chain(self.filters.buffers()) {
            let nothing = vec![f32::NAN; values.len()];
            self.device.stream.memcpy_htod(&nothing, values).map_err(because("a copy to the device fails"))?;
        }
        self.device.finish()
    }

    /// Draws `request` to `canvas`, whose pixels are bytes.
    pub(super) fn draw(&mut self, image: &Image, request: &RenderRequest, canvas: Canvas) -> Result<(), BackendError> {
        let page = page_of(image, request)?;
        request.check(page)?;
        if request.channels(page.channels()) != Channels::Grey && !canvas.rgba {
            return Err(BackendError::Limit { what: "a colour in a grey texture".to_owned() });
        }
        let output = if canvas.rgba { Output::Rgba8 } else { Output::Grey8 };
        let target = Target { surface: canvas.surface, output: output as i32, ..target_of(request.size) };
        let display = &request.display;
        let plain = display.tone().is_identity() && display.subtract.is_none();
        if plain && (display.colour_map.is_grey() || page.channels().has_colour()) {
            let route = route(&self.device.limits, page, request)?;
            return self.interpolate(page, request, route, output, target);
        }
        self.fill_values(image, request)?;
        self.show(page, request, target, 0)
    }

    /// The mapped values of `request`, as many channels as a file has.
    pub(super) fn mapped(
        &mut self,
        image: &Image,
        request: &RenderRequest,
        to: &mut [f32],
    ) -> Result<(), BackendError> {
        let page = page_of(image, request)?;
        request.check(page)?;
        self.fill_values(image, request)?;
        let channels = request.channels(page.channels()).count();
        let values = room(&self.device, &mut self.mapped, request.size.area() * channels)?;
        let target = Target { values, output: Output::Values as i32, ..target_of(request.size) };
        self.show(page, request, target, channels as i32)?;
        if let Some(mapped) = &self.mapped {
            let copied = self.device.stream.memcpy_dtoh(&mapped.slice(..to.len()), to);
            copied.map_err(because("a copy to the host fails"))?;
        }
        Ok(self.device.finish()?)
    }

    /// Fills the buffers with the values of `request`, and of the one that it subtracts.
    fn fill_values(&mut self, image: &Image, request: &RenderRequest) -> Result<(), BackendError> {
        let first = page_of(image, request)?;
        let second = match &request.display.subtract {
            Some(other) => Some((page_to_subtract(image, first, other)?, other.as_ref())),
            None => None,
        };
        for (place, what) in [Some((first, request)), second].into_iter().enumerate() {
            let Some((page, request)) = what else { continue };
            let channels = if page.channels() == Channels::Grey { 1 } else { 4 };
            let values = room(&self.device, &mut self.values[place], request.size.area() * channels)?;
            let target = Target { values, output: Output::Values as i32, ..target_of(request.size) };
            let route = route(&self.device.limits, page, request)?;
            self.interpolate(page, request, route, Output::Values, target)?;
        }
        Ok(())
    }

    /// The display mapping, from the buffers to `target`.
    fn show(
        &mut self,
        page: &Page,
        request: &RenderRequest,
        target: Target,
        out_channels: i32,
    ) -> Result<(), BackendError> {
        let display = &request.display;
        let tone = display.tone();
        let grey = !page.channels().has_colour();
        let colours = if grey && !display.colour_map.is_grey() { self.colour_map(display.colour_map)? } else { 0 };
        let buffer =
            |device: &Device, place: &Option<CudaSlice<f32>>| place.as_ref().map_or(0, |values| device.address(values));
        let subtracts = display.subtract.is_some();
        let arguments = DisplayArguments {
            target,
            first: buffer(&self.device, &self.values[0]),
            second: if subtracts { buffer(&self.device, &self.values[1]) } else { 0 },
            colours,
            channels: if page.channels() == Channels::Grey { 1 } else { 4 },
            has_alpha: i32::from(page.channels().has_alpha()),
            is_grey: i32::from(grey),
            colour_steps: COLOUR_STEPS as i32,
            out_channels,
            absolute: i32::from(tone.absolute),
            gain: tone.gain,
            bias: tone.bias,
            power: tone.power,
        };
        let config = rows_config(request.size.width(), request.size.height());
        Ok(self.device.launch(&Entry::display(), &arguments, config)?)
    }

    /// Where a colour map's table is on the device.
    fn colour_map(&mut self, colour_map: ColourMap) -> Result<sys::CUdeviceptr, Fault> {
        if !self.colours.contains_key(&colour_map) {
            let table = self.device.upload(colour_map.table().as_flattened())?;
            self.colours.insert(colour_map, table);
        }
        Ok(self.colours.get(&colour_map).map_or(0, |table| self.device.address(table)))
    }

    /// Launches what `route` takes; `target` knows where the pixels go and `output` what they are.
    pub(super) fn interpolate(
        &mut self,
        page: &Arc<Page>,
        request: &RenderRequest,
        route: Route,
        output: Output,
        target: Target,
    ) -> Result<(), BackendError> {
        if request.filters.after.is_active() {
            return self.filter_view(page, request, target);
        }
        let sampler = &request.sampler;
        let plane = self.planes.get(&mut self.device, &mut self.filters, &mut self.prepared, page, request)?;
        let map = request.view.image_from_output(request.size, page.size());
        let method = sampler.method;
        let (kind, colour) = (plane.kind, plane.colour);
        match route {
            Route::Tiled(tile) => {
                let plane = plane.arguments(&self.device, sampler);
                let curves = curves_of(&mut self.curves, &self.device, method)?;
                let taps = method.row().taps;
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
                let entry = Entry::tiled(kind, colour, taps, output);
                Ok(self.device.launch(&entry, &arguments, config)?)
            }
            Route::Direct(direct) => {
                let arguments = TiledArguments {
                    map: Map::from(&map),
                    plane: plane.arguments(&self.device, sampler),
                    target,
                    curves: curves_of(&mut self.curves, &self.device, method)?,
                    rows_a_warp: direct.rows_a_warp as i32,
                    ..TiledArguments::default()
                };
                let config = LaunchConfig {
                    grid_dim: direct.grid(request.size),
                    block_dim: (32 * WARPS, 1, 1),
                    shared_mem_bytes: 0,
                };
                let entry = Entry::direct(kind, direct.unit, method.row(), output);
                let entry = entry.ok_or_else(|| BackendError::Limit { what: "a plane of floats".to_owned() })?;
                Ok(self.device.launch(&entry, &arguments, config)?)
            }
            Route::Gather | Route::Points | Route::Filtered | Route::FilteredTable => {
                let linear = route == Route::FilteredTable || (route == Route::Filtered && method != Method::Nearest);
                let plane = plane.texture_arguments(&self.device, sampler, linear)?;
                let entry = match route {
                    Route::Gather => Entry::gather(method),
                    Route::Points => Entry::points(method, colour),
                    Route::FilteredTable => Entry::filtered_table(),
                    _ => Entry::filtered(method, colour),
                };
                let mut arguments = PixelArguments { map: Map::from(&map), plane, target, ..PixelArguments::default() };
                if route == Route::FilteredTable {
                    arguments.lookup_table = table_of(&mut self.weight_table, &self.device)?;
                }
                let config = pixel_config(&self.device, request.size);
                Ok(self.device.launch(&entry, &arguments, config)?)
            }
            Route::Memory => {
                let arguments = PixelArguments {
                    map: Map::from(&map),
                    plane: plane.arguments(&self.device, sampler),
                    target,
                    stretch: sampler.stretch(request.view.scale()).unwrap_or(0.0),
                    method: method as i32,
                    ..PixelArguments::default()
                };
                let entry = Entry::memory(kind, colour);
                let config = pixel_config(&self.device, request.size);
                Ok(self.device.launch(&entry, &arguments, config)?)
            }
            Route::Passes => {
                let plane_arguments = plane.arguments(&self.device, sampler);
                self.run_passes(page, request, (plane_arguments, Entry::pass_across(kind, colour), colour), target)
            }
        }
    }

    /// The view with as much around it as the filters after the interpolation reach, then those filters.
    fn filter_view(&mut self, page: &Arc<Page>, request: &RenderRequest, target: Target) -> Result<(), BackendError> {
        let around = request.around_view()?;
        let colour = page.channels() != Channels::Grey;
        let values = room(&self.device, &mut self.around, around.size.area() * if colour { 4 } else { 1 })?;
        let view = Target { values, output: Output::Values as i32, ..target_of(around.size) };
        let route = route(&self.device.limits, page, &around)?;
        self.interpolate(page, &around, route, Output::Values, view)?;
        let input = Input {
            plane: Plane {
                values,
                pitch: view.size_px[0],
                stored: view.size_px,
                address: request.sampler.address.map(|address| address as i32),
                border: request.sampler.border,
                unit: 1.0,
                texel: [1.0; 2],
                has_alpha: i32::from(page.channels().has_alpha()),
                ..Plane::default()
            },
            textured: None,
            kind: SampleKind::F32,
            channels: page.channels(),
            border: request.sampler.border,
        };
        self.filters.run(&mut self.device, (&request.filters.after, Extent::Middle), input, target)
    }

    /// Two passes by tables.
    fn run_passes(
        &mut self,
        page: &Page,
        request: &RenderRequest,
        (plane, across, colour): (Plane, Entry, bool),
        target: Target,
    ) -> Result<(), BackendError> {
        let sampler = &request.sampler;
        let key = PassesKey { page: page.id(), size: request.size, view: request.view, sampler: *sampler };
        let axes = [0, 1].map(|axis| Axis {
            len: side(page.size(), axis),
            halo: sampler.halo(axis),
            address: sampler.address[axis],
        });
        let map = request.view.image_from_output(request.size, page.size());
        let passes = self.passes.get(&self.device, key, axes, &map)?;
        let channels = if colour { 4 } else { 1 };
        let row_values = request.size.width() as usize * channels;
        let between = room(&self.device, &mut self.between, row_values * passes.row_count as usize)?;
        let first = PassArguments {
            plane,
            target,
            starts: passes.across.starts,
            indices: passes.across.indices,
            weights: passes.across.weights,
            rows: passes.rows,
            count: [request.size.width() as i32, passes.row_count as i32],
            between,
        };
        let second = PassArguments {
            starts: passes.down.starts,
            indices: passes.down.indices,
            weights: passes.down.weights,
            count: [request.size.width() as i32, request.size.height() as i32],
            ..first
        };
        self.device.launch(&across, &first, rows_config(request.size.width(), passes.row_count))?;
        let config = rows_config(request.size.width(), request.size.height());
        Ok(self.device.launch(&Entry::pass_down(colour), &second, config)?)
    }

    /// `chain` over all samples of `page` into `target`, for measurements of its own: nothing of it is kept.
    pub(super) fn filter_page(&mut self, page: &Arc<Page>, chain: &Chain, target: Target) -> Result<(), BackendError> {
        let request = RenderRequest::new(page.size());
        let plane = self.planes.get(&mut self.device, &mut self.filters, &mut self.prepared, page, &request)?;
        let input = plane.filter_input(&self.device, (page.channels(), &request.sampler), chain)?;
        self.filters.run(&mut self.device, (chain, Extent::Whole), input, target)
    }

    /// The plane that `request` reads, for measurements of its own.
    pub(super) fn plane(
        &mut self,
        page: &Arc<Page>,
        request: &RenderRequest,
    ) -> Result<(&mut DevicePlane, &mut Device), BackendError> {
        let plane = self.planes.get(&mut self.device, &mut self.filters, &mut self.prepared, page, request)?;
        Ok((plane, &mut self.device))
    }
}

/// The weights of `method`, and the memory that they are in where they are no cubics.
fn curves_of(
    kept: &mut HashMap<Method, (WeightCurves, Option<CudaSlice<f32>>)>,
    device: &Device,
    method: Method,
) -> Result<WeightCurves, Fault> {
    if let Some((curves, _)) = kept.get(&method) {
        return Ok(*curves);
    }
    let row = method.row();
    let before = if row.taps == 1 { 0 } else { row.taps as i32 / 2 - 1 };
    let mut curves = WeightCurves { before, ..WeightCurves::default() };
    let memory = match Curves::new(row) {
        Curves::Cubics(cubics) => {
            curves.cubics.iter_mut().zip(cubics).for_each(|(to, cubic)| *to = cubic);
            None
        }
        Curves::Lanczos(a, terms) => {
            curves.cubics.iter_mut().zip(terms).for_each(|(to, terms)| *to = terms);
            curves.lanczos = a;
            None
        }
        Curves::Segments(terms, segments) => {
            let memory = device.upload(terms.as_flattened())?;
            curves.terms = device.address(&memory);
            curves.segments = segments as i32;
            Some(memory)
        }
    };
    kept.insert(method, (curves, memory));
    Ok(curves)
}

/// The B-spline's weights as a table, interpolated by the texture unit.
fn table_of(kept: &mut Option<(Texture, Array)>, device: &Device) -> Result<sys::CUtexObject, BackendError> {
    if let Some((texture, _)) = kept {
        return Ok(texture.handle());
    }
    let values = weight_table();
    let size =
        Size::new(values.len() as u32 / 4, 1).map_err(|error| BackendError::Limit { what: error.to_string() })?;
    let memory = device.upload(&values)?;
    let array = Array::new(device, size, SampleKind::U16, 4, ArrayUse::Texture)?;
    array.copy_from(device, device.address(&memory), size_of_val(values.as_slice()))?;
    let how = TextureUse { address: [Address::Clamp; 2], linear: true };
    let texture = Texture::new(device, Reads::Array(&array), how)?;
    let handle = texture.handle();
    *kept = Some((texture, array));
    Ok(handle)
}

/// Room for `len` values, kept from frame to frame.
pub(super) fn room(device: &Device, kept: &mut Option<CudaSlice<f32>>, len: usize) -> Result<sys::CUdeviceptr, Fault> {
    if kept.as_ref().is_none_or(|memory| memory.len() < len) {
        *kept = None;
        *kept = Some(device.allocate(len)?);
    }
    Ok(kept.as_ref().map_or(0, |memory| device.address(memory)))
}

/// A target of this size, at its surface's corner.
pub(super) fn target_of(size: Size) -> Target {
    Target { size_px: [size.width() as i32, size.height() as i32], ..Target::default() }
}

/// One thread a pixel.
pub(super) fn pixel_config(device: &Device, size: Size) -> LaunchConfig {
    let [across, down] = device.block.unwrap_or(PIXEL_BLOCK);
    LaunchConfig {
        grid_dim: (size.width().div_ceil(across), size.height().div_ceil(down), 1),
        block_dim: (across, down, 1),
        shared_mem_bytes: 0,
    }
}

/// One thread a pixel in pieces of a row. Of more rows than a grid has blocks downwards a block makes several.
fn rows_config(width: u32, rows: u32) -> LaunchConfig {
    LaunchConfig {
        grid_dim: (width.div_ceil(ROW_BLOCK), rows.min(GRID_DOWN), 1),
        block_dim: (ROW_BLOCK, 1, 1),
        shared_mem_bytes: 0,
    }
}
