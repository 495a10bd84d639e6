//! Synthetic volumes: three-dimensional sources given by formulas, with a value at every position.

use std::f64::consts::PI;
use std::str::FromStr;

use rayon::prelude::*;
use thiserror::Error;

use super::{Components, Grid};
use crate::memory::Demand;
use crate::rows::rows;
use crate::text::shortened;

/// The properties of a synthetic volume.
#[derive(Clone, Copy, Debug)]
pub struct VolumeRow {
    /// The volume.
    pub volume: Volume,
    /// Name on the command line.
    pub name: &'static str,
    /// Title in the window.
    pub title: &'static str,
    /// One-line description.
    pub help: &'static str,
    /// Value at x, y, z in [−1, 1].
    value: fn([f64; 3]) -> f64,
}

rows! {
    /// A synthetic volume.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Volume {
        /// Marschner and Lobb's test signal.
        MarschnerLobb => {
            name: "marschner-lobb",
            title: "Marschner-Lobb",
            help: "the test signal of volume rendering: rings whose frequency varies, in a slow wave along z",
            value: marschner_lobb,
        },
        /// A sum of Gaussian blobs.
        GaussianMixture => {
            name: "gaussian-mixture",
            title: "Gaussian mixture",
            help: "seven Gaussian blobs of different widths and heights",
            value: gaussian_mixture,
        },
    }

    /// The synthetic volumes, in menu order.
    pub static VOLUMES: [VolumeRow { volume, .. }];

    impl by_name, Display;
}

/// Error of a volume's text.
#[derive(Clone, PartialEq, Eq, Error)]
pub enum VolumeError {
    /// The text is not `synth:NAME:WxHxD`.
    #[error("“{}” is not a synthetic volume; write synth:NAME:WxHxD, for example synth:marschner-lobb:64x64x64", shortened(.0))]
    Form(String),
    /// No volume has this name.
    #[error("there is no synthetic volume “{}”; there are {names}", shortened(.0), names = names())]
    Name(String),
    /// The size is not three whole numbers in range.
    #[error("“{}” is not the size of a volume; write WxHxD, for example 64x64x64, each from 1 to {most}, {samples} samples at most",
        shortened(.0), most = VolumeFormula::MAX_SIDE, samples = VolumeFormula::MAX_SAMPLES)]
    Size(String),
}

/// A synthetic volume and its size: width, height and depth in samples.
///
/// Sample k of n along an axis is at −1 + 2·k/(n − 1) of the formula's coordinates, or at 0 if it is the only one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VolumeFormula {
    volume: Volume,
    size: [u32; 3],
}

impl VolumeFormula {
    /// Largest number of samples of a side.
    pub const MAX_SIDE: u32 = 1 << 16;
    /// Largest number of samples: 4 GiB of floats.
    pub const MAX_SAMPLES: u64 = 1 << 30;

    /// `volume` with `size` samples along x, y and z.
    ///
    /// # Errors
    /// [`VolumeError::Size`] for a side of 0 and for too many samples.
    pub fn new(volume: Volume, size: [u32; 3]) -> Result<Self, VolumeError> {
        let is_good = size.iter().all(|side| (1..=Self::MAX_SIDE).contains(side));
        let samples: u64 = size.iter().map(|&side| u64::from(side)).product();
        if is_good && samples <= Self::MAX_SAMPLES {
            Ok(Self { volume, size })
        } else {
            Err(VolumeError::Size(size_text(size)))
        }
    }

    /// Whether `text` names a formula that has three sides rather than two, or a volume.
    pub fn is_meant(text: &str) -> bool {
        let rest = text.strip_prefix("synth:").unwrap_or_default();
        let (name, size) = rest.split_once(':').unwrap_or((rest, ""));
        Volume::by_name(name).is_some() || size.matches(['x', 'X', '×']).count() == 2
    }

    /// The volume.
    pub fn volume(&self) -> Volume {
        self.volume
    }

    /// Width, height and depth in samples.
    pub fn size(&self) -> [u32; 3] {
        self.size
    }

    /// Value at a position in samples: along x, y and z. In [0, 1], also outside.
    pub fn value(&self, position: [f64; 3]) -> f64 {
        let at = |axis: usize| match self.size[axis] {
            1 => position[axis],
            n => 2.0 * position[axis] / f64::from(n - 1) - 1.0,
        };
        (self.volume.row().value)([at(0), at(1), at(2)])
    }

    /// Memory that [`VolumeFormula::grid`] takes.
    pub fn demand(&self) -> Demand {
        let samples: u64 = self.size.iter().map(|&side| u64::from(side)).product();
        let mut demand = Demand::default();
        demand.hold(|| format!("{} samples take", size_text(self.size)), samples * size_of::<f32>() as u64);
        demand
    }

    /// Its samples: the axes are z, y and x, as those of slices, rows and columns.
    pub fn grid(&self) -> Grid<f32> {
        let [width, height, depth] = self.size.map(|side| side as usize);
        let mut values = vec![0.0; width * height * depth];
        values.par_chunks_mut(width).enumerate().for_each(|(row, values)| {
            let (z, y) = (row / height, row % height);
            for (x, value) in values.iter_mut().enumerate() {
                *value = self.value([x as f64, y as f64, z as f64]) as f32;
            }
        });
        Grid::new(&[depth, height, width], Components::Real, values).expect("sides are in range")
    }
}

impl std::fmt::Display for VolumeFormula {
    /// The text that [`VolumeFormula::from_str`] parses.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "synth:{}:{}", self.volume, size_text(self.size))
    }
}

