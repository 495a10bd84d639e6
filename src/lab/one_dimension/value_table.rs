//! Values at points: what listings 4 and 5 of document 000 print, with the exact value beside it.

use std::fmt::Write as _;

use serde::Serialize;

use super::{Interpolant, Signal};
use crate::plots::Reconstruction;

/// Values of a method at one point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueRow {
    /// The position in samples.
    pub x: f64,
    /// What the texture unit is asked for: x + ½.
    pub argument: f64,
    /// What it returns; `None` for a method that it does not serve.
    pub texture: Option<f64>,
    /// What a program without a texture computes: single precision, clamped at the edges.
    pub manual: f64,
    /// The exact value.
    pub exact: f64,
}

/// Values of methods at points.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueTable {
    /// The samples.
    pub signal: Signal,
    /// Each method with its rows, point by point.
    pub methods: Vec<(Reconstruction, Vec<ValueRow>)>,
}

impl ValueTable {
    /// The values of `filters` over `signal` at `points`.
    ///
    /// ```
    /// use lerpscope::lab::one_dimension::{Preset, ValueTable};
    /// use lerpscope::plots::Reconstruction;
    /// use lerpscope::sampling::Method;
    /// let linear = Reconstruction::of(Method::Linear, false);
    /// let table = ValueTable::new(Preset::Document.signal(5), &[linear], &Preset::POINTS);
    /// let row = table.methods[0].1[2];
    /// // Between 0.2 and 0.4 at 0.6: 154/256 for 0.6.
    /// assert_eq!((row.argument, row.texture.map(|value| (value * 1e7).round())), (1.1, Some(1_203_125.0)));
    /// ```
    pub fn new(signal: Signal, filters: &[Reconstruction], points: &[f64]) -> Self {
        let of_filter = |filter: &Reconstruction| {
            let exact = Interpolant::exact(&signal, filter);
            let (texture, manual) = (Interpolant::texture(&signal, filter), Interpolant::manual(&signal, filter));
            let row = |&x: &f64| ValueRow {
                x,
                argument: x + 0.5,
                texture: texture.as_ref().map(|texture| texture.at(x)),
                manual: manual.at(x),
                exact: exact.at(x),
            };
            (*filter, points.iter().map(row).collect())
        };
        let methods = filters.iter().map(of_filter).collect();
        Self { signal, methods }
    }

    /// The values as JSON: an array of objects. The texture value of a method that the unit does not serve is null.
    ///
    /// # Errors
    /// None in practice: every value is a number, a text or a Boolean.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        #[derive(Serialize)]
        struct Json {
            method: String,
            prefilter: bool,
            x: f64,
            argument: f64,
            texture: Option<f64>,
            manual: f64,
            exact: f64,
        }
        let json = |(filter, row): (&Reconstruction, &ValueRow)| {
            let ValueRow { x, argument, texture, manual, exact } = *row;
            let (method, prefilter) = (filter.method.to_string(), filter.prefilter);
            Json { method, prefilter, x, argument, texture, manual, exact }
        };
        Ok(serde_json::to_string_pretty(&self.rows().map(json).collect::<Vec<_>>())? + "\n")
    }

    /// The values as CSV with a line of names. The texture value of a method that the unit does not serve is empty.
    ///
    /// # Errors
    /// None in practice: the table is in memory.
    pub fn to_csv(&self) -> Result<Vec<u8>, csv::Error> {
        let mut csv = csv::Writer::from_writer(Vec::new());
        csv.write_record(["method", "prefilter", "x", "argument", "texture", "manual", "exact"])?;
        for (filter, row) in self.rows() {
            let (method, prefilter) = (filter.method.to_string(), filter.prefilter.to_string());
            let texture = row.texture.map(|value| value.to_string()).unwrap_or_default();
            let [x, argument, manual, exact] = [row.x, row.argument, row.manual, row.exact].map(|n| n.to_string());
            csv.write_record([&method, &prefilter, &x, &argument, &texture, &manual, &exact])?;
        }
        csv.into_inner().map_err(|error| csv::Error::from(error.into_error()))
    }

    /// The values as text: a line on the samples, and a table for each method.
    pub fn to_text(&self) -> String {
        let samples: Vec<String> = self.signal.samples().iter().map(|sample| decimals(*sample)).collect();
        let count = if samples.len() == 1 { "1 sample".to_owned() } else { format!("{} samples", samples.len()) };
        let mut text = format!("{count}: {}; address mode {}\n", samples.join(", "), self.signal.address);
        text.push_str("argument: x + 1/2, as the texture unit counts; texture: fractions in steps of 1/256; ");
        text.push_str("manual: single precision, clamped\n");
        for (filter, rows) in &self.methods {
            let _ = writeln!(text, "\n{}", filter.label());
            let heads = ["x", "argument", "texture", "manual", "exact", "texture - exact"];
            for (column, head) in heads.iter().enumerate() {
                let _ = write!(text, "{head:>width$}", width = width(column));
            }
            text.push('\n');
            for row in rows {
                let texture = row.texture.map_or_else(|| "-".to_owned(), fixed);
                // Half a step of 1/256 between samples apart by 0.2 is 0.0003906: four digits of it.
                let error = |value: f64| format!("{:.7}", ((value - row.exact) * 1e7).round() / 1e7 + 0.0);
                let error = row.texture.map_or_else(|| "-".to_owned(), error);
                let cells = [fixed(row.x), fixed(row.argument), texture, fixed(row.manual), fixed(row.exact), error];
                for (column, cell) in cells.iter().enumerate() {
                    let _ = write!(text, "{cell:>width$}", width = width(column));
                }
                text.push('\n');
            }
        }
        text
    }

    fn rows(&self) -> impl Iterator<Item = (&Reconstruction, &ValueRow)> {
        self.methods.iter().flat_map(|(filter, rows)| rows.iter().map(move |row| (filter, row)))
    }
}

