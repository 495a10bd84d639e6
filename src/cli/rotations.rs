//! `lerpscope rotations`: the errors of methods after repeated rotation.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;

use super::chart_output::ChartOutput;
use super::methods::{CommonSampling, Methods};
use super::progress::watched;
use super::{input, options, render, stdout};
use crate::arguments::{parse_number, parse_page};
use crate::backend::{Estimate, page_at};
use crate::lab::rotations::{RotationError, RotationReport, RotationTest, USUAL_TURNS};
use crate::measure;
use crate::plots::Chart;
use crate::sampling::Sampler;

/// Options of `rotations`.
#[derive(Args, Debug)]
#[command(after_help = "\
The central square of the image is turned N times by 360/N degrees, each time from the values of the turn before, in single
precision without clamping. Each turn is compared with the original at its angle, in a disc of three quarters of the inscribed
one: with the samples at multiples of 90 degrees, with the formula of a synthetic image, else with one turn by the
prefiltered B-spline of degree 5.

The published experiment on a photo:
  lerpscope rotations photo.png --methods nearest,linear,catmull-rom,bspline
The error over the turns as a drawing:
  lerpscope rotations synth:siemens-star:256x256 --turns 30 -o rotations.svg")]
pub struct RotationsOptions {
    /// Image: a file, -, or synth:NAME:WxH
    #[arg(value_name = "IN")]
    source: PathBuf,
    /// Number of turns of 360/N degrees, from 2 to 360
    #[arg(long, value_name = "N", default_value_t = USUAL_TURNS, allow_hyphen_values = true, value_parser = parse_number::<u32>)]
    turns: u32,
    /// Methods, separated by commas, with colons in their parameters; those with a prefilter come without and with it
    #[arg(long, value_name = "LIST", default_value = "all", value_parser = Methods::parse)]
    methods: Methods,
    /// Largest side of the square that is turned, in samples [default: the image's]
    #[arg(long, value_name = "SIDE", allow_hyphen_values = true, value_parser = parse_number::<u32>)]
    side: Option<u32>,
    /// Page of the file, from 1
    #[arg(long, value_name = "N", default_value = "1", allow_hyphen_values = true, value_parser = parse_page)]
    page: usize,
    #[command(flatten)]
    sampling: CommonSampling,
    /// Backend
    #[arg(long, value_name = "BACKEND", default_value = "auto", value_parser = options::backend())]
    backend: String,
    /// Print the errors after every turn as JSON
    #[arg(long, conflicts_with_all = ["csv", "output"])]
    json: bool,
    /// Print the errors after every turn as CSV
    #[arg(long, conflicts_with = "output")]
    csv: bool,
    /// Write the PSNR over the turns: .svg, .png or .csv; - prints CSV in place of the errors
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
}

/// Turns and prints or writes.
///
/// # Errors
/// Errors of the source, of the turns, of the backend, and of the output.
pub(super) fn run(options: &RotationsOptions) -> anyhow::Result<()> {
    let output = options.output.as_deref().map(ChartOutput::of);
    output.map_or_else(stdout::check, ChartOutput::check)?;
    let (test, name, report) = watched(|work| {
        let image = input::read(&options.source)?.image;
        let page = page_at(&image, options.page)?;
        let test = RotationTest::new(page, options.turns, options.side)?;
        let sampler = options.sampling.of(Sampler::default());
        let requests = measure::requests(&test.request(sampler, 1), &options.methods.served(options.sampling.path)?);
        for request in &requests {
            request.check(page)?;
        }
        let samplers: Vec<Sampler> = requests.iter().map(|request| request.sampler).collect();
        let mut backend = render::open(&options.backend, || {
            let turned = (0..test.turns()).flat_map(|_| requests.iter().map(|request| (page.as_ref(), request)));
            Estimate::of_all(turned, rayon::current_num_threads())
        })?;
        let mut report = RotationReport::new(&test, &samplers);
        let result = test.run(&mut *backend, &samplers, &work, &mut |turned| report.push(&turned));
        result.map_err(|error| match error {
            RotationError::Backend(error) => anyhow::Error::new(error),
            error => anyhow::Error::new(error),
        })?;
        Ok((test, image.name().to_owned(), report))
    })?;
    if let Some(output) = output {
        return output.write(&report.chart(), Chart::usual_size());
    }
    match (options.json, options.csv) {
        (true, _) => stdout::print(&report.to_json()?),
        (false, true) => {
            let csv = report.to_csv()?;
            stdout::write(|out| out.write_all(&csv))
        }
        (false, false) => stdout::print(&report.to_table(&test, &name)),
    }
}
