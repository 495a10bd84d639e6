//! Link modes, and the arithmetic of linked views.

use crate::image::Size;
use crate::rows::rows;
use crate::view::{View, reduced_deg};

/// Description of a link mode.
#[derive(Debug)]
pub struct LinkRow {
    /// The link mode.
    pub link: Link,
    /// Its name in session files.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Its help, one line.
    pub help: &'static str,
}

rows! {
    /// How the views of the other panels follow a panel.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Link {
        /// All panels show the same samples at the same positions. Images of different sizes share the origin, sample
        /// (0, 0), so that a crop is aligned with its original; *fit* shows the largest image.
        #[default]
        Absolute => {
            name: "absolute",
            title: "Linked",
            help: "All panels show the same samples in the same places",
        },
        /// Each panel makes the same movement on the screen and keeps its own offset and scale.
        Relative => {
            name: "relative",
            title: "Linked, each with its offset",
            help: "All panels move alike, each keeps its own offset and magnification",
        },
        /// Panels move independently.
        Off => { name: "off", title: "Not linked", help: "Each panel moves by itself" },
    }

    /// The link modes, in menu order.
    pub static LINKS: [LinkRow { link, .. }];

    impl by_name;
}

impl Link {
    /// The next link mode, cyclically.
    #[must_use]
    pub fn next(self) -> Self {
        LINKS[(self as usize + 1) % LINKS.len()].link
    }
}

/// The view of an image of size `to` that shows each sample where `view` shows it of an image of size `from`. Both
/// images share their origin.
pub(super) fn aligned(view: View, from: Size, to: Size) -> View {
    let [x, y] = view.translation();
    let half = |from: u32, to: u32| (f64::from(from) - f64::from(to)) / 2.0;
    view.translated([x + half(from.width(), to.width()), y + half(from.height(), to.height())]).unwrap_or(view)
}

/// A movement on the screen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Motion {
    /// View before the movement.
    pub(super) from: View,
    /// View after the movement.
    pub(super) to: View,
}

impl Motion {
    /// `view` after the same movement on the screen. Let p be the position on the screen, before the movement, of the
    /// point that the moving panel's centre shows after it. Then the result's centre shows what `view` shows at p.
    /// Scales keep their ratio, axis by axis, angles their difference.
    pub(super) fn applied(self, view: View) -> View {
        let Self { from, to } = self;
        // The size of the image cancels out: it adds the same offset to both views of a panel.
        let turn = |[x, y]: [f64; 2], angle_deg: f64| {
            let (sin, cos) = angle_deg.to_radians().sin_cos();
            [x * cos - y * sin, x * sin + y * cos]
        };
        let [before, after] = [from, to].map(|view| view.translation());
        let between_deg = view.angle_deg() - from.angle_deg();
        // The way of the leading view in output pixels of a view that is not turned.
        let by = [0, 1].map(|axis| (after[axis] - before[axis]) / from.scales()[axis]);
        let by = if between_deg == 0.0 { by } else { turn(by, between_deg) };
        let translation = [0, 1].map(|axis| view.translation()[axis] + by[axis] * view.scales()[axis]);
        let scales = [0, 1].map(|axis: usize| {
            let scale = view.scales()[axis] * (to.scales()[axis] / from.scales()[axis]);
            scale.clamp(View::SCALES.0, View::SCALES.1)
        });
        let moved = view.translated(translation).and_then(|moved| moved.scaled(scales)).unwrap_or(view);
        moved.rotated(reduced_deg(view.angle_deg() + (to.angle_deg() - from.angle_deg()))).unwrap_or(moved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::size;

    fn view(translation: [f64; 2], scale: f64, angle_deg: f64) -> View {
        View::new(translation, scale).and_then(|view| view.rotated(angle_deg)).expect("a view")
    }

    fn assert_near(a: [f64; 2], b: [f64; 2]) {
        assert!((a[0] - b[0]).abs() < 1e-9 && (a[1] - b[1]).abs() < 1e-9, "{a:?} is not {b:?}");
    }

    #[test]
    fn next_link_mode_cycles() {
        assert_eq!(
            [Link::Absolute, Link::Relative, Link::Off].map(Link::next),
            [Link::Relative, Link::Off, Link::Absolute]
        );
    }

    #[test]
    fn aligned_views_show_the_same_sample_at_the_same_position() {
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
    fn applied_motion_is_the_same_movement_on_the_screen() {
        let (output, image) = (size(500, 300), size(64, 64));
        let (from, other) = (view([3.0, 4.0], 0.5, 0.0), view([-20.0, 7.0], 2.0, 30.0));
        let to = from.panned([17.0, -5.0]).zoomed_about([100.0, 40.0], 0.2, output);
        let led = Motion { from, to }.applied(other);
        assert!((led.scale() / to.scale() - other.scale() / from.scale()).abs() < 1e-12);
        // The point shown at a position was, before the movement, at the same position of both pictures.
        for pos in [[0.0, 0.0], [250.0, 150.0], [400.0, 3.0]] {
            let before = |before: View, after: View| {
                let seen = after.image_from_output(output, image).at(pos);
                before.image_from_output(output, image).inverse_at(seen)
            };
            assert_near(before(from, to), before(other, led));
        }
    }

    #[test]
    fn applied_motion_and_its_inverse_restore_the_view() {
        let (from, other) = (view([3.0, 4.0], 0.5, 0.0), view([-20.0, 7.0], 2.0, 0.0));
        let to = view([100.0, -50.0], 0.125, 45.0);
        let back = Motion { from: to, to: from }.applied(Motion { from, to }.applied(other));
        assert_near(back.translation(), other.translation());
        assert!((back.scale() - other.scale()).abs() < 1e-12 && back.angle_deg().abs() < 1e-12);
    }
}
