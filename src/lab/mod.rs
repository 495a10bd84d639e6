//! The laboratory: tools that explain interpolation by numbers. The window and the command line show the same values.

/// Samples, weights and arithmetic of one output pixel.
pub mod footprint;
/// Samples along a line, their interpolation, and how B-splines come about.
pub mod one_dimension;
