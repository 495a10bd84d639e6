//! *Quality against cost*: the errors of panels, or of all methods, against the truth, beside the time of a render.

mod bars;
mod dot_names;

use std::sync::{Arc, Mutex, PoisonError};

use egui::{Context, Pos2, Ui, UiBuilder};

use self::bars::{Bar, Bars};
use super::chart_view::{ChartInput, ChartView, EntryStyle};
use super::task_view::{self, TaskTexts, message};
use super::tool::{Tool, ToolInput, tab, teach};
use crate::app::commands::Command;
use crate::app::commands::notice::CommandNotice;
use crate::app::inspect::quality::psnr_text;
use crate::app::render::task::{Task, TaskState, Work};
use crate::app::session::inspect::{QUALITY_SETS, QualitySet};
use crate::app::session::{PanelId, Session, SetMethod as _};
use crate::app::widgets::theme::{Palette, PanelStyle, SPACE};
use crate::backend::{Backend, BackendError, BackendKind, Content, Display, RenderRequest};
use crate::filter::Filters;
use crate::image::{Image, PageId};
use crate::measure::{MeasureReport, MeasureRow, Subject, requests, run};
use crate::plots::{Chart, Reconstruction};
use crate::sampling::{METHODS, Method};
use crate::text::short;

/// Width of the bars, in points, and the least width of the chart beside them.
const BARS: f32 = 520.0;
const LEAST_CHART: f32 = 260.0;

/// The measurements of a view.
#[derive(Debug, Default)]
pub(super) struct QualityTool {
    task: Task<QualityJob, Measured>,
    view: ChartView,
    backend: Opened,
}

/// The backend that measures, which stays open while the tool is.
#[derive(Clone, Default)]
struct Opened(Arc<Mutex<Option<Box<dyn Backend>>>>);

impl std::fmt::Debug for Opened {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Opened").finish_non_exhaustive()
    }
}

/// What is measured.
#[derive(Clone, Debug, PartialEq)]
struct QualityJob {
    page: PageId,
    backend: BackendKind,
    /// The view of the focused panel, without filters and display.
    request: RenderRequest,
    set: QualitySet,
    /// The requests, and the panels that they are of.
    requests: Vec<(RenderRequest, Option<PanelId>)>,
}

/// What was measured, with what it was asked for.
#[derive(Debug)]
struct Measured {
    job: QualityJob,
    subject: Subject,
    report: MeasureReport,
}

impl Tool for QualityTool {
    fn tabs(&mut self, ui: &mut Ui, input: &mut ToolInput<'_>) {
        let set = &mut input.session.inspect.state.quality;
        for row in &QUALITY_SETS {
            let response = tab(ui, row.title, &format!("Quality of {}", row.title.to_lowercase()), *set == row.set);
            let is_clicked = response.clicked();
            teach(response, row.title, row.help);
            if is_clicked {
                *set = row.set;
            }
        }
    }

    fn contents(&mut self, ui: &mut Ui, input: &mut ToolInput<'_>) -> Vec<Command> {
        // The drawer keeps its height while there is little to show.
        ui.set_min_size(ui.available_size());
        let session = &*input.session;
        if let Some(why) = session.no_truth(session.focused()) {
            message(ui, &CommandNotice::from(why).to_string());
            return Vec::new();
        }
        let job = QualityJob::new(session, input.backend);
        if job.requests.is_empty() {
            message(ui, "No visible panel interpolates: choose a method in a panel's header");
            return Vec::new();
        }
        let image = Arc::clone(session.image());
        let (newest, state) = self.task.follow(ui.ctx(), &job, || work(job.clone(), image, self.backend.clone()));
        let newest = newest.filter(|measured| measured.job.set == job.set && measured.job.page == job.page);
        let measured = match (newest, state) {
            // A failure and a cancelled measurement are said, whatever was measured before.
            (Some(measured), TaskState::Done(_) | TaskState::Running(..)) => measured,
            (_, state) => {
                let texts = TaskTexts { doing: "Measuring", again: "Measure" };
                match task_view::show(ui, &mut self.task, state, texts) {
                    Some(measured) => measured,
                    None => return Vec::new(),
                }
            }
        };
        if let Some(row) = self.show(ui, session, &measured) {
            choose(input.session, &measured, &row);
        }
        Vec::new()
    }

    fn file_stem(&self, session: &Session) -> String {
        format!("quality-{}", session.inspect.state.quality)
    }

