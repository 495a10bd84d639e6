//! The hint over the pictures of the first view.

use std::sync::Arc;

use egui::emath::GuiRounding as _;
use egui::{
    Align2, Button, Color32, FontId, Galley, Rect, RichText, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2,
    vec2,
};

use crate::app::commands::{Command, Keymap, LessonCommand};
use crate::app::session::Session;
use crate::app::session::opening::{Hint, HintAction};
use crate::app::widgets::symbol::{Symbol, SymbolButton};
use crate::app::widgets::theme::{HIT_SIZE, Palette, RADIUS, SPACE};

/// Text sizes of what is seen and of what to do, in points.
const SEEN: f32 = 13.0;
const TO_DO: f32 = 12.0;
/// Width of the button, in points.
const BUTTON_WIDTH: f32 = 96.0;
/// Distances of the contents from the sides of the plate and from its top and bottom, in points.
const MARGIN: [f32; 2] = [3.0 * SPACE, 2.0 * SPACE];
/// Least height of the pictures below which the hint has one line, in points.
const TWO_LINES_FROM: f32 = 480.0;
/// Gap between the lines, in points.
const LINE_GAP: f32 = 0.5 * SPACE;
/// Gap between the texts and the button, in points.
const BUTTON_GAP: f32 = 4.0 * SPACE;

/// Draws the hint at the lower edge of the `pictures`, in the middle, until the first view was left or the hint closed, and while
/// no dialog is open. Returns the command of its button.
pub(in crate::app) fn show(ui: &mut Ui, session: &mut Session, pictures: Rect) -> Option<Command> {
    let hint = session.hint().filter(|_| ui.memory(|memory| memory.top_modal_layer().is_none()))?;
    let palette = Palette::of_ui(ui);
    let room = pictures.shrink(2.0 * SPACE);
    let behind = BUTTON_GAP + BUTTON_WIDTH + SPACE + SymbolButton::width(ui);
    let mut texts = texts(ui, &hint, room.width() - 2.0 * MARGIN[0] - behind)?;
    if room.height() < TWO_LINES_FROM {
        texts.truncate(1);
    }
    let width = texts.iter().map(|text| text.size().x).fold(0.0, f32::max);
    let height: f32 = texts.iter().map(|text| text.size().y).sum::<f32>() + LINE_GAP * (texts.len() - 1) as f32;
    let size = vec2(width + behind, height.max(HIT_SIZE)) + 2.0 * vec2(MARGIN[0], MARGIN[1]);
    if size.y > room.height() / 2.0 {
        return None;
    }
    let ppp = ui.pixels_per_point();
    let plate = Rect::from_min_size(pos2(room.center().x - size.x / 2.0, room.bottom() - size.y), size);
    let plate = plate.round_to_pixels(ppp);
    let response = ui.interact(plate, ui.scope_id().with("hint"), Sense::hover());
    let label = format!("{}. {}", hint.seen[0], hint.to_do[0]);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &label));
    let painter = ui.painter().with_clip_rect(pictures);
    painter.rect(plate, RADIUS, palette.surface, Stroke::new(1.0, palette.line), StrokeKind::Inside);
    let inner = plate.shrink2(vec2(MARGIN[0], MARGIN[1]));
    let mut top = ((plate.center().y - 0.5 * height) * ppp).round() / ppp;
    for text in texts {
        let height = text.size().y;
        painter.galley(pos2(inner.left(), top), text, palette.text);
        top += height + LINE_GAP;
    }
    let close = SymbolButton { symbol: Symbol::Close, name: "Close the hint", tip: "Closes the hint" };
    let square = Align2::RIGHT_CENTER.align_size_within_rect(vec2(SymbolButton::width(ui), HIT_SIZE), inner);
    let of_close = egui::UiBuilder::new().max_rect(square);
    if ui.scope_builder(of_close, |ui| close.show(ui, false).clicked()).inner {
        session.leave_first_view();
        // The status line, drawn before, has a hint of its own.
        ui.request_repaint();
    }
    let keys = Keymap::in_force(ui);
    let (command, title) = match hint.action {
        HintAction::Lessons => {
            let command = Command::Lesson(LessonCommand::Lessons);
            (command, format!("Lessons  {}", keys.key_text(command)))
        }
        HintAction::Times(times) => (Command::Times(times), format!("Zoom to {times}×")),
    };
    let of_button = inner.with_max_x(square.left() - SPACE);
    let place = Align2::RIGHT_CENTER.align_size_within_rect(vec2(BUTTON_WIDTH, HIT_SIZE), of_button);
    let button = Button::new(RichText::new(title).color(palette.ground)).fill(palette.accent);
    let clicked = ui.put(place, button).on_hover_text(keys.tooltip(command)).clicked();
    clicked.then_some(command)
}

/// The lines of the hint, each in one row of at most `width` points and in the longest words that fit; `None` if the first has
/// none.
fn texts(ui: &Ui, hint: &Hint, width: f32) -> Option<Vec<Arc<Galley>>> {
    let palette = Palette::of_ui(ui);
    let in_row = |texts: [&str; 2], size: f32, colour: Color32| {
        let row = |text: &str| ui.painter().layout_no_wrap(text.to_owned(), FontId::proportional(size), colour);
        texts.map(row).into_iter().find(|text| text.size().x <= width)
    };
    let seen = in_row(hint.seen.each_ref().map(String::as_str), SEEN, palette.text)?;
    Some(std::iter::once(seen).chain(in_row(hint.to_do, TO_DO, palette.weak)).collect())
}
