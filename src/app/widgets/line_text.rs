//! Text in rows of several sizes and weights. All texts of a row stand on the line of its body text.

use std::sync::Arc;

use egui::emath::GuiRounding as _;
use egui::text::{LayoutJob, TextWrapping};
use egui::{Atom, Color32, FontId, Galley, Painter, Pos2, Rect, Response, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::fit::baseline;
use super::theme::{medium, text_size};

/// Weight of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum Weight {
    /// Values, captions, all else.
    Regular,
    /// Names and headings.
    Medium,
}

/// A text in a row.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct LineText<'a> {
    /// The text.
    pub(in crate::app) text: &'a str,
    /// Its size, in points.
    pub(in crate::app) size: f32,
    /// Its weight.
    pub(in crate::app) weight: Weight,
}

impl<'a> LineText<'a> {
    /// Body text of medium weight.
    pub(in crate::app) fn medium(text: &'a str) -> Self {
        Self { text, size: text_size::BODY, weight: Weight::Medium }
    }

    /// Text of regular weight.
    pub(in crate::app) fn regular(text: &'a str, size: f32) -> Self {
        Self { text, size, weight: Weight::Regular }
    }

    /// Width, rounded up to whole points.
    pub(in crate::app) fn width(self, painter: &Painter) -> f32 {
        self.within(painter, f32::INFINITY).width()
    }

    /// The text in `room` points: what does not fit is an ellipsis.
    pub(in crate::app) fn within(self, painter: &Painter, room: f32) -> LaidOutText {
        let font = match self.weight {
            Weight::Regular => FontId::proportional(self.size),
            Weight::Medium => medium(self.size),
        };
        let mut job = LayoutJob::simple_singleline(self.text.to_owned(), font, Color32::PLACEHOLDER);
        job.wrap = TextWrapping::truncate_at_width(room.max(0.0));
        LaidOutText { text: painter.layout_job(job), body: body_figure(painter) }
    }

    /// Draws the text as a label.
    pub(in crate::app) fn label(self, ui: &mut Ui, colour: Color32) -> Response {
        let text = self.within(ui.painter(), ui.available_width());
        let (rect, response) = ui.allocate_exact_size(vec2(text.width(), text.body.size().y), Sense::hover());
        text.paint(ui.painter(), rect.left_center(), colour);
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, self.text));
        response
    }
}

/// The line that the texts of a row with its middle at `y` stand on.
pub(in crate::app) fn line_of_row(painter: &Painter, y: f32) -> f32 {
    line_of(painter, &body_figure(painter), y)
}

/// A figure of body text.
fn body_figure(painter: &Painter) -> Arc<Galley> {
    painter.layout_no_wrap("0".to_owned(), FontId::proportional(text_size::BODY), Color32::PLACEHOLDER)
}

fn line_of(painter: &Painter, body: &Galley, y: f32) -> f32 {
    (y - 0.5 * body.size().y).round_to_pixels(painter.pixels_per_point()) + baseline(body)
}

/// A text that is laid out.
#[derive(Clone, Debug)]
pub(in crate::app) struct LaidOutText {
    text: Arc<Galley>,
    /// A figure of body text, whose line is that of the row.
    body: Arc<Galley>,
}

impl LaidOutText {
    /// Width, rounded up to whole points.
    pub(in crate::app) fn width(&self) -> f32 {
        self.text.size().x.ceil()
    }

    /// Paints the text from `left`, a point in the middle of its row.
    pub(in crate::app) fn paint(&self, painter: &Painter, left: Pos2, colour: Color32) {
        let line = line_of(painter, &self.body, left.y);
        painter.galley(pos2(left.x, line - baseline(&self.text)), self.text.clone(), colour);
    }

    /// Paints the text with its ink in the middle of `place`.
    pub(in crate::app) fn paint_centred(&self, painter: &Painter, place: Rect, colour: Color32) {
        let corner = place.center() - self.text.mesh_bounds.center().to_vec2();
        painter.galley(corner, self.text.clone(), colour);
    }

    /// The text as a part of a button, in `colour`.
    pub(in crate::app) fn atom(self, colour: Color32) -> Atom<'static> {
        Atom::paint(vec2(self.width(), self.body.size().y), move |ui, args| {
            self.paint(ui.painter(), args.rect.left_center(), colour);
        })
    }
}
