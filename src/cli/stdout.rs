//! Standard output, with detection of a closed one.
//!
//! Before `main`, Rust's runtime opens `/dev/null` in place of a closed standard descriptor. Output then vanishes
//! without an error, and this `/dev/null` cannot be distinguished from one that the caller chose (Python's
//! `subprocess.DEVNULL` is open for reading and writing, too). Descriptor 1 is therefore checked earlier, by a function
//! in `.init_array`, which the loader calls before the runtime starts.

use std::io::{self, BufWriter, StdoutLock, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

/// Whether descriptor 1 was closed when the program started.
static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

#[cfg(any(target_os = "linux", target_os = "macos"))]
mod at_start {
    use std::sync::atomic::Ordering;

    /// Called by the loader.
    #[used]
    #[cfg_attr(target_os = "linux", unsafe(link_section = ".init_array"))]
    #[cfg_attr(target_os = "macos", unsafe(link_section = "__DATA,__mod_init_func"))]
    #[expect(unsafe_code, reason = "the runtime says nowhere which descriptors it replaced")]
    // SAFETY: the section holds pointers to functions of this type, and `note` needs nothing of the runtime: it makes
    // one system call and stores one atomic.
    static NOTE: extern "C" fn() = note;

    extern "C" fn note() {
        // SAFETY: the descriptor is borrowed for one call, which fails where it is closed.
        #[expect(unsafe_code, reason = "descriptor 1 is not known to be open")]
        let stdout = unsafe { std::os::fd::BorrowedFd::borrow_raw(1) };
        let is_closed = rustix::io::fcntl_getfd(stdout) == Err(rustix::io::Errno::BADF);
        super::WAS_CLOSED.store(is_closed, Ordering::Relaxed);
    }
}

/// Checks that standard output is open.
///
/// # Errors
/// An error if it was closed when the program started.
pub(super) fn check() -> anyhow::Result<()> {
    if WAS_CLOSED.load(Ordering::Relaxed) {
        return Err(io::Error::other("is closed")).context("standard output");
    }
    Ok(())
}

/// Writes to standard output by `fill`.
///
/// # Errors
/// An error of a closed standard output or of writing; it names standard output.
pub(super) fn write(fill: impl FnOnce(&mut BufWriter<StdoutLock<'static>>) -> io::Result<()>) -> anyhow::Result<()> {
    check()?;
    let mut out = BufWriter::new(io::stdout().lock());
    fill(&mut out).and_then(|()| out.flush()).context("standard output")
}

/// Prints `text`.
///
/// # Errors
/// Errors of [`write()`].
pub(super) fn print(text: &str) -> anyhow::Result<()> {
    write(|out| out.write_all(text.as_bytes()))
}
