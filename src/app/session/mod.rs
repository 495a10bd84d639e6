//! The session: everything that the window shows, without the window. It holds the open images, the panels with their
//! views, the link mode, the layout, the comparison, the inspection state and the undo stack.
//!
//! Every change made by the user is a method of [`Session`], so that it is tested without a window.

pub(in crate::app) mod address_names;
pub(in crate::app) mod coordinates;
pub(in crate::app) mod display;
pub(in crate::app) mod figures;
mod fit_offset;
pub(in crate::app) mod footprint;
pub(in crate::app) mod hint;
pub(in crate::app) mod history;
pub(in crate::app) mod inspect;
pub(in crate::app) mod layout;
pub(in crate::app) mod one_dimension;
pub(in crate::app) mod panel_sets;
pub(in crate::app) mod preferences;
mod preview;
mod shared_settings;
pub(in crate::app) mod texture_error;
pub(in crate::app) mod unit;

mod compare;
mod components;
pub(in crate::app) mod difference;
mod filters;
mod images;
mod kept_place;
pub(in crate::app) mod lesson;
mod link;
mod new_panel;
mod open_images;
pub(in crate::app) mod opening;
mod outside;
pub(in crate::app) mod panel_names;
mod panels;
mod planes;
mod state;
mod undo;
mod view_animation;
mod views;
mod warps;

use std::sync::Arc;

pub use self::compare::{COMPARES, Compare, CompareRow, PanelArea, WipeLine};
pub use self::difference::{Difference, Gain, Ground};
pub(in crate::app) use self::filters::short_step;
pub use self::kept_place::{KEPT_PLACES, KeptPlace, KeptPlaceRow};
pub use self::link::{LINKS, Link, LinkRow};
pub use self::open_images::ImageId;
pub use self::panel_names::{PANEL_TRAITS, PanelChip, PanelMethod, PanelName, PanelTrait, PanelTraitRow};
pub use self::panels::{Panel, PanelId};
pub use self::state::{PanelState, SessionState};

use self::compare::Comparison;
use self::history::{Framing, History};
use self::inspect::Inspect;
use self::layout::PanelLayout;
use self::lesson::{LessonPlace, ShownRegion};
use self::open_images::OpenImages;
use self::preview::Preview;
pub use self::undo::RevertedStep;
use self::undo::UndoStack;
use self::view_animation::ViewAnimation;
use crate::backend::{Content, NoTruth, RenderRequest, RequestError};
use crate::image::{Image, Size};
use crate::sampling::{AddressMode, METHODS, Method, Sampler, SamplingPath};
use crate::view::View;
use crate::volume::Plane;

/// Everything that determines the visible pixels, except the window's size and theme. A session has at least one panel
/// and one image.
#[derive(Debug)]
pub struct Session {
    images: OpenImages,
    shown_before: Option<ImageId>,
    kept_place: KeptPlace,
    panels: Vec<Panel>,
    focused: usize,
    maximized: bool,
    layout: PanelLayout,
    link: Link,
    comparison: Comparison,
    history: History<Vec<(PanelId, View, Framing)>>,
    undo_stack: UndoStack,
    output: Size,
    /// Margin of a fitted view at each side, in physical pixels.
    fit_margin_px: u32,
    fit_offsets: Vec<(PanelId, [f64; 2])>,
    preview: Option<Preview>,
    now_s: f64,
    animation: Option<ViewAnimation>,
    /// Whether neither the view nor the image has changed since [`Session::show_opening`].
    is_opening: bool,
    /// Pixels of a point of the display.
    pixels_per_point: f64,
    /// Whether an address mode was chosen.
    address_touched: bool,
    ground: Ground,
    /// The automatic gain of differences; `None` until values were measured.
    automatic_gain: Option<f64>,
    /// The step of a lesson that this session belongs to.
    lesson: Option<LessonPlace>,
    /// Rectangles that panels show, whatever the size of their pictures.
    regions: Vec<ShownRegion>,
    /// State of the inspection tools.
    pub inspect: Inspect,
}

impl Session {
    /// A session of one image, fitted, in four panels: nearest, linear, cubic B-spline and Catmull-Rom, antialiased where
    /// the view is reduced.
    pub fn new(image: Arc<Image>) -> Self {
        let output = image.pages()[0].size();
        let view = View::fit(output, output);
        let images = OpenImages::new(image);
        let shown = images.ids()[0];
        let panels = [Method::Nearest, Method::Linear, Method::BSPLINE, Method::CATMULL_ROM].map(|method| {
            Panel::new(Sampler { antialias: true, ..Sampler::default().with_method(method) }, view, shown)
        });
        let mut session = Self {
            images,
            shown_before: None,
            kept_place: KeptPlace::default(),
            panels: panels.to_vec(),
            focused: 0,
            maximized: false,
            layout: PanelLayout::default(),
            link: Link::default(),
            comparison: Comparison::default(),
            history: History::default(),
            undo_stack: UndoStack::default(),
            output,
            fit_margin_px: 0,
            fit_offsets: Vec::new(),
            preview: None,
            now_s: 0.0,
            animation: None,
            is_opening: false,
            pixels_per_point: 1.0,
            address_touched: false,
            ground: Ground::default(),
            automatic_gain: None,
            lesson: None,
            regions: Vec::new(),
            inspect: Inspect::default(),
        };
        let all: Vec<usize> = (0..session.panels.len()).collect();
        for &index in &all {
            session.panels[index].display.window = session.usual_window(index);
        }
        session.square_samples(&all);
        session
    }

