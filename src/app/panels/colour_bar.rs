//! The colour bar beside a difference: its colour map with ticks in the chosen unit, marks of values beyond its ends, the panels
//! whose values are larger at its ends, the value under the cursor, and RMS and maximum of the view.

use egui::emath::GuiRounding as _;
use egui::{
    Align2, Color32, FontId, Painter, Pos2, Rect, Response, Role, Sense, Shape, Stroke, StrokeKind, Ui, WidgetInfo,
    pos2, vec2,
};

use super::map_strip::{self, UpperEnd};
use crate::app::render::difference::{DifferenceMeasure, ShownDifference};
use crate::app::render::probe::Reading;
use crate::app::session::unit::Unit;
use crate::app::session::{PanelName, Session};
use crate::app::widgets::fit::{first_that_fits, text_width};
use crate::app::widgets::number::round_step;
use crate::app::widgets::theme::{Palette, SPACE, medium, text_size};
use crate::backend::ColourMap;
use crate::text::{short, signed, signed_end};

/// Width, in points.
pub(in crate::app) const WIDTH: f32 = 124.0;
/// Width of the name of a panel whose values are larger, in points.
const NAME_WIDTH: f32 = WIDTH - LEFT - 2.0 * SPACE;
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
/// Least distance of a tick from an end, in rows of text.
const END_DISTANCE: f32 = 2.0;
/// Height of the mark of values beyond an end of the colours, in points. Its place is free without such values.
const BEYOND_HEIGHT: f32 = 2.0 * SPACE;
/// Gap below the value at the pointer, and below those of the view, in points.
const MEASURED_GAP: f32 = 3.0 * SPACE;
/// Least heights of a bar that has the value under the cursor, and of one that has the share of the values beyond its ends, too, in points. A
/// lower one has the latter in its tooltip.
const HIGH: f32 = 480.0;
const HIGHER: f32 = 520.0;
/// Text sizes, in points.
const CAPTION: f32 = text_size::UNIT;
const VALUE: f32 = text_size::VALUE;
const POINTER_VALUE: f32 = text_size::TITLE;

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
    pub(super) found: Option<&'a DifferenceMeasure>,
}

impl ColourBarInput<'_> {
    /// The value 1 in the unit.
    fn one(&self) -> f64 {
        let maxval = self.session.page_of(self.pair[0]).maxval();
        self.unit.of_difference().one(maxval)
    }

    /// The colour map in use.
    fn colours(&self) -> ColourMap {
        self.session.difference_map(self.pair)
    }

    /// What the colours show.
    fn shown(&self) -> ShownDifference {
        ShownDifference::of(self.session, self.pair)
    }

    /// Whether the colours show one value of each pixel.
    fn has_one_value(&self) -> bool {
        self.of_colours().is_none() || !self.colours().is_grey()
    }

    /// The values under the cursor that the colours show.
    fn values(&self) -> Vec<f32> {
        self.reading.iter().flat_map(|reading| self.shown().values(reading)).collect()
    }

    /// The value under the cursor in the unit, if there is one.
    fn value_text(&self) -> Option<String> {
        let range = self.session.difference_range().map(|end| end * self.one());
        match self.values()[..] {
            [value] => Some(reading_text(f64::from(value) * self.one(), range)),
            _ => None,
        }
    }

    /// What of the colours of an image is shown; `None` of a grey image.
    fn of_colours(&self) -> Option<&'static str> {
        let has_colour = self.session.page_of(self.pair[0]).channels().has_colour();
        has_colour.then_some(if self.colours().is_grey() { "of each channel" } else { "of luminance" })
    }
}

/// An end of the colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Lower,
    Upper,
}

impl End {
    const BOTH: [Self; 2] = [Self::Lower, Self::Upper];

    /// The middle of this end of `colours`.
    fn middle(self, colours: Rect) -> Pos2 {
        match self {
            Self::Lower => colours.center_bottom(),
            Self::Upper => colours.center_top(),
        }
    }

    /// Direction away from the colours: −1 is up.
    fn outwards(self) -> f32 {
        match self {
            Self::Lower => 1.0,
            Self::Upper => -1.0,
        }
    }
}

impl ColourBarInput<'_> {
    /// Shares of the values below and above the scale; `None` while they are not known.
    fn beyond(&self) -> Option<[f64; 2]> {
        Some(self.found?.beyond(self.session.gain()))
    }

    /// The value of an end of the colours.
    fn end_text(&self, end: End) -> String {
        let range = self.session.difference_range();
        signed(range[end as usize] * self.one(), range[0])
    }

    /// The same beside the colours. The tooltip has all its digits.
    fn short_end_text(&self, end: End) -> String {
        let range = self.session.difference_range();
        signed_end(range[end as usize] * self.one(), range[0])
    }
}

