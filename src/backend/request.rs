//! The request of a render: the one value that decides every pixel. Window, command line, tests and benches build the
//! same [`RenderRequest`]. A panel is rendered again exactly when its request differs from the last one.

use std::num::NonZeroU32;

use super::display::Display;
use super::out_of_range::OutOfRange;
use super::truth::TruthView;
use crate::complex::Component;
use crate::filter::{Chain, Filter, Filters, Stage, Step};
use crate::image::{Channels, Depth, MeanAccuracy, Page, Size};
use crate::rows::rows;
use crate::sampling::{Method, Sampler, SamplingPath, Taps};
use crate::view::View;
use crate::volume::{ObliquePlane, Orientation, Plane};
use crate::warp::{Warp, WarpedMap};

/// The properties of a content.
#[derive(Clone, Copy, Debug)]
pub struct ContentRow {
    /// The content.
    pub content: Content,
    /// Its name on the command line and in session files.
    pub name: &'static str,
    /// Its name in the window.
    pub title: &'static str,
    /// One-line description.
    pub help: &'static str,
}

rows! {
    /// What the values of a view are.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum Content {
        /// The samples, interpolated by the request's sampler.
        #[default]
        Interpolation => {
            name: "interpolation",
            title: "Interpolation",
            help: "the samples, interpolated by the method",
        },
        /// The truth of the page ([`Page::truth`]): of the sampler, the antialiasing alone has an effect, and of the filters
        /// those after the interpolation. Means without a closed form are by quadrature, as [`Formula::mean`] for floats and
        /// 16 bits; for 8 bits the root mean square of their errors is at most 10⁻³, and 2·10⁻³ for formulas with steps.
        ///
        /// [`Formula::mean`]: crate::image::Formula::mean
        Truth => {
            name: "truth",
            title: "Truth",
            help: "the values of the formula at every pixel, or of the original of a decimated image",
        },
    }

    /// The contents.
    pub static CONTENTS: [ContentRow { content, .. }];

    impl by_name;
}

/// Reason why a view has no truth.
#[derive(Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoTruth {
    /// The page has samples alone.
    #[error("the image has no formula and is not decimated from a larger one")]
    Samples,
    /// The view is warped.
    #[error("the view is warped")]
    Warped,
    /// The view shows an original between its samples.
    #[error(
        "the original has values at its own samples only: scale 1/{factor} without rotation, with a pixel on each of them"
    )]
    BetweenSamples {
        /// The factor by which the page was decimated.
        factor: NonZeroU32,
    },
}

/// Parameters of a render, as plain data. The image is a separate argument.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderRequest {
    /// Size of the output in pixels.
    pub size: Size,
    /// Position of each output pixel in the image, or with a warp its place in the plane of the picture.
    pub view: View,
    /// Displacement of the places: a position in the image for each.
    pub warp: Warp,
    /// What the values are.
    pub content: Content,
    /// Interpolation between samples.
    pub sampler: Sampler,
    /// Page of the image, counted from 0.
    pub page: usize,
    /// Plane of a page that is a volume; ignored for any other page.
    pub plane: Plane,
    /// Component of a page of complex numbers; ignored for any other page.
    pub component: Component,
    /// Filters of the samples, before the interpolation, and of the view's values, after it.
    pub filters: Filters,
    /// Request of the same size whose values are subtracted before the display mapping.
    pub subtract: Option<Box<RenderRequest>>,
    /// Display mapping of the values.
    pub display: Display,
}

impl RenderRequest {
    /// Maximum width of a stretched kernel along an axis, in samples: ten times that of a zoom to 1/1024.
    pub const MAX_SUPPORT: usize = 1 << 16;
    /// The same for a rotated view, whose pixels read the square of it.
    pub const MAX_ROTATED_SUPPORT: usize = 256;
    /// Smallest and largest blur of an antialiased kernel.
    pub const BLURS: (f64, f64) = (0.01, 100.0);

