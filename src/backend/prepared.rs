//! Input of the interpolation: a page's numbers as they are, or premultiplied, filtered, or as B-spline coefficients.
//! Computed once and cached.

use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use super::RenderRequest;
use super::demand::add_prepared;
use crate::filter::{Chain, Edges, ExecOptions, Plane};
use crate::image::{Channels, Page, PageId, Samples};
use crate::lru::{Lru, LruLimits, Weigh};
use crate::memory::Demand;
use crate::sampling::{AddressMode, Axis, Prefilter, Sampler, TextureFormat};

/// Values of one page as read by one request's sampler.
#[derive(Debug)]
pub struct Prepared {
    width: u32,
    height: u32,
    axes: [Axis; 2],
    channels: Channels,
    values: Values,
    is_finite: OnceLock<bool>,
}

#[derive(Debug)]
enum Values {
    Page(Arc<Page>),
    Floats(Vec<f32>),
}

/// Borrowed values: rows of `width` × channels numbers.
#[derive(Clone, Copy, Debug)]
pub enum Numbers<'a> {
    /// Integers up to 255.
    U8(&'a [u8]),
    /// Integers up to 65535.
    U16(&'a [u16]),
    /// Single precision.
    F32(&'a [f32]),
}

impl Numbers<'_> {
    /// The format of a texture that holds them.
    pub fn format(self) -> TextureFormat {
        match self {
            Self::U8(_) => TextureFormat::Eight,
            Self::U16(_) => TextureFormat::Sixteen,
            Self::F32(_) => TextureFormat::Float,
        }
    }
}

impl Prepared {
    /// Values that `sampler` reads from `page` after `filters`; `None` if the work was cancelled.
    fn new(page: &Arc<Page>, sampler: &Sampler, filters: &Chain, work: &ExecOptions) -> Option<Self> {
        let size = page.size();
        let axis = |which: usize, len| Axis { len, halo: sampler.halo(which), address: sampler.address[which] };
        let axes = [axis(0, size.width()), axis(1, size.height())];
        let channels = page.channels();
        let side = [size.width(), size.height()];
        let edges = edges(sampler);
        let values = match (filters.is_active(), sampler.coefficients()) {
            (true, prefilter) => {
                let plane = Plane { size: side, first: [0; 2], channels, values: premultiplied(page) };
                let Plane { values, .. } = filters.apply(plane, &edges, work)?;
                Values::Floats(match prefilter {
                    Some(prefilter) => prefilter.coefficients(&values, side, channels.count(), &edges).values,
                    None => values,
                })
            }
            (false, Some(prefilter)) => {
                let read = |row: usize, out: &mut [f32]| premultiply_row(page, row, out);
                Values::Floats(prefilter.coefficients_of_rows(side, channels.count(), &edges, read).values)
            }
            (false, None) if channels.has_alpha() => Values::Floats(premultiplied(page)),
            (false, None) => Values::Page(Arc::clone(page)),
        };
        Some(Self {
            width: axes[0].stored_len(),
            height: axes[1].stored_len(),
            axes,
            channels,
            values,
            is_finite: OnceLock::new(),
        })
    }

    /// Number of values of a row.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Number of rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Axes x and y.
    pub fn axes(&self) -> [Axis; 2] {
        self.axes
    }

    /// Channels of a value; colours are premultiplied.
    pub fn channels(&self) -> Channels {
        self.channels
    }

    /// The number for the value 1.0.
    pub fn maxval(&self) -> u16 {
        match &self.values {
            Values::Page(page) => page.maxval(),
            Values::Floats(_) => 1,
        }
    }

    /// The numbers.
    pub fn numbers(&self) -> Numbers<'_> {
        match &self.values {
            Values::Page(page) => match page.raster().samples() {
                Samples::U8 { values, .. } => Numbers::U8(values),
                Samples::U16 { values, .. } => Numbers::U16(values),
                Samples::F32(values) => Numbers::F32(values),
            },
            Values::Floats(values) => Numbers::F32(values),
        }
    }

    /// Whether no number is infinite or NaN. The first call reads them all.
    pub fn is_finite(&self) -> bool {
        *self.is_finite.get_or_init(|| match self.numbers() {
            Numbers::U8(_) | Numbers::U16(_) => true,
            Numbers::F32(numbers) => numbers.par_chunks(1 << 16).all(|part| part.iter().all(|value| value.is_finite())),
        })
    }

    /// Bytes allocated in addition to the page.
    fn bytes(&self) -> usize {
        match &self.values {
            Values::Page(_) => 0,
            Values::Floats(values) => size_of_val(values.as_slice()),
        }
    }
}

