//! Values under the cursor.

use egui::Ui;

use super::Lerpscope;
use crate::app::panels::crosshair::Pointer;
use crate::app::render::probe::{PanelPixel, Reading};
use crate::app::render::worker::{Client, WorkerBackend};

impl Lerpscope {
    /// Reads the value of each visible panel under the cursor, which is over pixel `.1` of panel `.0`.
    pub(super) fn read(&mut self, ui: &Ui, under_cursor: Option<(usize, [u32; 2])>) {
        self.pointer = under_cursor.map(|(panel, pixel)| {
            let (view, page) = (self.session.shown_view_of(panel), self.session.page_of(panel).size());
            let map = view.image_from_output(self.session.output(), page);
            Pointer { panel: self.session.panels()[panel].id(), pos_in_image: map.at(pixel.map(f64::from)) }
        });
        self.session.inspect.cursor = self.pointer.map(|pointer| pointer.pos_in_image);
        self.session.inspect.pointed = self.pointer.map(|pointer| pointer.panel);
        let reading = self.pointer.map(|Pointer { panel, pos_in_image }| {
            let from = self.session.index_of(panel).unwrap_or_default();
            let mut value = |index: usize| {
                let panel = self.session.panels()[index].id();
                let request = self.session.request(index);
                let position = self.session.position_in_other((from, index), pos_in_image);
                let pixel = self.session.pixel_at(index, position);
                let values = pixel.and_then(|pixel| {
                    let mut backend = WorkerBackend::new(&mut self.backend, &mut self.worker, Client::Probe(panel));
                    let image = self.session.image_of(index);
                    self.probe.values(&mut backend, &PanelPixel { panel, image, request: &request, pixel }).ok()
                });
                (panel, values.unwrap_or_default())
            };
            Reading { panel, pos_in_image, values: self.session.visible().into_iter().map(&mut value).collect() }
        });
        if reading != self.reading {
            self.reading = reading;
            // The status line is drawn before the panels: the next frame shows the new values.
            ui.request_repaint();
        }
    }
}
