//! From values to output: difference, straight alpha, display mapping, integers.

use multiversion::multiversion;

use super::{band_rows, with_samples};
use crate::backend::{ColourMap, Display, Tone};
use crate::filter::ExecOptions;
use crate::image::{Channels, Raster};

/// Values of a band.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    pub(super) values: &'a [f32],
    /// Values of the subtracted request, of the same shape.
    pub(super) subtract: Option<&'a [f32]>,
}

/// Mapping of every pixel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Finish {
    channels: Channels,
    premultiplied: bool,
    subtracts: bool,
    tone: Tone,
    colour_map: ColourMap,
    out: Channels,
}

/// Number type of the output.
pub(super) trait Number: Copy + Default + Send + Sync {
    /// `value` in units of this type's maxval; for an integer rounded to nearest and clamped to 0 … maxval.
    fn from_value(value: f32, maxval: f32) -> Self;
}

/// 1.5·2²³: adding it puts the nearest integer into the low bits of the sum, for values below 2²².
const TO_INTEGER: f32 = 12_582_912.0;

impl Number for u8 {
    #[inline(always)]
    fn from_value(value: f32, maxval: f32) -> Self {
        // `max` first: it maps NaN to 0.
        ((value * maxval).max(0.0).min(maxval) + TO_INTEGER).to_bits() as Self
    }
}

impl Number for u16 {
    #[inline(always)]
    fn from_value(value: f32, maxval: f32) -> Self {
        ((value * maxval).max(0.0).min(maxval) + TO_INTEGER).to_bits() as Self
    }
}

impl Number for f32 {
    #[inline(always)]
    fn from_value(value: f32, _maxval: f32) -> Self {
        value
    }
}

impl Finish {
    /// For values of `channels`, premultiplied if there is alpha.
    pub(super) fn new(channels: Channels, subtracts: bool, display: &Display, out: Channels) -> Self {
        Self {
            channels,
            premultiplied: channels.has_alpha(),
            subtracts,
            tone: display.tone(),
            colour_map: display.colour_map,
            out,
        }
    }

    /// For values with straight alpha, already subtracted.
    pub(super) fn straight(channels: Channels, display: &Display, out: Channels) -> Self {
        Self { premultiplied: false, ..Self::new(channels, false, display, out) }
    }

    /// Calls `render(first row, rows, write)` for every band of `out`, in parallel; `render` passes the band's values
    /// to `write`.
    pub(super) fn run_in_bands(
        &self,
        out: &mut Raster,
        work: &ExecOptions,
        render: impl Fn(usize, usize, &mut dyn FnMut(Rows<'_>)) + Send + Sync,
    ) {
        let stride = out.size().width() as usize * self.out.count();
        let usual = band_rows(out.size().height() as usize, stride);
        with_samples!(out.samples_mut(), |values, maxval| {
            work.for_bands(
                (values, stride),
                usual,
                || (),
                |(), from, band| {
                    render(from, band.len() / stride, &mut |values| self.write(values, maxval, band));
                },
            );
        });
    }

    /// Whether the mapping is the identity.
    fn is_plain(&self) -> bool {
        self.tone.is_identity() && !self.premultiplied && !self.subtracts
    }

    /// Whether values become numbers of the output as they are, with an opaque fourth channel if the output has one.
    pub(super) fn keeps_numbers(&self) -> bool {
        self.is_plain() && (self.channels == self.out || self.adds_opacity())
    }

    fn adds_opacity(&self) -> bool {
        self.channels == Channels::Rgb && self.out == Channels::Rgba
    }

    fn write<T: Number>(&self, rows: Rows<'_>, maxval: f32, out: &mut [T]) {
        let plain = self.is_plain();
        if plain && self.channels == self.out {
            write_plain(rows.values, maxval, out);
        } else if plain && self.adds_opacity() {
            write_opaque(rows.values, maxval, out);
        } else {
            self.write_mapped(rows, maxval, out);
        }
    }

    /// Writes any pixel format with any mapping.
    fn write_mapped<T: Number>(&self, rows: Rows<'_>, maxval: f32, out: &mut [T]) {
        let count = self.channels.count();
        let colours = self.channels.opaque().count();
        let out_count = self.out.count();
        let out_colours = self.out.opaque().count();
        let mapped = !self.colour_map.is_grey() && !self.channels.has_colour();
        for (index, (pixel, out)) in rows.values.chunks_exact(count).zip(out.chunks_exact_mut(out_count)).enumerate() {
            let mut alpha = 1.0;
            let mut colour = [0.0_f32; 3];
            colour[..colours].copy_from_slice(&pixel[..colours]);
            if self.channels.has_alpha() && !self.subtracts {
                alpha = pixel[colours];
            }
            self.straighten(&mut colour, pixel[count - 1]);
            if let Some(subtract) = rows.subtract {
                let other = &subtract[index * count..][..count];
                let mut second = [0.0_f32; 3];
                second[..colours].copy_from_slice(&other[..colours]);
                self.straighten(&mut second, other[count - 1]);
                colour.iter_mut().zip(second).for_each(|(a, b)| *a -= b);
            }
            colour.iter_mut().for_each(|value| *value = self.tone.apply(*value));
            if mapped {
                colour = self.colour_map.colour(colour[0]);
            } else if colours == 1 {
                colour = [colour[0]; 3];
            }
            for (to, value) in out.iter_mut().zip(&colour[..out_colours]) {
                *to = T::from_value(*value, maxval);
            }
            if self.out.has_alpha() {
                out[out_count - 1] = T::from_value(alpha, maxval);
            }
        }
    }

    /// Divides premultiplied colours by alpha; colours at alpha 0 are 0.
    fn straighten(&self, colour: &mut [f32; 3], alpha: f32) {
        if self.premultiplied {
            colour.iter_mut().for_each(|value| *value = if alpha == 0.0 { 0.0 } else { *value / alpha });
        }
    }
}

#[multiversion(targets = "simd")]
fn write_plain<T: Number>(values: &[f32], maxval: f32, out: &mut [T]) {
    for (to, &value) in out.iter_mut().zip(values) {
        *to = T::from_value(value, maxval);
    }
}

#[multiversion(targets = "simd")]
fn write_opaque<T: Number>(values: &[f32], maxval: f32, out: &mut [T]) {
    for (to, from) in out.as_chunks_mut::<4>().0.iter_mut().zip(values.as_chunks::<3>().0) {
        let [r, g, b] = from.map(|value| T::from_value(value, maxval));
        *to = [r, g, b, T::from_value(1.0, maxval)];
    }
}
