//! The window: it holds the session, the backend and the pictures, and puts one frame together.
//!
//! ```text
//!   keys ── commands ─┐
//!   hands ── gestures ┼──► Session ──► RenderRequest ──► Picture (same as the last? stop) ──► backend ──► texture ──► 1:1
//!   numbers, presets ─┘
//! ```

pub(in crate::app) mod actions;
pub(in crate::app) mod chrome;
pub(in crate::app) mod frame_guard;
mod recovery;
pub(in crate::app) mod screenshot;
pub(in crate::app) mod termination;

use std::sync::Arc;
use std::time::{Duration, Instant};

use eframe::glow;
use egui::{Event, Frame, Margin, Panel, Rect, Ui, ViewportCommand};

use self::chrome::Chrome;
use self::frame_guard::FrameGuard;
use self::screenshot::{Problem, Screenshot};
use super::bars::status;
use super::bars::status::{Drawn, Reading};
use super::bars::{side_bar, toolbar};
use super::commands::perform::perform;
use super::commands::window_action::WindowAction;
use super::commands::{Command, Keymap};
use super::dialogs::block_sweep::Race;
use super::dialogs::keys;
use super::dialogs::toast::{Toasts, Tone};
use super::dialogs::{Desk, ThemeChoice};
use super::files::loader::Files;
use super::input::key_tap::SpaceBar;
use super::input::pointer::Hands;
use super::inspect::normalize::normalize;
use super::inspect::overlays::Shown;
use super::inspect::profile::{self, PlotOptions};
use super::inspect::{Instruments, Lens};
use super::panels;
use super::panels::crosshair::Pointer;
use super::panels::header;
use super::panels::{Outcome, Stage};
use super::render::gl::Canvas;
use super::render::picture::{Picture, Renderer, draw_waiting, follow_shared};
use super::render::pictures::Pictures;
use super::render::probe::Probe;
use super::render::texture_sharing::{Sharing, Way};
use super::render::worker::{Deferred, Later, Who};
use super::session::inspect::Tool;
use super::session::layout::{PixelBounds, Place, Spacing};
use super::session::preferences::Preferences;
use super::session::{Area, Session};
use super::widgets::caret::Caret;
use super::widgets::pixel_rect::PixelRect;
use super::widgets::theme::{self, Palette, SPACE};
use crate::arguments;
use crate::backend::{Backend, BackendError, BackendKind, FallbackBackend, RenderRequest, RenderTimer as _};
use crate::image::Image;
use crate::panics::caught;

/// The whole program behind the window; it runs without a graphics library too, and then shows no pixels.
pub struct Lerpscope {
    session: Session,
    backend: Box<FallbackBackend>,
    later: Later,
    sharing: Sharing,
    canvas: Option<Canvas>,
    pictures: Pictures,
    difference: Picture,
    probe: Probe,
    race: Race,
    hands: Hands,
    files: Files,
    desk: Desk,
    screenshot: Option<Screenshot>,
    toasts: Toasts,
    caret: Caret,
    reading: Option<Reading>,
    pointer: Option<Pointer>,
    space_bar: SpaceBar,
    drawn: Drawn,
    rendering: Duration,
    instruments: Instruments,
    title: String,
    chrome: Chrome,
    shows_keys: bool,
    picture_has_focus: bool,
    guard: FrameGuard,
    /// What the last frame that panicked said, and what became of the session.
    last_panic: Option<String>,
    /// What went wrong, for the one who opened the window.
    problem: Problem,
    /// Whether the window was asked to close, rather than ended by its display.
    is_closing: bool,
}

impl std::fmt::Debug for Lerpscope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lerpscope").field("session", &self.session).finish_non_exhaustive()
    }
}

