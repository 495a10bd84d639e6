//! Antiringing: values are drawn towards the range of the samples in their kernel's main lobe ([`MainLobe`]).
//!
//! value ← value + strength·(clamp(value, least, greatest) − value), channel by channel of premultiplied samples. A view
//! without rotation has separable ranges: first along the rows of the image, then across them.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::backend::RenderRequest;
use crate::backend::prepared::{Numbers, Prepared};
use crate::sampling::{Axis, MainLobe, MainLobes};
use crate::view::ImageFromOutput;
use crate::warp::WarpedMap;

/// The bounds of one request's values.
pub(super) struct Antiringing {
    /// The samples, without prefilter.
    samples: Arc<Prepared>,
    strength: f32,
    /// The border's constant, in values.
    border: f32,
    /// The value of number 1.
    maxval: f32,
    width: usize,
    lobes: Lobes,
}

/// The samples of each pixel.
enum Lobes {
    /// Stored indices of each column and each row of the output.
    Aligned([Vec<Vec<u32>>; 2]),
    /// By position.
    Rotated([MainLobe; 2], ImageFromOutput),
    /// By position and local scale.
    Warped(Box<(RenderRequest, WarpedMap, MainLobes)>),
}

/// Least and greatest values of a row: one of each for every channel of every pixel.
#[derive(Clone, Debug, Default)]
struct Range {
    least: Vec<f32>,
    greatest: Vec<f32>,
}

impl Antiringing {
    /// Bounds for `request`, whose samples are `samples` and whose pixels are where `map` says.
    pub(super) fn new(samples: Arc<Prepared>, request: &RenderRequest, map: &WarpedMap) -> Self {
        let mut of_sampler = MainLobes::new(&request.sampler);
        let along = of_sampler.along(request.view.scales());
        let sides = [request.size.width(), request.size.height()];
        let lobes = if !request.warp.is_none() {
            Lobes::Warped(Box::new((request.clone(), map.clone(), of_sampler)))
        } else if request.view.is_axis_aligned() {
            let map = map.view();
            Lobes::Aligned([0, 1].map(|which| {
                let axis = samples.axes()[which];
                (0..sides[which])
                    .map(|index| stored(axis, along[which].samples_at(map.along(which, f64::from(index)))))
                    .collect()
            }))
        } else {
            Lobes::Rotated(along, *map.view())
        };
        Self {
            strength: request.sampler.antiringing as f32,
            border: request.sampler.border,
            maxval: f32::from(samples.maxval()),
            width: request.size.width() as usize,
            samples,
            lobes,
        }
    }

    /// Draws the values of the rows from `from` towards their ranges.
    pub(super) fn apply(&self, from: usize, values: &mut [f32]) {
        match &self.lobes {
            Lobes::Aligned([columns, rows]) => self.apply_aligned(columns, &rows[from..], values),
            Lobes::Rotated(along, map) => self.apply_by_pixels(|at| (map.at(at), *along), from, values),
            Lobes::Warped(warped) => {
                let (request, map, lobes) = &**warped;
                let mut lobes = lobes.clone();
                self.apply_by_pixels(|at| (map.at(at), lobes.along(request.local_scale(map, at))), from, values);
            }
        }
    }

    fn apply_aligned(&self, columns: &[Vec<u32>], rows: &[Vec<u32>], values: &mut [f32]) {
        let stride = self.width * self.samples.channels().count();
        let mut held: BTreeMap<u32, Range> = BTreeMap::new();
        let mut range = Range::default();
        let mut last: Option<&Vec<u32>> = None;
        for (needed, values) in rows.iter().zip(values.chunks_exact_mut(stride)) {
            if last != Some(needed) {
                held.retain(|row, _| needed.contains(row));
                range.least.clear();
                range.least.resize(stride, f32::INFINITY);
                range.greatest.clear();
                range.greatest.resize(stride, f32::NEG_INFINITY);
                for &row in needed {
                    let of_row = held.entry(row).or_insert_with(|| self.range_of_row(row, columns));
                    range.least.iter_mut().zip(&of_row.least).for_each(|(all, one)| *all = all.min(*one));
                    range.greatest.iter_mut().zip(&of_row.greatest).for_each(|(all, one)| *all = all.max(*one));
                }
                last = Some(needed);
            }
            for ((value, &least), &greatest) in values.iter_mut().zip(&range.least).zip(&range.greatest) {
                *value = drawn(*value, [least, greatest], self.strength);
            }
        }
    }

