//! Kernel entries: the module, the name and the argument struct of each kernel.

use std::marker::PhantomData;

use crate::backend::cuda::abi::arguments::{
    DisplayArguments, FilterArguments, GaussianArguments, PassArguments, PixelArguments, PointArguments,
    PrefilterArguments, Target, TiledArguments,
};
use crate::backend::cuda::abi::layouts::stem;
use crate::backend::cuda::abi::output::Output;
use crate::backend::cuda::abi::sample_kind::SampleKind;
use crate::backend::cuda::plan::direct::MOST_SPREAD_TAPS;
use crate::backend::cuda::plan::weight_polynomials::lanczos_of;
use crate::sampling::{Method, MethodKernel};

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
    method: Option<Method>,
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
        Self {
            module,
            stem,
            method: None,
            kind: None,
            form: None,
            colour: None,
            taps: None,
            output: None,
            argument_bytes: 0,
        }
    }

    /// Bytes of the struct that it takes, its first argument; 0 where it takes none.
    pub fn argument_bytes(&self) -> usize {
        self.argument_bytes
    }

    fn of_kind(module: &'static str, stem: &'static str, kind: SampleKind, colour: bool) -> Self {
        Self { kind: Some(kind), ..Self::of_colour(module, stem, colour) }
    }

    fn of_method(module: &'static str, stem: &'static str, method: Method, colour: bool) -> Self {
        Self { method: Some(method), ..Self::of_colour(module, stem, colour) }
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
    /// `tiled`, by the samples that a method reads: its weights come from its row.
    pub(crate) fn tiled(kind: SampleKind, colour: bool, taps: usize, output: Output) -> Self {
        let module = match kind {
            SampleKind::U8 => "tiled_u8",
            SampleKind::U16 => "tiled_u16",
            SampleKind::F32 => "tiled_f32",
        };
        let tiled = Entry::of_kind(module, "tiled", kind, colour);
        Self::of(Entry { taps: Some(taps), output: Some(output), ..tiled })
    }

    /// `direct`, by the samples that a method reads and the family of its weights; `None` where there is no such kernel.
    pub(crate) fn direct(kind: SampleKind, unit: bool, kernel: &MethodKernel, output: Output) -> Option<Self> {
        let module = match kind {
            SampleKind::U8 => "direct_u8",
            SampleKind::U16 => "direct_u16",
            SampleKind::F32 => return None,
        };
        let form = match (unit, lanczos_of(kernel) > 0) {
            (true, true) => "unit_lanczos",
            (true, false) => "unit_cubic",
            (false, true) => "spread_lanczos",
            (false, false) => "spread_cubic",
        };
        let made = unit || kernel.taps <= MOST_SPREAD_TAPS;
        let taps = Some(kernel.taps);
        let direct = Entry { form: Some(form), taps, output: Some(output), ..Entry::new(module, "direct") };
        made.then(|| Self::of(Entry { kind: Some(kind), ..direct }))
    }
}

impl TypedEntry<PixelArguments> {
    /// `lookup` by single fetches.
    pub(crate) fn points(method: Method, colour: bool) -> Self {
        Self::of(Entry::of_method("lookup", "lookup_points", method, colour))
    }

    /// `lookup` by 2 × 2 gathers; grey, and not for a method that reads one sample.
    pub(crate) fn gather(method: Method) -> Self {
        Self::of(Entry::of_method("lookup", "lookup_gather", method, false))
    }

    /// `filtered`.
    pub(crate) fn filtered(method: Method, colour: bool) -> Self {
        Self::of(Entry::of_method("filtered", "filtered", method, colour))
    }

    /// `filtered` with the B-spline's weights from a table.
    pub(crate) fn filtered_table() -> Self {
        Self::of(Entry::new("filtered", "filtered_bspline_table_grey"))
    }

    /// Catmull-Rom from sixteen plain loads, for `bench`.
    pub(crate) fn bench_loads() -> Self {
        Self::of(Entry::new("bench", "global_points_catmull_rom_grey"))
    }

    /// Catmull-Rom from sixteen fetches of one line, for `bench`.
    pub(crate) fn bench_line() -> Self {
        Self::of(Entry::new("bench", "fetch1d_points_catmull_rom_grey"))
    }

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
    /// Coefficients from samples.
    pub(crate) fn prefilter(kind: SampleKind, colour: bool) -> Self {
        Self::of(Entry::of_kind("prefilter", "prefilter", kind, colour))
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

/// Its name in its file: `tiled_u8_grey_4_rgba8`, `lookup_points_catmull_rom_colour`.
impl std::fmt::Display for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let parts = [
            self.method.and_then(Method::row).map(stem),
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
