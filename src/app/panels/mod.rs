//! One panel on the screen: its header, its picture and its pointer input.

pub(in crate::app) mod colour_bar;
pub(in crate::app) mod compare;
mod compare_controls;
mod compare_header;
pub(in crate::app) mod crosshair;
mod fallback_mark;
mod filter_mark;
pub(in crate::app) mod header;
mod map_strip;
mod method_values;
mod quality_mark;
mod reorder;
mod way_back;

use std::sync::Arc;
use std::time::Duration;

use egui::emath::GuiRounding as _;
use egui::{Color32, CursorIcon, Rect, RichText, Role, Sense, Stroke, StrokeKind, Ui, UiBuilder, WidgetInfo};

use self::colour_bar::ColourBarInput;
use self::crosshair::Pointer;
pub(super) use self::header::{BesideName, LookForm};
use self::header::{HeaderInput, HeaderRoom};
use super::bars::panel_values::{PanelValues, ValueForm};
use super::commands::Command;
use super::input::fling::Finger;
use super::input::pointer::{PointerInput, PointerTarget};
use super::inspect::PanelTransform;
use super::inspect::drags::{DragTool, PictureInput};
use super::inspect::inset::Insets;
use super::inspect::quality::PanelQuality;
use super::render::difference::DifferenceMeasure;
use super::render::gl::Canvas;
use super::render::picture::{Picture, PictureError};
use super::render::probe::Reading;
use super::session::history::{Change, Framing};
use super::session::inspect::DrawerTool;
use super::session::layout::PanelPlacement;
use super::session::preferences::Preferences;
use super::session::{PanelArea, Session};
use super::widgets::pixel_rect::PixelRect;
use super::widgets::theme::{Palette, SPACE};
use crate::backend::{BackendError, Content, NoTruth, RequestError};
use crate::sampling::SamplingPath;

/// Margin of a header at both ends besides that of its first and last control, and the width below which there is none, in
/// points.
const HEADER_MARGIN: f32 = 1.5 * SPACE;
const NARROW_HEADER: f32 = 200.0;

/// How long a picture may be rendered before the last one is dimmed.
const DIM_DELAY: Duration = Duration::from_millis(100);

/// One panel of a frame, and what it is drawn with.
pub(super) struct PanelContext<'a> {
    /// The panel's index.
    pub index: usize,
    /// Where it stands.
    pub place: PanelPlacement,
    /// What it shows.
    pub area: PanelArea,
    /// Its picture; of a wipe, the first.
    pub picture: &'a Picture,
    /// The second picture of a wipe.
    pub second: Option<&'a Picture>,
    /// Draws the textures; `None` without OpenGL.
    pub canvas: Option<&'a Canvas>,
    /// The gestures in progress.
    pub pointer_input: &'a mut PointerInput,
    /// Drag of an inspection tool.
    pub drag: &'a mut DragTool,
    /// The insets over the pictures.
    pub insets: &'a Insets,
    /// The preferences.
    pub preferences: &'a Preferences,
    /// The last position of the pointer over a picture.
    pub pointer: Option<Pointer>,
    /// Whether a ring surrounds the pointer, for an audience.
    pub has_ring: bool,
    /// The values under the cursor.
    pub reading: Option<&'a Reading>,
    /// Receives the commands of the headers.
    pub asked: &'a mut Vec<Command>,
    /// The quality of the panel, where it is measured.
    pub quality: Option<PanelQuality>,
    /// RMS and maximum of the difference on show.
    pub measured: Option<&'a DifferenceMeasure>,
    /// Whether the focused panel's picture takes the keyboard's focus.
    pub takes_keyboard: bool,
    /// The header.
    pub headers: Headers,
    /// The form in which the header shows the values under the cursor; `None` if the status line has room for all,
    /// or if some header has no room.
    pub value_form: Option<ValueForm>,
    /// Whether the first header has what all panels have alike: the status line has no room for it.
    pub has_common: bool,
    /// The form of the values under the cursor that headers keep a place for.
    pub reserved: Option<ValueForm>,
    /// What all headers have room for beside their names.
    pub beside: BesideName,
    /// The form in which headers say how their pictures look, if they do.
    pub look: Option<LookForm>,
    /// Whether a header that is not focused begins with a line: another panel is above it.
    pub has_line: bool,
}

