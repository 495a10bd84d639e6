//! *Kernel designer*: the focused panel's kernel as a point of the B–C plane, or as a Lanczos of any width.

mod plane;

use egui::{Context, Label, Rect, Response, RichText, Slider, SliderClamping, Ui, UiBuilder, vec2};

use self::plane::{Plane, PlaneInput};
use super::chart_legend;
use super::chart_view::{ChartInput, ChartView, EntryStyle};
use super::tool::{Tool, ToolInput, tab, teach};
use crate::app::commands::Command;
use crate::app::session::{Session, SetMethod as _};
use crate::app::widgets::limits::Limits;
use crate::app::widgets::number::{NumberField, add_number};
use crate::app::widgets::row::number_row;
use crate::app::widgets::theme::{CONTROL_HEIGHT, Palette, PanelStyle, SPACE, text_size};
use crate::backend::{BackendKind, Content, RenderRequest};
use crate::lab::cubics::CubicTraits;
use crate::lab::designer::designed_chart;
use crate::plots::Chart;
use crate::rows::rows;
use crate::sampling::{Method, Sampler};

/// Width of the controls, in points, and the least width of a chart.
const CONTROLS: f32 = 250.0;
const LEAST_CHART: f32 = 220.0;
/// Least width of a plane that leaves room for a chart, in points.
const LEAST_PLANE: f32 = 240.0;
/// Largest width of the plane as a multiple of its height.
const PLANE_SHAPE: f32 = 1.7;
/// Width of the slider of the blur, in points: it shares a row.
const BLUR_WIDTH: f32 = 64.0;
/// Width of a number behind a slider, in points.
const NUMBER_WIDTH: f32 = 44.0;
/// B and C of a cubic.
const CUBICS: Limits = Limits::real(-1.0, 2.0);
/// Radius of a Lanczos kernel, in samples.
const RADII: Limits = Limits::real(1.0, 8.0);
/// The same, of the slider.
const LANCZOS_RADII: std::ops::RangeInclusive<f64> = 1.0..=8.0;
/// Blur.
const BLURS: Limits = Limits::real(RenderRequest::BLURS.0, RenderRequest::BLURS.1);
/// Blur of the slider.
const BLUR: std::ops::RangeInclusive<f64> = 0.5..=2.0;

/// The properties of a family of kernels.
#[derive(Debug)]
struct FamilyRow {
    family: Family,
    title: &'static str,
    help: &'static str,
}

rows! {
    /// Kernels with parameters.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Family {
        /// Mitchell and Netravali's cubics.
        Cubic => {
            title: "Cubic",
            help: "Two numbers make every cubic of 4 samples: B blurs, C sharpens and rings; drag the point and watch the panel",
        },
        /// Lanczos kernels.
        Lanczos => {
            title: "Lanczos",
            help: "A sinc cut off by a wider sinc after a samples: a larger a keeps more detail and rings further",
        },
    }

    static FAMILIES: [FamilyRow { family, .. }];
}

impl Family {
    /// The family of `method`.
    fn of(method: Method) -> Option<Self> {
        let is_of = |family: &Family| family.start().form().numbers_of(method).is_some();
        FAMILIES.iter().map(|row| row.family).find(is_of)
    }

    /// The kernel that a panel of another family gets.
    fn start(self) -> Method {
        match self {
            Self::Cubic => Method::CATMULL_ROM,
            Self::Lanczos => Method::LANCZOS3,
        }
    }
}

/// The designer.
#[derive(Debug, Default)]
pub(super) struct DesignerTool {
    plane: Plane,
    view: ChartView,
}

impl Tool for DesignerTool {
    fn tabs(&mut self, ui: &mut Ui, input: &mut ToolInput<'_>) {
        let method = sampler(input.session).method;
        for family in FAMILIES.iter().map(|row| row.family) {
            let row = family.row();
            let is_open = Family::of(method) == Some(family);
            let response = tab(ui, row.title, &format!("{} kernels", row.title), is_open);
            let is_clicked = response.clicked();
            teach(response, row.title, row.help);
            if is_clicked && !is_open {
                design(input.session, |sampler| sampler.set_method(family.start()));
            }
        }
        let palette = Palette::of_ui(ui);
        let text = RichText::new(format!("--method {method}")).monospace().size(text_size::UNIT).color(palette.weak);
        ui.add(Label::new(text).truncate());
    }

