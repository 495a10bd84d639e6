//! The kernels that a request launches, known before it is rendered.

use super::filter_kernels::entries_of_chain;
use crate::backend::cuda::abi::output::Output;
use crate::backend::cuda::abi::sample_kind::SampleKind;
use crate::backend::cuda::driver::limits::Limits;
use crate::backend::cuda::kernels::entry::{Entry, TypedEntry};
use crate::backend::cuda::plan::prefilter_poles::PrefilterPoles;
use crate::backend::cuda::plan::slices::SliceWeights;
use crate::backend::cuda::plan::{LaunchPlan, launch_plan};
use crate::backend::{RenderRequest, page_of, page_to_subtract};
use crate::image::{Channels, Image, Page, Samples};
use crate::sampling::METHODS;
use crate::view::View;
use crate::volume::ObliquePlane;

/// The entries that 8-bit pixels of `request` launch, in the order of the launches. None for a request that is refused, and for
/// a derived component, which the CPU renders.
pub(crate) fn entries_of_request(limits: &Limits, image: &Image, request: &RenderRequest) -> Vec<Entry> {
    if request.is_derived() {
        return Vec::new();
    }
    let Ok(page) = page_of(image, request) else { return Vec::new() };
    let page = &page;
    let display = &request.display;
    let plain = display.tone().is_identity() && request.subtract.is_none();
    if plain && display.colour_map.is_grey() {
        let is_rgba = request.channels(page.channels()) != Channels::Grey;
        let output = if is_rgba { Output::Rgba8 } else { Output::Grey8 };
        return entries_of_values(limits, page, request, output);
    }
    let mut entries = entries_of_values(limits, page, request, Output::Values);
    if let Some(other) = &request.subtract
        && let Ok(other_page) = page_to_subtract(image, page, other)
    {
        entries.extend(entries_of_values(limits, &other_page, other, Output::Values));
    }
    entries.push(TypedEntry::display().entry());
    entries
}

/// The entries that values of `request` launch, without its display mapping.
fn entries_of_values(limits: &Limits, page: &Page, request: &RenderRequest, output: Output) -> Vec<Entry> {
    let colour = page.channels() != Channels::Grey;
    let (sampler, filters) = (&request.sampler, &request.filters);
    let mut entries = Vec::new();
    if ObliquePlane::of(page).is_some() {
        entries.extend(entries_of_slice(request));
        entries.extend(entries_of_chain(&filters.after, (SampleKind::F32, colour), sampler.address));
        return entries;
    }
    let mut kind = match page.raster().samples() {
        // Premultiplied in single precision.
        _ if page.channels().has_alpha() => SampleKind::F32,
        Samples::U8 { .. } => SampleKind::U8,
        Samples::U16 { .. } => SampleKind::U16,
        Samples::F32(_) => SampleKind::F32,
    };
    let (on_host, on_device) = filters.before.split_behind_inpainting();
    if on_host.is_active() {
        kind = SampleKind::F32;
    }
    if on_device.is_active() {
        entries.extend(entries_of_chain(&on_device, (kind, colour), sampler.address));
        kind = SampleKind::F32;
    }
    if sampler.uses_coefficients() {
        let poles = PrefilterPoles::of(sampler.method);
        entries.extend(poles.map(|poles| TypedEntry::prefilter(kind, colour, poles.is_cascade()).entry()));
        kind = SampleKind::F32;
    }
    if filters.after.is_active() {
        let Ok(around) = request.around_view() else { return entries };
        entries.extend(entries_of_interpolation(limits, page, &around, (kind, colour, Output::Values)));
        entries.extend(entries_of_chain(&filters.after, (SampleKind::F32, colour), sampler.address));
    } else {
        entries.extend(entries_of_interpolation(limits, page, request, (kind, colour, output)));
    }
    entries
}

/// The entries of an oblique plane alone. The prefilter also stores what lies beyond the edges.
fn entries_of_slice(request: &RenderRequest) -> [Entry; 2] {
    let slice = if request.warp.is_none() {
        TypedEntry::slice(SliceWeights::of(request.sampler.method)).entry()
    } else {
        TypedEntry::slice_warped().entry()
    };
    [TypedEntry::grid_prefilter().entry(), slice]
}

