//! Synthetic sources: images given by formulas, exact at every size and every position.
//!
//! A source is a row of [`SYNTHS`]. A source with a size is a [`Formula`], with a grey value or three of red, green and blue, each
//! in [0, 1], at every real (x, y); its samples are the values at integer x and y, as floats. An interpolated image can be compared with the exact
//! values, and an antialiased one with the means over the pixels' areas.

mod basilica;
mod charts;
mod fresnel;
mod letter;
mod parallelogram;
pub(super) mod quadrature;
mod sailboat;
mod scene;
mod shapes;
mod trapezoid;
mod waves;

use std::str::FromStr;

pub use parallelogram::Parallelogram;
pub(crate) use quadrature::MeanAccuracy;
use rayon::prelude::*;
use thiserror::Error;

use super::{Channels, Page, Raster, Samples, Size};
use crate::memory::Demand;
use crate::rows::rows;
use crate::text::shortened;

/// The properties of a synthetic source.
#[derive(Clone, Copy, Debug)]
pub struct SynthRow {
    /// The source.
    pub synth: Synth,
    /// Name on the command line.
    pub name: &'static str,
    /// Title in the window.
    pub title: &'static str,
    /// One-line description.
    pub help: &'static str,
    values: Values,
    mean: Mean,
}

/// The values of a formula of this size at (x, y).
#[derive(Clone, Copy, Debug)]
enum Values {
    Grey(fn(Size, f64, f64) -> f64),
    /// Red, green and blue.
    Colour(fn(Size, f64, f64) -> [f64; 3]),
}

/// How the mean of a formula over a parallelogram is computed.
#[derive(Clone, Copy, Debug)]
enum Mean {
    /// In closed form, to rounding, over every parallelogram.
    Exact(fn(Size, &Parallelogram) -> f64),
    /// In closed form over rectangles, by quadrature over others.
    ExactOverRectangles(fn(Size, &Parallelogram) -> f64),
    /// As [`Mean::ExactOverRectangles`], and over those along the axes ½ + ½·Re(a·b) of a complex factor of each axis, which
    /// depends on size, axis, and centre and length along it.
    Factors(fn(Size, &Parallelogram) -> f64, fn(Size, usize, f64, f64) -> [f64; 2]),
    /// In closed form over rectangles along the axes, by quadrature over others.
    ExactAlongAxes(fn(Size, &Parallelogram) -> f64),
    /// By quadrature.
    Quadrature,
}

