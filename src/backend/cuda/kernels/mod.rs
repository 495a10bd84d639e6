//! Kernel modules: loading, launching, prewarming.

pub(in crate::backend::cuda) mod modules;
pub(in crate::backend::cuda) mod prewarm;
