//! AVX2: two vectors of eight numbers.

use std::arch::x86_64::{__m256, __m256d, __m256i};

use bytemuck::Pod;
use pulp::x86::V3;

use super::super::straight::straightened_256;
use super::{PACKED, PARTS, PIXELS, Vectors, last_word};

/// At most `most`, rounded to integers. A NaN stays one, becomes the least integer, and is 0 when it is packed, as negative numbers are.
#[inline(always)]
fn rounded(simd: V3, numbers: __m256, most: f32) -> __m256i {
    simd.avx._mm256_cvtps_epi32(simd.avx._mm256_min_ps(simd.avx._mm256_set1_ps(most), numbers))
}

/// Bytes of two times sixteen numbers.
#[inline(always)]
fn bytes_of(simd: V3, [[a, b], [c, d]]: [[__m256; 2]; 2], most: f32) -> __m256i {
    let avx2 = simd.avx2;
    let lower = avx2._mm256_packs_epi32(rounded(simd, a, most), rounded(simd, b, most));
    let upper = avx2._mm256_packs_epi32(rounded(simd, c, most), rounded(simd, d, most));
    // Packing puts groups of four numbers of each vector beside each other.
    let order: [u32; 8] = [0, 4, 1, 5, 2, 6, 3, 7];
    avx2._mm256_permutevar8x32_epi32(avx2._mm256_packus_epi16(lower, upper), pulp::cast(order))
}

/// Integers of 16 bits of sixteen numbers.
#[inline(always)]
fn shorts_of(simd: V3, [a, b]: [__m256; 2], most: f32) -> __m256i {
    const ORDER: i32 = 0b11_01_10_00;
    let packed = simd.avx2._mm256_packus_epi32(rounded(simd, a, most), rounded(simd, b, most));
    simd.avx2._mm256_permute4x64_epi64::<ORDER>(packed)
}

impl Vectors for V3 {
    type Floats = [__m256; 2];
    type Doubles = [__m256d; 4];
    type Words = [__m256i; 2];

    #[inline(always)]
    fn floats(self, values: &[f32; PIXELS]) -> Self::Floats {
        pulp::cast(*values)
    }

    #[inline(always)]
    fn array(self, values: Self::Floats) -> [f32; PIXELS] {
        pulp::cast(values)
    }

    #[inline(always)]
    fn splat(self, value: f32) -> Self::Floats {
        [self.avx._mm256_set1_ps(value); 2]
    }

    #[inline(always)]
    fn add(self, [a, b]: Self::Floats, [c, d]: Self::Floats) -> Self::Floats {
        [self.avx._mm256_add_ps(a, c), self.avx._mm256_add_ps(b, d)]
    }

    #[inline(always)]
    fn mul(self, [a, b]: Self::Floats, [c, d]: Self::Floats) -> Self::Floats {
        [self.avx._mm256_mul_ps(a, c), self.avx._mm256_mul_ps(b, d)]
    }

    #[inline(always)]
    fn straighten(self, [a, b, c, d]: [Self::Floats; PARTS]) -> [Self::Floats; PARTS] {
        let ([a, b], [c, d]) = (straightened_256(self, [a, b]), straightened_256(self, [c, d]));
        [a, b, c, d]
    }

    #[inline(always)]
    fn bytes(self, numbers: [Self::Floats; PARTS], most: f32, out: &mut [u8; PACKED]) {
        let [a, b, c, d] = numbers;
        *out = pulp::cast([bytes_of(self, [a, b], most), bytes_of(self, [c, d], most)]);
    }

    #[inline(always)]
    fn shorts(self, [a, b, c, d]: [Self::Floats; PARTS], most: f32, out: &mut [u16; PACKED]) {
        let words =
            [shorts_of(self, a, most), shorts_of(self, b, most), shorts_of(self, c, most), shorts_of(self, d, most)];
        *out = pulp::cast(words);
    }

    #[inline(always)]
    fn doubles(self, values: &[f64; PIXELS]) -> Self::Doubles {
        pulp::cast(*values)
    }

    #[inline(always)]
    fn double_array(self, values: Self::Doubles) -> [f64; PIXELS] {
        pulp::cast(values)
    }

    #[inline(always)]
    fn double_splat(self, value: f64) -> Self::Doubles {
        [self.avx._mm256_set1_pd(value); 4]
    }

    #[inline(always)]
    fn double_add(self, mut a: Self::Doubles, b: Self::Doubles) -> Self::Doubles {
        for part in 0..a.len() {
            a[part] = self.avx._mm256_add_pd(a[part], b[part]);
        }
        a
    }

    #[inline(always)]
    fn double_sub(self, mut a: Self::Doubles, b: Self::Doubles) -> Self::Doubles {
        for part in 0..a.len() {
            a[part] = self.avx._mm256_sub_pd(a[part], b[part]);
        }
        a
    }

    #[inline(always)]
    fn double_mul(self, mut a: Self::Doubles, b: Self::Doubles) -> Self::Doubles {
        for part in 0..a.len() {
            a[part] = self.avx._mm256_mul_pd(a[part], b[part]);
        }
        a
    }

