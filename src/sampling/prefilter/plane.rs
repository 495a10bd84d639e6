//! The passes over a plane: rows, then columns, [`STRIP`] lines at a time.

use multiversion::multiversion;

use super::tile::{self, SIDE};
use super::{Line, STRIP};

/// Padding of a buffered row, in values: a tile that begins within a row ends within its padding. Rows at a distance of a power of two
/// share the sets of a cache.
pub(super) const PADDING: usize = SIDE;
/// Columns that one task filters, strip by strip.
pub(super) const TASK_COLUMNS: usize = 8 * STRIP;

/// The first pass: [`STRIP`] rows at once.
pub(super) struct Rows {
    pub(super) line: Line,
    pub(super) width: u32,
    pub(super) channels: usize,
    /// The sample beyond a border edge.
    pub(super) border: f32,
}

impl Rows {
    /// Number of values from one row of the buffer to the next.
    pub(super) fn buffered(&self) -> usize {
        (self.width as usize + PADDING) * self.channels
    }

    /// Filters rows of `samples` into the rows of `out`. `lines` is a buffer.
    pub(super) fn filter(&self, samples: &[f32], lines: &mut [[f64; STRIP]], out: &mut [f32]) {
        for channel in 0..self.channels {
            self.load(samples, channel, lines);
            self.line.filter(lines);
            self.store(self.line.kept(lines), channel, out);
        }
    }

    /// Copies one channel of `samples` into the lanes of `lines`.
    fn load(&self, samples: &[f32], channel: usize, lines: &mut [[f64; STRIP]]) {
        let inside = self.line.inside();
        for (block, lines) in lines[inside.clone()].chunks_mut(SIDE).enumerate() {
            let row = |lane: usize| &samples[lane * self.buffered() + block * SIDE * self.channels..];
            let mut picked = [[0.0; SIDE]; SIDE];
            let rows = if self.channels == 1 {
                std::array::from_fn(|lane| row(lane).first_chunk().unwrap_or(&[0.0; SIDE]))
            } else {
                for (lane, values) in picked.iter_mut().enumerate() {
                    let samples = row(lane)[channel..].iter().step_by(self.channels);
                    values.iter_mut().zip(samples).for_each(|(value, &sample)| *value = sample);
                }
                picked.each_ref()
            };
            if let Some(lines) = lines.as_mut_array() {
                tile::lanes_of_rows(&rows, lines);
            } else {
                let mut lanes = [[0.0; STRIP]; SIDE];
                tile::lanes_of_rows(&rows, &mut lanes);
                lines.copy_from_slice(&lanes[..lines.len()]);
            }
        }
        let (from, to) = lines.split_at_mut(inside.start);
        let (within, behind) = to.split_at_mut(inside.len());
        let ends = [(0, from), (inside.end, behind)];
        for (first, lines) in ends {
            for (place, line) in lines.iter_mut().enumerate() {
                *line = match self.line.source(first + place) {
                    Some(sample) => within[sample],
                    None => [f64::from(self.border); STRIP],
                };
            }
        }
    }

    /// Rounds the results of one channel, `lines`, into the rows of `out`.
    fn store(&self, lines: &[[f64; STRIP]], channel: usize, out: &mut [f32]) {
        let stride = lines.len() * self.channels;
        for (block, lines) in lines.chunks(SIDE).enumerate() {
            let mut rows = [[0.0; SIDE]; SIDE];
            match lines.as_array() {
                Some(lines) => tile::rows_of_lanes(lines, &mut rows),
                None => {
                    let mut tile = [[0.0; SIDE]; SIDE];
                    tile[..lines.len()].copy_from_slice(lines);
                    tile::rows_of_lanes(&tile, &mut rows);
                }
            }
            for (row, values) in out.chunks_exact_mut(stride).zip(&rows) {
                let row = &mut row[block * SIDE * self.channels..];
                if self.channels == 1
                    && let Some(row) = row.first_chunk_mut()
                {
                    *row = *values;
                } else {
                    let row = row[channel..].iter_mut().step_by(self.channels);
                    row.zip(values).for_each(|(to, &value)| *to = value);
                }
            }
        }
    }
}

/// The second pass: columns, filtered where they stand.
pub(super) struct Columns {
    pub(super) line: Line,
    /// The row that holds the first sample; those above it are the halo.
    pub(super) first: usize,
    /// The sample beyond a border edge.
    pub(super) border: f32,
}

impl Columns {
    /// Filters the columns of `rows`, slices of equal length, halving them until they are [`TASK_COLUMNS`] wide.
    pub(super) fn filter(&self, rows: Vec<&mut [f32]>) {
        let width = rows.first().map_or(0, |row| row.len());
        if width <= TASK_COLUMNS {
            self.filter_strips(rows, width);
            return;
        }
        let middle = (width / 2).next_multiple_of(TASK_COLUMNS);
        let (left, right): (Vec<_>, Vec<_>) = rows.into_iter().map(|row| row.split_at_mut(middle)).unzip();
        rayon::join(|| self.filter(left), || self.filter(right));
    }

    /// Filters `rows` of `width` values, [`STRIP`] columns at a time.
    fn filter_strips(&self, mut rows: Vec<&mut [f32]>, width: usize) {
        let mut lines = vec![[0.0_f64; STRIP]; self.line.len()];
        for from in (0..width).step_by(STRIP) {
            let inside = self.line.inside();
            widen(&rows[self.first..][..inside.len()], from, &mut lines[inside.clone()]);
            for place in (0..inside.start).chain(inside.end..self.line.len()) {
                lines[place] = match self.line.source(place) {
                    Some(sample) => lines[inside.start + sample],
                    None => [f64::from(self.border); STRIP],
                };
            }
            self.line.filter(&mut lines);
            narrow(self.line.kept(&lines), from, &mut rows);
        }
    }
}

/// The values of `rows` from column `from` on in the lanes of `lines`.
#[multiversion(targets = "simd")]
fn widen(rows: &[&mut [f32]], from: usize, lines: &mut [[f64; STRIP]]) {
    for (line, row) in lines.iter_mut().zip(rows) {
        let row = &row[from..];
        if let Some(row) = row.first_chunk::<STRIP>() {
            for lane in 0..STRIP {
                line[lane] = f64::from(row[lane]);
            }
        } else {
            line.iter_mut().zip(row).for_each(|(to, &value)| *to = f64::from(value));
        }
    }
}

/// The lanes of `lines`, rounded, in `rows` from column `from` on.
#[multiversion(targets = "simd")]
fn narrow(lines: &[[f64; STRIP]], from: usize, rows: &mut [&mut [f32]]) {
    for (line, row) in lines.iter().zip(rows) {
        let row = &mut row[from..];
        if let Some(row) = row.first_chunk_mut::<STRIP>() {
            for lane in 0..STRIP {
                row[lane] = line[lane] as f32;
            }
        } else {
            row.iter_mut().zip(line).for_each(|(to, &value)| *to = value as f32);
        }
    }
}
