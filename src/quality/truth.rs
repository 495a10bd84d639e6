//! The true view of a page.

use super::Counted;
use crate::backend::{BackendError, RenderRequest, RequestError, TruthView, output_demand};
use crate::filter::ExecOptions;
use crate::image::{Depth, MeanAccuracy, Page, Raster, Samples};
use crate::memory::Memory;

/// The view of `request` as the truth of `page` has it, in single precision: of a formula its value at the position of each
/// pixel, or, where the request antialiases (s > 1), its mean over the pixel's square of s × s samples; of a decimated page
/// the sample of the original at the pixel. Pixels that are not `counted` are 0: a mean by quadrature takes up to a
/// millisecond. Filters, difference and display mapping of the request are ignored.
///
/// # Errors
/// [`RequestError::Truth`] for a view without a truth, [`BackendError::HostMemory`] for a raster beyond the machine's memory,
/// and [`BackendError::Cancelled`].
pub fn truth(
    page: &Page,
    request: &RenderRequest,
    counted: &Counted,
    work: &ExecOptions,
) -> Result<Raster, BackendError> {
    let (size, channels) = (request.size, page.channels().opaque());
    let view = TruthView::new(page, request, MeanAccuracy::FINE).map_err(RequestError::from)?.with_factors(size);
    Memory::Machine.check(&output_demand(size, channels, Depth::Float))?;
    let mut values = vec![0.0_f32; size.area() * channels.count()];
    work.stage("truth").row_by_row().for_bands(
        (&mut values, size.width() as usize * channels.count()),
        1,
        || (),
        |(), row, out| {
            let is_wanted = |row: usize, column: usize| counted.row(row)[column];
            view.fill((row, out), is_wanted, &work.stop, |value| value as f32);
        },
    );
    if work.stop.is_set() {
        return Err(BackendError::Cancelled);
    }
    Ok(Raster::new(size, channels, Samples::F32(values)).expect("as many values as pixels"))
}
