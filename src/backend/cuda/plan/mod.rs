//! The plan of a request: which kernels render it, a pure function of the request, the page and the device's limits. A plan is
//! chosen only if its kernels read the weights of the request's method as data.

pub(crate) mod columns;
pub(crate) mod direct;
pub(crate) mod kernel_curve;
pub(crate) mod prefilter_poles;
pub(crate) mod slices;
pub(crate) mod tiled;
pub(crate) mod weight_polynomials;
pub(crate) mod weights;

#[cfg(test)]
mod device_twin;
#[cfg(test)]
mod weight_tests;

use self::columns::{Columns, ColumnsView};
use self::direct::{Direct, DirectView};
use self::tiled::Tile;
use self::weight_polynomials::WeightForm;
use super::driver::limits::Limits;
use crate::backend::{
    BackendError, BackendKind, DeviceKernel, DeviceKernelKind, DeviceWeights, Feature, KernelVariant, RenderRequest,
};
use crate::image::{Channels, Page, Samples};
use crate::sampling::{Method, MethodKernel, SamplingPath};

/// The most blocks that a grid has downwards.
pub(crate) const MAX_GRID_ROWS: u32 = 65_535;

/// Threads of a block of one thread a pixel, unless a measurement asks for another shape: a warp is 16 pixels wide and 2 rows
/// tall, so that it fills what a surface keeps together.
pub(crate) const PIXEL_BLOCK: [u32; 2] = [16, 16];

/// How a request is rendered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LaunchPlan {
    /// One launch, a footprint a block.
    Tiled(Tile),
    /// One launch, samples straight to registers.
    Direct(Direct),
    /// One launch, samples straight to registers, of any plane and address mode.
    Columns(Columns),
    /// Two launches by axis tables.
    Passes,
    /// 2 × 2 gathers, weights of this form.
    Gather(WeightForm),
    /// Single point fetches, weights of this form.
    Points(WeightForm),
    /// The texture unit interpolates.
    Filtered(Fetches),
    /// As `Filtered`, with the weights of the cubic B-spline from a table.
    FilteredTable,
    /// Plain memory, pixel by pixel: rotated views of stretched kernels, of kernels of many taps, and of planes larger than a
    /// texture.
    Memory,
    /// A warp, pixel by pixel from plain memory.
    Warped,
}

impl LaunchPlan {
    /// Its kernel, and the weights that it evaluates for `method`.
    pub(crate) fn kernel(self, method: Method) -> DeviceKernel {
        let polynomials = || match weights::polynomials(method).map(|weights| weights.form()) {
            Some(WeightForm::Lanczos) => DeviceWeights::Lanczos,
            Some(WeightForm::Segments) => DeviceWeights::Segments,
            Some(WeightForm::Linear | WeightForm::SymmetricCubic | WeightForm::Cubic) | None => DeviceWeights::Cubic,
        };
        let (kind, weights) = match self {
            Self::Tiled(_) => (DeviceKernelKind::Tiled, polynomials()),
            Self::Direct(Direct { unit: true, .. }) => (DeviceKernelKind::DirectUnit, polynomials()),
            Self::Direct(Direct { unit: false, .. }) => (DeviceKernelKind::DirectSpread, polynomials()),
            Self::Columns(_) => (DeviceKernelKind::Columns, polynomials()),
            Self::Gather(form) => (DeviceKernelKind::Gather, form.weights()),
            Self::Points(form) => (DeviceKernelKind::Points, form.weights()),
            Self::Filtered(Fetches::Point | Fetches::Linear) => (DeviceKernelKind::Filtered, DeviceWeights::Linear),
            Self::Filtered(Fetches::Pairs | Fetches::Middle) => (DeviceKernelKind::Filtered, DeviceWeights::Symmetric),
            Self::FilteredTable => (DeviceKernelKind::Filtered, DeviceWeights::LookUpTable),
            Self::Passes => (DeviceKernelKind::Passes, DeviceWeights::Curve),
            Self::Memory | Self::Warped => (DeviceKernelKind::Memory, DeviceWeights::Curve),
        };
        DeviceKernel { kind, weights }
    }
}

