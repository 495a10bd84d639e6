//! Pictures of the panels, by panel id: a picture stays with its panel when panels are added, closed, moved or restored.

use std::collections::BTreeMap;

use super::picture::Picture;
use crate::app::session::{PanelId, Session};

/// One picture per panel.
#[derive(Debug, Default)]
pub(in crate::app) struct Pictures {
    by_panel: BTreeMap<PanelId, Picture>,
}

impl Pictures {
    /// Drops the pictures of closed panels, and their textures. The window's OpenGL context must be current.
    pub(in crate::app) fn follow(&mut self, session: &Session) {
        self.by_panel.retain(|panel, _| session.panel(*panel).is_some());
    }

    /// Drops all pictures and their textures. The window's OpenGL context must be current.
    pub(in crate::app) fn clear(&mut self) {
        self.by_panel.clear();
    }

    /// The picture of `panel`; `None` before its first frame.
    pub(in crate::app) fn get(&self, panel: PanelId) -> Option<&Picture> {
        self.by_panel.get(&panel)
    }

    /// The picture of the panel at `index`; `None` before its first frame.
    pub(in crate::app) fn at(&self, session: &Session, index: usize) -> Option<&Picture> {
        self.get(session.panels().get(index)?.id())
    }

    /// The picture of `panel`, which is created if it has none.
    pub(in crate::app) fn of(&mut self, panel: PanelId) -> &mut Picture {
        self.by_panel.entry(panel).or_default()
    }

    /// All pictures, to be changed.
    pub(in crate::app) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Picture> {
        self.by_panel.values_mut()
    }
}
