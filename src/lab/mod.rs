//! The laboratory: tools that explain interpolation by numbers. The window and the command line show the same values.

/// The plane of Mitchell and Netravali's cubics.
pub mod cubics;
/// Samples, weights and arithmetic of one output pixel.
pub mod footprint;
/// The kernel of a picture that another program resampled.
pub mod identify;
/// Samples along a line, their interpolation, and how B-splines come about.
pub mod one_dimension;
/// Pairs of kernels: made smaller by one, enlarged by another.
pub mod pairs;
/// An image turned N times by 360°/N, and the errors of methods that add up.
pub mod rotations;
