//! Which pixels of a view are compared with the truth.

use rayon::prelude::*;

use crate::backend::RenderRequest;
use crate::image::Size;

/// Tolerance of a position at the outermost samples, in samples: positions are rounded.
const ROUNDING: f64 = 1e-9;

/// The pixels of an output that count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    size: Size,
    is_counted: Vec<bool>,
    count: usize,
}

impl Counted {
    /// Every pixel.
    pub fn all(size: Size) -> Self {
        Self { size, is_counted: vec![true; size.area()], count: size.area() }
    }

    /// The pixels whose position (x, y) lies between the samples of an image of size `image`: 0 ≤ x ≤ W − 1 and
    /// 0 ≤ y ≤ H − 1. Values beyond the outermost samples are those of the address mode, not of the method.
    pub fn between_samples(request: &RenderRequest, image: Size) -> Self {
        let map = request.view.image_from_output(request.size, image);
        let last = image.sides().map(|side| f64::from(side - 1));
        let width = request.size.width() as usize;
        let is_between = |index: usize| {
            let position = map.at([(index % width) as f64, (index / width) as f64]);
            position.iter().zip(last).all(|(x, last)| (-ROUNDING..=last + ROUNDING).contains(x))
        };
        let is_counted: Vec<bool> = (0..request.size.area()).into_par_iter().map(is_between).collect();
        let count = is_counted.iter().filter(|is_counted| **is_counted).count();
        Self { size: request.size, is_counted, count }
    }

    /// The pixels of a square of `size` whose distance from its centre is at most `radius` pixels.
    pub fn disc(size: Size, radius: f64) -> Self {
        let [x, y] = size.sides().map(|side| f64::from(side - 1) / 2.0);
        let width = size.width() as usize;
        let is_within = |index: usize| ((index % width) as f64 - x).hypot((index / width) as f64 - y) <= radius;
        let is_counted: Vec<bool> = (0..size.area()).map(is_within).collect();
        let count = is_counted.iter().filter(|is_counted| **is_counted).count();
        Self { size, is_counted, count }
    }

    /// Width and height of the output.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Number of pixels that count.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Whether the pixels of row `row` count.
    ///
    /// # Panics
    /// For a row outside the output.
    pub fn row(&self, row: usize) -> &[bool] {
        let width = self.size.width() as usize;
        &self.is_counted[row * width..][..width]
    }
}
