//! Editor of a convolution's matrix in a filter's card: the usual matrices in a menu, numbers of columns and rows, and a
//! field for each weight. The weight at the centre is outlined.

use std::path::Path;

use egui::containers::menu::MenuButton;
use egui::{
    Align, Atom, Button, Layout, Response, RichText, Role, ScrollArea, Stroke, StrokeKind, TextEdit, Ui, WidgetInfo,
    vec2,
};

use crate::app::widgets::fit::text_width;
use crate::app::widgets::limits::Limits;
use crate::app::widgets::menu_item::open_menu;
use crate::app::widgets::number::{NumberField, add_number, five_digits};
use crate::app::widgets::symbol::Symbol;
use crate::app::widgets::theme::{HIT_SIZE, Palette, RADIUS, text_size};
use crate::filter::{Filter, MATRICES, Matrix, MatrixRow, Step};

/// Width of the labels, in points: that of a parameter's label.
const NAMES_WIDTH: f32 = super::filter_cards::NAMES_WIDTH;
/// Smallest width of a weight's field, in points; more columns than fit are scrolled.
const CELL_WIDTH: f32 = 38.0;
/// Gap between two weights, in points.
const GAP: f32 = 2.0;
/// Height up to which rows are shown at once, in points.
const MAX_HEIGHT: f32 = 7.0 * (HIT_SIZE + GAP);

/// The text field of the menu.
#[derive(Clone, Default)]
struct MatrixText {
    text: String,
    /// Why the last text is no matrix.
    problem: Option<String>,
}

/// Draws the editor of the matrix of `step`, if it has one.
pub(super) fn show(ui: &mut Ui, step: &mut Step) {
    let Some(matrix) = step.matrix() else { return };
    labelled(ui, "Matrix", "Weights of the samples around each", |ui| menu(ui, matrix, step));
    labelled(ui, "Size", "Columns × rows of the matrix, odd or even", |ui| size(ui, matrix, step));
    weights(ui, matrix, step);
    ui.label(RichText::new(sum_text(matrix, step)).size(text_size::VALUE).color(Palette::of_ui(ui).weak));
}

/// A row with a label before what `content` draws.
pub(super) fn labelled(ui: &mut Ui, name: &str, help: &str, content: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        let size = vec2(NAMES_WIDTH, HIT_SIZE);
        ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_size(size);
            let text = RichText::new(name).size(text_size::VALUE).color(Palette::of_ui(ui).weak);
            ui.label(text).on_hover_text(help);
        });
        ui.spacing_mut().interact_size.y = HIT_SIZE;
        content(ui);
    });
}

/// Draws the menu of the usual matrices, with a field for a text or a file.
fn menu(ui: &mut Ui, matrix: Matrix, step: &mut Step) {
    let named = MATRICES.iter().find(|row| row.matrix.weights() == matrix);
    let title = named.map_or("Own", |row| row.title);
    let content = (title, Atom::grow(), Symbol::Down.atom(None));
    let button = Button::new(content).min_size(vec2(ui.available_width(), HIT_SIZE));
    let (response, _) = MenuButton::from_button(button).config(open_menu()).ui(ui, |ui| {
        for row in &MATRICES {
            let is_chosen = named.is_some_and(|named| named.matrix == row.matrix);
            if entry(ui, row, is_chosen).clicked() {
                *step = step.with_normalized(row.matrix.normalized_weights());
                ui.close();
            }
        }
        ui.separator();
        text_field(ui, step);
    });
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Matrix: {title}")));
    if !egui::Popup::is_any_open(&response.ctx) {
        response.on_hover_text("The usual matrices; weights as text or from a file");
    }
}

fn entry(ui: &mut Ui, row: &MatrixRow, is_chosen: bool) -> Response {
    let tip = format!("{}\n{}", crate::text::capitalized(row.help), row.matrix.weights());
    ui.add(Button::selectable(is_chosen, row.title)).on_hover_text(tip)
}

/// Draws the field for weights as text and for the name of a file. Enter takes it.
fn text_field(ui: &mut Ui, step: &mut Step) {
    let id = ui.scope_id().with("matrix text");
    let mut field: MatrixText = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    ui.set_min_width(220.0);
    let hint = "[1,2;3,4] or a CSV file";
    let edit = ui.add(TextEdit::singleline(&mut field.text).hint_text(hint).desired_width(f32::INFINITY));
    edit.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Weights as text, or a CSV file"));
    if edit.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter)) {
        let name = Filter::Convolve.row().name;
        match Step::read(&format!("{name}={}", field.text.trim()), Path::new("")) {
            Ok(read) => {
                let enabled = step.enabled;
                *step = read.switched(enabled);
                field.problem = None;
                ui.close();
            }
            Err(error) => field.problem = Some(error.to_string()),
        }
    }
    if let Some(problem) = &field.problem {
        ui.set_max_width(320.0);
        ui.label(RichText::new(problem).small().color(Palette::of_ui(ui).error));
    }
    ui.data_mut(|data| data.insert_temp(id, field));
}

