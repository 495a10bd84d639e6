//! Times of resident grids: of the kernel alone, and with the copies of points and values.

use std::time::Instant;

use super::CudaGrids;
use super::forms::{MOST_POINTS, launch};
use super::resident::ResidentGrid;
use crate::backend::BackendError;
use crate::backend::cuda::abi::grid_arguments::GridArguments;
use crate::backend::cuda::driver::error::{Context as _, DriverError, check};
use crate::backend::cuda::driver::events::Span;
use crate::filter::ExecOptions;
use crate::grid::PointSlice;

/// Median times in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridTimes {
    /// The kernel, with points and values on the device.
    pub kernel_ms: f64,
    /// From points on the host to values on the host; the copies of some points overlap the kernel of others.
    pub total_ms: f64,
}

impl CudaGrids {
    /// Times the kernel and the whole, `repeats` times each after one run that loads the kernel.
    ///
    /// # Errors
    /// As [`CudaGrids::sample`], and if the device has no room for all points and values at once.
    pub fn time(
        &mut self,
        grid: &ResidentGrid,
        points: PointSlice<'_>,
        repeats: usize,
    ) -> Result<GridTimes, BackendError> {
        let kernel_ms = median(self.kernel_times(grid, points, repeats)?);
        let mut out = vec![0.0; grid.count(points)? * grid.components().count()];
        let mut times = Vec::with_capacity(repeats);
        // The first run gets the memory.
        for run in 0..=repeats {
            let start = Instant::now();
            self.sample_into(grid, points, &mut out, &ExecOptions::default())?;
            if run > 0 {
                times.push(start.elapsed().as_secs_f64() * 1e3);
            }
        }
        Ok(GridTimes { kernel_ms, total_ms: median(times) })
    }

    /// Times of the kernel alone in milliseconds.
    fn kernel_times(
        &mut self,
        grid: &ResidentGrid,
        points: PointSlice<'_>,
        repeats: usize,
    ) -> Result<Vec<f64>, BackendError> {
        let count = grid.count(points)?;
        check((1..=MOST_POINTS).contains(&count), "too many points, or none")?;
        let (numbers, is_double): (&[f32], bool) = match points {
            PointSlice::Single(points) => (points, false),
            PointSlice::Double(points) => (bytemuck::cast_slice(points), true),
        };
        let device = &mut self.launcher.device;
        device.context.bind_to_thread().context("the context is lost")?;
        let mut memory = device.allocate::<f32>(numbers.len())?;
        let copied = device.stream.memcpy_htod(numbers, &mut memory).context("a copy to the device fails");
        copied.and(device.finish())?;
        let results = device.allocate::<f32>(count * grid.components().count())?;
        let arguments = GridArguments {
            points: device.address(&memory),
            results: device.address(&results),
            count: count as i64,
            is_double: i32::from(is_double),
            ..grid.arguments
        };
        let mut times = Vec::with_capacity(repeats);
        for run in 0..=repeats {
            let span = Span::new(&self.launcher.device)?;
            let stream = std::sync::Arc::clone(&self.launcher.device.stream);
            span.start(&self.launcher.device)?;
            #[expect(unsafe_code, reason = "a kernel is launched")]
            // SAFETY: the memory has room for the points and their values, and both and the grid stay until the stream was
            // waited for, at the end of each run. The number of points was checked.
            let launched: Result<(), DriverError> = unsafe { launch(&mut self.launcher, &stream, grid, arguments) };
            let ended = span.end(&self.launcher.device);
            self.launcher.device.finish()?;
            launched.and(ended)?;
            if run > 0 {
                times.push(span.elapsed_ms()?);
            }
        }
        Ok(times)
    }
}

/// The middle of the times, the upper one of two.
fn median(mut times: Vec<f64>) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::INFINITY)
}
