//! Rotated and warped views: the axes are not separable, so every pixel has its own weights.

use std::sync::Arc;

mod block;
mod direct;
mod weights;

use self::block::{Places, SLACK, Sample, sum, sum_colours, sum_grey, weight_arrays};
use self::direct::direct_row;
use self::weights::FractionWeights;
use super::instructions::{Inlined, Instructions, Set};
use super::vectors::{Arrays, PIXELS, Vectors};
use crate::backend::RenderRequest;
use crate::backend::prepared::{Numbers, Prepared};
use crate::sampling::Taps;
use crate::view::ImageFromOutput;
use crate::warp::WarpedMap;

/// Image positions x and y of the 16 pixels of a row from column `first` on.
#[inline(always)]
fn positions<V: Vectors>(simd: V, map: &WarpedMap, first: f64, row: f64) -> [V::Doubles; 2] {
    const PLACES: [f64; PIXELS] =
        [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0];
    if map.is_warped() {
        let [xs, ys] = warped_positions(map, first, row);
        return [simd.doubles(&xs), simd.doubles(&ys)];
    }
    let view = map.view();
    let columns = simd.double_add(simd.doubles(&PLACES), simd.double_splat(first));
    let u = simd.double_sub(columns, simd.double_splat(view.middle_px[0]));
    let v = row - view.middle_px[1];
    [along_row(simd, view, 0, u, v), along_row(simd, view, 1, u, v)]
}

/// Image positions along `axis` of the pixels at the distances `u` and `v` from the output's middle: the sums of
/// [`ImageFromOutput::at`] in its order.
#[inline(always)]
fn along_row<V: Vectors>(simd: V, view: &ImageFromOutput, axis: usize, u: V::Doubles, v: f64) -> V::Doubles {
    let [of_column, of_row] = view.steps[axis];
    let sum = simd.double_add(simd.double_mul(simd.double_splat(of_column), u), simd.double_splat(of_row * v));
    simd.double_add(sum, simd.double_splat(view.origin[axis]))
}

/// [`positions`] one by one.
fn warped_positions(map: &WarpedMap, first: f64, row: f64) -> [[f64; PIXELS]; 2] {
    let [mut xs, mut ys] = [[0.0; PIXELS]; 2];
    for pixel in 0..PIXELS {
        [xs[pixel], ys[pixel]] = map.at([first + pixel as f64, row]);
    }
    [xs, ys]
}

/// Weights and values of one request.
pub(super) struct Rotated {
    prepared: Arc<Prepared>,
    map: WarpedMap,
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
    Local(Box<RenderRequest>),
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

impl Rotated {
    /// The view of `map`, which turns or warps the image.
    pub(super) fn new(
        prepared: Arc<Prepared>,
        request: &RenderRequest,
        map: WarpedMap,
        instructions: Instructions,
    ) -> Self {
        let weigher = if !map.is_warped() {
            Weigher::new(request, request.taps())
        } else if request.sampler.antialias {
            Weigher::Local(Box::new(request.clone()))
        } else {
            Weigher::new(request, [Taps::new(&request.sampler, 1.0); 2])
        };
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
                Weigher::Fraction(taps, weights) => self.by_fractions(&place, *taps, weights, row, out),
                Weigher::Direct(taps) => direct_row(&place, |_| **taps, &self.map, row, out),
                Weigher::Local(request) => {
                    direct_row(&place, |at| request.taps_at(&self.map, at), &self.map, row, out);
                }
            }
            for value in out.as_flattened_mut() {
                *value *= self.unit;
            }
        }
    }
}

