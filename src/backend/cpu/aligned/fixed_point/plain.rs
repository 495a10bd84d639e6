//! Both passes in loops that the compiler vectorizes: those of the baseline, and of columns that no window of a vector holds.

use super::super::super::instructions::Instructions;
use super::OFFSET;
use super::columns::BLOCK;
use super::reduced::{Group, ROWS};
use super::vertical::RowWeights;
use super::weights::FixedWeights;

/// Products that are added up side by side.
const LANES: usize = 8;
/// Channels of a colour image. Images with alpha are premultiplied in floats.
const COLOURS: usize = 3;
/// Values of a row that are computed at once.
const VALUES: usize = 16;

/// The columns of a row: their weights, the first number of each in the line, and the channels of the image and of the output.
#[derive(Clone, Copy)]
pub(super) struct PlainColumns<'a> {
    pub(super) weights: &'a FixedWeights,
    pub(super) first: &'a [u32],
    pub(super) channels: [usize; 2],
}

impl PlainColumns<'_> {
    /// Filters a row of `samples` into `out`. `start`: what the sums of a channel begin with, and what that of one begins with that the
    /// image has not. `shift`: fraction bits of the weights less those of the sums.
    pub(super) fn filter(
        self,
        instructions: Instructions,
        (start, shift): ([i32; 2], u32),
        samples: &[u8],
        out: &mut [i16],
    ) {
        instructions.run(
            #[inline(always)]
            || match (self.weights.pairs, self.channels[0]) {
                (1, 1) => self.filter_pairs::<1, 1>(start, shift, samples, out),
                (1, _) => self.filter_pairs::<1, COLOURS>(start, shift, samples, out),
                (2, 1) => self.filter_pairs::<2, 1>(start, shift, samples, out),
                (2, _) => self.filter_pairs::<2, COLOURS>(start, shift, samples, out),
                (3, 1) => self.filter_pairs::<3, 1>(start, shift, samples, out),
                (3, _) => self.filter_pairs::<3, COLOURS>(start, shift, samples, out),
                (_, 1) => self.filter_pairs::<4, 1>(start, shift, samples, out),
                (_, _) => self.filter_pairs::<4, COLOURS>(start, shift, samples, out),
            },
        );
    }

    #[inline(always)]
    fn filter_pairs<const PAIRS: usize, const CHANNELS: usize>(
        self,
        start: [i32; 2],
        shift: u32,
        samples: &[u8],
        out: &mut [i16],
    ) {
        let columns = out.chunks_exact_mut(self.channels[1]).zip(self.first).zip(self.weights.entries::<PAIRS>());
        for ((out, &first), weights) in columns {
            let samples: &[[u8; CHANNELS]] = samples[first as usize..][..2 * PAIRS * CHANNELS].as_chunks().0;
            let mut sums = [start[0]; CHANNELS];
            for (weight, sample) in weights.as_flattened().iter().zip(samples) {
                sums.iter_mut().zip(sample).for_each(|(sum, &s)| *sum += i32::from(*weight) * i32::from(s));
            }
            out.iter_mut().zip(sums).for_each(|(out, sum)| *out = (sum >> shift) as i16);
            out[CHANNELS..].fill((start[1] >> shift) as i16);
        }
    }

    /// Filters a row of `sums` into the levels `out`. `shift`: fraction bits of the weights and of the sums.
    pub(super) fn filter_sums(self, instructions: Instructions, shift: u32, sums: &[i16], out: &mut [u8]) {
        instructions.run(
            #[inline(always)]
            || match self.channels[0] {
                1 => self.filter_grey_sums(shift, sums, out),
                _ => self.filter_colours_of_sums(shift, sums, out),
            },
        );
    }

    #[inline(always)]
    fn filter_grey_sums(self, shift: u32, sums: &[i16], out: &mut [u8]) {
        let columns = out.iter_mut().zip(self.first).zip(self.weights.all_entries());
        for ((out, &first), weights) in columns {
            let weights = weights.as_flattened();
            let (vectors, rest) = weights.as_chunks::<LANES>();
            let (sums, rest_of_sums) = sums[first as usize..][..weights.len()].as_chunks::<LANES>();
            let mut totals = [0; LANES];
            for (weights, sums) in vectors.iter().zip(sums) {
                for lane in 0..LANES {
                    totals[lane] += i32::from(weights[lane]) * i32::from(sums[lane]);
                }
            }
            let products = rest.iter().zip(rest_of_sums).map(|(&weight, &sum)| i32::from(weight) * i32::from(sum));
            *out = level(totals.iter().sum::<i32>() + products.sum::<i32>(), shift);
        }
    }

    #[inline(always)]
    fn filter_colours_of_sums(self, shift: u32, sums: &[i16], out: &mut [u8]) {
        let columns = out.chunks_exact_mut(self.channels[1]).zip(self.first).zip(self.weights.all_entries());
        for ((out, &first), weights) in columns {
            let mut totals = [0; COLOURS];
            let sums: &[[i16; COLOURS]] = sums[first as usize..].as_chunks().0;
            for (&weight, sums) in weights.as_flattened().iter().zip(sums) {
                totals.iter_mut().zip(sums).for_each(|(total, &sum)| *total += i32::from(weight) * i32::from(sum));
            }
            out.iter_mut().zip(totals).for_each(|(out, total)| *out = level(total, shift));
            out[COLOURS..].fill(u8::MAX);
        }
    }
}

