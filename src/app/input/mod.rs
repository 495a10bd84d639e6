//! Pointer, wheel, touch and keys, turned into gestures.

pub(in crate::app) mod fling;
pub(in crate::app) mod key_tap;
pub(in crate::app) mod pointer;
