//! One frame: input, commands, bars, panels, dialogs.

use std::time::{Duration, Instant};

use egui::{Event, Frame, InputState, Margin, Panel, Popup, Rect, Ui, ViewportCommand};

use super::Lerpscope;
use super::failure::WindowFailure;
use super::regions::Region;
use crate::app::bars::hint::{self, Clicked};
use crate::app::bars::toolbar::{self, ToolbarInput};
use crate::app::bars::{side_bar, status};
use crate::app::commands::keymap::KeySituation;
use crate::app::commands::{Command, InspectCommand, Keymap};
use crate::app::dialogs::{PanelRects, Toasts};
use crate::app::files::{SideBar, SideSection};
use crate::app::input::menu_walk;
use crate::app::lab::DrawerContext;
use crate::app::learn::ListContext;
use crate::app::panels::header;
use crate::app::session::Ground;
use crate::app::session::hint::HintAction;
use crate::app::session::inspect::Tool;
use crate::app::widgets::focus_ring;
use crate::app::widgets::theme::{Palette, SPACE};
use crate::backend::Backend as _;
use crate::panics::caught;

/// Seconds for which the side bar scrolls to a new pin: its section unfolds, and its values are rendered.
const SCROLL_S: f64 = 0.5;
/// Seconds between notches of the wheel of one edit.
const WHEEL_BURST_S: f32 = 0.4;

impl Lerpscope {
    /// Draws one frame. Catches a panic of the frame: the session is saved and the window continues, or closes if frames
    /// keep failing ([`Lerpscope::failure`]).
    pub fn show(&mut self, ui: &mut Ui) {
        if self.guard.is_closed() {
            return;
        }
        match caught(|| self.show_unguarded(ui)) {
            Ok(()) => self.note_success(),
            Err(panicked) => self.handle_panic(ui, panicked),
        }
    }

    fn show_unguarded(&mut self, ui: &mut Ui) {
        let start = Instant::now();
        if let Some(times) = &mut self.start_times {
            times.begin_frame();
        }
        self.follow_device(ui);
        self.rendering = Duration::ZERO;
        self.worker.begin_frame();
        self.show_frame(ui);
        self.worker.end_frame();
        if let Some(timing) = &mut self.dialogs.timing {
            timing.note(start.elapsed(), self.rendering);
        }
        let has_settled = self.has_settled();
        if let Some(screenshot) = self.screenshot.as_mut().filter(|_| has_settled) {
            screenshot.follow(ui);
        }
        if let Some(mut run) = self.pan_run.take() {
            run.follow(self, ui, start);
            self.pan_run = Some(run);
        }
    }

    fn show_frame(&mut self, ui: &mut Ui) {
        self.begin_frame(ui);
        self.receive_files(ui);
        self.keep_settings(ui);
        self.run_keys(ui);
        self.play_lesson(ui);
        self.follow_pins(ui);
        let pointer = self.dialogs.take_pointer(ui);
        self.whole_panels = ui.available_rect_before_wrap();
        self.has_looks = false;
        if self.chrome.has_bars() {
            self.show_bars(ui);
        } else if self.has_lesson_column() {
            // What the steps of a lesson speak of is there in the presentation, too, the side bar where it is asked for.
            if self.session.is_of_lesson() {
                self.show_status(ui);
            }
            self.show_lesson_column(ui);
            self.show_side_bar(ui);
            self.show_drawers(ui);
        }
        let panels = ui.available_rect_before_wrap();
        let focused = self.show_panels(ui);
        self.dialogs.block_sweep.show(ui, self.backend.kind());
        // Lists leave the first row of headers free.
        let header = if self.headers().are_shown() { header::height(ui.content_rect().height()) } else { 0.0 };
        self.show_dialog(ui, PanelRects { all: panels.with_min_y(panels.top() + header), focused });
        self.follow_task(ui);
        if let Some(pointer) = pointer {
            ui.input_mut(|input| input.pointer = pointer);
        }
        focus_ring::show(ui);
        self.show_title(ui);
        self.note_edits(ui);
        // A notice of the backend is shown in the next frame.
        if self.session.is_animating() || self.backend.has_notices() {
            ui.request_repaint();
        }
    }

