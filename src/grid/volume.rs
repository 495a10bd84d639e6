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
    /// Value at x, y, z in [−1, 1] and at a part of the period.
    value: fn([f64; 3], f64) -> f64,
}

rows! {
    /// A synthetic volume.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Volume {
        /// Marschner and Lobb's test signal.
        MarschnerLobb => {
            name: "marschner-lobb",
            title: "Marschner-Lobb",
            help: "the test signal of volume rendering: rings whose frequency varies, in a slow wave along z; with time the rings move outwards",
            value: marschner_lobb,
        },
        /// A sum of Gaussian blobs.
        GaussianMixture => {
            name: "gaussian-mixture",
            title: "Gaussian mixture",
            help: "seven Gaussian blobs of different widths and heights; with time they turn about z",
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
    /// The text is not `synth:NAME:WxHxD` or `synth:NAME:WxHxDxT`.
    #[error("“{}” is not a synthetic volume; write synth:NAME:WxHxD, or WxHxDxT with T times, for example synth:marschner-lobb:64x64x64", shortened(.0))]
    Form(String),
    /// No volume has this name.
    #[error("there is no synthetic volume “{}”; there are {names}", shortened(.0), names = names())]
    Name(String),
    /// The size is not three or four whole numbers in range.
    #[error("“{}” is not the size of a volume; write WxHxD, for example 64x64x64, or WxHxDxT with T times, each from 1 to {most}, {samples} samples at most",
        shortened(.0), most = VolumeFormula::MAX_SIDE, samples = VolumeFormula::MAX_SAMPLES)]
    Size(String),
}

/// A synthetic volume and its size: width, height and depth in samples, and the number of its times.
///
/// Time t of T is the part t/T of a period; a volume that does not change has the only time 0.
///
/// Sample k of n along an axis is at −1 + 2·k/(n − 1) of the formula's coordinates, or at 0 if it is the only one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VolumeFormula {
    volume: Volume,
    size: [u32; 3],
    times: u32,
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
        Self::with_times(volume, size, 1)
    }

    /// The same with `times` times of one period.
    ///
    /// # Errors
    /// As [`VolumeFormula::new`], and for 0 times or too many.
    pub fn with_times(volume: Volume, size: [u32; 3], times: u32) -> Result<Self, VolumeError> {
        let [width, height, depth] = size;
        let lens = [width, height, depth, times];
        let is_good = lens.iter().all(|len| (1..=Self::MAX_SIDE).contains(len));
        let samples: u128 = lens.iter().map(|&len| u128::from(len)).product();
        if is_good && samples <= u128::from(Self::MAX_SAMPLES) {
            Ok(Self { volume, size, times })
        } else {
            Err(VolumeError::Size(size_text(size, times)))
        }
    }

    /// Whether `text` names a formula that has three or four sides rather than two, or a volume.
    pub fn is_meant(text: &str) -> bool {
        let rest = text.strip_prefix("synth:").unwrap_or_default();
        let (name, size) = rest.split_once(':').unwrap_or((rest, ""));
        Volume::by_name(name).is_some() || (2..=3).contains(&size.matches(['x', 'X', '×']).count())
    }

    /// The volume.
    pub fn volume(&self) -> Volume {
        self.volume
    }

    /// Width, height and depth in samples.
    pub fn size(&self) -> [u32; 3] {
        self.size
    }

    /// Number of its times.
    pub fn times(&self) -> u32 {
        self.times
    }

    /// Value at a position in samples, along x, y and z, and at a time. In [0, 1], also outside.
    pub fn value(&self, position: [f64; 3], time: f64) -> f64 {
        let at = |axis: usize| match self.size[axis] {
            1 => position[axis],
            n => 2.0 * position[axis] / f64::from(n - 1) - 1.0,
        };
        (self.volume.row().value)([at(0), at(1), at(2)], time / f64::from(self.times))
    }

    /// Memory that [`VolumeFormula::grid`] takes.
    pub fn demand(&self) -> Demand {
        let samples = self.size.iter().map(|&side| u64::from(side)).product::<u64>() * u64::from(self.times);
        let mut demand = Demand::default();
        demand.hold(|| format!("{} samples take", size_text(self.size, self.times)), samples * size_of::<f32>() as u64);
        demand
    }

    /// Its samples: the axes are z, y and x, as those of slices, rows and columns; before them time, if there are several.
    pub fn grid(&self) -> Grid<f32> {
        if self.times == 1 {
            return self.grid_at(0.0);
        }
        let times = (0..self.times).map(|time| self.grid_at(f64::from(time)));
        let values = times.flat_map(|grid| grid.values().to_vec()).collect();
        let [width, height, depth] = self.size.map(|side| side as usize);
        Grid::new(&[self.times as usize, depth, height, width], Components::Real, values).expect("sides are in range")
    }

    /// Its samples at a time: the axes are z, y and x.
    pub fn grid_at(&self, time: f64) -> Grid<f32> {
        let [width, height, depth] = self.size.map(|side| side as usize);
        let mut values = vec![0.0; width * height * depth];
        values.par_chunks_mut(width).enumerate().for_each(|(row, values)| {
            let (z, y) = (row / height, row % height);
            for (x, value) in values.iter_mut().enumerate() {
                *value = self.value([x as f64, y as f64, z as f64], time) as f32;
            }
        });
        Grid::new(&[depth, height, width], Components::Real, values).expect("sides are in range")
    }
}

