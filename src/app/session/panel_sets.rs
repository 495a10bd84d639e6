//! Sets of panels worth comparing. Each is derived from the focused panel and keeps its view, except the sets of address
//! modes, which zoom out, the tutorial's pair, and the conventions of pixel centres, which have views of their own. A set of methods
//! shows a detail in place of a whole image on which they look alike.

use super::figures::{BORDER_ALONG_Y, FigurePanel, ZOOMED_OUT};
use super::history::{Change, Framing};
use super::{Link, Session};
use crate::backend::Content;
use crate::resize::PIXEL_CENTRES;
use crate::rows::rows;
use crate::sampling::{ADDRESS_MODES, AddressMode, METHODS, Method, Sampler, SamplingPath};
use crate::view::View;
use crate::volume::{MAIN_PLANES, Orientation, Plane};

/// Description of a set of panels.
#[derive(Debug)]
pub struct PanelSetRow {
    /// The set.
    pub panel_set: PanelSet,
    /// Its name in settings files.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Its help, one line.
    pub help: &'static str,
}

rows! {
    /// A set of panels.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum PanelSet {
        /// Nearest, linear, cubic B-spline and Catmull-Rom.
        Four => { name: "four", title: "The four", help: "Nearest, linear, cubic B-spline and Catmull-Rom" },
        /// The focused panel's method with each address mode.
        AddressModes => {
            name: "address-modes",
            title: "Address modes",
            help: "The focused panel's method under each address mode, zoomed out so that the outside shows",
        },
        /// The focused panel's method with nine pairs of address modes.
        AddressPairs => {
            name: "address-pairs",
            title: "Address modes, per axis",
            help: "The focused panel's method under nine pairs of address modes, x across and y down, the outside tinted; the panel's own modes are among them",
        },
        /// Figure 16 of the tutorial beside figure 23.
        BorderFigures => {
            name: "border-figures",
            title: "Figures 16 and 23",
            help: "The tutorial's pair: the image zoomed out under clamp, and under clamp along x with a border along y",
        },
        /// The conventions of pixel centres of a resize.
        PixelCentres => {
            name: "pixel-centres",
            title: "Pixel centres of a resize",
            help: "The lower right corner of the enlarged image as resizes place its pixels: edges aligned (half-pixel), corners aligned, or first pixels aligned (asymmetric)",
        },
        /// The texture unit's arithmetic beside the exact one.
        FilteredExact => {
            name: "filtered-exact",
            title: "Filtered against exact",
            help: "The texture unit's steps of 1/256 beside exact weights",
        },
        /// The cubic B-spline without and with prefilter.
        Prefilter => {
            name: "prefilter-on-off",
            title: "Prefilter on and off",
            help: "The cubic B-spline as it smooths, and as it passes through the samples",
        },
        /// The truth beside four methods.
        Truth => {
            name: "truth-and-methods",
            title: "Truth and methods",
            help: "The values of the formula beside nearest, linear, Catmull-Rom and the prefiltered B-spline",
        },
        /// The main planes of a volume.
        ThreePlanes => {
            name: "three-planes",
            title: "Three planes of a volume",
            help: "Axial, coronal and sagittal plane by the focused panel's method; a click in one moves the others through the point",
        },
        /// Every method with a name, without and with the prefilter that it has.
        AllMethods => { name: "all-methods", title: "All methods", help: "Every method with a name, one in each panel, the cubic B-spline without and with prefilter, zoomed to a detail where they differ if the whole image was shown; those with numbers of their own are in the menu of methods" },
    }

    /// The sets of panels, in menu order.
    pub static PANEL_SETS: [PanelSetRow { panel_set, .. }];
}

/// Zoom of the set of address modes: its scale is this multiple of the fitted one.
const FURTHER: f64 = 2.5;

impl PanelSet {
    /// The contents of this set with their samplers, derived from the focused panel's sampler `model`.
    pub fn contents(self, model: &Sampler) -> Vec<(Content, Sampler)> {
        let truth = (self == Self::Truth).then_some((Content::Truth, *model));
        let samplers = self.samplers(model).into_iter().map(|sampler| (Content::Interpolation, sampler));
        truth.into_iter().chain(samplers).collect()
    }