    fn needs_image(&self) -> bool {
        false
    }

    fn contents(&mut self, ui: &mut Ui, input: &mut ToolInput<'_>) -> Vec<Command> {
        let area = ui.available_rect_before_wrap();
        let family = Family::of(sampler(input.session).method);
        let is_plane = family != Some(Family::Lanczos);
        let with_chart = area.width() - CONTROLS - 5.0 * SPACE - LEAST_CHART;
        let most = if with_chart >= LEAST_PLANE { with_chart } else { area.width() - CONTROLS };
        let plane_width = if is_plane { (PLANE_SHAPE * area.height()).min(most).max(0.0) } else { 0.0 };
        if is_plane {
            let place = area.with_max_x(area.left() + plane_width);
            self.show_plane(ui, place, input.session);
        }
        let controls =
            Rect::from_min_size(area.left_top() + vec2(plane_width + 3.0 * SPACE, 0.0), vec2(CONTROLS, area.height()));
        let mut place = ui.new_child(UiBuilder::new().max_rect(controls));
        place.spacing_mut().item_spacing.y = 0.5 * SPACE;
        controls_of(&mut place, input.session, family);
        let chart = area.with_min_x(controls.right() + 2.0 * SPACE);
        if chart.width() >= LEAST_CHART {
            self.show_chart(&mut ui.new_child(UiBuilder::new().max_rect(chart)), input.session);
        }
        ui.allocate_rect(area, egui::Sense::hover());
        Vec::new()
    }

    fn file_stem(&self, _: &Session) -> String {
        "designed-kernel".to_owned()
    }

    fn chart(&mut self, _: &Context, session: &Session, _: BackendKind) -> Result<Chart, String> {
        Ok(chart(session))
    }

    fn is_idle(&self) -> bool {
        true
    }

    fn rest(&mut self) {
        self.view.reset();
    }
}

impl DesignerTool {
    fn show_plane(&mut self, ui: &mut Ui, place: Rect, session: &mut Session) {
        let colour = Palette::of_ui(ui).panel(session.focused()).color;
        let at = match Method::CATMULL_ROM.form().numbers_of(sampler(session).method).as_deref() {
            Some(&[b, c]) => Some([b, c]),
            _ => None,
        };
        if let Some([b, c]) = self.plane.show(ui, place, PlaneInput { at, colour })
            && let Ok(method) = Method::cubic(b, c)
        {
            design(session, |sampler| sampler.set_method(method));
        }
    }

    fn show_chart(&mut self, ui: &mut Ui, session: &Session) {
        let chart = chart(session);
        let palette = Palette::of_ui(ui);
        let designed = palette.panel(session.focused());
        let style = |(index, entry): (usize, &crate::plots::ChartEntry)| EntryStyle {
            label: entry.label.clone(),
            style: if index == 0 { designed } else { PanelStyle { color: palette.weak, ..palette.panel(index) } },
            is_panel: index == 0,
        };
        // The first entry is drawn last, over the others.
        let entries: Vec<EntryStyle> = chart.entries.iter().enumerate().map(style).collect();
        chart_legend::names(ui, &chart, &entries);
        let summary = format!("Designed kernel: {}", sampler(session).method);
        let drawn = ChartInput {
            chart: &chart,
            entries: &entries,
            marks: &[],
            summary: &summary,
            can_move: true,
            names_y: true,
        };
        self.view.show(ui, drawn);
    }
}

/// The focused panel's sampler.
fn sampler(session: &Session) -> Sampler {
    session.panels()[session.focused()].sampler
}

/// Changes the focused panel's sampler, and has the panel show it.
fn design(session: &mut Session, change: impl FnOnce(&mut Sampler)) {
    let panel = session.focused_panel();
    panel.content = Content::Interpolation;
    change(&mut panel.sampler);
}

