//! The histogram: counts of the focused panel's values, with black and white as handles.

use egui::{
    Align2, CursorIcon, FontId, Mesh, Pos2, Rect, Response, Role, Sense, Shape, Stroke, StrokeKind, Ui, WidgetInfo,
    pos2, vec2,
};

use crate::app::inspect::Overlays;
use crate::app::session::Session;
use crate::app::session::unit::Unit;
use crate::app::widgets::fit::left_below;
use crate::app::widgets::theme::{CHANNELS, Palette, SMALL_RADIUS, SPACE, text_size};
use crate::image::Statistics;
use crate::text::short;

/// Height, in points.
const HEIGHT: f32 = 80.0;
/// Height and half the width of the triangle below a handle, in points.
const TIP: [f32; 2] = [6.0, 5.0];
/// Height of the numbers of black and white, in points.
const NUMBERS: f32 = 13.0;
/// Width of the area by which a handle is dragged, in points.
const GRIP: f32 = 12.0;
/// Share of the bins whose counts are within the height of a linear histogram, and the height as a multiple of their largest.
const TOP_SHARE: f64 = 0.96;
const ROOM_ABOVE: f64 = 1.15;
/// Opacity of the area below a curve.
const AREA: f32 = 0.22;

/// Draws the histogram. Returns `[black, white]` after drags of the handles; `window` where none is dragged.
pub(super) fn show(ui: &mut Ui, session: &Session, unit: Unit, overlays: &mut Overlays, window: [f32; 2]) -> [f32; 2] {
    let palette = Palette::of_ui(ui);
    let maxval = session.page().maxval();
    let is_log = session.inspect.state.is_log;
    let channels = overlays.statistics(ui.ctx(), session);
    let (place, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT + TIP[0] + NUMBERS), Sense::hover());
    let rect = place.with_max_y(place.top() + HEIGHT);
    ui.painter().rect_filled(rect, SMALL_RADIUS, palette.field);
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, "Histogram"));
    if channels.is_empty() {
        let font = FontId::proportional(text_size::UNIT);
        ui.painter().text(rect.center(), Align2::CENTER_CENTER, "Counting…", font, palette.weak);
    }
    let Some(first) = channels.first().filter(|first| first.range[1] > first.range[0]) else {
        return window;
    };
    let colours = &channels[..if channels.len() > 2 { 3 } else { 1 }];
    // Handles at both ends are within the frame.
    let within = rect.shrink2(vec2(TIP[1], 1.0));
    counts(ui, within, colours, is_log);
    ui.painter().rect_stroke(rect, SMALL_RADIUS, Stroke::new(1.0, palette.line), StrokeKind::Inside);
    let scale = HistogramScale { rect: rect.with_min_x(within.left()).with_max_x(within.right()), range: first.range };
    let one = unit.one(maxval);
    let edited = [0, 1].map(|end| {
        let name = if end == 0 { "Black handle" } else { "White handle" };
        let value = handle(ui, scale, name, window[end]);
        let others = window[1 - end];
        if value == others { window[end] } else { value }
    });
    numbers(ui, scale, edited.map(|end| (end, short(f64::from(end) * one, 4).replace('-', "−"))));
    if let Some(pos) = response.hover_pos().filter(|pos| rect.contains(*pos)) {
        response.on_hover_text_at_pointer(about(colours, scale.value_at(pos.x), one));
    }
    edited
}

/// Draws the numbers of black and white below their handles. Of two that would touch, the first alone is drawn.
fn numbers(ui: &Ui, scale: HistogramScale, ends: [(f32, String); 2]) {
    let colour = Palette::of_ui(ui).weak;
    let mut free = f32::NEG_INFINITY;
    for (value, text) in ends {
        let galley = ui.painter().layout_no_wrap(text, FontId::proportional(text_size::UNIT), colour);
        let row = scale.rect.expand2(vec2(TIP[1], 0.0)).x_range();
        let left = left_below(row, scale.x_of(f64::from(value)), galley.size().x);
        if left > free {
            free = left + galley.size().x + SPACE;
            ui.painter().galley(pos2(left, scale.rect.bottom() + TIP[0]), galley, colour);
        }
    }
}

/// Positions of values in the histogram.
#[derive(Clone, Copy)]
struct HistogramScale {
    rect: Rect,
    /// The values at the left and the right edge.
    range: [f64; 2],
}

impl HistogramScale {
    /// Position of `value`; the nearer edge for a value outside, the left one for NaN.
    fn x_of(self, value: f64) -> f32 {
        let share = (value - self.range[0]) / (self.range[1] - self.range[0]);
        let share = if share.is_nan() { 0.0 } else { share };
        self.rect.left() + share.clamp(0.0, 1.0) as f32 * self.rect.width()
    }

    fn value_at(self, x: f32) -> f64 {
        let share = f64::from((x - self.rect.left()) / self.rect.width()).clamp(0.0, 1.0);
        self.range[0] + share * (self.range[1] - self.range[0])
    }
}

