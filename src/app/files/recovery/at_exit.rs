//! Saves the session when a library ends the process: Xlib calls `exit` after a lost connection to the X server. Only handlers
//! registered with `atexit` run after that.

use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, Once, PoisonError, Weak};

use super::writer::Writer;

/// The writers of the open windows.
static OPEN: Mutex<Vec<Weak<Writer>>> = Mutex::new(Vec::new());

/// Saves the session of `writer` if the process exits while the window is open.
pub(super) fn save_at_exit(writer: &Arc<Writer>) {
    static REGISTER: Once = Once::new();
    REGISTER.call_once(|| {
        #[expect(unsafe_code, reason = "the C library's exit handlers have no safe interface")]
        // SAFETY: the handler takes nothing, lives as long as the program, and does not unwind.
        let is_refused = unsafe { libc::atexit(save_all) } != 0;
        if is_refused {
            log::info!("the session is not saved if a library ends the program");
        }
    });
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    open.retain(|writer| writer.strong_count() > 0);
    open.push(Arc::downgrade(writer));
}

extern "C" fn save_all() {
    // A panic must not leave a C callback.
    let _ = catch_unwind(AssertUnwindSafe(|| {
        let open = std::mem::take(&mut *OPEN.lock().unwrap_or_else(PoisonError::into_inner));
        for saved in open.iter().filter_map(Weak::upgrade).map(|writer| writer.flush()) {
            let line = match saved {
                Ok(Some(file)) => format!("the session is saved as {}", file.display()),
                Ok(None) => continue,
                Err(why) => format!("the session is not saved: {why}"),
            };
            // The logger may be gone. Without standard error there is no place left for the message.
            let _ = writeln!(std::io::stderr(), "lerpscope: error: the display ended the window; {line}");
        }
    }));
}
