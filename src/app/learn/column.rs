//! The column at the left of the window: the list of lessons, or the step of the lesson that runs.

use std::ops::RangeInclusive;

use egui::{
    Align, Button, Color32, CursorIcon, Direction, Frame, Label, Layout, Margin, Panel, Rangef, Rect, Response,
    RichText, Role, ScrollArea, Sense, Stroke, Ui, UiBuilder, WidgetInfo, vec2,
};

use super::contents::{self, ListContext, RowForm};
use super::play::{Play, Revealed, StepRest};
use super::shelf::LessonId;
use super::text::{LaidText, TextLook};
use super::{ColumnView, Learn, parameters, questions, tasks};
use crate::app::commands::{Command, Keymap, LessonCommand};
use crate::app::files::{LessonProgress, StepPart};
use crate::app::widgets::main_button::{Effect, main_button};
use crate::app::widgets::symbol::{Symbol, SymbolButton};
use crate::app::widgets::theme::{HIT_SIZE, Palette, RADIUS, SPACE, text_size};

/// Width of the column, in points, in a window of the usual width. In a wider one it grows, and more of a step is in sight.
const WIDTH: f32 = 400.0;
const USUAL_WINDOW: f32 = 1280.0;
const GROWTH: f32 = 0.5;
const MOST_WIDTH: f32 = 460.0;
/// The largest part of the window that it takes.
const MOST_SHARE: f32 = 0.48;
/// Distance of the text from both sides, in points.
const MARGIN: f32 = 20.0;
/// Distance of the text from the upper and the lower edge, and of the scroll bar from the right one, in points.
const MARGIN_ABOVE: f32 = 4.0 * SPACE;
const BAR_MARGIN: f32 = 3.0;
/// Height of the line of buttons at the bottom, in points.
const FOOTER: f32 = 54.0;
/// Height of the line above it that says what follows below, in points.
const BELOW: f32 = 30.0;
/// Width and height of the buttons there, in points.
const BUTTON: egui::Vec2 = vec2(66.0, 32.0);
/// Width of the button of the next lesson, in points.
const NEXT_LESSON: f32 = 104.0;
/// Radius of the dot of a step, in points, and the distances between dots: the usual one and the least.
const DOT: f32 = 3.5;
const DOT_STEP: f32 = 13.0;
const LEAST_DOT_STEP: f32 = 9.0;

/// What the column asks of the window.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) enum LearnRequest {
    /// Run this command.
    Run(Command),
    /// Start this lesson, at the step where it was left.
    Start(LessonId),
    /// Show this step.
    Show(usize),
    /// Give the step's parameters these values.
    Values(Vec<f64>),
    /// Keep that these questions were answered.
    Answered(Vec<StepPart>),
}

impl From<LessonCommand> for LearnRequest {
    fn from(command: LessonCommand) -> Self {
        Self::Run(Command::Lesson(command))
    }
}

/// Draws the column, after what `enter` adds to a region of the window. Returns what it asks for.
pub(in crate::app) fn show(
    ui: &mut Ui,
    learn: &mut Learn,
    progress: &LessonProgress,
    enter: &mut dyn FnMut(&mut Ui),
) -> Vec<LearnRequest> {
    let window = ui.content_rect().width();
    let width = (WIDTH + GROWTH * (window - USUAL_WINDOW).max(0.0)).min(MOST_WIDTH).min(MOST_SHARE * window);
    let panel = Panel::left("lesson")
        .exact_size(width)
        .resizable(false)
        .show_separator_line(true)
        .frame(Frame::new().inner_margin(Margin::ZERO));
    let shown = panel.show(ui, |ui| {
        enter(ui);
        ui.spacing_mut().item_spacing = vec2(2.0 * SPACE, 0.0);
        let Learn { shelf, view, .. } = learn;
        match view {
            ColumnView::Closed => Vec::new(),
            ColumnView::Contents => {
                let list = ListContext { shelf, progress, current: None };
                let frame = Frame::new().inner_margin(margins(ui, [MARGIN_ABOVE, 2.0 * SPACE]));
                let mut asked = frame.show(ui, contents::head).inner;
                let list = |ui: &mut Ui| contents::list(ui, list, RowForm::Summary);
                asked.extend(within(ui, ("lessons", SPACE), 0.0, list).inner);
                asked
            }
            ColumnView::Running(play) => {
                let number = contents::number(play.id);
                step(ui, play, (number, shelf.error(play.id).map(ToString::to_string)), progress)
            }
        }
    });
    shown.inner
}