/// Draws the numbers of columns and rows.
fn size(ui: &mut Ui, matrix: Matrix, step: &mut Step) {
    let before = matrix.size();
    let mut sides = before.map(f64::from);
    let between = text_width(ui, "×", text_size::BODY) + 2.0 * ui.spacing().item_spacing.x;
    let width = (ui.available_width() - between) / 2.0;
    for (axis, name) in [(0, "Columns of the matrix"), (1, "Rows of the matrix")] {
        if axis == 1 {
            ui.label(RichText::new("×").color(Palette::of_ui(ui).weak));
        }
        let most = f64::from(Matrix::MAX_SIDE);
        let help = format!("{name}, 1 to {most}: the middle weight stays in the middle");
        let wanted = NumberField { name, help: &help, unit: "", speed: 0.05, limits: Limits::whole(1.0, most) };
        let field =
            add_number(ui, &mut sides[axis], &wanted, |drag| drag.min_size(vec2(width, HIT_SIZE)).clip_text(true));
        field.on_hover_text(&help);
    }
    let after = sides.map(|side| side as u32);
    if after != before {
        *step = step.with_matrix(matrix.resized(after));
    }
}

/// Draws the fields of the weights.
fn weights(ui: &mut Ui, matrix: Matrix, step: &mut Step) {
    let [columns, rows] = matrix.size();
    let room = ui.available_width() - GAP * (columns - 1) as f32;
    let width = (room / columns as f32).max(CELL_WIDTH);
    let centre = step.convolution().map(|convolution| {
        // The sample at offset 0 is weighed by the centre.
        [0, 1].map(|axis| i64::from(convolution.size[axis]) - 1 + i64::from(convolution.first[axis]))
    });
    let height = (rows as f32 * (HIT_SIZE + GAP)).min(MAX_HEIGHT);
    ScrollArea::both().max_height(height).auto_shrink([false, true]).show(ui, |ui| {
        ui.spacing_mut().item_spacing = vec2(GAP, GAP);
        ui.spacing_mut().interact_size.y = HIT_SIZE;
        for row in 0..rows {
            ui.horizontal(|ui| {
                for column in 0..columns {
                    let index = (row * columns + column) as usize;
                    let is_centre = centre == Some([i64::from(column), i64::from(row)]);
                    if let Some(edited) = ui.push_id(index, |ui| weight(ui, matrix, index, (width, is_centre))).inner {
                        match step.matrix().unwrap_or(matrix).with_weight(index, edited) {
                            Ok(changed) => *step = step.with_matrix(changed),
                            Err(error) => log::warn!("{error}"),
                        }
                    }
                }
            });
        }
    });
}

/// Draws the field of the weight at `index`. Returns its new value if it was changed.
fn weight(ui: &mut Ui, matrix: Matrix, index: usize, (width, is_centre): (f32, bool)) -> Option<f64> {
    let before = matrix.weights()[index];
    let columns = matrix.size()[0] as usize;
    let name = format!("Weight at column {}, row {}", index % columns + 1, index / columns + 1);
    let mut value = before;
    let (speed, limits) = (0.01 * before.abs().max(1.0), Limits::real(-Matrix::MAX_WEIGHT, Matrix::MAX_WEIGHT));
    let wanted = NumberField { name: &name, help: "", unit: "", speed, limits };
    let field = add_number(ui, &mut value, &wanted, |drag| drag.min_size(vec2(width, HIT_SIZE)).clip_text(true));
    if is_centre {
        let accent = Stroke::new(1.5, Palette::of_ui(ui).accent);
        ui.painter().rect_stroke(field.rect, RADIUS, accent, StrokeKind::Inside);
    }
    let centre = if is_centre { ": the centre" } else { "" };
    field.on_hover_text(format!("{name}{centre}\nDrag, or click to type: 0.125, 1/8, 3*(2+0.5)"));
    (value != before).then_some(value)
}

/// The sum of the weights, and what normalization makes of it.
fn sum_text(matrix: Matrix, step: &Step) -> String {
    let sum = five_digits(matrix.sum()).replace('-', "−");
    let cancels = matrix.divisor() != matrix.sum();
    match step.parameters().first() {
        Some(1.0) if cancels => format!("The weights sum to {sum} and cancel: not divided"),
        Some(1.0) => format!("The weights sum to {sum}: divided by it"),
        _ => format!("The weights sum to {sum}"),
    }
}
