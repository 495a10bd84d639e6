//! Images: sizes, pages of samples, how they are opened, made and saved.
//!
//! An [`Image`] is one or more [`Page`]s (a PNM file may hold several). A page keeps its samples as its file has them,
//! with the file's maxval; inside, a sample means `number / maxval`, in single precision. Sample (m, n) of a page of
//! W × H samples lies at x = m, y = n: columns run rightwards, rows run downwards, channels are interleaved.

mod errors;
mod exr;
mod format;
mod limits;
mod open;
pub mod pnm;
mod save;
mod statistics;
pub mod synth;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub use errors::{NoPagesError, RasterError, SizeError};
pub use format::{FORMATS, FileFormat, FormatRow, WriteError, write};
pub use open::{BUILT_IN, OpenError, Opened, embedded, is_file_name, open, open_source, read, read_from};
pub use save::{SaveError, save};
pub use statistics::{Region, Statistics, statistics};
pub use synth::{Formula, Synth};

/// A width and a height in samples or pixels; neither is ever zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    width: u32,
    height: u32,
}

impl Size {
    /// The longest side that an image or an output may have, in samples: every index fits 32 bits with room to spare.
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
    /// Where a side is zero or longer than [`Size::MAX_SIDE`].
    pub fn new(width: u32, height: u32) -> Result<Self, SizeError> {
        let fits = |side: u32| (1..=Self::MAX_SIDE).contains(&side);
        if fits(width) && fits(height) { Ok(Self { width, height }) } else { Err(SizeError { width, height }) }
    }

    /// Columns.
    pub fn width(self) -> u32 {
        self.width
    }

    /// Rows.
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

/// What a pixel is made of; the channels are interleaved in this order.
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
    /// Values a pixel, alpha included: 1 to 4.
    pub fn count(self) -> usize {
        match self {
            Self::Grey => 1,
            Self::GreyAlpha => 2,
            Self::Rgb => 3,
            Self::Rgba => 4,
        }
    }

    /// Whether the last value is an alpha.
    pub fn has_alpha(self) -> bool {
        matches!(self, Self::GreyAlpha | Self::Rgba)
    }

    /// The same without an alpha.
    pub fn opaque(self) -> Self {
        match self {
            Self::Grey | Self::GreyAlpha => Self::Grey,
            Self::Rgb | Self::Rgba => Self::Rgb,
        }
    }

    /// Whether a pixel has a colour rather than a grey value.
    pub fn has_colour(self) -> bool {
        matches!(self, Self::Rgb | Self::Rgba)
    }
}

/// The numbers of a page as its file has them, row by row, channels interleaved, straight (not premultiplied) alpha.
#[derive(Clone, Debug, PartialEq)]
pub enum Samples {
    /// Integers up to `maxval`, which is 1 to 255.
    U8 {
        /// One number a channel a sample.
        values: Vec<u8>,
        /// The number that means 1.0.
        maxval: u8,
    },
    /// Integers up to `maxval`, which is 1 to 65535.
    U16 {
        /// One number a channel a sample.
        values: Vec<u16>,
        /// The number that means 1.0.
        maxval: u16,
    },
    /// Single-precision values, kept in their own range.
    F32(Vec<f32>),
}

impl Samples {
    /// How many numbers there are.
    pub fn len(&self) -> usize {
        match self {
            Self::U8 { values, .. } => values.len(),
            Self::U16 { values, .. } => values.len(),
            Self::F32(values) => values.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number that means 1.0; 1 for float samples.
    pub fn maxval(&self) -> u16 {
        match self {
            Self::U8 { maxval, .. } => u16::from(*maxval),
            Self::U16 { maxval, .. } => *maxval,
            Self::F32(_) => 1,
        }
    }

    /// The number at `index` as its file has it.
    ///
    /// # Panics
    /// Where `index` is not below [`Samples::len`].
    pub fn number(&self, index: usize) -> f32 {
        match self {
            Self::U8 { values, .. } => f32::from(values[index]),
            Self::U16 { values, .. } => f32::from(values[index]),
            Self::F32(values) => values[index],
        }
    }
}

/// How numbers are written: as integers up to a maxval, or as single-precision values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Depth {
    /// Integers 0 … maxval; a byte each up to 255, two above.
    Integer {
        /// The number that means 1.0, at least 1.
        maxval: std::num::NonZeroU16,
    },
    /// `f32` in its own range.
    Float,
}

impl Depth {
    /// Eight bits: maxval 255.
    pub const EIGHT: Self = Self::Integer { maxval: std::num::NonZeroU16::new(255).unwrap() };
    /// Sixteen bits: maxval 65535.
    pub const SIXTEEN: Self = Self::Integer { maxval: std::num::NonZeroU16::MAX };
}

/// A rectangle of numbers: what a file holds, and what a backend writes. Rows run downwards, channels are interleaved,
/// alpha is straight (not premultiplied).
#[derive(Clone, Debug, PartialEq)]
pub struct Raster {
    size: Size,
    channels: Channels,
    samples: Samples,
}

impl Raster {
    /// A raster of `size` from its samples.
    ///
    /// # Errors
    /// Where the sample count is not width × height × channels, or where the maxval is 0.
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

