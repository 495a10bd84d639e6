//! Axis tables: for every output column (or row) the indices of its samples, after the address mode, and their weights. A
//! table is computed once for each request, in double precision. The CPU loop and CUDA's two passes read the same tables.
//! CUDA's other kernels evaluate weights of the same [`MethodKernel`](super::MethodKernel).

use rayon::prelude::*;

use super::{AddressMode, AxisFetches, Method, MethodKernel, Sampler, SamplingPath, weigh_by_table, weigh_filtered};
use crate::view::ImageFromOutput;

/// Value of [`AxisTable::first`] for an entry whose samples are not contiguous or include the border.
pub const SCATTERED: u32 = u32::MAX;

/// One axis of stored values: samples, or coefficients with their halo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis {
    /// Number of samples of the image.
    pub len: u32,
    /// Number of values stored beyond each edge.
    pub halo: u32,
    /// Address mode.
    pub address: AddressMode,
}

impl Axis {
    /// Number of stored values.
    pub fn stored_len(&self) -> u32 {
        self.len + 2 * self.halo
    }

    /// Index of the stored value of sample `index`; [`Axis::stored_len`] for the border constant.
    ///
    /// With a halo, indices beyond it refer to the halo's last value, the limit of the coefficients.
    pub fn stored(&self, index: i64) -> u32 {
        if self.halo > 0 {
            let halo = i64::from(self.halo);
            let inside = index.clamp(-halo, i64::from(self.len) + halo - 1) + halo;
            u32::try_from(inside).unwrap_or(0)
        } else {
            self.address.resolve(index, self.len).unwrap_or(self.len)
        }
    }
}

/// Samples and weights of a position along one axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Taps {
    kernel: MethodKernel,
    path: SamplingPath,
    stretch: Option<f64>,
}

impl Taps {
    /// For `sampler` and an output pixel `scale` samples wide.
    pub fn new(sampler: &Sampler, scale: f64) -> Self {
        Self { kernel: sampler.method.kernel(), path: sampler.path, stretch: sampler.stretch(scale) }
    }

    /// Number of samples of every position; `None` if the kernel is stretched.
    pub fn narrow(&self) -> Option<usize> {
        self.stretch.is_none().then_some(self.kernel.taps)
    }

    /// Whether the weights of every position sum to 1, to double precision.
    pub fn sum_to_one(&self) -> bool {
        let is_plain_table = matches!(self.kernel.method, Method::Custom(_)) && !self.kernel.normalized;
        self.stretch.is_some() || !is_plain_table
    }

    /// Largest number of samples of a position, before the address mode merges equal ones.
    pub fn most(&self) -> usize {
        match self.stretch {
            None => self.kernel.taps,
            // A cast saturates; so does the sum.
            Some(stretch) => ((2.0 * self.kernel.radius * stretch) as usize).saturating_add(2),
        }
    }

    /// Writes the weights for position `x` to `weights` and returns the index of the first sample, before the address mode.
    /// The weights sum to 1, except for custom kernels that are not normalized.
    pub fn weights_at(&self, x: f64, weights: &mut Vec<f64>) -> i64 {
        weights.clear();
        match self.stretch {
            None => {
                weights.resize(self.kernel.taps, 0.0);
                self.kernel.weights_at(x, weights);
                match self.path {
                    SamplingPath::Filtered => weigh_filtered(self.kernel.method, weights),
                    SamplingPath::FilteredTable => weigh_by_table(self.kernel.method, x - x.floor(), weights),
                    SamplingPath::Auto | SamplingPath::Lookup | SamplingPath::Tiled => {}
                }
                self.kernel.first_sample(x) as i64
            }
            Some(stretch) => self.weigh_stretched(x, stretch, weights),
        }
    }

    /// Index of the first sample of position `x` of a kernel that is not stretched, before the address mode.
    pub fn first_sample(&self, x: f64) -> i64 {
        self.kernel.first_sample(x) as i64
    }

