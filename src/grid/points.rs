//! Points as a backend takes them.

/// Coordinates of points, one after another, in either precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PointSlice<'a> {
    /// Single precision.
    Single(&'a [f32]),
    /// Double precision.
    Double(&'a [f64]),
}

impl PointSlice<'_> {
    /// Number of coordinates.
    pub fn len(&self) -> usize {
        match self {
            Self::Single(points) => points.len(),
            Self::Double(points) => points.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<'a> From<&'a [f32]> for PointSlice<'a> {
    fn from(points: &'a [f32]) -> Self {
        Self::Single(points)
    }
}

impl<'a> From<&'a [f64]> for PointSlice<'a> {
    fn from(points: &'a [f64]) -> Self {
        Self::Double(points)
    }
}
