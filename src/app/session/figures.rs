//! The figures of the documents that Lerpscope grew from, by document: panels, view and tool that show each.

use super::history::{Change, Framing};
use super::inspect::{DrawerTool, InspectState};
use super::one_dimension::LineTab;
use super::panel_names::PanelMethod;
use super::{Compare, Link, Panel, Session};
use crate::backend::Content;
use crate::image::Size;
use crate::lab::texture_error::{TexelPair, TextureView};
use crate::plots::PlotKind;
use crate::rows::rows;
use crate::sampling::{AddressMode, Method, Sampler, SamplingPath};
use crate::view::View;
use crate::volume::{MainPlane, Orientation, Plane};
use crate::warp::Warp;

/// Description of a document.
#[derive(Debug)]
pub struct FigureGroupRow {
    /// The document.
    pub group: FigureGroup,
    /// Its short title.
    pub title: &'static str,
    /// Its authors and title.
    pub help: &'static str,
    /// Its figures, in its order.
    pub figures: &'static [Figure],
}

rows! {
    /// A document with figures.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum FigureGroup {
        /// Document 000.
        #[default]
        Tutorial => {
            title: "Tutorial",
            help: "Writing CUDA kernels for interpolation: figures 15 to 24 and the exercises",
            figures: &TUTORIAL,
        },
        /// Document 002.
        Splines => {
            title: "B-splines",
            help: "Ruijters, ter Haar Romeny, Suetens: Efficient GPU-Based Texture Interpolation using Uniform B-Splines (2008)",
            figures: &SPLINES,
        },
        /// Document 004.
        Lab => {
            title: "Filters",
            help: "CUDA laboratory work on textures: convolution and image filters",
            figures: &LAB,
        },
    }

    /// The documents.
    pub static FIGURE_GROUPS: [FigureGroupRow { group, .. }];
}

/// A figure of a document.
#[derive(Debug)]
pub struct Figure {
    /// Its number in the document: `16`, `Ex. 1`.
    pub number: &'static str,
    /// Its title.
    pub title: &'static str,
    /// What is to be seen.
    pub help: &'static str,
    /// The volume that it shows, by the name of its formula; `None` for the image of the window.
    pub volume: Option<&'static str>,
    /// The panels that show it.
    pub panels: FigurePanels,
    /// How a set of panels of its own is compared.
    pub compare: Compare,
    /// Opens the tool that shows it, where one does.
    pub tool: Option<fn(&mut InspectState)>,
}

/// The panels of a figure.
#[derive(Clone, Copy, Debug)]
pub enum FigurePanels {
    /// Those of the window.
    Kept,
    /// One, in a panel of the window that has its method already, else in the focused one. Its view applies to all linked
    /// panels.
    One(FigurePanel),
    /// These alone.
    Set(&'static [FigurePanel]),
}

/// A panel of a figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FigurePanel {
    /// Its view.
    pub place: FigurePlace,
    /// Interpolation method.
    pub method: Method,
    /// Address modes along x and y.
    pub address: [AddressMode; 2],
    /// Sampling path.
    pub path: SamplingPath,
    /// The prefilter.
    pub prefilter: bool,
    /// Antialiasing of a reduced view.
    pub antialias: bool,
    /// Filters of the samples.
    pub filters: &'static str,
    /// The plane of a volume.
    pub plane: Plane,
}

/// The view of a panel of a figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FigurePlace {
    /// `transl_x` and `transl_y` in samples, and `scaleFactor` in samples per output pixel.
    At([f64; 2], f64),
    /// The whole image.
    Whole,
    /// The tutorial's detail, of an image of any size: of 512 × 512 samples `At([100.0, 100.0], 0.125)`.
    Fragment,
}

/// The image itself, by its nearest samples.
const IDENTITY: FigurePanel = FigurePanel {
    place: FigurePlace::At([0.0; 2], 1.0),
    method: Method::Nearest,
    address: [AddressMode::Clamp; 2],
    path: SamplingPath::Auto,
    prefilter: false,
    antialias: false,
    filters: "none",
    plane: Plane { orientation: Orientation::Main(MainPlane::Axial), slice: None, time: 0.0 },
};

/// A detail at eight times its size.
const DETAIL: FigurePanel = FigurePanel { place: FigurePlace::At([100.0; 2], 0.125), ..IDENTITY };

