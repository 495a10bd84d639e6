//! The line profile: the values of every panel along a line, in one plot, with the samples as dots.
//!
//! A curve has the panel's own values: the backend renders one row of pixels along the line.

use egui::{Align, Color32, FontId, Frame, Layout, Margin, Panel, RichText, Role, Sense, Ui, WidgetInfo, vec2};
use egui_plot::{AxisHints, HoverPosition, Line, Plot, Points};

use super::cells::sample_at;
use super::chart::{stroked, width};
use super::patch::{PictureSizes, unmapped, view_showing};
use crate::app::session::unit::Unit;
use crate::app::session::{PanelId, PanelName, Session};
use crate::app::widgets::number::short;
use crate::app::widgets::panel_mark;
use crate::app::widgets::theme::{Palette, SPACE};
use crate::backend::{self, Backend, PixelFormat, RenderRequest};
use crate::image::{Depth, PageId, Size};
use crate::sampling::SamplingPath;
use crate::view::View;

/// Height of the plot, in points.
const HEIGHT: f32 = 208.0;
/// Size of the names of curves, and the room of what stands beside each of them and beside all, in points.
const NAME_SIZE: f32 = 12.0;
const BESIDE_NAME: f32 = 64.0;
const BESIDE_NAMES: f32 = 150.0;
/// Distances of two numbers of an axis between which egui fades them, in points.
const NUMBERS_FADE: egui::Rangef = egui::Rangef { min: 8.0, max: 20.0 };
/// Radius of a sample's dot, in points.
const DOT_RADIUS: f32 = 3.0;
/// Number of pixels along a line, unless the panel's scale determines it.
const STEPS: u32 = 1024;
/// Maximum number of pixels along a line.
const MAX_STEPS: f64 = 4096.0;
/// Distance of a sample from a line below which it is on the line, in samples.
const ON_LINE: f64 = 0.005;

/// Values of one panel along the line.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Curve {
    /// The panel. It may have been closed since.
    pub(super) panel: PanelId,
    /// Distance from the line's start, in samples, and value, 1 is maxval. Colours are averaged.
    pub(super) points: Vec<[f64; 2]>,
}

/// The curves of a line, with the requests that they are of.
#[derive(Default)]
pub(in crate::app) struct Profile {
    made_for: Vec<(PanelId, PageId, RenderRequest)>,
    /// A curve for each visible panel that could be rendered.
    pub(super) curves: Vec<Curve>,
    /// The samples along the line, from the focused panel's image.
    pub(super) dots: Dots,
}

/// The samples nearest to a line, one per step along its longer axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Dots {
    /// Distance from the line's start, in samples, and value, 1 is maxval. Colours are averaged.
    pub(super) points: Vec<[f64; 2]>,
    /// Greatest distance of a sample from the line along the shorter axis, in samples: 0 for a line through samples. The
    /// values of other samples are not those of the curves.
    pub(super) off_line: f64,
}

impl Dots {
    /// What the plot calls them.
    fn title(&self) -> String {
        if self.off_line < ON_LINE {
            "Samples".to_owned()
        } else {
            format!("Samples, up to {} beside the line", short(self.off_line, 2))
        }
    }

    /// Whether a plot of `width` points has room for them.
    fn fit(&self, width: f32) -> bool {
        !self.points.is_empty() && self.points.len() < width as usize / 4
    }
}

impl Profile {
    /// Invalidates the curves.
    pub(super) fn forget(&mut self) {
        self.made_for.clear();
    }

    /// Updates the curves if the line or a panel changed. Returns `true` if they were updated.
    pub(super) fn update(&mut self, session: &Session, backend: &mut dyn Backend) -> bool {
        let line = session.inspect.state.line;
        let request = |&index: &usize| {
            let id = session.panels()[index].id();
            Some((id, session.page_of(index).id(), along(session, index, line?)?))
        };
        let asked: Vec<_> = session.visible().iter().filter_map(request).collect();
        if asked == self.made_for {
            return false;
        }
        let curve = |(panel, _, request): &(PanelId, PageId, RenderRequest)| {
            let format = PixelFormat::file(Depth::Float);
            let row = backend::render(backend, session.image_of(session.index_of(*panel)?), request, format).ok()?;
            let colours = row.channels().opaque().count();
            let steps = request.view.image_from_output(request.size, request.size).steps();
            let step = steps[0][0].hypot(steps[1][0]);
            let value = |column: u32| {
                let sum: f64 = (0..colours).map(|channel| f64::from(row.number(column, 0, channel))).sum();
                [f64::from(column) * step, sum / colours as f64]
            };
            Some(Curve { panel: *panel, points: (0..request.size.width()).map(value).collect() })
        };
        self.curves = asked.iter().filter_map(curve).collect();
        // The samples of a warped picture are not along the line.
        let is_plain = session.panels()[session.focused()].warp.is_none();
        self.dots = line.filter(|_| is_plain).map(|line| dots(session, line)).unwrap_or_default();
        self.made_for = asked;
        true
    }

