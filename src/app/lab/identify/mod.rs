//! *Identify kernel*: the kernel that another open image was made with, from the focused panel's.

use std::sync::Arc;

use egui::{Button, Context, Label, ProgressBar, RichText, ScrollArea, Ui, UiBuilder, vec2};

use super::chart_view::{ChartInput, ChartView, EntryStyle};
use super::task::{Task, TaskState, Work};
use super::tool::{Tool, ToolInput, teach};
use crate::app::commands::Command;
use crate::app::session::{ImageId, Session};
use crate::app::widgets::combo_box::combo_box;
use crate::app::widgets::theme::{CONTROL_HEIGHT, Palette, SPACE, text_size};
use crate::backend::BackendKind;
use crate::image::{Page, PageId};
use crate::lab::identify::{Identification, Scale, identify};
use crate::plots::{Chart, PlotAxis};

/// Width of the report, in points, and the least width of a chart beside it.
const REPORT: f32 = 480.0;
const LEAST_CHART: f32 = 280.0;
/// Width of the names of the report's lines, in points.
const NAMES: f32 = 68.0;
/// Width of the list of images, in points.
const LIST: f32 = 220.0;

/// The identification of the chosen pair.
#[derive(Debug, Default)]
pub(super) struct IdentifyTool {
    /// The image that is taken for the output, as chosen from the list.
    chosen: Option<ImageId>,
    task: Task<[PageId; 2], Identification>,
    view: ChartView,
}

/// Two pages that are compared.
struct Pages {
    source: Arc<Page>,
    output: Arc<Page>,
    /// Place of the output among the open images.
    place: usize,
}

impl Tool for IdentifyTool {
    fn tabs(&mut self, ui: &mut Ui, input: &mut ToolInput<'_>) {
        let session = &*input.session;
        let palette = Palette::of_ui(ui);
        let source = session.image().name();
        ui.add(Label::new(RichText::new(format!("{source} became")).color(palette.weak)).truncate());
        let chosen = self.pages(session).map(|pages| pages.place);
        let text = chosen.map_or("no other image", |place| session.images()[place].name());
        let shown = session.shown_id();
        let others = session.image_ids().iter().enumerate().filter(|(_, id)| **id != shown);
        let list = combo_box("output").width(LIST).truncate().selected_text(text).show_ui(ui, |ui| {
            for (place, &id) in others {
                let image = &session.images()[place];
                let label = format!("{}, {}", image.name(), image.pages()[0].size());
                if ui.selectable_label(chosen == Some(place), label).clicked() {
                    self.chosen = Some(id);
                }
            }
        });
        list.response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, format!("Output: {text}")));
        teach(list.response, "Output", "The open image that another program made from the focused panel's image");
    }

    fn contents(&mut self, ui: &mut Ui, input: &mut ToolInput<'_>) -> Vec<Command> {
        // The drawer keeps its height while there is little to show.
        ui.set_min_size(ui.available_size());
        let session = &*input.session;
        let Some(pages) = self.pages(session) else {
            message(
                ui,
                "Open the picture that another program made from this one (Open, or drop its file): its kernel is named here.",
            );
            return Vec::new();
        };
        match self.task.state(ui.ctx(), &pages.key(), || pages.work()) {
            TaskState::Running(progress) => {
                ui.horizontal(|ui| {
                    let share = progress.map_or(0.0, |stage| stage.share as f32);
                    ui.add(ProgressBar::new(share).desired_width(LIST).text("Comparing kernels"));
                    if ui.add(Button::new("Cancel").min_size(vec2(0.0, CONTROL_HEIGHT))).clicked() {
                        self.task.cancel();
                    }
                });
            }
            TaskState::Cancelled => {
                ui.horizontal(|ui| {
                    ui.label("Cancelled");
                    if ui.add(Button::new("Identify").min_size(vec2(0.0, CONTROL_HEIGHT))).clicked() {
                        self.task.resume();
                    }
                });
            }
            TaskState::Failed(reason) => message(ui, &reason),
            TaskState::Done(found) => self.show(ui, &found),
        }
        Vec::new()
    }

    fn file_stem(&self, _: &Session) -> String {
        "recovered-kernel".to_owned()
    }

    fn chart(&mut self, ctx: &Context, session: &Session, _: BackendKind) -> Chart {
        let made = self.pages(session).map(|pages| self.task.wait(ctx, &pages.key(), || pages.work()));
        match made {
            Some(Ok(found)) => found.chart(),
            Some(Err(reason)) => empty(reason),
            None => empty("There is no other image".to_owned()),
        }
    }

    fn is_idle(&self) -> bool {
        self.task.is_idle()
    }

    fn rest(&mut self) {
        self.task.rest();
        self.view.reset();
    }
}

