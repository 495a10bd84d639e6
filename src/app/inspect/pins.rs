//! Pins: marks in every panel, and a list of every panel's values at each pin.

use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, Vec2, vec2};

use super::loupe::LoupePlace;
use super::panel_transform::PanelTransform;
use super::patch::{centred_on, unmapped};
use crate::app::session::{PanelId, Session};
use crate::app::widgets::theme::text_size;
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

/// Radius of a mark, in points.
const RADIUS: f32 = 5.0;
/// Colour of the line from pin to pin: it is seen on black and on white.
const JOINED: Color32 = Color32::from_rgb(255, 190, 60);
/// Widths of the line from pin to pin and of its outline, in points, and the distance of its ends from the pins.
const LINE: f32 = 2.5;
const OUTLINE: f32 = 5.0;
const GAP: f32 = RADIUS + 2.0;
/// Distance of a number from the centre of its mark, in points.
const NUMBER_OFFSET: Vec2 = vec2(8.0, 4.0);

/// Paints numbered marks of the pins in one panel. A loupe shows the pins among its pixels, and hides others that it covers.
pub(super) fn paint(painter: &Painter, pins: &[[f64; 2]], transform: &PanelTransform, loupe: Option<&LoupePlace>) {
    let room = transform.rect();
    let covered = loupe.map_or(Rect::NOTHING, LoupePlace::covered);
    for (number, pin) in pins.iter().enumerate() {
        let pos = transform.pos(*pin);
        if let Some(pos) = loupe.and_then(|loupe| loupe.enlarged(pos)) {
            paint_one(painter, (number, pos), |_| true);
        }
        if room.contains(pos) && !covered.intersects(Rect::from_center_size(pos, Vec2::splat(2.0 * RADIUS))) {
            paint_one(painter, (number, pos), |rect| room.contains_rect(rect) && !covered.intersects(rect));
        }
    }
}

/// Paints a line from each pin to the next in one panel.
pub(super) fn join(painter: &Painter, pins: &[[f64; 2]], transform: &PanelTransform) {
    let places: Vec<Pos2> = pins.iter().map(|pin| transform.pos(*pin)).collect();
    for stroke in [Stroke::new(OUTLINE, Color32::from_black_alpha(160)), Stroke::new(LINE, JOINED)] {
        for pair in places.windows(2) {
            let way = pair[1] - pair[0];
            if way.length() > 2.0 * GAP {
                let gap = way.normalized() * GAP;
                painter.add(Shape::line_segment([pair[0] + gap, pair[1] - gap], stroke));
            }
        }
    }
}

/// Paints a mark at `pos` with its number in the first corner around it whose rectangle `is_free`.
fn paint_one(painter: &Painter, (number, pos): (usize, Pos2), is_free: impl Fn(Rect) -> bool) {
    painter.circle_stroke(pos, RADIUS, Stroke::new(3.0, Color32::from_black_alpha(180)));
    painter.circle_stroke(pos, RADIUS, Stroke::new(1.5, Color32::WHITE));
    let galley =
        painter.layout_no_wrap((number + 1).to_string(), FontId::proportional(text_size::VALUE), Color32::WHITE);
    let corner = |anchor: Align2, side: Vec2| anchor.anchor_size(pos + side * NUMBER_OFFSET, galley.size());
    let corners = [
        corner(Align2::LEFT_BOTTOM, vec2(1.0, -1.0)),
        corner(Align2::RIGHT_BOTTOM, vec2(-1.0, -1.0)),
        corner(Align2::LEFT_TOP, vec2(1.0, 1.0)),
        corner(Align2::RIGHT_TOP, vec2(-1.0, 1.0)),
    ];
    let around = |rect: Rect| rect.expand2(vec2(3.0, 0.0));
    let rect = corners.into_iter().find(|rect| is_free(around(*rect))).unwrap_or(corners[0]);
    painter.rect_filled(around(rect), 3.0, Color32::from_black_alpha(180));
    painter.galley(rect.min, galley, Color32::WHITE);
}
