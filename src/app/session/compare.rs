//! Comparing two panels in one place: wiped, flickering, or subtracted. The focused panel is the first of the pair; the
//! second is the one chosen for it, or else the next.

use std::sync::Arc;

use super::Session;
use super::panels::PanelId;
use crate::backend::{COLOUR_MAPS, ColourMap, Display, RenderRequest};
use crate::image::Image;
use crate::rows::rows;

/// The properties of a comparison mode.
#[derive(Debug)]
pub struct CompareRow {
    /// The comparison mode.
    pub compare: Compare,
    /// Name in files.
    pub name: &'static str,
    /// Name in the window.
    pub title: &'static str,
    /// One-line description.
    pub help: &'static str,
}

rows! {
    /// Comparison mode of the panels.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Compare {
        /// Every panel is shown by itself.
        #[default]
        SideBySide => {
            name: "side-by-side",
            title: "Side by side",
            help: "Shows every panel in a place of its own",
        },
        /// Two panels share one picture area, divided by a line that can be dragged.
        Wipe => {
            name: "wipe",
            title: "Wipe",
            help: "Shows the focused panel and the next in one place, with a line between them to drag",
        },
        /// The difference of two panels.
        Difference => {
            name: "difference",
            title: "Difference",
            help: "Shows the focused panel minus the next, computed in single precision before any rounding",
        },
    }

    /// The comparison modes, in menu order.
    pub static COMPARES: [CompareRow { compare, .. }];

    impl by_name;
}

/// The line of a wipe.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WipeLine {
    /// Where it stands, as a share of the picture's width or height from the left or the top.
    pub share: f64,
    /// Whether it lies: the first picture above, the second below; else left and right.
    pub is_horizontal: bool,
}

impl WipeLine {
    /// The first column, or row where it lies, that shows the second picture, of `length`.
    pub fn first_of_second(self, length: u32) -> u32 {
        (self.share.clamp(0.0, 1.0) * f64::from(length)).round() as u32
    }
}

/// How a difference is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// It is multiplied by 2 to this power, 0 … 12; at 2⁰ the ends of the colour map are ±1.
    pub gain_log2: u8,
    /// Whether its sign is dropped.
    pub absolute: bool,
    /// The colours where the sign is kept.
    pub signed_map: ColourMap,
    /// The colours where it is dropped.
    pub absolute_map: ColourMap,
}

impl Difference {
    /// The largest gain, as a power of 2: 4096×.
    pub const MOST_GAIN_LOG2: u8 = 12;

    /// The colours in use.
    pub fn map(&self) -> ColourMap {
        if self.absolute { self.absolute_map } else { self.signed_map }
    }

    /// The next colours, of those in use.
    #[must_use]
    pub fn with_next_map(self) -> Self {
        let next = COLOUR_MAPS[(self.map() as usize + 1) % COLOUR_MAPS.len()].colour_map;
        if self.absolute { Self { absolute_map: next, ..self } } else { Self { signed_map: next, ..self } }
    }

    /// The display mapping of the difference.
    fn display(&self) -> Display {
        Display {
            exposure: f32::from(self.gain_log2),
            window: if self.absolute { [0.0, 1.0] } else { [-1.0, 1.0] },
            colour_map: self.map(),
            absolute: self.absolute,
            ..Display::default()
        }
    }
}

/// What stands in one place of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PanelArea {
    /// A panel.
    Panel(usize),
    /// The place of one panel while it flickers and shows another.
    Flipped {
        /// Whose place it is.
        place: usize,
        /// Which panel's picture stands there.
        shows: usize,
    },
    /// The first panel on one side of the line, the second on the other.
    Wipe([usize; 2]),
    /// The first panel minus the second.
    Difference([usize; 2]),
}

impl PanelArea {
    /// The panel that hands and keys act on here.
    pub fn panel(self) -> usize {
        match self {
            Self::Panel(panel) | Self::Flipped { place: panel, .. } => panel,
            Self::Wipe([first, _]) | Self::Difference([first, _]) => first,
        }
    }

