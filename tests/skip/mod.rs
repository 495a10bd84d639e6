//! Reports of skipped tests.

use std::io::Write as _;
use std::sync::{Mutex, PoisonError};

/// Reports a skipped test, once for each reason, or fails if the environment variable `required_by` is set and not 0.
/// It prints past the test harness, which hides the output of passing tests.
pub(crate) fn skip(required_by: Option<&str>, why: &str) {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
    assert!(!required_by.is_some_and(is_set), "required here: {why}");
    static SAID: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    if !said.iter().any(|other| other == why) {
        said.push(why.to_owned());
        // A closed standard error is ignored.
        let _ = writeln!(std::io::stderr(), "skipped: {why}");
    }
}
