//! The measurements, each by an instance of the backend in use of its own.

use std::sync::Arc;

use crate::app::render::task::Work;
use crate::app::session::Session;
use crate::backend::{Backend, BackendError, BackendKind};
use crate::image::{Page, PageId};
use crate::lab::texture_error::{Formats, Picture, TableOne, Texel, TexelPair, TexelRequest};

/// The pictures of table 1: the focused panel's image.
#[derive(Clone, Debug)]
pub(super) struct TableJob {
    name: String,
    page: Arc<Page>,
    backend: BackendKind,
}

impl TableJob {
    pub(super) fn of(session: &Session, backend: BackendKind) -> Self {
        Self { name: session.image().name().to_owned(), page: session.page(), backend }
    }

    pub(super) fn key(&self) -> (PageId, BackendKind) {
        (self.page.id(), self.backend)
    }
}

pub(super) fn texel_work(request: TexelRequest, backend: BackendKind) -> Work<Texel> {
    by(backend, move |backend| Texel::measure(request, backend))
}

pub(super) fn formats_work(pair: TexelPair, backend: BackendKind) -> Work<Formats> {
    by(backend, move |backend| Formats::measure(pair, backend))
}

pub(super) fn table_work(job: TableJob) -> Work<TableOne> {
    Box::new(move |options, _| {
        let mut backend = job.backend.row().try_open().map_err(|error| error.to_string())?;
        let image = Picture { name: job.name, page: job.page };
        let pictures: Vec<Picture> = std::iter::once(image).chain(Picture::noise()).collect();
        TableOne::measure(&pictures, &mut *backend, options).map_err(|error| error.to_string())
    })
}

/// The work of `measure` on `backend`.
fn by<T: 'static>(
    backend: BackendKind,
    measure: impl FnOnce(&mut dyn Backend) -> Result<T, BackendError> + Send + 'static,
) -> Work<T> {
    Box::new(move |_, _| {
        let mut backend = backend.row().try_open().map_err(|error| error.to_string())?;
        measure(&mut *backend).map_err(|error| error.to_string())
    })
}
