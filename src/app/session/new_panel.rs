//! New panels: with the next method that no panel shows, or copies.

use super::compare::Compare;
use super::panels::{Panel, PanelId};
use super::{Session, SetMethod as _};
use crate::backend::{Content, RequestError};
use crate::sampling::{METHODS, Method, Sampler};

impl Session {
    /// Appends a panel with the settings of the focused one and the next method, in menu order, that no panel shows, and focuses it.
    /// Where all are shown it is the cubic B-spline with prefilter, or without it; then a copy. The other panels keep their numbers
    /// and with them their colours. Returns `false` if there are [`Session::MAX_PANELS`] already.
    pub fn add_panel(&mut self) -> bool {
        let (content, sampler) = match self.unseen_sampler() {
            Some(sampler) => (Content::Interpolation, sampler),
            None => (self.panels[self.focused].content, self.panels[self.focused].sampler),
        };
        self.append(Panel { content, sampler, ..self.panels[self.focused].clone() })
    }

    /// Appends a copy of the focused panel and focuses it. Returns `false` if there are [`Session::MAX_PANELS`] already.
    pub fn duplicate_panel(&mut self) -> bool {
        self.append(self.panels[self.focused].clone())
    }

    /// Appends `panel` with an id of its own and focuses it.
    fn append(&mut self, panel: Panel) -> bool {
        if self.panels.len() == Self::MAX_PANELS {
            return false;
        }
        self.focused = self.panels.len();
        self.panels.push(Panel { id: PanelId::next(), ..panel });
        self.maximized = false;
        self.set_compare(Compare::SideBySide);
        true
    }

    /// The focused panel's sampler with the next method that no panel shows and that the view does not refuse.
    fn unseen_sampler(&self) -> Option<Sampler> {
        let model = self.panels[self.focused].sampler;
        let shown: Vec<Sampler> = self
            .panels
            .iter()
            .filter(|panel| panel.content == Content::Interpolation)
            .map(|panel| panel.sampler)
            .collect();
        let with = |method: Method| {
            let mut sampler = model;
            sampler.set_method(method);
            sampler
        };
        let named = METHODS.iter().map(|row| with(row.method));
        let named = named.filter(|sampler| shown.iter().all(|other| other.method != sampler.method));
        let splines = [true, false].map(|prefilter| Sampler { prefilter, ..with(Method::BSPLINE) });
        let is_new = |sampler: &Sampler| {
            let is_it = |other: &Sampler| {
                other.method == sampler.method && other.uses_coefficients() == sampler.uses_coefficients()
            };
            !shown.iter().any(is_it)
        };
        let is_served =
            |sampler: &Sampler| !matches!(self.refusal(self.focused, *sampler), Some(RequestError::Stretch { .. }));
        named.chain(splines.into_iter().filter(is_new)).find(is_served)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::image::{Channels, Depth, Image, Page, Raster};
    use crate::test_support::size;

    fn session() -> Session {
        let page = Page::new(Raster::zeros(size(8, 8), Channels::Grey, Depth::EIGHT));
        Session::new(Arc::new(Image::new("zeros", vec![page]).expect("an image")))
    }

    #[test]
    fn added_panels_show_methods_that_no_panel_shows_and_duplicates_their_own() {
        let mut session = session();
        session.set_content(0, Content::Truth);
        session.focused_panel().sampler.set_method(Method::MITCHELL);
        while session.add_panel() {}
        let shown = |session: &Session| -> Vec<(Method, bool)> {
            session.panels.iter().map(|panel| (panel.sampler.method, panel.sampler.uses_coefficients())).collect()
        };
        // The truth of panel 1 shows no method.
        let added = [Method::Nearest, Method::MITCHELL, Method::LANCZOS2, Method::LANCZOS3, Method::LANCZOS4];
        assert_eq!(shown(&session)[4..], added.map(|method| (method, false)));
        assert!(session.panels[4..].iter().all(|panel| panel.content == Content::Interpolation));
        session.close_panel(0);
        session.add_panel();
        assert_eq!(shown(&session)[8], (Method::BSPLINE, true), "all methods are shown");
        session.close_panel(1);
        session.duplicate_panel();
        assert_eq!(shown(&session)[8], (Method::BSPLINE, true));
        assert_eq!(shown(&session)[7..], [(Method::BSPLINE, true); 2]);
    }
}
