//! The display mapping of one pixel, operation by operation.

use crate::backend::{Display, Tone};
use crate::filter::LUMINANCE;
use crate::image::Channels;

/// The values of a pixel between its sum and the number that is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// Colours divided by alpha, where there is alpha; one value per channel.
    pub straight: Vec<f64>,
    /// The same minus the subtracted pixel, which is straight as well; a difference has no alpha.
    pub difference: Option<Vec<f64>>,
    /// Colours after exposure, offset, window, gamma, before the colour map; then alpha.
    pub toned: Vec<f64>,
    /// Of colours the luminance, of grey its value: what a colour map maps.
    pub luminance: f64,
    /// The colour map's colour of it.
    pub mapped: Option<[f64; 3]>,
    /// The numbers of the output, clamped and rounded: those of [`Shown::mapped`] if there is one, else of
    /// [`Shown::toned`].
    pub numbers: Vec<u16>,
    /// The number of white.
    pub maxval: u16,
}

impl Shown {
    /// Shows `total`, premultiplied values of `channels`, minus `subtract`, in integers up to `maxval`.
    pub fn new(
        (total, subtract): (&[f64], Option<&[f64]>),
        channels: Channels,
        display: &Display,
        maxval: u16,
    ) -> Self {
        let straight = straight(total, channels);
        let colours = channels.opaque().count();
        let difference = subtract.map(|other| {
            let other = self::straight(other, channels);
            straight[..colours].iter().zip(&other).map(|(a, b)| a - b).collect::<Vec<f64>>()
        });
        let mut toned = difference.clone().unwrap_or_else(|| straight.clone());
        let tone = display.tone();
        toned[..colours].iter_mut().for_each(|value| *value = apply(&tone, *value));
        let luminance = match toned[..colours] {
            [red, green, blue] => LUMINANCE[0] * red + LUMINANCE[1] * green + LUMINANCE[2] * blue,
            _ => toned[0],
        };
        let is_mapped = !display.colour_map.is_grey();
        let mapped = is_mapped.then(|| display.colour_map.colour(luminance as f32).map(f64::from));
        let rounded = |value: &f64| {
            let number = value * f64::from(maxval);
            // `max` first: it maps NaN to 0.
            number.max(0.0).min(f64::from(maxval)).round_ties_even() as u16
        };
        let numbers = match &mapped {
            Some(colour) => colour.iter().chain(&toned[colours..]).map(rounded).collect(),
            None => toned.iter().map(rounded).collect(),
        };
        Self { straight, difference, toned, luminance, mapped, numbers, maxval }
    }
}

/// Premultiplied values divided by their alpha; colours at alpha 0 are 0.
fn straight(total: &[f64], channels: Channels) -> Vec<f64> {
    let mut values = total.to_vec();
    if channels.has_alpha()
        && let Some((&mut alpha, colours)) = values.split_last_mut()
    {
        colours.iter_mut().for_each(|colour| *colour = if alpha == 0.0 { 0.0 } else { *colour / alpha });
    }
    values
}

/// [`Tone::apply`] in double precision.
fn apply(tone: &Tone, value: f64) -> f64 {
    let value = if tone.absolute { value.abs() } else { value };
    let linear = value * f64::from(tone.gain) + f64::from(tone.bias);
    if tone.power == 1.0 { linear } else { linear.abs().powf(f64::from(tone.power)).copysign(linear) }
}
