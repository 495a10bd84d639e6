//! Sources of images: a file, standard input, or a formula.

use std::io;
use std::path::Path;

use super::failure::say;
use crate::image::{self, Opened};
use crate::volume::open_source;

/// Reads the image named IN: `-` for standard input, `synth:NAME:WxH`, the built-in image, a volume,
/// or a file. Warnings go to
/// standard error.
///
/// # Errors
/// Errors of opening the image.
pub(super) fn read(input: &Path) -> anyhow::Result<Opened> {
    let opened = if input == Path::new("-") {
        image::read_from("standard input", &mut io::stdin().lock())?
    } else {
        open_source(input)?
    };
    opened.warnings.iter().for_each(|warning| say(&format!("warning: {warning}")));
    Ok(opened)
}
