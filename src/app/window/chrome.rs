//! What stands around the pictures.

/// How much of it there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::app) enum Chrome {
    /// Everything.
    #[default]
    All,
    /// The panels' names in large type, on the whole screen: for an audience.
    Presentation,
    /// Nothing.
    None,
}

impl Chrome {
    /// Whether there are menus, the side bar and the status line.
    pub(in crate::app) fn has_bars(self) -> bool {
        self == Self::All
    }

    /// Whether panels have headers.
    pub(in crate::app) fn has_headers(self) -> bool {
        self != Self::None
    }

    /// How much larger than usual letters are.
    pub(in crate::app) fn text_scale(self) -> f32 {
        if self == Self::Presentation { 1.6 } else { 1.0 }
    }
}
