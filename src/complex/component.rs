//! The real quantities of a complex number that pictures show.

use std::f64::consts::TAU;

use crate::image::Channels;
use crate::rows::rows;

/// The properties of a component.
#[derive(Clone, Copy, Debug)]
pub struct ComponentRow {
    /// The component.
    pub component: Component,
    /// Its name on the command line and in session files.
    pub name: &'static str,
    /// Its name in the window.
    pub title: &'static str,
    /// One-line description.
    pub help: &'static str,
}

rows! {
    /// What of a complex number is shown. The real part of a real number is the number itself.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum Component {
        /// Re z.
        #[default]
        Real => { name: "real", title: "Real", help: "the real part" },
        /// Im z.
        Imaginary => { name: "imaginary", title: "Imaginary", help: "the imaginary part" },
        /// |z|.
        Magnitude => { name: "magnitude", title: "Magnitude", help: "the distance from 0" },
        /// arg z.
        Phase => { name: "phase", title: "Phase", help: "the angle in radians, from −π to π; 0 of the number 0" },
        /// Hue for the phase, value for the magnitude.
        Domain => {
            name: "domain",
            title: "Domain colouring",
            help: "the phase as hue, red for positive numbers, and the magnitude as brightness, its greatest sample brightest",
        },
    }

    /// The components, in menu order.
    pub static COMPONENTS: [ComponentRow { component, .. }];

    impl by_name, Display;
}

impl Component {
    /// Whether it is no linear function of the number: it is computed from the interpolated parts.
    pub fn is_derived(self) -> bool {
        match self {
            Self::Real | Self::Imaginary => false,
            Self::Magnitude | Self::Phase | Self::Domain => true,
        }
    }

    /// Channels of its values.
    pub fn channels(self) -> Channels {
        match self {
            Self::Real | Self::Imaginary | Self::Magnitude | Self::Phase => Channels::Grey,
            Self::Domain => Channels::Rgb,
        }
    }

    /// Its values, as many as it has channels, of re + i·im; brightness 1 is the magnitude `greatest`.
    ///
    /// ```
    /// use lerpscope::complex::Component;
    /// assert_eq!(Component::Magnitude.values([3.0, -4.0], 1.0)[0], 5.0);
    /// assert_eq!(Component::Domain.values([-0.5, 0.0], 1.0), [0.0, 0.5, 0.5]);
    /// ```
    pub fn values(self, [re, im]: [f64; 2], greatest: f64) -> [f64; 3] {
        match self {
            Self::Real => [re; 3],
            Self::Imaginary => [im; 3],
            Self::Magnitude => [re.hypot(im); 3],
            Self::Phase => [im.atan2(re); 3],
            Self::Domain => {
                let sixths = (im.atan2(re) / TAU).rem_euclid(1.0) * 6.0;
                let brightness = (re.hypot(im) / greatest).min(1.0);
                // Of hue, saturation 1 and value: 1 within a sixth of the circle, 0 from two sixths on.
                [0.0, 2.0, 4.0].map(|of_channel: f64| {
                    let distance = (sixths - of_channel).rem_euclid(6.0);
                    brightness * (2.0 - distance.min(6.0 - distance)).clamp(0.0, 1.0)
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    #[test]
    fn hues_go_round_the_circle_from_red_and_brightness_is_the_magnitude() {
        let colour = |turns: f64, magnitude: f64| {
            let (sin, cos) = (TAU * turns).sin_cos();
            Component::Domain.values([magnitude * cos, magnitude * sin], 2.0)
        };
        let hues =
            [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0]];
        for (sixth, expected) in hues.into_iter().enumerate() {
            for (magnitude, brightness) in [(2.0, 1.0), (0.5, 0.25), (9.0, 1.0)] {
                let found = colour(sixth as f64 / 6.0, magnitude);
                for (found, expected) in found.into_iter().zip(expected) {
                    assert!((found - brightness * expected).abs() < 1e-12, "{sixth} {magnitude}: {found}");
                }
            }
        }
        assert_eq!(Component::Domain.values([0.0, 0.0], 1.0), [0.0; 3]);
    }

    #[test]
    fn phase_is_the_angle_and_0_of_zero() {
        assert_eq!(Component::Phase.values([-1.0, 0.0], 1.0)[0], PI);
        assert_eq!(Component::Phase.values([0.0, -2.0], 1.0)[0], -PI / 2.0);
        assert_eq!(Component::Phase.values([0.0, 0.0], 1.0)[0], 0.0);
        for row in &COMPONENTS {
            assert_eq!(row.component.is_derived(), !matches!(row.component, Component::Real | Component::Imaginary));
        }
    }
}
