//! Display mapping: from interpolated values to shown or written ones.
//!
//! A value v, or |v| where the display is absolute, becomes ((v·2^exposure + offset − black) / (white −
//! black))^(1/gamma), then a colour where a colour map is chosen (of a colour image by its luminance), and is clamped and rounded only when it
//! is written as an integer. Alpha passes through. Backends apply it to their float results; the graphics library never
//! does.

use std::sync::OnceLock;

use super::out_of_range::OutOfRange;
use crate::filter::LUMINANCE;
use crate::rows::rows;

/// How values become what is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Display {
    /// Exposure in stops: values are multiplied by 2^exposure.
    pub exposure: f32,
    /// Offset, added after the exposure.
    pub offset: f32,
    /// Gamma: the result is raised to 1/gamma, its sign kept.
    pub gamma: f32,
    /// Values mapped to 0 and 1.
    pub window: [f32; 2],
    /// Colours of grey values, and of the luminance of colours.
    pub colour_map: ColourMap,
    /// Whether values lose their sign, before all this.
    pub absolute: bool,
}

impl Default for Display {
    /// The identity.
    fn default() -> Self {
        Self {
            exposure: 0.0,
            offset: 0.0,
            gamma: 1.0,
            window: [0.0, 1.0],
            colour_map: ColourMap::Grey,
            absolute: false,
        }
    }
}

impl Display {
    /// The mapping of one value, colour map aside.
    pub fn tone(&self) -> Tone {
        let [black, white] = self.window.map(f64::from);
        let gain = f64::from(self.exposure).exp2() / (white - black);
        Tone {
            gain: gain as f32,
            bias: ((f64::from(self.offset) - black) / (white - black)) as f32,
            power: 1.0 / self.gamma,
            absolute: self.absolute,
        }
    }

    /// # Errors
    /// Where a number is not finite or out of its range.
    pub(super) fn check(&self) -> Result<(), OutOfRange> {
        let number = |name, range, value: f32, fine: bool| {
            if fine { Ok(()) } else { Err(OutOfRange { name, range, value: f64::from(value) }) }
        };
        number("exposure", "between -100 and 100", self.exposure, self.exposure.abs() <= 100.0)?;
        number("offset", "finite", self.offset, self.offset.is_finite())?;
        number("gamma", "between 0.01 and 100", self.gamma, (0.01..=100.0).contains(&self.gamma))?;
        let [black, white] = self.window;
        let span = white - black;
        number("window's width", "finite and not zero", span, span.is_finite() && span != 0.0)
    }
}

/// v ↦ (v·gain + bias)^power with the sign kept; |v| in place of v if `absolute`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tone {
    /// Factor.
    pub gain: f32,
    /// Term added after the factor.
    pub bias: f32,
    /// Exponent.
    pub power: f32,
    /// Whether v loses its sign first.
    pub absolute: bool,
}

impl Tone {
    /// Whether the mapping is the identity.
    pub fn is_identity(&self) -> bool {
        *self == Self { gain: 1.0, bias: 0.0, power: 1.0, absolute: false }
    }

    /// The mapped value.
    #[inline(always)]
    pub fn apply(&self, value: f32) -> f32 {
        let value = if self.absolute { value.abs() } else { value };
        let linear = value * self.gain + self.bias;
        if self.power == 1.0 { linear } else { linear.abs().powf(self.power).copysign(linear) }
    }
}

/// The properties of a colour map.
#[derive(Debug)]
pub struct ColourMapRow {
    /// The colour map.
    pub colour_map: ColourMap,
    /// Name on the command line and in files.
    pub name: &'static str,
    /// Name in the window.
    pub title: &'static str,
}

