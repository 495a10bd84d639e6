//! Rotated and warped views: the axes are not separable, so every pixel has its own weights.

use std::sync::Arc;

use multiversion::multiversion;

use crate::backend::RenderRequest;
use crate::backend::prepared::{Numbers, Prepared};
use crate::sampling::{MethodKernel, Taps};
use crate::view::ImageFromOutput;
use crate::warp::WarpedMap;

/// A map from output pixels to image positions.
pub(super) trait PixelMap {
    /// Image position at an output position.
    fn at(&self, pos_in_output: [f64; 2]) -> [f64; 2];
}

impl PixelMap for ImageFromOutput {
    #[inline(always)]
    fn at(&self, pos_in_output: [f64; 2]) -> [f64; 2] {
        self.at(pos_in_output)
    }
}

impl PixelMap for WarpedMap {
    fn at(&self, pos_in_output: [f64; 2]) -> [f64; 2] {
        self.at(pos_in_output)
    }
}

/// Weights and values of one request.
pub(super) struct Rotated<M> {
    prepared: Arc<Prepared>,
    map: M,
    weigher: Weigher,
    width: usize,
    unit: f32,
    border: f32,
}

/// Computation of the weights at a position.
enum Weigher {
    /// Tabulated: exact paths without a stretched kernel, of kernels that a table holds.
    Table(WeightTable),
    /// By the definition: the fixed-point weights of filtering, which are discontinuous, stretched kernels, and kernels
    /// that are not smooth between samples.
    Direct(Box<[Taps; 2]>),
    /// By the definition, stretched by the local scale of a warp.
    Local(Box<(RenderRequest, WarpedMap)>),
}

impl Weigher {
    /// For taps along x and y of the image.
    fn new(request: &RenderRequest, taps: [Taps; 2]) -> Self {
        let kernel = request.sampler.method.kernel();
        let is_narrow = taps.iter().all(|taps| taps.narrow().is_some());
        if is_narrow && request.sampler.path.is_exact() && WeightTable::holds(&kernel) {
            Self::Table(WeightTable::new(&kernel))
        } else {
            Self::Direct(Box::new(taps))
        }
    }
}

impl Rotated<ImageFromOutput> {
    /// A view without a warp.
    pub(super) fn new(prepared: Arc<Prepared>, request: &RenderRequest, map: ImageFromOutput) -> Self {
        Self::by(prepared, request, (map, Weigher::new(request, request.taps())))
    }
}

impl Rotated<WarpedMap> {
    /// A warped view.
    pub(super) fn warped(prepared: Arc<Prepared>, request: &RenderRequest, map: WarpedMap) -> Self {
        let weigher = if request.sampler.antialias {
            Weigher::Local(Box::new((request.clone(), map.clone())))
        } else {
            Weigher::new(request, [Taps::new(&request.sampler, 1.0); 2])
        };
        Self::by(prepared, request, (map, weigher))
    }
}

impl<M: PixelMap> Rotated<M> {
    fn by(prepared: Arc<Prepared>, request: &RenderRequest, (map, weigher): (M, Weigher)) -> Self {
        let maxval = prepared.maxval();
        Self {
            map,
            weigher,
            width: request.size.width() as usize,
            unit: 1.0 / f32::from(maxval),
            border: request.sampler.border * f32::from(maxval),
            prepared,
        }
    }

    /// Fills `out` with the rows from `from`.
    pub(super) fn render(&self, from: usize, out: &mut [f32]) {
        match self.prepared.numbers() {
            Numbers::U8(numbers) => self.render_numbers(numbers, from, out),
            Numbers::U16(numbers) => self.render_numbers(numbers, from, out),
            Numbers::F32(numbers) => self.render_numbers(numbers, from, out),
        }
    }

    fn render_numbers<T: Copy + Into<f32>>(&self, numbers: &[T], from: usize, out: &mut [f32]) {
        match self.prepared.channels().count() {
            1 => self.render_channels::<T, 1>(numbers, from, out),
            2 => self.render_channels::<T, 2>(numbers, from, out),
            3 => self.render_channels::<T, 3>(numbers, from, out),
            _ => self.render_channels::<T, 4>(numbers, from, out),
        }
    }