/// Scrolls to a text that appeared, so that all of it is in sight. Waits while the pointer holds something that would move
/// away.
pub(super) fn scroll_to_revealed(ui: &Ui, text: &Response, revealed: &mut Option<Revealed>) {
    if ui.input(|input| input.pointer.any_down()) {
        return;
    }
    *revealed = None;
    ui.scroll_to_rect(text.rect.with_max_y(text.rect.bottom() + BELOW), None);
    ui.ctx().request_repaint();
}

/// What was drawn in an area that scrolls.
struct Within<R> {
    inner: R,
    /// The area, and the rectangle below it.
    area: Rect,
    below: Rect,
    /// Height of what lies hidden below the area, in points.
    hidden: f32,
}

/// Draws `contents` between the margins, with `above` points of it, and above `below` points, in an area that scrolls.
fn within<R>(ui: &mut Ui, (salt, above): (&str, f32), below: f32, contents: impl FnOnce(&mut Ui) -> R) -> Within<R> {
    let whole = ui.available_rect_before_wrap();
    let [upper, lower] = [whole.with_max_y(whole.bottom() - below), whole.with_min_y(whole.bottom() - below)];
    let mut place = ui.new_child(UiBuilder::new().max_rect(upper));
    place.spacing_mut().scroll.dormant_handle_opacity = 0.5;
    place.spacing_mut().scroll.floating_width = SPACE;
    place.spacing_mut().scroll.bar_outer_margin = BAR_MARGIN;
    let frame = Frame::new().inner_margin(margins(ui, [above, MARGIN_ABOVE]));
    let area = ScrollArea::vertical().id_salt(salt).auto_shrink(false);
    let shown = area.show(&mut place, |ui| {
        frame.show(ui, |ui| {
            ui.set_width(ui.available_width());
            contents(ui)
        })
    });
    ui.allocate_rect(whole, Sense::hover());
    let hidden = shown.content_size.y - shown.inner_rect.height() - shown.state.clamped_offset().y;
    Within { inner: shown.inner.inner, area: upper, below: lower, hidden }
}

/// The margins of the column, with those above and below.
fn margins(ui: &Ui, [top, bottom]: [f32; 2]) -> Margin {
    let side = margin(ui) as i8;
    Margin { left: side, right: side, top: top as i8, bottom: bottom as i8 }
}

/// Distance of the text from both sides, in points: less in a small window.
fn margin(ui: &Ui) -> f32 {
    if MOST_SHARE * ui.content_rect().width() < WIDTH { 0.5 * MARGIN } else { MARGIN }
}

/// Draws the step of `play`. `facts` are the number of the lesson, and what is wrong with its file now.
fn step(
    ui: &mut Ui,
    play: &mut Play,
    (number, error): (Option<usize>, Option<String>),
    progress: &LessonProgress,
) -> Vec<LearnRequest> {
    let palette = Palette::of_ui(ui);
    let marks = progress.of(&play.name).cloned();
    let mut asked = Vec::new();
    let salt = format!("step {} of {}", play.step(), play.name);
    let Within { inner: parts, area, below: footer, hidden } = within(ui, (&salt, MARGIN_ABOVE), FOOTER, |ui| {
        header(ui, play, number, &mut asked);
        ui.add_space(1.5 * SPACE);
        let title = LaidText::title(ui, &play.current().title, ui.available_width()).show_as(ui, Role::Heading);
        if std::mem::take(&mut play.scrolls_up) {
            title.scroll_to_me(Some(Align::BOTTOM));
        }
        ui.add_space(3.0 * SPACE);
        for problem in error.iter().chain(&play.problem) {
            refusal(ui, problem);
        }
        let width = ui.available_width();
        LaidText::new(ui, &play.texts.text, width, TextLook::body(&palette)).show(ui);
        if let Some(source) = play.texts.source.as_ref().filter(|_| play.shows_source) {
            ui.add_space(2.0 * SPACE);
            LaidText::new(ui, source, width, TextLook::small(&palette)).show(ui);
        }
        ui.add_space(3.0 * SPACE);
        if let Some(values) = parameters::show(ui, play) {
            asked.push(LearnRequest::Values(values));
        }
        let above = ui.cursor().top();
        tasks::show(ui, play, marks.as_ref());
        let between = ui.cursor().top();
        let answered = questions::show(ui, play, marks.as_ref());
        let parts = [(StepRest::Tasks, above..=between), (StepRest::Questions, between..=ui.cursor().top())];
        if !answered.is_empty() {
            asked.push(LearnRequest::Answered(answered));
        }
        if let Some(wanted) = play.scrolls_to.take() {
            let part = parts.iter().find(|(part, _)| *part == wanted);
            let end = Rangef::point(ui.cursor().top());
            let rows = part.map_or(end, |(_, rows)| Rangef::new(*rows.start(), *rows.end()));
            let is_tall = rows.span() > ui.clip_rect().height() - BELOW;
            let rect = Rect::from_x_y_ranges(ui.max_rect().x_range(), rows.min..=rows.max + BELOW);
            ui.scroll_to_rect(rect, is_tall.then_some(Align::TOP));
        }
        parts
    });
    // The margin alone may lie below.
    if hidden > 16.0 + 3.0 * SPACE {
        let covered = area.bottom() - BELOW + 3.0 * SPACE;
        let is_hidden = |rows: &RangeInclusive<f32>| rows.end() > rows.start() && *rows.end() > covered;
        let is_open = |part: &StepRest| play.is_open(*part, marks.as_ref());
        let part = parts.iter().find(|(part, rows)| is_hidden(rows) && is_open(part));
        let part = part.map_or(StepRest::Other, |(part, _)| *part);
        if below(ui, area.with_min_y(area.bottom() - BELOW), part) {
            play.scrolls_to = Some(part);
            ui.ctx().request_repaint();
        }
    }
    ui.painter().hline(footer.x_range(), footer.top(), Stroke::new(1.0, palette.line));
    walk(ui, play, footer, &mut asked);
    asked
}

