//! Complex images given by formulas.

use std::f64::consts::TAU;
use std::str::FromStr;

use rayon::prelude::*;
use thiserror::Error;

use super::ComplexImage;
use crate::image::{Formula, Size};
use crate::memory::Demand;
use crate::rows::rows;
use crate::text::shortened;

/// The properties of a complex formula.
#[derive(Clone, Copy, Debug)]
pub struct ComplexSourceRow {
    /// The source.
    pub source: ComplexSource,
    /// Name on the command line.
    pub name: &'static str,
    /// Title in the window.
    pub title: &'static str,
    /// One-line description.
    pub help: &'static str,
    /// Real and imaginary part at a position that is 0 in the middle and 1 at the nearest edges, in an image whose shorter side
    /// has this many samples.
    value: fn([f64; 2], f64) -> [f64; 2],
}

rows! {
    /// A complex image given by a formula.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum ComplexSource {
        /// x + iy, with its magnitude bounded.
        Vortex => {
            name: "vortex",
            title: "Vortex",
            help: "a zero in the middle, around which the phase turns once",
            value: vortex,
        },
        /// Two vortices that turn in opposite directions.
        VortexPair => {
            name: "vortex-pair",
            title: "Pair of vortices",
            help: "two zeros around which the phase turns in opposite directions",
            value: vortex_pair,
        },
        /// A wave of constant magnitude.
        PlaneWave => {
            name: "plane-wave",
            title: "Plane wave",
            help: "magnitude 1, with a phase that turns once every 5.2 samples along a slanted direction",
            value: plane_wave,
        },
    }

    /// The complex formulas, in menu order.
    pub static COMPLEX_SOURCES: [ComplexSourceRow { source, .. }];

    impl by_name, Display;
}

/// Error of a complex formula's text.
#[derive(Clone, PartialEq, Eq, Error)]
pub enum ComplexError {
    /// No source has this name.
    #[error("there is no complex source “{}”; there are {names}", shortened(.0), names = names())]
    Name(String),
    /// The size is not two whole numbers in range.
    #[error("“{}” is not the size of a complex image; write WxH, for example 256x256, each from 1 to {most}", shortened(.0), most = Size::MAX_SIDE)]
    Size(String),
    /// The formula has too many samples.
    #[error("{0} samples exceed the limit of {most}", most = Formula::MAX_SAMPLES)]
    TooLarge(Size),
}

/// A complex source and its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ComplexFormula {
    source: ComplexSource,
    size: Size,
}

impl ComplexFormula {
    /// `source` with `size` samples.
    ///
    /// # Errors
    /// [`ComplexError::TooLarge`] beyond [`Formula::MAX_SAMPLES`].
    pub fn new(source: ComplexSource, size: Size) -> Result<Self, ComplexError> {
        if size.area() > Formula::MAX_SAMPLES { Err(ComplexError::TooLarge(size)) } else { Ok(Self { source, size }) }
    }

    /// Whether `text` names a complex source.
    pub fn is_meant(text: &str) -> bool {
        let rest = text.strip_prefix("synth:").unwrap_or_default();
        ComplexSource::by_name(rest.split_once(':').map_or(rest, |(name, _)| name)).is_some()
    }

    /// The source.
    pub fn source(&self) -> ComplexSource {
        self.source
    }

    /// Width and height in samples.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Real and imaginary part at (x, y); sample (m, n) is at x = m, y = n.
    pub fn value(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [width, height] = self.size.sides().map(f64::from);
        let shorter = width.min(height);
        // The middle of the picture and the edges of its pixels.
        let at = |x: f64, side: f64| 2.0 * (x - (side - 1.0) / 2.0) / shorter;
        (self.source.row().value)([at(x, width), at(y, height)], shorter)
    }

    /// Memory that [`ComplexFormula::image`] takes.
    pub fn demand(&self) -> Demand {
        let mut demand = Demand::default();
        demand.hold(|| format!("{} complex samples take", self.size), (self.size.area() * 4 * size_of::<f32>()) as u64);
        demand
    }

    /// Its samples in single precision.
    pub fn image(&self) -> ComplexImage {
        let width = self.size.width() as usize;
        let mut values = vec![0.0; 2 * self.size.area()];
        values.par_chunks_mut(2 * width).enumerate().for_each(|(row, values)| {
            for (column, value) in values.chunks_exact_mut(2).enumerate() {
                value.copy_from_slice(&self.value([column as f64, row as f64]).map(|part| part as f32));
            }
        });
        ComplexImage::new(self.size, &values)
    }
}

impl std::fmt::Display for ComplexFormula {
    /// The text that [`ComplexFormula::from_str`] parses.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "synth:{}:{}x{}", self.source, self.size.width(), self.size.height())
    }
}

impl FromStr for ComplexFormula {
    type Err = ComplexError;

