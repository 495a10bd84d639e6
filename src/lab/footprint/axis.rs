//! Taps of one axis: the samples around a position with their weights, and the fetches of the texture unit.

use crate::sampling::{AddressMode, Axis, AxisFetch, Sampler, Taps, fixed_point_fraction};

/// A sample that a position reads along an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tap {
    /// Its index before the address mode.
    pub index: i64,
    /// The index after it; `None` for the border's constant. Coefficients beyond an edge keep their own index as far as
    /// their halo reaches.
    pub resolved: Option<i64>,
    /// Its weight.
    pub weight: f64,
}

/// A fetch of the texture unit: one sample, or the weighted mean of two neighbours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fetch {
    /// The first tap that it reads.
    pub first: usize,
    /// Number of taps: 1 or 2.
    pub count: usize,
    /// Its position, in samples before the address mode.
    pub position: f64,
    /// The fraction of its position between two samples, in double precision.
    pub fraction: f64,
    /// The fraction as the texture unit rounds it: a multiple of 1/256.
    pub fixed_fraction: f64,
    /// Its weight g: the sum of the exact weights of its taps, or from the look-up table.
    pub weight: f64,
}

/// One axis of a footprint.
#[derive(Clone, Debug, PartialEq)]
pub struct AxisFootprint {
    /// The position x.
    pub position: f64,
    /// ⌊x⌋; ⌊x + ½⌋ for a method of one sample.
    pub whole: i64,
    /// x − ⌊x⌋, at least 0 and less than 1.
    pub fraction: f64,
    /// The samples that it reads, the lowest index first.
    pub taps: Vec<Tap>,
    /// The fetches of the paths `filtered` and `filtered-table`; none on other paths.
    pub fetches: Vec<Fetch>,
    /// Factor by which antialiasing widens the kernel.
    pub stretch: Option<f64>,
    /// The address mode.
    pub address: AddressMode,
    /// Number of samples of the image.
    pub len: u32,
}

impl AxisFootprint {
    /// The taps of `position` for an output pixel `scale` samples wide.
    pub(super) fn new(sampler: &Sampler, scale: f64, axis: Axis, position: f64) -> Self {
        let mut weights = Vec::new();
        let own = Taps::new(sampler, scale);
        let first = own.weights_at(position, &mut weights);
        let tap = |(k, &weight): (usize, &f64)| {
            let index = first + k as i64;
            Tap { index, resolved: resolved(axis, index), weight }
        };
        let taps: Vec<Tap> = weights.iter().enumerate().map(tap).collect();
        let is_one = sampler.method.kernel().taps == 1 && sampler.stretch(scale).is_none();
        let whole = if is_one { (position + 0.5).floor() } else { position.floor() };
        Self {
            position,
            whole: whole as i64,
            fraction: position - position.floor(),
            fetches: fetches(&own, first, position),
            taps,
            stretch: sampler.stretch(scale),
            address: axis.address,
            len: axis.len,
        }
    }

    /// The sum of the weights.
    pub fn weight_sum(&self) -> f64 {
        self.taps.iter().map(|tap| tap.weight).sum()
    }

    /// The taps of a fetch.
    pub fn taps_of(&self, fetch: &Fetch) -> &[Tap] {
        &self.taps[fetch.first..][..fetch.count]
    }
}

/// The sample that `index` refers to, counted from the image's first; `None` for the border's constant.
fn resolved(axis: Axis, index: i64) -> Option<i64> {
    let stored = axis.stored(index);
    (stored < axis.stored_len()).then(|| i64::from(stored) - i64::from(axis.halo))
}

/// The fetches of `position`, whose first tap is at `first`; none on an exact path.
fn fetches(taps: &Taps, first: i64, position: f64) -> Vec<Fetch> {
    let Some(fetches) = taps.fetches_at(position) else { return Vec::new() };
    let fetch = |&AxisFetch { first: tap, count, fraction, weight }: &AxisFetch| Fetch {
        first: tap,
        count,
        position: (first + tap as i64) as f64 + fraction,
        fraction,
        fixed_fraction: fixed_point_fraction(fraction),
        weight,
    };
    fetches.as_slice().iter().map(fetch).collect()
}