    /// The samplers of the panels that interpolate.
    fn samplers(self, model: &Sampler) -> Vec<Sampler> {
        let exact = |method: Method| Sampler { path: SamplingPath::Auto, ..model.with_method(method) };
        match self {
            Self::Four => {
                let methods = [Method::Nearest, Method::Linear, Method::BSPLINE, Method::CATMULL_ROM];
                methods.map(|method| Sampler { prefilter: false, ..exact(method) }).to_vec()
            }
            Self::AddressModes => {
                ADDRESS_MODES.iter().map(|row| Sampler { address: [row.address; 2], ..*model }).collect()
            }
            Self::AddressPairs => {
                let modes = three_modes(model.address);
                let pairs = modes.into_iter().flat_map(|y| modes.map(|x| [x, y]));
                pairs.map(|address| Sampler { address, ..*model }).collect()
            }
            Self::BorderFigures => BORDER_FIGURES.iter().map(|figure| figure.sampler(model)).collect(),
            Self::PixelCentres => vec![*model; PIXEL_CENTRES.len()],
            Self::ThreePlanes => vec![*model; MAIN_PLANES.len()],
            Self::FilteredExact => {
                let has_path = model.method.kernel().paths.contains(&SamplingPath::Filtered);
                let method = if has_path { model.method } else { Method::Linear };
                // The texture unit does not widen kernels.
                let exact = Sampler { antialias: false, ..exact(method) };
                vec![Sampler { path: SamplingPath::Filtered, ..exact }, exact]
            }
            Self::Prefilter => [false, true].map(|prefilter| Sampler { prefilter, ..exact(Method::BSPLINE) }).to_vec(),
            Self::Truth => {
                let methods = [Method::Nearest, Method::Linear, Method::CATMULL_ROM, Method::BSPLINE];
                methods.map(|method| Sampler { prefilter: method == Method::BSPLINE, ..exact(method) }).to_vec()
            }
            Self::AllMethods => {
                let of_method = |method: Method| {
                    let has_both = method.kernel().prefilter.is_some();
                    let prefilters = if has_both { vec![false, true] } else { vec![model.prefilter] };
                    prefilters.into_iter().map(move |prefilter| Sampler { prefilter, ..exact(method) })
                };
                METHODS.iter().flat_map(|row| of_method(row.method)).collect()
            }
        }
    }

    /// Replaces the panels by this set.
    pub fn show(self, session: &mut Session) {
        let (model, before) = (session.panels()[session.focused()].sampler, session.visible().len());
        session.arrange_contents(&self.contents(&model));
        match self {
            Self::AddressModes | Self::AddressPairs => {
                let (output, page) = (session.output(), session.page().size());
                let scale = View::fit(output, page).scale() * FURTHER;
                session.go(View::actual_size(scale, output, page), Framing::Free, Change::Jump);
                session.inspect.state.shows_outside |= self == Self::AddressPairs;
            }
            Self::BorderFigures => {
                let [figure, _] = BORDER_FIGURES;
                session.touch_address();
                let view = figure.place.view(session.fit_area(), session.page().size());
                session.go(view, Framing::Free, Change::Jump);
            }
            Self::PixelCentres => show_pixel_centres(session),
            Self::ThreePlanes => show_three_planes(session),
            Self::AllMethods if session.looks_alike() => session.show_detail_of_all_methods(before),
            Self::Four | Self::Prefilter if session.looks_alike() => session.show_detail(),
            Self::Four | Self::FilteredExact | Self::Prefilter | Self::Truth | Self::AllMethods => {}
        }
    }
}

/// Gives each panel the lower right corner of the image under one convention, at a scale at which samples are large; small images
/// are whole.
fn show_pixel_centres(session: &mut Session) {
    session.set_link(Link::Off);
    let (output, page) = (session.output(), session.page().size());
    let scale = View::fit(output, page).scale().min(LARGE_SAMPLES);
    for (index, row) in PIXEL_CENTRES.iter().enumerate() {
        if let Ok(view) = row.centres.view_of_end(page, output, scale) {
            session.go_in(index, view, Framing::Free, Change::Jump);
        }
    }
    session.touch_address();
    session.inspect.state.has_grid = true;
}

