//! Inspection tools: overlays painted over pictures and measurements of their values.
//!
//! A tool changes a panel's pixels only through the panel's display mapping.

pub(in crate::app) mod cells;
pub(in crate::app) mod chart;
pub(in crate::app) mod clipping;
mod counts;
pub(in crate::app) mod difference;
pub(in crate::app) mod drags;
pub(in crate::app) mod field;
mod handles;
pub(in crate::app) mod inset;
pub(in crate::app) mod kernel_curves;
pub(in crate::app) mod kernel_picture;
mod loupe;
pub(in crate::app) mod minimap;
pub(in crate::app) mod normalize;
mod outside;
pub(in crate::app) mod overlays;
mod panel_thread;
mod panel_transform;
mod patch;
mod pins;
mod polygon;
pub(in crate::app) mod profile;
pub(in crate::app) mod quality;
pub(in crate::app) mod turn_drag;

pub(in crate::app) use self::overlays::Overlays;
pub(in crate::app) use self::panel_transform::PanelTransform;
