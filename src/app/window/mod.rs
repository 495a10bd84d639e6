//! The window: owns the session, the backend and the pictures, and draws one frame after another.
//!
//! ```text
//!   keys ──── commands ─┐
//!   pointer ─ gestures ─┼──► Session ──► RenderRequest ──► Picture (equal to its last? stop) ──► backend ──► texture ──► 1:1
//!   side bar ─ numbers ─┘
//! ```

mod actions;
mod arrivals;
mod chrome;
mod drawing;
mod failure;
mod frame;
mod frame_guard;
mod ground;
mod lessons;
mod pan_bench;
mod picture_task;
mod reading;
mod recovery;
mod regions;
mod screen_fit;
mod screenshot;
mod start_options;
mod start_times;
mod termination;
mod timing;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use eframe::glow;
use egui::{Rect, Ui};
#[cfg(all(unix, not(target_os = "macos")))]
use winit::raw_window_handle::{RawDisplayHandle, RawWindowHandle};

pub use self::arrivals::OpeningReport;
pub(super) use self::failure::SharedFailure;
pub use self::pan_bench::PanBench;
pub(super) use self::screen_fit::{LEAST_SIZE, WANTED_SIZE};
pub(super) use self::start_options::StartContent;
pub use self::start_options::{BENCH_SIZE, StartOptions};
pub(super) use self::start_times::{CloseRequest, print_close};
pub use self::termination::Terminated;
#[cfg(unix)]
pub(super) use self::termination::Termination;

use self::chrome::Chrome;
use self::failure::FrameFailure;
use self::frame_guard::FrameGuard;
use self::pan_bench::PanRun;
use self::picture_task::PictureTask;
use self::regions::Regions;
use self::screen_fit::ScreenFit;
use self::screenshot::Screenshot;
use self::start_times::StartTimes;
use super::bars::panel_values::ValueForm;
use super::bars::status::RenderStatus;
use super::dialogs::Dialogs;
use super::files::{Documents, ExportError, FigureCopy, SettingsStore};
use super::input::key_tap::KeyTap;
use super::input::pointer::PointerInput;
use super::input::press::PressOrder;
#[cfg(all(unix, not(target_os = "macos")))]
use super::input::system_pointer::SystemPointer;
use super::inspect::Overlays;
use super::lab::Drawer;
use super::learn::Learn;
use super::panels::BesideName;
use super::panels::crosshair::Pointer;
use super::render::gl::{Canvas, GlError};
use super::render::picture::Picture;
use super::render::pictures::Pictures;
use super::render::probe::{Probe, Reading};
use super::render::texture_sharing::{PresentMode, TextureSharing};
use super::render::worker::RenderWorker;
use super::session::hint::Hint;
use super::session::layout::{GridColumns, PanelLayout};
use super::session::preferences::Preferences;
use super::session::{PanelArea, PanelId, Session, SessionState};
use super::widgets::caret::Caret;
use super::widgets::{symbol, theme};
use crate::backend::{Backend, BackendError, FallbackBackend, Waker};
use crate::image::Image;
use crate::sampling::Sampler;

