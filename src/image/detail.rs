//! The place of the finest detail of an image.

use super::{Depth, Raster};

/// Largest number of samples that are looked at. Of a larger image every n-th sample along both axes is.
const MOST_SAMPLES: f64 = 500_000.0;
/// Number of cells along the shorter side of the window, and in the whole image at most, but for those at its edges: cells of a large image
/// are larger.
const CELLS: f64 = 8.0;
/// Margins of the windows within the window whose sums are added to its own, as parts of its sides: detail in the middle counts three times,
/// so that a subject is in the middle.
const MARGINS: [usize; 2] = [8, 4];
const MOST_CELLS: f64 = 250_000.0;
/// Greatest number of samples along each axis by which a contrast is estimated.
const ALONG: u32 = 16;
/// Share of maxval from which on a sample of integers is clipped: a glare, which has no structure of its own.
const CLIPPED: f64 = 0.98;
/// Share of its detail that a window in a corner loses to one in the middle: a subject is seldom in a corner.
const CORNER_LOSS: f64 = 0.5;

/// Position, in samples, of the middle of the window of `extent` samples, width and height, with the finest detail: the greatest sum of the
/// absolute second differences |a(m−1) − 2a(m) + a(m+1)| along both axes, over all channels but alpha, times the standard deviation of the
/// samples in the window. The error of linear interpolation is bounded by the second derivative (|f″|·h²/8), and cubic methods differ from
/// it by second differences, so that methods differ there. The deviation prefers an object with its outline to a texture of small contrast:
/// an eye to the fur around it. The middle half of the window along both axes counts three times in the sum, and what is around it within
/// three quarters twice. A window in a corner loses half of its product to one in the middle, and the product is multiplied by the square of the
/// share of samples that are not clipped: by 98 % of maxval or more in a channel, in an image of integers. Of equal windows it is the one nearest to the
/// middle of the image; along an axis on which the image is not longer than the window, the middle of the image. Samples that are not finite
/// count nowhere. A window has at least one sample; a side that is not finite is that of the image.
pub fn finest_detail(raster: &Raster, extent: [f64; 2]) -> [f64; 2] {
    let sides = raster.size().sides().map(f64::from);
    let extent = [0, 1].map(|axis| if extent[axis].is_finite() { extent[axis].max(1.0) } else { sides[axis] });
    let least = (raster.size().area() as f64 / MOST_CELLS).sqrt().max(1.0);
    let cell = (extent[0].min(extent[1]) / CELLS).max(least);
    let cells = sides.map(|side| (side / cell).ceil().max(1.0) as usize);
    let measures = Measures::of(raster, (cell, cells));
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
            measures.differences.within([0, 1].map(|axis| first[axis] + margins[axis]), inner)
        });
        let sum = measures.differences.within(first, window) + of_margins.iter().sum::<f64>();
        let open = measures.open_share(first, window);
        let weight = open * open * (1.0 - CORNER_LOSS * distance);
        (sum * measures.deviation(first, window) * weight, distance, middle)
    });
    let better = |best: (f64, f64, [f64; 2]), other: (f64, f64, [f64; 2])| {
        if other.0 > best.0 || (other.0 == best.0 && other.1 < best.1) { other } else { best }
    };
    scored.reduce(better).map_or_else(|| middle_of([0; 2]), |(_, _, middle)| middle)
}

/// Contrast between two positions in samples, the least and the greatest of a box: the root of the sum, over all channels but alpha, of the
/// variance of at most 16 × 16 samples at equal distances. Samples outside of the image and those that are not finite are left out; without any
/// the contrast is 0.
pub fn contrast_within(raster: &Raster, [least, most]: [[f64; 2]; 2]) -> f64 {
    let along = |axis: usize| -> Vec<u32> {
        let last = f64::from(raster.size().sides()[axis] - 1);
        let [first, end] = [least[axis].max(0.0), most[axis].min(last)];
        let step = (end - first) / f64::from(ALONG - 1);
        let positions = (0..ALONG).map(|place| (first + f64::from(place) * step).round());
        positions.filter(|position| (0.0..=last).contains(position)).map(|position| position as u32).collect()
    };
    let [columns, rows] = [along(0), along(1)];
    let variance = |channel: usize| {
        let places = rows.iter().flat_map(|row| columns.iter().map(move |column| [*column, *row]));
        let numbers = places.map(|[column, row]| raster.number(column, row, channel));
        let numbers: Vec<f64> = numbers.map(f64::from).filter(|number| number.is_finite()).collect();
        let count = numbers.len().max(1) as f64;
        let mean = numbers.iter().sum::<f64>() / count;
        numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / count
    };
    (0..raster.channels().opaque().count()).map(variance).sum::<f64>().sqrt()
}

