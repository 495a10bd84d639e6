//! What a number can be: one key of `[[step.value]]` for each kind.

use std::path::PathBuf;
use std::str::FromStr;

use serde::de::{self, Deserialize, Deserializer};

use super::Claim;
use crate::arguments::listed;
use crate::lesson::Number;
use crate::sampling::{ADDRESS_MODES, AddressMode, Method, SAMPLING_PATHS, SamplingPath};

/// `[[step.value]]` as it stands in the file.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(in crate::lesson) struct RawClaim {
    says: String,
    name: Option<String>,
    expression: Option<String>,
    line: Option<LineOf>,
    weight: Option<WeightOf>,
    weight_sum: Option<WeightSumOf>,
    kernel: Option<KernelOf>,
    reads: Option<ReadsOf>,
    fetch: Option<FetchOf>,
    fixed_point: Option<Number>,
    pole: Option<PoleOf>,
    address: Option<AddressOf>,
    response: Option<ResponseOf>,
    sample: Option<SampleOf>,
    pixel: Option<PixelOf>,
    difference: Option<DifferenceOf>,
    statistic: Option<StatisticOf>,
    measure: Option<MeasureOf>,
    rotations: Option<RotationsOf>,
    kept: Option<KeptOf>,
}

/// The keys of [`RawClaim`] that say what a number is.
const QUANTITY_KEYS: [&str; 18] = [
    "expression",
    "line",
    "weight",
    "weight-sum",
    "kernel",
    "reads",
    "fetch",
    "fixed-point",
    "pole",
    "address",
    "response",
    "sample",
    "pixel",
    "difference",
    "statistic",
    "measure",
    "rotations",
    "kept",
];

/// What a number is.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "each variant is described by the type that it holds")]
pub enum Quantity {
    /// Arithmetic, with names of earlier values.
    Expression(String),
    Line(LineOf),
    Weight(WeightOf),
    WeightSum(WeightSumOf),
    Kernel(KernelOf),
    Reads(ReadsOf),
    Fetch(FetchOf),
    /// A fraction as the texture unit rounds it.
    FixedPoint(Number),
    Pole(PoleOf),
    Address(AddressOf),
    Response(ResponseOf),
    Sample(SampleOf),
    Pixel(PixelOf),
    Difference(DifferenceOf),
    Statistic(StatisticOf),
    Measure(MeasureOf),
    Rotations(RotationsOf),
    Kept(KeptOf),
}

impl RawClaim {
    pub(in crate::lesson) fn checked(self, line: usize) -> Result<Claim, String> {
        let Self { says, name, .. } = self;
        let found = [
            self.expression.map(Quantity::Expression),
            self.line.map(Quantity::Line),
            self.weight.map(Quantity::Weight),
            self.weight_sum.map(Quantity::WeightSum),
            self.kernel.map(Quantity::Kernel),
            self.reads.map(Quantity::Reads),
            self.fetch.map(Quantity::Fetch),
            self.fixed_point.map(Quantity::FixedPoint),
            self.pole.map(Quantity::Pole),
            self.address.map(Quantity::Address),
            self.response.map(Quantity::Response),
            self.sample.map(Quantity::Sample),
            self.pixel.map(Quantity::Pixel),
            self.difference.map(Quantity::Difference),
            self.statistic.map(Quantity::Statistic),
            self.measure.map(Quantity::Measure),
            self.rotations.map(Quantity::Rotations),
            self.kept.map(Quantity::Kept),
        ];
        let mut found = found.into_iter().flatten();
        match (found.next(), found.next()) {
            (Some(quantity), None) => Ok(Claim { line, says, name, quantity }),
            (None, _) => Err(format!("says '{says}' without what it is: one of {}", listed(QUANTITY_KEYS))),
            (Some(_), Some(_)) => Err(format!("says '{says}' with two keys for what it is")),
        }
    }
}

