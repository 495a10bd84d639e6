//! A picture whose view moves by whole pixels: its pixels are moved, and the strips that come into view are rendered.
//!
//! ```text
//!   ┌──────────────┐      ┌─────────┬────┐
//!   │              │      │         │ s  │    the view moves right and down: what is kept moves left and up,
//!   │    kept      │  ──► │  kept   │ t  │    and a strip of columns and one of rows are rendered
//!   │              │      │         │ r  │
//!   │              │      ├─────────┘ i  │
//!   └──────────────┘      └───strip────p─┘
//! ```
//! The result has the bytes of a full render. Samples and weights of the columns and rows that are kept are compared bit by bit,
//! and so are the parameters of the arithmetic, which may depend on all columns and rows. What differs, and a view that is turned,
//! warped or followed by filters, is rendered in full.

use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use super::aligned::{Aligned, Lattice};
use super::frame::{Arithmetic, Frame};
use super::instructions::Instructions;
use super::{CpuBackend, Plan, with_samples};
use crate::backend::{BackendError, PixelFormat, RenderRequest, fit_raster, page_of};
use crate::image::{Channels, Depth, Image, PageId, Raster, Samples, Size};
use crate::view::ImageFromOutput;

/// Least number of columns or rows of a strip. Fewer have not all weights of their axis, on which the arithmetic may depend.
const MIN_STRIP: u32 = 64;
/// How far a pan may be from whole pixels, in pixels, for the comparison of its weights to be worthwhile.
const MAX_DEFECT_PX: f64 = 1e-3;

/// The last picture of a series of requests, kept for a view that moves by whole pixels.
#[derive(Debug)]
pub struct PannedPicture {
    raster: Raster,
    /// The strips of columns and of rows that were rendered last.
    strips: [Raster; 2],
    /// What `raster` shows, if it can be moved.
    kept: Option<Kept>,
    rendered_pixels: usize,
}

/// The request of a picture, and what decides its pixels.
#[derive(Debug)]
struct Kept {
    request: RenderRequest,
    page: PageId,
    format: PixelFormat,
    map: ImageFromOutput,
    lattice: Lattice,
    arithmetic: Arithmetic,
}

/// Columns and rows of a picture.
#[derive(Clone, Debug, PartialEq)]
struct Part {
    columns: Range<u32>,
    rows: Range<u32>,
}

impl Part {
    /// Its size; `None` if it is empty.
    fn size(&self) -> Option<Size> {
        Size::new(self.columns.end - self.columns.start, self.rows.end - self.rows.start).ok()
    }
}

/// A raster of one pixel.
fn pixel() -> Raster {
    Raster::zeros(Size::new(1, 1).expect("1 × 1 is a size"), Channels::Grey, Depth::EIGHT)
}

impl Default for PannedPicture {
    fn default() -> Self {
        pixel().into()
    }
}

impl From<Raster> for PannedPicture {
    /// A picture of an unknown request.
    fn from(raster: Raster) -> Self {
        Self { raster, strips: [pixel(), pixel()], kept: None, rendered_pixels: 0 }
    }
}

impl PannedPicture {
    /// The pixels.
    pub fn raster(&self) -> &Raster {
        &self.raster
    }

    /// Number of pixels that the last render computed: all, or those of the strips that came into view.
    pub fn rendered_pixels(&self) -> usize {
        self.rendered_pixels
    }

    /// Renders all pixels by `render`. The next request is rendered in full as well.
    ///
    /// # Errors
    /// Those of `render`.
    pub fn replace(
        &mut self,
        render: impl FnOnce(&mut Raster) -> Result<(), BackendError>,
    ) -> Result<(), BackendError> {
        self.kept = None;
        let rendered = render(&mut self.raster);
        self.rendered_pixels = self.raster.size().area();
        rendered
    }

    /// Moves the pixels to those `by` columns and rows further left and up. Others are undefined.
    fn move_pixels(&mut self, by: [i64; 2]) {
        let [width, _] = self.raster.size().sides();
        let distance = (by[1] * i64::from(width) + by[0]) * self.raster.channels().count() as i64;
        let places = distance.unsigned_abs() as usize;
        with_samples!(self.raster.samples_mut(), |numbers, _maxval| {
            let len = numbers.len();
            if distance > 0 { numbers.copy_within(places.., 0) } else { numbers.copy_within(..len - places, places) }
        });
    }

    /// Puts the strip of `axis`, which is `part`, into the picture.
    fn put_strip(&mut self, axis: usize, part: &Part) {
        let channels = self.raster.channels().count();
        let width = self.raster.size().width() as usize;
        let rows = (part.rows.start as usize * width + part.columns.start as usize) * channels..;
        let strides = [width, part.columns.len()].map(|columns| columns * channels);
        match (self.raster.samples_mut(), self.strips[axis].samples()) {
            (Samples::U8 { values, .. }, Samples::U8 { values: strip, .. }) => put(&mut values[rows], strip, strides),
            (Samples::U16 { values, .. }, Samples::U16 { values: strip, .. }) => put(&mut values[rows], strip, strides),
            (Samples::F32(values), Samples::F32(strip)) => put(&mut values[rows], strip, strides),
            _ => unreachable!("strips have the number type of the picture"),
        }
    }
}

/// Copies the rows of `strip` to the begins of the rows of `to`. `strides`: numbers of a row of `to`, and of one of the strip.
fn put<T: Copy>(to: &mut [T], strip: &[T], [stride, len]: [usize; 2]) {
    for (to, strip) in to.chunks_mut(stride).zip(strip.chunks_exact(len)) {
        to[..len].copy_from_slice(strip);
    }
}

