//! What a program does between the two passes of a separable resampling.

use crate::rows::rows;

/// The properties of what happens between the passes.
#[derive(Debug)]
pub struct BetweenRow {
    /// What happens.
    pub between: Between,
    /// Name in JSON.
    pub name: &'static str,
    /// One line on it.
    pub help: &'static str,
}

rows! {
    /// What a program does to sums along one axis before it sums along the other.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Between {
        /// Nothing.
        Exact => { name: "exact", help: "once" },
        /// Sums along the rows are rounded and clamped, then summed down the columns.
        RowsRounded => { name: "rows-rounded", help: "after each pass, first along the rows" },
        /// The same, columns first.
        ColumnsRounded => { name: "columns-rounded", help: "after each pass, first along the columns" },
        /// Sums along the rows are clamped, then summed down the columns.
        RowsClamped => { name: "rows-clamped", help: "once; clamped after each pass, first along the rows" },
        /// The same, columns first.
        ColumnsClamped => { name: "columns-clamped", help: "once; clamped after each pass, first along the columns" },
    }

    /// What happens between the passes, the plainest first.
    pub static BETWEENS: [BetweenRow { between, .. }];

    impl Display;
}

impl Between {
    /// Whether the pass along the columns is the first.
    pub(super) fn is_columns_first(self) -> bool {
        match self {
            Self::Exact | Self::RowsRounded | Self::RowsClamped => false,
            Self::ColumnsRounded | Self::ColumnsClamped => true,
        }
    }
}

/// Two passes over numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passes {
    /// What happens between them.
    pub(super) between: Between,
    /// One number as a value.
    pub(super) step: f64,
}

impl Passes {
    /// Nothing between.
    pub(super) const EXACT: Self = Self { between: Between::Exact, step: 0.0 };

    /// What becomes of a sum of the first pass.
    pub(super) fn after_first(self, value: f64) -> f64 {
        match self.between {
            Between::Exact => value,
            Between::RowsRounded | Between::ColumnsRounded => nearest(value, self.step),
            Between::RowsClamped | Between::ColumnsClamped => value.clamp(0.0, 1.0),
        }
    }
}

/// The nearest number, as a value of 0 … 1.
pub(super) fn nearest(value: f64, step: f64) -> f64 {
    ((value / step + 0.5).floor() * step).clamp(0.0, 1.0)
}