/// Draws in `room` that `part` of the step follows below. Returns whether it was clicked.
fn below(ui: &mut Ui, room: Rect, part: StepRest) -> bool {
    let palette = Palette::of_ui(ui);
    let text = match part {
        StepRest::Tasks => "Task below",
        StepRest::Questions => "Question below",
        StepRest::Other => "More below",
    };
    ui.painter().rect_filled(room, 0.0, palette.surface);
    ui.painter().hline(room.x_range(), room.top(), Stroke::new(1.0, palette.line));
    let words = RichText::new(text).size(text_size::VALUE).color(palette.accent);
    let button = Button::new((words, Symbol::Down.atom(None))).gap(SPACE).fill(Color32::TRANSPARENT);
    let place = UiBuilder::new().max_rect(room).layout(Layout::centered_and_justified(Direction::LeftToRight));
    let shown = ui.scope_builder(place, |ui| ui.add(button.stroke(Stroke::NONE)));
    shown.inner.on_hover_text("Scrolls to it").clicked()
}

/// The number and the title of the lesson, where the step is from, its place, and the buttons that reset the step and leave the
/// lesson.
fn header(ui: &mut Ui, play: &mut Play, number: Option<usize>, asked: &mut Vec<LearnRequest>) {
    let palette = Palette::of_ui(ui);
    ui.horizontal(|ui| {
        ui.set_height(HIT_SIZE);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let tip = Keymap::in_force(ui).tooltip(Command::Lesson(LessonCommand::Leave));
            let close = SymbolButton { symbol: Symbol::Close, name: "Leave lesson", tip: &tip };
            if close.show(ui, false).clicked() {
                asked.push(LessonCommand::Leave.into());
            }
            let place = format!("{} / {}", play.step() + 1, play.lesson().steps.len());
            ui.label(RichText::new(place).size(text_size::VALUE).color(palette.weak));
            ui.spacing_mut().item_spacing.x = 0.0;
            let tip = Keymap::in_force(ui).tooltip(Command::Lesson(LessonCommand::Reset));
            if (SymbolButton { symbol: Symbol::Reset, name: "Reset step", tip: &tip }).show(ui, false).clicked() {
                asked.push(LessonCommand::Reset.into());
            }
            if play.texts.source.is_some() {
                let source = SymbolButton { symbol: Symbol::Info, name: "Source", tip: "Where this step is from" };
                if source.show(ui, play.shows_source).clicked() {
                    play.shows_source = !play.shows_source;
                }
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let title = &play.lesson().title;
                let text = number.map_or_else(|| title.clone(), |number| format!("Lesson {number} · {title}"));
                let text = RichText::new(text).size(text_size::VALUE).color(palette.weak);
                ui.add(Label::new(text).truncate().selectable(false));
            });
        });
    });
}

/// What is wrong with the lesson, in a box.
fn refusal(ui: &mut Ui, problem: &str) {
    let palette = Palette::of_ui(ui);
    let frame = Frame::new().fill(palette.field).stroke(Stroke::new(1.0, palette.error)).corner_radius(RADIUS);
    frame.inner_margin(Margin::same(10)).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.add(Label::new(RichText::new(problem).size(text_size::VALUE).color(palette.error)).wrap());
    });
    ui.add_space(3.0 * SPACE);
}

