//! Kernel entries: the name and the argument struct of each kernel.

use std::fmt;
use std::marker::PhantomData;

use crate::backend::cuda::abi::arguments::{
    ConvolutionArguments, DisplayArguments, FilterArguments, GaussianArguments, MemoryArguments, PassArguments,
    PixelArguments, PointArguments, PrefilterArguments, Target, TiledArguments,
};
use crate::backend::cuda::abi::grid_arguments::{GridArguments, GridFetchArguments, GridPrefilterArguments};
use crate::backend::cuda::abi::output::Output;
use crate::backend::cuda::abi::sample_kind::SampleKind;
use crate::backend::cuda::abi::slice_arguments::{SliceArguments, WarpedSliceArguments};
use crate::backend::cuda::abi::warp_arguments::WarpedArguments;
use crate::backend::cuda::plan::Fetches;
use crate::backend::cuda::plan::direct::{Direct, DirectWeights, MAX_SPREAD_TAPS};
use crate::backend::cuda::plan::slices::SliceWeights;
use crate::backend::cuda::plan::weight_polynomials::WeightForm;

/// A kernel. Its name (`Display`) is formatted when its module is loaded, not for each launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    family: Family,
    argument_bytes: usize,
}

/// The kernels by family, with what they are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Family {
    Tiled { kind: SampleKind, colour: bool, taps: usize, output: Output },
    Columns { kind: SampleKind, colour: bool, unit: bool, taps: usize, output: Output },
    Direct { kind: SampleKind, unit: bool, weights: DirectWeights, taps: usize, output: Output },
    LookupPoints { weights: LookupWeights, colour: bool, taps: usize },
    LookupGather { weights: LookupWeights, taps: usize },
    Filtered { fetches: Fetches, colour: bool },
    FilteredTable { colour: bool },
    Memory { kind: SampleKind, colour: bool },
    Warped { kind: SampleKind, colour: bool },
    PassVertical { kind: SampleKind, colour: bool },
    PassHorizontal { colour: bool },
    Prefilter { kind: SampleKind, colour: bool },
    PrefilterCascade { kind: SampleKind, colour: bool },
    GaussianHorizontal { kind: SampleKind, colour: bool },
    GaussianVertical { colour: bool },
    GaussianTile { reach: u32, kind: SampleKind, colour: bool },
    GaussianTransposed,
    PointFilters { colour: bool },
    Bilateral { colour: bool },
    Unsharp { colour: bool },
    Median { window: MedianWindow, colour: bool },
    Sobel { colour: bool },
    Convolve { colour: bool },
    Display,
    StorePlain,
    GlobalPoints,
    Fetch1dPoints,
    GridValues { complex: bool, dimensions: usize, taps: usize },
    GridAny { complex: bool },
    GridPoints { complex: bool, dimensions: usize, taps: usize },
    GridLinear { complex: bool, dimensions: usize },
    GridPairs { complex: bool, dimensions: usize },
    GridPrefilter,
    GridTable,
    GridWide,
    Slice { taps: usize },
    SliceCurves { taps: usize },
    SliceAny,
    SliceWarped,
    Trap,
}

/// The weights that a `lookup` kernel evaluates. A kernel of few taps evaluates few forms, since it evaluates them for every
/// pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum LookupWeights {
    Linear,
    Symmetric,
    Any,
}

impl LookupWeights {
    fn of(form: WeightForm) -> Self {
        match form {
            WeightForm::Linear => Self::Linear,
            WeightForm::SymmetricCubic => Self::Symmetric,
            WeightForm::Cubic | WeightForm::Lanczos | WeightForm::Segments => Self::Any,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Symmetric => "symmetric",
            Self::Any => "any",
        }
    }
}

/// The windows that a median kernel is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum MedianWindow {
    /// 3 × 3, by a sorting network.
    Narrow,
    /// Radius 2 to 8, by bits.
    Wide,
    /// Radius 9 to 16, by bits.
    Widest,
}

impl MedianWindow {
    pub(crate) const ALL: [Self; 3] = [Self::Narrow, Self::Wide, Self::Widest];

    /// The smallest window for a radius of 1 to 16.
    pub(crate) fn of_radius(radius: i32) -> Self {
        match radius {
            ..=1 => Self::Narrow,
            2..=8 => Self::Wide,
            9.. => Self::Widest,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Narrow => "narrow",
            Self::Wide => "wide",
            Self::Widest => "widest",
        }
    }
}

impl Entry {
    /// Bytes of the struct that is its first argument; 0 for a kernel without arguments.
    pub fn argument_bytes(&self) -> usize {
        self.argument_bytes
    }
}

fn channels(colour: bool) -> &'static str {
    if colour { "colour" } else { "grey" }
}

fn components(complex: bool) -> &'static str {
    if complex { "complex" } else { "real" }
}