    fn render_channels<T: Copy + Into<f32>, const CHANNELS: usize>(&self, numbers: &[T], from: usize, out: &mut [f32]) {
        let place = Place { numbers: numbers.as_chunks::<CHANNELS>().0, prepared: &self.prepared, border: self.border };
        let out = out.as_chunks_mut::<CHANNELS>().0;
        for (row, out) in out.chunks_exact_mut(self.width).enumerate() {
            let row = (from + row) as f64;
            match &self.weigher {
                Weigher::Table(table) => match table.taps {
                    1 => narrow_row::<T, M, 1, CHANNELS>(&place, table, &self.map, row, out),
                    2 => narrow_row::<T, M, 2, CHANNELS>(&place, table, &self.map, row, out),
                    4 => narrow_row::<T, M, 4, CHANNELS>(&place, table, &self.map, row, out),
                    6 => narrow_row::<T, M, 6, CHANNELS>(&place, table, &self.map, row, out),
                    _ => narrow_row::<T, M, 8, CHANNELS>(&place, table, &self.map, row, out),
                },
                Weigher::Direct(taps) => direct_row(&place, |_| **taps, &self.map, row, out),
                Weigher::Local(local) => {
                    let (request, map) = &**local;
                    direct_row(&place, |at| request.taps_at(map, at), &self.map, row, out);
                }
            }
            for value in out.as_flattened_mut() {
                *value *= self.unit;
            }
        }
    }
}

/// The values and their edges.
struct Place<'a, T, const CHANNELS: usize> {
    numbers: &'a [[T; CHANNELS]],
    prepared: &'a Prepared,
    border: f32,
}

impl<T: Copy + Into<f32>, const CHANNELS: usize> Place<'_, T, CHANNELS> {
    /// Weighted sum of a block of samples from (`left`, `top`).
    #[inline(always)]
    fn weighted(&self, left: i64, horizontal: &[f32], top: i64, vertical: &[f32]) -> [f32; CHANNELS] {
        let (width, height) = (i64::from(self.prepared.width()), i64::from(self.prepared.height()));
        let [x, y] = self.prepared.axes();
        let (from, above) = (left + i64::from(x.halo), top + i64::from(y.halo));
        let inside = from >= 0
            && above >= 0
            && from + horizontal.len() as i64 <= width
            && above + vertical.len() as i64 <= height;
        let mut sums = [0.0_f32; CHANNELS];
        if inside {
            for (n, &wy) in vertical.iter().enumerate() {
                let row = &self.numbers[(above as usize + n) * width as usize + from as usize..][..horizontal.len()];
                let mut line = [0.0_f32; CHANNELS];
                for (sample, &wx) in row.iter().zip(horizontal) {
                    line.iter_mut().zip(sample).for_each(|(sum, &value)| *sum += wx * value.into());
                }
                sums.iter_mut().zip(line).for_each(|(sum, line)| *sum += wy * line);
            }
        } else {
            for (n, &wy) in vertical.iter().enumerate() {
                let row = y.stored(top + n as i64) as usize;
                let mut line = [0.0_f32; CHANNELS];
                for (m, &wx) in horizontal.iter().enumerate() {
                    let column = x.stored(left + m as i64) as usize;
                    let outside = row == height as usize || column == width as usize;
                    let sample = (!outside).then(|| self.numbers[row * width as usize + column]);
                    for (c, sum) in line.iter_mut().enumerate() {
                        *sum += wx * sample.map_or(self.border, |sample| sample[c].into());
                    }
                }
                sums.iter_mut().zip(line).for_each(|(sum, line)| *sum += wy * line);
            }
        }
        sums
    }
}

#[multiversion(targets = "simd")]
fn narrow_row<T: Copy + Into<f32>, M: PixelMap, const TAPS: usize, const CHANNELS: usize>(
    place: &Place<'_, T, CHANNELS>,
    table: &WeightTable,
    map: &M,
    row: f64,
    out: &mut [[f32; CHANNELS]],
) {
    for (column, out) in out.iter_mut().enumerate() {
        let [x, y] = map.at([column as f64, row]);
        let (left, horizontal) = table.weights_at::<TAPS>(x);
        let (top, vertical) = table.weights_at::<TAPS>(y);
        *out = place.weighted(left, &horizontal, top, &vertical);
    }
}

