//! One frame on the CPU: a 960 × 540 panel of a 4096 × 4096 grey 8-bit image, each method at four scales; the default
//! window's four panels together; fast_image_resize on the same view, where it supports it; a panel of a reduced view that is
//! turned, antialiased, in grey and in colour; and a 1920 × 1080 panel whose view moves by whole pixels, rendered in full and
//! panned.
//!
//! Compare ratios: the times hold for one machine.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use fast_image_resize::images::Image as PeerImage;
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};
use lerpscope::backend::{Backend, CpuBackend, PannedPicture, PixelFormat, RenderRequest};
use lerpscope::image::{Channels, Depth, Image, Page, Raster, Samples, Size};
use lerpscope::sampling::{METHODS, Method, Sampler};
use lerpscope::view::View;

const SIDE: u32 = 4096;
const PANEL: (u32, u32) = (960, 540);
const SCALES: [(&str, f64); 4] = [("1/50", 1.0 / 50.0), ("1/8", 1.0 / 8.0), ("1", 1.0), ("2", 2.0)];

fn noise() -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(1);
    (0..SIDE as usize * SIDE as usize).map(|_| random.u8(..)).collect()
}

fn size(width: u32, height: u32) -> Size {
    Size::new(width, height).expect("a size that is not zero")
}

fn image() -> Image {
    let samples = Samples::U8 { values: noise(), maxval: 255 };
    let raster = Raster::new(size(SIDE, SIDE), Channels::Grey, samples).expect("as many numbers as the size says");
    Image::new("noise", vec![Page::new(raster)]).expect("one page")
}

/// Translated by a fraction, so that no weight is trivially 0 or 1.
fn request(method: Method, scale: f64) -> RenderRequest {
    let view = View::new([0.3, 0.7], scale).expect("a view");
    RenderRequest {
        view,
        sampler: Sampler::default().with_method(method),
        ..RenderRequest::new(size(PANEL.0, PANEL.1))
    }
}

fn frame(criterion: &mut Criterion) {
    let image = image();
    let mut backend = CpuBackend::new();
    let mut out = Raster::zeros(size(PANEL.0, PANEL.1), Channels::Grey, Depth::EIGHT);

    let mut group = criterion.benchmark_group("frame");
    for (label, scale) in SCALES {
        for row in &METHODS {
            let request = request(row.method, scale);
            group.bench_function(BenchmarkId::new(row.name, label), |bencher| {
                bencher.iter(|| backend.render(&image, black_box(&request), PixelFormat::TEXTURE, &mut out));
            });
        }
    }
    group.finish();

    let mut group = criterion.benchmark_group("four panels");
    for (label, scale) in SCALES {
        let requests = [Method::Nearest, Method::Linear, Method::BSPLINE, Method::CATMULL_ROM]
            .map(|method| request(method, scale));
        group.bench_function(label, |bencher| {
            bencher.iter(|| {
                for request in &requests {
                    backend.render(&image, black_box(request), PixelFormat::TEXTURE, &mut out).expect("served");
                }
            });
        });
    }
    group.finish();

    let mut group = criterion.benchmark_group("fast_image_resize");
    let peer = PeerImage::from_vec_u8(SIDE, SIDE, noise(), PixelType::U8).expect("a picture");
    let mut peer_out = PeerImage::new(PANEL.0, PANEL.1, PixelType::U8);
    let mut resizer = Resizer::new();
    let (label, scale) = SCALES[1];
    let [width, height] = [PANEL.0, PANEL.1].map(|side| f64::from(side) * scale);
    let middle = f64::from(SIDE) / 2.0;
    for (name, filter) in [("linear", FilterType::Bilinear), ("catmull-rom", FilterType::CatmullRom)] {
        let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(filter)).crop(
            middle - width / 2.0 + 0.3,
            middle - height / 2.0 + 0.7,
            width,
            height,
        );
        group.bench_function(BenchmarkId::new(name, label), |bencher| {
            bencher.iter(|| resizer.resize(&peer, &mut peer_out, black_box(&options)));
        });
    }
    group.finish();
}

/// Antialiased views turned by 30°, reduced by 2 and 4 and enlarged, whose kernel is not stretched.
fn turned(criterion: &mut Criterion) {
    let colours = {
        let mut random = fastrand::Rng::with_seed(2);
        let values = (0..3 * SIDE as usize * SIDE as usize).map(|_| random.u8(..)).collect();
        let samples = Samples::U8 { values, maxval: 255 };
        let raster = Raster::new(size(SIDE, SIDE), Channels::Rgb, samples).expect("as many numbers as the size says");
        Image::new("noise", vec![Page::new(raster)]).expect("one page")
    };
    let mut backend = CpuBackend::new();
    for (name, image, channels) in [("turned", image(), Channels::Grey), ("turned, in colour", colours, Channels::Rgb)]
    {
        let mut out = Raster::zeros(size(PANEL.0, PANEL.1), channels, Depth::EIGHT);
        let mut group = criterion.benchmark_group(name);
        group.sample_size(10);
        for (label, scale) in [("1/8", 1.0 / 8.0), ("2", 2.0), ("4", 4.0)] {
            for method in [Method::Linear, Method::CATMULL_ROM, Method::LANCZOS3] {
                let mut request = request(method, scale);
                request.view = request.view.rotated(30.0).expect("an angle");
                request.sampler.antialias = true;
                group.bench_function(BenchmarkId::new(method.to_string(), label), |bencher| {
                    bencher.iter(|| backend.render(&image, black_box(&request), PixelFormat::TEXTURE, &mut out));
                });
            }
        }
        group.finish();
    }
}

/// Frames of a view that moves by five pixels from one to the next, and back after 256.
fn pan(criterion: &mut Criterion) {
    let image = image();
    let mut group = criterion.benchmark_group("pan");
    for (axes, by_px) in [("along x", [5.0, 0.0]), ("along y", [0.0, 5.0]), ("along both", [5.0, 5.0])] {
        for (label, scale) in SCALES {
            for method in [Method::Linear, Method::CATMULL_ROM] {
                let still = RenderRequest { size: size(1920, 1080), ..request(method, scale) };
                let at = |frame: i32| {
                    let by_px = by_px.map(|pixels| pixels * f64::from(frame));
                    RenderRequest { view: still.view.panned(by_px), ..still.clone() }
                };
                let mut requests = (0..256).cycle().map(at);
                let mut backend = CpuBackend::new();
                let mut out = Raster::zeros(size(1920, 1080), Channels::Grey, Depth::EIGHT);
                let id = |how: &str| BenchmarkId::new(format!("{method}, {axes}, {how}"), label);
                group.bench_function(id("full"), |bencher| {
                    bencher.iter(|| {
                        let request = requests.next().expect("they cycle");
                        backend.render(&image, black_box(&request), PixelFormat::TEXTURE, &mut out)
                    });
                });
                let mut picture = PannedPicture::default();
                group.bench_function(id("panned"), |bencher| {
                    bencher.iter(|| {
                        let request = requests.next().expect("they cycle");
                        backend.render_panned(&image, black_box(&request), PixelFormat::TEXTURE, &mut picture)
                    });
                });
            }
        }
    }
    group.finish();
}

criterion_group!(benches, frame, turned, pan);
criterion_main!(benches);
