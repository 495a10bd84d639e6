//! Drawing of the block sweep: a map of kernels and block shapes, coloured by the time relative to the kernel's best shape,
//! and bars for one kernel.

use egui::{
    Align, Align2, Button, Color32, FontId, Layout, ProgressBar, Rect, RichText, Role, ScrollArea, Sense, Stroke,
    StrokeKind, Ui, WidgetInfo, pos2, vec2,
};
use egui_plot::{Bar, BarChart, Plot};

use super::block_sweep::{BlockSweepWindow, SweepState, kernels, lock};
use crate::app::bars::toolbar;
use crate::app::widgets::combo_box::combo_box;
use crate::app::widgets::menu_item::choose;
use crate::app::widgets::theme::{Palette, SPACE, text_size};
use crate::backend::{BackendKind, ColourMap, Kernel, Shape, Timing};
use crate::block_sweep::{BlockSweepReport, BlockSweepRow, Cell, time_text};

/// Width of the kernels' names, in points.
const NAMES: f32 = 138.0;
/// Size of a cell of the map, in points.
const CELL: [f32; 2] = [64.0, 18.0];
/// Width of the column of best shapes, in points.
const BEST: f32 = 92.0;
/// Height of the bars, in points.
const BARS: f32 = 130.0;
/// Time relative to the best time that has the darkest colour.
const DARKEST: f64 = 2.0;

impl BlockSweepWindow {
    /// Draws the window if it is open. Sweeps run on `backend`.
    pub(in crate::app) fn show(&mut self, ui: &Ui, backend: BackendKind) {
        if !self.is_open {
            return;
        }
        let corner = ui.content_rect().left_top() + vec2(6.0 * SPACE, toolbar::HEIGHT + 4.0 * SPACE);
        egui::Window::new("Block sweep")
            .id(egui::Id::unique("block sweep"))
            .title_bar(false)
            .resizable(false)
            .default_pos(corner)
            .show(ui, |ui| self.contents(ui, backend));
    }

