//! The panels: their settings, and how they are added, closed and reordered.

use std::sync::atomic::{AtomicU64, Ordering};

use super::Session;
use super::compare::Compare;
use super::history::Framing;
use super::open_images::ImageId;
use super::panel_names::PanelMethod;
use crate::backend::{Content, Display};
use crate::complex::Component;
use crate::filter::{Chain, Filters};
use crate::sampling::Sampler;
use crate::view::View;
use crate::volume::Plane;
use crate::warp::Warp;

/// Identifies a panel for its whole life, independent of its index. Ids are unique within the process; a panel restored
/// by undo has its earlier id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PanelId(u64);

impl PanelId {
    /// An unused id.
    pub(in crate::app) fn next() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// A panel: the image that it shows and how it is rendered. The private fields determine its view; they change through
/// the session, since linked panels follow.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// What its values are.
    pub content: Content,
    /// Displacement of the places in its picture.
    pub warp: Warp,
    /// Interpolation of values between samples. While the panel shows the truth, its antialiasing alone has an effect; the
    /// rest is kept for the panel's return to its method.
    pub sampler: Sampler,
    /// Filters of the samples, before interpolation, and of the pixels, after it.
    pub filters: Filters,
    /// Whether all filters are disabled, whatever their own switches.
    pub filters_off: bool,
    /// Display mapping of the values.
    pub display: Display,
    pub(super) id: PanelId,
    pub(super) image: ImageId,
    pub(super) page: usize,
    pub(super) plane: Plane,
    /// Component of an image of complex numbers.
    pub(super) component: Component,
    pub(super) view: View,
    pub(super) framing: Framing,
}

impl Panel {
    /// A panel of the first page of `image`, fitted.
    pub(super) fn new(sampler: Sampler, view: View, image: ImageId) -> Self {
        let (id, display) = (PanelId::next(), Display::default());
        let filters = Filters::default();
        let content = Content::default();
        let (warp, framing, plane, component) = (Warp::None, Framing::Fit, Plane::default(), Component::Magnitude);
        Self {
            content,
            warp,
            sampler,
            filters,
            filters_off: false,
            display,
            id,
            image,
            page: 0,
            plane,
            component,
            view,
            framing,
        }
    }

    /// The filters that its pictures are rendered with: all disabled if [`Panel::filters_off`]. The truth has no samples to
    /// filter.
    pub fn filters_in_force(&self) -> Filters {
        let filters = if self.filters_off { self.filters.switched_off() } else { self.filters.clone() };
        match self.content {
            Content::Interpolation => filters,
            Content::Truth => Filters { before: Chain::default(), ..filters },
        }
    }

    /// The sampler that its pictures are rendered with: the texture unit does not widen kernels, so that its path has no
    /// antialiasing. Of the truth it is the usual sampler, with the panel's antialiasing.
    pub fn sampler_in_force(&self) -> Sampler {
        match self.content {
            Content::Interpolation => in_force(self.sampler),
            Content::Truth => Sampler { antialias: self.sampler.antialias, ..Sampler::default() },
        }
    }

    /// What it is named by.
    pub fn method(&self) -> PanelMethod {
        match self.content {
            Content::Interpolation => PanelMethod::Method(self.sampler.method),
            Content::Truth => PanelMethod::Truth,
        }
    }

    /// Its id, for references across frames.
    pub fn id(&self) -> PanelId {
        self.id
    }

    /// Id of its image.
    pub fn image_id(&self) -> ImageId {
        self.image
    }

    /// Index of its page, from 0.
    pub fn page_index(&self) -> usize {
        self.page
    }

    /// Its view.
    pub fn view(&self) -> View {
        self.view
    }

    /// How its view follows the size of the picture.
    pub fn framing(&self) -> Framing {
        self.framing
    }
}

/// `sampler`, without antialiasing where its path serves none.
pub(super) fn in_force(sampler: Sampler) -> Sampler {
    Sampler { antialias: sampler.antialias && sampler.path.is_exact(), ..sampler }
}

impl Session {
    /// Maximum number of panels.
    pub const MAX_PANELS: usize = 9;

    /// The panels, in the order of the window.
    pub fn panels(&self) -> &[Panel] {
        &self.panels
    }

    /// The panel with this id; `None` if it was closed.
    pub fn panel(&self, id: PanelId) -> Option<&Panel> {
        self.panels.iter().find(|panel| panel.id == id)
    }

    /// Index of the panel with this id; `None` if it was closed. It is valid until panels are added, closed or moved.
    pub fn index_of(&self, id: PanelId) -> Option<usize> {
        self.panels.iter().position(|panel| panel.id == id)
    }

    /// Index of the panel under the cursor.
    pub(in crate::app) fn pointed(&self) -> Option<usize> {
        self.inspect.pointed.and_then(|panel| self.index_of(panel))
    }

