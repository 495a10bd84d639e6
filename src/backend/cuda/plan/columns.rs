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
/// Above this scale `tiled` is the slower one for a grey plane, as it is at one sample a pixel.
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
    /// One sample a pixel: the samples of neighbouring columns and rows are neighbours, at one fraction each.
    pub(crate) unit: bool,
    /// Output rows that each warp walks down, two at once.
    pub(crate) rows_a_warp: u32,
    /// Output columns of a block.
    columns: u32,
}

impl Columns {
    /// The launch for `view` by `kernel`. `None` if there is no such entry: for views that are rotated or zoomed out further, for floats at
    /// another scale than one sample a pixel, and for many taps but for colour at that scale.
    pub(crate) fn new(limits: &Limits, kernel: &MethodKernel, view: ColumnsView<'_>) -> Option<Self> {
        let ColumnsView { map, size, colour, floats } = view;
        let unit = Self::form(kernel, view)?;
        let columns = if colour { 64 } else { 128 };
        // The heights that measured quickest: tall warps of colour where a row of samples serves several rows of the output, or many taps take
        // many rows before the first one.
        let quickest = match (colour, floats) {
            (true, _) if map.steps[1][1] <= 0.9 || (unit && kernel.taps > 4) => MOST_ROWS_A_WARP,
            (true, true) => 24,
            (false, true) => 16,
            _ => 14,
        };
        let columns = Self { unit, rows_a_warp: quickest.min(rows_for_all(limits, columns, size)), columns };
        let is_narrow = kernel.taps <= MAX_SPREAD_TAPS;
        let exists = if unit { colour || is_narrow } else { !floats && is_narrow };
        (exists && columns.grid(size).1 <= MAX_GRID_ROWS).then_some(columns)
    }

    /// Whether `view` is at one sample a pixel; `None` if it is not served.
    fn form(kernel: &MethodKernel, view: ColumnsView<'_>) -> Option<bool> {
        let ColumnsView { map, size, .. } = view;
        let [[across, to_right], [to_below, down]] = map.steps;
        let is_aligned = to_right == 0.0 && to_below == 0.0;
        let consecutive = |axis: usize, count: u32| {
            let last = f64::from(count - 1);
            kernel.first_sample(map.along(axis, last)) - kernel.first_sample(map.along(axis, 0.0)) == last
        };
        let unit = [across, down] == [1.0; 2] && consecutive(0, size.width()) && consecutive(1, size.height());
        let is_served = |step: f64| 0.0 < step && step <= MAX_SCALE;
        (is_aligned && is_served(across) && is_served(down)).then_some(unit)
    }

    /// Whether it is quicker than `tiled`: colour always, grey where rows of samples are not used by several rows of the output.
    pub(crate) fn is_quicker_than_tiled(self, view: ColumnsView<'_>) -> bool {
        view.colour || self.unit || view.map.steps[1][1] > MIN_GREY_SCALE
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
        assert_eq!(of(false, [1.0; 2]), Some(true), "grey");
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
            assert_eq!(columns(method, [1.5; 2], 0.0, (true, floats)), None);
            assert_eq!(columns(method, [1.5; 2], 0.0, (false, floats)), None);
        }
        assert!(columns(Method::LANCZOS3, [1.0; 2], 0.0, (false, true)).is_some_and(|columns| columns.unit));
        assert_eq!(columns(Method::LANCZOS4, [1.0; 2], 0.0, (false, false)), None, "eight taps of grey");
    }

    /// All rows of a launch of the form have the weights of its first row.
    #[test]
    fn rows_that_round_to_other_samples_are_not_at_one_sample_a_pixel() {
        let (image, size) = (size(400, 300), size(200, 150));
        // Adding to the row brings the position up to a whole number, from some row on.
        let just_below = -2.0_f64.powi(-53);
        for axis in [0, 1] {
            let mut map = View::new([0.0; 2], 1.0).expect("a view").image_from_output(size, image);
            map.origin[axis] = just_below;
            map.middle_px[axis] = 0.0;
            let view = ColumnsView { map: &map, size, colour: true, floats: false };
            assert_eq!(Columns::form(&Method::Linear.kernel(), view), Some(false), "axis {axis}");
        }
    }
}