    /// Identity view of `size` on the first page, with the default sampler and display mapping.
    pub fn new(size: Size) -> Self {
        Self {
            size,
            view: View::default(),
            warp: Warp::None,
            content: Content::default(),
            sampler: Sampler::default(),
            page: 0,
            plane: Plane::default(),
            component: Component::default(),
            filters: Filters::default(),
            subtract: None,
            display: Display::default(),
        }
    }

    /// Request for the input of the filters after the interpolation: the view, extended on each side by the reach of these
    /// filters, so that they read no value beyond an edge. It has neither these filters nor subtraction or display mapping.
    ///
    /// # Errors
    /// If the filters reach further than [`Chain::MAX_REACH`], or the extended size is invalid.
    pub fn around_view(&self) -> Result<Self, RequestError> {
        let reach = self.filters.after.reach();
        let larger = |side: u32| side.saturating_add(2 * reach.min(Chain::MAX_REACH));
        let size = Size::new(larger(self.size.width()), larger(self.size.height()));
        let (Ok(size), true) = (size, reach <= Chain::MAX_REACH) else {
            return Err(RequestError::FilterReach { reach });
        };
        let filters = Filters { before: self.filters.before.clone(), after: Chain::default() };
        Ok(Self { size, filters, subtract: None, display: Display::default(), warp: self.warp.clone(), ..*self })
    }

    /// The map from output pixels to positions in an image of this size.
    pub fn map(&self, image: Size) -> WarpedMap {
        WarpedMap::new(self.view.image_from_output(self.size, image), &self.warp, image)
    }

    /// Whether one table for each axis has all positions: without rotation and without a warp.
    pub fn is_separable(&self) -> bool {
        self.view.is_axis_aligned() && self.warp.is_none()
    }

    /// Largest local scale of a warp to which a kernel is stretched: that of [`RenderRequest::MAX_ROTATED_SUPPORT`] samples.
    pub(crate) fn largest_local_scale(&self) -> f64 {
        let reach = 2.0 * self.sampler.method.kernel().radius * self.sampler.blur;
        (Self::MAX_ROTATED_SUPPORT - 2) as f64 / reach
    }

    /// Stretch of the kernel along x and y of the image in a view without a warp: scale times blur of an antialiased axis that
    /// zooms out, `None` for the others.
    pub fn stretches(&self) -> [Option<f64>; 2] {
        self.view.scales().map(|scale| self.sampler.stretch(scale))
    }

    /// Whether the kernel is stretched along an axis.
    pub fn is_stretched(&self) -> bool {
        self.stretches().iter().any(Option::is_some)
    }

    /// Samples and weights along x and y of the image, in a view without a warp.
    pub(crate) fn taps(&self) -> [Taps; 2] {
        self.view.scales().map(|scale| Taps::new(&self.sampler, scale))
    }

    /// Samples and weights along x and y of the image at an output position of a warped view.
    pub(crate) fn taps_at(&self, map: &WarpedMap, pos_in_output: [f64; 2]) -> [Taps; 2] {
        self.local_scale(map, pos_in_output).map(|scale| Taps::new(&self.sampler, scale))
    }

    /// Local scale along x and y of the image, as far as it stretches the kernel: 1 without antialiasing.
    pub(crate) fn local_scale(&self, map: &WarpedMap, pos_in_output: [f64; 2]) -> [f64; 2] {
        if !self.sampler.antialias {
            return [1.0; 2];
        }
        let largest = self.largest_local_scale();
        map.local_scale(pos_in_output).map(|scale| scale.min(largest))
    }

    /// Whether what is shown of a pixel follows from the sum of its weighted samples alone: no filter after the interpolation,
    /// no antiringing and no component that is computed from interpolated parts comes between.
    pub fn shows_sums(&self) -> bool {
        !self.filters.after.is_active() && !self.is_antiringed() && !self.is_derived()
    }

    /// Index of the first pixel, along x and y, in the endless lattice of pixels of the view, in which pixel 0 shows the
    /// image position (0, 0) to within a pixel. A pixel has the same index in views that differ by whole pixels, in their
    /// size or in both. Indices continue from 2³² − 1 with 0.
    pub fn first_pixel(&self, image: Size) -> [u32; 2] {
        // Off the usual fractions of a pixel, so that no rounding decides between two indices.
        const PHASE: f64 = 0.371_9;
        let zero = self.view.image_from_output(self.size, image).inverse_at([0.0; 2]);
        zero.map(|pixel| (PHASE - pixel).floor() as i64 as u32)
    }

