//! Both passes with AVX2.

use std::arch::x86_64::__m256i;

use pulp::x86::V3;

use super::super::super::instructions::Inlined;
use super::blocks::Blocks;
use super::columns::BLOCK;
use super::put;
use super::reduced::Group;
use super::vertical::RowWeights;
use super::weights;

/// Values of a vector of sums.
const LANES: usize = 8;

/// Two pixels of four values.
const PIXELS: [u32; LANES] = [0, 0, 0, 0, 1, 1, 1, 1];
/// Where a channel's samples are behind the first one's. That of an opaque channel selects nothing.
const CHANNELS: [u32; LANES] = {
    let pixel = [0, 0x0001_0001, 0x0002_0002, 0x0080_0080];
    [pixel[0], pixel[1], pixel[2], pixel[3], pixel[0], pixel[1], pixel[2], pixel[3]]
};

/// The same of 16-bit numbers, as bytes.
const CHANNELS_OF_WORDS: [u32; LANES] = {
    let pixel = [0, 0x0202_0202, 0x0404_0404, 0x8080_8080];
    [pixel[0], pixel[1], pixel[2], pixel[3], pixel[0], pixel[1], pixel[2], pixel[3]]
};

/// Filters a row of `samples` into `out`, which has the vectors of `blocks`. `shift`: fraction bits of the weights less those of the sums.
pub(super) fn filter(simd: V3, (blocks, shift): (&Blocks, u32), samples: &[u8], out: &mut [i16]) {
    match (blocks.pairs, blocks.has_pixels) {
        (1, false) => filter_pairs::<1, LANES>(simd, blocks, shift, samples, out),
        (2, false) => filter_pairs::<2, LANES>(simd, blocks, shift, samples, out),
        (3, false) => filter_pairs::<3, LANES>(simd, blocks, shift, samples, out),
        (_, false) => filter_pairs::<4, LANES>(simd, blocks, shift, samples, out),
        (1, true) => filter_pairs::<1, 2>(simd, blocks, shift, samples, out),
        (2, true) => filter_pairs::<2, 2>(simd, blocks, shift, samples, out),
        (3, true) => filter_pairs::<3, 2>(simd, blocks, shift, samples, out),
        (_, true) => filter_pairs::<4, 2>(simd, blocks, shift, samples, out),
    }
}

fn filter_pairs<const PAIRS: usize, const PARTS: usize>(
    simd: V3,
    blocks: &Blocks,
    shift: u32,
    samples: &[u8],
    out: &mut [i16],
) {
    simd.vectorize(Inlined(
        #[inline(always)]
        || filter_vectors::<PAIRS, PARTS>(simd, blocks, shift, samples, out.as_chunks_mut().0),
    ));
}

/// `PARTS`: lanes of a vector's places and weights, one a value, or one a pixel of four.
#[inline(always)]
fn filter_vectors<const PAIRS: usize, const PARTS: usize>(
    simd: V3,
    blocks: &Blocks,
    shift: u32,
    samples: &[u8],
    out: &mut [[i16; 2 * LANES]],
) {
    let (sse, avx2) = (simd.sse2, simd.avx2);
    let index = blocks.index.numbers().as_chunks::<PARTS>().0.as_chunks::<2>().0;
    let weights = blocks.weights.numbers().as_chunks::<PARTS>().0.as_chunks::<PAIRS>().0.as_chunks::<2>().0;
    let from = blocks.from.as_chunks::<4>().0;
    let start: __m256i = pulp::cast([blocks.start; 2]);
    let shift = sse._mm_cvtsi32_si128(shift as i32);
    for (((out, from), index), weights) in out.iter_mut().zip(from).zip(index).zip(weights) {
        let mut halves = [start; 2];
        for half in 0..2 {
            let index = places(simd, &index[half], CHANNELS);
            let from = [from[2 * half] as usize, from[2 * half + 1] as usize];
            let Some(sums) = weighed(simd, start, (samples, from, blocks.step), index, &weights[half]) else { return };
            halves[half] = avx2._mm256_sra_epi32(sums, shift);
        }
        *out = pulp::cast(avx2._mm256_packs_epi32(halves[0], halves[1]));
    }
}

/// The sums of a vector, which begin with `start`: samples of two windows, which begin at the bytes `from`, by pairs of weights. The
/// windows of neighbouring pairs are `step` bytes apart.
#[inline(always)]
fn weighed<const PARTS: usize>(
    simd: V3,
    start: __m256i,
    (bytes, [mut lower, mut upper], step): (&[u8], [usize; 2], usize),
    index: __m256i,
    weights: &[[u32; PARTS]],
) -> Option<__m256i> {
    let avx2 = simd.avx2;
    let mut sums = start;
    for weights in weights {
        let read = avx2._mm256_shuffle_epi8(pulp::cast([*window(bytes, lower)?, *window(bytes, upper)?]), index);
        sums = avx2._mm256_add_epi32(sums, avx2._mm256_madd_epi16(read, spread(simd, weights)));
        lower += step;
        upper += step;
    }
    Some(sums)
}

