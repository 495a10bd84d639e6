//! What the window shows, without the window: open images, the view that the panels share, the panels. Every change a
//! person makes goes through here, so that it can be tested without a screen.

use std::sync::Arc;

use super::history::{Change, Framing, History};
use super::layout::Layout;
use crate::backend::{Display, RenderRequest, RequestError};
use crate::image::{Image, Page, Size};
use crate::sampling::{Address, METHODS, Method, Path, Sampler};
use crate::view::View;

/// One panel: how it fills itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// How a value between samples is made.
    pub sampler: Sampler,
    /// What becomes of the values on their way to the screen.
    pub display: Display,
}

/// Everything that decides what is seen, but for the window's size and colours.
#[derive(Debug)]
pub struct Session {
    images: Vec<Arc<Image>>,
    shown: usize,
    page: usize,
    view: View,
    framing: Framing,
    history: History,
    panels: Vec<Panel>,
    focused: usize,
    maximised: bool,
    layout: Layout,
    output: Size,
    now_s: f64,
}

impl Session {
    /// A session of one image, fitted, in the four panels.
    pub fn new(image: Arc<Image>) -> Self {
        let panels = [Method::Nearest, Method::Linear, Method::BSpline, Method::CatmullRom]
            .map(|method| Panel { sampler: Sampler::default().with_method(method), ..Panel::default() });
        let output = image.pages()[0].size();
        Self {
            images: vec![image],
            shown: 0,
            page: 0,
            view: View::fit(output, output),
            framing: Framing::Fit,
            history: History::default(),
            panels: panels.to_vec(),
            focused: 0,
            maximised: false,
            layout: Layout::default(),
            output,
            now_s: 0.0,
        }
    }

    /// The image that is shown.
    pub fn image(&self) -> &Arc<Image> {
        &self.images[self.shown]
    }

    /// All open images, in the order they were opened.
    pub fn images(&self) -> &[Arc<Image>] {
        &self.images
    }

    /// Which of [`Session::images`] is shown.
    pub fn shown(&self) -> usize {
        self.shown
    }

    /// The page that is shown, counted from 0.
    pub fn page_index(&self) -> usize {
        self.page
    }

    /// The page that is shown.
    pub fn page(&self) -> &Arc<Page> {
        &self.image().pages()[self.page]
    }

    /// The view that the panels share.
    pub fn view(&self) -> View {
        self.view
    }

    /// How the view follows the panels' size.
    pub fn framing(&self) -> Framing {
        self.framing
    }

    /// A picture's size in physical pixels.
    pub fn output(&self) -> Size {
        self.output
    }

    /// The panels.
    pub fn panels(&self) -> &[Panel] {
        &self.panels
    }

    /// Which panel the keys act on.
    pub fn focused(&self) -> usize {
        self.focused
    }

    /// The panel that the keys act on.
    pub fn focused_panel(&mut self) -> &mut Panel {
        &mut self.panels[self.focused]
    }

    /// The panel numbered `index`.
    pub fn panel_mut(&mut self, index: usize) -> Option<&mut Panel> {
        self.panels.get_mut(index)
    }

    /// How panels share the window.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The panels that are seen: all, or the focused one where it is maximised.
    pub fn visible(&self) -> std::ops::Range<usize> {
        if self.maximised { self.focused..self.focused + 1 } else { 0..self.panels.len() }
    }

    /// What panel `index` asks of a backend.
    pub fn request(&self, index: usize) -> RenderRequest {
        let Panel { sampler, display } = self.panels[index].clone();
        RenderRequest { size: self.output, view: self.view, sampler, page: self.page, display }
    }

    /// Why panel `index` could not be drawn with `sampler`, if so.
    pub fn refusal(&self, index: usize, sampler: Sampler) -> Option<RequestError> {
        RenderRequest { sampler, ..self.request(index) }.check(self.page()).err()
    }

    /// Sets the time, in seconds, by which changes are told apart.
    pub fn tick(&mut self, now_s: f64) {
        self.now_s = now_s;
    }

    /// The pictures have `output` pixels from now on: a fitted view fits again, a snapped one snaps again, any other keeps
    /// its numbers. In each case the image's place in the picture's middle stays there.
    pub fn resize(&mut self, output: Size) {
        if output != self.output {
            self.output = output;
            self.reframe();
        }
    }

    fn reframe(&mut self) {
        let page = self.page().size();
        self.view = match self.framing {
            Framing::Fit => View::fit(self.output, page),
            Framing::Snapped => self.view.snapped(self.output, page),
            Framing::Free => self.view,
        };
    }

    /// Moves to `view`; Backspace finds back.
    pub fn go(&mut self, view: View, framing: Framing, change: Change) {
        if view != self.view {
            self.history.leave(self.view, self.framing, change, self.now_s);
            self.view = view;
        }
        self.framing = framing;
    }

    /// The view left last.
    pub fn back(&mut self) {
        if let Some((view, framing)) = self.history.back() {
            self.view = view;
            self.framing = framing;
            self.reframe();
        }
    }

    /// Whether there is a view to go back to.
    pub fn can_go_back(&self) -> bool {
        !self.history.is_empty()
    }

    /// What comes next is a step of its own in the history.
    pub fn end_burst(&mut self) {
        self.history.pause();
    }

    /// Shows the whole image.
    pub fn fit(&mut self) {
        self.go(View::fit(self.output, self.page().size()), Framing::Fit, Change::Jump);
    }

    /// The output position around which keys zoom: the picture's middle.
    pub fn middle(&self) -> [f64; 2] {
        [f64::from(self.output.width()) / 2.0, f64::from(self.output.height()) / 2.0]
    }

