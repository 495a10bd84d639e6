//! Numbers of the view, of the sampler and of the display that are typed in the palette by the names of the command line's
//! options.

use super::notice::CommandNotice;
use crate::app::session::Session;
use crate::app::session::history::{Change, Framing};
use crate::app::session::preferences::Preferences;
use crate::arguments::{
    ArgumentError, parse_component, parse_number, parse_orientation, parse_page, parse_pair, parse_scales, parse_slice,
    parse_time,
};
use crate::backend::{Display, RenderRequest};
use crate::complex::Component;
use crate::sampling::Sampler;
use crate::text::short;
use crate::view::{View, ViewError};
use crate::volume::{Orientation, Plane};

/// A number with its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Setting {
    /// Pixels per sample.
    Zoom(f64),
    /// Translation of the view, in samples.
    Translate([f64; 2]),
    /// Samples per pixel, along x and y of the image.
    Scale([f64; 2]),
    /// Angle of the view, in degrees.
    Rotate(f64),
    /// Page, from 0.
    Page(usize),
    /// Exposure, in stops.
    Exposure(f32),
    /// Offset of the values.
    Offset(f32),
    /// Gamma.
    Gamma(f32),
    /// Values shown as black and white.
    Window([f32; 2]),
    /// Value outside the image for address mode border.
    Border(f32),
    /// Factor of the width of the antialiasing kernel.
    Blur(f64),
    /// Strength of the antiringing.
    Antiringing(f64),
    /// Orientation of the plane of a volume.
    Plane(Orientation),
    /// Position of the plane of a volume along its normal; `None` is the middle.
    Slice(Option<f64>),
    /// Position in time of a volume that changes.
    Time(f64),
    /// What of complex numbers is shown.
    Component(Component),
}

/// Description of a setting.
#[derive(Debug)]
pub(in crate::app) struct SettingRow {
    /// Its name, which is that of the command line's option except for the zoom.
    pub(in crate::app) name: &'static str,
    /// Its title.
    pub(in crate::app) title: &'static str,
    /// A text that sets it.
    pub(in crate::app) example: &'static str,
    /// Its help, one line.
    pub(in crate::app) help: &'static str,
    /// Whether it changes the focused panel alone.
    pub(in crate::app) is_of_panel: bool,
    /// Parses its value.
    pub(super) parse: fn(&str) -> Result<Setting, ArgumentError>,
}

/// All settings.
pub(in crate::app) static SETTINGS: [SettingRow; 16] = [
    SettingRow {
        name: "zoom",
        title: "Zoom",
        example: "zoom 8",
        help: "Pixels per sample; 8x and 800 % set it as well",
        is_of_panel: false,
        parse: |text| parse_number(text.trim_end_matches(['x', '×'])).map(Setting::Zoom),
    },
    SettingRow {
        name: "translate",
        title: "Translate",
        example: "translate 100,-20.5",
        help: "Translation of the view, in samples",
        is_of_panel: false,
        parse: |text| parse_pair(text, ',').map(Setting::Translate),
    },
    SettingRow {
        name: "scale",
        title: "Scale",
        example: "scale 1/8",
        help: "Samples per pixel: below 1 enlarges; scale 1,1/2 sets one for each axis",
        is_of_panel: false,
        parse: |text| parse_scales(text, ',').map(Setting::Scale),
    },
    SettingRow {
        name: "rotate",
        title: "Rotate",
        example: "rotate 30",
        help: "Angle of the view in degrees, counter-clockwise",
        is_of_panel: false,
        parse: |text| parse_number(text).map(Setting::Rotate),
    },
    SettingRow {
        name: "page",
        title: "Page",
        example: "page 2",
        help: "Page of the file, from 1",
        is_of_panel: false,
        parse: |text| parse_page(text).map(Setting::Page),
    },
    SettingRow {
        name: "exposure",
        title: "Exposure",
        example: "exposure 1.5",
        help: "Stops: values are multiplied by 2^exposure",
        is_of_panel: false,
        parse: |text| parse_number(text).map(Setting::Exposure),
    },
    SettingRow {
        name: "offset",
        title: "Offset",
        example: "offset 0.1",
        help: "Added to the values after the exposure",
        is_of_panel: false,
        parse: |text| parse_number(text).map(Setting::Offset),
    },
    SettingRow {
        name: "gamma",
        title: "Gamma",
        example: "gamma 2.2",
        help: "Values are raised to 1/gamma",
        is_of_panel: false,
        parse: |text| parse_number(text).map(Setting::Gamma),
    },
    SettingRow {
        name: "window",
        title: "Window",
        example: "window 0.1,0.9",
        help: "Values shown as black and white, 1 is maxval",
        is_of_panel: false,
        parse: |text| parse_pair(text, ',').map(Setting::Window),
    },
    SettingRow {
        name: "border",
        title: "Border",
        example: "border 0.5",
        help: "Value outside the image for address mode border, 1 is maxval",
        is_of_panel: true,
        parse: |text| parse_number(text).map(Setting::Border),
    },
    SettingRow {
        name: "blur",
        title: "Antialias blur",
        example: "blur 1.2",
        help: "Factor of the width of the antialiasing kernel",
        is_of_panel: true,
        parse: |text| parse_number(text).map(Setting::Blur),
    },
    SettingRow {
        name: "antiring",
        title: "Antiringing",
        example: "antiring 0.8",
        help: "Draws values into the range of their samples: 0 leaves overshoot, 1 takes it away",
        is_of_panel: true,
        parse: |text| parse_number(text).map(Setting::Antiringing),
    },
    SettingRow {
        name: "plane",
        title: "Plane",
        example: "plane 30,20",
        help: "Plane of a volume: axial, coronal, sagittal, or tilt and turn in degrees",
        is_of_panel: false,
        parse: |text| parse_orientation(text, ',').map(Setting::Plane),
    },
    SettingRow {
        name: "slice",
        title: "Slice",
        example: "slice 12.5",
        help: "Position of the plane of a volume along its normal, in samples from 0; middle sets it as well",
        is_of_panel: false,
        parse: |text| parse_slice(text).map(Setting::Slice),
    },
    SettingRow {
        name: "time",
        title: "Time",
        example: "time 2.5",
        help: "Position in time of a volume that changes, in samples from 0",
        is_of_panel: false,
        parse: |text| parse_time(text).map(Setting::Time),
    },
    SettingRow {
        name: "component",
        title: "Component",
        example: "component phase",
        help: "What of complex numbers is shown: real, imaginary, magnitude, phase or domain",
        is_of_panel: true,
        parse: |text| parse_component(text).map(Setting::Component),
    },
];

