//! The drawer of plots under the panels: kernels, weights, responses and fractions of every visible panel.

use std::sync::Arc;

use egui::{Align, Button, Color32, Frame, Layout, Margin, Panel, RichText, Role, Stroke, Ui, WidgetInfo, vec2};
use egui_plot::{Axis, GridInput, GridMark, Line, LineStyle, PlotPoint, PlotPoints, Points, Span, Text, VLine};

use super::plot_legend::{self, LegendInput};
use super::plot_marks::{MarkSource, Marks};
use super::plot_worker::{MadeCurves, PlotJob, PlotWorker};
use crate::app::commands::{Command, InspectCommand, Keymap};
use crate::app::files::DrawerHeight;
use crate::app::inspect::chart::width;
use crate::app::session::{PanelName, Session};
use crate::app::widgets::number::short;
use crate::app::widgets::symbol::{Symbol, SymbolButton};
use crate::app::widgets::theme::{CONTROL_HEIGHT, Palette, SPACE, text_size};
use crate::backend::{BackendKind, Content};
use crate::plots::{Guide, PLOT_KINDS, Plot, PlotCurve, PlotKind, Reconstruction};

/// Width of the legend, in points.
const LEGEND: f32 = 256.0;
/// Width of the drawer from which on there is a legend, in points.
const LEAST_WITH_LEGEND: f32 = 480.0;
/// Largest height of the drawer, as a part of the window's.
const MOST_SHARE: f32 = 0.6;
/// Least distance of the lines of the grid, in steps of the plot's own grid, which are 8 points.
const X_STEP: f64 = 8.0;
const Y_STEP: f64 = 3.0;
/// Distance of two points below which they are the two sides of a jump, in units of x.
const JUMP: f64 = 1e-7;
/// Radius of a measured dot, in points.
const DOT_RADIUS: f32 = 1.9;

/// The drawer's curves and what it drew last.
#[derive(Debug)]
pub(in crate::app) struct PlotDrawer {
    worker: PlotWorker,
    marks: MarkSource,
    /// Kind and ranges of the last frame. A plot of others begins without zoom and pan.
    drawn: Option<(PlotKind, [f64; 2], [f64; 2])>,
}

/// What the drawer draws and changes.
pub(in crate::app) struct DrawerContext<'a> {
    /// The session, with the kind of the plot.
    pub(in crate::app) session: &'a mut Session,
    /// Its height in the settings.
    pub(in crate::app) height: &'a mut DrawerHeight,
    /// The backend in use.
    pub(in crate::app) backend: BackendKind,
    /// Draws what the window adds to a region of it, before the contents.
    pub(in crate::app) enter: &'a mut dyn FnMut(&mut Ui),
}

/// A panel whose filter is plotted.
struct Plotted {
    name: PanelName,
    job: PlotJob,
}

impl Default for PlotDrawer {
    fn default() -> Self {
        Self { worker: PlotWorker::new(), marks: MarkSource::default(), drawn: None }
    }
}

impl PlotDrawer {
    /// Whether every curve that the drawer wants is made.
    pub(in crate::app) fn is_idle(&self) -> bool {
        self.worker.is_idle()
    }

    /// Drops the work of a drawer that is closed.
    pub(in crate::app) fn rest(&mut self) {
        self.worker.rest();
        self.drawn = None;
    }

    /// The plot as the drawer shows it. Blocks until its curves are made.
    pub(in crate::app) fn plot(&mut self, ctx: &egui::Context, session: &Session, backend: BackendKind) -> Plot {
        let plotted = plotted(session, backend);
        let jobs: Vec<PlotJob> = plotted.iter().map(|plotted| plotted.job).collect();
        let made: Vec<_> = self.worker.wait(ctx, &jobs).into_iter().map(Some).collect();
        assembled(session.inspect.state.plot, &jobs, &made)
    }

    /// Draws the drawer under the panels. Returns the commands of its buttons.
    pub(in crate::app) fn show(&mut self, ui: &mut Ui, context: DrawerContext<'_>) -> Vec<Command> {
        let DrawerContext { session, height, backend, enter } = context;
        let palette = Palette::of_ui(ui);
        let (least, most) = DrawerHeight::RANGE;
        let most = most.min(MOST_SHARE * ui.content_rect().height()).max(least);
        let shown = Panel::bottom("plots")
            .default_size(height.points())
            .size_range(least..=most)
            .resizable(true)
            .show_separator_line(true)
            .frame(Frame::new().fill(palette.surface).inner_margin(Margin { left: 8, right: 8, top: 4, bottom: 4 }))
            .show(ui, |ui| {
                enter(ui);
                let asked = header(ui, session);
                self.contents(ui, session, backend);
                asked
            });
        // The file is written once, at the end of a drag.
        if !ui.input(|input| input.pointer.any_down()) {
            height.set(shown.response.rect.height());
        }
        shown.inner
    }

