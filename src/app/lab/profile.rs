//! The line profile under the panels: the curves of all panels along the line in one plot, with a head as a drawer's.

use egui::{Align, Frame, Layout, Panel, Rect, Ui, UiBuilder};

use super::chart_legend::{self, LegendInput};
use super::chart_view::{ChartInput, ChartView, EntryStyle};
use super::drawer_frame::{MARGIN, ending};
use super::task_view::message;
use super::tool::tab;
use crate::app::commands::{Command, InspectCommand};
use crate::app::inspect::profile::Profile;
use crate::app::session::Session;
use crate::app::session::unit::Unit;
use crate::app::widgets::line_text::LineText;
use crate::app::widgets::theme::{CONTROL_HEIGHT, Palette, PanelStyle, SPACE};
use crate::plots::Chart;
use crate::text::short;

/// Height of the whole, in points.
const HEIGHT: f32 = 216.0;
/// Width from which on there is a legend, in points.
const LEAST_WITH_LEGEND: f32 = 480.0;
/// What to do where there is no line.
const HINT: &str = "Drag a line over a picture; with Shift it stays level or upright, through samples";

/// The plot as it was drawn last.
#[derive(Debug, Default)]
pub(super) struct ProfileView {
    view: ChartView,
}

impl ProfileView {
    /// Draws the plot. Returns the commands of its buttons.
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        session: &mut Session,
        profile: &mut Profile,
        unit: Unit,
    ) -> Vec<Command> {
        let frame = Frame::new().inner_margin(MARGIN);
        let panel = Panel::bottom("profile").exact_size(HEIGHT).show_separator_line(true).frame(frame);
        let shown = panel.show(ui, |ui| {
            let asked = head(ui, session, profile);
            if profile.is_empty() {
                ui.add_space(2.0 * SPACE);
                message(ui, HINT);
                self.view.reset();
            } else {
                self.plot(ui, session, (profile, unit));
            }
            asked
        });
        shown.inner
    }

    /// Draws the chart and its legend.
    fn plot(&mut self, ui: &mut Ui, session: &Session, (profile, unit): (&Profile, Unit)) {
        let area = ui.available_rect_before_wrap();
        let chart = chart(session, profile, unit, area.width());
        let entries = styles(ui, session, (profile, &chart));
        let has_legend = area.width() >= LEAST_WITH_LEGEND;
        let legend = if has_legend { chart_legend::width(ui, &chart, &entries, &[]) } else { 0.0 };
        let length = short(profile.length(), 4);
        let summary = format!("Line profile: {} curves over {length} samples", profile.names(session).count());
        let input = ChartInput {
            chart: &chart,
            entries: &entries,
            marks: &[],
            summary: &summary,
            can_move: true,
            names_y: true,
        };
        let part = |rect: Rect| UiBuilder::new().max_rect(rect);
        let mut place = ui.new_child(part(area.with_max_x(area.right() - legend)));
        let pointed = self.view.show(&mut place, input).pointed.map(|[x, _]| x);
        if has_legend {
            let mut ui = ui.new_child(part(area.with_min_x(area.right() - legend + 2.0 * SPACE)));
            let input = LegendInput { chart: &chart, entries: &entries, pointed, marks: None, notes: &[] };
            chart_legend::show(&mut ui, &input);
        }
        ui.allocate_rect(area, egui::Sense::hover());
    }
}

/// The curves as a chart in `unit`, with dots if a plot of `width` points has room for them.
pub(super) fn chart(session: &Session, profile: &Profile, unit: Unit, width: f32) -> Chart {
    profile.chart(session, unit.one(session.page().maxval()), width)
}

/// The styles of the entries of `chart`: those of the panels, then that of the samples.
fn styles(ui: &Ui, session: &Session, (profile, chart): (&Profile, &Chart)) -> Vec<EntryStyle> {
    let palette = Palette::of_ui(ui);
    let panels: Vec<PanelStyle> = profile.names(session).map(|name| palette.panel(name.index)).collect();
    let of_samples = PanelStyle { color: palette.text, ..palette.panel(0) };
    let style = |(index, label): (usize, String)| EntryStyle {
        label,
        style: panels.get(index).copied().unwrap_or(of_samples),
        is_panel: index < panels.len(),
    };
    chart.entries.iter().map(|entry| entry.label.clone()).enumerate().map(style).collect()
}

/// Draws the title, the choice of a channel of a colour picture, and the buttons of a drawer.
fn head(ui: &mut Ui, session: &Session, profile: &mut Profile) -> Vec<Command> {
    let mut asked = Vec::new();
    ui.horizontal(|ui| {
        ui.set_min_height(CONTROL_HEIGHT);
        ui.spacing_mut().item_spacing.x = SPACE;
        ui.add_space(2.0 * SPACE);
        LineText::medium("Profile").label(ui, Palette::of_ui(ui).text);
        ui.add_space(2.0 * SPACE);
        if session.page().channels().opaque().count() > 1 {
            let choices = [("Mean", None), ("R", Some(0)), ("G", Some(1)), ("B", Some(2))];
            for (text, channel) in choices {
                let name =
                    if channel.is_some() { format!("Profile of {text}") } else { "Profile of the mean".to_owned() };
                if tab(ui, text, &name, profile.channel == channel).clicked() {
                    profile.channel = channel;
                }
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            // Where a drawer is open too, the command saves its plot.
            let can_save = session.inspect.state.drawer.is_none() && !profile.is_empty();
            asked.extend(ending(ui, (Command::Inspect(InspectCommand::Profile), "Profile"), can_save));
        });
    });
    asked
}
