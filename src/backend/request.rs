//! The one value that decides every pixel. Window, command line, tests and benches fill the same [`RenderRequest`]; a
//! panel renders again exactly when its request differs from its last.

use super::display::Display;
use super::out_of_range::OutOfRange;
use crate::filter::{Chain, Filters, Step};
use crate::image::{Channels, Depth, Page, Size};
use crate::sampling::{Method, Path, Sampler, Taps};
use crate::view::View;

/// What is asked of a backend. Plain data; the image is given beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderRequest {
    /// The output's size in pixels.
    pub size: Size,
    /// Which place of the image each pixel shows.
    pub view: View,
    /// How a value between samples is made.
    pub sampler: Sampler,
    /// Which page of the image, counted from 0.
    pub page: usize,
    /// What is done to the samples before they are interpolated, and to the view's values after.
    pub filters: Filters,
    /// A second request, of the same size, whose values are subtracted before the display mapping.
    pub subtract: Option<Box<RenderRequest>>,
    /// What becomes of the values on their way to the screen or the file.
    pub display: Display,
}

impl RenderRequest {
    /// The widest stretched kernel along an axis, in samples: ten times what zooming to 1/1024 needs.
    pub const MAX_SUPPORT: usize = 1 << 16;
    /// The widest where the view is rotated, since every pixel then reads the square of it.
    pub const MAX_ROTATED_SUPPORT: usize = 256;

    /// The identity view of `size` with the default sampler, display and the first page.
    pub fn new(size: Size) -> Self {
        Self {
            size,
            view: View::default(),
            sampler: Sampler::default(),
            page: 0,
            filters: Filters::default(),
            subtract: None,
            display: Display::default(),
        }
    }

    /// The request whose values the filters after the interpolation work on: the same view with as much more around it
    /// as they reach, so that they never meet an edge; without them, without the subtraction and without the display
    /// mapping.
    ///
    /// # Errors
    /// Where they reach further than [`Chain::MOST_REACH`], or the larger size is none.
    pub fn around_view(&self) -> Result<Self, RequestError> {
        let reach = self.filters.after.reach();
        let larger = |side: u32| side.saturating_add(2 * reach.min(Chain::MOST_REACH));
        let size = Size::new(larger(self.size.width()), larger(self.size.height()));
        let (Ok(size), true) = (size, reach <= Chain::MOST_REACH) else {
            return Err(RequestError::FilterReach { reach });
        };
        let filters = Filters { before: self.filters.before.clone(), after: Chain::default() };
        Ok(Self { size, filters, subtract: None, display: Display::default(), ..*self })
    }

    /// The filters that act on this request's values and on those that are subtracted.
    pub fn all_filters(&self) -> impl Iterator<Item = &Step> {
        let filters = std::iter::once(&self.filters).chain(self.subtract.iter().map(|other| &other.filters));
        filters.flat_map(|filters| filters.before.active().chain(filters.after.active()))
    }

    /// Whether a filter acts on this request's values or on those that are subtracted.
    pub fn has_filters(&self) -> bool {
        self.all_filters().next().is_some()
    }

    /// What a pixel of the result is made of, for a page of these channels: a difference has no alpha, and a colour map
    /// turns grey into colour.
    pub fn channels(&self, page: Channels) -> Channels {
        let channels = if self.subtract.is_some() { page.opaque() } else { page };
        match channels {
            Channels::Grey if !self.display.colour_map.is_grey() => Channels::Rgb,
            Channels::GreyAlpha if !self.display.colour_map.is_grey() => Channels::Rgba,
            channels => channels,
        }
    }

