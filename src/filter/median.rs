//! Median of a square window, channel by channel, at the same speed for any values.
//!
//! Small windows are sorted by networks, many at a time; large ones by the ranks of their values. Both work on keys,
//! integers in the order of the values: infinities have their place in it, and what is no number stands above them all, so
//! that a window has no median only where more than half of it is no number.

mod networks;
mod ranks;

use super::{Edges, Plane, Work};

/// The median of (2·radius + 1)² values around each.
pub(super) fn median(parameters: &[f64], plane: &Plane, edges: &Edges, work: &Work, out: &mut [f32]) {
    match parameters[0] as usize {
        1 => networks::median::<2, 3>(plane, edges, work, out),
        2 => networks::median::<4, 5>(plane, edges, work, out),
        radius => ranks::median(radius, plane, edges, work, out),
    }
}

/// An integer that stands in the order of the values; what is no number stands last.
#[inline(always)]
fn key(value: f32) -> u32 {
    let bits = value.to_bits();
    let flipped = if bits >> 31 == 1 { !bits } else { bits | 1 << 31 };
    if value.is_nan() { u32::MAX } else { flipped }
}

/// The value of a key.
#[inline(always)]
fn value(key: u32) -> f32 {
    f32::from_bits(if key >> 31 == 1 { key & !(1 << 31) } else { !key })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stand_in_the_order_of_the_values_and_give_them_back() {
        let values = [f32::NEG_INFINITY, -2.0, -1e-40, 0.0, 1e-40, 0.5, 3e38, f32::INFINITY, f32::NAN];
        assert!(values.map(key).is_sorted_by(|a, b| a < b));
        assert!(key(-f32::NAN) == key(f32::NAN));
        for v in &values[..8] {
            assert_eq!(value(key(*v)), *v);
        }
        assert!(value(key(f32::NAN)).is_nan());
    }
}
