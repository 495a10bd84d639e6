//! Images: sizes, pages of samples; opening, synthesis and saving.
//!
//! An [`Image`] has one or more [`Page`]s (PNM, TIFF and GIF files may contain several). A page stores the samples of its file, with
//! the file's maxval; the value of a sample is `number / maxval`, in single precision. Sample (m, n) of a page of W × H
//! samples is at x = m, y = n: columns run right, rows run down, channels are interleaved.

mod decoder_fault;
mod detail;
mod errors;
mod exr;
mod foreign;
mod format;
mod gif;
mod limits;
mod of_pages;
mod open;
mod open_error;
mod page;
mod pfm;
pub mod pnm;
mod refused;
#[cfg(feature = "cli")]
mod rgba;
mod save;
mod statistics;
pub mod synth;
mod tiff_numbers;
mod truth;

use std::sync::Arc;

pub use detail::{contrast_within, finest_detail};
pub use errors::{NoPagesError, RasterError, SizeError};
pub use format::{FORMATS, FileFormat, FormatRow, WriteError, write};
pub use of_pages::{pages_of, volume_of};
pub use open::{
    BUILT_IN, DECIMATED, Opened, SAILBOAT, embedded, is_file_name, open, open_source, read, read_from, sailboat,
};
pub use open_error::OpenError;
pub use page::{Page, PageId};
#[cfg(feature = "cli")]
pub(crate) use rgba::{from_rgba, rgba};
pub use save::{SaveError, save};
pub use statistics::{Region, Statistics, statistics};
pub(crate) use synth::MeanAccuracy;
pub use synth::{Formula, Parallelogram, Synth};
pub(crate) use truth::mean_over;
pub use truth::{Original, TrueFunction, Truth};

/// Width and height, in samples or pixels; neither is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    width: u32,
    height: u32,
}

impl Size {
    /// Longest side of an image or an output, in samples: every index fits 32 bits with a margin.
    pub const MAX_SIDE: u32 = 1 << 24;

    /// A size of `width` × `height`.
    ///
    /// ```
    /// use lerpscope::image::Size;
    /// let error = Size::new(640, 0).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "a size of 640×0 is impossible: width and height are each from 1 to 16777216"
    /// );
    /// ```
    ///
    /// # Errors
    /// [`SizeError`] for a side that is zero or longer than [`Size::MAX_SIDE`].
    pub fn new(width: u32, height: u32) -> Result<Self, SizeError> {
        let fits = |side: u32| (1..=Self::MAX_SIDE).contains(&side);
        if fits(width) && fits(height) { Ok(Self { width, height }) } else { Err(SizeError { width, height }) }
    }

    /// Number of columns.
    pub fn width(self) -> u32 {
        self.width
    }

    /// Number of rows.
    pub fn height(self) -> u32 {
        self.height
    }

    /// Columns and rows.
    pub fn sides(self) -> [u32; 2] {
        [self.width, self.height]
    }

    /// Columns times rows.
    pub fn area(self) -> usize {
        self.width as usize * self.height as usize
    }
}

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}×{}", self.width, self.height)
    }
}

/// Channels of a pixel, interleaved in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Channels {
    /// One grey value.
    Grey,
    /// Grey and alpha.
    GreyAlpha,
    /// Red, green, blue.
    Rgb,
    /// Red, green, blue, alpha.
    Rgba,
}

impl Channels {
    /// Number of values of a pixel, alpha included: 1 to 4.
    pub fn count(self) -> usize {
        match self {
            Self::Grey => 1,
            Self::GreyAlpha => 2,
            Self::Rgb => 3,
            Self::Rgba => 4,
        }
    }

    /// Their names, in the order of the values of a pixel.
    pub fn names(self) -> &'static [&'static str] {
        match self {
            Self::Grey => &["Grey"],
            Self::GreyAlpha => &["Grey", "Alpha"],
            Self::Rgb => &["Red", "Green", "Blue"],
            Self::Rgba => &["Red", "Green", "Blue", "Alpha"],
        }
    }

    /// Whether the last value is alpha.
    pub fn has_alpha(self) -> bool {
        matches!(self, Self::GreyAlpha | Self::Rgba)
    }

    /// The same channels without alpha.
    pub fn opaque(self) -> Self {
        match self {
            Self::Grey | Self::GreyAlpha => Self::Grey,
            Self::Rgb | Self::Rgba => Self::Rgb,
        }
    }

    /// Whether a pixel has a colour.
    pub fn has_colour(self) -> bool {
        matches!(self, Self::Rgb | Self::Rgba)
    }
}