    /// Draws the plot and its legend.
    fn contents(&mut self, ui: &mut Ui, session: &Session, backend: BackendKind) {
        let kind = session.inspect.state.plot;
        let plotted = plotted(session, backend);
        let jobs: Vec<PlotJob> = plotted.iter().map(|plotted| plotted.job).collect();
        let made = self.worker.results(ui.ctx(), &jobs);
        let plot = assembled(kind, &jobs, &made);
        let marks = self.marks.marks(session, kind);
        let names: Vec<PanelName> = plotted.into_iter().map(|plotted| plotted.name).collect();
        let area = ui.available_rect_before_wrap();
        let has_legend = area.width() >= LEAST_WITH_LEGEND;
        let legend = if has_legend { LEGEND } else { 0.0 };
        let mut chart = ui.new_child(egui::UiBuilder::new().max_rect(area.with_max_x(area.right() - legend)));
        let pointed = self.chart(&mut chart, &plot, &names, marks);
        if has_legend {
            let failure = made.iter().flatten().find_map(|made| made.failure.clone());
            let is_pending = made.iter().any(Option::is_none);
            let place = area.with_min_x(area.right() - legend + 2.0 * SPACE);
            let mut ui = ui.new_child(egui::UiBuilder::new().max_rect(place));
            let input =
                LegendInput { plot: &plot, names: &names, pointed, marks, failure: failure.as_deref(), is_pending };
            plot_legend::show(&mut ui, &input);
        }
        ui.allocate_rect(area, egui::Sense::hover());
    }

    /// Draws the axes and the curves. Returns where the pointer is on the horizontal axis.
    fn chart(&mut self, ui: &mut Ui, plot: &Plot, names: &[PanelName], marks: Option<Marks>) -> Option<f64> {
        let (palette, row) = (Palette::of_ui(ui), plot.kind.row());
        let font = egui::FontId::proportional(text_size::UNIT);
        ui.style_mut().text_styles.insert(egui::TextStyle::Body, font);
        ui.visuals_mut().override_text_color = Some(palette.weak);
        let mut chart = egui_plot::Plot::new(("plot of the drawer", row.name))
            .set_margin_fraction(vec2(0.0, 0.0))
            .default_x_bounds(plot.x[0], plot.x[1])
            .default_y_bounds(plot.y[0], plot.y[1])
            .allow_boxed_zoom(false)
            .show_y(false)
            .grid_color(palette.weak.gamma_multiply(0.45))
            .cursor_color(palette.weak)
            .x_axis_label(row.x.label)
            .x_axis_formatter(|mark, _| short(mark.value, 5).replace('-', "−"))
            .y_axis_formatter(|mark, _| short(mark.value, 5).replace('-', "−"))
            .x_grid_spacer(|input| grid(&input, X_STEP))
            .y_grid_spacer(|input| grid(&input, Y_STEP))
            .label_formatter(|_| None);
        let ranges = (plot.kind, plot.x, plot.y);
        if self.drawn.replace(ranges) != Some(ranges) {
            chart = chart.reset();
        }
        let shown = chart.show(ui, |chart| {
            guides(chart, plot.kind, &palette, plot.y[1]);
            for (axis, at) in marks.into_iter().flatten().enumerate() {
                let (colour, style) = match axis {
                    0 => (palette.accent, LineStyle::Solid),
                    _ => (palette.accent.gamma_multiply(0.7), LineStyle::dashed_loose()),
                };
                let line = VLine::new(["At the pointer, x", "At the pointer, y"][axis], at);
                chart.vline(line.color(colour).style(style).width(1.5).allow_hover(false));
            }
            for curve in &plot.curves {
                let Some(name) = names.get(curve.filter) else { continue };
                draw_curve(chart, curve, name, &palette);
            }
            chart.response().hovered().then(|| chart.pointer_coordinate()).flatten().map(|point| point.x)
        });
        let of = |is_measured: bool| plot.curves.iter().filter(|curve| curve.is_measured == is_measured).count();
        let summary = format!("{}: {} curves, {} measured", row.title, of(false), of(true));
        shown.response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &summary));
        shown.inner
    }
}

/// The visible panels with the jobs of their curves. A panel that shows the truth has no kernel.
fn plotted(session: &Session, backend: BackendKind) -> Vec<Plotted> {
    let kind = session.inspect.state.plot;
    let of_panel = |index: usize| {
        let request = session.request(index);
        let filter = Reconstruction::new(&request.sampler, request.view.scale());
        let measured_by = kind.row().is_measured.then_some(backend);
        Plotted { name: session.panel_name(index), job: PlotJob { kind, filter, measured_by } }
    };
    let interpolates = |index: &usize| session.panels()[*index].content == Content::Interpolation;
    session.visible().into_iter().filter(interpolates).map(of_panel).collect()
}

/// The plot of the curves that are made.
fn assembled(kind: PlotKind, jobs: &[PlotJob], made: &[Option<Arc<MadeCurves>>]) -> Plot {
    let of_filter = |(filter, made): (usize, &Option<Arc<MadeCurves>>)| {
        let curves = made.as_ref().map(|made| made.curves.clone()).unwrap_or_default();
        curves.into_iter().map(move |curve| PlotCurve { filter, ..curve })
    };
    let filters = jobs.iter().map(|job| job.filter).collect();
    Plot::of_curves(kind, filters, made.iter().enumerate().flat_map(of_filter).collect())
}

