//! The end of the process.

use std::io::{self, Write};
use std::process::ExitCode;

use crate::backend::must_exit_at_once;

/// The exit code for `main` to return. Where a background thread may be inside a device's driver, the process ends here
/// instead, without exit handlers: the driver's compiler cannot be interrupted, and neither to wait for it nor to free what
/// it uses is an option.
pub fn exit(code: u8) -> ExitCode {
    if must_exit_at_once() {
        // Standard error has no buffer.
        let _ = io::stdout().flush();
        end(code);
    }
    ExitCode::from(code)
}

#[cfg(unix)]
fn end(code: u8) -> ! {
    #[expect(unsafe_code, reason = "the standard library always runs exit handlers")]
    // SAFETY: `_exit` takes any number and touches no memory of the process. It runs no handlers and no destructors: files
    // are written and closed by then, threads end with the process, and the system frees memory and devices.
    unsafe {
        libc::_exit(i32::from(code))
    }
}

#[cfg(not(unix))]
fn end(code: u8) -> ! {
    std::process::exit(i32::from(code))
}