/// Draws the bar into `place`.
pub(super) fn show(ui: &Ui, place: Rect, input: &ColourBarInput<'_>) {
    let palette = Palette::of_ui(ui);
    let painter = ui.painter_at(place);
    painter.rect_filled(place, 0.0, palette.surface);
    // A pale picture and the bar have an edge between them.
    painter.vline(place.left() + 0.5, place.y_range(), Stroke::new(1.0, palette.line));
    let (left, top) = (place.left() + LEFT, place.top() + 2.0 * SPACE);
    let font = medium(text_size::BODY);
    let caption = painter.text(pos2(left, top), Align2::LEFT_TOP, "Difference", font, palette.text);
    let unit = unit_text(&painter, input.one(), place.right() - SPACE - left);
    let caption = [input.of_colours(), Some(unit.as_str())]
        .into_iter()
        .flatten()
        .fold(caption, |above, line| paint_text(&painter, pos2(left, above.bottom()), line, (CAPTION, palette.weak)));
    // The rows of text have the heights of their fonts.
    let (row, pointer_row, value_row) =
        (row_height(&painter, CAPTION), row_height(&painter, POINTER_VALUE), row_height(&painter, VALUE));
    let [rms, max] = measured_texts(input);
    let mut measured = vec![("RMS", rms.clone()), ("Max", max.clone())];
    if place.height() >= HIGHER {
        let beyond = input.beyond().map(|[below, above]| format!("{:.2} %", 100.0 * (below + above)));
        measured.push(("Off scale", beyond.unwrap_or_else(unknown)));
    }
    let measured_height = row + VALUE_GAP + measured.len() as f32 * (value_row + VALUE_GAP) + MEASURED_GAP;
    let has_pointer = place.height() >= HIGH && input.has_one_value();
    let pointer_height = if has_pointer { row + pointer_row + MEASURED_GAP } else { 0.0 };
    let measured_top = place.bottom() - measured_height - pointer_height;
    let is_absolute = input.session.difference().absolute;
    let [above, below] = if is_absolute { [BEYOND_HEIGHT, 0.0] } else { [BEYOND_HEIGHT + END_GAP + row; 2] };
    let (from, to) = (caption.bottom() + 3.0 * SPACE + above, measured_top - GROUP_GAP - below);
    let colours = Rect::from_min_max(pos2(left, from), pos2(left + COLOURS_WIDTH, to.max(from + 1.0)));
    paint_scale(&painter, colours, palette, input);
    let mut y = measured_top;
    if has_pointer {
        let value = input.value_text();
        let name = if value.is_some() { "At the pointer" } else { "Point at the picture" };
        let name = paint_text(&painter, pos2(left, y), name, (CAPTION, palette.weak));
        let corner = pos2(left, name.bottom()).round_to_pixels(ui.pixels_per_point());
        match value {
            Some(value) => paint_text(&painter, corner, &value, (POINTER_VALUE, palette.text)),
            None => paint_text(&painter, corner, "to read its value", (CAPTION, palette.weak)),
        };
        y += pointer_height;
    }
    y = paint_text(&painter, pos2(left, y), "In the view", (CAPTION, palette.weak)).bottom() + VALUE_GAP;
    let right = place.right() - LEFT;
    for (name, value) in &measured {
        let middle = y + 0.5 * value_row;
        for (x, align, text, colour) in
            [(left, Align2::LEFT_CENTER, *name, palette.weak), (right, Align2::RIGHT_CENTER, value, palette.text)]
        {
            painter.text(pos2(x, middle), align, text, FontId::proportional(VALUE), colour);
        }
        y += value_row + VALUE_GAP;
    }
    let [low, high] = End::BOTH.map(|end| input.end_text(end));
    let label = format!("Colour bar from {low} to {high}. RMS {rms}, maximum {max}");
    let response = ui.interact(place, ui.scope_id().with("colour bar"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &label));
    let counted = if input.session.dims_outside() { "the pixels inside the image" } else { "all pixels of the view" };
    let beyond = match input.beyond().map(|shares| shares.into_iter().sum::<f64>()) {
        None => "A value beyond the ends has the colour of the end".to_owned(),
        Some(0.0) => "All values of the view are within the scale".to_owned(),
        Some(share) => format!("{} of the view lies beyond the scale, in the colours of its ends", percent(share)),
    };
    let tip = format!(
        "Colours of the difference at gain {}×\n{beyond}\nRMS and maximum are of {counted}",
        short(input.session.gain(), 4)
    );
    let mut is_on_mark = false;
    for (end, share) in End::BOTH.into_iter().zip(input.beyond().unwrap_or_default()) {
        if share > 0.0 {
            is_on_mark |= beyond_mark(ui, colours, input, (end, share)).hovered();
        }
    }
    if !is_absolute {
        for (end, index) in [End::Upper, End::Lower].into_iter().zip(input.pair) {
            let y = end.middle(colours).y + end.outwards() * (BEYOND_HEIGHT + END_GAP + 0.5 * row);
            is_on_mark |= larger_mark(ui, pos2(left, y), &input.session.panel_name(index)).hovered();
        }
    }
    // A mark on the bar has its own tooltip.
    if !is_on_mark {
        response.on_hover_text(tip);
    }
}

