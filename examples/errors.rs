//! Output of a program that returns an error of the library from `main`: one sentence on standard error.
//!
//! ```text
//! cargo run --no-default-features --example errors -- SizeError
//! ```

use std::error::Error;
use std::io;
use std::path::Path;

use lerpscope::arguments::parse_number;
use lerpscope::backend::{self, Kernel, NoTruth, OutOfRange, RenderRequest, Unusable};
use lerpscope::complex::ComplexFormula;
use lerpscope::files::read_text;
use lerpscope::filter::{ExecOptions, Mask, Matrix, Step};
use lerpscope::grid::{Components, Grid, VolumeFormula};
use lerpscope::image::pnm::{self, Cause};
use lerpscope::image::{self, Channels, Depth, FileFormat, Formula, Image, Page, Raster, Samples, Size};
use lerpscope::memory::{Demand, Memory};
use lerpscope::quality::{CompareError, Decimated, Decimation};
use lerpscope::sampling::{CustomKernel, Method, Sampler, SamplingPath};
use lerpscope::view::View;
use lerpscope::volume::Volume;

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).unwrap_or_default();
    let one = Size::new(1, 1)?;
    let colour = Raster::zeros(one, Channels::Rgb, Depth::EIGHT);
    match name.as_str() {
        "ArgumentError" => drop(parse_number::<f64>("eight")?),
        "BackendError" => drop(backend::open("abacus")?),
        "Cause" => {
            pnm::decode(b"P5 4 4 255\n").map_err(|error| error.cause)?;
        }
        "CompareError" => return Err(CompareError::NothingCounted.into()),
        "CustomCause" => {
            CustomKernel::open(Path::new("missing.csv")).map_err(|error| error.cause)?;
        }
        "CustomError" => drop(CustomKernel::open(Path::new("missing.csv"))?),
        "DecimateError" => {
            let page = Page::new(Raster::zeros(Size::new(5, 5)?, Channels::Grey, Depth::EIGHT));
            Decimated::new(&page, 6, Decimation::Box, &ExecOptions::default())?;
        }
        "FilterError" => drop("blur".parse::<Step>()?),
        #[cfg(feature = "window")]
        "FormulaError" => {
            use lerpscope::lesson::formula::{Formula, FormulaStyle};
            drop(Formula::new("\\nosuch", FormulaStyle::Inline)?);
        }
        #[cfg(feature = "cli")]
        "HandoutError" => {
            use lerpscope::lesson::{Lesson, Pictures, handout::Titled};
            let text =
                "title = 'a'\nsummary = 'b'\n[[step]]\ntitle = 'c'\ntext = 'd'\nsession.images = ['missing.pgm']";
            let lesson = Lesson::parse(text, "one.toml")?;
            Titled { name: "one", lesson: &lesson }.handout(&mut Pictures::new(Path::new("")))?;
        }
        "GridError" => drop(Grid::new(&[2, 3], Components::Real, vec![0.0_f32; 5])?),
        #[cfg(feature = "cli")]
        "GridFileCause" => {
            lerpscope::grid::open(Path::new("missing.npy")).map_err(|error| error.cause)?;
        }
        #[cfg(feature = "cli")]
        "GridFileError" => drop(lerpscope::grid::open(Path::new("missing.npy"))?),
        "HeaderError" => {
            pnm::decode(b"P5 0 4 255\n").map_err(|error| match error.cause {
                Cause::Header(error) => Box::<dyn Error>::from(error),
                cause => cause.into(),
            })?;
        }
        "KernelError" => drop("blur:auto".parse::<Kernel>()?),
        #[cfg(feature = "cli")]
        "LessonError" => drop(lerpscope::lesson::Lesson::parse("title = 'a'\nsummry = 'b'", "one.toml")?),
        #[cfg(feature = "cli")]
        "MeasureError" => return Err(lerpscope::measure::MeasureError::from(CompareError::NothingCounted).into()),
        "MemoryError" => {
            let mut demand = Demand::default();
            demand.hold(|| "640×480 pixels take".to_owned(), 640 * 480);
            Memory::Bytes(1024).check(&demand)?;
        }
        "LatticeError" => drop(lerpscope::warp::Lattice::of_rows(&[vec![0.0; 3]])?),
        "WarpError" => drop("fish".parse::<lerpscope::warp::Warp>()?),
        "MaskError" => drop("holes".parse::<Mask>()?),
        "MatrixError" => drop("[1,2;3]".parse::<Matrix>()?),
        "MethodError" => drop("sharp".parse::<Method>()?),
        #[cfg(feature = "cli")]
        "IdentifyError" => return Err(lerpscope::lab::identify::IdentifyError::Scale(0.0).into()),
        #[cfg(feature = "cli")]
        "PairError" => {
            let cause = lerpscope::quality::DecimateError::Factor { factor: 1, size: one };
            return Err(lerpscope::lab::pairs::PairError::from(cause).into());
        }
        #[cfg(feature = "cli")]
        "RotationError" => return Err(lerpscope::lab::rotations::RotationError::Turns(1).into()),
        #[cfg(feature = "cli")]
        "SignalError" => return Err(lerpscope::lab::one_dimension::SignalError::Count(0).into()),
        #[cfg(feature = "cli")]
        "NoFootprint" => return Err(lerpscope::lab::footprint::NoFootprint::Truth.into()),
        "NoPagesError" => drop(Image::new("empty.pgm", Vec::new())?),
        "NoTruth" => return Err(NoTruth::Samples.into()),
        "NoVolume" => {
            let flat = Grid::new(&[2, 3], Components::Real, vec![0.0; 6])?;
            drop(Volume::new(flat, [1.0; 3], false)?);
        }
        "OpenError" => drop(image::open(Path::new("missing.pgm"))?),
        "OutOfRange" => {
            let name = "gamma";
            return Err(OutOfRange { name, range: "between 0.01 and 100", value: 0.0 }.into());
        }
        #[cfg(feature = "cli")]
        "PlotFileError" => drop(lerpscope::plots::PlotFormat::from_path(Path::new("plot.gif"))?),
        "PnmError" => drop(pnm::decode(b"P9")?),
        "RasterError" => drop(Raster::new(one, Channels::Rgb, Samples::F32(vec![0.5; 2]))?),
        "ReadError" => drop(pnm::read(&mut &b"P9"[..], None, Memory::Bytes(1024))?),
        "ReadTextError" => drop(read_text(Path::new("missing.toml"))?),
        "RequestError" => {
            let method = Sampler::default().with_method(Method::LANCZOS3);
            let sampler = Sampler { path: SamplingPath::Filtered, ..method };
            RenderRequest { sampler, ..RenderRequest::new(one) }.check(&Page::new(colour))?;
        }
        "SaveError" => image::save(Path::new("missing/out.pgm"), &Raster::zeros(one, Channels::Grey, Depth::EIGHT))?,
        "SizeError" => drop(Size::new(640, 0)?),
        "SynthError" => drop("synth:rainbow:8x8".parse::<Formula>()?),
        "Unusable" => return Err(Unusable::DriverTooOld { found: (11, 8), needed: (12, 0) }.into()),
        "ComplexError" => drop("synth:whirl:8x8".parse::<ComplexFormula>()?),
        "VolumeError" => drop("synth:torus:8x8x8".parse::<VolumeFormula>()?),
        "ViewError" => drop(View::new([0.0; 2], 0.0)?),
        "WriteError" => image::write(&mut io::sink(), FileFormat::Pgm, &colour)?,
        _ => return Err(format!("there is no error '{name}'").into()),
    }
    Ok(())
}
