//! The hint of the first view, in the toolbar.

use egui::text::{LayoutJob, TextFormat};
use egui::{Align2, Button, FontId, Rect, Role, Sense, Stroke, Ui, UiBuilder, WidgetInfo, pos2, vec2};

use crate::app::commands::{Command, Keymap, LessonCommand};
use crate::app::session::opening::{Hint, HintAction};
use crate::app::widgets::symbol::{Symbol, SymbolButton};
use crate::app::widgets::theme::{HIT_SIZE, Palette, RADIUS, SPACE, text_size};

/// Distance of the text from the end of its plate, in points.
const MARGIN: f32 = 3.0 * SPACE;
/// Distance of the plate from what stands beside it, in points.
const APART: f32 = 2.0 * SPACE;
/// Height of the plate, in points: the button stands apart from its edges.
const HEIGHT: f32 = HIT_SIZE + SPACE;
/// Gap between the text and the button, in points.
const BUTTON_GAP: f32 = 3.0 * SPACE;
/// Padding of the button, in points.
const PADDING: f32 = 2.0 * SPACE;

/// What was clicked.
#[derive(Clone, Copy, Debug)]
pub(super) enum Clicked {
    /// The button of the hint.
    Action(Command),
    /// The cross.
    Close,
}

/// Draws `hint` at the right end of the rest of the toolbar, whatever the length of the image's name, with the longest of its texts that
/// fits, or not at all.
pub(super) fn show(ui: &mut Ui, hint: &Hint) -> Option<Clicked> {
    let palette = Palette::of_ui(ui);
    let keys = Keymap::in_force(ui);
    let (command, name) = match hint.action {
        HintAction::Lessons => (Command::Lesson(LessonCommand::Lessons), "Lessons"),
        HintAction::Detail => (Command::ShowDetail, "Zoom to detail"),
    };
    // The key of a command with a short name.
    let key = if hint.action == HintAction::Lessons { keys.key_text(command) } else { String::new() };
    let font = FontId::proportional(text_size::BODY);
    let mut title = LayoutJob::default();
    title.append(name, 0.0, TextFormat::simple(font.clone(), palette.accent));
    if !key.is_empty() {
        title.append(&format!("  {key}"), 0.0, TextFormat::simple(font.clone(), palette.weak));
    }
    let layout = |text: &str, color| ui.painter().layout_no_wrap(text.to_owned(), font.clone(), color);
    let button = ui.painter().layout_job(title.clone()).size().x + 2.0 * PADDING;
    let behind = BUTTON_GAP + button + SPACE + SymbolButton::width(ui);
    let room = Rect::from_x_y_ranges(ui.cursor().left()..=ui.max_rect().right(), ui.max_rect().y_range());
    let room = room.shrink2(vec2(APART, 0.0));
    let fits = |text: &std::sync::Arc<egui::Galley>| MARGIN + text.size().x + behind <= room.width();
    let text = hint.texts.iter().map(|text| layout(text, palette.text)).find(fits)?;
    let size = vec2(MARGIN + text.size().x + behind, HEIGHT);
    let plate = Align2::RIGHT_CENTER.align_size_within_rect(size, room);
    let response = ui.interact(plate, ui.scope_id().with("hint"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &hint.texts[0]));
    ui.painter().rect_filled(plate, RADIUS, palette.chosen());
    let top = plate.center().y - text.size().y / 2.0;
    ui.painter().galley(pos2(plate.left() + MARGIN, top), text, palette.text);
    let cross = Align2::RIGHT_CENTER.align_size_within_rect(vec2(SymbolButton::width(ui), HIT_SIZE), plate);
    let close = SymbolButton { symbol: Symbol::Close, name: "Close the hint", tip: "Closes the hint" };
    let is_closed = ui.scope_builder(UiBuilder::new().max_rect(cross), |ui| close.show(ui, false).clicked()).inner;
    let place =
        Align2::RIGHT_CENTER.align_size_within_rect(vec2(button, HIT_SIZE), plate.with_max_x(cross.left() - SPACE));
    let of_button = UiBuilder::new().max_rect(place);
    let is_chosen = ui.scope_builder(of_button, |ui| {
        // The button is not higher than its place.
        ui.spacing_mut().interact_size.y = HIT_SIZE;
        ui.spacing_mut().button_padding = vec2(PADDING, 0.0);
        // Outlined: what is seen in the panels comes first.
        let button = Button::new(title).fill(palette.surface);
        ui.add(button.stroke(Stroke::new(1.0, palette.accent)).min_size(place.size()))
    });
    let is_chosen = is_chosen.inner.on_hover_text(keys.tooltip(command)).clicked();
    if is_closed { Some(Clicked::Close) } else { is_chosen.then_some(Clicked::Action(command)) }
}
