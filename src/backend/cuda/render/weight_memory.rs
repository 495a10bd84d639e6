//! Weights on the device: what the launches of a method read beside its samples.

use std::sync::Arc;

use cudarc::driver::{CudaSlice, sys};

use crate::backend::BackendError;
use crate::backend::cuda::abi::arguments::{KernelCurve as CurveArguments, WeightCurves};
use crate::backend::cuda::abi::sample_kind::SampleKind;
use crate::backend::cuda::driver::array::{Array, ArrayUse};
use crate::backend::cuda::driver::device::Device;
use crate::backend::cuda::driver::error::{DriverError, invalid};
use crate::backend::cuda::driver::texture::{Texture, TextureSource, TextureUse};
use crate::backend::cuda::plan::kernel_curve::{CurveForm, KernelCurve};
use crate::backend::cuda::plan::weight_polynomials::{WeightPolynomials, taps_before};
use crate::backend::cuda::plan::weights;
use crate::image::Size;
use crate::lru::{Lru, LruLimits, Weigh};
use crate::sampling::{AddressMode, Method, weight_table};

/// Of the tables on the device: few methods are shown at once, and the largest table has 65,536 rows of 32 bytes.
const LIMITS: LruLimits = LruLimits { bytes: 64 << 20, idle_bytes: 8 << 20 };

/// The weights of the methods that were rendered last, and the memory that they are in.
#[derive(Debug)]
pub(super) struct WeightMemory {
    /// By the fraction of a position.
    polynomials: Lru<Method, DevicePolynomials>,
    /// By distance.
    curves: Lru<Method, DeviceCurve>,
    /// The cubic B-spline's weights as a texture, once that form was asked for.
    table: Option<Texture>,
}

/// Weights by the fraction of a position.
#[derive(Debug)]
struct DevicePolynomials {
    arguments: WeightCurves,
    /// The memory that `arguments.terms` refers to.
    terms: Option<CudaSlice<f32>>,
}

impl Weigh for DevicePolynomials {
    fn bytes(&self) -> usize {
        self.terms.as_ref().map_or(0, |terms| size_of::<f32>() * terms.len())
    }
}

/// Weights by distance.
#[derive(Debug)]
struct DeviceCurve {
    arguments: CurveArguments,
    /// The memory that `arguments.terms` refers to.
    terms: CudaSlice<f64>,
    /// The memory that `arguments.first_knots` refers to.
    first_knots: Option<CudaSlice<i32>>,
}

impl Weigh for DeviceCurve {
    fn bytes(&self) -> usize {
        let knots = self.first_knots.as_ref().map_or(0, |knots| size_of::<i32>() * knots.len());
        size_of::<f64>() * self.terms.len() + knots
    }
}

impl Default for WeightMemory {
    fn default() -> Self {
        Self { polynomials: Lru::new(LIMITS), curves: Lru::new(LIMITS), table: None }
    }
}

impl WeightMemory {
    /// The weights of `method` by the fraction of a position, as launches of this request take them.
    ///
    /// # Errors
    /// If the method has none (its plans are others), or the device has no room for them.
    pub(super) fn polynomials(&mut self, device: &mut Device, method: Method) -> Result<WeightCurves, DriverError> {
        self.polynomials.next_turn();
        if let Some(kept) = self.polynomials.get(&method) {
            return Ok(kept.arguments);
        }
        let polynomials = weights::polynomials(method).ok_or_else(|| invalid("a method has no weights by fraction"))?;
        Ok(self.polynomials.insert(method, upload_polynomials(device, method, &polynomials)?).arguments)
    }

    /// The kernel of `method` over its support, as launches of this request take it.
    ///
    /// # Errors
    /// As [`WeightMemory::polynomials`].
    pub(super) fn curve(&mut self, device: &mut Device, method: Method) -> Result<CurveArguments, DriverError> {
        self.curves.next_turn();
        if let Some(kept) = self.curves.get(&method) {
            return Ok(kept.arguments);
        }
        let curve = weights::kernel_curve(method).ok_or_else(|| invalid("a method has no weights by distance"))?;
        Ok(self.curves.insert(method, upload_curve(device, method, &curve)?).arguments)
    }

    /// Frees everything.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// The cubic B-spline's weights as a table, interpolated by the texture unit.
    pub(super) fn table(&mut self, device: &mut Device) -> Result<sys::CUtexObject, BackendError> {
        if let Some(texture) = &self.table {
            return Ok(texture.handle());
        }
        let values = weight_table().as_flattened().to_vec();
        let size =
            Size::new(values.len() as u32 / 4, 1).map_err(|error| BackendError::Limit { what: error.to_string() })?;
        let pitch = size_of_val(values.as_slice());
        let memory = device.upload(values)?;
        let array = Array::new(device, size, SampleKind::U16, 4, ArrayUse::Texture)?;
        array.copy_from(device, &memory, pitch)?;
        let how = TextureUse { address: [AddressMode::Clamp; 2], linear: true };
        let texture = Texture::new(device, TextureSource::Array(Arc::new(array)), how)?;
        Ok(self.table.insert(texture).handle())
    }
}

fn upload_polynomials(
    device: &mut Device,
    method: Method,
    polynomials: &WeightPolynomials,
) -> Result<DevicePolynomials, DriverError> {
    let mut arguments = polynomials.arguments(taps_before(&method.kernel()));
    let terms = match polynomials {
        WeightPolynomials::Cubics(..) | WeightPolynomials::Lanczos(..) => None,
        WeightPolynomials::Segments(coefficients, _) => {
            let memory = device.upload(coefficients.as_flattened().to_vec())?;
            arguments.terms = device.address(&memory);
            Some(memory)
        }
    };
    Ok(DevicePolynomials { arguments, terms })
}

fn upload_curve(device: &mut Device, method: Method, curve: &KernelCurve) -> Result<DeviceCurve, DriverError> {
    let (terms, first_knots) = match &curve.form {
        CurveForm::Polynomials(terms) => (terms.as_flattened().to_vec(), None),
        CurveForm::Lines { knots, first_knots } => (knots.as_flattened().to_vec(), Some(first_knots.clone())),
    };
    let terms = device.upload(terms)?;
    let first_knots = first_knots.map(|knots| device.upload(knots)).transpose()?;
    let arguments = CurveArguments {
        terms: device.address(&terms),
        first_knots: first_knots.as_ref().map_or(0, |knots| device.address(knots)),
        ..curve.arguments(&method.kernel())
    };
    Ok(DeviceCurve { arguments, terms, first_knots })
}