/// The places of the samples of a vector in its windows. `channels`: where those of a pixel's channels are behind the first one's.
#[inline(always)]
fn places<const PARTS: usize>(simd: V3, lanes: &[u32; PARTS], channels: [u32; LANES]) -> __m256i {
    let first = spread(simd, lanes);
    if PARTS == LANES { first } else { simd.avx2._mm256_add_epi32(first, pulp::cast(channels)) }
}

/// The 16 bytes from `from` on.
#[inline(always)]
pub(super) fn window(samples: &[u8], from: usize) -> Option<&[u8; 16]> {
    samples.get(from..)?.first_chunk()
}

/// A vector of values from its lanes, which are values, or pixels of four.
#[inline(always)]
fn spread<const PARTS: usize>(simd: V3, lanes: &[u32; PARTS]) -> __m256i {
    match (lanes.first_chunk::<LANES>(), lanes.first_chunk::<2>()) {
        (Some(values), _) => pulp::cast(*values),
        (_, Some(&[a, b])) => {
            let pixels: __m256i = pulp::cast([a, b, 0, 0, 0, 0, 0, 0]);
            simd.avx2._mm256_permutevar8x32_epi32(pixels, pulp::cast(PIXELS))
        }
        _ => simd.avx._mm256_setzero_si256(),
    }
}

/// Writes the rows of `out`.
pub(super) fn write<const PAIRS: usize>(
    simd: V3,
    rows: &[[&[i16]; 2]; PAIRS],
    weights: &RowWeights<PAIRS>,
    out: &mut [u8],
) {
    simd.vectorize(Inlined(
        #[inline(always)]
        || write_rows(simd, rows, weights, out),
    ));
}

#[inline(always)]
fn write_rows<const PAIRS: usize>(simd: V3, rows: &[[&[i16]; 2]; PAIRS], weights: &RowWeights<PAIRS>, out: &mut [u8]) {
    const BYTES: usize = 4 * LANES;
    let (avx, avx2) = (simd.avx, simd.avx2);
    let stride = out.len() / weights.count.max(1);
    let count = stride.div_ceil(BYTES);
    let rows = rows.map(|pair| pair.map(|row| &row.as_chunks::<16>().0[..2 * count]));
    const { assert!(BLOCK.is_multiple_of(BYTES)) };
    for block in 0..count {
        let mut samples = [[avx._mm256_setzero_si256(); 4]; PAIRS];
        for (samples, [a, b]) in samples.iter_mut().zip(rows) {
            let [a_lower, b_lower]: [__m256i; 2] = [pulp::cast(a[2 * block]), pulp::cast(b[2 * block])];
            let [a_upper, b_upper]: [__m256i; 2] = [pulp::cast(a[2 * block + 1]), pulp::cast(b[2 * block + 1])];
            *samples = [
                avx2._mm256_unpacklo_epi16(a_lower, b_lower),
                avx2._mm256_unpackhi_epi16(a_lower, b_lower),
                avx2._mm256_unpacklo_epi16(a_upper, b_upper),
                avx2._mm256_unpackhi_epi16(a_upper, b_upper),
            ];
        }
        for row in 0..weights.count {
            let mut sums = [avx._mm256_setzero_si256(); 4];
            for (samples, &weight) in samples.iter().zip(&weights.packed[row]) {
                let weight = avx._mm256_set1_epi32(weight);
                for part in 0..4 {
                    sums[part] = avx2._mm256_add_epi32(sums[part], avx2._mm256_madd_epi16(samples[part], weight));
                }
            }
            let out = &mut out[row * stride + block * BYTES..(row + 1) * stride];
            put(levels(simd, sums, weights.shift), out);
        }
    }
}

/// The levels of four vectors of sums.
#[inline(always)]
pub(super) fn levels(simd: V3, [a, b, c, d]: [__m256i; 4], shift: u32) -> [u8; 4 * LANES] {
    let (sse, avx, avx2) = (simd.sse2, simd.avx, simd.avx2);
    let shift = sse._mm_cvtsi32_si128(shift as i32);
    let lower = avx2._mm256_packs_epi32(avx2._mm256_sra_epi32(a, shift), avx2._mm256_sra_epi32(b, shift));
    let upper = avx2._mm256_packs_epi32(avx2._mm256_sra_epi32(c, shift), avx2._mm256_sra_epi32(d, shift));
    let packed = avx2._mm256_xor_si256(avx2._mm256_packs_epi16(lower, upper), avx._mm256_set1_epi8(-128));
    // Packing puts four bytes of each vector beside each other.
    pulp::cast(avx2._mm256_permutevar8x32_epi32(packed, pulp::cast([0_u32, 4, 1, 5, 2, 6, 3, 7])))
}

/// Adds the rows of `group` to the totals of whole blocks, or to their sums.
pub(super) fn add(simd: V3, group: &Group<'_>, totals: &mut [i32], sums: &mut [i16]) {
    simd.vectorize(Inlined(
        #[inline(always)]
        || add_pairs(simd, group, totals, sums),
    ));
}

