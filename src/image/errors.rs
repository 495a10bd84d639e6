//! Errors of the constructors in this module.

use thiserror::Error;

use super::{Channels, Size};

/// A width or height outside the limits of [`Size`].
#[derive(Clone, Copy, PartialEq, Eq, Error)]
#[error("a size of {width}×{height} is impossible: width and height are each from 1 to {max}", max = Size::MAX_SIDE)]
pub struct SizeError {
    /// Requested columns.
    pub width: u32,
    /// Requested rows.
    pub height: u32,
}

/// Samples that do not form a [`Raster`](super::Raster).
#[derive(Clone, Copy, PartialEq, Eq, Error)]
pub enum RasterError {
    /// The sample count is not width × height × channels.
    #[error("a raster of {size} pixels with {channels} channels has {expected} samples, not {len}", channels = .channels.count())]
    Len {
        /// Size of the raster.
        size: Size,
        /// Channels of a pixel.
        channels: Channels,
        /// Width × height × channels.
        expected: usize,
        /// Number of samples given.
        len: usize,
    },
    /// The maxval is 0: no sample has a value.
    #[error("the maxval of a raster is 0; it is at least 1")]
    Maxval,
}

/// An [`Image`](super::Image) without pages.
#[derive(Clone, PartialEq, Eq, Error)]
#[error("{name}: an image has at least one page")]
pub struct NoPagesError {
    /// Name of the image.
    pub name: String,
}

#[cfg(test)]
mod tests {
    use super::super::{Image, Page, Raster, Samples};
    use super::*;
    use crate::test_support::size;

    #[test]
    fn size_with_an_invalid_side_is_refused_with_both_sides_and_the_limit() {
        let max = Size::MAX_SIDE;
        assert!(Size::new(1, max).is_ok() && Size::new(max, 1).is_ok());
        for (width, height) in [(0, 1), (1, 0), (0, 0), (max + 1, 1), (1, max + 1), (u32::MAX, u32::MAX)] {
            let error = Size::new(width, height).expect_err("a side is out of range");
            assert_eq!(error, SizeError { width, height });
            let sentence =
                format!("a size of {width}×{height} is impossible: width and height are each from 1 to {max}");
            assert_eq!(error.to_string(), sentence);
        }
    }

    #[test]
    fn raster_with_a_wrong_sample_count_is_refused_with_both_counts() {
        let size = size(3, 2);
        for len in [0, 17, 19] {
            let error = Raster::new(size, Channels::Rgb, Samples::F32(vec![0.0; len])).expect_err("a wrong count");
            assert_eq!(error.to_string(), format!("a raster of 3×2 pixels with 3 channels has 18 samples, not {len}"));
        }
        assert!(Raster::new(size, Channels::Rgb, Samples::F32(vec![0.0; 18])).is_ok());
    }

    #[test]
    fn raster_with_maxval_zero_is_refused() {
        let size = size(1, 1);
        let samples = [Samples::U8 { values: vec![0], maxval: 0 }, Samples::U16 { values: vec![0], maxval: 0 }];
        for samples in samples {
            assert_eq!(Raster::new(size, Channels::Grey, samples), Err(RasterError::Maxval));
        }
    }

    #[test]
    fn image_without_pages_is_refused_by_name() {
        let error = Image::new("empty.pgm", Vec::<Page>::new()).expect_err("no page");
        assert_eq!(error.to_string(), "empty.pgm: an image has at least one page");
    }
}
