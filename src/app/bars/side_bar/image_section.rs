//! Section *Image*: facts and pages of the focused panel's image.

use egui::{RichText, Ui};

use crate::app::bars::image_list;
use crate::app::session::Session;
use crate::app::widgets::limits::Limits;
use crate::app::widgets::number::{NumberField, add_number, sides_text};
use crate::app::widgets::row::row;
use crate::app::widgets::theme::Palette;
use crate::image::{Channels, Depth};

/// Size, channels and depth in a few words.
pub(in crate::app::bars) fn facts(session: &Session) -> String {
    image_list::facts(&session.page())
}

fn channels_text(session: &Session) -> &'static str {
    match session.page().channels() {
        Channels::Grey => "grey",
        Channels::GreyAlpha => "grey, alpha",
        Channels::Rgb => "colour",
        Channels::Rgba => "colour, alpha",
    }
}

fn depth_text(depth: Depth) -> &'static str {
    match depth {
        Depth::Integer { maxval } if maxval.get() <= 255 => "8 bit",
        Depth::Integer { .. } => "16 bit",
        Depth::Float => "float",
    }
}

/// Draws facts and pages.
pub(super) fn show(ui: &mut Ui, session: &mut Session) {
    let palette = Palette::of_ui(ui);
    let page = session.page();
    let (channels, depth) = (channels_text(session), depth_text(page.depth()));
    let facts = [
        ("Name", session.image().name().to_owned()),
        ("Size", sides_text(page.size().sides())),
        ("Samples", format!("{channels}, {depth}")),
        ("Greatest value", page.maxval().to_string()),
    ];
    let pages = session.image().pages().len();
    let mut page = session.page_index() + 1;
    for (name, fact) in facts {
        row(ui, name, |ui, _| {
            let text = RichText::new(&fact).color(palette.text);
            ui.add(egui::Label::new(text).truncate()).on_hover_text(&fact)
        });
    }
    if pages > 1 {
        row(ui, "Page", |ui, name| {
            let limits = Limits::whole(1.0, pages as f64);
            let wanted = NumberField { name: "Page", help: "Page of the file", unit: "", speed: 1.0, limits };
            let mut number = page as f64;
            let field = add_number(ui, &mut number, &wanted, |drag| drag.suffix(format!(" of {pages}")));
            page = number as usize;
            field.labelled_by(name).on_hover_text(wanted.help)
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
