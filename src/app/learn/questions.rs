//! Questions: choices with their reasons, and answers that are revealed.

use std::collections::BTreeSet;

use egui::{Button, Color32, CursorIcon, Rect, RichText, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2};

use super::column::scroll_to_revealed;
use super::play::{AnswerTexts, ChoiceTexts, Play, Revealed};
use super::text::{LaidText, TextLook};
use crate::app::files::{LessonMarks, StepPart};
use crate::app::widgets::theme::{CONTROL_HEIGHT, Palette, RADIUS, SPACE};
use crate::lesson::markdown::Block;

/// Padding of a choice, in points.
const PADDING: f32 = 2.5 * SPACE;

/// Draws the questions of the step. Returns those that were answered in this frame.
pub(super) fn show(ui: &mut Ui, play: &mut Play, marks: Option<&LessonMarks>) -> Vec<StepPart> {
    let step = play.step();
    let mut answered = Vec::new();
    for (index, question) in play.texts.questions.iter().enumerate() {
        let part = (step, index);
        let is_answered = marks.is_some_and(|marks| marks.answered.contains(&part));
        let width = ui.available_width();
        LaidText::new(ui, &question.text, width, TextLook::body(&Palette::of_ui(ui))).show(ui);
        ui.add_space(SPACE);
        let is_new = ui
            .push_id(("question", index), |ui| match &question.answer {
                AnswerTexts::Choices(choices) => {
                    let clicked = play.clicked.entry(part).or_default();
                    choose(ui, (part, choices), (clicked, &mut play.revealed), is_answered)
                }
                AnswerTexts::Open(answer) => reveal(ui, (part, answer), &mut play.revealed, is_answered),
            })
            .inner;
        if is_new && !is_answered {
            answered.push(part);
        }
        ui.add_space(3.0 * SPACE);
    }
    answered
}

/// Draws an open question's answer, or the button that reveals it. Returns whether it was clicked.
fn reveal(
    ui: &mut Ui,
    (part, answer): (StepPart, &[Block]),
    revealed: &mut Option<Revealed>,
    is_answered: bool,
) -> bool {
    if is_answered {
        let width = ui.available_width();
        let shown = LaidText::new(ui, answer, width, TextLook::small(&Palette::of_ui(ui))).show(ui);
        if *revealed == Some(Revealed::Answer(part)) {
            scroll_to_revealed(ui, &shown, revealed);
        }
        return false;
    }
    let button = Button::new(RichText::new("Show the answer")).min_size(vec2(0.0, CONTROL_HEIGHT));
    let is_clicked = ui.add(button).on_hover_text("Think first, then compare").clicked();
    if is_clicked {
        *revealed = Some(Revealed::Answer(part));
    }
    is_clicked
}

/// Draws the choices, with the reasons of those that were `clicked`. Returns whether a right one was clicked in this frame.
fn choose(
    ui: &mut Ui,
    (part, choices): (StepPart, &[ChoiceTexts]),
    (clicked, revealed): (&mut BTreeSet<usize>, &mut Option<Revealed>),
    is_answered: bool,
) -> bool {
    let palette = Palette::of_ui(ui);
    let mut is_right = false;
    for (index, texts) in choices.iter().enumerate() {
        // A question that was answered at an earlier time shows its right choices.
        let is_shown = clicked.contains(&index) || (is_answered && texts.is_right);
        let colour = if texts.is_right { palette.panel(Palette::GREEN).color } else { palette.error };
        if choice(ui, texts, is_shown.then_some(colour)) {
            clicked.insert(index);
            *revealed = Some(Revealed::Reason(part, index));
            is_right |= texts.is_right;
        }
        if is_shown {
            let width = ui.available_width() - 2.0 * PADDING;
            let verdict = if texts.is_right { "Right" } else { "Not quite" };
            ui.horizontal(|ui| {
                ui.add_space(PADDING);
                ui.vertical(|ui| {
                    ui.spacing_mut().item_spacing.y = 0.0;
                    ui.colored_label(colour, verdict);
                    let shown = LaidText::new(ui, &texts.reason, width, TextLook::small(&palette)).show(ui);
                    if *revealed == Some(Revealed::Reason(part, index)) {
                        scroll_to_revealed(ui, &shown, revealed);
                    }
                });
            });
            ui.add_space(SPACE);
        }
        ui.add_space(SPACE);
    }
    is_right
}

/// Draws a choice, with an outline in `verdict` once it was clicked. Returns whether it is clicked.
fn choice(ui: &mut Ui, texts: &ChoiceTexts, verdict: Option<Color32>) -> bool {
    let palette = Palette::of_ui(ui);
    let width = ui.available_width();
    let text = LaidText::new(ui, &texts.text, width - 2.0 * PADDING, TextLook::small(&palette));
    let size = vec2(width, (text.size().y + 2.0 * (PADDING - SPACE)).max(CONTROL_HEIGHT));
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    if ui.is_rect_visible(rect) {
        let fill = if response.hovered() { palette.hovered } else { Color32::TRANSPARENT };
        let stroke = Stroke::new(1.0, verdict.unwrap_or(palette.line));
        ui.painter().rect(rect, RADIUS, fill, stroke, StrokeKind::Inside);
        let at = Rect::from_center_size(rect.center(), text.size()).left_top();
        text.paint(ui, ui.painter(), egui::pos2(rect.left() + PADDING, at.y));
    }
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, verdict.is_some(), text.plain()));
    response.on_hover_cursor(CursorIcon::PointingHand).clicked()
}
