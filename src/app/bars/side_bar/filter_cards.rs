//! Filter chains of the focused panel in the side bar. Each step is a card with its parameters. A card is dragged by its grip
//! within a chain or into the other one; its menu does the same from the keyboard.

use egui::containers::menu::MenuButton;
use egui::{
    Align, Align2, Button, Checkbox, CursorIcon, DragAndDrop, Frame, Id, LayerId, Layout, Margin, Order, Rect,
    RichText, Role, Sense, Slider, Stroke, StrokeKind, TextStyle, Ui, WidgetInfo, pos2, vec2,
};

use super::{mask_editor, matrix_editor};
use crate::app::commands::{Command, InspectCommand, Keymap};
use crate::app::session::{Panel, PanelId, Session};
use crate::app::widgets::combo_box::combo_box;
use crate::app::widgets::limits::Limits;
use crate::app::widgets::menu_item::choose;
use crate::app::widgets::number::{NumberField, add_number};
use crate::app::widgets::symbol::{Symbol, SymbolButton};
use crate::app::widgets::theme::{HIT_SIZE, Palette, RADIUS, SPACE, text_size};
use crate::filter::{Chain, Edges, FILTERS, Filters, ParameterRow, STAGES, Stage, StageRow, Step, noise_after};
use crate::text::capitalized;

/// Width of a parameter's label, in points.
pub(super) const NAMES_WIDTH: f32 = 94.0;
/// Width of its number field, in points.
const NUMBERS_WIDTH: f32 = 52.0;
/// Height of a parameter's row, in points.
const LINE: f32 = HIT_SIZE;
/// A range with at least this ratio of its ends gets a logarithmic slider.
const WIDE: f64 = 1000.0;

/// The step that is being dragged. Keys may change the focus or the chains meanwhile, so that the step is identified by its
/// panel, position and value.
#[derive(Clone, Copy)]
struct CarriedStep {
    panel: PanelId,
    stage: Stage,
    index: usize,
    step: Step,
}

impl CarriedStep {
    /// Whether the step is still at its position.
    fn is_in(&self, panel: &Panel) -> bool {
        panel.id() == self.panel && panel.filters.chain(self.stage).0.get(self.index) == Some(&self.step)
    }
}

/// A change of the chains, applied after all cards are drawn.
enum ChainEdit {
    /// Take up the tool that draws a rectangle to be inpainted.
    DrawHole,
    Move((Stage, usize), (Stage, usize)),
    Remove(Stage, usize),
    /// Set a parameter of a step before the interpolation by the noise of the samples that it gets.
    Estimate {
        index: usize,
        parameter: usize,
        for_noise: fn(f64) -> f64,
    },
}

/// Draws both chains of the focused panel. Appends the commands of the buttons to `asked`.
pub(super) fn show(ui: &mut Ui, session: &mut Session, asked: &mut Vec<Command>) {
    let panel = session.focused_panel();
    let mut edit = None;
    let chains = ui.scope(|ui| {
        for row in &STAGES {
            ui.push_id(row.name, |ui| chain(ui, row, panel, &mut edit));
        }
    });
    // Scrolls to a step that was added, possibly by a list or a menu.
    let count = STAGES.iter().map(|row| panel.filters.chain(row.stage).0.len()).sum::<usize>();
    let id = ui.scope_id().with("steps");
    let before: Option<(PanelId, usize)> = ui.data_mut(|data| {
        let before = data.get_temp(id);
        data.insert_temp(id, (panel.id(), count));
        before
    });
    if before.is_some_and(|before| before.0 == panel.id() && before.1 < count) {
        chains.response.scroll_to_me(None);
    }
    match edit {
        Some(ChainEdit::Move(from, to)) => panel.filters.move_step(from, to),
        Some(ChainEdit::DrawHole) => asked.push(Command::Inspect(InspectCommand::Inpaint)),
        Some(ChainEdit::Remove(stage, index)) => drop(panel.filters.chain_mut(stage).0.remove(index)),
        Some(ChainEdit::Estimate { index, parameter, for_noise }) => estimate(session, index, parameter, for_noise),
        None => {}
    }
    let panel = session.focused_panel();
    if panel.filters.is_empty() {
        return;
    }
    ui.add_space(SPACE);
    let is_off = panel.filters_off;
    let keys = Keymap::in_force(ui);
    ui.horizontal(|ui| {
        let toggle = ui.add(Button::new("All off").selected(is_off));
        if toggle.on_hover_text(keys.tooltip(Command::ToggleFilters)).clicked() {
            asked.push(Command::ToggleFilters);
        }
        if ui.button("Reset").on_hover_text(keys.tooltip(Command::ResetFilters)).clicked() {
            asked.push(Command::ResetFilters);
        }
    });
}

