//! Overlays of the interpolated field: whether it keeps its samples, where it leaves their range, how smooth it is.
//!
//! A thread measures what the visible panels show; while the view moves, the last measurement stays at its place in the image.

mod caption;
mod lens;
mod marks;
mod overshoot;
mod picture;
mod sample_check;
#[cfg(test)]
mod tests;
mod work;

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::{Context, Painter, Ui};

use self::caption::Caption;
use self::marks::Sprites;
use self::picture::OverlayPicture;
use self::work::{FieldKey, FieldMeasure, FieldRequest, FieldWork, Layer, PictureRequest};
use super::panel_thread::{Measured, PanelThread};
use super::panel_transform::PanelTransform;
use crate::app::session::{PanelId, Session};
use crate::backend::{BackendError, Content};
use crate::image::Image;
use crate::lab::field::Overshoot;

/// The overlays of the panels.
#[derive(Default)]
pub(in crate::app) struct FieldOverlays {
    thread: Option<PanelThread<FieldWork>>,
    measured: BTreeMap<(PanelId, Layer), Measured<FieldWork>>,
    pictures: BTreeMap<(PanelId, Layer), OverlayPicture>,
    sprites: Option<Sprites>,
}

impl FieldOverlays {
    /// Has the visible panels measured for the overlays that are on.
    pub(super) fn update(&mut self, session: &Session, transforms: &[PanelTransform], ctx: &Context) {
        let wanted: Vec<(FieldKey, Arc<Image>)> = transforms.iter().flat_map(|shown| wanted(session, shown)).collect();
        if wanted.is_empty() {
            // Without a thread nothing is measured.
            *self = Self::default();
            return;
        }
        let is_wanted = |place: &(PanelId, Layer)| wanted.iter().any(|(key, _)| key.place() == *place);
        self.measured.retain(|place, _| is_wanted(place));
        self.pictures.retain(|place, _| is_wanted(place));
        let thread = self.thread.get_or_insert_with(|| PanelThread::new(ctx.clone()));
        for mut measured in thread.take() {
            let place = measured.key.place();
            if !is_wanted(&place) {
                continue;
            }
            let picture = measured.found.as_mut().ok().and_then(FieldMeasure::take_picture);
            match picture {
                Some(picture) => drop(self.pictures.insert(place, OverlayPicture::new(picture, ctx))),
                None => drop(self.pictures.remove(&place)),
            }
            self.measured.insert(place, measured);
        }
        let is_missing = |(key, _): &(FieldKey, Arc<Image>)| {
            self.measured.get(&key.place()).is_none_or(|measured| measured.key != *key)
        };
        let mut missing: Vec<_> = wanted.into_iter().filter(is_missing).collect();
        // No panel waits forever while the view moves.
        missing.sort_by_key(|(key, _)| self.measured.get(&key.place()).map(|measured| measured.at));
        thread.want(missing);
    }

    /// Whether nothing is being measured.
    pub(in crate::app) fn is_idle(&self) -> bool {
        self.thread.as_ref().is_none_or(PanelThread::is_idle)
    }

    /// Paints the overlays of one panel.
    pub(super) fn paint(&mut self, painter: &Painter, session: &Session, transform: &PanelTransform) {
        for (key, _) in wanted(session, transform) {
            let place = key.place();
            let Some(measured) = self.measured.get(&place).filter(|measured| measured.key.page == key.page) else {
                continue;
            };
            if let (Some(picture), Some(request)) = (self.pictures.get(&place), measured.key.request.picture()) {
                picture.paint(
                    painter,
                    (transform, session.page_of(transform.panel).size()),
                    request,
                    measured.key == key,
                );
            }
            match &measured.found {
                Ok(FieldMeasure::Samples(check)) => {
                    let sprites = Sprites::of(&mut self.sprites, painter, transform.pixels_per_point);
                    sample_check::paint(painter, session, (check, sprites), transform);
                }
                // Labels are at pixels.
                Ok(FieldMeasure::Lens(lens)) if measured.key == key => lens.paint_labels(painter, transform),
                Ok(FieldMeasure::Overshoot(..) | FieldMeasure::Lens(_)) | Err(_) => {}
            }
        }
    }

    /// Draws what the overlays of one panel count.
    pub(super) fn show_captions(&self, ui: &Ui, session: &Session, transform: &PanelTransform) {
        let caption = |(key, _): (FieldKey, _)| {
            let measured = self.measured.get(&key.place()).filter(|measured| measured.key.page == key.page);
            match measured.map(|measured| &measured.found) {
                None => pending(key.request.title()),
                Some(Err(error)) => failed(key.request.title(), error),
                Some(Ok(FieldMeasure::Samples(check))) => sample_check::caption(check),
                Some(Ok(FieldMeasure::Overshoot(overshoot, _))) => overshoot::caption(overshoot),
                Some(Ok(FieldMeasure::Lens(lens))) => lens.caption(),
            }
        };
        let captions: Vec<Caption> = wanted(session, transform).into_iter().map(caption).collect();
        caption::show(ui, transform, &captions);
    }
}

/// The caption of a measurement that is under way.
fn pending(title: &'static str) -> Caption {
    Caption { title, texts: vec!["…".to_owned()], help: "It is being measured".to_owned() }
}

/// The caption of a measurement that failed.
fn failed(title: &'static str, error: &BackendError) -> Caption {
    Caption { title, texts: vec![error.short().to_owned()], help: error.to_string() }
}

/// What the overlays that are on show of one picture, the lowest first.
fn wanted(session: &Session, transform: &PanelTransform) -> Vec<(FieldKey, Arc<Image>)> {
    let index = transform.panel;
    let panel = &session.panels()[index];
    let state = &session.inspect.state;
    // Of a warped picture the samples are elsewhere, and slopes are those of the warp as well.
    if panel.content == Content::Truth || !panel.warp.is_none() {
        return Vec::new();
    }
    let picture = || PictureRequest {
        request: Overshoot::request(&session.request(index)),
        pixels_per_point: transform.pixels_per_point,
    };
    let requests = [
        state.lens.map(|lens| FieldRequest::Lens(lens, picture())),
        state.marks_overshoot.then(|| FieldRequest::Overshoot(picture())),
        state.checks_samples.then(|| sample_check::request(session, transform)).flatten().map(FieldRequest::Samples),
    ];
    let key = |request| FieldKey { panel: panel.id(), page: session.page_of(index).id(), request };
    requests.into_iter().flatten().map(|request| (key(request), session.image_of(index).clone())).collect()
}
