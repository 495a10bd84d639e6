//! Masks of a step of `inpaint`: which samples are filled.
//!
//! | text | filled |
//! |---|---|
//! | `alpha` | the samples whose alpha is 0 |
//! | `[x,y,w,h]` | w × h samples from column x and row y |
//! | a file's name | the samples that are at least half white in that picture, of the image's size |
//!
//! A picture is kept until the program ends, once for the same file with the same contents: steps refer to it by a pointer,
//! which makes them `Copy`. Text that is written has the absolute path of the file, with the characters that separate the
//! parts of a step as `%2C`, and so on; the file is read again where the text is.

use std::fmt;
use std::path::{Path, PathBuf};
use std::ptr;
use std::str::FromStr;
use std::sync::{LazyLock, Mutex, PoisonError};

use crate::image::{Image, Page, Region, Size, open};
use crate::text::{one_line, shortened, system_message};

/// The samples that inpainting fills.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mask {
    /// Those whose alpha is 0. None of an image without alpha.
    Alpha,
    /// Those of a rectangle; what lies outside the image is ignored.
    Rectangle(MaskRectangle),
    /// Those that are white in a picture.
    Picture(MaskPicture),
}

/// A rectangle of samples of an image: never empty, its ends at most [`MaskRectangle::MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaskRectangle(Region);

/// A mask read from a file: a handle to a table that is kept until the program ends.
#[derive(Clone, Copy)]
pub struct MaskPicture(&'static Table);

/// A picture as a mask.
#[derive(Debug, PartialEq)]
struct Table {
    /// The absolute path.
    file: PathBuf,
    size: Size,
    /// Whether each sample is filled, row by row.
    is_filled: Vec<bool>,
}

/// Error of a mask.
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum MaskError {
    /// A file that cannot be read, with the reason.
    #[error("{file}: {message}")]
    Unreadable {
        /// The file, in one line.
        file: String,
        /// The reason.
        message: String,
    },
    /// A text that is no mask, where no file is read.
    #[error("'{}' is no mask: alpha, a rectangle such as [10,20,64,32], or a picture's file", shortened(.0))]
    Text(String),
    /// A rectangle that is not four whole numbers in range.
    #[error(
        "a rectangle is [x,y,w,h], whole numbers with x and y from 0, w and h from 1, up to {max} samples, not '{}'",
        shortened(.0),
        max = MaskRectangle::MAX
    )]
    Rectangle(String),
}

/// Pictures that were read so far.
static TABLES: LazyLock<Mutex<Vec<&'static Table>>> = LazyLock::new(Mutex::default);

/// Characters that separate the parts of a step or of a chain, and the one that stands for them.
const SEPARATORS: [char; 7] = [',', ':', ';', '%', '[', ']', '='];

impl Mask {
    /// The mask of `text`: a picture's name is relative to `folder`, and refused without one.
    ///
    /// # Errors
    /// [`MaskError`] for a text that is no mask and for a file that cannot be read.
    pub(super) fn read(text: &str, folder: Option<&Path>) -> Result<Self, MaskError> {
        match (text.parse(), folder) {
            (Err(MaskError::Text(_)), Some(folder)) if !text.is_empty() => Self::open(&folder.join(decoded(text))),
            (mask, _) => mask,
        }
    }

    /// The picture in `file` as a mask.
    ///
    /// # Errors
    /// [`MaskError::Unreadable`] if the file cannot be read.
    pub fn open(file: &Path) -> Result<Self, MaskError> {
        let name = one_line(&file.display().to_string());
        let unreadable = |message: String| MaskError::Unreadable { file: name.clone(), message };
        let file = std::path::absolute(file).map_err(|error| unreadable(system_message(&error)))?;
        if file.to_str().is_none() {
            return Err(unreadable("the name is no Unicode text, which a step is".to_owned()));
        }
        // A pipe would be waited for, a device may never end.
        let metadata = std::fs::metadata(&file).map_err(|error| unreadable(system_message(&error)))?;
        if !metadata.is_file() {
            return Err(unreadable("is no regular file".to_owned()));
        }
        let opened = open(&file).map_err(|error| MaskError::Unreadable {
            file: name.clone(),
            message: error.to_string().trim_start_matches(&format!("{name}: ")).to_owned(),
        })?;
        Ok(Self::Picture(MaskPicture::kept(file, &opened.image)))
    }

    /// The rectangle of samples of `region`.
    pub fn of_region(region: Region) -> Self {
        let Region { left, top, right, bottom } = region;
        let last = MaskRectangle::MAX - 1;
        let [left, right, top, bottom] = [left, right, top, bottom].map(|end| end.min(last));
        Self::Rectangle(MaskRectangle(Region { left, top, right, bottom }))
    }

    /// The size of the images that the mask is for; `None` if it is for all.
    pub fn size(self) -> Option<Size> {
        match self {
            Self::Alpha | Self::Rectangle(_) => None,
            Self::Picture(MaskPicture(table)) => Some(table.size),
        }
    }

