//! Sessions of lessons: the state of a step takes the place of the last step's, with the same panels and images by id, so that
//! their pictures remain and their views ease from one to the other.

use std::sync::Arc;

use super::Session;
use super::link::Link;
use super::open_images::OpenImages;
use super::panels::PanelId;
use super::preferences::Preferences;
use super::state::SessionState;
use super::view_animation::ViewAnimation;
use crate::image::{Image, Size};
use crate::view::View;

/// The step of a lesson that a session belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LessonPlace {
    /// Index of the step, from 0.
    pub step: usize,
    /// Number of steps of the lesson.
    pub count: usize,
}

/// A rectangle that a panel shows: its view follows the size of the picture until the student moves it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ShownRegion {
    panel: PanelId,
    /// Left, top, right and bottom, in samples.
    edges: [f64; 4],
}

/// The state of a step.
#[derive(Clone, Debug)]
pub struct StepState {
    /// The open images.
    pub images: Vec<Arc<Image>>,
    /// Panels, layout and inspection state.
    pub state: SessionState,
    /// The rectangle that each panel shows, left, top, right and bottom, in samples; `None` shows the view of the state.
    pub regions: Vec<Option<[f64; 4]>>,
}

impl Session {
    /// The step of a lesson that this session belongs to; `None` for a session of the user.
    pub fn lesson(&self) -> Option<LessonPlace> {
        self.lesson
    }

    /// Whether it is the session of a lesson.
    pub fn is_of_lesson(&self) -> bool {
        self.lesson.is_some()
    }

    /// A session in the state of the step at `place`, after the session `self`. If that is of a lesson, too, panels at the same places
    /// and images that both have keep their ids, and views ease from those that `self` shows within `lasts_s` seconds, unless motion
    /// is reduced. It has nothing to undo. `None` if a panel shows an image or a page that is not there.
    pub fn at_step(
        &self,
        place: LessonPlace,
        step: &StepState,
        preferences: &Preferences,
        lasts_s: f64,
    ) -> Option<Self> {
        let mut next = self.succeeded_by(step)?;
        next.lesson = Some(place);
        if self.is_of_lesson() && !preferences.reduced_motion && lasts_s > 0.0 {
            let size = |session: &Self, index: usize| session.page_of(index).size();
            let both = 0..self.panels.len().min(next.panels.len());
            let is_of_one_size = |index: &usize| size(self, *index) == size(&next, *index);
            let from = both.filter(is_of_one_size).map(|index| (self.panels[index].id, self.shown_view_of(index)));
            next.animation = Some(ViewAnimation::of_replacement(from.collect(), lasts_s, self.now_s));
        }
        Some(next)
    }

    /// Takes the values of `step` for this session's own, as a parameter of a lesson does while it is dragged. Undo and the history
    /// of views remain. Returns false if a panel shows an image or a page that is not there.
    pub fn take_values(&mut self, step: &StepState) -> bool {
        let Some(mut next) = self.succeeded_by(step) else { return false };
        next.lesson = self.lesson;
        next.history = std::mem::take(&mut self.history);
        next.undo_stack = std::mem::take(&mut self.undo_stack);
        next.inspect.tool = self.inspect.tool;
        (next.inspect.cursor, next.inspect.pointed) = (self.inspect.cursor, self.inspect.pointed);
        next.automatic_gain = self.automatic_gain;
        next.output = self.output;
        next.animation = self.animation.take();
        next.reframe_views();
        *self = next;
        true
    }

    /// A session in the state of `step`, with the ids of this one if it is of a lesson: nothing that is kept by the id of a panel of
    /// the user's own is of a lesson. Its pictures have no size yet, so that its views do not depend on this one's layout.
    fn succeeded_by(&self, step: &StepState) -> Option<Self> {
        let images = OpenImages::succeeding(self.is_of_lesson().then_some(&self.images), &step.images)?;
        let kept = self.panels.iter().filter(|_| self.is_of_lesson());
        let ids: Vec<PanelId> = kept.map(|panel| panel.id).collect();
        let mut next = Self::restored_with(images, &ids, &step.state)?;
        next.now_s = self.now_s;
        next.ground = self.ground;
        next.fit_margin_px = self.fit_margin_px;
        let region = |(panel, edges): (PanelId, &Option<[f64; 4]>)| edges.map(|edges| ShownRegion { panel, edges });
        next.regions = next.panels.iter().map(|panel| panel.id).zip(&step.regions).filter_map(region).collect();
        Some(next)
    }

    /// The rectangle that panel `index` shows, left, top, right and bottom, in samples; `None` once the user moved its view.
    pub fn region_of(&self, index: usize) -> Option<[f64; 4]> {
        let id = self.panels.get(index)?.id;
        self.regions.iter().find(|region| region.panel == id).map(|region| region.edges)
    }

    /// The view in which panel `index` shows its rectangle, turned about its middle by the panel's angle; `None` if it has none.
    pub(super) fn view_of_region(&self, index: usize) -> Option<View> {
        let upright = view_of_region(self.region_of(index)?, self.output, self.page_of(index).size())?;
        let middle = [self.output.width(), self.output.height()].map(|side| 0.5 * f64::from(side) - 0.5);
        Some(upright.rotated_about(middle, self.view_of(index).angle_deg(), self.output))
    }

    /// Forgets the rectangle of panel `index`, whose view changes, and those of the panels that follow it.
    pub(super) fn forget_regions(&mut self, index: usize) {
        let (moved, link) = (self.panels[index].id, self.link);
        self.regions.retain(|region| link == Link::Off && region.panel != moved);
    }
}

/// The view of a page in which the samples from `left` to `right` and from `top` to `bottom` just fit into a picture of size
/// `output`. `None` if the scale is out of range.
pub fn view_of_region([left, top, right, bottom]: [f64; 4], output: Size, page: Size) -> Option<View> {
    let sides = |size: Size| [f64::from(size.width()), f64::from(size.height())];
    let (output, page) = (sides(output), sides(page));
    // A sample reaches half a sample beyond its position.
    let scale = ((right - left + 1.0) / output[0]).max((bottom - top + 1.0) / output[1]);
    let middle = [0.5 * (left + right), 0.5 * (top + bottom)];
    // The middle of the picture lies half a pixel before the output position of half its size.
    View::new([0, 1].map(|axis| middle[axis] - 0.5 * page[axis] + 0.5 * scale), scale).ok()
}
