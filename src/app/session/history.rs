//! The views that were left, so that Backspace finds back.

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

/// What was left (views, with what follows from them), the oldest first.
#[derive(Debug)]
pub(in crate::app) struct History<T> {
    left: Vec<T>,
    last: Option<(Change, f64)>,
}

impl<T> Default for History<T> {
    fn default() -> Self {
        Self { left: Vec::new(), last: None }
    }
}

impl<T> History<T> {
    /// Steps kept.
    const STEPS: usize = 256;
    /// Changes of one kind that follow each other within this time, in seconds, are one.
    const PAUSE_S: f64 = 0.8;

    /// Remembers `what` is about to be left at time `now_s`.
    pub(in crate::app) fn leave(&mut self, what: T, change: Change, now_s: f64) {
        let coalesce =
            change != Change::Jump && self.last.is_some_and(|(kind, at)| kind == change && now_s - at < Self::PAUSE_S);
        self.last = Some((change, now_s));
        if coalesce {
            return;
        }
        if self.left.len() == Self::STEPS {
            self.left.remove(0);
        }
        self.left.push(what);
    }

    /// What was left last, which is then forgotten.
    pub(in crate::app) fn back(&mut self) -> Option<T> {
        self.last = None;
        self.left.pop()
    }

    /// Whether there is nothing to go back to.
    pub(in crate::app) fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    /// Ends a burst: whatever comes next is a step of its own.
    pub(in crate::app) fn pause(&mut self) {
        self.last = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_one_step_and_a_jump_is_always_one() {
        let mut history = History::default();
        history.leave(1.0, Change::Zoom, 0.0);
        history.leave(0.8, Change::Zoom, 0.3);
        history.leave(0.6, Change::Zoom, 2.0);
        history.leave(0.5, Change::Jump, 2.1);
        history.leave(0.4, Change::Jump, 2.2);
        let scales: Vec<f64> = std::iter::from_fn(|| history.back()).collect();
        assert_eq!(scales, [0.4, 0.5, 0.6, 1.0]);
        assert!(history.is_empty());
    }
}
