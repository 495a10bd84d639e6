//! Parameters: sliders that change the step's session, and play.

use egui::style::HandleShape;
use egui::{Align, EventFilter, Layout, Rect, Response, Slider, Stroke, Ui, UiBuilder, WidgetInfo};

use super::play::{Play, Playing};
use crate::app::widgets::line_text::LineText;
use crate::app::widgets::symbol::{Symbol, SymbolButton};
use crate::app::widgets::theme::{HIT_SIZE, Palette, SPACE, text_size};
use crate::text::short;

/// Significant digits of a value.
const DIGITS: i32 = 4;
/// Beside a parameter whose slider has the keyboard's focus: what its keys do.
const KEYS: &str = "← → move it, Esc ends";

/// Draws the parameters of the step. Returns their values if one changed.
pub(super) fn show(ui: &mut Ui, play: &mut Play) -> Option<Vec<f64>> {
    let mut values = play.values().to_vec();
    let mut is_changed = false;
    let lesson = std::sync::Arc::clone(play.lesson());
    let parameters = &lesson.steps[play.step()].parameters;
    for (index, (parameter, value)) in parameters.iter().zip(&mut values).enumerate() {
        let palette = Palette::of_ui(ui);
        let text = format!("{} = {}", parameter.label, short(*value, DIGITS).replace('-', "−"));
        let keys = caption(ui, &text);
        let slider = ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0 * SPACE;
            let is_playing = play.playing.is_some_and(|playing| playing.parameter == index);
            let button = if parameter.seconds.is_some() { SymbolButton::width(ui) + 2.0 * SPACE } else { 0.0 };
            let widgets = &mut ui.visuals_mut().widgets;
            // The rail has the fill of a control at rest.
            widgets.inactive.bg_fill = palette.line;
            for state in [&mut widgets.inactive, &mut widgets.hovered, &mut widgets.active] {
                state.fg_stroke = Stroke::new(2.0, palette.accent);
            }
            ui.spacing_mut().slider_width = (ui.available_width() - button).max(HIT_SIZE);
            let [from, to] = parameter.range;
            let mut shown = *value;
            let slider = Slider::new(&mut shown, from..=to)
                .show_value(false)
                .trailing_fill(true)
                .handle_shape(HandleShape::Circle);
            let slider = ui.add(if parameter.step > 0.0 { slider.step_by(parameter.step) } else { slider });
            slider.widget_info(|| WidgetInfo::slider(true, *value, &parameter.label));
            // A value between two steps, as of a parameter that plays, is rounded without the user.
            if slider.changed() && (slider.dragged() || slider.clicked() || slider.has_focus()) {
                play.playing = None;
                (*value, is_changed) = (shown, true);
            }
            if parameter.seconds.is_some() {
                let (symbol, name) = if is_playing { (Symbol::Pause, "Pause") } else { (Symbol::Play, "Play") };
                let tip = if is_playing { "Stops here" } else { "Plays through the values and back" };
                let label = format!("{name} {}", parameter.label);
                if (SymbolButton { symbol, name: &label, tip }).show(ui, false).clicked() {
                    let rises = *value < to;
                    play.playing = (!is_playing).then_some(Playing { parameter: index, rises });
                }
            }
            slider
        });
        let slider = slider.inner;
        keep_focus(ui, &slider);
        if slider.has_focus() {
            let place = UiBuilder::new().max_rect(keys).layout(Layout::right_to_left(Align::Center));
            LineText::regular(KEYS, text_size::UNIT).label(&mut ui.new_child(place), palette.weak);
        }
        ui.add_space(2.0 * SPACE);
    }
    is_changed.then_some(values)
}

/// Draws the name and the value of a parameter. Returns the rest of its line.
fn caption(ui: &mut Ui, text: &str) -> Rect {
    let weak = Palette::of_ui(ui).weak;
    let label = LineText::regular(text, text_size::BODY).label(ui, weak);
    Rect::from_x_y_ranges(label.rect.right()..=ui.max_rect().right(), label.rect.y_range())
}

/// Gives a slider that was dragged the keyboard's focus, so that arrow keys move it and do not walk, until Esc or a click elsewhere.
fn keep_focus(ui: &Ui, slider: &Response) {
    if slider.is_pointer_button_down_on() {
        slider.request_focus();
    }
    // Of its own accord Esc would end the focus before the keys are read, and then the lesson.
    let filter = EventFilter { horizontal_arrows: true, escape: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(slider.id, filter));
}
