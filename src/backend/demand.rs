//! Host memory of a request, computed before anything is allocated.

use super::RenderRequest;
use crate::image::{Channels, Depth, Page, Size};
use crate::memory::Demand;

/// Bytes of a single-precision value.
const FLOAT: u64 = size_of::<f32>() as u64;

/// Demand of an output raster.
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

/// Demand of the values that `request`'s sampler reads from `page`, as [`PreparedCache::get`](super::PreparedCache::get)
/// computes them.
pub fn prepared_demand(page: &Page, request: &RenderRequest) -> Demand {
    let mut demand = Demand::default();
    add_prepared(&mut demand, page, request);
    demand
}

/// Adds the values that `request`'s sampler reads from `page`: the peak of its filters, then the result.
///
/// | filters before | sampler | at the peak | at the end |
/// |---|---|---|---|
/// | none | samples without alpha | 0 | 0 |
/// | none | samples with alpha | 1 plane | 1 plane |
/// | none | coefficients | the coefficients | the coefficients |
/// | some | samples | [`Chain::planes`](crate::filter::Chain::planes) and the solver of inpainting | 1 plane |
/// | some | coefficients | 2 planes and the solver | the coefficients |
pub(super) fn add_prepared(demand: &mut Demand, page: &Page, request: &RenderRequest) {
    let (size, channels) = (page.size(), page.channels());
    let (sampler, before) = (&request.sampler, &request.filters.before);
    let plane = values_of(size, channels) * FLOAT;
    let side = [size.width(), size.height()];
    let filter_bytes = before.planes() * plane + before.solver_bytes(size);
    let filtered = || format!("the filters of {size} samples take");
    let prefiltered = || format!("the B-spline coefficients of {size} samples take");
    let coefficients = sampler.coefficients().map(|prefilter| prefilter.bytes(side, channels.count(), sampler.address));
    match (before.is_active(), coefficients) {
        (true, Some(coefficients)) => {
            demand.pass(filtered, filter_bytes);
            demand.pass(prefiltered, coefficients + plane);
            demand.hold(prefiltered, coefficients);
        }
        (true, None) => {
            demand.pass(filtered, filter_bytes);
            demand.hold(filtered, plane);
        }
        (false, Some(coefficients)) => demand.hold(prefiltered, coefficients),
        (false, None) if channels.has_alpha() => {
            demand.hold(|| format!("the premultiplied colours of {size} samples take"), plane);
        }
        (false, None) => {}
    }
}

/// Demand of a page's samples for their upload to a device: premultiplied if there is alpha, and padded to four
/// channels if there are two or three, since a device holds one or four.
#[cfg(feature = "cuda")]
pub(super) fn upload_demand(page: &Page, request: &RenderRequest) -> Demand {
    let mut demand = Demand::default();
    add_prepared(&mut demand, page, request);
    let bytes_a_value = if page.channels().has_alpha() { FLOAT } else { bytes_a_value(page.depth()) };
    match page.channels() {
        Channels::Grey | Channels::Rgba => {}
        Channels::GreyAlpha | Channels::Rgb => {
            let what = || format!("{} samples of four channels take", page.size());
            demand.pass(what, values_of(page.size(), Channels::Rgba) * bytes_a_value);
        }
    }
    demand
}

