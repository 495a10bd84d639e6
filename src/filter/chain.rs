//! Filter chains and their position in the pipeline.

use super::{Edges, ExecOptions, Inpainting, Plane, Step};
use crate::image::Size;
use crate::rows::rows;

/// Filters applied in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chain(pub Vec<Step>);

/// The two chains of a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filters {
    /// Applied to the source's samples, before the interpolation. Samples beyond an edge follow the sampler's address
    /// modes.
    pub before: Chain,
    /// Applied to the view's values, before the display mapping. Neighbourhood filters also read the image beyond the
    /// view's edge, so that panning does not change visible pixels. Distances are in output pixels.
    pub after: Chain,
}

/// The properties of a stage.
#[derive(Debug)]
pub struct StageRow {
    /// The stage.
    pub stage: Stage,
    /// Name of its option of `lerpscope render` and of its key in files.
    pub name: &'static str,
    /// Name in the window.
    pub title: &'static str,
    /// One-line description of filters at this stage.
    pub help: &'static str,
    /// Unit of distances.
    pub unit: &'static str,
}

rows! {
    /// Position of a filter chain.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Stage {
        /// Before the interpolation.
        Before => {
            name: "filter",
            title: "Before interpolation",
            help: "on the image's samples: widths are in samples and grow with the zoom",
            unit: "samples",
        },
        /// After the interpolation.
        After => {
            name: "filter-after",
            title: "After interpolation",
            help: "on the view's values: widths are in pixels at every zoom",
            unit: "pixels",
        },
    }

    /// The stages, in processing order.
    pub static STAGES: [StageRow { stage, .. }];
}

impl Filters {
    /// Chain of the stage.
    pub fn chain(&self, stage: Stage) -> &Chain {
        match stage {
            Stage::Before => &self.before,
            Stage::After => &self.after,
        }
    }

    /// Chain of the stage, mutable.
    pub fn chain_mut(&mut self, stage: Stage) -> &mut Chain {
        match stage {
            Stage::Before => &mut self.before,
            Stage::After => &mut self.after,
        }
    }

    /// Whether any step is enabled.
    pub fn is_active(&self) -> bool {
        self.before.is_active() || self.after.is_active()
    }

    /// Whether there are no steps, enabled or not.
    pub fn is_empty(&self) -> bool {
        self.before.0.is_empty() && self.after.0.is_empty()
    }

    /// The same steps, all disabled.
    #[must_use]
    pub fn switched_off(&self) -> Self {
        let off = |chain: &Chain| Chain(chain.0.iter().map(|step| step.switched(false)).collect());
        Self { before: off(&self.before), after: off(&self.after) }
    }

    /// Moves the step at `from` in front of the step at `to`, or to the end. Positions out of range, and a stage that the filter
    /// does not serve, leave the chains unchanged.
    ///
    /// ```
    /// use lerpscope::filter::{Filters, Stage};
    /// let mut filters = Filters { before: "negative;gaussian=1;sobel".parse()?, ..Filters::default() };
    /// filters.move_step((Stage::Before, 0), (Stage::Before, 2));
    /// filters.move_step((Stage::Before, 2), (Stage::After, 0));
    /// assert_eq!((filters.before.to_string(), filters.after.to_string()), ("gaussian=1;negative".into(), "sobel".into()));
    /// # Ok::<(), lerpscope::filter::FilterError>(())
    /// ```
    pub fn move_step(&mut self, from: (Stage, usize), to: (Stage, usize)) {
        if self.chain(from.0).0.get(from.1).is_none_or(|step| !step.filter().serves(to.0)) {
            return;
        }
        let step = self.chain_mut(from.0).0.remove(from.1);
        let shift = usize::from(from.0 == to.0 && to.1 > from.1);
        let chain = &mut self.chain_mut(to.0).0;
        let place = (to.1 - shift).min(chain.len());
        chain.insert(place, step);
    }
}

impl Chain {
    /// Largest total reach of a chain after the interpolation: the view is rendered with a margin of this many pixels
    /// at most.
    pub const MAX_REACH: u32 = 1024;

    /// The enabled steps.
    pub fn active(&self) -> impl Iterator<Item = &Step> {
        self.0.iter().filter(|step| step.enabled)
    }

