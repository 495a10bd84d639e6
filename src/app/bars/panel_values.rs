//! Values under the cursor of one panel, for the status line and for headers.

use std::sync::Arc;

use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, FontId, Galley, Rect, Response, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::app::render::probe::Reading;
use crate::app::session::unit::Unit;
use crate::app::session::{PanelArea, PanelId, Session};
use crate::app::widgets::fit::{baseline, text_width};
use crate::app::widgets::line_text::{LineText, line_of_row};
use crate::app::widgets::theme::{CHANNELS, Palette, SPACE, text_size};

/// Height of a piece of the status line and of the unit's button, in points.
pub(super) const PIECE_HEIGHT: f32 = 22.0;
/// Font size of the status line, in points.
pub(super) const LETTERS: f32 = text_size::VALUE;

/// Radius of a panel's dot, its width with the gap before the panel's number, and the gap before the value, in points.
const DOT_RADIUS: f32 = 4.0;
const DOT_WIDTH: f32 = 2.0 * DOT_RADIUS + SPACE;
const VALUE_GAP: f32 = 2.0 * SPACE;
/// Height of the line below a number of a header in the colour of its channel, and its distance from the middle of the number, in
/// points: narrow headers have no room for letters.
const CHANNEL_LINE: f32 = 1.5;
const CHANNEL_LINE_DISTANCE: f32 = 8.0;
/// Gap between the numbers of a panel, and between a number and the letter before it, in points.
const NUMBERS_GAP: f32 = 2.0 * SPACE;
const LETTER_GAP: f32 = SPACE;

/// Decimals of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Decimals {
    /// As few as tell the levels of a byte apart.
    Fewest,
    /// One more.
    OneMore,
    /// All.
    All,
}

/// Form of values in headers, from the narrowest to the widest. Numbers of several channels are behind the letters of these, or above lines in
/// their colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::app) enum ValueForm {
    /// The fewest decimals above lines.
    Short,
    /// One decimal more above lines.
    Tenths,
    /// The fewest decimals behind letters.
    NamedShort,
    /// One decimal more behind letters.
    NamedTenths,
    /// All decimals behind letters.
    #[default]
    Whole,
}

impl ValueForm {
    /// All, the widest first.
    const ALL: [Self; 5] = [Self::Whole, Self::NamedTenths, Self::NamedShort, Self::Tenths, Self::Short];
    /// Those whose room headers reserve.
    const RESERVED: [Self; 4] = [Self::Short, Self::Tenths, Self::NamedShort, Self::NamedTenths];
    /// The widest of these.
    pub(in crate::app) const MOST_RESERVED: Self = Self::NamedTenths;

    fn decimals(self) -> Decimals {
        match self {
            Self::Short | Self::NamedShort => Decimals::Fewest,
            Self::Tenths | Self::NamedTenths => Decimals::OneMore,
            Self::Whole => Decimals::All,
        }
    }

    fn has_letters(self) -> bool {
        self >= Self::NamedShort
    }
}

/// Form of values in the status line.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineForm {
    /// Whether numbers of several channels are behind the letters of these.
    pub(super) has_letters: bool,
    /// Decimals of the numbers.
    pub(super) decimals: Decimals,
}

/// The forms of values in the status line, the best first. Those with fewer decimals are of several channels alone.
const LINE_FORMS: [LineForm; 4] = [
    LineForm { has_letters: true, decimals: Decimals::All },
    LineForm { has_letters: true, decimals: Decimals::OneMore },
    LineForm::WITHOUT_LETTERS,
    LineForm { has_letters: false, decimals: Decimals::OneMore },
];

impl LineForm {
    /// All decimals without letters.
    pub(super) const WITHOUT_LETTERS: Self = Self { has_letters: false, decimals: Decimals::All };

    /// The forms of `values`, the best first.
    pub(super) fn of(values: &[PanelValues]) -> impl Iterator<Item = Self> {
        let have_letters = values.iter().any(|values| !values.letters.is_empty());
        LINE_FORMS.into_iter().filter(move |form| have_letters || form.decimals == Decimals::All)
    }
}

/// Values of one panel under the cursor.
pub(in crate::app) struct PanelValues {
    /// The panel.
    pub(super) panel: PanelId,
    index: usize,
    /// Name with number.
    name: String,
    /// The values, one per channel, where 1 is maxval; empty if the panel could not be rendered.
    values: Vec<f32>,
    unit: Unit,
    maxval: u16,
    /// The same in the unit.
    numbers: Vec<String>,
    /// First letters of the channels; empty for a single channel.
    letters: Vec<&'static str>,
    /// The same with fewer decimals, for narrow places: as few as possible, and one more.
    fewer_decimals: [Vec<String>; 2],
    /// The widest usual number of each form, from the shortest form on.
    widest: [String; 3],
}

