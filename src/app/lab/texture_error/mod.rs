//! *Texture unit's error*: what a linear fetch returns between two texels, and what that does to a picture.

mod shader;
mod table;
mod work;

use std::sync::Arc;

use egui::{Context, RichText, Role, Slider, Ui, UiBuilder, WidgetInfo, vec2};

use self::shader::ShaderUnit;
use self::work::{TableJob, formats_work, table_work, texel_work};
use super::chart_legend::{self, LegendInput, Note};
use super::chart_view::{ChartInput, ChartView, EntryStyle};
use super::task_view::{self, TaskTexts};
use super::tool::{Tool, ToolInput, tab, teach};
use crate::app::commands::Command;
use crate::app::render::task::{Task, TaskState};
use crate::app::session::Session;
use crate::app::session::texture_error::TextureErrorState;
use crate::app::widgets::combo_box::combo_box;
use crate::app::widgets::limits::Limits;
use crate::app::widgets::menu_item::{choose, menu_item};
use crate::app::widgets::number::{NumberField, field};
use crate::app::widgets::theme::{CONTROL_HEIGHT, Palette, SPACE};
use crate::backend::BackendKind;
use crate::image::PageId;
use crate::lab::texture_error::{
    ErrorGain, Formats, Origin, ShaderTexel, ShownSteps, TEXEL_PAIRS, TEXTURE_VIEWS, TableOne, Texel, TexelPair,
    TexelRequest, TextureView,
};
use crate::plots::{Chart, ChartEntry};
use crate::sampling::{Method, Sampler};

/// Width of the drawer from which on there is a legend, in points.
const LEAST_WITH_LEGEND: f32 = 480.0;
/// Widths of the field of the gain, of its slider, and of the lists of texels and of steps, in points.
const FIELD_WIDTH: f32 = 56.0;
const SLIDER_WIDTH: f32 = 140.0;
const LIST_WIDTH: f32 = 132.0;
const STEPS_WIDTH: f32 = 52.0;

/// What was measured last.
#[derive(Debug, Default)]
pub(super) struct TextureErrorTool {
    texel: Task<(TexelRequest, BackendKind), Texel>,
    formats: Task<(TexelPair, BackendKind), Formats>,
    table: Task<(PageId, BackendKind), TableOne>,
    shader: ShaderUnit,
    view: ChartView,
}

impl Tool for TextureErrorTool {
    fn tabs(&mut self, ui: &mut Ui, input: &mut ToolInput<'_>) {
        let state = &mut input.session.inspect.state.texture_error;
        for row in &TEXTURE_VIEWS {
            let name = format!("{} of the texture unit", row.title);
            let response = tab(ui, row.title, &name, state.view == row.view);
            let is_clicked = response.clicked();
            teach(response, row.title, row.help);
            if is_clicked {
                state.view = row.view;
            }
        }
        match state.view {
            TextureView::Staircase => steps(ui, state),
            TextureView::Error => {
                steps(ui, state);
                gain(ui, state);
            }
            TextureView::Formats => {
                texels(ui, state);
                steps(ui, state);
            }
            TextureView::TableOne => {}
        }
    }

    fn contents(&mut self, ui: &mut Ui, input: &mut ToolInput<'_>) -> Vec<Command> {
        // The drawer keeps its height while there is little to show.
        ui.set_min_size(ui.available_size());
        let (session, backend) = (&*input.session, input.backend);
        let state = session.inspect.state.texture_error;
        let texts = TaskTexts { doing: "Measuring", again: "Measure" };
        match state.view {
            TextureView::Staircase | TextureView::Error => {
                let sampler = sampler(session);
                let request = texel_request(session);
                let found = self.texel.state(ui.ctx(), &(request, backend), || texel_work(request, backend));
                if let Some(texel) = quiet(ui, &mut self.texel, found, texts) {
                    let mut notes = vec![Note::Weak(texel.origin.sentence().to_owned())];
                    if request.method() != sampler.method {
                        notes.insert(0, Note::Weak(not_served(&sampler)));
                    }
                    // A lesson is about the texture unit, not about the driver of this window.
                    let shader = (!session.is_of_lesson()).then(|| self.shader.texel(input.canvas, request));
                    let chart = match shader {
                        None => texel_chart(&texel, None, state),
                        Some(Ok(shader)) => texel_chart(&texel, Some(shader), state),
                        Some(Err(why)) => {
                            notes.push(Note::Weak(why.clone()));
                            texel_chart(&texel, None, state)
                        }
                    };
                    self.draw(ui, &chart, &notes);
                }
            }
            TextureView::Formats => {
                let key = (state.texels, backend);
                let found = self.formats.state(ui.ctx(), &key, || formats_work(state.texels, backend));
                if let Some(formats) = quiet(ui, &mut self.formats, found, texts) {
                    self.draw(ui, &formats.chart(state.steps), &[Note::Weak(formats.origin.sentence().to_owned())]);
                }
            }
            TextureView::TableOne => {
                let job = TableJob::of(session, backend);
                let found = self.table.state(ui.ctx(), &job.key(), || table_work(job.clone()));
                if let Some(table) = task_view::show(ui, &mut self.table, found, texts) {
                    let area = ui.available_rect_before_wrap();
                    let chart = area.with_max_x((area.right() - table::WIDTH).max(area.left()));
                    if chart.width() >= table::LEAST_CHART {
                        self.chart_alone(&mut ui.new_child(UiBuilder::new().max_rect(chart)), &table.chart());
                    }
                    let left =
                        if chart.width() >= table::LEAST_CHART { chart.right() + 2.0 * SPACE } else { area.left() };
                    table::show(&mut ui.new_child(UiBuilder::new().max_rect(area.with_min_x(left))), &table);
                }
            }
        }
        Vec::new()
    }

