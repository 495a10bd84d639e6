//! `lerpscope texture-error`: what the texture unit returns between two texels, and what that does to a picture.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::chart_output::ChartOutput;
use super::errors::Usage;
use super::plot::drawing_size;
use super::progress::watched;
use super::{input, options, stdout};
use crate::arguments::{parse_number, parse_page, parse_size};
use crate::backend::{self, page_at};
use crate::image::{BUILT_IN, Size};
use crate::lab::texture_error::{
    ErrorGain, Formats, Picture, ShownSteps, TEXEL_PAIRS, TEXTURE_VIEWS, TableOne, Texel, TexelPair, TexelRequest,
    TextureView,
};
use crate::plots::{Chart, PlotFormat};
use crate::sampling::{METHODS, Method, Sampler, SamplingPath};
use crate::text::shortened;

/// Options of `texture-error`.
#[derive(Args, Debug)]
#[command(after_help = "\
CUDA asks the texture unit itself, the CPU emulates its fixed-point weights; the output says which.

The staircase of a linear fetch beside the straight line:
  lerpscope texture-error staircase -o staircase.svg
The error of the cubic B-spline on the fly and from the look-up table, 256 times as large:
  lerpscope texture-error error --method bspline --gain 256 -o error.svg
Document 002's figure 4, and its table 1 on a photo and on noise:
  lerpscope texture-error formats
  lerpscope texture-error table photo.png")]
pub struct TextureErrorOptions {
    /// What to show
    #[arg(value_name = "VIEW", value_parser = view())]
    view: TextureView,
    /// Picture of the table, beside noise: a file, -, synth:NAME:WxH, builtin:basilica, or builtin:sailboat [default: builtin:basilica]
    #[arg(value_name = "IN")]
    input: Option<PathBuf>,
    /// Method of staircase and error: one that the texture unit interpolates
    #[arg(long, value_name = "METHOD", default_value = "linear", value_parser = method())]
    method: Method,
    /// Turn samples into B-spline coefficients first
    #[arg(long)]
    prefilter: bool,
    /// Factor of the errors in a drawing, from 1 to 4096
    #[arg(long, value_name = "N", default_value = "256", allow_hyphen_values = true, value_parser = parse_gain)]
    gain: ErrorGain,
    /// How many of the 256 steps between two texels a drawing shows, about the middle: 8, 16, 32, 64, 128 or 256
    #[arg(long, value_name = "N", default_value = "16", allow_hyphen_values = true, value_parser = parse_steps)]
    steps: ShownSteps,
    /// The two texels of formats
    #[arg(long, value_name = "PAIR", default_value = "document", value_parser = texels())]
    texels: TexelPair,
    /// Page of a file with several, from 1
    #[arg(long, value_name = "N", default_value = "1", allow_hyphen_values = true, value_parser = parse_page)]
    page: usize,
    /// Backend that is measured
    #[arg(long, value_name = "BACKEND", default_value = "auto", value_parser = options::backend())]
    backend: String,
    /// Size of the drawing in points; a PNG file has two pixels to a point [default: 960x540]
    #[arg(long, value_name = "WxH", allow_hyphen_values = true, value_parser = parse_size)]
    size: Option<Size>,
    /// Print the numbers as CSV
    #[arg(long, conflicts_with = "output")]
    csv: bool,
    /// Output file: .svg, .png or .csv; - prints CSV
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
}

fn view() -> impl TypedValueParser<Value = TextureView> {
    let values = TEXTURE_VIEWS.iter().map(|row| PossibleValue::new(row.name).help(row.help));
    PossibleValuesParser::new(values).try_map(|name| TextureView::by_name(&name).ok_or("no such view"))
}

fn texels() -> impl TypedValueParser<Value = TexelPair> {
    let values = TEXEL_PAIRS.iter().map(|row| PossibleValue::new(row.name).help(row.help));
    PossibleValuesParser::new(values).try_map(|name| TexelPair::by_name(&name).ok_or("no such pair"))
}

