//! Weights of the axes of recent requests. Those of an axis that does not change are not computed again: while a view moves along one
//! axis, or its image, border or mapping changes.

use std::sync::{Arc, OnceLock};

use super::super::instructions::Instructions;
use super::columns::{Columns, MAX_TAPS};
use super::fixed_point::{ColumnsOf, FixedAxis};
use crate::backend::RenderRequest;
use crate::backend::prepared::{Numbers, Prepared};
use crate::lru::{Lru, LruLimits, Weigh};
use crate::sampling::{Axis, AxisTable, AxisWeights, Taps};
use crate::view::ImageFromOutput;

/// The largest number of samples of a position of a stretched kernel along an axis: sums of as many stay accurate in single
/// precision.
pub(super) const MAX_STRETCHED_TAPS: usize = 96;

/// Limits of what is kept.
const LIMITS: LruLimits = LruLimits { bytes: 64 << 20, idle_bytes: 8 << 20 };

/// The axes of recent requests.
#[derive(Debug)]
pub(in crate::backend::cpu) struct Axes {
    passes: Lru<AxisKey, Arc<AxisPass>>,
    tables: Lru<AxisKey, Arc<AxisTable>>,
}

/// What decides the weights of an axis and the blocks of its columns.
#[derive(Clone, Copy, Debug, PartialEq)]
struct AxisKey {
    which: usize,
    taps: Taps,
    /// The middle of the output, its position in the image and the distance of pixels.
    line: [f64; 3],
    len: u32,
    axis: Axis,
    channels: usize,
    maxval: u16,
    /// Whether weights of 0 count: products with infinite samples and NaN.
    keeps_zeros: bool,
}

/// Weights of an axis, and the pass along it where it is that of the columns.
#[derive(Debug)]
pub(super) struct AxisPass {
    pub(super) weights: AxisWeights,
    /// Into the image's channels, and into one more, which is opaque. Each is made when it is first used.
    columns: [OnceLock<Columns>; 2],
    /// The same in fixed-point arithmetic.
    pub(super) fixed: FixedAxis,
    axis: Axis,
    channels: usize,
    opaque: f32,
}

impl Default for Axes {
    fn default() -> Self {
        Self { passes: Lru::new(LIMITS), tables: Lru::new(LIMITS) }
    }
}

impl Axes {
    /// Begins the next request.
    pub(in crate::backend::cpu) fn next_turn(&mut self) {
        self.passes.next_turn();
        self.tables.next_turn();
    }

    /// Columns and rows by a kernel that is not stretched; `None` if it is, or has more samples than loops are compiled for.
    pub(super) fn narrow(
        &mut self,
        prepared: &Prepared,
        request: &RenderRequest,
        map: &ImageFromOutput,
    ) -> Option<[Arc<AxisPass>; 2]> {
        let [across, down] = AxisKey::both(prepared, request, map);
        let is_narrow = |key: &AxisKey| key.taps.narrow().is_some_and(|taps| taps <= MAX_TAPS);
        if !is_narrow(&across) || !is_narrow(&down) {
            return None;
        }
        let weights = |key: &AxisKey| {
            let weights = AxisWeights::new(&key.taps, map, key.which, key.len)?;
            Some(if key.keeps_zeros { weights } else { weights.without_zero_weights() })
        };
        Some([self.pass(across, weights)?, self.pass(down, weights)?])
    }

    /// The same by a stretched kernel; `None` if it is not stretched along both axes, or reads too many samples at a position.
    pub(super) fn stretched(
        &mut self,
        prepared: &Prepared,
        request: &RenderRequest,
        map: &ImageFromOutput,
    ) -> Option<[Arc<AxisPass>; 2]> {
        let keys = AxisKey::both(prepared, request, map);
        // Blocks weigh samples beyond the support by 0, and floats may be infinite or NaN.
        let is_finite = !matches!(prepared.numbers(), Numbers::F32(_)) || prepared.is_finite();
        let is_served = |key: &AxisKey| key.taps.narrow().is_none() && key.taps.most() <= MAX_STRETCHED_TAPS;
        if !is_finite || !keys.iter().all(is_served) {
            return None;
        }
        let weights = |key: &AxisKey| AxisWeights::stretched(&key.taps, map, key.which, key.len, MAX_STRETCHED_TAPS);
        let [across, down] = keys;
        Some([self.pass(across, weights)?, self.pass(down, weights)?])
    }

    /// Tables of any kernel. The weights of rows are divided by maxval.
    pub(super) fn tables(
        &mut self,
        prepared: &Prepared,
        request: &RenderRequest,
        map: &ImageFromOutput,
    ) -> [Arc<AxisTable>; 2] {
        AxisKey::both(prepared, request, map).map(|key| {
            if let Some(known) = self.tables.get(&key) {
                return Arc::clone(known);
            }
            let mut table = AxisTable::new(&key.taps, key.axis, map, key.which, key.len);
            if !key.keeps_zeros {
                table = table.without_zero_weights(key.axis.stored_len());
            }
            if key.which == 1 && key.maxval != 1 {
                let maxval = f64::from(key.maxval);
                table.weights.iter_mut().for_each(|weight| *weight = (f64::from(*weight) / maxval) as f32);
            }
            Arc::clone(self.tables.insert(key, Arc::new(table)))
        })
    }

