//! Twin: kernels/filters.cuh. Filters on the device: from a chain's steps to launches.
//!
//! Consecutive point filters are one launch. A Gaussian is two launches, or one if it is narrow and its samples are
//! integers. An unsharp mask is a Gaussian and one more launch; every other filter is one launch. Between launches the
//! values are in global memory in single precision. The samples of a page are read through the texture unit with its
//! address modes, except by a Gaussian, which reads them from memory.

use std::sync::Arc;

use super::filter_grid::{FilterGrid, GaussianPasses, TileOfGaussian};
use super::filter_kernels::{Kernel, kernel_of};
use super::input::Input;
use crate::backend::BackendError;
use crate::backend::cuda::abi::arguments::{
    ConvolutionArguments, FilterArguments, GaussianArguments, MAX_POINT_STEPS, MAX_RADIUS, MAX_WEIGHTS, Plane,
    PointArguments, PointStep,
};
use crate::backend::cuda::abi::sample_kind::SampleKind;
use crate::backend::cuda::driver::destination::{Destination, DeviceBuffer};
use crate::backend::cuda::driver::error::check;
use crate::backend::cuda::driver::scratch::Scratch;
use crate::backend::cuda::kernels::entry::{MedianWindow, TypedEntry};
use crate::backend::cuda::kernels::launch::Launcher;
use crate::filter::{Chain, Convolution, Filter, GaussianBlur, LUMINANCE, Noise, Step, bilateral_radius, shows_share};
use crate::image::Channels;
use crate::sampling::AddressMode;

/// Threads of a block along x and y, where no measurement asks for another shape.
const BLOCK: [u32; 2] = [32, 8];
/// Results of a thread of the wider median kernels (WIDE_RUN).
const WIDE_RUN: u32 = 4;
/// Rows beyond their bit planes that these kernels may read and discard.
const SPARE_ROWS: u32 = 8;
/// Shared memory that a block of `bilateral` or `convolve` takes while more than one row of its window fits.
const TILE_BYTES: u32 = 32 << 10;

/// Results that a thread makes where it makes more than one (Run).
fn run_of(colour: bool) -> u32 {
    if colour { 4 } else { 8 }
}

/// How much of its input a chain makes results for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// All of it: steps look beyond its edges by the address modes.
    Whole,
    /// What no step looks beyond an edge for.
    Middle {
        /// Place of the input's first value ([`Plane::first`](crate::filter::Plane::first)).
        first: [u32; 2],
    },
}

/// Memory that filters keep from frame to frame.
#[derive(Debug, Default)]
pub(crate) struct FilterMemory {
    /// Values between steps, in turn.
    steps: [Scratch; 2],
    /// Values between a Gaussian's passes.
    between: Scratch,
    /// What an unsharp mask compares with.
    blurred: Scratch,
}

impl FilterMemory {
    /// All that was allocated.
    pub(crate) fn buffers(&mut self) -> impl Iterator<Item = &mut Scratch> {
        let [first, second] = &mut self.steps;
        [first, second, &mut self.between, &mut self.blurred].into_iter()
    }

