//! A session as plain values: what a file keeps of it.

use std::sync::Arc;

use super::Session;
use super::compare::{Compare, Difference, WipeLine};
use super::history::Framing;
use super::inspect::{Inspect, InspectState};
use super::layout::PanelLayout;
use super::link::Link;
use super::panels::Panel;
use crate::backend::Display;
use crate::filter::Filters;
use crate::image::Image;
use crate::sampling::Sampler;
use crate::view::View;

/// One panel.
#[derive(Clone, Debug, PartialEq)]
pub struct PanelState {
    /// Which of the session's images it shows, from 0.
    pub image: usize,
    /// Which page of it, from 0.
    pub page: usize,
    /// Where it looks.
    pub view: View,
    /// How the view follows the picture's size.
    pub framing: Framing,
    /// How a value between samples is made.
    pub sampler: Sampler,
    /// What is done to samples and to pixels.
    pub filters: Filters,
    /// Whether that is switched off.
    pub filters_off: bool,
    /// What becomes of the values.
    pub display: Display,
}

/// All panels, and how they stand and move.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionState {
    /// The panels; at least one, at most [`Session::MOST_PANELS`].
    pub panels: Vec<PanelState>,
    /// Which one the keys act on.
    pub focused: usize,
    /// Whether that one is shown alone.
    pub maximised: bool,
    /// How they stand.
    pub layout: PanelLayout,
    /// How they move together.
    pub link: Link,
    /// How they are held against each other.
    pub compare: Compare,
    /// The index of the panel that is chosen to be compared with the focused one; the next panel where none is chosen.
    pub second: Option<usize>,
    /// The line of a wipe.
    pub line: WipeLine,
    /// How a difference is shown.
    pub difference: Difference,
    /// The flicker rate, in flips a second.
    pub flips_a_second: f64,
    /// Whether the pointer's place is marked in every panel.
    pub has_crosshair: bool,
    /// What is looked at closely.
    pub inspect: InspectState,
}

impl Session {
    /// What a file keeps of this session, beside its images.
    pub fn state(&self) -> SessionState {
        let panel = |panel: &Panel| PanelState {
            image: panel.image_index(),
            page: panel.page_index(),
            view: panel.view(),
            framing: panel.framing(),
            sampler: panel.sampler,
            filters: panel.filters.clone(),
            filters_off: panel.filters_off,
            display: panel.display,
        };
        SessionState {
            panels: self.panels.iter().map(panel).collect(),
            focused: self.focused,
            maximised: self.maximised,
            layout: self.layout,
            link: self.link,
            compare: self.compare(),
            second: self.chosen_second(),
            line: self.line(),
            difference: self.difference(),
            flips_a_second: self.flips_a_second(),
            has_crosshair: self.has_crosshair(),
            inspect: self.inspect.state.clone(),
        }
    }

    /// A session of these images as it was; `None` where a panel shows an image or a page that there is not, or where the
    /// panels are too few or too many.
    pub fn restored(images: Vec<Arc<Image>>, state: &SessionState) -> Option<Self> {
        let mut session = Self::new(Arc::clone(images.first()?));
        if !(1..=Self::MOST_PANELS).contains(&state.panels.len()) {
            return None;
        }
        let panel = |state: &PanelState| {
            images.get(state.image)?.page(state.page)?;
            let mut panel = Panel::new(state.sampler, state.view);
            (panel.image, panel.page, panel.framing) = (state.image, state.page, state.framing);
            (panel.filters, panel.filters_off) = (state.filters.clone(), state.filters_off);
            panel.display = state.display;
            Some(panel)
        };
        session.panels = state.panels.iter().map(panel).collect::<Option<_>>()?;
        session.images = images;
        session.focus(state.focused);
        session.maximised = state.maximised;
        session.layout = state.layout;
        session.link = state.link;
        session.set_compare(state.compare);
        if let Some(second) = state.second {
            session.set_second(second);
        }
        session.set_line(state.line);
        session.set_difference(state.difference);
        session.set_flips_a_second(state.flips_a_second);
        if session.has_crosshair() != state.has_crosshair {
            session.toggle_crosshair();
        }
        session.inspect = Inspect::restored(state.inspect.clone());
        Some(session)
    }
}