/// Draws the tabs and the buttons. Returns the commands of the buttons.
fn header(ui: &mut Ui, session: &mut Session) -> Vec<Command> {
    let (palette, keys) = (Palette::of_ui(ui), Keymap::in_force(ui));
    let mut asked = Vec::new();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = SPACE;
        for row in &PLOT_KINDS {
            let is_open = session.inspect.state.plot == row.kind;
            let (fill, text) =
                if is_open { (palette.control, palette.text) } else { (Color32::TRANSPARENT, palette.weak) };
            let button = Button::new(RichText::new(row.tab).color(text)).fill(fill).stroke(Stroke::NONE);
            let response = ui.add(button.min_size(vec2(0.0, CONTROL_HEIGHT)));
            let name = format!("{} plot", row.tab);
            response.widget_info(|| WidgetInfo::selected(Role::Tab, true, is_open, &name));
            let is_clicked = response.clicked();
            response.on_hover_ui(|ui| {
                ui.set_max_width(320.0);
                ui.label(RichText::new(row.title).strong());
                ui.label(row.help);
            });
            if is_clicked {
                session.inspect.state.plot = row.kind;
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let close = Command::Inspect(InspectCommand::Plots);
            let tip = keys.tooltip(close);
            let button = SymbolButton { symbol: Symbol::Close, name: "Close the plots", tip: &tip };
            if button.show(ui, false).clicked() {
                asked.push(close);
            }
            let save = ui.add(Button::new("Save plot…").min_size(vec2(0.0, CONTROL_HEIGHT)));
            if save.on_hover_text(keys.tooltip(Command::SavePlot)).clicked() {
                asked.push(Command::SavePlot);
            }
        });
    });
    asked
}

/// Lines and bands to read the curves by, with their names at the upper edge.
fn guides(chart: &mut egui_plot::PlotUi<'_>, kind: PlotKind, palette: &Palette, top: f64) {
    for guide in kind.row().guides {
        match *guide {
            Guide::Line { x, label } => {
                let line = VLine::new(label, x).color(palette.weak).style(LineStyle::dashed_dense()).width(1.0);
                chart.vline(line.allow_hover(false));
                let text = RichText::new(format!(" {label}")).size(text_size::UNIT).color(palette.weak);
                let text = Text::new(label, PlotPoint::new(x, top), text).anchor(egui::Align2::LEFT_TOP);
                chart.text(text.allow_hover(false));
            }
            Guide::Band { y: [from, to], label } => {
                let fill = palette.accent.gamma_multiply(0.10);
                chart.span(Span::new("", from..=to).axis(Axis::Y).fill(fill));
                let bounds = chart.plot_bounds();
                let text = RichText::new(format!(" {label}")).size(text_size::UNIT).color(palette.weak);
                let at = PlotPoint::new(bounds.min()[0], to);
                chart.text(Text::new(label, at, text).anchor(egui::Align2::LEFT_TOP).allow_hover(false));
            }
        }
    }
}

fn draw_curve(chart: &mut egui_plot::PlotUi<'_>, curve: &PlotCurve, name: &PanelName, palette: &Palette) {
    let style = palette.panel(name.index);
    if curve.is_measured {
        let points = PlotPoints::from(curve.points.clone());
        chart.points(Points::new(name.numbered(), points).radius(DOT_RADIUS).color(style.color).allow_hover(false));
        return;
    }
    let mut line = |points: &[[f64; 2]]| {
        let line = Line::new(name.numbered(), PlotPoints::from(points.to_vec()));
        chart.line(line.color(style.color).width(width(style.line)).style(style.line).allow_hover(false));
    };
    // A jump is a line of its own: joints of two points at one place are drawn wrong.
    let parts: Vec<&[[f64; 2]]> = curve.points.chunk_by(|a, b| b[0] - a[0] > JUMP).collect();
    for pair in parts.windows(2) {
        if let ([.., before], [after, ..]) = (pair[0], pair[1]) {
            line(&[*before, *after]);
        }
    }
    parts.into_iter().for_each(line);
}

/// Lines of the grid at multiples of 1, 2 or 5 times a power of ten, at least `step` of the grid's own steps apart.
fn grid(input: &GridInput, step: f64) -> Vec<GridMark> {
    let least = input.base_step_size * step;
    let power = 10.0_f64.powf(least.log10().floor());
    let step_size = [1.0, 2.0, 5.0, 10.0].map(|times| times * power).into_iter().find(|step| *step >= least);
    let step_size = step_size.unwrap_or(least);
    let (first, last) = ((input.bounds.0 / step_size).ceil() as i64, (input.bounds.1 / step_size).floor() as i64);
    (first..=last).map(|index| GridMark { value: index as f64 * step_size, step_size }).collect()
}
