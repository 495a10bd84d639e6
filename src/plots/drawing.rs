//! Charts as SVG and as pixels, by plotters, on a light ground. Lengths are in points; plotters rounds every coordinate to a
//! whole number, so that a drawing has several units to a point.

use std::sync::Once;

use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::element::DashedPathElement;
use plotters::prelude::{
    BitMapBackend, Cartesian2d, ChartBuilder, ChartContext, Circle, DashedLineSeries, DrawingArea, DrawingBackend,
    FontDesc, FontFamily, FontStyle, IntoDrawingArea as _, LineSeries, PathElement, RGBColor, Rectangle, SVGBackend,
    ShapeStyle, Text, TextStyle,
};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color as _, register_font};

use super::chart::{Chart, ChartSeries, SeriesShape};
use super::kind::Guide;
use super::style::{CURVE_COLOURS, CURVE_DASHES, Dash};
use crate::image::{Channels, Raster, Samples, Size};

/// Units of an SVG file to a point.
const SVG_UNITS: u32 = 10;
/// Pixels of a PNG file to a point, and pixels of a drawing to one of the file along each axis.
const PIXELS: u32 = 2;
const OVERSAMPLING: u32 = 2;

/// Fonts of text, the first that there is. Without a system's fonts text is measured by Noto Sans.
const FAMILY: &str = "Noto Sans, DejaVu Sans, Arial, sans-serif";
/// Sizes of text, in points.
const TITLE: f64 = 17.0;
const LABEL: f64 = 13.0;
const TICK: f64 = 12.0;

const INK: RGBColor = RGBColor(0x1B, 0x1E, 0x23);
const WEAK: RGBColor = RGBColor(0x4D, 0x55, 0x61);
const LINE: RGBColor = RGBColor(0xB7, 0xBD, 0xC6);
const GRID: RGBColor = RGBColor(0xE4, 0xE7, 0xEB);
const WHITE: RGBColor = RGBColor(0xFF, 0xFF, 0xFF);

/// Why a plot was not drawn.
#[derive(Debug)]
pub(super) struct DrawError(pub(super) String);

impl DrawError {
    pub(super) fn new(cause: impl std::fmt::Display) -> Self {
        Self(cause.to_string())
    }
}

type Axes<'a, DB> = ChartContext<'a, DB, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// The SVG document of `chart`, `size` points large.
pub(super) fn svg(chart: &Chart, size: Size) -> Result<String, DrawError> {
    let [width, height] = size.sides().map(|side| side * SVG_UNITS);
    let mut text = String::new();
    let area = SVGBackend::with_string(&mut text, (width, height)).into_drawing_area();
    Sheet { area: &area, chart, units: SVG_UNITS }.draw()?;
    drop(area);
    // The document has its size in units of its view box.
    let units = format!("width=\"{width}\" height=\"{height}\"");
    Ok(text.replacen(&units, &format!("width=\"{}\" height=\"{}\"", size.width(), size.height()), 1))
}

/// The pixels of `chart`, `size` points large, two to a point.
pub(super) fn raster(chart: &Chart, size: Size) -> Result<Raster, DrawError> {
    let [width, height] = size.sides().map(|side| side * PIXELS * OVERSAMPLING);
    let mut fine = vec![0_u8; 3 * width as usize * height as usize];
    let area = BitMapBackend::with_buffer(&mut fine, (width, height)).into_drawing_area();
    Sheet { area: &area, chart, units: PIXELS * OVERSAMPLING }.draw()?;
    drop(area);
    let [columns, rows] = size.sides().map(|side| side * PIXELS);
    let mut values = Vec::with_capacity(3 * columns as usize * rows as usize);
    for row in 0..rows {
        for column in 0..columns {
            for channel in 0..3 {
                let at = |x: u32, y: u32| u32::from(fine[3 * (y as usize * width as usize + x as usize) + channel]);
                let square = (0..OVERSAMPLING * OVERSAMPLING).map(|place| {
                    at(OVERSAMPLING * column + place % OVERSAMPLING, OVERSAMPLING * row + place / OVERSAMPLING)
                });
                values.push((square.sum::<u32>() / (OVERSAMPLING * OVERSAMPLING)) as u8);
            }
        }
    }
    let size = Size::new(columns, rows).map_err(DrawError::new)?;
    Raster::new(size, Channels::Rgb, Samples::U8 { values, maxval: 255 }).map_err(DrawError::new)
}

