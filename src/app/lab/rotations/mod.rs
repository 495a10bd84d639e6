//! Repeated rotation: the error of every visible panel's method over the turns, and its picture after any of them: in the drawer,
//! or, in a lesson, in the panel.

mod in_panels;
mod turns;

use std::sync::Arc;

use egui::{
    Align, Align2, Color32, ColorImage, Context, FontId, Label, Layout, Rect, Role, Sense, Slider, TextureHandle,
    TextureOptions, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};

use self::in_panels::TurnedPanel;
use self::turns::{MadeTurns, RotationJob};
use super::chart_view::{ChartInput, ChartMark, ChartView, EntryStyle};
use super::task_view::message;
use super::tool::{BUTTONS, Tool, ToolInput};
use crate::app::commands::Command;
use crate::app::inspect::PanelTransform;
use crate::app::render::task::{Task, TaskState};
use crate::app::session::inspect::RepeatedRotation;
use crate::app::session::{PanelName, Session};
use crate::app::widgets::limits::Limits;
use crate::app::widgets::line_text::LineText;
use crate::app::widgets::number::{NumberField, field};
use crate::app::widgets::theme::{CONTROL_HEIGHT, Palette, SPACE, text_size};
use crate::backend::{BackendKind, Content};
use crate::image::Page;
use crate::lab::rotations::RotationReport;
use crate::plots::Chart;
use crate::sampling::Sampler;
use crate::text::short;

/// Height of the name and of the error above a picture, in points.
const CAPTION: f32 = 32.0;
/// Distance of a name behind the dot from the left edge of its picture, in points.
const NAME_START: f32 = 12.0;
/// Part of the drawer's width that the pictures may take.
const PICTURES_SHARE: f32 = 0.62;
/// Width of the field of turns and of the slider, in points.
const FIELD_WIDTH: f32 = 64.0;
const SLIDER_WIDTH: f32 = 160.0;

/// The turns and how they were drawn last.
#[derive(Default)]
pub(super) struct RotationTool {
    task: Task<RotationJob, MadeTurns>,
    view: ChartView,
    /// The shown picture of each panel, with its texture.
    textures: Vec<(Arc<ColorImage>, TextureHandle)>,
    /// The panels of a lesson that show their pictures themselves, in the order of the pictures.
    in_panels: Vec<TurnedPanel>,
}

impl std::fmt::Debug for RotationTool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RotationTool").field("task", &self.task).finish_non_exhaustive()
    }
}

impl Tool for RotationTool {
    fn tabs(&mut self, ui: &mut Ui, input: &mut ToolInput<'_>) {
        let rotation = &mut input.session.inspect.state.rotation;
        let before = *rotation;
        ui.label("Turns");
        ui.allocate_ui(vec2(FIELD_WIDTH, CONTROL_HEIGHT), |ui| {
            let help = "Number N of turns: each is by 360°/N";
            let (least, most) = RepeatedRotation::TURNS;
            let limits = Limits::whole(f64::from(least), f64::from(most));
            let wanted = NumberField { name: "Turns", help, unit: "", speed: 0.1, limits };
            if let Some(turns) = field(ui, wanted, None, f64::from(before.turns())) {
                *rotation = RepeatedRotation::new(turns as u32, before.shown());
            }
        });
        let mut shown = rotation.shown();
        ui.spacing_mut().slider_width = SLIDER_WIDTH;
        let slider = ui.add(Slider::new(&mut shown, 0..=rotation.turns()).show_value(false).trailing_fill(true));
        slider.widget_info(|| WidgetInfo::slider(true, f64::from(shown), "Shown turn"));
        let is_changed = slider.changed();
        slider.on_hover_text("The turn whose pictures are shown. Drag here or over the plot to go through the turns");
        if is_changed {
            *rotation = RepeatedRotation::new(rotation.turns(), shown);
        }
        let degrees = short(rotation.angle_deg(), 4);
        let text = format!("after {} of {}: {degrees}°", rotation.shown(), rotation.turns());
        let room = vec2((ui.available_width() - BUTTONS).max(0.0), CONTROL_HEIGHT);
        ui.allocate_ui_with_layout(room, Layout::left_to_right(Align::Center), |ui| {
            ui.add(Label::new(text).truncate());
        });
    }