    /// A raster of zeros.
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

    /// What a pixel is made of.
    pub fn channels(&self) -> Channels {
        self.channels
    }

    /// How the numbers are written.
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

    /// The numbers, to be written; their count and maxval must be left as they are.
    pub(crate) fn samples_mut(&mut self) -> &mut Samples {
        &mut self.samples
    }

    /// The number of channel `channel` at (`column`, `row`).
    ///
    /// # Panics
    /// Where the place is outside the raster.
    pub fn number(&self, column: u32, row: u32, channel: usize) -> f32 {
        let pixel = row as usize * self.size.width as usize + column as usize;
        self.samples.number(pixel * self.channels.count() + channel)
    }
}

/// Names one page's samples for as long as the program runs: two pages with the same id have the same samples, so
/// whatever was made from them (coefficients, a texture) can be kept by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PageId(u64);

/// A raster that is looked at: it has an id and never changes once made.
#[derive(Debug)]
pub struct Page {
    id: PageId,
    raster: Raster,
    formula: Option<Formula>,
}

impl Page {
    /// A page of these samples.
    pub fn new(raster: Raster) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self { id: PageId(NEXT.fetch_add(1, Ordering::Relaxed)), raster, formula: None }
    }

    /// The same page, remembering the formula that its samples were taken from.
    #[must_use]
    pub fn with_formula(self, formula: Formula) -> Self {
        Self { formula: Some(formula), ..self }
    }

    /// The id of these samples.
    pub fn id(&self) -> PageId {
        self.id
    }

    /// Width and height in samples.
    pub fn size(&self) -> Size {
        self.raster.size
    }

    /// What a sample is made of.
    pub fn channels(&self) -> Channels {
        self.raster.channels
    }

    /// The numbers with their shape.
    pub fn raster(&self) -> &Raster {
        &self.raster
    }

    /// The formula behind the samples, where there is one.
    pub fn formula(&self) -> Option<&Formula> {
        self.formula.as_ref()
    }
}

/// One or more pages under one name.
#[derive(Clone, Debug)]
pub struct Image {
    name: String,
    pages: Vec<Arc<Page>>,
}

impl Image {
    /// An image of the given pages.
    ///
    /// # Errors
    /// Where `pages` is empty.
    pub fn new(name: impl Into<String>, pages: Vec<Page>) -> Result<Self, NoPagesError> {
        let (name, pages) = (name.into(), pages.into_iter().map(Arc::new).collect::<Vec<_>>());
        if pages.is_empty() { Err(NoPagesError { name }) } else { Ok(Self { name, pages }) }
    }

    /// An image of one page.
    pub fn of_page(name: impl Into<String>, page: Page) -> Self {
        Self { name: name.into(), pages: vec![Arc::new(page)] }
    }

    /// This image with `other`'s pages behind its own, so that one request may name pages of both.
    #[must_use]
    pub fn followed_by(&self, other: &Self) -> Self {
        let pages = self.pages.iter().chain(&other.pages).map(Arc::clone).collect();
        Self { name: self.name.clone(), pages }
    }

    /// The file's name, or what else the image is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The pages, at least one, in the order of the file.
    pub fn pages(&self) -> &[Arc<Page>] {
        &self.pages
    }

    /// The page numbered `index`, counted from 0.
    pub fn page(&self, index: usize) -> Option<&Arc<Page>> {
        self.pages.get(index)
    }
}
