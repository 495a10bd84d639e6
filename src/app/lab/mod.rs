//! The laboratory: tools that explain methods beside the pictures.

mod plot_drawer;
mod plot_legend;
mod plot_marks;
mod plot_worker;

pub(in crate::app) use self::plot_drawer::{DrawerContext, PlotDrawer};
