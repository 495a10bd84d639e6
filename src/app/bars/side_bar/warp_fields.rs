//! The warp of the pictures: its kind, its numbers, and its handles.

use std::path::Path;

use egui::{Button, Role, TextEdit, Ui, WidgetInfo};

use crate::app::session::Session;
use crate::app::session::inspect::Tool;
use crate::app::widgets::combo_box::combo_box;
use crate::app::widgets::limits::Limits;
use crate::app::widgets::menu_item::menu_item;
use crate::app::widgets::number::NumberField;
use crate::app::widgets::row::{number_columns, number_row, wide_row};
use crate::app::widgets::theme::Palette;
use crate::text::capitalized;
use crate::warp::{Lattice, WARPS, Warp, WarpKind};

/// The text field of a lattice.
#[derive(Clone, Default)]
struct LatticeText {
    text: String,
    /// Why the last text is no lattice.
    problem: Option<String>,
}

/// Draws the fields of the focused panel's warp, which apply to all panels, or to the focused one alone.
pub(super) fn show(ui: &mut Ui, session: &mut Session) {
    let before = session.panels()[session.focused()].warp.clone();
    let mut warp = before.clone();
    kind(ui, &mut warp);
    let rows = warp.kind().row().parameters;
    let mut numbers = warp.parameters();
    for (number, row) in numbers.iter_mut().zip(rows) {
        let help = format!("{}, between {} and {}", capitalized(row.help), row.range.0, row.range.1);
        let speed = 0.002 * (row.range.1 - row.range.0);
        let limits = Limits::of(row.range, false);
        let wanted = NumberField { name: row.title, help: &help, unit: row.unit, speed, limits };
        *number = number_row(ui, wanted, *number).unwrap_or(*number);
    }
    if !numbers.is_empty() {
        warp = warp.with_parameters(&numbers);
    }
    if let Warp::Grid(lattice) = &warp {
        let lattice = lattice.clone();
        warp = Warp::Grid(lattice_fields(ui, lattice));
    }
    if !warp.handles().is_empty() {
        handles(ui, session, &mut warp);
    }
    if warp.kind() != before.kind() {
        // Handles are there to be dragged.
        let has_handles = !warp.handles().is_empty();
        match session.inspect.tool {
            Tool::Hand | Tool::Handles => session.inspect.tool = if has_handles { Tool::Handles } else { Tool::Hand },
            Tool::Profile | Tool::Inpaint => {}
        }
    }
    if warp != before {
        session.set_warp(&warp);
    }
}

fn kind(ui: &mut Ui, warp: &mut Warp) {
    wide_row(ui, "Warp", |ui, name| {
        let chosen = combo_box("warp").selected_text(warp.kind().row().title);
        let shown = chosen.width(ui.available_width()).show_ui(ui, |ui| {
            for row in &WARPS {
                let choice = menu_item(warp.kind() == row.kind, row.title);
                if ui.add(choice).on_hover_text(capitalized(row.help)).clicked() && warp.kind() != row.kind {
                    *warp = Warp::default_of(row.kind);
                }
            }
        });
        let help = "Displaces the picture after the view: each panel resamples it by its own method";
        shown.response.labelled_by(name).on_hover_text(help);
    });
}

/// Draws the numbers of columns and rows of handles, and a field for a lattice as text or from a file.
fn lattice_fields(ui: &mut Ui, lattice: Lattice) -> Lattice {
    let [columns, rows] = lattice.size();
    let field = |name, help| NumberField { name, help, unit: "", speed: 0.05, limits: Limits::whole(2.0, 16.0) };
    let sides = number_columns(
        ui,
        [1.0; 2],
        [
            (field("Columns", "Columns of handles, 2 to 16: the deformation is kept nearly"), f64::from(columns)),
            (field("Rows", "Rows of handles, 2 to 16: the deformation is kept nearly"), f64::from(rows)),
        ],
    );
    let side = |edited: Option<f64>, before: u32| edited.map_or(before, |side| side as u32);
    let size = [side(sides[0], columns), side(sides[1], rows)];
    let changed = if size == lattice.size() { lattice } else { lattice.resized(size) };
    text_field(ui).unwrap_or(changed)
}

/// Draws the field for displacements as text and for the name of a CSV file. Enter takes it.
fn text_field(ui: &mut Ui) -> Option<Lattice> {
    let id = ui.scope_id().with("lattice text");
    let mut field: LatticeText = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    let hint = "[dx,dy,…;…] or a CSV file";
    let edit = ui.add(TextEdit::singleline(&mut field.text).hint_text(hint).desired_width(f32::INFINITY));
    edit.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Displacements as text, or a CSV file"));
    edit.clone()
        .on_hover_text("dx and dy of each handle, in parts of the width and height; a row of handles on each line");
    let mut read = None;
    if edit.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter)) {
        match Warp::read(&format!("{}={}", WarpKind::Grid.row().name, field.text.trim()), Path::new("")) {
            Ok(Warp::Grid(lattice)) => {
                read = Some(lattice);
                field.problem = None;
            }
            Ok(_) => {}
            Err(error) => field.problem = Some(error.to_string()),
        }
    }
    if let Some(problem) = &field.problem {
        ui.colored_label(Palette::of_ui(ui).error, problem);
    }
    ui.data_mut(|data| data.insert_temp(id, field));
    read
}

/// Draws the switch of the tool that moves handles, and a button that puts them back.
fn handles(ui: &mut Ui, session: &mut Session, warp: &mut Warp) {
    ui.horizontal(|ui| {
        let is_on = session.inspect.tool == Tool::Handles;
        let toggle = ui.add(Button::new("Drag handles").selected(is_on));
        if toggle.on_hover_text("Shows the handles over the pictures: they are dragged, elsewhere the image").clicked()
        {
            session.inspect.tool = if is_on { Tool::Hand } else { Tool::Handles };
        }
        let usual = match warp {
            Warp::Grid(lattice) => Warp::Grid(lattice.without_shifts()),
            Warp::Perspective(_) => Warp::default_of(WarpKind::Perspective),
            Warp::None | Warp::Lens { .. } | Warp::Swirl { .. } => warp.clone(),
        };
        let reset = ui.add_enabled(*warp != usual, Button::new("Reset handles"));
        if reset.on_hover_text("Puts all handles back").clicked() {
            *warp = usual;
        }
    });
}
