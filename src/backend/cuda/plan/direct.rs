//! Twin: kernels/direct.cuh. Which views the `direct` kernels serve, and how many rows each warp makes.

use super::tiled::{WARPS, rows_for_all};
use super::weight_polynomials::WeightForm;
use crate::backend::cuda::driver::limits::Limits;
use crate::image::Size;
use crate::sampling::MethodKernel;
use crate::view::ImageFromOutput;

/// Output columns of a block.
const COLUMNS: u32 = 128;
/// The most rows that a warp makes.
const MAX_ROWS_A_WARP: u32 = 32;
/// Samples right of the last one, and rows below it, that a thread may read to complete a word and a prefetched row.
const BEYOND: [f64; 2] = [16.0, 5.0];
/// Up to this scale the first samples of four neighbouring columns are at most three apart, wherever rounding puts them.
const MAX_SCALE: f64 = 0.99;
/// The most taps of a view at another scale than 1: with more, the weights of four columns fill the registers and `tiled` is
/// quicker.
pub(crate) const MAX_SPREAD_TAPS: usize = 6;

/// The weights that a `direct` entry evaluates. It reads the numbers in its arguments and no device memory, so there is none for
/// [`WeightForm::Segments`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum DirectWeights {
    /// One cubic a tap.
    Cubic,
    /// Lanczos by two sines.
    Lanczos,
}

impl DirectWeights {
    /// The weights of a kernel of this form; `None` if no entry evaluates it.
    pub(crate) fn of(form: WeightForm) -> Option<Self> {
        match form {
            WeightForm::Linear | WeightForm::SymmetricCubic | WeightForm::Cubic => Some(Self::Cubic),
            WeightForm::Lanczos => Some(Self::Lanczos),
            WeightForm::Segments => None,
        }
    }
}

/// A view of a grey plane of integers without a halo.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DirectView<'a> {
    /// Image positions of the output's pixels.
    pub(crate) map: &'a ImageFromOutput,
    /// Samples that the plane holds along x and y.
    pub(crate) stored: [u32; 2],
    /// The output's size.
    pub(crate) size: Size,
}

/// A launch of a `direct` entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Direct {
    /// The weights that the entry evaluates.
    pub(crate) weights: DirectWeights,
    /// One sample a pixel: the samples of neighbouring columns and rows are neighbours, at one fraction each.
    pub(crate) unit: bool,
    /// Output rows that each warp walks down, two at once.
    pub(crate) rows_a_warp: u32,
}

impl Direct {
    /// The launch for `view` by `kernel`, whose weights have this form. `None` if there is no such entry: for weights in segments,
    /// and for views that are rotated or zoomed out or read a sample that is not stored.
    pub(crate) fn new(limits: &Limits, kernel: &MethodKernel, form: WeightForm, view: DirectView<'_>) -> Option<Self> {
        let weights = DirectWeights::of(form)?;
        let unit = Self::form(kernel, view)?;
        // The heights that measured quickest: all blocks are resident together, or in two turns.
        let quickest = match (kernel.taps, unit) {
            (1 | 2, true) => 8,
            (2, false) if view.map.steps[1][1] > 0.6 => 10,
            (6, false) if view.map.steps[1][1] > 0.25 => 16,
            (1 | 2 | 4, _) | (6, true) => 14,
            _ => MAX_ROWS_A_WARP,
        };
        let rows_a_warp = quickest.min(rows_for_all(limits, COLUMNS, view.size));
        Some(Self { weights, unit, rows_a_warp })
    }

    /// Whether `view` is at one sample a pixel; `None` if it is not served.
    fn form(kernel: &MethodKernel, view: DirectView<'_>) -> Option<bool> {
        let DirectView { map, stored, size } = view;
        let count = [size.width(), size.height()];
        let first_sample = |axis, index| kernel.first_sample(map.along(axis, f64::from(index)));
        let ends = [0, 1].map(|axis| [0, count[axis] - 1].map(|index| first_sample(axis, index)));
        let inside = [0, 1].into_iter().all(|axis| {
            let [first, last] = ends[axis];
            first >= 0.0 && last + kernel.taps as f64 + BEYOND[axis] <= f64::from(stored[axis])
        });
        let [[across, to_right], [to_below, down]] = map.steps;
        let is_aligned = to_right == 0.0 && to_below == 0.0;
        let consecutive = |axis: usize| ends[axis][1] - ends[axis][0] == f64::from(count[axis] - 1);
        let unit = [across, down] == [1.0; 2] && consecutive(0) && consecutive(1);
        let is_spread = |step: f64| 0.0 < step && step <= MAX_SCALE;
        let spread = is_spread(across) && is_spread(down) && kernel.taps <= MAX_SPREAD_TAPS;
        (is_aligned && inside && (unit || spread)).then_some(unit)
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
    use crate::test_support::size;
    use crate::view::View;

    fn form(method: Method, translation: [f64; 2], scale: f64, degrees: f64) -> Option<bool> {
        form_of(method, View::new(translation, scale).and_then(|view| view.rotated(degrees)).expect("a view"))
    }

    fn form_of(method: Method, view: View) -> Option<bool> {
        let (image, size) = (size(400, 300), size(200, 150));
        let map = view.image_from_output(size, image);
        Direct::form(&method.kernel(), DirectView { map: &map, stored: [400, 300], size })
    }

    #[test]
    fn direct_serves_unequal_scales_that_are_both_below_one() {
        let form = |scales| {
            let view = View::new([0.3, 0.2], 0.5).and_then(|view| view.scaled(scales)).expect("a view");
            form_of(Method::Linear, view)
        };
        assert_eq!(form([0.5, 0.3]), Some(false));
        assert_eq!(form([1.0, 1.0]), Some(true));
        for scales in [[1.0, 0.5], [0.5, 1.0], [1.2, 0.5], [0.5, 1.2]] {
            assert_eq!(form(scales), None, "{scales:?}");
        }
    }

    #[test]
    fn direct_serves_views_inside_the_image_alone() {
        assert_eq!(form(Method::Linear, [0.3, 0.2], 1.0, 0.0), Some(true));
        assert_eq!(form(Method::LANCZOS4, [0.3, 0.2], 1.0, 0.0), Some(true));
        assert_eq!(form(Method::LANCZOS3, [0.3, 0.2], 0.5, 0.0), Some(false));
        assert_eq!(form(Method::LANCZOS4, [0.3, 0.2], 0.5, 0.0), None, "too many weights");
        assert_eq!(form(Method::Linear, [0.3, 0.2], 0.995, 0.0), None, "columns may start four samples apart");
        assert_eq!(form(Method::Linear, [0.3, 0.2], 1.5, 0.0), None, "zoomed out");
        assert_eq!(form(Method::Linear, [0.3, 0.2], 0.5, 10.0), None, "rotated");
        assert_eq!(form(Method::Linear, [0.3, 0.2], 0.5, 180.0), None, "upside down");
        assert_eq!(form(Method::Linear, [-101.0, 0.0], 1.0, 0.0), None, "left of the image");
        assert_eq!(form(Method::Linear, [0.0, 74.0], 1.0, 0.0), None, "prefetched rows lie below the image");
    }
}
