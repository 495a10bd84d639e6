//! Numbers of a lesson's texts, each with its computation.

mod compute;
mod said;
mod spec;

pub use compute::Proof;
pub(super) use said::Said;
pub(super) use spec::RawClaim;
pub use spec::{
    AddressOf, Channel, DifferenceMeasure, DifferenceOf, ErrorMeasure, FetchOf, KeptOf, KernelOf, LineBy, LineOf,
    MeasureOf, PixelOf, PixelUnit, PoleOf, Quantity, ReadsOf, ResponseOf, RotationsOf, SampleOf, StatisticKind,
    StatisticOf, SumPart, WeightOf, WeightSumOf,
};

/// A number of the text: what the text says, and what it has to be.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// Its line in the file, from 1.
    pub line: usize,
    /// The number as the text has it: `0.479`, `-3 %`, `1/6`.
    pub says: String,
    /// Its name in later expressions of the step.
    pub name: Option<String>,
    /// What it is.
    pub quantity: Quantity,
}