rows! {
    /// Colour map of grey values, and of the luminance of colours.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum ColourMap {
        /// Identity: grey stays grey, and colours stay.
        #[default]
        Grey => { name: "grey", title: "Grey" },
        /// Dark blue to yellow, perceptually uniform (van der Walt and Smith 2015).
        Viridis => { name: "viridis", title: "Viridis" },
        /// Black through red to pale yellow, perceptually uniform.
        Inferno => { name: "inferno", title: "Inferno" },
        /// Blue through grey to yellow, optimized for colour vision deficiency (Nuñez, Anderton, Renslow 2018).
        Cividis => { name: "cividis", title: "Cividis" },
        /// Rainbow with smooth lightness (Mikhailov 2019).
        Turbo => { name: "turbo", title: "Turbo" },
        /// Diverging: blue through white to red, ½ in the middle.
        BlueRed => { name: "blue-red", title: "Blue–red" },
        /// Diverging: blue through white to orange, ½ in the middle; both halves have the same luminances.
        BlueWhiteOrange => { name: "blue-white-orange", title: "Blue–white–orange" },
        /// Diverging: blue through black to orange, ½ in the middle; both halves have the same luminances.
        BlueBlackOrange => { name: "blue-black-orange", title: "Blue–black–orange" },
        /// Blue–white–orange from its end to its start.
        OrangeWhiteBlue => { name: "orange-white-blue", title: "Orange–white–blue" },
        /// Blue–black–orange from its end to its start.
        OrangeBlackBlue => { name: "orange-black-blue", title: "Orange–black–blue" },
        /// White to dark red: the upper half of blue–red.
        WhiteRed => { name: "white-red", title: "White–red" },
    }

    /// The colour maps, in menu order.
    pub static COLOUR_MAPS: [ColourMapRow { colour_map, .. }];

    impl by_name;
}

/// Number of steps of a colour map's table.
pub const COLOUR_STEPS: usize = 1024;

impl ColourMap {
    /// Whether grey stays grey, and colours stay.
    pub fn is_grey(self) -> bool {
        self == Self::Grey
    }

    /// Its name in the window for a grey or a colour image, whose channels are shown as they are without a map.
    pub fn title_of(self, has_colour: bool) -> &'static str {
        if self.is_grey() && has_colour { "RGB" } else { self.row().title }
    }

    /// Red, green and blue for `COLOUR_STEPS` values from 0 to 1.
    pub fn table(self) -> &'static [[f32; 3]] {
        static TABLES: [OnceLock<Vec<[f32; 3]>>; COLOUR_MAPS.len()] = [const { OnceLock::new() }; COLOUR_MAPS.len()];
        let reversed = |map: Self| map.table().iter().rev().copied().collect();
        TABLES[self as usize].get_or_init(|| {
            let shade: Box<dyn Fn(f32) -> [f32; 3]> = match self {
                Self::Grey => Box::new(|t| [t; 3]),
                Self::Viridis => gradient(colorgrad::preset::viridis()),
                Self::Inferno => gradient(colorgrad::preset::inferno()),
                Self::Cividis => gradient(colorgrad::preset::cividis()),
                Self::Turbo => gradient(colorgrad::preset::turbo()),
                Self::BlueRed => {
                    let red_to_blue = gradient(colorgrad::preset::rd_bu());
                    Box::new(move |t| red_to_blue(1.0 - t))
                }
                Self::BlueWhiteOrange => Box::new(|t| between_stops(&BLUE_WHITE_ORANGE, t)),
                Self::BlueBlackOrange => Box::new(|t| between_stops(&BLUE_BLACK_ORANGE, t)),
                Self::OrangeWhiteBlue => return reversed(Self::BlueWhiteOrange),
                Self::OrangeBlackBlue => return reversed(Self::BlueBlackOrange),
                Self::WhiteRed => {
                    let red_to_blue = gradient(colorgrad::preset::rd_bu());
                    Box::new(move |t| red_to_blue(0.5 - t / 2.0))
                }
            };
            (0..COLOUR_STEPS).map(|step| shade(step as f32 / (COLOUR_STEPS - 1) as f32)).collect()
        })
    }

    /// Colour of `value`; values outside 0 to 1 have the colour of the nearer end, NaN that of 0.
    pub fn colour(self, value: f32) -> [f32; 3] {
        // The conversion of NaN to an integer gives 0.
        let step = (value.clamp(0.0, 1.0) * (COLOUR_STEPS - 1) as f32 + 0.5) as usize;
        self.table()[step.min(COLOUR_STEPS - 1)]
    }
}

