//! The figures of the tutorial that Lerpscope grew from: a view and how a panel shows it.

use super::Session;
use super::history::{Change, Framing};
use super::panel_names::PanelMethod;
use crate::backend::Content;
use crate::sampling::{AddressMode, Method, Sampler, SamplingPath};
use crate::view::View;

/// A figure of the tutorial.
#[derive(Debug)]
pub struct TutorialFigure {
    /// Number in the tutorial.
    pub number: u32,
    /// Title in the side bar.
    pub title: &'static str,
    /// `transl_x` and `transl_y`, in samples.
    pub translation: [f64; 2],
    /// `scaleFactor`, in samples per output pixel.
    pub scale: f64,
    /// Interpolation method.
    pub method: Method,
    /// Address modes along x and y.
    pub address: [AddressMode; 2],
    /// Sampling path.
    pub path: SamplingPath,
}

/// The image itself, by its nearest samples.
const IDENTITY: TutorialFigure = TutorialFigure {
    number: 15,
    title: "Nearest, the image itself",
    translation: [0.0; 2],
    scale: 1.0,
    method: Method::Nearest,
    address: [AddressMode::Clamp; 2],
    path: SamplingPath::Auto,
};

/// A detail at eight times its size.
const DETAIL: TutorialFigure = TutorialFigure { translation: [100.0; 2], scale: 0.125, ..IDENTITY };

/// The figures, in the tutorial's order.
pub static TUTORIAL_FIGURES: [TutorialFigure; 8] = [
    IDENTITY,
    TutorialFigure { number: 16, title: "Nearest, zoomed out", scale: 2.0, ..IDENTITY },
    TutorialFigure { number: 17, title: "Nearest, zoomed in", scale: 0.5, ..IDENTITY },
    TutorialFigure { number: 18, title: "Nearest, a detail", ..DETAIL },
    TutorialFigure {
        number: 19,
        title: "Linear, the detail",
        method: Method::Linear,
        path: SamplingPath::Filtered,
        ..DETAIL
    },
    TutorialFigure {
        number: 22,
        title: "B-spline, texture unit",
        method: Method::BSPLINE,
        path: SamplingPath::Filtered,
        ..DETAIL
    },
    TutorialFigure {
        number: 23,
        title: "Nearest, clamp × border",
        scale: 2.0,
        address: [AddressMode::Clamp, AddressMode::Border],
        ..IDENTITY
    },
    TutorialFigure {
        number: 24,
        title: "B-spline, lookup",
        method: Method::BSPLINE,
        path: SamplingPath::Lookup,
        ..DETAIL
    },
];

impl TutorialFigure {
    /// The view, exactly as in the tutorial: it is not snapped.
    pub fn view(&self) -> View {
        View::new(self.translation, self.scale).unwrap_or_default()
    }

    /// The figure's sampler, without prefilter and antialiasing; the rest is that of `model`.
    pub(super) fn sampler(&self, model: &Sampler) -> Sampler {
        let Self { method, address, path, .. } = *self;
        Sampler { method, address, path, prefilter: false, antialias: false, ..*model }
    }

    /// Shows the figure as in the tutorial, without antialiasing: its view in all panels, the rest in a panel that already uses its method, else in the focused
    /// panel. That panel gets the focus.
    pub fn show(&self, session: &mut Session) {
        let has_method = |index: &usize| session.panels()[*index].method() == PanelMethod::Method(self.method);
        let focused = session.focused();
        let index = Some(focused).filter(has_method).or_else(|| (0..session.panels().len()).find(has_method));
        session.focus(index.unwrap_or(focused));
        let panel = session.focused_panel();
        panel.content = Content::Interpolation;
        panel.sampler = self.sampler(&panel.sampler);
        if self.scale > 1.0 {
            // It shows its address modes.
            session.touch_address();
        }
        session.go(self.view(), Framing::Free, Change::Jump);
    }

    /// The figure's parameters in two lines, for its tooltip.
    pub fn summary(&self) -> String {
        let [x, y] = self.address;
        format!(
            "transl_x = {}, transl_y = {}, scaleFactor = {}\nmethod {}, address {x}:{y}, path {}",
            self.translation[0], self.translation[1], self.scale, self.method, self.path
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_valid_views_and_paths_that_serve_their_methods() {
        for figure in &TUTORIAL_FIGURES {
            assert_eq!(figure.view().scale(), figure.scale);
            assert!(figure.method.kernel().paths.contains(&figure.path), "figure {}", figure.number);
        }
    }
}
