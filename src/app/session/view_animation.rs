//! View animations: after a key or a double click, pictures move from the shown view to the panel's view within a short
//! time. The panels themselves have their new views at once.

use super::Session;
use super::panels::PanelId;
use super::preferences::Preferences;
use crate::view::View;

/// Duration of an animation of a command, in seconds.
const LASTS_S: f64 = 0.14;
/// Progress of the first frame, in seconds, so that the frame that reads a key shows its effect.
const HEAD_START_S: f64 = 1.0 / 60.0;

/// The views at the start of an animation, its start time and its duration.
#[derive(Debug)]
pub(super) struct ViewAnimation {
    from: Vec<(PanelId, View)>,
    start_s: f64,
    lasts_s: f64,
    /// Whether it continues when the pictures change their size. Other animations end then.
    outlives_resize: bool,
}

impl ViewAnimation {
    /// Progress at `now_s`, 0 … 1, with a cubic ease-out.
    fn share(&self, now_s: f64) -> f64 {
        let left = 1.0 - ((now_s - self.start_s) / self.lasts_s).clamp(0.0, 1.0);
        1.0 - left * left * left
    }

    /// From the views `from` of a replaced session to those of its replacement, within `lasts_s` seconds from `now_s` on.
    pub(super) fn of_replacement(from: Vec<(PanelId, View)>, lasts_s: f64, now_s: f64) -> Self {
        Self { from, start_s: now_s - HEAD_START_S, lasts_s, outlives_resize: true }
    }
}

impl Session {
    /// Applies `change`, which moves views, and animates from the shown views to the new ones. With reduced motion the
    /// new views are shown at once.
    pub fn animate(&mut self, preferences: &Preferences, change: impl FnOnce(&mut Self)) {
        let shown = |index: usize| (self.panels[index].id, self.shown_view_of(index));
        let from: Vec<_> = (0..self.panels.len()).map(shown).collect();
        change(self);
        if !preferences.reduced_motion {
            let start_s = self.now_s - HEAD_START_S;
            self.animation = Some(ViewAnimation { from, start_s, lasts_s: LASTS_S, outlives_resize: false });
            self.end_animation_if_done();
        }
    }

    /// The view that panel `index` shows at this time: its own, with the offset of a fitted one, or an intermediate one of an animation.
    pub fn shown_view_of(&self, index: usize) -> View {
        let (panel, rest) = (&self.panels[index], self.rest_view_of(index));
        let from = self.animation.as_ref().and_then(|animation| {
            let (_, from) = animation.from.iter().find(|(id, _)| *id == panel.id)?;
            Some((from, animation.share(self.now_s)))
        });
        from.map_or(rest, |(from, share)| from.towards(&rest, share))
    }

    /// Whether an animation is in progress.
    pub fn is_animating(&self) -> bool {
        self.animation.is_some()
    }

    /// Ends the animation: the panels' own views are shown.
    pub fn finish_animation(&mut self) {
        self.animation = None;
    }

    /// Ends the animation unless it continues when the pictures change their size.
    pub(super) fn finish_animation_for_resize(&mut self) {
        self.animation.take_if(|animation| !animation.outlives_resize);
    }

    /// Drops an animation that is finished or has nothing to move.
    pub(super) fn end_animation_if_done(&mut self) {
        let is_there = |animation: &ViewAnimation| {
            let rests = |index: usize, from: &View| self.rest_view_of(index) == *from;
            let stays = |(id, from): &(PanelId, View)| self.index_of(*id).is_none_or(|index| rests(index, from));
            animation.share(self.now_s) >= 1.0 || animation.from.iter().all(stays)
        };
        if self.animation.as_ref().is_some_and(is_there) {
            self.animation = None;
        }
    }
}