/// The application. Without OpenGL it runs as well, but shows no pixels.
pub struct Lerpscope {
    session: Session,
    backend: Box<FallbackBackend>,
    worker: RenderWorker,
    sharing: TextureSharing,
    canvas: Option<Canvas>,
    pictures: Pictures,
    difference: Picture,
    probe: Probe,
    pointer_input: PointerInput,
    documents: Documents,
    settings: SettingsStore,
    dialogs: Dialogs,
    screenshot: Option<Screenshot>,
    /// The task that waits for pictures of the worker.
    waiting_task: Option<PictureTask>,
    /// The measurement of frames under way, for `bench --window`.
    pan_run: Option<PanRun>,
    caret: Caret,
    press_order: PressOrder,
    reading: Option<Reading>,
    /// The status line has no room for the values of all panels: headers show them.
    has_values_in_headers: bool,
    /// The panels whose headers had room for them in the last frame.
    headers_with_values: Vec<PanelId>,
    /// The longest form of values that has a place in all headers of the last frame.
    headers_hold: Option<ValueForm>,
    /// The form of values that all of them had room for.
    value_form: ValueForm,
    /// What all headers of the last frame have room for beside their names.
    beside_names: BesideName,
    /// The number of panels and the width for which headers keep a place for values; `None` while they keep none.
    values_reserved: Option<(usize, f32)>,
    /// The panels' place without the hint, the drawer and the profile, in points.
    whole_panels: Rect,
    /// Whether headers say how their pictures look in this frame: the hint is over the panels, which do not look alike.
    has_looks: bool,
    /// A hint that has no room over the panels. The status line has it.
    headline: Option<Hint>,
    grid: GridColumns,
    pointer: Option<Pointer>,
    key_tap: KeyTap,
    status: RenderStatus,
    /// Time that the current frame spent on rendering.
    rendering: Duration,
    overlays: Overlays,
    drawer: Drawer,
    learn: Learn,
    title: String,
    chrome: Chrome,
    screen_fit: ScreenFit,
    /// Number of pins in the last frame.
    pin_count: usize,
    /// Until when the side bar scrolls to the pins, in seconds of the window's clock.
    scrolls_to_pins_until_s: f64,
    /// The side bar was asked for in a window that is too narrow for it.
    shows_side_bar_in_narrow: bool,
    regions: Regions,
    picture_has_focus: bool,
    guard: FrameGuard,
    last_failure: Option<FrameFailure>,
    /// Why the window closed without being asked to, for [`run`](super::run).
    failure: SharedFailure,
    /// The window was asked to close. Otherwise its display ended it.
    is_closing: bool,
    /// When it was asked to.
    close_request: CloseRequest,
    /// The window closes if its device does not open: the device was asked for by name.
    requires_device: bool,
    /// The goals of the start that were reached, for `--times`.
    start_times: Option<StartTimes>,
    /// Pointer devices that are read beside the window library.
    #[cfg(all(unix, not(target_os = "macos")))]
    system_pointer: Option<SystemPointer>,
}

impl std::fmt::Debug for Lerpscope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lerpscope").field("session", &self.session).finish_non_exhaustive()
    }
}

impl Lerpscope {
    /// An application with `images`, the first of which is shown. `None` if there is no image.
    pub fn new(ctx: &egui::Context, images: Vec<Image>, backend: Box<dyn Backend>) -> Option<Self> {
        Self::with_backend(ctx, images, FallbackBackend::new(backend))
    }

    /// The same with a backend that may still be starting.
    pub fn with_backend(ctx: &egui::Context, images: Vec<Image>, mut backend: FallbackBackend) -> Option<Self> {
        let repainted = ctx.clone();
        backend.set_waker(Waker::new(move || repainted.request_repaint()));
        theme::install(ctx);
        symbol::install(ctx);
        let mut images = images.into_iter().map(Arc::new);
        let mut session = Session::new(images.next()?);
        images.for_each(|image| session.add(image));
        let backends = vec![backend.kind()];
        Some(Self {
            session,
            backend: Box::new(backend),
            worker: RenderWorker::new(ctx.clone()),
            sharing: TextureSharing::default(),
            canvas: None,
            pictures: Pictures::default(),
            difference: Picture::default(),
            probe: Probe::default(),
            pointer_input: PointerInput::default(),
            documents: Documents::new(ctx),
            settings: SettingsStore::new(ctx),
            dialogs: Dialogs::default(),
            screenshot: None,
            waiting_task: None,
            pan_run: None,
            caret: Caret::default(),
            press_order: PressOrder::default(),
            reading: None,
            has_values_in_headers: false,
            headers_with_values: Vec::new(),
            headers_hold: Some(ValueForm::MOST_RESERVED),
            value_form: ValueForm::default(),
            beside_names: BesideName::default(),
            values_reserved: None,
            whole_panels: Rect::ZERO,
            has_looks: false,
            headline: None,
            grid: GridColumns::default(),
            pointer: None,
            key_tap: KeyTap::default(),
            status: RenderStatus {
                backends,
                way: PresentMode::Upload,
                reason: None,
                startup: None,
                milliseconds: 0.0,
                rendered_at_s: f64::NEG_INFINITY,
            },
            rendering: Duration::ZERO,
            overlays: Overlays::default(),
            drawer: Drawer::default(),
            learn: Learn::default(),
            title: String::new(),
            chrome: Chrome::default(),
            screen_fit: ScreenFit::default(),
            pin_count: 0,
            scrolls_to_pins_until_s: f64::NEG_INFINITY,
            shows_side_bar_in_narrow: false,
            regions: Regions::default(),
            picture_has_focus: false,
            guard: FrameGuard::default(),
            last_failure: None,
            failure: SharedFailure::default(),
            is_closing: false,
            close_request: CloseRequest::default(),
            requires_device: false,
            start_times: None,
            #[cfg(all(unix, not(target_os = "macos")))]
            system_pointer: None,
        })
    }