    /// The curves of open panels, each with the name of its panel.
    fn named<'a>(&'a self, session: &'a Session) -> impl Iterator<Item = (&'a Curve, PanelName)> {
        self.curves.iter().filter_map(|curve| Some((curve, session.panel_name(session.index_of(curve.panel)?))))
    }
}

/// The request for one row of pixels along `line`, rotated into its direction.
fn along(session: &Session, index: usize, [start, end]: [[f64; 2]; 2]) -> Option<RenderRequest> {
    let request = unmapped(&session.request(index));
    let (across, down) = (end[0] - start[0], end[1] - start[1]);
    let length = across.hypot(down);
    // A kernel that is widened for the panel's scales has that width at these scales only.
    let [x, y] = if request.is_stretched() { request.view.scales() } else { [length / f64::from(STEPS - 1); 2] };
    let angle = (down / y).atan2(across / x);
    let step = (x * angle.cos()).hypot(y * angle.sin());
    let count = ((length / step).round() + 1.0).min(MAX_STEPS);
    if count.is_nan() || count < 2.0 {
        return None;
    }
    let size = Size::new(count as u32, 1).ok()?;
    let view = View::default().scaled([x, y]).and_then(|view| view.rotated(angle.to_degrees())).ok()?;
    let sizes = PictureSizes { output: size, page: session.page_of(index).size() };
    let view = view_showing(&view, sizes, [0.0; 2], start)?;
    let mut sampler = request.sampler;
    if sampler.path == SamplingPath::Tiled {
        // The tiled path does not serve rotated views; the exact path has the same arithmetic.
        sampler.path = SamplingPath::Auto;
    }
    Some(RenderRequest { size, view, sampler, ..request })
}

/// The samples nearest to the line; none if it is longer than [`MAX_STEPS`].
fn dots(session: &Session, [start, end]: [[f64; 2]; 2]) -> Dots {
    let (page, sampler) = (session.page(), session.panels()[session.focused()].sampler);
    let towards = [end[0] - start[0], end[1] - start[1]];
    let length = towards[0].hypot(towards[1]);
    let axis = usize::from(towards[1].abs() > towards[0].abs());
    let (low, high) = (start[axis].min(end[axis]), start[axis].max(end[axis]));
    if length == 0.0 || high - low > MAX_STEPS {
        return Dots::default();
    }
    let mut off_line = 0.0_f64;
    let mut dot = |step: i64| {
        let share = (step as f64 - start[axis]) / towards[axis];
        let mut index = [step; 2];
        let across = start[1 - axis] + share * towards[1 - axis];
        index[1 - axis] = (across + 0.5).floor() as i64;
        off_line = off_line.max((across - index[1 - axis] as f64).abs());
        let values = sample_at(&page, &sampler, index);
        let colours = page.channels().opaque().count();
        let sum: f64 = values.iter().take(colours).map(|value| f64::from(*value)).sum();
        [share * length, sum / colours as f64]
    };
    let (low, high) = (low.ceil() as i64, high.floor() as i64);
    let mut points: Vec<[f64; 2]> = (low..=high).map(&mut dot).collect();
    points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    Dots { points, off_line }
}

/// Options of the plot.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct PlotOptions {
    /// Unit of the values.
    pub(in crate::app) unit: Unit,
    /// Whether the line is being dragged. The plot then shows all of it.
    pub(in crate::app) is_dragged: bool,
}

