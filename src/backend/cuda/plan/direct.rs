//! Twin: kernels/direct.cuh. Which views the `direct` kernels serve, and how many rows each warp makes.

use super::tiled::{WARPS, rows_for_all};
use crate::backend::cuda::driver::limits::Limits;
use crate::image::Size;
use crate::sampling::MethodKernel;
use crate::view::ImageFromOutput;

/// Output columns of a block.
const COLUMNS: u32 = 128;
/// The most rows that a warp makes.
const MOST_ROWS_A_WARP: u32 = 32;
/// Samples beyond the last one's right, and rows below it, that a thread may read for whole words and rows to come.
const BEYOND: [f64; 2] = [16.0, 5.0];
/// Up to this scale four neighbouring columns start at most three samples apart, wherever rounding puts them.
const MOST_SCALE: f64 = 0.99;
/// The most samples of a method whose columns start anywhere: for more, the weights of four columns fill the registers and
/// `tiled` is quicker.
pub(crate) const MOST_SPREAD_TAPS: usize = 6;

/// How a view is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Direct {
    /// One sample a pixel: columns follow each other sample by sample.
    pub(crate) unit: bool,
    /// Output rows that each warp walks down, two at once.
    pub(crate) rows_a_warp: u32,
}

impl Direct {
    /// For an output of `size` whose pixels lie at `map` in a grey plane of `stored` integers without a halo; `None` where
    /// the kernels do not serve it: where it is rotated or zoomed out, or needs a sample that is not stored.
    pub(crate) fn new(
        limits: &Limits,
        kernel: &MethodKernel,
        map: &ImageFromOutput,
        stored: [u32; 2],
        size: Size,
    ) -> Option<Self> {
        let unit = Self::form(kernel, map, stored, size)?;
        // The heights that measured quickest on an H200: many short warps where there is little to prepare, few tall ones
        // where rows of samples are used by many rows of the output.
        let quickest = match (kernel.taps, unit) {
            (1, false) => 4,
            (1 | 2, true) => 8,
            (4, true) => 12,
            (6, true) => 14,
            (2, false) if map.scale > 0.6 => 10,
            (4, false) if map.scale > 0.6 => 14,
            _ => MOST_ROWS_A_WARP,
        };
        let rows_a_warp = quickest.min(rows_for_all(limits, COLUMNS, size));
        Some(Self { unit, rows_a_warp })
    }

    /// Whether the view is at one sample a pixel, where it is served.
    pub(crate) fn form(kernel: &MethodKernel, map: &ImageFromOutput, stored: [u32; 2], size: Size) -> Option<bool> {
        let count = [size.width(), size.height()];
        let ends =
            [0, 1].map(|axis| [0, count[axis] - 1].map(|index| kernel.first_sample(map.along(axis, f64::from(index)))));
        let inside = [0, 1].into_iter().all(|axis| {
            let [first, last] = ends[axis];
            first >= 0.0 && last + kernel.taps as f64 + BEYOND[axis] <= f64::from(stored[axis])
        });
        let unit = map.scale == 1.0 && ends[0][1] - ends[0][0] == f64::from(count[0] - 1);
        let spread = map.scale <= MOST_SCALE && kernel.taps <= MOST_SPREAD_TAPS;
        (map.sin == 0.0 && inside && (unit || spread)).then_some(unit)
    }

    /// Blocks for an output of `size`.
    pub(crate) fn grid(self, size: Size) -> (u32, u32, u32) {
        (size.width().div_ceil(COLUMNS), size.height().div_ceil(WARPS * self.rows_a_warp), 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::Method;
    use crate::view::View;

    fn form(method: Method, translation: [f64; 2], scale: f64, degrees: f64) -> Option<bool> {
        let view = View::new(translation, scale).and_then(|view| view.rotated(degrees)).expect("a view");
        let (image, output) = (Size::new(400, 300).expect("a size"), Size::new(200, 150).expect("a size"));
        Direct::form(&method.kernel(), &view.image_from_output(output, image), [400, 300], output)
    }

    #[test]
    fn views_inside_the_image_are_served_and_others_are_not() {
        assert_eq!(form(Method::Linear, [0.3, 0.2], 1.0, 0.0), Some(true));
        assert_eq!(form(Method::LANCZOS4, [0.3, 0.2], 1.0, 0.0), Some(true));
        assert_eq!(form(Method::LANCZOS3, [0.3, 0.2], 0.5, 0.0), Some(false));
        assert_eq!(form(Method::LANCZOS4, [0.3, 0.2], 0.5, 0.0), None, "too many weights");
        assert_eq!(form(Method::Linear, [0.3, 0.2], 0.995, 0.0), None, "columns may start four samples apart");
        assert_eq!(form(Method::Linear, [0.3, 0.2], 1.5, 0.0), None, "zoomed out");
        assert_eq!(form(Method::Linear, [0.3, 0.2], 0.5, 10.0), None, "rotated");
        assert_eq!(form(Method::Linear, [-101.0, 0.0], 1.0, 0.0), None, "left of the image");
        assert_eq!(form(Method::Linear, [0.0, 74.0], 1.0, 0.0), None, "rows to come lie below the image");
    }
}