rows! {
    /// A synthetic source.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Synth {
        /// The Julia set of z² − 1.
        Basilica => {
            name: "basilica",
            title: "Basilica",
            help: "the Basilica Julia set (z² − 1), coloured by stripe average",
            values: Values::Grey(basilica::value),
            mean: Mean::Quadrature,
        },
        /// A boat off a lighthouse, in colour.
        Sailboat => {
            name: "sailboat",
            title: "Sailboat",
            help: "a drawn boat off a lighthouse, in colour: letters, hard edges, thin lines, and waves as fine as 2 samples",
            values: Values::Colour(sailboat::colour),
            mean: Mean::Quadrature,
        },
        /// A house before hills.
        Scene => {
            name: "scene",
            title: "Scene",
            help: "a drawn landscape as a photograph has it: shading, 1/f texture, edges and thin lines",
            values: Values::Grey(scene::value),
            mean: Mean::Quadrature,
        },
        /// Rings whose frequency grows with their radius.
        ZonePlate => {
            name: "zone-plate",
            title: "Zone plate",
            help: "rings up to the Nyquist frequency at the middle of each edge",
            values: Values::Grey(waves::zone_plate),
            mean: Mean::Factors(waves::zone_plate_mean, waves::zone_plate_factor),
        },
        /// A straight edge, 5° off the vertical.
        SlantedEdge => {
            name: "slanted-edge",
            title: "Slanted edge",
            help: "a straight edge 5° off the vertical, one sample wide, from 0.2 to 0.8",
            values: Values::Grey(charts::slanted_edge),
            mean: Mean::Exact(charts::slanted_edge_mean),
        },
        /// Sectors that narrow towards the centre.
        SiemensStar => {
            name: "siemens-star",
            title: "Siemens star",
            help: "36 sinusoidal cycles around the centre",
            values: Values::Grey(charts::siemens_star),
            mean: Mean::Quadrature,
        },
        /// Squares of 8 × 8 samples.
        Checkerboard => {
            name: "checkerboard",
            title: "Checkerboard",
            help: "black and white squares of 8 × 8 samples",
            values: Values::Grey(charts::checkerboard),
            mean: Mean::ExactAlongAxes(charts::checkerboard_mean),
        },
        /// Lines one sample wide.
        Lines => {
            name: "lines",
            title: "Lines",
            help: "lines one sample wide, every 2 and every 8 samples, upright and level",
            values: Values::Grey(charts::lines),
            mean: Mean::ExactAlongAxes(charts::lines_mean),
        },
        /// Eleven greys from black to white.
        StepWedge => {
            name: "step-wedge",
            title: "Step wedge",
            help: "11 greys from black at the left to white at the right",
            values: Values::Grey(charts::step_wedge),
            mean: Mean::ExactAlongAxes(charts::step_wedge_mean),
        },
        /// Single white samples.
        Impulses => {
            name: "impulses",
            title: "Impulses",
            help: "one white sample in the middle of every 16 × 16",
            values: Values::Grey(charts::impulses),
            mean: Mean::ExactAlongAxes(charts::impulses_mean),
        },
        /// A smooth spot.
        Gaussian => {
            name: "gaussian",
            title: "Gaussian",
            help: "a white spot with a standard deviation of 1/8 of the shorter side",
            values: Values::Grey(shapes::gaussian),
            mean: Mean::ExactOverRectangles(shapes::gaussian_mean),
        },
        /// A disc with an antialiased edge.
        Disc => {
            name: "disc",
            title: "Disc",
            help: "a white disc, each sample the exact area of the disc in its square",
            values: Values::Grey(shapes::disc),
            mean: Mean::ExactAlongAxes(shapes::disc_mean),
        },
        /// A cosine whose frequency grows along x.
        Chirp => {
            name: "chirp",
            title: "Chirp",
            help: "a cosine from frequency 0 at the left edge to Nyquist at the right edge",
            values: Values::Grey(waves::chirp),
            mean: Mean::ExactAlongAxes(waves::chirp_mean),
        },
        /// A drawn letter.
        Text => {
            name: "text",
            title: "Text",
            help: "the letter R, dark on light, its outline one sample wide",
            values: Values::Grey(letter::value),
            mean: Mean::Quadrature,
        },
        /// Band-limited noise.
        Noise => {
            name: "noise",
            title: "Noise",
            help: "random waves of at most 1/3 cycle per sample, the same at every run",
            values: Values::Grey(waves::noise),
            mean: Mean::Exact(waves::noise_mean),
        },
    }

    /// The synthetic sources, in menu order.
    pub static SYNTHS: [SynthRow { synth, .. }];

    impl by_name;
}

impl Synth {
    /// Name on the command line.
    pub fn name(self) -> &'static str {
        self.row().name
    }
}

/// Error of a formula's text.
#[derive(Clone, PartialEq, Eq, Error)]
pub enum SynthError {
    /// The text is not `synth:NAME:WxH`.
    #[error("“{}” is not a synthetic source; write synth:NAME:WxH, for example synth:zone-plate:512x512", shortened(.0))]
    Form(String),
    /// No source has this name.
    #[error("there is no synthetic source “{}”; there are {names}", shortened(.0), names = names())]
    Name(String),
    /// The size is not two integers of at least 1.
    #[error("“{}” is not a size; write WxH, for example 512x512, each from 1 to {most}", shortened(.0), most = Size::MAX_SIDE)]
    Size(String),
    /// The formula has too many samples.
    #[error("{0} samples exceed the limit of {most}", most = Formula::MAX_SAMPLES)]
    TooLarge(Size),
}

