//! The open images: a list with thumbnails in the side bar, and their numbers in the toolbar.

use std::sync::Arc;

use egui::text::{LayoutJob, TextWrapping};
use egui::{
    Align2, Button, Color32, CursorIcon, DragAndDrop, FontId, Galley, Id, LayerId, Order, Popup, Pos2, Rect, Response,
    Role, Sense, Stroke, StrokeKind, TextStyle, Ui, WidgetInfo, pos2, vec2,
};

use crate::app::commands::{Command, Keymap};
use crate::app::inspect::Overlays;
use crate::app::session::{ImageId, Session};
use crate::app::widgets::number::sides_text;
use crate::app::widgets::theme::{Palette, SMALL_RADIUS, SPACE, text_size};
use crate::complex::ComplexImage;
use crate::image::{Channels, Depth, Image, Page};
use crate::text::short;
use crate::volume::{Orientation, Volume};

/// Height of a row, in points.
const ROW: f32 = 44.0;
/// Side of a thumbnail's square, in points.
const THUMBNAIL: f32 = 36.0;
/// Width that a row keeps for its button, in points.
const CLOSE_WIDTH: f32 = 30.0;
/// Height of the longest list that is not scrolled, in points.
const MAX_HEIGHT: f32 = 6.5 * ROW;

/// Payload of the drag of a row.
#[derive(Clone, Copy)]
struct DraggedImage(ImageId);

/// A change of the list, applied after all rows are drawn.
enum ListEdit {
    Show(ImageId),
    ShowInFocused(ImageId),
    Close(ImageId),
    Move(ImageId, usize),
    /// Locate the file of a missing image.
    Locate(ImageId),
}

/// Letter of the image at `place`: A to Z, then numbers from 27 on.
pub(in crate::app) fn letter(place: usize) -> String {
    match u8::try_from(place) {
        Ok(place @ 0..26) => char::from(b'A' + place).to_string(),
        _ => (place + 1).to_string(),
    }
}

/// Size, channels and depth of a page: `512×512 · grey · 8 bit`.
pub(in crate::app) fn facts(page: &Page) -> String {
    let channels = match page.channels() {
        Channels::Grey => "grey",
        Channels::GreyAlpha => "grey, alpha",
        Channels::Rgb => "colour",
        Channels::Rgba => "colour, alpha",
    };
    let depth = match page.depth() {
        Depth::Integer { maxval } if maxval.get() <= 255 => "8 bit",
        Depth::Integer { .. } => "16 bit",
        Depth::Float => "float",
    };
    format!("{} · {channels} · {depth}", sides_text(page.size().sides()))
}

/// Number of the focused panel's image among the open ones, and of its page, where there are several: `2 / 8`,
/// `page 1 / 4`.
pub(in crate::app) fn numbers(session: &Session) -> Vec<(String, [Command; 2])> {
    let (images, pages) = (session.images().len(), session.image().pages().len());
    let mut numbers = Vec::new();
    if images > 1 {
        numbers.push((format!("{} / {images}", session.shown() + 1), [Command::PreviousImage, Command::NextImage]));
    }
    if let Some(text) = slice_text(session) {
        numbers.push((text, [Command::PreviousPage, Command::NextPage]));
        if let Some(text) = time_text(session) {
            numbers.push((text, [Command::PreviousTime, Command::NextTime]));
        }
    } else if pages > 1 {
        let text = format!("page {} / {pages}", session.page_index() + 1);
        numbers.push((text, [Command::PreviousPage, Command::NextPage]));
    }
    numbers
}

/// Position of the focused panel's plane of a volume, from 0: `z 32 / 63`, `distance 4.5`; `None` for any other image.
pub(in crate::app::bars) fn slice_text(session: &Session) -> Option<String> {
    let (volume, plane) = (session.volume_of(session.focused())?, session.plane_of(session.focused()));
    let shape = volume.shape();
    let position = short(shape.position(&plane), 5);
    Some(match plane.orientation {
        Orientation::Main(main) => {
            let [_, last] = shape.range(plane.orientation);
            format!("{} {position} / {last}", ["x", "y", "z"][main.row().normal])
        }
        Orientation::Oblique { .. } => format!("distance {position}"),
    })
}

/// Position in time of the focused panel, from 0: `time 2.5 / 7`; `None` for an image that does not change.
fn time_text(session: &Session) -> Option<String> {
    let focused = session.focused();
    let volume = session.volume_of(focused).filter(|_| session.has_times(focused))?;
    Some(format!("time {} / {}", short(session.plane_of(focused).time, 5), volume.shape().last_time()))
}

