//! The launches of an interpolation: entry, arguments and grid, from a request and the plan that serves it.

use cudarc::driver::{LaunchConfig, sys};

use super::axis_tables::{TwoPassTables, TwoPassTablesKey};
use super::planes::DevicePlane;
use crate::backend::cuda::abi::arguments::{
    KernelCurve, Map, MemoryArguments, PassArguments, PixelArguments, Plane, Target, TiledArguments, WeightCurves,
};
use crate::backend::cuda::abi::grid_arguments::GridArguments;
use crate::backend::cuda::abi::output::Output;
use crate::backend::cuda::abi::slice_arguments::{SliceArguments, WarpedSliceArguments};
use crate::backend::cuda::abi::warp_arguments::{MAX_SHIFTS, WarpArguments, WarpedArguments};
use crate::backend::cuda::driver::destination::Destination;
use crate::backend::cuda::driver::device::Device;
use crate::backend::cuda::kernels::entry::TypedEntry;
use crate::backend::cuda::kernels::grid::{bands_config, pixel_config, pixel_warps_config, rows_config};
use crate::backend::cuda::kernels::launch::Launch;
use crate::backend::cuda::plan::columns::Columns;
use crate::backend::cuda::plan::direct::Direct;
use crate::backend::cuda::plan::slices::SliceWeights;
use crate::backend::cuda::plan::tiled::{Tile, WARPS};
use crate::backend::{BackendError, RenderRequest};
use crate::image::{Page, Size};
use crate::sampling::Axis;
use crate::view::ImageFromOutput;
use crate::volume::PlaneFrame;
use crate::warp::{WarpNumbers, WarpedMap};

/// A request and its destination, as all launches of an interpolation take them.
pub(crate) struct Interpolation<'a> {
    request: &'a RenderRequest,
    pub(crate) map: ImageFromOutput,
    target: Target,
    output: Output,
    pub(crate) taps: usize,
}

impl<'a> Interpolation<'a> {
    /// The interpolation of `request` from `page` into `destination`, which has the size of the request.
    pub(crate) fn new(page: &Page, request: &'a RenderRequest, destination: &Destination<'_>, device: &Device) -> Self {
        Self {
            request,
            map: request.view.image_from_output(request.size, page.size()),
            target: destination.target(device),
            output: destination.output(),
            taps: request.sampler.method.kernel().taps,
        }
    }

    /// One block a tile, from its footprint in shared memory.
    pub(crate) fn tiled(
        &self,
        plane: &DevicePlane,
        curves: WeightCurves,
        device: &Device,
        tile: Tile,
    ) -> Launch<TiledArguments> {
        let arguments = plane.arguments(device, &self.request.sampler);
        // A kernel of one tap reads the sample at ⌊x + ½⌋.
        let rounding = if self.taps == 1 { 0.5 } else { 0.0 };
        let [(start_x, step_x), (start_y, step_y)] = [0, 1].map(|axis| {
            let samples_before = f64::from(curves.taps_before - arguments.halo[axis]) - rounding;
            Tile::start_and_step(&self.map, axis, samples_before)
        });
        Launch {
            entry: TypedEntry::tiled(plane.kind, plane.colour, self.taps, self.output),
            arguments: TiledArguments {
                map: Map::from(&self.map),
                plane: arguments,
                target: self.target,
                curves,
                start: [start_x, start_y],
                step: [step_x, step_y],
                rows_a_warp: tile.rows_a_warp as i32,
                rows: tile.rows as i32,
                groups: tile.groups as i32,
                groups_inverse: tile.groups_inverse(),
                rows_at_once: tile.rows_at_once() as i32,
                row_floats: tile.row_floats as i32,
            },
            config: warps_config(tile.grid(self.request.size), tile.shared_bytes),
        }
    }

