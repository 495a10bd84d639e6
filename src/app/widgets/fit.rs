//! Selection of header contents by available width: names before controls, controls by importance. Lines of text of several
//! sizes.

use egui::{Color32, FontId, Galley, Rangef, Ui};

/// Width of `text` at font size `size`, rounded up to whole points.
pub(in crate::app) fn text_width(ui: &Ui, text: &str, size: f32) -> f32 {
    ui.painter().layout_no_wrap(text.to_owned(), FontId::proportional(size), Color32::PLACEHOLDER).size().x.ceil()
}

/// Width of a button with this text.
pub(in crate::app) fn button_width(ui: &Ui, text: &str, size: f32) -> f32 {
    text_width(ui, text, size) + 2.0 * ui.spacing().button_padding.x
}

/// Distance of the line that the first row of `text` stands on below the top, in points. Texts of several sizes beside each other
/// stand on one line.
pub(in crate::app) fn baseline(text: &Galley) -> f32 {
    let row = text.rows.first();
    row.and_then(|row| Some(row.pos.y + row.glyphs.first()?.pos.y)).unwrap_or(text.size().y)
}

/// Index of the first of `widths` that fits into `room`; of the last if none fits.
pub(in crate::app) fn first_that_fits(room: f32, widths: &[f32]) -> usize {
    widths.iter().position(|width| *width <= room).unwrap_or(widths.len().saturating_sub(1))
}

/// Number of `controls`, widths including gaps, that fit into `room`. The controls from the first that does not fit are
/// omitted; then `menu`, which contains them, must fit too.
pub(in crate::app) fn count_that_fit(room: f32, controls: &[f32], menu: f32) -> usize {
    let fits = |count: &usize| {
        let menu = if *count == controls.len() { 0.0 } else { menu };
        controls[..*count].iter().sum::<f32>() + menu <= room
    };
    (0..=controls.len()).rev().find(fits).unwrap_or(0)
}

/// Left end of a text of `width` points below a plot between `ends`: its middle is at `x`, unless it would leave the plot.
pub(in crate::app) fn left_below(ends: Rangef, x: f32, width: f32) -> f32 {
    (x - 0.5 * width).clamp(ends.min, (ends.max - width).max(ends.min))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_width_that_fits_is_chosen_else_the_last() {
        let widths = [90.0, 60.0, 30.0];
        let taken = [100.0, 90.0, 89.0, 30.0, 10.0].map(|room| first_that_fits(room, &widths));
        assert_eq!(taken, [0, 0, 1, 2, 2]);
    }

    #[test]
    fn omitted_controls_leave_room_for_the_menu() {
        let controls = [40.0, 30.0, 20.0];
        let counts = [90.0, 89.0, 80.0, 79.0, 50.0, 49.0, 0.0].map(|room| count_that_fit(room, &controls, 10.0));
        assert_eq!(counts, [3, 2, 2, 1, 1, 0, 0]);
        assert_eq!(count_that_fit(50.0, &[], 10.0), 0);
    }
}