impl Setting {
    /// Place of its row in [`SETTINGS`].
    pub(super) fn row(self) -> &'static SettingRow {
        &SETTINGS[match self {
            Self::Zoom(_) => 0,
            Self::Translate(_) => 1,
            Self::Scale(_) => 2,
            Self::Rotate(_) => 3,
            Self::Page(_) => 4,
            Self::Exposure(_) => 5,
            Self::Offset(_) => 6,
            Self::Gamma(_) => 7,
            Self::Window(_) => 8,
            Self::Border(_) => 9,
            Self::Blur(_) => 10,
            Self::Antiringing(_) => 11,
            Self::Plane(_) => 12,
            Self::Slice(_) => 13,
            Self::Time(_) => 14,
            Self::Component(_) => 15,
        }]
    }

    /// Its title with its value.
    pub(super) fn title(self) -> String {
        let number = |value: f64| short(value, 5);
        let single = |value: f32| number(f64::from(value));
        let value = match self {
            Self::Zoom(zoom) => return format!("Zoom {}×", short(zoom, 5)),
            Self::Translate(pair) => pair.map(number).join(", "),
            Self::Window(pair) => pair.map(single).join(", "),
            Self::Rotate(angle) => format!("{}°", number(angle)),
            Self::Page(page) => (page + 1).to_string(),
            Self::Plane(Orientation::Main(plane)) => return plane.row().title.to_owned(),
            Self::Plane(Orientation::Oblique { tilt_deg, turn_deg }) => {
                return format!("Oblique {}°, {}°", number(tilt_deg), number(turn_deg));
            }
            Self::Slice(slice) => slice.map_or_else(|| "middle".to_owned(), number),
            Self::Time(time) => number(time),
            Self::Component(component) => return component.row().title.to_owned(),
            Self::Scale([x, y]) if x == y => number(x),
            Self::Scale(pair) => pair.map(number).join(", "),
            Self::Blur(value) | Self::Antiringing(value) => number(value),
            Self::Exposure(value) | Self::Offset(value) | Self::Gamma(value) | Self::Border(value) => single(value),
        };
        format!("{} {value}", self.row().title)
    }

    /// Its help, one line.
    pub(super) fn help(self) -> &'static str {
        self.row().help
    }

    /// `before` with this setting.
    pub(super) fn sampler(self, before: Sampler) -> Sampler {
        match self {
            Self::Border(border) => Sampler { border, ..before },
            Self::Blur(blur) => Sampler { blur, ..before },
            Self::Antiringing(antiringing) => Sampler { antiringing, ..before },
            Self::Zoom(_)
            | Self::Translate(_)
            | Self::Scale(_)
            | Self::Rotate(_)
            | Self::Page(_)
            | Self::Exposure(_)
            | Self::Offset(_)
            | Self::Gamma(_)
            | Self::Window(_)
            | Self::Plane(_)
            | Self::Slice(_)
            | Self::Time(_)
            | Self::Component(_) => before,
        }
    }

    fn display(self, before: Display) -> Display {
        match self {
            Self::Exposure(exposure) => Display { exposure, ..before },
            Self::Offset(offset) => Display { offset, ..before },
            Self::Gamma(gamma) => Display { gamma, ..before },
            Self::Window(window) => Display { window, ..before },
            Self::Zoom(_)
            | Self::Translate(_)
            | Self::Scale(_)
            | Self::Rotate(_)
            | Self::Page(_)
            | Self::Border(_)
            | Self::Blur(_)
            | Self::Antiringing(_)
            | Self::Plane(_)
            | Self::Slice(_)
            | Self::Time(_)
            | Self::Component(_) => before,
        }
    }

    /// The view with this setting. A zoom is about the middle of the picture.
    fn view(self, session: &Session) -> Result<View, ViewError> {
        let view = session.view();
        match self {
            Self::Zoom(zoom) => {
                view.scaled([1.0 / zoom; 2])?;
                Ok(view.zoomed_about(session.middle(), 1.0 / zoom, session.output()))
            }
            Self::Translate(translation) => view.translated(translation),
            Self::Scale(scales) => view.scaled(scales),
            Self::Rotate(angle) => view.rotated(angle),
            Self::Page(_)
            | Self::Exposure(_)
            | Self::Offset(_)
            | Self::Gamma(_)
            | Self::Window(_)
            | Self::Border(_)
            | Self::Blur(_)
            | Self::Antiringing(_)
            | Self::Plane(_)
            | Self::Slice(_)
            | Self::Time(_)
            | Self::Component(_) => Ok(view),
        }
    }

    /// # Errors
    /// If the value is out of its range.
    pub(super) fn check(self, session: &Session) -> Result<(), CommandNotice> {
        if let Self::Page(page) = self
            && page >= session.image().pages().len()
        {
            return Err(CommandNotice::NoSuchPage(session.image().pages().len()));
        }
        if matches!(self, Self::Plane(_) | Self::Slice(_)) && session.volume_of(session.focused()).is_none() {
            return Err(CommandNotice::NoVolume);
        }
        if matches!(self, Self::Time(_)) && !session.has_times(session.focused()) {
            return Err(CommandNotice::NoTimes);
        }
        if matches!(self, Self::Component(_)) && session.complex_of(session.focused()).is_none() {
            return Err(CommandNotice::NotComplex);
        }
        self.view(session).map_err(ArgumentError::from)?;
        let before = session.panels()[session.focused()].display;
        let display = self.display(before);
        if display != before {
            RenderRequest { display, ..RenderRequest::new(session.output()) }.check(&session.page())?;
        }
        Ok(())
    }

    /// Sets it. Display values are set in the panels that the display section changes.
    pub(super) fn set(self, session: &mut Session, preferences: &Preferences) {
        match self {
            Self::Zoom(zoom) => session.animate(preferences, |session| {
                session.show_at(1.0 / zoom, session.middle(), Change::Zoom);
            }),
            Self::Translate(_) | Self::Scale(_) | Self::Rotate(_) => {
                if let Ok(view) = self.view(session) {
                    session.animate(preferences, |session| session.go(view, Framing::Free, Change::Number));
                }
            }
            Self::Page(page) => session.show_page(page),
            Self::Plane(orientation) => {
                let focused = session.focused();
                session.set_plane(focused, Plane { orientation, slice: None, ..session.plane_of(focused) });
            }
            Self::Slice(slice) => {
                let focused = session.focused();
                session.set_plane(focused, Plane { slice, ..session.plane_of(focused) });
            }
            Self::Time(time) => {
                let focused = session.focused();
                session.set_plane(focused, Plane { time, ..session.plane_of(focused) });
            }
            Self::Component(component) => session.set_component(session.focused(), component),
            Self::Exposure(_) | Self::Offset(_) | Self::Gamma(_) | Self::Window(_) => {
                session.change_display(|display| *display = self.display(*display));
            }
            Self::Border(_) | Self::Blur(_) | Self::Antiringing(_) => {
                let panel = session.focused_panel();
                panel.sampler = self.sampler(panel.sampler);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::choice::Choice;
    use super::super::typed_choice::TypedChoice;
    use super::*;

    #[test]
    fn examples_set_the_setting_of_their_row() {
        for row in &SETTINGS {
            match Choice::typed(row.example).first() {
                Some(TypedChoice::Choice(Choice::Setting(setting))) => assert_eq!(setting.row().name, row.name),
                other => panic!("{}: {other:?}", row.example),
            }
        }
    }
}
