//! What the overlays count, in the lower left corner of a picture.

use egui::{FontId, Id, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::super::panel_transform::PanelTransform;
use crate::app::widgets::theme::{Palette, RADIUS, SPACE, text_size};

/// One line of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Caption {
    /// The overlay.
    pub(super) title: &'static str,
    /// What it says, the longest text first.
    pub(super) texts: Vec<String>,
    /// More of it, in a tooltip.
    pub(super) help: String,
}

/// Draws the captions of one picture, the last at the bottom, each in the longest text that fits.
pub(super) fn show(ui: &Ui, transform: &PanelTransform, captions: &[Caption]) {
    let palette = Palette::of_ui(ui);
    let room = transform.rect().intersect(ui.clip_rect());
    let painter = ui.painter().with_clip_rect(room);
    let margin = vec2(1.5 * SPACE, 0.5 * SPACE);
    let mut bottom = transform.rect().bottom() - 1.5 * SPACE;
    for (line, caption) in captions.iter().enumerate().rev() {
        let long = caption.texts.iter().map(|text| format!("{}: {text}", caption.title));
        let galleys = long
            .chain(caption.texts.last().cloned())
            .map(|text| painter.layout_no_wrap(text, FontId::proportional(text_size::UNIT), palette.text));
        let most = room.width() - 2.0 * margin.x - 3.0 * SPACE;
        let Some(galley) = galleys.reduce(|kept, shorter| if kept.size().x <= most { kept } else { shorter }) else {
            continue;
        };
        let size = galley.size() + 2.0 * margin;
        let corner = pos2(transform.rect().left() + 1.5 * SPACE, bottom - size.y);
        let chip = Rect::from_min_size(corner, size);
        painter.rect_filled(chip, RADIUS, palette.surface.gamma_multiply(0.94));
        painter.galley(chip.min + margin, galley, palette.text);
        let id = Id::unique(("overlay caption", transform.panel, line));
        let response = ui.interact(chip.intersect(room), id, Sense::hover());
        let text = caption.texts.first().map_or("", String::as_str);
        let name = format!("{} of panel {}: {text}", caption.title, transform.panel + 1);
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &name));
        response.on_hover_text(&caption.help);
        bottom = chip.top() - 0.5 * SPACE;
    }
}
