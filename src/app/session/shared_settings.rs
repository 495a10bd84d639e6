//! Settings of the focused panel for all panels: how they read and filter the image. What tells panels apart stays: methods, prefilters,
//! images and planes.

use super::Session;
use crate::filter::Filters;
use crate::sampling::Sampler;
use crate::warp::Warp;

/// The settings that all panels may have alike.
#[derive(Clone, Debug, PartialEq)]
struct SharedSettings {
    sampler: Sampler,
    warp: Warp,
    filters: Filters,
    filters_off: bool,
}

impl Session {
    /// Gives all panels the address modes, the border, the sampling path, the antialiasing, the blur, the antiringing, the warp and the filters of
    /// the focused one. A panel whose method is not sampled on that path keeps its own path.
    pub fn share_settings(&mut self) {
        for index in 0..self.panels.len() {
            let SharedSettings { sampler, warp, filters, filters_off } = self.with_shared(index);
            let panel = &mut self.panels[index];
            (panel.sampler, panel.warp, panel.filters, panel.filters_off) = (sampler, warp, filters, filters_off);
        }
    }

    /// Changes the samplers of all panels on show. A panel whose request would become invalid keeps its own.
    pub(in crate::app) fn change_samplers(&mut self, change: impl Fn(&mut Sampler)) {
        for index in self.visible() {
            let mut changed = self.panels[index].sampler;
            change(&mut changed);
            if self.refusal(index, changed).is_none() {
                self.panels[index].sampler = changed;
            }
        }
    }

    /// Whether all panels have the settings of the focused one, as far as their methods allow.
    pub fn shares_settings(&self) -> bool {
        (0..self.panels.len()).all(|index| self.settings_of(index) == self.with_shared(index))
    }

    fn settings_of(&self, index: usize) -> SharedSettings {
        let panel = &self.panels[index];
        let (warp, filters) = (panel.warp.clone(), panel.filters.clone());
        SharedSettings { sampler: panel.sampler, warp, filters, filters_off: panel.filters_off }
    }

    /// The settings of the focused panel as panel `index` takes them.
    fn with_shared(&self, index: usize) -> SharedSettings {
        let (shared, own) = (self.settings_of(self.focused), self.panels[index].sampler);
        let wanted = Sampler { method: own.method, prefilter: own.prefilter, ..shared.sampler };
        let of_path = [wanted.path, own.path].map(|path| Sampler { path, ..wanted });
        let sampler = of_path.into_iter().find(|sampler| self.refusal(index, *sampler).is_none());
        SharedSettings { sampler: sampler.unwrap_or(own), ..shared }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::filter::{FILTERS, Stage};
    use crate::image::{Channels, Depth, Image, Page, Raster};
    use crate::sampling::{AddressMode, SamplingPath};
    use crate::test_support::size;

    #[test]
    fn all_panels_get_the_settings_of_the_focused_one_but_for_methods_prefilters_and_paths_that_are_refused() {
        let page = Page::new(Raster::zeros(size(8, 6), Channels::Grey, Depth::EIGHT));
        let mut session = Session::new(Arc::new(Image::new("zeros", vec![page]).expect("an image")));
        let before: Vec<Sampler> = session.panels().iter().map(|panel| panel.sampler).collect();
        assert!(session.shares_settings(), "at first");
        session.focus(1);
        let filter = FILTERS.iter().find(|row| row.filter.serves(Stage::Before)).expect("a filter").filter;
        let panel = session.focused_panel();
        panel.sampler = Sampler {
            address: [AddressMode::Mirror, AddressMode::Wrap],
            border: 0.25,
            path: SamplingPath::Filtered,
            antialias: !panel.sampler.antialias,
            blur: 1.5,
            antiringing: 0.75,
            ..panel.sampler
        };
        session.add_filter(Stage::Before, filter);
        session.focused_panel().filters_off = true;
        assert!(!session.shares_settings());
        let focused = session.panels()[1].clone();
        session.share_settings();
        assert!(session.shares_settings());
        let mut refused = 0;
        for (index, panel) in session.panels().iter().enumerate() {
            let own = before[index];
            let path = Sampler { method: own.method, prefilter: own.prefilter, ..focused.sampler };
            // A panel's own path where the texture unit has not its method.
            let is_refused = panel.sampler.path != SamplingPath::Filtered;
            refused += usize::from(is_refused);
            assert_eq!(
                panel.sampler,
                Sampler { path: if is_refused { own.path } else { path.path }, ..path },
                "{index}"
            );
            assert_eq!(session.refusal(index, panel.sampler), None);
            assert_eq!((&panel.filters, panel.filters_off, &panel.warp), (&focused.filters, true, &focused.warp));
        }
        assert_eq!(session.panels()[1].sampler, focused.sampler);
        assert!(refused < 4, "{refused}");
        session.share_settings();
        assert_eq!(session.panels()[1].sampler, focused.sampler, "twice is once");
    }
}
