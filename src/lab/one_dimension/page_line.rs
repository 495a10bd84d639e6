//! A row or a column of an image as samples.

use super::Signal;
use crate::filter::LUMINANCE;
use crate::image::Page;
use crate::rows::rows;

/// Description of a direction.
#[derive(Debug)]
pub struct PageAxisRow {
    /// The direction.
    pub axis: PageAxis,
    /// Its name on the command line.
    pub name: &'static str,
    /// What a line of samples is.
    pub help: &'static str,
}

rows! {
    /// Direction of a line of samples.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum PageAxis {
        /// Along x.
        Row => { name: "row", help: "samples side by side" },
        /// Along y.
        Column => { name: "column", help: "samples below each other" },
    }

    /// The directions.
    pub static PAGE_AXES: [PageAxisRow { axis, .. }];

    impl by_name, Display;
}

/// Samples of a row or a column of an image.
#[derive(Clone, Debug, PartialEq)]
pub struct PageLine {
    /// The direction.
    pub axis: PageAxis,
    /// Index of the row or the column.
    pub index: u32,
    /// Place along it of the first sample.
    pub first: u32,
    /// The values, 1 is maxval. Colours are the luminance 0.3 R + 0.59 G + 0.11 B, times alpha where there is one.
    pub samples: Vec<f64>,
    /// Whether they are luminances of a colour image.
    pub is_luminance: bool,
}

impl PageLine {
    /// The row or the column of `page` through the sample nearest to `position`: up to `count` samples about that sample,
    /// as many as a line has at most. A position outside gives the edge's.
    pub fn through(page: &Page, axis: PageAxis, position: [f64; 2], count: usize) -> Self {
        let sides = page.size().sides();
        let nearest = [0, 1].map(|axis| (position[axis] + 0.5).floor().clamp(0.0, f64::from(sides[axis] - 1)) as u32);
        let along = match axis {
            PageAxis::Row => 0,
            PageAxis::Column => 1,
        };
        let (index, side) = (nearest[1 - along], sides[along]);
        let count = (count.clamp(1, Signal::MAX_SAMPLES) as u32).min(side);
        let first = nearest[along].saturating_sub(count / 2).min(side - count);
        let sample = |k: u32| match axis {
            PageAxis::Row => value(page, k, index),
            PageAxis::Column => value(page, index, k),
        };
        let samples = (first..first + count).map(sample).collect();
        Self { axis, index, first, samples, is_luminance: page.channels().has_colour() }
    }

    /// Where it is, in one line: `row 12, samples 96 to 127, luminance`.
    pub fn label(&self) -> String {
        let last = self.first as usize + self.samples.len() - 1;
        let values = if self.is_luminance { ", luminance" } else { "" };
        format!("{} {}, samples {} to {last}{values}", self.axis, self.index, self.first)
    }
}

/// The value of a pixel. A float that is no number, or beyond the range of a line, is brought into it.
fn value(page: &Page, column: u32, row: u32) -> f64 {
    let (raster, channels) = (page.raster(), page.channels());
    let one = f64::from(raster.samples().maxval());
    let number = |channel: usize| f64::from(raster.number(column, row, channel)) / one;
    let opaque = channels.opaque().count();
    let grey = if channels.has_colour() {
        LUMINANCE.iter().enumerate().map(|(channel, weight)| weight * number(channel)).sum()
    } else {
        number(0)
    };
    let value = if channels.has_alpha() { grey * number(opaque) } else { grey };
    if value.is_nan() { 0.0 } else { value.clamp(-Signal::MAX_VALUE, Signal::MAX_VALUE) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::{Channels, Raster, Samples};
    use crate::test_support::size;

    fn page(channels: Channels, values: Vec<u8>, sides: [u32; 2]) -> Page {
        let samples = Samples::U8 { values, maxval: 200 };
        Page::new(Raster::new(size(sides[0], sides[1]), channels, samples).expect("a raster"))
    }

    #[test]
    fn row_and_column_pass_through_the_nearest_sample() {
        // 40 × 30 samples of 3·column + row, at most 146.
        let values = (0..30).flat_map(|row| (0..40).map(move |column| 3 * column + row)).collect();
        let page = page(Channels::Grey, values, [40, 30]);
        let row = PageLine::through(&page, PageAxis::Row, [20.4, 7.6], 9);
        assert_eq!((row.index, row.first, row.samples.len()), (8, 16, 9));
        assert_eq!((row.samples[0], row.samples[8]), (56.0 / 200.0, 80.0 / 200.0));
        assert_eq!(row.label(), "row 8, samples 16 to 24");
        let column = PageLine::through(&page, PageAxis::Column, [20.4, 1.0], 9);
        assert_eq!((column.index, column.first), (20, 0), "at the edge");
        assert_eq!((column.samples[0], column.samples[8]), (60.0 / 200.0, 68.0 / 200.0));
        assert_eq!(column.label(), "column 20, samples 0 to 8");
        let outside = PageLine::through(&page, PageAxis::Row, [1e9, -5.0], 1000);
        assert_eq!((outside.index, outside.first, outside.samples.len()), (0, 0, 40), "the whole row");
    }

    #[test]
    fn colour_is_its_luminance_times_alpha() {
        let colours = page(Channels::Rgb, vec![200, 0, 0, 0, 200, 0, 0, 0, 200, 200, 200, 200], [4, 1]);
        let line = PageLine::through(&colours, PageAxis::Row, [0.0; 2], 4);
        for (found, expected) in line.samples.iter().zip([0.3, 0.59, 0.11, 1.0]) {
            assert!((found - expected).abs() < 1e-15, "{found}");
        }
        assert_eq!(line.label(), "row 0, samples 0 to 3, luminance");
        let alpha = page(Channels::GreyAlpha, vec![100, 200, 100, 50], [2, 1]);
        assert_eq!(PageLine::through(&alpha, PageAxis::Row, [0.0; 2], 2).samples, [0.5, 0.125]);
    }

    #[test]
    fn numbers_of_a_float_image_that_are_no_samples_become_samples() {
        let samples = Samples::F32(vec![f32::NAN, f32::INFINITY, -2.5]);
        let page = Page::new(Raster::new(size(3, 1), Channels::Grey, samples).expect("a raster"));
        let line = PageLine::through(&page, PageAxis::Row, [0.0; 2], 3);
        assert_eq!(line.samples, [0.0, 1e6, -2.5]);
    }
}
