//! Kernels of a backend that can be timed one at a time, in several block shapes.
//!
//! A shape changes no value, only the division of the work: threads of a block on a GPU, rows of a band on a CPU. The
//! module
//! `block_sweep` times all of them and compares.

use std::fmt;
use std::str::FromStr;

use super::block_bounds::Bounds;
use super::{BackendError, KERNEL_VARIANTS, KernelVariant};
use crate::filter::{CancelToken, FILTERS, Filter, FilterError, Step};
use crate::image::Size;
use crate::sampling::{METHODS, Method, MethodError, MethodForm, SAMPLING_PATHS, SamplingPath};
use crate::text::shortened;
use crate::view::View;

/// Options of the timing.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockSweepOptions {
    /// Size of the output in pixels; filters work on as many values.
    pub size: Size,
    /// Size of the image in samples.
    pub image: Size,
    /// View of the methods.
    pub view: View,
    /// Number of measurements after warm-up, of which the median counts.
    pub repeats: usize,
    /// The kernels; empty for all that the backend has.
    pub kernels: Vec<Kernel>,
}

/// A kernel to time. As text a method and path, `catmull-rom:tiled`, a method and variant, `catmull-rom:points`, a filter's
/// step, `gaussian=2`, or that of a Gaussian with `:transposed`.
///
/// ```
/// use lerpscope::backend::Kernel;
/// for text in ["catmull-rom:tiled", "catmull-rom:gather", "nearest:auto", "bilateral=3,0.2", "gaussian=2.5:transposed"] {
///     assert_eq!(text.parse::<Kernel>()?.to_string(), text);
/// }
/// assert!("mitchell:filtered".parse::<Kernel>().is_err());
/// # Ok::<(), lerpscope::backend::KernelError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kernel {
    /// An interpolation method by one of its paths.
    Method {
        /// The method.
        method: Method,
        /// The path.
        path: SamplingPath,
    },
    /// An interpolation method by one variant of a path.
    KernelVariant {
        /// The method.
        method: Method,
        /// The variant.
        variant: KernelVariant,
    },
    /// A filter with its parameters.
    Filter(Step),
    /// The filter `gaussian` by document 004's two passes, each of which filters along y and writes its result transposed.
    TransposedPasses(Step),
}

/// What stands behind a Gaussian's text for the transposing passes.
const TRANSPOSED: &str = ":transposed";

/// Error of a kernel's text.
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum KernelError {
    /// Neither a method nor a filter.
    #[error("there is no kernel '{}'; there are METHOD:PATH with the methods {} and the paths {} or variants {}, the filters {}, and {}{TRANSPOSED}", shortened(.name), names(METHODS.iter().map(|row| row.name)), names(SAMPLING_PATHS.iter().map(|row| row.name)), names(KERNEL_VARIANTS.iter().map(|row| row.name)), names(FILTERS.iter().map(|row| row.name)), Filter::Gaussian)]
    Name {
        /// The name given.
        name: String,
    },
    /// An unknown path, or one that does not serve the method.
    #[error("method '{method}' has no path '{}'; it has {}", shortened(.path), names(names_of(*.method)))]
    SamplingPath {
        /// The method.
        method: Method,
        /// The path given.
        path: String,
    },
    /// Wrong parameters of a method.
    #[error(transparent)]
    Method(#[from] MethodError),
    /// Wrong parameters of a filter.
    #[error(transparent)]
    Filter(#[from] FilterError),
}

/// Paths and variants of a method.
fn names_of(method: Method) -> impl Iterator<Item = &'static str> {
    let variants = KERNEL_VARIANTS.iter().filter(move |row| row.variant.serves(method));
    method.kernel().paths.iter().map(|path| path.row().name).chain(variants.map(|row| row.name))
}

fn names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

impl Kernel {
    /// Every method by each of its paths in `paths`, then every filter with its defaults, in row order, but inpainting, whose
    /// time is that of its holes; then the Gaussian by transposing passes.
    pub fn all(paths: &[SamplingPath]) -> Vec<Self> {
        let of_method = |method: Method| {
            let served = paths.iter().filter(move |path| method.kernel().paths.contains(path));
            served.map(move |&path| Self::Method { method, path })
        };
        let methods = METHODS.iter().flat_map(|row| of_method(row.method));
        let steps = FILTERS.iter().map(|row| Step::default_of(row.filter)).filter(|step| step.mask().is_none());
        let transposed = Self::TransposedPasses(Step::default_of(Filter::Gaussian));
        methods.chain(steps.map(Self::Filter)).chain([transposed]).collect()
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Method { method, path } => write!(f, "{method}:{path}"),
            Self::KernelVariant { method, variant } => write!(f, "{method}:{variant}"),
            Self::Filter(step) => step.fmt(f),
            Self::TransposedPasses(step) => write!(f, "{step}{TRANSPOSED}"),
        }
    }
}

