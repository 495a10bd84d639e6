//! Tasks: boxes with an orange edge, which turns green when the task is done.

use egui::{Button, Color32, RichText, Role, Sense, Stroke, Ui, UiBuilder, WidgetInfo, vec2};

use super::column::scroll_to_revealed;
use super::play::{Play, Revealed};
use super::text::{LaidText, TextLook};
use crate::app::files::LessonMarks;
use crate::app::widgets::line_text::LineText;
use crate::app::widgets::symbol::Symbol;
use crate::app::widgets::theme::{HIT_SIZE, Palette, RADIUS, SPACE, text_size};

/// Width of the edge, in points.
const EDGE: f32 = 3.0;
/// Padding, in points.
const PADDING: f32 = 2.5 * SPACE;

/// Draws the tasks of the step.
pub(super) fn show(ui: &mut Ui, play: &mut Play, marks: Option<&LessonMarks>) {
    let step = play.step();
    for index in 0..play.texts.tasks.len() {
        let is_done = marks.is_some_and(|marks| marks.done.contains(&(step, index)));
        task(ui, play, index, is_done);
        ui.add_space(3.0 * SPACE);
    }
}

fn task(ui: &mut Ui, play: &mut Play, index: usize, is_done: bool) {
    let (palette, part) = (Palette::of_ui(ui), (play.step(), index));
    let texts = &play.texts.tasks[index];
    let edge = palette.panel(if is_done { Palette::GREEN } else { Palette::ORANGE }).color;
    let background = ui.painter().add(egui::Shape::Noop);
    let whole = ui.available_rect_before_wrap();
    let inside = egui::Rect::from_min_max(whole.min + vec2(EDGE + PADDING, PADDING), whole.max - vec2(PADDING, 0.0));
    let mut contents = ui.new_child(UiBuilder::new().max_rect(inside).id_salt(("task", index)));
    let ui_in = &mut contents;
    ui_in.spacing_mut().item_spacing.y = SPACE;
    let title = if is_done { "Done" } else { "Try it" };
    ui_in.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = SPACE;
        if is_done {
            let (rect, _) = ui.allocate_exact_size(vec2(text_size::ICON, text_size::ICON), Sense::hover());
            Symbol::Check.paint(ui, rect.center(), edge);
        }
        let label = LineText::medium(title).label(ui, edge);
        let name = format!("Task {}: {title}", index + 1);
        label.widget_info(|| WidgetInfo::labeled(Role::Label, true, &name));
    });
    let width = ui_in.available_width();
    LaidText::new(ui_in, &texts.text, width, TextLook::body(&palette)).show(ui_in);
    let small = TextLook::small(&palette);
    if let (true, Some(answer)) = (is_done, &texts.answer) {
        let shown = LaidText::new(ui_in, answer, width, small).show(ui_in);
        if play.revealed == Some(Revealed::Task(part)) {
            scroll_to_revealed(ui_in, &shown, &mut play.revealed);
        }
    } else if let Some(hint) = texts.hint.as_ref().filter(|_| !is_done) {
        if play.hints.contains(&part) {
            let shown = LaidText::new(ui_in, hint, width, small).show(ui_in);
            if play.revealed == Some(Revealed::Hint(part)) {
                scroll_to_revealed(ui_in, &shown, &mut play.revealed);
            }
        } else {
            let text = RichText::new("Show a hint").size(text_size::VALUE).color(palette.weak);
            if ui_in
                .add(Button::new(text).fill(Color32::TRANSPARENT).stroke(Stroke::NONE).min_size(vec2(0.0, HIT_SIZE)))
                .clicked()
            {
                play.hints.insert(part);
                play.revealed = Some(Revealed::Hint(part));
            }
        }
    }
    let used = contents.min_rect();
    let frame = whole.with_max_y(used.bottom() + PADDING);
    let ground = egui::Shape::rect_filled(frame, RADIUS, palette.control);
    let bar = egui::Shape::rect_filled(frame.with_max_x(frame.left() + EDGE), 0.0, edge);
    ui.painter().set(background, egui::Shape::Vec(vec![ground, bar]));
    ui.allocate_rect(frame, Sense::hover());
}
