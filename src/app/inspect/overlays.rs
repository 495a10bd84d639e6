//! Overlays: the measurements that inspection tools cache across frames, and the painting over pictures.

use std::collections::BTreeMap;

use egui::{Context, Ui};

use super::clipping::ClippingPattern;
use super::counts::SampleCounts;
use super::difference::DifferenceMeter;
use super::drags::DragTool;
use super::field::FieldOverlays;
use super::inset::Insets;
use super::kernel_curves::KernelCurves;
use super::minimap::Overview;
use super::panel_transform::PanelTransform;
use super::pins::PinValues;
use super::profile::Profile;
use super::quality::QualityMeter;
use super::{cells, clipping, loupe, minimap, outside, pins};
use crate::app::commands::{Command, InspectCommand, Keymap};
use crate::app::render::thumbnails::Thumbnails;
use crate::app::render::worker::WorkerBackend;
use crate::app::session::preferences::Preferences;
use crate::app::session::{PanelId, Session};
use crate::app::widgets::theme::Palette;
use crate::image::{Region, Statistics};

/// The pictures that overlays are painted over.
#[derive(Clone, Copy)]
pub(in crate::app) struct OverlayInput<'a> {
    /// The session.
    pub(in crate::app) session: &'a Session,
    /// The preferences.
    pub(in crate::app) preferences: &'a Preferences,
    /// One transform for each picture.
    pub(in crate::app) transforms: &'a [PanelTransform],
}

/// Cached measurements, each with the state that it is valid for.
#[derive(Default)]
pub(in crate::app) struct Overlays {
    /// The drag in progress.
    pub(in crate::app) drag: DragTool,
    /// Curves of the line profile.
    pub(in crate::app) profile: Profile,
    /// Values at the pins.
    pub(in crate::app) pinned: PinValues,
    /// Statistics of the focused panel's image.
    pub(in crate::app) counts: SampleCounts,
    /// Size of the difference on show.
    pub(in crate::app) difference: DifferenceMeter,
    /// Errors of the panels against the truth.
    pub(in crate::app) quality: QualityMeter,
    /// Measurements of the interpolated field, painted over the pictures.
    pub(in crate::app) field: FieldOverlays,
    /// The insets with the finest detail.
    pub(in crate::app) insets: Insets,
    /// Kernels of the visible panels.
    pub(in crate::app) kernels: KernelCurves,
    /// Thumbnail of the focused panel's image.
    pub(in crate::app) overview: Option<Overview>,
    /// Whether the overview was drawn in this frame. It is rendered only then.
    pub(super) shows_overview: bool,
    /// Thumbnails of the open images.
    pub(in crate::app) thumbnails: Thumbnails,
    patterns: BTreeMap<PanelId, ClippingPattern>,
}

impl Overlays {
    /// Statistics of the focused panel's image, or of the region; none while they are being counted.
    pub(in crate::app) fn statistics(&mut self, ctx: &Context, session: &Session) -> &[Statistics] {
        let page = session.page();
        let region = session.inspect.state.region.unwrap_or(Region::whole(page.size()));
        self.counts.of(ctx, &page, region)
    }

    /// Updates the measurements and paints over the pictures.
    pub(in crate::app) fn after_panels(&mut self, ui: &Ui, backend: &mut WorkerBackend<'_>, input: &OverlayInput<'_>) {
        let OverlayInput { session, preferences, transforms } = *input;
        let shows_overview = std::mem::take(&mut self.shows_overview);
        let is_new = self.quality.update(session, ui)
            | self.profile.update(session, backend)
            | self.pinned.update(session, backend)
            | self.difference.update(session, backend)
            | (shows_overview && minimap::update(ui, session, backend, &mut self.overview));
        if is_new && !backend.is_pending() {
            // The side bar and the plot were drawn before the panels: they show new measurements in the next frame.
            ui.request_repaint();
        }
        self.field.update(session, transforms, ui);
        self.patterns.retain(|panel, _| session.panel(*panel).is_some());
        let hovered = hovered(ui, transforms);
        for transform in transforms {
            let painter = ui.painter().with_clip_rect(transform.rect().intersect(ui.clip_rect()));
            let inspect = &session.inspect;
            self.field.paint(&painter, session, transform);
            // Of a warped picture the samples are elsewhere.
            let is_plain = session.panels()[transform.panel].warp.is_none();
            if inspect.state.marks_clipping {
                clipping::paint(&painter, session, backend, transform, &mut self.patterns);
            }
            let (has_ghosts, palette) = (inspect.state.shows_outside && is_plain, Palette::of_ui(ui));
            let is_dimmed = !has_ghosts && session.dims_outside() && is_plain;
            if has_ghosts {
                outside::paint(&painter, session, transform);
            } else if is_dimmed {
                outside::dim(&painter, session, transform, &palette);
            }
            let seen = cells::seen(session, transform, is_dimmed);
            if inspect.state.has_grid && is_plain {
                cells::grid(&painter, transform, seen);
            }
            if inspect.state.has_values && is_plain {
                cells::values(&painter, session, (transform, seen), preferences.unit);
            }
            // Names are read over all lines.
            if has_ghosts {
                let cursor = inspect.cursor.filter(|_| hovered == Some(transform.panel));
                outside::name_regions(&painter, session, transform, cursor);
            } else if is_dimmed {
                outside::name_under_pointer(&painter, session, transform, &palette);
            }
            self.drag.paint(&painter, session, transform);
        }
        self.insets.paint(ui, session, backend, transforms);
        let enlarged = session.inspect.cursor.filter(|_| is_loupe_held(ui));
        for transform in transforms {
            let painter = ui.painter().with_clip_rect(transform.rect().intersect(ui.clip_rect()));
            let loupe = enlarged.and_then(|cursor| loupe::paint(&painter, session, backend, transform, cursor));
            self.field.show_captions(ui, session, transform);
            if session.inspect.state.joins_pins {
                pins::join(&painter, &session.inspect.state.pins, transform);
            }
            pins::paint(&painter, &session.inspect.state.pins, transform, loupe.as_ref());
        }
        if backend.is_pending() {
            self.profile.forget();
            self.pinned.forget();
            self.difference.forget();
            self.patterns.clear();
        }
    }
}

/// Index of the panel under the pointer.
fn hovered(ui: &Ui, transforms: &[PanelTransform]) -> Option<usize> {
    let pos = ui.input(|input| input.pointer.hover_pos())?;
    transforms.iter().find(|transform| transform.rect().contains(pos)).map(|transform| transform.panel)
}

/// Whether the loupe's key is held and no text is being edited.
fn is_loupe_held(ui: &Ui) -> bool {
    let keys = Keymap::in_force(ui);
    !ui.text_edit_focused() && ui.input(|input| keys.is_held(input, Command::Inspect(InspectCommand::Loupe)))
}
