//! Handles of a warp over a picture: the corners of a perspective, the points of a lattice with the lines between them.

use egui::{Color32, Painter, Pos2, Stroke};

use super::panel_transform::PanelTransform;
use crate::app::session::Session;
use crate::warp::Warp;

/// Distance from a handle within which a press takes it, in points.
const REACH: f32 = 12.0;
/// Radius of a handle, in points.
const RADIUS: f32 = 4.5;

/// Window positions of the handles of a panel's warp.
fn positions(session: &Session, transform: &PanelTransform) -> Vec<Pos2> {
    let size = session.page_of(transform.panel).size();
    let sides = [size.width(), size.height()].map(f64::from);
    let place = |handle: [f64; 2]| [0, 1].map(|axis| handle[axis] * sides[axis] - 0.5);
    session.panels()[transform.panel].warp.handles().into_iter().map(|handle| transform.pos(place(handle))).collect()
}

/// Index of the handle nearest to a window position, within reach.
pub(super) fn at(session: &Session, transform: &PanelTransform, pos: Pos2) -> Option<usize> {
    let distances = positions(session, transform).into_iter().map(|handle| handle.distance(pos)).enumerate();
    let nearest = distances.min_by(|a, b| a.1.total_cmp(&b.1));
    nearest.filter(|(_, distance)| *distance <= REACH).map(|(index, _)| index)
}

/// Paints the handles and the lines between neighbours.
pub(super) fn paint(painter: &Painter, session: &Session, transform: &PanelTransform) {
    let handles = positions(session, transform);
    let columns = match &session.panels()[transform.panel].warp {
        Warp::Grid(lattice) => lattice.size()[0] as usize,
        Warp::Perspective(_) => 0,
        Warp::None | Warp::Lens { .. } | Warp::Swirl { .. } => return,
    };
    let mut lines = Vec::new();
    for (index, &handle) in handles.iter().enumerate() {
        if columns == 0 {
            lines.push([handle, handles[(index + 1) % handles.len()]]);
            continue;
        }
        if (index + 1) % columns != 0 {
            lines.push([handle, handles[index + 1]]);
        }
        lines.extend(handles.get(index + columns).map(|&below| [handle, below]));
    }
    for stroke in [Stroke::new(3.0, Color32::from_black_alpha(110)), Stroke::new(1.0, Color32::from_white_alpha(170))] {
        for line in &lines {
            painter.line_segment(*line, stroke);
        }
    }
    for handle in handles {
        painter.circle(handle, RADIUS, Color32::WHITE, Stroke::new(1.5, Color32::from_black_alpha(190)));
    }
}
