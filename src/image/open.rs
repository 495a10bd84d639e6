//! Opening images: PNM and PFM by this crate's decoders, other formats by [`super::foreign`] under a memory limit.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use image::ImageFormat;

use super::foreign::ForeignFile;
use super::of_pages::OF_PAGES;
use super::open_error::{FORMATS, OpenError};
use super::pnm::{self, Decoded, ReadError};
use super::synth::{Formula, Synth};
use super::{Image, Page, Raster, Samples, Truth, pfm, refused};
use crate::memory::{Demand, Memory};
use crate::text::one_line;

/// Largest number of bytes read from a pipe or device: an endless one is refused here.
const MAX_STREAM: u64 = 1 << 30;

/// An opened image, and warnings for the user.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The image. PNM, TIFF and GIF files may have several pages.
    pub image: Image,
    /// Name of its format in messages.
    pub format: &'static str,
    /// One line each, with the file's name.
    pub warnings: Vec<String>,
}

/// Opens the file at `path`. The image is named after the file; messages contain the whole path.
///
/// # Errors
/// [`OpenError`] for a file that cannot be read, and as [`read`].
pub fn open(path: &Path) -> Result<Opened, OpenError> {
    let label = one_line(&path.display().to_string());
    let fail = |cause| OpenError::Read { name: label.clone(), cause };
    let metadata = std::fs::metadata(path).map_err(fail)?;
    if metadata.is_dir() {
        return Err(OpenError::Directory { name: label });
    }
    let mut file = File::open(path).map_err(fail)?;
    let name = path.file_name().map_or_else(|| label.clone(), |name| one_line(&name.to_string_lossy()));
    if !metadata.is_file() {
        return decode_stream(&label, &name, &mut file);
    }
    // Files that the system generates on reading report a length of 0.
    let len = (metadata.len() > 0).then_some(metadata.len());
    decode_from(&label, &name, &mut file, len)
}

/// Reads an image named `name` from a stream such as standard input, up to 1 GiB.
///
/// # Errors
/// [`OpenError`] for a stream that fails or is longer, and as [`read`].
pub fn read_from(name: &str, stream: &mut dyn Read) -> Result<Opened, OpenError> {
    let name = one_line(name);
    decode_stream(&name, &name, stream)
}

/// Reads an image named `name` from the bytes of a file. The content decides the format, or else the extension of the
/// name.
///
/// Samples keep their depth (8 bit, 16 bit or float) and channels; the file's orientation is applied. The decoded
/// samples of a compressed file may take 8256 times its length, the largest expansion of Deflate with one-bit samples;
/// 64 MiB are always allowed, and above 2 GiB the file must be at least a 32nd of the samples.
///
/// # Errors
/// [`OpenError`] for an unknown format, for malformed bytes, and for samples above the limit.
pub fn read(name: &str, bytes: &[u8]) -> Result<Opened, OpenError> {
    let name = one_line(name);
    decode(&name, &name, bytes)
}

/// Opens `source`: `synth:NAME:WxH` is a formula, [`BUILT_IN`] and [`SAILBOAT`] are the built-in images, anything else is a file.
///
/// # Errors
/// [`OpenError`] for a text that is not a formula, and as [`open`].
pub fn open_source(source: &Path) -> Result<Opened, OpenError> {
    if let Some((_, open_built_in)) = BUILT_INS.iter().find(|(name, _)| Some(*name) == source.to_str()) {
        return open_built_in();
    }
    match source.to_str() {
        Some(text) if text.starts_with(FORMULA) => {
            let formula: Formula = text.parse()?;
            let name = formula.to_string();
            let refuse = |cause| OpenError::Memory { name: name.clone(), cause };
            Memory::Machine.check(&formula.demand()).map_err(refuse)?;
            let image = Image::of_page(name, formula.page());
            Ok(Opened { image, format: "formula", warnings: Vec::new() })
        }
        _ => open(source),
    }
}

/// Whether `source` names a file rather than a generated image.
pub fn is_file_name(source: &Path) -> bool {
    let prefixes = [FORMULA, DECIMATED, OF_PAGES];
    let is_generated =
        |text: &str| [BUILT_IN, SAILBOAT].contains(&text) || prefixes.iter().any(|prefix| text.starts_with(prefix));
    !source.to_str().is_some_and(is_generated)
}

/// Prefix of a formula's name.
const FORMULA: &str = "synth:";
/// Prefix of the name of a decimated image: [`quality::open_source`](crate::quality::open_source).
pub const DECIMATED: &str = "decimate:";

/// Name of the built-in grey image, usable in place of a file.
pub const BUILT_IN: &str = "builtin:basilica";

/// Name of the built-in image in colour, on which a window without a file opens.
pub const SAILBOAT: &str = "builtin:sailboat";

/// Opens a built-in image.
type OpenBuiltIn = fn() -> Result<Opened, OpenError>;

/// The built-in images by their names.
const BUILT_INS: [(&str, OpenBuiltIn); 2] = [(BUILT_IN, embedded), (SAILBOAT, sailboat)];

