//! Styles of the curves of a plot. Colours and dashes distinguish the curves; a legend shows both.

use egui::{Color32, Pos2, Shape, Stroke};
use egui_plot::LineStyle;

/// A palette for colour-blind viewers (Okabe and Ito 2008), of medium brightness for both themes.
const COLOURS: [Color32; 5] = [
    Color32::from_rgb(0, 134, 200),
    Color32::from_rgb(224, 124, 0),
    Color32::from_rgb(0, 158, 115),
    Color32::from_rgb(204, 100, 160),
    Color32::from_rgb(140, 140, 140),
];
/// Line styles, lengths in points.
const STYLES: [LineStyle; 4] = [
    LineStyle::Solid,
    LineStyle::Dashed { length: 8.0 },
    LineStyle::Dotted { spacing: 4.0 },
    LineStyle::Dashed { length: 14.0 },
];

/// Style of curve `index`.
pub(super) fn style(index: usize) -> (Color32, LineStyle) {
    (COLOURS[index % COLOURS.len()], STYLES[index % STYLES.len()])
}

/// Line width of a style, in points; for dotted lines the radius of the dots.
pub(super) fn width(style: LineStyle) -> f32 {
    if matches!(style, LineStyle::Dotted { .. }) { 0.9 } else { 1.5 }
}

/// A line in the style of curve `index`, for a legend.
pub(super) fn stroked(path: &[Pos2], index: usize) -> Vec<Shape> {
    let (colour, style) = style(index);
    let stroke = Stroke::new(width(style), colour);
    match style {
        LineStyle::Solid => vec![Shape::line(path.to_vec(), stroke)],
        LineStyle::Dotted { spacing } => Shape::dotted_line(path, colour, spacing, stroke.width),
        LineStyle::Dashed { length } => Shape::dashed_line(path, stroke, length, 0.5 * length),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nine_curves_have_distinct_styles() {
        let styles: Vec<_> = (0..9).map(style).collect();
        for (index, style) in styles.iter().enumerate() {
            assert!(!styles[..index].contains(style), "{index}");
        }
    }
}