/// Draws a chain below its title.
fn chain(ui: &mut Ui, row: &StageRow, panel: &mut Panel, edit: &mut Option<ChainEdit>) {
    let palette = Palette::of_ui(ui);
    let (acts, id) = (!panel.filters_off, panel.id());
    let mut cards = Vec::new();
    let group = ui.scope(|ui| {
        ui.horizontal(|ui| {
            ui.label(RichText::new(row.title).color(palette.text)).on_hover_text(capitalized(row.help));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| add_menu(ui, row, &mut panel.filters));
        });
        let count = panel.filters.chain(row.stage).0.len();
        for (index, step) in panel.filters.chain_mut(row.stage).0.iter_mut().enumerate() {
            let place = StepPosition { panel: id, stage: row.stage, index, count };
            let card = ui.push_id(index, |ui| card(ui, place, acts, step, edit));
            cards.push(card.inner);
        }
        if count == 0 {
            ui.label(RichText::new("No filter").size(text_size::VALUE).color(palette.weak));
        }
    });
    let drop_zone = DropZone { panel, stage: row.stage, rect: group.response.rect, cards: &cards };
    receive(ui, &drop_zone, edit);
    ui.add_space(SPACE);
}

/// Draws the menu that appends a filter to a chain.
fn add_menu(ui: &mut Ui, row: &StageRow, filters: &mut Filters) {
    let palette = Palette::of_ui(ui);
    let button = Button::new(Symbol::Plus.atom(Some(palette.text))).frame_when_inactive(false);
    let (response, _) = MenuButton::from_button(button).ui(ui, |ui| {
        for filter in FILTERS.iter().filter(|filter| filter.filter.serves(row.stage)) {
            if ui.button(filter.title).on_hover_text(capitalized(filter.help)).clicked() {
                filters.chain_mut(row.stage).0.push(Step::default_of(filter.filter));
                ui.close();
            }
        }
    });
    let name = format!("Add a filter {}", row.title.to_lowercase());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
    if !egui::Popup::is_any_open(&response.ctx) {
        response.on_hover_text(format!("{name}, {}", row.help));
    }
}

/// Position of a card.
#[derive(Clone, Copy)]
struct StepPosition {
    panel: PanelId,
    stage: Stage,
    index: usize,
    /// Length of the chain.
    count: usize,
}

impl StepPosition {
    /// The position above or below; from the end of a chain it is in the other one.
    fn next(self, up: bool) -> Option<(Stage, usize)> {
        match (self.stage, up) {
            (stage, true) if self.index > 0 => Some((stage, self.index - 1)),
            (stage, false) if self.index + 1 < self.count => Some((stage, self.index + 2)),
            (Stage::After, true) => Some((Stage::Before, usize::MAX)),
            (Stage::Before, false) => Some((Stage::After, 0)),
            (Stage::Before, true) | (Stage::After, false) => None,
        }
    }
}

/// Draws the card of a step. Returns its rectangle.
fn card(ui: &mut Ui, place: StepPosition, acts: bool, step: &mut Step, edit: &mut Option<ChainEdit>) -> Rect {
    let palette = Palette::of_ui(ui);
    let row = step.filter().row();
    let fill = palette.control;
    let frame = Frame::new().fill(fill).corner_radius(RADIUS).inner_margin(Margin::symmetric(6, 3));
    let shown = frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.spacing_mut().item_spacing = vec2(1.5 * SPACE, 0.5 * SPACE);
        ui.horizontal(|ui| {
            grip(ui, place, step);
            let colour = if step.enabled && acts { palette.text } else { palette.weak };
            let switch = Checkbox::new(&mut step.enabled, RichText::new(row.title).color(colour));
            ui.add(switch)
                .on_hover_text(format!("{}\nOff: keeps its position and its parameters", capitalized(row.help)));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let name = format!("Remove {}", row.title);
                let remove = SymbolButton { symbol: Symbol::Close, name: &name, tip: "Removes this filter" };
                if remove.show(ui, false).clicked() {
                    *edit = Some(ChainEdit::Remove(place.stage, place.index));
                }
                step_menu(ui, place, step, edit);
            });
        });
        if step.enabled {
            matrix_editor::show(ui, step);
            if mask_editor::show(ui, step) {
                *edit = Some(ChainEdit::DrawHole);
            }
            let is_apart = is_apart(ui, place, step);
            for (index, parameter) in row.parameters.iter().enumerate() {
                if is_apart == Some(false) && index > 0 {
                    continue;
                }
                if parameter.is_switch() {
                    switch(ui, index, parameter, step);
                } else if parameter.choices.is_empty() {
                    number(ui, place.stage, index, parameter, step);
                } else {
                    choice(ui, index, parameter, step);
                }
                if let (Stage::Before, Some(for_noise)) = (place.stage, parameter.for_noise)
                    && estimate_button(ui, parameter)
                {
                    *edit = Some(ChainEdit::Estimate { index: place.index, parameter: index, for_noise });
                }
            }
        }
    });
    shown.response.rect
}