/// Writes the rows of `out`. The rows of sums are padded to whole vectors.
pub(super) fn write<const PAIRS: usize>(rows: &[[&[i16]; 2]; PAIRS], weights: &RowWeights<PAIRS>, out: &mut [u8]) {
    const { assert!(BLOCK.is_multiple_of(VALUES)) };
    let stride = out.len() / weights.count.max(1);
    let rows = rows.map(|pair| pair.map(|row| row.as_chunks::<VALUES>().0));
    for (packed, out) in weights.packed.iter().zip(out.chunks_exact_mut(stride)) {
        let of_pairs = packed.map(|packed| [packed as i16, (packed >> 16) as i16]);
        for (vector, out) in out.chunks_mut(VALUES).enumerate() {
            let mut totals = [0; VALUES];
            for (weights, rows) in of_pairs.iter().zip(&rows) {
                let [a, b] = rows.map(|row| &row[vector]);
                for (total, (&a, &b)) in totals.iter_mut().zip(a.iter().zip(b)) {
                    *total += i32::from(weights[0]) * i32::from(a) + i32::from(weights[1]) * i32::from(b);
                }
            }
            let levels = totals.map(|total| level(total, weights.shift));
            out.copy_from_slice(&levels[..out.len()]);
        }
    }
}

/// Adds the rows of `group` to the totals, or to their sums.
pub(super) fn add(group: &Group<'_>, totals: &mut [i32], sums: &mut [i16]) {
    if let Some(start) = group.start {
        totals.fill(start);
    }
    for (rows, weights) in group.rows.as_chunks::<ROWS>().0.iter().zip(group.weights.as_chunks::<ROWS>().0) {
        let rows = rows.map(|row| &row[group.from..][..totals.len()]);
        for (x, total) in totals.iter_mut().enumerate() {
            for (row, &weight) in rows.iter().zip(weights) {
                *total += i32::from(weight) * i32::from(row[x]);
            }
        }
    }
    if let Some(shift) = group.shift {
        sums.iter_mut().zip(totals).for_each(|(sum, total)| *sum = (*total >> shift) as i16);
    }
}

/// The level of a sum of `shift` fraction bits, which is 128 levels too small.
#[inline(always)]
pub(super) fn level(sum: i32, shift: u32) -> u8 {
    ((sum >> shift) + OFFSET).clamp(0, 255) as u8
}