impl Lerpscope {
    /// A window on `images`, the first of which is shown; `None` where there is none.
    pub fn new(ctx: &egui::Context, images: Vec<Image>, backend: Box<dyn Backend>) -> Option<Self> {
        theme::install(ctx);
        let mut images = images.into_iter().map(Arc::new);
        let mut session = Session::new(images.next()?);
        images.for_each(|image| session.open(image));
        session.show_image(0);
        let backends = vec![backend.kind()];
        Some(Self {
            session,
            backend: Box::new(FallbackBackend::new(backend)),
            later: Later::new(ctx.clone()),
            sharing: Sharing::default(),
            canvas: None,
            pictures: Pictures::default(),
            difference: Picture::default(),
            probe: Probe::default(),
            race: Race::default(),
            hands: Hands::default(),
            files: Files::default(),
            desk: Desk::new(ctx),
            screenshot: None,
            toasts: Toasts::default(),
            caret: Caret::default(),
            reading: None,
            pointer: None,
            space_bar: SpaceBar::default(),
            drawn: Drawn { backends, way: Way::Upload, reason: None, milliseconds: 0.0 },
            rendering: Duration::ZERO,
            instruments: Instruments::default(),
            title: String::new(),
            chrome: Chrome::default(),
            shows_keys: false,
            picture_has_focus: false,
            guard: FrameGuard::default(),
            last_panic: None,
            problem: Problem::default(),
            is_closing: false,
        })
    }

    /// Draws by this graphics library from now on.
    ///
    /// # Safety
    /// `gl` is the library of the context that is current on this thread now, and whenever this window is shown, told of its
    /// end, or dropped; and whenever what it painted is drawn.
    ///
    /// # Errors
    /// Where it is too old.
    #[expect(unsafe_code, reason = "which context is current is the caller's to know")]
    pub unsafe fn draw_with(&mut self, gl: Arc<glow::Context>) -> Result<(), String> {
        // SAFETY: the canvas and its textures live in this window, so they are used when it is.
        self.canvas = Some(unsafe { Canvas::new(gl) }?);
        Ok(())
    }

    /// Notes why a preferred backend is not in the place of this window's: the status line shows it.
    pub fn note_unusable(&mut self, error: BackendError) {
        self.backend.note_unusable(error);
    }

    /// What is shown.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The preferences in force.
    pub fn preferences(&self) -> &Preferences {
        &self.desk.settings.preferences
    }

    /// The picture of panel `index`, once it was drawn.
    pub fn picture(&self, index: usize) -> Option<&Picture> {
        self.pictures.at(&self.session, index)
    }

    /// The picture of the difference, once it was drawn.
    pub fn difference(&self) -> &Picture {
        &self.difference
    }

    /// Whether everything is shown as it is asked for, and nothing is still being made.
    pub fn has_settled(&self) -> bool {
        let mut pictures = self.pictures.iter().chain([&self.difference]);
        self.later.is_idle() && pictures.all(|picture| picture.late_since().is_none())
    }

    /// What is under the cursor.
    pub fn reading(&self) -> Option<&Reading> {
        self.reading.as_ref()
    }

    /// One frame. A panic in it is caught: the session is saved and the window goes on, or closes where frames keep failing
    /// ([`Lerpscope::failure`]).
    pub fn show(&mut self, ui: &mut Ui) {
        if self.guard.is_closed() {
            return;
        }
        match caught(|| self.show_unguarded(ui)) {
            Ok(()) => self.note_success(),
            Err(panicked) => self.handle_panic(ui, &panicked),
        }
    }

    fn show_unguarded(&mut self, ui: &mut Ui) {
        let start = Instant::now();
        self.rendering = Duration::ZERO;
        self.later.begin_frame();
        self.show_frame(ui);
        self.later.end_frame();
        self.desk.note_frame(start.elapsed(), self.rendering);
        let has_settled = self.has_settled();
        if let Some(screenshot) = self.screenshot.as_mut().filter(|_| has_settled) {
            screenshot.follow(ui);
        }
    }

