//! Charts: series of points over two axes, as values that the window draws and files keep.

use super::kind::{Guide, PlotAxis};

/// A chart. The window draws it; [`Chart::save`] writes it as a drawing or as numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Its title.
    pub title: String,
    /// The horizontal axis.
    pub x: PlotAxis,
    /// The vertical axis.
    pub y: PlotAxis,
    /// Range of x to show; series may leave it.
    pub x_range: [f64; 2],
    /// Range of y to show; series may leave it.
    pub y_range: [f64; 2],
    /// Lines and bands to read the series by.
    pub guides: Vec<Guide>,
    /// Columns of a CSV file that tell one entry from another.
    pub keys: Vec<&'static str>,
    /// What the legend lists: each has a colour and a dash.
    pub entries: Vec<ChartEntry>,
    /// What is drawn, the lowest first.
    pub series: Vec<ChartSeries>,
    /// What follows from the series, in a sentence.
    pub conclusion: Option<String>,
}

/// A line of a chart's legend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartEntry {
    /// Its name.
    pub label: String,
    /// Its cells in the columns of [`Chart::keys`].
    pub cells: Vec<String>,
}

/// Points of one entry.
#[derive(Clone, Debug, PartialEq)]
pub struct ChartSeries {
    /// Index of the entry in [`Chart::entries`].
    pub entry: usize,
    /// Which series of the entry it is: `w1`; empty where there is one.
    pub part: String,
    /// Where the points come from: `computed`, `measured`.
    pub source: &'static str,
    /// How they are drawn.
    pub shape: SeriesShape,
    /// x and y, by rising x.
    pub points: Vec<[f64; 2]>,
}

/// How the points of a series are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeriesShape {
    /// Straight lines from point to point.
    Line,
    /// A dot at each point.
    Dots,
    /// A dot at each point with a line down to y = 0.
    Stems,
    /// A ring at each point, where dots of another series lie on the same places.
    Rings,
}

/// Frequencies of a response in a lesson, in cycles per sample.
const LESSON_FREQUENCIES: [f64; 2] = [0.0, 1.0];

impl Chart {
    /// Shows the frequencies that lessons speak of, and marks a quarter and a half of a cycle per sample.
    pub fn narrow_to_lesson(&mut self) {
        self.x_range = LESSON_FREQUENCIES;
        self.guides = vec![Guide::Line { x: 0.25, label: "¼" }, Guide::Line { x: 0.5, label: "½, Nyquist" }];
    }

    /// The value of a series at `x`, by straight lines between its points; `None` beyond its ends.
    pub fn value(points: &[[f64; 2]], x: f64) -> Option<f64> {
        let after = points.partition_point(|point| point[0] < x);
        let ([x1, y1], before) = (*points.get(after)?, after.checked_sub(1));
        let [x0, y0] = match before {
            Some(before) => points[before],
            None if x1 == x => return Some(y1),
            None => return None,
        };
        Some(if x1 > x0 { y0 + (y1 - y0) * (x - x0) / (x1 - x0) } else { y1 })
    }

    /// How the key of `entry` is drawn in a legend: as a line where it has one, else as its first series; `None` without series.
    pub fn key_of(&self, entry: usize) -> Option<SeriesShape> {
        let shapes = || self.series.iter().filter(|series| series.entry == entry).map(|series| series.shape);
        shapes().find(|shape| *shape == SeriesShape::Line).or_else(|| shapes().next())
    }

    /// Sources of the dots on lines, each once: a legend names them.
    pub fn sources_of_dots(&self) -> Vec<&'static str> {
        let is_on_line = |series: &&ChartSeries| {
            let is_drawn = series.shape == SeriesShape::Dots && !series.points.is_empty();
            is_drawn && self.key_of(series.entry) == Some(SeriesShape::Line)
        };
        let mut sources = Vec::new();
        for series in self.series.iter().filter(is_on_line) {
            if !sources.contains(&series.source) {
                sources.push(series.source);
            }
        }
        sources
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_of_an_entry_is_its_line_or_its_first_series_and_dots_of_lines_alone_have_sources() {
        let series = |entry: usize, source: &'static str, shape: SeriesShape, points: &[[f64; 2]]| ChartSeries {
            entry,
            part: String::new(),
            source,
            shape,
            points: points.to_vec(),
        };
        let chart = Chart {
            series: vec![
                series(0, "measured", SeriesShape::Dots, &[[0.0, 1.0]]),
                series(0, "computed", SeriesShape::Line, &[[0.0, 1.0]]),
                series(0, "at the points", SeriesShape::Dots, &[]),
                series(1, "samples", SeriesShape::Dots, &[[0.0, 1.0]]),
                series(2, "causal", SeriesShape::Rings, &[[0.0, 1.0]]),
            ],
            ..crate::plots::Plot::new(crate::plots::PlotKind::default(), &[], &[]).chart()
        };
        let keys = [0, 1, 2, 3].map(|entry| chart.key_of(entry));
        assert_eq!(keys, [Some(SeriesShape::Line), Some(SeriesShape::Dots), Some(SeriesShape::Rings), None]);
        assert_eq!(chart.sources_of_dots(), ["measured"]);
    }

    #[test]
    fn value_is_on_the_line_between_two_points_and_nowhere_beyond_the_ends() {
        let points = [[0.0, 1.0], [2.0, 3.0], [2.0, 5.0], [4.0, 5.0]];
        assert_eq!([0.0, 1.0, 3.0, 4.0].map(|x| Chart::value(&points, x)), [1.0, 2.0, 5.0, 5.0].map(Some));
        assert_eq!([-0.1, 4.1].map(|x| Chart::value(&points, x)), [None, None]);
    }
}
