//! The panels: how each fills itself, and how they come, go and change places.

use std::sync::atomic::{AtomicU64, Ordering};

use super::Session;
use super::compare::Compare;
use crate::app::history::Framing;
use crate::backend::Display;
use crate::filter::Filters;
use crate::sampling::Sampler;
use crate::view::View;

/// Identifies a panel for its whole life, whatever its index. No two panels of the process share one; a panel that undo
/// brings back has the id that it had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PanelId(u64);

impl PanelId {
    /// An id that no panel has yet.
    pub(in crate::app) fn next() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// One panel: what it shows of which image, and how it fills itself. What is private decides where a panel looks and goes
/// through the session, since other panels may follow.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// How a value between samples is made.
    pub sampler: Sampler,
    /// What is done to the samples before they are interpolated, and to the view's values after.
    pub filters: Filters,
    /// Whether the filters are switched off all at once, each as it is.
    pub filters_off: bool,
    /// What becomes of the values on their way to the screen.
    pub display: Display,
    pub(super) id: PanelId,
    pub(super) image: usize,
    pub(super) page: usize,
    pub(super) view: View,
    pub(super) framing: Framing,
}

impl Panel {
    /// A panel that shows the first page of the first image.
    pub(super) fn new(sampler: Sampler, view: View) -> Self {
        let (id, display) = (PanelId::next(), Display::default());
        let filters = Filters::default();
        Self { sampler, filters, filters_off: false, display, id, image: 0, page: 0, view, framing: Framing::Fit }
    }

    /// The filters that its pictures are made with: none of them acts while all are switched off.
    pub fn filters_in_force(&self) -> Filters {
        if self.filters_off { self.filters.switched_off() } else { self.filters.clone() }
    }

    /// What identifies it across frames.
    pub fn id(&self) -> PanelId {
        self.id
    }

    /// Which of [`Session::images`] it shows.
    pub fn image_index(&self) -> usize {
        self.image
    }

    /// The page that it shows, counted from 0.
    pub fn page_index(&self) -> usize {
        self.page
    }

    /// Where it looks.
    pub fn view(&self) -> View {
        self.view
    }

    /// How its view follows the picture's size.
    pub fn framing(&self) -> Framing {
        self.framing
    }
}

impl Session {
    /// The most panels there are.
    pub const MOST_PANELS: usize = 9;

    /// The panels.
    pub fn panels(&self) -> &[Panel] {
        &self.panels
    }

    /// The panel with this id, while it is open.
    pub fn panel(&self, id: PanelId) -> Option<&Panel> {
        self.panels.iter().find(|panel| panel.id == id)
    }

    /// The index of the panel with this id, while it is open. It holds until panels are next added, closed or moved.
    pub fn index_of(&self, id: PanelId) -> Option<usize> {
        self.panels.iter().position(|panel| panel.id == id)
    }

    /// Which panel the keys act on.
    pub fn focused(&self) -> usize {
        self.focused
    }

    /// The panel that the keys act on.
    pub fn focused_panel(&mut self) -> &mut Panel {
        &mut self.panels[self.focused]
    }

    /// The panel numbered `index`.
    pub fn panel_mut(&mut self, index: usize) -> Option<&mut Panel> {
        self.panels.get_mut(index)
    }

    /// Gives panel `index` the focus; beyond the last the last.
    pub fn focus(&mut self, index: usize) {
        let index = index.min(self.panels.len() - 1);
        if index != self.focused {
            self.focused = index;
            self.end_comparison_with_focus();
        }
    }

    /// Gives the focus to the panel `step` places on, round and round.
    pub fn step_focus(&mut self, step: isize) {
        let count = self.panels.len() as isize;
        self.focus((self.focused as isize + step).rem_euclid(count) as usize);
    }

    /// Adds a panel like the focused one behind it and gives it the focus; false where there are [`Session::MOST_PANELS`].
    pub fn add_panel(&mut self) -> bool {
        if self.panels.len() == Self::MOST_PANELS {
            return false;
        }
        let panel = Panel { id: PanelId::next(), ..self.panels[self.focused].clone() };
        self.focused += 1;
        self.panels.insert(self.focused, panel);
        self.maximised = false;
        self.set_compare(Compare::SideBySide);
        true
    }

    /// Closes panel `index`; false where it is the only one. The focus stays with its panel, or goes to the one that takes
    /// the closed one's place.
    pub fn close_panel(&mut self, index: usize) -> bool {
        if self.panels.len() == 1 || index >= self.panels.len() {
            return false;
        }
        self.stop_flicker();
        self.panels.remove(index);
        if self.focused > index || self.focused == self.panels.len() {
            self.focused -= 1;
        }
        if self.panels.len() == 1 {
            self.maximised = false;
            self.set_compare(Compare::SideBySide);
        }
        true
    }

    /// Lets two panels change places; the focus goes with its panel.
    pub fn swap_panels(&mut self, a: usize, b: usize) {
        if a.max(b) < self.panels.len() {
            self.panels.swap(a, b);
            self.focused = match self.focused {
                focused if focused == a => b,
                focused if focused == b => a,
                focused => focused,
            };
        }
    }

    /// Lets the focused panel change places with the one `step` places on, round and round.
    pub fn step_panel(&mut self, step: isize) {
        let other = (self.focused as isize + step).rem_euclid(self.panels.len() as isize) as usize;
        self.swap_panels(self.focused, other);
    }

    /// Puts panels with these samplers in the place of all panels, each looking where the focused one does; at most
    /// [`Session::MOST_PANELS`] of them. No sampler leaves all as it is.
    pub fn arrange(&mut self, samplers: &[Sampler]) {
        let samplers = &samplers[..samplers.len().min(Self::MOST_PANELS)];
        if samplers.is_empty() {
            return;
        }
        let model = self.panels[self.focused].clone();
        let panel = |sampler: &Sampler| Panel { sampler: *sampler, id: PanelId::next(), ..model.clone() };
        self.panels = samplers.iter().map(panel).collect();
        self.focused = 0;
        self.maximised = false;
        self.set_compare(Compare::SideBySide);
    }
}