    #[inline(always)]
    fn floor(self, [a, b, c, d]: Self::Doubles) -> Self::Doubles {
        let avx = self.avx;
        [avx._mm256_floor_pd(a), avx._mm256_floor_pd(b), avx._mm256_floor_pd(c), avx._mm256_floor_pd(d)]
    }

    #[inline(always)]
    fn narrow(self, [a, b, c, d]: Self::Doubles) -> Self::Floats {
        let avx = self.avx;
        pulp::cast([avx._mm256_cvtpd_ps(a), avx._mm256_cvtpd_ps(b), avx._mm256_cvtpd_ps(c), avx._mm256_cvtpd_ps(d)])
    }

    #[inline(always)]
    fn integers(self, [a, b, c, d]: Self::Doubles) -> Self::Words {
        let avx = self.avx;
        pulp::cast([
            avx._mm256_cvtpd_epi32(a),
            avx._mm256_cvtpd_epi32(b),
            avx._mm256_cvtpd_epi32(c),
            avx._mm256_cvtpd_epi32(d),
        ])
    }

    #[inline(always)]
    fn are_within(self, [a, b, c, d]: Self::Doubles, most: f64) -> bool {
        const AT_MOST: i32 = 18;
        let avx = self.avx;
        let (sign, most) = (avx._mm256_set1_pd(-0.0), avx._mm256_set1_pd(most));
        let a = avx._mm256_cmp_pd::<AT_MOST>(avx._mm256_andnot_pd(sign, a), most);
        let b = avx._mm256_cmp_pd::<AT_MOST>(avx._mm256_andnot_pd(sign, b), most);
        let c = avx._mm256_cmp_pd::<AT_MOST>(avx._mm256_andnot_pd(sign, c), most);
        let d = avx._mm256_cmp_pd::<AT_MOST>(avx._mm256_andnot_pd(sign, d), most);
        let all = avx._mm256_and_pd(avx._mm256_and_pd(a, b), avx._mm256_and_pd(c, d));
        avx._mm256_movemask_pd(all) == 15
    }

    #[inline(always)]
    fn word_array(self, words: Self::Words) -> [u32; PIXELS] {
        pulp::cast(words)
    }

    #[inline(always)]
    fn word_add(self, [a, b]: Self::Words, [c, d]: Self::Words) -> Self::Words {
        [self.avx2._mm256_add_epi32(a, c), self.avx2._mm256_add_epi32(b, d)]
    }

    #[inline(always)]
    fn times(self, [a, b]: Self::Words, factor: u32) -> Self::Words {
        let factor = self.avx._mm256_set1_epi32(factor as i32);
        [self.avx2._mm256_mullo_epi32(a, factor), self.avx2._mm256_mullo_epi32(b, factor)]
    }

    #[inline(always)]
    fn are_at_most(self, [a, b]: Self::Words, most: u32) -> bool {
        let avx2 = self.avx2;
        let most = self.avx._mm256_set1_epi32(most as i32);
        let greatest = avx2._mm256_max_epu32(a, b);
        avx2._mm256_movemask_epi8(avx2._mm256_cmpeq_epi32(avx2._mm256_max_epu32(greatest, most), most)) == -1
    }

    #[inline(always)]
    fn advance(self, [a, b]: Self::Words, offset: u32) -> Self::Words {
        let offset = self.avx._mm256_set1_epi32(offset as i32);
        [self.avx2._mm256_add_epi32(a, offset), self.avx2._mm256_add_epi32(b, offset)]
    }

    #[inline(always)]
    fn bits<const BITS: u32>(self, words: Self::Words, shift: u32) -> Self::Floats {
        let (avx, avx2) = (self.avx, self.avx2);
        let (shift, mask) = (avx._mm256_set1_epi32(shift as i32), avx._mm256_set1_epi32((1 << BITS) - 1));
        let mut floats = self.splat(0.0);
        for half in 0..words.len() {
            let bits = avx2._mm256_and_si256(avx2._mm256_srlv_epi32(words[half], shift), mask);
            floats[half] = avx._mm256_cvtepi32_ps(bits);
        }
        floats
    }

    #[inline(always)]
    #[expect(unsafe_code, reason = "the instruction reads by addresses")]
    fn gather<T: Pod>(self, numbers: &[T], first: Self::Words) -> Self::Words {
        let (avx, avx2) = (self.avx, self.avx2);
        let zero = avx._mm256_setzero_si256();
        let Some(last) = last_word(numbers) else { return [zero; 2] };
        let (last, base) = (avx._mm256_set1_epi32(last as i32), numbers.as_ptr().cast());
        let mut words = [zero; 2];
        for half in 0..words.len() {
            let first = first[half];
            let inside = avx2._mm256_cmpeq_epi32(avx2._mm256_min_epu32(first, last), first);
            // SAFETY: only lanes up to `last` are read, whose words are whole within `numbers`.
            words[half] = unsafe {
                match size_of::<T>() {
                    1 => avx2._mm256_mask_i32gather_epi32::<1>(zero, base, first, inside),
                    2 => avx2._mm256_mask_i32gather_epi32::<2>(zero, base, first, inside),
                    _ => avx2._mm256_mask_i32gather_epi32::<4>(zero, base, first, inside),
                }
            };
        }
        words
    }
}