/// The methods that the texture unit serves.
fn method() -> impl TypedValueParser<Value = Method> {
    let served = METHODS.iter().filter(|row| row.method.kernel().paths.contains(&SamplingPath::Filtered));
    let values = served.map(|row| PossibleValue::new(row.name).aliases(row.aliases).help(row.help));
    PossibleValuesParser::new(values).try_map(|name| Method::by_name(&name).ok_or("no such method"))
}

fn parse_gain(text: &str) -> Result<ErrorGain, String> {
    let gain = parse_number::<u16>(text).ok().and_then(ErrorGain::new);
    let (least, most) = ErrorGain::RANGE;
    gain.ok_or_else(|| format!("'{}' is no gain: a whole number from {least} to {most}", shortened(text)))
}

fn parse_steps(text: &str) -> Result<ShownSteps, String> {
    let steps = parse_number::<u16>(text).ok().and_then(ShownSteps::new);
    let choices = ShownSteps::CHOICES.map(|steps| steps.to_string());
    steps.ok_or_else(|| format!("'{}' is no number of steps: {}", shortened(text), choices.join(", ")))
}

/// What a view prints and draws.
struct Shown {
    text: String,
    /// Numbers for `--csv` where they are not those of the chart.
    csv: Option<Vec<u8>>,
    chart: Chart,
}

/// Measures and prints or writes.
///
/// # Errors
/// A picture for another view than the table, errors of the picture, of the backend, and of writing.
pub(super) fn run(options: &TextureErrorOptions) -> anyhow::Result<()> {
    let output = options.output.as_deref().map(ChartOutput::of);
    output.map_or_else(stdout::check, ChartOutput::check)?;
    let size = drawing_size(options.size)?;
    if options.view != TextureView::TableOne && options.input.is_some() {
        return Err(Usage(format!("'{}' takes no picture: its texels are fixed", options.view)).into());
    }
    let shown = options.shown()?;
    if let Some(output) = output {
        return output.write(&shown.chart, size);
    }
    if options.csv {
        let csv = shown.csv.map_or_else(|| shown.chart.to_bytes(PlotFormat::Csv, size), Ok)?;
        return stdout::write(|out| out.write_all(&csv));
    }
    stdout::print(&shown.text)
}

impl TextureErrorOptions {
    fn shown(&self) -> anyhow::Result<Shown> {
        // The values of a texture unit are the point: a device is opened although there is little work.
        let open = || backend::open(&self.backend);
        match self.view {
            TextureView::Staircase | TextureView::Error => {
                let Self { method, prefilter, .. } = *self;
                let request = TexelRequest::of(&Sampler { method, prefilter, ..Sampler::default() });
                let texel = Texel::measure(request, &mut *open()?)?;
                let chart = if self.view == TextureView::Error {
                    texel.error(self.gain, self.steps)
                } else {
                    texel.staircase(self.steps)
                };
                Ok(Shown { text: texel.to_table(), csv: None, chart })
            }
            TextureView::Formats => {
                let formats = Formats::measure(self.texels, &mut *open()?)?;
                Ok(Shown { text: formats.to_table(), csv: None, chart: formats.chart(self.steps) })
            }
            TextureView::TableOne => {
                let table = watched(|work| {
                    let image = input::read(self.input.as_deref().unwrap_or(Path::new(BUILT_IN)))?.image;
                    let page = Arc::clone(page_at(&image, self.page)?);
                    let picture = Picture { name: image.name().to_owned(), page };
                    let pictures: Vec<Picture> = std::iter::once(picture).chain(Picture::noise()).collect();
                    Ok(TableOne::measure(&pictures, &mut *open()?, &work)?)
                })?;
                Ok(Shown { text: table.to_table(), csv: Some(table.to_csv()?), chart: table.chart() })
            }
        }
    }
}
