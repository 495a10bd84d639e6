//! Allocations of a frame of the CPU backend: none that grows with the area of the picture. The weights of an axis that moves, and
//! the lists of samples of a view that copies them, grow with its sides.

use allocation_counter::measure;
use lerpscope::backend::{Backend as _, CpuBackend, PixelFormat, RenderRequest};
use lerpscope::image::{Channels, Depth, Image, Page, Raster, Samples, Size};
use lerpscope::sampling::{METHODS, Sampler};
use lerpscope::view::View;

/// Sides of a small picture. The large one has twice the sides, four times the area.
const SIDES: [u32; 2] = [240, 135];
/// Bytes of a frame that do not depend on the sides: plans, requests, tasks, and the table of weights of a turned view, 33 KB.
const CONSTANT: u64 = 40 << 10;
/// Bytes of a frame for each column and row of a picture whose view does not change: the sample that each shows.
const A_STILL_SIDE: u64 = 32;
/// Bytes of a frame for each column and row of the picture, whose view moves along both axes: weights of eight samples or of a
/// stretched kernel as floats and as integers, their places and their blocks.
const A_SIDE: u64 = 2 << 10;

fn noise(channels: Channels) -> Image {
    let mut random = fastrand::Rng::with_seed(3);
    let size = Size::new(2048, 1024).expect("a size");
    let values = (0..size.area() * channels.count()).map(|_| random.u8(..)).collect();
    let raster = Raster::new(size, channels, Samples::U8 { values, maxval: u8::MAX }).expect("a raster");
    Image::new("noise", vec![Page::new(raster)]).expect("an image")
}

/// Most bytes that a frame allocates after others, while the view moves by `pan` from frame to frame.
fn of_frame(image: &Image, base: &RenderRequest, format: PixelFormat, pan: [f64; 2]) -> u64 {
    let mut backend = CpuBackend::new();
    let mut out = Raster::zeros(base.size, Channels::Grey, format.depth);
    let mut request = base.clone();
    let frame = |_| {
        request.view = request.view.panned(pan);
        measure(|| backend.render(image, &request, format, &mut out).expect("a picture")).bytes_total
    };
    // Buffers are there after some frames.
    (0..4).map(frame).skip(2).max().unwrap_or_default()
}

#[test]
fn frames_allocate_nothing_that_grows_with_the_area_of_the_picture() {
    // Allocations are counted by thread: the thread that asks for a picture is the one that works on it.
    rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global().expect("the first pool");
    let [small, large] = [1, 2].map(|factor| SIDES.map(|side| side * factor));
    let mut wrong = Vec::new();
    for channels in [Channels::Grey, Channels::Rgb, Channels::Rgba] {
        let image = noise(channels);
        for (scale, angle, antialias) in
            [(0.125, 0.0, false), (1.0, 0.0, false), (2.0, 0.0, false), (2.5, 0.0, true), (0.125, 30.0, false)]
        {
            for row in &METHODS {
                let view = View::new([0.3, 0.7], scale).and_then(|view| view.rotated(angle)).expect("a view");
                let sampler = Sampler { antialias, ..Sampler::default().with_method(row.method) };
                for format in [PixelFormat::TEXTURE, PixelFormat::file(Depth::SIXTEEN)] {
                    let bytes = |[width, height]: [u32; 2], pan: [f64; 2]| {
                        let size = Size::new(width, height).expect("a size");
                        let request = RenderRequest { view, sampler, ..RenderRequest::new(size) };
                        of_frame(&image, &request, format, pan)
                    };
                    let still = bytes(large, [0.0; 2]);
                    let moving = [small, large].map(|sides| bytes(sides, [3.7, 1.3]));
                    let sides = u64::from(large.iter().sum::<u32>());
                    // Twice the sides, and a fourth for allocations by powers of two.
                    let is_linear = moving[1] <= moving[0] * 5 / 2 + CONSTANT && moving[1] <= A_SIDE * sides + CONSTANT;
                    if still > A_STILL_SIDE * sides + CONSTANT || !is_linear {
                        let name = row.name;
                        wrong.push(format!(
                            "{channels:?} {scale} {angle} {antialias} {name} {format:?}: {still}, {moving:?}"
                        ));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "bytes of a frame of a still view, and of moving ones:\n{}", wrong.join("\n"));
}
