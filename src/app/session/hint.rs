//! Hints: what the panels show and what can be done with them, in a line.

use std::collections::HashSet;

use super::Session;
use super::compare::PanelArea;
use super::inspect::Tool;
use super::opening::ALIKE_FROM;
use super::panels::Panel;
use crate::backend::Content;
use crate::sampling::Method;

/// Numbers in words, from 1: as many as there are panels at most.
const NUMBERS: [&str; Session::MAX_PANELS] = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
/// What can be done with a picture.
pub(in crate::app) const MOVES: &str = "Scroll to zoom · Drag to move";

/// The hint over the panels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// What is seen, and the same in fewer words; empty if nothing is to be said.
    pub texts: [String; 2],
    /// What to do.
    pub how: &'static str,
    /// What its button does.
    pub action: HintAction,
}

/// What the button of a hint does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HintAction {
    /// Opens the list of lessons.
    Lessons,
    /// Shows the finest detail of the image: [`Session::show_detail`].
    Detail,
}

impl Hint {
    /// A hint on what is seen whose button opens the lessons.
    fn on(text: &str, in_short: &str, how: &'static str) -> Self {
        Self { texts: [text, in_short].map(str::to_owned), how, action: HintAction::Lessons }
    }

    /// The text that says what is seen; `None` if nothing is to be said.
    pub(in crate::app) fn headline(&self) -> Option<&str> {
        self.texts.iter().map(String::as_str).find(|text| !text.is_empty())
    }
}

impl Session {
    /// The hint on what the panels show; `has_insets` where insets enlarge the detail of whole images. `None` while the plot of the line
    /// profile or a tool of the laboratory takes the place.
    pub fn hint(&self, has_insets: bool) -> Option<Hint> {
        let state = &self.inspect.state;
        if self.inspect.tool == Tool::Profile || state.line.is_some() || state.drawer.is_some() {
            return None;
        }
        let areas = self.areas();
        Some(match areas.as_slice() {
            [PanelArea::Wipe(_)] => Hint::on("Two methods on one picture", "Two methods", "Drag the line to move it"),
            [PanelArea::Difference(_)] => {
                Hint::on("Where two methods differ, and by how much", "Where two methods differ", MOVES)
            }
            _ if self.flickers() => Hint::on("Two methods in turn", "Two methods", MOVES),
            [_] => Hint::on("", "", MOVES),
            _ if self.panels.iter().all(|panel| panel.view.scale() > ALIKE_FROM) => {
                let texts = if !self.differs_by_method_alone() {
                    [""; 2]
                } else if has_insets {
                    [
                        "Nearly alike at this size; the insets show how they differ",
                        "The insets show how the methods differ",
                    ]
                } else {
                    [
                        "Nearly alike at this size; zoom in to see how they differ",
                        "Zoom in to see how the methods differ",
                    ]
                };
                Hint { texts: texts.map(str::to_owned), how: MOVES, action: HintAction::Detail }
            }
            _ => {
                let in_words = self.ways();
                let text = |same: &str| {
                    in_words.map_or(String::new(), |ways| format!("{same} samples, {ways} ways to interpolate"))
                };
                Hint { texts: [text("The same"), text("Same")], ..Hint::on("", "", MOVES) }
            }
        })
    }

    /// How the picture of panel `index` looks, in a few words, and in one or two; `None` of a method without a name, or where the panel shows no
    /// interpolation.
    pub fn looks(&self, index: usize) -> Option<[&'static str; 2]> {
        let panel = &self.panels[index];
        if panel.content != Content::Interpolation {
            return None;
        }
        match panel.sampler.method {
            Method::BSPLINE if panel.sampler.prefilter => Some(["smooth, through the samples", "smooth"]),
            method => method.row().map(|row| row.looks),
        }
    }

    /// Whether all panels show the same samples in the same view: the same page without warps and filters that differ.
    fn shows_same_samples(&self) -> bool {
        let Some(first) = self.panels.first() else { return false };
        let is_alike = |panel: &Panel| {
            let has_page = panel.image == first.image && panel.page == first.page;
            let has_plane = panel.plane == first.plane && panel.component == first.component;
            let has_filters = panel.filters_in_force() == first.filters_in_force();
            has_page && has_plane && has_filters && panel.warp == first.warp && panel.view == first.view
        };
        self.panels.iter().all(is_alike)
    }

    /// Whether methods are all that tells the pictures of panels apart: the outside is covered, or has the same address modes.
    fn differs_by_method_alone(&self) -> bool {
        let mut addresses = self.panels.iter().map(|panel| panel.sampler.address);
        let first = addresses.next();
        self.shows_same_samples() && (self.dims_outside() || addresses.all(|address| Some(address) == first))
    }

    /// The number of panels in words if all show the same samples, each by its own method.
    fn ways(&self) -> Option<&'static str> {
        let way = |panel: &Panel| {
            let method = panel.sampler.method;
            (method.title().into_owned(), method.kernel().prefilter.is_some() && panel.sampler.prefilter)
        };
        let ways: HashSet<_> = self.panels.iter().map(way).collect();
        let interpolates = self.panels.iter().all(|panel| panel.content == Content::Interpolation);
        let is_of_ways = interpolates && self.shows_same_samples() && ways.len() == self.panels.len();
        is_of_ways.then(|| NUMBERS[ways.len() - 1])
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::app::session::compare::Compare;
    use crate::app::session::history::Change;
    use crate::app::session::inspect::DrawerTool;
    use crate::app::session::panel_sets::PanelSet;
    use crate::filter::{FILTERS, Filters, Stage};
    use crate::image::{Channels, Depth, Image, Page, Raster};
    use crate::sampling::AddressMode;
    use crate::test_support::size;

