//! The arithmetic of a footprint written out with its numbers, step by step.

use super::{AxisFootprint, Footprint, Notation, STEPS, Shown, StepKind};
use crate::backend::{Display, RenderRequest};
use crate::filter::LUMINANCE;
use crate::image::Size;
use crate::sampling::{AddressMode, SamplingPath, WEIGHT_TABLE_LEN, fixed_point_fraction};

/// Largest number of weights, indices or terms that a line lists; of more the middle is left out.
const MOST_LISTED: usize = 8;

/// Distance between a position and its pixel that is due to rounding, in samples.
const ROUNDING: f64 = 1e-9;

/// A step with its formulas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The step.
    pub step: StepKind,
    /// Its formulas with numbers, one line each.
    pub lines: Vec<String>,
}

/// A footprint with what its formulas need besides.
#[derive(Clone, Copy, Debug)]
pub struct Explained<'a> {
    /// The footprint.
    pub footprint: &'a Footprint,
    /// Its request.
    pub request: &'a RenderRequest,
    /// The size of its page.
    pub page: Size,
    /// What is shown of its total; `None` where antiringing or filters after the interpolation act on it first.
    pub shown: Option<&'a Shown>,
    /// How values are written.
    pub notation: Notation,
}

impl Footprint {
    /// x, ⌊x⌋, α and y, ⌊y⌋, β in one line.
    pub fn header(&self) -> String {
        let part = |[name, whole, fraction]: [&str; 3], axis: &AxisFootprint| {
            let [x, alpha] = [axis.position, axis.fraction].map(Notation::position);
            format!("{name} = {x}, {whole} = {}, {fraction} = {alpha}", Notation::plain(axis.position.floor()))
        };
        let [x, y] = &self.axes;
        format!("{} · {}", part(["x", "m", "α"], x), part(["y", "n", "β"], y))
    }
}