    /// Largest number of samples of an image of `size` that it can fill.
    pub(crate) fn max_samples(self, size: Size) -> u64 {
        match self {
            Self::Alpha => size.area() as u64,
            Self::Rectangle(MaskRectangle(region)) => {
                let inside =
                    |first: u32, last: u32, len: u32| u64::from(last.saturating_add(1).min(len).saturating_sub(first));
                inside(region.left, region.right, size.width()) * inside(region.top, region.bottom, size.height())
            }
            Self::Picture(MaskPicture(table)) => table.is_filled.len() as u64,
        }
    }

    /// Whether the sample at column `x` and row `y`, whose alpha is `alpha`, is filled.
    pub(super) fn fills(self, [x, y]: [u32; 2], alpha: f64) -> bool {
        match self {
            Self::Alpha => alpha == 0.0,
            Self::Rectangle(MaskRectangle(region)) => {
                (region.left..=region.right).contains(&x) && (region.top..=region.bottom).contains(&y)
            }
            Self::Picture(MaskPicture(table)) => {
                let is_inside = x < table.size.width() && y < table.size.height();
                is_inside && table.is_filled[y as usize * table.size.width() as usize + x as usize]
            }
        }
    }
}

impl MaskRectangle {
    /// Largest end of a rectangle, in samples.
    pub const MAX: u32 = 1 << 24;

    /// First column, first row, number of columns, number of rows.
    pub fn parts(self) -> [u32; 4] {
        let [columns, rows] = self.0.sides();
        [self.0.left, self.0.top, columns, rows]
    }

    /// The rectangle of these parts; `None` out of range.
    pub fn of_parts([left, top, columns, rows]: [u32; 4]) -> Option<Self> {
        let end = |start: u32, count: u32| {
            let end = start.checked_add(count)?;
            (count > 0 && end <= Self::MAX).then(|| end - 1)
        };
        Some(Self(Region { left, top, right: end(left, columns)?, bottom: end(top, rows)? }))
    }
}

impl MaskPicture {
    /// The first page of `image`, read from `file`, as a mask.
    fn kept(file: PathBuf, image: &Image) -> Self {
        let page: &Page = &image.pages()[0];
        let (samples, channels) = (page.raster().samples(), page.channels());
        let (count, colours) = (channels.count(), channels.opaque().count());
        let half = f32::from(samples.maxval()) / 2.0;
        let is_white = |pixel: usize| (0..colours).any(|c| samples.number(pixel * count + c) >= half);
        let is_filled = (0..page.size().area()).map(is_white).collect();
        let table = Table { file, size: page.size(), is_filled };
        let mut tables = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = tables.iter().find(|kept| ***kept == table) {
            return Self(kept);
        }
        let kept: &'static Table = Box::leak(Box::new(table));
        tables.push(kept);
        Self(kept)
    }

    /// The file that it was read from.
    pub fn file(self) -> &'static Path {
        &self.0.file
    }
}

impl PartialEq for MaskPicture {
    fn eq(&self, other: &Self) -> bool {
        ptr::eq(self.0, other.0)
    }
}

impl fmt::Debug for MaskPicture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("MaskPicture").field(&self.0.file).field(&self.0.size).finish()
    }
}

impl FromStr for Mask {
    type Err = MaskError;

    /// Reads no file.
    fn from_str(text: &str) -> Result<Self, MaskError> {
        let text = text.trim();
        if text == "alpha" {
            return Ok(Self::Alpha);
        }
        let Some(inside) = text.strip_prefix('[') else { return Err(MaskError::Text(text.to_owned())) };
        let wrong = || MaskError::Rectangle(text.to_owned());
        let parts = inside.strip_suffix(']').ok_or_else(wrong)?.split([',', ':']);
        let parts: Vec<u32> = parts.map(|part| part.trim().parse().map_err(|_| wrong())).collect::<Result<_, _>>()?;
        let parts: [u32; 4] = parts.try_into().map_err(|_| wrong())?;
        MaskRectangle::of_parts(parts).map(Self::Rectangle).ok_or_else(wrong)
    }
}

impl fmt::Display for Mask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Alpha => f.write_str("alpha"),
            Self::Rectangle(rectangle) => {
                let [x, y, columns, rows] = rectangle.parts();
                write!(f, "[{x},{y},{columns},{rows}]")
            }
            Self::Picture(picture) => f.write_str(&encoded(&picture.file().to_string_lossy())),
        }
    }
}

/// `name` with `%` and two digits in place of the characters that separate.
fn encoded(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for letter in name.chars() {
        if SEPARATORS.contains(&letter) {
            text.push_str(&format!("%{:02X}", u32::from(letter)));
        } else {
            text.push(letter);
        }
    }
    text
}

