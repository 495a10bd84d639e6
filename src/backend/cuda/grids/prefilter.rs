//! Twin: kernels/grid_prefilter.cu. The stored values of a grid from its samples, on the device.

use cudarc::driver::{CudaSlice, LaunchConfig};

use crate::backend::cuda::abi::grid_arguments::{GridPrefilterArguments, MAX_GRID_POLES};
use crate::backend::cuda::driver::error::{Context as _, DriverError, check};
use crate::backend::cuda::kernels::entry::TypedEntry;
use crate::backend::cuda::kernels::launch::{Launch, Launcher};
use crate::grid::{AxisNumbers, Grid};
use crate::sampling::{AddressMode, Prefilter};

/// Results of a thread: `SEGMENT` in kernels/grid_prefilter.cu.
const SEGMENT: usize = 16;
/// Threads of a block.
const BLOCK: u64 = 128;

/// What all axes share.
#[derive(Clone, Copy, Debug)]
pub(in crate::backend::cuda) struct Filter {
    /// `None` where samples are stored as they are.
    pub(in crate::backend::cuda) prefilter: Option<Prefilter>,
    pub(in crate::backend::cuda) border: [f64; 2],
    /// Numbers of a value.
    pub(in crate::backend::cuda) components: usize,
}

/// What is stored of `grid` on the device. Its samples were read when this returns.
///
/// # Errors
/// If the device has too little memory, or fails.
pub(in crate::backend::cuda) fn upload_stored(
    launcher: &mut Launcher,
    grid: &Grid<f32>,
    axes: &[AxisNumbers],
    filter: Filter,
) -> Result<CudaSlice<f32>, DriverError> {
    let device = &launcher.device;
    let mut samples = device.allocate::<f32>(grid.values().len())?;
    let copied = device.stream.memcpy_htod(grid.values(), &mut samples).context("a copy to the device fails");
    // The samples are borrowed until the device has read them.
    copied.and(device.finish())?;
    stored(launcher, samples, axes, filter)
}

/// Replaces `samples` by what is stored: coefficients, and what lies beyond the edges. Axes that are stored as they are take
/// no launch.
///
/// # Errors
/// If the device has too little memory, or fails.
fn stored(
    launcher: &mut Launcher,
    mut samples: CudaSlice<f32>,
    axes: &[AxisNumbers],
    filter: Filter,
) -> Result<CudaSlice<f32>, DriverError> {
    for (index, axis) in axes.iter().enumerate() {
        if filter.prefilter.is_none() && axis.stored == axis.len {
            continue;
        }
        // Axes before this one are stored already, those behind it are not.
        let outer: usize = axes[..index].iter().map(|axis| axis.stored).product();
        let inner: usize = axes[index + 1..].iter().map(|axis| axis.len).product::<usize>() * filter.components;
        check(samples.len() >= outer * axis.len * inner, "a prefilter reads beyond its samples")?;
        let core = axis.len + 2 * axis.halo;
        let coefficients = launcher.device.allocate::<f32>(outer * axis.stored * inner)?;
        let arguments = GridPrefilterArguments {
            samples: launcher.device.address(&samples),
            coefficients: launcher.device.address(&coefficients),
            outer: outer as i64,
            inner: inner as i64,
            len: axis.len as i32,
            halo: axis.halo as i32,
            core: core as i32,
            stored: axis.stored as i32,
            address: axis.address as i32,
            components: filter.components as i32,
            border: filter.border,
            ..filter.prefilter.map_or_else(GridPrefilterArguments::default, exponentials)
        };
        let threads = (outer * core.div_ceil(SEGMENT) * inner) as u64;
        let config = LaunchConfig {
            grid_dim: (u32::try_from(threads.div_ceil(BLOCK)).unwrap_or(u32::MAX), 1, 1),
            block_dim: (BLOCK as u32, 1, 1),
            shared_mem_bytes: 0,
        };
        check(threads.div_ceil(BLOCK) < 1 << 31, "a prefilter has too many lines")?;
        #[expect(unsafe_code, reason = "a kernel is launched")]
        // SAFETY: the samples are as many as was checked and the results as many as was allocated; both are freed in the order
        // of the same stream. Indices go through the address mode.
        unsafe {
            launcher.launch(&Launch { entry: TypedEntry::grid_prefilter(), arguments, config })?;
        }
        samples = coefficients;
    }
    Ok(samples)
}

/// The filter as a sum of two-sided exponentials, by partial fractions: ∏ (1 − z)²/((1 − z·w)(1 − z/w)) over its poles z.
fn exponentials(prefilter: Prefilter) -> GridPrefilterArguments {
    let poles = prefilter.poles();
    assert!(poles.len() <= MAX_GRID_POLES, "a prefilter has at most two poles");
    let gain: f64 = poles.iter().map(|z| (1.0 - z) * (1.0 - z)).product();
    let mut arguments = GridPrefilterArguments {
        pole_count: poles.len() as i32,
        // |z|^k is below 10⁻⁹ there.
        warm_up: prefilter.halo(AddressMode::Clamp) as i32,
        ..GridPrefilterArguments::default()
    };
    for (p, &z) in poles.iter().enumerate() {
        let others = poles.iter().enumerate().filter(|&(other, _)| other != p);
        let divisor: f64 = others.map(|(_, other)| (1.0 - other / z) * (1.0 - other * z)).product();
        arguments.poles[p] = z;
        arguments.amplitudes[p] = gain / ((1.0 - z * z) * divisor);
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::Method;

    #[test]
    fn sum_of_exponentials_is_the_filter_of_the_recursions() {
        for text in ["bspline=2", "bspline=3", "bspline=4", "bspline=5", "o-moms"] {
            let prefilter = text.parse::<Method>().expect("a method").kernel().prefilter.expect("a prefilter");
            let of = exponentials(prefilter);
            let mut impulse = [0.0; 21];
            impulse[10] = 1.0;
            let passes = prefilter.passes(&impulse, AddressMode::Border, 0.0, 60);
            let expected = &passes.last().expect("a pole").anticausal;
            for k in -30_i32..=30 {
                let sum: f64 = (0..of.pole_count as usize).map(|p| of.amplitudes[p] * of.poles[p].powi(k.abs())).sum();
                let there = expected[(60 + 10 + k) as usize];
                assert!((sum - there).abs() < 1e-12, "{text} {k}: {sum} {there}");
            }
        }
    }
}