impl IdentifyTool {
    /// The focused panel's page and that of the chosen image; without a choice the first other image. `None` if no other
    /// image is open.
    fn pages(&self, session: &Session) -> Option<Pages> {
        let shown = session.shown_id();
        let ids = session.image_ids();
        let chosen = self.chosen.filter(|id| *id != shown).and_then(|id| session.place_of_image(id));
        let place = chosen.or_else(|| ids.iter().position(|id| *id != shown))?;
        let output = session.images()[place].pages()[0].clone();
        Some(Pages { source: Arc::clone(session.page()), output, place })
    }

    /// Draws the report, and the chart where there is room.
    fn show(&mut self, ui: &mut Ui, found: &Identification) {
        let area = ui.available_rect_before_wrap();
        let has_chart = area.width() >= REPORT + LEAST_CHART;
        let left = if has_chart { area.with_max_x(area.right() - REPORT) } else { area.with_max_x(area.left()) };
        if has_chart {
            let chart = found.chart();
            let palette = Palette::of_ui(ui);
            let style = |(index, entry): (usize, &crate::plots::ChartEntry)| EntryStyle {
                label: entry.label.clone(),
                style: palette.panel(index),
            };
            let entries: Vec<EntryStyle> = chart.entries.iter().enumerate().map(style).collect();
            let summary = format!("Recovered kernel: {} dots, {}", found.dots.len(), found.headline());
            let drawn = ChartInput { chart: &chart, entries: &entries, marks: &[], summary: &summary, can_move: true };
            self.view.show(&mut ui.new_child(UiBuilder::new().max_rect(left)), drawn);
        }
        let place = area.with_min_x(left.right() + if has_chart { 2.0 * SPACE } else { 0.0 });
        report(&mut ui.new_child(UiBuilder::new().max_rect(place)), found);
        ui.allocate_rect(area, egui::Sense::hover());
    }
}

impl Pages {
    fn key(&self) -> [PageId; 2] {
        [self.source.id(), self.output.id()]
    }

    fn work(&self) -> Work<Identification> {
        let (source, output) = (Arc::clone(&self.source), Arc::clone(&self.output));
        Box::new(move |options| {
            identify(&source, &output, Scale::FromSizes, options).map_err(|error| error.to_string())
        })
    }
}

/// The lines of the report: names at the left, texts wrapped.
fn report(ui: &mut Ui, found: &Identification) {
    let palette = Palette::of_ui(ui);
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        ui.spacing_mut().item_spacing = vec2(SPACE, 0.5 * SPACE);
        for (name, text) in found.lines() {
            ui.horizontal_top(|ui| {
                let size = if name == "kernel" { text_size::VALUE + 1.0 } else { text_size::UNIT };
                let weak = RichText::new(name).size(text_size::UNIT).color(palette.weak);
                let (rect, _) = ui.allocate_exact_size(vec2(NAMES, size + 3.0), egui::Sense::hover());
                ui.new_child(UiBuilder::new().max_rect(rect)).add(Label::new(weak));
                let text = RichText::new(text).size(size).color(palette.text);
                let text = if name == "kernel" { text.strong() } else { text };
                ui.add(Label::new(text).wrap());
            });
        }
    });
}

/// A sentence in place of a report.
fn message(ui: &mut Ui, text: &str) {
    let palette = Palette::of_ui(ui);
    ui.add(Label::new(RichText::new(text).color(palette.weak)).wrap());
}

/// A chart without series, which says why.
fn empty(reason: String) -> Chart {
    const AXIS: PlotAxis = PlotAxis { name: "distance", symbol: "d", label: "Distance d from the sample" };
    const WEIGHT: PlotAxis = PlotAxis { name: "weight", symbol: "w", label: "Weight w(d)" };
    Chart {
        title: "Recovered kernel".to_owned(),
        x: AXIS,
        y: WEIGHT,
        x_range: [-2.0, 2.0],
        y_range: [0.0, 1.0],
        guides: Vec::new(),
        keys: vec!["kernel", "rms"],
        entries: Vec::new(),
        series: Vec::new(),
        conclusion: Some(reason),
    }
}