    /// Index of the focused panel, which commands act on.
    pub fn focused(&self) -> usize {
        self.focused
    }

    /// The focused panel.
    pub fn focused_panel(&mut self) -> &mut Panel {
        &mut self.panels[self.focused]
    }

    /// Has panel `index` show `content`.
    pub fn set_content(&mut self, index: usize, content: Content) {
        if let Some(panel) = self.panel_mut(index) {
            panel.content = content;
        }
    }

    /// The panel at `index`.
    pub fn panel_mut(&mut self, index: usize) -> Option<&mut Panel> {
        self.panels.get_mut(index)
    }

    /// Focuses panel `index`, or the last panel if there are fewer.
    pub fn focus(&mut self, index: usize) {
        let index = index.min(self.panels.len() - 1);
        if index != self.focused {
            self.focused = index;
            self.end_comparison_with_focus();
        }
    }

    /// Focuses the panel `step` positions on, cyclically.
    pub fn step_focus(&mut self, step: isize) {
        let count = self.panels.len() as isize;
        self.focus((self.focused as isize + step).rem_euclid(count) as usize);
    }

    /// Closes panel `index`. Returns `false` if it is the only panel. The focus stays with its panel, or moves to the
    /// panel that takes the closed one's position.
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
            self.maximized = false;
            self.set_compare(Compare::SideBySide);
        }
        true
    }

    /// Swaps two panels. The focus moves with its panel.
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

    /// Swaps the focused panel with the one `step` positions on, cyclically.
    pub fn step_panel(&mut self, step: isize) {
        let other = (self.focused as isize + step).rem_euclid(self.panels.len() as isize) as usize;
        self.swap_panels(self.focused, other);
    }

    /// Replaces all panels by one panel per sampler, as [`Session::arrange_contents`].
    pub fn arrange(&mut self, samplers: &[Sampler]) {
        let contents: Vec<_> = samplers.iter().map(|sampler| (Content::Interpolation, *sampler)).collect();
        self.arrange_contents(&contents);
    }

    /// Replaces all panels by one panel per content with its sampler, at most [`Session::MAX_PANELS`], each with the focused
    /// panel's view. Without any nothing changes.
    pub fn arrange_contents(&mut self, contents: &[(Content, Sampler)]) {
        let contents = &contents[..contents.len().min(Self::MAX_PANELS)];
        if contents.is_empty() {
            return;
        }
        let model = self.panels[self.focused].clone();
        let panel = |(content, sampler): &(Content, Sampler)| Panel {
            content: *content,
            sampler: *sampler,
            id: PanelId::next(),
            ..model.clone()
        };
        self.panels = contents.iter().map(panel).collect();
        self.focused = 0;
        self.maximized = false;
        self.set_compare(Compare::SideBySide);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::compare::COMPARES;
    use super::super::panel_sets::PANEL_SETS;
    use super::super::preferences::Preferences;
    use super::*;
    use crate::image::{Channels, Depth, Image, Page, Raster};
    use crate::test_support::size;

    fn image(side: u32) -> Arc<Image> {
        let side = size(side, side);
        let page = Page::new(Raster::zeros(side, Channels::Grey, Depth::EIGHT));
        Arc::new(Image::new("zeros", vec![page]).expect("an image"))
    }

    fn ids(session: &Session) -> Vec<PanelId> {
        session.panels.iter().map(|panel| panel.id).collect()
    }

    fn assert_distinct(ids: &[PanelId]) {
        assert!(ids.iter().enumerate().all(|(at, id)| !ids[..at].contains(id)), "{ids:?}");
    }

    #[test]
    fn focus_after_a_close_is_the_panel_in_the_closed_ones_position() {
        for count in 2..=5 {
            for (focused, closed) in (0..count).flat_map(|focused| (0..count).map(move |closed| (focused, closed))) {
                let mut session = Session::new(image(8));
                session.arrange(&vec![Sampler::default(); count]);
                session.focus(focused);
                let (before, is_last) = (ids(&session), closed == count - 1);
                assert!(session.close_panel(closed));
                let expected = match closed == focused {
                    false => before[focused],
                    true if is_last => before[closed - 1],
                    true => before[closed + 1],
                };
                assert_eq!(session.panels[session.focused].id, expected, "{closed} of {count} with focus on {focused}");
                let left: Vec<PanelId> = before.iter().copied().filter(|id| *id != before[closed]).collect();
                assert_eq!(ids(&session), left);
            }
        }
    }

    #[test]
    fn last_panel_and_missing_panels_are_not_closed() {
        let mut session = Session::new(image(8));
        assert!(!session.close_panel(4));
        (0..3).for_each(|_| assert!(session.close_panel(0)));
        assert!(!session.close_panel(0) && session.panels.len() == 1);
    }

    #[test]
    fn added_panel_is_the_last_with_the_focus_and_the_focused_ones_settings() {
        for add in [Session::add_panel, Session::duplicate_panel] {
            let mut session = Session::new(image(8));
            for count in 5..=Session::MAX_PANELS {
                session.focus(count % 3);
                let (before, focused) = (ids(&session), session.focused);
                session.focused_panel().sampler.border = count as f32;
                assert!(add(&mut session));
                assert_eq!((session.focused, session.panels.len()), (count - 1, count));
                assert_eq!(session.panels[count - 1].sampler.border, session.panels[focused].sampler.border);
                let now = ids(&session);
                assert_distinct(&now);
                assert_eq!(now[..count - 1], before, "the other panels keep their numbers");
            }
            let before = ids(&session);
            assert!(!add(&mut session));
            assert_eq!(ids(&session), before);
        }
    }

    /// Model of the panels: their ids and the focused id, maintained beside the session.
    struct Model {
        ids: Vec<PanelId>,
        focused: PanelId,
    }

    /// Applies one random change to the session and to the model. Ids of new panels are copied from the session.
    fn change(session: &mut Session, model: &mut Model, random: &mut fastrand::Rng) {
        let (one, other) = (random.usize(..model.ids.len()), random.usize(..model.ids.len()));
        let place = model.ids.iter().position(|id| *id == model.focused).expect("the focus is a panel's");
        match random.u8(..10) {
            0 | 1 => {
                if if random.bool() { session.add_panel() } else { session.duplicate_panel() } {
                    let new = session.panels[model.ids.len()].id;
                    assert!(!model.ids.contains(&new), "a panel has an id of its own");
                    model.ids.push(new);
                    model.focused = new;
                }
            }
            2 => {
                if session.close_panel(one) {
                    let gone = model.ids.remove(one);
                    if gone == model.focused {
                        model.focused = model.ids[one.min(model.ids.len() - 1)];
                    }
                }
            }
            3 => {
                session.swap_panels(one, other);
                model.ids.swap(one, other);
            }
            4 => {
                let step = if random.bool() { 1 } else { -1 };
                session.step_panel(step);
                let count = model.ids.len() as isize;
                model.ids.swap(place, (place as isize + step).rem_euclid(count) as usize);
            }
            5 => {
                session.focus(one);
                model.focused = model.ids[one];
            }
            6 => {
                let step = if random.bool() { 1 } else { -1 };
                session.step_focus(step);
                let count = model.ids.len() as isize;
                model.focused = model.ids[(place as isize + step).rem_euclid(count) as usize];
            }
            7 => {
                let before = model.ids.clone();
                PANEL_SETS[random.usize(..PANEL_SETS.len())].panel_set.show(session);
                model.ids = ids(session);
                assert!(model.ids.iter().all(|id| !before.contains(id)), "arranged panels are new ones");
                model.focused = model.ids[0];
            }
            8 => {
                session.set_second(one);
                session.set_compare(COMPARES[random.usize(..COMPARES.len())].compare);
            }
            _ => {
                let pair = session.pair();
                session.exchange_pair();
                if let Some([first, second]) = pair {
                    assert_eq!(session.pair(), Some([second, first]));
                    model.focused = model.ids[second];
                }
            }
        }
    }

    #[test]
    fn random_changes_keep_ids_distinct_and_the_focus_as_specified() {
        for seed in 0..40 {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut session = Session::new(image(8));
            let mut model = Model { ids: ids(&session), focused: session.panels[0].id };
            let mut moments = Vec::new();
            session.note_edits(&Preferences::default(), false);
            for step in 0..150 {
                let before = (ids(&session), session.undoes().is_some());
                change(&mut session, &mut model, &mut random);
                assert_eq!(ids(&session), model.ids, "seed {seed}, step {step}");
                assert_eq!(session.panels[session.focused].id, model.focused, "seed {seed}, step {step}");
                assert_distinct(&model.ids);
                session.note_edits(&Preferences::default(), false);
                if ids(&session) != before.0 {
                    moments.push((before.0, ids(&session)));
                }
            }
            // Undo and redo restore the same panels, by id, in their positions.
            let places: Vec<Vec<PanelId>> =
                std::iter::from_fn(|| session.undo(&mut Preferences::default()).map(|_| ids(&session))).collect();
            for (before, _) in &moments {
                assert!(places.contains(before), "seed {seed}");
            }
            while session.redo(&mut Preferences::default()).is_some() {
                assert_distinct(&ids(&session));
                assert!(session.focused < session.panels.len());
            }
            assert_eq!(ids(&session), model.ids, "seed {seed}: redone");
            // A session restored from its state has new panels, as many, with the same index focused.
            let again = Session::restored(session.images().to_vec(), &session.state()).expect("a session");
            assert_eq!((again.panels.len(), again.focused), (session.panels.len(), session.focused));
            assert_distinct(&[ids(&session), ids(&again)].concat());
        }
    }
}