/// The reverse of [`encoded`]; a `%` before anything else stands for itself.
fn decoded(text: &str) -> String {
    let mut name = text.to_owned();
    // The sign itself last, so that what it spells is not read again.
    for letter in SEPARATORS.into_iter().filter(|letter| *letter != '%').chain(['%']) {
        name = name.replace(&format!("%{:02X}", u32::from(letter)), &letter.to_string());
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::{Channels, Raster, Samples};
    use crate::test_support::size;

    #[test]
    fn mask_written_as_text_is_parsed_back_equal() {
        for text in ["alpha", "[0,0,1,1]", "[3,4,50,6]", "[16777215,0,1,16777216]"] {
            let mask: Mask = text.parse().expect(text);
            assert_eq!(mask.to_string(), text);
            assert_eq!(text.replace(',', ":").parse(), Ok(mask));
        }
        let region = Region { left: 3, top: 4, right: 52, bottom: 9 };
        assert_eq!(Mask::of_region(region).to_string(), "[3,4,50,6]");
    }

    #[test]
    fn invalid_mask_is_refused_with_what_is_allowed() {
        for text in ["[1,2,3]", "[1,2,0,4]", "[1,2,3,4", "[-1,0,2,2]", "[1.5,0,2,2]", "[1,0,16777216,1]", "[]"] {
            let message = text.parse::<Mask>().expect_err(text).to_string();
            assert!(message.starts_with("a rectangle is [x,y,w,h], whole numbers"), "{text}: {message}");
            assert!(message.ends_with(&format!("up to 16777216 samples, not '{text}'")), "{text}: {message}");
        }
        let message = "holes".parse::<Mask>().expect_err("no mask").to_string();
        assert_eq!(message, "'holes' is no mask: alpha, a rectangle such as [10,20,64,32], or a picture's file");
    }

    #[test]
    fn separators_in_a_name_are_written_as_codes_and_read_back() {
        for name in ["plain.pgm", "a,b;c:d=[e].png", "100%.pgm", "100%2C.pgm", "%25,%2525", "ü ö.png"] {
            assert_eq!(decoded(&encoded(name)), name);
            assert!(!encoded(name).contains([',', ';', ':', '[', '=']), "{}", encoded(name));
        }
        assert_eq!(decoded("100%.pgm"), "100%.pgm");
    }

    #[test]
    fn picture_fills_where_it_is_half_white_or_more_and_is_kept_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a,b.pgm");
        std::fs::write(&file, b"P2 3 1 255 127 128 255\n").expect("written");
        let mask = Mask::read("a,b.pgm", Some(folder.path())).expect("a mask");
        assert_eq!([0, 1, 2, 3].map(|x| mask.fills([x, 0], 1.0)), [false, true, true, false]);
        assert!(!mask.fills([1, 1], 1.0));
        assert_eq!((mask.size(), mask.max_samples(size(3, 1))), (Some(size(3, 1)), 3));
        let text = mask.to_string();
        assert!(text.ends_with("a%2Cb.pgm"), "{text}");
        assert_eq!(Mask::read(&text, Some(Path::new("elsewhere"))), Ok(mask), "its path is absolute");
        assert_eq!(text.parse::<Mask>(), Err(MaskError::Text(text)));
        std::fs::write(&file, b"P2 3 1 255 255 128 255\n").expect("written");
        assert_ne!(Mask::open(&file), Ok(mask), "the contents are others");
    }

    #[test]
    fn unreadable_picture_is_named_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let missing = folder.path().join("none.png");
        let message = Mask::open(&missing).expect_err("no file").to_string();
        assert_eq!(message.matches("none.png").count(), 1, "{message}");
        assert!(Mask::open(folder.path()).expect_err("a folder").to_string().ends_with("is no regular file"));
        std::fs::write(&missing, b"no picture").expect("written");
        let message = Mask::open(&missing).expect_err("no picture").to_string();
        assert_eq!(message.matches("none.png").count(), 1, "{message}");
    }

    #[test]
    fn alpha_fills_transparent_samples_and_a_rectangle_its_own() {
        assert!(Mask::Alpha.fills([7, 7], 0.0) && !Mask::Alpha.fills([7, 7], 0.5));
        let mask: Mask = "[2,3,2,1]".parse().expect("a mask");
        let filled = (0..6).flat_map(|y| (0..6).map(move |x| [x, y])).filter(|&at| mask.fills(at, 1.0));
        assert_eq!(filled.collect::<Vec<_>>(), [[2, 3], [3, 3]]);
        let image = Image::of_page(
            "white",
            Page::new(
                Raster::new(size(1, 1), Channels::GreyAlpha, Samples::U8 { values: vec![0, 255], maxval: 255 })
                    .expect("a raster"),
            ),
        );
        assert!(!Mask::Picture(MaskPicture::kept("alpha".into(), &image)).fills([0, 0], 1.0), "alpha is no colour");
    }
}
