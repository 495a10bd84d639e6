//! Names of panels: number, method, and what differs from the other panels.
//!
//! A trait of a panel is part of its name if another panel has another value of it, and if it is not the usual one or
//! a panel of the same method differs in it. Of four methods one of which has mirrored edges, that one is named
//! `Catmull-Rom · mirror` and the others by their methods; of one method under two address modes both are named with
//! theirs.

use std::fmt;

use super::Session;
use super::filters::short_step;
use crate::arguments::address_titles;
use crate::backend::Content;
use crate::complex::Component;
use crate::filter::Filters;
use crate::resize::{PIXEL_CENTRES, PixelCentres};
use crate::rows::rows;
use crate::sampling::{AddressMode, Method, Sampler, SamplingPath};
use crate::text::{short, shortened};
use crate::volume::Orientation;
use crate::warp::Warp;

/// Between the parts of a name.
const SEPARATOR: &str = " · ";

/// Description of a trait.
#[derive(Debug)]
pub struct PanelTraitRow {
    /// The trait.
    pub panel_trait: PanelTrait,
    /// Its title.
    pub title: &'static str,
}

rows! {
    /// A property in which panels may differ, besides the method.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum PanelTrait {
        /// Address modes along both axes, with the value of the border.
        AddressMode => { title: "Address mode" },
        /// The prefilter.
        Prefilter => { title: "Prefilter" },
        /// The sampling path.
        SamplingPath => { title: "Sampling" },
        /// Antialiasing of a reduced view.
        Antialias => { title: "Antialias" },
        /// Antiringing.
        Antiringing => { title: "Antiringing" },
        /// The filters in force.
        Filters => { title: "Filters" },
        /// The warp.
        Warp => { title: "Warp" },
        /// The plane of a volume.
        Plane => { title: "Plane" },
        /// The component of complex numbers.
        Component => { title: "Component" },
        /// Where a resize to the whole picture has its pixel centres.
        PixelCentres => { title: "Pixel centres" },
        /// Image and page.
        Image => { title: "Image" },
    }

    /// The traits, in the order of a name.
    pub static PANEL_TRAITS: [PanelTraitRow { panel_trait, .. }];
}

/// Value of a trait.
#[derive(Clone, Debug, PartialEq)]
enum TraitValue {
    /// With the value of the border where an axis has one.
    AddressMode([AddressMode; 2], Option<f32>),
    /// `None` where the method has no prefilter.
    Prefilter(Option<bool>),
    SamplingPath(SamplingPath),
    Antialias(Antialias),
    Antiringing(f64),
    Filters(Filters),
    Warp(Warp),
    /// With the position along the normal, which the samples of a volume give, and that in time of a volume that changes.
    Plane(Orientation, Option<f64>, Option<f64>),
    Component(Component),
    /// `None` if the view is not the end of a resized picture.
    PixelCentres(Option<PixelCentres>),
    Image {
        place: usize,
        page: usize,
    },
}

/// Antialiasing of a view.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Antialias {
    /// The view is not reduced.
    Enlarged,
    /// The view is reduced with the method's own weights.
    Off,
    /// The view is reduced with weights of this relative width.
    On { blur: f64 },
}

impl TraitValue {
    /// Whether a header does not say the value of a panel alone.
    fn is_usual(&self) -> bool {
        match self {
            Self::AddressMode(address, _) => *address == Sampler::default().address,
            Self::Prefilter(is_on) => *is_on != Some(true),
            Self::SamplingPath(path) => *path == SamplingPath::Auto,
            Self::Antialias(antialias) => !matches!(antialias, Antialias::On { .. }),
            Self::Antiringing(strength) => *strength == 0.0,
            Self::Filters(filters) => !filters.is_active(),
            Self::Warp(warp) => warp.is_none(),
            Self::Plane(..) | Self::Component(_) | Self::PixelCentres(_) | Self::Image { .. } => true,
        }
    }

