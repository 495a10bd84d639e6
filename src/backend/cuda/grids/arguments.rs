//! What the kernels of grids are told that is equal for all points: axes, weights, and what stands for values beyond the edges.

use cudarc::driver::CudaSlice;

use crate::backend::BackendError;
use crate::backend::cuda::abi::arguments::KernelCurve as CurveArguments;
use crate::backend::cuda::abi::grid_arguments::{GridArguments, GridAxisArguments, GridWeights};
use crate::backend::cuda::driver::device::Device;
use crate::backend::cuda::driver::error::{DriverError, invalid};
use crate::backend::cuda::plan::kernel_curve::CurveForm;
use crate::backend::cuda::plan::weights::kernel_curve;
use crate::grid::{AxisNumbers, Components, Fractions, GridError, GridPlan, GridSampler, Weights};

/// Memory that the arguments of a grid refer to.
#[derive(Debug, Default)]
pub(in crate::backend::cuda) struct GridWeightMemory {
    tail: Option<CudaSlice<f32>>,
    weights: Vec<CudaSlice<f64>>,
    first_knots: Option<CudaSlice<i32>>,
}

impl GridWeightMemory {
    /// Bytes of all.
    pub(in crate::backend::cuda) fn bytes(&self) -> usize {
        let tail = self.tail.as_ref().map_or(0, |tail| tail.len() * size_of::<f32>());
        let weights: usize = self.weights.iter().map(|weights| weights.len() * size_of::<f64>()).sum();
        tail + weights + self.first_knots.as_ref().map_or(0, |knots| knots.len() * size_of::<i32>())
    }
}

/// The arguments of the interpolation that `plan` is of, without values, points and results, and the memory that they refer to.
///
/// # Errors
/// [`BackendError::Grid`] for an axis with unequal knots, and if the device has too little memory.
pub(in crate::backend::cuda) fn arguments(
    device: &mut Device,
    plan: &GridPlan,
    sampler: &GridSampler,
    components: Components,
) -> Result<(GridArguments, GridWeightMemory), BackendError> {
    let axes = plan.numbers()?;
    let fractions = plan.fractions().ok_or(GridError::KnotDevice { axis: 0 })?;
    let (mut arguments, mut memory) = weights(device, sampler, fractions)?;
    let (terms, factors) = plan.tail_factors();
    arguments.tail_rows = factors.len() as i32;
    arguments.tail_terms = terms as i32;
    let tail = device.upload(factors.iter().flatten().map(|&factor| factor as f32).collect())?;
    arguments.tail = device.address(&tail);
    memory.tail = Some(tail);
    arguments.dimensions = axes.len() as i32;
    for (to, axis) in arguments.axes.iter_mut().zip(&axes) {
        *to = axis_arguments(axis, components);
    }
    Ok((arguments, memory))
}

fn axis_arguments(axis: &AxisNumbers, components: Components) -> GridAxisArguments {
    let [origin, step] = axis.scale.unwrap_or([0.0, 1.0]);
    GridAxisArguments {
        origin,
        step,
        stride: (axis.stride / components.count()) as i64,
        len: axis.len as i32,
        halo: axis.halo as i32,
        stored: axis.stored as i32,
        address: axis.address as i32,
        is_scaled: i32::from(axis.scale.is_some()),
        inside: axis.inside,
    }
}

/// The arguments with the weights of a method, and the memory that they refer to.
fn weights(
    device: &mut Device,
    sampler: &GridSampler,
    fractions: &Fractions,
) -> Result<(GridArguments, GridWeightMemory), DriverError> {
    let mut memory = GridWeightMemory::default();
    let mut arguments = GridArguments {
        shift: fractions.shift,
        taps: fractions.taps as i32,
        before: fractions.before as i32,
        ..GridArguments::default()
    };
    match &fractions.weights[0] {
        Weights::Cubic(rows) => {
            arguments.weights = GridWeights::Cubics as i32;
            arguments.rows = rows.map(|row| row.map(|coefficient| coefficient as f32));
        }
        Weights::Series { rows, is_normalized } => {
            let series = device.upload(rows.iter().flatten().copied().collect())?;
            arguments.weights = GridWeights::Series as i32;
            arguments.terms = rows.len() as i32;
            arguments.is_normalized = i32::from(*is_normalized);
            arguments.series = device.address(&series);
            memory.weights.push(series);
        }
        Weights::Direct(kernel) => {
            let curve = kernel_curve(sampler.method).ok_or_else(|| invalid("a method has no weights by distance"))?;
            let (terms, first_knots) = match &curve.form {
                CurveForm::Polynomials(terms) => (terms.as_flattened().to_vec(), None),
                CurveForm::Lines { knots, first_knots } => (knots.as_flattened().to_vec(), Some(first_knots.clone())),
            };
            let terms = device.upload(terms)?;
            memory.first_knots = first_knots.map(|knots| device.upload(knots)).transpose()?;
            arguments.weights = GridWeights::Curve as i32;
            arguments.is_normalized = i32::from(kernel.normalized);
            arguments.curve = CurveArguments {
                terms: device.address(&terms),
                first_knots: memory.first_knots.as_ref().map_or(0, |knots| device.address(knots)),
                ..curve.arguments(kernel)
            };
            memory.weights.push(terms);
        }
    }
    Ok((arguments, memory))
}
