//! The place of a list: over the panels, below their first headers, beside the panel that it changes or where it covers least of it. What is
//! behind such a list is not dimmed: the panel shows what the list does, among the others.

use egui::{Align2, Color32, Id, Modal, Rangef, Rect, Ui, vec2};

use super::modal;
use crate::app::widgets::theme::SPACE;

/// Greatest width, in points, and that of a list beside a panel, or over a part of it.
const WIDEST: f32 = 760.0;
const WIDEST_BESIDE: f32 = 640.0;
/// Least distance from the sides of the panels, in points. Where this leaves less than the least width, the list is over the
/// whole window.
const SIDE: f32 = 4.0 * SPACE;
const LEAST_WIDTH: f32 = 480.0;
/// Distance of a list beside a panel from that panel and from the side, and its least width, in points.
const BESIDE: f32 = 3.0 * SPACE;
const LEAST_BESIDE: f32 = 440.0;
/// Share of the panels' width from which on a panel cannot be left free.
const WIDE: f32 = 0.75;

/// The panels in the window.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct PanelRects {
    /// All of them, without the first row of headers.
    pub(in crate::app) all: Rect,
    /// The focused one with its header; `None` if it is not seen alone.
    pub(in crate::app) focused: Option<Rect>,
}

/// The place of a list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ListPlace {
    /// Left and right edge, and top, in points.
    across: Rangef,
    top: f32,
}

impl ListPlace {
    /// The place in `window`: in the middle of the panels, or at the end of them at which it covers less of the focused one.
    pub(super) fn of(panels: PanelRects, window: Rect) -> Self {
        let PanelRects { all, focused } = panels;
        let over = if all.width() - 2.0 * SIDE >= LEAST_WIDTH { all } else { window };
        let free = focused.filter(|rect| rect.width() < WIDE * over.width());
        let widest = if free.is_some() { WIDEST_BESIDE } else { WIDEST };
        let widest = widest.min(over.width() - 2.0 * SIDE);
        // A narrower list covers nothing of the panel.
        let beside = free.map(|free| (free.left() - over.left()).max(over.right() - free.right()) - 2.0 * BESIDE);
        let beside = beside.filter(|beside| (LEAST_BESIDE..widest).contains(beside));
        let (width, side) = beside.map_or((widest.floor(), SIDE), |beside| (beside.floor(), BESIDE));
        let [first, last] = [over.left() + side, over.right() - side - width];
        let covered =
            |left: f32| free.map_or(0.0, |free| (free.right().min(left + width) - free.left().max(left)).max(0.0));
        let middle = over.center().x - 0.5 * width;
        let left = [first, last]
            .into_iter()
            .fold(middle, |best, left| if covered(left) < covered(best) - 0.5 { left } else { best });
        Self { across: Rangef::new(left.round(), left.round() + width), top: (all.top() + 2.0 * SPACE).round() }
    }

    /// Width, in points.
    pub(super) fn width(&self) -> f32 {
        self.across.span()
    }

    /// A modal dialog here, which dims what is behind it if it `dims`.
    pub(super) fn modal(&self, ui: &Ui, id: Id, dims: bool) -> Modal {
        let window = ui.content_rect();
        let area = Modal::default_area(id);
        let area = area.anchor(Align2::LEFT_TOP, vec2(self.across.min - window.left(), self.top - window.top()));
        let modal = modal::modal(ui, id).area(area);
        if dims { modal } else { modal.backdrop_color(Color32::TRANSPARENT) }
    }
}

#[cfg(test)]
mod tests {
    use egui::pos2;

    use super::*;

    /// Of every panel of a grid: the list is within the window, and of the places that it may have none covers less of the panel.
    #[test]
    fn list_covers_as_little_as_possible_of_the_panel_that_it_changes() {
        let mut beside = 0;
        for (window, side_bar) in [([1280.0, 860.0], 264.0), ([640.0, 440.0], 0.0), ([1920.0, 1000.0], 264.0)] {
            let window = Rect::from_min_max(pos2(0.0, 0.0), pos2(window[0], window[1]));
            let all = Rect::from_min_max(pos2(0.0, 100.0), pos2(window.right() - side_bar, window.bottom() - 28.0));
            for columns in 1..=4_u8 {
                let width = all.width() / f32::from(columns);
                for column in 0..columns {
                    let left = all.left() + width * f32::from(column);
                    let focused = Rect::from_x_y_ranges(left..=left + width, all.y_range());
                    let place = ListPlace::of(PanelRects { all, focused: Some(focused) }, window);
                    assert!(place.across.min >= 0.0 && place.across.max <= window.right(), "{place:?}");
                    assert!(place.width() >= LEAST_BESIDE && place.top > all.top(), "{place:?}");
                    let covered =
                        |left: f32| (focused.right().min(left + place.width()) - focused.left().max(left)).max(0.0);
                    if columns == 1 {
                        continue;
                    }
                    let last = all.right() - SIDE - place.width();
                    for other in [all.left() + SIDE, all.center().x - 0.5 * place.width(), last] {
                        assert!(covered(place.across.min) <= covered(other) + 1.5, "{place:?} {other}");
                    }
                    beside += usize::from(covered(place.across.min) == 0.0);
                }
            }
        }
        assert!(beside > 5, "{beside}");
        let all = Rect::from_min_max(pos2(0.0, 100.0), pos2(1016.0, 832.0));
        let place = ListPlace::of(PanelRects { all, focused: None }, all);
        assert_eq!(place.across, Rangef::new(128.0, 888.0), "in the middle");
        let first = Rect::from_min_max(pos2(0.0, 70.0), pos2(506.0, 450.0));
        let place = ListPlace::of(PanelRects { all, focused: Some(first) }, all);
        assert!(place.across.min > 506.0 && place.width() >= LEAST_BESIDE, "beside: {place:?}");
    }
}
