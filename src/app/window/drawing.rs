//! The panels of a frame: their places, their pictures, and who rendered them.

use std::time::{Duration, Instant};

use egui::{Rect, Ui};

use super::start_times::DrawnPictures;
use super::{Lerpscope, ground};
use crate::app::bars::panel_values::ValueForm;
use crate::app::commands::Command;
use crate::app::dialogs::{MissingImage, show_missing_image};
use crate::app::inspect::PanelTransform;
use crate::app::inspect::inset::Insets;
use crate::app::inspect::overlays::OverlayInput;
use crate::app::panels::{self, BesideName, Headers, LookForm, Outcome, PanelContext, colour_bar, compare, header};
use crate::app::render::picture::{Picture, RenderContext, check_shared, draw_queued};
use crate::app::render::texture_sharing::PresentMode;
use crate::app::render::worker::{Client, WorkerBackend};
use crate::app::session::PanelArea;
use crate::app::session::layout::{PanelPlacement, PixelBounds, Spacing};
use crate::app::widgets::pixel_rect::PixelRect;
use crate::app::widgets::theme::SPACE;
use crate::arguments;
use crate::backend::{Backend as _, BackendKind, RenderRequest, RenderTimer as _};

/// Margin of a fitted picture at each side, in points: the line around the picture is seen on all sides.
const FIT_MARGIN: f32 = 2.0 * SPACE;
/// Gap between two panels of a row, in points: the line between them.
const GAP: f32 = 1.0;
/// Least width and height of a picture whose header can be read, in points, where the window has room for them.
const READABLE: [f32; 2] = [200.0, 120.0];
/// Width of the narrowest picture from which on headers say in a few words how their pictures look, and in one or two, in points.
const LOOK_FROM: f32 = 400.0;
const SHORT_LOOK_FROM: f32 = 300.0;
/// Heights of a picture at which a grid over a drawer leaves its columns, and from which on it has them again, in points.
const KEPT: [f32; 2] = [160.0, 184.0];