    fn show_frame(&mut self, ui: &mut Ui) {
        self.caret.begin_frame(ui, self.desk.settings.preferences.reduced_motion);
        self.desk.scale_text(ui, self.chrome.text_scale());
        let now_s = ui.input(|input| input.time);
        self.session.tick(now_s);
        if let Some(rest_s) = self.session.tick_flicker() {
            ui.request_repaint_after(Duration::from_secs_f64(rest_s));
        }
        self.toasts.tick(now_s);
        self.receive_files(ui);
        let control_has_focus = ui.memory(|memory| memory.focused()).is_some() && !self.picture_has_focus;
        if !self.shows_keys && !self.desk.has_keys() {
            let keys = Keymap::in_force(ui);
            let pressed = keys.pressed(ui, control_has_focus);
            pressed.into_iter().for_each(|command| self.run(ui, command));
            let is_free = !control_has_focus && !ui.text_edit_focused();
            if ui.input(|input| self.space_bar.is_tapped(input, is_free))
                && let Some(command) = keys.tapped()
            {
                self.run(ui, command);
            }
        }
        if self.chrome.has_bars() {
            self.show_chrome(ui);
        }
        self.show_panels(ui);
        self.race.show(ui, self.backend.kind());
        self.show_over(ui);
        if self.shows_keys && keys::show(ui) {
            self.shows_keys = false;
        }
        self.show_title(ui);
        self.note_edits(ui);
        // What failed beside the pictures is told in a frame of its own.
        if self.session.is_on_way() || self.backend.has_notices() {
            ui.request_repaint();
        }
    }

    /// Notes what this frame set; what a held button or key sets is one step of undo.
    fn note_edits(&mut self, ui: &Ui) {
        let is_repeat = |event: &Event| matches!(event, Event::Key { repeat: true, .. });
        let goes_on = ui.input(|input| input.pointer.any_down() || input.events.iter().any(is_repeat));
        self.session.note_edits(&self.desk.settings.preferences, goes_on);
    }

    fn run(&mut self, ui: &Ui, command: Command) {
        if matches!(command, Command::Undo | Command::Redo) {
            self.instruments.drag.cancel();
        }
        match perform(&mut self.session, &mut self.desk.settings.preferences, command) {
            None => {}
            Some(WindowAction::ChooseImage) => self.files.ask(ui),
            Some(WindowAction::Quit) => ui.send_viewport_cmd(ViewportCommand::Close),
            Some(WindowAction::TogglePresentation) => self.present(ui, self.chrome != Chrome::Presentation),
            Some(WindowAction::ToggleChrome) if self.chrome == Chrome::None => self.chrome = Chrome::All,
            Some(WindowAction::ToggleChrome) => {
                self.chrome = Chrome::None;
                self.toasts.say(Tone::Note, "H brings everything back");
            }
            Some(WindowAction::NextTheme) => {
                let is_dark = ui.visuals().dark_mode;
                self.desk.settings.theme = if is_dark { ThemeChoice::Light } else { ThemeChoice::Dark };
                ui.request_repaint();
            }
            Some(WindowAction::Normalize) => {
                let mut backend = Deferred::waiting(&mut self.backend, &mut self.later);
                if let Err(error) = normalize(&mut self.session, &mut backend) {
                    self.toasts.say(Tone::Note, error.to_string());
                }
            }
            Some(WindowAction::ToggleTiming) => self.toggle_timing(),
            Some(WindowAction::OpenBlockSweep) => self.race.open(),
            Some(WindowAction::Leave) if self.leave_tools() || self.toasts.clear() => {}
            Some(WindowAction::Leave) if self.postpone_offer() => {}
            Some(WindowAction::Leave) if self.chrome == Chrome::Presentation => self.present(ui, false),
            Some(WindowAction::Leave) => self.chrome = Chrome::All,
            Some(WindowAction::File(action)) => self.run_file_action(ui, action),
            Some(WindowAction::Dialog(dialog)) => self.open_dialog(ui, dialog),
            Some(WindowAction::Notice(notice)) => self.toasts.say(Tone::Note, notice.to_string()),
        }
    }

    /// Closes the block sweep, or else cancels the drag in progress and puts the profile tool away. Returns `false` if there
    /// was neither.
    fn leave_tools(&mut self) -> bool {
        self.race.close() || (self.instruments.drag.cancel() | self.session.inspect.leave())
    }

    /// Fills the screen for an audience, or no longer.
    fn present(&mut self, ui: &Ui, on: bool) {
        ui.send_viewport_cmd(ViewportCommand::Fullscreen(on));
        self.chrome = if on { Chrome::Presentation } else { Chrome::All };
        if on {
            self.toasts.say(Tone::Note, "Esc leaves the presentation");
        }
    }

