//! Sources with decimated images: `decimate:N:FILTER:SOURCE` is SOURCE, smaller by N along both axes, with SOURCE as its
//! truth. Any other source is that of [`image::open_source`].

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::{DECIMATIONS, Decimated, Decimation};
use crate::filter::ExecOptions;
use crate::image::{self, DECIMATED, Image, OpenError, Opened, Page};

/// How an image is decimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimate {
    /// Number N of its samples for each sample of the result, along each axis.
    pub factor: u32,
    /// The filter.
    pub by: Decimation,
}

impl Decimate {
    /// The decimation of the text `source` and its original; `None` for another source, and for a wrong text.
    pub fn of(source: &Path) -> Option<(Self, &Path)> {
        let mut parts = source.to_str()?.strip_prefix(DECIMATED)?.splitn(3, ':');
        let factor = parts.next()?.parse().ok()?;
        let by = Decimation::by_name(parts.next()?)?;
        Some((Self { factor, by }, Path::new(parts.next()?)))
    }

    /// The source of `source`, decimated: of a decimated source, its original.
    pub fn source(self, source: &Path) -> PathBuf {
        let original = Self::of(source).map_or(source, |(_, original)| original);
        let mut name = OsString::from(format!("{DECIMATED}{}:{}:", self.factor, self.by));
        name.push(original);
        name.into()
    }
}

/// Opens `source`: `decimate:N:FILTER:SOURCE`, or a source of [`image::open_source`]. All pages are decimated.
///
/// # Errors
/// As [`image::open_source`], and [`OpenError::Decimation`] for a wrong text and for an image that is too small.
///
/// ```
/// use lerpscope::quality::open_source;
/// let image = open_source("decimate:4:lanczos:synth:disc:64x32".as_ref())?.image;
/// assert_eq!(image.name(), "synth:disc:64x32 decimated by 4 (lanczos)");
/// assert_eq!(image.pages()[0].size().to_string(), "16×8");
/// # Ok::<(), lerpscope::image::OpenError>(())
/// ```
pub fn open_source(source: &Path) -> Result<Opened, OpenError> {
    let Some(text) = source.to_str().filter(|text| text.starts_with(DECIMATED)) else {
        return image::open_source(source);
    };
    let wrong = |cause: String| OpenError::Decimation { name: text.to_owned(), cause };
    let form = || wrong(format!("write {DECIMATED}N:FILTER:SOURCE, where FILTER is {}", names()));
    let (Decimate { factor, by }, original) = Decimate::of(source).ok_or_else(form)?;
    let Opened { image, warnings, .. } = image::open_source(original)?;
    let work = ExecOptions::default();
    let decimated = |page: &Page| match Decimated::new(page, factor, by, &work) {
        Ok(decimated) => Ok(decimated.page),
        Err(error) => Err(wrong(error.to_string())),
    };
    let pages = image.pages().iter().map(|page| decimated(page)).collect::<Result<Vec<_>, _>>()?;
    let name = format!("{} decimated by {factor} ({by})", image.name());
    let image = Image::new(name, pages).map_err(|error| wrong(error.to_string()))?;
    Ok(Opened { image, format: "decimation", warnings })
}

fn names() -> String {
    let [names @ .., last] = &DECIMATIONS.each_ref().map(|row| row.name);
    format!("{} or {last}", names.join(", "))
}
