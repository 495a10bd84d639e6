//! Sums of 16 pixels whose positions lie anywhere: the weights of all pixels are computed at once, the sum of each one over
//! vectors of its samples.

use bytemuck::Pod;

use super::super::vectors::{PIXELS, Vectors, WORD};

/// Largest position of a sample for which indices are computed at once.
const MAX_POSITION: f64 = 1e9;

/// First samples and fractions of the pixels along one axis.
pub(super) struct Places<V: Vectors> {
    /// Indices of the first samples, negative ones modulo 2³².
    pub(super) first: V::Words,
    pub(super) fraction: V::Floats,
}

impl<V: Vectors> Places<V> {
    /// The first of `taps` samples of each position, and the fraction that selects the weights; `None` if a position is very
    /// large or not a number.
    #[inline(always)]
    pub(super) fn new(simd: V, positions: V::Doubles, taps: usize) -> Option<Self> {
        let positions = if taps == 1 { simd.double_add(positions, simd.double_splat(0.5)) } else { positions };
        let before = if taps == 1 { 0 } else { taps as u32 / 2 - 1 };
        let floors = simd.floor(positions);
        if !simd.are_within(floors, MAX_POSITION) {
            return None;
        }
        Some(Self {
            first: simd.advance(simd.integers(floors), before.wrapping_neg()),
            fraction: simd.narrow(simd.double_sub(positions, floors)),
        })
    }

    /// Indices among the `len` stored samples, of which `halo` come before the first; `None` if one of the `taps` samples of a
    /// pixel is not among them.
    #[inline(always)]
    pub(super) fn stored(&self, simd: V, taps: usize, [len, halo]: [u32; 2]) -> Option<V::Words> {
        let stored = simd.advance(self.first, halo);
        let last = len.checked_sub(taps as u32)?;
        if simd.are_at_most(stored, last) { Some(stored) } else { None }
    }
}

/// A number type, with the reads of several adjacent samples.
pub(super) trait Sample: Pod + Into<f32> + Default {
    /// Whether samples are read as words of several ones, of all pixels at once.
    const IS_GATHERED: bool;

    /// Samples `first` to `first + TAPS − 1` of every pixel, tap by tap; 0 for a pixel whose last sample has fewer than [`SLACK`]
    /// numbers behind it.
    fn adjacent<V: Vectors, const TAPS: usize>(simd: V, numbers: &[Self], first: V::Words) -> [V::Floats; TAPS];
}

/// Numbers that may be read behind a pixel's samples.
pub(super) const SLACK: usize = 16;

impl Sample for u8 {
    const IS_GATHERED: bool = true;

    #[inline(always)]
    fn adjacent<V: Vectors, const TAPS: usize>(simd: V, numbers: &[Self], first: V::Words) -> [V::Floats; TAPS] {
        const IN_A_WORD: usize = WORD;
        let mut samples = [simd.splat(0.0); TAPS];
        for part in 0..TAPS.div_ceil(IN_A_WORD) {
            let words = simd.gather(numbers, simd.advance(first, (IN_A_WORD * part) as u32));
            for tap in 0..IN_A_WORD.min(TAPS - IN_A_WORD * part) {
                samples[IN_A_WORD * part + tap] = simd.bits::<8>(words, 8 * tap as u32);
            }
        }
        samples
    }
}

impl Sample for u16 {
    const IS_GATHERED: bool = true;

    #[inline(always)]
    fn adjacent<V: Vectors, const TAPS: usize>(simd: V, numbers: &[Self], first: V::Words) -> [V::Floats; TAPS] {
        const IN_A_WORD: usize = WORD / 2;
        let mut samples = [simd.splat(0.0); TAPS];
        for part in 0..TAPS.div_ceil(IN_A_WORD) {
            let words = simd.gather(numbers, simd.advance(first, (IN_A_WORD * part) as u32));
            for tap in 0..IN_A_WORD.min(TAPS - IN_A_WORD * part) {
                samples[IN_A_WORD * part + tap] = simd.bits::<16>(words, 16 * tap as u32);
            }
        }
        samples
    }
}

impl Sample for f32 {
    const IS_GATHERED: bool = false;

