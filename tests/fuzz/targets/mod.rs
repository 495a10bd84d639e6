//! Fuzz targets: functions of arbitrary bytes that panic if a property is violated. libFuzzer calls them from the
//! executables in `bins`,
//! `tests/fuzz_corpus.rs` on the committed corpus and mutations of it.

mod grids;
mod pixels;
mod pnm;
#[cfg(feature = "window")]
mod saved;
mod text;

pub(crate) use grids::{nifti, npy};
pub(crate) use pixels::pixels;
pub(crate) use pnm::pnm;
#[cfg(feature = "window")]
pub(crate) use saved::{session, settings};
pub(crate) use text::spec;

/// Name of a target, its executable and its corpus folder, and its function.
pub(crate) type Target = (&'static str, fn(&[u8]));

/// All targets.
pub(crate) const TARGETS: &[Target] = &[
    ("pnm", pnm),
    ("npy", npy),
    ("nifti", nifti),
    #[cfg(feature = "window")]
    ("session", session),
    #[cfg(feature = "window")]
    ("settings", settings),
    ("spec", spec),
    ("pixels", pixels),
];

/// Checks that a message is one printable line.
fn check_message(message: &str) {
    assert!(!message.is_empty() && !message.contains(char::is_control), "{message:?} is no line");
}
