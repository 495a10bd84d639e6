//! Pinned host memory that pictures are copied to on their way to the host.

use cudarc::driver::PinnedHostSlice;

use super::device::Device;
use super::error::{Context as _, DriverError};

/// Pinned bytes, all set. Freed when dropped.
#[derive(Debug)]
pub(crate) struct Staging(PinnedHostSlice<u8>);

impl Staging {
    /// `len` zeros; memory that the device copies to by itself, and that is cached, so that reading it is quick.
    ///
    /// # Errors
    /// Where the host has no such memory.
    pub(crate) fn new(device: &Device, len: usize) -> Result<Self, DriverError> {
        #[expect(unsafe_code, reason = "pinned memory comes unset")]
        // SAFETY: every byte is set below before the memory is a slice. `as_mut_ptr` gives the start of `len` bytes that this
        // value alone owns.
        let memory = unsafe {
            let mut memory = device.context.alloc_pinned_with_flags::<u8>(len, 0).context("no pinned memory")?;
            memory.as_mut_ptr().context("pinned memory is lost")?.write_bytes(0, len);
            memory
        };
        Ok(Self(memory))
    }

    /// `kept`, or new memory in its place where it is none or too small.
    ///
    /// # Errors
    /// As [`Staging::new`].
    pub(crate) fn of_at_least<'a>(
        device: &Device,
        kept: &'a mut Option<Self>,
        len: usize,
    ) -> Result<&'a mut Self, DriverError> {
        let memory = match kept.take().filter(|memory| memory.0.len() >= len) {
            Some(memory) => memory,
            None => Self::new(device, len)?,
        };
        Ok(kept.insert(memory))
    }

    /// Its bytes.
    pub(crate) fn bytes(&mut self) -> Result<&mut [u8], DriverError> {
        self.0.as_mut_slice().context("pinned memory is lost")
    }
}
