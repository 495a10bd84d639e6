//! Formats of textures: whether the texture unit rounds a fetch (document 002, figure 4).

use super::Origin;
use super::row::{Row, levels};
use super::texel::PLACES;
use crate::backend::{Backend, BackendError};
use crate::image::Samples;
use crate::rows::rows;
use crate::sampling::{Sampler, SamplingPath, TEXTURE_FORMATS, TextureFormat};

/// The last bit of a 16-bit texture, to which fetches of integers are rounded.
const LAST_BIT: f64 = 1.0 / 65535.0;
/// Distance of a value from a multiple of 1/65535, in units of it, below which it is one; single precision leaves 0.008.
const WHOLE: f64 = 0.01;

/// Description of a pair of texels.
#[derive(Debug)]
pub struct TexelPairRow {
    /// The pair.
    pub pair: TexelPair,
    /// Its name on the command line and in session files.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// One sentence on it.
    pub help: &'static str,
}

rows! {
    /// The two texels between which formats are compared.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum TexelPair {
        /// 0 and the last bit of 16, as in the figure.
        #[default]
        Document => {
            name: "document",
            title: "0 and 1/65535",
            help: "The figure's texels. An 8-bit texture cannot hold 1/65535: both its texels are 0",
        },
        /// 0 and each format's own last bit.
        LastBit => {
            name: "last-bit",
            title: "0 and the last bit",
            help: "0 and the smallest number of each texture: 1/255 for 8 bits, 1/65535 for 16 bits and for floats. Values are in units of it",
        },
        /// Black and white.
        Whole => {
            name: "whole",
            title: "0 and 1",
            help: "Black and white: all 256 steps of the fraction, which a rounding to 1/65535 moves by half of that at most",
        },
    }

    /// The pairs.
    pub static TEXEL_PAIRS: [TexelPairRow { pair, .. }];

    impl by_name, Display;
}

impl TexelPair {
    /// The upper texel for `format`, before it is stored.
    fn upper(self, format: TextureFormat) -> f64 {
        match self {
            Self::Document => LAST_BIT,
            Self::LastBit => last_bit(format),
            Self::Whole => 1.0,
        }
    }
}

/// The smallest number of a texture of `format`; of floats that of 16 bits, for comparison.
fn last_bit(format: TextureFormat) -> f64 {
    format.row().maxval.map_or(LAST_BIT, |maxval| 1.0 / f64::from(maxval))
}

/// A linear fetch from texel 0 to another one, through textures of every format.
#[derive(Clone, Debug, PartialEq)]
pub struct Formats {
    /// The texels.
    pub pair: TexelPair,
    /// Where the values come from.
    pub origin: Origin,
    /// One curve for each format, in the order of [`TEXTURE_FORMATS`].
    pub curves: Vec<FormatCurve>,
}

/// Values of a linear fetch from one format.
#[derive(Clone, Debug, PartialEq)]
pub struct FormatCurve {
    /// The format.
    pub format: TextureFormat,
    /// The upper texel that was asked for.
    pub asked: f64,
    /// The upper texel as the texture holds it.
    pub upper: f64,
    /// Fraction and value.
    pub points: Vec<[f64; 2]>,
}

impl Formats {
    /// The values by `backend`.
    ///
    /// # Errors
    /// Errors of the backend.
    pub fn measure(pair: TexelPair, backend: &mut dyn Backend) -> Result<Self, BackendError> {
        let sampler = Sampler { path: SamplingPath::Filtered, ..Sampler::default() };
        let curve = |format: TextureFormat| {
            let asked = pair.upper(format);
            let upper = format.texel(asked);
            let points = Row::new(samples(format, upper), 0, PLACES).values(sampler, backend)?;
            Ok(FormatCurve { format, asked, upper, points })
        };
        let curves = TEXTURE_FORMATS.iter().map(|row| row.format).map(curve).collect::<Result<_, BackendError>>()?;
        Ok(Self { pair, origin: Origin::of(backend.kind()), curves })
    }
}

/// Texels 0 and `upper` as numbers of `format`.
fn samples(format: TextureFormat, upper: f64) -> Samples {
    match format {
        TextureFormat::Eight => Samples::U8 { values: vec![0, (upper * 255.0).round() as u8], maxval: u8::MAX },
        TextureFormat::Sixteen => Samples::U16 { values: vec![0, (upper * 65535.0).round() as u16], maxval: u16::MAX },
        TextureFormat::Float => Samples::F32(vec![0.0, upper as f32]),
    }
}

impl FormatCurve {
    /// The different values, rising.
    pub fn levels(&self) -> Vec<f64> {
        levels(&self.points)
    }

    /// Whether every value is a multiple of 1/65535; `None` for two equal texels, which have nothing between them.
    pub fn is_rounded(&self) -> Option<bool> {
        let is_whole = |value: &f64| (value / LAST_BIT - (value / LAST_BIT).round()).abs() < WHOLE;
        (self.upper > 0.0).then(|| self.levels().iter().all(is_whole))
    }

    /// Largest difference from the emulation, in units of the upper texel that was asked for.
    pub fn distance_from_emulation(&self) -> f64 {
        let emulated = |x: f64| self.format.filtered(crate::sampling::fixed_point_fraction(x) * self.upper);
        let distances = self.points.iter().map(|[x, value]| (value - emulated(*x)).abs());
        distances.fold(0.0, f64::max) / self.asked
    }

    /// What its values say, in a sentence.
    pub fn sentence(&self) -> String {
        let name = self.format;
        let count = self.levels().len();
        match self.is_rounded() {
            None => format!("{name}: 0 twice, since {} is below its last bit", quotient(self.asked)),
            Some(true) => format!("{name}: {count} values, rounded to 1/65535"),
            Some(false) => format!("{name}: {count} values, not rounded"),
        }
    }
}

/// `1/65535`.
fn quotient(value: f64) -> String {
    if value == 1.0 { "1".to_owned() } else { format!("1/{}", (1.0 / value).round()) }
}
