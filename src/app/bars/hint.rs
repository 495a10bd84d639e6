//! The hint above the panels: what they show, what to do, and a button.

use egui::{Align, Button, Layout, Margin, RichText, Role, Ui, Vec2, WidgetInfo, vec2};

use crate::app::commands::{Command, Keymap, LessonCommand};
use crate::app::session::hint::{Hint, HintAction};
use crate::app::widgets::line_text::LineText;
use crate::app::widgets::theme::{HIT_SIZE, Palette, SPACE, text_size};

/// Height, in points.
pub(in crate::app) const HEIGHT: f32 = 36.0;
/// Margins, in points: the text begins where the header's dot does, and ends over the header's menu.
pub(in crate::app) const MARGIN: Margin = Margin { left: 12, right: 4, top: 0, bottom: 0 };
/// Least size of the panels with the hint, in points: smaller ones have no hint.
const LEAST: [f32; 2] = [560.0, 520.0];
/// Distance between the texts, and from the button, in points.
const GAP: f32 = 4.0 * SPACE;
/// Padding of the button, in points.
const PADDING: f32 = 2.0 * SPACE;

/// What was clicked.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) enum Clicked {
    /// The button of the hint.
    Action(Command),
    /// The button that hides hints.
    Close,
}

/// Whether panels of this size, in points, have room for a hint.
pub(in crate::app) fn has_room(size: Vec2) -> bool {
    size.x >= LEAST[0] && size.y >= LEAST[1]
}

/// Draws `hint` with as many of its words as have room.
pub(in crate::app) fn show(ui: &mut Ui, hint: &Hint) -> Option<Clicked> {
    let palette = Palette::of_ui(ui);
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = SPACE;
        let is_closed = hide(ui);
        let command = action(ui, hint.action, (HIT_SIZE, text_size::BODY));
        ui.add_space(GAP);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = GAP;
            let fits = |text: &&String, room: f32| headline(text).width(ui.painter()) <= room;
            let how = LineText::regular(hint.how, text_size::BODY);
            let (room, room_beside) = (ui.available_width(), ui.available_width() - GAP - how.width(ui.painter()));
            let mut texts = hint.texts.iter().filter(|text| !text.is_empty());
            let text = texts.clone().find(|text| fits(text, room_beside));
            if let Some(text) = text.or_else(|| texts.find(|text| fits(text, room))) {
                headline(text).label(ui, palette.text);
            }
            if how.width(ui.painter()) <= ui.available_width() {
                how.label(ui, palette.weak);
            }
        });
        if is_closed { Some(Clicked::Close) } else { command.map(Clicked::Action) }
    })
    .inner
}

/// The text of a hint, as large as the names of panels.
fn headline(text: &str) -> LineText<'_> {
    LineText::medium(text)
}

/// Draws the button that hides hints. Returns whether it is clicked. It is a word, since the cross of a comparison's header is below it.
fn hide(ui: &mut Ui) -> bool {
    let text = RichText::new("Hide hint").size(text_size::BODY).color(Palette::of_ui(ui).weak);
    ui.spacing_mut().button_padding = vec2(PADDING, 0.0);
    let button = Button::new(text).frame_when_inactive(false).min_size(vec2(0.0, HIT_SIZE));
    let response = ui.add(button);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Hide the hint"));
    response.on_hover_text("Hides this line until View · Hint line shows it again").clicked()
}

/// Draws the button of a hint, `height` points high with a text of `size` points. Returns the command that it stands for if it is clicked.
pub(super) fn action(ui: &mut Ui, action: HintAction, (height, size): (f32, f32)) -> Option<Command> {
    let keys = Keymap::in_force(ui);
    let (command, name) = match action {
        HintAction::Lessons => (Command::Lesson(LessonCommand::Lessons), "Lessons"),
        HintAction::Detail => (Command::ShowDetail, "Zoom to detail"),
    };
    ui.scope(|ui| {
        ui.spacing_mut().interact_size.y = height;
        ui.spacing_mut().button_padding = vec2(PADDING, 0.0);
        let response = ui.add(Button::new(RichText::new(name).size(size)).min_size(vec2(0.0, height)));
        response.on_hover_text(keys.tooltip(command)).clicked().then_some(command)
    })
    .inner
}
