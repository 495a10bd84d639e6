//! How a run of the program ended.

use std::process::Output;

/// The output of a run that must succeed with an empty standard error.
pub(crate) fn output_of(run: Output, arguments: &[&str]) -> Vec<u8> {
    assert_eq!(String::from_utf8_lossy(&run.stderr), "", "{arguments:?}");
    assert_eq!(run.status.code(), Some(0), "{arguments:?}");
    run.stdout
}

/// The line of a run that must fail with `code`, one line and no output.
pub(crate) fn line_of(run: Output, arguments: &[&str], code: i32) -> String {
    let line = String::from_utf8(run.stderr).expect("UTF-8");
    assert_eq!(run.status.code(), Some(code), "{arguments:?}: {line}");
    assert!(line.starts_with("lerpscope: ") && line.ends_with('\n') && line.lines().count() == 1, "{line}");
    assert!(run.stdout.is_empty(), "{arguments:?}");
    line
}