    fn show_chrome(&mut self, ui: &mut Ui) {
        let palette = Palette::of_ui(ui);
        let bar =
            |across: i8, down: i8| Frame::new().fill(palette.surface).inner_margin(Margin::symmetric(across, down));
        let chosen = Panel::top("toolbar")
            .exact_size(toolbar::HEIGHT)
            .show_separator_line(false)
            .frame(bar(8, 5))
            .show(ui, |ui| toolbar::show(ui, &self.session))
            .inner;
        chosen.into_iter().for_each(|command| self.run(ui, command));
        Panel::bottom("status").exact_size(status::HEIGHT).show_separator_line(false).frame(bar(12, 0)).show(
            ui,
            |ui| {
                status::show(ui, &self.session, self.desk.settings.preferences.unit, self.reading.as_ref(), &self.drawn)
            },
        );
        Panel::right("controls")
            .exact_size(side_bar::WIDTH)
            .resizable(false)
            .show_separator_line(false)
            .frame(bar(side_bar::MARGIN, 0))
            .show(ui, |ui| {
                side_bar::show(ui, &mut self.session, &mut self.desk.settings.preferences, &mut self.instruments)
            })
            .inner
            .into_iter()
            .for_each(|command| self.run(ui, command));
        if self.session.inspect.tool == Tool::Profile || self.session.inspect.kept.line.is_some() {
            let unit = self.desk.settings.preferences.unit;
            let options = PlotOptions { unit, is_dragged: self.instruments.drag.is_active() };
            profile::show(ui, &mut self.session, &self.instruments.profile, options);
        }
    }

    fn show_panels(&mut self, ui: &mut Ui) {
        let room = ui.available_rect_before_wrap();
        ui.painter().rect_filled(room, 0.0, Palette::of_ui(ui).ground);
        let places = self.place_panels(ui, room);
        if let Some(place) = places.first() {
            self.session.resize(place.picture.size);
        }
        self.instruments.drag.cancel_unseen(&self.session);
        self.render(ui, &places);
        let ppp = ui.pixels_per_point();
        let lens = |(area, place): (Area, &Place)| Lens::new(&self.session, area.seen(), place.picture, ppp);
        let lenses: Vec<Lens> = self.session.areas().into_iter().zip(&places).map(lens).collect();
        let (mut held, mut asked) = (false, Vec::new());
        let (mut under_cursor, mut exchanged) = (None, None);
        self.picture_has_focus = false;
        for (area, place) in self.session.areas().into_iter().zip(places) {
            let index = area.panel();
            let pictures = area.pictures();
            let shown: Vec<&Picture> =
                pictures.iter().filter_map(|&index| self.pictures.at(&self.session, index)).collect();
            let mut stage = Stage {
                canvas: self.canvas.as_ref(),
                hands: &mut self.hands,
                drag: &mut self.instruments.drag,
                preferences: &self.desk.settings.preferences,
                asked: &mut asked,
                area,
                second: shown.get(1).copied(),
                pointer: self.pointer,
                reading: self.reading.as_ref(),
                has_headers: self.chrome.has_headers(),
            };
            let picture = shown.first().copied().unwrap_or(&self.difference);
            let panel = (index, place, picture);
            let Outcome { held: is_held, pixel, has_focus, received } =
                panels::show(ui, &mut self.session, &mut stage, panel);
            exchanged = exchanged.or(received.map(|other| (other, index)));
            held |= is_held;
            self.picture_has_focus |= has_focus;
            under_cursor = under_cursor.or(pixel.map(|pixel| (index, pixel)));
        }
        if !held {
            self.hands.release();
        }
        self.read(ui, under_cursor);
        let mut backend = Deferred::new(&mut self.backend, &mut self.later, Who::Tool);
        let shown = Shown { session: &self.session, preferences: &self.desk.settings.preferences, lenses: &lenses };
        self.instruments.after_panels(ui, &mut backend, &shown);
        if let Some((a, b)) = exchanged {
            self.session.swap_panels(a, b);
        }
        self.show_drop_hint(ui, room);
        self.show_timing(ui, room);
        self.toasts.show(ui, room);
        self.show_offer(ui, room);
        asked.into_iter().for_each(|command| self.run(ui, command));
    }

