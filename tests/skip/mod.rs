//! What a test says that does not run.

use std::io::Write as _;
use std::sync::{Mutex, PoisonError};

/// Says why a test is skipped, once for each reason, or fails where `required_by` names a variable of the environment that
/// is set to anything but 0. It is said past the harness, which keeps what a test prints to itself unless the test fails.
pub(crate) fn skip(required_by: Option<&str>, why: &str) {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
    assert!(!required_by.is_some_and(is_set), "required here: {why}");
    static SAID: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    if !said.iter().any(|other| other == why) {
        said.push(why.to_owned());
        // Where nobody hears it there is nobody to tell.
        let _ = writeln!(std::io::stderr(), "skipped: {why}");
    }
}
