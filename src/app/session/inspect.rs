//! What of looking closely is kept in a session: all but what hands are in the middle of.

use crate::app::inspect::{Inspect, Unit};
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
    /// What was kept, with nothing going on.
    pub fn restored(mut kept: Kept) -> Self {
        kept.pins.truncate(Self::MOST_PINS);
        Self { kept, ..Self::default() }
    }
}
