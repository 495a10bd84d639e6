//! Status line: the cursor's position, each panel's value there, the unit, the backend.

use std::time::Duration;

use egui::containers::menu::MenuButton;
use egui::{Align, Align2, Button, Color32, FontId, Layout, RichText, Role, Sense, Ui, WidgetInfo, vec2};

use crate::app::commands::{Command, InspectCommand, Keymap};
use crate::app::render::probe::Reading;
use crate::app::render::texture_sharing::PresentMode;
use crate::app::session::Session;
use crate::app::session::address_names::cursor_text;
use crate::app::session::unit::{UNITS, Unit};
use crate::app::widgets::fit::text_width;
use crate::app::widgets::number::short;
use crate::app::widgets::symbol::Symbol;
use crate::app::widgets::theme::{Palette, SPACE, text_size};
use crate::backend::{BackendError, BackendKind, Startup};

/// Height, in points.
pub(in crate::app) const HEIGHT: f32 = 28.0;
/// Gap between the pieces, in points.
const GAP: f32 = 3.0 * SPACE;
/// Radius of a panel's dot, and its width with the gap before the value, in points.
const DOT_RADIUS: f32 = 4.0;
const DOT_WIDTH: f32 = 2.0 * DOT_RADIUS + 1.5 * SPACE;
/// Width of the time, in points.
const TIME_WIDTH: f32 = 56.0;
/// Margin of the unit's button with its arrow, in points.
const UNIT_MARGIN: f32 = 48.0;
/// Height of a piece and of the unit's button, in points.
const PIECE_HEIGHT: f32 = 22.0;
/// In place of values that do not fit.
const MORE: &str = "…";
/// Maximum length of the reason for uploads, in characters. The tooltip shows the whole reason.
const MAX_REASON: usize = 32;
/// Time after the last rendered frame from which on the window is idle.
const IDLE_AFTER: Duration = Duration::from_secs(1);
/// Font size, in points.
const LETTERS: f32 = text_size::VALUE;

/// How the last frame was rendered.
#[derive(Clone, Debug)]
pub(in crate::app) struct RenderStatus {
    /// The backends that rendered its pictures.
    pub(in crate::app) backends: Vec<BackendKind>,
    /// How the pictures reach the screen.
    pub(in crate::app) way: PresentMode,
    /// Why an available device did not render.
    pub(in crate::app) reason: Option<BackendError>,
    /// What the device does before it renders.
    pub(in crate::app) startup: Option<Startup>,
    /// Time for all panels.
    pub(in crate::app) milliseconds: f64,
    /// When it ended, in seconds of the window's clock.
    pub(in crate::app) rendered_at_s: f64,
}

impl RenderStatus {
    /// Whether no frame was rendered in the last second.
    pub(in crate::app) fn is_idle(&self, now_s: f64) -> bool {
        now_s - self.rendered_at_s >= IDLE_AFTER.as_secs_f64()
    }

    /// `CUDA and CPU`.
    pub(in crate::app) fn backend_titles(&self) -> String {
        let titles: Vec<&str> = self.backends.iter().map(|backend| backend.row().title).collect();
        titles.join(" and ")
    }
}

/// Draws the status line: the position under the cursor, each panel's value there, the unit; at the right the backend and its
/// time. The unit is chosen in its menu.
pub(in crate::app) fn show(
    ui: &mut Ui,
    session: &Session,
    unit: &mut Unit,
    reading: Option<&Reading>,
    drawn: &RenderStatus,
) {
    ui.spacing_mut().item_spacing = vec2(GAP, 0.0);
    let palette = Palette::of_ui(ui);
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let is_idle = drawn.is_idle(ui.input(|input| input.time));
        if !is_idle {
            ui.request_repaint_after(IDLE_AFTER);
        }
        let took = format!("{:.1} ms", drawn.milliseconds);
        let way = match &drawn.way {
            PresentMode::Upload => "pictures are uploaded".to_owned(),
            PresentMode::Shared => "the backend writes the textures on screen".to_owned(),
            PresentMode::UploadBecause(why) => format!("pictures are uploaded: {why}"),
        };
        let backend = match &drawn.way {
            PresentMode::Upload => drawn.backend_titles(),
            PresentMode::Shared => format!("{} to OpenGL", drawn.backend_titles()),
            PresentMode::UploadBecause(why) => {
                format!("{}, uploaded: {}", drawn.backend_titles(), in_short(&why.to_string()))
            }
        };
        let (backend, why) = match (&drawn.reason, drawn.startup) {
            (Some(reason), _) => (format!("{backend}: {}", reason.short()), format!(". The CPU renders: {reason}")),
            (None, Some(startup)) => {
                (format!("{backend}: {}", startup.short()), format!(". {}; the CPU renders meanwhile", startup.short()))
            }
            (None, None) => (backend, String::new()),
        };
        let tip = format!("Backend ({way}), and processor time of the last frame, {took}{why}");
        let (time, colour) = if is_idle { ("idle", palette.faint) } else { (took.as_str(), palette.weak) };
        piece(ui, Piece { text: time, colour, width: TIME_WIDTH, name: "" }, &tip);
        piece(ui, Piece { text: &backend, colour: palette.weak, width: 0.0, name: "" }, &tip);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            // The clip keeps what does not fit from being painted over the backend.
            ui.shrink_clip_rect(ui.max_rect());
            match reading {
                Some(reading) => show_reading(ui, session, unit, reading),
                None => {
                    let hint = "Drag to move, turn the wheel to zoom, F1 for the keys";
                    let hint = RichText::new(hint).size(LETTERS).color(palette.weak);
                    ui.add(egui::Label::new(hint).selectable(false).truncate());
                }
            }
        });
    });
}

