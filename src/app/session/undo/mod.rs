//! Undo and redo of settings.
//!
//! An undo step holds a snapshot of the session before and after a change, so changes need no inverse and an undone
//! session equals the earlier one bit for bit.
//!
//! Views and the images that panels show are not settings: views have a [`History`](super::history::History) of their
//! own. A step restores views only where the step itself changed them, for example by closing a panel or linking all
//! panels; elsewhere they keep their current values.

mod snapshot;
mod stack;
#[cfg(test)]
mod tests;

use std::fmt;

use self::snapshot::{Changed, Snapshot};
pub(super) use self::stack::UndoStack;
use super::Session;
use super::compare::Comparison;
use super::panels::{Panel, PanelId};
use super::preferences::Preferences;

/// A step that was undone or redone. As text it is what changed and where: `method of 2 Linear`, `display of all panels`,
/// `link`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevertedStep {
    /// Name of the setting that changed.
    pub what: &'static str,
    /// The panel with its number and name, or how many panels; `None` for a setting of the session.
    place: Option<String>,
}

impl fmt::Display for RevertedStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{} of {place}", self.what),
            None => f.write_str(self.what),
        }
    }
}

impl Session {
    /// Records the changes since the last call as one undo step. While `coalesce` (a button is held down, a key repeats)
    /// later changes extend that step, and the current step of the view history.
    pub fn note_edits(&mut self, preferences: &Preferences, coalesce: bool) {
        self.note_address();
        if coalesce {
            self.history.hold(self.now_s);
        }
        let now = self.snapshot(preferences);
        self.undo_stack.note(now, coalesce);
    }

    /// Name of the step that [`Session::undo`] reverts.
    pub fn undoes(&self) -> Option<&'static str> {
        self.undo_stack.undoes()
    }

    /// Name of the step that [`Session::redo`] repeats.
    pub fn redoes(&self) -> Option<&'static str> {
        self.undo_stack.redoes()
    }

    /// Reverts the last step. Returns what it had changed, or `None` if there is no step.
    pub fn undo(&mut self, preferences: &mut Preferences) -> Option<RevertedStep> {
        self.note_edits(preferences, false);
        let step = self.undo_stack.step_back()?;
        let changed = step.changed.clone();
        let (to, from) = (step.before.clone(), step.after.clone());
        // Named as it was until now: the message says what is undone, not what is there now.
        let reverted = self.reverted(&changed);
        self.restore(to, &from, preferences);
        Some(reverted)
    }

    /// Repeats the step that was undone last. Returns what it changed, or `None` if there is no step.
    pub fn redo(&mut self, preferences: &mut Preferences) -> Option<RevertedStep> {
        self.note_edits(preferences, false);
        let step = self.undo_stack.step_forward()?;
        let changed = step.changed.clone();
        let (to, from) = (step.after.clone(), step.before.clone());
        self.restore(to, &from, preferences);
        Some(self.reverted(&changed))
    }

    /// What was changed, with the names that its panels have now.
    fn reverted(&self, changed: &Changed) -> RevertedStep {
        let panels: Vec<usize> = changed.panels.iter().filter_map(|id| self.index_of(*id)).collect();
        let place = match panels.as_slice() {
            [] => None,
            [only] => Some(self.panel_name(*only).numbered()),
            some if some.len() == self.panels.len() => Some("all panels".to_owned()),
            some => Some(format!("{} panels", some.len())),
        };
        RevertedStep { what: changed.what, place }
    }

    fn snapshot(&self, preferences: &Preferences) -> Snapshot {
        Snapshot {
            panels: self.panels.clone(),
            sizes: self.sizes(),
            output: self.output,
            focused: self.focused,
            maximized: self.maximized,
            layout: self.layout,
            link: self.link,
            kept_place: self.kept_place,
            comparison: self.comparison.clone(),
            inspect: self.inspect.state.clone(),
            address_touched: self.address_touched,
            unit: preferences.unit,
        }
    }

    /// Restores the snapshot `to`, one end of a step; `from` is the other end.
    fn restore(&mut self, to: Snapshot, from: &Snapshot, preferences: &mut Preferences) {
        self.finish_animation();
        let restored = self.restored_panels(&to, from);
        let was_compared = (self.compare(), self.pair());
        let (flipped, flips_at_s) = (self.comparison.flipped, self.comparison.flips_at_s);
        let has_same_panels = to.panels.len() == self.panels.len();
        (self.panels, self.focused, self.maximized) = (restored.panels, to.focused, to.maximized);
        (self.layout, self.link, self.kept_place) = (to.layout, to.link, to.kept_place);
        self.comparison = Comparison { flipped, flips_at_s, ..to.comparison };
        self.inspect.state = to.inspect;
        self.address_touched = to.address_touched;
        preferences.unit = to.unit;
        if !has_same_panels || was_compared != (self.compare(), self.pair()) {
            self.stop_flicker();
        }
        if let Some(moved) = restored.moved {
            // Restored panels join the panels that were moved in the meantime.
            self.lead(moved, self.view_of(moved));
        }
        if self.output != to.output || self.sizes() != to.sizes {
            self.reframe();
        }
        self.undo_stack.set_last(self.snapshot(preferences));
    }

    /// The panels of the snapshot `to`. Views and images that the step did not change keep their current values.
    fn restored_panels(&self, to: &Snapshot, from: &Snapshot) -> RestoredPanels {
        let find = |panels: &[Panel], id: PanelId| panels.iter().find(|panel| panel.id == id).cloned();
        let look = |panel: &Panel| (panel.view, panel.framing);
        let shows = |panel: &Panel| (panel.image, panel.page);
        let (mut panels, mut moved) = (to.panels.clone(), None);
        for (index, panel) in panels.iter_mut().enumerate() {
            if let (Some(was), Some(is)) = (find(&from.panels, panel.id), find(&self.panels, panel.id)) {
                if look(&was) == look(panel) {
                    if look(&is) != look(panel) && (moved.is_none() || index == to.focused) {
                        moved = Some(index);
                    }
                    (panel.view, panel.framing) = look(&is);
                }
                if shows(&was) == shows(panel) {
                    (panel.image, panel.page) = shows(&is);
                }
            }
            if self.images.place(panel.image).is_none() {
                // The image was closed after the step.
                (panel.image, panel.page) = (self.shown_id(), self.page_index());
            }
            panel.page = panel.page.min(self.images.of(panel.image).pages().len() - 1);
        }
        RestoredPanels { panels, moved }
    }
}

/// Panels of a restored snapshot.
struct RestoredPanels {
    panels: Vec<Panel>,
    /// Index of a panel that was moved after the snapshot; linked panels follow it.
    moved: Option<usize>,
}
