//! What the tool *Texture unit's error* shows.

use crate::lab::texture_error::{ErrorGain, ShownSteps, TexelPair, TextureView};

/// The view on show and its settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextureErrorState {
    /// The view.
    pub view: TextureView,
    /// Factor of the errors over a texel.
    pub gain: ErrorGain,
    /// The part of a texel on show.
    pub steps: ShownSteps,
    /// The texels between which formats are compared.
    pub texels: TexelPair,
}
