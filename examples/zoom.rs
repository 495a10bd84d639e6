//! Magnifies the centre of an image 8 times with Catmull-Rom. Needs no feature of the library:
//!
//! ```text
//! cargo run --no-default-features --example zoom -- assets/basilica.pgm zoom.pgm
//! ```

use std::error::Error;
use std::path::PathBuf;

use lerpscope::backend::{self, CpuBackend, PixelFormat, RenderRequest};
use lerpscope::image;
use lerpscope::sampling::{Method, Sampler};
use lerpscope::view::View;

fn main() -> Result<(), Box<dyn Error>> {
    let mut files = std::env::args_os().skip(1).map(PathBuf::from);
    let input = files.next().unwrap_or_else(|| PathBuf::from("assets/basilica.pgm"));
    let output = files.next().unwrap_or_else(|| PathBuf::from("zoom.pgm"));

    let image = image::open(&input)?.image;
    let page = &image.pages()[0];
    let request = RenderRequest {
        view: View::new([0.0; 2], 1.0 / 8.0)?,
        sampler: Sampler::default().with_method(Method::CATMULL_ROM),
        ..RenderRequest::new(page.size())
    };
    let format = PixelFormat::file(page.raster().depth());
    let raster = backend::render(&mut CpuBackend::new(), &image, &request, format)?;
    image::save(&output, &raster)?;
    Ok(())
}
