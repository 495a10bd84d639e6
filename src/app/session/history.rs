//! History of views, for *back*.

/// How a view follows the size of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// The whole image, centred, as large as it fits.
    Fit,
    /// Snapped: pixel positions are integer multiples of the scale.
    Snapped,
    /// Translation and scale are constant: the view was typed, dragged or zoomed.
    Free,
}

/// Kind of a view change. Changes of one kind in quick succession are one history step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// A drag or a scroll.
    Pan,
    /// A zoom by wheel, pinch or key.
    Zoom,
    /// A rotation by a drag.
    Turn,
    /// A number field.
    Number,
    /// A jump: fit, 100 %, a figure. Each is a step of its own.
    Jump,
}

/// Views that were left, oldest first.
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
    /// Maximum number of steps.
    const STEPS: usize = 256;
    /// Time, in seconds, within which changes of one kind are one step.
    const PAUSE_S: f64 = 0.8;

    /// Records `what` before a change at time `now_s`.
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

    /// Removes and returns the entry recorded last.
    pub(in crate::app) fn back(&mut self) -> Option<T> {
        self.last = None;
        self.left.pop()
    }

    /// Whether there are no entries.
    pub(in crate::app) fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    /// Extends the current step to `now_s`, however long nothing changes: a button is held down.
    pub(in crate::app) fn hold(&mut self, now_s: f64) {
        if let Some((_, at)) = &mut self.last {
            *at = now_s;
        }
    }

    /// Ends the current step.
    pub(in crate::app) fn pause(&mut self) {
        self.last = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn held_step_has_no_pause() {
        let mut history = History::default();
        history.hold(0.0);
        history.leave(1.0, Change::Pan, 1.0);
        for step in 1..=30 {
            history.hold(1.0 + 0.1 * f64::from(step));
        }
        history.leave(0.8, Change::Pan, 4.5);
        assert_eq!(history.back(), Some(1.0));
        assert!(history.is_empty());
    }

    #[test]
    fn changes_of_one_kind_are_one_step_and_each_jump_is_one() {
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