/// Draws a handle at `value`. Returns its value after a drag or an arrow key.
fn handle(ui: &Ui, scale: HistogramScale, name: &str, value: f32) -> f32 {
    let palette = Palette::of_ui(ui);
    let x = scale.x_of(f64::from(value));
    let area = Rect::from_center_size(pos2(x, scale.rect.center().y), vec2(GRIP, HEIGHT + 2.0 * TIP[0]));
    let response: Response = ui.interact(area, ui.scope_id().with(name), Sense::drag());
    let is_held = response.hovered() || response.dragged();
    let width = if is_held { 3.0 } else { 2.0 };
    ui.painter().vline(x, scale.rect.y_range(), Stroke::new(width, palette.text));
    let tip = pos2(x, scale.rect.bottom());
    let corners = vec![tip, tip + vec2(TIP[1], TIP[0]), tip + vec2(-TIP[1], TIP[0])];
    ui.painter().add(Shape::convex_polygon(corners, palette.text, Stroke::NONE));
    response.widget_info(|| WidgetInfo::slider(true, f64::from(value), name));
    let edited = response
        .interact_pointer_pos()
        .filter(|_| response.dragged())
        .map(|pos| ((scale.value_at(pos.x) * 1000.0).round() / 1000.0) as f32);
    let tip = format!("{name}: {}. Drag to change the contrast", short(f64::from(value), 4));
    response.on_hover_cursor(CursorIcon::ResizeHorizontal).on_hover_text(tip);
    edited.unwrap_or(value)
}

/// The count at the top of a linear histogram: that of the bin at [`TOP_SHARE`], with some room above it. A few values that most
/// samples have, such as black and white, do not flatten all others.
fn top_count(channels: &[Statistics]) -> u64 {
    let mut counts: Vec<u64> = channels.iter().flat_map(|channel| &channel.bins).copied().collect();
    counts.sort_unstable();
    let place = (TOP_SHARE * counts.len() as f64) as usize;
    let most = counts.last().copied().unwrap_or(0);
    match counts.get(place) {
        Some(0) | None => most,
        Some(top) => (ROOM_ABOVE * *top as f64).min(most as f64) as u64,
    }
}

/// Draws the counts: bars of one channel, filled curves of three. Those above the top end there.
fn counts(ui: &Ui, rect: Rect, channels: &[Statistics], is_log: bool) {
    let palette = Palette::of_ui(ui);
    let height = |count: u64| if is_log { (count as f64).ln_1p() } else { count as f64 };
    let most = channels.iter().flat_map(|channel| &channel.bins).max().copied().unwrap_or(0);
    let top = height(if is_log { most } else { top_count(channels) });
    if top == 0.0 {
        return;
    }
    for (channel, ink) in channels.iter().zip(CHANNELS) {
        let step = rect.width() / channel.bins.len() as f32;
        let y_of = |count: u64| rect.bottom() - (height(count) / top).min(1.0) as f32 * rect.height();
        let tops = channel.bins.iter().enumerate().map(|(bin, count)| (rect.left() + bin as f32 * step, y_of(*count)));
        if channels.len() == 1 {
            // One mesh: single rectangles have soft edges, which show as seams.
            let mut bars = Mesh::default();
            for (left, top) in tops.filter(|(_, top)| *top < rect.bottom()) {
                let bar = Rect::from_min_max(pos2(left, top), pos2(left + step, rect.bottom()));
                bars.add_colored_rect(bar, palette.faint);
            }
            ui.painter().add(bars);
        } else {
            let curve: Vec<Pos2> = tops.map(|(left, top)| pos2(left + 0.5 * step, top)).collect();
            let mut area = Mesh::default();
            for (place, end) in curve.iter().enumerate() {
                area.colored_vertex(pos2(end.x, rect.bottom()), ink.gamma_multiply(AREA));
                area.colored_vertex(*end, ink.gamma_multiply(AREA));
                if let Some(last) = (2 * place as u32).checked_sub(2) {
                    area.add_triangle(last, last + 1, last + 2);
                    area.add_triangle(last + 1, last + 2, last + 3);
                }
            }
            ui.painter().add(area);
            ui.painter().add(Shape::line(curve, Stroke::new(1.0, ink)));
        }
    }
}

/// The counts at `value`, which is displayed as a multiple of `one`.
fn about(channels: &[Statistics], value: f64, one: f64) -> String {
    let Some(first) = channels.first() else { return String::new() };
    let share = (value - first.range[0]) / (first.range[1] - first.range[0]);
    let bin = ((share * first.bins.len() as f64) as usize).min(first.bins.len().saturating_sub(1));
    let counts: Vec<String> = channels.iter().filter_map(|channel| channel.bins.get(bin)).map(u64::to_string).collect();
    format!("about {}: {} samples", short(value * one, 4), counts.join(", "))
}
