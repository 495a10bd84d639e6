//! Every method by every path, and what is unlike the usual view: other sources, other places, other samplers.

use super::{Against, Run, pixels};
use crate::backend::bench::{noise_of, request};
use crate::backend::cuda::plan::{launch_plan, launch_plan_by};
use crate::backend::{BackendError, KernelVariant, RenderRequest};
use crate::image::{Channels, Depth, Page};
use crate::sampling::{METHODS, Method, Sampler, SamplingPath};
use crate::view::View;

/// Methods of the cases below.
const CASE_METHODS: [Method; 3] = [Method::CATMULL_ROM, Method::BSPLINE, Method::LANCZOS3];

/// Where a case looks.
#[derive(Clone, Copy)]
enum Place {
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
struct Case {
    /// What is said behind the method's name; nothing where the source says it all.
    name: &'static str,
    channels: Channels,
    depth: Depth,
    place: Place,
    prefilter: bool,
    antialias: bool,
}

/// The source and sampler of the usual rows.
const USUAL: Case = Case {
    name: "",
    channels: Channels::Grey,
    depth: Depth::EIGHT,
    place: Place::Inside(&[0.125, 1.0]),
    prefilter: false,
    antialias: false,
};

/// What is timed beside the usual rows, each case by the methods above that it concerns.
const CASES: [Case; 9] = [
    Case { name: "at a corner", place: Place::Corner(&[0.125, 1.0]), ..USUAL },
    Case { name: "fitted", place: Place::Fit, ..USUAL },
    Case { channels: Channels::Rgb, ..USUAL },
    Case { depth: Depth::SIXTEEN, ..USUAL },
    Case { depth: Depth::Float, ..USUAL },
    Case { name: "prefiltered", prefilter: true, ..USUAL },
    Case { name: "antialiased", place: Place::Inside(&[2.5]), antialias: true, ..USUAL },
    Case { name: "antialiased", place: Place::Inside(&[2.5]), antialias: true, channels: Channels::Rgb, ..USUAL },
    Case { name: "turned 30°", place: Place::Turned(30.0, &[0.125, 1.0]), ..USUAL },
];

impl Case {
    /// `grey 8-bit to RGBA8`.
    fn pixels(&self) -> String {
        let channels = if self.channels == Channels::Grey { "grey" } else { "colour" };
        let depth = match self.depth {
            Depth::EIGHT => "8-bit",
            Depth::SIXTEEN => "16-bit",
            _ => "float",
        };
        format!("{channels} {depth} to RGBA8")
    }

    fn sampler(&self, method: Method, path: SamplingPath) -> Sampler {
        let Self { prefilter, antialias, .. } = *self;
        Sampler { path, prefilter, antialias, ..Sampler::default().with_method(method) }
    }

    /// Its views of `page` in an output of `request`'s size.
    fn views(&self, request: &RenderRequest, page: &Page) -> Vec<View> {
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

impl Run<'_> {
    /// Every method by every path, and the forms that the documents compare.
    pub(super) fn paths(&mut self, scale: f64) -> Result<(), BackendError> {
        let limits = self.renderer.launcher.device.limits;
        let page = self.page();
        let [grey, rgba] = [pixels(false), pixels(true)];
        let by_variant = |method, variant| {
            let request = request(self.options, method, SamplingPath::Auto, scale)?;
            Some((launch_plan_by(variant, &limits, &page, &request), request))
        };
        // Sixteen point fetches first: what the other rows are held against.
        let sixteen = by_variant(Method::CATMULL_ROM, KernelVariant::Points);
        let sixteen = sixteen.map(|(plan, request)| self.view_time(&page, &request, plan, true));
        let sixteen = match sixteen {
            Some(Ok(time)) => time,
            Some(Err(error @ BackendError::Device { lost: true, .. })) => return Err(error),
            // Its own row says why.
            Some(Err(_)) | None => 0.0,
        };
        for row in &METHODS {
            let points = if row.method.kernel().taps == 4 { sixteen } else { 0.0 };
            let served = row.method.kernel().paths;
            for path in [SamplingPath::Auto, SamplingPath::Tiled, SamplingPath::Filtered, SamplingPath::FilteredTable]
                .into_iter()
                .filter(|path| served.contains(path))
            {
                let Some(request) = request(self.options, row.method, path, scale) else { continue };
                for to_rgba in [true, false].into_iter().filter(|&to_rgba| to_rgba || path.is_exact()) {
                    let time = self.view_time(&page, &request, launch_plan(&limits, &page, &request), to_rgba);
                    let names = [row.name, path.row().name, if to_rgba { rgba } else { grey }];
                    let points = if to_rgba { points } else { 0.0 };
                    let against = Against { store: self.stores[usize::from(to_rgba)], points, copy: 0.0 };
                    self.keep(self.subject(names, scale), against, time)?;
                }
            }
            for variant in
                [KernelVariant::Points, KernelVariant::Gather].into_iter().filter(|variant| variant.serves(row.method))
            {
                let Some(request) = request(self.options, row.method, SamplingPath::Auto, scale) else { continue };
                let time = self.view_time(&page, &request, launch_plan_by(variant, &limits, &page, &request), true);
                let against = Against { store: self.stores[1], points, copy: 0.0 };
                self.keep(self.subject([row.name, variant.row().name, rgba], scale), against, time)?;
            }
        }
        Ok(())
    }

    /// What is unlike the usual view.
    pub(super) fn cases(&mut self) -> Result<(), BackendError> {
        let limits = self.renderer.launcher.device.limits;
        let against = Against { store: self.stores[1], ..Against::default() };
        for case in &CASES {
            let Some(image) = noise_of(self.options.image, case.channels, case.depth) else { continue };
            let page = &image.pages()[0];
            let plain = RenderRequest::new(self.options.size);
            for view in case.views(&plain, page) {
                for method in CASE_METHODS {
                    let what =
                        if case.name.is_empty() { method.to_string() } else { format!("{method}, {}", case.name) };
                    for path in [SamplingPath::Auto, SamplingPath::Tiled] {
                        let sampler = case.sampler(method, path);
                        let request = RenderRequest { view, sampler, ..plain.clone() };
                        let concerns = !case.prefilter || sampler.uses_coefficients();
                        if !concerns || request.check(page).is_err() {
                            continue;
                        }
                        let time = self.view_time(page, &request, launch_plan(&limits, page, &request), true);
                        let pixels = case.pixels();
                        self.keep(self.subject([&what, path.row().name, &pixels], view.scale()), against, time)?;
                    }
                }
            }
        }
        Ok(())
    }
}