impl FromStr for Kernel {
    type Err = KernelError;

    /// A method without a path has the path `auto`. `gaussian=2` is the filter, `gaussian=2:auto` the method.
    fn from_str(text: &str) -> Result<Self, KernelError> {
        if let Some(step) = text.trim().strip_suffix(TRANSPOSED).filter(|step| is_named(step, Filter::Gaussian)) {
            return Ok(Self::TransposedPasses(step.parse()?));
        }
        let (name, path) = text.split_once(':').map_or((text, None), |(name, path)| (name, Some(path)));
        if let Some(method) = Method::by_name(name.trim()) {
            return Self::of_method(method, path);
        }
        let error = match text.parse() {
            Ok(step) => return Ok(Self::Filter(step)),
            Err(error) => error,
        };
        // A value may have colons of its own: the last one is before the path.
        let (value, path) = text.rsplit_once(':').map_or((text, None), |(value, path)| (value, Some(path)));
        let is_form = value.split('=').next().is_some_and(|name| MethodForm::by_name(name.trim()).is_some());
        match error {
            _ if is_form && path.is_some() => Self::of_method(value.parse()?, path),
            FilterError::Name { .. } if is_form => Self::of_method(text.parse()?, None),
            FilterError::Name { .. } => Err(KernelError::Name { name: text.to_owned() }),
            error => Err(error.into()),
        }
    }
}

/// Whether the text of a step names `filter`.
fn is_named(step: &str, filter: Filter) -> bool {
    step.split(['=', ',', ':']).next().is_some_and(|name| Filter::by_name(name.trim()) == Some(filter))
}

impl Kernel {
    /// `method` by the path or form that is called `path`.
    fn of_method(method: Method, path: Option<&str>) -> Result<Self, KernelError> {
        let name = path.map(str::trim);
        if let Some(variant) = name.and_then(KernelVariant::by_name).filter(|variant| variant.serves(method)) {
            return Ok(Self::KernelVariant { method, variant });
        }
        let found = name.map_or(Some(SamplingPath::Auto), SamplingPath::by_name);
        let served = found.filter(|path| method.kernel().paths.contains(path));
        let path =
            served.ok_or_else(|| KernelError::SamplingPath { method, path: path.unwrap_or_default().to_owned() })?;
        Ok(Self::Method { method, path })
    }
}

/// Division of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// Threads of a block.
    Block {
        /// Horizontal.
        width: u32,
        /// Vertical.
        height: u32,
    },
    /// Rows of one task of a CPU core.
    Band {
        /// Number of rows.
        rows: u32,
    },
}

impl fmt::Display for Shape {
    /// `16×8`, or `16 rows`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Block { width, height } => write!(f, "{width}×{height}"),
            Self::Band { rows: 1 } => f.write_str("1 row"),
            Self::Band { rows } => write!(f, "{rows} rows"),
        }
    }
}

/// Block shapes timed on a GPU.
pub const BLOCK_SHAPES: [Shape; 8] = [
    Shape::Block { width: 8, height: 8 },
    Shape::Block { width: 16, height: 8 },
    Shape::Block { width: 16, height: 16 },
    Shape::Block { width: 32, height: 4 },
    Shape::Block { width: 32, height: 8 },
    Shape::Block { width: 32, height: 16 },
    Shape::Block { width: 64, height: 4 },
    Shape::Block { width: 128, height: 1 },
];

/// Time of one kernel in one shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// Median time of the kernel, in microseconds.
    pub median_us: f64,
    /// Occupancy: resident warps of a multiprocessor over their maximum, 0 … 1; `None` without warps.
    pub occupancy: Option<f64>,
    /// What bounds the kernel.
    pub bounds: Bounds,
}

impl Timing {
    /// What bounds the kernel, in a line.
    pub fn bound(&self) -> String {
        self.bounds.sentence(self.median_us)
    }
}

/// Timing of kernels on a device or CPU. The kernels' input is kept between measurements.
pub trait KernelTimer {
    /// Description in one line.
    fn description(&self) -> String;