impl PanelValues {
    /// The values of all panels of `reading`, in the order of the panels; of compared ones in the order of the comparison.
    pub(super) fn of_reading(session: &Session, unit: Unit, reading: &Reading) -> Vec<Self> {
        // A panel may have been closed meanwhile.
        let values = reading.values.iter().filter_map(|(panel, values)| Self::new(session, *panel, (values, unit)));
        let mut values: Vec<Self> = values.collect();
        if let [PanelArea::Wipe(pair) | PanelArea::Difference(pair)] = session.areas()[..] {
            values.sort_by_key(|values| pair.iter().position(|index| *index == values.index));
        }
        values
    }

    /// The values of `panel` in `reading`; `None` if it has none there.
    pub(in crate::app) fn of_panel(
        session: &Session,
        panel: PanelId,
        (reading, unit): (&Reading, Unit),
    ) -> Option<Self> {
        let (_, values) = reading.values.iter().find(|(other, _)| *other == panel)?;
        Self::new(session, panel, (values, unit))
    }

    fn new(session: &Session, panel: PanelId, (values, unit): (&[f32], Unit)) -> Option<Self> {
        let index = session.index_of(panel)?;
        let page = session.page_of(index);
        let maxval = page.maxval();
        let numbers: Vec<String> = values.iter().map(|value| unit.text(*value, maxval)).collect();
        let fewer = |more| values.iter().map(|value| unit.short_text(*value, maxval, more)).collect();
        let fewer_decimals = [fewer(0), fewer(1)];
        let letters = page.channels().names().iter().filter_map(|name| name.get(..1));
        let letters = if numbers.len() > 1 { letters.collect() } else { Vec::new() };
        let name = session.panel_name(index).numbered();
        // Figures have equal widths. Numbers of the longest form may have a sign.
        let one = [unit.short_text(1.0, maxval, 0), unit.short_text(1.0, maxval, 1), unit.text(1.0, maxval)];
        let [short, tenths, whole] = one;
        // Hexadecimal ones may be `<00`.
        let at_least = |figures: usize, text: String| "0".repeat(figures.saturating_sub(text.len())) + &text;
        let widest = [at_least(3, short), at_least(3, tenths), at_least(5, whole)];
        let values = values.to_vec();
        Some(Self { panel, index, name, values, unit, maxval, numbers, letters, fewer_decimals, widest })
    }

    /// These values minus those of `other`, with signs, in the unit. With the end of a scale, where 1 is maxval, the numbers have the decimals
    /// that tell a thousandth of it, and at least two. `None` unless both have values, of as many channels.
    pub(super) fn minus(&self, other: &Self, end: Option<f64>) -> Option<ValueDifference> {
        if self.values.is_empty() || self.values.len() != other.values.len() {
            return None;
        }
        let unit = self.unit.of_difference();
        let number = |(first, second): (&f32, &f32)| {
            let difference = first - second;
            match end {
                Some(end) => of_scale(difference, unit.one(self.maxval), end),
                None => {
                    let text = unit.text(difference, self.maxval);
                    let is_positive = difference > 0.0 && text.contains(|figure: char| ('1'..='9').contains(&figure));
                    format!("{}{text}", if is_positive { "+" } else { "" })
                }
            }
        };
        let numbers = self.values.iter().zip(&other.values).map(number).collect();
        let pair = format!("{} − {} =", self.number(), other.number());
        Some(ValueDifference { pair, letters: self.letters.clone(), numbers })
    }

    /// Widths of the values of panel `index` in a header in each form that headers reserve, with their margin, in points, whether or not they
    /// are known.
    pub(in crate::app) fn header_widths(ui: &Ui, session: &Session, index: usize, unit: Unit) -> [(ValueForm, f32); 4] {
        let zeros = vec![0.0; session.page_of(index).channels().count()];
        let values = Self::new(session, session.panels()[index].id(), (&zeros, unit));
        ValueForm::RESERVED
            .map(|form| (form, values.as_ref().map_or(0.0, |values| values.header_width(ui, form) + 2.0 * SPACE)))
    }

    /// Width in a header, in points.
    fn header_width(&self, ui: &Ui, form: ValueForm) -> f32 {
        let letters = if form.has_letters() { self.letters_width(ui) } else { 0.0 };
        self.numbers_width(ui, form.decimals()) + letters + NUMBERS_GAP * self.numbers.len().saturating_sub(1) as f32
    }