    /// The panel whose picture is seen here, the first of two.
    pub fn seen(self) -> usize {
        match self {
            Self::Flipped { shows, .. } => shows,
            area => area.panel(),
        }
    }

    /// The panels whose pictures are drawn here.
    pub fn pictures(self) -> Vec<usize> {
        match self {
            Self::Panel(panel) | Self::Flipped { shows: panel, .. } => vec![panel],
            Self::Wipe(pair) => pair.to_vec(),
            Self::Difference(_) => Vec::new(),
        }
    }
}

/// What the comparison is and how it looks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Comparison {
    pub(super) compare: Compare,
    pub(super) second: Option<PanelId>,
    pub(super) line: WipeLine,
    pub(super) difference: Difference,
    pub(super) flipped: bool,
    /// When it flips next, where it does by itself.
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
            difference: Difference {
                gain_log2: 0,
                absolute: false,
                signed_map: ColourMap::BlueRed,
                absolute_map: ColourMap::Inferno,
            },
            flipped: false,
            flips_at_s: None,
            flips_a_second: Session::USUAL_FLIPS_A_SECOND,
            has_crosshair: true,
        }
    }
}

impl Session {
    /// The flicker rate of a new session.
    pub const USUAL_FLIPS_A_SECOND: f64 = 2.0;

    /// How panels are compared.
    pub fn compare(&self) -> Compare {
        self.comparison.compare
    }

    /// Compares so from now on; side by side where there is but one panel.
    pub fn set_compare(&mut self, compare: Compare) {
        self.stop_flicker();
        self.comparison.compare = if self.pair().is_some() { compare } else { Compare::SideBySide };
    }

    /// The panels that are compared: the focused one, and the one chosen for it or the next. None where there is but one.
    pub fn pair(&self) -> Option<[usize; 2]> {
        let count = self.panels.len();
        let chosen = self.chosen_second().filter(|second| *second != self.focused);
        (count > 1).then_some([self.focused, chosen.unwrap_or((self.focused + 1) % count)])
    }

    /// The panel that was chosen as the second, while it is open; it may have become the focused one.
    pub(super) fn chosen_second(&self) -> Option<usize> {
        self.panels.iter().position(|panel| Some(panel.id) == self.comparison.second)
    }

    /// Compares the focused panel with panel `index` from now on.
    pub fn set_second(&mut self, index: usize) {
        self.comparison.second = self.panels.get(index).map(|panel| panel.id);
    }

    /// The focus goes elsewhere: nothing flickers any longer, and side by side a panel's second is the next again.
    pub(super) fn end_comparison_with_focus(&mut self) {
        self.stop_flicker();
        if self.compare() == Compare::SideBySide {
            self.comparison.second = None;
        }
    }

    /// The two that are compared change roles: the sides of a wipe, the sign of a difference.
    pub fn exchange_pair(&mut self) {
        if let Some([first, second]) = self.pair() {
            self.set_second(first);
            self.focused = second;
        }
    }

    /// What stands in each place of the window, in their order.
    pub fn areas(&self) -> Vec<PanelArea> {
        match (self.compare(), self.pair()) {
            (Compare::Wipe, Some(pair)) => vec![PanelArea::Wipe(pair)],
            (Compare::Difference, Some(pair)) => vec![PanelArea::Difference(pair)],
            (_, pair) => {
                let flipped = pair.filter(|_| self.comparison.flipped);
                let area = |panel: usize| match flipped {
                    Some([place, shows]) if place == panel => PanelArea::Flipped { place, shows },
                    _ => PanelArea::Panel(panel),
                };
                let all = if self.is_maximised() { self.focused..self.focused + 1 } else { 0..self.panels.len() };
                all.map(area).collect()
            }
        }
    }

    /// The panels that are seen, each once, in their order.
    pub fn visible(&self) -> Vec<usize> {
        let areas = self.areas();
        let is_seen = |index: &usize| {
            areas.iter().any(|area| match area {
                PanelArea::Difference(pair) => pair.contains(index),
                PanelArea::Flipped { place, .. } if place == index => true,
                area => area.pictures().contains(index),
            })
        };
        (0..self.panels.len()).filter(is_seen).collect()
    }

