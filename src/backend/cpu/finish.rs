//! From values to output: difference, straight alpha, display mapping, integers.

use super::instructions::Instructions;
use super::straight::straighten;
use super::vectors::{PACKED, PARTS, Vectors, rounded};
use super::{band_rows, with_samples};
use crate::backend::{ColourMap, Display, Tone, mapped_value};
use crate::filter::ExecOptions;
use crate::image::{Channels, Raster};

/// Values of a band; mapping changes them.
pub(super) struct Rows<'a> {
    pub(super) values: &'a mut [f32],
    /// Values of the subtracted request, of the same shape.
    pub(super) subtract: Option<&'a mut [f32]>,
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
    instructions: Instructions,
}

/// What becomes of a pixel's values on the way to numbers of the output.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Pixels {
    /// They stay.
    Kept,
    /// A fourth one, which is opaque, is added.
    Opaque,
    /// Three colours are divided by their alpha.
    Straight,
}

/// Number type of the output.
pub(super) trait Number: Copy + Default + Send + Sync {
    /// `value` in units of this type's maxval; for an integer rounded to nearest and clamped to 0 … maxval.
    fn from_value(value: f32, maxval: f32) -> Self;

    /// The same for a number, whose unit is 1.
    fn from_number(number: f32, maxval: f32) -> Self;

    /// [`Number::from_value`] of many values.
    fn pack<V: Vectors>(simd: V, values: [V::Floats; PARTS], maxval: f32, out: &mut [Self; PACKED]);
}

/// Values in units of `maxval` as numbers.
#[inline(always)]
fn scaled<V: Vectors>(simd: V, mut values: [V::Floats; PARTS], maxval: f32) -> [V::Floats; PARTS] {
    for value in &mut values {
        *value = simd.mul(*value, simd.splat(maxval));
    }
    values
}

impl Number for u8 {
    #[inline(always)]
    fn from_value(value: f32, maxval: f32) -> Self {
        rounded(value * maxval, maxval) as Self
    }

    #[inline(always)]
    fn from_number(number: f32, maxval: f32) -> Self {
        rounded(number, maxval) as Self
    }

    #[inline(always)]
    fn pack<V: Vectors>(simd: V, values: [V::Floats; PARTS], maxval: f32, out: &mut [Self; PACKED]) {
        simd.bytes(scaled(simd, values, maxval), maxval, out);
    }
}

impl Number for u16 {
    #[inline(always)]
    fn from_value(value: f32, maxval: f32) -> Self {
        rounded(value * maxval, maxval) as Self
    }

    #[inline(always)]
    fn from_number(number: f32, maxval: f32) -> Self {
        rounded(number, maxval) as Self
    }

    #[inline(always)]
    fn pack<V: Vectors>(simd: V, values: [V::Floats; PARTS], maxval: f32, out: &mut [Self; PACKED]) {
        simd.shorts(scaled(simd, values, maxval), maxval, out);
    }
}

impl Number for f32 {
    #[inline(always)]
    fn from_value(value: f32, _maxval: f32) -> Self {
        value
    }

    #[inline(always)]
    fn from_number(number: f32, _maxval: f32) -> Self {
        number
    }

    #[inline(always)]
    fn pack<V: Vectors>(simd: V, values: [V::Floats; PARTS], _maxval: f32, out: &mut [Self; PACKED]) {
        for (values, out) in values.into_iter().zip(out.as_chunks_mut().0) {
            *out = simd.array(values);
        }
    }
}

impl Finish {
    /// For values of `channels`, premultiplied if there is alpha.
    pub(super) fn new(
        channels: Channels,
        subtracts: bool,
        display: &Display,
        out: Channels,
        instructions: Instructions,
    ) -> Self {
        Self {
            channels,
            premultiplied: channels.has_alpha(),
            subtracts,
            tone: display.tone(),
            colour_map: display.colour_map,
            out,
            instructions,
        }
    }

    /// For values with straight alpha, already subtracted.
    pub(super) fn straight(channels: Channels, display: &Display, out: Channels) -> Self {
        Self { premultiplied: false, ..Self::new(channels, false, display, out, Instructions::best()) }
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
        self.is_unmapped() && !self.premultiplied
    }

    /// The same but for the division by alpha.
    fn is_unmapped(&self) -> bool {
        self.tone.is_identity() && !self.subtracts
    }

    /// What becomes of values on the way to numbers of the output; `None` if they are mapped.
    pub(super) fn pixels(&self) -> Option<Pixels> {
        let is_colour_with_alpha = [self.channels, self.out] == [Channels::Rgba; 2];
        if self.is_unmapped() && !self.is_coloured() && self.premultiplied && is_colour_with_alpha {
            return Some(Pixels::Straight);
        }
        let kept = if self.adds_opacity() { Pixels::Opaque } else { Pixels::Kept };
        self.keeps_numbers().then_some(kept)
    }

