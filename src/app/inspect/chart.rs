//! Curves of a plot in the styles of the panels. A legend shows colour and dash.

use egui::{Pos2, Shape, Stroke};
use egui_plot::LineStyle;

use crate::app::widgets::theme::PanelStyle;

/// Line width of a style, in points; for dotted lines the radius of the dots.
pub(in crate::app) fn width(style: LineStyle) -> f32 {
    if matches!(style, LineStyle::Dotted { .. }) { 0.9 } else { 1.5 }
}

/// A line in the style of a panel, for a legend.
pub(in crate::app) fn stroked(path: &[Pos2], style: PanelStyle) -> Vec<Shape> {
    let stroke = Stroke::new(width(style.line), style.color);
    match style.line {
        LineStyle::Solid => vec![Shape::line(path.to_vec(), stroke)],
        LineStyle::Dotted { spacing } => Shape::dotted_line(path, style.color, spacing, stroke.width),
        LineStyle::Dashed { length } => Shape::dashed_line(path, stroke, length, 0.5 * length),
    }
}
