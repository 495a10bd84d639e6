//! Signals that end the program.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// SIGHUP, SIGINT and SIGTERM, without those that the parent process ignores: SIGHUP under `nohup`, SIGINT in a shell's
/// background job. Must be called before handlers are installed.
pub(crate) fn ending() -> Vec<i32> {
    [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| !is_ignored(*signal)).collect()
}

/// Whether the current action for `signal` is to ignore it.
fn is_ignored(signal: i32) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    #[expect(unsafe_code, reason = "the action in force has no safe interface")]
    // SAFETY: a null action changes nothing, and `action` outlives the call, which fills it where it succeeds; zeroed
    // memory is a valid `sigaction` too.
    unsafe {
        libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) == 0
            && action.assume_init().sa_sigaction == libc::SIG_IGN
    }
}