/// Source and size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Formula {
    synth: Synth,
    size: Size,
}

impl Formula {
    /// Largest number of samples of a formula's page: 1 GiB of floats a channel.
    pub const MAX_SAMPLES: usize = 1 << 28;

    /// Formula of `synth` at `size`.
    ///
    /// # Errors
    /// [`SynthError::TooLarge`] for a `size` of more than [`Formula::MAX_SAMPLES`] samples.
    pub fn new(synth: Synth, size: Size) -> Result<Self, SynthError> {
        if size.area() > Self::MAX_SAMPLES {
            return Err(SynthError::TooLarge(size));
        }
        Ok(Self { synth, size })
    }

    /// The source.
    pub fn synth(&self) -> Synth {
        self.synth
    }

    /// Width and height of its page, in samples.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Channels of its values: [`Channels::Grey`] or [`Channels::Rgb`].
    pub fn channels(&self) -> Channels {
        match self.synth.row().values {
            Values::Grey(_) => Channels::Grey,
            Values::Colour(_) => Channels::Rgb,
        }
    }

    /// Red, green and blue at (x, y), each in [0, 1]; those of a grey formula are equal. Sample (m, n) is at x = m, y = n. Each
    /// source is defined outside its page, too.
    pub fn colour(&self, x: f64, y: f64) -> [f64; 3] {
        match self.synth.row().values {
            Values::Grey(value) => [value(self.size, x, y); 3],
            Values::Colour(colour) => colour(self.size, x, y),
        }
    }

    /// Value of the first channel at (x, y), as [`Formula::colour`]: grey or red.
    pub fn value(&self, x: f64, y: f64) -> f64 {
        self.colour(x, y)[0]
    }

    /// Mean of the first channel over `area`, as [`Formula::mean_of`]: of grey or red.
    pub fn mean(&self, area: &Parallelogram) -> f64 {
        self.mean_of(0, area)
    }

    /// Mean of `channel`, from 0 to 2, over `area`, in [0, 1]: the value of an output pixel whose light is collected over its whole
    /// area; over a line, the mean along it.
    ///
    /// In closed form, to 10⁻⁹, for the slanted edge and the noise, for the zone plate and the Gaussian over rectangles, and for
    /// the checkerboard, lines, step wedge, impulses, disc and chirp over rectangles along the axes. Else by quadrature, for
    /// sides of up to 64 samples: to 2·10⁻⁵ for continuous formulas (2·10⁻⁴ from 10 samples on), to 2·10⁻³ for the others. Of the
    /// sailboat below 256 × 192, whose outlines are closer than a sample, it is within 2·10⁻⁴. A point has its value.
    pub fn mean_of(&self, channel: usize, area: &Parallelogram) -> f64 {
        self.means_until(area, MeanAccuracy::FINE, || false)[channel]
    }

    /// Means of red, green and blue as [`Formula::mean_of`], by quadrature of this accuracy; of any value once `is_cancelled`, which ends
    /// a quadrature early: one takes up to 0.1 s.
    pub(crate) fn means_until(
        &self,
        area: &Parallelogram,
        accuracy: MeanAccuracy,
        is_cancelled: impl Fn() -> bool,
    ) -> [f64; 3] {
        let [x, y] = area.centre();
        if area.lengths() == [0.0; 2] {
            return self.colour(x, y);
        }
        let row = self.synth.row();
        let means = match row.mean {
            Mean::Exact(mean) => [mean(self.size, area); 3],
            Mean::ExactOverRectangles(mean) | Mean::Factors(mean, _) if area.is_rectangle() => {
                [mean(self.size, area); 3]
            }
            Mean::ExactAlongAxes(mean) if area.is_aligned() => [mean(self.size, area); 3],
            Mean::ExactOverRectangles(_) | Mean::Factors(..) | Mean::ExactAlongAxes(_) | Mean::Quadrature => {
                match row.values {
                    Values::Grey(value) => {
                        let value = |[x, y]: [f64; 2]| [if is_cancelled() { 0.0 } else { value(self.size, x, y) }];
                        let [mean] = quadrature::means(value, area, accuracy);
                        [mean; 3]
                    }
                    Values::Colour(colour) => {
                        let colour = |[x, y]: [f64; 2]| if is_cancelled() { [0.0; 3] } else { colour(self.size, x, y) };
                        quadrature::means(colour, area, accuracy)
                    }
                }
            }
        };
        means.map(|mean| mean.clamp(0.0, 1.0))
    }