    /// Runs `chain` over `input`, its last step into `destination`.
    ///
    /// What the launches below rely on is established here: a pass writes `count` results, which its destination has room for,
    /// and reads `input`, whose addresses are of memory that it borrows or keeps; kernels bring every index within what is
    /// stored by the address modes, and with `Extent::Middle` count none that lies beyond.
    ///
    /// # Errors
    /// Where the results do not fit, or the device cannot hold what a step needs or fails.
    pub(crate) fn run(
        &mut self,
        launcher: &mut Launcher,
        (chain, extent): (&Chain, Extent),
        mut input: Input<'_>,
        destination: &Destination<'_>,
    ) -> Result<(), BackendError> {
        let steps: Vec<Step> = chain.active().copied().collect();
        let runs = steps.chunk_by(|a, b| a.filter().is_point() && b.filter().is_point());
        let passes: Vec<&[Step]> = runs.flat_map(|run| run.chunks(MAX_POINT_STEPS)).collect();
        let mut first = match extent {
            Extent::Whole => [0; 2],
            Extent::Middle { first } => first,
        };
        for (index, pass) in passes.iter().enumerate() {
            let Some(step) = pass.first() else { continue };
            let inset = match extent {
                Extent::Whole => 0,
                Extent::Middle { .. } => step.reach() as i32,
            };
            let count = input.plane.stored.map(|side| side - 2 * inset);
            check(count.iter().all(|&side| side > 0), "a filter has no results")?;
            let count_px = count.map(i32::unsigned_abs);
            let mut made = None;
            let target = if index + 1 < passes.len() {
                let len = count[0] as usize * count[1] as usize * input.floats();
                let values = self.steps[index % 2].reserve(&launcher.device, len)?;
                let between = Destination::values(DeviceBuffer::Floats(Arc::clone(&values)), count_px, input.floats())?;
                let like = Plane { border: input.border, ..input.plane };
                made = Some(Input::of_values(&launcher.device, values, count_px, input.channels, like)?);
                between.target(&launcher.device)
            } else {
                destination.check(count_px, input.floats())?;
                destination.target(&launcher.device)
            };
            let arguments = FilterArguments {
                plane: input.textured.unwrap_or(input.plane),
                target,
                origin: [inset; 2],
                count,
                channels: input.channels.count() as i32,
                radius: step.reach() as i32,
                ..FilterArguments::default()
            };
            self.pass(launcher, (pass, first), &input, arguments)?;
            first = first.map(|place| place.wrapping_add(inset.unsigned_abs()));
            input = made.unwrap_or(input);
        }
        Ok(())
    }

