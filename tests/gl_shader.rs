//! The texture unit of OpenGL, on a context without a window: the shader's interpolation against exact weights, within what the
//! measured precision of its linear fetches allows. Without EGL the tests report that they are skipped; with
//! `LERPSCOPE_REQUIRE_WINDOW=1` they fail.

mod skip;

use std::sync::Arc;

use glutin::api::egl::context::PossiblyCurrentContext;
use glutin::api::egl::device::Device;
use glutin::api::egl::display::Display;
use glutin::config::{ConfigSurfaceTypes, ConfigTemplateBuilder};
use glutin::context::ContextAttributesBuilder;
use glutin::display::GlDisplay as _;
use lerpscope::app::{ShaderRequest, ShaderSampler};
use lerpscope::backend::{RenderRequest, reference};
use lerpscope::image::{Channels, Image, Page, Raster, Samples, Size};
use lerpscope::lab::texture_error::{Precision, ShaderRow, TexelRequest};
use lerpscope::sampling::{Method, Sampler};
use lerpscope::view::View;

use self::skip::skip;

/// A shader in a context that is current on this thread for its lifetime.
struct Unit {
    sampler: ShaderSampler,
    _current: PossiblyCurrentContext,
}

#[expect(clippy::print_stderr, reason = "what was measured is part of the result")]
fn report(line: &str) {
    eprintln!("{line}");
}

#[expect(unsafe_code, reason = "EGL and OpenGL calls")]
fn unit_of(device: &Device) -> Option<Unit> {
    // SAFETY: the display outlives what is made from it, the context is made current on the thread that uses it and stays so as
    // long as the shader, and OpenGL's functions are loaded from the same display.
    unsafe {
        let display = Display::with_device(device, None).ok()?;
        let template = ConfigTemplateBuilder::new().with_surface_type(ConfigSurfaceTypes::empty()).build();
        let config = display.find_configs(template).ok()?.next()?;
        let context = display.create_context(&config, &ContextAttributesBuilder::new().build(None)).ok()?;
        let current = context.make_current_surfaceless().ok()?;
        let gl = glow::Context::from_loader_function_cstr(|name| display.get_proc_address(name));
        let sampler = ShaderSampler::of_current(Arc::new(gl)).ok()?;
        Some(Unit { sampler, _current: current })
    }
}

/// A shader on the first device that filters and renders floats.
fn unit() -> Option<Unit> {
    let devices = Device::query_devices().into_iter().flatten();
    let unit = devices.filter_map(|device| unit_of(&device)).next();
    if unit.is_none() {
        skip(Some("LERPSCOPE_REQUIRE_WINDOW"), "EGL has no device that filters and renders floats");
    }
    unit
}

fn size(width: u32, height: u32) -> Size {
    Size::new(width, height).expect("a size")
}

/// Fractions and values of a row of at most as many places as a picture may be wide.
fn values(sampler: &ShaderSampler, row: &ShaderRow) -> Vec<[f64; 2]> {
    let spacing = 1.0 / row.places as f32;
    let mut found = Vec::new();
    for piece in 0..row.places / 1024 {
        let request = ShaderRequest {
            samples: &row.samples,
            size: size(row.samples.len() as u32, 1),
            method: row.method,
            first: [row.first + (1024 * piece) as f32 * spacing, 0.0],
            spacing: [spacing, 0.0],
            output: size(1024, 1),
        };
        found.extend(sampler.render(&request).expect("values"));
    }
    row.points(&found)
}

fn precision(sampler: &ShaderSampler) -> Precision {
    Precision::of(&values(sampler, &ShaderRow::ramp()))
}

#[test]
fn ramp_between_two_texels_has_a_precision_and_stays_within_it() {
    let Some(Unit { sampler, .. }) = unit() else { return };
    let points = values(&sampler, &ShaderRow::ramp());
    let precision = Precision::of(&points);
    report(&format!("{}: {}", sampler.renderer(), precision.sentence()));
    assert!(!sampler.renderer().is_empty());
    let largest = points.iter().map(|[fraction, value]| (value - fraction).abs()).fold(0.0, f64::max);
    assert!(largest <= precision.bound() + 1e-6, "{largest} with {precision:?}");
    assert!(precision.bound() <= 1.0 / 64.0, "a texture unit has 6 bits at least: {precision:?}");
}