    /// The ranges of the stored row `row` for each of `columns`.
    fn range_of_row(&self, row: u32, columns: &[Vec<u32>]) -> Range {
        let channels = self.samples.channels().count();
        let mut range = Range {
            least: Vec::with_capacity(columns.len() * channels),
            greatest: Vec::with_capacity(columns.len() * channels),
        };
        let start = row as usize * self.samples.width() as usize * channels;
        let len = if row == self.samples.height() { 0 } else { self.samples.width() as usize * channels };
        let push = |least: f32, greatest: f32| {
            range.least.push(least);
            range.greatest.push(greatest);
        };
        match self.samples.numbers() {
            Numbers::U8(numbers) => self.ranges(&numbers[start..][..len], columns, push),
            Numbers::U16(numbers) => self.ranges(&numbers[start..][..len], columns, push),
            Numbers::F32(numbers) => self.ranges(&numbers[start..][..len], columns, push),
        }
        range
    }

    /// Calls `push` with the range of each channel of each of `columns` in `row`; an empty row is the border.
    fn ranges<T: Copy + Into<f32>>(&self, row: &[T], columns: &[Vec<u32>], mut push: impl FnMut(f32, f32)) {
        let channels = self.samples.channels().count();
        for column in columns {
            for channel in 0..channels {
                let (mut least, mut greatest) = (f32::INFINITY, f32::NEG_INFINITY);
                for &index in column {
                    let number = row.get(index as usize * channels + channel);
                    let value = number.map_or(self.border, |&number| number.into() / self.maxval);
                    (least, greatest) = (least.min(value), greatest.max(value));
                }
                push(least, greatest);
            }
        }
    }

    /// Draws the values of the rows from `from`, whose positions and lobes along both axes `place` gives.
    fn apply_by_pixels(
        &self,
        place: impl FnMut([f64; 2]) -> ([f64; 2], [MainLobe; 2]),
        from: usize,
        values: &mut [f32],
    ) {
        match self.samples.numbers() {
            Numbers::U8(numbers) => self.apply_at(numbers, place, from, values),
            Numbers::U16(numbers) => self.apply_at(numbers, place, from, values),
            Numbers::F32(numbers) => self.apply_at(numbers, place, from, values),
        }
    }

    fn apply_at<T: Copy + Into<f32>>(
        &self,
        numbers: &[T],
        mut place: impl FnMut([f64; 2]) -> ([f64; 2], [MainLobe; 2]),
        from: usize,
        values: &mut [f32],
    ) {
        let channels = self.samples.channels().count();
        let (width, height) = (self.samples.width(), self.samples.height());
        let [across, down] = self.samples.axes();
        for (index, pixel) in values.chunks_exact_mut(channels).enumerate() {
            let at = [index % self.width, from + index / self.width].map(|index| index as f64);
            let ([x, y], [columns, rows]) = place(at);
            let ([left, right], [top, bottom]) = (columns.samples_at(x), rows.samples_at(y));
            for (channel, value) in pixel.iter_mut().enumerate() {
                let (mut least, mut greatest) = (f32::INFINITY, f32::NEG_INFINITY);
                for n in top..=bottom {
                    let row = down.stored(n);
                    for m in left..=right {
                        let column = across.stored(m);
                        let sample = if row == height || column == width {
                            self.border
                        } else {
                            numbers[(row as usize * width as usize + column as usize) * channels + channel].into()
                                / self.maxval
                        };
                        (least, greatest) = (least.min(sample), greatest.max(sample));
                    }
                }
                *value = drawn(*value, [least, greatest], self.strength);
            }
        }
    }
}

/// The stored indices of the samples from `first` to `last`, each once.
fn stored(axis: Axis, [first, last]: [i64; 2]) -> Vec<u32> {
    let mut indices: Vec<u32> = (first..=last).map(|index| axis.stored(index)).collect();
    indices.sort_unstable();
    indices.dedup();
    indices
}

/// `value`, drawn towards the range; within it, the same bits.
fn drawn(value: f32, [least, greatest]: [f32; 2], strength: f32) -> f32 {
    let bound = if value < least {
        least
    } else if value > greatest {
        greatest
    } else {
        return value;
    };
    bound + (1.0 - strength) * (value - bound)
}
