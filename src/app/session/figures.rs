//! The figures of the tutorial that this program grew from, as rows: a view and how a panel fills it.

use super::Session;
use super::history::{Change, Framing};
use crate::sampling::{Address, Method, Path};
use crate::view::View;

/// One figure.
#[derive(Debug)]
pub struct Preset {
    /// Its number.
    pub figure: u32,
    /// What it shows, in a few words.
    pub title: &'static str,
    /// `transl_x` and `transl_y`, in samples.
    pub translation: [f64; 2],
    /// `scaleFactor`, in samples a pixel.
    pub scale: f64,
    /// The kernel.
    pub method: Method,
    /// Beyond the edges, along x and y.
    pub address: [Address; 2],
    /// How samples reach the weights.
    pub path: Path,
}

const CLAMP: [Address; 2] = [Address::Clamp; 2];
const DETAIL: ([f64; 2], f64) = ([100.0, 100.0], 0.125);

const fn nearest(figure: u32, title: &'static str, view: ([f64; 2], f64)) -> Preset {
    preset(figure, title, view, Method::Nearest, Path::Auto)
}

const fn preset(figure: u32, title: &'static str, view: ([f64; 2], f64), method: Method, path: Path) -> Preset {
    Preset { figure, title, translation: view.0, scale: view.1, method, address: CLAMP, path }
}

/// The figures, in their order.
pub static PRESETS: [Preset; 8] = [
    nearest(15, "Nearest, the image itself", ([0.0; 2], 1.0)),
    nearest(16, "Nearest, zoomed out", ([0.0; 2], 2.0)),
    nearest(17, "Nearest, zoomed in", ([0.0; 2], 0.5)),
    nearest(18, "Nearest, a detail", DETAIL),
    preset(19, "Linear, the detail", DETAIL, Method::Linear, Path::Filtered),
    preset(22, "B-spline, texture unit", DETAIL, Method::BSPLINE, Path::Filtered),
    Preset { address: [Address::Clamp, Address::Border], ..nearest(23, "Nearest, clamp × border", ([0.0; 2], 2.0)) },
    preset(24, "B-spline, lookup", DETAIL, Method::BSPLINE, Path::Lookup),
];

impl Preset {
    /// The view, as given: presets are never rounded.
    pub fn view(&self) -> View {
        View::new(self.translation, self.scale).unwrap_or_default()
    }

    /// Shows it: the view in all panels, the rest in the panel that has its method already, or else in the focused one,
    /// which then has the focus.
    pub fn show(&self, session: &mut Session) {
        let has_method = |index: &usize| session.panels()[*index].sampler.method == self.method;
        let focused = session.focused();
        let index = Some(focused).filter(has_method).or_else(|| (0..session.panels().len()).find(has_method));
        session.focus(index.unwrap_or(focused));
        let sampler = &mut session.focused_panel().sampler;
        sampler.method = self.method;
        sampler.address = self.address;
        sampler.path = self.path;
        sampler.prefilter = false;
        session.go(self.view(), Framing::Free, Change::Jump);
    }

    /// The numbers in one line.
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
    fn every_preset_can_be_drawn() {
        for preset in &PRESETS {
            assert_eq!(preset.view().scale(), preset.scale);
            assert!(preset.method.kernel().paths.contains(&preset.path), "figure {}", preset.figure);
        }
    }
}
