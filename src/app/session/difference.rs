//! Display of a difference: gain, sign and colour map. The gain is fixed, or follows the measured values of the view.

use std::ops::RangeInclusive;

use super::Session;
use crate::backend::{COLOUR_MAPS, ColourMap, Display};

/// Parts of the scale that measured values fill while an automatic gain is kept. A newly chosen gain fills more than a half
/// and at most all of it, so that values near a power of two do not switch the gain back and forth.
const KEPT_FILL: RangeInclusive<f64> = 0.45..=1.1;

/// Gain of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gain {
    /// Chosen from the measured values of the view, by [`Session::settle_gain`].
    Automatic,
    /// The power of two with this binary logarithm, 0 … [`Gain::MAX_LOG2`].
    Fixed(u8),
}

impl Gain {
    /// Maximum of the binary logarithm: gain 4096.
    pub const MAX_LOG2: u8 = 12;

    /// Binary logarithm of the greatest gain for which a difference of `bound`, where 1 is maxval, is within the scale; 0 if
    /// none is.
    fn greatest_log2(bound: f64) -> u8 {
        (0..=Self::MAX_LOG2).rev().find(|log2| fill(bound, *log2) <= 1.0).unwrap_or(0)
    }
}

/// The part of the scale at gain 2^`log2` that a difference of `bound` fills.
fn fill(bound: f64, log2: u8) -> f64 {
    bound * f64::from(log2).exp2()
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

impl Default for Difference {
    fn default() -> Self {
        Self { gain: Gain::Automatic, absolute: false, signed_map: None, absolute_map: None }
    }
}

impl Difference {
    /// The colour map in use over `ground`. Without a chosen one, no difference has the lightness of the ground, and a
    /// signed one is blue below and orange above 0 over either ground.
    pub fn map(&self, ground: Ground) -> ColourMap {
        let chosen = if self.absolute { self.absolute_map } else { self.signed_map };
        chosen.unwrap_or(match (self.absolute, ground) {
            (false, Ground::Dark) => ColourMap::BlueBlackOrange,
            (false, Ground::Light) => ColourMap::BlueWhiteOrange,
            (true, Ground::Dark) => ColourMap::Inferno,
            (true, Ground::Light) => ColourMap::WhiteRed,
        })
    }

    /// This difference with `map` for the kind in use.
    #[must_use]
    pub fn with_map(self, map: Option<ColourMap>) -> Self {
        if self.absolute { Self { absolute_map: map, ..self } } else { Self { signed_map: map, ..self } }
    }

    /// This difference with the next colour map of the kind in use.
    #[must_use]
    pub fn with_next_map(self, ground: Ground) -> Self {
        self.with_map(Some(COLOUR_MAPS[(self.map(ground) as usize + 1) % COLOUR_MAPS.len()].colour_map))
    }

    /// Display mapping over `ground` at gain 2^`gain_log2`.
    pub(super) fn display(&self, gain_log2: u8, ground: Ground) -> Display {
        Display {
            exposure: f32::from(gain_log2),
            window: if self.absolute { [0.0, 1.0] } else { [-1.0, 1.0] },
            colour_map: self.map(ground),
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

    /// Binary logarithm of the gain in force. An automatic gain is 1 until values were measured.
    pub fn gain_log2(&self) -> u8 {
        match self.comparison.difference.gain {
            Gain::Automatic => self.automatic_gain_log2.unwrap_or(0),
            Gain::Fixed(log2) => log2,
        }
    }

    /// The differences at both ends of the colour map, where 1 is maxval.
    pub fn difference_range(&self) -> [f64; 2] {
        let end = f64::from(self.gain_log2()).exp2().recip();
        [if self.difference().absolute { 0.0 } else { -end }, end]
    }

    /// Sets the automatic gain for a view whose differences are within ±`bound`, where 1 is maxval: the greatest power of two
    /// for which they are within the scale. The present one is kept while they fill 45 to 110 % of the scale, and for
    /// `bound` 0. Returns whether it changed.
    pub fn settle_gain(&mut self, bound: f64) -> bool {
        let is_kept = self.automatic_gain_log2.is_some_and(|log2| KEPT_FILL.contains(&fill(bound, log2)));
        if is_kept || bound == 0.0 {
            return false;
        }
        let settled = Some(Gain::greatest_log2(bound));
        std::mem::replace(&mut self.automatic_gain_log2, settled) != settled
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

    #[test]
    fn first_automatic_gain_is_the_greatest_whose_scale_has_the_bound() {
        for (bound, log2) in
            [(7.0, 0), (1.0, 0), (0.500_001, 0), (0.5, 1), (0.126, 2), (0.125, 3), (0.000_244_140_625, 12), (1e-9, 12)]
        {
            let mut session = session();
            assert_eq!((session.difference().gain, session.gain_log2()), (Gain::Automatic, 0));
            session.settle_gain(bound);
            assert_eq!(session.gain_log2(), log2, "{bound}");
            assert_eq!(session.difference_request([0, 1]).display.exposure, f32::from(log2));
        }
    }

    #[test]
    fn automatic_gain_is_kept_near_a_power_of_two_and_without_a_difference() {
        let mut session = session();
        for (bound, changes, log2) in [
            (0.25, true, 2),
            (0.26, false, 2),
            (0.249, false, 2),
            (0.124, false, 2),
            (0.113, false, 2),
            (0.0, false, 2),
            (0.112, true, 3),
            (0.13, false, 3),
            (0.137, false, 3),
            (0.138, true, 2),
            (9.0, true, 0),
            (9.5, false, 0),
        ] {
            assert_eq!((session.settle_gain(bound), session.gain_log2()), (changes, log2), "{bound}");
        }
    }

    #[test]
    fn fixed_gain_is_independent_of_the_measured_values() {
        let mut session = session();
        session.set_difference(Difference { gain: Gain::Fixed(5), ..session.difference() });
        session.settle_gain(0.25);
        assert_eq!((session.gain_log2(), session.difference_range()), (5, [-0.031_25, 0.031_25]));
        session.set_difference(Difference { gain: Gain::Automatic, absolute: true, ..session.difference() });
        assert_eq!((session.gain_log2(), session.difference_range()), (2, [0.0, 0.25]));
        session.set_difference(Difference { gain: Gain::Fixed(200), ..session.difference() });
        assert_eq!(session.difference().gain, Gain::Fixed(Gain::MAX_LOG2));
    }
}
