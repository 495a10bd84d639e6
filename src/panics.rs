//! Panics as values: [`caught`] runs work and returns a panic's message instead of unwinding further.

use std::any::Any;
use std::backtrace::Backtrace;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether uncaught panics are logged as one line.
static IS_ONE_LINE: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Number of active calls of [`caught`] on this thread.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    /// Source location of the last panic inside a call of [`caught`].
    static LOCATION: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Message and source location of a panic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Panicked {
    message: String,
    /// `src/file.rs:12`; `None` for a panic that began on another thread, as in a parallel loop.
    location: Option<String>,
}

impl fmt::Display for Panicked {
    /// The message in one line, then its source location in parentheses.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = self.message.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
        write!(f, "{}", words.collect::<Vec<_>>().join(" "))?;
        self.location.as_ref().map_or(Ok(()), |location| write!(f, " ({location})"))
    }
}

/// Runs `work` and returns its result, or the panic that ended it. A panic of `work` on this thread is not printed; panics
/// of other threads are printed as usual. State that `work` was changing stays as the panic left it: the caller resets it.
///
/// # Errors
/// [`Panicked`] for a panic of `work`.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    install_hook();
    DEPTH.set(DEPTH.get() + 1);
    let result = catch_unwind(AssertUnwindSafe(work));
    DEPTH.set(DEPTH.get() - 1);
    let location = LOCATION.take();
    result.map_err(|payload| Panicked { message: message(&*payload), location })
}

/// Installs a panic hook that logs uncaught panics as one line instead of the standard library's several. With
/// `RUST_BACKTRACE` set, the standard output is kept.
#[cfg(feature = "window")]
pub(crate) fn report_in_one_line() {
    install_hook();
    let wants_trace = std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0");
    IS_ONE_LINE.store(!wants_trace, Ordering::Relaxed);
}

fn install_hook() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if DEPTH.try_with(Cell::get).is_ok_and(|depth| depth > 0) {
                log::debug!("{info}\n{}", Backtrace::capture());
                let place = location(info);
                // Thread-local storage is gone only at the end of the thread.
                let _ = LOCATION.try_with(|kept| *kept.borrow_mut() = place);
            } else if IS_ONE_LINE.load(Ordering::Relaxed) {
                let panicked = Panicked { message: message(info.payload()), location: location(info) };
                let thread = std::thread::current();
                log::error!("thread '{}' panicked: {panicked}", thread.name().unwrap_or("unnamed"));
            } else {
                usual(info);
            }
        }));
    });
}

fn location(info: &PanicHookInfo<'_>) -> Option<String> {
    info.location().map(|location| format!("{}:{}", location.file(), location.line()))
}

/// Text of a panic's payload; `no message` for a payload that is not text.
fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caught_panic_has_message_and_location_in_one_line() {
        let panicked = caught(|| -> () { panic!("index {}\n\tout of\u{7} bounds", 7) }).expect_err("it panics");
        let line = line!() - 1;
        assert_eq!(panicked.to_string(), format!("index 7 out of bounds (src/panics.rs:{line})"));
        assert_eq!(caught(|| 5), Ok(5));
    }

    #[test]
    fn nested_guards_catch_their_own_panics() {
        let outer = caught(|| -> () {
            let inner = caught(|| -> () { panic!("inner") }).expect_err("it panics");
            assert!(inner.to_string().starts_with("inner (src/panics.rs:"));
            panic!("outer");
        });
        let outer = outer.expect_err("it panics");
        assert!(outer.to_string().starts_with("outer (src/panics.rs:"), "{outer}");
    }

    #[test]
    fn panic_in_a_parallel_loop_is_caught_without_a_location() {
        use rayon::prelude::*;
        // The location of this panic is not that of the parallel loop.
        caught(|| -> () { panic!("before") }).expect_err("it panics");
        let panicked =
            caught(|| (0..64).into_par_iter().for_each(|n| assert!(n != 40, "at {n}"))).expect_err("it panics");
        assert_eq!(panicked.to_string(), "at 40");
    }
}