/// The built-in image in colour, 256 × 192 samples of 8 bit: the `sailboat` formula, rounded.
///
/// # Errors
/// As [`open_source`]; a test shows that there are none.
pub fn sailboat() -> Result<Opened, OpenError> {
    const MAXVAL: u8 = 255;
    let formula: Formula = "synth:sailboat:256x192".parse()?;
    let exact = formula.page();
    let samples = exact.raster().samples();
    let values = (0..samples.len()).map(|at| (samples.number(at) * f32::from(MAXVAL)).round() as u8).collect();
    let samples = Samples::U8 { values, maxval: MAXVAL };
    let raster = Raster { size: exact.size(), channels: exact.channels(), samples };
    let image = Image::of_page("Sailboat", Page::new(raster).with_formula(formula));
    Ok(Opened { image, format: "formula", warnings: Vec::new() })
}

/// The built-in grey image, 512 × 512 samples of 8 bit: the `basilica` formula, rounded.
///
/// # Errors
/// As [`read`]; a test shows that there are none.
pub fn embedded() -> Result<Opened, OpenError> {
    let mut opened = read("basilica.pgm", include_bytes!("../../assets/basilica.pgm"))?;
    let size = opened.image.pages()[0].size();
    opened.image.set_truth(&Truth::Formula(Formula::new(Synth::Basilica, size)?));
    Ok(opened)
}

/// Decodes a stream of at most 1 GiB; `label` is its name in messages, `name` the image's. The stream is read to its
/// end, so that its writer does not fail after the last image.
fn decode_stream(label: &str, name: &str, stream: &mut dyn Read) -> Result<Opened, OpenError> {
    let mut limited = stream.take(MAX_STREAM + 1);
    let opened = decode_from(label, name, &mut limited, None);
    if opened.is_ok() {
        let fail = |cause| OpenError::Read { name: label.to_owned(), cause };
        std::io::copy(&mut limited, &mut std::io::sink()).map_err(fail)?;
    }
    if limited.limit() == 0 {
        return Err(OpenError::Endless { name: label.to_owned() });
    }
    opened
}

/// Decodes the contents of `reader`, `len` bytes if known. Rasters of PNM files are read into their final memory; files
/// of other formats are read whole first.
fn decode_from(label: &str, name: &str, reader: &mut dyn Read, len: Option<u64>) -> Result<Opened, OpenError> {
    let fail = |cause| OpenError::Read { name: label.to_owned(), cause };
    let refuse = |cause| OpenError::Memory { name: label.to_owned(), cause };
    let mut bytes = Vec::new();
    reader.take(2).read_to_end(&mut bytes).map_err(fail)?;
    if pnm::is_pnm(&bytes) {
        let mut whole = bytes.chain(reader);
        let decoded = pnm::read(&mut whole, len, Memory::Machine).map_err(|error| match error {
            ReadError::Io(cause) => fail(cause),
            ReadError::Malformed(cause) => OpenError::Pnm { name: label.to_owned(), cause },
            ReadError::Memory(cause) => refuse(cause),
        })?;
        return opened_pnm(label, name, decoded);
    }
    if let Some(len) = len {
        let mut demand = Demand::default();
        demand.hold(|| "the file takes".to_owned(), len);
        Memory::Machine.check(&demand).map_err(refuse)?;
        bytes.reserve_exact(usize::try_from(len).unwrap_or(0));
    }
    reader.read_to_end(&mut bytes).map_err(fail)?;
    decode(label, name, &bytes)
}

/// Image of a PNM file's pages.
fn opened_pnm(label: &str, name: &str, decoded: Decoded) -> Result<Opened, OpenError> {
    let warnings = decoded.clipped.iter().map(|clipped| format!("{label}: {clipped}")).collect();
    let pages = decoded.pages.into_iter().map(Page::new).collect();
    let image = Image::new(name, pages).map_err(|_| OpenError::Empty { name: label.to_owned() })?;
    Ok(Opened { image, format: "PNM", warnings })
}

/// Decodes `bytes`; `label` is their name in messages, `name` the image's.
fn decode(label: &str, name: &str, bytes: &[u8]) -> Result<Opened, OpenError> {
    let unknown = || OpenError::UnknownFormat { name: label.to_owned() };
    if bytes.is_empty() {
        return Err(OpenError::Empty { name: label.to_owned() });
    }
    let file = |row| ForeignFile::new(label, row, bytes, Memory::Machine);
    if pfm::is_pfm(bytes) {
        let raster = file((ImageFormat::Pnm, "PFM")).decode_pfm()?;
        return Ok(Opened { image: Image::of_page(name, Page::new(raster)), format: "PFM", warnings: Vec::new() });
    }
    let by_content = image::guess_format(bytes).ok();
    let known = |guess: Option<ImageFormat>| FORMATS.into_iter().find(|row| Some(row.0) == guess);
    if known(by_content).is_none()
        && let Some(format) = refused::format_of(name, bytes)
    {
        return Err(OpenError::Unsupported { name: label.to_owned(), format });
    }
    let guess = by_content.or_else(|| ImageFormat::from_path(name).ok());
    if pnm::is_pnm(bytes) || guess == Some(ImageFormat::Pnm) {
        let decoded = pnm::decode(bytes).map_err(|cause| OpenError::Pnm { name: label.to_owned(), cause })?;
        return opened_pnm(label, name, decoded);
    }
    let row = known(guess).ok_or_else(unknown)?;
    let (pages, warnings) = file(row).decode()?;
    let pages = pages.into_iter().map(Page::new).collect();
    let image = Image::new(name, pages).map_err(|_| OpenError::Empty { name: label.to_owned() })?;
    Ok(Opened { image, format: row.1, warnings })
}
