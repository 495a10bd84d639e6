//! Rendering of panels: from requests to textures.

pub(in crate::app) mod difference;
pub(in crate::app) mod difference_counts;
pub(in crate::app) mod frame_bench;
pub(in crate::app) mod gl;
pub(in crate::app) mod hidden_window;
pub(super) mod page_request;
pub(in crate::app) mod picture;
pub(in crate::app) mod pictures;
pub(in crate::app) mod probe;
pub(in crate::app) mod task;
pub(in crate::app) mod texture_sharing;
pub(in crate::app) mod thumbnails;
pub(in crate::app) mod worker;
