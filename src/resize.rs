//! Conventions of a resize: which positions of the image the pixels of a larger or smaller picture show.
//!
//! The whole image of N samples becomes M pixels, along each axis by itself.
//!
//! ```text
//! samples          ┊  0    1    2    3  ┊     x = −½ … N − ½
//! half-pixel       ┊0 1 2 3 4 5 6 7 8 9 ┊     the edges of the outer pixels lie on those of the outer samples
//! align-corners    ┊  0  …          9   ┊     the centres of the outer pixels lie on the outer samples
//! asymmetric       ┊  0 1 2 3 …      8 9┊     pixel 0 lies on sample 0, pixel M on sample N
//! ```

use crate::image::Size;
use crate::rows::rows;
use crate::view::{View, ViewError};

/// Description of a convention.
#[derive(Debug)]
pub struct PixelCentresRow {
    /// The convention.
    pub centres: PixelCentres,
    /// Its name on the command line.
    pub name: &'static str,
    /// What it aligns, its formula, and programs that use it.
    pub help: &'static str,
}

rows! {
    /// Where the centres of pixels lie.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum PixelCentres {
        /// Squares of pixels and of samples cover the same area.
        #[default]
        HalfPixel => {
            name: "half-pixel",
            help: "edges aligned, x = (i + 1/2)·N/M - 1/2: OpenCV, Pillow, PyTorch, SciPy's grid_mode",
        },
        /// The outer centres coincide.
        AlignCorners => {
            name: "align-corners",
            help: "centres of the corners aligned, x = i·(N - 1)/(M - 1): SciPy's zoom, PyTorch's align_corners",
        },
        /// The first centres coincide.
        Asymmetric => {
            name: "asymmetric",
            help: "first centres aligned, x = i·N/M: the scaling kernels of document 004",
        },
    }

    /// The conventions.
    pub static PIXEL_CENTRES: [PixelCentresRow { centres, .. }];

    impl by_name, Display;
}

impl PixelCentres {
    /// Samples per pixel along one axis, from `samples` to `pixels`. One pixel has the scale of the other conventions.
    pub fn scale(self, samples: u32, pixels: u32) -> f64 {
        let (n, m) = (f64::from(samples), f64::from(pixels));
        match self {
            Self::AlignCorners if pixels > 1 => (n - 1.0) / (m - 1.0),
            Self::HalfPixel | Self::AlignCorners | Self::Asymmetric => n / m,
        }
    }

    /// Position of pixel 0 at `scale`.
    pub fn first(self, scale: f64) -> f64 {
        match self {
            Self::HalfPixel => 0.5 * scale - 0.5,
            Self::AlignCorners | Self::Asymmetric => 0.0,
        }
    }

    /// Position of the last pixel of a picture at `scale`, of `samples`.
    pub fn last(self, samples: u32, scale: f64) -> f64 {
        let n = f64::from(samples);
        match self {
            Self::HalfPixel => n - 0.5 - 0.5 * scale,
            Self::AlignCorners => n - 1.0,
            Self::Asymmetric => n - scale,
        }
    }

    /// The view of the whole `image` in `output`, with a scale along each axis of its own.
    ///
    /// # Errors
    /// [`ViewError::Scale`] for a scale out of range: that of one sample under [`PixelCentres::AlignCorners`] is 0.
    /// [`ViewError::Ratio`] for two that differ too much.
    ///
    /// ```
    /// use lerpscope::image::Size;
    /// use lerpscope::resize::PixelCentres;
    /// let [image, output] = [Size::new(4, 8).unwrap(), Size::new(10, 10).unwrap()];
    /// for (centres, first) in [(PixelCentres::HalfPixel, [-0.3, -0.1]), (PixelCentres::AlignCorners, [0.0, 0.0])] {
    ///     let view = centres.resized(image, output).unwrap();
    ///     let [x, y] = view.image_from_output(output, image).at([0.0, 0.0]);
    ///     assert!((x - first[0]).abs() < 1e-12 && (y - first[1]).abs() < 1e-12);
    /// }
    /// ```
    pub fn resized(self, image: Size, output: Size) -> Result<View, ViewError> {
        let [x, y] = [0, 1].map(|axis| self.scale(image.sides()[axis], output.sides()[axis]));
        // Sizes in proportion have equal scales but for the rounding of one of them.
        let scales = if (x - y).abs() <= 1e-12 * x { [x; 2] } else { [x, y] };
        at(image, output, scales, scales.map(|scale| self.first(scale)), [0.0; 2])
    }

