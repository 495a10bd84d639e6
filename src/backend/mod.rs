//! Backends: what turns an image and a [`RenderRequest`] into pixels.

pub mod cpu;
mod display;
mod prepared;
pub mod reference;
mod request;

pub use cpu::CpuBackend;
pub use display::{COLOUR_MAPS, COLOUR_STEPS, ColourMap, ColourMapRow, Display, Tone};
pub use prepared::{Prepared, PreparedCache};
pub use request::{PixelFormat, RenderRequest, RequestError};

use crate::image::{Channels, Depth, Image, Page, Raster};

/// Something that renders. A backend keeps what it made from an image (coefficients, textures) and reuses it.
pub trait Backend: Send {
    /// Its row's name: `cpu`, `cuda`.
    fn name(&self) -> &'static str;

    /// One line on what it runs on, for people.
    fn description(&self) -> String;

    /// Renders `request` of `image` into `out`, which keeps its memory where size and format fit and is replaced where not.
    ///
    /// # Errors
    /// Where the request cannot be served ([`RenderRequest::check`]), or the device fails.
    fn render(
        &mut self,
        image: &Image,
        request: &RenderRequest,
        format: PixelFormat,
        out: &mut Raster,
    ) -> Result<(), BackendError>;
}

/// Why a backend gave no pixels.
#[derive(Debug, thiserror::Error)]
pub enum BackendError {
    /// The request cannot be served.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The backend is not to be had on this machine.
    #[error("backend '{name}' is missing: {reason}")]
    Missing {
        /// Which backend.
        name: &'static str,
        /// Why.
        reason: String,
    },
}

/// All that is known of a backend before it is opened.
#[derive(Debug)]
pub struct BackendRow {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// Opens it, or says why it is missing.
    pub open: fn() -> Result<Box<dyn Backend>, BackendError>,
}

/// The backends, the preferred one first; `auto` is the first that opens.
pub static BACKENDS: [BackendRow; 1] =
    [BackendRow { name: "cpu", title: "CPU", open: || Ok(Box::new(CpuBackend::new())) }];

/// Opens the backend of this name, or the first that opens for `auto`.
///
/// # Errors
/// Where the backend is missing on this machine.
pub fn open(name: &str) -> Result<Box<dyn Backend>, BackendError> {
    let mut missing = None;
    for row in BACKENDS.iter().filter(|row| name == "auto" || row.name == name) {
        match (row.open)() {
            Ok(backend) => return Ok(backend),
            Err(error) => {
                log::info!("{error}");
                missing = Some(error);
            }
        }
    }
    Err(missing.unwrap_or(BackendError::Missing { name: "auto", reason: format!("there is no backend '{name}'") }))
}

/// Renders into a raster of its own: the simple way where no frame follows another.
///
/// # Errors
/// As [`Backend::render`].
pub fn render(
    backend: &mut dyn Backend,
    image: &Image,
    request: &RenderRequest,
    format: PixelFormat,
) -> Result<Raster, BackendError> {
    let page = page_of(image, request)?;
    let channels = format.channels(request.channels(page.channels()));
    let mut out = Raster::zeros(request.size, channels, format.depth);
    backend.render(image, request, format, &mut out)?;
    Ok(out)
}

/// The page that `request` asks for.
fn page_of<'a>(image: &'a Image, request: &RenderRequest) -> Result<&'a std::sync::Arc<Page>, RequestError> {
    image.page(request.page).ok_or(RequestError::Page { page: request.page, count: image.pages().len() })
}

/// Makes `out` fit, if it does not.
fn fit_raster(out: &mut Raster, request: &RenderRequest, channels: Channels, depth: Depth) {
    if out.size() != request.size || out.channels() != channels || out.depth() != depth {
        *out = Raster::zeros(request.size, channels, depth);
    }
}
