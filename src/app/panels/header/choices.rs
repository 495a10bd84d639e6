//! Choices of a property, for chips and menus alike.

use egui::{RichText, Role, Ui, WidgetInfo};

use crate::app::session::Session;
use crate::app::session::address_names::library_names;
use crate::app::widgets::limits::Limits;
use crate::app::widgets::menu_item::menu_item;
use crate::app::widgets::number::{NumberField, add_number};
use crate::app::widgets::theme::{Palette, SPACE, text_size};
use crate::complex::COMPONENTS;
use crate::sampling::{ADDRESS_MODES, SAMPLING_PATHS, Sampler, SamplingPathRow};
use crate::volume::{MAIN_PLANES, Orientation, Plane};

/// Tooltips of the switches.
pub(super) const PREFILTER_HELP: &str =
    "Prefilter: samples become coefficients first, so that the curve passes through the samples";
pub(super) const ANTIALIAS_HELP: &str =
    "Antialias: the kernel widens where the view is reduced, against moiré and broken lines";

/// Draws the address modes. A choice of one, also of the present one, ends the dimming of what lies outside.
pub(super) fn address_choices(ui: &mut Ui, session: &mut Session, sampler: &mut Sampler) {
    egui::Grid::new("address modes").num_columns(4).min_col_width(0.0).spacing([SPACE, SPACE]).show(ui, |ui| {
        for row in &ADDRESS_MODES {
            let both = sampler.address == [row.address; 2];
            let names = library_names(row.address);
            if ui.selectable_label(both, row.title).on_hover_text(names).clicked() {
                sampler.address = [row.address; 2];
                session.touch_address();
                ui.close();
            }
            for (axis, name) in ["x", "y"].into_iter().enumerate() {
                let chosen = sampler.address[axis] == row.address;
                let choice =
                    ui.selectable_label(chosen, name).on_hover_text(format!("{} along {name} only", row.title));
                choice.widget_info(|| {
                    WidgetInfo::selected(Role::RadioButton, true, chosen, format!("{} along {name}", row.title))
                });
                if choice.clicked() {
                    sampler.address[axis] = row.address;
                    session.touch_address();
                }
            }
            ui.label(RichText::new(row.picture).monospace().color(Palette::of_ui(ui).weak));
            ui.end_row();
        }
    });
}

/// Draws the sampling paths.
pub(super) fn path_choices(ui: &mut Ui, session: &Session, index: usize, sampler: &mut Sampler) {
    for row in &SAMPLING_PATHS {
        let refusal = session.refusal(index, Sampler { path: row.path, ..*sampler });
        let choice = ui
            .add_enabled(refusal.is_none(), menu_item(row.path == sampler.path, row.title))
            .on_hover_text(path_help(row))
            .on_disabled_hover_text(refusal.map(|error| error.to_string()).unwrap_or_default());
        if choice.clicked() {
            sampler.path = row.path;
            ui.close();
        }
    }
}

/// What a sampling path does, and its name in commands.
pub(super) fn path_help(row: &SamplingPathRow) -> String {
    format!("{}: {}", row.name, row.help)
}

/// The main planes of a volume.
pub(super) fn plane_choices(ui: &mut Ui, session: &mut Session, index: usize) {
    for row in &MAIN_PLANES {
        let orientation = Orientation::Main(row.plane);
        let is_chosen = session.plane_of(index).orientation == orientation;
        if ui.add(menu_item(is_chosen, row.title)).on_hover_text(row.help).clicked() {
            session.set_plane(index, Plane { orientation, slice: None, ..session.plane_of(index) });
            ui.close();
        }
    }
}

/// The components of complex numbers.
pub(super) fn component_choices(ui: &mut Ui, session: &mut Session, index: usize) {
    for row in &COMPONENTS {
        let is_chosen = session.component_of(index) == row.component;
        if ui.add(menu_item(is_chosen, row.title)).on_hover_text(row.help).clicked() {
            session.set_component(index, row.component);
            ui.close();
        }
    }
}

/// Draws the images and the pages that panel `index` alone may show. Returns whether there is a choice.
pub(super) fn image_choices(ui: &mut Ui, session: &mut Session, index: usize) -> bool {
    let shown = session.image_index_of(index);
    let names: Vec<String> = session.images().iter().map(|image| image.name().to_owned()).collect();
    let has_images = names.len() > 1;
    if has_images {
        ui.label(secondary(ui, "Image of this panel alone"));
        for (place, name) in names.into_iter().enumerate() {
            if ui.add(menu_item(place == shown, name)).clicked() {
                session.show_image_in(index, place);
                ui.close();
            }
        }
    }
    let (pages, page) = (session.image_of(index).pages().len(), session.panels()[index].page_index());
    if pages > 1 {
        let mut number = (page + 1) as f64;
        let (help, limits) = ("The page that this panel alone shows", Limits::whole(1.0, pages as f64));
        let wanted = NumberField { name: "Page", help, unit: "", speed: 0.25, limits };
        let field = add_number(ui, &mut number, &wanted, |drag| drag.prefix("Page ").suffix(format!(" of {pages}")));
        if field.on_hover_text(help).changed() {
            session.show_page_in(index, number as usize - 1);
        }
    }
    has_images || pages > 1
}

fn secondary(ui: &Ui, text: impl Into<String>) -> RichText {
    RichText::new(text).size(text_size::VALUE).color(Palette::of_ui(ui).weak)
}
