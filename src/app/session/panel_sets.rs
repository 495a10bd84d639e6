//! Presets of panels, as rows: what is worth seeing side by side. Each starts from the focused panel and keeps where it
//! looks, but for the address modes, which are shown from further away.

use super::Session;
use super::history::{Change, Framing};
use crate::sampling::{ADDRESSES, METHODS, Method, Path, Sampler};
use crate::view::View;

/// A set of panels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PanelSet {
    /// Nearest, linear, cubic B-spline, Catmull-Rom.
    Four,
    /// One method under each address mode.
    AddressModes,
    /// One method by the texture unit's arithmetic, and exactly.
    FilteredExact,
    /// The cubic B-spline of samples, and of coefficients.
    Prefilter,
    /// Every method.
    AllMethods,
}

/// All that is known of a set of panels.
#[derive(Debug)]
pub struct PanelSetRow {
    /// Which one.
    pub panel_set: PanelSet,
    /// Its name in files.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// One line on what it is for.
    pub help: &'static str,
}

/// The sets of panels, in the order of menus.
pub static PANEL_SETS: [PanelSetRow; 5] = [
    PanelSetRow {
        panel_set: PanelSet::Four,
        name: "four",
        title: "The four",
        help: "Nearest, linear, cubic B-spline and Catmull-Rom",
    },
    PanelSetRow {
        panel_set: PanelSet::AddressModes,
        name: "address-modes",
        title: "Address modes",
        help: "The focused panel's method under each address mode, zoomed out so that the outside shows",
    },
    PanelSetRow {
        panel_set: PanelSet::FilteredExact,
        name: "filtered-exact",
        title: "Filtered against exact",
        help: "The texture unit's steps of 1/256 beside exact weights",
    },
    PanelSetRow {
        panel_set: PanelSet::Prefilter,
        name: "prefilter-on-off",
        title: "Prefilter on and off",
        help: "The cubic B-spline as it smooths, and as it passes through the samples",
    },
    PanelSetRow {
        panel_set: PanelSet::AllMethods,
        name: "all-methods",
        title: "All methods",
        help: "Every method there is, one in each panel",
    },
];

/// How much further away than *fit* the address modes are seen.
const FURTHER: f64 = 2.5;

impl PanelSet {
    /// This set's row.
    pub fn row(self) -> &'static PanelSetRow {
        &PANEL_SETS[self as usize]
    }

    /// How the panels fill themselves, where the focused one fills itself by `model`.
    pub fn samplers(self, model: &Sampler) -> Vec<Sampler> {
        let exact = |method: Method| Sampler { path: Path::Auto, ..model.with_method(method) };
        match self {
            Self::Four => {
                let methods = [Method::Nearest, Method::Linear, Method::BSPLINE, Method::CATMULL_ROM];
                methods.map(|method| Sampler { prefilter: false, ..exact(method) }).to_vec()
            }
            Self::AddressModes => ADDRESSES.iter().map(|row| Sampler { address: [row.address; 2], ..*model }).collect(),
            Self::FilteredExact => {
                let has_path = model.method.kernel().paths.contains(&Path::Filtered);
                let method = if has_path { model.method } else { Method::Linear };
                // The texture unit does not widen a kernel.
                let exact = Sampler { antialias: false, ..exact(method) };
                vec![Sampler { path: Path::Filtered, ..exact }, exact]
            }
            Self::Prefilter => [false, true].map(|prefilter| Sampler { prefilter, ..exact(Method::BSPLINE) }).to_vec(),
            Self::AllMethods => METHODS.iter().map(|row| exact(row.method)).collect(),
        }
    }

    /// Shows it in place of the panels there are.
    pub fn show(self, session: &mut Session) {
        let model = session.panels()[session.focused()].sampler;
        session.arrange(&self.samplers(&model));
        if self == Self::AddressModes {
            let (output, page) = (session.output(), session.page().size());
            let scale = View::fit(output, page).scale() * FURTHER;
            session.go(View::actual_size(scale, output, page), Framing::Free, Change::Jump);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_can_be_drawn_from_any_sampler() {
        for row in &PANEL_SETS {
            assert_eq!(row.panel_set.row().name, row.name);
            for method in &METHODS {
                let samplers = row.panel_set.samplers(&Sampler::default().with_method(method.method));
                assert!((2..=Session::MOST_PANELS).contains(&samplers.len()), "{}", row.name);
                for (index, sampler) in samplers.iter().enumerate() {
                    assert!(sampler.method.kernel().paths.contains(&sampler.path), "{} of {}", row.name, method.name);
                    assert!(!samplers[..index].contains(sampler), "{} of {}", row.name, method.name);
                }
            }
        }
    }
}
