//! The views as charts.

use super::formats::Formats;
use super::row::{corners, corners_by};
use super::shader::ShaderTexel;
use super::table_one::{DOCUMENT_TABLE, TableOne};
use super::texel::Texel;
use super::{ErrorGain, ShownSteps};
use crate::plots::{Chart, ChartEntry, ChartSeries, Guide, PlotAxis, SeriesShape};
use crate::sampling::SamplingPath;

const FRACTION: PlotAxis = PlotAxis { name: "fraction", symbol: "α", label: "Fraction α between two texels" };
const VALUE: PlotAxis = PlotAxis { name: "value", symbol: "f", label: "Value" };
const ERROR: PlotAxis = PlotAxis { name: "error", symbol: "e", label: "(Texture unit − exact) × gain" };
const SHARE: PlotAxis = PlotAxis { name: "share", symbol: "f", label: "Value, in units of the upper texel" };
const CONTRAST: PlotAxis =
    PlotAxis { name: "contrast", symbol: "c", label: "Contrast: RMS of differences of neighbouring samples" };
const RMS: PlotAxis = PlotAxis { name: "rms", symbol: "RMS", label: "RMS error, in units of 10⁻⁵" };
/// Unit of the axis of [`RMS`].
const RMS_UNIT: f64 = 1e-5;
/// Range of errors times gain.
const ERROR_RANGE: [f64; 2] = [-1.0, 1.0];
/// Least range of values.
const LEAST_RANGE: f64 = 1.0 / 256.0;
/// Part of the range of values above and below them.
const MARGIN: f64 = 0.04;

impl Texel {
    /// The values over the texel, by each path and exact.
    pub fn staircase(&self, steps: ShownSteps) -> Chart {
        let mut entries: Vec<ChartEntry> = self.curves.iter().map(|curve| entry(curve.path)).collect();
        let mut series = vec![line(entries.len(), "computed", self.exact.clone())];
        entries.push(ChartEntry { label: "exact".to_owned(), cells: vec!["exact".to_owned()] });
        for (place, curve) in self.curves.iter().enumerate() {
            series.push(line(place, self.origin.name(), corners(&curve.points)));
        }
        let title = format!("Between a texel of 0 and one of 1: {}", self.request.label());
        let conclusion = Some(self.conclusion());
        Chart { title, conclusion, ..of_fractions(VALUE, entries, series).showing(steps) }
    }

    /// The errors over the texel, times `gain`.
    pub fn error(&self, gain: ErrorGain, steps: ShownSteps) -> Chart {
        let factor = f64::from(gain.get());
        let entries = self.curves.iter().map(|curve| entry(curve.path)).collect();
        let magnified = |points: Vec<[f64; 2]>| points.into_iter().map(|[x, error]| [x, error * factor]).collect();
        let curves = self.curves.iter().enumerate();
        let series = curves
            .map(|(place, curve)| line(place, self.origin.name(), magnified(self.error_corners(curve))))
            .collect();
        let title = format!("Error times {}: {}", gain.get(), self.request.label());
        let conclusion = Some(self.conclusion());
        let x_range = steps.range();
        Chart { title, x_range, y_range: ERROR_RANGE, conclusion, ..of_fractions(ERROR, entries, series) }
    }

    /// The chart of the values, [`Texel::staircase`], with those of OpenGL's texture unit.
    pub fn staircase_with(&self, shader: &ShaderTexel, steps: ShownSteps) -> Chart {
        let chart = self.staircase(steps);
        with_shader(chart, self, shader, corners(&shader.points)).showing(steps)
    }

    /// The chart of the errors, [`Texel::error`], with those of OpenGL's texture unit.
    pub fn error_with(&self, shader: &ShaderTexel, gain: ErrorGain, steps: ShownSteps) -> Chart {
        let factor = f64::from(gain.get());
        let errors = corners_by(&self.shader_errors(shader), &shader.points);
        let points = errors.into_iter().map(|[x, error]| [x, error * factor]).collect();
        with_shader(self.error(gain, steps), self, shader, points)
    }

    /// How far each path is from exact, in a sentence.
    fn conclusion(&self) -> String {
        let far = |curve: &super::TexelCurve| {
            let [rms, max] = self.rms_and_max(curve);
            let values = match curve.levels().len() {
                // A value at each place: it has no steps of its own.
                count if count > 2 * 257 => String::new(),
                count => format!("{count} values, "),
            };
            format!("{}: {values}at most {} from exact, RMS {}", curve.path, scientific(max), scientific(rms))
        };
        self.curves.iter().map(far).collect::<Vec<_>>().join(". ")
    }
}

impl Formats {
    /// The values between the two texels, in units of the upper one.
    pub fn chart(&self, steps: ShownSteps) -> Chart {
        let mut entries = Vec::new();
        let mut series = Vec::new();
        for curve in &self.curves {
            let row = curve.format.row();
            entries.push(ChartEntry { label: row.title.to_owned(), cells: vec![row.name.to_owned()] });
            let shares: Vec<[f64; 2]> = curve.points.iter().map(|[x, value]| [*x, value / curve.asked]).collect();
            series.push(line(entries.len() - 1, self.origin.name(), corners(&shares)));
        }
        let conclusion = self.curves.iter().map(|curve| curve.sentence()).collect::<Vec<_>>().join(". ");
        Chart {
            title: format!("A linear fetch between {}", self.pair.row().title),
            keys: vec!["format"],
            conclusion: Some(conclusion),
            ..of_fractions(SHARE, entries, series).showing(steps)
        }
    }
}