/// Samples of a page in single precision, 1 for maxval, colours multiplied by alpha.
pub(super) fn premultiplied(page: &Page) -> Vec<f32> {
    let stride = page.size().width() as usize * page.channels().count();
    let mut plane = vec![0.0; page.raster().samples().len()];
    plane.par_chunks_mut(stride).enumerate().for_each(|(row, out)| premultiply_row(page, row, out));
    plane
}

/// Writes one row of them.
fn premultiply_row(page: &Page, row: usize, out: &mut [f32]) {
    let row = row * out.len()..(row + 1) * out.len();
    let samples = page.raster().samples();
    let maxval = f32::from(samples.maxval());
    match samples {
        Samples::U8 { values, .. } => {
            out.iter_mut().zip(&values[row]).for_each(|(out, &value)| *out = f32::from(value) / maxval);
        }
        Samples::U16 { values, .. } => {
            out.iter_mut().zip(&values[row]).for_each(|(out, &value)| *out = f32::from(value) / maxval);
        }
        Samples::F32(values) => out.copy_from_slice(&values[row]),
    }
    if page.channels().has_alpha() {
        for pixel in out.chunks_exact_mut(page.channels().count()) {
            if let Some((&mut alpha, colours)) = pixel.split_last_mut() {
                colours.iter_mut().for_each(|colour| *colour *= alpha);
            }
        }
    }
}

/// Edges of the filters before the interpolation: those of the sampler.
pub(super) fn edges(sampler: &Sampler) -> Edges {
    Edges { address: sampler.address, border: sampler.border }
}

/// Cache key: requests with equal keys read equal values.
#[derive(Clone, Debug, PartialEq)]
struct Key {
    page: PageId,
    prefilter: Option<Prefilter>,
    address: [AddressMode; 2],
    border: f32,
    /// The enabled steps.
    filters: Chain,
}

impl Key {
    fn new(page: &Page, RenderRequest { sampler, filters, .. }: &RenderRequest) -> Self {
        let prefilter = sampler.coefficients();
        let reads_border = prefilter.is_some() || filters.before.reach() > 0;
        Self {
            page: page.id(),
            prefilter,
            address: sampler.address,
            border: if reads_border { sampler.border } else { 0.0 },
            filters: Chain(filters.before.active().copied().collect()),
        }
    }
}

/// Values that were made from pages: panning and zooming prepare nothing.
///
/// Entries are evicted by the rule of the crate's LRU cache. The samples of a page are not kept here, so the cache never
/// keeps a closed image alive.
#[derive(Debug)]
pub struct PreparedCache {
    kept: Lru<Key, Arc<Prepared>>,
}

impl Default for PreparedCache {
    fn default() -> Self {
        Self { kept: Lru::new(Self::LIMITS) }
    }
}

impl Weigh for Arc<Prepared> {
    fn bytes(&self) -> usize {
        Prepared::bytes(self)
    }
}

impl PreparedCache {
    const LIMITS: LruLimits = LruLimits { bytes: 1 << 30, idle_bytes: 64 << 20 };

    /// The values of `page` that `request`'s sampler reads, after the filters before the interpolation; made now if they are
    /// not kept.
    pub fn get(&mut self, page: &Arc<Page>, request: &RenderRequest) -> Arc<Prepared> {
        // The default `ExecOptions` has no other owner that could cancel it.
        self.get_by(page, request, &ExecOptions::default()).unwrap_or_else(|| unreachable!("the work is not cancelled"))
    }

