//! Comparison of two panels in one area: wipe, flicker or difference. The first of the pair is the focused panel; the
//! second is the selected one, or else the panel of the truth, or else the next.

use std::sync::Arc;

use super::Session;
use super::difference::Difference;
use super::panels::PanelId;
use crate::backend::{Content, Display, RenderRequest};
pub use crate::figure::WipeLine;
use crate::image::Image;
use crate::rows::rows;

/// Description of a comparison.
#[derive(Debug)]
pub struct CompareRow {
    /// The comparison.
    pub compare: Compare,
    /// Its name in session files.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Its help, one line.
    pub help: &'static str,
}

rows! {
    /// How panels are compared.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Compare {
        /// Each panel has an area of its own.
        #[default]
        SideBySide => {
            name: "side-by-side",
            title: "Side by side",
            help: "Shows every panel in a place of its own",
        },
        /// Two panels share one area, with a wipe line between them.
        Wipe => {
            name: "wipe",
            title: "Wipe",
            help: "Shows the focused panel and the next in one place, with a line between them to drag",
        },
        /// The first panel minus the second.
        Difference => {
            name: "difference",
            title: "Difference",
            help: "Shows the focused panel minus the next, computed in single precision before any rounding",
        },
    }

    /// The comparisons, in menu order.
    pub static COMPARES: [CompareRow { compare, .. }];

    impl by_name;
}

/// Contents of one area of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PanelArea {
    /// A panel.
    Panel(usize),
    /// The area of a panel that shows another panel during a flip.
    Flipped {
        /// The panel whose area it is.
        place: usize,
        /// The panel whose picture is shown.
        shows: usize,
    },
    /// The first panel before the wipe line, the second behind it.
    Wipe([usize; 2]),
    /// The first panel minus the second.
    Difference([usize; 2]),
}

impl PanelArea {
    /// The panel that input acts on.
    pub fn panel(self) -> usize {
        match self {
            Self::Panel(panel) | Self::Flipped { place: panel, .. } => panel,
            Self::Wipe([first, _]) | Self::Difference([first, _]) => first,
        }
    }

    /// The panel whose picture is shown, the first of two.
    pub fn seen(self) -> usize {
        match self {
            Self::Flipped { shows, .. } => shows,
            Self::Panel(panel) => panel,
            Self::Wipe([first, _]) | Self::Difference([first, _]) => first,
        }
    }

    /// The panels whose pictures are drawn. A difference draws none of them.
    pub fn pictures(self) -> Vec<usize> {
        match self {
            Self::Panel(panel) | Self::Flipped { shows: panel, .. } => vec![panel],
            Self::Wipe(pair) => pair.to_vec(),
            Self::Difference(_) => Vec::new(),
        }
    }
}

/// State of the comparison.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Comparison {
    pub(super) compare: Compare,
    pub(super) second: Option<PanelId>,
    pub(super) line: WipeLine,
    pub(super) difference: Difference,
    pub(super) flipped: bool,
    /// Time of the next flip, in seconds, while panels flicker.
    pub(super) flips_at_s: Option<f64>,
    pub(super) flips_a_second: f64,
    pub(super) has_crosshair: bool,
}

impl Default for Comparison {
    fn default() -> Self {
        Self {
            compare: Compare::SideBySide,
            second: None,
            line: WipeLine { share: 0.5, is_horizontal: false },
            difference: Difference::default(),
            flipped: false,
            flips_at_s: None,
            flips_a_second: Session::USUAL_FLIPS_A_SECOND,
            has_crosshair: true,
        }
    }
}

impl Session {
    /// Default flicker rate, in flips per second.
    pub const USUAL_FLIPS_A_SECOND: f64 = 2.0;

    /// The comparison.
    pub fn compare(&self) -> Compare {
        self.comparison.compare
    }

    /// Sets the comparison; side by side if there is only one panel.
    pub fn set_compare(&mut self, compare: Compare) {
        self.stop_flicker();
        self.comparison.compare = if self.pair().is_some() { compare } else { Compare::SideBySide };
    }

    /// Indices of the compared panels: the focused one, and the selected one, else that of the truth, else the next one.
    /// `None` if there is only one panel.
    pub fn pair(&self) -> Option<[usize; 2]> {
        let count = self.panels.len();
        let chosen = self.chosen_second().filter(|second| *second != self.focused);
        let is_truth = |index: &usize| self.panels[*index].content == Content::Truth && *index != self.focused;
        let truth = (0..count).find(is_truth);
        (count > 1).then_some([self.focused, chosen.or(truth).unwrap_or((self.focused + 1) % count)])
    }

    /// Index of the panel selected as the second; `None` if none is selected or it was closed. It may be the focused
    /// panel by now.
    pub(super) fn chosen_second(&self) -> Option<usize> {
        self.panels.iter().position(|panel| Some(panel.id) == self.comparison.second)
    }

    /// Selects panel `index` as the second.
    pub fn set_second(&mut self, index: usize) {
        self.comparison.second = self.panels.get(index).map(|panel| panel.id);
    }

    /// Ends the flicker after a change of the focus. Side by side also clears the selected second panel.
    pub(super) fn end_comparison_with_focus(&mut self) {
        self.stop_flicker();
        if self.compare() == Compare::SideBySide {
            self.comparison.second = None;
        }
    }