/// What the headers of panels have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Headers {
    /// No header.
    Hidden,
    /// Name and chips, for an audience. The menus are opened by the name.
    Names,
    /// Name, chips and menus.
    Controls,
}

impl Headers {
    /// Whether there are headers.
    pub(super) fn are_shown(self) -> bool {
        self != Self::Hidden
    }
}

/// The input of a panel in this frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outcome {
    /// Whether a button is held on the picture.
    pub held: bool,
    /// The output pixel under the pointer.
    pub pixel: Option<[u32; 2]>,
    /// Whether the picture has the keyboard's focus.
    pub has_focus: bool,
    /// The index of the panel that was dropped on this one.
    pub received: Option<usize>,
    /// The longest form of the values under the cursor that the header has room for, where it shows them.
    pub value_form: Option<ValueForm>,
    /// The longest form of values that has a place in the header.
    pub holds: Option<ValueForm>,
    /// What the header has room for beside the name.
    pub beside: BesideName,
}

/// Draws a panel and applies its pointer input.
pub(super) fn show(ui: &mut Ui, session: &mut Session, context: &mut PanelContext<'_>) -> Outcome {
    let PanelContext { index, place, .. } = *context;
    let id = session.panels()[index].id();
    let ppp = ui.pixels_per_point();
    let rect = place.picture.in_points(ppp);
    let response = ui.interact(rect, ui.scope_id().with(("picture", id)), Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, compare::name(session, context.area)));
    if context.takes_keyboard && session.focused() == index {
        response.request_focus();
    }
    paint_area(ui, session, context);
    if way_back::show(ui, session, index, rect) {
        session.focus(index);
        context.asked.push(Command::ReturnToImage);
    }
    if let Some(place) = context.insets.button(ui, session, index) {
        session.focus(index);
        session.animate(context.preferences, |session| session.show_enlarged(place));
    }
    let mut room = HeaderRoom::default();
    if context.headers.are_shown() {
        let top = egui::pos2(place.header[0] as f32, place.header[1] as f32) / ppp;
        // The header is as wide as the picture with its bar.
        let right = place.bar.map_or(rect.right(), |bar| bar.in_points(ppp).right());
        room = show_header(ui, session, context, Rect::from_min_max(top, egui::pos2(right, rect.top())));
    }
    // A drag of the right button sets black and white: the menu is of a click.
    if matches!(context.area, PanelArea::Panel(_)) {
        response.context_menu(|ui| header::picture_menu(ui, (session, index), context.asked));
    }
    let held = response.is_pointer_button_down_on();
    // A press and its release may come in one frame.
    let clicked = response.clicked() || response.secondary_clicked() || response.middle_clicked();
    let pressed = (held || clicked) && ui.input(|input| input.pointer.any_pressed());
    let mut takes_focus =
        response.gained_focus() || context.pointer_input.focus_next.take_if(|panel| *panel == id).is_some();
    if pressed {
        session.end_burst();
        match ui.memory(|memory| memory.focused()) {
            // The pictures get the keyboard back. A number that is being typed is applied in the next frame, to the panel
            // that had the focus until then.
            Some(focused) => {
                ui.memory_mut(|memory| memory.surrender_focus(focused));
                context.pointer_input.focus_next = Some(id);
                ui.request_repaint();
            }
            None => takes_focus = true,
        }
    }
    if takes_focus {
        session.focus(index);
    }
    let transform = PanelTransform::new(session, index, place.picture, ppp);
    let over = PictureInput { ui, response: &response, transform: &transform };
    let is_taken = context.drag.read(over, session, context.preferences);
    let target = PointerTarget {
        panel: id,
        rect: place.picture,
        hovered: response.contains_pointer(),
        held: held && !is_taken,
        double_clicked: response.double_clicked() && !is_taken,
        taken: is_taken,
    };
    let view = session.shown_view_of(index);
    let gestures = ui.input(|input| context.pointer_input.read(input, &target, view, context.preferences));
    if !gestures.is_empty() && !target.held {
        context.pointer_input.fling.stop();
    }
    // A zoom in over an inset starts from what the inset shows under the pointer, at the scale of the inset.
    if gestures.iter().any(|gesture| gesture.zooms_in())
        && let Some(pos) = ui.input(|input| input.pointer.latest_pos())
        && let pixel = place.picture.pixel_from_points(pos, ppp)
        && let Some(view) = context.insets.view_under((session, index), pos, pixel, ppp)
    {
        session.go_in(index, view, Framing::Free, Change::Zoom);
    }
    gestures.into_iter().for_each(|gesture| gesture.apply(session, index, context.preferences));
    let finger = Finger { panel: id, is_held: target.held, reduced_motion: context.preferences.reduced_motion };
    if let Some(moved) = ui.input(|input| context.pointer_input.fling.follow(input, finger)) {
        session.pan_in(index, [f64::from(moved.x * ppp), f64::from(moved.y * ppp)]);
        ui.request_repaint();
    }
    // What lies over the picture, such as the divider of a wipe, has a cursor of its own.
    if (response.hovered() || response.dragged()) && !is_taken {
        ui.set_cursor_icon(if context.pointer_input.is_dragging() {
            CursorIcon::Grabbing
        } else {
            CursorIcon::Crosshair
        });
    }
    if response.clicked()
        && !is_taken
        && let Some(pixel) = response.interact_pointer_pos().and_then(|pos| pixel_at(place, pos, ppp))
    {
        let map = session.request(index).map(session.page_of(index).size());
        session.show_place_in_others(index, map.at(pixel.map(f64::from)));
    }
    if response.clicked()
        && !is_taken
        && session.inspect.state.drawer == Some(DrawerTool::Footprint)
        && let Some(pixel) = response.interact_pointer_pos().and_then(|pos| pixel_at(place, pos, ppp))
    {
        session.explain_pixel(index, pixel.map(i64::from));
    }
    // Of what lies below an inset nothing is read.
    let inset = context.insets.rect_of(id, ppp);
    let is_seen = |pos: &egui::Pos2| inset.is_none_or(|inset| !inset.contains(*pos));
    let pixel = response.hover_pos().filter(is_seen).and_then(|pos| pixel_at(place, pos, ppp));
    let received = reorder::receive(ui, session, index, &response);
    let HeaderRoom { value_form, holds, beside } = room;
    Outcome { held, pixel, has_focus: response.has_focus(), received, value_form, holds, beside }
}

