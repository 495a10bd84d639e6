//! Status line: the cursor's position, each panel's value there, the scale, the backend.

use std::sync::Arc;

use egui::text::LayoutJob;
use egui::{Align, Color32, FontId, Galley, Layout, RichText, Role, Sense, TextFormat, Ui, WidgetInfo};

use crate::app::render::probe::Reading;
use crate::app::render::texture_sharing::PresentMode;
use crate::app::session::Session;
use crate::app::session::address_names::cursor_text;
use crate::app::session::unit::Unit;
use crate::app::widgets::number::short;
use crate::app::widgets::theme::{Palette, SPACE};
use crate::backend::{BackendError, BackendKind, Startup};

/// Height, in points.
pub(in crate::app) const HEIGHT: f32 = 44.0;
/// Maximum length of the reason for uploads, in characters. The tooltip shows the whole reason.
const MAX_REASON: usize = 32;
/// Font size, in points.
const LETTERS: f32 = 12.0;

/// How the last frame was rendered.
#[derive(Clone, Debug)]
pub(in crate::app) struct RenderStatus {
    /// The backends that rendered its pictures.
    pub(in crate::app) backends: Vec<BackendKind>,
    /// How the pictures reach the screen.
    pub(in crate::app) way: PresentMode,
    /// Why an available device did not render.
    pub(in crate::app) reason: Option<BackendError>,
    /// What the device does before it renders.
    pub(in crate::app) startup: Option<Startup>,
    /// Time for all panels.
    pub(in crate::app) milliseconds: f64,
}

impl RenderStatus {
    /// `CUDA and CPU`.
    pub(in crate::app) fn backend_titles(&self) -> String {
        let titles: Vec<&str> = self.backends.iter().map(|backend| backend.row().title).collect();
        titles.join(" and ")
    }
}

/// Draws the status line.
pub(in crate::app) fn show(
    ui: &mut Ui,
    session: &Session,
    unit: Unit,
    reading: Option<&Reading>,
    drawn: &RenderStatus,
) {
    ui.spacing_mut().item_spacing = egui::vec2(5.0 * SPACE, 0.0);
    let palette = Palette::of_ui(ui);
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let time = format!("{:.1} ms", drawn.milliseconds);
        let way = match &drawn.way {
            PresentMode::Upload => "pictures are uploaded".to_owned(),
            PresentMode::Shared => "the backend writes the textures on screen".to_owned(),
            PresentMode::UploadBecause(why) => format!("pictures are uploaded: {why}"),
        };
        let backend = match &drawn.way {
            PresentMode::Upload => drawn.backend_titles(),
            PresentMode::Shared => format!("{} to OpenGL", drawn.backend_titles()),
            PresentMode::UploadBecause(why) => {
                format!("{}, uploaded: {}", drawn.backend_titles(), in_short(&why.to_string()))
            }
        };
        let (backend, why) = match (&drawn.reason, drawn.startup) {
            (Some(reason), _) => (format!("{backend}: {}", reason.short()), format!(". The CPU renders: {reason}")),
            (None, Some(startup)) => {
                (format!("{backend}: {}", startup.short()), format!(". {}; the CPU renders meanwhile", startup.short()))
            }
            (None, None) => (backend, String::new()),
        };
        let tip = format!("Backend ({way}), and processor time of the last frame{why}");
        block(ui, &[[(&backend, palette.text)], [(&time, palette.weak)]], &tip);
        let scale = session.view().scale();
        let samples = format!("s = {}", short(scale, 6));
        let tip = "Pixels per sample, and samples per pixel (scaleFactor)";
        block(ui, &[[(&zoom_text(scale), palette.text)], [(&samples, palette.weak)]], tip);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| match reading {
            Some(reading) => {
                ui.shrink_clip_rect(ui.max_rect());
                show_reading(ui, session, unit, reading);
            }
            None => {
                let hint = "Drag to move, turn the wheel to zoom, F1 for the keys";
                ui.add(egui::Label::new(RichText::new(hint).color(palette.weak)).truncate());
            }
        });
    });
}

/// The last part of a reason, the message of the driver, cut to the width of the line.
fn in_short(why: &str) -> String {
    let message = why.rsplit(": ").next().unwrap_or(why);
    let mut letters = message.chars();
    let short: String = letters.by_ref().take(MAX_REASON).collect();
    if letters.next().is_none() { short } else { format!("{}…", short.trim_end()) }
}

