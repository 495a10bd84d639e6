//! `lerpscope info`: the backends, and the properties of an image.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::window::way_to_screen;
use super::{input, stdout};
use crate::backend::{BACKENDS, BackendError, BackendKind, Estimate, RenderRequest};
use crate::filter::noise_of_page;
use crate::image::{Channels, Depth, Opened, Page};
use crate::text::number_text;
use crate::volume::{Volume, VolumeShape};

/// Options of `info`.
#[derive(Args, Debug)]
pub struct InfoOptions {
    /// Image: a file, - for standard input, or synth:NAME:WxH
    #[arg(value_name = "FILE")]
    input: Option<PathBuf>,
}

/// Prints one line for each backend, one on the path of a GPU's pixels to the screen, and two for each page: its facts and an
/// estimate of its noise.
///
/// # Errors
/// Errors of reading the image, and of standard output.
pub(super) fn run(options: &InfoOptions) -> anyhow::Result<()> {
    stdout::check()?;
    let opened = options.input.as_deref().map(input::read).transpose()?;
    stdout::write(|out| {
        let mut has_cuda = false;
        for row in &BACKENDS {
            match row.try_open() {
                Ok(mut backend) => {
                    has_cuda |= row.kind == BackendKind::Cuda;
                    writeln!(out, "{}: {}", row.name, backend.description())?;
                    if backend.gl().is_some() {
                        writeln!(out, "window: {}", way_to_screen(backend))?;
                    }
                }
                Err(BackendError::Unavailable { reason, .. }) => writeln!(out, "{}: missing: {reason}", row.name)?,
                Err(BackendError::Unusable { cause, .. }) => writeln!(out, "{}: cannot be used: {cause}", row.name)?,
                Err(error) => writeln!(out, "{}: {error}", row.name)?,
            }
        }
        if let Some(Opened { image, format, .. }) = opened {
            let count = image.pages().len();
            writeln!(out, "{}: {format}, {count} {}", image.name(), if count == 1 { "page" } else { "pages" })?;
            for (index, page) in image.pages().iter().enumerate() {
                if let Some(volume) = Volume::of(page) {
                    let VolumeShape { size: [x, y, z], times, spacing, .. } = *volume.shape();
                    let [dx, dy, dz] = spacing.map(number_text);
                    let (at, when) =
                        if times > 1 { (format!(", {times} times"), " at time 0") } else { (String::new(), "") };
                    writeln!(
                        out,
                        "volume: {x}×{y}×{z} samples, {dx}, {dy} and {dz} apart{at}; its middle axial slice{when}:"
                    )?;
                }
                writeln!(out, "page {}: {}", index + 1, facts(page))?;
                if let Some(noise) = noise_of_page(page) {
                    writeln!(out, "page {}: noise {noise:.2e} of white, estimated", index + 1)?;
                }
            }
            if let (true, Some(page)) = (has_cuda, image.pages().first()) {
                let estimate = Estimate::new(page, &RenderRequest::new(page.size()), rayon::current_num_threads());
                writeln!(out, "render --backend auto of page 1: {}: {estimate}", estimate.faster())?;
            }
        }
        Ok(())
    })
}

/// Size, channels, depth, and the range and mean of the numbers.
fn facts(page: &Page) -> String {
    let channels = match page.channels() {
        Channels::Grey => "grey",
        Channels::GreyAlpha => "grey with alpha",
        Channels::Rgb => "RGB",
        Channels::Rgba => "RGB with alpha",
    };
    let depth = match page.depth() {
        Depth::Integer { maxval } => format!("{} bit, maxval {maxval}", if maxval.get() < 256 { 8 } else { 16 }),
        Depth::Float => "float".to_owned(),
    };
    let samples = page.raster().samples();
    let numbers = || (0..samples.len()).map(|index| samples.number(index));
    let low = numbers().fold(f32::NAN, f32::min);
    let high = numbers().fold(f32::NAN, f32::max);
    let mean = numbers().map(f64::from).sum::<f64>() / samples.len() as f64;
    format!("{}, {channels}, {depth}, values {low} to {high}, mean {mean:.4}", page.size())
}
