//! Icons of the interface, from the Material Symbols font, and their buttons.

use egui::{Align2, Button, Color32, FontId, Pos2, Response, RichText, Role, Stroke, Ui, Vec2, WidgetInfo};
use egui_material_icons::{MaterialIcon, icons};

use super::theme::{HIT_SIZE, Palette, text_size};

/// An icon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum Symbol {
    /// Theme.
    Theme,
    /// Side bar.
    SideBar,
    /// Help.
    Help,
    /// Previous.
    Previous,
    /// Next.
    Next,
    /// Less.
    Minus,
    /// More, to add.
    Plus,
    /// To remove, to close.
    Close,
    /// An open section, a menu.
    Down,
    /// A folded section.
    Right,
    /// A menu of other actions.
    More,
    /// Values written into pixels.
    Values,
    /// Pixel grid.
    Grid,
    /// Ghosts outside of the picture.
    Ghosts,
    /// Clipped values.
    Clipping,
    /// Histogram.
    Histogram,
    /// Line profile.
    Profile,
}

impl Symbol {
    const fn icon(self) -> MaterialIcon {
        match self {
            Self::Theme => icons::ICON_CONTRAST,
            Self::SideBar => icons::ICON_DOCK_TO_LEFT,
            Self::Help => icons::ICON_HELP,
            Self::Previous => icons::ICON_CHEVRON_LEFT,
            Self::Next => icons::ICON_CHEVRON_RIGHT,
            Self::Minus => icons::ICON_REMOVE,
            Self::Plus => icons::ICON_ADD,
            Self::Close => icons::ICON_CLOSE,
            Self::Down => icons::ICON_KEYBOARD_ARROW_DOWN,
            Self::Right => icons::ICON_KEYBOARD_ARROW_RIGHT,
            Self::More => icons::ICON_MORE_HORIZ,
            Self::Values => icons::ICON_123,
            Self::Grid => icons::ICON_GRID_ON,
            Self::Ghosts => icons::ICON_FLIP,
            Self::Clipping => icons::ICON_WARNING,
            Self::Histogram => icons::ICON_EQUALIZER,
            Self::Profile => icons::ICON_SHOW_CHART,
        }
    }

    /// Paints the icon around `center`.
    pub(in crate::app) fn paint(self, ui: &Ui, center: Pos2, color: Color32) {
        let icon = self.icon();
        let font = FontId::new(text_size::ICON, icon.font_family());
        ui.painter().text(center, Align2::CENTER_CENTER, icon.codepoint, font, color);
    }

    /// The icon as text.
    pub(in crate::app) fn text(self) -> RichText {
        self.icon().rich_text().size(text_size::ICON)
    }
}

/// What an icon's button is called and does.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct SymbolButton<'a> {
    /// The icon.
    pub(in crate::app) symbol: Symbol,
    /// Name for assistive technology.
    pub(in crate::app) name: &'a str,
    /// Tooltip.
    pub(in crate::app) tip: &'a str,
}

impl SymbolButton<'_> {
    /// Draws the button. It has no frame unless hovered or `is_chosen`.
    pub(in crate::app) fn show(self, ui: &mut Ui, is_chosen: bool) -> Response {
        let fill = if is_chosen { Palette::of_ui(ui).control } else { Color32::TRANSPARENT };
        let button = Button::new(self.symbol.text()).fill(fill).stroke(Stroke::NONE).min_size(Vec2::splat(HIT_SIZE));
        let response = ui.add(button).on_hover_text(self.tip);
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_chosen, self.name));
        response
    }
}
