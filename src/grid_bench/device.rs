//! Report of `bench --grids --backend cuda`: grids at points on the GPU, by each form, beside the CPU of the same machine.

use std::fmt::Write as _;
use std::time::Instant;

use serde::Serialize;

use super::goals::{self, GridGoal};
use super::{Case, GridBenchOptions, Random, cases, median_of, ratio_text};
use crate::backend::{BackendError, CudaGrids, GridTimes, GridVariant};
use crate::filter::ExecOptions;
use crate::grid::{Components, Grid, GridPath, GridSampler, PointSlice};
use crate::sampling::Method;

/// Points of rows that document 002 and document 001 compare.
const MANY: usize = 1 << 22;
/// Points whose values are compared with the CPU's.
const COMPARED: usize = 1 << 16;
/// Side of a slice in points, and distance of its points in samples.
const SLICE: (usize, f64) = (1024, 0.2);

/// One measurement.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GridDeviceRow {
    /// The method.
    pub method: String,
    /// Samples of each axis: `64^4`.
    pub grid: String,
    /// The points: `64^3 random`.
    pub points: String,
    /// How stored values are read: a path, or a form beside the paths.
    pub form: String,
    /// Time of loading the grid in milliseconds: its copy to the device, the prefilter there and what a form needs besides.
    pub load_ms: f64,
    /// Median time of the kernel in milliseconds, with points and values on the device.
    pub kernel_ms: f64,
    /// Median time in milliseconds with the copies of points and values.
    pub total_ms: f64,
    /// Points per second of the kernel.
    pub points_a_second: f64,
    /// Median time of the same points on all threads of the CPU in milliseconds, without copies.
    pub cpu_ms: f64,
    /// Largest difference of a value from the CPU's.
    pub largest_difference: f64,
    /// Milliseconds on the CPU and on the GPU of document 003.
    pub document_ms: Option<[f64; 2]>,
    /// Whether the row has the most points on the largest grid of document 003.
    pub is_largest_of_document: bool,
}

/// All measurements.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GridDeviceReport {
    /// GPU.
    pub device: String,
    /// CPU and number of threads.
    pub cpu: String,
    /// Number of measurements of each time.
    pub repeats: usize,
    /// The rows.
    pub rows: Vec<GridDeviceRow>,
    /// Figures of the rows with their goals.
    pub goals: Vec<GridGoal>,
}

/// A grid with its points.
struct Scene {
    grid: Grid<f32>,
    grid_text: String,
    points: Vec<f32>,
    points_text: String,
    document_ms: Option<[f64; 2]>,
    is_largest_of_document: bool,
}

/// Measures on the GPU and on the threads of the current pool; `cpu` is the description of these.
///
/// # Errors
/// Errors of the device, and memory that does not suffice.
pub fn run_on_device(
    device: &mut CudaGrids,
    options: &GridBenchOptions,
    cpu: String,
) -> Result<GridDeviceReport, BackendError> {
    let mut bench = Bench { device, repeats: options.repeats, rows: Vec::new() };
    let mut goals = Vec::new();
    let exact = [("global", GridVariant::Path(GridPath::Global))];
    // A warp a point.
    let any = [("global, any", GridVariant::Path(GridPath::Global))];
    let both = [exact[0], ("filtered", GridVariant::Path(GridPath::Filtered))];
    // Document 003, table 1, and one grid of each number of dimensions.
    for case in cases().iter().filter(|case| case.dimensions != 4 || case.side <= options.longest) {
        let scene = random_scene(case)?;
        let forms = match case.dimensions {
            1 => &exact[..],
            2..=4 => &both,
            _ => &any,
        };
        let rows = bench.measure(&scene, case.method, forms)?;
        goals.extend(GridGoal::of_document(&rows[0]));
    }
    // Document 002: tricubic interpolation beside trilinear.
    let filtered = both[1];
    let lookups = ("64 lookups", GridVariant::Path(GridPath::Fetch));
    let table = ("look-up table", GridVariant::Table);
    let [slice, scattered] = volume_scenes()?;
    for (scene, goal) in [(slice, GridGoal::of_slice as fn(&_, &_) -> _), (scattered, GridGoal::of_random)] {
        let linear = quickest(bench.measure(&scene, Method::Linear, &both)?).clone();
        let cubic = quickest(bench.measure(&scene, Method::BSPLINE, &[filtered, table, lookups, exact[0]])?);
        goals.push(goal(&linear, cubic));
    }
    // Document 001: bilinear interpolation of complex samples by where they are.
    let forms = [
        exact[0],
        ("16-byte loads", GridVariant::WideLoads),
        ("mapped host", GridVariant::MappedHost),
        ("fetch", GridVariant::Path(GridPath::Fetch)),
        ("fetch, pitched", GridVariant::PitchedFetch),
        filtered,
        ("filtered, pitched", GridVariant::PitchedFiltered),
    ];
    for scene in plane_scenes()? {
        bench.measure(&scene, Method::Linear, &forms)?;
    }
    let rows = bench.rows;
    Ok(GridDeviceReport { device: device.description(), cpu, repeats: options.repeats, rows, goals })
}

