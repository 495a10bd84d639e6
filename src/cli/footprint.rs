//! `lerpscope footprint`: the arithmetic of one output pixel.

use std::path::PathBuf;

use clap::Args;

use super::chart_output::ChartOutput;
use super::errors::Usage;
use super::options::{DisplayOptions, FilterOptions, SamplerOptions, ViewOptions};
use super::progress::watched;
use super::render::{RequestOptions, explained};
use super::{input, stdout};
use crate::backend::{BackendError, PreparedCache, RenderRequest, page_at, page_of, page_to_subtract, prepared_demand};
use crate::filter::ExecOptions;
use crate::image::Image;
use crate::lab::footprint::{Explained, Footprint, Notation, Shown};
use crate::memory::Memory;
use crate::plots::Chart;
use crate::text::shortened;

/// Options of `footprint`.
#[derive(Args, Debug)]
#[command(after_help = "\
Values are in the file's own numbers. Colours are premultiplied by alpha, as they are interpolated.

Sixteen samples of one pixel:
  lerpscope footprint in.pgm --pixel 300,200 --method catmull-rom --translate 100,100 --scale 1/8
The four fetches of the texture unit:
  lerpscope footprint in.pgm --pixel 300,200 --method bspline --path filtered --scale 1/8
The kernel with the weights on it:
  lerpscope footprint in.pgm --pixel 300,200 --method lanczos3 --scale 1/8 -o weights.svg")]
pub struct FootprintOptions {
    /// Image: a file, - for standard input, synth:NAME:WxH, builtin:basilica, or builtin:sailboat
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// Output pixel: its column and its row, from 0
    #[arg(long, value_name = "I,J", allow_hyphen_values = true, value_parser = parse_pixel)]
    pixel: [u32; 2],
    /// Print JSON
    #[arg(long, conflicts_with = "output")]
    json: bool,
    /// Write the weights as a chart: .svg, .png or .csv; - prints CSV
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    #[command(flatten)]
    view: ViewOptions,
    #[command(flatten)]
    sampler: SamplerOptions,
    #[command(flatten)]
    filters: FilterOptions,
    #[command(flatten)]
    display: DisplayOptions,
}

/// Two whole numbers.
fn parse_pixel(text: &str) -> Result<[u32; 2], String> {
    let parsed = text.split_once(',').and_then(|(i, j)| Some([i.parse().ok()?, j.parse().ok()?]));
    parsed.ok_or_else(|| format!("'{}' is no pixel: a column and a row, as in 12,7", shortened(text)))
}

/// Computes and prints.
///
/// # Errors
/// Errors of the image and of the request, a pixel outside the output, and errors of writing.
pub(super) fn run(options: &FootprintOptions) -> anyhow::Result<()> {
    let output = options.output.as_deref().map(ChartOutput::of);
    output.map_or_else(stdout::check, ChartOutput::check)?;
    let image = input::read(&options.input)?.image;
    let page = page_at(&image, options.view.page)?;
    let page = &options.view.shown(page, &options.sampler.sampler());
    let FootprintOptions { view, sampler, filters, display, .. } = options;
    let request = RequestOptions { view, sampler, filters, display }.request(page.size()).map_err(explained)?;
    request.check(page)?;
    let [i, j] = options.pixel;
    if i >= request.size.width() || j >= request.size.height() {
        return Err(Usage(format!("pixel {i},{j} is outside the output of {} pixels", request.size)).into());
    }
    let (footprint, subtracted) = watched(|work| {
        let footprint = footprint_of(&image, &request, options.pixel, &work)?;
        let subtracted = match &request.subtract {
            Some(other) => {
                page_to_subtract(&image, page, other)?;
                Some(footprint_of(&image, other, options.pixel, &work)?)
            }
            None => None,
        };
        Ok((footprint, subtracted))
    })?;
    if let Some(output) = output {
        return output.write(&footprint.chart(), Chart::usual_size());
    }
    let maxval = page.maxval();
    let subtracted = subtracted.as_ref().map(|other| other.total.as_slice());
    let shown_maxval = if maxval == 1 { u8::MAX.into() } else { maxval };
    let shown = Shown::new((&footprint.total, subtracted), footprint.channels, &request.display, shown_maxval);
    let shown = request.shows_sums().then_some(&shown);
    let notation = Notation::new(f64::from(maxval));
    let explained = Explained { footprint: &footprint, request: &request, page: page.size(), shown, notation };
    stdout::print(&if options.json {
        serde_json::to_string_pretty(&explained.to_json())? + "\n"
    } else {
        explained.to_text()
    })
}

/// The footprint of one request.
fn footprint_of(
    image: &Image,
    request: &RenderRequest,
    pixel: [u32; 2],
    work: &ExecOptions,
) -> anyhow::Result<Footprint> {
    let page = &page_of(image, request)?;
    Memory::Machine.check(&prepared_demand(page, request))?;
    let prepared = PreparedCache::default().get_by(page, request, work).ok_or(BackendError::Cancelled)?;
    Ok(Footprint::new(&prepared, page, request, pixel.map(i64::from))?)
}
