//! What a window opens with.

use std::path::{Path, PathBuf};

use crate::image::{self, Formula, Image};

/// Opens a file, or a formula as `synth:NAME:WxH`; the warnings say what a decoder had to mend.
///
/// # Errors
/// Where it is no image that can be read, or no formula.
pub(super) fn open(path: &Path) -> anyhow::Result<(Image, Vec<String>)> {
    if path == Path::new(image::BUILT_IN) {
        return Ok((image::embedded()?.image, Vec::new()));
    }
    match path.to_str().filter(|text| text.starts_with("synth:")) {
        None => {
            let opened = image::open(path)?;
            Ok((opened.image, opened.warnings))
        }
        Some(text) => {
            let formula: Formula = text.parse()?;
            let image = Image::new(text, vec![formula.page()]).ok_or_else(|| anyhow::anyhow!("{text} has no page"))?;
            Ok((image, Vec::new()))
        }
    }
}

/// Opens all that were named; warnings are logged.
///
/// # Errors
/// Where one of them cannot be opened.
pub(super) fn open_all(inputs: &[PathBuf]) -> anyhow::Result<Vec<Image>> {
    let open_one = |path: &PathBuf| {
        let (image, warnings) = open(path)?;
        warnings.iter().for_each(|warning| log::warn!("{warning}"));
        Ok(image)
    };
    inputs.iter().map(open_one).collect()
}
