//! Section *Slice*: the plane of a volume, and its time.

use egui::{Align, Layout, RichText, Role, Slider, Ui, WidgetInfo, vec2};

use crate::app::session::Session;
use crate::app::widgets::limits::Limits;
use crate::app::widgets::number::{NumberField, field, scrubbing_label};
use crate::app::widgets::theme::{CONTROL_HEIGHT, Palette, SPACE, text_size};
use crate::text::short;
use crate::volume::{MAIN_PLANES, Orientation, Plane, VolumeShape};

/// Tilt and turn of a plane that becomes oblique, in degrees.
const FIRST_ANGLES_DEG: [f64; 2] = [30.0, 20.0];
/// Angles of an oblique plane, in degrees.
const ANGLES: Limits = Limits::real(-Orientation::MAX_DEG, Orientation::MAX_DEG);
/// Width of the number of the position, in points.
const NUMBER_WIDTH: f32 = 68.0;

/// Draws the orientation, the position, the time and the angles of the focused panel's plane.
pub(super) fn show(ui: &mut Ui, session: &mut Session) {
    let focused = session.focused();
    let Some(volume) = session.volume_of(focused) else { return };
    let shape = *volume.shape();
    let plane = session.plane_of(focused);
    let mut edited = plane;
    orientation(ui, &mut edited);
    position(ui, &shape, &mut edited);
    if shape.times > 1 {
        time(ui, &shape, &mut edited);
    }
    if let Orientation::Oblique { tilt_deg, turn_deg } = edited.orientation {
        let tilt_help = "Angle about the x axis of the axial plane. In commands: --plane TILT,TURN";
        let angle = |name, help| NumberField { name, help, unit: "°", speed: 0.5, limits: ANGLES };
        let tilt = angle("Tilt", tilt_help);
        let turn = angle("Turn", "Angle about the z axis, after the tilt");
        let [new_tilt, new_turn] = angles(ui, [(tilt, tilt_deg), (turn, turn_deg)]);
        edited.orientation =
            Orientation::Oblique { tilt_deg: new_tilt.unwrap_or(tilt_deg), turn_deg: new_turn.unwrap_or(turn_deg) };
    }
    if edited != plane {
        session.set_plane(focused, edited);
    }
}

/// Draws the orientations to choose from. Another one begins in the middle of the volume.
fn orientation(ui: &mut Ui, plane: &mut Plane) {
    let [tilt_deg, turn_deg] = match plane.orientation {
        Orientation::Main(_) => FIRST_ANGLES_DEG,
        Orientation::Oblique { .. } => plane.orientation.angles_deg(),
    };
    let oblique = Orientation::Oblique { tilt_deg, turn_deg };
    let main = MAIN_PLANES.iter().map(|row| (Orientation::Main(row.plane), row.title, row.help));
    let all = main.chain([(oblique, "Oblique", "The axial plane tilted about its x axis, then turned about z")]);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = SPACE;
        ui.spacing_mut().button_padding.x = 1.5 * SPACE;
        for (orientation, title, help) in all {
            let is_chosen = plane.orientation == orientation;
            let choice = ui.selectable_label(is_chosen, title);
            choice.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, is_chosen, title));
            if choice.on_hover_text(help).clicked() && !is_chosen {
                *plane = Plane { orientation, slice: None, ..*plane };
            }
        }
    });
}

/// Draws two number fields with their names in one line. Returns the new values of those that were changed.
fn angles(ui: &mut Ui, fields: [(NumberField<'_>, f64); 2]) -> [Option<f64>; 2] {
    ui.horizontal(|ui| {
        let width = (ui.available_width() - ui.spacing().item_spacing.x) / 2.0;
        fields.map(|(wanted, value)| {
            let layout = Layout::left_to_right(Align::Center);
            let shown = ui.allocate_ui_with_layout(vec2(width, CONTROL_HEIGHT), layout, |ui| {
                let mut scrubbed = value;
                let name = scrubbing_label(ui, wanted, (wanted.name, text_size::BODY), &mut scrubbed).id;
                field(ui, wanted, Some(name), value).or((scrubbed != value).then_some(scrubbed))
            });
            shown.inner
        })
    })
    .inner
}

/// Draws the position along the normal in one line.
fn position(ui: &mut Ui, shape: &VolumeShape, plane: &mut Plane) {
    let help = match plane.orientation {
        Orientation::Main(main) => {
            let axis = ["x", "y", "z"][main.row().normal];
            format!("Position of the plane along {axis} in samples, also between them")
        }
        Orientation::Oblique { .. } => "Distance of the plane from the centre of the volume, in samples".to_owned(),
    };
    let help = format!("{help}. Alt+wheel over a picture moves it by one");
    let line =
        Line { name: "Position", label: "Position of the plane", help: &help, range: shape.range(plane.orientation) };
    if let Some(position) = line.show(ui, shape.position(plane)) {
        plane.slice = Some(position);
    }
}

/// Draws the position in time in one line.
fn time(ui: &mut Ui, shape: &VolumeShape, plane: &mut Plane) {
    let help = "Time in samples, also between them. Alt+Shift+wheel over a picture moves it by one";
    ui.horizontal(|ui| {
        ui.label(RichText::new("Time").color(Palette::of_ui(ui).weak)).on_hover_text(help);
        let line = Line { name: "Time", label: "Position in time", help, range: [0.0, shape.last_time()] };
        if let Some(position) = line.show(ui, plane.time) {
            plane.time = position;
        }
    });
}

/// A slider and a number in one line.
#[derive(Clone, Copy, Debug)]
struct Line<'a> {
    /// Name of the number.
    name: &'a str,
    /// Name of the slider.
    label: &'a str,
    help: &'a str,
    range: [f64; 2],
}

impl Line<'_> {
    /// Draws it. Returns the new value if it was changed.
    fn show(self, ui: &mut Ui, value: f64) -> Option<f64> {
        let Self { name, label, help, range: [least, greatest] } = self;
        let mut edited = value;
        ui.horizontal(|ui| {
            ui.spacing_mut().slider_width = ui.available_width() - ui.spacing().item_spacing.x - NUMBER_WIDTH;
            let slider = ui.add(Slider::new(&mut edited, least..=greatest).show_value(false));
            slider.widget_info(|| WidgetInfo::slider(true, value, label));
            slider.on_hover_text(format!("{help}\n{} to {}", short(least, 5), short(greatest, 5)));
            let wanted = NumberField { name, help, unit: "", speed: 0.1, limits: Limits::real(least, greatest) };
            edited = field(ui, wanted, None, value).unwrap_or(edited);
        });
        (edited != value).then_some(edited)
    }
}
