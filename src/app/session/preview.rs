//! Preview: the focused panel's picture with another sampler, while a list marks a row that sets it. The panel's own sampler stays, and with it
//! names, commands, saved sessions and the steps of undo.

use super::Session;
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

    /// What panel `index` shows in place of its sampler; `None` without a preview.
    pub(in crate::app) fn preview_text(&self, index: usize) -> Option<String> {
        let panel = &self.panels[index];
        let Preview { sampler, .. } = self.preview.filter(|preview| preview.panel == panel.id)?;
        let is_of_method = sampler.method != panel.sampler.method;
        Some(if is_of_method { format!("preview of {}", sampler.method.title()) } else { "preview".to_owned() })
    }

    /// Whether a preview has other address modes than its panel.
    pub(super) fn previews_address(&self) -> bool {
        self.preview.is_some_and(|Preview { panel, sampler }| {
            self.panels.iter().any(|other| other.id == panel && other.sampler.address != sampler.address)
        })
    }
}
