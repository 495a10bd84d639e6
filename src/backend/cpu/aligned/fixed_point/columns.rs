//! The pass along rows: 8-bit samples become 16-bit sums with seven fraction bits, half a level too large, from −128 on.

use super::super::super::instructions::Instructions;
use super::super::line::Line;
#[cfg(target_arch = "x86_64")]
use super::blocks::{Blocks, Shape};
use super::plain::PlainColumns;
use super::weights::FixedWeights;
use super::{FRACTION_BITS, OFFSET, Vectors};
use crate::sampling::{Axis, AxisWeights};

/// Largest number of samples of a line for each column.
const MAX_SAMPLES_A_COLUMN: i64 = 8;
/// Values that a line has behind its samples, since windows are loaded whole.
const SLACK: usize = 64;
/// Values of a row are padded to whole blocks of the vertical pass.
pub(super) const BLOCK: usize = 64;

/// The pass of one request.
#[derive(Debug)]
pub(super) struct FixedColumns {
    /// Number of values of a row: columns times channels.
    len: usize,
    /// Channels of the image and of the row.
    channels: [usize; 2],
    line: Line,
    weights: FixedWeights,
    layout: Layout,
}

/// Places of samples and weights, as the vectors read them.
#[derive(Debug)]
enum Layout {
    /// `first`: the first sample of each column in the line. `lanes`: sums of a vector of the other pass.
    Plain { first: Vec<u32>, lanes: usize, instructions: Instructions },
    /// Vectors of eight values, from two windows of 16 bytes.
    #[cfg(target_arch = "x86_64")]
    Avx2(pulp::x86::V3, Blocks),
    /// Vectors of sixteen values, from a window of 64 bytes.
    #[cfg(target_arch = "x86_64")]
    Avx512(super::Avx512Bytes, Blocks),
}

/// The bytes of a lane's two samples, each followed by one that selects nothing.
#[cfg(target_arch = "x86_64")]
fn places_of_bytes(first: u32, second: u32) -> u32 {
    const NOTHING: u32 = 0x8000_8000;
    first | second << 16 | NOTHING
}

/// What a sum of weights of `bits` fraction bits begins with: the offset of the samples, half a step for rounding, and half a
/// level for the rounding of the second pass.
pub(super) const fn start(bits: u32) -> i32 {
    (1 << (bits - 1)) + (1 << (bits - FRACTION_BITS - 1)) - (OFFSET << bits)
}

/// The same for a channel that is 255.
const fn opaque(bits: u32) -> i32 {
    start(bits) + (255 << bits)
}

impl FixedColumns {
    /// The pass for `weights` of rows along `axis`, from the image's channels to as many or one more, which is opaque. `None` if the
    /// columns are too far apart.
    pub(super) fn new(
        exact: &AxisWeights,
        axis: Axis,
        channels: [usize; 2],
        instructions: Instructions,
    ) -> Option<Self> {
        let [lowest, highest] = exact.range()?;
        if highest.saturating_sub(lowest) > MAX_SAMPLES_A_COLUMN * exact.first.len() as i64 + SLACK as i64 {
            return None;
        }
        let weights = FixedWeights::new(exact, super::BITS, i16::MAX)?;
        let first: Vec<u32> = exact.first.iter().map(|first| (first - lowest) as u32 * channels[0] as u32).collect();
        let layout = Layout::new(first, &weights, channels, instructions);
        let line = Line::new([lowest, highest], axis, channels[0]);
        Some(Self { len: exact.first.len() * channels[1], channels, line, weights, layout })
    }

    /// Number of values of a row.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Number of values of the buffer for a row.
    pub(super) fn padded_len(&self) -> usize {
        self.len.next_multiple_of(BLOCK)
    }

    /// Fraction bits of the weights.
    pub(super) fn bits(&self) -> u32 {
        self.weights.bits
    }

