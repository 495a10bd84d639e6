//! The hint over the first panel of the first view.

use std::sync::Arc;

use egui::emath::GuiRounding as _;
use egui::{
    Align, Align2, Button, Color32, FontId, Galley, Rect, RichText, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo,
    pos2, vec2,
};

use crate::app::commands::{Command, Keymap};
use crate::app::session::Session;
use crate::app::session::opening::HintAction;
use crate::app::widgets::theme::{HIT_SIZE, Palette, RADIUS, SPACE};

/// Text sizes of what is seen and of what to do, in points.
const SEEN: f32 = 13.0;
const ACTION: f32 = 12.0;
/// Width of the button, in points.
const BUTTON_WIDTH: f32 = 96.0;

/// Draws the hint at the lower edge of `picture`, until the first view was left and while no dialog is open. Returns the command of its button.
pub(in crate::app) fn show(ui: &mut Ui, session: &Session, picture: Rect) -> Option<Command> {
    let hint = session.hint().filter(|_| ui.memory(|memory| memory.top_modal_layer().is_none()))?;
    let palette = Palette::of_ui(ui);
    let margin = vec2(3.0 * SPACE, 2.0 * SPACE);
    let room = picture.shrink(2.0 * SPACE);
    // A button is behind the text.
    let behind = match hint.action {
        HintAction::Words(_) => 0.0,
        HintAction::Times(_) => 3.0 * SPACE + BUTTON_WIDTH,
    };
    let galley = |text: &str, size: f32, colour: Color32| {
        let width = room.width() - 2.0 * margin.x - behind;
        let mut job = egui::text::LayoutJob::simple(text.to_owned(), FontId::proportional(size), colour, width);
        job.halign = Align::Center;
        ui.fonts_mut(|fonts| fonts.layout_job(job))
    };
    // Each line is in one row, in the longest words that fit.
    let in_row = |texts: [&str; 2], size: f32, colour: Color32| {
        texts.map(|text| galley(text, size, colour)).into_iter().find(|galley| galley.rows.len() == 1)
    };
    let seen = in_row(hint.seen.each_ref().map(String::as_str), SEEN, palette.text)?;
    let (action, times) = match hint.action {
        HintAction::Words(texts) => (in_row(texts, ACTION, palette.weak), None),
        HintAction::Times(times) => (None, Some(times)),
    };
    let texts: Vec<Arc<Galley>> = std::iter::once(seen).chain(action).collect();
    let width = texts.iter().map(|galley| galley.size().x).fold(0.0, f32::max);
    let height: f32 = texts.iter().map(|galley| galley.size().y).sum::<f32>() + SPACE * (texts.len() - 1) as f32;
    let size = vec2(width + behind, if times.is_some() { height.max(HIT_SIZE) } else { height }) + 2.0 * margin;
    if size.x > room.width() || size.y > room.height() / 2.0 {
        return None;
    }
    let plate = Rect::from_min_size(pos2(room.center().x - size.x / 2.0, room.bottom() - size.y), size);
    let response = ui.interact(plate, ui.scope_id().with("hint"), Sense::hover());
    let label = match hint.action {
        HintAction::Words([action, _]) => format!("{}. {action}", hint.seen[0]),
        HintAction::Times(_) => hint.seen[0].clone(),
    };
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &label));
    let painter = ui.painter().with_clip_rect(picture);
    let plate = plate.round_to_pixels(ui.pixels_per_point());
    painter.rect(plate, RADIUS, palette.surface, Stroke::new(1.0, palette.line), StrokeKind::Inside);
    let middle = plate.left() + margin.x + 0.5 * width;
    // A button has its text a pixel below the middle; both texts stand on one line.
    let ppp = ui.pixels_per_point();
    let mut top = (((plate.center().y - 0.5 * height) * ppp).ceil() + 1.0) / ppp;
    for galley in texts {
        let height = galley.size().y;
        painter.galley(pos2(middle, top), galley, palette.text);
        top += height + SPACE;
    }
    let times = times?;
    let command = Command::Times(times);
    let button = vec2(BUTTON_WIDTH, HIT_SIZE);
    let place = Align2::RIGHT_CENTER.align_size_within_rect(button, plate.shrink2(margin));
    let text = RichText::new(format!("Zoom to {times}×")).color(palette.ground);
    let button = Button::new(text).fill(palette.accent);
    let clicked = ui.put(place, button).on_hover_text(Keymap::in_force(ui).tooltip(command)).clicked();
    clicked.then_some(command)
}
