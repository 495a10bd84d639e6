//! The texture unit's arithmetic by the format of the texture: what a linear fetch returns.

use crate::rows::rows;

/// Steps from 0 to 1 of a fetch from a texture of integers.
const FETCH_STEPS: u16 = u16::MAX;

/// Properties of a texture's format.
#[derive(Debug)]
pub struct TextureFormatRow {
    /// The format.
    pub format: TextureFormat,
    /// Its name on the command line and in files.
    pub name: &'static str,
    /// Its name in texts.
    pub title: &'static str,
    /// Number of bytes of a texel of one channel.
    pub bytes: usize,
    /// Number of the texel that stands for 1; `None` for floats.
    pub maxval: Option<u16>,
    /// Whether a linear fetch is rounded to a multiple of 1/65535 before it becomes a float (as measured on an H200, for 8 as
    /// for 16 bits; Ruijters et al. 2008, section 5, have it of a GeForce 9800 GTX).
    pub is_rounded: bool,
}

rows! {
    /// Format of a texture's texels.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum TextureFormat {
        /// Integers from 0 to 255.
        Eight => { name: "8-bit", title: "8-bit texture", bytes: 1, maxval: Some(255), is_rounded: true },
        /// Integers from 0 to 65535.
        Sixteen => { name: "16-bit", title: "16-bit texture", bytes: 2, maxval: Some(65535), is_rounded: true },
        /// Single precision.
        Float => { name: "float", title: "float texture", bytes: 4, maxval: None, is_rounded: false },
    }

    /// Formats of textures, the fewest bytes first.
    pub static TEXTURE_FORMATS: [TextureFormatRow { format, .. }];

    impl by_name, Display;
}

impl TextureFormat {
    /// `value` as a texel of this format: rounded to its last bit, within 0 and 1; a float as it is.
    pub fn texel(self, value: f64) -> f64 {
        match self.row().maxval {
            Some(maxval) => rounded(value.clamp(0.0, 1.0), maxval),
            None => value,
        }
    }

    /// What a linear fetch returns for the weighted mean `mean` of its texels.
    pub fn filtered(self, mean: f64) -> f64 {
        if self.row().is_rounded { rounded(mean, FETCH_STEPS) } else { mean }
    }

    /// Steps of a fetch between two neighbouring numbers of this format: 257 of 8 bits, 1 of 16 bits. `None` if a fetch is not
    /// rounded.
    pub fn fetch_steps(self) -> Option<f64> {
        let maxval = self.row().maxval.filter(|_| self.row().is_rounded)?;
        Some(f64::from(FETCH_STEPS) / f64::from(maxval))
    }
}

/// `value` in whole steps of 1/maxval.
fn rounded(value: f64, maxval: u16) -> f64 {
    (value * f64::from(maxval)).round() / f64::from(maxval)
}