    /// Draws with this OpenGL context from now on.
    ///
    /// # Safety
    /// The context of `gl` is current on this thread now, and whenever the application is shown, closed or dropped, and
    /// whenever its shapes are drawn.
    ///
    /// # Errors
    /// If the OpenGL version is too old.
    #[expect(unsafe_code, reason = "only the caller knows which context is current")]
    pub unsafe fn draw_with(&mut self, gl: Arc<glow::Context>) -> Result<(), GlError> {
        // SAFETY: the canvas and its textures are owned by the application, so that they are used only when it is.
        self.canvas = Some(unsafe { Canvas::new(gl) }?);
        Ok(())
    }

    /// Reads the pointer devices of X11 or Wayland beside the window library.
    ///
    /// # Safety
    /// The handles are those of a window that exists until the application is closed or dropped. Its event loop runs on this
    /// thread.
    #[cfg(all(unix, not(target_os = "macos")))]
    #[expect(unsafe_code, reason = "only the caller knows how long the window exists")]
    pub(super) unsafe fn read_system_pointer(
        &mut self,
        ctx: &egui::Context,
        display: RawDisplayHandle,
        window: RawWindowHandle,
    ) {
        // SAFETY: the pointer is owned by the application, which drops it when it is closed.
        self.system_pointer = unsafe { SystemPointer::open(ctx, display, window) };
    }

    /// Shows in the status line why a preferred backend is not used.
    pub fn note_unusable(&mut self, error: BackendError) {
        self.backend.note_unusable(error);
    }

    /// The session.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The preferences in force.
    pub fn preferences(&self) -> &Preferences {
        &self.settings.current.preferences
    }

    /// The picture of panel `index`; `None` before its first frame.
    pub fn picture(&self, index: usize) -> Option<&Picture> {
        self.pictures.at(&self.session, index)
    }

    /// The picture of the difference of two panels.
    pub fn difference(&self) -> &Picture {
        &self.difference
    }

    /// Whether every visible picture shows its newest request by the backend that is meant to render it, and no render or
    /// measurement is under way.
    pub fn has_settled(&self) -> bool {
        let mut pictures = self.visible_pictures().into_iter();
        let has_stand_ins = pictures.clone().any(Picture::is_stand_in);
        self.worker.is_idle()
            && self.waiting_task.is_none()
            && self.overlays.quality.is_idle()
            && self.overlays.field.is_idle()
            && self.overlays.counts.is_idle()
            && self.drawer.is_idle()
            && !has_stand_ins
            && pictures.all(|picture| picture.late_since().is_none())
    }

    /// The pictures that the panels show; none for a panel before its first frame.
    fn visible_pictures(&self) -> Vec<&Picture> {
        let of_area = |area: PanelArea| {
            let alone = matches!(area, PanelArea::Difference(_)).then_some(&self.difference);
            let own = area.pictures().into_iter().filter_map(|index| self.pictures.at(&self.session, index));
            own.chain(alone).collect::<Vec<_>>()
        };
        self.session.areas().into_iter().flat_map(of_area).collect()
    }

