//! Errors of one panel: what the thread of the panels computes.

use super::super::panel_thread::PanelWork;
use super::{PanelMetrics, QualityKey};
use crate::backend::{self, Backend as _, BackendError, Content, CpuBackend, PixelFormat, RenderRequest, page_of};
use crate::filter::{ExecOptions, Filters};
use crate::image::{Depth, Image, PageId, Raster};
use crate::measure::MeasureError;
use crate::panics::Panicked;
use crate::quality::{Counted, compare, truth};
use crate::sampling::Sampler;

/// Renders and compares.
#[derive(Debug, Default)]
pub(super) struct Measurer {
    backend: CpuBackend,
    /// The last truth: panels of one view share it.
    truth: Option<KnownTruth>,
}

/// The true values of a view and the pixels that count.
#[derive(Debug)]
struct KnownTruth {
    page: PageId,
    request: RenderRequest,
    values: Raster,
    counted: Counted,
}

impl PanelWork for Measurer {
    type Key = QualityKey;
    type Found = Result<PanelMetrics, MeasureError>;

    fn measure(&mut self, image: &Image, key: &QualityKey, work: &ExecOptions) -> Option<Self::Found> {
        let result = self.errors(image, key, work);
        (!matches!(result, Err(MeasureError::Backend(BackendError::Cancelled)))).then_some(result)
    }

    fn failed(panicked: &Panicked) -> Self::Found {
        Err(BackendError::Device { what: panicked.to_string(), lost: false }.into())
    }
}

impl Measurer {
    /// The errors of the values of `key`, as [`measure::run`](crate::measure::run) counts them.
    fn errors(&mut self, image: &Image, key: &QualityKey, work: &ExecOptions) -> Result<PanelMetrics, MeasureError> {
        let request = &key.request;
        let page = page_of(image, request).map_err(BackendError::from)?;
        let sampler = Sampler { antialias: request.sampler.antialias, ..Sampler::default() };
        let exact = RenderRequest { content: Content::Truth, sampler, filters: Filters::default(), ..request.clone() };
        let known = match self.truth.take().filter(|known| known.page == page.id() && known.request == exact) {
            Some(known) => known,
            None => {
                let counted = Counted::between_samples(request, page.size());
                let values = truth(&page, &exact, &counted, work)?;
                KnownTruth { page: page.id(), request: exact, values, counted }
            }
        };
        let known = self.truth.insert(known);
        self.backend.set_exec_options(work.clone());
        let picture = backend::render(&mut self.backend, image, request, PixelFormat::file(Depth::Float))?;
        let metrics = compare(&picture, &known.values, &known.counted)?;
        Ok(PanelMetrics { metrics, counted: known.counted.count() })
    }
}
