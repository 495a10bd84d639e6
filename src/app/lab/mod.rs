//! The laboratory: tools that explain methods beside the pictures, in a drawer under the panels.

mod chart_legend;
mod chart_view;
mod drawer;
mod footprint;
mod one_dimension;
mod plots;
mod tool;

pub(in crate::app) use self::drawer::{Drawer, DrawerContext};
