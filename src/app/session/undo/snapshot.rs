//! Snapshots of all settings, and the name of what differs between two of them.

use crate::app::session::compare::{Compare, Comparison};
use crate::app::session::inspect::InspectState;
use crate::app::session::kept_place::KeptPlace;
use crate::app::session::layout::PanelLayout;
use crate::app::session::link::Link;
use crate::app::session::panels::{Panel, PanelId};
use crate::app::session::unit::Unit;
use crate::image::Size;

/// The undoable state of a session and of the preferences.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Snapshot {
    pub(super) panels: Vec<Panel>,
    /// Page size of each panel; views follow it.
    pub(super) sizes: Vec<Size>,
    /// Picture size in physical pixels; views follow it.
    pub(super) output: Size,
    pub(super) focused: usize,
    pub(super) maximised: bool,
    pub(super) layout: PanelLayout,
    pub(super) link: Link,
    pub(super) kept_place: KeptPlace,
    pub(super) comparison: Comparison,
    pub(super) inspect: InspectState,
    pub(super) address_touched: bool,
    pub(super) unit: Unit,
}

/// One kind of setting.
pub(super) struct Setting {
    /// Name in the undo menu item.
    pub(super) name: &'static str,
    /// Compares two snapshots.
    differs: fn(&Snapshot, &Snapshot) -> bool,
}

const fn setting(name: &'static str, differs: fn(&Snapshot, &Snapshot) -> bool) -> Setting {
    Setting { name, differs }
}

/// All undoable settings. A step is named after the first one that differs.
pub(super) static SETTINGS: [Setting; 26] = [
    setting("panels", |a, b| !a.panels.iter().map(|panel| panel.id).eq(b.panels.iter().map(|panel| panel.id))),
    setting("method", |a, b| differs(a, b, |a, b| a.sampler.method != b.sampler.method)),
    setting("sampling path", |a, b| differs(a, b, |a, b| a.sampler.path != b.sampler.path)),
    setting("address mode", |a, b| {
        differs(a, b, |a, b| a.sampler.address != b.sampler.address) || a.address_touched != b.address_touched
    }),
    setting("border", |a, b| differs(a, b, |a, b| a.sampler.border != b.sampler.border)),
    setting("prefilter", |a, b| differs(a, b, |a, b| a.sampler.prefilter != b.sampler.prefilter)),
    setting("antialias", |a, b| differs(a, b, |a, b| a.sampler.antialias != b.sampler.antialias)),
    setting("blur", |a, b| differs(a, b, |a, b| a.sampler.blur != b.sampler.blur)),
    setting("filters", |a, b| differs(a, b, |a, b| a.filters != b.filters)),
    setting("filters off", |a, b| differs(a, b, |a, b| a.filters_off != b.filters_off)),
    setting("display", |a, b| differs(a, b, |a, b| a.display != b.display)),
    setting("layout", |a, b| a.layout != b.layout),
    setting("link", |a, b| a.link != b.link),
    setting("kept place", |a, b| a.kept_place != b.kept_place),
    setting("comparison", |a, b| a.comparison.compare != b.comparison.compare || pair(a) != pair(b)),
    setting("wipe line", |a, b| a.comparison.line != b.comparison.line),
    setting("difference", |a, b| a.comparison.difference != b.comparison.difference),
    setting("flicker rate", |a, b| a.comparison.flips_a_second != b.comparison.flips_a_second),
    setting("cursor in every panel", |a, b| a.comparison.has_crosshair != b.comparison.has_crosshair),
    setting("unit", |a, b| a.unit != b.unit),
    setting("pins", |a, b| a.inspect.pins != b.inspect.pins),
    setting("line profile", |a, b| a.inspect.line != b.inspect.line),
    setting("region", |a, b| a.inspect.region != b.inspect.region),
    setting("histogram", |a, b| {
        (a.inspect.has_histogram, a.inspect.is_log) != (b.inspect.has_histogram, b.inspect.is_log)
    }),
    setting("focused panel alone", |a, b| a.inspect.is_alone != b.inspect.is_alone),
    setting("overlay", |a, b| a.inspect != b.inspect),
];

/// Whether a panel differs from the panel at the same index.
fn differs(a: &Snapshot, b: &Snapshot, is_other: fn(&Panel, &Panel) -> bool) -> bool {
    a.panels.iter().zip(&b.panels).any(|(a, b)| is_other(a, b))
}

/// The compared panels; `None` side by side, where a change of the focus is no step.
fn pair(snapshot: &Snapshot) -> Option<(usize, Option<PanelId>)> {
    let Comparison { compare, second, .. } = snapshot.comparison;
    (compare != Compare::SideBySide).then_some((snapshot.focused, second))
}

/// Name of the first setting that differs between two snapshots.
pub(super) fn changed(before: &Snapshot, after: &Snapshot) -> Option<&'static str> {
    SETTINGS.iter().find(|setting| (setting.differs)(before, after)).map(|setting| setting.name)
}