    /// As [`PreparedCache::get`], made by `work`; `None` if that was cancelled.
    pub fn get_by(&mut self, page: &Arc<Page>, request: &RenderRequest, work: &ExecOptions) -> Option<Arc<Prepared>> {
        self.kept.next_turn();
        let key = Key::new(page, request);
        let kept = self.kept.get(&key).map(|prepared| Arc::clone(prepared));
        if let Some(prepared) = kept {
            self.kept.evict_idle();
            return Some(prepared);
        }
        match held_bytes(page, request) {
            0 => self.kept.evict_idle(),
            bytes => drop(self.kept.make_room(bytes)),
        }
        let prepared = Arc::new(Prepared::new(page, &request.sampler, &key.filters, work)?);
        if matches!(prepared.values, Values::Floats(_)) {
            self.kept.insert(key, Arc::clone(&prepared));
        }
        Some(prepared)
    }

    /// Whether the values that `request`'s sampler reads are cached.
    pub(super) fn holds(&self, page: &Page, request: &RenderRequest) -> bool {
        self.kept.contains(&Key::new(page, request))
    }
}

/// Bytes of the values that `request`'s sampler reads from `page`, without the page.
fn held_bytes(page: &Page, request: &RenderRequest) -> usize {
    let mut demand = Demand::default();
    add_prepared(&mut demand, page, request);
    usize::try_from(demand.held()).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::Filters;
    use crate::image::{Depth, Raster};
    use crate::lru::IDLE_TURNS;
    use crate::test_support::size;

    fn page(side: u32) -> Arc<Page> {
        Arc::new(Page::new(Raster::zeros(size(side, side), Channels::Grey, Depth::EIGHT)))
    }

    /// Request with a filter that depends on `number`.
    fn filtered(number: u32) -> RenderRequest {
        let before = format!("brightness=1.{number:04}").parse().expect("a chain");
        let filters = Filters { before, ..Filters::default() };
        RenderRequest { filters, ..RenderRequest::new(size(8, 8)) }
    }

    #[test]
    fn closed_page_is_not_kept_alive_by_the_cache() {
        let (mut cache, page) = (PreparedCache::default(), page(8));
        let weak = Arc::downgrade(&page);
        drop(cache.get(&page, &RenderRequest::new(size(8, 8))));
        drop(page);
        assert!(weak.upgrade().is_none());
    }

    #[test]
    fn idle_entries_obey_their_limit_and_used_ones_exceed_it() {
        // Ten entries are 160 MiB.
        let (mut cache, page) = (PreparedCache::default(), page(2048));
        let in_use: Vec<_> = (0..10).map(|number| cache.get(&page, &filtered(number))).collect();
        assert!(cache.kept.bytes() > 2 * PreparedCache::LIMITS.idle_bytes);
        for _ in 0..20 {
            for (number, kept) in (0..10).zip(&in_use) {
                assert!(Arc::ptr_eq(kept, &cache.get(&page, &filtered(number))), "a panel's values are made once");
            }
        }
        for _ in 0..=IDLE_TURNS {
            drop(cache.get(&page, &filtered(0)));
        }
        assert!(
            cache.kept.bytes() <= PreparedCache::LIMITS.idle_bytes + in_use[0].bytes(),
            "{} bytes",
            cache.kept.bytes()
        );
        assert!(Arc::ptr_eq(&in_use[0], &cache.get(&page, &filtered(0))));
    }

    #[test]
    fn entries_without_space_are_evicted_before_new_values_are_computed() {
        let (mut cache, page) = (PreparedCache::default(), page(2048));
        let idle: Vec<_> = (0..5).map(|number| Arc::downgrade(&cache.get(&page, &filtered(number)))).collect();
        for _ in 0..IDLE_TURNS {
            drop(cache.get(&page, &RenderRequest::new(size(8, 8))));
        }
        assert_eq!(cache.kept.bytes(), 80 << 20, "none of them is idle yet");
        // Work that is given up makes nothing; what is in its way is gone by then.
        let given_up = ExecOptions::default();
        given_up.stop.cancel();
        assert!(cache.get_by(&page, &filtered(5), &given_up).is_none());
        let is_kept: Vec<_> = idle.iter().map(|entry| entry.upgrade().is_some()).collect();
        assert_eq!(is_kept, [false, true, true, true, true], "the rest is within the limit");
    }
}