impl TableOne {
    /// RMS errors over the contrast of the pictures, with lines from the origin, and the document's numbers.
    pub fn chart(&self) -> Chart {
        let entries = DOCUMENT_TABLE.iter().map(|(path, _)| entry(*path)).collect();
        let mut series = Vec::new();
        for (place, (path, _)) in DOCUMENT_TABLE.into_iter().enumerate() {
            let own = self.rows.iter().filter(|row| row.path == path);
            let mut points: Vec<[f64; 2]> = own.map(|row| [row.contrast, row.rms / RMS_UNIT]).collect();
            points.sort_by(|a, b| a[0].total_cmp(&b[0]));
            let dots = ChartSeries { shape: SeriesShape::Dots, ..line(place, self.origin.name(), points.clone()) };
            points.insert(0, [0.0; 2]);
            series.extend([line(place, "joined", points), dots]);
        }
        let most =
            |axis: usize| series.iter().flat_map(|series| &series.points).map(|point| point[axis]).fold(0.0, f64::max);
        let [x, y] = [most(0).max(1e-6), most(1).max(DOCUMENT_TABLE[0].1 / RMS_UNIT)];
        let [(_, table), (_, fly)] = DOCUMENT_TABLE;
        let y_of_document = [fly / RMS_UNIT, table / RMS_UNIT];
        Chart {
            title: "Cubic B-spline: RMS error over contrast".to_owned(),
            x: CONTRAST,
            y: RMS,
            x_range: [0.0, x * (1.0 + MARGIN)],
            y_range: [0.0, y * (1.0 + 2.0 * MARGIN)],
            guides: vec![Guide::Band { y: y_of_document, label: "document 002: 8.58 on the fly, 9.39 by table" }],
            keys: vec!["path"],
            entries,
            series,
            conclusion: Some(self.conclusion()),
        }
    }

    /// How the two forms compare and what the errors depend on, in a sentence.
    pub fn conclusion(&self) -> String {
        let of = |path: SamplingPath| self.rows.iter().filter(move |row| row.path == path);
        let ratios =
            of(SamplingPath::FilteredTable).zip(of(SamplingPath::Filtered)).map(|(table, fly)| table.rms / fly.rms);
        let ratios: Vec<String> = ratios.filter(|ratio| ratio.is_finite()).map(|ratio| format!("{ratio:.3}")).collect();
        let document = DOCUMENT_TABLE[0].1 / DOCUMENT_TABLE[1].1;
        format!(
            "RMS goes with contrast. By table it is {} times that on the fly, in document 002 {document:.3} times",
            ratios.join(" and ")
        )
    }
}

/// `chart` with an entry for OpenGL's texture unit and its `points`.
fn with_shader(mut chart: Chart, texel: &Texel, shader: &ShaderTexel, points: Vec<[f64; 2]>) -> Chart {
    let name = "OpenGL".to_owned();
    chart.series.push(line(chart.entries.len(), "shader", points));
    chart.entries.push(ChartEntry { label: name.clone(), cells: vec![name] });
    let of_paths = chart.conclusion.take().unwrap_or_default();
    chart.conclusion = Some(format!("{of_paths}. {}", shader.sentence(texel)));
    chart
}

fn entry(path: SamplingPath) -> ChartEntry {
    ChartEntry { label: path.to_string(), cells: vec![path.to_string()] }
}

fn line(entry: usize, source: &'static str, points: Vec<[f64; 2]>) -> ChartSeries {
    ChartSeries { entry, part: String::new(), source, shape: SeriesShape::Line, points }
}

impl Chart {
    /// This chart at the fractions of `steps`, with all values there.
    fn showing(self, steps: ShownSteps) -> Self {
        let x_range = steps.range();
        let is_shown = |[x, _]: &&[f64; 2]| (x_range[0]..=x_range[1]).contains(x);
        // Two equal texels would keep the steps of the others small.
        let is_flat = |series: &&ChartSeries| series.points.iter().all(|[_, y]| *y == 0.0);
        let own = |series: &ChartSeries| {
            let ends = x_range.map(|x| Self::value(&series.points, x)).into_iter().flatten();
            series.points.iter().filter(is_shown).map(|[_, y]| *y).chain(ends).collect::<Vec<f64>>()
        };
        let values = self.series.iter().filter(|series| !is_flat(series)).flat_map(own);
        let (least, most) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), y| (a.min(y), b.max(y)));
        let margin = MARGIN * (most - least).max(LEAST_RANGE);
        Self { x_range, y_range: [least - margin, most + margin], ..self }
    }
}

/// A chart over the fraction.
fn of_fractions(y: PlotAxis, entries: Vec<ChartEntry>, series: Vec<ChartSeries>) -> Chart {
    Chart {
        title: String::new(),
        x: FRACTION,
        y,
        x_range: [0.0, 1.0],
        y_range: [0.0, 1.0],
        guides: Vec::new(),
        keys: vec!["path"],
        entries,
        series,
        conclusion: None,
    }
}

/// Three digits, `1.95·10⁻³`.
pub fn scientific(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let text = format!("{value:.2e}");
    let Some((digits, exponent)) = text.split_once('e') else { return text };
    if exponent == "0" {
        return digits.to_owned();
    }
    let raised = |c: char| match c {
        '-' => '⁻',
        digit => "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit.to_digit(10).unwrap_or_default() as usize).unwrap_or(digit),
    };
    format!("{digits}·10{}", exponent.chars().map(raised).collect::<String>())
}
