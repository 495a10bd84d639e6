//! Controls of the laboratory's header: samples, address mode, and what the open tab can show.

use egui::containers::menu::MenuButton;
use egui::{Button, Response, Ui, vec2};

use crate::app::session::Session;
use crate::app::session::one_dimension::{CURVE_SETS, LineState, LineTab, SampleSource};
use crate::app::widgets::menu_item::menu_item;
use crate::app::widgets::stepper::{Step, Stepper};
use crate::app::widgets::symbol::Symbol;
use crate::app::widgets::theme::CONTROL_HEIGHT;
use crate::app::widgets::toggle::Toggle;
use crate::lab::one_dimension::{BASIS_LAYOUTS, GrownSpline, PAGE_AXES, PRESETS, PageAxis, PageLine, Signal};
use crate::sampling::ADDRESS_MODES;

/// Room that the controls and the buttons at the right of the header take, in points.
pub(super) const LEAST_WIDTH: f32 = 560.0;
/// Samples of a row or a column of an image.
const LINE_COUNT: usize = 32;

/// Draws the controls. The pointer was last at `pointed` over a picture.
pub(super) fn show(ui: &mut Ui, session: &mut Session, pointed: Option<[f64; 2]>) {
    let tab = session.inspect.state.one_dimension.tab;
    if tab == LineTab::Splines {
        return degree(ui, &mut session.inspect.state.one_dimension);
    }
    samples(ui, session, pointed);
    let state = &mut session.inspect.state.one_dimension;
    count(ui, state);
    address(ui, state);
    match tab {
        LineTab::Values => {
            curves(ui, state);
            let polynomial = Toggle {
                text: "Polynomial",
                name: "Polynomial through all samples",
                tip: "One polynomial through all samples (Lagrange): between equally spaced samples it may swing out, which \
                      splines do not",
            };
            if polynomial.show(ui, state.has_lagrange).clicked() {
                state.has_lagrange = !state.has_lagrange;
            }
        }
        LineTab::Basis => {
            for row in &BASIS_LAYOUTS {
                let toggle = Toggle { text: row.title, name: row.title, tip: row.help };
                if toggle.show(ui, state.basis == row.layout).clicked() {
                    state.basis = row.layout;
                }
            }
        }
        LineTab::Splines | LineTab::Impulses | LineTab::Prefilter => {}
    }
}

fn button(text: &str) -> Button<'_> {
    Button::new((text, Symbol::Down.atom(None))).gap(2.0).min_size(vec2(0.0, CONTROL_HEIGHT))
}

/// The menu of presets and of lines of the image.
fn samples(ui: &mut Ui, session: &mut Session, pointed: Option<[f64; 2]>) {
    let source = session.inspect.state.one_dimension.source.clone();
    let (response, _) = MenuButton::from_button(button("Samples")).ui(ui, |ui| {
        for row in &PRESETS {
            let is_chosen = source == SampleSource::Preset(row.preset);
            if ui.add(menu_item(is_chosen, row.title)).on_hover_text(row.help).clicked() {
                session.inspect.state.one_dimension.take_preset(row.preset);
            }
        }
        ui.separator();
        let (position, place) = position(session, pointed);
        for row in &PAGE_AXES {
            let title = match row.axis {
                PageAxis::Row => "Row of the image",
                PageAxis::Column => "Column of the image",
            };
            let tip = format!(
                "{LINE_COUNT} samples of the focused panel's image through {place}; colours by their luminance"
            );
            if ui.button(title).on_hover_text(tip).clicked() {
                let line = PageLine::through(&session.page(), row.axis, position, LINE_COUNT);
                session.inspect.state.one_dimension.take_line(line);
            }
        }
    });
    let tip = match &source {
        SampleSource::Preset(preset) => preset.row().help.to_owned(),
        SampleSource::Image(label) => format!("Samples of the image: {label}"),
        SampleSource::Own => "Samples changed by hand".to_owned(),
    };
    named(response, "Samples of the 1-D laboratory").on_hover_text(tip);
}

/// The position that a line of the image goes through, and what it is: the newest pin, where the pointer was last over a
/// picture, the start of the line profile, or the middle of the view.
fn position(session: &Session, pointed: Option<[f64; 2]>) -> ([f64; 2], &'static str) {
    let state = &session.inspect.state;
    let pin = state.pins.last().map(|pin| (*pin, "the newest pin"));
    let pointer = pointed.map(|pointed| (pointed, "the pointer's last place"));
    let profile = state.line.map(|[start, _]| (start, "the start of the line profile"));
    pin.or(pointer).or(profile).unwrap_or_else(|| {
        let (sides, view) = (session.page().size().sides(), session.view());
        let middle = [0, 1].map(|axis| f64::from(sides[axis]) / 2.0 + view.translation()[axis]);
        (middle, "the middle of the view")
    })
}

fn count(ui: &mut Ui, state: &mut LineState) {
    let count = state.signal.samples().len();
    let text = count.to_string();
    let stepper = Stepper {
        value: &text,
        widest: "64",
        name: "Number of samples",
        tip: "Number of samples: a preset has its own for each number",
        step_names: ["Fewer samples", "More samples"],
        step_tips: ["One sample less", "One sample more"],
    };
    match stepper.show(ui) {
        Some(Step::Less) => state.set_count(count - 1),
        Some(Step::More) if count < Signal::MAX_SAMPLES => state.set_count(count + 1),
        Some(Step::More) | None => {}
    }
}

fn address(ui: &mut Ui, state: &mut LineState) {
    let chosen = state.signal.address;
    let (response, _) = MenuButton::from_button(button(chosen.row().title)).ui(ui, |ui| {
        for row in &ADDRESS_MODES {
            let item = menu_item(row.address == chosen, row.title).shortcut_text(row.picture);
            if ui.add(item).on_hover_text(row.help).clicked() {
                state.set_address(row.address);
            }
        }
    });
    let tip = format!("Address mode beyond both edges: {}", chosen.row().help);
    named(response, "Address mode of the 1-D laboratory").on_hover_text(tip);
}

fn curves(ui: &mut Ui, state: &mut LineState) {
    for row in &CURVE_SETS {
        let toggle = Toggle { text: row.short, name: row.title, tip: row.help };
        if toggle.show(ui, state.curves == row.curves).clicked() {
            state.curves = row.curves;
        }
    }
}

fn degree(ui: &mut Ui, state: &mut LineState) {
    let text = state.degree.to_string();
    let stepper = Stepper {
        value: &text,
        widest: "9",
        name: "Degree of the B-spline",
        tip: "Degree n: β of degree n is the box convolved n times with itself",
        step_names: ["Lower degree", "Higher degree"],
        step_tips: ["One convolution less", "One convolution more"],
    };
    match stepper.show(ui) {
        Some(Step::Less) => state.set_degree(state.degree.saturating_sub(1)),
        Some(Step::More) if state.degree < GrownSpline::MAX_DEGREE => state.set_degree(state.degree + 1),
        Some(Step::More) | None => {}
    }
}

fn named(response: Response, name: &str) -> Response {
    response.ctx.accesskit_node_builder(response.id, |node| node.set_label(name));
    response
}
