//! A frame of four panels, without OpenGL: what the CPU and the GPU spend on its launches, and what the copies to pinned memory
//! cost.

use std::time::Instant;

use super::{Against, REPEATS, Run, Subject};
use crate::backend::bench::{median, request};
use crate::backend::cuda::driver::array::Array;
use crate::backend::cuda::driver::staging::Staging;
use crate::backend::cuda::driver::surface::Surface;
use crate::backend::cuda::render::Renderer;
use crate::backend::{BackendError, BenchOptions, RenderRequest};
use crate::image::Size;
use crate::sampling::{Method, SamplingPath};

impl Run<'_> {
    /// A frame of four panels of 1920 × 1080: what the CPU spends on its launches, what the GPU spends on them, and what
    /// the copies to pinned memory cost where OpenGL does not share its textures.
    pub(super) fn frame(&mut self) -> Result<(), BackendError> {
        let Ok(size) = Size::new(1920, 1080) else { return Ok(()) };
        let options = BenchOptions { size, ..self.options.clone() };
        let methods = [Method::Nearest, Method::Linear, Method::CATMULL_ROM, Method::LANCZOS3];
        let panels: Vec<RenderRequest> =
            methods.iter().filter_map(|&method| request(&options, method, SamplingPath::Auto, 0.125)).collect();
        let screens = panels
            .iter()
            .map(|_| Surface::new(&self.renderer.launcher.device, size, true))
            .collect::<Result<Vec<_>, _>>()?;
        let image = self.image.clone();
        let mut draw = |renderer: &mut Renderer| {
            panels
                .iter()
                .zip(&screens)
                .try_for_each(|(request, screen)| renderer.draw(&image, request, screen.canvas()))
        };
        let gpu = self.time(REPEATS, &mut draw)?;
        let mut cpu = Vec::new();
        let mut waited = Vec::new();
        let bytes = size.area() * 4;
        let mut staging = Staging::new(&self.renderer.launcher.device, 4 * bytes)?;
        let to = staging.bytes()?;
        for _ in 0..self.options.repeats_or(REPEATS) {
            self.renderer.launcher.device.finish()?;
            let start = Instant::now();
            draw(self.renderer)?;
            cpu.push(start.elapsed().as_secs_f64() * 1e6);
            let reads = screens.iter().map(|screen| screen.array()).zip(to.chunks_exact_mut(bytes));
            Array::read(&self.renderer.launcher.device, size, reads)?;
            waited.push(start.elapsed().as_secs_f64() * 1e6);
        }
        for (how, time) in [("launches, CPU", median(cpu)), ("launches, GPU", gpu), ("pinned memory", median(waited))] {
            let subject = self.subject(["frame", how, "four of 1920×1080, RGBA8"], 0.125);
            self.keep(Subject { area: 4 * size.area(), ..subject }, Against::default(), Ok(time))?;
        }
        Ok(())
    }
}