    /// Samples loaded into registers.
    ///
    /// # Errors
    /// If there is no such kernel for the plane.
    pub(crate) fn direct(
        &self,
        plane: &DevicePlane,
        curves: WeightCurves,
        device: &Device,
        direct: Direct,
    ) -> Result<Launch<TiledArguments>, BackendError> {
        let entry = TypedEntry::direct(plane.kind, direct, self.taps, self.output);
        Ok(Launch {
            entry: entry.ok_or_else(|| BackendError::Limit { what: "a plane of floats".to_owned() })?,
            arguments: TiledArguments {
                map: Map::from(&self.map),
                plane: plane.arguments(device, &self.request.sampler),
                target: self.target,
                curves,
                rows_a_warp: direct.rows_a_warp as i32,
                ..TiledArguments::default()
            },
            config: warps_config(direct.grid(self.request.size), 0),
        })
    }

    /// Samples loaded into registers, of any plane.
    ///
    /// # Errors
    /// If there is no such kernel for the plane.
    pub(crate) fn columns(
        &self,
        plane: &DevicePlane,
        curves: WeightCurves,
        device: &Device,
        columns: Columns,
    ) -> Result<Launch<TiledArguments>, BackendError> {
        let entry = TypedEntry::columns(plane.kind, plane.colour, columns.unit, self.taps, self.output);
        Ok(Launch {
            entry: entry.ok_or_else(|| BackendError::Limit { what: "a plane of floats".to_owned() })?,
            arguments: TiledArguments {
                map: Map::from(&self.map),
                plane: plane.arguments(device, &self.request.sampler),
                target: self.target,
                curves,
                rows_a_warp: columns.rows_a_warp as i32,
                ..TiledArguments::default()
            },
            config: warps_config(columns.grid(self.request.size), 0),
        })
    }

    /// One thread a pixel through the texture of `plane`, by `entry`, in blocks of `block` threads.
    pub(crate) fn pixels(
        &self,
        entry: TypedEntry<PixelArguments>,
        plane: Plane,
        curves: WeightCurves,
        block: [u32; 2],
    ) -> Launch<PixelArguments> {
        Launch {
            entry,
            arguments: PixelArguments {
                map: Map::from(&self.map),
                plane,
                target: self.target,
                curves,
                ..PixelArguments::default()
            },
            config: pixel_config(block, self.request.size),
        }
    }

    /// One thread a pixel from global memory.
    pub(crate) fn memory(
        &self,
        plane: &DevicePlane,
        kernel: KernelCurve,
        device: &Device,
        block: [u32; 2],
    ) -> Launch<MemoryArguments> {
        let RenderRequest { sampler, size, .. } = self.request;
        Launch {
            entry: TypedEntry::memory(plane.kind, plane.colour),
            arguments: MemoryArguments {
                map: Map::from(&self.map),
                plane: plane.arguments(device, sampler),
                target: self.target,
                kernel,
                stretch: self.request.stretches().map(|stretch| stretch.unwrap_or(0.0)),
            },
            config: pixel_config(block, *size),
        }
    }

    /// One thread a pixel from global memory, through the request's warp, for an image of this size in blocks of `block` threads.
    pub(crate) fn warped(
        &self,
        plane: &DevicePlane,
        kernel: KernelCurve,
        device: &Device,
        (image, block): (Size, [u32; 2]),
    ) -> Launch<WarpedArguments> {
        let RenderRequest { sampler, size, .. } = self.request;
        Launch {
            entry: TypedEntry::warped(plane.kind, plane.colour),
            arguments: WarpedArguments {
                memory: MemoryArguments {
                    map: Map::from(&self.map),
                    plane: plane.arguments(device, sampler),
                    target: self.target,
                    kernel,
                    stretch: [0.0; 2],
                },
                warp: self.warp(image),
                blur: sampler.blur,
                largest_scale: self.request.largest_local_scale(),
                antialias: i32::from(sampler.antialias),
            },
            config: pixel_config(block, *size),
        }
    }

    /// The request's warp for an image of this size.
    fn warp(&self, image: Size) -> WarpArguments {
        let map = self.request.map(image);
        let WarpNumbers { kind, sides, middle, numbers, size: handles, shifts: displacements } = map.numbers();
        let mut shifts = [0.0; MAX_SHIFTS];
        shifts.iter_mut().zip(displacements.as_flattened()).for_each(|(to, shift)| *to = *shift);
        WarpArguments {
            sides,
            middle,
            numbers,
            least_divisor: WarpedMap::LEAST_DIVISOR,
            reach: WarpedMap::REACH,
            kind: kind as i32,
            handles: handles.map(u32::cast_signed),
            shifts,
        }
    }

