//! `lerpscope sample`: values of a grid of any dimension at points.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::errors::Usage;
use super::failure::say;
use super::output::Output;
use super::progress::watched;
use super::{options, stdout};
use crate::arguments::{ArgumentError, listed, parse_number, parse_numbers};
use crate::backend::{AUTO, BackendKind, CudaGrids};
use crate::files;
use crate::filter::ExecOptions;
use crate::grid::{
    self, AnyGrid, Components, Coordinates, GRID_PATHS, Grid, GridAxis, GridPath, GridSampler, Number, OpenedGrid,
    Points, ValueFormat, Values,
};
use crate::image::{Channels, Depth, Raster, Samples, Size};
use crate::memory::{Demand, Memory};
use crate::sampling::{ADDRESS_MODES, AddressMode, Method};

/// Options of `sample`.
#[derive(Args, Debug)]
#[command(after_help = "\
A point has one coordinate for each axis, in the order of the array's axes, as in
scipy.ndimage.map_coordinates: sample k is at k, unless --axis or --spacing says otherwise.
POINTS has n × N numbers, or H × W × N; OUT has a value for each point, in order.

A volume at the points of a table, by the cubic B-spline through its samples:
  lerpscope sample volume.nii.gz --points points.csv -o values.csv --method bspline --prefilter
A picture warped by an array of H × W positions (row, column), wrapped along its columns:
  lerpscope sample photo.pgm --points positions.npy -o warped.pgm --address clamp:wrap
Values on unequal knots, by the cubic spline through them:
  lerpscope sample table.npy --points p.csv -o v.csv --method bspline --prefilter --axis 0=k.csv
A test signal without a file:
  lerpscope sample synth:marschner-lobb:41x41x41 --points points.npy -o values.npy --method linear")]
pub struct SampleOptions {
    /// Grid: .npy, .nii, .nii.gz, a grey picture (its pages are slices), or synth:NAME:WxHxD[xT]
    #[arg(value_name = "GRID")]
    grid: PathBuf,
    /// Points: .npy of n × N or H × W × N numbers, or .csv with N numbers a line
    #[arg(long, value_name = "POINTS")]
    points: PathBuf,
    /// Output file: .npy, .csv, or a picture such as .pgm for points of H × W; - prints CSV
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Interpolation method: a name, or a kernel with its parameters
    #[arg(long, value_name = "METHOD", default_value = "linear", value_parser = options::method())]
    method: Method,
    #[arg(long, value_name = "MODE[:MODE…]", default_value = "clamp", help = address_help(), value_parser = parse_addresses)]
    address: Addresses,
    /// Value outside the grid for address mode border; RE,IM for a complex grid
    #[arg(long, value_name = "V[,V]", default_value = "0", allow_hyphen_values = true, value_parser = parse_border)]
    border: Border,
    /// Prefilter: B-splines and o-moms pass through the samples
    #[arg(long)]
    prefilter: bool,
    /// Coordinates of axis N, from 0: ORIGIN:STEP, or a .npy or .csv file of rising knots; may be repeated
    #[arg(long, value_name = "N=AXIS", allow_hyphen_values = true, value_parser = parse_axis)]
    axis: Vec<AxisOption>,
    /// Coordinates in the spacing that the file says (NIfTI: millimetres and seconds as a rule), from sample 0
    #[arg(long)]
    spacing: bool,
    /// Number type of a picture [default: as in the grid's file]
    #[arg(long, value_name = "DEPTH", value_parser = options::depth())]
    depth: Option<Depth>,
    /// Backend; auto is cuda where the points are worth the start of a GPU
    #[arg(long, value_name = "BACKEND", default_value = "auto", value_parser = backend())]
    backend: GridBackend,
    /// How a GPU reads the grid
    #[arg(long, value_name = "PATH", default_value = "auto", value_parser = path())]
    path: GridPath,
}

fn address_help() -> String {
    let names = listed(ADDRESS_MODES.iter().map(|row| row.name));
    format!("Address mode outside the grid: {names}; one for all axes, or one for each with colons between")
}

/// Value of --backend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GridBackend {
    Auto,
    Cuda,
    Cpu,
}