/// Adds the view that `request`'s filters after the interpolation work on; `around` is its size with the filters'
/// margin.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::{Backend as _, BackendError, CpuBackend, PixelFormat};
    use crate::filter::Filters;
    use crate::image::{Image, Raster, Samples};
    use crate::memory::Memory;
    use crate::sampling::{AddressMode, Method, Sampler};
    use crate::test_support::size;

    const PAGE: [u32; 2] = [300, 200];

    fn coefficient_bytes(channels: usize) -> u64 {
        let prefilter = Method::BSPLINE.kernel().prefilter.expect("a prefilter");
        prefilter.bytes(PAGE, channels, [AddressMode::Clamp; 2])
    }

    fn image(channels: Channels) -> Image {
        let size = size(PAGE[0], PAGE[1]);
        let samples = Samples::U8 { values: vec![7; size.area() * channels.count()], maxval: 255 };
        let raster = Raster::new(size, channels, samples).expect("a raster");
        Image::new("even", vec![Page::new(raster)]).expect("an image")
    }

    fn request(prefilter: bool, before: &str, after: &str) -> RenderRequest {
        let chain = |text: &str| text.parse().expect("a chain");
        RenderRequest {
            sampler: Sampler { prefilter, ..Sampler::default().with_method(Method::BSPLINE) },
            filters: Filters { before: chain(before), after: chain(after) },
            ..RenderRequest::new(size(30, 20))
        }
    }

    /// Result of a new backend limited to `bytes`.
    fn render(image: &Image, request: &RenderRequest, bytes: u64) -> Result<(), BackendError> {
        let one = size(1, 1);
        let mut out = Raster::zeros(one, Channels::Grey, Depth::EIGHT);
        CpuBackend::within(Memory::Bytes(bytes)).render(image, request, PixelFormat::TEXTURE, &mut out)
    }

    #[test]
    fn request_within_its_demand_is_served_and_one_byte_less_is_refused() {
        let plane = 4 * u64::from(PAGE[0] * PAGE[1]);
        let coefficients = coefficient_bytes(1);
        let four = coefficient_bytes(4);
        let (view, output) = (4 * 46 * 36, 600);
        let grey = image(Channels::Grey);
        let colour = image(Channels::Rgba);
        let mut difference = request(false, "none", "none");
        difference.subtract = Some(Box::new(request(true, "negative", "none")));
        // What the first of the two holds stays while the second is made.
        let mut of_filtered = request(false, "sobel", "none");
        of_filtered.subtract = Some(Box::new(request(true, "none", "none")));
        let mut of_blurred = request(false, "none", "gaussian=2");
        of_blurred.subtract = Some(Box::new(request(false, "none", "gaussian=2")));
        let cases = [
            (&grey, request(false, "none", "none"), output),
            (&grey, request(true, "none", "none"), output + coefficients),
            (&grey, request(false, "negative;gamma", "none"), output + plane),
            (&grey, request(false, "negative;sobel;gamma", "none"), output + 2 * plane),
            (&grey, request(false, "inpaint=[299,0,2,5]", "none"), output + 2 * plane + 5 * 96),
            (&grey, request(true, "negative", "none"), output + plane + coefficients),
            (&grey, request(true, "sobel", "none"), output + (2 * plane).max(plane + coefficients)),
            (&grey, request(false, "none", "gaussian=2"), output + 2 * view),
            (&grey, request(true, "none", "gaussian=2"), output + coefficients + 2 * view),
            (&grey, difference, output + plane + coefficients),
            (&grey, of_filtered, output + plane + coefficients),
            (&grey, of_blurred, output + 4 * output + 2 * view),
            (&colour, request(false, "none", "none"), 4 * (output + plane)),
            (&colour, request(true, "none", "none"), 4 * output + four),
        ];
        for (image, request, needed) in cases {
            render(image, &request, needed).unwrap_or_else(|error| panic!("{error}: {request:?}"));
            match render(image, &request, needed - 1) {
                Err(BackendError::HostMemory(error)) => {
                    assert_eq!((error.needed, error.available), (needed, needed - 1), "{request:?}");
                }
                other => panic!("{other:?}: {request:?}"),
            }
        }
    }

    #[test]
    fn cached_values_are_not_demanded_again_and_freed_before_a_refusal() {
        let image = image(Channels::Grey);
        let coefficients = coefficient_bytes(1);
        let mut backend = CpuBackend::within(Memory::Bytes(coefficients + 600));
        let mut serve = |request: &RenderRequest| {
            let mut out = Raster::zeros(request.size, Channels::Grey, Depth::EIGHT);
            backend.render(&image, request, PixelFormat::TEXTURE, &mut out)
        };
        let prefiltered = request(true, "none", "none");
        serve(&prefiltered).expect("it fits");
        let wider = RenderRequest { size: size(60, 40), ..prefiltered.clone() };
        serve(&wider).expect("its coefficients are kept");
        serve(&request(true, "sobel", "none")).expect_err("a plane of filtered values is too much");
        serve(&wider).expect_err("what was kept is freed");
        serve(&prefiltered).expect("it fits");
    }
}
