//! Values under the cursor of one panel, for the status line and for headers.

use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, FontId, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

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
/// Gap between the numbers of a header, in points.
const NUMBERS_GAP: f32 = 1.5 * SPACE;

/// Form of values in headers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::app) enum ValueForm {
    /// With fewer decimals.
    Short,
    /// With all decimals.
    #[default]
    Whole,
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
    /// The same with fewer decimals, for narrow places.
    short_numbers: Vec<String>,
    /// Number of figures of the widest number, and of the widest short one.
    figures: [usize; 2],
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
        let short_numbers = values.iter().map(|value| unit.short_text(*value, maxval)).collect();
        let letters = page.channels().names().iter().filter_map(|name| name.get(..1));
        let letters = if numbers.len() > 1 { letters.collect() } else { Vec::new() };
        let whole = unit.one(maxval).to_string().len();
        let name = session.panel_name(index).numbered();
        let figures = [(whole + 3).max(5), if unit.one(maxval) > 1.0 { whole } else { 4 }];
        let values = values.to_vec();
        Some(Self { panel, index, name, values, unit, maxval, numbers, letters, short_numbers, figures })
    }

    /// These values minus those of `other`, with signs, in the unit, behind the numbers of both panels: `Δ 3−1  −6.53`. `None`
    /// unless both have values, of as many channels.
    pub(super) fn minus(&self, other: &Self) -> Option<String> {
        if self.values.is_empty() || self.values.len() != other.values.len() {
            return None;
        }
        let number = |place: usize| {
            let difference = self.values[place] - other.values[place];
            let text = self.unit.of_difference().text(difference, self.maxval);
            let is_positive = difference > 0.0 && text.contains(|figure: char| ('1'..='9').contains(&figure));
            let letter = self.letters.get(place).map_or_else(String::new, |letter| format!("{letter} "));
            format!("{letter}{}{text}", if is_positive { "+" } else { "" })
        };
        let numbers: Vec<String> = (0..self.values.len()).map(number).collect();
        Some(format!("Δ {}−{}  {}", self.index + 1, other.index + 1, numbers.join("  ")))
    }

    /// Width of the short values of panel `index` in a header with their margin, in points, whether or not they are known.
    pub(in crate::app) fn header_width(ui: &Ui, session: &Session, index: usize, unit: Unit) -> f32 {
        let zeros = vec![0.0; session.page_of(index).channels().count()];
        let values = Self::new(session, session.panels()[index].id(), (&zeros, unit));
        values.map_or(0.0, |values| {
            let gaps = NUMBERS_GAP * values.numbers.len().saturating_sub(1) as f32;
            values.numbers_width(ui, values.figures[1]) + gaps + 2.0 * SPACE
        })
    }

    /// Name of the panel with its number.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Width of the numbers with `figures` figures each, in points, so that changing figures move nothing.
    fn numbers_width(&self, ui: &Ui, figures: usize) -> f32 {
        text_width(ui, &"0".repeat(figures * self.numbers.len().max(1)), LETTERS)
    }

    /// The panel's number.
    fn number(&self) -> String {
        (self.index + 1).to_string()
    }

    /// Width with its dot and the panel's number, in points.
    pub(super) fn width(&self, ui: &Ui, has_letters: bool) -> f32 {
        let letters: f32 = self.letters.iter().map(|letter| text_width(ui, letter, LETTERS) + SPACE).sum();
        let number = text_width(ui, &self.number(), LETTERS) + VALUE_GAP;
        DOT_WIDTH + number + self.numbers_width(ui, self.figures[0]) + if has_letters { letters } else { 0.0 }
    }

    /// Draws the numbers at the right end of `ui`, a header, in the form `most` or, where that has no room, in a shorter one. Returns
    /// the longest form that has room; `None`, and nothing is drawn, if none has.
    pub(in crate::app) fn show_in_header(&self, ui: &mut Ui, most: ValueForm) -> Option<ValueForm> {
        let gaps = NUMBERS_GAP * self.numbers.len().saturating_sub(1) as f32;
        let of_form = |form: ValueForm| match form {
            ValueForm::Short => (&self.short_numbers, self.figures[1]),
            ValueForm::Whole => (&self.numbers, self.figures[0]),
        };
        let width = |figures: usize| self.numbers_width(ui, figures) + gaps;
        let room = ui.available_width() - 2.0 * SPACE;
        let fitting = [ValueForm::Whole, ValueForm::Short].into_iter().find(|form| width(of_form(*form).1) <= room)?;
        let (numbers, figures) = of_form(fitting.min(most));
        let text = if numbers.is_empty() { "–".to_owned() } else { numbers.join("  ") };
        let width = width(figures);
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
                let line = Rect::from_x_y_ranges(right - column..=right, top..=top + CHANNEL_LINE);
                ui.painter().rect_filled(line, 0.0, *colour);
            }
        }
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("Value of {}: {text}", self.name)));
        Some(fitting)
    }

    /// Draws the dot, the panel's number and the values.
    pub(super) fn show(&self, ui: &mut Ui, has_letters: bool) {
        let palette = Palette::of_ui(ui);
        let corner = ui.cursor().left_center();
        ui.painter().circle_filled(corner + vec2(DOT_RADIUS, 0.0), DOT_RADIUS, palette.panel(self.index).color);
        ui.add_space(DOT_WIDTH);
        let mut job = LayoutJob::default();
        let mut add = |text: &str, colour: Color32, before: f32| {
            job.append(text, before, TextFormat::simple(FontId::proportional(LETTERS), colour));
        };
        add(&self.number(), palette.weak, 0.0);
        for (place, number) in self.numbers.iter().enumerate() {
            let mut before = if place > 0 { 2.0 * SPACE } else { VALUE_GAP };
            if let Some(letter) = self.letters.get(place).filter(|_| has_letters) {
                add(letter, palette.weak, before);
                before = SPACE;
            }
            add(number, palette.text, before);
        }
        if self.numbers.is_empty() {
            add("–", palette.text, VALUE_GAP);
        }
        let texts = |place: usize| match self.letters.get(place).filter(|_| has_letters) {
            Some(letter) => format!("{letter} {}", self.numbers[place]),
            None => self.numbers[place].clone(),
        };
        let text: Vec<String> = (0..self.numbers.len()).map(texts).collect();
        let label = format!("{} {}", self.name, if text.is_empty() { "–".to_owned() } else { text.join("  ") });
        let galley = ui.painter().layout_job(job);
        let width = galley.size().x.max(self.width(ui, has_letters) - DOT_WIDTH);
        let (rect, response) = ui.allocate_exact_size(vec2(width, PIECE_HEIGHT), Sense::hover());
        let line = line_of_row(ui.painter(), rect.center().y);
        ui.painter().galley(pos2(rect.left(), line - baseline(&galley)), galley, palette.text);
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &label));
    }
}