/// The value of a pixel that a colour map maps: of a grey pixel its grey, of a colour pixel the luminance 0.3·R + 0.59·G + 0.11·B
/// of its values ([`LUMINANCE`], document 004). A channel of alpha has no part in it.
#[inline(always)]
pub fn mapped_value(pixel: &[f32]) -> f32 {
    const WEIGHTS: [f32; 3] = [LUMINANCE[0] as f32, LUMINANCE[1] as f32, LUMINANCE[2] as f32];
    match *pixel {
        [red, green, blue, ..] => red * WEIGHTS[0] + green * WEIGHTS[1] + blue * WEIGHTS[2],
        [grey, ..] => grey,
        [] => 0.0,
    }
}

/// A value from −1 to 1 and its colour, as sRGB bytes.
type Stop = (f32, [f32; 3]);

/// The steps of a table nearest to 0 are at this value of either sign: both have the colour of 0.
const NEAREST: f32 = 1.0 / (COLOUR_STEPS - 1) as f32;

/// The colours of blue–white–orange.
const BLUE_WHITE_ORANGE: [Stop; 10] = [
    (-1.0, [0.0, 72.0, 180.0]),
    (-0.5, [40.0, 122.0, 214.0]),
    (-0.25, [100.0, 160.0, 232.0]),
    (-0.125, [162.0, 199.0, 243.0]),
    (-NEAREST, [250.0, 250.0, 251.0]),
    (NEAREST, [250.0, 250.0, 251.0]),
    (0.125, [244.0, 182.0, 128.0]),
    (0.25, [230.0, 136.0, 62.0]),
    (0.5, [212.0, 92.0, 6.0]),
    (1.0, [150.0, 44.0, 0.0]),
];

/// The colours of blue–black–orange. Lightness rises slowly up to 2 % of the scale, where the noise of an image is, fastest between 5 % and
/// 16 %, and slowly to the ends: most edges are small, and dark colours look alike.
const BLUE_BLACK_ORANGE: [Stop; 16] = [
    (-1.0, [140.0, 205.0, 255.0]),
    (-0.5, [57.0, 145.0, 225.0]),
    (-0.25, [33.0, 111.0, 188.0]),
    (-0.16, [23.0, 86.0, 152.0]),
    (-0.1, [17.0, 59.0, 104.0]),
    (-0.05, [13.0, 30.0, 49.0]),
    (-0.02, [11.0, 16.0, 24.0]),
    (-NEAREST, [10.0, 10.0, 12.0]),
    (NEAREST, [10.0, 10.0, 12.0]),
    (0.02, [21.0, 14.0, 12.0]),
    (0.05, [46.0, 23.0, 13.0]),
    (0.1, [98.0, 42.0, 15.0]),
    (0.16, [143.0, 59.0, 16.0]),
    (0.25, [181.0, 77.0, 21.0]),
    (0.5, [220.0, 110.0, 38.0]),
    (1.0, [255.0, 188.0, 112.0]),
];

/// Straight lines between the colours of `stops`; `t` is 0 at the first and 1 at the last.
fn between_stops(stops: &[Stop], t: f32) -> [f32; 3] {
    let value = 2.0 * t.clamp(0.0, 1.0) - 1.0;
    let next = stops.iter().position(|(at, _)| *at >= value).unwrap_or(stops.len() - 1).max(1);
    let ((from, low), (to, high)) = (stops[next - 1], stops[next]);
    let share = (value - from) / (to - from);
    [0, 1, 2].map(|channel| (low[channel] + (high[channel] - low[channel]) * share) / 255.0)
}