    /// The value in words, lower case.
    fn text(&self, session: &Session) -> String {
        match self {
            Self::AddressMode(address, None) => address_titles(*address).to_lowercase(),
            Self::AddressMode(address, Some(border)) => format!("{} {border}", address_titles(*address).to_lowercase()),
            Self::Prefilter(Some(true)) => "prefiltered".to_owned(),
            Self::Prefilter(Some(false) | None) => "no prefilter".to_owned(),
            Self::SamplingPath(path) => path.row().title.to_lowercase(),
            Self::Antialias(Antialias::Enlarged) => "enlarged".to_owned(),
            Self::Antialias(Antialias::Off) => "aliased".to_owned(),
            Self::Antialias(Antialias::On { blur: 1.0 }) => "antialiased".to_owned(),
            Self::Antialias(Antialias::On { blur }) => format!("antialiased, blur {blur}"),
            Self::Antiringing(0.0) => "no antiringing".to_owned(),
            Self::Antiringing(strength) => format!("antiringing {strength}"),
            Self::Filters(filters) => filters_text(filters),
            Self::Warp(Warp::None) => "no warp".to_owned(),
            Self::Warp(warp @ (Warp::Lens { .. } | Warp::Swirl { .. })) => warp.to_string(),
            // Their numbers fill a header and tell nothing.
            Self::Warp(warp @ (Warp::Perspective(_) | Warp::Grid(_))) => warp.kind().row().name.to_owned(),
            Self::Plane(orientation, position, time) => {
                let time = time.map_or(String::new(), |time| format!(", time {}", short(time, 5)));
                format!("{}{time}", plane_text(*orientation, *position))
            }
            Self::Component(component) => component.row().title.to_lowercase(),
            Self::PixelCentres(None) => "own view".to_owned(),
            Self::PixelCentres(Some(centres)) => centres.to_string(),
            Self::Image { place, page } => {
                let image = &session.images()[*place];
                let page = if image.pages().len() > 1 { format!(", page {}", page + 1) } else { String::new() };
                format!("{}{page}", shortened(image.name()))
            }
        }
    }
}

/// A plane in words: `coronal, y 20.5`, `oblique 30°, 20°`.
fn plane_text(orientation: Orientation, position: Option<f64>) -> String {
    match orientation {
        Orientation::Main(main) => {
            let axis = ["x", "y", "z"][main.row().normal];
            position.map_or_else(|| main.to_string(), |position| format!("{main}, {axis} {}", short(position, 5)))
        }
        Orientation::Oblique { tilt_deg, turn_deg } => {
            let angles = format!("oblique {}°, {}°", short(tilt_deg, 4), short(turn_deg, 4));
            let position = position.filter(|position| *position != 0.0);
            position.map_or_else(|| angles.clone(), |position| format!("{angles}, {}", short(position, 5)))
        }
    }
}

/// The filters that act, in order. Places and matrices are left out: they would fill a legend.
fn filters_text(filters: &Filters) -> String {
    let name = |step: String| if step.contains('[') { short_step(&step) } else { step };
    let active = filters.before.active().chain(filters.after.active());
    let active: Vec<String> = active.map(|step| format!("ƒ {}", name(step.to_string()))).collect();
    if active.is_empty() { "no filters".to_owned() } else { shortened(&active.join(", ")).into_owned() }
}

/// What a panel is named by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PanelMethod {
    /// The method of its interpolation.
    Method(Method),
    /// It shows the truth.
    Truth,
}

impl PanelMethod {
    /// Its names, the longest first: title with alias, title, and the short name, or that of a value on the command line.
    pub(in crate::app) fn names(self) -> [String; 3] {
        match self {
            Self::Method(method) => method_names(method),
            Self::Truth => [(); 3].map(|()| Content::Truth.row().title.to_owned()),
        }
    }

    /// Its help, one line.
    pub(in crate::app) fn help(self) -> &'static str {
        match self {
            Self::Method(method) => method.help(),
            Self::Truth => Content::Truth.row().help,
        }
    }
}

/// Names of a method.
fn method_names(method: Method) -> [String; 3] {
    let title = method.title();
    let without_alias = title.split(" (").next().unwrap_or(&title).to_owned();
    let short = method.row().map_or_else(|| method.label().into_owned(), |row| row.short.to_owned());
    [title.into_owned(), without_alias, short]
}

/// Name of a panel. As text it is the method without its alias, and what differs: `Cubic B-spline · prefiltered`.
#[derive(Clone, Debug, PartialEq)]
pub struct PanelName {
    /// Index of the panel.
    pub index: usize,
    method: PanelMethod,
    /// What differs from the other panels.
    told: Vec<String>,
}

