//! Kernel entries: the module, the name and the argument struct of each kernel.

use std::marker::PhantomData;

use crate::backend::cuda::abi::arguments::{
    DisplayArguments, FilterArguments, GaussianArguments, MemoryArguments, PassArguments, PixelArguments,
    PointArguments, PrefilterArguments, Target, TiledArguments,
};
use crate::backend::cuda::abi::output::Output;
use crate::backend::cuda::abi::sample_kind::SampleKind;
use crate::backend::cuda::plan::Fetches;
use crate::backend::cuda::plan::direct::{Direct, DirectWeights, MOST_SPREAD_TAPS};
use crate::backend::cuda::plan::weight_polynomials::WeightForm;

/// Whether a plane has one channel or four, in an entry's name.
fn channels_name(colour: bool) -> &'static str {
    if colour { "colour" } else { "grey" }
}

/// A kernel: its module, and what its entry's name is made of. Names are made when kernels are loaded, not when they are
/// launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// The file that it is in.
    pub module: &'static str,
    stem: &'static str,
    kind: Option<SampleKind>,
    form: Option<&'static str>,
    colour: Option<bool>,
    taps: Option<usize>,
    output: Option<Output>,
    /// Bytes of its first argument; 0 where it takes none.
    argument_bytes: usize,
}

impl Entry {
    fn new(module: &'static str, stem: &'static str) -> Self {
        Self { module, stem, kind: None, form: None, colour: None, taps: None, output: None, argument_bytes: 0 }
    }

    /// Bytes of the struct that it takes, its first argument; 0 where it takes none.
    pub fn argument_bytes(&self) -> usize {
        self.argument_bytes
    }

    fn of_kind(module: &'static str, stem: &'static str, kind: SampleKind, colour: bool) -> Self {
        Self { kind: Some(kind), ..Self::of_colour(module, stem, colour) }
    }

    fn of_colour(module: &'static str, stem: &'static str, colour: bool) -> Self {
        Self { colour: Some(colour), ..Self::new(module, stem) }
    }
}

/// An entry that takes one `T`: the only value that [`Device::launch`](crate::backend::cuda::driver::device::Device::launch) takes with it. Each
/// constructor stands under the struct that its kernel takes.
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
    fn of(entry: Entry) -> Self {
        Self { entry: Entry { argument_bytes: size_of::<T>(), ..entry }, argument: PhantomData }
    }

    /// The entry without its type.
    pub(crate) fn entry(self) -> Entry {
        self.entry
    }
}

impl TypedEntry<TiledArguments> {
    /// `tiled`, by the number of taps.
    pub(crate) fn tiled(kind: SampleKind, colour: bool, taps: usize, output: Output) -> Self {
        let module = match kind {
            SampleKind::U8 => "tiled_u8",
            SampleKind::U16 => "tiled_u16",
            SampleKind::F32 => "tiled_f32",
        };
        let tiled = Entry::of_kind(module, "tiled", kind, colour);
        Self::of(Entry { taps: Some(taps), output: Some(output), ..tiled })
    }

    /// `direct`, by the weights that it evaluates and the number of taps; `None` if there is no such kernel.
    pub(crate) fn direct(kind: SampleKind, direct: Direct, taps: usize, output: Output) -> Option<Self> {
        let module = match kind {
            SampleKind::U8 => "direct_u8",
            SampleKind::U16 => "direct_u16",
            SampleKind::F32 => return None,
        };
        let form = match (direct.unit, direct.weights) {
            (true, DirectWeights::Lanczos) => "unit_lanczos",
            (true, DirectWeights::Cubic) => "unit_cubic",
            (false, DirectWeights::Lanczos) => "spread_lanczos",
            (false, DirectWeights::Cubic) => "spread_cubic",
        };
        let made = direct.unit || taps <= MOST_SPREAD_TAPS;
        let entry = Entry { form: Some(form), taps: Some(taps), output: Some(output), ..Entry::new(module, "direct") };
        made.then(|| Self::of(Entry { kind: Some(kind), ..entry }))
    }
}

impl TypedEntry<PixelArguments> {
    /// `lookup` by single fetches.
    pub(crate) fn points(weights: WeightForm, taps: usize, colour: bool) -> Self {
        Self::lookup("lookup_points", weights, taps, colour)
    }

    /// `lookup` by 2 × 2 gathers: grey planes, two taps at least.
    pub(crate) fn gather(weights: WeightForm, taps: usize) -> Self {
        Self::lookup("lookup_gather", weights, taps, false)
    }

    /// An entry of kernels/lookup.cu. Those of few taps evaluate few forms of weights, since they evaluate them for every pixel.
    fn lookup(stem: &'static str, weights: WeightForm, taps: usize, colour: bool) -> Self {
        let form = match (weights, taps) {
            (WeightForm::Linear, _) => "linear",
            (WeightForm::Cubic, 2) | (WeightForm::Lanczos | WeightForm::Segments, 1 | 2) => "any",
            (WeightForm::Cubic, _) => "cubic",
            (WeightForm::Lanczos | WeightForm::Segments, _) => "windowed",
        };
        Self::of(Entry { form: Some(form), taps: Some(taps), ..Entry::of_colour("lookup", stem, colour) })
    }

