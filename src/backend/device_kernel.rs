//! The CUDA kernel that renders a request, as far as its source goes.

use super::{RenderRequest, cuda};
use crate::image::Page;

/// The family of a CUDA kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeviceKernelKind {
    /// Samples in shared memory, axis by axis.
    Tiled,
    /// Samples in registers, at one sample a pixel.
    DirectUnit,
    /// Samples in registers, at other scales.
    DirectSpread,
    /// Samples in registers, of any plane and address mode.
    Columns,
    /// 2 × 2 gathers of the texture unit.
    Gather,
    /// One texture fetch for each sample.
    Points,
    /// The texture unit interpolates.
    Filtered,
    /// Two passes by axis tables.
    Passes,
    /// Plain memory, pixel by pixel, through a warp as well.
    Memory,
}

/// How a CUDA kernel evaluates the weights of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeviceWeights {
    /// 1 − α and α.
    Linear,
    /// Four taps of a symmetric cubic.
    Symmetric,
    /// One cubic for each tap.
    Cubic,
    /// Lanczos by two sines.
    Lanczos,
    /// One polynomial for each tap and segment of α.
    Segments,
    /// From a look-up table that the texture unit interpolates.
    LookUpTable,
    /// By w(d) itself, or by the tables of the host.
    Curve,
}

/// A CUDA kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DeviceKernel {
    /// Its family.
    pub kind: DeviceKernelKind,
    /// Its weights.
    pub weights: DeviceWeights,
}

/// The CUDA kernel for `request` on a device with the limits of an H200; `None` if no kernel serves it. A build without the
/// feature `cuda` knows it for the path `filtered` and for antialiased views without rotation, where it follows from the request alone.
pub fn device_kernel(page: &Page, request: &RenderRequest) -> Option<DeviceKernel> {
    cuda::device_kernel(page, request)
}
