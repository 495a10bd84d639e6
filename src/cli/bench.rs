//! `lerpscope bench`: time of each method by each path, or of each kernel in each block shape.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use super::errors::Usage;
use super::progress::watched;
use super::window::{measure_frame, time_frames};
use super::{options, stdout};
use crate::arguments::{parse_number, parse_size};
use crate::backend::{
    self, Backend as _, BackendKind, BenchOptions, BlockSweepOptions, CpuBackend, Kernel, output_demand,
};
use crate::bench::{self, WindowBenchReport, WindowTimes};
use crate::block_sweep;
use crate::files;
use crate::filter::{CancelToken, ExecOptions};
use crate::grid_bench::{self, GridBenchOptions};
use crate::image::{BUILT_IN, Channels, Depth, Size};
use crate::memory::Memory;
use crate::view::View;

/// Frames of each scene of `--window`.
const WINDOW_FRAMES: usize = 200;

/// Options of `bench`.
#[derive(Args, Debug)]
pub struct BenchCommandOptions {
    /// Backend
    #[arg(long, value_name = "BACKEND", default_value = "auto", value_parser = options::interactive_backend())]
    backend: String,
    /// Size of the output in pixels
    #[arg(long, value_name = "WxH", default_value = "3840x2160", value_parser = parse_size)]
    size: Size,
    /// Size of the image in samples
    #[arg(long, value_name = "WxH", default_value = "4096x4096", value_parser = parse_size)]
    image: Size,
    /// Scale in samples per output pixel; may be repeated [default: 1/64, 1/16, 1/8, 1/2 and 1; with --blocks 1/2,
    /// with --window 1/8]
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = parse_number::<f64>)]
    scale: Vec<f64>,
    /// Number of measurements; the table has the median [default: 101, filters 20; on the CPU 11, with --blocks there
    /// 5; --window 200 frames]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    repeats: Option<u32>,
    /// Time kernels in blocks of every shape (without a GPU, in bands of every height)
    #[arg(long)]
    blocks: bool,
    /// Kernel of --blocks: METHOD:PATH, METHOD:FORM (points, gather, …), a filter such as gaussian=2, or
    /// gaussian=2:transposed; may be repeated [default: all]
    #[arg(long, value_name = "KERNEL", requires = "blocks", value_parser = str::parse::<Kernel>)]
    kernel: Vec<Kernel>,
    /// Time grids at points: on the CPU the cubic B-spline of one to six dimensions at random points, on a GPU this and the forms
    /// of documents 001 and 002, with the goals of these figures
    #[arg(long, conflicts_with_all = ["blocks", "scale", "size", "image"])]
    grids: bool,
    /// Longest side of a four-dimensional grid of --grids
    #[arg(long, value_name = "N", default_value = "64", requires = "grids", value_parser = clap::value_parser!(u8).range(1..=64))]
    longest: u8,
    /// Time frames of a window of 1920×1080 points while the view is panned: the panels alone, then with each tool
    #[arg(long, conflicts_with_all = ["blocks", "grids", "size", "image"])]
    window: bool,
    /// Image of --window
    #[arg(long, value_name = "IMAGE", default_value = BUILT_IN, requires = "window")]
    source: PathBuf,
    /// Write the results to this file as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the results of --blocks to this file as CSV
    #[arg(long, value_name = "FILE", requires = "blocks")]
    csv: Option<PathBuf>,
}

/// Measures, prints a table, then writes the files.
///
/// # Errors
/// A number out of range, a missing or failing backend, and a file that cannot be written; files are checked before the
/// measurements.
pub(super) fn run(options: &BenchCommandOptions) -> anyhow::Result<()> {
    for size in [options.size, options.image] {
        Memory::Machine.check(&output_demand(size, Channels::Rgba, Depth::Float))?;
    }
    if options.window {
        time_window(options)
    } else if options.grids {
        time_grids(options)
    } else if options.blocks {
        sweep_blocks(options)
    } else {
        compare_paths(options)
    }
}

fn time_window(options: &BenchCommandOptions) -> anyhow::Result<()> {
    let scale = match options.scale[..] {
        [] => 0.125,
        [scale] => scale,
        _ => return Err(Usage(format!("--window takes one --scale, not {}", options.scale.len())).into()),
    };
    View::new([0.0; 2], scale)?;
    options.check_files()?;
    let device = CpuBackend::new().description();
    let frames = options.repeats.map_or(WINDOW_FRAMES, |repeats| repeats as usize);
    let WindowTimes { scenes, at_rest } = time_frames(options.source.clone(), options.backend.clone(), frames, scale)?;
    let source = options.source.display().to_string();
    let report = WindowBenchReport { device, source, scale, rows: scenes, at_rest };
    let printed = stdout::print(&report.to_table());
    if let Some(path) = &options.json {
        write(path, report.to_json()?.as_bytes())?;
    }
    printed
}

