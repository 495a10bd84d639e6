//! The binary interface of the kernels: argument structs, and the values that both sides number.

pub(crate) mod arguments;
pub(crate) mod grid_arguments;
#[cfg(test)]
mod header;
pub(crate) mod kernel_struct;
pub(crate) mod output;
pub(crate) mod sample_kind;
pub(crate) mod slice_arguments;
pub(crate) mod warp_arguments;
