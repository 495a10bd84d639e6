//! Resizes by fast_image_resize and pic-scale: one line of JSON for each, with the median time in milliseconds.
//!
//! `peers THREADS ROUNDS CHANNELS SOURCE_WIDTH SOURCE_HEIGHT WIDTH HEIGHT FILTER SUPPORT`: `FILTER` is nearest, linear, catmull-rom,
//! bspline, mitchell or lanczos3; `SUPPORT` is `fixed`, or `stretched` for antialiasing.

use std::hint::black_box;
use std::time::Instant;

use fast_image_resize::images::Image;
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};
use pic_scale::{ImageSize, ImageStore, ImageStoreMut, ResamplingFunction, Scaler, ThreadingPolicy};

fn median(rounds: usize, mut work: impl FnMut()) -> f64 {
    work();
    let once = |work: &mut dyn FnMut()| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64() * 1e3
    };
    let mut times: Vec<f64> = (0..rounds).map(|_| once(&mut work)).collect();
    times.sort_by(f64::total_cmp);
    times[rounds / 2]
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize| arguments[place].parse::<usize>().expect("a number");
    let [threads, rounds, channels] = [number(0), number(1), number(2)];
    let [from_width, from_height, width, height] = [number(3), number(4), number(5), number(6)];
    let (filter, support) = (arguments[7].as_str(), arguments[8].as_str());

    let mut state = 1_u64;
    let mut noise = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    let numbers: Vec<u8> = (0..from_width * from_height * channels).map(|_| noise()).collect();

    let kind = match filter {
        "linear" => Some(FilterType::Bilinear),
        "catmull-rom" => Some(FilterType::CatmullRom),
        "mitchell" => Some(FilterType::Mitchell),
        "lanczos3" => Some(FilterType::Lanczos3),
        _ => None,
    };
    let algorithm = match (filter, kind) {
        ("nearest", _) => Some(ResizeAlg::Nearest),
        (_, Some(kind)) if support == "stretched" => Some(ResizeAlg::Convolution(kind)),
        (_, Some(kind)) => Some(ResizeAlg::Interpolation(kind)),
        _ => None,
    };
    if let Some(algorithm) = algorithm {
        let pixels = if channels == 1 { PixelType::U8 } else { PixelType::U8x4 };
        let source = Image::from_vec_u8(from_width as u32, from_height as u32, numbers.clone(), pixels).expect("an image");
        let mut out = Image::new(width as u32, height as u32, pixels);
        let options = ResizeOptions::new().resize_alg(algorithm).use_alpha(false);
        let mut resizer = Resizer::new();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let time = pool.install(|| {
            median(rounds, || resizer.resize(&source, &mut out, &options).expect("a resize"))
        });
        black_box(out.buffer());
        println!("{{\"peer\": \"fast_image_resize\", \"ms\": {time}}}");
    }

    // It stretches every filter when it reduces.
    if support == "fixed" && from_width > width {
        return;
    }
    let function = match filter {
        "nearest" => ResamplingFunction::Nearest,
        "linear" => ResamplingFunction::Bilinear,
        "catmull-rom" => ResamplingFunction::CatmullRom,
        "bspline" => ResamplingFunction::BSpline,
        "mitchell" => ResamplingFunction::MitchellNetravalli,
        _ => ResamplingFunction::Lanczos3,
    };
    let mut scaler = Scaler::new(function);
    scaler.set_threading_policy(if threads == 1 { ThreadingPolicy::Single } else { ThreadingPolicy::Fixed(threads) });
    let (from, to) = (ImageSize::new(from_width, from_height), ImageSize::new(width, height));
    let time = if channels == 1 {
        let plan = scaler.plan_planar_resampling(from, to).expect("a plan");
        let store = ImageStore::<u8, 1>::from_slice(&numbers, from_width, from_height).expect("an image");
        let mut out = ImageStoreMut::<u8, 1>::alloc(width, height);
        median(rounds, || plan.resample(&store, &mut out).expect("a resize"))
    } else {
        let plan = scaler.plan_rgba_resampling(from, to, false).expect("a plan");
        let store = ImageStore::<u8, 4>::from_slice(&numbers, from_width, from_height).expect("an image");
        let mut out = ImageStoreMut::<u8, 4>::alloc(width, height);
        median(rounds, || plan.resample(&store, &mut out).expect("a resize"))
    };
    println!("{{\"peer\": \"pic-scale\", \"ms\": {time}}}");
}
