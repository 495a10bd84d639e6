//! A grid on the device: its stored values, and what is equal for all points.

use cudarc::driver::{CudaSlice, PinnedHostSlice, sys};

use super::CudaGrids;
use super::arguments::{GridWeightMemory, arguments};
use super::forms::{Form, GridVariant};
use super::prefilter::{Filter, upload_stored};
use crate::backend::BackendError;
use crate::backend::cuda::abi::grid_arguments::GridArguments;
use crate::backend::cuda::driver::device::Device;
use crate::backend::cuda::driver::error::{Context as _, DriverError};
use crate::backend::cuda::driver::volume::{PitchTexture, VolumeTexture};
use crate::filter::ExecOptions;
use crate::grid::{AxisNumbers, Components, Grid, GridError, GridPlan, GridSampler, PointSlice};
use crate::sampling::weight_table;

/// Longest side of an array of one and of three dimensions; a float holds 1/512 beside such a place.
const MOST_TEXELS: [usize; 3] = [32_768, 32_768, 16_384];
/// Alignment of rows of plain memory behind a texture, in bytes.
const ROW_ALIGNMENT: usize = 512;

/// A grid on the device with the coefficients of a sampler, ready for points.
#[derive(Debug)]
pub struct ResidentGrid {
    /// Without points and results.
    pub(super) arguments: GridArguments,
    pub(super) form: Form,
    dimensions: usize,
    components: Components,
    texture: Option<Texels>,
    table: Option<VolumeTexture>,
    values: StoredValues,
    /// What the addresses in the arguments refer to.
    _weights: GridWeightMemory,
}

/// Where the stored values are.
#[derive(Debug)]
enum StoredValues {
    Device(CudaSlice<f32>),
    /// Memory of the host.
    Mapped(PinnedHostSlice<f32>),
}

/// A texture of the stored values.
#[derive(Debug)]
enum Texels {
    Array(VolumeTexture),
    Pitched(PitchTexture),
}

impl ResidentGrid {
    /// Number of axes.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// The numbers of a value.
    pub fn components(&self) -> Components {
        self.components
    }

    /// Bytes of the stored values.
    pub fn bytes(&self) -> usize {
        size_of::<f32>()
            * match &self.values {
                StoredValues::Device(values) => values.len(),
                StoredValues::Mapped(values) => values.len(),
            }
    }

    /// Number of points.
    pub(super) fn count(&self, points: PointSlice<'_>) -> Result<usize, BackendError> {
        let (found, dimensions) = (points.len(), self.dimensions);
        if found.is_multiple_of(dimensions) {
            Ok(found / dimensions)
        } else {
            Err(GridError::Points { found, dimensions }.into())
        }
    }

    pub(super) fn texture(&self) -> sys::CUtexObject {
        match &self.texture {
            Some(Texels::Array(texture)) => texture.handle(),
            Some(Texels::Pitched(texture)) => texture.handle(),
            None => 0,
        }
    }

    pub(super) fn lookup_table(&self) -> sys::CUtexObject {
        self.table.as_ref().map_or(0, VolumeTexture::handle)
    }
}

impl CudaGrids {
    /// As [`CudaGrids::load`], for a path or for a form that `bench` compares with the paths.
    ///
    /// # Errors
    /// As [`CudaGrids::load`].
    pub fn load_variant(
        &mut self,
        grid: &Grid<f32>,
        sampler: &GridSampler,
        variant: GridVariant,
        work: &ExecOptions,
    ) -> Result<ResidentGrid, BackendError> {
        let plan = GridPlan::new(grid, sampler)?;
        let axes = plan.numbers()?;
        let (dimensions, components) = (grid.dimensions(), grid.components());
        let fractions = plan.fractions().ok_or(GridError::KnotDevice { axis: 0 })?;
        let form = Form::of(variant, sampler.method, fractions, (dimensions, components))?;
        if work.stop.is_set() {
            return Err(GridError::Cancelled.into());
        }
        self.launcher.device.context.bind_to_thread().context("the context is lost")?;
        let filter =
            Filter { prefilter: sampler.coefficients(), border: sampler.border, components: components.count() };
        let values = upload_stored(&mut self.launcher, grid, &axes, filter)?;
        let device = &mut self.launcher.device;
        let (mut arguments, memory) = arguments(device, &plan, sampler, components)?;
        arguments.values = device.address(&values);
        let texture = texels(device, variant, form, (&axes, components), &values)?;
        let table = if form == Form::Table { Some(lookup_table(device)?) } else { None };
        let values = if variant == GridVariant::MappedHost {
            let (mapped, address) = mapped(device, &values)?;
            arguments.values = address;
            StoredValues::Mapped(mapped)
        } else {
            StoredValues::Device(values)
        };
        // Points are sampled in other streams.
        device.finish()?;
        Ok(ResidentGrid { arguments, form, dimensions, components, texture, table, values, _weights: memory })
    }
}

