//! Bars around the panels: toolbar, status line, side bar.

pub(in crate::app) mod hint;
pub(in crate::app) mod image_list;
pub(in crate::app) mod menus;
pub(in crate::app) mod panel_values;
pub(in crate::app) mod side_bar;
pub(in crate::app) mod status;
pub(in crate::app) mod toolbar;