    /// `filtered`.
    pub(crate) fn filtered(fetches: Fetches, colour: bool) -> Self {
        let form = match fetches {
            Fetches::Point => "point",
            Fetches::Linear => "linear",
            Fetches::Pairs => "pairs",
            Fetches::Middle => "middle",
        };
        Self::of(Entry { form: Some(form), ..Entry::of_colour("filtered", "filtered", colour) })
    }

    /// `filtered` with the weights of the cubic B-spline from a table.
    pub(crate) fn filtered_table() -> Self {
        Self::of(Entry::new("filtered", "filtered_table_grey"))
    }

    /// A cubic from sixteen plain loads, for `bench`.
    pub(crate) fn bench_loads() -> Self {
        Self::of(Entry::new("bench", "global_points_grey_4"))
    }

    /// A cubic from sixteen fetches of a one-dimensional texture, for `bench`.
    pub(crate) fn bench_line() -> Self {
        Self::of(Entry::new("bench", "fetch1d_points_grey_4"))
    }
}

impl TypedEntry<MemoryArguments> {
    /// Any view from plain memory.
    pub(crate) fn memory(kind: SampleKind, colour: bool) -> Self {
        Self::of(Entry::of_kind("passes", "memory", kind, colour))
    }
}

impl TypedEntry<PassArguments> {
    /// The first of two passes.
    pub(crate) fn pass_across(kind: SampleKind, colour: bool) -> Self {
        Self::of(Entry::of_kind("passes", "pass_across", kind, colour))
    }

    /// The second of two passes.
    pub(crate) fn pass_down(colour: bool) -> Self {
        Self::of(Entry::of_colour("passes", "pass_down", colour))
    }
}

impl TypedEntry<PrefilterArguments> {
    /// Coefficients from samples, by one short pole or by a cascade of poles.
    pub(crate) fn prefilter(kind: SampleKind, colour: bool, is_cascade: bool) -> Self {
        let stem = if is_cascade { "prefilter_cascade" } else { "prefilter" };
        Self::of(Entry::of_kind("prefilter", stem, kind, colour))
    }
}

impl TypedEntry<GaussianArguments> {
    /// A Gaussian's first pass, from a plane's own numbers.
    pub(crate) fn gaussian_across(kind: SampleKind, colour: bool) -> Self {
        Self::of(Entry::of_kind("gaussian", "gaussian_across", kind, colour))
    }

    /// A Gaussian's second pass.
    pub(crate) fn gaussian_down(colour: bool) -> Self {
        Self::of(Entry::of_colour("gaussian", "gaussian_down", colour))
    }

    /// A Gaussian of integers in one launch, that reaches so far: 8 or 16 samples.
    pub(crate) fn gaussian_tile(kind: SampleKind, colour: bool, reach: u32) -> Self {
        let module = if reach == 8 { "gaussian_tile_8" } else { "gaussian_tile_16" };
        Self::of(Entry::of_kind(module, module, kind, colour))
    }
}

impl TypedEntry<FilterArguments> {
    /// The bilateral filter.
    pub(crate) fn bilateral(colour: bool) -> Self {
        Self::of(Entry::of_colour("filters", "bilateral", colour))
    }

    /// What an unsharp mask makes of its picture and the blurred one.
    pub(crate) fn unsharp(colour: bool) -> Self {
        Self::of(Entry::of_colour("filters", "unsharp", colour))
    }

    /// Sobel's gradient.
    pub(crate) fn sobel(colour: bool) -> Self {
        Self::of(Entry::of_colour("filters", "sobel", colour))
    }

    /// The median by the kernel of this name.
    pub(crate) fn median(name: &'static str, colour: bool) -> Self {
        Self::of(Entry::of_colour("median", name, colour))
    }
}

impl TypedEntry<DisplayArguments> {
    /// The display mapping.
    pub(crate) fn display() -> Self {
        Self::of(Entry::new("display", "display"))
    }
}

impl TypedEntry<PointArguments> {
    /// Point filters that follow one another, in one launch.
    pub(crate) fn point_filters(colour: bool) -> Self {
        Self::of(Entry::of_colour("filters", "points", colour))
    }
}

impl TypedEntry<Target> {
    /// Plain stores, whose second argument is the number that they store; for `bench`.
    pub(crate) fn store_plain() -> Self {
        Self::of(Entry::new("bench", "store_plain"))
    }
}

impl TypedEntry<()> {
    /// A kernel that traps; it takes nothing.
    pub(crate) fn trap() -> Self {
        Self::of(Entry::new("bench", "trap"))
    }
}

/// Its name in its file: `tiled_u8_grey_4_rgba8`, `lookup_points_cubic_colour_4`.
impl std::fmt::Display for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let parts = [
            self.kind.map(|kind| kind.name().to_owned()),
            self.form.map(str::to_owned),
            self.colour.map(|colour| channels_name(colour).to_owned()),
            self.taps.map(|taps| taps.to_string()),
            self.output.map(|output| output.name().to_owned()),
        ];
        f.write_str(self.stem)?;
        parts.into_iter().flatten().try_for_each(|part| write!(f, "_{part}"))
    }
}
