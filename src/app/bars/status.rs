//! Status line: the cursor's position, each panel's value there, what all panels have alike, the angle of a turned view, the unit, the
//! backend.

use std::time::Duration;

use egui::containers::menu::MenuButton;
use egui::{Align, Align2, Button, Color32, Layout, Response, Role, Sense, Ui, WidgetInfo, vec2};

use super::hint;
use super::panel_values::{LETTERS, LineForm, PIECE_HEIGHT, PanelValues, ValueDifference};
use crate::app::commands::{Command, InspectCommand, Keymap};
use crate::app::inspect::turn_drag::angle_text;
use crate::app::render::probe::Reading;
use crate::app::render::texture_sharing::PresentMode;
use crate::app::session::address_names::cursor_text;
use crate::app::session::coordinates::{COORDINATES, Coordinates};
use crate::app::session::hint::{Hint, MOVES};
use crate::app::session::preferences::Preferences;
use crate::app::session::unit::{UNITS, Unit};
use crate::app::session::{PanelArea, PanelId, Session};
use crate::app::widgets::fit::{first_that_fits, text_width};
use crate::app::widgets::line_text::LineText;
use crate::app::widgets::menu_item::choose;
use crate::app::widgets::symbol::Symbol;
use crate::app::widgets::theme::{Palette, SPACE, text_size};
use crate::arguments::address_titles;
use crate::backend::{BackendError, BackendKind, Startup};
use crate::text::short;

/// Height, in points.
pub(in crate::app) const HEIGHT: f32 = 28.0;
/// Gap between the pieces, and between the values of two panels, in points.
pub(in crate::app) const GAP: f32 = 3.0 * SPACE;
const PANELS_GAP: f32 = 5.0 * SPACE;
/// Least width of a window whose line has all chips of all panels, in points.
const WIDE_WINDOW: f32 = 1024.0;
/// Greatest share of a narrower line that is of the chips of all panels.
const CHIPS_SHARE: f32 = 0.15;
/// Greatest number of panels whose values are in the line. More are read beside the pictures.
const MOST_IN_LINE: usize = 4;
/// Width of the time, in points, so that changing figures move nothing.
const TIME_WIDTH: f32 = 44.0;
/// Maximum length of the reason for uploads, in characters. The tooltip shows the whole reason.
const MAX_REASON: usize = 32;
/// Time after the last rendered frame from which on the window is idle.
const IDLE_AFTER: Duration = Duration::from_secs(1);

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

/// What came of drawing the line.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::app) struct StatusResponse {
    /// Whether the line has no room for all values, so that headers have to show them.
    pub(in crate::app) has_more: bool,
    /// The command of the button of a hint.
    pub(in crate::app) asked: Option<Command>,
}

/// Whether the line in a window `window` points wide has room for the chips of what all panels have alike, which are `chips` points wide with
/// their gaps.
pub(in crate::app) fn has_chips(window: f32, chips: f32) -> bool {
    window >= WIDE_WINDOW || chips <= CHIPS_SHARE * window
}

