//! Steps in their order, and where they stand.

use super::{Edges, Plane, Step};

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

    /// `plane`, premultiplied, after every step that acts.
    #[must_use]
    pub fn apply(&self, mut plane: Plane, edges: &Edges) -> Plane {
        let mut other = Vec::new();
        for step in self.active() {
            step.apply(&plane, edges, &mut other);
            std::mem::swap(&mut plane.values, &mut other);
        }
        plane
    }

    /// The middle of `plane` after every step, `size` columns and rows: what is cut off is what [`Chain::reach`] says.
    #[must_use]
    pub fn apply_within(&self, plane: Plane, edges: &Edges, size: [u32; 2]) -> Plane {
        self.apply(plane, edges).middle(size)
    }
}