/// The whole image, by linear interpolation.
const WHOLE: FigurePanel =
    FigurePanel { place: FigurePlace::Whole, method: Method::Linear, antialias: true, ..IDENTITY };

/// Figure 16 of the tutorial.
pub(super) const ZOOMED_OUT: FigurePanel = FigurePanel { place: FigurePlace::At([0.0; 2], 2.0), ..IDENTITY };

/// Figure 23 of the tutorial.
pub(super) const BORDER_ALONG_Y: FigurePanel =
    FigurePanel { address: [AddressMode::Clamp, AddressMode::Border], ..ZOOMED_OUT };

/// Exercise 1 of the tutorial, by both paths.
const LINEAR: [FigurePanel; 2] = [
    FigurePanel { method: Method::Linear, path: SamplingPath::Filtered, ..DETAIL },
    FigurePanel { method: Method::Linear, path: SamplingPath::Lookup, ..DETAIL },
];

const SPLINE: FigurePanel = FigurePanel { method: Method::BSPLINE, ..DETAIL };

/// A figure of one panel.
const fn one(number: &'static str, title: &'static str, panel: FigurePanel) -> Figure {
    Figure { panels: FigurePanels::One(panel), ..of_set(number, title, &[]) }
}

/// A figure of panels of its own.
const fn of_set(number: &'static str, title: &'static str, panels: &'static [FigurePanel]) -> Figure {
    let (panels, compare) = (FigurePanels::Set(panels), Compare::SideBySide);
    Figure { number, title, help: "", volume: None, panels, compare, tool: None }
}

static TUTORIAL: [Figure; 12] = [
    one("15", "Nearest, the image itself", IDENTITY),
    one("16", "Nearest, zoomed out", ZOOMED_OUT),
    one("17", "Nearest, zoomed in", FigurePanel { place: FigurePlace::At([0.0; 2], 0.5), ..IDENTITY }),
    one("18", "Nearest, a detail", DETAIL),
    one("19", "Linear, the detail", LINEAR[0]),
    one("22", "B-spline, texture unit", FigurePanel { path: SamplingPath::Filtered, ..SPLINE }),
    one("23", "Nearest, clamp × border", BORDER_ALONG_Y),
    one("24", "B-spline, lookup", FigurePanel { path: SamplingPath::Lookup, ..SPLINE }),
    Figure {
        help: "Linear interpolation by the texture unit beside linear interpolation by texture lookup. In the exercise's view \
               every fraction is a multiple of 1/8, which the unit's 8 bits hold: the two are equal to the last bit.",
        ..of_set("Ex. 1", "Linear: filtering, lookup", &LINEAR)
    },
    Figure {
        help: "The difference of the two at 0.123 samples per pixel, where fractions are no multiples of 1/256: the answer to \
               exercise 1, which its own view cannot give.",
        compare: Compare::Difference,
        ..of_set(
            "Ex. 1",
            "Their difference at 0.123",
            &[
                FigurePanel { place: FigurePlace::At([100.0; 2], 0.123), ..LINEAR[0] },
                FigurePanel { place: FigurePlace::At([100.0; 2], 0.123), ..LINEAR[1] },
            ],
        )
    },
    Figure {
        help: "w1/(w0 + w1) and w3/(w2 + w3) over the fraction: those of the B-spline stay between 0 and 1, so that linear fetches \
               serve them; those of Catmull-Rom do not.",
        tool: Some(|state| plots(state, PlotKind::Fractions)),
        ..of_set("Ex. 3", "Fractions of fetches", &[SPLINE, FigurePanel { method: Method::CATMULL_ROM, ..DETAIL }])
    },
    one(
        "Ex. 5",
        "Catmull-Rom, lookup",
        FigurePanel { method: Method::CATMULL_ROM, path: SamplingPath::Lookup, ..DETAIL },
    ),
];

/// An oblique plane through the middle of a volume, by trilinear interpolation.
const OBLIQUE: FigurePanel = FigurePanel {
    place: FigurePlace::Whole,
    method: Method::Linear,
    plane: Plane { orientation: Orientation::Oblique { tilt_deg: 35.0, turn_deg: 20.0 }, slice: None, time: 0.0 },
    ..IDENTITY
};