impl Lerpscope {
    /// Renders and draws the panels, and everything over them but the dialogs. Returns the place of the focused panel with its header; `None` if its
    /// picture is not seen alone.
    pub(super) fn show_panels(&mut self, ui: &mut Ui) -> Option<Rect> {
        let within = ui.available_rect_before_wrap();
        let places = self.place_panels(ui, within);
        ground::paint(ui, within, &places);
        if let Some(place) = places.first() {
            let margin_px = (FIT_MARGIN * ui.pixels_per_point()).round() as u32;
            self.session.resize_with_margin(place.picture.size, margin_px);
            self.session.set_pixels_per_point(f64::from(ui.pixels_per_point()));
        }
        let has_insets = self.settings.current.preferences.has_insets && self.headers().are_shown();
        let offsets = if has_insets { Insets::offsets(&self.session, ui.pixels_per_point()) } else { Vec::new() };
        self.session.set_fit_offsets(offsets);
        self.overlays.drag.cancel_unseen(&self.session);
        self.render(ui, &places);
        let ppp = ui.pixels_per_point();
        let transform = |(area, place): (PanelArea, &PanelPlacement)| {
            PanelTransform::new(&self.session, area.seen(), place.picture, ppp)
        };
        let transforms: Vec<PanelTransform> = self.session.areas().into_iter().zip(&places).map(transform).collect();
        self.overlays.insets.place(&self.session, &transforms, has_insets);
        let seen: Vec<_> = self.session.areas().into_iter().zip(places.iter().map(|place| place.picture)).collect();
        let focused = self.session.areas().into_iter().zip(&places).find_map(|(area, place)| {
            let picture = place.picture.in_points(ppp);
            let is_focused = matches!(area, PanelArea::Panel(index) if index == self.session.focused());
            is_focused.then(|| picture.with_min_y(place.header[1] as f32 / ppp))
        });
        let (mut held, mut asked) = (false, Vec::new());
        let (mut under_cursor, mut exchanged) = (None, None);
        self.picture_has_focus = false;
        let headers = self.headers();
        let has_common = !(self.chrome.has_bars() && self.status_has_chips(ui));
        let takes_keyboard = self.regions.take_panels();
        let top = places.iter().map(|place| place.header[1]).min();
        // All headers show values in the form that each has room for.
        let (mut longest, mut beside) = (ValueForm::Whole, BesideName::default());
        let mut all_hold = Some(ValueForm::MOST_RESERVED);
        // The place of values stays while the cursor leaves the pictures, so that nothing moves where it enters them.
        let reserved = (self.session.panels().len(), within.width());
        if self.has_values_in_headers {
            self.values_reserved = Some(reserved);
        } else if self.reading.is_some() {
            self.values_reserved = None;
        }
        self.values_reserved.take_if(|of| *of != reserved);
        // All headers say how their pictures look, or none.
        let narrowest =
            places.iter().map(|place| place.picture.size.width() as f32 / ppp).fold(f32::INFINITY, f32::min);
        let kept = self.headers_hold.filter(|_| self.values_reserved.is_some());
        let look = match narrowest {
            _ if !self.has_looks || headers != Headers::Controls => None,
            width if width >= LOOK_FROM && kept.is_none() => Some(LookForm::Whole),
            width => (width >= SHORT_LOOK_FROM).then_some(LookForm::Short),
        };
        for (area, place) in self.session.areas().into_iter().zip(places) {
            let index = area.panel();
            let pictures = area.pictures();
            let shown: Vec<&Picture> =
                pictures.iter().filter_map(|&index| self.pictures.at(&self.session, index)).collect();
            let mut context = PanelContext {
                index,
                place,
                picture: shown.first().copied().unwrap_or(&self.difference),
                canvas: self.canvas.as_ref(),
                pointer_input: &mut self.pointer_input,
                drag: &mut self.overlays.drag,
                insets: &self.overlays.insets,
                preferences: &self.settings.current.preferences,
                asked: &mut asked,
                area,
                second: shown.get(1).copied(),
                pointer: self.pointer,
                has_ring: self.chrome.is_presentation,
                reading: self.reading.as_ref(),
                measured: self.overlays.difference.measured(),
                quality: self.overlays.quality.of(&self.session, index),
                takes_keyboard,
                headers,
                has_common,
                value_form: (self.has_values_in_headers && self.headers_hold.is_some()).then_some(self.value_form),
                reserved: kept,
                beside: self.beside_names,
                look,
                has_line: top.is_some_and(|top| place.header[1] > top),
            };
            let panel = self.session.panels()[index].id();
            let outcome = panels::show(ui, &mut self.session, &mut context);
            let Outcome { held: is_held, pixel, has_focus, received, value_form, holds, beside: has_beside } = outcome;
            all_hold = all_hold.min(holds);
            beside = beside.max(has_beside);
            if self.has_values_in_headers {
                self.headers_with_values.retain(|other| *other != panel);
                self.headers_with_values.extend(value_form.map(|_| panel));
                longest = longest.min(value_form.unwrap_or_default());
            }
            exchanged = exchanged.or(received.map(|other| (other, index)));
            held |= is_held;
            self.picture_has_focus |= has_focus;
            under_cursor = under_cursor.or(pixel.map(|pixel| (index, pixel)));
        }
        if std::mem::replace(&mut self.value_form, longest) != longest
            || std::mem::replace(&mut self.headers_hold, all_hold) != all_hold
            || std::mem::replace(&mut self.beside_names, beside) != beside
        {
            ui.request_repaint();
        }
        if !held {
            self.pointer_input.release();
        }
        self.read(ui, under_cursor);
        let mut backend = WorkerBackend::new(&mut self.backend, &mut self.worker, Client::Tool);
        let preferences = &self.settings.current.preferences;
        let shown = OverlayInput { session: &self.session, preferences, transforms: &transforms };
        self.overlays.after_panels(ui, &mut backend, &shown);
        self.drawer.over_pictures(ui, &self.session, &transforms);
        seen.into_iter().for_each(|(area, place)| compare::plates(ui, &self.session, area, place));
        let measured = self.overlays.difference.measured();
        let beyond = measured.and_then(|measured| measured.beyond_of_differing());
        if beyond.is_some_and(|beyond| self.session.settle_gain(&beyond)) {
            ui.request_repaint();
        }
        if let Some((a, b)) = exchanged {
            self.session.swap_panels(a, b);
        }
        self.show_missing_images(ui, &mut asked);
        self.show_drop_hint(ui, within);
        self.show_timing(ui, within);
        self.dialogs.toasts.show(ui, within);
        self.show_offer(ui, within);
        asked.into_iter().for_each(|command| self.run(ui, command));
        focused
    }