#[test]
fn pictures_of_the_shader_equal_the_exact_ones_within_its_precision() {
    let Some(Unit { sampler, .. }) = unit() else { return };
    let step = precision(&sampler).bound();
    let (width, height) = (13, 9);
    let samples: Vec<f32> = (0..width * height).map(|k| ((k * 73 + k * k * 19) % 101) as f32 / 100.0).collect();
    let raster = Raster::new(size(width, height), Channels::Grey, Samples::F32(samples.clone())).expect("a raster");
    let image = Image::of_page("samples", Page::new(raster));
    // Beyond the edges on all sides, at no whole positions.
    let (output, scale, first) = (size(70, 50), 0.25, [-2.3, -1.7]);
    let translation =
        [first[0] - f64::from(width) / 2.0 + 35.0 * scale, first[1] - f64::from(height) / 2.0 + 25.0 * scale];
    let view = View::new(translation, scale).expect("a view");
    for method in ShaderSampler::methods() {
        let sampler_of = Sampler::default().with_method(*method);
        let request = RenderRequest { view, sampler: sampler_of, ..RenderRequest::new(output) };
        let exact = reference::values(&image, &request).expect("exact values");
        let asked = ShaderRequest {
            samples: &samples,
            size: size(width, height),
            method: *method,
            first: first.map(|first| first as f32),
            spacing: [scale as f32; 2],
            output,
        };
        let found = sampler.render(&asked).expect("a picture");
        // A fetch is off by a step along each axis, of differences of at most 1; the weights of Catmull-Rom's fetches add up to
        // 1.27 in magnitude along each axis. Positions are in single precision.
        let bound = if *method == Method::Nearest { 1e-6 } else { 2.0 * step * 1.27 * 1.27 + 2e-5 };
        let largest = found.iter().zip(&exact).map(|(a, b)| (f64::from(*a) - b).abs()).fold(0.0, f64::max);
        report(&format!("{method}: at most {largest:.2e} from exact, {bound:.2e} allowed"));
        assert!(largest <= bound, "{method}: {largest} above {bound}");
    }
}

#[test]
fn row_of_a_texel_is_interpolated_by_every_method_of_the_path() {
    let Some(Unit { sampler, .. }) = unit() else { return };
    let bound = 1.27 * precision(&sampler).bound() + 1e-6;
    for method in ShaderSampler::methods() {
        let request = TexelRequest::of(&Sampler::default().with_method(*method));
        let row = ShaderRow::of(request).expect("a row without prefilter");
        let kernel = method.kernel();
        for [fraction, value] in values(&sampler, &row) {
            // Samples alternate between 0 at even and 1 at odd indices.
            let weight = |k: i32| if k.rem_euclid(2) == 1 { kernel.weight(fraction - f64::from(k)) } else { 0.0 };
            let exact: f64 = (-3..=4).map(weight).sum();
            // Of differences of 1 between neighbours.
            assert!((value - exact).abs() <= bound, "{method} at {fraction}: {value}, not {exact}");
        }
    }
    let prefiltered = Sampler { prefilter: true, ..Sampler::default().with_method(Method::BSPLINE) };
    assert_eq!(ShaderRow::of(TexelRequest::of(&prefiltered)), None);
}

#[test]
fn wrong_sizes_and_methods_are_refused() {
    let Some(Unit { sampler, .. }) = unit() else { return };
    let request = ShaderRequest {
        samples: &[0.0; 6],
        size: size(3, 2),
        method: Method::Linear,
        first: [0.0; 2],
        spacing: [1.0; 2],
        output: size(3, 2),
    };
    assert_eq!(sampler.render(&request).expect("the samples"), [0.0; 6]);
    let refused = |request: &ShaderRequest<'_>| sampler.render(request).expect_err("refused").to_string();
    let other = refused(&ShaderRequest { size: size(2, 2), ..request });
    assert_eq!(other, "6 numbers of 2×2 do not fit 3×2 results");
    let other = refused(&ShaderRequest { method: Method::MITCHELL, ..request });
    assert_eq!(other, "The texture unit does not interpolate by mitchell");
}
