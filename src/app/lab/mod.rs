//! The laboratory: tools that explain methods beside the pictures, in a drawer under the panels.

mod axis_caption;
mod chart_legend;
mod chart_view;
mod designer;
mod drawer;
mod drawer_frame;
mod footprint;
mod identify;
mod one_dimension;
mod pairs;
mod plots;
mod profile;
mod quality;
mod rotations;
mod task_view;
mod texture_error;
mod tool;

pub(in crate::app) use self::drawer::{Drawer, DrawerContext};