impl Explained<'_> {
    /// All steps, of `channel` or of all channels.
    pub fn steps(&self, channel: Option<usize>) -> Vec<Step> {
        let own = STEPS.iter().map(|row| row.step).filter(|step| step.is_of(self.footprint));
        own.map(|step| Step { step, lines: self.lines(step, channel) }).collect()
    }

    /// The formulas of one step, of `channel` or of all channels.
    pub fn lines(&self, step: StepKind, channel: Option<usize>) -> Vec<String> {
        match step {
            StepKind::Position => self.position(),
            StepKind::Fraction => self.fractions(),
            StepKind::Weights => [0, 1].map(|axis| self.weights(axis)).to_vec(),
            StepKind::Indices => [0, 1].map(|axis| self.indices(axis)).to_vec(),
            StepKind::Fetches => [0, 1].into_iter().flat_map(|axis| self.fetches(axis)).collect(),
            StepKind::Rows => self.channels(channel, |channel| self.rows(channel)),
            StepKind::Sum => self.channels(channel, |channel| vec![self.sum(channel)]),
            StepKind::Display => self.channels(channel, |channel| self.display(channel)),
        }
    }

    /// The lines of a channel, or of all of them with the names of the channels.
    fn channels(&self, channel: Option<usize>, lines: impl Fn(usize) -> Vec<String>) -> Vec<String> {
        let names = self.footprint.channels.names();
        match channel {
            _ if names.len() == 1 => lines(0),
            Some(channel) => lines(channel.min(names.len() - 1)),
            None => {
                let named = |(channel, name): (usize, &'static &'static str)| {
                    lines(channel).into_iter().map(move |line| format!("{name}: {line}"))
                };
                names.iter().enumerate().flat_map(named).collect()
            }
        }
    }

    fn position(&self) -> Vec<String> {
        let Self { footprint, request, page, .. } = self;
        let (view, output) = (&request.view, request.size.sides());
        let scales = view.scales().map(Notation::plain);
        let from_middle = |axis: usize| format!("{} − {}/2", footprint.pixel[axis], output[axis]);
        let origin = |axis: usize| {
            let shift = view.translation()[axis];
            let sign = if shift < 0.0 { '−' } else { '+' };
            format!("{}/2 {sign} {}", page.sides()[axis], Notation::plain(shift.abs()))
        };
        let at = |axis: usize| Notation::plain(footprint.position[axis]);
        let of_pixel = view.image_from_output(request.size, *page).at(footprint.pixel.map(|index| index as f64));
        if [0, 1].iter().any(|&axis| (of_pixel[axis] - footprint.position[axis]).abs() > ROUNDING) {
            let [x, y] = of_pixel.map(Notation::plain);
            let [i, j] = footprint.pixel;
            return vec![
                format!("x = {}, y = {}: a position that was chosen", at(0), at(1)),
                format!("the nearest pixel, ({i}, {j}), is at x = {x}, y = {y}"),
            ];
        }
        if view.is_axis_aligned() {
            let line = |axis: usize| {
                let (middle, scale) = (from_middle(axis), &scales[axis]);
                format!("{} = ({middle})·{scale} + {} = {}", ["x", "y"][axis], origin(axis), at(axis))
            };
            return [0, 1].map(line).to_vec();
        }
        let from_middle_px = |axis: usize| footprint.pixel[axis] as f64 - f64::from(output[axis]) / 2.0;
        let [u, v] = [0, 1].map(|axis| Notation::plain(from_middle_px(axis)));
        let steps = view.image_from_output(request.size, *page).steps();
        let [cos, sin] = [0, 1].map(|axis: usize| Notation::plain(steps[axis][0] / view.scales()[axis]));
        let [across, down] = scales;
        vec![
            format!("u = {} = {u}, v = {} = {v}", from_middle(0), from_middle(1)),
            format!("x = {across}·({u}·({cos}) − ({v})·({sin})) + {} = {}", origin(0), at(0)),
            format!("y = {down}·({u}·({sin}) + ({v})·({cos})) + {} = {}", origin(1), at(1)),
        ]
    }

    fn fractions(&self) -> Vec<String> {
        let is_one = self.footprint.sampler.method.kernel().taps == 1;
        let line = |axis: usize| {
            let AxisFootprint { position, whole, fraction, stretch, .. } = &self.footprint.axes[axis];
            let ([x, m, alpha], at) = ([["x", "m", "α"], ["y", "n", "β"]][axis], Notation::plain(*position));
            if is_one && stretch.is_none() {
                return format!("{m} = ⌊{x} + ½⌋ = ⌊{at} + ½⌋ = {}", Notation::plain(*whole as f64));
            }
            let floor = Notation::plain(position.floor());
            format!("{m} = ⌊{x}⌋ = {floor}, {alpha} = {x} − {m} = {}", Notation::plain(*fraction))
        };
        [0, 1].map(line).to_vec()
    }

    fn weights(&self, axis: usize) -> String {
        let AxisFootprint { taps, stretch, .. } = &self.footprint.axes[axis];
        let x = ["x", "y"][axis];
        let weights = listed(taps, |tap| Notation::weight(tap.weight));
        let indices = listed_ends(taps.iter().map(|tap| tap.index));
        let distance = match stretch {
            Some(stretch) => format!("w(({x} − k)/{})", Notation::plain(*stretch)),
            None => format!("w({x} − k)"),
        };
        let sum = Notation::weight(self.footprint.axes[axis].weight_sum());
        let rounded = if taps.len() > 1 && !self.footprint.axes[axis].fetches.is_empty() {
            ", fractions in steps of 1/256"
        } else {
            ""
        };
        format!("{distance}, k = {indices}: {weights}; sum {sum}{rounded}")
    }

    fn indices(&self, axis: usize) -> String {
        let AxisFootprint { taps, address, len, .. } = &self.footprint.axes[axis];
        let before = listed(taps, |tap| Notation::plain(tap.index as f64));
        let name = ["k_x", "k_y"][axis];
        let inside = 0..i64::from(*len);
        if taps.iter().all(|tap| inside.contains(&tap.index)) {
            return format!("{name} = {before}: all within 0 … {}", len - 1);
        }
        let resolved = |index: Option<i64>| index.map_or_else(|| "constant".to_owned(), |k| Notation::plain(k as f64));
        let after = listed(taps, |tap| resolved(tap.resolved));
        let what = if self.footprint.has_coefficients && !address.row().is_periodic {
            "coefficients go on beyond the edge".to_owned()
        } else {
            match address {
                AddressMode::Border => format!("border, the constant is {}", self.border()),
                AddressMode::Clamp | AddressMode::Wrap | AddressMode::Mirror => address.row().name.to_owned(),
            }
        };
        format!("{name} = {before} → {after} ({what})")
    }

    fn border(&self) -> String {
        self.notation.sum(f64::from(self.footprint.sampler.border))
    }

    fn fetches(&self, axis: usize) -> Vec<String> {
        let own = &self.footprint.axes[axis];
        let [h, g] = [["h_x", "g_x"], ["h_y", "g_y"]][axis];
        let line = |(number, fetch): (usize, &super::Fetch)| {
            let (first, weight) = (own.taps[fetch.first].index, Notation::weight(fetch.weight));
            let place = Notation::plain(first as f64);
            if fetch.count == 1 {
                return format!("{h}{number} = {place}, {g}{number} = {weight}: one sample");
            }
            let rounded = (fetch.fixed_fraction * 256.0).round();
            format!(
                "{h}{number} = {place} + {} ≈ {place} + {rounded}/256, {g}{number} = {weight}: samples {place} and {}",
                Notation::position(fetch.fraction),
                Notation::plain((first + 1) as f64),
            )
        };
        let fetches = own.fetches.iter().enumerate().map(line);
        match self.footprint.sampler.path {
            SamplingPath::FilteredTable => std::iter::once(looked_up(axis, own.fraction)).chain(fetches).collect(),
            SamplingPath::Auto | SamplingPath::Filtered | SamplingPath::Lookup | SamplingPath::Tiled => {
                fetches.collect()
            }
        }
    }

    /// The terms of row `row` in `channel`: `−0.073·64 +0.734·76 …`.
    pub fn row_terms(&self, row: usize, channel: usize) -> String {
        let taps = &self.footprint.axes[0].taps;
        let term = |column: usize| {
            let value = self.notation.sample(self.footprint.value([column, row], channel));
            format!("{}·{value}", Notation::short_weight(taps[column].weight))
        };
        let columns: Vec<usize> = (0..taps.len()).collect();
        joined(&columns, |&column| term(column), " ")
    }

    fn rows(&self, channel: usize) -> Vec<String> {
        let line = |(row, sums): (usize, &Vec<f64>)| {
            let index = Notation::plain(self.footprint.axes[1].taps[row].index as f64);
            format!("row {index}: {} = {}", self.row_terms(row, channel), self.notation.sum(sums[channel]))
        };
        self.footprint.rows.iter().enumerate().map(line).collect()
    }

    fn sum(&self, channel: usize) -> String {
        let Footprint { axes, rows, total, .. } = self.footprint;
        let numbers: Vec<usize> = (0..rows.len()).collect();
        let term = |&row: &usize| {
            format!("{}·{}", Notation::short_weight(axes[1].taps[row].weight), self.notation.sum(rows[row][channel]))
        };
        let (sum, total) = (joined(&numbers, term, " "), self.notation.sum(total[channel]));
        if self.footprint.is_rounded {
            let plain = axes[1].taps.iter().zip(rows).map(|(tap, row)| tap.weight * row[channel]).sum::<f64>();
            return format!("{sum} = {}, with each fetch rounded to 1/65535 {total}", self.notation.sum(plain));
        }
        format!("{sum} = {total}")
    }

    fn display(&self, channel: usize) -> Vec<String> {
        let Some(shown) = self.shown else {
            let lines = [
                (self.request.is_antiringed(), "antiringing draws this value into the range of its samples"),
                (
                    self.request.filters.after.is_active(),
                    "filters act on this value and its neighbours before it is shown",
                ),
            ];
            return lines.iter().filter(|(acts, _)| *acts).map(|(_, line)| (*line).to_owned()).collect();
        };
        let Footprint { total, channels, .. } = self.footprint;
        let is_alpha = channels.has_alpha() && channel + 1 == channels.count();
        if is_alpha && shown.difference.is_some() {
            return vec!["a difference has no alpha".to_owned()];
        }
        let sum = |value: f64| self.notation.sum(value);
        let mut lines = Vec::new();
        let mut value = shown.straight[channel];
        if channels.has_alpha() && !is_alpha {
            let alpha = total[channels.count() - 1];
            lines.push(format!("{} / alpha {} = {}", sum(total[channel]), Notation::position(alpha), sum(value)));
        }
        if let Some(difference) = &shown.difference {
            let other = value - difference[channel];
            lines.push(format!("{} − {} = {}", sum(value), sum(other), sum(difference[channel])));
            value = difference[channel];
        }
        let toned = shown.toned[channel];
        if !is_alpha && !self.request.display.tone().is_identity() {
            lines.push(format!(
                "{} = {}",
                tone_formula(&self.request.display, &sum(value), &self.notation),
                sum(toned)
            ));
        }
        if let (Some(colour), false) = (&shown.mapped, is_alpha) {
            let name = self.request.display.colour_map.row().title;
            let [red, green, blue] = colour.map(sum);
            if channels.has_colour() {
                let terms =
                    shown.toned.iter().zip(LUMINANCE).map(|(value, weight)| format!("{weight}·{}", sum(*value)));
                lines.push(format!("luminance {} = {}", terms.collect::<Vec<_>>().join(" + "), sum(shown.luminance)));
            }
            lines.push(format!("{name} maps {} to {red}, {green}, {blue}", sum(shown.luminance)));
            let numbers: Vec<String> = shown.numbers[..3].iter().map(ToString::to_string).collect();
            lines.push(format!("rounded {}", numbers.join(", ")));
            return lines;
        }
        let at = if shown.mapped.is_some() { 3 } else { channel };
        lines.push(rounding(toned, (shown.numbers[at], shown.maxval), &self.notation));
        lines
    }
}

