//! The quality figure in the header of a panel: its PSNR against the truth, with all errors in a tooltip.

use egui::text::LayoutJob;
use egui::{FontId, Role, Sense, TextFormat, Ui, WidgetInfo};

use crate::app::inspect::quality::{PanelMetrics, PanelQuality, metrics_text, psnr_text};
use crate::app::session::Session;
use crate::app::widgets::theme::{HIT_SIZE, Palette, SPACE, text_size};
use crate::backend::{BackendError, NoTruth, RequestError};
use crate::measure::MeasureError;
use crate::text::capitalized;

/// A figure: a number and its unit, or a word.
struct Figure {
    number: String,
    unit: &'static str,
    /// Whether it is of an earlier view, which is shown faint.
    is_outdated: bool,
}

impl Figure {
    /// `None` for a panel that is the truth itself.
    fn of(quality: &PanelQuality) -> Option<Self> {
        let word = |word: &str| Some(Self { number: word.to_owned(), unit: "", is_outdated: false });
        let psnr = |measured: &PanelMetrics, is_outdated: bool| {
            Some(Self { number: psnr_text(measured.metrics.psnr_db), unit: "dB", is_outdated })
        };
        match quality {
            PanelQuality::IsTruth => None,
            PanelQuality::Pending => word("…"),
            PanelQuality::Measured(measured) => psnr(measured, false),
            PanelQuality::Outdated(measured) => psnr(measured, true),
            PanelQuality::Unknown(MeasureError::Backend(BackendError::Request(RequestError::Truth(_)))) => {
                word("no truth")
            }
            PanelQuality::Unknown(_) => word("–"),
        }
    }

    fn job(&self, palette: &Palette) -> LayoutJob {
        let mut job = LayoutJob::default();
        let mut add = |text: &str, before: f32, size: f32, colour| {
            job.append(text, before, TextFormat::simple(FontId::proportional(size), colour));
        };
        let is_number = !self.unit.is_empty();
        let (number, unit) = match (is_number, self.is_outdated) {
            (true, false) => (palette.text, palette.weak),
            (true, true) => (palette.faint, palette.faint),
            (false, _) => (palette.weak, palette.weak),
        };
        add(&self.number, 0.0, text_size::VALUE, number);
        if is_number {
            add(self.unit, SPACE, text_size::UNIT, unit);
        }
        job
    }
}

/// Width of the figure with its margin, in points; 0 for none.
pub(super) fn width(ui: &Ui, quality: Option<&PanelQuality>) -> f32 {
    let figure = quality.and_then(Figure::of);
    figure.map_or(0.0, |figure| ui.painter().layout_job(figure.job(&Palette::of_ui(ui))).size().x.ceil() + 2.0 * SPACE)
}

/// Draws the figure of panel `index`.
pub(super) fn show(ui: &mut Ui, (session, index): (&Session, usize), quality: &PanelQuality) {
    let Some(figure) = Figure::of(quality) else { return };
    let palette = Palette::of_ui(ui);
    let galley = ui.painter().layout_job(figure.job(&palette));
    let size = egui::vec2(galley.size().x.ceil() + SPACE, HIT_SIZE);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    let corner = egui::Align2::CENTER_CENTER.anchor_size(rect.center(), galley.size()).min;
    ui.painter().galley(corner, galley, palette.text);
    let Figure { number, unit, is_outdated } = figure;
    let name = format!("Quality of panel {}: {}", index + 1, format!("{number} {unit}").trim_end());
    let name = if is_outdated { format!("{name}, outdated") } else { name };
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &name));
    response.on_hover_text(match quality {
        PanelQuality::Measured(measured) => metrics_text(session, index, measured),
        PanelQuality::Outdated(measured) => {
            format!("Of the view before; the errors are being measured\n{}", metrics_text(session, index, measured))
        }
        PanelQuality::Unknown(why) if session.no_truth(index).is_some() => {
            format!("{}\nOpen a test picture, or decimate the image (File)", capitalized(&why.to_string()))
        }
        PanelQuality::Unknown(MeasureError::Backend(BackendError::Request(RequestError::Truth(
            NoTruth::BetweenSamples { factor },
        )))) => format!("The original has a value for each pixel at {factor}× only, not turned"),
        PanelQuality::Unknown(why) => capitalized(&why.to_string()),
        PanelQuality::Pending | PanelQuality::IsTruth => "The errors are being measured".to_owned(),
    });
}
