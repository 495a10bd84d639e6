//! What fixed-point arithmetic keeps of an axis. Each part is made when it is first used.

use std::sync::OnceLock;

use super::super::super::instructions::Instructions;
use super::columns::FixedColumns;
use super::reduced::{self, ReducedColumns};
use super::regular::RegularColumns;
use super::weights::FixedWeights;
use crate::sampling::{Axis, AxisWeights};

/// Weights of an axis, and the passes along it into the image's channels and into one more; `None` where they are not served.
#[derive(Debug, Default)]
pub(in crate::backend::cpu::aligned) struct FixedAxis {
    columns: [OnceLock<Option<FixedColumns>>; 2],
    reduced_columns: [OnceLock<Option<ReducedColumns>>; 2],
    regular_columns: [OnceLock<Option<RegularColumns>>; 2],
    rows: OnceLock<Option<FixedWeights>>,
}

/// The columns of an axis: weights, address mode, channels of the image, and whether the output has an opaque one more.
#[derive(Clone, Copy)]
pub(in crate::backend::cpu::aligned) struct ColumnsOf<'a> {
    pub(in crate::backend::cpu::aligned) weights: &'a AxisWeights,
    pub(in crate::backend::cpu::aligned) axis: Axis,
    pub(in crate::backend::cpu::aligned) channels: usize,
    pub(in crate::backend::cpu::aligned) adds_opacity: bool,
}

impl ColumnsOf<'_> {
    fn channels(&self) -> [usize; 2] {
        [self.channels, self.channels + usize::from(self.adds_opacity)]
    }
}

impl FixedAxis {
    /// The pass along rows by a kernel that is not stretched.
    pub(super) fn columns(&self, of: ColumnsOf<'_>, instructions: Instructions) -> Option<&FixedColumns> {
        let make = || FixedColumns::new(of.weights, of.axis, of.channels(), instructions);
        self.columns[usize::from(of.adds_opacity)].get_or_init(make).as_ref()
    }

    /// The pass along rows by a stretched kernel.
    pub(super) fn reduced_columns(&self, of: ColumnsOf<'_>, instructions: Instructions) -> Option<&ReducedColumns> {
        let make = || ReducedColumns::new(of.weights, of.axis, of.channels(), instructions);
        self.reduced_columns[usize::from(of.adds_opacity)].get_or_init(make).as_ref()
    }

    /// The columns of a view whose pixels all have the same weights.
    pub(super) fn regular_columns(&self, of: ColumnsOf<'_>, instructions: Instructions) -> Option<&RegularColumns> {
        let make = || RegularColumns::new(of.weights, of.axis, of.channels(), instructions);
        self.regular_columns[usize::from(of.adds_opacity)].get_or_init(make).as_ref()
    }

    /// The weights of rows, which are those of a stretched kernel or not.
    pub(super) fn rows(&self, weights: &AxisWeights, is_stretched: bool) -> Option<&FixedWeights> {
        let make = || if is_stretched { reduced::row_weights(weights) } else { FixedWeights::of_rows(weights) };
        self.rows.get_or_init(make).as_ref()
    }

    /// Bytes of all parts.
    pub(in crate::backend::cpu::aligned) fn bytes(&self) -> usize {
        let columns = self.columns.iter().filter_map(|known| known.get()?.as_ref()).map(FixedColumns::bytes);
        let reduced = self.reduced_columns.iter().filter_map(|known| known.get()?.as_ref()).map(ReducedColumns::bytes);
        let regular = self.regular_columns.iter().filter_map(|known| known.get()?.as_ref()).map(RegularColumns::bytes);
        let rows = self.rows.get().and_then(Option::as_ref).map_or(0, FixedWeights::bytes);
        columns.chain(reduced).chain(regular).sum::<usize>() + rows
    }
}
