//! The list of lessons: in the column, and in the side bar's tab *Learn*.

use std::f32::consts::{FRAC_PI_2, TAU};

use egui::text::LayoutJob;
use egui::{
    Align, Button, Color32, CursorIcon, FontId, Label, Layout, Pos2, RichText, Role, Sense, Shape, Stroke, Ui, Vec2,
    WidgetInfo, pos2, vec2,
};

use super::column::LearnRequest;
use super::shelf::{LessonId, Shelf};
use crate::app::commands::{Command, Keymap, LessonCommand};
use crate::app::files::LessonProgress;
use crate::app::widgets::fit::baseline;
use crate::app::widgets::line_text::{LineText, line_of_row};
use crate::app::widgets::main_button::{Effect, main_button};
use crate::app::widgets::symbol::{Symbol, SymbolButton};
use crate::app::widgets::theme::{CONTROL_HEIGHT, HIT_SIZE, Palette, RADIUS, SPACE, medium, text_size};
use crate::lesson::{Lesson, embedded};

/// Radius of the ring around a lesson's number, width of its line, and distance of the title behind it, in points.
const RING: f32 = 10.0;
const RING_LINE: f32 = 1.5;
const BEHIND_RING: f32 = 2.5 * SPACE;
/// Corners of a whole ring.
const CORNERS: f32 = 40.0;
/// Least distance of a title from the number of steps, in points.
const STEPS_GAP: f32 = 3.0 * SPACE;
/// Padding above and below a lesson, in points.
const PADDING: f32 = 1.5 * SPACE;
/// The same of a lesson without its summary, in points.
const TITLE_PADDING: f32 = 0.75 * SPACE;
/// Height of the row of a title, and distance of a summary below it, in points.
const TITLE: f32 = 20.0;
const TITLE_GAP: f32 = 2.0;

/// How a lesson is shown in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum RowForm {
    /// By its title; the summary is its tooltip.
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

/// Draws the title of the list, which stays above it. Returns what it asks for.
pub(super) fn head(ui: &mut Ui) -> Vec<LearnRequest> {
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
    let text = "Steps on live pictures. Your own panels come back.";
    ui.add(Label::new(RichText::new(text).color(palette.weak)).wrap());
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
        let offer = if step + 1 < lesson.steps.len() {
            let text = format!("Continue at step {}: {}", step + 1, lesson.title);
            let tip = keys.tooltip(Command::Lesson(LessonCommand::Continue));
            Some((text, tip, LearnRequest::from(LessonCommand::Continue)))
        } else {
            next_lesson(id).map(|(next, lesson)| {
                (format!("Next lesson: {}", lesson.title), lesson.summary.clone(), LearnRequest::Start(next))
            })
        };
        if let Some((text, tip, request)) = offer {
            let least = vec2(ui.available_width(), CONTROL_HEIGHT + SPACE);
            if main_button(ui, &text, Effect::Adds, least).on_hover_text(tip).clicked() {
                asked.push(request);
            }
            ui.add_space(2.0 * SPACE);
        }
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

/// The lesson of the course behind `id`.
pub(super) fn next_lesson(id: LessonId) -> Option<(LessonId, &'static Lesson)> {
    let LessonId::Embedded(index) = id else { return None };
    Some((LessonId::Embedded(index + 1), &embedded().get(index + 1)?.lesson))
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

/// Draws a lesson: its number and progress, title, steps and summary. Returns the request of a click.
fn row(
    ui: &mut Ui,
    (context, form): (ListContext<'_>, RowForm),
    id: LessonId,
    lesson: &Lesson,
) -> Option<LearnRequest> {
    let palette = Palette::of_ui(ui);
    let seen = context.progress.of(&context.shelf.name(id)).map_or(0, |marks| marks.seen.len().min(lesson.steps.len()));
    let count = lesson.steps.len();
    let indent = 2.0 * RING + BEHIND_RING;
    let width = ui.available_width();
    // A title needs the room; its tooltip says what the number is of.
    let steps_text = match form {
        _ if seen > 0 && seen < count => format!("{seen} / {count}"),
        RowForm::Title => count.to_string(),
        RowForm::Summary => format!("{count} steps"),
    };
    let steps = LineText::regular(&steps_text, text_size::VALUE).within(ui.painter(), f32::INFINITY);
    let lines = |text: &str, font: FontId, width: f32| {
        ui.painter().layout_job(LayoutJob::simple(text.to_owned(), font, Color32::PLACEHOLDER, width))
    };
    let title = lines(&lesson.title, medium(text_size::BODY), width - indent - steps.width() - STEPS_GAP);
    let summary = (form == RowForm::Summary)
        .then(|| lines(&lesson.summary, FontId::proportional(text_size::VALUE), width - indent));
    let padding = if form == RowForm::Title { TITLE_PADDING } else { PADDING };
    // A long title has a second line.
    let title_height = TITLE + title.size().y - title.rows.first().map_or(0.0, |row| row.height());
    let below = summary.as_ref().map_or(0.0, |summary| TITLE_GAP + summary.size().y);
    let (rect, response) = ui.allocate_exact_size(vec2(width, title_height + below + 2.0 * padding), Sense::click());
    if ui.is_rect_visible(rect) {
        let is_current = context.current == Some(id);
        let fill = if response.hovered() || is_current { palette.hovered } else { Color32::TRANSPARENT };
        ui.painter().rect_filled(rect.expand2(vec2(1.5 * SPACE, 0.0)), RADIUS, fill);
        let middle = rect.top() + padding + 0.5 * TITLE;
        let left = rect.left() + indent;
        ring(ui, pos2(rect.left() + RING, middle), number(id), [seen, count]);
        let title_top = line_of_row(ui.painter(), middle) - baseline(&title);
        ui.painter().galley(pos2(left, title_top), title, palette.text);
        steps.paint(ui.painter(), pos2(rect.right() - steps.width(), middle), palette.weak);
        if let Some(summary) = summary {
            ui.painter().galley(pos2(left, rect.top() + padding + title_height + TITLE_GAP), summary, palette.weak);
        }
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

/// Draws a ring around the number of a lesson: faint before it is begun, with the part that was seen in the accent colour, and a mark
/// in place of the number once it was seen whole.
fn ring(ui: &Ui, centre: Pos2, number: Option<usize>, [seen, count]: [usize; 2]) {
    let palette = Palette::of_ui(ui);
    if seen == count {
        let done = palette.panel(Palette::GREEN).color;
        ui.painter().circle_stroke(centre, RING - 0.5 * RING_LINE, Stroke::new(RING_LINE, done));
        return Symbol::Check.paint(ui, centre, done);
    }
    ui.painter().circle_stroke(centre, RING - 0.5 * RING_LINE, Stroke::new(RING_LINE, palette.line));
    if seen > 0 {
        let share = seen as f32 / count as f32;
        let corners = (share * CORNERS).ceil().max(2.0);
        let at =
            |corner: f32| centre + (RING - 0.5 * RING_LINE) * Vec2::angled(share * TAU * corner / corners - FRAC_PI_2);
        let arc = (0..=corners as usize).map(|corner| at(corner as f32)).collect();
        ui.painter().add(Shape::line(arc, Stroke::new(RING_LINE + 0.5, palette.accent)));
    }
    if let Some(number) = number {
        let text = number.to_string();
        let text = LineText::regular(&text, text_size::UNIT).within(ui.painter(), f32::INFINITY);
        text.paint(ui.painter(), centre - vec2(0.5 * text.width(), 0.0), palette.weak);
    }
}
