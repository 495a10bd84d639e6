//! `lerpscope notices`: the licences of the crates and fonts inside the program.

use std::io::{self, Write};

/// What `assets/notices.py` collected; that script checks it against the dependencies.
const NOTICES: &str = include_str!("../../assets/THIRD-PARTY-NOTICES.txt");

/// Prints the notices.
///
/// # Errors
/// Where standard output fails.
pub(super) fn run() -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(NOTICES.as_bytes())?;
    out.flush()?;
    Ok(())
}