    /// Whether values become numbers of the output as they are, with an opaque fourth channel if the output has one.
    pub(super) fn keeps_numbers(&self) -> bool {
        self.is_plain() && !self.is_coloured() && (self.channels == self.out || self.adds_opacity())
    }

    /// Whether grey values, or the luminance of colours, select colours.
    fn is_coloured(&self) -> bool {
        !self.colour_map.is_grey()
    }

    fn adds_opacity(&self) -> bool {
        self.channels == Channels::Rgb && self.out == Channels::Rgba
    }

    fn write<T: Number>(&self, mut rows: Rows<'_>, maxval: f32, out: &mut [T]) {
        self.instructions.run(
            #[inline(always)]
            || match self.channels {
                Channels::Grey => self.write_channels::<T, 1>(&mut rows, maxval, out),
                Channels::GreyAlpha => self.write_channels::<T, 2>(&mut rows, maxval, out),
                Channels::Rgb => self.write_channels::<T, 3>(&mut rows, maxval, out),
                Channels::Rgba => self.write_channels::<T, 4>(&mut rows, maxval, out),
            },
        );
    }

    #[inline(always)]
    fn write_channels<T: Number, const CHANNELS: usize>(&self, rows: &mut Rows<'_>, maxval: f32, out: &mut [T]) {
        let Rows { values, subtract } = rows;
        if !self.is_plain() {
            self.map_values::<CHANNELS>(
                values.as_chunks_mut().0,
                subtract.as_deref_mut().map(|values| values.as_chunks_mut().0),
            );
        }
        if self.channels == self.out && !self.is_coloured() {
            write_plain(values, maxval, out);
        } else if self.adds_opacity() && !self.is_coloured() {
            write_opaque(values, maxval, out);
        } else {
            self.write_mapped::<T, CHANNELS>(values, maxval, out);
        }
    }

    /// Straight colours, their difference, their tones. The alpha of a difference is 1.
    #[inline(always)]
    fn map_values<const CHANNELS: usize>(
        &self,
        values: &mut [[f32; CHANNELS]],
        subtract: Option<&mut [[f32; CHANNELS]]>,
    ) {
        let colours = self.channels.opaque().count();
        if self.premultiplied {
            straighten(values);
        }
        if let Some(subtract) = subtract {
            if self.premultiplied {
                straighten(subtract);
            }
            for (pixel, other) in values.iter_mut().zip(subtract) {
                for channel in 0..CHANNELS {
                    pixel[channel] -= other[channel];
                }
                for alpha in &mut pixel[colours..] {
                    *alpha = 1.0;
                }
            }
        }
        if !self.tone.is_identity() {
            let tone = self.tone;
            for pixel in values {
                for value in &mut pixel[..colours] {
                    *value = tone.apply(*value);
                }
            }
        }
    }

    /// Writes mapped values in any other channels: grey in all three colours, or in those of the colour map.
    #[inline(always)]
    fn write_mapped<T: Number, const CHANNELS: usize>(&self, values: &[f32], maxval: f32, out: &mut [T]) {
        let colours = self.channels.opaque().count();
        let out_count = self.out.count();
        let out_colours = self.out.opaque().count();
        for (pixel, out) in values.as_chunks::<CHANNELS>().0.iter().zip(out.chunks_exact_mut(out_count)) {
            let colour = if self.is_coloured() {
                self.colour_map.colour(mapped_value(&pixel[..colours]))
            } else if colours == 1 {
                [pixel[0]; 3]
            } else {
                [pixel[0], pixel[1 % CHANNELS], pixel[2 % CHANNELS]]
            };
            for (to, value) in out.iter_mut().zip(&colour[..out_colours]) {
                *to = T::from_value(*value, maxval);
            }
            if self.out.has_alpha() {
                let alpha = if self.channels.has_alpha() { pixel[CHANNELS - 1] } else { 1.0 };
                out[out_count - 1] = T::from_value(alpha, maxval);
            }
        }
    }
}

#[inline(always)]
fn write_plain<T: Number>(values: &[f32], maxval: f32, out: &mut [T]) {
    let values = &values[..out.len()];
    for place in 0..out.len() {
        out[place] = T::from_value(values[place], maxval);
    }
}

#[inline(always)]
fn write_opaque<T: Number>(values: &[f32], maxval: f32, out: &mut [T]) {
    let out = out.as_chunks_mut::<4>().0;
    let values = &values.as_chunks::<3>().0[..out.len()];
    for pixel in 0..out.len() {
        for channel in 0..3 {
            out[pixel][channel] = T::from_value(values[pixel][channel], maxval);
        }
        out[pixel][3] = T::from_value(1.0, maxval);
    }
}
