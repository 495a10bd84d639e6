//! Pictures of panels: requests in, textures out.

pub(in crate::app) mod frame_bench;
pub(in crate::app) mod gl;
pub(in crate::app) mod hidden_window;
pub(in crate::app) mod picture;
pub(in crate::app) mod pictures;
pub(in crate::app) mod probe;
pub(in crate::app) mod texture_sharing;
pub(in crate::app) mod worker;
