//! The colour bar beside a difference: its colour map with ticks in the chosen unit, the value under the cursor, and RMS and
//! maximum of the view.

use egui::{
    Align2, Color32, FontId, Mesh, Painter, Pos2, Rect, Role, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2,
};

use crate::app::inspect::difference::DifferenceMeasure;
use crate::app::session::Session;
use crate::app::session::unit::Unit;
use crate::app::widgets::number::short;
use crate::app::widgets::theme::{Palette, SPACE};
use crate::backend::ColourMap;

/// Width, in points.
pub(in crate::app) const WIDTH: f32 = 84.0;
/// Width of the colours, and their distance from the left, in points.
const COLOURS_WIDTH: f32 = 14.0;
const LEFT: f32 = 3.0 * SPACE;
/// Least distance between ticks, in points.
const TICK_DISTANCE: f32 = 30.0;
/// Height of the caption and the unit above the colours, in points.
const CAPTION_HEIGHT: f32 = 12.0 * SPACE;
/// Height of the numbers below the colours, in points.
const NUMBERS_HEIGHT: f32 = 84.0;
/// Bands of the painted colours.
const BANDS: u32 = 128;
/// Text sizes, in points.
const CAPTION: f32 = 11.0;
const VALUE: f32 = 12.0;

/// What a colour bar shows.
pub(super) struct ColourBarInput<'a> {
    /// The session.
    pub(super) session: &'a Session,
    /// Indices of the compared panels.
    pub(super) pair: [usize; 2],
    /// Unit of the ticks and of the numbers.
    pub(super) unit: Unit,
    /// The difference under the cursor, one value per channel, where 1 is maxval.
    pub(super) reading: Option<Vec<f32>>,
    /// RMS and maximum of the view; `None` while they are not known.
    pub(super) found: Option<DifferenceMeasure>,
}

impl ColourBarInput<'_> {
    /// The value 1 in the unit.
    fn one(&self) -> f64 {
        let maxval = self.session.page_of(self.pair[0]).raster().samples().maxval();
        self.unit.of_difference().one(maxval)
    }

    /// The colours: the map of a grey image, grey for the channels of a colour image.
    fn colours(&self) -> ColourMap {
        let is_grey = !self.session.page_of(self.pair[0]).channels().has_colour();
        if is_grey { self.session.difference().map(self.session.ground()) } else { ColourMap::Grey }
    }
}

/// Draws the bar into `place`.
pub(super) fn show(ui: &Ui, place: Rect, input: &ColourBarInput<'_>) {
    let palette = Palette::of_ui(ui);
    let painter = ui.painter_at(place);
    painter.rect_filled(place, 0.0, palette.surface);
    let (one, range) = (input.one(), input.session.difference().range());
    let top = pos2(place.left() + LEFT, place.top() + CAPTION_HEIGHT);
    let bottom = place.bottom() - NUMBERS_HEIGHT;
    let colours = Rect::from_min_max(top, pos2(top.x + COLOURS_WIDTH, bottom.max(top.y + 1.0)));
    let caption = pos2(place.left() + LEFT, place.top() + 2.0 * SPACE);
    for (line, text) in ["Difference".to_owned(), format!("in 0 … {one}")].into_iter().enumerate() {
        let at = caption + vec2(0.0, line as f32 * 4.0 * SPACE);
        painter.text(at, Align2::LEFT_TOP, text, FontId::proportional(CAPTION), palette.weak);
    }
    paint_colours(&painter, colours, input.colours());
    painter.rect_stroke(colours, 0.0, Stroke::new(1.0, palette.line), egui::StrokeKind::Outside);
    let height_at = |value: f64| {
        let share = ((value - range[0]) / (range[1] - range[0])).clamp(0.0, 1.0) as f32;
        colours.bottom() - share * colours.height()
    };
    let most = ((colours.height() / TICK_DISTANCE) as usize).max(2);
    for tick in ticks(range.map(|value| value * one), most) {
        let y = height_at(tick / one);
        painter.hline(colours.right()..=colours.right() + SPACE, y, Stroke::new(1.0, palette.weak));
        let at = pos2(colours.right() + 1.5 * SPACE, y);
        painter.text(at, Align2::LEFT_CENTER, signed(tick, range[0]), FontId::proportional(CAPTION), palette.text);
    }
    for value in input.reading.iter().flatten() {
        let magnitude = if input.session.difference().absolute { value.abs() } else { *value };
        paint_mark(&painter, colours, height_at(f64::from(magnitude)), palette.text);
    }
    let number = |value: f64| short(value * one, 4);
    let [rms, max] = match input.found {
        Some(DifferenceMeasure { rms, max }) => [number(rms), number(max)],
        None => ["…".to_owned(), "…".to_owned()],
    };
    for (line, (name, value)) in [("RMS of view", &rms), ("max of view", &max)].into_iter().enumerate() {
        let y = bottom + 4.0 * SPACE + line as f32 * 8.0 * SPACE;
        let left = place.left() + LEFT;
        painter.text(pos2(left, y), Align2::LEFT_TOP, name, FontId::proportional(CAPTION), palette.weak);
        let font = FontId::proportional(VALUE);
        painter.text(pos2(left, y + 3.0 * SPACE), Align2::LEFT_TOP, value, font, palette.text);
    }
    let [low, high] = range.map(|value| signed(value * one, range[0]));
    let label = format!("Colour bar from {low} to {high}. RMS {rms}, maximum {max}");
    let response = ui.interact(place, ui.scope_id().with("colour bar"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &label));
    let counted = if input.session.dims_outside() { "the pixels inside the image" } else { "all pixels of the view" };
    response.on_hover_text(format!(
        "Colours of the difference at gain ×{}\nRMS and maximum are of {counted}",
        1_u32 << input.session.difference().gain_log2
    ));
}

