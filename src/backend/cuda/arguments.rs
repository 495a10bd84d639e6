//! Twin: kernels/arguments.cuh. What the host hands to the kernels, field for field; `tests/ptx.rs` holds every offset
//! against the committed PTX.

use cudarc::driver::{DeviceRepr, sys};

use crate::filter::Filter;
use crate::sampling::{Address, MAX_TAPS, MethodRow};
use crate::view::ImageFromOutput;

/// The map from output pixels to image positions.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Map {
    pub(super) middle_px: [f64; 2],
    pub(super) origin: [f64; 2],
    pub(super) scale: f64,
    pub(super) cosine: f64,
    pub(super) sine: f64,
}

impl From<&ImageFromOutput> for Map {
    fn from(map: &ImageFromOutput) -> Self {
        Self { middle_px: map.middle_px, origin: map.origin, scale: map.scale, cosine: map.cos, sine: map.sin }
    }
}

/// A plane of values in memory, or behind a texture, and what lies beyond it along x and y.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Plane {
    pub(super) values: sys::CUdeviceptr,
    pub(super) texture: sys::CUtexObject,
    pub(super) pitch: i32,
    pub(super) stored: [i32; 2],
    pub(super) halo: [i32; 2],
    pub(super) address: [i32; 2],
    pub(super) border: f32,
    pub(super) unit: f32,
    pub(super) texel: [f32; 2],
    pub(super) has_alpha: i32,
}

/// Where results go.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Target {
    pub(super) surface: sys::CUsurfObject,
    pub(super) values: sys::CUdeviceptr,
    pub(super) size_px: [i32; 2],
    pub(super) output: i32,
}

/// What a kernel writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Output {
    /// One byte a pixel, into a surface.
    Grey8,
    /// Four bytes a pixel, into a surface.
    Rgba8,
    /// Interpolated values in single precision, into memory.
    Values,
}

impl Output {
    pub(super) const ALL: [Self; 3] = [Self::Grey8, Self::Rgba8, Self::Values];

    /// Its part of an entry's name.
    pub(super) fn name(self) -> &'static str {
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
pub(super) struct WeightCurves {
    pub(super) cubics: [[f32; 4]; MAX_TAPS],
    pub(super) terms: sys::CUdeviceptr,
    pub(super) segments: i32,
    pub(super) lanczos: i32,
    pub(super) before: i32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TiledArguments {
    pub(super) map: Map,
    pub(super) plane: Plane,
    pub(super) target: Target,
    pub(super) curves: WeightCurves,
    pub(super) start: [i64; 2],
    pub(super) step: i64,
    pub(super) rows_a_warp: i32,
    pub(super) rows: i32,
    pub(super) groups: i32,
    pub(super) groups_inverse: u32,
    pub(super) rows_at_once: i32,
    pub(super) row_floats: i32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PixelArguments {
    pub(super) map: Map,
    pub(super) plane: Plane,
    pub(super) target: Target,
    pub(super) lookup_table: sys::CUtexObject,
    pub(super) stretch: f64,
    pub(super) method: i32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PassArguments {
    pub(super) plane: Plane,
    pub(super) target: Target,
    pub(super) starts: sys::CUdeviceptr,
    pub(super) indices: sys::CUdeviceptr,
    pub(super) weights: sys::CUdeviceptr,
    pub(super) rows: sys::CUdeviceptr,
    pub(super) count: [i32; 2],
    pub(super) between: sys::CUdeviceptr,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FilterArguments {
    pub(super) plane: Plane,
    pub(super) target: Target,
    pub(super) origin: [i32; 2],
    pub(super) count: [i32; 2],
    pub(super) channels: i32,
    pub(super) radius: i32,
    pub(super) rows_at_once: i32,
    pub(super) parameters: [f32; 2],
    pub(super) two_sigma_squares: f64,
    pub(super) between: sys::CUdeviceptr,
}

/// The widest Gaussian's radius: its sigma at most 64.
pub(super) const MOST_RADIUS: usize = 256;

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct GaussianArguments {
    pub(super) filter: FilterArguments,
    pub(super) weights: [f32; MOST_RADIUS + 1],
}

/// One filter that maps every pixel by itself.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PointStep {
    pub(super) filter: i32,
    pub(super) mixes: i32,
    pub(super) factor: f32,
    pub(super) luminance: [f32; 3],
}

/// The most point filters of one launch.
pub(super) const MOST_POINT_STEPS: usize = 8;

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PointArguments {
    pub(super) filter: FilterArguments,
    pub(super) step_count: i32,
    pub(super) steps: [PointStep; MOST_POINT_STEPS],
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PrefilterArguments {
    pub(super) plane: Plane,
    pub(super) coefficients: sys::CUdeviceptr,
    pub(super) pitch: i32,
    pub(super) stored: [i32; 2],
    pub(super) halo: [i32; 2],
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DisplayArguments {
    pub(super) target: Target,
    pub(super) first: sys::CUdeviceptr,
    pub(super) second: sys::CUdeviceptr,
    pub(super) colours: sys::CUdeviceptr,
    pub(super) channels: i32,
    pub(super) has_alpha: i32,
    pub(super) is_grey: i32,
    pub(super) colour_steps: i32,
    pub(super) out_channels: i32,
    pub(super) absolute: i32,
    pub(super) gain: f32,
    pub(super) bias: f32,
    pub(super) power: f32,
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
        name: format!("method_{}", super::kernels::stem(row)),
        numbers: vec![row.method as u32, row.taps as u32],
    }));
    layouts
}
