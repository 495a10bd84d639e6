//! The laboratory: tools that explain interpolation by numbers. The window and the command line show the same values.

pub mod cubics;
pub mod designer;
pub mod field;
pub mod footprint;
pub mod identify;
pub mod one_dimension;
pub mod pairs;
pub mod rotations;
pub mod texture_error;
