//! The sample type of a plane, as the kernels' names spell it.

use crate::image::Channels;

/// Sample type of a plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SampleKind {
    U8,
    U16,
    F32,
}

impl SampleKind {
    pub(crate) const ALL: [Self; 3] = [Self::U8, Self::U16, Self::F32];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::F32 => "f32",
        }
    }

    /// Bytes of one number.
    pub(crate) fn bytes(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::U16 => 2,
            Self::F32 => 4,
        }
    }
}

/// Numbers of a pixel on the device: one of grey, four of anything else.
pub(crate) fn floats_of(channels: Channels) -> usize {
    if channels == Channels::Grey { 1 } else { 4 }
}