/// The row whose kernel takes the least time, of at least one.
fn quickest(rows: &[GridDeviceRow]) -> &GridDeviceRow {
    rows.iter().fold(&rows[0], |best, row| if row.kernel_ms < best.kernel_ms { row } else { best })
}

struct Bench<'a> {
    device: &'a mut CudaGrids,
    repeats: usize,
    rows: Vec<GridDeviceRow>,
}

impl Bench<'_> {
    /// Measures `method` by each of the forms, and returns their rows.
    fn measure(
        &mut self,
        scene: &Scene,
        method: Method,
        forms: &[(&str, GridVariant)],
    ) -> Result<&[GridDeviceRow], BackendError> {
        let first = self.rows.len();
        let work = ExecOptions::default();
        let sampler = GridSampler::of_method(method).prefiltered();
        let dimensions = scene.grid.dimensions();
        let count = scene.points.len() / dimensions;
        let interpolator = scene.grid.interpolator(&sampler)?;
        let mut expected = vec![0.0; count * scene.grid.components().count()];
        let mut times = Vec::with_capacity(self.repeats);
        for run in 0..=self.repeats {
            let start = Instant::now();
            interpolator.sample_into(&scene.points, &mut expected, &work)?;
            if run > 0 {
                times.push(start.elapsed().as_secs_f64() * 1e3);
            }
        }
        let cpu_ms = median_of(&mut times);
        let compared = COMPARED.min(count);
        for &(form, variant) in forms {
            // The first load gets memory and kernels.
            drop(self.device.load_variant(&scene.grid, &sampler, variant, &work)?);
            let start = Instant::now();
            let resident = self.device.load_variant(&scene.grid, &sampler, variant, &work)?;
            let load_ms = start.elapsed().as_secs_f64() * 1e3;
            let found = self.device.sample(&resident, &scene.points[..compared * dimensions])?;
            let differences = found.iter().zip(&expected).map(|(a, b)| f64::from((a - b).abs()));
            let points = PointSlice::Single(&scene.points);
            let GridTimes { kernel_ms, total_ms } = self.device.time(&resident, points, self.repeats)?;
            self.rows.push(GridDeviceRow {
                method: if sampler.coefficients().is_some() {
                    format!("{method}, prefilter")
                } else {
                    method.to_string()
                },
                grid: scene.grid_text.clone(),
                points: scene.points_text.clone(),
                form: form.to_owned(),
                load_ms,
                kernel_ms,
                total_ms,
                points_a_second: count as f64 / kernel_ms * 1e3,
                cpu_ms,
                largest_difference: differences.fold(0.0, f64::max),
                document_ms: scene.document_ms,
                is_largest_of_document: scene.is_largest_of_document,
            });
        }
        Ok(&self.rows[first..])
    }
}

/// Random samples and random points of a case.
fn random_scene(case: &Case) -> Result<Scene, BackendError> {
    let &Case { dimensions, side, .. } = case;
    let mut random = Random(1);
    let values = (0..side.pow(dimensions as u32)).map(|_| random.next() as f32).collect();
    let points = (0..case.points.get() * dimensions).map(|_| (random.next() * (side - 1) as f64) as f32).collect();
    Ok(Scene {
        grid: Grid::new(&vec![side; dimensions], Components::Real, values)?,
        grid_text: format!("{side}^{dimensions}"),
        points,
        points_text: format!("{} random", case.points.text()),
        document_ms: case.table,
        is_largest_of_document: case.is_largest_of_document(),
    })
}