    /// Says why no backend can serve this request for `page`.
    ///
    /// # Errors
    /// Where the sampling path does not serve the method, the angle or antialiasing; where the kernel becomes too wide,
    /// or so narrow that its weights cancel; where the view, or the filters after it, reach too far; where the
    /// display's numbers are no numbers.
    pub fn check(&self, page: &Page) -> Result<(), RequestError> {
        let Sampler { method, path, border, blur, .. } = self.sampler;
        if !method.kernel().paths.contains(&path) {
            return Err(RequestError::Path { path, what: format!("method '{method}'") });
        }
        if path == Path::Tiled && !self.view.is_axis_aligned() {
            return Err(RequestError::Path { path, what: "a rotated view".to_owned() });
        }
        if path == Path::Filtered && self.sampler.stretch(self.view.scale()).is_some() {
            return Err(RequestError::Path { path, what: "antialiased zoom-out".to_owned() });
        }
        if !border.is_finite() {
            return Err(OutOfRange { name: "border", range: "finite", value: f64::from(border) }.into());
        }
        if !(0.01..=100.0).contains(&blur) {
            return Err(OutOfRange { name: "blur", range: "between 0.01 and 100", value: blur }.into());
        }
        if let Some(stretch) = self.sampler.stretch(self.view.scale())
            && stretch < method.kernel().min_stretch()
        {
            return Err(RequestError::Stretch { method, stretch });
        }
        let stretched = Taps::new(&self.sampler, self.view.scale());
        let most = if self.view.is_axis_aligned() { Self::MAX_SUPPORT } else { Self::MAX_ROTATED_SUPPORT };
        if stretched.narrow().is_none() && stretched.most() > most {
            return Err(RequestError::Support { samples: stretched.most(), most });
        }
        let size = self.around_view()?.size;
        let map = self.view.image_from_output(size, page.size());
        let (right, bottom) = (f64::from(size.width()), f64::from(size.height()));
        for corner in [[0.0, 0.0], [right, 0.0], [0.0, bottom], [right, bottom]] {
            if map.at(corner).iter().any(|x| x.is_nan() || x.abs() > View::REACH) {
                return Err(RequestError::Reach);
            }
        }
        self.display.check()?;
        if let Some(other) = &self.subtract {
            if other.subtract.is_some() || other.size != self.size {
                return Err(RequestError::Subtract);
            }
            // Where it is of another page, whoever renders checks it against that one.
            if other.page == self.page {
                other.check(page)?;
            }
        }
        Ok(())
    }
}

/// How the result's numbers are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PixelFormat {
    /// Integers up to a maxval, or single precision.
    pub depth: Depth,
    /// Whether anything but opaque grey becomes RGBA, as a graphics texture likes it; otherwise the channels are
    /// [`RenderRequest::channels`].
    pub for_texture: bool,
}

impl PixelFormat {
    /// Eight bits; one channel for grey, RGBA for the rest: what a window shows.
    pub const TEXTURE: Self = Self { depth: Depth::EIGHT, for_texture: true };

    /// Natural channels at `depth`: what a file holds.
    pub fn file(depth: Depth) -> Self {
        Self { depth, for_texture: false }
    }

    /// The channels of a result that naturally has `natural`.
    pub fn channels(self, natural: Channels) -> Channels {
        if self.for_texture && natural != Channels::Grey { Channels::Rgba } else { natural }
    }
}

/// From which stretch on the weights of `method` do not cancel, in words.
fn least_stretch(method: Method) -> String {
    let least = method.kernel().min_stretch();
    if least.is_finite() { format!("{least} is the least") } else { "they do at any stretch".to_owned() }
}

/// Why a request cannot be served.
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum RequestError {
    /// The sampling path does not serve it.
    #[error("path '{path}' does not serve {what}")]
    Path {
        /// The path asked for.
        path: Path,
        /// What it does not serve.
        what: String,
    },
    /// A number is out of its range.
    #[error(transparent)]
    Number(#[from] OutOfRange),
    /// Antialiasing makes the kernel too wide.
    #[error("antialiasing makes the kernel {samples} samples wide; {most} is the most for such a view")]
    Support {
        /// How wide it would be.
        samples: usize,
        /// How wide it may be.
        most: usize,
    },
    /// Antialiasing narrows a kernel with negative lobes until its weights cancel: see
    /// [`MethodKernel::min_stretch`](crate::sampling::MethodKernel::min_stretch).
    #[error(
        "antialiasing stretches '{method}' by {stretch:.4} (scale times blur), where its weights cancel; {}",
        least_stretch(*.method)
    )]
    Stretch {
        /// Whose kernel.
        method: Method,
        /// Scale times blur.
        stretch: f64,
    },
    /// Positions are too large for 32-bit indices.
    #[error("the view reaches further than {} samples from the image", View::REACH)]
    Reach,
    /// The filters after the interpolation look too far around the view.
    #[error("the filters after the interpolation reach {reach} pixels; they may reach {} in all", Chain::MOST_REACH)]
    FilterReach {
        /// How far they reach.
        reach: u32,
    },
    /// The request to subtract is itself a difference, or has another size.
    #[error("the request to subtract must have the same size and subtract nothing itself")]
    Subtract,
    /// The request to subtract is of a page with other channels.
    #[error("a page is subtracted from one of the same channels only")]
    Channels,
    /// The image has no such page.
    #[error("page {page} is not among the image's {count}", page = .page + 1)]
    Page {
        /// The page asked for, counted from 0.
        page: usize,
        /// How many there are.
        count: usize,
    },
}
