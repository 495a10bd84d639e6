//! `lerpscope bench`: how long each method takes by each path, or each kernel in each block shape.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use super::failure::Usage;
use super::options;
use crate::app::measure_frame;
use crate::arguments::{parse_number, parse_size};
use crate::backend::{self, BenchOptions, Kernel, RaceOptions, output_demand};
use crate::bench;
use crate::filter::Stop;
use crate::image::{Channels, Depth, Size};
use crate::memory::Memory;
use crate::race;
use crate::view::View;

/// What `bench` takes.
#[derive(Args, Debug)]
pub struct BenchCommandOptions {
    /// What renders
    #[arg(long, value_name = "BACKEND", default_value = "auto", value_parser = options::interactive_backend())]
    backend: String,
    /// The output's size in pixels
    #[arg(long, value_name = "WxH", default_value = "3840x2160", value_parser = parse_size)]
    size: Size,
    /// The image's size in samples
    #[arg(long, value_name = "WxH", default_value = "4096x4096", value_parser = parse_size)]
    image: Size,
    /// Samples per output pixel, once for each scale to measure [default: 1/64, 1/16, 1/8, 1/2 and 1; with --blocks 1/2]
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = parse_number::<f64>)]
    scale: Vec<f64>,
    /// How often each is measured; the median counts [default: 101, filters 20; on the CPU 11, with --blocks there 5]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    repeats: Option<u32>,
    /// Time kernels in blocks of every shape instead (where there is no GPU, in bands of every height)
    #[arg(long)]
    blocks: bool,
    /// A kernel of --blocks, METHOD:PATH, METHOD:FORM (points, gather, …) or a filter as gaussian=2; may be repeated [default: all]
    #[arg(long, value_name = "KERNEL", requires = "blocks", value_parser = str::parse::<Kernel>)]
    kernel: Vec<Kernel>,
    /// Write the numbers to this file as JSON, too
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the numbers of --blocks to this file as CSV, too
    #[arg(long, value_name = "FILE", requires = "blocks")]
    csv: Option<PathBuf>,
}

/// Measures and prints a table.
///
/// # Errors
/// Where a number is out of its range, where the backend is missing or fails, or a file cannot be written.
pub(super) fn run(options: &BenchCommandOptions) -> anyhow::Result<()> {
    for size in [options.size, options.image] {
        Memory::Machine.check(&output_demand(size, Channels::Rgba, Depth::Float))?;
    }
    let table = if options.blocks { race_blocks(options)? } else { compare_paths(options)? };
    io::stdout().lock().write_all(table.as_bytes())?;
    Ok(())
}

fn compare_paths(options: &BenchCommandOptions) -> anyhow::Result<String> {
    let usual = BenchOptions::default();
    let scales = if options.scale.is_empty() { usual.scales } else { options.scale.clone() };
    for &scale in &scales {
        View::new([0.0; 2], scale)?;
    }
    let repeats = options.repeats.map(|repeats| repeats as usize);
    let what = BenchOptions { size: options.size, image: options.image, scales, repeats };
    let mut backend = backend::open(&options.backend)?;
    let mut report = bench::run(&mut *backend, &what)?;
    report.join(measure_frame(backend, &what));
    if let Some(path) = &options.json {
        write(path, report.to_json()?.as_bytes())?;
    }
    Ok(report.to_table())
}

fn race_blocks(options: &BenchCommandOptions) -> anyhow::Result<String> {
    let scale = match options.scale[..] {
        [] => 0.5,
        [scale] => scale,
        _ => return Err(Usage(format!("--blocks takes one --scale, not {}", options.scale.len())).into()),
    };
    let mut backend = backend::open(&options.backend)?;
    let usual_repeats = if backend.name() == "cpu" { 5 } else { 101 };
    let what = RaceOptions {
        size: options.size,
        image: options.image,
        view: race::view(scale)?,
        repeats: options.repeats.map_or(usual_repeats, |repeats| repeats as usize),
        kernels: options.kernel.clone(),
    };
    let report = race::run(&mut *backend, &what, &Stop::default(), &mut |_, progress| {
        log::info!("lap {} of {}", progress.done, progress.of);
    })?;
    if let Some(path) = &options.json {
        write(path, report.to_json()?.as_bytes())?;
    }
    if let Some(path) = &options.csv {
        write(path, &report.to_csv()?)?;
    }
    Ok(report.to_table())
}

/// Writes a file whole, or leaves what was there.
fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let write = || {
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(bytes)?;
        file.persist(path).map_err(|error| error.error)
    };
    write().map(drop).with_context(|| path.display().to_string())
}