/// The name of the kernel in its module: `tiled_u8_grey_4_rgba8`, `lookup_points_symmetric_colour_4`.
impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.family {
            Family::Tiled { kind, colour, taps, output } => {
                write!(f, "tiled_{}_{}_{taps}_{}", kind.name(), channels(colour), output.name())
            }
            Family::Columns { kind, colour, unit, taps, output } => {
                let form = if unit { "unit" } else { "spread" };
                write!(f, "columns_{}_{}_{form}_{taps}_{}", kind.name(), channels(colour), output.name())
            }
            Family::Direct { kind, unit, weights, taps, output } => {
                let columns = if unit { "unit" } else { "spread" };
                let weights = match weights {
                    DirectWeights::Cubic => "cubic",
                    DirectWeights::Lanczos => "lanczos",
                };
                write!(f, "direct_{}_{columns}_{weights}_{taps}_{}", kind.name(), output.name())
            }
            Family::LookupPoints { weights, colour, taps } => {
                write!(f, "lookup_points_{}_{}_{taps}", weights.name(), channels(colour))
            }
            Family::LookupGather { weights, taps } => write!(f, "lookup_gather_{}_grey_{taps}", weights.name()),
            Family::Filtered { fetches, colour } => {
                let fetches = match fetches {
                    Fetches::Point => "point",
                    Fetches::Linear => "linear",
                    Fetches::Pairs => "pairs",
                    Fetches::Middle => "middle",
                };
                write!(f, "filtered_{fetches}_{}", channels(colour))
            }
            Family::FilteredTable { colour } => write!(f, "filtered_table_{}", channels(colour)),
            Family::Memory { kind, colour } => write!(f, "memory_{}_{}", kind.name(), channels(colour)),
            Family::Warped { kind, colour } => write!(f, "warped_{}_{}", kind.name(), channels(colour)),
            Family::PassVertical { kind, colour } => {
                write!(f, "pass_vertical_{}_{}", kind.name(), channels(colour))
            }
            Family::PassHorizontal { colour } => write!(f, "pass_horizontal_{}", channels(colour)),
            Family::Prefilter { kind, colour } => write!(f, "prefilter_{}_{}", kind.name(), channels(colour)),
            Family::PrefilterCascade { kind, colour } => {
                write!(f, "prefilter_cascade_{}_{}", kind.name(), channels(colour))
            }
            Family::GaussianHorizontal { kind, colour } => {
                write!(f, "gaussian_horizontal_{}_{}", kind.name(), channels(colour))
            }
            Family::GaussianVertical { colour } => write!(f, "gaussian_vertical_{}", channels(colour)),
            Family::GaussianTile { reach, kind, colour } => {
                write!(f, "gaussian_tile_{reach}_{}_{}", kind.name(), channels(colour))
            }
            Family::GaussianTransposed => f.write_str("gaussian_transposed_grey"),
            Family::PointFilters { colour } => write!(f, "points_{}", channels(colour)),
            Family::Bilateral { colour } => write!(f, "bilateral_{}", channels(colour)),
            Family::Unsharp { colour } => write!(f, "unsharp_{}", channels(colour)),
            Family::Median { window, colour } => write!(f, "median_{}_{}", window.name(), channels(colour)),
            Family::Sobel { colour } => write!(f, "sobel_{}", channels(colour)),
            Family::Convolve { colour } => write!(f, "convolve_{}", channels(colour)),
            Family::Display => f.write_str("display"),
            Family::StorePlain => f.write_str("store_plain"),
            Family::GlobalPoints => f.write_str("global_points_grey_4"),
            Family::Fetch1dPoints => f.write_str("fetch1d_points_grey_4"),
            Family::GridValues { complex, dimensions, taps } => {
                write!(f, "grid_values_{}_{dimensions}_{taps}", components(complex))
            }
            Family::GridAny { complex } => write!(f, "grid_any_{}", components(complex)),
            Family::GridPoints { complex, dimensions, taps } => {
                write!(f, "grid_points_{}_{dimensions}_{taps}", components(complex))
            }
            Family::GridLinear { complex, dimensions } => {
                write!(f, "grid_linear_{}_{dimensions}", components(complex))
            }
            Family::GridPairs { complex, dimensions } => write!(f, "grid_pairs_{}_{dimensions}", components(complex)),
            Family::GridPrefilter => f.write_str("grid_prefilter"),
            Family::GridTable => f.write_str("grid_table"),
            Family::GridWide => f.write_str("grid_wide"),
            Family::Slice { taps } => write!(f, "slice_{taps}"),
            Family::SliceCurves { taps } => write!(f, "slice_curves_{taps}"),
            Family::SliceAny => f.write_str("slice_any"),
            Family::SliceWarped => f.write_str("slice_warped"),
            Family::Trap => f.write_str("trap"),
        }
    }
}