    /// Size of a picture, in physical pixels.
    pub fn output(&self) -> Size {
        self.output
    }

    /// The part of a picture in its middle that a fitted view fills: all but the margin at each side, which is at most a
    /// sixteenth of the side.
    pub fn fit_area(&self) -> Size {
        let [width, height] = self.output.sides().map(|side| side - 2 * self.fit_margin_px.min(side / 16));
        Size::new(width, height).unwrap_or(self.output)
    }

    /// Arrangement of the panels in the window.
    pub fn layout(&self) -> PanelLayout {
        self.layout
    }

    /// The render request of panel `index` at this time.
    pub fn request(&self, index: usize) -> RenderRequest {
        let panel = &self.panels[index];
        RenderRequest {
            view: self.shown_view_of(index),
            warp: panel.warp.clone(),
            content: panel.content,
            sampler: self.sampler_of(index),
            page: panel.page_index(),
            plane: if self.volume_of(index).is_some() { panel.plane } else { Plane::default() },
            component: self.component_of(index),
            filters: panel.filters_in_force(),
            display: panel.display,
            ..RenderRequest::new(self.output)
        }
    }

    /// The reason why panel `index` cannot be interpolated with `sampler`; `None` if it can.
    pub fn refusal(&self, index: usize, sampler: Sampler) -> Option<RequestError> {
        let (content, sampler) = (Content::Interpolation, self.on_plane(index, panels::in_force(sampler)));
        RenderRequest { content, sampler, ..self.request(index) }.check(&self.page_of(index)).err()
    }

    /// The reason why panel `index` has no truth at any view; `None` if it has one.
    pub fn no_truth(&self, index: usize) -> Option<NoTruth> {
        if self.page_of(index).truth().is_none() {
            return Some(NoTruth::Samples);
        }
        (!self.panels[index].warp.is_none()).then_some(NoTruth::Warped)
    }

    /// Has the focused panel show the truth, or its method again.
    pub fn toggle_truth(&mut self) {
        let panel = self.focused_panel();
        panel.content = match panel.content {
            Content::Interpolation => Content::Truth,
            Content::Truth => Content::Interpolation,
        };
    }

    /// Sets the time, in seconds. View animations and the view history depend on it.
    pub fn tick(&mut self, now_s: f64) {
        self.now_s = now_s;
        self.end_animation_if_done();
    }

    /// Shows the focused panel alone, or all panels again.
    pub fn toggle_maximized(&mut self) {
        self.maximized = !self.maximized;
    }

    /// Whether the focused panel is shown alone.
    pub fn is_maximized(&self) -> bool {
        self.maximized
    }

    /// Sets the arrangement of the panels.
    pub fn set_layout(&mut self, layout: PanelLayout) {
        self.layout = layout;
    }

    /// Selects the next arrangement of the panels.
    pub fn next_layout(&mut self) {
        self.layout = match self.layout {
            PanelLayout::Grid => PanelLayout::Row,
            PanelLayout::Row => PanelLayout::Grid,
        };
    }

    /// Selects the focused panel's named method `step` rows on. A sampling path that does not serve it is replaced by the
    /// exact path.
    pub fn step_method(&mut self, step: isize) {
        let panel = self.focused_panel();
        panel.content = Content::Interpolation;
        let sampler = &mut panel.sampler;
        // A method without a row is before the first row.
        let place = sampler.method.position().map_or(if step > 0 { -1 } else { 0 }, |place| place as isize);
        let place = (place + step).rem_euclid(METHODS.len() as isize) as usize;
        sampler.set_method(METHODS[place].method);
    }

    /// Selects the next address mode of the focused panel along `axes` (0: x, 1: y). All of them get the first one's
    /// next mode.
    pub fn step_address(&mut self, axes: &[usize]) {
        let address = &mut self.focused_panel().sampler.address;
        if let Some(&first) = axes.first() {
            let next = next_address(address[first]);
            axes.iter().for_each(|&axis| address[axis] = next);
        }
    }
}

fn next_address(address: AddressMode) -> AddressMode {
    let rows = &crate::sampling::ADDRESS_MODES;
    rows[(address as usize + 1) % rows.len()].address
}

