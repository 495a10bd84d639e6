//! Figures: several pictures on one sheet, each below its label, with a caption below all.

mod bar;
mod label;
mod sheet;
mod wipe;

pub(crate) use bar::FigureBar;
#[cfg(feature = "window")]
pub(crate) use label::numbered;
pub(crate) use sheet::{Figure, FigureCell};
pub use wipe::WipeLine;
pub(crate) use wipe::wiped;

use crate::backend::COLOUR_MAPS;
use crate::text::shortened;

/// Why a text is no part of a figure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum FigureTextError {
    /// Not a colour bar.
    #[error("'{}' is no colour bar: MAP:LOW:HIGH, two numbers the first of which is less", shortened(.0))]
    Bar(String),
    /// An unknown colour map.
    #[error("there is no colour map '{}'; there are {}", shortened(.0), COLOUR_MAPS.each_ref().map(|row| row.name).join(", "))]
    ColourMap(String),
    /// Not the line of a wipe.
    #[error("'{}' is no line: x:SHARE of the width or y:SHARE of the height, from 0 to 1", shortened(.0))]
    Wipe(String),
}