    fn contents(&mut self, ui: &mut Ui, backend: BackendKind) {
        let width = NAMES + 8.0 * CELL[0] + BEST;
        ui.set_width(width.min(ui.content_rect().width() - 20.0 * SPACE));
        ui.horizontal(|ui| {
            ui.heading("Block sweep");
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let button =
                    ui.add(Button::new("×").frame_when_inactive(false)).on_hover_text("Closes the block sweep  (Esc)");
                button.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Close the block sweep"));
                if button.clicked() {
                    self.close();
                }
            });
        });
        ui.add_space(SPACE);
        let state = std::sync::Arc::clone(&self.state);
        let state = lock(&state);
        let rows = state.report.as_ref().map(|report| report.rows.len());
        if std::mem::replace(&mut self.drawn_rows, rows) != rows {
            // A window has its new size in the next frame.
            ui.request_repaint();
        }
        let palette = Palette::of_ui(ui);
        ui.horizontal(|ui| {
            self.start_or_cancel(ui, &state, backend);
            ui.add_enabled_ui(!state.is_running, |ui| self.choice(ui, backend));
            if let Some(progress) = state.progress.filter(|_| state.is_running) {
                let share = progress.done as f32 / progress.of.max(1) as f32;
                let text = format!("{} of {}", progress.done, progress.of);
                ui.add(ProgressBar::new(share).desired_width(180.0).text(text));
            } else if let Some(report) = &state.report
                && ui.button("Copy table").on_hover_text("Copies the table as text").clicked()
            {
                ui.copy_text(report.to_table());
            }
        });
        if let Some(end) = &state.end {
            ui.label(RichText::new(end.to_string()).color(palette.error));
        }
        let Some(report) = &state.report else {
            ui.add_space(2.0 * SPACE);
            let hint = match backend {
                _ if state.is_running => "Preparing…",
                BackendKind::Cpu | BackendKind::Reference => {
                    "Times every kernel in bands of 1 to 128 rows. Without a GPU, shapes are heights of CPU tiles."
                }
                BackendKind::Cuda => "Times every kernel in eight block shapes, by GPU timers.",
            };
            ui.label(RichText::new(hint).color(palette.weak));
            return;
        };
        // The window grows to the height of its contents, up to the height of the viewport.
        let max_height = ui.content_rect().height() - toolbar::HEIGHT - 36.0 * SPACE;
        let scroll =
            ScrollArea::both().auto_shrink([false, true]).max_height(max_height).min_scrolled_height(max_height);
        scroll.show(ui, |ui| {
            facts(ui, report);
            self.map(ui, report);
            ui.add_space(2.0 * SPACE);
            self.bars(ui, report);
        });
    }

    fn start_or_cancel(&mut self, ui: &mut Ui, state: &SweepState, backend: BackendKind) {
        if state.is_running {
            if ui.button("Cancel").on_hover_text("Cancels the sweep; results so far are kept").clicked() {
                self.stop.cancel();
            }
        } else if ui.button("Run").on_hover_text("Times every kernel in every shape").clicked() {
            self.start(ui, backend);
        }
    }

    fn choice(&mut self, ui: &mut Ui, backend: BackendKind) {
        let title = self.kernel.map_or_else(|| "All kernels".to_owned(), |kernel| kernel.to_string());
        let shown = combo_box("kernel").selected_text(&title).width(180.0).height(360.0).show_ui(ui, |ui| {
            choose(ui, &mut self.kernel, None, "All kernels");
            for kernel in kernels(backend) {
                choose(ui, &mut self.kernel, Some(kernel), kernel.to_string());
            }
        });
        shown.response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, format!("Kernels to run: {title}")));
    }

    /// Draws the map.
    fn map(&mut self, ui: &mut Ui, report: &BlockSweepReport) {
        let palette = Palette::of_ui(ui);
        let font = FontId::proportional(text_size::UNIT);
        let width = NAMES + report.shapes.len() as f32 * CELL[0] + BEST;
        let (head, _) = ui.allocate_exact_size(vec2(width, CELL[1]), Sense::hover());
        for (column, shape) in report.shapes.iter().enumerate() {
            let at = cell_rect(head, column).center();
            ui.painter().text(at, Align2::CENTER_CENTER, shape.to_string(), font.clone(), palette.weak);
        }
        let best = pos2(head.right() - BEST + 2.0 * SPACE, head.center().y);
        ui.painter().text(best, Align2::LEFT_CENTER, "best", font.clone(), palette.weak);
        ui.spacing_mut().item_spacing.y = 0.0;
        let chosen = self.chosen_row(report);
        for (index, row) in report.rows.iter().enumerate() {
            let (rect, response) = ui.allocate_exact_size(vec2(width, CELL[1]), Sense::click());
            let best = row.best(&report.shapes);
            response.widget_info(|| WidgetInfo::labeled(Role::Button, true, row_text(row, best)));
            let is_chosen = chosen == Some(index);
            if response.hovered() || is_chosen {
                let fill = if is_chosen { palette.active } else { palette.hovered };
                ui.painter().rect_filled(rect, 2.0, fill);
            }
            let at = rect.left_center() + vec2(SPACE, 0.0);
            let name = ui.painter().with_clip_rect(rect.with_max_x(rect.left() + NAMES));
            name.text(at, Align2::LEFT_CENTER, row.kernel.to_string(), font.clone(), palette.text);
            for (column, cell) in row.cells.iter().enumerate() {
                let is_best = best.is_some_and(|(shape, _)| report.shapes.get(column) == Some(&shape));
                paint_cell(ui, cell_rect(rect, column), cell, best.map(|(_, timing)| timing), is_best);
            }
            if let Some((shape, timing)) = best {
                let own = if row.fixed.is_some() { format!(" {}", time_text(timing.median_us)) } else { String::new() };
                let at = pos2(rect.right() - BEST + 2.0 * SPACE, rect.center().y);
                ui.painter().text(at, Align2::LEFT_CENTER, format!("{shape}{own}"), font.clone(), palette.text);
            }
            if response.clicked() {
                self.chosen = Some(index);
            }
            let pointer = response.hover_pos();
            let under =
                pointer.and_then(|pos| (0..row.cells.len()).find(|column| cell_rect(rect, *column).contains(pos)));
            if let Some(column) = under {
                response.on_hover_text_at_pointer(cell_tooltip(row, report.shapes[column], &row.cells[column], best));
            }
        }
        legend(ui);
    }

    /// The row whose bars are shown.
    fn chosen_row(&self, report: &BlockSweepReport) -> Option<usize> {
        let slowest = || {
            let slowest = report.slowest()?.0.kernel;
            report.rows.iter().position(|row| row.kernel == slowest)
        };
        self.chosen.filter(|row| *row < report.rows.len()).or_else(slowest)
    }

    /// Draws the bars of one kernel, one per shape.
    fn bars(&self, ui: &mut Ui, report: &BlockSweepReport) {
        let Some(row) = self.chosen_row(report).and_then(|index| report.rows.get(index)) else {
            return;
        };
        let palette = Palette::of_ui(ui);
        let best = row.best(&report.shapes);
        let title = format!("{}: µs in each shape", row.kernel);
        ui.label(RichText::new(title).size(text_size::VALUE).color(palette.text));
        if let Some((shape, timing)) = best {
            let text = format!("Best in {shape}: {}", timing.bound());
            ui.label(RichText::new(text).size(text_size::VALUE).color(palette.weak));
        }
        let bars: Vec<Bar> = row
            .cells
            .iter()
            .enumerate()
            .filter_map(|(column, cell)| match cell {
                Cell::Timed(timing) => {
                    let colour = colour(best.map_or(1.0, |(_, best)| timing.median_us / best.median_us));
                    Some(Bar::new(column as f64, timing.median_us).width(0.7).fill(colour).stroke(Stroke::NONE))
                }
                Cell::Fixed | Cell::Refused(_) => None,
            })
            .collect();
        let shapes: Vec<String> = report.shapes.iter().map(Shape::to_string).collect();
        let count = shapes.len() as f64;
        let texts = shapes.clone();
        Plot::new("bars")
            .height(BARS)
            .width(NAMES + count as f32 * CELL[0])
            .allow_drag(false)
            .allow_zoom(false)
            .allow_scroll(false)
            .allow_boxed_zoom(false)
            .allow_double_click_reset(false)
            .show_crosshair(false)
            .show_grid([false, true])
            // Aligns the bars with the map's columns.
            .set_margin_fraction(vec2(0.0, 0.05))
            .include_x(-0.5)
            .include_x(count - 0.5)
            .include_y(0.0)
            .y_axis_min_width(NAMES)
            .x_grid_spacer(move |_| {
                let mark = |column: usize| egui_plot::GridMark { value: column as f64, step_size: 1.0 };
                (0..shapes.len()).map(mark).collect()
            })
            .x_axis_formatter(move |mark, _| texts.get(mark.value.round() as usize).cloned().unwrap_or_default())
            .label_formatter(|_| None)
            .show(ui, |plot| plot.bar_chart(BarChart::new(row.kernel.to_string(), bars).allow_hover(false)));
    }
}

