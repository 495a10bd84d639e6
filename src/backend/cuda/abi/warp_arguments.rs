//! Argument structs of warps and of the warped kernels. Twin: kernels/warp_arguments.cuh, which is written from this file; see
//! [`header`](super::header).

use super::arguments::MemoryArguments;
use super::kernel_struct::kernel_struct;

/// Largest number of a lattice's displacements: dx and dy of 16 × 16 handles.
pub(crate) const MAX_SHIFTS: usize = 512;

kernel_struct! {
    /// A warp: the fields of `WarpNumbers`.
    pub(crate) struct WarpArguments {
        /// Columns and rows of the image.
        sides: [f64; 2],
        /// Middle of the picture.
        middle: [f64; 2],
        /// Lens: strength and 1/ρ². Swirl: angle in radians and 1/ρ². Perspective: the homography, row by row.
        numbers: [f64; 9],
        /// Least divisor of a perspective.
        least_divisor: f64,
        /// Largest distance of a position from the middle.
        reach: f64,
        /// WarpKind.
        kind: i32,
        /// Columns and rows of handles.
        handles: [i32; 2],
        /// Their displacements in parts of the picture, dx and dy in turn, row by row.
        shifts: [f32; MAX_SHIFTS],
    }
}

kernel_struct! {
    /// A view through a warp, one pixel a thread from memory.
    pub(crate) struct WarpedArguments {
        /// Its stretch is unused.
        memory: MemoryArguments,
        warp: WarpArguments,
        /// Antialiasing: the kernel is w(d/(s·blur)) where the local scale s, at most `largest_scale`, is above 1.
        blur: f64,
        largest_scale: f64,
        antialias: i32,
    }
}
