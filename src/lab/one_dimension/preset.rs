//! Samples to begin with, as rows.

use super::Signal;
use crate::rows::rows;
use crate::sampling::AddressMode;

/// Description of a preset.
#[derive(Debug)]
pub struct PresetRow {
    /// The preset.
    pub preset: Preset,
    /// Its name on the command line and in session files.
    pub name: &'static str,
    /// Its name in menus.
    pub title: &'static str,
    /// One sentence: what it teaches.
    pub help: &'static str,
    /// Its usual number of samples.
    pub count: usize,
    /// Sample `m` of `n`.
    sample: fn(m: usize, n: usize) -> f64,
}

rows! {
    /// A row of samples.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum Preset {
        /// Listing 2 of document 000: m/n.
        #[default]
        Document => {
            name: "document",
            title: "Tutorial: 5 samples, 7 points",
            help: "Listing 2 of the tutorial, m/5: its 7 points lie on both sides of the samples and between them",
            count: 5,
            sample: |m, n| m as f64 / n as f64,
        },
        /// 1 in the middle of zeros.
        Impulse => {
            name: "impulse",
            title: "Impulse",
            help: "One sample of 1 among zeros: every curve is its kernel",
            count: 9,
            sample: |m, n| if m == n / 2 { 1.0 } else { 0.0 },
        },
        /// 0 in the first half, 1 in the second.
        Step => {
            name: "step",
            title: "Step",
            help: "An edge: smooth kernels widen it, kernels with negative parts overshoot it",
            count: 10,
            sample: |m, n| if m >= n / 2 { 1.0 } else { 0.0 },
        },
        /// From 0 to 1.
        Ramp => {
            name: "ramp",
            title: "Ramp",
            help: "A straight line: linear and the cubics keep it, and bend it only beside the edges",
            count: 6,
            sample: |m, n| m as f64 / (n - 1).max(1) as f64,
        },
        /// 1/(1 + 25t²), t from −1 to 1.
        Runge => {
            name: "runge",
            title: "Runge: 1/(1 + 25t²)",
            help: "1/(1 + 25t²): one polynomial through all samples swings out at the ends, the more the more samples there are",
            count: 11,
            sample: |m, n| Preset::runge((m as f64 / (n - 1).max(1) as f64).mul_add(2.0, -1.0)),
        },
    }

    /// The presets, in menu order.
    pub static PRESETS: [PresetRow { preset, .. }];

    impl by_name, Display;
}

impl Preset {
    /// The interpolation points of listing 2 of document 000.
    pub const POINTS: [f64; 7] = [-0.6, -0.1, 0.6, 1.5, 2.1, 2.9, 4.7];

    /// Its `count` samples, clamped at the edges. A count that a line cannot have is brought into its range.
    pub fn signal(self, count: usize) -> Signal {
        let samples = self.samples(count);
        Signal::new(samples, AddressMode::Clamp, 0.0).expect("between 1 and the most samples, each from 0 to 1")
    }

    /// The samples of [`Preset::signal`].
    pub fn samples(self, count: usize) -> Vec<f64> {
        let count = count.clamp(1, Signal::MAX_SAMPLES);
        (0..count).map(|m| (self.row().sample)(m, count)).collect()
    }

    /// Runge's function 1/(1 + 25t²).
    pub fn runge(t: f64) -> f64 {
        1.0 / (1.0 + 25.0 * t * t)
    }

    /// The function that the samples are of, at x of `count` samples; `None` where there is no smooth one.
    pub fn function(self, x: f64, count: usize) -> Option<f64> {
        match self {
            Self::Runge if count > 1 => Some(Self::runge((x / (count - 1) as f64).mul_add(2.0, -1.0))),
            Self::Runge | Self::Document | Self::Impulse | Self::Step | Self::Ramp => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_have_their_samples() {
        let usual = |preset: Preset| preset.samples(preset.row().count);
        assert_eq!(usual(Preset::Document), [0.0, 0.2, 0.4, 0.6, 0.8]);
        assert_eq!(usual(Preset::Impulse), [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(usual(Preset::Step), [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0]);
        assert_eq!(usual(Preset::Ramp), [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
        // 1/(1 + 25·(4/5)²) = 1/17, 1/(1 + 25·(1/5)²) = 1/2.
        let runge = usual(Preset::Runge);
        for (k, expected) in [(0, 1.0 / 26.0), (1, 1.0 / 17.0), (4, 0.5), (5, 1.0), (6, 0.5), (10, 1.0 / 26.0)] {
            assert!((runge[k] - expected).abs() < 1e-15, "{k}: {}", runge[k]);
        }
    }

    #[test]
    fn every_count_gives_a_line() {
        for row in &PRESETS {
            for count in [0, 1, 2, 3, 64, 1000] {
                let signal = row.preset.signal(count);
                assert_eq!(signal.samples().len(), count.clamp(1, 64), "{}", row.name);
            }
        }
    }

    #[test]
    fn function_of_runge_passes_through_its_samples() {
        for count in [2, 5, 12] {
            let samples = Preset::Runge.samples(count);
            for (m, sample) in samples.iter().enumerate() {
                let value = Preset::Runge.function(m as f64, count).expect("a function");
                assert!((value - sample).abs() < 1e-15);
            }
        }
        assert_eq!(Preset::Step.function(0.5, 10), None);
    }
}
