//! Pages: immutable samples with an identity, given or computed when they are read for the first time.

use std::any::Any;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use super::{Channels, Depth, Formula, Raster, Size, Truth};

/// Identity of a page's samples, unique in the process: pages with equal ids have equal samples. Cache key for
/// coefficients and textures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PageId(u64);

/// Raster with an id; immutable.
#[derive(Debug)]
pub struct Page {
    id: PageId,
    pixels: Pixels,
    truth: Option<Truth>,
    source: Option<PageSource>,
}

/// What a page was taken from: a volume, or an oblique plane of one. The module `volume` knows the types.
pub(crate) type PageSource = Arc<dyn Any + Send + Sync>;

/// The samples of a page.
#[derive(Debug)]
enum Pixels {
    Given(Raster),
    OnDemand(Box<OnDemand>),
}

/// Samples that are computed when they are read for the first time.
struct OnDemand {
    size: Size,
    channels: Channels,
    depth: Depth,
    raster: OnceLock<Raster>,
    make: Box<dyn Fn() -> Raster + Send + Sync>,
}

impl std::fmt::Debug for OnDemand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OnDemand").field("size", &self.size).field("raster", &self.raster).finish_non_exhaustive()
    }
}

impl Page {
    /// Page of the given samples.
    pub fn new(raster: Raster) -> Self {
        Self::of(Pixels::Given(raster))
    }

    /// Page whose samples, of this size, these channels and this depth, are computed when they are read.
    pub(crate) fn on_demand(
        (size, channels, depth): (Size, Channels, Depth),
        make: impl Fn() -> Raster + Send + Sync + 'static,
    ) -> Self {
        let (raster, make) = (OnceLock::new(), Box::new(make));
        Self::of(Pixels::OnDemand(Box::new(OnDemand { size, channels, depth, raster, make })))
    }

    fn of(pixels: Pixels) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self { id: PageId(NEXT.fetch_add(1, Ordering::Relaxed)), pixels, truth: None, source: None }
    }

    /// The same page, taken from `source`.
    #[must_use]
    pub(crate) fn with_source(self, source: PageSource) -> Self {
        Self { source: Some(source), ..self }
    }

    /// What the page was taken from.
    pub(crate) fn source(&self) -> Option<&PageSource> {
        self.source.as_ref()
    }

    /// The same page, with the formula of its samples.
    #[must_use]
    pub fn with_formula(self, formula: Formula) -> Self {
        self.with_truth(Truth::Formula(formula))
    }

    /// The same page, with the truth of its samples.
    #[must_use]
    pub(crate) fn with_truth(self, truth: Truth) -> Self {
        Self { truth: Some(truth), ..self }
    }

    /// Sets the truth of the samples.
    pub(super) fn set_truth(&mut self, truth: Truth) {
        self.truth = Some(truth);
    }

    /// Id of the samples.
    pub fn id(&self) -> PageId {
        self.id
    }

    /// Width and height in samples.
    pub fn size(&self) -> Size {
        match &self.pixels {
            Pixels::Given(raster) => raster.size(),
            Pixels::OnDemand(pixels) => pixels.size,
        }
    }

    /// Channels of a sample.
    pub fn channels(&self) -> Channels {
        match &self.pixels {
            Pixels::Given(raster) => raster.channels(),
            Pixels::OnDemand(pixels) => pixels.channels,
        }
    }

    /// Number type of the samples.
    pub fn depth(&self) -> Depth {
        match &self.pixels {
            Pixels::Given(raster) => raster.depth(),
            Pixels::OnDemand(pixels) => pixels.depth,
        }
    }

    /// The number for the value 1.0; 1 for float samples.
    pub fn maxval(&self) -> u16 {
        match self.depth() {
            Depth::Integer { maxval } => maxval.get(),
            Depth::Float => 1,
        }
    }

    /// The numbers and their shape. Those of an oblique plane of a volume are computed by the first call.
    pub fn raster(&self) -> &Raster {
        match &self.pixels {
            Pixels::Given(raster) => raster,
            Pixels::OnDemand(pixels) => pixels.raster.get_or_init(|| (pixels.make)()),
        }
    }

    /// Where the values between the samples are known from: of a synthetic or a decimated page.
    pub fn truth(&self) -> Option<&Truth> {
        self.truth.as_ref()
    }

    /// Formula of the samples, of a synthetic page.
    pub fn formula(&self) -> Option<&Formula> {
        match &self.truth {
            Some(Truth::Formula(formula)) => Some(formula),
            Some(Truth::Original(_) | Truth::Function(_)) | None => None,
        }
    }
}