    /// Draws a message over the panels whose images cannot be opened.
    fn show_missing_images(&mut self, ui: &Ui, asked: &mut Vec<Command>) {
        let is_missing = |index: &usize| self.session.image_of(*index).is_missing();
        let missing = self.session.areas().into_iter().filter_map(|area| {
            let index = area.pictures().into_iter().chain([area.seen()]).find(is_missing)?;
            let place = self.pictures.at(&self.session, area.panel()).and_then(Picture::place)?;
            let (panel, name) = (self.session.panels()[index].id(), self.session.image_of(index).name().to_owned());
            Some(MissingImage { panel, rect: place.in_points(ui.pixels_per_point()), name })
        });
        let missing: Vec<MissingImage> = missing.collect();
        for missing in missing {
            if show_missing_image(ui, &missing)
                && let Some(index) = self.session.index_of(missing.panel)
            {
                self.session.focus(index);
                asked.push(Command::LocateImage);
            }
        }
    }

    /// The headers of the panels.
    pub(super) fn headers(&self) -> Headers {
        self.chrome.headers(self.session.is_of_lesson())
    }

    fn place_panels(&mut self, ui: &Ui, within: Rect) -> Vec<PanelPlacement> {
        let ppp = ui.pixels_per_point();
        let px = |points: f32| (points * ppp).round() as i32;
        let spacing = Spacing {
            gap_px: px(GAP),
            header_px: if self.headers().are_shown() { px(header::height(ui.content_rect().height())) } else { 0 },
            readable_px: READABLE.map(px),
            kept_px: KEPT.map(px),
            // That of the first panel: a grid is not arranged anew where the focus moves.
            image: self.session.page_of(0).size().sides(),
        };
        let in_pixels = |place: Rect| PixelBounds {
            left: px(place.left()),
            top: px(place.top()),
            right: px(place.right()),
            bottom: px(place.bottom()),
        };
        let bounds = in_pixels(within);
        let areas = self.session.areas();
        let is_difference = matches!(areas.as_slice(), [PanelArea::Difference(_)]);
        // Without headers there are only pictures.
        let bar_px = px(colour_bar::WIDTH);
        if is_difference && self.headers().are_shown() && bounds.right - bounds.left > 3 * bar_px {
            let bounds = PixelBounds { right: bounds.right - bar_px, ..bounds };
            let places = self.session.layout().placements(1, bounds, spacing);
            return places.into_iter().map(|place| place.with_bar(bar_px as u32)).collect();
        }
        let layout = self.session.layout();
        self.grid.placements(layout, areas.len(), (bounds, in_pixels(self.whole_panels)), spacing)
    }