impl WeightForm {
    /// The weights that a kernel with entries for each form evaluates.
    fn weights(self) -> DeviceWeights {
        match self {
            Self::Linear => DeviceWeights::Linear,
            Self::SymmetricCubic => DeviceWeights::Symmetric,
            Self::Cubic => DeviceWeights::Cubic,
            Self::Lanczos => DeviceWeights::Lanczos,
            Self::Segments => DeviceWeights::Segments,
        }
    }
}

/// How `filtered` makes fetches of the samples along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Fetches {
    /// One fetch at the nearest sample.
    Point,
    /// One bilinear fetch.
    Linear,
    /// Four samples as two bilinear fetches: cubics without negative weights.
    Pairs,
    /// Four samples as one bilinear fetch between two single ones: cubics with negative outer weights.
    Middle,
}

impl Fetches {
    pub(crate) const ALL: [Self; 4] = [Self::Point, Self::Linear, Self::Pairs, Self::Middle];

    /// The fetches of `kernel`, whose weights have this form; `None` if the texture unit does not serve it.
    fn of(kernel: &MethodKernel, form: WeightForm) -> Option<Self> {
        if !kernel.paths.contains(&SamplingPath::Filtered) {
            return None;
        }
        match (form, kernel.taps) {
            (WeightForm::Cubic, 1) => Some(Self::Point),
            (WeightForm::Linear, 2) => Some(Self::Linear),
            (WeightForm::SymmetricCubic, 4) if kernel.weight(1.5) < 0.0 => Some(Self::Middle),
            (WeightForm::SymmetricCubic, 4) => Some(Self::Pairs),
            _ => None,
        }
    }
}

/// What the data of a request and the device's limits allow.
struct Served<'a> {
    limits: &'a Limits,
    page: &'a Page,
    request: &'a RenderRequest,
    kernel: MethodKernel,
    /// The form of the weights by fraction; `None` if the method has no such weights on CUDA.
    form: Option<WeightForm>,
}

impl<'a> Served<'a> {
    fn new(limits: &'a Limits, page: &'a Page, request: &'a RenderRequest) -> Self {
        let method = request.sampler.method;
        let form = weights::polynomials(method).map(|weights| weights.form());
        Self { limits, page, request, kernel: method.kernel(), form }
    }

    fn is_colour(&self) -> bool {
        self.page.channels() != Channels::Grey
    }

    fn is_stretched(&self) -> bool {
        self.request.is_stretched()
    }

    /// Whether the plane's sides are within these limits.
    fn is_within(&self, most: [u32; 2]) -> bool {
        let stored = |axis: usize| self.page.size().sides()[axis] + 2 * self.request.sampler.halo(axis);
        stored(0) <= most[0] && stored(1) <= most[1]
    }

    /// The form of weights of `lookup`, which reads a texture.
    fn textured(&self) -> Option<WeightForm> {
        self.form.filter(|_| !self.is_stretched() && self.is_within(self.limits.texture))
    }

    fn points(&self) -> Option<LaunchPlan> {
        self.textured().map(LaunchPlan::Points)
    }

    fn gather(&self) -> Option<LaunchPlan> {
        let gathers = !self.is_colour() && self.kernel.taps > 1 && self.is_within(self.limits.gather);
        self.textured().filter(|_| gathers).map(LaunchPlan::Gather)
    }

    fn filtered(&self) -> Option<LaunchPlan> {
        self.form.and_then(|form| Fetches::of(&self.kernel, form)).map(LaunchPlan::Filtered)
    }

    fn filtered_table(&self) -> Option<LaunchPlan> {
        self.kernel.paths.contains(&SamplingPath::FilteredTable).then_some(LaunchPlan::FilteredTable)
    }

    fn tiled(&self) -> Option<LaunchPlan> {
        let (view, size) = (&self.request.view, self.request.size);
        if self.form.is_none() || self.is_stretched() || !view.is_axis_aligned() {
            return None;
        }
        Tile::new(self.limits, self.is_colour(), self.kernel.taps as u32, view.scales(), size)
            .filter(|tile| tile.grid(size).1 <= MAX_GRID_ROWS)
            .map(LaunchPlan::Tiled)
    }

