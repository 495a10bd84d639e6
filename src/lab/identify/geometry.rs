//! Where pixels lie on the source, and how wide a kernel is.

use super::pair::AxisPair;
use crate::rows::rows;

/// The properties of a convention of positions.
#[derive(Debug)]
pub struct ConventionRow {
    /// The convention.
    pub convention: Convention,
    /// Name in JSON.
    pub name: &'static str,
    /// Its formula, and what it aligns.
    pub help: &'static str,
}

rows! {
    /// Position x(i) on the source, in samples, of pixel i along an axis of n samples and N pixels; s is the scale in samples
    /// per pixel.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Convention {
        /// x = (i + ½)·s − ½.
        Centres => { name: "centres", help: "pixel areas coincide: x = (i + ½)·s − ½" },
        /// x = i·(n − 1)/(N − 1).
        Corners => {
            name: "corners",
            help: "the centres of the corner pixels coincide: x = i·(n − 1)/(N − 1)",
        },
        /// x = i·s.
        TopLeft => { name: "top-left", help: "the centres of the first pixels coincide: x = i·s" },
        /// x = i·s − ½, so that the nearest sample is ⌊i·s⌋.
        Floor => { name: "floor", help: "the sample ⌊i·s⌋" },
        /// x = (i − N/2)·s + n/2.
        Middle => { name: "middle", help: "the middles of the pictures coincide, as in Lerpscope: x = (i − N/2)·s + n/2" },
    }

    /// The conventions.
    pub static CONVENTIONS: [ConventionRow { convention, .. }];

    impl Display;
}

impl Convention {
    /// The position of pixel `i` on `axis`.
    pub fn position(self, axis: &AxisPair, i: f64) -> f64 {
        let (n, pixels) = (f64::from(axis.samples), f64::from(axis.pixels));
        match self {
            Self::Centres => (i + 0.5) * axis.scale - 0.5,
            Self::Corners => i * (n - 1.0) / (pixels - 1.0).max(1.0),
            Self::TopLeft => i * axis.scale,
            Self::Floor => i * axis.scale - 0.5,
            Self::Middle => (i - pixels / 2.0) * axis.scale + n / 2.0,
        }
    }
}

/// The properties of a widening.
#[derive(Debug)]
pub struct WideningRow {
    /// The widening.
    pub widening: Widening,
    /// Name in JSON.
    pub name: &'static str,
    /// One line on it.
    pub help: &'static str,
}

rows! {
    /// Antialiasing of a picture that becomes smaller.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Widening {
        /// None: the kernel keeps its width.
        Off => { name: "off", help: "no antialiasing: the kernel is as wide as in an enlargement" },
        /// The kernel is s times as wide.
        Kernel => { name: "kernel", help: "antialiasing: the kernel is widened by the scale" },
        /// A Gaussian of σ = (s − 1)/2 samples first.
        Gaussian => { name: "gaussian", help: "antialiasing: a Gaussian of σ = (s − 1)/2 samples, before the interpolation" },
    }

    /// The widenings.
    pub static WIDENINGS: [WideningRow { widening, .. }];

    impl Display;
}

impl Widening {
    /// Factor of the kernel's width on `axis`.
    pub fn stretch(self, axis: &AxisPair) -> f64 {
        match self {
            Self::Off | Self::Gaussian => 1.0,
            Self::Kernel => axis.scale.max(1.0),
        }
    }

    /// Standard deviation of the Gaussian before the interpolation, in samples; 0 for none.
    pub fn sigma(self, axis: &AxisPair) -> f64 {
        match self {
            Self::Off | Self::Kernel => 0.0,
            Self::Gaussian => ((axis.scale - 1.0) / 2.0).max(0.0),
        }
    }
}
