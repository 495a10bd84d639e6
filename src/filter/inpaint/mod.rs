//! Inpainting: samples of a mask are replaced by what those around them suggest.
//!
//! | kind | filled sample |
//! |---|---|
//! | `normalized-convolution` | Σ w·c·I / Σ w·c with w = exp(−d²/2σ²) out to ⌈4σ⌉ along each axis and the certainty c, 1 for a known sample and 0 for another (Knutsson and Westin, "Normalized and differential convolution", CVPR 1993); where no known sample is within reach, σ is doubled until one is |
//! | `membrane` | the mean of its four neighbours, filled ones included: Laplace's equation with the known samples as its boundary, which gives back a ramp |
//!
//! Neighbours beyond an edge follow the address modes; under `border` they are known and have the constant's value. A value
//! that is not finite is not known, and is left where it is. Holes that no known sample bounds become 0.
//!
//! By `alpha` the colours are filled straight and the filled samples become opaque; by any other mask all channels are filled
//! premultiplied, alpha among them. The tint is mixed into what is filled: orange into colours, white into grey.

mod membrane;
mod normalized;
mod reference;

use super::{Edges, ExecOptions, Mask, ParameterChoice, Plane};
use crate::image::Channels;

pub(super) use self::reference::inpaint as reference;

/// The kinds, by the value of the first parameter.
pub(super) static INPAINT_KINDS: &[ParameterChoice] = &[
    ParameterChoice { name: "normalized-convolution", title: "Normalized convolution" },
    ParameterChoice { name: "membrane", title: "Membrane" },
];

/// How a hole is filled.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    NormalizedConvolution { sigma: f64 },
    Membrane,
}

/// A step of `inpaint` for one chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inpainting {
    mask: Mask,
    kind: Kind,
    tint: f64,
}

/// Colour of the tint: orange.
const TINT: [f64; 3] = [1.0, 0.5, 0.0];

impl Inpainting {
    /// Bytes of the solver for each sample that may be filled: the unknowns and the vectors of the conjugate gradients in
    /// double precision, the levels of the multigrid in single precision.
    pub(crate) const BYTES_A_SAMPLE: u64 = 96;

    /// Inpainting with a row's parameters.
    pub(super) fn new(mask: Mask, parameters: &[f64]) -> Self {
        let [kind, sigma, tint] = [parameters[0], parameters[1], parameters[2]];
        let kind = if kind == 1.0 { Kind::Membrane } else { Kind::NormalizedConvolution { sigma } };
        Self { mask, kind, tint }
    }

    /// A filled pixel: straight colours as `channels` has them, or premultiplied with alpha, tinted and premultiplied.
    fn finished(&self, channels: Channels, pixel: &mut [f64]) {
        let colours = channels.opaque().count();
        if self.mask == Mask::Alpha && channels.has_alpha() {
            pixel[colours] = 1.0;
        }
        let alpha = if channels.has_alpha() { pixel[colours] } else { 1.0 };
        let tint = if colours == 1 { [1.0; 3] } else { TINT };
        for (value, tint) in pixel[..colours].iter_mut().zip(tint) {
            *value = (1.0 - self.tint) * *value + self.tint * tint * alpha;
        }
    }
}

/// What a sample at any whole position is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sample {
    /// To be filled: its index.
    Hole(usize),
    /// Known: its index.
    Known(usize),
    /// The border's constant.
    Border,
    /// Neither: its value is not finite.
    Unknown,
}

/// The samples of a plane with the holes among them.
struct Holes<'a> {
    plane: &'a Plane,
    edges: &'a Edges,
    /// Whether colours are divided by alpha.
    is_straight: bool,
    /// Whether each sample is filled, row by row.
    is_hole: Vec<bool>,
    /// Smallest rectangle around the holes: first column and row, numbers of columns and rows.
    bounds: [usize; 4],
}