    /// The wipe's line.
    pub fn line(&self) -> WipeLine {
        self.comparison.line
    }

    /// Moves or turns the wipe's line.
    pub fn set_line(&mut self, line: WipeLine) {
        let share = if line.share.is_finite() { line.share.clamp(0.0, 1.0) } else { 0.5 };
        self.comparison.line = WipeLine { share, ..line };
    }

    /// How a difference is shown.
    pub fn difference(&self) -> Difference {
        self.comparison.difference
    }

    /// Shows differences so from now on.
    pub fn set_difference(&mut self, difference: Difference) {
        let gain_log2 = difference.gain_log2.min(Difference::MOST_GAIN_LOG2);
        self.comparison.difference = Difference { gain_log2, ..difference };
    }

    /// What the difference of `pair` asks of a backend at this time, of [`Session::difference_image`]. Images of any two
    /// sizes have one: each panel's view says which of its own samples a pixel shows.
    pub fn difference_request(&self, [first, second]: [usize; 2]) -> RenderRequest {
        let mut other = RenderRequest { display: Display::default(), ..self.request(second) };
        if self.panels[first].image != self.panels[second].image {
            other.page += self.image_of(first).pages().len();
        }
        RenderRequest { subtract: Some(Box::new(other)), display: self.difference().display(), ..self.request(first) }
    }

    /// What the difference of `pair` is made of: their image, or the first one's with the second one's pages behind it.
    pub fn difference_image(&self, [first, second]: [usize; 2]) -> Arc<Image> {
        let (image, other) = (self.image_of(first), self.image_of(second));
        if self.panels[first].image == self.panels[second].image {
            Arc::clone(image)
        } else {
            Arc::new(image.followed_by(other))
        }
    }

    /// Shows, in the focused panel's place, the other of the pair, or itself again.
    pub fn flip(&mut self) {
        self.comparison.flipped = !self.comparison.flipped && self.pair().is_some();
    }

    /// Flips by itself from now on, or no longer.
    pub fn toggle_flicker(&mut self) {
        let flickers = !self.flickers() && self.pair().is_some();
        self.stop_flicker();
        if flickers {
            self.comparison.compare = Compare::SideBySide;
            self.comparison.flips_at_s = Some(self.now_s + 1.0 / self.flips_a_second());
        }
    }

    /// Whether it flips by itself.
    pub fn flickers(&self) -> bool {
        self.comparison.flips_at_s.is_some()
    }

    /// How often it flips where it does by itself.
    pub fn flips_a_second(&self) -> f64 {
        self.comparison.flips_a_second
    }

    /// Flips so often from now on: from once in two seconds to sixteen times a second.
    pub fn set_flips_a_second(&mut self, rate: f64) {
        if rate.is_finite() {
            self.comparison.flips_a_second = rate.clamp(0.5, 16.0);
        }
    }

    /// Every panel shows its own picture again.
    pub(super) fn stop_flicker(&mut self) {
        self.comparison.flipped = false;
        self.comparison.flips_at_s = None;
    }

    /// Flips where it is time to; the seconds to the next flip, where there is one.
    pub fn tick_flicker(&mut self) -> Option<f64> {
        let mut at_s = self.comparison.flips_at_s?;
        if self.now_s >= at_s {
            self.flip();
            at_s = self.now_s + 1.0 / self.flips_a_second();
            self.comparison.flips_at_s = Some(at_s);
        }
        Some(at_s - self.now_s)
    }

    /// Whether the pointer's place in the image is marked in the other panels.
    pub fn has_crosshair(&self) -> bool {
        self.comparison.has_crosshair
    }

    /// Marks the pointer's place in the other panels, or no longer.
    pub fn toggle_crosshair(&mut self) {
        self.comparison.has_crosshair = !self.comparison.has_crosshair;
    }
}

#[cfg(test)]
mod tests;