    /// The view at `scale` along both axes whose first pixel is the first of the resized picture: its upper left corner.
    ///
    /// # Errors
    /// [`ViewError`] for a scale out of range.
    pub fn view_of_start(self, image: Size, output: Size, scale: f64) -> Result<View, ViewError> {
        at(image, output, [scale; 2], [self.first(scale); 2], [0.0; 2])
    }

    /// The view at `scale` whose last pixel is the last of the resized picture: its lower right corner.
    ///
    /// # Errors
    /// [`ViewError`] for a scale out of range.
    pub fn view_of_end(self, image: Size, output: Size, scale: f64) -> Result<View, ViewError> {
        let last = image.sides().map(|samples| self.last(samples, scale));
        at(image, output, [scale; 2], last, output.sides().map(|side| f64::from(side) - 1.0))
    }
}

/// The view at `scales` with `position` at output position `pixel`.
fn at(image: Size, output: Size, scales: [f64; 2], position: [f64; 2], pixel: [f64; 2]) -> Result<View, ViewError> {
    let [image, output] = [image, output].map(|size| size.sides().map(f64::from));
    let along = |axis: usize| position[axis] - 0.5 * image[axis] - (pixel[axis] - 0.5 * output[axis]) * scales[axis];
    View::default().scaled(scales)?.translated([along(0), along(1)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::size;

    #[test]
    fn outer_pixels_of_each_convention_lie_where_it_says() {
        for (samples, pixels) in [(4, 10), (10, 4), (512, 1024), (7, 7), (3, 200)] {
            let (image, output) = (size(samples, samples), size(pixels, pixels));
            let n = f64::from(samples);
            for row in &PIXEL_CENTRES {
                let scale = row.centres.scale(samples, pixels);
                let view = row.centres.resized(image, output).expect("a view");
                let map = view.image_from_output(output, image);
                let outer = f64::from(pixels - 1);
                let [first, last] = [0.0, outer].map(|i| map.at([i, i])[0]);
                let expected = match row.centres {
                    PixelCentres::HalfPixel => [-0.5 + 0.5 * scale, n - 0.5 - 0.5 * scale],
                    PixelCentres::AlignCorners => [0.0, n - 1.0],
                    PixelCentres::Asymmetric => [0.0, n - scale],
                };
                for (found, expected) in [first, last].iter().zip(expected) {
                    assert!((found - expected).abs() < 1e-9, "{}: {found}, {expected}", row.name);
                }
                assert!((row.centres.last(samples, scale) - expected[1]).abs() < 1e-9, "{}", row.name);
            }
        }
    }

    #[test]
    fn resize_out_of_proportion_has_the_scale_of_each_axis() {
        let (image, output) = (size(12, 30), size(48, 20));
        for row in &PIXEL_CENTRES {
            let map = row.centres.resized(image, output).expect("a view").image_from_output(output, image);
            let [first, last] = [map.at([0.0, 0.0]), map.at([47.0, 19.0])];
            for (axis, (samples, pixels)) in [(12, 48), (30, 20)].into_iter().enumerate() {
                let scale = row.centres.scale(samples, pixels);
                assert!((first[axis] - row.centres.first(scale)).abs() < 1e-9, "{}: {first:?}", row.name);
                assert!((last[axis] - row.centres.last(samples, scale)).abs() < 1e-9, "{}: {last:?}", row.name);
            }
        }
    }

    #[test]
    fn view_of_the_end_has_the_last_pixel_in_its_corner() {
        let (image, output) = (size(40, 30), size(300, 200));
        for row in &PIXEL_CENTRES {
            let view = row.centres.view_of_end(image, output, 0.125).expect("a view");
            let [x, y] = view.image_from_output(output, image).at([299.0, 199.0]);
            let expected = [row.centres.last(40, 0.125), row.centres.last(30, 0.125)];
            assert!((x - expected[0]).abs() < 1e-9 && (y - expected[1]).abs() < 1e-9, "{}", row.name);
        }
    }

    #[test]
    fn half_pixel_resize_in_proportion_is_the_fitted_view() {
        for (image, output) in [(size(64, 48), size(128, 96)), (size(640, 480), size(64, 48))] {
            assert_eq!(PixelCentres::HalfPixel.resized(image, output), Ok(View::fit(output, image)));
        }
    }

    #[test]
    fn one_sample_between_aligned_corners_has_no_view() {
        assert_eq!(PixelCentres::AlignCorners.resized(size(1, 1), size(8, 8)), Err(ViewError::Scale(0.0)));
    }
}
