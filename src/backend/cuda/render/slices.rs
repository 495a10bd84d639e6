//! Volumes on the device: what is stored of them for a sampler, and its weights, for the kernels of oblique planes.

use cudarc::driver::CudaSlice;

use crate::backend::BackendError;
use crate::backend::cuda::abi::grid_arguments::GridArguments;
use crate::backend::cuda::driver::error::missing;
use crate::backend::cuda::grids::arguments::{GridWeightMemory, arguments};
use crate::backend::cuda::grids::prefilter::{Filter, upload_stored};
use crate::backend::cuda::kernels::launch::Launcher;
use crate::grid::{AxisNumbers, Components, GridPlan, GridSampler};
use crate::lru::{Lru, LruLimits, Weigh};
use crate::memory::{Demand, Memory};
use crate::sampling::{AddressMode, Prefilter, Sampler};
use crate::volume::{MomentKey, ObliquePlane};

/// Volumes on the device, evicted by the rule of [`Lru`].
#[derive(Debug)]
pub(crate) struct SliceMemory {
    volumes: Lru<VolumeKey, StoredVolume>,
    weights: Lru<WeightsKey, Weights>,
}

/// Planes with the same key read the same stored values. Samples that are stored as they are depend on nothing beyond them.
#[derive(Clone, Debug, PartialEq)]
struct VolumeKey {
    moment: MomentKey,
    /// Number of stored values along each axis.
    stored: Vec<usize>,
    edges: Option<Edges>,
}

/// What decides coefficients and the values that are stored beyond the samples.
#[derive(Clone, Debug, PartialEq)]
struct Edges {
    prefilter: Option<Prefilter>,
    address: Vec<AddressMode>,
    border: [f64; 2],
}

/// The stored values of a volume.
#[derive(Debug)]
struct StoredVolume(CudaSlice<f32>);

/// Planes with the same key have the same arguments but for the stored values.
#[derive(Clone, Debug, PartialEq)]
struct WeightsKey {
    shape: Vec<usize>,
    sampler: GridSampler,
}

/// What is equal for all volumes of a shape under a sampler.
#[derive(Debug)]
struct Weights {
    arguments: GridArguments,
    axes: Vec<AxisNumbers>,
    memory: GridWeightMemory,
}

impl Weigh for StoredVolume {
    fn bytes(&self) -> usize {
        self.0.len() * size_of::<f32>()
    }
}

impl Weigh for Weights {
    fn bytes(&self) -> usize {
        self.memory.bytes()
    }
}

impl Default for SliceMemory {
    fn default() -> Self {
        Self { volumes: Lru::new(Self::VOLUMES), weights: Lru::new(Self::WEIGHTS) }
    }
}

impl SliceMemory {
    /// As much as the coefficients that the CPU keeps.
    const VOLUMES: LruLimits = LruLimits { bytes: 4 << 30, idle_bytes: 1 << 30 };
    /// The rows of a table take two megabytes at most.
    const WEIGHTS: LruLimits = LruLimits { bytes: 64 << 20, idle_bytes: 16 << 20 };

    /// The volume of `oblique` as `sampler` reads it, with weights. What is not on the device is copied there now, and
    /// prefiltered there. The memory is kept until the next call at least, and freed in the order of the stream.
    ///
    /// # Errors
    /// If the host or the device has too little memory, or the device fails.
    pub(crate) fn get(
        &mut self,
        launcher: &mut Launcher,
        oblique: &ObliquePlane,
        sampler: &Sampler,
    ) -> Result<GridArguments, BackendError> {
        self.volumes.next_turn();
        self.weights.next_turn();
        let of_axes = ObliquePlane::grid_sampler(sampler);
        // All times have the shape of the first.
        let first = &oblique.volume().times()[0];
        let key = WeightsKey { shape: first.shape().to_vec(), sampler: of_axes.clone() };
        if self.weights.get(&key).is_none() {
            let plan = GridPlan::new(first, &of_axes)?;
            let (arguments, memory) = arguments(&mut launcher.device, &plan, &of_axes, Components::Real)?;
            self.weights.insert(key.clone(), Weights { arguments, axes: plan.numbers()?, memory });
        }
        let weights = self.weights.get(&key).ok_or_else(|| missing("the weights of a volume are lost"))?;
        let key = VolumeKey::new(oblique.moment_key(sampler), &weights.axes, &of_axes);
        if self.volumes.get(&key).is_none() {
            let mut demand = Demand::default();
            oblique.add_moment(&mut demand, sampler);
            Memory::Machine.check(&demand)?;
            self.volumes.make_room(key.stored.iter().product::<usize>() * size_of::<f32>());
            let filter = Filter { prefilter: of_axes.coefficients(), border: of_axes.border, components: 1 };
            let upload = |grid: &_| upload_stored(launcher, grid, &weights.axes, filter);
            let values = oblique.with_moment(sampler, upload)?;
            self.volumes.insert(key.clone(), StoredVolume(values));
        }
        let volume = self.volumes.get(&key).ok_or_else(|| missing("the values of a volume are lost"))?;
        Ok(GridArguments { values: launcher.device.address(&volume.0), ..weights.arguments })
    }