impl FromStr for VolumeFormula {
    type Err = VolumeError;

    /// Parses `synth:NAME:WxHxD`.
    ///
    /// ```
    /// let formula: lerpscope::grid::VolumeFormula = "synth:marschner-lobb:41x41x41".parse()?;
    /// assert_eq!(formula.grid().shape(), [41, 41, 41]);
    /// # Ok::<(), lerpscope::grid::VolumeError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, VolumeError> {
        let form = || VolumeError::Form(text.escape_debug().to_string());
        let (name, size) = text.strip_prefix("synth:").and_then(|rest| rest.split_once(':')).ok_or_else(form)?;
        let volume = Volume::by_name(name).ok_or_else(|| VolumeError::Name(name.escape_debug().to_string()))?;
        let wrong = || VolumeError::Size(size.escape_debug().to_string());
        let sides: Vec<u32> =
            size.split(['x', 'X', '×']).map(str::parse).collect::<Result<_, _>>().map_err(|_| wrong())?;
        Self::new(volume, sides.try_into().map_err(|_| wrong())?)
    }
}

fn size_text([width, height, depth]: [u32; 3]) -> String {
    format!("{width}x{height}x{depth}")
}

fn names() -> String {
    VOLUMES.each_ref().map(|row| row.name).join(", ")
}

/// (1 − sin(πz/2) + α·(1 + cos(2π·f·cos(πr/2)))) / (2·(1 + α)) with f = 6, α = ¼ and r = √(x² + y²): Marschner and Lobb
/// (1994), equation 1.
fn marschner_lobb([x, y, z]: [f64; 3]) -> f64 {
    const FREQUENCY: f64 = 6.0;
    const ALPHA: f64 = 0.25;
    let rings = (2.0 * PI * FREQUENCY * (PI * x.hypot(y) / 2.0).cos()).cos();
    (1.0 - (PI * z / 2.0).sin() + ALPHA * (1.0 + rings)) / (2.0 * (1.0 + ALPHA))
}

/// A sum of h·exp(−|p − c|²/2s²).
fn gaussian_mixture(position: [f64; 3]) -> f64 {
    /// Centre c, standard deviation s, height h. The heights sum to less than 1 wherever blobs overlap.
    const BLOBS: [([f64; 3], f64, f64); 7] = [
        ([0.0, 0.0, 0.0], 0.45, 0.40),
        ([0.5, 0.3, -0.4], 0.15, 0.45),
        ([-0.5, 0.4, 0.3], 0.20, 0.40),
        ([0.3, -0.6, 0.5], 0.12, 0.55),
        ([-0.4, -0.4, -0.5], 0.25, 0.35),
        ([-0.1, 0.7, -0.2], 0.08, 0.50),
        ([0.65, -0.1, 0.45], 0.10, 0.45),
    ];
    let blob = |(centre, deviation, height): ([f64; 3], f64, f64)| {
        let square: f64 = position.iter().zip(centre).map(|(p, c)| (p - c).powi(2)).sum();
        height * (-square / (2.0 * deviation * deviation)).exp()
    };
    BLOBS.into_iter().map(blob).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn volumes_are_in_range_and_their_samples_are_their_values() {
        for row in &VOLUMES {
            let formula = VolumeFormula::new(row.volume, [7, 5, 4]).expect("in range");
            assert_eq!(formula.to_string().parse(), Ok(formula));
            let grid = formula.grid();
            assert_eq!(grid.shape(), [4, 5, 7]);
            for (index, &value) in grid.values().iter().enumerate() {
                let position = [index % 7, index / 7 % 5, index / 35].map(|k| k as f64);
                assert_eq!(value, formula.value(position) as f32, "{}", row.name);
            }
            let fine = VolumeFormula::new(row.volume, [40; 3]).expect("in range").grid();
            assert!(fine.values().iter().all(|value| (0.0..=1.0).contains(value)), "{}", row.name);
            let least = fine.values().iter().copied().fold(f32::INFINITY, f32::min);
            let most = fine.values().iter().copied().fold(0.0, f32::max);
            assert!(most - least > 0.5, "{}: {least} to {most}", row.name);
        }
    }

    #[test]
    fn marschner_lobb_has_the_values_of_its_equation() {
        // On the axis r = 0: cos(12π) = 1. At r = 1: cos(0) = 1.
        let value = |x, z| marschner_lobb([x, 0.0, z]);
        assert!((value(0.0, 0.0) - 0.6).abs() < 1e-12 && (value(1.0, 0.0) - 0.6).abs() < 1e-12);
        assert!((value(0.0, 1.0) - 0.2).abs() < 1e-12 && (value(0.0, -1.0) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn wrong_texts_are_refused_by_their_part() {
        let parse = |text: &str| text.parse::<VolumeFormula>();
        assert!(matches!(parse("marschner-lobb"), Err(VolumeError::Form(_))));
        assert!(matches!(parse("synth:torus:4x4x4"), Err(VolumeError::Name(_))));
        for size in ["4x4", "4x4x0", "4x4x4x4", "axbxc", "65536x65536x65536", "-1x2x3"] {
            assert!(matches!(parse(&format!("synth:marschner-lobb:{size}")), Err(VolumeError::Size(_))), "{size}");
        }
        assert!(VolumeFormula::is_meant("synth:zone-plate:4x4x4") && VolumeFormula::is_meant("synth:marschner-lobb"));
        assert!(!VolumeFormula::is_meant("synth:zone-plate:4x4") && !VolumeFormula::is_meant("a.npy"));
    }
}
