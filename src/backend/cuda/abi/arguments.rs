//! Twin: kernels/arguments.cuh. What the host hands to the kernels, field for field; `tests/ptx.rs` holds every offset
//! against the committed PTX.

use cudarc::driver::{DeviceRepr, sys};

use crate::view::ImageFromOutput;

/// The map from output pixels to image positions.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Map {
    pub(crate) middle_px: [f64; 2],
    pub(crate) origin: [f64; 2],
    pub(crate) scale: f64,
    pub(crate) cosine: f64,
    pub(crate) sine: f64,
}

impl From<&ImageFromOutput> for Map {
    fn from(map: &ImageFromOutput) -> Self {
        Self { middle_px: map.middle_px, origin: map.origin, scale: map.scale, cosine: map.cos, sine: map.sin }
    }
}

/// A plane of values in memory, or behind a texture, and what lies beyond it along x and y.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Plane {
    pub(crate) values: sys::CUdeviceptr,
    pub(crate) texture: sys::CUtexObject,
    pub(crate) pitch: i32,
    pub(crate) stored: [i32; 2],
    pub(crate) halo: [i32; 2],
    pub(crate) address: [i32; 2],
    pub(crate) border: f32,
    pub(crate) unit: f32,
    pub(crate) texel: [f32; 2],
    pub(crate) has_alpha: i32,
}

/// Where results go.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Target {
    pub(crate) surface: sys::CUsurfObject,
    pub(crate) values: sys::CUdeviceptr,
    pub(crate) size_px: [i32; 2],
    pub(crate) output: i32,
}

/// The most taps of a kernel whose weights follow from the fraction of a position.
pub(crate) const MOST_TAPS: usize = 8;

/// Weights of a kernel by the fraction of a position.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WeightCurves {
    pub(crate) cubics: [[f32; 4]; MOST_TAPS],
    pub(crate) terms: sys::CUdeviceptr,
    pub(crate) segments: i32,
    pub(crate) lanczos: i32,
    pub(crate) before: i32,
}

/// A kernel w(d) over its support.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct KernelCurve {
    pub(crate) radius: f64,
    pub(crate) ends: [f64; 2],
    pub(crate) bins_a_sample: f64,
    pub(crate) terms: sys::CUdeviceptr,
    pub(crate) first_knots: sys::CUdeviceptr,
    pub(crate) bins: i32,
    pub(crate) knot_count: i32,
    pub(crate) closed: [i32; 2],
    pub(crate) taps: i32,
    pub(crate) before: i32,
    pub(crate) is_normalized: i32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TiledArguments {
    pub(crate) map: Map,
    pub(crate) plane: Plane,
    pub(crate) target: Target,
    pub(crate) curves: WeightCurves,
    pub(crate) start: [i64; 2],
    pub(crate) step: i64,
    pub(crate) rows_a_warp: i32,
    pub(crate) rows: i32,
    pub(crate) groups: i32,
    pub(crate) groups_inverse: u32,
    pub(crate) rows_at_once: i32,
    pub(crate) row_floats: i32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PixelArguments {
    pub(crate) map: Map,
    pub(crate) plane: Plane,
    pub(crate) target: Target,
    pub(crate) curves: WeightCurves,
    pub(crate) lookup_table: sys::CUtexObject,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MemoryArguments {
    pub(crate) map: Map,
    pub(crate) plane: Plane,
    pub(crate) target: Target,
    pub(crate) kernel: KernelCurve,
    pub(crate) stretch: f64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PassArguments {
    pub(crate) plane: Plane,
    pub(crate) target: Target,
    pub(crate) starts: sys::CUdeviceptr,
    pub(crate) indices: sys::CUdeviceptr,
    pub(crate) weights: sys::CUdeviceptr,
    pub(crate) rows: sys::CUdeviceptr,
    pub(crate) count: [i32; 2],
    pub(crate) between: sys::CUdeviceptr,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FilterArguments {
    pub(crate) plane: Plane,
    pub(crate) target: Target,
    pub(crate) origin: [i32; 2],
    pub(crate) count: [i32; 2],
    pub(crate) channels: i32,
    pub(crate) radius: i32,
    pub(crate) rows_at_once: i32,
    pub(crate) parameters: [f32; 2],
    pub(crate) two_sigma_squares: f64,
    pub(crate) between: sys::CUdeviceptr,
}

/// The widest Gaussian's radius: its sigma at most 64.
pub(crate) const MOST_RADIUS: usize = 256;

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct GaussianArguments {
    pub(crate) filter: FilterArguments,
    pub(crate) weights: [f32; MOST_RADIUS + 1],
}

/// One filter that maps every pixel by itself.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PointStep {
    pub(crate) filter: i32,
    pub(crate) mixes: i32,
    pub(crate) factor: f32,
    pub(crate) luminance: [f32; 3],
}

/// The most point filters of one launch.
pub(crate) const MOST_POINT_STEPS: usize = 8;

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PointArguments {
    pub(crate) filter: FilterArguments,
    pub(crate) step_count: i32,
    pub(crate) steps: [PointStep; MOST_POINT_STEPS],
}

/// The most poles of a prefilter.
pub(crate) const MOST_POLES: usize = 2;

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PrefilterArguments {
    pub(crate) plane: Plane,
    pub(crate) coefficients: sys::CUdeviceptr,
    pub(crate) pitch: i32,
    pub(crate) stored: [i32; 2],
    pub(crate) halo: [i32; 2],
    pub(crate) pole_count: i32,
    pub(crate) poles: [f32; MOST_POLES],
    pub(crate) gains: [f32; MOST_POLES],
    pub(crate) starts: [f32; MOST_POLES],
    pub(crate) ends: [f32; MOST_POLES],
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DisplayArguments {
    pub(crate) target: Target,
    pub(crate) first: sys::CUdeviceptr,
    pub(crate) second: sys::CUdeviceptr,
    pub(crate) colours: sys::CUdeviceptr,
    pub(crate) channels: i32,
    pub(crate) has_alpha: i32,
    pub(crate) is_grey: i32,
    pub(crate) colour_steps: i32,
    pub(crate) out_channels: i32,
    pub(crate) absolute: i32,
    pub(crate) gain: f32,
    pub(crate) bias: f32,
    pub(crate) power: f32,
}

/// Says that the structs may be handed to kernels.
macro_rules! arguments {
    ($($name:ident),*) => { $(
        #[expect(unsafe_code, reason = "cudarc takes a struct as a kernel's argument only where this is promised")]
        // SAFETY: plain numbers in C's layout, the same as the kernels' (`tests/ptx.rs`).
        unsafe impl DeviceRepr for $name {}
    )* };
}
arguments!(
    Target,
    TiledArguments,
    PixelArguments,
    MemoryArguments,
    PassArguments,
    FilterArguments,
    GaussianArguments,
    PointArguments,
    PrefilterArguments,
    DisplayArguments
);
