//! Side bar: four tabs, each of which has a part of fixed height at its top and sections that fold below it.

mod address_section;
mod component_section;
mod difference_histogram;
mod filter_cards;
mod histogram;
pub(super) mod image_section;
mod inspect_tab;
mod kernel_cells;
mod kernels_section;
mod learn_tab;
mod mask_editor;
mod matrix_editor;
mod panel_tab;
mod pins_section;
mod quality_section;
mod section;
mod slice_section;
mod statistics_section;
mod values_section;
mod view_tab;
mod warp_fields;

use egui::{Button, Frame, Margin, Rangef, RichText, Role, ScrollArea, Stroke, Ui, UiBuilder, WidgetInfo, vec2};

use crate::app::files::{SIDE_TABS, SideBar, SideTab};
use crate::app::inspect::Overlays;
use crate::app::learn::{LearnRequest, ListContext};
use crate::app::session::Session;
use crate::app::session::preferences::Preferences;
use crate::app::widgets::fade::fade;
use crate::app::widgets::fit::text_width;
use crate::app::widgets::tab;
use crate::app::widgets::theme::{Palette, SPACE, text_size};

/// Margin to the left and right of the content, in points.
pub(in crate::app) const MARGIN: i8 = 14;
/// Height of the row of tabs, in points.
const TABS_HEIGHT: f32 = 36.0;
/// Height of a tab, in points.
const TAB_HEIGHT: f32 = 28.0;

/// Width of the scroll bar at rest, in points.
const SCROLL_BAR_WIDTH: f32 = 4.0;

/// What the side bar shows and edits.
pub(in crate::app) struct SideBarContext<'a> {
    /// The session.
    pub(in crate::app) session: &'a mut Session,
    /// The preferences.
    pub(in crate::app) preferences: &'a mut Preferences,
    /// Tab and folded sections.
    pub(in crate::app) side_bar: &'a mut SideBar,
    /// The measurements.
    pub(in crate::app) overlays: &'a mut Overlays,
    /// Whether it scrolls to the pins: one was added.
    pub(in crate::app) scrolls_to_pins: bool,
    /// The lessons.
    pub(in crate::app) lessons: ListContext<'a>,
}

/// Draws the side bar. Returns the commands of its buttons, and what the list of lessons asks for.
pub(in crate::app) fn show(ui: &mut Ui, mut context: SideBarContext<'_>) -> Vec<LearnRequest> {
    tabs(ui, context.side_bar);
    // Content that is too wide is clipped, so that it does not move the panels. The scroll bar is drawn in the margin.
    let mut rect = ui.available_rect_before_wrap();
    rect.max.x += f32::from(MARGIN);
    let mut bar = ui.new_child(UiBuilder::new().max_rect(rect));
    let content = Frame::new().inner_margin(Margin { right: MARGIN, ..Margin::ZERO });
    let tab = context.side_bar.tab;
    let (mut asked, mut lessons) = (Vec::new(), Vec::new());
    let scroll = &mut bar.spacing_mut().scroll;
    (scroll.dormant_handle_opacity, scroll.floating_width) = (0.5, SCROLL_BAR_WIDTH);
    let shown = ScrollArea::vertical().id_salt(tab.row().name).auto_shrink(false).show(&mut bar, |ui| {
        content.show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = SPACE;
            match tab {
                SideTab::View => view_tab::show(ui, &mut context, &mut asked),
                SideTab::Panel => panel_tab::show(ui, &mut context, &mut asked),
                SideTab::Inspect => inspect_tab::show(ui, &mut context, &mut asked),
                SideTab::Learn => lessons = learn_tab::show(ui, &mut context),
            }
        });
    });
    // As wide as the lines above the sections.
    let across = shown.inner_rect.x_range();
    fade(&bar, &shown, Rangef::new(across.min - f32::from(MARGIN), across.max));
    asked.into_iter().map(LearnRequest::Run).chain(lessons).collect()
}

fn tabs(ui: &mut Ui, side_bar: &mut SideBar) {
    let palette = Palette::of_ui(ui);
    let row = ui.available_rect_before_wrap().with_max_y(ui.max_rect().top() + TABS_HEIGHT);
    let across = row.x_range().expand(f32::from(MARGIN));
    // At the height of the line below the hint.
    ui.painter().hline(across, row.bottom() - 0.5, Stroke::new(1.0, palette.line));
    ui.allocate_ui(vec2(row.width(), TABS_HEIGHT), |ui| {
        ui.horizontal_centered(|ui| {
            ui.spacing_mut().item_spacing.x = SPACE;
            ui.spacing_mut().button_padding.x = 0.0;
            // Titles are equally far apart.
            let count = SIDE_TABS.len() as f32;
            let titles = SIDE_TABS.each_ref().map(|tab| text_width(ui, tab.title, text_size::BODY));
            let room = ui.available_width() - (count - 1.0) * SPACE - titles.iter().sum::<f32>();
            for (tab, title) in SIDE_TABS.iter().zip(titles) {
                let size = vec2(title + room / count, TAB_HEIGHT);
                let is_open = tab.tab == side_bar.tab;
                let text = RichText::new(tab.title).color(if is_open { palette.text } else { palette.weak });
                let button = Button::new(text).stroke(Stroke::NONE).frame_when_inactive(false);
                let response = ui.add(button.min_size(size)).on_hover_text(tab.help);
                if is_open {
                    tab::open_line(ui, response.rect.with_max_y(row.bottom()));
                }
                let name = format!("{} tab", tab.title);
                response.widget_info(|| WidgetInfo::selected(Role::Tab, true, is_open, &name));
                if response.clicked() {
                    side_bar.tab = tab.tab;
                }
            }
        });
    });
}

/// Draws controls of the focused panel. Their ids contain the panel's id: after a change of the focus, an edit or a drag does
/// not continue in the other panel.
fn of_focused(ui: &mut Ui, session: &mut Session, contents: impl FnOnce(&mut Ui, &mut Session)) {
    let panel = session.panels()[session.focused()].id();
    ui.push_id(panel, |ui| contents(ui, session));
}

/// A note below controls, or where a list is empty.
fn caption(ui: &mut Ui, text: &str) {
    let weak = Palette::of_ui(ui).weak;
    ui.label(RichText::new(text).size(text_size::VALUE).color(weak));
}