/// An entry whose argument is one `T`: the only type that a [`Launch`](super::launch::Launch) of it takes. Each constructor is
/// in the `impl` of the struct that its kernel takes.
pub(crate) struct TypedEntry<T> {
    entry: Entry,
    argument: PhantomData<fn(T)>,
}

impl<T> Clone for TypedEntry<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for TypedEntry<T> {}

impl<T> TypedEntry<T> {
    fn of(family: Family) -> Self {
        Self { entry: Entry { family, argument_bytes: size_of::<T>() }, argument: PhantomData }
    }

    /// The entry without its type.
    pub(crate) fn entry(self) -> Entry {
        self.entry
    }
}

impl TypedEntry<TiledArguments> {
    /// `tiled`, by the number of taps.
    pub(crate) fn tiled(kind: SampleKind, colour: bool, taps: usize, output: Output) -> Self {
        Self::of(Family::Tiled { kind, colour, taps, output })
    }

    /// `columns`, by the number of taps. `None` if there is no such kernel: for many taps of grey, and for floats and many taps at any
    /// scale.
    pub(crate) fn columns(kind: SampleKind, colour: bool, unit: bool, taps: usize, output: Output) -> Option<Self> {
        let is_narrow = taps <= MAX_SPREAD_TAPS;
        let exists = if unit { colour || is_narrow } else { kind != SampleKind::F32 && is_narrow };
        exists.then(|| Self::of(Family::Columns { kind, colour, unit, taps, output }))
    }

    /// `direct`, by the weights that it evaluates and the number of taps. `None` if there is no such kernel: for planes of
    /// floats, and for many taps at any scale.
    pub(crate) fn direct(kind: SampleKind, direct: Direct, taps: usize, output: Output) -> Option<Self> {
        let Direct { unit, weights, .. } = direct;
        let exists = kind != SampleKind::F32 && (unit || taps <= MAX_SPREAD_TAPS);
        exists.then(|| Self::of(Family::Direct { kind, unit, weights, taps, output }))
    }
}

impl TypedEntry<PixelArguments> {
    /// `lookup` by single fetches.
    pub(crate) fn points(form: WeightForm, taps: usize, colour: bool) -> Self {
        Self::of(Family::LookupPoints { weights: LookupWeights::of(form), colour, taps })
    }

    /// `lookup` by 2 × 2 gathers: grey planes, at least two taps.
    pub(crate) fn gather(form: WeightForm, taps: usize) -> Self {
        Self::of(Family::LookupGather { weights: LookupWeights::of(form), taps })
    }

    /// `filtered`.
    pub(crate) fn filtered(fetches: Fetches, colour: bool) -> Self {
        Self::of(Family::Filtered { fetches, colour })
    }

    /// `filtered` with the weights of the cubic B-spline from a table.
    pub(crate) fn filtered_table(colour: bool) -> Self {
        Self::of(Family::FilteredTable { colour })
    }

    /// A cubic from sixteen loads of global memory, for `bench`.
    pub(crate) fn bench_loads() -> Self {
        Self::of(Family::GlobalPoints)
    }

    /// A cubic from sixteen fetches of a one-dimensional texture, for `bench`.
    pub(crate) fn bench_line() -> Self {
        Self::of(Family::Fetch1dPoints)
    }
}

impl TypedEntry<MemoryArguments> {
    /// Any view from global memory.
    pub(crate) fn memory(kind: SampleKind, colour: bool) -> Self {
        Self::of(Family::Memory { kind, colour })
    }
}

impl TypedEntry<WarpedArguments> {
    /// Any view through a warp.
    pub(crate) fn warped(kind: SampleKind, colour: bool) -> Self {
        Self::of(Family::Warped { kind, colour })
    }
}

impl TypedEntry<PassArguments> {
    /// The first of two passes.
    pub(crate) fn pass_vertical(kind: SampleKind, colour: bool) -> Self {
        Self::of(Family::PassVertical { kind, colour })
    }

    /// The second of two passes.
    pub(crate) fn pass_horizontal(colour: bool) -> Self {
        Self::of(Family::PassHorizontal { colour })
    }
}

impl TypedEntry<PrefilterArguments> {
    /// Coefficients from samples, by one short pole or by a cascade of poles.
    pub(crate) fn prefilter(kind: SampleKind, colour: bool, is_cascade: bool) -> Self {
        Self::of(if is_cascade {
            Family::PrefilterCascade { kind, colour }
        } else {
            Family::Prefilter { kind, colour }
        })
    }
}

impl TypedEntry<GaussianArguments> {
    /// The first pass of a Gaussian, from the samples of a plane.
    pub(crate) fn gaussian_horizontal(kind: SampleKind, colour: bool) -> Self {
        Self::of(Family::GaussianHorizontal { kind, colour })
    }