    /// Shows samples at `scale` samples a pixel, snapped, what is at `about` staying there; from a fitted view the image
    /// stays centred.
    pub fn show_at(&mut self, scale: f64, about: [f64; 2], change: Change) {
        let page = self.page().size();
        let view = if self.framing == Framing::Fit && about == self.middle() {
            View::actual_size(scale.clamp(View::ZOOM_SCALES.0, View::ZOOM_SCALES.1), self.output, page)
        } else {
            self.view.zoomed_about(about, scale, self.output).snapped(self.output, page)
        };
        self.go(view, Framing::Snapped, change);
    }

    /// Pans by output pixels; a snapped view stays snapped where they are whole.
    pub fn pan(&mut self, by_px: [f64; 2]) {
        let whole = by_px.iter().all(|px| px.fract() == 0.0);
        let framing = if self.framing == Framing::Snapped && whole { Framing::Snapped } else { Framing::Free };
        self.go(self.view.panned(by_px), framing, Change::Pan);
    }

    /// Gives panel `index` the focus.
    pub fn focus(&mut self, index: usize) {
        self.focused = index.min(self.panels.len() - 1);
    }

    /// Shows the focused panel alone, or all again.
    pub fn toggle_maximised(&mut self) {
        self.maximised = !self.maximised;
    }

    /// Grid, row, grid.
    pub fn next_layout(&mut self) {
        self.layout = match self.layout {
            Layout::Grid => Layout::Row,
            Layout::Row => Layout::Grid,
        };
    }

    /// The focused panel's next or previous method; a sampling path that does not serve it gives way to the exact one.
    pub fn step_method(&mut self, step: isize) {
        let sampler = &mut self.focused_panel().sampler;
        let place = (sampler.method as isize + step).rem_euclid(METHODS.len() as isize) as usize;
        sampler.set_method(METHODS[place].method);
    }

    /// The focused panel's next address mode along the given axes (0: x, 1: y); both axes take the first one's next.
    pub fn step_address(&mut self, axes: &[usize]) {
        let address = &mut self.focused_panel().sampler.address;
        if let Some(&first) = axes.first() {
            let next = next_address(address[first]);
            axes.iter().for_each(|&axis| address[axis] = next);
        }
    }

    /// Shows `image` beside those that are open. An image of the size of the last keeps the view, any other is fitted.
    pub fn open(&mut self, image: Arc<Image>) {
        let place = self.images.len();
        self.images.push(image);
        self.show_image(place);
    }

    /// Shows the image numbered `index`.
    pub fn show_image(&mut self, index: usize) {
        if index >= self.images.len() || index == self.shown {
            return;
        }
        let before = self.page().size();
        self.shown = index;
        self.page = 0;
        if self.page().size() != before {
            self.framing = Framing::Fit;
            self.history = History::default();
        }
        self.reframe();
    }

    /// Shows the page numbered `index`, counted from 0; beyond the last the last.
    pub fn show_page(&mut self, index: usize) {
        self.page = index.min(self.image().pages().len() - 1);
        self.reframe();
    }
}

fn next_address(address: Address) -> Address {
    let rows = &crate::sampling::ADDRESSES;
    rows[(address as usize + 1) % rows.len()].address
}

/// Changing a sampler's method by hand.
pub(super) trait SetMethod {
    /// Takes `method`, and the exact path where the present one does not serve it.
    fn set_method(&mut self, method: Method);
}

impl SetMethod for Sampler {
    fn set_method(&mut self, method: Method) {
        self.method = method;
        if !method.row().paths.contains(&self.path) {
            self.path = Path::Auto;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::{Channels, Depth, Raster};

    fn size(width: u32, height: u32) -> Size {
        Size::new(width, height).expect("a size")
    }

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
    fn a_fitted_view_follows_the_window() {
        let mut session = session();
        assert_eq!(session.view(), View::fit(size(500, 400), size(512, 512)));
        session.resize(size(301, 200));
        assert_eq!(session.view(), View::fit(size(301, 200), size(512, 512)));
    }

    #[test]
    fn a_snapped_view_stays_snapped_and_a_typed_one_keeps_its_numbers() {
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
    fn backspace_finds_back_and_to_a_fit_that_fits() {
        let mut session = session();
        session.show_at(0.25, [10.0, 20.0], Change::Jump);
        session.resize(size(640, 480));
        session.back();
        assert_eq!(session.view(), View::fit(size(640, 480), size(512, 512)));
        assert!(!session.can_go_back());
    }

    #[test]
    fn an_image_of_the_same_size_keeps_the_view() {
        let mut session = session();
        session.show_at(0.25, session.middle(), Change::Jump);
        let view = session.view();
        session.open(image(size(512, 512)));
        assert_eq!(session.view(), view);
        session.open(image(size(64, 64)));
        assert_eq!(session.view(), View::fit(session.output(), size(64, 64)));
    }

    #[test]
    fn a_method_that_the_path_does_not_serve_takes_the_exact_path() {
        let mut session = session();
        session.focus(3);
        session.focused_panel().sampler.path = Path::Filtered;
        session.step_method(1);
        let sampler = session.panels()[3].sampler;
        assert_eq!((sampler.method, sampler.path), (Method::Mitchell, Path::Auto));
        session.step_method(-4);
        assert_eq!(session.panels()[3].sampler.method, Method::Nearest);
    }

    #[test]
    fn address_modes_go_round_on_one_axis_or_both() {
        let mut session = session();
        session.step_address(&[1]);
        assert_eq!(session.panels()[0].sampler.address, [Address::Clamp, Address::Border]);
        session.step_address(&[0, 1]);
        assert_eq!(session.panels()[0].sampler.address, [Address::Border; 2]);
        (0..3).for_each(|_| session.step_address(&[0]));
        assert_eq!(session.panels()[0].sampler.address, [Address::Clamp, Address::Border]);
    }
}
