//! Twin: kernels/arguments.cuh. What the host hands to the kernels, field for field; `tests/ptx.rs` holds every offset
//! against the committed PTX.

use cudarc::driver::{DeviceRepr, sys};

use crate::filter::Filter;
use crate::sampling::{Address, MAX_TAPS, MethodRow};
use crate::view::ImageFromOutput;

/// The map from output pixels to image positions.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::backend::cuda) struct Map {
    pub(in crate::backend::cuda) middle_px: [f64; 2],
    pub(in crate::backend::cuda) origin: [f64; 2],
    pub(in crate::backend::cuda) scale: f64,
    pub(in crate::backend::cuda) cosine: f64,
    pub(in crate::backend::cuda) sine: f64,
}

impl From<&ImageFromOutput> for Map {
    fn from(map: &ImageFromOutput) -> Self {
        Self { middle_px: map.middle_px, origin: map.origin, scale: map.scale, cosine: map.cos, sine: map.sin }
    }
}

/// A plane of values in memory, or behind a texture, and what lies beyond it along x and y.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::backend::cuda) struct Plane {
    pub(in crate::backend::cuda) values: sys::CUdeviceptr,
    pub(in crate::backend::cuda) texture: sys::CUtexObject,
    pub(in crate::backend::cuda) pitch: i32,
    pub(in crate::backend::cuda) stored: [i32; 2],
    pub(in crate::backend::cuda) halo: [i32; 2],
    pub(in crate::backend::cuda) address: [i32; 2],
    pub(in crate::backend::cuda) border: f32,
    pub(in crate::backend::cuda) unit: f32,
    pub(in crate::backend::cuda) texel: [f32; 2],
    pub(in crate::backend::cuda) has_alpha: i32,
}

/// Where results go.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::backend::cuda) struct Target {
    pub(in crate::backend::cuda) surface: sys::CUsurfObject,
    pub(in crate::backend::cuda) values: sys::CUdeviceptr,
    pub(in crate::backend::cuda) size_px: [i32; 2],
    pub(in crate::backend::cuda) output: i32,
}

/// What a kernel writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::backend::cuda) enum Output {
    /// One byte a pixel, into a surface.
    Grey8,
    /// Four bytes a pixel, into a surface.
    Rgba8,
    /// Interpolated values in single precision, into memory.
    Values,
}

impl Output {
    pub(in crate::backend::cuda) const ALL: [Self; 3] = [Self::Grey8, Self::Rgba8, Self::Values];

    /// Its part of an entry's name.
    pub(in crate::backend::cuda) fn name(self) -> &'static str {
        match self {
            Self::Grey8 => "grey8",
            Self::Rgba8 => "rgba8",
            Self::Values => "values",
        }
    }
}

/// A method's weights by the fraction of a position.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::backend::cuda) struct WeightCurves {
    pub(in crate::backend::cuda) cubics: [[f32; 4]; MAX_TAPS],
    pub(in crate::backend::cuda) terms: sys::CUdeviceptr,
    pub(in crate::backend::cuda) segments: i32,
    pub(in crate::backend::cuda) lanczos: i32,
    pub(in crate::backend::cuda) before: i32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::backend::cuda) struct TiledArguments {
    pub(in crate::backend::cuda) map: Map,
    pub(in crate::backend::cuda) plane: Plane,
    pub(in crate::backend::cuda) target: Target,
    pub(in crate::backend::cuda) curves: WeightCurves,
    pub(in crate::backend::cuda) start: [i64; 2],
    pub(in crate::backend::cuda) step: i64,
    pub(in crate::backend::cuda) rows_a_warp: i32,
    pub(in crate::backend::cuda) rows: i32,
    pub(in crate::backend::cuda) groups: i32,
    pub(in crate::backend::cuda) groups_inverse: u32,
    pub(in crate::backend::cuda) rows_at_once: i32,
    pub(in crate::backend::cuda) row_floats: i32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::backend::cuda) struct PixelArguments {
    pub(in crate::backend::cuda) map: Map,
    pub(in crate::backend::cuda) plane: Plane,
    pub(in crate::backend::cuda) target: Target,
    pub(in crate::backend::cuda) lookup_table: sys::CUtexObject,
    pub(in crate::backend::cuda) stretch: f64,
    pub(in crate::backend::cuda) method: i32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::backend::cuda) struct PassArguments {
    pub(in crate::backend::cuda) plane: Plane,
    pub(in crate::backend::cuda) target: Target,
    pub(in crate::backend::cuda) starts: sys::CUdeviceptr,
    pub(in crate::backend::cuda) indices: sys::CUdeviceptr,
    pub(in crate::backend::cuda) weights: sys::CUdeviceptr,
    pub(in crate::backend::cuda) rows: sys::CUdeviceptr,
    pub(in crate::backend::cuda) count: [i32; 2],
    pub(in crate::backend::cuda) between: sys::CUdeviceptr,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::backend::cuda) struct FilterArguments {
    pub(in crate::backend::cuda) plane: Plane,
    pub(in crate::backend::cuda) target: Target,
    pub(in crate::backend::cuda) origin: [i32; 2],
    pub(in crate::backend::cuda) count: [i32; 2],
    pub(in crate::backend::cuda) channels: i32,
    pub(in crate::backend::cuda) radius: i32,
    pub(in crate::backend::cuda) rows_at_once: i32,
    pub(in crate::backend::cuda) parameters: [f32; 2],
    pub(in crate::backend::cuda) two_sigma_squares: f64,
    pub(in crate::backend::cuda) between: sys::CUdeviceptr,
}