/// Draws the plot below the panels.
pub(in crate::app) fn show(ui: &mut Ui, session: &mut Session, profile: &Profile, options: PlotOptions) {
    let palette = Palette::of_ui(ui);
    Panel::bottom("profile")
        .exact_size(HEIGHT)
        .show_separator_line(false)
        .frame(Frame::new().fill(palette.surface).inner_margin(Margin::symmetric(12, 6)))
        .show(ui, |ui| {
            ui.horizontal(|ui| title(ui, session, profile));
            show_plot(ui, session, profile, options);
        });
}

fn title(ui: &mut Ui, session: &mut Session, profile: &Profile) {
    let palette = Palette::of_ui(ui);
    ui.label(RichText::new("Profile").color(palette.text));
    if profile.curves.is_empty() {
        let hint = "Drag a line over a picture; with Shift it stays level or upright, through samples";
        ui.label(RichText::new(hint).color(palette.weak));
    }
    let names: Vec<PanelName> = profile.named(session).map(|(_, name)| name).collect();
    let form = form_that_fits(ui, &names);
    for name in names {
        ui.spacing_mut().item_spacing.x = SPACE;
        ui.add_space(2.0 * SPACE);
        panel_mark::dot(ui, name.index);
        let (rect, _) = ui.allocate_exact_size(vec2(24.0, 12.0), Sense::hover());
        ui.painter().extend(stroked(&[rect.left_center(), rect.right_center()], palette.panel(name.index)));
        ui.label(RichText::new(&name.forms()[form]).size(NAME_SIZE).color(palette.text)).on_hover_text(name.numbered());
    }
    if profile.dots.fit(ui.max_rect().width()) {
        let (rect, _) = ui.allocate_exact_size(vec2(12.0, 12.0), Sense::hover());
        ui.painter().circle_filled(rect.center(), DOT_RADIUS, palette.text);
        let tip = "The samples nearest to the line, from the focused panel's image. The curves are on the line: a curve does \
                   not pass through the dot of a sample beside the line";
        ui.label(RichText::new(profile.dots.title()).size(12.0).color(palette.text)).on_hover_text(tip);
    }
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        if ui.button("Close").on_hover_text("Closes the profile and takes its line away  (L or Esc)").clicked() {
            session.inspect.leave();
        }
    });
}

/// Index of the longest form of names that fit into the rest of the line, beside the other things there; else of the shortest.
fn form_that_fits(ui: &Ui, names: &[PanelName]) -> usize {
    let width = |text: String| {
        ui.painter().layout_no_wrap(text, FontId::proportional(NAME_SIZE), Color32::PLACEHOLDER).size().x
    };
    let room = ui.available_width() - BESIDE_NAMES - names.len() as f32 * BESIDE_NAME;
    let fits = |form: &usize| names.iter().map(|name| width(name.forms()[*form].clone())).sum::<f32>() <= room;
    (0..2).find(fits).unwrap_or(2)
}

fn show_plot(ui: &mut Ui, session: &Session, profile: &Profile, options: PlotOptions) {
    let palette = Palette::of_ui(ui);
    let one = options.unit.one(session.page().maxval());
    let scaled = |points: &[[f64; 2]]| points.iter().map(|[x, y]| [*x, y * one]).collect::<Vec<_>>();
    let length = profile.curves.iter().flat_map(|curve| &curve.points).map(|[x, _]| *x).fold(0.0, f64::max);
    let has_dots = profile.dots.fit(ui.available_width());
    ui.visuals_mut().override_text_color = Some(palette.weak);
    let axis = |hints: AxisHints<'static>| hints.label_spacing(NUMBERS_FADE).formatter(|mark, _| short(mark.value, 5));
    let mut plot = Plot::new("profile curves")
        .set_margin_fraction(vec2(0.0, 0.06))
        .allow_boxed_zoom(false)
        .show_y(false)
        .grid_color(palette.weak.gamma_multiply(0.5))
        .custom_x_axes(vec![axis(AxisHints::new_x())])
        .custom_y_axes(vec![axis(AxisHints::new_y())])
        .label_formatter(|place| Some(values_at(session, profile, options.unit, across(place))));
    if options.is_dragged {
        // A changed line resets zoom and pan.
        plot = plot.reset();
    }
    let shown = plot.show(ui, |plot| {
        for (curve, name) in profile.named(session) {
            let style = palette.panel(name.index);
            let line = Line::new(name.numbered(), scaled(&curve.points));
            plot.line(line.color(style.color).width(width(style.line)).style(style.line));
        }
        if has_dots {
            let dots = Points::new(profile.dots.title(), scaled(&profile.dots.points));
            plot.points(dots.radius(DOT_RADIUS).color(palette.text));
        }
    });
    let summary = format!("Line profile: {} curves over {} samples", profile.curves.len(), short(length, 4));
    shown.response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &summary));
}

