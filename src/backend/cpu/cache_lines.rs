//! Numbers that begin at a cache line, so that no vector of them lies in two.

use bytemuck::{Pod, Zeroable};

/// Bytes of a cache line.
const BYTES: usize = 64;

#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct CacheLine([u8; BYTES]);

// SAFETY: bytes, which may be zero.
#[expect(unsafe_code, reason = "bytes of another alignment")]
unsafe impl Zeroable for CacheLine {}
// SAFETY: as many bytes as the alignment, so that there is no padding, and all values are valid.
#[expect(unsafe_code, reason = "bytes of another alignment")]
unsafe impl Pod for CacheLine {}

/// Whole cache lines of numbers.
#[derive(Debug, Default)]
pub(super) struct CacheLines(Vec<CacheLine>);

impl CacheLines {
    /// The numbers, and zeros up to the end of the last line.
    pub(super) fn of<T: Pod>(numbers: &[T]) -> Self {
        let mut lines = Self::default();
        lines.resize(size_of_val(numbers));
        bytemuck::cast_slice_mut(&mut lines.0)[..numbers.len()].copy_from_slice(numbers);
        lines
    }

    /// Changes the length to at least `bytes`.
    pub(super) fn resize(&mut self, bytes: usize) {
        self.0.resize(bytes.div_ceil(BYTES), CacheLine::zeroed());
    }

    pub(super) fn numbers<T: Pod>(&self) -> &[T] {
        bytemuck::cast_slice(&self.0)
    }

    pub(super) fn numbers_mut<T: Pod>(&mut self) -> &mut [T] {
        bytemuck::cast_slice_mut(&mut self.0)
    }

    /// Bytes of all lines.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.0[..])
    }
}