#[inline(always)]
fn add_pairs(simd: V3, group: &Group<'_>, totals: &mut [i32], sums: &mut [i16]) {
    const SUMS: usize = 4 * LANES;
    let (avx, avx2) = (simd.avx, simd.avx2);
    let zero = avx._mm256_setzero_si256();
    let (rows, weights) = (group.rows.as_chunks::<2>().0, group.weights.as_chunks::<2>().0);
    let blocks = totals.as_chunks_mut::<LANES>().0.as_chunks_mut::<4>().0;
    for (block, (totals, sums)) in blocks.iter_mut().zip(sums.as_chunks_mut::<SUMS>().0).enumerate() {
        let begin = group.from + block * SUMS;
        let mut all: [__m256i; 4] = match group.start {
            Some(start) => [avx._mm256_set1_epi32(start); 4],
            None => pulp::cast(*totals),
        };
        for (rows, &weights) in rows.iter().zip(weights) {
            let (Some(a), Some(b)) = (block_of(rows[0], begin), block_of(rows[1], begin)) else { return };
            let weights = avx._mm256_set1_epi32(weights::packed(weights));
            let [lower, upper] = [avx2._mm256_unpacklo_epi8(a, b), avx2._mm256_unpackhi_epi8(a, b)];
            let samples = [
                avx2._mm256_unpacklo_epi8(lower, zero),
                avx2._mm256_unpackhi_epi8(lower, zero),
                avx2._mm256_unpacklo_epi8(upper, zero),
                avx2._mm256_unpackhi_epi8(upper, zero),
            ];
            for part in 0..4 {
                all[part] = avx2._mm256_add_epi32(all[part], avx2._mm256_madd_epi16(samples[part], weights));
            }
        }
        match group.shift {
            Some(shift) => *sums = packed(simd, all, shift),
            None => *totals = pulp::cast(all),
        }
    }
}

/// 32 bytes from `begin` on.
#[inline(always)]
fn block_of(row: &[u8], begin: usize) -> Option<__m256i> {
    let bytes: &[u8; 32] = row.get(begin..)?.first_chunk()?;
    Some(pulp::cast(*bytes))
}

/// Totals of a block, shifted and in order.
#[inline(always)]
fn packed(simd: V3, [a, b, c, d]: [__m256i; 4], shift: u32) -> [i16; 4 * LANES] {
    let (sse, avx2) = (simd.sse2, simd.avx2);
    let shift = sse._mm_cvtsi32_si128(shift as i32);
    let packed = [
        avx2._mm256_packs_epi32(avx2._mm256_sra_epi32(a, shift), avx2._mm256_sra_epi32(b, shift)),
        avx2._mm256_packs_epi32(avx2._mm256_sra_epi32(c, shift), avx2._mm256_sra_epi32(d, shift)),
    ];
    // Each half has eight sums of sixteen neighbours.
    pulp::cast([
        avx2._mm256_permute2x128_si256::<0x20>(packed[0], packed[1]),
        avx2._mm256_permute2x128_si256::<0x31>(packed[0], packed[1]),
    ])
}

/// Filters sums into the levels `out`. `shift`: fraction bits of a product.
pub(super) fn filter_sums(simd: V3, (blocks, shift): (&Blocks, u32), sums: &[i16], out: &mut [u8]) {
    if blocks.has_pixels {
        simd.vectorize(Inlined(
            #[inline(always)]
            || filter_vectors_of_sums::<2>(simd, blocks, shift, sums, out),
        ));
    } else {
        simd.vectorize(Inlined(
            #[inline(always)]
            || filter_vectors_of_sums::<LANES>(simd, blocks, shift, sums, out),
        ));
    }
}

/// `PARTS`: lanes of a vector's places and weights, one a value, or one a pixel of four.
#[inline(always)]
fn filter_vectors_of_sums<const PARTS: usize>(simd: V3, blocks: &Blocks, shift: u32, sums: &[i16], out: &mut [u8]) {
    const SIZE: usize = size_of::<i16>();
    let pairs = blocks.pairs;
    let index = blocks.index.numbers().as_chunks::<PARTS>().0.as_chunks::<4>().0;
    let weights = blocks.weights.numbers().as_chunks::<PARTS>().0.chunks_exact(4 * pairs);
    let from = blocks.from.as_chunks::<8>().0;
    let start: __m256i = pulp::cast([blocks.start; 2]);
    let bytes: &[u8] = bytemuck::cast_slice(sums);
    for (((out, from), index), weights) in out.chunks_mut(4 * LANES).zip(from).zip(index).zip(weights) {
        let mut totals = [start; 4];
        for part in 0..4 {
            let index = places(simd, &index[part], CHANNELS_OF_WORDS);
            let from = [from[2 * part] as usize * SIZE, from[2 * part + 1] as usize * SIZE];
            let weights = &weights[part * pairs..(part + 1) * pairs];
            let Some(sums) = weighed(simd, start, (bytes, from, blocks.step * SIZE), index, weights) else { return };
            totals[part] = sums;
        }
        put(levels(simd, totals, shift), out);
    }
}
