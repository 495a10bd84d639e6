//! Statistics of a rectangle of samples: extremes, mean, standard deviation, histogram.

use std::ops::Range;

use rayon::prelude::*;

use super::{Page, Samples, Size};

/// Least number of rows that a thread counts at a time.
const ROWS_AT_LEAST: usize = 64;

/// Rectangle of samples from (`left`, `top`) to (`right`, `bottom`), both inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// First column.
    pub left: u32,
    /// First row.
    pub top: u32,
    /// Last column.
    pub right: u32,
    /// Last row.
    pub bottom: u32,
}

impl Region {
    /// All samples of an image of this size.
    pub fn whole(size: Size) -> Self {
        Self { left: 0, top: 0, right: size.width() - 1, bottom: size.height() - 1 }
    }

    /// The samples touched by the rectangle between two positions; `None` for a rectangle outside the image.
    ///
    /// ```
    /// use lerpscope::image::{Region, Size};
    /// let size = Size::new(8, 8).unwrap();
    /// let region = Region::between([4.4, 3.0], [1.6, -9.0], size).unwrap();
    /// assert_eq!(region, Region { left: 2, top: 0, right: 4, bottom: 3 });
    /// assert_eq!(Region::between([-9.0, 0.0], [-3.0, 4.0], size), None);
    /// ```
    pub fn between(a: [f64; 2], b: [f64; 2], size: Size) -> Option<Self> {
        let sides = [size.width(), size.height()];
        let span = |axis: usize| {
            let (low, high) = (a[axis].min(b[axis]), a[axis].max(b[axis]));
            let last = f64::from(sides[axis] - 1);
            let (first, end) = ((low + 0.5).floor(), (high + 0.5).floor());
            (end >= 0.0 && first <= last).then(|| (first.max(0.0) as u32, end.min(last) as u32))
        };
        let ((left, right), (top, bottom)) = (span(0)?, span(1)?);
        Some(Self { left, top, right, bottom })
    }

    /// Numbers of columns and rows.
    pub fn sides(self) -> [u32; 2] {
        [self.right - self.left + 1, self.bottom - self.top + 1]
    }
}

/// Statistics of one channel; 1 is the file's maxval.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    /// Number of values; NaN is excluded here and in all other fields.
    pub count: u64,
    /// Minimum.
    pub min: f64,
    /// Mean.
    pub mean: f64,
    /// Maximum.
    pub max: f64,
    /// Standard deviation.
    pub deviation: f64,
    /// Histogram over equal parts of `range`; the upper end is in the last bin.
    pub bins: Vec<u64>,
    /// Range of the histogram: 0 to 1, or wider if there are values outside.
    pub range: [f64; 2],
}

/// Statistics of each channel of `region`, with `bins` bins; a channel without values has count 0.
pub fn statistics(page: &Page, region: Region, bins: usize) -> Vec<Statistics> {
    (0..page.channels().count()).map(|channel| of_channel(page, region, (channel, bins.max(1)))).collect()
}

fn of_channel(page: &Page, region: Region, (channel, bins): (usize, usize)) -> Statistics {
    let samples = page.raster().samples();
    let maxval = f64::from(samples.maxval());
    let runs = Runs::of(page, region, channel);
    match samples {
        Samples::U8 { values, .. } => of_tally(&tally(values, &runs, 1 << 8), maxval, bins),
        Samples::U16 { values, .. } => of_tally(&tally(values, &runs, 1 << 16), maxval, bins),
        Samples::F32(values) => {
            let finite = || runs.of_rows(values).map(f64::from).filter(|number| number.is_finite());
            of_numbers(|| finite().map(|number| (number, 1)), maxval, bins)
        }
    }
}

/// The numbers of one channel of a region, row by row.
struct Runs {
    /// The rows.
    rows: Range<usize>,
    /// Place of the first number of row 0 and behind its last one.
    first: usize,
    end: usize,
    /// Distance between rows and between samples of a row.
    row: usize,
    sample: usize,
}

impl Runs {
    fn of(page: &Page, region: Region, channel: usize) -> Self {
        let (size, sample) = (page.size(), page.channels().count());
        let right = region.right.min(size.width() - 1) as usize;
        let bottom = region.bottom.min(size.height() - 1) as usize;
        Self {
            rows: region.top as usize..bottom + 1,
            first: region.left as usize * sample + channel,
            end: (right + 1) * sample,
            row: size.width() as usize * sample,
            sample,
        }
    }

    /// The numbers of one row of `values`.
    fn of_row<'a, T: Copy>(&self, values: &'a [T], row: usize) -> impl Iterator<Item = T> + use<'a, T> {
        let start = row * self.row;
        let run = values.get(start + self.first..start + self.end).unwrap_or_default();
        run.iter().step_by(self.sample).copied()
    }

    /// The numbers of all rows of `values`.
    fn of_rows<T: Copy>(&self, values: &[T]) -> impl Iterator<Item = T> {
        self.rows.clone().flat_map(|row| self.of_row(values, row))
    }
}

/// How often each of the integers 0 … `count` − 1 occurs. Rows are counted in parallel: a window counts each image that it shows.
fn tally<T: Copy + Sync + Into<usize>>(values: &[T], runs: &Runs, count: usize) -> Vec<u64> {
    let add = |mut counts: Vec<u64>, row: usize| {
        runs.of_row(values, row).for_each(|value| counts[value.into()] += 1);
        counts
    };
    let sum = |mut a: Vec<u64>, b: Vec<u64>| {
        a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        a
    };
    let empty = || vec![0_u64; count];
    runs.rows.clone().into_par_iter().with_min_len(ROWS_AT_LEAST).fold(empty, add).reduce(empty, sum)
}