/// The entries of the interpolation alone, by the plan of `request`.
fn entries_of_interpolation(
    limits: &Limits,
    page: &Page,
    request: &RenderRequest,
    (kind, colour, output): (SampleKind, bool, Output),
) -> Vec<Entry> {
    let Ok(plan) = launch_plan(limits, page, request) else { return Vec::new() };
    let taps = request.sampler.method.kernel().taps;
    match plan {
        LaunchPlan::Tiled(_) => vec![TypedEntry::tiled(kind, colour, taps, output).entry()],
        LaunchPlan::Direct(direct) => {
            TypedEntry::direct(kind, direct, taps, output).map(TypedEntry::entry).into_iter().collect()
        }
        LaunchPlan::Columns(columns) => {
            let entry = TypedEntry::columns(kind, colour, columns.unit, taps, output);
            entry.map(TypedEntry::entry).into_iter().collect()
        }
        LaunchPlan::Passes => {
            vec![TypedEntry::pass_vertical(kind, colour).entry(), TypedEntry::pass_horizontal(colour).entry()]
        }
        LaunchPlan::Gather(weights) => vec![TypedEntry::gather(weights, taps).entry()],
        LaunchPlan::Points(weights) => vec![TypedEntry::points(weights, taps, colour).entry()],
        LaunchPlan::Filtered(fetches) => vec![TypedEntry::filtered(fetches, colour).entry()],
        LaunchPlan::FilteredTable => vec![TypedEntry::filtered_table(colour).entry()],
        LaunchPlan::Warped => vec![TypedEntry::warped(kind, colour).entry()],
        LaunchPlan::Memory => vec![TypedEntry::memory(kind, colour).entry()],
    }
}

