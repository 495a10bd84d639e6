//! Inspection tools in the side bar: display mapping, overlays, pins, histogram.

use egui::{ComboBox, RichText, Role, Stroke, Ui, WidgetInfo, vec2};
use egui_plot::{Bar, BarChart, Line, Plot};

use crate::app::commands::menu::menu_state;
use crate::app::commands::{Command, InspectCommand, Keymap};
use crate::app::inspect::profile::across;
use crate::app::inspect::{Overlays, minimap as map};
use crate::app::session::Session;
use crate::app::session::address_names::library_names;
use crate::app::session::preferences::{Preferences, WHEEL_DEVICES};
use crate::app::session::unit::{UNITS, Unit};
use crate::app::widgets::number::{NumberField, short};
use crate::app::widgets::row::{number_row, row};
use crate::app::widgets::theme::{Palette, SPACE};
use crate::backend::{COLOUR_MAPS, Display};
use crate::image::{Channels, Statistics};

/// Draws the display mapping of the focused panel, and the switch for all panels.
pub(in crate::app) fn show(ui: &mut Ui, session: &mut Session, asked: &mut Vec<Command>) {
    let before = session.panels()[session.focused()].display;
    let mut edited = before;
    numbers(ui, &mut edited);
    row(ui, "colours", |ui, name| {
        let chosen = ComboBox::from_id_salt("colour map").selected_text(edited.colour_map.row().title).width(140.0);
        let shown = chosen.show_ui(ui, |ui| {
            for map in &COLOUR_MAPS {
                ui.selectable_value(&mut edited.colour_map, map.colour_map, map.title);
            }
        });
        shown.response.labelled_by(name).on_hover_text("Colour map of grey values; colour images keep their colours")
    });
    let mut is_all = !session.inspect.state.is_alone;
    row(ui, "all panels", |ui, name| {
        let help = "Applies changes to all panels; off: to the focused panel only";
        ui.checkbox(&mut is_all, "").labelled_by(name).on_hover_text(help)
    });
    session.inspect.state.is_alone = !is_all;
    ui.horizontal(|ui| {
        for (text, ask) in [("Normalize", InspectCommand::Normalize), ("Reset", InspectCommand::ResetShow)] {
            let tip = Keymap::in_force(ui).tooltip(Command::Inspect(ask));
            if ui.button(text).on_hover_text(tip).clicked() {
                asked.push(Command::Inspect(ask));
            }
        }
    });
    if edited != before {
        session.change_display(|display| *display = edited);
    }
}

fn numbers(ui: &mut Ui, display: &mut Display) {
    let mut number = |name, help, speed, value: &mut f32, (least, most): (f32, f32)| {
        if let Some(edited) = number_row(ui, NumberField { name, help, speed }, f64::from(*value)) {
            *value = (edited as f32).clamp(least, most);
        }
    };
    number("exposure", "Exposure in stops: each stop doubles the values", 0.02, &mut display.exposure, (-24.0, 24.0));
    number("offset", "Added after the exposure; 1 is maxval", 0.005, &mut display.offset, (-1e6, 1e6));
    number("gamma", "Above 1 brightens dark values", 0.01, &mut display.gamma, (0.05, 20.0));
    let [mut black, mut white] = display.window;
    number("black", "Value shown as black", 0.005, &mut black, (-1e6, 1e6));
    number("white", "Value shown as white", 0.005, &mut white, (-1e6, 1e6));
    if black != white {
        display.window = [black, white];
    }
}

