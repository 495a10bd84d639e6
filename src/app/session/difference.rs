//! Display of a difference: gain, sign and colour map. The gain is fixed, or follows the measured values of the view.

use std::ops::RangeInclusive;

use super::Session;
use crate::backend::{COLOUR_MAPS, ColourMap, Display};

/// Parts of the scale that the largest difference fills while an automatic gain is kept. A newly chosen gain fills more than 0.8 of it
/// and at most all, so that values near a gain do not switch it back and forth. Nothing lies beyond the scale.
const KEPT_FILL: RangeInclusive<f64> = 0.72..=1.0;
/// The automatic gains from a power of two to the next one, as multiples of it.
const STEPS: [f64; 4] = [1.0, 1.25, 1.5, 1.75];

/// Gain of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gain {
    /// Chosen from the largest difference of the view, by [`Session::settle_gain`].
    Automatic,
    /// The power of two with this binary logarithm, 0 … [`Gain::MAX_LOG2`].
    Fixed(u8),
}

impl Gain {
    /// Maximum of the binary logarithm: gain 4096.
    pub const MAX_LOG2: u8 = 12;

    /// The greatest of 1, 1.25, 1.5, 1.75, 2, 2.5 … 4096 for which a difference of `max`, where 1 is maxval, is within the scale; 1
    /// if none is.
    fn greatest(max: f64) -> f64 {
        let powers = (0..=Self::MAX_LOG2).map(|log2| f64::from(log2).exp2());
        let gains = powers.flat_map(|power| STEPS.map(|step| step * power));
        let most = f64::from(Self::MAX_LOG2).exp2();
        gains.filter(|gain| *gain <= most && max * gain <= 1.0).fold(1.0, f64::max)
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

    /// Display mapping over `ground` at `gain`.
    pub(super) fn display(&self, gain: f64, ground: Ground) -> Display {
        Display {
            exposure: gain.log2() as f32,
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

    /// Sets the automatic gain for a view whose largest difference is `max`, where 1 is maxval: the greatest one for which it is
    /// within the scale. The present one is kept while it fills 72 to 100 % of the scale, and for `max` 0. Returns whether
    /// it changed.
    pub fn settle_gain(&mut self, max: f64) -> bool {
        let is_kept = self.automatic_gain.is_some_and(|gain| KEPT_FILL.contains(&(max * gain)));
        if is_kept || max == 0.0 {
            return false;
        }
        let settled = Some(Gain::greatest(max));
        std::mem::replace(&mut self.automatic_gain, settled) != settled
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
    fn first_automatic_gain_is_the_greatest_whose_scale_has_the_largest_difference() {
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
            let mut session = session();
            assert_eq!((session.difference().gain, session.gain()), (Gain::Automatic, 1.0));
            session.settle_gain(max);
            assert_eq!(session.gain(), gain, "{max}");
            let [low, high] = session.difference_range();
            assert!(max > 1.0 || (max <= high && -max >= low), "nothing lies beyond: {max}");
            assert_eq!(session.difference_request([0, 1]).display.exposure, gain.log2() as f32);
        }
    }

    #[test]
    fn automatic_gain_is_kept_while_the_largest_difference_fills_most_of_the_scale() {
        let mut session = session();
        for (max, changes, gain) in [
            (0.25, true, 4.0),
            (0.249, false, 4.0),
            (0.18, false, 4.0),
            (0.0, false, 4.0),
            (0.179, true, 5.0),
            (0.2, false, 5.0),
            (0.201, true, 4.0),
            (0.2501, true, 3.5),
            (9.0, true, 1.0),
            (9.5, false, 1.0),
        ] {
            assert_eq!((session.settle_gain(max), session.gain()), (changes, gain), "{max}");
        }
    }

    #[test]
    fn fixed_gain_is_independent_of_the_measured_values() {
        let mut session = session();
        session.set_difference(Difference { gain: Gain::Fixed(5), ..session.difference() });
        session.settle_gain(0.25);
        assert_eq!((session.gain(), session.difference_range()), (32.0, [-0.031_25, 0.031_25]));
        session.set_difference(Difference { gain: Gain::Automatic, absolute: true, ..session.difference() });
        assert_eq!((session.gain(), session.difference_range()), (4.0, [0.0, 0.25]));
        session.set_difference(Difference { gain: Gain::Fixed(200), ..session.difference() });
        assert_eq!(session.difference().gain, Gain::Fixed(Gain::MAX_LOG2));
    }
}