    /// One filter, or point filters that follow one another, over values whose first is at the place `first`.
    fn pass(
        &mut self,
        launcher: &mut Launcher,
        (steps, first): (&[Step], [u32; 2]),
        input: &Input<'_>,
        mut arguments: FilterArguments,
    ) -> Result<(), BackendError> {
        let Some(step) = steps.first() else { return Ok(()) };
        let parameters = step.parameters();
        let colour = input.is_colour();
        let block = launcher.block.unwrap_or(BLOCK);
        let [horizontal, vertical] = block;
        let pixel_bytes = 4 * input.floats() as u32;
        let count = arguments.count.map(i32::unsigned_abs);
        // Results wait in shared memory as words before they are written.
        let launch = |run, shared_bytes: u32| FilterGrid {
            block,
            results: [horizontal, vertical * run],
            count,
            shared_bytes: shared_bytes.max(4 * horizontal * vertical * run),
        };
        let run = run_of(colour);
        let around_run = (horizontal + 2) * (vertical * run + 2) * pixel_bytes;
        match kernel_of(step.filter())? {
            Kernel::Points => {
                let mut points = PointArguments {
                    filter: arguments,
                    first,
                    step_count: steps.len() as i32,
                    ..PointArguments::default()
                };
                points.steps.iter_mut().zip(steps).for_each(|(to, step)| *to = point_step(step, input.channels));
                let launch = launch(run, 0);
                #[expect(unsafe_code, reason = "a kernel is launched")]
                // SAFETY: `run` made the filter's arguments; at most MOST_POINT_STEPS steps, and shared memory for its results.
                unsafe {
                    launch.run(launcher, TypedEntry::point_filters(colour), &points)
                }
            }
            Kernel::Gaussian => self.gaussian(launcher, GaussianBlur::new(parameters), input, arguments),
            Kernel::Unsharp => {
                let len = count[0] as usize * count[1] as usize * input.floats();
                let blurred = self.blurred.reserve(&launcher.device, len)?;
                arguments.between = launcher.device.address(&blurred);
                let blur = GaussianBlur::new(&parameters[..1]);
                arguments.radius = blur.reach() as i32;
                arguments.parameters = [parameters[1] as f32, parameters[2] as f32, 0.0];
                let between = Destination::values(DeviceBuffer::Floats(blurred), count, input.floats())?;
                let target = between.target(&launcher.device);
                self.gaussian(launcher, blur, input, FilterArguments { target, ..arguments })?;
                let launch = launch(run, 0);
                #[expect(unsafe_code, reason = "a kernel is launched")]
                // SAFETY: `run` made the filter's arguments; `blurred` has a value for each result and is kept until after the
                // launch, and memory is freed in the order of the stream.
                unsafe {
                    launch.run(launcher, TypedEntry::unsharp(colour), &arguments)
                }
            }
            Kernel::Bilateral => {
                let radius = bilateral_radius(parameters);
                let row_bytes = (horizontal + 2 * radius) * pixel_bytes;
                let rows = (TILE_BYTES / row_bytes).saturating_sub(vertical - 1).clamp(1, 2 * radius + 1);
                arguments.rows_at_once = rows as i32;
                arguments.parameters = bilateral_parameters(parameters);
                arguments.two_sigma_squares = 2.0 * parameters[0] * parameters[0];
                let nearness_bytes = 4 * (radius + 1).pow(2).next_multiple_of(4);
                let launch = launch(1, nearness_bytes + (vertical + rows - 1) * row_bytes);
                #[expect(unsafe_code, reason = "a kernel is launched")]
                // SAFETY: `run` made the filter's arguments; shared memory holds the weights of its radius and the rows that it
                // loads at once.
                unsafe {
                    launch.run(launcher, TypedEntry::bilateral(colour), &arguments)
                }
            }
            Kernel::Median => {
                let entry = TypedEntry::median(MedianWindow::of_radius(arguments.radius), colour);
                if arguments.radius == 1 {
                    let launch = launch(run, around_run);
                    #[expect(unsafe_code, reason = "a kernel is launched")]
                    // SAFETY: `run` made the filter's arguments; shared memory holds the block's samples and one around them.
                    return unsafe { launch.run(launcher, entry, &arguments) };
                }
                let mut key_bits = 32;
                if input.kind != SampleKind::F32 {
                    let largest = (1.0 / input.plane.inv_maxval).round();
                    arguments.parameters = [input.plane.inv_maxval, largest, 0.0];
                    key_bits = (2 * largest as u32 + 2).ilog2() + 1;
                }
                let words_a_row = horizontal.div_ceil(32) + 1;
                let rows = key_bits * (vertical * WIDE_RUN + 2 * arguments.radius.unsigned_abs()) + SPARE_ROWS;
                let launch = launch(WIDE_RUN, 4 * (1 + rows * words_a_row));
                #[expect(unsafe_code, reason = "a kernel is launched")]
                // SAFETY: `run` made the filter's arguments; shared memory holds a plane of bits for each bit of a key, with the
                // rows that are read for nothing.
                unsafe {
                    launch.run(launcher, entry, &arguments)
                }
            }
            Kernel::Sobel => {
                arguments.parameters[0] = (parameters[0] / 4.0) as f32;
                let launch = launch(run, around_run);
                #[expect(unsafe_code, reason = "a kernel is launched")]
                // SAFETY: `run` made the filter's arguments; shared memory holds the block's samples and one around them.
                unsafe {
                    launch.run(launcher, TypedEntry::sobel(colour), &arguments)
                }
            }
            Kernel::Convolve => {
                let Some(Convolution { size, first, weights }) = step.convolution() else {
                    return Ok(check(false, "a convolution has no matrix")?);
                };
                let row_bytes = (horizontal + size[0] - 1) * pixel_bytes;
                let rows = (TILE_BYTES / row_bytes).saturating_sub(vertical * run - 1).clamp(1, size[1]);
                arguments.rows_at_once = rows as i32;
                let size = size.map(u32::cast_signed);
                let mut arguments =
                    ConvolutionArguments { filter: arguments, size, first, weights: [0.0; MAX_WEIGHTS] };
                arguments.weights.iter_mut().zip(weights).for_each(|(to, weight)| *to = weight as f32);
                let launch = launch(run, (vertical * run + rows - 1) * row_bytes);
                #[expect(unsafe_code, reason = "a kernel is launched")]
                // SAFETY: `run` made the filter's arguments; the weights of the largest matrix are in its own, and shared memory
                // holds the rows that it loads at once.
                unsafe {
                    launch.run(launcher, TypedEntry::convolve(colour), &arguments)
                }
            }
        }
    }