    /// Takes over a device that has opened since the last frame. If it did not open, the CPU renders on, or the window
    /// closes where the device was asked for by name.
    fn follow_device(&mut self, ui: &Ui) {
        let Some(error) = self.backend.follow() else { return };
        self.status.reason = self.backend.reason(false).cloned();
        if self.requires_device {
            self.keep_failure(WindowFailure::Device(error));
            ui.send_viewport_cmd(ViewportCommand::Close);
        }
        ui.request_repaint();
    }

    /// Advances everything that depends on the time.
    fn begin_frame(&mut self, ui: &Ui) {
        self.screen_fit.show(ui);
        self.caret.begin_frame(ui, self.settings.current.preferences.reduced_motion);
        self.settings.apply_text_scale(ui, self.chrome.text_scale(self.session.is_of_lesson()));
        self.session.set_ground(if ui.visuals().dark_mode { Ground::Dark } else { Ground::Light });
        let now_s = ui.input(|input| input.time);
        self.session.tick(now_s);
        if let Some(rest_s) = self.session.tick_flicker() {
            ui.request_repaint_after(Duration::from_secs_f64(rest_s));
        }
        self.dialogs.toasts.tick(now_s);
    }

    /// Runs the commands of this frame's keys. An open dialog or menu takes the keyboard.
    fn run_keys(&mut self, ui: &Ui) {
        if self.dialogs.has_keyboard() {
            return;
        }
        if Popup::is_any_open(ui) {
            return menu_walk::walk(ui, Toasts::layer());
        }
        let control_has_focus = ui.memory(|memory| memory.focused()).is_some() && !self.picture_has_focus;
        let keys = Keymap::in_force(ui);
        let situation = KeySituation { control_has_focus, runs_lesson: self.session.is_of_lesson() };
        let pressed = keys.pressed(ui, situation);
        pressed.into_iter().for_each(|command| self.run(ui, command));
        let is_free = !control_has_focus && !ui.text_edit_focused();
        if ui.input(|input| self.key_tap.is_tapped(input, is_free))
            && let Some(command) = keys.tapped()
        {
            self.run(ui, command);
        }
    }

    /// Records this frame's edits for undo. Edits during one press of a button or key, or one burst of the wheel, are one
    /// step.
    fn note_edits(&mut self, ui: &Ui) {
        let is_repeat = |event: &Event| matches!(event, Event::Key { repeat: true, .. });
        // Notches of the wheel that move the plane of a volume.
        let is_wheeled = |input: &InputState| input.modifiers.alt && input.time_since_last_scroll() < WHEEL_BURST_S;
        let is_held = |input: &InputState| input.pointer.any_down() || input.events.iter().any(is_repeat);
        let is_held = ui.input(|input| is_held(input) || is_wheeled(input));
        self.session.note_edits(&self.settings.current.preferences, is_held);
    }

    /// Draws toolbar, status line, side bar, the line profile, the drawer of the laboratory and the hint.
    fn show_bars(&mut self, ui: &mut Ui) {
        let chosen = Panel::top("toolbar")
            .exact_size(toolbar::HEIGHT)
            .show_separator_line(true)
            .frame(bar([toolbar::MARGIN as i8, 4]))
            .show(ui, |ui| {
                self.regions.enter(ui, Region::MenuBar);
                let (session, preferences) = (&self.session, &self.settings.current.preferences);
                let source = self.documents.source_of(session, session.shown_id());
                let (has_side_bar, has_palette) = (self.has_side_bar(ui), self.dialogs.has_palette());
                toolbar::show(ui, ToolbarInput { session, preferences, source, has_side_bar, has_palette })
            })
            .inner;
        chosen.into_iter().for_each(|command| self.run(ui, command));
        self.show_status(ui);
        if self.has_lesson_column() {
            self.show_lesson_column(ui);
        }
        self.show_side_bar(ui);
        self.show_drawers(ui);
        self.show_hint(ui);
    }