/// What a button of the line at the bottom is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rank {
    /// The one that most will click.
    Main,
    /// Another one.
    Other,
    /// One that can do nothing now.
    Disabled,
}

/// *Back*, a dot for each step, *Next*; at the end of a lesson of the course the next lesson.
fn walk(ui: &mut Ui, play: &Play, footer: Rect, asked: &mut Vec<LearnRequest>) {
    let keys = Keymap::in_force(ui);
    let margin = margin(ui);
    let room = footer.shrink2(vec2(margin, 0.0));
    let place = play.place(play.step());
    let tip = |command: LessonCommand| keys.tooltip(Command::Lesson(command));
    let mut button = |rect: Rect, (text, tip): (&str, String), request: LearnRequest, rank: Rank| {
        let place = UiBuilder::new().max_rect(rect).layout(Layout::centered_and_justified(Direction::LeftToRight));
        let shown = ui.scope_builder(place, |ui| match rank {
            Rank::Main => main_button(ui, text, Effect::Adds, rect.size()),
            Rank::Other | Rank::Disabled => {
                let button = Button::new(RichText::new(text).size(text_size::BODY)).corner_radius(RADIUS);
                ui.add_enabled(rank == Rank::Other, button)
            }
        });
        if shown.inner.on_hover_text(tip).clicked() {
            asked.push(request);
        }
    };
    let [left, right] = [room.left()..=room.left() + BUTTON.x, room.right() - BUTTON.x..=room.right()];
    let middle = footer.center().y;
    let at = |columns: RangeInclusive<f32>| {
        Rect::from_x_y_ranges(columns, middle - 0.5 * BUTTON.y..=middle + 0.5 * BUTTON.y)
    };
    let back = at(left);
    let rank = if place.step == 0 { Rank::Disabled } else { Rank::Other };
    button(back, ("‹ Back", tip(LessonCommand::Previous)), LessonCommand::Previous.into(), rank);
    let is_last = place.step + 1 == place.count;
    let follower = contents::next_lesson(play.id).filter(|_| is_last);
    let next = if follower.is_some() { at(room.right() - NEXT_LESSON..=room.right()) } else { at(right) };
    let (text, request) = match follower {
        Some((id, lesson)) => (("Next lesson ›", lesson.title.clone()), LearnRequest::Start(id)),
        None if is_last => (("Finish", tip(LessonCommand::Leave)), LessonCommand::Leave.into()),
        None => (("Next ›", tip(LessonCommand::Next)), LessonCommand::Next.into()),
    };
    button(next, text, request, Rank::Main);
    let between = Rect::from_x_y_ranges(back.right() + 2.0 * SPACE..=next.left() - 2.0 * SPACE, back.y_range());
    asked.extend(dots(ui, play, between).map(LearnRequest::Show));
}

/// Draws a dot for each step in `room`, or the number of the step where they do not fit. Returns the step whose dot was clicked.
fn dots(ui: &mut Ui, play: &Play, room: Rect) -> Option<usize> {
    let (palette, count) = (Palette::of_ui(ui), play.lesson().steps.len());
    let step = (room.width() / count as f32).min(DOT_STEP);
    if step < LEAST_DOT_STEP {
        let text = format!("{} of {count}", play.step() + 1);
        let font = egui::FontId::proportional(text_size::VALUE);
        ui.painter().text(room.center(), egui::Align2::CENTER_CENTER, text, font, palette.weak);
        return None;
    }
    let left = room.center().x - 0.5 * step * count as f32;
    let mut clicked = None;
    for (index, shown) in play.lesson().steps.iter().enumerate() {
        let x = left + (index as f32 + 0.5) * step;
        let hit = Rect::from_center_size(egui::pos2(x, room.center().y), vec2(step, HIT_SIZE));
        let response = ui.interact(hit, ui.scope_id().with(("step dot", index)), Sense::click());
        let name = format!("Step {}: {}", index + 1, shown.title);
        let is_current = index == play.step();
        response.widget_info(|| WidgetInfo::selected(Role::Tab, true, is_current, &name));
        let colour = if is_current {
            palette.text
        } else if response.hovered() {
            palette.weak
        } else {
            palette.line
        };
        ui.painter().circle_filled(hit.center(), DOT, colour);
        let response = response.on_hover_cursor(CursorIcon::PointingHand).on_hover_text(name);
        clicked = clicked.or(response.clicked().then_some(index));
    }
    clicked
}
