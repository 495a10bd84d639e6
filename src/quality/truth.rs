//! The true view of a formula.

use crate::backend::{BackendError, RenderRequest, output_demand};
use crate::filter::ExecOptions;
use crate::image::{Channels, Depth, Formula, Raster, Samples, Square};
use crate::memory::Memory;

/// The view of `request` as the formula has it: its value at the position of each pixel, or, where the request antialiases
/// (s > 1), its mean over the pixel's square of s × s samples. Grey, in single precision. The request's page is that of the
/// formula; filters, difference and display mapping are ignored.
///
/// # Errors
/// [`BackendError::HostMemory`] for a raster beyond the machine's memory, and [`BackendError::Cancelled`].
pub fn truth(formula: &Formula, request: &RenderRequest, work: &ExecOptions) -> Result<Raster, BackendError> {
    let size = request.size;
    Memory::Machine.check(&output_demand(size, Channels::Grey, Depth::Float))?;
    let map = request.view.image_from_output(size, formula.size());
    let is_antialiased = request.sampler.stretch(request.view.scale()).is_some();
    let side = if is_antialiased { request.view.scale() } else { 0.0 };
    let mut values = vec![0.0_f32; size.area()];
    let stride = size.width() as usize;
    work.stage("truth").row_by_row().for_bands(
        (&mut values, stride),
        1,
        || (),
        |(), row, out| {
            for (column, value) in out.iter_mut().enumerate() {
                let centre = map.at([column as f64, row as f64]);
                *value = formula.mean(&Square::turned(centre, side, [map.cos, map.sin])) as f32;
            }
        },
    );
    if work.stop.is_set() {
        return Err(BackendError::Cancelled);
    }
    Ok(Raster::new(size, Channels::Grey, Samples::F32(values)).expect("as many values as pixels"))
}
