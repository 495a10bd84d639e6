//! How panels move together, as rows; the arithmetic knows views and sizes only.

use crate::image::Size;
use crate::rows::rows;
use crate::view::View;

/// The properties of a link mode.
#[derive(Debug)]
pub struct LinkRow {
    /// The link mode.
    pub link: Link,
    /// Name in files.
    pub name: &'static str,
    /// Name in the window.
    pub title: &'static str,
    /// One-line description.
    pub help: &'static str,
}

rows! {
    /// What becomes of the other panels' views when one panel's moves.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Link {
        /// All show the same samples in the same places. Images of different sizes share sample (0, 0), not their middles, so
        /// that a crop or a frame of another size lies on its original; *fit* shows the largest of them whole.
        #[default]
        Absolute => {
            name: "absolute",
            title: "Linked",
            help: "All panels show the same samples in the same places",
        },
        /// Each makes the same movement on the screen and keeps its own offset and magnification.
        Relative => {
            name: "relative",
            title: "Linked, each with its offset",
            help: "All panels move alike, each keeps its own offset and magnification",
        },
        /// Each moves by itself.
        Off => { name: "off", title: "Not linked", help: "Each panel moves by itself" },
    }

    /// The link modes, in menu order.
    pub static LINKS: [LinkRow { link, .. }];

    impl by_name;
}

impl Link {
    /// The one after it, the first after the last.
    #[must_use]
    pub fn next(self) -> Self {
        LINKS[(self as usize + 1) % LINKS.len()].link
    }
}

/// The view of an image of size `to` that shows each sample where `view` shows it of an image of size `from`.
pub(super) fn aligned(view: View, from: Size, to: Size) -> View {
    let [x, y] = view.translation();
    let half = |from: u32, to: u32| (f64::from(from) - f64::from(to)) / 2.0;
    moved(view, [x + half(from.width(), to.width()), y + half(from.height(), to.height())], view.scale())
}

/// A movement on the screen: one picture's view before it and after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Motion {
    /// Before.
    pub(super) from: View,
    /// After.
    pub(super) to: View,
}

impl Motion {
    /// Where `view` is led by the same movement: what the first view's middle shows afterwards lay at some place of its
    /// picture before; the other view's middle shows what lay there in its own picture. Scales keep their ratio and
    /// angles their difference.
    pub(super) fn applied(self, view: View) -> View {
        let Self { from, to } = self;
        // An image without extent: its size adds the same to both views of a picture.
        let turn = |[x, y]: [f64; 2], angle_deg: f64| {
            let (sin, cos) = angle_deg.to_radians().sin_cos();
            [x * cos - y * sin, x * sin + y * cos]
        };
        let [before, after] = [from, to].map(|view| view.translation());
        let ratio = view.scale() / from.scale();
        let by = [after[0] - before[0], after[1] - before[1]];
        let between_deg = view.angle_deg() - from.angle_deg();
        let [x, y] = if between_deg == 0.0 { by } else { turn(by, between_deg) };
        let translation = [view.translation()[0] + x * ratio, view.translation()[1] + y * ratio];
        let scale = (view.scale() * (to.scale() / from.scale())).clamp(View::SCALES.0, View::SCALES.1);
        let moved = moved(view, translation, scale);
        moved.rotated(view.angle_deg() + (to.angle_deg() - from.angle_deg())).unwrap_or(moved)
    }
}

/// `view` with another translation and scale; itself where they are none.
fn moved(view: View, translation: [f64; 2], scale: f64) -> View {
    View::new(translation, scale).and_then(|moved| moved.rotated(view.angle_deg())).unwrap_or(view)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(width: u32, height: u32) -> Size {
        Size::new(width, height).expect("a size")
    }

    fn view(translation: [f64; 2], scale: f64, angle_deg: f64) -> View {
        View::new(translation, scale).and_then(|view| view.rotated(angle_deg)).expect("a view")
    }

    fn assert_near(a: [f64; 2], b: [f64; 2]) {
        assert!((a[0] - b[0]).abs() < 1e-9 && (a[1] - b[1]).abs() < 1e-9, "{a:?} is not {b:?}");
    }

    #[test]
    fn next_link_mode_after_the_last_is_the_first() {
        assert_eq!(Link::Off.next(), Link::Absolute);
    }

    #[test]
    fn aligned_views_show_the_same_sample_in_the_same_place() {
        let (output, large, small) = (size(500, 300), size(640, 481), size(33, 50));
        let first = view([12.5, -3.0], 0.3, 20.0);
        let second = aligned(first, large, small);
        for pos in [[0.0, 0.0], [499.0, 17.0]] {
            assert_near(
                first.image_from_output(output, large).at(pos),
                second.image_from_output(output, small).at(pos),
            );
        }
    }

    #[test]
    fn a_movement_is_the_same_on_every_screen() {
        let (output, image) = (size(500, 300), size(64, 64));
        let (from, other) = (view([3.0, 4.0], 0.5, 0.0), view([-20.0, 7.0], 2.0, 30.0));
        let to = from.panned([17.0, -5.0]).zoomed_about([100.0, 40.0], 0.2, output);
        let led = Motion { from, to }.applied(other);
        assert!((led.scale() / to.scale() - other.scale() / from.scale()).abs() < 1e-12);
        // What each shows at a place now lay at one and the same place of both pictures before.
        for pos in [[0.0, 0.0], [250.0, 150.0], [400.0, 3.0]] {
            let before = |before: View, after: View| {
                let seen = after.image_from_output(output, image).at(pos);
                before.image_from_output(output, image).inverse_at(seen)
            };
            assert_near(before(from, to), before(other, led));
        }
    }

    #[test]
    fn a_movement_and_back_is_none() {
        let (from, other) = (view([3.0, 4.0], 0.5, 0.0), view([-20.0, 7.0], 2.0, 0.0));
        let to = view([100.0, -50.0], 0.125, 45.0);
        let back = Motion { from: to, to: from }.applied(Motion { from, to }.applied(other));
        assert_near(back.translation(), other.translation());
        assert!((back.scale() - other.scale()).abs() < 1e-12 && back.angle_deg().abs() < 1e-12);
    }
}
