//! Twin: kernels/warp.cuh. The map from output pixels to image positions through a warp.

#[cfg(feature = "cuda")]
use super::WarpKind;
use super::{Lattice, Quad, Warp};
use crate::image::Size;
use crate::view::ImageFromOutput;

/// The map of one view, warp, output size and image size.
#[derive(Clone, Debug, PartialEq)]
pub struct WarpedMap {
    view: ImageFromOutput,
    sides: [f64; 2],
    /// Middle of the picture, in samples.
    middle: [f64; 2],
    form: Form,
}

/// A warp in samples.
#[derive(Clone, Debug, PartialEq)]
enum Form {
    None,
    /// Strength, and 1/ρ².
    Lens(f64, f64),
    /// Angle in radians, and 1/ρ².
    Swirl(f64, f64),
    /// The homography from places to positions, in parts of the picture.
    Perspective(Quad, [f64; 9]),
    Grid(Lattice),
}

/// Numbers of a warp as a kernel reads them.
#[cfg(feature = "cuda")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WarpNumbers<'a> {
    pub(crate) kind: WarpKind,
    /// Columns and rows of the image.
    pub(crate) sides: [f64; 2],
    /// Middle of the picture.
    pub(crate) middle: [f64; 2],
    /// Lens: strength and 1/ρ². Swirl: angle in radians and 1/ρ². Perspective: the homography, row by row.
    pub(crate) numbers: [f64; 9],
    /// Grid: columns and rows of handles.
    pub(crate) size: [u32; 2],
    /// Grid: the displacements.
    pub(crate) shifts: &'a [[f32; 2]],
}

impl WarpedMap {
    /// Least divisor of a perspective: 1 at the middle of its corners, 0 at the horizon and below 0 beyond it.
    pub(crate) const LEAST_DIVISOR: f64 = 1e-6;
    /// Largest distance of a position from the middle of the picture, in samples.
    pub(crate) const REACH: f64 = 16_777_216.0;

    /// The map of `view` through `warp`, for an image of this size.
    pub fn new(view: ImageFromOutput, warp: &Warp, image: Size) -> Self {
        let sides = [image.width(), image.height()].map(f64::from);
        let half = sides[0].min(sides[1]) / 2.0;
        let falloff = |radius: f64| 1.0 / (radius * half * (radius * half));
        let form = match warp {
            Warp::None => Form::None,
            Warp::Lens { strength, radius } => Form::Lens(*strength, falloff(*radius)),
            Warp::Swirl { angle_deg, radius } => Form::Swirl(angle_deg.to_radians(), falloff(*radius)),
            Warp::Perspective(quad) => Form::Perspective(*quad, quad.inverse()),
            Warp::Grid(lattice) => Form::Grid(lattice.clone()),
        };
        Self { view, sides, middle: sides.map(|side| (side - 1.0) / 2.0), form }
    }

    /// Whether positions are others than places.
    pub fn is_warped(&self) -> bool {
        self.form != Form::None
    }

    /// The view, from output pixels to places.
    pub fn view(&self) -> &ImageFromOutput {
        &self.view
    }

    /// The image position that output position (i, j) shows.
    pub fn at(&self, pos_in_output: [f64; 2]) -> [f64; 2] {
        self.position(self.view.at(pos_in_output))
    }

    /// The image position that a place shows.
    pub fn position(&self, place: [f64; 2]) -> [f64; 2] {
        let [dx, dy] = [place[0] - self.middle[0], place[1] - self.middle[1]];
        match &self.form {
            Form::None => place,
            Form::Lens(strength, falloff) => {
                let q = fading([dx, dy], *falloff);
                let factor = 1.0 - strength * (q * q);
                [self.middle[0] + factor * dx, self.middle[1] + factor * dy]
            }
            Form::Swirl(angle, falloff) => {
                let q = fading([dx, dy], *falloff);
                let (sin, cos) = (angle * (q * q)).sin_cos();
                [self.middle[0] + (dx * cos - dy * sin), self.middle[1] + (dx * sin + dy * cos)]
            }
            Form::Perspective(_, h) => {
                let [x, y] = [(place[0] + 0.5) / self.sides[0], (place[1] + 0.5) / self.sides[1]];
                let divisor = (h[6] * x + h[7] * y + h[8]).max(Self::LEAST_DIVISOR);
                let part = |row: usize| (h[row] * x + h[row + 1] * y + h[row + 2]) / divisor;
                self.within([part(0) * self.sides[0] - 0.5, part(3) * self.sides[1] - 0.5])
            }
            Form::Grid(lattice) => {
                let size = lattice.size();
                let unit = |axis: usize| (place[axis] + 0.5) / self.sides[axis] * f64::from(size[axis] - 1);
                let [x, y] = lattice.shift_at([unit(0), unit(1)]);
                [place[0] - x * self.sides[0], place[1] - y * self.sides[1]]
            }
        }
    }

    /// A position within [`WarpedMap::REACH`] of the middle along each axis.
    fn within(&self, position: [f64; 2]) -> [f64; 2] {
        let limited =
            |axis: usize| position[axis].clamp(self.middle[axis] - Self::REACH, self.middle[axis] + Self::REACH);
        [limited(0), limited(1)]
    }

    /// Local scale along x and y of the image at an output position, in samples per output pixel.
    pub fn local_scale(&self, [i, j]: [f64; 2]) -> [f64; 2] {
        let [left, right] = [-0.5, 0.5].map(|half| self.at([i + half, j]));
        let [above, below] = [-0.5, 0.5].map(|half| self.at([i, j + half]));
        [0, 1].map(|axis| {
            let (across, down) = (right[axis] - left[axis], below[axis] - above[axis]);
            (across * across + down * down).sqrt()
        })
    }

    /// The numbers that a kernel reads.
    #[cfg(feature = "cuda")]
    pub(crate) fn numbers(&self) -> WarpNumbers<'_> {
        let pair = |a: f64, b: f64| [a, b, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let (kind, numbers, size, shifts): (WarpKind, [f64; 9], [u32; 2], &[[f32; 2]]) = match &self.form {
            Form::None => (WarpKind::None, [0.0; 9], [0; 2], &[]),
            Form::Lens(strength, falloff) => (WarpKind::Lens, pair(*strength, *falloff), [0; 2], &[]),
            Form::Swirl(angle, falloff) => (WarpKind::Swirl, pair(*angle, *falloff), [0; 2], &[]),
            Form::Perspective(_, homography) => (WarpKind::Perspective, *homography, [0; 2], &[]),
            Form::Grid(lattice) => (WarpKind::Grid, [0.0; 9], lattice.size(), lattice.shifts()),
        };
        WarpNumbers { kind, sides: self.sides, middle: self.middle, numbers, size, shifts }
    }
}

/// max(0, 1 − |c|²/ρ²).
fn fading([dx, dy]: [f64; 2], falloff: f64) -> f64 {
    (1.0 - (dx * dx + dy * dy) * falloff).max(0.0)
}