    fn session(side: u32) -> Session {
        let page = Page::new(Raster::zeros(size(side, side), Channels::Grey, Depth::EIGHT));
        let mut session = Session::new(Arc::new(Image::new("zeros", vec![page]).expect("an image")));
        session.resize(size(500, 360));
        session
    }

    fn text_of(session: &Session) -> String {
        session.hint(false).expect("a hint").texts[0].clone()
    }

    /// The first screen, zoomed and dragged, has its hint still: nothing moves under the pointer.
    #[test]
    fn enlarged_samples_are_counted_by_the_ways_to_fill_their_gaps() {
        let mut session = session(512);
        session.show_opening();
        let four = "The same samples, four ways to interpolate";
        assert_eq!(text_of(&session), four);
        session.pan([3.0, 0.0]);
        session.show_at(0.25, session.middle(), Change::Zoom);
        assert_eq!((text_of(&session).as_str(), session.is_opening()), (four, false));
        PanelSet::AllMethods.show(&mut session);
        assert_eq!(text_of(&session), "The same samples, nine ways to interpolate");
        // Two panels of one method are no two ways; those of different places have no same samples.
        PanelSet::AddressModes.show(&mut session);
        session.show_at(0.25, session.middle(), Change::Zoom);
        assert_eq!(text_of(&session), "");
        PanelSet::Prefilter.show(&mut session);
        assert_eq!(text_of(&session), "The same samples, two ways to interpolate");
        session.set_link(crate::app::session::Link::Off);
        session.pan_in(1, [5.0, 0.0]);
        assert_eq!(text_of(&session), "");
    }

    #[test]
    fn whole_images_look_alike_until_they_are_enlarged() {
        let mut session = session(2000);
        let action = |session: &Session| session.hint(true).expect("a hint").action;
        assert_eq!(action(&session), HintAction::Detail);
        assert_ne!(session.hint(true), session.hint(false), "insets are named where they are shown");
        session.show_detail();
        assert_eq!(action(&session), HintAction::Lessons);
        session.fit();
        assert_eq!(action(&session), HintAction::Detail);
        session.arrange(&[crate::sampling::Sampler { method: Method::Linear, ..Default::default() }]);
        assert_eq!(session.hint(true), Some(Hint::on("", "", MOVES)), "one panel");
    }

    #[test]
    fn panels_are_called_alike_where_methods_alone_tell_them_apart() {
        let mut session = session(2000);
        let alike = text_of(&session);
        assert!(alike.starts_with("Nearly alike"), "{alike}");
        let invert = FILTERS.iter().find(|row| row.filter.serves(Stage::After)).expect("a filter").filter;
        session.add_filter(Stage::After, invert);
        let hint = session.hint(false).expect("a hint");
        assert_eq!((hint.headline(), hint.action), (None, HintAction::Detail), "a filter of one panel");
        session.focused_panel().filters_off = true;
        assert_eq!(session.hint(false).expect("a hint").headline(), None, "its steps are there");
        session.focused_panel().filters = Filters::default();
        session.focused_panel().filters_off = false;
        assert_eq!(text_of(&session), alike);
        session.focused_panel().sampler.address = [AddressMode::Wrap; 2];
        session.touch_address();
        assert_eq!(text_of(&session), "", "the outside of one panel");
        session.change_samplers(|sampler| sampler.address = [AddressMode::Wrap; 2]);
        assert_eq!(text_of(&session), alike);
        session.set_content(0, Content::Truth);
        assert_eq!(text_of(&session), alike, "the truth of a reduced image looks as its interpolations do");
    }

    #[test]
    fn panels_of_named_methods_have_a_look_that_says_what_the_prefilter_does() {
        let mut session = session(512);
        PanelSet::AllMethods.show(&mut session);
        let looks: Vec<_> = (0..9).map(|index| session.looks(index).expect("looks")).collect();
        assert!((0..2).all(|form| looks[2][form] != looks[3][form]), "the B-spline without and with its prefilter");
        assert!(
            looks.iter().all(|[whole, short]| short.len() <= whole.len().min("sharp, thin halo".len())),
            "{looks:?}"
        );
        session.set_content(0, Content::Truth);
        assert_eq!(session.looks(0), None);
        session.focused_panel().content = Content::Interpolation;
        session.focused_panel().sampler.method = "keys=-0.7".parse().expect("a method");
        assert_eq!(session.looks(0), None);
    }

    #[test]
    fn comparisons_have_hints_of_their_own_and_tools_have_none() {
        let mut session = session(512);
        session.show_opening();
        let mut texts = vec![text_of(&session)];
        for compare in [Compare::Wipe, Compare::Difference] {
            session.set_compare(compare);
            texts.push(text_of(&session));
        }
        session.set_compare(Compare::SideBySide);
        session.toggle_flicker();
        texts.push(text_of(&session));
        session.toggle_flicker();
        assert_eq!(texts.iter().collect::<HashSet<_>>().len(), texts.len(), "{texts:?}");
        session.inspect.tool = Tool::Profile;
        assert_eq!(session.hint(false), None);
        session.inspect.leave();
        session.inspect.state.line = Some([[0.0, 0.0], [3.0, 4.0]]);
        assert_eq!(session.hint(false), None);
        session.inspect.state.line = None;
        session.inspect.state.drawer = Some(DrawerTool::Plots);
        assert_eq!(session.hint(false), None);
        session.inspect.state.drawer = None;
        assert_eq!(text_of(&session), texts[0]);
    }
}
