//! Scratch memory that is reused from frame to frame.

use std::sync::Arc;

use cudarc::driver::CudaSlice;

use super::device::Device;
use super::error::DriverError;

/// Device memory for single-precision values. It grows when more is needed and never shrinks by itself.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    memory: Option<Arc<CudaSlice<f32>>>,
}

impl Scratch {
    /// Memory for at least `len` values, whose contents are unspecified. A reallocation frees the old memory in stream
    /// order.
    ///
    /// # Errors
    /// If the device has too little memory.
    pub(crate) fn reserve(&mut self, device: &Device, len: usize) -> Result<Arc<CudaSlice<f32>>, DriverError> {
        let memory = match self.memory.take().filter(|memory| memory.len() >= len) {
            Some(memory) => memory,
            None => Arc::new(device.allocate(len)?),
        };
        Ok(Arc::clone(self.memory.insert(memory)))
    }

    /// The memory that was last reserved.
    pub(crate) fn get(&self) -> Option<&CudaSlice<f32>> {
        self.memory.as_deref()
    }

    /// The memory that was last reserved, for tests that overwrite it.
    pub(crate) fn get_mut(&mut self) -> Option<&mut Arc<CudaSlice<f32>>> {
        self.memory.as_mut()
    }

    /// Frees the memory.
    pub(crate) fn clear(&mut self) {
        self.memory = None;
    }
}
