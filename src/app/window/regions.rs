//! Regions of the window, between which F6 moves the keyboard's focus.

use egui::{FocusDirection, Id, Rect, Role, Sense, Ui, WidgetInfo, vec2};

use crate::rows::rows;

/// Description of a region.
#[derive(Debug)]
pub(super) struct RegionRow {
    /// The region.
    pub(super) region: Region,
    /// Its name for assistive technology.
    name: &'static str,
    /// Whether its first control takes the focus. Otherwise the region itself takes it.
    has_controls: bool,
}

rows! {
    /// A region of the window.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum Region {
        /// The menu bar.
        MenuBar => { name: "Menu bar", has_controls: true },
        /// The column of lessons.
        Lesson => { name: "Lesson", has_controls: true },
        /// The panels.
        Panels => { name: "Panels", has_controls: true },
        /// The side bar.
        SideBar => { name: "Side bar", has_controls: true },
        /// The drawer of the laboratory.
        Drawer => { name: "Laboratory", has_controls: true },
        /// The status line.
        Status => { name: "Status line", has_controls: false },
    }

    /// The regions, in the order of F6.
    pub(super) static REGIONS: [RegionRow { region, .. }];
}

/// The region that gets the focus next.
#[derive(Debug, Default)]
pub(super) struct Regions {
    /// The region that had the focus last.
    last: Option<Region>,
    wanted: Option<Region>,
}

impl Regions {
    /// Moves the focus to the next visible region (`true`) or the previous one.
    pub(super) fn step(&mut self, forwards: bool, is_visible: impl Fn(Region) -> bool) {
        let count = REGIONS.len();
        let step = if forwards { 1 } else { count - 1 };
        let first = self.last.map_or(0, |region| region as usize + step);
        let mut regions = (0..count).map(|index| REGIONS[(first + index * step) % count].region);
        self.wanted = regions.find(|region| is_visible(*region));
    }

    /// Takes the request to focus the panels.
    pub(super) fn take_panels(&mut self) -> bool {
        let is_wanted = self.wanted.take_if(|region| *region == Region::Panels).is_some();
        if is_wanted {
            self.last = Some(Region::Panels);
        }
        is_wanted
    }

    /// Gives the focus to `region`, whose controls follow, if F6 asks for it. Notes the region that has the focus.
    pub(super) fn enter(&mut self, ui: &mut Ui, region: Region) {
        let (row, id) = (region.row(), Id::unique(("region", region.row().name)));
        let is_wanted = self.wanted.take_if(|wanted| *wanted == region).is_some();
        if is_wanted {
            self.last = Some(region);
            ui.memory_mut(|memory| {
                memory.request_focus(id);
                if row.has_controls {
                    memory.move_focus(FocusDirection::Next);
                }
            });
        }
        if is_wanted || ui.memory(|memory| memory.has_focus(id)) {
            let whole = ui.max_rect();
            let rect = if row.has_controls { Rect::from_min_size(whole.min, vec2(1.0, 1.0)) } else { whole };
            let response = ui.interact(rect, id, Sense::focusable_noninteractive());
            response.widget_info(|| WidgetInfo::labeled(Role::Label, true, row.name));
            if response.has_focus() {
                let ring = egui::Stroke::new(2.0, crate::app::widgets::theme::Palette::of_ui(ui).accent);
                ui.painter().rect_stroke(ui.max_rect(), 2.0, ring, egui::StrokeKind::Inside);
            }
        }
    }
}
