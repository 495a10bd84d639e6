//! Child processes that a test ends by signals.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

/// Starts `command` with the default action for SIGHUP, SIGINT and SIGTERM: a test under `nohup`, or in the background
/// of a shell, would pass on ignored signals.
pub(crate) fn with_default_signals(command: &mut Command) -> &mut Command {
    let set = || {
        for signal in [libc::SIGHUP, libc::SIGINT, libc::SIGTERM] {
            #[expect(unsafe_code, reason = "actions are inherited, and set by the C library alone")]
            // SAFETY: the default action runs no code of the program.
            let before = unsafe { libc::signal(signal, libc::SIG_DFL) };
            if before == libc::SIG_ERR {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(())
    };
    #[expect(unsafe_code, reason = "the closure runs between fork and exec")]
    // SAFETY: it makes system calls and reads `errno`; it allocates nothing and takes no lock.
    unsafe {
        command.pre_exec(set)
    }
}
