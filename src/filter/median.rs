//! Median of a square window for each channel; the time does not depend on the values.
//!
//! Small windows use sorting networks, many windows at a time; large windows use ranks. Both work on keys, integers in
//! the order of the values: infinities are ordered, NaN is above all, so the median is NaN only if more than half of
//! the window is NaN.

mod networks;
mod ranks;

use super::{Edges, ExecOptions, Plane};

/// Writes the median of (2·radius + 1)² values around each sample.
pub(super) fn median(parameters: &[f64], plane: &Plane, edges: &Edges, work: &ExecOptions, out: &mut [f32]) {
    match parameters[0] as usize {
        1 => networks::median::<2, 3>(plane, edges, work, out),
        2 => networks::median::<4, 5>(plane, edges, work, out),
        radius => ranks::median(radius, plane, edges, work, out),
    }
}

/// Integer key in the order of the values; NaN is last.
#[inline(always)]
fn key(value: f32) -> u32 {
    let bits = value.to_bits();
    let flipped = if bits >> 31 == 1 { !bits } else { bits | 1 << 31 };
    if value.is_nan() { u32::MAX } else { flipped }
}

/// Value of a key.
#[inline(always)]
fn value(key: u32) -> f32 {
    f32::from_bits(if key >> 31 == 1 { key & !(1 << 31) } else { !key })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_keys_are_ordered_as_values_and_invertible() {
        let values = [f32::NEG_INFINITY, -2.0, -1e-40, 0.0, 1e-40, 0.5, 3e38, f32::INFINITY, f32::NAN];
        assert!(values.map(key).is_sorted_by(|a, b| a < b));
        assert!(key(-f32::NAN) == key(f32::NAN));
        for v in &values[..8] {
            assert_eq!(value(key(*v)), *v);
        }
        assert!(value(key(f32::NAN)).is_nan());
    }
}
