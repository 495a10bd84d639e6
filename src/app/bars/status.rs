//! Status line: the cursor's position, each panel's value there, the angle of a turned view, the unit, the backend.

use std::time::Duration;

use egui::containers::menu::MenuButton;
use egui::text::{LayoutJob, TextFormat};
use egui::{
    Align, Align2, Button, Color32, CursorIcon, FontId, Layout, Response, Role, Sense, Stroke, StrokeKind, Ui,
    WidgetInfo, pos2, vec2,
};

use crate::app::commands::{Command, InspectCommand, Keymap};
use crate::app::inspect::turn_drag::angle_text;
use crate::app::render::probe::Reading;
use crate::app::render::texture_sharing::PresentMode;
use crate::app::session::Session;
use crate::app::session::address_names::cursor_text;
use crate::app::session::coordinates::Coordinates;
use crate::app::session::preferences::Preferences;
use crate::app::session::unit::{UNITS, Unit};
use crate::app::widgets::fit::{baseline, text_width};
use crate::app::widgets::line_text::{LineText, line_of_row};
use crate::app::widgets::number::short;
use crate::app::widgets::symbol::Symbol;
use crate::app::widgets::theme::{Palette, RADIUS, SPACE, text_size};
use crate::backend::{BackendError, BackendKind, Startup};

/// Height, in points.
pub(in crate::app) const HEIGHT: f32 = 28.0;
/// Gap between the pieces, in points.
const GAP: f32 = 3.0 * SPACE;
/// Radius of a panel's dot, and its width with the gap before the value, in points.
const DOT_RADIUS: f32 = 4.0;
const DOT_WIDTH: f32 = 2.0 * DOT_RADIUS + 1.5 * SPACE;
/// Width of the time, in points.
const TIME_WIDTH: f32 = 44.0;
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

