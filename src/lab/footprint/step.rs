//! The steps from an output pixel to the number that is shown, as rows.

use super::Footprint;
use crate::rows::rows;

/// Description of a step.
#[derive(Debug)]
pub struct StepRow {
    /// The step.
    pub step: StepKind,
    /// Its name in files.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// One sentence: what it does.
    pub help: &'static str,
}

rows! {
    /// A step of the arithmetic of a pixel.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum StepKind {
        /// From the pixel to its position.
        #[default]
        Position => {
            name: "position",
            title: "Position",
            help: "The view maps the output pixel to a position of the image, in samples: translation, scale and angle are all that a view is",
        },
        /// Floor and fraction.
        Fraction => {
            name: "fraction",
            title: "Fraction",
            help: "The whole part of the position selects the samples, and the fraction alone decides their weights",
        },
        /// Weights of the taps.
        Weights => {
            name: "weights",
            title: "Weights",
            help: "Each sample has the weight that the kernel has at its distance from the position; in two dimensions the weights multiply",
        },
        /// Address modes.
        Indices => {
            name: "indices",
            title: "Indices",
            help: "The address mode replaces an index outside the image, sample by sample, after the weights are known",
        },
        /// Fetches of the texture unit.
        Fetches => {
            name: "fetches",
            title: "Fetches",
            help: "One linear fetch between two samples returns both weighted: its fraction is w1/(w0+w1), which the texture unit rounds to 1/256",
        },
        /// Sums along x.
        Rows => {
            name: "rows",
            title: "Row sums",
            help: "Each row of samples is summed with the weights along x: the kernel is separable, so that 4 + 4 weights serve 16 samples",
        },
        /// Sum of the rows.
        Sum => {
            name: "sum",
            title: "Sum",
            help: "The row sums are summed with the weights along y: this is the interpolated value, before any clamping",
        },
        /// Display mapping.
        Display => {
            name: "display",
            title: "Display",
            help: "The value is mapped, clamped and rounded only here: a sum beyond black or white loses its excess in this step",
        },
    }

    /// The steps in their order.
    pub static STEPS: [StepRow { step, .. }];

    impl by_name;
}

impl StepKind {
    /// Whether the arithmetic of `footprint` has this step.
    pub fn is_of(self, footprint: &Footprint) -> bool {
        self != Self::Fetches || footprint.axes.iter().any(|axis| !axis.fetches.is_empty())
    }
}
