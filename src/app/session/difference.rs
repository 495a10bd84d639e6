//! Display of a difference: gain, sign and colour map. The gain is fixed, or follows the measured values of the view.

use std::array;

use super::Session;
use crate::backend::{COLOUR_MAPS, ColourMap, Display};

/// Largest share of the values beyond the scale of an automatic gain, so that a few pixels do not make all others dark.
const MAX_BEYOND: f64 = 0.005;

/// Gain of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gain {
    /// Chosen from the differences of the view, by [`Session::settle_gain`].
    Automatic,
    /// The power of two with this binary logarithm, 0 … [`Gain::MAX_LOG2`].
    Fixed(u8),
}

impl Gain {
    /// Maximum of the binary logarithm: gain 4096.
    pub const MAX_LOG2: u8 = 12;

    /// Number of automatic gains.
    pub const AUTOMATIC: usize = 4 * Self::MAX_LOG2 as usize + 1;

    /// The automatic gains: 1, 1.25, 1.5, 1.75, 2, 2.5 … 4096. The powers of two among them are the fixed ones.
    pub fn automatic() -> [f64; Self::AUTOMATIC] {
        array::from_fn(|index| ((index / 4) as f64).exp2() * (1.0 + 0.25 * (index % 4) as f64))
    }
}

/// Display of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The gain. At gain 1 the colour map spans ±1.
    pub gain: Gain,
    /// Whether the absolute difference is shown.
    pub absolute: bool,
    /// Colour map of the signed difference; `None` is that of the theme.
    pub signed_map: Option<ColourMap>,
    /// Colour map of the absolute difference; `None` is that of the theme.
    pub absolute_map: Option<ColourMap>,
}

/// Lightness of the theme around the pictures. It selects the colour maps of differences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ground {
    /// Dark.
    #[default]
    Dark,
    /// Light.
    Light,
}

/// What the colour map of a difference depends on unless one was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsualMap {
    /// Lightness around the pictures.
    pub ground: Ground,
    /// Whether the first panel's own colour is nearer to blue than the second's.
    pub is_first_bluer: bool,
}

/// Indices of panels by the hue of their own colour, from blue to orange.
pub(in crate::app) const FROM_BLUE: [usize; Session::MAX_PANELS] = [0, 8, 6, 2, 7, 3, 5, 4, 1];

impl Default for Difference {
    fn default() -> Self {
        Self { gain: Gain::Automatic, absolute: false, signed_map: None, absolute_map: None }
    }
}

impl Difference {
    /// The colour map in use. Without a chosen one, no difference has the lightness of the ground, and a signed one is blue where the
    /// panel is larger whose own colour is nearer to blue, and orange where the other one is.
    pub fn map(&self, usual: UsualMap) -> ColourMap {
        let UsualMap { ground, is_first_bluer } = usual;
        let chosen = if self.absolute { self.absolute_map } else { self.signed_map };
        chosen.unwrap_or(match (self.absolute, ground, is_first_bluer) {
            (false, Ground::Dark, true) => ColourMap::OrangeBlackBlue,
            (false, Ground::Dark, false) => ColourMap::BlueBlackOrange,
            (false, Ground::Light, true) => ColourMap::OrangeWhiteBlue,
            (false, Ground::Light, false) => ColourMap::BlueWhiteOrange,
            (true, Ground::Dark, _) => ColourMap::Inferno,
            (true, Ground::Light, _) => ColourMap::WhiteRed,
        })
    }

    /// This difference with `map` for the kind in use.
    #[must_use]
    pub fn with_map(self, map: Option<ColourMap>) -> Self {
        if self.absolute { Self { absolute_map: map, ..self } } else { Self { signed_map: map, ..self } }
    }

    /// This difference with the next colour map of the kind in use.
    #[must_use]
    pub fn with_next_map(self, usual: UsualMap) -> Self {
        self.with_map(Some(COLOUR_MAPS[(self.map(usual) as usize + 1) % COLOUR_MAPS.len()].colour_map))
    }

    /// Display mapping at `gain`.
    pub(super) fn display(&self, gain: f64, usual: UsualMap) -> Display {
        Display {
            exposure: gain.log2() as f32,
            window: if self.absolute { [0.0, 1.0] } else { [-1.0, 1.0] },
            colour_map: self.map(usual),
            absolute: self.absolute,
            ..Display::default()
        }
    }
}

impl Session {
    /// Lightness of the theme.
    pub fn ground(&self) -> Ground {
        self.ground
    }

    /// What the colour map of the difference of `pair` depends on unless one was chosen.
    pub fn usual_map(&self, pair: [usize; 2]) -> UsualMap {
        let [first, second] = pair.map(|index| FROM_BLUE.iter().position(|panel| *panel == index));
        UsualMap { ground: self.ground, is_first_bluer: first < second }
    }

    /// The colour map of the difference of `pair`.
    pub fn difference_map(&self, pair: [usize; 2]) -> ColourMap {
        self.difference().map(self.usual_map(pair))
    }

    /// Sets the lightness of the theme.
    pub fn set_ground(&mut self, ground: Ground) {
        self.ground = ground;
    }

    /// Display of differences.
    pub fn difference(&self) -> Difference {
        self.comparison.difference
    }