/// Draws the list. Appends the commands of its buttons to `asked`.
pub(in crate::app) fn show(ui: &mut Ui, session: &mut Session, overlays: &mut Overlays, asked: &mut Vec<Command>) {
    let pages: Vec<_> = session.images().iter().map(|image| image.pages()[0].id()).collect();
    overlays.thumbnails.retain(&pages);
    let mut edit = None;
    let height = (session.images().len() as f32 * ROW).min(MAX_HEIGHT);
    egui::ScrollArea::vertical().id_salt("images").max_height(height).auto_shrink([false, true]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        let mut rects = Vec::new();
        for place in 0..session.images().len() {
            let id = session.image_ids()[place];
            let response = ui.push_id(id, |ui| row(ui, session, overlays, place, &mut edit)).inner;
            rects.push(response.rect);
        }
        receive(ui, session, &rects, &mut edit);
    });
    match edit {
        Some(ListEdit::Show(id)) => place_of(session, id).into_iter().for_each(|place| session.show_image(place)),
        Some(ListEdit::ShowInFocused(id)) => {
            let index = session.focused();
            place_of(session, id).into_iter().for_each(|place| session.show_image_in(index, place));
        }
        Some(ListEdit::Close(id)) => drop(session.close_image(id)),
        Some(ListEdit::Move(id, place)) => session.move_image(id, place),
        Some(ListEdit::Locate(id)) => {
            place_of(session, id).into_iter().for_each(|place| session.show_image(place));
            asked.push(Command::LocateImage);
        }
        None => {}
    }
}

fn place_of(session: &Session, id: ImageId) -> Option<usize> {
    session.place_of_image(id)
}

/// Draws the row of the image at `place`.
fn row(ui: &mut Ui, session: &Session, overlays: &mut Overlays, place: usize, edit: &mut Option<ListEdit>) -> Response {
    let palette = Palette::of_ui(ui);
    let (image, id) = (&session.images()[place], session.image_ids()[place]);
    let is_shown = place == session.shown();
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click_and_drag());
    let name = format!("{} {}", letter(place), image.name());
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_shown, &name));
    let is_hovered = response.hovered() || response.has_focus();
    if is_shown || is_hovered {
        ui.painter().rect_filled(rect, SMALL_RADIUS, if is_hovered { palette.hovered } else { palette.control });
    }
    let square = Rect::from_center_size(
        pos2(rect.left() + 0.5 * THUMBNAIL + SPACE, rect.center().y),
        vec2(THUMBNAIL, THUMBNAIL),
    );
    paint_thumbnail(ui, overlays, image, square);
    paint_text(ui, session, place, Rect::from_min_max(pos2(square.right() + 2.0 * SPACE, rect.top()), rect.max));
    let close = Rect::from_center_size(pos2(rect.right() - 16.0, rect.center().y), vec2(24.0, 24.0));
    let can_close = session.images().len() > 1;
    if can_close && (is_hovered || ui.rect_contains_pointer(rect)) {
        let button = ui.put(close, Button::new("×").frame_when_inactive(false)).on_hover_text("Closes this image");
        button.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Close {}", image.name())));
        if button.clicked() {
            *edit = Some(ListEdit::Close(id));
        }
    }
    drag(ui, &response, id, image);
    if response.clicked() {
        let alone = ui.input(|input| input.modifiers.command);
        *edit = Some(if alone { ListEdit::ShowInFocused(id) } else { ListEdit::Show(id) });
    }
    if response.middle_clicked() && can_close {
        *edit = Some(ListEdit::Close(id));
    }
    Popup::context_menu(&response).show(|ui| menu(ui, session, place, edit));
    let key = Keymap::in_force(ui).key_text(Command::FindImage);
    let by_letter = if key.is_empty() { String::new() } else { format!("{key}, then {}, shows it; ", letter(place)) };
    let tip = format!(
        "{}\n{}\n{by_letter}Ctrl+click shows it in the focused panel alone\nDrag to reorder",
        image.name(),
        of_image(image)
    );
    if !Popup::is_any_open(ui) { response.on_hover_text(tip) } else { response }
}

/// Facts of an image, with its pages.
fn of_image(image: &Image) -> String {
    if image.is_missing() {
        return "The file cannot be opened".to_owned();
    }
    if let Some(volume) = Volume::of(&image.pages()[0]) {
        let ([width, height, depth], times) = (volume.shape().size, volume.shape().times);
        let times = if times > 1 { format!(" × {times} times") } else { String::new() };
        return format!("{width} × {height} × {depth}{times} · volume · float");
    }
    if ComplexImage::of(&image.pages()[0]).is_some() {
        return format!("{} · complex · float", sides_text(image.pages()[0].size().sides()));
    }
    let pages = image.pages().len();
    let more = if pages > 1 { format!(" · {pages} pages") } else { String::new() };
    format!("{}{more}", facts(&image.pages()[0]))
}

fn paint_thumbnail(ui: &Ui, overlays: &mut Overlays, image: &Image, square: Rect) {
    let palette = Palette::of_ui(ui);
    if image.is_missing() {
        ui.painter().rect_stroke(square, 2.0, Stroke::new(1.0, palette.error), StrokeKind::Inside);
        let font = TextStyle::Heading.resolve(ui.style());
        ui.painter().text(square.center(), Align2::CENTER_CENTER, "?", font, palette.error);
        return;
    }
    let texture = overlays.thumbnails.of(ui, &image.pages()[0]);
    let size = texture.size_vec2();
    let shown = Rect::from_center_size(square.center(), size * (THUMBNAIL / size.max_elem()));
    let whole = Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0));
    ui.painter().image(texture.id(), shown, whole, Color32::WHITE);
    ui.painter().rect_stroke(shown, 0.0, Stroke::new(1.0, palette.line), StrokeKind::Outside);
}