    fn file_stem(&self, session: &Session) -> String {
        format!("texture-error-{}", session.inspect.state.texture_error.view)
    }

    fn chart(&mut self, ctx: &Context, session: &Session, backend: BackendKind) -> Result<Chart, String> {
        let state = session.inspect.state.texture_error;
        match state.view {
            TextureView::Staircase | TextureView::Error => {
                let request = texel_request(session);
                let texel = self.texel.result(ctx, &(request, backend), || texel_work(request, backend))?;
                Ok(texel_chart(&texel, self.shader.last(request), state))
            }
            TextureView::Formats => {
                let key = (state.texels, backend);
                Ok(self.formats.result(ctx, &key, || formats_work(state.texels, backend))?.chart(state.steps))
            }
            TextureView::TableOne => {
                let job = TableJob::of(session, backend);
                Ok(self.table.result(ctx, &job.key(), || table_work(job.clone()))?.chart())
            }
        }
    }

    fn is_idle(&self) -> bool {
        self.texel.is_idle() && self.formats.is_idle() && self.table.is_idle()
    }

    fn rest(&mut self) {
        self.texel.rest();
        self.formats.rest();
        self.table.rest();
        self.view.reset();
    }
}

impl TextureErrorTool {
    /// Draws a chart with its legend, where there is room for one.
    fn draw(&mut self, ui: &mut Ui, chart: &Chart, notes: &[Note]) {
        let area = ui.available_rect_before_wrap();
        let legend = if area.width() >= LEAST_WITH_LEGEND { chart_legend::WIDTH } else { 0.0 };
        let place = area.with_max_x(area.right() - legend);
        let pointed = self.chart_alone(&mut ui.new_child(UiBuilder::new().max_rect(place)), chart);
        if legend > 0.0 {
            let place = area.with_min_x(place.right() + 2.0 * SPACE);
            let entries = styles(ui, chart);
            let input = LegendInput { chart, entries: &entries, pointed, marks: None, notes };
            chart_legend::show(&mut ui.new_child(UiBuilder::new().max_rect(place)), &input);
        }
        ui.allocate_rect(area, egui::Sense::hover());
    }

    /// Draws a chart. Returns where the pointer is on its horizontal axis.
    fn chart_alone(&mut self, ui: &mut Ui, chart: &Chart) -> Option<f64> {
        let entries = styles(ui, chart);
        let sources: Vec<&str> = chart.series.iter().map(|series| series.source).collect();
        let is_measured = sources.contains(&Origin::Unit.name());
        let source = if is_measured { Origin::Unit } else { Origin::Emulation };
        let summary = format!("{}, {}", chart.title, source.name());
        let input =
            ChartInput { chart, entries: &entries, marks: &[], summary: &summary, can_move: true, names_y: true };
        let drawn = self.view.show(ui, input);
        drawn.pointed.map(|[x, _]| x)
    }
}

fn styles(ui: &Ui, chart: &Chart) -> Vec<EntryStyle> {
    let palette = Palette::of_ui(ui);
    let style = |(index, entry): (usize, &ChartEntry)| EntryStyle {
        label: entry.label.clone(),
        style: palette.panel(index),
        is_panel: false,
    };
    chart.entries.iter().enumerate().map(style).collect()
}

