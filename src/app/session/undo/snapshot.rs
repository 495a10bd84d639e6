//! Snapshots of all settings, and what differs between two of them.

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
    pub(super) maximized: bool,
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
    of: Owner,
}

/// What has a setting, with the comparison of two values of it.
enum Owner {
    /// Each panel.
    Panel(fn(&Panel, &Panel) -> bool),
    /// The session or the preferences.
    Session(fn(&Snapshot, &Snapshot) -> bool),
}

/// What a step changed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Changed {
    /// Name of the first setting that differs.
    pub(super) what: &'static str,
    /// The panels in which that setting differs; none for a setting of the session.
    pub(super) panels: Vec<PanelId>,
}

const fn of_panel(name: &'static str, differs: fn(&Panel, &Panel) -> bool) -> Setting {
    Setting { name, of: Owner::Panel(differs) }
}

const fn of_session(name: &'static str, differs: fn(&Snapshot, &Snapshot) -> bool) -> Setting {
    Setting { name, of: Owner::Session(differs) }
}

/// All undoable settings. A step is named after the first one that differs.
pub(super) static SETTINGS: [Setting; 40] = [
    of_session("panels", |a, b| !a.panels.iter().map(|panel| panel.id).eq(b.panels.iter().map(|panel| panel.id))),
    of_panel("method", |a, b| a.method() != b.method() || a.sampler.method != b.sampler.method),
    of_panel("sampling path", |a, b| a.sampler.path != b.sampler.path),
    of_panel("address mode", |a, b| a.sampler.address != b.sampler.address),
    of_session("address mode", |a, b| a.address_touched != b.address_touched),
    of_panel("border", |a, b| a.sampler.border != b.sampler.border),
    of_panel("prefilter", |a, b| a.sampler.prefilter != b.sampler.prefilter),
    of_panel("antialias", |a, b| a.sampler.antialias != b.sampler.antialias),
    of_panel("blur", |a, b| a.sampler.blur != b.sampler.blur),
    of_panel("antiringing", |a, b| a.sampler.antiringing != b.sampler.antiringing),
    of_panel("component", |a, b| a.component != b.component),
    of_panel("time", |a, b| a.plane.time != b.plane.time),
    of_panel("plane", |a, b| a.plane != b.plane),
    of_panel("warp", |a, b| a.warp != b.warp),
    of_panel("filters", |a, b| a.filters != b.filters),
    of_panel("filters off", |a, b| a.filters_off != b.filters_off),
    of_panel("display", |a, b| a.display != b.display),
    of_session("layout", |a, b| a.layout != b.layout),
    of_session("link", |a, b| a.link != b.link),
    of_session("kept place", |a, b| a.kept_place != b.kept_place),
    of_session("comparison", |a, b| a.comparison.compare != b.comparison.compare || pair(a) != pair(b)),
    of_session("wipe line", |a, b| a.comparison.line != b.comparison.line),
    of_session("difference", |a, b| a.comparison.difference != b.comparison.difference),
    of_session("flicker rate", |a, b| a.comparison.flips_a_second != b.comparison.flips_a_second),
    of_session("cursor in every panel", |a, b| a.comparison.has_crosshair != b.comparison.has_crosshair),
    of_session("unit", |a, b| a.unit != b.unit),
    of_session("pins", |a, b| a.inspect.pins != b.inspect.pins),
    of_session("line profile", |a, b| a.inspect.line != b.inspect.line),
    of_session("region", |a, b| a.inspect.region != b.inspect.region),
    of_session("histogram", |a, b| {
        (a.inspect.has_histogram, a.inspect.is_log) != (b.inspect.has_histogram, b.inspect.is_log)
    }),
    of_session("focused panel alone", |a, b| a.inspect.is_alone != b.inspect.is_alone),
    of_session("laboratory", |a, b| (a.inspect.drawer, a.inspect.plot) != (b.inspect.drawer, b.inspect.plot)),
    of_session("1-D laboratory", |a, b| a.inspect.one_dimension != b.inspect.one_dimension),
    of_session("footprint", |a, b| a.inspect.footprint != b.inspect.footprint),
    of_session("repeated rotation", |a, b| a.inspect.rotation != b.inspect.rotation),
    of_session("resize pairs", |a, b| a.inspect.pairs != b.inspect.pairs),
    of_session("quality against cost", |a, b| a.inspect.quality != b.inspect.quality),
    of_session("texture unit's error", |a, b| a.inspect.texture_error != b.inspect.texture_error),
    of_session("lens", |a, b| a.inspect.lens != b.inspect.lens),
    of_session("overlay", |a, b| a.inspect != b.inspect),
];

impl Setting {
    /// What differs in this setting between two snapshots; `None` if nothing does.
    fn changed(&self, before: &Snapshot, after: &Snapshot) -> Option<Changed> {
        match self.of {
            Owner::Session(differs) => {
                differs(before, after).then_some(Changed { what: self.name, panels: Vec::new() })
            }
            Owner::Panel(differs) => {
                let pairs = before.panels.iter().zip(&after.panels).filter(|(before, after)| differs(before, after));
                let panels: Vec<PanelId> = pairs.map(|(_, after)| after.id).collect();
                (!panels.is_empty()).then_some(Changed { what: self.name, panels })
            }
        }
    }
}

/// The compared panels; `None` side by side, where a change of the focus is no step.
fn pair(snapshot: &Snapshot) -> Option<(usize, Option<PanelId>)> {
    let Comparison { compare, second, .. } = snapshot.comparison;
    (compare != Compare::SideBySide).then_some((snapshot.focused, second))
}

/// The first setting that differs between two snapshots.
pub(super) fn changed(before: &Snapshot, after: &Snapshot) -> Option<Changed> {
    SETTINGS.iter().find_map(|setting| setting.changed(before, after))
}
