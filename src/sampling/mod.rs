//! Interpolation between samples, independent of any backend. Methods give weights, address modes give indices, and one
//! table for each axis joins them.

mod address;
mod axis;
mod axis_weights;
mod condition;
mod custom;
mod fetch;
mod filtered;
mod filtered_table;
mod kernel;
mod lobe;
mod method;
mod method_text;
mod parameters;
mod passes;
mod prefilter;
mod texture_unit;
mod weights;

pub use address::{ADDRESS_MODES, AddressMode, AddressModeRow, Edges};
pub use axis::{Axis, AxisTable, SCATTERED, Taps};
pub use axis_weights::AxisWeights;
pub use custom::{CustomCause, CustomError, CustomKernel};
pub use fetch::{AxisFetch, AxisFetches};
pub use filtered::{fixed_point_fraction, weigh_filtered};
pub use filtered_table::{PairedFetches, WEIGHT_TABLE_LEN, weigh_by_table, weight_table};
pub use kernel::{Family, MAX_TAPS, MethodKernel};
pub use lobe::{MainLobe, MainLobes};
pub use method::{METHODS, Method, MethodRow};
pub use method_text::{FormParameters, METHOD_FORMS, MethodError, MethodForm, MethodParameter};
pub use parameters::{Real, SplineDegree};
pub use passes::PrefilterPasses;
pub(crate) use prefilter::Line as PrefilterLine;
pub use prefilter::{Coefficients, Prefilter};
pub use texture_unit::{TEXTURE_FORMATS, TextureFormat, TextureFormatRow};

use crate::rows::rows;

/// The properties of a sampling path.
#[derive(Debug)]
pub struct SamplingPathRow {
    /// The sampling path.
    pub path: SamplingPath,
    /// Name on the command line and in files.
    pub name: &'static str,
    /// Name in menus.
    pub title: &'static str,
    /// One-line description.
    pub help: &'static str,
}

rows! {
    /// Sampling path: how a backend reads the samples and weights them.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum SamplingPath {
        /// The fastest exact path.
        Auto => { name: "auto", title: "Exact", help: "the fastest exact path" },
        /// The texture unit interpolates, with weights of 8 fraction bits.
        Filtered => {
            name: "filtered",
            title: "Texture unit",
            help: "the texture unit interpolates, in steps of 1/256",
        },
        /// As `filtered`, with the weights of the cubic B-spline from a table that the texture unit interpolates.
        FilteredTable => {
            name: "filtered-table",
            title: "Texture unit, weight table",
            help: "as filtered, with the B-spline's weights from a table of 128 entries",
        },
        /// The texture unit returns exact samples; the weights are in single precision.
        Lookup => { name: "lookup", title: "Exact, texture reads", help: "exact samples from the texture unit" },
        /// A block of threads loads its samples once and works axis by axis, in single precision.
        Tiled => { name: "tiled", title: "Exact, shared memory", help: "samples shared by a block, axis by axis" },
    }

    /// The sampling paths, in menu order.
    pub static SAMPLING_PATHS: [SamplingPathRow { path, .. }];

    impl by_name, Display;
}

impl SamplingPath {
    /// Whether results agree with the double-precision reference to 2·10⁻⁶.
    pub fn is_exact(self) -> bool {
        match self {
            Self::Filtered | Self::FilteredTable => false,
            Self::Auto | Self::Lookup | Self::Tiled => true,
        }
    }
}

/// Parameters of the interpolation. Together with a position they decide a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampler {
    /// The kernel.
    pub method: Method,
    /// Address modes along x and along y.
    pub address: [AddressMode; 2],
    /// Border constant in sample values (1 is maxval), equal for all channels of the premultiplied samples.
    pub border: f32,
    /// Sampling path.
    pub path: SamplingPath,
    /// Whether samples are turned into coefficients first. Applies to methods with a [`MethodKernel::prefilter`]; ignored
    /// for the others.
    pub prefilter: bool,
    /// Antialiasing: the kernel widens with the scale if the view zooms out (s > 1).
    pub antialias: bool,
    /// Additional factor of the kernel's width under antialiasing: the stretch is s·blur.
    pub blur: f64,
    /// Strength of the antiringing, 0 to 1: the part of a value's distance from the range of its [`MainLobe`]'s samples that
    /// is taken away.
    pub antiringing: f64,
}

impl Default for Sampler {
    /// Linear, clamp, the fastest exact path, no prefilter, no antialiasing, no antiringing.
    fn default() -> Self {
        Self {
            method: Method::Linear,
            address: [AddressMode::Clamp; 2],
            border: 0.0,
            path: SamplingPath::Auto,
            prefilter: false,
            antialias: false,
            blur: 1.0,
            antiringing: 0.0,
        }
    }
}

impl Sampler {
    /// This sampler with another method.
    #[must_use]
    pub fn with_method(self, method: Method) -> Self {
        Self { method, ..self }
    }

    /// The prefilter in effect: that of the method if [`Sampler::prefilter`] is on.
    pub fn coefficients(&self) -> Option<Prefilter> {
        self.method.kernel().prefilter.filter(|_| self.prefilter)
    }

    /// Whether a prefilter is in effect.
    pub fn uses_coefficients(&self) -> bool {
        self.coefficients().is_some()
    }

    /// Stretch of the kernel at `scale`: s·blur if antialiasing is in effect, else `None`.
    pub fn stretch(&self, scale: f64) -> Option<f64> {
        (self.antialias && scale > 1.0).then_some(scale * self.blur)
    }

    /// Whether values are drawn into the range of their samples.
    pub fn is_antiringed(&self) -> bool {
        self.antiringing > 0.0
    }

    /// Number of coefficients kept beyond each edge along `axis` (0: x, 1: y).
    pub fn halo(&self, axis: usize) -> u32 {
        self.coefficients().map_or(0, |prefilter| prefilter.halo(self.address[axis]))
    }
}

/// Methods for unit tests: all named methods and values of every form, including custom kernels.
#[cfg(test)]
pub(crate) fn samples_of_methods() -> Vec<Method> {
    let files = ["tent", "one-sided", "wide", "ringing"]
        .map(|name| format!("custom={}/tests/data/kernels/{name}.csv", env!("CARGO_MANIFEST_DIR")));
    let values = [
        "cubic=0.2,0.4",
        "cubic=-1,2",
        "cubic=1.5,-0.25",
        "cubic=2,-1",
        "keys=-0.75",
        "keys=-2",
        "keys=1",
        "hermite",
        "bspline=0",
        "bspline=1",
        "bspline=2",
        "bspline=3",
        "bspline=4",
        "bspline=5",
        "o-moms",
        "lanczos=1",
        "lanczos=1.3",
        "lanczos=2.5",
        "lanczos=8",
        "gaussian=0.3",
        "gaussian=1",
        "gaussian=8",
    ];
    let texts = values.into_iter().map(str::to_owned).chain(files);
    let parsed = texts.map(|text| text.parse().unwrap_or_else(|error| panic!("{text}: {error}")));
    METHODS.iter().map(|row| row.method).chain(parsed).collect()
}