/// The difference of `pair` under the cursor, one value per channel, where 1 is maxval.
pub(super) fn difference_at(session: &Session, reading: &Reading, pair: [usize; 2]) -> Option<Vec<f32>> {
    let values = |index: usize| {
        let id = session.panels()[index].id();
        reading.values.iter().find(|(of, _)| *of == id).map(|(_, values)| values)
    };
    let (first, second) = (values(pair[0])?, values(pair[1])?);
    let difference: Vec<f32> = first.iter().zip(second).map(|(a, b)| a - b).collect();
    (!difference.is_empty()).then_some(difference)
}

/// In place of a measured value that is not known yet.
fn unknown() -> String {
    "…".to_owned()
}

/// RMS and maximum in the unit.
fn measured_texts(input: &ColourBarInput<'_>) -> [String; 2] {
    let range = [0.0, input.session.difference_range()[1] * input.one()];
    let number = |value: f64| reading_text(value * input.one(), range);
    match input.found {
        Some(measure) => [number(measure.rms), number(measure.max)],
        None => [(); 2].map(|()| unknown()),
    }
}

/// What the numbers are, of which `one` stands for maxval; without the first words if it is wider than `room` points.
fn unit_text(painter: &Painter, one: f64, room: f32) -> String {
    let (words, unit) =
        if one == 1.0 { ("where", "white is 1".to_owned()) } else { ("in levels", format!("of {one}")) };
    let whole = format!("{words} {unit}");
    let font = FontId::proportional(CAPTION);
    let width = painter.layout_no_wrap(whole.clone(), font, Color32::PLACEHOLDER).size().x;
    if width <= room { whole } else { unit }
}

/// A share in per cent, with two digits.
fn percent(share: f64) -> String {
    format!("{} %", short(100.0 * share, 2))
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
    // Both ends have their values: as ticks, or with the mark of values beyond. A tick near an end would be read as a second end.
    let row = row_height(painter, CAPTION);
    let beyond = input.beyond().unwrap_or_default();
    let is_free = |y: f32| End::BOTH.into_iter().all(|end| (y - end.middle(colours).y).abs() >= END_DISTANCE * row);
    let inner = marked.into_iter().map(|tick| (tick, height_at(tick / one))).filter(|(_, y)| is_free(*y));
    let ends = End::BOTH.into_iter().zip(beyond).filter(|(_, share)| *share == 0.0);
    let ends = ends.map(|(end, _)| (input.short_end_text(end), end.middle(colours).y));
    let inner = inner.map(|(tick, y)| match tick == 0.0 && low < 0.0 {
        true => ("0  equal".to_owned(), y),
        false => (signed(tick, low), y),
    });
    for (text, y) in inner.chain(ends) {
        painter.hline(colours.right()..=colours.right() + SPACE, y, Stroke::new(1.0, palette.weak));
        let at = pos2(colours.right() + 1.5 * SPACE, y);
        painter.text(at, Align2::LEFT_CENTER, text, FontId::proportional(CAPTION), palette.text);
    }
    for value in input.values() {
        paint_mark(painter, colours, height_at(f64::from(value)), palette.text);
    }
}

/// The middle of the mark of values beyond an end of `colours`.
fn beyond_middle(colours: Rect, end: End) -> Pos2 {
    end.middle(colours) + vec2(0.0, end.outwards() * 0.5 * BEYOND_HEIGHT)
}