    /// Draws the hint above the panels, if there is one.
    fn show_hint(&mut self, ui: &mut Ui) {
        self.headline = None;
        if !self.settings.current.preferences.has_hint || self.session.is_of_lesson() {
            return;
        }
        let has_insets = self.overlays.insets.are_drawn();
        let Some(hint) = self.session.hint(has_insets) else { return };
        // Of reduced images the insets show how methods look.
        self.has_looks = has_insets || hint.action == HintAction::Lessons;
        if !hint::has_room(ui.available_size()) {
            self.headline = Some(hint);
            return;
        }
        let clicked = Panel::top("hint")
            .exact_size(hint::HEIGHT)
            .show_separator_line(true)
            .frame(Frame::new().inner_margin(hint::MARGIN))
            .show(ui, |ui| hint::show(ui, &hint))
            .inner;
        match clicked {
            Some(Clicked::Action(command)) => self.run(ui, command),
            Some(Clicked::Close) => self.run(ui, Command::Inspect(InspectCommand::Hint)),
            None => {}
        }
    }

    /// Draws what lies between the panels and the status line: the line profile and the drawer of the laboratory.
    fn show_drawers(&mut self, ui: &mut Ui) {
        self.whole_panels = ui.available_rect_before_wrap();
        self.show_profile(ui);
        self.show_drawer(ui);
    }

    /// Draws the status line.
    fn show_status(&mut self, ui: &mut Ui) {
        let (frame, common_chips) = (bar([12, 0]), self.status_has_chips(ui).then_some(header::show_common));
        Panel::bottom("status").exact_size(status::HEIGHT).show_separator_line(true).frame(frame).show(ui, |ui| {
            self.regions.enter(ui, Region::Status);
            let preferences = &mut self.settings.current.preferences;
            let reading = (self.reading.as_ref(), &self.headers_with_values[..], self.headline.as_ref());
            let (session, drawn) = (&mut self.session, &self.status);
            let shown = status::show(ui, session, preferences, reading, (drawn, common_chips));
            self.has_values_in_headers = shown.has_more;
            if let Some(command) = shown.asked {
                self.run(ui, command);
            }
        });
    }

    /// Whether the status line has the chips of what all panels have alike; otherwise the first header has them.
    pub(super) fn status_has_chips(&self, ui: &Ui) -> bool {
        status::has_chips(ui.content_rect().width(), header::common_width(ui, &self.session))
    }

    /// Draws the plot of the line profile if there is one.
    fn show_profile(&mut self, ui: &mut Ui) {
        if self.session.inspect.tool == Tool::Profile || self.session.inspect.state.line.is_some() {
            let unit = self.settings.current.preferences.unit;
            let asked = self.drawer.show_profile(ui, &mut self.session, &mut self.overlays.profile, unit);
            asked.into_iter().for_each(|command| self.run(ui, command));
        }
    }

    /// Draws the drawer of the laboratory if it is open.
    fn show_drawer(&mut self, ui: &mut Ui) {
        let is_of_lesson = self.session.is_of_lesson();
        let context = DrawerContext {
            session: &mut self.session,
            height: Some(&mut self.settings.current.drawer_height).filter(|_| !is_of_lesson),
            backend: self.backend.kind(),
            unit: self.settings.current.preferences.unit,
            canvas: self.canvas.as_ref(),
            enter: &mut |ui| self.regions.enter(ui, Region::Drawer),
        };
        let asked = self.drawer.show(ui, context);
        asked.into_iter().for_each(|command| self.run(ui, command));
    }

    /// Whether the side bar is shown. In a narrow window and beside the column of lessons it is shown only if it was asked for
    /// there.
    pub(super) fn has_side_bar(&self, ui: &Ui) -> bool {
        if self.learn.has_column() {
            return self.learn.shows_side_bar;
        }
        if is_narrow(ui) { self.shows_side_bar_in_narrow } else { self.settings.current.side_bar.is_shown }
    }