    /// The fetches of position `x` by the texture unit; `None` on an exact path.
    pub fn fetches_at(&self, x: f64) -> Option<AxisFetches> {
        AxisFetches::new(&self.kernel, self.path, x)
    }

    /// w(d/stretch) over a support wider by `stretch`, divided by the sum. If no sample has a weight (the blur is so small
    /// that the support lies between samples), the nearest sample has weight 1.
    fn weigh_stretched(&self, x: f64, stretch: f64, weights: &mut Vec<f64>) -> i64 {
        let reach = self.kernel.radius * stretch;
        let first = (x - reach).ceil();
        let count = ((x + reach).floor() - first).max(-1.0) as usize + 1;
        self.kernel.extend_at_steps(weights, (count, 1.0 / stretch), |k| (x - (first + k as f64)) / stretch);
        let sum: f64 = weights.iter().sum();
        let weight: f64 = weights.iter().map(|w| w.abs()).sum();
        if sum.abs() <= 1e-9 * weight.max(1.0) {
            weights.clear();
            weights.push(1.0);
            return (x + 0.5).floor() as i64;
        }
        weights.iter_mut().for_each(|weight| *weight /= sum);
        first as i64
    }
}

/// Samples and weights of every output column or row. Entry i has the values at `indices[starts[i]..starts[i + 1]]` and
/// the weights in the same range.
#[derive(Clone, Debug, PartialEq)]
pub struct AxisTable {
    /// Start of each entry's samples, and the total length.
    pub starts: Vec<u32>,
    /// Index of the first stored value of each entry if its samples are contiguous, else [`SCATTERED`].
    pub first: Vec<u32>,
    /// Indices of stored values ([`Axis::stored`]); [`Axis::stored_len`] is the border constant.
    pub indices: Vec<u32>,
    /// Weight of each sample.
    pub weights: Vec<f32>,
    /// Number of samples of each entry, if it is the same for all.
    pub uniform: Option<usize>,
}

impl AxisTable {
    /// Table of axis `which` (0: x, 1: y) of a view without rotation, for `count` output columns or rows.
    pub fn new(taps: &Taps, axis: Axis, map: &ImageFromOutput, which: usize, count: u32) -> Self {
        let position = |index: u32| map.along(which, f64::from(index));
        match taps.narrow() {
            Some(most) => Self::narrow(taps, axis, most, (0..count).map(position)),
            None => {
                let entry = |weights: &mut Vec<f64>, index: u32| Entry::stretched(taps, axis, position(index), weights);
                let entries: Vec<Entry> = (0..count).into_par_iter().map_init(Vec::new, entry).collect();
                let mut table =
                    Self::with_capacity(entries.len(), entries.iter().map(|entry| entry.indices.len()).sum());
                entries.iter().for_each(|entry| table.push(entry, axis.stored_len()));
                table
            }
        }
    }

    /// Table of a kernel with `most` samples at each of `positions`.
    fn narrow(taps: &Taps, axis: Axis, most: usize, positions: impl ExactSizeIterator<Item = f64>) -> Self {
        let mut table = Self { uniform: Some(most), ..Self::with_capacity(positions.len(), positions.len() * most) };
        let mut weights = Vec::with_capacity(most);
        let mut entry = Entry { indices: vec![0; most], weights: vec![0.0; most] };
        for x in positions {
            let first = taps.weights_at(x, &mut weights);
            for (k, &weight) in weights.iter().enumerate() {
                entry.indices[k] = axis.stored(first + k as i64);
                entry.weights[k] = weight as f32;
            }
            table.push(&entry, axis.stored_len());
        }
        table
    }

