//! Section *Kernels*: the weight of a sample by its distance, in a small plot for every visible panel. A click opens the large plot.

use egui::{Align2, CursorIcon, FontId, Response, Role, Sense, Ui, WidgetInfo, vec2};

use super::kernel_cells;
use crate::app::commands::{Command, InspectCommand, Keymap};
use crate::app::inspect::Overlays;
use crate::app::inspect::inset::Insets;
use crate::app::inspect::kernel_curves::KernelCurves;
use crate::app::session::Session;
use crate::app::session::inspect::DrawerTool;
use crate::app::widgets::theme::{Palette, SPACE, text_size};
use crate::plots::{Chart, PlotKind};
use crate::text::short;

/// Least and greatest height of all plots, in points.
const HEIGHT: [f32; 2] = [96.0, 216.0];
/// Height of a window from which on the plots have their greatest height, in points. In a lower one they shrink by as much as it is lower.
const ENOUGH: f32 = 856.0;
/// Height of what a volume, an image of complex numbers, or several images add to the side bar, in points.
const ADDED: f32 = 132.0;

/// What the curves are of, and how many times as wide as without antialiasing the focused panel's is.
pub(super) fn facts(session: &Session, insets: &Insets) -> String {
    let is_of_inset = insets.scale_of(session.panels()[session.focused()].id()).is_some();
    match KernelCurves::widening(session, insets) {
        Some(widening) => format!("antialiased: {}× as wide", short(widening, 3)),
        None if is_of_inset => "of the insets".to_owned(),
        None => "weight by distance".to_owned(),
    }
}

/// Draws the plots. Appends the command of a click to `asked`.
pub(super) fn show(ui: &mut Ui, session: &mut Session, overlays: &mut Overlays, asked: &mut Vec<Command>) {
    let palette = Palette::of_ui(ui);
    let panels = overlays.kernels.update(session, &overlays.insets);
    let widening = KernelCurves::widening(session, &overlays.insets);
    let focused = session.focused();
    let has_more =
        session.volume_of(focused).is_some() || session.complex_of(focused).is_some() || session.images().len() > 1;
    let enough = if has_more { ENOUGH + ADDED } else { ENOUGH };
    let height = (HEIGHT[1] + ui.content_rect().height() - enough).clamp(HEIGHT[0], HEIGHT[1]).floor();
    // One row of plots is as high as a row of two.
    let is_one_row = kernel_cells::columns_and_rows(panels.len())[1] == 1;
    let height = if is_one_row { (0.5 * (height - SPACE)).floor().max(HEIGHT[0]) } else { height };
    let (place, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Kernels of the panels"));
    if panels.is_empty() {
        let font = FontId::proportional(text_size::UNIT);
        ui.painter().text(place.center(), Align2::CENTER_CENTER, "The truth has no kernel", font, palette.weak);
        return;
    }
    kernel_cells::show(ui, (session, &panels), (overlays.kernels.chart(), widening), (place, response), asked);
}

/// Opens the plot of the kernels by a click on `response`, whose tooltip has the lines of `tip`.
pub(super) fn open_plots(ui: &Ui, session: &mut Session, response: Response, tip: &str, asked: &mut Vec<Command>) {
    let plots = Command::Inspect(InspectCommand::Drawer(DrawerTool::Plots));
    let response = response.on_hover_cursor(CursorIcon::PointingHand);
    let is_clicked = response.clicked();
    response.on_hover_text_at_pointer(format!("{tip}\n{}", Keymap::in_force(ui).tooltip(plots)));
    if is_clicked {
        session.inspect.state.plot = PlotKind::Kernel;
        if session.inspect.state.drawer != Some(DrawerTool::Plots) {
            asked.push(plots);
        }
    }
}

/// The weights at the distance `d`, one panel a line, and the `widening` of the focused panel's kernel.
pub(super) fn text_at(session: &Session, (chart, widening): (&Chart, Option<f64>), panels: &[usize], d: f64) -> String {
    let mut text = format!("Weight of a sample at distance {}", short(d, 3).replace('-', "−"));
    for (entry, index) in panels.iter().enumerate() {
        let series = chart.series.iter().find(|series| series.entry == entry);
        // Beyond its kernel a sample has no weight.
        let weight = series.and_then(|series| Chart::value(&series.points, d)).unwrap_or(0.0);
        let weight = format!("{weight:.4}").replace('-', "−");
        text.push_str(&format!("\n{}: {weight}", session.panel_name(*index).numbered()));
    }
    if let Some(widening) = widening {
        text.push_str(&format!("\nAntialiasing makes kernels {}× as wide", short(widening, 3)));
    }
    text
}