    /// Factor along `axis` of the means over rectangles along the axes whose centre and side along it are these; of the values
    /// at points for a side of 0. With the factors a and b of both axes a mean is ½ + ½·Re(a·b). `None` for formulas that
    /// are no such product.
    pub(crate) fn factor(&self, axis: usize, centre: f64, side: f64) -> Option<[f64; 2]> {
        match self.synth.row().mean {
            Mean::Factors(_, factor) => Some(factor(self.size, axis, centre, side)),
            Mean::Exact(_) | Mean::ExactOverRectangles(_) | Mean::ExactAlongAxes(_) | Mean::Quadrature => None,
        }
    }

    /// Memory that [`Formula::page`] takes.
    pub fn demand(&self) -> Demand {
        let mut demand = Demand::default();
        let bytes = self.size.area() * self.channels().count() * size_of::<f32>();
        demand.hold(|| format!("{} samples take", self.size), bytes as u64);
        demand
    }

    /// The samples: the values at (m, n) in single precision.
    pub fn page(&self) -> Page {
        let channels = self.channels();
        let mut values = vec![0.0; self.size.area() * channels.count()];
        values.par_chunks_mut(self.size.width() as usize * channels.count()).enumerate().for_each(|(n, row)| {
            for (m, sample) in row.chunks_exact_mut(channels.count()).enumerate() {
                let colour = self.colour(m as f64, n as f64);
                sample.iter_mut().zip(colour).for_each(|(number, value)| *number = value as f32);
            }
        });
        let samples = Samples::F32(values);
        Page::new(Raster { size: self.size, channels, samples }).with_formula(*self)
    }
}

impl std::fmt::Display for Formula {
    /// The text that [`Formula::from_str`] parses.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "synth:{}:{}x{}", self.synth.name(), self.size.width(), self.size.height())
    }
}

impl FromStr for Formula {
    type Err = SynthError;

    /// Parses `synth:NAME:WxH`.
    ///
    /// ```
    /// let formula: lerpscope::image::Formula = "synth:zone-plate:64x48".parse().unwrap();
    /// assert_eq!(formula.value(32.0, 24.0), 1.0);
    /// ```
    fn from_str(text: &str) -> Result<Self, SynthError> {
        let form = || SynthError::Form(text.escape_debug().to_string());
        let (name, size) = text.strip_prefix("synth:").and_then(|rest| rest.split_once(':')).ok_or_else(form)?;
        let synth = Synth::by_name(name).ok_or_else(|| SynthError::Name(name.escape_debug().to_string()))?;
        let sides = size.split_once(['x', 'X', '×']);
        let parsed = sides.and_then(|(width, height)| Size::new(width.parse().ok()?, height.parse().ok()?).ok());
        Self::new(synth, parsed.ok_or_else(|| SynthError::Size(size.escape_debug().to_string()))?)
    }
}

/// (W/2, H/2).
fn middle(size: Size) -> [f64; 2] {
    size.sides().map(|side| f64::from(side) / 2.0)
}

/// Position relative to (W/2, H/2).
fn from_centre(size: Size, x: f64, y: f64) -> (f64, f64) {
    let [middle_x, middle_y] = middle(size);
    (x - middle_x, y - middle_y)
}

/// The shorter of width and height.
fn shorter_side(size: Size) -> f64 {
    f64::from(size.width().min(size.height()))
}

fn names() -> String {
    SYNTHS.each_ref().map(|row| row.name).join(", ")
}