    /// The same table; if each entry has one sample of weight 1 and others of weight 0, with these samples alone.
    /// `border` is the index of the border constant.
    #[must_use]
    pub fn without_zero_weights(self, border: u32) -> Self {
        let alone = |entry: usize| {
            let (indices, weights) = self.entry(entry);
            let mut others = indices.iter().zip(weights).filter(|(_, weight)| **weight != 0.0);
            let (&index, &weight) = others.next()?;
            (weight == 1.0 && others.next().is_none()).then_some(index)
        };
        if self.uniform == Some(1) {
            return self;
        }
        match (0..self.len()).map(alone).collect::<Option<Vec<u32>>>() {
            Some(indices) => Self {
                starts: (0..=indices.len() as u32).collect(),
                first: indices.iter().map(|&index| if index < border { index } else { SCATTERED }).collect(),
                weights: vec![1.0; indices.len()],
                indices,
                uniform: Some(1),
            },
            None => self,
        }
    }

    /// Whether each entry is one sample of weight 1.
    pub fn is_selection(&self) -> bool {
        self.uniform == Some(1) && self.weights.iter().all(|weight| *weight == 1.0)
    }

    /// Empty table with capacity for `entries` entries of `total` samples in all.
    fn with_capacity(entries: usize, total: usize) -> Self {
        let mut starts = Vec::with_capacity(entries + 1);
        starts.push(0);
        Self {
            starts,
            first: Vec::with_capacity(entries),
            indices: Vec::with_capacity(total),
            weights: Vec::with_capacity(total),
            uniform: None,
        }
    }

    /// Appends `entry`; `border` is the index of the border constant.
    fn push(&mut self, entry: &Entry, border: u32) {
        let Entry { indices, weights } = entry;
        let in_a_row = indices.windows(2).all(|pair| pair[1] == pair[0].wrapping_add(1));
        let inside = indices.last().is_some_and(|&last| last < border);
        self.first.push(if in_a_row && inside { indices[0] } else { SCATTERED });
        self.indices.extend_from_slice(indices);
        self.weights.extend_from_slice(weights);
        self.starts.push(u32::try_from(self.indices.len()).unwrap_or(u32::MAX));
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.first.len()
    }

    /// Whether the table has no entries.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    /// Samples and weights of entry `index`.
    pub fn entry(&self, index: usize) -> (&[u32], &[f32]) {
        let range = self.starts[index] as usize..self.starts[index + 1] as usize;
        (&self.indices[range.clone()], &self.weights[range])
    }

    /// Largest number of samples of an entry.
    pub fn most(&self) -> usize {
        self.starts.windows(2).map(|pair| (pair[1] - pair[0]) as usize).max().unwrap_or(0)
    }
}

/// Samples and weights of one output column or row.
struct Entry {
    indices: Vec<u32>,
    weights: Vec<f32>,
}

