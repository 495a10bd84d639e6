//! Steppers: a value between the icons of less and more, in one frame.

use egui::{Align, Align2, Layout, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2};

use super::fit::text_width;
use super::line_text::LineText;
use super::symbol::{Symbol, SymbolButton};
use super::theme::{HIT_SIZE, Palette, RADIUS, SPACE, text_size};

/// Distance between the widest value and the icons, in points.
const PADDING: f32 = SPACE;

/// A step of a stepper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum Step {
    /// To less.
    Less,
    /// To more.
    More,
}

/// A value with its steps.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct Stepper<'a> {
    /// The value.
    pub(in crate::app) value: &'a str,
    /// The widest text of the value. The field has its width, so that the icons stay where they are.
    pub(in crate::app) widest: &'a str,
    /// Name of the value, for assistive technology.
    pub(in crate::app) name: &'a str,
    /// Tooltip of the value.
    pub(in crate::app) tip: &'a str,
    /// Names of both steps, for assistive technology: less, more.
    pub(in crate::app) step_names: [&'a str; 2],
    /// Tooltips of both steps.
    pub(in crate::app) step_tips: [&'a str; 2],
}

impl Stepper<'_> {
    /// Width in `ui` of a stepper with this widest value, in points.
    pub(in crate::app) fn width(ui: &Ui, widest: &str) -> f32 {
        Self::value_width(ui, widest) + 2.0 * SymbolButton::width(ui)
    }

    /// Width in `ui` of the field alone, in points.
    pub(in crate::app) fn value_width(ui: &Ui, widest: &str) -> f32 {
        text_width(ui, widest, text_size::BODY) + 2.0 * PADDING
    }

    /// Draws the stepper. Returns the step that was clicked.
    pub(in crate::app) fn show(self, ui: &mut Ui) -> Option<Step> {
        let size = vec2(Self::width(ui, self.widest), HIT_SIZE.max(ui.spacing().interact_size.y));
        ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            let palette = Palette::of_ui(ui);
            ui.painter().rect(
                ui.max_rect(),
                RADIUS,
                palette.button,
                Stroke::new(1.0, palette.line),
                StrokeKind::Inside,
            );
            let step = |ui: &mut Ui, symbol: Symbol, index: usize| {
                let button = SymbolButton { symbol, name: self.step_names[index], tip: self.step_tips[index] };
                button.show(ui, false).clicked()
            };
            let is_less = step(ui, Symbol::Minus, 0);
            self.show_value(ui);
            let is_more = step(ui, Symbol::Plus, 1);
            is_less.then_some(Step::Less).or(is_more.then_some(Step::More))
        })
        .inner
    }

    /// Draws the value alone.
    fn show_value(self, ui: &mut Ui) {
        let palette = Palette::of_ui(ui);
        let (rect, response) =
            ui.allocate_exact_size(vec2(Self::value_width(ui, self.widest), HIT_SIZE), Sense::hover());
        let value = LineText::regular(self.value, text_size::BODY).within(ui.painter(), f32::INFINITY);
        let left = Align2::CENTER_CENTER.align_size_within_rect(vec2(value.width(), rect.height()), rect).left_center();
        value.paint(ui.painter(), left, palette.text);
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, self.name));
        response.on_hover_text(self.tip);
    }
}