fn direct_row<T: Copy + Into<f32>, M: PixelMap, const CHANNELS: usize>(
    place: &Place<'_, T, CHANNELS>,
    taps_at: impl Fn([f64; 2]) -> [Taps; 2],
    map: &M,
    row: f64,
    out: &mut [[f32; CHANNELS]],
) {
    let (mut exact, mut horizontal, mut vertical) = (Vec::new(), Vec::new(), Vec::new());
    for (column, out) in out.iter_mut().enumerate() {
        let at = [column as f64, row];
        let [x, y] = map.at(at);
        let [across, down] = taps_at(at);
        let left = across.weights_at(x, &mut exact);
        horizontal.clear();
        horizontal.extend(exact.iter().map(|&weight| weight as f32));
        let top = down.weights_at(y, &mut exact);
        vertical.clear();
        vertical.extend(exact.iter().map(|&weight| weight as f32));
        *out = place.weighted(left, &horizontal, top, &vertical);
    }
}

/// Weights of a kernel at equidistant fractions, with cubic interpolation between them: within 10⁻⁷ of the definition,
/// at the same cost for every kernel. It holds kernels of few taps that are smooth between samples.
struct WeightTable {
    taps: usize,
    /// Weights at fractions k/STEPS, both ends included.
    weights: Vec<[f32; Self::MAX_TAPS]>,
    /// Offset of a position: the floor of the sum is the first sample, its fraction selects the weights.
    shift: f64,
    before: i64,
}

impl WeightTable {
    const STEPS: usize = 1024;
    /// The largest number of taps.
    const MAX_TAPS: usize = 8;

    /// Whether the weights of `kernel` are smooth functions of the fraction on all of [0, 1], and few.
    fn holds(kernel: &MethodKernel) -> bool {
        let is_smooth = kernel.taps == 1 || kernel.kinks().iter().all(|d| d.fract() == 0.0);
        is_smooth && kernel.taps <= Self::MAX_TAPS
    }

    fn new(kernel: &MethodKernel) -> Self {
        let taps = kernel.taps;
        let shift = if taps == 1 { 0.5 } else { 0.0 };
        let before = if taps == 1 { 0 } else { taps as i64 / 2 - 1 };
        let weights = (0..=Self::STEPS)
            .map(|step| {
                let fraction = step as f64 / Self::STEPS as f64;
                let mut weights = [0.0; Self::MAX_TAPS];
                let distance = |k: usize| fraction + before as f64 - k as f64;
                for (k, weight) in weights[..taps].iter_mut().enumerate() {
                    *weight = if taps == 1 { 1.0 } else { kernel.weight(distance(k)) };
                }
                if kernel.normalized {
                    let sum: f64 = weights.iter().sum();
                    weights.iter_mut().for_each(|weight| *weight /= sum);
                }
                weights.map(|weight| weight as f32)
            })
            .collect();
        Self { taps, weights, shift, before }
    }

    /// First sample and weights of position `x`.
    #[inline(always)]
    fn weights_at<const TAPS: usize>(&self, x: f64) -> (i64, [f32; TAPS]) {
        let shifted = x + self.shift;
        let floor = shifted.floor();
        let first = floor as i64 - self.before;
        if TAPS == 1 {
            return (first, [1.0; TAPS]);
        }
        let place = (shifted - floor) * Self::STEPS as f64;
        // Lagrange's cubic through four neighbours at t = −1, 0, 1, 2; clamped at the ends, where kernels are not
        // smooth.
        let from = (place as usize).clamp(1, Self::STEPS - 2) - 1;
        let t = (place - (from + 1) as f64) as f32;
        let [a, b, c, d] = std::array::from_fn(|k| &self.weights[from + k]);
        let (wa, wb) = (-t * (t - 1.0) * (t - 2.0) / 6.0, (t + 1.0) * (t - 1.0) * (t - 2.0) / 2.0);
        let (wc, wd) = (-(t + 1.0) * t * (t - 2.0) / 2.0, (t + 1.0) * t * (t - 1.0) / 6.0);
        (first, std::array::from_fn(|k| wa * a[k] + wb * b[k] + wc * c[k] + wd * d[k]))
    }
}
