//! Views, sources and samplers that are unlike the usual view of a measurement. Every backend measures them.

use super::RenderRequest;
use crate::image::{Channels, Depth, Page};
use crate::sampling::{Method, Sampler, SamplingPath};
use crate::view::View;

/// Methods of the cases below.
pub(super) const CASE_METHODS: [Method; 3] = [Method::CATMULL_ROM, Method::BSPLINE, Method::LANCZOS3];

/// Where a case looks.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// Inside the image, off its middle, as the usual view; at these scales.
    Inside(&'static [f64]),
    /// At the image's corner, three quarters of the view outside; at these scales.
    Corner(&'static [f64]),
    /// The whole image, as large as it fits.
    Fit,
    /// Inside, turned by so many degrees; at these scales.
    Turned(f64, &'static [f64]),
}

/// A view, a source and a sampler.
#[derive(Clone, Copy)]
pub(super) struct Case {
    /// What is said behind the method's name; nothing where the source says it all.
    pub(super) name: &'static str,
    pub(super) channels: Channels,
    pub(super) depth: Depth,
    place: Place,
    pub(super) prefilter: bool,
    antialias: bool,
}

/// The source and sampler of the usual rows.
const USUAL: Case = Case {
    name: "",
    channels: Channels::Grey,
    depth: Depth::EIGHT,
    place: Place::Inside(&[0.125, 0.5, 1.0, 2.0]),
    prefilter: false,
    antialias: false,
};

/// What is timed beside the usual rows, each case by the methods above that it concerns.
pub(super) const CASES: [Case; 12] = [
    Case { name: "at a corner", place: Place::Corner(&[0.125, 1.0]), ..USUAL },
    Case { name: "fitted", place: Place::Fit, ..USUAL },
    Case { name: "fitted, antialiased", place: Place::Fit, antialias: true, ..USUAL },
    Case { name: "fitted, antialiased", place: Place::Fit, antialias: true, channels: Channels::Rgb, ..USUAL },
    Case { channels: Channels::Rgb, ..USUAL },
    Case { channels: Channels::Rgba, ..USUAL },
    Case { depth: Depth::SIXTEEN, ..USUAL },
    Case { depth: Depth::Float, ..USUAL },
    Case { name: "prefiltered", prefilter: true, ..USUAL },
    Case { name: "antialiased", place: Place::Inside(&[2.5]), antialias: true, ..USUAL },
    Case { name: "antialiased", place: Place::Inside(&[2.5]), antialias: true, channels: Channels::Rgb, ..USUAL },
    Case { name: "turned 30°", place: Place::Turned(30.0, &[0.125, 1.0]), ..USUAL },
];

impl Case {
    /// `catmull-rom, fitted`.
    pub(super) fn what(&self, method: Method) -> String {
        if self.name.is_empty() { method.to_string() } else { format!("{method}, {}", self.name) }
    }

    /// `grey 8-bit to RGBA8`, for the output `to`.
    pub(super) fn pixels(&self, to: &str) -> String {
        let channels = match self.channels {
            Channels::Grey | Channels::GreyAlpha => "grey",
            Channels::Rgb => "colour",
            Channels::Rgba => "colour and alpha",
        };
        let depth = match self.depth {
            Depth::EIGHT => "8-bit",
            Depth::SIXTEEN => "16-bit",
            _ => "float",
        };
        format!("{channels} {depth} to {to}")
    }

    pub(super) fn sampler(&self, method: Method, path: SamplingPath) -> Sampler {
        let Self { prefilter, antialias, .. } = *self;
        Sampler { path, prefilter, antialias, ..Sampler::default().with_method(method) }
    }

    /// Its views of `page` in an output of `request`'s size.
    pub(super) fn views(&self, request: &RenderRequest, page: &Page) -> Vec<View> {
        let corner = [page.size().width(), page.size().height()].map(|side| 0.31 - f64::from(side) / 2.0);
        let at = |translation, degrees: f64, scales: &[f64]| -> Vec<View> {
            let view = |&scale: &f64| View::new(translation, scale).and_then(|view| view.rotated(degrees)).ok();
            scales.iter().filter_map(view).collect()
        };
        match self.place {
            Place::Inside(scales) => at([0.31, -0.27], 0.0, scales),
            Place::Corner(scales) => at(corner, 0.0, scales),
            Place::Fit => vec![View::fit(request.size, page.size())],
            Place::Turned(degrees, scales) => at([0.31, -0.27], degrees, scales),
        }
    }
}
