//! The drawer under the panels: the tool that is open, a menu of all of them.

use egui::containers::menu::MenuButton;
use egui::{Align, Button, Context, Frame, Id, Layout, Panel, Ui, vec2};

use super::designer::DesignerTool;
use super::drawer_frame::{MARGIN, ending};
use super::footprint::FootprintTool;
use super::identify::IdentifyTool;
use super::one_dimension::LineTool;
use super::pairs::PairsTool;
use super::plots::PlotTool;
use super::profile::{self, ProfileView};
use super::quality::QualityTool;
use super::rotations::RotationTool;
use super::task_view::message;
use super::texture_error::TextureErrorTool;
use super::tool::{Tool, ToolInput, teach};
use crate::app::commands::{Command, InspectCommand, Keymap};
use crate::app::files::DrawerHeight;
use crate::app::inspect::PanelTransform;
use crate::app::inspect::profile::Profile;
use crate::app::render::gl::Canvas;
use crate::app::session::Session;
use crate::app::session::inspect::{DRAWER_TOOLS, DrawerTool};
use crate::app::session::unit::Unit;
use crate::app::widgets::menu_item::menu_item;
use crate::app::widgets::symbol::Symbol;
use crate::app::widgets::theme::{CONTROL_HEIGHT, SPACE};
use crate::backend::BackendKind;
use crate::plots::Chart;

/// Largest height of the drawer, as a part of the window's.
const MOST_SHARE: f32 = 0.6;
/// The largest part of the window that a lesson's drawer takes at first.
const LESSON_SHARE: f32 = 0.46;

/// Height of a lesson's drawer at first, in points: its plot is to be read; lines of numbers leave room for the pictures.
fn lesson_height(tool: DrawerTool) -> f32 {
    match tool {
        DrawerTool::Footprint => 272.0,
        DrawerTool::Rotations => 250.0,
        DrawerTool::Plots
        | DrawerTool::TextureError
        | DrawerTool::OneDimension
        | DrawerTool::Quality
        | DrawerTool::Pairs
        | DrawerTool::Designer
        | DrawerTool::Identify => 320.0,
    }
}

/// Width of a saved plot of the line profile, in points, which decides whether it has room for dots.
const SAVED_WIDTH: f32 = 960.0;

/// The tools with what they computed.
#[derive(Debug, Default)]
pub(in crate::app) struct Drawer {
    plots: PlotTool,
    footprint: FootprintTool,
    texture_error: TextureErrorTool,
    one_dimension: LineTool,
    identify: IdentifyTool,
    designer: DesignerTool,
    pairs: PairsTool,
    quality: QualityTool,
    rotations: RotationTool,
    profile: ProfileView,
}

/// What the drawer draws and changes.
pub(in crate::app) struct DrawerContext<'a> {
    /// The session, with the open tool.
    pub(in crate::app) session: &'a mut Session,
    /// Its height in the settings; `None` in a lesson, whose drawer has a height of its own.
    pub(in crate::app) height: Option<&'a mut DrawerHeight>,
    /// The backend in use.
    pub(in crate::app) backend: BackendKind,
    /// The unit of values.
    pub(in crate::app) unit: Unit,
    /// The window's OpenGL.
    pub(in crate::app) canvas: Option<&'a Canvas>,
    /// Draws what the window adds to a region of it, before the contents.
    pub(in crate::app) enter: &'a mut dyn FnMut(&mut Ui),
}

impl Drawer {
    /// Whether everything that the tools show is computed.
    pub(in crate::app) fn is_idle(&self) -> bool {
        let tools: [&dyn Tool; DRAWER_TOOLS.len()] = [
            &self.plots,
            &self.footprint,
            &self.texture_error,
            &self.one_dimension,
            &self.identify,
            &self.designer,
            &self.pairs,
            &self.quality,
            &self.rotations,
        ];
        tools.into_iter().all(Tool::is_idle)
    }

    /// Name of a file of the open tool's chart, without an ending; of the line profile's if no tool is open.
    pub(in crate::app) fn file_stem(&mut self, session: &Session) -> String {
        match session.inspect.state.drawer {
            Some(tool) => self.tool(tool).file_stem(session),
            None => "profile".to_owned(),
        }
    }

    /// Draws the line profile. Returns the commands of its buttons.
    pub(in crate::app) fn show_profile(
        &mut self,
        ui: &mut Ui,
        session: &mut Session,
        profile: &mut Profile,
        unit: Unit,
    ) -> Vec<Command> {
        self.profile.show(ui, session, profile, unit)
    }

    /// The line profile as a chart; `None` if there is no line.
    pub(in crate::app) fn profile_chart(session: &Session, profile: &Profile, unit: Unit) -> Option<Chart> {
        (!profile.is_empty()).then(|| profile::chart(session, profile, unit, SAVED_WIDTH))
    }

