//! A request together with the identity of the pages that it reads.

use crate::backend::RenderRequest;
use crate::image::{Image, PageId};

/// A request and its pages. Equal values render to equal pixels.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) struct PageRequest {
    request: RenderRequest,
    pages: Pages,
}

/// The page of a request, and the page that is subtracted.
type Pages = [Option<PageId>; 2];

impl PageRequest {
    /// `request` of `image`.
    pub(in crate::app) fn new(image: &Image, request: &RenderRequest) -> Self {
        Self { request: request.clone(), pages: pages_of(image, request) }
    }

    /// Whether this is `request` of `image`.
    pub(in crate::app) fn is(&self, image: &Image, request: &RenderRequest) -> bool {
        self.request == *request && self.pages == pages_of(image, request)
    }

    /// Whether the filters before the interpolation compute the same samples for this and for `request` of `image`.
    pub(in crate::app) fn shares_filtered_samples(&self, image: &Image, request: &RenderRequest) -> bool {
        let own = &self.request;
        own.filters.before.is_active()
            && own.filters.before == request.filters.before
            && own.sampler.address == request.sampler.address
            && own.sampler.border == request.sampler.border
            && own.sampler.coefficients() == request.sampler.coefficients()
            && self.pages[0] == pages_of(image, request)[0]
    }

    /// The request.
    pub(in crate::app) fn request(&self) -> &RenderRequest {
        &self.request
    }
}

fn pages_of(image: &Image, request: &RenderRequest) -> Pages {
    let id = |index| image.page(index).map(|page| page.id());
    [id(request.page), request.subtract.as_ref().and_then(|other| id(other.page))]
}
