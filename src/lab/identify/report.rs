//! The report of an identification, for people and as JSON.

use std::fmt::Write as _;

use serde::Serialize;

use super::edges::EdgeRule;
use super::geometry::Widening;
use super::hypothesis::{Candidate, Hypothesis};
use super::pair::Compared;
use super::rounding::Rounding;
use super::shape::Shape;
use super::{Dot, Identification, PairFacts};
use crate::text::number_text;

/// Ratio of residuals from which the best hypothesis is certain.
const CERTAIN: f64 = 1.25;

/// How sure a name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// The residual is that of rounding, and the next hypothesis has a larger one.
    Certain,
    /// The next hypothesis is close.
    Likely,
    /// Other hypotheses predict the same.
    Shared,
    /// Nothing fits.
    Unknown,
}

impl Identification {
    /// How sure the name is.
    pub fn certainty(&self) -> Certainty {
        match &self.runner_up {
            _ if !self.fits => Certainty::Unknown,
            _ if !self.equals.is_empty() => Certainty::Shared,
            Some(next) if next.score.rms < CERTAIN * self.best.score.rms => Certainty::Likely,
            Some(_) | None => Certainty::Certain,
        }
    }

    /// The kernel in a line: `Catmull-Rom (Keys' cubic, a = −0.5), widened by the scale`.
    pub fn headline(&self) -> String {
        let kernel = kernel_text(&self.best.hypothesis, &self.pair);
        if self.fits { kernel } else { format!("none fits; the closest is {kernel}") }
    }

    /// Lines of a name and a text: what was found, by topic.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let Self { pair, best, agreement, .. } = self;
        let unit = if pair.is_float { String::new() } else { format!(" of {}", pair.maxval) };
        let scale = match pair.scale.map(short) {
            [x, y] if x == y => x,
            [x, y] => format!("{x} × {y}"),
        };
        let compared = match pair.compared {
            Compared::Grey => String::new(),
            Compared::Luminance => ", luminance".to_owned(),
            Compared::Channel(name) => format!(", channel {}", name.to_lowercase()),
        };
        let sizes = format!("{} → {} pixels, {scale} samples per pixel{compared}", pair.source, pair.output);
        let mut lines = vec![("pictures", sizes), ("kernel", self.headline())];
        if !best.fitted.is_empty() {
            let fitted: Vec<String> = best.fitted.iter().map(ToString::to_string).collect();
            lines.push(("fitted", fitted.join(", ")));
        }
        lines.push(("positions", best.hypothesis.convention.row().help.to_owned()));
        if pair.scale.iter().any(|scale| *scale > 1.0) {
            lines.push(("widening", best.hypothesis.widening.row().help.to_owned()));
        }
        lines.push(("edges", self.edges_text()));
        if agreement.rounding != Rounding::Off {
            let clamped = if agreement.is_clamped_to_source { "; clamped to the range of the source" } else { "" };
            lines.push((
                "rounding",
                format!("{}, {}{clamped}", agreement.rounding.row().help, agreement.between.row().help),
            ));
        }
        let equal = format!("{:.2} % of {} pixels are equal", 100.0 * agreement.equal, agreement.pixels);
        let residual = format!(
            "RMS {} before rounding; rounded, RMS {}, largest {}{unit}; {equal}",
            short(best.score.rms),
            short(agreement.rms),
            short(agreement.max)
        );
        lines.push(("residual", residual));
        lines.push(("sure", self.sure_text()));
        if let Some(difference) = &self.difference {
            lines.push(("differs", difference.to_string()));
        }
        if !self.programs.is_empty() {
            let programs: Vec<String> = self.programs.iter().map(super::Program::label).collect();
            lines.push(("as in", programs.join("; ")));
        }
        lines
    }

    /// The report, one line for each topic.
    pub fn to_text(&self) -> String {
        self.lines().iter().fold(String::new(), |mut text, (name, line)| {
            let _ = writeln!(text, "{name:<9} {line}");
            text
        })
    }

    fn edges_text(&self) -> String {
        match self.edges.as_slice() {
            [] => "no pixel reads beyond them".to_owned(),
            [rule] => rule.row().help.to_owned(),
            rules => {
                let names: Vec<&str> = rules.iter().map(|rule| rule.row().name).collect();
                format!("these predict the same: {}", names.join(", "))
            }
        }
    }

    fn sure_text(&self) -> String {
        let least = self.least.rms;
        let next = self.runner_up.as_ref().map(|next| {
            let ratio = next.score.rms / self.best.score.rms.max(f64::MIN_POSITIVE);
            let times = if ratio < 1e3 { format!("{ratio:.1} times") } else { "more than 1000 times".to_owned() };
            format!("the next, {}, has {times} the residual", next.hypothesis)
        });
        let next = next.unwrap_or_else(|| "there is no other hypothesis".to_owned());
        match self.certainty() {
            Certainty::Certain => format!("certain: {next}"),
            Certainty::Likely => format!("likely: {next}"),
            Certainty::Shared => {
                let others: Vec<String> = self.equals.iter().map(|one| one.hypothesis.to_string()).collect();
                format!("these predict the same: {}; {next}", others.join("; "))
            }
            Certainty::Unknown => {
                format!(
                    "no: a free kernel leaves an RMS of {}, the closest name {}",
                    short(least),
                    short(self.best.score.rms)
                )
            }
        }
    }

    /// The report as a JSON object.
    ///
    /// # Errors
    /// None in practice: every value is a number, a text or a Boolean.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(&Json::of(self))? + "\n")
    }
}