    /// What the open tool shows, as a chart; `None` if no tool is open.
    ///
    /// # Errors
    /// Why it has no chart, in a sentence.
    pub(in crate::app) fn chart(
        &mut self,
        ctx: &Context,
        session: &Session,
        backend: BackendKind,
    ) -> Option<Result<Chart, String>> {
        let tool = self.tool(session.inspect.state.drawer?);
        if lacks_image(tool, session) {
            return Some(Err(MISSING.to_owned()));
        }
        Some(tool.chart(ctx, session, backend))
    }

    /// Draws the open tool under the panels and lets the others rest. Returns the commands of its buttons.
    pub(in crate::app) fn show(&mut self, ui: &mut Ui, context: DrawerContext<'_>) -> Vec<Command> {
        let DrawerContext { session, height, backend, unit, canvas, enter } = context;
        let open = session.inspect.state.drawer;
        for row in DRAWER_TOOLS.iter().filter(|row| Some(row.tool) != open) {
            self.tool(row.tool).rest();
        }
        let Some(open) = open else { return Vec::new() };
        let (least, most) = DrawerHeight::RANGE;
        let most = most.min(MOST_SHARE * ui.content_rect().height()).max(least);
        let in_lesson = (LESSON_SHARE * ui.content_rect().height()).min(lesson_height(open));
        // In a lesson each tool has a height of its own.
        let (id, first) = match &height {
            Some(height) => (Id::unique("drawer"), height.points()),
            None => (Id::unique(("lesson drawer", open.row().name)), in_lesson),
        };
        let shown = Panel::bottom(id)
            .default_size(first)
            .size_range(least..=most)
            .resizable(true)
            .show_separator_line(true)
            .frame(Frame::new().inner_margin(MARGIN))
            .show(ui, |ui| {
                enter(ui);
                let tool = self.tool(open);
                let mut input = ToolInput { session, backend, unit, canvas };
                let mut asked = header(ui, tool, open, &mut input);
                if lacks_image(tool, input.session) {
                    ui.set_min_size(ui.available_size());
                    message(ui, MISSING);
                } else {
                    asked.extend(tool.contents(ui, &mut input));
                }
                asked
            });
        // The file is written once, at the end of a drag.
        if let Some(height) = height
            && !ui.input(|input| input.pointer.any_down())
        {
            height.set(shown.response.rect.height());
        }
        shown.inner
    }

    /// Lets the open tool paint over the pictures.
    pub(in crate::app) fn over_pictures(&mut self, ui: &Ui, session: &Session, transforms: &[PanelTransform]) {
        if let Some(tool) = session.inspect.state.drawer {
            self.tool(tool).over_pictures(ui, session, transforms);
        }
    }

    fn tool(&mut self, tool: DrawerTool) -> &mut dyn Tool {
        match tool {
            DrawerTool::Plots => &mut self.plots,
            DrawerTool::Footprint => &mut self.footprint,
            DrawerTool::TextureError => &mut self.texture_error,
            DrawerTool::OneDimension => &mut self.one_dimension,
            DrawerTool::Identify => &mut self.identify,
            DrawerTool::Designer => &mut self.designer,
            DrawerTool::Pairs => &mut self.pairs,
            DrawerTool::Quality => &mut self.quality,
            DrawerTool::Rotations => &mut self.rotations,
        }
    }
}

/// Why a tool shows nothing.
const MISSING: &str = "The image of the focused panel is missing";

fn lacks_image(tool: &dyn Tool, session: &Session) -> bool {
    tool.needs_image() && session.image().is_missing()
}

/// Draws the menu of the tools, the open tool's tabs, and the buttons at the right. Returns the commands of the buttons.
fn header(ui: &mut Ui, tool: &mut dyn Tool, open: DrawerTool, input: &mut ToolInput<'_>) -> Vec<Command> {
    let mut asked = Vec::new();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = SPACE;
        asked.extend(tools(ui, open));
        ui.add_space(SPACE);
        tool.tabs(ui, input);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let close = Command::Inspect(InspectCommand::Drawer(open));
            asked.extend(ending(ui, (close, open.row().title), true));
        });
    });
    asked
}

/// Draws the menu of the tools. Returns the command of the chosen one.
fn tools(ui: &mut Ui, open: DrawerTool) -> Option<Command> {
    let keys = Keymap::in_force(ui);
    let mut chosen = None;
    let button = Button::new((open.row().title, Symbol::Down.atom(None))).gap(2.0).min_size(vec2(0.0, CONTROL_HEIGHT));
    let (response, _) = MenuButton::from_button(button).ui(ui, |ui| {
        for row in &DRAWER_TOOLS {
            let command = Command::Inspect(InspectCommand::Drawer(row.tool));
            let item = menu_item(row.tool == open, row.title).shortcut_text(keys.key_text(command));
            if ui.add(item).on_hover_text(row.help).clicked() {
                chosen = Some(command).filter(|_| row.tool != open);
            }
        }
    });
    teach(response, open.row().title, open.row().help);
    chosen
}
