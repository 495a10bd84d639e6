//! Two panels in one place: their header, and the line between the two halves of a wipe.

use egui::containers::menu::MenuButton;
use egui::{
    Align, Button, Color32, CursorIcon, Layout, Mesh, PointerButton, Rect, Response, RichText, Role, Sense, Shape, Ui,
    WidgetInfo,
};

use super::commands::Command;
use super::layout::PixelRect;
use super::session::{Area, Difference, Session, WipeLine};
use super::status::Reading;
use super::theme::{Palette, SPACE};
use crate::backend::COLOUR_MAPS;

/// How far from the line, in points, the pointer takes hold of it.
const REACH: f32 = 6.0;

/// The name of what stands in `area`, for assistive technology and tests.
pub(super) fn name(session: &Session, area: Area) -> String {
    let title = |index: usize| session.panels()[index].sampler.method.row().title;
    match area {
        Area::Panel(panel) => format!("Panel {}: {}", panel + 1, title(panel)),
        Area::Flipped { place, shows } => format!("Panel {} shows panel {}: {}", place + 1, shows + 1, title(shows)),
        Area::Wipe([first, second]) => format!("Wipe: {} | {}", title(first), title(second)),
        Area::Difference([first, second]) => format!("Difference: {} − {}", title(first), title(second)),
    }
}

/// The two parts of `place` on both sides of the line, in points.
pub(super) fn halves(place: PixelRect, line: WipeLine, pixels_per_point: f32) -> [Rect; 2] {
    let rect = place.in_points(pixels_per_point);
    let mut halves = [rect; 2];
    if line.lies {
        let y = (place.top + line.first_of_second(place.size.height()) as i32) as f32 / pixels_per_point;
        (halves[0].max.y, halves[1].min.y) = (y, y);
    } else {
        let x = (place.left + line.first_of_second(place.size.width()) as i32) as f32 / pixels_per_point;
        (halves[0].max.x, halves[1].min.x) = (x, x);
    }
    halves
}

/// Draws the line of a wipe at `place` and lets it be dragged. It covers the second picture's first column or row of pixels
/// and no other.
pub(super) fn line(ui: &Ui, session: &mut Session, place: PixelRect) {
    let ppp = ui.pixels_per_point();
    let line = session.line();
    let (rect, [_, second]) = (place.in_points(ppp), halves(place, line, ppp));
    let pixel = 1.0 / ppp;
    let (mark, reach) = if line.lies {
        (Rect::from_min_size(second.min, egui::vec2(rect.width(), pixel)), egui::vec2(0.0, REACH))
    } else {
        (Rect::from_min_size(second.min, egui::vec2(pixel, rect.height())), egui::vec2(REACH, 0.0))
    };
    let response = ui.interact(mark.expand2(reach), ui.scope_id().with("wipe line"), Sense::drag());
    response.widget_info(|| WidgetInfo::slider(true, line.share, "Wipe line"));
    if response.hovered() || response.dragged() {
        ui.set_cursor_icon(if line.lies { CursorIcon::ResizeVertical } else { CursorIcon::ResizeHorizontal });
    }
    if response.dragged_by(PointerButton::Primary)
        && let Some(pos) = response.interact_pointer_pos()
    {
        let share = if line.lies {
            f64::from(pos.y - rect.top()) / f64::from(rect.height())
        } else {
            f64::from(pos.x - rect.left()) / f64::from(rect.width())
        };
        session.set_line(WipeLine { share, ..line });
    }
    let colour = if response.hovered() || response.dragged() { Palette::of_ui(ui).accent } else { Color32::WHITE };
    // A mesh has no feathered edges: its pixels are those of the line and no more.
    let mut mesh = Mesh::default();
    mesh.add_colored_rect(mark.intersect(rect), colour);
    ui.painter().with_clip_rect(rect.intersect(ui.clip_rect())).add(Shape::mesh(mesh));
}

/// Draws the header of `area`; what it asks of the window goes to `asked`.
pub(super) fn header(
    ui: &mut Ui,
    session: &mut Session,
    area: Area,
    reading: Option<&Reading>,
    asked: &mut Vec<Command>,
) {
    ui.spacing_mut().item_spacing.x = SPACE;
    let palette = Palette::of_ui(ui);
    match area {
        Area::Panel(_) => {}
        Area::Flipped { .. } => {
            ui.add_space(2.0 * SPACE);
            ui.label(RichText::new(name(session, area)).color(palette.accent));
        }
        Area::Wipe(pair) => {
            ends(ui, session, pair, "|");
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                button(ui, asked, "×", Command::SideBySide);
                button(ui, asked, "Exchange", Command::ExchangePair);
                button(ui, asked, "Turn", Command::TurnWipe);
            });
        }
        Area::Difference(pair) => {
            ends(ui, session, pair, "−");
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                button(ui, asked, "×", Command::SideBySide);
                button(ui, asked, "Exchange", Command::ExchangePair);
                difference_controls(ui, session, asked);
                if let Some(text) = reading.and_then(|reading| value_text(reading, pair)) {
                    ui.add_space(2.0 * SPACE);
                    ui.label(RichText::new(text).monospace().color(palette.text))
                        .on_hover_text("The difference under the cursor, where 1 is maxval, before gain and colours");
                }
            });
        }
    }
}

