//! Kernels: entries, the modules that contain them, and their launches.

pub(crate) mod compiled;
pub(crate) mod entry;
pub(crate) mod grid;
pub(crate) mod launch;
pub(crate) mod modules;
pub(crate) mod prewarm;
