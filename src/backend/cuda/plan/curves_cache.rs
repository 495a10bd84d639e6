//! Weights on the device: the polynomials of each method, and the weight table of the B-spline.

use std::collections::HashMap;
use std::sync::Arc;

use cudarc::driver::{CudaSlice, sys};

use super::weight_polynomials::Curves;
use super::weight_table::weight_table;
use crate::backend::BackendError;
use crate::backend::cuda::abi::arguments::WeightCurves;
use crate::backend::cuda::abi::sample_kind::SampleKind;
use crate::backend::cuda::driver::array::{Array, ArrayUse};
use crate::backend::cuda::driver::device::Device;
use crate::backend::cuda::driver::fault::Fault;
use crate::backend::cuda::driver::texture::{Texture, TextureSource, TextureUse};
use crate::image::Size;
use crate::sampling::{Address, Method};

/// The weights of the methods that were launched. Entries are kept for the life of the cache: they are small, and launches
/// refer to their memory.
#[derive(Debug, Default)]
pub(crate) struct CurvesCache {
    curves: HashMap<Method, MethodCurves>,
    /// The B-spline's weights as a texture, for `Route::FilteredTable`.
    table: Option<Texture>,
}

#[derive(Debug)]
struct MethodCurves {
    argument: WeightCurves,
    /// The memory that `argument.terms` refers to.
    _terms: Option<CudaSlice<f32>>,
}

impl CurvesCache {
    /// The weights of `method`, as kernels take them.
    ///
    /// # Errors
    /// If the device has too little memory, or fails.
    pub(crate) fn curves(&mut self, device: &mut Device, method: Method) -> Result<WeightCurves, Fault> {
        if let Some(curves) = self.curves.get(&method) {
            return Ok(curves.argument);
        }
        let kernel = method.kernel();
        let before = if kernel.taps == 1 { 0 } else { kernel.taps as i32 / 2 - 1 };
        let mut argument = WeightCurves { before, ..WeightCurves::default() };
        let terms = match Curves::new(&kernel) {
            Curves::Cubics(cubics) => {
                argument.cubics[..cubics.len()].copy_from_slice(&cubics);
                None
            }
            Curves::Lanczos(a, terms) => {
                argument.cubics[..terms.len()].copy_from_slice(&terms);
                argument.lanczos = a;
                None
            }
            Curves::Segments(terms, segments) => {
                let memory = device.upload(terms.into_flattened())?;
                argument.terms = device.address(&memory);
                argument.segments = segments as i32;
                Some(memory)
            }
        };
        self.curves.insert(method, MethodCurves { argument, _terms: terms });
        Ok(argument)
    }

    /// The B-spline's weights as a texture, which the texture unit interpolates linearly.
    ///
    /// # Errors
    /// If the device has too little memory, or fails.
    pub(crate) fn table(&mut self, device: &mut Device) -> Result<sys::CUtexObject, BackendError> {
        if let Some(texture) = &self.table {
            return Ok(texture.handle());
        }
        let values = weight_table();
        let size =
            Size::new(values.len() as u32 / 4, 1).map_err(|error| BackendError::Limit { what: error.to_string() })?;
        let pitch = size_of_val(values.as_slice());
        let memory = device.upload(values)?;
        let array = Array::new(device, size, SampleKind::U16, 4, ArrayUse::Texture)?;
        array.copy_from(device, &memory, pitch)?;
        let how = TextureUse { address: [Address::Clamp; 2], linear: true };
        let texture = Texture::new(device, TextureSource::Array(Arc::new(array)), how)?;
        Ok(self.table.insert(texture).handle())
    }
}