    /// Sets the display of differences.
    pub fn set_difference(&mut self, difference: Difference) {
        let gain = match difference.gain {
            Gain::Automatic => Gain::Automatic,
            Gain::Fixed(log2) => Gain::Fixed(log2.min(Gain::MAX_LOG2)),
        };
        self.comparison.difference = Difference { gain, ..difference };
    }

    /// The gain in force. An automatic gain is 1 until values were measured.
    pub fn gain(&self) -> f64 {
        match self.comparison.difference.gain {
            Gain::Automatic => self.automatic_gain.unwrap_or(1.0),
            Gain::Fixed(log2) => f64::from(log2).exp2(),
        }
    }

    /// Binary logarithm of the greatest power of two that is at most the gain in force.
    pub fn gain_log2(&self) -> u8 {
        self.gain().log2().floor() as u8
    }

    /// The differences at both ends of the colour map, where 1 is maxval.
    pub fn difference_range(&self) -> [f64; 2] {
        let end = self.gain().recip();
        [if self.difference().absolute { 0.0 } else { -end }, end]
    }

    /// Sets the automatic gain for a view of which the share `beyond` of each of [`Gain::automatic`] lies beyond the scale: the
    /// greatest gain with at most 0.5 % beyond, 1 if there is none. The present one is kept while it has at most as much beyond and
    /// is the greatest such gain or the one before, so that values near a gain do not switch it back and forth. Returns
    /// whether it changed.
    pub fn settle_gain(&mut self, beyond: &[f64; Gain::AUTOMATIC]) -> bool {
        let gains = Gain::automatic();
        let greatest = beyond.iter().rposition(|share| *share <= MAX_BEYOND).unwrap_or(0);
        let kept = &gains[greatest.saturating_sub(1)..=greatest];
        if self.automatic_gain.is_some_and(|gain| kept.contains(&gain)) {
            return false;
        }
        self.automatic_gain = Some(gains[greatest]);
        true
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::image::{Channels, Depth, Image, Page, Raster};
    use crate::test_support::size;

    fn session() -> Session {
        let page = Page::new(Raster::zeros(size(8, 6), Channels::Grey, Depth::EIGHT));
        Session::new(Arc::new(Image::new("zeros", vec![page]).expect("an image")))
    }

    /// Shares beyond the scales of values that are all `max`, but for `few` of them, which are 1.
    fn beyond(max: f64, few: f64) -> [f64; Gain::AUTOMATIC] {
        Gain::automatic().map(|gain| {
            let of_all = if max * gain > 1.0 { 1.0 - few } else { 0.0 };
            let of_few = if gain > 1.0 { few } else { 0.0 };
            of_all + of_few
        })
    }

    #[test]
    fn automatic_gains_are_rising_quarters_between_powers_of_two() {
        let gains = Gain::automatic();
        assert_eq!(gains[..6], [1.0, 1.25, 1.5, 1.75, 2.0, 2.5]);
        assert_eq!(gains.last(), Some(&4096.0));
        assert!(gains.is_sorted());
    }

    #[test]
    fn first_automatic_gain_is_the_greatest_whose_scale_has_all_but_few_differences() {
        for (max, gain) in [
            (7.0, 1.0),
            (1.0, 1.0),
            (0.81, 1.0),
            (0.8, 1.25),
            (0.500_001, 1.75),
            (0.5, 2.0),
            (34.39 / 255.0, 7.0),
            (0.125, 8.0),
            (0.000_244_140_625, 4096.0),
            (1e-9, 4096.0),
        ] {
            for (few, gain) in [(0.0, gain), (MAX_BEYOND, gain), (0.006, 1.0)] {
                let mut session = session();
                assert_eq!((session.difference().gain, session.gain()), (Gain::Automatic, 1.0));
                session.settle_gain(&beyond(max, few));
                assert_eq!(session.gain(), gain, "{max} and {few} of 1");
                let [low, high] = session.difference_range();
                assert!(few > MAX_BEYOND || max > 1.0 || (max <= high && -max >= low), "no more lies beyond: {max}");
                assert_eq!(session.difference_request([0, 1]).display.exposure, gain.log2() as f32);
            }
        }
    }

    #[test]
    fn automatic_gain_is_kept_while_it_is_one_step_from_the_greatest() {
        let mut session = session();
        for (max, changes, gain) in [
            (0.25, true, 4.0),
            (0.249, false, 4.0),
            (0.167, false, 4.0),
            (0.166, true, 6.0),
            (0.2, true, 5.0),
            (0.201, true, 4.0),
            (0.2501, true, 3.5),
            (9.0, true, 1.0),
            (9.5, false, 1.0),
        ] {
            assert_eq!((session.settle_gain(&beyond(max, 0.0)), session.gain()), (changes, gain), "{max}");
        }
    }

    #[test]
    fn fixed_gain_is_independent_of_the_measured_values() {
        let mut session = session();
        session.set_difference(Difference { gain: Gain::Fixed(5), ..session.difference() });
        session.settle_gain(&beyond(0.25, 0.0));
        assert_eq!((session.gain(), session.difference_range()), (32.0, [-0.031_25, 0.031_25]));
        session.set_difference(Difference { gain: Gain::Automatic, absolute: true, ..session.difference() });
        assert_eq!((session.gain(), session.difference_range()), (4.0, [0.0, 0.25]));
        session.set_difference(Difference { gain: Gain::Fixed(200), ..session.difference() });
        assert_eq!(session.difference().gain, Gain::Fixed(Gain::MAX_LOG2));
    }
}
