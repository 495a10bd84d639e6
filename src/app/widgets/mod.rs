//! General widgets, and the theme.

pub(in crate::app) mod caret;
pub(in crate::app) mod combo_box;
pub(in crate::app) mod fade;
pub(in crate::app) mod fit;
pub(in crate::app) mod focus_ring;
pub(in crate::app) mod icon;
pub(in crate::app) mod key_cap;
pub(in crate::app) mod limits;
pub(in crate::app) mod line_text;
pub(in crate::app) mod main_button;
pub(in crate::app) mod menu_item;
pub(in crate::app) mod number;
pub(in crate::app) mod panel_mark;
pub(in crate::app) mod pixel_rect;
mod refusal;
pub(in crate::app) mod row;
pub(in crate::app) mod stepper;
pub(in crate::app) mod symbol;
pub(in crate::app) mod tab;
pub(in crate::app) mod theme;
pub(in crate::app) mod toggle;
