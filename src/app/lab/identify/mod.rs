//! *Identify kernel*: the kernel that another open image was made with, from the focused panel's.

use std::sync::Arc;

use egui::{Context, Label, RichText, ScrollArea, Ui, UiBuilder, vec2};

use super::chart_legend;
use super::chart_view::{ChartInput, ChartView, EntryStyle};
use super::task_view::{self, TaskTexts, message};
use super::tool::{Tool, ToolInput, teach};
use crate::app::commands::Command;
use crate::app::render::task::{Task, Work};
use crate::app::session::Session;
use crate::app::widgets::combo_box::combo_box;
use crate::app::widgets::menu_item::menu_item;
use crate::app::widgets::number::sides_text;
use crate::app::widgets::theme::{Palette, SPACE, text_size};
use crate::backend::BackendKind;
use crate::image::{Page, PageId};
use crate::lab::identify::{Identification, Scale, identify};
use crate::plots::Chart;

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
    task: Task<[PageId; 2], Identification>,
    view: ChartView,
}

/// Two pages that are compared.
struct Pages {
    source: Arc<Page>,
    output: Arc<Page>,
}

/// Indices of the images that may be the output: all that are open, but that of the focused panel and missing ones.
fn outputs(session: &Session) -> impl Iterator<Item = usize> {
    let shown = session.shown_id();
    let is_output = move |place: &usize| session.image_ids()[*place] != shown && !session.images()[*place].is_missing();
    (0..session.images().len()).filter(is_output)
}

/// Index of the output: the chosen image, or else the first that may be.
fn output(session: &Session) -> Option<usize> {
    let chosen = session.inspect.identified.and_then(|id| session.place_of_image(id));
    outputs(session).find(|place| Some(*place) == chosen).or_else(|| outputs(session).next())
}

/// The focused panel's page and that of the output; `None` if no other image is open.
fn pages(session: &Session) -> Option<Pages> {
    let output = session.images()[output(session)?].pages()[0].clone();
    Some(Pages { source: session.page(), output })
}

impl Tool for IdentifyTool {
    fn tabs(&mut self, ui: &mut Ui, input: &mut ToolInput<'_>) {
        let session = &*input.session;
        let palette = Palette::of_ui(ui);
        let source = session.image().name();
        ui.add(Label::new(RichText::new(format!("{source} became")).color(palette.weak)).truncate());
        let output = output(session);
        let text = output.map_or("no other image", |place| session.images()[place].name());
        let mut chosen = None;
        let list = combo_box("output").width(LIST).truncate().selected_text(text).show_ui(ui, |ui| {
            for place in outputs(session) {
                let image = &session.images()[place];
                let label = format!("{}, {}", image.name(), sides_text(image.pages()[0].size().sides()));
                if ui.add(menu_item(output == Some(place), label)).clicked() {
                    chosen = Some(session.image_ids()[place]);
                }
            }
        });
        list.response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, format!("Output: {text}")));
        teach(list.response, "Output", "The open image that another program made from the focused panel's image");
        if chosen.is_some() {
            input.session.inspect.identified = chosen;
        }
    }

    fn contents(&mut self, ui: &mut Ui, input: &mut ToolInput<'_>) -> Vec<Command> {
        // The drawer keeps its height while there is little to show.
        ui.set_min_size(ui.available_size());
        let session = &*input.session;
        let Some(pages) = pages(session) else {
            message(
                ui,
                "Open the image that another program made from this one, or drop its file: this tool names its kernel",
            );
            return Vec::new();
        };
        let state = self.task.state(ui.ctx(), &pages.key(), || pages.work());
        let texts = TaskTexts { doing: "Comparing kernels", again: "Identify" };
        if let Some(found) = task_view::show(ui, &mut self.task, state, texts) {
            self.show(ui, &found);
        }
        Vec::new()
    }

    fn file_stem(&self, _: &Session) -> String {
        "recovered-kernel".to_owned()
    }

    fn chart(&mut self, ctx: &Context, session: &Session, _: BackendKind) -> Result<Chart, String> {
        let pages = pages(session).ok_or("There is no other image")?;
        Ok(self.task.result(ctx, &pages.key(), || pages.work())?.chart())
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
    /// Draws the report, and the chart with the names of its entries where there is room.
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
                is_panel: false,
            };
            let entries: Vec<EntryStyle> = chart.entries.iter().enumerate().map(style).collect();
            let summary = format!("Recovered kernel: {} dots, {}", found.dots.len(), found.headline());
            let drawn = ChartInput {
                chart: &chart,
                entries: &entries,
                marks: &[],
                summary: &summary,
                can_move: true,
                names_y: true,
            };
            let mut ui = ui.new_child(UiBuilder::new().max_rect(left));
            chart_legend::names(&mut ui, &chart, &entries);
            self.view.show(&mut ui, drawn);
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
        Box::new(move |options, _| {
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
