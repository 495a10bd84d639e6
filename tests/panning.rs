//! A picture whose view moves by whole pixels has the bytes of a full render, and only what came into view is rendered.

use lerpscope::backend::{self, Backend, CpuBackend, Display, Instructions, PannedPicture, PixelFormat, RenderRequest};
use lerpscope::image::{Channels, Depth, Image, Page, Raster, Samples, Size};
use lerpscope::sampling::{ADDRESS_MODES, METHODS, Method, Sampler, SamplingPath};
use lerpscope::view::View;

const WINDOW: [u32; 2] = [150, 140];

fn size([width, height]: [u32; 2]) -> Size {
    Size::new(width, height).expect("a size that is not zero")
}

/// Noise on a page that is smaller than some of the views.
fn noise(channels: Channels, depth: Depth) -> Image {
    let mut random = fastrand::Rng::with_seed(11);
    let size = size([211, 190]);
    let count = size.area() * channels.count();
    let samples = match depth {
        Depth::Float => Samples::F32((0..count).map(|_| random.f32() * 3.0 - 1.0).collect()),
        Depth::EIGHT => Samples::U8 { values: (0..count).map(|_| random.u8(..)).collect(), maxval: 255 },
        Depth::Integer { maxval } => {
            Samples::U16 { values: (0..count).map(|_| random.u16(..)).collect(), maxval: maxval.get() }
        }
    };
    let raster = Raster::new(size, channels, samples).expect("as many numbers as the size says");
    Image::new("noise", vec![Page::new(raster)]).expect("one page")
}

fn request(method: Method, scale: f64) -> RenderRequest {
    let view = View::new([0.3, 0.7], scale).expect("a view");
    RenderRequest { view, sampler: Sampler::default().with_method(method), ..RenderRequest::new(size(WINDOW)) }
}

fn bits(raster: &Raster) -> Vec<u32> {
    match raster.samples() {
        Samples::U8 { values, .. } => values.iter().map(|&number| number.into()).collect(),
        Samples::U16 { values, .. } => values.iter().map(|&number| number.into()).collect(),
        Samples::F32(values) => values.iter().map(|number| number.to_bits()).collect(),
    }
}

/// Renders `request` moved by each of `pans` in turn, and compares each picture with a full render. Returns how many of the
/// pictures were rendered in part.
fn follow(image: &Image, request: &RenderRequest, format: PixelFormat, pans: &[[f64; 2]]) -> usize {
    let (mut backend, mut other) = (CpuBackend::new(), CpuBackend::new());
    let mut picture = PannedPicture::default();
    let mut request = request.clone();
    backend.render_panned(image, &request, format, &mut picture).expect("a picture");
    let mut in_part = 0;
    for &by_px in pans {
        request.view = request.view.panned(by_px);
        backend.render_panned(image, &request, format, &mut picture).expect("a picture");
        let full = backend::render(&mut other, image, &request, format).expect("a picture");
        let is_equal = picture.raster().size() == full.size() && bits(picture.raster()) == bits(&full);
        assert!(is_equal, "{request:?} {format:?} after {by_px:?}, {} pixels", picture.rendered_pixels());
        in_part += usize::from(picture.rendered_pixels() < full.size().area());
    }
    in_part
}

/// Along one axis and both, in both directions, further than the window, and by parts of a pixel.
const PANS: [[f64; 2]; 10] = [
    [3.0, 0.0],
    [-5.0, 0.0],
    [0.0, 2.0],
    [0.0, -70.0],
    [7.0, -4.0],
    [-66.0, 1.0],
    [400.0, 0.0],
    [-400.0, -400.0],
    [0.25, 0.0],
    [1.0, 0.5],
];

/// Pans of [`PANS`] that leave pixels in view.
const IN_PART: usize = 6;

#[test]
fn panned_picture_has_the_bytes_of_a_full_render() {
    for (channels, depth, format) in [
        (Channels::Grey, Depth::EIGHT, PixelFormat::TEXTURE),
        (Channels::Rgb, Depth::EIGHT, PixelFormat::TEXTURE),
        (Channels::Rgba, Depth::EIGHT, PixelFormat::TEXTURE),
        (Channels::Grey, Depth::SIXTEEN, PixelFormat::file(Depth::SIXTEEN)),
        (Channels::Grey, Depth::Float, PixelFormat::file(Depth::Float)),
        (Channels::GreyAlpha, Depth::SIXTEEN, PixelFormat::TEXTURE),
    ] {
        let image = noise(channels, depth);
        for row in &METHODS {
            for address in &ADDRESS_MODES {
                for (scale, antialias) in
                    [(0.125, false), (0.5, false), (1.0, false), (1.0 / 7.0, false), (2.0, false), (2.5, true)]
                {
                    let mut request = request(row.method, scale);
                    request.sampler.address = [address.address; 2];
                    request.sampler.antialias = antialias;
                    request.sampler.border = 0.4;
                    follow(&image, &request, format, &PANS);
                }
            }
        }
    }
}

#[test]
fn pan_by_whole_pixels_renders_what_came_into_view() {
    let image = noise(Channels::Grey, Depth::EIGHT);
    for row in METHODS.iter().filter(|row| row.method.kernel().taps <= 8) {
        for scale in [0.125, 0.5, 1.0, 2.0] {
            let in_part = follow(&image, &request(row.method, scale), PixelFormat::TEXTURE, &PANS);
            assert_eq!(in_part, IN_PART, "{} at {scale}", row.name);
        }
    }
}

