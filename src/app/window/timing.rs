//! Text of the timing overlay.

use std::time::Duration;

use egui::{Rect, Ui};

use super::Lerpscope;
use crate::app::dialogs::{PictureTime, TimingFacts};
use crate::app::panels::header;
use crate::app::render::picture::Picture;
use crate::app::render::texture_sharing::PresentMode;
use crate::app::session::{PanelArea, PanelName};
use crate::backend::Backend as _;

/// Typical delay of the device's timers.
const TIMER_DELAY: Duration = Duration::from_millis(30);

impl Lerpscope {
    /// Draws the timing overlay, if it is shown.
    pub(super) fn show_timing(&mut self, ui: &Ui, within: Rect) {
        let Some(timing) = &self.dialogs.timing else {
            return;
        };
        let header = if self.headers().are_shown() { header::height(ui.content_rect().height()) } else { 0.0 };
        timing.show(ui, within.with_min_y(within.top() + header), &self.timing_facts());
        if self.backend.gl().is_some_and(|writer| writer.is_timing()) {
            ui.request_repaint_after(TIMER_DELAY);
        }
    }

    fn timing_facts(&self) -> TimingFacts {
        let pictures = self.named_pictures();
        let way = match &self.status.way {
            _ if self.canvas.is_none() => "none".to_owned(),
            PresentMode::Shared => "shared texture".to_owned(),
            PresentMode::Upload | PresentMode::UploadBecause(_) => {
                let copy = |(_, picture): &(Vec<PanelName>, &Picture)| {
                    picture.took().saturating_sub(picture.last_kernel_time().unwrap_or_default())
                };
                format!("upload, {:.2} ms", pictures.iter().map(copy).sum::<Duration>().as_secs_f64() * 1e3)
            }
        };
        let time = |(names, picture): (Vec<PanelName>, &Picture)| PictureTime {
            index: names.first().map_or(0, |name| name.index),
            name: names.iter().map(PanelName::numbered).collect::<Vec<_>>().join(" − "),
            took: picture.last_kernel_time(),
        };
        let pictures = pictures.into_iter().map(time).collect();
        let backend = if self.status.backends == [self.backend.kind()] {
            self.backend.description()
        } else {
            format!("{} ({})", self.status.backend_titles(), self.backend.description())
        };
        TimingFacts { backend, way, pictures }
    }

    /// The visible pictures with the names of their panels: two of a difference.
    fn named_pictures(&self) -> Vec<(Vec<PanelName>, &Picture)> {
        let name = |index: usize| self.session.panel_name(index);
        match self.session.areas().as_slice() {
            [PanelArea::Difference(pair)] => vec![(pair.map(name).to_vec(), &self.difference)],
            areas => {
                let seen = areas.iter().flat_map(|area| area.pictures());
                seen.filter_map(|index| Some((vec![name(index)], self.pictures.at(&self.session, index)?))).collect()
            }
        }
    }
}
