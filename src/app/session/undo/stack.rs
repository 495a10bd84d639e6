//! The undo stack.

use std::collections::VecDeque;

use super::snapshot::{Changed, Snapshot, changed};

/// An undo step.
#[derive(Debug)]
pub(super) struct UndoStep {
    /// The first setting that it changed.
    pub(super) changed: Changed,
    pub(super) before: Snapshot,
    pub(super) after: Snapshot,
}

/// A change in progress: everything set until it ends is one step.
#[derive(Debug)]
struct Burst {
    before: Snapshot,
    /// Whether the last step belongs to it. It has none while the session equals `before`.
    has_step: bool,
}

/// Undo steps of a session, oldest first.
#[derive(Debug, Default)]
pub(in crate::app::session) struct UndoStack {
    steps: VecDeque<UndoStep>,
    /// Number of steps in effect. The steps behind them were undone and can be redone.
    done: usize,
    /// The snapshot recorded last.
    last: Option<Snapshot>,
    burst: Option<Burst>,
}

impl UndoStack {
    /// Maximum number of steps.
    pub(super) const STEPS: usize = 256;

    /// Records the snapshot `now`. A difference to the last one starts a step, or extends the step in progress, which ends
    /// unless it `coalesce`.
    pub(super) fn note(&mut self, now: Snapshot, coalesce: bool) {
        if let Some(before) = self.last.replace(now.clone())
            && changed(&before, &now).is_some()
        {
            let burst = self.burst.take();
            if burst.as_ref().is_some_and(|burst| burst.has_step) {
                self.steps.pop_back();
                self.done = self.steps.len();
            }
            let before = burst.map_or(before, |burst| burst.before);
            let has_step = self.push(before.clone(), now);
            self.burst = Some(Burst { before, has_step });
        }
        if !coalesce {
            self.burst = None;
        }
    }

    /// Adds a step, which discards the undone ones. Returns `false` if the snapshots are equal.
    fn push(&mut self, before: Snapshot, after: Snapshot) -> bool {
        let Some(changed) = changed(&before, &after) else { return false };
        self.steps.truncate(self.done);
        if self.steps.len() == Self::STEPS {
            self.steps.pop_front();
        }
        self.steps.push_back(UndoStep { changed, before, after });
        self.done = self.steps.len();
        true
    }

    /// Number of steps in effect.
    #[cfg(test)]
    pub(super) fn done(&self) -> usize {
        self.done
    }

    /// Name of the last step in effect.
    pub(super) fn undoes(&self) -> Option<&'static str> {
        let index = self.done.checked_sub(1)?;
        self.steps.get(index).map(|step| step.changed.what)
    }

    /// Name of the first undone step.
    pub(super) fn redoes(&self) -> Option<&'static str> {
        self.steps.get(self.done).map(|step| step.changed.what)
    }

    /// Marks the last step in effect as undone and returns it.
    pub(super) fn step_back(&mut self) -> Option<&UndoStep> {
        self.done = self.done.checked_sub(1)?;
        self.steps.get(self.done)
    }

    /// Marks the first undone step as in effect and returns it.
    pub(super) fn step_forward(&mut self) -> Option<&UndoStep> {
        let step = self.steps.get(self.done)?;
        self.done += 1;
        Some(step)
    }

    /// Replaces the snapshot recorded last, after a step was undone or redone.
    pub(super) fn set_last(&mut self, now: Snapshot) {
        self.last = Some(now);
    }
}
