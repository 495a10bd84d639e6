//! Rows of regular columns by AVX2 and AVX-512: one permutation and one sum of products for each row of samples and vector.

use std::arch::x86_64::{
    __m128i, __m256i, __m512i, _MM_HINT_T0, _mm_prefetch, _mm512_broadcast_i32x4, _mm512_dpwssd_epi32,
    _mm512_maskz_permutexvar_epi8, _mm512_set1_epi32,
};

use pulp::x86::V3;

use super::super::super::super::instructions::Inlined;
use super::super::columns::BLOCK;
use super::super::{Avx512Bytes, avx2, avx512, put};
use super::QuadWeights;

/// Prefetch distance in bytes.
const AHEAD: usize = 1024;
/// Bytes that a lane's index selects nothing by.
const NOTHING: u32 = 0x8080_8080;

/// Where the samples of vectors of `LANES` values are.
#[derive(Debug)]
pub(super) struct Windows<const LANES: usize> {
    /// The first number of each window in the line.
    from: Vec<u32>,
    /// Places of each lane's samples in its window, of the vectors after which they repeat.
    index: Vec<[u32; LANES]>,
    /// Whether each fourth value is opaque.
    has_pixels: bool,
}

impl<const LANES: usize> Windows<LANES> {
    /// Bytes of a window, and values that read one.
    const WINDOW: usize = if LANES == 16 { 64 } else { 16 };
    const OF_A_WINDOW: usize = if LANES == 16 { 16 } else { 4 };

    /// For `count` columns, `step` numbers apart; `None` if a window is too narrow for them.
    pub(super) fn new(count: usize, step: usize, [from, to]: [usize; 2]) -> Option<Self> {
        let place = |value: usize| value / to * step + value % to;
        let windows = (count * to).next_multiple_of(BLOCK) / Self::OF_A_WINDOW;
        // Values behind the last column's read what its last sample does.
        let last = (count - 1) * step + from - 1;
        // Vectors begin with every channel by turns, or with the first.
        let period = if to.is_multiple_of(3) { 3 } else { 1 };
        let mut reach = 0;
        let index = (0..period).map(|vector| {
            std::array::from_fn(|lane| {
                let value = vector * LANES + lane;
                if value % to == from {
                    return NOTHING;
                }
                let first = place(value) - place(value / Self::OF_A_WINDOW * Self::OF_A_WINDOW);
                reach = reach.max(first + from + 1);
                first as u32 | ((first + from) as u32) << 16 | 0x8000_8000
            })
        });
        let index: Vec<[u32; LANES]> = index.collect();
        (reach <= Self::WINDOW).then(|| Self {
            from: (0..windows).map(|window| place(window * Self::OF_A_WINDOW).min(last) as u32).collect(),
            index,
            has_pixels: to > from,
        })
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.from[..]) + size_of_val(&self.index[..])
    }

    /// What the sums of four values begin with.
    fn start(&self, weights: QuadWeights) -> [i32; 4] {
        let [start, opaque] = weights.start();
        [start, start, start, if self.has_pixels { opaque } else { start }]
    }
}

impl Windows<8> {
    /// Writes a row of the output.
    pub(super) fn write(&self, simd: V3, rows: [&[u8]; 2], weights: QuadWeights, out: &mut [u8]) {
        simd.vectorize(Inlined(
            #[inline(always)]
            || self.write_row(simd, rows, weights, out),
        ));
    }

    #[inline(always)]
    fn write_row(&self, simd: V3, rows: [&[u8]; 2], weights: QuadWeights, out: &mut [u8]) {
        let (avx, avx2) = (simd.avx, simd.avx2);
        let start: __m256i = pulp::cast([self.start(weights); 2]);
        let packed = weights.packed();
        let packed = [avx._mm256_set1_epi32(packed[0]), avx._mm256_set1_epi32(packed[1])];
        let mut vector = 0;
        for (out, from) in out.chunks_mut(BLOCK / 2).zip(self.from.as_chunks::<8>().0) {
            let mut totals = [start; 4];
            for part in 0..4 {
                let index = pulp::cast(self.index[vector]);
                vector = if vector + 1 == self.index.len() { 0 } else { vector + 1 };
                let [lower, upper] = [from[2 * part] as usize, from[2 * part + 1] as usize];
                for row in 0..2 {
                    let (Some(a), Some(b)) = (avx2::window(rows[row], lower), avx2::window(rows[row], upper)) else {
                        return;
                    };
                    let samples = avx2._mm256_shuffle_epi8(pulp::cast([*a, *b]), index);
                    totals[part] = avx2._mm256_add_epi32(totals[part], avx2._mm256_madd_epi16(samples, packed[row]));
                }
            }
            put(avx2::levels(simd, totals, weights.bits), out);
        }
    }
}

impl Windows<16> {
    /// Writes a row of the output.
    #[expect(unsafe_code, reason = "instructions that not every machine has")]
    pub(super) fn write(&self, _simd: Avx512Bytes, rows: [&[u8]; 2], weights: QuadWeights, out: &mut [u8]) {
        // SAFETY: an `Avx512Bytes` is proof of these features.
        unsafe { write_row(self, rows, weights, out) }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vnni")]
fn write_row(windows: &Windows<16>, rows: [&[u8]; 2], weights: QuadWeights, out: &mut [u8]) {
    let start: __m128i = pulp::cast(windows.start(weights));
    let start = _mm512_broadcast_i32x4(start);
    let [upper, lower] = weights.packed();
    let packed = [_mm512_set1_epi32(upper), _mm512_set1_epi32(lower)];
    let mask = if windows.has_pixels { avx512::COLOURS } else { avx512::SAMPLES };
    let mut vector = 0;
    for (out, from) in out.chunks_mut(BLOCK).zip(windows.from.as_chunks::<4>().0) {
        let mut totals = [start; 4];
        for part in 0..4 {
            let index: __m512i = pulp::cast(windows.index[vector]);
            vector = if vector + 1 == windows.index.len() { 0 } else { vector + 1 };
            let from = from[part] as usize;
            for row in 0..2 {
                // The samples of two vectors are about a cache line.
                if part % 2 == 0 {
                    _mm_prefetch::<_MM_HINT_T0>(rows[row].as_ptr().wrapping_add(from + AHEAD).cast());
                }
                let Some(window) = rows[row].get(from..).and_then(|row| row.first_chunk::<64>()) else { return };
                let samples = _mm512_maskz_permutexvar_epi8(mask, index, pulp::cast(*window));
                totals[part] = _mm512_dpwssd_epi32(totals[part], samples, packed[row]);
            }
        }
        put(avx512::levels_of_sums(totals, weights.bits), out);
    }
}
