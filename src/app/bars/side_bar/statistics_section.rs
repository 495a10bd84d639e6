//! Section *Statistics*: of the focused panel's image, or of a region.

use egui::{Button, RichText, Ui};

use super::caption;
use crate::app::inspect::Overlays;
use crate::app::session::Session;
use crate::app::session::unit::Unit;
use crate::app::widgets::number::sides_text;
use crate::app::widgets::row::row;
use crate::app::widgets::theme::{Palette, text_size};

/// Draws the statistics with what they count, and the scale of the histogram's counts.
pub(super) fn show(ui: &mut Ui, session: &mut Session, unit: Unit, overlays: &mut Overlays) {
    if !session.inspect.state.has_histogram {
        caption(ui, "The histogram counts the image: I, or Shift+drag over a picture for a part of it");
        return;
    }
    let palette = Palette::of_ui(ui);
    let maxval = session.page().maxval();
    let region = session.inspect.state.region;
    ui.checkbox(&mut session.inspect.state.is_log, "Logarithmic counts")
        .on_hover_text("Rare values are visible beside common ones in the histogram");
    let of = region.map_or("The whole image; Shift+drag for a part".to_owned(), |region| {
        format!("{} samples from ({}, {})", sides_text(region.sides()), region.left, region.top)
    });
    caption(ui, &of);
    let names = session.page().channels().names();
    let channels = overlays.statistics(ui.ctx(), session);
    for (name, channel) in names.iter().zip(channels) {
        if channels.len() > 1 {
            ui.label(RichText::new(*name).size(text_size::VALUE).color(palette.text));
        }
        let numbers =
            [("Min", channel.min), ("Mean", channel.mean), ("Max", channel.max), ("Std. dev.", channel.deviation)];
        for (what, value) in numbers {
            // Hexadecimal digits would round a small deviation to 0.
            let unit = if unit == Unit::Hex { Unit::Byte } else { unit };
            let text = if channel.count == 0 { "–".to_owned() } else { unit.text(value as f32, maxval) };
            row(ui, what, |ui, _| ui.label(RichText::new(text).color(palette.text)));
        }
    }
    let whole = ui.add_enabled(region.is_some(), Button::new("Whole image"));
    let tip = "Counts all samples of the image";
    if whole.on_hover_text(tip).on_disabled_hover_text(tip).clicked() {
        session.inspect.state.region = None;
    }
}
