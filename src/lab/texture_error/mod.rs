//! The texture unit's error: what a linear fetch returns between two texels, beside the exact value.
//!
//! Fractions of a fetch have 8 bits, so that a linear fetch climbs from texel to texel in 256 steps ([`Texel`]). Document 002
//! (Ruijters, ter Haar Romeny, Suetens 2008) measured further that fetches from integer textures are rounded
//! ([`Formats`], its figure 4), and the error of the cubic B-spline from a look-up table and on the fly ([`TableOne`], its
//! table 1). All three go through a [`Backend`](crate::backend::Backend): CUDA asks the texture unit itself, the CPU emulates it.
//! Beside them a window asks the texture unit of its OpenGL by a shader ([`ShaderTexel`]), whose weights have a [`Precision`].

mod charts;
mod formats;
mod report;
mod row;
mod shader;
mod table_one;
mod texel;

pub use charts::scientific;
pub use formats::{FormatCurve, Formats, TEXEL_PAIRS, TexelPair, TexelPairRow};
pub use shader::{PRECISION_PLACES, Precision, ShaderRow, ShaderTexel};
pub use table_one::{DOCUMENT_TABLE, Picture, TABLE_PIXELS, TableOne, TableRow};
pub use texel::{PLACES, Texel, TexelCurve, TexelRequest};

use crate::backend::BackendKind;
use crate::rows::rows;

/// Description of a view of the error.
#[derive(Debug)]
pub struct TextureViewRow {
    /// The view.
    pub view: TextureView,
    /// Its name on the command line and in session files.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// One sentence: what it shows.
    pub help: &'static str,
}

rows! {
    /// A view of the texture unit's error.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum TextureView {
        /// Values over one texel.
        #[default]
        Staircase => {
            name: "staircase",
            title: "Staircase",
            help: "Between two texels the texture unit knows 256 places: its value climbs in steps of 1/256 of their difference, beside the exact value",
        },
        /// Errors over one texel.
        Error => {
            name: "error",
            title: "Error",
            help: "The texture unit's value minus the exact one, times the gain: a sawtooth of half a step up and half a step down",
        },
        /// Document 002's figure 4.
        Formats => {
            name: "formats",
            title: "Formats",
            help: "Document 002's figure 4: a fetch from a texture of integers is rounded to 1/65535, so that two neighbouring 16-bit numbers have nothing between them",
        },
        /// Document 002's table 1.
        TableOne => {
            name: "table",
            title: "Table 1",
            help: "Document 002's table 1: the error of the cubic B-spline with weights from a table of 128 entries and on the fly. It is proportional to the picture's contrast",
        },
    }

    /// The views.
    pub static TEXTURE_VIEWS: [TextureViewRow { view, .. }];

    impl by_name, Display;
}

/// Factor of an error in a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorGain(u16);

impl Default for ErrorGain {
    /// 256: half a step of a linear fetch from 0 to 1 is ½.
    fn default() -> Self {
        Self(256)
    }
}

impl ErrorGain {
    /// Smallest and largest gain.
    pub const RANGE: (u16, u16) = (1, 4096);

    /// A gain within [`ErrorGain::RANGE`]; `None` beyond it.
    pub fn new(gain: u16) -> Option<Self> {
        (Self::RANGE.0..=Self::RANGE.1).contains(&gain).then_some(Self(gain))
    }

    /// The factor.
    pub fn get(self) -> u16 {
        self.0
    }
}

/// Part of a texel in a drawing: a number of the 256 steps of the fraction, about the middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShownSteps(u16);

impl Default for ShownSteps {
    /// 16: each step is to be seen.
    fn default() -> Self {
        Self(16)
    }
}

impl ShownSteps {
    /// The numbers of steps that can be shown.
    pub const CHOICES: [u16; 6] = [8, 16, 32, 64, 128, 256];

    /// One of [`ShownSteps::CHOICES`]; `None` for another number.
    pub fn new(steps: u16) -> Option<Self> {
        Self::CHOICES.contains(&steps).then_some(Self(steps))
    }

    /// The number.
    pub fn get(self) -> u16 {
        self.0
    }

    /// The fractions on show.
    pub fn range(self) -> [f64; 2] {
        let half = f64::from(self.0) / 512.0;
        [0.5 - half, 0.5 + half]
    }
}

/// Where values of a fetch come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The texture unit of a GPU.
    Unit,
    /// The arithmetic of the CPU backend.
    Emulation,
}

impl Origin {
    /// Of the values of a backend.
    pub fn of(backend: BackendKind) -> Self {
        match backend {
            BackendKind::Cuda => Self::Unit,
            BackendKind::Cpu | BackendKind::Reference => Self::Emulation,
        }
    }

    /// The source of a chart's series.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unit => "measured",
            Self::Emulation => "emulated",
        }
    }

    /// A sentence on it.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Unit => "Measured by this GPU's texture unit",
            Self::Emulation => "Emulated by the CPU: no texture unit is in use",
        }
    }
}

#[cfg(test)]
mod tests;
