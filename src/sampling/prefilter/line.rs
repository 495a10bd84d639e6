//! The recursions over lines: rows or columns, a lane for each.

use std::ops::Range;

use multiversion::multiversion;

use super::{AddressMode, Prefilter, STRIP};

/// One line of an axis with what lies beyond its ends: which samples it runs over, and which results are kept.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    prefilter: Prefilter,
    /// The sample behind each place of the extended line, `None` where it is the border.
    pub(in crate::sampling) source: Vec<Option<u32>>,
    /// The place of the first sample, and how many samples there are.
    start: usize,
    samples: usize,
    /// Places before the first result that is kept.
    skip: usize,
    /// How many results are kept.
    keep: usize,
}

impl Line {
    /// Lines that are filtered together.
    pub(crate) const LANES: usize = STRIP;

    pub(super) fn new(prefilter: Prefilter, len: u32, address: AddressMode) -> Self {
        Self::with_margin(prefilter, len, address, prefilter.halo(address))
    }

    /// The line whose results are kept from `margin` samples before the first to `margin` samples behind the last.
    pub(crate) fn with_margin(prefilter: Prefilter, len: u32, address: AddressMode, margin: u32) -> Self {
        let warm_up = prefilter.warm_up();
        let reach = i64::from(margin + warm_up);
        let source = (-reach..i64::from(len) + reach).map(|index| address.resolve(index, len)).collect();
        Self {
            prefilter,
            source,
            start: reach as usize,
            samples: len as usize,
            skip: warm_up as usize,
            keep: (len + 2 * margin) as usize,
        }
    }

    /// Number of places of the extended line.
    pub(crate) fn len(&self) -> usize {
        self.source.len()
    }

    /// The sample behind a place of the extended line; `None` for the border.
    pub(crate) fn source(&self, place: usize) -> Option<usize> {
        self.source[place].map(|sample| sample as usize)
    }

    /// The places of the samples themselves, in their order.
    pub(super) fn inside(&self) -> Range<usize> {
        self.start..self.start + self.samples
    }

    /// Places before the first result that is kept.
    pub(crate) fn skip(&self) -> usize {
        self.skip
    }

    /// The recursions of each pole over as many lines as lanes. They start as if the line's end went on for ever.
    pub(crate) fn filter(&self, lines: &mut [[f64; Self::LANES]]) {
        for &pole in self.prefilter.poles {
            filter_strip(lines, pole);
        }
    }

    /// The results that are kept.
    pub(in crate::sampling) fn kept<'a, T>(&self, line: &'a [T]) -> &'a [T] {
        &line[self.skip..][..self.keep]
    }
}

#[multiversion(targets = "simd")]
fn filter_strip(lines: &mut [[f64; STRIP]], pole: f64) {
    run_causal(lines, pole);
    run_anticausal(lines, pole);
}

/// c⁺[k] = s[k] + z·c⁺[k−1], forwards.
#[inline(always)]
pub(in crate::sampling) fn run_causal<const LANES: usize>(lines: &mut [[f64; LANES]], pole: f64) {
    let Some((first, rest)) = lines.split_first_mut() else { return };
    for c in &mut *first {
        *c /= 1.0 - pole;
    }
    let mut before = *first;
    for here in rest {
        for lane in 0..LANES {
            before[lane] = here[lane] + pole * before[lane];
        }
        *here = before;
    }
}

/// c[k] = z·(c[k+1] − gain·c⁺[k]), backwards.
#[inline(always)]
pub(in crate::sampling) fn run_anticausal<const LANES: usize>(lines: &mut [[f64; LANES]], pole: f64) {
    let gain = Prefilter::gain(pole);
    let Some((last, rest)) = lines.split_last_mut() else { return };
    for c in &mut *last {
        *c *= -pole / (1.0 - pole) * gain;
    }
    let mut after = *last;
    for here in rest.iter_mut().rev() {
        for lane in 0..LANES {
            after[lane] = pole * (after[lane] - here[lane] * gain);
        }
        *here = after;
    }
}