/// The last part of a reason, the message of the driver, cut to the width of the line.
fn in_short(why: &str) -> String {
    let message = why.rsplit(": ").next().unwrap_or(why);
    let mut letters = message.chars();
    let short: String = letters.by_ref().take(MAX_REASON).collect();
    if letters.next().is_none() { short } else { format!("{}…", short.trim_end()) }
}

/// Magnification: `8×`, `0.5×`.
pub(in crate::app) fn zoom_text(scale: f64) -> String {
    format!("{}×", short(1.0 / scale, 4))
}

fn show_reading(ui: &mut Ui, session: &Session, unit: &mut Unit, reading: &Reading) {
    let palette = Palette::of_ui(ui);
    for (name, position) in ["x", "y"].into_iter().zip(reading.pos_in_image) {
        let text = format!("{name} {position:.2}");
        let width = text_width(ui, &format!("{name} −00000.00"), LETTERS);
        piece(ui, Piece { text: &text, colour: palette.text, width, name: "" }, "Position in the image, in samples");
    }
    if session.inspect.state.shows_outside {
        let [column, row] = cursor_text(session, session.focused(), reading.pos_in_image);
        let tip = "Index of the nearest sample, and the index after the focused panel's address modes";
        piece(ui, Piece { text: &format!("{column}   {row}"), colour: palette.text, width: 0.0, name: "" }, tip);
    }
    let unit_room = text_width(ui, unit.row().title, LETTERS) + UNIT_MARGIN;
    // A panel may have been closed meanwhile.
    let open = reading.values.iter().filter_map(|(panel, values)| Some((session.index_of(*panel)?, values)));
    let more = text_width(ui, MORE, LETTERS);
    let mut rest = open.peekable();
    while let Some((index, values)) = rest.next() {
        let maxval = session.page_of(index).raster().samples().maxval();
        let name = session.panel_name(index).numbered();
        let in_unit = |unit: Unit| -> String {
            let numbers: Vec<String> = values.iter().map(|value| unit.text(*value, maxval)).collect();
            if numbers.is_empty() { "–".to_owned() } else { numbers.join("  ") }
        };
        let widest = (unit.one(maxval).to_string().len() + 3).max(5);
        let width = text_width(ui, &"0".repeat(widest * values.len().max(1)), LETTERS);
        let needed = DOT_WIDTH + width + ui.spacing().item_spacing.x;
        let after = if rest.peek().is_some() { GAP + more } else { 0.0 };
        if needed + after + unit_room > ui.available_width() {
            // A clipped number would be read as another number.
            let tip = "More values do not fit: Ctrl+click pins a position and lists all values";
            piece(ui, Piece { text: MORE, colour: palette.weak, width: more, name: "" }, tip);
            break;
        }
        let corner = ui.cursor().left_center();
        ui.painter().circle_filled(corner + vec2(DOT_RADIUS, 0.0), DOT_RADIUS, palette.panel(index).color);
        ui.add_space(DOT_WIDTH);
        let tip = format!(
            "Panel {name}: value under the cursor, as {}: {}, as 0 … 1: {}",
            unit.row().title,
            in_unit(*unit),
            in_unit(Unit::One)
        );
        let name = format!("{name} ");
        piece(ui, Piece { text: &in_unit(*unit), colour: palette.text, width, name: &name }, &tip);
    }
    unit_menu(ui, unit);
}

/// Draws the unit as a button, and the menu of units.
fn unit_menu(ui: &mut Ui, unit: &mut Unit) {
    let palette = Palette::of_ui(ui);
    let title = RichText::new(unit.row().title).size(LETTERS).color(palette.text);
    ui.spacing_mut().interact_size.y = PIECE_HEIGHT;
    let (response, _) = MenuButton::from_button(Button::new((title, Symbol::Down.text())).gap(0.0)).ui(ui, |ui| {
        for row in &UNITS {
            if ui.selectable_label(*unit == row.unit, row.title).clicked() {
                *unit = row.unit;
                ui.close();
            }
        }
    });
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Unit of values"));
    if !egui::Popup::is_any_open(&response.ctx) {
        response.on_hover_text(Keymap::in_force(ui).tooltip(Command::Inspect(InspectCommand::Unit)));
    }
}

/// A text of the status line.
#[derive(Clone, Copy)]
struct Piece<'a> {
    text: &'a str,
    colour: Color32,
    /// Minimum width, in points, so that changing figures move nothing.
    width: f32,
    /// What precedes it for assistive technology; may be empty.
    name: &'a str,
}

fn piece(ui: &mut Ui, piece: Piece<'_>, tip: &str) {
    let font = FontId::proportional(LETTERS);
    let galley = ui.painter().layout_no_wrap(piece.text.to_owned(), font, piece.colour);
    let size = vec2(galley.size().x.max(piece.width), PIECE_HEIGHT);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    let corner = Align2::LEFT_CENTER.anchor_size(rect.left_center(), galley.size()).min;
    ui.painter().galley(corner, galley, piece.colour);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{}{}", piece.name, piece.text)));
    response.on_hover_text(tip);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reason_is_shortened_to_the_message_of_the_driver() {
        let why = "the device failed: OpenGL's texture of 9×9 is not shared with CUDA: unknown error";
        assert_eq!(in_short(why), "unknown error");
        assert_eq!(in_short("no"), "no");
        let long = "the device failed: operation not supported on this kind of device at all";
        assert_eq!(in_short(long), "operation not supported on this…");
    }
}