/// Draws the status line: the position under the cursor, in a convention that a click changes, and each panel's value there; at
/// the right the unit, the backend and its time. The unit is chosen in its menu. It has one place, since the pointer leaves the pictures, and with them the values, on
/// the way to it.
pub(in crate::app) fn show(
    ui: &mut Ui,
    session: &Session,
    preferences: &mut Preferences,
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
        let time = if is_idle { "idle" } else { took.as_str() };
        // The backend first: before its name, *idle* would read as an adjective.
        let time = Piece { text: time, colour: palette.faint, width: TIME_WIDTH };
        // Its right end is the line's, whatever it says.
        aligned_piece(ui, time, Align2::RIGHT_CENTER).on_hover_text(&tip);
        piece(ui, Piece { text: &backend, colour: palette.weak, width: 0.0 }).on_hover_text(&tip);
        unit_menu(ui, &mut preferences.unit, session.page().maxval());
        let angle_deg = session.view().angle_deg();
        if angle_deg != 0.0 {
            let tip = "Angle of the focused panel, counter-clockwise";
            let upright = Keymap::in_force(ui).tooltip(Command::Upright);
            let text = format!("Turned {}", angle_text(angle_deg));
            piece(ui, Piece { text: &text, colour: palette.text, width: 0.0 })
                .on_hover_text(format!("{tip}. {upright}"));
        }
        let view = session.view();
        if !view.has_square_pixels() {
            let square = Keymap::in_force(ui).tooltip(Command::SquarePixels);
            let text = format!("Stretched {}×", short(view.ratio().recip(), 4));
            let tip = format!("Height of a sample of the focused panel over its width. {square}");
            piece(ui, Piece { text: &text, colour: palette.text, width: 0.0 }).on_hover_text(tip);
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            // The clip keeps what does not fit from being painted over the backend.
            ui.shrink_clip_rect(ui.max_rect());
            show_position(ui, session, &mut preferences.coordinates, reading);
            match reading {
                Some(reading) => show_reading(ui, session, preferences.unit, reading),
                None => {
                    // The hint of the first view, in the toolbar, says what is seen.
                    let hint = if session.hint().is_some() {
                        let keys = Keymap::in_force(ui).key_text(Command::Help);
                        let lists = if keys.is_empty() { String::new() } else { format!(" · {keys} lists the keys") };
                        format!("Scroll to zoom · Drag to move{lists}")
                    } else {
                        "Point at a picture to read its values. Drop a file to open it".to_owned()
                    };
                    LineText::regular(&hint, LETTERS).label(ui, palette.weak);
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
    format!("{}×", short(1.0 / scale, 3))
}

/// Draws the position under the cursor, and without one the letters of its convention: the pointer leaves the pictures on
/// the way here. A click selects the next convention.
fn show_position(ui: &mut Ui, session: &Session, coordinates: &mut Coordinates, reading: Option<&Reading>) {
    let palette = Palette::of_ui(ui);
    if session.volume_of(session.focused()).is_some() {
        let place = reading.and_then(|reading| {
            let panel = session.index_of(reading.panel)?;
            let place = session.place_in_volume(panel, session.position_at(panel, reading.pos_in_image))?;
            Some((place, session.has_times(panel).then(|| session.plane_of(panel).time)))
        });
        return show_place(ui, place);
    }
    let shown = *coordinates;
    let (row, next) = (shown.row(), shown.next().row());
    let tip = format!("{}: {}.\nClick for {}", row.title, row.help, next.title.to_lowercase());
    let lengths = session.page().size().sides();
    for axis in [0, 1] {
        let (text, colour, width) = match reading {
            Some(reading) => {
                let position = session.position_at(session.focused(), reading.pos_in_image);
                let text = shown.text(axis, position[axis], lengths[axis]);
                (text, palette.text, text_width(ui, &shown.widest(axis), LETTERS))
            }
            None => (format!("{} –", row.letters[axis]), palette.weak, 0.0),
        };
        let response = sensing_piece(ui, Piece { text: &text, colour, width }, Align2::LEFT_CENTER, Sense::click());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &text));
        let response = response.on_hover_cursor(CursorIcon::PointingHand);
        if response.hovered() {
            ui.painter().rect_stroke(response.rect, RADIUS, Stroke::new(1.0, palette.line), StrokeKind::Outside);
        }
        if response.on_hover_text(&tip).clicked() {
            *coordinates = shown.next();
        }
    }
}

/// Draws the position in a volume under the cursor, in samples of the volume, with the time of one that changes; without one the
/// letters.
fn show_place(ui: &mut Ui, place: Option<([f64; 3], Option<f64>)>) {
    let palette = Palette::of_ui(ui);
    for (axis, letter) in ["x", "y", "z"].into_iter().enumerate() {
        let (text, colour, width) = match place {
            Some((place, _)) => (
                format!("{letter} {:.2}", place[axis]),
                palette.text,
                text_width(ui, &format!("{letter} 0000.00"), LETTERS),
            ),
            None => (format!("{letter} –"), palette.weak, 0.0),
        };
        piece(ui, Piece { text: &text, colour, width })
            .on_hover_text("Position in the volume, in samples: the first is at 0");
    }
    if let Some((_, Some(time))) = place {
        let (text, width) = (format!("t {time:.2}"), text_width(ui, "t 0000.00", LETTERS));
        piece(ui, Piece { text: &text, colour: palette.text, width })
            .on_hover_text("Time, in samples: the first is at 0");
    }
}

/// Draws each panel's values under the cursor.
fn show_reading(ui: &mut Ui, session: &Session, unit: Unit, reading: &Reading) {
    let palette = Palette::of_ui(ui);
    if session.inspect.state.shows_outside {
        let [column, row] =
            cursor_text(session, session.focused(), session.position_at(session.focused(), reading.pos_in_image));
        piece(ui, Piece { text: &format!("{column}   {row}"), colour: palette.text, width: 0.0 });
    }
    let values: Vec<PanelValues> = reading
        .values
        .iter()
        // A panel may have been closed meanwhile.
        .filter_map(|(panel, values)| Some(PanelValues::new(ui, session, session.index_of(*panel)?, (values, unit))))
        .collect();
    let gaps = GAP * values.len().saturating_sub(1) as f32;
    let all = gaps + values.iter().map(|values| values.width(ui, true)).sum::<f32>();
    let has_letters = all <= ui.available_width();
    let more = text_width(ui, MORE, LETTERS);
    for (place, of_panel) in values.iter().enumerate() {
        let after = if place + 1 < values.len() { GAP + more } else { 0.0 };
        if of_panel.width(ui, has_letters) + after > ui.available_width() {
            // A clipped number would be read as another number.
            piece(ui, Piece { text: MORE, colour: palette.weak, width: more });
            break;
        }
        of_panel.show(ui, has_letters);
    }
}

/// Values of one panel under the cursor.
struct PanelValues {
    index: usize,
    /// Name with number.
    name: String,
    /// The values in the unit, one per channel; empty if the panel could not be rendered.
    numbers: Vec<String>,
    /// First letters of the channels; empty for a single channel.
    letters: Vec<&'static str>,
    /// Width of all numbers, in points, so that changing figures move nothing.
    numbers_width: f32,
}

impl PanelValues {
    fn new(ui: &Ui, session: &Session, index: usize, (values, unit): (&[f32], Unit)) -> Self {
        let page = session.page_of(index);
        let maxval = page.maxval();
        let numbers: Vec<String> = values.iter().map(|value| unit.text(*value, maxval)).collect();
        let letters = page.channels().names().iter().filter_map(|name| name.get(..1));
        let letters = if numbers.len() > 1 { letters.collect() } else { Vec::new() };
        let widest = (unit.one(maxval).to_string().len() + 3).max(5);
        let numbers_width = text_width(ui, &"0".repeat(widest * numbers.len().max(1)), LETTERS);
        Self { index, name: session.panel_name(index).numbered(), numbers, letters, numbers_width }
    }

    /// Width with its dot, in points.
    fn width(&self, ui: &Ui, has_letters: bool) -> f32 {
        let letters: f32 = self.letters.iter().map(|letter| text_width(ui, letter, LETTERS) + SPACE).sum();
        DOT_WIDTH + self.numbers_width + if has_letters { letters } else { 0.0 }
    }

    /// Draws the dot and the numbers.
    fn show(&self, ui: &mut Ui, has_letters: bool) {
        let palette = Palette::of_ui(ui);
        let corner = ui.cursor().left_center();
        ui.painter().circle_filled(corner + vec2(DOT_RADIUS, 0.0), DOT_RADIUS, palette.panel(self.index).color);
        ui.add_space(DOT_WIDTH);
        let mut job = LayoutJob::default();
        let mut add = |text: &str, colour: Color32, before: f32| {
            job.append(text, before, TextFormat::simple(FontId::proportional(LETTERS), colour));
        };
        for (place, number) in self.numbers.iter().enumerate() {
            let mut before = if place > 0 { 2.0 * SPACE } else { 0.0 };
            if let Some(letter) = self.letters.get(place).filter(|_| has_letters) {
                add(letter, palette.faint, before);
                before = SPACE;
            }
            add(number, palette.text, before);
        }
        if self.numbers.is_empty() {
            add("–", palette.text, 0.0);
        }
        let texts = |place: usize| match self.letters.get(place).filter(|_| has_letters) {
            Some(letter) => format!("{letter} {}", self.numbers[place]),
            None => self.numbers[place].clone(),
        };
        let text: Vec<String> = (0..self.numbers.len()).map(texts).collect();
        let label = format!("{} {}", self.name, if text.is_empty() { "–".to_owned() } else { text.join("  ") });
        let galley = ui.painter().layout_job(job);
        let width = galley.size().x.max(self.width(ui, has_letters) - DOT_WIDTH);
        let (rect, response) = ui.allocate_exact_size(vec2(width, PIECE_HEIGHT), Sense::hover());
        let line = line_of_row(ui.painter(), rect.center().y);
        ui.painter().galley(pos2(rect.left(), line - baseline(&galley)), galley, palette.text);
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &label));
    }
}

