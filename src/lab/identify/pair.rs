//! The two pictures as planes of values, and the scale between them.

use crate::image::{Channels, Depth, Page, Samples, Size};
use crate::memory::{Demand, Memory, MemoryError};

use super::PairFacts;

/// Weights of red, green and blue in the luminance of Rec. 601, with which programs make colours grey.
const REC_601: [f64; 3] = [0.299, 0.587, 0.114];
/// Least side of a picture, in samples or pixels.
const LEAST_SIDE: u32 = 8;
/// Largest factor between two sizes.
const MOST_SCALE: f64 = 64.0;
/// How far output size × scale may be from the source's size, in samples, where both pictures show the same area.
const TOLERANCE: f64 = 2.0;

/// The scale between two pictures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// The quotient of the sizes, along each axis.
    FromSizes,
    /// Samples per pixel along both axes.
    Given(f64),
}

/// The values of two pictures that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compared {
    /// Grey values of both.
    Grey,
    /// The luminance of a coloured source with a grey output.
    Luminance,
    /// One channel of a coloured output: the name of that with the largest contrast.
    Channel(&'static str),
}

/// Reason why a picture is not identified.
#[derive(Clone, thiserror::Error)]
pub enum IdentifyError {
    /// A picture is too small.
    #[error("{what} of {size} pixels is too small: a kernel is recovered from at least {LEAST_SIDE} along each side")]
    Small {
        /// Which picture.
        what: &'static str,
        /// Its size.
        size: Size,
    },
    /// All pixels are near an edge.
    #[error(
        "{inside} of {output} pixels are away from the edges: too few for a kernel, which needs {needed}; give larger pictures"
    )]
    NearEdges {
        /// Pixels that no edge reaches.
        inside: usize,
        /// Size of the output.
        output: Size,
        /// The least number.
        needed: usize,
    },
    /// One picture is very much larger than the other.
    #[error("the sizes do not fit: {source_size} samples and {output} pixels differ by more than {MOST_SCALE} times")]
    Sizes {
        /// Samples.
        source_size: Size,
        /// Pixels.
        output: Size,
    },
    /// The scale is no positive number in range.
    #[error("the scale must be between 1/{MOST_SCALE} and {MOST_SCALE} samples per pixel, not {0}")]
    Scale(f64),
    /// Nothing to see.
    #[error("{what} is flat: its values differ by {steps} of {maxval}, and a kernel shows only where they differ")]
    Flat {
        /// Which picture.
        what: &'static str,
        /// Largest minus least number.
        steps: f32,
        /// The number for white.
        maxval: u16,
    },
    /// A value is not finite.
    #[error("{what} has values that are not finite")]
    NotFinite {
        /// Which picture.
        what: &'static str,
    },
    /// Source and output are the same picture.
    #[error("source and output are equal, {0} pixels: every interpolating kernel does that at scale 1")]
    Equal(Size),
    /// The memory is short.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The work was cancelled.
    #[error("cancelled")]
    Cancelled,
}

/// One axis of the two pictures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisPair {
    /// Samples of the source.
    pub samples: u32,
    /// Pixels of the output.
    pub pixels: u32,
    /// Samples per pixel.
    pub scale: f64,
}

/// A plane of values, 1 is maxval.
#[derive(Clone, Debug)]
pub(super) struct Plane {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) values: Vec<f32>,
}

impl Plane {
    /// Least and largest value.
    pub(super) fn range(&self) -> [f32; 2] {
        self.values
            .iter()
            .fold([f32::INFINITY, f32::NEG_INFINITY], |[least, most], &value| [least.min(value), most.max(value)])
    }
}

/// The two pictures.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    pub(super) source: Plane,
    pub(super) output: Plane,
    pub(super) axes: [AxisPair; 2],
    /// Values at which the output may have been clamped from below, and from above: those of its number type, and the
    /// source's least and largest.
    pub(super) limits: [Vec<f64>; 2],
    /// One step of the output's numbers as a value; 0 of floats.
    pub(super) step: f64,
    /// Whether both pictures show the same area.
    pub(super) is_whole: bool,
    /// Their facts.
    pub(super) facts: PairFacts,
}