    fn place_panels(&self, ui: &Ui, room: Rect) -> Vec<Place> {
        let ppp = ui.pixels_per_point();
        let px = |points: f32| (points * ppp).round() as i32;
        let spacing = Spacing {
            gap_px: px(0.5 * SPACE),
            header_px: if self.chrome.has_headers() { px(header::HEIGHT) } else { 0 },
        };
        let bounds = PixelBounds {
            left: px(room.left()),
            top: px(room.top()),
            right: px(room.right()),
            bottom: px(room.bottom()),
        };
        self.session.layout().places(self.session.areas().len(), bounds, spacing)
    }

    /// Brings the visible pictures up to date.
    fn render(&mut self, ui: &Ui, places: &[Place]) {
        self.pictures.follow(&self.session);
        self.probe.retain(|panel| self.session.panel(panel).is_some());
        self.backend.keep_time(self.desk.shows_timing());
        follow_shared(self.pictures.iter_mut().chain([&mut self.difference]), &mut self.backend);
        let mut renderer = Renderer {
            backend: &mut self.backend,
            canvas: self.canvas.as_ref(),
            sharing: &mut self.sharing,
            later: &mut self.later,
        };
        let mut took = None;
        for (area, place) in self.session.areas().into_iter().zip(places) {
            for index in area.pictures() {
                let request = self.session.request(index);
                let panel = self.session.panels()[index].id();
                let picture = self.pictures.of(panel);
                let is_new = picture.update(Who::Picture(panel), self.session.image_of(index), &request, &mut renderer);
                if is_new {
                    took = Some(took.unwrap_or(Duration::ZERO) + picture.took());
                }
                // A picture in another one's place stands in its own too.
                let is_moved = !matches!(area, Area::Flipped { .. }) && picture.stand_at(place.picture);
                if (is_moved && picture.late_since().is_none()) || is_new {
                    log_frame(&format!("panel {index}"), place.picture, &request);
                }
            }
            if let Area::Difference(pair) = area {
                let picture = &mut self.difference;
                let (image, request) = (self.session.difference_image(pair), self.session.difference_request(pair));
                let is_new = picture.update(Who::Difference, &image, &request, &mut renderer);
                if (picture.stand_at(place.picture) && picture.late_since().is_none()) || is_new {
                    log_frame("difference", place.picture, &request);
                }
                if is_new {
                    took = Some(picture.took());
                }
            }
        }
        let start = Instant::now();
        draw_waiting(self.pictures.iter_mut().chain([&mut self.difference]), &mut renderer);
        self.sharing.tidy(&mut self.backend);
        let times = self.backend.ask_writer(|writer| writer.times()).unwrap_or_default();
        self.pictures.iter_mut().chain([&mut self.difference]).for_each(|picture| picture.note_times(&times));
        if let Some(took) = took {
            self.rendering = took + start.elapsed();
            self.drawn.milliseconds = self.rendering.as_secs_f64() * 1e3;
            let makers = self.makers();
            let is_instead = !makers.contains(&self.backend.kind());
            // What another makes in the backend's place is in host memory.
            self.drawn.way = if is_instead { Way::Upload } else { self.sharing.way() };
            let has_fallback = makers.iter().any(|maker| *maker != self.backend.kind());
            self.drawn.reason = self.backend.reason(has_fallback).cloned();
            self.drawn.backends = makers;
        }
        // Nothing waits for the device: whether it does what it was given is to be seen in a frame that follows.
        if self.backend.ask_writer(|writer| writer.is_done()) == Some(false) {
            ui.request_repaint();
        }
        for notice in self.backend.take_notices() {
            ui.request_repaint();
            self.toasts.say(Tone::Error, notice);
        }
    }

    /// The backends that made what is seen; the one that is asked where nothing is.
    fn makers(&self) -> Vec<BackendKind> {
        let mut makers = Vec::new();
        for area in self.session.areas() {
            let alone = matches!(area, Area::Difference(_)).then_some(&self.difference);
            let pictures =
                area.pictures().into_iter().filter_map(|index| self.pictures.at(&self.session, index)).chain(alone);
            for maker in pictures.filter_map(Picture::maker) {
                if !makers.contains(&maker) {
                    makers.push(maker);
                }
            }
        }
        if makers.is_empty() { vec![self.backend.kind()] } else { makers }
    }

