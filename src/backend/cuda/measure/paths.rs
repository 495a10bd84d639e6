//! Every method by every path, and what is unlike the usual view: other sources, other places, other samplers.

use super::{Against, Run, pixels};
use crate::backend::bench::{noise_of, request};
use crate::backend::bench_cases::{CASE_METHODS, CASES};
use crate::backend::cuda::plan::{launch_plan, launch_plan_by};
use crate::backend::{BackendError, KernelVariant, RenderRequest};
use crate::sampling::{METHODS, Method, SamplingPath};

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
                    let what = case.what(method);
                    for path in [SamplingPath::Auto, SamplingPath::Tiled] {
                        let sampler = case.sampler(method, path);
                        let request = RenderRequest { view, sampler, ..plain.clone() };
                        let concerns = !case.prefilter || sampler.uses_coefficients();
                        if !concerns || request.check(page).is_err() {
                            continue;
                        }
                        let time = self.view_time(page, &request, launch_plan(&limits, page, &request), true);
                        let pixels = case.pixels("RGBA8");
                        self.keep(self.subject([&what, path.row().name, &pixels], view.scale()), against, time)?;
                    }
                }
            }
        }
        Ok(())
    }
}