    /// The values under the cursor.
    pub fn reading(&self) -> Option<&Reading> {
        self.reading.as_ref()
    }

    /// The commands that render the visible panels, one per picture; of more than one panel, then the command that makes their figure.
    ///
    /// # Errors
    /// If an image has no source.
    pub fn command_lines(&self) -> Result<Vec<String>, ExportError> {
        self.figure_command_lines(Path::new("figure.png"), 1)
    }

    /// The same at `times` the shown size, with the figure in `file`.
    ///
    /// # Errors
    /// If an image has no source, or if a picture is too large.
    pub fn figure_command_lines(&self, file: &Path, times: u32) -> Result<Vec<String>, ExportError> {
        let measured = self.overlays.difference.measured();
        self.documents.commands(&self.session, &FigureCopy { columns: self.columns(), measured, times, file })
    }

    /// Replaces the panels by one per sampler, with the view of the focused panel. Does nothing without samplers.
    pub fn arrange(&mut self, samplers: &[Sampler]) {
        self.session.arrange(samplers);
    }

    /// Shows the detail that a window without a file opens on, with its hint: [`Session::show_opening`].
    pub fn show_opening(&mut self) {
        self.session.show_opening();
    }

    /// Sets the layout of the panels.
    pub fn set_layout(&mut self, layout: PanelLayout) {
        self.session.set_layout(layout);
    }

    /// Shows the panels of `state` with the open images. Returns false if an image or page is missing.
    pub fn restore_state(&mut self, state: &SessionState) -> bool {
        let restored = Session::restored(self.session.images().to_vec(), state);
        restored.map(|session| self.show_session(session)).is_some()
    }

    /// Replaces the user's own session. A lesson that runs ends.
    fn show_session(&mut self, mut session: Session) {
        self.close_lessons();
        session.tick(0.0);
        // The next frame sets the size of its pictures. The size of the earlier session's would snap the views to other pixels.
        self.session = session;
    }

    /// Notes in `request` when the window is asked to close.
    pub(super) fn note_close_in(&mut self, request: CloseRequest) {
        self.close_request = request;
    }

    /// Releases the textures, the backend's registrations first. Requires that the context of the window is current.
    fn release_pictures(&mut self) {
        self.sharing.release(&mut self.backend);
        self.pictures.iter_mut().chain([&mut self.difference]).for_each(Picture::release);
        self.pictures.clear();
    }
}

impl eframe::App for Lerpscope {
    fn logic(&mut self, ctx: &egui::Context, _frame: &mut eframe::Frame) {
        if ctx.input(|input| input.viewport().close_requested()) {
            self.is_closing = true;
            self.close_request.get_or_init(Instant::now);
        }
    }

    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.show(ui);
    }

    fn raw_input_hook(&mut self, ctx: &egui::Context, raw: &mut egui::RawInput) {
        #[cfg(all(unix, not(target_os = "macos")))]
        if let Some(pointer) = &mut self.system_pointer {
            pointer.amend(raw);
        }
        if self.press_order.amend(raw) {
            ctx.request_repaint();
        }
        // A screenshot does not depend on the position of the pointer.
        if self.screenshot.is_some() {
            raw.events.clear();
        }
    }

    /// The colour of the bars, which have no fill of their own.
    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        visuals.panel_fill.to_normalized_gamma_f32()
    }

    fn on_exit(&mut self, _gl: Option<&glow::Context>) {
        #[cfg(all(unix, not(target_os = "macos")))]
        drop(self.system_pointer.take());
        self.end_session();
        if self.backend.is_busy() {
            // To release a registration is a call to the driver, which may wait for its compiler. The registrations are
            // leaked with the device; OpenGL keeps their textures until its context ends.
            drop(std::mem::take(&mut self.sharing));
            self.backend.abandon();
        }
        self.release_pictures();
        self.canvas = None;
        // The process ends: to free the device's memory and context one by one takes longer than that.
        self.backend.abandon();
    }
}