    fn chart(&mut self, ctx: &Context, session: &Session, backend: BackendKind) -> Result<Chart, String> {
        let (job, image) = (QualityJob::new(session, backend), Arc::clone(session.image()));
        let measured = self.task.result(ctx, &job, || work(job.clone(), image, self.backend.clone()))?;
        Ok(chart(session, &measured))
    }

    fn is_idle(&self) -> bool {
        self.task.is_idle()
    }

    fn rest(&mut self) {
        self.task.rest();
        self.view.reset();
        self.backend = Opened::default();
    }
}

impl QualityJob {
    fn new(session: &Session, backend: BackendKind) -> Self {
        let set = session.inspect.state.quality;
        let of_panel = |index: usize| RenderRequest {
            display: Display::default(),
            filters: Filters::default(),
            subtract: None,
            content: Content::Interpolation,
            ..session.request(index)
        };
        let (focused, page) = (session.focused(), session.page().id());
        let request = of_panel(focused);
        let requests = match set {
            QualitySet::Panels => {
                let is_measured = |index: &usize| {
                    session.panels()[*index].content == Content::Interpolation && session.page_of(*index).id() == page
                };
                let panels = session.visible().into_iter().filter(is_measured);
                let wanted = |index: usize| {
                    let sampler = of_panel(index).sampler;
                    (RenderRequest { sampler, ..request.clone() }, Some(session.panels()[index].id()))
                };
                panels.map(wanted).collect()
            }
            QualitySet::Named => {
                let methods = METHODS.iter().map(|row| row.method);
                let is_served = |method: &Method| method.kernel().paths.contains(&request.sampler.path);
                let methods: Vec<Method> = methods.filter(is_served).collect();
                requests(&request, &methods).into_iter().map(|request| (request, None)).collect()
            }
        };
        Self { page, backend, request, set, requests }
    }
}

fn work(job: QualityJob, image: Arc<Image>, opened: Opened) -> Work<Measured> {
    Box::new(move |options, _| {
        let mut opened = opened.0.lock().unwrap_or_else(PoisonError::into_inner);
        let subject = Subject { image: (*image).clone(), request: job.request.clone() };
        let requests: Vec<RenderRequest> = job.requests.iter().map(|(request, _)| request.clone()).collect();
        let measure = |backend: &mut dyn Backend| run(backend, &subject, &requests, options);
        let backend = match opened.take().filter(|backend| backend.kind() == job.backend) {
            Some(backend) => Ok(backend),
            None => job.backend.row().try_open(),
        };
        let mut backend = backend.map_err(|error: BackendError| error.to_string())?;
        let report = measure(&mut *backend).map_err(|error| error.to_string())?;
        *opened = Some(backend);
        Ok(Measured { job, subject, report })
    })
}

impl QualityTool {
    /// Draws the bars, and the chart where there is room. Returns the row that was clicked.
    fn show(&mut self, ui: &mut Ui, session: &Session, measured: &Measured) -> Option<MeasureRow> {
        let palette = Palette::of_ui(ui);
        let area = ui.available_rect_before_wrap();
        let has_chart = area.width() >= BARS + LEAST_CHART;
        let split = if has_chart { area.left() + BARS } else { area.right() };
        let rows = &measured.report.rows;
        let marks: Vec<Mark> = rows.iter().enumerate().map(|row| Mark::new(session, measured, row)).collect();
        let bar = |(row, mark): (&MeasureRow, &Mark)| Bar {
            name: mark.name.clone(),
            colour: mark.style(&palette).color,
            quality: row.metrics.psnr_db,
            quality_text: quality_text(row.metrics.psnr_db),
            cost: row.median_ms,
            cost_text: format!("{} ms", short(row.median_ms, 3)),
            tip: tip(measured, row),
        };
        let bars = Bars {
            heads: ["PSNR against the truth", "Time of a render"],
            bars: rows.iter().zip(&marks).map(bar).collect(),
            note: format!("Median of up to 5 renders, prefiltered samples kept; {}", measured.report.description),
        };
        let mut left = ui.new_child(UiBuilder::new().max_rect(area.with_max_x(split)));
        let clicked = bars.show(&mut left).map(|place| rows[place]);
        if has_chart {
            let place = area.with_min_x(split + 3.0 * SPACE);
            self.show_chart(&mut ui.new_child(UiBuilder::new().max_rect(place)), &marks, (session, measured));
        }
        ui.allocate_rect(area, egui::Sense::hover());
        clicked
    }