static SPLINES: [Figure; 4] = [
    Figure {
        help: "An oblique plane of Marschner and Lobb's test signal, 64³ samples: before the wipe line by trilinear interpolation, \
               behind it by the prefiltered tricubic B-spline, as in figure 1's comparison of reconstructed volumes.",
        volume: Some("synth:marschner-lobb:64x64x64"),
        compare: Compare::Wipe,
        ..of_set(
            "1",
            "Trilinear, tricubic",
            &[OBLIQUE, FigurePanel { method: Method::BSPLINE, prefilter: true, ..OBLIQUE }],
        )
    },
    Figure {
        help: "Left the source image, in the middle a fragment by linear interpolation, right the fragment by the prefiltered cubic \
               B-spline.",
        ..of_set(
            "2",
            "Source, linear, B-spline",
            &[
                WHOLE,
                FigurePanel { place: FigurePlace::Fragment, method: Method::Linear, ..IDENTITY },
                FigurePanel { place: FigurePlace::Fragment, method: Method::BSPLINE, prefilter: true, ..IDENTITY },
            ],
        )
    },
    Figure {
        help: "The weights w0 to w3 of the cubic B-spline over the fraction α: one polynomial for each quadrant of the basis function.",
        tool: Some(|state| plots(state, PlotKind::Weights)),
        ..of_set("3", "Weights of the B-spline", &[FigurePanel { place: FigurePlace::Fragment, ..SPLINE }])
    },
    Figure {
        volume: None,
        number: "4",
        title: "Fetches by format",
        help: "Linear fetches between 0 and 1/65535 from textures of 8 bits, 16 bits and floats.",
        panels: FigurePanels::Kept,
        compare: Compare::SideBySide,
        tool: Some(|state| {
            state.drawer = Some(DrawerTool::TextureError);
            (state.texture_error.view, state.texture_error.texels) = (TextureView::Formats, TexelPair::Document);
        }),
    },
];

static LAB: [Figure; 4] = [
    Figure {
        help: "The image and its negative, 1 − I.",
        ..of_set("1", "Image and negative", &[WHOLE, FigurePanel { filters: "negative", ..WHOLE }])
    },
    Figure {
        help: "An impulse and the impulse response of a filter, here of a Gaussian and of a matrix that sharpens: the response is the \
               kernel that the filter convolves with.",
        tool: Some(|state| plots(state, PlotKind::Filters)),
        ..of_set(
            "2",
            "Impulse responses of filters",
            &[WHOLE, FigurePanel { filters: "gaussian=1.5", ..WHOLE }, FigurePanel { filters: "convolve", ..WHOLE }],
        )
    },
    Figure {
        help: "A row of samples as a sum of shifted impulses, and the filtered row as the sum of their responses.",
        tool: Some(|state| {
            state.drawer = Some(DrawerTool::OneDimension);
            state.one_dimension.tab = LineTab::Impulses;
        }),
        ..of_set("3", "A sum of shifted impulses", &[FigurePanel { filters: "gaussian=1", ..WHOLE }])
    },
    Figure {
        help: "The results of task 1: gamma, negative, brightness, bilinear scaling, Gaussian, bilateral and Lanczos.",
        ..of_set(
            "Task 1",
            "The seven results",
            &[
                FigurePanel { filters: "gamma=1.2", ..WHOLE },
                FigurePanel { filters: "negative", ..WHOLE },
                FigurePanel { filters: "brightness=0.3", ..WHOLE },
                FigurePanel { place: FigurePlace::Fragment, method: Method::Linear, ..IDENTITY },
                FigurePanel { filters: "gaussian=3", ..WHOLE },
                FigurePanel { filters: "bilateral", ..WHOLE },
                FigurePanel { place: FigurePlace::Fragment, method: Method::LANCZOS3, ..IDENTITY },
            ],
        )
    },
];

/// Opens the plot of `kind`.
fn plots(state: &mut InspectState, kind: PlotKind) {
    (state.drawer, state.plot) = (Some(DrawerTool::Plots), kind);
}