    /// Reads the values under the cursor.
    fn read(&mut self, ui: &Ui, under_cursor: Option<(usize, [u32; 2])>) {
        self.pointer = under_cursor.map(|(panel, pixel)| {
            let (view, page) = (self.session.shown_view_of(panel), self.session.page_of(panel).size());
            let map = view.image_from_output(self.session.output(), page);
            Pointer { panel: self.session.panels()[panel].id(), pos_in_image: map.at(pixel.map(f64::from)) }
        });
        self.session.inspect.cursor = self.pointer.map(|pointer| pointer.pos_in_image);
        let reading = self.pointer.map(|Pointer { pos_in_image, .. }| {
            let mut value = |index: usize| {
                let panel = self.session.panels()[index].id();
                let request = self.session.request(index);
                let pixel = self.session.pixel_at(index, pos_in_image);
                let values = pixel.and_then(|pixel| {
                    let mut backend = Deferred::new(&mut self.backend, &mut self.later, Who::Probe(panel));
                    self.probe.values(&mut backend, (panel, self.session.image_of(index)), &request, pixel).ok()
                });
                (panel, values.unwrap_or_default())
            };
            Reading { pos_in_image, values: self.session.visible().into_iter().map(&mut value).collect() }
        });
        if reading != self.reading {
            self.reading = reading;
            // The status line was drawn before the panels: it shows the new values in a frame of their own.
            ui.request_repaint();
        }
    }

    fn show_drop_hint(&self, ui: &Ui, room: Rect) {
        if ui.input(|input| input.raw.hovered_files.is_empty()) {
            return;
        }
        let palette = Palette::of_ui(ui);
        let painter = ui.ctx().layer_painter(egui::LayerId::new(egui::Order::Foreground, egui::Id::unique("drop")));
        painter.rect_filled(room, 0.0, palette.ground.gamma_multiply(0.8));
        let stroke = egui::Stroke::new(2.0, palette.accent);
        painter.rect_stroke(room.shrink(4.0 * SPACE), 8.0, stroke, egui::StrokeKind::Inside);
        let font = egui::TextStyle::Heading.resolve(ui.style());
        painter.text(
            room.center(),
            egui::Align2::CENTER_CENTER,
            "Drop to open: over a panel in it alone, elsewhere in all",
            font,
            palette.strong,
        );
    }

    fn show_title(&mut self, ui: &Ui) {
        let title = format!("{} — Lerpscope", self.session.image().name());
        if title != self.title {
            ui.send_viewport_cmd(ViewportCommand::Title(title.clone()));
            self.title = title;
        }
    }
}

/// Logs what a picture shows and where, as the options of `lerpscope render` that give its pixels.
fn log_frame(what: &str, place: PixelRect, request: &RenderRequest) {
    if log::log_enabled!(target: "lerpscope::frame", log::Level::Debug) {
        let words = arguments::render_arguments(request);
        let options: Vec<String> = words.iter().map(|word| arguments::quoted(word)).collect();
        let (left, top) = (place.left, place.top);
        log::debug!(target: "lerpscope::frame", "{what} at {left},{top}: {}", options.join(" "));
    }
}

impl eframe::App for Lerpscope {
    fn logic(&mut self, ctx: &egui::Context, _frame: &mut eframe::Frame) {
        self.is_closing |= ctx.input(|input| input.viewport().close_requested());
    }

    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.show(ui);
    }

    fn raw_input_hook(&mut self, _ctx: &egui::Context, raw: &mut egui::RawInput) {
        // A script's picture is the same wherever the pointer happens to be.
        if self.screenshot.is_some() {
            raw.events.clear();
        }
    }

    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        visuals.panel_fill.to_normalized_gamma_f32()
    }

    fn on_exit(&mut self, _gl: Option<&glow::Context>) {
        self.end_session();
        self.release_pictures();
        self.canvas = None;
    }
}