/// Draws the backend, the kind of shapes and the verdict.
fn facts(ui: &mut Ui, report: &BlockSweepReport) {
    let palette = Palette::of_ui(ui);
    ui.add_space(SPACE);
    let size = report.options.size;
    let text = format!("{}, {size} pixels, median of {}, µs", report.description, report.options.repeats);
    ui.label(RichText::new(text).size(text_size::VALUE).color(palette.weak));
    ui.label(RichText::new(report.shape_title()).size(text_size::VALUE).color(palette.text));
    if let Some(verdict) = report.verdict() {
        ui.label(RichText::new(verdict).color(palette.text));
    }
    ui.add_space(SPACE);
}

/// Draws the colour scale.
fn legend(ui: &mut Ui) {
    let palette = Palette::of_ui(ui);
    ui.add_space(SPACE);
    ui.horizontal(|ui| {
        ui.add_space(NAMES);
        ui.label(RichText::new("the kernel's best").size(text_size::UNIT).color(palette.weak));
        let (rect, _) = ui.allocate_exact_size(vec2(120.0, 10.0), Sense::hover());
        for step in 0..120 {
            let ratio = DARKEST.powf(f64::from(step) / 119.0);
            let left = rect.left() + step as f32;
            let part = Rect::from_min_max(pos2(left, rect.top()), pos2(left + 1.0, rect.bottom()));
            ui.painter().rect_filled(part, 0.0, colour(ratio));
        }
        ui.label(RichText::new(format!("{DARKEST}× as long or more")).size(text_size::UNIT).color(palette.weak));
    });
}

