//! What a kernel writes, as the kernels number it.

/// What a kernel writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Output {
    /// One byte a pixel, into a surface.
    Grey8,
    /// Four bytes a pixel, into a surface.
    Rgba8,
    /// Interpolated values in single precision, into memory.
    Values,
}

impl Output {
    pub(crate) const ALL: [Self; 3] = [Self::Grey8, Self::Rgba8, Self::Values];

    /// Its part of an entry's name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Grey8 => "grey8",
            Self::Rgba8 => "rgba8",
            Self::Values => "values",
        }
    }
}