/// Sums over the samples of each cell.
struct Measures {
    /// Absolute second differences.
    differences: Sums,
    /// Number of the samples that are looked at, and of those that are clipped.
    count: Sums,
    clipped: Sums,
    /// Of each channel, the samples less the first one of the image, and their squares: without an offset that all samples have, squares keep
    /// their digits.
    moments: Vec<[Sums; 2]>,
}

impl Measures {
    fn of(raster: &Raster, (cell, cells): (f64, [usize; 2])) -> Self {
        let [width, height] = raster.size().sides();
        let step = (raster.size().area() as f64 / MOST_SAMPLES).sqrt().ceil().max(1.0) as usize;
        let channels = raster.channels().opaque().count();
        let number = |column: u32, row: u32, channel: usize| f64::from(raster.number(column, row, channel));
        let offsets: Vec<f64> = (0..channels)
            .map(|channel| Some(number(0, 0, channel)).filter(|first| first.is_finite()).unwrap_or(0.0))
            .collect();
        let zeros = || Sums::zeros(cells);
        let white = match raster.depth() {
            Depth::Integer { maxval } => CLIPPED * f64::from(maxval.get()),
            Depth::Float => f64::INFINITY,
        };
        let mut of_cells = Self {
            differences: zeros(),
            count: zeros(),
            clipped: zeros(),
            moments: offsets.iter().map(|_| [zeros(), zeros()]).collect(),
        };
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
                    let place = [column, row].map(|index| (f64::from(index) / cell) as usize);
                    of_cells.differences.add(place, found);
                    of_cells.count.add(place, 1.0);
                    if (0..channels).any(|channel| number(column, row, channel) >= white) {
                        of_cells.clipped.add(place, 1.0);
                    }
                    for (channel, [sum, squares]) in of_cells.moments.iter_mut().enumerate() {
                        let value = number(column, row, channel) - offsets[channel];
                        sum.add(place, value);
                        squares.add(place, value * value);
                    }
                }
            }
        }
        let moments = of_cells.moments.into_iter().map(|moments| moments.map(Sums::summed)).collect();
        let [differences, count, clipped] = [of_cells.differences, of_cells.count, of_cells.clipped].map(Sums::summed);
        Self { differences, count, clipped, moments }
    }

    /// Share of the samples in the window of `cells` from the cell `first` on that are not clipped.
    fn open_share(&self, first: [usize; 2], cells: [usize; 2]) -> f64 {
        1.0 - self.clipped.within(first, cells) / self.count.within(first, cells).max(1.0)
    }

    /// Root of the sum of the variances of the channels in the window of `cells` from the cell `first` on.
    fn deviation(&self, first: [usize; 2], cells: [usize; 2]) -> f64 {
        let count = self.count.within(first, cells).max(1.0);
        let variance = |[sum, squares]: &[Sums; 2]| {
            let [mean, of_squares] = [sum, squares].map(|sums| sums.within(first, cells) / count);
            (of_squares - mean * mean).max(0.0)
        };
        self.moments.iter().map(variance).sum::<f64>().sqrt()
    }
}

/// A measure of each cell or, [`Self::summed`], its sum over the cells above and left of each corner of a cell.
struct Sums {
    columns: usize,
    values: Vec<f64>,
}

impl Sums {
    fn zeros([columns, rows]: [usize; 2]) -> Self {
        Self { columns, values: vec![0.0; (columns + 1) * (rows + 1)] }
    }