    /// The second pass of a Gaussian.
    pub(crate) fn gaussian_vertical(colour: bool) -> Self {
        Self::of(Family::GaussianVertical { colour })
    }

    /// A Gaussian of integers in one launch, of radius `reach` at most: 8 or 16 samples.
    pub(crate) fn gaussian_tile(kind: SampleKind, colour: bool, reach: u32) -> Self {
        Self::of(Family::GaussianTile { reach, kind, colour })
    }

    /// A pass of a Gaussian along y of a grey plane, whose result is transposed.
    pub(crate) fn gaussian_transposed() -> Self {
        Self::of(Family::GaussianTransposed)
    }
}

impl TypedEntry<FilterArguments> {
    /// The bilateral filter.
    pub(crate) fn bilateral(colour: bool) -> Self {
        Self::of(Family::Bilateral { colour })
    }

    /// The second launch of an unsharp mask: the difference from the blurred values.
    pub(crate) fn unsharp(colour: bool) -> Self {
        Self::of(Family::Unsharp { colour })
    }

    /// The median.
    pub(crate) fn median(window: MedianWindow, colour: bool) -> Self {
        Self::of(Family::Median { window, colour })
    }

    /// Sobel's gradient.
    pub(crate) fn sobel(colour: bool) -> Self {
        Self::of(Family::Sobel { colour })
    }
}

impl TypedEntry<ConvolutionArguments> {
    /// The convolution with a matrix.
    pub(crate) fn convolve(colour: bool) -> Self {
        Self::of(Family::Convolve { colour })
    }
}

impl TypedEntry<PointArguments> {
    /// Consecutive point filters.
    pub(crate) fn point_filters(colour: bool) -> Self {
        Self::of(Family::PointFilters { colour })
    }
}

impl TypedEntry<DisplayArguments> {
    /// The display mapping.
    pub(crate) fn display() -> Self {
        Self::of(Family::Display)
    }
}

impl TypedEntry<Target> {
    /// Plain stores, whose second argument is the number to store; for `bench`.
    pub(crate) fn store_plain() -> Self {
        Self::of(Family::StorePlain)
    }
}

impl TypedEntry<GridArguments> {
    /// Methods of two or four cubic taps in 1 to 4 dimensions; the number of threads of a point is that of its taps.
    pub(crate) fn grid_values(complex: bool, dimensions: usize, taps: usize) -> Self {
        Self::of(Family::GridValues { complex, dimensions, taps })
    }

    /// Any method in any number of dimensions, a warp a point.
    pub(crate) fn grid_any(complex: bool) -> Self {
        Self::of(Family::GridAny { complex })
    }

    /// Complex bilinear interpolation by loads of 16 bytes, for `bench`.
    pub(crate) fn grid_wide() -> Self {
        Self::of(Family::GridWide)
    }
}

impl TypedEntry<GridFetchArguments> {
    /// Methods of two or four cubic taps by point fetches, in 1 to 3 dimensions.
    pub(crate) fn grid_points(complex: bool, dimensions: usize, taps: usize) -> Self {
        Self::of(Family::GridPoints { complex, dimensions, taps })
    }

    /// Linear interpolation by one linear fetch, in 1 to 3 dimensions.
    pub(crate) fn grid_linear(complex: bool, dimensions: usize) -> Self {
        Self::of(Family::GridLinear { complex, dimensions })
    }

    /// The cubic B-spline by linear fetches, in 1 to 4 dimensions.
    pub(crate) fn grid_pairs(complex: bool, dimensions: usize) -> Self {
        Self::of(Family::GridPairs { complex, dimensions })
    }

    /// The same in 3 dimensions with weights from a table, for `bench`.
    pub(crate) fn grid_table() -> Self {
        Self::of(Family::GridTable)
    }
}

impl TypedEntry<GridPrefilterArguments> {
    /// The prefilter of a grid along one axis.
    pub(crate) fn grid_prefilter() -> Self {
        Self::of(Family::GridPrefilter)
    }
}

impl TypedEntry<SliceArguments> {
    /// An oblique plane, by the weights that it evaluates.
    pub(crate) fn slice(weights: SliceWeights) -> Self {
        Self::of(match weights {
            SliceWeights::Cubics(taps) => Family::Slice { taps },
            SliceWeights::Curves(taps) => Family::SliceCurves { taps },
            SliceWeights::Any => Family::SliceAny,
        })
    }
}

impl TypedEntry<WarpedSliceArguments> {
    /// An oblique plane through a warp by any method.
    pub(crate) fn slice_warped() -> Self {
        Self::of(Family::SliceWarped)
    }
}

impl TypedEntry<()> {
    /// A kernel that traps.
    pub(crate) fn trap() -> Self {
        Self::of(Family::Trap)
    }
}