/// Horizontal plot position of the pointer.
pub(in crate::app) fn across(place: &HoverPosition<'_>) -> f64 {
    match place {
        HoverPosition::NearDataPoint { position, .. } | HoverPosition::Elsewhere { position } => position.x,
    }
}

/// The value of each curve at `distance` from the line's start, one per line.
fn values_at(session: &Session, profile: &Profile, unit: Unit, distance: f64) -> String {
    let maxval = session.page().maxval();
    let value = |(curve, name): (&Curve, PanelName)| {
        let nearest = curve.points.iter().min_by(|a, b| (a[0] - distance).abs().total_cmp(&(b[0] - distance).abs()))?;
        Some(format!("{}: {}", name.numbered(), unit.text(nearest[1] as f32, maxval)))
    };
    let mut lines = vec![format!("{} samples from the start", short(distance, 4))];
    lines.extend(profile.named(session).filter_map(value));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::backend::CpuBackend;
    use crate::image::{Channels, Image, Page, Raster, Samples};
    use crate::test_support::size;

    fn ramp() -> Session {
        let image_size = size(32, 32);
        let values = (0..image_size.area()).map(|place| (place % 32) as f32 + 100.0 * (place / 32) as f32).collect();
        let raster = Raster::new(image_size, Channels::Grey, Samples::F32(values)).expect("a raster");
        let mut session = Session::new(Arc::new(Image::new("ramp", vec![Page::new(raster)]).expect("an image")));
        session.resize(size(200, 150));
        session
    }

    #[test]
    fn curve_has_the_values_of_the_panels_method_along_the_line() {
        let mut session = ramp();
        let (start, end) = ([4.0, 6.0], [20.0, 18.0]);
        session.inspect.state.line = Some([start, end]);
        let mut profile = Profile::default();
        assert!(profile.update(&session, &mut CpuBackend::new()));
        assert_eq!(profile.curves.len(), 4);
        let linear =
            profile.curves.iter().find(|curve| curve.panel == session.panels()[1].id()).expect("the linear panel");
        for [distance, value] in &linear.points {
            let share = distance / 20.0;
            let expected = (4.0 + 16.0 * share) + 100.0 * (6.0 + 12.0 * share);
            assert!((value - expected).abs() < 1e-2, "{value} is not {expected} at {distance}");
        }
        let last = linear.points.last().expect("a point");
        assert!((last[0] - 20.0).abs() < 1e-9);
        assert!(!profile.update(&session, &mut CpuBackend::new()));
    }

    #[test]
    fn dots_of_a_horizontal_line_are_its_samples() {
        let mut session = ramp();
        session.inspect.state.line = Some([[9.5, 3.0], [5.0, 3.0]]);
        let found = dots(&session, [[9.5, 3.0], [5.0, 3.0]]);
        let expected = [[0.5, 309.0], [1.5, 308.0], [2.5, 307.0], [3.5, 306.0], [4.5, 305.0]];
        assert_eq!((found.points, found.off_line), (expected.to_vec(), 0.0));
        assert_eq!(dots(&session, [[1.0, 1.0]; 2]), Dots::default());
    }

    #[test]
    fn dots_of_an_oblique_line_are_up_to_half_a_sample_beside_it() {
        let session = ramp();
        // Rows 3, 3.25, 3.5 … 4 at the columns 2 … 6.
        let found = dots(&session, [[2.0, 3.0], [6.0, 4.0]]);
        let values: Vec<f64> = found.points.iter().map(|point| point[1]).collect();
        assert_eq!((values, found.off_line), (vec![302.0, 303.0, 404.0, 405.0, 406.0], 0.5));
        assert_eq!(found.title(), "Samples, up to 0.5 beside the line");
    }

    #[test]
    fn line_of_zero_length_has_no_curve() {
        let mut session = ramp();
        session.inspect.state.line = Some([[3.0, 3.0]; 2]);
        let mut profile = Profile::default();
        profile.update(&session, &mut CpuBackend::new());
        assert!(profile.curves.is_empty());
    }
}
