//! What every tool of the drawer does.

use egui::{Button, Context, Response, RichText, Role, Stroke, Ui, WidgetInfo, vec2};

use crate::app::commands::Command;
use crate::app::inspect::PanelTransform;
use crate::app::render::gl::Canvas;
use crate::app::session::Session;
use crate::app::session::unit::Unit;
use crate::app::widgets::tab as tab_mark;
use crate::app::widgets::theme::{CONTROL_HEIGHT, Palette};
use crate::backend::BackendKind;
use crate::plots::Chart;

/// Room for the buttons at the right of the drawer's header, in points.
pub(super) const BUTTONS: f32 = 120.0;

/// What a tool draws and changes.
pub(super) struct ToolInput<'a> {
    /// The session, which keeps the tool's state.
    pub(super) session: &'a mut Session,
    /// The backend in use.
    pub(super) backend: BackendKind,
    /// The unit of values.
    pub(super) unit: Unit,
    /// The window's OpenGL.
    pub(super) canvas: Option<&'a Canvas>,
}

/// A tool of the drawer. Its state that a session keeps is in [`InspectState`](crate::app::session::inspect::InspectState);
/// the tool has what it computed.
pub(super) trait Tool {
    /// Draws its tabs and controls into the drawer's header, from the left.
    fn tabs(&mut self, ui: &mut Ui, input: &mut ToolInput<'_>);

    /// Whether it works on the focused panel's image.
    fn needs_image(&self) -> bool {
        true
    }

    /// Draws its contents below. Returns the commands of its buttons.
    fn contents(&mut self, ui: &mut Ui, input: &mut ToolInput<'_>) -> Vec<Command>;

    /// Name of a file of its chart, without an ending.
    fn file_stem(&self, session: &Session) -> String;

    /// What it shows, as a chart.
    ///
    /// # Errors
    /// Why there is none, in a sentence: it is not computed yet, or cannot be.
    fn chart(&mut self, ctx: &Context, session: &Session, backend: BackendKind) -> Result<Chart, String>;

    /// Whether everything that it shows is computed.
    fn is_idle(&self) -> bool;

    /// Drops its work: the drawer is closed or shows another tool.
    fn rest(&mut self);

    /// Paints over the pictures.
    fn over_pictures(&mut self, _ui: &Ui, _session: &Session, _transforms: &[PanelTransform]) {}
}

/// Draws a tab named `name` for assistive technology.
pub(super) fn tab(ui: &mut Ui, text: &str, name: &str, is_open: bool) -> Response {
    let palette = Palette::of_ui(ui);
    let colour = if is_open { palette.text } else { palette.weak };
    let button = Button::new(RichText::new(text).color(colour)).stroke(Stroke::NONE).frame_when_inactive(false);
    let response = ui.add(button.min_size(vec2(0.0, CONTROL_HEIGHT)));
    if is_open {
        tab_mark::open_line(ui, response.rect);
    }
    response.widget_info(|| WidgetInfo::selected(Role::Tab, true, is_open, name));
    response
}

/// Adds a tooltip with a title and a sentence.
pub(super) fn teach(response: Response, title: &str, help: &str) -> Response {
    response.on_hover_ui(|ui| {
        ui.set_max_width(320.0);
        ui.label(RichText::new(title).strong());
        ui.label(help);
    })
}
