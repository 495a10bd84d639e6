//! Argument structs of the kernels of oblique planes. Twin: kernels/slice_arguments.cuh, which is written from this file; see
//! [`header`](super::header).

use super::arguments::{Map, Target, WeightCurves};
use super::grid_arguments::GridArguments;
use super::kernel_struct::kernel_struct;
use super::warp_arguments::WarpArguments;

kernel_struct! {
    /// A view of an oblique plane of a volume.
    pub(crate) struct SliceArguments {
        /// The volume, without points and results.
        grid: GridArguments,
        /// Weights of kernels that are compiled for them; else those of the volume count.
        curves: WeightCurves,
        /// From output pixels to positions in the plane.
        map: Map,
        target: Target,
        /// Position of the plane's sample (0, 0) along z, y and x of the volume.
        origin: [f64; 3],
        /// Step from a sample of the plane to the next along its x.
        across: [f64; 3],
        /// Step from a sample of the plane to the next along its y.
        down: [f64; 3],
    }
}

kernel_struct! {
    /// The same through a warp of the plane.
    pub(crate) struct WarpedSliceArguments {
        slice: SliceArguments,
        warp: WarpArguments,
    }
}