/// Draws the unit as a button, and the menu of units.
fn unit_menu(ui: &mut Ui, unit: &mut Unit, maxval: u16) {
    let palette = Palette::of_ui(ui);
    let range = match unit {
        Unit::File => format!("0 … {}", unit.one(maxval)),
        Unit::One | Unit::Byte | Unit::Word | Unit::Hex => unit.row().title.to_owned(),
    };
    let title = LineText::regular(&format!("Values {range}"), LETTERS).within(ui.painter(), f32::INFINITY);
    ui.spacing_mut().interact_size.y = PIECE_HEIGHT;
    let button = Button::new((title.atom(palette.weak), Symbol::caret(palette.weak))).gap(SPACE).fill(palette.surface);
    let (response, _) = MenuButton::from_button(button).ui(ui, |ui| {
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
}

/// Draws a text at the start of its place.
fn piece(ui: &mut Ui, piece: Piece<'_>) -> Response {
    aligned_piece(ui, piece, Align2::LEFT_CENTER)
}

/// The same with its place in its width.
fn aligned_piece(ui: &mut Ui, piece: Piece<'_>, align: Align2) -> Response {
    let response = sensing_piece(ui, piece, align, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, piece.text));
    response
}

/// The same with what its place senses. A place that is given a sense later loses the keyboard's focus in each frame.
fn sensing_piece(ui: &mut Ui, piece: Piece<'_>, align: Align2, sense: Sense) -> Response {
    let text = LineText::regular(piece.text, LETTERS).within(ui.painter(), f32::INFINITY);
    let (rect, response) = ui.allocate_exact_size(vec2(text.width().max(piece.width), PIECE_HEIGHT), sense);
    let left = align.align_size_within_rect(vec2(text.width(), rect.height()), rect).left_center();
    text.paint(ui.painter(), left, piece.colour);
    response
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