fn time_grids(options: &BenchCommandOptions) -> anyhow::Result<()> {
    options.check_files()?;
    let usual = GridBenchOptions::default();
    let repeats = options.repeats.map_or(usual.repeats, |repeats| repeats as usize);
    let what = GridBenchOptions { repeats, longest: usize::from(options.longest) };
    let cpu = CpuBackend::new().description();
    #[cfg(feature = "cuda")]
    if let Some(mut device) = cuda_grids(&options.backend)? {
        let report = grid_bench::run_on_device(&mut device, &what, cpu)?;
        let printed = stdout::print(&report.to_table());
        if let Some(path) = &options.json {
            write(path, report.to_json()?.as_bytes())?;
        }
        return printed;
    }
    #[cfg(not(feature = "cuda"))]
    if options.backend == BackendKind::Cuda.row().name {
        backend::open(&options.backend)?;
    }
    let report = watched(|work| {
        // Progress of single measurements would be no progress of the whole.
        Ok(grid_bench::run(&what, cpu, &ExecOptions { progress: None, ..work })?)
    })?;
    let printed = stdout::print(&report.to_table());
    if let Some(path) = &options.json {
        write(path, report.to_json()?.as_bytes())?;
    }
    printed
}

/// The GPU, where `name` asks for it, or for the fastest backend and there is one.
#[cfg(feature = "cuda")]
fn cuda_grids(name: &str) -> anyhow::Result<Option<backend::CudaGrids>> {
    if name == BackendKind::Cuda.row().name {
        Ok(Some(backend::CudaGrids::open()?))
    } else if name == backend::AUTO {
        Ok(backend::CudaGrids::open().inspect_err(|error| log::info!("{error}")).ok())
    } else {
        Ok(None)
    }
}

fn compare_paths(options: &BenchCommandOptions) -> anyhow::Result<()> {
    let usual = BenchOptions::default();
    let scales = if options.scale.is_empty() { usual.scales } else { options.scale.clone() };
    for &scale in &scales {
        View::new([0.0; 2], scale)?;
    }
    let repeats = options.repeats.map(|repeats| repeats as usize);
    let what = BenchOptions { size: options.size, image: options.image, scales, repeats };
    options.check_files()?;
    let mut backend = backend::open(&options.backend)?;
    let mut report = bench::run(&mut *backend, &what)?;
    report.join(measure_frame(backend, &what));
    // A closed pipe on standard output does not stop the file from being written.
    let printed = stdout::print(&report.to_table());
    if let Some(path) = &options.json {
        write(path, report.to_json()?.as_bytes())?;
    }
    printed
}

fn sweep_blocks(options: &BenchCommandOptions) -> anyhow::Result<()> {
    let scale = match options.scale[..] {
        [] => 0.5,
        [scale] => scale,
        _ => return Err(Usage(format!("--blocks takes one --scale, not {}", options.scale.len())).into()),
    };
    let view = block_sweep::view(scale)?;
    options.check_files()?;
    let mut backend = backend::open(&options.backend)?;
    let usual_repeats = match backend.kind() {
        BackendKind::Cuda => 101,
        BackendKind::Cpu | BackendKind::Reference => 5,
    };
    let what = BlockSweepOptions {
        size: options.size,
        image: options.image,
        view,
        repeats: options.repeats.map_or(usual_repeats, |repeats| repeats as usize),
        kernels: options.kernel.clone(),
    };
    let report = block_sweep::run(&mut *backend, &what, &CancelToken::default(), &mut |_, progress| {
        log::info!("timing {} of {}", progress.done, progress.of);
    })?;
    let printed = stdout::print(&report.to_table());
    if let Some(path) = &options.json {
        write(path, report.to_json()?.as_bytes())?;
    }
    if let Some(path) = &options.csv {
        write(path, &report.to_csv()?)?;
    }
    printed
}

impl BenchCommandOptions {
    /// Checks that the files and standard output are writable, before minutes of measurements.
    fn check_files(&self) -> anyhow::Result<()> {
        stdout::check()?;
        for path in [&self.json, &self.csv].into_iter().flatten() {
            files::check_writable(path).with_context(|| path.display().to_string())?;
        }
        Ok(())
    }
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    files::write(path, |out| out.write_all(bytes)).with_context(|| path.display().to_string())
}
