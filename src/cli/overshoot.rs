//! `lerpscope overshoot`: by how much methods leave the range of their samples.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;

use super::chart_output::ChartOutput;
use super::errors::Usage;
use super::methods::{CommonSampling, Methods};
use super::progress::watched;
use super::{input, stdout};
use crate::arguments::{parse_number, parse_page, parse_pair, parse_scales, parse_size};
use crate::backend::{RenderRequest, page_at};
use crate::filter::{Chain, Filters, Step};
use crate::image::Size;
use crate::lab::field::Overshoot;
use crate::lab::pairs::UpKernel;
use crate::plots::Chart;
use crate::sampling::Sampler;
use crate::view::View;

/// Options of `overshoot`.
#[derive(Args, Debug)]
#[command(after_help = "\
A value overshoots where it leaves the range of the samples in its kernel's main lobe: those nearer than the kernel's first
zero, 2x2 of interpolating kernels. The range is the one that --antiring draws values into. Distances are parts of maxval.

Which methods ring on a photo, at 4 pixels a sample:
  lerpscope overshoot photo.png
What half of the antiringing leaves, as a drawing:
  lerpscope overshoot photo.png --methods catmull-rom,lanczos3 --antiring 0.5 -o overshoot.svg")]
pub struct OvershootOptions {
    /// Image: a file, - for standard input, synth:NAME:WxH, builtin:basilica, or builtin:sailboat
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// Methods, separated by commas, with colons in their parameters; those with a prefilter come without and with it
    #[arg(long, value_name = "LIST", default_value = "all", value_parser = Methods::parse)]
    methods: Methods,
    /// Translation of the view in samples
    #[arg(long, value_name = "X,Y", default_value = "0,0", allow_hyphen_values = true)]
    #[arg(value_parser = |text: &str| parse_pair::<f64>(text, ','))]
    translate: [f64; 2],
    /// Scale in samples per output pixel: at 1 pixels are on samples, which interpolating kernels keep
    #[arg(long, value_name = "X[,Y]", default_value = "1/4", allow_hyphen_values = true)]
    #[arg(value_parser = |text: &str| parse_scales(text, ','))]
    scale: [f64; 2],
    /// Angle of the view, counter-clockwise
    #[arg(long, value_name = "DEGREES", default_value = "0", allow_hyphen_values = true, value_parser = parse_number::<f64>)]
    rotate: f64,
    /// Size of the output in pixels [default: the image's]
    #[arg(long, value_name = "WxH", allow_hyphen_values = true, value_parser = parse_size)]
    size: Option<Size>,
    /// Page of the file, from 1
    #[arg(long, value_name = "N", default_value = "1", allow_hyphen_values = true, value_parser = parse_page)]
    page: usize,
    #[command(flatten)]
    sampling: CommonSampling,
    /// Widen the kernel by the scale when zoomed out
    #[arg(long)]
    antialias: bool,
    /// Strength of the antiringing, 0 to 1: the overshoot that it leaves is measured
    #[arg(long, value_name = "A", default_value = "0", allow_hyphen_values = true, value_parser = parse_number::<f64>)]
    antiring: f64,
    /// Filter of the image before the interpolation, such as gaussian=1.5; may be repeated
    #[arg(long, value_name = "STEP", allow_hyphen_values = true, value_parser = str::parse::<Step>)]
    filter: Vec<Step>,
    /// Print the counts as JSON
    #[arg(long, conflicts_with_all = ["csv", "output"])]
    json: bool,
    /// Print the counts as CSV
    #[arg(long, conflicts_with = "output")]
    csv: bool,
    /// Write the share of the pixels beyond each distance: .svg, .png or .csv; - prints CSV in place of the counts
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
}

impl OvershootOptions {
    /// The requests, method by method, for a page of size `page`.
    ///
    /// # Errors
    /// A view out of range, and a path that serves none of the methods.
    fn requests(&self, page: Size) -> Result<Vec<RenderRequest>, Usage> {
        let view =
            View::default().translated(self.translate).and_then(|view| view.scaled(self.scale)?.rotated(self.rotate));
        let view = view.map_err(|error| Usage(error.to_string()))?;
        let Self { sampling, antialias, antiring: antiringing, .. } = *self;
        let filters = Filters { before: Chain(self.filter.clone()), after: Chain::default() };
        let request = |kernel: UpKernel| RenderRequest {
            view,
            sampler: Sampler { antialias, antiringing, ..sampling.of(kernel.sampler()) },
            page: self.page,
            filters: filters.clone(),
            ..RenderRequest::new(self.size.unwrap_or(page))
        };
        Ok(UpKernel::all(&self.methods.served(sampling.path)?).into_iter().map(request).collect())
    }
}

/// Measures and prints.
///
/// # Errors
/// Errors of the image and of the requests, and errors of writing.
pub(super) fn run(options: &OvershootOptions) -> anyhow::Result<()> {
    let output = options.output.as_deref().map(ChartOutput::of);
    output.map_or_else(stdout::check, ChartOutput::check)?;
    let counted = watched(|work| {
        let image = input::read(&options.input)?.image;
        let page = page_at(&image, options.page)?;
        let requests = options.requests(page.size())?;
        for request in &requests {
            request.check(page)?;
        }
        let counted = requests.iter().map(|request| Ok(Overshoot::of(&image, request, &work)?));
        counted.collect::<anyhow::Result<Vec<Overshoot>>>()
    })?;
    if let Some(output) = output {
        return output.write(&Overshoot::chart(&counted), Chart::usual_size());
    }
    if options.csv {
        let csv = Overshoot::to_csv(&counted)?;
        return stdout::write(|out| out.write_all(&csv));
    }
    stdout::print(&if options.json { Overshoot::to_json(&counted)? } else { Overshoot::to_table(&counted) })
}
