//! Twin: kernels/columns.cuh. Which views the `columns` kernels serve, and how many rows each warp makes.

use super::MAX_GRID_ROWS;
use super::direct::MAX_SPREAD_TAPS;
use super::tiled::{WARPS, rows_for_all};
use crate::backend::cuda::driver::limits::Limits;
use crate::image::Size;
use crate::sampling::MethodKernel;
use crate::view::ImageFromOutput;

/// Up to this scale the first sample of a thread's column c is at most 2c after that of its first column, wherever rounding
/// puts them.
const MAX_SCALE: f64 = 1.99;
/// The most rows that a warp makes.
const MOST_ROWS_A_WARP: u32 = 32;
/// Above this scale `tiled` is the slower one for a grey plane.
const MIN_GREY_SCALE: f64 = 1.0;

/// A view of any plane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColumnsView<'a> {
    /// Image positions of the output's pixels.
    pub(crate) map: &'a ImageFromOutput,
    /// The output's size.
    pub(crate) size: Size,
    /// Whether a pixel of the plane has four channels.
    pub(crate) colour: bool,
    /// Whether the plane holds single-precision numbers.
    pub(crate) floats: bool,
}

/// A launch of a `columns` entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Columns {
    /// Colour at one sample a pixel: the samples of neighbouring columns are neighbours.
    pub(crate) unit: bool,
    /// Output rows that each warp walks down, two at once.
    pub(crate) rows_a_warp: u32,
    /// Output columns of a block.
    columns: u32,
}

impl Columns {
    /// The launch for `view` by `kernel`. `None` if there is no such entry: for views that are rotated or zoomed out further, and
    /// for floats and many taps but for colour at one sample a pixel.
    pub(crate) fn new(limits: &Limits, kernel: &MethodKernel, view: ColumnsView<'_>) -> Option<Self> {
        let ColumnsView { map, size, colour, floats } = view;
        let unit = Self::form(kernel, view)?;
        let columns = if colour { 64 } else { 128 };
        // The heights that measured quickest on an H200: tall warps, but where a row of colour serves one row of the output.
        let quickest = if colour && map.steps[1][1] > 0.9 { 24 } else { MOST_ROWS_A_WARP };
        let columns = Self { unit, rows_a_warp: quickest.min(rows_for_all(limits, columns, size)), columns };
        let exists = unit || (!floats && kernel.taps <= MAX_SPREAD_TAPS);
        (exists && columns.grid(size).1 <= MAX_GRID_ROWS).then_some(columns)
    }

    /// Whether `view` is one of colour at one sample a pixel; `None` if it is not served.
    fn form(kernel: &MethodKernel, view: ColumnsView<'_>) -> Option<bool> {
        let ColumnsView { map, size, colour, .. } = view;
        let [[across, to_right], [to_below, down]] = map.steps;
        let is_aligned = to_right == 0.0 && to_below == 0.0;
        let last = size.width() - 1;
        let first_sample = |index| kernel.first_sample(map.along(0, f64::from(index)));
        let unit = colour && [across, down] == [1.0; 2] && first_sample(last) - first_sample(0) == f64::from(last);
        let is_served = |step: f64| 0.0 < step && step <= MAX_SCALE;
        (is_aligned && is_served(across) && is_served(down)).then_some(unit)
    }

    /// Whether it is quicker than `tiled`: colour always, grey where rows of samples are not used by several rows of the output.
    pub(crate) fn is_quicker_than_tiled(self, view: ColumnsView<'_>) -> bool {
        view.colour || view.map.steps[1][1] > MIN_GREY_SCALE
    }

    /// Blocks for an output of `size`.
    pub(crate) fn grid(self, size: Size) -> (u32, u32, u32) {
        (size.width().div_ceil(self.columns), size.height().div_ceil(WARPS * self.rows_a_warp), 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::Method;
    use crate::test_support::size;
    use crate::view::View;

    fn columns(method: Method, scales: [f64; 2], degrees: f64, (colour, floats): (bool, bool)) -> Option<Columns> {
        let view = View::new([0.3, 0.2], 1.0).and_then(|view| view.scaled(scales)?.rotated(degrees)).expect("a view");
        let (image, size) = (size(400, 300), size(200, 150));
        let map = view.image_from_output(size, image);
        Columns::new(&Limits::H200, &method.kernel(), ColumnsView { map: &map, size, colour, floats })
    }

    #[test]
    fn columns_serve_integers_up_to_two_samples_a_pixel() {
        let of = |colour, scales| columns(Method::Linear, scales, 0.0, (colour, false)).map(|columns| columns.unit);
        let unit = |scales| of(true, scales);
        assert_eq!(unit([1.0; 2]), Some(true));
        assert_eq!(of(false, [1.0; 2]), Some(false), "grey has one form");
        for scales in [[0.1, 0.1], [0.995, 0.995], [1.9, 0.4], [1.0, 0.5], [1.99, 1.99]] {
            assert_eq!(unit(scales), Some(false), "{scales:?}");
        }
        for scales in [[2.0, 2.0], [0.5, 2.5]] {
            assert_eq!(unit(scales), None, "{scales:?}");
        }
        assert_eq!(columns(Method::Linear, [1.0; 2], 10.0, (true, false)), None, "rotated");
        assert_eq!(columns(Method::Linear, [1.0; 2], 180.0, (true, false)), None, "upside down");
    }

    #[test]
    fn columns_serve_floats_and_eight_taps_of_colour_at_one_sample_a_pixel_alone() {
        for (method, floats) in [(Method::Linear, true), (Method::LANCZOS4, false)] {
            assert!(columns(method, [1.0; 2], 0.0, (true, floats)).is_some_and(|columns| columns.unit));
            assert_eq!(columns(method, [1.0; 2], 0.0, (false, floats)), None);
            assert_eq!(columns(method, [1.5; 2], 0.0, (true, floats)), None);
        }
    }
}