/// The texture that a form reads.
///
/// # Errors
/// [`BackendError::Limit`] for a grid that is larger than a texture.
fn texels(
    device: &mut Device,
    variant: GridVariant,
    form: Form,
    (axes, components): (&[AxisNumbers], Components),
    values: &CudaSlice<f32>,
) -> Result<Option<Texels>, BackendError> {
    let Some(linear) = form.texture() else { return Ok(None) };
    let stored: Vec<usize> = axes.iter().map(|axis| axis.stored).collect();
    let sides = match stored[..] {
        [x] => [x, 0, 0],
        [y, x] => [x, y, 0],
        [z, y, x] => [x, y, z],
        // The volumes of the outer axis one behind the other.
        [outer, z, y, x] => [x, y, outer.saturating_mul(z)],
        _ => [usize::MAX; 3],
    };
    let most = if stored.len() > 2 { [MOST_TEXELS[2]; 3] } else { MOST_TEXELS };
    if sides.iter().zip(most).any(|(side, most)| *side > most) {
        let text = crate::grid::shape_text(&stored);
        return Err(BackendError::Limit { what: format!("a texture of {text} values") });
    }
    if matches!(variant, GridVariant::PitchedFetch | GridVariant::PitchedFiltered) {
        let (row_bytes, rows) = (sides[0] * 2 * size_of::<f32>(), sides[1]);
        let pitch = row_bytes.next_multiple_of(ROW_ALIGNMENT);
        let mut host = vec![0.0_f32; stored[0] * stored[1] * 2];
        device.download(values, &mut host)?;
        let mut padded = vec![0.0_f32; rows * pitch / size_of::<f32>()];
        for (to, from) in padded.chunks_exact_mut(pitch / size_of::<f32>()).zip(host.chunks_exact(sides[0] * 2)) {
            to[..from.len()].copy_from_slice(from);
        }
        let memory = device.upload(padded)?;
        return Ok(Some(Texels::Pitched(PitchTexture::new(device, memory, [sides[0], rows], pitch, linear)?)));
    }
    Ok(Some(Texels::Array(VolumeTexture::new(device, values, sides, components.count(), linear)?)))
}

/// The weights of the cubic B-spline as a texture.
fn lookup_table(device: &mut Device) -> Result<VolumeTexture, DriverError> {
    let values: Vec<f32> = weight_table().as_flattened().iter().map(|&number| f32::from(number) / 65535.0).collect();
    let sides = [values.len() / 4, 1, 0];
    let memory = device.upload(values)?;
    VolumeTexture::new(device, &memory, sides, 4, true)
}

/// A copy of `values` in memory of the host that the device reads, and its address on the device.
fn mapped(device: &Device, values: &CudaSlice<f32>) -> Result<(PinnedHostSlice<f32>, sys::CUdeviceptr), DriverError> {
    let flags = sys::CU_MEMHOSTALLOC_DEVICEMAP;
    #[expect(unsafe_code, reason = "pinned memory comes unset")]
    // SAFETY: every number is written by the copy below, which is waited for, before anything reads it.
    let mut memory =
        unsafe { device.context.alloc_pinned_with_flags::<f32>(values.len(), flags) }.context("no pinned memory")?;
    device.stream.memcpy_dtoh(values, &mut memory).context("a copy to the host fails")?;
    device.finish()?;
    let host = memory.as_mut_ptr().context("pinned memory is lost")?;
    let mut address = 0;
    #[expect(unsafe_code, reason = "cudarc maps no memory")]
    // SAFETY: the pointer is the start of memory that was allocated as mapped; the call writes one address to a local.
    let found = unsafe { sys::cuMemHostGetDevicePointer_v2(&raw mut address, host.cast(), 0) };
    found.result().context("memory of the host is not mapped")?;
    Ok((memory, address))
}