impl PanelName {
    /// The name with the alias of the method: `Cubic B-spline (bicubic) · prefiltered`.
    pub fn whole(&self) -> String {
        self.with(&self.method.names()[0])
    }

    /// The name with its number: `3 Cubic B-spline · prefiltered`.
    pub fn numbered(&self) -> String {
        format!("{} {self}", self.index + 1)
    }

    /// Names with numbers, the longest first, for narrow places.
    pub(in crate::app) fn forms(&self) -> [String; 3] {
        let [_, _, label] = self.method.names();
        let number = self.index + 1;
        [self.numbered(), format!("{number} {}", self.with(&label)), format!("{number} {label}")]
    }

    fn with(&self, method: &str) -> String {
        let parts = std::iter::once(method).chain(self.told.iter().map(String::as_str));
        parts.collect::<Vec<_>>().join(SEPARATOR)
    }
}

impl fmt::Display for PanelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.with(&self.method.names()[1]))
    }
}

/// A trait of a panel that its header shows.
#[derive(Clone, Debug, PartialEq)]
pub struct PanelChip {
    /// The trait.
    pub panel_trait: PanelTrait,
    /// Its value in words.
    pub text: String,
}

impl Session {
    /// Name of panel `index`.
    pub fn panel_name(&self, index: usize) -> PanelName {
        let told = PANEL_TRAITS.iter().filter(|row| self.tells(index, row.panel_trait));
        let text = |row: &PanelTraitRow| Some(self.trait_value(index, row.panel_trait)?.text(self));
        PanelName { index, method: self.panels()[index].method(), told: told.filter_map(text).collect() }
    }

    /// What the header of panel `index` shows beside the method: every trait that is not the usual one, those of its name, and
    /// the prefilter of a method that has one, on or off.
    pub fn panel_chips(&self, index: usize) -> Vec<PanelChip> {
        let chip = |row: &PanelTraitRow| {
            let value = self.trait_value(index, row.panel_trait)?;
            let is_prefilter = matches!(value, TraitValue::Prefilter(Some(_)));
            let is_shown = self.tells(index, row.panel_trait) || !value.is_usual() || is_prefilter;
            is_shown.then(|| PanelChip { panel_trait: row.panel_trait, text: value.text(self) })
        };
        PANEL_TRAITS.iter().filter_map(chip).collect()
    }

    /// Label of panel `index` in a figure, which is read without the window: the method, and every trait that is not the usual one or is
    /// part of its name.
    pub(in crate::app) fn figure_label(&self, index: usize) -> String {
        let told = self.panel_chips(index).into_iter().map(|chip| chip.text).collect();
        PanelName { told, ..self.panel_name(index) }.to_string()
    }

    /// Whether `panel_trait` is part of the name of panel `index`.
    pub(in crate::app) fn tells(&self, index: usize, panel_trait: PanelTrait) -> bool {
        let Some(value) = self.trait_value(index, panel_trait) else {
            return false;
        };
        let method = self.panels()[index].method();
        let is_other = |other: &usize| self.trait_value(*other, panel_trait).is_some_and(|other| other != value);
        let mut others = (0..self.panels().len()).filter(is_other);
        let is_always_told =
            matches!(panel_trait, PanelTrait::Image | PanelTrait::Plane | PanelTrait::Component) || !value.is_usual();
        if is_always_told {
            others.next().is_some()
        } else {
            others.any(|other| self.panels()[other].method() == method)
        }
    }

    /// The convention under which the lower right corner of panel `index` is that of its resized image.
    fn pixel_centres(&self, index: usize) -> Option<PixelCentres> {
        let (view, output, page) = (self.view_of(index), self.output(), self.page_of(index).size());
        let is_end = |centres: &PixelCentres| centres.view_of_end(page, output, view.scale()) == Ok(view);
        PIXEL_CENTRES.iter().map(|row| row.centres).find(is_end)
    }

