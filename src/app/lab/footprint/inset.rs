//! The neighbourhood of the pixel, enlarged, where the picture shows its samples too small.

use egui::{Color32, Pos2, Rect, Role, Sense, Ui, Vec2, WidgetInfo, pos2, vec2};

use super::drawing::Drawing;
use crate::app::widgets::theme::{Palette, SMALL_RADIUS};
use crate::backend::{Display, mapped_value};
use crate::lab::footprint::{Footprint, Tap};

/// Largest number of taps along an axis that are drawn.
const MOST_TAPS: usize = 40;
/// Largest side of a sample, in points.
const MOST_SIDE: f32 = 60.0;

/// Draws the samples with their discs into a square of `side` points. The disc of the largest weight fills its cell: antialiased
/// pixels have small weights only.
pub(super) fn show(ui: &mut Ui, footprint: &Footprint, display: &Display, side: f32) {
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(side), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, "Samples of the pixel, enlarged"));
    let palette = Palette::of_ui(ui);
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.rect_filled(rect, SMALL_RADIUS, palette.field);
    let counts = footprint.axes.each_ref().map(|axis| axis.taps.len());
    let most = counts[0].max(counts[1]);
    if most == 0 || most > MOST_TAPS {
        return;
    }
    let cell = ((side - 8.0) / most as f32).min(MOST_SIDE);
    let first = footprint.axes.each_ref().map(|axis| axis.taps.first().map_or(0, |tap| tap.index) as f64);
    let corner = rect.center() - vec2(counts[0] as f32, counts[1] as f32) * 0.5 * cell;
    let pos = |[x, y]: [f64; 2]| -> Pos2 {
        let cells = [x - first[0] + 0.5, y - first[1] + 0.5].map(|cells| cells as f32 * cell);
        pos2(corner.x + cells[0], corner.y + cells[1])
    };
    for row in 0..counts[1] {
        for column in 0..counts[0] {
            let place = corner + vec2(column as f32, row as f32) * cell;
            let colour = colour_of(footprint, [column, row], display);
            painter.rect_filled(Rect::from_min_size(place, Vec2::splat(cell)).shrink(0.5), 0.0, colour);
        }
    }
    let drawing =
        Drawing { footprint, pos: &pos, side: cell, full_weight: largest_weight(footprint), has_values: false };
    drawing.paint(&painter);
}

/// The largest magnitude of a weight.
fn largest_weight(footprint: &Footprint) -> f64 {
    let of_axis = |taps: &[Tap]| taps.iter().fold(0.0_f64, |most, tap| most.max(tap.weight.abs()));
    footprint.axes.iter().map(|axis| of_axis(&axis.taps)).product()
}

/// The colour of a tap's value as the panel displays it.
fn colour_of(footprint: &Footprint, tap: [usize; 2], display: &Display) -> Color32 {
    let tone = display.tone();
    let value = |channel: usize| tone.apply(footprint.value(tap, channel) as f32);
    let toned: Vec<f32> = (0..footprint.channels.opaque().count()).map(value).collect();
    let [red, green, blue] = match toned[..] {
        [red, green, blue] if display.colour_map.is_grey() => [red, green, blue],
        _ => display.colour_map.colour(mapped_value(&toned)),
    };
    // The conversion saturates.
    let byte = |value: f32| (value * 255.0 + 0.5) as u8;
    Color32::from_rgb(byte(red), byte(green), byte(blue))
}
