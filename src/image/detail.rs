//! The place of the finest detail of an image.

use super::Raster;

/// Largest number of samples that are looked at. Of a larger image every n-th sample along both axes is.
const MOST_SAMPLES: f64 = 500_000.0;
/// Number of cells along the shorter side of the window, and in the whole image at most, but for those at its edges: cells of a large image
/// are larger.
const CELLS: f64 = 8.0;
/// Margins of the windows within the window whose sums are added to its own, as parts of its sides: detail in the middle counts three times,
/// so that a subject is in the middle.
const MARGINS: [usize; 2] = [8, 4];
const MOST_CELLS: f64 = 250_000.0;
/// Share of its detail that a window in a corner loses to one in the middle: a subject is seldom in a corner.
const CORNER_LOSS: f64 = 0.5;

/// Position, in samples, of the middle of the window of `extent` samples, width and height, with the finest detail: the greatest sum of the
/// absolute second differences |a(m−1) − 2a(m) + a(m+1)| along both axes, over all channels but alpha. The error of linear interpolation is
/// bounded by the second derivative (|f″|·h²/8), and cubic methods differ from it by second differences, so that methods differ there. The middle
/// half of the window along both axes counts three times, and what is around it within three quarters twice. A window in a corner loses half of
/// its sum to one in the middle. Of equal windows it is the one nearest to the middle of the image; along an axis on
/// which the image is not longer than the window, the middle of the image. Samples that are not finite have no difference. A window has at
/// least one sample; a side that is not finite is that of the image.
pub fn finest_detail(raster: &Raster, extent: [f64; 2]) -> [f64; 2] {
    let sides = raster.size().sides().map(f64::from);
    let extent = [0, 1].map(|axis| if extent[axis].is_finite() { extent[axis].max(1.0) } else { sides[axis] });
    let least = (raster.size().area() as f64 / MOST_CELLS).sqrt().max(1.0);
    let cell = (extent[0].min(extent[1]) / CELLS).max(least);
    let cells = sides.map(|side| (side / cell).ceil().max(1.0) as usize);
    let sums = Sums::of(raster, (cell, cells));
    let window = [0, 1].map(|axis| ((extent[axis] / cell).round().max(1.0) as usize).min(cells[axis]));
    let middle_of = |first: [usize; 2]| {
        [0, 1].map(|axis| match sides[axis] <= extent[axis] {
            true => (sides[axis] - 1.0) / 2.0,
            false => {
                let half = extent[axis] / 2.0;
                let middle = (first[axis] as f64 + window[axis] as f64 / 2.0) * cell - 0.5;
                middle.clamp(half - 0.5, sides[axis] - 0.5 - half).round()
            }
        })
    };
    let far = |middle: [f64; 2]| {
        let [x, y] = [0, 1].map(|axis| (2.0 * middle[axis] + 1.0) / sides[axis] - 1.0);
        (x * x + y * y) / 2.0
    };
    let rows = 0..=cells[1] - window[1];
    let firsts = rows.flat_map(|row| (0..=cells[0] - window[0]).map(move |column| [column, row]));
    let scored = firsts.map(|first| {
        let middle = middle_of(first);
        let distance = far(middle);
        let of_margins = MARGINS.map(|share| {
            let margins = window.map(|count| count / share);
            let inner = [0, 1].map(|axis| window[axis] - 2 * margins[axis]);
            sums.within([0, 1].map(|axis| first[axis] + margins[axis]), inner)
        });
        let sum = sums.within(first, window) + of_margins.iter().sum::<f64>();
        (sum * (1.0 - CORNER_LOSS * distance), distance, middle)
    });
    let better = |best: (f64, f64, [f64; 2]), other: (f64, f64, [f64; 2])| {
        if other.0 > best.0 || (other.0 == best.0 && other.1 < best.1) { other } else { best }
    };
    scored.reduce(better).map_or_else(|| middle_of([0; 2]), |(_, _, middle)| middle)
}

/// Sums of second differences over the cells above and left of each corner of a cell.
struct Sums {
    columns: usize,
    values: Vec<f64>,
}

impl Sums {
    fn of(raster: &Raster, (cell, [columns, rows]): (f64, [usize; 2])) -> Self {
        let [width, height] = raster.size().sides();
        let step = (raster.size().area() as f64 / MOST_SAMPLES).sqrt().ceil().max(1.0) as usize;
        let channels = raster.channels().opaque().count();
        let number = |column: u32, row: u32, channel: usize| f64::from(raster.number(column, row, channel));
        let mut values = vec![0.0; (columns + 1) * (rows + 1)];
        for row in (0..height).step_by(step) {
            for column in (0..width).step_by(step) {
                let beside = [
                    [column.saturating_sub(1), (column + 1).min(width - 1)],
                    [row.saturating_sub(1), (row + 1).min(height - 1)],
                ];
                let of_channel = |channel: usize| {
                    let twice = 2.0 * number(column, row, channel);
                    let along_x: f64 = beside[0].iter().map(|&column| number(column, row, channel)).sum();
                    let along_y: f64 = beside[1].iter().map(|&row| number(column, row, channel)).sum();
                    (along_x - twice).abs() + (along_y - twice).abs()
                };
                let found: f64 = (0..channels).map(of_channel).sum();
                // A float image may have NaN and infinite samples.
                if found.is_finite() {
                    let [x, y] = [column, row].map(|index| (f64::from(index) / cell) as usize);
                    values[(y + 1) * (columns + 1) + x + 1] += found;
                }
            }
        }
        for row in 1..=rows {
            let mut of_row = 0.0;
            for column in 1..=columns {
                let place = row * (columns + 1) + column;
                of_row += values[place];
                values[place] = of_row + values[place - columns - 1];
            }
        }
        Self { columns, values }
    }

