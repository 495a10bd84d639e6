//! Fuzz targets: functions of arbitrary bytes that panic if a property is violated. libFuzzer calls them from the
//! executables in `bins`,
//! `tests/fuzz_corpus.rs` on the committed corpus and mutations of it.

mod grids;
mod pixels;
mod pnm;
mod text;

pub(crate) use grids::{nifti, npy};
pub(crate) use pixels::pixels;
pub(crate) use pnm::pnm;
pub(crate) use text::{session, settings, spec};

/// Name of a target, its executable and its corpus folder, and its function.
pub(crate) type Target = (&'static str, fn(&[u8]));

/// All targets.
pub(crate) const TARGETS: [Target; 7] = [
    ("pnm", pnm),
    ("npy", npy),
    ("nifti", nifti),
    ("session", session),
    ("settings", settings),
    ("spec", spec),
    ("pixels", pixels),
];

/// Checks that a message is one printable line.
fn check_message(message: &str) {
    assert!(!message.is_empty() && !message.contains(char::is_control), "{message:?} is no line");
}
