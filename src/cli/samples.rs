//! `lerpscope samples`: which samples methods keep.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;

use super::chart_output::ChartOutput;
use super::methods::{CommonSampling, Methods};
use super::progress::watched;
use super::{input, stdout};
use crate::arguments::parse_page;
use crate::backend::page_at;
use crate::filter::{Chain, Step};
use crate::lab::field::{SampleDifference, SampleReport};
use crate::lab::pairs::UpKernel;
use crate::plots::Chart;

/// Options of `samples`.
#[derive(Args, Debug)]
#[command(after_help = "\
A sample is kept where the interpolation at its place equals it to 1e-5; 1 is maxval. Kernels that are 1 at their sample and 0
at the others keep all of them; B-splines from degree 2 on need their prefilter.

Which methods keep the samples of a photo:
  lerpscope samples photo.png
How far the others are from them, as a drawing:
  lerpscope samples photo.png --methods bspline,mitchell,gaussian=0.5 -o errors.svg
The samples that a method does not keep, with their errors:
  lerpscope samples photo.png --methods mitchell --list")]
pub struct SamplesOptions {
    /// Image: a file, - for standard input, synth:NAME:WxH, builtin:basilica, or builtin:sailboat
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// Methods, separated by commas, with colons in their parameters; those with a prefilter come without and with it
    #[arg(long, value_name = "LIST", default_value = "all", value_parser = Methods::parse)]
    methods: Methods,
    /// Page of the file, from 1
    #[arg(long, value_name = "N", default_value = "1", allow_hyphen_values = true, value_parser = parse_page)]
    page: usize,
    #[command(flatten)]
    sampling: CommonSampling,
    /// Filter of the image before the interpolation, such as gaussian=1.5; may be repeated
    #[arg(long, value_name = "STEP", allow_hyphen_values = true, value_parser = str::parse::<Step>)]
    filter: Vec<Step>,
    /// Print the counts as JSON
    #[arg(long, conflicts_with_all = ["csv", "list", "output"])]
    json: bool,
    /// Print the counts as CSV
    #[arg(long, conflicts_with_all = ["list", "output"])]
    csv: bool,
    /// Print each sample that is not kept as CSV
    #[arg(long, conflicts_with = "output")]
    list: bool,
    /// Write the share of the samples beyond each error: .svg, .png or .csv; - prints CSV in place of the counts
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
}

/// Compares and prints.
///
/// # Errors
/// Errors of the image and of the requests, and errors of writing.
pub(super) fn run(options: &SamplesOptions) -> anyhow::Result<()> {
    let output = options.output.as_deref().map(ChartOutput::of);
    output.map_or_else(stdout::check, ChartOutput::check)?;
    let mut list = csv::Writer::from_writer(Vec::new());
    if options.list {
        list.write_record(["method", "prefilter", "x", "y", "channel", "sample", "value", "error"])?;
    }
    let reports = watched(|work| {
        let image = input::read(&options.input)?.image;
        page_at(&image, options.page)?;
        let before = Chain(options.filter.clone());
        let mut reports = Vec::new();
        for kernel in UpKernel::all(&options.methods.served(options.sampling.path)?) {
            let sampler = options.sampling.of(kernel.sampler());
            let mut written = Ok(());
            let mut visit = |sample: SampleDifference| {
                if options.list && !sample.is_kept() && written.is_ok() {
                    let SampleDifference { at: [x, y], channel, sample: number, value } = sample;
                    let method = sampler.method.to_string();
                    written = list.serialize((method, kernel.prefilter, x, y, channel, number, value, sample.error()));
                }
            };
            reports.push(SampleReport::new(&image, (options.page, &before), sampler, &work, &mut visit)?);
            written?;
        }
        Ok(reports)
    })?;
    if let Some(output) = output {
        return output.write(&SampleReport::chart(&reports), Chart::usual_size());
    }
    if options.list {
        let csv = list.into_inner().map_err(|error| csv::Error::from(error.into_error()))?;
        return stdout::write(|out| out.write_all(&csv));
    }
    if options.csv {
        let csv = SampleReport::to_csv(&reports)?;
        return stdout::write(|out| out.write_all(&csv));
    }
    stdout::print(&if options.json { SampleReport::to_json(&reports)? } else { SampleReport::to_table(&reports) })
}