/// Numbers of a page as in its file: row by row, channels interleaved, alpha straight (not premultiplied).
#[derive(Clone, Debug, PartialEq)]
pub enum Samples {
    /// Integers 0 … `maxval`, with a maxval of 1 to 255.
    U8 {
        /// One number for each channel of each sample.
        values: Vec<u8>,
        /// The number for the value 1.0.
        maxval: u8,
    },
    /// Integers 0 … `maxval`, with a maxval of 1 to 65535.
    U16 {
        /// One number for each channel of each sample.
        values: Vec<u16>,
        /// The number for the value 1.0.
        maxval: u16,
    },
    /// Single-precision values, in their own range.
    F32(Vec<f32>),
}

impl Samples {
    /// Number of numbers.
    pub fn len(&self) -> usize {
        match self {
            Self::U8 { values, .. } => values.len(),
            Self::U16 { values, .. } => values.len(),
            Self::F32(values) => values.len(),
        }
    }

    /// Whether there are no numbers.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number for the value 1.0; 1 for float samples.
    pub fn maxval(&self) -> u16 {
        match self {
            Self::U8 { maxval, .. } => u16::from(*maxval),
            Self::U16 { maxval, .. } => *maxval,
            Self::F32(_) => 1,
        }
    }

    /// Bytes of the numbers in memory.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::U8 { values, .. } => values.len() as u64,
            Self::U16 { values, .. } => 2 * values.len() as u64,
            Self::F32(values) => 4 * values.len() as u64,
        }
    }

    /// The number at `index`, as in the file.
    ///
    /// # Panics
    /// For an `index` that is not below [`Samples::len`].
    pub fn number(&self, index: usize) -> f32 {
        match self {
            Self::U8 { values, .. } => f32::from(values[index]),
            Self::U16 { values, .. } => f32::from(values[index]),
            Self::F32(values) => values[index],
        }
    }
}

/// Number type of a raster: integers up to a maxval, or single precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Depth {
    /// Integers 0 … maxval; one byte each up to 255, two above.
    Integer {
        /// The number for the value 1.0, at least 1.
        maxval: std::num::NonZeroU16,
    },
    /// `f32`, in its own range.
    Float,
}

impl Depth {
    /// 8 bits: maxval 255.
    pub const EIGHT: Self = Self::Integer { maxval: std::num::NonZeroU16::new(255).unwrap() };
    /// 16 bits: maxval 65535.
    pub const SIXTEEN: Self = Self::Integer { maxval: std::num::NonZeroU16::MAX };
}

/// Rectangle of numbers: the contents of a file, or the output of a backend. Rows run down, channels are interleaved,
/// alpha is straight (not premultiplied).
#[derive(Clone, Debug, PartialEq)]
pub struct Raster {
    size: Size,
    channels: Channels,
    samples: Samples,
}

impl Raster {
    /// Raster of `size` with the given samples.
    ///
    /// # Errors
    /// [`RasterError`] for a sample count other than width × height × channels, and for maxval 0.
    pub fn new(size: Size, channels: Channels, samples: Samples) -> Result<Self, RasterError> {
        let (expected, len) = (size.area() * channels.count(), samples.len());
        if len != expected {
            return Err(RasterError::Len { size, channels, expected, len });
        }
        if samples.maxval() == 0 {
            return Err(RasterError::Maxval);
        }
        Ok(Self { size, channels, samples })
    }

    /// Raster of zeros.
    pub fn zeros(size: Size, channels: Channels, depth: Depth) -> Self {
        let len = size.area() * channels.count();
        let samples = match depth {
            Depth::Float => Samples::F32(vec![0.0; len]),
            Depth::Integer { maxval } => match u8::try_from(maxval.get()) {
                Ok(maxval) => Samples::U8 { values: vec![0; len], maxval },
                Err(_) => Samples::U16 { values: vec![0; len], maxval: maxval.get() },
            },
        };
        Self { size, channels, samples }
    }