impl Rotated {
    /// A row by [`FractionWeights`], compiled for the instruction set. Vectors of 512 bits are for samples that are gathered: loops that
    /// read samples one by one are not quicker with them.
    fn by_fractions<T: Sample, const CHANNELS: usize>(
        &self,
        place: &Place<'_, T, CHANNELS>,
        taps: usize,
        weights: &FractionWeights,
        row: f64,
        out: &mut [[f32; CHANNELS]],
    ) {
        let work = (place, weights, &self.map);
        #[cfg(target_arch = "x86_64")]
        {
            // Known when the function is compiled, so that the others have no form of these vectors.
            if const { CHANNELS == 1 && T::IS_GATHERED }
                && let Set::Avx512(simd) = self.instructions.set()
                && !matches!(weights, FractionWeights::Table(_))
            {
                return simd.vectorize(Inlined(
                    #[inline(always)]
                    || narrow_taps(simd, taps, work, row, out),
                ));
            }
            if let Some(simd) = self.instructions.avx2() {
                return simd.vectorize(Inlined(
                    #[inline(always)]
                    || narrow_taps(simd, taps, work, row, out),
                ));
            }
        }
        narrow_taps(Arrays, taps, work, row, out);
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

/// Samples, weights and map of a row.
type Narrow<'a, T, const CHANNELS: usize> = (&'a Place<'a, T, CHANNELS>, &'a FractionWeights, &'a WarpedMap);

/// A row by [`FractionWeights`] of `taps` taps.
#[inline(always)]
fn narrow_taps<T: Sample, V: Vectors, const CHANNELS: usize>(
    simd: V,
    taps: usize,
    work: Narrow<'_, T, CHANNELS>,
    row: f64,
    out: &mut [[f32; CHANNELS]],
) {
    match taps {
        1 => narrow_row::<T, V, 1, CHANNELS>(simd, work, row, out),
        2 => narrow_row::<T, V, 2, CHANNELS>(simd, work, row, out),
        4 => narrow_row::<T, V, 4, CHANNELS>(simd, work, row, out),
        6 => narrow_row::<T, V, 6, CHANNELS>(simd, work, row, out),
        _ => narrow_row::<T, V, 8, CHANNELS>(simd, work, row, out),
    }
}

/// A row by [`FractionWeights`], in blocks of pixels.
#[inline(always)]
fn narrow_row<T: Sample, V: Vectors, const TAPS: usize, const CHANNELS: usize>(
    simd: V,
    (place, weights, map): Narrow<'_, T, CHANNELS>,
    row: f64,
    out: &mut [[f32; CHANNELS]],
) {
    let [x_axis, y_axis] = place.prepared.axes();
    let stored = [[place.prepared.width(), x_axis.halo], [place.prepared.height(), y_axis.halo]];
    let width = stored[0][0];
    let numbers = place.numbers.as_flattened();
    // The last first sample whose block has [`SLACK`] numbers behind it, if indices of numbers are at most 2³¹ − 1.
    let behind = ((TAPS - 1) * width as usize + TAPS) * CHANNELS + SLACK;
    let last = numbers.len().checked_sub(behind).filter(|_| i32::try_from(numbers.len()).is_ok());
    let last = last.map(|last| (last / CHANNELS) as u32);
    for (block, out) in out.chunks_mut(PIXELS).enumerate() {
        let positions = positions(simd, map, (block * PIXELS) as f64, row);
        let places = (Places::new(simd, positions[0], TAPS), Places::new(simd, positions[1], TAPS));
        let (Some(x), Some(y)) = places else {
            let (xs, ys) = (simd.double_array(positions[0]), simd.double_array(positions[1]));
            for (pixel, out) in out.iter_mut().enumerate() {
                *out = place.far::<TAPS>(weights, [xs[pixel], ys[pixel]]);
            }
            continue;
        };
        let both = [weights.vectors::<V, TAPS>(simd, x.fraction), weights.vectors::<V, TAPS>(simd, y.fraction)];
        let inside = (x.stored(simd, TAPS, stored[0]), y.stored(simd, TAPS, stored[1]));
        let mut first = None;
        if let ((Some(left), Some(above)), Some(last)) = (inside, last) {
            let index = simd.word_add(simd.times(above, width), left);
            if simd.are_at_most(index, last) {
                first = Some(index);
            }
        }
        if let (Some(first), Some(out)) = (first, out.as_mut_array::<PIXELS>()) {
            if CHANNELS == 1 {
                let values = sum_grey(simd, (numbers, width), first, &both);
                for pixel in 0..PIXELS {
                    out[pixel][0] = values[pixel];
                }
            } else {
                let both = weight_arrays(simd, &both);
                sum_colours((numbers, width), &simd.word_array(first), &both, out);
            }
        } else {
            let both = weight_arrays(simd, &both);
            let [xs, ys] = [simd.word_array(x.first), simd.word_array(y.first)];
            for (pixel, out) in out.iter_mut().enumerate() {
                let first = [i64::from(xs[pixel] as i32), i64::from(ys[pixel] as i32)];
                // Written out: `map` of an array would be compiled once for each form of this function.
                let weights = |axis: usize| {
                    let mut weights = [0.0; TAPS];
                    for tap in 0..TAPS {
                        weights[tap] = both[axis][tap][pixel];
                    }
                    weights
                };
                *out = place.edge(first, &weights(0), &weights(1));
            }
        }
    }
}
