//! Offsets of the argument structs, for the test that compares them with the kernels' own.

use super::arguments::{
    DisplayArguments, FilterArguments, GaussianArguments, KernelCurve, Map, MemoryArguments, PassArguments,
    PixelArguments, Plane, PointArguments, PointStep, PrefilterArguments, Target, TiledArguments, WeightCurves,
};
use super::output::Output;
use crate::filter::Filter;
use crate::sampling::Address;

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
    vec![
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
        layout!(
            "kernel_curve",
            KernelCurve,
            radius,
            ends,
            bins_a_sample,
            terms,
            first_knots,
            bins,
            knot_count,
            closed,
            taps,
            before,
            is_normalized
        ),
        layout!("pixel", PixelArguments, map, plane, target, curves, lookup_table),
        layout!("memory", MemoryArguments, map, plane, target, kernel, stretch),
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
        layout!(
            "prefilter",
            PrefilterArguments,
            plane,
            coefficients,
            pitch,
            stored,
            halo,
            pole_count,
            poles,
            gains,
            starts,
            ends
        ),
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
    ]
}