/// The numbers of the kernel, the blur, and what the kernel does.
fn controls_of(ui: &mut Ui, session: &mut Session, family: Option<Family>) {
    let method = sampler(session).method;
    match family {
        Some(Family::Cubic) => {
            let numbers = Method::CATMULL_ROM.form().numbers_of(method).unwrap_or_default();
            let &[b, c] = numbers.as_slice() else { return };
            let field = |name, help| NumberField { name, help, unit: "", speed: 0.005, limits: CUBICS };
            let new_b =
                number_row(ui, field("B", "Blur: 0 passes through the samples on Keys' line, 1 is the B-spline"), b);
            let new_c = number_row(ui, field("C", "Sharpness: the depth of the negative lobes; −a of Keys' cubic"), c);
            if let (Some(_), _) | (_, Some(_)) = (new_b, new_c)
                && let Ok(method) = Method::cubic(new_b.unwrap_or(b), new_c.unwrap_or(c))
            {
                design(session, |sampler| sampler.set_method(method));
            }
            blur(ui, session);
            if let Some(traits) = CubicTraits::of([b, c]) {
                facts(ui, &traits, b);
            }
        }
        Some(Family::Lanczos) => {
            let numbers = Method::LANCZOS3.form().numbers_of(method).unwrap_or_default();
            let mut a = numbers.first().copied().unwrap_or(3.0);
            ui.spacing_mut().slider_width = CONTROLS - 100.0;
            let before = a;
            let help = "Radius in samples: the kernel reads 2a samples along each axis";
            ui.horizontal(|ui| {
                let slider = Slider::new(&mut a, LANCZOS_RADII).trailing_fill(true).step_by(0.01);
                let slider = slider.clamping(SliderClamping::Edits);
                ui.add(slider.show_value(false)).on_hover_text(help);
                number(ui, NumberField { name: "a", help, unit: "", speed: 0.01, limits: RADII }, &mut a);
            });
            if a != before
                && let Ok(method) = Method::lanczos(a)
            {
                design(session, |sampler| sampler.set_method(method));
            }
            blur(ui, session);
        }
        None => {
            let palette = Palette::of_ui(ui);
            let text = format!("{} is no cubic. Drag on the plane, or choose a family above.", method.title());
            ui.add(Label::new(RichText::new(text).color(palette.weak)).wrap());
        }
    }
}

/// The number of a slider with its name behind it.
fn number(ui: &mut Ui, wanted: NumberField<'_>, value: &mut f64) -> Response {
    let size = vec2(NUMBER_WIDTH, CONTROL_HEIGHT);
    let response = add_number(ui, value, &wanted, |drag| drag.min_size(size).clip_text(true));
    ui.label(wanted.name);
    response.on_hover_text(wanted.help)
}

/// The blur of the antialiased kernel.
fn blur(ui: &mut Ui, session: &mut Session) {
    let before = sampler(session);
    let mut edited = before;
    ui.horizontal(|ui| {
        ui.set_min_height(CONTROL_HEIGHT);
        ui.checkbox(&mut edited.antialias, "Antialias")
            .on_hover_text("Widens the kernel by the scale when the view is zoomed out; blur widens it further");
        ui.spacing_mut().slider_width = BLUR_WIDTH;
        let help = "Factor of the antialiased kernel's width: below 1 sharper with more aliasing, above 1 softer";
        ui.add_enabled_ui(edited.antialias, |ui| {
            let disabled = "Blur widens the antialiased kernel: switch antialias on";
            // A value of another origin, as `--blur 3`, stays until the slider is moved.
            let slider = Slider::new(&mut edited.blur, BLUR).trailing_fill(true).step_by(0.01);
            let slider = slider.clamping(SliderClamping::Edits).show_value(false);
            ui.add(slider).on_hover_text(help).on_disabled_hover_text(disabled);
            let field = NumberField { name: "Blur", help, unit: "", speed: 0.01, limits: BLURS };
            number(ui, field, &mut edited.blur).on_disabled_hover_text(disabled);
        });
    });
    if edited != before {
        design(session, |sampler| *sampler = edited);
    }
}

/// What a cubic does, in numbers.
fn facts(ui: &mut Ui, traits: &CubicTraits, b: f64) {
    let palette = Palette::of_ui(ui);
    let through = if b == 0.0 { "passes through the samples" } else { "smooths: samples change" };
    let lines = [
        format!("{:.1} % overshoot at an edge", 100.0 * traits.overshoot),
        format!("{:.0} % contrast kept at a period of 4 samples", 100.0 * traits.kept),
        format!("{:.3} samples largest error on a ramp", traits.ramp_error),
        through.to_owned(),
    ];
    ui.spacing_mut().item_spacing.y = 1.0;
    for line in lines {
        ui.add(Label::new(RichText::new(line).size(text_size::UNIT).color(palette.weak)).truncate());
    }
}

/// The designed kernel beside named ones.
fn chart(session: &Session) -> Chart {
    designed_chart(&sampler(session))
}