    /// Frees all volumes and weights.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
}

impl VolumeKey {
    fn new(moment: MomentKey, axes: &[AxisNumbers], sampler: &GridSampler) -> Self {
        let prefilter = sampler.coefficients();
        let is_plain = prefilter.is_none() && axes.iter().all(|axis| axis.stored == axis.len);
        let edges = || Edges { prefilter, address: sampler.address.clone(), border: sampler.border };
        Self { moment, stored: axes.iter().map(|axis| axis.stored).collect(), edges: (!is_plain).then(edges) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::grid::Grid;
    use crate::sampling::Method;
    use crate::volume::{Orientation, Plane, Volume};

    const SHAPE: [usize; 3] = [5, 6, 7];

    fn volume(times: usize) -> Arc<Volume> {
        let grid = || Grid::new(&SHAPE, Components::Real, vec![0.5; 210]).expect("a grid");
        Arc::new(Volume::series((0..times).map(|_| grid()).collect(), [1.0; 3], false).expect("a volume"))
    }

    fn key(volume: &Arc<Volume>, tilt_deg: f64, time: f64, sampler: &Sampler) -> VolumeKey {
        let plane =
            Plane { orientation: Orientation::Oblique { tilt_deg, turn_deg: 10.0 }, slice: Some(tilt_deg), time };
        let oblique = ObliquePlane::of(&volume.page(&plane, sampler)).expect("an oblique plane");
        let of_axes = ObliquePlane::grid_sampler(sampler);
        let plan = GridPlan::new(&volume.times()[0], &of_axes).expect("a plan");
        VolumeKey::new(oblique.moment_key(sampler), &plan.numbers().expect("axes"), &of_axes)
    }

    #[test]
    fn planes_share_a_volume_unless_their_samples_or_what_is_stored_of_them_differ() {
        let [volume, other] = [volume(1), volume(1)];
        let linear = Sampler::default().with_method(Method::Linear);
        let cubic = Sampler { address: [AddressMode::Mirror; 2], ..linear.with_method(Method::CATMULL_ROM) };
        let prefiltered = Sampler { prefilter: true, ..linear.with_method(Method::BSPLINE) };
        let mirrored = Sampler { address: [AddressMode::Mirror; 2], ..prefiltered };
        let wrapped = Sampler { address: [AddressMode::Wrap; 2], ..linear };
        let bordered = |border| Sampler { address: [AddressMode::Border; 2], border, ..linear };
        let first = key(&volume, 20.0, 0.0, &linear);
        assert_eq!(first, key(&volume, 35.0, 0.0, &linear), "another plane");
        assert_eq!(first, key(&volume, 20.0, 7.0, &linear), "it does not change with time");
        assert_eq!(first, key(&volume, 20.0, 0.0, &cubic), "the same samples");
        let keys = [
            first,
            key(&other, 20.0, 0.0, &linear),
            key(&volume, 20.0, 0.0, &prefiltered),
            key(&volume, 20.0, 0.0, &mirrored),
            key(&volume, 20.0, 0.0, &wrapped),
            key(&volume, 20.0, 0.0, &bordered(0.0)),
            key(&volume, 20.0, 0.0, &bordered(0.5)),
        ];
        for (index, one) in keys.iter().enumerate() {
            assert!(keys[..index].iter().all(|before| before != one), "{one:?}");
        }
    }

    #[test]
    fn volumes_between_times_differ_by_time_and_method_and_those_of_a_time_do_not() {
        let volume = volume(4);
        let linear = Sampler::default().with_method(Method::Linear);
        let cubic = linear.with_method(Method::CATMULL_ROM);
        assert_eq!(key(&volume, 20.0, 2.0, &linear), key(&volume, 20.0, 2.0, &cubic));
        assert_ne!(key(&volume, 20.0, 2.0, &linear), key(&volume, 20.0, 1.0, &linear));
        assert_eq!(key(&volume, 20.0, 1.5, &linear), key(&volume, 50.0, 1.5, &linear));
        assert_ne!(key(&volume, 20.0, 1.5, &linear), key(&volume, 20.0, 1.25, &linear));
        assert_ne!(key(&volume, 20.0, 1.5, &linear), key(&volume, 20.0, 1.5, &cubic));
    }
}