    /// Bytes of weights and places.
    pub(super) fn bytes(&self) -> usize {
        let layout = match &self.layout {
            Layout::Plain { first, .. } => size_of_val(&first[..]),
            #[cfg(target_arch = "x86_64")]
            Layout::Avx2(_, blocks) => blocks.bytes(),
            #[cfg(target_arch = "x86_64")]
            Layout::Avx512(_, blocks) => blocks.bytes(),
        };
        layout + self.weights.bytes()
    }

    /// Filters the `len` numbers from `begin` on, or a row of the border's number, into `out`, which is padded. `line` is a buffer.
    pub(super) fn filter(
        &self,
        numbers: &[u8],
        (begin, len): (Option<usize>, usize),
        border: u8,
        (line, out): (&mut Vec<u8>, &mut [i16]),
    ) {
        let samples = read(&self.line, numbers, (begin, len), border, line);
        let bits = self.weights.bits;
        let shift = bits - FRACTION_BITS;
        match &self.layout {
            Layout::Plain { first, lanes, instructions } => {
                let columns = PlainColumns { weights: &self.weights, first, channels: self.channels };
                columns.filter(*instructions, ([start(bits), opaque(bits)], shift), samples, out);
                pack(*lanes, out);
            }
            #[cfg(target_arch = "x86_64")]
            Layout::Avx2(simd, blocks) => super::avx2::filter(*simd, (blocks, shift), samples, out),
            #[cfg(target_arch = "x86_64")]
            Layout::Avx512(simd, blocks) => simd.filter((blocks, shift), samples, out),
        }
    }
}

/// The samples of `line` of the `len` numbers from `begin` on, or of a row of the border's number, with [`SLACK`] numbers behind them.
/// `buffer` has them where they are not adjacent.
pub(super) fn read<'a>(
    line: &Line,
    numbers: &'a [u8],
    (begin, len): (Option<usize>, usize),
    border: u8,
    buffer: &'a mut Vec<u8>,
) -> &'a [u8] {
    let adjacent = begin.and_then(|begin| Some(begin + line.rising()?));
    match adjacent.and_then(|from| numbers.get(from..)) {
        Some(samples) if samples.len() >= line.len() + SLACK => samples,
        _ => {
            buffer.resize(line.len() + SLACK, 0);
            let row = begin.map(|begin| &numbers[begin..][..len]);
            line.fill(row, border, buffer, |sample| sample);
            buffer
        }
    }
}

impl Layout {
    /// The widest layout of `vectors` whose windows hold the samples.
    fn new(first: Vec<u32>, weights: &FixedWeights, channels: [usize; 2], instructions: Instructions) -> Self {
        let vectors = Vectors::of(instructions);
        #[cfg(target_arch = "x86_64")]
        let start = [start(weights.bits), opaque(weights.bits)];
        match vectors {
            Vectors::Plain => {}
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx2(simd) => {
                let shape = Shape { values: 8, of_a_window: 4, window: 16, place: places_of_bytes, start };
                if let Some(blocks) = Blocks::new(&first, weights, channels, &shape) {
                    return Self::Avx2(simd, blocks);
                }
            }
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx512(simd) => {
                let shape = Shape { values: 16, of_a_window: 16, window: 64, place: places_of_bytes, start };
                if let Some(blocks) = Blocks::new(&first, weights, channels, &shape) {
                    return Self::Avx512(simd, blocks);
                }
            }
        }
        Self::Plain { first, lanes: vectors.lanes(), instructions }
    }
}

/// Puts sums into the order in which vectors of `lanes` are packed: four of each of two vectors by turns.
fn pack(lanes: usize, sums: &mut [i16]) {
    if lanes == 1 {
        return;
    }
    let mut packed = [0; 32];
    for sums in sums.chunks_exact_mut(2 * lanes) {
        for (place, to) in packed[..sums.len()].iter_mut().enumerate() {
            *to = sums[place / 4 % 2 * lanes + place / 8 * 4 + place % 4];
        }
        sums.copy_from_slice(&packed[..sums.len()]);
    }
}