/// Width of a column of the text.
fn width(column: usize) -> usize {
    match column {
        0 => 9,
        5 => 17,
        _ => 11,
    }
}

/// Six decimals, as `%f` writes; none of them with a minus sign before zeros.
fn fixed(value: f64) -> String {
    format!("{:.6}", (value * 1e6).round() / 1e6 + 0.0)
}

/// At most six decimals.
fn decimals(value: f64) -> String {
    ((value * 1e6).round() / 1e6 + 0.0).to_string()
}

#[cfg(test)]
mod tests {
    use super::super::Preset;
    use super::*;
    use crate::sampling::{AddressMode, Method};

    fn rows(method: Method) -> Vec<ValueRow> {
        let table = ValueTable::new(Preset::Document.signal(5), &[Reconstruction::of(method, false)], &Preset::POINTS);
        table.methods[0].1.clone()
    }

    /// Listing 2 of document 000 by hand: samples f = 0, 0.2, 0.4, 0.6, 0.8 at 0 … 4, clamped; points −0.6, −0.1, 0.6, 1.5,
    /// 2.1, 2.9, 4.7.
    ///
    /// Nearest, the sample at ⌊x + ½⌋:
    ///   −0.6: ⌊−0.1⌋ = −1, clamped to f0 = 0      −0.1: ⌊0.4⌋ = 0, f0 = 0       0.6: ⌊1.1⌋ = 1, f1 = 0.2
    ///   1.5: ⌊2.0⌋ = 2, f2 = 0.4    2.1: ⌊2.6⌋ = 2, f2 = 0.4    2.9: ⌊3.4⌋ = 3, f3 = 0.6    4.7: ⌊5.2⌋ = 5, clamped, f4 = 0.8
    ///
    /// Linear, (1 − α)·f_m + α·f_(m+1), m = ⌊x⌋:
    ///   −0.6 and −0.1: both samples are f0 = 0    0.6: 0.4·0 + 0.6·0.2 = 0.12    1.5: 0.5·0.2 + 0.5·0.4 = 0.3
    ///   2.1: 0.9·0.4 + 0.1·0.6 = 0.42    2.9: 0.1·0.4 + 0.9·0.6 = 0.58    4.7: both samples are f4 = 0.8
    ///
    /// Texture unit, α rounded to 1/256:
    ///   0.6·256 = 153.6, 154: 0.2·154/256 = 0.1203125    0.5·256 = 128: 0.3
    ///   0.1·256 = 25.6, 26: 0.4 + 0.2·26/256 = 0.4203125    0.9·256 = 230.4, 230: 0.4 + 0.2·230/256 = 0.5796875
    #[test]
    fn seven_points_of_listing_2_have_the_values_by_hand() {
        const NEAREST: [f64; 7] = [0.0, 0.0, 0.2, 0.4, 0.4, 0.6, 0.8];
        const LINEAR: [f64; 7] = [0.0, 0.0, 0.12, 0.3, 0.42, 0.58, 0.8];
        const LINEAR_TEXTURE: [f64; 7] = [0.0, 0.0, 0.120_312_5, 0.3, 0.420_312_5, 0.579_687_5, 0.8];
        const ARGUMENTS: [f64; 7] = [-0.1, 0.4, 1.1, 2.0, 2.6, 3.4, 5.2];
        for (method, exact, texture) in [(Method::Nearest, NEAREST, NEAREST), (Method::Linear, LINEAR, LINEAR_TEXTURE)]
        {
            for (k, row) in rows(method).iter().enumerate() {
                assert_eq!(row.x, Preset::POINTS[k]);
                assert!((row.argument - ARGUMENTS[k]).abs() < 1e-15, "{method} at {}: {}", row.x, row.argument);
                assert!((row.exact - exact[k]).abs() < 1e-15, "{method} at {}: {}", row.x, row.exact);
                // The manual value and the texture's samples have single precision.
                assert!((row.manual - exact[k]).abs() < 1e-7, "{method} at {}: {}", row.x, row.manual);
                let found = row.texture.expect("the unit serves it");
                assert!((found - texture[k]).abs() < 3e-8, "{method} at {}: {found}", row.x);
            }
        }
    }

