//! Visibility of everything around the pictures.

use crate::app::panels::Headers;

/// The visible parts of the window. A presentation without bars shows the pictures alone on the whole screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Chrome {
    /// Full screen, without bars, with headers in large type.
    pub(super) is_presentation: bool,
    /// Pictures only.
    pub(super) is_hidden: bool,
}

impl Chrome {
    /// Whether toolbar, side bar and status line are visible.
    pub(super) fn has_bars(self) -> bool {
        !self.is_presentation && !self.is_hidden
    }

    /// The headers of the panels. A student of a lesson uses their menus in the presentation, too.
    pub(super) fn headers(self, runs_lesson: bool) -> Headers {
        match self {
            Self { is_hidden: true, .. } => Headers::Hidden,
            Self { is_presentation: true, .. } if !runs_lesson => Headers::Names,
            Self { .. } => Headers::Controls,
        }
    }

    /// Scale of text relative to the user's setting. Beside the text of a lesson there is less room for pictures.
    pub(super) fn text_scale(self, runs_lesson: bool) -> f32 {
        match self {
            Self { is_presentation: false, .. } => 1.0,
            Self { .. } if runs_lesson => 1.5,
            Self { .. } => 1.6,
        }
    }
}
