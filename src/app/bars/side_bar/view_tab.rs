//! Tab *View*: the overview, and the sections that concern all panels. The numbers of the view and of the display
//! mapping are folded at first.

use egui::Ui;

use super::section::section;
use super::{
    SideBarContext, address_section, component_section, image_section, kernels_section, of_focused, pins_section,
    slice_section, values_section,
};
use crate::app::bars::image_list;
use crate::app::commands::Command;
use crate::app::files::SideSection;
use crate::app::inspect::minimap;
use crate::app::session::Session;
use crate::app::session::history::{Change, Framing};
use crate::app::widgets::limits::Limits;
use crate::app::widgets::number::NumberField;
use crate::app::widgets::row::number_columns;
use crate::app::widgets::theme::SPACE;
use crate::view::{View, reduced_deg};

/// Shares of the width of the scale, the angle and the stretch.
const SHAPE_SHARES: [f32; 3] = [1.7, 1.0, 1.0];

/// Draws the tab. Appends the commands of its buttons to `asked`.
pub(super) fn show(ui: &mut Ui, context: &mut SideBarContext<'_>, asked: &mut Vec<Command>) {
    let SideBarContext { session, preferences, side_bar, overlays, scrolls_to_pins, .. } = context;
    ui.add_space(2.0 * SPACE);
    of_focused(ui, session, |ui, session| {
        minimap::show(ui, session, overlays);
    });
    ui.add_space(2.0 * SPACE);
    let facts = middle_text(session);
    section(ui, side_bar, SideSection::Position, &facts, |ui| of_focused(ui, session, view_fields));
    let facts = kernels_section::facts(session, &overlays.insets);
    section(ui, side_bar, SideSection::Kernels, &facts, |ui| {
        kernels_section::show(ui, session, overlays, asked);
    });
    if let Some(facts) = image_list::slice_text(session) {
        section(ui, side_bar, SideSection::Slice, &facts, |ui| of_focused(ui, session, slice_section::show));
    }
    if session.complex_of(session.focused()).is_some() {
        let facts = session.component_of(session.focused()).row().title.to_lowercase();
        section(ui, side_bar, SideSection::Component, &facts, |ui| of_focused(ui, session, component_section::show));
    }
    // The only image is named in the toolbar.
    let count = session.images().len();
    if count > 1 {
        let facts = format!("{} of {count}", session.image_index_of(session.focused()) + 1);
        section(ui, side_bar, SideSection::Images, &facts, |ui| image_list::show(ui, session, overlays, asked));
    }
    let facts = values_section::facts(session);
    section(ui, side_bar, SideSection::Values, facts, |ui| {
        of_focused(ui, session, |ui, session| values_section::show(ui, session, preferences.unit, overlays, asked));
    });
    if values_section::has_display(session) {
        let facts = values_section::display_facts(session);
        section(ui, side_bar, SideSection::Display, facts, |ui| {
            of_focused(ui, session, |ui, session| values_section::show_display(ui, session, preferences.unit, asked));
        });
    }
    let facts = address_section::facts(session);
    section(ui, side_bar, SideSection::Address, &facts, |ui| address_section::show(ui, session));
    let facts = pins_section::facts(session);
    let pins = ui.scope(|ui| {
        section(ui, side_bar, SideSection::Pins, &facts, |ui| {
            pins_section::show(ui, session, preferences.unit, overlays);
        });
    });
    if *scrolls_to_pins {
        pins.response.scroll_to_me(None);
    }
    let facts = image_section::facts(session);
    section(ui, side_bar, SideSection::Image, &facts, |ui| image_section::show(ui, session));
}

/// The position in the middle of the focused panel, in samples: `centre 193.6, 290.0`, or that it shows the whole image.
fn middle_text(session: &Session) -> String {
    if session.framing() == Framing::Fit {
        return "whole image".to_owned();
    }
    let [x, y] = session.middle_of_view().map(|position| format!("{position:.1}").replace('-', "−"));
    format!("centre {x}, {y}")
}

/// The scales along x at the stretch of `view`, and the stretches at its scale along x: both scales stay in their range.
fn limits(view: &View) -> (Limits, Limits) {
    let ((least, most), ratio, scale) = (View::SCALES, view.ratio(), view.scale());
    let scales = Limits::real(least / ratio.min(1.0), most / ratio.max(1.0));
    let stretches = Limits::real((scale / most).max(View::MAX_RATIO.recip()), (scale / least).min(View::MAX_RATIO));
    (scales, stretches)
}

fn view_fields(ui: &mut Ui, session: &mut Session) {
    let view = session.view();
    let ([x, y], scale, angle, stretch) = (view.translation(), view.scale(), view.angle_deg(), view.ratio().recip());
    let move_x = "Horizontal position of the view, in samples. The middle of the image is in that of the panel at (s − 1) / 2, where s is the number of \
        samples per pixel. In commands and documents: transl_x";
    let move_y = "Vertical position of the view, in samples, as along x. In commands and documents: transl_y";
    let samples_per_pixel = "Below 1 the image is enlarged. In commands and documents: scaleFactor";
    let angle_help = "Rotation about the middle of the panel, counter-clockwise";
    let stretch_help =
        "How many times as tall as wide a sample is shown: 1 for square pixels. In commands: --scale X,Y";
    let field = |name, help, speed, limits| NumberField { name, help, unit: "", speed, limits };
    let reach = Limits::real(-View::REACH, View::REACH);
    let move_x = NumberField { unit: "samples", ..field("Move x", move_x, scale, reach) };
    let move_y = NumberField { unit: "samples", ..field("Move y", move_y, scale, reach) };
    let (scale_limits, stretch_limits) = limits(&view);
    let per_pixel = field("Samples per pixel", samples_per_pixel, scale * 0.01, scale_limits);
    let turns = Limits::real(-View::MAX_ANGLE_DEG, View::MAX_ANGLE_DEG);
    let angle_field = NumberField { unit: "°", ..field("Angle", angle_help, 0.25, turns) };
    let stretch_field = field("Stretch", stretch_help, 0.01 * stretch, stretch_limits);
    let [new_x, new_y] = number_columns(ui, [1.0; 2], [(move_x, x), (move_y, y)]);
    ui.add_space(SPACE);
    let shape = [(per_pixel, scale), (angle_field, angle), (stretch_field, stretch)];
    let [new_scale, new_angle, new_stretch] = number_columns(ui, SHAPE_SHARES, shape);
    let is_changed = [new_x, new_y, new_scale, new_angle, new_stretch].iter().any(Option::is_some);
    let [x, y, scale] = [new_x.unwrap_or(x), new_y.unwrap_or(y), new_scale.unwrap_or(scale)];
    let ratio = new_stretch.map_or(view.ratio(), f64::recip);
    let is_scaled = scale != view.scale() || new_stretch.is_some();
    let scales = if is_scaled { [scale, scale * ratio] } else { view.scales() };
    let rotated = |view: View| view.rotated(reduced_deg(new_angle.unwrap_or(angle)));
    if is_changed && let Ok(view) = view.translated([x, y]).and_then(|view| view.scaled(scales)).and_then(rotated) {
        session.go(view, Framing::Free, Change::Number);
    }
}
