//! Both passes with AVX-512, its byte permutations (VBMI) and its sums of two products (VNNI).

use std::arch::x86_64::{
    __m128i, __m512i, _MM_HINT_T0, _mm_cvtsi32_si128, _mm_prefetch, _mm512_add_epi32, _mm512_broadcast_i32x4,
    _mm512_castsi128_si512, _mm512_castsi256_si512, _mm512_dpbusd_epi32, _mm512_dpwssd_epi32, _mm512_mask_mov_epi16,
    _mm512_maskz_permutex2var_epi16, _mm512_maskz_permutexvar_epi8, _mm512_maskz_permutexvar_epi16, _mm512_packs_epi16,
    _mm512_packs_epi32, _mm512_permutex2var_epi16, _mm512_permutex2var_epi64, _mm512_permutexvar_epi32,
    _mm512_permutexvar_epi64, _mm512_set1_epi8, _mm512_set1_epi16, _mm512_set1_epi32, _mm512_setzero_si512,
    _mm512_slli_epi32, _mm512_sra_epi16, _mm512_sra_epi32, _mm512_test_epi16_mask, _mm512_unpackhi_epi8,
    _mm512_unpackhi_epi16, _mm512_unpacklo_epi8, _mm512_unpacklo_epi16, _mm512_xor_si512,
};

use super::super::super::instructions::Avx512Bytes;
use super::blocks::Blocks;
use super::columns::BLOCK;
use super::put;
use super::reduced::{Group, ROWS};
use super::vertical::RowWeights;

/// Values of a vector of sums.
const LANES: usize = 16;
/// Prefetch distance in bytes. The hardware prefetcher stops at the pages of memory, of which a row of colours has several.
const AHEAD: usize = 1024;
/// The bytes that hold samples: the lower ones of 16-bit numbers.
pub(super) const SAMPLES: u64 = 0x5555_5555_5555_5555;
/// The same without those of every fourth value, which is opaque.
pub(super) const COLOURS: u64 = 0x0555_0555_0555_0555;
/// Four values of each pixel.
const PIXELS: [u32; LANES] = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3];
/// Where a channel's samples are behind the first one's.
const CHANNELS: [u32; LANES] = {
    let mut places = [0; LANES];
    let mut lane = 0;
    while lane < LANES {
        places[lane] = 0x0001_0001 * (lane as u32 % 4);
        lane += 1;
    }
    places
};
/// The upper halves of the sums in two vectors.
const UPPER_HALVES: [i16; 2 * LANES] = {
    let mut order = [0; 2 * LANES];
    let mut place = 0;
    while place < 2 * LANES {
        order[place] = 2 * place as i16 + 1;
        place += 1;
    }
    order
};
/// Packing puts eight bytes of each vector beside each other.
const PACKED_ORDER: [u64; 8] = [0, 2, 4, 6, 1, 3, 5, 7];
/// Packing twice puts four bytes of each vector beside each other.
const PACKED_FOURS: [u32; LANES] = [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15];
/// Lanes of 128 bits of two vectors by turns, in eighths.
const LOWER_LANES: [u64; 8] = [0, 1, 8, 9, 2, 3, 10, 11];
const UPPER_LANES: [u64; 8] = [4, 5, 12, 13, 6, 7, 14, 15];
/// The 16-bit numbers of every four values but those of the fourth, which is opaque.
const COLOUR_WORDS: u32 = 0x3F3F_3F3F;

impl Avx512Bytes {
    /// Filters a row of `samples` into `out`, which has the vectors of `blocks`. `shift`: fraction bits of the weights less those of the sums.
    #[expect(unsafe_code, reason = "instructions that not every machine has")]
    pub(super) fn filter(self, (blocks, shift): (&Blocks, u32), samples: &[u8], out: &mut [i16]) {
        let out = out.as_chunks_mut().0;
        // SAFETY: an `Avx512Bytes` is proof of these features.
        unsafe {
            match (blocks.has_pixels, blocks.reach) {
                (false, ..=16) => filter_pairs::<LANES, 16>((blocks, shift), samples, out),
                (false, ..=32) => filter_pairs::<LANES, 32>((blocks, shift), samples, out),
                (false, _) => filter_pairs::<LANES, 64>((blocks, shift), samples, out),
                (true, ..=16) => filter_pairs::<4, 16>((blocks, shift), samples, out),
                (true, ..=32) => filter_pairs::<4, 32>((blocks, shift), samples, out),
                (true, _) => filter_pairs::<4, 64>((blocks, shift), samples, out),
            }
        }
    }