    /// A blur: both passes, in one launch where they fit.
    fn gaussian(
        &mut self,
        launcher: &mut Launcher,
        blur: GaussianBlur,
        input: &Input<'_>,
        filter: FilterArguments,
    ) -> Result<(), BackendError> {
        let filter = FilterArguments { plane: input.plane, ..filter };
        let weights = blur.weights();
        // Each pass has the radius and the weights of its axis.
        let [mut across, mut down] = [0, 1].map(|axis: usize| {
            let filter = FilterArguments { radius: blur.radii[axis] as i32, ..filter };
            let mut arguments = GaussianArguments { filter, weights: [0.0; MAX_RADIUS + 1] };
            arguments.weights.iter_mut().zip(&weights[axis]).for_each(|(to, weight)| *to = *weight as f32);
            arguments
        });
        let bordered = input.plane.address.contains(&(AddressMode::Border as i32));
        let tile = TileOfGaussian::of_blur((input.kind, input.is_colour()), blur, bordered);
        if let Some(tile) = tile {
            let launch = tile.launch(filter.count);
            #[expect(unsafe_code, reason = "a kernel is launched")]
            // SAFETY: `run` made the filter's arguments; the radius is at most the tile's reach, so that its weights are in the
            // arguments, and the block is the one that the tile was compiled for.
            return unsafe { launch.run(launcher, tile.entry(), &across) };
        }
        let [columns, rows] = filter.count.map(i32::unsigned_abs);
        let stored_rows = input.plane.stored[1].unsigned_abs();
        let passes = GaussianPasses { colour: input.is_colour() };
        let pitch = GaussianPasses::pitch(columns);
        let between = self.between.reserve(&launcher.device, pitch as usize * stored_rows as usize * input.floats())?;
        across.filter.between = launcher.device.address(&between);
        down.filter.between = across.filter.between;
        let horizontal = passes.across(blur.radii[0], [columns, stored_rows]);
        #[expect(unsafe_code, reason = "a kernel is launched")]
        // SAFETY: `run` made the filter's arguments; `between` has `pitch` values for each stored row, and shared memory holds
        // the weights of the radius, at most MOST_RADIUS, and a piece of every row of the block.
        unsafe {
            horizontal.run(launcher, TypedEntry::gaussian_horizontal(input.kind, input.is_colour()), &across)?;
        }
        let vertical = passes.down(blur.radii[1], [columns, rows]);
        #[expect(unsafe_code, reason = "a kernel is launched")]
        // SAFETY: as above; it reads what the first pass wrote, in the order of the stream. `between` is kept until here.
        unsafe {
            vertical.run(launcher, TypedEntry::gaussian_vertical(input.is_colour()), &down)
        }
    }
}