/// Magnification: `8×`, `0.5×`.
pub(in crate::app) fn zoom_text(scale: f64) -> String {
    format!("{}×", short(1.0 / scale, 4))
}

fn show_reading(ui: &mut Ui, session: &Session, unit: Unit, reading: &Reading) {
    let palette = Palette::of_ui(ui);
    let [x, y] = reading.pos_in_image.map(|position| format!("{position:>9.3}"));
    let lines = [[("x", palette.weak), (&x, palette.text)], [("y", palette.weak), (&y, palette.text)]];
    block(ui, &lines, "Position in the image, in samples");
    if session.inspect.state.shows_outside {
        let [column, row] = cursor_text(session, session.focused(), reading.pos_in_image);
        let tip = "Index of the nearest sample, and the index after the focused panel's address modes";
        block(ui, &[[(&column, palette.text)], [(&row, palette.text)]], tip);
    }
    // A panel may have been closed meanwhile.
    let open = reading.values.iter().filter_map(|(panel, values)| Some((session.index_of(*panel)?, values)));
    let more = laid_out(ui, &[[("…", palette.weak)], [("", palette.weak)]]);
    let mut rest = open.peekable();
    while let Some((index, values)) = rest.next() {
        let maxval = session.page_of(index).raster().samples().maxval();
        let name = session.panels()[index].sampler.method.label();
        let line = |unit: Unit| -> String {
            let width = (unit.one(maxval).to_string().len() + 4).max(7);
            let numbers: Vec<String> =
                values.iter().map(|value| format!("{:>width$}", unit.text(*value, maxval))).collect();
            if numbers.is_empty() { "–".to_owned() } else { numbers.join(" ") }
        };
        let is_one = unit == Unit::One || (unit == Unit::File && maxval == 1);
        let (first, second) = (line(unit), if is_one { String::new() } else { line(Unit::One) });
        let blank = " ".repeat(name.len());
        let lines =
            [[(&*name, palette.weak), (&first, palette.text)], [(&blank, palette.weak), (&second, palette.weak)]];
        let laid_out = laid_out(ui, &lines);
        let after = if rest.peek().is_some() { ui.spacing().item_spacing.x + more.size().x } else { 0.0 };
        if laid_out.size().x + after > ui.available_width() {
            // A clipped number would be read as another number.
            return show_block(ui, more, "More values do not fit: Ctrl+click pins a position and lists all values");
        }
        let tip = format!("{name}: value under the cursor, as {} (U changes the unit) and as 0 … 1", unit.row().title);
        show_block(ui, laid_out, &tip);
    }
}

/// Two lines of coloured text.
fn block<const N: usize>(ui: &mut Ui, lines: &[[(&str, Color32); N]; 2], tip: &str) {
    let laid_out = laid_out(ui, lines);
    show_block(ui, laid_out, tip);
}

fn laid_out<const N: usize>(ui: &Ui, lines: &[[(&str, Color32); N]; 2]) -> Arc<Galley> {
    let mut job = LayoutJob::default();
    for (line, pieces) in lines.iter().enumerate() {
        for (index, &(text, color)) in pieces.iter().enumerate() {
            let format = TextFormat { color, font_id: FontId::monospace(LETTERS), ..Default::default() };
            let gap = if index > 0 { " " } else { "" };
            let end = if line == 0 && index + 1 == N { "\n" } else { "" };
            job.append(&format!("{gap}{text}{end}"), 0.0, format);
        }
    }
    ui.fonts_mut(|fonts| fonts.layout_job(job))
}

fn show_block(ui: &mut Ui, galley: Arc<Galley>, tip: &str) {
    let (rect, response) = ui.allocate_exact_size(galley.size(), Sense::hover());
    let text = galley.text().to_owned();
    ui.painter().galley(rect.min, galley, Palette::of_ui(ui).text);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &text));
    response.on_hover_text(tip);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reason_is_shortened_to_the_message_of_the_driver() {
        let why = "the device failed: OpenGL's texture of 9×9 is not shared with CUDA: unknown error";
        assert_eq!(in_short(why), "unknown error");
        assert_eq!(in_short("no"), "no");
        let long = "the device failed: operation not supported on this kind of device at all";
        assert_eq!(in_short(long), "operation not supported on this…");
    }
}