    /// Writes the rows of `out`.
    #[expect(unsafe_code, reason = "instructions that not every machine has")]
    pub(super) fn write<const PAIRS: usize>(
        self,
        rows: &[[&[i16]; 2]; PAIRS],
        weights: &RowWeights<PAIRS>,
        out: &mut [u8],
    ) {
        // SAFETY: an `Avx512Bytes` is proof of these features.
        unsafe { write(rows, weights, out) }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vnni")]
fn filter_pairs<const PARTS: usize, const WINDOW: usize>(
    (blocks, shift): (&Blocks, u32),
    samples: &[u8],
    out: &mut [[i16; 2 * LANES]],
) {
    match blocks.pairs {
        1 => filter::<1, PARTS, WINDOW>((blocks, shift), samples, out),
        2 => filter::<2, PARTS, WINDOW>((blocks, shift), samples, out),
        3 => filter::<3, PARTS, WINDOW>((blocks, shift), samples, out),
        _ => filter::<4, PARTS, WINDOW>((blocks, shift), samples, out),
    }
}

/// `PARTS`: lanes of a vector's places and weights, one a value, or one a pixel of four. `WINDOW`: bytes that are read of a window.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vnni")]
fn filter<const PAIRS: usize, const PARTS: usize, const WINDOW: usize>(
    (blocks, shift): (&Blocks, u32),
    samples: &[u8],
    out: &mut [[i16; 2 * LANES]],
) {
    let index = blocks.index.numbers().as_chunks::<PARTS>().0.as_chunks::<2>().0;
    let weights = blocks.weights.numbers().as_chunks::<PARTS>().0.as_chunks::<PAIRS>().0.as_chunks::<2>().0;
    let from = blocks.from.as_chunks::<2>().0;
    let start: __m128i = pulp::cast(blocks.start);
    let start = _mm512_broadcast_i32x4(start);
    let shift = _mm_cvtsi32_si128(shift as i32);
    let (mask, channels): (u64, __m512i) =
        if PARTS == LANES { (SAMPLES, _mm512_setzero_si512()) } else { (COLOURS, pulp::cast(CHANNELS)) };
    for (((out, from), index), weights) in out.iter_mut().zip(from).zip(index).zip(weights) {
        _mm_prefetch::<_MM_HINT_T0>(samples.as_ptr().wrapping_add(from[0] as usize + AHEAD).cast());
        let mut halves = [start; 2];
        for half in 0..2 {
            let mut index = spread(&index[half]);
            if PARTS != LANES {
                index = _mm512_add_epi32(index, channels);
            }
            let mut from = from[half] as usize;
            for weights in &weights[half] {
                let Some(window) = samples.get(from..).and_then(|samples| samples.first_chunk::<WINDOW>()) else {
                    return;
                };
                let samples = _mm512_maskz_permutexvar_epi8(mask, index, window_of(window));
                halves[half] = _mm512_dpwssd_epi32(halves[half], samples, spread(weights));
                from += blocks.step;
            }
        }
        let [a, b] = [_mm512_sra_epi32(halves[0], shift), _mm512_sra_epi32(halves[1], shift)];
        *out = pulp::cast(_mm512_packs_epi32(a, b));
    }
}

/// The bytes of a window in the first places of a vector.
#[target_feature(enable = "avx512f")]
fn window_of<const WINDOW: usize>(window: &[u8; WINDOW]) -> __m512i {
    match (window.first_chunk::<64>(), window.first_chunk::<32>(), window.first_chunk::<16>()) {
        (Some(all), ..) => pulp::cast(*all),
        (_, Some(half), _) => _mm512_castsi256_si512(pulp::cast(*half)),
        (.., Some(quarter)) => _mm512_castsi128_si512(pulp::cast(*quarter)),
        _ => _mm512_setzero_si512(),
    }
}

/// A vector of values from its lanes, which are values, or pixels of four.
#[target_feature(enable = "avx512f")]
fn spread<const PARTS: usize>(lanes: &[u32; PARTS]) -> __m512i {
    match (lanes.first_chunk::<LANES>(), lanes.first_chunk::<4>()) {
        (Some(values), _) => pulp::cast(*values),
        (_, Some(pixels)) => {
            let pixels: __m128i = pulp::cast(*pixels);
            _mm512_permutexvar_epi32(pulp::cast(PIXELS), _mm512_castsi128_si512(pixels))
        }
        _ => _mm512_setzero_si512(),
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vnni")]
fn write<const PAIRS: usize>(rows: &[[&[i16]; 2]; PAIRS], weights: &RowWeights<PAIRS>, out: &mut [u8]) {
    let stride = out.len() / weights.count.max(1);
    let rows = rows.map(|pair| pair.map(|row| &row.as_chunks::<BLOCK>().0[..stride.div_ceil(BLOCK)]));
    let weights_of_rows = &weights.packed[..weights.count];
    let whole = stride / BLOCK;
    for block in 0..whole {
        let samples = interleaved(&rows, block);
        for (weights_of_row, out) in weights_of_rows.iter().zip(out.chunks_exact_mut(stride)) {
            if let Some(out) = out[block * BLOCK..].first_chunk_mut() {
                *out = levels(&samples, weights_of_row, weights.shift);
            }
        }
    }
    if whole * BLOCK < stride {
        let samples = interleaved(&rows, whole);
        for (weights_of_row, out) in weights_of_rows.iter().zip(out.chunks_exact_mut(stride)) {
            let out = &mut out[whole * BLOCK..];
            out.copy_from_slice(&levels(&samples, weights_of_row, weights.shift)[..out.len()]);
        }
    }
}

/// The sums of a block of each pair of rows, those of both rows beside each other: four vectors of sixteen values.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn interleaved<const PAIRS: usize>(rows: &[[&[[i16; BLOCK]]; 2]; PAIRS], block: usize) -> [[__m512i; 4]; PAIRS] {
    let mut samples = [[_mm512_setzero_si512(); 4]; PAIRS];
    for (samples, [a, b]) in samples.iter_mut().zip(rows) {
        let [a, b]: [[__m512i; 2]; 2] = [pulp::cast(a[block]), pulp::cast(b[block])];
        *samples = [
            _mm512_unpacklo_epi16(a[0], b[0]),
            _mm512_unpackhi_epi16(a[0], b[0]),
            _mm512_unpacklo_epi16(a[1], b[1]),
            _mm512_unpackhi_epi16(a[1], b[1]),
        ];
    }
    samples
}

/// The levels of a block.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
#[inline]
fn levels<const PAIRS: usize>(samples: &[[__m512i; 4]; PAIRS], weights: &[i32; PAIRS], shift: u32) -> [u8; BLOCK] {
    // The upper halves have 16 fraction bits less.
    let shift = _mm_cvtsi32_si128(shift as i32 - 16);
    let upper_halves = pulp::cast(UPPER_HALVES);
    let mut sums = [_mm512_setzero_si512(); 4];
    for (samples, &weight) in samples.iter().zip(weights) {
        let weight = _mm512_set1_epi32(weight);
        for part in 0..4 {
            sums[part] = _mm512_dpwssd_epi32(sums[part], samples[part], weight);
        }
    }
    let lower = _mm512_sra_epi16(_mm512_permutex2var_epi16(sums[0], upper_halves, sums[1]), shift);
    let upper = _mm512_sra_epi16(_mm512_permutex2var_epi16(sums[2], upper_halves, sums[3]), shift);
    let packed = _mm512_xor_si512(_mm512_packs_epi16(lower, upper), _mm512_set1_epi8(-128));
    pulp::cast(_mm512_permutexvar_epi64(pulp::cast(PACKED_ORDER), packed))
}

impl Avx512Bytes {
    /// Adds the rows of `group` to the totals of whole blocks, or to their sums.
    #[expect(unsafe_code, reason = "instructions that not every machine has")]
    pub(super) fn add(self, group: &Group<'_>, totals: &mut [i32], sums: &mut [i16]) {
        // SAFETY: an `Avx512Bytes` is proof of these features.
        unsafe { add(group, totals, sums) }
    }

    /// Filters sums into the levels `out`. `shift`: fraction bits of a product.
    #[expect(unsafe_code, reason = "instructions that not every machine has")]
    pub(super) fn filter_sums(self, (blocks, shift): (&Blocks, u32), sums: &[i16], out: &mut [u8]) {
        // SAFETY: an `Avx512Bytes` is proof of these features.
        unsafe {
            match (blocks.has_pixels, blocks.reach) {
                (false, ..=32) => filter_sums::<LANES, 1>((blocks, shift), sums, out),
                (false, ..=64) => filter_sums::<LANES, 2>((blocks, shift), sums, out),
                (false, _) => filter_sums::<LANES, 4>((blocks, shift), sums, out),
                (true, ..=32) => filter_sums::<4, 1>((blocks, shift), sums, out),
                (true, ..=64) => filter_sums::<4, 2>((blocks, shift), sums, out),
                (true, _) => filter_sums::<4, 4>((blocks, shift), sums, out),
            }
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn add(group: &Group<'_>, totals: &mut [i32], sums: &mut [i16]) {
    let rows = group.rows.as_chunks::<ROWS>().0;
    let blocks = totals.as_chunks_mut::<LANES>().0.as_chunks_mut::<4>().0;
    for (block, (totals, sums)) in blocks.iter_mut().zip(sums.as_chunks_mut::<BLOCK>().0).enumerate() {
        let begin = group.from + block * BLOCK;
        let [mut fine, mut coarse] = [[_mm512_setzero_si512(); 4]; 2];
        for (rows, &[fine_weights, coarse_weights]) in rows.iter().zip(group.split) {
            let mut samples = [_mm512_setzero_si512(); ROWS];
            for row in 0..ROWS {
                let numbers = rows[row].get(begin..).and_then(|row| row.first_chunk::<BLOCK>());
                let Some(numbers) = numbers else { return };
                samples[row] = pulp::cast(*numbers);
            }
            let [a, b, c, d] = samples;
            let pairs = [
                [_mm512_unpacklo_epi8(a, b), _mm512_unpacklo_epi8(c, d)],
                [_mm512_unpackhi_epi8(a, b), _mm512_unpackhi_epi8(c, d)],
            ];
            let (fine_weights, coarse_weights) = (_mm512_set1_epi32(fine_weights), _mm512_set1_epi32(coarse_weights));
            for (half, [first, second]) in pairs.into_iter().enumerate() {
                let quads = [_mm512_unpacklo_epi16(first, second), _mm512_unpackhi_epi16(first, second)];
                for (part, quads) in quads.into_iter().enumerate() {
                    let sum = 2 * half + part;
                    fine[sum] = _mm512_dpbusd_epi32(fine[sum], quads, fine_weights);
                    coarse[sum] = _mm512_dpbusd_epi32(coarse[sum], quads, coarse_weights);
                }
            }
        }
        let mut all: [__m512i; 4] = match group.start {
            Some(start) => [_mm512_set1_epi32(start); 4],
            None => pulp::cast(*totals),
        };
        for part in 0..4 {
            let sum = _mm512_add_epi32(_mm512_slli_epi32::<7>(coarse[part]), fine[part]);
            all[part] = _mm512_add_epi32(all[part], sum);
        }
        match group.shift {
            Some(shift) => *sums = packed(all, shift),
            None => *totals = pulp::cast(all),
        }
    }
}

/// Totals of a block, shifted and in order.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn packed([a, b, c, d]: [__m512i; 4], shift: u32) -> [i16; BLOCK] {
    let shift = _mm_cvtsi32_si128(shift as i32);
    let [lower, upper]: [__m512i; 2] = [pulp::cast(LOWER_LANES), pulp::cast(UPPER_LANES)];
    let packed = [
        _mm512_packs_epi32(_mm512_sra_epi32(a, shift), _mm512_sra_epi32(b, shift)),
        _mm512_packs_epi32(_mm512_sra_epi32(c, shift), _mm512_sra_epi32(d, shift)),
    ];
    // Each lane of 128 bits has eight sums of sixteen neighbours.
    pulp::cast([
        _mm512_permutex2var_epi64(packed[0], lower, packed[1]),
        _mm512_permutex2var_epi64(packed[0], upper, packed[1]),
    ])
}

/// `PARTS`: lanes of a vector's places and weights, one a value, or one a pixel of four. `VECTORS`: those of a window.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn filter_sums<const PARTS: usize, const VECTORS: usize>(
    (blocks, shift): (&Blocks, u32),
    sums: &[i16],
    out: &mut [u8],
) {
    let pairs = blocks.pairs;
    let index = blocks.index.numbers().as_chunks::<PARTS>().0.as_chunks::<4>().0;
    let weights = blocks.weights.numbers().as_chunks::<PARTS>().0.chunks_exact(4 * pairs);
    let from = blocks.from.as_chunks::<4>().0;
    let start: __m128i = pulp::cast(blocks.start);
    let start = _mm512_broadcast_i32x4(start);
    let (mask, channels): (u32, __m512i) =
        if PARTS == LANES { (u32::MAX, _mm512_setzero_si512()) } else { (COLOUR_WORDS, pulp::cast(CHANNELS)) };
    for (((out, from), index), weights) in out.chunks_mut(BLOCK).zip(from).zip(index).zip(weights) {
        let mut totals = [start; 4];
        for part in 0..4 {
            let mut index = spread(&index[part]);
            if PARTS != LANES {
                index = _mm512_add_epi32(index, channels);
            }
            // Bit 6 of a place: in the third or fourth vector.
            let is_far = _mm512_test_epi16_mask(index, _mm512_set1_epi16(64));
            let mut from = from[part] as usize;
            for weights in &weights[part * pairs..(part + 1) * pairs] {
                let Some(window) = sums.get(from..).and_then(|sums| sums.first_chunk::<128>()) else { return };
                let window: [__m512i; 4] = pulp::cast(*window);
                let mut samples = match VECTORS {
                    1 => _mm512_maskz_permutexvar_epi16(mask, index, window[0]),
                    _ => _mm512_maskz_permutex2var_epi16(mask, window[0], index, window[1]),
                };
                if VECTORS == 4 {
                    let far = _mm512_permutex2var_epi16(window[2], index, window[3]);
                    samples = _mm512_mask_mov_epi16(samples, is_far & mask, far);
                }
                totals[part] = _mm512_dpwssd_epi32(totals[part], samples, spread(weights));
                from += blocks.step;
            }
        }
        put(levels_of_sums(totals, shift), out);
    }
}

/// The levels of sums of `shift` fraction bits, in order.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
pub(super) fn levels_of_sums(sums: [__m512i; 4], shift: u32) -> [u8; BLOCK] {
    let shift = _mm_cvtsi32_si128(shift as i32);
    let [a, b] = [_mm512_sra_epi32(sums[0], shift), _mm512_sra_epi32(sums[1], shift)];
    let [c, d] = [_mm512_sra_epi32(sums[2], shift), _mm512_sra_epi32(sums[3], shift)];
    let packed = _mm512_packs_epi16(_mm512_packs_epi32(a, b), _mm512_packs_epi32(c, d));
    let levels = _mm512_xor_si512(packed, _mm512_set1_epi8(-128));
    pulp::cast(_mm512_permutexvar_epi32(pulp::cast(PACKED_FOURS), levels))
}