impl<'a> Holes<'a> {
    /// The holes of `mask`; `None` if there are none.
    fn new(mask: Mask, plane: &'a Plane, edges: &'a Edges) -> Option<Self> {
        let (channels, width) = (plane.channels, plane.size[0] as usize);
        let (count, colours) = (channels.count(), channels.opaque().count());
        let alpha = |place: usize| if channels.has_alpha() { plane.values[place * count + colours] } else { 1.0 };
        let mut is_hole = vec![false; plane.values.len() / count];
        let (mut least, mut greatest) = ([usize::MAX; 2], [0; 2]);
        for (place, is_hole) in is_hole.iter_mut().enumerate() {
            let at = [place % width, place / width];
            let sample = [0, 1].map(|axis| plane.first[axis].wrapping_add(at[axis] as u32));
            *is_hole = mask.fills(sample, f64::from(alpha(place)));
            if *is_hole {
                least = [0, 1].map(|axis| least[axis].min(at[axis]));
                greatest = [0, 1].map(|axis| greatest[axis].max(at[axis]));
            }
        }
        let bounds =
            [least[0], least[1], (greatest[0] + 1).wrapping_sub(least[0]), (greatest[1] + 1).wrapping_sub(least[1])];
        let is_straight = mask == Mask::Alpha && channels.has_alpha();
        (least[0] != usize::MAX).then_some(Self { plane, edges, is_straight, is_hole, bounds })
    }

    /// What the sample at a column and a row is, after the address modes.
    fn sample(&self, x: i64, y: i64) -> Sample {
        let [width, height] = self.plane.size;
        let (Some(x), Some(y)) = (self.edges.address[0].resolve(x, width), self.edges.address[1].resolve(y, height))
        else {
            return if self.edges.border.is_finite() { Sample::Border } else { Sample::Unknown };
        };
        let place = y as usize * width as usize + x as usize;
        if self.is_hole[place] {
            return Sample::Hole(place);
        }
        let count = self.plane.channels.count();
        let is_finite = self.plane.values[place * count..][..count].iter().all(|value| value.is_finite());
        if is_finite { Sample::Known(place) } else { Sample::Unknown }
    }

    /// The value of a known sample's channel, straight where colours are filled so.
    fn value(&self, place: usize, channel: usize) -> f64 {
        let count = self.plane.channels.count();
        let pixel = &self.plane.values[place * count..][..count];
        let value = f64::from(pixel[channel]);
        if self.is_straight && channel + 1 < count { value / f64::from(pixel[count - 1]) } else { value }
    }

    /// The places of the holes within their rectangle, with the rectangle's columns and rows counted from its corner.
    fn places(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let [left, top, columns, rows] = self.bounds;
        let width = self.plane.size[0] as usize;
        (0..columns * rows)
            .map(move |cell| (cell, (top + cell / columns) * width + left + cell % columns))
            .filter(|(_, place)| self.is_hole[*place])
    }
}

/// Writes the filled plane. Samples that are not filled keep their values.
pub(super) fn inpaint(inpainting: &Inpainting, plane: &Plane, edges: &Edges, work: &ExecOptions, out: &mut [f32]) {
    out.copy_from_slice(&plane.values);
    let Some(holes) = Holes::new(inpainting.mask, plane, edges) else { return };
    let count = plane.channels.count();
    let filled = match inpainting.kind {
        Kind::Membrane => membrane::filled(&holes, work),
        Kind::NormalizedConvolution { sigma } => normalized::filled(&holes, sigma, work),
    };
    if work.stop.is_set() {
        return;
    }
    for (cell, place) in holes.places() {
        let mut pixel = [0.0; 4];
        pixel[..count].copy_from_slice(&filled[cell * count..][..count]);
        inpainting.finished(plane.channels, &mut pixel[..count]);
        for (to, value) in out[place * count..][..count].iter_mut().zip(pixel) {
            *to = value as f32;
        }
    }
}

#[cfg(test)]
mod tests;
