//! The colour bar beside a difference: its colour map with ticks in the chosen unit, the panels whose values are larger at its
//! ends, the value under the cursor, and RMS and maximum of the view.

use egui::{
    Align2, Color32, FontId, Painter, Pos2, Rect, Role, Sense, Shape, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2,
};

use super::map_strip::{self, UpperEnd};
use crate::app::inspect::difference::DifferenceMeasure;
use crate::app::session::Session;
use crate::app::session::unit::Unit;
use crate::app::widgets::number::short;
use crate::app::widgets::panel_mark;
use crate::app::widgets::theme::{Palette, SPACE, text_size};
use crate::backend::ColourMap;

/// Width, in points.
pub(in crate::app) const WIDTH: f32 = 112.0;
/// Width of the colours, and their distance from the left, in points.
const COLOURS_WIDTH: f32 = 14.0;
const LEFT: f32 = 3.0 * SPACE;
/// Least distance between ticks at round numbers, in points, and their least number. A bar that is too low for them has ticks
/// at its ends and in the middle.
const TICK_DISTANCE: f32 = 48.0;
const LEAST_TICKS: usize = 3;
/// Distances, in points: between groups of texts, between the colours and the texts at their ends, and between a name and its
/// value.
const GROUP_GAP: f32 = 4.0 * SPACE;
const END_GAP: f32 = 2.0 * SPACE;
const VALUE_GAP: f32 = 0.5 * SPACE;
/// Text sizes, in points.
const CAPTION: f32 = text_size::UNIT;
const VALUE: f32 = text_size::VALUE;

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
    let [rms, max] = measured_texts(input);
    let (left, top) = (place.left() + LEFT, place.top() + 2.0 * SPACE);
    let caption = paint_text(&painter, pos2(left, top), "Difference", (CAPTION, palette.weak));
    let unit = unit_text(&painter, input.one(), place.right() - SPACE - left);
    let caption = paint_text(&painter, pos2(left, caption.bottom()), &unit, (CAPTION, palette.weak));
    // The rows of text have the heights of their fonts.
    let (row, value_row) = (row_height(&painter, CAPTION), row_height(&painter, VALUE));
    let measured_height = row + VALUE_GAP + value_row;
    let measured_top = place.bottom() - 3.0 * SPACE - 2.0 * measured_height - 3.0 * SPACE;
    let end = if input.session.difference().absolute { 0.0 } else { row + END_GAP };
    let (from, to) = (caption.bottom() + 3.0 * SPACE + end, measured_top - GROUP_GAP - end);
    let colours = Rect::from_min_max(pos2(left, from), pos2(left + COLOURS_WIDTH, to.max(from + 1.0)));
    paint_scale(&painter, colours, palette, input);
    for (line, (name, value)) in [("RMS of view", &rms), ("Max of view", &max)].into_iter().enumerate() {
        let y = measured_top + line as f32 * (measured_height + 3.0 * SPACE);
        let name = paint_text(&painter, pos2(left, y), name, (CAPTION, palette.weak));
        paint_text(&painter, pos2(left, name.bottom() + VALUE_GAP), value, (VALUE, palette.text));
    }
    let range = input.session.difference_range();
    let [low, high] = range.map(|value| signed(value * input.one(), range[0]));
    let label = format!("Colour bar from {low} to {high}. RMS {rms}, maximum {max}");
    let response = ui.interact(place, ui.scope_id().with("colour bar"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &label));
    let counted = if input.session.dims_outside() { "the pixels inside the image" } else { "all pixels of the view" };
    response.on_hover_text(format!(
        "Colours of the difference at gain {}×\nA value beyond the ends has the colour of the end\n\
         RMS and maximum are of {counted}",
        1_u32 << input.session.gain_log2()
    ));
    if !input.session.difference().absolute {
        let [first, second] = input.pair;
        end_mark(ui, pos2(left, colours.top() - END_GAP - 0.5 * row), first);
        end_mark(ui, pos2(left, colours.bottom() + END_GAP + 0.5 * row), second);
    }
}

/// RMS and maximum in the unit.
fn measured_texts(input: &ColourBarInput<'_>) -> [String; 2] {
    let number = |value: f64| short(value * input.one(), 4);
    match input.found {
        Some(DifferenceMeasure { rms, max, .. }) => [number(rms), number(max)],
        None => ["…".to_owned(), "…".to_owned()],
    }
}

/// What the numbers are, of which `one` stands for maxval; without the word if it is wider than `room` points.
fn unit_text(painter: &Painter, one: f64, room: f32) -> String {
    let (word, range) = (if one == 1.0 { "values" } else { "levels" }, format!("0 … {one}"));
    let whole = format!("{word}, {range}");
    let font = FontId::proportional(CAPTION);
    let width = painter.layout_no_wrap(whole.clone(), font, Color32::PLACEHOLDER).size().x;
    if width <= room { whole } else { range }
}

fn row_height(painter: &Painter, size: f32) -> f32 {
    painter.fonts_mut(|fonts| fonts.row_height(&FontId::proportional(size)))
}

fn paint_text(painter: &Painter, corner: Pos2, text: &str, (size, colour): (f32, Color32)) -> Rect {
    painter.text(corner, Align2::LEFT_TOP, text, FontId::proportional(size), colour)
}

/// Paints the colours with their ticks and the mark of the value under the cursor.
fn paint_scale(painter: &Painter, colours: Rect, palette: Palette, input: &ColourBarInput<'_>) {
    let (one, range) = (input.one(), input.session.difference_range());
    map_strip::paint(painter, colours, input.colours(), UpperEnd::Top);
    painter.rect_stroke(colours, 0.0, Stroke::new(1.0, palette.line), StrokeKind::Outside);
    let height_at = |value: f64| {
        let share = ((value - range[0]) / (range[1] - range[0])).clamp(0.0, 1.0) as f32;
        colours.bottom() - share * colours.height()
    };
    let [low, high] = range.map(|value| value * one);
    let round = ticks([low, high], ((colours.height() / TICK_DISTANCE) as usize).max(2));
    let marked = if round.len() < LEAST_TICKS { vec![low, 0.5 * (low + high), high] } else { round };
    for tick in marked {
        let y = height_at(tick / one);
        painter.hline(colours.right()..=colours.right() + SPACE, y, Stroke::new(1.0, palette.weak));
        let at = pos2(colours.right() + 1.5 * SPACE, y);
        painter.text(at, Align2::LEFT_CENTER, signed(tick, range[0]), FontId::proportional(CAPTION), palette.text);
    }
    for value in input.reading.iter().flatten() {
        let magnitude = if input.session.difference().absolute { value.abs() } else { *value };
        paint_mark(painter, colours, height_at(f64::from(magnitude)), palette.text);
    }
}

/// Draws which panel is larger at an end of the colours: its dot and number, with the middle of the left edge at `left`.
fn end_mark(ui: &Ui, left: Pos2, index: usize) {
    let palette = Palette::of_ui(ui);
    let centre = left + vec2(0.5 * panel_mark::DOT_WIDTH, 0.0);
    panel_mark::paint_dot(ui.painter(), centre, palette.panel(index).color);
    let text = format!("{} larger", index + 1);
    let at = left + vec2(panel_mark::DOT_WIDTH + SPACE, 0.0);
    let rect = ui.painter().text(at, Align2::LEFT_CENTER, &text, FontId::proportional(CAPTION), palette.text);
    let response = ui.interact(rect.with_min_x(left.x), ui.scope_id().with(("larger panel", index)), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &text));
    response.on_hover_text(format!("Here panel {} has the larger values", index + 1));
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