/// Draws the grip by which a card is dragged.
fn grip(ui: &mut Ui, place: StepPosition, step: &Step) {
    let title = step.filter().row().title;
    let (rect, response) = ui.allocate_exact_size(vec2(10.0, LINE), Sense::drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Move {title}")));
    let palette = Palette::of_ui(ui);
    let colour = if response.hovered() || response.dragged() { palette.text } else { palette.weak };
    for (column, row) in [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2)] {
        let at = rect.center() + vec2(column as f32 * 4.0 - 2.0, row as f32 * 4.0 - 4.0);
        ui.painter().circle_filled(at, 1.1, colour);
    }
    let StepPosition { panel, stage, index, .. } = place;
    response.dnd_set_drag_payload(CarriedStep { panel, stage, index, step: *step });
    if response.hovered() {
        ui.set_cursor_icon(CursorIcon::Grab);
    }
    if response.dragged()
        && let Some(pos) = ui.input(|input| input.pointer.interact_pos())
    {
        ui.set_cursor_icon(CursorIcon::Grabbing);
        let painter = ui.layer_painter(LayerId::new(Order::Tooltip, Id::unique("carried filter")));
        let font = TextStyle::Body.resolve(ui.style());
        let galley = painter.layout_no_wrap(title.to_owned(), font, palette.text);
        let at = Align2::LEFT_TOP.anchor_size(pos + vec2(3.0 * SPACE, 2.0 * SPACE), galley.size());
        let line = Stroke::new(1.0, palette.line);
        painter.rect(at.expand(1.5 * SPACE), 4.0, palette.surface, line, StrokeKind::Outside);
        painter.galley(at.min, galley, palette.text);
    } else {
        response.on_hover_text("Drag to another position or into the other chain: the order affects the picture");
    }
}

/// A chain that a dragged step can be dropped into.
struct DropZone<'a> {
    panel: &'a Panel,
    stage: Stage,
    rect: Rect,
    /// The rectangles of the cards, from the top.
    cards: &'a [Rect],
}

/// Draws the insertion mark of a dragged step between the cards of a chain, and drops the step there.
fn receive(ui: &Ui, zone: &DropZone<'_>, edit: &mut Option<ChainEdit>) {
    let &DropZone { panel, stage, rect, cards } = zone;
    let is_taken = |carried: &CarriedStep| carried.is_in(panel) && carried.step.filter().serves(stage);
    let Some(carried) = DragAndDrop::payload::<CarriedStep>(ui).filter(|carried| is_taken(carried)) else {
        return;
    };
    let reach = rect.expand2(vec2(4.0 * SPACE, 0.5 * SPACE));
    let Some(pos) = ui.input(|input| input.pointer.interact_pos()).filter(|pos| reach.contains(*pos)) else {
        return;
    };
    let place = cards.iter().filter(|card| card.center().y < pos.y).count();
    let y = match (place.checked_sub(1).map(|above| cards[above]), cards.get(place)) {
        (Some(above), Some(below)) => (above.bottom() + below.top()) / 2.0,
        (Some(above), None) => above.bottom() + 0.5 * SPACE,
        (None, Some(below)) => below.top() - 0.5 * SPACE,
        (None, None) => rect.bottom(),
    };
    let accent = Stroke::new(2.0, Palette::of_ui(ui).accent);
    ui.painter().line_segment([pos2(rect.left(), y), pos2(rect.right(), y)], accent);
    if ui.input(|input| input.pointer.any_released()) {
        *edit = Some(ChainEdit::Move((carried.stage, carried.index), (stage, place)));
        DragAndDrop::clear_payload(ui);
    }
}