    /// From registers: a grey page of integers without filters or coefficients.
    fn direct(&self) -> Option<LaunchPlan> {
        let Self { page, request, .. } = *self;
        let integers = page.channels() == Channels::Grey && !matches!(page.raster().samples(), Samples::F32(_));
        if self.is_stretched() || request.sampler.uses_coefficients() || request.filters.before.is_active() || !integers
        {
            return None;
        }
        let map = request.view.image_from_output(request.size, page.size());
        let stored = page.size().sides();
        let view = DirectView { map: &map, stored, size: request.size };
        Direct::new(self.limits, &self.kernel, self.form?, view)
            .filter(|direct| direct.grid(request.size).1 <= MAX_GRID_ROWS)
            .map(LaunchPlan::Direct)
    }

    /// Whether the plane that is interpolated holds single-precision numbers.
    fn reads_floats(&self) -> bool {
        let Self { page, request, .. } = *self;
        matches!(page.raster().samples(), Samples::F32(_))
            || page.channels().has_alpha()
            || request.sampler.uses_coefficients()
            || request.filters.before.is_active()
    }

    /// From registers: any plane.
    fn columns(&self, is_wanted: impl FnOnce(Columns, ColumnsView<'_>) -> bool) -> Option<LaunchPlan> {
        let Self { page, request, .. } = *self;
        if self.form.is_none() || self.is_stretched() {
            return None;
        }
        let map = request.view.image_from_output(request.size, page.size());
        let (colour, floats) = (self.is_colour(), self.reads_floats());
        let view = ColumnsView { map: &map, size: request.size, colour, floats };
        Columns::new(self.limits, &self.kernel, view)
            .filter(|columns| is_wanted(*columns, view))
            .map(LaunchPlan::Columns)
    }

    fn passes(&self) -> Option<LaunchPlan> {
        self.request.view.is_axis_aligned().then_some(LaunchPlan::Passes)
    }

    fn memory(&self) -> Option<LaunchPlan> {
        weights::kernel_curve(self.request.sampler.method).map(|_| LaunchPlan::Memory)
    }

    fn warped(&self) -> Option<LaunchPlan> {
        weights::kernel_curve(self.request.sampler.method).map(|_| LaunchPlan::Warped)
    }

    /// By tables if the view is not rotated, else pixel by pixel: serves every kernel.
    fn general(&self) -> Option<LaunchPlan> {
        self.passes().or_else(|| self.memory())
    }
}

/// The plan of `request` for `page`.
///
/// # Errors
/// [`BackendError::Limit`] for a texture or an output that the device does not have, [`BackendError::Unsupported`] for a kernel that
/// has no weights on CUDA for this view, and for antiringing.
pub(crate) fn launch_plan(limits: &Limits, page: &Page, request: &RenderRequest) -> Result<LaunchPlan, BackendError> {
    if request.sampler.is_antiringed() {
        return Err(BackendError::Unsupported { backend: BackendKind::Cuda, what: Feature::Antiringing });
    }
    let served = Served::new(limits, page, request);
    // Kernels of one thread a pixel have a block for each 16 rows; `passes` loops over the rows of a tall output.
    let by_pixels = request.size.height().div_ceil(PIXEL_BLOCK[1]) <= MAX_GRID_ROWS;
    let lookup = || served.gather().or_else(|| served.points());
    let plan = match request.sampler.path {
        SamplingPath::Filtered | SamplingPath::FilteredTable if !served.is_within(limits.texture) => {
            return Err(BackendError::Limit { what: format!("a texture of {}", page.size()) });
        }
        SamplingPath::Filtered => served.filtered(),
        SamplingPath::FilteredTable => served.filtered_table(),
        _ if !request.warp.is_none() => served.warped(),
        _ if served.is_stretched() => served.general(),
        SamplingPath::Tiled => served.tiled().or_else(|| served.general()),
        SamplingPath::Lookup => lookup().or_else(|| served.general()),
        SamplingPath::Auto => match served.tiled() {
            Some(tiled) => {
                let columns = || served.columns(Columns::is_quicker_than_tiled);
                served.direct().or_else(columns).or(Some(tiled))
            }
            None => {
                let lookup = lookup().filter(|_| by_pixels || !request.view.is_axis_aligned());
                lookup.or_else(|| served.general())
            }
        },
    };
    match plan {
        Some(LaunchPlan::Tiled(_) | LaunchPlan::Direct(_) | LaunchPlan::Columns(_) | LaunchPlan::Passes) => {}
        Some(_) if by_pixels => {}
        Some(_) => return Err(BackendError::Limit { what: format!("an output of {}", request.size) }),
        None => {}
    }
    plan.ok_or(BackendError::Unsupported { backend: BackendKind::Cuda, what: Feature::Method(request.sampler.method) })
}

/// The plan that `variant` names.
///
/// # Errors
/// [`BackendError::Unsupported`] if that variant does not serve `request`.
pub(crate) fn launch_plan_by(
    variant: KernelVariant,
    limits: &Limits,
    page: &Page,
    request: &RenderRequest,
) -> Result<LaunchPlan, BackendError> {
    let served = Served::new(limits, page, request);
    let is_served =
        request.warp.is_none() && variant.serves(request.sampler.method) && request.size.sides()[1] <= MAX_GRID_ROWS;
    let plan = match variant {
        KernelVariant::Direct => served.direct(),
        KernelVariant::Columns => served.columns(|_, _| true),
        KernelVariant::Passes => served.passes(),
        KernelVariant::Gather => served.gather(),
        KernelVariant::Points => served.points(),
        KernelVariant::Memory => served.memory(),
    };
    plan.filter(|_| is_served)
        .ok_or(BackendError::Unsupported { backend: BackendKind::Cuda, what: Feature::KernelVariant(variant) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::{Depth, Raster};
    use crate::sampling::{METHODS, Sampler};
    use crate::test_support::size;
    use crate::view::View;

    #[test]
    fn antiringing_is_left_to_another_backend_by_every_path() {
        let page = Page::new(Raster::zeros(size(10, 10), Channels::Grey, Depth::EIGHT));
        for path in [SamplingPath::Auto, SamplingPath::Filtered, SamplingPath::Lookup, SamplingPath::Tiled] {
            let sampler = Sampler { path, antiringing: 0.5, ..Sampler::default() };
            let request = RenderRequest { sampler, ..RenderRequest::new(size(10, 10)) };
            let refused = launch_plan(&Limits::H200, &page, &request).map(|_| ());
            assert!(matches!(refused, Err(BackendError::Unsupported { what: Feature::Antiringing, .. })), "{path}");
            let plain = RenderRequest { sampler: Sampler { antiringing: 0.0, ..sampler }, ..request };
            assert!(launch_plan(&Limits::H200, &page, &plain).is_ok(), "{path}");
        }
    }

    #[test]
    fn tall_output_selects_kernels_with_a_vertical_loop() {
        let limits = Limits::H200;
        let page = Page::new(Raster::zeros(size(10, 10), Channels::Grey, Depth::EIGHT));
        for (height, angle) in [(70_000, 0.0), (70_000, 10.0), (16_000_000, 0.0), (16_000_000, 10.0)] {
            for row in &METHODS {
                for scale in [0.01, 1.0, 50.0] {
                    let sampler = Sampler::default().with_method(row.method);
                    let view = View::new([0.0; 2], scale).and_then(|view| view.rotated(angle)).expect("a view");
                    let size = size(10, height);
                    let request = RenderRequest { sampler, view, ..RenderRequest::new(size) };
                    let blocks_y = match launch_plan(&limits, &page, &request) {
                        Ok(LaunchPlan::Tiled(tile)) => tile.grid(size).1,
                        Ok(LaunchPlan::Direct(direct)) => direct.grid(size).1,
                        Ok(LaunchPlan::Columns(columns)) => columns.grid(size).1,
                        Ok(LaunchPlan::Passes) => 1,
                        Ok(_) => height.div_ceil(PIXEL_BLOCK[1]),
                        Err(error) => {
                            assert!(height > 70_000 && angle > 0.0, "{height} {angle}: {error}");
                            1
                        }
                    };
                    assert!(blocks_y <= MAX_GRID_ROWS, "{height} {angle} {scale} {}", row.name);
                }
            }
        }
    }
}