    fn show_chart(&mut self, ui: &mut Ui, marks: &[Mark], (session, measured): (&Session, &Measured)) {
        let palette = Palette::of_ui(ui);
        let chart = chart(session, measured);
        // Rows with an infinite PSNR have no dot.
        let drawn: Vec<&Mark> = measured
            .report
            .rows
            .iter()
            .zip(marks)
            .filter(|(row, _)| row.metrics.psnr_db.is_finite())
            .map(|(_, mark)| mark)
            .collect();
        let style = |mark: &&Mark| EntryStyle {
            label: mark.name.clone(),
            style: mark.style(&palette),
            is_panel: mark.panel.is_some(),
        };
        let entries: Vec<EntryStyle> = drawn.iter().map(style).collect();
        let summary = format!("Quality against cost: {} dots", drawn.len());
        let input = ChartInput {
            chart: &chart,
            entries: &entries,
            marks: &[],
            summary: &summary,
            can_move: true,
            names_y: true,
        };
        let shown = self.view.show(ui, input);
        let at = |point: [f64; 2]| shown.transform.position_from_point(&egui_plot::PlotPoint::new(point[0], point[1]));
        let dots: Vec<Pos2> = chart.series.iter().map(|series| at(series.points[0])).collect();
        let numbers: Vec<&str> = drawn.iter().map(|mark| mark.number.as_str()).collect();
        dot_names::show(ui, *shown.transform.frame(), &dots, &numbers);
    }
}

/// How a row is named and drawn.
struct Mark {
    /// Its number in the chart: that of its panel, or its place.
    number: String,
    name: String,
    /// Index of its panel; `None` of a method.
    panel: Option<usize>,
}

impl Mark {
    fn new(session: &Session, measured: &Measured, (place, row): (usize, &MeasureRow)) -> Self {
        let panel = measured.job.requests[row.request].1.and_then(|panel| session.index_of(panel));
        let (number, name) = match panel {
            Some(index) => ((index + 1).to_string(), session.panel_name(index).numbered()),
            None => ((place + 1).to_string(), format!("{} {}", place + 1, method_name(row))),
        };
        Self { number, name, panel }
    }

    fn style(&self, palette: &Palette) -> PanelStyle {
        match self.panel {
            Some(index) => palette.panel(index),
            None => PanelStyle { color: palette.accent, ..palette.panel(0) },
        }
    }
}

fn method_name(row: &MeasureRow) -> String {
    Reconstruction::of(row.method, row.prefilter).label()
}

/// The chart of files, which names its dots.
fn chart(session: &Session, measured: &Measured) -> Chart {
    measured.report.chart_with_names(&measured.subject, |row| {
        let panel = measured.job.requests[row.request].1.and_then(|panel| session.index_of(panel));
        panel.map_or_else(|| method_name(row), |index| session.panel_name(index).numbered())
    })
}

/// `42.4 dB`; an infinite PSNR is an exact picture.
fn quality_text(psnr_db: f64) -> String {
    if psnr_db.is_infinite() { "exact".to_owned() } else { format!("{} dB", psnr_text(psnr_db)) }
}

/// All errors of a row.
fn tip(measured: &Measured, row: &MeasureRow) -> String {
    let [rms, max] = [row.metrics.rms, row.metrics.max].map(|error| short(error, 4));
    let ssim = row.metrics.ssim.map_or_else(|| "–".to_owned(), |ssim| format!("{ssim:.6}"));
    let does = match measured.job.set {
        QualitySet::Panels => "Click focuses the panel",
        QualitySet::Named => "Click shows the method in the focused panel",
    };
    let (psnr, counted) = (psnr_text(row.metrics.psnr_db), measured.report.counted);
    format!("PSNR {psnr} dB\nRMS {rms}, maximum {max}\nSSIM {ssim}\nOver {counted} pixels between the samples\n{does}")
}

/// Focuses the panel of a row, or shows its method in the focused panel.
fn choose(session: &mut Session, measured: &Measured, row: &MeasureRow) {
    match measured.job.requests[row.request].1 {
        Some(panel) => {
            if let Some(index) = session.index_of(panel) {
                session.focus(index);
            }
        }
        None => {
            let panel = session.focused_panel();
            panel.content = Content::Interpolation;
            panel.sampler.set_method(row.method);
            panel.sampler.prefilter = row.prefilter;
        }
    }
}
