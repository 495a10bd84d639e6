//! Plots of every visible panel's method: kernels, weights, responses and fractions.

mod marks;
mod worker;

use std::sync::Arc;

use egui::{Context, Ui, UiBuilder};

use self::marks::MarkSource;
use self::worker::{MadeCurves, PlotJob, PlotWorker};
use super::chart_legend::{self, LegendInput, Note};
use super::chart_view::{ChartInput, ChartMark, ChartView, EntryStyle};
use super::tool::{Tool, ToolInput, tab, teach};
use crate::app::commands::Command;
use crate::app::session::{PanelName, Session};
use crate::app::widgets::theme::{Palette, SPACE};
use crate::backend::{BackendKind, Content};
use crate::plots::{Chart, FilterChain, PLOT_KINDS, Plot, PlotCurve, PlotKind, Reconstruction};

/// Width of the drawer from which on there is a legend, in points.
const LEAST_WITH_LEGEND: f32 = 480.0;

/// The curves and how they were drawn last.
#[derive(Debug)]
pub(super) struct PlotTool {
    worker: PlotWorker,
    marks: MarkSource,
    view: ChartView,
}

/// A panel whose filter is plotted.
struct Plotted {
    name: PanelName,
    job: PlotJob,
}

impl Default for PlotTool {
    fn default() -> Self {
        Self { worker: PlotWorker::new(), marks: MarkSource::default(), view: ChartView::default() }
    }
}

impl Tool for PlotTool {
    fn tabs(&mut self, ui: &mut Ui, input: &mut ToolInput<'_>) {
        let plot = &mut input.session.inspect.state.plot;
        for row in &PLOT_KINDS {
            let response = tab(ui, row.tab, &format!("{} plot", row.tab), *plot == row.kind);
            let is_clicked = response.clicked();
            teach(response, row.title, row.help);
            if is_clicked {
                *plot = row.kind;
            }
        }
    }

    fn needs_image(&self) -> bool {
        false
    }

    fn contents(&mut self, ui: &mut Ui, input: &mut ToolInput<'_>) -> Vec<Command> {
        let session = &*input.session;
        let kind = session.inspect.state.plot;
        let plotted = plotted(session, input.backend);
        let jobs: Vec<PlotJob> = plotted.iter().map(|plotted| plotted.job.clone()).collect();
        let made = self.worker.results(ui.ctx(), &jobs);
        let mut chart = assembled(kind, &jobs, &made).chart();
        if session.is_of_lesson() && kind == PlotKind::Response {
            chart.narrow_to_lesson();
        }
        let places = self.marks.marks(session, kind);
        let palette = Palette::of_ui(ui);
        let style = |Plotted { name, .. }: Plotted| EntryStyle {
            label: name.numbered(),
            style: palette.panel(name.index),
            is_panel: true,
        };
        let entries: Vec<EntryStyle> = plotted.into_iter().map(style).collect();
        let area = ui.available_rect_before_wrap();
        let has_legend = area.width() >= LEAST_WITH_LEGEND;
        let notes = notes(kind, &made, places.is_some());
        let legend = if has_legend { chart_legend::width(ui, &chart, &entries, &notes) } else { 0.0 };
        let mut place = ui.new_child(UiBuilder::new().max_rect(area.with_max_x(area.right() - legend)));
        let mark = |(at, name, is_second)| ChartMark { name, at, is_second };
        let marks = places.map(|[x, y]| [(x, "At the pointer, x", false), (y, "At the pointer, y", true)].map(mark));
        let marks = marks.as_ref().map_or(&[][..], |marks| &marks[..]);
        let summary = summary(kind, &chart);
        let drawn =
            ChartInput { chart: &chart, entries: &entries, marks, summary: &summary, can_move: true, names_y: true };
        let pointed = self.view.show(&mut place, drawn).pointed.map(|[x, _]| x);
        if has_legend {
            let place = area.with_min_x(area.right() - legend + 2.0 * SPACE);
            let mut ui = ui.new_child(UiBuilder::new().max_rect(place));
            chart_legend::show(
                &mut ui,
                &LegendInput { chart: &chart, entries: &entries, pointed, marks: places, notes: &notes },
            );
        }
        ui.allocate_rect(area, egui::Sense::hover());
        Vec::new()
    }

    fn file_stem(&self, session: &Session) -> String {
        session.inspect.state.plot.to_string()
    }

    fn chart(&mut self, ctx: &Context, session: &Session, backend: BackendKind) -> Result<Chart, String> {
        let plotted = plotted(session, backend);
        let jobs: Vec<PlotJob> = plotted.iter().map(|plotted| plotted.job.clone()).collect();
        let made = self.worker.results(ctx, &jobs);
        if made.iter().any(Option::is_none) {
            return Err("The curves are still being computed".to_owned());
        }
        Ok(assembled(session.inspect.state.plot, &jobs, &made).chart())
    }

    fn is_idle(&self) -> bool {
        self.worker.is_idle()
    }

    fn rest(&mut self) {
        self.worker.rest();
        self.view.reset();
    }
}

/// The visible panels with the jobs of their curves. A panel that shows the truth has no kernel.
fn plotted(session: &Session, backend: BackendKind) -> Vec<Plotted> {
    let kind = session.inspect.state.plot;
    let of_panel = |index: usize| {
        let request = session.request(index);
        // The kernel along x of the image.
        let filter = Reconstruction::new(&request.sampler, request.view.scale());
        let measured_by = kind.row().is_measured.then_some(backend);
        let chain = (kind == PlotKind::Filters).then(|| FilterChain::of(&request));
        Plotted { name: session.panel_name(index), job: PlotJob { kind, filter, chain, measured_by } }
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

/// `Kernel: 4 curves, 0 measured`.
fn summary(kind: PlotKind, chart: &Chart) -> String {
    let measured = chart.series.iter().filter(|series| series.source == "measured").count();
    format!("{}: {} curves, {measured} measured", kind.row().title, chart.series.len() - measured)
}

/// What is missing, where the dots come from, what the pointer over a picture shows.
fn notes(kind: PlotKind, made: &[Option<Arc<MadeCurves>>], has_marks: bool) -> Vec<Note> {
    let mut notes = Vec::new();
    if made.iter().any(Option::is_none) {
        notes.push(Note::Weak("Computing…".to_owned()));
    }
    if let Some(failure) = made.iter().flatten().find_map(|made| made.failure.as_ref()) {
        notes.push(Note::Error(format!("Not measured: {failure}")));
    } else if made.iter().flatten().any(|made| made.curves.iter().any(|curve| curve.is_measured)) {
        notes.push(Note::Weak("Dots: measured, by an impulse through the backend".to_owned()));
    }
    if matches!(kind, PlotKind::Response | PlotKind::ResponseDb) && !has_marks {
        notes.push(Note::Weak("Point at a picture for the frequency there".to_owned()));
    }
    notes
}
