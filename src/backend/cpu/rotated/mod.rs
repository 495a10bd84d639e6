//! Rotated and warped views: the axes are not separable, so every pixel has its own weights.

use std::sync::Arc;

mod block;
mod weights;

use self::block::{PIXELS, Places, SLACK, Sample, sum, sum_colours, sum_grey};
use self::weights::FractionWeights;
use super::instructions::Instructions;
use crate::backend::RenderRequest;
use crate::backend::prepared::{Numbers, Prepared};
use crate::sampling::Taps;
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
    instructions: Instructions,
}

/// Computation of the weights at a position.
enum Weigher {
    /// By the fraction: exact paths without a stretched kernel, of kernels of few taps that are smooth between samples.
    Fraction(usize, FractionWeights),
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
        let weights = if is_narrow && request.sampler.path.is_exact() { FractionWeights::new(&kernel) } else { None };
        match weights {
            Some(weights) => Self::Fraction(kernel.taps, weights),
            None => Self::Direct(Box::new(taps)),
        }
    }
}

impl Rotated<ImageFromOutput> {
    /// A view without a warp.
    pub(super) fn new(
        prepared: Arc<Prepared>,
        request: &RenderRequest,
        map: ImageFromOutput,
        instructions: Instructions,
    ) -> Self {
        Self::by(prepared, request, (map, Weigher::new(request, request.taps())), instructions)
    }
}

impl Rotated<WarpedMap> {
    /// A warped view.
    pub(super) fn warped(
        prepared: Arc<Prepared>,
        request: &RenderRequest,
        map: WarpedMap,
        instructions: Instructions,
    ) -> Self {
        let weigher = if request.sampler.antialias {
            Weigher::Local(Box::new((request.clone(), map.clone())))
        } else {
            Weigher::new(request, [Taps::new(&request.sampler, 1.0); 2])
        };
        Self::by(prepared, request, (map, weigher), instructions)
    }
}

