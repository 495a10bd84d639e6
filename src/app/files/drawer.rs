//! The drawer of the laboratory as the settings keep it.

/// Height of the drawer, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawerHeight(f32);

impl Default for DrawerHeight {
    fn default() -> Self {
        Self(190.0)
    }
}

impl DrawerHeight {
    /// Least and greatest height, in points.
    pub const RANGE: (f32, f32) = (140.0, 600.0);

    /// A height within [`DrawerHeight::RANGE`]; `None` outside it.
    pub fn new(points: f32) -> Option<Self> {
        (Self::RANGE.0..=Self::RANGE.1).contains(&points).then_some(Self(points))
    }

    /// The height in points.
    pub fn points(self) -> f32 {
        self.0
    }

    /// Sets the height, rounded, within [`DrawerHeight::RANGE`]. A number that is not finite is ignored.
    pub fn set(&mut self, points: f32) {
        if points.is_finite() {
            self.0 = points.round().clamp(Self::RANGE.0, Self::RANGE.1);
        }
    }
}
