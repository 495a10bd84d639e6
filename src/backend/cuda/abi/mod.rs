//! The kernels' argument structures and names.

pub(in crate::backend::cuda) mod arguments;