impl<M: PixelMap> Rotated<M> {
    fn by(
        prepared: Arc<Prepared>,
        request: &RenderRequest,
        (map, weigher): (M, Weigher),
        instructions: Instructions,
    ) -> Self {
        let maxval = prepared.maxval();
        Self {
            map,
            weigher,
            width: request.size.width() as usize,
            unit: 1.0 / f32::from(maxval),
            border: request.sampler.border * f32::from(maxval),
            instructions,
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

    fn render_numbers<T: Sample>(&self, numbers: &[T], from: usize, out: &mut [f32]) {
        match self.prepared.channels().count() {
            1 => self.render_channels::<T, 1>(numbers, from, out),
            2 => self.render_channels::<T, 2>(numbers, from, out),
            3 => self.render_channels::<T, 3>(numbers, from, out),
            _ => self.render_channels::<T, 4>(numbers, from, out),
        }
    }

    fn render_channels<T: Sample, const CHANNELS: usize>(&self, numbers: &[T], from: usize, out: &mut [f32]) {
        let place = Place { numbers: numbers.as_chunks::<CHANNELS>().0, prepared: &self.prepared, border: self.border };
        let out = out.as_chunks_mut::<CHANNELS>().0;
        for (row, out) in out.chunks_exact_mut(self.width).enumerate() {
            let row = (from + row) as f64;
            match &self.weigher {
                Weigher::Fraction(taps, weights) => self.instructions.at_most_256_bits().run(
                    #[inline(always)]
                    || match taps {
                        1 => narrow_row::<T, M, 1, CHANNELS>(&place, weights, &self.map, row, out),
                        2 => narrow_row::<T, M, 2, CHANNELS>(&place, weights, &self.map, row, out),
                        4 => narrow_row::<T, M, 4, CHANNELS>(&place, weights, &self.map, row, out),
                        6 => narrow_row::<T, M, 6, CHANNELS>(&place, weights, &self.map, row, out),
                        _ => narrow_row::<T, M, 8, CHANNELS>(&place, weights, &self.map, row, out),
                    },
                ),
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

impl<T: Copy + Into<f32>, const CHANNELS: usize> Place<'_, T, CHANNELS> {
    /// The same sum as [`sum`] where samples may lie outside.
    fn edge<const TAPS: usize>(
        &self,
        [left, top]: [i64; 2],
        horizontal: &[f32; TAPS],
        vertical: &[f32; TAPS],
    ) -> [f32; CHANNELS] {
        let [x, y] = self.prepared.axes();
        let (width, height) = (self.prepared.width() as usize, self.prepared.height() as usize);
        let columns: [usize; TAPS] = std::array::from_fn(|m| x.stored(left.saturating_add(m as i64)) as usize);
        let rows: [[[f32; CHANNELS]; TAPS]; TAPS] = std::array::from_fn(|n| {
            let row = y.stored(top.saturating_add(n as i64)) as usize;
            columns.map(|column| {
                let is_inside = row < height && column < width;
                if is_inside { self.numbers[row * width + column].map(Into::into) } else { [self.border; CHANNELS] }
            })
        });
        sum(&rows, horizontal, vertical)
    }

    /// The pixel at a position whose index may not fit into 32 bits.
    fn far<const TAPS: usize>(&self, weights: &FractionWeights, position: [f64; 2]) -> [f32; CHANNELS] {
        let shift = if TAPS == 1 { 0.5 } else { 0.0 };
        let before = if TAPS == 1 { 0 } else { TAPS as i64 / 2 - 1 };
        let floors = position.map(|x| (x + shift).floor());
        let along = |axis: usize| {
            let fraction = (position[axis] + shift - floors[axis]) as f32;
            weights.at::<TAPS>(&[fraction; PIXELS]).map(|weights| weights[0])
        };
        self.edge(floors.map(|floor| (floor as i64).saturating_sub(before)), &along(0), &along(1))
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

/// A row by [`FractionWeights`], in blocks of pixels.
#[inline(always)]
fn narrow_row<T: Sample, M: PixelMap, const TAPS: usize, const CHANNELS: usize>(
    place: &Place<'_, T, CHANNELS>,
    weights: &FractionWeights,
    map: &M,
    row: f64,
    out: &mut [[f32; CHANNELS]],
) {
    let [x_axis, y_axis] = place.prepared.axes();
    let stored = [[place.prepared.width(), x_axis.halo], [place.prepared.height(), y_axis.halo]];
    let width = stored[0][0];
    let numbers = place.numbers.as_flattened();
    let indices_fit = u32::try_from(place.numbers.len()).is_ok();
    for (block, out) in out.chunks_mut(PIXELS).enumerate() {
        let mut positions = [[0.0; PIXELS]; 2];
        let [xs, ys] = &mut positions;
        for (pixel, (x, y)) in xs.iter_mut().zip(ys).enumerate() {
            [*x, *y] = map.at([(block * PIXELS + pixel) as f64, row]);
        }
        let places = (Places::new(&positions[0], TAPS), Places::new(&positions[1], TAPS));
        let (Some(x), Some(y)) = places else {
            for (pixel, out) in out.iter_mut().enumerate() {
                *out = place.far::<TAPS>(weights, [positions[0][pixel], positions[1][pixel]]);
            }
            continue;
        };
        let both = [weights.at::<TAPS>(&x.fraction), weights.at::<TAPS>(&y.fraction)];
        let is_inside = x.are_inside(TAPS, stored[0]) && y.are_inside(TAPS, stored[1]);
        let mut first = [0; PIXELS];
        if is_inside {
            for (first, (x, y)) in first.iter_mut().zip(x.first.iter().zip(&y.first)) {
                let above = y.wrapping_add(y_axis.halo as i32) as u32;
                let left = x.wrapping_add(x_axis.halo as i32) as u32;
                *first = above.wrapping_mul(width).wrapping_add(left);
            }
        }
        let mut greatest = 0;
        for place in first {
            greatest = greatest.max(place);
        }
        let last = greatest as usize + (TAPS - 1) * width as usize + TAPS;
        let is_readable = is_inside && indices_fit && last * CHANNELS + SLACK <= numbers.len();
        if let (true, Some(out)) = (is_readable, out.as_mut_array::<PIXELS>()) {
            if CHANNELS == 1 {
                let mut values = [0.0; PIXELS];
                sum_grey((numbers, width), &first, &both, &mut values);
                for pixel in 0..PIXELS {
                    out[pixel][0] = values[pixel];
                }
            } else {
                sum_colours((numbers, width), &first, &both, out);
            }
        } else {
            for (pixel, out) in out.iter_mut().enumerate() {
                let first = [x.first[pixel], y.first[pixel]].map(i64::from);
                let [horizontal, vertical] = [0, 1].map(|axis: usize| {
                    let mut weights = [0.0; TAPS];
                    for tap in 0..TAPS {
                        weights[tap] = both[axis][tap][pixel];
                    }
                    weights
                });
                *out = place.edge(first, &horizontal, &vertical);
            }
        }
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
