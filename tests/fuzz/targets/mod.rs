//! What fuzzing checks: functions from any bytes, which panic where a property does not hold. libFuzzer calls them by the
//! executables in `bins`, and `tests/fuzz_corpus.rs` on the committed corpus and mutations of it.

mod pixels;
mod pnm;
mod text;

pub(crate) use pixels::pixels;
pub(crate) use pnm::pnm;
pub(crate) use text::{session, settings, spec};

/// A target by its name, which is that of its executable and of its folder in the corpus.
pub(crate) type Target = (&'static str, fn(&[u8]));

/// All targets.
pub(crate) const TARGETS: [Target; 5] =
    [("pnm", pnm), ("session", session), ("settings", settings), ("spec", spec), ("pixels", pixels)];

/// Checks that a message is one line that a terminal can print.
fn check_message(message: &str) {
    assert!(!message.is_empty() && !message.contains(char::is_control), "{message:?} is no line");
}