/// Place of the note whether a card shows the parameters of its axes apart.
fn apart_id(place: StepPosition) -> Id {
    Id::unique(("axes apart", place.panel, place.stage.row().name, place.index))
}

/// Whether a card shows all parameters of a step with a parameter of each axis: by its menu, and where one of them has a value of
/// its own. `None` for a step without such parameters.
fn is_apart(ui: &Ui, place: StepPosition, step: &Step) -> Option<bool> {
    step.filter().row().parameters.iter().find(|parameter| parameter.follows.is_some())?;
    let differs = (1..step.parameters().len()).any(|index| step.parameters()[index] != step.usual_value(index));
    Some(ui.data_mut(|data| {
        let noted = data.get_temp_mut_or_default::<bool>(apart_id(place));
        // A value that passes the usual one does not hide its slider.
        *noted |= differs;
        *noted
    }))
}

/// Draws the menu of a step.
fn step_menu(ui: &mut Ui, place: StepPosition, step: &mut Step, edit: &mut Option<ChainEdit>) {
    let palette = Palette::of_ui(ui);
    let title = step.filter().row().title;
    let button = Button::new(Symbol::More.atom(Some(palette.weak))).frame_when_inactive(false);
    let (response, _) = MenuButton::from_button(button).ui(ui, |ui| {
        for (text, up) in [("Move up", true), ("Move down", false)] {
            let to = place.next(up).filter(|(stage, _)| step.filter().serves(*stage));
            let item = ui.add_enabled(to.is_some(), Button::new(text));
            if let Some(to) = to.filter(|_| item.clicked()) {
                *edit = Some(ChainEdit::Move((place.stage, place.index), to));
                ui.close();
            }
        }
        ui.separator();
        if let Some(before) = is_apart(ui, place, step) {
            let mut is_apart = before;
            let tip =
                "A sigma of each axis, and the radius: off, both axes have one sigma and the radius follows from it";
            ui.checkbox(&mut is_apart, "Axes apart").on_hover_text(tip);
            if is_apart != before {
                let mut joined = *step;
                for index in 1..step.parameters().len() {
                    if let Err(error) = joined.set(index, step.usual_value(index)) {
                        log::warn!("{error}");
                    }
                }
                *step = if is_apart { *step } else { joined };
                ui.data_mut(|data| data.insert_temp(apart_id(place), is_apart));
                ui.close();
            }
        }
        let usual = Step::default_of(step.filter()).switched(step.enabled);
        if ui.add_enabled(*step != usual, Button::new("Default parameters")).clicked() {
            *step = usual;
            ui.close();
        }
        if ui.button("Remove").clicked() {
            *edit = Some(ChainEdit::Remove(place.stage, place.index));
            ui.close();
        }
    });
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Menu of {title}")));
    if !egui::Popup::is_any_open(&response.ctx) {
        response.on_hover_text("Move, default parameters, remove");
    }
}

/// Draws a parameter that is on or off.
fn switch(ui: &mut Ui, index: usize, parameter: &ParameterRow, step: &mut Step) {
    let before = step.parameters()[index] == 1.0;
    let mut value = before;
    let text = RichText::new(parameter.title).size(text_size::VALUE);
    ui.add(Checkbox::new(&mut value, text)).on_hover_text(capitalized(parameter.help));
    if value != before
        && let Err(error) = step.set(index, f64::from(u8::from(value)))
    {
        log::warn!("{error}");
    }
}

/// Draws a parameter with named values.
fn choice(ui: &mut Ui, index: usize, parameter: &ParameterRow, step: &mut Step) {
    let before = step.parameters()[index] as usize;
    let mut value = before;
    ui.horizontal(|ui| {
        let size = vec2(NAMES_WIDTH, LINE);
        let name = ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_size(size);
            let text = RichText::new(parameter.title).size(text_size::VALUE).color(Palette::of_ui(ui).weak);
            ui.label(text).on_hover_text(capitalized(parameter.help))
        });
        let title = parameter.choices.get(before).map_or("", |choice| choice.title);
        let list = combo_box(index).selected_text(title).truncate().width(ui.available_width()).show_ui(ui, |ui| {
            for (number, choice) in parameter.choices.iter().enumerate() {
                choose(ui, &mut value, number, choice.title);
            }
        });
        list.response.labelled_by(name.inner.id).on_hover_text(capitalized(parameter.help));
    });
    if value != before
        && let Err(error) = step.set(index, value as f64)
    {
        log::warn!("{error}");
    }
}

