//! Argument structs of the kernels of grids. Twin: kernels/grid_arguments.cuh, which is written from this file; see
//! [`header`](super::header).

use cudarc::driver::sys;

use super::arguments::KernelCurve;
use super::kernel_struct::kernel_struct;
use crate::grid::MAX_DIMENSIONS;

/// How weights follow from a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub(crate) enum GridWeights {
    /// One cubic of the fraction a tap, up to four taps.
    Cubics = 0,
    /// One Chebyshev series of the fraction a tap.
    Series = 1,
    /// w(d) of each tap.
    Curve = 2,
}

impl GridWeights {
    /// Names in CUDA.
    #[cfg(test)]
    pub(crate) const NAMED: [(&'static str, Self); 3] =
        [("cubics", Self::Cubics), ("series", Self::Series), ("curve", Self::Curve)];
}

kernel_struct! {
    /// One axis of a grid.
    pub(crate) struct GridAxisArguments {
        /// Coordinate of sample 0, and distance from a sample to the next.
        origin: f64,
        step: f64,
        /// Stored values from one along the axis to the next.
        stride: i64,
        /// Number of samples.
        len: i32,
        /// Values stored beyond each edge.
        halo: i32,
        /// Number of stored values.
        stored: i32,
        /// AddressMode.
        address: i32,
        /// Whether a coordinate is (x − origin)/step samples; else it counts samples itself.
        is_scaled: i32,
        /// The least and the largest ⌊x + shift⌋ whose taps are all stored.
        inside: [i32; 2],
    }
}

kernel_struct! {
    /// Values of a grid at points.
    pub(crate) struct GridArguments {
        axes: [GridAxisArguments; MAX_DIMENSIONS],
        /// Stored values: samples or coefficients, and what is kept beyond the edges. One or two numbers each.
        values: sys::CUdeviceptr as "const void*",
        /// Coordinates, those of a point side by side.
        points: sys::CUdeviceptr as "const void*",
        /// A value for each point.
        results: sys::CUdeviceptr as "void*",
        /// Three factors for each distance beyond the outermost stored value, from 1 on: those of the stored values, the
        /// outermost first, whose sum stands for the value there. The last row holds for all distances beyond.
        tail: sys::CUdeviceptr as "const float*",
        /// GRID_SERIES: `terms` rows of a number for each tap.
        series: sys::CUdeviceptr as "const double*",
        count: i64,
        /// Added to a position before it is rounded down.
        shift: f64,
        /// GRID_CURVE.
        curve: KernelCurve,
        /// GRID_CUBICS: row d has the coefficients of the fraction's power d.
        rows: [[f32; 4]; 4],
        tail_rows: i32,
        /// Factors of a row of the tail that are in use.
        tail_terms: i32,
        terms: i32,
        is_normalized: i32,
        /// GridWeights.
        weights: i32,
        taps: i32,
        /// Taps before ⌊x + shift⌋.
        before: i32,
        dimensions: i32,
        /// Whether coordinates are in double precision.
        is_double: i32,
    }
}

kernel_struct! {
    /// The same through the texture unit. The texture has the stored values, its x along the last axis.
    pub(crate) struct GridFetchArguments {
        grid: GridArguments,
        texture: sys::CUtexObject,
        /// Of g0, h0 and h1 of the cubic B-spline by fraction, for the table form.
        lookup_table: sys::CUtexObject,
    }
}

/// Maximum number of poles of a grid's prefilter.
pub(crate) const MAX_GRID_POLES: usize = 2;

kernel_struct! {
    /// The prefilter along one axis, out of place.
    pub(crate) struct GridPrefilterArguments {
        samples: sys::CUdeviceptr as "const float*",
        coefficients: sys::CUdeviceptr as "float*",
        /// Lines before the axis, and numbers behind it.
        outer: i64,
        inner: i64,
        /// Number of samples of a line.
        len: i32,
        /// Number of results before the first sample.
        halo: i32,
        /// Number of results that are kept before those that repeat or are unused, and of all of them.
        core: i32,
        stored: i32,
        /// AddressMode.
        address: i32,
        /// Numbers of a value.
        components: i32,
        border: [f64; 2],
        /// 0: samples are copied.
        pole_count: i32,
        /// Samples beyond a segment that its recursions begin with.
        warm_up: i32,
        /// The filter is the sum of amplitude·pole^|k|.
        poles: [f64; MAX_GRID_POLES],
        amplitudes: [f64; MAX_GRID_POLES],
    }
}
