//! `lerpscope synth`: a synthetic image to a file.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::options;
use super::output::Output;
use crate::arguments::parse_size;
use crate::backend::{self, CpuBackend, PixelFormat, RenderRequest};
use crate::image::synth::SYNTHS;
use crate::image::{Depth, Formula, Image, Size, Synth};
use crate::memory::Memory;

/// Options of `synth`.
#[derive(Args, Debug)]
pub struct SynthOptions {
    /// Name of the image
    #[arg(value_name = "NAME", value_parser = synth())]
    synth: Synth,
    /// Size in samples
    #[arg(long, value_name = "WxH", allow_hyphen_values = true, value_parser = parse_size)]
    size: Size,
    /// Output file, in the format of its extension; - writes PGM, of a coloured image PPM, to standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Number type of the output [default: 8, and float for .npy]
    #[arg(long, value_name = "DEPTH", value_parser = options::depth())]
    depth: Option<Depth>,
}

fn synth() -> impl TypedValueParser<Value = Synth> {
    let values = SYNTHS.iter().map(|row| PossibleValue::new(row.name).help(row.help));
    PossibleValuesParser::new(values).try_map(|name| Synth::by_name(&name).ok_or("no such image"))
}

/// Runs the command.
///
/// # Errors
/// Errors of the size and of the output.
pub(super) fn run(options: &SynthOptions) -> anyhow::Result<()> {
    let output = Output::new(&options.output)?;
    let formula = Formula::new(options.synth, options.size)?;
    let depth = output.depth(options.depth, Depth::EIGHT);
    output.check(formula.channels(), depth)?;
    Memory::Machine.check(&formula.demand())?;
    let image = Image::of_page(formula.to_string(), formula.page());
    // The identity view rounds floats to integers as any other view does.
    let request = RenderRequest::new(options.size);
    let raster = backend::render(&mut CpuBackend::new(), &image, &request, PixelFormat::file(depth))?;
    output.write(&raster)
}