    /// Hides or shows the side bar.
    pub(super) fn toggle_side_bar(&mut self, ui: &Ui) {
        let is_shown = if self.learn.has_column() {
            &mut self.learn.shows_side_bar
        } else if is_narrow(ui) {
            &mut self.shows_side_bar_in_narrow
        } else {
            &mut self.settings.current.side_bar.is_shown
        };
        *is_shown = !*is_shown;
    }

    /// Opens the tab of `section` and unfolds it.
    pub(super) fn reveal(&mut self, section: SideSection) {
        self.settings.current.side_bar.reveal(section);
    }

    /// Unfolds the section of the pins when a position was pinned. The side bar scrolls to it while it unfolds.
    fn follow_pins(&mut self, ui: &Ui) {
        let count = self.session.inspect.state.pins.len();
        if count > self.pin_count {
            self.settings.current.side_bar.fold(SideSection::Pins, false);
        }
        // A session brings any number of pins.
        if count == self.pin_count + 1 {
            self.scrolls_to_pins_until_s = ui.input(|input| input.time) + SCROLL_S;
        }
        self.pin_count = count;
    }

    /// Draws the side bar, if it is shown.
    fn show_side_bar(&mut self, ui: &mut Ui) {
        if !self.has_side_bar(ui) {
            return;
        }
        let frame = bar([side_bar::MARGIN, 0]);
        let (least, most) = SideBar::WIDTHS;
        let settings = &mut self.settings.current;
        let scrolls_to_pins = ui.input(|input| input.time) < self.scrolls_to_pins_until_s;
        let shown = Panel::right("controls")
            .default_size(settings.side_bar.width())
            .size_range(least..=most)
            .resizable(true)
            .show_separator_line(true)
            .frame(frame)
            .show(ui, |ui| {
                self.regions.enter(ui, Region::SideBar);
                let (session, overlays) = (&mut self.session, &mut self.overlays);
                let current = self.learn.play().map(|play| play.id);
                let lessons = ListContext { shelf: &self.learn.shelf, progress: &settings.lessons, current };
                let (preferences, side_bar) = (&mut settings.preferences, &mut settings.side_bar);
                side_bar::show(
                    ui,
                    side_bar::SideBarContext { session, preferences, side_bar, overlays, scrolls_to_pins, lessons },
                )
            });
        // The file is written once, at the end of a drag.
        if !ui.input(|input| input.pointer.any_down()) {
            settings.side_bar.set_width(shown.response.rect.width());
        }
        shown.inner.into_iter().for_each(|asked| self.answer_lesson(ui, asked));
    }

    /// Draws the hint over the panels while a file is dragged over the window.
    pub(super) fn show_drop_hint(&self, ui: &Ui, within: Rect) {
        if ui.input(|input| input.raw.hovered_files.is_empty()) {
            return;
        }
        let palette = Palette::of_ui(ui);
        let painter = ui.ctx().layer_painter(egui::LayerId::new(egui::Order::Foreground, egui::Id::unique("drop")));
        painter.rect_filled(within, 0.0, palette.ground.gamma_multiply(0.8));
        let stroke = egui::Stroke::new(2.0, palette.accent);
        painter.rect_stroke(within.shrink(4.0 * SPACE), 8.0, stroke, egui::StrokeKind::Inside);
        let font = egui::TextStyle::Heading.resolve(ui.style());
        painter.text(
            within.center(),
            egui::Align2::CENTER_CENTER,
            "Drop on a panel to open there only, elsewhere to open in all panels",
            font,
            palette.text,
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

/// The frame of a bar with these margins, across and down. Its colour is that of the window's background.
fn bar([across, down]: [i8; 2]) -> Frame {
    Frame::new().inner_margin(Margin::symmetric(across, down))
}

/// Whether the window is too narrow for the side bar.
fn is_narrow(ui: &Ui) -> bool {
    ui.ctx().content_rect().width() < SideBar::LEAST_WINDOW_WIDTH
}