/// Gives each panel a main plane, through the middle of the volume.
fn show_three_planes(session: &mut Session) {
    session.set_link(Link::Off);
    for (index, row) in MAIN_PLANES.iter().enumerate() {
        let time = session.plane_of(index).time;
        session.set_plane_in(index, Plane { orientation: Orientation::Main(row.plane), slice: None, time });
    }
}

/// Scale of the set of pixel centres: 32 pixels to a sample.
const LARGE_SAMPLES: f64 = 1.0 / 32.0;

/// The tutorial's pair: the same view under clamp, and under clamp along x with a border along y.
static BORDER_FIGURES: [FigurePanel; 2] = [ZOOMED_OUT, BORDER_ALONG_Y];

/// Three of the address modes in menu order, those of `address` among them: the last ones that it lacks are left out.
fn three_modes(address: [AddressMode; 2]) -> [AddressMode; 3] {
    let mut modes = [AddressMode::Clamp, AddressMode::Border, AddressMode::Wrap];
    let mirror = AddressMode::Mirror;
    if address.contains(&mirror)
        && let Some(replaced) = modes.iter_mut().rev().find(|mode| !address.contains(mode))
    {
        *replaced = mirror;
    }
    modes
}

#[cfg(test)]
mod tests {
    use super::super::figures::{FIGURE_GROUPS, FigurePanels};
    use super::*;

    #[test]
    fn three_modes_of_a_panel_have_its_own_and_no_mode_twice() {
        for x in &ADDRESS_MODES {
            for y in &ADDRESS_MODES {
                let modes = three_modes([x.address, y.address]);
                assert!(modes.contains(&x.address) && modes.contains(&y.address), "{} {}", x.name, y.name);
                assert!((0..3).all(|index| !modes[..index].contains(&modes[index])), "{modes:?}");
            }
        }
    }

    #[test]
    fn address_pairs_have_x_across_and_y_down() {
        let model = Sampler { address: [AddressMode::Mirror, AddressMode::Clamp], ..Sampler::default() };
        let [a, b, c] = [AddressMode::Clamp, AddressMode::Border, AddressMode::Mirror];
        let found: Vec<_> =
            PanelSet::AddressPairs.contents(&model).into_iter().map(|(_, sampler)| sampler.address).collect();
        assert_eq!(found, [[a, a], [b, a], [c, a], [a, b], [b, b], [c, b], [a, c], [b, c], [c, c]]);
    }

    #[test]
    fn border_figures_are_those_of_the_tutorial() {
        let of_number = |number: &str| {
            let figure = FIGURE_GROUPS[0].figures.iter().find(|figure| figure.number == number).expect(number);
            match figure.panels {
                FigurePanels::One(panel) => panel,
                FigurePanels::Kept | FigurePanels::Set(_) => panic!("figure {number} is of one panel"),
            }
        };
        assert_eq!(BORDER_FIGURES, ["16", "23"].map(of_number));
        assert_eq!(BORDER_FIGURES[0].place, BORDER_FIGURES[1].place);
    }

    #[test]
    fn sets_of_any_sampler_are_distinct_and_served_by_their_paths() {
        for row in &PANEL_SETS {
            for method in &METHODS {
                let contents = row.panel_set.contents(&Sampler::default().with_method(method.method));
                assert!((2..=Session::MAX_PANELS).contains(&contents.len()), "{}", row.name);
                for (index, (content, sampler)) in contents.iter().enumerate() {
                    assert!(sampler.method.kernel().paths.contains(&sampler.path), "{} of {}", row.name, method.name);
                    // The panels of pixel centres differ in their views, those of a volume in their planes.
                    let is_new = !contents[..index].contains(&(*content, *sampler));
                    let is_alike = matches!(row.panel_set, PanelSet::PixelCentres | PanelSet::ThreePlanes);
                    assert!(is_new || is_alike, "{} of {}", row.name, method.name);
                }
            }
        }
    }
}