/// Draws the status line: at the left the position under the cursor and each panel's value there, or what the panels show, or what can be done
/// with a picture, then the time of the last frame where there is room; at the right what all panels have alike (`common_chips` draws it, where
/// there is room), the backend, and the button of the menu of units and of conventions of positions. The button has one place, since the pointer
/// leaves the pictures, and with them the values, on the way to it. `hint` is that of panels without room for it.
pub(in crate::app) fn show(
    ui: &mut Ui,
    session: &mut Session,
    preferences: &mut Preferences,
    (reading, in_headers, hint): (Option<&Reading>, &[PanelId], Option<&Hint>),
    (drawn, common_chips): (&RenderStatus, Option<impl FnOnce(&mut Ui, &mut Session)>),
) -> StatusResponse {
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
            // The CPU backend needs no attention.
            (None, None) if matches!(drawn.backends[..], [BackendKind::Cpu]) => (String::new(), String::new()),
            (None, None) => (backend, String::new()),
        };
        unit_menu(ui, preferences, session.page().maxval());
        let tip = format!("Backend ({way}), and processor time of the last frame, {took}{why}");
        if !backend.is_empty() {
            piece(ui, Piece { text: &backend, colour: palette.weak, width: 0.0 }).on_hover_text(&tip);
        }
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
        // They come and go with the view: nothing at their right moves.
        if let Some(show) = common_chips {
            show(ui, session);
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            // The clip keeps what does not fit from being painted over the backend.
            ui.shrink_clip_rect(ui.max_rect());
            let response = match reading {
                Some(reading) => {
                    show_position(ui, session, preferences.coordinates, reading);
                    let has_more = show_reading(ui, session, preferences.unit, (reading, in_headers));
                    StatusResponse { has_more, asked: None }
                }
                None => StatusResponse { has_more: false, asked: show_hint(ui, hint) },
            };
            // The time of an earlier frame is no news.
            if !is_idle && ui.available_width() >= TIME_WIDTH {
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    let time = Piece { text: &took, colour: palette.weak, width: TIME_WIDTH };
                    aligned_piece(ui, time, Align2::RIGHT_CENTER).on_hover_text(&tip);
                });
            }
            response
        })
        .inner
    })
    .inner
}