/// Selection of a sampler's method.
pub(super) trait SetMethod {
    /// Sets `method`, and the exact path if the current path does not serve it.
    fn set_method(&mut self, method: Method);
}

impl SetMethod for Sampler {
    fn set_method(&mut self, method: Method) {
        self.method = method;
        if !method.kernel().paths.contains(&self.path) {
            self.path = SamplingPath::Auto;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::preferences::Preferences;
    use super::*;
    use crate::app::session::history::Change;
    use crate::complex::Component;
    use crate::image::{Channels, Depth, Page, Raster};
    use crate::test_support::size;

    fn image(side: Size) -> Arc<Image> {
        let page = Page::new(Raster::zeros(side, Channels::Grey, Depth::EIGHT));
        Arc::new(Image::new("zeros", vec![page]).expect("an image"))
    }

    fn session() -> Session {
        let mut session = Session::new(image(size(512, 512)));
        session.resize(size(500, 400));
        session
    }

    #[test]
    fn fitted_view_follows_the_window_size() {
        let mut session = session();
        assert_eq!(session.view(), View::fit(size(500, 400), size(512, 512)));
        session.resize(size(301, 200));
        assert_eq!(session.view(), View::fit(size(301, 200), size(512, 512)));
    }

    /// At 1×, 1.5× and 2×, of 8 points; in a small picture of a sixteenth.
    #[test]
    fn fitted_view_leaves_its_margin_at_every_side_and_centres_the_image() {
        for (output, margin_px, expected) in [([500, 400], 8, 8.0), ([501, 603], 12, 12.0), ([64, 48], 16, 3.0)] {
            let mut session = Session::new(image(size(512, 512)));
            session.resize_with_margin(size(output[0], output[1]), margin_px);
            assert_eq!(session.framing(), Framing::Fit);
            for angle_deg in [90.0, 0.0] {
                session.turn_to(angle_deg);
                let map = session.view().image_from_output(session.output(), size(512, 512));
                let corners = [[-0.5; 2], [511.5; 2]].map(|corner| map.inverse_at(corner));
                let margins = [0, 1].map(|axis: usize| {
                    let [a, b] = corners.map(|corner| corner[axis]);
                    [a.min(b) + 0.5, f64::from(output[axis]) - 0.5 - a.max(b)]
                });
                assert!(margins.iter().all(|[near, far]| (near - far).abs() < 1e-9), "{margins:?}");
                let least = margins[0][0].min(margins[1][0]);
                assert!((least - expected).abs() < 1e-9, "{output:?}, {angle_deg}°: {margins:?}");
            }
            session.show_at(1.0, session.middle(), Change::Jump);
            session.fit();
            assert_eq!(session.view(), View::fit(session.fit_area(), size(512, 512)));
        }
    }

    #[test]
    fn resized_window_snaps_a_snapped_view_and_keeps_a_typed_one() {
        let mut session = session();
        session.show_at(1.0, session.middle(), Change::Jump);
        session.resize(size(501, 401));
        let first = session.view().image_from_output(session.output(), size(512, 512)).at([0.0, 0.0]);
        assert_eq!(first, [first[0].round(), first[1].round()]);
        let typed = View::new([0.0; 2], 1.0).expect("a view");
        session.go(typed, Framing::Free, Change::Jump);
        session.resize(size(500, 400));
        assert_eq!(session.view(), typed);
    }

    #[test]
    fn back_returns_to_a_fit_of_the_current_size() {
        let mut session = session();
        session.show_at(0.25, [10.0, 20.0], Change::Jump);
        session.resize(size(640, 480));
        session.back();
        assert_eq!(session.view(), View::fit(size(640, 480), size(512, 512)));
        assert!(!session.can_go_back());
    }

    #[test]
    fn animation_ends_at_the_view_and_history_has_only_ends() {
        let mut session = session();
        let preferences = Preferences::default();
        session.tick(10.0);
        let fitted = session.view();
        session.animate(&preferences, |session| session.show_at(0.25, session.middle(), Change::Jump));
        let near = session.view();
        assert!((0..4).all(|index| session.view_of(index) == near));
        let mut scales = vec![fitted.scale()];
        for frame in 1..=8 {
            assert_eq!(session.request(1).view, session.shown_view_of(1));
            scales.push(session.request(1).view.scale());
            session.tick(10.0 + f64::from(frame) / 60.0);
        }
        assert!(scales.is_sorted_by(|a, b| a > b) && scales.iter().all(|scale| *scale > 0.25), "{scales:?}");
        session.tick(10.2);
        assert!(!session.is_animating());
        assert_eq!(session.request(1).view, near);
        // A drag starts from the shown view; back returns to the views of the panels, not to animated ones.
        session.animate(&preferences, Session::fit);
        session.tick(10.25);
        let seen = session.shown_view_of(0);
        assert!(seen != near && seen != fitted);
        session.go_in(0, seen.panned([3.0, 0.0]), Framing::Free, Change::Pan);
        assert!(!session.is_animating());
        for expected in [fitted, near, fitted] {
            session.animate(&preferences, Session::back);
            assert_eq!(session.view(), expected);
        }
        let preferences = Preferences { reduced_motion: true, ..preferences };
        session.animate(&preferences, |session| session.show_at(0.5, session.middle(), Change::Jump));
        assert!(!session.is_animating());
        assert_eq!(session.request(0).view, session.view());
    }

    #[test]
    fn image_of_the_same_size_keeps_the_view() {
        let mut session = session();
        session.show_at(0.25, session.middle(), Change::Jump);
        let view = session.view();
        session.open(image(size(512, 512)));
        assert_eq!(session.view(), view);
        session.open(image(size(64, 64)));
        assert_eq!(session.view(), View::fit(session.output(), size(64, 64)));
    }

    #[test]
    fn method_without_the_selected_path_selects_the_exact_path() {
        let mut session = session();
        session.focus(3);
        session.focused_panel().sampler.path = SamplingPath::Filtered;
        session.step_method(1);
        let sampler = session.panels()[3].sampler;
        assert_eq!((sampler.method, sampler.path), (Method::MITCHELL, SamplingPath::Auto));
        session.step_method(-4);
        assert_eq!(session.panels()[3].sampler.method, Method::Nearest);
    }

    #[test]
    fn address_modes_cycle_on_one_axis_or_both() {
        let mut session = session();
        session.step_address(&[1]);
        assert_eq!(session.panels()[0].sampler.address, [AddressMode::Clamp, AddressMode::Border]);
        session.step_address(&[0, 1]);
        assert_eq!(session.panels()[0].sampler.address, [AddressMode::Border; 2]);
        (0..3).for_each(|_| session.step_address(&[0]));
        assert_eq!(session.panels()[0].sampler.address, [AddressMode::Clamp, AddressMode::Border]);
    }

    /// A request contains everything that the panel determines.
    #[test]
    fn request_has_its_panels_view_sampler_page_filters_and_display() {
        let page = || Page::new(Raster::zeros(size(64, 48), Channels::Grey, Depth::EIGHT));
        let mut session = Session::new(Arc::new(Image::new("pages", vec![page(), page()]).expect("an image")));
        session.resize(size(500, 400));
        session.show_page_in(1, 1);
        let view = View::new([3.0, 4.0], 0.5).and_then(|view| view.rotated(-90.0)).expect("a view");
        session.go_in(1, view, Framing::Free, Change::Jump);
        let panel = session.panel_mut(1).expect("a panel");
        panel.sampler = Sampler { border: 0.5, prefilter: true, ..Sampler::default().with_method(Method::BSPLINE) };
        panel.filters.before = "negative;gaussian=2".parse().expect("a chain");
        panel.display.exposure = 2.0;
        panel.warp = "swirl=30".parse().expect("a warp");
        let panel = panel.clone();
        let expected = RenderRequest {
            size: size(500, 400),
            view,
            warp: panel.warp.clone(),
            content: Content::Interpolation,
            sampler: panel.sampler,
            page: 1,
            plane: Plane::default(),
            component: Component::Real,
            filters: panel.filters.clone(),
            subtract: None,
            display: panel.display,
        };
        assert_eq!(session.request(1), expected);
        session.panel_mut(1).expect("a panel").filters_off = true;
        assert_eq!(session.request(1), RenderRequest { filters: panel.filters.switched_off(), ..expected });
    }

    #[test]
    fn refusal_is_of_the_given_sampler() {
        let mut session = session();
        session.show_at(4.0, session.middle(), Change::Jump);
        let own = session.panels()[0].sampler;
        assert_eq!(session.refusal(0, own), None);
        let filtered = Sampler { path: SamplingPath::Filtered, antialias: true, ..own };
        assert_eq!(session.refusal(0, filtered), None, "the texture unit renders without antialiasing");
        let refused = Sampler { path: SamplingPath::Filtered, ..own.with_method(Method::MITCHELL) };
        assert!(session.refusal(0, refused).is_some());
    }

    /// The session is tested without a window, so its sources must not name the window's toolkit.
    #[test]
    fn session_sources_name_no_toolkit() {
        let toolkit = ["eg", "ui"].concat();
        let mut folders = vec![std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src/app/session"))];
        let mut count = 0;
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).expect("the folder of the session") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let text = std::fs::read_to_string(&path).expect("a source file");
                let line = text.lines().position(|line| line.contains(&toolkit));
                assert_eq!(line, None, "{} names the toolkit", path.display());
                count += 1;
            }
        }
        assert!(count > 15, "{count} files were read");
    }
}
