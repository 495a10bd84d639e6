//! `lerpscope identify`: the kernel of a picture that another program resampled.

use std::path::{Path, PathBuf};

use clap::Args;

use super::chart_output::ChartOutput;
use super::errors::Usage;
use super::progress::watched;
use super::{input, stdout};
use crate::arguments::{parse_number, parse_page};
use crate::backend::RequestError;
use crate::image::Page;
use crate::lab::identify::{IdentifyError, Scale, identify};
use crate::plots::Chart;
use crate::text::one_line;

/// Options of `identify`.
#[derive(Args, Debug)]
#[command(after_help = "\
Source and output show the same picture; the scale follows from their sizes. Kernels, positions of pixels, antialiasing,
edges and rounding are tried, and parameters are fitted; the best is named, with the programs that resample so. Of colours
the channel with the largest contrast is compared.

What made a thumbnail:
  lerpscope identify photo.png thumbnail.png
The same for a script:
  lerpscope identify photo.png thumbnail.png --json")]
pub struct IdentifyOptions {
    /// The picture that was resampled: a file, - for standard input, or synth:NAME:WxH
    #[arg(value_name = "SOURCE")]
    source: PathBuf,
    /// The picture that was made from it
    #[arg(value_name = "OUTPUT")]
    output_picture: PathBuf,
    /// Samples per pixel [default: the quotients of the sizes]
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = parse_number::<f64>)]
    scale: Option<f64>,
    /// Page of both files, from 1
    #[arg(long, value_name = "N", default_value = "1", allow_hyphen_values = true, value_parser = parse_page)]
    page: usize,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
    /// Plot of the recovered kernel over the named ones: .svg, .png or .csv; - prints CSV in place of the report
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
}

/// Identifies and prints.
///
/// # Errors
/// Errors of the pictures, pictures that do not fit each other, and errors of standard output.
pub(super) fn run(options: &IdentifyOptions) -> anyhow::Result<()> {
    stdout::check()?;
    let output = options.output.as_deref().map(ChartOutput::of);
    output.map_or(Ok(()), ChartOutput::check)?;
    if options.json && output == Some(ChartOutput::Stdout) {
        return Err(Usage("--json and -o - both print: give -o a file".to_owned()).into());
    }
    if [&options.source, &options.output_picture].iter().all(|file| *file == Path::new("-")) {
        return Err(Usage("standard input is one picture: give a file for the other".to_owned()).into());
    }
    let found = watched(|work| {
        let [source, output] = [options.page(&options.source)?, options.page(&options.output_picture)?];
        let scale = options.scale.map_or(Scale::FromSizes, Scale::Given);
        identify(&source, &output, scale, &work).map_err(|error| match error {
            IdentifyError::Scale(_) => Usage(error.to_string()).into(),
            IdentifyError::Memory(error) => error.into(),
            error => {
                let files =
                    [&options.source, &options.output_picture].map(|file| one_line(&file.display().to_string()));
                anyhow::Error::new(error).context(files.join(" and "))
            }
        })
    })?;
    if let Some(output) = output {
        output.write(&found.chart(), Chart::usual_size())?;
    }
    if output == Some(ChartOutput::Stdout) {
        return Ok(());
    }
    stdout::print(&if options.json { found.to_json()? } else { found.to_text() })
}

impl IdentifyOptions {
    fn page(&self, file: &Path) -> anyhow::Result<std::sync::Arc<Page>> {
        let image = input::read(file)?.image;
        let count = image.pages().len();
        let page = image.pages().get(self.page).cloned();
        page.ok_or_else(|| RequestError::Page { page: self.page, count }.into())
    }
}