    /// The sum over the window of `cells` from the cell `first` on.
    fn within(&self, first: [usize; 2], cells: [usize; 2]) -> f64 {
        let at = |column: usize, row: usize| self.values[row * (self.columns + 1) + column];
        let [[left, top], [right, bottom]] = [first, [first[0] + cells[0], first[1] + cells[1]]];
        at(right, bottom) - at(left, bottom) - at(right, top) + at(left, top)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::{Channels, Samples};
    use crate::test_support::size;

    fn raster([width, height]: [u32; 2], value: impl Fn(u32, u32) -> f32) -> Raster {
        let values = (0..height).flat_map(|row| (0..width).map(move |column| (column, row)));
        let values = values.map(|(column, row)| value(column, row)).collect();
        Raster::new(size(width, height), Channels::Grey, Samples::F32(values)).expect("a raster")
    }

    #[test]
    fn detail_is_where_samples_differ_from_the_mean_of_their_neighbours() {
        // A checkerboard patch on a slope, which has no second difference.
        for [left, top] in [[40, 30], [150, 90], [90, 60]] {
            let value = |column: u32, row: u32| {
                let in_patch = (left..left + 20).contains(&column) && (top..top + 16).contains(&row);
                column as f32 / 400.0 + if in_patch && (column + row).is_multiple_of(2) { 0.2 } else { 0.0 }
            };
            let [x, y] = finest_detail(&raster([200, 120], value), [40.0, 30.0]);
            let middle = [f64::from(left) + 9.5, f64::from(top) + 7.5];
            // The whole patch is in the window.
            assert!((x - middle[0]).abs() <= 10.5 && (y - middle[1]).abs() <= 7.5, "{x} {y}: {middle:?}");
        }
    }

    /// A patch smaller than the window: every window that has all of it has the same sum.
    #[test]
    fn detail_is_in_the_middle_of_the_window() {
        for [left, top] in [[40, 30], [150, 90], [92, 61]] {
            let patch = |column: u32, row: u32| (left..left + 20).contains(&column) && (top..top + 20).contains(&row);
            let value =
                |column: u32, row: u32| f32::from(u8::from(patch(column, row) && (column + row).is_multiple_of(2)));
            let [x, y] = finest_detail(&raster([240, 160], value), [40.0, 40.0]);
            let middle = [f64::from(left) + 9.5, f64::from(top) + 9.5];
            assert!((x - middle[0]).abs() <= 5.5 && (y - middle[1]).abs() <= 5.5, "{x} {y}: {middle:?}");
        }
    }

    #[test]
    fn large_image_has_no_more_cells_and_its_detail_is_found() {
        let patch = |column: u32, row: u32| (2400..2460).contains(&column) && (500..560).contains(&row);
        let value = |column: u32, row: u32| f32::from(u8::from(patch(column, row) && column.is_multiple_of(2)));
        let [x, y] = finest_detail(&raster([3000, 1200], value), [12.0, 10.0]);
        assert!((2385.0..2475.0).contains(&x) && (485.0..575.0).contains(&y), "{x} {y}");
        let long = raster([200_000, 3], |column, _| f32::from(u8::from(column == 150_000)));
        let [x, y] = finest_detail(&long, [12.0, 10.0]);
        assert!((x - 150_000.0).abs() < 12.0 && y == 1.0, "{x} {y}");
    }

    #[test]
    fn window_stays_inside_the_image_and_in_its_middle_where_nothing_differs() {
        let corner =
            raster([100, 80], |column, row| f32::from(u8::from(column.is_multiple_of(2) && column + row < 12)));
        let [x, y] = finest_detail(&corner, [30.0, 20.0]);
        assert!(x >= 14.5 && y >= 9.5 && x < 25.0 && y < 20.0, "{x} {y}");
        let [x, y] = finest_detail(&raster([100, 80], |_, _| 0.5), [30.0, 20.0]);
        assert!((x - 49.5).abs() <= 4.0 && (y - 39.5).abs() <= 4.0, "{x} {y}");
        assert_eq!(finest_detail(&raster([7, 5], |column, _| column as f32), [30.0, 20.0]), [3.0, 2.0]);
        assert_eq!(finest_detail(&raster([1, 1], |_, _| f32::NAN), [0.25, 0.25]), [0.0, 0.0]);
        for extent in [[f64::NAN, 4.0], [4.0, f64::INFINITY], [-1.0, 0.0], [1e300, 1e-300]] {
            let [x, y] = finest_detail(&corner, extent);
            assert!((-0.5..99.5).contains(&x) && (-0.5..79.5).contains(&y), "{extent:?}: {x} {y}");
        }
        let with_nan = raster([64, 64], |column, row| if [column, row] == [3, 3] { f32::NAN } else { 0.0 });
        assert!(finest_detail(&with_nan, [16.0, 16.0]).iter().all(|position| position.is_finite()));
    }
}
