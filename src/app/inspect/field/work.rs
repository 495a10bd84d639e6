//! What the thread of the overlays measures.

use egui::ColorImage;

use super::super::panel_thread::PanelWork;
use super::lens::PanelLens;
use super::overshoot;
use crate::app::session::PanelId;
use crate::backend::{Backend as _, BackendError, CpuBackend, RenderRequest, page_of};
use crate::filter::ExecOptions;
use crate::image::{Image, PageId};
use crate::lab::field::{Field, Lens, Overshoot, SampleCheck, SampleCheckRequest, slope_range};
use crate::panics::Panicked;

/// The measurements that a panel may have, one of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Layer {
    Lens,
    Overshoot,
    Samples,
}

/// A measurement of one panel.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FieldKey {
    pub(super) panel: PanelId,
    pub(super) page: PageId,
    pub(super) request: FieldRequest,
}

/// What is measured.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum FieldRequest {
    Samples(SampleCheckRequest),
    Overshoot(PictureRequest),
    Lens(Lens, PictureRequest),
}

/// A view of which a picture is drawn.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PictureRequest {
    pub(super) request: RenderRequest,
    pub(super) pixels_per_point: f32,
}

/// What was measured, with the picture of it until that is taken.
#[derive(Clone, Debug)]
pub(super) enum FieldMeasure {
    Samples(SampleCheck),
    Overshoot(Box<Overshoot>, Option<ColorImage>),
    Lens(PanelLens),
}

impl FieldRequest {
    /// Its name for people.
    pub(super) fn title(&self) -> &'static str {
        match self {
            Self::Samples(_) => "Sample check",
            Self::Overshoot(_) => "Overshoot",
            Self::Lens(lens, _) => lens.row().title,
        }
    }

    /// The view of its picture, where it has one.
    pub(super) fn picture(&self) -> Option<&PictureRequest> {
        match self {
            Self::Samples(_) => None,
            Self::Overshoot(request) | Self::Lens(_, request) => Some(request),
        }
    }
}

impl FieldMeasure {
    /// Takes the picture, which is uploaded once.
    pub(super) fn take_picture(&mut self) -> Option<ColorImage> {
        match self {
            Self::Samples(_) => None,
            Self::Overshoot(_, picture) => picture.take(),
            Self::Lens(lens) => lens.take_pixels(),
        }
    }
}

impl FieldKey {
    /// Where the measurement is kept: its newest one replaces the others.
    pub(super) fn place(&self) -> (PanelId, Layer) {
        let layer = match self.request {
            FieldRequest::Samples(_) => Layer::Samples,
            FieldRequest::Overshoot(_) => Layer::Overshoot,
            FieldRequest::Lens(..) => Layer::Lens,
        };
        (self.panel, layer)
    }
}

/// Measures by a backend of its own.
#[derive(Debug, Default)]
pub(super) struct FieldWork {
    backend: CpuBackend,
    /// Range of the slopes of the last page.
    slope: Option<(PageId, f32)>,
}

impl FieldWork {
    fn found(&mut self, image: &Image, key: &FieldKey) -> Result<FieldMeasure, BackendError> {
        match &key.request {
            FieldRequest::Samples(request) => {
                SampleCheck::new(image, request, &mut self.backend).map(FieldMeasure::Samples)
            }
            FieldRequest::Overshoot(PictureRequest { request, pixels_per_point }) => {
                let (overshoot, difference) = Overshoot::new(image, request.clone(), &mut self.backend)?;
                Ok(FieldMeasure::Overshoot(Box::new(overshoot), overshoot::picture(&difference, *pixels_per_point)))
            }
            FieldRequest::Lens(lens, PictureRequest { request, pixels_per_point }) => {
                let field = Field::new(image, request, &mut self.backend)?;
                let page = page_of(image, request)?;
                let slope = match self.slope {
                    Some((id, slope)) if id == page.id() => slope,
                    _ => slope_range(&page),
                };
                self.slope = Some((page.id(), slope));
                Ok(FieldMeasure::Lens(PanelLens::new(*lens, &field, slope, *pixels_per_point)))
            }
        }
    }
}

impl PanelWork for FieldWork {
    type Key = FieldKey;
    type Found = Result<FieldMeasure, BackendError>;

    fn measure(&mut self, image: &Image, key: &FieldKey, work: &ExecOptions) -> Option<Self::Found> {
        self.backend.set_exec_options(work.clone());
        let found = self.found(image, key);
        (!matches!(found, Err(BackendError::Cancelled))).then_some(found)
    }

    fn failed(panicked: &Panicked) -> Self::Found {
        Err(BackendError::Device { what: panicked.to_string(), lost: false })
    }
}