    /// The shapes, all of one kind, in the order of tables.
    fn shapes(&self) -> Vec<Shape>;

    /// Kernels timed by default.
    fn kernels(&self) -> Vec<Kernel>;

    /// The only shape of a `kernel` whose tile is a constant; it need not be one of [`KernelTimer::shapes`].
    fn fixed_shape(&self, kernel: &Kernel) -> Option<Shape>;

    /// Times `kernel` in `shape`, after warm-up.
    ///
    /// # Errors
    /// [`BackendError::Cancelled`] after a cancellation; other errors for a kernel that cannot run in the shape.
    fn time(&mut self, kernel: &Kernel, shape: Shape, stop: &CancelToken) -> Result<Timing, BackendError>;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::samples_of_methods;

    #[test]
    fn kernel_list_has_no_repeats_and_is_parsed_back_equal() {
        let all = Kernel::all(&SAMPLING_PATHS.each_ref().map(|row| row.path));
        for (index, kernel) in all.iter().enumerate() {
            assert_eq!(kernel.to_string().parse().as_ref(), Ok(kernel));
            assert!(!all[index + 1..].contains(kernel), "{kernel}");
        }
        let most = METHODS.iter().map(|row| row.method.kernel().paths.len()).sum::<usize>() + FILTERS.len();
        // Inpainting is not among them, the Gaussian is twice.
        assert_eq!(all.len(), most);
        for (variant, method) in
            KERNEL_VARIANTS.iter().flat_map(|row| METHODS.iter().map(move |method| (row.variant, method.method)))
        {
            let kernel = Kernel::KernelVariant { method, variant };
            let read = kernel.to_string().parse::<Kernel>();
            assert_eq!(read.ok(), variant.serves(method).then_some(kernel), "{kernel}");
        }
        assert_eq!("lerp".parse(), Ok(Kernel::Method { method: Method::Linear, path: SamplingPath::Auto }));
        for method in samples_of_methods() {
            let kernel = Kernel::Method { method, path: SamplingPath::Tiled };
            assert_eq!(kernel.to_string().parse().as_ref(), Ok(&kernel));
        }
        let lanczos = Method::lanczos(2.5).expect("in range");
        assert_eq!("lanczos=2.5".parse(), Ok(Kernel::Method { method: lanczos, path: SamplingPath::Auto }));
        assert!(matches!("gaussian=2".parse(), Ok(Kernel::Filter(_))));
        for text in ["gaussian=2.5:transposed", "gaussian=2.5,0.5,3:transposed", "gaussian:transposed"] {
            let Ok(Kernel::TransposedPasses(step)) = text.parse() else { panic!("{text}") };
            assert_eq!(step.filter(), Filter::Gaussian, "{text}");
            assert_eq!(Kernel::TransposedPasses(step).to_string(), text);
        }
        let cubic = Method::cubic(0.2, 0.4).expect("in range");
        assert_eq!(
            "cubic=0.2:0.4:points".parse(),
            Ok(Kernel::KernelVariant { method: cubic, variant: KernelVariant::Points })
        );
    }

    #[test]
    fn unknown_kernel_is_refused_with_the_known_ones() {
        let wrong = |text: &str| text.parse::<Kernel>().expect_err(text).to_string();
        assert!(
            wrong("blur").starts_with("there is no kernel 'blur'; there are METHOD:PATH with the methods nearest, ")
        );
        let path = "method 'mitchell' has no path 'filtered'; it has ";
        assert!(wrong("mitchell:filtered").starts_with(path), "{}", wrong("mitchell:filtered"));
        assert!(wrong("linear:quick").starts_with("method 'linear' has no path 'quick'; it has "));
        assert_eq!(wrong("lanczos=9:tiled"), "method 'lanczos': a must be between 1 and 8, not 9");
        assert_eq!(wrong("lanczos=9"), "method 'lanczos': a must be between 1 and 8, not 9");
        assert!(wrong("lanczos=5:filtered").starts_with("method 'lanczos=5' has no path 'filtered'; it has "));
        assert_eq!(wrong("gaussian=0:transposed"), wrong("gaussian=0"));
        assert!(
            wrong("median=2:transposed").contains("'transposed'") || wrong("median=2:transposed").contains("takes 1")
        );
        assert_eq!(wrong("gaussian=0"), "filter 'gaussian': sigma must be between 0.01 and 64 samples, not 0");
    }
}