impl Pair {
    /// The values of `source` and `output` that are compared.
    ///
    /// # Errors
    /// [`IdentifyError`] for pictures that are too small, flat, equal or not finite, and for sizes that do not fit.
    pub(super) fn new(source: &Page, output: &Page, scale: Scale) -> Result<Self, IdentifyError> {
        for (page, what) in [(source, "the source"), (output, "the output")] {
            if page.size().sides().iter().any(|&side| side < LEAST_SIDE) {
                return Err(IdentifyError::Small { what, size: page.size() });
            }
        }
        let mut demand = Demand::default();
        // The source's values, and two copies that are continued beyond the edges.
        demand.hold(|| format!("three planes of {} take", source.size()), 3 * 4 * source.size().area() as u64);
        // The output's values, and as doubles: those of the comparison, their prediction, and its numbers.
        demand.hold(|| format!("four planes of {} take", output.size()), (4 + 3 * 8) * output.size().area() as u64);
        Memory::Machine.check(&demand)?;
        let axes = axes(source.size(), output.size(), scale)?;
        let (compared, channel) = compared(source.channels(), output);
        let planes = [
            plane(source, if compared == Compared::Luminance { None } else { Some(channel) }),
            plane(output, Some(channel)),
        ];
        let [source_plane, output_plane] = planes;
        for (plane, page, what) in [(&source_plane, source, "the source"), (&output_plane, output, "the output")] {
            if plane.values.iter().any(|value| !value.is_finite()) {
                return Err(IdentifyError::NotFinite { what });
            }
            let maxval = page.maxval();
            let ([least, most], is_float) = (plane.range(), matches!(page.raster().samples(), Samples::F32(_)));
            let steps = (most - least) * f32::from(maxval);
            if steps < if is_float { 1e-3 } else { 3.0 } {
                return Err(IdentifyError::Flat { what, steps: steps.round(), maxval });
            }
        }
        if source.size() == output.size() && source_plane.values == output_plane.values {
            return Err(IdentifyError::Equal(source.size()));
        }
        let depth = output.depth();
        let [least, most] = source_plane.range().map(f64::from);
        let (limits, step) = match depth {
            Depth::Integer { maxval } => ([vec![0.0, least], vec![1.0, most]], 1.0 / f64::from(maxval.get())),
            Depth::Float => ([vec![least], vec![most]], 0.0),
        };
        let facts = PairFacts {
            source: source.size(),
            output: output.size(),
            scale: axes.map(|axis| axis.scale),
            compared,
            maxval: output.maxval(),
            is_float: depth == Depth::Float,
        };
        let is_whole =
            axes.iter().all(|axis| (f64::from(axis.pixels) * axis.scale - f64::from(axis.samples)).abs() <= TOLERANCE);
        Ok(Self { source: source_plane, output: output_plane, axes, limits, step, is_whole, facts })
    }

    /// A difference of residuals that means nothing, in the output's numbers; of floats in values.
    pub(super) fn slack(&self) -> f64 {
        if self.step > 0.0 { 2e-3 } else { 2e-6 }
    }

    /// The unit of residuals: a step of the output's numbers, of floats 1.
    pub(super) fn unit(&self) -> f64 {
        if self.step > 0.0 { self.step } else { 1.0 }
    }
}

fn axes(source: Size, output: Size, scale: Scale) -> Result<[AxisPair; 2], IdentifyError> {
    let ([w, h], [columns, rows]) = (source.sides(), output.sides());
    let allowed = 1.0 / MOST_SCALE..=MOST_SCALE;
    let axis = |samples: u32, pixels: u32| {
        let scale = match scale {
            Scale::FromSizes => f64::from(samples) / f64::from(pixels),
            Scale::Given(scale) => scale,
        };
        AxisPair { samples, pixels, scale }
    };
    let axes = [axis(w, columns), axis(h, rows)];
    match scale {
        Scale::Given(scale) if !allowed.contains(&scale) => Err(IdentifyError::Scale(scale)),
        Scale::FromSizes if axes.iter().any(|axis| !allowed.contains(&axis.scale)) => {
            Err(IdentifyError::Sizes { source_size: source, output })
        }
        Scale::Given(_) | Scale::FromSizes => Ok(axes),
    }
}

/// What is compared, and which channel of the pictures.
fn compared(source: Channels, output: &Page) -> (Compared, usize) {
    match (source.has_colour(), output.channels().has_colour()) {
        (_, false) if source.has_colour() => (Compared::Luminance, 0),
        (false, _) | (true, false) => (Compared::Grey, 0),
        (true, true) => {
            let contrast = |channel: usize| {
                let values = plane(output, Some(channel)).values;
                let mean = values.iter().map(|&value| f64::from(value)).sum::<f64>() / values.len() as f64;
                values.iter().map(|&value| (f64::from(value) - mean).powi(2)).sum::<f64>()
            };
            let channel = (0..3).max_by(|&a, &b| contrast(a).total_cmp(&contrast(b))).unwrap_or(0);
            (Compared::Channel(output.channels().names()[channel]), channel)
        }
    }
}

/// Channel `channel` of `page`; without one the luminance of its colours.
fn plane(page: &Page, channel: Option<usize>) -> Plane {
    let (samples, stride) = (page.raster().samples(), page.channels().count());
    let maxval = f32::from(samples.maxval());
    let value = |index: usize| match channel {
        Some(channel) => samples.number(index * stride + channel.min(stride - 1)) / maxval,
        None => {
            let sum = REC_601.iter().enumerate().map(|(c, w)| w * f64::from(samples.number(index * stride + c)));
            (sum.sum::<f64>() / f64::from(maxval)) as f32
        }
    };
    let [width, height] = page.size().sides().map(|side| side as usize);
    Plane { width, height, values: (0..width * height).map(value).collect() }
}