    fn contents(&mut self, ui: &mut Ui, input: &mut ToolInput<'_>) -> Vec<Command> {
        let session = &mut *input.session;
        let (names, job) = experiment(session);
        if names.is_empty() {
            message(ui, "No visible panel interpolates: choose a method in a panel's header");
            return Vec::new();
        }
        let page = session.page();
        let (made, failure) = match self.task.state(ui.ctx(), &job, || job.clone().work(page)) {
            TaskState::Done(made) | TaskState::Running(_, Some(made)) => (made, None),
            TaskState::Running(_, None) | TaskState::Cancelled => (Arc::new(job.none()), None),
            TaskState::Failed(reason) => (Arc::new(job.none()), Some(reason)),
        };
        let area = ui.available_rect_before_wrap();
        // The pictures are what a lesson speaks of: its panels show them in their own size.
        let is_in_panels = session.is_of_lesson();
        let count = if is_in_panels { 0.0 } else { names.len() as f32 };
        let side = (area.height() - CAPTION).min(PICTURES_SHARE * area.width() / count.max(1.0) - SPACE).max(0.0);
        let left = area.right() - count * (side + SPACE);
        let rotation = session.inspect.state.rotation;
        let mut place = ui.new_child(UiBuilder::new().max_rect(area.with_max_x(left - SPACE)));
        if let Some(failure) = failure {
            place.colored_label(Palette::of_ui(&place).error, failure);
        } else if let Some(turn) = self.error_chart(&mut place, &names, (&made, rotation)) {
            session.inspect.state.rotation = RepeatedRotation::new(rotation.turns(), turn);
        }
        self.textures.truncate(names.len());
        self.in_panels.clear();
        for (index, name) in names.iter().enumerate() {
            if is_in_panels {
                self.load(ui.ctx(), index, (&made, rotation));
                self.in_panels.push(TurnedPanel::new(name, rotation, error_texts(&made.report, index, rotation)));
                continue;
            }
            let corner = pos2(left + index as f32 * (side + SPACE), area.top());
            let cell = Rect::from_min_size(corner, vec2(side, side + CAPTION));
            self.picture(ui, (index, name), cell, (&made, rotation));
        }
        ui.allocate_rect(area, Sense::hover());
        Vec::new()
    }

    fn file_stem(&self, session: &Session) -> String {
        format!("rotations-{}", session.inspect.state.rotation.turns())
    }

    fn chart(&mut self, ctx: &Context, session: &Session, _: BackendKind) -> Result<Chart, String> {
        let ((names, job), page) = (experiment(session), session.page());
        if names.is_empty() {
            return Err("No visible panel interpolates".to_owned());
        }
        Ok(self.task.result(ctx, &job, || job.clone().work(page))?.report.chart())
    }

    fn is_idle(&self) -> bool {
        self.task.is_idle()
    }

    fn rest(&mut self) {
        self.task.rest();
        self.view.reset();
        self.textures.clear();
        self.in_panels.clear();
    }

    fn over_pictures(&mut self, ui: &Ui, session: &Session, transforms: &[PanelTransform]) {
        for (turned, (_, texture)) in self.in_panels.iter().zip(&self.textures) {
            let of_panel = transforms.iter().find(|transform| transform.panel == turned.panel);
            of_panel.into_iter().for_each(|transform| turned.paint(ui, session, transform, texture));
        }
    }
}

impl RotationTool {
    /// Draws the errors over the turns. Returns the turn that the pointer chooses.
    fn error_chart(
        &mut self,
        ui: &mut Ui,
        names: &[PanelName],
        (made, rotation): (&MadeTurns, RepeatedRotation),
    ) -> Option<u32> {
        let palette = Palette::of_ui(ui);
        let chart = made.report.chart();
        let style =
            |name: &PanelName| EntryStyle { label: name.numbered(), style: palette.panel(name.index), is_panel: true };
        let entries: Vec<EntryStyle> = names.iter().map(style).collect();
        let marks = [ChartMark { name: "Shown turn", at: f64::from(rotation.shown()), is_second: false }];
        let done = made.report.rows.iter().map(|row| row.turn).max().unwrap_or(0);
        let summary = format!("Repeated rotation: {} methods, {done} of {} turns", names.len(), rotation.turns());
        let input = ChartInput {
            chart: &chart,
            entries: &entries,
            marks: &marks,
            summary: &summary,
            can_move: false,
            names_y: true,
        };
        let drawn = self.view.show(ui, input);
        let font = FontId::proportional(text_size::UNIT);
        if done < rotation.turns() {
            let text = format!("Turning… {done} of {}", rotation.turns());
            let at = drawn.response.rect.center_top() + vec2(0.0, 2.0 * SPACE);
            ui.painter().text(at, Align2::CENTER_TOP, text, font, palette.weak);
        }
        let is_chosen = drawn.response.clicked() || drawn.response.dragged();
        let pos = drawn.response.interact_pointer_pos().filter(|_| is_chosen)?;
        let turn = drawn.transform.value_from_position(pos).x.round();
        Some(turn.clamp(0.0, f64::from(rotation.turns())) as u32)
    }