/// The kernel with its widening.
fn kernel_text(hypothesis: &Hypothesis, pair: &PairFacts) -> String {
    let scale = pair.scale[0].max(pair.scale[1]);
    match hypothesis.widening {
        Widening::Off => hypothesis.shape.to_string(),
        Widening::Kernel => format!("{}, widened {} times", hypothesis.shape, short(scale)),
        Widening::Gaussian => format!("{}, after a Gaussian of σ = {}", hypothesis.shape, short((scale - 1.0) / 2.0)),
    }
}

/// A number to four significant digits.
fn short(number: f64) -> String {
    if number == 0.0 || !number.is_finite() {
        return number_text(number);
    }
    let digits = (3.0 - number.abs().log10().floor()).clamp(0.0, 9.0);
    let unit = 10_f64.powf(digits);
    number_text((number * unit).round() / unit)
}

/// The fields of the JSON report.
#[derive(Serialize)]
struct Json {
    source: [u32; 2],
    output: [u32; 2],
    scale: [f64; 2],
    fits: bool,
    certainty: &'static str,
    best: JsonCandidate,
    equals: Vec<JsonCandidate>,
    runner_up: Option<JsonCandidate>,
    edges: Vec<&'static str>,
    rounding: &'static str,
    between: &'static str,
    clamped_to_source: bool,
    rms: f64,
    max: f64,
    equal: f64,
    pixels: usize,
    least_rms: f64,
    programs: Vec<String>,
    difference: Option<String>,
    kernel: Vec<JsonDot>,
}

#[derive(Serialize)]
struct JsonCandidate {
    kernel: String,
    method: Option<String>,
    prefilter: bool,
    convention: &'static str,
    widening: &'static str,
    fitted: Vec<JsonFitted>,
    rms_before_rounding: f64,
}

#[derive(Serialize)]
struct JsonFitted {
    name: &'static str,
    value: f64,
    error: f64,
}

#[derive(Serialize)]
struct JsonDot {
    d: f64,
    w: f64,
    error: f64,
}

impl Json {
    fn of(found: &Identification) -> Self {
        let Identification { pair, agreement, .. } = found;
        let edges = found.edges.iter().map(|rule: &EdgeRule| rule.row().name).collect();
        let dot = |&Dot { distance, weight, error }: &Dot| JsonDot { d: distance, w: weight, error };
        Self {
            source: pair.source.sides(),
            output: pair.output.sides(),
            scale: pair.scale,
            fits: found.fits,
            certainty: match found.certainty() {
                Certainty::Certain => "certain",
                Certainty::Likely => "likely",
                Certainty::Shared => "shared",
                Certainty::Unknown => "unknown",
            },
            best: JsonCandidate::of(&found.best),
            equals: found.equals.iter().map(JsonCandidate::of).collect(),
            runner_up: found.runner_up.as_ref().map(JsonCandidate::of),
            edges,
            rounding: agreement.rounding.row().name,
            between: agreement.between.row().name,
            clamped_to_source: agreement.is_clamped_to_source,
            rms: agreement.rms,
            max: agreement.max,
            equal: agreement.equal,
            pixels: agreement.pixels,
            least_rms: found.least.rms,
            programs: found.programs.iter().map(super::Program::label).collect(),
            difference: found.difference.map(|difference| difference.to_string()),
            kernel: found.dots.iter().map(dot).collect(),
        }
    }
}

impl JsonCandidate {
    fn of(candidate: &Candidate) -> Self {
        let Candidate { hypothesis: Hypothesis { shape, convention, widening }, fitted, score } = candidate;
        let (method, prefilter) = match shape {
            Shape::Method { method, prefilter } => (Some(method.to_string()), *prefilter),
            Shape::Area | Shape::Hamming => (None, false),
        };
        Self {
            kernel: shape.to_string(),
            method,
            prefilter,
            convention: convention.row().name,
            widening: widening.row().name,
            fitted: fitted
                .iter()
                .map(|one| JsonFitted { name: one.name, value: one.value, error: one.error })
                .collect(),
            rms_before_rounding: score.rms,
        }
    }
}
