//! Pointer, wheel, touch and the space bar: from events to gestures.

pub(in crate::app) mod fling;
pub(in crate::app) mod key_tap;
pub(in crate::app) mod pointer;