fn of_tally(counts: &[u64], maxval: f64, bins: usize) -> Statistics {
    let numbers = || counts.iter().enumerate().filter(|(_, count)| **count > 0);
    of_numbers(|| numbers().map(|(number, count)| (number as f64, *count)), maxval, bins)
}

/// Statistics of numbers, each with how often it occurs.
fn of_numbers<I: Iterator<Item = (f64, u64)>>(numbers: impl Fn() -> I, maxval: f64, bins: usize) -> Statistics {
    let (mut count, mut sum, mut low, mut high) = (0_u64, 0.0, f64::INFINITY, f64::NEG_INFINITY);
    for (number, times) in numbers() {
        count += times;
        sum += number * times as f64;
        low = low.min(number);
        high = high.max(number);
    }
    if count == 0 {
        let range = [0.0, 1.0];
        return Statistics { count, min: 0.0, mean: 0.0, max: 0.0, deviation: 0.0, bins: vec![0; bins], range };
    }
    let mean = sum / count as f64;
    let [start, end] = [low.min(0.0), high.max(maxval)];
    let mut parts = vec![0_u64; bins];
    let mut squares = 0.0;
    for (number, times) in numbers() {
        squares += (number - mean) * (number - mean) * times as f64;
        // Exact for integers at the edges of bins: the division comes last.
        let part = ((number - start) * bins as f64 / (end - start)) as usize;
        parts[part.min(bins - 1)] += times;
    }
    let deviation = (squares / count as f64).sqrt() / maxval;
    let [min, mean, max] = [low, mean, high].map(|number| number / maxval);
    let range = [start, end].map(|number| number / maxval);
    Statistics { count, min, mean, max, deviation, bins: parts, range }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::{Channels, Raster, Samples};
    use crate::test_support::size;

    fn page(width: u32, height: u32, values: &[u8]) -> Page {
        let samples = Samples::U8 { values: values.to_vec(), maxval: 10 };
        let size = size(width, height);
        Page::new(Raster::new(size, Channels::Grey, samples).expect("a raster"))
    }

    #[test]
    fn statistics_of_known_values_are_exact() {
        let page = page(4, 2, &[2, 4, 4, 4, 5, 5, 7, 9]);
        let found = &statistics(&page, Region::whole(page.size()), 10)[0];
        let rounded = [found.min, found.mean, found.max, found.deviation].map(|value| (value * 1e9).round() / 1e9);
        assert_eq!(rounded, [0.2, 0.5, 0.9, 0.2]);
        assert_eq!((found.count, &found.bins[..]), (8, &[0, 0, 1, 0, 3, 2, 0, 1, 0, 1][..]));
    }

    #[test]
    fn statistics_of_a_region_count_its_samples_only() {
        let page = page(3, 2, &[0, 10, 10, 0, 10, 2]);
        let region = Region { left: 1, top: 0, right: 2, bottom: 1 };
        let found = &statistics(&page, region, 2)[0];
        assert_eq!((found.count, found.min, found.max), (4, 0.2, 1.0));
        assert_eq!(found.bins, [1, 3]);
        assert!((found.mean - 0.8).abs() < 1e-12);
    }

    #[test]
    fn statistics_of_floats_beyond_one_widen_the_range_and_exclude_nan() {
        let samples = Samples::F32(vec![-1.0, f32::NAN, 3.0, f32::INFINITY]);
        let size = size(4, 1);
        let page = Page::new(Raster::new(size, Channels::Grey, samples).expect("a raster"));
        let found = &statistics(&page, Region::whole(size), 4)[0];
        assert_eq!((found.count, found.mean, found.deviation), (2, 1.0, 2.0));
        assert_eq!((found.range, &found.bins[..]), ([-1.0, 3.0], &[1, 0, 0, 1][..]));
    }

    #[test]
    fn statistics_of_integers_equal_those_of_the_same_numbers_as_floats() {
        let mut random = fastrand::Rng::with_seed(3);
        let size = size(37, 210);
        let values: Vec<u16> = (0..2 * 37 * 210).map(|_| random.u16(..)).collect();
        let floats = values.iter().map(|value| f32::from(*value) / 65535.0).collect();
        let page = |samples| Page::new(Raster::new(size, Channels::GreyAlpha, samples).expect("a raster"));
        let integers = page(Samples::U16 { values, maxval: 65535 });
        let floats = page(Samples::F32(floats));
        for region in [Region::whole(size), Region { left: 3, top: 70, right: 30, bottom: 209 }] {
            let [found, expected] = [&integers, &floats].map(|page| statistics(page, region, 16));
            for (found, expected) in found.iter().zip(&expected) {
                assert_eq!((found.count, &found.bins), (expected.count, &expected.bins));
                let numbers = |of: &Statistics| [of.min, of.mean, of.max, of.deviation];
                let differences = numbers(found).into_iter().zip(numbers(expected)).map(|(a, b)| (a - b).abs());
                assert!(differences.fold(0.0, f64::max) < 1e-7, "{found:?} {expected:?}");
            }
        }
    }

    #[test]
    fn statistics_are_separate_for_each_channel() {
        let samples = Samples::U8 { values: vec![0, 255, 51, 0, 255, 51], maxval: 255 };
        let size = size(2, 1);
        let page = Page::new(Raster::new(size, Channels::Rgb, samples).expect("a raster"));
        let means: Vec<f64> = statistics(&page, Region::whole(size), 4).iter().map(|channel| channel.mean).collect();
        assert_eq!(means, [0.0, 1.0, 0.2]);
    }
}