/// Draws the switches of the overlays, the unit, and the wheel device.
pub(in crate::app) fn overlays(
    ui: &mut Ui,
    session: &Session,
    preferences: &mut Preferences,
    asked: &mut Vec<Command>,
) {
    let keys = Keymap::in_force(ui);
    let switches = [
        ("values", InspectCommand::Values),
        ("grid", InspectCommand::Grid),
        ("ghosts", InspectCommand::Outside),
        ("clipping", InspectCommand::Clipping),
        ("histogram", InspectCommand::Histogram),
        ("profile", InspectCommand::Profile),
    ];
    for (name, ask) in switches {
        let mut is_on = menu_state(session, Command::Inspect(ask)).is_chosen;
        row(ui, name, |ui, label| {
            let switch = ui.checkbox(&mut is_on, "").labelled_by(label);
            if switch.on_hover_text(keys.tooltip(Command::Inspect(ask))).changed() {
                asked.push(Command::Inspect(ask));
            }
        });
    }
    row(ui, "unit", |ui, name| {
        let unit = &mut preferences.unit;
        let chosen = ComboBox::from_id_salt("unit").selected_text(unit.row().title).width(140.0);
        let shown = chosen.show_ui(ui, |ui| {
            for row in &UNITS {
                ui.selectable_value(unit, row.unit, row.title);
            }
        });
        shown.response.labelled_by(name).on_hover_text(keys.tooltip(Command::Inspect(InspectCommand::Unit)))
    });
    row(ui, "wheel", |ui, name| {
        let wheel = &mut preferences.wheel;
        let chosen = ComboBox::from_id_salt("wheel").selected_text(wheel.row().title).width(140.0);
        let shown = chosen.show_ui(ui, |ui| {
            for row in &WHEEL_DEVICES {
                ui.selectable_value(wheel, row.wheel, row.title);
            }
        });
        let help = "A mouse wheel zooms, two fingers on a trackpad pan; auto detects the device";
        shown.response.labelled_by(name).on_hover_text(help)
    });
    let mut glides = !preferences.reduced_motion;
    row(ui, "motion", |ui, name| {
        let help = "Animates changes of the view by keys, and lets a flung picture glide; off: reduced motion";
        ui.checkbox(&mut glides, "").labelled_by(name).on_hover_text(help)
    });
    preferences.reduced_motion = !glides;
    let sampler = session.panels()[session.focused()].sampler;
    for (axis, name) in ["address x", "address y"].into_iter().enumerate() {
        let found = sampler.address[axis].row();
        row(ui, name, |ui, _| {
            let text = format!("{} · {}", found.opengl, found.scipy);
            let label = egui::Label::new(RichText::new(text).size(11.0).color(Palette::of_ui(ui).weak)).truncate();
            ui.add(label).on_hover_text(library_names(sampler.address[axis]))
        });
    }
}

/// Draws the whole image with a frame around the visible part, unless all of it is visible.
pub(in crate::app) fn minimap(ui: &mut Ui, session: &mut Session, overlays: &Overlays) {
    if let Some(overview) = overlays.overview.as_ref().filter(|_| map::is_wanted(session)) {
        map::show(ui, session, overview);
    }
}

/// Draws the pins with every panel's values.
pub(in crate::app) fn pins(ui: &mut Ui, session: &mut Session, unit: Unit, overlays: &Overlays) {
    let palette = Palette::of_ui(ui);
    let maxval = session.page().raster().samples().maxval();
    let mut gone = None;
    for (number, pin) in session.inspect.state.pins.iter().enumerate() {
        ui.horizontal(|ui| {
            let place = format!("{}   x {:.2}  y {:.2}", number + 1, pin[0], pin[1]);
            ui.label(RichText::new(place).color(palette.strong));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let button = ui.small_button("×").on_hover_text("Removes this pin");
                let name = format!("Remove pin {}", number + 1);
                button.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
                if button.clicked() {
                    gone = Some(number);
                }
            });
        });
        for (panel, values) in overlays.pinned.values.get(number).into_iter().flatten() {
            let Some(panel) = session.panel(*panel) else { continue };
            let name = panel.sampler.method.label();
            let text: Vec<String> = values.iter().map(|value| unit.text(*value, maxval)).collect();
            let text = if text.is_empty() { "–".to_owned() } else { text.join(" ") };
            ui.horizontal(|ui| {
                ui.add_space(3.0 * SPACE);
                ui.label(RichText::new(format!("{name:<12} {text}")).monospace().size(11.5).color(palette.weak));
            });
        }
    }
    if let Some(number) = gone {
        session.inspect.state.pins.remove(number);
    }
    if session.inspect.state.pins.is_empty() {
        let hint = "Ctrl+click a picture, or Shift+P, to pin a position and list its values";
        ui.label(RichText::new(hint).size(12.0).color(palette.weak));
    }
}