    /// Whether this request's plane or that of the values that are subtracted is oblique.
    pub fn is_oblique(&self) -> bool {
        let mut requests = std::iter::once(self).chain(self.subtract.as_deref());
        requests.any(|request| request.plane.orientation.is_oblique())
    }

    /// Whether this request's values or those that are subtracted are computed from interpolated complex numbers.
    pub fn is_derived(&self) -> bool {
        let mut requests = std::iter::once(self).chain(self.subtract.as_deref());
        requests.any(|request| request.content == Content::Interpolation && request.component.is_derived())
    }

    /// The filters that act on this request's values and on those that are subtracted.
    pub fn all_filters(&self) -> impl Iterator<Item = &Step> {
        let filters = std::iter::once(&self.filters).chain(self.subtract.iter().map(|other| &other.filters));
        filters.flat_map(|filters| filters.before.active().chain(filters.after.active()))
    }

    /// Whether this request's values or those that are subtracted are the truth.
    pub fn has_truth(&self) -> bool {
        let requests = std::iter::once(self).chain(self.subtract.as_deref());
        requests.into_iter().any(|request| request.content == Content::Truth)
    }

    /// Whether this request's values or those that are subtracted are antiringed.
    pub fn is_antiringed(&self) -> bool {
        let requests = std::iter::once(self).chain(self.subtract.as_deref());
        let mut interpolated = requests.filter(|request| request.content == Content::Interpolation);
        interpolated.any(|request| request.sampler.is_antiringed())
    }

    /// Whether a filter acts on this request's values or on those that are subtracted.
    pub fn has_filters(&self) -> bool {
        self.all_filters().next().is_some()
    }

    /// Channels of the result for a page with channels `page`. A difference has no alpha; a colour map turns grey into
    /// colours.
    pub fn channels(&self, page: Channels) -> Channels {
        let channels = if self.subtract.is_some() { page.opaque() } else { page };
        match channels {
            Channels::Grey if !self.display.colour_map.is_grey() => Channels::Rgb,
            Channels::GreyAlpha if !self.display.colour_map.is_grey() => Channels::Rgba,
            channels => channels,
        }
    }