    /// Adds `value` to the measure of the cell at `[x, y]`.
    fn add(&mut self, [x, y]: [usize; 2], value: f64) {
        self.values[(y + 1) * (self.columns + 1) + x + 1] += value;
    }

    /// The sums over the cells above and left of each corner.
    fn summed(mut self) -> Self {
        let width = self.columns + 1;
        for place in width..self.values.len() {
            if !place.is_multiple_of(width) {
                self.values[place] +=
                    self.values[place - 1] + self.values[place - width] - self.values[place - width - 1];
            }
        }
        self
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

    /// A coarse checkerboard of black and white on a fine one of small contrast, which has more second differences.
    #[test]
    fn object_of_great_contrast_is_preferred_to_a_texture_with_more_second_differences() {
        for [left, top] in [[40, 30], [150, 90], [92, 61]] {
            let value = |column: u32, row: u32| {
                let within = (left..left + 24).contains(&column) && (top..top + 24).contains(&row);
                match within {
                    true => f32::from(u8::from(((column - left) / 8 + (row - top) / 8).is_multiple_of(2))),
                    false => 0.45 + 0.1 * f32::from(u8::from((column + row).is_multiple_of(2))),
                }
            };
            let [x, y] = finest_detail(&raster([240, 160], value), [40.0, 40.0]);
            let middle = [f64::from(left) + 11.5, f64::from(top) + 11.5];
            assert!((x - middle[0]).abs() <= 10.0 && (y - middle[1]).abs() <= 10.0, "{x} {y}: {middle:?}");
        }
    }

    /// Squares of large numbers have no digits left for small differences.
    #[test]
    fn offset_of_all_samples_does_not_matter() {
        let of = |offset: f32| {
            let value = move |column: u32, row: u32| {
                let within = (30..50).contains(&column) && (20..40).contains(&row);
                offset + if within && (column + row).is_multiple_of(2) { 1.0 } else { 0.0 }
            };
            finest_detail(&raster([160, 120], value), [30.0, 30.0])
        };
        assert_eq!(of(0.0), of(4_194_304.0));
    }

    /// Two patches of the same pattern, the nearer to the middle of which has a glare in it.
    #[test]
    fn object_without_clipped_samples_is_preferred_to_one_with_a_glare() {
        let patch = |column: u32, row: u32, left: u32| (left..left + 24).contains(&column) && (60..84).contains(&row);
        let value = |column: u32, row: u32| -> u8 {
            let of_pattern = if (column / 3 + row / 3).is_multiple_of(2) { 200 } else { 40 };
            match () {
                () if patch(column, row, 100) && (68..80).contains(&row) => 255,
                () if patch(column, row, 100) || patch(column, row, 30) => of_pattern,
                () => 120,
            }
        };
        let values = (0..160).flat_map(|row| (0..240).map(move |column| value(column, row))).collect();
        let samples = Samples::U8 { values, maxval: 255 };
        let glare = Raster::new(size(240, 160), Channels::Grey, samples).expect("a raster");
        let [x, y] = finest_detail(&glare, [30.0, 30.0]);
        assert!((30.0..54.0).contains(&x) && (60.0..84.0).contains(&y), "{x} {y}");
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
    fn contrast_is_that_of_the_box_within_the_image() {
        let stripes = raster([200, 100], |column, row| if row < 50 { 0.25 } else { f32::from(u8::from(column < 100)) });
        assert_eq!(contrast_within(&stripes, [[0.0, 0.0], [199.0, 49.0]]), 0.0);
        assert_eq!(contrast_within(&stripes, [[-30.0, 60.0], [80.0, 400.0]]), 0.0, "beyond the image");
        assert!((contrast_within(&stripes, [[40.0, 60.0], [159.0, 90.0]]) - 0.5).abs() < 1e-9, "half of it is 1");
        let with_nan = raster([20, 20], |column, _| if column < 10 { f32::NAN } else { 2.0 });
        for ends in [[[0.0; 2], [19.0; 2]], [[f64::NAN; 2], [5.0; 2]], [[300.0; 2], [400.0; 2]], [[9.0; 2], [3.0; 2]]] {
            assert_eq!(contrast_within(&with_nan, ends), 0.0, "{ends:?}");
        }
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