/// A value that is read from its name.
fn named<'de, T, E: std::fmt::Display, D: Deserializer<'de>>(
    deserializer: D,
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> Result<T, D::Error> {
    parse(&String::deserialize(deserializer)?).map_err(de::Error::custom)
}

fn method<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Method, D::Error> {
    named(deserializer, Method::from_str)
}

fn path<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SamplingPath, D::Error> {
    named(deserializer, |name| {
        let known = || listed(SAMPLING_PATHS.iter().map(|row| row.name));
        SamplingPath::by_name(name).ok_or_else(|| format!("there is no path '{name}'; there are {}", known()))
    })
}

fn address<'de, D: Deserializer<'de>>(deserializer: D) -> Result<AddressMode, D::Error> {
    named(deserializer, |name| {
        let known = || listed(ADDRESS_MODES.iter().map(|row| row.name));
        AddressMode::by_name(name).ok_or_else(|| format!("there is no address mode '{name}'; there are {}", known()))
    })
}

fn exact_path() -> SamplingPath {
    SamplingPath::Auto
}

fn clamp() -> AddressMode {
    AddressMode::Clamp
}

fn one() -> Number {
    Number(1.0)
}

fn one_axis() -> u32 {
    1
}

/// A method on samples on a line, at a position.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct LineOf {
    /// The samples at 0, 1, …
    pub samples: Vec<Number>,
    /// The method.
    #[serde(deserialize_with = "method")]
    pub method: Method,
    /// Whether its prefilter is on.
    #[serde(default)]
    pub prefilter: bool,
    /// The address mode.
    #[serde(deserialize_with = "address", default = "clamp")]
    pub address: AddressMode,
    /// The samples outside under border.
    #[serde(default)]
    pub border: Number,
    /// The position.
    pub at: Number,
    /// What computes it.
    #[serde(default)]
    pub by: LineBy,
}

/// What computes a value on a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LineBy {
    /// Double precision.
    #[default]
    Exact,
    /// The texture unit.
    Texture,
    /// A program without a texture, in single precision.
    Manual,
}

/// A weight of a method.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct WeightOf {
    /// The method.
    #[serde(deserialize_with = "method")]
    pub method: Method,
    /// Number of the sample among those that are read, from 0.
    pub w: usize,
    /// Fraction of the position.
    pub alpha: Number,
    /// The sampling path.
    #[serde(deserialize_with = "path", default = "exact_path")]
    pub path: SamplingPath,
}

/// A sum of the weights of a method.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct WeightSumOf {
    /// The method.
    #[serde(deserialize_with = "method")]
    pub method: Method,
    /// Fraction of the position.
    pub alpha: Number,
    /// Which weights.
    #[serde(default)]
    pub of: SumPart,
    /// The sampling path.
    #[serde(deserialize_with = "path", default = "exact_path")]
    pub path: SamplingPath,
}

/// Which weights a sum has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SumPart {
    /// All.
    #[default]
    All,
    /// Those above 0.
    Positive,
    /// Those below 0.
    Negative,
    /// All, without their signs.
    Absolute,
}

/// A kernel at a distance.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct KernelOf {
    /// The method.
    #[serde(deserialize_with = "method")]
    pub method: Method,
    /// The distance from a sample.
    pub d: Number,
}

/// The number of samples that a value reads.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ReadsOf {
    /// The method.
    #[serde(deserialize_with = "method")]
    pub method: Method,
    /// Number of axes, 1 to 4.
    #[serde(default = "one_axis")]
    pub axes: u32,
}

/// The fraction of the fetch that a pair of weights becomes.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FetchOf {
    /// The method.
    #[serde(deserialize_with = "method")]
    pub method: Method,
    /// Number of the pair, from 0: w0 and w1, w2 and w3 …
    pub pair: usize,
    /// Fraction of the position.
    pub alpha: Number,
}

/// A pole of a method's prefilter.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PoleOf {
    /// The method.
    #[serde(deserialize_with = "method")]
    pub method: Method,
    /// Number of the pole, from 1.
    #[serde(default = "one_axis")]
    pub number: u32,
}

/// The sample index that an address mode gives.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct AddressOf {
    /// The address mode; not border, which reads no sample.
    #[serde(deserialize_with = "address")]
    pub mode: AddressMode,
    /// The index before it.
    pub index: i32,
    /// Number of samples.
    pub count: u32,
}

