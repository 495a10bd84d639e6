//! Side bar: the view as numbers, preset figures, the focused panel, the image.

use egui::{Frame, Margin, RichText, ScrollArea, Ui, UiBuilder};

use super::{filter_cards, inspect_section};
use crate::app::commands::Command;
use crate::app::inspect::Overlays;
use crate::app::session::Session;
use crate::app::session::figures::TUTORIAL_FIGURES;
use crate::app::session::history::{Change, Framing};
use crate::app::session::preferences::Preferences;
use crate::app::widgets::number::NumberField;
use crate::app::widgets::row::{number_row, row};
use crate::app::widgets::theme::{CONTROL_HEIGHT, Palette, SPACE};
use crate::image::{Channels, Samples};
use crate::view::View;

/// Width, in points.
pub(in crate::app) const WIDTH: f32 = 272.0;
/// Margin to the left and right of the content, in points.
pub(in crate::app) const MARGIN: i8 = 12;

/// Draws the side bar. Returns the commands of its buttons.
pub(in crate::app) fn show(
    ui: &mut Ui,
    session: &mut Session,
    preferences: &mut Preferences,
    overlays: &mut Overlays,
) -> Vec<Command> {
    // Content that is too wide is clipped, so that it does not move the panels. The scroll bar is drawn in the margin.
    let mut rect = ui.available_rect_before_wrap();
    rect.max.x += f32::from(MARGIN);
    let mut bar = ui.new_child(UiBuilder::new().max_rect(rect));
    let content = Frame::new().inner_margin(Margin { right: MARGIN, ..Margin::ZERO });
    let scrolled = ScrollArea::vertical()
        .auto_shrink(false)
        .show(&mut bar, |ui| content.show(ui, |ui| sections(ui, session, preferences, overlays)).inner);
    scrolled.inner
}

fn sections(
    ui: &mut Ui,
    session: &mut Session,
    preferences: &mut Preferences,
    overlays: &mut Overlays,
) -> Vec<Command> {
    let mut asked = Vec::new();
    ui.spacing_mut().item_spacing.y = SPACE;
    section(ui, "View", |ui| {
        of_focused(ui, session, |ui, session| {
            view_fields(ui, session);
            ui.add_space(SPACE);
            inspect_section::minimap(ui, session, overlays);
        });
    });
    if session.inspect.state.has_histogram {
        section(ui, "Histogram", |ui| inspect_section::histogram(ui, session, preferences.unit, overlays));
    }
    section(ui, "Figures", |ui| figures(ui, session));
    let title = session.panels()[session.focused()].sampler.method.title();
    section(ui, &title, |ui| of_focused(ui, session, panel_fields));
    section(ui, "Filters", |ui| of_focused(ui, session, |ui, session| filter_cards::show(ui, session, &mut asked)));
    section(ui, "Show", |ui| {
        of_focused(ui, session, |ui, session| inspect_section::show(ui, session, &mut asked));
    });
    section(ui, "Inspect", |ui| inspect_section::overlays(ui, session, preferences, &mut asked));
    section(ui, "Pins", |ui| inspect_section::pins(ui, session, preferences.unit, overlays));
    section(ui, "Image", |ui| image_facts(ui, session));
    asked
}

fn section(ui: &mut Ui, title: &str, contents: impl FnOnce(&mut Ui)) {
    ui.add_space(2.0 * SPACE);
    ui.label(RichText::new(title).size(12.0).color(Palette::of_ui(ui).weak));
    ui.add_space(SPACE);
    // The scope ends changes to the spacing.
    ui.scope(contents);
    ui.add_space(2.0 * SPACE);
    ui.separator();
}

/// Draws controls of the focused panel. Their ids contain the panel's id: after a change of the focus, an edit or a drag does
/// not continue in the other panel.
fn of_focused(ui: &mut Ui, session: &mut Session, contents: impl FnOnce(&mut Ui, &mut Session)) {
    let panel = session.panels()[session.focused()].id();
    ui.push_id(panel, |ui| contents(ui, session));
}