    /// Width and height.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Channels of a pixel.
    pub fn channels(&self) -> Channels {
        self.channels
    }

    /// Number type.
    pub fn depth(&self) -> Depth {
        match &self.samples {
            Samples::F32(_) => Depth::Float,
            integers => {
                std::num::NonZeroU16::new(integers.maxval()).map_or(Depth::EIGHT, |maxval| Depth::Integer { maxval })
            }
        }
    }

    /// The numbers.
    pub fn samples(&self) -> &Samples {
        &self.samples
    }

    /// The rectangle of `size` from `corner` (column, row) on, as floats (1 is maxval) without alpha.
    ///
    /// # Panics
    /// For a rectangle that is not inside the raster.
    pub(crate) fn floats(&self, corner: [u32; 2], size: Size) -> Self {
        let channels = self.channels.opaque();
        let maxval = f32::from(self.samples.maxval());
        let mut values = Vec::with_capacity(size.area() * channels.count());
        for row in corner[1]..corner[1] + size.height() {
            for column in corner[0]..corner[0] + size.width() {
                values.extend((0..channels.count()).map(|channel| self.number(column, row, channel) / maxval));
            }
        }
        Self { size, channels, samples: Samples::F32(values) }
    }

    /// The numbers, mutable; their count and maxval must not change.
    pub(crate) fn samples_mut(&mut self) -> &mut Samples {
        &mut self.samples
    }

    /// The number of channel `channel` at (`column`, `row`).
    ///
    /// # Panics
    /// For a position outside the raster.
    pub fn number(&self, column: u32, row: u32, channel: usize) -> f32 {
        let pixel = row as usize * self.size.width as usize + column as usize;
        self.samples.number(pixel * self.channels.count() + channel)
    }
}

/// One or more pages and a name.
#[derive(Clone, Debug)]
pub struct Image {
    name: String,
    pages: Vec<Arc<Page>>,
    is_missing: bool,
}

impl Image {
    /// Image of the given pages.
    ///
    /// # Errors
    /// [`NoPagesError`] for an empty `pages`.
    pub fn new(name: impl Into<String>, pages: Vec<Page>) -> Result<Self, NoPagesError> {
        let (name, pages) = (name.into(), pages.into_iter().map(Arc::new).collect::<Vec<_>>());
        if pages.is_empty() { Err(NoPagesError { name }) } else { Ok(Self { name, pages, is_missing: false }) }
    }

    /// Image of one page.
    pub fn of_page(name: impl Into<String>, page: Page) -> Self {
        Self { name: name.into(), pages: vec![Arc::new(page)], is_missing: false }
    }

    /// Sets the truth of all pages, which nobody else holds yet.
    pub(crate) fn set_truth(&mut self, truth: &Truth) {
        for page in self.pages.iter_mut().filter_map(Arc::get_mut) {
            page.set_truth(truth.clone());
        }
    }

    /// This image with another name.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// Stand-in for an image whose file cannot be opened: `pages` pages, at least one, of one black sample.
    pub fn missing(name: impl Into<String>, pages: usize) -> Self {
        let page = |_| Arc::new(Page::new(Raster::zeros(Size { width: 1, height: 1 }, Channels::Grey, Depth::EIGHT)));
        Self { name: name.into(), pages: (0..pages.max(1)).map(page).collect(), is_missing: true }
    }

    /// Whether it stands in for an image whose file cannot be opened.
    pub fn is_missing(&self) -> bool {
        self.is_missing
    }

    /// This image with the pages of `other` appended, so that one request can name pages of both.
    #[must_use]
    pub fn followed_by(&self, other: &Self) -> Self {
        let pages = self.pages.iter().chain(&other.pages).map(Arc::clone).collect();
        Self { name: self.name.clone(), pages, is_missing: self.is_missing || other.is_missing }
    }

    /// File name, or another name of the image.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The pages, at least one, in file order.
    pub fn pages(&self) -> &[Arc<Page>] {
        &self.pages
    }

    /// The page at `index`, counted from 0.
    pub fn page(&self, index: usize) -> Option<&Arc<Page>> {
        self.pages.get(index)
    }
}
