//! Argument structs of the kernels. Twin: kernels/arguments.cuh, which is written from this file; see [`header`](super::header).

use cudarc::driver::sys;

use super::kernel_struct::{Float4, kernel_struct};
use crate::view::ImageFromOutput;

kernel_struct! {
    /// The map from output pixels to image positions, in double precision: the fields of `ImageFromOutput`.
    pub(crate) struct Map {
        middle_px: [f64; 2],
        origin: [f64; 2],
        /// Change of x with one column and one row of the output, then of y.
        steps: [f64; 4],
    }
}

impl From<&ImageFromOutput> for Map {
    fn from(map: &ImageFromOutput) -> Self {
        let [[x_across, x_down], [y_across, y_down]] = map.steps;
        Self { middle_px: map.middle_px, origin: map.origin, steps: [x_across, x_down, y_across, y_down] }
    }
}

kernel_struct! {
    /// A plane of values in memory or behind a texture, with its address modes along x and y.
    pub(crate) struct Plane {
        /// Rows of pixels, 1 or 4 channels interleaved. Unused behind a texture.
        values: sys::CUdeviceptr as "const void*",
        texture: sys::CUtexObject,
        /// Pixels from one row to the next.
        pitch: i32,
        /// Stored columns and rows.
        stored: [i32; 2],
        /// Stored columns and rows before sample 0.
        halo: [i32; 2],
        /// AddressMode of stored indices.
        address: [i32; 2],
        /// The border constant, in units of the plane's samples.
        border: f32,
        /// A sample times this is a value: 1/maxval.
        inv_maxval: f32,
        /// Distance of two texels in texture coordinates: 1, or 1/stored if coordinates are normalized.
        texcoord_scale: [f32; 2],
        /// Whether the channels are premultiplied by the last one.
        has_alpha: i32,
    }
}

kernel_struct! {
    /// Destination of a launch.
    pub(crate) struct Target {
        surface: sys::CUsurfObject,
        /// OUTPUT_VALUES: rows of pixels, as many channels as the plane has.
        values: sys::CUdeviceptr as "float*",
        size_px: [i32; 2],
        /// Output, for kernels that are not compiled for one.
        output: i32,
    }
}

/// Maximum number of taps of a kernel whose weights are one cubic a tap.
pub(crate) const MAX_CUBIC_TAPS: usize = 4;

kernel_struct! {
    /// Weights of a kernel w(d) by the fraction α of a position, in one of three forms.
    ///   cubics    `segments` and `lanczos` are 0: one cubic a tap, coefficients from the constant on.
    ///   Lanczos   `lanczos` is a: the first six numbers of `cubics` are the coefficients of sin(πx/a)/x by x².
    ///   segments  polynomials of degree seven in t, 0 ≤ t ≤ 1 over each segment of α, in device memory: for each tap its four
    ///             low coefficients of all segments, then its four high ones, so that lanes in different segments read one line.
    pub(crate) struct WeightCurves {
        cubics: [Float4; MAX_CUBIC_TAPS],
        /// Symmetric cubics of four taps, u the distance to the near end of the support: u²·(outer[0] + outer[1]·u).
        outer: [f32; 2],
        /// The same at distance d from the middle: inner[0] + d²·(inner[1] + inner[2]·d).
        inner: [f32; 3],
        segments: i32,
        terms: sys::CUdeviceptr as "const float4*",
        lanczos: i32,
        /// Taps before ⌊x⌋.
        taps_before: i32,
    }
}

kernel_struct! {
    /// A kernel w(d) itself, for any support: stretched kernels, and kernels of any number of taps. w is 0 beyond its ends,
    /// which lie within ±radius.
    ///   polynomials  `knot_count` is 0: degree seven in double precision over bins of equal width from end to end, eight
    ///                coefficients a bin from the constant on; the last bin, one beyond `bins`, is w at the upper end.
    ///   lines        straight lines between knots: d, w and slope of each, and one number to spare. `first_knots` has for each
    ///                bin, and for the end of the last one, the last knot at or before its start.
    pub(crate) struct KernelCurve {
        radius: f64,
        /// The lower and the upper end of the support.
        ends: [f64; 2],
        bins_a_sample: f64,
        /// Polynomials: four a bin. Lines: two a knot.
        terms: sys::CUdeviceptr as "const double2*",
        first_knots: sys::CUdeviceptr as "const int*",
        bins: i32,
        knot_count: i32,
        /// Whether w is not 0 at the lower and at the upper end itself.
        closed: [i32; 2],
        /// Samples of a position if the kernel is not stretched, from ⌊x⌋ − taps_before on; 1: ⌊x + ½⌋ alone.
        taps: i32,
        taps_before: i32,
        /// Whether the weights of a kernel that is not stretched are divided by their sum.
        is_normalized: i32,
    }
}