    /// Value of a trait of panel `index`; `None` if it has no effect on what the panel shows.
    fn trait_value(&self, index: usize, panel_trait: PanelTrait) -> Option<TraitValue> {
        let panel = &self.panels()[index];
        let is_of_sampler = match panel_trait {
            PanelTrait::AddressMode | PanelTrait::Prefilter | PanelTrait::SamplingPath | PanelTrait::Antiringing => {
                true
            }
            PanelTrait::Antialias
            | PanelTrait::Filters
            | PanelTrait::Warp
            | PanelTrait::Plane
            | PanelTrait::Component
            | PanelTrait::PixelCentres
            | PanelTrait::Image => false,
        };
        if is_of_sampler && panel.content == Content::Truth {
            return None;
        }
        let sampler = self.sampler_of(index);
        Some(match panel_trait {
            PanelTrait::AddressMode => {
                let has_border = sampler.address.contains(&AddressMode::Border) && sampler.border != 0.0;
                TraitValue::AddressMode(sampler.address, has_border.then_some(sampler.border))
            }
            PanelTrait::Prefilter => {
                TraitValue::Prefilter(sampler.method.kernel().prefilter.is_some().then_some(sampler.prefilter))
            }
            PanelTrait::SamplingPath => TraitValue::SamplingPath(sampler.path),
            PanelTrait::Antialias => TraitValue::Antialias(
                match (self.view_of(index).scales().iter().any(|scale| *scale > 1.0), sampler.antialias) {
                    (false, _) => Antialias::Enlarged,
                    (true, false) => Antialias::Off,
                    (true, true) => Antialias::On { blur: sampler.blur },
                },
            ),
            PanelTrait::Antiringing => TraitValue::Antiringing(sampler.antiringing),
            PanelTrait::Filters => TraitValue::Filters(panel.filters_in_force()),
            PanelTrait::Warp => TraitValue::Warp(panel.warp.clone()),
            PanelTrait::Plane => {
                let position = self.volume_of(index).map(|volume| volume.shape().position(&panel.plane));
                TraitValue::Plane(panel.plane.orientation, position, self.has_times(index).then_some(panel.plane.time))
            }
            PanelTrait::Component => TraitValue::Component(self.component_of(index)),
            PanelTrait::PixelCentres => TraitValue::PixelCentres(self.pixel_centres(index)),
            PanelTrait::Image => TraitValue::Image { place: self.image_index_of(index), page: panel.page_index() },
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::history::{Change, Framing};
    use super::super::panel_sets::{PANEL_SETS, PanelSet};
    use super::*;
    use crate::image::{Channels, Depth, Image, Page, Raster};
    use crate::test_support::size;
    use crate::view::View;

    fn image(name: &str) -> Arc<Image> {
        let page = Page::new(Raster::zeros(size(64, 48), Channels::Grey, Depth::EIGHT));
        Arc::new(Image::new(name, vec![page]).expect("an image"))
    }

    fn session() -> Session {
        let mut session = Session::new(image("a.pgm"));
        session.resize(size(500, 400));
        session
    }

    fn names(session: &Session) -> Vec<String> {
        (0..session.panels().len()).map(|index| session.panel_name(index).to_string()).collect()
    }

    #[test]
    fn names_leave_out_the_places_of_filters_and_the_corners_of_warps() {
        let filters = |text: &str| Filters { before: text.parse().expect("filters"), ..Filters::default() };
        let names = ["inpaint=[2,3,5,5],normalized-convolution,1", "gaussian=2.5;negative"];
        let expected = ["ƒ inpaint normalized-convolution,1", "ƒ gaussian=2.5, ƒ negative"];
        assert_eq!(names.map(|text| filters_text(&filters(text))), expected);
        let session = session();
        let text = |warp: &str| TraitValue::Warp(warp.parse().expect("a warp")).text(&session);
        assert_eq!(["lens=0.5,1", "perspective=0,0,1,0,1,1.5,0,1.5"].map(text), ["lens=0.5,1", "perspective"]);
    }

    #[test]
    fn panels_of_different_methods_are_named_by_their_methods() {
        let session = session();
        assert_eq!(names(&session), ["Nearest", "Linear", "Cubic B-spline", "Catmull-Rom"]);
        assert_eq!(session.panel_name(2).whole(), "Cubic B-spline (bicubic)");
        assert_eq!(session.panel_name(2).numbered(), "3 Cubic B-spline");
        // A method with a prefilter says whether it is on, the others have nothing to say.
        let chips = |index: usize| session.panel_chips(index).into_iter().map(|chip| chip.text).collect::<Vec<_>>();
        assert_eq!([0, 1, 2, 3].map(chips), [vec![], vec![], vec!["no prefilter".to_owned()], vec![]]);
    }

    #[test]
    fn unusual_trait_of_one_panel_is_in_its_name_alone() {
        let mut session = session();
        session.panel_mut(3).expect("a panel").sampler.address = [AddressMode::Mirror, AddressMode::Clamp];
        assert_eq!(names(&session), ["Nearest", "Linear", "Cubic B-spline", "Catmull-Rom · mirror × clamp"]);
        // A trait of all panels is in the headers and in no name.
        (0..4).for_each(|index| session.panel_mut(index).expect("a panel").sampler.address = [AddressMode::Wrap; 2]);
        assert_eq!(names(&session), ["Nearest", "Linear", "Cubic B-spline", "Catmull-Rom"]);
        let chip = PanelChip { panel_trait: PanelTrait::AddressMode, text: "wrap".to_owned() };
        assert!((0..4).all(|index| session.panel_chips(index)[0] == chip));
    }

    #[test]
    fn panels_of_every_set_have_distinct_names() {
        for row in &PANEL_SETS {
            let mut session = session();
            session.focus(2);
            row.panel_set.show(&mut session);
            let names = names(&session);
            for (index, name) in names.iter().enumerate() {
                assert!(!names[..index].contains(name), "{}: {names:?}", row.name);
            }
        }
        let mut session = session();
        PanelSet::Prefilter.show(&mut session);
        assert_eq!(names(&session), ["Cubic B-spline · no prefilter", "Cubic B-spline · prefiltered"]);
    }

    #[test]
    fn each_trait_of_two_panels_of_one_method_is_named_in_both() {
        // What both names have behind the method.
        let pair = |change: fn(&mut Session)| {
            let mut session = session();
            session.arrange(&[Sampler { antialias: true, ..Sampler::default().with_method(Method::BSPLINE) }; 2]);
            change(&mut session);
            let told = |name: &String| name.split_once(SEPARATOR).map_or("", |(_, told)| told).to_owned();
            names(&session).iter().map(told).collect::<Vec<_>>()
        };
        assert_eq!(pair(|s| s.panel_mut(1).expect("two").sampler.address = [AddressMode::Wrap; 2]), ["clamp", "wrap"]);
        assert_eq!(pair(|s| s.panel_mut(1).expect("two").sampler.prefilter = true), ["no prefilter", "prefiltered"]);
        assert_eq!(
            pair(|s| s.panel_mut(1).expect("two").sampler.path = SamplingPath::Filtered),
            ["exact", "texture unit"]
        );
        assert_eq!(
            pair(|s| s.panel_mut(1).expect("two").filters.before = "gaussian=3".parse().expect("a chain")),
            ["no filters", "ƒ gaussian=3"]
        );
        assert_eq!(
            pair(|s| s.panel_mut(1).expect("two").warp = "lens=0.5".parse().expect("a warp")),
            ["no warp", "lens=0.5,1"]
        );
        assert_eq!(pair(|s| s.open_in(1, image("b.pgm"))), ["a.pgm", "b.pgm"]);
        let reduced = |s: &mut Session| {
            s.go(View::new([0.0; 2], 4.0).expect("a view"), Framing::Free, Change::Jump);
            s.panel_mut(1).expect("two").sampler.antialias = false;
        };
        assert_eq!(pair(reduced), ["antialiased", "aliased"]);
        assert_eq!(pair(|s| s.panel_mut(1).expect("two").sampler.antialias = false), ["", ""]);
    }

    #[test]
    fn figure_label_has_every_unusual_trait() {
        let mut session = session();
        (0..4).for_each(|index| session.panel_mut(index).expect("a panel").sampler.address = [AddressMode::Wrap; 2]);
        session.panel_mut(2).expect("a panel").sampler.prefilter = true;
        assert_eq!(session.figure_label(2), "Cubic B-spline · wrap · prefiltered");
        assert_eq!(session.figure_label(3), "Catmull-Rom · wrap");
    }
}
