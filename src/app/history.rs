//! The views that were left, so that Backspace finds back.

use crate::view::View;

/// How a view follows the panel's size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// The whole image, centred, as large as it fits.
    Fit,
    /// Snapped: each pixel on a whole multiple of the scale.
    Snapped,
    /// As typed, dragged or zoomed: the translation and the scale stay what they are.
    Free,
}

/// What changes a view; changes of one kind in quick succession are one step back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// By a drag or a scroll.
    Pan,
    /// By a wheel, a pinch or a key that zooms.
    Zoom,
    /// By a number that is being edited.
    Number,
    /// At once: fit, 100 %, a preset.
    Jump,
}

/// The views that were left, the oldest first.
#[derive(Debug, Default)]
pub(super) struct History {
    left: Vec<(View, Framing)>,
    last: Option<(Change, f64)>,
}

impl History {
    /// Steps kept.
    const STEPS: usize = 256;
    /// Changes of one kind that follow each other within this time, in seconds, are one.
    const PAUSE_S: f64 = 0.8;

    /// Remembers `view`, about to be left at time `now_s`.
    pub(super) fn leave(&mut self, view: View, framing: Framing, change: Change, now_s: f64) {
        let goes_on =
            change != Change::Jump && self.last.is_some_and(|(kind, at)| kind == change && now_s - at < Self::PAUSE_S);
        self.last = Some((change, now_s));
        if goes_on {
            return;
        }
        if self.left.len() == Self::STEPS {
            self.left.remove(0);
        }
        self.left.push((view, framing));
    }

    /// The view left last, which is then forgotten.
    pub(super) fn back(&mut self) -> Option<(View, Framing)> {
        self.last = None;
        self.left.pop()
    }

    /// Whether there is a view to go back to.
    pub(super) fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    /// Ends a burst: whatever comes next is a step of its own.
    pub(super) fn pause(&mut self) {
        self.last = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_one_step_and_a_jump_is_always_one() {
        let at = |scale: f64| View::new([0.0; 2], scale).expect("a view");
        let mut history = History::default();
        history.leave(at(1.0), Framing::Fit, Change::Zoom, 0.0);
        history.leave(at(0.8), Framing::Free, Change::Zoom, 0.3);
        history.leave(at(0.6), Framing::Free, Change::Zoom, 2.0);
        history.leave(at(0.5), Framing::Free, Change::Jump, 2.1);
        history.leave(at(0.4), Framing::Free, Change::Jump, 2.2);
        let scales: Vec<f64> = std::iter::from_fn(|| history.back()).map(|(view, _)| view.scale()).collect();
        assert_eq!(scales, [0.4, 0.5, 0.6, 1.0]);
        assert!(history.is_empty());
    }
}
