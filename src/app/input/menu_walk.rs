//! Walking an open menu by the arrow keys.

use egui::{FocusDirection, Id, Key, LayerId, Modifiers, Order, Popup, Rect, Ui};

/// The menus of the menu bar as they were drawn.
#[derive(Clone, Debug, Default)]
pub(in crate::app) struct BarMenus {
    /// The popups, from left to right.
    pub(in crate::app) popups: Vec<Id>,
    /// Whether the focused item opens a submenu.
    pub(in crate::app) is_on_submenu: bool,
    /// Whether a submenu is open.
    pub(in crate::app) has_submenu: bool,
}

impl BarMenus {
    fn id() -> Id {
        Id::unique("menus of the bar")
    }

    /// Keeps them for the keys of the next frame.
    pub(in crate::app) fn keep(self, ui: &Ui) {
        ui.data_mut(|data| data.insert_temp(Self::id(), self));
    }

    /// Opens the menu at the right of the open one, or at its left, from the last one to the first and back. Does nothing where an
    /// arrow key opens or closes a submenu. Returns whether a menu opened.
    fn walk(ui: &Ui, step: i64) -> bool {
        let Some(menus) = ui.data(|data| data.get_temp::<Self>(Self::id())) else { return false };
        let is_of_submenu = if step > 0 { menus.is_on_submenu } else { menus.has_submenu };
        let open = menus.popups.iter().position(|popup| Popup::is_id_open(ui, *popup));
        let Some(open) = open.filter(|_| step != 0 && !is_of_submenu && menus.popups.len() > 1) else { return false };
        let next = (open as i64 + step).rem_euclid(menus.popups.len() as i64) as usize;
        Popup::open_id(ui, menus.popups[next]);
        ui.memory_mut(|memory| {
            if let Some(focused) = memory.focused() {
                memory.surrender_focus(focused);
            }
            memory.move_focus(FocusDirection::None);
        });
        true
    }
}

/// Moves the keyboard's focus to the next or the previous item of the topmost open menu, from the last one to the first and
/// back; the left and right arrow keys open the next menu of the menu bar. While a number is typed in a menu its field has the keys.
/// Enter then clicks the item, as it does any control.
pub(in crate::app) fn walk(ui: &Ui, behind: LayerId) {
    if ui.text_edit_focused() {
        return;
    }
    let presses = |key: Key| ui.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key)) as i64;
    if BarMenus::walk(ui, presses(Key::ArrowRight) - presses(Key::ArrowLeft)) {
        return;
    }
    let step = presses(Key::ArrowDown) - presses(Key::ArrowUp);
    let items = items(ui, behind);
    if step == 0 || items.is_empty() {
        return;
    }
    let focused = ui.memory(|memory| memory.focused());
    let place = focused.and_then(|focused| items.iter().position(|item| *item == focused));
    let before = place.map_or(if step > 0 { -1 } else { 0 }, |place| place as i64);
    let next = items[(before + step).rem_euclid(items.len() as i64) as usize];
    ui.memory_mut(|memory| {
        memory.request_focus(next);
        // The toolkit would move it once more, also to what is behind the menu.
        memory.move_focus(FocusDirection::None);
    });
}

/// The enabled items of the topmost menu, from top to bottom. The layer `behind` is none.
fn items(ui: &Ui, behind: LayerId) -> Vec<Id> {
    let top = ui.memory(|memory| memory.areas().top_layer_id(Order::Foreground));
    let Some(layer) = top.filter(|layer| *layer != behind) else { return Vec::new() };
    let mut items: Vec<(Id, Rect)> = ui.viewport(|viewport| {
        let widgets = viewport.prev_pass.widgets.get_layer(layer);
        let items = widgets.filter(|widget| widget.enabled && widget.sense.is_focusable());
        items.map(|widget| (widget.id, widget.rect)).collect()
    });
    items.sort_by(|(_, a), (_, b)| a.top().total_cmp(&b.top()).then(a.left().total_cmp(&b.left())));
    items.into_iter().map(|(id, _)| id).collect()
}
