//! What stays in place when a panel changes to an image of another size.

use super::link::aligned;
use crate::image::Size;
use crate::rows::rows;
use crate::view::View;

/// Description of a kept place.
#[derive(Debug)]
pub struct KeptPlaceRow {
    /// The kept place.
    pub kept_place: KeptPlace,
    /// Its name in session files.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Its help, one line.
    pub help: &'static str,
}

rows! {
    /// What a view keeps when its panel changes to an image of another size. A fitted view stays fitted.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum KeptPlace {
        /// The sample in the middle of the picture and the scale.
        #[default]
        Samples => {
            name: "samples",
            title: "Keep the sample",
            help: "An image of another size shows the same sample in the middle, at the same scale",
        },
        /// The position in the middle as a share of width and height, and the visible share of the image.
        Share => {
            name: "share",
            title: "Keep the share of the image",
            help: "An image of another size shows the same part, as the same picture at another resolution",
        },
    }

    /// The kept places, in menu order.
    pub static KEPT_PLACES: [KeptPlaceRow { kept_place, .. }];

    impl by_name;
}

impl KeptPlace {
    /// The view of an image of size `to` that keeps the place of `view` of an image of size `from`, in a picture whose
    /// fitted views fill `fit_area`. A middle outside of the new image moves to its edge.
    pub(super) fn view(self, view: View, [from, to]: [Size; 2], fit_area: Size) -> View {
        let middle = |axis: usize| sides(from)[axis] / 2.0 + view.translation()[axis];
        let share = |axis: usize| (middle(axis) + 0.5) / sides(from)[axis];
        let scale = match self {
            Self::Samples => view.scale(),
            Self::Share => view.scale() * View::fit(fit_area, to).scale() / View::fit(fit_area, from).scale(),
        };
        let is_inside = |at: f64, axis: usize| (-0.5..=sides(to)[axis] - 0.5).contains(&at);
        // The exact value, which linked panels have as well.
        if self == Self::Samples && (0..2).all(|axis| is_inside(middle(axis), axis)) {
            return aligned(view, from, to);
        }
        let translation = [0, 1].map(|axis| {
            let at = match self {
                Self::Samples => middle(axis),
                Self::Share => share(axis) * sides(to)[axis] - 0.5,
            };
            at.clamp(-0.5, sides(to)[axis] - 0.5) - sides(to)[axis] / 2.0
        });
        view.centred_at(scale).translated(translation).unwrap_or(view)
    }
}

fn sides(size: Size) -> [f64; 2] {
    [f64::from(size.width()), f64::from(size.height())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::size;

    /// The middle of a 500 × 300 picture of an image of this size.
    fn middle(view: View, image: Size) -> [f64; 2] {
        view.image_from_output(size(500, 300), image).at([250.0, 150.0])
    }

    #[test]
    fn kept_sample_stays_in_the_middle_at_the_same_scale() {
        let output = size(500, 300);
        let (large, small) = (size(640, 480), size(320, 200));
        let view = View::new([-200.0, -180.0], 0.25).and_then(|view| view.rotated(30.0)).expect("a view");
        assert_eq!(middle(view, large), [120.0, 60.0]);
        let kept = KeptPlace::Samples.view(view, [large, small], output);
        assert_eq!((middle(kept, small), kept.scale(), kept.angle_deg()), ([120.0, 60.0], 0.25, view.angle_deg()));
        // A middle outside of the smaller image moves to its edge.
        let far = View::new([100.0, 0.0], 0.25).expect("a view");
        let kept = KeptPlace::Samples.view(far, [large, small], output);
        assert_eq!((middle(kept, small), kept.scale()), ([319.5, 199.5], 0.25));
    }

    #[test]
    fn kept_share_shows_the_same_part_of_an_image_of_twice_the_samples() {
        let output = size(500, 300);
        let (one, two) = (size(320, 200), size(640, 400));
        let view = View::new([40.0, -30.0], 0.125).expect("a view");
        let kept = KeptPlace::Share.view(view, [one, two], output);
        assert_eq!(kept.scale(), 0.25);
        let shares = |view: View, image: Size| {
            let at = middle(view, image);
            [0, 1].map(|axis| (at[axis] + 0.5) / sides(image)[axis])
        };
        let (before, after) = (shares(view, one), shares(kept, two));
        assert!((0..2).all(|axis| (before[axis] - after[axis]).abs() < 1e-12), "{before:?} {after:?}");
    }
}