    /// Parses `synth:NAME:WxH`.
    ///
    /// ```
    /// let formula: lerpscope::complex::ComplexFormula = "synth:vortex:65x65".parse()?;
    /// assert_eq!(formula.value([32.0, 32.0]), [0.0; 2]);
    /// # Ok::<(), lerpscope::complex::ComplexError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, ComplexError> {
        let rest = text.strip_prefix("synth:").unwrap_or(text);
        let (name, size) = rest.split_once(':').unwrap_or((rest, ""));
        let source = ComplexSource::by_name(name).ok_or_else(|| ComplexError::Name(name.escape_debug().to_string()))?;
        let sides = size.split_once(['x', 'X', '×']);
        let parsed = sides.and_then(|(width, height)| Size::new(width.parse().ok()?, height.parse().ok()?).ok());
        Self::new(source, parsed.ok_or_else(|| ComplexError::Size(size.escape_debug().to_string()))?)
    }
}

fn names() -> String {
    COMPLEX_SOURCES.each_ref().map(|row| row.name).join(", ")
}

/// z / √(½ + |z|²) with z = x − iy: y runs up as in the complex plane.
fn vortex([x, y]: [f64; 2], _side: f64) -> [f64; 2] {
    let length = (0.5 + x * x + y * y).sqrt();
    [x / length, -y / length]
}

/// (z − a)·(z̄ + a) / (½ + |z|²) with a = 0.4.
fn vortex_pair([x, y]: [f64; 2], _side: f64) -> [f64; 2] {
    const A: f64 = 0.4;
    let (left, right) = ([x - A, -y], [x + A, y]);
    let scale = 1.0 / (0.5 + x * x + y * y);
    [scale * (left[0] * right[0] - left[1] * right[1]), scale * (left[0] * right[1] + left[1] * right[0])]
}

/// exp(2πi·(x·cos 30° + y·sin 30°)/5.2), x and y in samples.
fn plane_wave([x, y]: [f64; 2], side: f64) -> [f64; 2] {
    const PERIOD: f64 = 5.2;
    let along = (x * 3.0_f64.sqrt() / 2.0 + y / 2.0) * side / 2.0;
    let (sin, cos) = (TAU * along / PERIOD).sin_cos();
    [cos, sin]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::size;

    /// Turns of the phase along a circle around a position in samples.
    fn turns(formula: &ComplexFormula, centre: [f64; 2], radius: f64) -> f64 {
        const STEPS: u32 = 720;
        let phase = |step: u32| {
            let (sin, cos) = (TAU * f64::from(step) / f64::from(STEPS)).sin_cos();
            // Counter-clockwise as seen.
            let [re, im] = formula.value([centre[0] + radius * cos, centre[1] - radius * sin]);
            im.atan2(re)
        };
        let step = |step: u32| {
            let change = (phase(step + 1) - phase(step)) / TAU;
            change - change.round()
        };
        (0..STEPS).map(step).sum()
    }

    #[test]
    fn phase_turns_around_the_zeros() {
        let formula = |source| ComplexFormula::new(source, size(100, 100)).expect("in range");
        let middle = 49.5;
        assert!((turns(&formula(ComplexSource::Vortex), [middle; 2], 20.0) - 1.0).abs() < 1e-9);
        let pair = formula(ComplexSource::VortexPair);
        for (x, expected) in [(middle + 20.0, 1.0), (middle - 20.0, -1.0), (middle, 0.0)] {
            assert!((turns(&pair, [x, middle], 9.0) - expected).abs() < 1e-9, "{x}");
        }
        let wave = formula(ComplexSource::PlaneWave);
        assert!(
            (0..50).all(|k| wave.value([f64::from(k), 3.0]).map(|part| part * part).iter().sum::<f64>() - 1.0 < 1e-12)
        );
    }

    #[test]
    fn texts_are_parsed_back_and_wrong_ones_refused_by_their_part() {
        for row in &COMPLEX_SOURCES {
            let formula = ComplexFormula::new(row.source, size(7, 5)).expect("in range");
            assert_eq!(formula.to_string().parse(), Ok(formula));
            assert!(ComplexFormula::is_meant(&formula.to_string()));
        }
        assert!(!ComplexFormula::is_meant("synth:disc:4x4") && !ComplexFormula::is_meant("vortex.npy"));
        assert!(matches!("synth:whirl:4x4".parse::<ComplexFormula>(), Err(ComplexError::Name(_))));
        for wrong in ["synth:vortex", "synth:vortex:4", "synth:vortex:0x4", "synth:vortex:4x4x4"] {
            assert!(matches!(wrong.parse::<ComplexFormula>(), Err(ComplexError::Size(_))), "{wrong}");
        }
        assert!(matches!(
            "synth:vortex:65536x65536".parse::<ComplexFormula>(),
            Err(ComplexError::TooLarge(_) | ComplexError::Size(_))
        ));
    }
}
