//! The state of a session as plain values, for session files and snapshots.

use std::sync::Arc;

use super::Session;
use super::compare::{Compare, WipeLine};
use super::difference::Difference;
use super::history::Framing;
use super::inspect::{Inspect, InspectState};
use super::kept_place::KeptPlace;
use super::layout::PanelLayout;
use super::link::Link;
use super::open_images::OpenImages;
use super::panels::{Panel, PanelId};
use crate::backend::{Content, Display};
use crate::complex::Component;
use crate::filter::Filters;
use crate::image::Image;
use crate::sampling::Sampler;
use crate::view::View;
use crate::volume::Plane;
use crate::warp::Warp;

/// State of a panel.
#[derive(Clone, Debug, PartialEq)]
pub struct PanelState {
    /// Index of its image in [`Session::images`].
    pub image: usize,
    /// Index of its page, from 0.
    pub page: usize,
    /// Its plane, of an image that is a volume.
    pub plane: Plane,
    /// Its component, of an image of complex numbers.
    pub component: Component,
    /// Its view.
    pub view: View,
    /// How the view follows the size of the picture.
    pub framing: Framing,
    /// Displacement of the places in its picture.
    pub warp: Warp,
    /// What its values are.
    pub content: Content,
    /// Interpolation of values between samples.
    pub sampler: Sampler,
    /// Filters of the samples and of the pixels.
    pub filters: Filters,
    /// Whether all filters are disabled.
    pub filters_off: bool,
    /// Display mapping.
    pub display: Display,
}

/// State of a session, without its images.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionState {
    /// The panels, 1 … [`Session::MAX_PANELS`].
    pub panels: Vec<PanelState>,
    /// Index of the focused panel.
    pub focused: usize,
    /// Whether the focused panel is shown alone.
    pub maximized: bool,
    /// Arrangement of the panels.
    pub layout: PanelLayout,
    /// Link mode.
    pub link: Link,
    /// What views keep when their panels change to an image of another size.
    pub kept_place: KeptPlace,
    /// Comparison.
    pub compare: Compare,
    /// Index of the panel selected as the second of the comparison; `None` selects the next panel.
    pub second: Option<usize>,
    /// Wipe line.
    pub line: WipeLine,
    /// Display of differences.
    pub difference: Difference,
    /// Flicker rate, in flips per second.
    pub flips_a_second: f64,
    /// Whether the crosshair marks the pointer's position in every panel.
    pub has_crosshair: bool,
    /// Whether what lies outside the images is dimmed while all address modes are the usual one.
    pub dims_outside: bool,
    /// Inspection state.
    pub inspect: InspectState,
    /// Index of the image that *Identify kernel* takes for the output; `None` takes the first other image.
    pub identified: Option<usize>,
}

impl Session {
    /// The state of this session.
    pub fn state(&self) -> SessionState {
        let panel = |panel: &Panel| PanelState {
            image: self.place_of_image(panel.image_id()).unwrap_or_default(),
            page: panel.page_index(),
            plane: panel.plane,
            component: panel.component,
            view: panel.view(),
            framing: panel.framing(),
            warp: panel.warp.clone(),
            content: panel.content,
            sampler: panel.sampler,
            filters: panel.filters.clone(),
            filters_off: panel.filters_off,
            display: panel.display,
        };
        SessionState {
            panels: self.panels.iter().map(panel).collect(),
            focused: self.focused,
            maximized: self.maximized,
            layout: self.layout,
            link: self.link,
            kept_place: self.kept_place,
            compare: self.compare(),
            second: self.chosen_second(),
            line: self.line(),
            difference: self.difference(),
            flips_a_second: self.flips_a_second(),
            has_crosshair: self.has_crosshair(),
            dims_outside: !self.address_touched,
            inspect: self.inspect.state.clone(),
            identified: self.inspect.identified.and_then(|id| self.place_of_image(id)),
        }
    }

    /// A session of `images` in the given state. `None` if a panel shows a missing image or page, or if the number of
    /// panels is out of range.
    pub fn restored(images: Vec<Arc<Image>>, state: &SessionState) -> Option<Self> {
        let mut images = images.into_iter();
        let mut open = OpenImages::new(images.next()?);
        for image in images {
            open.push(image);
        }
        Self::restored_with(open, &[], state)
    }

    /// The same with the list `open`. A panel has the id at its place in `ids`, or a new one where there is none.
    pub(super) fn restored_with(open: OpenImages, ids: &[PanelId], state: &SessionState) -> Option<Self> {
        let mut session = Self::new(Arc::clone(open.all().first()?));
        if !(1..=Self::MAX_PANELS).contains(&state.panels.len()) {
            return None;
        }
        let panel = |(place, state): (usize, &PanelState)| {
            open.all().get(state.image)?.page(state.page)?;
            let mut panel = Panel::new(state.sampler, state.view, open.ids()[state.image]);
            panel.id = ids.get(place).copied().unwrap_or(panel.id);
            (panel.page, panel.plane, panel.framing) = (state.page, state.plane, state.framing);
            (panel.component, panel.content) = (state.component, state.content);
            panel.warp = state.warp.clone();
            (panel.filters, panel.filters_off) = (state.filters.clone(), state.filters_off);
            panel.display = state.display;
            Some(panel)
        };
        session.panels = state.panels.iter().enumerate().map(panel).collect::<Option<_>>()?;
        session.images = open;
        session.focus(state.focused);
        session.maximized = state.maximized;
        session.layout = state.layout;
        session.link = state.link;
        session.kept_place = state.kept_place;
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
        session.address_touched = !state.dims_outside;
        session.inspect = Inspect::restored(state.inspect.clone());
        session.inspect.identified = state.identified.and_then(|place| session.image_ids().get(place).copied());
        Some(session)
    }
}