    /// Equations 12 to 16 of document 000 at x = 2.1: m = 2, α = 0.1.
    ///   w0 = 0.9³/6 = 0.1215    w1 = (3·0.001 − 6·0.01 + 4)/6 = 3.943/6    w2 = (−0.003 + 0.03 + 0.3 + 1)/6 = 1.327/6
    ///   w3 = 0.001/6
    ///   f = 0.1215·0.2 + 3.943/6·0.4 + 1.327/6·0.6 + 0.001/6·0.8 = 0.0243 + 0.2628667 + 0.1327 + 0.0001333 = 0.42
    /// A straight line stays one: its value 0.2·2.1 again. At −0.6 the samples −2 … 1 are 0, 0, 0, 0.2, α = 0.4:
    ///   w3·0.2 = 0.4³/6·0.2 = 0.064/30 = 0.00213333
    /// At 4.7 the samples 3 … 6 are 0.6, 0.8, 0.8, 0.8, α = 0.7:
    ///   0.8 − w0·0.2 = 0.8 − 0.3³/6·0.2 = 0.8 − 0.0009 = 0.7991
    #[test]
    fn cubic_bspline_at_points_of_listing_2_has_the_values_by_hand() {
        let rows = rows(Method::BSPLINE);
        for (k, expected) in [(4, 0.42), (0, 0.064 / 30.0), (6, 0.7991)] {
            assert!((rows[k].exact - expected).abs() < 1e-15, "at {}: {}", rows[k].x, rows[k].exact);
            assert!((rows[k].manual - expected).abs() < 1e-7, "at {}: {}", rows[k].x, rows[k].manual);
        }
    }

    #[test]
    fn table_of_a_method_without_a_texture_path_has_a_gap() {
        let table = ValueTable::new(Preset::Step.signal(4), &[Reconstruction::of(Method::LANCZOS3, false)], &[0.5]);
        assert_eq!(table.methods[0].1[0].texture, None);
        let csv = String::from_utf8(table.to_csv().expect("a table")).expect("text");
        assert!(csv.starts_with("method,prefilter,x,argument,texture,manual,exact\nlanczos3,false,0.5,1,,"), "{csv}");
        let json: serde_json::Value = serde_json::from_str(&table.to_json().expect("a table")).expect("JSON");
        assert!(json[0]["texture"].is_null() && json[0]["argument"] == 1.0);
        let line = table.to_text().lines().last().expect("a row").to_owned();
        assert_eq!(line.split_whitespace().filter(|cell| *cell == "-").count(), 2, "{line}");
    }

    #[test]
    fn text_has_the_samples_and_six_decimals() {
        let table =
            ValueTable::new(Preset::Document.signal(5), &[Reconstruction::of(Method::Linear, false)], &Preset::POINTS);
        let text = table.to_text();
        assert!(text.starts_with("5 samples: 0, 0.2, 0.4, 0.6, 0.8; address mode clamp\n"), "{text}");
        let row = text.lines().find(|line| line.trim_start().starts_with("0.600000")).expect("a row");
        let cells: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(cells, ["0.600000", "1.100000", "0.120313", "0.120000", "0.120000", "0.0003125"]);
    }

    #[test]
    fn border_separates_the_manual_value_from_the_others_outside() {
        let samples = Preset::Document.samples(5);
        let signal = Signal::new(samples, AddressMode::Border, 0.5).expect("a line");
        let table = ValueTable::new(signal, &[Reconstruction::of(Method::Nearest, false)], &[-0.6, 4.7]);
        let rows = &table.methods[0].1;
        assert_eq!(rows.iter().map(|row| row.exact).collect::<Vec<_>>(), [0.5, 0.5]);
        assert_eq!(rows.iter().map(|row| row.texture).collect::<Vec<_>>(), [Some(0.5), Some(0.5)]);
        assert_eq!(rows[0].manual, 0.0);
        assert!((rows[1].manual - 0.8).abs() < 1e-7);
    }
}
