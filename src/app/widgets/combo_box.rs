//! Combo boxes with the caret of the other menus.

use egui::{AsIdSalt, ComboBox};

use super::symbol::Symbol;

/// A combo box that is identified by `id_salt` among its siblings.
pub(in crate::app) fn combo_box(id_salt: impl AsIdSalt) -> ComboBox<'static> {
    ComboBox::from_id_salt(id_salt).icon(|ui, rect, visuals, _| {
        Symbol::Down.paint(ui, rect.center(), visuals.fg_stroke.color);
    })
}