/// What is subtracted from what, each to be chosen.
fn ends(ui: &mut Ui, session: &mut Session, [first, second]: [usize; 2], between: &str) {
    if let Some(chosen) = panel_menu(ui, session, first, "First") {
        let kept = if chosen == second { first } else { second };
        session.focus(chosen);
        session.set_second(kept);
    }
    ui.label(RichText::new(between).color(Palette::of_ui(ui).weak));
    if let Some(chosen) = panel_menu(ui, session, second, "Second") {
        if chosen == first {
            session.exchange_pair();
        } else {
            session.set_second(chosen);
        }
    }
}

/// A menu of the panels, titled by the one that is chosen; the one that is chosen by hand.
fn panel_menu(ui: &mut Ui, session: &Session, shown: usize, role: &str) -> Option<usize> {
    let title = |index: usize| {
        let panel = &session.panels()[index];
        let mark = if panel.filters_in_force().is_active() { "  ƒ" } else { "" };
        format!("{}  {}{mark}", index + 1, panel.sampler.method.row().title)
    };
    let text = RichText::new(title(shown)).color(Palette::of_ui(ui).strong);
    let (response, chosen) = MenuButton::from_button(Button::new(text).frame_when_inactive(false)).ui(ui, |ui| {
        let mut chosen = None;
        for index in 0..session.panels().len() {
            if ui.selectable_label(index == shown, title(index)).clicked() {
                chosen = Some(index);
                ui.close();
            }
        }
        chosen
    });
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{role} panel: {}", title(shown))));
    if !egui::Popup::is_any_open(&response.ctx) {
        response.on_hover_text("Which panel is compared");
    }
    chosen.and_then(|chosen| chosen.inner)
}

fn difference_controls(ui: &mut Ui, session: &mut Session, asked: &mut Vec<Command>) {
    let difference = session.difference();
    let palette = Palette::of_ui(ui);
    let secondary = |text: &str| RichText::new(text.to_owned()).size(12.0).color(palette.weak);
    let map = secondary(difference.map().row().title);
    let (response, _) = MenuButton::from_button(Button::new(map).frame_when_inactive(false)).ui(ui, |ui| {
        for row in &COLOUR_MAPS {
            if ui.selectable_label(row.colour_map == difference.map(), row.title).clicked() {
                session.set_difference(if difference.absolute {
                    Difference { absolute_map: row.colour_map, ..difference }
                } else {
                    Difference { signed_map: row.colour_map, ..difference }
                });
                ui.close();
            }
        }
    });
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Colour map"));
    if !egui::Popup::is_any_open(&response.ctx) {
        response.on_hover_text("Colours of a grey image's difference; a colour image's is shown channel by channel");
    }
    let text =
        RichText::new("Absolute").size(12.0).color(if difference.absolute { palette.strong } else { palette.weak });
    let toggle = ui.add(Button::selectable(difference.absolute, text));
    if toggle.on_hover_text(Command::ToggleAbsolute.tooltip()).clicked() {
        asked.push(Command::ToggleAbsolute);
    }
    ui.add_space(2.0 * SPACE);
    named_button(ui, asked, ("+", "More gain"), Command::MoreGain);
    let gain = format!("×{}", 1_u32 << difference.gain_log2);
    ui.label(RichText::new(gain).monospace().color(palette.strong)).on_hover_text("Gain of the difference");
    named_button(ui, asked, ("−", "Less gain"), Command::LessGain);
}

/// The difference under the cursor, a number for each channel.
fn value_text(reading: &Reading, pair: [usize; 2]) -> Option<String> {
    let values = |panel: usize| reading.values.iter().find(|(index, _)| *index == panel).map(|(_, values)| values);
    let (first, second) = (values(pair[0])?, values(pair[1])?);
    let numbers: Vec<String> = first.iter().zip(second).map(|(a, b)| format!("{:+.7}", a - b)).collect();
    (!numbers.is_empty()).then(|| numbers.join(" "))
}

fn button(ui: &mut Ui, asked: &mut Vec<Command>, text: &str, command: Command) {
    let name = command.row().map_or(text, |row| row.title);
    named_button(ui, asked, (text, name), command);
}

fn named_button(ui: &mut Ui, asked: &mut Vec<Command>, (text, name): (&str, &str), command: Command) -> Response {
    let text = RichText::new(text).size(12.0);
    let response = ui.add(Button::new(text).frame_when_inactive(false)).on_hover_text(command.tooltip());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
    if response.clicked() {
        asked.push(command);
    }
    response
}
