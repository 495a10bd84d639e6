//! `lerpscope bench`: how long each method takes by each path.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use super::options;
use crate::arguments::parse_size;
use crate::bench::{self, BenchOptions};
use crate::image::Size;

/// What `bench` takes.
#[derive(Args, Debug)]
pub struct BenchCommandOptions {
    /// What renders
    #[arg(long, value_name = "BACKEND", default_value = "auto", value_parser = options::backend())]
    backend: String,
    /// The output's size in pixels
    #[arg(long, value_name = "WxH", default_value = "3840x2160", value_parser = parse_size)]
    size: Size,
    /// The image's size in samples
    #[arg(long, value_name = "WxH", default_value = "4096x4096", value_parser = parse_size)]
    image: Size,
    /// Samples per output pixel, once for each scale to measure
    #[arg(long, value_name = "S", default_values_t = [0.125, 0.5, 1.0])]
    scale: Vec<f64>,
    /// How often each is measured; the median counts
    #[arg(long, value_name = "N", default_value = "101")]
    repeats: usize,
    /// Write the numbers to this file as JSON, too
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Measures and prints a table.
///
/// # Errors
/// Where the backend is missing or fails, or the file cannot be written.
pub(super) fn run(options: &BenchCommandOptions) -> anyhow::Result<()> {
    let BenchCommandOptions { backend, size, image, scale, repeats, json } = options;
    let what =
        BenchOptions { size: *size, image: *image, scales: scale.clone(), repeats: (*repeats).clamp(1, 100_000) };
    let report = bench::run(backend, &what)?;
    if let Some(path) = json {
        std::fs::write(path, report.to_json()).with_context(|| path.display().to_string())?;
    }
    io::stdout().lock().write_all(report.to_table().as_bytes())?;
    Ok(())
}