impl Kept {
    /// What is kept of `frame`, which has the format of `out`; `None` if its pixels cannot be moved.
    fn of(
        frame: &Frame,
        image: &Image,
        (request, format): (&RenderRequest, PixelFormat),
        out: &Raster,
        instructions: Instructions,
    ) -> Option<Self> {
        let arithmetic = frame.arithmetic(out, instructions)?;
        let Plan::Aligned(aligned, None) = &frame.first else { return None };
        let page = page_of(image, request).ok()?;
        Some(Self {
            lattice: aligned.lattice()?,
            map: request.view.image_from_output(request.size, page.size()),
            page: image.page(request.page)?.id(),
            request: request.clone(),
            format,
            arithmetic,
        })
    }

    /// Columns and rows by which the view of `new` lies right of and below this one; `None` if more than that differs, or if no pixel
    /// of this is in view.
    fn pan_to(&self, new: &Self) -> Option<[i64; 2]> {
        let [from, to] = [self, new].map(|kept| kept.request.view);
        if from.scales() != to.scales() || (self.page, self.format) != (new.page, new.format) {
            return None;
        }
        let mut by = [0; 2];
        for (axis, by) in by.iter_mut().enumerate() {
            let pixels = (to.translation()[axis] - from.translation()[axis]) / from.scales()[axis];
            let is_whole = (pixels - pixels.round()).abs() <= MAX_DEFECT_PX;
            if !is_whole || pixels.abs() >= f64::from(new.request.size.sides()[axis]) {
                return None;
            }
            *by = pixels.round() as i64;
        }
        let is_alike = self.arithmetic == new.arithmetic
            && new.request == (RenderRequest { view: to, ..self.request.clone() })
            && self.lattice.is_moved(&new.lattice, by);
        (is_alike && by != [0; 2]).then_some(by)
    }
}

/// Columns that a pan by `by` brings into a picture of `size`, and rows; `None` if they have as many pixels as the picture.
fn strips(size: Size, by: [i64; 2]) -> Option<[Option<Part>; 2]> {
    let sides = size.sides();
    let range = |axis: usize| {
        let count = u32::try_from(by[axis].unsigned_abs()).unwrap_or(sides[axis]).max(MIN_STRIP).min(sides[axis]);
        if by[axis] > 0 { sides[axis] - count..sides[axis] } else { 0..count }
    };
    let columns = (by[0] != 0).then(|| Part { columns: range(0), rows: 0..sides[1] });
    let rows = (by[1] != 0).then(|| Part { columns: 0..sides[0], rows: range(1) });
    let parts = [columns, rows];
    let pixels: usize = parts.iter().flatten().map(|part| part.columns.len() * part.rows.len()).sum();
    (pixels < size.area()).then_some(parts)
}

impl CpuBackend {
    /// Renders `request` into `picture`: what came into view, where the view moved by whole pixels.
    pub(super) fn pan(
        &mut self,
        image: &Image,
        request: &RenderRequest,
        format: PixelFormat,
        picture: &mut PannedPicture,
    ) -> Result<(), BackendError> {
        let start = Instant::now();
        let last = picture.kept.take();
        let frame = self.frame(image, request, format, &mut picture.raster)?;
        let new = Kept::of(&frame, image, (request, format), &picture.raster, self.instructions);
        let pan = last.zip(new.as_ref()).and_then(|(last, new)| {
            let by = last.pan_to(new)?;
            Some((by, self.frames_of_strips(&frame, (new, by), picture)?))
        });
        match pan {
            Some((by, frames)) => {
                picture.move_pixels(by);
                picture.rendered_pixels = 0;
                for (axis, of_strip) in frames.into_iter().enumerate() {
                    if let Some((part, frame)) = of_strip {
                        frame.write(&mut picture.strips[axis], &self.work, self.instructions);
                        picture.put_strip(axis, &part);
                        picture.rendered_pixels += picture.strips[axis].size().area();
                    }
                }
            }
            None => {
                frame.write(&mut picture.raster, &self.work, self.instructions);
                picture.rendered_pixels = picture.raster.size().area();
            }
        }
        self.finished(start)?;
        picture.kept = new;
        Ok(())
    }

    /// The strips of columns and of rows that a pan of `frame` brings into view, and their pixels. `None` if they are no part of
    /// the frame by their arithmetic, or are all of it.
    fn frames_of_strips(
        &mut self,
        frame: &Frame,
        (new, by): (&Kept, [i64; 2]),
        picture: &mut PannedPicture,
    ) -> Option<[Option<(Part, Frame)>; 2]> {
        let Plan::Aligned(aligned, None) = &frame.first else { return None };
        let mut frames = [None, None];
        for (axis, part) in strips(new.request.size, by)?.into_iter().enumerate() {
            let Some(part) = part else { continue };
            let request = RenderRequest { size: part.size()?, ..new.request.clone() };
            let map = new.map.beginning_at([part.columns.start, part.rows.start]);
            let prepared = Arc::clone(&aligned.prepared);
            let strip = Aligned::new(prepared, &request, &map, &mut self.axes, self.instructions);
            let of_strip = Frame { first: Plan::Aligned(strip, None), second: None, ..*frame };
            let (out, raster) = (&mut picture.strips[axis], &picture.raster);
            fit_raster(out, &request, raster.channels(), raster.depth());
            if of_strip.arithmetic(out, self.instructions) != Some(new.arithmetic) {
                return None;
            }
            frames[axis] = Some((part, of_strip));
        }
        Some(frames)
    }
}
