//! Columns as vectors read them: where the samples of neighbouring columns lie, and their weights.

use super::super::super::cache_lines::CacheLines;
use super::columns::BLOCK;
use super::weights::{FixedWeights, packed};

/// Vectors of values, whose samples are in windows of the line.
#[derive(Debug)]
pub(super) struct Blocks {
    /// The first number of each window in the line.
    pub(super) from: Vec<u32>,
    /// Places in the window of each lane's first pair of samples.
    pub(super) index: CacheLines,
    /// For each vector and pair the two weights of each lane, the first in the lower half.
    pub(super) weights: CacheLines,
    /// Number of pairs.
    pub(super) pairs: usize,
    /// Whether a lane of `index` and `weights` is a pixel of four values, the last of which is opaque, and not a value.
    pub(super) has_pixels: bool,
    /// Numbers of the longest window that are read.
    pub(super) reach: usize,
    /// Numbers between the samples of neighbouring pairs.
    pub(super) step: usize,
    /// What a sum begins with, for four values.
    pub(super) start: [i32; 4],
}

/// How vectors read samples.
pub(super) struct Shape {
    /// Values of a vector.
    pub(super) values: usize,
    /// Values that read one window.
    pub(super) of_a_window: usize,
    /// Numbers of a window.
    pub(super) window: usize,
    /// The index that selects two numbers of a window.
    pub(super) place: fn(u32, u32) -> u32,
    /// What the sum of a channel begins with, and what that of one begins with that the image has not.
    pub(super) start: [i32; 2],
}

impl Blocks {
    /// For the columns that begin at the numbers `first` of a line; `None` if a window is too narrow for them.
    pub(super) fn new(first: &[u32], weights: &FixedWeights, [from, to]: [usize; 2], shape: &Shape) -> Option<Self> {
        let has_pixels = to > from;
        // Values of a lane, and lanes that read one window.
        let size = if has_pixels { to } else { 1 };
        let lanes_a_window = shape.of_a_window / size;
        let lanes = (first.len() * to).next_multiple_of(BLOCK) / size;
        let start = std::array::from_fn(|value| shape.start[usize::from(has_pixels && value >= from)]);
        let mut windows = Vec::with_capacity(lanes / lanes_a_window);
        let mut index = Vec::with_capacity(lanes);
        let mut weights_of_lanes = Vec::with_capacity(lanes * weights.pairs);
        let mut reach = 0;
        // Lanes are pixels, or values of as many channels as the image has.
        let channels = if has_pixels { 1 } else { to };
        let place = |lane: usize| Some(first.get(lane / channels)? + (lane % channels) as u32);
        // A pixel's lane reads the first of its samples; the others follow.
        let last = if has_pixels { from - 1 } else { 0 };
        for begin in (0..lanes).step_by(lanes_a_window) {
            let places = (begin..begin + lanes_a_window).map(place);
            let least = places.clone().flatten().min().unwrap_or(0);
            windows.push(least);
            for place in places {
                let offset = place.map_or(0, |place| place - least);
                reach = reach.max(offset as usize + from + last + 1);
                index.push((shape.place)(offset, offset + from as u32));
            }
        }
        let lanes_a_vector = shape.values / size;
        for begin in (0..lanes).step_by(lanes_a_vector) {
            for pair in 0..weights.pairs {
                weights_of_lanes.extend((begin..begin + lanes_a_vector).map(|lane| {
                    let column = lane / channels;
                    if column < first.len() { packed(weights.entry(column)[pair]) as u32 } else { 0 }
                }));
            }
        }
        (reach <= shape.window).then(|| Self {
            from: windows,
            index: CacheLines::of(&index),
            weights: CacheLines::of(&weights_of_lanes),
            pairs: weights.pairs,
            has_pixels,
            reach,
            step: 2 * from,
            start,
        })
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.from[..]) + self.index.bytes() + self.weights.bytes()
    }
}
