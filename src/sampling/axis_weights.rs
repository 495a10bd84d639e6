//! Samples and weights of every position of one axis, before the address mode.

use rayon::prelude::*;

use super::Taps;
use crate::view::ImageFromOutput;

/// The first sample and the weights of every output column or row. Entry i reads the samples `first[i] … first[i] + taps − 1` with
/// the weights `weights[i·taps] … weights[(i + 1)·taps − 1]`. A stretched kernel has fewer samples at some positions than at
/// others; the last weights of those are 0.
#[derive(Clone, Debug, PartialEq)]
pub struct AxisWeights {
    /// Number of samples of every entry.
    pub taps: usize,
    /// The first sample of each entry, before the address mode.
    pub first: Vec<i64>,
    /// The weight of each sample.
    pub weights: Vec<f32>,
}

impl AxisWeights {
    /// The entries of axis `which` (0: x, 1: y) of a view without rotation, for `count` output columns or rows; `None` if the
    /// kernel is stretched.
    pub fn new(taps: &Taps, map: &ImageFromOutput, which: usize, count: u32) -> Option<Self> {
        let most = taps.narrow()?;
        let mut first = Vec::with_capacity(count as usize);
        let mut weights = Vec::with_capacity(count as usize * most);
        let mut exact = Vec::with_capacity(most);
        for index in 0..count {
            first.push(taps.weights_at(map.along(which, f64::from(index)), &mut exact));
            weights.extend(exact.iter().map(|&weight| weight as f32));
        }
        Some(Self { taps: most, first, weights })
    }

    /// The same for a stretched kernel. `None` if it is not stretched, or reads more than `most` samples at a position.
    pub fn stretched(taps: &Taps, map: &ImageFromOutput, which: usize, count: u32, most: usize) -> Option<Self> {
        if taps.narrow().is_some() || taps.most() > most {
            return None;
        }
        let entry = |weights: &mut Vec<f64>, index: u32| {
            let first = taps.weights_at(map.along(which, f64::from(index)), weights);
            (first, weights.iter().map(|&weight| weight as f32).collect())
        };
        let entries: Vec<(i64, Vec<f32>)> = (0..count).into_par_iter().map_init(Vec::new, entry).collect();
        let taps = entries.iter().map(|(_, weights)| weights.len()).max()?;
        let mut first = Vec::with_capacity(entries.len());
        let mut weights = Vec::with_capacity(entries.len() * taps);
        for (sample, some) in entries {
            first.push(sample);
            weights.extend(&some);
            weights.resize(first.len() * taps, 0.0);
        }
        Some(Self { taps, first, weights })
    }

    /// The same; if each entry has one sample of weight 1 and others of weight 0, with these samples alone.
    #[must_use]
    pub fn without_zero_weights(self) -> Self {
        let alone = |(first, weights): (&i64, &[f32])| {
            let mut others = weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0);
            let (place, &weight) = others.next()?;
            (weight == 1.0 && others.next().is_none()).then_some(first + place as i64)
        };
        match self.first.iter().zip(self.weights.chunks_exact(self.taps)).map(alone).collect() {
            Some(first) => Self { taps: 1, weights: vec![1.0; self.first.len()], first },
            None => self,
        }
    }

    /// Whether each entry is one sample of weight 1.
    pub fn is_selection(&self) -> bool {
        self.taps == 1 && self.weights.iter().all(|weight| *weight == 1.0)
    }

    /// First sample and weights of entry `index`.
    pub fn entry(&self, index: usize) -> (i64, &[f32]) {
        (self.first[index], &self.weights[index * self.taps..][..self.taps])
    }

    /// The least and the greatest sample of all entries; `None` without entries.
    pub fn range(&self) -> Option<[i64; 2]> {
        let least = *self.first.iter().min()?;
        let greatest = *self.first.iter().max()?;
        Some([least, greatest.saturating_add(self.taps as i64 - 1)])
    }
}
