//! Filters of pictures as large as the output, from their 8-bit samples in memory, held against a copy of those samples from
//! memory to memory.

use super::{REPEATS, Run, because, target_of};
use crate::backend::bench::noise_of;
use crate::backend::cuda::arguments::{Output, Target};
use crate::backend::{BackendError, BenchRow};
use crate::filter::Chain;
use crate::image::{Channels, Page};

/// How often a filter is measured where nobody says: the widest windows take milliseconds.
const FILTER_REPEATS: usize = 20;

/// What is measured: every row, and its widest windows.
const CHAINS: [&str; 16] = [
    "gamma=2.2",
    "negative",
    "brightness=1.2",
    "brightness=1.2,0",
    "gaussian=1",
    "gaussian=2",
    "gaussian=4",
    "gaussian=16",
    "gaussian=64",
    "bilateral=3,0.1,5",
    "bilateral=12,0.1,32",
    "unsharp=2",
    "median=1",
    "median=3",
    "median=16",
    "sobel",
];

impl Run<'_> {
    /// Every filter: into values, as a chain before the interpolation makes them, and straight into the surface that is
    /// shown.
    pub(super) fn filters(&mut self) -> Result<(), BackendError> {
        let size = self.options.size;
        for channels in [Channels::Grey, Channels::Rgb] {
            let Some(image) = noise_of(size, channels) else { continue };
            let page = &image.pages()[0];
            // Colour lies in memory as four bytes a pixel.
            let floats = if channels == Channels::Grey { 1 } else { 4 };
            let name = if channels == Channels::Grey { "grey" } else { "colour" };
            let copy = self.copy_time(size.area() * floats)?;
            self.push_filter(("plain copy", format!("{name} 8-bit")), REPEATS, copy, copy);
            let values = self.renderer.device.allocate::<f32>(size.area() * floats)?;
            let into_values = Target {
                values: self.renderer.device.address(&values),
                output: Output::Values as i32,
                ..target_of(size)
            };
            let screen = if channels == Channels::Grey { &self.grey } else { &self.rgba };
            let output = if channels == Channels::Grey { Output::Grey8 } else { Output::Rgba8 };
            let shown = Target { surface: screen.surface.handle(), output: output as i32, ..target_of(size) };
            for text in CHAINS {
                let Ok(chain) = text.parse::<Chain>() else { continue };
                for (target, to) in [(into_values, "float"), (shown, "surface")] {
                    let time = self.filter_time(page, &chain, target)?;
                    self.push_filter((text, format!("{name} 8-bit to {to}")), FILTER_REPEATS, time, copy);
                }
            }
        }
        Ok(())
    }

    fn filter_time(&mut self, page: &std::sync::Arc<Page>, chain: &Chain, target: Target) -> Result<f64, BackendError> {
        let busy = self.rgba.pieces();
        let repeats = self.options.repeats_or(FILTER_REPEATS);
        self.clock.measure(self.renderer, (&busy, repeats), |renderer| renderer.filter_page(page, chain, target))
    }

    /// The time of a copy of so many bytes from memory to memory.
    fn copy_time(&mut self, bytes: usize) -> Result<f64, BackendError> {
        let mut from = self.renderer.device.allocate::<u8>(bytes)?;
        let mut to = self.renderer.device.allocate::<u8>(bytes)?;
        let zeros = vec![0; bytes];
        self.renderer.device.stream.memcpy_htod(&zeros, &mut from).map_err(because("a copy fails"))?;
        let busy = self.rgba.pieces();
        self.clock.measure(self.renderer, (&busy, self.options.repeats_or(REPEATS)), |renderer| {
            Ok(renderer.device.stream.memcpy_dtod(&from, &mut to).map_err(because("a copy fails"))?)
        })
    }

    /// A row of what is measured `usual` times where nobody says.
    fn push_filter(&mut self, (what, pixels): (&str, String), usual: usize, median_us: f64, copy_us: f64) {
        let size = self.options.size;
        self.measured.rows.push(BenchRow {
            what: what.to_owned(),
            how: "filter".to_owned(),
            pixels,
            repeats: self.options.repeats_or(usual),
            median_us,
            pixels_a_second: size.area() as f64 / median_us * 1e6,
            ratio_to_copy: median_us / copy_us,
            ..BenchRow::default()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::FILTERS;

    #[test]
    fn every_row_is_measured() {
        let steps = CHAINS.map(|text| text.parse::<Chain>().expect("a chain").0[0]);
        assert!(FILTERS.iter().all(|row| steps.iter().any(|step| step.filter() == row.filter)));
    }
}