/// The entries that requests like this one launch: other methods, scales and angles, in this order.
pub(crate) fn entries_of_neighbours(limits: &Limits, image: &Image, request: &RenderRequest) -> Vec<Entry> {
    let view = request.view;
    let at = |scale: f64| View::new(view.translation(), scale).ok();
    let views = [Some(view), at(1.0), at(0.125), at(4.0), view.rotated(10.0).ok()];
    let mut entries = Vec::new();
    for view in views.into_iter().flatten() {
        for row in &METHODS {
            let sampler = request.sampler.with_method(row.method);
            for entry in entries_of_request(limits, image, &RenderRequest { view, sampler, ..request.clone() }) {
                if !entries.contains(&entry) {
                    entries.push(entry);
                }
            }
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::Filters;
    use crate::image::{Depth, Raster};
    use crate::sampling::{Method, Sampler};
    use crate::test_support::size;
    use crate::volume::{Orientation, Plane as VolumePlane, Volume};

    fn image(channels: Channels, depth: Depth) -> Image {
        let size = size(400, 300);
        Image::new("zeros", vec![Page::new(Raster::zeros(size, channels, depth))]).expect("an image")
    }

    fn names(image: &Image, request: &RenderRequest) -> Vec<String> {
        entries_of_request(&Limits::H200, image, request).iter().map(ToString::to_string).collect()
    }

    fn request(method: Method, scale: f64) -> RenderRequest {
        let view = View::new([0.0; 2], scale).expect("a view");
        let sampler = Sampler::default().with_method(method);
        RenderRequest { view, sampler, ..RenderRequest::new(size(200, 150)) }
    }

    #[test]
    fn entries_of_a_request_follow_its_page_route_filters_and_display() {
        let grey = image(Channels::Grey, Depth::EIGHT);
        assert_eq!(names(&grey, &request(Method::Linear, 1.0)), ["direct_u8_unit_cubic_2_grey8"]);
        let colour = image(Channels::Rgb, Depth::SIXTEEN);
        assert_eq!(names(&colour, &request(Method::LANCZOS3, 0.5)), ["columns_u16_colour_spread_6_rgba8"]);
        let premultiplied = image(Channels::Rgba, Depth::SIXTEEN);
        assert_eq!(names(&premultiplied, &request(Method::LANCZOS3, 0.5)), ["tiled_f32_colour_6_rgba8"]);
        let premultiplied = image(Channels::GreyAlpha, Depth::EIGHT);
        let mut blurred = request(Method::Linear, 0.5);
        blurred.filters.before = "gaussian=2".parse().expect("a chain");
        assert_eq!(
            names(&premultiplied, &blurred),
            ["gaussian_horizontal_f32_colour", "gaussian_vertical_colour", "tiled_f32_colour_2_rgba8"]
        );
        let mut apart = request(Method::Linear, 0.5);
        apart.filters.before = "gaussian=1,2".parse().expect("a chain");
        assert_eq!(
            names(&grey, &apart)[..2],
            ["gaussian_horizontal_u8_grey", "gaussian_vertical_grey"],
            "a tile has one set of weights"
        );
        let mut filtered = request(Method::LANCZOS3, 0.5);
        let (before, after) = ("gaussian=2;sobel".parse().expect("a chain"), "median=5".parse().expect("a chain"));
        filtered.filters = Filters { before, after };
        filtered.display.absolute = true;
        let expected =
            ["gaussian_tile_8_u8_grey", "sobel_grey", "tiled_f32_grey_6_values", "median_wide_grey", "display"];
        assert_eq!(names(&grey, &filtered), expected);
        let mut inpainted = request(Method::Linear, 0.5);
        inpainted.filters.before = "negative;inpaint=[1,2,3,4];sobel".parse().expect("a chain");
        assert_eq!(names(&grey, &inpainted), ["sobel_grey", "tiled_f32_grey_2_grey8"], "the host fills holes");
        let mut warped = request(Method::LANCZOS3, 0.5);
        warped.warp = "lens".parse().expect("a warp");
        assert_eq!(names(&colour, &warped), ["warped_u16_colour"]);
        let mut prefiltered = request(Method::BSPLINE, 0.5);
        prefiltered.sampler.prefilter = true;
        assert_eq!(names(&grey, &prefiltered), ["prefilter_u8_grey", "tiled_f32_grey_4_grey8"]);
    }

    /// The entries of an oblique plane follow from the request alone: its samples are not computed.
    #[test]
    fn entries_of_an_oblique_plane_follow_its_method_warp_and_filters() {
        let formula = "synth:marschner-lobb:9x9x9".parse().expect("a formula");
        let volume = Volume::of_formula(&formula).expect("a volume");
        let image = Image::of_page("volume", volume.into_page());
        let orientation = Orientation::Oblique { tilt_deg: 20.0, turn_deg: 10.0 };
        let plane = VolumePlane { orientation, ..VolumePlane::default() };
        let of = |method: &str| {
            let sampler = Sampler::default().with_method(method.parse().expect("a method"));
            RenderRequest { plane, sampler, ..RenderRequest::new(size(30, 20)) }
        };
        for (method, slice) in [
            ("nearest", "slice_1"),
            ("linear", "slice_2"),
            ("bspline=2", "slice_3"),
            ("catmull-rom", "slice_4"),
            ("lanczos3", "slice_curves_6"),
            ("gaussian=8", "slice_any"),
        ] {
            assert_eq!(names(&image, &of(method)), ["grid_prefilter", slice], "{method}");
        }
        let warped = RenderRequest { warp: "lens".parse().expect("a warp"), ..of("linear") };
        assert_eq!(names(&image, &warped), ["grid_prefilter", "slice_warped"]);
        let after = Filters { after: "sobel".parse().expect("a chain"), ..Filters::default() };
        let mut shown = RenderRequest { filters: after, subtract: Some(Box::new(of("nearest"))), ..of("linear") };
        shown.display.absolute = true;
        let expected = ["grid_prefilter", "slice_2", "sobel_grey", "grid_prefilter", "slice_1", "display"];
        assert_eq!(names(&image, &shown), expected);
    }

    #[test]
    fn entries_of_every_request_are_in_the_compiled_modules() {
        use crate::backend::cuda::MODULES;
        let known: Vec<&str> = MODULES.iter().flat_map(|module| module.entries).copied().collect();
        for channels in [Channels::Grey, Channels::GreyAlpha, Channels::Rgb, Channels::Rgba] {
            for depth in [Depth::EIGHT, Depth::SIXTEEN, Depth::Float] {
                let neighbours =
                    entries_of_neighbours(&Limits::H200, &image(channels, depth), &request(Method::Linear, 1.0));
                assert!(neighbours.len() > 10, "{channels:?} {depth:?}: {}", neighbours.len());
                for entry in neighbours {
                    assert!(known.contains(&entry.to_string().as_str()), "{entry}");
                }
            }
        }
    }
}
