//! Pins: marks in every panel, and a list of every panel's values at each pin.

use egui::{Align2, Color32, FontId, Painter, Stroke};

use super::panel_transform::PanelTransform;
use super::patch::{centred_on, unmapped};
use crate::app::session::{PanelId, Session};
use crate::backend::{self, Backend, PixelFormat, RenderRequest};
use crate::image::{Depth, PageId};

/// Values of the panels at each pin, with the requests that they are of.
#[derive(Default)]
pub(in crate::app) struct PinValues {
    found_for: Option<PinsKey>,
    /// For each pin, the values of each visible panel; empty if it could not be rendered. A panel may have been closed
    /// since.
    pub(in crate::app) values: Vec<Vec<(PanelId, Vec<f32>)>>,
}

#[derive(PartialEq)]
struct PinsKey {
    pins: Vec<[f64; 2]>,
    requests: Vec<(PanelId, PageId, RenderRequest)>,
}

impl PinValues {
    /// Invalidates the values.
    pub(super) fn forget(&mut self) {
        self.found_for = None;
    }

    /// Updates the values if the pins or the panels changed. Returns `true` if they were updated.
    pub(super) fn update(&mut self, session: &Session, backend: &mut dyn Backend) -> bool {
        let pins = session.inspect.state.pins.clone();
        let request = |index: usize| {
            let id = session.panels()[index].id();
            (id, session.page_of(index).id(), unmapped(&session.request(index)))
        };
        let seen = if pins.is_empty() { Vec::new() } else { session.visible() };
        let asked = PinsKey { pins, requests: seen.into_iter().map(request).collect() };
        if self.found_for.as_ref() == Some(&asked) {
            return false;
        }
        let mut values = |panel: PanelId, request: &RenderRequest, pin: [f64; 2]| {
            let index = session.index_of(panel)?;
            let request = centred_on(request, session.page_of(index).size(), pin, 1)?;
            let format = PixelFormat::file(Depth::Float);
            let pixel = backend::render(backend, session.image_of(index), &request, format).ok()?;
            Some((0..pixel.channels().count()).map(|channel| pixel.number(0, 0, channel)).collect())
        };
        let mut of_pin = |pin: &[f64; 2]| {
            let of_panel = |(panel, _, request): &(PanelId, PageId, RenderRequest)| {
                (*panel, values(*panel, request, *pin).unwrap_or_default())
            };
            asked.requests.iter().map(of_panel).collect()
        };
        self.values = asked.pins.iter().map(&mut of_pin).collect();
        self.found_for = Some(asked);
        true
    }
}

/// Paints numbered marks of the pins in one panel.
pub(super) fn paint(painter: &Painter, pins: &[[f64; 2]], transform: &PanelTransform) {
    for (number, pin) in pins.iter().enumerate() {
        let pos = transform.pos(*pin);
        if !transform.rect().contains(pos) {
            continue;
        }
        painter.circle_stroke(pos, 5.0, Stroke::new(3.0, Color32::from_black_alpha(180)));
        painter.circle_stroke(pos, 5.0, Stroke::new(1.5, Color32::WHITE));
        let font = FontId::proportional(12.0);
        let text = (number + 1).to_string();
        let galley = painter.layout_no_wrap(text, font, Color32::WHITE);
        let rect = Align2::LEFT_BOTTOM.anchor_size(pos + egui::vec2(8.0, -4.0), galley.size());
        painter.rect_filled(rect.expand2(egui::vec2(3.0, 0.0)), 3.0, Color32::from_black_alpha(180));
        painter.galley(rect.min, galley, Color32::WHITE);
    }
}
