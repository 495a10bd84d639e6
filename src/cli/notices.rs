//! `lerpscope notices`: the licences of the crates and fonts inside the program.

use std::io::{self, Write};

/// Output of `assets/notices.py`, which also checks it against the dependencies.
const NOTICES: &str = include_str!("../../assets/THIRD-PARTY-NOTICES.txt");

/// Prints the notices.
///
/// # Errors
/// An error of standard output.
pub(super) fn run() -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(NOTICES.as_bytes())?;
    out.flush()?;
    Ok(())
}