/// Draws what a short measurement is waiting for; while it runs, nothing.
fn quiet<K: Clone + PartialEq, T: Send + 'static>(
    ui: &mut Ui,
    task: &mut Task<K, T>,
    state: TaskState<T>,
    texts: TaskTexts,
) -> Option<Arc<T>> {
    match state {
        TaskState::Running(..) => None,
        state => task_view::show(ui, task, state, texts),
    }
}

/// The focused panel's sampler in force.
fn sampler(session: &Session) -> Sampler {
    session.request(session.focused()).sampler
}

/// The fetch that is shown: the focused panel's, or for nearest, which rounds no fraction, a linear one.
fn texel_request(session: &Session) -> TexelRequest {
    let sampler = sampler(session);
    let is_nearest = sampler.method == Method::Nearest;
    TexelRequest::of(&if is_nearest { sampler.with_method(Method::Linear) } else { sampler })
}

fn texel_chart(texel: &Texel, shader: Option<&ShaderTexel>, state: TextureErrorState) -> Chart {
    match (state.view, shader) {
        (TextureView::Error, None) => texel.error(state.gain, state.steps),
        (TextureView::Error, Some(shader)) => texel.error_with(shader, state.gain, state.steps),
        (TextureView::Staircase | TextureView::Formats | TextureView::TableOne, None) => texel.staircase(state.steps),
        (TextureView::Staircase | TextureView::Formats | TextureView::TableOne, Some(shader)) => {
            texel.staircase_with(shader, state.steps)
        }
    }
}

/// Why a linear fetch is shown for `sampler`.
fn not_served(sampler: &Sampler) -> String {
    if sampler.method == Method::Nearest {
        return "Nearest rounds no fraction: a linear fetch is shown".to_owned();
    }
    format!("The texture unit does not interpolate by {}: a linear fetch is shown", sampler.method.label())
}

/// Draws the gain as a field and as a slider.
fn gain(ui: &mut Ui, state: &mut TextureErrorState) {
    let (least, most) = ErrorGain::RANGE;
    let help = "Factor of the errors: at 256 a whole step between a texel of 0 and one of 1 is 1";
    ui.add_space(SPACE);
    ui.label("Gain");
    let mut gain = state.gain.get();
    ui.allocate_ui(vec2(FIELD_WIDTH, CONTROL_HEIGHT), |ui| {
        let limits = Limits::whole(f64::from(least), f64::from(most));
        let wanted = NumberField { name: "Gain", help, unit: "", speed: 1.0, limits };
        if let Some(typed) = field(ui, wanted, None, f64::from(gain)) {
            gain = typed as u16;
        }
    });
    ui.spacing_mut().slider_width = SLIDER_WIDTH;
    let slider = Slider::new(&mut gain, least..=most).logarithmic(true).show_value(false).trailing_fill(true);
    let slider = ui.add(slider);
    slider.widget_info(|| WidgetInfo::slider(true, f64::from(gain), "Gain of the error"));
    slider.on_hover_text(help);
    state.gain = ErrorGain::new(gain).unwrap_or_default();
}

/// Draws the list of the numbers of steps.
fn steps(ui: &mut Ui, state: &mut TextureErrorState) {
    ui.add_space(SPACE);
    ui.label(RichText::new("Steps").color(Palette::of_ui(ui).weak));
    let shown = state.steps.get().to_string();
    let list = combo_box("steps").width(STEPS_WIDTH).selected_text(&shown).show_ui(ui, |ui| {
        for steps in ShownSteps::CHOICES.into_iter().filter_map(ShownSteps::new) {
            choose(ui, &mut state.steps, steps, steps.get().to_string());
        }
    });
    let name = format!("Shown steps {shown}");
    list.response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, &name));
    teach(list.response, "Steps", "How many of the 256 steps between two texels are shown, about the middle");
}

/// Draws the list of the pairs of texels.
fn texels(ui: &mut Ui, state: &mut TextureErrorState) {
    ui.add_space(SPACE);
    ui.label(RichText::new("between").color(Palette::of_ui(ui).weak));
    let title = state.texels.row().title;
    let list = combo_box("texels").width(LIST_WIDTH).selected_text(title).show_ui(ui, |ui| {
        for row in &TEXEL_PAIRS {
            if ui.add(menu_item(state.texels == row.pair, row.title)).on_hover_text(row.help).clicked() {
                state.texels = row.pair;
            }
        }
    });
    list.response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, format!("Texels {title}")));
    teach(list.response, title, state.texels.row().help);
}