/// Draws letter and name, and below them the facts; what does not fit ends in an ellipsis.
fn paint_text(ui: &Ui, session: &Session, place: usize, rect: Rect) {
    let palette = Palette::of_ui(ui);
    let image = &session.images()[place];
    let right = rect.right() - CLOSE_WIDTH;
    let elided = |text: String, size: f32, colour: Color32, left: f32| {
        let mut job = LayoutJob::simple_singleline(text, FontId::proportional(size), colour);
        job.wrap = TextWrapping::truncate_at_width((right - left).max(0.0));
        ui.painter().layout_job(job)
    };
    let paint = |galley: Arc<Galley>, left: f32, y: f32| {
        let at = Align2::LEFT_CENTER.anchor_size(pos2(left, y), galley.size());
        ui.painter().galley(at.min, galley, palette.text);
        at.right()
    };
    let top = rect.top() + 0.32 * ROW;
    // Of one image alone there is nothing to choose by a letter.
    let left = if session.images().len() > 1 {
        paint(elided(letter(place), text_size::BODY, palette.weak, rect.left()), rect.left(), top) + 1.5 * SPACE
    } else {
        rect.left()
    };
    paint(elided(image.name().to_owned(), text_size::BODY, palette.text, left), left, top);
    let colour = if image.is_missing() { palette.error } else { palette.weak };
    paint(elided(of_image(image), text_size::UNIT, colour, rect.left()), rect.left(), rect.top() + 0.7 * ROW);
}

fn menu(ui: &mut Ui, session: &Session, place: usize, edit: &mut Option<ListEdit>) {
    let (image, id, count) = (&session.images()[place], session.image_ids()[place], session.images().len());
    let items = [
        ("Show in the focused panel alone", session.panels().len() > 1, ListEdit::ShowInFocused(id)),
        ("Locate…", image.is_missing(), ListEdit::Locate(id)),
        ("Move up", place > 0, ListEdit::Move(id, place.saturating_sub(1))),
        ("Move down", place + 1 < count, ListEdit::Move(id, place + 1)),
        ("Close", count > 1, ListEdit::Close(id)),
    ];
    for (text, is_possible, item) in items {
        if ui.add_enabled(is_possible, Button::new(text)).clicked() {
            *edit = Some(item);
            ui.close();
        }
    }
}

/// Makes a row draggable and draws its name at the pointer.
fn drag(ui: &Ui, response: &Response, id: ImageId, image: &Image) {
    response.dnd_set_drag_payload(DraggedImage(id));
    if response.dragged()
        && let Some(pos) = ui.input(|input| input.pointer.interact_pos())
    {
        ui.set_cursor_icon(CursorIcon::Grabbing);
        let palette = Palette::of_ui(ui);
        let painter = ui.layer_painter(LayerId::new(Order::Tooltip, Id::unique("dragged image")));
        let galley = painter.layout_no_wrap(image.name().to_owned(), TextStyle::Body.resolve(ui.style()), palette.text);
        let at = Align2::LEFT_TOP.anchor_size(pos + vec2(3.0 * SPACE, 2.0 * SPACE), galley.size());
        let line = Stroke::new(1.0, palette.line);
        painter.rect(at.expand(1.5 * SPACE), SMALL_RADIUS, palette.surface, line, StrokeKind::Outside);
        painter.galley(at.min, galley, palette.text);
    }
}

/// Draws the insertion mark of a dragged row between the rows, whose rectangles are `rects`, and drops it there.
fn receive(ui: &Ui, session: &Session, rects: &[Rect], edit: &mut Option<ListEdit>) {
    let Some(dragged) = DragAndDrop::payload::<DraggedImage>(ui) else { return };
    let (Some(from), Some(list)) = (place_of(session, dragged.0), rects.iter().copied().reduce(Rect::union)) else {
        return;
    };
    let reach = list.expand2(vec2(4.0 * SPACE, 0.5 * ROW));
    let Some(pos) = ui.input(|input| input.pointer.interact_pos()).filter(|pos| reach.contains(*pos)) else {
        return;
    };
    let gap = rects.iter().filter(|rect| rect.center().y < pos.y).count();
    let y = rects.get(gap).map_or(list.bottom(), Rect::top);
    let accent = Stroke::new(2.0, Palette::of_ui(ui).accent);
    ui.painter().line_segment([pos2(list.left(), y), pos2(list.right(), y)], accent);
    if ui.input(|input| input.pointer.any_released()) {
        // The row leaves its own place first.
        *edit = Some(ListEdit::Move(dragged.0, if gap > from { gap - 1 } else { gap }));
        DragAndDrop::clear_payload(ui);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_followed_by_numbers() {
        assert_eq!([0, 1, 25, 26, 400].map(letter), ["A", "B", "Z", "27", "401"]);
    }
}