/// The place of `fraction` in the look-up table.
fn looked_up(axis: usize, fraction: f64) -> String {
    let (alpha, most) = (["α", "β"][axis], WEIGHT_TABLE_LEN - 1);
    let place = fraction * most as f64;
    let (entry, rounded) = (place.floor(), (fixed_point_fraction(place.fract()) * 256.0).round());
    let [place, entry] = [place, entry].map(Notation::plain);
    format!("{alpha}·{most} = {place} ≈ {entry} + {rounded}/256: between two of the {WEIGHT_TABLE_LEN} entries")
}

/// `97.58 → rounded 98`, with the clamping where it acts, and with the change to numbers up to `maxval` where values are
/// written in another unit.
fn rounding(value: f64, (number, maxval): (u16, u16), notation: &Notation) -> String {
    let clamped = value.clamp(0.0, 1.0);
    let text = notation.sum(value);
    let kept = if value.is_nan() {
        " → not a number becomes 0".to_owned()
    } else if clamped != value {
        format!(" → clamped {}", notation.sum(clamped))
    } else {
        String::new()
    };
    let maxval = f64::from(maxval);
    let numbers = Notation::new(maxval);
    let scaled = if notation.one == maxval {
        String::new()
    } else {
        format!(" → of {} {}", Notation::plain(maxval), numbers.sum(if clamped.is_nan() { 0.0 } else { clamped }))
    };
    format!("{text}{kept}{scaled} → rounded {number}")
}

