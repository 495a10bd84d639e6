//! `lerpscope measure`: the errors of methods against the truth of a view.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::chart_output::ChartOutput;
use super::errors::Usage;
use super::methods::{CommonSampling, Methods};
use super::options::{self, ViewOptions};
use super::progress::watched;
use super::{input, render, stdout};
use crate::arguments::{parse_number, parse_size};
use crate::backend::{Estimate, RenderRequest, page_at, page_of};
use crate::filter::ExecOptions;
use crate::image::{Formula, Image, Size, Synth};
use crate::measure::{self, MeasureError, Subject};
use crate::memory::Memory;
use crate::plots::Chart;
use crate::quality::{DECIMATIONS, DecimateError, Decimated, Decimation};
use crate::sampling::Sampler;

/// Options of `measure`.
#[derive(Args, Debug)]
#[command(after_help = "\
The truth of a formula is its value at each pixel's position; with --antialias and a scale above 1 its mean over the pixel.
The truth of a decimated image is the original: the view then has one pixel on each of its samples.
Values are not clamped, the peak is 1, and pixels beyond the outermost samples do not count. Alpha is ignored.

Every method on the zone plate, enlarged 8 times:
  lerpscope measure --source zone-plate --samples 256x256 --scale 1/8
The same, and quality against cost as a drawing:
  lerpscope measure --source zone-plate --scale 1/8 -o quality.svg
Three methods on a photo, a quarter of its size:
  lerpscope measure --source photo.png --decimate 4 --methods linear,cubic=0:0.75,lanczos3 --csv")]
pub struct MeasureOptions {
    /// Name of a synthetic image, synth:NAME:WxH, or with --decimate any image
    #[arg(long, value_name = "SOURCE")]
    source: PathBuf,
    /// Size in samples of a synthetic image that is given by its name [default: 256x256]
    #[arg(long, value_name = "WxH", allow_hyphen_values = true, value_parser = parse_size)]
    samples: Option<Size>,
    /// Make the image smaller by N along both axes; its original is the truth
    #[arg(long, value_name = "N", conflicts_with_all = ["translate", "scale", "rotate", "size"])]
    decimate: Option<u32>,
    /// Filter of --decimate
    #[arg(long, value_name = "NAME", default_value = "box", requires = "decimate", value_parser = decimation())]
    decimate_filter: Decimation,
    /// Methods, separated by commas, with colons in their parameters; those with a prefilter come without and with it
    #[arg(long, value_name = "LIST", default_value = "all", value_parser = Methods::parse)]
    methods: Methods,
    #[command(flatten)]
    sampling: CommonSampling,
    /// Widen the kernel by the scale when zoomed out
    #[arg(long)]
    antialias: bool,
    /// Widen the kernel by a further factor, with --antialias
    #[arg(long, value_name = "B", default_value = "1", allow_hyphen_values = true, value_parser = parse_number::<f64>)]
    blur: f64,
    /// Backend
    #[arg(long, value_name = "BACKEND", default_value = "auto", value_parser = options::backend())]
    backend: String,
    /// Draw quality against cost: .svg, .png or .csv; - prints CSV in place of the rows
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Print the rows as JSON
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print the rows as CSV
    #[arg(long)]
    csv: bool,
    #[command(flatten)]
    view: ViewOptions,
}

fn decimation() -> impl TypedValueParser<Value = Decimation> {
    let values = DECIMATIONS.iter().map(|row| PossibleValue::new(row.name).help(row.help));
    PossibleValuesParser::new(values).try_map(|name| Decimation::by_name(&name).ok_or("no such filter"))
}

/// Measures and prints.
///
/// # Errors
/// Errors of the source, of the view, of the backend, and of standard output.
pub(super) fn run(options: &MeasureOptions) -> anyhow::Result<()> {
    stdout::check()?;
    let output = options.output.as_deref().map(ChartOutput::of);
    output.map_or(Ok(()), ChartOutput::check)?;
    let (subject, report) = watched(|work| {
        let subject = options.subject(&work)?;
        let requests = measure::requests(&subject.request, &options.methods.served(options.sampling.path)?);
        let page = page_of(&subject.image, &subject.request)?;
        let mut backend = render::open(&options.backend, || {
            Estimate::of_all(requests.iter().map(|request| (page.as_ref(), request)), rayon::current_num_threads())
        })?;
        let report = measure::run(&mut *backend, &subject, &requests, &work).map_err(|error| match error {
            MeasureError::Backend(error) => anyhow::Error::new(error),
            MeasureError::Compare(error) => anyhow::Error::new(error),
        })?;
        Ok((subject, report))
    })?;
    if let Some(output) = output {
        output.write(&report.chart(&subject), Chart::usual_size())?;
    }
    if output == Some(ChartOutput::Stdout) {
        return Ok(());
    }
    match (options.json, options.csv) {
        (true, _) => stdout::print(&report.to_json()?),
        (false, true) => {
            let csv = report.to_csv()?;
            stdout::write(|out| std::io::Write::write_all(out, &csv))
        }
        (false, false) => stdout::print(&report.to_table(&subject)),
    }
}

impl MeasureOptions {
    /// The image, the view and the truth.
    fn subject(&self, work: &ExecOptions) -> anyhow::Result<Subject> {
        let image = self.image()?;
        let page = page_at(&image, self.view.page)?;
        let Self { antialias, blur, .. } = *self;
        let sampler = Sampler { antialias, blur, ..self.sampling.of(Sampler::default()) };
        let page = &self.view.shown(page, &sampler);
        if let Some(factor) = self.decimate {
            let decimated = Decimated::new(page, factor, self.decimate_filter, work);
            let Decimated { page: small, original, view } = decimated.map_err(|error| match error {
                DecimateError::Backend(error) => anyhow::Error::new(error),
                error @ (DecimateError::Factor { .. } | DecimateError::View(_)) => anyhow::Error::new(error),
            })?;
            let filter = self.decimate_filter;
            let name = format!("{} decimated by {factor} ({filter})", image.name());
            let request = RenderRequest { view, sampler, ..RenderRequest::new(original) };
            return Ok(Subject { image: Image::of_page(name, small), request });
        }
        if page.truth().is_none() {
            let name = image.name();
            return Err(Usage(format!("{name} has no formula: --decimate N makes the image its own truth")).into());
        }
        let size = self.view.size.unwrap_or(page.size());
        let (view, warp) = (self.view.view(page.size())?, self.view.warp.clone());
        let request = RenderRequest {
            view,
            warp,
            page: self.view.page,
            plane: self.view.plane(),
            component: self.view.component,
            sampler,
            ..RenderRequest::new(size)
        };
        Ok(Subject { image, request })
    }

    /// The image: a synthetic one by its name, or any source.
    fn image(&self) -> anyhow::Result<Image> {
        let Some(synth) = self.source.to_str().and_then(Synth::by_name) else {
            if self.samples.is_some() {
                let text = "--samples is the size of a synthetic image that --source names; it has no effect on others";
                return Err(Usage(text.to_owned()).into());
            }
            return Ok(input::read(&self.source)?.image);
        };
        let usual = Size::new(256, 256)?;
        let formula = Formula::new(synth, self.samples.unwrap_or(usual))?;
        Memory::Machine.check(&formula.demand())?;
        Ok(Image::of_page(formula.to_string(), formula.page()))
    }
}
