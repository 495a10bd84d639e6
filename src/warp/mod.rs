//! Warps: the picture resampled at displaced positions, after the view and before the interpolation.
//!
//! ```text
//!   output pixel (i, j) ──view──► place p in the plane of the picture ──warp──► position x in the image, in samples
//! ```
//! A warp maps places backwards: the value at p is read at x(p). With the middle of the picture m, c = p − m, half the
//! shorter side R, ρ = radius·R and q = max(0, 1 − |c|²/ρ²):
//!
//! | warp | x(p) | shown |
//! |---|---|---|
//! | `lens=s,radius` | m + (1 − s·q²)·c | the middle enlarged by 1/(1 − s), the outside as it is |
//! | `swirl=θ,radius` | m + c turned by q²·θ, as the view's angle turns | the middle turned by θ, counter-clockwise as seen |
//! | `perspective=…` | by the homography that takes four places to the corners | the corners of the picture at these places |
//! | `grid=…` | p − Σ β(u − i)·β(v − j)·d(i, j), β the cubic B-spline | handles on a lattice, each with its displacement d |
//!
//! Places of corners and displacements are parts of the picture's width and height, so that a warp fits images of any size.
//! The corners of the picture are those of its area, from −½ to W − ½; handle (i, j) of C × R handles stands at the parts i/(C − 1) and
//! j/(R − 1), and the handles at the rim go on beyond it.
//!
//! The local scale along an axis of the image is the length of the difference of the positions half a pixel before and after along
//! both axes of the output: √((x(i+½, j) − x(i−½, j))² + (x(i, j+½) − x(i, j−½))²). Antialiasing widens the kernel by it, as by
//! the scale of a view without a warp.

mod lattice;
mod map;
mod quad;
mod text;

pub use lattice::{Lattice, LatticeError};
#[cfg(feature = "cuda")]
pub(crate) use map::WarpNumbers;
pub use map::WarpedMap;
pub use quad::Quad;
pub use text::WarpError;

use crate::rows::rows;

/// A map from places in the plane of the picture to positions in the image.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Warp {
    /// Every place is its position.
    #[default]
    None,
    /// A magnifier: strength and radius, each in its parameter's range.
    Lens {
        /// Above 0 the middle is enlarged by 1/(1 − strength), below 0 it is made smaller.
        strength: f64,
        /// Radius, as a part of half the shorter side.
        radius: f64,
    },
    /// A turn that fades with the distance from the middle.
    Swirl {
        /// Angle in the middle, counter-clockwise as seen, in degrees.
        angle_deg: f64,
        /// Radius, as a part of half the shorter side.
        radius: f64,
    },
    /// The picture on a plane that is seen from aside.
    Perspective(Quad),
    /// A lattice of handles with displacements, between which a cubic B-spline blends.
    Grid(Lattice),
}

/// The properties of a kind of warps.
#[derive(Debug)]
pub struct WarpRow {
    /// The kind.
    pub kind: WarpKind,
    /// Name on the command line and in files.
    pub name: &'static str,
    /// Name in the window.
    pub title: &'static str,
    /// One-line description.
    pub help: &'static str,
    /// Numbers of a warp of this kind that are set one by one.
    pub parameters: &'static [WarpParameter],
}

/// A number of a warp.
#[derive(Debug)]
pub struct WarpParameter {
    /// Name in messages.
    pub name: &'static str,
    /// Name in the window.
    pub title: &'static str,
    /// One-line description.
    pub help: &'static str,
    /// Unit; empty for a number without one.
    pub unit: &'static str,
    /// Smallest and largest value.
    pub range: (f64, f64),
    /// Value of a new warp.
    pub default: f64,
}

const RADIUS: WarpParameter = WarpParameter {
    name: "radius",
    title: "Radius",
    help: "distance from the middle beyond which the picture stays, as a part of half the shorter side",
    unit: "",
    range: (0.05, 4.0),
    default: 1.0,
};

