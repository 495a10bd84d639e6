//! Inputs of filter chains.

use std::sync::Arc;

use cudarc::driver::CudaSlice;

use crate::backend::cuda::abi::arguments::Plane;
use crate::backend::cuda::abi::sample_kind::{SampleKind, floats_of};
use crate::backend::cuda::driver::device::Device;
use crate::backend::cuda::driver::error::{DriverError, check};
use crate::image::Channels;

/// Input of a filter chain: the samples of a page, or values that a kernel wrote. It borrows or shares the memory that its
/// addresses refer to.
#[derive(Clone, Debug)]
pub(crate) struct Input<'a> {
    /// The samples in memory.
    pub(crate) plane: Plane,
    /// The same samples through a texture; `None` for single-precision values, which need none.
    pub(crate) textured: Option<Plane>,
    pub(crate) kind: SampleKind,
    pub(crate) channels: Channels,
    /// The border constant as a value in [0, 1]; `plane` has it in units of its own samples.
    pub(crate) border: f32,
    pub(crate) _source: InputSource<'a>,
}

/// The memory that an input keeps alive.
#[derive(Clone, Debug)]
pub(crate) enum InputSource<'a> {
    /// Samples of a plane in the cache.
    Samples { _memory: &'a CudaSlice<u8> },
    /// Values of an earlier step.
    Values { _memory: Arc<CudaSlice<f32>> },
}

impl Input<'_> {
    /// `stored` columns and rows of single-precision values, without padding between rows. Address modes and border are
    /// those of `like`, whose border is a value.
    ///
    /// # Errors
    /// If the memory holds fewer values.
    pub(crate) fn of_values(
        device: &Device,
        memory: Arc<CudaSlice<f32>>,
        stored: [u32; 2],
        channels: Channels,
        like: Plane,
    ) -> Result<Self, DriverError> {
        let values = stored[0] as usize * stored[1] as usize * floats_of(channels);
        check(values <= memory.len(), "a filter reads beyond its values")?;
        let stored = stored.map(|side| side as i32);
        let plane = Plane {
            values: device.address(&memory),
            texture: 0,
            pitch: stored[0],
            stored,
            halo: [0; 2],
            inv_maxval: 1.0,
            texcoord_scale: [1.0; 2],
            ..like
        };
        let source = InputSource::Values { _memory: memory };
        Ok(Self { plane, textured: None, kind: SampleKind::F32, channels, border: like.border, _source: source })
    }

    /// Whether a pixel has four values.
    pub(crate) fn is_colour(&self) -> bool {
        self.channels != Channels::Grey
    }

    /// Values of a pixel.
    pub(crate) fn floats(&self) -> usize {
        floats_of(self.channels)
    }
}
