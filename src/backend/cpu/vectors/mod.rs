//! Vectors of 16 numbers by the instructions of a set: the compiler does not find them in loops over arrays of this size.

mod arrays;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

use bytemuck::Pod;

pub(super) use self::arrays::Arrays;

/// Numbers of a vector, one for each of as many pixels.
pub(super) const PIXELS: usize = 16;
/// Numbers that are packed at once: bytes of a cache line.
pub(super) const PACKED: usize = 64;
/// Vectors of as many.
pub(super) const PARTS: usize = PACKED / PIXELS;

/// Bytes of a word.
pub(super) const WORD: usize = 4;

/// 1.5·2²³: adding it puts the nearest integer into the low bits of the sum, for values below 2²².
const TO_INTEGER: f32 = 12_582_912.0;

/// The bits of `number`, rounded to nearest and clamped to 0 … maxval, in the low bits of the result.
#[inline(always)]
pub(super) fn rounded(number: f32, maxval: f32) -> u32 {
    // `max` first: it maps NaN to 0.
    (number.max(0.0).min(maxval) + TO_INTEGER).to_bits()
}

/// Arithmetic on one number of each of 16 pixels. Functions of the sets have no closures, which would be compiled without their
/// instructions.
pub(in crate::backend::cpu) trait Vectors: Copy {
    /// Numbers in single precision.
    type Floats: Copy;
    /// Numbers in double precision.
    type Doubles: Copy;
    /// Words of 32 bits: unsigned integers, or bytes of samples.
    type Words: Copy;