fn cell_rect(row: Rect, column: usize) -> Rect {
    let left = row.left() + NAMES + column as f32 * CELL[0];
    Rect::from_min_size(pos2(left, row.top()), vec2(CELL[0], CELL[1])).shrink(0.5)
}

/// Colour of a time relative to the best time: bright is fast.
fn colour(ratio: f64) -> Color32 {
    let share = 1.0 - (ratio.log2() / DARKEST.log2()).clamp(0.0, 1.0);
    let [red, green, blue] = ColourMap::Cividis.colour(share as f32).map(|value| (value * 255.0).round() as u8);
    Color32::from_rgb(red, green, blue)
}

/// Black or white, with the higher contrast to `ground`.
fn ink(ground: Color32) -> Color32 {
    let [red, green, blue] = [ground.r(), ground.g(), ground.b()].map(f32::from);
    let light = 0.299 * red + 0.587 * green + 0.114 * blue;
    if light > 118.0 { Color32::BLACK } else { Color32::WHITE }
}

fn paint_cell(ui: &Ui, rect: Rect, cell: &Cell, best: Option<Timing>, is_best: bool) {
    let palette = Palette::of_ui(ui);
    let font = FontId::monospace(text_size::UNIT);
    let painter = ui.painter();
    match cell {
        Cell::Timed(timing) => {
            let ground = colour(best.map_or(1.0, |best| timing.median_us / best.median_us));
            painter.rect_filled(rect, 0.0, ground);
            painter.text(rect.center(), Align2::CENTER_CENTER, time_text(timing.median_us), font, ink(ground));
            if is_best {
                painter.rect_stroke(rect.shrink(0.5), 0.0, Stroke::new(1.5, ink(ground)), StrokeKind::Inside);
            }
        }
        Cell::Fixed | Cell::Refused(_) => {
            let text = if *cell == Cell::Fixed { "fixed" } else { "–" };
            painter.rect_filled(rect, 0.0, palette.control);
            painter.text(rect.center(), Align2::CENTER_CENTER, text, font, palette.weak);
        }
    }
}

fn cell_tooltip(row: &BlockSweepRow, shape: Shape, cell: &Cell, best: Option<(Shape, Timing)>) -> String {
    let kernel: &Kernel = &row.kernel;
    match cell {
        Cell::Timed(timing) => {
            let ratio = best.map_or(1.0, |(_, best)| timing.median_us / best.median_us);
            let occupancy = timing.occupancy.map(|share| format!("\noccupancy {:.0} %", 100.0 * share));
            let occupancy = occupancy.unwrap_or_default();
            let bound = timing.bound();
            format!("{kernel} in {shape}: {:.2} µs, {ratio:.2} times its best{occupancy}\n{bound}", timing.median_us)
        }
        Cell::Fixed => format!("{kernel} is compiled for one other shape only, not for {shape}"),
        Cell::Refused(why) => format!("{kernel} in {shape}: {why}"),
    }
}

/// Text of a row for assistive technology.
fn row_text(row: &BlockSweepRow, best: Option<(Shape, Timing)>) -> String {
    match best {
        Some((shape, timing)) => format!("{}: best in {shape}, {} µs", row.kernel, time_text(timing.median_us)),
        None => format!("{}: no time", row.kernel),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ink_has_enough_contrast_to_every_colour() {
        let linear = |value: u8| (f32::from(value) / 255.0).powf(2.2);
        let luminance = |c: Color32| 0.2126 * linear(c.r()) + 0.7152 * linear(c.g()) + 0.0722 * linear(c.b());
        for step in 0..=100 {
            let ground = colour(DARKEST.powf(f64::from(step) / 100.0));
            let (a, b) = (luminance(ground), luminance(ink(ground)));
            let contrast = (a.max(b) + 0.05) / (a.min(b) + 0.05);
            assert!(contrast >= 4.5, "{ground:?}: {contrast}");
        }
    }
}
