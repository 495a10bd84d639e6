//! The conformance suite: every backend against the double-precision reference, the reference and the backends against
//! oracles that are not ours, and properties that need no oracle.

mod alpha;
mod antialias;
mod cases;
mod cpu;
mod cuda;
mod filters;
mod properties;
mod scipy;
#[path = "../skip/mod.rs"]
mod skip;
