//! The list of lessons: in the column, and in the side bar's tab *Learn*.

use egui::text::{LayoutJob, TextWrapping};
use egui::{
    Align, Align2, Button, Color32, CursorIcon, FontId, Label, Layout, Pos2, RichText, Role, Sense, Stroke, Ui,
    WidgetInfo, pos2, vec2,
};

use super::column::LearnRequest;
use super::shelf::{LessonId, Shelf};
use crate::app::commands::{Command, Keymap, LessonCommand};
use crate::app::files::LessonProgress;
use crate::app::widgets::line_text::LineText;
use crate::app::widgets::symbol::{Symbol, SymbolButton};
use crate::app::widgets::theme::{CONTROL_HEIGHT, HIT_SIZE, Palette, RADIUS, SPACE, text_size};
use crate::lesson::{Lesson, embedded};

/// Width of a lesson's number, in points.
const NUMBER: f32 = 24.0;
/// Width of a lesson's progress, in points.
const PROGRESS: f32 = 52.0;
/// Padding above and below a lesson, in points.
const PADDING: f32 = 1.5 * SPACE;
/// The same of a lesson in one line, in points.
const TITLE_PADDING: f32 = 0.75 * SPACE;
/// Distance of a summary from its title, in points.
const TITLE_GAP: f32 = 2.0;
/// The panel colour of a lesson that was seen whole, green.
const DONE: usize = 2;

/// How a lesson is shown in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum RowForm {
    /// By its title in one line; the summary is its tooltip.
    Title,
    /// By its title and its summary.
    Summary,
}

/// What the list shows.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct ListContext<'a> {
    /// The lessons.
    pub(in crate::app) shelf: &'a Shelf,
    /// What was seen and done.
    pub(in crate::app) progress: &'a LessonProgress,
    /// The lesson that runs.
    pub(in crate::app) current: Option<LessonId>,
}

/// Number of a lesson in the list; `None` for a lesson of the user.
pub(super) fn number(id: LessonId) -> Option<usize> {
    match id {
        LessonId::Embedded(index) => Some(index + 1),
        LessonId::Own(_) => None,
    }
}

/// Draws the list with its title. Returns what it asks for.
pub(super) fn column(ui: &mut Ui, context: ListContext<'_>) -> Vec<LearnRequest> {
    let palette = Palette::of_ui(ui);
    let mut asked = Vec::new();
    ui.horizontal(|ui| {
        ui.set_height(HIT_SIZE);
        let title = ui.label(RichText::new("Lessons").size(text_size::TITLE).color(palette.text));
        title.widget_info(|| WidgetInfo::labeled(Role::Heading, true, "Lessons"));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let tip = Keymap::in_force(ui).tooltip(Command::Lesson(LessonCommand::Lessons));
            let close = SymbolButton { symbol: Symbol::Close, name: "Close lessons", tip: &tip };
            if close.show(ui, false).clicked() {
                asked.push(LessonCommand::Lessons.into());
            }
        });
    });
    ui.add_space(2.0 * SPACE);
    let text = "Steps on live pictures. Your own panels come back at the end.";
    ui.add(Label::new(RichText::new(text).color(palette.weak)).wrap());
    ui.add_space(3.0 * SPACE);
    asked.extend(list(ui, context, RowForm::Summary));
    asked
}

/// Draws the lessons, with *Continue* and those of the user above. Returns what it asks for.
pub(in crate::app) fn list(ui: &mut Ui, context: ListContext<'_>, form: RowForm) -> Vec<LearnRequest> {
    let keys = Keymap::in_force(ui);
    let mut asked = Vec::new();
    let left = context.progress.last.as_deref().and_then(|name| context.shelf.by_name(name));
    if let Some(id) = left.filter(|id| Some(*id) != context.current)
        && let Some(lesson) = context.shelf.lesson(id)
    {
        let step = context.progress.of(&context.shelf.name(id)).map_or(0, |marks| marks.step);
        let text = format!("Continue at step {}: {}", step.min(lesson.steps.len() - 1) + 1, lesson.title);
        let palette = Palette::of_ui(ui);
        let button = Button::new(RichText::new(text).color(palette.surface)).fill(palette.accent).stroke(Stroke::NONE);
        let button = ui.add(button.truncate().min_size(vec2(ui.available_width(), CONTROL_HEIGHT + SPACE)));
        if button.on_hover_text(keys.tooltip(Command::Lesson(LessonCommand::Continue))).clicked() {
            asked.push(LessonCommand::Continue.into());
        }
        ui.add_space(2.0 * SPACE);
    }
    own_lessons(ui, (context, form), &mut asked);
    for (index, embedded) in embedded().iter().enumerate() {
        asked.extend(row(ui, (context, form), LessonId::Embedded(index), &embedded.lesson));
    }
    let open = Command::Lesson(LessonCommand::Open);
    let button = Button::new("Open lesson…").min_size(vec2(0.0, CONTROL_HEIGHT));
    ui.add_space(2.0 * SPACE);
    if ui.add(button).on_hover_text(keys.tooltip(open)).clicked() {
        asked.push(LearnRequest::Run(open));
    }
    asked
}