/// Says what the panels show, with the button of the hint, if there is a `hint`, else what can be done with a picture, in as many words as
/// there is room for. Returns the command of the button if it is clicked.
fn show_hint(ui: &mut Ui, hint: Option<&Hint>) -> Option<Command> {
    let palette = Palette::of_ui(ui);
    if let Some((hint, headline)) = hint.and_then(|hint| Some((hint, hint.headline()?))) {
        LineText { size: LETTERS, ..LineText::medium(headline) }.label(ui, palette.text);
        let asked = hint::action(ui, hint.action, (PIECE_HEIGHT, LETTERS));
        let how = LineText::regular(MOVES, LETTERS);
        if how.width(ui.painter()) <= ui.available_width() {
            how.label(ui, palette.weak);
        }
        return asked;
    }
    let keys = Keymap::in_force(ui).key_text(Command::Help);
    let lists = if keys.is_empty() { String::new() } else { format!(" · {keys} lists the keys") };
    let [short, drop] = ["Point at a picture to read its values", " · Drop a file to open it"];
    let hints = [format!("{short}{drop}{lists}"), format!("{short}{lists}"), short.to_owned()];
    let widths: Vec<f32> = hints.iter().map(|hint| text_width(ui, hint, LETTERS)).collect();
    let hint = &hints[first_that_fits(ui.available_width(), &widths)];
    LineText::regular(hint, LETTERS).label(ui, palette.weak);
    None
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

/// Draws the position under the cursor; of a volume in three dimensions.
fn show_position(ui: &mut Ui, session: &Session, coordinates: Coordinates, reading: &Reading) {
    if session.volume_of(session.focused()).is_some() {
        let Some(panel) = session.index_of(reading.panel) else { return };
        if let Some(place) = session.place_in_volume(panel, session.position_at(panel, reading.pos_in_image)) {
            show_place(ui, place, session.has_times(panel).then(|| session.plane_of(panel).time));
        }
        return;
    }
    let (row, lengths) = (coordinates.row(), session.page().size().sides());
    let position = session.position_at(session.focused(), reading.pos_in_image);
    for axis in [0, 1] {
        let text = coordinates.text(axis, position[axis], lengths[axis]);
        let width = text_width(ui, &coordinates.widest(axis, lengths[axis]), LETTERS);
        piece(ui, Piece { text: &text, colour: Palette::of_ui(ui).text, width })
            .on_hover_text(format!("{}: {}", row.title, row.help));
    }
}

/// Draws a position in a volume, in samples of the volume, with the time of one that changes.
fn show_place(ui: &mut Ui, place: [f64; 3], time: Option<f64>) {
    let colour = Palette::of_ui(ui).text;
    for (letter, position) in ["x", "y", "z"].into_iter().zip(place) {
        let text = format!("{letter} {position:.2}").replace('-', "−");
        let width = text_width(ui, &format!("{letter} 0000.00"), LETTERS);
        piece(ui, Piece { text: &text, colour, width })
            .on_hover_text("Position in the volume, in samples: the first is at 0");
    }
    if let Some(time) = time {
        let (text, width) = (format!("t {time:.2}"), text_width(ui, "t 0000.00", LETTERS));
        piece(ui, Piece { text: &text, colour, width }).on_hover_text("Time, in samples: the first is at 0");
    }
}

/// Draws each panel's values under the cursor. Where they do not fit, and of more than four panels whose headers have room for them, those of
/// the panel under the pointer, of the focused panel and of panels whose headers have none (`in_headers` have). Returns whether headers have
/// to show values.
fn show_reading(ui: &mut Ui, session: &Session, unit: Unit, (reading, in_headers): (&Reading, &[PanelId])) -> bool {
    let palette = Palette::of_ui(ui);
    if session.inspect.state.shows_outside {
        let [column, row] =
            cursor_text(session, session.focused(), session.position_at(session.focused(), reading.pos_in_image));
        piece(ui, Piece { text: &format!("{column}   {row}"), colour: palette.text, width: 0.0 });
    }
    let mut values = PanelValues::of_reading(session, unit, reading);
    let room = ui.available_width();
    let width = |values: &[PanelValues], form: LineForm| {
        let gaps = PANELS_GAP * values.len().saturating_sub(1) as f32;
        gaps + values.iter().map(|values| values.width(ui, form)).sum::<f32>()
    };
    let form_in = |values: &[PanelValues], room: f32| LineForm::of(values).find(|form| width(values, *form) <= room);
    let form_of = |values: &[PanelValues]| form_in(values, room);
    let are_many = values.len() > MOST_IN_LINE;
    let are_in_headers = are_many && values.iter().all(|values| in_headers.contains(&values.panel));
    if let Some((form, difference)) = shown_difference(session, &values)
        .and_then(|difference| Some((form_in(&values, room - PANELS_GAP - difference.width(ui))?, difference)))
    {
        show_values(ui, &values, form);
        ui.add_space(PANELS_GAP - GAP);
        difference.show(ui);
        return false;
    }
    if let Some(form) = form_of(&values).filter(|_| !are_in_headers) {
        show_values(ui, &values, form);
        if let Some(text) =
            outside_text(session, reading).filter(|text| text_width(ui, text, LETTERS) <= ui.available_width())
        {
            piece(ui, Piece { text: &text, colour: palette.weak, width: 0.0 });
        }
        return are_many;
    }
    let focused = session.panels()[session.focused()].id();
    let is_first = |values: &PanelValues| values.panel == reading.panel || values.panel == focused;
    values.retain(|values| is_first(values) || !in_headers.contains(&values.panel));
    values.sort_by_key(|values| (values.panel != reading.panel, values.panel != focused));
    let fitting = form_of(&values);
    if values.len() == 2 && fitting.is_some() {
        // In the order of their difference.
        values.sort_by_key(|values| values.panel != focused);
    }
    let form = fitting.unwrap_or(LineForm::WITHOUT_LETTERS);
    for (place, of_panel) in values.iter().enumerate() {
        if place > 0 {
            ui.add_space(PANELS_GAP - GAP);
        }
        let rest = values.len() - place;
        let after = if rest > 1 { GAP + text_width(ui, &format!("+{}", rest - 1), LETTERS) } else { 0.0 };
        if of_panel.width(ui, form) + after > ui.available_width() {
            // All that follow are in headers.
            if values[place..].iter().all(|values| in_headers.contains(&values.panel)) {
                break;
            }
            // A clipped number would be read as another number.
            let texts = [more_text(ui, rest), format!("+{rest}")];
            let widths = texts.each_ref().map(|text| text_width(ui, text, LETTERS));
            let text = &texts[first_that_fits(ui.available_width(), &widths)];
            piece(ui, Piece { text, colour: palette.weak, width: 0.0 });
            break;
        }
        of_panel.show(ui, form);
    }
    // The headers have the values, too: the line says the focused panel minus the one under the pointer, as the difference has them.
    if let [first, pointed] = &values[..]
        && first.panel == focused
        && let Some(difference) = first.minus(pointed, None)
        && let Some(response) = difference.show(ui)
    {
        response.on_hover_text(format!("{} minus {}", first.name(), pointed.name()));
    }
    true
}

/// The difference on show under the cursor, of the values of its two panels; `None` without a difference.
fn shown_difference(session: &Session, values: &[PanelValues]) -> Option<ValueDifference> {
    let [PanelArea::Difference(_)] = session.areas()[..] else { return None };
    let [first, second] = values else { return None };
    first.minus(second, Some(session.gain().recip()))
}

/// Draws the values of panels.
fn show_values(ui: &mut Ui, values: &[PanelValues], form: LineForm) {
    for (place, values) in values.iter().enumerate() {
        if place > 0 {
            ui.add_space(PANELS_GAP - GAP);
        }
        values.show(ui, form);
    }
}

/// Where values come from while the pointer is outside the image of its panel, as long as that is covered: `Outside: clamp`. The overlay of what lies outside has
/// words of its own.
fn outside_text(session: &Session, reading: &Reading) -> Option<String> {
    let panel =
        session.index_of(reading.panel).filter(|_| session.dims_outside() && !session.inspect.state.shows_outside)?;
    let sides = session.page_of(panel).size().sides();
    let is_inside = |axis: usize| (-0.5..=f64::from(sides[axis]) - 0.5).contains(&reading.pos_in_image[axis]);
    let is_outside = session.volume_of(panel).is_none() && !(is_inside(0) && is_inside(1));
    let address = session.panels()[panel].sampler.address;
    is_outside.then(|| format!("Outside: {}", address_titles(address).to_lowercase()))
}

/// In place of the values of `rest` panels, which do not fit: their number, and the key that lists the values of all panels.
fn more_text(ui: &Ui, rest: usize) -> String {
    match Keymap::in_force(ui).key_text(Command::Inspect(InspectCommand::Pin)).as_str() {
        "" => format!("+{rest}"),
        key => format!("+{rest} · {key} lists all"),
    }
}

/// Draws the unit of values as the button of a menu: units, and conventions of positions.
fn unit_menu(ui: &mut Ui, preferences: &mut Preferences, maxval: u16) {
    let palette = Palette::of_ui(ui);
    let range = match preferences.unit {
        Unit::File => format!("0–{}", preferences.unit.one(maxval)),
        unit @ (Unit::One | Unit::Byte | Unit::Word | Unit::Hex) => unit.row().title.replace(" … ", "–"),
    };
    let title = LineText::regular(&format!("Unit {range}"), LETTERS).within(ui.painter(), f32::INFINITY);
    ui.spacing_mut().interact_size.y = PIECE_HEIGHT;
    let button = Button::new((title.atom(palette.text), Symbol::caret(palette.weak))).gap(SPACE).fill(palette.surface);
    let (response, _) = MenuButton::from_button(button).ui(ui, |ui| {
        heading(ui, "Values");
        for row in &UNITS {
            if choose(ui, &mut preferences.unit, row.unit, row.title).clicked() {
                ui.close();
            }
        }
        ui.separator();
        heading(ui, "Position");
        for row in &COORDINATES {
            if choose(ui, &mut preferences.coordinates, row.coordinates, row.title).on_hover_text(row.help).clicked() {
                ui.close();
            }
        }
    });
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Unit of values"));
    if !egui::Popup::is_any_open(&response.ctx) {
        let unit = Keymap::in_force(ui).tooltip(Command::Inspect(InspectCommand::Unit));
        response.on_hover_text(format!("Unit of values, and convention of positions. {unit}"));
    }
}

/// Draws the heading of a part of a menu.
fn heading(ui: &mut Ui, text: &str) {
    LineText::regular(text, text_size::UNIT).label(ui, Palette::of_ui(ui).weak);
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
    let text = LineText::regular(piece.text, LETTERS).within(ui.painter(), f32::INFINITY);
    let (rect, response) = ui.allocate_exact_size(vec2(text.width().max(piece.width), PIECE_HEIGHT), Sense::hover());
    let left = align.align_size_within_rect(vec2(text.width(), rect.height()), rect).left_center();
    text.paint(ui.painter(), left, piece.colour);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, piece.text));
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