/// A page that a chart is drawn on.
struct Sheet<'a, DB: DrawingBackend> {
    area: &'a DrawingArea<DB, Shift>,
    chart: &'a Chart,
    /// Units of the area to a point.
    units: u32,
}

impl<DB: DrawingBackend> Sheet<'_, DB> {
    fn draw(&self) -> Result<(), DrawError> {
        static FONT: Once = Once::new();
        FONT.call_once(|| {
            // The font is part of the program. Without it each text is an error.
            let _ = register_font(FAMILY, FontStyle::Normal, ttf_noto_sans::REGULAR);
        });
        self.area.fill(&WHITE).map_err(DrawError::new)?;
        let (page, legend) = self.area.split_horizontally(self.area.dim_in_pixel().0 - self.legend_width()?);
        let below = if self.chart.conclusion.is_some() { 52.0 } else { 8.0 };
        let mut axes = ChartBuilder::on(&page)
            .margin_top(self.length(38.0))
            .margin_right(self.length(12.0))
            .margin_bottom(self.length(below))
            .margin_left(self.length(10.0))
            .x_label_area_size(self.length(40.0))
            .y_label_area_size(self.length(62.0))
            .build_cartesian_2d(
                self.chart.x_range[0]..self.chart.x_range[1],
                self.chart.y_range[0]..self.chart.y_range[1],
            )
            .map_err(DrawError::new)?;
        self.guides(&mut axes, true)?;
        let label = |value: &f64| number(*value);
        axes.configure_mesh()
            .light_line_style(WHITE.mix(0.0))
            .bold_line_style(self.stroke(GRID, 1.0))
            .axis_style(self.stroke(LINE, 1.0))
            .label_style(self.font(TICK, WEAK))
            .axis_desc_style(self.font(LABEL, WEAK))
            .x_label_formatter(&label)
            .y_label_formatter(&label)
            .x_labels(9)
            .y_labels(7)
            .set_all_tick_mark_size(self.length(3.0))
            .x_desc(self.chart.x.label)
            .y_desc(self.chart.y.label)
            .draw()
            .map_err(DrawError::new)?;
        self.guides(&mut axes, false)?;
        self.chart.series.iter().try_for_each(|series| self.series(&mut axes, series))?;
        self.chart.series.iter().try_for_each(|series| self.part(&mut axes, series))?;
        self.names_of_dots(&axes)?;
        let title = Text::new(self.chart.title.clone(), self.at(14.0, 10.0), self.font(TITLE, INK));
        self.area.draw(&title).map_err(DrawError::new)?;
        if let Some(conclusion) = &self.chart.conclusion {
            let (width, height) = self.area.dim_in_pixel();
            // The font of a browser may be wider.
            let lines = self.wrapped(conclusion, width.saturating_sub(self.length(86.0) as u32) * 8 / 9)?;
            for (line, text) in lines.into_iter().enumerate() {
                let place = (self.length(72.0), height as i32 - self.length(48.0 - 18.0 * line as f32));
                self.area.draw(&Text::new(text, place, self.font(LABEL, INK))).map_err(DrawError::new)?;
            }
        }
        self.legend(&legend)?;
        self.area.present().map_err(DrawError::new)
    }

    /// Bands behind the grid, or lines before it.
    fn guides(&self, axes: &mut Axes<'_, DB>, are_behind: bool) -> Result<(), DrawError> {
        let ([left, right], [low, high]) = (self.chart.x_range, self.chart.y_range);
        for guide in &self.chart.guides {
            let (place, label) = match *guide {
                Guide::Band { y: [from, to], label } => {
                    let corners = [(left, from.max(low)), (right, to.min(high))];
                    if are_behind {
                        let band = Rectangle::new(corners, RGBColor(0x1A, 0x66, 0xDE).mix(0.09).filled());
                        axes.draw_series([band]).map_err(DrawError::new)?;
                    }
                    ((left, to.min(high)), label)
                }
                Guide::Line { x, label } => {
                    if !are_behind {
                        let line = [(x, low), (x, high)];
                        let series =
                            DashedLineSeries::new(line, self.length(5.0), self.length(4.0), self.stroke(WEAK, 1.0));
                        axes.draw_series(series).map_err(DrawError::new)?;
                    }
                    ((x, high), label)
                }
            };
            if !are_behind {
                let (x, y) = axes.backend_coord(&place);
                let place = (x + self.length(5.0), y + self.length(4.0));
                self.area.draw(&Text::new(label, place, self.font(TICK, WEAK))).map_err(DrawError::new)?;
            }
        }
        Ok(())
    }

    fn series(&self, axes: &mut Axes<'_, DB>, series: &ChartSeries) -> Result<(), DrawError> {
        let colour = colour(series.entry);
        let ([left, right], [low, high]) = (self.chart.x_range, self.chart.y_range);
        let is_shown = |[x, y]: &&[f64; 2]| (left..=right).contains(x) && (low..=high).contains(y);
        let dots = || {
            let dot = |[x, y]: &[f64; 2]| Circle::new((*x, *y), self.length(2.2), colour.filled());
            series.points.iter().filter(is_shown).map(dot)
        };
        match series.shape {
            SeriesShape::Line => self.line(axes, series),
            SeriesShape::Dots => axes.draw_series(dots()).map(drop).map_err(DrawError::new),
            SeriesShape::Stems => {
                let foot = 0.0_f64.clamp(low, high);
                let stem = |[x, y]: &[f64; 2]| PathElement::new([(*x, foot), (*x, *y)], self.stroke(colour, 1.0));
                axes.draw_series(series.points.iter().filter(is_shown).map(stem)).map_err(DrawError::new)?;
                axes.draw_series(dots()).map(drop).map_err(DrawError::new)
            }
            SeriesShape::Rings => {
                let stroke = self.stroke(colour, 1.3);
                let ring = |[x, y]: &[f64; 2]| Circle::new((*x, *y), self.length(4.0), stroke);
                axes.draw_series(series.points.iter().filter(is_shown).map(ring)).map(drop).map_err(DrawError::new)
            }
        }
    }

    fn line(&self, axes: &mut Axes<'_, DB>, series: &ChartSeries) -> Result<(), DrawError> {
        let [left, right] = self.chart.x_range;
        let inside: Vec<[f64; 2]> = series.points.iter().copied().filter(|[x, _]| (left..=right).contains(x)).collect();
        for part in clipped(&inside, self.chart.y_range) {
            let points: Vec<(f64, f64)> = part.into_iter().map(Into::into).collect();
            let stroke = self.stroke(colour(series.entry), 1.7);
            match CURVE_DASHES[series.entry % CURVE_DASHES.len()] {
                Dash::Solid => axes.draw_series(LineSeries::new(points, stroke)).map(drop),
                Dash::Dashed { length } => {
                    let dashes = DashedLineSeries::new(points, self.length(length), self.length(0.5 * length), stroke);
                    axes.draw_series(dashes).map(drop)
                }
                Dash::Dotted { spacing } => {
                    let dots = DashedLineSeries::new(points, self.length(1.7), self.length(spacing - 1.7), stroke);
                    axes.draw_series(dots).map(drop)
                }
            }
            .map_err(DrawError::new)?;
        }
        Ok(())
    }

    /// The name of a series beside it, those of an entry below each other.
    fn part(&self, axes: &mut Axes<'_, DB>, series: &ChartSeries) -> Result<(), DrawError> {
        let ([left, right], [low, high]) = (self.chart.x_range, self.chart.y_range);
        // Curves of a method cross in the middle.
        let share = 0.05 + 0.4 * (series.entry as f64 + 0.5) / self.chart.entries.len() as f64;
        let x = left + (right - left) * share;
        let is_named = !series.part.is_empty() && series.shape == SeriesShape::Line;
        if let Some(y) = Chart::value(&series.points, x).filter(|y| is_named && (low..=high).contains(y)) {
            let (x, y) = axes.backend_coord(&(x, y));
            let style = self.font(TICK, colour(series.entry)).pos(Pos::new(HPos::Center, VPos::Bottom));
            let text = Text::new(series.part.clone(), (x, y - self.length(3.0)), style);
            self.area.draw(&text).map_err(DrawError::new)?;
        }
        Ok(())
    }

    /// The names of dots beside them, where there is room: at the right, else at the left, above or below.
    fn names_of_dots(&self, axes: &Axes<'_, DB>) -> Result<(), DrawError> {
        let gap = self.length(5.0);
        let (right, bottom) = {
            let (x, y) = (self.chart.x_range, self.chart.y_range);
            let [low, high] = [(x[0], y[1]), (x[1], y[0])].map(|corner| axes.backend_coord(&corner));
            ((low.0, high.0), (low.1, high.1))
        };
        let dots = self.chart.series.iter().filter(|series| is_named_dot(series));
        let at = |series: &ChartSeries| axes.backend_coord(&(series.points[0][0], series.points[0][1]));
        let mut taken: Vec<[i32; 4]> = dots
            .clone()
            .map(|series| {
                let ((x, y), radius) = (at(series), self.length(3.0));
                [x - radius, y - radius, x + radius, y + radius]
            })
            .collect();
        for series in dots {
            let (x, y) = at(series);
            let style = self.font(TICK, INK);
            let (width, height) = self.area.estimate_text_size(&series.part, &style).map_err(DrawError::new)?;
            let (width, height) = (width as i32, height as i32);
            let places = [
                (x + gap, y - height / 2),
                (x - gap - width, y - height / 2),
                (x - width / 2, y - gap - height),
                (x - width / 2, y + gap),
            ];
            let is_free = |&(left, top): &(i32, i32)| {
                let own = [left, top, left + width, top + height];
                let is_inside = own[0] > right.0 && own[2] < right.1 && own[1] > bottom.0 && own[3] < bottom.1;
                is_inside
                    && taken
                        .iter()
                        .all(|other| own[2] < other[0] || other[2] < own[0] || own[3] < other[1] || other[3] < own[1])
            };
            if let Some((left, top)) = places.into_iter().find(is_free) {
                taken.push([left, top, left + width, top + height]);
                let style = style.pos(Pos::new(HPos::Left, VPos::Top));
                self.area.draw(&Text::new(series.part.clone(), (left, top), style)).map_err(DrawError::new)?;
            }
        }
        Ok(())
    }

    /// `text` in lines of at most `width` units.
    fn wrapped(&self, text: &str, width: u32) -> Result<Vec<String>, DrawError> {
        let style = self.font(LABEL, INK);
        let mut lines = vec![String::new()];
        for word in text.split_whitespace() {
            let Some(line) = lines.last_mut() else { continue };
            let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
            if self.area.estimate_text_size(&longer, &style).map_err(DrawError::new)?.0 > width {
                lines.push(word.to_owned());
            } else {
                *line = longer;
            }
        }
        Ok(lines)
    }

    /// Width of the legend; small where every entry is named beside its dot.
    fn legend_width(&self) -> Result<u32, DrawError> {
        if self.names_all() {
            return Ok(self.length(12.0) as u32);
        }
        let mut widest = 0;
        for entry in &self.chart.entries {
            let size = self.area.estimate_text_size(&entry.label, &self.font(LABEL, INK)).map_err(DrawError::new)?;
            widest = widest.max(size.0);
        }
        // The font of a browser may be wider.
        Ok((widest + widest / 8 + self.length(64.0) as u32).min(self.area.dim_in_pixel().0 / 2))
    }

    /// The name of each entry beside its line.
    fn legend(&self, area: &DrawingArea<DB, Shift>) -> Result<(), DrawError> {
        if self.names_all() {
            return Ok(());
        }
        for (place, entry) in self.chart.entries.iter().enumerate() {
            let middle = 50.0 + 20.0 * place as f32;
            let stroke = self.stroke(colour(place), 1.7);
            let (ends, centre) = ([self.at(4.0, middle), self.at(34.0, middle)], self.at(19.0, middle));
            let dashed =
                |dash: f32, gap: f32| DashedPathElement::new(ends, self.length(dash), self.length(gap), stroke);
            match (self.chart.key_of(place), CURVE_DASHES[place % CURVE_DASHES.len()]) {
                (Some(SeriesShape::Dots | SeriesShape::Stems), _) => {
                    area.draw(&Circle::new(centre, self.length(2.2), colour(place).filled()))
                }
                (Some(SeriesShape::Rings), _) => {
                    area.draw(&Circle::new(centre, self.length(4.0), self.stroke(colour(place), 1.3)))
                }
                (_, Dash::Solid) => area.draw(&PathElement::new(ends, stroke)),
                (_, Dash::Dashed { length }) => area.draw(&dashed(length, 0.5 * length)),
                (_, Dash::Dotted { spacing }) => area.draw(&dashed(1.7, spacing - 1.7)),
            }
            .map_err(DrawError::new)?;
            let style = self.font(LABEL, INK).pos(Pos::new(HPos::Left, VPos::Center));
            area.draw(&Text::new(entry.label.clone(), self.at(42.0, middle), style)).map_err(DrawError::new)?;
        }
        for (place, source) in self.chart.sources_of_dots().into_iter().enumerate() {
            let middle = 50.0 + 20.0 * (self.chart.entries.len() + place) as f32;
            area.draw(&Circle::new(self.at(19.0, middle), self.length(2.2), WEAK.filled())).map_err(DrawError::new)?;
            let style = self.font(LABEL, WEAK).pos(Pos::new(HPos::Left, VPos::Center));
            area.draw(&Text::new(source, self.at(42.0, middle), style)).map_err(DrawError::new)?;
        }
        Ok(())
    }

    fn names_all(&self) -> bool {
        self.chart.series.iter().all(is_named_dot)
    }

    fn length(&self, points: f32) -> i32 {
        (points * self.units as f32).round() as i32
    }

    fn at(&self, x: f32, y: f32) -> (i32, i32) {
        (self.length(x), self.length(y))
    }

    fn stroke(&self, colour: RGBColor, width: f32) -> ShapeStyle {
        colour.stroke_width(self.length(width).unsigned_abs())
    }

    fn font(&self, size: f64, colour: RGBColor) -> TextStyle<'static> {
        let font = FontDesc::new(FontFamily::Name(FAMILY), size * f64::from(self.units), FontStyle::Normal);
        TextStyle { color: colour.to_backend_color(), ..TextStyle::from(font) }
    }
}

