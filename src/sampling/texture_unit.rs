//! The texture unit's arithmetic by the format of the texture: what a linear fetch returns.

use crate::rows::rows;

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
    /// Whether the weighted mean of the texels is rounded to a texel's last bit before it becomes a float (Ruijters et al.
    /// 2008, section 5, on a GeForce 9800 GTX). Measured on an H200.
    pub is_quantized: bool,
}

rows! {
    /// Format of a texture's texels.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum TextureFormat {
        /// Integers from 0 to 255.
        Eight => { name: "8-bit", title: "8-bit texture", bytes: 1, maxval: Some(255), is_quantized: false },
        /// Integers from 0 to 65535.
        Sixteen => { name: "16-bit", title: "16-bit texture", bytes: 2, maxval: Some(65535), is_quantized: false },
        /// Single precision.
        Float => { name: "float", title: "float texture", bytes: 4, maxval: None, is_quantized: false },
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
        match self.row().maxval {
            Some(maxval) if self.row().is_quantized => rounded(mean, maxval),
            Some(_) | None => mean,
        }
    }
}

/// `value` in whole steps of 1/maxval.
fn rounded(value: f64, maxval: u16) -> f64 {
    (value * f64::from(maxval)).round() / f64::from(maxval)
}
