//! `lerpscope pairs`: what is lost when an image is made smaller by one kernel and larger by another.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::chart_output::ChartOutput;
use super::methods::Methods;
use super::progress::watched;
use super::{input, stdout};
use crate::arguments::parse_page;
use crate::backend::page_at;
use crate::lab::pairs::{PAIR_MEASURES, PairError, PairMeasure, PairRequest, UpKernel, measure};
use crate::plots::Chart;

/// Options of `pairs`.
#[derive(Args, Debug)]
#[command(after_help = "\
Every kernel reduces, widened by N, and every kernel enlarges back; rows of the table reduce, columns enlarge. Errors are
those of measure --decimate: the peak is 1, and pixels beyond the outermost samples do not count.

Which pair keeps most of a photo at half its size:
  lerpscope pairs photo.png --factor 2 --methods linear,catmull-rom,lanczos3")]
pub struct PairsOptions {
    /// The image: a file, - for standard input, or synth:NAME:WxH
    #[arg(value_name = "IMAGE")]
    image: PathBuf,
    /// Make the image smaller by N along both axes, and larger again
    #[arg(long, value_name = "N", default_value = "2")]
    factor: u32,
    /// Methods, separated by commas, with colons in their parameters; those with a prefilter enlarge without and with it
    #[arg(long, value_name = "LIST", default_value = "all", value_parser = Methods::parse)]
    methods: Methods,
    /// What the table and the plot show
    #[arg(long, value_name = "MEASURE", default_value = "psnr", value_parser = pair_measure())]
    measure: PairMeasure,
    /// Page of a file with several, from 1
    #[arg(long, value_name = "N", default_value = "1", allow_hyphen_values = true, value_parser = parse_page)]
    page: usize,
    /// Kernels of the best pairs first, by the measure of the table
    #[arg(long)]
    sort: bool,
    /// Print all pairs with all measures as JSON
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print all pairs with all measures as CSV
    #[arg(long)]
    csv: bool,
    /// Plot: .svg or .png, or the numbers of the plot: .csv; - prints CSV in place of the table
    #[arg(short, long, value_name = "OUT", conflicts_with_all = ["json", "csv"])]
    output: Option<PathBuf>,
}

fn pair_measure() -> impl TypedValueParser<Value = PairMeasure> {
    let values = PAIR_MEASURES.iter().map(|row| PossibleValue::new(row.name).help(row.help));
    PossibleValuesParser::new(values).try_map(|name| PairMeasure::by_name(&name).ok_or("no such measure"))
}

/// Measures and prints.
///
/// # Errors
/// Errors of the image, a factor that does not fit, and errors of standard output.
pub(super) fn run(options: &PairsOptions) -> anyhow::Result<()> {
    stdout::check()?;
    let output = options.output.as_deref().map(ChartOutput::of);
    output.map_or(Ok(()), ChartOutput::check)?;
    let matrix = watched(|work| {
        let image = input::read(&options.image)?.image;
        let page = page_at(&image, options.page)?;
        let downs = options.methods.0.clone();
        let request = PairRequest { factor: options.factor, ups: UpKernel::all(&downs), downs };
        measure(page, &request, &work).map_err(|error| match error {
            PairError::Decimate(error) => anyhow::Error::new(error),
            PairError::Backend(error) => anyhow::Error::new(error),
            PairError::Compare(error) => anyhow::Error::new(error),
        })
    })?;
    let matrix = if options.sort { matrix.sorted(options.measure) } else { matrix };
    if options.json {
        return stdout::print(&matrix.to_json()?);
    }
    if options.csv {
        let csv = matrix.to_csv()?;
        return stdout::write(|out| out.write_all(&csv));
    }
    if let Some(output) = output {
        output.write(&matrix.chart(options.measure), Chart::usual_size())?;
    }
    if output == Some(ChartOutput::Stdout) {
        return Ok(());
    }
    stdout::print(&matrix.to_table(options.measure))
}
