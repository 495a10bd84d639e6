//! Where pictures come from: a file, standard input, or a formula.

use std::io;
use std::path::Path;

use super::failure::say;
use crate::image::{self, Formula, Image, Opened};

/// Reads the picture that IN names: `-` for standard input, `synth:NAME:WxH`, the built-in one, or a file. Warnings go to standard error.
///
/// # Errors
/// Where it cannot be read, or the formula is none.
pub(super) fn read(input: &Path) -> anyhow::Result<Opened> {
    if let Some(formula) = input.to_str().filter(|text| text.starts_with("synth:")) {
        let formula: Formula = formula.parse()?;
        let image = Image::new(formula.to_string(), vec![formula.page()]);
        let image = image.ok_or_else(|| anyhow::anyhow!("{formula} has no page"))?;
        return Ok(Opened { image, format: "formula", warnings: Vec::new() });
    }
    let opened = if input == Path::new(image::BUILT_IN) {
        image::embedded()?
    } else if input == Path::new("-") {
        image::read_from("standard input", &mut io::stdin().lock())?
    } else {
        image::open(input)?
    };
    opened.warnings.iter().for_each(|warning| say(&format!("warning: {warning}")));
    Ok(opened)
}