/// A volume with points of an oblique slice, row by row, and with scattered points.
fn volume_scenes() -> Result<[Scene; 2], BackendError> {
    const SIDE: usize = 256;
    let mut random = Random(2);
    let values: Vec<f32> = (0..SIDE.pow(3)).map(|_| random.next() as f32).collect();
    let grid = Grid::new(&[SIDE; 3], Components::Real, values)?;
    let (side, step) = SLICE;
    // Two directions at right angles, of unit length, along no axis.
    let (across, down) = ([0.36, 0.48, 0.8], [-0.8, 0.6, 0.0]);
    let middle = SIDE as f64 / 2.0;
    let slice = (0..side * side).flat_map(|index| {
        let [u, v] = [index % side, index / side].map(|place| (place as f64 - side as f64 / 2.0) * step);
        std::array::from_fn::<f32, 3, _>(|axis| (middle + u * across[axis] + v * down[axis]) as f32)
    });
    let scattered = (0..3 * MANY).map(|_| (random.next() * (SIDE - 1) as f64) as f32).collect();
    let scene = |points: Vec<f32>, text: &str| Scene {
        grid: grid.clone(),
        grid_text: "256^3".to_owned(),
        points,
        points_text: text.to_owned(),
        document_ms: None,
        is_largest_of_document: false,
    };
    Ok([scene(slice.collect(), "1024^2 slice"), scene(scattered, "2^22 random")])
}

/// A complex plane with points row by row, and with scattered points.
fn plane_scenes() -> Result<[Scene; 2], BackendError> {
    const SIDE: usize = 1024;
    let mut random = Random(3);
    let values: Vec<f32> = (0..2 * SIDE * SIDE).map(|_| random.next() as f32).collect();
    let grid = Grid::new(&[SIDE; 2], Components::Complex, values)?;
    let side = 2048;
    let rows = (0..side * side).flat_map(|index| {
        [index / side, index % side].map(|place| (place as f64 * (SIDE - 1) as f64 / side as f64) as f32)
    });
    let scattered = (0..2 * MANY).map(|_| (random.next() * (SIDE - 1) as f64) as f32).collect();
    let scene = |points: Vec<f32>, text: &str| Scene {
        grid: grid.clone(),
        grid_text: "1024^2 complex".to_owned(),
        points,
        points_text: text.to_owned(),
        document_ms: None,
        is_largest_of_document: false,
    };
    Ok([scene(rows.collect(), "2048^2 rows"), scene(scattered, "2^22 random")])
}

impl GridDeviceReport {
    /// Report as JSON: one object with an array `rows`.
    ///
    /// # Errors
    /// None in practice: every value is a number or a text.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// Report as two text tables: the rows, and the goals.
    pub fn to_table(&self) -> String {
        let mut table = format!(
            "{}; beside it {}\ngrids and points of float32, medians of {}\n",
            self.device, self.cpu, self.repeats
        );
        let _ = writeln!(
            table,
            "{:<19} {:>14} {:>14} {:<17} {:>9} {:>10} {:>10} {:>11} {:>9} {:>9} {:>9} {:>9} {:>13}",
            "method",
            "grid",
            "points",
            "form",
            "load, ms",
            "kernel, ms",
            "total, ms",
            "10^9 pts/s",
            "CPU, ms",
            "largest Δ",
            "003 CPU",
            "003 GPU",
            "003 GPU/total"
        );
        for row in &self.rows {
            let document = |index: usize| row.document_ms.map_or_else(|| "-".to_owned(), |ms| ms[index].to_string());
            let _ = writeln!(
                table,
                "{:<19} {:>14} {:>14} {:<17} {:>9.2} {:>10.4} {:>10.4} {:>11.4} {:>9.3} {:>9.1e} {:>9} {:>9} {:>13}",
                row.method,
                row.grid,
                row.points,
                row.form,
                row.load_ms,
                row.kernel_ms,
                row.total_ms,
                row.points_a_second * 1e-9,
                row.cpu_ms,
                row.largest_difference,
                document(0),
                document(1),
                ratio_text(row.document_ms, 1, row.total_ms)
            );
        }
        table.push('\n');
        table.push_str(&goals::table_of(&self.goals));
        table
    }
}