fn gradient(preset: impl colorgrad::Gradient + 'static) -> Box<dyn Fn(f32) -> [f32; 3]> {
    Box::new(move |t| {
        let colour = preset.at(t);
        [colour.r, colour.g, colour.b]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_display_is_the_identity() {
        assert!(Display::default().tone().is_identity());
        assert!(Display::default().check().is_ok());
    }

    #[test]
    fn window_and_exposure_map_by_their_formula() {
        let display = Display { exposure: 1.0, offset: 0.1, window: [0.25, 0.75], gamma: 2.0, ..Display::default() };
        let expected = ((0.2 * 2.0 + 0.1 - 0.25_f32) / 0.5).sqrt();
        assert!((display.tone().apply(0.2) - expected).abs() < 1e-6);
    }

    #[test]
    fn absolute_display_drops_the_sign_first() {
        let display = Display { exposure: 2.0, window: [0.1, 1.1], absolute: true, ..Display::default() };
        let tone = display.tone();
        assert_eq!(tone.apply(-0.25), tone.apply(0.25));
        assert!(
            (tone.apply(-0.25) - 0.9).abs() < 1e-6
                && !Display { absolute: true, ..Display::default() }.tone().is_identity()
        );
    }

    #[test]
    fn diverging_maps_have_the_same_luminance_on_both_sides_and_a_small_value_is_seen_on_black() {
        let luminance = |map: ColourMap, value: f32| {
            let linear = map
                .colour(0.5 + 0.5 * value)
                .map(|c| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) });
            0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
        };
        for map in [ColourMap::BlueWhiteOrange, ColourMap::BlueBlackOrange] {
            for step in 1..=16 {
                let value = step as f32 / 16.0;
                let [below, above] = [-value, value].map(|value| luminance(map, value));
                assert!((below - above).abs() < 0.03, "{map:?} at ±{value}: {below} {above}");
            }
        }
        // A twentieth of the scale stands out from black by the contrast of an outline, a tenth by more than twice it, and a fiftieth does
        // not: there is the noise of an image.
        for map in [ColourMap::BlueBlackOrange, ColourMap::OrangeBlackBlue] {
            let contrast = |value: f32| (luminance(map, value) + 0.05) / (luminance(map, 0.0) + 0.05);
            for sign in [-1.0, 1.0] {
                let [fiftieth, twentieth, tenth] = [0.02, 0.05, 0.1].map(|value| contrast(sign * value));
                assert!(fiftieth <= 1.06 && twentieth >= 1.15 && tenth >= 1.6, "{fiftieth} {twentieth} {tenth}");
            }
        }
    }

    /// CIE L* of the dark maps at each step of their table: it rises with the magnitude, without a jump next to the middle.
    #[test]
    fn lightness_of_dark_diverging_maps_rises_from_the_middle_without_a_jump() {
        for map in [ColourMap::BlueBlackOrange, ColourMap::OrangeBlackBlue] {
            let lightness = |step: usize| {
                let linear =
                    map.table()[step].map(|c| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) });
                let luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
                if luminance > 216.0 / 24389.0 { 116.0 * luminance.cbrt() - 16.0 } else { luminance * 24389.0 / 27.0 }
            };
            let middle = COLOUR_STEPS / 2;
            for away in 1..middle {
                for rise in [
                    lightness(middle + away) - lightness(middle + away - 1),
                    lightness(middle - 1 - away) - lightness(middle - away),
                ] {
                    let most = if away < 10 { 0.25 } else { 0.6 };
                    assert!(0.0 < rise && rise < most, "{map:?} rises by {rise} at {away} steps from the middle");
                }
            }
        }
    }

    #[test]
    fn colour_maps_differ_at_the_ends_of_their_range() {
        for row in &COLOUR_MAPS {
            assert_ne!(row.colour_map.colour(0.0), row.colour_map.colour(1.0));
            assert_eq!(row.colour_map.colour(f32::NAN), row.colour_map.colour(-3.0));
        }
    }
}