    /// Renders the visible pictures whose request differs from their last.
    fn render(&mut self, ui: &Ui, places: &[PanelPlacement]) {
        self.pictures.follow(&self.session);
        self.probe.retain(|panel| self.session.panel(panel).is_some());
        self.backend.set_timing(self.dialogs.timing.is_some());
        check_shared(self.pictures.iter_mut().chain([&mut self.difference]), &mut self.backend);
        let mut context = RenderContext {
            backend: &mut self.backend,
            canvas: self.canvas.as_ref(),
            sharing: &mut self.sharing,
            worker: &mut self.worker,
        };
        let mut took = None;
        for (area, place) in self.session.areas().into_iter().zip(places) {
            for index in area.pictures() {
                let request = self.session.request(index);
                let panel = self.session.panels()[index].id();
                let picture = self.pictures.of(panel);
                let is_new =
                    picture.update(Client::Picture(panel), self.session.image_of(index), &request, &mut context);
                if is_new {
                    took = Some(took.unwrap_or(Duration::ZERO) + picture.took());
                }
                // A picture that is flipped into the place of another also keeps its own place.
                let is_moved = !matches!(area, PanelArea::Flipped { .. }) && picture.stand_at(place.picture);
                if (is_moved && picture.late_since().is_none()) || is_new {
                    log_frame(&format!("panel {index}"), place.picture, &request);
                }
            }
            if let PanelArea::Difference(pair) = area {
                let picture = &mut self.difference;
                let (image, request) = (self.session.difference_image(pair), self.session.difference_request(pair));
                let is_new = picture.update(Client::Difference, &image, &request, &mut context);
                if (picture.stand_at(place.picture) && picture.late_since().is_none()) || is_new {
                    log_frame("difference", place.picture, &request);
                }
                if is_new {
                    took = Some(picture.took());
                }
            }
        }
        for index in self.session.visible() {
            let panel = self.session.panels()[index].id();
            if let Some(picture) = self.pictures.get(panel) {
                self.overlays.quality.note_time(panel, picture.last_kernel_time().unwrap_or(picture.took()));
            }
        }
        let start = Instant::now();
        draw_queued(self.pictures.iter_mut().chain([&mut self.difference]), &mut context);
        self.sharing.tidy(&mut self.backend);
        let times = self.backend.ask_writer(|writer| writer.times()).unwrap_or_default();
        self.pictures.iter_mut().chain([&mut self.difference]).for_each(|picture| picture.note_times(&times));
        if let Some(took) = took {
            self.rendering = took + start.elapsed();
            self.note_rendered(ui);
        }
        // No frame waits for the device: a later frame asks whether its work is done.
        if self.backend.ask_writer(|writer| writer.is_done()) == Some(false) {
            ui.request_repaint();
        }
        self.note_startup(ui);
        for notice in self.backend.take_notices() {
            ui.request_repaint();
            self.dialogs.toasts.error(notice);
        }
    }

    /// Updates the status line after a frame that rendered a picture.
    fn note_rendered(&mut self, ui: &Ui) {
        let now_s = ui.input(|input| input.time);
        // The status line is drawn before the panels.
        if self.status.is_idle(now_s) {
            ui.request_repaint();
        }
        self.status.rendered_at_s = now_s;
        self.status.milliseconds = self.rendering.as_secs_f64() * 1e3;
        let makers = self.makers();
        let used_fallback = !makers.contains(&self.backend.kind());
        // Pictures of a fallback are in host memory.
        self.status.way = if used_fallback { PresentMode::Upload } else { self.sharing.present_mode() };
        let has_fallback = makers.iter().any(|rendered_by| *rendered_by != self.backend.kind());
        self.status.reason = self.backend.reason(has_fallback).cloned();
        self.status.backends = makers;
    }

    /// Updates the state of the device in the status line, and the times of the start.
    fn note_startup(&mut self, ui: &Ui) {
        let pictures = self.visible_pictures();
        let startup = self.backend.startup_state(pictures.iter().any(|picture| picture.is_stand_in()));
        let drawn = DrawnPictures {
            areas: pictures.len(),
            count: pictures.iter().filter(|picture| picture.rendered_by().is_some()).count(),
            by_cuda: pictures.iter().filter(|picture| picture.rendered_by() == Some(BackendKind::Cuda)).count(),
        };
        let has_news = self.start_times.as_mut().is_some_and(|times| times.end_frame(drawn));
        // The status line is drawn before the panels.
        if has_news || startup != self.status.startup {
            ui.request_repaint();
        }
        self.status.startup = startup;
    }

    /// The backends that rendered the visible pictures; the preferred backend without pictures.
    fn makers(&self) -> Vec<BackendKind> {
        let mut makers = Vec::new();
        for rendered_by in self.visible_pictures().into_iter().filter_map(Picture::rendered_by) {
            if !makers.contains(&rendered_by) {
                makers.push(rendered_by);
            }
        }
        if makers.is_empty() { vec![self.backend.kind()] } else { makers }
    }
}

/// Logs the place of a picture and the options of `lerpscope render` for its pixels.
fn log_frame(what: &str, place: PixelRect, request: &RenderRequest) {
    if log::log_enabled!(target: "lerpscope::frame", log::Level::Debug) {
        let words = arguments::render_arguments(request);
        let options: Vec<String> = words.iter().map(|word| arguments::quoted(word)).collect();
        let (left, top) = (place.left, place.top);
        log::debug!(target: "lerpscope::frame", "{what} at {left},{top}: {}", options.join(" "));
    }
}
