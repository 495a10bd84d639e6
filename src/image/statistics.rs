//! Statistics of a rectangle of samples: extremes, mean, standard deviation, histogram.

use super::{Page, Size};

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
    let raster = page.raster();
    let maxval = f64::from(raster.samples().maxval());
    let right = region.right.min(page.size().width() - 1);
    let bottom = region.bottom.min(page.size().height() - 1);
    let numbers = || {
        let rows = region.top..=bottom;
        rows.flat_map(move |row| (region.left..=right).map(move |column| raster.number(column, row, channel)))
            .map(f64::from)
            .filter(|number| number.is_finite())
    };
    let (mut count, mut sum, mut low, mut high) = (0_u64, 0.0, f64::INFINITY, f64::NEG_INFINITY);
    for number in numbers() {
        count += 1;
        sum += number;
        low = low.min(number);
        high = high.max(number);
    }
    if count == 0 {
        let range = [0.0, 1.0];
        return Statistics { count, min: 0.0, mean: 0.0, max: 0.0, deviation: 0.0, bins: vec![0; bins], range };
    }
    let mean = sum / count as f64;
    let range = [(low / maxval).min(0.0), (high / maxval).max(1.0)];
    let per_part = bins as f64 / (range[1] - range[0]);
    let mut parts = vec![0_u64; bins];
    let mut squares = 0.0;
    for number in numbers() {
        squares += (number - mean) * (number - mean);
        let part = ((number / maxval - range[0]) * per_part) as usize;
        parts[part.min(bins - 1)] += 1;
    }
    let deviation = (squares / count as f64).sqrt() / maxval;
    let [min, mean, max] = [low, mean, high].map(|number| number / maxval);
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
    fn statistics_are_separate_for_each_channel() {
        let samples = Samples::U8 { values: vec![0, 255, 51, 0, 255, 51], maxval: 255 };
        let size = size(2, 1);
        let page = Page::new(Raster::new(size, Channels::Rgb, samples).expect("a raster"));
        let means: Vec<f64> = statistics(&page, Region::whole(size), 4).iter().map(|channel| channel.mean).collect();
        assert_eq!(means, [0.0, 1.0, 0.2]);
    }
}
