//! How a value between samples is made, independent of any backend: methods give weights, address modes give indices,
//! one table for each axis joins them.

mod address;
mod axis;
mod filtered;
mod method;
mod prefilter;

pub use address::{ADDRESSES, Address, AddressRow};
pub use axis::{Axis, AxisTable, SCATTERED, Taps};
pub use filtered::{fixed_point_fraction, weigh_filtered};
pub use method::{MAX_TAPS, METHODS, Method, MethodRow};
pub use prefilter::{Coefficients, HALO, POLE, coefficients, coefficients_of_rows, halo, prefilter_bytes};

use crate::rows::rows;

/// The properties of a sampling path.
#[derive(Debug)]
pub struct PathRow {
    /// The sampling path.
    pub path: Path,
    /// Name on the command line and in files.
    pub name: &'static str,
    /// One-line description.
    pub help: &'static str,
}

rows! {
    /// Sampling path: how a backend reads the samples and weights them.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Path {
        /// The fastest exact path.
        Auto => { name: "auto", help: "the fastest exact path" },
        /// The texture unit interpolates, with weights of 8 fraction bits.
        Filtered => { name: "filtered", help: "the texture unit interpolates, in steps of 1/256" },
        /// The texture unit returns exact samples; the weights are in single precision.
        Lookup => { name: "lookup", help: "exact samples from the texture unit" },
        /// A block of threads loads its samples once and works axis by axis, in single precision.
        Tiled => { name: "tiled", help: "samples shared by a block, axis by axis" },
    }

    /// The sampling paths, in menu order.
    pub static PATHS: [PathRow { path, .. }];

    impl by_name, Display;
}

impl Path {
    /// Whether results agree with the double-precision reference to 2·10⁻⁶.
    pub fn is_exact(self) -> bool {
        self != Self::Filtered
    }
}

/// Everything that decides a value between samples, position aside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampler {
    /// The kernel.
    pub method: Method,
    /// What lies beyond the edges, along x and along y.
    pub address: [Address; 2],
    /// The border's constant in sample values (1 is maxval), the same in each channel of the premultiplied samples.
    pub border: f32,
    /// How samples reach the weights.
    pub path: Path,
    /// Whether samples are turned into B-spline coefficients first; for [`Method::BSpline`] alone, the other methods take
    /// samples as they are.
    pub prefilter: bool,
    /// Whether the kernel widens with the scale where the view zooms out (s > 1).
    pub antialias: bool,
    /// How much wider yet: the kernel is stretched by s·blur.
    pub blur: f64,
}

impl Default for Sampler {
    /// Linear, clamp, the fastest exact path; nothing filtered.
    fn default() -> Self {
        Self {
            method: Method::Linear,
            address: [Address::Clamp; 2],
            border: 0.0,
            path: Path::Auto,
            prefilter: false,
            antialias: false,
            blur: 1.0,
        }
    }
}

impl Sampler {
    /// The same with another method.
    #[must_use]
    pub fn with_method(self, method: Method) -> Self {
        Self { method, ..self }
    }

    /// Whether samples become coefficients before they are weighed.
    pub fn uses_coefficients(&self) -> bool {
        self.prefilter && self.method == Method::BSpline
    }

    /// How much wider than its method the kernel is at `scale`: s·blur where antialiasing acts, else `None`.
    pub fn stretch(&self, scale: f64) -> Option<f64> {
        (self.antialias && scale > 1.0).then_some(scale * self.blur)
    }

    /// How many coefficients are kept beyond each edge along `axis` (0: x, 1: y).
    pub fn halo(&self, axis: usize) -> u32 {
        if self.uses_coefficients() { halo(self.address[axis]) } else { 0 }
    }
}
