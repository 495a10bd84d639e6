//! Item of a menu or of a list of values: a check mark stands before the chosen one.

use egui::containers::menu::{MenuConfig, SubMenuButton};
use egui::{Atom, Atoms, Button, IntoAtoms, PopupCloseBehavior, Response, Ui, Vec2};

use super::symbol::Symbol;
use super::theme::text_size;

/// Item with `content`. The place of the check mark is kept where it is not chosen, so that the items of a menu are in line.
pub(in crate::app) fn menu_item<'a>(is_chosen: bool, content: impl IntoAtoms<'a>) -> Button<'a> {
    let mut atoms = Atoms::new(content);
    atoms.push_left(Atom::paint(Vec2::splat(text_size::ICON), move |ui, args| {
        if is_chosen {
            Symbol::Check.paint(ui, args.rect.center(), args.fallback_text_color);
        }
    }));
    Button::selectable(is_chosen, atoms)
}

/// Contents of an item that opens a submenu. They begin where those of the other items of the menu begin.
pub(in crate::app) fn submenu_item<'a>(title: impl IntoAtoms<'a>) -> Atoms<'a> {
    let mut atoms = Atoms::new(title);
    atoms.push_left(Atom::paint(Vec2::splat(text_size::ICON), |_, _| ()));
    atoms
}

/// Configuration of a menu whose contents can be clicked without closing it.
pub(in crate::app) fn open_menu() -> MenuConfig {
    MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside)
}

/// Draws a submenu whose contents can be clicked without closing it.
pub(in crate::app) fn open_submenu<'a>(
    ui: &mut Ui,
    title: impl IntoAtoms<'a>,
    content: impl FnOnce(&mut Ui),
) -> Response {
    SubMenuButton::new(submenu_item(title)).config(open_menu()).ui(ui, content).0
}

/// Draws the item of `value`, which a click makes the `chosen` one.
pub(in crate::app) fn choose<'a, T: PartialEq>(
    ui: &mut Ui,
    chosen: &mut T,
    value: T,
    content: impl IntoAtoms<'a>,
) -> Response {
    let mut response = ui.add(menu_item(*chosen == value, content));
    if response.clicked() && *chosen != value {
        *chosen = value;
        response.mark_changed();
    }
    response
}