    /// Loads of all taps of a pixel at once, which cost less than a word at a time.
    #[inline(always)]
    fn adjacent<V: Vectors, const TAPS: usize>(simd: V, numbers: &[Self], first: V::Words) -> [V::Floats; TAPS] {
        let mut samples = [[0.0; PIXELS]; TAPS];
        let first = simd.word_array(first);
        for pixel in 0..PIXELS {
            let from = first[pixel] as usize;
            if let Some(row) = numbers.get(from..from + TAPS) {
                for tap in 0..TAPS {
                    samples[tap][pixel] = row[tap];
                }
            }
        }
        let mut vectors = [simd.splat(0.0); TAPS];
        for tap in 0..TAPS {
            vectors[tap] = simd.floats(&samples[tap]);
        }
        vectors
    }
}

/// Weights of both axes as arrays.
#[inline(always)]
pub(super) fn weight_arrays<V: Vectors, const TAPS: usize>(
    simd: V,
    weights: &[[V::Floats; TAPS]; 2],
) -> [[[f32; PIXELS]; TAPS]; 2] {
    let mut arrays = [[[0.0; PIXELS]; TAPS]; 2];
    for axis in 0..2 {
        for tap in 0..TAPS {
            arrays[axis][tap] = simd.array(weights[axis][tap]);
        }
    }
    arrays
}

/// The weighted sum of a block of samples, down the columns first.
#[inline(always)]
pub(super) fn sum<const TAPS: usize, const CHANNELS: usize>(
    samples: &[[[f32; CHANNELS]; TAPS]; TAPS],
    horizontal: &[f32; TAPS],
    vertical: &[f32; TAPS],
) -> [f32; CHANNELS] {
    let mut sums = [0.0_f32; CHANNELS];
    for m in 0..TAPS {
        for c in 0..CHANNELS {
            let mut column = 0.0;
            for n in 0..TAPS {
                column += vertical[n] * samples[n][m][c];
            }
            sums[c] += horizontal[m] * column;
        }
    }
    sums
}

/// The same sums for all pixels of one channel, whose samples are all inside: the first of each one is `first` of `numbers`,
/// which are rows of `width`.
#[inline(always)]
pub(super) fn sum_grey<T: Sample, V: Vectors, const TAPS: usize>(
    simd: V,
    (numbers, width): (&[T], u32),
    mut first: V::Words,
    [horizontal, vertical]: &[[V::Floats; TAPS]; 2],
) -> [f32; PIXELS] {
    let mut columns = [simd.splat(0.0); TAPS];
    for &weights in vertical {
        let samples = T::adjacent::<V, TAPS>(simd, numbers, first);
        for tap in 0..TAPS {
            columns[tap] = simd.add(columns[tap], simd.mul(weights, samples[tap]));
        }
        first = simd.advance(first, width);
    }
    let mut sums = simd.splat(0.0);
    for tap in 0..TAPS {
        sums = simd.add(sums, simd.mul(horizontal[tap], columns[tap]));
    }
    simd.array(sums)
}

/// The same for several channels: `first` and `width` count samples of `CHANNELS` numbers.
#[inline(always)]
pub(super) fn sum_colours<T: Sample, const TAPS: usize, const CHANNELS: usize>(
    (numbers, width): (&[T], u32),
    first: &[u32; PIXELS],
    [horizontal, vertical]: &[[[f32; PIXELS]; TAPS]; 2],
    out: &mut [[f32; CHANNELS]; PIXELS],
) {
    /// Numbers that are added up at once.
    const LANES: usize = 16;
    let parts = (TAPS * CHANNELS).div_ceil(LANES);
    for pixel in 0..PIXELS {
        let mut sums = [0.0_f32; CHANNELS];
        for part in 0..parts {
            let mut columns = [0.0_f32; LANES];
            for (n, weights) in vertical.iter().enumerate() {
                let from = (first[pixel] + n as u32 * width) as usize * CHANNELS + part * LANES;
                if let Some(samples) = numbers.get(from..from + LANES) {
                    for lane in 0..LANES {
                        columns[lane] += weights[pixel] * samples[lane].into();
                    }
                }
            }
            let mut products = [0.0_f32; LANES];
            for lane in 0..LANES {
                let tap = (part * LANES + lane) / CHANNELS;
                products[lane] = if tap < TAPS { horizontal[tap % TAPS][pixel] * columns[lane] } else { 0.0 };
            }
            for lane in 0..LANES {
                if part * LANES + lane < TAPS * CHANNELS {
                    sums[(part * LANES + lane) % CHANNELS] += products[lane];
                }
            }
        }
        out[pixel] = sums;
    }
}
