//! Errors as sentences. `fn main() -> Result<(), E>` prints the `Debug` output of its error; the `Debug` output of every
//! public error type is therefore its message with the causes, not its fields.

use std::error::Error;
use std::fmt::{self, Debug};

use crate::text::system_message;

/// Message of `error`, then the message of each cause after a colon. A cause already contained in the text is skipped.
pub(crate) fn sentence(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        // The words of an error of the system are those of the text.
        let message = error.downcast_ref().map_or_else(|| error.to_string(), system_message);
        if !text.contains(&message) {
            text = format!("{text}: {message}");
        }
        cause = error.source();
    }
    text
}

macro_rules! debug_as_sentence {
    ($($error:ty),+ $(,)?) => {
        $(
            impl Debug for $error {
                /// The sentence that `fn main() -> Result<(), E>` prints.
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str(&sentence(self))
                }
            }
        )+
    };
}

debug_as_sentence!(
    crate::arguments::ArgumentError,
    crate::backend::BackendError,
    crate::backend::KernelError,
    crate::backend::NoTruth,
    crate::backend::OutOfRange,
    crate::backend::RequestError,
    crate::backend::Unusable,
    crate::files::ReadTextError,
    crate::filter::FilterError,
    crate::filter::MaskError,
    crate::filter::MatrixError,
    crate::grid::GridError,
    crate::grid::VolumeError,
    crate::image::NoPagesError,
    crate::image::OpenError,
    crate::image::RasterError,
    crate::image::SaveError,
    crate::image::SizeError,
    crate::image::WriteError,
    crate::image::pnm::Cause,
    crate::image::pnm::HeaderError,
    crate::image::pnm::PnmError,
    crate::image::pnm::ReadError,
    crate::image::synth::SynthError,
    crate::memory::MemoryError,
    crate::quality::CompareError,
    crate::quality::DecimateError,
    crate::sampling::CustomCause,
    crate::sampling::CustomError,
    crate::sampling::MethodError,
    crate::view::ViewError,
    crate::complex::ComplexError,
    crate::volume::NoVolume,
    crate::warp::LatticeError,
    crate::warp::WarpError,
);

#[cfg(feature = "cli")]
debug_as_sentence!(
    crate::grid::GridFileCause,
    crate::grid::GridFileError,
    crate::lab::footprint::NoFootprint,
    crate::lab::identify::IdentifyError,
    crate::lab::one_dimension::SignalError,
    crate::lab::pairs::PairError,
    crate::lab::rotations::RotationError,
    crate::lesson::LessonError,
    crate::lesson::handout::HandoutError,
    crate::measure::MeasureError,
    crate::plots::PlotFileError
);

#[cfg(feature = "window")]
debug_as_sentence!(
    crate::lesson::formula::FormulaError,
    crate::app::ExportError,
    crate::app::FieldError,
    crate::app::GlError,
    crate::app::HiddenWindowError,
    crate::app::NoSourceError,
    crate::app::NotTomlError,
    crate::app::NotUtf8Error,
    crate::app::PictureError,
    crate::app::SessionFileError,
    crate::app::TextFileError,
);

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("{text}")]
    struct Link {
        text: &'static str,
        source: Option<Box<Link>>,
    }

    #[test]
    fn sentence_has_causes_after_their_error_without_repeats() {
        let link = |text, source: Option<Link>| Link { text, source: source.map(Box::new) };
        let error = link("a.pgm: no entry", Some(link("no entry", Some(link("code 2", None)))));
        assert_eq!(sentence(&error), "a.pgm: no entry: code 2");
    }
}
