//! Median of a large window by the ranks of its values.
//!
//! A tile and its surroundings are sorted once, so that each value has a unique rank. The window's ranks are a bit set;
//! the window moves along the tile in boustrophedon order, right, down, left, and each move replaces one column or row
//! in the set. The rank of the median is searched from the previous one.

use super::{key, value};
use crate::filter::{Edges, ExecOptions, Plane};

/// Columns of a tile, and its default number of rows.
const TILE: usize = 64;
/// Largest number of rows of a tile: ranks have 16 bits.
const HIGHEST: usize = 256;

/// Writes the median of (2·radius + 1)² values around each sample.
pub(super) fn median(radius: usize, plane: &Plane, edges: &Edges, work: &ExecOptions, out: &mut [f32]) {
    let channels = plane.channels.count();
    let stride = plane.stride();
    work.for_bands((out, stride), TILE, Tile::default, |tile, from, out| {
        for (index, out) in out.chunks_mut(stride * HIGHEST).enumerate() {
            let (top, rows) = (from + index * HIGHEST, out.len() / stride);
            for left in (0..plane.size[0] as usize).step_by(TILE) {
                if work.stop.is_set() {
                    return;
                }
                let columns = TILE.min(plane.size[0] as usize - left);
                let side = [columns + 2 * radius, rows + 2 * radius];
                let corner = [left, top].map(|k| k as i64 - radius as i64);
                tile.values.resize(side[0] * side[1] * channels, 0.0);
                plane.copy_block(edges, corner, side[0], &mut tile.values);
                for channel in 0..channels {
                    tile.rank(channel, channels, side[0]);
                    tile.plough(radius, [columns, rows], |column, row, value| {
                        out[row * stride + (left + column) * channels + channel] = value;
                    });
                }
            }
        }
    });
}

/// A tile with its surroundings.
#[derive(Default)]
struct Tile {
    /// All channels.
    values: Vec<f32>,
    /// Keys and positions of one channel, sorted.
    order: Vec<u64>,
    /// Rank of each position.
    ranks: Vec<u16>,
    /// Columns.
    width: usize,
    window: RankSet,
}

impl Tile {
    /// Sorts one channel.
    fn rank(&mut self, channel: usize, channels: usize, width: usize) {
        self.order.clear();
        let channel_values = self.values.iter().skip(channel).step_by(channels);
        self.order.extend(channel_values.enumerate().map(|(place, &value)| u64::from(key(value)) << 32 | place as u64));
        self.order.sort_unstable();
        self.ranks.resize(self.order.len(), 0);
        for (rank, &entry) in self.order.iter().enumerate() {
            self.ranks[entry as u32 as usize] = rank as u16;
        }
        self.width = width;
        self.window.clear(self.order.len());
    }

    /// Calls `write` with the median around each of `columns` × `rows` positions.
    fn plough(&mut self, radius: usize, [columns, rows]: [usize; 2], mut write: impl FnMut(usize, usize, f32)) {
        let side = 2 * radius + 1;
        let middle = (side * side / 2) as u32;
        for row in 0..side {
            self.window.insert_all(self.ranks[row * self.width..][..side].iter());
        }
        for row in 0..rows {
            let rightwards = row % 2 == 0;
            for step in 0..columns {
                let column = if rightwards { step } else { columns - 1 - step };
                if step > 0 {
                    let (gone, come) =
                        if rightwards { (column - 1, column + side - 1) } else { (column + side, column) };
                    let vertical =
                        |column: usize| self.ranks[row * self.width + column..].iter().step_by(self.width).take(side);
                    self.window.remove_all(vertical(gone));
                    self.window.insert_all(vertical(come));
                }
                let rank = self.window.at(middle);
                write(column, row, value((self.order[rank] >> 32) as u32));
            }
            if row + 1 < rows {
                let column = if rightwards { columns - 1 } else { 0 };
                let along = |row: usize| self.ranks[row * self.width + column..][..side].iter();
                self.window.remove_all(along(row));
                self.window.insert_all(along(row + side));
            }
        }
    }
}

/// Bit set of ranks, with the number of ranks below the current word.
#[derive(Default)]
struct RankSet {
    words: Vec<u64>,
    word: usize,
    below: u32,
}

impl RankSet {
    /// Empties the set, for ranks below `len`.
    fn clear(&mut self, len: usize) {
        self.words.clear();
        self.words.resize(len.div_ceil(64), 0);
        (self.word, self.below) = (self.words.len() / 2, 0);
    }

    fn insert_all<'a>(&mut self, ranks: impl Iterator<Item = &'a u16>) {
        for &rank in ranks {
            let word = usize::from(rank >> 6);
            self.words[word] |= 1 << (rank & 63);
            self.below += u32::from(word < self.word);
        }
    }

    fn remove_all<'a>(&mut self, ranks: impl Iterator<Item = &'a u16>) {
        for &rank in ranks {
            let word = usize::from(rank >> 6);
            self.words[word] &= !(1 << (rank & 63));
            self.below -= u32::from(word < self.word);
        }
    }

    /// The rank with `count` smaller ranks in the set.
    fn at(&mut self, count: u32) -> usize {
        while self.below > count {
            self.word -= 1;
            self.below -= self.words[self.word].count_ones();
        }
        loop {
            let here = self.words[self.word].count_ones();
            if self.below + here > count {
                break;
            }
            self.below += here;
            self.word += 1;
        }
        let mut bits = self.words[self.word];
        for _ in self.below..count {
            bits &= bits - 1;
        }
        self.word * 64 + bits.trailing_zeros() as usize
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;
    use crate::image::Channels;
    use crate::sampling::AddressMode;

    /// Heights of bands and tiles do not change medians, even for bands higher than a tile.
    #[test]
    fn medians_in_bands_of_any_height_are_equal() {
        let mut random = fastrand::Rng::with_seed(61);
        let size = [70, 600];
        for channels in [Channels::Grey, Channels::Rgb] {
            let count = (size[0] * size[1]) as usize * channels.count();
            let plane = Plane { size, first: [0; 2], channels, values: (0..count).map(|_| random.f32()).collect() };
            let edges = Edges { address: [AddressMode::Mirror, AddressMode::Clamp], border: 0.0 };
            let of = |band_rows: Option<usize>| {
                let work = ExecOptions { band_rows: band_rows.and_then(NonZeroUsize::new), ..ExecOptions::default() };
                let mut out = vec![0.0; count];
                median(5, &plane, &edges, &work, &mut out);
                out
            };
            let usual = of(None);
            for rows in [1, 255, 256, 257, 400, 600] {
                assert!(of(Some(rows)) == usual, "{channels:?} in bands of {rows} rows");
            }
            // One value by hand: the middle of 121 sorted values.
            let (column, row) = (33, 300);
            let mut window: Vec<f32> = (row - 5..=row + 5)
                .flat_map(|row| (column - 5..=column + 5).map(move |column| (row * 70 + column) * channels.count()))
                .map(|at| plane.values[at])
                .collect();
            window.sort_by(f32::total_cmp);
            assert_eq!(usual[(row * 70 + column) * channels.count()], window[60]);
        }
    }
}