/// Draws the mark of a share of values beyond an end of `colours`: a triangle in the colour of the end, and the end's value.
fn beyond_mark(ui: &Ui, colours: Rect, input: &ColourBarInput<'_>, (end, share): (End, f64)) -> Response {
    let palette = Palette::of_ui(ui);
    let [red, green, blue] = input.colours().colour(end as usize as f32).map(|value| (value * 255.0).round() as u8);
    let base = end.middle(colours) + vec2(0.0, end.outwards());
    let across = vec2(0.5 * colours.width(), 0.0);
    let corners = vec![base - across, base + across, base + vec2(0.0, end.outwards() * (BEYOND_HEIGHT - 1.0))];
    let outline = Stroke::new(1.0, palette.line);
    ui.painter().add(Shape::convex_polygon(corners, Color32::from_rgb(red, green, blue), outline));
    let sign = match end {
        End::Lower => "<",
        End::Upper => ">",
    };
    let value = input.short_end_text(end);
    let text = format!("{sign} {value}");
    let middle = beyond_middle(colours, end);
    let at = pos2(colours.right() + 1.5 * SPACE, middle.y);
    let rect = ui.painter().text(at, Align2::LEFT_CENTER, value, FontId::proportional(CAPTION), palette.text);
    let id = ui.scope_id().with(("values beyond", end as usize));
    let response = ui.interact(rect.with_min_x(colours.left()), id, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &text));
    let end = input.end_text(end);
    response.on_hover_text(format!("{} of the view is off the scale at this end, {end}", percent(share)))
}

/// Draws which panel is larger at an end of the colours, with the middle of the left edge at `left`. A dot in the panel's colour
/// would be read as a colour of the map.
fn larger_mark(ui: &Ui, left: Pos2, name: &PanelName) -> Response {
    let palette = Palette::of_ui(ui);
    let [.., short] = name.forms();
    let texts = [format!("{short} larger"), format!("Panel {} larger", name.index + 1)];
    let widths = texts.each_ref().map(|text| text_width(ui, text, CAPTION));
    let text = &texts[first_that_fits(NAME_WIDTH, &widths)];
    let rect = ui.painter().text(left, Align2::LEFT_CENTER, text, FontId::proportional(CAPTION), palette.text);
    let response = ui.interact(rect, ui.scope_id().with(("larger panel", name.index)), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    response.on_hover_text(format!("Here panel {} has the larger values", name.numbered()))
}

/// Paints the mark of the value under the cursor to the left of the colours.
fn paint_mark(painter: &Painter, colours: Rect, y: f32, colour: Color32) {
    let tip = pos2(colours.left() - 1.0, y);
    let corners: Vec<Pos2> = vec![tip, tip + vec2(-7.0, -4.0), tip + vec2(-7.0, 4.0)];
    painter.add(Shape::convex_polygon(corners, colour, Stroke::NONE));
}

/// A value under the cursor, with as many decimals as tell a thousandth of the greater end of the scale: it has equal figures wherever the cursor
/// is, and a sign where the scale has one.
fn reading_text(value: f64, [low, high]: [f64; 2]) -> String {
    let least = low.abs().max(high.abs()) / 1000.0;
    let decimals = (-least.log10().floor()).clamp(0.0, 9.0) as usize;
    let text = format!("{:.decimals$}", value.abs());
    let is_zero = !text.contains(|figure: char| ('1'..='9').contains(&figure));
    match () {
        () if is_zero => text,
        () if value < 0.0 => format!("−{text}"),
        () if low < 0.0 => format!("+{text}"),
        () => text,
    }
}

/// Round numbers within `range`, at most `most` of them on either side of 0: multiples of 1, 2 or 5 times a power of ten.
fn ticks([low, high]: [f64; 2], most: usize) -> Vec<f64> {
    let step = round_step((high - low) / most.max(1) as f64);
    let [first, last] = [(low / step - 1e-9).ceil() as i64, (high / step + 1e-9).floor() as i64];
    (first..=last).map(|count| count as f64 * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_has_the_decimals_of_a_thousandth_of_the_scale() {
        for (value, range, text) in [
            (9.801, [-25.5, 25.5], "+9.80"),
            (-9.64, [-25.5, 25.5], "−9.64"),
            (0.001, [-25.5, 25.5], "0.00"),
            (9.5, [0.0, 255.0], "9.5"),
            (-12_345.6, [-65_535.0, 65_535.0], "−12346"),
            (0.000_123_4, [-0.001, 0.001], "+0.000123"),
        ] {
            assert_eq!(reading_text(value, range), text);
        }
    }

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
}