kernel_struct! {
    /// `tiled` and `direct`.
    pub(crate) struct TiledArguments {
        map: Map,
        plane: Plane,
        target: Target,
        curves: WeightCurves,
        /// The first stored index that column 0 and row 0 read, in 1/2³², rounded down.
        start: [i64; 2],
        /// Distance of the first indices of two columns, and of two rows, in 1/2³², rounded down.
        step: [i64; 2],
        rows_a_warp: i32,
        /// Rows of the footprint.
        rows: i32,
        /// Loads a row: of four columns each of a grey plane, of one column of a colour plane.
        groups: i32,
        /// ⌈2³²/groups⌉: the upper half of a product with it is a quotient.
        groups_inverse: u32,
        /// Rows of a grey footprint that are loaded at once.
        rows_at_once: i32,
        /// Shared floats of a row, of samples and then of values.
        row_floats: i32,
    }
}

kernel_struct! {
    /// Kernels that compute one pixel a thread through the texture unit.
    pub(crate) struct PixelArguments {
        map: Map,
        plane: Plane,
        target: Target,
        curves: WeightCurves,
        /// Texture of g0, h0 and h1 of the B-spline by fraction, for the table form.
        lookup_table: sys::CUtexObject,
    }
}

kernel_struct! {
    /// Kernels that compute one pixel a thread from memory.
    pub(crate) struct MemoryArguments {
        map: Map,
        plane: Plane,
        target: Target,
        kernel: KernelCurve,
        /// Along x and y the kernel is w(d/stretch). 0: w(d), by its taps.
        stretch: [f64; 2],
    }
}

kernel_struct! {
    /// The axis table of the columns or of the rows of an output.
    pub(crate) struct PassTable {
        /// Where the entries of each band start: of four neighbouring rows of the output; along x of each 16 bands of columns,
        /// whose entries are side by side.
        starts: sys::CUdeviceptr as "const int*",
        /// Along x places of fours among the intermediate values, along y stored indices.
        indices: sys::CUdeviceptr as "const int*",
        /// Along y the weights of a sample for each of the four; along x those of each value of a four, one after the other.
        weights: sys::CUdeviceptr as "const float4*",
    }
}

kernel_struct! {
    /// One of the two passes along y and x, by axis tables.
    pub(crate) struct PassArguments {
        /// Source of the first pass.
        plane: Plane,
        target: Target,
        horizontal: PassTable,
        vertical: PassTable,
        /// The first of each four stored columns that the first pass filters.
        columns: sys::CUdeviceptr as "const int*",
        /// For each band of rows the first one that is the same: the first pass makes that one alone.
        bands: sys::CUdeviceptr as "const int*",
        /// How many fours a row of intermediate values has.
        fours: i32,
        /// Values between the passes: by channel, a row for each row of the output.
        between: sys::CUdeviceptr as "float*",
    }
}

kernel_struct! {
    /// Any filter. Result (i, j) follows from the neighbourhood of origin + (i, j) in the plane. The plane is read through its
    /// texture if it has one, else from memory in single precision (the first pass of a Gaussian reads memory of any type).
    pub(crate) struct FilterArguments {
        plane: Plane,
        /// Its size counts the pixels of a row of memory, which may be more than the results.
        target: Target,
        origin: [i32; 2],
        /// Results along x and y.
        count: [i32; 2],
        /// Channels of a pixel: 1 grey, 2 grey and alpha, 3 colour, 4 colour and alpha.
        channels: i32,
        /// Radius of the window.
        radius: i32,
        /// Rows of the window that are in shared memory together (bilateral, convolve).
        rows_at_once: i32,
        /// By filter.
        parameters: [f32; 3],
        /// 2σ² of the weights by distance (bilateral).
        two_sigma_squares: f64,
        /// Values between the passes of a Gaussian; the blurred values of an unsharp mask.
        between: sys::CUdeviceptr as "float*",
    }
}