    /// Swaps the roles of the compared panels: the sides of a wipe, the sign of a difference.
    pub fn exchange_pair(&mut self) {
        if let Some([first, second]) = self.pair() {
            self.set_second(first);
            self.focused = second;
        }
    }

    /// The areas of the window, in order.
    pub fn areas(&self) -> Vec<PanelArea> {
        let pair = self.pair();
        match (self.compare(), pair) {
            (Compare::Wipe, Some(pair)) => vec![PanelArea::Wipe(pair)],
            (Compare::Difference, Some(pair)) => vec![PanelArea::Difference(pair)],
            (Compare::SideBySide, _) | (Compare::Wipe | Compare::Difference, None) => {
                let flipped = pair.filter(|_| self.comparison.flipped);
                let area = |panel: usize| {
                    let shows = flipped.and_then(|[place, shows]| (place == panel).then_some(shows));
                    shows.map_or(PanelArea::Panel(panel), |shows| PanelArea::Flipped { place: panel, shows })
                };
                let all = if self.is_maximized() { self.focused..self.focused + 1 } else { 0..self.panels.len() };
                all.map(area).collect()
            }
        }
    }

    /// Indices of the visible panels, ascending.
    pub fn visible(&self) -> Vec<usize> {
        let areas = self.areas();
        let is_visible = |index: &usize| {
            areas.iter().any(|area| match area {
                PanelArea::Panel(panel) => panel == index,
                PanelArea::Flipped { place, shows } => [place, shows].contains(&index),
                PanelArea::Wipe(pair) | PanelArea::Difference(pair) => pair.contains(index),
            })
        };
        (0..self.panels.len()).filter(is_visible).collect()
    }

    /// The wipe line.
    pub fn line(&self) -> WipeLine {
        self.comparison.line
    }

    /// Sets the wipe line.
    pub fn set_line(&mut self, line: WipeLine) {
        let share = if line.share.is_finite() { line.share.clamp(0.0, 1.0) } else { 0.5 };
        self.comparison.line = WipeLine { share, ..line };
    }

    /// The render request of the difference of `pair` at this time, for [`Session::difference_image`]. Images may have
    /// different sizes: each panel's view selects samples of its own image.
    pub fn difference_request(&self, [first, second]: [usize; 2]) -> RenderRequest {
        let mut other = RenderRequest { display: Display::default(), ..self.request(second) };
        if self.panels[first].image != self.panels[second].image {
            other.page += self.image_of(first).pages().len();
        }
        RenderRequest {
            subtract: Some(Box::new(other)),
            display: self.difference().display(self.gain(), self.usual_map([first, second])),
            ..self.request(first)
        }
    }

    /// The image of the difference of `pair`: their common image, or the first image followed by the second one's
    /// pages.
    pub fn difference_image(&self, [first, second]: [usize; 2]) -> Arc<Image> {
        let (image, other) = (self.image_of(first), self.image_of(second));
        if self.panels[first].image == self.panels[second].image {
            Arc::clone(image)
        } else {
            Arc::new(image.followed_by(other))
        }
    }

    /// Shows the other panel of the pair in the focused panel's area, or the focused panel again.
    pub fn flip(&mut self) {
        self.comparison.flipped = !self.comparison.flipped && self.pair().is_some();
    }

    /// Starts or stops the flicker.
    pub fn toggle_flicker(&mut self) {
        let flickers = !self.flickers() && self.pair().is_some();
        self.stop_flicker();
        if flickers {
            self.comparison.compare = Compare::SideBySide;
            self.comparison.flips_at_s = Some(self.now_s + 1.0 / self.flips_a_second());
        }
    }

    /// Whether panels flicker.
    pub fn flickers(&self) -> bool {
        self.comparison.flips_at_s.is_some()
    }

    /// Flicker rate, in flips per second.
    pub fn flips_a_second(&self) -> f64 {
        self.comparison.flips_a_second
    }

    /// Sets the flicker rate, clamped to 0.5 … 16 flips per second.
    pub fn set_flips_a_second(&mut self, rate: f64) {
        if rate.is_finite() {
            self.comparison.flips_a_second = rate.clamp(0.5, 16.0);
        }
    }

    /// Ends the flicker and shows every panel's own picture.
    pub(super) fn stop_flicker(&mut self) {
        self.comparison.flipped = false;
        self.comparison.flips_at_s = None;
    }

    /// Flips if it is time. Returns the seconds until the next flip; `None` if panels do not flicker.
    pub fn tick_flicker(&mut self) -> Option<f64> {
        let mut at_s = self.comparison.flips_at_s?;
        if self.now_s >= at_s {
            self.flip();
            at_s = self.now_s + 1.0 / self.flips_a_second();
            self.comparison.flips_at_s = Some(at_s);
        }
        Some(at_s - self.now_s)
    }

    /// Whether the crosshair marks the pointer's position in the other panels.
    pub fn has_crosshair(&self) -> bool {
        self.comparison.has_crosshair
    }

    /// Shows or hides the crosshair.
    pub fn toggle_crosshair(&mut self) {
        self.comparison.has_crosshair = !self.comparison.has_crosshair;
    }
}

#[cfg(test)]
mod tests;
