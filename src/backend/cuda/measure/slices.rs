//! Oblique planes of a volume, which stays on the device.

use super::{Against, REPEATS, Run, pixels};
use crate::backend::cuda::driver::destination::Destination;
use crate::backend::{BackendError, RenderRequest, page_of};
use crate::grid::VolumeFormula;
use crate::image::Image;
use crate::sampling::{Method, Sampler};
use crate::view::View;
use crate::volume::{Orientation, Plane, Volume};

/// The volume, of 256³ samples.
const VOLUME: &str = "synth:marschner-lobb:256x256x256";
/// Tilt and turn of the plane in degrees.
const ANGLES_DEG: [f64; 2] = [35.0, 20.0];
/// Samples a pixel.
const SCALE: f64 = 0.125;

impl Run<'_> {
    /// Linear, tricubic and wider methods along all three axes, at the output's size.
    pub(super) fn slices(&mut self) -> Result<(), BackendError> {
        let formula = VOLUME.parse::<VolumeFormula>().ok();
        let Some(volume) = formula.and_then(|formula| Volume::of_formula(&formula).ok()) else { return Ok(()) };
        let image = Image::of_page("volume", volume.into_page());
        let [tilt_deg, turn_deg] = ANGLES_DEG;
        let plane = Plane { orientation: Orientation::Oblique { tilt_deg, turn_deg }, ..Plane::default() };
        let Ok(view) = View::new([0.31, -0.27], SCALE) else { return Ok(()) };
        let screen = self.screen(true);
        let destination = Destination::surface(screen.canvas(), self.options.size)?;
        let against = Against { store: self.stores[1], ..Against::default() };
        let prefiltered = Sampler { prefilter: true, ..Sampler::default().with_method(Method::BSPLINE) };
        for (name, sampler) in [
            ("nearest", Sampler::default().with_method(Method::Nearest)),
            ("linear", Sampler::default().with_method(Method::Linear)),
            ("catmull-rom", Sampler::default().with_method(Method::CATMULL_ROM)),
            ("bspline, prefiltered", prefiltered),
            ("lanczos3", Sampler::default().with_method(Method::LANCZOS3)),
        ] {
            let request = RenderRequest { plane, view, sampler, ..RenderRequest::new(self.options.size) };
            let time = match page_of(&image, &request) {
                Ok(page) => self.time(REPEATS, |renderer| renderer.view(&page, &request, &destination)),
                Err(error) => Err(error.into()),
            };
            let pixels = pixels(true).replace("grey 8-bit", "256³ floats");
            self.keep(self.subject([name, "oblique plane", &pixels], SCALE), against, time)?;
        }
        Ok(())
    }
}
