//! The time of the cubic prefilter of a single-precision plane, relative to a copy of the plane.

use super::{Against, REPEATS, Run, Subject};
use crate::backend::BackendError;
use crate::backend::cuda::abi::arguments::{Plane, PrefilterArguments};
use crate::backend::cuda::abi::sample_kind::SampleKind;
use crate::backend::cuda::driver::error::Context as _;
use crate::backend::cuda::kernels::entry::TypedEntry;
use crate::backend::cuda::kernels::launch::Launch;
use crate::backend::cuda::plan::prefilter_poles::PrefilterPoles;
use crate::sampling::{AddressMode, Method};

impl Run<'_> {
    /// Times the cubic prefilter of a single-precision plane as large as the image, and a copy of the plane.
    pub(super) fn prefilter(&mut self) -> Result<(), BackendError> {
        let size = self.options.image;
        let Some(poles) = PrefilterPoles::of(Method::BSPLINE) else { return Ok(()) };
        let pitch = size.width().next_multiple_of(16) as usize;
        let mut samples = self.renderer.launcher.device.allocate::<f32>(pitch * size.height() as usize)?;
        let mut coefficients = self.renderer.launcher.device.allocate::<f32>(pitch * size.height() as usize)?;
        let values: Vec<f32> = (0..samples.len()).map(|k| (k * 7919 % 1021) as f32 / 1021.0).collect();
        self.renderer.launcher.device.fill(&mut samples, values)?;
        let side = [size.width() as i32, size.height() as i32];
        let copy = self.time(REPEATS, |renderer| {
            let copied = renderer.launcher.device.stream.memcpy_dtod(&samples, &mut coefficients);
            Ok(copied.context("a copy fails")?)
        })?;
        let arguments = PrefilterArguments {
            plane: Plane {
                values: self.renderer.launcher.device.address(&samples),
                pitch: pitch as i32,
                stored: side,
                address: [AddressMode::Wrap as i32; 2],
                inv_maxval: 1.0,
                ..Default::default()
            },
            coefficients: self.renderer.launcher.device.address(&coefficients),
            pitch: pitch as i32,
            stored: side,
            halo: [0; 2],
            ..poles.arguments()
        };
        let entry = TypedEntry::prefilter(SampleKind::F32, false, poles.is_cascade());
        let config = poles.config(size, false);
        let time = self.time(REPEATS, |renderer| {
            #[expect(unsafe_code, reason = "a kernel is launched")]
            // SAFETY: both buffers have `pitch` numbers for each row and live until the measurement has waited for the stream;
            // indices go through the address mode, and there is no halo.
            unsafe {
                Ok(renderer.launcher.launch(&Launch { entry, arguments, config })?)
            }
        })?;
        let of = |subject| Subject { area: size.area(), ..subject };
        let plain = of(self.subject(["plain copy", "device to device", "float"], 0.0));
        self.keep(plain, Against::default(), Ok(copy))?;
        let both = of(self.subject(["prefilter", "both axes", "float"], 0.0));
        self.keep(both, Against { copy, ..Against::default() }, Ok(time))?;
        Ok(())
    }
}
