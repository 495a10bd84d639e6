//! The conformance suite: every backend against the double-precision reference, the reference and the backends against
//! oracles that are not ours, and properties that need no oracle.

#[macro_use]
#[path = "../kernels/mod.rs"]
mod kernels;

mod alpha;
mod antialias;
mod antiringing;
mod cases;
mod cpu;
#[cfg(feature = "cuda")]
mod cuda;
mod filters;
mod fixed_point;
mod instructions;
mod properties;
mod resize;
mod scipy;
#[cfg(feature = "cuda")]
#[path = "../skip/mod.rs"]
mod skip;
mod slices;
mod warps;
