//! Quality of an interpolation: how far a rendered view is from the true one.
//!
//! The truth of a view is known in two cases. A formula has a value at every position. A decimated image has the
//! original as its truth, where the view puts one pixel on each original sample ([`Decimated`]). [`truth`] is either. Pixels between the samples
//! are counted ([`Counted`]), and [`compare`] measures their errors.
//!
//! ```
//! use lerpscope::backend::{CpuBackend, PixelFormat, RenderRequest, render};
//! use lerpscope::filter::ExecOptions;
//! use lerpscope::image::{Depth, Formula, Image};
//! use lerpscope::quality::{Counted, compare, truth};
//! use lerpscope::sampling::{Method, Sampler};
//! use lerpscope::view::View;
//!
//! let formula: Formula = "synth:gaussian:64x64".parse()?;
//! let image = Image::of_page("gaussian", formula.page());
//! let page = &image.pages()[0];
//! let mut psnr_db = |method| {
//!     let sampler = Sampler::default().with_method(method);
//!     let view = View::new([0.0; 2], 0.25)?;
//!     let request = RenderRequest { view, sampler, ..RenderRequest::new(formula.size()) };
//!     let picture = render(&mut CpuBackend::new(), &image, &request, PixelFormat::file(Depth::Float))?;
//!     let counted = Counted::between_samples(&request, formula.size());
//!     let exact = truth(page, &request, &counted, &ExecOptions::default())?;
//!     Ok::<_, Box<dyn std::error::Error>>(compare(&picture, &exact, &counted)?.psnr_db)
//! };
//! assert!(psnr_db(Method::CATMULL_ROM)? > psnr_db(Method::Linear)?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod counted;
mod decimated;
mod metrics;
mod plane;
mod source;
mod ssim;
mod truth;

pub use counted::Counted;
pub use decimated::{DECIMATIONS, DecimateError, Decimated, Decimation, DecimationRow, is_decimated_from};
pub use metrics::{CompareError, Metrics, compare};
pub use source::{Decimate, open_source};
pub use truth::truth;
