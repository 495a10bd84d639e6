//! The hint over the first panel of the opening detail.

use egui::{Align, Color32, FontId, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::app::session::Session;
use crate::app::widgets::theme::SPACE;

/// Text sizes of the two lines, in points.
const SIZES: [f32; 2] = [13.0, 12.0];

/// Draws the hint at the lower edge of `picture`, until the opening detail was left.
pub(super) fn show(ui: &mut Ui, session: &Session, picture: Rect) {
    let Some(lines) = session.hint() else {
        return;
    };
    let margin = vec2(3.0 * SPACE, 2.0 * SPACE);
    let room = picture.shrink(2.0 * SPACE);
    let colours = [Color32::WHITE, Color32::from_gray(200)];
    let galley = |line: usize| {
        let mut job = egui::text::LayoutJob::simple(
            lines[line].clone(),
            FontId::proportional(SIZES[line]),
            colours[line],
            room.width() - 2.0 * margin.x,
        );
        job.halign = Align::Center;
        ui.fonts_mut(|fonts| fonts.layout_job(job))
    };
    let galleys = [0, 1].map(galley);
    let text = vec2(galleys[0].size().x.max(galleys[1].size().x), galleys[0].size().y + SPACE + galleys[1].size().y);
    // The second line is shown where it fits into one row.
    let has_both = galleys[1].rows.len() == 1;
    let text = if has_both { text } else { galleys[0].size() };
    let size = text + 2.0 * margin;
    if size.x > room.width() || size.y > room.height() / 2.0 {
        return;
    }
    let plate = Rect::from_min_size(pos2(room.center().x - size.x / 2.0, room.bottom() - size.y), size);
    let response = ui.interact(plate, ui.scope_id().with("hint"), Sense::hover());
    let label = lines.join(". ");
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &label));
    let painter = ui.painter().with_clip_rect(picture);
    painter.rect_filled(plate, 6.0, Color32::from_black_alpha(210));
    let mut top = plate.top() + margin.y;
    for galley in galleys.into_iter().take(if has_both { 2 } else { 1 }) {
        let height = galley.size().y;
        painter.galley(pos2(plate.center().x, top), galley, Color32::WHITE);
        top += height + SPACE;
    }
}