fn view_fields(ui: &mut Ui, session: &mut Session) {
    let view = session.view();
    let ([x, y], scale, angle) = (view.translation(), view.scale(), view.angle_deg());
    let mut numbers = [x, y, scale, angle];
    let fields = [
        NumberField { name: "transl_x", help: "Horizontal translation of the view, in samples", speed: scale },
        NumberField { name: "transl_y", help: "Vertical translation of the view, in samples", speed: scale },
        NumberField { name: "scaleFactor", help: "Samples per pixel: below 1 enlarges", speed: scale * 0.01 },
        NumberField { name: "angle", help: "Rotation in degrees, counter-clockwise", speed: 0.25 },
    ];
    let mut is_changed = false;
    for (number, wanted) in numbers.iter_mut().zip(fields) {
        if let Some(edited) = number_row(ui, wanted, *number) {
            *number = edited;
            is_changed = true;
        }
    }
    let [x, y, scale, angle] = numbers;
    let scale = scale.clamp(View::SCALES.0, View::SCALES.1);
    if is_changed && let Ok(view) = View::new([x, y], scale).and_then(|view| view.rotated(angle)) {
        session.go(view, Framing::Free, Change::Number);
    }
}

fn figures(ui: &mut Ui, session: &mut Session) {
    ui.spacing_mut().item_spacing.y = 0.0;
    for figure in &TUTORIAL_FIGURES {
        let is_shown = session.view() == figure.view() && {
            let sampler = session.panels()[session.focused()].sampler;
            (sampler.method, sampler.address, sampler.path) == (figure.method, figure.address, figure.path)
        };
        let text = format!("{}  {}", figure.number, figure.title);
        let width = ui.available_width();
        let item = egui::Button::selectable(is_shown, RichText::new(text).size(12.5))
            .min_size(egui::vec2(width, CONTROL_HEIGHT));
        if ui.add(item).on_hover_text(figure.summary()).clicked() {
            figure.show(session);
        }
    }
}

fn panel_fields(ui: &mut Ui, session: &mut Session) {
    let sampler = &mut session.focused_panel().sampler;
    let border = NumberField {
        name: "border",
        help: "Value outside of the image for address mode border; 1 is maxval",
        speed: 0.01,
    };
    if let Some(edited) = number_row(ui, border, f64::from(sampler.border)) {
        sampler.border = edited as f32;
    }
    row(ui, "antialias", |ui, name| {
        let help = "Widens the kernel when the view is zoomed out, against aliasing";
        ui.checkbox(&mut sampler.antialias, "").labelled_by(name).on_hover_text(help)
    });
    if sampler.antialias {
        let blur = NumberField {
            name: "blur",
            help: "Width of the antialiasing kernel; 1 is the width for the scale",
            speed: 0.01,
        };
        if let Some(edited) = number_row(ui, blur, sampler.blur) {
            sampler.blur = edited;
        }
    }
}

fn image_facts(ui: &mut Ui, session: &mut Session) {
    let palette = Palette::of_ui(ui);
    if session.images().len() > 1 {
        let names: Vec<String> = session.images().iter().map(|image| image.name().to_owned()).collect();
        for (index, name) in names.into_iter().enumerate() {
            if ui.selectable_label(index == session.shown(), name).clicked() {
                session.show_image(index);
            }
        }
        ui.add_space(SPACE);
    }
    let page = session.page();
    let samples = page.raster().samples();
    let channels = match page.channels() {
        Channels::Grey => "grey",
        Channels::GreyAlpha => "grey, alpha",
        Channels::Rgb => "colour",
        Channels::Rgba => "colour, alpha",
    };
    let depth = match samples {
        Samples::U8 { .. } => "8 bit",
        Samples::U16 { .. } => "16 bit",
        Samples::F32(_) => "float",
    };
    let facts = [
        ("name", session.image().name().to_owned()),
        ("size", page.size().to_string()),
        ("samples", format!("{channels}, {depth}")),
        ("maxval", samples.maxval().to_string()),
    ];
    let pages = session.image().pages().len();
    let mut page = session.page_index() + 1;
    for (name, fact) in facts {
        row(ui, name, |ui, _| {
            let text = RichText::new(&fact).color(palette.strong);
            ui.add(egui::Label::new(text).truncate()).on_hover_text(&fact)
        });
    }
    if pages > 1 {
        row(ui, "page", |ui, name| {
            let number = egui::DragValue::new(&mut page).range(1..=pages).speed(1.0).suffix(format!(" of {pages}"));
            ui.add(number).labelled_by(name).on_hover_text("Page of the file")
        });
        ui.spacing_mut().slider_width = ui.available_width();
        let slider = ui.add(egui::Slider::new(&mut page, 1..=pages).show_value(false));
        let value = page as f64;
        slider.widget_info(|| egui::WidgetInfo::slider(true, value, "pages"));
        slider.on_hover_text("Selects the page of the file");
    }
    if page != session.page_index() + 1 {
        session.show_page(page - 1);
    }
}
