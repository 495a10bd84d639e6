//! What of looking closely is kept in a session: all but what hands are in the middle of.

use super::{Inspect, Unit};
use crate::image::Region;

/// What is looked at closely, as plain values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kept {
    /// In which numbers values are read.
    pub unit: Unit,
    /// Whether large pixels carry their values.
    pub has_values: bool,
    /// Whether large samples have lines between them.
    pub has_grid: bool,
    /// Whether the outside is tinted and named.
    pub has_ghosts: bool,
    /// Whether pixels beyond black and white are marked.
    pub marks_clipping: bool,
    /// Whether the histogram is shown.
    pub has_histogram: bool,
    /// Whether its counts are logarithmic.
    pub is_log: bool,
    /// Whether a change of the display is for the focused panel alone.
    pub is_alone: bool,
    /// The samples whose statistics are shown; all where there is none.
    pub region: Option<Region>,
    /// The profile's ends, in samples.
    pub line: Option<[[f64; 2]; 2]>,
    /// Places to be kept in sight, in samples; no more than [`Inspect::MOST_PINS`].
    pub pins: Vec<[f64; 2]>,
}

/// A switch by its name in files.
#[derive(Debug)]
pub(in crate::app) struct Switch {
    /// Its name.
    pub(in crate::app) name: &'static str,
    /// Whether it is on.
    pub(in crate::app) get: fn(&Kept) -> bool,
    /// Sets it.
    pub(in crate::app) set: fn(&mut Kept, bool),
}

/// The switches.
pub(in crate::app) static SWITCHES: [Switch; 7] = [
    Switch { name: "values", get: |kept| kept.has_values, set: |kept, on| kept.has_values = on },
    Switch { name: "grid", get: |kept| kept.has_grid, set: |kept, on| kept.has_grid = on },
    Switch { name: "ghosts", get: |kept| kept.has_ghosts, set: |kept, on| kept.has_ghosts = on },
    Switch { name: "clipping", get: |kept| kept.marks_clipping, set: |kept, on| kept.marks_clipping = on },
    Switch { name: "histogram", get: |kept| kept.has_histogram, set: |kept, on| kept.has_histogram = on },
    Switch { name: "logarithmic", get: |kept| kept.is_log, set: |kept, on| kept.is_log = on },
    Switch { name: "focused-alone", get: |kept| kept.is_alone, set: |kept, on| kept.is_alone = on },
];

impl Inspect {
    /// What a session keeps of it.
    pub fn kept(&self) -> Kept {
        Kept {
            unit: self.unit,
            has_values: self.has_values,
            has_grid: self.has_grid,
            has_ghosts: self.has_ghosts,
            marks_clipping: self.marks_clipping,
            has_histogram: self.has_histogram,
            is_log: self.is_log,
            is_alone: self.is_alone,
            region: self.region,
            line: self.line,
            pins: self.pins.clone(),
        }
    }

    /// What was kept, with nothing going on.
    pub fn restored(kept: &Kept) -> Self {
        let Kept { unit, has_values, has_grid, has_ghosts, marks_clipping, has_histogram, is_log, is_alone, .. } =
            *kept;
        Self {
            unit,
            has_values,
            has_grid,
            has_ghosts,
            marks_clipping,
            has_histogram,
            is_log,
            is_alone,
            region: kept.region,
            line: kept.line,
            pins: kept.pins.iter().take(Self::MOST_PINS).copied().collect(),
            ..Self::default()
        }
    }
}
