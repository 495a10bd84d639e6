//! Offsets of the argument structs, for the test that compares them with the kernels' own.

use super::arguments::{
    DisplayArguments, FilterArguments, GaussianArguments, Map, PassArguments, PixelArguments, Plane, PointArguments,
    PointStep, PrefilterArguments, Target, TiledArguments, WeightCurves,
};
use super::output::Output;
use crate::filter::Filter;
use crate::sampling::{Address, METHODS, MethodRow};

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
    layouts.extend(METHODS.iter().enumerate().map(|(place, row)| Layout {
        name: format!("method_{}", stem(row)),
        numbers: vec![place as u32, row.method.kernel().taps as u32],
    }));
    layouts
}

/// The name of a method as an identifier.
pub(crate) fn stem(row: &MethodRow) -> String {
    row.name.replace('-', "_")
}
