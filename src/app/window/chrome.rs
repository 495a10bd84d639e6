//! Visibility of everything around the pictures.

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

    /// Whether panels have headers.
    pub(super) fn has_headers(self) -> bool {
        !self.is_hidden
    }

    /// Scale of text relative to the user's setting.
    pub(super) fn text_scale(self) -> f32 {
        if self.is_presentation { 1.6 } else { 1.0 }
    }
}
