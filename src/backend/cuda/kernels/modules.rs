//! The kernels by name: which entry serves a row by a path, where its PTX is, and how it is launched.
//!
//! PTX is compiled for the device by its driver when a module is first used, so the kernels are cut into modules that are
//! used together; the driver keeps what it compiled for the next start.

use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::{CudaContext, CudaFunction, CudaModule, sys};
use cudarc::nvrtc::Ptx;

use crate::backend::cuda::abi::arguments::{
    DisplayArguments, FilterArguments, GaussianArguments, Output, PassArguments, PixelArguments, PointArguments,
    PrefilterArguments, Target, TiledArguments,
};
use crate::backend::cuda::driver::fault::{Fault, because};
use crate::backend::cuda::plan::direct::MOST_SPREAD_TAPS;
use crate::backend::cuda::plan::weight_polynomials::lanczos_of;
use crate::filter::FILTERS;
use crate::sampling::{METHODS, Method, MethodRow};

/// A file of kernels/ptx.
#[derive(Debug)]
pub struct PtxFile {
    /// The kernel file's name, without its ending.
    pub name: &'static str,
    /// What the build script made of it.
    pub text: &'static str,
}

macro_rules! ptx_files {
    ($($name:literal),*) => {
        /// The committed PTX.
        pub static PTX_FILES: [PtxFile; [$($name),*].len()] = [$(PtxFile {
            name: $name,
            text: include_str!(concat!("../../../../kernels/ptx/", $name, ".ptx")),
        }),*];
    };
}
ptx_files!(
    "bench",
    "direct_u16",
    "direct_u8",
    "display",
    "filtered",
    "filters",
    "gaussian",
    "gaussian_tile_16",
    "gaussian_tile_8",
    "layout",
    "lookup",
    "median",
    "passes",
    "prefilter",
    "tiled_f32",
    "tiled_u16",
    "tiled_u8"
);

/// The type of a plane's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::backend::cuda) enum SampleKind {
    U8,
    U16,
    F32,
}

impl SampleKind {
    pub(in crate::backend::cuda) const ALL: [Self; 3] = [Self::U8, Self::U16, Self::F32];

    pub(in crate::backend::cuda) fn name(self) -> &'static str {
        match self {
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::F32 => "f32",
        }
    }

    /// Bytes of one number.
    pub(in crate::backend::cuda) fn bytes(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::U16 => 2,
            Self::F32 => 4,
        }
    }
}

/// Whether a plane has one channel or four, in an entry's name.
fn channels_name(colour: bool) -> &'static str {
    if colour { "colour" } else { "grey" }
}

