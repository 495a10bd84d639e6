//! Filter chains and their position in the pipeline.

use super::{Edges, Plane, Step, Work};
use crate::rows::rows;

/// Filters one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chain(pub Vec<Step>);

/// The two chains of a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filters {
    /// On the source's samples, before the interpolation. What lies beyond an edge is what the sampler finds there.
    pub before: Chain,
    /// On the view's values, before the display mapping. A step that looks around sees the picture beyond the view's edge
    /// too, so that panning changes nothing that stays in sight. Distances are output pixels.
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
            help: "on the image's samples: widths are samples and grow with the zoom",
            unit: "samples",
        },
        /// After the interpolation.
        After => {
            name: "filter-after",
            title: "After interpolation",
            help: "on the view's values: widths are pixels, whatever the zoom",
            unit: "pixels",
        },
    }

    /// The stages, in processing order.
    pub static STAGES: [StageRow { stage, .. }];
}

impl Filters {
    /// The chain that stands there.
    pub fn chain(&self, stage: Stage) -> &Chain {
        match stage {
            Stage::Before => &self.before,
            Stage::After => &self.after,
        }
    }

    /// The same, to be changed.
    pub fn chain_mut(&mut self, stage: Stage) -> &mut Chain {
        match stage {
            Stage::Before => &mut self.before,
            Stage::After => &mut self.after,
        }
    }

    /// Whether any step acts.
    pub fn is_active(&self) -> bool {
        self.before.is_active() || self.after.is_active()
    }

    /// Whether there is no step, not even one that is switched off.
    pub fn is_empty(&self) -> bool {
        self.before.0.is_empty() && self.after.0.is_empty()
    }

    /// The same steps, none of which acts.
    #[must_use]
    pub fn switched_off(&self) -> Self {
        let off = |chain: &Chain| Chain(chain.0.iter().map(|step| step.switched(false)).collect());
        Self { before: off(&self.before), after: off(&self.after) }
    }

    /// Takes the step at `from` out and puts it where `to` says: in front of the step that stood there before, or behind
    /// the last. What is not there stays as it is.
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
        if from.1 >= self.chain(from.0).0.len() {
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
    /// How far a chain may reach in all where it stands after the interpolation: as much is rendered around the view.
    pub const MOST_REACH: u32 = 1024;

    /// The steps that act.
    pub fn active(&self) -> impl Iterator<Item = &Step> {
        self.0.iter().filter(|step| step.enabled)
    }

    /// Whether any step acts.
    pub fn is_active(&self) -> bool {
        self.active().next().is_some()
    }

    /// How far beyond a sample the whole chain reads: what its steps read, added up.
    pub fn reach(&self) -> u32 {
        self.active().fold(0, |reach, step| reach.saturating_add(step.reach()))
    }

    /// Planes of values that [`Chain::apply`] holds at once, the one that it is given included: 2 where a neighbourhood
    /// filter acts, 1 for point filters alone.
    pub fn planes(&self) -> u64 {
        if self.active().any(|step| !step.filter().is_point()) { 2 } else { 1 }
    }

    /// `plane`, premultiplied, after every step that acts; nothing where the work was given up.
    ///
    /// Memory: point filters work in place. The first neighbourhood filter allocates a second plane, the others swap the
    /// two, and it is freed behind the last of them. What tasks hold besides is a few rows or tiles each.
    #[must_use]
    pub fn apply(&self, mut plane: Plane, edges: &Edges, work: &Work) -> Option<Plane> {
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

    /// The middle of `plane` after every step, `size` columns and rows: what is cut off is what [`Chain::reach`] says.
    /// Nothing where the work was given up.
    #[must_use]
    pub fn apply_within(&self, plane: Plane, edges: &Edges, work: &Work, size: [u32; 2]) -> Option<Plane> {
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

    /// A moved step stands in front of the step that stood at its new place, or behind the last: what that step is, is
    /// looked up before anything moves.
    #[test]
    fn a_moved_step_stands_in_front_of_the_one_that_stood_there() {
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