    /// Width of the letters with the gaps behind them, in points.
    fn letters_width(&self, ui: &Ui) -> f32 {
        self.letters.iter().map(|letter| text_width(ui, letter, LETTERS) + LETTER_GAP).sum()
    }

    /// Name of the panel with its number.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Width of the numbers, in points, so that changing figures move nothing.
    fn numbers_width(&self, ui: &Ui, decimals: Decimals) -> f32 {
        text_width(ui, &self.widest[decimals as usize], LETTERS) * self.numbers.len().max(1) as f32
    }

    /// The panel's number.
    fn number(&self) -> String {
        (self.index + 1).to_string()
    }

    /// Width with its dot and the panel's number, in points, whatever the figures.
    pub(super) fn width(&self, ui: &Ui, form: LineForm) -> f32 {
        let letters = if form.has_letters { self.letters_width(ui) } else { 0.0 };
        let gaps = NUMBERS_GAP * self.numbers.len().saturating_sub(1) as f32;
        let number = text_width(ui, &self.number(), LETTERS) + VALUE_GAP;
        DOT_WIDTH + number + letters + self.numbers_width(ui, form.decimals) + gaps
    }

    /// The numbers with these decimals.
    fn numbers_with(&self, decimals: Decimals) -> &[String] {
        let [fewest, one_more] = &self.fewer_decimals;
        match decimals {
            Decimals::Fewest => fewest,
            Decimals::OneMore => one_more,
            Decimals::All => &self.numbers,
        }
    }

    /// Draws the numbers at the right end of `ui`, a header, in the form `most` or, where that has no room, in a shorter one. Returns
    /// the longest form that has room; `None`, and nothing is drawn, if none has.
    pub(in crate::app) fn show_in_header(&self, ui: &mut Ui, most: ValueForm) -> Option<ValueForm> {
        let room = ui.available_width() - 2.0 * SPACE;
        let fits = |form: &ValueForm| self.header_width(ui, *form) <= room;
        let fitting = ValueForm::ALL.into_iter().find(fits)?;
        let form = ValueForm::ALL.into_iter().filter(|form| *form <= most).find(fits)?;
        let numbers = self.numbers_with(form.decimals());
        let width = self.header_width(ui, form);
        // The last number stands apart from the button behind it where there is room.
        ui.add_space((room - width).clamp(0.0, SPACE));
        let (rect, response) = ui.allocate_exact_size(vec2(width, PIECE_HEIGHT), Sense::hover());
        let palette = Palette::of_ui(ui);
        let letters = if form.has_letters() { &self.letters[..] } else { &[] };
        let has_lines = letters.is_empty() && self.letters.len() >= CHANNELS.len();
        // Each number has a column of its own, in which it ends.
        let column = self.numbers_width(ui, form.decimals()) / self.numbers.len().max(1) as f32;
        let mut left = rect.left();
        for (place, number) in numbers.iter().enumerate() {
            let painted = |text| LineText::regular(text, LETTERS).within(ui.painter(), f32::INFINITY);
            let (number, letter) = (painted(number), letters.get(place).map(|letter| painted(letter)));
            let right = left + column + letter.as_ref().map_or(0.0, |letter| letter.width() + LETTER_GAP);
            number.paint(ui.painter(), pos2(right - number.width(), rect.center().y), palette.text);
            if let Some(letter) = letter {
                let start = right - number.width() - LETTER_GAP - letter.width();
                letter.paint(ui.painter(), pos2(start, rect.center().y), palette.weak);
            }
            if let Some(colour) = CHANNELS.get(place).filter(|_| has_lines) {
                let top = rect.center().y + CHANNEL_LINE_DISTANCE;
                let line = Rect::from_x_y_ranges(right - number.width()..=right, top..=top + CHANNEL_LINE);
                ui.painter().rect_filled(line, 0.0, *colour);
            }
            left = right + NUMBERS_GAP;
        }
        let text = if numbers.is_empty() { "–".to_owned() } else { values_text(letters, numbers) };
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("Value of {}: {text}", self.name)));
        Some(fitting)
    }

    /// Draws the dot, the panel's number and the values in `form`.
    pub(super) fn show(&self, ui: &mut Ui, form: LineForm) {
        let palette = Palette::of_ui(ui);
        let corner = ui.cursor().left_center();
        ui.painter().circle_filled(corner + vec2(DOT_RADIUS, 0.0), DOT_RADIUS, palette.panel(self.index).color);
        ui.add_space(DOT_WIDTH);
        let letters = if form.has_letters { &self.letters[..] } else { &[] };
        let numbers = self.numbers_with(form.decimals);
        let mut job = values_job(&palette, &self.number(), (letters, numbers));
        if numbers.is_empty() {
            append(&mut job, "–", palette.text, VALUE_GAP);
        }
        let text = values_text(letters, &self.numbers);
        let label = format!("{} {}", self.name, if text.is_empty() { "–" } else { &text });
        let galley = ui.painter().layout_job(job);
        let width = galley.size().x.max(self.width(ui, form) - DOT_WIDTH);
        paint_galley(ui, galley, width, &label);
    }
}