/// Whether the series is one dot with a name.
fn is_named_dot(series: &ChartSeries) -> bool {
    series.shape == SeriesShape::Dots && !series.part.is_empty() && series.points.len() == 1
}

fn colour(entry: usize) -> RGBColor {
    let [_, red, green, blue] = CURVE_COLOURS[entry % CURVE_COLOURS.len()].to_be_bytes();
    RGBColor(red, green, blue)
}

/// A number at a tick, with a true minus sign.
fn number(value: f64) -> String {
    let rounded = (value * 1e6).round() / 1e6;
    // −0 is 0.
    (rounded + 0.0).to_string().replace('-', "−")
}

/// The parts of a curve with y between the `limits`, cut where it crosses them.
fn clipped(points: &[[f64; 2]], [low, high]: [f64; 2]) -> Vec<Vec<[f64; 2]>> {
    let mut parts: Vec<Vec<[f64; 2]>> = Vec::new();
    for pair in points.windows(2) {
        let [[x0, y0], [x1, y1]] = [pair[0], pair[1]];
        // Shares of the line at which it enters and leaves the limits.
        let shares = if y0 == y1 {
            if (low..=high).contains(&y0) { [0.0, 1.0] } else { [1.0, 0.0] }
        } else {
            let (a, b) = ((low - y0) / (y1 - y0), (high - y0) / (y1 - y0));
            [a.min(b).max(0.0), a.max(b).min(1.0)]
        };
        if shares[0] > shares[1] {
            continue;
        }
        let [from, to] = shares.map(|share| [x0 + (x1 - x0) * share, y0 + (y1 - y0) * share]);
        match parts.last_mut().filter(|part| shares[0] == 0.0 && part.last() == Some(&pair[0])) {
            Some(part) => part.push(if shares[1] == 1.0 { pair[1] } else { to }),
            None => parts.push(vec![from, if shares[1] == 1.0 { pair[1] } else { to }]),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curve_is_cut_where_it_leaves_the_limits() {
        let points = [[0.0, 0.0], [1.0, 1.0], [2.0, 3.0], [3.0, 3.0], [4.0, -1.0]];
        let parts = clipped(&points, [0.0, 2.0]);
        assert_eq!(parts, [vec![[0.0, 0.0], [1.0, 1.0], [1.5, 2.0]], vec![[3.25, 2.0], [3.75, 0.0]]]);
        assert_eq!(clipped(&points[..2], [-1.0, 2.0]), [points[..2].to_vec()]);
        assert!(clipped(&points, [5.0, 6.0]).is_empty());
    }

    #[test]
    fn numbers_at_ticks_are_short() {
        assert_eq!([0.1 + 0.2, -0.0, -20.0, 2.0].map(number), ["0.3", "0", "−20", "2"]);
    }
}