/// The output pixel that contains `pos`.
fn pixel_at(place: PanelPlacement, pos: egui::Pos2, pixels_per_point: f32) -> Option<[u32; 2]> {
    let [x, y] = place.picture.pixel_from_points(pos, pixels_per_point);
    let size = place.picture.size;
    let inside = x >= 0.0 && y >= 0.0 && x < f64::from(size.width()) && y < f64::from(size.height());
    inside.then_some([x as u32, y as u32])
}

/// Part of a panel's place with one picture.
struct Part<'a> {
    picture: &'a Picture,
    rect: Rect,
    /// The panels whose samplers its request is made of.
    panels: Vec<usize>,
}

/// Draws the picture of a place, or two with a divider; over them the crosshair.
fn paint_area(ui: &mut Ui, session: &mut Session, context: &PanelContext<'_>) {
    let PanelContext { index, place, picture, .. } = *context;
    let panels = match context.area {
        PanelArea::Flipped { shows, .. } => vec![shows],
        PanelArea::Difference(pair) => pair.to_vec(),
        PanelArea::Panel(_) | PanelArea::Wipe(_) => vec![index],
    };
    let mut parts = vec![Part { picture, rect: place.picture.in_points(ui.pixels_per_point()), panels }];
    if let (PanelArea::Wipe([_, second]), Some(second_picture)) = (context.area, context.second) {
        let [left, right] = compare::halves(place.picture, session.line(), ui.pixels_per_point());
        parts = vec![
            Part { picture, rect: left, panels: vec![index] },
            Part { picture: second_picture, rect: right, panels: vec![second] },
        ];
    }
    for part in parts {
        ui.scope(|ui| {
            ui.shrink_clip_rect(part.rect);
            paint(ui, context.canvas, part.picture, place);
            show_late(ui, part.picture, part.rect);
            if let Some(error) = part.picture.refusal() {
                show_refusal(ui, session, &part, error);
            }
        });
    }
    if let PanelArea::Wipe(_) = context.area {
        compare::line(ui, session, place.picture);
    }
    let rect = place.picture.in_points(ui.pixels_per_point());
    let has_no_difference = context.measured.is_some_and(|measured| measured.max == 0.0);
    if matches!(context.area, PanelArea::Difference(_)) && has_no_difference && picture.refusal().is_none() {
        compare::no_difference(ui, rect);
    }
    let is_apart = matches!(context.area, PanelArea::Panel(_) | PanelArea::Flipped { .. }) && session.has_crosshair();
    let id = session.panels()[index].id();
    let is_marked = |pointer: &Pointer| crosshair::is_at_footprint(session, index, pointer);
    if let Some(pointer) = context.pointer.filter(|pointer| is_apart && pointer.panel != id && !is_marked(pointer)) {
        crosshair::paint(ui, session, (index, place.picture), &pointer);
    }
    let has_pointer = |pointer: &Pointer| pointer.panel == id || is_apart;
    if let Some(pointer) = context.pointer.filter(|pointer| context.has_ring && has_pointer(pointer)) {
        crosshair::paint_ring(ui, session, (index, place.picture), &pointer);
    }
}

