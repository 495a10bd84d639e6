//! Filters of pictures as large as the output, from their 8-bit samples in memory, held against a copy of those samples from
//! memory to memory.

use std::sync::Arc;

use super::{Against, REPEATS, Run, Subject};
use crate::backend::BackendError;
use crate::backend::bench::noise_of;
use crate::backend::cuda::driver::destination::{Destination, DeviceBuffer};
use crate::backend::cuda::driver::error::Context as _;
use crate::filter::Chain;
use crate::image::{Channels, Depth};

/// How often a filter is measured where nobody says: the widest windows take milliseconds.
const FILTER_REPEATS: usize = 20;

/// What is measured: every row, and its widest windows.
const CHAINS: [&str; 19] = [
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
    "convolve=sharpen",
    "convolve=binomial",
    "noise",
];

impl Run<'_> {
    /// Every filter: into values, as a chain before the interpolation makes them, and straight into the surface that is
    /// shown.
    pub(super) fn filters(&mut self) -> Result<(), BackendError> {
        let size = self.options.size;
        for channels in [Channels::Grey, Channels::Rgb] {
            let Some(image) = noise_of(size, channels, Depth::EIGHT) else { continue };
            let page = &image.pages()[0];
            // Colour lies in memory as four bytes a pixel.
            let floats = if channels == Channels::Grey { 1 } else { 4 };
            let name = if channels == Channels::Grey { "grey" } else { "colour" };
            let copy = self.copy_time(size.area() * floats)?;
            let plain = format!("{name} 8-bit");
            self.keep(self.subject(["plain copy", "device to device", &plain], 0.0), Against::default(), Ok(copy))?;
            let values = Arc::new(self.renderer.launcher.device.allocate::<f32>(size.area() * floats)?);
            let into_values = Destination::values(DeviceBuffer::Floats(values), size.sides(), floats)?;
            let screen = self.screen(channels != Channels::Grey);
            let shown = Destination::surface(screen.canvas(), size)?;
            for text in CHAINS {
                let Ok(chain) = text.parse::<Chain>() else { continue };
                for (destination, to) in [(&into_values, "float"), (&shown, "surface")] {
                    let time = self.time(FILTER_REPEATS, |renderer| renderer.filter_page(page, &chain, destination));
                    let pixels = format!("{name} 8-bit to {to}");
                    let subject = Subject { usual: FILTER_REPEATS, ..self.subject([text, "filter", &pixels], 0.0) };
                    self.keep(subject, Against { copy, ..Against::default() }, time)?;
                }
            }
        }
        Ok(())
    }

    /// The time of a copy of so many bytes from memory to memory.
    fn copy_time(&mut self, bytes: usize) -> Result<f64, BackendError> {
        let from = self.renderer.launcher.device.upload(vec![0_u8; bytes])?;
        let mut to = self.renderer.launcher.device.allocate::<u8>(bytes)?;
        self.time(REPEATS, |renderer| {
            Ok(renderer.launcher.device.stream.memcpy_dtod(&from, &mut to).context("a copy fails")?)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::{FILTERS, Filter};

    #[test]
    fn every_row_is_measured() {
        let steps = CHAINS.map(|text| text.parse::<Chain>().expect("a chain").0[0]);
        let of_device = FILTERS.iter().filter(|row| row.filter != Filter::Inpaint);
        assert!(of_device.into_iter().all(|row| steps.iter().any(|step| step.filter() == row.filter)));
    }
}
