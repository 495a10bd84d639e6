//! AVX-512: one vector of sixteen numbers.

use std::arch::x86_64::{__m512, __m512d, __m512i};

use bytemuck::Pod;
use pulp::x86::V4;

use super::super::straight::straightened;
use super::{PACKED, PARTS, PIXELS, Vectors, last_word};

/// At most `most`, rounded to integers. A NaN stays one, becomes the least integer, and is 0 when it is packed, as negative numbers are.
#[inline(always)]
fn rounded(simd: V4, numbers: __m512, most: f32) -> __m512i {
    let avx = simd.avx512f;
    avx._mm512_cvtps_epi32(avx._mm512_min_ps(avx._mm512_set1_ps(most), numbers))
}

impl Vectors for V4 {
    type Floats = __m512;
    type Doubles = [__m512d; 2];
    type Words = __m512i;

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
        self.avx512f._mm512_set1_ps(value)
    }

    #[inline(always)]
    fn add(self, a: Self::Floats, b: Self::Floats) -> Self::Floats {
        self.avx512f._mm512_add_ps(a, b)
    }

    #[inline(always)]
    fn mul(self, a: Self::Floats, b: Self::Floats) -> Self::Floats {
        self.avx512f._mm512_mul_ps(a, b)
    }

    #[inline(always)]
    fn straighten(self, values: [Self::Floats; PARTS]) -> [Self::Floats; PARTS] {
        straightened(self, values)
    }

    #[inline(always)]
    fn bytes(self, [a, b, c, d]: [Self::Floats; PARTS], most: f32, out: &mut [u8; PACKED]) {
        let bytes = self.avx512bw;
        let lower = bytes._mm512_packs_epi32(rounded(self, a, most), rounded(self, b, most));
        let upper = bytes._mm512_packs_epi32(rounded(self, c, most), rounded(self, d, most));
        // Packing puts groups of four numbers of each vector beside each other.
        let order: [u32; PIXELS] = [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15];
        let packed = bytes._mm512_packus_epi16(lower, upper);
        *out = pulp::cast(self.avx512f._mm512_permutexvar_epi32(pulp::cast(order), packed));
    }

    #[inline(always)]
    fn shorts(self, [a, b, c, d]: [Self::Floats; PARTS], most: f32, out: &mut [u16; PACKED]) {
        let order: [u64; 8] = [0, 2, 4, 6, 1, 3, 5, 7];
        let (avx, bytes) = (self.avx512f, self.avx512bw);
        let lower = bytes._mm512_packus_epi32(rounded(self, a, most), rounded(self, b, most));
        let upper = bytes._mm512_packus_epi32(rounded(self, c, most), rounded(self, d, most));
        *out = pulp::cast([
            avx._mm512_permutexvar_epi64(pulp::cast(order), lower),
            avx._mm512_permutexvar_epi64(pulp::cast(order), upper),
        ]);
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
        [self.avx512f._mm512_set1_pd(value); 2]
    }

    #[inline(always)]
    fn double_add(self, [a, b]: Self::Doubles, [c, d]: Self::Doubles) -> Self::Doubles {
        [self.avx512f._mm512_add_pd(a, c), self.avx512f._mm512_add_pd(b, d)]
    }

    #[inline(always)]
    fn double_sub(self, [a, b]: Self::Doubles, [c, d]: Self::Doubles) -> Self::Doubles {
        [self.avx512f._mm512_sub_pd(a, c), self.avx512f._mm512_sub_pd(b, d)]
    }

    #[inline(always)]
    fn double_mul(self, [a, b]: Self::Doubles, [c, d]: Self::Doubles) -> Self::Doubles {
        [self.avx512f._mm512_mul_pd(a, c), self.avx512f._mm512_mul_pd(b, d)]
    }

    #[inline(always)]
    fn floor(self, [a, b]: Self::Doubles) -> Self::Doubles {
        // Downwards, without an exception.
        const DOWN: i32 = 9;
        [self.avx512f._mm512_roundscale_pd::<DOWN>(a), self.avx512f._mm512_roundscale_pd::<DOWN>(b)]
    }

    #[inline(always)]
    fn narrow(self, [a, b]: Self::Doubles) -> Self::Floats {
        pulp::cast([self.avx512f._mm512_cvtpd_ps(a), self.avx512f._mm512_cvtpd_ps(b)])
    }

    #[inline(always)]
    fn integers(self, [a, b]: Self::Doubles) -> Self::Words {
        pulp::cast([self.avx512f._mm512_cvtpd_epi32(a), self.avx512f._mm512_cvtpd_epi32(b)])
    }

    #[inline(always)]
    fn are_within(self, [a, b]: Self::Doubles, most: f64) -> bool {
        const AT_MOST: i32 = 18;
        let avx = self.avx512f;
        let most = avx._mm512_set1_pd(most);
        let first = avx._mm512_cmp_pd_mask::<AT_MOST>(avx._mm512_abs_pd(a), most);
        let second = avx._mm512_cmp_pd_mask::<AT_MOST>(avx._mm512_abs_pd(b), most);
        first & second == u8::MAX
    }

    #[inline(always)]
    fn word_array(self, words: Self::Words) -> [u32; PIXELS] {
        pulp::cast(words)
    }

    #[inline(always)]
    fn word_add(self, a: Self::Words, b: Self::Words) -> Self::Words {
        self.avx512f._mm512_add_epi32(a, b)
    }

    #[inline(always)]
    fn times(self, words: Self::Words, factor: u32) -> Self::Words {
        self.avx512f._mm512_mullo_epi32(words, self.avx512f._mm512_set1_epi32(factor as i32))
    }

    #[inline(always)]
    fn are_at_most(self, words: Self::Words, most: u32) -> bool {
        self.avx512f._mm512_cmple_epu32_mask(words, self.avx512f._mm512_set1_epi32(most as i32)) == u16::MAX
    }

    #[inline(always)]
    fn advance(self, words: Self::Words, offset: u32) -> Self::Words {
        self.avx512f._mm512_add_epi32(words, self.avx512f._mm512_set1_epi32(offset as i32))
    }

    #[inline(always)]
    fn bits<const BITS: u32>(self, words: Self::Words, shift: u32) -> Self::Floats {
        let avx = self.avx512f;
        let (shift, mask) = (avx._mm512_set1_epi32(shift as i32), avx._mm512_set1_epi32((1 << BITS) - 1));
        avx._mm512_cvtepi32_ps(avx._mm512_and_si512(avx._mm512_srlv_epi32(words, shift), mask))
    }

    #[inline(always)]
    #[expect(unsafe_code, reason = "the instruction reads by addresses")]
    fn gather<T: Pod>(self, numbers: &[T], first: Self::Words) -> Self::Words {
        let avx = self.avx512f;
        let zero = avx._mm512_setzero_si512();
        let Some(last) = last_word(numbers) else { return zero };
        let (inside, base) =
            (avx._mm512_cmple_epu32_mask(first, avx._mm512_set1_epi32(last as i32)), numbers.as_ptr().cast());
        // SAFETY: only lanes up to `last` are read, whose words are whole within `numbers`.
        unsafe {
            match size_of::<T>() {
                1 => avx._mm512_mask_i32gather_epi32::<1>(zero, inside, first, base),
                2 => avx._mm512_mask_i32gather_epi32::<2>(zero, inside, first, base),
                _ => avx._mm512_mask_i32gather_epi32::<4>(zero, inside, first, base),
            }
        }
    }
}
