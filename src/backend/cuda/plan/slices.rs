//! Which kernel interpolates an oblique plane: a pure function of the method.

use super::weights;
use crate::grid::{cubic_taps, reads_as_pictures};
use crate::sampling::Method;

/// The numbers of taps that kernels/slices.cu is compiled for beside those of cubics.
pub(crate) const CURVE_TAPS: [usize; 3] = [4, 6, 8];

/// How the weights of a position in a volume are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SliceWeights {
    /// One cubic for each of 1 to 4 taps.
    Cubics(usize),
    /// As in pictures, for one of [`CURVE_TAPS`].
    Curves(usize),
    /// Any, in double precision by a warp a pixel.
    Any,
}

impl SliceWeights {
    /// Those of `method`.
    pub(crate) fn of(method: Method) -> Self {
        let kernel = method.kernel();
        if let Some(taps) = cubic_taps(&kernel) {
            return Self::Cubics(taps);
        }
        let has_curves =
            CURVE_TAPS.contains(&kernel.taps) && reads_as_pictures(&kernel) && weights::polynomials(method).is_some();
        if has_curves { Self::Curves(kernel.taps) } else { Self::Any }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_follow_from_the_method() {
        for (text, weights) in [
            ("nearest", SliceWeights::Cubics(1)),
            ("linear", SliceWeights::Cubics(2)),
            ("hermite", SliceWeights::Cubics(2)),
            ("bspline=2", SliceWeights::Cubics(3)),
            ("bspline", SliceWeights::Cubics(4)),
            ("o-moms", SliceWeights::Cubics(4)),
            ("lanczos2", SliceWeights::Curves(4)),
            ("lanczos3", SliceWeights::Curves(6)),
            ("lanczos4", SliceWeights::Curves(8)),
            ("bspline=5", SliceWeights::Curves(6)),
            // Five samples around the nearest one.
            ("bspline=4", SliceWeights::Any),
            ("lanczos=8", SliceWeights::Any),
            ("gaussian=8", SliceWeights::Any),
        ] {
            assert_eq!(SliceWeights::of(text.parse().expect("a method")), weights, "{text}");
        }
    }
}
