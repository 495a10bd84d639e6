//! Rows with a bar of quality and a bar of cost, in their order.

use egui::{
    Align2, Color32, CursorIcon, FontId, Label, Rect, RichText, Role, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2,
};

use crate::app::widgets::theme::{HIT_SIZE, Palette, SPACE, text_size};

/// Width of the names and of a number, in points.
const NAME: f32 = 168.0;
const NUMBER: f32 = 64.0;
/// Height of a bar and radius of a dot, in points.
const BAR: f32 = 6.0;
const DOT: f32 = 4.0;

/// A row.
pub(super) struct Bar {
    /// Its name.
    pub(super) name: String,
    /// Its colour.
    pub(super) colour: Color32,
    /// How good it is: the larger, the better. An infinite one fills its bar.
    pub(super) quality: f64,
    /// The same with its unit.
    pub(super) quality_text: String,
    /// What it costs.
    pub(super) cost: f64,
    /// The same with its unit.
    pub(super) cost_text: String,
    /// Its tooltip.
    pub(super) tip: String,
}

/// The rows.
pub(super) struct Bars {
    /// Names of quality and cost.
    pub(super) heads: [&'static str; 2],
    /// The rows.
    pub(super) bars: Vec<Bar>,
    /// A line below.
    pub(super) note: String,
}

/// Where the parts of a row are.
#[derive(Clone, Copy)]
struct Columns {
    left: f32,
    /// Width of a bar.
    bar: f32,
}

impl Columns {
    /// Left end of the bar of quality (0) or cost (1).
    fn bar_at(self, place: usize) -> f32 {
        self.left + NAME + place as f32 * (self.bar + NUMBER + 2.0 * SPACE)
    }

    /// Right end of its number.
    fn number_at(self, place: usize) -> f32 {
        self.bar_at(place) + self.bar + NUMBER
    }
}

impl Bars {
    /// Draws the rows. Returns the place of the one that was clicked.
    pub(super) fn show(&self, ui: &mut Ui) -> Option<usize> {
        let palette = Palette::of_ui(ui);
        ui.spacing_mut().item_spacing.y = 0.0;
        let columns = |ui: &Ui| Columns {
            left: ui.max_rect().left(),
            bar: ((ui.available_width() - NAME) / 2.0 - NUMBER - 2.0 * SPACE).max(0.0),
        };
        let font = FontId::proportional(text_size::UNIT);
        let (head, _) = ui.allocate_exact_size(vec2(ui.available_width(), text_size::UNIT + SPACE), Sense::hover());
        for (place, text) in self.heads.into_iter().enumerate() {
            let at = pos2(columns(ui).bar_at(place), head.center().y);
            ui.painter().text(at, Align2::LEFT_CENTER, text, font.clone(), palette.faint);
        }
        let largest =
            |of: fn(&Bar) -> f64| self.bars.iter().map(of).filter(|value| value.is_finite()).fold(0.0, f64::max);
        // Beside an exact row, the best of the others does not fill its bar.
        let room = if self.bars.iter().any(|bar| bar.quality.is_infinite()) { 1.25 } else { 1.0 };
        let most = [room * largest(|bar| bar.quality), largest(|bar| bar.cost)];
        let mut clicked = None;
        ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            let columns = columns(ui);
            for (place, bar) in self.bars.iter().enumerate() {
                if show_bar(ui, bar, columns, most) {
                    clicked = Some(place);
                }
            }
            ui.add_space(SPACE);
            let note = RichText::new(&self.note).size(text_size::UNIT).color(palette.faint);
            ui.add(Label::new(note).truncate());
        });
        clicked
    }
}

/// Draws a row. Returns whether it was clicked.
fn show_bar(ui: &mut Ui, bar: &Bar, columns: Columns, most: [f64; 2]) -> bool {
    let palette = Palette::of_ui(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), HIT_SIZE), Sense::click());
    if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, 3.0, palette.control);
    }
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.circle_filled(pos2(rect.left() + 2.0 * DOT, rect.center().y), DOT, bar.colour);
    let name_at = rect.left() + 4.0 * DOT;
    let font = FontId::proportional(text_size::VALUE);
    let names = painter.with_clip_rect(Rect::from_x_y_ranges(name_at..=columns.bar_at(0) - SPACE, rect.y_range()));
    names.text(pos2(name_at, rect.center().y), Align2::LEFT_CENTER, &bar.name, font.clone(), palette.text);
    let parts = [(bar.quality, &bar.quality_text, bar.colour), (bar.cost, &bar.cost_text, palette.weak)];
    for (place, (value, text, colour)) in parts.into_iter().enumerate() {
        let left = columns.bar_at(place);
        let whole = Rect::from_min_size(pos2(left, rect.center().y - 0.5 * BAR), vec2(columns.bar, BAR));
        painter.rect_filled(whole, 2.0, palette.field);
        let share = if value.is_finite() { value / most[place].max(f64::MIN_POSITIVE) } else { 1.0 };
        let width = share.clamp(0.0, 1.0) as f32 * columns.bar;
        painter.rect_filled(whole.with_max_x(left + width), 2.0, colour);
        let at = pos2(columns.number_at(place), rect.center().y);
        painter.text(at, Align2::RIGHT_CENTER, text, font.clone(), palette.text);
    }
    let label = format!("{}: {}, {}", bar.name, bar.quality_text, bar.cost_text);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
    let is_clicked = response.clicked();
    response.on_hover_cursor(CursorIcon::PointingHand).on_hover_text(&bar.tip);
    is_clicked
}