impl Entry {
    /// Entry of a stretched kernel. Equal samples are merged, so that no entry is longer than the axis: consecutive ones
    /// under clamp and border, all of them under wrap and mirror if the support is longer than the axis.
    fn stretched(taps: &Taps, axis: Axis, x: f64, scratch: &mut Vec<f64>) -> Self {
        let first = taps.weights_at(x, scratch);
        let stored = axis.stored_len() as usize;
        if scratch.len() > stored + 1 && axis.address.is_periodic() {
            let mut sums = vec![0.0_f64; stored];
            for (k, &weight) in scratch.iter().enumerate() {
                sums[axis.stored(first + k as i64) as usize] += weight;
            }
            return Self {
                indices: (0..axis.stored_len()).collect(),
                weights: sums.iter().map(|&weight| weight as f32).collect(),
            };
        }
        let mut indices: Vec<u32> = Vec::with_capacity(scratch.len().min(stored + 2));
        let mut sums: Vec<f64> = Vec::with_capacity(scratch.len().min(stored + 2));
        for (k, &weight) in scratch.iter().enumerate() {
            let index = axis.stored(first + k as i64);
            match sums.last_mut() {
                Some(last) if indices.last() == Some(&index) => *last += weight,
                _ => {
                    indices.push(index);
                    sums.push(weight);
                }
            }
        }
        Self { indices, weights: sums.iter().map(|&weight| weight as f32).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ADDRESS_MODES, samples_of_methods};
    use super::*;
    use crate::test_support::size;
    use crate::view::View;

    fn table(sampler: &Sampler, view: View, len: u32, count: u32) -> AxisTable {
        let map = view.image_from_output(size(count, 1), size(len, 1));
        let axis = Axis { len, halo: sampler.halo(0), address: sampler.address[0] };
        AxisTable::new(&Taps::new(sampler, view.scale()), axis, &map, 0, count)
    }

    /// Whether w(−d) = w(d); the one table that is not even does not sum to 1 either.
    fn is_even(method: Method) -> bool {
        (1..64).all(|k| {
            [1.0, -1.0].map(|sign| method.kernel().weight(sign * f64::from(k) / 16.0)).windows(2).all(|w| w[0] == w[1])
        }) || method == Method::Nearest
    }

    fn samplers() -> impl Iterator<Item = Sampler> {
        samples_of_methods().into_iter().flat_map(|method| {
            ADDRESS_MODES.iter().flat_map(move |address| {
                [false, true].map(|antialias| Sampler {
                    method,
                    address: [address.address; 2],
                    antialias,
                    ..Sampler::default()
                })
            })
        })
    }

    #[test]
    fn weights_of_every_entry_sum_to_one_and_indices_are_stored() {
        for sampler in samplers().filter(|sampler| is_even(sampler.method)) {
            for (len, scale) in [(1, 0.37), (5, 2.3), (64, 7.9), (3, 40.0)] {
                let view = View::new([0.3, 0.0], scale).expect("a view");
                let table = table(&sampler, view, len, 33);
                for i in 0..table.len() {
                    let (indices, weights) = table.entry(i);
                    let sum: f64 = weights.iter().map(|&w| f64::from(w)).sum();
                    assert!((sum - 1.0).abs() < 1e-6, "{sampler:?} at {scale}: {sum}");
                    let limit = len + u32::from(sampler.address[0] == AddressMode::Border);
                    assert!(indices.iter().all(|&index| index < limit), "{sampler:?}");
                    assert!(indices.len() <= len as usize + 2 || table.uniform.is_some(), "{sampler:?}");
                }
            }
        }
    }

    #[test]
    fn identity_view_reads_each_sample_alone() {
        for sampler in samplers().filter(|sampler| sampler.method.kernel().interpolates) {
            let table = table(&sampler, View::default(), 9, 9);
            for i in 0..9 {
                let (indices, weights) = table.entry(i);
                for (&index, &weight) in indices.iter().zip(weights) {
                    let alone = index as usize == i && weight == 1.0;
                    assert!(alone || weight == 0.0 || indices.len() > 9, "{sampler:?} {i}: {weight} of {index}");
                }
            }
        }
    }

    #[test]
    fn mirrored_positions_have_mirrored_weights() {
        for sampler in samplers().filter(|sampler| is_even(sampler.method) && sampler.method != Method::Nearest) {
            for scale in [0.31, 3.7] {
                // An output as wide as it is centred on the image: x(i) and x(n−1−i) mirror each other.
                let view = View::new([(scale - 1.0) / 2.0, 0.0], scale).expect("a view");
                let table = table(&sampler, view, 16, 40);
                for i in 0..40 {
                    let folded = |entry: usize, flip: bool| {
                        let (indices, weights) = table.entry(entry);
                        let mut sums = [0.0_f64; 17];
                        for (&index, &weight) in indices.iter().zip(weights) {
                            let place = if flip && index < 16 { 15 - index } else { index };
                            sums[place as usize] += f64::from(weight);
                        }
                        sums
                    };
                    for (a, b) in folded(i, false).iter().zip(folded(39 - i, true)) {
                        assert!((a - b).abs() < 1e-6, "{sampler:?} at {scale}, entry {i}");
                    }
                }
            }
        }
    }
}