/// Draws the button that estimates a parameter. Returns whether it was clicked.
fn estimate_button(ui: &mut Ui, parameter: &ParameterRow) -> bool {
    let name = format!("Estimate {}", parameter.title.to_lowercase());
    let text = RichText::new("Estimate").size(text_size::VALUE);
    let help = "Sets it by the noise of the samples at this step: the median of the finest diagonal details of the \
                middle 512 × 512 samples, over 0.6745 (Donoho). A bilateral range of twice the noise; a Gaussian that \
                leaves one grey level of 255 of it";
    ui.horizontal(|ui| {
        // Below the slider that it moves.
        ui.add_space(NAMES_WIDTH + ui.spacing().item_spacing.x);
        let response = ui.add(Button::new(text).min_size(vec2(ui.available_width(), LINE)));
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
        response.on_hover_text(help).clicked()
    })
    .inner
}

/// Sets the parameter of the focused panel's step at `index` before the interpolation by the noise of the samples that it
/// gets: those of the page after the earlier steps.
fn estimate(session: &mut Session, index: usize, parameter: usize, for_noise: fn(f64) -> f64) {
    let focused = session.focused();
    let panel = &session.panels()[focused];
    let edges = Edges { address: panel.sampler.address, border: panel.sampler.border };
    let earlier = Chain(panel.filters.before.0[..index].to_vec());
    let page = session.page_of(focused);
    let Some(noise) = noise_after(&page, &earlier, &edges) else {
        log::warn!("these samples give no estimate of their noise");
        return;
    };
    let step = &mut session.focused_panel().filters.before.0[index];
    let Some(row) = step.filter().row().parameters.get(parameter) else { return };
    // Three digits: the estimate has no more.
    let value = format!("{:.2e}", for_noise(noise)).parse().unwrap_or(row.default);
    if let Err(error) = step.set(parameter, f64::clamp(value, row.range.0, row.range.1)) {
        log::warn!("{error}");
    }
}

/// Draws a parameter: label, slider over the whole range, number field.
fn number(ui: &mut Ui, stage: Stage, index: usize, parameter: &ParameterRow, step: &mut Step) {
    let before = step.parameters()[index];
    let mut value = before;
    let (low, high) = parameter.range;
    let (range, usual) = (capitalized(&parameter.range_text_at(stage)), step.filter().row().default_text(index));
    let help = format!("{}\n{range}; {usual} by default", capitalized(parameter.help));
    ui.horizontal(|ui| {
        let palette = Palette::of_ui(ui);
        let size = vec2(NAMES_WIDTH, LINE);
        let name = ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_size(size);
            let text = RichText::new(parameter.title).size(text_size::VALUE).color(palette.weak);
            ui.add(egui::Label::new(text).truncate()).on_hover_text(&help)
        });
        ui.spacing_mut().interact_size.y = LINE;
        ui.spacing_mut().slider_rail_height = 3.0;
        let handles = &mut ui.visuals_mut().widgets;
        handles.inactive.bg_fill = palette.weak.gamma_multiply(0.35);
        ui.spacing_mut().slider_width = ui.available_width() - NUMBERS_WIDTH - ui.spacing().item_spacing.x;
        let (low_of, high_of) =
            parameter.follows.map_or((low, high), |leader| step.filter().row().parameters[leader].range);
        let is_wide = if low_of > 0.0 { high_of / low_of >= WIDE } else { high_of >= 100.0 };
        let slider = Slider::new(&mut value, low..=high).show_value(false).logarithmic(is_wide).trailing_fill(true);
        let slider = slider.smallest_positive(0.01).step_by(if parameter.whole { 1.0 } else { 0.0 });
        ui.add(slider).labelled_by(name.inner.id).on_hover_text(&help);
        let speed = if parameter.whole { 0.1 } else { (0.01 * value.abs()).max(0.001 * (high - low).min(1.0)) };
        let limits = Limits::of((low, high), parameter.whole);
        let wanted = NumberField { name: parameter.title, help: &help, unit: "", speed, limits };
        let field =
            add_number(ui, &mut value, &wanted, |drag| drag.min_size(vec2(NUMBERS_WIDTH, LINE)).clip_text(true));
        field
            .labelled_by(name.inner.id)
            .on_hover_text(format!("{help}\nDrag, or click to type: 0.125, 1/8, 3*(2+0.5)"));
    });
    let value = if parameter.whole { value.round() } else { value };
    if value != before {
        // The slider rounds, so that its end may lie outside the range.
        if let Err(error) = step.set(index, value.clamp(low, high)) {
            log::warn!("{error}");
        }
    }
}
