//! `lerpscope plot`: a plot of methods to a file.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::chart_output::ChartOutput;
use super::errors::Usage;
use super::methods::Methods;
use super::options::FilterOptions;
use super::{options, render};
use crate::arguments::{parse_number, parse_size};
use crate::backend::{Estimate, RenderRequest};
use crate::image::Size;
use crate::plots::{Chart, FilterChain, Measured, PLOT_KINDS, Plot, PlotCurve, PlotKind, Reconstruction};
use crate::rows::rows;
use crate::sampling::{Sampler, SamplingPath};
use crate::view::View;

/// Options of `plot`.
#[derive(Args, Debug)]
#[command(after_help = "\
Curves are computed from the weights. The impulse, step and frequency responses have dots as well, which are measured: a
single sample of 1 goes through the backend, and its response is transformed.

The frequency responses of two methods:
  lerpscope plot response --methods linear,catmull-rom -o response.svg
What a blur of the samples and a sharpening of the pixels do to an impulse, at four pixels to a sample:
  lerpscope plot filters --methods linear --filter gaussian=1 --filter-after unsharp --scale 1/4 -o filters.svg
What the prefilter does to the cubic B-spline, in decibels:
  lerpscope plot response-db --methods bspline --prefilter both -o prefilter.png")]
pub struct PlotOptions {
    /// What to plot
    #[arg(value_name = "KIND", value_parser = kind())]
    kind: PlotKind,
    /// Methods, separated by commas, with colons in their parameters
    #[arg(long, value_name = "LIST", default_value = "all", value_parser = Methods::parse)]
    methods: Methods,
    /// Whether B-splines and o-moms have their prefilter
    #[arg(long, value_name = "WHEN", default_value = "off", value_parser = prefilter())]
    prefilter: PrefilterChoice,
    /// Sampling path
    #[arg(long, value_name = "PATH", default_value = "auto", value_parser = options::path())]
    path: SamplingPath,
    #[command(flatten)]
    filters: FilterOptions,
    /// Samples per output pixel of the plot 'filters', for --filter-after
    #[arg(long, value_name = "S", default_value = "1", allow_hyphen_values = true, value_parser = parse_number::<f64>)]
    scale: f64,
    /// Backend that is measured
    #[arg(long, value_name = "BACKEND", default_value = "auto", value_parser = options::backend())]
    backend: String,
    /// Size of the drawing in points; a PNG file has two pixels to a point [default: 960x540]
    #[arg(long, value_name = "WxH", allow_hyphen_values = true, value_parser = parse_size)]
    size: Option<Size>,
    /// Output file: .svg, .png or .csv; - prints CSV
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
}

/// Description of a choice of prefilters.
#[derive(Debug)]
pub(super) struct PrefilterRow {
    choice: PrefilterChoice,
    name: &'static str,
    help: &'static str,
    /// Of a method that has a prefilter.
    pub(super) switches: &'static [bool],
}

rows! {
    /// With which switches methods that have a prefilter are plotted.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum PrefilterChoice {
        /// Without.
        Off => { name: "off", help: "they smooth", switches: &[false] },
        /// With.
        On => { name: "on", help: "they pass through the samples", switches: &[true] },
        /// Without and with.
        Both => { name: "both", help: "each of them twice", switches: &[false, true] },
    }

    pub(super) static PREFILTER_CHOICES: [PrefilterRow { choice, .. }];

    impl by_name;
}

/// Smallest and largest side of a drawing, in points.
const SIDES: std::ops::RangeInclusive<u32> = 200..=4000;

fn kind() -> impl TypedValueParser<Value = PlotKind> {
    let values = PLOT_KINDS.iter().map(|row| PossibleValue::new(row.name).help(row.help));
    PossibleValuesParser::new(values).try_map(|name| PlotKind::by_name(&name).ok_or("no such plot"))
}

pub(super) fn prefilter() -> impl TypedValueParser<Value = PrefilterChoice> {
    let values = PREFILTER_CHOICES.iter().map(|row| PossibleValue::new(row.name).help(row.help));
    PossibleValuesParser::new(values).try_map(|name| PrefilterChoice::by_name(&name).ok_or("no such choice"))
}

/// Plots and writes.
///
/// # Errors
/// A path that does not serve a method, an unknown extension, and errors of the backend and of writing.
pub(super) fn run(options: &PlotOptions) -> anyhow::Result<()> {
    let output = ChartOutput::of(&options.output);
    output.check()?;
    let size = drawing_size(options.size)?;
    let filters = options.filters()?;
    let chains = options.chains(&filters)?;
    let mut measured = Vec::new();
    if options.kind.row().is_measured {
        // A row of some samples: no device starts as fast.
        let mut backend = render::open(&options.backend, || Estimate::of_all(std::iter::empty(), 1))?;
        if options.kind == PlotKind::Filters {
            let mut curves = Vec::new();
            for (filter, chain) in chains.iter().enumerate() {
                let of_chain = chain.curves(Some(&mut *backend))?;
                curves.extend(of_chain.into_iter().map(|curve| PlotCurve { filter, ..curve }));
            }
            return output.write(&Plot::of_curves(options.kind, filters, curves).chart(), size);
        }
        for filter in &filters {
            measured.push(Measured::new(filter, &mut *backend)?);
        }
    }
    let chart = Plot::new(options.kind, &filters, &measured).chart();
    output.write(&chart, size)
}

impl PlotOptions {
    /// The chains of the plot of filters, around each of `filters`.
    ///
    /// # Errors
    /// Filters for another plot, and a scale out of range.
    fn chains(&self, filters: &[Reconstruction]) -> anyhow::Result<Vec<FilterChain>> {
        let of_images = self.filters.filters();
        if self.kind != PlotKind::Filters {
            if of_images.is_empty() {
                return Ok(Vec::new());
            }
            let text =
                format!("--filter has an effect on the plot '{}' alone, not on '{}'", PlotKind::Filters, self.kind);
            return Err(Usage(text).into());
        }
        let view = View::new([0.0; 2], self.scale)?;
        let chain = |filter: &Reconstruction| {
            let Reconstruction { method, prefilter, path, .. } = *filter;
            let sampler = Sampler { method, prefilter, path, ..Sampler::default() };
            let filters = of_images.clone();
            FilterChain::of(&RenderRequest { view, sampler, filters, ..RenderRequest::new(Chart::usual_size()) })
        };
        Ok(filters.iter().map(chain).collect())
    }

    /// The filters, method by method.
    fn filters(&self) -> anyhow::Result<Vec<Reconstruction>> {
        let mut filters = Vec::new();
        for &method in &self.methods.0 {
            let kernel = method.kernel();
            if !kernel.paths.contains(&self.path) {
                let what = format!("method '{method}'");
                return Err(crate::backend::RequestError::SamplingPath { path: self.path, what }.into());
            }
            let switches = if kernel.prefilter.is_some() { self.prefilter.row().switches } else { &[false] };
            filters.extend(switches.iter().map(|&prefilter| {
                Reconstruction::new(&Sampler { method, prefilter, path: self.path, ..Sampler::default() }, 1.0)
            }));
        }
        Ok(filters)
    }
}

/// The size of a drawing: `asked`, or the usual one.
///
/// # Errors
/// A side out of range.
pub(super) fn drawing_size(asked: Option<Size>) -> anyhow::Result<Size> {
    let size = asked.unwrap_or_else(Chart::usual_size);
    if size.sides().iter().any(|side| !SIDES.contains(side)) {
        let text = format!("a plot of {size} points: each side is from {} to {}", SIDES.start(), SIDES.end());
        return Err(Usage(text).into());
    }
    Ok(size)
}
