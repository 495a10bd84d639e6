//! Preview: the focused panel's picture with another sampler, while a list marks a row that sets it. The panel's own sampler stays, and with it
//! names, commands, saved sessions and the steps of undo.

use super::Session;
use super::panel_names::PanelMethod;
use super::panels::{PanelId, in_force};
use crate::backend::Content;
use crate::sampling::Sampler;

/// The sampler of a preview and its panel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Preview {
    panel: PanelId,
    sampler: Sampler,
}

impl Session {
    /// Shows the focused panel with `sampler` as long as nothing else is set; `None` ends the preview. Returns whether anything changed. A panel
    /// that shows the truth has no preview.
    pub(in crate::app) fn set_preview(&mut self, sampler: Option<Sampler>) -> bool {
        let panel = &self.panels[self.focused];
        let of_panel = |sampler| Preview { panel: panel.id, sampler };
        let preview = sampler.filter(|_| panel.content == Content::Interpolation).map(of_panel);
        std::mem::replace(&mut self.preview, preview) != preview
    }

    /// The sampler in force of panel `index`, or that of its preview.
    pub(super) fn shown_sampler(&self, index: usize) -> Sampler {
        let panel = &self.panels[index];
        match self.preview {
            Some(Preview { panel: of, sampler }) if of == panel.id => in_force(sampler),
            _ => panel.sampler_in_force(),
        }
    }

    /// The method that panel `index` shows, in a preview or as its own, and whether it is a preview.
    pub(in crate::app) fn shown_method(&self, index: usize) -> (PanelMethod, bool) {
        let panel = &self.panels[index];
        match self.preview {
            Some(Preview { panel: of, sampler }) if of == panel.id => (PanelMethod::Method(sampler.method), true),
            _ => (panel.method(), false),
        }
    }

    /// Whether a preview has other address modes than its panel.
    pub(super) fn previews_address(&self) -> bool {
        self.preview.is_some_and(|Preview { panel, sampler }| {
            self.panels.iter().any(|other| other.id == panel && other.sampler.address != sampler.address)
        })
    }
}
