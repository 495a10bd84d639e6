//! Conventions of pixel centres: the views of a resize against SciPy's zoom (tests/golden/resize.txt, made by make_resize.py beside
//! it).

use lerpscope::backend::{self, CpuBackend, PixelFormat, RenderRequest};
use lerpscope::image::{Channels, Depth, Image, Page, Raster, Samples};
use lerpscope::resize::{PIXEL_CENTRES, PixelCentres};
use lerpscope::sampling::{Method, Sampler};

use crate::cases::{TOLERANCE, size};

fn numbers(line: &str) -> Vec<f64> {
    line.split(' ').map(|word| word.parse().expect("a number")).collect()
}

#[test]
fn resized_pictures_of_every_convention_are_those_of_scipy() {
    let mut lines = include_str!("../golden/resize.txt").lines();
    let mut next = || Some((lines.next()?.split(' ').collect::<Vec<_>>(), numbers(lines.next()?)));
    let (head, samples) = next().expect("the image");
    let side: u32 = head[1].parse().expect("a side");
    let samples = Samples::F32(samples.into_iter().map(|value| value as f32).collect());
    let raster = Raster::new(size(side, side), Channels::Grey, samples).expect("one value a sample");
    let image = Image::of_page("resized", Page::new(raster));
    let mut seen = Vec::new();
    while let Some((head, expected)) = next() {
        let centres = PixelCentres::by_name(head[1]).expect("a convention");
        let method: Method = head[2].parse().expect("a method");
        let pixels: u32 = head[3].parse().expect("a number of pixels");
        let output = size(pixels, pixels);
        let view = centres.resized(size(side, side), output).expect("a view");
        let request =
            RenderRequest { view, sampler: Sampler::default().with_method(method), ..RenderRequest::new(output) };
        let found = backend::render(&mut CpuBackend::new(), &image, &request, PixelFormat::file(Depth::Float));
        let found = found.expect("a picture");
        for (place, expected) in (0..).zip(&expected) {
            let value = f64::from(found.number(place % pixels, place / pixels, 0));
            assert!((value - expected).abs() < TOLERANCE, "{head:?} at {place}: {value}, {expected}");
        }
        seen.push(centres);
    }
    assert!(PIXEL_CENTRES.iter().all(|row| seen.contains(&row.centres)));
}
