//! Expectations computed from the definitions in double precision, without code of the crate. The reference backend
//! shares the view, the axis weights and the display mapping with the other backends and cannot be their oracle.

mod colour_maps;
mod display;
#[expect(dead_code, reason = "other suites walk named methods apart, and stretched kernels")]
#[path = "../kernels/mod.rs"]
mod kernels;
mod sampling;
mod view;

use lerpscope::backend::{self, CpuBackend, PixelFormat, RenderRequest};
use lerpscope::image::{Channels, Image, Page, Raster, Samples, Size};

fn size(width: u32, height: u32) -> Size {
    Size::new(width, height).expect("a size")
}

fn image(size: Size, channels: Channels, samples: Samples) -> Image {
    let raster = Raster::new(size, channels, samples).expect("as many samples as the size has");
    Image::new("conventions", vec![Page::new(raster)]).expect("an image")
}

fn rendered(image: &Image, request: &RenderRequest, format: PixelFormat) -> Raster {
    backend::render(&mut CpuBackend::new(), image, request, format).expect("served")
}

/// All values of a raster, channels interleaved.
fn numbers(raster: &Raster) -> Vec<f32> {
    (0..raster.samples().len()).map(|place| raster.samples().number(place)).collect()
}