/// Draws the histogram and its statistics.
pub(in crate::app) fn histogram(ui: &mut Ui, session: &mut Session, unit: Unit, overlays: &mut Overlays) {
    let palette = Palette::of_ui(ui);
    let maxval = session.page().raster().samples().maxval();
    let (is_log, region) = (session.inspect.state.is_log, session.inspect.state.region);
    let channels = overlays.statistics(session);
    bars(ui, channels, is_log, unit.one(maxval));
    ui.horizontal(|ui| {
        ui.checkbox(&mut session.inspect.state.is_log, "logarithmic")
            .on_hover_text("Logarithmic counts: rare values are visible beside common ones");
        let whole = ui.add_enabled(region.is_some(), egui::Button::new("Whole image").small());
        let tip = "Counts all samples of the image";
        if whole.on_hover_text(tip).on_disabled_hover_text(tip).clicked() {
            session.inspect.state.region = None;
        }
    });
    let of = region.map_or("the whole image; Shift+drag for a part".to_owned(), |region| {
        let [width, height] = region.sides();
        format!("{width}×{height} samples from ({}, {})", region.left, region.top)
    });
    ui.label(RichText::new(of).size(12.0).color(palette.weak));
    let names: &[&str] = match session.page().channels() {
        Channels::Grey => &["grey"],
        Channels::GreyAlpha => &["grey", "alpha"],
        Channels::Rgb | Channels::Rgba => &["red", "green", "blue", "alpha"],
    };
    for (name, channel) in names.iter().zip(channels) {
        if channels.len() > 1 {
            ui.label(RichText::new(*name).size(12.0).color(palette.strong));
        }
        let numbers =
            [("min", channel.min), ("mean", channel.mean), ("max", channel.max), ("std. dev.", channel.deviation)];
        for (what, value) in numbers {
            // Hexadecimal digits would round a small deviation to 0.
            let unit = if unit == Unit::Hex { Unit::Byte } else { unit };
            let text = if channel.count == 0 { "–".to_owned() } else { unit.text(value as f32, maxval) };
            row(ui, what, |ui, _| {
                ui.label(RichText::new(text).monospace().color(palette.strong));
            });
        }
    }
}

fn bars(ui: &mut Ui, channels: &[Statistics], is_log: bool, one: f64) {
    let palette = Palette::of_ui(ui);
    let Some(first) = channels.first() else {
        return;
    };
    let height = |count: u64| if is_log { (count as f64).ln_1p() } else { count as f64 };
    let colours = &channels[..if channels.len() > 2 { 3 } else { 1 }];
    let inks = [
        egui::Color32::from_rgb(220, 70, 60),
        egui::Color32::from_rgb(60, 170, 80),
        egui::Color32::from_rgb(70, 120, 240),
    ];
    let about = |value: f64| {
        let share = (value / one - first.range[0]) / (first.range[1] - first.range[0]);
        let bin = ((share * first.bins.len() as f64) as usize).min(first.bins.len() - 1);
        let counts: Vec<String> =
            colours.iter().filter_map(|channel| channel.bins.get(bin)).map(u64::to_string).collect();
        format!("about {}: {} samples", short(value, 4), counts.join(", "))
    };
    let plot = Plot::new("histogram bars")
        .height(104.0)
        .show_axes([true, false])
        .show_grid([true, false])
        .show_y(false)
        .grid_color(palette.weak.gamma_multiply(0.5))
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_axis_zoom_drag(false)
        .set_margin_fraction(vec2(0.0, 0.0))
        .x_axis_formatter(|mark, _| short(mark.value, 5))
        .label_formatter(|place| Some(about(across(place))));
    let shown = plot.show(ui, |plot| {
        for (index, channel) in colours.iter().enumerate() {
            let step = (channel.range[1] - channel.range[0]) * one / channel.bins.len() as f64;
            let middle = |bin: usize| channel.range[0] * one + step * (bin as f64 + 0.5);
            let counts = channel.bins.iter().enumerate().map(|(bin, count)| [middle(bin), height(*count)]);
            if colours.len() == 1 {
                let bar = |[at, high]: [f64; 2]| Bar::new(at, high).width(step).fill(palette.weak).stroke(Stroke::NONE);
                plot.bar_chart(BarChart::new("samples", counts.map(bar).collect()).allow_hover(false));
            } else {
                plot.line(Line::new("samples", counts.collect::<Vec<_>>()).color(inks[index]).width(1.0));
            }
        }
    });
    shown.response.widget_info(|| WidgetInfo::labeled(Role::Image, true, "Histogram"));
}