#[test]
fn rendered_pixels_are_those_of_the_strips() {
    let image = noise(Channels::Grey, Depth::EIGHT);
    let mut backend = CpuBackend::new();
    let mut picture = PannedPicture::default();
    let mut request = request(Method::CATMULL_ROM, 0.125);
    let mut rendered = |by_px: [f64; 2]| {
        request.view = request.view.panned(by_px);
        backend.render_panned(&image, &request, PixelFormat::TEXTURE, &mut picture).expect("a picture");
        picture.rendered_pixels()
    };
    let [width, height] = WINDOW.map(|side| side as usize);
    let all = width * height;
    assert_eq!(rendered([0.0, 0.0]), all, "nothing is kept yet");
    // A strip has at least 64 columns or rows.
    assert_eq!(rendered([80.0, 0.0]), 80 * height);
    assert_eq!(rendered([-3.0, 0.0]), 64 * height);
    assert_eq!(rendered([0.0, 90.0]), 90 * width);
    assert_eq!(rendered([0.0, -1.0]), 64 * width);
    assert_eq!(rendered([1.0, 1.0]), 64 * (width + height));
    assert_eq!(rendered([149.0, 139.0]), all, "strips of as many pixels as the window");
    assert_eq!(rendered([150.0, 0.0]), all);
    assert_eq!(rendered([0.5, 0.0]), all);
    assert_eq!(rendered([0.0, 0.0]), all, "the same request again");
}

/// What a change of a request is called, and its request.
type Change = (&'static str, fn(&mut RenderRequest));

#[test]
fn other_change_than_a_pan_renders_all() {
    let changes: [Change; 8] = [
        ("scale", |request| request.view = request.view.scaled([0.25; 2]).expect("a view")),
        ("method", |request| request.sampler.method = Method::BSPLINE),
        ("path", |request| request.sampler.path = SamplingPath::Lookup),
        ("border", |request| request.sampler.border = 0.5),
        ("display", |request| request.display = Display { exposure: 1.0, ..Display::default() }),
        ("angle", |request| request.view = request.view.rotated(30.0).expect("a view")),
        ("filter after", |request| request.filters.after = "gaussian=1".parse().expect("a chain")),
        ("antiringing", |request| request.sampler.antiringing = 0.5),
    ];
    let image = noise(Channels::Grey, Depth::EIGHT);
    let (mut backend, mut other) = (CpuBackend::new(), CpuBackend::new());
    for (name, change) in changes {
        let mut picture = PannedPicture::default();
        let mut request = request(Method::CATMULL_ROM, 0.125);
        backend.render_panned(&image, &request, PixelFormat::TEXTURE, &mut picture).expect("a picture");
        change(&mut request);
        request.view = request.view.panned([4.0, 0.0]);
        backend.render_panned(&image, &request, PixelFormat::TEXTURE, &mut picture).expect("a picture");
        let full = backend::render(&mut other, &image, &request, PixelFormat::TEXTURE).expect("a picture");
        assert_eq!((picture.raster(), picture.rendered_pixels()), (&full, full.size().area()), "{name}");
    }
    let (mut picture, request) = (PannedPicture::default(), request(Method::CATMULL_ROM, 0.125));
    backend.render_panned(&image, &request, PixelFormat::TEXTURE, &mut picture).expect("a picture");
    let moved = RenderRequest { view: request.view.panned([4.0, 0.0]), ..request.clone() };
    let page = noise(Channels::Grey, Depth::EIGHT);
    backend.render_panned(&page, &moved, PixelFormat::TEXTURE, &mut picture).expect("a picture");
    assert_eq!(picture.rendered_pixels(), moved.size.area(), "another page");
    backend.render_panned(&page, &request, PixelFormat::file(Depth::SIXTEEN), &mut picture).expect("a picture");
    assert_eq!(picture.rendered_pixels(), moved.size.area(), "another format");
}

#[test]
fn views_that_are_followed_by_more_have_the_bytes_of_a_full_render() {
    let image = noise(Channels::Grey, Depth::EIGHT);
    let plain = request(Method::CATMULL_ROM, 0.125);
    let mut requests = vec![
        RenderRequest { view: plain.view.rotated(30.0).expect("a view"), ..plain.clone() },
        RenderRequest { warp: "swirl=1".parse().expect("a warp"), ..plain.clone() },
        RenderRequest { subtract: Some(Box::new(plain.clone())), ..plain.clone() },
        RenderRequest { display: Display { exposure: 0.7, ..Display::default() }, ..plain.clone() },
    ];
    let mut filtered = plain.clone();
    filtered.filters.after = "gaussian=1".parse().expect("a chain");
    requests.push(filtered);
    let mut filtered = plain;
    filtered.filters.before = "sobel".parse().expect("a chain");
    requests.push(filtered);
    for request in requests {
        follow(&image, &request, PixelFormat::TEXTURE, &PANS);
    }
}

#[test]
fn every_instruction_set_moves_the_same_bytes() {
    let image = noise(Channels::Rgb, Depth::EIGHT);
    let mut pictures = Vec::new();
    for instructions in Instructions::available() {
        let mut backend = CpuBackend::new().with_instructions(instructions);
        let (mut picture, mut request) = (PannedPicture::default(), request(Method::Linear, 0.125));
        for by_px in PANS {
            backend.render_panned(&image, &request, PixelFormat::TEXTURE, &mut picture).expect("a picture");
            request.view = request.view.panned(by_px);
        }
        pictures.push(picture.raster().clone());
    }
    assert!(pictures.windows(2).all(|pair| pair[0] == pair[1]));
}