impl FigurePlace {
    /// The view of an image of size `page` in a picture whose fitted views fill `fit_area`. It is not snapped.
    pub fn view(self, fit_area: Size, page: Size) -> View {
        match self {
            Self::At(translation, scale) => View::new(translation, scale).unwrap_or_default(),
            Self::Whole => View::fit(fit_area, page),
            Self::Fragment => {
                let [width, height] = page.sides().map(f64::from);
                let share = 100.0 / 512.0;
                View::new([width * share, height * share], width.max(height) / 4096.0).unwrap_or_default()
            }
        }
    }

    fn framing(self) -> Framing {
        match self {
            Self::Whole => Framing::Fit,
            Self::At(..) | Self::Fragment => Framing::Free,
        }
    }
}

impl FigurePanel {
    /// The figure's sampler; the rest is that of `model`.
    pub(super) fn sampler(&self, model: &Sampler) -> Sampler {
        let Self { method, address, path, prefilter, antialias, .. } = *self;
        Sampler { method, address, path, prefilter, antialias, ..*model }
    }

    /// Whether panel `index` shows it.
    fn is_shown(&self, session: &Session, index: usize) -> bool {
        let panel = &session.panels()[index];
        let sampler = panel.sampler;
        panel.content == Content::Interpolation
            && self.sampler(&sampler) == sampler
            && panel.filters.before.to_string() == self.filters
            && panel.plane.orientation == self.plane.orientation
            && session.view_of(index) == self.place.view(session.fit_area(), session.page_of(index).size())
    }

    /// Its parameters in two lines.
    fn summary(&self) -> String {
        let Self { method, address: [x, y], path, .. } = self;
        let view = match self.place {
            FigurePlace::At([t_x, t_y], scale) => {
                format!("transl_x = {t_x}, transl_y = {t_y}, scaleFactor = {scale}\n")
            }
            FigurePlace::Whole | FigurePlace::Fragment => String::new(),
        };
        format!("{view}method {method}, address {x}:{y}, path {path}")
    }
}

impl Figure {
    /// Shows the figure: its panels, their views, and its tool.
    pub fn show(&self, session: &mut Session) {
        if let Some(name) = self.volume {
            session.show_volume(name);
        }
        match self.panels {
            FigurePanels::Kept => {}
            FigurePanels::One(panel) => show_one(session, &panel),
            FigurePanels::Set(panels) => {
                show_set(session, panels);
                session.set_compare(self.compare);
            }
        }
        if let Some(tool) = self.tool {
            tool(&mut session.inspect.state);
        }
    }

    /// Whether the window shows it.
    pub fn is_shown(&self, session: &Session) -> bool {
        let has_panels = match self.panels {
            FigurePanels::Kept => true,
            FigurePanels::One(panel) => panel.is_shown(session, session.focused()),
            FigurePanels::Set(panels) => {
                session.panels().len() == panels.len()
                    && panels.iter().enumerate().all(|(index, panel)| panel.is_shown(session, index))
                    && session.compare() == self.compare
            }
        };
        let has_tool = self.tool.is_none_or(|tool| {
            let mut state = session.inspect.state.clone();
            tool(&mut state);
            state == session.inspect.state
        });
        let has_volume = self.volume.is_none_or(|name| session.image().name() == name);
        has_panels && has_tool && has_volume
    }

    /// What is to be seen, for its tooltip; of a single panel its parameters.
    pub fn summary(&self) -> String {
        match &self.panels {
            FigurePanels::One(panel) => panel.summary(),
            FigurePanels::Kept | FigurePanels::Set(_) => self.help.to_owned(),
        }
    }
}

fn show_one(session: &mut Session, figure: &FigurePanel) {
    let has_method = |index: &usize| session.panels()[*index].method() == PanelMethod::Method(figure.method);
    let focused = session.focused();
    let index = Some(focused).filter(has_method).or_else(|| (0..session.panels().len()).find(has_method));
    session.focus(index.unwrap_or(focused));
    apply(session.focused_panel(), figure);
    let view = figure.place.view(session.fit_area(), session.page().size());
    session.go(view, figure.place.framing(), Change::Jump);
    touch_outside(session, view);
}