/// The response of a method.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ResponseOf {
    /// The method.
    #[serde(deserialize_with = "method")]
    pub method: Method,
    /// Whether its prefilter is on.
    #[serde(default)]
    pub prefilter: bool,
    /// Cycles per sample.
    pub frequency: Number,
    /// Whether the magnitude is in decibels.
    #[serde(default)]
    pub decibels: bool,
}

/// A channel, from 0; the luminance if left out.
pub type Channel = Option<usize>;

/// Unit of a value of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PixelUnit {
    /// 0 to 1.
    #[default]
    One,
    /// 0 to 255.
    Byte,
}

/// A sample of an image.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SampleOf {
    /// The image.
    pub image: PathBuf,
    /// Column and row.
    pub at: [u32; 2],
    /// The channel.
    pub channel: Channel,
    /// The unit.
    #[serde(default)]
    pub unit: PixelUnit,
}

/// A value of a panel of the step.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PixelOf {
    /// Number of the panel, from 1.
    pub panel: usize,
    /// The position, in samples.
    pub at: [Number; 2],
    /// The channel.
    pub channel: Channel,
    /// The unit.
    #[serde(default)]
    pub unit: PixelUnit,
}

/// A difference of two panels of the step.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DifferenceOf {
    /// Numbers of the panels, from 1.
    pub panels: [usize; 2],
    /// What is measured.
    pub of: DifferenceMeasure,
    /// Size of their pictures.
    pub size: Option<[u32; 2]>,
}

/// A measure of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DifferenceMeasure {
    /// Root of the mean square.
    Rms,
    /// The largest.
    Max,
    /// Peak signal-to-noise ratio in decibels.
    Psnr,
    /// Share of unequal bytes of files with 8 bits a sample.
    Bytes,
}

/// A statistic of a panel of the step.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct StatisticOf {
    /// Number of the panel, from 1.
    pub panel: usize,
    /// The statistic.
    pub of: StatisticKind,
    /// The channel.
    pub channel: Channel,
    /// The unit.
    #[serde(default)]
    pub unit: PixelUnit,
    /// Size of its picture.
    pub size: Option<[u32; 2]>,
}

/// A statistic of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StatisticKind {
    /// The mean.
    Mean,
    /// The least value.
    Least,
    /// The greatest value.
    Greatest,
    /// The standard deviation.
    Deviation,
}

/// The error of a method against the truth of an image.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MeasureOf {
    /// The image: a formula, or one decimated from its original.
    pub image: PathBuf,
    /// The method.
    #[serde(deserialize_with = "method")]
    pub method: Method,
    /// Whether its prefilter is on.
    #[serde(default)]
    pub prefilter: bool,
    /// Whether it is widened where the view is reduced.
    #[serde(default)]
    pub antialias: bool,
    /// The sampling path.
    #[serde(deserialize_with = "path", default = "exact_path")]
    pub path: SamplingPath,
    /// Samples per pixel.
    #[serde(default = "one")]
    pub scale: Number,
    /// Translation of the view.
    #[serde(default)]
    pub translate: [Number; 2],
    /// Rotation in degrees.
    #[serde(default)]
    pub rotate: Number,
    /// Size of the picture; that of the image if left out.
    pub size: Option<[u32; 2]>,
    /// The measure.
    pub of: ErrorMeasure,
}

/// A measure of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorMeasure {
    /// Peak signal-to-noise ratio in decibels.
    Psnr,
    /// Root of the mean square.
    Rms,
    /// The largest.
    Max,
    /// Structural similarity.
    Ssim,
}

/// The error after an image was turned all the way round.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RotationsOf {
    /// The image.
    pub image: PathBuf,
    /// The method.
    #[serde(deserialize_with = "method")]
    pub method: Method,
    /// Whether its prefilter is on.
    #[serde(default)]
    pub prefilter: bool,
    /// Number of turns.
    pub turns: u32,
    /// The measure.
    pub of: ErrorMeasure,
}

/// The share of samples that a method keeps.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct KeptOf {
    /// The image.
    pub image: PathBuf,
    /// The method.
    #[serde(deserialize_with = "method")]
    pub method: Method,
    /// Whether its prefilter is on.
    #[serde(default)]
    pub prefilter: bool,
}
