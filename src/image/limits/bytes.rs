//! Integers at positions of a file that may be truncated.

/// Byte order of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Low byte first.
    Little,
    /// High byte first.
    Big,
}

impl Order {
    /// Unsigned integer of `len` ≤ 8 bytes at `at`; `None` if the file ends before its end.
    pub(super) fn number(self, bytes: &[u8], at: u64, len: usize) -> Option<u64> {
        let at = usize::try_from(at).ok()?;
        let field = bytes.get(at..at.checked_add(len)?)?;
        let append = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        Some(match self {
            Self::Little => field.iter().rev().fold(0, append),
            Self::Big => field.iter().fold(0, append),
        })
    }
}