    /// An oblique plane with this frame, whose volume is `grid`: one thread a pixel in blocks of `block` threads, or a warp a pixel
    /// for any weights. `curves` are the weights of a method that has [`SliceWeights::Curves`].
    pub(crate) fn slice(
        &self,
        frame: &PlaneFrame,
        grid: GridArguments,
        curves: WeightCurves,
        block: [u32; 2],
    ) -> Launch<SliceArguments> {
        let weights = SliceWeights::of(self.request.sampler.method);
        let size = self.request.size;
        Launch {
            entry: TypedEntry::slice(weights),
            arguments: SliceArguments { curves, ..self.slice_arguments(frame, grid) },
            config: if weights == SliceWeights::Any { pixel_warps_config(size) } else { pixel_config(block, size) },
        }
    }

    /// An oblique plane with this frame through the request's warp, a warp of threads a pixel.
    pub(crate) fn warped_slice(&self, frame: &PlaneFrame, grid: GridArguments) -> Launch<WarpedSliceArguments> {
        let slice = self.slice_arguments(frame, grid);
        Launch {
            entry: TypedEntry::slice_warped(),
            arguments: WarpedSliceArguments { slice, warp: self.warp(frame.size()) },
            config: pixel_warps_config(self.request.size),
        }
    }

    fn slice_arguments(&self, frame: &PlaneFrame, grid: GridArguments) -> SliceArguments {
        let [origin, across, down] = [frame.origin, frame.across, frame.down].map(|[x, y, z]| [z, y, x]);
        let (map, target) = (Map::from(&self.map), self.target);
        SliceArguments { grid, curves: WeightCurves::default(), map, target, origin, across, down }
    }

    /// The key of the axis tables.
    pub(crate) fn tables_key(&self, page: &Page) -> TwoPassTablesKey {
        let RenderRequest { sampler, view, size, .. } = self.request;
        TwoPassTablesKey { page: page.id(), size: *size, view: *view, sampler: *sampler }
    }

    /// The x and the y axis of the plane that is read.
    pub(crate) fn axes(&self, page: &Page) -> [Axis; 2] {
        let sampler = &self.request.sampler;
        [0, 1].map(|axis| Axis {
            len: page.size().sides()[axis],
            halo: sampler.halo(axis),
            address: sampler.address[axis],
        })
    }

    /// Both passes by axis tables. `between` has room for the values of each row of the output.
    pub(crate) fn passes(
        &self,
        plane: &DevicePlane,
        tables: &TwoPassTables,
        device: &Device,
        between: sys::CUdeviceptr,
    ) -> [Launch<PassArguments>; 2] {
        let RenderRequest { sampler, size, .. } = self.request;
        let arguments = PassArguments {
            plane: plane.arguments(device, sampler),
            target: self.target,
            horizontal: tables.horizontal,
            vertical: tables.vertical,
            columns: tables.columns,
            bands: tables.bands,
            fours: tables.fours as i32,
            between,
        };
        // Threads of a row of the first pass: one for four columns of grey, one for each of colour.
        let across = if plane.colour { 4 * tables.fours } else { tables.fours };
        let rows_a_thread = if plane.colour { 1 } else { 4 };
        [
            Launch {
                entry: TypedEntry::pass_vertical(plane.kind, plane.colour),
                arguments,
                config: rows_config(across, size.height().div_ceil(4)),
            },
            Launch {
                entry: TypedEntry::pass_horizontal(plane.colour),
                arguments,
                config: bands_config(*size, rows_a_thread),
            },
        ]
    }
}

/// Blocks of warps that each compute several rows.
fn warps_config(grid_dim: (u32, u32, u32), shared_mem_bytes: u32) -> LaunchConfig {
    LaunchConfig { grid_dim, block_dim: (32 * WARPS, 1, 1), shared_mem_bytes }
}