    fn floats(self, values: &[f32; PIXELS]) -> Self::Floats;
    fn array(self, values: Self::Floats) -> [f32; PIXELS];
    /// The same number for every pixel.
    fn splat(self, value: f32) -> Self::Floats;
    fn add(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;
    fn mul(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// Straight colours: the numbers are pixels of three premultiplied colours and alpha.
    fn straighten(self, values: [Self::Floats; PARTS]) -> [Self::Floats; PARTS];
    /// Rounded to nearest and clamped to 0 … `most`; 0 for a NaN.
    fn bytes(self, numbers: [Self::Floats; PARTS], most: f32, out: &mut [u8; PACKED]);
    /// The same as integers of 16 bits.
    fn shorts(self, numbers: [Self::Floats; PARTS], most: f32, out: &mut [u16; PACKED]);

    fn doubles(self, values: &[f64; PIXELS]) -> Self::Doubles;
    fn double_array(self, values: Self::Doubles) -> [f64; PIXELS];
    fn double_splat(self, value: f64) -> Self::Doubles;
    fn double_add(self, a: Self::Doubles, b: Self::Doubles) -> Self::Doubles;
    fn double_sub(self, a: Self::Doubles, b: Self::Doubles) -> Self::Doubles;
    fn double_mul(self, a: Self::Doubles, b: Self::Doubles) -> Self::Doubles;
    fn floor(self, values: Self::Doubles) -> Self::Doubles;
    /// Rounded to single precision.
    fn narrow(self, values: Self::Doubles) -> Self::Floats;
    /// Whole numbers of at most 2³¹ − 1 as integers, negative ones modulo 2³².
    fn integers(self, values: Self::Doubles) -> Self::Words;
    /// Whether all numbers are at least `-most` and at most `most`.
    fn are_within(self, values: Self::Doubles, most: f64) -> bool;

    fn word_array(self, words: Self::Words) -> [u32; PIXELS];
    /// Sums modulo 2³².
    fn word_add(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// Sums with `offset`, modulo 2³².
    fn advance(self, words: Self::Words, offset: u32) -> Self::Words;
    /// Products with `factor`, modulo 2³².
    fn times(self, words: Self::Words, factor: u32) -> Self::Words;
    /// Whether all words are at most `most`.
    fn are_at_most(self, words: Self::Words, most: u32) -> bool;
    /// The integer of `BITS` bits from bit `shift` on, at most 24.
    fn bits<const BITS: u32>(self, words: Self::Words, shift: u32) -> Self::Floats;
    /// The word that begins at number `first` of `numbers`, which have 1, 2 or 4 bytes, for each pixel; 0 where a word is not
    /// whole within them, or begins beyond number 2³¹ − 1.
    fn gather<T: Pod>(self, numbers: &[T], first: Self::Words) -> Self::Words;
}

/// The last number at which a word begins, at most what a signed index counts; `None` for less than a word.
#[inline(always)]
fn last_word<T>(numbers: &[T]) -> Option<u32> {
    let last = size_of_val(numbers).checked_sub(WORD)? / size_of::<T>();
    Some(last.min(i32::MAX as usize) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "x86_64")]
    use pulp::x86::{V3, V4};

    /// Words from `values`, modulo 2³².
    fn words<V: Vectors>(simd: V, values: &[u32; PIXELS]) -> V::Words {
        simd.integers(simd.doubles(&values.map(|value| f64::from(value as i32))))
    }

    fn compare<T: Pod, V: Vectors>(simd: V, numbers: &[T], random: &mut fastrand::Rng) {
        let bytes: &[u8] = bytemuck::cast_slice(numbers);
        for round in 0..200 {
            let len = random.usize(0..=numbers.len());
            let most = if round % 4 == 0 { u32::MAX } else { len as u32 + 6 };
            let first: [u32; PIXELS] = std::array::from_fn(|_| random.u32(0..=most));
            let found = simd.word_array(simd.gather(&numbers[..len], words(simd, &first)));
            for pixel in 0..PIXELS {
                let from = first[pixel] as usize * size_of::<T>();
                let word = bytes[..len * size_of::<T>()].get(from..from + WORD);
                let expected = word.map_or(0, |word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
                assert_eq!(found[pixel], expected, "number {} of {len}", first[pixel]);
            }
        }
    }

    fn compare_doubles<V: Vectors>(simd: V, random: &mut fastrand::Rng) {
        let a: [f64; PIXELS] = std::array::from_fn(|_| (random.f64() - 0.5) * 4e9);
        let b: [f64; PIXELS] = std::array::from_fn(|_| random.f64() * 100.0 - 50.0);
        let (va, vb) = (simd.doubles(&a), simd.doubles(&b));
        let result = simd.double_sub(simd.double_add(simd.double_mul(va, vb), simd.double_splat(0.1)), va);
        let floors = simd.floor(vb);
        for pixel in 0..PIXELS {
            assert_eq!(simd.double_array(result)[pixel], a[pixel] * b[pixel] + 0.1 - a[pixel]);
            assert_eq!(simd.double_array(floors)[pixel], b[pixel].floor());
            assert_eq!(simd.array(simd.narrow(va))[pixel], a[pixel] as f32);
            assert_eq!(simd.word_array(simd.integers(floors))[pixel], b[pixel].floor() as i32 as u32);
        }
        for pixel in 0..PIXELS {
            for (value, is_within) in [(7.0, true), (-7.0, true), (7.5, false), (-7.5, false), (f64::NAN, false)] {
                let mut values = [0.0; PIXELS];
                values[pixel] = value;
                assert_eq!(simd.are_within(simd.doubles(&values), 7.0), is_within, "{value} at {pixel}");
            }
            for (word, is_at_most) in [(9, true), (10, false), (u32::MAX, false)] {
                let mut values = [0; PIXELS];
                values[pixel] = word;
                assert_eq!(simd.are_at_most(words(simd, &values), 9), is_at_most, "{word} at {pixel}");
            }
        }
    }

    fn compare_all<V: Vectors>(simd: V) {
        let mut random = fastrand::Rng::with_seed(5);
        let bytes: Vec<u8> = (0..96).map(|_| random.u8(..)).collect();
        let integers: Vec<u16> = (0..96).map(|_| random.u16(..)).collect();
        let floats: Vec<f32> = (0..96).map(|_| random.f32()).collect();
        compare(simd, &bytes, &mut random);
        compare(simd, &integers, &mut random);
        compare(simd, &floats, &mut random);
        let numbers: [u32; PIXELS] = std::array::from_fn(|_| random.u32(..));
        let both = words(simd, &numbers);
        let (a, b): ([f32; PIXELS], [f32; PIXELS]) =
            (std::array::from_fn(|_| random.f32()), std::array::from_fn(|_| random.f32()));
        compare_doubles(simd, &mut random);
        let sum = simd.array(simd.add(simd.floats(&a), simd.mul(simd.floats(&b), simd.splat(3.0))));
        let advanced = simd.advance(both, u32::MAX - 2);
        for pixel in 0..PIXELS {
            assert_eq!(sum[pixel], a[pixel] + b[pixel] * 3.0);
            assert_eq!(
                simd.array(simd.bits::<16>(advanced, 0))[pixel],
                (numbers[pixel].wrapping_sub(3) & 65535) as f32
            );
            assert_eq!(simd.word_array(simd.times(both, 77))[pixel], numbers[pixel].wrapping_mul(77));
            assert_eq!(
                simd.word_array(simd.word_add(advanced, both))[pixel],
                numbers[pixel].wrapping_mul(2).wrapping_sub(3)
            );
            assert_eq!(simd.array(simd.bits::<8>(advanced, 24))[pixel], (numbers[pixel].wrapping_sub(3) >> 24) as f32);
        }
    }

    #[test]
    fn every_set_has_the_same_arithmetic_and_reads_0_beyond_the_end() {
        compare_all(Arrays);
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(simd) = V3::try_new() {
                compare_all(simd);
            }
            if let Some(simd) = V4::try_new() {
                compare_all(simd);
            }
        }
    }
}
