//! Editor of the mask of inpainting in a filter's card: what it is, and the numbers of a rectangle.

use std::path::Path;

use egui::containers::menu::MenuButton;
use egui::{Align, Atom, Button, RichText, Role, TextEdit, Ui, WidgetInfo, vec2};

use super::matrix_editor::labelled;
use crate::app::widgets::limits::Limits;
use crate::app::widgets::menu_item::open_menu;
use crate::app::widgets::number::{NumberField, add_number};
use crate::app::widgets::symbol::Symbol;
use crate::app::widgets::theme::{HIT_SIZE, Palette};
use crate::filter::{Filter, Mask, MaskRectangle, Step};

/// The text field of the menu.
#[derive(Clone, Default)]
struct MaskText {
    text: String,
    /// Why the last text is no mask.
    problem: Option<String>,
}

/// Draws the editor of the mask of `step`, if it has one. Returns whether a rectangle is to be drawn over a picture.
pub(super) fn show(ui: &mut Ui, step: &mut Step) -> bool {
    let Some(mask) = step.mask() else { return false };
    let mut draws = false;
    labelled(ui, "Mask", "Samples that are filled from those around them", |ui| draws = menu(ui, mask, step));
    if let Mask::Rectangle(rectangle) = mask {
        numbers(ui, rectangle, step);
    }
    draws
}

fn title(mask: Mask) -> String {
    match mask {
        Mask::Alpha => "Transparent samples".to_owned(),
        Mask::Rectangle(_) => "Rectangle".to_owned(),
        Mask::Picture(picture) => {
            picture.file().file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
        }
    }
}

/// Draws the menu of the kinds of masks, with a field for a rectangle as text or a picture's file.
fn menu(ui: &mut Ui, mask: Mask, step: &mut Step) -> bool {
    let mut draws = false;
    let title = title(mask);
    let content = (RichText::new(&title), Atom::grow(), Symbol::Down.atom(None));
    let button = Button::new(content).truncate().min_size(vec2(ui.available_width(), HIT_SIZE));
    let (response, _) = MenuButton::from_button(button).config(open_menu()).ui(ui, |ui| {
        let drawn = ui.button("Draw a rectangle").on_hover_text("The next drag over a picture outlines it");
        if drawn.clicked() {
            draws = true;
            ui.close();
        }
        let alpha = Button::selectable(mask == Mask::Alpha, "Transparent samples");
        if ui.add(alpha).on_hover_text("Those whose alpha is 0").clicked() {
            *step = step.with_mask(Mask::Alpha);
            ui.close();
        }
        ui.separator();
        text_field(ui, step);
    });
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Mask: {title}")));
    if !egui::Popup::is_any_open(&response.ctx) {
        let file =
            if let Mask::Picture(picture) = mask { format!("{}\n", picture.file().display()) } else { String::new() };
        response.on_hover_text(format!("{file}A rectangle, transparent samples, or what is white in a picture"));
    }
    draws
}

/// Draws the field for a rectangle as text and for the name of a picture's file. Enter takes it.
fn text_field(ui: &mut Ui, step: &mut Step) {
    let id = ui.scope_id().with("mask text");
    let mut field: MaskText = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    ui.set_min_width(220.0);
    let hint = "[x,y,w,h] or a picture's file";
    let edit = ui.add(TextEdit::singleline(&mut field.text).hint_text(hint).desired_width(f32::INFINITY));
    edit.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "A rectangle as text, or a picture's file"));
    edit.clone().on_hover_text("A picture of the image's size: its white samples are filled");
    if edit.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter)) {
        let text = field.text.trim();
        // A name may have the characters that separate the parts of a step.
        let file = Path::new(text);
        let read = if file.is_file() {
            Mask::open(file).map_err(|error| error.to_string())
        } else {
            let name = Filter::Inpaint.row().name;
            let read = Step::read(&format!("{name}={text}"), Path::new(""));
            read.map(|read| read.mask().unwrap_or(Mask::Alpha)).map_err(|error| error.to_string())
        };
        match read {
            Ok(mask) => {
                *step = step.with_mask(mask);
                field.problem = None;
                ui.close();
            }
            Err(problem) => field.problem = Some(problem),
        }
    }
    if let Some(problem) = &field.problem {
        ui.set_max_width(320.0);
        ui.label(RichText::new(problem).small().color(Palette::of_ui(ui).error));
    }
    ui.data_mut(|data| data.insert_temp(id, field));
}

/// Draws the fields of a rectangle, two by two.
fn numbers(ui: &mut Ui, rectangle: MaskRectangle, step: &mut Step) {
    let before = rectangle.parts();
    let mut parts = before.map(f64::from);
    let rows = [("Corner", "First column and row", 0), ("Size", "Numbers of columns and rows", 2)];
    for (name, help, first) in rows {
        labelled(ui, name, help, |ui| {
            let gap = ui.spacing().item_spacing.x;
            let width = (ui.available_width() - gap) / 2.0;
            ui.with_layout(egui::Layout::left_to_right(Align::Center), |ui| {
                for (part, label) in parts[first..first + 2].iter_mut().zip(&LABELS[first..]) {
                    let least = if first == 0 { 0.0 } else { 1.0 };
                    let limits = Limits::whole(least, f64::from(MaskRectangle::MAX));
                    let wanted = NumberField { name: label, help: "", unit: "", speed: 0.25, limits };
                    let field =
                        add_number(ui, part, &wanted, |drag| drag.min_size(vec2(width, HIT_SIZE)).clip_text(true));
                    field.on_hover_text(format!("{label}, in samples"));
                }
            });
        });
    }
    let after = parts.map(|part| part as u32);
    if after != before
        && let Some(changed) = MaskRectangle::of_parts(after)
    {
        *step = step.with_mask(Mask::Rectangle(changed));
    }
}

/// Names of the parts of a rectangle.
const LABELS: [&str; 4] =
    ["First column of the mask", "First row of the mask", "Columns of the mask", "Rows of the mask"];
