//! Point filters: each pixel separately, on straight colours.

use multiversion::multiversion;
use multiversion::target::target_cfg_f;

use super::power::power;
use super::{ExecOptions, Plane};
use crate::image::Channels;

/// Pixels of one task, rounded to whole rows.
const TASK: usize = 1 << 15;

/// Weights of red, green and blue in the luminance (document 004).
pub const LUMINANCE: [f64; 3] = [0.3, 0.59, 0.11];

/// Maps the straight colours of `plane` into `out` by `map(colours per pixel, colours)`. Alpha is kept; colours at
/// alpha 0 are 0.
pub(super) fn apply(map: impl Fn(usize, &mut [f32]) + Sync, plane: &Plane, work: &ExecOptions, out: &mut [f32]) {
    let stride = plane.stride();
    work.for_bands((out, stride), task_rows(plane.channels, stride), Vec::new, |straight, from, out| {
        out.copy_from_slice(&plane.values[from * stride..][..out.len()]);
        map_pixels(&map, plane.channels, straight, out);
    });
}

/// Maps the straight colours of `plane` in place, with a buffer for each task.
pub(super) fn apply_in_place(map: impl Fn(usize, &mut [f32]) + Sync, plane: &mut Plane, work: &ExecOptions) {
    let (channels, stride) = (plane.channels, plane.stride());
    work.for_bands((&mut plane.values, stride), task_rows(channels, stride), Vec::new, |straight, _, pixels| {
        map_pixels(&map, channels, straight, pixels);
    });
}

/// Rows of one task.
fn task_rows(channels: Channels, stride: usize) -> usize {
    (TASK * channels.count()).div_ceil(stride)
}

/// Maps premultiplied pixels; `straight` is a reused buffer.
fn map_pixels(map: impl Fn(usize, &mut [f32]), channels: Channels, straight: &mut Vec<f32>, pixels: &mut [f32]) {
    let (count, colours) = (channels.count(), channels.opaque().count());
    if !channels.has_alpha() {
        map(colours, pixels);
        return;
    }
    straight.clear();
    for pixel in pixels.chunks_exact(count) {
        let alpha = pixel[colours];
        straight.extend(pixel[..colours].iter().map(|&value| if alpha == 0.0 { 0.0 } else { value / alpha }));
    }
    map(colours, straight);
    for (pixel, straight) in pixels.chunks_exact_mut(count).zip(straight.chunks_exact(colours)) {
        let alpha = pixel[colours];
        let premultiplied = straight.iter().map(|&value| if alpha == 0.0 { 0.0 } else { value * alpha });
        pixel[..colours].iter_mut().zip(premultiplied).for_each(|(to, value)| *to = value);
    }
}

/// |I|^γ with the sign of I. NaN stays NaN, infinities stay infinite.
pub(super) fn gamma(parameters: &[f64], _colours: usize, values: &mut [f32]) {
    let exponent = parameters[0] as f32;
    if exponent != 1.0 {
        raise(values, exponent);
    }
}

#[multiversion(targets = "simd")]
fn raise(values: &mut [f32], exponent: f32) {
    let fused = target_cfg_f!(target_feature = "fma");
    for value in values {
        *value = power(fused, value.abs(), exponent).copysign(*value);
    }
}

/// 1 − I.
pub(super) fn negative(_parameters: &[f64], _colours: usize, values: &mut [f32]) {
    subtract_from_one(values);
}

#[multiversion(targets = "simd")]
fn subtract_from_one(values: &mut [f32]) {
    values.iter_mut().for_each(|value| *value = 1.0 - *value);
}

/// factor·(colour·I + (1 − colour)·luminance). For colour 1 the luminance is not computed.
pub(super) fn brightness(parameters: &[f64], colours: usize, values: &mut [f32]) {
    let [factor, colour] = [parameters[0], parameters[1]];
    if colours == 1 || colour == 1.0 {
        multiply(values, factor as f32);
    } else {
        let kept = (factor * colour) as f32;
        let weights = LUMINANCE.map(|weight| (weight * factor * (1.0 - colour)) as f32);
        mix(values.as_chunks_mut::<3>().0, kept, weights);
    }
}

#[multiversion(targets = "simd")]
fn multiply(values: &mut [f32], factor: f32) {
    values.iter_mut().for_each(|value| *value *= factor);
}

#[multiversion(targets = "simd")]
fn mix(pixels: &mut [[f32; 3]], kept: f32, weights: [f32; 3]) {
    for pixel in pixels {
        let luminance = weights[0] * pixel[0] + weights[1] * pixel[1] + weights[2] * pixel[2];
        *pixel = pixel.map(|value| kept * value + luminance);
    }
}
