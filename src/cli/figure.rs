//! `lerpscope figure`: several pictures on one sheet, each below its label.

use std::path::{Path, PathBuf};

use clap::Args;

use super::errors::Usage;
use super::input;
use super::output::Output;
use crate::figure::{Figure, FigureBar, FigureCell, WipeLine, wiped};
use crate::image::{Raster, Samples};

/// Options of `figure`.
#[derive(Args, Debug)]
#[command(after_help = "\
Two pictures side by side, each below its name:
  lerpscope figure linear.png cubic.png -o figure.png --label Linear --label Catmull-Rom
The left half of one picture and the right half of another:
  lerpscope figure linear.png cubic.png -o figure.png --wipe x:0.5 --label 'Linear | Catmull-Rom'
A difference with its colour bar:
  lerpscope figure difference.png -o figure.png --bar blue-black-orange:-25.5:25.5")]
pub struct FigureOptions {
    /// Pictures of one size, in rows from the upper left: the pages of a file, or a file each
    #[arg(value_name = "PICTURE", required = true)]
    pictures: Vec<PathBuf>,
    /// Output file, in the format of its extension; - writes PGM to standard output, with colour PPM
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Label of a picture; once for each, in their order; ●1 to ●9 begin with a dot in the colour of that panel
    /// [default: the files' names without their endings]
    #[arg(long = "label", value_name = "TEXT", allow_hyphen_values = true)]
    labels: Vec<String>,
    /// Pictures in a row [default: as many as make rows and columns alike]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    columns: Option<u16>,
    /// Text below the pictures
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true, allow_hyphen_values = true)]
    caption: String,
    /// One picture of two, with a line between them: x:SHARE of the width, or y:SHARE of the height
    #[arg(long, value_name = "AXIS:SHARE", value_parser = WipeLine::parse)]
    wipe: Option<WipeLine>,
    /// Colour bar at the right of each picture: a colour map, and the values of its ends
    #[arg(long, value_name = "MAP:LOW:HIGH", allow_hyphen_values = true, value_parser = FigureBar::parse)]
    bar: Option<FigureBar>,
    /// Size of letters and margins, for pictures that are enlarged
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=16))]
    times: u32,
}

/// Why no figure is made.
#[derive(Debug, thiserror::Error)]
enum FigureError {
    /// Pictures of different sizes.
    #[error("{}: it has {} pixels, but {} has {}: the pictures of a figure have one size", .file.display(), .sizes[1], .first.display(), .sizes[0])]
    Sizes {
        /// The first picture, and the one that differs from it.
        first: PathBuf,
        file: PathBuf,
        /// Their sizes in words.
        sizes: [String; 2],
    },
    /// The sheet has too many pixels.
    #[error("the figure is larger than a picture may be")]
    TooLarge,
}

/// Runs the command.
///
/// # Errors
/// Errors of the pictures, of labels and of the output.
pub(super) fn run(options: &FigureOptions) -> anyhow::Result<()> {
    let FigureOptions { pictures, output, labels, columns, caption, wipe, bar, times } = options;
    let has_dots = Figure::has_dots(output);
    let output = Output::new(output)?;
    let pictures = read(pictures)?;
    let (names, mut rasters): (Vec<String>, Vec<Raster>) = pictures.into_iter().unzip();
    let mut names = names;
    if let Some(line) = wipe {
        let [first, second] = &rasters[..] else {
            return Err(Usage(format!("--wipe: two pictures have a line between them, not {}", rasters.len())).into());
        };
        rasters = vec![wiped([first, second], *line)];
        names = vec![names.join(" | ")];
    }
    if !labels.is_empty() && labels.len() != rasters.len() {
        return Err(Usage(format!(
            "--label: {} for {}",
            counted(labels.len(), "label"),
            counted(rasters.len(), "picture")
        ))
        .into());
    }
    let labels = if labels.is_empty() { names } else { labels.clone() };
    let cells: Vec<FigureCell> = labels
        .into_iter()
        .zip(rasters)
        .map(|(label, picture)| FigureCell { label, picture, frames: Vec::new(), bar: *bar })
        .collect();
    let columns = columns.map_or_else(|| (1..).find(|side| side * side >= cells.len()).unwrap_or(1), usize::from);
    let figure = Figure { whole: None, cells, columns, caption: caption.clone(), times: *times, has_dots };
    output.write(&figure.sheet().ok_or(FigureError::TooLarge)?)
}

/// `1 label`, `2 labels`.
fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// The pages of the files with their names, as 8-bit pictures of one size.
fn read(files: &[PathBuf]) -> anyhow::Result<Vec<(String, Raster)>> {
    let mut found: Vec<(&Path, String, Raster)> = Vec::new();
    for file in files {
        let image = input::read(file)?.image;
        let stem = Path::new(image.name()).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for (index, page) in image.pages().iter().enumerate() {
            let name = if image.pages().len() > 1 { format!("{stem}, page {}", index + 1) } else { stem.clone() };
            if let Some((first, _, picture)) = found.first()
                && picture.size() != page.size()
            {
                let sizes = [picture.size(), page.size()].map(|size| format!("{} × {}", size.width(), size.height()));
                return Err(FigureError::Sizes { first: (*first).to_owned(), file: file.clone(), sizes }.into());
            }
            found.push((file, name, in_bytes(page.raster())));
        }
    }
    Ok(found.into_iter().map(|(_, name, picture)| (name, picture)).collect())
}

/// The raster with 8 bits per channel, and the channels that it has.
fn in_bytes(raster: &Raster) -> Raster {
    let samples = raster.samples();
    if let Samples::U8 { maxval: 255, .. } = samples {
        return raster.clone();
    }
    let maxval = f32::from(samples.maxval());
    let byte = |index: usize| (samples.number(index) / maxval * 255.0).round().clamp(0.0, 255.0) as u8;
    let values = (0..samples.len()).map(byte).collect();
    let eight = Raster::new(raster.size(), raster.channels(), Samples::U8 { values, maxval: 255 });
    eight.unwrap_or_else(|_| raster.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::Channels;
    use crate::test_support::size;

    #[test]
    fn numbers_of_other_depths_are_bytes_of_the_same_value() {
        let size = size(3, 1);
        for samples in [
            Samples::U16 { values: vec![0, 500, 1000], maxval: 1000 },
            Samples::U8 { values: vec![0, 5, 10], maxval: 10 },
            Samples::F32(vec![-1.0, 0.5, 7.0]),
        ] {
            let raster = Raster::new(size, Channels::Grey, samples).expect("a raster");
            assert_eq!(in_bytes(&raster).samples(), &Samples::U8 { values: vec![0, 128, 255], maxval: 255 });
        }
    }
}