impl std::fmt::Display for VolumeFormula {
    /// The text that [`VolumeFormula::from_str`] parses.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "synth:{}:{}", self.volume, size_text(self.size, self.times))
    }
}

impl FromStr for VolumeFormula {
    type Err = VolumeError;

    /// Parses `synth:NAME:WxHxD` and `synth:NAME:WxHxDxT`.
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
        match sides[..] {
            [width, height, depth] => Self::new(volume, [width, height, depth]),
            [width, height, depth, times] => Self::with_times(volume, [width, height, depth], times),
            _ => Err(wrong()),
        }
    }
}

fn size_text([width, height, depth]: [u32; 3], times: u32) -> String {
    let times = if times == 1 { String::new() } else { format!("x{times}") };
    format!("{width}x{height}x{depth}{times}")
}

fn names() -> String {
    VOLUMES.each_ref().map(|row| row.name).join(", ")
}

/// (1 − sin(πz/2) + α·(1 + cos(2π·f·cos(πr/2)))) / (2·(1 + α)) with f = 6, α = ¼ and r = √(x² + y²): Marschner and Lobb
/// (1994), equation 1. A part τ of the period is added to the phase of the inner cosine as 2π·τ.
fn marschner_lobb([x, y, z]: [f64; 3], part: f64) -> f64 {
    const FREQUENCY: f64 = 6.0;
    const ALPHA: f64 = 0.25;
    let rings = (2.0 * PI * (FREQUENCY * (PI * x.hypot(y) / 2.0).cos() + part)).cos();
    (1.0 - (PI * z / 2.0).sin() + ALPHA * (1.0 + rings)) / (2.0 * (1.0 + ALPHA))
}

/// A sum of h·exp(−|p − c|²/2s²), turned about z by 2π times a part of the period, from x to y.
fn gaussian_mixture([x, y, z]: [f64; 3], part: f64) -> f64 {
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
    let (sin, cos) = (2.0 * PI * part).sin_cos();
    let position = [x * cos + y * sin, y * cos - x * sin, z];
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
                assert_eq!(value, formula.value(position, 0.0) as f32, "{}", row.name);
            }
            let fine = VolumeFormula::new(row.volume, [40; 3]).expect("in range").grid();
            assert!(fine.values().iter().all(|value| (0.0..=1.0).contains(value)), "{}", row.name);
            let least = fine.values().iter().copied().fold(f32::INFINITY, f32::min);
            let most = fine.values().iter().copied().fold(0.0, f32::max);
            assert!(most - least > 0.5, "{}: {least} to {most}", row.name);
        }
    }

    /// A period ends where it began; half of it turns the mixture by half a turn.
    #[test]
    fn formulas_have_a_period_and_a_volume_for_each_time() {
        for row in &VOLUMES {
            let formula = VolumeFormula::with_times(row.volume, [6, 5, 4], 3).expect("in range");
            assert_eq!((formula.to_string().parse(), formula.grid().shape()), (Ok(formula), &[3, 4, 5, 6][..]));
            assert_eq!(formula.grid().values()[120..240], *formula.grid_at(1.0).values());
            let place = [1.0, 3.0, 2.0];
            assert!((formula.value(place, 3.0) - formula.value(place, 0.0)).abs() < 1e-12, "{}", row.name);
            assert!((formula.value(place, 1.0) - formula.value(place, 0.0)).abs() > 1e-4, "{}", row.name);
        }
        assert!((gaussian_mixture([0.5, 0.3, -0.4], 0.5) - gaussian_mixture([-0.5, -0.3, -0.4], 0.0)).abs() < 1e-12);
        assert!((gaussian_mixture([0.0, 0.5, 0.1], 0.25) - gaussian_mixture([0.5, 0.0, 0.1], 0.0)).abs() < 1e-12);
    }

    #[test]
    fn marschner_lobb_has_the_values_of_its_equation() {
        // On the axis r = 0: cos(12π) = 1. At r = 1: cos(0) = 1.
        let value = |x, z| marschner_lobb([x, 0.0, z], 0.0);
        assert!((value(0.0, 0.0) - 0.6).abs() < 1e-12 && (value(1.0, 0.0) - 0.6).abs() < 1e-12);
        assert!((value(0.0, 1.0) - 0.2).abs() < 1e-12 && (value(0.0, -1.0) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn wrong_texts_are_refused_by_their_part() {
        let parse = |text: &str| text.parse::<VolumeFormula>();
        assert!(matches!(parse("marschner-lobb"), Err(VolumeError::Form(_))));
        assert!(matches!(parse("synth:torus:4x4x4"), Err(VolumeError::Name(_))));
        for size in ["4x4", "4x4x0", "4x4x4x0", "4x4x4x4x4", "axbxc", "65536x65536x65536", "-1x2x3"] {
            assert!(matches!(parse(&format!("synth:marschner-lobb:{size}")), Err(VolumeError::Size(_))), "{size}");
        }
        assert!(VolumeFormula::is_meant("synth:zone-plate:4x4x4") && VolumeFormula::is_meant("synth:marschner-lobb"));
        assert!(!VolumeFormula::is_meant("synth:zone-plate:4x4") && !VolumeFormula::is_meant("a.npy"));
    }
}