    /// Checks that a backend can serve this request for `page`, of a volume the page of its plane.
    ///
    /// # Errors
    /// If the plane is out of range, or oblique and the request needs samples of the plane; if the page has no truth where that
    /// is asked for; if the sampling path does not serve the method, the angle or antialiasing; if the kernel is too wide, or so narrow
    /// that its weights cancel; if the view or the filters after the interpolation reach too far; if a number of the display
    /// mapping is outside its range.
    pub fn check(&self, page: &Page) -> Result<(), RequestError> {
        match self.content {
            Content::Interpolation => self.check_sampler()?,
            Content::Truth => drop(TruthView::new(page, self, MeanAccuracy::FINE)?),
        }
        self.check_filters(page)?;
        self.check_plane(page)?;
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
            // A request of another page is checked by the backend, against that page.
            if (other.page, other.plane, other.component) == (self.page, self.plane, self.component) {
                other.check(page)?;
            }
        }
        Ok(())
    }

    /// Checks the plane of a volume. An oblique plane has no samples: what acts on samples, and what widens kernels or bounds
    /// values by samples, has nothing to act on.
    fn check_plane(&self, page: &Page) -> Result<(), RequestError> {
        let Plane { orientation, slice, time } = self.plane;
        if let Some(slice) = slice.filter(|slice| slice.is_nan() || slice.abs() > Plane::MAX_SLICE) {
            return Err(OutOfRange { name: "slice", range: "within ±1000000", value: slice }.into());
        }
        if time.is_nan() || time.abs() > Plane::MAX_TIME {
            return Err(OutOfRange { name: "time", range: "within ±1000000", value: time }.into());
        }
        if let Some(angle) =
            orientation.angles_deg().into_iter().find(|angle| angle.is_nan() || angle.abs() > Orientation::MAX_DEG)
        {
            return Err(OutOfRange { name: "angle of the plane", range: "within ±360", value: angle }.into());
        }
        if ObliquePlane::of(page).is_none() || self.content != Content::Interpolation {
            return Ok(());
        }
        if !matches!(self.sampler.path, SamplingPath::Auto | SamplingPath::Lookup) {
            return Err(RequestError::SamplingPath { path: self.sampler.path, what: "an oblique plane".to_owned() });
        }
        let what = if self.filters.before.is_active() {
            "filters before the interpolation"
        } else if self.sampler.is_antiringed() {
            "antiringing"
        } else if self.sampler.antialias && (self.is_stretched() || !self.warp.is_none()) {
            "antialiasing"
        } else {
            return Ok(());
        };
        Err(RequestError::Oblique { what })
    }

    /// Checks that every filter serves its stage and every mask the page.
    fn check_filters(&self, page: &Page) -> Result<(), RequestError> {
        if let Some(step) = self.filters.after.active().find(|step| !step.filter().serves(Stage::After)) {
            return Err(RequestError::FilterStage { filter: step.filter() });
        }
        let masks = self.filters.before.active().filter_map(|step| step.mask()?.size());
        masks
            .into_iter()
            .find(|mask| *mask != page.size())
            .map_or(Ok(()), |mask| Err(RequestError::MaskSize { mask, page: page.size() }))
    }

    /// Checks that a backend can interpolate with the sampler.
    fn check_sampler(&self) -> Result<(), RequestError> {
        let Sampler { method, path, border, blur, .. } = self.sampler;
        if !method.kernel().paths.contains(&path) {
            return Err(RequestError::SamplingPath { path, what: format!("method '{method}'") });
        }
        if !self.warp.is_none() && !matches!(path, SamplingPath::Auto | SamplingPath::Lookup) {
            return Err(RequestError::SamplingPath { path, what: "a warped view".to_owned() });
        }
        if path == SamplingPath::Tiled && !self.view.is_axis_aligned() {
            return Err(RequestError::SamplingPath { path, what: "a rotated view".to_owned() });
        }
        if !path.is_exact() && self.is_stretched() {
            return Err(RequestError::SamplingPath { path, what: "antialiased zoom-out".to_owned() });
        }
        if !border.is_finite() {
            return Err(OutOfRange { name: "border", range: "finite", value: f64::from(border) }.into());
        }
        if !(Self::BLURS.0..=Self::BLURS.1).contains(&blur) {
            return Err(OutOfRange { name: "blur", range: "between 0.01 and 100", value: blur }.into());
        }
        let antiringing = self.sampler.antiringing;
        if !(0.0..=1.0).contains(&antiringing) {
            return Err(OutOfRange { name: "antiring", range: "between 0 and 1", value: antiringing }.into());
        }
        let least = method.kernel().min_stretch();
        if let Some(stretch) = self.stretches().into_iter().flatten().find(|stretch| *stretch < least) {
            return Err(RequestError::Stretch { method, stretch });
        }
        if !self.warp.is_none() && self.sampler.antialias {
            // The local scale of a warp is any above 1, up to the one of the widest support.
            let kernel = method.kernel();
            if blur < kernel.min_stretch() {
                return Err(RequestError::Stretch { method, stretch: blur });
            }
            if self.largest_local_scale() < 1.0 {
                let samples = (2.0 * kernel.radius * blur) as usize + 2;
                return Err(RequestError::Support { samples, most: Self::MAX_ROTATED_SUPPORT });
            }
        }
        let most = if self.is_separable() { Self::MAX_SUPPORT } else { Self::MAX_ROTATED_SUPPORT };
        let too_wide = |taps: &Taps| taps.narrow().is_none() && taps.most() > most;
        if let Some(stretched) = self.taps().into_iter().find(too_wide) {
            return Err(RequestError::Support { samples: stretched.most(), most });
        }
        Ok(())
    }
}

