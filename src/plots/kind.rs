//! The kinds of plots as rows: names, axes, what each teaches.

use crate::rows::rows;

/// Description of a kind of plot.
#[derive(Debug)]
pub struct PlotKindRow {
    /// The kind.
    pub kind: PlotKind,
    /// Its name on the command line and in session files.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Its title on a tab.
    pub tab: &'static str,
    /// One sentence: what it shows.
    pub help: &'static str,
    /// The horizontal axis.
    pub x: PlotAxis,
    /// The vertical axis.
    pub y: PlotAxis,
    /// Lines and bands to read the curves by.
    pub guides: &'static [Guide],
    /// Whether a backend's own values are drawn beside the computed ones.
    pub is_measured: bool,
}

/// An axis of a plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlotAxis {
    /// Its column in CSV files.
    pub name: &'static str,
    /// Its letter in formulas.
    pub symbol: &'static str,
    /// What it is, with its unit.
    pub label: &'static str,
}

impl PlotAxis {
    /// Distance d = x − k of a position from a sample.
    pub const DISTANCE: Self = Self { name: "distance", symbol: "d", label: "Distance d from the sample, in samples" };
    /// Peak signal-to-noise ratio.
    pub const PSNR: Self = Self { name: "psnr", symbol: "PSNR", label: "PSNR, in dB" };
}

/// A mark that belongs to a kind of plot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Guide {
    /// A vertical line.
    Line {
        /// Its position.
        x: f64,
        /// What is there.
        label: &'static str,
    },
    /// A horizontal band.
    Band {
        /// Its lower and upper edge.
        y: [f64; 2],
        /// What is between them.
        label: &'static str,
    },
}

const ALPHA: PlotAxis = PlotAxis { name: "alpha", symbol: "α", label: "Fraction α between two samples" };
const FREQUENCY: PlotAxis = PlotAxis { name: "frequency", symbol: "ν", label: "Frequency ν, in cycles per sample" };
const NYQUIST: &[Guide] = &[Guide::Line { x: 0.5, label: "Nyquist" }];

rows! {
    /// A kind of plot.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum PlotKind {
        /// w(d).
        #[default]
        Kernel => {
            name: "kernel",
            title: "Kernel",
            tab: "Kernel",
            help: "The weight w(d) of a sample by its distance d from the position: all that tells one method from another",
            x: PlotAxis::DISTANCE,
            y: PlotAxis { name: "weight", symbol: "w", label: "Weight w(d)" },
            guides: &[],
            is_measured: false,
        },
        /// w0, w1 … over α.
        Weights => {
            name: "weights",
            title: "Weights",
            tab: "Weights",
            help: "The weights of the samples around a position while it moves from one sample to the next; they sum to 1",
            x: ALPHA,
            y: PlotAxis { name: "weight", symbol: "w", label: "Weight" },
            guides: &[],
            is_measured: false,
        },
        /// Values between samples, of which one is 1.
        Impulse => {
            name: "impulse",
            title: "Impulse response",
            tab: "Impulse",
            help: "The values around a single sample of 1: the kernel as it acts, the prefilter and the division by the sum included",
            x: PlotAxis::DISTANCE,
            y: PlotAxis { name: "value", symbol: "h", label: "Value" },
            guides: &[],
            is_measured: true,
        },
        /// Values across an edge.
        Step => {
            name: "step",
            title: "Step response",
            tab: "Step",
            help: "The values across an edge from 0 to 1: a width is blur, a swing beyond 0 and 1 is overshoot",
            x: PlotAxis { name: "distance", symbol: "d", label: "Distance from the first sample of 1, in samples" },
            y: PlotAxis { name: "value", symbol: "h", label: "Value" },
            guides: &[Guide::Band { y: [0.0, 1.0], label: "Samples" }],
            is_measured: true,
        },
        /// |H(f)|.
        Response => {
            name: "response",
            title: "Frequency response",
            tab: "Response",
            help: "How much of each frequency is kept: loss below 0.5 cycles per sample is blur, the rest above it is aliasing",
            x: FREQUENCY,
            y: PlotAxis { name: "magnitude", symbol: "|H|", label: "Magnitude |H(ν)|" },
            guides: NYQUIST,
            is_measured: true,
        },
        /// |H(f)| in decibels.
        ResponseDb => {
            name: "response-db",
            title: "Frequency response in dB",
            tab: "dB",
            help: "The frequency response in decibels, where the weak side lobes can be compared: −20 dB is a tenth, −40 dB a hundredth",
            x: FREQUENCY,
            y: PlotAxis { name: "decibels", symbol: "|H|", label: "Magnitude |H(ν)|, in dB" },
            guides: NYQUIST,
            is_measured: true,
        },
        /// What the filters and the interpolation make of an impulse.
        Filters => {
            name: "filters",
            title: "Impulse response of the filters",
            tab: "Filters",
            help: "What a single sample of 1 becomes by the filters of the samples, the interpolation and the filters of the pixels, less what zeros become: the kernel of a linear chain",
            x: PlotAxis { name: "distance", symbol: "d", label: "Distance d from the impulse, in samples" },
            y: PlotAxis { name: "value", symbol: "h", label: "Value" },
            guides: &[],
            is_measured: true,
        },
        /// w1/(w0+w1), w3/(w2+w3) … over α.
        Fractions => {
            name: "fractions",
            title: "Fractions of fetches",
            tab: "Fractions",
            help: "Where one linear texture fetch would return two weighted samples: it can only between 0 and 1",
            x: ALPHA,
            y: PlotAxis { name: "fraction", symbol: "h", label: "Fraction of the fetch" },
            guides: &[Guide::Band { y: [0.0, 1.0], label: "One fetch" }],
            is_measured: false,
        },
    }

    /// The kinds, in menu order.
    pub static PLOT_KINDS: [PlotKindRow { kind, .. }];

    impl by_name, Display;
}
