//! Arrays, compiled for what every machine has: SSE2, or NEON.

use bytemuck::Pod;

use super::super::straight::straighten_values;
use super::{PACKED, PARTS, PIXELS, Vectors, WORD, last_word, rounded};

/// Adding it to a whole number below 2³¹ puts that number into the low bits of the sum: 1.5·2⁵².
const TO_INTEGER: f64 = 6_755_399_441_055_744.0;

/// Arrays, compiled for what every machine has.
#[derive(Clone, Copy)]
pub(in crate::backend::cpu) struct Arrays;

/// Applies `f` to pairs of elements.
#[inline(always)]
fn zip<T: Copy + Default>(a: [T; PIXELS], b: [T; PIXELS], f: impl Fn(T, T) -> T) -> [T; PIXELS] {
    let mut out = [T::default(); PIXELS];
    for pixel in 0..PIXELS {
        out[pixel] = f(a[pixel], b[pixel]);
    }
    out
}

impl Vectors for Arrays {
    type Floats = [f32; PIXELS];
    type Doubles = [f64; PIXELS];
    type Words = [u32; PIXELS];

    #[inline(always)]
    fn floats(self, values: &[f32; PIXELS]) -> Self::Floats {
        *values
    }

    #[inline(always)]
    fn array(self, values: Self::Floats) -> [f32; PIXELS] {
        values
    }

    #[inline(always)]
    fn splat(self, value: f32) -> Self::Floats {
        [value; PIXELS]
    }

    #[inline(always)]
    fn add(self, a: Self::Floats, b: Self::Floats) -> Self::Floats {
        zip(a, b, |a, b| a + b)
    }

    #[inline(always)]
    fn mul(self, a: Self::Floats, b: Self::Floats) -> Self::Floats {
        zip(a, b, |a, b| a * b)
    }

    #[inline(always)]
    fn straighten(self, mut values: [Self::Floats; PARTS]) -> [Self::Floats; PARTS] {
        values.iter_mut().for_each(straighten_values);
        values
    }

    #[inline(always)]
    fn bytes(self, numbers: [Self::Floats; PARTS], most: f32, out: &mut [u8; PACKED]) {
        for (to, number) in out.iter_mut().zip(numbers.as_flattened()) {
            *to = rounded(*number, most) as u8;
        }
    }

    #[inline(always)]
    fn shorts(self, numbers: [Self::Floats; PARTS], most: f32, out: &mut [u16; PACKED]) {
        for (to, number) in out.iter_mut().zip(numbers.as_flattened()) {
            *to = rounded(*number, most) as u16;
        }
    }

    #[inline(always)]
    fn doubles(self, values: &[f64; PIXELS]) -> Self::Doubles {
        *values
    }

    #[inline(always)]
    fn double_array(self, values: Self::Doubles) -> [f64; PIXELS] {
        values
    }

    #[inline(always)]
    fn double_splat(self, value: f64) -> Self::Doubles {
        [value; PIXELS]
    }

    #[inline(always)]
    fn double_add(self, a: Self::Doubles, b: Self::Doubles) -> Self::Doubles {
        zip(a, b, |a, b| a + b)
    }

    #[inline(always)]
    fn double_sub(self, a: Self::Doubles, b: Self::Doubles) -> Self::Doubles {
        zip(a, b, |a, b| a - b)
    }

    #[inline(always)]
    fn double_mul(self, a: Self::Doubles, b: Self::Doubles) -> Self::Doubles {
        zip(a, b, |a, b| a * b)
    }

    #[inline(always)]
    fn floor(self, values: Self::Doubles) -> Self::Doubles {
        values.map(f64::floor)
    }

    #[inline(always)]
    fn narrow(self, values: Self::Doubles) -> Self::Floats {
        values.map(|value| value as f32)
    }

    #[inline(always)]
    fn integers(self, values: Self::Doubles) -> Self::Words {
        values.map(|value| (value + TO_INTEGER).to_bits() as u32)
    }

    #[inline(always)]
    fn are_within(self, values: Self::Doubles, most: f64) -> bool {
        values.iter().fold(true, |all, value| all & (value.abs() <= most))
    }

    #[inline(always)]
    fn word_array(self, words: Self::Words) -> [u32; PIXELS] {
        words
    }

    #[inline(always)]
    fn word_add(self, a: Self::Words, b: Self::Words) -> Self::Words {
        zip(a, b, u32::wrapping_add)
    }

    #[inline(always)]
    fn times(self, words: Self::Words, factor: u32) -> Self::Words {
        words.map(|word| word.wrapping_mul(factor))
    }

    #[inline(always)]
    fn are_at_most(self, words: Self::Words, most: u32) -> bool {
        words.iter().fold(true, |all, &word| all & (word <= most))
    }

    #[inline(always)]
    fn advance(self, words: Self::Words, offset: u32) -> Self::Words {
        words.map(|word| word.wrapping_add(offset))
    }

    #[inline(always)]
    fn bits<const BITS: u32>(self, words: Self::Words, shift: u32) -> Self::Floats {
        words.map(|word| ((word >> shift) & ((1 << BITS) - 1)) as i32 as f32)
    }

    #[inline(always)]
    fn gather<T: Pod>(self, numbers: &[T], first: Self::Words) -> Self::Words {
        let mut words = [0; PIXELS];
        if let Some(last) = last_word(numbers) {
            let bytes: &[u8] = bytemuck::cast_slice(numbers);
            for pixel in 0..PIXELS {
                let from = first[pixel] as usize * size_of::<T>();
                if let (true, Some(&[a, b, c, d])) = (first[pixel] <= last, bytes.get(from..from + WORD)) {
                    words[pixel] = u32::from_le_bytes([a, b, c, d]);
                }
            }
        }
        words
    }
}