/// The request that interpolates either part of the complex numbers of `request`, without its filters after the interpolation.
pub(super) fn of_parts(request: &RenderRequest) -> RenderRequest {
    let filters = Filters { before: request.filters.before.clone(), after: Chain::default() };
    RenderRequest { component: Component::Real, filters, subtract: None, ..request.clone() }
}

/// Layout of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PixelFormat {
    /// Integers up to a maxval, or single precision.
    pub depth: Depth,
    /// Whether all but opaque grey is expanded to RGBA, the format of textures. Otherwise the channels are
    /// [`RenderRequest::channels`].
    pub for_texture: bool,
}

impl PixelFormat {
    /// Format of the window's textures: 8 bits, one channel for grey, RGBA for the rest.
    pub const TEXTURE: Self = Self { depth: Depth::EIGHT, for_texture: true };

    /// Format of files: the result's own channels at `depth`.
    pub fn file(depth: Depth) -> Self {
        Self { depth, for_texture: false }
    }

    /// Channels in this format of a result whose own channels are `natural`.
    pub fn channels(self, natural: Channels) -> Channels {
        if self.for_texture && natural != Channels::Grey { Channels::Rgba } else { natural }
    }
}

/// From which stretch on the weights of `method` do not cancel, in words.
fn least_stretch(method: Method) -> String {
    let least = method.kernel().min_stretch();
    if least.is_finite() { format!("{least} is the least") } else { "they do at any stretch".to_owned() }
}

/// Reason why a request cannot be served.
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum RequestError {
    /// The sampling path does not serve the request.
    #[error("path '{path}' does not serve {what}")]
    SamplingPath {
        /// The sampling path.
        path: SamplingPath,
        /// The property of the request that it does not serve.
        what: String,
    },
    /// The view has no truth.
    #[error("no truth: {0}")]
    Truth(#[from] NoTruth),
    /// A number is outside its range.
    #[error(transparent)]
    Number(#[from] OutOfRange),
    /// Antialiasing makes the kernel too wide.
    #[error("antialiasing makes the kernel {samples} samples wide; {most} is the most for such a view")]
    Support {
        /// Its width.
        samples: usize,
        /// The maximum.
        most: usize,
    },
    /// Antialiasing narrows a kernel with negative lobes until its weights cancel: see
    /// [`MethodKernel::min_stretch`](crate::sampling::MethodKernel::min_stretch).
    #[error(
        "antialiasing stretches '{method}' by {stretch:.4} (scale times blur), where its weights cancel; {}",
        least_stretch(*.method)
    )]
    Stretch {
        /// The method.
        method: Method,
        /// Scale times blur.
        stretch: f64,
    },
    /// Positions are too large for 32-bit indices.
    #[error("the view reaches further than {} samples from the image", View::REACH)]
    Reach,
    /// The filters after the interpolation reach too far beyond the view.
    #[error("the filters after the interpolation reach {reach} pixels; they may reach {} in all", Chain::MAX_REACH)]
    FilterReach {
        /// Their reach in pixels.
        reach: u32,
    },
    /// A filter for samples is in the chain after the interpolation.
    #[error("filter '{filter}' fills samples: it is for the chain before the interpolation")]
    FilterStage {
        /// The filter.
        filter: Filter,
    },
    /// The mask of inpainting has another size than the page.
    #[error("the mask has {mask} samples, the image {page}")]
    MaskSize {
        /// Size of the mask.
        mask: Size,
        /// Size of the page.
        page: Size,
    },
    /// The request to subtract is itself a difference, or has another size.
    #[error("the request to subtract must have the same size and subtract nothing itself")]
    Subtract,
    /// The page of the request to subtract has other channels.
    #[error("a page is subtracted from one of the same channels only")]
    Channels,
    /// An oblique plane of a volume has no samples that this acts on.
    #[error("an oblique plane has no {what}: it has no samples of its own")]
    Oblique {
        /// What was asked for.
        what: &'static str,
    },
    /// The image has no such page.
    #[error("page {page} is not among the image's {count}", page = .page + 1)]
    Page {
        /// The page, counted from 0.
        page: usize,
        /// The number of pages.
        count: usize,
    },
}
