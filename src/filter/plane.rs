//! Input of the filters: a rectangle of values.

use super::Edges;
use crate::image::Channels;

/// Values row by row, channels interleaved, colours premultiplied by alpha.
#[derive(Clone, Debug, PartialEq)]
pub struct Plane {
    /// Numbers of columns and rows, neither zero.
    pub size: [u32; 2],
    /// Place of the first value along x and y: its sample's index in the image, or its pixel's in the lattice of the view.
    /// Places continue from 2³² − 1 with 0.
    pub first: [u32; 2],
    /// Channels of a pixel.
    pub channels: Channels,
    /// Columns × rows × channels values.
    pub values: Vec<f32>,
}

impl Plane {
    /// Number of values of a row.
    pub fn stride(&self) -> usize {
        self.size[0] as usize * self.channels.count()
    }

    /// The centre part of the plane, `size` columns and rows, with equal margins cut off. Rows are moved inside the
    /// plane's own memory.
    #[must_use]
    pub fn middle(self, size: [u32; 2]) -> Self {
        if size == self.size {
            return self;
        }
        let (count, stride) = (self.channels.count(), self.stride());
        let [left, top] = [0, 1].map(|axis| (self.size[axis] - size[axis]) as usize / 2);
        let (row_len, rows) = (size[0] as usize * count, size[1] as usize);
        let first = [self.first[0].wrapping_add(left as u32), self.first[1].wrapping_add(top as u32)];
        let mut values = self.values;
        for row in 0..rows {
            let from = (top + row) * stride + left * count;
            values.copy_within(from..from + row_len, row * row_len);
        }
        values.truncate(rows * row_len);
        values.shrink_to_fit();
        Self { size, first, values, ..self }
    }

    /// Values of the row at any index, or `None` for the border's constant.
    pub(super) fn row(&self, edges: &Edges, row: i64) -> Option<&[f32]> {
        let row = edges.address[1].resolve(row, self.size[1])?;
        Some(&self.values[row as usize * self.stride()..][..self.stride()])
    }

    /// Copies the pixels of row `row` from column `from` to `out`; both may be outside.
    pub(super) fn copy_row(&self, edges: &Edges, row: i64, from: i64, out: &mut [f32]) {
        let count = self.channels.count();
        let width = self.size[0];
        let Some(line) = self.row(edges, row) else {
            out.fill(edges.border);
            return;
        };
        let columns = (out.len() / count) as i64;
        let inside = (-from).clamp(0, columns)..(i64::from(width) - from).clamp(0, columns);
        let inside = inside.start..inside.end.max(inside.start);
        for place in (0..inside.start).chain(inside.end..columns) {
            let to = &mut out[place as usize * count..][..count];
            match edges.address[0].resolve(from + place, width) {
                Some(column) => to.copy_from_slice(&line[column as usize * count..][..count]),
                None => to.fill(edges.border),
            }
        }
        if !inside.is_empty() {
            let len = (inside.end - inside.start) as usize * count;
            out[inside.start as usize * count..][..len]
                .copy_from_slice(&line[(from + inside.start) as usize * count..][..len]);
        }
    }

    /// Copies a block of pixels from (`left`, `top`), `columns` wide, row by row to `out`; any may be outside.
    pub(super) fn copy_block(&self, edges: &Edges, [left, top]: [i64; 2], columns: usize, out: &mut [f32]) {
        for (row, out) in out.chunks_exact_mut(columns * self.channels.count()).enumerate() {
            self.copy_row(edges, top + row as i64, left, out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::ADDRESS_MODES;

    #[test]
    fn plane_middle_cuts_equal_margins() {
        let values = (0..7 * 6 * 2).map(|v| v as f32).collect();
        let plane = Plane { size: [7, 6], first: [3, u32::MAX], channels: Channels::GreyAlpha, values };
        for [width, height] in [[7, 6], [7, 2], [1, 6], [3, 4], [5, 2], [1, 2]] {
            let middle = plane.clone().middle([width, height]);
            let [left, top] = [(7 - width) / 2, (6 - height) / 2];
            let places = (0..height).flat_map(|row| (0..2 * width).map(move |k| (row, k)));
            let expected = places.map(|(row, k)| ((top + row) * 14 + 2 * left + k) as f32);
            assert!(middle.values.iter().copied().eq(expected), "{width}×{height}: {middle:?}");
            assert_eq!(middle.first, [3 + left, u32::MAX.wrapping_add(top)]);
            assert_eq!((middle.size, middle.values.capacity()), ([width, height], (2 * width * height) as usize));
        }
    }

    #[test]
    fn copied_row_follows_the_address_modes() {
        let values = (0..12).map(|v| v as f32).collect();
        let plane = Plane { size: [3, 2], first: [0; 2], channels: Channels::GreyAlpha, values };
        for x in &ADDRESS_MODES {
            for y in &ADDRESS_MODES {
                let edges = Edges { address: [x.address, y.address], border: -1.0 };
                for from in [-9, -2, 0, 1, 2, 5] {
                    for row in -3..5 {
                        for columns in [1_i64, 2, 7] {
                            let mut out = vec![f32::NAN; 2 * columns as usize];
                            plane.copy_row(&edges, row, from, &mut out);
                            for k in 0..columns {
                                let at = x.address.resolve(from + k, 3).zip(y.address.resolve(row, 2));
                                let expected = at.map_or(-1.0, |(x, y)| ((y * 3 + x) * 2) as f32);
                                assert_eq!(out[2 * k as usize], expected, "{} {} {from} {row} {k}", x.name, y.name);
                            }
                        }
                    }
                }
            }
        }
    }
}
