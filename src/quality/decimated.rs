//! Truth from a file: an image is decimated, and interpolated back it should be the original.
//!
//! ```text
//!   original   0   1   2   3   4   5   6   7     n = 4: sample k of the decimated image is the centre of
//!              └──── 0 ────┘   └──── 1 ────┘     original samples 4k … 4k + 3, at 4k + 1½
//! ```

use std::num::NonZeroU32;
use std::sync::Arc;

use crate::backend::{BackendError, CpuBackend, PixelFormat, RenderRequest, render};
use crate::filter::ExecOptions;
use crate::image::{Depth, Image, Original, Page, Size, Truth};
use crate::memory::{Demand, Memory};
use crate::rows::rows;
use crate::sampling::{Method, Sampler};
use crate::view::{View, ViewError};

/// The properties of a decimation filter.
#[derive(Clone, Copy, Debug)]
pub struct DecimationRow {
    /// The filter.
    pub decimation: Decimation,
    /// Name on the command line.
    pub name: &'static str,
    /// Name in the window.
    pub title: &'static str,
    /// One-line description.
    pub help: &'static str,
    /// The method that antialiasing widens by n.
    pub method: Method,
    /// Whether menus offer it.
    pub is_offered: bool,
}

rows! {
    /// Filter of a decimation.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Decimation {
        /// Mean of n × n samples.
        #[default]
        Box => {
            name: "box",
            title: "box",
            help: "the mean of N × N samples",
            method: Method::Nearest,
            is_offered: true,
        },
        /// Lanczos 3, widened by n.
        Lanczos => {
            name: "lanczos",
            title: "Lanczos",
            help: "Lanczos 3, N times as wide",
            method: Method::LANCZOS3,
            is_offered: true,
        },
        /// Linear, widened by n.
        Linear => {
            name: "linear",
            title: "linear",
            help: "linear, N times as wide: a tent",
            method: Method::Linear,
            is_offered: false,
        },
        /// The cubic B-spline, widened by n.
        BSpline => {
            name: "bspline",
            title: "B-spline",
            help: "the cubic B-spline, N times as wide",
            method: Method::BSPLINE,
            is_offered: false,
        },
        /// Catmull-Rom, widened by n.
        CatmullRom => {
            name: "catmull-rom",
            title: "Catmull-Rom",
            help: "Catmull-Rom, N times as wide",
            method: Method::CATMULL_ROM,
            is_offered: false,
        },
        /// Mitchell-Netravali, widened by n.
        Mitchell => {
            name: "mitchell",
            title: "Mitchell",
            help: "Mitchell-Netravali, N times as wide",
            method: Method::MITCHELL,
            is_offered: false,
        },
        /// Lanczos 2, widened by n.
        Lanczos2 => {
            name: "lanczos2",
            title: "Lanczos 2",
            help: "Lanczos 2, N times as wide",
            method: Method::LANCZOS2,
            is_offered: false,
        },
        /// Lanczos 4, widened by n.
        Lanczos4 => {
            name: "lanczos4",
            title: "Lanczos 4",
            help: "Lanczos 4, N times as wide",
            method: Method::LANCZOS4,
            is_offered: false,
        },
    }

    /// The decimation filters, in the order of help.
    pub static DECIMATIONS: [DecimationRow { decimation, .. }];

    impl by_name, Display;
}

/// Reason why a page is not decimated.
#[derive(Clone, thiserror::Error)]
pub enum DecimateError {
    /// The factor is below 2 or above the shorter side.
    #[error("an image of {size} is decimated by 2 to {most}, not by {factor}", most = .size.width().min(.size.height()))]
    Factor {
        /// The factor.
        factor: u32,
        /// Size of the image.
        size: Size,
    },
    /// The scale 1/n or n is out of range.
    #[error(transparent)]
    View(#[from] ViewError),
    /// The decimation failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
}

/// A decimated page and its original.
#[derive(Debug)]
pub struct Decimated {
    /// The decimated page, floats without alpha, with its original as its truth.
    pub page: Page,
    /// Size of the original; rows and columns beyond a multiple of n at the right and at the bottom are cut off.
    pub original: Size,
    /// View in which each pixel of an output of the original's size is at the position of an original sample:
    /// x = (i − (n − 1)/2)/n.
    pub view: View,
}

impl Decimated {
    /// Decimates `page` by `factor` along both axes.
    ///
    /// # Errors
    /// [`DecimateError`] for a factor out of range, and where memory is short or the work is cancelled.
    pub fn new(page: &Page, factor: u32, by: Decimation, work: &ExecOptions) -> Result<Self, DecimateError> {
        Self::by_method(page, factor, by.row().method, work)
    }

    /// The same with any method, widened by `factor`.
    ///
    /// # Errors
    /// As [`Decimated::new`], and for a method whose weights cancel at this width.
    pub fn by_method(page: &Page, factor: u32, method: Method, work: &ExecOptions) -> Result<Self, DecimateError> {
        let wrong = || DecimateError::Factor { factor, size: page.size() };
        let [width, height] = page.size().sides().map(|side| side.checked_div(factor).unwrap_or(0));
        let size = Size::new(width, height).ok().filter(|_| factor > 1).ok_or_else(wrong)?;
        let whole = whole(page, factor).ok_or_else(wrong)?;
        let values = (whole.area() * page.channels().opaque().count()) as u64;
        let mut demand = Demand::default();
        // The page that is decimated and the truth.
        demand.hold(|| format!("{whole} samples as floats take"), 2 * values * size_of::<f32>() as u64);
        Memory::Machine.check(&demand).map_err(BackendError::from)?;
        let original = page.raster().floats([0, 0], whole);
        let n = f64::from(factor);
        let request = RenderRequest {
            view: View::new([(n - 1.0) / 2.0; 2], n)?,
            sampler: Sampler { antialias: true, ..Sampler::default().with_method(method) },
            ..RenderRequest::new(size)
        };
        let mut backend = CpuBackend::new();
        crate::backend::Backend::set_exec_options(&mut backend, work.clone());
        let full = Image::of_page("original", Page::new(original.clone()));
        let decimated = render(&mut backend, &full, &request, PixelFormat::file(Depth::Float))?;
        let view = View::new([(1.0 / n - 1.0) / 2.0; 2], 1.0 / n)?;
        let factor = NonZeroU32::new(factor).ok_or_else(wrong)?;
        let truth = Truth::Original(Arc::new(Original::new(original, factor)));
        Ok(Self { page: Page::new(decimated).with_truth(truth), original: whole, view })
    }
}

/// The size of the part of `page` that is decimated: multiples of `factor`; `None` where nothing is left.
fn whole(page: &Page, factor: u32) -> Option<Size> {
    let [width, height] = page.size().sides().map(|side| side.checked_div(factor).unwrap_or(0) * factor);
    Size::new(width, height).ok()
}

/// Whether `page` was decimated from a page with the values of `of`.
pub fn is_decimated_from(page: &Page, of: &Page) -> bool {
    let Some(Truth::Original(original)) = page.truth() else { return false };
    let is_whole = |whole: Size| *original.raster() == of.raster().floats([0, 0], whole);
    whole(of, original.factor().get()).filter(|whole| *whole == original.raster().size()).is_some_and(is_whole)
}
