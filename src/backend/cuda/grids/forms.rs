//! The kernels that read a resident grid, and which of them serves a path.

use cudarc::driver::LaunchConfig;

use super::resident::ResidentGrid;
use crate::backend::BackendError;
use crate::backend::cuda::abi::grid_arguments::{GridArguments, GridFetchArguments};
use crate::backend::cuda::driver::error::DriverError;
use crate::backend::cuda::kernels::entry::TypedEntry;
use crate::backend::cuda::kernels::launch::{Launch, Launcher};
use crate::grid::{Components, Fractions, GridError, GridPath, Weights};
use crate::sampling::Method;

/// How a resident grid is read: a path, or a form that `bench` compares with the paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GridVariant {
    /// A path.
    Path(GridPath),
    /// `bspline` in three dimensions as `filtered`, with the weights from a table of 128 entries (document 002, section 3).
    Table,
    /// Complex `linear` in two dimensions by loads of 16 bytes where samples are aligned to them.
    WideLoads,
    /// Complex `linear` in two dimensions by point fetches from pitched rows of plain memory.
    PitchedFetch,
    /// Complex `linear` in two dimensions by a linear fetch from pitched rows of plain memory.
    PitchedFiltered,
    /// As `global`, from memory of the host that the device reads over the bus.
    MappedHost,
}

/// A kernel of a resident grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// As many threads a point as it has taps.
    Values {
        taps: usize,
    },
    /// A warp a point.
    Any,
    Points {
        taps: usize,
    },
    Linear,
    Pairs,
    Table,
    Wide,
}

/// Threads of a block of the kernels of one thread or few threads a point.
const BLOCK: u32 = 128;

impl Form {
    /// The form of `variant` for a method in so many dimensions.
    pub(super) fn of(
        variant: GridVariant,
        method: Method,
        fractions: &Fractions,
        (dimensions, components): (usize, Components),
    ) -> Result<Self, BackendError> {
        // Kernels of their own have cubic weights of two or four taps between whole positions.
        let is_cubic = matches!(fractions.weights[0], Weights::Cubic(_)) && fractions.shift == 0.0;
        let taps = Some(fractions.taps).filter(|taps| is_cubic && [2, 4].contains(taps));
        let is_plane = (dimensions, components, method) == (2, Components::Complex, Method::Linear);
        let served = match variant {
            GridVariant::Path(GridPath::Auto | GridPath::Global) | GridVariant::MappedHost => Some(match taps {
                Some(taps) if dimensions <= 4 => Self::Values { taps },
                _ => Self::Any,
            }),
            GridVariant::Path(GridPath::Fetch) => taps.filter(|_| dimensions <= 3).map(|taps| Self::Points { taps }),
            GridVariant::Path(GridPath::Filtered) => match method {
                Method::Linear if dimensions <= 3 => Some(Self::Linear),
                Method::BSPLINE if dimensions <= 4 => Some(Self::Pairs),
                _ => None,
            },
            GridVariant::Table => {
                let is_served = (dimensions, components, method) == (3, Components::Real, Method::BSPLINE);
                is_served.then_some(Self::Table)
            }
            GridVariant::WideLoads => is_plane.then_some(Self::Wide),
            GridVariant::PitchedFetch => is_plane.then_some(Self::Points { taps: 2 }),
            GridVariant::PitchedFiltered => is_plane.then_some(Self::Linear),
        };
        let path = match variant {
            GridVariant::Path(path) => path,
            GridVariant::WideLoads | GridVariant::MappedHost => GridPath::Global,
            GridVariant::PitchedFetch => GridPath::Fetch,
            GridVariant::Table | GridVariant::PitchedFiltered => GridPath::Filtered,
        };
        served.ok_or_else(|| GridError::Path { path, method, dimensions }.into())
    }

    /// Whether it reads a texture, and whether the texture unit interpolates.
    pub(super) fn texture(self) -> Option<bool> {
        match self {
            Self::Values { .. } | Self::Any | Self::Wide => None,
            Self::Points { .. } => Some(false),
            Self::Linear | Self::Pairs | Self::Table => Some(true),
        }
    }

    /// Threads of a point.
    fn threads(self) -> u32 {
        match self {
            Self::Values { taps } => taps as u32,
            Self::Any => 32,
            Self::Points { .. } | Self::Linear | Self::Pairs | Self::Table | Self::Wide => 1,
        }
    }
}

/// Most points of one launch: blocks are counted by 31 bits.
pub(super) const MOST_POINTS: usize = 1 << 28;

/// Queues the kernel of `grid` with these arguments, which have its points and results, in `stream`.
///
/// # Errors
/// If the kernel does not load or the driver refuses the launch.
///
/// # Safety
/// The arguments are those of `grid` but for the addresses and the number of points, which have room for them, and the memory of
/// all stays until `stream` was waited for. There are 1 to [`MOST_POINTS`] points.
#[expect(unsafe_code, reason = "kernels read and write by the addresses of their arguments")]
pub(super) unsafe fn launch(
    launcher: &mut Launcher,
    stream: &std::sync::Arc<cudarc::driver::CudaStream>,
    grid: &ResidentGrid,
    arguments: GridArguments,
) -> Result<(), DriverError> {
    let form = grid.form;
    let points_a_block = BLOCK / form.threads();
    let config = LaunchConfig {
        grid_dim: ((arguments.count as u64).div_ceil(u64::from(points_a_block)) as u32, 1, 1),
        block_dim: (BLOCK, 1, 1),
        shared_mem_bytes: 0,
    };
    let complex = grid.components() == Components::Complex;
    let dimensions = grid.dimensions();
    let plain = match form {
        Form::Values { taps } => Some(TypedEntry::grid_values(complex, dimensions, taps)),
        Form::Any => Some(TypedEntry::grid_any(complex)),
        Form::Wide => Some(TypedEntry::grid_wide()),
        Form::Points { .. } | Form::Linear | Form::Pairs | Form::Table => None,
    };
    if let Some(entry) = plain {
        // SAFETY: as the caller promises; a block has the threads that the entries are written for.
        return unsafe { launcher.launch_in(stream, &Launch { entry, arguments, config }) };
    }
    let entry = match form {
        Form::Points { taps } => TypedEntry::grid_points(complex, dimensions, taps),
        Form::Linear => TypedEntry::grid_linear(complex, dimensions),
        Form::Table => TypedEntry::grid_table(),
        Form::Pairs | Form::Values { .. } | Form::Any | Form::Wide => TypedEntry::grid_pairs(complex, dimensions),
    };
    let arguments = GridFetchArguments { grid: arguments, texture: grid.texture(), lookup_table: grid.lookup_table() };
    // SAFETY: as the caller promises; the textures are those of the resident grid.
    unsafe { launcher.launch_in(stream, &Launch { entry, arguments, config }) }
}