fn paint(ui: &Ui, canvas: Option<&Canvas>, picture: &Picture, place: PanelPlacement) {
    let ppp = ui.pixels_per_point();
    let rect = place.picture.in_points(ppp);
    match (canvas, picture.texture()) {
        (Some(canvas), Some(texture)) => {
            // The last picture may have another size while the next one is rendered.
            let stands = PixelRect { size: texture.size(), ..place.picture };
            if texture.size() != place.picture.size {
                ui.painter().rect_filled(rect, 0.0, Palette::of_ui(ui).surface);
            }
            let checker_px = (8.0 * ppp).round() as u32;
            let callback = canvas.callback(texture, stands, checker_px);
            let rect = stands.in_points(ppp).intersect(rect);
            ui.painter().add(egui::PaintCallback { rect, callback: Arc::new(callback) });
        }
        _ => {
            ui.painter().rect_filled(rect, 0.0, Palette::of_ui(ui).surface);
        }
    }
}

/// Dims the last picture and draws a label while the next one is rendered. Waits 100 ms first, to avoid flicker.
fn show_late(ui: &mut Ui, picture: &Picture, part: Rect) {
    let Some(since) = picture.late_since() else {
        return;
    };
    if let Some(rest) = DIM_DELAY.checked_sub(since.elapsed()) {
        ui.request_repaint_after(rest);
        return;
    }
    let palette = Palette::of_ui(ui);
    ui.painter().rect_filled(part, 0.0, palette.ground.gamma_multiply(0.6));
    let size = egui::vec2(104.0, 28.0);
    let mark = Rect::from_center_size(part.center(), size);
    ui.painter().rect(mark, 14.0, palette.surface, Stroke::new(1.0, palette.line), StrokeKind::Inside);
    ui.put(mark, egui::Label::new(RichText::new("Rendering…").color(palette.text)).selectable(false));
}

/// Draws the reason why a part has no picture. Where the sampling path is at fault, a button sets the exact one.
fn show_refusal(ui: &mut Ui, session: &mut Session, part: &Part<'_>, error: &PictureError) {
    let palette = Palette::of_ui(ui);
    let middle = Rect::from_center_size(part.rect.center(), egui::vec2(part.rect.width() - 8.0 * SPACE, 80.0));
    ui.scope_builder(UiBuilder::new().max_rect(middle).layout(egui::Layout::top_down(egui::Align::Center)), |ui| {
        let title = if no_truth(error).is_some() { "No truth" } else { "This cannot be drawn" };
        ui.label(RichText::new(title).color(palette.text));
        let text = match no_truth(error) {
            Some(NoTruth::Samples) => {
                "The image has no formula: open a test picture, or decimate the image (File)".to_owned()
            }
            Some(NoTruth::Warped) => "The formula has no warp: choose Warp: None in the side bar".to_owned(),
            Some(NoTruth::BetweenSamples { factor }) => {
                format!("The original has a value for each pixel at {factor}× only, not turned")
            }
            None => error.to_string(),
        };
        ui.label(RichText::new(text).color(palette.weak));
        if no_truth(error).is_some() {
            let is_truth = |index: &usize| session.panels()[*index].content == Content::Truth;
            if let Some(index) = part.panels.iter().copied().find(is_truth) {
                let method = session.panels()[index].sampler.method.title();
                if let Some(NoTruth::BetweenSamples { factor }) = no_truth(error)
                    && ui.button(format!("Show at {factor}×")).clicked()
                {
                    session.focus(index);
                    session.show_original();
                }
                if ui.button(format!("Show {method}")).clicked() {
                    session.set_content(index, Content::Interpolation);
                }
            }
        }
        let has_path = |index: &usize| session.panels()[*index].sampler.path != SamplingPath::Auto;
        let is_of_path =
            matches!(error, PictureError::Backend(BackendError::Request(RequestError::SamplingPath { .. })));
        if is_of_path && part.panels.iter().any(has_path) && ui.button("Use the exact path").clicked() {
            for &index in &part.panels {
                if let Some(panel) = session.panel_mut(index) {
                    panel.sampler.path = SamplingPath::Auto;
                }
            }
        }
    });
}