fn backend() -> impl TypedValueParser<Value = GridBackend> {
    let values = [
        (GridBackend::Auto, AUTO, "the fastest available"),
        (GridBackend::Cuda, BackendKind::Cuda.row().name, "an NVIDIA GPU, for grids of float32"),
        (GridBackend::Cpu, BackendKind::Cpu.row().name, "all cores of the CPU"),
    ];
    let possible = values.map(|(_, name, help)| PossibleValue::new(name).help(help));
    PossibleValuesParser::new(possible).try_map(move |name| {
        values.iter().find(|(_, known, _)| *known == name).map(|(value, ..)| *value).ok_or("no such backend")
    })
}

fn path() -> impl TypedValueParser<Value = GridPath> {
    let values = GRID_PATHS.iter().map(|row| PossibleValue::new(row.name).help(row.help));
    PossibleValuesParser::new(values).try_map(|name| GridPath::by_name(&name).ok_or("no such path"))
}

/// Address modes by axis.
#[derive(Clone, Debug)]
struct Addresses(Vec<AddressMode>);

fn parse_addresses(text: &str) -> Result<Addresses, ArgumentError> {
    let one = |name: &str| {
        AddressMode::by_name(name).ok_or_else(|| ArgumentError::Name {
            what: "address mode",
            name: name.to_owned(),
            names: listed(ADDRESS_MODES.iter().map(|row| row.name)),
        })
    };
    text.split(':').map(one).collect::<Result<_, _>>().map(Addresses)
}

/// Real and imaginary part of the border.
#[derive(Clone, Copy, Debug)]
struct Border([f64; 2]);

fn parse_border(text: &str) -> Result<Border, ArgumentError> {
    match parse_numbers(text)?[..] {
        [real] => Ok(Border([real, 0.0])),
        [real, imaginary] => Ok(Border([real, imaginary])),
        _ => Err(ArgumentError::Pair { text: text.to_owned(), separator: ',' }),
    }
}

/// Value of --axis.
#[derive(Clone, Debug)]
struct AxisOption {
    axis: usize,
    relation: AxisRelation,
}

#[derive(Clone, Debug)]
enum AxisRelation {
    Scaled { origin: f64, step: f64 },
    Knots(PathBuf),
}

fn parse_axis(text: &str) -> Result<AxisOption, String> {
    let parts = text.split_once('=');
    let (axis, value) = parts.and_then(|(axis, value)| Some((axis.trim().parse().ok()?, value))).ok_or_else(|| {
        format!("'{}' is no axis; write N=ORIGIN:STEP or N=FILE, the first axis is 0", crate::text::shortened(text))
    })?;
    let numbers = value.split_once(':').map(|(origin, step)| (parse_number::<f64>(origin), parse_number::<f64>(step)));
    let relation = match numbers {
        Some((Ok(origin), Ok(step))) => AxisRelation::Scaled { origin, step },
        _ => AxisRelation::Knots(value.into()),
    };
    Ok(AxisOption { axis, relation })
}