fn show_set(session: &mut Session, figures: &[FigurePanel]) {
    let model = session.panels()[session.focused()].sampler;
    session.arrange(&figures.iter().map(|figure| figure.sampler(&model)).collect::<Vec<_>>());
    let is_common = figures.windows(2).all(|pair| pair[0].place == pair[1].place);
    session.set_link(if is_common { Link::Absolute } else { Link::Off });
    for (index, figure) in figures.iter().enumerate() {
        if let Some(panel) = session.panel_mut(index) {
            apply(panel, figure);
        }
        let view = figure.place.view(session.fit_area(), session.page_of(index).size());
        session.go_in(index, view, figure.place.framing(), Change::Jump);
        touch_outside(session, view);
    }
}

/// Everything of a panel but its view.
fn apply(panel: &mut Panel, figure: &FigurePanel) {
    panel.content = Content::Interpolation;
    panel.sampler = figure.sampler(&panel.sampler);
    panel.warp = Warp::None;
    // The texts of the figures are parsed by a test.
    panel.filters.before = figure.filters.parse().unwrap_or_default();
    panel.filters.after.0.clear();
    panel.filters_off = false;
    if panel.plane.orientation != figure.plane.orientation {
        panel.plane = Plane { time: panel.plane.time, ..figure.plane };
    }
}

/// A figure that is zoomed out shows its address modes.
fn touch_outside(session: &mut Session, view: View) {
    if view.scale() > 1.0 {
        session.touch_address();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::filter::Chain;
    use crate::image::{Channels, Depth, Image, Page, Raster};
    use crate::test_support::size;

    fn session() -> Session {
        let page = Page::new(Raster::zeros(size(512, 512), Channels::Grey, Depth::EIGHT));
        let mut session = Session::new(Arc::new(Image::new("zeros", vec![page]).expect("an image")));
        session.resize(size(500, 400));
        session
    }

    fn figures() -> impl Iterator<Item = &'static Figure> {
        FIGURE_GROUPS.iter().flat_map(|group| group.figures)
    }

    fn panels(figure: &'static Figure) -> Vec<FigurePanel> {
        match figure.panels {
            FigurePanels::Kept => Vec::new(),
            FigurePanels::One(panel) => vec![panel],
            FigurePanels::Set(panels) => panels.to_vec(),
        }
    }

    #[test]
    fn figures_have_valid_views_filters_and_paths_that_serve_their_methods() {
        for figure in figures() {
            assert!(!figure.summary().is_empty(), "{}", figure.title);
            for panel in panels(figure) {
                if let FigurePlace::At(translation, scale) = panel.place {
                    let view = panel.place.view(size(9, 9), size(7, 5));
                    assert_eq!((view.translation(), view.scale()), (translation, scale), "{}", figure.title);
                }
                assert!(panel.method.kernel().paths.contains(&panel.path), "{}", figure.title);
                let chain: Chain = panel.filters.parse().expect(panel.filters);
                assert_eq!(chain.to_string(), panel.filters, "{}", figure.title);
            }
        }
    }

    #[test]
    fn fragment_of_the_tutorials_size_is_the_tutorials_detail() {
        let page = size(512, 512);
        assert_eq!(FigurePlace::Fragment.view(page, page), DETAIL.place.view(page, page));
    }

    #[test]
    fn shown_figure_is_the_one_that_is_shown_and_follows_any_other() {
        let mut session = session();
        for first in figures() {
            for second in figures() {
                first.show(&mut session);
                second.show(&mut session);
                assert!(second.is_shown(&session), "{} after {}", second.title, first.title);
                let has_panels = |figure: &&Figure| matches!(figure.panels, FigurePanels::Set(_));
                let sets = figures().filter(has_panels).filter(|figure| figure.is_shown(&session)).count();
                assert!(sets <= 1, "{}: {sets} figures have their own panels at once", second.title);
            }
        }
    }

    #[test]
    fn figure_of_several_views_unlinks_them_and_one_of_a_common_view_links_them() {
        let mut session = session();
        SPLINES[1].show(&mut session);
        assert_eq!(session.link(), Link::Off);
        assert_eq!(session.view_of(0), View::fit(session.output(), size(512, 512)));
        assert_eq!(session.view_of(1), session.view_of(2));
        assert_ne!(session.view_of(0), session.view_of(1));
        LAB[0].show(&mut session);
        assert_eq!((session.link(), session.panels().len()), (Link::Absolute, 2));
        assert!(session.request(1).filters.is_active() && !session.request(0).filters.is_active());
    }
}