/// Draws the lessons of the user.
fn own_lessons(ui: &mut Ui, (context, form): (ListContext<'_>, RowForm), asked: &mut Vec<LearnRequest>) {
    let palette = Palette::of_ui(ui);
    if context.shelf.own().is_empty() {
        return;
    }
    LineText::medium("Your lessons").label(ui, palette.text);
    ui.add_space(SPACE);
    for (index, own) in context.shelf.own().iter().enumerate() {
        if let Some(lesson) = &own.lesson {
            asked.extend(row(ui, (context, form), LessonId::Own(index), lesson));
        }
        if let Some(error) = &own.error {
            let text = RichText::new(error.to_string()).size(text_size::VALUE).color(palette.error);
            ui.add(Label::new(text).wrap());
        }
    }
    ui.add_space(3.0 * SPACE);
}

/// Draws a lesson: its number, title, summary and progress. Returns the request of a click.
fn row(
    ui: &mut Ui,
    (context, form): (ListContext<'_>, RowForm),
    id: LessonId,
    lesson: &Lesson,
) -> Option<LearnRequest> {
    let palette = Palette::of_ui(ui);
    let seen = context.progress.of(&context.shelf.name(id)).map_or(0, |marks| marks.seen.len().min(lesson.steps.len()));
    let count = lesson.steps.len();
    let indent = if number(id).is_some() { NUMBER } else { 0.0 };
    let width = ui.available_width();
    let room = width - indent - PROGRESS;
    let painter = ui.painter();
    let text = |text: &str, size: f32, colour: Color32| {
        let mut job = LayoutJob::simple(text.to_owned(), FontId::proportional(size), colour, room);
        if form == RowForm::Title {
            job.wrap = TextWrapping::truncate_at_width(room);
        }
        painter.layout_job(job)
    };
    let title = text(&lesson.title, text_size::BODY, palette.text);
    let summary = (form == RowForm::Summary).then(|| text(&lesson.summary, text_size::VALUE, palette.weak));
    let padding = if form == RowForm::Title { TITLE_PADDING } else { PADDING };
    let below = summary.as_ref().map_or(0.0, |summary| TITLE_GAP + summary.size().y);
    let height = title.size().y + below + 2.0 * padding;
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), Sense::click());
    if ui.is_rect_visible(rect) {
        let is_current = context.current == Some(id);
        let is_raised = response.hovered() || is_current;
        let fill = if is_raised { palette.hovered } else { Color32::TRANSPARENT };
        ui.painter().rect_filled(rect.expand2(vec2(1.5 * SPACE, 0.0)), RADIUS, fill);
        let top = rect.top() + padding;
        if let Some(number) = number(id) {
            let font = FontId::proportional(text_size::BODY);
            let colour = if is_raised { palette.weak } else { palette.faint };
            ui.painter().text(pos2(rect.left(), top), Align2::LEFT_TOP, number, font, colour);
        }
        let left = rect.left() + indent;
        let below = top + title.size().y + TITLE_GAP;
        ui.painter().galley(pos2(left, top), title, palette.text);
        if let Some(summary) = summary {
            ui.painter().galley(pos2(left, below), summary, palette.weak);
        }
        progress(ui, pos2(rect.right(), top), [seen, count], is_raised);
    }
    let name = format!("Lesson: {}", lesson.title);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
    let mut response = response.on_hover_cursor(CursorIcon::PointingHand);
    // A row with a summary says everything itself.
    if form == RowForm::Title {
        let steps = match seen {
            0 => format!("{count} steps"),
            seen => format!("{seen} of {count} steps seen"),
        };
        response = response.on_hover_text(format!("{}\n{}\n{steps}", lesson.title, lesson.summary));
    }
    response.clicked().then_some(LearnRequest::Start(id))
}

/// Draws the progress of a lesson at the right of its row, with its upper right corner at `at`: a mark once it was seen whole, else
/// its steps, in the colour of a row that is raised over the others or not.
fn progress(ui: &Ui, at: Pos2, [seen, count]: [usize; 2], is_raised: bool) {
    let palette = Palette::of_ui(ui);
    if seen == count {
        let middle = at + vec2(-0.5 * text_size::ICON, 0.5 * text_size::ICON);
        return Symbol::Check.paint(ui, middle, palette.panel(DONE).color);
    }
    let colour = if is_raised { palette.weak } else { palette.faint };
    let text = if seen == 0 { format!("{count} steps") } else { format!("{seen} / {count}") };
    ui.painter().text(at, Align2::RIGHT_TOP, text, FontId::proportional(text_size::VALUE), colour);
}
