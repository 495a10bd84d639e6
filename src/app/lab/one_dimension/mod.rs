//! The 1-D laboratory: samples that can be dragged, curves of methods through them, and what is behind the curves.

mod controls;
mod handles;
mod layers;
mod made;
mod table;

use egui::{Context, Ui, UiBuilder, vec2};

use self::handles::Handles;
use self::made::Made;
use super::chart_legend::{self, LegendInput, Note};
use super::chart_view::{ChartInput, ChartView};
use super::tool::{Tool, ToolInput, tab, teach};
use crate::app::commands::Command;
use crate::app::session::Session;
use crate::app::session::one_dimension::{LINE_TABS, LineTab};
use crate::app::widgets::theme::{CONTROL_HEIGHT, Palette, SPACE};
use crate::backend::BackendKind;
use crate::plots::Chart;

/// Width of the column beside the chart, in points.
const COLUMN: f32 = 336.0;
/// Width of the drawer from which on there is that column, in points.
const LEAST_WITH_COLUMN: f32 = 620.0;
/// Height of the axis above the chart, in points.
const UPPER_AXIS: f32 = 17.0;

/// The laboratory's charts and how they were drawn last.
#[derive(Debug, Default)]
pub(super) struct LineTool {
    made: Option<Made>,
    view: ChartView,
    handles: Handles,
    /// Where the pointer was last over a picture, in samples.
    pointed: Option<[f64; 2]>,
    /// Whether the header had no room for the controls.
    has_controls_below: bool,
}

impl Tool for LineTool {
    fn tabs(&mut self, ui: &mut Ui, input: &mut ToolInput<'_>) {
        let state = &mut input.session.inspect.state.one_dimension;
        for row in &LINE_TABS {
            let response = tab(ui, row.title, &format!("{} of the 1-D laboratory", row.title), state.tab == row.tab);
            let is_clicked = response.clicked();
            teach(response, row.title, row.help);
            if is_clicked {
                state.tab = row.tab;
            }
        }
        self.pointed = input.session.inspect.cursor.or(self.pointed);
        self.has_controls_below = ui.available_width() < controls::LEAST_WIDTH;
        if !self.has_controls_below {
            ui.add_space(2.0 * SPACE);
            controls::show(ui, input.session, self.pointed);
        }
    }

    fn needs_image(&self) -> bool {
        false
    }

    fn contents(&mut self, ui: &mut Ui, input: &mut ToolInput<'_>) -> Vec<Command> {
        if self.has_controls_below {
            ui.horizontal(|ui| {
                ui.set_min_height(CONTROL_HEIGHT);
                ui.spacing_mut().item_spacing.x = SPACE;
                controls::show(ui, input.session, self.pointed);
            });
        }
        let area = ui.available_rect_before_wrap();
        let column = if area.width() >= LEAST_WITH_COLUMN { COLUMN } else { 0.0 };
        let mut made = Made::current(self.made.take(), input.session);
        if let Some(range) = self.handles.held_range() {
            made.chart.y_range = range;
        }
        let upper = if made.tab == LineTab::Splines { 0.0 } else { UPPER_AXIS };
        let place = area.with_max_x(area.right() - column).with_min_y(area.top() + upper);
        let styles = made.styles(&Palette::of_ui(ui));
        let summary = made.summary();
        let mut chart_ui = ui.new_child(UiBuilder::new().max_rect(place));
        let drawn = ChartInput {
            chart: &made.chart,
            entries: &styles,
            marks: &[],
            summary: &summary,
            can_move: false,
            names_y: made.tab == LineTab::Splines,
        };
        let shown = self.view.show(&mut chart_ui, drawn);
        // In a lesson the texture's axis comes with the points that it is for.
        let has_upper = !input.session.is_of_lesson() || !made.state().points.is_empty();
        layers::show(ui, &made, &shown.transform, has_upper);
        self.handles.show(ui, &mut input.session.inspect.state.one_dimension, &made, &shown.transform);
        layers::passes(ui, &made, &shown.transform);
        if column > 0.0 {
            let place = area.with_min_x(area.right() - column + 3.0 * SPACE);
            let mut ui = ui.new_child(UiBuilder::new().max_rect(place));
            match made.tab {
                LineTab::Values => table::show(&mut ui, input.session, &made, &styles),
                LineTab::Basis | LineTab::Splines | LineTab::Impulses | LineTab::Prefilter => {
                    let pointed = shown.pointed.map(|[x, _]| x);
                    let notes: Vec<Note> = made.note(pointed).map(Note::Weak).into_iter().collect();
                    let legend =
                        LegendInput { chart: &made.chart, entries: &styles, pointed, marks: None, notes: &notes };
                    chart_legend::show(&mut ui, &legend);
                }
            }
        }
        ui.allocate_exact_size(vec2(area.width(), area.height()), egui::Sense::hover());
        self.made = Some(made);
        Vec::new()
    }

    fn file_stem(&self, session: &Session) -> String {
        format!("lab1d-{}", session.inspect.state.one_dimension.tab)
    }

    fn chart(&mut self, _: &Context, session: &Session, _: BackendKind) -> Result<Chart, String> {
        Ok(Made::new(session).chart)
    }

    fn is_idle(&self) -> bool {
        true
    }

    fn rest(&mut self) {
        self.made = None;
        self.view.reset();
        self.handles = Handles::default();
    }
}