    /// The pass of a key, by these weights if it is not known.
    fn pass(&mut self, key: AxisKey, weights: impl Fn(&AxisKey) -> Option<AxisWeights>) -> Option<Arc<AxisPass>> {
        if let Some(known) = self.passes.get(&key) {
            return Some(Arc::clone(known));
        }
        let AxisKey { axis, channels, maxval, .. } = key;
        let weights = weights(&key)?;
        let pass = AxisPass {
            weights,
            columns: Default::default(),
            fixed: FixedAxis::default(),
            axis,
            channels,
            opaque: f32::from(maxval),
        };
        Some(Arc::clone(self.passes.insert(key, Arc::new(pass))))
    }
}

impl AxisKey {
    /// Keys of the columns and of the rows.
    fn both(prepared: &Prepared, request: &RenderRequest, map: &ImageFromOutput) -> [Self; 2] {
        let (taps, axes) = (request.taps(), prepared.axes());
        let keeps_zeros = matches!(prepared.numbers(), Numbers::F32(_));
        [0, 1].map(|which| Self {
            which,
            taps: taps[which],
            line: [map.middle_px[which], map.origin[which], map.steps[which][which]],
            len: [request.size.width(), request.size.height()][which],
            axis: axes[which],
            channels: prepared.channels().count(),
            maxval: prepared.maxval(),
            keeps_zeros,
        })
    }
}

impl AxisPass {
    /// The pass along rows.
    pub(super) fn columns(&self, adds_opacity: bool, instructions: Instructions) -> &Columns {
        self.columns[usize::from(adds_opacity)].get_or_init(|| {
            let channels = [self.channels, self.channels + usize::from(adds_opacity)];
            Columns::new(&self.weights, self.axis, channels, self.opaque, instructions)
        })
    }

    /// The columns for passes in fixed-point arithmetic.
    pub(super) fn columns_of(&self, adds_opacity: bool) -> ColumnsOf<'_> {
        ColumnsOf { weights: &self.weights, axis: self.axis, channels: self.channels, adds_opacity }
    }
}

impl Weigh for Arc<AxisPass> {
    fn bytes(&self) -> usize {
        let columns: usize = self.columns.iter().filter_map(OnceLock::get).map(Columns::bytes).sum();
        size_of_val(&self.weights.first[..]) + size_of_val(&self.weights.weights[..]) + columns + self.fixed.bytes()
    }
}

impl Weigh for Arc<AxisTable> {
    fn bytes(&self) -> usize {
        let lists = [&self.starts, &self.first, &self.indices].map(|list| size_of_val(&list[..]));
        lists.iter().sum::<usize>() + size_of_val(&self.weights[..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::PreparedCache;
    use crate::image::{Channels, Depth, Page, Raster};
    use crate::sampling::{Method, Sampler};
    use crate::test_support::size;
    use crate::view::View;

    #[test]
    fn axis_that_does_not_change_is_the_same() {
        let page = Arc::new(Page::new(Raster::zeros(size(64, 48), Channels::Grey, Depth::EIGHT)));
        let mut axes = Axes::default();
        let mut passes = |translation: [f64; 2], scale: f64, method: Method, antialias: bool| {
            let sampler = Sampler { antialias, ..Sampler::default().with_method(method) };
            let view = View::new(translation, scale).expect("a view");
            let request = RenderRequest { view, sampler, ..RenderRequest::new(size(40, 30)) };
            let prepared = PreparedCache::default().get(&page, &request);
            let map = request.view.image_from_output(request.size, page.size());
            axes.next_turn();
            let narrow = axes.narrow(&prepared, &request, &map);
            narrow.or_else(|| axes.stretched(&prepared, &request, &map)).expect("two axes")
        };
        for (scale, antialias) in [(0.5, false), (3.0, true)] {
            let first = passes([0.3, 0.7], scale, Method::CATMULL_ROM, antialias);
            let again = passes([0.3, 0.7], scale, Method::CATMULL_ROM, antialias);
            assert!(Arc::ptr_eq(&first[0], &again[0]) && Arc::ptr_eq(&first[1], &again[1]));
            let across = passes([5.3, 0.7], scale, Method::CATMULL_ROM, antialias);
            assert!(!Arc::ptr_eq(&first[0], &across[0]) && Arc::ptr_eq(&first[1], &across[1]));
            let down = passes([5.3, 9.7], scale, Method::CATMULL_ROM, antialias);
            assert!(Arc::ptr_eq(&across[0], &down[0]) && !Arc::ptr_eq(&across[1], &down[1]));
            let other = passes([5.3, 9.7], scale, Method::BSPLINE, antialias);
            assert!(!Arc::ptr_eq(&other[0], &down[0]) && !Arc::ptr_eq(&other[1], &down[1]));
        }
    }
}