/// The display mapping of `value` as a formula.
fn tone_formula(display: &Display, value: &str, notation: &Notation) -> String {
    let number = |value: f32| Notation::plain(f64::from(value));
    let mut text = if display.absolute { format!("|{value}|") } else { value.to_owned() };
    if display.exposure != 0.0 {
        text = format!("{text}·2^{}", number(display.exposure));
    }
    if display.offset != 0.0 {
        text = format!("{text} + {}", notation.sum(f64::from(display.offset)));
    }
    let [black, white] = display.window;
    if display.window != [0.0, 1.0] {
        text = format!("({text} − {}) / {}", notation.sum(f64::from(black)), number(white - black));
    }
    if display.gamma == 1.0 { text } else { format!("({text})^(1/{})", number(display.gamma)) }
}

/// Texts of `items` with commas.
fn listed<T>(items: &[T], text: impl Fn(&T) -> String) -> String {
    joined(items, text, ", ")
}

/// Texts of `items`; of more than [`MOST_LISTED`] the middle is left out.
fn joined<T>(items: &[T], text: impl Fn(&T) -> String, between: &str) -> String {
    if items.len() <= MOST_LISTED {
        return items.iter().map(text).collect::<Vec<_>>().join(between);
    }
    let (first, last) = (&items[..MOST_LISTED / 2], &items[items.len() - MOST_LISTED / 2..]);
    let [first, last] = [first, last].map(|part| part.iter().map(&text).collect::<Vec<_>>().join(between));
    format!("{first}{between}… {} more …{between}{last}", items.len() - MOST_LISTED)
}

/// `253 … 256`.
fn listed_ends(mut indices: impl DoubleEndedIterator<Item = i64>) -> String {
    let text = |index: i64| Notation::plain(index as f64);
    match (indices.next(), indices.next_back()) {
        (Some(first), Some(last)) => format!("{} … {}", text(first), text(last)),
        (Some(only), None) => text(only),
        (None, _) => String::new(),
    }
}
