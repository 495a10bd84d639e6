//! The way to a view: for a moment after a key or a double click, pictures show places between where they looked and where
//! they look now. Panels have their new views at once; what is on the way is only seen.

use super::Session;
use super::panels::PanelId;
use super::preferences::Preferences;
use crate::view::View;

/// A way takes this many seconds.
const LASTS_S: f64 = 0.14;
/// How far into the way its first frame is, in seconds: a key is answered in the frame that reads it.
const HEAD_START_S: f64 = 1.0 / 60.0;

/// Where the panels looked before, and since when they are on their way.
#[derive(Debug)]
pub(super) struct ViewAnimation {
    from: Vec<(PanelId, View)>,
    start_s: f64,
}

impl ViewAnimation {
    /// How much of it is done at `now_s`, 0 to 1: quick at first, slow in the end.
    fn share(&self, now_s: f64) -> f64 {
        let left = 1.0 - ((now_s - self.start_s) / LASTS_S).clamp(0.0, 1.0);
        1.0 - left * left * left
    }
}

impl Session {
    /// Applies `change`, which moves views, and animates from the shown views to the new ones; with reduced motion the new
    /// views are shown at once.
    pub fn animate(&mut self, preferences: &Preferences, change: impl FnOnce(&mut Self)) {
        let shown = |index: usize| (self.panels[index].id, self.shown_view_of(index));
        let from: Vec<_> = (0..self.panels.len()).map(shown).collect();
        change(self);
        if !preferences.reduced_motion {
            self.animation = Some(ViewAnimation { from, start_s: self.now_s - HEAD_START_S });
            self.end_animation_if_done();
        }
    }

    /// What panel `index` shows at this time: where it looks, or a place on the way there.
    pub fn shown_view_of(&self, index: usize) -> View {
        let panel = &self.panels[index];
        let from = self.animation.as_ref().and_then(|animation| {
            let (_, from) = animation.from.iter().find(|(id, _)| *id == panel.id)?;
            Some((from, animation.share(self.now_s)))
        });
        from.map_or(panel.view, |(from, share)| from.towards(&panel.view, share))
    }

    /// Whether pictures are on their way to where the panels look.
    pub fn is_animating(&self) -> bool {
        self.animation.is_some()
    }

    /// Shows what the panels look at, at once.
    pub fn finish_animation(&mut self) {
        self.animation = None;
    }

    /// Forgets a way that is at its end, or goes nowhere.
    pub(super) fn end_animation_if_done(&mut self) {
        let is_there = |animation: &ViewAnimation| {
            let stays = |(id, from): &(PanelId, View)| self.panels.iter().all(|p| p.id != *id || p.view == *from);
            animation.share(self.now_s) >= 1.0 || animation.from.iter().all(stays)
        };
        if self.animation.as_ref().is_some_and(is_there) {
            self.animation = None;
        }
    }
}
