//! `lerpscope lens`: the smoothness of an interpolated image as a picture or as numbers.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::input;
use super::options::{SamplerOptions, ViewOptions};
use super::output::Output;
use super::progress::watched;
use crate::backend::{Backend as _, CpuBackend, RenderRequest, page_at};
use crate::filter::{Chain, Filters, Step};
use crate::image::{Channels, Depth};
use crate::lab::field::{Field, LENSES, Lens, LensPicture, slope_range};

/// Options of `lens`.
#[derive(Args, Debug)]
#[command(after_help = "\
Derivatives are central differences of the values over 1/32 of a sample or a pixel, per sample; 1 is maxval. Files of integers
get the picture that the window shows: isolines lie over the values as grey. NPY files get the numbers: values, brightness of
the relief, |gradient|, Laplacian. Colours count by their luma.

Where linear interpolation creases, 16 pixels a sample:
  lerpscope lens relief photo.png -o relief.png --method linear --scale 1/16
The magnitude of the gradient as numbers:
  lerpscope lens gradient photo.png -o gradient.npy --method bspline --scale 1/8")]
pub struct LensOptions {
    /// What is shown
    #[arg(value_name = "LENS", value_parser = lens())]
    lens: Lens,
    /// Image: a file, - for standard input, synth:NAME:WxH, builtin:basilica, or builtin:sailboat
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// Output file, in the format of its extension; - writes PPM to standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    #[command(flatten)]
    view: ViewOptions,
    #[command(flatten)]
    sampler: SamplerOptions,
    /// Filter of the image before the interpolation, such as gaussian=1.5; may be repeated
    #[arg(long, value_name = "STEP", allow_hyphen_values = true, value_parser = str::parse::<Step>)]
    filter: Vec<Step>,
}

/// The names of the lenses.
fn lens() -> impl TypedValueParser<Value = Lens> {
    let names = PossibleValuesParser::new(LENSES.iter().map(|row| PossibleValue::new(row.name).help(row.help)));
    names.map(|name| Lens::by_name(&name).expect("a name of the rows"))
}

/// Renders and writes.
///
/// # Errors
/// Errors of the image, of the request and of the output.
pub(super) fn run(options: &LensOptions) -> anyhow::Result<()> {
    let output = Output::new(&options.output)?;
    let writes_numbers = output.depth(None, Depth::EIGHT) == Depth::Float;
    let written = if writes_numbers { (Channels::Grey, Depth::Float) } else { (Channels::Rgb, Depth::EIGHT) };
    output.check(written.0, written.1)?;
    let LensOptions { lens, view, sampler, .. } = options;
    let raster = watched(|work| {
        let image = input::read(&options.input)?.image;
        let page = page_at(&image, view.page)?;
        let page = &view.shown(page, &sampler.sampler());
        let request = RenderRequest {
            view: view.view(page.size())?,
            content: sampler.content(),
            sampler: sampler.sampler(),
            page: view.page,
            plane: view.plane(),
            component: view.component,
            filters: Filters { before: Chain(options.filter.clone()), after: Chain::default() },
            ..RenderRequest::new(view.size.unwrap_or(page.size()))
        };
        let mut backend = CpuBackend::new();
        backend.set_exec_options(work);
        let field = Field::new(&image, &request, &mut backend)?;
        let slope = slope_range(page);
        Ok(if writes_numbers {
            lens.numbers(&field, slope)
        } else {
            LensPicture::new(*lens, &field, slope, 1.0).over_values(&field)
        })
    })?;
    output.write(&raster)
}