rows! {
    /// A kind of warps.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum WarpKind {
        /// No warp.
        #[default]
        None => { name: "none", title: "None", help: "every place shows its own position", parameters: &[] },
        /// A magnifier.
        Lens => {
            name: "lens",
            title: "Lens",
            help: "a magnifier over the middle: lens=strength,radius",
            parameters: &[
                WarpParameter {
                    name: "strength",
                    title: "Strength",
                    help: "the middle is enlarged by 1/(1 - strength); below 0 it is made smaller",
                    unit: "",
                    range: (-1.0, 0.9),
                    default: 0.5,
                },
                RADIUS,
            ],
        },
        /// A turn that fades outwards.
        Swirl => {
            name: "swirl",
            title: "Swirl",
            help: "a turn of the middle that fades outwards: swirl=angle,radius",
            parameters: &[
                WarpParameter {
                    name: "angle",
                    title: "Angle",
                    help: "turn of the middle, counter-clockwise as seen",
                    unit: "°",
                    range: (-1440.0, 1440.0),
                    default: 90.0,
                },
                RADIUS,
            ],
        },
        /// A plane seen from aside.
        Perspective => {
            name: "perspective",
            title: "Perspective",
            help: "the corners of the picture at four places, clockwise from the upper left: perspective=x,y,x,y,x,y,x,y in parts of its width and height",
            parameters: &[],
        },
        /// A lattice of handles.
        Grid => {
            name: "grid",
            title: "Handles",
            help: "a B-spline lattice of handles: grid=[dx,dy,dx,dy;dx,dy,dx,dy] or a CSV file, displacements in parts of the width and height",
            parameters: &[],
        },
    }

    /// The kinds, in menu order.
    pub static WARPS: [WarpRow { kind, .. }];

    impl by_name, Display;
}

impl Warp {
    /// Its kind.
    pub fn kind(&self) -> WarpKind {
        match self {
            Self::None => WarpKind::None,
            Self::Lens { .. } => WarpKind::Lens,
            Self::Swirl { .. } => WarpKind::Swirl,
            Self::Perspective(_) => WarpKind::Perspective,
            Self::Grid(_) => WarpKind::Grid,
        }
    }

    /// Whether places are not their own positions.
    pub fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }

    /// A new warp of `kind`: its parameters' defaults, the picture's own corners, 4 × 4 handles at their places.
    pub fn default_of(kind: WarpKind) -> Self {
        let [first, second] = [0, 1].map(|index| kind.row().parameters.get(index).map_or(0.0, |row| row.default));
        match kind {
            WarpKind::None => Self::None,
            WarpKind::Lens => Self::Lens { strength: first, radius: second },
            WarpKind::Swirl => Self::Swirl { angle_deg: first, radius: second },
            WarpKind::Perspective => Self::Perspective(Quad::default()),
            WarpKind::Grid => Self::Grid(Lattice::default()),
        }
    }

    /// Its numbers that are set one by one, as many as the kind has parameters.
    pub fn parameters(&self) -> Vec<f64> {
        match *self {
            Self::Lens { strength, radius } => vec![strength, radius],
            Self::Swirl { angle_deg, radius } => vec![angle_deg, radius],
            Self::None | Self::Perspective(_) | Self::Grid(_) => Vec::new(),
        }
    }

    /// The same warp with other parameters, each brought into its range.
    #[must_use]
    pub fn with_parameters(&self, numbers: &[f64]) -> Self {
        let rows = self.kind().row().parameters;
        let number = |index: usize| {
            let (low, high) = rows[index].range;
            numbers.get(index).map_or(rows[index].default, |number| number.clamp(low, high))
        };
        match self {
            Self::Lens { .. } => Self::Lens { strength: number(0), radius: number(1) },
            Self::Swirl { .. } => Self::Swirl { angle_deg: number(0), radius: number(1) },
            Self::None | Self::Perspective(_) | Self::Grid(_) => self.clone(),
        }
    }

    /// The places of its handles, in parts of the width and height: the corners of a perspective, the displaced handles of a
    /// lattice row by row.
    pub fn handles(&self) -> Vec<[f64; 2]> {
        match self {
            Self::Perspective(quad) => quad.corners().to_vec(),
            Self::Grid(lattice) => lattice.handles(),
            Self::None | Self::Lens { .. } | Self::Swirl { .. } => Vec::new(),
        }
    }

    /// The same warp with the handle at `index` moved to a place, in parts of the width and height; `None` where there is no such
    /// handle or the warp would not be valid.
    pub fn with_handle(&self, index: usize, place: [f64; 2]) -> Option<Self> {
        match self {
            Self::Perspective(quad) => quad.with_corner(index, place).map(Self::Perspective),
            Self::Grid(lattice) => lattice.with_handle(index, place).map(Self::Grid),
            Self::None | Self::Lens { .. } | Self::Swirl { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests;