/// Why the request has no truth, where that is the error.
fn no_truth(error: &PictureError) -> Option<NoTruth> {
    match error {
        PictureError::Backend(BackendError::Request(RequestError::Truth(why))) => Some(*why),
        PictureError::Backend(_) | PictureError::Texture(_) => None,
    }
}

/// Draws the header. Returns what it has room for.
fn show_header(ui: &mut Ui, session: &mut Session, context: &mut PanelContext<'_>, rect: Rect) -> HeaderRoom {
    let (palette, index) = (Palette::of_ui(ui), context.index);
    if let PanelArea::Panel(_) = context.area {
        reorder::drag(ui, session, (index, rect));
    }
    // A panel or comparison that is shown alone needs no mark of the focus.
    let is_focused = session.focused() == index && session.areas().len() > 1;
    if is_focused {
        ui.painter().rect_filled(rect, 0.0, palette.focused(index));
    }
    let (height, colour): (f32, _) = match (is_focused, context.has_line) {
        (true, ..) => (2.0, palette.panel(index).color),
        (false, true) => (1.0, palette.line),
        (false, false) => (0.0, Color32::TRANSPARENT),
    };
    let height = height.round_to_pixels(ui.pixels_per_point());
    ui.painter().rect_filled(Rect::from_min_size(rect.min, egui::vec2(rect.width(), height)), 0.0, colour);
    // A light picture has an edge below a light header.
    if ui.theme() == egui::Theme::Light {
        let thin = 1.0_f32.round_to_pixels(ui.pixels_per_point());
        let below = Rect::from_x_y_ranges(rect.x_range(), rect.bottom() - thin..=rect.bottom());
        ui.painter().rect_filled(below, 0.0, palette.line);
    }
    // Both ends are as far from the edges as those of the bars; a narrow header has less to lose. The icon at the end has an
    // empty edge of its own.
    let margin = if rect.width() < NARROW_HEADER { 0.0 } else { HEADER_MARGIN };
    let inside = Rect::from_min_max(rect.min + egui::vec2(SPACE + margin, 2.0), rect.max - egui::vec2(margin, 0.0));
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    let id = session.panels()[index].id();
    let builder = UiBuilder::new().max_rect(inside).layout(layout).id_salt(("header", id));
    let shown = ui.scope_builder(builder, |ui| {
        ui.shrink_clip_rect(rect);
        // Buttons are not higher than a low header.
        ui.spacing_mut().interact_size.y = ui.spacing().interact_size.y.min(inside.height());
        match context.area {
            PanelArea::Panel(_) if !compare_header::is_flipping(session, context.area) => {
                let (headers, failure) = (context.headers, context.picture.failure());
                let value = context.value_form.zip(context.reading).and_then(|(form, reading)| {
                    Some((PanelValues::of_panel(session, id, (reading, context.preferences.unit))?, form))
                });
                let value_widths = PanelValues::header_widths(ui, session, index, context.preferences.unit);
                let (quality, kept, beside) = (context.quality.as_ref(), context.reserved, context.beside);
                let (has_common, look) = (context.has_common, context.look);
                let of = HeaderInput {
                    index,
                    headers,
                    has_common,
                    failure,
                    quality,
                    value,
                    value_widths,
                    kept,
                    beside,
                    look,
                };
                header::show(ui, session, of, context.asked)
            }
            area => {
                compare_header::show(ui, session, area, context.asked);
                HeaderRoom::default()
            }
        }
    });
    if let (PanelArea::Difference(pair), Some(bar)) = (context.area, context.place.bar) {
        let reading = context.reading.and_then(|reading| colour_bar::difference_at(session, reading, pair));
        let input = ColourBarInput { session, pair, unit: context.preferences.unit, reading, found: context.measured };
        colour_bar::show(ui, bar.in_points(ui.pixels_per_point()), &input);
    }
    shown.inner
}