/// Where the values go.
enum Destination<'a> {
    Stdout,
    Values(&'a Path, ValueFormat),
    Picture(Output<'a>),
}

impl<'a> Destination<'a> {
    /// Of `path`; checks that it can be written.
    fn of(path: &'a Path) -> anyhow::Result<Self> {
        if path == Path::new("-") {
            stdout::check()?;
            return Ok(Self::Stdout);
        }
        let destination = match ValueFormat::of(path) {
            Some(format) => Self::Values(path, format),
            None => Self::Picture(Output::new(path).map_err(|_| {
                let file = path.display();
                Usage(format!("{file}: unknown extension; values are written as .npy, .csv, .pgm or .png"))
            })?),
        };
        files::check_writable(path).with_context(|| path.display().to_string())?;
        Ok(destination)
    }
}

/// Reads, samples and writes.
///
/// # Errors
/// Errors of the files, of options that do not fit the grid, and of the memory.
pub(super) fn run(options: &SampleOptions) -> anyhow::Result<()> {
    let destination = Destination::of(&options.output)?;
    let (sampled, white, depth) = watched(|work| {
        let OpenedGrid { grid, spacing, white, depth, warnings, body: _ } = grid::open(&options.grid)?;
        warnings.iter().for_each(|warning| say(&format!("warning: {warning}")));
        let grid = options.with_axes(grid, spacing.as_deref())?;
        let points = grid::read_points(&options.points, grid.shape().len())?;
        if let Destination::Picture(output) = &destination {
            check_picture(&grid, &points)?;
            output.check(Channels::Grey, output.depth(options.depth, depth))?;
        }
        let values = options.values(&grid, &points, &work)?;
        Ok((Sampled { values, components: components_of(&grid), shape: points.shape }, white, depth))
    })?;
    let Sampled { values, components, shape } = &sampled;
    match destination {
        Destination::Stdout => stdout::write(|out| grid::put(out, ValueFormat::Csv, (values, *components), shape)),
        Destination::Values(path, format) => Ok(grid::write_values(path, format, (values, *components), shape)?),
        Destination::Picture(output) => {
            let depth = output.depth(options.depth, depth);
            output.write(&picture(values, shape, white, depth)?)
        }
    }
}

/// Values of points.
struct Sampled {
    values: Values,
    components: Components,
    /// Number of points along each axis of their array.
    shape: Vec<usize>,
}

impl SampleOptions {
    fn sampler(&self) -> GridSampler {
        let Self { method, address, border, prefilter, .. } = self;
        GridSampler { method: *method, address: address.0.clone(), border: border.0, prefilter: *prefilter }
    }

    /// The value of each point.
    fn values(&self, grid: &AnyGrid, points: &Points, work: &ExecOptions) -> anyhow::Result<Values> {
        let sampler = self.sampler();
        let needs_device = match self.path {
            GridPath::Fetch | GridPath::Filtered => true,
            GridPath::Auto | GridPath::Global => self.backend == GridBackend::Cuda,
        };
        match (self.backend, grid) {
            (GridBackend::Cpu, _) if needs_device => {
                return Err(Usage(format!("path '{}' is of backend 'cuda'", self.path)).into());
            }
            (GridBackend::Auto | GridBackend::Cuda, AnyGrid::Double(_)) if needs_device => {
                let name = self.grid.display();
                return Err(Usage(format!("{name}: a grid of float64; backend 'cuda' samples float32")).into());
            }
            (GridBackend::Auto | GridBackend::Cuda, AnyGrid::Single(grid)) => {
                if needs_device {
                    return Ok(Values::Single(self.values_by_cuda(grid, points, &sampler, work)?));
                }
                if is_worth_a_device(points, grid.dimensions(), sampler.method) {
                    match self.values_by_cuda(grid, points, &sampler, work) {
                        Ok(values) => return Ok(Values::Single(values)),
                        Err(error) if work.stop.is_set() => return Err(error),
                        Err(error) => log::info!("{error}; the CPU goes on"),
                    }
                }
            }
            (GridBackend::Auto | GridBackend::Cuda | GridBackend::Cpu, _) => {}
        }
        Ok(match grid {
            AnyGrid::Single(grid) => Values::Single(values_at(points, grid, &sampler, work)?),
            AnyGrid::Double(grid) => Values::Double(values_at(points, grid, &sampler, work)?),
        })
    }

    /// The value of each point, by the GPU.
    fn values_by_cuda(
        &self,
        grid: &Grid<f32>,
        points: &Points,
        sampler: &GridSampler,
        work: &ExecOptions,
    ) -> anyhow::Result<Vec<f32>> {
        let mut device = CudaGrids::open()?;
        let mut out = zeros(points.count() * grid.components().count())?;
        let resident = device.load(grid, sampler, self.path, work)?;
        match &points.coordinates {
            Coordinates::Single(points) => device.sample_into(&resident, &points[..], &mut out, work)?,
            Coordinates::Double(points) => device.sample_into(&resident, &points[..], &mut out, work)?,
        }
        Ok(out)
    }

    /// The grid with the coordinates of --spacing and --axis.
    fn with_axes(&self, mut grid: AnyGrid, spacing: Option<&[f64]>) -> anyhow::Result<AnyGrid> {
        if self.spacing {
            let name = self.grid.display();
            let spacing = spacing.ok_or_else(|| Usage(format!("{name}: says no spacing of its samples")))?;
            for (axis, &step) in spacing.iter().enumerate() {
                grid = grid.with_axis(axis, GridAxis::Scaled { origin: 0.0, step })?;
            }
        }
        for AxisOption { axis, relation } in &self.axis {
            let relation = match relation {
                &AxisRelation::Scaled { origin, step } => GridAxis::Scaled { origin, step },
                AxisRelation::Knots(file) => GridAxis::Unequal(grid::read_knots(file)?),
            };
            grid = grid.with_axis(*axis, relation)?;
        }
        Ok(grid)
    }
}

fn components_of(grid: &AnyGrid) -> Components {
    match grid {
        AnyGrid::Single(grid) => grid.components(),
        AnyGrid::Double(grid) => grid.components(),
    }
}

/// The value of each point.
fn values_at<T: Number>(
    points: &Points,
    grid: &Grid<T>,
    sampler: &GridSampler,
    work: &ExecOptions,
) -> anyhow::Result<Vec<T>> {
    let mut out = zeros(points.count() * grid.components().count())?;
    let interpolator = grid.interpolator_with(sampler, work)?;
    match &points.coordinates {
        Coordinates::Single(points) => interpolator.sample_into(points, &mut out, work)?,
        Coordinates::Double(points) => interpolator.sample_into(points, &mut out, work)?,
    }
    Ok(out)
}

/// Room for `count` values.
fn zeros<T: Number>(count: usize) -> anyhow::Result<Vec<T>> {
    let mut demand = Demand::default();
    demand.hold(|| "the values of the points take".to_owned(), (count * size_of::<T>()) as u64);
    Memory::Machine.check(&demand)?;
    Ok(vec![T::default(); count])
}

/// Taps of all points from which on a GPU is started: the driver takes some tenths of a second, in which a core of a CPU adds up
/// as many.
const TAPS_WORTH_A_DEVICE: f64 = 1e9;

/// Whether a GPU is likely to be done before the CPU is.
fn is_worth_a_device(points: &Points, dimensions: usize, method: Method) -> bool {
    let taps = (method.kernel().taps as f64).powi(dimensions as i32);
    points.count() as f64 * taps >= TAPS_WORTH_A_DEVICE
}

/// Checks that the values make a picture.
fn check_picture(grid: &AnyGrid, points: &Points) -> Result<(), Usage> {
    if components_of(grid) == Components::Complex {
        return Err(Usage("complex values make no picture; choose .npy or .csv".to_owned()));
    }
    match points.shape[..] {
        [_, _] => Ok(()),
        _ => Err(Usage("a picture needs points of H × W; values of n points are written as .npy or .csv".to_owned())),
    }
}

/// The values as a picture: `white` is 1, clamped and rounded for integers.
fn picture(values: &Values, shape: &[usize], white: f64, depth: Depth) -> anyhow::Result<Raster> {
    let side = |axis: usize| u32::try_from(shape[axis]).unwrap_or(u32::MAX);
    let size = Size::new(side(1), side(0))?;
    let values: Vec<f64> = match values {
        Values::Single(values) => values.iter().map(|&value| f64::from(value) / white).collect(),
        Values::Double(values) => values.iter().map(|&value| value / white).collect(),
    };
    // A cast of NaN is 0.
    let rounded = |value: f64, maxval: u16| (value.clamp(0.0, 1.0) * f64::from(maxval)).round();
    let samples = match Raster::zeros(size, Channels::Grey, depth).samples() {
        Samples::U8 { maxval, .. } => {
            let numbers = values.iter().map(|&value| rounded(value, u16::from(*maxval)) as u8).collect();
            Samples::U8 { values: numbers, maxval: *maxval }
        }
        Samples::U16 { maxval, .. } => {
            let numbers = values.iter().map(|&value| rounded(value, *maxval) as u16).collect();
            Samples::U16 { values: numbers, maxval: *maxval }
        }
        Samples::F32(_) => Samples::F32(values.iter().map(|&value| value as f32).collect()),
    };
    Ok(Raster::new(size, Channels::Grey, samples)?)
}