    /// Loads the picture of one panel after the shown turn into its texture.
    fn load(&mut self, ctx: &Context, index: usize, (made, rotation): (&MadeTurns, RepeatedRotation)) {
        let Some(shown) = made.pictures.get(index).and_then(|turns| turns.get(rotation.shown() as usize)) else {
            return;
        };
        if self.textures.get(index).is_none_or(|(kept, _)| !Arc::ptr_eq(kept, shown)) {
            let texture = ctx.load_texture(format!("turned {index}"), (**shown).clone(), TextureOptions::NEAREST);
            self.textures.truncate(index);
            self.textures.push((Arc::clone(shown), texture));
        }
    }

    /// Draws the picture of one panel after the shown turn, with its name and its error above.
    fn picture(
        &mut self,
        ui: &Ui,
        (index, name): (usize, &PanelName),
        cell: Rect,
        (made, rotation): (&MadeTurns, RepeatedRotation),
    ) {
        let palette = Palette::of_ui(ui);
        let painter = ui.painter().with_clip_rect(cell.expand2(vec2(0.5 * SPACE, 0.0)).intersect(ui.clip_rect()));
        let style = palette.panel(name.index);
        painter.circle_filled(cell.min + vec2(4.0, 8.0), 4.0, style.color);
        let name_text = name.numbered();
        let shown = LineText::regular(&name_text, text_size::VALUE).within(&painter, cell.width() - NAME_START);
        shown.paint(&painter, cell.min + vec2(NAME_START, 0.25 * CAPTION), palette.text);
        let [error, short] = error_texts(&made.report, index, rotation);
        // A cut number would be read as another number.
        let width = LineText::regular(&error, text_size::UNIT).width(&painter);
        let fitting = if width <= cell.width() { &error } else { &short };
        let shown = LineText::regular(fitting, text_size::UNIT).within(&painter, cell.width());
        shown.paint(&painter, cell.min + vec2(0.0, 0.75 * CAPTION), palette.weak);
        let place = cell.with_min_y(cell.top() + CAPTION);
        painter.rect_filled(place, 0.0, palette.ground);
        let label = format!("{} after {} turns: {error}", name.numbered(), rotation.shown());
        let response = ui.interact(place, ui.scope_id().with(("turned", index)), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &label));
        self.load(ui.ctx(), index, (made, rotation));
        if let Some((_, texture)) = self.textures.get(index) {
            painter.image(texture.id(), place, Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0)), Color32::WHITE);
        }
    }
}

/// Error of a panel's method after the shown turn: `23.6 dB, RMS 0.0657`, and the same in fewer letters.
fn error_texts(report: &RotationReport, index: usize, rotation: RepeatedRotation) -> [String; 2] {
    let same = |text: &str| [text.to_owned(), text.to_owned()];
    if rotation.shown() == 0 {
        return ["the original", "original"].map(str::to_owned);
    }
    match report.metrics(index, rotation.shown()) {
        None => same("…"),
        Some(row) if row.metrics.rms == 0.0 => same("exact"),
        Some(row) => {
            let psnr = format!("{:.1} dB", row.metrics.psnr_db);
            [format!("{psnr}, RMS {:.4}", row.metrics.rms), psnr]
        }
    }
}

/// The visible panels with a method, and the experiment of their samplers on the focused panel's image.
fn experiment(session: &Session) -> (Vec<PanelName>, RotationJob) {
    let interpolates = |index: &usize| session.panels()[*index].content == Content::Interpolation;
    let panels: Vec<usize> = session.visible().into_iter().filter(interpolates).collect();
    let page: &Arc<Page> = &session.page();
    // A turned image keeps its scale, so that no kernel is widened.
    let usual = Sampler::default();
    let sampler = |index: &usize| {
        let sampler = session.request(*index).sampler;
        Sampler { antialias: usual.antialias, blur: usual.blur, ..sampler }
    };
    let samplers = panels.iter().map(sampler).collect();
    let job = RotationJob { page: page.id(), samplers, turns: session.inspect.state.rotation.turns() };
    (panels.into_iter().map(|index| session.panel_name(index)).collect(), job)
}
