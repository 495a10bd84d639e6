//! The memory that a request takes on the host, counted before anything is allocated.

use super::RenderRequest;
use crate::image::{Channels, Depth, Page, Size};
use crate::memory::Demand;
use crate::sampling::prefilter_bytes;

/// Bytes of a value in single precision.
const FLOAT: u64 = size_of::<f32>() as u64;

/// The demand of an output raster.
pub fn output_demand(size: Size, channels: Channels, depth: Depth) -> Demand {
    let mut demand = Demand::default();
    add_output(&mut demand, size, channels, depth);
    demand
}

/// Adds an output raster.
pub(super) fn add_output(demand: &mut Demand, size: Size, channels: Channels, depth: Depth) {
    let bytes_a_value = bytes_a_value(depth);
    demand.hold(|| format!("{size} pixels take"), values_of(size, channels) * bytes_a_value);
}

/// Adds the values that `request`'s sampler reads of `page`: what its filters hold, then what is kept of it.
///
/// | filters before | sampler | at the peak | at the end |
/// |---|---|---|---|
/// | none | samples without alpha | 0 | 0 |
/// | none | samples with alpha | 1 plane | 1 plane |
/// | none | coefficients | the coefficients | the coefficients |
/// | some | samples | [`Chain::planes`](crate::filter::Chain::planes) | 1 plane |
/// | some | coefficients | 2 planes | the coefficients |
pub(super) fn add_prepared(demand: &mut Demand, page: &Page, request: &RenderRequest) {
    let (size, channels) = (page.size(), page.channels());
    let (sampler, before) = (&request.sampler, &request.filters.before);
    let plane = values_of(size, channels) * FLOAT;
    let coefficients = || prefilter_bytes([size.width(), size.height()], channels.count(), sampler.address);
    let filtered = || format!("the filters of {size} samples take");
    let prefiltered = || format!("the B-spline coefficients of {size} samples take");
    match (before.is_active(), sampler.uses_coefficients()) {
        (true, true) => {
            demand.pass(filtered, before.planes() * plane);
            demand.pass(prefiltered, coefficients() + plane);
            demand.hold(prefiltered, coefficients());
        }
        (true, false) => {
            demand.pass(filtered, before.planes() * plane);
            demand.hold(filtered, plane);
        }
        (false, true) => demand.hold(prefiltered, coefficients()),
        (false, false) if channels.has_alpha() => {
            demand.hold(|| format!("the premultiplied colours of {size} samples take"), plane);
        }
        (false, false) => {}
    }
}

/// The demand of a page's samples on their way to a device: premultiplied where there is alpha, and with four channels where
/// there are two or three, since a device holds one or four.
pub(super) fn upload_demand(page: &Page, request: &RenderRequest) -> Demand {
    let mut demand = Demand::default();
    add_prepared(&mut demand, page, request);
    let bytes_a_value = if page.channels().has_alpha() { FLOAT } else { bytes_a_value(page.raster().depth()) };
    match page.channels() {
        Channels::Grey | Channels::Rgba => {}
        Channels::GreyAlpha | Channels::Rgb => {
            let what = || format!("{} samples of four channels take", page.size());
            demand.pass(what, values_of(page.size(), Channels::Rgba) * bytes_a_value);
        }
    }
    demand
}

/// Adds the view that `request`'s filters after the interpolation work on; `around` is its size with what they reach.
pub(super) fn add_filtered_view(demand: &mut Demand, around: Size, channels: Channels, request: &RenderRequest) {
    let after = &request.filters.after;
    if after.is_active() {
        let what = || format!("the filters on {around} pixels take");
        demand.pass(what, after.planes() * values_of(around, channels) * FLOAT);
        demand.hold(what, values_of(request.size, channels) * FLOAT);
    }
}

fn bytes_a_value(depth: Depth) -> u64 {
    match depth {
        Depth::Integer { maxval } if maxval.get() <= 255 => 1,
        Depth::Integer { .. } => 2,
        Depth::Float => FLOAT,
    }
}

fn values_of(size: Size, channels: Channels) -> u64 {
    size.area() as u64 * channels.count() as u64
}
