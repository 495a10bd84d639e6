//! The binary interface of the kernels: argument structs, their layouts, and the values that both sides number.

pub(crate) mod arguments;
pub(crate) mod layouts;
pub(crate) mod output;
pub(crate) mod sample_kind;