/// Paints `map`, its upper end at the top.
fn paint_colours(painter: &Painter, rect: Rect, map: ColourMap) {
    let mut mesh = Mesh::default();
    for band in 0..=BANDS {
        let share = band as f32 / BANDS as f32;
        let [red, green, blue] = map.colour(1.0 - share).map(|value| (value.clamp(0.0, 1.0) * 255.0).round() as u8);
        let (y, colour) = (rect.top() + share * rect.height(), Color32::from_rgb(red, green, blue));
        mesh.colored_vertex(pos2(rect.left(), y), colour);
        mesh.colored_vertex(pos2(rect.right(), y), colour);
        if band > 0 {
            let last = 2 * band;
            mesh.add_triangle(last - 2, last - 1, last);
            mesh.add_triangle(last - 1, last, last + 1);
        }
    }
    painter.add(Shape::mesh(mesh));
}

/// Paints the mark of the value under the cursor to the left of the colours.
fn paint_mark(painter: &Painter, colours: Rect, y: f32, colour: Color32) {
    let tip = pos2(colours.left() - 1.0, y);
    let corners: Vec<Pos2> = vec![tip, tip + vec2(-7.0, -4.0), tip + vec2(-7.0, 4.0)];
    painter.add(Shape::convex_polygon(corners, colour, Stroke::NONE));
}

/// Text of a tick, with its sign if the range begins below 0.
fn signed(value: f64, low: f64) -> String {
    let text = short(value.abs(), 4);
    match () {
        () if value < 0.0 => format!("−{text}"),
        () if value > 0.0 && low < 0.0 => format!("+{text}"),
        () => text,
    }
}

/// Round numbers within `range`, at most `most` of them on either side of 0: multiples of 1, 2 or 5 times a power of ten.
fn ticks([low, high]: [f64; 2], most: usize) -> Vec<f64> {
    let room = (high - low) / most.max(1) as f64;
    let power = 10.0_f64.powf(room.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|times| times * power).find(|step| *step >= room);
    let step = step.unwrap_or(10.0 * power);
    let [first, last] = [(low / step - 1e-9).ceil() as i64, (high / step + 1e-9).floor() as i64];
    (first..=last).map(|count| count as f64 * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers_with_zero_among_them() {
        assert_eq!(ticks([-255.0, 255.0], 10), [-200.0, -100.0, 0.0, 100.0, 200.0]);
        assert_eq!(ticks([-1.0, 1.0], 4), [-1.0, -0.5, 0.0, 0.5, 1.0]);
        assert_eq!(ticks([0.0, 31.875], 8), [0.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0]);
        for gain in 0..=12 {
            let end = 65535.0 / f64::from(1 << gain);
            for most in 2..30 {
                let found = ticks([-end, end], most);
                assert!(found.contains(&0.0) && (1..=most + 1).contains(&found.len()), "{end} {most}: {found:?}");
                assert!(found.iter().all(|tick| tick.abs() <= end * (1.0 + 1e-9)));
            }
        }
    }

    #[test]
    fn tick_text_has_a_sign_in_a_signed_range_only() {
        assert_eq!([-0.5, 0.0, 0.25].map(|value| signed(value, -1.0)), ["−0.5", "0", "+0.25"]);
        assert_eq!([0.0, 0.25].map(|value| signed(value, 0.0)), ["0", "0.25"]);
    }
}
