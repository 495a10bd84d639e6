//! Sections that fold, and what is folded remains so.

use egui::collapsing_header::CollapsingState;
use egui::{Align2, FontId, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::MARGIN;
use crate::app::files::{SideBar, SideSection};
use crate::app::widgets::line_text::LineText;
use crate::app::widgets::symbol::Symbol;
use crate::app::widgets::theme::{Palette, SPACE, text_size};

/// Height of a section's title, in points.
const TITLE_HEIGHT: f32 = 28.0;
/// Opacity of the lines between sections: outlines of controls are stronger.
const LINE_OPACITY: f32 = 0.65;
/// Distance of the title's middle below that of its place, in points: as far from the next section's line as from its own.
const TITLE_SHIFT: f32 = 0.5 * SPACE;

/// Draws a section below a line: its title with `facts` at the right, and its contents unless it is folded.
pub(super) fn section<R>(
    ui: &mut Ui,
    side_bar: &mut SideBar,
    section: SideSection,
    facts: &str,
    contents: impl FnOnce(&mut Ui) -> R,
) -> Option<R> {
    let palette = Palette::of_ui(ui);
    let row = section.row();
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), TITLE_HEIGHT), Sense::click());
    if response.clicked() {
        side_bar.fold(section, !side_bar.is_folded(section));
    }
    let is_open = !side_bar.is_folded(section);
    let across = rect.x_range().expand(f32::from(MARGIN));
    let line = Stroke::new(1.0, palette.line.gamma_multiply(LINE_OPACITY));
    ui.painter().hline(across, rect.top(), line);
    let middle = rect.center().y + TITLE_SHIFT;
    let title_colour = if response.hovered() { palette.accent } else { palette.text };
    let symbol = if is_open { Symbol::Down } else { Symbol::Next };
    symbol.paint(ui, pos2(rect.left() + 0.5 * text_size::ICON - SPACE, middle), title_colour);
    let title = LineText::regular(row.title, text_size::BODY).within(ui.painter(), rect.width() - text_size::ICON);
    title.paint(ui.painter(), pos2(rect.left() + text_size::ICON, middle), title_colour);
    let room = rect.width() - text_size::ICON - title.width() - 2.0 * SPACE;
    let font = FontId::proportional(text_size::UNIT);
    let galley = ui.painter().layout_no_wrap(facts.to_owned(), font, palette.weak);
    if galley.size().x <= room {
        let corner = Align2::RIGHT_CENTER.anchor_size(pos2(rect.right(), middle), galley.size()).min;
        ui.painter().galley(corner, galley, palette.weak);
    }
    response.widget_info(|| WidgetInfo::selected(Role::DisclosureTriangle, true, is_open, row.title));
    response.on_hover_text(row.help);
    let mut state = CollapsingState::load_with_default_open(ui, ui.make_persistent_id(row.name), is_open);
    state.set_open(is_open);
    let shown = state.show_body_unindented(ui, |ui| {
        ui.set_width(ui.available_width());
        let shown = contents(ui);
        ui.add_space(SPACE);
        shown
    });
    // The next section draws the same line.
    ui.painter().hline(across, ui.cursor().top(), line);
    shown.map(|shown| shown.inner)
}
