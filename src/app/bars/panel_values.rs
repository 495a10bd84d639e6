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
/// points: headers have no room for letters.
const CHANNEL_LINE: f32 = 1.5;
const CHANNEL_LINE_DISTANCE: f32 = 8.0;
/// Gap between the numbers of a panel, and between a number and the letter before it, in points.
const NUMBERS_GAP: f32 = 2.0 * SPACE;
const LETTER_GAP: f32 = SPACE;

/// Form of values in headers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::app) enum ValueForm {
    /// With as few decimals as tell the levels of a byte apart.
    Short,
    /// With one decimal more.
    Tenths,
    /// With all decimals.
    #[default]
    Whole,
}

/// Form of values in the status line.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineForm {
    /// Whether numbers of several channels are behind the letters of these.
    pub(super) has_letters: bool,
    /// Form of the numbers.
    pub(super) numbers: ValueForm,
}

/// The forms of values in the status line, the best first. Those with fewer decimals are of several channels alone.
const LINE_FORMS: [LineForm; 4] = [
    LineForm { has_letters: true, numbers: ValueForm::Whole },
    LineForm { has_letters: true, numbers: ValueForm::Tenths },
    LineForm::WITHOUT_LETTERS,
    LineForm { has_letters: false, numbers: ValueForm::Tenths },
];

impl LineForm {
    /// All decimals without letters.
    pub(super) const WITHOUT_LETTERS: Self = Self { has_letters: false, numbers: ValueForm::Whole };

    /// The forms of `values`, the best first.
    pub(super) fn of(values: &[PanelValues]) -> impl Iterator<Item = Self> {
        let have_letters = values.iter().any(|values| !values.letters.is_empty());
        LINE_FORMS.into_iter().filter(move |form| have_letters || form.numbers == ValueForm::Whole)
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

    /// These values minus those of `other`, with signs, in the unit. `None` unless both have values, of as many channels.
    pub(super) fn minus(&self, other: &Self) -> Option<ValueDifference> {
        if self.values.is_empty() || self.values.len() != other.values.len() {
            return None;
        }
        let number = |(first, second): (&f32, &f32)| {
            let difference = first - second;
            let text = self.unit.of_difference().text(difference, self.maxval);
            let is_positive = difference > 0.0 && text.contains(|figure: char| ('1'..='9').contains(&figure));
            format!("{}{text}", if is_positive { "+" } else { "" })
        };
        let numbers = self.values.iter().zip(&other.values).map(number).collect();
        let pair = format!("{} − {} =", self.number(), other.number());
        Some(ValueDifference { pair, letters: self.letters.clone(), numbers })
    }

    /// Widths of the short values of panel `index` in a header, and of those with one decimal more, with their margin, in points, whether
    /// or not they are known.
    pub(in crate::app) fn header_widths(ui: &Ui, session: &Session, index: usize, unit: Unit) -> [(ValueForm, f32); 2] {
        let zeros = vec![0.0; session.page_of(index).channels().count()];
        let values = Self::new(session, session.panels()[index].id(), (&zeros, unit));
        let width = |values: &Self, form| {
            let gaps = NUMBERS_GAP * values.numbers.len().saturating_sub(1) as f32;
            values.numbers_width(ui, form) + gaps + 2.0 * SPACE
        };
        [ValueForm::Short, ValueForm::Tenths]
            .map(|form| (form, values.as_ref().map_or(0.0, |values| width(values, form))))
    }

    /// Name of the panel with its number.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Width of the numbers in `form`, in points, so that changing figures move nothing.
    fn numbers_width(&self, ui: &Ui, form: ValueForm) -> f32 {
        text_width(ui, &self.widest[form as usize], LETTERS) * self.numbers.len().max(1) as f32
    }

    /// The panel's number.
    fn number(&self) -> String {
        (self.index + 1).to_string()
    }

    /// Width with its dot and the panel's number, in points, whatever the figures.
    pub(super) fn width(&self, ui: &Ui, form: LineForm) -> f32 {
        let letters = if form.has_letters { &self.letters[..] } else { &[] };
        let letters: f32 = letters.iter().map(|letter| text_width(ui, letter, LETTERS) + LETTER_GAP).sum();
        let gaps = NUMBERS_GAP * self.numbers.len().saturating_sub(1) as f32;
        let number = text_width(ui, &self.number(), LETTERS) + VALUE_GAP;
        DOT_WIDTH + number + letters + self.numbers_width(ui, form.numbers) + gaps
    }

    /// The numbers in `form`.
    fn numbers_in(&self, form: ValueForm) -> &[String] {
        let [short, tenths] = &self.fewer_decimals;
        match form {
            ValueForm::Short => short,
            ValueForm::Tenths => tenths,
            ValueForm::Whole => &self.numbers,
        }
    }

    /// Draws the numbers at the right end of `ui`, a header, in the form `most` or, where that has no room, in a shorter one. Returns
    /// the longest form that has room; `None`, and nothing is drawn, if none has.
    pub(in crate::app) fn show_in_header(&self, ui: &mut Ui, most: ValueForm) -> Option<ValueForm> {
        let gaps = NUMBERS_GAP * self.numbers.len().saturating_sub(1) as f32;
        let width = |form: ValueForm| self.numbers_width(ui, form) + gaps;
        let room = ui.available_width() - 2.0 * SPACE;
        let forms = [ValueForm::Whole, ValueForm::Tenths, ValueForm::Short];
        let fitting = forms.into_iter().find(|form| width(*form) <= room)?;
        let form = fitting.min(most);
        let numbers = self.numbers_in(form);
        let text = if numbers.is_empty() { "–".to_owned() } else { numbers.join("  ") };
        let width = width(form);
        // The last number stands apart from the button behind it where there is room.
        ui.add_space((room - width).clamp(0.0, SPACE));
        let (rect, response) = ui.allocate_exact_size(vec2(width, PIECE_HEIGHT), Sense::hover());
        let palette = Palette::of_ui(ui);
        // Each number has a column of its own, in which it ends.
        let column = (rect.width() - gaps) / self.numbers.len().max(1) as f32;
        for (place, number) in numbers.iter().enumerate() {
            let number = LineText::regular(number, LETTERS).within(ui.painter(), f32::INFINITY);
            let right = rect.left() + column * (place + 1) as f32 + NUMBERS_GAP * place as f32;
            number.paint(ui.painter(), pos2(right - number.width(), rect.center().y), palette.text);
            if let Some(colour) = CHANNELS.get(place).filter(|_| self.letters.len() >= CHANNELS.len()) {
                let top = rect.center().y + CHANNEL_LINE_DISTANCE;
                let line = Rect::from_x_y_ranges(right - number.width()..=right, top..=top + CHANNEL_LINE);
                ui.painter().rect_filled(line, 0.0, *colour);
            }
        }
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
        let numbers = self.numbers_in(form.numbers);
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

impl ValueDifference {
    /// Draws it, if it has room.
    pub(super) fn show(&self, ui: &mut Ui) -> Option<Response> {
        let palette = Palette::of_ui(ui);
        let galley = ui.painter().layout_job(values_job(&palette, &self.pair, (&self.letters, &self.numbers)));
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
