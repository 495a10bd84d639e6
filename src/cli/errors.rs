//! Errors of commands that have no type in the library.

/// A usage error without a type of its own.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Usage(pub(super) String);

/// Termination of the command by a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("interrupted by {}", signal_hook::low_level::signal_name(*.signal).unwrap_or("a signal"))]
pub(super) struct Interrupted {
    /// Number of the signal.
    pub(super) signal: i32,
}

impl Interrupted {
    /// 128 + the signal's number, as in shells: 130 after Ctrl+C.
    pub(super) fn exit_code(self) -> u8 {
        128_u8.saturating_add(u8::try_from(self.signal).unwrap_or(u8::MAX))
    }
}