/// The values of one panel minus those of another.
pub(super) struct ValueDifference {
    /// The numbers of both panels: `1 − 3 =`.
    pair: String,
    /// First letters of the channels; empty for a single channel.
    letters: Vec<&'static str>,
    /// The differences, with signs.
    numbers: Vec<String>,
}

/// A difference, of which 1 is shown as `one`, with as many decimals as tell a thousandth of the end of a scale, where 1 is maxval, and at least
/// two.
fn of_scale(difference: f32, one: f64, end: f64) -> String {
    let decimals = (3.0 - (one * end).log10()).ceil().clamp(2.0, 7.0) as usize;
    format!("{:+.decimals$}", f64::from(difference) * one).replace('-', "−")
}

impl ValueDifference {
    fn galley(&self, ui: &Ui) -> Arc<Galley> {
        ui.painter().layout_job(values_job(&Palette::of_ui(ui), &self.pair, (&self.letters, &self.numbers)))
    }

    /// Its width, in points.
    pub(super) fn width(&self, ui: &Ui) -> f32 {
        self.galley(ui).size().x
    }

    /// Draws it, if it has room.
    pub(super) fn show(&self, ui: &mut Ui) -> Option<Response> {
        let galley = self.galley(ui);
        let width = galley.size().x;
        let label = format!("{} {}", self.pair, values_text(&self.letters, &self.numbers));
        (width <= ui.available_width()).then(|| paint_galley(ui, galley, width, &label))
    }
}

/// Appends `text` to `job` with a gap before it, in points.
fn append(job: &mut LayoutJob, text: &str, colour: Color32, before: f32) {
    job.append(text, before, TextFormat::simple(FontId::proportional(LETTERS), colour));
}

/// `head` and numbers, each behind its letter where there is one.
fn values_job(palette: &Palette, head: &str, (letters, numbers): (&[&str], &[String])) -> LayoutJob {
    let mut job = LayoutJob::default();
    append(&mut job, head, palette.weak, 0.0);
    for (place, number) in numbers.iter().enumerate() {
        let mut before = if place > 0 { NUMBERS_GAP } else { VALUE_GAP };
        if let Some(letter) = letters.get(place) {
            append(&mut job, letter, palette.weak, before);
            before = LETTER_GAP;
        }
        append(&mut job, number, palette.text, before);
    }
    job
}

/// The numbers, each behind its letter where there is one: `R 12.00  G 3.00`.
fn values_text(letters: &[&str], numbers: &[String]) -> String {
    let text = |(place, number): (usize, &String)| match letters.get(place) {
        Some(letter) => format!("{letter} {number}"),
        None => number.clone(),
    };
    numbers.iter().enumerate().map(text).collect::<Vec<_>>().join("  ")
}

/// Paints `galley` in a place of `width` points, which assistive technology calls `label`.
fn paint_galley(ui: &mut Ui, galley: Arc<Galley>, width: f32, label: &str) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(width, PIECE_HEIGHT), Sense::hover());
    let line = line_of_row(ui.painter(), rect.center().y);
    ui.painter().galley(pos2(rect.left(), line - baseline(&galley)), galley, Palette::of_ui(ui).text);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, label));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_of_a_difference_has_the_decimals_of_its_scale() {
        for (one, gain, text) in [
            (255.0, 1.0, "−12.62"),
            (255.0, 5.0, "−12.62"),
            (255.0, 64.0, "−12.616"),
            (255.0, 4096.0, "−12.61638"),
            (1.0, 1.0, "−0.049"),
            (1.0, 4096.0, "−0.0494760"),
            (65535.0, 1.0, "−3242.41"),
        ] {
            assert_eq!(of_scale(-0.049_476, one, 1.0 / gain), text, "{one} {gain}");
        }
        assert_eq!(of_scale(0.1, 255.0, 1.0), "+25.50");
    }
}
