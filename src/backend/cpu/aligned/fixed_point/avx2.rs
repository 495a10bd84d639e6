//! Both passes with AVX2.

use std::arch::x86_64::__m256i;

use pulp::x86::V3;

use super::super::super::instructions::Inlined;
use super::blocks::Blocks;
use super::columns::BLOCK;
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
            let mut index_of_half = spread(simd, &index[half]);
            if PARTS != LANES {
                index_of_half = avx2._mm256_add_epi32(index_of_half, pulp::cast(CHANNELS));
            }
            let mut lower = from[2 * half] as usize;
            let mut upper = from[2 * half + 1] as usize;
            for weights in &weights[half] {
                let (Some(a), Some(b)) = (window(samples, lower), window(samples, upper)) else { return };
                let read = avx2._mm256_shuffle_epi8(pulp::cast([*a, *b]), index_of_half);
                let products = avx2._mm256_madd_epi16(read, spread(simd, weights));
                halves[half] = avx2._mm256_add_epi32(halves[half], products);
                lower += blocks.step;
                upper += blocks.step;
            }
        }
        let [a, b] = [avx2._mm256_sra_epi32(halves[0], shift), avx2._mm256_sra_epi32(halves[1], shift)];
        *out = pulp::cast(avx2._mm256_packs_epi32(a, b));
    }
}

/// The 16 bytes from `from` on.
#[inline(always)]
fn window(samples: &[u8], from: usize) -> Option<&[u8; 16]> {
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
    const BYTES: usize = 32;
    let (sse, avx, avx2) = (simd.sse2, simd.avx, simd.avx2);
    let stride = out.len() / weights.count.max(1);
    let count = stride.div_ceil(BYTES);
    let rows = rows.map(|pair| pair.map(|row| &row.as_chunks::<16>().0[..2 * count]));
    let shift = sse._mm_cvtsi32_si128(weights.shift as i32);
    let offset = avx._mm256_set1_epi8(-128);
    // Packing puts four bytes of each vector beside each other.
    let order: __m256i = pulp::cast([0_u32, 4, 1, 5, 2, 6, 3, 7]);
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
            let [a, b, c, d] = [
                avx2._mm256_sra_epi32(sums[0], shift),
                avx2._mm256_sra_epi32(sums[1], shift),
                avx2._mm256_sra_epi32(sums[2], shift),
                avx2._mm256_sra_epi32(sums[3], shift),
            ];
            let packed = avx2._mm256_packs_epi16(avx2._mm256_packs_epi32(a, b), avx2._mm256_packs_epi32(c, d));
            let levels = avx2._mm256_xor_si256(packed, offset);
            let bytes: [u8; BYTES] = pulp::cast(avx2._mm256_permutevar8x32_epi32(levels, order));
            let out = &mut out[row * stride + block * BYTES..(row + 1) * stride];
            match out.first_chunk_mut() {
                Some(out) => *out = bytes,
                None => out.copy_from_slice(&bytes[..out.len()]),
            }
        }
    }
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
    const BYTES: usize = 4 * LANES;
    let (sse, avx, avx2) = (simd.sse2, simd.avx, simd.avx2);
    let pairs = blocks.pairs;
    let index = blocks.index.numbers().as_chunks::<PARTS>().0.as_chunks::<4>().0;
    let weights = blocks.weights.numbers().as_chunks::<PARTS>().0.chunks_exact(4 * pairs);
    let from = blocks.from.as_chunks::<8>().0;
    let start: __m256i = pulp::cast([blocks.start; 2]);
    let shift = sse._mm_cvtsi32_si128(shift as i32);
    let order: __m256i = pulp::cast([0_u32, 4, 1, 5, 2, 6, 3, 7]);
    for (((out, from), index), weights) in out.chunks_mut(BYTES).zip(from).zip(index).zip(weights) {
        let mut totals = [start; 4];
        for part in 0..4 {
            let mut index_of_part = spread(simd, &index[part]);
            if PARTS != LANES {
                index_of_part = avx2._mm256_add_epi32(index_of_part, pulp::cast(CHANNELS_OF_WORDS));
            }
            let mut lower = from[2 * part] as usize;
            let mut upper = from[2 * part + 1] as usize;
            for pair in 0..pairs {
                let window = |from: usize| Some(*sums.get(from..)?.first_chunk::<8>()?);
                let (Some(a), Some(b)) = (window(lower), window(upper)) else { return };
                let read = avx2._mm256_shuffle_epi8(pulp::cast([a, b]), index_of_part);
                let products = avx2._mm256_madd_epi16(read, spread(simd, &weights[part * pairs + pair]));
                totals[part] = avx2._mm256_add_epi32(totals[part], products);
                lower += blocks.step;
                upper += blocks.step;
            }
            totals[part] = avx2._mm256_sra_epi32(totals[part], shift);
        }
        let [a, b, c, d] = totals;
        let packed = avx2._mm256_packs_epi16(avx2._mm256_packs_epi32(a, b), avx2._mm256_packs_epi32(c, d));
        let levels = avx2._mm256_xor_si256(packed, avx._mm256_set1_epi8(-128));
        let bytes: [u8; BYTES] = pulp::cast(avx2._mm256_permutevar8x32_epi32(levels, order));
        match out.first_chunk_mut() {
            Some(out) => *out = bytes,
            None => out.copy_from_slice(&bytes[..out.len()]),
        }
    }
}