impl FilterMemory {
    /// Runs `blur` over the grey values of `input` into `destination`, by two passes that filter along y and transpose.
    ///
    /// # Errors
    /// For colour; where the results do not fit, or the device cannot hold what lies between the passes or fails.
    pub(crate) fn run_transposed(
        &mut self,
        launcher: &mut Launcher,
        blur: &GaussianBlur,
        input: &Input<'_>,
        destination: &Destination<'_>,
    ) -> Result<(), BackendError> {
        check(!input.is_colour(), "transposing passes of colour")?;
        let [columns, rows] = input.plane.stored.map(i32::unsigned_abs);
        destination.check([columns, rows], 1)?;
        let values = self.between.reserve(&launcher.device, columns as usize * rows as usize)?;
        let turned = Destination::values(DeviceBuffer::Floats(Arc::clone(&values)), [rows, columns], 1)?;
        let [x, y] = input.plane.address;
        let like = Plane { border: input.border, address: [y, x], ..input.plane };
        let between = Input::of_values(&launcher.device, values, [rows, columns], input.channels, like)?;
        let first = (input.textured.unwrap_or(input.plane), turned.target(&launcher.device), [rows, columns]);
        let second = (between.plane, destination.target(&launcher.device), [columns, rows]);
        let weights = blur.weights();
        for ((plane, target, count), axis) in [(first, 1), (second, 0)] {
            let filter = FilterArguments {
                plane,
                target,
                count: count.map(u32::cast_signed),
                channels: 1,
                radius: blur.radii[axis] as i32,
                ..FilterArguments::default()
            };
            let mut arguments = GaussianArguments { filter, weights: [0.0; MAX_RADIUS + 1] };
            arguments.weights.iter_mut().zip(&weights[axis]).for_each(|(to, weight)| *to = *weight as f32);
            let block = launcher.block.unwrap_or(BLOCK);
            let grid = FilterGrid { block, results: block, count, shared_bytes: 0 };
            #[expect(unsafe_code, reason = "a kernel is launched")]
            // SAFETY: the targets have room for `count` results; indices go through the address modes; the weights of the
            // radius, at most MOST_RADIUS, are in the arguments; what lies between the passes is kept until after both.
            unsafe {
                grid.run(launcher, TypedEntry::gaussian_transposed(), &arguments)?;
            }
        }
        Ok(())
    }
}

/// A point filter as its kernel has it.
fn point_step(step: &Step, channels: Channels) -> PointStep {
    let parameters = step.parameters();
    let filter = step.filter() as i32;
    match step.filter() {
        Filter::Gamma => PointStep { filter, factor: parameters[0] as f32, ..PointStep::default() },
        Filter::Brightness => {
            let [factor, colour] = [parameters[0], parameters[1]];
            if channels.has_colour() && colour != 1.0 {
                let luminance = LUMINANCE.map(|weight| (weight * factor * (1.0 - colour)) as f32);
                PointStep { mixes: 1, factor: (factor * colour) as f32, luminance, filter, ..PointStep::default() }
            } else {
                PointStep { filter, factor: factor as f32, ..PointStep::default() }
            }
        }
        Filter::Noise => {
            let Noise { kind, amplitude, replaced, seed } = Noise::new(parameters);
            let (noise_kind, factor) = (kind as i32, amplitude as f32);
            PointStep { filter, factor, noise_kind, replaced, seed, ..PointStep::default() }
        }
        // Negative has no parameters. The others are no point filters, and have kernels of their own.
        Filter::Negative
        | Filter::Gaussian
        | Filter::Bilateral
        | Filter::Unsharp
        | Filter::Median
        | Filter::Sobel
        | Filter::Convolve
        | Filter::Inpaint => PointStep { filter, ..PointStep::default() },
    }
}

/// Likeness, the limit of a weight's exponent, and whether the share is shown: a weight is 2^−(nearness + likeness·difference²).
fn bilateral_parameters(parameters: &[f64]) -> [f32; 3] {
    let [range, threshold] = [parameters[1], parameters[3]];
    let needs_share = threshold > 0.0 || shows_share(parameters);
    let limit = if needs_share { -threshold.log2() as f32 + 0.0 } else { -1.0 };
    let likeness = (std::f64::consts::LOG2_E / (2.0 * range * range)) as f32;
    [likeness, limit, if shows_share(parameters) { 1.0 } else { 0.0 }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bilateral_threshold_one_is_a_limit_and_zero_is_none() {
        assert_eq!(bilateral_parameters(&[3.0, 0.1, 0.0, 1.0, 0.0])[1].to_bits(), 0);
        assert!(bilateral_parameters(&[3.0, 0.1, 0.0, 0.0, 0.0])[1] < 0.0);
        assert_eq!(bilateral_parameters(&[3.0, 0.1, 0.0, 0.5, 0.0])[1..], [1.0, 0.0]);
        assert_eq!(bilateral_parameters(&[3.0, 0.1, 0.0, 0.0, 1.0])[1..], [f32::INFINITY, 1.0]);
    }
}
