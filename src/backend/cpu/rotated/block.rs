//! Sums of 16 pixels whose positions lie anywhere: the weights of all pixels are computed at once, the sum of each one over
//! vectors of its samples.

/// Pixels computed at once.
pub(super) const PIXELS: usize = 16;
/// Adding it to a whole number below 2³¹ puts that number into the low bits of the sum: 1.5·2⁵².
const TO_INTEGER: f64 = 6_755_399_441_055_744.0;
/// Largest position of a sample for which indices are computed at once.
const MAX_POSITION: f64 = 1e9;

/// First samples and fractions of the pixels along one axis.
pub(super) struct Places {
    pub(super) first: [i32; PIXELS],
    pub(super) fraction: [f32; PIXELS],
}

impl Places {
    /// The first of `taps` samples of each position, and the fraction that selects the weights; `None` if a position is very
    /// large or not a number.
    #[inline(always)]
    pub(super) fn new(positions: &[f64; PIXELS], taps: usize) -> Option<Self> {
        let shift = if taps == 1 { 0.5 } else { 0.0 };
        let before = if taps == 1 { 0 } else { taps as i32 / 2 - 1 };
        let mut places = Self { first: [0; PIXELS], fraction: [0.0; PIXELS] };
        let mut floors = [0.0; PIXELS];
        for (floor, position) in floors.iter_mut().zip(positions) {
            *floor = (position + shift).floor();
        }
        for (fraction, (position, floor)) in places.fraction.iter_mut().zip(positions.iter().zip(floors)) {
            *fraction = (position + shift - floor) as f32;
        }
        for (first, floor) in places.first.iter_mut().zip(floors) {
            *first = ((floor + TO_INTEGER).to_bits() as i32).wrapping_sub(before);
        }
        let mut is_near = true;
        for floor in floors {
            is_near &= floor.abs() <= MAX_POSITION;
        }
        is_near.then_some(places)
    }

    /// Whether the `taps` samples of every pixel are among the `len` stored ones, of which `halo` come before the first.
    #[inline(always)]
    pub(super) fn are_inside(&self, taps: usize, [len, halo]: [u32; 2]) -> bool {
        let [len, halo] = [i64::from(len), i64::from(halo)];
        let [mut least, mut greatest] = [i32::MAX, i32::MIN];
        for first in self.first {
            least = least.min(first);
            greatest = greatest.max(first);
        }
        i64::from(least) + halo >= 0 && i64::from(greatest) + halo + taps as i64 <= len
    }
}

/// A number type, with the reads of several adjacent samples.
pub(super) trait Sample: Copy + Into<f32> + Default {
    /// Samples `first` to `first + TAPS − 1` of every pixel, tap by tap; 0 for a pixel whose last sample has fewer than [`SLACK`]
    /// numbers behind it.
    fn adjacent<const TAPS: usize>(numbers: &[Self], first: &[u32; PIXELS]) -> [[f32; PIXELS]; TAPS];
}

/// Numbers that may be read behind a pixel's samples.
pub(super) const SLACK: usize = 16;

impl Sample for u8 {
    #[inline(always)]
    fn adjacent<const TAPS: usize>(numbers: &[Self], first: &[u32; PIXELS]) -> [[f32; PIXELS]; TAPS] {
        let mut samples = [[0.0; PIXELS]; TAPS];
        // Four samples are one integer, which costs one load.
        for (quarter, samples) in samples.chunks_mut(4).enumerate() {
            let mut words = [0; PIXELS];
            for pixel in 0..PIXELS {
                let from = first[pixel] as usize + 4 * quarter;
                if let Some(&[a, b, c, d]) = numbers.get(from..from + 4) {
                    words[pixel] = u32::from_le_bytes([a, b, c, d]);
                }
            }
            for (tap, samples) in samples.iter_mut().enumerate() {
                for pixel in 0..PIXELS {
                    samples[pixel] = ((words[pixel] >> (8 * tap)) & 255) as f32;
                }
            }
        }
        samples
    }
}

impl Sample for u16 {
    #[inline(always)]
    fn adjacent<const TAPS: usize>(numbers: &[Self], first: &[u32; PIXELS]) -> [[f32; PIXELS]; TAPS] {
        one_by_one(numbers, first)
    }
}

impl Sample for f32 {
    #[inline(always)]
    fn adjacent<const TAPS: usize>(numbers: &[Self], first: &[u32; PIXELS]) -> [[f32; PIXELS]; TAPS] {
        one_by_one(numbers, first)
    }
}

#[inline(always)]
fn one_by_one<T: Copy + Into<f32>, const TAPS: usize>(numbers: &[T], first: &[u32; PIXELS]) -> [[f32; PIXELS]; TAPS] {
    let mut samples = [[0.0; PIXELS]; TAPS];
    for pixel in 0..PIXELS {
        let from = first[pixel] as usize;
        if let Some(row) = numbers.get(from..from + TAPS) {
            for tap in 0..TAPS {
                samples[tap][pixel] = row[tap].into();
            }
        }
    }
    samples
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
pub(super) fn sum_grey<T: Sample, const TAPS: usize>(
    (numbers, width): (&[T], u32),
    first: &[u32; PIXELS],
    [horizontal, vertical]: &[[[f32; PIXELS]; TAPS]; 2],
    out: &mut [f32; PIXELS],
) {
    let mut columns = [[0.0; PIXELS]; TAPS];
    let mut first = *first;
    for weights in vertical {
        let samples = T::adjacent::<TAPS>(numbers, &first);
        for tap in 0..TAPS {
            for pixel in 0..PIXELS {
                columns[tap][pixel] += weights[pixel] * samples[tap][pixel];
            }
        }
        for place in &mut first {
            *place += width;
        }
    }
    let mut sums = [0.0; PIXELS];
    for tap in 0..TAPS {
        for pixel in 0..PIXELS {
            sums[pixel] += horizontal[tap][pixel] * columns[tap][pixel];
        }
    }
    *out = sums;
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