    /// Whether any step is enabled.
    pub fn is_active(&self) -> bool {
        self.active().next().is_some()
    }

    /// Reach of the chain: the sum of its steps' reaches, in samples.
    pub fn reach(&self) -> u32 {
        self.active().fold(0, |reach, step| reach.saturating_add(step.reach()))
    }

    /// Number of planes that [`Chain::apply`] holds at once, the input included: 1 for point filters only, 2 with any
    /// other.
    pub fn planes(&self) -> u64 {
        if self.active().any(|step| !step.filter().is_point()) { 2 } else { 1 }
    }

    /// The enabled steps up to the last that inpaints, and those after it.
    #[cfg(feature = "cuda")]
    pub(crate) fn split_behind_inpainting(&self) -> (Self, Self) {
        let mut steps: Vec<Step> = self.active().copied().collect();
        let end = steps.iter().rposition(|step| step.mask().is_some()).map_or(0, |last| last + 1);
        let after = steps.split_off(end);
        (Self(steps), Self(after))
    }

    /// Bytes of the largest solver of its steps, for samples of this size.
    pub fn solver_bytes(&self, size: Size) -> u64 {
        let masks = self.active().filter_map(Step::mask);
        masks.map(|mask| mask.max_samples(size) * Inpainting::BYTES_A_SAMPLE).max().unwrap_or(0)
    }

    /// Applies every enabled step to `plane`, which is premultiplied. `None` if the work was cancelled.
    ///
    /// Memory: point filters work in place. The first neighbourhood filter allocates a second plane, which the others
    /// swap and the last one frees. Each task holds a few rows or tiles in addition.
    #[must_use]
    pub fn apply(&self, mut plane: Plane, edges: &Edges, work: &ExecOptions) -> Option<Plane> {
        let mut spare = Vec::new();
        let mut neighbourhoods = self.active().filter(|step| !step.filter().is_point()).count();
        for step in self.active() {
            step.replace(&mut plane, edges, &work.stage(step.filter().row().title), &mut spare);
            if work.stop.is_set() {
                return None;
            }
            neighbourhoods -= usize::from(!step.filter().is_point());
            if neighbourhoods == 0 {
                spare = Vec::new();
            }
        }
        Some(plane)
    }

    /// The centre part of `plane` after every step, `size` columns and rows; the margin cut off is [`Chain::reach`].
    /// `None` if the work was cancelled.
    #[must_use]
    pub fn apply_within(&self, plane: Plane, edges: &Edges, work: &ExecOptions, size: [u32; 2]) -> Option<Plane> {
        Some(self.apply(plane, edges, work)?.middle(size))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACES: usize = 5;

    fn filters() -> Filters {
        Filters {
            before: "negative;gaussian=1;sobel".parse().expect("a chain"),
            after: "median=1;unsharp;bilateral".parse().expect("a chain"),
        }
    }

    fn names(filters: &Filters) -> [Vec<String>; 2] {
        STAGES.each_ref().map(|row| filters.chain(row.stage).0.iter().map(ToString::to_string).collect())
    }

    /// The target step is looked up before anything moves.
    #[test]
    fn moved_step_is_inserted_before_its_target() {
        let stages = [Stage::Before, Stage::After];
        let all = (0..2).flat_map(|stage| (0..PLACES).map(move |place| (stage, place)));
        for (from, to) in all.clone().flat_map(|from| all.clone().map(move |to| (from, to))) {
            let mut filters = filters();
            let before = names(&filters);
            filters.move_step((stages[from.0], from.1), (stages[to.0], to.1));
            let mut expected = before.clone();
            if let Some(step) = before[from.0].get(from.1) {
                let stood_there = before[to.0].get(to.1).filter(|there| *there != step);
                let is_itself = before[to.0].get(to.1) == Some(step);
                if !is_itself {
                    expected[from.0].remove(from.1);
                    let chain = &mut expected[to.0];
                    let place = stood_there.and_then(|there| chain.iter().position(|name| name == there));
                    chain.insert(place.unwrap_or(chain.len()), step.clone());
                }
            }
            assert_eq!(names(&filters), expected, "from {from:?} to {to:?}");
        }
    }
}