/// Radius of the widest Gaussian, whose sigma is 64.
pub(crate) const MAX_RADIUS: usize = 256;

kernel_struct! {
    /// A Gaussian.
    pub(crate) struct GaussianArguments {
        filter: FilterArguments,
        /// Weights from the middle outwards.
        weights: [f32; MAX_RADIUS + 1],
    }
}

/// Largest number of weights of a convolution: 25 × 25.
pub(crate) const MAX_WEIGHTS: usize = 625;

kernel_struct! {
    /// A convolution.
    pub(crate) struct ConvolutionArguments {
        filter: FilterArguments,
        /// Columns and rows of the weights.
        size: [i32; 2],
        /// Offset of the first weight's sample from the result.
        first: [i32; 2],
        /// Weights by offset, row by row.
        weights: [f32; MAX_WEIGHTS],
    }
}

kernel_struct! {
    /// A point filter.
    pub(crate) struct PointStep {
        /// PointFilter.
        filter: i32,
        /// Brightness: whether the luminance counts.
        mixes: i32,
        /// Gamma: the exponent. Brightness: factor of the value itself. Noise: its amplitude.
        factor: f32,
        /// Brightness: factors of red, green and blue, added to each channel.
        luminance: [f32; 3],
        /// Noise: NoiseKind.
        noise_kind: i32,
        /// Noise: of 2²⁴ values, the number that are replaced.
        replaced: u32,
        /// Noise: the seed.
        seed: u32,
    }
}

/// Maximum number of point filters of one launch.
pub(crate) const MAX_POINT_STEPS: usize = 8;

kernel_struct! {
    /// Consecutive point filters.
    pub(crate) struct PointArguments {
        filter: FilterArguments,
        /// Place of the first value of the plane.
        first: [u32; 2],
        step_count: i32,
        steps: [PointStep; MAX_POINT_STEPS],
    }
}

/// Maximum number of poles of a prefilter.
pub(crate) const MAX_POLES: usize = 2;

kernel_struct! {
    /// The prefilter.
    pub(crate) struct PrefilterArguments {
        /// The samples.
        plane: Plane,
        coefficients: sys::CUdeviceptr as "float*",
        /// Pixels from one row of coefficients to the next.
        pitch: i32,
        /// Columns and rows of coefficients, halo included.
        stored: [i32; 2],
        halo: [i32; 2],
        pole_count: i32,
        /// −1 < z < 0 each.
        poles: [f32; MAX_POLES],
        /// (1 − z)² of each pole.
        gains: [f32; MAX_POLES],
        /// 1/(1 − z): the state of a recursion over a constant 1 of infinite length.
        starts: [f32; MAX_POLES],
        /// 1 − z: the same of the second recursion, from the state of the first.
        ends: [f32; MAX_POLES],
    }
}

kernel_struct! {
    /// The display mapping: v ↦ (v·gain + bias)^power, of |v| if it is absolute, then a colour.
    pub(crate) struct DisplayArguments {
        target: Target,
        /// Premultiplied if there is alpha.
        first: sys::CUdeviceptr as "const float*",
        /// Subtracted; null: nothing.
        second: sys::CUdeviceptr as "const float*",
        /// Red, green, blue for each of `colour_steps` values from 0 to 1; null: no colour map.
        colours: sys::CUdeviceptr as "const float*",
        /// Channels of the values: 1 or 4.
        channels: i32,
        has_alpha: i32,
        /// Whether a value with alpha is grey in its first channel.
        is_grey: i32,
        colour_steps: i32,
        /// OUTPUT_VALUES: 1 grey, 2 grey and alpha, 3 colour, 4 colour and alpha.
        out_channels: i32,
        absolute: i32,
        gain: f32,
        bias: f32,
        power: f32,
    }
}