/// The widest Gaussian's radius: its sigma at most 64.
pub(in crate::backend::cuda) const MOST_RADIUS: usize = 256;

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(in crate::backend::cuda) struct GaussianArguments {
    pub(in crate::backend::cuda) filter: FilterArguments,
    pub(in crate::backend::cuda) weights: [f32; MOST_RADIUS + 1],
}

/// One filter that maps every pixel by itself.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::backend::cuda) struct PointStep {
    pub(in crate::backend::cuda) filter: i32,
    pub(in crate::backend::cuda) mixes: i32,
    pub(in crate::backend::cuda) factor: f32,
    pub(in crate::backend::cuda) luminance: [f32; 3],
}

/// The most point filters of one launch.
pub(in crate::backend::cuda) const MOST_POINT_STEPS: usize = 8;

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::backend::cuda) struct PointArguments {
    pub(in crate::backend::cuda) filter: FilterArguments,
    pub(in crate::backend::cuda) step_count: i32,
    pub(in crate::backend::cuda) steps: [PointStep; MOST_POINT_STEPS],
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::backend::cuda) struct PrefilterArguments {
    pub(in crate::backend::cuda) plane: Plane,
    pub(in crate::backend::cuda) coefficients: sys::CUdeviceptr,
    pub(in crate::backend::cuda) pitch: i32,
    pub(in crate::backend::cuda) stored: [i32; 2],
    pub(in crate::backend::cuda) halo: [i32; 2],
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::backend::cuda) struct DisplayArguments {
    pub(in crate::backend::cuda) target: Target,
    pub(in crate::backend::cuda) first: sys::CUdeviceptr,
    pub(in crate::backend::cuda) second: sys::CUdeviceptr,
    pub(in crate::backend::cuda) colours: sys::CUdeviceptr,
    pub(in crate::backend::cuda) channels: i32,
    pub(in crate::backend::cuda) has_alpha: i32,
    pub(in crate::backend::cuda) is_grey: i32,
    pub(in crate::backend::cuda) colour_steps: i32,
    pub(in crate::backend::cuda) out_channels: i32,
    pub(in crate::backend::cuda) absolute: i32,
    pub(in crate::backend::cuda) gain: f32,
    pub(in crate::backend::cuda) bias: f32,
    pub(in crate::backend::cuda) power: f32,
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
    PassArguments,
    FilterArguments,
    GaussianArguments,
    PointArguments,
    PrefilterArguments,
    DisplayArguments
);

/// One mirrored struct: its name in kernels/layout.cu, and its fields' offsets and its length here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The variable of kernels/layout.cu.
    pub name: String,
    /// Offsets in the order of the fields, then the length; of an enum, its numbers.
    pub numbers: Vec<u32>,
}

/// All that is mirrored, as it is here; the kernels' own numbers are in the committed PTX.
pub fn layouts() -> Vec<Layout> {
    macro_rules! layout {
        ($name:literal, $type:ident, $($field:ident),*) => {
            Layout {
                name: concat!("layout_", $name).to_owned(),
                numbers: vec![$(std::mem::offset_of!($type, $field) as u32,)* size_of::<$type>() as u32],
            }
        };
    }
    let mut layouts = vec![
        layout!("map", Map, middle_px, origin, scale, cosine, sine),
        layout!("plane", Plane, values, texture, pitch, stored, halo, address, border, unit, texel, has_alpha),
        layout!("target", Target, surface, values, size_px, output),
        layout!("weight_curves", WeightCurves, cubics, terms, segments, lanczos, before),
        layout!(
            "tiled",
            TiledArguments,
            map,
            plane,
            target,
            curves,
            start,
            step,
            rows_a_warp,
            rows,
            groups,
            groups_inverse,
            rows_at_once,
            row_floats
        ),
        layout!("pixel", PixelArguments, map, plane, target, lookup_table, stretch, method),
        layout!("pass", PassArguments, plane, target, starts, indices, weights, rows, count, between),
        layout!(
            "filter",
            FilterArguments,
            plane,
            target,
            origin,
            count,
            channels,
            radius,
            rows_at_once,
            parameters,
            two_sigma_squares,
            between
        ),
        layout!("gaussian", GaussianArguments, filter, weights),
        layout!("point_step", PointStep, filter, mixes, factor, luminance),
        layout!("point", PointArguments, filter, step_count, steps),
        Layout {
            name: "layout_point_filters".to_owned(),
            numbers: [Filter::Gamma, Filter::Negative, Filter::Brightness].map(|filter| filter as u32).to_vec(),
        },
        layout!("prefilter", PrefilterArguments, plane, coefficients, pitch, stored, halo),
        layout!(
            "display",
            DisplayArguments,
            target,
            first,
            second,
            colours,
            channels,
            has_alpha,
            is_grey,
            colour_steps,
            out_channels,
            absolute,
            gain,
            bias,
            power
        ),
        Layout {
            name: "layout_addresses".to_owned(),
            numbers: [Address::Clamp, Address::Border, Address::Wrap, Address::Mirror].map(|a| a as u32).to_vec(),
        },
        Layout { name: "layout_outputs".to_owned(), numbers: Output::ALL.map(|output| output as u32).to_vec() },
    ];
    layouts.extend(crate::sampling::METHODS.iter().map(|row: &MethodRow| Layout {
        name: format!("method_{}", crate::backend::cuda::kernels::modules::stem(row)),
        numbers: vec![row.method as u32, row.taps as u32],
    }));
    layouts
}