/// A method's name as identifiers have it.
pub(in crate::backend::cuda) fn stem(row: &MethodRow) -> String {
    row.name.replace('-', "_")
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
pub(in crate::backend::cuda) struct TypedEntry<T> {
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
    pub(in crate::backend::cuda) fn entry(self) -> Entry {
        self.entry
    }
}

impl TypedEntry<TiledArguments> {
    /// `tiled`, by the samples that a method reads: its weights come from its row.
    pub(in crate::backend::cuda) fn tiled(kind: SampleKind, colour: bool, taps: usize, output: Output) -> Self {
        let module = match kind {
            SampleKind::U8 => "tiled_u8",
            SampleKind::U16 => "tiled_u16",
            SampleKind::F32 => "tiled_f32",
        };
        let tiled = Entry::of_kind(module, "tiled", kind, colour);
        Self::of(Entry { taps: Some(taps), output: Some(output), ..tiled })
    }

    /// `direct`, by the samples that a method reads and the family of its weights; `None` where there is no such kernel.
    pub(in crate::backend::cuda) fn direct(
        kind: SampleKind,
        unit: bool,
        row: &MethodRow,
        output: Output,
    ) -> Option<Self> {
        let module = match kind {
            SampleKind::U8 => "direct_u8",
            SampleKind::U16 => "direct_u16",
            SampleKind::F32 => return None,
        };
        let form = match (unit, lanczos_of(row) > 0) {
            (true, true) => "unit_lanczos",
            (true, false) => "unit_cubic",
            (false, true) => "spread_lanczos",
            (false, false) => "spread_cubic",
        };
        let made = unit || row.taps <= MOST_SPREAD_TAPS;
        let taps = Some(row.taps);
        let direct = Entry { form: Some(form), taps, output: Some(output), ..Entry::new(module, "direct") };
        made.then(|| Self::of(Entry { kind: Some(kind), ..direct }))
    }
}

impl TypedEntry<PixelArguments> {
    /// `lookup` by single fetches.
    pub(in crate::backend::cuda) fn points(method: Method, colour: bool) -> Self {
        Self::of(Entry::of_method("lookup", "lookup_points", method, colour))
    }

    /// `lookup` by 2 × 2 gathers; grey, and not for a method that reads one sample.
    pub(in crate::backend::cuda) fn gather(method: Method) -> Self {
        Self::of(Entry::of_method("lookup", "lookup_gather", method, false))
    }

    /// `filtered`.
    pub(in crate::backend::cuda) fn filtered(method: Method, colour: bool) -> Self {
        Self::of(Entry::of_method("filtered", "filtered", method, colour))
    }

    /// `filtered` with the B-spline's weights from a table.
    pub(in crate::backend::cuda) fn filtered_table() -> Self {
        Self::of(Entry::new("filtered", "filtered_bspline_table_grey"))
    }

    /// Catmull-Rom from sixteen plain loads, for `bench`.
    pub(in crate::backend::cuda) fn bench_loads() -> Self {
        Self::of(Entry::new("bench", "global_points_catmull_rom_grey"))
    }

    /// Catmull-Rom from sixteen fetches of one line, for `bench`.
    pub(in crate::backend::cuda) fn bench_line() -> Self {
        Self::of(Entry::new("bench", "fetch1d_points_catmull_rom_grey"))
    }

    /// Any view from plain memory.
    pub(in crate::backend::cuda) fn memory(kind: SampleKind, colour: bool) -> Self {
        Self::of(Entry::of_kind("passes", "memory", kind, colour))
    }
}

impl TypedEntry<PassArguments> {
    /// The first of two passes.
    pub(in crate::backend::cuda) fn pass_across(kind: SampleKind, colour: bool) -> Self {
        Self::of(Entry::of_kind("passes", "pass_across", kind, colour))
    }

    /// The second of two passes.
    pub(in crate::backend::cuda) fn pass_down(colour: bool) -> Self {
        Self::of(Entry::of_colour("passes", "pass_down", colour))
    }
}

impl TypedEntry<PrefilterArguments> {
    /// Coefficients from samples.
    pub(in crate::backend::cuda) fn prefilter(kind: SampleKind, colour: bool) -> Self {
        Self::of(Entry::of_kind("prefilter", "prefilter", kind, colour))
    }
}

impl TypedEntry<GaussianArguments> {
    /// A Gaussian's first pass, from a plane's own numbers.
    pub(in crate::backend::cuda) fn gaussian_across(kind: SampleKind, colour: bool) -> Self {
        Self::of(Entry::of_kind("gaussian", "gaussian_across", kind, colour))
    }

    /// A Gaussian's second pass.
    pub(in crate::backend::cuda) fn gaussian_down(colour: bool) -> Self {
        Self::of(Entry::of_colour("gaussian", "gaussian_down", colour))
    }

    /// A Gaussian of integers in one launch, that reaches so far: 8 or 16 samples.
    pub(in crate::backend::cuda) fn gaussian_tile(kind: SampleKind, colour: bool, reach: u32) -> Self {
        let module = if reach == 8 { "gaussian_tile_8" } else { "gaussian_tile_16" };
        Self::of(Entry::of_kind(module, module, kind, colour))
    }
}

impl TypedEntry<FilterArguments> {
    /// The bilateral filter.
    pub(in crate::backend::cuda) fn bilateral(colour: bool) -> Self {
        Self::of(Entry::of_colour("filters", "bilateral", colour))
    }

    /// What an unsharp mask makes of its picture and the blurred one.
    pub(in crate::backend::cuda) fn unsharp(colour: bool) -> Self {
        Self::of(Entry::of_colour("filters", "unsharp", colour))
    }

    /// Sobel's gradient.
    pub(in crate::backend::cuda) fn sobel(colour: bool) -> Self {
        Self::of(Entry::of_colour("filters", "sobel", colour))
    }

    /// The median by the kernel of this name.
    pub(in crate::backend::cuda) fn median(name: &'static str, colour: bool) -> Self {
        Self::of(Entry::of_colour("median", name, colour))
    }
}

impl TypedEntry<DisplayArguments> {
    /// The display mapping.
    pub(in crate::backend::cuda) fn display() -> Self {
        Self::of(Entry::new("display", "display"))
    }
}

impl TypedEntry<PointArguments> {
    /// Point filters that follow one another, in one launch.
    pub(in crate::backend::cuda) fn point_filters(colour: bool) -> Self {
        Self::of(Entry::of_colour("filters", "points", colour))
    }
}

impl TypedEntry<Target> {
    /// Plain stores, whose second argument is the number that they store; for `bench`.
    pub(in crate::backend::cuda) fn store_plain() -> Self {
        Self::of(Entry::new("bench", "store_plain"))
    }
}

impl TypedEntry<()> {
    /// A kernel that traps; it takes nothing.
    pub(in crate::backend::cuda) fn trap() -> Self {
        Self::of(Entry::new("bench", "trap"))
    }
}

/// Its name in its file: `tiled_u8_grey_4_rgba8`, `lookup_points_catmull_rom_colour`.
impl std::fmt::Display for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let parts = [
            self.method.map(|method| stem(method.row())),
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

/// Every entry that some request needs, by the name of the method's or filter's row that needs it; what all rows share comes
/// without one.
pub fn entries() -> Vec<(Option<&'static str>, Entry)> {
    use crate::sampling::Path;
    let mut entries = Vec::new();
    for row in &METHODS {
        let method = row.method;
        for colour in [false, true] {
            for kind in SampleKind::ALL {
                for output in Output::ALL.into_iter().filter(|&output| !(colour && output == Output::Grey8)) {
                    entries.push((Some(row.name), TypedEntry::tiled(kind, colour, row.taps, output).entry()));
                    let forms = [false, true].into_iter().filter(|_| !colour);
                    let direct = forms.filter_map(|unit| TypedEntry::direct(kind, unit, row, output));
                    entries.extend(direct.map(|entry| (Some(row.name), entry.entry())));
                }
            }
            entries.push((Some(row.name), TypedEntry::points(method, colour).entry()));
            if row.paths.contains(&Path::Filtered) {
                entries.push((Some(row.name), TypedEntry::filtered(method, colour).entry()));
            }
        }
        if row.taps > 1 {
            entries.push((Some(row.name), TypedEntry::gather(method).entry()));
        }
    }
    for row in &FILTERS {
        entries.extend(
            crate::backend::cuda::render::filters::entries_of(row.filter)
                .into_iter()
                .map(|entry| (Some(row.name), entry)),
        );
    }
    for colour in [false, true] {
        for kind in SampleKind::ALL {
            entries.push((None, TypedEntry::pass_across(kind, colour).entry()));
            entries.push((None, TypedEntry::memory(kind, colour).entry()));
            entries.push((None, TypedEntry::prefilter(kind, colour).entry()));
        }
        entries.push((None, TypedEntry::pass_down(colour).entry()));
    }
    let others = [
        TypedEntry::filtered_table().entry(),
        TypedEntry::display().entry(),
        TypedEntry::store_plain().entry(),
        TypedEntry::bench_loads().entry(),
        TypedEntry::bench_line().entry(),
        TypedEntry::trap().entry(),
    ];
    entries.extend(others.map(|entry| (None, entry)));
    entries
}

/// Modules, by how their names start, whose kernels are launched with as much shared memory as they need.
const SHARING: [&str; 4] = ["tiled", "gaussian", "filters", "median"];

/// The modules that were loaded so far, each behind a lock of its own: whoever needs one waits for that alone.
#[derive(Debug)]
pub(in crate::backend::cuda) struct Modules {
    context: Arc<CudaContext>,
    loaded: [Mutex<Option<Arc<CudaModule>>>; PTX_FILES.len()],
}

impl Modules {
    pub(in crate::backend::cuda) fn new(context: Arc<CudaContext>) -> Self {
        Self { context, loaded: Default::default() }
    }

    /// The module called `name`, loaded now if it was not before. Where it does not load, the next call tries again.
    pub(in crate::backend::cuda) fn get(&self, name: &str) -> Result<Arc<CudaModule>, Fault> {
        let file = PTX_FILES.iter().zip(&self.loaded).find(|(file, _)| file.name == name);
        let Some((file, place)) = file else {
            let unknown = cudarc::driver::DriverError(sys::CUresult::CUDA_ERROR_NOT_FOUND);
            return Err(because(format_args!("there is no module '{name}'"))(unknown));
        };
        // What a thread that panicked left is a module or none.
        let mut module = place.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(module) = &*module {
            return Ok(Arc::clone(module));
        }
        let loaded = self.context.load_module(Ptx::from_src(file.text));
        let loaded = loaded.map_err(because(format_args!("module '{name}' does not load")))?;
        Ok(Arc::clone(module.insert(loaded)))
    }
}

/// Modules and the functions that were used so far.
#[derive(Debug)]
pub(in crate::backend::cuda) struct Kernels {
    pub(in crate::backend::cuda) modules: Arc<Modules>,
    functions: HashMap<Entry, CudaFunction>,
}

impl Kernels {
    pub(in crate::backend::cuda) fn new(context: Arc<CudaContext>) -> Self {
        Self { modules: Arc::new(Modules::new(context)), functions: HashMap::new() }
    }

    /// The function of `entry`, loaded now if it was not used before.
    pub(in crate::backend::cuda) fn get(&mut self, shared_bytes: u32, entry: &Entry) -> Result<CudaFunction, Fault> {
        if let Some(function) = self.functions.get(entry) {
            return Ok(function.clone());
        }
        let module = self.modules.get(entry.module)?;
        let function = module.load_function(&entry.to_string());
        let function = function.map_err(because(format_args!("kernel '{entry}' is not in its module")))?;
        if SHARING.iter().any(|stem| entry.module.starts_with(stem)) {
            let most = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
            // What the kernel has anyway counts too.
            let own = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES;
            let own = function.get_attribute(own).map_err(because("shared memory is not told"))?;
            let bytes = i32::try_from(shared_bytes).unwrap_or(i32::MAX) - own;
            function.set_attribute(most, bytes).map_err(because("shared memory is refused"))?;
        }
        self.functions.insert(*entry, function.clone());
        Ok(function)
    }
}
