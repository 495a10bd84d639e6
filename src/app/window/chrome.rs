//! Visibility of everything around the pictures.

/// The visible parts of the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Chrome {
    /// Bars, headers and pictures.
    #[default]
    All,
    /// Headers in large type and pictures, full-screen.
    Presentation,
    /// Pictures only.
    None,
}

impl Chrome {
    /// Whether toolbar, side bar and status line are visible.
    pub(super) fn has_bars(self) -> bool {
        self == Self::All
    }

    /// Whether panels have headers.
    pub(super) fn has_headers(self) -> bool {
        self != Self::None
    }

    /// Scale of text relative to the user's setting.
    pub(super) fn text_scale(self) -> f32 {
        if self == Self::Presentation { 1.6 } else { 1.0 }
    }
}
