//! What there is room for in a header: names before controls, and controls by their importance.

use egui::{Color32, FontId, Ui};

/// The width of `text` in letters of `size` points, in whole points.
pub(in crate::app) fn text_width(ui: &Ui, text: &str, size: f32) -> f32 {
    ui.painter().layout_no_wrap(text.to_owned(), FontId::proportional(size), Color32::PLACEHOLDER).size().x.ceil()
}

/// The width of a button of that text.
pub(in crate::app) fn button_width(ui: &Ui, text: &str, size: f32) -> f32 {
    text_width(ui, text, size) + 2.0 * ui.spacing().button_padding.x
}

/// The first of `widths` that `room` holds; the last where it holds none.
pub(in crate::app) fn first_that_fits(room: f32, widths: &[f32]) -> usize {
    widths.iter().position(|width| *width <= room).unwrap_or(widths.len().saturating_sub(1))
}

/// How many of `controls`, widths with the gap to the next, stand in `room`; those behind the first that does not fit are
/// left out with it, and then `menu`, which has them, stands there too.
pub(in crate::app) fn count_that_fit(room: f32, controls: &[f32], menu: f32) -> usize {
    let fits = |count: &usize| {
        let menu = if *count == controls.len() { 0.0 } else { menu };
        controls[..*count].iter().sum::<f32>() + menu <= room
    };
    (0..=controls.len()).rev().find(fits).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_that_fits_is_taken_and_the_shortest_where_none_does() {
        let widths = [90.0, 60.0, 30.0];
        let taken = [100.0, 90.0, 89.0, 30.0, 10.0].map(|room| first_that_fits(room, &widths));
        assert_eq!(taken, [0, 0, 1, 2, 2]);
    }

    #[test]
    fn what_does_not_fit_makes_room_for_the_menu_that_has_it() {
        let controls = [40.0, 30.0, 20.0];
        let counts = [90.0, 89.0, 80.0, 79.0, 50.0, 49.0, 0.0].map(|room| count_that_fit(room, &controls, 10.0));
        assert_eq!(counts, [3, 2, 2, 1, 1, 0, 0]);
        assert_eq!(count_that_fit(50.0, &[], 10.0), 0);
    }
}
