//! A panel as text.

use crate::backend::Content;
use crate::filter::Filters;
use crate::sampling::Sampler;

/// What a panel shows of its image.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PanelSpec {
    /// What its values are.
    pub content: Content,
    /// Interpolation between samples.
    pub sampler: Sampler,
    /// Filters of the samples and of the pixels.
    pub filters: Filters,
}
